/* The tables, read off the text that makes them: so that none can be forgotten. It is our own
 * text, in the few forms that it has; any other is an error that tests find. */
#include "ledger/copy/copy.h"

#include <string.h>

#include "base/characters.h"
#include "ledger/internal.h"

#define TABLES 64

struct making {
    const char *at;
    struct arena *arena;
    struct ledger_table *tables;
    size_t count;
};

static bool fail_tables(const struct making *m, struct error *err)
{
    return error_fail(err, ERROR_FAILED,
                      "the tables of the ledger are not understood at '%.30s'", m->at);
}

/* The next word, or the next character that is none; empty at the end. */
static struct str next_sql_word(struct making *m)
{
    const char *start;

    while (*m->at == ' ')
        m->at++;
    start = m->at;
    while (is_name_character(*m->at))
        m->at++;
    if (m->at == start && *m->at != '\0')
        m->at++;
    return (struct str){start, (size_t)(m->at - start)};
}

static bool next_is(struct making *m, const char *word)
{
    const char *before = m->at;

    if (str_eq(next_sql_word(m), str_from(word)))
        return true;
    m->at = before;
    return false;
}

/* To the end of a definition or a statement: before the ',' or ')' or ';' that ends it. */
static void skip(struct making *m)
{
    int depth = 0;

    for (; *m->at != '\0'; m->at++) {
        if (*m->at == '\'') {
            const char *end = strchr(m->at + 1, '\'');

            if (end == NULL)
                return;
            m->at = end;
        } else if (*m->at == '(') {
            depth++;
        } else if (depth == 0 && strchr(",;)", *m->at) != NULL) {
            return;
        } else if (*m->at == ')') {
            depth--;
        }
    }
}

static void skip_statement(struct making *m)
{
    while (*m->at != '\0' && *m->at != ';') {
        skip(m);
        if (*m->at == ',' || *m->at == ')')
            m->at++;
    }
    if (*m->at == ';')
        m->at++;
}

static struct ledger_table *find_made_table(const struct making *m, struct str name)
{
    for (size_t i = 0; i < m->count; i++)
        if (str_eq(str_from(m->tables[i].name), name))
            return &m->tables[i];
    return NULL;
}

static bool column_kind_of(struct str type, enum ledger_kind *out)
{
    static const char *const types[] = {[KIND_INTEGER] = "INTEGER",
                                        [KIND_REAL] = "REAL",
                                        [KIND_TEXT] = "TEXT",
                                        [KIND_AMOUNT] = "AMOUNT",
                                        [KIND_BLOB] = "BLOB"};

    for (size_t i = 0; i < ARRAY_LEN(types); i++)
        if (str_eq(type, str_from(types[i]))) {
            *out = (enum ledger_kind)i;
            return true;
        }
    return false;
}

/* "name TYPE ...", the name read already. */
static bool add_table_column(struct making *m, struct ledger_table *t, struct str name,
                             struct error *err)
{
    char *copy = str_dup(name, m->arena, err);

    if (copy == NULL)
        return false;
    if (t->count == LEDGER_COLUMNS ||
        !column_kind_of(next_sql_word(m), &t->columns[t->count].kind))
        return fail_tables(m, err);
    if (next_is(m, "PRIMARY")) {
        if (t->columns[t->count].kind == KIND_INTEGER)
            t->key = copy;
        else
            t->primary = copy;
    }
    t->columns[t->count].name = t->names[t->count] = copy;
    t->count++;
    skip(m);
    return true;
}

/* "PRIMARY KEY(a, b)", the first word read already. */
static bool add_primary(struct making *m, struct ledger_table *t, struct error *err)
{
    const char *start;

    if (!next_is(m, "KEY") || !next_is(m, "("))
        return fail_tables(m, err);
    start = m->at;
    skip(m);
    while (*m->at == ',') {
        m->at++;
        skip(m);
    }
    t->primary = str_dup((struct str){start, (size_t)(m->at - start)}, m->arena, err);
    if (t->primary != NULL && *m->at == ')')
        m->at++;
    return t->primary != NULL;
}

