/* Documents as one HTML file. Classes are not those of figures, whose style sheet is part of
 * the page. */
#include "render/document.h"
#include "render/svg.h"

#define WIDE_TEXT 24  /* bytes of a cell that stay in one line on paper */
#define SOLID_WORD 18 /* bytes of a word that does */
#define BRIEF_ROWS 12 /* of a table that stays on one page */

/* Colors of text have a contrast of at least 4.5 to their background. Wide tables and figures
 * scroll by themselves, so that the page does not. */
static const char page_css[] =
    ":root { color-scheme: light dark; --text: #24292f; --dim: #57606a; --back: #ffffff;\n"
    "  --soft: #f6f8fa; --rule: #d0d7de; --green: #0a6b3d; --amber: #8a4b00; --red: #b3261e;\n"
    "  --amber-back: #fff4e0 }\n"
    "@media screen and (prefers-color-scheme: dark) { :root { --text: #e6edf3;\n"
    "  --dim: #9aa4af; --back: #0d1117; --soft: #161b22; --rule: #30363d;\n"
    "  --green: #56d364; --amber: #f0b35a; --red: #ff8f87; --amber-back: #2b2111 } }\n"
    "* { box-sizing: border-box }\n"
    "body { margin: 0 auto; padding: 1.5rem 1rem 3rem; max-width: 66rem; color: var(--text);\n"
    "  background: var(--back); font: 1rem/1.5 Helvetica, Arial, Liberation Sans, sans-serif;\n"
    "  overflow-wrap: anywhere; -webkit-text-size-adjust: 100% }\n"
    "h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .3rem }\n"
    "h2 { font-size: 1.35rem; line-height: 1.3; margin: 2.5rem 0 .6rem; padding-top: .8rem;\n"
    "  border-top: 1px solid var(--rule) }\n"
    "h3 { font-size: 1.1rem; margin: 1.8rem 0 .4rem }\n"
    "p { margin: .6rem 0; max-width: 46rem } .sub, .more { color: var(--dim) }\n"
    "header { margin-bottom: 1.5rem } footer { margin-top: 3rem; padding-top: .8rem;\n"
    "  border-top: 1px solid var(--rule); color: var(--dim); font-size: .875rem }\n"
    ".facts { display: grid; gap: .75rem; margin: 1.2rem 0;\n"
    "  grid-template-columns: repeat(auto-fit, minmax(min(100%, 13rem), 1fr)) }\n"
    ".facts div { background: var(--soft); border: 1px solid var(--rule);\n"
    "  border-radius: 6px; padding: .7rem .9rem; break-inside: avoid }\n"
    ".facts dt { color: var(--dim); font-size: .875rem } .facts dd { margin: 0 }\n"
    ".facts .value { font-size: 1.25rem; font-weight: 600; line-height: 1.3 }\n"
    ".facts .how { color: var(--dim); font-size: .8125rem; line-height: 1.35 }\n"
    ".scroll { overflow-x: auto; margin: 1.2rem 0 }\n"
    ".scroll:focus-visible { outline: 2px solid #0072b2; outline-offset: 2px }\n"
    "table { border-collapse: collapse; font-size: .9375rem; min-width: 50% }\n"
    "caption { text-align: left; font-weight: 600; padding: 0 0 .4rem }\n"
    "th, td { text-align: left; padding: .35rem .8rem .35rem 0; vertical-align: top;\n"
    "  border-bottom: 1px solid var(--rule); overflow-wrap: normal; max-width: 26rem }\n"
    "tbody th { font-weight: 400; overflow-wrap: anywhere; min-width: 9rem }\n"
    "thead th { color: var(--dim); font-size: .875rem; font-weight: 600;\n"
    "  vertical-align: bottom } .num { text-align: right; font-variant-numeric: tabular-nums "
    "}\n"
    "tbody .num, tfoot .num { white-space: nowrap }\n"
    "tfoot th, tfoot td, tr.bold, tr.bold th, td.bold { font-weight: 600 }\n"
    "tr.dim, td.dim { color: var(--dim) } tr.green, td.green { color: var(--green) }\n"
    "tr.amber, td.amber { color: var(--amber) } tr.red, td.red { color: var(--red) }\n"
    ".remark { margin: 1rem 0; padding: .6rem .9rem; background: var(--soft);\n"
    "  border-left: 4px solid var(--rule); max-width: none }\n"
    ".remark.warning { background: var(--amber-back); border-color: var(--amber) }\n"
    "figure { margin: 1.4rem 0; break-inside: avoid }\n"
    "figcaption { color: var(--dim); font-size: .875rem; margin-top: .4rem }\n"
    "figure svg { width: 100%; height: auto; overflow: visible }\n"
    ".beside { display: grid; gap: 1.6rem;\n"
    "  grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)) }\n";

