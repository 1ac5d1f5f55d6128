import Bytes
import Foundation
import Synchronization
import TestSupport
import VirtualReader

/// A tag that remembers each command it answered and what it held then.
final class RecordingTag: VirtualTag {
    private let tag: any VirtualTag
    private let content: @Sendable () -> Data
    private let log = Mutex<[Step]>([])

    /// A command, and the memory after it.
    struct Step: Sendable {
        let command: String
        let memory: Data
    }

    init(_ tag: Type2Tag) {
        self.tag = tag
        content = { tag.memory }
    }

    init(_ tag: FeliCaTag) {
        self.tag = tag
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
        let answer = tag.receive(frame)
        log.withLock { $0.append(Step(command: frame.bytes.hex, memory: content())) }
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
