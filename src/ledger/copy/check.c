#include "ledger/copy/check.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include "base/num.h"
#include "ledger/bills_internal.h"
#include "ledger/budgets.h"
#include "ledger/copy/copy.h"
#include "unit/time.h"

#define FINDINGS 64

struct check {
    struct ledger *l;
    struct arena *arena;
    struct ledger_health *out;
    struct ledger_problem *found;
    size_t count;
    bool damaged; /* the file is: then other failures are expected */
    bool failed;  /* because memory ran out */
};

static const struct field table_fields[] = {
    FIELD(TEXT, ledger_table_state, table, .help = "name of the table"),
    FIELD(COUNT, ledger_table_state, rows, .help = "readable rows; null when none can be read"),
    FIELD(FLAG, ledger_table_state, damaged, .help = "part of the table cannot be read"),
};

static const struct field finding_fields[] = {
    FIELD(TEXT, ledger_problem, kind,
          .help =
              "damage, orphans, unread, total, sums, things, groups, rules, keys, import, "
              "gone, strays, runs, lost, messages, given-up, channel, indexes, rights, log, "
              "space or unused"),
    FIELD(FLAG, ledger_problem, wrong, .help = "problem; false: for information only"),
    FIELD(TEXT, ledger_problem, text, .help = "description of the problem"),
    FIELD(TEXT, ledger_problem, run, .help = "command to type"),
};

const struct field_set ledger_table_state_fields =
    FIELD_SET(struct ledger_table_state, table_fields);
const struct field_set ledger_problem_fields = FIELD_SET(struct ledger_problem, finding_fields);

/* A finding. `fmt` makes both texts, with a '\n' between what it is and what to type. */
enum finding_how { FINDING_NOTE, FINDING_WRONG, FINDING_REPAIRABLE, FINDING_LEFTOVER };
static void add_check_finding(struct check *c, const char *kind, enum finding_how how,
                              const char *fmt, ...) PRINTF_LIKE(4, 5);

static void add_check_finding(struct check *c, const char *kind, enum finding_how how,
                              const char *fmt, ...)
{
    struct ledger_problem *t = &c->found[c->count];
    struct error ignored;
    char text[900];
    struct str rest;
    va_list args;

    if (c->count == FINDINGS)
        return;
    va_start(args, fmt);
    (void)vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    rest = str_from(str_dup(str_from(text), c->arena, &ignored));
    if (rest.at == NULL) {
        c->failed = true;
        return;
    }
    *t = (struct ledger_problem){.kind = str_from(kind),
                                 .wrong = how == FINDING_WRONG || how == FINDING_REPAIRABLE,
                                 .repairable =
                                     how == FINDING_REPAIRABLE || how == FINDING_LEFTOVER};
    t->text = str_cut(&rest, '\n');
    t->run = rest;
    c->count++;
}

/* A check could not run. */
static void finding_unread(struct check *c, const char *what, const struct error *why)
{
    if (why->kind == ERROR_MEMORY)
        c->failed = true;
    else if (!c->damaged) /* which is a finding already */
        add_check_finding(c, "unread", FINDING_WRONG, "%s cannot be checked: %s\n%s", what,
                          why->text, why->hint[0] != '\0' ? why->hint : "stint ledger doctor");
}

/* The number that `sql` (a literal) selects; -1 when it is NULL, or cannot be read, which is a
 * finding. */
static int64_t read_check_number(struct check *c, const char *what, const char *sql)
{
    struct error why = {0};
    struct query *q = ledger_query(c->l, sql, NO_VALUES, &why);
    int got = ledger_row(c->l, q, "read", &why);
    int64_t number = got > 0 && !column_null(q, 0) ? column_int(q, 0) : -1;

    if (got > 0)
        query_reset(q);
    if (got < 0)
        finding_unread(c, what, &why);
    return number;
}

