// The plainest loop over libnfc that reports type A UIDs: what the benchmark compares nfc-session with.
//
//     poll_loop CONNSTRING PERIOD_MS
//
// It selects once a period and writes a line when a tag comes ("detected UID") or is gone ("removed UID").

#include <nfc/nfc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static volatile sig_atomic_t is_stopped;

static void stop(int signal_number)
{
    (void)signal_number;
    is_stopped = 1;
}

static void print(const char *event, const uint8_t *uid, size_t size)
{
    printf("%s ", event);
    for (size_t i = 0; i < size; i++)
        printf("%02x", uid[i]);
    printf("\n");
    fflush(stdout);
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: poll_loop CONNSTRING PERIOD_MS\n");
        return 2;
    }
    signal(SIGTERM, stop);
    signal(SIGINT, stop);

    nfc_context *context;
    nfc_init(&context);
    if (context == NULL)
        return 3;
    nfc_device *device = nfc_open(context, argv[1]);
    if (device == NULL || nfc_initiator_init(device) < 0
        || nfc_device_set_property_bool(device, NP_INFINITE_SELECT, false) < 0) {
        fprintf(stderr, "poll_loop: no reader at %s\n", argv[1]);
        return 3;
    }

    const nfc_modulation type_a = {.nmt = NMT_ISO14443A, .nbr = NBR_106};
    const long period = atol(argv[2]) * 1000000L;
    uint8_t uid[10];
    size_t uid_size = 0;
    struct timespec next;
    clock_gettime(CLOCK_MONOTONIC, &next);
    while (!is_stopped) {
        nfc_target target;
        int found = nfc_initiator_select_passive_target(device, type_a, NULL, 0, &target);
        size_t size = found > 0 ? target.nti.nai.szUidLen : 0;
        if (size != uid_size || memcmp(uid, target.nti.nai.abtUid, size) != 0) {
            if (uid_size > 0)
                print("removed", uid, uid_size);
            if (size > 0)
                print("detected", target.nti.nai.abtUid, size);
            memcpy(uid, target.nti.nai.abtUid, size);
            uid_size = size;
        }
        next.tv_nsec += period;
        while (next.tv_nsec >= 1000000000L) {
            next.tv_nsec -= 1000000000L;
            next.tv_sec++;
        }
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
    }
    nfc_close(device);
    nfc_exit(context);
    return 0;
}
