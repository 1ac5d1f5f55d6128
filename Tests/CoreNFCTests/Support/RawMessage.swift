import CoreNFC
import TestSupport

/// The message in the memory of a type 2 tag, page 0 first, by the simplest walk that NFC Forum Type 2 Tag 1.1, 2.3, allows;
/// nil when there is none or it goes beyond the data area.
func typeTwoMessage(in memory: Data) -> Data? {
    let bytes = [UInt8](memory)
    let end = 16 + Int(bytes[14]) * 8
    var next = 16
    while next < end, bytes[next] != 0xFE {
        guard bytes[next] != 0x00 else {
            next += 1
            continue
        }
        var length = Int(bytes[next + 1])
        var value = next + 2
        if length == 0xFF {
            length = Int(bytes[value]) << 8 | Int(bytes[value + 1])
            value += 2
        }
        guard value + length <= end else { return nil }
        if bytes[next] == 0x03 { return Data(bytes[value..<value + length]) }
        next = value + length
    }
    return nil
}

/// The message in the blocks of a type 3 tag; nil while it is being written, or when it goes beyond the blocks.
func typeThreeMessage(in memory: Data) -> Data? {
    let bytes = [UInt8](memory)
    let end = 16 + (Int(bytes[11]) << 16 | Int(bytes[12]) << 8 | Int(bytes[13]))
    let sum = bytes[..<14].reduce(0) { $0 + Int($1) }
    guard bytes[9] == 0, end <= bytes.count, sum == Int(bytes[14]) << 8 | Int(bytes[15]) else {
        return nil
    }
    return Data(bytes[16..<end])
}

/// The message in the NDEF file of a type 4 tag; nil when it goes beyond the file.
func typeFourMessage(in file: Data) -> Data? {
    let bytes = [UInt8](file)
    let end = 2 + (Int(bytes[0]) << 8 | Int(bytes[1]))
    return end <= bytes.count ? Data(bytes[2..<end]) : nil
}

/// A message of random records that takes exactly `size` bytes, at least 3.
func randomMessage(ofSize size: Int, _ generator: inout SeededGenerator) -> NFCNDEFMessage {
    var records: [NFCNDEFPayload] = []
    var rest = size
    while rest >= 16, records.count < 3, Bool.random(using: &generator) {
        let part = Int.random(in: 3...rest - 3, using: &generator)
        records.append(randomRecord(ofSize: part, &generator))
        rest -= part
    }
    records.append(randomRecord(ofSize: rest, &generator))
    return NFCNDEFMessage(records: records)
}

private func randomRecord(ofSize size: Int, _ generator: inout SeededGenerator) -> NFCNDEFPayload {
    // Three bytes of header and lengths, four with an identifier, three more for a payload over 255 bytes.
    let identifier = size >= 32 && Bool.random(using: &generator) ? Data("id".utf8) : Data()
    var rest = size - 3 - (identifier.isEmpty ? 0 : 1 + identifier.count)
    var type =
        size >= 16
        ? Data("text/x-random".utf8.prefix(Int.random(in: 6...13, using: &generator))) : Data()
    rest -= type.count
    if rest > 258 {
        rest -= 3
    } else if rest > 255 {
        // Too long for a short record, too short for a long one.
        type += Data("abc".utf8)
        rest -= 3
    }
    return NFCNDEFPayload(
        format: type.isEmpty ? (rest == 0 ? .empty : .unknown) : .media,
        type: type,
        identifier: identifier,
        payload: Data((0..<rest).map { _ in UInt8.random(in: 0...255, using: &generator) })
    )
}
