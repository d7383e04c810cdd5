/* The picture of `stint commitments`: hours at each load, and the cost of a year by commitment.
 */
#include <math.h>

#include "report/figures.h"
#include "report/report.h"

#define POINTS 120
#define SERIES_MAX 6
#define TEXT_MAX 1024

struct commitments_drawing {
    const struct commitments_result *res;
    struct arena *arena;
    struct commitment_curve curve;
    const struct commitment_option *options; /* of the load */
    size_t option_count;
    double commit; /* that is recommended, else the first; 0: none */
};

/* The load at which this share of the hours is at or above it. */
static double load_at(const struct commitment_curve *c, double share)
{
    for (size_t i = 0; i + 1 < c->count; i++)
        if (c->uncovered[i + 1] > c->uncovered[i] &&
            (c->uncovered[i + 1] - c->uncovered[i]) / (c->level[i] - c->level[i + 1]) >= share)
            return c->level[i];
    return 0;
}

static bool draw_hours(const struct commitments_drawing *d, struct figure_series *series,
                       struct figure *out, struct error *err)
{
    struct figure_point *points = arena_array(d->arena, struct figure_point, POINTS + 1, err);

    if (points == NULL)
        return false;
    for (size_t i = 0; i <= POINTS; i++) {
        double share = (double)i / POINTS;

        points[i] =
            (struct figure_point){.x = share, .y = load_at(&d->curve, fmax(share, 1e-9))};
    }
    *series = (struct figure_series){.name = STR("load"), .at = points, .len = POINTS + 1};
    *out = (struct figure){.kind = FIGURE_LINES,
                           .title = STR("Hours at each load"),
                           .note = d->commit > 0
                                       ? STR("The commitment covers the load below the line")
                                       : STR("No commitment pays for this load"),
                           .x = {.label = STR("share of hours"), .unit = FIGURE_SHARE},
                           .y = {.label = STR("an hour on demand"), .unit = FIGURE_USD},
                           .series = series,
                           .series_count = 1,
                           .limit = d->commit,
                           .limit_name = STR("commit")};
    return true;
}

/* What a year costs by the amount, for each term. */
static bool draw_costs(const struct commitments_drawing *d, struct figure_series *series,
                       struct figure *out, struct error *err)
{
    size_t count = 0;
    double peak = d->curve.level[0];

    for (size_t i = 0; i < d->option_count && count < SERIES_MAX; i++) {
        const struct commitment_option *o = &d->options[i];
        struct figure_point *points;
        struct str label;
        struct buf name = buf_new(d->arena->alloc, TEXT_MAX);

        if (isnan(o->discount_low)) {
            buf_free(&name);
            continue;
        }
        points = arena_array(d->arena, struct figure_point, POINTS + 1, err);
        buf_addf(&name, "%lld months", (long long)o->term_months);
        if (o->upfront.len > 0)
            buf_addf(&name, ", %.*s upfront", STR_ARG(o->upfront));
        if (!buf_keep(&name, d->arena, &label, err) || points == NULL)
            return false;
        for (size_t k = 0; k <= POINTS; k++) {
            double commit = peak * (double)k / POINTS;
            double low =
                commitment_cost(&d->curve, commit, o->discount_low, &commitment_no_change);
            double high =
                commitment_cost(&d->curve, commit, o->discount_high, &commitment_no_change);

            points[k] = (struct figure_point){.x = commit,
                                              .y = low * COMMITMENT_YEAR_HOURS,
                                              .low = high * COMMITMENT_YEAR_HOURS,
                                              .high = low * COMMITMENT_YEAR_HOURS};
        }
        series[count++] =
            (struct figure_series){.name = label, .at = points, .len = POINTS + 1};
    }
    *out = (struct figure){
        .kind = FIGURE_LINES,
        .title = STR("Cost of a year by commitment"),
        .note = STR("At the lower discount; the band reaches to the higher one"),
        .x = {.label = STR("committed an hour, at on-demand prices"), .unit = FIGURE_USD},
        .y = {.label = STR("a year"), .unit = FIGURE_USD},
        .series = series,
        .series_count = count};
    return true;
}

/* "412 of 744 hours observed, 2026-10-01 to 2026-10-31; computed on 2026-11-15" */
static bool commitments_footer(const struct commitments_result *res,
                               struct figure_origin origin, struct arena *arena,
                               struct str *out, struct error *err)
{
    const struct hourly_load *load = res->loads.at;
    struct buf text = buf_new(arena->alloc, TEXT_MAX);

    buf_addf(&text, "%lld of %lld hours observed, ", (long long)load->observed,
             (long long)res->hours);
    day_write(res->since, &text);
    buf_adds(&text, " to ");
    day_write(res->until, &text);
    buf_adds(&text, "; computed on ");
    day_write(origin.today, &text);
    return buf_keep(&text, arena, out, err) && report_mark_footer(origin.demo, arena, out, err);
}

/* "What to commit to: AWS us-east-1 p4d" */
static bool commitments_title(const struct hourly_load *load, struct arena *arena,
                              struct str *out, struct error *err)
{
    const struct str parts[] = {load->provider, load->region, load->family};
    struct buf text = buf_new(arena->alloc, TEXT_MAX);

    buf_adds(&text, "What to commit to");
    for (size_t i = 0; i < ARRAY_LEN(parts); i++)
        if (parts[i].len > 0) {
            buf_adds(&text, i == 0 ? ": " : " ");
            buf_add(&text, parts[i]);
        }
    return buf_keep(&text, arena, out, err);
}

/* The options of the first load, and which of them the picture marks. */
static void choose_drawn_options(struct commitments_drawing *d)
{
    const struct hourly_load *load = d->res->loads.at;
    const struct commitment_option *options = d->res->options.at;

    d->options = options;
    for (size_t i = 0;
         i < d->res->options.len && str_eq(options[i].provider, load->provider) &&
         str_eq(options[i].region, load->region) && str_eq(options[i].family, load->family);
         i++) {
        d->option_count++;
        if ((options[i].buy || i == 0) && options[i].commit.nano > 0)
            d->commit = usd_per_hour_double(options[i].commit);
    }
}

bool commitments_figure(const struct commitments_result *res, struct figure_origin origin,
                        struct arena *arena, struct error *err)
{
    const struct hourly_load *load = res->loads.at;
    const struct commitment_option *options = res->options.at;
    struct commitments_drawing d = {.res = res, .arena = arena};
    struct figure_series hours, costs[SERIES_MAX];
    struct figure figures[2];
    struct figure_sheet sheet = {.figures = figures, .count = 2, .columns = 2};

    if (res->loads.len == 0 || load->observed == 0)
        return error_fail_hint(err, ERROR_ABSENT,
                               "'stint import' adds bills; --load FILE takes a load",
                               "there is no load to draw");
    choose_drawn_options(&d);
    if (!commitment_curve_make(res->hourly.at, res->options.len > 0 ? options->sustained : 0,
                               arena, &d.curve, err) ||
        !draw_hours(&d, &hours, &figures[0], err) || !draw_costs(&d, costs, &figures[1], err) ||
        !commitments_title(load, arena, &sheet.title, err) ||
        !commitments_footer(res, origin, arena, &sheet.footer, err))
        return false;
    sheet.count = figures[1].series_count > 0 ? 2 : 1;
    return figure_write(&sheet, res->svg, arena, err);
}
