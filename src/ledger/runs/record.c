/* The record of a run as fields, and the names of its states and phases. */
#include <math.h>

#include "base/num.h"
#include "ledger/runs/members.h"
#include "ledger/runs/records.h"

/* ---- names ---- */

const char *const ledger_state_names[LEDGER_STATES] = {"running", "done",      "failed",
                                                       "stopped", "preempted", "lost"};

bool ledger_origin_given(struct str origin)
{
    static const char *const given[] = {"added", "mlflow", "wandb", NULL};

    return str_is_one_of(origin, given);
}

const char *ledger_state_name(enum ledger_state state)
{
    return ledger_state_names[state];
}

const char *ledger_state_word(enum ledger_state state, struct str reason)
{
    if (state == RUN_STOPPED && str_eq(reason, STR(LEDGER_DETACHED)))
        return "detached";
    if (state == RUN_STOPPED &&
        (str_eq(reason, STR(LEDGER_EXIT_UNKNOWN)) || str_ends(reason, STR(LEDGER_PASSED))))
        return "ended";
    return ledger_state_name(state);
}

const char *phase_name(enum run_phase phase)
{
    static const char *const names[PHASE_COUNT] = {"set-up",   "data wait",  "train",
                                                   "evaluate", "checkpoint", "idle"};

    return names[phase];
}

bool ledger_state_parse(struct str name, enum ledger_state *out)
{
    for (int i = 0; i < LEDGER_STATES; i++)
        if (str_eq(name, str_from(ledger_state_names[i]))) {
            *out = (enum ledger_state)i;
            return true;
        }
    return false;
}

void ledger_totals_unknown(struct ledger_totals *out)
{
    fields_unknown(&ledger_totals_members, out);
}

struct str ledger_short(const char *id)
{
    return (struct str){id + LEDGER_ID - 1 - LEDGER_SHORT, LEDGER_SHORT};
}

struct str ledger_fact(const struct ledger_run *run, const char *name)
{
    for (size_t i = 0; i < run->start.facts.len; i++) {
        struct str value = run->start.facts.at[i];

        if (str_eq(str_cut(&value, '='), str_from(name)))
            return value;
    }
    return (struct str){0};
}

double ledger_fact_number(const struct ledger_run *run, const char *name)
{
    double value;

    return num_double(ledger_fact(run, name), &value) ? value : NAN;
}

/* ---- rows, and records of journals ---- */

#define TOTALS(name, kind, member) MEMBER_AS(#name, kind, ledger_totals, member),

static const struct field totals[] = {LEDGER_TOTALS(TOTALS)
                                          MEMBER(NUMBER, ledger_totals, lost_s)};

