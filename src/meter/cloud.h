/* cloud.h - on whose machine is this, without sending a packet: firmware's tables (DMI), sysfs
 * and the environment say it. Only who is recognized here is asked for more
 * (run/cloud/metadata.h). */
#ifndef METER_CLOUD_H
#define METER_CLOUD_H

#include "base/str.h"

enum cloud {
    CLOUD_NONE,
    CLOUD_AWS,
    CLOUD_GCP,
    CLOUD_AZURE,
    CLOUD_LAMBDA,
    CLOUD_RUNPOD,
    CLOUD_VAST,
};

struct cloud_facts {
    enum cloud cloud;
    struct str provider; /* as the catalog names it: "aws"; empty for none */
    char because[128];   /* "/sys/class/dmi/id/sys_vendor says Amazon EC2" */
    char instance[64];   /* the machine's type where it is known without asking; else empty */
    char region[64];
    char id[80]; /* of the machine */
};

/* `root` is put before "/sys" and "/proc"; NULL: "". */
void cloud_recognize(const char *root, struct cloud_facts *out);

#endif
