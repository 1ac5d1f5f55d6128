import Foundation
import NBT

/// Any bytes are refused as data objects or are the same ones when they are written and read again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let input = Data(UnsafeBufferPointer(start: bytes, count: count))
    if let objects = try? Tlv.parse(input) {
        let encoded = objects.compactMap { try? $0.encoded() }.reduce(Data(), +)
        precondition((try? Tlv.parse(encoded)) == objects, "a data object has changed")
    }
    if let objects = try? DgiTlv.parse(input) {
        let encoded = objects.compactMap { try? $0.encoded() }.reduce(Data(), +)
        precondition((try? DgiTlv.parse(encoded)) == objects, "a data group has changed")
    }
    return 0
}
