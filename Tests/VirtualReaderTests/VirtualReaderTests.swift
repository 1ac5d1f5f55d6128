import Foundation
import Synchronization
import TestSupport
import Testing
import VirtualReader

/// The reader as a whole: port, thread, link, tags from outside.
///
/// One after the other, because some count what the process has open.
@Suite(.serialized) struct VirtualReaderTests {
    private func temporaryPath() -> String {
        FileManager.default.temporaryDirectory.appendingPathComponent("nfc-\(UUID().uuidString)")
            .path
    }

    @Test func aHostTalksToTheChipOverThePort() throws {
        let reader = try VirtualReader()
        defer { reader.close() }
        #expect(reader.connectionString == "pn532_uart:" + reader.path)
        #expect(!reader.path.contains(":"))
        let port = try #require(HostPort(reader.path))
        #expect(port.version() == HostPort.version)
        #expect(reader.statistics.commands == [0x02: 1])
        #expect(reader.statistics.framesToHost == 2)
        reader.resetStatistics()
        #expect(reader.statistics.totalCommands == 0)
        port.send("00 00 ff 02 fe d4 02 2a 00")
        #expect(port.receive(19) == HostPort.version)
        #expect(reader.statistics.totalCommands == 1)
    }

    @Test func thePortSurvivesAHostThatComesAndGoes() throws {
        let reader = try VirtualReader()
        defer { reader.close() }
        for _ in 0..<5 {
            let port = try #require(HostPort(reader.path))
            #expect(port.version() == HostPort.version)
        }
    }

