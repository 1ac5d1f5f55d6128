import Bytes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A password in the chip (facts/nbt.md, 1.7 and 2.5).
struct NBTPassword {
    static let maximumCount = 28
    static let identifiers: ClosedRange<UInt8> = 1...0x1F
    static let length = 4
    private static let unlimited: UInt16 = 0xFFFF

    /// 4 bytes.
    var value: Data
    /// 2 bytes, returned by SELECT when the password is right.
    let response: Data
    private let limit: UInt16
    private(set) var triesUsed = 0

    enum Check {
        case right, wrong, blocked
    }

    /// The 9 bytes of CREATE PASSWORD and DGI A003: identifier, password (4), response (2), limit (2).
    static func parse(
        _ record: Data
    ) throws(Refusal) -> (identifier: UInt8, password: NBTPassword) {
        var reader = ByteReader(record)
        do throws(EndOfBytes) {
            let identifier = try reader.byte()
            let value = try reader.bytes(length)
            let response = try reader.bytes(2)
            let limit = try reader.uint16()
            guard reader.isAtEnd, identifiers.contains(identifier),
                response != Data([0, 0]), response != Data([0xFF, 0xFF]),
                (0x0001...0x007F).contains(limit) || limit == unlimited
            else { throw EndOfBytes() }
            return (identifier, NBTPassword(value: value, response: response, limit: limit))
        } catch {
            throw .wrongData
        }
    }

    private init(value: Data, response: Data, limit: UInt16) {
        self.value = value
        self.response = response
        self.limit = limit
    }

    /// nil for a password that is never blocked.
    var triesLeft: Int? {
        limit == Self.unlimited ? nil : max(0, Int(limit) - triesUsed)
    }

    var isBlocked: Bool { triesLeft == 0 }

    /// Compares a candidate and counts the try when it is wrong.
    mutating func check(_ candidate: Data, successClearsTries: Bool) -> Check {
        guard !isBlocked else { return .blocked }
        guard candidate == value else {
            // An unlimited password needs no count.
            if triesLeft != nil { triesUsed += 1 }
            return .wrong
        }
        if successClearsTries { triesUsed = 0 }
        return .right
    }

    mutating func unblock() { triesUsed = 0 }
}
