/* Coarse data and detailed data of the same money: sums as Cost Explorer answers them beside
 * the Cost and Usage Report of the same account and days. Whichever comes first, the details
 * count.
 *
 * Of coarse data that comes in, what detailed bills cover already is left out. Detailed data
 * takes the place of coarse bills for the days that it covers; what they have of other days is
 * kept as a bill of its own. Neither happens when the amounts are far apart: then the coarse
 * data is probably of more than the detailed. */
#include "ledger/bills_internal.h"

#define REST_LINES 200000 /* of a coarse bill: it has far fewer */

static const char sum_days[] = "SELECT SUM_AMOUNT(billed), SUM_AMOUNT(effective) FROM bill_days"
                               " WHERE bill = ?1 AND day >= ?2 AND day <= ?3";
static const char bury_coarse[] =
    "UPDATE bills SET state = 'gone' WHERE bill = ?1 AND state = 'current' RETURNING bill";

/* ---- what belongs together ---- */

static bool same_payer(struct str a, struct str b)
{
    return a.len == 0 || b.len == 0 || same_account(a, b);
}

static bool same_money(const struct loading *b, const struct ledger_bill *there)
{
    return b->coarse != there->coarse && b->amounts == there->amounts &&
           str_eq(b->provider, there->provider) && str_eq(b->currency, there->currency) &&
           same_payer(b->account, there->account);
}

