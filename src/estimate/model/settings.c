#include "estimate/model/settings.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "estimate/money/energy.h"
#include "estimate/range.h"

/* ---- all that fit ---- */

/* What did not fit at some micro-batch does not fit at a larger one either. But a step of one
 * micro-batch keeps no gradients from the one before, and may fit where two do not; and virtual
 * stages hold less where there are fewer micro-batches than stages, so that nothing follows. */
struct unfit {
    bool several, one;
};

static void keep_visited_setting(const struct space *space, const struct setup *setup,
                                 const struct memory *memory, struct settings_visitor *v)
{
    struct setting found = {
        .setup = *setup, .memory = *memory, .step = estimate_step(setup, space->constants)};

    v->settings++;
    found.hours = space_hours(space, setup, found.step.total);
    found.board_w = step_watts(&found.step, setup->gpu, space->constants);
    if (found.hours >= 0 && isfinite(found.hours))
        v->keep(v->ctx, &found);
}

double space_share(const struct space *space, const struct setup *setup)
{
    return space->sure ? fits_share(memory_doubt(setup, space->constants)) : 1;
}

/* One way to shard: for each offload the least recompute that fits, since more only takes
 * longer, unless it saves a paged optimizer the way to the machine's memory. (Moving the
 * optimizer's step to the machine mostly does too, but not on every card.) */
static void try_savings(const struct space *space, const struct shape *shape,
                        struct setup setup, struct unfit unfit[static SPACE_WAYS * SPACE_WAYS],
                        struct settings_visitor *v)
{
    enum recompute recomputes[SPACE_WAYS];
    enum offload offloads[SPACE_WAYS];
    size_t ways = space_recomputes(space, shape->stack, recomputes);
    size_t loads = space_offloads(space, shape, &setup, offloads);

    for (size_t load = 0; load < loads; load++)
        for (size_t way = 0; way < ways; way++) {
            struct unfit *known = &unfit[load * SPACE_WAYS + way];
            struct memory memory;

            if (setup.accumulation > 1 ? known->several : known->one) {
                v->pruned++;
                continue;
            }
            setup.recompute = recomputes[way];
            space_offload(space, offloads[load], &setup);
            memory = estimate_memory(&setup, space->constants);
            v->settings++;
            if (memory.device <= space_share(space, &setup) * usable_memory(setup.gpu)) {
                keep_visited_setting(space, &setup, &memory, v);
                if (memory.paged > 0)
                    continue;
                v->pruned += ways - way - 1;
                break;
            }
            if (setup.virtual_pipeline == 1)
                *(setup.accumulation > 1 ? &known->several : &known->one) = true;
        }
}

/* What sharding can change besides adding to it: under stage 3 of ZeRO autocast keeps its
 * casts, and DeepSpeed has none. How many, the one without sharding first. */
static size_t bound_ways(const struct space *space, const struct setup *plain,
                         struct setup out[static 3])
{
    size_t count = 0;

    out[count] = *plain;
    out[count++].zero = 0;
    if (precision_autocast(plain->precision)) {
        out[count] = out[0];
        out[count++].zero = 3;
    }
    if (space_sharded_precision(space, plain) != plain->precision) {
        out[count] = out[0];
        out[count++].precision = space_sharded_precision(space, plain);
    }
    return count;
}

/* As good as any sharding, recompute and offload could make these. */
static struct setting setting_bound(const struct space *space, struct setup plain,
                                    struct settings_visitor *v)
{
    struct setting bound = {.setup = plain, .hours = INFINITY, .board_w = INFINITY};
    struct setup ways[3];
    size_t count = bound_ways(space, &plain, ways);

    for (size_t i = 0; i < count; i++) {
        struct step step = estimate_step(&ways[i], space->constants);
        double hours, watts;

        v->settings++;
        step.total -= step.data + step.optimizer + step.offload + step.critic;
        step.data = step.optimizer = step.offload = step.critic = 0;
        hours = space_hours(space, &ways[i], step.total);
        watts = step_watts(&step, plain.gpu, space->constants);
        /* The least energy and the least time, though not of the same setting. */
        bound.board_w =
            fmin(bound.board_w * bound.hours, watts * hours) / fmin(bound.hours, hours);
        bound.hours = fmin(bound.hours, hours);
    }
    return bound;
}

