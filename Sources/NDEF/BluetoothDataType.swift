/// What an EIR or AD structure is about, as the Bluetooth SIG numbers it (Assigned Numbers, 2.3; facts/nbt.md, 6.4).
public struct BluetoothDataType: RawRepresentable, Sendable, Hashable {
    /// The number.
    public let rawValue: UInt8

    /// The type with a number, known or not.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    private init(_ rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Flags: what the device supports.
    public static let flags = Self(0x01)
    /// Some service UUIDs of 16 bits.
    public static let incompleteUUIDs16 = Self(0x02)
    /// All service UUIDs of 16 bits.
    public static let completeUUIDs16 = Self(0x03)
    /// Some service UUIDs of 32 bits.
    public static let incompleteUUIDs32 = Self(0x04)
    /// All service UUIDs of 32 bits.
    public static let completeUUIDs32 = Self(0x05)
    /// Some service UUIDs of 128 bits.
    public static let incompleteUUIDs128 = Self(0x06)
    /// All service UUIDs of 128 bits.
    public static let completeUUIDs128 = Self(0x07)
    /// The beginning of the device's name, UTF-8.
    public static let shortenedLocalName = Self(0x08)
    /// The device's name, UTF-8.
    public static let completeLocalName = Self(0x09)
    /// The power it sends with, in dBm, signed.
    public static let txPowerLevel = Self(0x0A)
    /// The class of the device, three bytes.
    public static let classOfDevice = Self(0x0D)
    /// Simple pairing hash C-192, 16 bytes.
    public static let pairingHash192 = Self(0x0E)
    /// Simple pairing randomizer R-192, 16 bytes.
    public static let pairingRandomizer192 = Self(0x0F)
    /// Security manager TK value, 16 bytes; a secret.
    public static let securityManagerTK = Self(0x10)
    /// Security manager out of band flags.
    public static let securityManagerFlags = Self(0x11)
    /// The address of LE devices, seven bytes: the address, and 00 public or 01 random.
    public static let leDeviceAddress = Self(0x1B)
    /// The role of an LE device, one byte.
    public static let leRole = Self(0x1C)
    /// What the device looks like, two bytes.
    public static let appearance = Self(0x19)
    /// Simple pairing hash C-256, 16 bytes.
    public static let pairingHash256 = Self(0x1D)
    /// Simple pairing randomizer R-256, 16 bytes.
    public static let pairingRandomizer256 = Self(0x1E)
    /// LE secure connections confirmation value, 16 bytes.
    public static let leConfirmation = Self(0x22)
    /// LE secure connections random value, 16 bytes; a secret.
    public static let leRandom = Self(0x23)
    /// A URI.
    public static let uri = Self(0x24)
    /// A company's own: its number, two bytes, and what it wants.
    public static let manufacturerData = Self(0xFF)
}
