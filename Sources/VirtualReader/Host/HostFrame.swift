internal import Bytes

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// A frame of the PN532's serial protocol (facts/pn532.md, 1).
package enum HostFrame: Equatable, Sendable {
    /// `00 00 FF 00 FF 00`, both ways. From the host it also aborts the running command.
    case acknowledge
    /// `00 00 FF FF 00 00`: the host wants the last answer again.
    case negativeAcknowledge
    /// `00 00 FF 01 FF 7F 81 00`: the chip knows no such command or it has the wrong length.
    case error
    /// A command, host to chip (TFI D4): command code and parameters.
    case command(Data)
    /// An answer, chip to host (TFI D5): command code + 1 and what follows.
    case answer(Data)

    /// LEN of the longest frame: TFI and 264 bytes.
    static let maximumLength = 265

    /// The frame as it stands on the wire, with preamble and postamble.
    package var encoded: Data {
        switch self {
        case .acknowledge: Data([0x00, 0x00, 0xFF, 0x00, 0xFF, 0x00])
        case .negativeAcknowledge: Data([0x00, 0x00, 0xFF, 0xFF, 0x00, 0x00])
        case .error: Self.encode(Data([0x7F]))
        case .command(let body): Self.encode([0xD4] + body)
        case .answer(let body): Self.encode([0xD5] + body)
        }
    }

    /// A frame round TFI and data.
    ///
    /// It is an extended one only when it must be.
    private static func encode(_ body: Data) -> Data {
        var frame = Data([0x00, 0x00, 0xFF])
        if body.count <= 255 {
            let length = UInt8(body.count)
            frame += [length, 0 &- length]
        } else {
            let high = UInt8(truncatingIfNeeded: body.count >> 8)
            let low = UInt8(truncatingIfNeeded: body.count)
            frame += [0xFF, 0xFF, high, low, 0 &- high &- low]
        }
        return frame + body + [0 &- body.checksum, 0x00]
    }
}

extension Data {
    /// The sum of all bytes modulo 256.
    fileprivate var checksum: UInt8 { reduce(0, &+) }
}

/// Finds frames in a stream of bytes that may come in any pieces, with junk between them.
package struct FrameReader {
    private var buffer = Data()

    package init() {}

    /// Takes bytes that have come over the wire.
    package mutating func append(_ bytes: Data) {
        buffer += bytes
    }

    /// Forgets what has come so far.
    mutating func clear() {
        buffer = Data()
    }

    /// The next whole and intact frame, or nil when more bytes are needed.
    ///
    /// A frame with a wrong checksum is skipped in silence, and what follows its start code is searched again: a
    /// frame cut short does not take the next one with it.
    package mutating func next() -> HostFrame? {
        while let start = buffer.firstRange(of: Data([0x00, 0xFF])) {
            var reader = ByteReader(Data(buffer[start.upperBound...]))
            do throws(EndOfBytes) {
                let frame = try Self.frame(from: &reader)
                buffer = frame == nil ? Data(buffer[start.upperBound...]) : reader.rest()
                if let frame { return frame }
            } catch {
                buffer = Data(buffer[start.lowerBound...])
                return nil
            }
        }
        // Only a 00 at the end can be the beginning of a start code.
        buffer = buffer.last == 0x00 ? Data([0x00]) : Data()
        return nil
    }

    /// What follows a start code, or nil when that is no intact frame.
    private static func frame(from reader: inout ByteReader) throws(EndOfBytes) -> HostFrame? {
        var length = Int(try reader.byte())
        let lengthChecksum = try reader.byte()
        switch (length, lengthChecksum) {
        case (0x00, 0xFF): return .acknowledge
        case (0xFF, 0x00): return .negativeAcknowledge
        case (0xFF, 0xFF):
            let bytes = try reader.bytes(3)
            guard bytes.checksum == 0 else { return nil }
            length = Int(bytes[0]) << 8 | Int(bytes[1])
        default:
            guard UInt8(length) &+ lengthChecksum == 0 else { return nil }
        }
        guard (1...HostFrame.maximumLength).contains(length) else { return nil }
        let body = try reader.bytes(length)
        let checksum = try reader.byte()
        guard body.checksum &+ checksum == 0 else { return nil }
        return switch body.first {
        case 0xD4: .command(Data(body.dropFirst()))
        case 0xD5: .answer(Data(body.dropFirst()))
        case 0x7F where length == 1: .error
        default: nil
        }
    }
}
