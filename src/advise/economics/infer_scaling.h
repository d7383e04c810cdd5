/* infer_scaling.h - when to add a copy of a model and when to remove one: the numbers that an
 * autoscaler takes (HPA, KEDA), from how the rate changes and from how long a start takes. */
#ifndef ADVISE_INFER_SCALING_H
#define ADVISE_INFER_SCALING_H

#include "plan/deploy_choices.h"

/* Copies of the model, each on so many machines or a part of one. */
struct infer_scaling {
    struct str deployment, offer;
    double least, most;  /* copies: in the quietest hour, and at the peak */
    double full;         /* requests in work or waiting in a copy that takes no more in time */
    double target;       /* one more copy for each so many in work or waiting */
    double growth;       /* by which the rate grows while a copy starts, at most: a share */
    double start_s;      /* until a new copy serves */
    double down_after_s; /* without need, before a copy is removed */
};

extern const struct field_set infer_scaling_fields;

/* For the first way of the set whose machines are rented and take requests together; no row
 * where there is none, or where its start is not known. */
bool infer_scale(const struct deploy_set *set, struct arena *arena, struct rows *out,
                 struct error *err) MUST_USE;

#endif
