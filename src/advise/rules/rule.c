#include "advise/rules/rule.h"

#include <math.h>

#define TEXT_MAX ((size_t)1 << 13)

/* ---- the tables ---- */

static const struct advise_rules *const tables[] = {
    &advise_machine_rules,  &advise_place_rules,   &advise_waste_rules,
    &advise_training_rules, &advise_serving_rules, &advise_storage_rules,
    &advise_stopping_rules, &advise_power_rules,   &advise_bill_rules,
};

const struct advise_rules *advise_rules_table(size_t number)
{
    return number < ARRAY_LEN(tables) ? tables[number] : NULL;
}

const struct advise_rule *advise_rule_named(struct str name)
{
    for (size_t t = 0; t < ARRAY_LEN(tables); t++)
        for (size_t i = 0; i < tables[t]->len; i++)
            if (str_eq(str_from(tables[t]->at[i].name), name))
                return &tables[t]->at[i];
    return NULL;
}

static const struct field row_fields[] = {
    FIELD(TEXT, advise_rule_row, name, .help = "stable name: finding IDs begin with it"),
    FIELD(ENUM, advise_rule_row, category, .names = advise_category_names,
          .help = "compute, training, serving, storage or carbon"),
    FIELD(TEXT, advise_rule_row, title, .help = "short title"),
    FIELD(ENUM, advise_rule_row, effort, .names = advise_effort_names, .help = "usual effort"),
    FIELD(ENUM, advise_rule_row, risk, .names = advise_risk_names, .help = "usual risk"),
    FIELD(ENUM, advise_rule_row, lever, .names = advise_lever_names,
          .help = "setting it changes"),
    FIELD(TEXT, advise_rule_row, uses, .help = "facts it uses"),
    FIELD(TEXT, advise_rule_row, applies, .help = "condition for applying it"),
    FIELD(TEXT, advise_rule_row, computed, .help = "formula of the savings"),
    FIELD(TEXT, advise_rule_row, source, .help = "source of the rule"),
};
const struct field_set advise_rule_fields = FIELD_SET(struct advise_rule_row, row_fields);

struct advise_rule_row advise_rule_row(const struct advise_rule *rule)
{
    return (struct advise_rule_row){.name = str_from(rule->name),
                                    .title = str_from(rule->title),
                                    .uses = str_from(rule->uses),
                                    .applies = str_from(rule->applies),
                                    .computed = str_from(rule->computed),
                                    .source = str_from(rule->source),
                                    .category = rule->category,
                                    .effort = rule->effort,
                                    .risk = rule->risk,
                                    .lever = rule->lever};
}

bool advise_rules_list(struct arena *arena, struct rows *out, struct error *err)
{
    struct advise_rule_row *rows;
    size_t count = 0, n = 0;

    for (size_t t = 0; t < ARRAY_LEN(tables); t++)
        count += tables[t]->len;
    rows = arena_array(arena, struct advise_rule_row, count, err);
    if (rows == NULL)
        return false;
    for (size_t t = 0; t < ARRAY_LEN(tables); t++)
        for (size_t i = 0; i < tables[t]->len; i++)
            rows[n++] = advise_rule_row(&tables[t]->at[i]);
    *out = (struct rows){rows, n};
    return true;
}

/* ---- a finding ---- */

#define SLOWER 1.5
#define MUCH_SLOWER 3.0

enum advise_risk advise_risk_of_time(enum advise_risk risk, double times)
{
    enum advise_risk slow = times > MUCH_SLOWER ? RISK_HIGH
                            : times > SLOWER    ? RISK_MEDIUM
                                                : RISK_NONE;

    return risk > slow ? risk : slow;
}

struct finding_draft finding_begin(const struct advising *a)
{
    const struct alloc *alloc = a->arena->alloc;

    return (struct finding_draft){.evidence = buf_new(alloc, TEXT_MAX),
                                  .action = buf_new(alloc, TEXT_MAX),
                                  .method = buf_new(alloc, TEXT_MAX),
                                  .saving = {NAN, NAN, NAN},
                                  .parts = a->rule->parts,
                                  .lever = a->rule->lever,
                                  .effort = a->rule->effort,
                                  .risk = a->rule->risk,
                                  .source = str_from(a->rule->source)};
}

void finding_drop(struct finding_draft *draft)
{
    buf_free(&draft->evidence);
    buf_free(&draft->action);
    buf_free(&draft->method);
}

