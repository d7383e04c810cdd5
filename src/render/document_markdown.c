/* Documents as GitHub's Markdown, for pull requests. */
#include "base/characters.h"
#include "render/document.h"

/* ---- text ---- */

static bool is_markdown_word(struct str text, size_t at)
{
    return at < text.len &&
           (is_letter_or_digit(text.at[at]) || (unsigned char)text.at[at] >= 0x80);
}

/* A name with _ inside stays readable: only at its ends would it be emphasis. */
static bool is_markup(struct str text, size_t at)
{
    switch (text.at[at]) {
    case '\\':
    case '`':
    case '*':
    case '[':
    case ']':
    case '|':
    case '~':
        return true;
    case '_':
        return at == 0 || !is_markdown_word(text, at - 1) || !is_markdown_word(text, at + 1);
    case '$': /* formulas; amounts stay readable */
        return at + 1 >= text.len || !is_digit(text.at[at + 1]);
    default:
        return false;
    }
}

static void escape_one(struct str text, size_t at, struct buf *out)
{
    char c = text.at[at];

    if (c == '<')
        buf_adds(out, "&lt;");
    else if (c == '>')
        buf_adds(out, "&gt;");
    else if (c == '&')
        buf_adds(out, "&amp;");
    else if ((c == '@' || c == '#') && is_markdown_word(text, at + 1))
        buf_addf(out, "%c<!-- -->", c); /* neither a user nor an issue */
    else
        buf_addf(out, "%s%c", is_markup(text, at) ? "\\" : "", c);
}

void markdown_escape(struct str text, struct buf *out)
{
    for (size_t i = 0; i < text.len;) {
        struct str rest = {text.at + i, text.len - i};
        size_t bad = str_unsafe(rest), len = bad > 0 ? bad : str_character(rest);

        if (bad > 0)
            buf_char(out, '?');
        else if (len > 1)
            buf_add(out, (struct str){rest.at, len});
        else
            escape_one(text, i, out);
        i += len;
    }
}

/* At the start of a line more is markup: headings, lists, rules. A "1." is a list, too. */
static void escape_line(struct str text, struct buf *out)
{
    size_t digits = 0;

    text = str_trim(text);
    while (digits < text.len && is_digit(text.at[digits]))
        digits++;
    if (digits > 0 && digits < text.len && (text.at[digits] == '.' || text.at[digits] == ')')) {
        buf_add(out, (struct str){text.at, digits});
        buf_char(out, '\\');
        text.at += digits;
        text.len -= digits;
    } else if (text.len > 0 && (text.at[0] == '#' || text.at[0] == '-' || text.at[0] == '+' ||
                                text.at[0] == '='))
        buf_char(out, '\\');
    markdown_escape(text, out);
}

static void line(const char *before, struct str text, const char *after, struct buf *out)
{
    buf_adds(out, before);
    if (before[0] == '\0')
        escape_line(text, out);
    else
        markdown_escape(str_trim(text), out);
    buf_adds(out, after);
}

/* ---- blocks ---- */

static void write_markdown_facts(const struct document_block *b, struct buf *out)
{
    for (size_t i = 0; i < b->fact_count; i++) {
        const struct document_fact *fact = &b->facts[i];

        line("- **", fact->label, ":** ", out);
        markdown_escape(fact->value.len > 0 ? fact->value : STR("unknown"), out);
        if (fact->note.len > 0)
            line(" (", fact->note, ")", out);
        buf_char(out, '\n');
    }
    buf_char(out, '\n');
}

static void write_markdown_head(const struct document_table *t, const bool *shown,
                                struct buf *out)
{
    for (size_t c = 0; c < t->columns->len; c++)
        if (shown[c])
            line("| ", str_from(t->columns->at[c].title), " ", out);
    buf_adds(out, "|\n");
    for (size_t c = 0; c < t->columns->len; c++)
        if (shown[c])
            buf_adds(out,
                     column_right(&t->columns->at[c], t->rows.row) ? "| ---: " : "| :--- ");
    buf_adds(out, "|\n");
}

/* A cell is one line, and empty rather than missing. */
static void write_markdown_cell(struct str text, bool bold, struct buf *out)
{
    bool marked = bold && str_trim(text).len > 0;

    line(marked ? "| **" : "| ", text, marked ? "** " : " ", out);
}

