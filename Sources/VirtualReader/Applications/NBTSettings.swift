extension NBTApplication {
    /// What the public sources leave open about the chip, with the choices of facts/nbt.md, part 9, as defaults.
    ///
    /// A host must work with every combination.
    public struct Settings: Sendable {
        /// The two chips of the family; only NBT2000 has the elliptic curve.
        public var variant: Variant = .nbt2000
        /// The size of the NDEF file in bytes, with NLEN (question 1).
        public var ndefFileSize: UInt16 = 4096
        /// MLe of the CC: READ BINARY never answers more bytes (questions 1 and 3).
        public var maximumResponseData: UInt16 = 0x0100
        /// MLc of the CC (question 1).
        ///
        /// Only shown: the commands themselves carry up to 255 bytes.
        public var maximumCommandData: UInt16 = 0x00FF
        /// What READ BINARY answers at the very end of a file (question 2).
        public var readAtEnd: ReadAtEnd = .refused
        /// What SELECT answers to a wrong or blocked password (question 4).
        public var wrongPassword: WrongPassword = .marker
        /// Whether the right password clears the count of wrong ones (question 5).
        public var successClearsTries = true
        /// The status word for a wrong master password in CHANGE and UNBLOCK PASSWORD (question 6).
        public var wrongMasterStatus: UInt16 = 0x6982
        /// Whether a SELECT that finds no file leaves the old file selected (question 7).
        public var failedSelectKeepsFile = true
        /// How long AUTHENTICATE TAG takes (question 8).
        public var authenticationTime: Duration = .milliseconds(100)
        /// Whether the one-time token replaces 44 characters after `cott=` once a link key (DGI A001) is there
        /// (question 16).
        public var replacesToken = true

        /// How long the host behind the chip takes for a command, longer than a reader waits without being asked
        /// to (4.2).
        public var hostTime: Duration = .milliseconds(200)
        /// Whether SELECT of one of the chip's own applications ends pass-through (question 11).
        public var chipSelectEndsPassThrough = true

        /// The defaults of facts/nbt.md, part 9.
        public init() {}
    }

    /// The chips of the family (facts/nbt.md, 1.1).
    public enum Variant: Sendable {
        /// With elliptic curve: can authenticate.
        case nbt2000
        /// Without: personalising the key and AUTHENTICATE TAG answer 6985.
        case nbt1000
    }

    /// What READ BINARY answers when the offset is the size of the file.
    public enum ReadAtEnd: Sendable {
        /// 6700.
        case refused
        /// 9000 without data.
        case empty
    }

    /// How SELECT answers a password that does not open the file.
    public enum WrongPassword: Sendable {
        /// 9000 with response 0000 for a wrong password, FFFF for a blocked or unknown one.
        case marker
        /// 6982, and the file is not selected.
        case securityStatus
    }
}
