#include "account/statement/statement.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "account/policy/ledger_policy.h"
#include "account/query/groups.h"
#include "base/crc.h"

#define INVOICES_MAX 64 /* of a bill that are named */

/* ---- fields ---- */

const char *const statement_sections[SECTION_COUNT] = {
    [SECTION_DIRECT] = "direct",
    [SECTION_SHARED] = "shared",
    [SECTION_RECURRING] = "recurring",
    [SECTION_CREDIT] = "credits",
    [SECTION_TAX] = "tax",
};

static const struct field line_list[] = {
    FIELD(ENUM, statement_line, section, FIELD_NAMES(statement_sections),
          .help = "direct, shared, recurring, credits or tax"),
    FIELD(TEXT, statement_line, item, .empty_unknown = true,
          .help = "the service, rule or recurring cost"),
    FIELD(TEXT, statement_line, project, .empty_unknown = true,
          .help = "project of a direct cost"),
    FIELD(MONEY, statement_line, amount, .help = "exact amount of the month"),
    FIELD(MONEY, statement_line, before,
          .help =
              "amount of the month before; for a running month, of the same number of days"),
    FIELD(MONEY, statement_line, change, .help = "change from the month before"),
    FIELD(MONEY, statement_line, metered, .help = "part that is metered and not billed yet"),
};

const struct field_set statement_line_fields = FIELD_SET(struct statement_line, line_list);

static const struct field statement_list[] = {
    FIELD(TEXT, statement, number, .help = "statement number; changes when an amount changes"),
    FIELD_AS("tag_value", TEXT, statement, who, .empty_unknown = true,
             .help = "value of the tag; null: untagged"),
    FIELD_AS("currency", CURRENCY, statement, total.currency,
             .help = "currency of the amounts"),
    FIELD(MONEY, statement, total, .help = "exact total"),
    FIELD(MONEY, statement, before,
          .help =
              "amount of the month before; for a running month, of the same number of days"),
    FIELD(MONEY, statement, change, .help = "change from the month before"),
    FIELD(MONEY, statement, metered,
          .help = "part of the total that is metered and not billed yet"),
    FIELD(LIST, statement, lines, .row = &statement_line_fields,
          .help = "lines of the statement"),
};

static const struct field bill_list[] = {
    FIELD(TEXT, statement_bill, provider, .help = "provider that bills it"),
    FIELD(TEXT, statement_bill, account, .help = "billing account"),
    FIELD(TEXT, statement_bill, account_name, .empty_unknown = true,
          .help = "account name in the bill"),
    FIELD(TEXT, statement_bill, currency, .help = "currency of the bill"),
    FIELD(DAY, statement_bill, period_start, .help = "first day of the bill"),
    FIELD(DAY, statement_bill, period_end, .help = "last day of the bill"),
    FIELD(TEXT, statement_bill, invoices, .help = "invoice numbers; for chargeback"),
    FIELD(DAY, statement_bill, imported, .help = "import date"),
    FIELD(FLAG, statement_bill, final,
          .help = "final bill: imported after its period was over"),
};

static const struct field kept_list[] = {
    FIELD(TEXT, statement_kept, rule, .help = "rule that would have shared the cost"),
    FIELD_AS("currency", CURRENCY, statement_kept, amount.currency,
             .help = "currency of the amount"),
    FIELD(MONEY, statement_kept, amount,
          .help = "amount that could not be shared and stays where it was"),
};

static const struct field elsewhere_list[] = {
    FIELD(TEXT, statement_elsewhere, rule, .help = "rule of the policy"),
    FIELD(TEXT, statement_elsewhere, over, .help = "tag over which the cost is split"),
};

static const struct field_set one_set = FIELD_SET(struct statement, statement_list),
                              bill_set = FIELD_SET(struct statement_bill, bill_list),
                              kept_set = FIELD_SET(struct statement_kept, kept_list),
                              elsewhere_set =
                                  FIELD_SET(struct statement_elsewhere, elsewhere_list);

