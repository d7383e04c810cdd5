/* Statements as a table for spreadsheets. */
#include "base/csv.h"
#include "base/fs.h"
#include "op/statement.h"

/* Digits in threes. */
static void add_grouped(const char *digits, size_t len, struct buf *out)
{
    for (size_t i = 0; i < len; i++) {
        if (i > 0 && (len - i) % 3 == 0)
            buf_char(out, ',');
        buf_char(out, digits[i]);
    }
}

void statement_money(const struct money *m, struct buf *out)
{
    struct decimal d = {0};
    struct buf plain = buf_new(out->alloc, 128);
    bool usd_sign = str_eq(str_from(m->currency), STR("USD")), negative;
    struct str text;

    if (!decimal_divide(m->amount, (struct decimal){1, 0}, 2, &d)) /* as it is, then */
        d = m->amount;
    for (; d.scale < 2 && d.coefficient < INT64_MAX && d.coefficient > INT64_MIN; d.scale++)
        d.coefficient *= 10;
    negative = d.coefficient < 0;
    decimal_write(d, &plain);
    text = buf_text(&plain);
    if (negative) {
        buf_adds(out, "-");
        text = (struct str){text.at + 1, text.len - 1};
    }
    buf_adds(out, usd_sign ? "$" : "");
    if (plain.failed != ERROR_NONE)
        buf_char(out, '?');
    else if (text.len > 3 && d.scale == 2) {
        add_grouped(text.at, text.len - 3, out);
        buf_add(out, (struct str){text.at + text.len - 3, 3});
    } else
        buf_add(out, text);
    buf_free(&plain);
    if (!usd_sign)
        buf_addf(out, " %s", m->currency);
}

static void csv_amount(const struct money *m, struct buf *out)
{
    buf_char(out, ',');
    decimal_write(m->amount, out);
}

static void csv_text(struct str text, struct buf *out)
{
    buf_char(out, ',');
    csv_write_field(text, out);
}

static void csv_line(const struct statement_result *res, const struct statement *s,
                     const struct statement_line *l, struct buf *out)
{
    csv_write_field(s->number, out);
    csv_text(res->kind, out);
    csv_text(res->month, out);
    csv_text(s->who, out);
    csv_text(l->section, out);
    csv_text(l->item, out);
    csv_text(l->project, out);
    csv_text(s->currency, out);
    csv_amount(&l->amount, out);
    csv_amount(&l->before, out);
    csv_amount(&l->metered, out);
    buf_char(out, '\n');
}

bool statement_write_csv(const struct statement_work *w, struct error *err)
{
    struct buf text = buf_new(w->ctx->arena->alloc, BUF_MAX_OUTPUT);
    const struct statement *list = w->out->statements.at;
    char *path = str_dup(w->req->csv, w->ctx->arena, err);
    bool ok;

    buf_addf(&text,
             "statement,kind,month,%s,section,item,project,currency,amount,amount_before,"
             "amount_metered\n",
             dimension_name(w->by));
    for (size_t i = 0; i < w->out->statements.len; i++) {
        const struct statement_line *lines = list[i].lines.at;

        for (size_t k = 0; k < list[i].lines.len; k++)
            csv_line(w->out, &list[i], &lines[k], &text);
    }
    ok = path != NULL && buf_ok(&text, err) && fs_put(path, buf_text(&text), err);
    buf_free(&text);
    return ok;
}
