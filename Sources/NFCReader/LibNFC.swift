import CLibNFC
import CNFCGuard
import Dispatch
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

import Glibc

/// The process's one libnfc context.
///
/// libnfc keeps its drivers in a global list that `nfc_exit` of any context frees (facts/libnfc.md, 2), so there is
/// one context, made when first needed and never given back.
enum LibNFC {
    // Proof for the unchecked Sendable: the pointer is never changed, and libnfc only reads the context after
    // nfc_init.
    private struct Context: @unchecked Sendable {
        let pointer: OpaquePointer?
    }

    private static let context: Context = {
        // Before nfc_init, which reads them: quiet unless the user asked for a log, and never a scan of its own,
        // which would open foreign devices (facts/libnfc.md, 2.3).
        setenv("LIBNFC_LOG_LEVEL", "0", 0)
        setenv("LIBNFC_AUTO_SCAN", "false", 1)
        setenv("LIBNFC_INTRUSIVE_SCAN", "false", 1)
        var pointer: OpaquePointer?
        nfc_init(&pointer)
        return Context(pointer: pointer)
    }()

    /// The connection strings that `LIBNFC_DEVICE`, `LIBNFC_DEFAULT_DEVICE` and libnfc's configuration files name,
    /// in libnfc's order; none of them is opened unless its file marks it optional (`nfc_list_devices`).
    static func configuredDevices() -> [String] {
        guard let context = context.pointer else { return [] }
        let limit = 8
        let size = Int(NFC_BUFSIZE_CONNSTRING)
        return withUnsafeTemporaryAllocation(of: nfc_connstring.self, capacity: limit) { strings in
            let count = nfc_list_devices(context, strings.baseAddress, limit)
            let bytes = UnsafeRawBufferPointer(strings)
            return (0..<min(count, limit)).map { index in
                let string = bytes[index * size..<(index + 1) * size].prefix { $0 != 0 }
                return String(decoding: string, as: UTF8.self)
            }
            // An empty LIBNFC_DEVICE counts as a device for libnfc.
            .filter { !$0.isEmpty }
        }
    }

    /// libnfc's version: "1.8.0".
    static var version: String { String(cString: nfc_version()) }

    fileprivate static func open(_ connectionString: String) throws(ReaderError) -> OpaquePointer {
        guard let context = context.pointer else {
            throw .cannotOpen("libnfc has no memory for its context")
        }
        var aborted: Int32 = 0
        let device = nfc_guard_open(context, connectionString, &aborted)
        guard aborted == 0 else { throw .libraryFault(during: "open") }
        guard let device else {
            throw .notResponding(
                """
                no PN53x answers at \(connectionString): check power, wiring (RX and TX crossed), the board's \
                mode switches (HSU) and the baud rate
                """
            )
        }
        return device
    }
}

/// An open libnfc device: the owner of an `nfc_device *`.
///
/// All methods but `interrupt()` are called on the reader's thread only.
final class LibNFCDevice: Sendable {
    // Proof for the unchecked Sendable: libnfc's calls on the pointer come from the reader's thread, except
    // nfc_abort_command, which may come from any thread (facts/libnfc.md, 2 and 4) and is called with the state
    // locked, so that the device is not closed meanwhile.
    private struct Handle: @unchecked Sendable {
        let pointer: OpaquePointer
    }

    private struct State: Sendable {
        var handle: Handle?
        /// Counts calls, so that an abort meets the call it was meant for.
        var call = 0
        var isCalling = false
        var isInterrupted = false
        /// An abort was sent to the call that runs.
        var isAborting = false
        var wasAborted = false
        var isBroken = false
        var vitals = DeviceVitals()
    }

    /// How many aborts of this process met no waiting receive.
    ///
    /// Each costs a descriptor for good, which libnfc forgets (facts/libnfc.md, 2.2).
    static let lostAborts = Atomic(0)

    private let state: Mutex<State>
    /// How the USB drivers count: they wait 200 ms less than they are told (facts/libnfc.md, 6).
    private let timeoutSurplus: Int32

    /// Opens the device and brings it into initiator mode with finite selects, about 100 ms.
    init(_ connectionString: ConnectionString) throws(ReaderError) {
        let pointer = try LibNFC.open(connectionString.text)
        let result = nfc_guard_initiate(pointer)
        guard result == 0 else {
            nfc_guard_close(pointer)
            switch result {
            case NFC_GUARD_ABORTED: throw .libraryFault(during: "initialisation")
            case NFC_GUARD_HALF_OPEN:
                throw .notResponding("the chip answers only in part: switch its power off and on")
            default: throw .failed(code: result, during: "initialisation")
            }
        }
        state = Mutex(State(handle: Handle(pointer: pointer)))
        timeoutSurplus = connectionString.isUSB ? 200 : 0
    }

    /// Sends a chip command (without D4) and returns the chip's answer (without D5 and code).
    ///
    /// - Parameters:
    ///   - command: the command code and its parameters, at most 264 bytes.
    ///   - answerLimit: room for the answer, in bytes; an answer in several parts counts as one.
    ///   - timeout: how long the host waits for each part of the answer, 250 ms to 5 s.
    ///   - purpose: what the command is for, in the words of an error message.
    /// - Returns: the answer's data, for exchanges from the status byte on.
    /// - Throws: the reader's errors, `tagLost` or `tagError` for a status byte that is not 0, `answerTooLong`,
    ///   `interrupted`.
    func transceive(
        _ command: Data,
        answerLimit: Int,
        timeout: Duration,
        purpose: String
    ) throws(ReaderError) -> Data {
        let handle = try beginCall()
        defer { endCall() }
        let start = ContinuousClock.now
        // One byte more than asked, and zeros: libnfc reads the status byte of an answer that has none.
        var answer = Data(count: answerLimit + 1)
        let milliseconds = min(max(timeout.milliseconds, 250), 5000) + timeoutSurplus
        let result = answer.withUnsafeMutableBytes { room in
            command.withUnsafeBytes { bytes in
                nfc_guard_transceive(
                    handle.pointer,
                    bytes.baseAddress,
                    bytes.count,
                    room.baseAddress,
                    answerLimit,
                    milliseconds
                )
            }
        }
        guard result >= 0 else {
            let error = failure(
                result,
                statusByte: answer.first ?? 0,
                answerLimit,
                purpose: purpose
            )
            state.withLock { $0.vitals.note(error, of: start) }
            throw error
        }
        state.withLock { $0.vitals.noteAnswer(to: command.first) }
        return answer.prefix(Int(result))
    }

