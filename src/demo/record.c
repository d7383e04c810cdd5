/* Runs into a ledger, as the supervisor of each would have reported them: records of a journal,
 * added in one transaction for each attempt. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/draw.h"
#include "demo/team.h"
#include "doc/json_write.h"
#include "ledger/budgets.h"
#include "ledger/runs/run_journal.h"

#define SAMPLES 48
#define POINTS 40
#define CHECKPOINTS 5
#define KEPT 2         /* of the checkpoints */
#define CPU_WATTS 90.0 /* of the machine around the GPUs, for each of them */
#define SETUP_S 300    /* of the machine, in a plan */
#define FACTS 6
#define TAGS 6

usd demo_cost(const struct demo_run *run, int64_t seconds)
{
    usd cost;

    return usd_for(run->machine->rate, (span){seconds * INT64_C(1000000000)}, &cost)
               ? cost
               : USD_UNKNOWN;
}

struct recorder {
    const struct demo *demo;
    struct ledger *ledger;
    struct arena *arena;
    struct error *err;
    struct buf start, records;
    uint64_t number; /* of the last record */
};

/* ---- curves ---- */

/* A share of noise, from -1 to 1, the same for the same place. */
static double noise_at(const struct demo_run *run, int place)
{
    uint64_t state = run->seed + (uint64_t)place * 7919;

    (void)draw_below(&state, 2);
    return (double)draw_below(&state, 2001) / 1000 - 1;
}

/* The loss after this share of the steps: falls fast, then slowly; overfits a little. */
static double loss_at(const struct demo_run *run, double done, int place)
{
    const struct demo_work *w = run->work;
    double left = 1 / (1 + 9 * done) - 0.1 * done;

    return w->loss_to + (w->loss_from - w->loss_to) * left +
           0.015 * w->loss_from * noise_at(run, place);
}

/* The metric that is evaluated: a loss that turns at four fifths, or a share that rises. */
static double metric_at(const struct demo_run *run, double done, int place)
{
    const struct demo_work *w = run->work;

    if (strstr(w->metric, "loss") != NULL || strcmp(w->metric, "fid") == 0)
        return loss_at(run, done, place) * 1.06 +
               (done > 0.8 ? (done - 0.8) * 0.4 * w->loss_to : 0);
    return 0.35 + 0.5 * done / (done + 0.25) + 0.006 * noise_at(run, place);
}

/* A plan counts steps; what else a run does was not in it, but for checkpoints. */
static double planned_steps(const struct demo_run *run)
{
    return floor(run->hours / run->pace * 3600 * run->work->shares[PHASE_TRAIN] /
                 run->work->step_s) +
           1;
}

static double steps_at(const struct demo_run *run, const struct demo_attempt *a, double share)
{
    return floor(planned_steps(run) * (a->from + (a->to - a->from) * share));
}

/* ---- totals ---- */

static bool has_demo_steps(const struct demo_run *run)
{
    return run->work->shares[PHASE_TRAIN] > 0 && run->work->metric != NULL;
}

static double demo_idle_seconds(const struct demo_run *run, const struct demo_attempt *a)
{
    return a == &run->attempts[run->attempt_count - 1] ? run->idle_h * 3600 : 0;
}

static void set_phases(const struct demo_run *run, const struct demo_attempt *a,
                       struct ledger_totals *t)
{
    double all = 0, seconds = span_in_seconds(t->elapsed);
    double idle = fmin(demo_idle_seconds(run, a), seconds);

    for (int i = 0; i < LEDGER_PHASES; i++)
        all += run->work->shares[i];
    if (all <= 0 || seconds <= 0)
        return;
    for (int i = 0; i < LEDGER_PHASES; i++) {
        double share = run->work->shares[i] / all * (1 - idle / seconds);

        t->phase[i] =
            usd_from(usd_double(t->compute) * (share + (i == PHASE_IDLE ? idle / seconds : 0)));
    }
}

static void set_energy(const struct demo_run *run, double seconds, double busy,
                       struct ledger_totals *t)
{
    const struct accelerator *gpu = run->machine->accelerator;
    double board = gpu != NULL && isfinite(gpu->tdp_w) ? gpu->tdp_w : 300;

    t->gpu_watts = board * (0.18 + 0.78 * busy);
    t->gpu_joules = t->gpu_watts * run->machine->gpus * seconds;
    t->cpu_joules = CPU_WATTS * run->machine->gpus * seconds;
    t->joules = t->gpu_joules + t->cpu_joules;
    t->energy_method = STR("counter");
    t->energy_error = 0.05;
    t->grams = t->joules / 3.6e6 * run->machine->carbon;
}

