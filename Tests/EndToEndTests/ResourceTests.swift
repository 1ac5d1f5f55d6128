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
}
