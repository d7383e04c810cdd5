/* coldstart.h - what stops when nothing is asked of it: how many requests find it cold, and how
 * long it is up.
 *
 * Requests come at random (Poisson), at one rate while the service is active.
 */
#ifndef ESTIMATE_SERVING_COLDSTART_H
#define ESTIMATE_SERVING_COLDSTART_H

struct warm_ask {
    double rate;      /* requests a second */
    double service_s; /* of a request, once it is up */
    double idle_s;    /* that it waits for another before it stops */
    double cold_s;    /* until it is up */
};

struct warm {
    double cold;    /* share of requests that start an instance */
    double delayed; /* share that waits for a start: its own, or one under way */
    double up;      /* instances that are up, starting or waiting, on average */
};

/* Functions: an instance works on one request at a time, and a request that finds all of them
 * busy starts another. The most recently used that is free takes the next. */
struct warm warm_functions(const struct warm_ask *ask);

/* One machine that takes all requests, several at a time; those that come while it starts wait
 * for it. */
struct warm warm_machine(const struct warm_ask *ask);

#endif
