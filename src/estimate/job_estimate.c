/* The estimate of a job on given machines: memory, time, energy, carbon and cost. */
#include "estimate/job_estimate.h"
#include "base/num.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "estimate/explain.h"
#include "estimate/joined.h"
#include "estimate/kernels/kernels.h"
#include "estimate/kernels/measured.h"
#include "estimate/model/settings.h"
#include "estimate/money/carbon.h"
#include "estimate/money/energy.h"
#include "estimate/money/terms.h"
#include "estimate/serving/corrected.h"
#include "estimate/step/goodput.h"

#define DAYS_PER_MONTH 30 /* as in bills */
#define DAYS_PER_YEAR 365
/* Dollars for a gigabyte of a machine's memory and an hour: DeepSpeed Cost Optimization Guide
 * (2024). */
#define HOST_GB_HOUR_LOW 0.001
#define HOST_GB_HOUR_HIGH 0.005
#define SECONDS_PER_HOUR 3600.0

/* An estimate that is being made. */
struct estimating {
    const struct estimate_input *in;
    const struct region *region;       /* of the machines; NULL when unknown */
    struct hours_range training, lost; /* of a training job: the work, and what comes on top */
    struct notes notes;
    struct arena *arena;
};

/* A part of memory or of a step, before it has a share. */
#define PART(label, value, text) \
    { \
        .name = STR(label), .amount = (value), .help = STR(text) \
    }

/* Keep the parts that exist, each times `scale` and as a share of the `whole`. */
static bool add_estimate_parts(struct estimating *w, const struct estimate_part *parts,
                               size_t count, double whole, double scale, struct rows *out,
                               struct error *err)
{
    struct estimate_part *kept = arena_array(w->arena, struct estimate_part, count, err);
    size_t n = 0;

    if (kept == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        if (!(parts[i].amount > 0))
            continue;
        kept[n] = parts[i];
        kept[n].amount *= scale;
        kept[n++].share = parts[i].amount / whole;
    }
    *out = (struct rows){kept, n};
    return true;
}

/* ---- energy, carbon and cost of the hours ---- */

static struct guess scale_estimate(struct guess g, double by)
{
    return (struct guess){g.value * by, g.low * by, g.high * by};
}

static bool add_equivalents(struct estimating *w, struct estimate *res, struct error *err)
{
    static const enum equivalent_id shown[] = {EQUIVALENT_CAR_KM, EQUIVALENT_PHONE_CHARGES,
                                               EQUIVALENT_TREE_YEARS,
                                               EQUIVALENT_HOUSEHOLD_DAYS};
    struct str *texts = arena_array(w->arena, struct str, ARRAY_LEN(shown), err);
    struct str *sources = arena_array(w->arena, struct str, ARRAY_LEN(shown), err);
    gram_co2 carbon = {res->carbon_kg.value * 1000};
    joule energy = {res->energy_kwh.value * 3.6e6};
    size_t n = 0;

    if (texts == NULL || sources == NULL)
        return false;
    for (size_t i = 0; i < ARRAY_LEN(shown); i++) {
        char text[96];
        double count = equivalent_of(shown[i], carbon, energy);

        if (!(count > 0))
            continue;
        if (shown[i] == EQUIVALENT_TREE_YEARS && count < 1)
            (void)snprintf(text, sizeof text, "a grown tree absorbs in %s days",
                           num_about(count * DAYS_PER_YEAR).text);
        else
            (void)snprintf(text, sizeof text, "%s %s", num_about(count).text,
                           equivalents[shown[i]].words);
        if (!str_keep(str_from(text), w->arena, &texts[n], err))
            return false;
        sources[n++] = str_from(equivalents[shown[i]].source);
    }
    res->equivalents = (struct strs){texts, n};
    res->equivalent_sources = (struct strs){sources, n};
    return true;
}

/* kWh of all machines with the building's share, when each board at work takes `board` watts.
 * Boards idle while machines are set up; so do those that are rented and not used. */
static struct guess energy_of(const struct estimating *w, double board,
                              const struct machine_hours *hours, double pue)
{
    const struct estimate_place *p = w->in->place;
    const struct hardware *hw = &p->hardware;
    const struct constants *c = w->in->constants;
    double idle = board_idle_watts(hw->gpu, c);
    int64_t rented = p->offer.len > 0 ? p->machines * hw->per_node : hw->gpus;
    double spare = rented > hw->gpus ? idle * (double)(rented - hw->gpus) : 0;
    double busy = cluster_watts(hw->gpu, hw->gpus, hw->per_node, board, c).w + spare;
    double waiting = cluster_watts(hw->gpu, hw->gpus, hw->per_node, idle, c).w + spare;
    const struct hours_range *b = &hours->busy, *s = &hours->waiting;

    return scale_estimate((struct guess){.value = busy * b->expected + waiting * s->expected,
                                         .low = busy * b->low + waiting * s->low,
                                         .high = busy * b->high + waiting * s->high},
                          pue / 1000);
}

static bool add_estimate_energy(struct estimating *w, double board,
                                const struct machine_hours *hours, struct estimate *res,
                                struct error *err)
{
    const struct hardware *hw = &w->in->place->hardware;
    int64_t boards = hw->gpus < hw->per_node ? hw->gpus : hw->per_node;
    double pue = w->region != NULL ? w->region->pue : NAN;

    if (isnan(pue)) {
        pue = USUAL_PUE;
        note(&w->notes, "PUE %.1f is assumed: the data center's own figure is unknown", pue);
    }
    res->watts = node_watts(hw->gpu, boards, board, false, w->in->constants);
    res->pue = pue;
    res->energy_kwh = energy_of(w, board, hours, pue);
    if (w->region == NULL || isnan(w->region->carbon_g_kwh)) {
        res->carbon_g_kwh = WORLD_G_KWH;
        res->region = STR("world average");
        note(&w->notes, "%.0f g CO2e/kWh, the world average: the region is unknown",
             WORLD_G_KWH);
    } else {
        res->carbon_g_kwh = w->region->carbon_g_kwh;
        res->region = w->region->region;
    }
    res->carbon_kg = scale_estimate(res->energy_kwh, res->carbon_g_kwh / 1000);
    res->offset_low =
        offset_cost_of(OFFSET_AVOIDANCE, (gram_co2){res->carbon_kg.value * 1e3}).typical;
    res->offset_high =
        offset_cost_of(OFFSET_DURABLE, (gram_co2){res->carbon_kg.value * 1e3}).typical;
    res->offset_low_usd_t = offsets[OFFSET_AVOIDANCE].typical;
    res->offset_high_usd_t = offsets[OFFSET_DURABLE].typical;
    return add_equivalents(w, res, err);
}

