import APDU
import Foundation

/// Any bytes are refused as an answer, or give back data and status word; and so for a command, whose encoding may be
/// another one of the same length or shorter.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let input = Data(UnsafeBufferPointer(start: bytes, count: count))
    if let response = try? ResponseAPDU(encoded: input) {
        precondition(response.data.count == count - 2, "data is missing")
        precondition(response.data == input.prefix(count - 2), "the data has changed")
        _ = "\(response.statusWord)"
    }
    if let command = try? CommandAPDU(encoded: input) {
        precondition((try? CommandAPDU(encoded: command.encoded)) == command, "it has changed")
    }
    return 0
}
