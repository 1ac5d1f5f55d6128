/// The microcontroller behind an NBT, on its I2C bus (facts/nbt.md, 4.1 to 4.3).
///
/// It is called on the thread on which the virtual tag works, and must not block.
public protocol NBTHost: AnyObject, Sendable {
    /// The interrupt line of pass-through: a command from the reader waits to be fetched.
    func passThroughRequested(by chip: NBTApplication)
    /// The reader has left: the host may use the chip's files now.
    func fieldLeft(_ chip: NBTApplication)
}
