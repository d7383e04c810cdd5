/* The figures of a report about a piece of work. */
#include <math.h>
#include <stdio.h>

#include "estimate/money/carbon.h"
#include "report/work_facts.h"
#include "unit/shown.h"
#include "unit/size.h"

#define PANELS_MAX 8
#define PANEL_BARS 9       /* of the comparison on the dashboard */
#define MOST_TIMES 12.0    /* of the cheapest: what costs more is left to the table */
#define PARTS_MAX 16       /* of the cost */
#define LEAST_AMOUNT 0.001 /* less is "<0.001" */
#define LEAST_PART 0.0005  /* of the cost: smaller ones would not be seen */

struct drawing {
    const struct work_facts *facts;
    struct arena *arena;
    struct error *err;
    bool failed;
};

static struct str keep_figure_text(struct drawing *d, struct buf *text)
{
    struct str out = {0};

    if (d->failed)
        buf_free(text);
    else
        d->failed = !buf_keep(text, d->arena, &out, d->err);
    return out;
}

static struct buf blank_figure_text(const struct drawing *d)
{
    return buf_new(d->arena->alloc, 4096);
}

static struct figure_point *points_new(struct drawing *d, size_t count)
{
    struct figure_point *points =
        d->failed ? NULL : arena_array(d->arena, struct figure_point, count, d->err);

    d->failed = points == NULL;
    return points;
}

/* The only series of a figure. */
static void one_series(struct drawing *d, struct figure *f, const struct figure_point *points,
                       size_t count)
{
    struct figure_series *series =
        d->failed ? NULL : arena_array(d->arena, struct figure_series, 1, d->err);

    d->failed = series == NULL;
    if (d->failed)
        return;
    *series = (struct figure_series){.at = points, .len = count};
    f->series = series;
    f->series_count = 1;
}

/* ---- where the money went ---- */

static size_t add_part_points(const struct rows *list, double whole,
                              struct figure_point *points, size_t count, bool but_compute)
{
    const struct run_part *parts = list->at;

    for (size_t i = 0; i < list->len && count < PARTS_MAX; i++)
        if (usd_double(parts[i].cost) > whole * LEAST_PART &&
            !(but_compute && str_eq(parts[i].item, STR("compute"))))
            points[count++] =
                (struct figure_point){.label = parts[i].item, .y = usd_double(parts[i].cost)};
    return count;
}

/* Compute by phase where that is known, and the other kinds of cost. */
static struct figure draw_breakdown(struct drawing *d)
{
    const struct report_work *w = &d->facts->work;
    struct figure f = {.kind = FIGURE_DONUT,
                       .title = w->modeled ? STR("Where the money goes")
                                           : STR("Where the money went"),
                       .y = {.unit = FIGURE_USD}};
    struct figure_point *points = points_new(d, PARTS_MAX);
    double whole = usd_double(w->cost);
    size_t count = 0;

    if (d->failed)
        return f;
    if (!isnan(whole)) {
        count = add_part_points(&w->phases, whole, points, 0, false);
        count = add_part_points(&w->costs, whole, points, count, count > 0);
        if (count == 0)
            points[count++] = (struct figure_point){
                .label = w->electricity ? STR("electricity") : STR("machine"), .y = whole};
    } else {
        f.kind = FIGURE_FACTS;
        points[count++] = (struct figure_point){.label = STR("the price of the machine"),
                                                .note = STR("unknown")};
    }
    one_series(d, &f, points, count);
    return f;
}

/* ---- the same work elsewhere ---- */

static struct str work_option_label(struct drawing *d, const struct work_option *o)
{
    struct buf text = blank_figure_text(d);

    buf_add(&text, o->provider);
    buf_adds(&text, ", ");
    if (o->gpus > 1)
        buf_addf(&text, "%lldx ", (long long)o->gpus);
    if (o->accelerator.len > 0)
        buf_add(&text, o->accelerator);
    else
        buf_addf(&text, "%.3g vCPUs", o->vcpus);
    return keep_figure_text(d, &text);
}

/* An old price loses to a fresh one that is a little higher: that is said. */
static struct str option_note(struct drawing *d, const struct work_option *o, bool marked)
{
    struct buf text = blank_figure_text(d);

    buf_adds(&text, marked ? "cheapest" : "");
    if (o->old) {
        buf_adds(&text, marked ? ", price from " : "price from ");
        day_write(o->date, &text);
    }
    return keep_figure_text(d, &text);
}

