import Foundation
import NBT

/// Any bytes are refused as access policies or are the same when they are written again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let input = Data(UnsafeBufferPointer(start: bytes, count: count))
    if let entries = try? FapDecoder.decode(policyBytes: input) {
        let encoded = entries.reduce(Data()) { $0 + $1.encoded }
        precondition(
            (try? FapDecoder.decode(policyBytes: encoded)) == entries,
            "an entry has changed"
        )
    }
    if let policies = try? FileAccessPolicies(encoded: input) {
        precondition(
            (try? FileAccessPolicies(encoded: policies.encoded)) == policies,
            "the policies have changed"
        )
    }
    return 0
}
