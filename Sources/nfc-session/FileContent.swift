#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Files that the user names.
extension Data {
    /// The content of a file.
    init(file path: String) throws(Failure) {
        do {
            self = try Data(contentsOf: URL(filePath: path))
        } catch {
            throw .file(path: path, reason: "cannot be read (\(error))")
        }
    }

    /// Writes the bytes into a file, which is either whole then or as before.
    func write(file path: String) throws(Failure) {
        do {
            try write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw .file(path: path, reason: "cannot be written (\(error))")
        }
    }
}
