/* Any bytes are a log of price changes, with rows that can be used, or are refused with a text. */
#include "feed.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const providers[] = {"aws", "gcp", "vast", "oci", "runpod", "azure"};

    fuzz_feed(&feed_changes, providers, ARRAY_LEN(providers), data, size);
    return 0;
}
