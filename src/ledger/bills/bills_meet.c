/* A bill of an import meets what is there of the same account and period: it takes its place,
 * or is kept beside it. What looks like a mistake is refused before anything is changed.
 *
 * Is a delivery the one that is there, delivered again, or another part of it? The same month
 * delivered again has the charges that are there, and more; another part has none of them. What
 * a charge is known by is what it is for and when it starts, not its amount, which a correction
 * changes. Of each bill a sample is kept: the smallest of all hashes of its charges, so that a
 * charge is in it by its content alone, and every one of a small bill is. Charges that cost
 * nothing do not count: nothing is lost with them. */
#include <math.h>
#include <stdlib.h>

#include "base/characters.h"
#include "base/hash.h"
#include "base/num.h"
#include "ledger/bills_internal.h"

#define SAMPLE ((size_t)512)
#define KIND_SEED UINT64_C(0x5bd1e9955bd1e995)
#define HEX 16 /* digits of a number */

static const char read_marks[] = "SELECT marks FROM bills WHERE bill = ?1";

/* ---- what a charge is known by ---- */

static uint64_t mark_of_kind(const struct bill_line *line)
{
    static const enum focus_column columns[] = {
        FOCUS_SubAccountId, FOCUS_ServiceName, FOCUS_RegionId,       FOCUS_ResourceId,
        FOCUS_SkuId,        FOCUS_SkuMeter,    FOCUS_ChargeCategory, FOCUS_PricingCategory};
    uint64_t hash = KIND_SEED;
    bool described = line->of[FOCUS_SkuId].len > 0 || line->of[FOCUS_SkuMeter].len > 0;

    for (size_t i = 0; i < ARRAY_LEN(columns); i++)
        hash = text_hash(hash + i, line->of[columns[i]]);
    if (!described) /* the words often contain prices, but nothing else distinguishes them */
        hash = text_hash(hash, line->of[FOCUS_ChargeDescription]);
    return number_hash(hash, (uint64_t)line->start.s);
}

static uint64_t mix_amount(uint64_t hash, struct decimal amount)
{
    struct decimal d = decimal_trim(amount, DECIMAL_MIN_SCALE);

    hash = number_hash(hash, (uint64_t)d.coefficient);
    return number_hash(hash, (uint64_t)(uwide)d.coefficient ^ (uint64_t)(int64_t)d.scale);
}

/* The very same charge: the amounts, too. */
static uint64_t mark_of_charge(const struct bill_line *line, uint64_t kind)
{
    uint64_t hash = number_hash(kind, (uint64_t)line->end.s);

    hash = mix_amount(hash, line->billed);
    return mix_amount(hash, line->effective);
}

/* ---- samples ---- */

static int by_sample_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

/* Sorted, each once, and no more than a sample holds. */
static void sample_settle(struct mark_sample *s)
{
    size_t kept = 0;

    if (s->count > 0)
        qsort(s->at, s->count, sizeof s->at[0], by_sample_number);
    for (size_t i = 0; i < s->count; i++)
        if (kept == 0 || s->at[kept - 1] != s->at[i])
            s->at[kept++] = s->at[i];
    s->count = kept;
    if (kept > SAMPLE) {
        s->count = SAMPLE;
        s->limit = s->at[SAMPLE - 1];
    }
}

static bool sample_add(struct mark_sample *s, uint64_t mark, struct arena *arena,
                       struct error *err)
{
    if (mark > s->limit)
        return true;
    if (s->count == 2 * SAMPLE)
        sample_settle(s);
    if (mark > s->limit)
        return true;
    s->at = arena_grow(arena, s->at, s->count, sizeof s->at[0], &s->room, err);
    if (s->at == NULL)
        return false;
    s->at[s->count++] = mark;
    return true;
}

/* How many different ones there are, from the sample. */
static double sample_distinct(const struct mark_sample *s)
{
    if (s->limit == UINT64_MAX)
        return (double)s->count;
    return (double)s->count / ((double)s->limit / 18446744073709551616.0);
}

static void sample_find(struct mark_sample *s, uint64_t mark)
{
    const uint64_t *at;

    if (mark > s->limit || s->count == 0)
        return;
    at = bsearch(&mark, s->at, s->count, sizeof s->at[0], by_sample_number);
    if (at == NULL || s->found[at - s->at])
        return;
    s->found[at - s->at] = true;
    s->hits++;
}

struct line_mark contain_mark(const struct bill_line *line)
{
    uint64_t kind = mark_of_kind(line);

