/* The pictures of `stint maturity` and `stint targets`: a bar for each practice. */
#include <math.h>

#include "report/figures.h"
#include "report/report.h"

#define TEXT_MAX ((size_t)1 << 12)

/* "from the ledger, 2026-08-17 to 2026-11-14" */
static bool practices_footer(const struct practice_about *about, bool demo, struct arena *arena,
                             struct str *out, struct error *err)
{
    struct buf text = buf_new(arena->alloc, TEXT_MAX);

    buf_adds(&text, "from the ledger, ");
    day_write(about->since, &text);
    buf_adds(&text, " to ");
    day_write(about->until, &text);
    return buf_keep(&text, arena, out, err) && report_mark_footer(demo, arena, out, err);
}

static bool draw_practices(const struct figure *figure, const struct practice_about *about,
                           bool demo, struct str path, struct arena *arena, struct error *err)
{
    struct figure_sheet sheet = {.figures = figure, .count = 1};

    return practices_footer(about, demo, arena, &sheet.footer, err) &&
           figure_write(&sheet, path, arena, err);
}

/* "walk: 62 %, next level at 70 %" */
static bool maturity_note(const struct maturity_row *r, struct arena *arena, struct str *out,
                          struct error *err)
{
    struct buf text = buf_new(arena->alloc, TEXT_MAX);

    buf_adds(&text,
             r->level == MATURITY_UNKNOWN ? "not known" : maturity_level_names[r->level]);
    if (!isnan(r->value)) {
        buf_adds(&text, ": ");
        practice_write(r->unit, r->value, &text);
    }
    if (!isnan(r->goal)) {
        buf_adds(&text, ", next level at ");
        practice_write(r->unit, r->goal, &text);
    }
    return buf_keep(&text, arena, out, err);
}

bool maturity_figure(const struct maturity_result *res, bool demo, struct arena *arena,
                     struct error *err)
{
    const struct maturity_row *rows = res->maturity.rows.at;
    size_t count = res->maturity.rows.len;
    struct figure_point *bars = arena_array(arena, struct figure_point, count + 1, err);
    const struct figure_series series = {.at = bars, .len = count};
    const struct figure figure = {.kind = FIGURE_BARS,
                                  .series = &series,
                                  .series_count = 1,
                                  .title = STR("Cost maturity by practice"),
                                  .note = STR("1 is crawl, 2 is walk, 3 is run"),
                                  .y = {.label = STR("level"), .from = 0, .to = 3}};

    if (bars == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        bars[i] = (struct figure_point){
            .label = rows[i].label,
            .y = rows[i].level == MATURITY_UNKNOWN ? NAN : (double)rows[i].level};
        if (!maturity_note(&rows[i], arena, &bars[i].note, err))
            return false;
    }
    return draw_practices(&figure, &res->about, demo, res->svg, arena, err);
}

/* "(62 %, goal 80 %)" */
static bool target_note(const struct target_row *r, struct arena *arena, struct str *out,
                        struct error *err)
{
    struct buf text = buf_new(arena->alloc, TEXT_MAX);

    buf_char(&text, '(');
    if (isnan(r->value))
        buf_adds(&text, "not known");
    else
        practice_write(r->unit, r->value, &text);
    buf_adds(&text, ", goal ");
    practice_write(r->unit, r->goal, &text);
    buf_char(&text, ')');
    return buf_keep(&text, arena, out, err);
}

bool targets_figure(const struct targets_result *res, bool demo, struct arena *arena,
                    struct error *err)
{
    const struct target_row *rows = res->scores.rows.at;
    size_t count = res->scores.rows.len;
    struct figure_point *bars = arena_array(arena, struct figure_point, count + 1, err);
    const struct figure_series series = {.at = bars, .len = count};
    const struct figure figure = {.kind = FIGURE_BARS,
                                  .series = &series,
                                  .series_count = 1,
                                  .title = STR("Targets: how far they are reached"),
                                  .y = {.label = STR("score"), .unit = FIGURE_SHARE, .to = 1}};

    if (bars == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        bars[i] = (struct figure_point){
            .label = rows[i].label, .y = rows[i].score, .marked = rows[i].state == TARGET_MET};
        if (!target_note(&rows[i], arena, &bars[i].note, err))
            return false;
    }
    return draw_practices(&figure, &res->about, demo, res->svg, arena, err);
}
