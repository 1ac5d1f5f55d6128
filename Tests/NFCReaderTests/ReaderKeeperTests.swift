import Foundation
import NFCReader
import Synchronization
import TestSupport
import Testing
import VirtualReader

/// Each step of recovery over the real libnfc: what it takes to make it necessary, and that it helps.
@Suite(.serialized) struct ReaderKeeperTests {
    /// What a keeper reported.
    private final class Log: Sendable {
        private let entries = Mutex<[RecoveryEvent]>([])

        var events: [RecoveryEvent] { entries.withLock { $0 } }
        var steps: [RecoveryStep] {
            events.compactMap { event in
                guard case .attempted(let step, _, _) = event else { return nil }
                return step
            }
        }
        var isBack: Bool {
            guard case .back? = events.last else { return false }
            return true
        }

        func note(_ event: RecoveryEvent) { entries.withLock { $0.append(event) } }
    }

    private func keeper(
        _ connectionString: String,
        _ log: Log,
        policy: RecoveryPolicy = RecoveryPolicy(),
        onEvent: @escaping @Sendable (RecoveryEvent) -> Void = { _ in }
    ) -> ReaderKeeper {
        // Pauses take no time, and yet pass.
        let time = Mutex(Duration.zero)
        let clock = MonotonicClock(
            now: { time.withLock { $0 } },
            sleep: { duration in
                time.withLock { $0 += duration }
                await Task.yield()
                try Task.checkCancellation()
            }
        )
        return ReaderKeeper(connectionString, policy: policy, clock: clock) { event in
            log.note(event)
            onEvent(event)
        }
    }

    /// Polls until the reader fails.
    private func failure(of reader: Reader) async -> ReaderError? {
        do {
            _ = try await reader.poll(.iso14443a)
            return nil
        } catch {
            return error
        }
    }

    @Test func aLostCommandIsMendedByOneMoreAndNobodyIsAlarmed() async throws {
        let virtual = try VirtualReader()
        defer { virtual.close() }
        let log = Log()
        let keeper = keeper(virtual.connectionString, log)
        let reader = try await keeper.open()
        virtual.faults = Faults(Fault(.swallow, .nth(1)))
        let error = try #require(await failure(of: reader))
        let recovered = try await keeper.recover(from: error)
        #expect(recovered === reader)
        #expect(log.steps == [.resend])
        #expect(log.events.count == 1)
        #expect(keeper.health.losses == 0)
        #expect(keeper.health.steps[.resend]?.successes == 1)
        #expect(keeper.health.failures == [-6: 1])
        await keeper.close()
        #expect(!virtual.isFieldOn)
    }

    @Test func aChipThatMissesACommandMoreIsInitialisedAnew() async throws {
        let virtual = try VirtualReader()
        defer { virtual.close() }
        let log = Log()
        let keeper = keeper(virtual.connectionString, log)
        let reader = try await keeper.open()
        // The poll, and the command after it: RFConfiguration.
        virtual.faults = Faults(Fault(.swallow, .nth(1)), Fault(.swallow, .nth(2)))
        let error = try #require(await failure(of: reader))
        let recovered = try await keeper.recover(from: error)
        #expect(recovered === reader)
        #expect(log.steps == [.resend, .reinitialise])
        // The alarm comes once the gentlest step has failed.
        #expect(log.events.dropFirst().first == .lost(error))
        #expect(log.isBack)
        await keeper.close()
    }

    @Test(
        "a chip that slept or lost its power is woken over the open port",
        arguments: [Fault.Effect.sleep, .brownOut]
    )
    func wakes(effect: Fault.Effect) async throws {
        let virtual = try VirtualReader()
        defer { virtual.close() }
        let log = Log()
        let keeper = keeper(virtual.connectionString, log)
        let reader = try await keeper.open()
        virtual.faults = Faults(Fault(effect, .nth(1)))
        let error = try #require(await failure(of: reader))
        let recovered = try await keeper.recover(from: error)
        #expect(recovered === reader)
        #expect(log.steps == [.resend, .reinitialise])
        virtual.place(try Type2Tag(kind: .ntag213))
        let found = try await recovered.poll(.iso14443a)
        #expect(found.count == 1)
        await keeper.close()
    }

    @Test func aChipThatWasLeftAtAnotherBaudRateIsBroughtBack() async throws {
        let virtual = try VirtualReader()
        defer { virtual.close() }
        let log = Log()
        let keeper = keeper(virtual.connectionString, log)
        let reader = try await keeper.open()
        virtual.faults = Faults(Fault(.baudRate(921_600), .nth(1)))
        let error = try #require(await failure(of: reader))
        let recovered = try await keeper.recover(from: error)
        #expect(log.steps == [.resend, .reinitialise, .reopen, .changeBaudRate])
        let found = try await recovered.poll(.iso14443a)
        #expect(found.isEmpty)
        await keeper.close()
    }

