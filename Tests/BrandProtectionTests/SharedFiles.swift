import BrandProtection
import Foundation
import Testing

/// Infineon's sample certificates and key in `../shared/data/nbt`, beside the package
/// (facts/nbt.md, 10).
enum SharedFiles {
    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("shared/data/nbt")

    /// Whether they are there; tests that need them are skipped where not.
    static let areThere = FileManager.default.fileExists(atPath: folder.path)

    static func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    static func data(_ name: String) throws -> Data {
        try Data(contentsOf: URL(filePath: path(name)))
    }

    /// The certificate in a PEM file, as `openssl` reads it.
    static func der(_ name: String) throws -> Data {
        try OpenSSLTool.run { openssl in
            try openssl(["x509", "-in", path(name), "-outform", "DER"])
        }
    }

    static var sampleDevice: Certificate {
        get throws { try Certificate(der: der("SampleDeviceCertificate.pem")) }
    }

    static var sampleCA: Certificate {
        get throws { try Certificate(der: der("SampleRootCertificate.pem")) }
    }

    static var productionCA: Certificate {
        get throws { try Certificate(der: der("NFCBridgeCLTagDevicesManufacturingCA.pem")) }
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips a test, saying why, where Infineon's sample files are not beside the package.
    static var needsSampleFiles: Self {
        .enabled(if: SharedFiles.areThere, "needs ../shared/data/nbt")
    }
}

/// A moment in UTC, as "2026-11-30T12:00:00Z".
func moment(_ text: String) -> Date {
    guard let date = try? Date(text, strategy: .iso8601) else {
        preconditionFailure("not a date: \(text)")
    }
    return date
}
