extension Duration {
    /// Whole milliseconds, as the tables and figures show them.
    var milliseconds: Int { Int(self / .milliseconds(1)) }
}
