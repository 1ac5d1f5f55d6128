internal import Bytes
internal import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A type B tag: a card application behind ATTRIB and the block protocol of ISO 14443-4.
public final class TypeBTag: VirtualTag {
    private struct State {
        var pupi: Data
        var card: ISODEPCard
        var isActivated = false
    }

    /// What the tag is.
    public let name: String
    private let fixedPUPI: Data?
    private let applicationData: Data
    private let protocolInfo: Data
    private let state: Mutex<State>

    /// A tag round an application.
    ///
    /// - Parameters:
    ///   - name: what the tag is called.
    ///   - pupi: 4 bytes; nil for random ones, new each time the tag loses its power, as e-passports have.
    ///   - applicationData: AFI, a CRC_B of the application identifier and the number of applications; 4 bytes.
    ///   - protocolInfo: bit rates, FSCI and protocol type, FWI and options; 3 bytes. The default takes frames of
    ///     256 bytes, speaks ISO-DEP, has 77 ms for an answer and understands a CID.
    ///   - application: what runs on the card. While it answers it must not call the tag.
    /// - Throws: when a field has the wrong length, or the card would not speak ISO-DEP.
    public init(
        name: String = "ISO 14443-4 type B",
        pupi: Data? = Data([0xB0, 0xB1, 0xB2, 0xB3]),
        applicationData: Data = Data(count: 4),
        protocolInfo: Data = Data([0x00, 0x81, 0x81]),
        application: any CardApplication
    ) throws(VirtualReaderError) {
        guard (pupi ?? Data(count: 4)).count == 4, applicationData.count == 4,
            protocolInfo.count == 3
        else {
            throw .invalidTag(
                "a type B card has 4 bytes of PUPI, 4 of application data, 3 of protocol info"
            )
        }
        let info = [UInt8](protocolInfo)
        guard info[1] & 0x01 != 0 else {
            throw .invalidTag("protocol info \(protocolInfo.hex) does not offer ISO 14443-4")
        }
        self.name = name
        fixedPUPI = pupi
        self.applicationData = applicationData
        self.protocolInfo = protocolInfo
        let waitingTime = FrameWaitingTime.duration(of: info[2] >> 4)
        state = Mutex(
            State(
                pupi: pupi ?? Self.randomPUPI(),
                card: ISODEPCard(application, waitingTime: waitingTime)
            )
        )
    }

    /// PUPI, application data and protocol info.
    public var identification: Identification {
        .typeB(
            pupi: state.withLock { $0.pupi },
            applicationData: applicationData,
            protocolInfo: protocolInfo
        )
    }

    /// Answers ATTRIB and blocks.
    public func receive(_ frame: Frame) -> Answer? {
        state.withLock { state in
            if !state.isActivated {
                // ATTRIB: 1D, PUPI, timing, frame size and bit rates, protocol type, CID (ISO 14443-3, 7.10).
                var reader = ByteReader(frame.bytes)
                guard (try? reader.byte()) == 0x1D, (try? reader.bytes(4)) == state.pupi,
                    let parameters = try? [UInt8](reader.bytes(4))
                else { return nil }
                state.isActivated = true
                let cid = parameters[3] & 0x0F
                state.card.activate(
                    frameSizeCode: parameters[1] & 0x0F,
                    cid: cid,
                    takesParameters: false
                )
                // MBLI 0 and the CID.
                return Answer(Data([cid]), after: .milliseconds(1))
            }
            let answer = state.card.receive(frame.bytes)
            if answer != nil, Card.isDeselect(frame.bytes) { state.isActivated = false }
            return answer
        }
    }

    /// A random PUPI changes, and everything volatile is gone.
    public func fieldLost() {
        state.withLock { state in
            state.pupi = fixedPUPI ?? Self.randomPUPI()
            state.isActivated = false
            state.card.reset()
        }
    }

    private static func randomPUPI() -> Data {
        Data((0..<4).map { _ in UInt8.random(in: .min ... .max) })
    }
}
