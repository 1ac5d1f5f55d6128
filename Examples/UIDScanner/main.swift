// uid-scanner [READER]: prints the UID of one MIFARE or NTAG tag. READER is a connection string such as
// pn532_uart:/dev/ttyUSB0; without it NFC_SESSION_READER counts, or the reader that libnfc is configured for.
// Exit status: 0 a UID, 1 none, 2 wrong usage.

import CoreNFC

func say(_ text: String) {
    FileHandle.standardError.write(Data("uid-scanner: \(text)\n".utf8))
}

/// Why a session ended, and what the reader said to it.
func reason(_ error: Error) -> String {
    let cause = (error as NSError).userInfo[NSUnderlyingErrorKey]
    return error.localizedDescription + (cause.map { ": \($0)" } ?? "")
}

let arguments = CommandLine.arguments.dropFirst()
guard arguments.count <= 1, arguments.first?.hasPrefix("-") != true else {
    say("usage: uid-scanner [READER]")
    exit(2)
}

// What iOS knows of an app and of the phone.
do {
    var configuration = try NFCSessionConfiguration.load()
    if let reader = arguments.first { configuration.reader = reader }
    // The sheet. How the session ended is said below.
    configuration.presenter = .closure { presentation in
        if case .opened(let message) = presentation { say(message) }
    }
    NFCSessionConfiguration.shared = configuration
} catch {
    say("\(error)")
    exit(2)
}

let scanner = UIDScanner()
var status: Int32 = 1
scanner.onNFCFoundCallback = { uid in
    print(uid)
    status = 0
}
scanner.onEnd = { error in
    if status != 0 { say(scanner.problem.isEmpty ? reason(error) : scanner.problem) }
    exit(status)
}

// The Cancel button. The field is off when the session has ended.
signal(SIGINT, SIG_IGN)
let cancelButton = DispatchSource.makeSignalSource(signal: SIGINT, queue: .main)
cancelButton.setEventHandler { scanner.session?.invalidate() }
cancelButton.activate()

scanner.captureNFC()
dispatchMain()
