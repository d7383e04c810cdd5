/* gaudi.h - what hl-smi prints of Intel's Gaudi devices. */
#ifndef METER_GAUDI_H
#define METER_GAUDI_H

#include "base/str.h"
#include "meter/sample.h"

struct gaudi_row {
    int index, module; /* -1 unknown */
    char name[METER_NAME], uuid[96];
    double busy, memory, memory_total, watts, celsius; /* NaN unknown */
};

/* What is asked for, in the order of the columns. */
#define GAUDI_QUERY \
    "index,module_id,uuid,name,utilization.aip,memory.used,memory.total,power.draw," \
    "temperature.aip"

/* The devices in its output (`-f csv,noheader,nounits`), up to `max`. A line that is none (a
 * warning, a heading) is passed over. Pure. */
size_t gaudi_parse(struct str text, struct gaudi_row *rows, size_t max);

#endif
