import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A MIFARE DESFire EV1 as far as identification goes: GetVersion, native or wrapped.
///
/// GetVersion comes in three frames: `60`, then `AF` twice; GetApplicationIDs `6A` in as many as it needs. Natively the
/// status byte precedes the data; wrapped (`90 60 00 00 00`) it follows as 91xx. Everything else is an illegal command:
/// 1C, 911C, or 6D00 and 6A82 for ISO 7816-4 commands. The radio side is ATQA 0344, SAK 20, ATS `06 75 77 81 02 80` (facts/pn532.md, 7.1, 7.2).
public final class DESFireIdentification: CardApplication {
    private let version: [Data]
    private let applications: [Data]
    /// The frames that are still to be asked for.
    private let pending = Mutex<[Data]>([])

    private static let additionalFrame: UInt8 = 0xAF
    /// Application identifiers in one frame: 57 of the 59 bytes behind the status.
    private static let applicationsPerFrame = 19

    /// A card of 4096 bytes.
    ///
    /// - Parameters:
    ///   - uid: 7 bytes, as in anticollision.
    ///   - batch: the production batch, 5 bytes.
    ///   - week: the week of production, 1...53.
    ///   - year: the year of production, 2000...2099.
    ///   - applications: the identifiers that GetApplicationIDs gives, 3 bytes each, at most 28.
    /// - Throws: `CardError.invalidArgument` for anything outside these limits.
    public init(
        uid: Data,
        batch: Data = Data([0xBA, 0x00, 0x00, 0x00, 0x01]),
        week: Int = 12,
        year: Int = 2016,
        applications: [Data] = []
    ) throws(CardError) {
        guard uid.count == 7, batch.count == 5, (1...53).contains(week),
            (2000...2099).contains(year)
        else {
            throw .invalidArgument(
                "a DESFire has a UID of 7 bytes, a batch of 5 bytes, and a week and year from 2000 to 2099"
            )
        }
        guard applications.count <= 28, applications.allSatisfy({ $0.count == 3 }) else {
            throw .invalidArgument("a DESFire has at most 28 applications of 3 bytes each")
        }
        // Vendor NXP, type 1, subtype 1, version, size 2^(18 hex / 2) = 4096 bytes, protocol ISO 14443-3 and -4.
        let hardware = Data([0x04, 0x01, 0x01, 0x01, 0x00, 0x18, 0x05])
        let software = Data([0x04, 0x01, 0x01, 0x01, 0x04, 0x18, 0x05])
        version = [
            hardware, software, uid + batch + [Self.decimal(week), Self.decimal(year % 100)],
        ]
        self.applications = stride(
            from: 0,
            to: max(1, applications.count),
            by: Self.applicationsPerFrame
        ).map { applications.dropFirst($0).prefix(Self.applicationsPerFrame).reduce(Data(), +) }
    }

    /// Answers one native or wrapped command.
    public func respond(to command: Data) -> Data {
        switch command.first {
        case nil: return Data([0x67, 0x00])
        case 0x90: return wrapped(command)
        case 0x00 where command.count >= 4:
            // SELECT finds nothing on a card without applications.
            return command.dropFirst().first == 0xA4 ? Data([0x6A, 0x82]) : Data([0x6D, 0x00])
        case let code?:
            let (status, data) = native(code, hasData: command.count > 1)
            return Data([status]) + data
        }
    }

    /// The next frame must be asked for in the same activation.
    public func reset() {
        pending.withLock { $0 = [] }
    }

    /// The body of a wrapped command: 90, code, 00 00, [Lc, data,] 00.
    private func wrapped(_ command: Data) -> Data {
        let parsed: CardCommand
        do {
            parsed = try CardCommand(command)
        } catch {
            return Data([0x91, 0x7E])
        }
        guard parsed.parameters == 0 else { return Data([0x91, 0x9E]) }
        let (status, data) = native(parsed.ins, hasData: !parsed.data.isEmpty)
        return data + [0x91, status]
    }

    /// Status 00 done, AF more to come, 1C illegal command, 7E wrong length.
    private func native(_ code: UInt8, hasData: Bool) -> (status: UInt8, data: Data) {
        pending.withLock { pending in
            let frames: [Data] =
                switch code {
                case 0x60: version
                case 0x6A: applications
                case Self.additionalFrame: pending
                default: []
                }
            pending = []
            guard let frame = frames.first else { return (0x1C, Data()) }
            guard !hasData else { return (0x7E, Data()) }
            pending = Array(frames.dropFirst())
            return (pending.isEmpty ? 0x00 : Self.additionalFrame, frame)
        }
    }

    /// Two decimal digits in one byte.
    private static func decimal(_ number: Int) -> UInt8 {
        UInt8(clamping: number / 10 * 16 + number % 10)
    }
}
