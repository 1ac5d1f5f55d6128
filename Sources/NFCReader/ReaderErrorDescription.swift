import Bytes

extension ReaderError: CustomStringConvertible {
    /// What happened and what to do about it, as one sentence without a full stop.
    public var description: String {
        switch self {
        case .invalidConnectionString(let text): text
        case .noReader:
            "no reader found: plug one in, or name one with --reader or NFC_SESSION_READER, for "
                + "example pn532_uart:/dev/ttyUSB0 ('nfc-session readers' lists the candidates)"
        case .severalReaders(let found):
            "several readers found: name one with --reader or NFC_SESSION_READER: "
                + found.joined(separator: ", ")
        case .cannotOpen(let text), .inUse(let text), .notResponding(let text): text
        case .failed(let code, let action):
            "the reader failed during \(action) (libnfc error \(code)): check its plug and power"
        case .libraryFault(let action):
            "libnfc stopped during \(action): the reader sent what no PN53x should; "
                + "unplug it and plug it in again"
        case .malformedAnswer(let action):
            "the reader's answer to \(action) makes no sense: check its wiring and baud rate"
        case .tagLost: "the tag left the field or stopped answering: hold it still and try again"
        case .tagError(let status):
            "the exchange with the tag failed (PN532 status \(status.hex)): hold it still and try again"
        case .commandTooLong(let size, let limit):
            "the command has \(size) bytes, but the reader sends no more than \(limit)"
        case .answerTooLong(let limit):
            "the tag answers more than the \(limit) bytes that the reader can take: ask for it in pieces"
        case .closed: "the reader is closed"
        case .interrupted: "stopped"
        }
    }
}
