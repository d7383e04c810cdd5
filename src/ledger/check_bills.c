/* Bills: do their totals, their lines and their daily sums agree? And what dead imports
 * left. */
#include <stdio.h>

#include "ledger/check_internal.h"
#include "unit/time.h"

#define NAMED 8 /* bills with trouble of one kind that are told one by one */

/* What is not said of a line is what was billed, as in the daily sums. */
static const char compare_sql[] =
    "SELECT b.bill, b.provider, b.account, b.period_start, b.lines, b.billed, b.effective,"
    " l.n, l.billed, l.effective, l.list, l.contracted,"
    " d.n, d.billed, d.effective, d.list, d.contracted"
    " FROM bills b LEFT JOIN (SELECT bill, count(*) AS n, SUM_AMOUNT(billed) AS billed,"
    "  SUM_AMOUNT(coalesce(effective, billed)) AS effective,"
    "  SUM_AMOUNT(coalesce(list, billed)) AS list,"
    "  SUM_AMOUNT(coalesce(contracted, billed)) AS contracted FROM bill_lines GROUP BY bill) l"
    " ON l.bill = b.bill LEFT JOIN (SELECT bill, sum(lines) AS n,"
    "  SUM_AMOUNT(billed) AS billed, SUM_AMOUNT(effective) AS effective,"
    "  SUM_AMOUNT(list) AS list, SUM_AMOUNT(contracted) AS contracted"
    "  FROM bill_days GROUP BY bill) d ON d.bill = b.bill"
    " WHERE b.state = 'current' ORDER BY b.bill";
enum { BILL = 0, PROVIDER, ACCOUNT, PERIOD, TOTAL, LINES = 7, DAYS = 12 };

static const char lines_without_bill[] = "SELECT count(*) FROM bill_lines l WHERE NOT EXISTS"
                                         " (SELECT 1 FROM bills b WHERE b.bill = l.bill)";
static const char days_without_bill[] = "SELECT count(*) FROM bill_days d WHERE NOT EXISTS"
                                        " (SELECT 1 FROM bills b WHERE b.bill = d.bill)";
static const char lines_without_thing[] =
    "SELECT count(*) FROM bill_lines l WHERE NOT EXISTS"
    " (SELECT 1 FROM bill_things t WHERE t.thing = l.thing)";
static const char things_without_group[] = "SELECT count(*) FROM bill_things t WHERE NOT EXISTS"
                                           " (SELECT 1 FROM bill_groups g WHERE g.grp = t.grp)";
static const char days_without_group[] = "SELECT count(*) FROM bill_days d WHERE NOT EXISTS"
                                         " (SELECT 1 FROM bill_groups g WHERE g.grp = d.grp)";
static const char gone_bills[] = "SELECT count(*) FROM bills WHERE state = 'gone'";
static const char regrouping[] = "SELECT regrouping FROM bill_state";
static const char next_keys[] =
    "SELECT count(*) FROM bill_state WHERE"
    " next_thing <= coalesce((SELECT max(thing) FROM bill_things), 0) OR"
    " next_grp <= coalesce((SELECT max(grp) FROM bill_groups), 0)";

/* Counts and amounts of two of the three, from these columns on. */
static bool same(struct query *q, int a, int b, int amounts, struct error *err)
{
    if (column_int(q, a) != column_int(q, b))
        return false;
    for (int i = 1; i <= amounts; i++) {
        struct decimal one, other;

        if (!column_amount(q, a + i, &one, err) || !column_amount(q, b + i, &other, err) ||
            decimal_cmp(one, other) != 0)
            return false;
    }
    return true;
}

static const char *plural(int64_t n)
{
    return n == 1 ? "" : "s";
}

static void tell_total(struct check *c, struct query *q)
{
    char when[32] = "?";
    struct buf date = buf_new(c->l->alloc, 64);

    day_write(day_of((stamp){column_int(q, PERIOD)}), &date);
    (void)snprintf(when, sizeof when, "%.*s", STR_ARG(buf_text(&date)));
    buf_free(&date);
    trouble(
        c, "total", TROUBLE_WRONG,
        "bill %lld (%.*s, %.*s, from %s) came with %lld line%s, of which %lld are there or "
        "its amounts are others\nstint import FILE, again: it takes its place ('stint bills' "
        "has the names of its files)",
        (long long)column_int(q, BILL), STR_ARG(column_view(q, PROVIDER)),
        STR_ARG(column_view(q, ACCOUNT)), when, (long long)column_int(q, TOTAL),
        plural(column_int(q, TOTAL)), (long long)column_int(q, LINES));
}

static void compare_bills(struct check *c)
{
    struct error why = {0};
    struct query *q = ledger_query(c->l, compare_sql, &why);
    int64_t totals = 0, sums = 0;
    int got = q != NULL ? 1 : -1;

    while (got > 0 && (got = ledger_row(c->l, q, "read", &why)) > 0) {
        if (same(q, TOTAL, LINES, 2, &why))
            sums += !same(q, LINES, DAYS, BILL_AMOUNTS, &why);
        else if (totals++ < NAMED) /* whatever its sums say: they may be all that is right */
            tell_total(c, q);
    }
    if (got < 0)
        trouble_unread(c, "the sums of bills", &why);
    if (totals > NAMED)
        trouble(c, "total", TROUBLE_WRONG,
                "likewise %lld more bills\nstint import their files again",
                (long long)(totals - NAMED));
    if (sums > 0)
        trouble(c, "sums", TROUBLE_MENDABLE,
                "the daily sums of %lld bill%s are not those of the lines: 'stint costs' is "
                "wrong\nstint ledger doctor --mend",
                (long long)sums, plural(sums));
}