#define SAMPLE(joined, member, ...) MEMBER_AS("sample_" #member, NUMBER, ledger_sample, member),
#define SAMPLE_DEVICES(parts, member, ...) \
    MEMBER_AS("sample_" #member, NUMBERS, ledger_sample, member),

static const struct field sample[] = {LEDGER_SAMPLE(SAMPLE)};
static const struct field sample_devices[] = {LEDGER_SAMPLE_DEVICES(SAMPLE_DEVICES)};

static const struct field device[] = {
    MEMBER(COUNT, ledger_device, device),      MEMBER(COUNT, ledger_device, number),
    MEMBER(TEXT, ledger_device, id),           MEMBER(TEXT, ledger_device, name),
    MEMBER(FLAG, ledger_device, used),         MEMBER(NUMBER, ledger_device, memory_total),
    MEMBER(NUMBER, ledger_device, memory_peak)};

static const struct field event[] = {
    MEMBER(COUNT, ledger_happening, at), MEMBER(TEXT, ledger_happening, kind),
    MEMBER(TEXT, ledger_happening, text), MEMBER(COUNT, ledger_happening, left_out)};

static const struct field checkpoint[] = {
    MEMBER(TEXT, ledger_checkpoint, path),       MEMBER(COUNT, ledger_checkpoint, at),
    MEMBER(NUMBER, ledger_checkpoint, bytes),    MEMBER(NUMBER, ledger_checkpoint, step),
    MEMBER(NUMBER, ledger_checkpoint, metric),   MEMBER(NUMBER, ledger_checkpoint, took_s),
    MEMBER(USD, ledger_checkpoint, cost),        MEMBER(FLAG, ledger_checkpoint, best),
    MEMBER(TEXT, ledger_checkpoint, metric_name)};

static const struct field metric[] = {
    MEMBER(TEXT, ledger_metric, name),   MEMBER(COUNT, ledger_metric, told),
    MEMBER(COUNT, ledger_metric, odd),   MEMBER(NUMBER, ledger_metric, first),
    MEMBER(NUMBER, ledger_metric, last), MEMBER(NUMBER, ledger_metric, last_step),
    MEMBER(NUMBER, ledger_metric, low),  MEMBER(NUMBER, ledger_metric, low_step),
    MEMBER(NUMBER, ledger_metric, high), MEMBER(NUMBER, ledger_metric, high_step)};

const struct field_set ledger_totals_members = FIELD_SET(struct ledger_totals, totals);
const struct field_set ledger_sample_members = FIELD_SET(struct ledger_sample, sample);
const struct field_set ledger_sample_device_members =
    FIELD_SET(struct ledger_sample, sample_devices);
const struct field_set ledger_device_members = FIELD_SET(struct ledger_device, device);
const struct field_set ledger_event_members = FIELD_SET(struct ledger_happening, event);
const struct field_set ledger_checkpoint_members =
    FIELD_SET(struct ledger_checkpoint, checkpoint);
const struct field_set ledger_metric_members = FIELD_SET(struct ledger_metric, metric);

/* ---- what results show ---- */

#define RUN(label, kind, member, ...) FIELD_AS(label, kind, ledger_run, member, __VA_ARGS__)

static const struct field run_fields[] = {
    RUN("id", CHARS, start.id, .help = "ID of the run, never reused"),
    {.name = "short_id",
     .type = FIELD_CHARS,
     .offset = offsetof(struct ledger_run, start.id) + LEDGER_ID - 1 - LEDGER_SHORT,
     .width = LEDGER_SHORT + 1,
     .help = "end of the ID: enough to name the run"},
    RUN("name", TEXT, start.name, .help = "name given by the user, or taken from the command"),
    RUN("state", ENUM, state, FIELD_NAMES(ledger_state_names),
        .help = "running, done, failed, stopped, preempted, or lost (its supervisor is gone)"),
    RUN("started", TIME, start.started, .help = "start time in UTC"),
    RUN("ended", TIME, ended,
        .help = "end time in UTC; null while it runs, or when the end was not recorded"),
    RUN("duration", SPAN, totals.elapsed, .help = "duration of all attempts, s"),
    RUN("cost", USD, totals.cost, .help = "cost of all attempts"),
    RUN("budget", USD, start.budget, .help = "limit of the run"),
    RUN("budget_share", NUMBER, budget_share, .help = "cost over budget"),
    RUN("energy_kwh", NUMBER, totals.joules, .divisor = JOULES_PER_KWH,
        .help = "metered energy"),
    RUN("energy_method", TEXT, totals.energy_method, .empty_unknown = true,
        .help = "method: counter, sampled, modeled, their shares, mixed, unknown"),
    RUN("energy_error", NUMBER, totals.energy_error, .help = "relative error of the energy"),
    RUN("carbon_g", NUMBER, totals.grams, .help = "carbon, g CO2e"),
    RUN("gpu", TEXT, totals.gpu, .empty_unknown = true, .help = "GPUs used"),
    RUN("gpus", COUNT, totals.gpus, .help = "number of GPUs used"),
    RUN("gpu_busy", SHARE, totals.gpu_busy, .help = "busy share of the used GPUs"),
    RUN("score", NUMBER, totals.score, .help = "efficiency, 0 to 100"),
    RUN("status", COUNT, status, .help = "exit status, as a shell reports it"),
    RUN("reason", TEXT, reason, .empty_unknown = true, .help = "reason for the stop"),
    RUN("attempts", COUNT, attempt_count, .help = "number of attempts"),
    RUN("interruptions", COUNT, interruptions, .help = "attempts whose machine was lost"),
    RUN("lost_s", NUMBER, totals.lost_s, .help = "seconds of repeated work"),
    RUN("step", NUMBER, totals.step, .help = "last step reached"),
    RUN("steps", NUMBER, totals.steps, .help = "steps planned"),
    RUN("step_s", NUMBER, totals.step_s,
        .help = "seconds per step once warm, without evaluations and checkpoints"),
    RUN("startup_s", NUMBER, totals.startup_s,
        .help = "seconds from the start to the first step"),
    RUN("gpu_watts", NUMBER, totals.gpu_watts, .help = "power of one GPU during steps"),
    RUN("loss", NUMBER, totals.loss, .help = "last value of the watched metric"),
    RUN("best", NUMBER, totals.best, .help = "best value of the watched metric"),
    RUN("user", TEXT, start.user, .empty_unknown = true, .help = "user who ran it"),
    RUN("host", TEXT, start.host, .empty_unknown = true, .help = "host of the first attempt"),
    RUN("folder", TEXT, start.folder, .empty_unknown = true, .help = "working folder"),
    RUN("command", TEXT, start.command, .empty_unknown = true,
        .help = "command, without secrets"),
    RUN("commit", TEXT, start.commit, .empty_unknown = true, .help = "commit of the checkout"),
    RUN("tags", TEXTS, start.tags, .help = "tags: key=value"),
    RUN("facts", TEXTS, start.facts, .help = "environment of the last attempt"),
    RUN("offer", TEXT, start.offer, .empty_unknown = true,
        .help = "machine of the first attempt"),
    RUN("market", TEXT, start.market, .empty_unknown = true,
        .help = "on-demand, spot or reserved"),
    RUN("price", RATE, start.rate, .help = "price per hour at the start"),
    RUN("price_source", TEXT, start.price_source, .empty_unknown = true,
        .help = "source of the price"),
    RUN("electricity", PER_KWH, start.electricity,
        .help = "electricity price per kWh, where it is paid"),
    RUN("estimated_cost", USD, start.estimated_cost, .help = "estimated cost before the start"),
    RUN("estimated_time", SPAN, start.estimated_time,
        .help = "estimated duration before the start, s"),
    RUN("origin", TEXT, start.origin, .empty_unknown = true,
        .help = "run (under stint run), added by hand, or the tracker it was imported from"),
};

static const struct field attempt_fields[] = {
    FIELD(COUNT, ledger_attempt, number, .help = "attempt number, from 1"),
    FIELD(ENUM, ledger_attempt, state, FIELD_NAMES(ledger_state_names),
          .help = "final state of the attempt"),
    FIELD(TIME, ledger_attempt, started, .help = "start time in UTC"),
    FIELD(TIME, ledger_attempt, ended,
          .help = "end time in UTC; null while it runs, or when the end was not recorded"),
    FIELD_AS("duration", SPAN, ledger_attempt, totals.elapsed, .help = "duration, s"),
    FIELD_AS("cost", USD, ledger_attempt, totals.cost, .help = "cost of this attempt"),
    FIELD(COUNT, ledger_attempt, status, .help = "exit status"),
    FIELD(TEXT, ledger_attempt, reason, .empty_unknown = true, .help = "reason for the stop"),
    FIELD(TEXT, ledger_attempt, host, .empty_unknown = true, .help = "host of the attempt"),
    FIELD(TEXT, ledger_attempt, offer, .empty_unknown = true, .help = "paid machine"),
    FIELD_AS("price", RATE, ledger_attempt, rate, .help = "price per hour at its start"),
    FIELD(TEXT, ledger_attempt, price_source, .empty_unknown = true,
          .help = "source of the price"),
    FIELD_AS("step", NUMBER, ledger_attempt, totals.step, .help = "last step reached"),
    FIELD_AS("lost_s", NUMBER, ledger_attempt, totals.lost_s,
             .help = "seconds of work of the previous attempt that were lost"),
};

static const struct field price_fields[] = {
    FIELD(COUNT, ledger_price, attempt, .help = "attempt number, from 1"),
    FIELD(TIME, ledger_price, from, .help = "start time in UTC"),
    FIELD(TIME, ledger_price, until, .help = "end time in UTC; null while it is current"),
    FIELD_AS("price", RATE, ledger_price, rate, .help = "price per hour"),
    FIELD(TEXT, ledger_price, offer, .empty_unknown = true, .help = "paid machine"),
    FIELD(TEXT, ledger_price, source, .empty_unknown = true, .help = "source of the price"),
};

static const struct field event_fields[] = {
    FIELD(TIME, ledger_happening, at, .help = "time in UTC"),
    FIELD(COUNT, ledger_happening, attempt, .help = "attempt number, from 1"),
    FIELD(TEXT, ledger_happening, kind, .help = "type of event"),
    FIELD(TEXT, ledger_happening, text, .empty_unknown = true, .help = "details of the event"),
    FIELD(COUNT, ledger_happening, left_out,
          .help = "earlier events of this kind that were not kept; null: none"),
};

static const struct field checkpoint_fields[] = {
    FIELD(TEXT, ledger_checkpoint, path, .help = "path of the checkpoint"),
    FIELD(TIME, ledger_checkpoint, at, .help = "time in UTC"),
    FIELD(NUMBER, ledger_checkpoint, bytes, .help = "size"),
    FIELD(NUMBER, ledger_checkpoint, step, .help = "training step"),
    FIELD(NUMBER, ledger_checkpoint, metric,
          .help = "value of the watched metric at that time"),
    FIELD(NUMBER, ledger_checkpoint, took_s, .help = "seconds to write it"),
    FIELD(USD, ledger_checkpoint, cost, .help = "cost of the run until then"),
    FIELD(FLAG, ledger_checkpoint, kept, .help = "checkpoint still exists"),
    FIELD(FLAG, ledger_checkpoint, best, .help = "best checkpoint"),
    FIELD_AS("removed", TIME, ledger_checkpoint, gone,
             .help = "time of removal in UTC; null: it is kept"),
};

static const struct field metric_fields[] = {
    FIELD(COUNT, ledger_metric, attempt, .help = "attempt number, from 1"),
    FIELD(TEXT, ledger_metric, name, .help = "metric name as printed by the program"),
    FIELD_AS("values", COUNT, ledger_metric, told, .help = "number of values printed"),
    FIELD_AS("not_finite", COUNT, ledger_metric, odd,
             .help = "values that are not finite numbers"),
    FIELD(NUMBER, ledger_metric, first, .help = "first value"),
    FIELD(NUMBER, ledger_metric, last, .help = "last value"),
    FIELD(NUMBER, ledger_metric, last_step, .help = "step of the last value"),
    FIELD(NUMBER, ledger_metric, low, .help = "lowest value"),
    FIELD(NUMBER, ledger_metric, low_step, .help = "step of the lowest value"),
    FIELD(NUMBER, ledger_metric, high, .help = "highest value"),
    FIELD(NUMBER, ledger_metric, high_step, .help = "step of the highest value"),
    FIELD_AS("at_s", NUMBERS, ledger_metric, times,
             .help = "seconds since the attempt began, at most 256"),
    FIELD(NUMBERS, ledger_metric, steps, .help = "steps reached by then; null: unknown"),
    FIELD_AS("points", NUMBERS, ledger_metric, values,
             .help = "mean of the values since the last point"),
};

const struct field_set ledger_run_fields = FIELD_SET(struct ledger_run, run_fields);
const struct field_set ledger_attempt_fields = FIELD_SET(struct ledger_attempt, attempt_fields);
const struct field_set ledger_price_fields = FIELD_SET(struct ledger_price, price_fields);
const struct field_set ledger_event_fields = FIELD_SET(struct ledger_happening, event_fields);
const struct field_set ledger_checkpoint_fields =
    FIELD_SET(struct ledger_checkpoint, checkpoint_fields);
const struct field_set ledger_metric_fields = FIELD_SET(struct ledger_metric, metric_fields);

/* ---- a past run that is there already ---- */

static bool same_texts(struct strs a, struct strs b)
{
    for (size_t i = 0; i < a.len && a.len == b.len; i++)
        if (!str_eq(a.at[i], b.at[i]))
            return false;
    return a.len == b.len;
}

/* Tags that were set here since count, too. */
static bool has_keys(struct strs have, struct strs wanted)
{
    for (size_t i = 0; i < wanted.len; i++) {
        struct str rest = wanted.at[i], key = str_cut(&rest, '=');
        bool there = false;

        for (size_t k = 0; k < have.len && !there; k++) {
            struct str other = have.at[k];

            there = str_eq(str_cut(&other, '='), key);
        }
        if (!there)
            return false;
    }
    return true;
}

bool ledger_run_has(const struct ledger_run *there, const struct ledger_past_run *past)
{
    const struct ledger_start *a = &there->start, *b = &past->start;
    usd cost = past->totals.cost;

    return there->state == past->ending.state && there->ended.s == past->totals.at.s &&
           there->totals.elapsed.ns == past->totals.elapsed.ns && str_eq(a->name, b->name) &&
           str_eq(a->user, b->user) && str_eq(there->totals.gpu, past->totals.gpu) &&
           there->totals.gpus == past->totals.gpus && same_texts(a->facts, b->facts) &&
           has_keys(a->tags, b->tags) &&
           (cost.nano == MONEY_UNKNOWN || cost.nano == there->totals.cost.nano);
}
