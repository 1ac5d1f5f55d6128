import Dispatch
import Foundation
import Glibc
import NFCReader
import Synchronization

/// A chip whose frames are well formed and whose answers are anything: what libnfc and this package make of it.
///
/// Most answers to the commands of opening are right, so that it comes past them; every other answer is random bytes of a
/// random length, with the right answer code three times out of four.
final class HostileChip: Sendable {
    let path: String
    private let master: Int32
    private let slave: Int32
    private let seed: UInt64
    private let isClosing = Atomic(false)
    private let hasEnded = DispatchSemaphore(value: 0)

    init(seed: UInt64) throws {
        var settings = termios()
        cfmakeraw(&settings)
        settings.c_cflag |= tcflag_t(CREAD | CLOCAL)
        cfsetspeed(&settings, speed_t(B115200))
        var (master, slave): (Int32, Int32) = (-1, -1)
        guard openpty(&master, &slave, nil, &settings, nil) == 0, let name = ttyname(slave) else {
            throw SoakFailure("no pseudo-terminal: \(String(cString: strerror(errno)))")
        }
        (self.master, self.slave, self.seed) = (master, slave, seed)
        path = String(cString: name)
        _ = fcntl(master, F_SETFD, FD_CLOEXEC)
        _ = fcntl(slave, F_SETFD, FD_CLOEXEC)
        Thread.detachNewThread { [self] in answer() }
    }

    /// Ends the chip's thread and takes the port away.
    func close() {
        isClosing.store(true, ordering: .relaxed)
        hasEnded.wait()
        Glibc.close(slave)
        Glibc.close(master)
    }

    private func answer() {
        var generator = Generator(state: seed)
        var bytes: [UInt8] = []
        while !isClosing.load(ordering: .relaxed) {
            var state = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
            guard poll(&state, 1, 20) == 1 else { continue }
            var buffer = [UInt8](repeating: 0, count: 1024)
            let count = read(master, &buffer, buffer.count)
            guard count > 0 else { continue }
            bytes += buffer[..<count]
            while let command = Self.nextCommand(in: &bytes) {
                let reply = Self.frame(Self.reply(to: command, &generator))
                let output = [0x00, 0x00, 0xFF, 0x00, 0xFF, 0x00] + reply
                _ = write(master, output, output.count)
            }
        }
        hasEnded.signal()
    }

    /// Takes the next command's code and parameters out of the host's bytes.
    private static func nextCommand(in bytes: inout [UInt8]) -> [UInt8]? {
        var index = 0
        while index + 3 <= bytes.count {
            guard bytes[index...].starts(with: [0x00, 0xFF]) else {
                index += 1
                continue
            }
            var (start, length) = (index + 4, Int(bytes[index + 2]))
            // An extended frame: FF FF, two bytes of length and their checksum (facts/pn532.md, 1).
            if length == 0xFF, bytes.count >= index + 7, bytes[index + 3] == 0xFF {
                (start, length) = (index + 7, Int(bytes[index + 4]) << 8 | Int(bytes[index + 5]))
            }
            guard length > 1 else {
                // ACK.
                index += 4
                continue
            }
            guard bytes.count >= start + length + 1 else { break }
            let body = Array(bytes[start + 1..<start + length])
            bytes.removeFirst(start + length + 1)
            return body
        }
        return nil
    }

