import Bytes
import Synchronization

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

import Glibc

/// One PN53x reader, opened through libnfc and used by one thread of its own.
///
/// libnfc blocks and is not thread safe, so the actor's executor is a dedicated thread, and libnfc is called
/// nowhere else. Commands go to the chip through `pn53x_transceive`: it lists two targets at once, shows the chip's
/// status byte, and leaves decoding to us (see the CNFCGuard module).
package actor Reader {
    /// The libnfc connection string the reader was opened with.
    package nonisolated let connectionString: String
    /// What one exchange may carry.
    package nonisolated let limits: ExchangeLimits
    nonisolated let driver: ConnectionString.Driver
    private nonisolated let thread: ReaderThread
    nonisolated let device: LibNFCDevice
    private(set) var lock: PortLock?
    /// Whether the chip must be told to look for a CRC again, because it was not to and has not heard of the end of that.
    private var mustRestoreCRC = false

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        thread.asUnownedSerialExecutor()
    }

    /// Opens the reader, or says why not.
    ///
    /// Takes about 100 ms; a silent port is given up after about 1.5 s a try.
    ///
    /// - Parameters:
    ///   - connectionString: the reader.
    ///   - tries: 2 for a serial adapter whose first bytes come late (facts/libnfc.md, 11) and a chip that was
    ///     left in the middle of something.
    /// - Returns: the reader, with its field on.
    /// - Throws: `invalidConnectionString`, `cannotOpen`, `inUse`, `notResponding` or `libraryFault`.
    package static func open(
        _ connectionString: String,
        tries: Int = 2
    ) async throws(ReaderError) -> Reader {
        let parsed = try ConnectionString(connectionString)
        let thread = try ReaderThread()
        return try await Opening(thread: thread).open(parsed, tries: tries)
    }

    fileprivate init(
        _ string: ConnectionString,
        thread: ReaderThread,
        device: LibNFCDevice,
        lock: PortLock?
    ) {
        connectionString = string.text
        driver = string.driver
        limits = string.limits
        self.thread = thread
        self.device = device
        self.lock = lock
    }

    deinit {
        // Closing may take 350 ms on a silent port, so the reader's own thread does it, as its last work.
        let (device, lock) = (device, lock)
        thread.stop {
            device.close()
            // The port stays locked until the device is closed.
            withExtendedLifetime(lock) {}
        }
    }

    /// The chip and its firmware: "PN532 1.6" (GetFirmwareVersion; facts/pn532.md).
    package func firmware() throws(ReaderError) -> String {
        let purpose = "firmware version"
        let answer = try device.transceive(
            Data([0x02]),
            answerLimit: 264,
            timeout: .milliseconds(250),
            purpose: purpose
        )
        var reader = ByteReader(answer)
        do throws(EndOfBytes) {
            // A PN531 says no more than its version.
            let chip = answer.count < 4 ? "PN531" : "PN5" + (try reader.byte()).hex
            return "\(chip) \(try reader.byte()).\(try reader.byte())"
        } catch {
            throw .malformedAnswer(during: purpose)
        }
    }

    // MARK: Finding tags

    /// Looks for tags once: one chip command, 10 to 35 ms when the field is empty.
    ///
    /// A tag that speaks ISO-DEP comes back activated and ignores later polls until the field is cycled.
    ///
    /// - Parameters:
    ///   - technology: what to look for.
    ///   - maximum: 1, or 2 to have the chip look for a second type A tag.
    ///   - systemCode: the FeliCa system code to ask for, 0xFFFF for any.
    /// - Returns: none, one or two targets. The last of two is the active one; exchanging with the other makes
    ///   the chip select it again.
    /// - Throws: the reader's errors only; an empty field is no error.
    package func poll(
        _ technology: Technology,
        maximum: UInt8 = 1,
        systemCode: UInt16 = 0xFFFF
    ) throws(ReaderError) -> [Target] {
        let parameters: [UInt8] =
            switch technology {
            case .iso14443a: [maximum, 0x00]
            case .iso14443b: [0x01, 0x03, 0x00]
            case .felica:
                [
                    0x01, 0x01, 0x00, UInt8(truncatingIfNeeded: systemCode >> 8),
                    UInt8(truncatingIfNeeded: systemCode), 0x01, 0x00,
                ]
            }
        return try list(Data(parameters), technology: technology)
    }

    /// Selects the type A tag with this UID, wherever two are in the field or one went idle after a NAK.
    ///
    /// - Returns: the tag, or nil when it does not answer. One chip command.
    package func select(uid: Data) throws(ReaderError) -> Target? {
        var parameters = Data([0x01, 0x00])
        // Each cascade level but the last starts with a cascade tag (ISO 14443-3, 6.5.4).
        var rest = uid
        while rest.count > 4 {
            parameters.append(0x88)
            parameters += rest.prefix(3)
            rest = rest.dropFirst(3)
        }
        parameters += rest
        return try list(parameters, technology: .iso14443a).first { $0.identifier == uid }
    }

    /// Asks the tag the reader last activated whether it is still there, without disturbing it.
    ///
    /// ISO-DEP tags get an R(NAK), which every one answers; other tags are polled for again. One chip command. An
    /// answer that arrived garbled counts as presence: nobody else could have sent it.
    package func isPresent(_ target: Target) throws(ReaderError) -> Bool {
        switch target {
        case .typeA(let tag) where target.isISODEP && tag.ats != nil: try answersRNAK(Data([0xB2]))
        // The chip gave a type B tag the card identifier 1.
        case .typeB where target.isISODEP: try answersRNAK(Data([0xBA, 0x01]))
        case .typeA(let tag): try select(uid: tag.uid) != nil
        case .typeB, .feliCa:
            try poll(target.technology).contains { $0.identifier == target.identifier }
        }
    }

    /// Switches the field off, waits 10 ms and switches it on: every tag starts anew.
    ///
    /// Two chip commands.
    package func cycleField() throws(ReaderError) {
        try setField(on: false)
        // ISO 14443-3 has a tag without power reset within 5 ms.
        usleep(10_000)
        try setField(on: true)
        // Nor may it be asked anything in the first 5 ms of a new field.
        usleep(5_000)
    }

    // MARK: Exchanging data

    /// Sends `command` in the framing of the tag's protocol and returns the answer: an APDU to an ISO-DEP tag,
    /// a MIFARE command to another type A tag, a FeliCa frame (length byte first).
    ///
    /// A command to an ISO-DEP tag goes in several parts if it must, up to `limits.command`. When one of them fails, the
    /// chip lets the tag go: the tag would take the next command for the rest of this one. It is lost then, until it
    /// is found anew.
    ///
    /// - Throws: `commandTooLong` before anything is sent; `tagLost` on silence; `tagError` with the status;
    ///   `answerTooLong`; the reader's errors. What a chip makes of the next command when the rest of an answer was not
    ///   fetched, because it was too long or a part of it malformed, is not documented: the virtual PN532 carries it
    ///   out, which no hardware has confirmed.
    package func exchange(
        _ command: Data,
        with target: Target,
        timeout: Duration = .seconds(4)
    ) throws(ReaderError) -> Data {
        let limit = target.isISODEP ? limits.command : limits.part
        guard command.count <= limit else {
            throw .commandTooLong(size: command.count, limit: limit)
        }
        guard command.count > limits.part else {
            return try exchange(Data([0x40, target.number]) + command, timeout: timeout)
        }
        do throws(ReaderError) {
            var rest = command
            while rest.count > limits.part {
                try sendPart(rest.prefix(limits.part), to: target, timeout: timeout)
                rest = rest.dropFirst(limits.part)
            }
            return try exchange(Data([0x40, target.number]) + rest, timeout: timeout)
        } catch .answerTooLong(let limit) {
            // The command has arrived.
            throw .answerTooLong(limit: limit)
        } catch {
            release(target)
            throw error
        }
    }

    /// Sends `command` as it is to the active tag (the chip adds and checks the CRC) and returns the answer.
    package func exchangeRaw(_ command: Data, timeout: Duration = .milliseconds(500))
        throws(ReaderError) -> Data
    {
        guard command.count <= limits.part else {
            throw .commandTooLong(size: command.count, limit: limits.part)
        }
        return try exchange(Data([0x42]) + command, timeout: timeout)
    }

    /// Sends `command` as it is to the active type A tag, which answers by an acknowledgement of 4 bits.
    ///
    /// The chip takes these for a frame with a wrong CRC unless it is told not to look for one (facts/pn532.md, 3.4).
    /// Three chip commands. When the last of them fails twice, the tag's answer still counts, and the chip is told before
    /// the next exchange.
    ///
    /// - Returns: one byte, `0A`.
    /// - Throws: `tagError` with status 13, as for the MIFARE commands that the chip knows, when the tag refuses.
    package func exchangeForAcknowledge(_ command: Data) throws(ReaderError) -> Data {
        defer { restoreReceivedCRC() }
        try setReceivedCRC(checked: false)
        mustRestoreCRC = false
        let answer = try exchangeRaw(command)
        guard answer == Data([0x0A]) else { throw .tagError(status: 0x13) }
        return answer
    }

    // MARK: Ending

    /// How many interrupts of this process came at a moment at which libnfc loses them, and a descriptor with each.
    ///
    /// It takes a machine so busy that the chip's ACK is not read within 100 ms.
    package static var lostInterrupts: Int {
        LibNFCDevice.lostAborts.load(ordering: .relaxed)
    }

    /// Ends whatever the reader is doing and makes every later call but `close` throw `interrupted`.
    ///
    /// Callable from any thread; a call that waits for a tag returns within about 150 ms.
    package nonisolated func interrupt() {
        device.interrupt()
    }

    /// Switches the field off and closes the device.
    ///
    /// Harmless when called again.
    package func close() {
        device.close()
        lock = nil
    }

    // MARK: Chip commands

    private func list(_ parameters: Data, technology: Technology) throws(ReaderError) -> [Target] {
        let purpose = "poll"
        let answer = try device.transceive(
            Data([0x4A]) + parameters,
            answerLimit: 264,
            timeout: .milliseconds(250),
            purpose: purpose
        )
        do throws(EndOfBytes) {
            return try Target.list(answer, technology: technology)
        } catch {
            throw .malformedAnswer(during: purpose)
        }
    }

    private func answersRNAK(_ block: Data) throws(ReaderError) -> Bool {
        do throws(ReaderError) {
            _ = try exchangeRaw(block, timeout: .milliseconds(300))
            return true
        } catch .tagLost {
            return false
        } catch .tagError {
            return true
        }
    }

    /// Sets CIU_RxMode (6303) to type A at 106 kbit/s, with bit 7 as wanted (facts/pn532.md, 5).
    private func setReceivedCRC(checked: Bool) throws(ReaderError) {
        _ = try device.transceive(
            Data([0x08, 0x63, 0x03, checked ? 0x80 : 0x00]),
            answerLimit: 264,
            timeout: .milliseconds(250),
            purpose: "register access"
        )
    }

    private func restoreReceivedCRC() {
        mustRestoreCRC = true
        for _ in 0..<2 where mustRestoreCRC {
            mustRestoreCRC = (try? setReceivedCRC(checked: true)) == nil
        }
    }

    func setField(on: Bool) throws(ReaderError) {
        _ = try device.transceive(
            Data([0x32, 0x01, on ? 0x01 : 0x00]),
            answerLimit: 264,
            timeout: .milliseconds(250),
            purpose: on ? "field on" : "field off"
        )
    }

    private func exchange(_ command: Data, timeout: Duration) throws(ReaderError) -> Data {
        if mustRestoreCRC {
            try setReceivedCRC(checked: true)
            mustRestoreCRC = false
        }
        let purpose = "exchange"
        let answer = try device.transceive(
            command,
            answerLimit: limits.answer + 1,
            timeout: timeout,
            purpose: purpose
        )
        guard let status = answer.first else { throw .malformedAnswer(during: purpose) }
        guard status & 0x3F == 0 else { throw ReaderError(chipStatus: status & 0x3F) }
        // libnfc looks at bit 7 (NAD) of an answer's first part only, and has collected what bit 6 announces.
        guard status == 0 else { throw .malformedAnswer(during: purpose) }
        return Data(answer.dropFirst())
    }

    /// Sends a part of a command that is not the last: the target's number with bit 6 (MI) set, which the chip answers
    /// without data (facts/pn532.md, 3.4).
    private func sendPart(_ part: Data, to target: Target, timeout: Duration) throws(ReaderError) {
        let command = Data([0x40, target.number | 0x40]) + part
        guard try exchange(command, timeout: timeout).isEmpty else {
            throw .malformedAnswer(during: "exchange")
        }
    }

    /// Has the chip deselect a tag and forget it (InRelease), so that whatever comes next cannot reach it.
    private func release(_ target: Target) {
        // A second try in case the first one is lost on the wire. A reader that fails twice fails at the next call too.
        for _ in 0..<2 {
            let answer = try? device.transceive(
                Data([0x52, target.number]),
                answerLimit: 264,
                timeout: .milliseconds(250),
                purpose: "release"
            )
            if answer != nil { break }
        }
    }
}

/// Opens a device on the thread that its reader will use.
private actor Opening {
    private nonisolated let thread: ReaderThread

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init(thread: ReaderThread) {
        self.thread = thread
    }

    func open(_ string: ConnectionString, tries: Int) throws(ReaderError) -> Reader {
        do throws(ReaderError) {
            Descriptors.holdStandardOnes()
            try Descriptors.checkRoom()
            var lock: PortLock?
            if let path = string.path { lock = try PortLock(path) }
            let device = try device(string, tries: tries)
            return Reader(string, thread: thread, device: device, lock: lock)
        } catch {
            thread.stop {}
            throw error
        }
    }

    private func device(
        _ string: ConnectionString,
        tries: Int
    ) throws(ReaderError) -> LibNFCDevice {
        for _ in 1..<max(tries, 1) {
            if let device = try? LibNFCDevice(string) { return device }
        }
        return try LibNFCDevice(string)
    }
}
