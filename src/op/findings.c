#include "op/findings.h"

#include "ledger/runs/works.h"
#include "op/advise_record.h"
#include "op/context.h"
#include "op/ledger_open.h"
#include "op/op.h"

#define FINDINGS_RUNS_MOST 20000
#define FINDINGS_WORKS_MOST 50

struct advise_asking {
    struct str run;
    day since, until;
    int64_t most_jobs;
};

/* Ask the operation with memory of its own, and keep what is shown. */
static bool ask_advise(struct op_context *ctx, const struct advise_asking *asking,
                       struct report_findings *out, struct error *err)
{
    const struct op *op = op_find(STR("advise"));
    struct arena arena = {.alloc = ctx->arena->alloc, .block_size = ctx->arena->block_size};
    struct op_context own = op_apart(ctx, &arena, true);
    struct advise_request request;
    struct error why = {0};
    bool ok = fields_reset(op->request, &request, &arena, &why);

    request.source.job = asking->run;
    request.most_jobs = asking->most_jobs;
    ok = ok &&
         (asking->run.len > 0 ||
          days_ask(asking->since, asking->until, &arena, &request.days, &why)) &&
         op_run(&own, op, &request, &out->result, &why) &&
         report_findings_keep(out, ctx->arena, &why);
    op_done(&own);
    arena_free(&arena);
    if (ok)
        return true;
    if (why.kind == ERROR_MEMORY) {
        *err = why;
        return false;
    }
    message_warn(&ctx->messages, "findings are left out: %s", why.text);
    if (error_is_of_machine(why.kind) || why.kind == ERROR_FAILED)
        ctx->partly = true; /* a disk that fails, not something that the ledger lacks */
    return str_keep(str_from(why.text), ctx->arena, &out->problem, err);
}

bool op_findings_of_run(struct op_context *ctx, struct str id, struct report_findings *out,
                        struct error *err)
{
    const struct advise_asking asking = {.run = id, .most_jobs = -1};
    struct buf text = buf_new(ctx->arena->alloc, 256);

    *out = (struct report_findings){0};
    buf_adds(&text, "stint advise ");
    buf_add(&text, ledger_short(id.at));
    return buf_keep(&text, ctx->arena, &out->command, err) &&
           ask_advise(ctx, &asking, out, err);
}

static bool count_recorded_runs(struct op_context *ctx, day since, day until, int64_t *out,
                                struct error *err)
{
    struct ledger *ledger;
    bool ok = op_ledger_there(ctx, &ledger, err);

    *out = 0;
    if (ok && ledger != NULL)
        ok = ledger_runs_count(ledger, (stamp){since.n * SECONDS_PER_DAY},
                               (stamp){(until.n + 1) * SECONDS_PER_DAY}, out, err);
    ledger_close(ledger);
    return ok;
}

bool op_findings_of_period(struct op_context *ctx, day since, day until,
                           struct report_findings *out, struct error *err)
{
    struct advise_asking asking = {.since = since, .until = until, .most_jobs = -1};
    struct buf text = buf_new(ctx->arena->alloc, 256);
    int64_t runs;

    *out = (struct report_findings){0};
    if (!count_recorded_runs(ctx, since, until, &runs, err)) {
        buf_free(&text);
        return false;
    }
    buf_adds(&text, "stint advise --since ");
    day_write(since, &text);
    buf_adds(&text, " --until ");
    day_write(until, &text);
    if (runs > FINDINGS_RUNS_MOST) {
        asking.most_jobs = FINDINGS_WORKS_MOST;
        buf_addf(&text, " --most-jobs %d", FINDINGS_WORKS_MOST);
    }
    return buf_keep(&text, ctx->arena, &out->command, err) &&
           ask_advise(ctx, &asking, out, err);
}
