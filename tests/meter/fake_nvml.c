/* A library like NVIDIA's; the file named by FAKE_NVML, read again at each call, describes its
 * devices. A line is "WHO WHAT VALUE...", where WHO is a device (0), a slice of one (0/1), or
 * "all":
 *
 * all devices 2                 how many there are
 * all fail nvmlInit_v2 9        a function that answers with this status, for all or one
 * 0 name NVIDIA H200            text to the end of the line; also uuid
 * 0 energy 1000000              a number: energy (mJ), power, limit (mW), util, memutil (%),
 *                               total, used (bytes), clock, maxclock, reasons, celsius, mig
 *                               (slices it may have), sms, gpuslices, cislices, slicemb
 * 0 process 4711 1073741824     one of the compute list; also `graphics` and `client` (of MPS)
 * 0 sm 4711 60 1000             its work: percent, and when (microseconds, or "now")
 * all long 1                    entries of the lists are 32 bytes, as in early 535 drivers
 *
 * With FAKE_OLD it is a library of ten years ago: no _v2, no counter, no work by process. */
#include <time.h>

#include "script.h"

#define SLOTS 64

/* Handles: device and slice in a number that is not 0. */
static void *handle_of(unsigned device, int slice)
{
    static char place[SLOTS * (SLOTS + 1)];

    return &place[device * (SLOTS + 1) + (unsigned)(slice + 1)];
}

static void who(void *handle, char *to, size_t room)
{
    size_t at = (size_t)((char *)handle - (char *)handle_of(0, -1));

    if (at % (SLOTS + 1) == 0)
        (void)snprintf(to, room, "%zu", at / (SLOTS + 1));
    else
        (void)snprintf(to, room, "%zu/%zu", at / (SLOTS + 1), at % (SLOTS + 1) - 1);
}

static bool say(const char *device, const char *what, unsigned nth, char *to, size_t room)
{
    return script_say("FAKE_NVML", device, what, nth, to, room);
}

static int failing(void *handle, const char *function)
{
    char device[32];
    int status = script_fails("FAKE_NVML", "all", function);

    if (handle == NULL || status != 0)
        return status;
    who(handle, device, sizeof device);
    return script_fails("FAKE_NVML", device, function);
}

/* One number of a device: 3 (not supported) when the file has none. */
static int number(void *handle, const char *function, const char *what, unsigned long long *out)
{
    char device[32], text[256];
    int status = failing(handle, function);

    if (status != 0)
        return status;
    who(handle, device, sizeof device);
    if (!say(device, what, 0, text, sizeof text))
        return 3;
    *out = strtoull(text, NULL, 10);
    return 0;
}

static int small(void *handle, const char *function, const char *what, unsigned *out)
{
    unsigned long long value = 0;
    int status = number(handle, function, what, &value);

    if (status == 0)
        *out = (unsigned)value;
    return status;
}

static int text_of(void *handle, const char *function, const char *what, char *out,
                   unsigned room)
{
    char device[32];
    int status = failing(handle, function);

    if (status != 0)
        return status;
    who(handle, device, sizeof device);
    return say(device, what, 0, out, room) ? 0 : 3;
}

#define API __attribute__((visibility("default")))
#ifdef FAKE_OLD
#define NAMED(old, new) old
#else
#define NAMED(old, new) new
#endif

API int NAMED(nvmlInit, nvmlInit_v2)(void);
API int NAMED(nvmlInit, nvmlInit_v2)(void)
{
    return failing(NULL, "nvmlInit_v2");
}

API int nvmlShutdown(void);
API int nvmlShutdown(void)
{
    return 0;
}

API int NAMED(nvmlDeviceGetCount, nvmlDeviceGetCount_v2)(unsigned *count);
API int NAMED(nvmlDeviceGetCount, nvmlDeviceGetCount_v2)(unsigned *count)
{
    char text[256];
    int status = failing(NULL, "nvmlDeviceGetCount_v2");

    *count = status == 0 && say("all", "devices", 0, text, sizeof text)
                 ? (unsigned)strtoul(text, NULL, 10)
                 : 0;
    return status;
}

