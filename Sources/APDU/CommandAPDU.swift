import Bytes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A command APDU of ISO 7816-4, all cases 1 to 4, short and extended (facts/nbt.md, 5.1).
public struct CommandAPDU: Sendable, Hashable {
    /// Class byte CLA.
    public let cla: UInt8
    /// Instruction byte INS.
    public let ins: UInt8
    /// Parameter byte P1.
    public let p1: UInt8
    /// Parameter byte P2.
    public let p2: UInt8
    /// The command data field, 0 to 65535 bytes; empty means that there is no Lc either.
    public let data: Data
    /// Ne, the largest number of answer bytes expected, 1 to 65536; nil means that there is no Le
    /// field.
    public let expectedLength: Int?
    /// Whether Lc and Le are coded in the extended form.
    public let isExtended: Bool

    /// Makes a command from its fields.
    ///
    /// Lc and Le take the short form where both fit it (up to 255 bytes out, 256 back), else both
    /// take the extended one, as ISO 7816-4 demands.
    ///
    /// - Parameters:
    ///   - cla: class byte.
    ///   - ins: instruction byte.
    ///   - p1: first parameter byte.
    ///   - p2: second parameter byte.
    ///   - data: data field, at most 65535 bytes.
    ///   - expectedLength: Ne, 1 to 65536, or nil for none.
    ///   - extended: true takes the extended form also where the short one would do.
    /// - Throws: `dataTooLong` or `expectedLengthOutOfRange`.
    public init(
        cla: UInt8,
        ins: UInt8,
        p1: UInt8,
        p2: UInt8,
        data: Data = Data(),
        expectedLength: Int? = nil,
        extended: Bool = false
    ) throws(APDUError) {
        guard data.count <= 65_535 else { throw .dataTooLong(count: data.count) }
        if let length = expectedLength, !(1...65_536).contains(length) {
            throw .expectedLengthOutOfRange(length)
        }
        self.cla = cla
        self.ins = ins
        self.p1 = p1
        self.p2 = p2
        self.data = Data(data)
        self.expectedLength = expectedLength
        let hasBody = !data.isEmpty || expectedLength != nil
        let needsExtended = data.count > 255 || (expectedLength ?? 0) > 256
        isExtended = hasBody && (extended || needsExtended)
    }

    /// Reads a command from its bytes; `encoded` then gives the same bytes back.
    ///
    /// - Throws: `commandTooShort` or `lengthMismatch`.
    public init(encoded: Data) throws(APDUError) {
        guard encoded.count >= 4 else { throw .commandTooShort(count: encoded.count) }
        let body: Body
        var reader = ByteReader(encoded)
        do throws(EndOfBytes) {
            cla = try reader.byte()
            ins = try reader.byte()
            p1 = try reader.byte()
            p2 = try reader.byte()
            body = try Body(&reader)
        } catch {
            throw .lengthMismatch
        }
        // What follows a complete body belongs to no case of ISO 7816-4, 5.1.
        guard reader.isAtEnd else { throw .lengthMismatch }
        data = body.data
        expectedLength = body.expectedLength
        isExtended = body.isExtended
    }

    /// The bytes that go to the tag.
    public var encoded: Data {
        var bytes = Data([cla, ins, p1, p2])
        if isExtended { bytes.append(0) }
        if !data.isEmpty {
            appendLength(data.count, to: &bytes)
            bytes.append(data)
        }
        if let expectedLength { appendLength(expectedLength, to: &bytes) }
        return bytes
    }

    /// One byte in the short form, two in the extended one; 256 and 65536 wrap to 0, as Le wants
    /// it.
    private func appendLength(_ length: Int, to bytes: inout Data) {
        if isExtended { bytes.append(UInt8(truncatingIfNeeded: length >> 8)) }
        bytes.append(UInt8(truncatingIfNeeded: length))
    }
}

/// What follows the header: Lc, data and Le.
private struct Body {
    var data = Data()
    var expectedLength: Int?
    var isExtended = false

    /// Reads the body; a first byte of 00 with more than one byte to come announces the extended
    /// form.
    init(_ reader: inout ByteReader) throws(EndOfBytes) {
        guard let first = reader.peek() else { return }
        isExtended = first == 0 && reader.remaining > 1
        if isExtended { _ = try reader.byte() }

        let lengthSize = isExtended ? 2 : 1
        if reader.remaining > lengthSize {
            let count = try readLength(&reader)
            // An Lc of 0 is not allowed: a command without data has no Lc.
            guard count > 0 else { throw EndOfBytes() }
            data = try reader.bytes(count)
        }
        if !reader.isAtEnd {
            let length = try readLength(&reader)
            expectedLength = length > 0 ? length : (isExtended ? 65_536 : 256)
        }
    }

    private func readLength(_ reader: inout ByteReader) throws(EndOfBytes) -> Int {
        isExtended ? Int(try reader.uint16()) : Int(try reader.byte())
    }
}