/* Likewise a text; empty when it cannot be read. */
static struct str read_check_text(struct check *c, const char *what, const char *sql)
{
    struct error why = {0};
    struct query *q = ledger_query(c->l, sql, NO_VALUES, &why);
    int got = ledger_row(c->l, q, "read", &why);
    struct str text = {0};

    if (got > 0 && !column_text(q, 0, c->arena, &text, &why))
        got = -1;
    if (got > 0)
        query_reset(q);
    if (got < 0)
        finding_unread(c, what, &why);
    return text;
}

/* ---- the engine: the file and its pages, or the server and our rights ---- */

#define LITTLE (UINT64_C(32) << 20)   /* bytes left on a disk */
#define LONG_LOG (UINT64_C(64) << 20) /* a log usually grows to 4 MB */
#define FAULTS 100                    /* looked for */

/* Each row is a fault; the first is kept. "ok" is none. */
static int64_t count_faults(struct check *c, const char *sql, char *first, size_t room)
{
    struct error why = {0};
    struct query *q = ledger_query(c->l, sql, NO_VALUES, &why);
    int got;
    int64_t faults = 0;

    first[0] = '\0';
    while ((got = ledger_row(c->l, q, "read", &why)) > 0) {
        struct str text = column_view(q, 0);

        if (str_eq(text, STR("ok")))
            continue;
        if (faults++ == 0)
            (void)snprintf(first, room, "%.*s", STR_ARG(text));
    }
    if (got < 0) {
        if (why.kind == ERROR_MEMORY)
            c->failed = true;
        if (faults++ == 0)
            (void)snprintf(first, room, "%.200s", why.text);
    }
    for (char *at = first; *at != '\0'; at++) /* it becomes part of one line */
        if ((unsigned char)*at < 0x20)
            *at = ' ';
    return faults;
}

static void check_pages(struct check *c)
{
    char first[240];
    int64_t faults = count_faults(c, "PRAGMA integrity_check(100)", first, sizeof first);
    const char *name = c->l->name;

    if (faults > 0) {
        c->damaged = true;
        add_check_finding(c, "damage", FINDING_WRONG,
                          "the file is damaged: %s%lld fault%s, such as '%s'\n"
                          "stint ledger copy --damaged '%.200s' NEW saves the readable part; "
                          "then replace it with NEW",
                          faults >= FAULTS ? "at least " : "", (long long)faults,
                          faults == 1 ? "" : "s", first, name);
        return;
    }
    faults = count_faults(c, "PRAGMA foreign_key_check", first, sizeof first);
    if (faults > 0)
        add_check_finding(c, "orphans", FINDING_WRONG,
                          "%lld row%s without the row that %s to, such as one of '%s'\n"
                          "stint ledger copy --damaged '%.200s' NEW leaves them out",
                          (long long)faults, faults == 1 ? " is" : "s are",
                          faults == 1 ? "it belongs" : "they belong", first, name);
}

static void check_place(struct check *c)
{
    const char *name = c->l->name;
    struct ledger_health *out = c->out;
    struct statvfs fs;
    struct stat st;
    char log[4200];

    if (stat(name, &st) == 0) {
        out->size.n = (uint64_t)st.st_size;
        if ((st.st_mode & 077) != 0)
            add_check_finding(
                c, "rights", FINDING_NOTE,
                "other users can read or write the file (mode %03o)\nchmod 600 '%.200s'",
                (unsigned)st.st_mode & 0777, name);
    }
    (void)snprintf(log, sizeof log, "%s-wal", name);
    out->log.n = stat(log, &st) == 0 ? (uint64_t)st.st_size : 0;
    if (out->log.n > LONG_LOG)
        add_check_finding(
            c, "log", FINDING_NOTE,
            "%lld MB are still in the log '%.200s': a program keeps the ledger open for "
            "reading\nfuser -v '%.200s'",
            (long long)(out->log.n >> 20), log, name);
    if (statvfs(name, &fs) == 0) {
        out->space.n = fs.f_bavail * fs.f_frsize;
        if (out->space.n < LITTLE)
            add_check_finding(c, "space", FINDING_NOTE,
                              "only %lld MB are left on the disk of the ledger\n"
                              "df -h '%.200s'",
                              (long long)(out->space.n >> 20), name);
    }
}

