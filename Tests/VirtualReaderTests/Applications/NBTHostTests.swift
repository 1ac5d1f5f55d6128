import Foundation
import TestSupport
import Testing
import VirtualReader

/// The I2C side of a virtual NBT (facts/nbt.md, 2.1, 4.1 and 4.3).
@Suite struct NBTHostTests {
    private static let select = "00A4040007D276000085010100"

    @Test("I2C has its own column of the policies and its own session")
    func columns() throws {
        let tag = try NBTApplication(policies: .dataTransfer)
        // The host may not write file 1, the reader may not write file 2.
        #expect(tag.respondOverI2C(to: hex(Self.select)) == hex("9000"))
        #expect(tag.respondOverI2C(to: hex("00A4000C02E1A100")) == hex("9000"))
        #expect(tag.respondOverI2C(to: hex("00D6000001EE")) == hex("6982"))
        #expect(tag.respondOverI2C(to: hex("00A4000C02E1A200")) == hex("9000"))
        #expect(tag.respondOverI2C(to: hex("00D6000001EE")) == hex("9000"))
        // What the host selected is not selected for the reader.
        #expect(tag.respond(to: hex("00B0000001")) == hex("6D00"))
        #expect(tag.respond(to: hex(Self.select)) == hex("9000"))
        #expect(tag.respond(to: hex("00A4000C02E1A2")) == hex("9000"))
        #expect(tag.respond(to: hex("00D6000001FF")) == hex("6982"))
        #expect(tag.respond(to: hex("00B0000001")) == hex("EE9000"))
    }

    @Test("a reader in its field keeps I2C out (1.1)")
    func exclusion() throws {
        let tag = try NBTApplication()
        _ = tag.respond(to: hex(Self.select))
        #expect(tag.respondOverI2C(to: hex(Self.select)) == nil)
        tag.reset()
        #expect(tag.respondOverI2C(to: hex(Self.select)) == hex("9000"))
    }

    @Test("the master password is that of the interface in use (1.4)")
    func master() throws {
        let tag = try NBTApplication()
        tag.policies[.accessPolicy].i2cWrite = .password(1)
        #expect(tag.respond(to: hex(Self.select)) == hex("9000"))
        #expect(tag.respond(to: hex("00E1000009 01 11223344 9001 0003")) == hex("9000"))
        tag.reset()
        #expect(tag.respondOverI2C(to: hex(Self.select)) == hex("9000"))
        #expect(
            tag.respondOverI2C(to: hex("00E1000009 02 AABBCCDD 9002 0003")) == hex("6982")
        )
        #expect(
            tag.respondOverI2C(to: hex("00E100000D 11223344 02 AABBCCDD 9002 0003"))
                == hex("9000")
        )
    }

    @Test("FETCH DATA tells the events since the last one (4.3)")
    func events() throws {
        let tag = try NBTApplication()
        #expect(tag.respondOverI2C(to: hex("38CA0000")) == hex("0078 9000"))
        #expect(tag.respondOverI2C(to: hex("38CA0000")) == hex("0000 9000"))
        _ = tag.respond(to: hex(Self.select))
        // Field and layer 4: there, and entered.
        #expect(tag.respondOverI2C(to: hex("38CA0000")) == hex("002B 9000"))
        #expect(tag.respondOverI2C(to: hex("38CA0000")) == hex("0003 9000"))
        tag.reset()
        #expect(tag.respondOverI2C(to: hex("38CA0000")) == hex("0050 9000"))
    }

    @Test(
        "PUT RESPONSE with a wrong length, or with nobody waiting, is refused",
        arguments: [
            ("38DA0000029000", "6985"), ("38DA00000190", "6700"), ("38DA0000039000", "6700"),
            ("38DA0001029000", "6700"), ("38DA0100029000", "6A86"), ("38DA", "6A86"),
        ]
    )
    func put(command: String, answer: String) throws {
        #expect(try NBTApplication().respondOverI2C(to: hex(command)) == hex(answer))
    }

    @Test("a long answer of the host comes through whole")
    func longAnswer() throws {
        let host = LongHost()
        let tag = try NBTApplication(host: host)
        for command in ["00A404000DD276000004150200000B00010100", "2020000004C0300104"] {
            #expect(tag.respond(to: hex(command)).suffix(2) == hex("9000"))
        }
        let answer = tag.respond(to: hex("00A40400050102030405"))
        #expect(answer == Data(repeating: 0x5A, count: 300) + hex("9000"))
        #expect(tag.workingTime(of: hex("00000001")) == .milliseconds(200))
        tag.reset()
        #expect(tag.workingTime(of: hex("00000001")) < .milliseconds(10))
    }

    @Test("the catalogue has tags with a host")
    func catalogue() throws {
        for description in ["nbt:adt", "nbt:pass-through"] {
            _ = try TagCatalog().tag(description)
        }
    }
}

/// Answers everything by 300 bytes.
private final class LongHost: NBTHost {
    func passThroughRequested(by chip: NBTApplication) {
        _ = chip.respondOverI2C(
            to: hex("38DA00012E")
                + Data(repeating: 0x5A, count: 300) + hex("9000")
        )
    }

    func fieldLeft(_ chip: NBTApplication) {}
}
