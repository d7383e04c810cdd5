/* Latency when requests come at random: how many are in flight, and how long they wait.
 *
 * Two queues, one after the other. A request waits for a place in the batch (as many servers as
 * places, each busy for a whole request), then for the prompts in front of it (one server, busy
 * for a prefill). Waits of both have tails that fall exponentially; what is left is the time
 * without any wait.
 *
 * What does not write answers in one pass: those that come during a pass make up the next. */
#include <math.h>

#include "estimate/infer_pass.h"

#define PLACES 1024.0 /* requests that engines run at most */
#define ROUNDS 40     /* of the search for a steady number in flight */

/* What one replica does at a given rate. */
struct flow {
    double rate, places;
    double output;  /* tokens that are written one after the other */
    double prompt;  /* s of reading one, when many are there */
    double alone;   /* s of reading one, when it is alone */
    double pass;    /* s of what stands in front of a request in the queue */
    double step;    /* s of a decode step */
    double reading; /* share of the time that goes to prompts */
    double batch;   /* in flight */
};

static double step_at(const struct serving *s, double batch, const struct constants *c)
{
    struct serving at = *s;

    at.batch = fmax(1, batch);
    at.rolling = true;
    return serving_writes(s) ? decode_step(&at, s->input + s->output / 2, c) : 0;
}

/* Little's law: in flight = rate x time of a request, which grows with those in flight. */
static void settle(struct flow *f, const struct serving *s, const struct constants *c)
{
    f->batch = 1;
    for (int i = 0; i < ROUNDS; i++) {
        double time, next;

        f->step = step_at(s, f->batch, c);
        time = f->alone + f->output * f->step / (1 - f->reading);
        next = fmin(f->places, f->rate * time);
        if (fabs(next - f->batch) < 1e-3 * f->batch)
            break;
        f->batch = fmax(1e-6, (f->batch + next) / 2);
    }
}

/* The wait that a share of 1 - `over` do not exceed, when a share `some` waits at all and
 * those `mean`. */
static double wait_beyond(double over, double some, double mean)
{
    return some > over ? mean * log(some / over) : 0;
}

struct percentile {
    double first, request;
};

static struct percentile at_percentile(const struct flow *f, double load, double over)
{
    double service = f->alone + f->output * f->step / (1 - f->reading);
    /* Of many places, one is free but for a share that the load decides. */
    double full = f->places > 1 ? pow(load, sqrt(2 * (f->places + 1))) : 0;
    double place = wait_beyond(over, full, service / (f->places * (1 - load)));
    double queue = wait_beyond(over, f->reading, f->pass / (2 * (1 - f->reading)));
    struct percentile p;

    p.first = f->alone + f->step / 2 + place + queue;
    p.request = p.first + fmax(0, f->output - 1) * f->step / (1 - f->reading);
    return p;
}

static double pass_of(const struct serving *s, double batch, const struct constants *c)
{
    struct serving at = *s;

    at.batch = fmax(1, batch);
    at.rolling = false;
    return estimate_serving(&at, c).prefill;
}

/* Batches one after the other, each of those that came during the one before, up to `most`. */
static void settle_passes(struct flow *f, const struct serving *s, double most,
                          const struct constants *c)
{
    double batch = 1;

    for (int i = 0; i < ROUNDS; i++) {
        double next;

        f->pass = pass_of(s, batch, c);
        next = fmin(most, fmax(1, f->rate * f->pass));
        if (fabs(next - batch) < 1e-2 * batch)
            break;
        batch = (batch + next) / 2;
    }
    f->alone = f->pass;
    f->places = 1;
    f->batch = f->rate * f->pass;
}

static struct flow flow_of(const struct serving *s, double rate, const struct constants *c)
{
    struct flow f = {.rate = rate};
    double most = serving_holds(s, c), crowd;

    if (!serving_writes(s)) {
        f.places = fmax(1, fmin(s->batch, most));
        f.prompt = pass_of(s, f.places, c) / f.places;
        return f;
    }
    f.output = s->output;
    f.places = fmax(1, fmin(most, PLACES));
    f.alone = pass_of(s, 1, c);
    crowd = fmax(1, fmin(f.places, PROMPT_CHUNK / fmax(1, s->input)));
    f.prompt = pass_of(s, crowd, c) / crowd;
    f.pass = f.prompt; /* prompts are read as they come */
    return f;
}

static struct serving_load saturated(struct serving_load load)
{
    load.first_p50 = load.first_p95 = load.first_p99 = INFINITY;
    load.request_p50 = load.request_p95 = load.request_p99 = INFINITY;
    return load;
}

struct serving_load estimate_load(const struct serving *s, double rate,
                                  const struct constants *c)
{
    static const double over[] = {0.5, 0.05, 0.01};
    struct flow f = flow_of(s, rate, c);
    struct serving_load load = {0};
    struct percentile p[3];
    double full = step_at(s, f.places, c);
    bool writes = serving_writes(s);

    /* All places taken: each request holds one for its steps and for the prompts of the
     * others. */
    load.max_rate =
        writes ? f.places / (f.output * full + (f.places + 1) * f.prompt) : 1 / f.prompt;
    if (!(rate > 0))
        return load;
    load.utilisation = rate / load.max_rate;
    load.tokens_s = fmin(rate, load.max_rate) * f.output;
    load.batch = f.places;
    if (load.utilisation >= 1)
        return saturated(load);
    f.reading = fmin(0.99, rate * f.prompt);
    if (writes)
        settle(&f, s, c);
    else
        settle_passes(&f, s, f.places, c);
    load.batch = f.batch;
    for (int i = 0; i < 3; i++)
        p[i] = at_percentile(&f, load.utilisation, over[i]);
    load.first_p50 = p[0].first;
    load.first_p95 = p[1].first;
    load.first_p99 = p[2].first;
    load.request_p50 = p[0].request;
    load.request_p95 = p[1].request;
    load.request_p99 = p[2].request;
    return load;
}
