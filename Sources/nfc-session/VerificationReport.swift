import BrandProtection
import NFCSession

/// Shows what `verify` is doing: on a terminal as the HomeView, elsewhere one line a result.
actor VerificationReport {
    private let output: Output
    private let isVirtualAnchor: Bool
    private let hasScreen: Bool
    private var screen: Screen

    /// Whether a tag came at all.
    private(set) var hasSeenTag = false
    /// The last result.
    private(set) var result: BrandVerification?
    /// Whether every result so far was a genuine tag.
    private(set) var isAllGenuine = true
    /// Whether nobody reads the output any more.
    private(set) var isClosed = false

    init(_ output: Output, isVirtualAnchor: Bool) {
        self.output = output
        self.isVirtualAnchor = isVirtualAnchor
        // What --verbose says would tear the screen apart.
        hasScreen = output.isTerminal && !output.isJSON && output.detail < .verbose
        screen = Screen(output)
    }

    /// Shows a state; false when nobody looks any more.
    func show(_ state: BrandVerificationSession.State) -> Bool {
        switch state {
        case .waiting: break
        case .verifying: hasSeenTag = true
        case .finished(let result):
            self.result = result
            isAllGenuine = isAllGenuine && result.verdict == .genuine
        }
        do throws(Output.Closed) {
            try draw(state)
            return true
        } catch {
            isClosed = true
            return false
        }
    }

    private func draw(_ state: BrandVerificationSession.State) throws(Output.Closed) {
        if hasScreen {
            let view = HomeView(
                state: state,
                isVirtualAnchor: isVirtualAnchor,
                paint: output.styled
            )
            try screen.show(view.lines(columns: screen.columns))
        } else if case .finished(let result) = state {
            let line = VerificationLine(result: result, isVirtualAnchor: isVirtualAnchor)
            try output.result(line.json, text: line.text)
            if !output.isJSON { for notice in line.notices { output.notice(notice) } }
        } else if state == .waiting {
            output.notice(BrandVerificationSession.prompt)
        }
    }
}
