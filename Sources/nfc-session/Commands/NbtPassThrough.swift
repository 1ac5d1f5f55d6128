import APDU
import Bytes
import NBT

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Command {
    /// Pass-through.
    static let nbtPassThrough = Command(
        "pass-through",
        summary: "Send commands straight to the host behind the tag",
        discussion: """
            The tag must be prepared for it: 'nfc-session nbt personalise pass-through', or
            at least 'nbt config set gpio-function pass-through'.
            """,
        subcommands: [.nbtPassThroughSend, .nbtPassThroughLed]
    )

    private static let nbtPassThroughSend = Command(
        "send",
        summary: "Send command APDUs to an application of the host",
        discussion: """
            Each HEX is one command APDU. The application is the one of Infineon's
            demonstration, 0102030405, unless --aid names another.

            Exit status: 0 when every status word is 9000 or 61xx, 1 when not.
            """,
        operands: .many("HEX"),
        options: [.hostAid],
        run: { arguments, output in
            var commands: [CommandAPDU] = []
            for word in arguments.operands { commands.append(try Apdu.command(word)) }
            let aid = try arguments.hostAid()
            let toSend = commands
            return try await NbtConnection(arguments, output).use { tag in
                let manager = PtUseCaseManager(commandSet: tag.commandSet, aid: aid)
                try await manager.select()
                var isSuccess = true
                for command in toSend {
                    let start = ContinuousClock.now
                    let line = ApduLine(
                        command: command.encoded,
                        response: try await manager.send(command),
                        duration: ContinuousClock.now - start
                    )
                    try output.result(line.json, text: line.text)
                    isSuccess = line.isSuccess && isSuccess
                }
                return isSuccess ? .done : .negative
            }
        }
    )

    private static let nbtPassThroughLed = Command(
        "led",
        summary: "Switch the LED of Infineon's demonstration",
        operands: .words("on|off"),
        options: [.hostAid],
        run: { arguments, output in
            let isOn = try arguments.led(["on": true, "off": false]) ?? false
            let aid = try arguments.hostAid()
            return try await NbtConnection(arguments, output).use { tag in
                try await PtUseCaseManager(commandSet: tag.commandSet, aid: aid).setLed(on: isOn)
                try output.done("LED \(isOn ? "on" : "off")", on: tag)
                return .done
            }
        }
    )
}

extension Option {
    static let hostAid = Option(
        "aid",
        value: "AID",
        help: "The host's application (5-16 bytes); 0102030405 unless given"
    )
}

extension Arguments {
    /// `--aid` of the host's application.
    fileprivate func hostAid() throws(UsageError) -> Data {
        let aid = try value(of: .hostAid, expected: "5 to 16 bytes in hexadecimal") { text in
            Data(hex: text).flatMap { 5...16 ~= $0.count ? $0 : nil }
        }
        return aid ?? NbtConstants.demonstrationHostAid
    }
}
