import Foundation
import NFCReader
import NFCSession
import VirtualReader

/// One fault in one state, on a reader of its own.
struct MatrixCell {
    private let fault: MatrixFault
    private let state: FaultMatrix.State

    init(_ fault: MatrixFault, _ state: FaultMatrix.State) {
        (self.fault, self.state) = (fault, state)
    }

    func run() async -> FaultMatrix.Outcome {
        do {
            switch state {
            case .opening: return try await opening()
            case .idle, .detecting, .connected: return try await monitoring()
            case .exchange: return try await ExchangeCell(fault).run()
            case .closing: return try await closing()
            }
        } catch {
            return .bad("cannot run: \(error)")
        }
    }

    /// A tag with an ATS, so that faults of exchanges strike its presence checks.
    private func tag(_ uid: [UInt8]) throws -> ISODEPTag {
        try ISODEPTag(uid: .fixed(Data(uid)), application: Type4Application())
    }

    // MARK: States

    private func opening() async throws -> FaultMatrix.Outcome {
        let desk = try Desk()
        desk.reader.place(try tag(Self.first))
        fault.strike(desk.reader)
        let start = ContinuousClock.now
        desk.start()
        let wanted = [Desk.Event.detected(Self.firstUID), .ended(hasFailed: true), .lost]
        let event = await desk.wait(for: wanted, within: FaultMatrix.limit)
        return await conclude(desk, event, start.duration(to: .now), nextUID: Self.firstUID)
    }

    private func monitoring() async throws -> FaultMatrix.Outcome {
        let desk = try Desk()
        let (resting, next) = (try tag(Self.first), try tag(Self.second))
        if state == .connected { desk.reader.place(resting) }
        desk.start()
        if state == .connected {
            let came = await desk.wait(for: [.detected(Self.firstUID)], within: .seconds(10))
            guard came != nil else { return .bad("no tag at first") }
        } else {
            try await waitForPolls(desk.reader)
        }
        let start = ContinuousClock.now
        fault.strike(desk.reader)
        // Faults of commands are to strike before the tag comes, when the reader is idle.
        if state == .idle { try await Task.sleep(for: .milliseconds(150)) }
        if state == .connected {
            desk.reader.swap(resting, for: next)
        } else {
            desk.reader.place(next)
        }
        let wanted = [Desk.Event.detected(Self.secondUID), .lost]
        let event = await desk.wait(for: wanted, within: FaultMatrix.limit)
        return await conclude(desk, event, start.duration(to: .now), nextUID: Self.secondUID)
    }

    private func closing() async throws -> FaultMatrix.Outcome {
        let desk = try Desk()
        desk.reader.place(try tag(Self.first))
        desk.start()
        let came = await desk.wait(for: [.detected(Self.firstUID)], within: .seconds(10))
        guard came != nil else { return .bad("no tag at first") }
        fault.strike(desk.reader)
        let start = ContinuousClock.now
        desk.cancel()
        let end = await desk.wait(for: [.ended(hasFailed: false)], within: FaultMatrix.limit)
        let time = start.duration(to: .now)
        guard end != nil else { return .bad("not closed") }
        // The port is free again, and the reader as good as before.
        fault.mend(desk.reader)
        let isUsable = await startsAgain(desk)
        await finish(desk)
        return isUsable
            ? FaultMatrix.Outcome(text: "closed \(time.milliseconds)", answer: time)
            : .bad("unusable after")
    }

    // MARK: Outcomes

    private func conclude(
        _ desk: Desk,
        _ event: Desk.Event?,
        _ time: Duration,
        nextUID: String
    ) async -> FaultMatrix.Outcome {
        guard let event else {
            await finish(desk)
            return .bad("STUCK")
        }
        if case .detected = event {
            await finish(desk)
            return FaultMatrix.Outcome(text: "\(time.milliseconds)", answer: time)
        }
        // Reported. Now it is mended, and everything must go on by itself, or after one more start if it never began.
        if fault.isLasting { fault.mend(desk.reader) }
        let mended = ContinuousClock.now
        let word = event == .lost ? "lost" : "failed"
        let isBack =
            event == .lost
            ? await desk.wait(for: [.detected(nextUID)], within: .seconds(10)) != nil
            : await startsAgain(desk)
        let back = mended.duration(to: .now)
        await finish(desk)
        guard isBack else { return .bad("\(word) \(time.milliseconds), NOT BACK") }
        return FaultMatrix.Outcome(
            text: "\(word) \(time.milliseconds)+\(back.milliseconds)",
            answer: time
        )
    }

    /// Whether a new monitor finds the first tag; a port that is not there yet is given 5 s.
    private func startsAgain(_ desk: Desk) async -> Bool {
        for _ in 0..<10 {
            desk.start()
            let event = await desk.wait(
                for: [.detected(Self.firstUID), .ended(hasFailed: true)],
                within: .seconds(10)
            )
            if event == .detected(Self.firstUID) { return true }
            try? await Task.sleep(for: .milliseconds(500))
        }
        return false
    }

    private func finish(_ desk: Desk) async {
        fault.mend(desk.reader)
        desk.cancel()
        _ = await desk.wait(
            for: [.ended(hasFailed: false), .ended(hasFailed: true)],
            within: .seconds(10)
        )
    }

    private func waitForPolls(_ reader: VirtualReader) async throws {
        while reader.statistics.commands[0x4A, default: 0] < 2 {
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    private static let first: [UInt8] = [0x04, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06]
    private static let firstUID = "04010203040506"
    private static let second: [UInt8] = [0x04, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16]
    private static let secondUID = "04111213141516"
}
