// CoreNFC for Linux: Apple's NFC session API on a PN53x reader.
//
// What it is: the types of Apple's CoreNFC with their names, signatures and behaviour, on top of `NFCReader`, which
// drives libnfc. Session code written for iOS compiles against it unchanged.
//
// How to start:
//
//     let session = NFCTagReaderSession(pollingOption: .iso14443, delegate: self)
//     session?.alertMessage = "Hold a tag to the reader"
//     session?.begin()
//
// What is portable: everything that has Apple's name. What iOS takes from Info.plist, from entitlements and from the
// user's phone comes from `NFCSessionConfiguration`, which is this package's own.
//
// What may run in parallel: sessions, tags and APDUs may be used from any thread. Delegate calls and completion
// handlers come one at a time on the session's queue. Commands of one session reach the reader in the order in
// which they were given.
//
// What blocks: nothing here. Exchanges run on the reader's own thread; a handler is called when they are done.

// Apple's module re-exports Foundation, and client files rely on it (facts/corenfc.md, 4.3).
@_exported public import Dispatch
@_exported public import Foundation
