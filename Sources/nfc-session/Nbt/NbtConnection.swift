import APDU
import Bytes
import NBT
import NFCReader

/// How each of the `nbt` commands gets to its tag.
struct NbtConnection {
    /// The tag, with its operational application selected.
    struct Tag: Sendable {
        let target: TypeATarget
        let commandSet: NbtCommandSet

        var uid: String { target.uid.hex }
    }

    private let timeout: Int?
    private let reader: ReaderChoice
    private let output: Output

    init(_ arguments: Arguments, _ output: Output) throws(UsageError) {
        timeout = try arguments.timeout()
        reader = try ReaderChoice(arguments)
        self.output = output
    }

    /// Waits for a tag, selects its application and runs `body`; then the field goes off.
    ///
    /// - Throws: `Failure.unsuitableTag` for a tag that is no NBT.
    func use<Result: Sendable>(_ body: (Tag) async throws -> Result) async throws -> Result {
        // The frames on the wire hold passwords and keys; the log of the channel does not.
        try await reader.use(output, showsFrames: false) { ready in
            try await OpenReader.use(ready.connectionString) { reader in
                let target = try await reader.isoDepTarget([.iso14443a], within: timeout)
                guard case .typeA(let typeA) = target else { throw Self.noNbt(target) }
                let channel = ReaderChannel(reader: reader, target: target)
                let commandSet = NbtCommandSet(
                    channel: ApduChannel(channel: channel) { [output] in output.trace("\($0)") }
                )
                do {
                    try await commandSet.selectApplication()
                    return try await body(Tag(target: typeA, commandSet: commandSet))
                } catch NbtError.status(.selectApplication, _) {
                    throw Self.noNbt(target)
                } catch NbtError.status(.selectFile, .notFound) {
                    // Each NBT has all of the files (facts/nbt.md, 1.3).
                    throw Self.noNbt(target)
                } catch NbtError.status(.selectConfigurator, .notFound) {
                    throw Self.noNbt(target)
                }
            }
        }
    }

    private static func noNbt(_ target: Target) -> Failure {
        .unsuitableTag(
            "\(target.identifier.hex) (\(TagType.name(of: target))) is no OPTIGA Authenticate NBT"
        )
    }
}

extension Output {
    /// Prints what was done to a tag, as a command's result.
    func done(_ deed: String, on tag: NbtConnection.Tag) throws(Closed) {
        try result(
            .object(["uid": .string(tag.uid), "done": .string(deed)]),
            text: "\(tag.uid)  \(deed)"
        )
    }
}
