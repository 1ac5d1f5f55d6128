/// Cancels work that takes longer than it may.
enum Deadline {
    /// Runs `work` and cancels it after `seconds`; the result is what the work then returns.
    ///
    /// Without a number of seconds the work may take as long as it wants. Cancelling the work from
    /// inside (`withUnsafeCurrentTask`) cancels nothing else.
    static func cancel<Result: Sendable>(
        after seconds: Int?,
        _ work: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        try await withThrowingTaskGroup(of: Result?.self) { group in
            group.addTask { try await work() }
            if let seconds {
                group.addTask {
                    // Thrown only when the work has ended first.
                    try? await Task.sleep(for: .seconds(seconds))
                    return nil
                }
            }
            // The first to end, work or clock, ends the other; then the work's result is taken.
            var result: Result?
            while let finished = try await group.next() {
                group.cancelAll()
                result = finished ?? result
            }
            guard let result else { throw CancellationError() }
            return result
        }
    }
}
