#include "nfc_guard.h"
#include "nfc_guard_answers.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>

// In no header of libnfc; see Sources/CLibNFC/shim.h.
int pn53x_transceive(
    struct nfc_device *device, const uint8_t *command, const size_t command_size, uint8_t *answer,
    const size_t answer_size, int timeout);

// The landing of the guarded call that runs on this thread, and whether there is one. abort() raises SIGABRT on
// the calling thread, so the handler sees the right ones.
static _Thread_local sigjmp_buf landing;
static _Thread_local volatile sig_atomic_t is_armed;

static struct sigaction previous_action;
static pthread_once_t installation = PTHREAD_ONCE_INIT;

static void land(int signal_number)
{
    if (is_armed) {
        is_armed = 0;
        siglongjmp(landing, 1);
    }
    // Not libnfc's: whoever handled it before us handles it now, as soon as this handler returns.
    sigaction(SIGABRT, &previous_action, NULL);
    raise(signal_number);
}

static void install(void)
{
    struct sigaction action = {.sa_handler = land};
    sigemptyset(&action.sa_mask);
    sigaction(SIGABRT, &action, &previous_action);
}

nfc_device *nfc_guard_open(nfc_context *context, const char *connection_string, int *aborted)
{
    pthread_once(&installation, install);
    *aborted = 0;
    if (sigsetjmp(landing, 1) != 0) {
        *aborted = 1;
        return NULL;
    }
    is_armed = 1;
    nfc_device *device = nfc_open(context, connection_string);
    is_armed = 0;
    if (device != NULL)
        nfc_guard_watch_answers(device);
    return device;
}

int nfc_guard_initiate(nfc_device *device)
{
    pthread_once(&installation, install);
    if (sigsetjmp(landing, 1) != 0)
        return NFC_GUARD_ABORTED;
    is_armed = 1;
    const nfc_modulation_type *modulations = NULL;
    int result = nfc_device_get_supported_modulation(device, N_INITIATOR, &modulations);
    if (result >= 0 && modulations == NULL)
        result = NFC_GUARD_HALF_OPEN;
    if (result >= 0)
        result = nfc_initiator_init(device);
    if (result >= 0)
        result = nfc_device_set_property_bool(device, NP_INFINITE_SELECT, false);
    is_armed = 0;
    return result < 0 ? result : 0;
}

int nfc_guard_transceive(
    nfc_device *device, const uint8_t *command, size_t command_size, uint8_t *answer, size_t answer_size,
    int timeout_ms)
{
    pthread_once(&installation, install);
    if (sigsetjmp(landing, 1) != 0)
        return NFC_GUARD_ABORTED;
    is_armed = 1;
    int result = pn53x_transceive(device, command, command_size, answer, answer_size, timeout_ms);
    is_armed = 0;
    return result;
}

void nfc_guard_close(nfc_device *device)
{
    pthread_once(&installation, install);
    // Closing frees the device, but not what watches it, which is in use until then.
    void *watch = nfc_guard_watch(device);
    if (sigsetjmp(landing, 1) != 0)
        return;
    is_armed = 1;
    nfc_close(device);
    is_armed = 0;
    free(watch);
}