static const struct field set_fields[] = {
    FIELD(TEXT, statement_set, month, .help = "month, such as 2026-10"),
    FIELD(TEXT, statement_set, before, .help = "month it is compared with"),
    FIELD(DAY, statement_set, since, .help = "first day"),
    FIELD(DAY, statement_set, until, .help = "last day"),
    FIELD(FLAG, statement_set, whole, .help = "true if the month is over"),
    FIELD(TEXT, statement_set, by, .help = "tag that statements are grouped by"),
    FIELD(TEXT, statement_set, kind, .help = "showback or chargeback"),
    FIELD(LIST, statement_set, statements, .row = &one_set,
          .help = "statements, one for each value and currency"),
    FIELD(LIST, statement_set, bills, .row = &bill_set, .help = "bills they are based on"),
    FIELD(LIST, statement_set, kept, .row = &kept_set,
          .help = "shared costs that could not be split"),
    FIELD(LIST, statement_set, elsewhere, .row = &elsewhere_set,
          .help = "shared costs that are split over another tag"),
    FIELD_AS("converted", TEXT, statement_set, rates.of, .help = "converted currencies"),
    FIELD_AS("rates_from", DAY, statement_set, rates.from, .help = "oldest rate used"),
    FIELD_AS("rates_to", DAY, statement_set, rates.to, .help = "newest rate used"),
    FIELD_AS("rate_source", TEXT, statement_set, rates.source, .help = "source of the rates"),
    FIELD(COUNT, statement_set, unpriced, .help = "runs without a known cost"),
    FIELD_AS("created", TIME, statement_set, made, .help = "time of creation, in UTC"),
};

const struct field_set statement_set_fields = FIELD_SET(struct statement_set, set_fields);

struct statement_work {
    const struct account_source *account;
    const struct statement_question *of;
    const struct allocation_policy *policy;
    struct statement_set *out;
    struct statement_kept *kept; /* of the result, while it grows */
    size_t kept_count, kept_room;
};

/* ---- amounts ---- */

/* An amount for a line. */
struct entry {
    struct str who, item, project;
    struct currency currency;
    enum statement_section in;
    struct decimal amount, before, metered;
};

struct entries {
    struct entry *at;
    size_t len, room;
};

