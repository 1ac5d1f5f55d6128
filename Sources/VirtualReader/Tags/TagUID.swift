internal import Bytes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The UID of a virtual type A tag.
public enum TagUID: Sendable, Equatable {
    /// Always the same: 4, 7 or 10 bytes.
    case fixed(Data)
    /// Four bytes, 08 and three random ones, new each time the tag loses its power (ISO 14443-3, 6.5.4).
    case random

    static let lengths: Set<Int> = [4, 7, 10]

    /// The UID to show from now on.
    func next() -> Data {
        switch self {
        case .fixed(let uid): uid
        case .random: Data([0x08] + (0..<3).map { _ in UInt8.random(in: .min ... .max) })
        }
    }

    /// Refuses a UID that no type A tag can have.
    ///
    /// 88 is the cascade tag: it cannot come first in a UID of 4 bytes, nor fourth in one of 7.
    func validate() throws(VirtualReaderError) {
        guard case .fixed(let uid) = self else { return }
        guard Self.lengths.contains(uid.count) else {
            throw .invalidTag("a UID has 4, 7 or 10 bytes, not \(uid.count): \(uid.hex)")
        }
        if uid.count < 10, uid.dropFirst(uid.count - 4).first == 0x88 {
            throw .invalidTag("UID \(uid.hex) has the cascade tag 88 where none can be")
        }
    }
}
