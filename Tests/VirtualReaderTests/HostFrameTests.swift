import Bytes
import Foundation
import TestSupport
import Testing
import VirtualReader

private let samples: [(wire: String, frame: HostFrame)] = [
    ("00 00 ff 00 ff 00", .acknowledge),
    ("00 00 ff ff 00 00", .negativeAcknowledge),
    ("00 00 ff 01 ff 7f 81 00", .error),
    ("00 00 ff 02 fe d4 02 2a 00", .command(hex("02"))),
    ("00 00 ff 03 fd d4 14 01 17 00", .command(hex("14 01"))),
    (
        "00 00 ff 09 f7 d4 00 00 6c 69 62 6e 66 63 be 00",
        .command(hex("00 00 6c 69 62 6e 66 63"))
    ),
    ("00 00 ff 06 fa d5 03 32 01 06 07 e8 00", .answer(hex("03 32 01 06 07"))),
    (
        "00 00 ff 0c f4 d4 06 63 02 63 03 63 0d 63 38 63 3d b0 00",
        .command(hex("06 63 02 63 03 63 0d 63 38 63 3d"))
    ),
]

/// Frames by the bytes of facts/pn532.md, 1 and 2.
@Suite struct HostFrameTests {
    @Test(arguments: samples)
    func samplesAreReadAndWritten(wire: String, frame: HostFrame) {
        var reader = FrameReader()
        reader.append(hex(wire))
        #expect(reader.next() == frame)
        #expect(reader.next() == nil)
        #expect(frame.encoded == hex(wire))
    }

    /// nfcpy's Diagnose with 262 bytes: LEN 0109, LCS F6 (facts/pn532.md, 2.2).
    @Test func theLongestFrameIsAnExtendedOne() {
        let body = Data([0x00, 0x00]) + (0..<262).map { UInt8(truncatingIfNeeded: $0) }
        let frame = HostFrame.command(body)
        #expect(frame.encoded.prefix(12) == hex("00 00 ff ff ff 01 09 f6 d4 00 00 00"))
        var reader = FrameReader()
        reader.append(frame.encoded)
        #expect(reader.next() == frame)
    }

    /// LEN counts TFI and data: 255 still fits a normal frame.
    @Test func extendedFramesAreOnlyUsedWhenNeeded() {
        #expect(HostFrame.answer(Data(count: 254)).encoded.prefix(5) == hex("00 00 ff ff 01"))
        #expect(
            HostFrame.answer(Data(count: 255)).encoded.prefix(8) == hex("00 00 ff ff ff 01 00 ff")
        )
    }

    @Test func bytesMayComeOneByOneWithJunkBetweenFrames() {
        var reader = FrameReader()
        var found: [HostFrame] = []
        let stream =
            hex("55 55 00 00 00 12 ff 34") + hex("00 00 ff 02 fe d4 02 2a 00")
            + hex("00 00 00 00 ff 00 ff 00") + hex("00 00 ff 02 fe d4 04 28")
        for byte in stream {
            reader.append(Data([byte]))
            while let frame = reader.next() { found.append(frame) }
        }
        #expect(found == [.command(hex("02")), .acknowledge, .command(hex("04"))])
    }

    @Test(arguments: [
        "00 00 ff 02 ff d4 02 2a 00",  // LCS
        "00 00 ff 02 fe d4 02 2b 00",  // DCS
        "00 00 ff 02 fe d3 02 2b 00",  // TFI
        "00 00 ff ff ff 01 09 f7 d4 00",  // LCS of an extended frame
        "00 00 ff ff ff ff ff 02 d4 00",  // longer than any frame
        "00 00 ff ff ff 00 00 00 d4 00",  // empty
        "00 00 ff 02 fe 7f 00 81 00",  // an error frame has no data
    ])
    func damagedFramesAreSkipped(wire: String) {
        var reader = FrameReader()
        reader.append(hex(wire) + hex("00 00 ff 02 fe d4 02 2a 00"))
        #expect(reader.next() == .command(hex("02")))
        #expect(reader.next() == nil)
    }

    @Test func everyTruncationWaitsForMore() {
        let wire = hex("00 00 ff 05 fb d4 40 01 30 04 b7 00")
        for count in 0..<wire.count - 1 {
            var reader = FrameReader()
            reader.append(wire.prefix(count))
            #expect(reader.next() == nil)
            reader.append(wire.dropFirst(count))
            #expect(reader.next() == .command(hex("40 01 30 04")), "cut after \(count) bytes")
        }
    }

    @Test func aFrameCutShortDoesNotTakeTheNextOneWithIt() {
        var reader = FrameReader()
        reader.append(hex("00 00 ff 09 f7 d4 00 00 6c") + hex("00 00 ff 02 fe d4 02 2a 00"))
        #expect(reader.next() == .command(hex("02")))
    }

    @Test func randomBytesNeverCrash() {
        var generator = SystemRandomNumberGenerator()
        var reader = FrameReader()
        for _ in 0..<500 {
            var bytes = Data()
            for _ in 0..<Int.random(in: 1...40, using: &generator) {
                // Many 00 and FF, so that start codes come up.
                let choices: [UInt8] = [0x00, 0xFF, .random(in: .min ... .max, using: &generator)]
                bytes.append(choices[Int.random(in: 0..<3, using: &generator)])
            }
            reader.append(bytes)
            while reader.next() != nil {}
        }
    }
}
