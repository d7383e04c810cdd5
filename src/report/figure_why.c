/* The picture of `stint why`: the parts of a difference as a waterfall. */
#include "base/fs.h"
#include "render/raster.h"
#include "report/figures.h"

#define TEXT_MAX BUF_MAX_OUTPUT /* names may be long */
#define PARTS_SHOWN 8
#define PICTURE_SCALE 1.25 /* pixels for one of the document, as in reports */

static struct figure_point point_of(struct str label, const struct money *amount)
{
    return (struct figure_point){.label = label, .y = decimal_double(amount->amount)};
}

static bool is_breakdown(const struct why_result *res)
{
    return str_eq(res->kind, STR("breakdown"));
}

/* "Why bert (aaaa0001) cost more than the estimate" */
static bool make_why_title(const struct why_result *res, struct arena *arena, struct str *out,
                           struct error *err)
{
    wide sign = res->explained.difference.amount.coefficient;
    struct buf text = buf_new(arena->alloc, TEXT_MAX);

    if (is_breakdown(res)) {
        buf_adds(&text, "Where the money of ");
        buf_add(&text, res->to);
        buf_adds(&text, " went");
    } else {
        buf_adds(&text, "Why ");
        buf_add(&text, res->to);
        buf_adds(&text, sign < 0   ? " cost less than "
                        : sign > 0 ? " cost more than "
                                   : " cost as much as ");
        buf_adds(&text, str_eq(res->kind, STR("estimate")) ? "the " : "");
        buf_add(&text, res->from);
    }
    return buf_keep(&text, arena, out, err);
}

static bool make_why_note(const struct why_result *res, struct arena *arena, struct str *out,
                          struct error *err)
{
    struct buf text = buf_new(arena->alloc, TEXT_MAX);

    buf_adds(&text, "Largest: ");
    buf_add(&text, res->explained.advice);
    return buf_keep(&text, arena, out, err);
}

/* The parts that are drawn; small ones beyond are one bar, so that the sum is right. */
static void add_why_bars(const struct why_explained *e, struct figure_point *bars,
                         size_t *count)
{
    const struct why_part *parts = e->parts.at;
    size_t shown = e->parts.len > PARTS_SHOWN ? PARTS_SHOWN - 1 : e->parts.len;

    for (size_t i = 0; i < shown; i++)
        bars[(*count)++] = point_of(parts[i].name, &parts[i].amount);
    if (shown == e->parts.len)
        return;
    bars[*count] = (struct figure_point){.label = STR("other parts")};
    for (size_t i = shown; i < e->parts.len; i++)
        bars[*count].y += decimal_double(parts[i].amount.amount);
    (*count)++;
}

/* Draw the picture; nothing when no file is asked for. */
static bool draw_picture(enum raster_format format, struct str path, struct str svg,
                         struct buf *out, struct error *err)
{
    return path.len == 0 || raster_write(format, svg, PICTURE_SCALE, out, err);
}

static bool put_why_file(struct str path, struct buf *text, bool ok, struct error *err)
{
    if (ok && path.len > 0)
        return fs_put_buf(path, text, err);
    buf_free(text);
    return ok;
}

static bool write_files(const struct why_result *res, struct buf *svg,
                        const struct alloc *alloc, struct error *err)
{
    struct buf png = buf_new(alloc, BUF_MAX_OUTPUT), pdf = buf_new(alloc, BUF_MAX_OUTPUT);
    bool ok = buf_ok(svg, err) &&
              draw_picture(RASTER_PNG, res->png, buf_text(svg), &png, err) &&
              draw_picture(RASTER_PDF, res->pdf, buf_text(svg), &pdf, err);

    ok = put_why_file(res->svg, svg, ok, err);
    ok = put_why_file(res->png, &png, ok, err);
    return put_why_file(res->pdf, &pdf, ok, err);
}

bool why_figure(const struct why_result *res, struct str source, struct arena *arena,
                struct error *err)
{
    const struct why_explained *e = &res->explained;
    struct figure_point *bars = arena_array(arena, struct figure_point, PARTS_SHOWN + 2, err);
    struct figure_series series = {.at = bars};
    bool dollars = currency_is(e->to.currency, currency_usd);
    struct figure figure = {
        .kind = FIGURE_WATERFALL,
        .y = {.label = dollars ? STR("cost") : currency_text(&e->to.currency),
              .unit = dollars ? FIGURE_USD : FIGURE_NUMBER},
        .series = &series,
        .series_count = 1};
    struct buf text;

    if (bars == NULL || !make_why_title(res, arena, &figure.title, err) ||
        !make_why_note(res, arena, &figure.note, err))
        return false;
    bars[series.len++] = point_of(is_breakdown(res) ? STR("nothing") : res->from, &e->from);
    add_why_bars(e, bars, &series.len);
    bars[series.len++] = point_of(res->to, &e->to);
    text = buf_new(arena->alloc, BUF_MAX_OUTPUT);
    figure_svg(&(struct figure_sheet){.figures = &figure, .count = 1, .footer = source}, &text);
    return write_files(res, &text, arena->alloc, err);
}