/* An amount around the machines: where its price is unknown, the cost is without it, and says
 * so, since all else is known. */
static usd known_part(struct estimating *w, usd amount, const char *what)
{
    if (amount.nano != MONEY_UNKNOWN)
        return amount;
    note(&w->notes, "the price of %s is unknown there: the cost is without it", what);
    return (usd){0};
}

static struct cost_inputs known_parts(struct estimating *w, struct cost_inputs in)
{
    in.ingress = known_part(w, in.ingress, "bringing the data");
    in.egress = known_part(w, in.egress, "the download");
    if (in.stored.n > 0 && in.storage_month.nano == MONEY_UNKNOWN) {
        note(&w->notes, "the price of storage is unknown there: the cost is without it");
        in.stored.n = 0;
    }
    return in;
}

static bool add_estimate_cost(struct estimating *w, const struct cost_inputs *given,
                              struct estimate *res, struct error *err)
{
    struct cost_inputs parts = known_parts(w, *given), *in = &parts;
    struct cost cost = estimate_cost(in);
    usd fixed =
        usd_add(usd_add(in->ingress, in->egress), cost.at[COST_STORAGE].amount.expected);
    struct usd_range total = cost_widen(cost_total(&cost), fixed, w->in->place->price_width);
    struct estimate_line *lines =
        arena_array(w->arena, struct estimate_line, COST_LINE_COUNT, err);
    size_t n = 0;

    if (lines == NULL || !cost_terms_check(w->in->job, w->in->catalog, err))
        return false;
    for (size_t i = 0; i < COST_LINE_COUNT; i++)
        if (cost.at[i].written && cost.at[i].amount.expected.nano != 0)
            lines[n++] =
                (struct estimate_line){str_from(cost_line_names[i]), cost.at[i].amount.expected,
                                       cost.at[i].hours.expected};
    res->wall_hours = cost_hours(&cost).expected;
    res->cost = (struct rows){lines, n};
    res->total = total.expected;
    res->total_low = total.low;
    res->total_high = total.high;
    return true;
}

/* `board` is the power of one board in watts. */
static bool add_energy_and_cost(struct estimating *w, double board, struct estimate *res,
                                struct error *err)
{
    const struct estimate_place *p = w->in->place;
    int64_t rented = p->machines * p->hardware.per_node;
    struct machine_hours hours;
    struct cost_inputs in;

    if (rented > p->hardware.gpus && p->offer.len > 0)
        note(&w->notes, "complete machines are rented: %lld GPUs, of which %lld are used",
             (long long)rented, (long long)p->hardware.gpus);
    res->offer = p->offer;
    res->market = str_from(market_names[p->market]);
    res->price = p->price;
    res->price_low = usd_per_hour_scaled(p->price, exp(-p->price_width));
    res->price_high = usd_per_hour_scaled(p->price, exp(p->price_width));
    res->price_unchanged = p->offer.len > 0 ? p->price_unchanged : NAN;
    res->machines = p->machines;
    res->price_date = p->offer.len > 0 ? p->price_date : DAY_UNKNOWN;
    res->price_age_days = p->offer.len > 0 ? p->price_age_days : -1;
    if (p->chosen && p->offer.len > 0)
        note(&w->notes, "the cheapest offer with these GPUs%s%s; choose another with --offer",
             p->machines > 1 && w->in->job->kind == JOB_TRAIN ? " that can be joined" : "",
             p->roomier ? " and memory for what is offloaded" : "");
    joined_note_supply(w->in, &w->notes);
    if (w->in->job->kind != JOB_TRAIN) /* of an hour */
        return add_estimate_energy(w, board, &(struct machine_hours){.busy = {1, 1, 1}}, res,
                                   err);
    in = cost_terms(w->in->job, w->in->catalog, p->provider, p->region);
    in.training = w->training;
    in.lost = w->lost;
    in.machines = p->machines;
    in.price = p->price;
    hours = cost_machine_hours(&in);
    return add_estimate_energy(w, board, &hours, res, err) &&
           add_estimate_cost(w, &in, res, err);
}

/* ---- training ---- */

static void add_chance(double chance, bool host_holds, struct estimate *res)
{
    res->chance = chance;
    res->fits = host_holds && chance >= FITS_CHANCE;
    res->tight = host_holds && !res->fits && chance >= MAY_FIT_CHANCE;
}

static bool add_training_memory(struct estimating *w, const struct setup *s,
                                const struct memory *m, const struct setting_need *need,
                                struct estimate *res, struct error *err)
{
    const struct hardware *hw = &w->in->place->hardware;
    struct guess size = guess_time(m->device / 1e9, memory_doubt(s, w->in->constants));
    const struct estimate_part parts[] = {
        PART("weights", m->weights, "values that matrix products read"),
        PART("master weights", m->master, "fp32 copy"),
        PART("gradients", m->gradients, "gradients of the trained parameters"),
        PART("optimizer", m->optimizer, "optimizer states"),
        PART("adapters", m->lora, "LoRA weights with gradients and states"),
        PART("other models", m->models, "reference, reward model and critic"),
        PART("engine", m->engine, "engine that writes answers"),
        PART("activations", m->activations, "values kept for the backward pass"),
        PART("working set", m->working, "tensors of the layer being computed"),
        PART("logits", m->logits, "logits and loss"),
        PART("gathered", m->gathered, "shards gathered by ZeRO"),
        PART("workspace", m->workspace, "workspace of libraries"),
        PART("fragmentation", m->fragmentation, "reserved but unused memory"),
        PART("buffers", m->buffers, "buffers of collectives"),
        PART("context", m->context, "driver and its kernels"),
    };

    res->usable_gb = usable_memory(hw->gpu) / 1e9;
    res->memory_gb = size.value;
    res->memory_low_gb = size.low;
    res->memory_high_gb = size.high;
    add_chance(need->chance, need->host <= 1, res);
    if (m->host > 0) {
        double used = hardware_host_used(hw, s, m);

        res->host_gb = used / 1e9;
        res->host_usable_gb = hardware_host_bytes(hw) / 1e9;
        res->host_low = (usd_per_hour){usd_about(res->host_gb * HOST_GB_HOUR_LOW).nano};
        res->host_high = (usd_per_hour){usd_about(res->host_gb * HOST_GB_HOUR_HIGH).nano};
        joined_check_offload(w->in, used);
        if (isnan(hw->host_bytes))
            note(&w->notes, "the machine is assumed to have %.0f GB of memory; %.0f are needed",
                 res->host_usable_gb, res->host_gb);
    }
    return add_estimate_parts(w, parts, ARRAY_LEN(parts), m->device, 1e-9, &res->memory, err);
}

