import NFCReader

/// One thing that is known to keep readers from working, and how to tell.
protocol Check: Sendable {
    /// What scripts know the check by.
    var name: String { get }
    /// What it finds; nothing where it does not apply.
    func findings(in examination: Examination) -> [Finding]
}

extension Examination {
    /// All checks, in the order in which trouble is best mended.
    private static let checks: [any Check] = [
        VersionsCheck(), LibNFCCheck(), ReaderCheck(), BrlttyCheck(), KernelDriverCheck(),
        SmartCardDaemonCheck(), UdevRulesCheck(), PermissionCheck(), ModemManagerCheck(),
        UARTCheck(), SerialConsoleCheck(), GettyCheck(), HolderCheck(), LatencyCheck(),
        PowerCheck(), ConfigurationCheck(),
    ]

    /// What all checks find.
    package var findings: [Finding] { Self.checks.flatMap { $0.findings(in: self) } }
}