static struct figure_point option_point(struct drawing *d, const struct work_option *o,
                                        bool marked)
{
    return (struct figure_point){.label = work_option_label(d, o),
                                 .note = option_note(d, o, marked),
                                 .y = usd_double(o->cost),
                                 .low = usd_double(o->cost_low),
                                 .high = usd_double(o->cost_high),
                                 .marked = marked};
}

static struct str own_label(struct drawing *d)
{
    const struct report_work *w = &d->facts->work;
    struct buf text = blank_figure_text(d);

    buf_adds(&text, str_eq(w->kind, STR("plan")) ? "this plan" : "this ");
    if (!str_eq(w->kind, STR("plan")))
        buf_add(&text, w->kind);
    if (w->market.len > 0) {
        buf_adds(&text, ", ");
        buf_add(&text, w->market);
    }
    return keep_figure_text(d, &text);
}

/* What costs far more than the cheapest would make the others too short to be compared. */
static bool is_option_shown(const struct work_comparison *c, const struct work_option *o)
{
    const struct work_option *best = work_cheapest(c, o->market);

    return usd_double(o->cost) <= MOST_TIMES * usd_double(best->cost);
}

/* So many options of a market. */
static size_t market_points(struct drawing *d, enum market market, size_t most,
                            struct figure_point *points)
{
    const struct work_comparison *c = &d->facts->comparison;
    const struct work_option *options = c->options.at;
    size_t count = 0;

    for (size_t i = 0; i < c->options.len && count < most && !d->failed; i++)
        if (options[i].market == market && is_option_shown(c, &options[i])) {
            points[count] = option_point(d, &options[i], options[i].cheapest);
            count++;
        }
    return count;
}

static struct str own_note(const struct report_work *w)
{
    return w->electricity ? STR("electricity only")
           : w->modeled   ? STR("estimated")
                          : STR("paid");
}

static size_t own_points(struct drawing *d, struct figure_point *points)
{
    const struct work_facts *facts = d->facts;
    size_t count = 0;

    if (facts->work.cost.nano != MONEY_UNKNOWN) {
        points[count] = (struct figure_point){.label = own_label(d),
                                              .y = usd_double(facts->work.cost),
                                              .note = own_note(&facts->work),
                                              .muted = true};
        count++;
    }
    if (facts->comparison.local.nano != MONEY_UNKNOWN && !facts->work.electricity)
        points[count++] = (struct figure_point){.label = STR("at home"),
                                                .y = usd_double(facts->comparison.local),
                                                .note = STR("electricity only"),
                                                .muted = true};
    return count;
}

static struct str options_note(struct drawing *d, const char *what)
{
    const struct work_facts *facts = d->facts;
    struct buf text = blank_figure_text(d);

    if (facts->no_options.len > 0)
        buf_add(&text, facts->no_options);
    else
        buf_addf(&text, "%s, %s", what,
                 facts->comparison.planned     ? "of the plan's choices"
                 : facts->comparison.cpus      ? "same time assumed"
                 : facts->comparison.same_time ? "same time on every GPU assumed"
                                               : "time by GPU modeled");
    return keep_figure_text(d, &text);
}

static struct figure draw_providers(struct drawing *d)
{
    struct figure f = {.kind = FIGURE_BARS,
                       .title = STR("The same work elsewhere"),
                       .note = options_note(d, "Cheapest on-demand machine of each provider"),
                       .y = {.unit = FIGURE_USD}};
    struct figure_point *points = points_new(d, PANEL_BARS + 2);
    size_t count;

    if (d->failed)
        return f;
    count = own_points(d, points);
    count += market_points(d, MARKET_ON_DEMAND, PANEL_BARS - count, points + count);
    one_series(d, &f, points, count);
    return f;
}

/* ---- efficiency ---- */

#define TEXT(literal) \
    { \
        literal, sizeof(literal) - 1 \
    } /* in a constant */

static const struct figure_band score_bands[] = {
    {60, TEXT("needs improvement"), FIGURE_BAD},
    {80, TEXT("good"), FIGURE_FAIR},
    {100, TEXT("excellent"), FIGURE_GOOD},
};

