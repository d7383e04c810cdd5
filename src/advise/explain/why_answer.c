#include "advise/explain/why_answer.h"

#include <math.h>

#include "account/query/groups.h"
#include "account/run/device_use.h"
#include "advise/explain/stall.h"
#include "base/num.h"
#include "doc/node.h"
#include "doc/notes.h"
#include "plan/features.h"
#include "unit/moment.h"
#include "unit/shown.h"

static const struct field fields[] = {
    FIELD(TEXT, why_result, kind,
          .help = "kind of comparison: estimate (with the run), runs, breakdown (run without "
                  "estimate) or months"),
    FIELD(TEXT, why_result, from, .help = "baseline"),
    FIELD(TEXT, why_result, to, .help = "explained run or month"),
    FIELD_AS("from_cost", MONEY, why_result, explained.from, .help = "cost of the baseline"),
    FIELD_AS("to_cost", MONEY, why_result, explained.to,
             .help = "cost of the explained run or month"),
    FIELD_AS("difference", MONEY, why_result, explained.difference,
             .help = "exact sum of the parts"),
    FIELD_AS("parts", LIST, why_result, explained.parts, .row = &why_part_fields,
             .help = "parts, the largest first, the unexplained last"),
    FIELD_AS("advice", TEXT, why_result, explained.advice,
             .help = "advice on the largest part"),
    FIELD(LIST, why_result, groups, .row = &why_group_fields,
          .help = "changes between months by dimension, the largest first"),
    FIELD(TEXTS, why_result, notes, .help = "limitations of the answer"),
    FIELD(TEXT, why_result, svg, .help = "file that was written"),
    FIELD(TEXT, why_result, png, .sparse = true, .help = "PNG file that was written"),
    FIELD(TEXT, why_result, pdf, .sparse = true, .help = "PDF file that was written"),
};
const struct field_set why_fields = FIELD_SET(struct why_result, fields);

/* ---- runs ---- */

static double why_span_seconds(span s)
{
    return s.ns >= 0 ? (double)s.ns / 1e9 : NAN;
}

static struct why_attempt attempt_of(const struct ledger_run *run,
                                     const struct ledger_attempt *a)
{
    static const enum why_cause causes[LEDGER_PHASES] = {
        [PHASE_SETUP] = WHY_STARTUP,     [PHASE_DATA] = WHY_DATA,
        [PHASE_TRAIN] = WHY_TRAINING,    [PHASE_EVALUATE] = WHY_EVALUATION,
        [PHASE_CHECKPOINT] = WHY_SAVING, [PHASE_IDLE] = WHY_IDLE,
    };
    const struct ledger_totals *t = &a->totals;
    bool by_time = run->start.electricity.nano == MONEY_UNKNOWN;
    struct why_attempt out = {.cost = t->cost,
                              .compute = t->compute,
                              .setup = t->setup,
                              .storage = t->storage,
                              .transfer = t->transfer,
                              .extra = t->extra,
                              .elapsed_s = why_span_seconds(t->elapsed),
                              .paid_s = why_span_seconds(t->paid),
                              .rate = by_time ? usd_per_hour_double(a->rate) : (double)NAN,
                              .lost_s = t->lost_s};

    if (ledger_origin_given(run->start.origin)) /* its price may be of several machines */
        out.rate = NAN;
    if (t->compute.nano == MONEY_UNKNOWN)
        out.compute = t->cost;
    for (int i = 0; i < WHY_TIMES; i++)
        out.time[i] = USD_UNKNOWN;
    for (int i = 0; i < LEDGER_PHASES; i++)
        out.time[causes[i]] = t->phase[i];
    return out;
}

bool why_run_side(const struct ledger_run *run, double steps, double step_s,
                  struct arena *arena, struct why_side *out, struct error *err)
{
    struct str id = ledger_short(run->start.id);
    size_t count = 0;
    struct why_attempt *attempts =
        arena_array(arena, struct why_attempt, (size_t)run->attempt_count, err);

