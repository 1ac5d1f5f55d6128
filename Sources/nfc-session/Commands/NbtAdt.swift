import Bytes
import NBT

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Command {
    /// Asynchronous data transfer.
    static let nbtAdt = Command(
        "adt",
        summary: "Exchange data with the host behind the tag through its files",
        discussion: """
            The reader writes file1 and reads file2, the host does the opposite. It works
            while no field is there: what it says to one command is read by the next one.
            """,
        subcommands: [.nbtAdtSend, .nbtAdtReceive, .nbtAdtLed]
    )

    private static let nbtAdtSend = Command(
        "send",
        summary: "Write bytes for the host",
        operands: .words("HEX"),
        options: [.position],
        run: { arguments, output in
            let bytes = try arguments.operand(0, "HEX", expected: "bytes in hexadecimal") { text in
                Data(hex: text).flatMap { $0.isEmpty ? nil : $0 }
            }
            let position = try arguments.position(of: bytes.count, in: AdtUseCaseManager.toHost)
            return try await NbtConnection(arguments, output).use { tag in
                try await AdtUseCaseManager(commandSet: tag.commandSet)
                    .send(bytes, at: position)
                try output.done("\(bytes.count) bytes sent", on: tag)
                return .done
            }
        }
    )

    private static let nbtAdtReceive = Command(
        "receive",
        summary: "Read COUNT bytes that the host has written",
        operands: .words("COUNT"),
        options: [.position],
        run: { arguments, output in
            let file = AdtUseCaseManager.fromHost
            let count = try arguments.operand(
                0,
                "COUNT",
                expected: "a number from 1 to \(file.size)"
            ) { text in Int(text).flatMap { (1...file.size).contains($0) ? $0 : nil } }
            let start = try arguments.position(of: count, in: file)
            return try await NbtConnection(arguments, output).use { tag in
                let bytes = try await AdtUseCaseManager(commandSet: tag.commandSet)
                    .receive(start..<start + count)
                try output.result(
                    .object(["uid": .string(tag.uid), "data": .string(bytes.hex)]),
                    text: bytes.hex
                )
                return .done
            }
        }
    )

    private static let nbtAdtLed = Command(
        "led",
        summary: "Switch the LED of Infineon's demonstration, or ask for its state",
        operands: .words("on|off|state"),
        run: { arguments, output in
            let wanted = try arguments.led(["on": true, "off": false, "state": nil])
            return try await NbtConnection(arguments, output).use { tag in
                let manager = AdtUseCaseManager(commandSet: tag.commandSet)
                if let wanted {
                    try await manager.setLed(on: wanted)
                    try output.done("LED to be \(wanted ? "on" : "off")", on: tag)
                } else {
                    let isOn = try await manager.isLedOn()
                    try output.result(
                        .object(["uid": .string(tag.uid), "led": .bool(isOn)]),
                        text: isOn ? "on" : "off"
                    )
                }
                return .done
            }
        }
    )
}

extension Arguments {
    /// The operand that says what is to be done with the LED.
    func led(_ words: [String: Bool?]) throws(UsageError) -> Bool? {
        let expected = words.keys.sorted().joined(separator: ", ")
        return try operand(0, "LED", expected: expected) { words[$0.lowercased()] }
    }

    /// `--at`, from where on this many bytes fit the file.
    fileprivate func position(of count: Int, in file: NbtFile) throws(UsageError) -> Int {
        guard count <= file.size else {
            throw .invalidValue(
                "\(count) bytes",
                of: "HEX",
                expected: "at most \(file.size) bytes"
            )
        }
        return try number(of: .position, in: 0...(file.size - count)) ?? 0
    }
}
