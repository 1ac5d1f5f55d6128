import Foundation
import TestSupport
import Testing

/// What sessions take of the process, and what a crowded process means to them.
@Suite struct ResourceTests {
    /// 100 sessions that are killed at any moment, also in the middle of an exchange (`Tests/SessionProbe`).
    @Test func killedSessionsLeaveNothingBehind() async throws {
        let counts = try await probe("kills", 100)
        func count(_ name: String) -> Int { counts[name] ?? -1 }
        #expect(count("sessions") == 100)
        #expect(count("fieldsLeftOn") == 0)
        #expect(count("threadsAfter") <= count("threadsBefore"))
        // On a machine that is very busy libnfc loses an interrupt and a descriptor with it.
        let allowed = count("descriptorsBefore") + count("lostInterrupts")
        #expect(count("descriptorsAfter") <= allowed)
    }

    /// One session over 300 taps; `make soak` has it do 10,000.
    @Test func aSessionOverManyTapsStaysFlat() async throws {
        let counts = try await probe("taps", 300)
        func count(_ name: String) -> Int { counts[name] ?? -1 }
        #expect(count("taps") == 300)
        #expect(count("failures") == 0)
        #expect(count("threadsAfter") <= count("threadsBefore"))
        #expect(count("descriptorsAfter") <= count("descriptorsBefore") + count("lostInterrupts"))
        // 10 KiB a tap would be a leak that a gate notices in a day; allocators breathe by less than 3 MiB.
        #expect(count("memoryAfter") - count("memoryBefore") < 3 * 1024)
    }

    private func probe(_ mode: String, _ number: Int) async throws -> [String: Int] {
        let path = URL(fileURLWithPath: Tool.path).deletingLastPathComponent()
            .appendingPathComponent("session-probe").path
        let result = try await Process.run(path, [mode, "\(number)"], deadline: .seconds(120))
        let counts = try #require(try result.objects.first, "\(result.standardError)")
        return counts.compactMapValues { $0 as? Int }
    }

    /// libnfc hands descriptors to select(), which takes none from 1024 on and aborts (facts/libnfc.md, 2.2).
    @Test func aReaderIsNotOpenedOnADescriptorThatSelectCannotTake() async throws {
        let line = """
            ulimit -n 2048 || exit 77
            for number in $(seq 3 1023); do eval "exec $number</dev/null"; done
            exec '\(Tool.path)' scan --once --timeout 5 --virtual ntag213
            """
        let result = try await Process.run("/bin/bash", ["-c", line])
        #expect(result.status == 3)
        #expect(result.standardError.contains("1024"))
    }

    /// A few faults in every state of a reader (`Tests/ReaderSoak`); all of them are in `make soak`.
    @Test func everyFaultInEveryStateIsMendedOrReported() async throws {
        let cells = try await soak("matrix", "quick", deadline: .seconds(120))
        #expect(cells["cells"] as? Int == 42)
        #expect(cells["failures"] as? Int == 0)
    }

    /// A quiet day of taps, replugs and faults; a busy month is in `make soak`.
    @Test func noTapIsLostOrDoubledInADayAtAGate() async throws {
        let day = try await soak("month", "quick", deadline: .seconds(120))
        #expect(day["wrongLedgers"] as? Int == 0)
        // One report of coming and one of going for each tap.
        #expect(day["taps"] as? Int == 60)
        #expect(day["seen"] as? Int == 120)
        #expect(day["replugs"] as? Int == 2)
    }

    /// Answers that are anything at all, in frames that are right; more of them are in `make soak`.
    @Test func theProcessLivesThroughChipsThatAnswerAnything() async throws {
        let run = try await soak("hostile", "10", deadline: .seconds(120))
        #expect(run["chips"] as? Int == 10)
    }

    /// The figures of a run that says of itself that it has passed.
    private func soak(_ arguments: String..., deadline: Duration) async throws -> [String: Any] {
        let program = URL(fileURLWithPath: Tool.path).deletingLastPathComponent()
            .appendingPathComponent("reader-soak").path
        let result = try await Process.run(program, arguments, deadline: deadline)
        #expect(result.status == 0, "\(result.standardOutput)\(result.standardError)")
        let line = try #require(result.standardOutput.split(separator: "\n").last)
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
        return try #require(object as? [String: Any])
    }
}
