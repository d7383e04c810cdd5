/* Opening NVIDIA's library, and the names its functions have had. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "meter/nvml.h"

static void *open_any(const char *path, char *why)
{
    static const char *const usual[] = {"libnvidia-ml.so.1", "libnvidia-ml.so"};
    void *handle = NULL;

    if (path != NULL)
        handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    else
        for (size_t i = 0; i < sizeof usual / sizeof *usual && handle == NULL; i++)
            handle = dlopen(usual[i], RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL)
        (void)snprintf(why, GPU_WHY, "cannot open %s", path == NULL ? usual[0] : path);
    return handle;
}

/* The first of the names that the library has goes to `to`, a pointer to a function. Its place
 * in the list, or -1. */
static int find(void *handle, const char *const *names, void *to)
{
    for (int i = 0; names[i] != NULL; i++) {
        void *symbol = dlsym(handle, names[i]);

        if (symbol != NULL) {
            /* ISO C has no cast from object to function pointer; POSIX makes them alike. */
            memcpy(to, &symbol, sizeof symbol);
            return i;
        }
    }
    return -1;
}

#define FIND(member, ...) \
    find(library->handle, (const char *const[]){__VA_ARGS__, NULL}, &library->member)

bool nvml_load(struct nvml_library *library, const char *path, char *why)
{
    memset(library, 0, sizeof *library);
    library->handle = open_any(path, why);
    if (library->handle == NULL)
        return false;
    (void)FIND(init, "nvmlInit_v2", "nvmlInit");
    (void)FIND(shutdown, "nvmlShutdown");
    (void)FIND(count, "nvmlDeviceGetCount_v2", "nvmlDeviceGetCount");
    (void)FIND(by_index, "nvmlDeviceGetHandleByIndex_v2", "nvmlDeviceGetHandleByIndex");
    (void)FIND(name, "nvmlDeviceGetName");
    (void)FIND(uuid, "nvmlDeviceGetUUID");
    (void)FIND(energy, "nvmlDeviceGetTotalEnergyConsumption");
    (void)FIND(power, "nvmlDeviceGetPowerUsage");
    (void)FIND(limit, "nvmlDeviceGetEnforcedPowerLimit");
    (void)FIND(limit_set, "nvmlDeviceGetPowerManagementLimit");
    (void)FIND(utilisation, "nvmlDeviceGetUtilizationRates");
    (void)FIND(memory, "nvmlDeviceGetMemoryInfo");
    (void)FIND(memory_v2, "nvmlDeviceGetMemoryInfo_v2");
    (void)FIND(clock, "nvmlDeviceGetClockInfo");
    (void)FIND(clock_max, "nvmlDeviceGetMaxClockInfo");
    (void)FIND(throttle, "nvmlDeviceGetCurrentClocksEventReasons",
               "nvmlDeviceGetCurrentClocksThrottleReasons");
    (void)FIND(temperature, "nvmlDeviceGetTemperature");
    library->old_compute = FIND(compute, "nvmlDeviceGetComputeRunningProcesses_v3",
                                "nvmlDeviceGetComputeRunningProcesses_v2",
                                "nvmlDeviceGetComputeRunningProcesses") == 2;
    library->old_graphics = FIND(graphics, "nvmlDeviceGetGraphicsRunningProcesses_v3",
                                 "nvmlDeviceGetGraphicsRunningProcesses_v2",
                                 "nvmlDeviceGetGraphicsRunningProcesses") == 2;
    library->old_clients = FIND(clients, "nvmlDeviceGetMPSComputeRunningProcesses_v3",
                                "nvmlDeviceGetMPSComputeRunningProcesses_v2",
                                "nvmlDeviceGetMPSComputeRunningProcesses") == 2;
    (void)FIND(process_use, "nvmlDeviceGetProcessUtilization");
    (void)FIND(mig_mode, "nvmlDeviceGetMigMode");
    (void)FIND(mig_most, "nvmlDeviceGetMaxMigDeviceCount");
    (void)FIND(mig_by_index, "nvmlDeviceGetMigDeviceHandleByIndex");
    (void)FIND(attributes, "nvmlDeviceGetAttributes_v2", "nvmlDeviceGetAttributes");
    if (library->init == NULL || library->count == NULL || library->by_index == NULL) {
        (void)snprintf(why, GPU_WHY, "the library is not NVIDIA's: it lacks nvmlInit");
        (void)dlclose(library->handle);
        library->handle = NULL;
        return false;
    }
    return true;
}
