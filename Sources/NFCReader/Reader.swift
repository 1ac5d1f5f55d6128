#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// How many bytes one exchange with a tag may carry on this reader (facts/libnfc.md, 7.1).
package struct ExchangeLimits: Sendable, Equatable {
    /// The longest command, in bytes: 262, or 252 on an ACR122.
    package let command: Int
    /// The longest answer, in bytes.
    package let answer: Int
}

/// One PN53x reader, opened through libnfc and used by one thread of its own.
///
/// libnfc blocks and is not thread safe, so the actor's executor is a dedicated thread, and libnfc is called
/// nowhere else.
package actor Reader {
    /// The libnfc connection string the reader was opened with.
    package nonisolated let connectionString: String
    /// What one exchange may carry.
    package nonisolated let limits: ExchangeLimits

    init(connectionString: String) {
        self.connectionString = connectionString
        limits = ExchangeLimits(command: 262, answer: 4096)
    }

    /// Opens the reader, or says why not. Takes about 100 ms; a silent port is given up after about 3 s.
    package static func open(_ connectionString: String) async throws(ReaderError) -> Reader {
        throw .closed
    }

    /// Looks for tags once: one chip command, 10 to 35 ms when the field is empty.
    ///
    /// A tag that speaks ISO-DEP comes back activated and ignores later polls until the field is cycled.
    ///
    /// - Parameters:
    ///   - technology: what to look for.
    ///   - maximum: 1, or 2 to have the chip look for a second type A tag.
    ///   - systemCode: the FeliCa system code to ask for, 0xFFFF for any.
    /// - Returns: none, one or two targets. The last of two is the active one; exchanging with the other makes
    ///   the chip select it again.
    package func poll(
        _ technology: Technology, maximum: UInt8 = 1, systemCode: UInt16 = 0xFFFF
    ) throws(ReaderError) -> [Target] {
        throw .closed
    }

    /// Asks the tag the reader last activated whether it is still there, without disturbing it.
    ///
    /// ISO-DEP tags get an R(NAK); other tags are polled for again. One chip command.
    package func isPresent(_ target: Target) throws(ReaderError) -> Bool { throw .closed }

    /// Sends `command` in the framing of the tag's protocol and returns the answer: an APDU to an ISO-DEP tag,
    /// a MIFARE command to another type A tag, a FeliCa frame (length byte first).
    ///
    /// - Throws: `commandTooLong` before anything is sent; `tagLost` on silence; `tagError` with the status.
    package func exchange(
        _ command: Data, with target: Target, timeout: Duration = .seconds(5)
    ) throws(ReaderError) -> Data {
        throw .closed
    }

    /// Sends `command` as it is to the active tag (the chip adds and checks the CRC) and returns the answer.
    package func exchangeRaw(_ command: Data, timeout: Duration = .milliseconds(500))
        throws(ReaderError) -> Data
    {
        throw .closed
    }

    /// Selects the type A tag with this UID, wherever two are in the field or one went idle after a NAK.
    ///
    /// - Returns: the tag, or nil when it does not answer. One chip command.
    package func select(uid: Data) throws(ReaderError) -> Target? { throw .closed }

    /// Switches the field off, waits 10 ms and switches it on: every tag starts anew. Two chip commands.
    package func cycleField() throws(ReaderError) { throw .closed }

    /// Ends whatever the reader is doing and makes every later call but `close` throw `interrupted`.
    ///
    /// Callable from any thread; a call that waits for a tag returns within about 150 ms.
    package nonisolated func interrupt() {}

    /// Switches the field off and closes the device. Harmless when called again.
    package func close() {}
}
