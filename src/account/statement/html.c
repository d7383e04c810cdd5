/* Statements as a page. */
#include "account/statement/statement.h"

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<meta http-equiv=\"Content-Security-Policy\""
    " content=\"default-src 'none'; style-src 'unsafe-inline'\">\n<title>";

static const char style[] =
    "</title>\n<style>\n"
    "@page { size: A4; margin: 18mm 18mm 20mm; }\n"
    "* { box-sizing: border-box; }\n"
    "body { margin: 0; background: #fff; color: #1a1a1a;"
    " font: 10.5pt/1.45 Georgia, \"Times New Roman\", \"Liberation Serif\", serif;"
    " print-color-adjust: exact; }\n"
    "article { max-width: 174mm; margin: 0 auto; padding: 14mm 0; }\n"
    "article + article { border-top: 1px solid #bbb; }\n"
    "header { display: flex; justify-content: space-between; align-items: flex-end;"
    " border-bottom: 2px solid #1a1a1a; padding-bottom: 4mm; margin-bottom: 6mm; }\n"
    "h1 { font-size: 19pt; font-weight: normal; line-height: 1.2; margin: 0 0 1mm; }\n"
    "h2 { font-size: 10.5pt; margin: 6mm 0 1mm; break-after: avoid; }\n"
    "p { margin: 1mm 0; }\n"
    ".who { font-size: 12pt; overflow-wrap: anywhere; }\n"
    ".facts { text-align: right; font-size: 9pt; color: #444; padding-left: 8mm; }\n"
    ".facts p { margin: 0; }\n"
    "table { width: 100%; border-collapse: separate; border-spacing: 0; table-layout: fixed;"
    " font-size: 9.5pt; }\n"
    "th { text-align: left; font-weight: normal; color: #555; font-size: 8.5pt;"
    " border-bottom: 1px solid #999; padding: 1mm 4mm 1mm 0; vertical-align: bottom; }\n"
    "td { padding: .9mm 4mm .9mm 0; border-bottom: 1px solid #e4e4e4; vertical-align: top;"
    " overflow-wrap: anywhere; }\n"
    "thead { display: table-header-group; }\n"
    "tr { break-inside: avoid; }\n"
    "th.p, td.p { width: 52mm; }\n"
    "th.c, td.c { width: 28mm; }\n"
    "th.u, td.u { width: 18mm; }\n"
    "th.n, td.n { width: 31mm; text-align: right; padding-right: 0; white-space: nowrap;"
    " font-variant-numeric: tabular-nums lining-nums; }\n"
    "tr.sum td { border-bottom: 0; border-top: 1px solid #1a1a1a; font-weight: bold; }\n"
    ".total { margin-bottom: 2mm; font-size: 10.5pt; }\n"
    ".total td { border: 0; }\n"
    ".total td.n { width: 60mm; }\n"
    ".total tr.sum td { font-size: 15pt; font-weight: normal; border: 0; }\n"
    ".notes { margin-top: 8mm; font-size: 8.5pt; color: #444; border-top: 1px solid #ccc;"
    " padding-top: 2mm; break-inside: avoid; }\n"
    "@media print { article { padding: 0; max-width: none; break-after: page; }"
    " article:last-child { break-after: auto; } article + article { border: 0; } }\n"
    "</style>\n</head>\n<body>\n";

static void add_html_text(struct str text, struct buf *out)
{
    for (size_t i = 0; i < text.len;) {
        struct str rest = {text.at + i, text.len - i};
        size_t bad = str_unsafe(rest);
        size_t good = str_character(rest);

        if (bad == 0 && (good == 0 || good > rest.len))
            bad = 1;
        if (bad > 0)
            buf_char(out, '?');
        else if (rest.at[0] == '&')
            buf_adds(out, "&amp;");
        else if (rest.at[0] == '<')
            buf_adds(out, "&lt;");
        else if (rest.at[0] == '>')
            buf_adds(out, "&gt;");
        else if (rest.at[0] == '"')
            buf_adds(out, "&quot;");
        else
            buf_add(out, (struct str){rest.at, good});
        i += bad > 0 ? bad : good;
    }
}

/* A real minus sign lines up with the digits. */
static void add_html_figure(const struct money *m, bool with_code, struct buf *out)
{
    struct buf text = buf_new(out->alloc, 128);
    struct str s;

    money_write_cents(m, &text);
    s = buf_text(&text);
    if (s.len > 0 && s.at[0] == '-') {
        buf_adds(out, "\xe2\x88\x92");
        s = (struct str){s.at + 1, s.len - 1};
    }
    add_html_text(with_code ? s : str_cut(&s, ' '), out);
    buf_free(&text);
}