static bool add_statement_entry(struct arena *arena, struct entries *all, const struct entry *e,
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

static bool add_spending(struct statement_work *w, const struct spending *s, bool now,
                         struct entries *all, struct error *err)
{
    struct entry e = {.who = s->of.of[w->of->by], .currency = s->currency, .in = section_of(s)};

    if (w->of->whose.len > 0 && !str_glob(e.who, w->of->whose))
        return true;
    *(now ? &e.amount : &e.before) = s->amount;
    if (now)
        e.metered = s->metered;
    e.item = e.in == SECTION_SHARED      ? s->how.shared_by
             : e.in == SECTION_RECURRING ? s->how.recurring
                                         : s->of.of[DIMENSION_service];
    if (e.in == SECTION_DIRECT && w->of->by != DIMENSION_project)
        e.project = s->of.of[DIMENSION_project];
    return add_statement_entry(w->account->arena, all, &e, err);
}

static bool add_kept_spending(struct statement_work *w, const struct spending *s,
                              struct error *err)
{
    for (size_t i = 0; i < w->kept_count; i++)
        if (str_eq(w->kept[i].rule, s->how.kept_by) &&
            currency_is(w->kept[i].amount.currency, s->currency))
            return costs_plus(&w->kept[i].amount.amount, s->amount, err);
    w->kept = arena_grow(w->account->arena, w->kept, w->kept_count, sizeof *w->kept,
                         &w->kept_room, err);
    if (w->kept == NULL)
        return false;
    w->kept[w->kept_count++] =
        (struct statement_kept){s->how.kept_by, costs_money(s->amount, s->currency)};
    return true;
}

/* The days of the month before that this one is compared with: all, or while it is running, as
 * many as it has had. */
static day before_until(const struct statement_work *w)
{
    day first = day_month_add(w->of->since, -1);
    int32_t days = w->account->today.n - w->of->since.n + 1;

    if (w->out->whole || days < 1 || first.n + days > w->of->since.n)
        return w->of->since;
    return (day){first.n + days};
}

static bool read_statement_month(struct statement_work *w, day since, day until, bool now,
                                 struct entries *all, struct error *err)
{
    struct spending_query query = {.since = since,
                                   .until = until,
                                   .grain = GRAIN_ALL,
                                   .by = UINT64_C(1) << w->of->by | DIMENSION_BIT(service) |
                                         DIMENSION_BIT(project) | DIMENSION_BIT(charge),
                                   .from = w->of->chargeback ? SPENDING_BILLS : SPENDING_ALL,
                                   .cost = w->of->chargeback ? COST_BILLED : COST_EFFECTIVE,
                                   .currency = w->of->currency,
                                   .how = true,
                                   .quiet = true}; /* warnings of both months come once */
    struct spending_answer answer;

    if (!account_spending(w->account, &query, &answer, err))
        return false;
    for (size_t i = 0; i < answer.count; i++)
        if (!add_spending(w, &answer.at[i], now, all, err) ||
            (now && answer.at[i].how.kept_by.len > 0 &&
             !add_kept_spending(w, &answer.at[i], err)))
            return false;
    if (now) {
        w->out->kept = (struct rows){w->kept, w->kept_count};
        w->out->unpriced = answer.unpriced;
    }
    return rates_used_join(&w->out->rates, &answer.rates, w->account->arena, err);
}

/* ---- lines ---- */

/* What has no owner comes last. */
static int by_line(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    int order = (x->who.len == 0) - (y->who.len == 0);

    order = order != 0 ? order : str_cmp(x->who, y->who);
    order = order != 0 ? order : currency_compare(x->currency, y->currency);
    order = order != 0 ? order : (int)x->in - (int)y->in;
    order = order != 0 ? order : str_cmp(x->item, y->item);
    return order != 0 ? order : str_cmp(x->project, y->project);
}

static bool same_owner(const struct entry *x, const struct entry *y)
{
    return str_eq(x->who, y->who) && currency_is(x->currency, y->currency);
}

static bool join_entries(struct entries *all, struct error *err)
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
static bool make_statement_number(struct statement_work *w, struct statement *s,
                                  struct error *err)
{
    struct buf text = buf_new(w->account->arena->alloc, BUF_MAX_OUTPUT);
    const struct statement_line *lines = s->lines.at;
    uint32_t digest;

    for (size_t i = 0; i < s->lines.len; i++) {
        buf_addf(&text, "%d|", (int)lines[i].section);
        buf_add(&text, lines[i].item);
        buf_char(&text, '|');
        buf_add(&text, lines[i].project);
        buf_char(&text, '|');
        decimal_write(lines[i].amount.amount, &text);
    }
    digest = crc32c(0, text.at, text.len);
    if (text.failed == ERROR_NONE)
        buf_clear(&text);
    buf_addf(&text, "%s-%.*s-", w->of->chargeback ? "C" : "S", STR_ARG(w->out->month));
    buf_add(&text, s->who.len > 0 ? s->who : STR("nobody"));
    buf_addf(&text, "-%s-%08" PRIx32, s->total.currency.code, digest);
    return buf_keep(&text, w->account->arena, &s->number, err);
}

static bool fill_statement(struct statement_work *w, const struct entry *entries, size_t count,
                           struct statement *s, struct error *err)
{
    struct statement_line *lines =
        arena_array(w->account->arena, struct statement_line, count, err);
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
                (struct statement_line){.section = e->in,
                                        .item = e->item,
                                        .project = e->project,
                                        .amount = costs_money(e->amount, e->currency),
                                        .before = costs_money(e->before, e->currency),
                                        .change = costs_money(change, e->currency),
                                        .metered = costs_money(e->metered, e->currency)};
    }
    if (!costs_minus(total, before, &change, err))
        return false;
    *s = (struct statement){.who = entries->who,
                            .total = costs_money(total, entries->currency),
                            .before = costs_money(before, entries->currency),
                            .change = costs_money(change, entries->currency),
                            .metered = costs_money(metered, entries->currency),
                            .lines = {lines, n}};
    for (int i = 0; i < SECTION_COUNT; i++) {
        s->sections[i] = costs_money(sections[i], entries->currency);
        s->sections_before[i] = costs_money(sections_before[i], entries->currency);
    }
    return make_statement_number(w, s, err);
}

