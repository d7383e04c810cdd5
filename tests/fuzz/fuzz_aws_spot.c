/* Any bytes as a history of spot prices: XML when they start so, else JSON. */
#include "fuzz_aws.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str text = {(const char *)data, size};

    check_feed(str_starts(text, STR("<")) ? &feed_aws_spot_xml : &feed_aws_spot, text);
    return 0;
}