static void try_shape(const struct space *space, const struct shape *shape,
                      struct settings_visitor *v)
{
    struct micro micros[SPACE_MICROS];
    struct zero zeros[SPACE_ZEROS];
    enum recompute recomputes[SPACE_WAYS];
    struct unfit unfit[SPACE_ZEROS][SPACE_WAYS * SPACE_WAYS];
    size_t micro_count = space_micros(space, shape, micros);
    size_t zero_count = space_zeros(space, shape, zeros);

    memset(unfit, 0, sizeof unfit);
    (void)space_recomputes(space, shape->stack, recomputes);
    for (size_t i = 0; i < micro_count && zero_count > 0; i++) {
        struct setup plain = space_setup(space, shape, micros[i], zeros[0]);
        struct setting bound;

        plain.recompute = recomputes[0];
        bound = setting_bound(space, plain, v);
        if (v->hopeless(v->ctx, &bound)) {
            v->pruned += zero_count * SPACE_WAYS;
            continue;
        }
        for (size_t z = 0; z < zero_count; z++)
            try_savings(space, shape, space_setup(space, shape, micros[i], zeros[z]), unfit[z],
                        v);
    }
}

void settings_walk(const struct space *space, struct settings_visitor *v)
{
    struct shape shape = {0};

    while (space_next_shape(space, &shape))
        try_shape(space, &shape, v);
}

/* ---- the best ---- */

/* Times the memory of its GPUs: machines with eight A100 or H100 have 2 TB. */
#define USUAL_HOST 3.0

double hardware_host_bytes(const struct hardware *hw)
{
    return hw->host_bytes > 0 ? hw->host_bytes
                              : USUAL_HOST * (double)hw->per_node * usable_memory(hw->gpu);
}

static double machines_holding(double gpus, double each)
{
    return ceil(gpus / each);
}

double hardware_host_used(const struct hardware *hw, const struct setup *s,
                          const struct memory *m)
{
    double each = (double)hw->per_node, trained = fmin((double)s->gpus, each);
    double critic = fmin((double)s->alignment.own[ROLE_CRITIC], each);
    double machines = machines_holding((double)setup_gpus(s), each);
    double apart = machines_holding((double)s->gpus, each) +
                   machines_holding((double)s->alignment.own[ROLE_CRITIC], each);

    if (apart > machines) /* the critic fills up a machine of the training */
        return fmax(m->host * trained + m->critic_host * fmin(critic, each - trained),
                    m->critic_host * critic);
    return fmax(m->host * trained, m->critic_host * critic);
}

/* Share of the machine's memory that offloaded states take. */
static double host_need(const struct memory *m, const struct setup *s,
                        const struct hardware *hw)
{
    return hardware_host_used(hw, s, m) / (HOST_SHARE * hardware_host_bytes(hw));
}

struct setting_need setup_need(const struct setup *s, const struct hardware *hw,
                               const struct constants *c)
{
    struct memory m = estimate_memory(s, c);
    double usable = usable_memory(s->gpu);

    if (m.paged > 0 && host_need(&m, s, hw) > 1) { /* nowhere to go: they stay on the card */
        m.device += m.paged;
        m.host -= m.paged;
    }
    return (struct setting_need){m.device / usable, host_need(&m, s, hw),
                                 guess_chance(m.device, memory_doubt(s, c), usable)};
}

bool setup_fits(const struct setup *s, const struct hardware *hw, const struct constants *c)
{
    struct setting_need need = setup_need(s, hw, c);

    return need.chance >= FITS_CHANCE && need.host <= 1;
}

enum { COMPLEXITIES = 16 };

int setup_complexity(const struct setup *s)
{
    return 8 * (s->offload != OFFLOAD_NONE) + 4 * (s->pipeline > 1) + (s->tensor > 1) +
           (s->context > 1) + (s->expert > 1);
}

/* The fastest of each complexity, as long as no simpler one is faster. */
struct pick {
    const struct hardware *hw;
    struct setting best[COMPLEXITIES];
    bool found[COMPLEXITIES];
};

/* By one that is simpler and as fast, or by more than a simpler one may take. */
static bool beaten(const struct pick *p, const struct setting *s)
{
    int complexity = setup_complexity(&s->setup);

    for (int i = 0; i < COMPLEXITIES; i++) {
        bool simpler = complexity >= i;
        double hours = p->best[i].hours;

        if (p->found[i] &&
            (simpler ? hours <= s->hours : (1 + SIMPLER_SHARE) * hours < s->hours))
            return true;
    }
    return false;
}

static bool pick_hopeless(void *ctx, const struct setting *bound)
{
    return beaten(ctx, bound);
}

