import BrandProtection
import Foundation
import TestSupport
import Testing

/// facts/nbt.md, 3.3 and vectors 130 and 131.
@Suite struct CertificateTests {
    @Test("the sample device certificate reads as the fact sheet has it", .needsSampleFiles)
    func sampleDevice() throws {
        let certificate = try SharedFiles.sampleDevice
        #expect(certificate.der.count == 640)
        #expect(
            certificate.fingerprint
                == hex("95D82F920BA7332B7701EA3809EA38760FF70EF79B3B37B3221809425EF0BC7B")
        )
        #expect(certificate.subjectCommonName == "058C3FD9D4B200")
        #expect(certificate.serial == "08000002")
        #expect(certificate.notBefore == moment("2022-08-01T00:00:00Z"))
        #expect(certificate.notAfter == moment("2042-07-30T23:59:59Z"))
        #expect(certificate.hasP256Key)
        #expect(!certificate.isCA)
        #expect(certificate.allowsDigitalSignature)
        // The point of vector 130, behind the header of a named P-256 key.
        #expect(
            certificate.subjectPublicKeyInfo
                == hex("3059301306072A8648CE3D020106082A8648CE3D030107034200")
                + hex("0423A7862B6496B494CE880BA3D2A303C3E735CBEE54106222D67C26EC49AC0E17")
                + hex("537057AD57054BFAC7B5E644DF7E4CB8E01052BDC6D146F0EF66F897C3942806")
        )
    }

    @Test("the manufacturing CAs read as the fact sheet has them", .needsSampleFiles)
    func authorities() throws {
        let sample = try SharedFiles.sampleCA
        #expect(
            sample.subjectCommonName == "NFC bridge & CL tag devices TEST manufacturing CA 100"
        )
        #expect(sample.serial == "12345678")
        #expect(sample.notAfter == moment("2047-07-30T23:59:59Z"))
        let production = try SharedFiles.productionCA
        // Its name has the common name last, and its dates are UTCTime.
        #expect(production.subjectCommonName == "NFC bridge & CL tag devices manufacturing CA")
        #expect(production.serial == "54F6665E")
        #expect(production.notBefore == moment("2024-03-21T10:32:02Z"))
        #expect(production.notAfter == moment("2049-03-21T10:32:02Z"))
        #expect(
            production.fingerprint
                == hex("1937CDD5F48AA06BE29CB5902A731A7C87D925F776401DE31DE64E8DBF263A5A")
        )
        for authority in [sample, production] {
            #expect(authority.isCA)
            #expect(!authority.hasP256Key)
            #expect(!authority.allowsDigitalSignature)
        }
    }

    @Test("the sample device is the sample CA's and nobody else's", .needsSampleFiles)
    func chain() throws {
        let device = try SharedFiles.sampleDevice
        #expect(device.problem(issuedBy: try SharedFiles.sampleCA) == nil)
        #expect(
            device.problem(issuedBy: try SharedFiles.productionCA)
                == "unable to get local issuer certificate"
        )
        #expect(device.problem(issuedBy: device) == nil)
        #expect(try SharedFiles.sampleCA.problem(issuedBy: device) != nil)
    }

    @Test("a signature is checked over SHA-256 of the challenge", .needsSampleFiles)
    func signature() throws {
        let certificate = try SharedFiles.sampleDevice
        let challenge = hex("0102030405060708")
        let good = hex(
            """
            3044022027AC2106A2923AAD37827B4C8378F49421D47880D51CB627BE280C0E3D9E6BBE\
            02200B48D993C748AF1F80DC3267C370418DD70ADF418AF68E0E0722252B7FEA7F05
            """
        )
        func isValid(_ signature: Data, _ challenge: Data) throws -> Bool {
            certificate.isSignature(
                try #require(ECDSASignature(der: signature)),
                of: challenge
            )
        }
        #expect(try isValid(good, challenge))
        var changedR = good
        changedR[10] ^= 1
        var changedS = good
        changedS[50] ^= 1
        #expect(try !isValid(changedR, challenge))
        #expect(try !isValid(changedS, challenge))
        #expect(try !isValid(good, challenge + [0]))
        #expect(try !isValid(good, Data()))
        // r = s = 0, and r = s = n: well-formed, out of range.
        let order = "00FFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551"
        #expect(try !isValid(hex("3006020100020100"), challenge))
        #expect(try !isValid(hex("30460221" + order + "0221" + order), challenge))
    }

    @Test("a certificate of the openssl program is read")
    func made() throws {
        let issued = try TestAuthority().issue(subject: "05AABBCCDDEEFF")
        let certificate = try issued.certificate
        #expect(certificate.der == issued.der)
        #expect(certificate.subjectCommonName == "05AABBCCDDEEFF")
        #expect(certificate.serial == "08000002")
        #expect(certificate.notAfter.timeIntervalSince(certificate.notBefore) == 3650 * 86_400)
    }

    @Test("a certificate cut anywhere is refused")
    func truncated() throws {
        let der = try TestAuthority().issue().der
        for count in 0..<der.count {
            #expect(throws: BrandProtectionError.self) {
                try Certificate(der: der.prefix(count))
            }
        }
    }

    @Test("bytes after the certificate are refused")
    func trailing() throws {
        let der = try TestAuthority().issue().der
        #expect(throws: BrandProtectionError.malformedCertificate("1 bytes follow it")) {
            try Certificate(der: der + [0])
        }
        #expect(throws: BrandProtectionError.self) { try Certificate(der: der + der) }
    }

    @Test("a length in more bytes than needed is refused, as DER demands")
    func notDER() throws {
        let der = try TestAuthority().issue().der
        // 30 82 hh ll -> 30 83 00 hh ll
        #expect(der.prefix(2) == hex("3082"))
        let longer = hex("308300") + der.dropFirst(2)
        #expect(
            throws: BrandProtectionError.malformedCertificate(
                "it is not in the one form that DER allows"
            )
        ) {
            try Certificate(der: longer)
        }
    }

    @Test("sizes are bounded on both sides", arguments: [0, 4095, 100_000])
    func size(count: Int) {
        #expect(
            throws: BrandProtectionError.malformedCertificate(
                "it has \(count) bytes, at most 4094 are possible"
            )
        ) {
            try Certificate(der: Data(repeating: 0x30, count: count))
        }
    }

    @Test(
        "what is no certificate is refused",
        arguments: ["30", "3000", "0500", "30820280", "FFFFFFFF", "3080000000000000"]
    )
    func garbage(text: String) {
        #expect(throws: BrandProtectionError.self) { try Certificate(der: hex(text)) }
    }

    @Test("a slice of a larger buffer is read by its own bytes")
    func slice() throws {
        let der = try TestAuthority().issue().der
        let buffer = Data(count: 7) + der + Data(count: 3)
        let certificate = try Certificate(der: buffer[7..<(7 + der.count)])
        #expect(certificate.der == der)
        #expect(certificate.der.startIndex == 0)
    }
}
