/// How far a step of the verification is: what the two steps' states have in common.
protocol StepState {
    /// Not begun, or cancelled.
    static var idle: Self { get }
    /// The step failed for this reason.
    static func failed(_ reason: BrandVerification.Reason) -> Self
}

extension StepState {
    /// Ends the step as failed, or as idle when it was cancelled.
    ///
    /// - Returns: the error to throw.
    mutating func fail(_ error: any Error) -> any Error {
        do throws(CancellationError) {
            let failure = try BrandProtectionError(translating: error)
            self = .failed(failure.reason)
            return failure
        } catch {
            self = .idle
            return error
        }
    }
}

extension AuthenticationViewModel.State: StepState {}
extension CertificateVerificationViewModel.State: StepState {}
