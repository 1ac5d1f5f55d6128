// swift-tools-version: 6.0
import PackageDescription

/// What every Swift target is built with; all three are accepted by Swift 6.0.3 (Debian 13).
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies, swiftSettings: settings)
}

let package = Package(
    name: "nfc-session",
    products: [
        .executable(name: "nfc-session", targets: ["nfc-session"]),
        .library(name: "CoreNFC", targets: ["CoreNFC"]),
        .library(name: "NFCSession", targets: ["NFCSession"]),
        .library(name: "NBT", targets: ["NBT"]),
        .library(name: "BrandProtection", targets: ["BrandProtection"]),
        .library(name: "NDEF", targets: ["NDEF"]),
        .library(name: "APDU", targets: ["APDU"]),
        .library(name: "VirtualReader", targets: ["VirtualReader"]),
    ],
    targets: [
        // C libraries of the system, and the guard that contains libnfc's abort().
        .systemLibrary(name: "CLibNFC", pkgConfig: "libnfc", providers: [.apt(["libnfc-dev"])]),
        .systemLibrary(
            name: "CLibUSB",
            pkgConfig: "libusb-1.0",
            providers: [.apt(["libusb-1.0-0-dev"])]
        ),
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        .target(name: "CNFCGuard", dependencies: ["CLibNFC"]),

        module("Bytes"),
        module("APDU", ["Bytes"]),
        module("NDEF", ["Bytes"]),
        module("NFCReader", ["CLibNFC", "CLibUSB", "CNFCGuard", "Bytes"]),
        module("Doctor", ["NFCReader"]),
        module("CoreNFC", ["NFCReader", "NDEF", "APDU", "Bytes"]),
        module("NBT", ["APDU", "NDEF", "Bytes"]),
        module("BrandProtection", ["NBT", "NDEF", "APDU", "COpenSSL", "Bytes"]),
        module(
            "NFCSession",
            ["CoreNFC", "NFCReader", "NBT", "BrandProtection", "NDEF", "APDU", "Bytes"]
        ),
        module("VirtualReader", ["COpenSSL", "Bytes"]),
        .executableTarget(
            name: "nfc-session",
            dependencies: [
                "NFCSession", "CoreNFC", "NFCReader", "NBT", "BrandProtection", "NDEF", "APDU",
                "VirtualReader", "Doctor", "Bytes",
            ],
            swiftSettings: settings
        ),

        .target(
            name: "TestSupport",
            dependencies: ["VirtualReader", "Bytes"],
            path: "Tests/TestSupport",
            swiftSettings: settings
        ),
        // `make bench`.
        .executableTarget(
            name: "nfc-bench",
            dependencies: ["VirtualReader"],
            path: "Benchmarks",
            exclude: ["poll_loop.c"],
            swiftSettings: settings
        ),
        // A program that tests run to count what sessions leave behind.
        .executableTarget(
            name: "session-probe",
            dependencies: ["NFCSession", "CoreNFC", "NFCReader", "VirtualReader", "TestSupport"],
            path: "Tests/SessionProbe",
            swiftSettings: settings
        ),
        // `make soak`: every fault in every state, neighbours, a month at a gate.
        .executableTarget(
            name: "reader-soak",
            dependencies: [
                "NFCSession", "CoreNFC", "NFCReader", "VirtualReader", "Bytes", "TestSupport",
            ],
            path: "Tests/ReaderSoak",
            swiftSettings: settings
        ),
        // The programs of Examples/. Two have their session code as it is on iOS, without this package's own settings.
        .executableTarget(
            name: "brand-protection",
            dependencies: ["NFCSession", "CoreNFC", "BrandProtection"],
            path: "Examples/BrandProtection",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "employee-card",
            dependencies: ["CoreNFC"],
            path: "Examples/EmployeeCard",
            exclude: ["Info.plist"],
            swiftSettings: [.swiftLanguageMode(.v5)]
        ),
        .executableTarget(
            name: "uid-scanner",
            dependencies: ["CoreNFC"],
            path: "Examples/UIDScanner",
            swiftSettings: [.swiftLanguageMode(.v5)]
        ),
        tests("BytesTests", ["Bytes", "TestSupport"]),
        tests("APDUTests", ["APDU", "Bytes", "TestSupport"]),
        tests("NDEFTests", ["NDEF", "Bytes", "TestSupport"]),
        tests(
            "NBTTests",
            ["NBT", "BrandProtection", "APDU", "NDEF", "VirtualReader", "Bytes", "TestSupport"]
        ),
        tests(
            "BrandProtectionTests",
            ["BrandProtection", "NBT", "APDU", "NDEF", "Bytes", "TestSupport"]
        ),
        tests("NFCReaderTests", ["NFCReader", "VirtualReader", "Bytes", "TestSupport"]),
        tests("DoctorTests", ["Doctor", "NFCReader", "TestSupport"]),
        tests("CoreNFCTests", ["CoreNFC", "NFCReader", "VirtualReader", "Bytes", "TestSupport"]),
        // Client code as it is on iOS, in the two language modes, without this package's own settings.
        .testTarget(
            name: "CoreNFCClient5Tests",
            dependencies: ["CoreNFC", "VirtualReader", "TestSupport"],
            swiftSettings: [.swiftLanguageMode(.v5)]
        ),
        .testTarget(
            name: "CoreNFCClient6Tests",
            dependencies: ["CoreNFC", "TestSupport"],
            swiftSettings: [.swiftLanguageMode(.v6)]
        ),
        tests(
            "NFCSessionTests",
            [
                "NFCSession", "CoreNFC", "NFCReader", "NBT", "BrandProtection", "APDU",
                "VirtualReader", "Bytes", "TestSupport",
            ]
        ),
        tests("VirtualReaderTests", ["VirtualReader", "Bytes", "TestSupport"]),
        tests(
            "EndToEndTests",
            [
                "nfc-session", "session-probe", "reader-soak", "brand-protection", "employee-card",
                "uid-scanner", "Doctor", "VirtualReader", "TestSupport",
            ]
        ),
    ]
)
