import Glibc

/// The three descriptors that every program may expect to be open.
enum StandardStreams {
    /// Opens those of standard input, output and error that the caller left closed, on /dev/null.
    ///
    /// Otherwise the reader's port would become one of them: libnfc takes descriptor 0 for its abort pipe
    /// (facts/libnfc.md, 2.2), and messages would be sent to the chip.
    static func hold() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
            // The lowest free number is `descriptor`, since those below are open by now.
            _ = open("/dev/null", O_RDWR)
        }
    }
}
