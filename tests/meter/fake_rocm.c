/* A library like AMD's; the file named by FAKE_ROCM describes its devices (see script.h):
 *
 * all devices 2
 * 0 name AMD Instinct MI300X
 *     also: energy (counts of 15.3 microjoules), power, cap (microwatts), busy (%), total,
 *     used, junction, edge (thousandths of a degree), id (hexadecimal)
 * 0 clocks 2 1 100000000 2100000000    how many, which one, and all of them
 * all deepsleep 1                      the table of clocks has a word before it
 * all process 4711                     a process that computes
 * 4711 on 0                            on this device
 * 4711 use0 1000 50                    and uses: bytes, percent of the units (-1: unknown) */
#include <stdint.h>

#include "script.h"

#define API __attribute__((visibility("default")))

static bool say(const char *device, const char *what, unsigned nth, char *to, size_t room)
{
    return script_say("FAKE_ROCM", device, what, nth, to, room);
}

static int text_of(uint32_t at, const char *function, const char *what, char *out, size_t room)
{
    char device[16];
    int status = script_fails("FAKE_ROCM", "all", function);

    (void)snprintf(device, sizeof device, "%u", at);
    if (status == 0)
        status = script_fails("FAKE_ROCM", device, function);
    if (status != 0)
        return status;
    return say(device, what, 0, out, room) ? 0 : 2;
}

static int number(uint32_t at, const char *function, const char *what, int base, uint64_t *out)
{
    char text[256];
    int status = text_of(at, function, what, text, sizeof text);

    if (status == 0)
        *out = strtoull(text, NULL, base);
    return status;
}

API int rsmi_init(uint64_t flags);
API int rsmi_init(uint64_t flags)
{
    (void)flags;
    return script_fails("FAKE_ROCM", "all", __func__);
}

API int rsmi_shut_down(void);
API int rsmi_shut_down(void)
{
    return 0;
}

API int rsmi_num_monitor_devices(uint32_t *count);
API int rsmi_num_monitor_devices(uint32_t *count)
{
    char text[256];

    *count =
        say("all", "devices", 0, text, sizeof text) ? (uint32_t)strtoul(text, NULL, 10) : 0;
    return 0;
}

API int rsmi_dev_name_get(uint32_t at, char *to, size_t room);
API int rsmi_dev_name_get(uint32_t at, char *to, size_t room)
{
    return text_of(at, __func__, "name", to, room);
}

API int rsmi_dev_unique_id_get(uint32_t at, uint64_t *out);
API int rsmi_dev_unique_id_get(uint32_t at, uint64_t *out)
{
    return number(at, __func__, "id", 16, out);
}

API int rsmi_dev_energy_count_get(uint32_t at, uint64_t *out, float *one, uint64_t *when);
API int rsmi_dev_energy_count_get(uint32_t at, uint64_t *out, float *one, uint64_t *when)
{
    *one = 15.3F;
    *when = 0;
    return number(at, __func__, "energy", 10, out);
}

API int rsmi_dev_power_ave_get(uint32_t at, uint32_t sensor, uint64_t *out);
API int rsmi_dev_power_ave_get(uint32_t at, uint32_t sensor, uint64_t *out)
{
    return sensor != 0 ? 1 : number(at, __func__, "power", 10, out);
}

API int rsmi_dev_power_cap_get(uint32_t at, uint32_t sensor, uint64_t *out);
API int rsmi_dev_power_cap_get(uint32_t at, uint32_t sensor, uint64_t *out)
{
    return sensor != 0 ? 1 : number(at, __func__, "cap", 10, out);
}

API int rsmi_dev_busy_percent_get(uint32_t at, uint32_t *out);
API int rsmi_dev_busy_percent_get(uint32_t at, uint32_t *out)
{
    uint64_t value = 0;
    int status = number(at, __func__, "busy", 10, &value);

    *out = (uint32_t)value;
    return status;
}

API int rsmi_dev_memory_usage_get(uint32_t at, int type, uint64_t *out);
API int rsmi_dev_memory_usage_get(uint32_t at, int type, uint64_t *out)
{
    return type != 0 ? 1 : number(at, __func__, "used", 10, out);
}

API int rsmi_dev_memory_total_get(uint32_t at, int type, uint64_t *out);
API int rsmi_dev_memory_total_get(uint32_t at, int type, uint64_t *out)
{
    return type != 0 ? 1 : number(at, __func__, "total", 10, out);
}

API int rsmi_dev_temp_metric_get(uint32_t at, uint32_t sensor, int metric, int64_t *out);
API int rsmi_dev_temp_metric_get(uint32_t at, uint32_t sensor, int metric, int64_t *out)
{
    uint64_t value = 0;
    int status = number(at, __func__, sensor == 1 ? "junction" : "edge", 10, &value);

    *out = (int64_t)value;
    return metric != 0 ? 1 : status;
}

API int rsmi_dev_gpu_clk_freq_get(uint32_t at, int type, char *out);
API int rsmi_dev_gpu_clk_freq_get(uint32_t at, int type, char *out)
{
    char text[256], *rest = text, word[8];
    int status = text_of(at, __func__, "clocks", text, sizeof text);
    bool longer = say("all", "deepsleep", 0, word, sizeof word);
    uint32_t head[2];

    if (status != 0 || type != 0)
        return status != 0 ? status : 1;
    for (size_t i = 0; i < 2; i++)
        head[i] = (uint32_t)strtoul(rest, &rest, 10);
    if (longer)
        out[0] = 1;
    memcpy(out + (longer ? 4 : 0), head, sizeof head);
    for (uint32_t i = 0; i < head[0]; i++) {
        uint64_t clock = strtoull(rest, &rest, 10);

        memcpy(out + (longer ? 16 : 8) + i * sizeof clock, &clock, sizeof clock);
    }
    return 0;
}

struct process_info {
    uint32_t pid, pasid;
    uint64_t memory, copying;
    uint32_t occupancy;
};

API int rsmi_compute_process_info_get(struct process_info *to, uint32_t *count);
API int rsmi_compute_process_info_get(struct process_info *to, uint32_t *count)
{
    char text[256];
    uint32_t n = 0;
    int status = script_fails("FAKE_ROCM", "all", __func__);

    for (; n < *count && say("all", "process", n, text, sizeof text); n++)
        to[n] = (struct process_info){.pid = (uint32_t)strtoul(text, NULL, 10)};
    *count = n;
    return status;
}

API int rsmi_compute_process_gpus_get(uint32_t pid, uint32_t *on, uint32_t *count);
API int rsmi_compute_process_gpus_get(uint32_t pid, uint32_t *on, uint32_t *count)
{
    char text[256], who[16];
    uint32_t n = 0;

    (void)snprintf(who, sizeof who, "%u", pid);
    for (; n < *count && say(who, "on", n, text, sizeof text); n++)
        on[n] = (uint32_t)strtoul(text, NULL, 10);
    *count = n;
    return 0;
}

API int rsmi_compute_process_info_by_device_get(uint32_t pid, uint32_t at,
                                                struct process_info *out);
API int rsmi_compute_process_info_by_device_get(uint32_t pid, uint32_t at,
                                                struct process_info *out)
{
    char text[256], who[16], what[16], *rest = text;

    (void)snprintf(who, sizeof who, "%u", pid);
    (void)snprintf(what, sizeof what, "use%u", at);
    if (!say(who, what, 0, text, sizeof text))
        return 2;
    *out = (struct process_info){.pid = pid};
    out->memory = strtoull(rest, &rest, 10);
    out->occupancy = (uint32_t)strtol(rest, &rest, 10);
    return 0;
}