static size_t write_markdown_rows(const struct document_table *t, const bool *shown,
                                  size_t most, struct buf *cell, struct buf *out)
{
    const unsigned char *row = t->rows.at;
    size_t count = 0;

    for (size_t i = 0; i < t->rows.len; i++, row += t->rows.row->size) {
        bool bold;

        if (t->columns->shown != NULL && !t->columns->shown(row))
            continue;
        if (count++ >= most)
            continue;
        bold = t->columns->style != NULL &&
               (t->columns->style(row) == STYLE_BOLD || t->columns->style(row) == STYLE_GOOD);
        for (size_t c = 0; c < t->columns->len; c++)
            if (shown[c]) {
                buf_clear(cell);
                column_write(&t->columns->at[c], t->rows.row, row, cell);
                write_markdown_cell(buf_text(cell), bold, out);
            }
        buf_adds(out, "|\n");
    }
    return count;
}

static void write_markdown_total(const struct document_table *t, const bool *shown,
                                 struct buf *cell, struct buf *out)
{
    for (size_t c = 0; c < t->columns->len; c++)
        if (shown[c]) {
            buf_clear(cell);
            columns_write_total(t->columns, c, t->total_label, t->total_set, t->total, cell);
            write_markdown_cell(buf_text(cell), true, out);
        }
    buf_adds(out, "|\n");
}

static void write_markdown_table(const struct document_table *t, struct buf *out)
{
    struct buf cell = buf_new(out->alloc, BUF_MAX_OUTPUT);
    bool shown[TABLE_MAX_COLUMNS] = {false};
    struct columns columns = *t->columns;
    struct document_table table = *t;
    size_t most = DOCUMENT_MARKDOWN_ROWS, count;

    if (t->most > 0 && t->most < most)
        most = t->most;
    if (columns.len > TABLE_MAX_COLUMNS)
        columns.len = TABLE_MAX_COLUMNS;
    table.columns = &columns;
    for (size_t c = 0; c < columns.len; c++)
        shown[c] = columns_show(&columns, c, &t->rows);
    line("**", t->caption, "**\n\n", out);
    write_markdown_head(&table, shown, out);
    count = write_markdown_rows(&table, shown, most, &cell, out);
    if (count == 0)
        buf_adds(out, "| none |\n");
    if (t->total != NULL)
        write_markdown_total(&table, shown, &cell, out);
    if (count > most)
        buf_addf(out, "\n%zu of %zu rows shown.\n", most, count);
    buf_char(out, '\n');
    buf_free_part(&cell, out);
}

/* A link to a file: what is not plain in its name is written as %XX. */
static void write_markdown_path(struct str path, struct buf *out)
{
    for (size_t i = 0; i < path.len; i++) {
        unsigned char c = (unsigned char)path.at[i];

        if (is_letter_or_digit(path.at[i]) || c == '.' || c == '-' || c == '_' || c == '/')
            buf_char(out, path.at[i]);
        else
            buf_addf(out, "%%%02X", c);
    }
}

static void write_markdown_figure(const struct document_block *b, struct buf *out)
{
    const struct figure_sheet *s = b->sheet;
    struct str label = b->text.len > 0 || s->count == 0 ? b->text : s->figures[0].title;

    line("![", label, "](", out);
    write_markdown_path(b->file, out);
    buf_adds(out, ")\n\n");
}

static void write_markdown_block(const struct document_block *b, struct buf *out)
{
    switch (b->kind) {
    case DOCUMENT_HEADING:
        buf_pad(out, '#', b->level);
        line(" ", b->text, "\n\n", out);
        break;
    case DOCUMENT_PARAGRAPH:
        line("", b->text, "\n\n", out);
        break;
    case DOCUMENT_REMARK:
        line(b->mood == DOCUMENT_WARNING ? "> **Warning:** " : "> **Note:** ", b->text, "\n\n",
             out);
        break;
    case DOCUMENT_FACTS:
        write_markdown_facts(b, out);
        break;
    case DOCUMENT_TABLE:
        write_markdown_table(&b->table, out);
        break;
    case DOCUMENT_FIGURE:
    default:
        write_markdown_figure(b, out);
        break;
    }
}

void document_markdown(const struct document *d, struct buf *out)
{
    if (d->failed) {
        out->failed = ERROR_MEMORY;
        return;
    }
    line("# ", d->title, "\n\n", out);
    if (d->subtitle.len > 0)
        line("", d->subtitle, "\n\n", out);
    for (const struct document_block *b = d->first; b != NULL; b = b->next)
        write_markdown_block(b, out);
    if (d->footer.len > 0)
        line("<sub>", d->footer, "</sub>\n", out);
}
