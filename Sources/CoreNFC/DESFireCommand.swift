import Foundation
import NFCReader

/// The native commands of a DESFire, which come and go in frames (MF3ICD81 data sheet, "command format").
///
/// A frame begins with the command code, the answer to it with a status byte: 00 for done, AF for more to come. The
/// next frame, either way, is asked for or sent with the code AF.
extension TagLink {
    /// Sends a native command in as many frames as it takes and collects the answer from as many.
    ///
    /// - Returns: the status byte that the tag ended with, then the data of all frames; after an error only what the tag
    ///   said last. The status is AF when the tag ended with a frame without data, which asks for the client's.
    /// - Throws: `readerTransceiveErrorPacketTooLong` for a tag that goes on for ever, and what became of the exchange.
    func sendNativeDESFireCommand(_ command: Data) async throws(NFCReaderError) -> Data {
        var unsent = command.dropFirst(DESFireCommand.frameSize)
        var answer = try await exchange(Data(command.prefix(DESFireCommand.frameSize)))
        while !unsent.isEmpty, answer == Data([DESFireCommand.additionalFrame]) {
            let frame = unsent.prefix(DESFireCommand.frameSize - 1)
            unsent = unsent.dropFirst(frame.count)
            answer = try await exchange([DESFireCommand.additionalFrame] + Data(frame))
        }
        guard DESFireCommand.continues(command) else { return answer }
        var data = Data()
        var frames = 0
        while answer.first == DESFireCommand.additionalFrame, answer.count > 1 {
            data += answer.dropFirst()
            frames += 1
            guard frames < DESFireCommand.mostFrames, data.count <= DESFireCommand.longestAnswer
            else {
                throw NFCReaderError(.readerTransceiveErrorPacketTooLong)
            }
            answer = try await exchange(Data([DESFireCommand.additionalFrame]))
        }
        guard let status = answer.first, [0x00, DESFireCommand.additionalFrame].contains(status)
        else { return answer }
        return [status] + data + answer.dropFirst()
    }
}

/// What is known of DESFire commands.
enum DESFireCommand {
    /// The code, and the status, of a frame that goes on with what the last one began.
    static let additionalFrame: UInt8 = 0xAF
    /// A frame of the tag's 64 bytes (FSCI 5) without PCB, CID and CRC.
    static let frameSize = 60
    /// As for the answer to an APDU; no DESFire has as much to say.
    static let longestAnswer = 0x1_0000
    /// Frames that may make up an answer: in full ones `longestAnswer` takes 1111.
    static let mostFrames = 1200

    /// Whether the bytes are a native command: not wrapped in an APDU (`90 …`), and no APDU of ISO 7816-4 (`00 …`).
    static func isNative(_ command: Data) -> Bool {
        command.first.map { $0 != 0x90 && $0 != 0x00 } ?? false
    }

    /// Whether the rest of the answer can be asked for without the client.
    ///
    /// Authentication commands (0A, 1A, AA, 71, 77) answer AF with a challenge, and a client that sends AF by itself
    /// does the chaining.
    static func continues(_ command: Data) -> Bool {
        command.first.map { ![0x0A, 0x1A, 0xAA, 0x71, 0x77, additionalFrame].contains($0) } ?? false
    }
}
