// dladdr()
#define _GNU_SOURCE

#include "nfc_guard_answers.h"
#include "nfc_guard.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// libnfc's chip code talks to its drivers through two functions, to which the chip's private data points. libnfc has no
// public way in, so this file knows where the pointer is in version 1.8.0, which Debian 12 and 13 have. find_driver() makes
// sure of it.
struct driver_functions {
    int (*send)(nfc_device *device, const uint8_t *command, size_t size, int timeout_ms);
    int (*receive)(nfc_device *device, uint8_t *answer, size_t size, int timeout_ms);
};

struct device_head {
    const void *context;
    const void *driver;
    void *driver_data;
    struct chip_head *chip;
};

struct chip_head {
    int type;
    char firmware[22];
    int power_mode;
    int operating_mode;
    void *target;
    int sam_mode;
    const struct driver_functions *functions;
};

struct watch {
    // First, so that the pointer to it is one to the watch.
    struct driver_functions functions;
    const struct driver_functions *driver;
    // What was sent last: its code and size.
    uint8_t command;
    size_t size;
};

// Whether a device of this process was found to be as described here, so that others are, too.
static atomic_bool is_layout_known;

static struct chip_head *chip_of(nfc_device *device)
{
    return ((struct device_head *)device)->chip;
}

static int send_watched(nfc_device *device, const uint8_t *command, size_t size, int timeout_ms)
{
    struct watch *watch = (struct watch *)chip_of(device)->functions;
    watch->command = command[0];
    watch->size = size;
    return watch->driver->send(device, command, size, timeout_ms);
}

// Whether libnfc can take an answer to InDataExchange or InCommunicateThru: a status byte, whose bit 6 announces
// another part, and data. libnfc reads the status of PowerDown, with which it closes a device, in the same way, but that
// has no parts.
static bool is_digestible(const struct watch *watch, const uint8_t *answer, int count)
{
    if (watch->command == 0x16)
        return count > 0 && (answer[0] & 0xC0) == 0;
    if (watch->command != 0x40 && watch->command != 0x42)
        return true;
    if (count == 0)
        return false;
    // Asked for by a command without data. Of bit 7 libnfc takes no notice there; in a first part it aborts.
    if (watch->size == 2 && (answer[0] & 0x80) != 0)
        return false;
    return count > 1 || (answer[0] & 0xC0) != 0x40;
}

static int receive_watched(nfc_device *device, uint8_t *answer, size_t size, int timeout_ms)
{
    const struct watch *watch = (const struct watch *)chip_of(device)->functions;
    int count = watch->driver->receive(device, answer, size, timeout_ms);
    return count < 0 || is_digestible(watch, answer, count) ? count : NFC_GUARD_MALFORMED;
}

// Whether an address lies in the library that nfc_open() is in.
static int is_in_libnfc(const void *address)
{
    Dl_info library, other;
    return dladdr((const void *)(uintptr_t)nfc_open, &library) != 0 && dladdr(address, &other) != 0
        && library.dli_fbase == other.dli_fbase;
}

// Debian adds to the version what it has changed.
static bool is_known_version(void)
{
    return strncmp(nfc_version(), "1.8.0", 5) == 0;
}

// The driver's functions; NULL when what is found there are none.
static const struct driver_functions *find_driver(nfc_device *device)
{
    const struct chip_head *chip = is_known_version() ? chip_of(device) : NULL;
    if (chip == NULL || !is_in_libnfc(chip->functions))
        return NULL;
    const struct driver_functions *functions = chip->functions;
    return is_in_libnfc((const void *)(uintptr_t)functions->send)
            && is_in_libnfc((const void *)(uintptr_t)functions->receive)
        ? functions
        : NULL;
}

void nfc_guard_watch_answers(nfc_device *device)
{
    const struct driver_functions *driver = find_driver(device);
    struct watch *watch = driver == NULL ? NULL : malloc(sizeof *watch);
    if (watch == NULL)
        return;
    atomic_store(&is_layout_known, true);
    *watch = (struct watch){{send_watched, receive_watched}, driver, 0, 0};
    chip_of(device)->functions = &watch->functions;
}

void *nfc_guard_watch(nfc_device *device)
{
    if (!atomic_load(&is_layout_known))
        return NULL;
    const struct chip_head *chip = chip_of(device);
    const struct driver_functions *functions = chip == NULL ? NULL : chip->functions;
    return functions != NULL && functions->receive == receive_watched ? (void *)functions : NULL;
}
