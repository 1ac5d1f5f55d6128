import BrandProtection
import Testing

@Suite struct ReasonTests {
    @Test("each reason has its verdict")
    func verdicts() {
        let unreadable: Set<BrandVerification.Reason> = [
            .tagLost, .refused, .protocolError, .clockNotSet, .readerFailed,
        ]
        for reason in BrandVerification.Reason.allCases {
            #expect(reason.verdict == (unreadable.contains(reason) ? .unreadable : .notGenuine))
            #expect(reason.explanation.hasSuffix("."))
        }
    }

    @Test("the words of the JSON output stay as they are")
    func words() {
        #expect(
            BrandVerification.Reason.allCases.map(\.rawValue) == [
                "untrusted", "expired", "notYetValid", "noCertificate", "severalCertificates",
                "malformedCertificate", "unsuitableCertificate", "signatureMismatch", "refused",
                "tagLost", "notPersonalised", "clockNotSet", "protocolError", "readerFailed",
            ]
        )
        #expect(BrandVerification.Verdict.genuine.rawValue == "genuine")
        #expect(BrandVerification.Verdict.notGenuine.rawValue == "notGenuine")
        #expect(BrandVerification.Verdict.unreadable.rawValue == "unreadable")
    }
}