static void count_imports(struct check *c)
{
    struct error why = {0};
    int64_t dead = 0, count = 0;

    while ((dead = sweep_next_dead(c->l, dead, &why)) > 0)
        count++;
    if (dead < 0)
        trouble_unread(c, "imports", &why);
    if (count > 0)
        trouble(
            c, "import", TROUBLE_LEFTOVER,
            "%lld import%s never ended; nothing of %s is seen, and the next sweeps it away\n"
            "stint ledger doctor --mend",
            (long long)count, plural(count), count == 1 ? "it" : "them");
}

static void count_lost(struct check *c)
{
    int64_t lines = check_number(c, "lines", lines_without_bill);
    int64_t days = check_number(c, "daily sums", days_without_bill);
    int64_t things = check_number(c, "lines", lines_without_thing);
    int64_t groups = check_number(c, "groups", things_without_group);
    int64_t sums = check_number(c, "daily sums", days_without_group);

    if (lines > 0 || days > 0)
        trouble(c, "strays", TROUBLE_LEFTOVER,
                "%lld line%s and %lld daily sum%s belong to no bill: nobody sees them\n"
                "stint ledger doctor --mend",
                (long long)lines, plural(lines), (long long)days, plural(days));
    if (things > 0)
        trouble(c, "things", TROUBLE_WRONG,
                "%lld line%s lost what %s for\nstint import FILE, again ('stint bills' has "
                "their names)",
                (long long)things, things == 1 ? " has" : "s have",
                things == 1 ? "it was" : "they were");
    if (groups > 0 || sums > 0)
        trouble(c, "groups", TROUBLE_MENDABLE,
                "%lld thing%s and %lld daily sum%s are in no group: 'stint costs' leaves them "
                "out\nstint ledger doctor --mend",
                (long long)groups, plural(groups), (long long)sums, plural(sums));
}

void check_bills(struct check *c)
{
    int64_t gone = check_number(c, "bills", gone_bills);

    compare_bills(c);
    count_lost(c);
    count_imports(c);
    if (gone > 0)
        trouble(c, "gone", TROUBLE_LEFTOVER,
                "%lld bill%s replaced or removed, but not yet swept away\n"
                "stint ledger doctor --mend",
                (long long)gone, gone == 1 ? " was" : "s were");
    if (check_number(c, "the rules", regrouping) > 0)
        trouble(c, "rules", TROUBLE_MENDABLE,
                "a change of the rules of allocation was broken off: some bills are summed up "
                "by the old ones\nstint ledger doctor --mend");
    if (check_number(c, "keys", next_keys) > 0)
        trouble(c, "keys", TROUBLE_MENDABLE,
                "keys of things would be given out twice\nstint ledger doctor --mend");
}

/* ---- mending ---- */

static const char drop_lines[] =
    "DELETE FROM bill_lines WHERE bill NOT IN (SELECT bill FROM bills)";
static const char drop_days[] =
    "DELETE FROM bill_days WHERE bill NOT IN (SELECT bill FROM bills)";
static const char mark_sql[] = "UPDATE bill_state SET regrouping = 1";
static const char keys_sql[] =
    "UPDATE bill_state SET"
    " next_thing = (SELECT coalesce(max(thing), 0) + 1 FROM bill_things),"
    " next_grp = (SELECT coalesce(max(grp), 0) + 1 FROM bill_groups) WHERE"
    " next_thing <= coalesce((SELECT max(thing) FROM bill_things), 0) OR"
    " next_grp <= coalesce((SELECT max(grp) FROM bill_groups), 0)";

static bool say(struct ledger *l, const char *sql, struct error *err)
{
    struct query *q = ledger_query(l, sql, err);

    return q != NULL && ledger_done(l, q, "write", err);
}

static bool ask(struct ledger *l, const char *sql, int64_t *out, struct error *err)
{
    struct query *q = ledger_query(l, sql, err);
    int got = q != NULL ? ledger_row(l, q, "read", err) : -1;

    *out = got > 0 ? column_int(q, 0) : 0;
    query_reset(q);
    return got >= 0;
}

static bool mend(struct ledger *l, struct ledger_mended *out, struct error *err)
{
    int64_t dead = 0, lines, days;

    while ((dead = sweep_next_dead(l, dead, err)) > 0)
        out->imports++;
    if (dead < 0 || !sweep_dead(l, err) || !ask(l, gone_bills, &out->bills, err) ||
        !ask(l, lines_without_bill, &lines, err) || !ask(l, days_without_bill, &days, err))
        return false;
    out->rows = lines + days;
    return (lines == 0 || say(l, drop_lines, err)) && (days == 0 || say(l, drop_days, err)) &&
           say(l, keys_sql, err) && (!out->sums || say(l, mark_sql, err));
}

/* Sums of lines that were lost are not to be made again: they may be all that is right. But
 * when the rules were changed half-way, nothing can be imported until they are. */
static bool sums_wanted(const struct ledger_health *health)
{
    bool wanted = false, lost = false;

    for (size_t i = 0; i < health->trouble_count; i++) {
        const struct ledger_trouble *t = &health->troubles[i];

        if (str_eq(str_from(t->kind), STR("rules")))
            return true;
        wanted |= t->wrong && t->mendable;
        lost |= str_eq(str_from(t->kind), STR("total"));
    }
    return wanted && !lost;
}

bool ledger_mend(struct ledger *l, const struct ledger_health *health,
                 struct ledger_mended *out, struct error *err)
{
    *out = (struct ledger_mended){.sums = sums_wanted(health)};
    return ledger_start_alone(l, err) && ledger_finish(l, mend(l, out, err), err) &&
           sweep_gone(l, err);
}
