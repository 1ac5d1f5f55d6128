import Foundation
import NBT

/// Any bytes are refused as data objects or keep what they mean when they are written again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let input = Data(UnsafeBufferPointer(start: bytes, count: count))
    if let objects = try? Tlv.parse(input) {
        let again = objects.reduce(into: Data()) { $0 += (try? $1.encoded()) ?? Data() }
        precondition((try? Tlv.parse(again)) == objects, "the objects have changed")
    }
    if let objects = try? DgiTlv.parse(input) {
        let again = objects.reduce(into: Data()) { $0 += (try? $1.encoded()) ?? Data() }
        precondition((try? DgiTlv.parse(again)) == objects, "the objects have changed")
    }
    _ = try? AppletVersion(data: input)
    _ = try? AvailableMemory(data: input)
    return 0
}
