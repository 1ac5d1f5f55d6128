public import Foundation
import NDEF

extension NFCNDEFPayload {
    /// A URI record; nil for an empty URI.
    ///
    /// The longest prefix that has a code is abbreviated (RTD URI 1.0).
    ///
    /// - Parameter uri: the URI, of any characters.
    /// - Returns: the record; nil for an empty URI.
    public class func wellKnownTypeURIPayload(string uri: String) -> Self? {
        make(try? URIRecord(uri: uri).record)
    }

    /// A URI record.
    public class func wellKnownTypeURIPayload(url: URL) -> Self? {
        wellKnownTypeURIPayload(string: url.absoluteString)
    }

    /// A text record in UTF-8; nil for a locale without a language.
    ///
    /// The language code of the locale is stored, without its region: `en` for `en_US`.
    public class func wellKnownTypeTextPayload(string text: String, locale: Locale) -> Self? {
        guard let language = locale.language.languageCode?.identifier else { return nil }
        return make(try? TextRecord(text: text, language: language).record)
    }

    /// A text record, under the misspelt name of iOS 13.0.
    @available(*, deprecated, renamed: "wellKnownTypeTextPayload(string:locale:)")
    public class func wellKnowTypeTextPayload(string text: String, locale: Locale) -> Self? {
        wellKnownTypeTextPayload(string: text, locale: locale)
    }

    private class func make(_ record: NDEFRecord?) -> Self? {
        guard let record else { return nil }
        return Self(
            format: .nfcWellKnown,
            type: record.type,
            identifier: record.identifier,
            payload: record.payload,
            chunkSize: 0
        )
    }

    /// The URI of a URI record; nil for other records, and for a URI that is no URL.
    ///
    /// It comes from a tag: do not open it unseen.
    public func wellKnownTypeURIPayload() -> URL? {
        guard let record, let uri = try? URIRecord(record) else { return nil }
        return URL(string: uri.uri)
    }

    /// Text and locale of a text record; both nil for other records.
    public func wellKnownTypeTextPayload() -> (String?, Locale?) {
        guard let record, let text = try? TextRecord(record) else { return (nil, nil) }
        return (text.text, Locale(identifier: text.language))
    }
}