static void add_html_money(const struct money *m, struct buf *out)
{
    add_html_figure(m, true, out);
}

static void add_html_change(const struct money *m, bool with_code, struct buf *out)
{
    buf_adds(out, m->amount.coefficient > 0 ? "+" : "");
    add_html_figure(m, with_code, out);
}

/* Cells of a table, whose head has the currency's code. */
static void add_html_amounts(const struct money *before, const struct money *amount,
                             const struct money *change, struct buf *out)
{
    buf_adds(out, "<td class=\"n\">");
    add_html_figure(before, false, out);
    buf_adds(out, "</td><td class=\"n\">");
    add_html_figure(amount, false, out);
    buf_adds(out, "</td><td class=\"n\">");
    add_html_change(change, false, out);
    buf_adds(out, "</td></tr>\n");
}

static void add_section_head(const struct statement_set *set, const struct statement *s,
                             enum statement_section in, bool projects, struct buf *out)
{
    static const char *const titles[SECTION_COUNT] = {
        [SECTION_DIRECT] = "Direct costs",
        [SECTION_SHARED] = "Shared costs",
        [SECTION_RECURRING] = "Recurring costs",
        [SECTION_CREDIT] = "Credits and adjustments",
        [SECTION_TAX] = "Tax",
    };

    buf_addf(out, "<h2>%s</h2>\n<table>\n<thead><tr><th>Item</th>%s<th class=\"n\">",
             titles[in], projects ? "<th class=\"c\">Project</th>" : "");
    add_html_text(set->before, out);
    buf_addf(out, ", %s</th><th class=\"n\">", s->total.currency.code);
    add_html_text(set->month, out);
    buf_addf(out, ", %s", s->total.currency.code);
    buf_adds(out, "</th><th class=\"n\">Change</th></tr></thead>\n");
}

static void add_html_line(const struct statement_line *line, bool projects, struct buf *out)
{
    buf_adds(out, "<tr><td>");
    add_html_text(line->item.len > 0 ? line->item : STR("(none)"), out);
    buf_adds(out, "</td>");
    if (projects) {
        buf_adds(out, "<td class=\"c\">");
        add_html_text(line->project.len > 0 ? line->project : STR("-"), out);
        buf_adds(out, "</td>");
    }
    add_html_amounts(&line->before, &line->amount, &line->change, out);
}

static void add_section(const struct statement_set *set, const struct statement *s,
                        enum statement_section in, struct buf *out)
{
    const struct statement_line *lines = s->lines.at;
    struct money change = s->sections[in];
    bool open = false, projects = in == SECTION_DIRECT && set->of.by != DIMENSION_project;

    for (size_t i = 0; i < s->lines.len; i++) {
        if (lines[i].section != in)
            continue;
        if (!open)
            add_section_head(set, s, in, projects, out);
        open = true;
        add_html_line(&lines[i], projects, out);
    }
    if (!open)
        return;
    change.amount.coefficient = -s->sections_before[in].amount.coefficient;
    change.amount.scale = s->sections_before[in].amount.scale;
    (void)!decimal_add(s->sections[in].amount, change.amount, &change.amount);
    buf_addf(out, "<tr class=\"sum\"><td%s>Sum</td>", projects ? " colspan=\"2\"" : "");
    add_html_amounts(&s->sections_before[in], &s->sections[in], &change, out);
    buf_adds(out, "</table>\n");
}

static void add_html_total(const char *what, struct str of, bool sum, struct buf *out)
{
    buf_addf(out, "<tr%s><td>%s", sum ? " class=\"sum\"" : "", what);
    add_html_text(of, out);
    buf_adds(out, "</td><td class=\"n\">");
}

static void add_html_totals(const struct statement_set *set, const struct statement *s,
                            struct buf *out)
{
    buf_adds(out, "<table class=\"total\">\n");
    add_html_total("Total of ", set->month, true, out);
    add_html_money(&s->total, out);
    buf_adds(out, "</td></tr>\n");
    add_html_total("The month before, ", set->before, false, out);
    add_html_money(&s->before, out);
    buf_adds(out, "</td></tr>\n");
    add_html_total("Change", (struct str){0}, false, out);
    add_html_change(&s->change, true, out);
    buf_adds(out, "</td></tr>\n");
    if (s->metered.amount.coefficient != 0) {
        add_html_total("Of the total, metered and on no bill yet", (struct str){0}, false, out);
        add_html_money(&s->metered, out);
        buf_adds(out, "</td></tr>\n");
    }
    buf_adds(out, "</table>\n");
}

static void add_html_head(const struct statement_set *set, const struct statement *s,
                          struct buf *out)
{

