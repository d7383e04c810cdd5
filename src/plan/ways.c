#include "plan/ways.h"

#include <math.h>
#include <string.h>

#include "estimate/kernels/measured.h"
#include "estimate/model/settings.h"
#include "estimate/money/energy.h"
#include "estimate/serving/infer.h"
#include "estimate/serving/infer_load.h"

#define SECONDS_PER_HOUR 3600.0

/* Joules of the boards over the complete training. */
static double way_joules(const struct way *way)
{
    return way->board_w * (double)way->gpus * way->hours * SECONDS_PER_HOUR;
}

/* Where only time counts, a simpler setting is as good if it takes 3 % longer (settings.h). So
 * one that is slower than that, or slower and not simpler, is of no use. */
static bool way_is_faster(const struct way *a, const struct way *b, enum ways_aim aim)
{
    if (aim == WAYS_FAST && setup_complexity(&a->setup) > setup_complexity(&b->setup))
        return (1 + SIMPLER_SHARE) * a->hours < b->hours;
    return a->hours <= b->hours;
}

/* As good in everything that counts? A board whose watts are not known beats none in them. */
static bool way_covers(const struct way *a, const struct way *b, enum ways_aim aim)
{
    double mine = aim == WAYS_WEEK ? a->board_w : way_joules(a);
    double other = aim == WAYS_WEEK ? b->board_w : way_joules(b);

    if (a->host_bytes > b->host_bytes || !way_is_faster(a, b, aim))
        return false;
    return aim == WAYS_FAST || mine <= other || isnan(other);
}

static struct way *slowest_of(struct ways *ways)
{
    struct way *slowest = &ways->at[0];

    for (size_t i = 1; i < ways->len; i++)
        if (ways->at[i].hours > slowest->hours)
            slowest = &ways->at[i];
    return slowest;
}

/* Put one in, unless one that is there is as good in everything; throw out what it beats.
 * Of more than there is room for, the slowest goes. */
static void ways_add(struct ways *ways, const struct way *way, enum ways_aim aim)
{
    size_t kept = 0;

    for (size_t i = 0; i < ways->len; i++)
        if (way_covers(&ways->at[i], way, aim))
            return;
    for (size_t i = 0; i < ways->len; i++)
        if (!way_covers(way, &ways->at[i], aim))
            ways->at[kept++] = ways->at[i];
    ways->len = kept;
    if (kept < WAYS_MOST)
        ways->at[ways->len++] = *way;
    else if (way->hours < slowest_of(ways)->hours)
        *slowest_of(ways) = *way;
}

/* The search on one set of machines. */
struct hunt {
    const struct constants *constants;
    struct hardware_key key;
    enum ways_aim aim;
    struct ways *ways;
};

static struct hardware hardware_of(const struct hardware_key *key, int64_t gpus)
{
    return (struct hardware){.gpu = key->gpu,
                             .gpus = gpus,
                             .per_node = key->count,
                             .host_bytes = (double)NAN,
                             .network_gb_s = key->join.gb_s,
                             .network_doubt = key->join.doubt,
                             .sockets = key->join.sockets};
}

static bool hunt_hopeless(void *ctx, const struct setting *bound)
{
    const struct hunt *h = ctx;
    struct way least = {.setup = bound->setup,
                        .gpus = h->key.gpus,
                        .hours = bound->hours,
                        .board_w = bound->board_w};

    if (h->aim == WAYS_WEEK)
        return false; /* what waits more draws fewer watts: there is no least of them */
    for (size_t i = 0; i < h->ways->len; i++)
        if (way_covers(&h->ways->at[i], &least, h->aim))
            return true;
    return false;
}