static bool add_table_part(struct making *m, struct ledger_table *t, struct error *err)
{
    struct str word = next_sql_word(m);

    if (str_eq(word, STR("PRIMARY")))
        return add_primary(m, t, err);
    if (!str_eq(word, STR("UNIQUE")) && !str_eq(word, STR("CHECK")))
        return add_table_column(m, t, word, err);
    skip(m);
    return true;
}

static bool create_table(struct making *m, struct error *err)
{
    struct ledger_table *t = &m->tables[m->count];
    const char *end;

    if (m->count == TABLES)
        return fail_tables(m, err);
    *t = (struct ledger_table){
        .name = str_dup(next_sql_word(m), m->arena, err),
        .names = arena_array(m->arena, const char *, LEDGER_COLUMNS, err),
        .columns = arena_array(m->arena, struct ledger_column, LEDGER_COLUMNS, err)};
    if (t->name == NULL || t->names == NULL || t->columns == NULL)
        return false;
    if (!next_is(m, "("))
        return fail_tables(m, err);
    do
        if (!add_table_part(m, t, err))
            return false;
    while (next_is(m, ","));
    if (!next_is(m, ")"))
        return fail_tables(m, err);
    end = strchr(m->at, ';');
    t->without_rowid = strstr(m->at, "WITHOUT ROWID") != NULL &&
                       (end == NULL || strstr(m->at, "WITHOUT ROWID") < end);
    m->count++;
    skip_statement(m);
    return true;
}

static bool rename_column(struct making *m, struct ledger_table *t, struct error *err)
{
    struct str from = next_sql_word(m);
    char *to;

    if (!next_is(m, "TO"))
        return fail_tables(m, err);
    to = str_dup(next_sql_word(m), m->arena, err);
    for (size_t i = 0; to != NULL && i < t->count; i++)
        if (str_eq(str_from(t->names[i]), from)) {
            t->columns[i].name = t->names[i] = to;
            skip_statement(m);
            return true;
        }
    return to != NULL && fail_tables(m, err);
}

static bool drop_table(struct making *m, struct error *err)
{
    struct ledger_table *t = find_made_table(m, next_sql_word(m));

    if (t == NULL)
        return fail_tables(m, err);
    m->count--;
    memmove(t, t + 1, (size_t)(m->tables + m->count - t) * sizeof *t);
    skip_statement(m);
    return true;
}

static bool alter_table(struct making *m, struct error *err)
{
    struct ledger_table *t = find_made_table(m, next_sql_word(m));
    struct str what = next_sql_word(m);

    if (t == NULL || !next_is(m, "COLUMN"))
        return fail_tables(m, err);
    if (str_eq(what, STR("RENAME")))
        return rename_column(m, t, err);
    if (!str_eq(what, STR("ADD")) || !add_table_column(m, t, next_sql_word(m), err))
        return err->kind != ERROR_NONE ? false : fail_tables(m, err);
    skip_statement(m);
    return true;
}

static bool take_statement(struct making *m, struct error *err)
{
    if (next_is(m, "ALTER"))
        return next_is(m, "TABLE") ? alter_table(m, err) : fail_tables(m, err);
    if (next_is(m, "UPDATE")) { /* of rows: the tables stay as they are */
        skip_statement(m);
        return true;
    }
    if (next_is(m, "DROP"))
        return next_is(m, "TABLE") ? drop_table(m, err) : fail_tables(m, err);
    if (!next_is(m, "CREATE"))
        return fail_tables(m, err);
    if (next_is(m, "TABLE"))
        return create_table(m, err);
    if (!next_is(m, "UNIQUE") && !next_is(m, "INDEX"))
        return fail_tables(m, err);
    skip_statement(m);
    return true;
}

bool ledger_tables(const struct ledger_schema *schema, struct arena *arena,
                   const struct ledger_table **out, size_t *count, struct error *err)
{
    struct making m = {.arena = arena,
                       .tables = arena_array(arena, struct ledger_table, TABLES, err)};

    if (m.tables == NULL)
        return false;
    for (size_t i = 0; i < schema->count; i++)
        for (m.at = schema->steps[i].sql; *m.at != '\0';)
            if (!take_statement(&m, err))
                return false;
    *out = m.tables;
    *count = m.count;
    return true;
}
