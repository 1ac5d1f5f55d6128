/// How a virtual reader treats time.
public enum Timing: Sendable, Equatable {
    /// As fast as the machine allows: waiting times of chip, wire and field take no time. A search that a real
    /// chip would repeat for a while ends at once when repeating it could not find more.
    case immediate
    /// As slow as the real thing: a serial wire of 115200 baud (or what SetSerialBaudRate asked for), the chip's
    /// firmware, the frames on air and the working time of the tags (facts/pn532.md, 6).
    case real
}
