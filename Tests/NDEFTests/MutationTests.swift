import Bytes
import Foundation
import NDEF
import TestSupport
import Testing

/// The short form of `make fuzz`: good messages with a few bytes changed, cut or doubled.
@Suite struct MutationTests {
    private func mutated(_ message: Data, _ generator: inout SeededGenerator) -> Data {
        var bytes = message
        for _ in 0..<Int.random(in: 1...4, using: &generator) where !bytes.isEmpty {
            let index = Int.random(in: 0..<bytes.count, using: &generator)
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: bytes[index] = .random(in: 0...255, using: &generator)
            case 1: bytes[index] ^= 1 << Int.random(in: 0..<8, using: &generator)
            case 2: bytes.removeSubrange(index...)
            case 3: bytes.remove(at: index)
            default: bytes.append(contentsOf: bytes.suffix(from: index))
            }
        }
        return bytes
    }

    @Test("A damaged message is refused, or is the same message when it is written again")
    func damaged() throws {
        var generator = SeededGenerator(seed: 104)
        var accepted = 0
        var refused = 0
        for _ in 0..<3000 {
            let records = try MessageGenerator.records(&generator)
            let bytes = mutated(NDEFMessage(records: records).encoded, &generator)
            guard let message = try? NDEFMessage(encoded: bytes) else {
                refused += 1
                continue
            }
            accepted += 1
            #expect(try NDEFMessage(encoded: message.encoded) == message)
            #expect(try NDEFMessage(encoded: message.encoded(chunkSize: 7)) == message)
            for record in message.records { expectSameMeaning(record) }
        }
        // Both happen: otherwise this test says nothing.
        #expect(accepted > 300 && refused > 300, "\(accepted), \(refused)")
    }

    @Test("A damaged payload is refused, or means the same when it is written again")
    func damagedPayload() throws {
        var generator = SeededGenerator(seed: 3000)
        var accepted = 0
        var refused = 0
        for _ in 0..<3000 {
            guard let record = try MessageGenerator.records(&generator).first else { continue }
            let damaged = try NDEFRecord(
                typeNameFormat: record.typeNameFormat,
                type: record.type,
                payload: record.typeNameFormat == .empty
                    ? Data() : mutated(record.payload, &generator)
            )
            if expectSameMeaning(damaged) { accepted += 1 } else { refused += 1 }
        }
        #expect(accepted > 300 && refused > 300, "\(accepted), \(refused)")
    }

    /// Decodes a record and what is written for it; false when the record is refused.
    @discardableResult
    private func expectSameMeaning(_ record: NDEFRecord) -> Bool {
        guard let content = try? RecordContent(record) else { return false }
        guard let again = try? content.record else { return true }
        #expect((try? RecordContent(again)) == content)
        return true
    }
}
