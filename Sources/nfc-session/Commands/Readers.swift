import NFCReader

extension Command {
    /// Lists readers.
    static let readers = Command(
        "readers",
        summary: "List readers, and serial ports that may have one",
        discussion: """
            What is listed first is what --reader takes. Readers and adapters on USB are
            named by their socket, usb:1-1.2, which stays the same when the reader is
            unplugged and /dev/ttyUSB0 becomes /dev/ttyUSB1. A baud rate may follow, as
            in usb:1-1.2:230400.

            Nothing is written to any port unless --probe is given. --probe asks what is a
            reader by its USB id or libnfc's configuration, and the serial adapters that
            PN532 boards are sold with, one after the other, unless another program uses
            them. A silent port is asked at 115200, 230400 and 460800 baud, which takes
            about ten seconds. With --reader only that one is listed.

            --watch goes on and tells of readers and ports that come and go, until it is
            stopped: 'appeared', 'changed' (mostly permissions) or 'vanished'.

            Exit status: 0 when there is a reader (with --probe: when one answers), else 3.
            """,
        options: [.probe, .watch],
        run: { arguments, output in
            if arguments.has(.timeout) { throw UsageError.unexpectedOption(.timeout) }
            guard arguments.has(.watch) else { return try await listReaders(arguments, output) }
            if arguments.has(.probe) { throw UsageError.conflict(.probe, .watch) }
            for option in [Option.reader, .virtual] where arguments.has(option) {
                throw UsageError.conflict(option, .watch)
            }
            return try await watchReaders(output)
        }
    )
}

extension Option {
    static let probe = Option("probe", help: "Ask each candidate whether it is a reader")
    static let watch = Option("watch", help: "Tell of readers and ports that come and go")
}

private func listReaders(_ arguments: Arguments, _ output: Output) async throws -> Exit {
    let choice = try ReaderChoice(arguments)
    let isProbing = arguments.has(.probe)
    var probe = ReaderProbe()
    var isFound = false
    func list(_ line: ReaderLine) throws {
        try Task.checkCancellation()
        isFound = isFound || line.isReader
        try output.result(line.json, text: line.text)
    }
    if choice == .real(nil) {
        for candidate in await ReaderCandidates.all() {
            if isProbing { output.trace("asking \(candidate.connectionString)") }
            let answer = isProbing ? await probe.ask(candidate) : nil
            try list(ReaderLine(candidate, answer: answer))
        }
    } else {
        try await choice.use(output) { reader in
            // The name of a socket outlives what is in it now.
            var name = reader.connectionString
            if case .real(let written?) = choice { name = written }
            let line = ReaderLine(
                connectionString: name,
                source: .named,
                description: reader.authority == nil ? "named" : "virtual PN532",
                candidate: nil,
                answer: isProbing ? await probe.ask(name) : nil
            )
            try list(line)
        }
    }
    if !isFound { output.notice("no reader found; 'nfc-session doctor' says why") }
    return isFound ? .done : .reader
}

private func watchReaders(_ output: Output) async throws -> Exit {
    for await event in try Machine.this.readerEvents() {
        let (name, candidate) =
            switch event {
            case .appeared(let candidate): ("appeared", candidate)
            case .changed(let candidate): ("changed", candidate)
            case .vanished(let candidate): ("vanished", candidate)
            }
        let line = ReaderLine(candidate, answer: nil)
        try output.result(
            .object(JSON.Members([("event", .string(name))] + line.members)),
            text: "\(name)  \(line.text)"
        )
    }
    try Task.checkCancellation()
    return .done
}