API int NAMED(nvmlDeviceGetHandleByIndex, nvmlDeviceGetHandleByIndex_v2)(unsigned index,
                                                                         void **out);
API int NAMED(nvmlDeviceGetHandleByIndex, nvmlDeviceGetHandleByIndex_v2)(unsigned index,
                                                                         void **out)
{
    *out = handle_of(index, -1);
    return failing(*out, "nvmlDeviceGetHandleByIndex_v2");
}

API int nvmlDeviceGetName(void *device, char *out, unsigned room);
API int nvmlDeviceGetName(void *device, char *out, unsigned room)
{
    return text_of(device, __func__, "name", out, room);
}

API int nvmlDeviceGetUUID(void *device, char *out, unsigned room);
API int nvmlDeviceGetUUID(void *device, char *out, unsigned room)
{
    return text_of(device, __func__, "uuid", out, room);
}

API int nvmlDeviceGetPowerUsage(void *device, unsigned *out);
API int nvmlDeviceGetPowerUsage(void *device, unsigned *out)
{
    return small(device, __func__, "power", out);
}

API int nvmlDeviceGetEnforcedPowerLimit(void *device, unsigned *out);
API int nvmlDeviceGetEnforcedPowerLimit(void *device, unsigned *out)
{
    return small(device, __func__, "limit", out);
}

API int nvmlDeviceGetUtilizationRates(void *device, unsigned *out);
API int nvmlDeviceGetUtilizationRates(void *device, unsigned *out)
{
    int status = small(device, __func__, "util", &out[0]);

    out[1] = 0;
    return status;
}

API int nvmlDeviceGetMemoryInfo(void *device, unsigned long long *out);
API int nvmlDeviceGetMemoryInfo(void *device, unsigned long long *out)
{
    int status = number(device, __func__, "total", &out[0]);

    if (status != 0 || number(device, __func__, "used", &out[2]) != 0)
        return status != 0 ? status : 3;
    out[1] = out[0] - out[2];
    return 0;
}

API int nvmlDeviceGetClockInfo(void *device, int type, unsigned *out);
API int nvmlDeviceGetClockInfo(void *device, int type, unsigned *out)
{
    return type != 1 ? 2 : small(device, __func__, "clock", out);
}

API int nvmlDeviceGetMaxClockInfo(void *device, int type, unsigned *out);
API int nvmlDeviceGetMaxClockInfo(void *device, int type, unsigned *out)
{
    return type != 1 ? 2 : small(device, __func__, "maxclock", out);
}

API int nvmlDeviceGetCurrentClocksThrottleReasons(void *device, unsigned long long *out);
API int nvmlDeviceGetCurrentClocksThrottleReasons(void *device, unsigned long long *out)
{
    return number(device, __func__, "reasons", out);
}

API int nvmlDeviceGetTemperature(void *device, int sensor, unsigned *out);
API int nvmlDeviceGetTemperature(void *device, int sensor, unsigned *out)
{
    return sensor != 0 ? 2 : small(device, __func__, "celsius", out);
}

/* Entries are put byte by byte, since their length is what differs. */
static int processes(void *handle, const char *function, const char *what, unsigned *count,
                     char *to, size_t entry)
{
    char device[32], text[256];
    int status = failing(handle, function);
    unsigned n = 0;

    if (status != 0)
        return status;
    who(handle, device, sizeof device);
    for (; say(device, what, n, text, sizeof text); n++) {
        unsigned long long memory;
        unsigned pid;
        char *rest = text;

        if (n >= *count)
            continue;
        pid = (unsigned)strtoul(rest, &rest, 10);
        memory = strtoull(rest, &rest, 10);
        memcpy(to + n * entry, &pid, sizeof pid);
        memcpy(to + n * entry + 8, &memory, sizeof memory);
    }
    status = n > *count ? 7 : 0;
    *count = n;
    return status;
}

#ifdef FAKE_OLD
API int nvmlDeviceGetComputeRunningProcesses(void *device, unsigned *count, void *to);
API int nvmlDeviceGetComputeRunningProcesses(void *device, unsigned *count, void *to)
{
    return processes(device, __func__, "process", count, to, 16);
}
#else

API int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *out);
API int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *out)
{
    return number(device, __func__, "energy", out);
}

