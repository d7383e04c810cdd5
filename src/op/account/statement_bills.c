/* The bills that a statement stands on, and of a chargeback their invoices. */
#include <string.h>

#include "op/account/allocation.h"
#include "op/account/statement.h"
#include "op/ledger_open.h"

#define INVOICES_MAX 64 /* of a bill that are named */

struct invoices {
    struct statement_work *w;
    const struct ledger_bill *bills;
    size_t count;
    struct strs *of; /* the invoices of each bill */
};

static bool add_invoice(struct invoices *all, size_t bill, struct str id, struct error *err)
{
    struct strs *list = &all->of[bill];
    struct str *grown;

    for (size_t i = 0; i < list->len; i++)
        if (str_eq(list->at[i], id))
            return true;
    if (list->len == INVOICES_MAX)
        return true;
    grown = arena_array(all->w->ctx->arena, struct str, list->len + 1, err);
    if (grown == NULL)
        return false;
    if (list->len > 0)
        memcpy(grown, list->at, list->len * sizeof *grown);
    grown[list->len] = (struct str){str_dup(id, all->w->ctx->arena, err), id.len};
    if (grown[list->len].at == NULL)
        return false;
    *list = (struct strs){grown, list->len + 1};
    return true;
}

static bool see_thing(void *ctx, const struct ledger_bill *bill, const struct bill_line *thing,
                      struct error *err)
{
    struct invoices *all = ctx;
    struct str id = thing->of[FOCUS_InvoiceId];

    for (size_t i = 0; id.len > 0 && i < all->count; i++)
        if (all->bills[i].key == bill->key)
            return add_invoice(all, i, id, err);
    return true;
}

static bool join(struct strs list, struct arena *arena, struct str *out, struct error *err)
{
    struct buf text = buf_new(arena->alloc, 65536);

    *out = (struct str){0};
    if (list.len == 0)
        return true;
    for (size_t i = 0; i < list.len; i++) {
        buf_adds(&text, i > 0 ? ", " : "");
        buf_add(&text, list.at[i]);
    }
    if (list.len == INVOICES_MAX)
        buf_adds(&text, ", ...");
    return buf_keep(&text, arena, out, err);
}

static bool touches(const struct ledger_bill *b, const struct statement_work *w)
{
    return b->lines > 0 && b->last_day.n >= w->since.n && b->first_day.n < w->until.n;
}

/* What is not final may still change: who is charged by it must know. */
static bool check_final(const struct statement_work *w, const struct statement_bill *bills,
                        size_t count, struct error *err)
{
    if (count == 0) {
        error_set(err, ERROR_ABSENT, "there is no bill of %.*s, so nobody can be charged",
                  STR_ARG(w->out->month));
        error_hint(err, "'stint import FILE' takes bills; --kind showback needs none");
        return false;
    }
    for (size_t i = 0; i < count; i++)
        if (!bills[i].final)
            message_warn(
                &w->ctx->messages,
                "the bill of %.*s, %.*s was delivered before its period was over: it may "
                "change",
                STR_ARG(bills[i].provider), STR_ARG(bills[i].account));
    return true;
}

bool statement_bills(struct statement_work *w, struct error *err)
{
    struct ledger_line_query query = {.since = w->since, .until = w->until, .bill = -1};
    struct invoices all = {.w = w};
    struct statement_bill *list;
    size_t n = 0;

    if (w->ledger != NULL &&
        !ledger_bills(w->ledger, w->ctx->arena, &all.bills, &all.count, err))
        return false;
    all.of = arena_array(w->ctx->arena, struct strs, all.count, err);
    list = arena_array(w->ctx->arena, struct statement_bill, all.count, err);
    if (all.of == NULL || list == NULL)
        return false;
    if (w->chargeback && w->ledger != NULL &&
        !ledger_bill_things(w->ledger, &query, see_thing, &all, err))
        return false;
    for (size_t i = 0; i < all.count; i++) {
        const struct ledger_bill *b = &all.bills[i];

        if (!touches(b, w))
            continue;
        list[n] = (struct statement_bill){.provider = b->provider,
                                          .account = b->account,
                                          .currency = b->currency,
                                          .account_name = !str_eq(b->account_name, b->account)
                                                              ? ledger_known(b->account_name)
                                                              : (struct str){0},
                                          .period_start = day_of(b->period_start),
                                          .period_end = {day_of(b->period_end).n - 1},
                                          .imported = day_of(b->imported),
                                          .final = b->imported.s >= b->period_end.s};
        if (!join(all.of[i], w->ctx->arena, &list[n++].invoices, err))
            return false;
    }
    w->out->bills = (struct rows){list, n};
    return !w->chargeback || check_final(w, list, n, err);
}
