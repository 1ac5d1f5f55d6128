import Foundation
import NFCReader
import Testing
import VirtualReader

/// Runs `body` with a virtual reader that holds `tags` and the reader opened on it through the real libnfc; checks at
/// the end that closing left the field off.
func withReader(
    _ tags: any VirtualTag...,
    timing: Timing = .immediate,
    _ body: (VirtualReader, Reader) async throws -> Void
) async throws {
    let virtual = try VirtualReader(timing: timing)
    defer { virtual.close() }
    for tag in tags { virtual.place(tag) }
    let reader = try await Reader.open(virtual.connectionString)
    virtual.resetStatistics()
    do {
        try await body(virtual, reader)
    } catch {
        await reader.close()
        throw error
    }
    virtual.faults = .none
    await reader.close()
    #expect(!virtual.isFieldOn)
}

/// A card that answers every command with the same bytes.
final class Parrot: CardApplication {
    private let answer: [UInt8]
    private let time: Duration

    init(answer: [UInt8] = [0x90, 0x00], after time: Duration = .zero) {
        self.answer = answer
        self.time = time
    }

    func respond(to command: Data) -> Data { Data(answer) }
    func workingTime(of command: Data) -> Duration { time }
    func reset() {}
}

/// A folder of its own in the temporary one, gone with its owner.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
