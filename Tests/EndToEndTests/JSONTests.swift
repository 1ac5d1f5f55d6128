import Foundation
import Testing

@testable import nfc_session

@Suite struct JSONTests {
    @Test("Keys keep their order")
    func order() {
        let value = JSON.object([
            "z": .number(-1), "a": .null, "m": .array([.bool(true), .bool(false)]),
        ])
        #expect(value.description == #"{"z":-1,"a":null,"m":[true,false]}"#)
    }

    @Test("What a JSON parser reads is what was written, and no line break or control gets through")
    func roundTrip() throws {
        for code in 0..<0x300 {
            guard let scalar = Unicode.Scalar(code) else { continue }
            let text = "a\(scalar)b\u{1F600}"
            let line = JSON.array([.string(text)]).description
            let parsed = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String]
            #expect(parsed == [text])
            #expect(!line.unicodeScalars.contains { $0.properties.generalCategory == .control })
        }
    }
}
