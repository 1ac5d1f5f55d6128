import Doctor
import Foundation
import NFCReader
import TestSupport
import Testing

/// Doctor on whole machines, given as folders.
@Suite struct DoctorTests {
    /// What is found, and whether there is anything to look at.
    private func examine(_ image: MachineImage) async throws -> (
        findings: [Finding], hasAnything: Bool
    ) {
        try await image.withFolder { root in
            let examination = Examination(Machine(root: root.path))
            return (examination.findings, examination.hasAnything)
        }
    }

    @Test("A machine in order has no trouble", arguments: MachineImages.healthy)
    func healthy(machine: TroubledMachine) async throws {
        let (findings, hasAnything) = try await examine(machine.image)
        #expect(findings.filter { $0.verdict == .trouble } == [])
        #expect(hasAnything)
        // Everything can be told on a machine that runs.
        #expect(findings.filter { $0.verdict == .cannotTell } == [])
        #expect(findings.contains { $0.check == "reader" && $0.verdict == .ok })
    }

    @Test("Each trouble is found, with the command that mends it", arguments: MachineImages.ill)
    func ill(machine: TroubledMachine) async throws {
        let findings = try await examine(machine.image).findings
        let found = findings.filter { $0.verdict == .trouble }
            .map { "\($0.check): \($0.remedy?.command ?? "-")" }
        #expect(found.sorted() == machine.trouble.sorted())
    }

    @Test("There are at least 24 machines, and no two tell the same story")
    func count() {
        let all = MachineImages.healthy + MachineImages.ill
        #expect(all.count >= 24)
        #expect(Set(all.map(\.description)).count == all.count)
    }

    @Test("Evidence names the process, the node, the driver and the mode")
    func evidence() async throws {
        var image = MachineImage.debian(.none)
        image.usb("1a86:7523", at: "1-1.2")
        image.port("ttyUSB4", on: "1-1.2")
        image.process(4242, "/usr/bin/screen", open: ["/dev/ttyUSB4"])
        let findings = try await examine(image).findings
        func evidence(_ check: String) -> String {
            findings.first { $0.check == check && $0.subject == "usb:1-1.2" }?.evidence ?? ""
        }
        #expect(evidence("reader") == "CH340 serial adapter at /dev/ttyUSB4, driver ch341-uart")
        #expect(evidence("in-use") == "screen (process 4242) has /dev/ttyUSB4 open")
        #expect(evidence("permission") == "pi may not open /dev/ttyUSB4 (root:dialout 0660)")
    }

    @Test("The header's trouble is a note where another reader is in use")
    func unusedHeader() async throws {
        var image = MachineImage.raspberryPi()
        image.file("/proc/cmdline", "console=serial0,115200\n")
        image.usb("072f:2200", at: "1-3")
        let findings = try await examine(image).findings
        let console = findings.first { $0.check == "serial-console" }
        #expect(console?.verdict == .note)
        #expect(findings.allSatisfy { $0.verdict != .trouble })
        // Unless libnfc is set to use it.
        image.file("/etc/nfc/libnfc.conf", "device.connstring = \"pn532_uart:/dev/serial0\"\n")
        let configured = try await examine(image).findings.first { $0.check == "serial-console" }
        #expect(configured?.verdict == .trouble)
    }

    @Test(
        "Where other users' processes cannot be seen, doctor does not claim that nobody uses the port"
    )
    func hiddenProcesses() async throws {
        var image = MachineImage.debian()
        image.usb("1a86:7523", at: "1-2")
        image.port("ttyUSB0", on: "1-2")
        image.file("/proc/50/comm", "secret\n")
        image.file("/proc/50/cmdline", "/usr/bin/secret\0")
        let finding = try await examine(image).findings.first { $0.check == "in-use" }
        #expect(finding?.verdict == .cannotTell)
        #expect(finding?.remedy?.command == "sudo nfc-session doctor")
    }

    @Test("A machine at rest is told from one without readers")
    func atRest() async throws {
        var image = MachineImage()
        image.file("/etc/os-release", "PRETTY_NAME=\"Raspberry Pi OS\"\n")
        image.file("/usr/lib/aarch64-linux-gnu/libnfc.so.6")
        image.file("/etc/nfc/libnfc.conf", "allow_intrusive_scan = yes\n")
        let findings = try await examine(image).findings
        #expect(findings.first { $0.check == "reader" }?.verdict == .cannotTell)
        #expect(findings.filter { $0.verdict == .trouble }.map(\.check) == ["configuration"])
    }

    @Test("An empty folder is no machine, and no crash")
    func empty() async throws {
        let findings = try await examine(MachineImage()).findings
        #expect(findings.first?.verdict == .cannotTell)
    }

    @Test("A command is quoted so that a shell reads it as the list of words that it is")
    func quoting() async throws {
        var image = MachineImage.debian()
        image.file("/etc/nfc/devices.d/it's $(odd).conf", "nonsense\n")
        let findings = try await examine(image).findings
        let remedy = try #require(findings.first { $0.check == "configuration" }?.remedy)
        #expect(remedy.command == #"sudoedit '/etc/nfc/devices.d/it'\''s $(odd).conf'"#)
        #expect(remedy.arguments.count == 2)
        let echoed = try await Process.run("/bin/sh", ["-c", "printf '%s' " + remedy.command])
        #expect(echoed.standardOutput == remedy.arguments.joined())
    }

    @Test("Damaged files are no crash", arguments: 1...40 as ClosedRange<UInt64>)
    func damage(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let machine = try #require(MachineImages.ill.randomElement(using: &random))
        try await machine.image.withFolder { root in
            let walker = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
            let files = (walker?.allObjects as? [URL] ?? []).filter { !$0.hasDirectoryPath }
                .sorted { $0.path < $1.path }
            for file in files where Bool.random(using: &random) {
                guard (try? FileManager.default.destinationOfSymbolicLink(atPath: file.path)) == nil
                else { continue }
                let noise = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                    UInt8.random(in: 0...255, using: &random)
                }
                try Data(noise).write(to: file)
            }
            let examination = Examination(Machine(root: root.path))
            // Every finding still says something.
            #expect(!examination.findings.isEmpty)
            #expect(examination.findings.allSatisfy { !$0.evidence.isEmpty })
        }
    }
}