static void hunt_keep(void *ctx, const struct setting *s)
{
    const struct hunt *h = ctx;
    struct hardware hw = hardware_of(&h->key, h->key.gpus);
    struct way way = {
        .setup = s->setup,
        .machines = h->key.machines,
        .gpus = h->key.gpus,
        .copies = 1,
        .hours = s->hours,
        .latency_s = NAN,
        .rate = step_rate(&s->step, &s->setup) * (double)s->setup.gpus,
        .doubt = step_doubt(&s->setup, &s->step, h->constants),
        .step_s = s->step.total,
        .board_w = s->board_w,
        .need = s->memory.device / usable_memory(h->key.gpu),
        .host_bytes = hardware_host_used(&hw, &s->setup, &s->memory),
        .trials_parallel = 1,
    };

    ways_add(h->ways, &way, h->aim);
}

/* The simplest within 3 % of the fastest, of those that a machine with so much memory holds. */
static struct way *simplest_within(struct ways *ways, double host_bytes)
{
    struct way *simplest = NULL;
    double least = INFINITY;

    for (size_t i = 0; i < ways->len; i++)
        if (ways->at[i].host_bytes <= host_bytes)
            least = fmin(least, ways->at[i].hours);
    for (size_t i = 0; i < ways->len; i++) {
        struct way *w = &ways->at[i];
        int more = simplest == NULL
                       ? -1
                       : setup_complexity(&w->setup) - setup_complexity(&simplest->setup);

        if (w->host_bytes <= host_bytes && w->hours <= (1 + SIMPLER_SHARE) * least &&
            (more < 0 || (more == 0 && w->hours < simplest->hours)))
            simplest = w;
    }
    return simplest;
}

static double next_host(const struct ways *ways, double after)
{
    double next = INFINITY;

    for (size_t i = 0; i < ways->len; i++)
        if (ways->at[i].host_bytes > after)
            next = fmin(next, ways->at[i].host_bytes);
    return next;
}

/* Of those, one for each amount of memory that a machine may have. */
static void keep_simplest(struct ways *ways)
{
    struct way *last = NULL;
    double host = 0;
    size_t kept = 0;

    while (host < INFINITY) {
        struct way *w = simplest_within(ways, host);
        double next = next_host(ways, host);

        if (w != NULL && w != last)
            w->host_from = host;
        if (w != NULL)
            w->host_below = next;
        last = w;
        host = next;
    }
    for (size_t i = 0; i < ways->len; i++)
        if (ways->at[i].host_below > 0)
            ways->at[kept++] = ways->at[i];
    ways->len = kept;
}

void ways_train(const struct job *job, const struct constants *c, struct hardware_key key,
                enum ways_aim aim, struct ways *out, struct ways_counts *counts)
{
    struct hardware hw = hardware_of(&key, key.gpus);
    struct hunt hunt = {.constants = c, .key = key, .aim = aim, .ways = out};
    struct settings_visitor v = {.ctx = &hunt, .hopeless = hunt_hopeless, .keep = hunt_keep};
    struct error ignored = {0};
    struct space space;

    out->len = 0;
    if (!space_open(job, c, &hw, false, &space, &ignored))
        return;
    space.sure = true; /* a plan is for money: a batch that is given must fit, too */
    settings_walk(&space, &v);
    if (aim == WAYS_FAST)
        keep_simplest(out);
    counts->settings += v.settings;
    counts->pruned += v.pruned;
}

void ways_measured(const struct job *job, const struct constants *c,
                   const struct accelerator *from, struct hardware_key key, struct ways *out)
{
    const struct job_measured *m =
        job->kind == JOB_TRAIN ? &job->train.measured : &job->infer.measured;
    double compute = isnan(m->compute) ? USUAL_COMPUTE : m->compute;
    double speed = carried_speed(from, key.gpu, compute);
    bool samples = m->samples_s > 0;
    double rate = (samples ? m->samples_s : m->tokens_s) * speed * (double)key.gpus;
    double total = samples ? job_samples(job) : job_tokens(job);
    struct way way = {
        .machines = 1,
        .gpus = key.gpus,
        .copies = 1,
        .hours = total / rate / SECONDS_PER_HOUR,
        .latency_s = NAN,
        .rate = rate,
        .doubt = {measured_spread(from, key.gpu), 0},
        .step_s = NAN,
        .board_w = board_watts(key.gpu, compute, 1 - compute, c),
        .need = m->memory.n == UINT64_MAX ? NAN : (double)m->memory.n / usable_memory(key.gpu),
        .trials_parallel = 1,
    };

    out->len = 0;
    if (key.machines == 1 && isfinite(way.hours) && way.hours >= 0 && !(way.need > 1))
        out->at[out->len++] = way;
}

