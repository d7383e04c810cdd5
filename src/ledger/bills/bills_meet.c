/* A bill of an import meets what is there of the same account and period: it takes its place,
 * or is kept beside it. What looks like a mistake is refused before anything is changed. */
#include "ledger/bills_internal.h"

/* See ledger_period_edge() for ?3 and ?6. */
#define SAME_BILL \
    " b.provider = ?1 AND b.account = ?2 AND b.period_start BETWEEN ?3 AND ?6" \
    " AND b.currency = ?4 AND b.amounts = ?5 AND b.coarse = ?7 AND b.state = 'current'"

static const char find_same[] =
    "SELECT " BILL_COLUMNS " FROM bills b JOIN imports i ON i.import = b.import"
    " WHERE" SAME_BILL " ORDER BY b.bill";
static const char read_days[] =
    "SELECT day, sum(lines), SUM_AMOUNT(billed), SUM_AMOUNT(effective) FROM bill_days"
    " WHERE bill = ?1 GROUP BY day ORDER BY day";
static const char bury[] = "UPDATE bills SET state = 'gone' WHERE bill = ?1";

static struct query *ask_same(struct ledger *l, const char *sql, const struct ledger_bill *b,
                              struct error *err)
{
    struct period_starts starts = period_starts_of(b->period_start);
    struct query *q =
        ledger_query(l, sql,
                     VALUES(as_text(b->provider), as_text(b->account), as_int(starts.first),
                            as_text(b->currency),
                            as_text(b->amounts == BILL_BOTH ? STR("both") : STR("amortised")),
                            as_int(starts.last), as_int(b->coarse)),
                     err);

    return q;
}

static bool add_same(struct outcome *o, const struct ledger_bill *bill, struct arena *arena,
                     struct error *err)
{
    o->replaced = arena_grow(arena, o->replaced, o->replaced_count, sizeof o->replaced[0],
                             &o->replaced_room, err);
    if (o->replaced == NULL)
        return false;
    o->replaced[o->replaced_count++] = *bill;
    return true;
}

/* ---- in its place ---- */

/* What is there already, together. */
struct before {
    int64_t lines, days;
    int64_t missing; /* of the days: with money on them, and none of them now */
    day missing_first;
    stamp period_end;
    struct decimal amount; /* that the bills are for */
    bool amount_known;
};

/* A day of what is there: is it in what came, too? */
static bool meet_day(const struct ledger_import *i, const struct loading *now, struct query *q,
                     struct before *b, struct error *err)
{
    int32_t on = (int32_t)column_int(q, 0);
    struct decimal billed, effective;

    if (days_find(&i->by_day, now->number, on, 0) != NULL)
        return true;
    if (!column_amount(q, 2, &billed, err) || !column_amount(q, 3, &effective, err))
        return false;
    if (billed.coefficient == 0 && effective.coefficient == 0)
        return true;
    if (b->missing++ == 0 || on < b->missing_first.n)
        b->missing_first = (day){on};
    return true;
}

static bool days_before(const struct ledger_import *i, const struct loading *now,
                        const struct ledger_bill *there, struct before *b, struct error *err)
{
    struct query *q = ledger_query(i->l, read_days, VALUES(as_int(there->key)), err);
    int64_t days = 0;
    int got;

    while ((got = ledger_row(i->l, q, "read", err)) > 0) {
        days++;
        if (!meet_day(i, now, q, b, err)) {
            query_reset(q);
            return false;
        }
    }
    b->days = days > b->days ? days : b->days; /* parts may have the same days */
    return got == 0;
}

static struct decimal amount_of(const struct ledger_bill *b)
{
    return b->amounts == BILL_BOTH ? b->billed : b->effective;
}

/* In what it is smaller, as words; false when it is not. */
static bool smaller(const struct loading *now, const struct ledger_bill *bill,
                    const struct before *b, struct buf *out)
{
    if (bill->lines < b->lines) {
        buf_addf(out, "%lld lines of %lld", (long long)bill->lines, (long long)b->lines);
    } else if (b->days > now->days && b->days > 0) {
        buf_addf(out, "%lld day%s of %lld", (long long)now->days, now->days == 1 ? "" : "s",
                 (long long)b->days);
    } else if (b->missing > 0) {
        buf_adds(out, "nothing of ");
        day_write(b->missing_first, out);
        if (b->missing > 1)
            buf_addf(out, " and %lld other day%s", (long long)b->missing - 1,
                     b->missing == 2 ? "" : "s");
    } else if (ledger_period_edge(bill->period_end).s < ledger_period_edge(b->period_end).s) {
        buf_adds(out, "a period to ");
        day_write(day_of((stamp){ledger_period_edge(bill->period_end).s - 1}), out);
        buf_adds(out, " in place of one to ");
        day_write(day_of((stamp){ledger_period_edge(b->period_end).s - 1}), out);
    } else if (b->amount_known && coarse_far_below(amount_of(bill), b->amount)) {
        decimal_write(amount_of(bill), out);
        buf_addf(out, " %.*s of ", STR_ARG(bill->currency));
        decimal_write(b->amount, out);
        buf_addf(out, " %.*s", STR_ARG(bill->currency));
    }
    return out->len > 0;
}

