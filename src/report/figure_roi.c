#include "report/figures.h"

#define TEXT_MAX ((size_t)1 << 12)
#define VALUE_STEPS 10
#define RUNS_SHOWN 12
#define FIGURES_MAX 2

struct roi_drawing {
    const struct roi_result *res;
    struct arena *arena;
    struct figure figures[FIGURES_MAX];
    size_t count;
};

/* "faster: 8x H100-SXM-80GB" */
static bool roi_option_label(const struct roi_option *option, struct arena *arena,
                             struct str *out, struct error *err)
{
    struct buf text = buf_new(arena->alloc, TEXT_MAX);

    buf_add(&text, option->way);
    if (option->gpus > 0)
        buf_addf(&text, ": %lldx %.*s", (long long)option->gpus, STR_ARG(option->gpu));
    return buf_keep(&text, arena, out, err);
}

/* What a run costs with time, by the value of an hour: where lines cross, another way wins. */
static bool draw_values(struct roi_drawing *d, double hour, struct error *err)
{
    const struct roi_option *options = d->res->options.at;
    size_t count = d->res->options.len, steps = VALUE_STEPS + 1;
    double most = hour > 0 ? 2 * hour : 100;
    struct figure_point *at = arena_array(d->arena, struct figure_point, count * steps, err);
    struct figure_series *series =
        at != NULL ? arena_array(d->arena, struct figure_series, count, err) : NULL;

    if (series == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < steps; k++) {
            double value = most * (double)k / VALUE_STEPS;

            at[i * steps + k] = (struct figure_point){
                .x = value, .y = usd_double(options[i].money) + options[i].hours.value * value};
        }
        series[i] = (struct figure_series){.at = &at[i * steps], .len = steps};
        if (!roi_option_label(&options[i], d->arena, &series[i].name, err))
            return false;
    }
    d->figures[d->count++] =
        (struct figure){.kind = FIGURE_LINES,
                        .title = STR("A run, by the value of an hour"),
                        .x = {.label = STR("an hour of waiting"), .unit = FIGURE_USD},
                        .y = {.label = STR("money and time of a run"), .unit = FIGURE_USD},
                        .series = series,
                        .series_count = count};
    return true;
}

static bool draw_options(struct roi_drawing *d, struct error *err)
{
    const struct roi_option *options = d->res->options.at;
    size_t count = d->res->options.len;
    struct figure_point *money = arena_array(d->arena, struct figure_point, 2 * count, err);
    struct figure_series *series =
        money != NULL ? arena_array(d->arena, struct figure_series, 2, err) : NULL;
    struct str *names = series != NULL ? arena_array(d->arena, struct str, count, err) : NULL;

    if (names == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        names[i] = options[i].way;
        money[i] = (struct figure_point){
            .label = names[i], .x = (double)i + 1, .y = usd_double(options[i].money)};
        money[count + i] = (struct figure_point){
            .label = names[i], .x = (double)i + 1, .y = usd_double(options[i].waiting)};
    }
    series[0] = (struct figure_series){.name = STR("money"), .at = money, .len = count};
    series[1] =
        (struct figure_series){.name = STR("waiting"), .at = &money[count], .len = count};
    d->figures[d->count++] = (struct figure){.kind = FIGURE_COLUMNS,
                                             .title = STR("Money and time of a run"),
                                             .x = {.names = names, .name_count = count},
                                             .y = {.label = STR("a run"), .unit = FIGURE_USD},
                                             .series = series,
                                             .series_count = 2};
    return true;
}

static bool draw_past(struct roi_drawing *d, struct error *err)
{
    const struct roi_run *runs = d->res->runs.at;
    struct figure_point *at = arena_array(d->arena, struct figure_point, RUNS_SHOWN, err);
    struct figure_series *series =
        at != NULL ? arena_array(d->arena, struct figure_series, 1, err) : NULL;
    size_t count = 0;

    if (series == NULL)
        return false;
    for (size_t i = 0; i < d->res->runs.len && count < RUNS_SHOWN; i++)
        if (runs[i].net.nano != MONEY_UNKNOWN)
            at[count++] =
                (struct figure_point){.label = runs[i].name, .y = usd_double(runs[i].net)};
    series[0] = (struct figure_series){.at = at, .len = count};
    if (count > 0)
        d->figures[d->count++] =
            (struct figure){.kind = FIGURE_BARS,
                            .title = STR("What renting saved, run by run"),
                            .note = STR("Money and time, compared with your own machine."),
                            .y = {.unit = FIGURE_USD},
                            .series = series,
                            .series_count = 1};
    return true;
}

static bool write_roi_texts(const struct roi_result *res, day today, struct arena *arena,
                            struct figure_sheet *sheet, struct error *err)
{
    struct buf text = buf_new(arena->alloc, TEXT_MAX);

    if (res->job.len > 0) {
        buf_adds(&text, "Is faster hardware worth it? ");
        buf_add(&text, res->job);
    } else {
        buf_addf(&text, "Rented runs of %lld days, compared with %.*s", (long long)res->days,
                 STR_ARG(res->local.machine));
    }
    if (!buf_keep(&text, arena, &sheet->title, err))
        return false;
    text = buf_new(arena->alloc, TEXT_MAX);
    buf_adds(&text, "stint roi, ");
    day_write(today, &text);
    buf_adds(&text, "; an hour of waiting is worth ");
    usd_write(usd_from(res->hour), &text);
    return buf_keep(&text, arena, &sheet->footer, err);
}

bool roi_figure(const struct roi_result *res, day today, struct arena *arena, struct error *err)
{
    struct roi_drawing d = {.res = res, .arena = arena};
    struct figure_sheet sheet = {0};

    if (!write_roi_texts(res, today, arena, &sheet, err) ||
        !(res->job.len > 0 ? draw_options(&d, err) && draw_values(&d, res->hour, err)
                           : draw_past(&d, err)))
        return false;
    sheet.figures = d.figures;
    sheet.count = d.count;
    return figure_write(&sheet, res->svg, arena, err);
}
