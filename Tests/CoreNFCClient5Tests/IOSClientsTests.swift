import CoreNFC
import TestSupport
import Testing
import VirtualReader

/// Runs the clients of IOSClients.swift on a virtual reader.
@Suite(.serialized) struct IOSClientsTests {
    /// What an Info.plist, the cable and the user's screen are on an iPhone.
    private func withReader(
        _ tags: [any VirtualTag],
        _ body: (VirtualReader) async throws -> Void
    ) async throws {
        let reader = try VirtualReader()
        for tag in tags { reader.place(tag) }
        var configuration = NFCSessionConfiguration()
        configuration.reader = reader.connectionString
        configuration.iso7816SelectIdentifiers = ["A0000000010101"]
        configuration.pollPeriod = .milliseconds(10)
        configuration.presenter = .none
        configuration.allowsOtherSessions = true
        NFCSessionConfiguration.shared = configuration
        defer {
            NFCSessionConfiguration.shared = nil
            reader.close()
        }
        try await body(reader)
    }

    private func card() throws -> TypeBTag { try TypeBTag(application: EmployeeCard()) }

    // Fact 2.3: readingAvailable
    @Test("readingAvailable is true on every class once a reader is configured")
    func readingAvailable() async throws {
        try await withReader([]) { _ in
            #expect(NFCReaderSession.readingAvailable)
            #expect(NFCTagReaderSession.readingAvailable)
            #expect(NFCNDEFReaderSession.readingAvailable)
        }
    }

    // Fact 2.3: readingAvailable
    @Test(
        "readingAvailable is false where no reader is configured nor on USB",
        .enabled(if: MachineReaders.areNone, "there may be a reader on this machine")
    )
    func readingUnavailable() async throws {
        try await withReader([]) { _ in
            NFCSessionConfiguration.shared = NFCSessionConfiguration()
            #expect(!NFCReaderSession.readingAvailable)
            #expect(!NFCTagReaderSession.readingAvailable)
            #expect(!NFCNDEFReaderSession.readingAvailable)
        }
    }

    @Test("The employee card is verified and read")
    func employeeCard() async throws {
        try await withReader([try card()]) { _ in
            let client = EmployeeCardReader()
            let text = await withCheckedContinuation { continuation in
                client.finished = { continuation.resume(returning: $0) }
                client.start()
            }
            #expect(text == "Read: EMPLOYEE 42")
            #expect(client.session == nil)
        }
    }

    // Fact 2.9: All samples treat count > 1 as an error
    @Test("A tag of another kind, and two tags, are told to the user; then the card is read")
    func employeeCardAfterOthers() async throws {
        let ntag = try Type2Tag()
        try await withReader([ntag, try Type2Tag(uid: .fixed(hex("04112233445566")))]) { reader in
            let client = EmployeeCardReader()
            let employeeCard = try card()
            let text = await withCheckedContinuation { continuation in
                client.finished = { continuation.resume(returning: $0) }
                client.start()
                Task {
                    while client.session?.alertMessage != "More than one tag" { await Task.yield() }
                    reader.removeAll()
                    reader.place(ntag)
                    while client.session?.alertMessage != "Not a card of this kind" {
                        await Task.yield()
                    }
                    reader.swap(ntag, for: employeeCard)
                }
            }
            #expect(text == "Read: EMPLOYEE 42")
        }
    }

    @Test("The UID scanner calls back with the UID")
    func uidScanner() async throws {
        try await withReader([try Type2Tag()]) { _ in
            let scanner = UIDScanner()
            let uid = await withCheckedContinuation { continuation in
                scanner.onNFCFoundCallback = { continuation.resume(returning: $0) }
                scanner.captureNFC()
            }
            #expect(uid == "04a1b2c3d4e580")
        }
    }

    @Test("A task that captures session and tags gets its answer")
    func task() async throws {
        try await withReader([try ISODEPTag(application: EmployeeCard(needsPIN: false))]) { _ in
            let client = TaskClient()
            let result = await withCheckedContinuation { continuation in
                client.finished = { continuation.resume(returning: $0) }
                client.start()
            }
            let data = try result.get()
            #expect(data == Data("EMPLOYEE 42".utf8))
        }
    }
}

/// What this machine may have by way of readers, seen without the package's eyes.
private enum MachineReaders {
    static var areNone: Bool {
        let environment = ProcessInfo.processInfo.environment
        let names = ["NFC_SESSION_READER", "LIBNFC_DEVICE", "LIBNFC_DEFAULT_DEVICE"]
        let folders = ["/sys/bus/usb/devices", "/etc/nfc/devices.d"]
        let settings = try? String(contentsOfFile: "/etc/nfc/libnfc.conf", encoding: .utf8)
        return names.allSatisfy { environment[$0] == nil }
            && folders.allSatisfy { folder in
                let files = try? FileManager.default.contentsOfDirectory(atPath: folder)
                return (files ?? []).isEmpty
            }
            && !(settings ?? "").split(separator: "\n").contains { $0.hasPrefix("device.") }
    }
}

/// A card with one application, one PIN and one file.
private final class EmployeeCard: CardApplication, @unchecked Sendable {
    // Unchecked: used on the virtual reader's thread only.
    private let needsPIN: Bool
    private var isVerified = false

    init(needsPIN: Bool = true) { self.needsPIN = needsPIN }

    func respond(to command: Data) -> Data {
        switch command {
        case hex("00A4040007A000000001010100"):
            return hex("9000")
        case hex("002000800431323334"):
            isVerified = true
            return hex("9000")
        case hex("00B0000000"):
            return isVerified || !needsPIN ? Data("EMPLOYEE 42".utf8) + hex("9000") : hex("6982")
        default:
            return hex("6D00")
        }
    }

    func reset() { isVerified = false }
}
