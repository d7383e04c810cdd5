/* Any bytes as answers of GetProducts. */
#include "fuzz_aws.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    check_feed(&feed_aws_products, (struct str){(const char *)data, size});
    return 0;
}
