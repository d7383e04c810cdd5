#include "market/fetch.h"

const struct fetch_formats fetch_formats = {
    .aws_offers = &feed_aws_offers,
    .aws_spot = &feed_aws_spot_xml,
    .azure = &feed_azure,
    .gcp = &feed_gcp,
    .lambda = &feed_lambda,
    .runpod = &feed_runpod,
    .skypilot = &feed_skypilot,
    .vast = &feed_vast,
};
