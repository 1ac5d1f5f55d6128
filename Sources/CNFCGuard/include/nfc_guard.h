#pragma once

#include <nfc/nfc.h>

// libnfc stops the process with abort() on bytes that a broken or hostile reader can send: a status byte with bit
// 7 set, a failed assertion, a buffer overflow that the C library notices (facts/libnfc.md, 2 and 7.5). These
// calls land back here instead. POSIX allows it: abort() does not end the process when SIGABRT is caught by a
// handler that does not return. Only C frames lie between the landing and libnfc, so no Swift frame is skipped.

// Returned when libnfc called abort(). The device must be closed and opened again.
#define NFC_GUARD_ABORTED (-1000)

// Returned for an answer to an exchange that libnfc must not see: one without a status byte, a part that announces
// more and brings nothing, a later part whose status has bit 7 set. libnfc puts the parts of a long answer together; for a later part without a status byte it
// copies size_t(-1) bytes, which overwrites foreign memory or goes unnoticed and spoils the answer, and for parts
// without data it goes on for ever. So each answer is looked at on its way from libnfc's driver to libnfc's chip code
// (nfc_guard_answers.c).
#define NFC_GUARD_MALFORMED (-1002)

// nfc_open(); *aborted tells whether libnfc called abort().
nfc_device *nfc_guard_open(nfc_context *context, const char *connection_string, int *aborted);

// What follows a successful nfc_open(): whether the chip said what it can do (a half-open chip did not, and the
// next select would abort), then initiator mode with finite selects. 0, a negative NFC_E... code, or
// NFC_GUARD_HALF_OPEN.
#define NFC_GUARD_HALF_OPEN (-1001)
int nfc_guard_initiate(nfc_device *device);

// pn53x_transceive(): sends one chip command and returns the number of answer bytes or a negative code.
int nfc_guard_transceive(
    nfc_device *device, const uint8_t *command, size_t command_size, uint8_t *answer, size_t answer_size,
    int timeout_ms);

// nfc_close(): field off, chip asleep, device freed.
void nfc_guard_close(nfc_device *device);
