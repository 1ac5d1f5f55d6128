import Bytes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A response APDU of ISO 7816-4: data, which may be empty, and a status word.
public struct ResponseAPDU: Sendable, Hashable {
    /// The answer data, without the status word.
    public let data: Data
    /// The status word, the last two bytes.
    public let statusWord: StatusWord

    /// Makes a response from its parts.
    public init(data: Data = Data(), statusWord: StatusWord) {
        self.data = Data(data)
        self.statusWord = statusWord
    }

    /// Reads a response from its bytes.
    ///
    /// - Throws: `responseTooShort` for fewer than two bytes.
    public init(encoded: Data) throws(APDUError) {
        var reader = ByteReader(encoded)
        do throws(EndOfBytes) {
            data = try reader.bytes(encoded.count - 2)
            statusWord = StatusWord(rawValue: try reader.uint16())
        } catch {
            throw .responseTooShort(count: encoded.count)
        }
    }

    /// The bytes as they come from the tag.
    public var encoded: Data {
        data + [statusWord.sw1, statusWord.sw2]
    }

    /// Returns the response itself if its status word is 9000.
    ///
    /// - Throws: `unexpectedStatus` for any other status word, warnings included.
    @discardableResult
    public func checkOK() throws(APDUError) -> ResponseAPDU {
        try checkSW(.ok)
    }

    /// Returns the response itself if its status word is the expected one.
    ///
    /// - Throws: `unexpectedStatus` for any other status word.
    @discardableResult
    public func checkSW(_ expected: StatusWord) throws(APDUError) -> ResponseAPDU {
        guard statusWord == expected else { throw .unexpectedStatus(statusWord) }
        return self
    }

    /// This response's data and the later one's behind it, with the later one's status word.
    public func appending(_ later: ResponseAPDU) -> ResponseAPDU {
        ResponseAPDU(data: data + later.data, statusWord: later.statusWord)
    }
}
