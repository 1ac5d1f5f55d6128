import Foundation
import NFCReader
import TestSupport
import VirtualReader

/// Every fault in every state of a reader: whether it works on or says that it does not, and how soon.
struct FaultMatrix {
    /// What a reader is doing when the fault strikes.
    enum State: String, CaseIterable, Sendable {
        case opening, idle, detecting, connected, exchange, closing
    }

    /// What one cell shows.
    struct Outcome: Sendable {
        var isGood = true
        /// For the table.
        var text = ""
        /// From the fault to the next tag, or to the report that there will be none.
        var answer = Duration.zero

        static func bad(_ text: String) -> Outcome { Outcome(isGood: false, text: text) }
    }

    /// Recovered or reported within this time (issue D, It must show).
    static let limit = Duration.seconds(5)

    let isQuick: Bool
    /// Runs only faults with this in their name.
    var filter = ""

    /// Prints the table; true when every cell is good and nothing is left behind.
    func run() async throws -> Bool {
        let faults = MatrixFault.all.filter {
            (!isQuick || $0.isQuick) && (filter.isEmpty || $0.name.contains(filter))
        }
        guard let simplest = MatrixFault.all.first else { return false }
        // The first cells bring up what stays for the life of the process.
        for state in State.allCases { _ = await MatrixCell(simplest, state).run() }
        let before = await Resources.steady
        let start = ContinuousClock.now
        var table: [[Outcome]] = []
        print(row(["fault"] + State.allCases.map(\.rawValue)))
        for fault in faults {
            // The states of one fault run beside each other, each on a reader of its own.
            let outcomes = await withTaskGroup(of: (Int, Outcome).self) { group in
                for (index, state) in State.allCases.enumerated() {
                    group.addTask { (index, await MatrixCell(fault, state).run()) }
                }
                var all = [Outcome](repeating: Outcome(), count: State.allCases.count)
                for await (index, outcome) in group { all[index] = outcome }
                return all
            }
            print(row([fault.name] + outcomes.map(\.text)))
            table.append(outcomes)
        }
        let after = await Resources.settled(at: before)
        return conclude(table.flatMap { $0 }, start.duration(to: .now), before, after)
    }

    private func conclude(
        _ cells: [Outcome],
        _ time: Duration,
        _ before: Resources,
        _ after: Resources
    ) -> Bool {
        let bad = cells.filter { !$0.isGood }.count
        let slowest = cells.map(\.answer).max() ?? .zero
        print(
            """
            Times in ms: from the fault to the next tag; "lost" to the report of the loss, and after "+" from the \
            mending to the next tag.
            {"cells":\(cells.count),"failures":\(bad),"slowestMilliseconds":\(slowest.milliseconds),\
            "seconds":\(time.milliseconds / 1000),\(Resources.json(before: before, after: after)),"lostInterrupts":\(Reader.lostInterrupts)}
            """
        )
        return bad == 0 && after.threads <= before.threads
            && after.descriptors <= before.descriptors + Reader.lostInterrupts
    }

    private func row(_ cells: [String]) -> String {
        cells.enumerated().map { index, cell in
            let width = index == 0 ? 30 : 16
            return cell + String(repeating: " ", count: max(1, width - cell.count))
        }
        .joined()
    }
}
