import NFCReader

/// A reader that is open for as long as some work goes on.
enum OpenReader {
    /// Opens the reader, runs `body` and closes the reader with the field off, whatever happens.
    ///
    /// Cancelling the task ends a call that waits for the reader within about 150 ms.
    static func use<Result: Sendable>(
        _ connectionString: String,
        _ body: (Reader) async throws -> Result
    ) async throws -> Result {
        let reader = try await Reader.open(connectionString)
        do {
            let result = try await withTaskCancellationHandler {
                try await body(reader)
            } onCancel: {
                reader.interrupt()
            }
            await reader.close()
            return result
        } catch {
            await reader.close()
            throw error
        }
    }
}
