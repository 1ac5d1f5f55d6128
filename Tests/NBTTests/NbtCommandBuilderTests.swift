import APDU
import Foundation
import NBT
import TestSupport
import Testing

/// Vectors 1 to 13 and 31 of facts/nbt.md, 8.1.
@Suite struct NbtCommandBuilderTests {
    let builder = NbtCommandBuilder()

    @Test("applications are selected by their AID")
    func applications() throws {
        #expect(try builder.selectApplication().encoded == hex("00A4040007D276000085010100"))
        #expect(
            try NbtCommandBuilderConfig().selectConfiguratorApplication().encoded
                == hex("00A404000DD276000004150200000B00010100")
        )
    }

    @Test("a file is selected without Le")
    func plainFile() throws {
        #expect(try builder.selectFile(fileId: 0xE104).encoded == hex("00A4000C02E104"))
    }

    @Test(
        "a file is selected with passwords, read before write, and with Le",
        arguments: [
            (0xE1AF, nil, nil, "00A4000C02E1AF00"),
            (0xE104, "11223344", nil, "00A4000C08E10452041122334400"),
            (0xE104, nil, "AABBCCDD", "00A4000C08E1045404AABBCCDD00"),
            (0xE104, "11223344", "AABBCCDD", "00A4000C0EE1045204112233445404AABBCCDD00"),
        ] as [(UInt16, String?, String?, String)]
    )
    func passwords(fileId: UInt16, read: String?, write: String?, bytes: String) throws {
        let command = try builder.selectFile(
            fileId: fileId,
            readPassword: read.map(hex),
            writePassword: write.map(hex)
        )
        #expect(command.encoded == hex(bytes))
    }

    @Test(
        "a password that has not 4 bytes is refused",
        arguments: ["", "112233", "1122334455"]
    )
    func passwordLength(text: String) {
        let error = NbtError.invalidArgument(
            .selectFile,
            "a password has 4 bytes, this one has \(text.count / 2)"
        )
        #expect(throws: error) {
            try builder.selectFile(fileId: 0xE104, readPassword: hex(text), writePassword: nil)
        }
        #expect(throws: error) {
            try builder.selectFile(fileId: 0xE104, readPassword: nil, writePassword: hex(text))
        }
    }

    @Test(
        "bytes are read at any offset",
        arguments: [
            (0x0000, 256, "00B0000000"), (0x01FE, 16, "00B001FE10"), (0x8000, 1, "00B0800001"),
            (0x0300, 27, "00B003001B"), (0xFFFF, 255, "00B0FFFFFF"),
        ] as [(UInt16, Int, String)]
    )
    func read(offset: UInt16, length: Int, bytes: String) throws {
        #expect(
            try builder.readBinary(offset: offset, expectedLen: length).encoded == hex(bytes)
        )
    }

    @Test("lengths that READ BINARY cannot carry are refused", arguments: [-1, 0, 257, 300])
    func readLength(length: Int) {
        #expect(throws: NbtError.self) {
            try builder.readBinary(offset: 0, expectedLen: length)
        }
    }

    @Test("bytes are written at any offset")
    func update() throws {
        #expect(
            try builder.updateBinary(offset: 0, data: hex("EE")).encoded == hex("00D6000001EE")
        )
        #expect(
            try builder.updateBinary(offset: 15, data: hex("0506E1A104000000")).encoded
                == hex("00D6000F080506E1A104000000")
        )
        let most = try builder.updateBinary(offset: 0, data: Data(count: 255))
        #expect(most.encoded == hex("00D60000FF") + Data(count: 255))
    }

    @Test("no bytes or more than 255 cannot be written", arguments: [0, 256])
    func updateLength(count: Int) {
        #expect(throws: NbtError.self) {
            try builder.updateBinary(offset: 0, data: Data(count: count))
        }
    }

    @Test("a challenge is sent with Le")
    func authenticate() throws {
        #expect(
            try builder.authenticateTag(challenge: hex("0102030405060708")).encoded
                == hex("0088000008010203040506070800")
        )
    }

    @Test("an empty challenge or one of more than 255 bytes is refused", arguments: [0, 256])
    func challengeLength(count: Int) {
        #expect(throws: NbtError.self) {
            try builder.authenticateTag(challenge: Data(count: count))
        }
    }
}