    /// The body of an answer: its code and data.
    private static func reply(to command: [UInt8], _ generator: inout Generator) -> [UInt8] {
        let code = command.first ?? 0
        if Int.random(in: 0..<20, using: &generator) != 0 {
            switch code {
            case 0x00: return [0x01] + command.dropFirst()
            case 0x02: return [0x03, 0x32, 0x01, 0x06, 0x07]
            case 0x06: return [0x07] + [UInt8](repeating: 0, count: max(1, (command.count - 1) / 2))
            case 0x08, 0x12, 0x14, 0x32: return [code + 1]
            default: break
            }
        }
        let isRight = Int.random(in: 0..<4, using: &generator) != 0
        let answerCode = isRight ? code &+ 1 : UInt8.random(in: 0...255, using: &generator)
        let limits = [1, 4, 30, 264, 300]
        let limit = limits.randomElement(using: &generator) ?? 4
        let length = Int.random(in: 0...limit, using: &generator)
        var data = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
        // Half of all answers to exchanges and polls start as real ones do: status 0 or MI, one target.
        if !data.isEmpty, Bool.random(using: &generator) {
            data[0] =
                code == 0x4A
                ? UInt8.random(in: 0...2, using: &generator) : [0x00, 0x40][length % 2]
        }
        return [answerCode] + data
    }

    private static func frame(_ reply: [UInt8]) -> [UInt8] {
        let body = [0xD5] + reply
        let sum = body.reduce(UInt8(0)) { $0 &+ $1 }
        let (high, low) = (UInt8(body.count >> 8), UInt8(body.count & 0xFF))
        let length =
            body.count < 0xFF ? [low, 0 &- low] : [0xFF, 0xFF, high, low, 0 &- (high &+ low)]
        return [0x00, 0x00, 0xFF] + length + body + [0 &- sum, 0x00]
    }
}

/// A reader on a hostile chip, over and over: every call ends with a result or an error, and the process lives.
struct HostileRun {
    let chips: Int
    /// Calls on each chip, unless the device is given up before.
    private static let calls = 40

    func run() async throws -> Bool {
        var (results, errors): (Int, [String: Int]) = (0, [:])
        var slowest = Duration.zero
        var before = Resources.now
        for number in 0..<chips {
            // What the process needs once, as threads of Dispatch, is there after the first chip.
            if number == 1 { before = await Resources.steady }
            let chip = try HostileChip(seed: UInt64(number) + 1)
            defer { chip.close() }
            guard let reader = try? await Reader.open("pn532_uart:" + chip.path, tries: 1) else {
                errors["open", default: 0] += 1
                continue
            }
            for call in 0..<Self.calls {
                let start = ContinuousClock.now
                do throws(ReaderError) {
                    try await Self.call(call, reader)
                    results += 1
                } catch {
                    errors[Self.name(error), default: 0] += 1
                }
                slowest = max(slowest, start.duration(to: .now))
            }
            await reader.close()
        }
        let after = await Resources.settled(at: before)
        let counts = errors.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }
        print(
            """
            {"chips":\(chips),"results":\(results),\(counts.joined(separator: ",")),\
            "slowestMilliseconds":\(slowest.milliseconds),\
            "threadsBefore":\(before.threads),"threadsAfter":\(after.threads),\
            "descriptorsBefore":\(before.descriptors),"descriptorsAfter":\(after.descriptors)}
            """
        )
        return results > 0 && after.descriptors <= before.descriptors
            && after.threads <= before.threads
    }

    private static func call(_ number: Int, _ reader: Reader) async throws(ReaderError) {
        let target = Target.typeA(
            TypeATarget(
                atqa: 0x0344,
                sak: 0x20,
                uid: Data([4, 1, 2, 3, 4, 5, 6]),
                ats: Data([0x75, 0x77, 0x81, 0x02])
            )
        )
        switch number % 6 {
        case 0: _ = try await reader.poll(.iso14443a, maximum: 2)
        case 1: _ = try await reader.poll(.iso14443b)
        case 2: _ = try await reader.poll(.felica)
        case 3: _ = try await reader.exchange(Data([0, 0xB0, 0, 0, 0]), with: target)
        case 4: _ = try await reader.exchangeRaw(Data([0x30, 0x00]))
        default: _ = try await reader.isPresent(target)
        }
    }

    private static func name(_ error: ReaderError) -> String {
        switch error {
        case .failed: "failed"
        case .libraryFault: "libraryFault"
        case .malformedAnswer: "malformedAnswer"
        case .tagLost, .tagError: "tag"
        default: "other"
        }
    }
}