static struct ledger_totals totals_at(const struct demo_run *run, const struct demo_attempt *a,
                                      int64_t seconds)
{
    const struct demo_work *w = run->work;
    const struct accelerator *gpu = run->machine->accelerator;
    double share = a->seconds > 0 ? (double)seconds / (double)a->seconds : 0;
    double idle = a->seconds > 0 ? demo_idle_seconds(run, a) / (double)a->seconds : 0;
    struct ledger_totals t;

    ledger_totals_unknown(&t);
    t.at = (stamp){a->start.s + seconds};
    t.elapsed = (span){seconds * INT64_C(1000000000)};
    t.cost = t.compute = demo_cost(run, seconds);
    t.pays = STR("machine");
    t.paid = t.elapsed;
    t.share = 1;
    t.sharers = t.sharers_most = 1;
    set_phases(run, a, &t);
    t.gpu_busy = w->busy * (1 - idle);
    set_energy(run, (double)seconds, t.gpu_busy, &t);
    t.gpu = str_from(run->machine->gpu);
    t.gpus = run->machine->gpus;
    t.gpu_memory_total = gpu != NULL ? gpu->memory_gb * 1e9 : (double)NAN;
    t.gpu_memory_peak = t.gpu_memory_run = t.gpu_memory_total * w->memory;
    t.cpu_s = (double)seconds * (1.4 + 2.5 * w->shares[PHASE_DATA]) * run->machine->gpus;
    t.memory_peak = 11e9 * run->machine->gpus;
    t.read = 2.1e6 * (double)seconds;
    t.written = w->checkpoint_gb * 1e9 * CHECKPOINTS * share;
    t.received = 3e5 * (double)seconds;
    t.sent = 2e4 * (double)seconds;
    t.score = floor(100 * t.gpu_busy * (0.6 + 0.4 * w->memory));
    t.seed_score = t.score;
    if (has_demo_steps(run)) {
        t.step = steps_at(run, a, share);
        t.steps = planned_steps(run);
        t.step_s = w->step_s * run->pace;
        t.startup_s = 60 + 3600 * w->hours * w->shares[PHASE_SETUP] / 2;
        t.loss = loss_at(run, a->from + (a->to - a->from) * share, (int)(share * SAMPLES));
        t.best = t.loss;
        t.checkpoint_bytes = w->checkpoint_gb * 1e9 * KEPT;
        t.save_s = 2 + w->checkpoint_gb / 1.5;
    }
    return t;
}

/* ---- records ---- */

static void put_samples(struct recorder *r, const struct demo_run *run,
                        const struct demo_attempt *a)
{
    for (int i = 1; i <= SAMPLES; i++) {
        int64_t s = a->seconds * i / SAMPLES;
        struct ledger_totals t = totals_at(run, a, s);
        bool idle = (double)(a->seconds - s) < demo_idle_seconds(run, a);
        double busy = idle ? 0.01 : run->work->busy + 0.05 * noise_at(run, i);
        struct ledger_sample sample = {.at_s = (double)s,
                                       .cost = usd_double(t.cost),
                                       .gpu_busy = fmin(fmax(busy, 0), 1),
                                       .gpu_memory = t.gpu_memory_peak * (idle ? 0.1 : 0.98),
                                       .gpu_memory_run =
                                           t.gpu_memory_peak * (idle ? 0.1 : 0.98),
                                       .cpu_cores = t.cpu_s / (double)(s > 0 ? s : 1),
                                       .memory = t.memory_peak * 0.95,
                                       .step = t.step,
                                       .loss = t.loss,
                                       .rate = isnan(t.step_s) ? (double)NAN : 1 / t.step_s};

        sample.watts =
            (t.gpu_watts * (0.3 + 0.7 * sample.gpu_busy / fmax(run->work->busy, 0.05)) +
             CPU_WATTS) *
            run->machine->gpus;
        run_journal_put_tick(&r->records, ++r->number, &t, &sample);
    }
}

static void put_demo_metric(struct recorder *r, const struct demo_run *run,
                            const struct demo_attempt *a, const char *name, bool evaluated)
{
    double times[POINTS], steps[POINTS], values[POINTS];
    struct ledger_metric m = {.name = str_from(name),
                              .low = INFINITY,
                              .high = -INFINITY,
                              .times = {times, POINTS},
                              .steps = {steps, POINTS},
                              .values = {values, POINTS}};

    for (int i = 0; i < POINTS; i++) {
        double share = (double)(i + 1) / POINTS, done = a->from + (a->to - a->from) * share;

        times[i] = share * (double)a->seconds;
        steps[i] = steps_at(run, a, share);
        values[i] = evaluated ? metric_at(run, done, i) : loss_at(run, done, i);
        if (values[i] < m.low) {
            m.low = values[i];
            m.low_step = steps[i];
        }
        if (values[i] > m.high) {
            m.high = values[i];
            m.high_step = steps[i];
        }
    }
    m.told = evaluated ? POINTS : (int64_t)(steps[POINTS - 1] - steps_at(run, a, 0));
    m.first = values[0];
    m.last = values[POINTS - 1];
    m.last_step = steps[POINTS - 1];
    run_journal_put_metric(&r->records, ++r->number, &m);
}

