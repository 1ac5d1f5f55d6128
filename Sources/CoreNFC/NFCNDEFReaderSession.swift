/// A session that finds NDEF messages.
open class NFCNDEFReaderSession: NFCReaderSession, @unchecked Sendable {}