/* One part of a delivery must not silently replace all of it. */
static bool check_smaller(const struct ledger_import *i, const struct loading *now,
                          const struct ledger_bill *bill, const struct before *before,
                          struct error *err)
{
    struct buf how = buf_new(i->l->alloc, 512), from = buf_new(i->l->alloc, 64);
    bool is = smaller(now, bill, before, &how);

    day_write(day_of(ledger_period_edge(bill->period_start)), &from);
    if (is) {
        error_set(err, ERROR_INPUT,
                  "the bill of %.*s, account %.*s, from %.*s is smaller than the one that is "
                  "there: now %.*s",
                  STR_ARG(bill->provider), STR_ARG(bill->account), (int)from.len,
                  from.len > 0 ? from.at : "", (int)how.len, how.at);
        error_hint(err, "nothing was changed: parts of one delivery go in one command, or "
                        "--add; --replace when it is meant");
    }
    buf_free(&how);
    buf_free(&from);
    return !is;
}

static bool replace_same(struct ledger_import *i, const struct loading *now,
                         const struct ledger_bill *bill, const struct ledger_bill *same,
                         size_t count, struct error *err)
{
    struct before before = {.period_end = same[0].period_end, .amount_known = true};

    for (size_t n = 0; n < count; n++) {
        before.lines += same[n].lines;
        if (same[n].period_end.s > before.period_end.s)
            before.period_end = same[n].period_end;
        before.amount_known &= decimal_add(before.amount, amount_of(&same[n]), &before.amount);
    }
    for (size_t n = 0; !i->options.replace && !i->by_day_lost && n < count; n++)
        if (!days_before(i, now, &same[n], &before, err))
            return false;
    if (!i->options.replace && !check_smaller(i, now, bill, &before, err))
        return false;
    for (size_t n = 0; !i->options.dry_run && n < count; n++) {
        if (!ledger_run(i->l, bury, VALUES(as_int(same[n].key)), err))
            return false;
    }
    return true;
}

/* ---- another part? ---- */

static const struct kept_bill *kept_of(const struct loading *now, int64_t bill)
{
    for (size_t n = 0; n < now->kept_count; n++)
        if (now->kept[n].bill == bill)
            return &now->kept[n];
    return NULL;
}

/* It does not have the charges of this one: their loss would go unnoticed. */
static bool refuse_part(const struct ledger_import *i, const struct loading *now,
                        const struct ledger_bill *there, struct containment c,
                        struct error *err)
{
    const struct import_file *file = &i->files[now->files[0]];
    struct str account = there->account.len > 0 ? there->account : STR("unknown");
    char others[40] = "", has[80];

    if (now->file_count > 1)
        (void)snprintf(others, sizeof others, " and %zu other%s", now->file_count - 1,
                       now->file_count == 2 ? "" : "s");
    if (c.exact)
        (void)snprintf(has, sizeof has, "%lld of the %lld charges", (long long)c.found,
                       (long long)c.charges);
    else
        (void)snprintf(has, sizeof has, "about %d %% of the %lld charges",
                       (int)(c.share * 100 + 0.5), (long long)c.charges);
    error_set(err, ERROR_INPUT, "'%.*s'%s has %s of bill %lld (%.*s, account %.*s)%s",
              STR_ARG(file->name), others, c.amounts ? "other amounts for the charges" : has,
              (long long)there->key, STR_ARG(there->provider), STR_ARG(account),
              c.amounts ? ", some of which look alike: it is a correction, or another part"
                        : ": it is another part, or another bill");
    error_hint(err,
               "nothing was changed: --add adds it to what is there; --replace puts it in the "
               "place of bill %lld",
               (long long)there->key);
    return false;
}

/* Of `count` bills of the same account and period those that came again move to the front:
 * `*again` of them. The others stay as they are, which must be other parts. */
static bool tell_parts(const struct ledger_import *i, const struct loading *now,
                       struct ledger_bill *same, size_t count, size_t *again, struct error *err)
{
    struct ledger_bill other = {0};
    struct containment why = {.apart = true};

