/* Any bytes are a catalog of SkyPilot's, with rows that can be used, or are refused with a text. */
#include "feed.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const providers[] = {"aws", "gcp",     "vast",  "primeintellect",
                                            "oci", "mithril", "azure", "runpod"};

    fuzz_feed(&feed_skypilot, providers, ARRAY_LEN(providers), data, size);
    return 0;
}
