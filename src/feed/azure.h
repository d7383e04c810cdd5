/* azure.h - what is in Azure's machines, by their names. */
#ifndef FEED_AZURE_H
#define FEED_AZURE_H

#include "feed/known.h"

struct azure_machine {
    struct str accelerator; /* the catalog's name where it has one */
    double count;           /* below 1 for a share of one */
    double vcpus, memory_gib;
};

/* The machine that the price list calls `sku` ("Standard_NC24ads_A100_v4"). False when it has
 * no accelerator, or an unknown one. */
bool azure_machine(struct feed_known *known, struct str sku, struct azure_machine *out);

#endif