API int nvmlDeviceGetMemoryInfo_v2(void *device, unsigned long long *out);
API int nvmlDeviceGetMemoryInfo_v2(void *device, unsigned long long *out)
{
    unsigned version;
    int status;

    memcpy(&version, out, sizeof version);
    if (version != (40U | 2U << 24))
        return 25;
    status = number(device, __func__, "total", &out[1]);
    return status != 0 ? status : number(device, __func__, "used", &out[4]);
}

static size_t entry_length(void)
{
    char text[256];

    return say("all", "long", 0, text, sizeof text) ? 32 : 24;
}

API int nvmlDeviceGetComputeRunningProcesses_v3(void *device, unsigned *count, void *to);
API int nvmlDeviceGetComputeRunningProcesses_v3(void *device, unsigned *count, void *to)
{
    return processes(device, __func__, "process", count, to, entry_length());
}

API int nvmlDeviceGetGraphicsRunningProcesses_v2(void *device, unsigned *count, void *to);
API int nvmlDeviceGetGraphicsRunningProcesses_v2(void *device, unsigned *count, void *to)
{
    return processes(device, __func__, "graphics", count, to, entry_length());
}

API int nvmlDeviceGetMPSComputeRunningProcesses_v2(void *device, unsigned *count, void *to);
API int nvmlDeviceGetMPSComputeRunningProcesses_v2(void *device, unsigned *count, void *to)
{
    return processes(device, __func__, "client", count, to, entry_length());
}

static unsigned long long calendar_us(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_REALTIME, &now);
    return (unsigned long long)now.tv_sec * 1000000 + (unsigned long long)now.tv_nsec / 1000;
}

struct use {
    unsigned pid;
    unsigned long long at;
    unsigned sm, memory, encoder, decoder;
};

API int nvmlDeviceGetProcessUtilization(void *handle, struct use *to, unsigned *count,
                                        unsigned long long since);
API int nvmlDeviceGetProcessUtilization(void *handle, struct use *to, unsigned *count,
                                        unsigned long long since)
{
    char device[32], text[256];
    int status = failing(handle, __func__);
    unsigned n = 0;

    if (status != 0)
        return status;
    who(handle, device, sizeof device);
    for (unsigned i = 0; n < *count && say(device, "sm", i, text, sizeof text); i++) {
        struct use one = {0};
        char *rest = text;

        one.pid = (unsigned)strtoul(rest, &rest, 10);
        one.sm = (unsigned)strtoul(rest, &rest, 10);
        one.at = strstr(rest, "now") != NULL ? calendar_us() : strtoull(rest, &rest, 10);
        if (one.at > since)
            to[n++] = one;
    }
    *count = n;
    return n == 0 ? 6 : 0;
}

API int nvmlDeviceGetMigMode(void *device, unsigned *now, unsigned *later);
API int nvmlDeviceGetMigMode(void *device, unsigned *now, unsigned *later)
{
    unsigned most;
    int status = small(device, __func__, "mig", &most);

    *now = *later = 1;
    return status;
}

API int nvmlDeviceGetMaxMigDeviceCount(void *device, unsigned *out);
API int nvmlDeviceGetMaxMigDeviceCount(void *device, unsigned *out)
{
    return small(device, __func__, "mig", out);
}

API int nvmlDeviceGetMigDeviceHandleByIndex(void *device, unsigned index, void **out);
API int nvmlDeviceGetMigDeviceHandleByIndex(void *device, unsigned index, void **out)
{
    char name[32], text[256];

    *out = (char *)device + index + 1;
    who(*out, name, sizeof name);
    return say(name, "uuid", 0, text, sizeof text) ? 0 : 6;
}

struct attributes {
    unsigned sms, other[5], gpu, compute;
    unsigned long long mb;
};

API int nvmlDeviceGetAttributes_v2(void *device, struct attributes *out);
API int nvmlDeviceGetAttributes_v2(void *device, struct attributes *out)
{
    int status = small(device, __func__, "gpuslices", &out->gpu);

    if (status == 0)
        status = small(device, __func__, "cislices", &out->compute);
    return status != 0 ? status : number(device, __func__, "slicemb", &out->mb);
}
#endif
