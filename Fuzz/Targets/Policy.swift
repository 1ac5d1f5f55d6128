import Foundation
import NBT

/// Any bytes are refused as access policies or are the same when they are written again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let input = Data(UnsafeBufferPointer(start: bytes, count: count))
    if let policies = try? FapDecoder.decode(policyBytes: input) {
        let again = policies.reduce(into: Data()) { $0 += $1.encoded }
        precondition(again == input, "the policies have changed")
    }
    if let policies = try? FileAccessPolicies(encoded: input) {
        precondition((try? FileAccessPolicies(encoded: policies.encoded)) == policies)
    }
    _ = try? CapabilityContainer(encoded: input)
    return 0
}
