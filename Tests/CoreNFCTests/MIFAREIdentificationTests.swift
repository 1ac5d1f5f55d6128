import CoreNFC
import NFCReader
import TestSupport
import Testing

@Suite struct MIFAREIdentificationTests {
    struct Tag: Sendable, CustomTestStringConvertible {
        let product: String
        let atqa: UInt16
        let sak: UInt8
        let uid: String
        let ats: String?
        let family: NFCMiFareFamily?

        var testDescription: String { product }
    }

    // Fact 2.8: Other type A tags
    // Fact 2.8: Dual-interface chips
    // Fact 2.8: SAK-to-family mapping
    /// ATQA, SAK and ATS of products: facts/pn532.md, 3.1, 7.1 and 7.2.
    @Test(
        "A tag's family follows from ATQA, SAK and ATS",
        arguments: [
            Tag(
                product: "NTAG213",
                atqa: 0x0044,
                sak: 0x00,
                uid: "04a1b2c3d4e580",
                ats: nil,
                family: .ultralight
            ),
            Tag(
                product: "Classic 1K",
                atqa: 0x0004,
                sak: 0x08,
                uid: "deadbeef",
                ats: nil,
                family: .unknown
            ),
            Tag(
                product: "Classic 4K",
                atqa: 0x0002,
                sak: 0x18,
                uid: "deadbeef",
                ats: nil,
                family: .unknown
            ),
            Tag(
                product: "Classic Mini",
                atqa: 0x0004,
                sak: 0x09,
                uid: "deadbeef",
                ats: nil,
                family: .unknown
            ),
            Tag(
                product: "Skylander",
                atqa: 0x0F01,
                sak: 0x01,
                uid: "deadbeef",
                ats: nil,
                family: .unknown
            ),
            Tag(
                product: "DESFire EV1",
                atqa: 0x0344,
                sak: 0x20,
                uid: "041e2061801d80",
                ats: "067577810280",
                family: .desfire
            ),
            Tag(
                product: "NTAG 424 DNA",
                atqa: 0x0344,
                sak: 0x20,
                uid: "041e2061801d80",
                ats: "067777710280",
                family: .desfire
            ),
            Tag(
                product: "Plus SL3",
                atqa: 0x0044,
                sak: 0x20,
                uid: "04112233445566",
                ats: "0c75778002c1052f2f01bcd6",
                family: .plus
            ),
            Tag(
                product: "Plus 2K SL2",
                atqa: 0x0004,
                sak: 0x10,
                uid: "deadbeef",
                ats: nil,
                family: .plus
            ),
            Tag(
                product: "JCOP31",
                atqa: 0x0048,
                sak: 0x20,
                uid: "041314218b2080",
                ats: "0d7877b1024a434f5076323431",
                family: nil
            ),
            Tag(
                product: "phone",
                atqa: 0x0004,
                sak: 0x20,
                uid: "08112233",
                ats: "0578807002",
                family: nil
            ),
            Tag(
                product: "SmartMX with Classic",
                atqa: 0x0004,
                sak: 0x28,
                uid: "deadbeef",
                ats: "0578807002",
                family: .unknown
            ),
            Tag(
                product: "ISO-DEP without ATS",
                atqa: 0x0004,
                sak: 0x20,
                uid: "deadbeef",
                ats: nil,
                family: nil
            ),
        ]
    )
    func family(_ tag: Tag) {
        let target = TypeATarget(
            atqa: tag.atqa,
            sak: tag.sak,
            uid: hex(tag.uid),
            ats: tag.ats.map { hex($0) }
        )
        #expect(target.miFareFamily == tag.family)
    }
}