static void pick_keep(void *ctx, const struct setting *s)
{
    struct pick *p = ctx;
    int complexity = setup_complexity(&s->setup);

    if (beaten(p, s) || host_need(&s->memory, &s->setup, p->hw) > 1)
        return;
    p->best[complexity] = *s;
    p->found[complexity] = true;
}

/* The simplest that takes at most 3 % more than the fastest; NULL: there is none. */
static const struct setting *pick_result(const struct pick *p)
{
    double least = INFINITY;

    for (int i = 0; i < COMPLEXITIES; i++)
        if (p->found[i])
            least = fmin(least, p->best[i].hours);
    for (int i = 0; i < COMPLEXITIES; i++)
        if (p->found[i] && p->best[i].hours <= (1 + SIMPLER_SHARE) * least)
            return &p->best[i];
    return NULL;
}

/* ---- the smallest ---- */

/* The smallest micro-batch takes least, but for a step of a single one: that keeps no gradients
 * from the one before. */
static size_t small_micros(const struct space *space, const struct shape *shape,
                           struct micro out[static 2])
{
    struct micro all[SPACE_MICROS];
    size_t count = space_micros(space, shape, all), kept = 0;

    for (size_t i = 0; i < count && kept < 2; i++)
        if (i == 0 || (all[i].accumulation == 1 && out[0].accumulation > 1))
            out[kept++] = all[i];
    return kept;
}

/* Of one shape and micro-batch; `least` is what the smallest one so far needs. */
static void try_small(const struct space *space, const struct hardware *hw,
                      const struct shape *shape, struct micro micro, double *least,
                      struct setup *out)
{
    struct zero zeros[SPACE_ZEROS];
    enum recompute recomputes[SPACE_WAYS];
    enum offload offloads[SPACE_WAYS];
    size_t zero_count = space_zeros(space, shape, zeros);
    size_t ways = space_recomputes(space, shape->stack, recomputes);

    for (size_t z = 0; z < zero_count; z++) {
        struct setup trial = space_setup(space, shape, micro, zeros[z]);
        size_t loads = space_offloads(space, shape, &trial, offloads);

        trial.recompute = recomputes[ways - 1]; /* the most */
        for (size_t i = 0; i < loads; i++) {
            struct setting_need need;

            space_offload(space, offloads[i], &trial);
            need = setup_need(&trial, hw, space->constants);
            need.device /= space_share(space, &trial);
            if (fmax(need.device, need.host) < *least) {
                *least = fmax(need.device, need.host);
                *out = trial;
            }
        }
    }
}

bool settings_smallest(const struct space *space, const struct hardware *hw, struct setup *out)
{
    struct shape shape = {0};
    double least = INFINITY;

    while (space_next_shape(space, &shape)) {
        struct micro micros[2];
        size_t count = small_micros(space, &shape, micros);

        for (size_t i = 0; i < count; i++)
            try_small(space, hw, &shape, micros[i], &least, out);
    }
    return least < INFINITY;
}

/* ---- the setting of a job ---- */

void settings_note_idle(struct notes *notes, const struct setup *s, const struct step *step)
{
    if (alignment_own_gpus(&s->alignment) > 0)
        note(notes,
             "%.0f %% of all GPU time is idle: models on GPUs of their own wait for others",
             100 * step_idle_share(step, s));
}

bool job_open_settings(const struct job *job, struct job *out)
{
    const struct job_parallel *p = &job->train.parallel;
    const struct job_train *t = &job->train;
    struct job_parallel open = *p;

    open.tensor = open.pipeline = open.virtual_pipeline = open.context = open.expert = 0;
    open.data = open.shard = 0;
    open.zero = -1;
    open.offload = (struct str){0};
    *out = *job;
    out->train.parallel = open;
    out->train.micro_batch = out->train.accumulation = 0;
    out->train.recompute = (struct str){0};
    return p->tensor > 0 || p->pipeline > 0 || p->virtual_pipeline > 0 || p->context > 0 ||
           p->expert > 0 || p->data > 0 || p->shard > 0 || p->zero >= 0 || p->offload.len > 0 ||
           t->micro_batch > 0 || t->accumulation > 0 || t->recompute.len > 0;
}

