import Bytes
import Foundation
import Synchronization
import TestSupport
import Testing
import VirtualReader

/// Tampering with commands and answers.
@Suite struct InterceptedApplicationTests {
    private static let select = Step("00A4040007D276000085010100", "9000")
    private static let selectNDEF = Step("00A4000C02E104", "9000")

    private func card(
        _ intercept: @escaping @Sendable (Int, Data) -> InterceptedApplication.Interception
    ) throws -> InterceptedApplication {
        InterceptedApplication(
            try Type4Application(ndefMessage: hex("D00000")),
            intercept: intercept
        )
    }

    @Test("the third command is refused, and the card has not seen it")
    func refuses() throws {
        let card = try card { number, _ in number == 3 ? .refuse(0x6982) : .pass }
        expect(
            card,
            answers: [
                Self.select, Self.selectNDEF, Step("00A4000C02E103", "6982"),
                Step("00B0000005", "0003D000009000"),
            ]
        )
        #expect(card.commandCount == 4)
    }

    @Test("answers are replaced, cut, garbled and changed")
    func changes() throws {
        let card = try card { number, command in
            switch number {
            case 3: .replace(hex("0102039000"))
            case 4: .cut(toBytes: 4)
            case 5: .garble(byteAt: 2)
            case 6: .cut(toBytes: 0)
            case 7: .alter { hex("EE") + $0 }
            case 8: .garble(byteAt: 100)
            default: .pass
            }
        }
        expect(
            card,
            answers: [
                Self.select, Self.selectNDEF, Step("00B0000005", "0102039000"),
                Step("00B0000005", "0003D000"), Step("00B0000005", "00032F00009000"),
                Step("00B0000005", ""), Step("00B0000005", "EE0003D000009000"),
                Step("00B0000005", "0003D000009000"),
            ]
        )
    }

    @Test("the command's bytes can decide")
    func decidesByBytes() throws {
        let card = try card { _, command in
            command.dropFirst().first == 0xB0 ? .refuse(0x6F00) : .pass
        }
        expect(card, answers: [Self.select, Self.selectNDEF, Step("00B0000001", "6F00")])
    }

    @Test("working time is lengthened, and asking for it twice is one command")
    func delays() throws {
        let asked = Mutex<[Int]>([])
        let inner = try NBTApplication()
        let card = InterceptedApplication(inner) { number, _ in
            asked.withLock { $0.append(number) }
            return number == 2 ? .delay(.seconds(2)) : .pass
        }
        let read = hex("00B0000001")
        #expect(card.workingTime(of: read) == inner.workingTime(of: read))
        #expect(card.respond(to: read) == hex("6D00"))
        #expect(card.workingTime(of: read) == inner.workingTime(of: read) + .seconds(2))
        #expect(card.workingTime(of: read) == inner.workingTime(of: read) + .seconds(2))
        #expect(card.respond(to: read) == hex("6D00"))
        #expect(card.respond(to: read) == hex("6D00"))
        #expect(asked.withLock { $0 } == [1, 2, 3])
        #expect(card.commandCount == 3)
    }

    @Test("a field loss reaches the card, and the count goes on")
    func reset() throws {
        let card = try card { number, _ in number == 4 ? .refuse(0x6F00) : .pass }
        expect(card, answers: [Self.select, Self.selectNDEF])
        card.reset()
        expect(card, answers: [Step("00B0000001", "6986"), Step("00B0000001", "6F00")])
    }
}