    return (struct line_mark){.kind = kind, .exact = mark_of_charge(line, kind)};
}

static bool marks_add(struct bill_marks *m, const struct bill_line *line, struct line_mark mark,
                      bool own_names, struct arena *arena, struct error *err)
{
    m->charges++;
    m->bare += line->of[FOCUS_ResourceId].len == 0;
    return sample_add(&m->kinds, mark.kind, arena, err) &&
           sample_add(&m->exact, mark.exact, arena, err) &&
           money_note(m, line, own_names, arena, err);
}

/* ---- as they are kept ---- */

static void write_mark_sample(const struct mark_sample *s, struct buf *out)
{
    buf_addf(out, " %016llx", (unsigned long long)s->limit);
    for (size_t i = 0; i < s->count; i++)
        buf_addf(out, "%016llx", (unsigned long long)s->at[i]);
}

void contain_settle(struct bill_marks *m)
{
    sample_settle(&m->kinds);
    sample_settle(&m->exact);
}

bool contain_write(const struct bill_marks *m, struct buf *out, struct error *err)
{
    buf_addf(out, "%lld %lld", (long long)m->charges, (long long)m->bare);
    write_mark_sample(&m->kinds, out);
    write_mark_sample(&m->exact, out);
    money_sample_write(&m->money, out);
    money_sample_write(&m->accounts, out);
    return buf_ok(out, err);
}

static bool read_mark_number(struct str text, size_t at, uint64_t *out)
{
    *out = 0;
    for (size_t i = at; i < at + HEX; i++) {
        char c = text.at[i];
        unsigned digit = is_digit(c)            ? (unsigned)(c - '0')
                         : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10
                                                : 16;

        if (digit > 15)
            return false;
        *out = *out << 4 | digit;
    }
    return true;
}

/* 1: read; 0: it is none; -1 with the error set. */
static int read_sample(struct str text, struct mark_sample *s, struct arena *arena,
                       struct error *err)
{
    if (text.len < HEX || text.len % HEX != 0 || !read_mark_number(text, 0, &s->limit))
        return 0;
    s->room = text.len / HEX;
    s->at = arena_array(arena, uint64_t, s->room, err);
    if (s->at == NULL)
        return -1;
    for (size_t i = HEX; i < text.len; i += HEX) {
        if (!read_mark_number(text, i, &s->at[s->count]) ||
            (s->count > 0 && s->at[s->count] <= s->at[s->count - 1]))
            return 0;
        s->count++;
    }
    return 1;
}

static int read_marks_text(struct str text, struct bill_marks *m, struct arena *arena,
                           struct error *err)
{
    struct str rest = text, charges = str_cut(&rest, ' '), bare = str_cut(&rest, ' ');
    struct str kinds = str_cut(&rest, ' '), exact = str_cut(&rest, ' ');
    struct str money = str_cut(&rest, ' ');
    int got;

    *m = (struct bill_marks){0};
    if (!num_int(charges, &m->charges) || !num_int(bare, &m->bare))
        return 0;
    got = read_sample(kinds, &m->kinds, arena, err);
    if (got > 0)
        got = read_sample(exact, &m->exact, arena, err);
    if (got > 0)
        got = money_sample_read(money, &m->money, arena, err);
    return got > 0 ? money_sample_read(rest, &m->accounts, arena, err) : got;
}

/* ---- bills that are there ---- */

bool contain_own_names(struct str format)
{
    return str_eq(format, str_from(bill_format_name(BILL_TABLE)));
}

static int sample_damaged(struct ledger *l, int64_t bill, struct error *err)
{
    error_set(err, ERROR_DAMAGED, "the ledger '%s' is damaged: bill %lld has no sample",
              l->name, (long long)bill);
    error_hint(err,
               "'stint bills remove %lld --force' removes the bill; import its files again",
               (long long)bill);
    return -1;
}

/* 1; 0: another program removed it meanwhile; or -1 with the error set. */
static int read_kept_marks(struct ledger *l, int64_t bill, struct bill_marks *m,
                           struct arena *arena, struct error *err)
{
    struct query *q = ledger_query(l, read_marks, VALUES(as_int(bill)), err);
    int got = ledger_row(l, q, "read", err);

    if (got > 0) {
        got = read_marks_text(column_view(q, 0), m, arena, err);
        query_reset(q);
        if (got == 0)
            return sample_damaged(l, bill, err);
    }
    return got;
}

bool contain_load(struct ledger *l, int64_t bill, struct bill_marks *m, struct arena *arena,
                  struct error *err)
{
    int tables = ledger_start_read(l, err), got = 0;

