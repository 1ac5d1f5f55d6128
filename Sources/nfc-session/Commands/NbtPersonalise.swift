import BrandProtection
import Bytes
import NBT
import NDEF
import NFCReader

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Command {
    /// Prepares a blank tag.
    static let nbtPersonalise = Command(
        "personalise",
        summary: "Prepare a blank tag for a use case",
        discussion: """
            brand-protection needs --certificate and --key, which must belong together.
            handover needs --bluetooth, or --message. adt and pass-through need nothing.

            A tag that is not as delivered is refused. When a tag is lost on the way, the
            same command once more goes on: what is done is found done.

            With a master password (--master-password-file, or
            NFC_SESSION_NBT_MASTER_PASSWORD) that password is created, and from then on the
            NDEF file and the access policies are written over NFC with it only. Without,
            anybody can change the access policies.

            Examples:
              nfc-session nbt personalise adt --dry-run
              nfc-session nbt personalise bp --certificate tag.pem --key tag.key \\
                --master-password-file master
            """,
        operands: .words("USE-CASE"),
        options: [
            .certificate, .key, .uri, .message, .bluetooth, .bluetoothName, .linkKeyFile,
            .masterPasswordFile, .masterId, .tries, .finalise, .dryRun, .consent,
        ],
        run: { arguments, output in try await NbtPersonalise(arguments, output).run() }
    )
}

extension Option {
    static let certificate = Option(
        "certificate",
        value: "FILE",
        help: "The tag's certificate, PEM or DER"
    )
    static let key = Option(
        "key",
        value: "FILE",
        help: "The certificate's private key, PEM or DER, not encrypted"
    )
    static let uri = Option(
        "uri",
        value: "URI",
        help: "An address that phones open, beside the certificate"
    )
    static let message = Option(
        "message",
        value: "FILE",
        help: "This NDEF message, ready made, instead"
    )
    static let bluetooth = Option(
        "bluetooth",
        value: "ADDRESS",
        help: "The Bluetooth device to pair with, as 00:11:22:AA:BB:CC"
    )
    static let bluetoothName = Option("name", value: "NAME", help: "The Bluetooth device's name")
    static let masterId = Option(
        "master-id",
        value: "N",
        help: "The number of the master password, 1 to 31; 1 unless given"
    )
    static let finalise = Option(
        "finalise",
        help: "End personalisation for good: keys can never be stored again"
    )
}

/// The work of `nbt personalise`.
struct NbtPersonalise {
    private let useCase: NbtUseCase
    private let arguments: Arguments
    private let connection: NbtConnection
    private let output: Output

    init(_ arguments: Arguments, _ output: Output) throws(UsageError) {
        useCase = try arguments.useCase(0)
        self.arguments = arguments
        connection = try NbtConnection(arguments, output)
        self.output = output
    }

    func run() async throws -> Exit {
        // All that is wrong with files, keys and passwords is said before a reader is touched.
        let certificate = useCase == .brandProtection ? try certificate() : nil
        var content = try content(certificate)
        if let path = arguments.value(of: .message) { content.message = try Self.message(path) }
        content.linkKey = try await Secret.linkKey.optional(arguments, output).map(SecretKey.init)
        try await lock(&content)
        content.finalises = arguments.has(.finalise)
        let run = try PlanRun(
            try PersonalisationPlan(content),
            deed: "prepare the tag for \(useCase.rawValue)",
            arguments,
            output
        )
        return try await connection.use { tag in
            if let certificate { compareNames(certificate, tag) }
            return try await run.run(on: tag, keyProof: certificate?.keyProof)
        }
    }

    // MARK: What is put on the tag

    private func content(
        _ certificate: Certificate?
    ) throws -> PersonalisationPlan.Content {
        let own: [Option] =
            switch useCase {
            case .brandProtection: [.certificate, .key, .uri]
            case .connectionHandover: [.bluetooth, .bluetoothName]
            case .asynchronousDataTransfer, .passThrough: []
            }
        let special: [Option] = [.certificate, .key, .uri, .bluetooth, .bluetoothName]
        for option in special where arguments.has(option) && !own.contains(option) {
            throw UsageError.unexpectedOption(option)
        }
        for option in [Option.uri, .bluetooth, .bluetoothName]
        where arguments.has(option) && arguments.has(.message) {
            throw UsageError.conflict(option, .message)
        }
        if let certificate { return try brandProtection(certificate) }
        guard useCase == .connectionHandover, !arguments.has(.message) else {
            return PersonalisationPlan.Content(for: useCase)
        }
        return try .connectionHandover(to: try bluetoothRecord())
    }

