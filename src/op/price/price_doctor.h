/* price_doctor.h - the health of the price store: the request and the result of
 * price.doctor. */
#ifndef OP_PRICE_PRICE_DOCTOR_H
#define OP_PRICE_PRICE_DOCTOR_H

#include "doc/field.h"
#include "unit/size.h"
#include "unit/time.h"

extern const struct op op_price_doctor;

struct price_doctor_request {
    int64_t limit;
};

/* What one feed told of one provider. */
struct doctor_feed {
    struct str feed, provider, confidence, source, read, imported, first;
    int64_t age_days, offers, series, gone, points;
    double usual_days; /* between days on which a price changed; NaN when there are too few */
    bool stale;
};

/* Something that is not as it should be, and what to run about it. */
struct doctor_finding {
    struct str kind, text, run;
    int64_t count;
    struct strs examples;
};

struct price_doctor_result {
    struct str file;
    bytes size;
    int64_t offers, series, points, damaged;
    day built_in; /* date of the newest built-in price */
    struct rows feeds, findings;
};

#endif