/* "GPU busy 83 %, memory 40 % used" */
static struct str use_text(struct drawing *d)
{
    const struct report_work *w = &d->facts->work;
    double memory = w->gpu_memory_peak / w->gpu_memory_total;
    struct buf text = blank_figure_text(d);

    if (!isnan(w->gpu_busy))
        buf_addf(&text, "GPU busy %s", percent_text(w->gpu_busy).text);
    if (!isnan(memory))
        buf_addf(&text, "%smemory %s used", text.len > 0 ? ", " : "",
                 percent_text(memory).text);
    return keep_figure_text(d, &text);
}

static struct figure draw_score(struct drawing *d)
{
    const struct report_work *w = &d->facts->work;
    struct figure f = {.kind = FIGURE_GAUGE,
                       .title = STR("Efficiency"),
                       .y = {.from = 0, .to = 100},
                       .bands = score_bands,
                       .band_count = ARRAY_LEN(score_bands)};
    struct figure_point *points = points_new(d, 1);

    if (d->failed)
        return f;
    if (isnan(w->score)) {
        f.kind = FIGURE_FACTS;
        points[0] = (struct figure_point){.note = STR("not metered"),
                                          .label = STR("'stint run -- COMMAND' scores it")};
    } else {
        points[0] = (struct figure_point){.y = round(w->score), .note = use_text(d)};
    }
    one_series(d, &f, points, 1);
    return f;
}

/* ---- use of the machine ---- */

static struct str amount_text(struct drawing *d, double value, const char *unit)
{
    struct buf text = blank_figure_text(d);

    if (value > 0 && value < LEAST_AMOUNT) {
        buf_char(&text, '<');
        value = LEAST_AMOUNT;
    }
    figure_value(FIGURE_NUMBER, value, &text);
    buf_addf(&text, "%s", unit);
    return keep_figure_text(d, &text);
}

static void add_use(struct drawing *d, struct figure_point *points, size_t *count,
                    struct str label, double value, const double usual[2])
{
    struct figure_point *p = &points[*count];

    if (isnan(value))
        return;
    *p = (struct figure_point){.label = label, .y = value};
    if (d->facts->work.usual.runs > 0 && !isnan(usual[0])) {
        struct buf text = blank_figure_text(d);

        p->low = usual[0];
        p->high = usual[1];
        buf_addf(&text, "usual %.0f to %s", usual[0] * 100, percent_text(usual[1]).text);
        p->note = keep_figure_text(d, &text);
    }
    (*count)++;
}

static struct str use_note(struct drawing *d)
{
    const struct work_usual *u = &d->facts->work.usual;
    struct buf text = blank_figure_text(d);

    if (d->facts->work.modeled)
        buf_adds(&text, "Estimated");
    else if (u->runs > 0)
        buf_addf(&text, "Lines: the middle half of your %lld other runs", (long long)u->runs);
    else
        buf_adds(&text, "No other runs to compare with yet");
    return keep_figure_text(d, &text);
}

/* Without a GPU: memory and cores, as far as they are known. */
static size_t add_processor_point(struct drawing *d, struct figure_point *points)
{
    const struct report_work *w = &d->facts->work;
    struct buf text = blank_figure_text(d);
    bool any = !isnan(w->memory_peak) || !isnan(w->cpu_cores);

    if (!isnan(w->memory_peak))
        bytes_write(bytes_from(w->memory_peak), &text);
    else
        buf_adds(&text, any ? "unknown" : "not metered");
    points[0] =
        (struct figure_point){.note = keep_figure_text(d, &text),
                              .label = any ? STR("of memory at most; no GPU was metered")
                                           : STR("'stint run -- COMMAND' meters it")};
    if (isnan(w->cpu_cores))
        return 1;
    points[1] = (struct figure_point){.label = STR("processor cores busy, on average"),
                                      .y = w->cpu_cores};
    points[1].note = amount_text(d, w->cpu_cores, "");
    return 2;
}

/* "GPU 3 busy" */
static void add_device_uses(struct drawing *d, struct figure_point *points, size_t *count)
{
    const struct device_use *uses = d->facts->work.devices.at;
    const double none[2] = {NAN, NAN};

    for (size_t i = 0; i < d->facts->work.devices.len; i++) {
        struct buf label = blank_figure_text(d);

        buf_addf(&label, "GPU %lld busy", (long long)uses[i].device.number);
        add_use(d, points, count, keep_figure_text(d, &label), uses[i].busy, none);
    }
}