static bool make_statements(struct statement_work *w, struct error *err)
{
    struct entries all = {0};
    struct statement *list;
    size_t n = 0;

    if (!read_statement_month(w, w->of->since, w->of->until, true, &all, err) ||
        !read_statement_month(w, day_month_add(w->of->since, -1), before_until(w), false, &all,
                              err) ||
        !join_entries(&all, err))
        return false;
    rates_used_warn(&w->out->rates, &w->account->messages);
    list = arena_array(w->account->arena, struct statement, all.len, err);
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
    if (n > 0 || w->of->whose.len == 0)
        return true;
    error_set(err, ERROR_ABSENT, "%s '%.*s' has no costs in %.*s or the month before",
              dimension_name(w->of->by), STR_ARG(w->of->whose), STR_ARG(w->out->month));
    error_hint(err, "'stint costs --by %s --month %.*s' lists the values",
               dimension_name(w->of->by), STR_ARG(w->out->month));
    return false;
}

/* ---- bills ---- */

struct invoices {
    struct arena *arena;
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
    grown = arena_array(all->arena, struct str, list->len + 1, err);
    if (grown == NULL || !str_keep(id, all->arena, &grown[list->len], err))
        return false;
    if (list->len > 0)
        memcpy(grown, list->at, list->len * sizeof *grown);
    *list = (struct strs){grown, list->len + 1};
    return true;
}

static bool see_invoice(void *ctx, const struct ledger_bill *bill,
                        const struct bill_line *thing, struct error *err)
{
    struct invoices *all = ctx;
    struct str id = thing->of[FOCUS_InvoiceId];

    for (size_t i = 0; id.len > 0 && i < all->count; i++)
        if (all->bills[i].key == bill->key)
            return add_invoice(all, i, id, err);
    return true;
}

static bool join_invoices(struct strs list, struct arena *arena, struct str *out,
                          struct error *err)
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
    return b->lines > 0 && b->last_day.n >= w->of->since.n && b->first_day.n < w->of->until.n;
}

/* What is not final may still change. */
static bool check_final(const struct statement_work *w, const struct statement_bill *bills,
                        size_t count, struct error *err)
{
    if (count == 0) {
        error_set(err, ERROR_ABSENT, "the ledger has no bill for %.*s to charge for",
                  STR_ARG(w->out->month));
        error_hint(err, "'stint import FILE' adds bills; --kind showback needs none");
        return false;
    }
    for (size_t i = 0; i < count; i++)
        if (!bills[i].final)
            message_warn(
                &w->account->messages,
                "the bill of %.*s, %.*s was delivered before its period was over: it may "
                "change",
                STR_ARG(bills[i].provider), STR_ARG(bills[i].account));
    return true;
}

static bool read_statement_bills(struct statement_work *w, struct error *err)
{
    struct ledger_line_query query = {.since = w->of->since, .until = w->of->until, .bill = -1};
    struct invoices all = {.arena = w->account->arena};
    struct statement_bill *list;
    size_t n = 0;

    if (w->account->ledger != NULL &&
        !ledger_bills(w->account->ledger, w->account->arena, &all.bills, &all.count, err))
        return false;
    all.of = arena_array(w->account->arena, struct strs, all.count, err);
    list = arena_array(w->account->arena, struct statement_bill, all.count, err);
    if (all.of == NULL || list == NULL)
        return false;
    if (w->of->chargeback && w->account->ledger != NULL &&
        !ledger_bill_things(w->account->ledger, &query, see_invoice, &all, err))
        return false;
    for (size_t i = 0; i < all.count; i++) {
        const struct ledger_bill *b = &all.bills[i];

        if (!touches(b, w))
            continue;
        list[n] = (struct statement_bill){.provider = b->provider,
                                          .account = b->account,
                                          .currency = b->currency,
                                          .account_name = !str_eq(b->account_name, b->account)
                                                              ? b->account_name
                                                              : (struct str){0},
                                          .period_start = day_of(b->period_start),
                                          .period_end = {day_of(b->period_end).n - 1},
                                          .imported = day_of(b->imported),
                                          .final = b->imported.s >= b->period_end.s};
        if (!join_invoices(all.of[i], w->account->arena, &list[n++].invoices, err))
            return false;
    }
    w->out->bills = (struct rows){list, n};
    return !w->of->chargeback || check_final(w, list, n, err);
}

