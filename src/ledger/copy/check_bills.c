/* Bills: do their totals, their lines and their daily sums agree? And what dead imports
 * left. */
#include <stdio.h>

#include "ledger/copy/check_internal.h"
#include "unit/time.h"

#define NAMED 8 /* bills with trouble of one kind that are told one by one */

/* That the blocks themselves are what is said of them is checked block by block. */
static const char compare_sql[] =
    "SELECT b.bill, b.provider, b.account, b.period_start, b.lines, b.billed, b.effective,"
    " l.n, l.billed, l.effective, l.list, l.contracted,"
    " d.n, d.billed, d.effective, d.list, d.contracted"
    " FROM bills b LEFT JOIN (SELECT bill, sum(lines) AS n, SUM_AMOUNT(billed) AS billed,"
    "  SUM_AMOUNT(effective) AS effective, SUM_AMOUNT(list) AS list,"
    "  SUM_AMOUNT(contracted) AS contracted FROM bill_blocks GROUP BY bill) l"
    " ON l.bill = b.bill LEFT JOIN (SELECT bill, sum(lines) AS n,"
    "  SUM_AMOUNT(billed) AS billed, SUM_AMOUNT(effective) AS effective,"
    "  SUM_AMOUNT(list) AS list, SUM_AMOUNT(contracted) AS contracted"
    "  FROM bill_days GROUP BY bill) d ON d.bill = b.bill"
    " WHERE b.state = 'current' ORDER BY b.bill";
enum { BILL = 0, PROVIDER, ACCOUNT, PERIOD, TOTAL, LINES = 7, DAYS = 12 };

static const char lines_without_bill[] =
    "SELECT coalesce(sum(k.lines), 0) FROM bill_blocks k WHERE NOT EXISTS"
    " (SELECT 1 FROM bills b WHERE b.bill = k.bill)";
static const char days_without_bill[] = "SELECT count(*) FROM bill_days d WHERE NOT EXISTS"
                                        " (SELECT 1 FROM bills b WHERE b.bill = d.bill)";
static const char days_without_group[] = "SELECT count(*) FROM bill_days d WHERE NOT EXISTS"
                                         " (SELECT 1 FROM bill_groups g WHERE g.grp = d.grp)";
static const char gone_bills[] = "SELECT count(*) FROM bills WHERE state = 'gone'";
static const char regrouping[] = "SELECT regrouping FROM bill_state";
static const char next_keys[] = "SELECT count(*) FROM bill_state WHERE"
                                " next_grp <= coalesce((SELECT max(grp) FROM bill_groups), 0)";
static const char all_groups[] = "SELECT grp FROM bill_groups ORDER BY grp";

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

/* What the blocks of all bills come to. */
struct block_check {
    struct check *c;
    struct block_reader blocks;
    int64_t *groups; /* that there are, in order */
    size_t group_count, group_room;
    int64_t damaged;   /* bills of which a block cannot be read, or is not what is said of it */
    int64_t ungrouped; /* things */
};

static bool read_groups(struct block_check *k, struct error *err)
{
    struct query *q = ledger_query(k->c->l, all_groups, err);
    int got = q != NULL ? 1 : -1;

    while (got > 0 && (got = ledger_row(k->c->l, q, "read", err)) > 0) {
        k->groups = arena_grow(k->c->arena, k->groups, k->group_count, sizeof *k->groups,
                               &k->group_room, err);
        if (k->groups == NULL) {
            query_reset(q);
            return false;
        }
        k->groups[k->group_count++] = column_int(q, 0);
    }
    return got == 0;
}

static bool has_group(const struct block_check *k, int64_t group)
{
    size_t low = 0, high = k->group_count;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (k->groups[middle] == group)
            return true;
        if (k->groups[middle] < group)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

/* Is it what the table says, and does it come after the one before? */
static bool block_agrees(const struct block_reader *r, int64_t after)
{
    struct amounts sums = {0};
    struct error ignored;

    if (r->line != after || r->stated != (int64_t)r->block.count)
        return false;
    for (size_t n = 0; n < r->block.count; n++)
        if (!amounts_add(&sums, &r->block.lines[n].amounts, &ignored))
            return false;
    for (int n = 0; n < BILL_AMOUNTS; n++)
        if (decimal_cmp(amounts_get(&sums, n), amounts_get(&r->sums, n)) != 0)
            return false;
    return true;
}

/* False with the error set when it is not for damage that it cannot be read. */
static bool check_blocks_of(struct block_check *k, const struct ledger_bill *bill,
                            struct error *err)
{
    int64_t next = 1;
    int got;

    while ((got = block_next(&k->blocks, bill->key, next - 1, INT64_MIN, INT64_MAX, err)) > 0) {
        if (!block_agrees(&k->blocks, next)) {
            k->damaged++;
            return true;
        }
        for (size_t n = 0; n < k->blocks.block.thing_count; n++)
            k->ungrouped += !has_group(k, k->blocks.group[n]);
        next = block_end(&k->blocks);
    }
    if (got < 0 && err->kind == ERROR_INPUT) {
        k->damaged++;
        return true;
    }
    return got == 0;
}

static void check_blocks(struct block_check *k)
{
    struct ledger_bill *bills = NULL;
    struct error why = {0};
    size_t count = 0;
    bool ok = read_groups(k, &why) && bills_read(k->c->l, k->c->arena, &bills, &count, &why);

    for (size_t n = 0; ok && n < count; n++)
        ok = check_blocks_of(k, &bills[n], &why);
    if (!ok)
        trouble_unread(k->c, "lines", &why);
}

static void count_lost(struct check *c)
{
    int64_t lines = check_number(c, "lines", lines_without_bill);
    int64_t days = check_number(c, "daily sums", days_without_bill);
    int64_t sums = check_number(c, "daily sums", days_without_group);
    struct block_check k = {.c = c, .blocks = block_reader_make(c->l)};

    check_blocks(&k);
    block_reader_free(&k.blocks);
    if (lines > 0 || days > 0)
        trouble(c, "strays", TROUBLE_LEFTOVER,
                "%lld line%s and %lld daily sum%s belong to no bill: nobody sees them\n"
                "stint ledger doctor --mend",
                (long long)lines, plural(lines), (long long)days, plural(days));
    if (k.damaged > 0)
        trouble(c, "lines", TROUBLE_WRONG,
                "lines of %lld bill%s cannot be read, or are not those that were imported\n"
                "stint import FILE, again ('stint bills' has their names)",
                (long long)k.damaged, plural(k.damaged));
    if (k.ungrouped > 0 || sums > 0)
        trouble(c, "groups", TROUBLE_MENDABLE,
                "%lld thing%s and %lld daily sum%s are in no group: 'stint costs' leaves them "
                "out\nstint ledger doctor --mend",
                (long long)k.ungrouped, plural(k.ungrouped), (long long)sums, plural(sums));
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
                "keys of groups would be given out twice\nstint ledger doctor --mend");
}

/* ---- mending ---- */

static const char drop_lines[] =
    "DELETE FROM bill_blocks WHERE bill NOT IN (SELECT bill FROM bills)";
static const char drop_days[] =
    "DELETE FROM bill_days WHERE bill NOT IN (SELECT bill FROM bills)";
static const char mark_sql[] = "UPDATE bill_state SET regrouping = 1";
static const char keys_sql[] =
    "UPDATE bill_state SET"
    " next_grp = (SELECT coalesce(max(grp), 0) + 1 FROM bill_groups) WHERE"
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