static void check_file(struct check *c)
{
    struct ledger_health *out = c->out;
    int64_t page, unused;

    out->engine = STR("sqlite");
    out->release = read_check_text(c, "SQLite", "SELECT sqlite_version()");
    check_place(c);
    check_pages(c);
    out->journal = read_check_text(c, "the journal", "PRAGMA journal_mode");
    page = read_check_number(c, "the size of pages", "PRAGMA page_size");
    unused = read_check_number(c, "unused pages", "PRAGMA freelist_count");
    if (page <= 0 || unused < 0)
        return;
    out->unused.n = (uint64_t)(page * unused);
    if (out->unused.n > LONG_LOG && out->unused.n > out->size.n / 2)
        add_check_finding(c, "unused", FINDING_NOTE,
                          "%lld MB of the file are empty; they will be reused\n"
                          "stint ledger copy '%.200s' NEW makes a smaller one",
                          (long long)(out->unused.n >> 20), c->l->name);
}

static void check_server(struct check *c)
{
    struct ledger_health *out = c->out;
    int64_t invalid, size;

    out->engine = STR("postgresql");
    out->release = read_check_text(c, "the server", "SELECT current_setting('server_version')");
    size = read_check_number(c, "the size",
                             "SELECT sum(pg_total_relation_size(c.oid))::BIGINT FROM pg_class c"
                             " JOIN pg_namespace n ON n.oid = c.relnamespace"
                             " WHERE n.nspname = 'stint' AND c.relkind = 'r'");
    out->size = BYTES_UNKNOWN;
    if (size >= 0)
        out->size.n = (uint64_t)size;
    out->rights = read_check_text(
        c, "the rights",
        "SELECT 'reads' || CASE WHEN has_table_privilege('stint.runs', 'INSERT') AND"
        "  has_table_privilege('stint.bill_blocks', 'INSERT') THEN ', writes' ELSE '' END ||"
        " CASE WHEN pg_has_role(nspowner, 'MEMBER') THEN ', changes tables' ELSE '' END"
        " FROM pg_namespace WHERE nspname = 'stint'");
    invalid = read_check_number(
        c, "the indexes",
        "SELECT count(*) FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid"
        " JOIN pg_namespace n ON n.oid = c.relnamespace"
        " WHERE n.nspname = 'stint' AND NOT i.indisvalid");
    if (invalid > 0)
        add_check_finding(
            c, "indexes", FINDING_WRONG,
            "%lld index%s not valid\npsql -c 'REINDEX SCHEMA stint', as an administrator",
            (long long)invalid, invalid == 1 ? " is" : "es are");
}

/* ---- bills: do totals, lines and daily sums agree; what dead imports left ---- */

#define NAMED 8 /* bills with the same problem that are listed one by one */

/* The content of blocks is checked block by block. */
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
static const char gone_bills[] = "SELECT count(*) FROM bills WHERE state = 'gone'";
static const char regrouping[] = "SELECT regrouping FROM bill_state";
static const char next_keys[] = "SELECT count(*) FROM bill_state WHERE"
                                " next_grp <= coalesce((SELECT max(grp) FROM bill_groups), 0)";
static const char all_groups[] = "SELECT grp FROM bill_groups ORDER BY grp";

/* Counts and amounts of two of the three, from these columns on. */
static bool same_amount(struct query *q, int a, int b, int amounts, struct error *err)
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

