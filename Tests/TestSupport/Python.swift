import Foundation

/// The Python whose packages judge this one.
package enum Python {
    /// An interpreter that has nfcpy, and with it ndeflib; nil when there is none.
    ///
    /// The one named by `NFC_SESSION_PYTHON`, the one that `make deps` puts into `.build/nfcpy`, or `python3`.
    package static let withNfcpy: String? = {
        let root = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let candidates: [String?] = [
            ProcessInfo.processInfo.environment["NFC_SESSION_PYTHON"],
            root.appendingPathComponent(".build/nfcpy/bin/python").path,
            Process.find("python3"),
        ]
        return candidates.compactMap(\.self).first { candidate in
            let process = Process()
            process.executableURL = URL(fileURLWithPath: candidate)
            process.arguments = ["-c", "import nfc.clf.pn532, ndef"]
            process.standardError = FileHandle.nullDevice
            guard (try? process.run()) != nil else { return false }
            process.waitUntilExit()
            return process.terminationStatus == 0
        }
    }()
}
