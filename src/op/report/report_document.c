/* What documents of reports have in common: their files, and figures with the source below. */
#include "op/context.h"
#include "op/ledger_open.h"
#include "op/report/report.h"
#include "render/document.h"

static bool add_text(struct op_context *ctx, const struct document *d, const char *name,
                     void (*write)(const struct document *, struct buf *), struct report *out,
                     struct error *err)
{
    struct buf text = buf_new(ctx->arena->alloc, BUF_MAX_OUTPUT);

    write(d, &text);
    return report_files_add(&out->files, name, &text, ctx->arena, err);
}

bool report_add_document(struct op_context *ctx, const struct document *d, struct report *out,
                         struct error *err)
{
    struct document marked = *d;

    if (ctx->demo)
        marked.title = document_text(&marked, "%.*s (demo data)", STR_ARG(d->title));
    return op_mark_footer(ctx, &marked.footer, err) &&
           add_text(ctx, &marked, "report.html", document_html, out, err) &&
           add_text(ctx, &marked, "report.md", document_markdown, out, err);
}

bool report_show_figure(struct op_context *ctx, struct document *d, const char *stem,
                        const struct figure *figure, struct str source, struct report *out,
                        struct error *err)
{
    struct figure *f = arena_array(ctx->arena, struct figure, 1, err);
    struct figure_sheet *sheet = arena_array(ctx->arena, struct figure_sheet, 1, err);

    if (f == NULL || sheet == NULL)
        return false;
    *f = *figure;
    *sheet = (struct figure_sheet){.figures = f, .count = 1, .footer = source};
    document_figure(d, document_text(d, "%s.svg", stem), sheet, f->title);
    return report_add_figure(ctx, stem, sheet, false, out, err);
}
