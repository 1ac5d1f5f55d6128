import Foundation
import NFCReader
import TestSupport
import Testing
import VirtualReader

/// Each crash of libnfc that facts/libnfc.md names (2, 2.2, 5.1, 7.1, 7.5): the process lives on and says what happened.
@Suite(.serialized) struct ContainmentTests {
    @Test(
        "lives through a status byte with bit 7 set",
        arguments: [UInt8(0x80), 0x81, 0xC0, 0xFF]
    )
    func status(byte: UInt8) async throws {
        let tag = try ISODEPTag(
            name: "A",
            uid: .fixed(hex("04010203040506")),
            application: Parrot()
        )
        let virtual = try VirtualReader()
        defer { virtual.close() }
        virtual.place(tag)
        let reader = try await Reader.open(virtual.connectionString)
        let target = try #require(try await reader.poll(.iso14443a).first)
        virtual.faults = Faults(Fault(.status(byte), .nth(1)))
        await #expect(throws: ReaderError.libraryFault(during: "exchange")) {
            try await reader.exchange(hex("00b0000000"), with: target)
        }
        // The device is not trusted any more, and can be closed and opened again.
        await #expect(throws: ReaderError.libraryFault(during: "an earlier call")) {
            try await reader.poll(.iso14443a)
        }
        await reader.close()
        virtual.faults = .none
        let next = try await Reader.open(virtual.connectionString)
        let found = try await next.poll(.iso14443a)
        #expect(found.count == 1)
        await next.close()
    }

    /// libnfc would copy size_t(-1) bytes (CNFCGuard).
    @Test("lives through a part of an answer that has no status byte", arguments: 1...4)
    func partWithoutStatus(part: Int) async throws {
        try await withLongAnswer(Fault(.noStatus, .nth(part)), .malformedAnswer(during: "exchange"))
    }

    /// libnfc would ask for the next part for ever.
    @Test("does not go on with parts that bring nothing", arguments: 1...4)
    func endlessParts(part: Int) async throws {
        try await withLongAnswer(
            Fault(.status(0x40), .from(part)),
            .malformedAnswer(during: "exchange")
        )
    }

    /// A faulty exchange with an answer in four parts; the next one works.
    private func withLongAnswer(_ fault: Fault, _ error: ReaderError) async throws {
        let tag = try ISODEPTag(application: Parrot(answer: [UInt8](repeating: 0x5A, count: 1000)))
        try await withReader(tag) { virtual, reader in
            let target = try #require(try await reader.poll(.iso14443a).first)
            virtual.faults = Faults(fault)
            await #expect(throws: error) {
                try await reader.exchange(hex("00b00000000000"), with: target)
            }
            virtual.faults = .none
            let answer = try await reader.exchange(hex("00b00000000000"), with: target)
            #expect(answer == Data(repeating: 0x5A, count: 1000))
        }
    }

    @Test("sees a wrong status in the last part of an answer", arguments: [UInt8(0x80), 0xBF])
    func statusOfLastPart(byte: UInt8) async throws {
        let tag = try ISODEPTag(application: Parrot(answer: [UInt8](repeating: 0x5A, count: 300)))
        try await withReader(tag) { virtual, reader in
            let target = try #require(try await reader.poll(.iso14443a).first)
            virtual.faults = Faults(Fault(.status(byte), .nth(2)))
            await #expect(throws: ReaderError.self) {
                try await reader.exchange(hex("00b00000000000"), with: target)
            }
            let answer = try await reader.exchange(hex("00b0000000"), with: target)
            #expect(answer == Data(repeating: 0x5A, count: 300))
        }
    }

    /// Bit 7: abort() inside nfc_close, which would leave the port open.
    ///
    /// Bit 6, then a part without a status: memcpy of
    /// size_t(-1) bytes.
    @Test(
        "closes a device whose chip answers PowerDown wrongly",
        arguments: [[UInt8(0x80)], [0x40, 0x5A], [0x40], []]
    )
    func powerDown(answer: [UInt8]) async throws {
        let chip = try ScriptedChip { command in
            command.first == 0x16 ? Data([0x17] + answer) : nil
        }
        defer { chip.close() }
        let before = try Self.openPorts(chip.path)
        let reader = try await Reader.open("pn532_uart:" + chip.path)
        await reader.close()
        #expect(try Self.openPorts(chip.path) == before)
    }

    /// How many descriptors of this process lead to a port.
    private static func openPorts(_ path: String) throws -> Int {
        let folder = "/proc/self/fd/"
        return try FileManager.default.contentsOfDirectory(atPath: folder)
            .filter {
                (try? FileManager.default.destinationOfSymbolicLink(atPath: folder + $0)) == path
            }
            .count
    }

    @Test func livesThroughAnATSOfLengthZero() async throws {
        let tag = try ISODEPTag(
            name: "A",
            uid: .fixed(hex("04010203040506")),
            application: Parrot()
        )
        try await withReader(tag) { virtual, reader in
            virtual.faults = Faults(Fault(.zeroATSLength))
            let found = try await reader.poll(.iso14443a)
            #expect(found.map(\.identifier) == [hex("04010203040506")])
        }
    }

    @Test("refuses a half-open chip", arguments: [Faults.halfOpen, .halfOpenWithError])
    func halfOpen(faults: Faults) async throws {
        let virtual = try VirtualReader()
        defer { virtual.close() }
        virtual.faults = faults
        await #expect {
            try await Reader.open(virtual.connectionString)
        } throws: { error in
            guard case .notResponding(let text)? = error as? ReaderError else { return false }
            return text.contains("only in part")
        }
    }

    @Test func refusesASilentChip() async throws {
        let virtual = try VirtualReader()
        defer { virtual.close() }
        virtual.faults = .silence
        await #expect {
            try await Reader.open(virtual.connectionString)
        } throws: { error in
            guard case .notResponding? = error as? ReaderError else { return false }
            return true
        }
    }
}
