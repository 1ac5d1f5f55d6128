import COpenSSL

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// COTT, the one-time token in the URL of the NDEF message (facts/nbt.md, 4.5).
extension NBTDevice {
    /// 44 characters of base64url.
    static let tokenLength = 44

    /// A fresh token for this selection of the NDEF file; nil when the chip has no link key.
    ///
    /// It stays the same until the next SELECT, because the file is read in pieces.
    func freshToken() -> Data? {
        guard settings.replacesToken, let linkKey else { return nil }
        var random = SystemRandomNumberGenerator()
        let number = Data((0..<8).map { _ in UInt8.random(in: 0...255, using: &random) })
        return Self.token(key: linkKey, uid: uid, random: number)
    }

    /// Header 0001, UID (7), random (8), and the AES-128-CMAC (16) over them, as base64url.
    ///
    /// - Returns: nil unless key, UID and random number have 16, 7 and 8 bytes.
    static func token(key: Data, uid: Data, random: Data) -> Data? {
        guard uid.count == 7, random.count == 8 else { return nil }
        let message = Data([0x00, 0x01]) + uid + random
        guard let mac = aesCMAC(key: key, message: message) else { return nil }
        let base64 = (message + mac).base64EncodedData()
        return Data(
            base64.map { character in
                switch character {
                case UInt8(ascii: "+"): UInt8(ascii: "-")
                case UInt8(ascii: "/"): UInt8(ascii: "_")
                default: character
                }
            }
        )
    }

    /// The file's bytes with the token after `cott=`; unchanged when there is no place for it.
    func replacingToken(in bytes: Data, by token: Data) -> Data {
        guard let mark = bytes.firstRange(of: Data("cott=".utf8)),
            mark.upperBound + Self.tokenLength <= bytes.endIndex
        else { return bytes }
        var bytes = bytes
        bytes.replaceSubrange(mark.upperBound..<mark.upperBound + Self.tokenLength, with: token)
        return bytes
    }

    private static func aesCMAC(key: Data, message: Data) -> Data? {
        guard key.count == 16, let algorithm = EVP_MAC_fetch(nil, "CMAC", nil) else { return nil }
        defer { EVP_MAC_free(algorithm) }
        let context = EVP_MAC_CTX_new(algorithm)
        defer { EVP_MAC_CTX_free(context) }
        var mac = [UInt8](repeating: 0, count: 16)
        var length = 0
        // OSSL_PARAM keeps both pointers, so name and value must live until EVP_MAC_init has returned.
        var cipher = Array("AES-128-CBC".utf8CString)
        let succeeded = "cipher".withCString { name in
            cipher.withUnsafeMutableBufferPointer { value in
                let parameters = [
                    OSSL_PARAM_construct_utf8_string(name, value.baseAddress, 0),
                    OSSL_PARAM_construct_end(),
                ]
                return EVP_MAC_init(context, [UInt8](key), key.count, parameters) == 1
            }
        }
        guard succeeded,
            EVP_MAC_update(context, [UInt8](message), message.count) == 1,
            EVP_MAC_final(context, &mac, &length, mac.count) == 1, length == mac.count
        else { return nil }
        return Data(mac)
    }
}