static void report_total(struct check *c, struct query *q)
{
    char when[32] = "?";
    struct buf date = buf_new(c->l->alloc, 64);

    day_write(day_of((stamp){column_int(q, PERIOD)}), &date);
    (void)snprintf(when, sizeof when, "%.*s", STR_ARG(buf_text(&date)));
    buf_free(&date);
    add_check_finding(
        c, "total", FINDING_WRONG,
        "bill %lld (%.*s, %.*s, from %s) was imported with %lld line%s; %lld are left, or its "
        "amounts differ\nstint import FILE again, which replaces it ('stint bills' lists its "
        "files)",
        (long long)column_int(q, BILL), STR_ARG(column_view(q, PROVIDER)),
        STR_ARG(column_view(q, ACCOUNT)), when, (long long)column_int(q, TOTAL),
        num_plural(column_int(q, TOTAL)), (long long)column_int(q, LINES));
}

static void compare_bills(struct check *c)
{
    struct error why = {0};
    struct query *q = ledger_query(c->l, compare_sql, NO_VALUES, &why);
    int64_t totals = 0, sums = 0;
    int got;

    while ((got = ledger_row(c->l, q, "read", &why)) > 0) {
        if (same_amount(q, TOTAL, LINES, 2, &why))
            sums += !same_amount(q, LINES, DAYS, BILL_AMOUNTS, &why);
        else if (totals++ <
                 NAMED) /* its sums are left alone: they may be all that is correct */
            report_total(c, q);
    }
    if (got < 0)
        finding_unread(c, "the sums of bills", &why);
    if (totals > NAMED)
        add_check_finding(c, "total", FINDING_WRONG,
                          "the same of %lld more bills\nstint import their files again",
                          (long long)(totals - NAMED));
    if (sums > 0)
        add_check_finding(
            c, "sums", FINDING_REPAIRABLE,
            "the daily sums of %lld bill%s differ from the lines: 'stint costs' is "
            "wrong\nstint ledger doctor --repair",
            (long long)sums, num_plural(sums));
}

static void count_imports(struct check *c)
{
    struct error why = {0};
    int64_t dead = 0, count = 0;

    while ((dead = sweep_next_dead(c->l, dead, &why)) > 0)
        count++;
    if (dead < 0)
        finding_unread(c, "imports", &why);
    if (count > 0)
        add_check_finding(
            c, "import", FINDING_LEFTOVER,
            "%lld import%s interrupted; nothing of %s is shown, and the next import "
            "removes it\n"
            "stint ledger doctor --repair",
            (long long)count, count == 1 ? " was" : "s were", count == 1 ? "it" : "them");
}

/* What the blocks and the daily sums of all bills come to. */
struct block_check {
    struct check *c;
    struct block_reader blocks;
    struct page_reader pages;
    int64_t *groups; /* that there are, in order */
    size_t group_count, group_room;
    int64_t damaged;   /* bills of which a block cannot be read, or differs from its table */
    int64_t ungrouped; /* things */
    int64_t unsummed; /* bills of which daily sums cannot be read, or differ from their table */
    int64_t ungrouped_sums;
};

static bool read_groups(struct block_check *k, struct error *err)
{
    struct query *q = ledger_query(k->c->l, all_groups, NO_VALUES, err);
    int got;

    while ((got = ledger_row(k->c->l, q, "read", err)) > 0) {
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
        next = k->blocks.line + (int64_t)k->blocks.block.count;
    }
    if (got < 0 && err->kind == ERROR_DAMAGED) {
        k->damaged++;
        return true;
    }
    return got == 0;
}

/* Are the sums of a page what the table says of it? */
static bool page_agrees(const struct page_reader *r)
{
    struct amounts sums = {0};
    struct error ignored;
    int64_t lines = 0;

    for (size_t n = 0; n < r->count; n++) {
        lines += r->sums[n].lines;
        if (!amounts_add(&sums, &r->sums[n].sum, &ignored))
            return false;
    }
    for (int n = 0; n < BILL_AMOUNTS; n++)
        if (decimal_cmp(amounts_get(&sums, n), amounts_get(&r->stated, n)) != 0)
            return false;
    return lines == r->lines;
}

