/// Asks candidates whether they are readers, and asks none twice.
///
/// Only this writes to ports. A port that another program uses is left alone.
package struct ReaderProbe {
    /// What came of asking.
    package enum Answer: Sendable, Equatable {
        /// A reader, with this chip and firmware: "PN532 1.6"; `connectionString` names the baud rate as well
        /// where it is not the usual one.
        case reader(connectionString: String, chip: String)
        /// No reader, or none that can be used.
        case failure(ReaderError)
        /// It was not asked; the text says why.
        case notAsked(String)
    }

    /// The rates that a PN532 may have been left at, as far as libnfc knows them: the one after power-up, then
    /// those that nfcpy switches to (facts/users.md, 5 number 16).
    private static let otherRates = ["230400", "460800"]

    private var answers: [String: Answer] = [:]

    /// Remembers nothing yet.
    package init() {}

    /// Asks a candidate that was found, unless nobody asked for it or it is in use.
    ///
    /// A silent port costs about 3 s for each of three baud rates.
    package mutating func ask(_ candidate: ReaderCandidate) async -> Answer {
        guard candidate.mayBeAsked else {
            return .notAsked(
                "not asked: anything may be behind it; name it with --reader to have it asked"
            )
        }
        if let holder = candidate.holders?.processes.first {
            return .notAsked("not asked: \(holder) uses it")
        }
        return await ask(candidate.connectionString)
    }

    /// Asks what the user named.
    package mutating func ask(_ connectionString: String) async -> Answer {
        let parsed: ConnectionString
        do throws(ReaderError) {
            parsed = try ConnectionString(connectionString)
        } catch {
            return .failure(error)
        }
        // Names that lead to the same port are one port.
        if let known = answers[parsed.identity] { return known }
        let answer = await Self.ask(parsed, as: connectionString)
        answers[parsed.identity] = answer
        return answer
    }

    private static func ask(_ parsed: ConnectionString, as name: String) async -> Answer {
        let first = await open(name)
        guard case .failure(.notResponding) = first, parsed.driver == .pn532UART,
            !parsed.hasBaudRate
        else { return first }
        for rate in otherRates where !Task.isCancelled {
            let answer = await open("\(parsed.text):\(rate)", named: "\(name):\(rate)")
            if case .reader = answer { return answer }
        }
        return first
    }

    private static func open(_ connectionString: String, named name: String? = nil) async -> Answer
    {
        do throws(ReaderError) {
            let reader = try await Reader.open(connectionString)
            do throws(ReaderError) {
                let chip = try await reader.firmware()
                await reader.close()
                return .reader(connectionString: name ?? connectionString, chip: chip)
            } catch {
                await reader.close()
                return .failure(error)
            }
        } catch {
            return .failure(error)
        }
    }
}
