/* search.h - the highest rate that meets a target: doubled until it does not, then bisected. */
#ifndef LOAD_SEARCH_H
#define LOAD_SEARCH_H

#include <stdbool.h>

#define SEARCH_CLOSE 1.05 /* the two ends differ by so much in the end */
#define SEARCH_MOST 24    /* rates that are tried */

struct rate_search {
    double next;      /* to try */
    double good, bad; /* the highest that met it and the lowest that did not; 0: none yet */
    int tried;
};

/* `first`: above 0. */
struct rate_search rate_search_start(double first);

/* What trying `next` brought. False: it is done, and `good` is the answer. */
bool rate_search_next(struct rate_search *search, bool met);

#endif