/* False with the error set when it is not for damage that they cannot be read. */
static bool check_pages_of(struct block_check *k, const struct ledger_bill *bill,
                           struct error *err)
{
    bool agrees = true;
    int got;

    if (!pages_ask(&k->pages, bill->key, INT64_MIN, INT64_MAX, err))
        return false;
    while ((got = pages_next(&k->pages, err)) > 0) {
        agrees = agrees && page_agrees(&k->pages);
        for (size_t n = 0; n < k->pages.count; n++)
            k->ungrouped_sums += !has_group(k, k->pages.sums[n].group);
    }
    k->unsummed += !agrees || (got < 0 && err->kind == ERROR_DAMAGED);
    return got == 0 || err->kind == ERROR_DAMAGED;
}

static void check_blocks(struct block_check *k)
{
    const struct ledger_bill *bills = NULL;
    struct error why = {0};
    size_t count = 0;
    bool ok = read_groups(k, &why) && bills_read(k->c->l, k->c->arena, &bills, &count, &why);

    for (size_t n = 0; ok && n < count; n++)
        ok = check_blocks_of(k, &bills[n], &why) && check_pages_of(k, &bills[n], &why);
    if (!ok)
        finding_unread(k->c, "lines", &why);
}

static void count_lost(struct check *c)
{
    int64_t lines = read_check_number(c, "lines", lines_without_bill);
    int64_t days = read_check_number(c, "daily sums", days_without_bill);
    struct block_check k = {
        .c = c, .blocks = block_reader_make(c->l), .pages = page_reader_make(c->l)};

    check_blocks(&k);
    block_reader_free(&k.blocks);
    page_reader_free(&k.pages);
    if (lines > 0 || days > 0)
        add_check_finding(
            c, "strays", FINDING_LEFTOVER,
            "%lld line%s and %lld daily sum%s belong to no bill and are not shown\n"
            "stint ledger doctor --repair",
            (long long)lines, num_plural(lines), (long long)days, num_plural(days));
    if (k.damaged > 0)
        add_check_finding(
            c, "lines", FINDING_WRONG,
            "lines of %lld bill%s cannot be read, or differ from those that were imported\n"
            "stint import FILE again ('stint bills' lists the files)",
            (long long)k.damaged, num_plural(k.damaged));
    if (k.unsummed > 0)
        add_check_finding(
            c, "daily sums", FINDING_REPAIRABLE,
            "daily sums of %lld bill%s cannot be read, or differ from their totals: 'stint "
            "costs' is wrong\nstint ledger doctor --repair",
            (long long)k.unsummed, num_plural(k.unsummed));
    if (k.ungrouped > 0 || k.ungrouped_sums > 0)
        add_check_finding(
            c, "groups", FINDING_REPAIRABLE,
            "%lld thing%s and %lld daily sum%s are in no group: 'stint costs' omits "
            "them\nstint ledger doctor --repair",
            (long long)k.ungrouped, num_plural(k.ungrouped), (long long)k.ungrouped_sums,
            num_plural(k.ungrouped_sums));
}

static void check_bills(struct check *c)
{
    int64_t gone = read_check_number(c, "bills", gone_bills);

    compare_bills(c);
    count_lost(c);
    count_imports(c);
    if (gone > 0)
        add_check_finding(c, "gone", FINDING_LEFTOVER,
                          "%lld bill%s replaced or removed, but still take space\n"
                          "stint ledger doctor --repair",
                          (long long)gone, gone == 1 ? " was" : "s were");
    if (read_check_number(c, "the rules", regrouping) > 0)
        add_check_finding(
            c, "rules", FINDING_REPAIRABLE,
            "a change of the allocation rules was interrupted: some bills are summed by the "
            "old ones\nstint ledger doctor --repair");
    if (read_check_number(c, "keys", next_keys) > 0)
        add_check_finding(c, "keys", FINDING_REPAIRABLE,
                          "keys of groups would be used twice\nstint ledger doctor --repair");
}

