import Foundation
import TestSupport
import Testing

/// Adapters and readers that are plugged in and out, on a mock machine by umockdev.
@Suite(.serialized) struct HotPlugTests {
    private static let script = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "HotPlug/hotplug.py").path

    /// Whether umockdev and its bindings are there; Debian's Python has them, others have not.
    private static let hasUMockdev =
        Process.find("umockdev-wrapper") != nil
        && FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/gi")
        && ["x86_64", "aarch64"].contains {
            FileManager.default.fileExists(
                atPath: "/usr/lib/\($0)-linux-gnu/girepository-1.0/UMockdev-1.0.typelib"
            )
        }

    /// What libnfc's drivers support (facts/libnfc.md, 11), and what boards are sold with (facts/users.md, 3a).
    private static let readers = [
        "04cc:0531": "NXP PN531", "054c:0193": "Sony PN531", "04cc:2533": "NXP PN533",
        "04e6:5591": "SCM SCL3711", "04e6:5594": "Identive SCL3712", "1fd3:0608": "ASK LoGO",
        "054c:02e1": "Sony RC-S360", "072f:2200": "ACS ACR122U", "072f:90cc": "Touchatag",
        "072f:2214": "ACS ACR1222",
    ]
    private static let adapters = [
        "1a86:7523": ("CH340 serial adapter", "ttyUSB0"),
        "1a86:55d3": ("CH343 serial adapter", "ttyACM0"),
        "10c4:ea60": ("CP210x serial adapter", "ttyUSB7"),
        "0403:6001": ("FTDI FT232 serial adapter", "ttyUSB12"),
        "067b:2303": ("PL2303 serial adapter", "ttyUSB1"),
    ]

    /// Runs the script and returns the tool's events for each of the devices.
    private func events(_ devices: [String]) async throws -> [[[String: Any]]] {
        let wrapper = try #require(Process.find("umockdev-wrapper"))
        let result = try await Process.run(
            wrapper,
            ["/usr/bin/python3", Self.script, Tool.path] + devices,
            deadline: .seconds(60)
        )
        try #require(result.status == 0, "\(result.standardOutput)\(result.standardError)")
        let lines = result.standardOutput.split(separator: "\n")
        return try lines.split(separator: "--").map { lines in
            try lines.map { line in
                let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
                return try #require(object as? [String: Any], "\(line)")
            }
        }
    }

    @Test(
        "Every supported reader comes and goes under its name",
        .enabled(if: hasUMockdev, "needs umockdev, gir1.2-umockdev-1.0 and python3-gi: make deps")
    )
    func readersComeAndGo() async throws {
        let ids = Self.readers.keys.sorted()
        let devices = try await events(ids)
        try #require(devices.count == ids.count)
        for (index, (id, events)) in zip(ids, devices).enumerated() {
            // On a busy machine the node is seen before the rules have opened it, and then changing.
            let names = events.compactMap { $0["event"] as? String }
            #expect(names.filter { $0 != "changed" } == ["appeared", "vanished"])
            #expect(events.last?["permission"] as? Bool == true)
            for event in events {
                #expect(event["usb"] as? String == id)
                #expect(event["description"] as? String == Self.readers[id])
                // The socket and the node that the script gave it.
                #expect(event["reader"] as? String == "usb:1-\(index + 1)")
                #expect(event["node"] as? String == "/dev/bus/usb/001/0\(index + 11)")
            }
        }
    }

    @Test(
        "Every usual adapter comes and goes with its serial port",
        .enabled(if: hasUMockdev, "needs umockdev, gir1.2-umockdev-1.0 and python3-gi: make deps")
    )
    func adaptersComeAndGo() async throws {
        let ids = Self.adapters.keys.sorted()
        let devices = try await events(ids.map { "\($0):\(Self.adapters[$0]?.1 ?? "")" })
        try #require(devices.count == ids.count)
        for (index, (id, events)) in zip(ids, devices).enumerated() {
            // The mock's port may get its rights a moment after its name.
            let names = events.map { $0["event"] as? String }.filter { $0 != "changed" }
            #expect(names == ["appeared", "vanished"])
            for event in events {
                #expect(event["usb"] as? String == id)
                #expect(event["description"] as? String == Self.adapters[id]?.0)
                #expect(event["reader"] as? String == "usb:1-\(index + 1)")
                #expect(event["node"] as? String == Self.adapters[id].map { "/dev/" + $0.1 })
            }
        }
    }

    @Test(
        "A node that is closed to the user is told as a change, and foreign devices are no readers",
        .enabled(if: hasUMockdev, "needs umockdev, gir1.2-umockdev-1.0 and python3-gi: make deps")
    )
    func permission() async throws {
        let devices = try await events(["072f:2200:closed", "04e6:5591:closed"])
        for events in devices {
            #expect(events.map { $0["event"] as? String } == ["appeared", "changed", "vanished"])
            #expect(events.map { $0["permission"] as? Bool } == [true, false, false])
        }
        #expect(devices.count == 2)
    }
}
