/* upgrade.c - upgrades for tests. upgrade make FILE: a ledger with 40 runs; upgrade open FILE:
 * opens it as a Stint with newer tables does, and prints how many runs it has; upgrade check
 * FILE: what is wrong with it then. */
#include <stdio.h>
#include <string.h>

#include "ledger/copy/check.h"
#include "next_version.h"
#include "writes.h"

#define NOW INT64_C(1794700800) /* 2026-11-15, the clock of the command-line cases */
#define SECOND INT64_C(1000000000)
#define RUNS 40

static bool make_run(struct ledger *l, int64_t n, struct error *err)
{
    struct ledger_start start = {.name = STR("old"),
                                 .folder = STR("/home/ann"),
                                 .command = STR("train"),
                                 .user = STR("ann"),
                                 .host = STR("box"),
                                 .offer = STR("aws/x/y"),
                                 .market = STR("spot"),
                                 .price_source = STR("list"),
                                 .rate = {SECOND},
                                 .electricity = {MONEY_UNKNOWN},
                                 .storage_month = {MONEY_UNKNOWN},
                                 .budget = USD_UNKNOWN,
                                 .estimated_cost = USD_UNKNOWN,
                                 .estimated_time = {-1},
                                 .started = {NOW - 86400 + n}};
    struct ledger_ending ending = {RUN_DONE, 0, ""};
    struct ledger_totals totals;
    int attempt;

    ledger_totals_unknown(&totals);
    totals.at = (stamp){start.started.s + 60};
    totals.elapsed = (span){60 * SECOND};
    totals.cost = (usd){n * 1000000007};
    ledger_new_id(start.started, start.id);
    return ledger_begin(l, &start, &attempt, err) &&
           ledger_end(l, start.id, attempt, &ending, &totals, err);
}

static bool make_runs(struct ledger *l, struct error *err)
{
    for (int64_t n = 0; n < RUNS; n++)
        if (!make_run(l, n, err))
            return false;
    return true;
}

static bool print_runs(struct ledger *l, struct error *err)
{
    int64_t runs = 0, moods = 0;

    if (!ledger_number(l, "SELECT count(*) FROM runs", NO_VALUES, &runs, err) ||
        !ledger_number(l,
                       "SELECT count(*) FROM runs r JOIN moods m ON m.run = r.run"
                       " WHERE r.mood = m.mood",
                       NO_VALUES, &moods, err))
        return false;
    if (moods != runs)
        return error_fail(err, ERROR_FAILED, "%lld of %lld runs are upgraded", (long long)moods,
                          (long long)runs);
    (void)printf("%lld\n", (long long)runs);
    return true;
}

static bool print_findings(struct ledger *l, struct error *err)
{
    struct arena arena = {.alloc = &alloc_system};
    struct ledger_health health;
    bool ok = ledger_check(l, &arena, &health, err);

    for (size_t i = 0; ok && i < health.findings.len; i++) {
        const struct ledger_problem *p = (const struct ledger_problem *)health.findings.at + i;

        if (p->wrong)
            (void)printf("%.*s\n", STR_ARG(p->text));
    }
    arena_free(&arena);
    return ok;
}

static bool upgrade(const char *what, const char *path, struct error *err)
{
    bool make = strcmp(what, "make") == 0;
    struct ledger *l = ledger_open_as(make ? &ledger_schema : next_schema(), path,
                                      make ? LEDGER_WRITE : LEDGER_READ, (span){20 * SECOND},
                                      &clock_system, &alloc_system, err);
    bool ok = l != NULL && (make                         ? make_runs(l, err)
                            : strcmp(what, "check") == 0 ? print_findings(l, err)
                                                         : print_runs(l, err));

    ledger_close(l);
    return ok;
}

int main(int argc, char **argv)
{
    struct error err = {0};

    if (argc == 3 && upgrade(argv[1], argv[2], &err))
        return 0;
    error_print(&err, stderr);
    return 1;
}