/* ---- repairing bills ---- */

static const char drop_lines[] =
    "DELETE FROM bill_blocks WHERE bill NOT IN (SELECT bill FROM bills)";
static const char drop_days[] =
    "DELETE FROM bill_days WHERE bill NOT IN (SELECT bill FROM bills)";
static const char mark_sql[] = "UPDATE bill_state SET regrouping = 1";
static const char keys_sql[] =
    "UPDATE bill_state SET"
    " next_grp = (SELECT coalesce(max(grp), 0) + 1 FROM bill_groups) WHERE"
    " next_grp <= coalesce((SELECT max(grp) FROM bill_groups), 0)";

static bool repair_bills(struct ledger *l, struct ledger_repaired *out, struct error *err)
{
    int64_t dead = 0, lines, days;

    while ((dead = sweep_next_dead(l, dead, err)) > 0)
        out->imports++;
    if (dead < 0 || !sweep_dead(l, err) ||
        !ledger_number(l, gone_bills, NO_VALUES, &out->bills, err) ||
        !ledger_number(l, lines_without_bill, NO_VALUES, &lines, err) ||
        !ledger_number(l, days_without_bill, NO_VALUES, &days, err))
        return false;
    out->rows = lines + days;
    return (lines == 0 || ledger_run(l, drop_lines, NO_VALUES, err)) &&
           (days == 0 || ledger_run(l, drop_days, NO_VALUES, err)) &&
           ledger_run(l, keys_sql, NO_VALUES, err) &&
           (!out->sums || ledger_run(l, mark_sql, NO_VALUES, err));
}

/* Sums of lines that were lost are not computed again: they may be all that is correct. But
 * after an interrupted change of the rules nothing can be imported until they are. */
static bool sums_wanted(const struct ledger_health *health)
{
    bool wanted = false, lost = false;
    const struct ledger_problem *found = health->findings.at;

    for (size_t i = 0; i < health->findings.len; i++) {
        const struct ledger_problem *t = &found[i];

        if (str_eq(t->kind, STR("rules")))
            return true;
        wanted |= t->wrong && t->repairable;
        lost |= str_eq(t->kind, STR("total"));
    }
    return wanted && !lost;
}

bool ledger_repair(struct ledger *l, const struct ledger_health *health,
                   struct ledger_repaired *out, struct error *err)
{
    *out = (struct ledger_repaired){.sums = sums_wanted(health)};
    return ledger_start_alone(l, err) && ledger_finish(l, repair_bills(l, out, err), err) &&
           sweep_gone(l, err);
}

/* ---- runs, budgets, channels and messages ---- */

#define STUCK 3600       /* s since a sender took a message and did not finish */
#define LATE (24 * 3600) /* s since a message was to be sent */

static const char runs_without_attempt[] = "SELECT count(*) FROM runs r WHERE NOT EXISTS"
                                           " (SELECT 1 FROM attempts a WHERE a.run = r.run)";
static const char one_without_attempt[] = "SELECT min(id) FROM runs r WHERE NOT EXISTS"
                                          " (SELECT 1 FROM attempts a WHERE a.run = r.run)";
static const char open_attempts[] =
    "SELECT at, host, boot, pid, pid_started, pid_namespace FROM attempts WHERE ended IS NULL";
static const char stuck_sql[] =
    "SELECT count(*) FROM deliveries WHERE (state = 'sending' AND coalesce(tried, made) < ?1)"
    " OR (state = 'waiting' AND not_before < ?2)";
static const char given_up[] = "SELECT count(*) FROM deliveries WHERE state = 'given up'";