    buf_addf(out, "<article>\n<header>\n<div>\n<h1>%s</h1>\n<p class=\"who\">",
             set->of.chargeback ? "Chargeback statement" : "Showback statement");
    add_html_text(set->by, out);
    buf_char(out, ' ');
    add_html_text(s->who.len > 0 ? s->who : STR("(none): what has no such tag"), out);
    buf_adds(out, "</p>\n</div>\n<div class=\"facts\">\n<p>No. ");
    add_html_text(s->number, out);
    buf_adds(out, "</p>\n<p>");
    day_write(set->since, out);
    buf_adds(out, " to ");
    day_write(set->until, out);
    buf_adds(out, set->whole ? "</p>\n<p>made " : ", so far</p>\n<p>made ");
    stamp_write(set->made, out);
    buf_adds(out, "</p>\n</div>\n</header>\n");
    add_html_totals(set, s, out);
}

static void add_bill(const struct statement_set *set, const struct statement_bill *b,
                     bool currencies, struct buf *out)
{
    struct buf account = buf_new(out->alloc, BUF_MAX_OUTPUT);

    statement_account(b, &account);
    buf_adds(out, "<tr><td class=\"c\">");
    add_html_text(b->provider, out);
    buf_adds(out, "</td><td>");
    add_html_text(buf_text(&account), out);
    buf_free(&account);
    buf_adds(out, "</td><td class=\"p\">");
    day_write(b->period_start, out);
    buf_adds(out, " to ");
    day_write(b->period_end, out);
    buf_adds(out, b->final ? "</td>" : ", delivered before it was over</td>");
    if (currencies) {
        buf_adds(out, "<td class=\"u\">");
        add_html_text(b->currency, out);
        buf_adds(out, "</td>");
    }
    if (set->of.chargeback) {
        buf_adds(out, "<td>");
        add_html_text(b->invoices.len > 0 ? b->invoices : STR("not on the bill"), out);
        buf_adds(out, "</td>");
    }
    buf_adds(out, "</tr>\n");
}

static void add_html_bills(const struct statement_set *set, const struct statement *s,
                           struct buf *out)
{
    const struct statement_bill *bills = set->bills.at;
    bool open = false, converted = set->rates.of.len > 0;

    for (size_t i = 0; i < set->bills.len; i++) {
        if (!converted && !str_eq(bills[i].currency, currency_text(&s->total.currency)))
            continue;
        if (!open)
            buf_addf(out,
                     "<h2>Bills</h2>\n<table>\n<thead><tr><th class=\"c\">Of</th>"
                     "<th>Account</th><th class=\"p\">Period</th>%s%s</tr></thead>\n",
                     converted ? "<th class=\"u\">Currency</th>" : "",
                     set->of.chargeback ? "<th>Invoice</th>" : "");
        open = true;
        add_bill(set, &bills[i], converted, out);
    }
    buf_adds(out, open ? "</table>\n" : "");
}

/* The words of the terminal, a paragraph for each line. */
static void add_html_notes(const struct statement_set *set, struct buf *out)
{
    struct buf text = buf_new(out->alloc, BUF_MAX_OUTPUT);
    struct str rest;

    statement_notes(set, &text);
    rest = buf_text(&text);
    while (rest.len > 0) {
        buf_adds(out, "<p>");
        add_html_text(str_cut(&rest, '\n'), out);
        buf_adds(out, "</p>\n");
    }
    buf_free(&text);
}

static void add_statement(const struct statement_set *set, const struct statement *s,
                          struct buf *out)
{
    add_html_head(set, s, out);
    for (int in = 0; in < SECTION_COUNT; in++)
        add_section(set, s, (enum statement_section)in, out);
    add_html_bills(set, s, out);
    buf_adds(out, "<div class=\"notes\">\n");
    add_html_notes(set, out);
    buf_adds(out,
             "<p>Totals are exact and rounded to the cent for display, so a column may differ "
             "from its total by a cent. The number changes when an amount does.</p>\n"
             "</div>\n"
             "</article>\n");
}

void statements_write_html(const struct statement_set *set, struct buf *out)
{
    const struct statement *list = set->statements.at;

    buf_adds(out, head);
    buf_adds(out, set->of.chargeback ? "Chargeback " : "Showback ");
    add_html_text(set->month, out);
    buf_adds(out, style);
    for (size_t i = 0; i < set->statements.len; i++)
        add_statement(set, &list[i], out);
    if (set->statements.len == 0)
        buf_adds(out, "<article><p>Nothing was spent.</p></article>\n");
    buf_adds(out, "</body>\n</html>\n");
}
