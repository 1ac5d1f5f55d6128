import Bytes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A command APDU as a card reads it (ISO 7816-4, 5.1 and 5.2; facts/nbt.md, 5.1).
///
/// The virtual cards decode commands with this type and not with the module `APDU`, so that an error in the
/// host's encoder is not hidden by the same error in the card.
struct CardCommand {
    let cla: UInt8
    let ins: UInt8
    let p1: UInt8
    let p2: UInt8
    /// The command data; empty without Lc.
    let data: Data
    /// The largest number of bytes the host expects, 1...65536 (Le `00` is 256); nil without Le.
    let le: Int?
    /// Whether Lc or Le are in the extended form.
    let isExtended: Bool

    /// P1 and P2 as one number.
    var parameters: UInt16 { UInt16(p1) << 8 | UInt16(p2) }

    /// Decodes all seven forms; anything else is refused with 6700.
    init(_ bytes: Data) throws(Refusal) {
        var reader = ByteReader(bytes)
        do throws(EndOfBytes) {
            cla = try reader.byte()
            ins = try reader.byte()
            p1 = try reader.byte()
            p2 = try reader.byte()
            (data, le, isExtended) = try Self.body(&reader)
        } catch {
            throw .wrongLength
        }
        guard reader.isAtEnd else { throw .wrongLength }
    }

    /// Reads Lc, data and Le.
    ///
    /// What cannot be a body leaves bytes behind, which `init` refuses.
    private static func body(
        _ reader: inout ByteReader
    ) throws(EndOfBytes) -> (data: Data, le: Int?, isExtended: Bool) {
        guard !reader.isAtEnd else { return (Data(), nil, false) }
        let first = Int(try reader.byte())
        if reader.isAtEnd { return (Data(), first == 0 ? 256 : first, false) }
        if first > 0 {
            let data = try reader.bytes(first)
            guard !reader.isAtEnd else { return (data, nil, false) }
            let le = Int(try reader.byte())
            return (data, le == 0 ? 256 : le, false)
        }
        let length = Int(try reader.uint16())
        if reader.isAtEnd { return (Data(), length == 0 ? 65536 : length, true) }
        // An extended Lc of 0 does not exist.
        guard length > 0 else { return (Data(), nil, true) }
        let data = try reader.bytes(length)
        guard !reader.isAtEnd else { return (data, nil, true) }
        let le = Int(try reader.uint16())
        return (data, le == 0 ? 65536 : le, true)
    }
}