static void put_demo_event(struct recorder *r, stamp at, const char *kind, const char *text)
{
    struct ledger_happening event = {
        .at = at, .kind = str_from(kind), .text = str_from(text), .left_out = -1};

    run_journal_put_event(&r->records, ++r->number, &event);
}

#define SAVED_MOST (DEMO_ATTEMPTS * CHECKPOINTS)

/* A checkpoint of a run, with its name. */
struct saved {
    struct ledger_checkpoint c;
    char path[128];
};

static bool is_better_demo_metric(const struct demo_run *run, double metric, double than)
{
    bool less =
        strstr(run->work->metric, "loss") != NULL || strcmp(run->work->metric, "fid") == 0;

    return less ? metric < than : metric > than;
}

/* Those of one attempt; `before` is what the attempts before it cost. */
static void save_all(const struct demo_run *run, const struct demo_attempt *a, usd before,
                     struct saved *out)
{
    for (int i = 1; i <= CHECKPOINTS; i++, out++) {
        double share = (double)i / (CHECKPOINTS + 1);
        double done = a->from + (a->to - a->from) * share;
        int64_t seconds = llround(share * (double)a->seconds);

        out->c = (struct ledger_checkpoint){.at = {a->start.s + seconds},
                                            .bytes = run->work->checkpoint_gb * 1e9,
                                            .step = steps_at(run, a, share),
                                            .metric = metric_at(run, done, i),
                                            .metric_name = str_from(run->work->metric),
                                            .took_s = 2 + run->work->checkpoint_gb / 1.5,
                                            .cost = usd_add(before, demo_cost(run, seconds)),
                                            .gone = STAMP_UNKNOWN};
        out->c.path.at = out->path;
        out->c.path.len =
            (size_t)snprintf(out->path, sizeof out->path, "out/%s/checkpoint-%.0f",
                             run->work->name, out->c.step);
    }
}

/* As with --keep 1 --best: after each save the best one of the run so far and the newest are
 * left. */
static void put_checkpoints(struct recorder *r, const struct demo_run *run,
                            const struct demo_attempt *a)
{
    struct saved saved[SAVED_MOST];
    int count = 0, best = 0, kept[2] = {-1, -1};
    usd before = {0};

    for (int n = 0; n < run->attempt_count; n++) {
        const struct demo_attempt *other = &run->attempts[n];

        save_all(run, other, before, saved + count);
        for (int i = 0; i < CHECKPOINTS; i++, count++) {
            bool ours = other == a;
            stamp later = {saved[count].c.at.s + 1800};

            if (is_better_demo_metric(run, saved[count].c.metric, saved[best].c.metric))
                best = count;
            saved[count].c.best = best == count;
            if (ours)
                run_journal_put_checkpoint(&r->records, ++r->number, &saved[count].c);
            for (int k = 0; k < 2; k++) {
                if (kept[k] < 0 || kept[k] == best)
                    continue;
                if (ours)
                    run_journal_put_gone(&r->records, ++r->number, saved[kept[k]].c.path,
                                         later);
                kept[k] = -1;
            }
            kept[kept[0] >= 0] = count;
        }
        if (other == a)
            return;
        before = usd_add(before, demo_cost(run, other->seconds));
    }
}

static void put_events(struct recorder *r, const struct demo_run *run,
                       const struct demo_attempt *a)
{
    stamp end = {a->start.s + a->seconds};

    if (has_demo_steps(run))
        put_demo_event(r, (stamp){a->start.s + 90}, "phase", "train, after 90 s of set-up");
    if (a->state == RUN_PREEMPTED)
        put_demo_event(r, (stamp){end.s - 120}, "notice",
                       "the cloud takes the machine in 2 min");
    if (strcmp(a->reason, "budget") == 0)
        put_demo_event(r, end, "budget", "the budget of the run is spent");
    if (demo_idle_seconds(run, a) > 0)
        put_demo_event(r, (stamp){end.s - llround(demo_idle_seconds(run, a))}, "idle",
                       "nothing is busy, and no guard ends it (--idle was not given)");
    if (a->state == RUN_FAILED && a->status == 137)
        put_demo_event(r, end, "memory", "the kernel ended it: out of memory");
}

