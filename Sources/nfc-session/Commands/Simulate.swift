import VirtualReader

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Command {
    /// Keeps a virtual reader standing.
    static let simulate = Command(
        "simulate",
        summary: "Keep a virtual reader standing for other programs",
        discussion: """
            The reader is a PN532 on a pseudo-terminal; its connection string is printed. It
            stays until SIGINT or 'quit'. Lines on standard input change what is in its
            field:
              place TAG, remove TAG, swap OLD NEW, quit
            A TAG that was taken away and is placed again is the same one, memory and all.

            A script does the same at times or commands, and has things go wrong:
              at 1s do place ntag213
              at 3s do remove ntag213
              at frame-to-host 5% do spoil
              at exchange 7 do tag-lost
              at 10s do replug after 2s
            Time starts with the first byte that a host sends. docs/simulation.md lists all
            words; ready scripts are in Examples/Scenarios.

            TAG is a kind and, after a colon, its options, separated by commas:
              nbt:expired   ntag213:uid=04112233445566   felica

            Kinds:
            \(table(TagCatalog.kinds.map { ($0.name, $0.summary) }))

            Options of nbt:
            \(table(TagCatalog.nbtOptions))

            Example, with two terminals:
              nfc-session simulate nbt --link /tmp/nfc --write-anchor /tmp/ca.pem
              nfc-session verify --reader pn532_uart:/tmp/nfc --anchor /tmp/ca.pem
            """,
        operands: .many("TAG", minimum: 0),
        options: [.link, .script, .timing, .writeAnchor],
        run: { arguments, output in try await Simulate(arguments, output).run() }
    )

    private static func table(_ rows: [(name: String, summary: String)]) -> String {
        let width = (rows.map(\.name.count).max() ?? 0) + 2
        return rows.map { "  " + $0.name.padded(to: width) + $0.summary }.joined(separator: "\n")
    }
}

extension Option {
    static let link = Option(
        "link",
        value: "PATH",
        help: "Make a symbolic link to the reader's port, so that its name is known"
    )
    static let script = Option(
        "script",
        value: "FILE",
        help: "Have tags come and go, and things go wrong, as this file says"
    )
    static let timing = Option(
        "timing",
        value: "TIMING",
        help: "immediate (the default): as fast as can be; real: as slow as the hardware"
    )
    static let writeAnchor = Option(
        "write-anchor",
        value: "FILE",
        help: "Write the CA of the nbt tags as PEM, for 'verify --anchor'"
    )
}

/// The work of `simulate`.
struct Simulate {
    private let tags: [String]
    private let link: String?
    private let script: String?
    private let timing: Timing
    private let anchorFile: String?
    private let output: Output

    init(_ arguments: Arguments, _ output: Output) throws(UsageError) {
        for option in [Option.reader, .timeout] where arguments.has(option) {
            throw .unexpectedOption(option)
        }
        tags =
            (arguments.value(of: .virtual)?.split(separator: "+").map(String.init) ?? [])
            + arguments.operands
        link = try arguments.value(
            of: .link,
            expected: "a path without ':', which libnfc could not take"
        ) { $0.contains(":") ? nil : $0 }
        script = arguments.value(of: .script)
        timing =
            try arguments.value(of: .timing, expected: "immediate or real") { text in
                ["immediate": Timing.immediate, "real": .real][text]
            } ?? .immediate
        anchorFile = arguments.value(of: .writeAnchor)
        self.output = output
    }

    func run() async throws -> Exit {
        let catalog = try TagCatalog()
        let reader = try VirtualReader(timing: timing)
        defer { reader.close() }
        if output.detail == .verbose {
            let output = output
            reader.trace = { output.trace($0.line) }
        }
        var field = SimulatedField(reader: reader, catalog: catalog)
        for tag in tags { try field.place(tag) }
        if let anchorFile { try write(catalog.authority.manufacturingPEM, to: anchorFile) }
        if let script { try play(script, on: reader, &field) }
        if let link { try reader.link(at: link) }
        let connectionString = "pn532_uart:" + (link ?? reader.path)
        try output.result(
            .object(["event": .string("ready"), "reader": .string(connectionString)]),
            text: connectionString
        )
        try await obey(&field)
        return .done
    }

    /// Does what standard input says, until `quit`; without further input until the task is cancelled.
    private func obey(_ field: inout SimulatedField) async throws {
        for await line in StandardInput.lines() {
            let words = line.split(separator: " ").map(String.init)
            guard words != ["quit"] else { return }
            guard !words.isEmpty else { continue }
            do {
                try field.obey(words)
                try output.result(
                    .object([
                        "event": .string("done"), "command": .string(words.joined(separator: " ")),
                    ]),
                    text: "done " + words.joined(separator: " ")
                )
            } catch let error as Output.Closed {
                throw error
            } catch {
                Output.error("\(error)")
            }
        }
        while !Task.isCancelled { try await Task.sleep(for: .seconds(3600)) }
        throw CancellationError()
    }

    /// Has the reader do what the script says; its tags are the ones that the command line names too.
    private func play(
        _ path: String,
        on reader: VirtualReader,
        _ field: inout SimulatedField
    ) throws {
        let text: String
        do {
            text = try String(contentsOf: URL(filePath: path), encoding: .utf8)
        } catch {
            throw Failure.file(path: path, reason: "cannot be read (\(error))")
        }
        do {
            let scenario = try Scenario(text)
            var tags: [String: any VirtualTag] = [:]
            for step in scenario.steps {
                for name in step.tagNames {
                    do throws(TagCatalogError) {
                        tags[name] = try field.tag(name)
                    } catch {
                        throw Failure.file(path: path, reason: "line \(step.line): \(error)")
                    }
                }
            }
            let output = output
            try reader.play(scenario, tags: tags) { step in
                output.trace("\(path), line \(step.line): \(step.text)")
            }
        } catch let error as ScenarioError {
            throw Failure.file(path: path, reason: "\(error)")
        }
    }

    private func write(_ text: String, to path: String) throws(Failure) {
        do {
            try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw .file(path: path, reason: "cannot be written (\(error))")
        }
    }
}
