/* A run by what a person calls it; what is known of it besides its totals. */
#include "ledger/internal.h"

#include <string.h>

#define SHORTEST 4 /* characters of an id that are enough to look for it */

static bool could_be_id(struct str what)
{
    if (what.len < SHORTEST || what.len >= LEDGER_ID)
        return false;
    for (size_t i = 0; i < what.len; i++)
        if (strchr("0123456789abcdef-", what.at[i]) == NULL || what.at[i] == '\0')
            return false;
    return true;
}

/* The run whose id starts or ends so: 1, 0 when there is none, -1 with the error set. */
static int find_id(struct ledger *l, struct str what, int64_t *key, struct error *err)
{
    struct query *s = could_be_id(what) ? ledger_statement(l, SQL_RUN_IDS, err) : NULL;
    char ids[3][LEDGER_ID] = {{0}};
    int row, found = 0;

    if (s == NULL)
        return could_be_id(what) ? -1 : 0;
    bind_int(s, 1, (int64_t)what.len);
    bind_text(s, 2, what);
    while ((row = ledger_row(l, s, "read", err)) > 0 && found < 3) {
        const char *id = column_word(s, 1);

        if (found == 0)
            *key = column_int(s, 0);
        (void)snprintf(ids[found++], LEDGER_ID, "%s", id != NULL ? id : "");
    }
    query_reset(s);
    if (row < 0)
        return -1;
    if (found < 2)
        return found;
    error_set(err, ERROR_INPUT, "several runs have ids that start or end with '%.*s'",
              STR_ARG(what));
    error_hint(err, "give more of it: %s, %s%s%s", ids[0], ids[1], found > 2 ? ", " : "",
               ids[2]);
    return -1;
}

static int find_key(struct ledger *l, enum statement which, struct str name, int64_t *key,
                    struct error *err)
{
    struct query *s = ledger_statement(l, which, err);
    int row;

    if (s == NULL)
        return -1;
    if (which == SQL_RUN_NAMED)
        bind_text(s, 1, name);
    row = ledger_row(l, s, "read", err);
    if (row > 0)
        *key = column_int(s, 0);
    query_reset(s);
    return row;
}

static bool absent(struct ledger *l, struct str what, struct error *err)
{
    struct query *s = ledger_statement(l, SQL_NAMES, err);
    struct suggestion guess = {.wanted = what};
    char best[80] = "";
    unsigned distance = UINT_MAX;
    int row;

    if (s == NULL)
        return false;
    while ((row = ledger_row(l, s, "read", err)) > 0) {
        suggestion_try(&guess, str_from(column_word(s, 0)));
        if (guess.best.len > 0 && guess.distance < distance) { /* the text is the row's */
            (void)snprintf(best, sizeof best, "%.*s", STR_ARG(guess.best));
            distance = guess.distance;
        }
        guess.best = str_from(best);
    }
    if (row < 0)
        return false;
    error_set(err, ERROR_ABSENT, "there is no run '%.*s'", STR_ARG(what));
    if (!suggestion_hint(&guess, err))
        error_hint(err, "'stint runs' lists them; 'last' is the newest");
    return false;
}

static bool find(struct ledger *l, struct str what, struct arena *arena, struct ledger_run *out,
                 struct error *err)
{
    bool last = str_eq(what, STR("last"));
    int64_t key = 0;
    int found = last ? find_key(l, SQL_RUN_LAST, what, &key, err) : find_id(l, what, &key, err);

    if (found == 0 && !last)
        found = find_key(l, SQL_RUN_NAMED, what, &key, err);
    if (found == 0)
        return absent(l, what, err);
    return found > 0 && ledger_read_run(l, key, arena, out, err);
}

bool ledger_find(struct ledger *l, struct str what, struct arena *arena, struct ledger_run *out,
                 struct error *err)
{
    int begun = ledger_start_read(l, err);

    if (begun == 0) {
        error_set(err, ERROR_ABSENT, "the ledger '%s' has no runs yet", l->name);
        error_hint(err, "'stint run -- COMMAND' makes one");
    }
    return begun > 0 && ledger_finish(l, find(l, what, arena, out, err), err);
}
