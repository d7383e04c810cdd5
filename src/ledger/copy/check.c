#include "ledger/copy/check_internal.h"

#include <stdarg.h>
#include <stdio.h>

#include "ledger/copy/copy.h"

void trouble(struct check *c, const char *kind, enum trouble_how how, const char *fmt, ...)
{
    struct ledger_trouble *t = &c->troubles[c->count];
    struct error ignored;
    char text[900];
    struct str rest;
    va_list args;

    if (c->count == TROUBLES)
        return;
    va_start(args, fmt);
    (void)vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    rest = str_from(str_dup(str_from(text), c->arena, &ignored));
    if (rest.at == NULL) {
        c->failed = true;
        return;
    }
    *t =
        (struct ledger_trouble){.kind = kind,
                                .wrong = how == TROUBLE_WRONG || how == TROUBLE_MENDABLE,
                                .mendable = how == TROUBLE_MENDABLE || how == TROUBLE_LEFTOVER};
    t->text = str_cut(&rest, '\n');
    t->run = rest;
    c->count++;
}

void trouble_unread(struct check *c, const char *what, const struct error *why)
{
    if (why->kind == ERROR_MEMORY)
        c->failed = true;
    else if (!c->damaged) /* that says it all */
        trouble(c, "unread", TROUBLE_WRONG, "%s cannot be checked: %s\n%s", what, why->text,
                why->hint[0] != '\0' ? why->hint : "stint ledger doctor, once more");
}

int64_t check_number(struct check *c, const char *what, const char *sql)
{
    struct error why = {0};
    struct query *q = ledger_query(c->l, sql, &why);
    int got = q != NULL ? ledger_row(c->l, q, "read", &why) : -1;
    int64_t number = got > 0 && !column_null(q, 0) ? column_int(q, 0) : -1;

    if (got > 0)
        query_reset(q);
    if (got < 0)
        trouble_unread(c, what, &why);
    return number;
}

struct str check_text(struct check *c, const char *what, const char *sql)
{
    struct error why = {0};
    struct query *q = ledger_query(c->l, sql, &why);
    int got = q != NULL ? ledger_row(c->l, q, "read", &why) : -1;
    struct str text = {0};

    if (got > 0 && !column_text(q, 0, c->arena, &text, &why))
        got = -1;
    if (got > 0)
        query_reset(q);
    if (got < 0)
        trouble_unread(c, what, &why);
    return text;
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
    int got = q != NULL ? 1 : -1;

    out->rows = q != NULL ? 0 : -1;
    while (got > 0 && (got = ledger_row(c->l, q, "read", &why)) > 0)
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
        trouble_unread(c, t->name, &why);
    return ok;
}

static void count_rows(struct check *c, const struct ledger_table *t,
                       struct ledger_table_state *out)
{
    struct error why = {0};

    if (table_rows(c->l, t, c->arena, &out->rows, &why))
        return;
    out->rows = -1;
    trouble_unread(c, t->name, &why);
}

static void check_tables(struct check *c)
{
    const struct ledger_table *tables = NULL;
    struct ledger_table_state *states;
    struct error why = {0};
    size_t count = 0;

    if (!ledger_tables(c->arena, &tables, &count, &why) ||
        (states = arena_array(c->arena, struct ledger_table_state, count, &why)) == NULL) {
        trouble_unread(c, "the tables", &why);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        states[i].name = tables[i].name;
        if (c->damaged)
            count_readable(c, &tables[i], &states[i]);
        else if (has_columns(c, &tables[i]))
            count_rows(c, &tables[i], &states[i]);
        else
            states[i].rows = -1;
    }
    c->out->tables = states;
    c->out->table_count = count;
}

/* ---- all of it ---- */

/* All that one part asks is answered of one moment: what others write meanwhile is no
 * trouble. */
static void at_one_moment(struct check *c, const char *what, void (*part)(struct check *))
{
    struct error why = {0};
    int tables = ledger_start_read(c->l, &why);

    if (tables < 0)
        trouble_unread(c, what, &why);
    if (tables <= 0)
        return;
    part(c);
    (void)!ledger_finish(c->l, true, &why);
}

/* Those that are wrong first; otherwise as they were found. */
static void sort(struct check *c, struct ledger_trouble *to)
{
    size_t n = 0;

    for (int wrong = 1; wrong >= 0; wrong--)
        for (size_t i = 0; i < c->count; i++)
            if (c->troubles[i].wrong == (wrong == 1))
                to[n++] = c->troubles[i];
}

bool ledger_check(struct ledger *l, struct arena *arena, struct ledger_health *out,
                  struct error *err)
{
    struct ledger_trouble *sorted = arena_array(arena, struct ledger_trouble, TROUBLES, err);
    struct check c = {.l = l, .arena = arena, .out = out};

    *out = (struct ledger_health){.size = -1, .log = -1, .unused = -1, .space = -1};
    c.troubles = arena_array(arena, struct ledger_trouble, TROUBLES, err);
    if (sorted == NULL || c.troubles == NULL || !ledger_version(l, &out->version, err))
        return false;
    if (l->db->engine == &engine_sqlite)
        check_file(&c);
    else
        check_server(&c);
    at_one_moment(&c, "the tables", check_tables);
    if (!c.damaged) {
        at_one_moment(&c, "the bills", check_bills);
        at_one_moment(&c, "the records", check_records);
        check_budgets(&c);
    }
    sort(&c, sorted);
    out->troubles = sorted;
    out->trouble_count = c.count;
    return !c.failed || error_memory(err);
}