/* What the job says of degrees and batch, with 1 for what it leaves open: is it possible? */
static bool check_given(const struct space *space, struct error *err)
{
    const struct job_train *t = &space->job->train;
    const struct job_parallel *p = &t->parallel;
    struct setup s = space->base;
    int64_t inner;

    s.tensor = choose_or_one(p->tensor);
    s.pipeline = choose_or_one(p->pipeline);
    s.virtual_pipeline = choose_or_one(p->virtual_pipeline);
    s.context = choose_or_one(p->context);
    s.expert = choose_or_one(p->expert);
    if (s.tensor > s.gpus || s.pipeline > s.gpus || s.context > s.gpus ||
        s.tensor * s.pipeline * s.context > s.gpus) {
        error_set(err, ERROR_INPUT,
                  "tensor %lld x pipeline %lld x context %lld is more than %lld GPU%s",
                  (long long)s.tensor, (long long)s.pipeline, (long long)s.context,
                  (long long)s.gpus, s.gpus == 1 ? "" : "s");
        error_hint(
            err, "give more GPUs: --on GPUx%lld; or --set parallel.tensor=1",
            (long long)fmin((double)s.tensor * (double)s.pipeline * (double)s.context, 1e9));
        return false;
    }
    inner = s.tensor * s.pipeline * s.context;
    if (s.gpus % inner != 0)
        return error_fail(
            err, ERROR_INPUT,
            "tensor x pipeline x context is %lld, which does not divide %lld GPUs",
            (long long)inner, (long long)s.gpus);
    s.data = s.gpus / inner;
    if (p->data > 0 && p->data != s.data) {
        error_set(err, ERROR_INPUT, "data parallel %lld with the rest is not %lld GPUs",
                  (long long)p->data, (long long)s.gpus);
        error_hint(err,
                   "set parallel.tensor, parallel.pipeline or parallel.context too, or leave "
                   "out parallel.data, which is then %lld",
                   (long long)s.data);
        return false;
    }
    s.shard = p->shard > 0 ? p->shard : s.data * s.context;
    s.micro_batch = choose_or_one(t->micro_batch);
    s.accumulation = choose_or_one(t->accumulation);
    if (t->global_batch > 0 && setup_global_batch(&s) != (double)t->global_batch &&
        t->micro_batch > 0 && t->accumulation > 0) {
        error_set(err, ERROR_INPUT,
                  "global_batch %lld is not micro_batch %lld x accumulation %lld x data "
                  "parallel %lld",
                  (long long)t->global_batch, (long long)t->micro_batch,
                  (long long)t->accumulation, (long long)s.data);
        error_hint(err, "drop one of them: it follows from the others");
        return false;
    }
    return setup_check(&s, err);
}

/* The smallest that offloads nothing, unless the job says so: what one wants to hear of. */
static bool smallest_in_place(const struct space *space, const struct hardware *hw,
                              struct setup *out)
{
    struct space whole = *space;
    struct job job = *space->job;

    if (job.train.parallel.offload.len > 0)
        return false;
    job.train.parallel.offload = STR("none");
    whole.job = &job;
    return settings_smallest(&whole, hw, out);
}

/* The best setting there is; else the smallest. */
static bool find_setting(struct space *space, const struct hardware *hw, struct pick *pick,
                         struct setup *out)
{
    struct settings_visitor v = {.ctx = pick, .hopeless = pick_hopeless, .keep = pick_keep};
    const struct setting *best;

    space->sure = true;
    settings_walk(space, &v);
    if (pick_result(pick) == NULL && space->batch > 0) {
        space->rounds = true;
        settings_walk(space, &v);
    }
    best = pick_result(pick);
    if (best == NULL)
        return smallest_in_place(space, hw, out) || settings_smallest(space, hw, out);
    *out = best->setup;
    return true;
}

static double steps_of(const struct space *space, const struct setup *s)
{
    return ceil(space->total / (arch_counts_samples(s->arch) ? setup_global_batch(s)
                                                             : setup_tokens_per_step(s)));
}

static void note_batch(const struct space *space, const struct setup *s, struct notes *notes)
{
    const struct job_train *t = &space->job->train;
    double batch = setup_global_batch(s);

    if (t->global_batch > 0 && batch != (double)t->global_batch)
        note(notes, "a global batch of %.0f: %lld does not divide evenly", batch,
             (long long)t->global_batch);
    if (t->global_batch > 0 || t->accumulation > 0)
        return;
    if (t->micro_batch > 0 && s->accumulation == 1)
        note(notes, "no accumulation: a global batch of %.0f", batch);
    else if (t->micro_batch > 0)
        note(notes, "%lld micro-batches a step, so that the pipeline is full",
             (long long)s->accumulation);
    else if (isnan(space->total) || t->steps > 0)
        note(notes, "a global batch of %.0f, a usual one", batch);
    else if (space->rounds)
        note(notes, "a global batch of %.0f, one for each GPU: it leaves %.0f steps", batch,
             steps_of(space, s));
    else
        note(notes, "a global batch of %.0f, which leaves %.0f steps", batch,
             steps_of(space, s));
}

