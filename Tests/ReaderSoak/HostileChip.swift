import Foundation
import NFCReader
import Synchronization
import TestSupport

/// A chip whose frames are well formed and whose answers are anything.
///
/// Most answers to the commands of opening are right, so that it comes past them; every other answer is random bytes of a
/// random length, with the right answer code three times out of four.
struct HostileChip: Sendable {
    private static let openingCommands: Set<UInt8> = [0x00, 0x02, 0x06, 0x08, 0x12, 0x14, 0x32]

    static func make(seed: UInt64) throws -> ScriptedChip {
        let generator = Mutex(Generator(state: seed))
        return try ScriptedChip { command in
            generator.withLock { reply(to: command, &$0) }
        }
    }

    private static func reply(to command: Data, _ generator: inout Generator) -> Data? {
        let code = command.first ?? 0
        if openingCommands.contains(code), Int.random(in: 0..<20, using: &generator) != 0 {
            return nil
        }
        let isRight = Int.random(in: 0..<4, using: &generator) != 0
        let answerCode = isRight ? code &+ 1 : UInt8.random(in: 0...255, using: &generator)
        let limits = [1, 4, 30, 264]
        let limit = limits.randomElement(using: &generator) ?? 4
        let length = Int.random(in: 0...limit, using: &generator)
        var data = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
        // Half of all answers start as real ones do: one target or two, status 0 or MI.
        if !data.isEmpty, Bool.random(using: &generator) {
            let targets = UInt8.random(in: 0...2, using: &generator)
            data[0] = code == 0x4A ? targets : length.isMultiple(of: 2) ? 0x00 : 0x40
        }
        return Data([answerCode] + data)
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
            let chip = try HostileChip.make(seed: UInt64(number) + 1)
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
