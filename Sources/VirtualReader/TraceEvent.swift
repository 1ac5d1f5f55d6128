#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// One frame on the wire between host and virtual chip.
public struct TraceEvent: Sendable, Equatable {
    /// Which way a frame goes.
    public enum Direction: Sendable, Equatable {
        /// From the host to the chip.
        case toChip
        /// From the chip to the host.
        case toHost
    }

    /// Which way the frame went.
    public let direction: Direction
    /// The frame as it was on the wire (facts/pn532.md, 1), without bytes that were there before its start.
    public let bytes: Data
}
