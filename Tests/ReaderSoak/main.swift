import Foundation

// Long runs of kept readers on virtual ones. Each prints a table or figures, and a JSON line with what is checked; the
// exit status is 1 when a check failed. A program of its own, because it counts the process's threads and descriptors.
//
//     reader-soak matrix [quick|NAME]   every fault in every state
//     reader-soak neighbours [TAPS]     one reader dies over and over: what its neighbour notices of it
//     reader-soak month [quick|DAYS]    a gate's month: taps, resting cards, replugs and faults, and a ledger
//     reader-soak hostile [CHIPS]       chips that answer anything: the process lives

let arguments = CommandLine.arguments.dropFirst()
let hasPassed: Bool
switch arguments.first {
case "matrix":
    let choice = arguments.dropFirst().first ?? ""
    hasPassed = try await FaultMatrix(
        isQuick: choice == "quick",
        filter: choice == "quick" ? "" : choice
    )
    .run()
case "neighbours":
    hasPassed = try await Neighbours(taps: arguments.dropFirst().first.flatMap { Int($0) } ?? 400)
        .run()
case "month":
    let choice = arguments.dropFirst().first ?? ""
    hasPassed = try await GateMonth(
        days: choice == "quick" ? 1 : Int(choice) ?? 30,
        tapsADay: choice == "quick" ? 60 : 500
    )
    .run()
case "hostile":
    hasPassed = try await HostileRun(chips: arguments.dropFirst().first.flatMap { Int($0) } ?? 500)
        .run()
default:
    print(
        "usage: reader-soak matrix [quick|NAME] | neighbours [TAPS] | month [quick|DAYS] | hostile [CHIPS]"
    )
    exit(2)
}
exit(hasPassed ? 0 : 1)