static bool add_estimate_step(struct estimating *w, const struct setup *s, const struct step *t,
                              struct estimate *res, struct error *err)
{
    const struct estimate_part parts[] = {
        PART("products", t->products, "matrix products of the layers"),
        PART("attention", t->attention, "scores and values"),
        PART("elementwise", t->elementwise, "norms, activations, residuals"),
        PART("head and loss", t->loss, "output head, embedding and loss"),
        PART("recompute", t->recompute, "recomputed activations"),
        PART("dequantize", t->dequantise, "dequantization of the frozen weights"),
        PART("encoders", t->encoders, "latents of the images, and texts"),
        PART("optimizer", t->optimizer, "optimizer update"),
        PART("offload", t->offload, "transfer to the machine's memory and back"),
        PART("tensor parallel", t->tensor, "collectives of tensor parallelism"),
        PART("context parallel", t->context, "keys and values in a ring"),
        PART("experts", t->expert, "tokens sent to them and back"),
        PART("pipeline", t->pipeline, "bubble and sends"),
        PART("data parallel", t->data, "gradient and gather time that is not overlapped"),
        PART("host", t->host, "kernel launches the GPU waits for"),
        PART("other models", t->scores, "passes of the reference and the reward model"),
        PART("critic", t->critic, "training of the critic"),
        PART("answers", t->rollouts, "answers that are written, to be learned from"),
    };
    struct doubt doubt = step_doubt(s, t, w->in->constants);
    double per_gpu = step_rate(t, s);

    res->step_s = guess_time(t->total, doubt);
    res->rate = guess_rate(per_gpu * (double)s->gpus, doubt);
    res->mfu = t->model_flop / t->total / peak_flops(s->gpu, PRECISION_BF16) * (double)s->gpus /
               (double)setup_gpus(s);
    return add_estimate_parts(w, parts, ARRAY_LEN(parts), t->total, 1, &res->step, err);
}

/* The work alone takes `hours`: how long the run is. */
static void add_estimate_run(struct estimating *w, double hours, struct doubt doubt,
                             struct estimate *res)
{
    struct goodput g = goodput_of(w->in->job, w->in->place->hardware.gpus, hours, GOODPUT_ALL,
                                  w->in->constants);
    struct guess work = guess_time(hours, doubt);

    w->training = (struct hours_range){work.low, work.value, work.high};
    w->lost = goodput_lost(&g, hours, doubt);
    res->hours = goodput_hours(&g, hours, doubt);
    res->goodput = g.share;
    res->failures_day = g.failures_day;
}

/* How much there is to do, and how long that takes. */
static void add_hours(struct estimating *w, const struct setup *s, const struct step *t,
                      struct estimate *res)
{
    const struct job *job = w->in->job;
    bool samples = arch_counts_samples(s->arch);
    double per_step = samples ? setup_global_batch(s) : setup_tokens_per_step(s), factor = 1;
    double total = choose_total(job, s);

    res->rate_unit = samples ? STR("samples/s") : STR("tokens/s");
    res->tokens = total;
    res->steps = ceil(total / per_step);
    res->epochs = job_epochs(job, &factor);
    if (factor != 1)
        note(&w->notes, "%s epochs: x%.2f for the quality of the data",
             num_about(res->epochs).text, factor);
    add_estimate_run(w, res->steps * res->step_s.value / SECONDS_PER_HOUR,
                     step_doubt(s, t, w->in->constants), res);
}

#define FAR_BELOW 1.5 /* times as much could be done: worth a word */
#define MANY 16       /* GPUs, from which on fewer may do more each */

/* "trained model, reference": what is on the GPUs of a role. */
static bool keep_group_models(struct estimating *w, const struct alignment *a, enum role where,
                              struct str *out, struct error *err)
{
    const bool there[ROLE_COUNT] = {[ROLE_POLICY] = true,
                                    [ROLE_ENGINE] = true,
                                    [ROLE_REFERENCE] = a->reference,
                                    [ROLE_REWARD] = a->reward_params > 0,
                                    [ROLE_CRITIC] = a->critic_params > 0};
    char text[96];
    size_t used = 0;

    for (int role = 0; role < ROLE_COUNT; role++)
        if (there[role] && a->at[role] == where && used < sizeof text)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s",
                                     used > 0 ? ", " : "", role_names[role]);
    return str_keep(str_from(text), w->arena, out, err);
}

/* GPUs that hold different models, where there are any. */
static bool add_groups(struct estimating *w, const struct setup *s, const struct step *t,
                       struct estimate *res, struct error *err)
{
    const struct alignment *a = &s->alignment;
    struct estimate_group *groups =
        arena_array(w->arena, struct estimate_group, ROLE_COUNT, err);
    size_t n = 0;

    if (groups == NULL)
        return false;
    if (alignment_own_gpus(a) == 0)
        return true;
    for (int role = 0; role < ROLE_COUNT; role++) {
        struct estimate_group *g = &groups[n];

        g->gpus = role == ROLE_POLICY ? s->gpus : a->own[role];
        if (g->gpus < 1)
            continue;
        g->name = str_from(role_names[role]);
        g->memory_gb = estimate_role_memory(s, (enum role)role, w->in->constants).device / 1e9;
        g->busy = fmin(1, t->at_work[role] / t->total);
        if (!keep_group_models(w, a, (enum role)role, &g->models, err))
            return false;
        n++;
    }
    res->groups = (struct rows){groups, n};
    res->idle = step_idle_share(t, s);
    settings_note_idle(&w->notes, s, t);
    return true;
}

/* Tokens or samples a second, of one of all GPUs. */
static double rate_of_each(const struct step *step, const struct setup *s)
{
    return step_rate(step, s) * (double)s->gpus / (double)setup_gpus(s);
}

/* What each GPU would do with another job or number of GPUs, over what it does; 0: nothing. */
static double times_as_much(const struct estimating *w, const struct job *job, int64_t gpus,
                            double rate, struct setup *out)
{
    struct hardware hw = w->in->place->hardware;
    struct error ignored = {0};
    struct step step;

    hw.gpus = gpus;
    if (!choose_training(job, &hw, w->in->constants, out, NULL, &ignored) ||
        !setup_fits(out, &hw, w->in->constants))
        return 0;
    step = estimate_step(out, w->in->constants);
    return rate_of_each(&step, out) / rate;
}

