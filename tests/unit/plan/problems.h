/* problems.h - random small problems of planning, and the plain way to solve them. */
#ifndef TESTS_PLAN_PROBLEMS_H
#define TESTS_PLAN_PROBLEMS_H

#include "../estimate/known.h"

#include <string.h>

#include "base/dice.h"
#include "estimate/memory/memory.h"
#include "estimate/model/settings.h"
#include "estimate/money/energy.h"
#include "estimate/step/step.h"
#include "plan/search.h"
#include "plan/ways.h"

enum { PLACES = 6, MOST_GPUS = 16 };

static const char *const models[] = {"gpt2",         "bert-base",    "llama-2-7b",  "resnet-50",
                                     "llama-3.2-1b", "mixtral-8x7b", "llama-2-13b", "vit-b-16"};
static const char *const gpus[] = {"A100", "H100", "T4",   "RTX4090",
                                   "V100", "L4",   "B200", "A10G"};

struct world {
    struct dice dice;
    struct job job;
    struct machine machines[PLACES];
    struct plan_place places[PLACES];
    struct cost_inputs terms[PLACES];
    struct week weeks[PLACES][2]; /* of prices, of carbon */
    struct plan_problem problem;
};

static inline size_t pick(struct dice *d, size_t count)
{
    return (size_t)(dice_unit(d) * (double)count) % count;
}

static inline bool often(struct dice *d, double chance)
{
    return dice_unit(d) < chance;
}

static inline void set_text(struct world *w, const char *key, const char *value)
{
    struct error err = {0};

    if (!job_set(&w->job, str_from(key), str_from(value), &known_arena, &err))
        fail_msg("%s=%s: %s", key, value, err.text);
}

static inline void set(struct world *w, const char *key, size_t value)
{
    char text[32];

    (void)snprintf(text, sizeof text, "%zu", value);
    set_text(w, key, text);
}

/* A job that leaves some things open, and few enough that all of them can be tried. */
/* Training on rewards, with models on GPUs of their own or not. */
static inline void reward_answers(struct world *w, struct dice *d)
{
    static const char *const own[] = {"rollout.engine_gpus", "rollout.reference_gpus",
                                      "rollout.reward_gpus", "rollout.critic_gpus"};

    set_text(w, "objective", often(d, 0.5) ? "ppo" : "grpo");
    for (size_t i = 0; i < ARRAY_LEN(own); i++)
        if (often(d, 0.4))
            set(w, own[i], 1 + pick(d, 2));
    if (w->job.train.rollout.engine_gpus > 0 && often(d, 0.3))
        set_text(w, "rollout.async", "yes");
}

static inline void make_job(struct world *w)
{
    struct dice *d = &w->dice, aside;
    const char *model = models[pick(d, ARRAY_LEN(models))];
    bool text = strcmp(model, "resnet-50") != 0 && strcmp(model, "vit-b-16") != 0;
    struct error err = {0};
    static const char *const methods[] = {"full", "lora", "qlora"};
    static const size_t sequences[] = {128, 1024, 4096, 16384};

    assert_true(job_reset(&w->job, &known_arena, &err));
    set_text(w, "model", model);
    if (often(d, 0.5))
        set_text(w, "method", methods[pick(d, ARRAY_LEN(methods))]);
    set(w, "data.examples", 500 + pick(d, 100000));
    if (text)
        set(w, "sequence", sequences[pick(d, ARRAY_LEN(sequences))]);
    if (often(d, 0.6))
        set(w, "global_batch", (size_t)4 << pick(d, 4));
    if (often(d, 0.3))
        set(w, "micro_batch", (size_t)1 << pick(d, 3));
    if (often(d, 0.3))
        set(w, "parallel.zero", pick(d, 4));
    if (often(d, 0.2))
        set(w, "parallel.tensor", (size_t)1 << pick(d, 2));
    if (often(d, 0.2))
        set_text(w, "train.tolerance", often(d, 0.5) ? "1%" : "2%");
    if (often(d, 0.3))
        set_text(w, "recompute", often(d, 0.5) ? "full" : "none");
    if (often(d, 0.2))
        set_text(w, "offload", often(d, 0.5) ? "none" : "optimizer");
    if (often(d, 0.2))
        set_text(w, "framework", often(d, 0.5) ? "deepspeed" : "hf");
    if (often(d, 0.15))
        set(w, "search.trials", 2 + pick(d, 30));
    if (text && often(d, 0.2))
        set(w, "parallel.virtual_pipeline", 1 + pick(d, 2));
    aside = *d; /* the places stay as they were before there were such optimizers */
    if (w->job.train.parallel.offload.len == 0 && often(&aside, 0.3))
        set_text(w, "optimizer", often(&aside, 0.5) ? "paged-adamw" : "paged-adamw-8bit");
    if (text && strcmp(model, "bert-base") != 0 && often(&aside, 0.25))
        reward_answers(w, &aside);
    if (!job_resolve(&w->job, &known_catalog, (struct str){0}, &known_arena, &err))
        fail_msg("%s", err.text);
}

