import Foundation
import NFCReader
import Synchronization

/// What a session does with the tags it has reported: connecting them and carrying their commands.
extension NFCReaderSession {
    /// How long after its last answer a tag that is to be connected counts as present without being asked.
    private static let trustedSilence = Duration.milliseconds(250)

    /// Times a tag is asked before it counts as gone.
    static let presenceTries = 3

    // MARK: The client's side

    /// Has the session's task do something for `tag`, and hands over the result on the session's queue.
    ///
    /// The tag is connected first when it is the only one that was found and none is connected.
    func perform<Value: Sendable>(
        on tag: ReaderTag,
        _ body: @escaping @Sendable (TagLink) async throws(NFCReaderError) -> Value,
        completion: @escaping @Sendable (Result<Value, NFCReaderError>) -> Void
    ) {
        submit(
            for: tag,
            { [self] () throws(NFCReaderError) in
                try await admit(tag)
                return try await body(TagLink(session: self, tag: tag))
            },
            otherwise: .readerTransceiveErrorTagNotConnected,
            completion: completion
        )
    }

    /// Connects `tag` and calls the handler on the session's queue.
    func connect(
        _ tag: ReaderTag,
        completion: @escaping @Sendable (Result<Void, NFCReaderError>) -> Void
    ) {
        submit(
            for: tag,
            { [self] () throws(NFCReaderError) in try await connect(tag) },
            otherwise: .readerTransceiveErrorTagConnectionLost,
            completion: completion
        )
    }

    /// Connects the tag that an object of a client stands for, and calls the handler on the session's queue.
    func connect(
        object: AnyObject,
        _ completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        guard let tag = object as? ReaderTag else {
            sessionQueue.async { completionHandler(NFCReaderError(.readerErrorInvalidParameter)) }
            return
        }
        connect(tag) { result in
            switch result {
            case .success: completionHandler(nil)
            case .failure(let error): completionHandler(error)
            }
        }
    }