    *again = 0;
    for (size_t n = 0; n < count; n++) {
        const struct kept_bill *kept = kept_of(now, same[n].key);
        struct containment c = {.contained = true};
        struct ledger_bill bill = same[n];

        if (kept != NULL)
            c = contain_of(now, kept);
        else if (str_eq(same[n].format, str_from(now->format)))
            return error_fail(err, ERROR_FAILED,
                              "bill %lld came in meanwhile: import again; nothing was changed",
                              (long long)same[n].key);
        /* A smaller one of the same charges is no other part: replace_same() refuses it. */
        if (c.contained || (c.within && count == 1 && now->lines < bill.lines)) {
            same[n] = same[*again];
            same[(*again)++] = bill;
        } else if (other.key == 0 || !c.apart) {
            why = c;
            other = bill;
        }
    }
    return other.key == 0 || (*again > 0 && why.apart) || refuse_part(i, now, &other, why, err);
}

/* ---- beside it ---- */

/* The same bytes would be counted twice. */
static bool check_content(const struct ledger_import *i, const struct ledger_bill *there,
                          struct error *err)
{
    for (size_t n = 0; n < i->file_count; n++) {
        struct str digest = i->files[n].digest;

        if (digest.len == 0 || !str_has_nocase(there->files, digest))
            continue;
        error_set(err, ERROR_INPUT, "the content of '%.*s' is in the ledger already",
                  STR_ARG(i->files[n].name));
        error_hint(err, "nothing was changed: leave it out, or import without --add");
        return false;
    }
    return true;
}

/* So would a day that another file has too: as many charges that come to the same. */
static bool check_day(const struct ledger_import *i, const struct loading *now, struct query *q,
                      int64_t there, struct error *err)
{
    int32_t on = (int32_t)column_int(q, 0);
    const struct day_sum *new = days_find(&i->by_day, now->number, on, 0);
    struct decimal billed, effective;
    struct buf date;

    if (new == NULL || new->lines != column_int(q, 1))
        return true;
    if (!column_amount(q, 2, &billed, err) || !column_amount(q, 3, &effective, err))
        return false;
    if (decimal_cmp(billed, amounts_get(&new->sum, 0)) != 0 ||
        decimal_cmp(effective, amounts_get(&new->sum, 1)) != 0)
        return true;
    date = buf_new(i->l->alloc, 64);
    day_write((day){on}, &date);
    error_set(err, ERROR_INPUT,
              "%lld charge%s of %.*s that come%s to the same %s in bill %lld already",
              (long long)new->lines, new->lines == 1 ? "" : "s", (int)date.len,
              date.len > 0 ? date.at : "", new->lines == 1 ? "s" : "",
              new->lines == 1 ? "is" : "are", (long long)there);
    error_hint(err, "nothing was changed: leave them out, or --force when they are others");
    buf_free(&date);
    return false;
}

/* None when no charge of its sample came again: then days are the same by chance. */
static bool may_be_there(const struct loading *now, int64_t bill)
{
    const struct kept_bill *kept = kept_of(now, bill);

    return kept == NULL || kept->marks.exact.hits > 0;
}

static bool check_days(const struct ledger_import *i, const struct loading *now,
                       const struct ledger_bill *there, struct error *err)
{
    struct query *q = ledger_query(i->l, read_days, VALUES(as_int(there->key)), err);
    int got;

    while ((got = ledger_row(i->l, q, "read", err)) > 0)
        if (!check_day(i, now, q, there->key, err)) {
            query_reset(q);
            return false;
        }
    return got == 0;
}

bool meet_same(struct ledger_import *i, const struct loading *now,
               const struct ledger_bill *bill, struct arena *arena, struct outcome *o,
               struct error *err)
{
    struct query *q = ask_same(i->l, find_same, bill, err);
    size_t first = o->replaced_count, count;
    int got = -1;

    if (q == NULL)
        return false;
    while ((got = ledger_row(i->l, q, "read", err)) > 0) {
        struct ledger_bill old;

        if (!bill_row(q, arena, &old, err) || !add_same(o, &old, arena, err)) {
            query_reset(q);
            return false;
        }
    }
    count = o->replaced_count - first;
    if (got < 0 || count == 0)
        return got == 0;
    if (!i->options.add) {
        size_t again = count;

        if (!i->options.replace && !tell_parts(i, now, &o->replaced[first], count, &again, err))
            return false;
        o->replaced_count = first + again;
        return replace_same(i, now, bill, &o->replaced[first], again, err);
    }
    o->replaced_count = first;
    for (size_t n = first; n < first + count; n++)
        if (!check_content(i, &o->replaced[n], err) ||
            (!i->options.force && !i->by_day_lost && may_be_there(now, o->replaced[n].key) &&
             !check_days(i, now, &o->replaced[n], err)))
            return false;
    return true;
}
