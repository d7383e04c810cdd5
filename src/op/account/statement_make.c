/* The lines of statements: amounts of two months, put in sections and added up. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/crc.h"
#include "op/account/statement.h"
#include "op/ledger_open.h"
#include "op/spending.h"

/* An amount on its way to a line. */
struct entry {
    struct str who, item, project;
    char currency[4];
    enum statement_section in;
    struct decimal amount, before, metered;
};

struct entries {
    struct entry *at;
    size_t len, room;
};

static bool add_entry(struct arena *arena, struct entries *all, const struct entry *e,
                      struct error *err)
{
    all->at = arena_grow(arena, all->at, all->len, sizeof *all->at, &all->room, err);
    if (all->at == NULL)
        return false;
    all->at[all->len++] = *e;
    return true;
}

static enum statement_section section_of(const struct spending *s)
{
    struct str charge = s->of.of[DIMENSION_charge];

    if (s->how.shared_by.len > 0)
        return SECTION_SHARED;
    if (s->how.recurring.len > 0)
        return SECTION_RECURRING;
    if (str_eq_nocase(charge, STR("Tax")))
        return SECTION_TAX;
    return str_eq_nocase(charge, STR("Credit")) || str_eq_nocase(charge, STR("Adjustment"))
               ? SECTION_CREDIT
               : SECTION_DIRECT;
}

static bool take(struct statement_work *w, const struct spending *s, bool now,
                 struct entries *all, struct error *err)
{
    struct entry e = {.who = s->of.of[w->by], .in = section_of(s)};

    if (w->whose.len > 0 && !str_glob(e.who, w->whose))
        return true;
    memcpy(e.currency, s->currency, sizeof e.currency);
    *(now ? &e.amount : &e.before) = s->amount;
    if (now)
        e.metered = s->metered;
    e.item = e.in == SECTION_SHARED      ? s->how.shared_by
             : e.in == SECTION_RECURRING ? s->how.recurring
                                         : s->of.of[DIMENSION_service];
    if (e.in == SECTION_DIRECT && w->by != DIMENSION_project)
        e.project = s->of.of[DIMENSION_project];
    return add_entry(w->ctx->arena, all, &e, err);
}

static bool add_kept(struct statement_work *w, const struct spending *s, struct error *err)
{
    size_t n = w->out->kept.len;
    struct statement_kept *all;

    for (size_t i = 0; i < n; i++)
        if (str_eq(w->kept[i].rule, s->how.kept_by) &&
            strncmp(w->kept[i].amount.currency, s->currency, 4) == 0)
            return costs_plus(&w->kept[i].amount.amount, s->amount, err);
    all = arena_array(w->ctx->arena, struct statement_kept, n + 1, err);
    if (all == NULL)
        return false;
    if (n > 0)
        memcpy(all, w->kept, n * sizeof *all);
    all[n].rule = s->how.kept_by;
    all[n].amount = costs_money(s->amount, s->currency);
    w->kept = all;
    w->out->kept = (struct rows){all, n + 1};
    for (size_t i = 0; i <= n; i++) /* their place is new */
        all[i].currency = str_from(all[i].amount.currency);
    return true;
}

static bool take_month(struct statement_work *w, day since, day until, bool now,
                       struct entries *all, struct error *err)
{
    struct spending_query query = {
        .since = since,
        .until = until,
        .grain = GRAIN_ALL,
        .by = UINT64_C(1) << w->by | UINT64_C(1) << DIMENSION_service |
              UINT64_C(1) << DIMENSION_project | UINT64_C(1) << DIMENSION_charge,
        .from = w->chargeback ? SPENDING_BILLS : SPENDING_ALL,
        .cost = w->chargeback ? COST_BILLED : COST_EFFECTIVE,
        .currency = w->req->currency,
        .how = true,
        .quiet = true}; /* what is to be said of both months is said once */
    struct spending_answer answer;

    if (!op_spending(w->ctx, w->ledger, &query, &answer, err))
        return false;
    for (size_t i = 0; i < answer.count; i++)
        if (!take(w, &answer.at[i], now, all, err) ||
            (now && answer.at[i].how.kept_by.len > 0 && !add_kept(w, &answer.at[i], err)))
            return false;
    if (now)
        w->out->unpriced = answer.unpriced;
    return rates_used_join(&w->out->rates, &answer.rates, w->ctx->arena, err);
}

/* ---- lines ---- */

/* Nobody's comes last. */
static int by_line(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    int order = (x->who.len == 0) - (y->who.len == 0);

    order = order != 0 ? order : str_cmp(x->who, y->who);
    order = order != 0 ? order : strncmp(x->currency, y->currency, 4);
    order = order != 0 ? order : (int)x->in - (int)y->in;
    order = order != 0 ? order : str_cmp(x->item, y->item);
    return order != 0 ? order : str_cmp(x->project, y->project);
}

static bool same_owner(const struct entry *x, const struct entry *y)
{
    return str_eq(x->who, y->who) && strncmp(x->currency, y->currency, 4) == 0;
}