/* ---- all of it ---- */

static bool find_elsewhere(struct statement_work *w, struct error *err)
{
    size_t count = w->policy->shared_count, n = 0;
    struct statement_elsewhere *list =
        arena_array(w->account->arena, struct statement_elsewhere, count, err);

    for (size_t i = 0; list != NULL && i < count; i++) {
        const struct policy_shared *s = &w->policy->shared[i];

        if (s->over != w->of->by)
            list[n++] =
                (struct statement_elsewhere){s->name, str_from(dimension_name(s->over))};
    }
    w->out->elsewhere = (struct rows){list, n};
    return list != NULL;
}

/* "2026-10", or "2026-10-01 to 18". */
static bool name_before(struct statement_work *w, struct error *err)
{
    struct buf text = buf_new(w->account->arena->alloc, 64);
    day first = day_month_add(w->of->since, -1), until = before_until(w);

    if (until.n == w->of->since.n) {
        buf_free(&text);
        return costs_period_name(COSTS_MONTH, first, w->account->arena, &w->out->before, err);
    }
    day_write(first, &text);
    buf_addf(&text, " to %d", until.n - first.n);
    return buf_keep(&text, w->account->arena, &w->out->before, err);
}

bool account_statements(const struct account_source *account,
                        const struct statement_question *question, stamp made,
                        struct statement_set *out, struct error *err)
{
    struct statement_work w = {.account = account, .of = question, .out = out};
    day since = question->since;

    *out = (struct statement_set){.of = *question,
                                  .by = str_from(dimension_name(question->by)),
                                  .kind = question->chargeback ? STR("chargeback")
                                                               : STR("showback"),
                                  .since = since,
                                  .until = {question->until.n - 1},
                                  .whole = question->until.n <= account->today.n,
                                  .rates = {.from = DAY_UNKNOWN, .to = DAY_UNKNOWN},
                                  .made = made};
    if (!costs_period_name(COSTS_MONTH, since, account->arena, &out->month, err) ||
        !name_before(&w, err))
        return false;
    w.policy = ledger_policy_or_none(account->ledger, account->arena, err);
    return w.policy != NULL && find_elsewhere(&w, err) && read_statement_bills(&w, err) &&
           make_statements(&w, err);
}

/* ---- in words ---- */

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
static void note_elsewhere(const struct statement_set *res, struct buf *out)
{
    const struct statement_elsewhere *all = res->elsewhere.at;

    for (size_t i = 0; i < res->elsewhere.len; i++) {
        size_t before = 0;

        while (before < i && !str_eq(all[before].over, all[i].over))
            before++;
        if (before < i)
            continue;
        buf_addf(out,
                 "shared costs split over %.*s, not over %.*s, stay where they were billed: "
                 "",
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

void statement_notes(const struct statement_set *res, struct buf *out)
{
    const struct statement_kept *kept = res->kept.at;
    bool one = res->unpriced == 1;

    for (size_t i = 0; i < res->kept.len; i++) {
        buf_adds(out, "shared cost '");
        buf_add_safe(out, kept[i].rule);
        buf_adds(out, "': no one could take ");
        money_write_cents(&kept[i].amount, out);
        buf_adds(out, ", which stayed where it was\n");
    }
    note_elsewhere(res, out);
    if (!res->whole)
        buf_addf(out, "%.*s is not over: the change is from %.*s\n", STR_ARG(res->month),
                 STR_ARG(res->before));
    if (res->unpriced > 0)
        buf_addf(out, "%lld run%s of the month ha%s no price and %s not included\n",
                 (long long)res->unpriced, one ? "" : "s", one ? "s" : "ve",
                 one ? "is" : "are");
    if (res->rates.of.len > 0) {
        rates_used_write(&res->rates, out);
        buf_char(out, '\n');
    }
    buf_adds(out, str_eq(res->kind, STR("chargeback"))
                      ? "billed amounts only, with recurring costs; days are in UTC\n"
                      : "effective cost, billed or metered; days are in UTC\n");
}
