import Bytes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Decodes the content of the access policy file (facts/nbt.md, 1.4).
public enum FapDecoder {
    /// Decodes any number of entries of 6 bytes.
    ///
    /// - Returns: the entries in their order.
    /// - Throws: `NbtError.malformedPolicy` for no bytes, a length that is no multiple of 6 or an
    ///   undefined condition.
    public static func decode(policyBytes: Data) throws(NbtError) -> [FileAccessPolicy] {
        guard !policyBytes.isEmpty, policyBytes.count.isMultiple(of: FileAccessPolicy.length)
        else {
            throw .malformedPolicy(
                "the file has 42 bytes, or 6 for each entry, not \(policyBytes.count)"
            )
        }
        var reader = ByteReader(policyBytes)
        var policies: [FileAccessPolicy] = []
        while let entry = try? reader.bytes(FileAccessPolicy.length) {
            policies.append(try FileAccessPolicy(encoded: entry))
        }
        return policies
    }
}
