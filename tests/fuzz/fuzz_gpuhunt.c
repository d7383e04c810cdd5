/* Any bytes are a catalog of gpuhunt, with rows that can be used, or are refused with a text.
 */
#include "feed.h"

/* The first byte chooses the provider, where no row names one. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const providers[] = {"aws", "gcp", "vast", "oci", "runpod", "azure"};

    if (size == 0)
        return 0;
    return fuzz_feed_of(&feed_gpuhunt, providers[data[0] % ARRAY_LEN(providers)], data + 1,
                        size - 1);
}
