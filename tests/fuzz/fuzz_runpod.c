#include "feed.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    (void)fuzz_feed(&feed_runpod_list, data, size);
    return fuzz_feed(&feed_runpod, data, size);
}
