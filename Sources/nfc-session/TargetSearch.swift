import Bytes
import NFCReader

extension Reader {
    /// Waits for a tag that speaks ISO-DEP, looking for these technologies in turn.
    ///
    /// - Parameters:
    ///   - technologies: what to look for.
    ///   - seconds: how long; for ever without a number.
    /// - Returns: the first one of them that comes.
    /// - Throws: `Failure.noTag` when none came in time, `Failure.unsuitableTag` for one without ISO-DEP.
    nonisolated func isoDepTarget(
        _ technologies: [Technology],
        within seconds: Int?
    ) async throws -> Target {
        let found = try await Deadline.cancel(after: seconds) { () -> Target? in
            while !Task.isCancelled {
                for technology in technologies {
                    if let target = try await self.poll(technology).first { return target }
                }
                // Thrown only on cancellation, which the loop looks for.
                try? await Task.sleep(for: .milliseconds(100))
            }
            return nil
        }
        try Task.checkCancellation()
        guard let found else { throw Failure.noTag(seconds: seconds ?? 0) }
        guard found.isISODEP else {
            throw Failure.unsuitableTag(
                "\(found.identifier.hex) (\(TagType.name(of: found))) speaks no ISO-DEP, so it takes no APDUs"
            )
        }
        return found
    }
}