static int32_t later_day(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static int32_t earlier_coarse_day(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* At least half of the charge's days. */
static bool is_covered(int32_t first, int32_t last, const struct cover *c)
{
    int32_t from = later_day(first, c->first), to = earlier_coarse_day(last, c->last);

    return to >= from && 2 * ((int64_t)to - from + 1) >= (int64_t)last - first + 1;
}

static int32_t last_day(const struct bill_line *line)
{
    int32_t first = day_of(line->start).n, last = day_of((stamp){line->end.s - 1}).n;

    return later_day(first, last);
}

static struct decimal coarse_amount(const struct loading *b, struct decimal billed,
                                    struct decimal effective)
{
    return b->amounts == BILL_BOTH ? billed : effective;
}

bool coarse_far_below(struct decimal now, struct decimal before)
{
    struct decimal five, four;

    if (before.coefficient <= 0)
        return false;
    if (!decimal_multiply(now, (struct decimal){5, 0}, &five) ||
        !decimal_multiply(before, (struct decimal){4, 0}, &four))
        return decimal_double(now) * 5 < decimal_double(before) * 4;
    return decimal_cmp(five, four) < 0;
}

/* ---- coarse data that comes in ---- */

bool coarse_begin(struct ledger_import *i, struct loading *b, struct error *err)
{
    for (size_t n = 0; b->coarse && !i->options.add && n < i->there_count; n++) {
        const struct ledger_bill *t = &i->there[n];

        if (!same_money(b, t) || t->covers_last.n < t->covers_first.n)
            continue;
        b->covers = arena_grow(&i->arena, b->covers, b->cover_count, sizeof b->covers[0],
                               &b->cover_room, err);
        if (b->covers == NULL)
            return false;
        b->covers[b->cover_count++] =
            (struct cover){.bill = t, .first = t->covers_first.n, .last = t->covers_last.n};
    }
    return true;
}

bool coarse_leave_out(struct loading *b, const struct bill_line *line, bool *out,
                      struct error *err)
{
    int32_t first = day_of(line->start).n, last = last_day(line);
    struct left_out *left = &b->left_out;

    *out = false;
    for (size_t n = 0; n < b->cover_count && !*out; n++) {
        *out = is_covered(first, last, &b->covers[n]);
        if (*out && left->lines == 0)
            left->by = b->covers[n].bill;
    }
    if (!*out)
        return true;
    if (!decimal_add(left->amount, coarse_amount(b, line->billed, line->effective),
                     &left->amount))
        return error_fail(err, ERROR_INPUT, "the sum of the amounts has too many digits");
    left->first = left->lines == 0 ? first : earlier_coarse_day(left->first, first);
    left->last = left->lines == 0 ? last : later_day(left->last, last);
    left->lines++;
    return true;
}

/* What the detailed bills have of these days. */
static bool sum_covers(struct ledger_import *i, const struct loading *b, struct decimal *out,
                       struct error *err)
{
    *out = (struct decimal){0};
    for (size_t n = 0; n < b->cover_count; n++) {
        struct query *q =
            ledger_query(i->l, sum_days,
                         VALUES(as_int(b->covers[n].bill->key), as_int(b->left_out.first),
                                as_int(b->left_out.last)),
                         err);
        struct decimal billed, effective;
        bool ok;

        if (ledger_row(i->l, q, "read", err) <= 0)
            return false;
        ok = column_amount(q, 0, &billed, err) && column_amount(q, 1, &effective, err);
        query_reset(q);
        if (!ok)
            return false;
        if (!decimal_add(*out, coarse_amount(b, billed, effective), out))
            return error_fail(err, ERROR_INPUT, "the sum of the amounts has too many digits");
    }
    return true;
}

static void write_coarse_days(int32_t first, int32_t last, struct buf *out)
{
    day_write((day){first}, out);
    if (last == first)
        return;
    buf_adds(out, " to ");
    day_write((day){last}, out);
}

/* Sums of the same days that are too far apart to be of the same charges. */
struct mismatch {
    const char *coarse; /* what the error calls the coarse data */
    int64_t detailed;   /* bill; 0: it is the one that comes in */
    int32_t first, last;
    struct decimal coarse_sum, detailed_sum;
    struct str currency;
};

static bool refuse_mismatch(const struct ledger_import *i, const struct mismatch *m,
                            struct error *err)
{
    struct buf text = buf_new(i->l->alloc, 1024);

    buf_addf(&text, "%s has ", m->coarse);
    decimal_write(decimal_trim(m->coarse_sum, 0), &text);
    buf_addf(&text, " %.*s for ", STR_ARG(m->currency));
    write_coarse_days(m->first, m->last, &text);
    buf_adds(&text, ", but the detailed bill");
    if (m->detailed > 0)
        buf_addf(&text, " %lld", (long long)m->detailed);
    buf_adds(&text, " has ");
    decimal_write(decimal_trim(m->detailed_sum, 0), &text);
    buf_addf(&text, " %.*s: they are not of the same charges", STR_ARG(m->currency));
    error_set(err, ERROR_INPUT, "%.*s", (int)text.len, text.len > 0 ? text.at : "");
    buf_free(&text);
    return false;
}

static bool check_left_out(struct ledger_import *i, const struct loading *b, struct error *err)
{
    const struct left_out *left = &b->left_out;
    struct decimal details;
    char name[120];

    if (left->lines == 0)
        return true;
    if (!sum_covers(i, b, &details, err))
        return false;
    if (i->options.replace || !coarse_far_below(details, left->amount))
        return true;
    (void)snprintf(name, sizeof name, "'%.*s'",
                   (int)earlier_coarse_day((int32_t)i->files[b->files[0]].name.len, 100),
                   i->files[b->files[0]].name.at);
    (void)refuse_mismatch(i,
                          &(struct mismatch){.coarse = name,
                                             .detailed = left->by->key,
                                             .first = left->first,
                                             .last = left->last,
                                             .coarse_sum = left->amount,
                                             .detailed_sum = details,
                                             .currency = b->currency},
                          err);
    error_hint(err, "nothing was changed: --add keeps both; --replace leaves out what the "
                    "detailed bill covers");
    return false;
}

/* ---- detailed data that comes in ---- */

/* A coarse bill that is there, and the days of it that are replaced. */
struct meeting {
    struct ledger_import *i;
    const struct ledger_bill *coarse;
    struct cover covers[64]; /* of the new bills: days by their numbers */
    size_t cover_count;
    struct superseded *out;
    struct bill_line *rest; /* what it has of other days */
    size_t rest_count, rest_room;
};

struct cover coarse_cover(const struct loading *b, stamp now)
{
    struct ledger_bill bill = {
        .period_start = b->period_start,
        .period_end = b->period_end,
        .first_day = {b->first_day},
        .last_day = {!b->by_day ? later_day(b->last_end, b->last_day) : b->last_day},
        .imported = now};

    bill_cover(&bill);
    return (struct cover){
        .loading = b, .first = bill.covers_first.n, .last = bill.covers_last.n};
}

static bool find_coarse_covers(struct meeting *m, stamp now)
{
    for (size_t n = 0; n < m->i->bill_count; n++) {
        const struct loading *b = m->i->bills[n];
        struct cover c;

        if (b->coarse || !same_money(b, m->coarse))
            continue;
        c = coarse_cover(b, now);
        if (c.last < c.first || c.last < m->coarse->first_day.n ||
            c.first > m->coarse->last_day.n || m->cover_count == ARRAY_LEN(m->covers))
            continue;
        m->covers[m->cover_count++] = c;
    }
    return m->cover_count > 0;
}

static bool keep_rest(struct meeting *m, const struct bill_line *line, struct error *err)
{
    struct arena *arena = &m->i->arena;
    struct bill_line *copy;

    if (m->rest_count == REST_LINES)
        return error_fail(err, ERROR_INPUT, "bill %lld has too many charges to be divided",
                          (long long)m->coarse->key);
    m->rest = arena_grow(arena, m->rest, m->rest_count, sizeof m->rest[0], &m->rest_room, err);
    if (m->rest == NULL)
        return false;
    copy = &m->rest[m->rest_count++];
    *copy = *line;
    for (int n = 0; n < FOCUS_COUNT; n++)
        if (line->of[n].len > 0 && (copy->of[n].at = str_dup(line->of[n], arena, err)) == NULL)
            return false;
    return true;
}

static bool divide_line(void *ctx, const struct ledger_bill *bill, const struct bill_line *line,
                        struct error *err)
{
    struct meeting *m = ctx;
    struct superseded *s = m->out;
    int32_t first = day_of(line->start).n, last = last_day(line);

    (void)bill;
    for (size_t n = 0; n < m->cover_count; n++) {
        struct decimal amount =
            coarse_amount(m->covers[n].loading, line->billed, line->effective);

        if (!is_covered(first, last, &m->covers[n]))
            continue;
        if (!decimal_add(s->amount, amount, &s->amount))
            return error_fail(err, ERROR_INPUT, "the sum of the amounts has too many digits");
        s->first.n = s->lines == 0 ? first : earlier_coarse_day(s->first.n, first);
        s->last.n = s->lines == 0 ? last : later_day(s->last.n, last);
        s->lines++;
        return true;
    }
    return keep_rest(m, line, err);
}

/* What the new bills have of the days that are replaced. */
static bool sum_details(const struct meeting *m, struct decimal *out, struct error *err)
{
    const struct ledger_import *i = m->i;

    *out = (struct decimal){0};
    for (size_t n = 0; n < m->cover_count; n++) {
        const struct loading *b = m->covers[n].loading;

        for (int32_t d = later_day(m->out->first.n, m->covers[n].first);
             d <= earlier_coarse_day(m->out->last.n, m->covers[n].last); d++) {
            const struct day_sum *sum = days_find(&i->by_day, b->number, d, 0);

            if (sum != NULL && !decimal_add(*out,
                                            coarse_amount(b, amounts_get(&sum->sum, 0),
                                                          amounts_get(&sum->sum, 1)),
                                            out))
                return error_fail(err, ERROR_INPUT,
                                  "the sum of the amounts has too many digits");
        }
    }
    return true;
}

static bool check_details(const struct meeting *m, struct error *err)
{
    struct decimal details;
    char name[120];

    if (m->i->options.replace || m->i->by_day_lost)
        return true;
    if (!sum_details(m, &details, err))
        return false;
    if (!coarse_far_below(details, m->out->amount))
        return true;
    (void)snprintf(name, sizeof name, "bill %lld (%.*s)", (long long)m->coarse->key,
                   STR_ARG(m->coarse->format));
    (void)refuse_mismatch(m->i,
                          &(struct mismatch){.coarse = name,
                                             .first = m->out->first.n,
                                             .last = m->out->last.n,
                                             .coarse_sum = m->out->amount,
                                             .detailed_sum = details,
                                             .currency = m->coarse->currency},
                          err);
    error_hint(err,
               "nothing was changed: --add keeps both; --replace puts the details in the place "
               "of bill %lld",
               (long long)m->coarse->key);
    return false;
}

/* The other days, as a bill like the one they are of. */
static bool import_rest(struct meeting *m, struct error *err)
{
    struct ledger_import *i = m->i;
    struct loading *b = NULL;

    if (m->rest_count == 0 || i->options.dry_run) {
        m->out->rest_lines = (int64_t)m->rest_count;
        return true;
    }
    m->out->rest_lines = (int64_t)m->rest_count;
    for (size_t n = 0; n < m->rest_count; n++) {
        if (import_due(i) && !import_flush(i, err))
            return false;
        if (!import_rest_line(i, m->coarse, &m->rest[n], &b, err))
            return false;
    }
    m->out->rest = b;
    return true;
}

/* Each line of the bill: is it of a day that is replaced? */
static bool divide_bill(struct meeting *m, struct error *err)
{
    struct ledger_import *i = m->i;
    struct ledger_line_query query = {DAY_UNKNOWN, DAY_UNKNOWN, m->coarse->key};

    i->superseded = arena_grow(&i->arena, i->superseded, i->superseded_count,
                               sizeof i->superseded[0], &i->superseded_room, err);
    if (i->superseded == NULL)
        return false;
    m->out = &i->superseded[i->superseded_count];
    *m->out = (struct superseded){.coarse = m->coarse, .by = m->covers[0].loading};
    return ledger_bill_lines(i->l, &query, divide_line, m, err);
}

static bool supersede(struct ledger_import *i, const struct ledger_bill *coarse, stamp now,
                      struct error *err)
{
    struct meeting m = {.i = i, .coarse = coarse};

    if (!find_coarse_covers(&m, now))
        return true;
    if (!divide_bill(&m, err))
        return false;
    if (m.out->lines == 0) /* none of its days after all */
        return true;
    i->superseded_count++;
    return check_details(&m, err) && import_rest(&m, err);
}

bool coarse_divide(struct ledger_import *i, const struct ledger_bill *bill,
                   const struct cover *covers, size_t count, bool *divided, struct error *err)
{
    struct meeting m = {.i = i, .coarse = bill};

    *divided = false;
    for (size_t n = 0; n < count && m.cover_count < ARRAY_LEN(m.covers); n++)
        m.covers[m.cover_count++] = covers[n];
    if (m.cover_count == 0)
        return true;
    if (!divide_bill(&m, err)) {
        if (m.rest_count == REST_LINES)
            error_hint(
                err,
                "nothing was changed: 'stint bills remove %lld --force' removes it, then "
                "import files of all its days",
                (long long)bill->key);
        return false;
    }
    for (size_t n = 0; n < m.rest_count && m.out->lines > 0; n++)
        *divided = *divided || m.rest[n].billed.coefficient != 0 ||
                   m.rest[n].effective.coefficient != 0;
    if (!*divided)
        return true;
    i->superseded_count++;
    return import_rest(&m, err);
}

/* Both in one command: the user must choose one. */
static bool check_together(const struct ledger_import *i, stamp now, struct error *err)
{
    for (size_t n = 0; n < i->bill_count; n++) {
        const struct loading *coarse = i->bills[n];

        for (size_t k = 0; coarse->coarse && k < i->bill_count; k++) {
            const struct loading *b = i->bills[k];
            struct ledger_bill like = {.provider = coarse->provider,
                                       .account = coarse->account,
                                       .currency = coarse->currency,
                                       .amounts = coarse->amounts,
                                       .coarse = true};
            struct cover c;

            if (!same_money(b, &like))
                continue;
            c = coarse_cover(b, now);
            if (!coarse->wanted || coarse->last_day < c.first || coarse->first_day > c.last)
                continue;
            error_set(
                err, ERROR_INPUT, "'%.*s' has the days of '%.*s' once more, in less detail",
                STR_ARG(i->files[coarse->files[0]].name), STR_ARG(i->files[b->files[0]].name));
            error_hint(err, "nothing was changed: leave it out, or --add to count both");
            return false;
        }
    }
    return true;
}

bool coarse_meet(struct ledger_import *i, struct error *err)
{
    stamp now = i->l->clock->today(i->l->clock->ctx);

    if (i->options.add)
        return true;
    if (!check_together(i, now, err))
        return false;
    for (size_t n = 0; n < i->there_count; n++)
        if (i->there[n].coarse && !supersede(i, &i->there[n], now, err))
            return false;
    return true;
}

bool coarse_check(struct ledger_import *i, struct error *err)
{
    for (size_t n = 0; n < i->all_count; n++)
        if (!check_left_out(i, i->bills[n], err))
            return false;
    return true;
}

bool coarse_bury(struct ledger_import *i, struct error *err)
{
    for (size_t n = 0; n < i->superseded_count && !i->options.dry_run; n++) {
        struct query *q =
            ledger_query(i->l, bury_coarse, VALUES(as_int(i->superseded[n].coarse->key)), err);
        int got;

        got = ledger_row(i->l, q, "write", err);
        if (got > 0)
            got = ledger_row(i->l, q, "write", err) == 0;
        else if (got == 0)
            error_set(err, ERROR_FAILED,
                      "bill %lld was changed meanwhile: import again; nothing was changed",
                      (long long)i->superseded[n].coarse->key);
        if (got <= 0)
            return false;
    }
    return true;
}
