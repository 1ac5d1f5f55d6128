import Dispatch
import Foundation
import NFCReader
import Synchronization

/// The life of a session: one task opens the reader, looks for tags, serves the client's commands and closes the reader.
extension NFCReaderSession {
    /// Whether the session is over.
    var isOver: Bool { state.withLock { $0.phase.isOver } }

    /// The task that does the session's work.
    var runner: Task<Void, Never>? { state.withLock { $0.runner } }

    /// Starts the session's task and its time limit.
    ///
    /// - Parameter predecessor: closes the reader of the session before.
    func start(after predecessor: Task<Void, Never>?) {
        state.withLock { state in
            state.runner = Task.detached { await self.run(after: predecessor) }
            // The client may have ended the session since it began; then the task only cleans up.
            guard case .starting = state.phase else { return }
            present(.opened(message: state.alertMessage))
            state.delegateWatch = Task.detached { await self.watchDelegate() }
            state.sessionTimer = timer(
                configuration.sessionTimeLimit,
                .readerSessionInvalidationErrorSessionTimeout
            )
        }
    }

    private func run(after predecessor: Task<Void, Never>?) async {
        await predecessor?.value
        do throws(NFCReaderError) {
            try await openReader()
            var isFirst = true
            while true {
                try report(try await search(needsNewField: !isFirst))
                isFirst = false
                await serve()
            }
        } catch {
            end(with: error)
        }
        await close()
    }

    private func openReader() async throws(NFCReaderError) {
        try checkRunning()
        let keeper: ReaderKeeper
        let reader: Reader
        do throws(ReaderError) {
            keeper = makeKeeper(of: try await ReaderCandidates.resolve(configuration.reader))
            state.withLock { $0.keeper = keeper }
            reader = try await keeper.open()
        } catch {
            throw NFCReaderError(endingSession: error)
        }
        let isWanted = state.withLock { state in
            guard state.phase.activate() else { return false }
            state.reader = reader
            return true
        }
        guard isWanted else {
            throw NFCReaderError(.readerTransceiveErrorSessionInvalidated)
        }
        sessionQueue.async { [self] in
            if !isOver { didBecomeActive() }
        }
    }

    private func makeKeeper(of connectionString: String) -> ReaderKeeper {
        ReaderKeeper(
            connectionString,
            policy: configuration.recovery ?? RecoveryPolicy()
        ) { [weak self] event in
            guard let self else { return }
            sessionQueue.async {
                guard !self.isOver else { return }
                (self.delegate as? any NFCReaderSessionRecoveryDelegate)?
                    .readerSession(self, didNotice: event)
            }
        }
    }

    /// Looks for tags, a round each poll period, until some are found that are for the client.
    ///
    /// A garbled frame is not a lost reader: only several failed rounds in a row end the session, or have the reader
    /// recovered.
    private func search(needsNewField: Bool) async throws(NFCReaderError) -> SearchResult {
        var search = TagSearch(takePlan(), needsNewField: needsNewField)
        var failures = 0
        while true {
            let nextRound = ContinuousClock.now + configuration.pollPeriod
            do throws(ReaderError) {
                let result = try await search.nextRound(with: currentReader())
                failures = 0
                if !result.discoveries.isEmpty { return result }
            } catch {
                failures += 1
                if try await treat(error, failures) { failures = 0 }
            }
            // Thrown when the session ends meanwhile, which the next round notices.
            try? await Task.sleep(until: nextRound, clock: .continuous)
        }
    }

    /// Does what a failed round asks for: nothing, so that the next one tries again; or has the reader recovered, which
    /// is true then; or ends the session.
    private func treat(_ error: ReaderError, _ failures: Int) async throws(NFCReaderError) -> Bool {
        let isFinal = error.kind == .usage || error.kind == .interrupted
        let isTooMuch = failures >= Presence.failuresBeforeGivingUp
        if configuration.recovery != nil, !isFinal {
            guard await isReaderFailing() || isTooMuch else { return false }
            try await replaceReader { (keeper) throws(ReaderError) in
                try await keeper.recover(from: error)
            }
            return true
        }
        guard !isFinal, !isTooMuch else { throw NFCReaderError(endingSession: error) }
        if case .libraryFault = error { try await reopenReader() }
        return false
    }

    /// Whether the reader needs recovery, as far as can be told without asking it.
    func isReaderFailing() async -> Bool {
        await state.withLock { $0.keeper }?.failure() != nil
    }

    private func takePlan() -> SearchPlan {
        state.withLock { state in
            defer { state.planForOnce = nil }
            return state.planForOnce
        } ?? searchPlan
    }

    private func report(_ result: SearchResult) throws(NFCReaderError) {
        let tags = result.discoveries.map { makeTag($0) }
        var detection = Detection(tags: tags)
        if let target = result.selected, let tag = tags.first(where: { $0.target == target }) {
            detection.selected = Detection.Selected(
                tag: tag,
                target: target,
                wakefulness: result.wakefulness,
                lastAnswer: configuration.clock.now()
            )
        }
        guard state.withLock({ $0.phase.detect(detection) }) else {
            throw NFCReaderError(.readerTransceiveErrorSessionInvalidated)
        }
        sessionQueue.async { [self] in
            if !isOver { didDetect(tags) }
        }
    }