/* Far below what the hardware can do? Say what to change: the settings, or the number. */
static void note_waste(struct estimating *w, const struct setup *s, const struct step *t)
{
    double rate = rate_of_each(t, s), times;
    int64_t gpus = setup_gpus(s);
    struct setup other;
    struct job open;

    if (job_open_settings(w->in->job, &open)) {
        times = times_as_much(w, &open, gpus, rate, &other);
        if (times > FAR_BELOW)
            note(&w->notes, "%.1f times as fast with %s: leave these open", times,
                 setting_words(&open.train, &other).text);
    }
    if (gpus < MANY || gpus % 8 != 0)
        return;
    times = times_as_much(w, w->in->job, gpus / 8, rate, &other);
    if (times > FAR_BELOW)
        note(&w->notes,
             "%lld GPUs are too many for this: each of %lld would do %.1f times as "
             "much",
             (long long)gpus, (long long)gpus / 8, times);
}

static void describe_training(const struct estimating *w, const struct setup *s,
                              struct estimate *res)
{
    struct arch_params p = arch_count(s->arch);

    res->kind = JOB_TRAIN;
    res->name = w->in->job->name;
    res->model = s->arch->name;
    res->assumed = s->arch->assumed;
    res->params = p.total;
    res->active_params = p.active;
    res->trained_params = setup_trained(s);
    res->objective = s->alignment.objective;
    res->method = s->method;
    res->precision = str_from(precision_names[s->precision]);
    res->optimizer = s->optimizer;
    res->recompute = s->recompute;
    res->framework = s->compiled ? STR("compiled") : str_from(stack_names[s->stack]);
    res->offload = s->offload;
    res->accelerator = s->gpu->name;
    res->gpus = setup_gpus(s);
    res->nodes = (res->gpus + s->per_node - 1) / s->per_node;
    res->data = s->data;
    res->tensor = s->tensor;
    res->pipeline = s->pipeline;
    res->virtual_pipeline = s->virtual_pipeline;
    res->context = s->context;
    res->expert = s->expert;
    res->zero = s->zero;
    res->sequence = s->sequence;
    res->micro_batch = s->micro_batch;
    res->accumulation = s->accumulation;
    res->global_batch = setup_global_batch(s);
}

/* What was learned from runs, which is in the figures already. */
static bool add_learned(struct estimating *w, const struct setup *s, struct estimate *res,
                        struct error *err)
{
    const struct constants *c = w->in->constants;
    char setting[SETUP_SETTING];
    struct str words;

    res->key = setup_correction_key(s, setting);
    if (!str_keep(str_from(setting), w->arena, &res->key.setting, err) ||
        !correction_describe(c->learned, c->learned_count, &res->key, w->arena, &words, err))
        return false;
    for (int of = 0; of < CORRECTION_FACTORS; of++) {
        const struct correction *learned =
            correction_find(c->learned, c->learned_count, (enum correction_of)of, &res->key);

        res->corrections[of] = learned != NULL ? learned->factor : NAN;
    }
    if (words.len > 0)
        note(&w->notes, "%.*s; --raw ignores this", (int)words.len, words.at);
    return true;
}

static bool estimate_training(struct estimating *w, struct estimate *res, struct error *err)
{
    struct setup s;
    struct memory m;
    struct step t;
    struct setting_need need;

    if (!choose_training(w->in->job, &w->in->place->hardware, w->in->constants, &s, &w->notes,
                         err))
        return false;
    m = estimate_memory(&s, w->in->constants);
    t = estimate_step(&s, w->in->constants);
    need = setup_need(&s, &w->in->place->hardware, w->in->constants);
    describe_training(w, &s, res);
    joined_describe(w->in, &w->notes, res);
    joined_check_machine(w->in, 2);
    if (!add_training_memory(w, &s, &m, &need, res, err) ||
        !add_estimate_step(w, &s, &t, res, err) || !add_groups(w, &s, &t, res, err))
        return false;
    add_hours(w, &s, &t, res);
    note_waste(w, &s, &t);
    if (!add_learned(w, &s, res, err))
        return false;
    res->board_w = step_watts(&t, s.gpu, w->in->constants);
    if (w->in->explain &&
        !explain_training(&s, &m, &t, w->in->constants, w->arena, &res->formulas, err))
        return false;
    return add_energy_and_cost(w, res->board_w, res, err) &&
           (!w->in->explain || explain_totals(w->arena, res, err));
}

/* Only a rate is known: carry it to this card, and spread it over the GPUs as they are. */
static bool estimate_measured(struct estimating *w, struct estimate *res, struct error *err)
{
    const struct job_measured *m = w->in->job->kind == JOB_TRAIN ? &w->in->job->train.measured
                                                                 : &w->in->job->infer.measured;
    const struct hardware *hw = &w->in->place->hardware;
    const struct accelerator *from =
        accelerator_typed(w->in->catalog, m->gpu, w->in->messages, err);
    double compute = isnan(m->compute) ? USUAL_COMPUTE : m->compute, speed, rate, total;
    bool samples = m->samples_s > 0;

    if (from == NULL)
        return false;
    speed = carried_speed(from, hw->gpu, compute);
    if (!(speed > 0))
        return error_fail(err, ERROR_INPUT, "the speed of %.*s or %.*s is unknown",
                          STR_ARG(from->name), STR_ARG(hw->gpu->name));
    if (isnan(m->compute))
        note(&w->notes,
             "%.0f %% of the time is assumed to be compute-bound, the rest memory-bound",
             100 * USUAL_COMPUTE);
    if (hw->gpus > 1)
        note(&w->notes, "%lld GPUs are assumed to be that many times as fast as one",
             (long long)hw->gpus);
    rate = (samples ? m->samples_s : m->tokens_s) * speed * (double)hw->gpus;
    total = samples ? job_samples(w->in->job) : job_tokens(w->in->job);
    res->kind = w->in->job->kind;
    res->name = w->in->job->name;
    res->accelerator = hw->gpu->name;
    res->gpus = hw->gpus;
    res->nodes = (hw->gpus + hw->per_node - 1) / hw->per_node;
    res->usable_gb = usable_memory(hw->gpu) / 1e9;
    res->fits = m->memory.n == UINT64_MAX || (double)m->memory.n <= usable_memory(hw->gpu);
    if (m->memory.n != UINT64_MAX)
        res->memory_gb = (double)m->memory.n / 1e9;
    res->rate = guess_of(rate, measured_spread(from, hw->gpu));
    res->rate_unit = samples ? STR("samples/s") : STR("tokens/s");
    res->tokens = total;
    add_estimate_run(w, total / rate / SECONDS_PER_HOUR,
                     (struct doubt){measured_spread(from, hw->gpu), 0}, res);
    return add_energy_and_cost(w, board_watts(hw->gpu, compute, 1 - compute, w->in->constants),
                               res, err);
}

/* ---- serving ---- */

/* Of the requests in flight, those that the server has room for; the others wait. */
static struct serving at_a_time(struct estimating *w, const struct serving *s)
{
    double most = s->rolling ? serving_max_batch(s, w->in->constants) : 0;
    struct serving now = *s;