    /// Has the session's task do something with the tags that were reported last.
    func submitReading(_ work: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            guard state.phase.detection != nil else { return }
            operationInput.yield(.perform(work))
        }
    }

    /// Queues `work` for a tag that was reported last; fails at once with `code` for others.
    private func submit<Value: Sendable>(
        for tag: ReaderTag,
        _ work: @escaping @Sendable () async throws(NFCReaderError) -> Value,
        otherwise code: NFCReaderError.Code,
        completion: @escaping @Sendable (Result<Value, NFCReaderError>) -> Void
    ) {
        let queue = sessionQueue
        let operation = SessionOperation.perform {
            let result: Result<Value, NFCReaderError>
            do throws(NFCReaderError) {
                result = .success(try await work())
            } catch {
                result = .failure(error)
            }
            queue.async { completion(result) }
        }
        // Queued with the state locked, so that no operation on old tags comes after polling has restarted.
        let refusal = state.withLock { state -> NFCReaderError.Code? in
            guard !state.phase.isOver else { return .readerTransceiveErrorSessionInvalidated }
            guard let detection = state.phase.detection, detection.contains(tag) else {
                return code
            }
            operationInput.yield(operation)
            return nil
        }
        if let refusal { queue.async { completion(.failure(NFCReaderError(refusal))) } }
    }

    /// Lets go of the reported tags and looks for tags again, with `plan` for this once.
    func restartSearch(_ plan: SearchPlan? = nil) {
        state.withLock { state in
            guard state.phase.restart() else { return }
            state.planForOnce = plan
            state.tagTimer?.cancel()
            state.tagTimer = nil
            operationInput.yield(.restart)
        }
    }

    /// The tag the client has connected.
    var connectedReaderTag: ReaderTag? { state.withLock { $0.phase.detection?.connected } }

    // MARK: The task's side: connecting

    /// Lets a command through to a connected tag; connects the only tag there is.
    private func admit(_ tag: ReaderTag) async throws(NFCReaderError) {
        let detection = try currentDetection(
            of: tag,
            otherwise: .readerTransceiveErrorTagNotConnected
        )
        if detection.connected === tag { return }
        guard detection.connected == nil, detection.tags.count == 1 else {
            throw NFCReaderError(.readerTransceiveErrorTagNotConnected)
        }
        try await connect(tag)
    }

    /// Makes `tag` the connected one, or finds that it has gone.
    private func connect(_ tag: ReaderTag) async throws(NFCReaderError) {
        let detection = try currentDetection(
            of: tag,
            otherwise: .readerTransceiveErrorTagConnectionLost
        )
        let isConnected = detection.connected === tag
        if let selected = detection.selected, selected.tag === tag {
            let silence = configuration.clock.now() - selected.lastAnswer
            if isConnected || silence > Self.trustedSilence {
                try await checkPresence(selected, mayRevive: !isConnected)
            }
        } else {
            try await select(tag)
        }
        state.withLock { state in
            state.phase.detection?.connected = tag
            guard !isConnected, state.phase.isReady else { return }
            state.tagTimer?.cancel()
            state.tagTimer = timer(
                configuration.tagTimeLimit,
                .readerSessionInvalidationErrorSessionTerminatedUnexpectedly
            )
        }
    }

    /// Asks the selected tag whether it is there.
    ///
    /// - Parameters:
    ///   - selected: the tag.
    ///   - mayRevive: whether the tag may be selected anew, which makes it forget what it was told.
    /// - Throws: `readerTransceiveErrorTagConnectionLost` when it has gone.
    func checkPresence(
        _ selected: Detection.Selected,
        mayRevive: Bool
    ) async throws(NFCReaderError) {
        if selected.canBeAsked {
            for _ in 0..<Self.presenceTries {
                if try await answers(selected.target) {
                    noteAnswer()
                    return
                }
            }
        }
        guard mayRevive || !selected.canBeAsked else {
            noteLoss()
            throw NFCReaderError(.readerTransceiveErrorTagConnectionLost)
        }
        // A sleeping tag with a random UID cannot be asked: it would wake up as another one.
        if selected.wakefulness == .asleep, case .typeA(let tag) = selected.target,
            tag.hasRandomUID
        {
            return
        }
        try await select(selected.tag)
    }

    /// Waits until a tag has left the field, or the session is over.
    func waitUntilGone(_ tag: ReaderTag) async {
        do throws(NFCReaderError) {
            while true {
                let detection = try currentDetection(
                    of: tag,
                    otherwise: .readerTransceiveErrorTagNotConnected
                )
                if let selected = detection.selected, selected.tag === tag {
                    try await checkPresence(selected, mayRevive: false)
                } else {
                    try await select(tag)
                }
                try? await Task.sleep(for: configuration.pollPeriod)
            }
        } catch {
            return  // It has gone, or everything has.
        }
    }

    /// Whether a tag answers; a fault of the reader that does not repeat itself says nothing against it.
    func answers(_ target: Target) async throws(NFCReaderError) -> Bool {
        try await withReader { (reader) throws(ReaderError) in
            // A FeliCa card has an identifier for each of its systems.
            guard case .feliCa(let tag) = target, let system = tag.systemCode else {
                return try await reader.isPresent(target)
            }
            let found = try await reader.poll(.felica, systemCode: system)
            return found.contains { $0.identifier == tag.idm }
        }
    }

    /// Selects a tag that is not the selected one, or that has fallen asleep.
    ///
    /// In a new field if need be, which makes all tags forget what they were told.
    func select(_ tag: ReaderTag) async throws(NFCReaderError) {
        let isSwitch = state.withLock { state in
            defer { state.phase.detection?.selected = nil }
            return state.phase.detection?.selected?.tag !== tag
        }
        guard case .typeA(let known) = tag.target else {
            noteLoss()
            throw NFCReaderError(.readerTransceiveErrorTagConnectionLost)
        }
        let target = try await withReader { (reader) throws(ReaderError) -> Target? in
            // Another tag that was spoken to would go on listening.
            if !isSwitch, let target = try await reader.select(uid: known.uid) { return target }
            try await reader.cycleField()
            return try await reader.select(uid: known.uid)
        }
        guard let target else {
            noteLoss()
            throw NFCReaderError(.readerTransceiveErrorTagConnectionLost)
        }
        if let tag = tag as? ISO7816Tag, !tag.initialSelectedAID.isEmpty {
            let hasApplication = try await withReader { (reader) throws(ReaderError) in
                try await reader.selectApplication(tag.initialSelectedAID, on: target)
            }
            guard hasApplication else {
                throw NFCReaderError(.readerTransceiveErrorTagResponseError)
            }
        }
        let now = configuration.clock.now()
        state.withLock { state in
            state.phase.detection?.isLost = false
            state.phase.detection?.selected = Detection.Selected(
                tag: tag,
                target: target,
                wakefulness: .awake,
                lastAnswer: now
            )
        }
    }
}
