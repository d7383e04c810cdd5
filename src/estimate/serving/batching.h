/* batching.h - continuous batching, simulated: requests come, their prompts are read in pieces,
 * their answers are written together, one token of each in a pass, and others take their
 * places.
 *
 * Knows nothing of models or GPUs: what a pass takes is a table. Pure, the same for the same
 * input, and bounded: at most BATCHING_REQUESTS requests. Two phases on GPUs of their own are
 * two tables; a rate that changes with time is one run for each rate.
 */
#ifndef ESTIMATE_SERVING_BATCHING_H
#define ESTIMATE_SERVING_BATCHING_H

#include <stdbool.h>

#define BATCHING_REQUESTS 4096 /* that are simulated at most */
#define BATCHING_POINTS 35     /* of a table: 1 to 2^17, two for each doubling */

/* What is counted at the point of a table. */
double batching_point(int i);

/* Seconds of a pass: what is in it added up. */
struct batching_costs {
    double pass;                      /* around each pass */
    double tokens[BATCHING_POINTS];   /* so many tokens of prompts, none looking at others */
    double writes[BATCHING_POINTS];   /* so many sequences that write a token each, likewise */
    double reads[2][BATCHING_POINTS]; /* of a token in a piece of a prompt that is so long: its
                                         looks at others, after 0 and after `past` tokens */
    double past;
    double context;                /* of a sequence that writes: for each token it looks at */
    double windowed, window;       /* the same in layers that look at no more than `window` */
    double last;                   /* of the first token of an answer, once it is read */
    double least_read, least_step; /* the host's time for a pass that reads or writes */
    double before;                 /* until a request is in the queue; keeps no other waiting */
    double delay; /* share of what is read that delays the tokens of others in the same pass */
};

struct batching_limits {
    double sequences; /* at a time */
    double cache;     /* tokens that it has room for */
    double budget;    /* tokens of a pass */
    bool reserves;    /* room for the complete answer before it begins */
    bool apart;       /* prompts are read in passes of their own, and before others go on */
};

struct batching_load {
    double rate;    /* requests/s that come at random; 0: a closed loop */
    double clients; /* of a closed loop: each sends the next request when one is answered */
    /* A closed loop of so many requests that begins with all clients at once; all are counted,
     * to the last, as programs that measure servers do. 0: what is steady. */
    double measured;
    double input, output; /* tokens of a request on average; output 0: read only */
    double spread;        /* lengths are within this share of the average, evenly */
    double cached;        /* share of the input that is in the cache already */
};

struct batching_times {
    double mean, p50, p95, p99;
};

struct batching_result {
    struct batching_times first, token, request; /* s to the first token; between tokens; all */
    double requests_s, tokens_s;                 /* answered; written */
    double batch, context; /* sequences in a pass that writes, tokens of each, on average */
    double busy;           /* share of the time in which a pass runs */
    double again;          /* times that a request was put off for want of cache, on average */
};

struct batching_result batching_run(const struct batching_costs *costs,
                                    const struct batching_limits *limits,
                                    const struct batching_load *load);

#endif
