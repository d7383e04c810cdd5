#include "advise/rules/followup.h"

#include <math.h>

#define SIGMAS 1.2816 /* of a normal distribution: 80 % lie within */
#define MONTH_DAYS 30.0

static const struct field decision_rows[] = {
    FIELD(TEXT, advise_decision, id, .help = "ID of the finding"),
    FIELD(TEXT, advise_decision, rule, .help = "rule that found it"),
    FIELD(TEXT, advise_decision, title, .help = "short title"),
    FIELD(TEXT, advise_decision, subject, .help = "subject: the job, or everything"),
    FIELD(TEXT, advise_decision, name, .empty_unknown = true, .help = "name of the job's runs"),
    FIELD(TEXT, advise_decision, project, .empty_unknown = true,
          .help = "project of the job's runs"),
    FIELD(ENUM, advise_decision, state, .names = finding_state_names,
          .help = "dismissed or applied"),
    FIELD(ENUM, advise_decision, lever, .names = advise_lever_names,
          .help = "setting it changes"),
    FIELD(TEXT, advise_decision, reason, .empty_unknown = true, .help = "reason given"),
    FIELD(TEXT, advise_decision, per, .help = "unit of the saving: month or run"),
    FIELD(TEXT, advise_decision, by, .empty_unknown = true, .help = "user who decided"),
    FIELD_AS("savings", USD, advise_decision, saving, .help = "savings predicted at that time"),
    FIELD_AS("savings_low", USD, advise_decision, saving_low, .help = "low end of the savings"),
    FIELD_AS("savings_high", USD, advise_decision, saving_high,
             .help = "high end of the savings"),
    FIELD(TIME, advise_decision, at, .help = "time of the decision"),
};
const struct field_set advise_decision_fields =
    FIELD_SET(struct advise_decision, decision_rows);

static const struct field followup_rows[] = {
    FIELD(RECORD, followup, decision, .row = &advise_decision_fields, .inlined = true),
    FIELD(TEXT, followup, unit, .empty_unknown = true,
          .help = "unit: step or run; null: nothing measured yet"),
    FIELD(NUMBER, followup, before, .help = "dollars per unit in the 30 days before"),
    FIELD(NUMBER, followup, after, .help = "dollars per unit since then"),
    FIELD(COUNT, followup, runs_before, .help = "completed runs before"),
    FIELD(COUNT, followup, runs_after, .help = "completed runs after"),
    FIELD(USD, followup, measured, .help = "measured monthly savings at the present pace"),
    FIELD(USD, followup, measured_low, .help = "low end of the 80 % range"),
    FIELD(USD, followup, measured_high, .help = "high end of the 80 % range"),
    FIELD(TEXT, followup, verdict, .help = "verdict in one sentence"),
};
const struct field_set followup_fields = FIELD_SET(struct followup, followup_rows);

/* ---- a side ---- */

struct side {
    double cost, units; /* of all runs */
    double error;       /* standard error of their ratio */
    int64_t done;
    bool steps; /* all that ended well count steps */
};

struct measuring {
    const struct advise_decision *decision;
    const struct advise_run *runs;
    size_t count;
    stamp from, until;
    bool steps; /* are the unit */
};

static bool is_one(const struct measuring *m, const struct advise_run *run)
{
    return str_eq(run->name, m->decision->name) && str_eq(run->project, m->decision->project) &&
           run->started.s >= m->from.s && run->started.s < m->until.s && run->cost.nano >= 0 &&
           run->ending != ENDED_RUNNING;
}

static double units_of(const struct measuring *m, const struct advise_run *run)
{
    if (run->ending != ENDED_WELL || run->repeats != REPEATS_NONE)
        return 0;
    return m->steps ? run->steps : 1;
}

static struct side sum_side(const struct measuring *m)
{
    struct side s = {.steps = true};

    for (size_t i = 0; i < m->count; i++) {
        const struct advise_run *run = &m->runs[i];

        if (!is_one(m, run))
            continue;
        s.cost += usd_double(run->cost);
        s.units += units_of(m, run);
        s.done += run->ending == ENDED_WELL;
        if (run->ending == ENDED_WELL && !(run->steps > 0))
            s.steps = false;
    }
    return s;
}

