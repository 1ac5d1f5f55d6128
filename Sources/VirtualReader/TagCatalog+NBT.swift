#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension TagCatalog {
    /// What can be wrong with an NBT tag, by the word for it.
    private static let deviations: [(word: String, deviation: CertificateAuthority.Deviation)] = [
        ("counterfeit", .foreignKey), ("untrusted", .foreignAuthority), ("expired", .expired),
        ("not-yet-valid", .notYetValid), ("p384", .p384Key), ("rsa", .rsaKey),
        ("ca", .certificateAuthority), ("no-signing", .noDigitalSignature),
        ("other-uid", .foreignSubject),
    ]

    /// The options of `nbt`, one a line, for help texts.
    public static let nbtOptions: [(name: String, summary: String)] = [
        ("uid=HEX", "7 bytes, or random; default 058c3fd9d4b200"),
        ("cert=FILE,key=FILE", "these instead of its own, PEM or DER"),
        ("counterfeit", "a genuine certificate, but another key: a copy"),
        ("untrusted", "a certificate of another CA of the same name"),
        ("expired", "a certificate that ended yesterday"),
        ("not-yet-valid", "a certificate that begins tomorrow"),
        ("p384, rsa", "a key of another kind"),
        ("ca", "a certificate that is a CA's"),
        ("no-signing", "a certificate that may not sign"),
        ("other-uid", "a certificate for another UID"),
        ("empty", "as delivered: no message, no key"),
        ("no-certificate", "a message without a certificate"),
        ("two-certificates", "a message with two of them"),
        ("locked", "an NDEF file that may not be read"),
        ("short-type", "the short type string of the certificate's record"),
        ("adt", "for asynchronous data transfer, with a host and its LED"),
        ("pass-through", "for pass-through, with the same host"),
        ("empty,host", "as delivered, with that host behind it"),
        ("strict", "answers 6982 to a wrong password, not 9000 and 0000"),
        ("nbt1000", "the chip without elliptic curve, which takes no key"),
    ]

    static func nbt(
        _ description: inout TagDescription,
        _ authority: CertificateAuthority
    ) throws -> any VirtualTag {
        let shown = try description.takeUID() ?? .fixed(NBTApplication.sampleUID)
        // Behind a random UID the chip has its own one all the same.
        let uid = if case .fixed(let bytes) = shown { bytes } else { NBTApplication.sampleUID }
        return try ISODEPTag(
            name: "OPTIGA Authenticate NBT",
            uid: shown,
            application: try nbtApplication(&description, uid, authority)
        )
    }

    private static func nbtApplication(
        _ description: inout TagDescription,
        _ uid: Data,
        _ authority: CertificateAuthority
    ) throws -> NBTApplication {
        let settings = try settings(&description)
        if try description.takeFlag("empty") {
            let host = try description.takeFlag("host") ? DemonstrationHost() : nil
            return try NBTApplication(uid: uid, settings: settings, host: host)
        }
        if try description.takeFlag("adt") {
            return try withHost(uid, settings, policies: .dataTransfer, gpioFunction: 0x03)
        }
        if try description.takeFlag("pass-through") {
            return try withHost(uid, settings, policies: .passThrough, gpioFunction: 0x04)
        }
        let isLocked = try description.takeFlag("locked")
        let hasNone = try description.takeFlag("no-certificate")
        let hasTwo = try description.takeFlag("two-certificates")
        let typeString: BrandProtectionMessage.TypeString =
            try description.takeFlag("short-type") ? .short : .long
        let identity = try identity(&description, uid, authority)
        let message = BrandProtectionMessage(
            certificates: Array(
                repeating: identity.certificate,
                count: hasNone ? 0 : hasTwo ? 2 : 1
            ),
            typeString: typeString
        )
        let application = try NBTApplication.brandProtection(
            identity,
            uid: uid,
            typeString: typeString,
            settings: settings
        )
        try application.overwrite(.ndef, with: try message.file())
        if isLocked { application.policies[.ndef].nfcRead = .never }
        return application
    }

    /// What facts/nbt.md, part 9, leaves open, where the description decides it.
    private static func settings(
        _ description: inout TagDescription
    ) throws -> NBTApplication.Settings {
        var settings = NBTApplication.Settings()
        if try description.takeFlag("strict") { settings.wrongPassword = .securityStatus }
        if try description.takeFlag("nbt1000") { settings.variant = .nbt1000 }
        return settings
    }

    /// A chip as it is prepared for its host, without CC entries, which nobody asks for here.
    private static func withHost(
        _ uid: Data,
        _ settings: NBTApplication.Settings,
        policies: NBTApplication.AccessPolicies,
        gpioFunction: UInt8
    ) throws -> NBTApplication {
        let tag = try NBTApplication(
            uid: uid,
            policies: policies,
            settings: settings,
            host: DemonstrationHost()
        )
        let configurator = Data([0x00, 0xA4, 0x04, 0x00, 0x0D]) + NBTDevice.configuratorAID
        _ = tag.respondOverI2C(to: configurator)
        _ = tag.respondOverI2C(
            to: Data([0x20, 0x20, 0x00, 0x00, 0x04, 0xC0, 0x30, 0x01, gpioFunction])
        )
        return tag
    }

    /// The certificate and key: from files, or made by the authority with at most one thing wrong.
    private static func identity(
        _ description: inout TagDescription,
        _ uid: Data,
        _ authority: CertificateAuthority
    ) throws -> DeviceIdentity {
        let certificate = try description.takeValue("cert", expected: "a file")
        let key = try description.takeValue("key", expected: "a file")
        if let certificate, let key {
            return try DeviceIdentity(certificateFile: certificate, keyFile: key)
        }
        guard certificate == nil, key == nil else {
            throw CardError.invalidArgument("cert= and key= go together")
        }
        for (word, deviation) in deviations where try description.takeFlag(word) {
            return try authority.identity(uid: uid, deviation: deviation)
        }
        return try authority.identity(uid: uid)
    }
}
