import BrandProtection
import NFCSession
import TestSupport
import Testing

@testable import nfc_session

/// The screen of facts/nbt.md, 3.4.
@Suite struct HomeViewTests {
    private func lines(
        _ state: BrandVerificationSession.State,
        columns: Int = 80,
        color: Bool = false
    ) -> [String] {
        HomeView(state: state, isVirtualAnchor: false) { color ? $1($0) : $0 }
            .lines(columns: columns)
    }

    private func result(_ reason: BrandVerification.Reason) -> BrandVerification {
        BrandVerification(uid: hex("058c3fd9d4b200"), reason: reason)
    }

    @Test("Title and prompt stand on every screen")
    func title() {
        for state in [.waiting, .verifying(uid: hex("04")), .finished(result(.expired))]
            as [BrandVerificationSession.State]
        {
            let lines = lines(state)
            #expect(lines.prefix(2) == ["NBT Brand Protection", "OPTIGA™ Authenticate NBT"])
            #expect(lines.joined(separator: " ").contains("to verify its authenticity!"))
        }
    }

    @Test("Each state has its text")
    func status() {
        #expect(lines(.waiting).last == "○  Waiting for a tag ...")
        #expect(lines(.verifying(uid: hex("04"))).last == "◌  The product is being verified ...")
        let failed = lines(.finished(result(.signatureMismatch)))
        #expect(failed.contains("●  Could not be verified!"))
        #expect(failed.contains("   UID: 058c3fd9d4b200"))
    }

    @Test("Orange is for what is not genuine, not for what could not be read")
    func colors() {
        // E16B25 (facts/nbt.md, 3.4).
        let orange = "\u{1B}[1;38;2;225;107;37m"
        let copy = lines(.finished(result(.signatureMismatch)), color: true)
        #expect(copy.contains { $0.contains(orange) })
        let lost = lines(.finished(result(.tagLost)), color: true)
        #expect(!lost.contains { $0.contains(orange) })
    }

    @Test("No line is wider than the terminal", arguments: [40, 60, 80, 200])
    func width(columns: Int) {
        for reason in BrandVerification.Reason.allCases {
            for line in lines(.finished(result(reason)), columns: columns) {
                #expect(line.count <= columns)
            }
        }
    }
}
