import Foundation
package import NFCReader

/// How a MIFARE product is told from what it says of itself while it is activated, without a command to it.
///
/// | ATQA   | SAK            | historical bytes | product                                    | family       |
/// |--------|----------------|------------------|--------------------------------------------|--------------|
/// | xx44   | 00             | -                | Ultralight, Ultralight C and EV1, NTAG     | `.ultralight`|
/// | any    | 10, 11         | -                | Plus 2K, 4K in security level 2            | `.plus`      |
/// | any    | others, no 20  | -                | Classic Mini, 1K, 4K; other makers' tags   | `.unknown`   |
/// | 03xx   | 20             | 80               | DESFire EV1 to EV3 and Light, NTAG 424 DNA | `.desfire`   |
/// | any    | 20             | C1 05 …          | Plus in security level 3 (or 1, with ATS)  | `.plus`      |
/// | any    | 28, 38         | any              | smart card with a Classic inside           | `.unknown`   |
/// | others | 20             | others           | no MIFARE product                          | nil          |
///
/// Sources: facts/pn532.md 7.1 and 7.2, facts/corenfc.md 2.8. Apple publishes no table. A tag that answers to ISO 14443-4
/// only counts as MIFARE when its own bytes say so, since any other is not to be delivered.
extension TypeATarget {
    /// The MIFARE family; nil for an ISO 14443-4 tag that is no MIFARE product.
    package var miFareFamily: NFCMiFareFamily? {
        guard sak & 0x20 != 0 else {
            switch sak {
            case 0x00 where atqa & 0x00FF == 0x0044: return .ultralight
            case 0x10, 0x11: return .plus
            default: return .unknown
            }
        }
        let history = historicalBytes ?? Data()
        if history.starts(with: [0xC1, 0x05]) { return .plus }
        if atqa & 0x0F00 == 0x0300, history == Data([0x80]) { return .desfire }
        return sak & 0x08 != 0 ? .unknown : nil
    }
}
