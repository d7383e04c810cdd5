/* What an engine says of itself: the file and its pages, or the server and our rights to it. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include "ledger/copy/check_internal.h"

#define LITTLE (INT64_C(32) << 20)   /* bytes left on a disk */
#define LONG_LOG (INT64_C(64) << 20) /* 4 MB is what a log grows to in peace */
#define FAULTS 100                   /* looked for */

/* ---- SQLite ---- */

/* Each row is one thing that is wrong; the first is kept. "ok" is none. */
static int64_t count_faults(struct check *c, const char *sql, char *first, size_t room)
{
    struct error why = {0};
    struct query *q = ledger_query(c->l, sql, &why);
    int got = q != NULL ? 1 : -1;
    int64_t faults = 0;

    first[0] = '\0';
    while (got > 0 && (got = ledger_row(c->l, q, "read", &why)) > 0) {
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
    for (char *at = first; *at != '\0'; at++) /* it is one line of ours */
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
        trouble(c, "damage", TROUBLE_WRONG,
                "the file is damaged: %s%lld fault%s, such as '%s'\n"
                "stint ledger copy --damaged '%.200s' NEW saves what can be read; then put NEW "
                "in its place",
                faults >= FAULTS ? "at least " : "", (long long)faults, faults == 1 ? "" : "s",
                first, name);
        return;
    }
    faults = count_faults(c, "PRAGMA foreign_key_check", first, sizeof first);
    if (faults > 0)
        trouble(c, "orphans", TROUBLE_WRONG,
                "%lld row%s without what %s to, such as one of '%s'\n"
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
        out->size = st.st_size;
        if ((st.st_mode & 077) != 0)
            trouble(c, "rights", TROUBLE_NOTE,
                    "other users may use the file (mode %03o)\nchmod 600 '%.200s'",
                    (unsigned)st.st_mode & 0777, name);
    }
    (void)snprintf(log, sizeof log, "%s-wal", name);
    out->log = stat(log, &st) == 0 ? st.st_size : 0;
    if (out->log > LONG_LOG)
        trouble(c, "log", TROUBLE_NOTE,
                "%lld MB of what was written lie in the log '%.200s' still: some program reads "
                "and does not end\nfuser -v '%.200s'",
                (long long)(out->log >> 20), log, name);
    if (statvfs(name, &fs) == 0) {
        out->space = (int64_t)(fs.f_bavail * fs.f_frsize);
        if (out->space < LITTLE)
            trouble(c, "space", TROUBLE_NOTE,
                    "only %lld MB are left on the disk that it is on\n"
                    "df -h '%.200s'",
                    (long long)(out->space >> 20), name);
    }
}

void check_file(struct check *c)
{
    struct ledger_health *out = c->out;
    int64_t page, unused;

    out->engine = "sqlite";
    out->release = check_text(c, "SQLite", "SELECT sqlite_version()");
    check_place(c);
    check_pages(c);
    out->journal = check_text(c, "the journal", "PRAGMA journal_mode");
    page = check_number(c, "the size of pages", "PRAGMA page_size");
    unused = check_number(c, "unused pages", "PRAGMA freelist_count");
    if (page > 0 && unused >= 0)
        out->unused = page * unused;
    if (out->unused > LONG_LOG && out->unused > out->size / 2)
        trouble(c, "unused", TROUBLE_NOTE,
                "%lld MB of the file hold nothing; they are used again\n"
                "stint ledger copy '%.200s' NEW makes a small one",
                (long long)(out->unused >> 20), c->l->name);
}

/* ---- PostgreSQL ---- */

void check_server(struct check *c)
{
    struct ledger_health *out = c->out;
    int64_t invalid;

    out->engine = "postgresql";
    out->release = check_text(c, "the server", "SELECT current_setting('server_version')");
    out->size = check_number(c, "the size",
                             "SELECT sum(pg_total_relation_size(c.oid))::BIGINT FROM pg_class c"
                             " JOIN pg_namespace n ON n.oid = c.relnamespace"
                             " WHERE n.nspname = 'stint' AND c.relkind = 'r'");
    out->rights = check_text(
        c, "the rights",
        "SELECT 'reads' || CASE WHEN has_table_privilege('stint.runs', 'INSERT') AND"
        "  has_table_privilege('stint.bill_blocks', 'INSERT') THEN ', writes' ELSE '' END ||"
        " CASE WHEN pg_has_role(nspowner, 'MEMBER') THEN ', changes tables' ELSE '' END"
        " FROM pg_namespace WHERE nspname = 'stint'");
    invalid =
        check_number(c, "the indexes",
                     "SELECT count(*) FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid"
                     " JOIN pg_namespace n ON n.oid = c.relnamespace"
                     " WHERE n.nspname = 'stint' AND NOT i.indisvalid");
    if (invalid > 0)
        trouble(c, "indexes", TROUBLE_WRONG,
                "%lld index%s not valid\npsql -c 'REINDEX SCHEMA stint', as an administrator",
                (long long)invalid, invalid == 1 ? " is" : "es are");
}
