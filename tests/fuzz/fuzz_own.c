#include "feed.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_feed_of(&feed_own, "acme", data, size);
}
