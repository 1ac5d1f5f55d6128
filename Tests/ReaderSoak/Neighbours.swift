import Foundation
import VirtualReader

/// Two readers in one process, one of which is unplugged over and over: what the other's users notice of it.
struct Neighbours {
    /// The other reader's tap latency must stay within this share of what it is alone (issue D, It must show).
    static let tolerance = 0.1
    private static let period = Duration.milliseconds(100)
    private static let uid: [UInt8] = [0x04, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06]

    let taps: Int

    /// Prints the medians; true when they are close.
    func run() async throws -> Bool {
        let desk = try Desk(timing: .real, period: Self.period)
        let neighbour = try Desk(timing: .real, period: Self.period)
        desk.start()
        neighbour.start()
        let tag = try Type2Tag(kind: .ntag213, uid: .fixed(Data(Self.uid)))
        var (alone, beside): ([Duration], [Duration]) = ([], [])
        var deaths = 0
        // Blocks by turns, so that a machine that gets slower does so for both.
        let block = 20
        for _ in 0..<max(1, taps / block) {
            alone += try await latencies(block, tag, on: desk)
            let killer = dyingOverAndOver(neighbour.reader)
            beside += try await latencies(block, tag, on: desk)
            killer.cancel()
            deaths += await killer.value
        }
        for one in [desk, neighbour] {
            one.cancel()
            _ = await one.wait(for: [.ended(hasFailed: false)], within: .seconds(10))
        }
        return conclude(alone, beside, deaths)
    }

    private func conclude(_ alone: [Duration], _ beside: [Duration], _ deaths: Int) -> Bool {
        let (one, other) = (median(alone), median(beside))
        let change = other / one - 1
        print(
            """
            tap latency alone: median \(one) ms, beside a dying reader: median \(other) ms (\(deaths) deaths)
            {"taps":\(alone.count + beside.count),"deaths":\(deaths),"medianAlone":\(one),"medianBeside":\(other),\
            "change":\(change)}
            """
        )
        return abs(change) <= Self.tolerance && deaths > 0
    }

    /// The time from placing the tag to its report, for moments spread evenly over the poll period.
    private func latencies(
        _ count: Int,
        _ tag: Type2Tag,
        on desk: Desk
    ) async throws -> [Duration] {
        var all: [Duration] = []
        for number in 0..<count {
            try await Task.sleep(for: Self.period * number / count)
            let start = ContinuousClock.now
            desk.reader.place(tag)
            guard await desk.wait(for: [.detected("04010203040506")], within: .seconds(10)) != nil
            else { throw SoakFailure("a tap was lost") }
            all.append(start.duration(to: .now))
            desk.reader.remove(tag)
            guard await desk.wait(for: [.removed("04010203040506")], within: .seconds(10)) != nil
            else { throw SoakFailure("a removal was lost") }
        }
        return all
    }

    /// Unplugs the reader every half second, for 200 ms; the task's value is how often.
    private func dyingOverAndOver(_ reader: VirtualReader) -> Task<Int, Never> {
        Task {
            var deaths = 0
            while !Task.isCancelled {
                reader.hangUp()
                deaths += 1
                try? await Task.sleep(for: .milliseconds(200))
                try? reader.reconnect()
                try? await Task.sleep(for: .milliseconds(300))
            }
            return deaths
        }
    }

    /// In milliseconds.
    private func median(_ durations: [Duration]) -> Double {
        let sorted = durations.sorted()
        return sorted.isEmpty ? .nan : sorted[sorted.count / 2] / .milliseconds(1)
    }
}

/// Why a run cannot go on.
struct SoakFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