/* ---- the start ---- */

/* What it was planned with, for `stint why` and `stint accuracy`. */
static bool write_features(struct recorder *r, const struct demo_run *run, usd *cost,
                           span *time, struct str *out)
{
    const struct accelerator *gpu = run->machine->accelerator;
    struct buf text = buf_new(r->arena->alloc, 1 << 16);
    double hours = planned_steps(run) * run->work->step_s / 3600;
    double saving = run->hours * run->work->shares[PHASE_CHECKPOINT];
    usd compute = demo_cost(run, llround(hours * 3600));
    usd setup = demo_cost(run, SETUP_S), checkpoints = demo_cost(run, llround(saving * 3600));

    *cost = usd_add(usd_add(compute, setup), checkpoints);
    *time = span_hours(hours + saving + SETUP_S / 3600.0);
    buf_adds(&text, "{\"gpu\":");
    json_write_text(gpu != NULL ? gpu->name : STR("?"), &text);
    buf_addf(&text,
             ",\"framework\":\"hf\",\"accumulation\":1,\"step_s\":%.9g,\"memory_gb\":%.9g,",
             run->work->step_s, gpu != NULL ? gpu->memory_gb * run->work->memory * 0.97 : 0);
    buf_addf(&text, "\"board_w\":%.9g,\"setting\":", gpu != NULL ? gpu->tdp_w * 0.85 : 0);
    json_write_text(str_from(run->work->setting), &text);
    buf_adds(&text, ",\"model\":");
    json_write_text(str_from(run->work->model), &text);
    buf_adds(&text, ",\"machines\":1,\"price\":\"");
    nano_write(run->machine->rate.nano, &text);
    buf_adds(&text, "\",\"lines\":{\"compute\":{\"amount\":\"");
    nano_write(compute.nano, &text);
    buf_addf(&text, "\",\"hours\":%.9g},\"setup\":{\"amount\":\"", hours);
    nano_write(setup.nano, &text);
    buf_addf(&text, "\",\"hours\":%.9g},\"checkpoints\":{\"amount\":\"", SETUP_S / 3600.0);
    nano_write(checkpoints.nano, &text);
    buf_addf(&text, "\",\"hours\":%.9g}}}", saving);
    return buf_keep(&text, r->arena, out, r->err);
}

static size_t add_key_value_word(char to[static 80], struct str *list, size_t count,
                                 const char *key, const char *value)
{
    if (value == NULL || value[0] == '\0')
        return count;
    (void)snprintf(to, 80, "%s=%s", key, value);
    list[count] = str_from(to);
    return count + 1;
}

static bool put_demo_start(struct recorder *r, const struct demo_run *run,
                           const struct demo_attempt *a)
{
    const struct demo_work *w = run->work;
    char words[FACTS + TAGS][80], host[64];
    struct str facts[FACTS], tags[TAGS];
    size_t fact_count = 0, tag_count = 0;
    struct ledger_start start = {.name = run->name,
                                 .command = run->command,
                                 .folder = {0},
                                 .user = str_from(w->user),
                                 .host = {host, 0},
                                 .commit = STR("3b9f2c71d08e"),
                                 .digest = run->digest,
                                 .offer = run->machine->offer,
                                 .market = str_from(run->machine->market),
                                 .price_source = run->machine->source,
                                 .rate = run->machine->rate,
                                 .electricity = {MONEY_UNKNOWN},
                                 .storage_month = {MONEY_UNKNOWN},
                                 .budget = run->budget,
                                 .estimated_cost = USD_UNKNOWN,
                                 .estimated_time = SPAN_UNKNOWN,
                                 .started = a->start,
                                 .origin = STR("run"),
                                 .resume = a > run->attempts,
                                 .pid = -1,
                                 .pid_started = -1};
    char folder[64];

    memcpy(start.id, run->id, sizeof start.id);
    memcpy(start.attempt_id, run->id, sizeof start.attempt_id);
    start.attempt_id[LEDGER_ID - 2] = "0123456789"[a - run->attempts];
    start.attempt_id[15] = 'd';
    if (a > run->attempts)
        memcpy(start.resume_id, run->id, sizeof start.resume_id);
    (void)snprintf(folder, sizeof folder, "/home/%s/%s", w->user, w->team);
    start.folder = str_from(folder);
    start.host.len =
        (size_t)snprintf(host, sizeof host, "%s-%.4s", w->team, run->id + LEDGER_ID - 5);
    fact_count = add_key_value_word(words[0], facts, fact_count, "machine", a->machine_id);
    fact_count = add_key_value_word(words[1], facts, fact_count, "os", "Debian 12");
    fact_count = add_key_value_word(words[2], facts, fact_count, "python", "3.11.2");
    fact_count = add_key_value_word(words[3], facts, fact_count, "torch", "2.5.1");
    tag_count = add_key_value_word(words[FACTS], tags, tag_count, "team", w->team);
    tag_count = add_key_value_word(words[FACTS + 1], tags, tag_count, "project", w->project);
    tag_count = add_key_value_word(words[FACTS + 2], tags, tag_count, "phase", w->phase);
    tag_count = add_key_value_word(words[FACTS + 3], tags, tag_count, "model", w->model);
    tag_count =
        add_key_value_word(words[FACTS + 4], tags, tag_count, "experiment", w->experiment);
    tag_count = add_key_value_word(words[FACTS + 5], tags, tag_count, "demo", "yes");
    start.facts = (struct strs){facts, fact_count};
    start.tags = (struct strs){tags, tag_count};
    if (w->setting != NULL) {
        if (!write_features(r, run, &start.estimated_cost, &start.estimated_time,
                            &start.features))
            return false;
        start.constants = r->demo->constants;
    }
    run_journal_put_start(&r->start, &start);
    return true;
}

