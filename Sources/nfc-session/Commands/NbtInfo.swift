extension Command {
    /// Everything that can be read.
    static let nbtInfo = Command(
        "info",
        summary: "Show all that can be read of a tag, in words",
        discussion: """
            State, private key, memory, files and their access policies, the message, the
            configuration. No password is tried. What the tag refuses is shown as refused,
            with the reason, and is no error.
            """,
        run: { arguments, output in
            try await NbtConnection(arguments, output).use { tag in
                let report = try await NbtReport(reading: tag)
                try output.result(report.json, text: report.text)
                return .done
            }
        }
    )
}
