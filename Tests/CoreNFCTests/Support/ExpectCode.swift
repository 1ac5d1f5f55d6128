import CoreNFC
import Testing

/// Expects that `body` throws an `NFCReaderError` with this code, whatever its `userInfo` says.
func expect(
    _ code: NFCReaderError.Code,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Void
) async {
    do {
        try await body()
        Issue.record("nothing was thrown", sourceLocation: sourceLocation)
    } catch {
        #expect((error as? NFCReaderError)?.code == code, sourceLocation: sourceLocation)
        #expect(
            error.localizedDescription == NFCReaderError(code).localizedDescription,
            sourceLocation: sourceLocation
        )
    }
}
