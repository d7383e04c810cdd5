#include "op/advise/advise_commitment.h"

#include "op/advise/commitments.h"
#include "op/context.h"
#include "op/op.h"

bool advise_price_commitment(struct op_context *ctx, day since, day until,
                             struct advise_facts *facts, struct error *err)
{
    struct op_context quiet = op_apart(ctx, ctx->arena, true);
    struct commitments_request ask;
    struct commitments_result res = {0};
    const struct commitment_option *options;
    struct error why = {0};
    bool ok;

    if (!fields_reset(op_commitments.request, &ask, ctx->arena, err) ||
        !fields_reset(op_commitments.result, &res, ctx->arena, err) ||
        !days_ask(since, until, ctx->arena, &ask.days, err))
        return false;
    ok = op_run(&quiet, &op_commitments, &ask, &res, &why);
    op_done(&quiet);
    if (!ok && why.kind == ERROR_MEMORY)
        return error_memory(err);
    options = res.options.at;
    facts->commitment.left_out = ok ? res.moved : 0;
    for (size_t i = 0; ok && i < res.options.len; i++) {
        struct advise_commitment *c = &facts->commitment;

        if (!options[i].buy || options[i].saving_low.nano <= 0)
            continue;
        c->saving = usd_add(c->saving, options[i].saving);
        c->saving_low = usd_add(c->saving_low, options[i].saving_low);
        c->saving_high = usd_add(c->saving_high, options[i].saving_high);
        c->commit.nano += options[i].commit.nano;
        c->term_months = options[i].term_months;
        c->utilization = options[i].utilization;
        c->source = options[i].source;
        c->hours = (double)res.hours;
    }
    return true;
}