/* On paper it is light and smaller, links and scrolling do not exist, pages have numbers,
 * and no line of a table is cut in two, nor a number or a short word: only long texts
 * become several lines. */
static const char paper_css[] =
    "@media print { @page { margin: 14mm 16mm 16mm;\n"
    "    @bottom-right { content: counter(page) \" / \" counter(pages); color: #57606a;\n"
    "      font: 8pt Helvetica, Arial, Liberation Sans, sans-serif } }\n"
    "  :root { font-size: 9.5pt } body { padding: 0; max-width: none }\n"
    "  .scroll { overflow: visible }\n"
    "  table { width: 100%; font-size: 8pt } thead th { font-size: 7.5pt }\n"
    "  th, td { padding: .22rem .5rem .22rem 0; white-space: nowrap }\n"
    "  thead th, .wide { white-space: normal } .solid { overflow-wrap: anywhere }\n"
    "  tbody th { min-width: 0; overflow-wrap: normal } tbody th.solid { overflow-wrap: "
    "anywhere }\n"
    "  thead { display: table-header-group }\n"
    "  tfoot { display: table-row-group } .brief { break-inside: avoid }\n"
    "  figure { break-inside: auto } figure svg { break-inside: avoid }\n"
    "  figcaption, footer { break-before: avoid } h2 { margin-top: 1.6rem }\n"
    "  tr, .remark { break-inside: avoid } h2, h3, caption { break-after: avoid }\n"
    "  .beside { grid-template-columns: 1fr 1fr } footer { margin-top: 1.5rem } }\n";

static void element(const char *open, struct str text, const char *close, struct buf *out)
{
    buf_adds(out, open);
    svg_escape(out, text);
    buf_adds(out, close);
}

/* ---- facts ---- */

static void write_html_facts(const struct document_block *b, struct buf *out)
{
    buf_adds(out, "<dl class=\"facts\">\n");
    for (size_t i = 0; i < b->fact_count; i++) {
        const struct document_fact *fact = &b->facts[i];
        struct str value = fact->value.len > 0 ? fact->value : STR("unknown");

        element("<div><dt>", fact->label, "</dt>", out);
        element("<dd class=\"value\">", value, "</dd>", out);
        if (fact->note.len > 0)
            element("<dd class=\"how\">", fact->note, "</dd>", out);
        buf_adds(out, "</div>\n");
    }
    buf_adds(out, "</dl>\n");
}

/* ---- tables ---- */

static const char *const style_classes[] = {
    [STYLE_PLAIN] = "",     [STYLE_BOLD] = "bold",  [STYLE_DIM] = "dim",
    [STYLE_GOOD] = "green", [STYLE_WARN] = "amber", [STYLE_BAD] = "red",
};

/* What is known of a table's columns before its rows are written. */
struct html_table {
    const struct document_table *table;
    struct column_layout layout;
};

static void write_html_classes(const char *a, const char *b, struct buf *out)
{
    if (a[0] != '\0' || b[0] != '\0')
        buf_addf(out, " class=\"%s%s%s\"", a, a[0] != '\0' && b[0] != '\0' ? " " : "", b);
}