static bool record_attempt(struct recorder *r, const struct demo_run *run,
                           const struct demo_attempt *a)
{
    struct ledger_totals end = totals_at(run, a, a->seconds);
    int number;

    buf_clear(&r->start);
    buf_clear(&r->records);
    r->number = 0;
    if (!put_demo_start(r, run, a))
        return false;
    put_samples(r, run, a);
    if (has_demo_steps(run)) {
        put_demo_metric(r, run, a, "loss", false);
        put_demo_metric(r, run, a, run->work->metric, true);
        if (run->work->checkpoint_gb > 0)
            put_checkpoints(r, run, a);
    }
    put_events(r, run, a);
    run_journal_put_end(&r->records, ++r->number,
                        &(struct ledger_ending){a->state, a->status, a->reason}, &end);
    return buf_ok(&r->start, r->err) && buf_ok(&r->records, r->err) &&
           ledger_apply(r->ledger, buf_text(&r->start), buf_text(&r->records), &number, r->err);
}

bool demo_record(const struct demo *demo, struct ledger *ledger, struct arena *arena,
                 struct error *err)
{
    struct recorder r = {.demo = demo,
                         .ledger = ledger,
                         .arena = arena,
                         .err = err,
                         .start = buf_new(arena->alloc, BUF_MAX_OUTPUT),
                         .records = buf_new(arena->alloc, BUF_MAX_OUTPUT)};
    bool ok = true;

    ledger_bulk_mode(ledger, true); /* hundreds of transactions: the disk catches up once */
    for (size_t i = 0; ok && i < demo->run_count; i++)
        for (int n = 0; ok && n < demo->runs[i].attempt_count; n++)
            ok = record_attempt(&r, &demo->runs[i], &demo->runs[i].attempts[n]);
    ledger_bulk_mode(ledger, false);
    buf_free(&r.start);
    buf_free(&r.records);
    return ok;
}

bool demo_record_alert(const struct demo *demo, struct ledger *ledger, struct arena *arena,
                       struct error *err)
{
    static const struct str channels[] = {{"team", 4}};
    stamp at = {(demo->today.n - 23) * SECONDS_PER_DAY + 15 * 3600};
    struct ledger_finding finding = {
        .alert = {.dedup = STR("event/photo-seg-large-idle"),
                  .kind = STR("event"),
                  .severity = STR("warning"),
                  .title = STR("photo-seg-large is idle, and its machine is still on"),
                  .words = STR("4 A100 have had nothing to do since the training ended."),
                  .level = 1,
                  .firing = true},
        .channels = {channels, 1}};
    struct ledger_finding over = finding;
    struct ledger_delivery delivery;
    bool found = true, ok = true;

    over.over = true;
    for (int i = 0; ok && i < 2; i++, at.s += 23 * 3600) {
        struct ledger_due due = {at, {at.s - 3600}};

        ok = ledger_findings(ledger, i == 0 ? &finding : &over, 1, at, err) &&
             ledger_delivery_take(ledger, &due, at, arena, &delivery, &found, err) &&
             (!found ||
              ledger_delivery_told(ledger, &delivery, true, STR("demo: nothing was sent"), at,
                                   STAMP_UNKNOWN, err));
    }
    return ok;
}
