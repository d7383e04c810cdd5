/* next_version.h - the steps of the ledger and, after them, two versions that only tests have:
 * with them a ledger that Stint made is one of an earlier version. They do what steps may do:
 * add, rename and drop tables and columns, change rows, and convert what SQL cannot.
 */
#ifndef TESTS_LEDGER_NEXT_VERSION_H
#define TESTS_LEDGER_NEXT_VERSION_H

#include <string.h>

#include "ledger/internal.h"

#define NEXT_STEPS 4
#define NEXT_RUNS 1000

static const char next_moods[] =
    "ALTER TABLE runs ADD COLUMN mood TEXT;"
    "CREATE TABLE moods(run INTEGER PRIMARY KEY, words TEXT NOT NULL) STRICT;"
    "CREATE TABLE passing(one INTEGER PRIMARY KEY) STRICT;";
static const char next_moods_index[] = "CREATE INDEX moods_by_words ON moods(words);";
static const char next_renamed[] = "ALTER TABLE moods RENAME COLUMN words TO mood;"
                                   "UPDATE runs SET mood = 'good';"
                                   "DROP TABLE passing;";

/* Called before the mood of each run is written; false: the step fails. NULL: not called. */
static bool (*next_meanwhile)(int64_t run);

/* A mood for each run. One that has a mood already fails: the step would be taken twice. */
static inline bool next_convert(struct ledger *l, struct error *err)
{
    struct query *q = ledger_query(l, "SELECT run FROM runs ORDER BY run", NO_VALUES, err);
    int64_t runs[NEXT_RUNS];
    size_t count = 0;
    int got = 0;

    while (count < NEXT_RUNS && (got = ledger_row(l, q, "read", err)) > 0)
        runs[count++] = column_int(q, 0);
    if (got > 0)
        query_reset(q);
    for (size_t i = 0; got >= 0 && i < count; i++) {
        if (next_meanwhile != NULL && !next_meanwhile(runs[i]))
            return error_fail(err, ERROR_FAILED, "run %lld has no mood", (long long)runs[i]);
        if (!ledger_run(l, "INSERT INTO moods(run, words) VALUES(?1, 'good')",
                        VALUES(as_int(runs[i])), err))
            return false;
    }
    return got >= 0;
}

static inline const struct ledger_schema *next_schema(void)
{
    static struct ledger_step steps[32];
    static struct ledger_schema next = {.steps = steps};
    int version = ledger_newest(&ledger_schema);
    const struct ledger_step added[NEXT_STEPS] = {
        {version + 1, next_moods, NULL},
        {version + 1, next_moods_index, next_convert},
        {version + 2, next_renamed, NULL},
        {version + 2, "CREATE INDEX runs_by_mood ON runs(mood);", NULL},
    };

    next.count = ledger_schema.count + NEXT_STEPS;
    if (next.count > ARRAY_LEN(steps))
        return NULL;
    memcpy(steps, ledger_schema.steps, ledger_schema.count * sizeof steps[0]);
    memcpy(steps + ledger_schema.count, added, sizeof added);
    return &next;
}

#endif
