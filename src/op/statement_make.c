/* The lines of statements: amounts of two months, put in sections and added up. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "allocate/allocate.h"
#include "base/crc.h"
#include "op/ledger_open.h"
#include "op/spending_work.h"
#include "op/statement.h"

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

static enum statement_section section_of(const struct share *s)
{
    struct str charge = s->of.of[DIMENSION_charge];

    if (s->shared_by.len > 0)
        return SECTION_SHARED;
    if (s->recurring.len > 0)
        return SECTION_RECURRING;
    if (str_eq_nocase(charge, STR("Tax")))
        return SECTION_TAX;
    return str_eq_nocase(charge, STR("Credit")) || str_eq_nocase(charge, STR("Adjustment"))
               ? SECTION_CREDIT
               : SECTION_DIRECT;
}

/* One of the two months that stand beside each other. */
struct month {
    struct statement_work *w;
    bool now;
    bool converts; /* day by day: shares are converted at the rate of their day, as costs are */
    struct converter converter;
    struct entries *all;
};

static bool is_wanted(const struct month *m, struct str who)
{
    return m->w->whose.len == 0 || str_glob(who, m->w->whose);
}

/* Into the statement's currency, if it has one. */
static bool convert_entry(struct month *m, day on, struct entry *e, struct error *err)
{
    if (!m->converts)
        return true;
    if (!convert(&m->converter, on, e->currency, &e->amount, err) ||
        !convert(&m->converter, on, e->currency, &e->before, err) ||
        !convert(&m->converter, on, e->currency, &e->metered, err))
        return false;
    memcpy(e->currency, m->converter.to, sizeof e->currency);
    return true;
}

static bool take_share(struct month *m, const struct share *s, struct error *err)
{
    enum dimension by = m->w->by;
    struct entry e = {.who = s->of.of[by], .in = section_of(s)};

    if (!is_wanted(m, e.who))
        return true;
    memcpy(e.currency, s->currency, sizeof e.currency);
    *(m->now ? &e.amount : &e.before) = s->amount;
    e.item = e.in == SECTION_SHARED      ? s->shared_by
             : e.in == SECTION_RECURRING ? s->recurring
                                         : s->of.of[DIMENSION_service];
    if (e.in == SECTION_DIRECT && by != DIMENSION_project)
        e.project = s->of.of[DIMENSION_project];
    return convert_entry(m, s->on, &e, err) && add_entry(m->w->ctx->arena, m->all, &e, err);
}

/* What was metered is told beside: amounts that are split lose it. */
static bool take_metered(struct month *m, const struct spending *s, struct error *err)
{
    enum dimension by = m->w->by;
    struct share as = {.of = s->of};
    struct entry e = {.who = s->of.of[by],
                      .in = section_of(&as),
                      .item = s->of.of[DIMENSION_service],
                      .metered = s->metered};

    if (!m->now || s->metered.coefficient == 0 || !is_wanted(m, e.who))
        return true;
    memcpy(e.currency, s->currency, sizeof e.currency);
    if (e.in == SECTION_DIRECT && by != DIMENSION_project)
        e.project = s->of.of[DIMENSION_project];
    return convert_entry(m, s->from, &e, err) && add_entry(m->w->ctx->arena, m->all, &e, err);
}

static bool add_kept(struct statement_work *w, const struct share *s, struct error *err)
{
    size_t n = w->out->kept.len;
    struct statement_kept *all;

    for (size_t i = 0; i < n; i++)
        if (str_eq(w->kept[i].rule, s->kept_by) &&
            strncmp(w->kept[i].amount.currency, s->currency, 4) == 0)
            return costs_plus(&w->kept[i].amount.amount, s->amount, err);
    all = arena_array(w->ctx->arena, struct statement_kept, n + 1, err);
    if (all == NULL)
        return false;
    if (n > 0)
        memcpy(all, w->kept, n * sizeof *all);
    all[n].rule = s->kept_by;
    all[n].amount = costs_money(s->amount, s->currency);
    w->kept = all;
    w->out->kept = (struct rows){all, n + 1};
    for (size_t i = 0; i <= n; i++) /* their place is new */
        all[i].currency = str_from(all[i].amount.currency);
    return true;
}

/* Amounts as they were recorded, then split as the policy says. */
static bool take_split(struct month *m, const struct spending_query *query,
                       const struct spending_answer *answer, struct error *err)
{
    struct statement_work *w = m->w;
    struct share *in = arena_array(w->ctx->arena, struct share, answer->count, err);
    struct split_days days = {
        .since = query->since, .until = query->until, .each = m->converts};
    struct share_list shares;

    if (query->until.n > op_today(w->ctx).n + 1) /* days to come cost nothing yet */
        days.until.n = op_today(w->ctx).n + 1;
    if (in == NULL)
        return false;
    for (size_t i = 0; i < answer->count; i++) {
        const struct spending *s = &answer->at[i];

        in[i] = (struct share){.of = s->of, .on = s->from, .amount = s->amount};
        memcpy(in[i].currency, s->currency, sizeof in[i].currency);
        if (!take_metered(m, s, err))
            return false;
    }
    if (!policy_split(w->policy, (struct share_list){in, answer->count}, &days, w->ctx->arena,
                      &shares, err))
        return false;
    for (size_t i = 0; i < shares.count; i++)
        if (!take_share(m, &shares.at[i], err) ||
            (m->now && shares.at[i].kept_by.len > 0 && !add_kept(w, &shares.at[i], err)))
            return false;
    return true;
}

static bool take_month(struct statement_work *w, day since, day until, bool now,
                       struct entries *all, struct error *err)
{
    struct month m = {.w = w,
                      .now = now,
                      .converts = w->req->currency.len > 0 && w->ledger != NULL,
                      .all = all};
    struct spending_query query = {.since = since,
                                   .until = until,
                                   .grain = m.converts ? GRAIN_DAY : GRAIN_ALL,
                                   .from = w->chargeback ? SPENDING_BILLS : SPENDING_ALL,
                                   .cost = w->chargeback ? COST_BILLED : COST_EFFECTIVE,
                                   .currency = w->req->currency,
                                   .raw = true};
    struct spending_answer answer;

    if (m.converts && !converter_open(w->ctx, w->ledger, &query, &m.converter, err))
        return false;
    query.currency = (struct str){0}; /* costs are shared in their own currency */
    query.by = policy_split_by(w->policy) | UINT64_C(1) << w->by |
               UINT64_C(1) << DIMENSION_service | UINT64_C(1) << DIMENSION_project |
               UINT64_C(1) << DIMENSION_charge;
    if (!op_spending(w->ctx, w->ledger, &query, &answer, err) ||
        !take_split(&m, &query, &answer, err))
        return false;
    if (now)
        w->out->unpriced = answer.unpriced;
    return !m.converts ||
           spending_rates_join(&w->out->rates, &m.converter.used, w->ctx->arena, err);
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
        !take_month(w, costs_month_add(w->since, -1), w->since, false, &all, err) ||
        !join(&all, err))
        return false;
    spending_say_rates(w->ctx, &w->out->rates);
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
