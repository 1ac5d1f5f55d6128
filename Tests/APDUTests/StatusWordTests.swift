import APDU
import Testing

@Suite struct StatusWordTests {
    @Test("the two bytes and the four digits are those of the value")
    func bytes() {
        let status = StatusWord(rawValue: 0x6A82)
        #expect(status.sw1 == 0x6A)
        #expect(status.sw2 == 0x82)
        #expect("\(status)" == "6A82")
        #expect("\(StatusWord(rawValue: 0x0001))" == "0001")
        #expect(status == .notFound)
    }

    @Test(
        "61xx and 6Cxx carry a length, and 00 stands for 256",
        arguments: [
            (0x6110, 16, nil), (0x6100, 256, nil), (0x6C10, nil, 16), (0x6C00, nil, 256),
            (0x9000, nil, nil), (0x6700, nil, nil),
        ] as [(UInt16, Int?, Int?)]
    )
    func lengths(value: UInt16, remaining: Int?, exact: Int?) {
        let status = StatusWord(rawValue: value)
        #expect(status.remainingBytes == remaining)
        #expect(status.exactLength == exact)
    }

    @Test(
        "63Cx carries a counter",
        arguments: [(0x63C3, 3), (0x63C0, 0), (0x63CF, 15), (0x6381, nil), (0x63D3, nil)]
            as [(UInt16, Int?)]
    )
    func counter(value: UInt16, counter: Int?) {
        #expect(StatusWord(rawValue: value).counter == counter)
    }

    @Test(
        "the meaning is that of ISO 7816-4",
        arguments: [
            (0x9000, "done"),
            (0x6105, "done, 5 more bytes available"),
            (0x6100, "done, 256 bytes or more still available"),
            (0x6282, "warning, the file ended before Le bytes were read"),
            (0x62F0, "warning, memory unchanged"),
            (0x63C2, "warning, counter is 2 (tries left)"),
            (0x6300, "warning, memory changed"),
            (0x6400, "execution error, memory unchanged"),
            (0x6581, "execution error, memory failure"),
            (0x6700, "wrong length (Lc or Le)"),
            (0x6882, "secure messaging not supported"),
            (0x6900, "command not allowed"),
            (0x6985, "conditions of use not satisfied"),
            (0x6A82, "file or application not found"),
            (0x6AFF, "wrong parameters"),
            (0x6B00, "wrong P1-P2 (offset outside the file)"),
            (0x6C0F, "wrong Le, the exact length is 15"),
            (0x6D00, "instruction not supported"),
            (0x6E00, "class not supported"),
            (0x6F12, "unknown error"),
            (0x91AE, "defined by the application"),
            (0x0000, "no status word of ISO 7816-4"),
        ] as [(UInt16, String)]
    )
    func meaning(value: UInt16, text: String) {
        #expect(StatusWord(rawValue: value).meaning == text)
    }

    @Test("every status word has a meaning")
    func everyMeaning() {
        for value in UInt16.min...UInt16.max {
            #expect(!StatusWord(rawValue: value).meaning.isEmpty)
        }
    }
}
