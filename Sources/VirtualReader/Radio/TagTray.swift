internal import Synchronization

/// The tags that lie on a virtual reader's antenna, powered or not.
package final class TagTray: Sendable {
    /// A tag that was put on the antenna.
    ///
    /// The same tag put there again is another placement: it lost its power in between, however
    /// short that was.
    struct Placement {
        let id: Int
        let tag: any VirtualTag
    }

    private struct State {
        var placements: [Placement] = []
        var lastID = 0

        mutating func add(_ tag: any VirtualTag) {
            lastID += 1
            placements.append(Placement(id: lastID, tag: tag))
        }
    }

    private let state = Mutex(State())

    package init() {}

    /// What lies there now, first come first.
    var placements: [Placement] { state.withLock { $0.placements } }

    /// Puts a tag there; one that is there already stays as it is.
    package func place(_ tag: any VirtualTag) {
        state.withLock { state in
            if !state.placements.contains(where: { $0.tag === tag }) { state.add(tag) }
        }
    }

    /// Takes a tag away, if it is there.
    package func remove(_ tag: any VirtualTag) {
        state.withLock { $0.placements.removeAll { $0.tag === tag } }
    }

    /// Takes everything away.
    package func removeAll() {
        state.withLock { $0.placements.removeAll() }
    }

    /// Takes one tag away and puts another there, with no moment in between.
    package func swap(_ old: any VirtualTag, for new: any VirtualTag) {
        state.withLock { state in
            state.placements.removeAll { $0.tag === old || $0.tag === new }
            state.add(new)
        }
    }

    /// Takes one placement away.
    func remove(id: Int) {
        state.withLock { $0.placements.removeAll { $0.id == id } }
    }
}
