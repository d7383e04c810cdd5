#include "op/context.h"
#include "op/ledger_open.h"
#include "op/report/report.h"
#include "render/raster.h"

#define PICTURE_SCALE 1.25 /* pixels for one of the document: a dashboard is 1930 pixels wide */

/* A machine without the part for pictures gets the SVG alone, with a warning. */
static bool add_picture(struct op_context *ctx, enum raster_format format, const char *name,
                        struct str svg, struct report *out, struct error *err)
{
    struct buf picture = buf_new(ctx->arena->alloc, BUF_MAX_OUTPUT);
    struct error why = {0};

    if (out->no_pictures)
        return true;
    if (raster_write(format, svg, PICTURE_SCALE, &picture, &why))
        return report_files_add(&out->files, name, &picture, ctx->arena, err);
    buf_free(&picture);
    if (why.kind == ERROR_MEMORY)
        return error_memory(err);
    out->no_pictures = true;
    message_warn(&ctx->messages, "figures are written as SVG only: %s", why.text);
    return true;
}

static const char *file_name(const char *stem, const char *type, struct arena *arena,
                             struct error *err)
{
    struct buf text = buf_new(arena->alloc, 256);
    struct str name;

    buf_addf(&text, "%s.%s%c", stem, type, '\0');
    return buf_keep(&text, arena, &name, err) ? name.at : NULL;
}

bool report_add_figure(struct op_context *ctx, const char *stem,
                       const struct figure_sheet *sheet, bool pdf, struct report *out,
                       struct error *err)
{
    struct buf text = buf_new(ctx->arena->alloc, BUF_MAX_OUTPUT);
    const char *svg = file_name(stem, "svg", ctx->arena, err);
    const char *png = file_name(stem, "png", ctx->arena, err);
    const char *paper = file_name(stem, "pdf", ctx->arena, err);
    struct figure_sheet marked = *sheet;
    struct str drawn;

    if (!op_mark_footer(ctx, &marked.footer, err))
        return false;
    if (svg == NULL || png == NULL || paper == NULL)
        return false;
    figure_svg(&marked, &text);
    if (!report_files_add(&out->files, svg, &text, ctx->arena, err))
        return false;
    drawn = out->files.at[out->files.len - 1].text;
    return add_picture(ctx, RASTER_PNG, png, drawn, out, err) &&
           (!pdf || add_picture(ctx, RASTER_PDF, paper, drawn, out, err));
}
