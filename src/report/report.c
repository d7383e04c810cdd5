#include "report/report.h"

#include "render/raster.h"

#define PICTURE_SCALE 1.25 /* pixels for one of the document: a dashboard is 1930 pixels wide */

bool report_mark_footer(bool demo, struct arena *arena, struct str *footer, struct error *err)
{
    static const char mark[] = "Demo data";
    struct buf text = buf_new(arena->alloc, BUF_MAX_OUTPUT);

    if (!demo || str_starts(*footer, str_from(mark)))
        return true;
    buf_adds(&text, mark);
    if (footer->len > 0) { /* a sentence of its own */
        char first = footer->at[0];

        buf_adds(&text, ". ");
        buf_char(&text, first >= 'a' && first <= 'z' ? (char)(first - 'a' + 'A') : first);
        buf_add(&text, (struct str){footer->at + 1, footer->len - 1});
    }
    return buf_keep(&text, arena, footer, err);
}

/* ---- figures ---- */

static bool report_add_picture(struct report *report, enum raster_format format,
                               const char *name, struct str svg, struct error *err)
{
    struct buf picture = buf_new(report->arena->alloc, BUF_MAX_OUTPUT);
    struct error why = {0};

    if (report->no_pictures)
        return true;
    if (raster_write(format, svg, PICTURE_SCALE, &picture, &why))
        return report_files_add(&report->files, name, &picture, report->arena, err);
    buf_free(&picture);
    if (why.kind == ERROR_MEMORY)
        return error_memory(err);
    report->no_pictures = true;
    message_warn(&report->messages, "figures are written as SVG only: %s", why.text);
    return true;
}

static const char *report_file_name(const char *stem, const char *type, struct arena *arena,
                                    struct error *err)
{
    struct buf text = buf_new(arena->alloc, 256);
    struct str name;

    buf_addf(&text, "%s.%s%c", stem, type, '\0');
    return buf_keep(&text, arena, &name, err) ? name.at : NULL;
}

bool report_add_figure(struct report *report, const char *stem,
                       const struct figure_sheet *sheet, bool pdf, struct error *err)
{
    struct arena *arena = report->arena;
    struct buf text = buf_new(arena->alloc, BUF_MAX_OUTPUT);
    const char *svg = report_file_name(stem, "svg", arena, err);
    const char *png = report_file_name(stem, "png", arena, err);
    const char *paper = report_file_name(stem, "pdf", arena, err);
    struct figure_sheet marked = *sheet;
    struct str drawn;

    if (svg == NULL || png == NULL || paper == NULL ||
        !report_mark_footer(report->demo, arena, &marked.footer, err))
        return false;
    figure_svg(&marked, &text);
    if (!report_files_add(&report->files, svg, &text, arena, err))
        return false;
    drawn = report->files.at[report->files.len - 1].text;
    return report_add_picture(report, RASTER_PNG, png, drawn, err) &&
           (!pdf || report_add_picture(report, RASTER_PDF, paper, drawn, err));
}

bool report_show_figure(struct report *report, struct document *d, const char *stem,
                        const struct figure *figure, struct str source, struct error *err)
{
    struct figure *f = arena_array(report->arena, struct figure, 1, err);
    struct figure_sheet *sheet = arena_array(report->arena, struct figure_sheet, 1, err);

    if (f == NULL || sheet == NULL)
        return false;
    *f = *figure;
    *sheet = (struct figure_sheet){.figures = f, .count = 1, .footer = source};
    document_figure(d, document_text(d, "%s.svg", stem), sheet, f->title);
    return report_add_figure(report, stem, sheet, false, err);
}

/* ---- documents ---- */

static bool report_add_text(struct report *report, const struct document *d, const char *name,
                            void (*write)(const struct document *, struct buf *),
                            struct error *err)
{
    struct buf text = buf_new(report->arena->alloc, BUF_MAX_OUTPUT);

    write(d, &text);
    return report_files_add(&report->files, name, &text, report->arena, err);
}

bool report_add_document(struct report *report, const struct document *d, struct error *err)
{
    struct document marked = *d;

    if (report->demo)
        marked.title = document_text(&marked, "%.*s (demo data)", STR_ARG(d->title));
    return report_mark_footer(report->demo, report->arena, &marked.footer, err) &&
           report_add_text(report, &marked, "report.html", document_html, err) &&
           report_add_text(report, &marked, "report.md", document_markdown, err);
}