/* The standard error of cost over units, by leaving out each run in turn. */
static double ratio_error(const struct measuring *m, const struct side *s)
{
    double mean = 0, sum = 0, n = 0;

    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < m->count; i++) {
            const struct advise_run *run = &m->runs[i];
            double units = is_one(m, run) ? s->units - units_of(m, run) : 0, without;

            if (!(units > 0))
                continue;
            without = (s->cost - usd_double(run->cost)) / units;
            n += pass == 0;
            mean += pass == 0 ? without : 0;
            sum += pass == 0 ? 0 : (without - mean / n) * (without - mean / n);
        }
    return n > 1 ? sqrt(sum * (n - 1) / n) : NAN;
}

/* Does it leave a step what it is? */
static bool steps_comparable(enum advise_lever lever)
{
    return lever != LEVER_MEMORY && lever != LEVER_STEPS && lever != LEVER_METHOD &&
           lever != LEVER_REPEATS && lever != LEVER_CUSTOM;
}

/* ---- the measurement ---- */

static bool describe_followup(struct followup *out, struct arena *arena, struct error *err)
{
    const struct advise_decision *d = &out->decision;
    struct buf text = buf_new(arena->alloc, 512);

    buf_adds(&text, "predicted ");
    usd_write_estimate(d->saving, &text);
    buf_adds(&text, " a ");
    buf_add(&text, d->per);
    if (out->unit.len == 0) {
        buf_addf(&text,
                 "; too few completed runs yet: %lld before and %lld since, %d each are needed",
                 (long long)out->runs_before, (long long)out->runs_after, FOLLOWUP_RUNS);
        return buf_keep(&text, arena, &out->verdict, err);
    }
    buf_adds(&text, ", measured ");
    if (out->measured.nano < 0) {
        buf_adds(&text, "-");
        usd_write_estimate((usd){-out->measured.nano}, &text);
    } else {
        usd_write_estimate(out->measured, &text);
    }
    buf_adds(&text, " a month");
    if (out->measured_low.nano != MONEY_UNKNOWN && out->measured_low.nano < 0 &&
        out->measured_high.nano > 0)
        buf_adds(&text, ", which chance explains");
    return buf_keep(&text, arena, &out->verdict, err);
}

static void conclude(struct measuring *m, stamp now, struct followup *out)
{
    stamp since = out->decision.at;
    double days = (double)(now.s - since.s) / (double)SECONDS_PER_DAY;
    struct side before, after;
    double pace, saved, error;

    m->from = (stamp){since.s - FOLLOWUP_DAYS * SECONDS_PER_DAY};
    m->until = since;
    before = sum_side(m);
    before.error = ratio_error(m, &before);
    m->from = since;
    m->until = now;
    after = sum_side(m);
    after.error = ratio_error(m, &after);
    if (!(before.units > 0) || !(after.units > 0) || !(days > 0))
        return;
    out->unit = m->steps ? STR("step") : STR("run");
    out->before = before.cost / before.units;
    out->after = after.cost / after.units;
    pace = after.units * MONTH_DAYS / days;
    saved = (out->before - out->after) * pace;
    error = SIGMAS * hypot(before.error, after.error) * pace;
    out->measured = usd_from(saved);
    out->measured_low = usd_from(saved - error);
    out->measured_high = usd_from(saved + error);
}

bool followup_measure(const struct advise_decision *decision, const struct advise_run *runs,
                      size_t count, stamp now, struct arena *arena, struct followup *out,
                      struct error *err)
{
    struct measuring m = {.decision = decision, .runs = runs, .count = count};
    struct side before, after;

    *out = (struct followup){.decision = *decision,
                             .before = NAN,
                             .after = NAN,
                             .measured = USD_UNKNOWN,
                             .measured_low = USD_UNKNOWN,
                             .measured_high = USD_UNKNOWN};
    m.from = (stamp){decision->at.s - FOLLOWUP_DAYS * SECONDS_PER_DAY};
    m.until = decision->at;
    before = sum_side(&m);
    m.from = decision->at;
    m.until = now;
    after = sum_side(&m);
    out->runs_before = before.done;
    out->runs_after = after.done;
    m.steps = before.steps && after.steps && steps_comparable(decision->lever);
    if (before.done >= FOLLOWUP_RUNS && after.done >= FOLLOWUP_RUNS)
        conclude(&m, now, out);
    return describe_followup(out, arena, err);
}

void findings_decided(struct findings *list, const struct advise_decision *decisions,
                      size_t count)
{
    for (size_t i = 0; i < list->count; i++)
        for (size_t k = 0; k < count; k++)
            if (str_eq(str_from(list->at[i].id), decisions[k].id)) {
                list->at[i].state = decisions[k].state;
                list->at[i].reason = decisions[k].reason;
                list->at[i].decided = decisions[k].at;
            }
}
