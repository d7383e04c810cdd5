#include "report/statement_csv.h"

#include "render/csv_rows.h"

static void statement_csv_amount(const struct money *m, struct buf *out)
{
    buf_char(out, ',');
    decimal_write(m->amount, out);
}

static void statement_csv_text(struct str text, struct buf *out)
{
    buf_char(out, ',');
    csv_rows_text(text, out);
}

static void statement_csv_line(const struct statement_set *set, const struct statement *s,
                               const struct statement_line *l, struct buf *out)
{
    csv_rows_text(s->number, out);
    statement_csv_text(set->kind, out);
    statement_csv_text(set->month, out);
    statement_csv_text(s->who, out);
    statement_csv_text(str_from(statement_sections[l->section]), out);
    statement_csv_text(l->item, out);
    statement_csv_text(l->project, out);
    statement_csv_text(currency_text(&s->total.currency), out);
    statement_csv_amount(&l->amount, out);
    statement_csv_amount(&l->before, out);
    statement_csv_amount(&l->metered, out);
    buf_char(out, '\n');
}

void statements_write_csv(const struct statement_set *set, struct buf *out)
{
    const struct statement *list = set->statements.at;

    buf_addf(out,
             "statement,kind,month,%s,section,item,project,currency,amount,amount_before,"
             "amount_metered\n",
             dimension_name(set->of.by));
    for (size_t i = 0; i < set->statements.len; i++) {
        const struct statement_line *lines = list[i].lines.at;

        for (size_t k = 0; k < list[i].lines.len; k++)
            statement_csv_line(set, &list[i], &lines[k], out);
    }
}