/* Serving: how many copies, on how many GPUs each, keep up with the rate and the promises. */

#define MOST_COPIES 16384
#define MOST_BATCH 256

/* One way to spread a copy. */
struct spread {
    const struct job *job;
    const struct constants *constants;
    struct hardware_key key;
    struct job asked; /* the same with degrees fixed */
    struct ways_counts *counts;
};

/* The serving of `copies` copies; false when one does not fit. */
static bool with_copies(struct spread *s, int64_t copies, struct serving *serving)
{
    int64_t each = s->asked.infer.tensor * s->asked.infer.pipeline; /* both checked */
    struct hardware hw = hardware_of(&s->key, each * copies);
    struct error ignored = {0};

    s->counts->settings++;
    if (!choose_serving(&s->asked, &hw, s->constants, serving, NULL, &ignored) ||
        serving_holds(serving, s->constants) < 1)
        return false;
    serving->arch = &s->job->arch; /* which outlives the job that was asked for here */
    return true;
}

/* Does so many copies keep up? What writes has one replica for any number of them. */
static bool copies_keep_up(struct spread *s, int64_t copies, struct replica *replica,
                           struct serving *serving)
{
    double rate = s->job->infer.rate / (double)copies;

    s->counts->settings++;
    if (!model_writes(&s->job->arch)) {
        if (!with_copies(s, copies, serving))
            return false;
        replica_open(serving, s->constants, replica);
    }
    return replica_keeps_up(replica, rate, &s->job->infer.slo);
}

/* The fewest copies that keep up; 0: no number does. More copies only make it easier. */
static int64_t fewest_copies(struct spread *s, struct serving *serving, struct replica *replica)
{
    int64_t low = 0, high = 1;
    double least;

    if (!with_copies(s, 1, serving))
        return 0;
    replica_open(serving, s->constants, replica);
    if (model_writes(serving->arch)) { /* what they can do at most is known */
        least = ceil(s->job->infer.rate / (SERVING_BUSIEST * replica->max_rate));
        if (!(least <= MOST_COPIES))
            return 0;
        high = (int64_t)fmax(1, least);
        low = high - 1;
    }
    while (!copies_keep_up(s, high, replica, serving)) {
        if (low == high - 1 && !copies_keep_up(s, MOST_COPIES, replica, serving))
            return 0; /* not even one request alone is fast enough */
        low = high;
        high *= 2;
        if (high > MOST_COPIES)
            return 0;
    }
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;

        *(copies_keep_up(s, middle, replica, serving) ? &high : &low) = middle;
    }
    if (!with_copies(s, high, serving))
        return 0;
    if (!model_writes(serving->arch))
        replica_open(serving, s->constants, replica);
    return high;
}

static void finish_way(const struct spread *s, const struct serving *serving, int64_t copies,
                       struct way *way)
{
    const struct constants *c = s->constants;
    int64_t each = serving->gpus;
    int64_t in_machine = s->key.count / each;
    struct serving_time time = estimate_flow(serving, c);

    way->serves = true;
    way->serving = *serving;
    way->copies = copies;
    way->gpus = copies * each;
    way->machines = in_machine > 0 ? (copies + in_machine - 1) / in_machine
                                   : copies * ((each + s->key.count - 1) / s->key.count);
    way->hours = NAN;
    way->doubt = serving_doubt(serving, C_spread_serving, c);
    way->board_w = serving_watts(serving, &time, c);
    way->need = estimate_serving_memory(serving, c).device / usable_memory(serving->gpu);
    way->trials_parallel = 1;
}

/* Fewer machines, sooner answered, more made in an hour: what no other beats in all stays. */
static bool serves_as_well(const struct way *a, const struct way *b)
{
    return a->machines <= b->machines && a->latency_s <= b->latency_s && a->rate >= b->rate &&
           a->board_w * (double)a->gpus <= b->board_w * (double)b->gpus;
}

