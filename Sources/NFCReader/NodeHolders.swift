/// A process.
package struct RunningProcess: Sendable, Equatable, CustomStringConvertible {
    package let identifier: Int
    /// The kernel's name for it, at most 15 characters.
    package let name: String

    /// As people look for it: `pcscd (process 812)`.
    package var description: String { "\(name) (process \(identifier))" }
}

/// Which processes have a device node open.
package struct NodeHolders: Sendable, Equatable {
    package let processes: [RunningProcess]
    /// Whether every process could be looked into; without root, those of other users cannot.
    package let isComplete: Bool
}

extension Machine {
    /// All processes.
    package var processes: [RunningProcess] {
        names(in: "/proc").compactMap { Int($0) }.sorted().compactMap { identifier in
            text(of: "/proc/\(identifier)/comm").map {
                RunningProcess(identifier: identifier, name: $0)
            }
        }
    }

    /// The process's command line, its program first.
    package func arguments(of process: RunningProcess) -> [String] {
        text(of: "/proc/\(process.identifier)/cmdline")?.split(separator: "\0").map(String.init)
            ?? []
    }

    /// Who has these nodes open; nil for a machine without processes.
    ///
    /// All nodes are looked for in one walk through `/proc`.
    package func holders(of nodes: [String]) -> [String: NodeHolders]? {
        let processes = processes
        guard !processes.isEmpty else { return nil }
        var found: [String: [RunningProcess]] = [:]
        var isComplete = true
        for process in processes {
            let folder = "/proc/\(process.identifier)/fd"
            let descriptors = names(in: folder)
            // The folder of another user's process cannot be listed, and looks empty; so does that of a process
            // without open files, which only kernel threads are in practice.
            if descriptors.isEmpty, !isKernelThread(process) { isComplete = false }
            let targets = Set(descriptors.compactMap { target(of: folder + "/" + $0) })
            for node in nodes where targets.contains(node) {
                found[node, default: []].append(process)
            }
        }
        return Dictionary(
            nodes.map { ($0, NodeHolders(processes: found[$0] ?? [], isComplete: isComplete)) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// Kernel threads have no command line.
    private func isKernelThread(_ process: RunningProcess) -> Bool {
        bytes(of: "/proc/\(process.identifier)/cmdline")?.isEmpty ?? true
    }
}
