import Foundation
import VirtualReader

// What `make bench` runs: nfc-session beside a plain C loop over libnfc, on virtual readers that keep the real
// timing of a PN532 at 115200 baud. Everything that is compared is measured in this one run.
//
//     nfc-bench NFC_SESSION POLL_LOOP

guard CommandLine.arguments.count == 3 else {
    FileHandle.standardError.write(Data("usage: nfc-bench NFC_SESSION POLL_LOOP\n".utf8))
    exit(2)
}
let (session, loop) = (CommandLine.arguments[1], CommandLine.arguments[2])
let period = Duration.milliseconds(100)

do {
    try latency()
    try idle()
    try frames()
} catch {
    FileHandle.standardError.write(Data("nfc-bench: \(error)\n".utf8))
    exit(1)
}

/// From the moment a tag is in the field to the line that reports it.
///
/// A tap meets the polling loop at a random moment. To compare two programs without that luck, the n-th of N taps
/// comes n/N of a period after a poll command was seen on the wire.
func latency() throws {
    let taps = 100
    print("Measuring \(2 * taps) taps ...")
    let ours = try measureTaps(taps, of: Contender(session: session))
    let plain = try measureTaps(taps, of: Contender(loop: loop))
    print("\nTap to UID, \(taps) taps spread over the period of 100 ms:")
    print("                      median       p95")
    print("  nfc-session scan  \(row(ours))")
    print("  plain C loop      \(row(plain))")
    print(
        "  difference        \(percent(ours.median, plain.median))  \(percent(ours.p95, plain.p95))"
    )
}

/// CPU time and memory of a program that polls an empty field.
func idle() throws {
    let ours = try measureIdle(Contender(session: session))
    let plain = try measureIdle(Contender(loop: loop))
    print("\nIdle, polling every 100 ms for 10 s:")
    print("                         CPU    resident")
    print("  nfc-session scan   \(ours)")
    print("  plain C loop       \(plain)")
}

/// How many commands the chip gets.
func frames() throws {
    print("\nChip commands:")
    let uid = try countScan()
    print("  a UID report: \(uid)")
    let verification = try countVerification()
    print(
        "  a verification: \(verification.commands), of which \(verification.exchanges) exchanges with the tag"
    )
}

func row(_ samples: Samples) -> String {
    milliseconds(samples.median) + "  " + milliseconds(samples.p95)
}

func milliseconds(_ seconds: Double) -> String { String(format: "%6.1f ms", seconds * 1000) }

func percent(_ ours: Double, _ plain: Double) -> String {
    String(format: "%+7.1f %%", (ours / plain - 1) * 100)
}
