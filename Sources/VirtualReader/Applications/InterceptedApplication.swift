import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A card application whose commands and answers a test can tamper with.
///
/// A command is decided on once, when the card's block layer asks for its working time or, if it does not, when it
/// asks for the answer.
public final class InterceptedApplication: CardApplication {
    /// What happens to one command.
    public enum Interception: Sendable {
        /// Nothing.
        case pass
        /// This status word is the answer, and the card does not see the command.
        case refuse(UInt16)
        /// These bytes are the whole answer, and the card does not see the command.
        case replace(Data)
        /// The card works, and its whole answer, status word included, is changed.
        case alter(@Sendable (Data) -> Data)
        /// The card works this much longer.
        case delay(Duration)

        /// Only the first bytes of the answer come.
        public static func cut(toBytes count: Int) -> Interception {
            .alter { Data($0.prefix(max(0, count))) }
        }

        /// All bits of the byte at `offset` of the answer are changed; an answer that is shorter stays as it is.
        public static func garble(byteAt offset: Int) -> Interception {
            .alter { answer in
                Data(answer.enumerated().map { $0.offset == offset ? ~$0.element : $0.element })
            }
        }
    }

    private struct State {
        var commands = 0
        /// The decision about the command that is announced and not yet answered.
        var pending: (command: Data, interception: Interception)?
    }

    private let inner: any CardApplication
    private let intercept: @Sendable (Int, Data) -> Interception
    private let state = Mutex(State())

    /// Puts `intercept` before a card.
    ///
    /// - Parameters:
    ///   - inner: the card.
    ///   - intercept: decides about a command by its number and its bytes. The first command since this object
    ///     was made is 1; a field loss does not start the count again.
    public init(
        _ inner: any CardApplication,
        intercept: @escaping @Sendable (Int, Data) -> Interception
    ) {
        self.inner = inner
        self.intercept = intercept
    }

    /// How many commands have come so far.
    public var commandCount: Int { state.withLock { $0.commands } }

    /// Answers as `intercept` decided.
    public func respond(to command: Data) -> Data {
        let interception = decision(about: command)
        state.withLock { $0.pending = nil }
        switch interception {
        case .pass, .delay: return inner.respond(to: command)
        case .refuse(let statusWord):
            return Data([UInt8(statusWord >> 8), UInt8(statusWord & 0xFF)])
        case .replace(let answer): return answer
        case .alter(let change): return change(inner.respond(to: command))
        }
    }

    /// The card's time, and what `intercept` adds.
    public func workingTime(of command: Data) -> Duration {
        guard case .delay(let time) = decision(about: command) else {
            return inner.workingTime(of: command)
        }
        return inner.workingTime(of: command) + time
    }

    /// As the application inside.
    public var airInterface: AirInterface { inner.airInterface }

    /// Resets the card; the count of commands goes on.
    public func reset() {
        state.withLock { $0.pending = nil }
        inner.reset()
    }

    /// Commands come one at a time, so the lock need not be held while `intercept` decides.
    private func decision(about command: Data) -> Interception {
        let pending = state.withLock { $0.pending }
        if let pending, pending.command == command { return pending.interception }
        let number = state.withLock { state in
            state.commands += 1
            return state.commands
        }
        let interception = intercept(number, command)
        state.withLock { $0.pending = (command, interception) }
        return interception
    }
}