static void count_dead(struct check *c)
{
    struct error why = {0};
    struct query *q = ledger_query(c->l, open_attempts, NO_VALUES, &why);
    stamp now = c->l->clock->today(c->l->clock->ctx);
    int got;
    int64_t dead = 0;

    while ((got = ledger_row(c->l, q, "read", &why)) > 0) {
        struct ledger_supervisor who = column_supervisor(q, 0);

        dead += !ledger_alive(&who, now);
    }
    if (got < 0)
        finding_unread(c, "attempts", &why);
    if (dead > 0)
        add_check_finding(
            c, "lost", FINDING_NOTE,
            "%lld attempt%s ended without a record of the end; what was recorded is kept\n"
            "stint runs --state lost",
            (long long)dead, dead == 1 ? "" : "s");
}

static void count_messages(struct check *c)
{
    struct error why = {0};
    int64_t now = c->l->clock->today(c->l->clock->ctx).s, stuck, given;

    if (!ledger_number(c->l, stuck_sql, VALUES(as_int(now - STUCK), as_int(now - LATE)), &stuck,
                       &why))
        finding_unread(c, "messages", &why);
    if (stuck > 0)
        add_check_finding(
            c, "messages", FINDING_WRONG,
            "%lld alert%s overdue: nothing sends them\n"
            "stint alert send, now and from a timer ('stint alert log' shows them)",
            (long long)stuck, stuck == 1 ? " is" : "s are");
    given = read_check_number(c, "messages", given_up);
    if (given > 0)
        add_check_finding(c, "given-up", FINDING_NOTE,
                          "%lld alert%s could not be sent and will not be retried\n"
                          "stint alert send --given-up",
                          (long long)given, given == 1 ? "" : "s");
}

static bool is_known_channel(const struct ledger_channel *channels, size_t count,
                             struct str name)
{
    for (size_t i = 0; i < count; i++)
        if (str_eq(channels[i].name, name))
            return true;
    return false;
}

static void check_budget(struct check *c, const struct ledger_budget *budget,
                         const struct ledger_channel *channels, size_t count)
{
    for (size_t n = 0; n < budget->channels.len; n++) {
        struct str name = budget->channels.at[n];

        if (!is_known_channel(channels, count, name))
            add_check_finding(
                c, "channel", FINDING_WRONG,
                "the budget '%.*s' alerts the channel '%.*s', which does not exist\n"
                "stint alert add %.*s KIND",
                STR_ARG(budget->name), STR_ARG(name), STR_ARG(name));
    }
}

/* outside a transaction */
static void check_ledger_budgets(struct check *c)
{
    const struct ledger_budget *budgets = NULL;
    const struct ledger_channel *channels = NULL;
    size_t budget_count = 0, channel_count = 0;
    struct error why = {0};

    if (!ledger_budgets(c->l, c->arena, &budgets, &budget_count, &why) ||
        !ledger_channels(c->l, c->arena, &channels, &channel_count, &why)) {
        finding_unread(c, "budgets", &why);
        return;
    }
    for (size_t i = 0; i < budget_count; i++)
        check_budget(c, &budgets[i], channels, channel_count);
}

static void check_records(struct check *c)
{
    int64_t bare = read_check_number(c, "runs", runs_without_attempt);

    if (bare > 0) {
        struct str one = read_check_text(c, "runs", one_without_attempt);

        add_check_finding(c, "runs", FINDING_WRONG,
                          "%lld run%s no attempt, such as %.*s: %s cost is lost\n"
                          "stint ledger copy BACKUP NEW, if there is a backup",
                          (long long)bare, bare == 1 ? " has" : "s have", STR_ARG(one),
                          bare == 1 ? "its" : "their");
    }
    count_dead(c);
    count_messages(c);
}

/* ---- tables ---- */

/* Of a damaged file: how many rows can be read, one after the other. */
static void count_readable(struct check *c, const struct ledger_table *t,
                           struct ledger_table_state *out)
{
    const struct engine *engine = c->l->db->engine;
    struct error why = {0};
    const char *sql = table_select(t, false, c->arena, &why);
    struct query *q = sql != NULL ? engine->prepare(c->l->db, sql, &why) : NULL;
    int got;