/* In order, and between nothing and `most`. Without a range the middle is all there is. */
static struct saving bounded(struct saving s, double most)
{
    double mid = s.mid < most ? s.mid : isnan(s.mid) ? (double)NAN : most;

    return (struct saving){.low = isnan(s.low) ? mid : fmax(0, fmin(s.low, mid)),
                           .mid = mid,
                           .high = isnan(s.high) ? mid : fmin(fmax(s.high, mid), most)};
}

static bool keep_finding_texts(struct finding_draft *d, struct arena *arena, struct finding *f,
                               struct error *err)
{
    bool ok = buf_keep(&d->evidence, arena, &f->evidence, err);

    ok = ok ? buf_keep(&d->action, arena, &f->action, err) : (buf_free(&d->action), false);
    ok = ok ? buf_keep(&d->method, arena, &f->method, err) : (buf_free(&d->method), false);
    return ok;
}

static struct saving scale_saving(struct saving s, double scale)
{
    if (scale == 0)
        return s;
    return (struct saving){s.low * scale, s.mid * scale, s.high * scale};
}

bool finding_end(struct advising *a, struct finding_draft *d, struct error *err)
{
    double whole = advise_money_sum(a->money, PARTS_ALL);
    double acts_on = advise_money_sum(a->money, d->parts);
    struct saving s = bounded(scale_saving(d->saving, a->scale), acts_on);
    struct findings *out = a->out;
    struct finding *f;

    if (!(s.mid > 0) ||
        !(s.mid >= fmin(FINDING_LEAST * whole, d->least > 0 ? d->least : INFINITY))) {
        finding_drop(d);
        return true;
    }
    f = arena_grow(out->arena, out->at, out->count, sizeof *out->at, &out->room, err);
    if (f == NULL) {
        finding_drop(d);
        return false;
    }
    out->at = f;
    f = &out->at[out->count];
    *f = (struct finding){.rule = str_from(a->rule->name),
                          .title = str_from(a->rule->title),
                          .category = a->rule->category,
                          .effort = d->effort,
                          .risk = d->risk,
                          .lever = d->lever,
                          .about = a->about,
                          .subject = a->subject,
                          .source = d->source,
                          .parts = d->parts,
                          .acts_on = acts_on,
                          .by_subject = d->by_subject,
                          .change = d->change,
                          .saving = usd_from(s.mid),
                          .saving_low = usd_from(s.low),
                          .saving_high = usd_from(s.high),
                          .share = s.mid / whole,
                          .adds = USD_UNKNOWN,
                          .decided = STAMP_UNKNOWN};
    f->possible = finding_is_possible(f);
    finding_id(f->rule, f->subject, f->id);
    if (!keep_finding_texts(d, a->arena, f, err))
        return false;
    out->count++;
    return true;
}

void advise_write_offer(struct str offer, struct buf *out)
{
    struct str rest = offer, provider = str_cut(&rest, '/'), region = str_cut(&rest, '/');

    if (!str_eq(region, STR("*"))) {
        buf_add(out, offer);
        return;
    }
    buf_add(out, provider);
    buf_char(out, '/');
    buf_add(out, rest);
}

/* ---- all of them ---- */

bool advise_subjects(const struct advise_facts *facts, struct arena *arena,
                     struct advise_money **out, size_t *count, struct error *err)
{
    const struct advise_work *works = facts->works.at;

    *count = facts->works.len + (facts->job != NULL);
    *out = arena_array(arena, struct advise_money, *count, err);
    if (*out == NULL)
        return false;
    for (size_t i = 0; i < facts->works.len; i++)
        (*out)[i] = works[i].money;
    if (facts->job != NULL)
        (*out)[facts->works.len] = facts->job_money;
    return true;
}

/* All works and what is in none. */
static struct advise_money everything(const struct advise_facts *facts)
{
    const struct advise_work *works = facts->works.at;
    struct advise_money sum = facts->rest;

    for (size_t i = 0; i < facts->works.len; i++)
        for (int p = 0; p < ADVISE_PARTS; p++)
            sum.part[p] += works[i].money.part[p];
    return sum;
}

/* What follows the time of steps. Where nothing is known of the time but that machines ran, the
 * share of it that the estimate has. */
#define PARTS_STEP (PART_BIT(PART_TRAIN) | PART_BIT(PART_EVALUATE) | PART_BIT(PART_SAVE))