/* Single machines, or joined by one of a few networks, some of them sold in pairs. */
static inline struct joining make_joining(struct dice *d)
{
    static const double rates[] = {0.4, 12.5, 50};
    struct joining j = {.joins = often(d, 0.5), .gb_s = NAN, .least = 1, .step = 1};

    if (often(d, 0.7))
        j.gb_s = rates[pick(d, ARRAY_LEN(rates))];
    j.doubt = often(d, 0.3) ? 0.4 : 0;
    j.sockets = often(d, 0.3);
    j.step = often(d, 0.2) ? 2 : 1;
    j.least = often(d, 0.2) ? 2 : 1;
    j.supply = often(d, 0.3) ? 4 : often(d, 0.3) ? joining_rented(&j, 1) : 1000;
    return j;
}

static inline void make_place(struct world *w, size_t i)
{
    struct dice *d = &w->dice;
    struct plan_place *p = &w->places[i];
    struct machine *m = &w->machines[i];
    double price = 0.2 + 4 * dice_unit(d), hours[WEEK_HOURS];
    static const char *const names[] = {"p/a/1", "p/b/2", "q/a/3", "q/c/4", "r/a/5", "r/b/6"};

    w->terms[i] = (struct cost_inputs){
        .price = USD_PER_HOUR_UNKNOWN,
        .parallel = 1,
        .trial_fraction = 1,
        .trials = w->job.train.search.trials > 0 ? w->job.train.search.trials : 0};
    w->terms[i].setup_s = (double)pick(d, 600);
    w->terms[i].evaluation = often(d, 0.3) ? 0.05 : 0;
    *m = (struct machine){
        .name = str_from(names[i]), .provider = STR("p"), .on_demand = USD_PER_HOUR_UNKNOWN};
    *p = (struct plan_place){.machine = m, .terms = &w->terms[i]};
    m->gpu = known_gpu(gpus[pick(d, ARRAY_LEN(gpus))]);
    m->count = INT64_C(1) << pick(d, 4);
    m->memory_gib = often(d, 0.2) ? NAN : 60 * (double)(1 + pick(d, 16));
    p->join = make_joining(d);
    p->billing_s = often(d, 0.5) ? 3600 : 1;
    p->minimum_s = often(d, 0.3) ? 3600 : 0;
    p->owned_hours = often(d, 0.1) ? 3 : 0;
    p->markup = often(d, 0.1) ? 0.2 : 0;
    p->pue = 1.1 + dice_unit(d);
    p->carbon_g_kwh = 30 + 600 * dice_unit(d);
    p->price = (usd_per_hour){(int64_t)(price * 1e9) * m->count};
    if (often(d, 0.3)) {
        p->market = MARKET_SPOT;
        m->on_demand = usd_per_hour_scaled(p->price, 1 + 2 * dice_unit(d));
        p->risk = (struct plan_risk){.shape = 0.7};
        p->risk.first_hour = 0.3 * dice_unit(d);
        p->risk.up = 0.5 + 0.5 * dice_unit(d);
    }
    if (often(d, 0.1))
        p->bars = BAR_PROVIDER;
    for (size_t k = 0; k < 2; k++) {
        for (size_t h = 0; h < WEEK_HOURS; h++)
            hours[h] = 0.5 + dice_unit(d);
        week_of(hours, &w->weeks[i][k]);
    }
    if (often(d, 0.5))
        p->prices = &w->weeks[i][0];
    if (often(d, 0.5))
        p->carbon = &w->weeks[i][1];
}

