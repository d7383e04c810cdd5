/* The pictures of `stint tco`. */
#include <math.h>

#include "report/figures.h"
#include "unit/shown.h"

#define TEXT_MAX ((size_t)1 << 12)
#define LEAST_USE 0.2 /* below that, costs of a GPU-hour leave the picture */
#define USE_STEPS 16
#define MATTER_SHOWN 8
#define FIGURES_MAX 4
#define LINES_MAX 5

struct tco_drawing {
    const struct tco_result *res;
    struct arena *arena;
    struct figure figures[FIGURES_MAX];
    size_t count;
};

static struct figure_series *new_series(struct tco_drawing *d, size_t count, size_t points,
                                        struct figure_point **at, struct error *err)
{
    struct figure_series *series = arena_array(d->arena, struct figure_series, count, err);

    *at =
        series != NULL ? arena_array(d->arena, struct figure_point, count * points, err) : NULL;
    return *at != NULL ? series : NULL;
}

/* A GPU-hour in use over utilization: it falls where all hours are paid for. */
static bool draw_utilization(struct tco_drawing *d, struct error *err)
{
    const struct tco_result *res = d->res;
    const struct tco_rival *rivals = res->rivals.at;
    struct tco_machine m = res->inputs;
    size_t steps = USE_STEPS + 1, lines = res->rivals.len + 1;
    struct figure_point *at;
    struct figure_series *series = new_series(d, LINES_MAX, steps, &at, err);

    if (series == NULL)
        return false;
    for (size_t line = 0; line < lines; line++) {
        const struct tco_rival *r = line > 0 ? &rivals[line - 1] : NULL;

        for (size_t i = 0; i < steps; i++) {
            double use = LEAST_USE + (1 - LEAST_USE) * (double)i / USE_STEPS;
            bool always = r != NULL && str_starts(r->market, STR("reserved"));
            double price = r != NULL ? usd_per_hour_double(r->price) : 0;

            m.in[TCO_UTILIZATION].value = use;
            at[line * steps + i] =
                (struct figure_point){.x = use,
                                      .y = r == NULL ? tco_compute(&m).gpu_hour
                                           : always  ? price / use
                                                     : price};
        }
        series[line] = (struct figure_series){.name = r == NULL ? STR("owned") : r->market,
                                              .at = &at[line * steps],
                                              .len = steps};
    }
    d->figures[d->count++] = (struct figure){
        .kind = FIGURE_LINES,
        .title = STR("Cost of a GPU-hour in use"),
        .x = {.label = STR("utilization"), .unit = FIGURE_SHARE, .from = LEAST_USE, .to = 1},
        .y = {.label = STR("a GPU-hour"), .unit = FIGURE_USD},
        .series = series,
        .series_count = lines};
    return true;
}

static bool draw_parts(struct tco_drawing *d, struct error *err)
{
    const struct tco_part *parts = d->res->parts.at;
    struct figure_point *at;
    struct figure_series *series = new_series(d, 1, d->res->parts.len, &at, err);

    if (series == NULL)
        return false;
    for (size_t i = 0; i < d->res->parts.len; i++)
        at[i] = (struct figure_point){.label = parts[i].name,
                                      .y = usd_per_hour_double(parts[i].gpu_hour)};
    series[0] = (struct figure_series){.at = at, .len = d->res->parts.len};
    d->figures[d->count++] = (struct figure){.kind = FIGURE_BARS,
                                             .title = STR("Parts of a GPU-hour"),
                                             .y = {.unit = FIGURE_USD},
                                             .series = series,
                                             .series_count = 1};
    return true;
}

