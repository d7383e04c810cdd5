/* Any bytes as a bulk price list. */
#include "feed.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_feed(&feed_aws_offers, data, size);
}