    if (most >= 1 && s->batch > most) {
        now.batch = most;
        note(&w->notes, "%.0f of %.0f requests fit at a time; the others wait", most, s->batch);
    }
    return now;
}

static bool add_serving_memory(struct estimating *w, const struct serving *s,
                               struct estimate *res, struct error *err)
{
    struct serving now = at_a_time(w, s);
    struct serving_memory m = estimate_serving_memory(&now, w->in->constants);
    struct doubt doubt = serving_memory_doubt(&m, w->in->constants);
    struct guess size = guess_time(m.device / 1e9, doubt);
    const struct estimate_part parts[] = {
        PART("weights", m.weights, "weights as stored"),
        PART("cache", m.cache, "keys and values of all requests"),
        PART("activations", m.activations, "activations of one pass"),
        PART("workspace", m.workspace, "workspace of libraries"),
        PART("context", m.context, "driver and its kernels"),
        PART("set aside", m.device - m.allocated - m.context,
             "memory reserved by the server for more cache"),
    };

    res->usable_gb = usable_memory(s->gpu) / 1e9;
    res->memory_gb = size.value;
    res->memory_low_gb = size.low;
    res->memory_high_gb = size.high;
    add_chance(guess_chance(m.device, doubt, usable_memory(s->gpu)), true, res);
    return add_estimate_parts(w, parts, ARRAY_LEN(parts), m.device, 1e-9, &res->memory, err);
}

/* The load of a replica: requests at the rate of the job, or as many as are always there. False
 * for what is one batch at a time. */
static bool find_serving_load(const struct estimating *w, const struct serving *s,
                              struct serving_load *load)
{
    double rate = w->in->job->infer.rate;
    int64_t have = w->in->place->hardware.gpus / s->gpus;

    if (rate > 0)
        *load = estimate_load(s, rate / (double)have, w->in->constants);
    else if (s->rolling)
        *load = estimate_busy(s, w->in->constants);
    return rate > 0 || s->rolling;
}

static void add_batch_times(struct estimating *w, const struct serving *s, struct estimate *res)
{
    const struct constants *c = w->in->constants;
    struct serving_time t = estimate_serving(s, c);
    int64_t copies = w->in->place->hardware.gpus / s->gpus;
    bool tokens = s->output > 0 && t.decode > 0;

    res->prefill_s = guess_time(t.first_token, serving_doubt(s, C_spread_prefill, c));
    if (tokens)
        res->decode_s = guess_time(t.decode, serving_doubt(s, C_spread_decode, c));
    res->request_s = guess_time(t.request, serving_doubt(s, C_spread_serving, c));
    res->rate = guess_rate(s->batch * (tokens ? s->output : 1) / t.request * (double)copies,
                           serving_doubt(s, C_spread_serving, c));
    res->rate_unit = tokens ? STR("tokens/s") : STR("requests/s");
}

/* Of a server: medians, and what it writes. */
static void add_server_times(struct estimating *w, const struct serving *s,
                             const struct serving_load *load, struct estimate *res)
{
    const struct constants *c = w->in->constants;
    int64_t copies = w->in->place->hardware.gpus / s->gpus;

    res->prefill_s = guess_time(load->first_p50, serving_doubt(s, C_spread_prefill, c));
    if (load->token_p50 > 0)
        res->decode_s = guess_time(load->token_p50, serving_doubt(s, C_spread_decode, c));
    res->request_s = guess_time(load->request_p50, serving_doubt(s, C_spread_serving, c));
    res->rate =
        guess_rate(load->tokens_s * (double)copies, serving_doubt(s, C_spread_serving, c));
    res->rate_unit = STR("tokens/s");
}

/* `load` is NULL for one batch at a time. */
static void add_times(struct estimating *w, const struct serving *s,
                      const struct serving_load *load, struct estimate *res)
{
    if (load != NULL && s->rolling)
        add_server_times(w, s, load, res);
    else
        add_batch_times(w, s, res);
    res->max_batch = serving_holds(s, w->in->constants);
    res->max_context = serving_max_context(s, w->in->constants);
}

/* Three digits of a time, in ms or s. */
struct seconds_text {
    char text[32];
};

static struct seconds_text seconds_text(double seconds)
{
    struct seconds_text t;

    if (seconds < 1)
        (void)snprintf(t.text, sizeof t.text, "%.26s ms", num_about(1e3 * seconds).text);
    else
        (void)snprintf(t.text, sizeof t.text, "%.2f s", seconds);
    return t;
}

static void compare_with_target(struct notes *notes, const char *name, double seconds,
                                span asked)
{
    double limit = span_in_hours(asked) * SECONDS_PER_HOUR;

    if (asked.ns <= 0)
        return;
    if (isinf(seconds))
        note(notes, "%s grows without limit and misses the target of %s", name,
             seconds_text(limit).text);
    else
        note(notes, "%s %s %s the target of %s", name, seconds_text(seconds).text,
             seconds > limit ? "misses" : "meets", seconds_text(limit).text);
}

/* Is it as fast as was asked? Of a first token the 95th percentile counts. */
static void add_slo(struct estimating *w, const struct serving_load *load)
{
    const struct job_slo *slo = &w->in->job->infer.slo;

    if (load == NULL) {
        if (slo->p50.ns > 0 || slo->p95.ns > 0 || slo->p99.ns > 0 || slo->first_token.ns > 0)
            note(&w->notes, "the slo is not checked: waiting times need a request rate or a "
                            "concurrency");
        return;
    }
    compare_with_target(&w->notes, "p50", load->request_p50, slo->p50);
    compare_with_target(&w->notes, "p95", load->request_p95, slo->p95);
    compare_with_target(&w->notes, "p99", load->request_p99, slo->p99);
    compare_with_target(&w->notes, "first token p95", load->first_p95, slo->first_token);
}

static void add_percentiles(const struct serving_load *load, bool writes, struct estimate *res)
{
    res->p50_s = load->request_p50;
    res->p95_s = load->request_p95;
    res->p99_s = load->request_p99;
    if (!writes)
        return;
    res->first_p50_s = load->first_p50;
    res->first_p95_s = load->first_p95;
    res->first_p99_s = load->first_p99;
    res->token_p50_s = load->token_p50;
    res->token_p95_s = load->token_p95;
    res->token_p99_s = load->token_p99;
}