    /// What the device's calls have met so far.
    var vitals: DeviceVitals { state.withLock { $0.vitals } }

    /// Brings the chip into initiator mode with finite selects once more, as `init` does: about 15 ms.
    ///
    /// - Throws: the reader's errors.
    func initiate() throws(ReaderError) {
        let handle = try beginCall()
        defer { endCall() }
        let start = ContinuousClock.now
        let result = nfc_guard_initiate(handle.pointer)
        guard result < 0 else { return }
        let error = failure(result, statusByte: 0, 0, purpose: "initialisation")
        state.withLock { $0.vitals.note(error, of: start) }
        throw error
    }

    /// Ends the call that runs, if one does, and makes all later ones fail, from any thread.
    ///
    /// libnfc loses an abort that does not meet a waiting receive, and a descriptor with it (facts/libnfc.md, 2.2
    /// and 4). So a call gets 100 ms to end by itself, as every poll does; after that it surely waits for a tag.
    func interrupt() {
        let call = state.withLock { state -> Int? in
            state.isInterrupted = true
            return state.isCalling ? state.call : nil
        }
        guard let call else { return }
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(100)) { [self] in
            state.withLock { state in
                // A second abort of the same call would meet no receive any more.
                guard state.isCalling, state.call == call, !state.isAborting,
                    let handle = state.handle
                else { return }
                state.isAborting = nfc_abort_command(handle.pointer) == 0
            }
        }
    }

    /// Switches the field off, puts the chip to sleep and frees the device.
    ///
    /// Quick on a port that hung up, up to
    /// 350 ms on a silent one.
    func close() {
        let (handle, wasAborted) = state.withLock { state in
            defer { state.handle = nil }
            return (state.handle, state.wasAborted)
        }
        guard let handle else { return }
        // A chip that was told to abort may lose the next command (facts/libnfc.md, 4).
        if wasAborted { usleep(10_000) }
        // libnfc stops closing when an answer to its first command is lost, and leaves the field on.
        for _ in 0..<2 where switchOff(handle) { break }
        nfc_guard_close(handle.pointer)
    }

    private func switchOff(_ handle: Handle) -> Bool {
        var answer = [UInt8](repeating: 0, count: 264)
        return nfc_guard_transceive(
            handle.pointer,
            [0x32, 0x01, 0x00],
            3,
            &answer,
            answer.count,
            250
        ) >= 0
    }

    private func beginCall() throws(ReaderError) -> Handle {
        let begun = state.withLock { state -> Result<Handle, ReaderError> in
            guard let handle = state.handle else { return .failure(.closed) }
            guard !state.isInterrupted else { return .failure(.interrupted) }
            guard !state.isBroken else { return .failure(.libraryFault(during: "an earlier call")) }
            state.call += 1
            state.isCalling = true
            return .success(handle)
        }
        return try begun.get()
    }

    private func endCall() {
        let isLost = state.withLock { state in
            state.isCalling = false
            defer { state.isAborting = false }
            return state.isAborting && !state.wasAborted
        }
        if isLost { Self.lostAborts.wrappingAdd(1, ordering: .relaxed) }
    }

    /// The one place that turns libnfc's codes into errors (facts/libnfc.md, 9).
    private func failure(
        _ code: Int32,
        statusByte: UInt8,
        _ answerLimit: Int,
        purpose: String
    ) -> ReaderError {
        switch code {
        case NFC_GUARD_ABORTED:
            state.withLock { $0.isBroken = true }
            return .libraryFault(during: purpose)
        case NFC_GUARD_MALFORMED:
            return .malformedAnswer(during: purpose)
        case NFC_EOPABORTED:
            state.withLock { $0.wasAborted = true }
            return .interrupted
        case NFC_EINVARG, NFC_ERFTRANS, NFC_ETGRELEASED, NFC_EMFCAUTHFAIL, NFC_ECHIP:
            let status = statusByte & 0x3F
            guard status == 0 else { return ReaderError(chipStatus: status) }
            // Bit 6: the answer goes on (MI), past what there is room for beside the status byte.
            return statusByte & 0x40 != 0
                ? .answerTooLong(limit: answerLimit - 1) : .failed(code: code, during: purpose)
        default:
            return .failed(code: code, during: purpose)
        }
    }
}

extension ReaderError {
    /// The error of a status byte that is not 0 (facts/pn532.md, 4).
    init(chipStatus status: UInt8) {
        switch status {
        // Silence; no such target; released; disappeared.
        case 0x01, 0x27, 0x29, 0x2B: self = .tagLost
        default: self = .tagError(status: status)
        }
    }
}

extension Duration {
    /// Whole milliseconds, rounded down, at most what libnfc's timers take.
    fileprivate var milliseconds: Int32 {
        let (seconds, attoseconds) = components
        return Int32(clamping: seconds &* 1000 &+ attoseconds / 1_000_000_000_000_000)
    }
}
