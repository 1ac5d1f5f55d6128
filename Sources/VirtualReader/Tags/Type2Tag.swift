internal import Bytes
internal import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A type 2 tag: MIFARE Ultralight and NTAG21x (facts/pn532.md, 7.4).
public final class Type2Tag: VirtualTag {
    private struct State {
        var memory: Type2Memory
        var uid: Data
        var isAuthenticated = false
        /// The page of a COMPATIBILITY_WRITE whose data comes in the next frame.
        var announcedWrite: Int?
        var hasCounted = false
    }

    /// The chip inside.
    public let chip: Type2Chip
    private let uidSource: TagUID
    private let signature: Data
    private let state: Mutex<State>

    /// A tag as it is delivered.
    ///
    /// - Parameters:
    ///   - kind: the chip.
    ///   - uid: 7 bytes, or random; then the memory holds the default UID.
    ///   - signature: what READ_SIG answers, 32 bytes. Only NXP can make a genuine one.
    /// - Throws: when the UID or the signature has the wrong length.
    public init(
        kind: Type2Chip = .ntag213,
        uid: TagUID = .fixed(Data([0x04, 0xA1, 0xB2, 0xC3, 0xD4, 0xE5, 0x80])),
        signature: Data = Data(count: 32)
    ) throws(VirtualReaderError) {
        try uid.validate()
        guard signature.count == 32 else {
            throw .invalidTag("a signature has 32 bytes, not \(signature.count)")
        }
        var stored = Data([0x04, 0xA1, 0xB2, 0xC3, 0xD4, 0xE5, 0x80])
        if case .fixed(let bytes) = uid {
            guard bytes.count == 7 else {
                throw .invalidTag("\(kind.name) has a UID of 7 bytes, not \(bytes.hex)")
            }
            stored = bytes
        }
        chip = kind
        uidSource = uid
        self.signature = signature
        state = Mutex(State(memory: Type2Memory(kind, uid: stored), uid: uid.next()))
    }

    /// What the tag is.
    public var name: String { chip.name }

    /// All pages as they are inside, password included: `chip.pageCount` times 4 bytes.
    public var memory: Data { state.withLock { $0.memory.bytes } }

    /// Puts bytes into the memory from a page on, whatever the locks. What does not fit is left out.
    ///
    /// NDEF data goes to page 4: a TLV `03 length message FE`.
    public func load(_ bytes: Data, fromPage first: Int = 4) {
        state.withLock { state in
            var rest = Data(bytes)
            for page in max(0, first)..<max(first, chip.pageCount) where !rest.isEmpty {
                let old = state.memory.page(page)
                let part = rest.prefix(4)
                state.memory.setPage(page, to: part + old.dropFirst(part.count))
                rest = Data(rest.dropFirst(4))
            }
        }
    }

    /// UID, ATQA 0044 and SAK 00.
    public var identification: Identification {
        let uid = state.withLock { $0.uid }
        return .typeA(atqa: uid.count == 4 ? 0x0004 : 0x0044, sak: 0x00, uid: uid, ats: nil)
    }

    /// A new session with the tag: no password was given yet.
    public func selected() {
        state.withLock { state in
            state.isAuthenticated = false
            state.announcedWrite = nil
        }
    }

    /// No power: a random UID changes.
    public func fieldLost() {
        selected()
        state.withLock { state in
            state.uid = uidSource.next()
            state.hasCounted = false
        }
    }

    /// Answers one command. What the tag refuses gets a NAK: 0 for a bad argument, 4 for too many wrong passwords.
    public func receive(_ frame: Frame) -> Answer? {
        let command = [UInt8](frame.bytes)
        return state.withLock { state in
            let answer = answer(to: command, &state)
            // After a NAK the tag is idle.
            if let answer, answer.isAcknowledge, answer.bytes != Data([0x0A]) {
                state.isAuthenticated = false
            }
            return answer
        }
    }

    /// The first Ultralight has no NAK for a command that it does not know: it only falls silent.
    private var unknownCommand: Answer? { chip == .ultralight ? nil : Self.refusal }

    private static let acknowledge = Answer(acknowledge: 0x0A, after: .milliseconds(4))
    private static let refusal = Answer(acknowledge: 0x00)

