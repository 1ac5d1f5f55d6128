// swift-tools-version: 6.0
import PackageDescription

/// A fuzz target is a file in Targets, with what it needs: `./run NAME` builds and runs it.
let targets: [(name: String, library: String)] = [
    ("NDEF", "NDEF"),
    ("ResponseAPDU", "APDU"),
    ("TLV", "NBT"),
    ("FileAccessPolicy", "NBT"),
    ("Certificate", "BrandProtection"),
]

let package = Package(
    name: "fuzz",
    products: targets.map {
        .library(name: "Fuzz\($0.name)", type: .static, targets: ["Fuzz\($0.name)"])
    },
    dependencies: [.package(name: "nfc-session", path: "..")],
    targets: targets.map {
        .target(
            name: "Fuzz\($0.name)",
            dependencies: [.product(name: $0.library, package: "nfc-session")],
            path: "Targets",
            sources: ["\($0.name).swift"]
        )
    }
)
