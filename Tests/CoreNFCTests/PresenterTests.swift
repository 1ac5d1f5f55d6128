import CoreNFC
import Testing

@Suite struct PresenterTests {
    @Test(
        "The terminal shows messages that say something, and no control characters",
        arguments: [
            (NFCSessionPresentation.opened(message: "hold a tag"), "hold a tag"),
            (.opened(message: ""), nil),
            (.changed(message: "読み取りできました"), "読み取りできました"),
            // What a tag could try: clear the screen, set the title, ring.
            (.changed(message: "tag \u{1B}[2J\u{9B}1m\u{7}\r\nend"), "tag  [2J 1m   end"),
            (.closed(errorMessage: "wrong tag"), "wrong tag"),
            (.closed(errorMessage: nil), nil),
        ] as [(NFCSessionPresentation, String?)]
    )
    func lines(presentation: NFCSessionPresentation, line: String?) {
        #expect(NFCTerminalPresenter.line(for: presentation) == line)
    }

    @Test("A closure presenter hands over what is presented")
    func closure() async {
        await confirmation { called in
            let presenter: any NFCSessionPresenter = .closure { presentation in
                if presentation == .changed(message: "x") { called() }
            }
            presenter.present(.changed(message: "x"))
        }
    }
}
