import Bytes
import Foundation
import NFCReader

/// The commands of FeliCa cards (JIS X 6319-4; FeliCa Card User's Manual, excerpted edition).
///
/// A frame is its length (itself included), a code, the card's IDm and parameters; the code of an answer is the
/// command's plus one. The chip adds preamble, sync code and CRC.
extension TagLink {
    /// Polls for a system: IDm, PMm and the data asked for.
    func poll(
        _ systemCode: Data,
        _ requestCode: NFCFeliCaPollingRequestCode,
        _ timeSlot: NFCFeliCaPollingTimeSlot
    ) async throws(NFCReaderError) -> (Data, Data, Data) {
        guard systemCode.count == 2 else {
            throw NFCReaderError(.readerErrorInvalidParameterLength)
        }
        guard !systemCode.contains(0xFF) else { throw NFCReaderError(.readerErrorInvalidParameter) }
        let code = systemCode.reduce(0) { $0 << 8 | UInt16($1) }
        guard session.configuration.validSystemCodes.contains(code) else {
            throw NFCReaderError(.readerErrorSecurityViolation)
        }
        let parameters = [
            UInt8(truncatingIfNeeded: requestCode.rawValue),
            UInt8(truncatingIfNeeded: timeSlot.rawValue),
        ]
        let answer = try await exchangePacket(Data([0x00]) + systemCode + parameters)
        return try parse(answer) { (reader) throws(EndOfBytes) in
            guard try reader.byte() == 0x01 else { throw EndOfBytes() }
            return (try reader.bytes(8), try reader.bytes(8), reader.rest())
        }
    }

    /// Request Service: a key version for each node.
    func requestService(_ nodes: [Data], _ idm: Data) async throws(NFCReaderError) -> [Data] {
        let parameters = try list(nodes, count: 1...32, size: 2...2)
        return try await ask(0x02, idm, parameters) { (reader) throws(EndOfBytes) in
            try reader.items(Int(try reader.byte()), size: 2)
        }
    }

    /// Request Response: the mode.
    func requestResponse(_ idm: Data) async throws(NFCReaderError) -> Int {
        try await ask(0x04, idm, Data()) { (reader) throws(EndOfBytes) in Int(try reader.byte()) }
    }

    /// Read Without Encryption: status flags, and 16 bytes a block.
    func read(
        _ services: [Data],
        _ blocks: [Data],
        _ idm: Data
    ) async throws(NFCReaderError) -> (Int, Int, [Data]) {
        let parameters =
            try list(services, count: 1...16, size: 2...2)
            + list(blocks, count: 1...255, size: 2...3)
        return try await ask(0x06, idm, parameters) { (reader) throws(EndOfBytes) in
            let flags = try reader.statusFlags()
            guard flags == (0, 0) else { return (flags.0, flags.1, []) }
            return (flags.0, flags.1, try reader.items(Int(try reader.byte()), size: 16))
        }
    }

    /// Write Without Encryption: status flags.
    func write(
        _ services: [Data],
        _ blocks: [Data],
        _ data: [Data],
        _ idm: Data
    ) async throws(NFCReaderError) -> (Int, Int) {
        guard data.count == blocks.count, data.allSatisfy({ $0.count == 16 }) else {
            throw NFCReaderError(.readerErrorInvalidParameterLength)
        }
        var parameters =
            try list(services, count: 1...16, size: 2...2)
            + list(blocks, count: 1...255, size: 2...3)
        for block in data { parameters += block }
        return try await ask(0x08, idm, parameters) { (reader) throws(EndOfBytes) in
            try reader.statusFlags()
        }
    }

    /// Request System Code: all system codes on the card.
    func requestSystemCode(_ idm: Data) async throws(NFCReaderError) -> [Data] {
        try await ask(0x0C, idm, Data()) { (reader) throws(EndOfBytes) in
            try reader.items(Int(try reader.byte()), size: 2)
        }
    }