static bool draw_matter(struct tco_drawing *d, struct error *err)
{
    const struct tco_assumption *rows = d->res->assumptions.at;
    struct figure_point *at;
    struct figure_series *series = new_series(d, 1, MATTER_SHOWN, &at, err);
    size_t count = 0;

    if (series == NULL)
        return false;
    for (size_t i = 0; i < d->res->assumptions.len && count < MATTER_SHOWN; i++) {
        double low = usd_per_hour_double(rows[i].at_low),
               high = usd_per_hour_double(rows[i].at_high);

        if (rows[i].at_low.nano == MONEY_UNKNOWN || low == high)
            continue;
        at[count++] = (struct figure_point){.label = rows[i].name,
                                            .y = usd_per_hour_double(d->res->gpu_hour),
                                            .low = fmin(low, high),
                                            .high = fmax(low, high)};
    }
    if (count == 0)
        return true;
    series[0] = (struct figure_series){.at = at, .len = count};
    d->figures[d->count++] =
        (struct figure){.kind = FIGURE_BARS,
                        .title = STR("What matters most"),
                        .note = STR("A GPU-hour over the usual range of each assumption."),
                        .y = {.unit = FIGURE_USD},
                        .series = series,
                        .series_count = 1};
    return true;
}

/* The year by number of owned machines. */
static bool draw_load(struct tco_drawing *d, struct error *err)
{
    static const struct str names[] = {{"owned", 5}, {"reserved", 8}, {"by the hour", 11}};
    const struct tco_split *curve = d->res->load.curve.at;
    size_t count = d->res->load.curve.len;
    struct figure_point *at;
    struct figure_series *series;
    struct str *labels;

    if (count == 0)
        return true;
    series = new_series(d, ARRAY_LEN(names), count, &at, err);
    labels = series != NULL ? arena_array(d->arena, struct str, count, err) : NULL;
    if (labels == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        const usd amounts[] = {curve[i].owned_year, curve[i].reserved_year,
                               curve[i].rented_year};
        struct buf label = buf_new(d->arena->alloc, 64);

        buf_addf(&label, "%lld", (long long)curve[i].owned);
        if (!buf_keep(&label, d->arena, &labels[i], err))
            return false;
        for (size_t s = 0; s < ARRAY_LEN(names); s++)
            at[s * count + i] = (struct figure_point){.label = labels[i],
                                                      .x = (double)i + 1,
                                                      .y = usd_double(amounts[s]),
                                                      .marked = curve[i].best};
    }
    for (size_t s = 0; s < ARRAY_LEN(names); s++)
        series[s] =
            (struct figure_series){.name = names[s], .at = &at[s * count], .len = count};
    d->figures[d->count++] = (struct figure){
        .kind = FIGURE_COLUMNS,
        .title = STR("A year of the load, by machines owned"),
        .x = {.label = STR("machines owned"), .names = labels, .name_count = count},
        .y = {.label = STR("a year"), .unit = FIGURE_USD},
        .series = series,
        .series_count = ARRAY_LEN(names)};
    return true;
}

static bool write_tco_texts(const struct tco_result *res, day today, struct arena *arena,
                            struct figure_sheet *sheet, struct error *err)
{
    struct buf text = buf_new(arena->alloc, TEXT_MAX);

    buf_addf(&text, "Owning %lldx %.*s: ", (long long)res->gpus, STR_ARG(res->gpu));
    usd_per_hour_write(res->gpu_hour, &text);
    buf_adds(&text, " for a GPU in use");
    if (!buf_keep(&text, arena, &sheet->title, err))
        return false;
    text = buf_new(arena->alloc, TEXT_MAX);
    buf_addf(&text, "at %s utilization; range ", percent_text(res->utilization).text);
    usd_per_hour_write(res->gpu_hour_low, &text);
    buf_adds(&text, " to ");
    usd_per_hour_write(res->gpu_hour_high, &text);
    if (!buf_keep(&text, arena, &sheet->subtitle, err))
        return false;
    text = buf_new(arena->alloc, TEXT_MAX);
    buf_adds(&text, "stint tco, ");
    day_write(today, &text);
    buf_adds(&text, "; sources of all assumptions: stint tco --json");
    return buf_keep(&text, arena, &sheet->footer, err);
}

bool tco_figure(const struct tco_result *res, day today, struct arena *arena, struct error *err)
{
    struct tco_drawing d = {.res = res, .arena = arena};
    struct figure_sheet sheet = {.columns = 2};

    if (!write_tco_texts(res, today, arena, &sheet, err) || !draw_utilization(&d, err) ||
        !draw_parts(&d, err) || !draw_matter(&d, err) || !draw_load(&d, err))
        return false;
    sheet.figures = d.figures;
    sheet.count = d.count;
    return figure_write(&sheet, res->svg, arena, err);
}