    if (tables > 0) {
        got = read_kept_marks(l, bill, m, arena, err);
        if (!ledger_finish(l, got >= 0, err))
            return false;
    }
    if (got == 0) {
        contain_begin(m);
        contain_settle(m);
    }
    return tables >= 0;
}

static bool make_found(struct mark_sample *s, struct arena *arena, struct error *err)
{
    s->found = arena_array(arena, bool, s->count, err);
    return s->found != NULL;
}

bool contain_compare(struct ledger *l, struct loading *b, int64_t bill, struct arena *arena,
                     struct error *err)
{
    struct kept_bill *k;

    b->kept = arena_grow(arena, b->kept, b->kept_count, sizeof b->kept[0], &b->kept_room, err);
    if (b->kept == NULL)
        return false;
    k = &b->kept[b->kept_count];
    *k = (struct kept_bill){.bill = bill};
    if (!contain_load(l, bill, &k->marks, arena, err) ||
        !make_found(&k->marks.kinds, arena, err) || !make_found(&k->marks.exact, arena, err))
        return false;
    b->kept_count++;
    return true;
}

/* ---- lines that come in ---- */

void contain_begin(struct bill_marks *m)
{
    *m = (struct bill_marks){.kinds = {.limit = UINT64_MAX}, .exact = {.limit = UINT64_MAX}};
    money_sample_begin(&m->money);
    money_sample_begin(&m->accounts);
}

bool contain_note(struct loading *b, const struct bill_line *line, struct arena *arena,
                  struct error *err)
{
    struct line_mark mark = contain_mark(line);

    for (size_t i = 0; i < b->kept_count; i++) {
        sample_find(&b->kept[i].marks.kinds, mark.kind);
        sample_find(&b->kept[i].marks.exact, mark.exact);
    }
    if (!correct_note(b, mark.kind, mark.exact, arena, err))
        return false;
    if (line->billed.coefficient == 0 && line->effective.coefficient == 0)
        return true;
    return marks_add(&b->marks, line, mark, b->own_names, arena, err);
}

/* ---- what that comes to ---- */

static double found_of(const struct mark_sample *s)
{
    return s->count > 0 ? (double)s->hits / (double)s->count : 1;
}

/* How much of a bill that is there is in the one that came. */
struct containment {
    bool contained; /* all but little of it: it is that one, delivered again */
    bool amounts;   /* all but little of it, but for most amounts */
    bool apart;     /* hardly any of it: it is another part */
    bool within;    /* most of what came is in it */
    double share;   /* of the charges that are there */
    int64_t charges, found;
    bool exact; /* `found` is not from a sample */
};

static struct containment contain_of(const struct loading *now, const struct kept_bill *there)
{
    const struct bill_marks *m = &there->marks;
    double distinct = sample_distinct(&m->kinds), came = sample_distinct(&now->marks.kinds);
    struct containment c = {.charges = m->charges, .share = found_of(&m->kinds)};
    /* Sums are grouped by all that they are known by; charges without resources may not be. */
    bool apart = distinct >= 0.9 * (double)m->charges &&
                 (now->coarse || (double)m->bare <= 0.1 * (double)m->charges);

    c.exact = m->kinds.limit == UINT64_MAX && distinct >= (double)m->charges;
    c.found = (int64_t)m->kinds.hits;
    /* Charges that are known by the same, as of a service without its resources, may be others
     * in another part: some of the amounts must be the same as well. */
    c.contained = c.share >= 0.8 && (apart || found_of(&m->exact) >= 0.5);
    c.amounts = c.share >= 0.8 && !c.contained;
    c.apart = c.share <= 0.2;
    c.within = came <= 0 || c.share * distinct / came >= 0.5;
    return c;
}

/* ---- bills of the same account and period ---- */

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

static struct query *query_same(struct ledger *l, const struct ledger_bill *b,
                                struct error *err)
{
    struct period_starts starts = period_starts_of(b->period_start);