static struct figure draw_use_figure(struct drawing *d)
{
    const struct report_work *w = &d->facts->work;
    struct figure f = {.kind = FIGURE_BARS,
                       .title = STR("Resource use"),
                       .y = {.unit = FIGURE_SHARE, .from = 0, .to = 1},
                       .note = use_note(d)};
    struct figure_point *points = points_new(d, 4 + w->devices.len);
    size_t count = 0;
    const double none[2] = {NAN, NAN};

    if (d->failed)
        return f;
    add_use(d, points, &count, STR("GPU busy"), w->gpu_busy, w->usual.busy);
    add_device_uses(d, points, &count);
    add_use(d, points, &count, STR("GPU memory, at most"),
            w->gpu_memory_peak / w->gpu_memory_total, w->usual.memory);
    if (w->cost.nano > 0) {
        const struct run_part *parts = w->phases.at;

        for (size_t i = 0; i < w->phases.len; i++)
            if (str_eq(parts[i].item, str_from(phase_name(PHASE_TRAIN))))
                add_use(d, points, &count, STR("paid for training"), parts[i].share, none);
    }
    if (count == 0) {
        f.kind = FIGURE_FACTS;
        f.note = (struct str){0};
        count = add_processor_point(d, points);
    }
    one_series(d, &f, points, count);
    return f;
}

/* ---- carbon ---- */

static struct str offset_text(struct drawing *d)
{
    gram_co2 carbon = d->facts->work.carbon;
    struct buf text = blank_figure_text(d);

    usd_write_estimate(offset_cost_of(OFFSET_AVOIDANCE, carbon).typical, &text);
    buf_adds(&text, " to ");
    usd_write_estimate(offset_cost_of(OFFSET_DURABLE, carbon).typical, &text);
    return keep_figure_text(d, &text);
}

static struct figure draw_carbon(struct drawing *d)
{
    const struct report_work *w = &d->facts->work;
    struct figure f = {.kind = FIGURE_FACTS, .title = STR("Carbon")};
    struct figure_point *points = points_new(d, 5);
    struct buf large = blank_figure_text(d), small = blank_figure_text(d);
    size_t count = 1;

    gram_co2_write(w->carbon, &large);
    joule_write(w->energy, &small);
    if (w->carbon_method.len > 0) {
        buf_adds(&small, ", ");
        buf_add(&small, w->carbon_method);
    }
    if (d->failed || isnan(w->carbon.g)) {
        buf_clear(&large);
        buf_adds(&large, "unknown");
        buf_clear(&small);
        buf_add(&small, work_reason(d->facts, "environmental", "carbon_kg"));
    }
    if (!d->failed) {
        points[0] = (struct figure_point){.note = keep_figure_text(d, &large),
                                          .label = keep_figure_text(d, &small)};
    } else {
        buf_free(&large);
        buf_free(&small);
        return f;
    }
    if (!isnan(w->carbon.g)) {
        points[count++] = (struct figure_point){
            .label = STR("a car drives"),
            .note =
                amount_text(d, equivalent_of(EQUIVALENT_CAR_KM, w->carbon, w->energy), " km")};
        points[count++] = (struct figure_point){
            .label = STR("phones charged"),
            .note = amount_text(
                d, equivalent_of(EQUIVALENT_PHONE_CHARGES, w->carbon, w->energy), "")};
        points[count++] = (struct figure_point){
            .label = STR("a grown tree takes"),
            .note = amount_text(
                d, equivalent_of(EQUIVALENT_TREE_YEARS, w->carbon, w->energy) * 12, " months")};
        points[count++] = (struct figure_point){.label = STR("offset, avoided to removed"),
                                                .note = offset_text(d)};
    }
    one_series(d, &f, points, count);
    return f;
}

/* ---- what to change ---- */

static struct figure draw_nothing(struct drawing *d)
{
    struct figure f = {.kind = FIGURE_FACTS, .title = STR("What to change")};
    struct figure_point *points = points_new(d, 1);

    if (d->failed)
        return f;
    points[0] = (struct figure_point){
        .note = STR("nothing found"),
        .label = d->facts->work.cost.nano == MONEY_UNKNOWN
                     ? STR("the cost is not known, so no saving can be computed")
                     : STR("no change would save 5 % or more by what was recorded")};
    one_series(d, &f, points, 1);
    return f;
}

