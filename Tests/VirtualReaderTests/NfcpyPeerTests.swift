import Bytes
import Foundation
import TestSupport
import Testing
import VirtualReader

extension PeerTests {
    /// nfcpy (PyPI) as a judge: host software that shares no code with libnfc and drives the chip quite differently: long
    /// preambles of 00, a higher baud rate, extended frames, InCommunicateThru with CRC off for type 2 tags and its own
    /// ISO-DEP.
    ///
    /// nfcpy finds serial readers only by the names of real ports (`tty:USB0`), so the script makes its own serial
    /// transport, `nfc.clf.transport.TTY`, on the pseudo-terminal and hands it to its own driver, `nfc.clf.pn532.init`:
    /// what `ContactlessFrontend.open` does once it has found the port. Nothing of nfcpy is replaced.
    ///
    /// It runs with the Python named by `NFC_SESSION_PYTHON`, the one in `.build/nfcpy` (`python3 -m venv .build/nfcpy &&
    /// .build/nfcpy/bin/pip install nfcpy`) or `python3`, whichever can `import nfc`; without any the tests are skipped.
    @Suite(
        .enabled(
            if: Python.withNfcpy != nil,
            "needs a python3 that can import nfc (pip install nfcpy)"
        )
    )
    struct NFCPy {
        private static let prologue = """
            import binascii, sys
            import nfc, nfc.clf, nfc.clf.pn532, nfc.clf.transport, nfc.tag
            def hex(data): return binascii.hexlify(data).decode()
            transport = nfc.clf.transport.TTY(sys.argv[1])
            device = nfc.clf.pn532.init(transport)
            device._path = sys.argv[1]
            clf = nfc.clf.ContactlessFrontend()
            clf.device = device
            try:
                print("chip", device.chipset_name)
            \(body)
            finally:
                clf.close()
            """
        private static let body = "%BODY%"

        /// Runs lines of Python with `clf` open on the reader, and returns what they print.
        private func run(_ lines: String, on reader: VirtualReader) async throws -> [String] {
            let python = try #require(Python.withNfcpy)
            let indented = lines.split(separator: "\n").map { "    " + $0 }.joined(separator: "\n")
            let script = Self.prologue.replacingOccurrences(of: Self.body, with: indented)
            var result = try await Process.run(
                python,
                ["-c", script, reader.path],
                deadline: .seconds(30)
            )
            // nfcpy allows the chip a few milliseconds of real time, which a busy machine may take from either; the
            // scripts can be run again. What they print is judged all the same.
            for _ in 0..<4 where result.status != 0 {
                result = try await Process.run(
                    python,
                    ["-c", script, reader.path],
                    deadline: .seconds(30)
                )
            }
            #expect(!result.timedOut)
            #expect(result.status == 0, "\(result.standardError)")
            let output = result.standardOutput.split(separator: "\n").map(String.init)
            #expect(output.first == "chip PN532v1.6")
            return Array(output.dropFirst())
        }

        /// The answers to a search for type A tags: UID, SENS_RES (lowest byte first, as on air) and SEL_RES.
        private static let senseTypeA = """
            target = clf.sense(nfc.clf.RemoteTarget("106A"))
            print(hex(target.sdd_res), hex(target.sens_res), hex(target.sel_res))
            """

        @Test(arguments: [
            ("01020304", "0400 20"), ("04112233445566", "4400 20"),
            ("04112233445566778899", "8400 20"),
        ])
        func readsUIDsOfEveryLength(uid: String, sensAndSel: String) async throws {
            let reader = try VirtualReader()
            defer { reader.close() }
            reader.place(try ISODEPTag(uid: .fixed(hex(uid)), application: EchoApplication()))
            #expect(try await run(Self.senseTypeA, on: reader) == ["\(uid) \(sensAndSel)"])
        }

        @Test func readsMifareClassicUID() async throws {
            let reader = try VirtualReader()
            defer { reader.close() }
            reader.place(try MifareClassicTag())
            #expect(try await run(Self.senseTypeA, on: reader) == ["deadbeef 0400 08"])
        }

        @Test func identifiesAnNTAG213AndReadsItsNDEFMessage() async throws {
            let reader = try VirtualReader()
            defer { reader.close() }
            let tag = try Type2Tag(kind: .ntag213)
            // A URI record, "https://" (04) and "example.com"; TLV 03, terminator FE.
            let message = hex("D1 01 0C 55 04") + Data("example.com".utf8)
            tag.load(hex("03 10") + message + [0xFE])
            reader.place(tag)
            let lines = try await run(
                """
                target = clf.sense(nfc.clf.RemoteTarget("106A"))
                tag = nfc.tag.activate(clf, target)
                print(tag.product)
                print(hex(tag.identifier))
                print(hex(bytes(tag.ndef.octets)))
                print(hex(b"".join(bytes(tag.read(page))[:4] for page in range(43))))
                print(tag.is_present)
                """,
                on: reader
            )
            #expect(
                lines == [
                    "NXP NTAG213", "04a1b2c3d4e580", message.hex, tag.memory.prefix(43 * 4).hex,
                    "True",
                ]
            )
        }

