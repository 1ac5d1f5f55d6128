import Glibc

/// The user on whose behalf this is asked: the one who runs the program.
package struct User: Sendable, Equatable {
    package let identifier: UInt32
    /// The groups of this session, which a new membership joins at the next login only.
    package let groups: Set<UInt32>
    package let name: String
    /// The names of the groups that the user belongs to by /etc/group.
    package let groupNames: Set<String>
}

/// Whether the user may read and write a device node, and why.
package struct NodeAccess: Sendable, Equatable {
    package let isAllowed: Bool
    /// The owning group's name, or its number where it has none.
    package let group: String
    /// Whether the group may read and write, so that joining it helps.
    package let isOpenToGroup: Bool
    /// Owner, group and mode: `root:dialout 0660`.
    package let description: String
}

extension Machine {
    /// The user who runs the program, from `/proc/self/status`; nil for a machine that is not running.
    package var user: User? {
        let lines = lines(of: "/proc/self/status")
        func numbers(_ key: String) -> [UInt32]? {
            lines.first { $0.hasPrefix(key) }?.dropFirst(key.count)
                .split { $0 == "\t" || $0 == " " }.compactMap { UInt32($0) }
        }
        // Real, effective, saved and file system id; the effective one counts.
        guard let uids = numbers("Uid:"), uids.count == 4, let gids = numbers("Gid:"),
            gids.count == 4
        else { return nil }
        let name = records(of: "/etc/passwd").first { $0.count > 2 && $0[2] == "\(uids[1])" }?[0]
        let member = records(of: "/etc/group").filter {
            $0.count > 3 && $0[3].split(separator: ",").contains { $0 == name ?? "" }
        }
        return User(
            identifier: uids[1],
            groups: Set([gids[1]] + (numbers("Groups:") ?? [])),
            name: name ?? "\(uids[1])",
            groupNames: Set(member.map { $0[0] })
        )
    }

    /// Whether `user` may use a node; nil when there is no such node.
    package func access(to node: String, for user: User) -> NodeAccess? {
        guard let status = status(of: node) else { return nil }
        let mode = UInt32(status.st_mode) & 0o777
        let isAllowed =
            user.identifier == 0
            || isAllowed(mode, status, user)
            // Only the system itself knows the access control lists that logind writes for `uaccess`.
            || isAccessible(node)
        let group = name(of: status.st_gid, in: "/etc/group")
        let octal = String(mode, radix: 8)
        return NodeAccess(
            isAllowed: isAllowed,
            group: group,
            isOpenToGroup: mode & 0o060 == 0o060 && group != "root",
            description: "\(name(of: status.st_uid, in: "/etc/passwd")):\(group) "
                + String(repeating: "0", count: 4 - octal.count) + octal
        )
    }

    /// The first class that the user belongs to counts, even if a later one would allow more.
    private func isAllowed(_ mode: UInt32, _ status: stat, _ user: User) -> Bool {
        if status.st_uid == user.identifier { return mode & 0o600 == 0o600 }
        if user.groups.contains(status.st_gid) { return mode & 0o060 == 0o060 }
        return mode & 0o006 == 0o006
    }

    private func name(of identifier: UInt32, in file: String) -> String {
        records(of: file).first { $0.count > 2 && $0[2] == "\(identifier)" }?[0] ?? "\(identifier)"
    }

    /// The lines of /etc/passwd or /etc/group, parted at the colons.
    private func records(of file: String) -> [[String]] {
        lines(of: file).map {
            $0.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        }
    }
}
