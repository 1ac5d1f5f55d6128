import Foundation
import TestSupport
import Testing
import VirtualReader

/// Real host software as the judge of the virtual reader, unchanged. Each test is skipped where its tool is absent.
@Suite struct PeerTests {
    @Test(.enabled(if: Process.find("nfc-list") != nil, "nfc-list is not installed (libnfc-bin)"))
    func nfcListReadsAnNTAG() async throws {
        let reader = try VirtualReader()
        reader.place(try Type2Tag(kind: .ntag213))
        let result = try await Process.run(
            "/usr/bin/nfc-list", ["-v"], environment: ["LIBNFC_DEVICE": reader.connectionString])
        print(result.standardOutput, result.standardError)
        #expect(result.status == 0)
    }
}