    @Test func faultsAndTagsCountFromTheMomentTheyAreSet() throws {
        let reader = try VirtualReader()
        defer { reader.close() }
        let port = try #require(HostPort(reader.path))
        _ = port.version()
        port.send("00 00 ff 03 fd d4 14 01 17 00")
        _ = port.receive(15)
        for round in 0..<200 {
            reader.faults = Faults(Fault(.errorFrame))
            port.send("00 00 ff 02 fe d4 02 2a 00")
            #expect(port.receive(14) == Bench.acknowledge + Bench.errorFrame, "round \(round)")
            reader.faults = .none
            port.send("00 00 ff 02 fe d4 02 2a 00")
            #expect(port.receive(19) == HostPort.version, "round \(round)")
        }
        port.send("00 00 ff 06 fa d4 32 05 00 01 02 f2 00")
        _ = port.receive(15)
        let tag = try MifareClassicTag()
        for round in 0..<200 {
            reader.place(tag)
            port.send("00 00 ff 04 fc d4 4a 01 00 e1 00")
            #expect(
                port.receive(25) == Bench.acknowledge + "0000ff0cf4d54b010100040804deadbeef9600",
                "round \(round)"
            )
            reader.remove(tag)
            port.send("00 00 ff 04 fc d4 4a 01 00 e1 00")
            #expect(
                port.receive(16) == Bench.acknowledge + "0000ff03fdd54b00e000",
                "round \(round)"
            )
        }
    }

    @Test func anEndlessSearchIsAnsweredWhenATagIsPlaced() throws {
        let reader = try VirtualReader()
        defer { reader.close() }
        let port = try #require(HostPort(reader.path))
        _ = port.version()
        port.send("00 00 ff 03 fd d4 14 01 17 00")
        _ = port.receive(15)
        port.send("00 00 ff 04 fc d4 4a 01 00 e1 00")
        #expect(port.receive(6) == Bench.acknowledge)
        #expect(reader.isFieldOn)
        reader.place(try MifareClassicTag())
        #expect(port.receive(19) == "0000ff0cf4d54b010100040804deadbeef9600")
    }

    @Test func tagsAreListedAsTheyLie() throws {
        let reader = try VirtualReader()
        defer { reader.close() }
        let (first, second, third) = (try Type2Tag(), try MifareClassicTag(), try FeliCaTag())
        reader.place(first)
        reader.place(second)
        reader.place(first)
        #expect(reader.tags.map(\.name) == ["NTAG213", "MIFARE Classic 1K"])
        reader.swap(first, for: third)
        #expect(reader.tags.map(\.name) == ["MIFARE Classic 1K", "FeliCa"])
        reader.removeAll()
        #expect(reader.tags.isEmpty)
    }

    @Test func theTraceShowsBothDirections() throws {
        let reader = try VirtualReader()
        defer { reader.close() }
        let events = Mutex<[String]>([])
        reader.trace = { event in
            events.withLock {
                $0.append(
                    (event.direction == .toChip ? "> " : "< ")
                        + event.bytes.map(\.description).joined(separator: " ")
                )
            }
        }
        let port = try #require(HostPort(reader.path))
        _ = port.version()
        #expect(
            events.withLock { $0 } == [
                "> 0 0 255 2 254 212 2 42 0", "< 0 0 255 0 255 0",
                "< 0 0 255 6 250 213 3 50 1 6 7 232 0",
            ]
        )
    }

    // MARK: - Link, hang-up, close

    @Test func theLinkLeadsToThePortAndGoesWithIt() throws {
        let path = temporaryPath()
        let reader = try VirtualReader()
        try reader.link(at: path)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == reader.path)
        #expect(try #require(HostPort(path)).version() == HostPort.version)
        reader.close()
        #expect(throws: (any Error).self) {
            try FileManager.default.destinationOfSymbolicLink(atPath: path)
        }
        #expect(throws: VirtualReaderError.closed) { try reader.link(at: path) }
    }

    @Test func aStaleLinkIsReplacedButNoFileIs() throws {
        let (link, file) = (temporaryPath(), temporaryPath())
        defer { try? FileManager.default.removeItem(atPath: file) }
        try FileManager.default.createSymbolicLink(
            atPath: link,
            withDestinationPath: "/dev/pts/nowhere"
        )
        try Data("mine".utf8).write(to: URL(fileURLWithPath: file))
        let reader = try VirtualReader()
        defer { reader.close() }
        try reader.link(at: link)
        #expect(throws: VirtualReaderError.link(path: file, errno: EEXIST)) {
            try reader.link(at: file)
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == Data("mine".utf8))
    }

    @Test func aHangUpIsSeenByTheHostAndTheReaderReturns() throws {
        let link = temporaryPath()
        let reader = try VirtualReader()
        defer { reader.close() }
        try reader.link(at: link)
        let port = try #require(HostPort(link))
        #expect(port.version() == HostPort.version)
        reader.hangUp()
        #expect(port.hangsUp)
        try reader.reconnect()
        let again = try #require(HostPort(link))
        #expect(again.version() == HostPort.version)
    }

    @Test func aFaultCanHangUp() throws {
        let reader = try VirtualReader()
        defer { reader.close() }
        reader.faults = Faults(Fault(.hangUp, .nth(2)))
        let port = try #require(HostPort(reader.path))
        #expect(port.version() == HostPort.version)
        port.send("00 00 ff 02 fe d4 02 2a 00")
        #expect(port.hangsUp)
        try reader.reconnect()
        #expect(try #require(HostPort(reader.path)).version() == HostPort.version)
    }

    @Test func theLinkIsGoneWhileTheReaderIsUnplugged() throws {
        let (link, other) = (temporaryPath(), temporaryPath())
        let reader = try VirtualReader()
        defer { reader.close() }
        try reader.link(at: link)
        reader.hangUp()
        #expect(!exists(link), "the number of the pseudo-terminal may be somebody else's now")
        try reader.reconnect()
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == reader.path)
        reader.hangUp()
        try reader.reconnect(at: other)
        #expect(!exists(link))
        #expect(try #require(HostPort(other)).version() == HostPort.version)
        // A link that is asked for while there is no port stands when there is one.
        reader.hangUp()
        try reader.link(at: link)
        #expect(!exists(link) && !exists(other))
        try reader.reconnect()
        #expect(exists(link) && !exists(other))
        reader.close()
        #expect(!exists(link))
    }

    private func exists(_ link: String) -> Bool {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: link)) != nil
    }

    @Test(
        "a fault can unplug the reader and plug it in again, under the same name or another",
        arguments: [false, true]
    )
    func replug(isElsewhere: Bool) async throws {
        let (link, other) = (temporaryPath(), temporaryPath())
        let reader = try VirtualReader()
        defer { reader.close() }
        try reader.link(at: link)
        let after = Duration.milliseconds(50)
        reader.faults = Faults(
            Fault(.replug(after: after, at: isElsewhere ? other : nil), .nth(2)),
            Fault(.swallow, .nth(3))
        )
        let port = try #require(HostPort(link))
        #expect(port.version() == HostPort.version)
        let start = ContinuousClock.now
        port.send("00 00 ff 02 fe d4 02 2a 00")
        #expect(port.hangsUp)
        let path = isElsewhere ? other : link
        while !exists(path), .now < start + .seconds(10) {
            try await Task.sleep(for: .milliseconds(5))
        }
        #expect(ContinuousClock.now >= start + after)
        #expect(exists(link) == !isElsewhere)
        // The faults have gone on counting: this is the third command.
        let again = try #require(HostPort(path))
        again.send("55 55 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 ff 02 fe d4 02 2a 00")
        #expect(again.receive(1, within: 50) == "")
        again.send("00 00 ff 02 fe d4 02 2a 00")
        #expect(again.receive(19) == HostPort.version)
    }

    @Test func aChipThatWasLeftAtAnotherRateIsReachedAtThatRateOnly() throws {
        let reader = try VirtualReader()
        defer { reader.close() }
        let port = try #require(HostPort(reader.path))
        #expect(port.version() == HostPort.version)
        // SetSerialBaudRate 921600, its answer, and the host's ACK; then the host is killed.
        port.send("00 00 ff 03 fd d4 10 07 15 00")
        #expect(port.receive(15) == Bench.acknowledge + "0000ff02fed5111a00")
        port.send("00 00 ff 00 ff 00")
        port.setSpeed(speed_t(B921600))
        port.send("00 00 ff 02 fe d4 02 2a 00")
        #expect(port.receive(19) == HostPort.version)
        let next = try #require(HostPort(reader.path))
        next.setSpeed(speed_t(B115200))
        next.send("00 00 ff 02 fe d4 02 2a 00")
        #expect(next.receive(1, within: 50) == "")
        next.setSpeed(speed_t(B921600))
        next.send("00 00 ff 02 fe d4 02 2a 00")
        #expect(next.receive(19) == HostPort.version)
        // Without power it forgets.
        reader.hangUp()
        try reader.reconnect()
        #expect(try #require(HostPort(reader.path)).version() == HostPort.version)
    }

    @Test func closingLeavesNothingBehind() throws {
        func openFiles() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        }
        func threads() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").filter {
                let name = try? String(
                    contentsOfFile: "/proc/self/task/\($0)/comm",
                    encoding: .utf8
                )
                return name == "virtual-reader\n"
            }.count
        }
        let (files, before) = (try openFiles(), try threads())
        for _ in 0..<100 {
            let reader = try VirtualReader()
            let port = try #require(HostPort(reader.path))
            #expect(port.version() == HostPort.version)
            reader.close()
            reader.close()
        }
        for _ in 0..<100 { _ = try VirtualReader() }
        // Other suites run beside this one, with readers and files of their own.
        #expect(try threads() < before + 40)
        #expect(try openFiles() < files + 40)
    }

    @Test func aTagMayCloseTheReader() throws {
        let reader = try VirtualReader()
        let port = try #require(HostPort(reader.path))
        reader.trace = { [weak reader] _ in reader?.close() }
        port.send("55 55 00 00 ff 02 fe d4 02 2a 00")
        #expect(port.hangsUp)
    }

    @Test func anIdleReaderDoesNotRun() async throws {
        let reader = try VirtualReader(timing: .real)
        defer { reader.close() }
        let port = try #require(HostPort(reader.path))
        _ = port.version()
        port.send("00 00 ff 03 fd d4 14 01 17 00")
        _ = port.receive(15)
        port.send("00 00 ff 04 fc d4 4a 01 00 e1 00")
        #expect(port.receive(6) == Bench.acknowledge)
        // The search does not end, but no tag comes: there is nothing to do.
        let turns = reader.turns
        try await Task.sleep(for: .milliseconds(200))
        #expect(reader.turns == turns)
    }
}