        @Test func writesAnNDEFMessageToAnNTAG215() async throws {
            let reader = try VirtualReader()
            defer { reader.close() }
            let tag = try Type2Tag(kind: .ntag215)
            tag.load(hex("03 00 FE"))
            reader.place(tag)
            let message = hex("D1 01 0C 55 04") + Data("example.org".utf8)
            let lines = try await run(
                """
                target = clf.sense(nfc.clf.RemoteTarget("106A"))
                tag = nfc.tag.activate(clf, target)
                print(tag.product)
                tag.ndef.octets = bytes.fromhex("\(message.hex)")
                """,
                on: reader
            )
            #expect(lines == ["NXP NTAG215"])
            #expect(tag.memory.dropFirst(16).prefix(18) == hex("03 10") + message)
        }

        /// nfcpy sends RATS itself and has its own block protocol over InCommunicateThru.
        ///
        /// The application answers SELECT of the NDEF application with 9000 and everything else
        /// with 6A82.
        @Test func identifiesAType4TagAndTalksToItsApplication() async throws {
            let reader = try VirtualReader()
            defer { reader.close() }
            let application = EchoApplication { command in
                command.count < 200 ? hex("6A 82") : Data(command.reversed()) + hex("90 00")
            }
            reader.place(try ISODEPTag(application: application))
            let data = Data((0..<230).map { UInt8($0) })
            let lines = try await run(
                """
                target = clf.sense(nfc.clf.RemoteTarget("106A"))
                tag = nfc.tag.activate(clf, target)
                print(tag.type)
                print(tag.ndef)
                print(hex(tag.send_apdu(0, 0xD6, 0, 0, bytes.fromhex("\(data.hex)"))))
                print(tag.is_present)
                """,
                on: reader
            )
            let command = hex("00 D6 00 00 E6") + data
            #expect(lines == ["Type4Tag", "None", Data(command.reversed()).hex, "True"])
            #expect(application.commands.last == command)
        }

        @Test func identifiesATypeBTagAndTalksToItsApplication() async throws {
            let reader = try VirtualReader()
            defer { reader.close() }
            let application = EchoApplication { _ in hex("CA FE 90 00") }
            reader.place(try TypeBTag(application: application))
            let lines = try await run(
                """
                target = clf.sense(nfc.clf.RemoteTarget("106B"))
                print(hex(target.sensb_res))
                tag = nfc.tag.activate(clf, target)
                print(tag.type, hex(tag.identifier))
                print(hex(tag.send_apdu(0, 0x84, 0, 0, mrl=8)))
                """,
                on: reader
            )
            #expect(lines == ["50b0b1b2b300000000008181", "Type4Tag b0b1b2b3", "cafe"])
            #expect(application.commands.last == hex("00 84 00 00 08"))
        }

        @Test(arguments: ["212F", "424F"])
        func identifiesAFeliCaCard(rate: String) async throws {
            let reader = try VirtualReader()
            defer { reader.close() }
            reader.place(try FeliCaTag(systemCodes: [0x8008, 0x0003]))
            let lines = try await run(
                """
                target = clf.sense(nfc.clf.RemoteTarget("\(rate)"))
                print(hex(target.sensf_res))
                tag = nfc.tag.activate(clf, target)
                print(tag.type, hex(tag.idm), hex(tag.pmm))
                print(tag.request_response())
                print([hex(code.to_bytes(2, "big")) for code in tag.request_system_code()])
                """,
                on: reader
            )
            #expect(
                lines == [
                    "01012e3d4c5b6a798803014b024f4993ff8008",
                    "Type3Tag 012e3d4c5b6a7988 03014b024f4993ff", "0", "['8008', '0003']",
                ]
            )
        }

        @Test func findsNothingInAnEmptyField() async throws {
            let reader = try VirtualReader()
            defer { reader.close() }
            let lines = try await run(
                """
                kinds = ["106A", "106B", "212F"]
                print([clf.sense(nfc.clf.RemoteTarget(kind)) for kind in kinds])
                """,
                on: reader
            )
            #expect(lines == ["[None, None, None]"])
        }
    }
}
