import Foundation
import NFCReader
import NFCSession
import TestSupport
import Testing

@testable import nfc_session

@Suite struct TagLineTests {
    private static let ntag = Target.typeA(
        TypeATarget(atqa: 0x0044, sak: 0x00, uid: hex("04a1b2c3d4e580"), ats: nil)
    )

    private func line(
        _ target: Target,
        _ event: UIDReport.Event = .detected,
        type: String,
        format: UIDFormat = .hex
    ) -> TagLine {
        // 2026-11-30 12:00:00.125 UTC
        let time = Date(timeIntervalSince1970: 1_796_040_000.125)
        let report = UIDReport(
            event: event,
            time: time,
            reader: "pn532_uart:/dev/ttyUSB0",
            target: target,
            type: type
        )
        return TagLine(report: report, format: format)
    }

    @Test("The JSON line of a detected tag is the one that design.md fixes")
    func contract() {
        let expected =
            #"{"event":"detected","time":"2026-11-30T12:00:00.125Z","reader":"pn532_uart:/dev/ttyUSB0","#
            + #""technology":"iso14443a","uid":"04a1b2c3d4e580","random":false,"atqa":"0044","#
            + #""sak":"00","ats":null,"type":"NTAG213"}"#
        #expect(line(Self.ntag, type: "NTAG213").json.description == expected)
    }

    @Test("A removed tag has the same keys")
    func removed() {
        let json = line(Self.ntag, .removed, type: "NTAG213").json.description
        #expect(json.hasPrefix(#"{"event":"removed","time":"2026-11-30T12:00:00.125Z","#))
        #expect(json.contains(#""uid":"04a1b2c3d4e580""#))
    }

    @Test("How long a tag stayed is said last, and only where it was asked for")
    func held() {
        let report = UIDReport(
            event: .resting,
            time: Date(timeIntervalSince1970: 1_796_040_000.125),
            reader: "pn532_uart:/dev/ttyUSB0",
            target: Self.ntag,
            type: "NTAG213",
            held: .milliseconds(2_050)
        )
        let asked = TagLine(report: report, format: .hex, saysHowLong: true)
        #expect(asked.json.description.hasPrefix(#"{"event":"resting","time":"#))
        #expect(asked.json.description.hasSuffix(#","type":"NTAG213","milliseconds":2050}"#))
        #expect(asked.text == "resting   04a1b2c3d4e580  NTAG213  2050 ms")
        let notAsked = TagLine(report: report, format: .hex)
        #expect(notAsked.json.description.hasSuffix(#","type":"NTAG213"}"#))
        #expect(notAsked.text == "resting   04a1b2c3d4e580  NTAG213")
    }

    @Test("Type B and FeliCa tags say what they have instead of ATQA, SAK and ATS")
    func otherTechnologies() {
        let typeB = Target.typeB(
            TypeBTarget(
                pupi: hex("11223344"),
                applicationData: hex("00000000"),
                protocolInfo: hex("008171")
            )
        )
        #expect(
            line(typeB, type: "ISO 14443 type B").json.description.hasSuffix(
                #""technology":"iso14443b","uid":"11223344","random":false,"atqa":null,"sak":null,"#
                    + #""ats":null,"type":"ISO 14443 type B","applicationData":"00000000","#
                    + #""protocolInfo":"008171"}"#
            )
        )
        let feliCa = Target.feliCa(
            FeliCaTarget(
                idm: hex("0102030405060708"),
                pmm: hex("1112131415161718"),
                systemCode: nil
            )
        )
        #expect(
            line(feliCa, type: "FeliCa").json.description.hasSuffix(
                #""uid":"0102030405060708","random":false,"atqa":null,"sak":null,"ats":null,"#
                    + #""type":"FeliCa","pmm":"1112131415161718","systemCode":null}"#
            )
        )
    }

    @Test("A random UID is called so")
    func random() {
        let phone = Target.typeA(
            TypeATarget(atqa: 0x0004, sak: 0x20, uid: hex("08a1b2c3"), ats: hex("0578807002"))
        )
        let line = line(phone, type: "ISO 14443-4")
        #expect(line.json.description.contains(#""uid":"08a1b2c3","random":true"#))
        #expect(
            line.text
                == "detected  08a1b2c3  (random)  ISO 14443-4  ATQA 0004  SAK 20  ATS 0578807002"
        )
    }

    @Test("Text for people has the event, the UID in the format asked for, and the type")
    func text() {
        #expect(
            line(Self.ntag, type: "NTAG213", format: .colons).text
                == "detected  04:a1:b2:c3:d4:e5:80  NTAG213  ATQA 0044  SAK 00"
        )
        #expect(
            line(Self.ntag, .removed, type: "NTAG213").text == "removed   04a1b2c3d4e580  NTAG213"
        )
    }
}
