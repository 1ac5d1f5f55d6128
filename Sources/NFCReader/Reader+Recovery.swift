import Glibc

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What keeping a reader needs to know of it, and the steps of recovery that work on an open one.
extension Reader {
    /// What the reader's calls have met so far.
    nonisolated var vitals: DeviceVitals { device.vitals }

    /// Whether the reader cannot work any more without being treated.
    ///
    /// - Parameter silenceLimit: how long commands may fail, one after the other.
    /// - Returns: the last error, or nil while there is hope.
    func failure(silenceLimit: Duration) -> ReaderError? {
        let vitals = vitals
        guard let error = vitals.lastError, let since = vitals.failingSince else { return nil }
        if case .libraryFault = error { return error }
        return lock?.isGone == true || since.duration(to: .now) > silenceLimit ? error : nil
    }

    /// Whether the port has gone away under the open device.
    var isPortGone: Bool { lock?.isGone == true }

    /// Recovery by one cheap command: RFConfiguration, field on (facts/libnfc.md, 10).
    func resend() throws(ReaderError) {
        try setField(on: true)
    }

    /// Recovery without closing: on a serial port the chip is woken and told to abort, then libnfc sets it up anew.
    func reinitialise() throws(ReaderError) {
        if driver == .pn532UART, let lock {
            // Enough edges to wake a chip that has lost its power meanwhile, and ACK, which ends a command
            // (facts/pn532.md, 1.1 and 1.2).
            lock.send([0x55, 0x55] + [UInt8](repeating: 0, count: 14) + [0, 0, 0xFF, 0, 0xFF, 0])
            usleep(10_000)
            // A chip that has been cold takes no radio command before SAMConfiguration.
            _ = try device.transceive(
                Data([0x14, 0x01]),
                answerLimit: 264,
                timeout: .milliseconds(250),
                purpose: "initialisation"
            )
        }
        try device.initiate()
        try setField(on: true)
    }
}
