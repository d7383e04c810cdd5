#include "report/work_advice.h"
#include "unit/shown.h"

#include <math.h>
#include <stdlib.h>

#define ADVICE_MAX 12

const char *const advice_category_names[] = {"training", "deployment", NULL};
const char *const advice_effort_names[] = {"easy", "moderate", "hard", NULL};
const char *const advice_priority_names[] = {"high", "medium", "low", NULL};

static const struct field advice_fields[] = {
    FIELD(ENUM, work_advice, category, .names = advice_category_names,
          .help = "area that has to change"),
    FIELD(ENUM, work_advice, priority, .names = advice_priority_names,
          .help = "priority: high from 25 % of the cost, medium from 10 %"),
    FIELD_AS("recommendation", TEXT, work_advice, text,
             .help = "recommendation in one sentence"),
    FIELD_AS("expected_improvement", TEXT, work_advice, improvement,
             .help = "expected savings"),
    FIELD_AS("implementation_effort", ENUM, work_advice, effort, .names = advice_effort_names,
             .help = "effort: easy, moderate or hard"),
    FIELD_AS("estimated_cost_reduction", NUMBER, work_advice, share, .divisor = 0.01,
             .help = "cost reduction in percent"),
    FIELD_AS("code_example", TEXT, work_advice, command, .empty_unknown = true,
             .help = "command to type"),
    FIELD(TEXT, work_advice, title, .help = "short title"),
    FIELD_AS("savings", USD, work_advice, saving,
             .help = "computed savings; savings do not add up"),
};
const struct field_set work_advice_fields = FIELD_SET(struct work_advice, advice_fields);

struct work_advising {
    const struct report_work *work;
    const struct work_comparison *comparison;
    struct arena *arena;
    struct work_advice *list;
    size_t count;
    struct error *err;
    bool failed;
};

static struct str keep_advice_text(struct work_advising *a, struct buf *text)
{
    struct str out = {0};

    if (a->failed)
        buf_free(text);
    else
        a->failed = !buf_keep(text, a->arena, &out, a->err);
    return out;
}

static struct buf blank_advice_text(const struct work_advising *a)
{
    return buf_new(a->arena->alloc, 2048);
}

static void add_work_advice(struct work_advising *a, struct work_advice advice, usd saving)
{
    double whole = usd_double(a->work->cost), share = usd_double(saving) / whole;
    struct buf text;

    if (!(share >= ADVICE_LEAST_SHARE) || a->count == ADVICE_MAX)
        return;
    text = blank_advice_text(a);
    buf_adds(&text, "saves up to ");
    usd_write_estimate(saving, &text);
    buf_adds(&text, " of ");
    usd_write_estimate(a->work->cost, &text);
    buf_addf(&text, " (%s)", percent_text(share).text);
    advice.improvement = keep_advice_text(a, &text);
    advice.saving = saving;
    advice.share = share;
    advice.priority = share >= ADVICE_HIGH_SHARE     ? ADVICE_HIGH
                      : share >= ADVICE_MEDIUM_SHARE ? ADVICE_MEDIUM
                                                     : ADVICE_LOW;
    a->list[a->count++] = advice;
}

/* ---- what the rules of advise found in a run ---- */

static struct str write_finding(struct work_advising *a, const struct finding *f)
{
    struct buf text = blank_advice_text(a);

    buf_add(&text, f->title);
    buf_adds(&text, ": ");
    buf_add(&text, f->evidence);
    return keep_advice_text(a, &text);
}

/* "saves $1.20 of $4.00 (30 %), $0.80 to $1.40" */
static struct str write_advice_saving(struct work_advising *a, const struct finding *f)
{
    struct buf text = blank_advice_text(a);

    buf_adds(&text, "saves ");
    usd_write_estimate(f->saving, &text);
    buf_adds(&text, " of ");
    usd_write_estimate(a->work->cost, &text);
    buf_addf(&text, " (%s), ", percent_text(f->share).text);
    usd_write_estimate(f->saving_low, &text);
    buf_adds(&text, " to ");
    usd_write_estimate(f->saving_high, &text);
    return keep_advice_text(a, &text);
}

