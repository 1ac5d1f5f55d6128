#pragma once

#include <nfc/nfc.h>

// Puts a watch between the driver and the chip code of an open device (NFC_GUARD_MALFORMED in nfc_guard.h). Does
// nothing with another libnfc than version 1.8.0.
void nfc_guard_watch_answers(nfc_device *device);

// The watch of a device, to be freed after the device; NULL when there is none.
void *nfc_guard_watch(nfc_device *device);