    if (attempts == NULL)
        return false;
    for (int i = 0; i < run->attempt_count; i++)
        if (run->attempts[i].totals.elapsed.ns >= 0) /* something was heard of it */
            attempts[count++] = attempt_of(run, &run->attempts[i]);
    for (size_t i = 0; i < count; i++)
        if (attempts[i].cost.nano == MONEY_UNKNOWN)
            count = 0;
    if (count == 0) {
        error_set(err, ERROR_INPUT, "the cost of run %.*s is not known: it has no price",
                  STR_ARG(id));
        error_hint(
            err,
            "run with --price '$2.49/hr' or --offer OFFER; 'stint show %.*s' has what is "
            "known",
            STR_ARG(id));
        return false;
    }
    why_side_of_run(attempts, count, steps, step_s, out);
    return true;
}

struct why_side why_nothing(const struct why_side *side)
{
    return (struct why_side){.rate = side->rate,
                             .share = side->share,
                             .steps = NAN,
                             .step_s = NAN,
                             .seen = side->seen};
}

/* ---- waiting inside steps ---- */

static double mean_of_numbers(const struct numbers *values)
{
    double sum = 0;

    for (size_t i = 0; i < values->len; i++)
        sum += values->at[i];
    return sum / (double)values->len;
}

bool why_wait_of_metrics(const struct ledger_run *run, const struct ledger_metric *metrics,
                         size_t count, struct arena *arena, struct why_wait *out,
                         struct error *err)
{
    struct buf known = buf_new(arena->alloc, 4096);
    double unit;

    *out = (struct why_wait){.step_s = NAN};
    for (size_t i = 0; i < count; i++) {
        double wait_s;

        if (!stall_is_metric(metrics[i].name, &unit) || metrics[i].values.len == 0)
            continue;
        wait_s = mean_of_numbers(&metrics[i].values) * unit;
        if (!(wait_s >= 0 && wait_s < run->totals.step_s)) /* of something else */
            continue;
        out->step_s = wait_s;
        buf_clear(&known);
        buf_adds(&known, "the metric ");
        buf_add(&known, metrics[i].name);
    }
    return buf_keep(&known, arena, &out->known, err);
}

/* Moments in which a step was reached. */
static size_t take_moments(const struct ledger_sample *samples, size_t count,
                           struct stall_moment *out)
{
    size_t taken = 0;

    for (size_t i = 1; i < count; i++)
        if (samples[i].step > samples[i - 1].step)
            out[taken++] = (struct stall_moment){samples[i].at_s - samples[i - 1].at_s,
                                                 samples[i].gpu_busy, samples[i].cpu_cores};
    return taken;
}

bool why_wait_of_samples(const struct ledger_run *run, const struct ledger_sample *samples,
                         size_t count, struct arena *arena, struct why_wait *out,
                         struct error *err)
{
    struct stall_moment *moments = arena_array(arena, struct stall_moment, count, err);
    double share;

    if (moments == NULL)
        return false;
    share = stall_share(moments, take_moments(samples, count, moments));
    if (share > 0) {
        out->step_s = share * run->totals.step_s;
        out->known = STR("its samples: GPUs idle inside steps while loaders work or the "
                         "program sleeps");
    }
    return true;
}

void why_take_wait(const struct ledger_run *run, double step_s, struct why_wait *wait,
                   struct why_side *side)
{
    wait->share = wait->step_s / run->totals.step_s;
    wait->step_s = wait->share * step_s; /* as the plan counts steps */
    if (!why_side_wait(wait, side))
        wait->step_s = NAN;
}

/* ---- estimates ---- */

static bool number_under(const struct node *map, const char *key, double *out)
{
    const struct node *value = map != NULL ? node_get(map, str_from(key)) : NULL;

    return value != NULL && value->kind == NODE_SCALAR && num_read(value->text, out);
}

static bool money_under(const struct node *map, const char *key, int64_t *nano)
{
    const struct node *value = map != NULL ? node_get(map, str_from(key)) : NULL;

    return value != NULL && value->kind == NODE_SCALAR && num_fixed(value->text, 9, nano);
}

