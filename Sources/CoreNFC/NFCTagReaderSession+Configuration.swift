import Bytes
import Foundation

extension NFCTagReaderSession {
    /// The kinds of tags a session looks for.
    public struct PollingOption: OptionSet, Sendable {
        /// The bits, with Apple's values.
        public let rawValue: Int

        /// The kinds with these bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// ISO 14443 type A and type B: `.iso7816` and `.miFare` tags.
        public static var iso14443: PollingOption { PollingOption(rawValue: 0x1) }
        /// ISO 15693.
        ///
        /// A PN53x cannot read these tags: a session for them alone ends with `readerErrorUnsupportedFeature`;
        /// beside others the option is passed over.
        public static var iso15693: PollingOption { PollingOption(rawValue: 0x2) }
        /// ISO 18092 at 212 kbit/s: `.feliCa` tags.
        public static var iso18092: PollingOption { PollingOption(rawValue: 0x4) }
        /// Identity documents with PACE.
        ///
        /// Not looked for on Linux: a session for them alone ends with `readerErrorUnsupportedFeature`; beside others
        /// the option is passed over, and a document is reported when one of its applications is listed.
        public static var pace: PollingOption { PollingOption(rawValue: 0x8) }
    }

    /// What a session looks for, with a choice from the listed applications and systems (iOS 26.4).
    public struct Configuration: Sendable {
        /// The kinds of tags.
        public var pollingOption: PollingOption
        /// The applications to look for, of those that are listed, in this order.
        ///
        /// Empty: all of them.
        public var iso7816SelectIdentifiers: [String]
        /// The FeliCa systems to look for, of those that are listed, in this order.
        ///
        /// Empty: all of them.
        public var feliCaSystemCodes: [String]

        /// A description of what to look for.
        public init(
            pollingOption: PollingOption,
            iso7816SelectIdentifiers: [String] = [],
            feliCaSystemCodes: [String] = []
        ) {
            self.pollingOption = pollingOption
            self.iso7816SelectIdentifiers = iso7816SelectIdentifiers
            self.feliCaSystemCodes = feliCaSystemCodes
        }
    }
}

extension NFCTagReaderSession.Configuration {
    /// The applications to look for, spelt as they are listed.
    package func chosenSelectIdentifiers(from configuration: NFCSessionConfiguration) -> [String] {
        let listed = configuration.validSelectIdentifiers
        guard !iso7816SelectIdentifiers.isEmpty else { return listed.withoutDuplicates }
        return iso7816SelectIdentifiers.compactMap { wanted in
            listed.first { Data(hex: $0) == Data(hex: wanted) }
        }.withoutDuplicates
    }

    /// The FeliCa systems to look for.
    package func chosenSystemCodes(from configuration: NFCSessionConfiguration) -> [UInt16] {
        let listed = configuration.validSystemCodes
        guard !feliCaSystemCodes.isEmpty else { return listed.withoutDuplicates }
        return feliCaSystemCodes.compactMap(UInt16.init(systemCode:)).filter(listed.contains)
            .withoutDuplicates
    }
}

extension Array where Element: Hashable {
    /// The elements, each where it comes first.
    fileprivate var withoutDuplicates: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