static void add_serving_load(struct estimating *w, const struct serving *s,
                             const struct serving_load *load, struct estimate *res)
{
    const struct constants *c = w->in->constants;
    double rate = w->in->job->infer.rate;
    int64_t have = w->in->place->hardware.gpus / s->gpus;

    add_slo(w, load);
    if (load == NULL)
        return;
    if (!(rate > 0)) {
        add_percentiles(load, !isnan(res->decode_s.value), res);
        return;
    }
    res->replicas = load->max_rate > 0 ? ceil(rate / (SERVING_BUSIEST * load->max_rate)) : NAN;
    res->utilization = load->utilization;
    if (load->utilization >= 1) { /* the queue, and so every latency, grows without end */
        res->prefill_s = res->request_s = (struct guess){NAN, NAN, NAN};
        note(&w->notes, "%s requests/s are too many: this serves %s; %s replicas are needed",
             num_figures(rate).text, num_about(load->max_rate * (double)have).text,
             num_about(res->replicas).text);
        return;
    }
    /* Requests that come one by one wait less than a batch that comes at once. */
    res->prefill_s = guess_time(load->first_p50,
                                serving_load_doubt(s, C_spread_prefill, load->utilization, c));
    res->request_s = guess_time(load->request_p50,
                                serving_load_doubt(s, C_spread_serving, load->utilization, c));
    if (load->token_p50 > 0)
        res->decode_s = guess_time(
            load->token_p50, serving_load_doubt(s, C_spread_decode, load->utilization, c));
    add_percentiles(load, !isnan(res->decode_s.value), res);
}

/* `units` of what is made at `rate`; the slower, the more expensive. */
static struct guess price_of_tokens(usd_per_hour price, struct guess rate, double units)
{
    return (struct guess){usd_double(cost_of_output(price, rate.value, 1, units)),
                          usd_double(cost_of_output(price, rate.high, 1, units)),
                          usd_double(cost_of_output(price, rate.low, 1, units))};
}

/* The price of what the machines make when they are kept busy, and of a month of them. */
static void add_token_prices(struct estimating *w, const struct serving *s,
                             struct estimate *res)
{
    usd_per_hour price = usd_per_hour_times(w->in->place->price, w->in->place->machines);
    bool tokens = str_eq(res->rate_unit, STR("tokens/s"));
    double hours = w->in->job->infer.hours_per_day, width = w->in->place->price_width;

    if (w->in->job->infer.rate > 0 &&
        res->utilization < 1) { /* no more is served than is asked for */
        double served = w->in->job->infer.rate * (tokens ? s->output : 1);

        res->rate = (struct guess){served, served, served};
    }
    if (price.nano == MONEY_UNKNOWN)
        return;
    if (tokens)
        res->usd_per_million_tokens =
            guess_widen(price_of_tokens(price, res->rate, 1e6), width);
    res->usd_per_thousand =
        guess_widen(price_of_tokens(price, res->rate, 1e3 * (tokens ? s->output : 1)), width);
    if (hours > 0)
        note(&w->notes, "%d days of %.3g hours cost $%.2f", DAYS_PER_MONTH, hours,
             usd_double(cost_of_hours(price, hours * DAYS_PER_MONTH)));
}

static void describe_serving(const struct estimating *w, const struct serving *s,
                             struct estimate *res)
{
    struct arch_params p = arch_count(s->arch);

    res->kind = JOB_INFER;
    res->name = w->in->job->name;
    res->model = s->arch->name;
    res->assumed = s->arch->assumed;
    res->params = p.total;
    res->active_params = p.active;
    res->precision = str_from(weights_names[s->weights]);
    res->framework = str_from(engine_names[s->engine]);
    res->accelerator = s->gpu->name;
    res->gpus = w->in->place->hardware.gpus;
    res->nodes =
        (res->gpus + w->in->place->hardware.per_node - 1) / w->in->place->hardware.per_node;
    res->tensor = s->tensor;
    res->pipeline = s->pipeline;
    res->micro_batch = (int64_t)s->batch;
}

static bool estimate_serving_job(struct estimating *w, struct estimate *res, struct error *err)
{
    struct serving_time t;
    struct serving_load load = {0};
    bool loaded;
    struct str learned;
    struct serving s;

    if (!choose_serving(w->in->job, &w->in->place->hardware, w->in->constants, &s, &w->notes,
                        err))
        return false;
    describe_serving(w, &s, res);
    if (!joined_check_copy(w->in->place, s.gpus, err))
        return false;
    if (s.gpus > w->in->place->hardware.per_node)
        joined_describe(w->in, &w->notes, res);
    joined_check_machine(w->in, weights_bytes(s.weights));
    if (!add_serving_memory(w, &s, res, err))
        return false;
    loaded = find_serving_load(w, &s, &load);
    add_times(w, &s, loaded ? &load : NULL, res);
    add_serving_load(w, &s, loaded ? &load : NULL, res);
    add_token_prices(w, &s, res);
    t = estimate_flow(&s, w->in->constants);
    if (!add_energy_and_cost(w, serving_watts(&s, &t, w->in->constants), res, err))
        return false;
    if (!serving_describe_correction(&s, w->in->constants, w->arena, &learned, err))
        return false;
    if (learned.len > 0)
        note(&w->notes, "%.*s; --raw ignores this", (int)learned.len, learned.at);
    return !w->in->explain ||
           explain_serving(&s, w->in->constants, w->arena, &res->formulas, err);
}

/* ---- any job ---- */

static bool keep_estimate_notes(struct estimating *w, struct estimate *res, struct error *err)
{
    struct str *texts = arena_array(w->arena, struct str, MAX_NOTES + 1, err);
    size_t count = 0;

    if (texts == NULL)
        return false;
    if (w->in->job->arch_known && w->in->job->arch.note.len > 0 &&
        !str_keep(w->in->job->arch.note, w->arena, &texts[count++], err))
        return false;
    for (size_t i = 0; i < w->notes.len; i++)
        if (!str_keep(str_from(w->notes.at[i]), w->arena, &texts[count++], err))
            return false;
    res->notes = (struct strs){texts, count};
    return true;
}

bool estimate_job(const struct estimate_input *in, struct arena *arena, struct estimate *out,
                  struct error *err)
{
    struct estimating w = {.in = in,
                           .region =
                               region_find(in->catalog, in->place->provider, in->place->region),
                           .arena = arena};
    const struct job *job = in->job;
    bool ok;

    if (!fields_reset(&estimate_fields, out, arena, err))
        return false;
    if (job->arch_known && job->arch.assumed)
        note(&w.notes, "a decoder of %lld layers, %lld wide: only its size is known",
             (long long)job->arch.layers, (long long)job->arch.hidden);
    if (!job->arch_known)
        ok = estimate_measured(&w, out, err);
    else if (job->kind == JOB_TRAIN)
        ok = estimate_training(&w, out, err);
    else
        ok = estimate_serving_job(&w, out, err);
    return ok && keep_estimate_notes(&w, out, err);
}

