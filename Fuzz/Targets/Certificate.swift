import BrandProtection
import Foundation

/// Any bytes are refused as a certificate or keep their DER.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let input = Data(UnsafeBufferPointer(start: bytes, count: count))
    if let certificate = try? Certificate(der: input) {
        precondition(certificate.der == input, "the certificate has changed")
    }
    return 0
}
