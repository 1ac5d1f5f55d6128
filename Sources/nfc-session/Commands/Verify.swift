import BrandProtection
import CoreNFC
import NFCSession
import VirtualReader

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Command {
    /// Verifies brand protection.
    static let verify = Command(
        "verify",
        summary: "Verify that a product with an OPTIGA Authenticate NBT is genuine",
        discussion: """
            Verdicts: genuine; notGenuine: the tag was read and is not what it should be;
            unreadable: it could not be read or judged, try again.

            No trust anchor is built in: --anchor names the PEM files of the CAs that may
            vouch for a tag. Only with --virtual, and without --anchor, the virtual reader's
            own CA is trusted, and called a test anchor in the result.

            A result stays for four seconds, and longer while its tag does. Exit status with
            --once: 0 genuine, 1 not genuine, 5 unreadable (3 when the reader failed).
            Without: 130 on SIGINT; at the end of --timeout 0 when every tag was genuine,
            else 1, or 4 when no tag came.

            Examples:
              nfc-session verify --anchor ManufacturingCA.pem
              nfc-session verify --once --json --virtual nbt:counterfeit
            """,
        options: [.verifyOnce, .anchor],
        run: { arguments, output in try await Verify(arguments, output).run() }
    )
}

extension Option {
    static let verifyOnce = Option("once", help: "Verify one tag; the exit status is its verdict")
    static let anchor = Option(
        "anchor",
        value: "PEM",
        help: "Trust the CA certificates in this file",
        isRepeatable: true
    )
}

/// The work of `verify`.
struct Verify {
    private let isOnce: Bool
    private let anchorFiles: [String]
    private let timeout: Int?
    private let reader: ReaderChoice
    private let output: Output

    init(_ arguments: Arguments, _ output: Output) throws(UsageError) {
        isOnce = arguments.has(.verifyOnce)
        anchorFiles = arguments.values(of: .anchor)
        timeout = try arguments.timeout()
        reader = try ReaderChoice(arguments)
        if anchorFiles.isEmpty, case .real = reader { throw .missingOption(.anchor) }
        self.output = output
    }

    func run() async throws -> Exit {
        // A bad anchor file is reported before a reader is touched.
        let given = anchorFiles.isEmpty ? nil : try TrustAnchors(pemFiles: anchorFiles)
        return try await reader.use(output) { reader in
            let anchors = try given ?? virtualAnchors(reader)
            let report = VerificationReport(output, isVirtualAnchor: given == nil)
            try await verify(anchors, reader.connectionString, report)
            return try await exit(report)
        }
    }

    private func verify(
        _ anchors: TrustAnchors,
        _ connectionString: String,
        _ report: VerificationReport
    ) async throws {
        var configuration = NFCSessionConfiguration()
        configuration.reader = connectionString
        configuration.sessionTimeLimit = nil
        configuration.presenter = .none
        let output = output
        let session = BrandVerificationSession(anchors: anchors, configuration: configuration) {
            output.trace("\($0)")
        }
        let isOnce = isOnce
        try await Deadline.cancel(after: timeout) {
            let show: @Sendable (BrandVerificationSession.State) async -> Void = { state in
                // The session's own task: it switches the field off and returns.
                if await !report.show(state) { withUnsafeCurrentTask { $0?.cancel() } }
            }
            do {
                if isOnce {
                    _ = try await session.verifyOnce(show)
                } else {
                    try await session.run(show)
                }
            } catch BrandVerificationSession.Failure.reader(_, let text) {
                throw Failure.reader(text)
            }
        }
    }

    private func virtualAnchors(_ reader: ReaderChoice.Ready) throws -> TrustAnchors {
        guard let authority = reader.authority else { throw UsageError.missingOption(.anchor) }
        output.notice("trusting the virtual reader's own CA, a test anchor")
        return try TrustAnchors(pem: Data(authority.manufacturingPEM.utf8))
    }

    private func exit(_ report: VerificationReport) async throws -> Exit {
        if await report.isClosed { throw Output.Closed() }
        try Task.checkCancellation()
        guard let result = await report.result else {
            let seconds = timeout ?? 0
            throw await report.hasSeenTag
                ? Failure.unfinished(seconds: seconds) : Failure.noTag(seconds: seconds)
        }
        if isOnce { return Exit(result) }
        return await report.isAllGenuine ? .done : .negative
    }
}
