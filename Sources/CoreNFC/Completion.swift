extension CheckedContinuation where E == any Error {
    /// Resumes with what a completion handler was called with: the error, if there is one, else the value.
    func finish(_ error: (any Error)?, _ value: sending T) {
        if let error { resume(throwing: error) } else { resume(returning: value) }
    }
}

/// What a completion handler was called with, as a result: the error, if there is one, else the value.
func result<Value>(_ error: (any Error)?, _ value: Value) -> Result<Value, any Error> {
    error.map { .failure($0) } ?? .success(value)
}
