import BrandProtection
import Testing

@Suite struct LeafPolicyTests {
    static let authority = Result { try TestAuthority() }

    private func violations(
        extensions: String = TestAuthority.tagExtensions,
        curve: String = "P-256"
    ) throws -> [String] {
        let certificate = try Self.authority.get()
            .issue(extensions: extensions, curve: curve).certificate
        return LeafPolicy.all.compactMap { $0.violation(certificate) }
    }

    @Test("a tag's certificate violates nothing")
    func tag() throws {
        #expect(try violations() == [])
        // The basic constraints may be missing: that means no CA.
        #expect(try violations(extensions: "keyUsage=digitalSignature\n") == [])
    }

    @Test("keys other than on P-256 are refused", arguments: ["P-384", "secp256k1", "RSA"])
    func keys(curve: String) throws {
        #expect(try violations(curve: curve) == ["has no key on P-256"])
    }

    @Test(
        "a CA is refused, also one whose key usage would not let it sign certificates",
        arguments: ["digitalSignature,keyCertSign", "digitalSignature"]
    )
    func authority(usage: String) throws {
        let extensions = "basicConstraints=CA:TRUE\nkeyUsage=\(usage)\n"
        #expect(try violations(extensions: extensions) == ["belongs to a certificate authority"])
    }

    @Test(
        "a key that is not for signatures is refused, also without key usage",
        arguments: [
            "basicConstraints=critical,CA:FALSE\n",
            "basicConstraints=critical,CA:FALSE\nkeyUsage=critical,keyAgreement\n",
        ]
    )
    func usage(extensions: String) throws {
        #expect(try violations(extensions: extensions) == ["is not for digital signatures"])
    }
}