static double measured_scale(const struct advise_work *w)
{
    double estimated = advise_money_sum(&w->job_money, PARTS_STEP);
    double measured = advise_money_sum(&w->money, PARTS_STEP);

    if (!(w->money.part[PART_TRAIN] > 0))
        measured = w->money.part[PART_UNSEEN] * estimated /
                   advise_money_sum(&w->job_money, PARTS_MACHINE);
    return measured / estimated;
}

/* The mean of its runs; NaN: not measured. */
static double measured_step(const struct advise_work *w)
{
    const struct advise_run *const *runs = w->list.at;
    double sum = 0, n = 0;

    for (size_t i = 0; i < w->list.len; i++)
        if (runs[i]->step_s > 0) {
            sum += runs[i]->step_s;
            n++;
        }
    return n > 0 ? sum / n : (double)NAN;
}

/* "...; in proportion to the $4.00 that steps cost; a step took 0.83 s, estimated 0.71 s" */
static bool note_measured(const struct advise_work *w, struct arena *arena, struct finding *f,
                          struct error *err)
{
    struct buf text = buf_new(arena->alloc, TEXT_MAX);
    double measured = measured_scale(w) * advise_money_sum(&w->job_money, PARTS_STEP);
    double step = measured_step(w);

    buf_add(&text, f->method);
    buf_adds(&text, "; in proportion to the ");
    usd_write_estimate(usd_from(measured), &text);
    buf_adds(&text, " that steps cost");
    if (!isnan(step))
        buf_addf(&text, "; a step took %.3g s, estimated %.3g s", step,
                 w->job->base->step_s.value);
    return buf_keep(&text, arena, &f->method, err);
}

/* A recorded job: the estimate says which share is saved, what was measured of how much. */
static bool apply_to_jobs(struct advising *a, struct error *err)
{
    const struct advise_facts *all = a->facts;
    const struct advise_work *works = all->works.at;
    bool ok = true;

    if (a->rule->category != ADVISE_TRAINING)
        return true;
    for (size_t i = 0; i < all->works.len && ok; i++) {
        struct advise_facts own = *all;
        size_t before = a->out->count;

        if (works[i].job == NULL)
            continue;
        own.job = works[i].job;
        own.job_money = works[i].job_money;
        own.job_name = works[i].subject;
        a->facts = &own;
        a->about = i;
        a->subject = works[i].subject;
        a->money = &works[i].money;
        a->scale = measured_scale(&works[i]);
        ok = !(a->scale > 0) || a->rule->find(a, err);
        for (size_t k = before; k < a->out->count && ok; k++)
            ok = note_measured(&works[i], a->arena, &a->out->at[k], err);
    }
    a->facts = all;
    a->scale = 0;
    return ok;
}

static bool apply_advise_rule(struct advising *a, const struct advise_money *all,
                              struct error *err)
{
    const struct advise_facts *facts = a->facts;
    const struct advise_work *works = facts->works.at;

    switch (a->rule->scope) {
    case SCOPE_WORK:
        for (size_t i = 0; i < facts->works.len; i++) {
            a->work = &works[i];
            a->about = i;
            a->subject = works[i].subject;
            a->money = &works[i].money;
            if (!a->rule->find(a, err))
                return false;
        }
        return true;
    case SCOPE_PERIOD:
        a->work = NULL;
        a->about = SUBJECT_ALL;
        a->subject = facts->works.len > 0 ? STR("all runs") : STR("all bills");
        a->money = all;
        return (facts->works.len == 0 && facts->bills.resources == 0) || a->rule->find(a, err);
    case SCOPE_JOB:
        a->work = NULL;
        a->about = facts->works.len;
        a->subject = facts->job_name;
        a->money = &facts->job_money;
        return (facts->job == NULL || a->rule->find(a, err)) && apply_to_jobs(a, err);
    }
    return true;
}

bool advise_apply(const struct advise_facts *facts, struct findings *out, struct error *err)
{
    struct advise_money all = everything(facts);
    struct advising a = {.facts = facts, .arena = out->arena, .out = out};

    for (size_t t = 0; t < ARRAY_LEN(tables); t++)
        for (size_t i = 0; i < tables[t]->len; i++) {
            size_t before = out->count;

            a.rule = &tables[t]->at[i];
            if (!apply_advise_rule(&a, &all, err))
                return false;
            log_write(out->log, LOG_DEBUG, "rule %s: %zu findings", a.rule->name,
                      out->count - before);
        }
    return true;
}
