import Bytes
import CoreNFC
import Synchronization
import TestSupport
import VirtualReader

/// A card application that answers as a test says, and remembers what it was asked.
final class ScriptedCard: CardApplication {
    private let answers: [String: String]
    private let otherwise: String
    private let log = Mutex<[String]>([])

    /// - Parameters:
    ///   - answers: an answer in hexadecimal for each command, in lower case.
    ///   - otherwise: the answer to all other commands.
    init(_ answers: [String: String] = [:], otherwise: String = "6a82") {
        self.answers = answers
        self.otherwise = otherwise
    }

    /// A card with the NFC Forum's type 4 application, which answers each other command with itself and 9000.
    static var type4: ScriptedCard { ScriptedCard([selectType4: "9000"]) }

    static let type4AID = "D2760000850101"
    static let selectType4 = "00a4040007d276000085010100"

    /// The commands that have come, in hexadecimal.
    var commands: [String] { log.withLock { $0 } }

    func respond(to command: Data) -> Data {
        log.withLock { $0.append(command.hex) }
        return hex(answers[command.hex] ?? otherwise)
    }

    func reset() {}
}
