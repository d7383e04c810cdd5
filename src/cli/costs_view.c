#include "cli/costs_view.h"

void costs_write(const struct money *m, struct buf *out)
{
    if (currency_unset(m->currency))
        buf_char(out, '-');
    else
        money_write_cents(m, out);
}

void costs_print_csv(const struct view *view, struct str csv, size_t rows)
{
    if (csv.len == 0)
        return;
    buf_addf(view->out, "wrote %zu row%s to ", rows, rows == 1 ? "" : "s");
    buf_add_safe(view->out, csv);
    buf_char(view->out, '\n');
}

void costs_print_basis(const struct view *view, const struct costs_basis *b)
{
    struct buf *out = view->out;

    day_write(b->since, view->out);
    buf_adds(out, " to ");
    day_write(b->until, view->out);
    buf_adds(out, " (UTC)");
    if (b->kind.len > 0)
        buf_addf(out, ", %.*s cost", STR_ARG(b->kind));
    buf_char(out, '\n');
    if (b->billed_until.n == DAY_UNKNOWN.n) {
        buf_adds(out, "there are no bills in the ledger: only metered runs are included\n");
    } else if (b->billed_until.n < b->until.n) {
        buf_adds(out, "the newest bill ends on ");
        day_write(b->billed_until, view->out);
        buf_adds(out, ": after that, only metered runs are included\n");
    }
    if (b->unpriced > 0)
        buf_addf(out, "not included: %lld run%s with unknown cost\n", (long long)b->unpriced,
                 b->unpriced == 1 ? "" : "s");
    if (b->rates.of.len > 0) {
        rates_used_write(&b->rates, out);
        buf_char(out, '\n');
    }
}

void costs_print_apart(const struct view *view, const char *what, const struct rows *apart)
{
    const struct money *at = apart->at;
    bool any = false;

    for (size_t i = 0; i < apart->len; i++) {
        if (at[i].amount.coefficient == 0)
            continue;
        buf_adds(view->out, any ? " and " : what);
        costs_write(&at[i], view->out);
        any = true;
    }
    if (any)
        buf_char(view->out, '\n');
}

void costs_print_nothing(const struct view *view, const struct costs_basis *b)
{
    if (b->no_ledger) {
        buf_adds(view->out, "nothing is recorded yet: 'stint run -- COMMAND' and 'stint import "
                            "FILE' write to ");
        buf_add_safe(view->out, b->ledger);
        buf_char(view->out, '\n');
        return;
    }
    buf_adds(view->out,
             b->filtered ? "nothing that matches was spent from " : "nothing was spent from ");
    day_write(b->since, view->out);
    buf_adds(view->out, " to ");
    day_write(b->until, view->out);
    if (b->billed_until.n != DAY_UNKNOWN.n && b->billed_until.n < b->since.n) {
        buf_adds(view->out, "; the newest bill ends on ");
        day_write(b->billed_until, view->out);
        buf_adds(view->out, ": --since ");
        day_write(day_month_start(b->billed_until), view->out);
        buf_adds(view->out, " shows it");
    }
    buf_char(view->out, '\n');
    if (b->unpriced > 0)
        buf_addf(view->out, "but there %s %lld run%s with unknown cost\n",
                 b->unpriced == 1 ? "is" : "are", (long long)b->unpriced,
                 b->unpriced == 1 ? "" : "s");
}