/* How a text may become several lines on paper: not at all, between words, or anywhere. */
static const char *wrap_class(struct str text)
{
    size_t word = 0, longest = 0;

    if (text.len <= WIDE_TEXT)
        return "";
    for (size_t i = 0; i < text.len; i++) {
        word = text.at[i] == ' ' ? 0 : word + 1;
        longest = word > longest ? word : longest;
    }
    return longest > SOLID_WORD ? "wide solid" : "wide";
}

static void write_html_cell(const struct html_table *t, size_t c, struct str text,
                            struct buf *out)
{
    const char *name = c == t->layout.first ? "th" : "td";

    buf_addf(out, "<%s%s", name, c == t->layout.first ? " scope=\"row\"" : "");
    write_html_classes(t->layout.right[c] ? "num" : wrap_class(text),
                       style_classes[t->table->columns->at[c].style], out);
    buf_char(out, '>');
    svg_escape(out, text);
    buf_addf(out, "</%s>", name);
}

static void write_html_head(const struct html_table *t, struct buf *out)
{
    buf_adds(out, "<thead>\n<tr>");
    for (size_t c = 0; c < t->layout.count; c++)
        if (t->layout.shown[c]) {
            buf_addf(out, "<th scope=\"col\"%s>", t->layout.right[c] ? " class=\"num\"" : "");
            element("", str_from(t->table->columns->at[c].title), "</th>", out);
        }
    buf_adds(out, "</tr>\n</thead>\n");
}

/* The rows, at most as many as are wanted; how many there are. */
static size_t write_html_rows(const struct html_table *t, struct buf *cell, struct buf *out)
{
    const struct table_rows *rows = &t->table->rows;
    const struct columns *columns = t->table->columns;
    const unsigned char *row = rows->at;
    size_t count = 0;

    for (size_t i = 0; i < rows->len; i++, row += rows->row->size) {
        if (columns->shown != NULL && !columns->shown(row))
            continue;
        if (count++ >= t->table->most && t->table->most > 0)
            continue;
        buf_adds(out, "<tr");
        write_html_classes(columns->style != NULL ? style_classes[columns->style(row)] : "", "",
                           out);
        buf_char(out, '>');
        for (size_t c = 0; c < t->layout.count; c++)
            if (t->layout.shown[c]) {
                buf_clear(cell);
                column_write(&columns->at[c], rows->row, row, cell);
                write_html_cell(t, c, buf_text(cell), out);
            }
        buf_adds(out, "</tr>\n");
    }
    return count;
}

static void write_no_rows(const struct html_table *t, struct buf *out)
{
    size_t shown = 0;

    for (size_t c = 0; c < t->layout.count; c++)
        shown += t->layout.shown[c];
    buf_addf(out, "<tr class=\"dim\"><td colspan=\"%zu\">none</td></tr>\n", shown);
}

static void write_html_total(const struct html_table *t, struct buf *cell, struct buf *out)
{
    const struct document_table *table = t->table;

    buf_adds(out, "<tfoot>\n<tr>");
    for (size_t c = 0; c < t->layout.count; c++)
        if (t->layout.shown[c]) {
            buf_clear(cell);
            columns_write_total(table->columns, c, table->total_label, table->total_set,
                                table->total, cell);
            write_html_cell(t, c, buf_text(cell), out);
        }
    buf_adds(out, "</tr>\n</tfoot>\n");
}

static void write_html_table(const struct document_table *table, struct buf *out)
{
    struct html_table t = {.table = table,
                           .layout = columns_layout(table->columns, &table->rows)};
    struct buf cell = buf_new(out->alloc, BUF_MAX_OUTPUT);
    size_t count;

    buf_addf(out, "<div class=\"scroll%s\"", table->rows.len <= BRIEF_ROWS ? " brief" : "");
    element(" role=\"group\" tabindex=\"0\" aria-label=\"", table->caption, "\">\n<table>\n",
            out);
    element("<caption>", table->caption, "</caption>\n", out);
    write_html_head(&t, out);
    buf_adds(out, "<tbody>\n");
    count = write_html_rows(&t, &cell, out);
    if (count == 0)
        write_no_rows(&t, out);
    buf_adds(out, "</tbody>\n");
    if (table->total != NULL)
        write_html_total(&t, &cell, out);
    buf_adds(out, "</table>\n</div>\n");
    if (table->most > 0 && count > table->most)
        buf_addf(out, "<p class=\"more\">%zu of %zu rows shown.</p>\n", table->most, count);
    buf_free_part(&cell, out);
}