static struct figure draw_advice(struct drawing *d)
{
    static const struct str efforts[] = {TEXT("easy"), TEXT("moderate"), TEXT("hard")};
    struct figure f = {
        .kind = FIGURE_SCATTER,
        .title = STR("What to change"),
        .x = {.label = STR("effort"),
              .from = 0.5,
              .to = 3.5,
              .names = efforts,
              .name_count = ARRAY_LEN(efforts)},
        .y = {.label = STR("savings"), .unit = FIGURE_SHARE, .from = 0, .to = 1}};
    const struct work_advice *advice = d->facts->advice.at;
    struct figure_series *series =
        arena_array(d->arena, struct figure_series, ADVICE_CATEGORIES, d->err);

    if (d->facts->advice.len == 0)
        return draw_nothing(d);
    d->failed = d->failed || series == NULL;
    for (int c = 0; c < ADVICE_CATEGORIES && !d->failed; c++) {
        struct figure_point *points = points_new(d, d->facts->advice.len);
        size_t count = 0;

        for (size_t i = 0; i < d->facts->advice.len && !d->failed; i++)
            if ((int)advice[i].category == c)
                points[count++] = (struct figure_point){.label = advice[i].title,
                                                        .note = advice[i].improvement,
                                                        .x = 1 + (double)advice[i].effort,
                                                        .y = advice[i].share,
                                                        .size = usd_double(advice[i].saving)};
        if (count > 0)
            series[f.series_count++] = (struct figure_series){
                .name = str_from(advice_category_names[c]), .at = points, .len = count};
    }
    f.series = series;
    if (d->facts->work.advice.result.total.findings > 0) {
        struct buf note = blank_figure_text(d);

        buf_adds(&note, "Together: ");
        usd_write_estimate(d->facts->work.advice.result.total.saving, &note);
        buf_adds(&note, " of ");
        usd_write_estimate(d->facts->work.advice.result.total.spent, &note);
        buf_addf(&note, " (%s)", percent_text(d->facts->work.advice.result.total.share).text);
        f.note = keep_figure_text(d, &note);
    }
    return f;
}

/* ---- predictions ---- */

static struct str rate_text(struct drawing *d)
{
    struct buf text = blank_figure_text(d);

    buf_addf(&text, "%.3g ms each%s", d->facts->work.inference.seconds * 1e3,
             d->facts->work.inference.at_once ? "" : ", one after the other");
    return keep_figure_text(d, &text);
}

static struct figure draw_inference(struct drawing *d)
{
    const struct report_work *w = &d->facts->work;
    double each = work_inference_cost(&w->inference, w->rate);
    struct figure f = {.kind = FIGURE_FACTS, .title = STR("Predictions")};
    struct figure_point *points = points_new(d, 3);
    struct buf cost = blank_figure_text(d);
    size_t count = 1;

    if (d->failed) {
        buf_free(&cost);
        return f;
    }
    points[0] = (struct figure_point){.note = amount_text(d, w->inference.per_s, " a second"),
                                      .label = rate_text(d)};
    if (!isnan(each))
        usd_write_estimate(usd_from(each * 1e6), &cost);
    else
        buf_adds(&cost, "unknown: no price");
    points[count++] = (struct figure_point){.label = STR("a million cost"),
                                            .note = keep_figure_text(d, &cost)};
    if (!isnan(w->model_bytes)) {
        struct buf size = blank_figure_text(d);

        bytes_write(bytes_from(w->model_bytes), &size);
        points[count++] = (struct figure_point){.label = STR("the model has"),
                                                .note = keep_figure_text(d, &size)};
    }
    one_series(d, &f, points, count);
    return f;
}

/* ---- the choices of a plan ---- */

static struct figure draw_choices(struct drawing *d)
{
    const struct rows *planned = &d->facts->work.planned;
    const struct work_option *options = planned->at;
    struct figure f = {.kind = FIGURE_SCATTER,
                       .title = STR("Cost and time"),
                       .note = STR("Machines that the plan has compared; joined: no other is "
                                   "both cheaper and faster"),
                       .x = {.label = STR("time"), .unit = FIGURE_SECONDS},
                       .y = {.label = STR("cost"), .unit = FIGURE_USD}};
    struct figure_point *points = points_new(d, planned->len);
    size_t count = 0;