static inline void make_problem(struct world *w, uint64_t seed)
{
    struct dice *d = &w->dice;
    struct plan_problem *p = &w->problem;

    memset(w, 0, sizeof *w);
    *d = dice_seed(seed);
    make_job(w);
    for (size_t i = 0; i < PLACES; i++)
        make_place(w, i);
    *p = (struct plan_problem){
        .job = &w->job,
        .constants = &known_constants,
        .places = w->places,
        .limits = {.budget = USD_UNKNOWN,
                   .confidence = NAN,
                   .deadline_h = NAN,
                   .max_risk = NAN,
                   .max_carbon_kg = NAN},
        .aim = {.cost_unit = 1, .time_unit = 1, .carbon_unit = 1},
    };
    p->place_count = 1 + pick(d, PLACES);
    p->limits.most_gpus = INT64_C(1) << pick(d, 5);
    p->hour_of_week = (double)pick(d, WEEK_HOURS);
    p->hour_of_week += often(d, 0.5) ? dice_unit(d) : 0;
    switch (pick(d, 7)) {
    case 0:
        p->aim.time = 1;
        break;
    case 1:
        p->aim.carbon = 1;
        break;
    case 2:
        p->aim.cost = 1;
        p->aim.value_of_time = 50 * dice_unit(d);
        break;
    case 3:
        p->aim.cost = 0.5;
        p->aim.time = 0.5;
        p->aim.cost_unit = 10;
        break;
    case 4:
        p->aim.cost = 0.5;
        p->aim.carbon = 0.5;
        p->aim.cost_unit = 20;
        break;
    default:
        p->aim.cost = 1;
    }
    if (often(d, 0.3))
        p->limits.deadline_h = exp(8 * dice_unit(d) - 2);
    if (often(d, 0.2))
        p->limits.budget = usd_from(exp(10 * dice_unit(d) - 3));
    if (often(d, 0.1))
        p->limits.max_carbon_kg = exp(10 * dice_unit(d) - 4);
    if (often(d, 0.1))
        p->limits.max_risk = dice_unit(d);
    if (often(d, 0.15))
        p->limits.within_h = (double)(1 + pick(d, 100));
}

/* Everything, the slow and plain way. */
struct brute {
    const struct plan_problem *p;
    const struct search_filter *filter;
    struct plan best;
    bool found;
    struct plan front[4096]; /* of plans within the limits: those that no other beats */
    size_t front_len;
    size_t settings;
    struct way held[200000]; /* of one set of machines */
    size_t held_len;
};

static inline bool dominates(const struct plan *a, const struct plan *b)
{
    return a->total.expected.nano <= b->total.expected.nano && a->time <= b->time;
}

static inline void consider(struct brute *b, const struct plan *plan)
{
    size_t kept = 0;

    if (!b->found || plan_better(plan, &b->best))
        b->best = *plan;
    b->found = true;
    for (size_t i = 0; i < b->front_len; i++)
        if (dominates(&b->front[i], plan))
            return;
    for (size_t i = 0; i < b->front_len; i++)
        if (!dominates(plan, &b->front[i]))
            b->front[kept++] = b->front[i];
    b->front[kept] = *plan;
    b->front_len = kept + 1;
    assert_true(b->front_len < ARRAY_LEN(b->front));
}

/* Now, and every whole hour of the clock within what is allowed. */
static inline void try_starts(struct brute *b, const struct plan_place *place,
                              const struct way *way)
{
    double first = ceil(b->p->hour_of_week) - b->p->hour_of_week;
    struct plan plan;

    if (plan_price_at(b->p, place, way, 0, &plan) && plan_allowed(b->p, &plan))
        consider(b, &plan);
    for (double start = first > 0 ? first : 1; start <= b->p->limits.within_h; start++)
        if (plan_price_at(b->p, place, way, start, &plan) && plan_allowed(b->p, &plan))
            consider(b, &plan);
}

static inline void try_way(struct brute *b, const struct plan_place *place,
                           const struct way *way)
{
    int64_t trials = b->p->job->train.search.trials > 0 ? b->p->job->train.search.trials : 1;

    for (int64_t n = 1;; n = 2 * n < trials ? 2 * n : trials) {
        struct way spread = *way;
        struct plan plan;

        spread.trials_parallel = n;
        if (place->market == MARKET_SPOT) {
            if (plan_price(b->p, place, &spread, &plan) && plan_allowed(b->p, &plan))
                consider(b, &plan);
        } else {
            try_starts(b, place, &spread);
        }
        if (n >= trials)
            return;
    }
}

static inline void try_setting(struct brute *b, const struct space *s,
                               const struct plan_place *place, const struct setup *setup,
                               int64_t machines)
{
    struct memory memory = estimate_memory(setup, s->constants);
    struct hardware hw = {.per_node = place->machine->count};
    struct step step;
    struct way way;

    b->settings++;
    if (memory.device > space_share(s, setup) * usable_memory(setup->gpu))
        return;
    step = estimate_step(setup, s->constants);
    way = (struct way){.setup = *setup,
                       .machines = machines,
                       .gpus = setup_gpus(setup),
                       .copies = 1,
                       .hours = space_hours(s, setup, step.total),
                       .latency_s = NAN,
                       .doubt = step_doubt(setup, &step, s->constants),
                       .board_w = step_watts(&step, setup->gpu, s->constants),
                       .host_bytes = hardware_host_used(&hw, setup, &memory)};
    assert_true(b->held_len < ARRAY_LEN(b->held));
    b->held[b->held_len++] = way;
}

static inline bool host_holds(const struct plan_place *place, const struct way *w)
{
    return w->host_bytes == 0 ||
           w->host_bytes <= HOST_SHARE * machine_host_bytes(place->machine);
}

