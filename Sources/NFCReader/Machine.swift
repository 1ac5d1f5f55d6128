#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

import Glibc

/// A Linux machine, seen through its files: `/sys`, `/proc`, `/dev`, `/etc`.
///
/// Everything that is known about ports, processes and settings is read from here, and nothing is opened that is not
/// a plain file. With another root the same questions can be put to a copy of a machine: a mounted card, or a folder
/// made by a test.
package struct Machine: Sendable {
    /// The machine this program runs on.
    package static let this = Machine(root: "/")

    /// The root's path without a slash at its end, all links followed; empty for this machine.
    private let root: String

    /// The machine whose root folder is `root`.
    package init(root: String) {
        let real = Self.realPath(root) ?? root
        self.root = real == "/" ? "" : real
    }

    /// Whether this is the machine the program runs on, so that what was found can be acted on.
    package var isThisOne: Bool { root.isEmpty }

    // MARK: Files

    /// Whether there is something at this path; links are followed.
    package func exists(_ path: String) -> Bool { status(of: path) != nil }

    /// The names in a folder, sorted; none when there is no such folder.
    package func names(in folder: String) -> [String] {
        guard let stream = opendir(root + folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { bytes in
                bytes.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// The names in the first of several folders that can hold the same kind of files, each with its path.
    ///
    /// systemd, udev and modprobe read `/etc`, `/run`, `/usr/lib` and `/lib`; a name in an earlier folder hides the
    /// same name in a later one.
    package func files(in folders: [String], ending suffix: String) -> [String] {
        var paths: [String: String] = [:]
        for folder in folders {
            for name in names(in: folder) where name.hasSuffix(suffix) && paths[name] == nil {
                paths[name] = folder + "/" + name
            }
        }
        return paths.sorted { $0.key < $1.key }.map(\.value)
    }

    /// The bytes of a plain file of at most 16 MiB; nil when it cannot be read.
    package func bytes(of path: String) -> Data? {
        // Asked before: opening a port would already change its control lines.
        guard let status = status(of: path), status.st_mode & S_IFMT == S_IFREG else { return nil }
        let file = open(root + path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = Data()
        var part = [UInt8](repeating: 0, count: 65_536)
        // Files below /proc and /sys do not know their size.
        while bytes.count < 16 << 20 {
            let count = read(file, &part, part.count)
            guard count > 0 else { return count == 0 ? bytes : nil }
            bytes.append(contentsOf: part[..<count])
        }
        return nil
    }

    /// The text of a file, without the line breaks and zeros at its end; nil when it cannot be read.
    package func text(of path: String) -> String? {
        guard let bytes = bytes(of: path) else { return nil }
        let end = bytes.lastIndex { $0 != 0 && $0 != 0x0A }.map { $0 + 1 } ?? bytes.startIndex
        return String(decoding: bytes[..<end], as: UTF8.self)
    }

    /// The lines of a text file; none when it cannot be read.
    package func lines(of path: String) -> [String] {
        text(of: path)?.split(separator: "\n").map(String.init) ?? []
    }

    /// What a link says, followed or not; nil when there is no link.
    package func target(of link: String) -> String? {
        var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = bytes.withUnsafeMutableBytes { room in
            room.baseAddress.map { readlink(root + link, $0, room.count) } ?? -1
        }
        return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    /// The last part of what a link says: the driver that `.../driver` leads to.
    package func targetName(of link: String) -> String? {
        target(of: link)?.split(separator: "/").last.map(String.init)
    }

    /// The path as this machine sees it, with all links followed; nil when it leads nowhere or out of the machine.
    package func realPath(of path: String) -> String? {
        guard let real = Self.realPath(root + path) else { return nil }
        guard real.hasPrefix(root + "/") else { return nil }
        return String(real.dropFirst(root.count))
    }

    /// Who may do what with the file at this path; links are followed.
    func status(of path: String) -> stat? {
        var status = stat()
        return stat(root + path, &status) == 0 ? status : nil
    }

    /// Whether this process may read and write the file, by whatever rule; known on this machine only.
    func isAccessible(_ path: String) -> Bool {
        isThisOne && Glibc.access(path, R_OK | W_OK) == 0
    }

    /// Has an inotify descriptor report changes in a folder; false when that cannot be.
    func watch(_ folder: String, by descriptor: Int32, for changes: UInt32) -> Bool {
        inotify_add_watch(descriptor, root + folder, changes) >= 0
    }

    private static func realPath(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }
}
