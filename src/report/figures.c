#include "report/figures.h"

#include "base/fs.h"
#include "report/findings.h"
#include "report/report.h"

bool figure_write(const struct figure_sheet *sheet, struct str path, struct arena *arena,
                  struct error *err)
{
    struct buf text = buf_new(arena->alloc, BUF_MAX_OUTPUT);

    figure_svg(sheet, &text);
    return fs_put_buf(path, &text, err);
}

bool advise_figure(const struct advise_result *res, struct figure_origin origin,
                   struct arena *arena, struct error *err)
{
    struct figure figure;
    struct figure_sheet sheet = {.figures = &figure, .count = 1};
    struct buf text = buf_new(arena->alloc, 256);

    buf_adds(&text, "Ranges: docs/guide/advise.md. Written by Stint, ");
    day_write(origin.today, &text);
    return buf_keep(&text, arena, &sheet.footer, err) &&
           report_mark_footer(origin.demo, arena, &sheet.footer, err) &&
           report_findings_figure(res, arena, &figure, err) &&
           figure_write(&sheet, res->svg, arena, err);
}