/* ---- figures ---- */

/* What the picture itself has not said. */
static void write_caption(const struct figure_sheet *s, struct str label, struct buf *out)
{
    bool said = s->count == 1 && str_eq(label, s->figures[0].title) && s->footer.len > 0;

    buf_adds(out, "<figcaption>");
    if (!said)
        svg_escape(out, label);
    if (s->footer.len > 0) {
        buf_adds(out, said ? "" : "<br>");
        svg_escape(out, s->footer);
    }
    buf_adds(out, "</figcaption>\n");
}

/* Beside each other they are narrow, and below each other on a phone. */
static void write_html_figure(const struct document_block *b, struct buf *out)
{
    const struct figure_sheet *s = b->sheet;
    bool beside = s->columns > 1;
    struct str label = b->text.len > 0 || s->count == 0 ? b->text : s->figures[0].title;

    buf_adds(out, "<figure>\n");
    if (beside)
        buf_adds(out, "<div class=\"beside\">\n");
    for (size_t i = 0; i < s->count; i++)
        figure_svg_inline(&s->figures[i], beside, out);
    if (beside)
        buf_adds(out, "</div>\n");
    write_caption(s, label, out);
    buf_adds(out, "</figure>\n");
}

/* ---- the page ---- */

static void write_html_block(const struct document_block *b, struct buf *out)
{
    switch (b->kind) {
    case DOCUMENT_HEADING:
        buf_addf(out, "<h%u>", b->level);
        svg_escape(out, b->text);
        buf_addf(out, "</h%u>\n", b->level);
        break;
    case DOCUMENT_PARAGRAPH:
        element("<p>", b->text, "</p>\n", out);
        break;
    case DOCUMENT_REMARK:
        if (b->mood == DOCUMENT_WARNING)
            element("<p class=\"remark warning\"><strong>Warning:</strong> ", b->text, "</p>\n",
                    out);
        else
            element("<p class=\"remark\">", b->text, "</p>\n", out);
        break;
    case DOCUMENT_FACTS:
        write_html_facts(b, out);
        break;
    case DOCUMENT_TABLE:
        write_html_table(&b->table, out);
        break;
    case DOCUMENT_FIGURE:
    default:
        write_html_figure(b, out);
        break;
    }
}

/* Names in it come from users: should one pass for markup after all, the page still may not
 * load or run anything. */
static void write_head_of_page(const struct document *d, struct buf *out)
{
    buf_adds(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                  "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                  "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                  "style-src 'unsafe-inline'\">\n");
    element("<title>", d->title, "</title>\n<style>\n", out);
    figure_css(out);
    buf_adds(out, page_css);
    buf_adds(out, paper_css);
    buf_adds(out, "</style>\n</head>\n<body>\n");
}

void document_html(const struct document *d, struct buf *out)
{
    if (d->failed) {
        out->failed = ERROR_MEMORY;
        return;
    }
    write_head_of_page(d, out);
    element("<header>\n<h1>", d->title, "</h1>\n", out);
    if (d->subtitle.len > 0)
        element("<p class=\"sub\">", d->subtitle, "</p>\n", out);
    buf_adds(out, "</header>\n<main>\n");
    for (const struct document_block *b = d->first; b != NULL; b = b->next)
        write_html_block(b, out);
    buf_adds(out, "</main>\n");
    if (d->footer.len > 0)
        element("<footer>\n<p>", d->footer, "</p>\n</footer>\n", out);
    buf_adds(out, "</body>\n</html>\n");
}