    out->rows = q != NULL ? 0 : -1;
    while ((got = ledger_row(c->l, q, "read", &why)) > 0)
        out->rows++;
    if (q != NULL)
        engine->free(q);
    out->damaged = got < 0;
    if (why.kind == ERROR_MEMORY)
        c->failed = true;
}

/* Reading no row of it still needs every column to be there. */
static bool has_columns(struct check *c, const struct ledger_table *t)
{
    const struct engine *engine = c->l->db->engine;
    struct error why = {0};
    const char *sql = table_select(t, false, c->arena, &why);
    struct query *q = sql != NULL ? engine->prepare(c->l->db, sql, &why) : NULL;
    bool ok = q != NULL && ledger_row(c->l, q, "read", &why) >= 0;

    if (q != NULL)
        engine->free(q);
    if (!ok)
        finding_unread(c, t->name, &why);
    return ok;
}

static void count_table_rows(struct check *c, const struct ledger_table *t,
                             struct ledger_table_state *out)
{
    struct error why = {0};

    if (table_rows(c->l, t, c->arena, &out->rows, &why))
        return;
    out->rows = -1;
    finding_unread(c, t->name, &why);
}

static void check_tables(struct check *c)
{
    const struct ledger_table *tables = NULL;
    struct ledger_table_state *states;
    struct error why = {0};
    size_t count = 0;

    if (!ledger_tables(c->l->schema, c->arena, &tables, &count, &why) ||
        (states = arena_array(c->arena, struct ledger_table_state, count, &why)) == NULL) {
        finding_unread(c, "the tables", &why);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        states[i].table = str_from(tables[i].name);
        if (c->damaged)
            count_readable(c, &tables[i], &states[i]);
        else if (has_columns(c, &tables[i]))
            count_table_rows(c, &tables[i], &states[i]);
        else
            states[i].rows = -1;
    }
    c->out->tables = (struct rows){states, count};
}

/* ---- all of it ---- */

/* A part reads everything at one moment: what others write meanwhile is no problem. */
static void at_one_moment(struct check *c, const char *what, void (*part)(struct check *))
{
    struct error why = {0};
    int tables = ledger_start_read(c->l, &why);

    if (tables < 0)
        finding_unread(c, what, &why);
    if (tables <= 0)
        return;
    part(c);
    (void)!ledger_finish(c->l, true, &why);
}

/* Those that are wrong first; otherwise as they were found. */
static void sort_findings(struct check *c, struct ledger_problem *to)
{
    size_t n = 0;

    for (int wrong = 1; wrong >= 0; wrong--)
        for (size_t i = 0; i < c->count; i++)
            if (c->found[i].wrong == (wrong == 1))
                to[n++] = c->found[i];
}

bool ledger_check(struct ledger *l, struct arena *arena, struct ledger_health *out,
                  struct error *err)
{
    struct ledger_problem *sorted = arena_array(arena, struct ledger_problem, FINDINGS, err);
    struct check c = {.l = l, .arena = arena, .out = out};

    *out = (struct ledger_health){.size = BYTES_UNKNOWN,
                                  .log = BYTES_UNKNOWN,
                                  .unused = BYTES_UNKNOWN,
                                  .space = BYTES_UNKNOWN};
    c.found = arena_array(arena, struct ledger_problem, FINDINGS, err);
    if (sorted == NULL || c.found == NULL || !ledger_version(l, &out->version, err))
        return false;
    if (l->db->engine == &engine_sqlite)
        check_file(&c);
    else
        check_server(&c);
    at_one_moment(&c, "the tables", check_tables);
    if (!c.damaged) {
        at_one_moment(&c, "the bills", check_bills);
        at_one_moment(&c, "the records", check_records);
        check_ledger_budgets(&c);
    }
    sort_findings(&c, sorted);
    out->findings = (struct rows){sorted, c.count};
    out->well = c.count == 0 || !sorted[0].wrong;
    return !c.failed || error_memory(err);
}
