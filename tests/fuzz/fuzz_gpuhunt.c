/* Any bytes are a catalog of gpuhunt, with rows that can be used, or are refused with a text. */
#include "feed.h"

/* The first byte chooses the provider; the last of them is said by the rows or not at all. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const providers[] = {"aws", "gcp", "vast", "oci", "runpod", ""};

    if (size == 0)
        return 0;
    return fuzz_feed_of(&feed_gpuhunt, providers[data[0] % ARRAY_LEN(providers)], data + 1,
                        size - 1);
}