static void add_choice(struct setting_words *list, const char *fmt, ...) PRINTF_LIKE(2, 3);

static void add_choice(struct setting_words *list, const char *fmt, ...)
{
    char one[48];
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(one, sizeof one, fmt, args);
    va_end(args);
    (void)snprintf(list->text + list->len, sizeof list->text - list->len, "%s%s",
                   list->len > 0 ? ", " : "", one);
    list->len = strlen(list->text);
}

static void list_degrees(const struct job_parallel *p, const struct setup *s,
                         struct setting_words *out)
{
    int64_t ranks = s->data * s->context;

    if (p->tensor < 1 && s->tensor > 1)
        add_choice(out, "tensor %lld", (long long)s->tensor);
    if (p->pipeline < 1 && s->pipeline > 1)
        add_choice(out, "pipeline %lld", (long long)s->pipeline);
    if (p->virtual_pipeline < 1 && s->virtual_pipeline > 1)
        add_choice(out, "virtual %lld", (long long)s->virtual_pipeline);
    if (p->context < 1 && s->context > 1)
        add_choice(out, "context %lld", (long long)s->context);
    if (p->expert < 1 && s->expert > 1)
        add_choice(out, "expert %lld", (long long)s->expert);
    if (p->zero < 0 && ranks > 1)
        add_choice(out, "ZeRO %d", s->zero);
    if (p->shard < 1 && s->zero > 0 && s->shard < ranks)
        add_choice(out, "within %lld GPUs", (long long)s->shard);
    if (p->offload.len == 0 && s->offload != OFFLOAD_NONE)
        add_choice(out, "offload %s", offload_names[s->offload]);
}

struct setting_words setting_words(const struct job_train *t, const struct setup *s)
{
    struct setting_words list = {.len = 0};

    list_degrees(&t->parallel, s, &list);
    if (t->micro_batch < 1)
        add_choice(&list, "micro-batch %lld", (long long)s->micro_batch);
    if (t->recompute.len == 0)
        add_choice(&list, "recompute %s", recompute_names[s->recompute]);
    return list;
}

static void note_setting(const struct job_train *t, const struct setup *s, bool fits,
                         bool simpler, struct notes *notes)
{
    struct setting_words words = setting_words(t, s);

    if (words.len > 0)
        note(notes, "%s: %s", words.text,
             !fits     ? "what needs least memory"
             : simpler ? "within 3 % of the fastest, and simpler"
                       : "the fastest that fits");
}

/* What is usual on the card is autocast. */
static void note_copy(const struct setup *usual, const struct setup *s, struct notes *notes)
{
    bool copied = s->precision == PRECISION_FP16 || s->precision == PRECISION_BF16;

    if (precision_autocast(usual->precision) && copied &&
        (s->stack == STACK_HF || s->stack == STACK_HF_2023 || s->stack == STACK_DEEPSPEED))
        note(notes,
             "precision %s instead: DeepSpeed, which ZeRO and offload take, has no autocast",
             precision_names[s->precision]);
}

/* Was a more complex setting found that is faster? */
static bool is_simpler(const struct pick *p, const struct setup *s)
{
    int complexity = setup_complexity(s);

    for (int i = complexity + 1; i < COMPLEXITIES; i++)
        if (p->found[i] && p->best[i].hours < p->best[complexity].hours)
            return true;
    return false;
}

bool choose_training(const struct job *job, const struct hardware *hw,
                     const struct constants *c, struct setup *out, struct notes *notes,
                     struct error *err)
{
    struct pick pick = {.hw = hw};
    struct space space;
    struct setup base;
    bool fits;

    if (!choose_base(job, hw, &base, notes, err) || !space_open(job, c, hw, true, &space, err))
        return false;
    if (job->train.parallel.zero > 3)
        return error_fail(err, ERROR_INPUT, "zero must be 0 to 3");
    if (!find_setting(&space, hw, &pick, out))
        return check_given(&space, err) &&
               error_fail(err, ERROR_INPUT,
                          "no split over %lld GPUs has these degrees and this batch",
                          (long long)hw->gpus);
    fits = setup_fits(out, hw, c);
    note_copy(&base, out, notes);
    note_batch(&space, out, notes);
    note_setting(&job->train, out, fits, is_simpler(&pick, out), notes);
    return setup_check(out, err);
}
