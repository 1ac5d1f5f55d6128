import Foundation
import NDEF

/// Any bytes are refused as a message or survive the way through records and back, whole and in chunks; the same holds for
/// what its records mean.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let input = Data(UnsafeBufferPointer(start: bytes, count: count))
    _ = try? NDEFMessage(ndefFile: input)
    guard let message = try? NDEFMessage(encoded: input) else { return 0 }
    let chunkSize = Int(input.last ?? 0) + 1
    for encoded in [message.encoded, message.encoded(chunkSize: chunkSize)] {
        precondition((try? NDEFMessage(encoded: encoded)) == message, "the message has changed")
    }
    for record in message.records {
        guard let content = try? RecordContent(record), let again = try? content.record else {
            continue
        }
        precondition((try? RecordContent(again)) == content, "the record means something else")
    }
    return 0
}
