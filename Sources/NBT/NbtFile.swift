/// The elementary files of the operational application, in the order of the access policy file
/// (facts/nbt.md, 1.3 and 1.4).
public enum NbtFile: UInt16, Sendable, Hashable, CaseIterable {
    /// CC, the capability container: 47 bytes.
    case capabilityContainer = 0xE103
    /// The NDEF file: NLEN in two bytes, then the message.
    case ndef = 0xE104
    /// Proprietary file 1, 1024 bytes.
    case proprietary1 = 0xE1A1
    /// Proprietary file 2, 1024 bytes.
    case proprietary2 = 0xE1A2
    /// Proprietary file 3, 1024 bytes.
    case proprietary3 = 0xE1A3
    /// Proprietary file 4, 1024 bytes.
    case proprietary4 = 0xE1A4
    /// FAP, the file access policy: 42 bytes.
    case fileAccessPolicy = 0xE1AF

    /// The four files for an application's own use.
    public static let proprietary: [NbtFile] = [
        .proprietary1, .proprietary2, .proprietary3, .proprietary4,
    ]

    /// The size in bytes; that of the NDEF file is not confirmed, its CC entry tells it.
    public var size: Int {
        switch self {
        case .capabilityContainer: 47
        case .ndef: NbtConstants.ndefFileSize
        case .proprietary1, .proprietary2, .proprietary3, .proprietary4: 1024
        case .fileAccessPolicy: 42
        }
    }
}

extension NbtFile: CustomStringConvertible {
    /// The file's name for people, with its identifier.
    public var description: String {
        switch self {
        case .capabilityContainer: "capability container (E103)"
        case .ndef: "NDEF file (E104)"
        case .proprietary1: "proprietary file 1 (E1A1)"
        case .proprietary2: "proprietary file 2 (E1A2)"
        case .proprietary3: "proprietary file 3 (E1A3)"
        case .proprietary4: "proprietary file 4 (E1A4)"
        case .fileAccessPolicy: "file access policy (E1AF)"
        }
    }
}