    private func brandProtection(
        _ certificate: Certificate
    ) throws -> PersonalisationPlan.Content {
        guard let path = arguments.value(of: .key) else { throw UsageError.missingOption(.key) }
        let bytes = try Data(file: path)
        let key: DeviceKey
        do throws(BrandProtectionError) {
            key = try DeviceKey(bytes)
        } catch {
            throw Failure.file(path: path, reason: "\(error)")
        }
        guard key.belongs(to: certificate) else {
            throw Failure.file(path: path, reason: "it is not the key of the certificate")
        }
        do {
            return try .brandProtection(
                certificate: certificate,
                key: key,
                url: arguments.value(of: .uri)
            )
        } catch let error as NDEFError {
            throw Failure.impossible("--uri: \(error)")
        }
    }

    private func certificate() throws -> Certificate {
        guard let path = arguments.value(of: .certificate) else {
            throw UsageError.missingOption(.certificate)
        }
        let bytes = try Data(file: path)
        do throws(BrandProtectionError) {
            // A DER structure begins with the byte of SEQUENCE, which no PEM text does.
            let found =
                bytes.first == 0x30
                ? [try Certificate(der: bytes)] : try Certificate.certificates(pem: bytes)
            guard let certificate = found.first, found.count == 1 else {
                throw .malformedCertificate("there are \(found.count) in it, not one")
            }
            for policy in LeafPolicy.all {
                if let violation = policy.violation(certificate) {
                    throw .malformedCertificate("it \(violation)")
                }
            }
            return certificate
        } catch {
            throw Failure.file(path: path, reason: "\(error)")
        }
    }

    private func bluetoothRecord() throws -> BluetoothRecord {
        let address = try arguments.value(
            of: .bluetooth,
            expected: "six bytes as 00:11:22:AA:BB:CC",
            parse: BluetoothAddress.init(_:)
        )
        guard let address else { throw UsageError.missingOption(.bluetooth) }
        guard let name = arguments.value(of: .bluetoothName) else {
            return BluetoothRecord(address: address)
        }
        do throws(NDEFError) {
            return BluetoothRecord(address: address, data: [try .localName(name)])
        } catch {
            throw Failure.impossible("--name: \(error)")
        }
    }

    /// A ready message, which must be one.
    static func message(_ path: String) throws -> Data {
        let bytes = try Data(file: path)
        do throws(NDEFError) {
            _ = try NDEFMessage(encoded: bytes)
            return bytes
        } catch {
            throw Failure.file(path: path, reason: "it is no NDEF message: \(error)")
        }
    }

    /// Creates the master password, where one was given, and lets it guard what can be written.
    private func lock(_ content: inout PersonalisationPlan.Content) async throws {
        let number = try arguments.number(of: .masterId, in: 1...31) ?? 1
        let limit = try arguments.tryLimit()
        guard let master = try await Secret.newMasterPassword.optional(arguments, output) else {
            for option in [Option.masterId, .tries] where arguments.has(option) {
                throw Failure.secret(
                    "--\(option.name) is for the master password, which is missing"
                )
            }
            return
        }
        let id = try PasswordId(number)
        content.passwords = [
            try PasswordDefinition(
                id: id,
                password: master,
                response: id.usualResponse,
                limit: limit
            )
        ]
        content.policies[.ndef].nfcWrite = .password(id)
        content.policies[.fileAccessPolicy].nfcWrite = .password(id)
    }

    /// A certificate names its tag (facts/nbt.md, 2.8); one for another tag is still one.
    private func compareNames(_ certificate: Certificate, _ tag: NbtConnection.Tag) {
        let name = certificate.subjectCommonName ?? "nobody"
        guard !tag.target.hasRandomUID, name.uppercased() != tag.uid.uppercased() else { return }
        output.notice("the certificate is for \(printable(name)), not for this tag, \(tag.uid)")
    }
}
