#include "op/advise/advise_figure.h"

#include "base/fs.h"
#include "op/context.h"
#include "report/figure.h"

#define BARS_MAX 12
#define LABEL_MAX 42 /* characters that have room beside a bar, in bold */

static bool label_bar(const struct finding *f, struct arena *arena, struct str *out,
                      struct error *err)
{
    struct buf text = buf_new(arena->alloc, (size_t)1 << 16);
    size_t room = f->title.len + 8 < LABEL_MAX ? LABEL_MAX - 2 - f->title.len : 6;
    struct str rest = f->subject, subject = str_cut(&rest, '('), name = str_trim(subject);

    subject = f->subject.len <= room ? f->subject : name; /* without its project */
    if (subject.len > room) {                             /* cut between characters */
        subject.len = 0;
        while (subject.len + 3 < room) {
            size_t next =
                str_character((struct str){name.at + subject.len, name.len - subject.len});

            subject.len += next > 0 && next < 8 ? next : 1;
        }
    }
    buf_add(&text, subject);
    buf_adds(&text, subject.len < name.len ? "...: " : ": ");
    buf_add(&text, f->title);
    return buf_keep(&text, arena, out, err);
}

static bool write_note(const struct advise_result *res, struct arena *arena, struct str *out,
                       struct error *err)
{
    struct buf text = buf_new(arena->alloc, 512);

    buf_addf(&text,
             "Best combination (%lld finding%s, marked): ", (long long)res->total.findings,
             res->total.findings == 1 ? "" : "s");
    usd_write_estimate(res->total.saving, &text);
    buf_adds(&text, " of ");
    usd_write_estimate(res->total.spent, &text);
    buf_adds(&text, " a ");
    buf_add(&text, res->per);
    return buf_keep(&text, arena, out, err);
}

bool advise_figure_write(struct op_context *ctx, const struct advise_result *res,
                         struct error *err)
{
    const struct finding *list = res->findings.at;
    size_t count = res->findings.len < BARS_MAX ? res->findings.len : BARS_MAX;
    struct figure_point *bars = arena_array(ctx->arena, struct figure_point, count + 1, err);
    struct figure_series series = {.at = bars, .len = count};
    struct figure figure = {.kind = FIGURE_BARS,
                            .title = STR("What to change, and what it saves"),
                            .y = {.label = STR("saving"), .unit = FIGURE_USD},
                            .series = &series,
                            .series_count = 1};
    struct buf text = buf_new(ctx->arena->alloc, 256);
    struct str footer;

    buf_adds(&text, "Ranges: docs/advise.md. Written by Stint, ");
    day_write(op_today(ctx), &text);
    if (!buf_keep(&text, ctx->arena, &footer, err) || bars == NULL ||
        !write_note(res, ctx->arena, &figure.note, err))
        return false;
    for (size_t i = 0; i < count; i++) {
        bars[i] = (struct figure_point){.y = usd_double(list[i].saving),
                                        .low = usd_double(list[i].saving_low),
                                        .high = usd_double(list[i].saving_high),
                                        .marked = list[i].chosen};
        if (!label_bar(&list[i], ctx->arena, &bars[i].label, err))
            return false;
    }
    text = buf_new(ctx->arena->alloc, BUF_MAX_OUTPUT);
    figure_svg(&(struct figure_sheet){.figures = &figure, .count = 1, .footer = footer}, &text);
    return fs_put_buf(res->svg, &text, err);
}