    return ledger_query(
        l, find_same,
        VALUES(as_text(b->provider), as_text(b->account), as_int(starts.first),
               as_text(b->currency),
               as_text(b->amounts == BILL_BOTH ? STR("both") : STR("amortized")),
               as_int(starts.last), as_int(b->coarse)),
        err);
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

static struct decimal bill_mark_amount(const struct ledger_bill *b)
{
    return b->amounts == BILL_BOTH ? b->billed : b->effective;
}

/* In what it is smaller, as words; false when it is not. */
static bool smaller(const struct loading *now, const struct ledger_bill *bill,
                    const struct before *b, struct buf *out)
{
    if (bill->lines < b->lines && now->correction == NULL) {
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
    } else if (b->amount_known && coarse_far_below(bill_mark_amount(bill), b->amount)) {
        decimal_write(bill_mark_amount(bill), out);
        buf_addf(out, " %.*s of ", STR_ARG(bill->currency));
        decimal_write(b->amount, out);
        buf_addf(out, " %.*s", STR_ARG(bill->currency));
    }
    return out->len > 0;
}

#define SAME_TOTAL 0.005 /* of it, that roundings of many lines may come to */

/* Fewer lines with all the days and the total of those that are there: the same money in
 * another format or grouping, and no part of it. */
static bool is_total_kept(const struct loading *now, const struct ledger_bill *bill,
                          const struct before *b)
{
    double total = decimal_double(b->amount);

    return bill->lines < b->lines && b->amount_known && b->missing == 0 &&
           now->days >= b->days &&
           fabs(decimal_double(bill_mark_amount(bill)) - total) <= SAME_TOTAL * fabs(total);
}

static void refuse_fewer_lines(const struct ledger_import *i, const struct loading *now,
                               const struct ledger_bill *bill, const struct ledger_bill *there,
                               const struct before *before, struct error *err)
{
    error_set(err, ERROR_INPUT,
              "'%.*s' has the same money as bill %lld (%.*s, account %.*s), in fewer lines: "
              "%lld instead of %lld",
              STR_ARG(i->files[now->files[0]].name), (long long)there->key,
              STR_ARG(there->provider), STR_ARG(there->account), (long long)bill->lines,
              (long long)before->lines);
    error_hint(err,
               "nothing was changed: leave it out, or --replace replaces bill %lld with it",
               (long long)there->key);
}

/* One part of a delivery must not silently replace all of it. */
static bool check_smaller(const struct ledger_import *i, const struct loading *now,
                          const struct ledger_bill *bill, const struct ledger_bill *there,
                          const struct before *before, struct error *err)
{
    struct buf how = buf_new(i->l->alloc, 512), from = buf_new(i->l->alloc, 64);
    bool is = smaller(now, bill, before, &how);

    day_write(day_of(ledger_period_edge(bill->period_start)), &from);
    if (is && is_total_kept(now, bill, before)) {
        refuse_fewer_lines(i, now, bill, there, before, err);
    } else if (is) {
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
        before.amount_known &=
            decimal_add(before.amount, bill_mark_amount(&same[n]), &before.amount);
    }
    for (size_t n = 0; !i->options.replace && !i->by_day_lost && n < count; n++)
        if (!days_before(i, now, &same[n], &before, err))
            return false;
    if (!i->options.replace && !check_smaller(i, now, bill, &same[0], &before, err))
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
               "nothing was changed: --add adds it to the existing charges; --replace "
               "replaces bill %lld with it",
               (long long)there->key);
    return false;
}

/* By service and by account, say. */
static bool refuse_regrouped(const struct ledger_import *i, const struct loading *now,
                             const struct ledger_bill *there, const struct regrouping *r,
                             struct error *err)
{
    error_set(err, ERROR_INPUT,
              "'%.*s' has the same money as bill %lld (%.*s), grouped differently: %s",
              STR_ARG(i->files[now->files[0]].name), (long long)there->key,
              STR_ARG(there->provider),
              r->total ? "the same days and total" : "its days cost the same");
    error_hint(err,
               "nothing was changed: --replace replaces bill %lld with it; --add counts both",
               (long long)there->key);
    return false;
}

static bool refuse_account(const struct ledger_import *i, const struct loading *now,
                           const struct ledger_bill *there, struct error *err)
{
    error_set(
        err, ERROR_INPUT,
        "'%.*s' names no account, and its amounts are not those of bill %lld (%.*s): is it "
        "of another account?",
        STR_ARG(i->files[now->files[0]].name), (long long)there->key, STR_ARG(there->provider));
    error_hint(err,
               "nothing was changed: if so, --add keeps both; if it corrects bill %lld, "
               "--replace",
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
        if (kept != NULL && kept->by_days.same && (!c.contained || kept->by_days.total))
            return refuse_regrouped(i, now, &bill, &kept->by_days, err);
        if (kept != NULL && c.contained && kept->by_days.other_account)
            return refuse_account(i, now, &bill, err);
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
    struct query *q = query_same(i->l, bill, err);
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
