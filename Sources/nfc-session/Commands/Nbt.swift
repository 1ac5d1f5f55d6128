extension Command {
    /// Everything about an OPTIGA Authenticate NBT but its verification.
    static let nbt = Command(
        "nbt",
        summary: "Inspect, prepare, use and reset an OPTIGA Authenticate NBT",
        discussion: """
            FILE is cc, ndef, file1 to file4, or fap (the access policies).
            USE-CASE is brand-protection (bp), adt, pass-through (pt) or handover (ch).

            Passwords are 8 hexadecimal digits. They come from a file, from a question on
            the terminal or a line of standard input ('-' instead of a file), or from
            NFC_SESSION_NBT_PASSWORD, NFC_SESSION_NBT_MASTER_PASSWORD and
            NFC_SESSION_NBT_NEW_PASSWORD; never from the command line, and they are in no
            log. The master password is the one that the write condition of fap names.

            What cannot be undone is asked about, or needs --yes.

            Exit status: 0 done; 1 the tag refused (policy, password, state), or the answer
            to a question was no; 2 usage, or a file or password that cannot be used; 4 no
            tag in time; 5 tag lost, no NBT, or an answer that made no sense.

            Example, a sequence on one virtual tag, with two terminals:
              nfc-session simulate nbt:empty --link /tmp/nfc
              nfc-session nbt info --reader pn532_uart:/tmp/nfc
            """,
        subcommands: [
            .nbtInfo, .nbtPersonalise, .nbtReset, .nbtPassword, .nbtPolicy, .nbtConfig, .nbtRead,
            .nbtWrite, .nbtAdt, .nbtPassThrough, .nbtHandover,
        ]
    )
}