static void keep_serving(struct ways *ways, const struct way *way)
{
    size_t kept = 0;

    for (size_t i = 0; i < ways->len; i++)
        if (serves_as_well(&ways->at[i], way))
            return;
    for (size_t i = 0; i < ways->len; i++)
        if (!serves_as_well(way, &ways->at[i]))
            ways->at[kept++] = ways->at[i];
    ways->len = kept;
    if (kept < WAYS_MOST)
        ways->at[ways->len++] = *way;
}

/* How many copies of this spread keep up: the same whatever machine they are in. */
static void find_served(struct spread *s, struct served *out)
{
    double rate = s->job->infer.rate;
    struct replica replica;

    *out = (struct served){.known = true, .spread = out->spread};
    out->copies = fewest_copies(s, &out->serving, &replica);
    if (out->copies > 0)
        out->latency_s = replica_load(&replica, rate / (double)out->copies).request_p95;
}

static void try_rate(struct spread *s, struct served *served, struct ways *out)
{
    struct way way = {0};

    if (!served->known)
        find_served(s, served);
    if (served->copies < 1)
        return;
    finish_way(s, &served->serving, served->copies, &way);
    way.latency_s = served->latency_s;
    way.rate = s->job->infer.rate;
    keep_serving(out, &way);
}

/* Without a rate: batches of every size that fits, one after the other. */
static void try_batches(struct spread *s, struct ways *out)
{
    int64_t given = s->job->infer.batch;

    for (int64_t batch = given > 0 ? given : 1; batch <= (given > 0 ? given : MOST_BATCH);
         batch *= 2) {
        struct serving serving;
        struct serving_time time;
        struct way way = {0};

        s->asked.infer.batch = batch;
        if (!with_copies(s, 1, &serving) ||
            (double)batch > serving_holds(&serving, s->constants))
            return;
        time = estimate_serving(&serving, s->constants);
        finish_way(s, &serving, 1, &way);
        if (s->key.count >= 2 * serving.gpus) { /* copies fill the machine that is paid for */
            way.copies = s->key.count / serving.gpus;
            way.gpus = way.copies * serving.gpus;
        }
        way.latency_s = time.request;
        way.rate = (double)(batch * way.copies) *
                   (serving.output > 0 && time.decode > 0 ? serving.output : 1) / time.request;
        keep_serving(out, &way);
    }
}

/* What is known of copies that are spread so: machines with more GPUs have the same ones. */
static struct served *served_of(struct ways_scratch *scratch, struct serving_split spread)
{
    struct served *free_one = scratch->served;

    for (; free_one->known; free_one++)
        if (free_one->spread.tensor == spread.tensor &&
            free_one->spread.pipeline == spread.pipeline)
            return free_one;
    free_one->spread = spread;
    return free_one;
}

void ways_serve(const struct job *job, const struct constants *c, struct hardware_key key,
                struct ways_scratch *scratch, struct ways *out, struct ways_counts *counts)
{
    const struct job_infer *t = &job->infer;
    struct spread s = {.job = job, .constants = c, .key = key, .asked = *job, .counts = counts};
    struct serving_split spreads[SERVING_SPLITS];
    size_t count = serving_splits(t, &job->arch, key.count, spreads);

    out->len = 0;
    if (scratch->served_by != key.gpu)
        memset(scratch->served, 0, sizeof scratch->served);
    scratch->served_by = key.gpu;
    for (size_t i = 0; i < count; i++) {
        bool spans = spreads[i].tensor * spreads[i].pipeline > key.count;
        struct served own = {.spread = spreads[i]};

        if (spans && !key.join.joins)
            continue;
        s.asked.infer.tensor = spreads[i].tensor;
        s.asked.infer.pipeline = spreads[i].pipeline;
        if (t->rate > 0) /* over several machines the network counts, too */
            try_rate(&s, spans ? &own : served_of(scratch, spreads[i]), out);
        else
            try_batches(&s, out);
    }
}
