/* A report that compares runs, any number of them: reads them, and what is found in some. */
#include <string.h>

#include "op/context.h"
#include "op/findings.h"
#include "op/ledger_open.h"
#include "op/report/report.h"
#include "report/comparison.h"
#include "run/output/early_stop.h"

#define ADVISED_MOST 8 /* runs whose findings are shown: the first */

/* As --early-stop has it, by the name. */
static bool metric_should_grow(struct str name)
{
    struct stop_options options;
    struct error ignored;

    return stop_parse(name, &options, &ignored) && options.greater_is_better;
}

/* Runs of such names, attempt by attempt: a ledger may have many that do not match. */
struct compare_matching {
    struct comparison *comparison;
    struct str pattern;
    size_t found;
};

static bool add_matching_attempt(void *ctx, const struct ledger_charge *a, struct error *err)
{
    struct compare_matching *m = ctx;

    return !str_glob(a->name, m->pattern) ||
           comparison_add_attempt(m->comparison, a, &m->found, err);
}

static bool add_matching_runs(struct ledger *ledger, struct str pattern, struct comparison *c,
                              struct error *err)
{
    struct compare_matching m = {.comparison = c, .pattern = pattern};

    c->attempt_run = -1;
    if (!ledger_charges(ledger, (stamp){-1}, (stamp){-1}, add_matching_attempt, &m, err))
        return false;
    return m.found > 0 ||
           error_fail(err, ERROR_ABSENT, "no run has a name like '%.*s'", STR_ARG(pattern));
}

static bool add_named_runs(struct ledger *ledger, struct str wanted, struct comparison *c,
                           struct arena *scratch, struct error *err)
{
    struct ledger_run one;

    if (memchr(wanted.at, '*', wanted.len) != NULL ||
        memchr(wanted.at, '?', wanted.len) != NULL)
        return add_matching_runs(ledger, wanted, c, err);
    return ledger_find(ledger, wanted, scratch, &one, err) && comparison_add_run(c, &one, err);
}

/* The runs that one name or pattern means, with their metrics. */
static bool read_compared(struct ledger *ledger, struct str wanted, struct comparison *c,
                          struct error *err)
{
    struct arena scratch = {.alloc = c->arena->alloc, .block_size = c->arena->block_size};
    const struct ledger_metric *list;
    size_t row = c->count, count;
    bool ok = add_named_runs(ledger, wanted, c, &scratch, err);

    for (; ok && row < c->count; row++, arena_free(&scratch))
        ok = ledger_metrics(ledger, c->rows[row].full_id, &scratch, &list, &count, err) &&
             comparison_add_metrics(c, row, list, count, err);
    arena_free(&scratch);
    return ok;
}

/* What `stint advise` finds in the first of them whose cost is known. */
static bool find_in_runs(struct op_context *ctx, struct comparison *c, struct error *err)
{
    size_t priced = 0;

    c->findings = arena_array(ctx->arena, struct report_findings, ADVISED_MOST, err);
    if (c->findings == NULL)
        return false;
    for (size_t i = 0; i < c->count; i++) {
        struct report_findings *to = &c->findings[c->finding_count];

        if (c->rows[i].cost.nano == MONEY_UNKNOWN)
            continue;
        priced++;
        if (c->finding_count == ADVISED_MOST)
            continue;
        if (!op_findings_of_run(ctx, str_from(c->rows[i].full_id), to, err))
            return false;
        c->finding_count += to->problem.len == 0;
    }
    c->not_asked = priced - c->finding_count;
    return true;
}

bool op_report_compare(struct op_context *ctx, const struct report_request *req,
                       struct report *report, struct error *err)
{
    struct comparison c = comparison_new(ctx->arena, metric_should_grow);
    struct ledger *ledger = op_ledger(ctx, LEDGER_READ, err);
    bool ok = ledger != NULL;

    for (size_t i = 0; ok && i < req->runs.len; i++)
        ok = read_compared(ledger, req->runs.at[i], &c, err);
    ledger_close(ledger);
    if (!ok)
        return false;
    if (c.count < 2) {
        error_set(err, ERROR_USAGE, "--compare needs 2 runs or more, not %zu", c.count);
        error_hint(err, "'stint runs' lists them; 'bert*' means all whose names match");
        return false;
    }
    report->folder = STR("cost_report");
    report->demo = ctx->demo;
    return comparison_rank(&c, req->metric, err) && find_in_runs(ctx, &c, err) &&
           comparison_report(&c, report, err);
}
