/* Any bytes as answers of GetProducts. */
#include "feed.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_feed(&feed_aws_products, data, size);
}