/* What a run with a plan recorded of it (op/run_price.c). */
static void read_plan_lines(const struct node *root, struct why_plan *plan)
{
    const struct node *lines = node_get(root, STR("lines"));
    double machines;
    int64_t rate;

    (void)number_under(root, "step_s", &plan->step_s);
    if (number_under(root, "machines", &machines) && machines >= 1 && machines < 1e9)
        plan->machines = (int64_t)machines;
    if (money_under(root, "price", &rate))
        plan->rate = usd_per_hour_double((usd_per_hour){rate});
    for (int i = 0; lines != NULL && i < COST_LINE_COUNT; i++) {
        const struct node *line = node_get(lines, str_from(cost_line_names[i]));

        if (line == NULL || !money_under(line, "amount", &plan->line[i].nano))
            continue;
        if (i == COST_COMPUTE)
            (void)number_under(line, "hours", &plan->compute_hours);
    }
    if (lines != NULL)
        (void)money_under(node_get(lines, STR(PLAN_STARTUP_LINE)), "amount",
                          &plan->startup.nano);
}

bool why_read_estimate(const struct ledger_run *run, struct str features, struct arena *arena,
                       struct why_side *out, bool *parts)
{
    const struct ledger_start *s = &run->start;
    struct why_plan plan = {.cost = s->estimated_cost,
                            .compute_hours = NAN,
                            .hours = s->estimated_time.ns > 0 ? span_in_hours(s->estimated_time)
                                                              : (double)NAN,
                            .startup = USD_UNKNOWN,
                            .rate = NAN,
                            .step_s = NAN,
                            .machines = 1};
    struct error ignored = {0};
    const struct node *root;

    if (s->estimated_cost.nano == MONEY_UNKNOWN)
        return false;
    for (int i = 0; i < COST_LINE_COUNT; i++)
        plan.line[i] = USD_UNKNOWN;
    root = features.len > 0 ? json_read(features, "features", arena, &ignored) : NULL;
    if (root != NULL)
        read_plan_lines(root, &plan);
    *parts = plan.line[COST_COMPUTE].nano != MONEY_UNKNOWN;
    if (!*parts && isnan(plan.rate)) /* what was known of the price then */
        plan.rate = usd_per_hour_double(s->rate);
    why_side_of_plan(&plan, out);
    return true;
}

/* ---- months ---- */

bool why_is_month(struct str text)
{
    struct str rest = text, year = str_cut(&rest, '-');
    int64_t y, m;

    return text.len == 7 && year.len == 4 && num_int(year, &y) && num_int(rest, &m) &&
           y >= 1970 && m >= 1 && m <= 12;
}

bool why_currency(const struct spending_answer spent[static USAGE_PERIODS],
                  struct currency *out, struct error *err)
{
    *out = currency_none;
    for (int p = 0; p < USAGE_PERIODS; p++)
        for (size_t i = 0; i < spent[p].count; i++) {
            struct currency c = spent[p].at[i].currency;

            if (currency_unset(*out))
                *out = c;
            if (currency_is(*out, c))
                continue;
            error_set(err, ERROR_USAGE, "these months have costs in %s and %s", out->code,
                      c.code);
            error_hint(err, "--currency %s converts them, at the rate of each day", out->code);
            return false;
        }
    if (currency_unset(*out))
        *out = currency_usd;
    return true;
}

/* ---- what limits an answer ---- */

bool why_name_run(const struct ledger_run *run, struct arena *arena, struct str *out,
                  struct error *err)
{
    struct buf text = buf_new(arena->alloc, BUF_MAX_OUTPUT);

    buf_add(&text, run->start.name);
    buf_addf(&text, " (%.*s)", STR_ARG(ledger_short(run->start.id)));
    return buf_keep(&text, arena, out, err);
}

