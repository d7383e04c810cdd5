/* Statements as a table for spreadsheets. */
#include "base/csv.h"
#include "base/fs.h"
#include "op/statement.h"

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