/* ---- fields ---- */

static const struct field part_fields[] = {
    FIELD(TEXT, estimate_part, name, .help = "name of the part"),
    FIELD(NUMBER, estimate_part, amount, .help = "GB of memory, or seconds of a step"),
    FIELD(NUMBER, estimate_part, share, .help = "share of the total"),
    FIELD(TEXT, estimate_part, help, .help = "explanation"),
};
static const struct field_set part_set = FIELD_SET(struct estimate_part, part_fields);

static const struct field group_fields[] = {
    FIELD(TEXT, estimate_group, name, .help = "model that the GPUs are named after"),
    FIELD(TEXT, estimate_group, models, .help = "models on these GPUs"),
    FIELD(COUNT, estimate_group, gpus, .help = "number of GPUs"),
    FIELD(NUMBER, estimate_group, memory_gb,
          .help = "memory of each at its fullest moment, GB"),
    FIELD(NUMBER, estimate_group, busy, .help = "share of a step in which they have work"),
};
static const struct field_set group_set = FIELD_SET(struct estimate_group, group_fields);

static const struct field line_fields[] = {
    FIELD(TEXT, estimate_line, name, .help = "cost item"),
    FIELD(USD, estimate_line, amount, .help = "expected amount"),
    FIELD(NUMBER, estimate_line, hours, .help = "wall-clock hours it takes"),
};
static const struct field_set line_set = FIELD_SET(struct estimate_line, line_fields);

static const struct field sweep_fields[] = {
    FIELD(TEXT, estimate_sweep_row, value, .help = "value of the key"),
    FIELD(FLAG, estimate_sweep_row, fits, .help = "memory of the card suffices"),
    FIELD(FLAG, estimate_sweep_row, tight, .help = "borderline: may or may not fit"),
    FIELD(TEXT, estimate_sweep_row, reason, .help = "reason why it is not possible"),
    FIELD(NUMBER, estimate_sweep_row, memory_gb, .help = "memory of the fullest GPU, GB"),
    FIELD(NUMBER, estimate_sweep_row, step_s, .help = "step time, s"),
    FIELD(NUMBER, estimate_sweep_row, rate, .help = "tokens or samples a second, all GPUs"),
    FIELD(NUMBER, estimate_sweep_row, hours, .help = "hours of the complete job"),
    FIELD(USD, estimate_sweep_row, cost, .help = "cost of the complete job"),
    FIELD(TEXT, estimate_sweep_row, offer, .help = "offer whose price is used"),
    FIELD(TEXT, estimate_sweep_row, setting, .help = "settings chosen for the rest"),
};
static const struct field_set sweep_set = FIELD_SET(struct estimate_sweep_row, sweep_fields);

static const struct field formula_fields[] = {
    FIELD(TEXT, estimate_formula, name, .help = "name of the quantity"),
    FIELD(TEXT, estimate_formula, formula, .help = "formula in words"),
    FIELD(TEXT, estimate_formula, numbers, .help = "formula with its numbers"),
    FIELD(NUMBER, estimate_formula, value, .help = "result"),
    FIELD(TEXT, estimate_formula, unit, .help = "unit of the result"),
};
static const struct field_set formula_set = FIELD_SET(struct estimate_formula, formula_fields);

#define GUESS(member, text) FIELD(RECORD, estimate, member, .row = &guess_set, .help = (text))

static const char *const kind_names[] = {[JOB_TRAIN] = "train", [JOB_INFER] = "infer"};

