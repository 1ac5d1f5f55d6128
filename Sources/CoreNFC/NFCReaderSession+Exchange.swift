import Foundation
import NFCReader
import Synchronization

/// How a session exchanges data with its tags, and what it makes of failures.
extension NFCReaderSession {
    /// Exchanges data with a connected tag.
    ///
    /// - Parameters:
    ///   - tag: the tag.
    ///   - wakes: whether the tag must be awake for this exchange, because the chip does not wake it by itself.
    ///   - isInParts: whether the command is one that the reader sends in several parts.
    ///   - body: the exchange.
    /// - Returns: the answer.
    /// - Throws: what the client is to be told.
    func exchange(
        with tag: ReaderTag,
        wakes: Bool = false,
        isInParts: Bool = false,
        _ body: (Reader, Target) async throws(ReaderError) -> Data
    ) async throws(NFCReaderError) -> Data {
        var selected = try currentDetection(
            of: tag,
            otherwise: .readerTransceiveErrorTagNotConnected
        )
        .selected
        if selected?.tag !== tag || wakes && selected?.wakefulness == .asleep {
            try await select(tag)
            selected = try currentDetection(
                of: tag,
                otherwise: .readerTransceiveErrorTagNotConnected
            )
            .selected
        }
        guard let selected else {
            throw NFCReaderError(.readerTransceiveErrorTagNotConnected)
        }
        do throws(ReaderError) {
            let answer = try await body(try currentReader(), selected.target)
            noteAnswer()
            return answer
        } catch {
            throw await commandFailed(error, selected, isInParts: isInParts)
        }
    }

    /// Finds out how the session stands after a failed exchange, and what to tell the client.
    private func commandFailed(
        _ cause: ReaderError,
        _ selected: Detection.Selected,
        isInParts: Bool
    ) async -> NFCReaderError {
        let failure = NFCReaderError(duringCommand: cause)
        do throws(NFCReaderError) {
            switch cause.kind {
            case .usage, .interrupted:
                break
            case .tag where selected.target.isISODEP:
                if isLoss(cause, isInParts: isInParts) { noteLoss() }
            case .tag:
                try await checkAfterRefusal(selected)
                return NFCReaderError(
                    .readerTransceiveErrorTagResponseError,
                    userInfo: [NSUnderlyingErrorKey: cause]
                )
            case .reader:
                if case .libraryFault = cause {
                    noteLoss()
                    // A reader that is kept is recovered when polling restarts: that may take long.
                    if configuration.recovery == nil { try await reopenReader() }
                } else {
                    // Shows whether reader and tag still work; ends the session if the reader does not.
                    try await checkPresence(selected, mayRevive: !selected.target.isISODEP)
                }
            }
        } catch {
            guard error.code == .readerTransceiveErrorTagConnectionLost else {
                end(with: error)
                return failure
            }
            return NFCReaderError(
                .readerTransceiveErrorTagConnectionLost,
                userInfo: [NSUnderlyingErrorKey: cause]
            )
        }
        return failure
    }

    /// Whether the reader has no tag any more after an exchange with ISO-DEP failed.
    ///
    /// It lets go of a tag that got a part of a command only; one that answers too much has got the whole.
    private func isLoss(_ cause: ReaderError, isInParts: Bool) -> Bool {
        if case .answerTooLong = cause { return false }
        return cause == .tagLost || isInParts
    }

    /// Finds out whether a tag without ISO-DEP refused a command, or did not know it, or has gone.
    ///
    /// A type A tag falls out of the selected state when it refuses, and is selected again.
    private func checkAfterRefusal(_ selected: Detection.Selected) async throws(NFCReaderError) {
        if case .typeA = selected.target {
            try await select(selected.tag)
        } else if try await !answers(selected.target) {
            noteLoss()
            throw NFCReaderError(.readerTransceiveErrorTagConnectionLost)
        }
    }

    /// Calls the reader, and calls it again when it fails; then the session is over.
    ///
    /// As patient as the search for tags is: a machine that is busy elsewhere for a second makes several calls in a
    /// row fail, and that is no reader that has failed. A reader that libnfc has given up is opened anew instead, which
    /// costs the tag.
    func withReader<Value: Sendable>(
        _ body: (Reader) async throws(ReaderError) -> Value
    ) async throws(NFCReaderError) -> Value {
        var failures = 0
        while true {
            do throws(ReaderError) {
                return try await body(try currentReader())
            } catch {
                failures += 1
                guard error.kind == .reader else { throw NFCReaderError(duringCommand: error) }
                if configuration.recovery != nil {
                    guard await !isReaderFailing(), failures < Presence.failuresBeforeGivingUp
                    else {
                        noteLoss()
                        throw NFCReaderError(duringCommand: .tagLost)
                    }
                }
                if case .libraryFault = error { throw await reopenReader(after: error) }
                guard failures < Presence.failuresBeforeGivingUp else {
                    end(with: NFCReaderError(endingSession: error))
                    throw NFCReaderError(
                        .readerTransceiveErrorSessionInvalidated,
                        userInfo: [NSUnderlyingErrorKey: error]
                    )
                }
            }
            // Thrown when the session ends meanwhile, which the next call notices.
            try? await Task.sleep(for: Self.retryPause)
        }
    }

    /// Opens the reader anew after `fault`, and says what to tell the client.
    private func reopenReader(after fault: ReaderError) async -> NFCReaderError {
        noteLoss()
        var code = NFCReaderError.Code.readerTransceiveErrorTagConnectionLost
        do throws(NFCReaderError) {
            try await reopenReader()
        } catch {
            end(with: error)
            code = .readerTransceiveErrorSessionInvalidated
        }
        return NFCReaderError(code, userInfo: [NSUnderlyingErrorKey: fault])
    }

    /// What a reader that has failed is given before it is called again.
    private static let retryPause = Duration.milliseconds(20)

    // MARK: The state of the tags

    func currentDetection(
        of tag: ReaderTag,
        otherwise code: NFCReaderError.Code
    ) throws(NFCReaderError) -> Detection {
        try checkRunning()
        guard let detection = state.withLock({ $0.phase.detection }), detection.contains(tag) else {
            throw NFCReaderError(code)
        }
        return detection
    }

    func noteAnswer() {
        let now = configuration.clock.now()
        state.withLock { state in
            state.phase.detection?.isLost = false
            if state.phase.detection?.selected?.wakefulness == .asleep {
                state.phase.detection?.selected?.wakefulness = .woken
            }
            state.phase.detection?.selected?.lastAnswer = now
        }
    }

    func noteLoss() {
        state.withLock { $0.phase.detection?.isLost = true }
    }
}
