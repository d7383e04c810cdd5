/* The picture of `stint storage`: the cost of a data set by provider. */
#include "report/figures.h"

#define SHOWN 12
#define TEXT_MAX 1024

/* "Keeping 2 TB for 365 days" */
static bool make_storage_title(const struct storage_result *res, struct arena *arena,
                               struct str *out, struct error *err)
{
    struct buf text = buf_new(arena->alloc, TEXT_MAX);

    buf_adds(&text, "Keeping ");
    bytes_write(res->size, &text);
    if (res->at_end.n != res->size.n) {
        buf_adds(&text, " (at the end ");
        bytes_write(res->at_end, &text);
        buf_char(&text, ')');
    }
    buf_addf(&text, " for %lld days", (long long)res->days);
    return buf_keep(&text, arena, out, err);
}

/* "warm, cold from day 68" */
static bool make_storage_note(const struct storage_option *o, struct arena *arena,
                              struct str *out, struct error *err)
{
    const struct storage_step *steps = o->steps.at;
    struct buf text = buf_new(arena->alloc, TEXT_MAX);

    for (size_t i = 0; i < o->steps.len; i++) {
        buf_adds(&text, i > 0 ? ", " : "");
        buf_add(&text, steps[i].tier);
        if (steps[i].day > 0)
            buf_addf(&text, " from day %lld", (long long)steps[i].day);
    }
    return buf_keep(&text, arena, out, err);
}

bool storage_figure(const struct storage_result *res, struct arena *arena, struct error *err)
{
    const struct storage_option *options = res->options.at;
    size_t count = res->options.len < SHOWN ? res->options.len : SHOWN;
    struct figure_point *bars = arena_array(arena, struct figure_point, count, err);
    struct figure_series series = {.at = bars, .len = count};
    struct figure figure = {.kind = FIGURE_BARS,
                            .note = STR("With the cheapest lifecycle of each provider"),
                            .y = {.label = STR("cost"), .unit = FIGURE_USD},
                            .series = &series,
                            .series_count = 1};
    struct figure_sheet sheet = {.figures = &figure, .count = 1};
    struct buf text = buf_new(arena->alloc, TEXT_MAX);

    for (size_t i = 0; bars != NULL && i < count; i++) {
        bars[i] = (struct figure_point){.label = options[i].provider,
                                        .y = usd_double(options[i].total),
                                        .marked = options[i].cheapest};
        if (!make_storage_note(&options[i], arena, &bars[i].note, err))
            return false;
    }
    buf_adds(&text, "reads: ");
    buf_add(&text, res->reads);
    buf_adds(&text, "; prices from ");
    day_write(options[0].date, &text);
    buf_adds(&text, " and later");
    if (!buf_keep(&text, arena, &sheet.footer, err) || bars == NULL ||
        !make_storage_title(res, arena, &figure.title, err))
        return false;
    return figure_write(&sheet, res->svg, arena, err);
}
