package import NFCReader

extension TypeATarget {
    /// The MIFARE family by the table of `TypeAProduct`; nil for an ISO 14443-4 tag that is no MIFARE product.
    ///
    /// Apple publishes no table (facts/corenfc.md, 2.8). A tag in ISO 14443-4 counts as MIFARE only when its own bytes
    /// say so, since any other is not to be delivered.
    package var miFareFamily: NFCMiFareFamily? {
        switch TypeAProduct(self).family {
        case .ultralight: .ultralight
        case .plus: .plus
        case .desfire: .desfire
        case .classic, .other: .unknown
        case nil: nil
        }
    }
}
