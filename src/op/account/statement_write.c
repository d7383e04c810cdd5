/* Statements in words, and as a table for spreadsheets. */
#include "base/fs.h"
#include "op/account/statement.h"
#include "report/csv_rows.h"

void statement_account(const struct statement_bill *bill, struct buf *out)
{
    buf_add_safe(out, bill->account);
    if (bill->account_name.len > 0) {
        buf_adds(out, " (");
        buf_add_safe(out, bill->account_name);
        buf_char(out, ')');
    }
}

/* Rules that are split over the same tag in one line, in the place of the first of them. */
static void note_elsewhere(const struct statement_result *res, struct buf *out)
{
    const struct statement_elsewhere *all = res->elsewhere.at;

    for (size_t i = 0; i < res->elsewhere.len; i++) {
        size_t before = 0;

        while (before < i && !str_eq(all[before].over, all[i].over))
            before++;
        if (before < i)
            continue;
        buf_addf(out,
                 "shared costs that are split over %.*s, and so not over %.*s, stay where they "
                 "were billed: ",
                 STR_ARG(all[i].over), STR_ARG(res->by));
        for (size_t k = i; k < res->elsewhere.len; k++) {
            if (!str_eq(all[k].over, all[i].over))
                continue;
            buf_adds(out, k > i ? ", " : "");
            buf_add_safe(out, all[k].rule);
        }
        buf_char(out, '\n');
    }
}

void statement_notes(const struct statement_result *res, struct buf *out)
{
    const struct statement_kept *kept = res->kept.at;
    bool one = res->unpriced == 1;

    for (size_t i = 0; i < res->kept.len; i++) {
        buf_adds(out, "shared cost '");
        buf_add_safe(out, kept[i].rule);
        buf_adds(out, "': nobody could take ");
        money_write_cents(&kept[i].amount, out);
        buf_adds(out, ", which stayed where it was\n");
    }
    note_elsewhere(res, out);
    if (!res->whole)
        buf_addf(out, "%.*s is not over: the change is against all of %.*s\n",
                 STR_ARG(res->month), STR_ARG(res->before));
    if (res->unpriced > 0)
        buf_addf(out, "%lld run%s of the month ha%s no price and %s not in it\n",
                 (long long)res->unpriced, one ? "" : "s", one ? "s" : "ve",
                 one ? "is" : "are");
    if (res->rates.of.len > 0) {
        rates_used_write(&res->rates, out);
        buf_char(out, '\n');
    }
    buf_adds(out, str_eq(res->kind, STR("chargeback"))
                      ? "billed amounts only, with what is recurring; days of UTC\n"
                      : "effective cost, billed or metered; days of UTC\n");
}

static void csv_amount(const struct money *m, struct buf *out)
{
    buf_char(out, ',');
    decimal_write(m->amount, out);
}

static void csv_text(struct str text, struct buf *out)
{
    buf_char(out, ',');
    csv_rows_text(text, out);
}

static void csv_line(const struct statement_result *res, const struct statement *s,
                     const struct statement_line *l, struct buf *out)
{
    csv_rows_text(s->number, out);
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
