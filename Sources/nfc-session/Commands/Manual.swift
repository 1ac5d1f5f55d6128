extension Command {
    /// Prints the manual page.
    static let manual: Command = .init(
        "manual",
        summary: "Print the manual page, for man(1)",
        discussion: "  nfc-session manual | man -l -",
        run: { _, output in
            try output.line(ManualPage.text(of: .root, version: Main.version))
            return .done
        }
    )
}
