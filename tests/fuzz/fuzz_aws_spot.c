/* Any bytes as a history of spot prices: XML when they start so, else JSON. */
#include "feed.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bool xml = size > 0 && data[0] == '<';

    return fuzz_feed(xml ? &feed_aws_spot_xml : &feed_aws_spot, data, size);
}
