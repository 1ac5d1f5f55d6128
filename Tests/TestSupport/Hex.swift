import Bytes
package import Foundation

/// The bytes that `text` spells; a typing error in a test stops the test run.
package func hex(_ text: String) -> Data {
    guard let bytes = Data(hex: text) else { preconditionFailure("not hex: \(text)") }
    return bytes
}