    @Test func aDeviceThatLibNFCGaveUpIsOpenedAgainAtOnce() async throws {
        let virtual = try VirtualReader()
        defer { virtual.close() }
        virtual.place(
            try ISODEPTag(uid: .fixed(hex("04010203040506")), application: Parrot())
        )
        let log = Log()
        let keeper = keeper(virtual.connectionString, log)
        let reader = try await keeper.open()
        let target = try #require(try await reader.poll(.iso14443a).first)
        virtual.faults = Faults(Fault(.status(0x80), .nth(1)))
        await #expect(throws: ReaderError.self) {
            try await reader.exchange(hex("00b0000000"), with: target)
        }
        let error = try #require(await keeper.failure())
        #expect(error == .libraryFault(during: "exchange"))
        let recovered = try await keeper.recover(from: error)
        #expect(log.steps == [.reopen])
        #expect(try await recovered.poll(.iso14443a).count == 1)
        #expect(keeper.health.crashesContained == 1)
        #expect(keeper.health.state == .working)
        await keeper.close()
        #expect(keeper.health.state == .closed)
    }

    @Test func aReplugIsFollowedThroughItsLink() async throws {
        let virtual = try VirtualReader()
        defer { virtual.close() }
        let folder = try TemporaryFolder()
        let link = folder.path + "/reader"
        try virtual.link(at: link)
        let log = Log()
        let plugged = Mutex(false)
        let keeper = keeper("pn532_uart:" + link, log) { event in
            // After the first steps have failed, the reader is plugged in again.
            guard case .attempted(.changeBaudRate, _, _) = event else { return }
            plugged.withLock { isPlugged in
                if !isPlugged { try? virtual.reconnect() }
                isPlugged = true
            }
        }
        let reader = try await keeper.open()
        let firstPath = virtual.path
        virtual.hangUp()
        let error = try #require(await failure(of: reader))
        let recovered = try await keeper.recover(from: error)
        #expect(log.steps.first == .reopen)
        #expect(log.steps.last == .reopen)
        #expect(log.isBack)
        #expect(virtual.path != firstPath || plugged.withLock { $0 })
        #expect(try await recovered.poll(.iso14443a).isEmpty)
        await keeper.close()
    }

    @Test func theConfiguredProgramResetsAChipThatHangs() async throws {
        let virtual = try VirtualReader()
        defer { virtual.close() }
        let folder = try TemporaryFolder()
        var policy = RecoveryPolicy()
        policy.resetProgram = ["touch", folder.path + "/reset line"]
        policy.resetPause = .zero
        let log = Log()
        let keeper = keeper(virtual.connectionString, log, policy: policy) { event in
            // The last step before the program: what hangs is mended by nothing else.
            guard case .attempted(.changeBaudRate, _, _) = event else { return }
            virtual.faults = .none
        }
        let reader = try await keeper.open()
        virtual.faults = .silence
        let error = try #require(await failure(of: reader))
        _ = try await keeper.recover(from: error)
        #expect(
            log.steps == [.resend, .reinitialise, .reopen, .changeBaudRate, .reset]
        )
        #expect(FileManager.default.fileExists(atPath: folder.path + "/reset line"))
        #expect(keeper.health.steps[.reset]?.successes == 1)
        await keeper.close()
    }

    @Test(
        "a reset program that cannot be run or fails is said so",
        arguments: [["false"], ["/no/such/program"]]
    )
    func failingProgram(arguments: [String]) async throws {
        let virtual = try VirtualReader()
        defer { virtual.close() }
        // Gone when the reader is: the number of its pseudo-terminal may soon be another test's.
        let folder = try TemporaryFolder()
        try virtual.link(at: folder.path + "/reader")
        var policy = RecoveryPolicy()
        policy.resetProgram = arguments
        let log = Log()
        let keeper = keeper("pn532_uart:\(folder.path)/reader", log, policy: policy)
        let reader = try await keeper.open()
        virtual.hangUp()
        let error = try #require(await failure(of: reader))
        // Nothing brings the reader back, which only an interruption ends.
        let recovery = Task { try? await keeper.recover(from: error) }
        while !log.steps.contains(.reset) { await Task.yield() }
        keeper.interrupt()
        _ = await recovery.value
        let failures = log.events.compactMap { event -> ReaderError? in
            guard case .attempted(.reset, _, let failure) = event else { return nil }
            return failure
        }
        guard case .cannotOpen(let text)? = failures.first else {
            Issue.record("no failure reported")
            return
        }
        #expect(text.contains(arguments[0]))
        await keeper.close()
    }

    @Test func aReaderThatFailsAgainOnTrialGetsTheNextStep() async throws {
        let virtual = try VirtualReader()
        defer { virtual.close() }
        let log = Log()
        let keeper = keeper(virtual.connectionString, log)
        var reader = try await keeper.open()
        for _ in 0..<3 {
            virtual.faults = Faults(Fault(.swallow, .nth(1)))
            let error = try #require(await failure(of: reader))
            reader = try await keeper.recover(from: error)
        }
        #expect(log.steps == [.resend, .reinitialise, .reopen])
        await keeper.close()
    }

    @Test func anInterruptionEndsRecovery() async throws {
        let virtual = try VirtualReader()
        let log = Log()
        let (events, input) = AsyncStream<Void>.makeStream()
        let keeper = keeper(virtual.connectionString, log) { _ in input.yield() }
        let reader = try await keeper.open()
        virtual.close()
        let error = try #require(await failure(of: reader))
        let recovery = Task { () -> ReaderError? in
            do throws(ReaderError) {
                _ = try await keeper.recover(from: error)
                return nil
            } catch {
                return error
            }
        }
        for await _ in events { break }
        keeper.interrupt()
        let end = await recovery.value
        #expect(end == .interrupted)
        await keeper.close()
    }

    @Test(
        "what is not the reader's fault is not recovered from",
        arguments: [ReaderError.closed, .interrupted]
    )
    func notRecoverable(error: ReaderError) async throws {
        let keeper = ReaderKeeper("pn532_uart:/dev/ttyNONE0")
        await #expect(throws: error) { try await keeper.recover(from: error) }
    }
}
