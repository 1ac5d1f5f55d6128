import Testing

/// Real host software as the judge of the virtual reader, unchanged; each test is skipped where its tool is absent.
///
/// The judges run one after the other: they time out within 100 to 350 ms when the machine has no time for them.
@Suite(.serialized) struct PeerTests {}