static void advise_findings(struct work_advising *a)
{
    static const enum advice_effort efforts[] = {[EFFORT_MINUTES] = ADVICE_EASY,
                                                 [EFFORT_HOURS] = ADVICE_MODERATE,
                                                 [EFFORT_DAYS] = ADVICE_HARD};
    const struct rows *rows = &a->work->advice.result.findings;
    const struct finding *found = rows->at;

    for (size_t i = 0; i < rows->len; i++) {
        const struct finding *f = &found[i];
        size_t before = a->count;

        add_work_advice(a,
                        (struct work_advice){.category = f->lever == LEVER_MACHINE
                                                             ? ADVICE_DEPLOYMENT
                                                             : ADVICE_TRAINING,
                                             .effort = efforts[f->effort],
                                             .title = f->title,
                                             .text = write_finding(a, f),
                                             .command = f->action},
                        f->saving);
        if (a->count > before)
            a->list[before].improvement = write_advice_saving(a, f);
    }
}

/* ---- what the comparison shows ---- */

/* "aws/us-east-1/g5.xlarge spot (1x A10G): $0.05 in 17 min" */
static void write_advice_option(const struct work_option *o, struct buf *out)
{
    buf_add(out, o->offer);
    buf_addf(out, " %s (%lldx %.*s): ", market_names[o->market], (long long)o->gpus,
             STR_ARG(o->accelerator));
    usd_write_estimate(o->cost, out);
    buf_adds(out, ", ");
    usd_write_estimate(o->cost_low, out);
    buf_adds(out, " to ");
    usd_write_estimate(o->cost_high, out);
    if (isnan(o->hours))
        return;
    buf_adds(out, ", in ");
    span_write((span){llround(o->hours * 3600) * SECOND}, out);
}

static struct str write_run_command(struct work_advising *a, const struct work_option *o)
{
    struct buf text = blank_advice_text(a);

    buf_adds(&text, "stint run --offer ");
    buf_add(&text, o->offer);
    buf_addf(&text, ":%s -- COMMAND", market_names[o->market]);
    return keep_advice_text(a, &text);
}

static void advise_option(struct work_advising *a, const struct work_option *o,
                          const char *title, const char *before, enum advice_effort effort)
{
    struct buf text;
    usd saving;

    if (o == NULL)
        return;
    saving = usd_less(a->work->time_cost, o->cost);
    if (saving.nano == MONEY_UNKNOWN || saving.nano <= 0)
        return;
    text = blank_advice_text(a);
    buf_adds(&text, before);
    write_advice_option(o, &text);
    add_work_advice(a,
                    (struct work_advice){.category = ADVICE_DEPLOYMENT,
                                         .effort = effort,
                                         .title = str_from(title),
                                         .text = keep_advice_text(a, &text),
                                         .command = write_run_command(a, o)},
                    saving);
}

static void advise_market(struct work_advising *a)
{
    const struct report_work *w = a->work;
    bool spot = str_eq(w->market, STR("spot"));
    struct str rest = w->offer, provider = str_cut(&rest, '/');
    const struct work_option *own =
        work_option_of(a->comparison, provider, spot ? MARKET_SPOT : MARKET_ON_DEMAND);
    const struct work_option *best =
        work_cheapest(a->comparison, spot ? MARKET_SPOT : MARKET_ON_DEMAND);
    bool smaller = own != NULL && w->gpu != NULL && own->memory_gb < w->gpu->memory_gb;

    if (a->comparison->same_time) /* how long it takes elsewhere is not known */
        return;
    advise_option(a, own, smaller ? "smaller GPU" : "cheaper machine",
                  "The same provider has a cheaper machine for this work: ", ADVICE_EASY);
    if (best != own)
        advise_option(a, best, "cheaper provider",
                      "Another provider does this work for less: ", ADVICE_MODERATE);
    if (!spot)
        advise_option(a, work_cheapest(a->comparison, MARKET_SPOT), "spot machines",
                      "Spot machines do this work for less, without interruptions: ",
                      w->has_checkpoints ? ADVICE_EASY : ADVICE_MODERATE);
}

static int by_advice_saving(const void *a, const void *b)
{
    const struct work_advice *x = a, *y = b;
    int order = usd_compare(y->saving, x->saving);

    return order != 0 ? order : str_cmp(x->title, y->title);
}

bool work_advise(const struct report_work *work, const struct work_comparison *comparison,
                 struct arena *arena, struct rows *out, struct error *err)
{
    struct work_advising a = {
        .work = work, .comparison = comparison, .arena = arena, .err = err};

    *out = (struct rows){0};
    if (!(work->cost.nano > 0))
        return true;
    a.list = arena_array(arena, struct work_advice, ADVICE_MAX, err);
    if (a.list == NULL)
        return false;
    if (work->advice.command.len > 0)
        advise_findings(&a);
    else
        advise_market(&a);
    if (a.failed)
        return false;
    qsort(a.list, a.count, sizeof a.list[0], by_advice_saving);
    *out = (struct rows){a.list, a.count};
    return true;
}