    private func makeTag(_ discovery: Discovery) -> ReaderTag {
        switch discovery.kind {
        case .iso7816(let selectedAID):
            ISO7816Tag(discovery.target, selectedAID: selectedAID, of: self)
        case .miFare(let family): MiFareTag(discovery.target, family: family, of: self)
        case .feliCa: FeliCaTag(discovery.target, of: self)
        }
    }

    /// Does what the client asks for, until polling restarts or the session ends.
    private func serve() async {
        for await operation in operations {
            switch operation {
            case .perform(let work): await work()
            case .restart: return
            }
        }
    }

    /// Answers what is still waiting, closes the reader, and tells the delegate.
    private func close() async {
        // The stream is finished, so this ends; every operation finds the session over and says so.
        await serve()
        let keeper = state.withLock { state in
            defer { (state.reader, state.keeper) = (nil, nil) }
            return state.keeper
        }
        await keeper?.close()
        configuration.slot.release(by: self)
        if let error = state.withLock({ $0.phase.close() }) { tellEnd(error) }
    }

    // MARK: Ending

    /// Ends the session, from any thread; the first reason counts.
    func end(with error: NFCReaderError, errorMessage: String? = nil) {
        let (ending, runner, keeper) = state.withLock { state in
            let ending = state.phase.end(with: error)
            if ending != .nothing { finish(&state, errorMessage) }
            return (ending, state.runner, state.keeper)
        }
        guard ending != .nothing else { return }
        keeper?.interrupt()
        runner?.cancel()
        if ending == .tellSoon { tellEndSoon(isOpening: runner != nil) }
    }

    /// How long the end of a session waits for a reader that is being opened; one that answers takes 100 ms.
    private static let openingGrace = DispatchTimeInterval.milliseconds(250)

    private func tellEndSoon(isOpening: Bool) {
        let grace = isOpening ? Self.openingGrace : .nanoseconds(0)
        DispatchQueue.global().asyncAfter(deadline: .now() + grace) { [self] in
            if let error = state.withLock({ $0.phase.close() }) { tellEnd(error) }
        }
    }

    private func finish(_ state: inout SessionState, _ errorMessage: String?) {
        operationInput.finish()
        state.delegateWatch?.cancel()
        state.sessionTimer?.cancel()
        state.tagTimer?.cancel()
        // A session that was refused has shown nothing.
        if state.runner != nil { present(.closed(errorMessage: errorMessage)) }
    }

    private func tellEnd(_ error: NFCReaderError) {
        sessionQueue.async { [self] in didInvalidate(with: error) }
    }

    /// Throws if the session is over.
    func checkRunning() throws(NFCReaderError) {
        guard !isOver else { throw NFCReaderError(.readerTransceiveErrorSessionInvalidated) }
    }

    /// A task that ends the session after `limit`; none when there is no limit.
    func timer(_ limit: Duration?, _ code: NFCReaderError.Code) -> Task<Void, Never>? {
        guard let limit else { return nil }
        let clock = configuration.clock
        return Task.detached { [self] in
            do {
                try await clock.sleep(limit)
            } catch {
                return  // The session has ended, or the tag was let go, in time.
            }
            end(with: NFCReaderError(code))
        }
    }

    /// Ends the session when its delegate has gone, whether it looks for tags or serves one: nobody could be told.
    private func watchDelegate() async {
        while delegate != nil {
            do {
                try await Task.sleep(for: Self.delegateWatchPeriod)
            } catch {
                return  // The session has ended.
            }
        }
        end(with: NFCReaderError(.readerSessionInvalidationErrorUserCanceled))
    }

    /// How long a session outlives its delegate at most.
    private static let delegateWatchPeriod = Duration.seconds(1)

    // MARK: The reader

    /// The open reader.
    func currentReader() throws(ReaderError) -> Reader {
        guard let reader = state.withLock({ $0.reader }) else { throw .closed }
        return reader
    }

    /// Closes and opens the reader, after libnfc has stopped itself.
    ///
    /// Tags start anew.
    func reopenReader() async throws(NFCReaderError) {
        try await replaceReader { (keeper) throws(ReaderError) in try await keeper.reopen() }
    }

    private func replaceReader(
        _ body: (ReaderKeeper) async throws(ReaderError) -> Reader
    ) async throws(NFCReaderError) {
        do throws(ReaderError) {
            guard let keeper = state.withLock({ $0.keeper }) else { throw .closed }
            let reader = try await body(keeper)
            state.withLock { $0.reader = reader }
        } catch {
            throw NFCReaderError(endingSession: error)
        }
    }

    // MARK: Presenting

    /// All presentations of the process, one at a time and in order.
    private static let presentationQueue = DispatchQueue(label: "nfc-session.presentation")

    func present(_ presentation: NFCSessionPresentation) {
        let presenter = configuration.presenter
        Self.presentationQueue.async { presenter.present(presentation) }
    }
}
