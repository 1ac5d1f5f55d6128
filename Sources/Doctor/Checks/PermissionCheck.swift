import NFCReader

/// Whether the user may open the nodes of readers and ports.
struct PermissionCheck: Check {
    let name = "permission"

    func findings(in examination: Examination) -> [Finding] {
        examination.candidates.filter { $0.mayBeAsked || $0.usb == nil }.map { candidate in
            let node = candidate.node ?? ""
            guard let user = examination.user, let access = candidate.access else {
                return finding(
                    .cannotTell,
                    candidate.connectionString,
                    "\(node) cannot be judged without /proc/self/status, so not for a machine at rest"
                )
            }
            guard !access.isAllowed else {
                return finding(
                    .ok,
                    candidate.connectionString,
                    "\(user.name) may open \(node) (\(access.description))"
                )
            }
            return finding(
                .trouble,
                candidate.connectionString,
                "\(user.name) may not open \(node) (\(access.description))"
                    + (isLoginMissing(user, access)
                        ? "; this session is older than the membership in \(access.group)" : ""),
                remedy(user, access, candidate, examination)
            )
        }
    }

    private func isLoginMissing(_ user: User, _ access: NodeAccess) -> Bool {
        access.isOpenToGroup && user.groupNames.contains(access.group)
    }

    private func remedy(
        _ user: User,
        _ access: NodeAccess,
        _ candidate: ReaderCandidate,
        _ examination: Examination
    ) -> Remedy {
        if isLoginMissing(user, access) {
            return .type("newgrp", access.group, then: "or log out and in again")
        }
        if access.isOpenToGroup {
            return .mend(
                "usermod",
                "-aG",
                access.group,
                user.name,
                then: "log out and in again"
            )
        }
        guard examination.hasRules else {
            return .type("make", "install", then: "unplug the reader and plug it in again")
        }
        let subsystem = candidate.source == .usb ? "usb" : "tty"
        return .mend(
            "udevadm",
            "trigger",
            "--action=add",
            "--subsystem-match=" + subsystem,
            then: "if that does not help, unplug the reader and plug it in again"
        )
    }
}
