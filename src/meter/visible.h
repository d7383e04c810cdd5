/* visible.h - which devices a process may use, as its environment says.
 *
 * CUDA_VISIBLE_DEVICES and its like, of each vendor. Pure: text in, a set of devices out. An
 * environment that says nothing is no opinion, and several processes' opinions are added up;
 * the vendor's own list of who uses what counts beside them, always. */
#ifndef METER_VISIBLE_H
#define METER_VISIBLE_H

#include "base/str.h"
#include "meter/sample.h"

enum visible_vendor {
    VISIBLE_NVIDIA,
    VISIBLE_AMD,
    VISIBLE_HABANA,
};

/* One device or MIG slice, in the vendor's order. */
struct visible_device {
    struct str uuid; /* "GPU-..." or "MIG-..." */
    struct str name; /* the model: devices of one model are counted alike everywhere */
    int index;       /* as the vendor counts entire devices; a slice has its device's */
    bool slice;
    int module; /* Gaudi's module id; -1: none */
};

/* Sets of up to METER_GPUS devices: bit i is devices[i]. */
typedef uint64_t visible_set;

/* What this environment lets a process use. False, with all of them in the set, when it says
 * nothing, or nothing that can be distinguished (indices on a machine with several models where
 * CUDA_DEVICE_ORDER is not PCI_BUS_ID: CUDA then counts by speed). */
bool visible_devices(enum visible_vendor vendor, struct str environment,
                     const struct visible_device *devices, size_t count, visible_set *out);

/* All of `count` devices. */
visible_set visible_all(size_t count);

#endif