static bool join(struct entries *all, struct error *err)
{
    size_t kept = 0;

    if (all->len > 0)
        qsort(all->at, all->len, sizeof *all->at, by_line);
    for (size_t i = 0; i < all->len; i++) {
        struct entry *last = kept > 0 ? &all->at[kept - 1] : NULL;

        if (last == NULL || by_line(last, &all->at[i]) != 0)
            all->at[kept++] = all->at[i];
        else if (!costs_plus(&last->amount, all->at[i].amount, err) ||
                 !costs_plus(&last->before, all->at[i].before, err) ||
                 !costs_plus(&last->metered, all->at[i].metered, err))
            return false;
    }
    all->len = kept;
    return true;
}

/* The same amounts have the same number, others another: who holds an older statement sees that
 * it was changed. */
static bool number_of(struct statement_work *w, struct statement *s, struct error *err)
{
    struct buf text = buf_new(w->ctx->arena->alloc, BUF_MAX_OUTPUT);
    const struct statement_line *lines = s->lines.at;
    uint32_t digest;
    char *copy;

    for (size_t i = 0; i < s->lines.len; i++) {
        buf_addf(&text, "%d|", (int)lines[i].in);
        buf_add(&text, lines[i].item);
        buf_char(&text, '|');
        buf_add(&text, lines[i].project);
        buf_char(&text, '|');
        decimal_write(lines[i].amount.amount, &text);
    }
    digest = crc32c(0, text.at, text.len);
    if (text.failed == ERROR_NONE)
        buf_clear(&text);
    buf_addf(&text, "%s-%.*s-", w->chargeback ? "C" : "S", STR_ARG(w->out->month));
    buf_add(&text, s->who.len > 0 ? s->who : STR("nobody"));
    buf_addf(&text, "-%s-%08" PRIx32, s->total.currency, digest);
    copy = buf_ok(&text, err) ? str_dup(buf_text(&text), w->ctx->arena, err) : NULL;
    buf_free(&text);
    s->number = str_from(copy);
    return copy != NULL;
}

static bool fill_statement(struct statement_work *w, const struct entry *entries, size_t count,
                           struct statement *s, struct error *err)
{
    struct statement_line *lines =
        arena_array(w->ctx->arena, struct statement_line, count, err);
    struct decimal total = {0}, before = {0}, metered = {0}, change;
    struct decimal sections[SECTION_COUNT] = {{0}}, sections_before[SECTION_COUNT] = {{0}};
    size_t n = 0;

    if (lines == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct entry *e = &entries[i];

        if (!costs_plus(&total, e->amount, err) || !costs_plus(&before, e->before, err) ||
            !costs_plus(&metered, e->metered, err) ||
            !costs_plus(&sections[e->in], e->amount, err) ||
            !costs_plus(&sections_before[e->in], e->before, err) ||
            !costs_minus(e->amount, e->before, &change, err))
            return false;
        if (e->amount.coefficient != 0 || e->before.coefficient != 0)
            lines[n++] =
                (struct statement_line){.section = str_from(statement_sections[e->in]),
                                        .item = ledger_known(e->item),
                                        .project = ledger_known(e->project),
                                        .amount = costs_money(e->amount, e->currency),
                                        .before = costs_money(e->before, e->currency),
                                        .change = costs_money(change, e->currency),
                                        .metered = costs_money(e->metered, e->currency),
                                        .in = e->in};
    }
    if (!costs_minus(total, before, &change, err))
        return false;
    *s = (struct statement){.who = ledger_known(entries->who),
                            .total = costs_money(total, entries->currency),
                            .before = costs_money(before, entries->currency),
                            .change = costs_money(change, entries->currency),
                            .metered = costs_money(metered, entries->currency),
                            .lines = {lines, n}};
    for (int i = 0; i < SECTION_COUNT; i++) {
        s->sections[i] = costs_money(sections[i], entries->currency);
        s->sections_before[i] = costs_money(sections_before[i], entries->currency);
    }
    s->currency = str_from(s->total.currency);
    return number_of(w, s, err);
}

bool statement_make(struct statement_work *w, struct error *err)
{
    struct entries all = {0};
    struct statement *list;
    size_t n = 0;

    if (!take_month(w, w->since, w->until, true, &all, err) ||
        !take_month(w, day_month_add(w->since, -1), w->since, false, &all, err) ||
        !join(&all, err))
        return false;
    rates_used_warn(&w->out->rates, &w->ctx->messages);
    list = arena_array(w->ctx->arena, struct statement, all.len, err);
    if (list == NULL)
        return false;
    for (size_t i = 0; i < all.len;) {
        size_t end = i + 1;

        while (end < all.len && same_owner(&all.at[i], &all.at[end]))
            end++;
        if (!fill_statement(w, &all.at[i], end - i, &list[n], err))
            return false;
        n += list[n].lines.len > 0;
        i = end;
    }
    w->out->statements = (struct rows){list, n};
    if (n > 0 || w->whose.len == 0)
        return true;
    error_set(err, ERROR_ABSENT, "there is nothing of %s '%.*s' in %.*s or the month before",
              dimension_name(w->by), STR_ARG(w->whose), STR_ARG(w->out->month));
    error_hint(err, "'stint costs --by %s --month %.*s' shows who there is",
               dimension_name(w->by), STR_ARG(w->out->month));
    return false;
}
