/// A way to bring a reader back that has stopped answering, from the gentlest to the roughest.
public enum RecoveryStep: String, Sendable, CaseIterable, Comparable {
    /// One cheap command: the last one may just have got lost. About 4 ms.
    case resend
    /// The chip is woken, told to drop what it does, and initialised anew over the open port. About 30 ms.
    case reinitialise
    /// The device is closed and opened again, at whichever node it is by now. About 150 ms, 3 s on a silent port.
    case reopen
    /// A chip that some program left at another baud rate is brought back to its own; serial PN532 only. About 0.5 s.
    case changeBaudRate
    /// The configured program resets the chip, or cuts its power, and the device is opened again.
    case reset

    /// Whether `one` is gentler than `other`.
    public static func < (one: RecoveryStep, other: RecoveryStep) -> Bool {
        one.position < other.position
    }

    private var position: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// What becomes of a reader that is kept.
public enum RecoveryEvent: Sendable, Equatable {
    /// The reader does not answer any more, also not one more command: tags are not noticed until it is back.
    case lost(ReaderError)
    /// One step of recovery was taken: which one, how long it took, and why it failed if it did.
    case attempted(RecoveryStep, duration: Duration, failure: ReaderError?)
    /// The reader answers again.
    ///
    /// `after` is the time since the first failure was noticed, `connectionString` where it is now.
    case back(after: Duration, by: RecoveryStep, connectionString: String)
}
