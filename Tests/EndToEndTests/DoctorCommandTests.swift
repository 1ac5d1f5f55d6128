import Doctor
import Foundation
import TestSupport
import Testing

@testable import nfc_session

/// The command doctor, on machines given as folders.
@Suite(.serialized) struct DoctorCommandTests {
    private func run(_ words: String, on image: MachineImage) async throws -> ProcessResult {
        try await image.withFolder { try await Tool.run("doctor --root \($0.path) \(words)") }
    }

    private static func board(_ membership: MachineImage.Membership = .member) -> MachineImage {
        var image = MachineImage.debian(membership)
        image.usb("1a86:7523", at: "1-2")
        image.port("ttyUSB0", on: "1-2")
        return image
    }

    @Test("A machine in order is status 0, and --quiet says nothing")
    func healthy() async throws {
        let full = try await run("", on: Self.board())
        #expect(full.status == 0)
        #expect(full.standardOutput.contains("usb:1-2: CH340 serial adapter at /dev/ttyUSB0"))
        #expect(
            full.standardOutput.contains("next:  nfc-session readers --probe --reader usb:1-2")
        )
        let quiet = try await run("--quiet", on: Self.board())
        #expect(quiet.status == 0 && quiet.standardOutput == "")
    }

    @Test("Trouble is status 1, and comes with the command that mends it")
    func trouble() async throws {
        let result = try await run("--json --quiet", on: Self.board(.none))
        #expect(result.status == 1)
        let objects = try result.objects
        #expect(objects.count == 1)
        #expect(objects.first?["verdict"] as? String == "trouble")
        #expect(objects.first?["check"] as? String == "permission")
        #expect(objects.first?["subject"] as? String == "usb:1-2")
        #expect(objects.first?["command"] as? String == "sudo usermod -aG dialout pi")
        #expect(objects.first?["then"] as? String == "log out and in again")
    }

    @Test("Without a reader the status is 3")
    func noReader() async throws {
        let result = try await run("", on: .debian())
        #expect(result.status == 3)
        #expect(result.standardOutput.contains("lsusb"))
    }

    @Test("--fix says what it would run and what it leaves to people, and changes nothing")
    func fix() async throws {
        var image = MachineImage.debian(.none)
        image.usb("0403:6001", at: "1-2")
        image.port("ttyUSB0", on: "1-2", driver: "ftdi_sio", latency: 16)
        image.process(900, "minicom", open: ["/dev/ttyUSB0"])
        try await image.withFolder { root in
            let result = try await Tool.run("doctor --root \(root.path) --fix --json")
            #expect(result.status == 1)
            let outcomes = try result.objects.map {
                "\($0["command"] as? String ?? ""): \($0["outcome"] as? String ?? "")"
            }
            #expect(
                outcomes == [
                    "sudo usermod -aG dialout pi: wouldRun", "kill 900: leftToYou",
                    "echo 1 | sudo tee /sys/bus/usb-serial/devices/ttyUSB0/latency_timer: wouldRun",
                ]
            )
            let timer = root.appending(path: "sys/bus/usb-serial/devices/ttyUSB0/latency_timer")
            #expect(try String(contentsOf: timer, encoding: .utf8) == "16\n")
        }
    }

    @Test(
        "What makes no sense is status 2",
        arguments: [
            ("--yes", "--fix is missing"), ("--fix --yes --root /tmp", "exclude each other"),
            ("--root /nowhere", "no such folder"), ("--timeout 3", "means nothing"),
            ("--virtual nbt", "means nothing"),
        ]
    )
    func usage(words: String, message: String) async throws {
        let result = try await Tool.run("doctor " + words)
        #expect(result.status == 2)
        #expect(result.standardError.contains(message))
    }

    @Test("This machine can be examined, whatever it is")
    func thisMachine() async throws {
        let result = try await Tool.run("doctor --json")
        #expect([0, 1, 3].contains(result.status))
        let checks = try result.objects.compactMap { $0["check"] as? String }
        #expect(checks.starts(with: ["versions", "libnfc"]))
    }

    @Test("What a device says cannot steer the terminal")
    func escapes() async throws {
        var image = Self.board()
        image.process(77, "evil\u{1B}[2J", open: ["/dev/ttyUSB0"])
        let result = try await run("", on: image)
        #expect(result.standardOutput.contains("evil\u{FFFD}[2J (process 77)"))
        #expect(!result.standardOutput.contains("\u{1B}"))
    }
}

/// Running the command of a remedy.
@Suite struct RemedyRunTests {
    private func run(_ arguments: [String], input: String? = nil) async -> RemedyLine.Outcome {
        await RemedyRun(
            Remedy(arguments: arguments, input: input, needsRoot: false, isAutomatic: true)
        ).outcome()
    }

    @Test("The text reaches the file, and each word the program, as they are")
    func words() async throws {
        let file = FileManager.default.temporaryDirectory
            .appending(path: "it's $(touch x); \(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let written = await run(["tee", file.path], input: "dtparam=uart0=on")
        #expect(written == .done)
        let appended = await run(["tee", "-a", file.path], input: "more")
        #expect(appended == .done)
        #expect(try String(contentsOf: file, encoding: .utf8) == "dtparam=uart0=on\nmore\n")
    }

    @Test("A command can be stopped by signals, however the thread that starts it has them")
    func signals() async {
        // Ends by its own SIGPIPE and SIGINT only if these are neither blocked nor ignored.
        for signal in ["PIPE", "INT", "TERM"] {
            let outcome = await run(["sh", "-c", "kill -\(signal) $$; exit 0"])
            #expect(outcome == .failed, "\(signal)")
        }
    }

    @Test("A command that fails, and one that is not there, are told from those that worked")
    func failures() async {
        let outcomes = [
            await run(["true"]), await run(["false"]), await run(["no-such-program"]),
            await run(["sh", "-c", "kill -9 $$"]),
        ]
        #expect(outcomes == [.done, .failed, .failed, .failed])
    }
}
