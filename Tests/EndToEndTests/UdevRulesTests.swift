import Foundation
import Testing

/// The files under udev/, read as udev and modprobe read them.
@Suite struct UdevRulesTests {
    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "udev")

    private func lines(of name: String) throws -> [String] {
        try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
            .split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") }
    }

    /// Every id of libnfc's USB drivers (facts/libnfc.md, 11).
    @Test(
        "Every USB reader of libnfc is named, and led to the rule that opens it",
        arguments: [
            "04cc:0531", "054c:0193", "04cc:2533", "04e6:5591", "04e6:5594", "1fd3:0608",
            "054c:02e1", "072f:2200", "072f:90cc", "072f:2214",
        ]
    )
    func reader(id: String) throws {
        let ids = id.split(separator: ":")
        let rule =
            #"ATTR{idVendor}=="\#(ids[0])", ATTR{idProduct}=="\#(ids[1])", GOTO="nfc_session_reader""#
        #expect(try lines(of: "60-nfc-session.rules").contains(rule))
    }

    /// CH340, CH343, CP210x, FT232, PL2303 (facts/users.md, 3a).
    @Test(
        "Every usual serial adapter is named, and led to the rule that opens it",
        arguments: ["1a86:7523", "1a86:55d3", "10c4:ea60", "0403:6001", "067b:2303"]
    )
    func adapter(id: String) throws {
        let ids = id.split(separator: ":")
        let rule =
            #"ATTRS{idVendor}=="\#(ids[0])", ATTRS{idProduct}=="\#(ids[1])", GOTO="nfc_session_adapter""#
        #expect(try lines(of: "60-nfc-session.rules").contains(rule))
    }

    @Test("The rules that are led to give access to the seat, and every jump has its label")
    func labels() throws {
        let lines = try lines(of: "60-nfc-session.rules")
        for label in ["nfc_session_reader", "nfc_session_adapter"] {
            let index = try #require(lines.firstIndex(of: #"LABEL="\#(label)""#))
            #expect(lines[index + 1].contains(#"TAG+="uaccess""#))
        }
        let targets = lines.flatMap { line in
            line.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
                .filter { $0.hasPrefix("GOTO=") }.map { $0.dropFirst(5) }
        }
        for target in targets {
            #expect(lines.contains("LABEL=\(target)"))
        }
    }

    @Test("The rules run before those that turn uaccess into permissions")
    func order() throws {
        let rules = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
            .filter { $0.hasSuffix(".rules") }
        #expect(!rules.isEmpty && rules.allSatisfy { $0 < "73-seat-late.rules" })
    }

    @Test("The symlink's name has no colon, which libnfc could not take")
    func symlink() throws {
        let links = try lines(of: "60-nfc-session.rules").filter { $0.contains("SYMLINK") }
        #expect(links == [#"ENV{ID_PATH_TAG}=="?*", SYMLINK+="nfc/$env{ID_PATH_TAG}""#])
    }

    @Test("The kernel's NFC drivers are kept from claiming readers")
    func modules() throws {
        #expect(
            try lines(of: "nfc-session.conf") == [
                "blacklist pn533_usb", "blacklist pn533", "blacklist nfc",
            ]
        )
    }
}
