import Bytes
import Foundation
import Synchronization
import TestSupport
import VirtualReader

/// A tag that remembers each command it answered and what it held then, and acknowledges or refuses commands that a test
/// names.
final class RecordingTag: VirtualTag {
    private let tag: any VirtualTag
    private let content: @Sendable () -> Data
    private let acknowledges: [String: UInt8]
    private let log = Mutex<[Step]>([])

    /// A command, and the memory after it.
    struct Step: Sendable {
        let command: String
        let memory: Data
    }

    /// - Parameters:
    ///   - tag: answers all other commands.
    ///   - acknowledges: 4 bits to answer by, `A` or a NAK, for what a command begins with, in lower case.
    init(_ tag: Type2Tag, acknowledges: [String: UInt8] = [:]) {
        self.tag = tag
        self.acknowledges = acknowledges
        content = { tag.memory }
    }

    init(_ tag: FeliCaTag) {
        self.tag = tag
        acknowledges = [:]
        content = { tag.memory?.bytes ?? Data() }
    }

    /// What has come since this was last asked.
    func takeSteps() -> [Step] {
        log.withLock { log in
            defer { log = [] }
            return log
        }
    }

    var name: String { tag.name }
    var identification: Identification { tag.identification }
    func selected() { tag.selected() }
    func fieldLost() { tag.fieldLost() }

    func receive(_ frame: Frame) -> Answer? {
        let command = frame.bytes.hex
        let nibble = acknowledges.first { command.hasPrefix($0.key) }?.value
        let answer = nibble.map { Answer(acknowledge: $0) } ?? tag.receive(frame)
        log.withLock { $0.append(Step(command: command, memory: content())) }
        return answer
    }
}

/// A type 4 tag that remembers each command it answered and what it held then.
final class RecordingCard: CardApplication {
    private let card: Type4Application
    private let log = Mutex<[RecordingTag.Step]>([])

    init(_ card: Type4Application) {
        self.card = card
    }

    /// What has come since this was last asked, with the NDEF file after it.
    func takeSteps() -> [RecordingTag.Step] {
        log.withLock { log in
            defer { log = [] }
            return log
        }
    }

    func respond(to command: Data) -> Data {
        let answer = card.respond(to: command)
        log.withLock { $0.append(RecordingTag.Step(command: command.hex, memory: card.ndefFile)) }
        return answer
    }

    func reset() { card.reset() }
}
