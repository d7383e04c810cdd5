#include "op/advise/advise_figure.h"

#include "base/fs.h"
#include "op/context.h"
#include "op/ledger_open.h"
#include "render/figure.h"
#include "report/findings.h"
#include "report/report.h"

bool advise_figure_write(struct op_context *ctx, const struct advise_result *res,
                         struct error *err)
{
    struct figure figure;
    struct buf text = buf_new(ctx->arena->alloc, 256);
    struct str footer;

    buf_adds(&text, "Ranges: docs/guide/advise.md. Written by Stint, ");
    day_write(op_today(ctx), &text);
    if (!buf_keep(&text, ctx->arena, &footer, err) ||
        !report_mark_footer(ctx->demo, ctx->arena, &footer, err) ||
        !report_findings_figure(res, ctx->arena, &figure, err))
        return false;
    text = buf_new(ctx->arena->alloc, BUF_MAX_OUTPUT);
    figure_svg(&(struct figure_sheet){.figures = &figure, .count = 1, .footer = footer}, &text);
    return fs_put_buf(res->svg, &text, err);
}
