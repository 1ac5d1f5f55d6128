// brand-protection ANCHORS [READER]: verifies one product with an OPTIGA Authenticate NBT. ANCHORS is a PEM file with the
// CA certificates that may vouch for a tag. READER is a connection string such as pn532_uart:/dev/ttyUSB0; without it
// NFC_SESSION_READER counts, or the reader that libnfc is configured for.
// Exit status: 0 genuine, 1 not genuine, 2 wrong usage, 3 no tag, or one that could not be read.

import BrandProtection
import CoreNFC
import NFCSession

func say(_ text: String) {
    FileHandle.standardError.write(Data("brand-protection: \(text)\n".utf8))
}

func fail(_ text: String, _ status: Int32 = 2) -> Never {
    say(text)
    exit(status)
}

/// Why a session ended, and what the reader said to it.
func reason(_ error: any Error) -> String {
    let cause = (error as NSError).userInfo[NSUnderlyingErrorKey]
    return error.localizedDescription + (cause.map { ": \($0)" } ?? "")
}

let arguments = Array(CommandLine.arguments.dropFirst())
guard (1...2).contains(arguments.count), !arguments[0].hasPrefix("-") else {
    fail("usage: brand-protection ANCHORS [READER]")
}

// What iOS knows of an app and of the phone, and the certificates of its bundle.
let verifier: ProductVerifier
do {
    var configuration = try NFCSessionConfiguration.load()
    configuration.iso7816SelectIdentifiers = ["D2760000850101"]
    if arguments.count == 2 { configuration.reader = arguments[1] }
    // The user interface below shows the manager's message.
    configuration.presenter = .none
    verifier = ProductVerifier(
        sessionManager: NFCSessionManager(configuration: configuration),
        anchors: try TrustAnchors(pemFiles: [arguments[0]])
    )
} catch {
    fail("\(error)")
}

// The Cancel button. The field is off when the session has ended.
signal(SIGINT, SIG_IGN)
let cancelButton = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
cancelButton.setEventHandler { [manager = verifier.sessionManager] in manager.invalidate() }
cancelButton.activate()

// The view: what an iPhone's screen takes from @Published properties.
let view = Task { [manager = verifier.sessionManager] in
    var shown = ""
    for await update in manager.updates() where update.message != shown {
        switch update.state {
        case .waiting, .connected:
            shown = update.message
            say(shown)
        case .idle, .ended: break
        }
    }
}

do {
    let result = try await verifier.verifyProduct()
    let words = [result.verdict.rawValue, result.uid.map { String(format: "%02x", $0) }.joined()]
    print((words + [result.detail ?? result.anchor ?? ""]).joined(separator: "  "))
    for notice in result.notices { say(notice) }
    switch result.verdict {
    case .genuine: exit(0)
    case .notGenuine: exit(1)
    case .unreadable: exit(3)
    }
} catch {
    fail(reason(error), 3)
}