static const struct field estimate_members[] = {
    FIELD(TEXT, estimate, name, .help = "job name"),
    FIELD(ENUM, estimate, kind, FIELD_NAMES(kind_names), .help = "train or infer"),
    FIELD(TEXT, estimate, model, .help = "model name"),
    FIELD(NUMBER, estimate, params, .help = "parameters"),
    FIELD(NUMBER, estimate, active_params, .help = "parameters active per token"),
    FIELD(NUMBER, estimate, trained_params, .help = "trained parameters"),
    FIELD(FLAG, estimate, assumed, .help = "model shape is a guess from its size"),
    FIELD(ENUM, estimate, objective, .names = objective_names,
          .help = "objective of the training: sft, dpo, grpo, ..."),
    FIELD(ENUM, estimate, method, .names = method_names, .help = "full, lora or qlora"),
    FIELD(TEXT, estimate, precision,
          .help = "precision of the matrix products, or of the weights"),
    FIELD(ENUM, estimate, optimizer, .names = optimizer_names,
          .help = "optimizer of the training"),
    FIELD(ENUM, estimate, recompute, .names = recompute_names,
          .help = "recomputation of activations"),
    FIELD(TEXT, estimate, framework, .help = "kind of framework"),
    FIELD(ENUM, estimate, offload, .names = offload_names,
          .help = "offload of states to the machine's memory"),
    FIELD(TEXT, estimate, accelerator, .help = "GPU"),
    FIELD(COUNT, estimate, gpus, .help = "number of GPUs"),
    FIELD(COUNT, estimate, nodes, .help = "machines that hold them"),
    FIELD(NUMBER, estimate, network_gbit_s,
          .help = "network bandwidth of each machine, Gbit/s"),
    FIELD(TEXT, estimate, network, .help = "kind of network, or assumed"),
    FIELD(DAY, estimate, network_date, .help = "date of the network data"),
    FIELD(COUNT, estimate, data, .help = "data-parallel copies"),
    FIELD(COUNT, estimate, tensor, .help = "tensor-parallel GPUs"),
    FIELD(COUNT, estimate, pipeline, .help = "pipeline stages"),
    FIELD(COUNT, estimate, virtual_pipeline,
          .help = "virtual stages per pipeline stage, which take turns"),
    FIELD(COUNT, estimate, context, .help = "context-parallel GPUs"),
    FIELD(COUNT, estimate, expert, .help = "expert-parallel GPUs"),
    FIELD(COUNT, estimate, zero, .help = "ZeRO stage"),
    FIELD(COUNT, estimate, sequence, .help = "tokens per sequence"),
    FIELD(COUNT, estimate, micro_batch, .help = "sequences per GPU at a time"),
    FIELD(COUNT, estimate, accumulation, .help = "micro-batches per step"),
    FIELD(NUMBER, estimate, global_batch, .help = "sequences per step"),
    FIELD(FLAG, estimate, fits,
          .help = "memory of the card suffices, with a probability of 80 % or more"),
    FIELD(FLAG, estimate, tight, .help = "borderline: fits with a probability of 20 to 80 %"),
    FIELD(NUMBER, estimate, chance, .help = "probability that it fits, 0 to 1"),
    FIELD(NUMBER, estimate, usable_gb, .help = "usable memory of the card, GB"),
    FIELD(NUMBER, estimate, memory_gb, .help = "memory of the fullest GPU, GB"),
    FIELD(NUMBER, estimate, memory_low_gb, .help = "10th percentile of the memory"),
    FIELD(NUMBER, estimate, memory_high_gb, .help = "90th percentile of the memory"),
    FIELD(LIST, estimate, memory, .row = &part_set, .help = "memory by part"),
    FIELD(LIST, estimate, groups, .row = &group_set,
          .help = "GPUs by the models that they hold, where these have GPUs of their own"),
    FIELD(NUMBER, estimate, idle,
          .help = "share of all GPU time in which one group of GPUs waits for the others"),
    FIELD(NUMBER, estimate, host_gb, .help = "memory needed in a machine, GB"),
    FIELD(NUMBER, estimate, host_usable_gb, .help = "memory of the machine, GB"),
    FIELD_AS("host_memory_low", RATE, estimate, host_low,
             .help =
                 "low price of that much memory per hour, which the machine's price includes"),
    FIELD_AS("host_memory_high", RATE, estimate, host_high,
             .help = "high price of that much memory per hour"),
    GUESS(step_s, "duration of one optimizer step, s"),
    FIELD(LIST, estimate, step, .row = &part_set, .help = "step time by part"),
    GUESS(rate, "throughput of all GPUs"),
    FIELD(TEXT, estimate, rate_unit, .help = "unit of the throughput"),
    FIELD(NUMBER, estimate, mfu, .help = "share of the peak that the model uses"),
    FIELD(NUMBER, estimate, steps, .help = "steps of the complete job"),
    FIELD(NUMBER, estimate, tokens, .help = "tokens or samples of the complete job"),
    FIELD(NUMBER, estimate, epochs, .help = "epochs: passes over the data"),
    GUESS(hours, "hours of training, with the time that a long run loses"),
    FIELD(NUMBER, estimate, goodput, .help = "share of the hours that makes progress"),
    FIELD(NUMBER, estimate, failures_day, .help = "failures expected per day"),
    FIELD(NUMBER, estimate, wall_hours,
          .help = "wall-clock hours, with setup, data transfer, evaluation, ..."),
    GUESS(prefill_s, "time to the first token of one request, s"),
    GUESS(decode_s, "time per token, s"),
    GUESS(request_s, "time of a complete batch or, of a server, of a request, s"),
    FIELD(NUMBER, estimate, max_batch, .help = "largest batch that fits, requests"),
    FIELD(NUMBER, estimate, max_context,
          .help = "longest context of one request that fits, tokens"),
    FIELD(NUMBER, estimate, utilization, .help = "utilization of one replica at the rate"),
    FIELD(NUMBER, estimate, replicas, .help = "replicas needed for the rate"),
    FIELD(NUMBER, estimate, p50_s, .help = "median latency, s"),
    FIELD(NUMBER, estimate, p95_s, .help = "95th percentile of the latency, s"),
    FIELD(NUMBER, estimate, p99_s, .help = "99th percentile of the latency, s"),
    FIELD(NUMBER, estimate, first_p50_s, .help = "median time to first token under load, s"),
    FIELD(NUMBER, estimate, first_p95_s,
          .help = "95th percentile of the time to first token, s"),
    FIELD(NUMBER, estimate, first_p99_s,
          .help = "99th percentile of the time to first token, s"),
    FIELD(NUMBER, estimate, token_p50_s, .help = "median time per token under load, s"),
    FIELD(NUMBER, estimate, token_p95_s, .help = "95th percentile of the time per token, s"),
    FIELD(NUMBER, estimate, token_p99_s, .help = "99th percentile of the time per token, s"),
    GUESS(usd_per_million_tokens, "cost of a million output tokens, at this batch"),
    GUESS(usd_per_thousand, "cost of 1,000 requests"),
    FIELD(NUMBER, estimate, watts, .help = "power of one machine at the wall, W"),
    GUESS(energy_kwh, "energy, including the building's share"),
    GUESS(carbon_kg, "carbon, kg CO2e"),
    FIELD(NUMBER, estimate, pue, .help = "power usage effectiveness (PUE) of the building"),
    FIELD(NUMBER, estimate, carbon_g_kwh, .help = "carbon intensity of the region"),
    FIELD(TEXT, estimate, region, .help = "region whose electricity is used"),
    FIELD(TEXTS, estimate, equivalents, .help = "equivalents of the carbon"),
    FIELD(TEXTS, estimate, equivalent_sources, .help = "sources of the equivalents"),
    FIELD(USD, estimate, offset_low, .help = "cost of an offset that avoids as much elsewhere"),
    FIELD(USD, estimate, offset_high,
          .help = "cost of an offset that removes it from the air permanently"),
    FIELD(NUMBER, estimate, offset_low_usd_t,
          .help = "price of the avoiding offset, USD per tonne"),
    FIELD(NUMBER, estimate, offset_high_usd_t,
          .help = "price of the removing offset, USD per tonne"),
    FIELD(TEXT, estimate, offer, .help = "provider/region/instance"),
    FIELD(TEXT, estimate, market, .help = "market of the price"),
    FIELD(RATE, estimate, price, .help = "price of one machine"),
    FIELD(COUNT, estimate, machines, .help = "rented machines"),
    FIELD(DAY, estimate, price_date, .help = "date of the price"),
    FIELD(COUNT, estimate, price_age_days, .help = "age of the price in days"),
    FIELD(RATE, estimate, price_low, .help = "low end of the 80 % range of the price today"),
    FIELD(RATE, estimate, price_high, .help = "high end of the 80 % range of the price today"),
    FIELD(SHARE, estimate, price_unchanged, .help = "probability that the price is unchanged"),
    FIELD(LIST, estimate, cost, .row = &line_set, .help = "cost by line"),
    FIELD(USD, estimate, total, .help = "expected total"),
    FIELD(USD, estimate, total_low, .help = "10th percentile of the total"),
    FIELD(USD, estimate, total_high, .help = "90th percentile of the total"),
    FIELD(TEXTS, estimate, notes, .help = "assumptions"),
    FIELD(TEXTS, estimate, not_used,
          .help = "keys of the configuration that may change the cost and were not used"),
    FIELD(TEXT, estimate, sweep_key, .help = "key that was varied"),
    FIELD(LIST, estimate, sweep, .row = &sweep_set, .help = "rows, one for each value"),
    FIELD(LIST, estimate, formulas, .row = &formula_set, .help = "formulas of the results"),
};

const struct field_set estimate_fields = FIELD_SET(struct estimate, estimate_members);
