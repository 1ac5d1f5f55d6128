/// The chip's registers as the host sees them by ReadRegister and WriteRegister (facts/pn532.md, 5).
struct Registers {
    /// Addresses of the registers that mean something here.
    ///
    /// The others only keep their value.
    enum Address {
        static let txMode: UInt16 = 0x6302
        static let rxMode: UInt16 = 0x6303
        static let txControl: UInt16 = 0x6304
        static let txAuto: UInt16 = 0x6305
        static let status2: UInt16 = 0x6338
        static let fifoData: UInt16 = 0x6339
        static let control: UInt16 = 0x633C
        static let bitFraming: UInt16 = 0x633D
    }

    private static let resetValues: [UInt16: UInt8] = [
        0x6301: 0x3B, 0x6304: 0x80, 0x6306: 0x10, 0x6307: 0x84, 0x6308: 0x84, 0x6309: 0x4D,
        0x630C: 0x62, 0x6313: 0x88, 0x6314: 0x26, 0x6315: 0x87, 0x6316: 0x48, 0x6317: 0x88,
        0x6318: 0x20, 0x6319: 0x20, 0x6327: 0x80, 0x6331: 0x20, 0x6332: 0x80, 0x6334: 0x14,
        0x6337: 0x21, 0x633B: 0x08, 0x633E: 0x80,
    ]
    private var values = resetValues

    subscript(address: UInt16) -> UInt8 {
        get { values[address] ?? 0x00 }
        set { values[address] = newValue }
    }

    /// What InCommunicateThru sends: TxMode bits 1 and 0 are the framing.
    var technology: Technology? {
        switch self[Address.txMode] & 0x03 {
        case 0: .typeA
        case 2: .feliCa
        case 3: .typeB
        default: nil
        }
    }

    /// Whether the chip adds a CRC to what it sends.
    var addsCRC: Bool { self[Address.txMode] & 0x80 != 0 }

    /// Whether the chip checks the CRC of what it receives, and keeps it from the host.
    var checksCRC: Bool { self[Address.rxMode] & 0x80 != 0 }

    /// The number of bits of the last byte to send; 0 for a whole byte.
    var lastBits: UInt8 { self[Address.bitFraming] & 0x07 }

    /// Whether the Crypto1 unit is on (Status2, MFCrypto1On).
    var isEncrypting: Bool {
        get { self[Address.status2] & 0x08 != 0 }
        set {
            if newValue {
                self[Address.status2] |= 0x08
            } else {
                self[Address.status2] &= ~0x08
            }
        }
    }

    /// Sets framing, speed and CRC as a search for such tags leaves them.
    mutating func prepare(for type: TargetType) {
        switch type {
        case .feliCa212: setModes(0x92)
        case .feliCa424: setModes(0xA2)
        case .typeB, .isoDEPB: setModes(0x83)
        default:
            setModes(0x80)
            self[Address.txAuto] = 0x43
        }
    }

    private mutating func setModes(_ mode: UInt8) {
        self[Address.txMode] = mode
        self[Address.rxMode] = mode
    }
}
