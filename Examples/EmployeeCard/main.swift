// employee-card INFO-PLIST [READER]: prints what an employee's card holds. INFO-PLIST is the app's property list, with the
// card's application identifier. READER is a connection string such as pn532_uart:/dev/ttyUSB0; without it
// NFC_SESSION_READER counts, or the reader that libnfc is configured for. The PIN is asked for on a terminal, else the
// first line of standard input: arguments would show it to everybody on the machine.
// Exit status: 0 read, 1 not read, 2 wrong usage.

import CoreNFC

func say(_ text: String) {
    FileHandle.standardError.write(Data("employee-card: \(text)\n".utf8))
}

func fail(_ text: String) -> Never {
    say(text)
    exit(2)
}

/// Why a session ended, and what the reader said to it.
func reason(_ error: Error) -> String {
    let cause = (error as NSError).userInfo[NSUnderlyingErrorKey]
    return error.localizedDescription + (cause.map { ": \($0)" } ?? "")
}

func readPIN() -> String? {
    guard isatty(STDIN_FILENO) == 1 else { return readLine() }
    return getpass("PIN: ").map { String(cString: $0) }
}

/// What an iPhone's sheet shows: the alert message, when it changes.
///
/// How the session ended is said below.
final class Sheet: NFCSessionPresenter, @unchecked Sendable {
    // Unchecked: presenters are called on one queue, one call after the other.
    private var shown = ""

    func present(_ presentation: NFCSessionPresentation) {
        switch presentation {
        case .opened(let message), .changed(let message):
            if message != shown { say(message) }
            shown = message
        case .closed: break
        }
    }
}

let arguments = Array(CommandLine.arguments.dropFirst())
guard (1...2).contains(arguments.count), !arguments[0].hasPrefix("-") else {
    fail("usage: employee-card INFO-PLIST [READER] < file with the PIN")
}

// What iOS knows of an app and of the phone.
do {
    let infoPlist = URL(fileURLWithPath: arguments[0])
    var configuration = try NFCSessionConfiguration.load(infoPlist: infoPlist)
    if configuration.iso7816SelectIdentifiers.isEmpty {
        fail("\(arguments[0]) is not there, or lists no application identifier")
    }
    if arguments.count == 2 { configuration.reader = arguments[1] }
    configuration.presenter = Sheet()
    NFCSessionConfiguration.shared = configuration
} catch {
    fail("\(error)")
}

guard let pin = readPIN(), let cardReader = EmployeeCardReader(pin: pin) else {
    fail("the first line of standard input must be a PIN of 1 to 16 characters")
}
cardReader.onEnd = { error in
    if let content = cardReader.content {
        print(content)
        exit(0)
    }
    say(cardReader.problem.isEmpty ? reason(error) : cardReader.problem)
    exit(1)
}

// The Cancel button. The field is off when the session has ended.
signal(SIGINT, SIG_IGN)
let cancelButton = DispatchSource.makeSignalSource(signal: SIGINT, queue: .main)
cancelButton.setEventHandler { cardReader.session?.invalidate() }
cancelButton.activate()

cardReader.scanStart()
dispatchMain()
