/* aws_spot.h - a row of AWS's history of spot prices, as JSON and XML both have it. */
#ifndef FEED_AWS_SPOT_H
#define FEED_AWS_SPOT_H

#include "feed/aws.h"

struct aws_spot {
    struct aws_name instance, zone, zone_id;
    bool is_linux; /* of the system: other systems cost more */
    int64_t price; /* PRICE_UNSAID */
    stamp at;      /* 0 when not given */
    struct error problem;
};

void aws_spot_start(struct aws_spot *row);

/* A member of the row: InstanceType in JSON, instanceType in XML. */
void aws_spot_set(struct aws_spot *row, struct str name, struct str text);

/* The row is read: give its quote, count it as ignored, or say why it cannot be used. */
bool aws_spot_end(struct aws_reader *r, struct aws_spot *row, struct error *err) MUST_USE;

#endif
