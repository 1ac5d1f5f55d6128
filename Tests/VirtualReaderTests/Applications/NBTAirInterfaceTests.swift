import Foundation
import TestSupport
import Testing
import VirtualReader

/// What the configuration changes on air, from the next field on (facts/nbt.md, 1.1 and 2.6).
@Suite struct NBTAirInterfaceTests {
    /// A chip in the field whose configurator has just taken this item.
    private func bench(configuration item: String) throws -> Bench {
        let application = try NBTApplication()
        let uid = TagUID.fixed(NBTApplication.sampleUID)
        let bench = Bench(try ISODEPTag(uid: uid, application: application))
        bench.makeFinite()
        let select = "00A404000DD276000004150200000B00010100"
        #expect(application.respond(to: hex(select)) == hex("9000"))
        #expect(application.respond(to: hex("2020000004\(item)")) == hex("9000"))
        return bench
    }

    private let list = "4a 01 00"
    private let ownUID = "4b01010044200705" + "8c3fd9d4b200"

    @Test("C053 = 01 shows another random UID of 4 bytes in each field")
    func randomUID() throws {
        let bench = try bench(configuration: "C0530101")
        #expect(bench.command(list)?.hasPrefix(ownUID) == true)
        var seen: Set<String> = []
        for _ in 0..<8 {
            bench.cycleField()
            let answer = try #require(bench.command(list))
            #expect(answer.hasPrefix("4b010100042004" + "08"))
            seen.insert(String(answer.prefix(22)))
        }
        // Three random bytes: twice the same is a matter of one in half a million.
        #expect(seen.count > 1)
    }

    @Test("C060 = 01 switches NFC off, 10 and 11 do not", arguments: ["01", "10", "11"])
    func interfaces(value: String) throws {
        let bench = try bench(configuration: "C06001\(value)")
        #expect(bench.command(list)?.hasPrefix(ownUID) == true)
        bench.cycleField()
        let answer = try #require(bench.command(list))
        if value == "01" {
            #expect(answer == "4b00")
        } else {
            #expect(answer.hasPrefix(ownUID))
        }
    }
}
