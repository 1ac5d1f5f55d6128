#pragma once

#include <nfc/nfc.h>

// Exported by libnfc 1.8.0 (Debian 12 and 13) but in none of its headers (facts/libnfc.md, 1). It sends one
// command to the chip and returns the number of answer bytes, or a negative NFC_E... code. NFCReader lists
// targets with it, because libnfc's own decoder crashes on an ATS of length 0 (facts/libnfc.md, 5.1) and never
// asks the chip for two targets, and exchanges data with it, because it shows the chip's status byte.
int pn53x_transceive(
    struct nfc_device *device, const uint8_t *command, const size_t commandSize, uint8_t *answer,
    const size_t answerSize, int timeout);
