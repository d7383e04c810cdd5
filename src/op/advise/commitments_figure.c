#include "op/advise/commitments_figure.h"

#include <math.h>

#include "base/fs.h"
#include "op/context.h"
#include "op/ledger_open.h"
#include "render/figure.h"
#include "report/report.h"

#define POINTS 120
#define SERIES_MAX 6
#define TEXT_MAX 1024

struct drawing {
    const struct op_context *ctx;
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

static bool draw_hours(const struct drawing *d, struct figure_series *series,
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
static bool draw_costs(const struct drawing *d, struct figure_series *series,
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

static bool write_sheet(const struct drawing *d, const struct hourly_load *load,
                        struct str path, struct error *err)
{
    struct figure_series hours, costs[SERIES_MAX];
    struct figure figures[2];
    struct buf title = buf_new(d->arena->alloc, TEXT_MAX),
               footer = buf_new(d->arena->alloc, TEXT_MAX), text;
    struct figure_sheet sheet = {.figures = figures, .count = 2, .columns = 2};
    const struct str parts[] = {load->provider, load->region, load->family};
    bool ok;

    if (!draw_hours(d, &hours, &figures[0], err) || !draw_costs(d, costs, &figures[1], err))
        return false;
    sheet.count = figures[1].series_count > 0 ? 2 : 1;
    buf_adds(&title, "What to commit to");
    for (size_t i = 0; i < ARRAY_LEN(parts); i++)
        if (parts[i].len > 0) {
            buf_adds(&title, i == 0 ? ": " : " ");
            buf_add(&title, parts[i]);
        }
    buf_addf(&footer, "%lld of %lld hours observed, ", (long long)load->observed,
             (long long)d->res->hours);
    day_write(d->res->since, &footer);
    buf_adds(&footer, " to ");
    day_write(d->res->until, &footer);
    buf_adds(&footer, "; computed on ");
    day_write(op_today(d->ctx), &footer);
    ok = buf_keep(&title, d->arena, &sheet.title, err);
    ok = buf_keep(&footer, d->arena, &sheet.footer, err) && ok;
    if (!ok || !report_mark_footer(d->ctx->demo, d->ctx->arena, &sheet.footer, err))
        return false;
    text = buf_new(d->arena->alloc, BUF_MAX_OUTPUT);
    figure_svg(&sheet, &text);
    return fs_put_buf(path, &text, err);
}

bool commitments_figure_write(const struct op_context *ctx,
                              const struct commitments_result *res, struct str path,
                              struct error *err)
{
    const struct hourly_load *load = res->loads.at;
    const struct commitment_option *options = res->options.at;
    struct arena *arena = ctx->arena;
    struct drawing d = {.ctx = ctx, .res = res, .arena = arena, .options = options};

    if (res->loads.len == 0 || load->observed == 0) {
        error_set(err, ERROR_ABSENT, "there is no load to draw");
        error_hint(err, "'stint import' adds bills; --load FILE takes a load");
        return false;
    }
    if (!commitment_curve_make(res->hourly.at, res->options.len > 0 ? options->sustained : 0,
                               arena, &d.curve, err))
        return false;
    for (size_t i = 0;
         i < res->options.len && str_eq(options[i].provider, load->provider) &&
         str_eq(options[i].region, load->region) && str_eq(options[i].family, load->family);
         i++) {
        d.option_count++;
        if ((options[i].buy || i == 0) && options[i].commit.nano > 0)
            d.commit = usd_per_hour_double(options[i].commit);
    }
    return write_sheet(&d, load, path, err);
}