/* "40 % of each step of bert (aaaa0001) is waiting for data, by the metric data_time" */
static void write_wait(const struct why_wait *wait, struct str name, struct buf *out)
{
    if (!(wait->step_s > 0))
        return;
    value_share(wait->share, out);
    buf_adds(out, " of each step of ");
    buf_add(out, name);
    buf_adds(out, " is waiting for data, by ");
    buf_add(out, wait->known);
}

/* "1 of 8 GPUs was idle for 97 % of the time, while others worked: $1.20 of $10.00 went to it
 * ..."
 */
static void write_idle_devices(const struct ledger_run *run, struct str name,
                               const struct rows *uses, struct buf *out)
{
    struct idle_devices idle;

    if (!idle_devices_find(run, uses->at, uses->len, &idle))
        return;
    idle_devices_write_cost(&idle, out);
    buf_adds(out, " (");
    buf_add(out, name);
    buf_addf(out, "; by samples, if the price is that of all %d)", idle.devices);
}

bool why_note_run(const struct ledger_run *run, struct str name, const struct why_limits *of,
                  struct arena *arena, struct strs *notes, struct error *err)
{
    struct buf waiting = buf_new(arena->alloc, BUF_MAX_OUTPUT); /* names may be long */
    struct buf idle = buf_new(arena->alloc, BUF_MAX_OUTPUT);

    write_wait(of->wait, name, &waiting);
    write_idle_devices(run, name, of->uses, &idle);
    if (!note_keep(notes, arena, &waiting, err)) {
        buf_free(&idle);
        return false;
    }
    return note_keep(notes, arena, &idle, err) &&
           (of->seen ||
            note_add(notes, arena, err, "%s",
                     "what the machine did is not recorded: its time cannot be divided")) &&
           (run->state == RUN_DONE ||
            note_add(notes, arena, err, "%.*s is not complete: its state is %s", STR_ARG(name),
                     ledger_state_word(run->state, run->reason)));
}

static bool note_open_month(day since, day until, day today, struct arena *arena,
                            struct strs *notes, struct error *err)
{
    struct str month;

    return today.n < since.n || today.n >= until.n ||
           (costs_period_name(COSTS_MONTH, since, arena, &month, err) &&
            note_add(notes, arena, err, "%.*s is not over: %d of its %d days count",
                     STR_ARG(month), today.n - since.n + 1, until.n - since.n));
}

bool why_take_months(const struct strs *of, day today, struct arena *arena,
                     struct usage_query *out, struct why_result *res, struct error *err)
{
    for (size_t i = 0; i < of->len; i++) {
        struct days_asked asked = {.month = of->at[i]};
        size_t at = i + USAGE_PERIODS - of->len;

        if (!days_asked_parse(today, &asked, 0, &out->since[at], &out->until[at], err))
            return false;
    }
    if (of->len == 1) {
        out->until[0] = out->since[1];
        out->since[0] = day_month_add(out->since[1], -1);
    }
    for (int i = 0; i < USAGE_PERIODS; i++)
        if (!note_open_month(out->since[i], out->until[i], today, arena, &res->notes, err))
            return false;
    return costs_period_name(COSTS_MONTH, out->since[0], arena, &res->from, err) &&
           costs_period_name(COSTS_MONTH, out->since[1], arena, &res->to, err);
}

bool why_note_months(const struct spending_answer spent[static USAGE_PERIODS], bool filtered,
                     struct arena *arena, struct strs *notes, struct error *err)
{
    bool none[] = {spent[0].count == 0, spent[1].count == 0};

    if ((spent[0].unpriced > 0 || spent[1].unpriced > 0) &&
        !note_add(notes, arena, err, "runs without a known cost are not included"))
        return false;
    return (!none[0] && !none[1]) ||
           note_add(notes, arena, err, "%s",
                    filtered ? "nothing that matches is recorded of one of the months, or of "
                               "both"
                    : none[0] && none[1]
                        ? "nothing is recorded of these months: 'stint run' and "
                          "'stint import' add costs"
                        : "nothing is recorded of one of the months");
}