    for (size_t i = 0; i < planned->len && !d->failed; i++) {
        bool known = false;

        for (size_t k = 0; k < count; k++)
            if (points[k].x == options[i].hours * 3600 &&
                points[k].y == usd_double(options[i].cost)) {
                points[k].marked = points[k].marked || options[i].front;
                known = true;
            }
        if (known)
            continue;
        points[count] = (struct figure_point){.label = work_option_label(d, &options[i]),
                                              .x = options[i].hours * 3600,
                                              .y = usd_double(options[i].cost),
                                              .marked = options[i].front};
        count++;
    }
    one_series(d, &f, points, count);
    return f;
}

/* ---- what only a metered run has ---- */

static struct figure draw_not_metered(struct drawing *d)
{
    struct figure f = {.kind = FIGURE_FACTS, .title = STR("Efficiency and use of the machine")};
    struct figure_point *points = points_new(d, 1);

    if (d->failed)
        return f;
    points[0] = (struct figure_point){.note = STR("not metered"),
                                      .label = STR("'stint run -- COMMAND' records them")};
    one_series(d, &f, points, 1);
    return f;
}

/* ---- sheets ---- */

/* Six panels of a run; what an experiment or a plan cannot have is left out. */
static size_t draw_panels(struct drawing *d, struct figure *figures)
{
    const struct report_work *w = &d->facts->work;
    bool run = str_eq(w->kind, STR("run")), timed = w->time.ns >= 0;
    size_t n = 0;

    figures[n++] = draw_breakdown(d);
    figures[n++] = draw_providers(d);
    if (w->planned.len > 0 && timed)
        figures[n++] = draw_choices(d);
    if (run)
        figures[n++] = draw_score(d);
    if (run || !isnan(w->gpu_memory_peak))
        figures[n++] = draw_use_figure(d);
    if (!isnan(w->inference.seconds))
        figures[n++] = draw_inference(d);
    figures[n++] = draw_carbon(d);
    if (run || d->facts->advice.len > 0)
        figures[n++] = draw_advice(d);
    if (str_eq(w->kind, STR("experiment")))
        figures[n++] = draw_not_metered(d);
    return n;
}

const struct figure_sheet *work_dashboard(const struct work_facts *facts, struct arena *arena,
                                          struct error *err)
{
    struct drawing d = {.facts = facts, .arena = arena, .err = err};
    struct figure_sheet *sheet = arena_array(arena, struct figure_sheet, 1, err);
    struct figure *figures = arena_array(arena, struct figure, PANELS_MAX, err);
    size_t count;

    if (sheet == NULL || figures == NULL)
        return NULL;
    count = draw_panels(&d, figures);
    *sheet = (struct figure_sheet){.title = facts->title,
                                   .subtitle = facts->subtitle,
                                   .figures = figures,
                                   .count = count,
                                   .columns = count == 4 ? 2 : 3,
                                   .footer = facts->footer};
    return d.failed ? NULL : sheet;
}

/* One market, with the work as it was first. */
static struct figure draw_market(struct drawing *d, enum market market, const char *title)
{
    struct figure f = {.kind = FIGURE_BARS,
                       .title = str_from(title),
                       .note = options_note(d, "Cheapest machine of each provider"),
                       .y = {.unit = FIGURE_USD}};
    size_t most = d->facts->comparison.options.len + 2, count;
    struct figure_point *points = points_new(d, most);

    if (d->failed)
        return f;
    count = own_points(d, points);
    count += market_points(d, market, most - count, points + count);
    one_series(d, &f, points, count);
    return f;
}

const struct figure_sheet *work_comparison_sheet(const struct work_facts *facts,
                                                 struct arena *arena, struct error *err)
{
    struct drawing d = {.facts = facts, .arena = arena, .err = err};
    struct figure_sheet *sheet = arena_array(arena, struct figure_sheet, 1, err);
    struct figure *figures = arena_array(arena, struct figure, 2, err);

    if (sheet == NULL || figures == NULL)
        return NULL;
    figures[0] = draw_market(&d, MARKET_ON_DEMAND, "On demand");
    figures[1] = draw_market(&d, MARKET_SPOT, "On spot, without interruptions");
    *sheet = (struct figure_sheet){.title = facts->title,
                                   .subtitle = facts->subtitle,
                                   .figures = figures,
                                   .count = 2,
                                   .footer = facts->footer};
    return d.failed ? NULL : sheet;
}
