#include "load/search.h"

#include <math.h>

#include "load/arrival.h"

#define LEAST_RATE 1e-3

struct rate_search rate_search_start(double first)
{
    return (struct rate_search){.next = first};
}

/* Latency rises steeply at the end, so rates are compared by their ratio. */
bool rate_search_next(struct rate_search *s, bool met)
{
    if (met && s->next > s->good)
        s->good = s->next;
    if (!met && (s->bad == 0 || s->next < s->bad))
        s->bad = s->next;
    if (s->bad == 0)
        s->next = 2 * s->good;
    else if (s->good == 0)
        s->next = s->bad / 2;
    else
        s->next = sqrt(s->good * s->bad);
    return ++s->tried < SEARCH_MOST && s->next >= LEAST_RATE && s->next <= ARRIVAL_RATE_MAX &&
           !(s->good > 0 && s->bad > 0 && s->bad / s->good <= SEARCH_CLOSE);
}