    private func answer(to command: [UInt8], _ state: inout State) -> Answer? {
        if let page = state.announcedWrite {
            state.announcedWrite = nil
            guard command.count == 16 else { return Self.refusal }
            return write(page, Data(command[..<4]), &state)
        }
        switch (command.first, command.count) {
        case (0x30, 2): return read(Int(command[1]), &state)
        case (0xA2, 6): return write(Int(command[1]), Data(command[2...]), &state)
        case (0xA0, 2):
            guard isWritable(Int(command[1]), state) else { return Self.refusal }
            state.announcedWrite = Int(command[1])
            return Answer(acknowledge: 0x0A)
        case (0x60, 1): return chip.version.map { Answer(Data($0)) } ?? unknownCommand
        case (0x3A, 3) where chip.version != nil:
            return fastRead(Int(command[1]), Int(command[2]), &state)
        case (0x3C, 2) where chip.version != nil: return Answer(signature)
        case (0x39, 2): return readCounter(command[1], state)
        case (0xA5, 6): return increment(command[1], by: Data(command[2...4]), &state)
        case (0x3E, 2) where chip.counters == 0...2 && command[1] <= 2:
            return Answer(Data([0xBD]))
        case (0x1B, 5): return checkPassword(Data(command[1...]), &state)
        default: return unknownCommand
        }
    }

    // MARK: - Memory

    /// READ: four pages, going on at page 0 after the last one that may be read.
    private func read(_ first: Int, _ state: inout State) -> Answer {
        let limit = readLimit(state)
        guard first < limit else { return Self.refusal }
        count(&state)
        let pages = (0..<4).map { state.memory.readablePage((first + $0) % limit) }
        return Answer(pages.reduce(Data(), +))
    }

    private func fastRead(_ first: Int, _ last: Int, _ state: inout State) -> Answer {
        guard first <= last, last < readLimit(state) else { return Self.refusal }
        count(&state)
        return Answer((first...last).map { state.memory.readablePage($0) }.reduce(Data(), +))
    }

    /// The first page that may not be read now.
    private func readLimit(_ state: State) -> Int {
        let isProtected = state.memory.access & 0x80 != 0 && !state.isAuthenticated
        let limit = isProtected ? state.memory.firstProtectedPage : chip.readablePages
        return min(limit, chip.readablePages)
    }

    private func isWritable(_ page: Int, _ state: State) -> Bool {
        (2..<chip.pageCount).contains(page)
            && (state.isAuthenticated || page < state.memory.firstProtectedPage)
    }

    private func write(_ page: Int, _ data: Data, _ state: inout State) -> Answer {
        guard isWritable(page, state), state.memory.write(page, data) else { return Self.refusal }
        return Self.acknowledge
    }

    // MARK: - Counters and password

    /// The NFC counter counts the first READ or FAST_READ after power-up, when CFG1 enables it.
    private func count(_ state: inout State) {
        guard chip.countsReads, state.memory.access & 0x10 != 0, !state.hasCounted else { return }
        state.hasCounted = true
        state.memory.counters[2] = min(0xFFFFFF, state.memory.counters[2, default: 0] + 1)
    }

    private func readCounter(_ number: UInt8, _ state: State) -> Answer {
        guard let counters = chip.counters, counters.contains(number),
            !chip.countsReads || state.memory.access & 0x10 != 0,
            state.memory.access & 0x08 == 0 || state.isAuthenticated
        else { return Self.refusal }
        let value = state.memory.counters[number, default: 0]
        // Lowest byte first.
        return Answer(
            Data([
                UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8),
                UInt8(truncatingIfNeeded: value >> 16),
            ]))
    }

    /// INCR_CNT of Ultralight EV1: three bytes, lowest first, and one that is ignored.
    private func increment(_ number: UInt8, by amount: Data, _ state: inout State) -> Answer {
        let value = amount.reversed().reduce(0) { $0 << 8 | Int($1) }
        let sum = state.memory.counters[number, default: 0] + value
        guard chip.counters == 0...2, number <= 2, sum <= 0xFFFFFF else { return Self.refusal }
        state.memory.counters[number] = sum
        return Self.acknowledge
    }

    /// PWD_AUTH. AUTHLIM wrong passwords, if that is not 0, close the tag's protected pages for ever.
    private func checkPassword(_ password: Data, _ state: inout State) -> Answer {
        guard let (expected, acknowledge) = state.memory.password else { return Self.refusal }
        let limit = Int(state.memory.access & 0x07)
        if limit > 0, state.memory.failedPasswords >= limit { return Answer(acknowledge: 0x04) }
        guard password == expected else {
            state.memory.failedPasswords += 1
            return Self.refusal
        }
        state.memory.failedPasswords = 0
        state.isAuthenticated = true
        return Answer(acknowledge)
    }
}
