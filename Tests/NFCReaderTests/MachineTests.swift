import Foundation
import NFCReader
import TestSupport
import Testing

/// A machine seen through its files.
@Suite struct MachineTests {
    @Test("Names, texts and links are those below the root")
    func files() async throws {
        var image = MachineImage()
        image.file("/etc/b", "two\nlines\n\0")
        image.file("/etc/a", "")
        image.link("/etc/link", to: "../etc/b")
        image.link("/etc/out", to: "/proc/self/status")
        try await image.withFolder { root in
            let machine = Machine(root: root.path)
            #expect(machine.names(in: "/etc") == ["a", "b", "link", "out"])
            #expect(machine.names(in: "/nowhere") == [])
            #expect(machine.text(of: "/etc/b") == "two\nlines")
            #expect(machine.text(of: "/etc/a") == "")
            #expect(machine.lines(of: "/etc/link") == ["two", "lines"])
            #expect(machine.text(of: "/etc") == nil)
            #expect(machine.realPath(of: "/etc/link") == "/etc/b")
            // What lies outside is no part of the machine.
            #expect(machine.realPath(of: "/etc/out") == nil)
            #expect(machine.target(of: "/etc/out") == "/proc/self/status")
            #expect(!machine.isThisOne && Machine.this.isThisOne)
        }
    }

    @Test("A device node is never opened to read it")
    func nodes() {
        #expect(Machine.this.exists("/dev/zero"))
        // Reading it would never end.
        #expect(Machine.this.bytes(of: "/dev/zero") == nil)
    }

    @Test("A file in an earlier folder hides one of the same name in a later one")
    func overriding() async throws {
        var image = MachineImage()
        image.file("/etc/d/20.conf")
        image.file("/lib/d/10.conf")
        image.file("/lib/d/20.conf")
        image.file("/lib/d/30.txt")
        try await image.withFolder { root in
            let files = Machine(root: root.path).files(in: ["/etc/d", "/lib/d"], ending: ".conf")
            #expect(files == ["/lib/d/10.conf", "/etc/d/20.conf"])
        }
    }

    @Test("The users of a node are found in one walk, and this process is one of this machine's")
    func holders() async throws {
        var image = MachineImage()
        image.process(7, "/usr/bin/screen", open: ["/dev/ttyUSB0", "/dev/ttyUSB1"])
        image.process(8, "/usr/bin/minicom", open: ["/dev/ttyUSB1"])
        try await image.withFolder { root in
            let holders = Machine(root: root.path).holders(
                of: ["/dev/ttyUSB0", "/dev/ttyUSB1", "/dev/ttyUSB2"]
            )
            #expect(
                holders?["/dev/ttyUSB0"]?.processes.map(\.description) == ["screen (process 7)"]
            )
            #expect(holders?["/dev/ttyUSB1"]?.processes.map(\.name) == ["screen", "minicom"])
            #expect(holders?["/dev/ttyUSB2"]?.processes == [])
            #expect(holders?["/dev/ttyUSB2"]?.isComplete == true)
        }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data().write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let handle = try FileHandle(forReadingFrom: file)
        let path = try #require(Machine.this.realPath(of: file.path))
        let own = Machine.this.holders(of: [path])?[path]?.processes.map(\.identifier)
        #expect(own == [Int(getpid())])
        try handle.close()
    }

    @Test(
        "The class that a user belongs to decides, as the kernel has it",
        arguments: [
            (MachineImage.Membership.member, 0o660, true), (.member, 0o600, false),
            (.member, 0o640, false), (.none, 0o660, false), (.none, 0o666, true),
            // In the group, which may less than everybody else.
            (.member, 0o606, false), (.since, 0o660, false),
        ]
    )
    func access(membership: MachineImage.Membership, mode: Int, isAllowed: Bool) async throws {
        var image = MachineImage()
        image.user(membership)
        image.node("/dev/ttyUSB0", mode: mode)
        try await image.withFolder { root in
            let machine = Machine(root: root.path)
            let user = try #require(machine.user)
            #expect(user.name == "pi")
            let access = try #require(machine.access(to: "/dev/ttyUSB0", for: user))
            #expect(access.isAllowed == isAllowed)
            #expect(access.description == "root:dialout 0" + String(mode, radix: 8))
            #expect(machine.access(to: "/dev/ttyUSB9", for: user) == nil)
        }
    }
}