    /// Request Service v2: status flags, kind of keys, and a version of each kind for each node.
    func requestServiceV2(
        _ nodes: [Data],
        _ idm: Data
    ) async throws(NFCReaderError) -> (Int, Int, NFCFeliCaEncryptionId, [Data], [Data]) {
        let parameters = try list(nodes, count: 1...32, size: 2...2)
        return try await ask(0x32, idm, parameters) { (reader) throws(EndOfBytes) in
            let flags = try reader.statusFlags()
            guard flags == (0, 0) else { return (flags.0, flags.1, .AES, [], []) }
            guard let keys = NFCFeliCaEncryptionId(rawValue: Int(try reader.byte())) else {
                throw EndOfBytes()
            }
            let count = Int(try reader.byte())
            let aes = try reader.items(count, size: 2)
            let des = keys == .AES_DES ? try reader.items(count, size: 2) : []
            return (flags.0, flags.1, keys, aes, des)
        }
    }

    /// Request Specification Version: status flags, basic version, versions of the options.
    func requestSpecificationVersion(
        _ idm: Data
    ) async throws(NFCReaderError) -> (Int, Int, Data, Data) {
        try await ask(0x3C, idm, Data([0x00, 0x00])) { (reader) throws(EndOfBytes) in
            let flags = try reader.statusFlags()
            guard flags == (0, 0) else { return (flags.0, flags.1, Data(), Data()) }
            // Format version, 00.
            _ = try reader.byte()
            let basic = try reader.bytes(2)
            let count = Int(try reader.byte())
            return (flags.0, flags.1, basic, try reader.bytes(count * 2))
        }
    }

    /// Reset Mode: status flags.
    func resetMode(_ idm: Data) async throws(NFCReaderError) -> (Int, Int) {
        try await ask(0x3E, idm, Data([0x00, 0x00])) { (reader) throws(EndOfBytes) in
            try reader.statusFlags()
        }
    }

    /// Sends a packet and returns the answer, both without the length byte.
    func exchangePacket(_ packet: Data) async throws(NFCReaderError) -> Data {
        guard (1...254).contains(packet.count) else {
            throw NFCReaderError(.readerErrorInvalidParameterLength)
        }
        let answer = try await exchange(Data([UInt8(packet.count + 1)]) + packet)
        guard let length = answer.first, Int(length) == answer.count, length > 1 else {
            throw Self.unexpected(answer)
        }
        return Data(answer.dropFirst())
    }

    // MARK: Packets

    /// Sends a command to the card with this IDm, and parses what comes after the IDm in the answer.
    private func ask<Answer>(
        _ code: UInt8,
        _ idm: Data,
        _ parameters: Data,
        _ body: (inout ByteReader) throws(EndOfBytes) -> Answer
    ) async throws(NFCReaderError) -> Answer {
        let answer = try await exchangePacket(Data([code]) + idm + parameters)
        return try parse(answer) { (reader) throws(EndOfBytes) in
            guard try reader.byte() == code + 1, try reader.bytes(8) == idm else {
                throw EndOfBytes()
            }
            return try body(&reader)
        }
    }

    /// Parses all of a packet.
    private func parse<Answer>(
        _ packet: Data,
        _ body: (inout ByteReader) throws(EndOfBytes) -> Answer
    ) throws(NFCReaderError) -> Answer {
        var reader = ByteReader(packet)
        do throws(EndOfBytes) {
            let answer = try body(&reader)
            guard reader.isAtEnd else { throw EndOfBytes() }
            return answer
        } catch {
            throw Self.unexpected(packet)
        }
    }

    private static func unexpected(_ answer: Data) -> NFCReaderError {
        NFCReaderError(
            .readerTransceiveErrorTagResponseError,
            userInfo: [NFCTagResponseUnexpectedLengthErrorKey: answer.count]
        )
    }

    /// The number of items, and the items.
    private func list(
        _ items: [Data],
        count: ClosedRange<Int>,
        size: ClosedRange<Int>
    ) throws(NFCReaderError) -> Data {
        guard count.contains(items.count), items.allSatisfy({ size.contains($0.count) }),
            let number = UInt8(exactly: items.count)
        else { throw NFCReaderError(.readerErrorInvalidParameterLength) }
        return items.reduce(into: Data([number])) { $0 += $1 }
    }
}

extension ByteReader {
    /// Items of a size each.
    fileprivate mutating func items(_ count: Int, size: Int) throws(EndOfBytes) -> [Data] {
        var items: [Data] = []
        for _ in 0..<count { items.append(try bytes(size)) }
        return items
    }

    fileprivate mutating func statusFlags() throws(EndOfBytes) -> (Int, Int) {
        let first = Int(try byte())
        return (first, Int(try byte()))
    }
}