static inline bool slower(const struct way *a, const struct way *b)
{
    return a->hours >= b->hours && a->host_bytes >= b->host_bytes &&
           (a->hours > b->hours || a->host_bytes > b->host_bytes) &&
           a->board_w * (double)a->gpus * a->hours >= b->board_w * (double)b->gpus * b->hours;
}

/* What spot costs is a closed form that a little more work may make less of: a setting that is
 * slower on the same machines is never chosen, whatever the form gives (README.md). */
static inline void try_clean(struct brute *b, const struct plan_place *place)
{
    for (size_t i = 0; i < b->held_len; i++) {
        bool worse = false;

        for (size_t k = 0; place->market == MARKET_SPOT && k < b->held_len && !worse; k++)
            worse = slower(&b->held[i], &b->held[k]);
        if (!worse)
            try_way(b, place, &b->held[i]);
    }
}

/* Where carbon does not count: the simplest within 3 % of the fastest that the machine holds,
 * and of those the fastest. */
static inline void try_simplest(struct brute *b, const struct plan_place *place)
{
    double least = INFINITY;
    const struct way *best = NULL;

    for (size_t i = 0; i < b->held_len; i++)
        if (host_holds(place, &b->held[i]))
            least = fmin(least, b->held[i].hours);
    for (size_t i = 0; i < b->held_len; i++) {
        const struct way *w = &b->held[i];
        int mine = setup_complexity(&w->setup);
        int other = best != NULL ? setup_complexity(&best->setup) : 100;

        if (host_holds(place, w) && w->hours <= 1.03 * least &&
            (mine < other || (mine == other && w->hours < best->hours)))
            best = w;
    }
    if (best != NULL)
        try_way(b, place, best);
}

static inline void try_held(struct brute *b, const struct plan_place *place)
{
    if (b->p->aim.carbon > 0 || !isnan(b->p->limits.max_carbon_kg))
        try_clean(b, place);
    else
        try_simplest(b, place);
    b->held_len = 0;
}

static inline void try_hardware(struct brute *b, const struct plan_place *place,
                                int64_t machines, int64_t used)
{
    struct hardware hw = {.gpu = place->machine->gpu,
                          .gpus = used,
                          .per_node = place->machine->count,
                          .host_bytes = (double)NAN,
                          .network_gb_s = place->join.gb_s,
                          .network_doubt = place->join.doubt,
                          .sockets = place->join.sockets};
    struct space s;
    struct shape shape = {0};
    struct error ignored = {0};
    struct micro micros[SPACE_MICROS];
    struct zero zeros[SPACE_ZEROS];
    enum recompute recomputes[SPACE_WAYS];
    enum offload offloads[SPACE_WAYS];

    if (!space_open(b->p->job, b->p->constants, &hw, false, &s, &ignored))
        return;
    s.sure = true;
    while (space_next_shape(&s, &shape)) {
        size_t zero_count = space_zeros(&s, &shape, zeros);
        size_t micro_count = space_micros(&s, &shape, micros);

        for (size_t m = 0; m < micro_count; m++)
            for (size_t z = 0; z < zero_count; z++) {
                struct setup setup = space_setup(&s, &shape, micros[m], zeros[z]);
                size_t loads = space_offloads(&s, &shape, &setup, offloads);
                size_t ways = space_recomputes(&s, shape.stack, recomputes);

                for (size_t o = 0; o < loads; o++)
                    for (size_t r = 0; r < ways; r++) {
                        space_offload(&s, offloads[o], &setup);
                        setup.recompute = recomputes[r];
                        try_setting(b, &s, place, &setup, machines);
                    }
            }
    }
    try_held(b, place);
}

static inline bool is_wanted(const struct brute *b, int64_t machines, int64_t used)
{
    const struct search_filter *f = b->filter;

    return used <= b->p->limits.most_gpus &&
           (f == NULL || ((f->machines == 0 || f->machines == machines) &&
                          (f->gpus == 0 || f->gpus == used)));
}

static inline void try_everything(struct brute *b)
{
    static const int64_t machines[] = {1, 2, 3, 4, 6, 8, 12, 16};

    for (size_t i = 0; i < b->p->place_count; i++) {
        const struct plan_place *place = &b->p->places[i];

        if ((place->bars & ~b->p->limits.lifted) != 0)
            continue;
        for (int64_t used = 1; used < place->machine->count; used *= 2)
            if (is_wanted(b, 1, used))
                try_hardware(b, place, 1, used);
        if (is_wanted(b, 1, place->machine->count))
            try_hardware(b, place, 1, place->machine->count);
        for (size_t m = 0; m < ARRAY_LEN(machines); m++) {
            int64_t n = machines[m] * place->join.step;

            if (n > 1 && n >= place->join.least && n <= place->join.supply &&
                place->join.joins && is_wanted(b, n, n * place->machine->count))
                try_hardware(b, place, n, n * place->machine->count);
        }
    }
}

#endif
