import Foundation

// Counts what sessions on a virtual reader leave behind, as one JSON object. It is a program of its own, because a test's
// process has threads and descriptors of other tests.
//
//     session-probe kills SESSIONS    sessions that are killed at any moment
//     session-probe taps TAPS         one session over many taps

let arguments = CommandLine.arguments.dropFirst()
let count = arguments.dropFirst().first.flatMap { Int($0) } ?? 0
switch arguments.first {
case "kills" where count > 0: try await probeKills(count)
case "taps" where count > 0: try await probeTaps(count)
default:
    FileHandle.standardError.write(Data("usage: session-probe kills SESSIONS | taps TAPS\n".utf8))
    exit(2)
}
