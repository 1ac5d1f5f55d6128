import BrandProtection
import Bytes
import NFCSession

/// The one screen of `verify` on a terminal (facts/nbt.md, 3.4): what to do, how far it is, and the
/// result.
struct HomeView {
    let state: BrandVerificationSession.State
    /// Whether the anchor is the virtual reader's own CA, trusted because no other was named.
    let isVirtualAnchor: Bool
    /// Paints a piece of text; does nothing where colors are not wanted.
    let paint: (String, Style) -> String

    /// The screen's lines, each of at most `columns` characters besides the escape sequences.
    func lines(columns: Int) -> [String] {
        let status: [String] =
            switch state {
            case .waiting: [paint("○", .dim) + "  Waiting for a tag ..."]
            case .verifying: [paint("◌", .bold) + "  " + BrandVerificationSession.progress]
            case .finished(let result): outcome(result, columns)
            }
        return [
            paint("NBT Brand Protection", .bold),
            "OPTIGA™ Authenticate NBT",
            "",
        ] + wrapped(BrandVerificationSession.prompt, to: columns) + [""] + status
    }

    private func outcome(_ result: BrandVerification, _ columns: Int) -> [String] {
        let headline =
            switch result.verdict {
            case .genuine: paint("●  " + BrandVerificationSession.success, .genuine)
            case .notGenuine: paint("●  " + BrandVerificationSession.failure, .notGenuine)
            case .unreadable: paint("●  " + BrandVerificationSession.failure, .bold)
            }
        var facts = ["UID: \(result.uid.hex)"]
        if let subject = result.subject { facts.append("Certificate: \(subject)") }
        if let anchor = result.anchorText(isVirtual: isVirtualAnchor) {
            facts.append("Issued by: \(anchor)")
        }
        if let reason = result.reason { facts.insert(reason.explanation, at: 0) }
        if let detail = result.detail { facts.append(detail) }
        let margin = "   "
        return [headline]
            + (facts + result.notices).flatMap { wrapped($0, to: columns - margin.count) }
            .map { margin + $0 }
    }

    /// Breaks a text between words, and a word that is longer than a line where the line ends.
    private func wrapped(_ text: String, to columns: Int) -> [String] {
        let width = max(columns, 1)
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] = last + " " + word
                continue
            }
            var rest = word
            while !rest.isEmpty {
                lines.append(String(rest.prefix(width)))
                rest = rest.dropFirst(width)
            }
        }
        return lines
    }
}
