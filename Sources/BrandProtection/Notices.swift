import Bytes

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// What a person should know beside the verdict; none of it changes the verdict.
package enum Notices {
    /// Compares the UID with the certificate's subject, which names it in 14 hexadecimal digits.
    ///
    /// A UID is no secret and can be imitated, so this shows a careless copy, not a careful one;
    /// what binds the certificate to the tag is the private key (facts/nbt.md, 3.5 row 2).
    package static func uid(_ uid: Data, subject: String?) -> String? {
        if uid.count == 4, uid.first == 0x08 {
            return "The tag shows a random UID, so it was not compared with the certificate."
        }
        guard uid.count == 7 else {
            return "The UID \(uid.hex) has \(uid.count) bytes, so it was not compared with the "
                + "certificate, which names one of 7."
        }
        guard let subject, let named = Data(hex: subject), named.count == 7 else {
            return "The certificate names no UID, so it was not compared."
        }
        guard named == uid else {
            return
                "The certificate was issued for the UID \(named.hex), but the tag shows \(uid.hex)."
        }
        return nil
    }

    /// Warns of an anchor whose keys are published.
    package static func sample(_ anchor: TrustAnchor) -> String? {
        guard anchor.isSample else { return nil }
        return "\(anchor.name) is Infineon's sample CA: the key of its sample tag is published, so "
            + "anybody can imitate this tag."
    }

    /// Shows the addresses on the tag, which nothing vouches for; of many, the first three.
    package static func uris(_ uris: [String]) -> [String] {
        var notices = uris.prefix(3).map {
            "The tag also carries an address that is not verified and was not opened: "
                + printable($0)
        }
        if uris.count > 3 { notices.append("The tag carries \(uris.count - 3) more addresses.") }
        return notices
    }
}
