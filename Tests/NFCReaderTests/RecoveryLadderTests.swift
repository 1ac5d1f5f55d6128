import NFCReader
import Testing

/// The order of steps and pauses (facts/users.md, 3b.2), without any reader.
@Suite struct RecoveryLadderTests {
    private func moves(_ count: Int, of ladder: RecoveryLadder) -> [RecoveryLadder.Move] {
        var ladder = ladder
        return (0..<count).map { _ in ladder.next() }
    }

    @Test func climbsFromTheGentlestStepToTheRoughest() {
        let ladder = RecoveryLadder(steps: RecoveryStep.allCases.reversed(), entry: .resend)
        #expect(
            moves(6, of: ladder) == [
                .attempt(.resend), .attempt(.reinitialise), .attempt(.reopen),
                .attempt(.changeBaudRate), .attempt(.reset), .pause(.milliseconds(500)),
            ]
        )
    }

    @Test func startsNoLowerThanTheErrorCallsFor() {
        let ladder = RecoveryLadder(steps: [.resend, .reinitialise, .reopen], entry: .reopen)
        #expect(moves(2, of: ladder) == [.attempt(.reopen), .pause(.milliseconds(500))])
    }

    @Test func goesOnForEverWithPausesThatDoubleUpToHalfAMinute() {
        let ladder = RecoveryLadder(steps: [.resend, .reinitialise, .reopen], entry: .reopen)
        let pauses = moves(24, of: ladder).compactMap { move -> Duration? in
            guard case .pause(let pause) = move else { return nil }
            return pause
        }
        let seconds: [Double] = [0.5, 1, 2, 4, 8, 16, 30, 30, 30, 30, 30, 30]
        #expect(pauses == seconds.map { .seconds($0) })
        // Once the device is closed there is nothing to resend to.
        #expect(moves(24, of: ladder).filter { $0 == .attempt(.resend) }.isEmpty)
    }

    @Test func startsWithShortPausesAgainWhenTheDeviceAppears() {
        var ladder = RecoveryLadder(steps: [.reopen], entry: .reopen)
        for _ in 0..<8 { _ = ladder.next() }
        ladder.deviceAppeared()
        #expect(moves(2, of: ladder) == [.attempt(.reopen), .pause(.milliseconds(500))])
    }

    @Test func climbsOnWhenAStepHelpedForAMomentOnly() {
        var ladder = RecoveryLadder(steps: [.resend, .reinitialise, .reopen], entry: .resend)
        #expect(ladder.next() == .attempt(.resend))
        ladder.resume(entry: .resend)
        #expect(ladder.next() == .attempt(.reinitialise))
        ladder.resume(entry: .reopen)
        #expect(ladder.next() == .attempt(.reopen))
        ladder.resume(entry: .resend)
        #expect(ladder.next() == .pause(.milliseconds(500)))
    }

    @Test func looksForNoOtherBaudRateWhenTheChipHasAnswered() {
        var ladder = RecoveryLadder(steps: [.reopen, .changeBaudRate, .reset], entry: .reopen)
        #expect(ladder.next() == .attempt(.reopen))
        ladder.resume(entry: .reopen)
        #expect(ladder.next() == .attempt(.reset))
    }

    @Test(
        "knows the gentlest step against each error",
        arguments: [
            (ReaderError.failed(code: -6, during: "poll"), RecoveryStep.resend),
            (.failed(code: -1, during: "poll"), .resend),
            (.malformedAnswer(during: "poll"), .resend),
            (.failed(code: -19, during: "poll"), .reopen),
            (.libraryFault(during: "exchange"), .reopen),
            (.cannotOpen(""), .reopen), (.notResponding(""), .reopen), (.inUse(""), .reopen),
            (.closed, nil), (.interrupted, nil), (.invalidConnectionString(""), nil),
            (.commandTooLong(size: 263, limit: 262), nil),
        ] as [(ReaderError, RecoveryStep?)]
    )
    func entries(error: ReaderError, step: RecoveryStep?) {
        #expect(error.recoveryEntry == step)
    }
}
