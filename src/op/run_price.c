#include "op/run_price.h"

#include <math.h>

#include "ledger/ledger.h"
#include "op/context.h"
#include "op/job_source.h"
#include "op/market.h"
#include "plan/features.h"
#include "plan/file.h"

/* Larger than what an allocator keeps for later: it all goes back to the system. */
#define WORK_BLOCK ((size_t)512 * 1024)

struct price_work {
    struct op_context *ctx; /* its arena and catalog last as long as the work */
    const struct run_price_request *request;
    struct run_price *out; /* texts are the work's, and copied in the end */
    struct plan_prediction *predicted;
    struct arena *arena; /* for texts of the prediction */
};

static bool electricity(struct price_work *w, struct error *err)
{
    struct market_view view;

    if (w->request->electricity.nano == MONEY_UNKNOWN &&
        w->ctx->settings->electricity.nano == MONEY_UNKNOWN &&
        !op_catalog(w->ctx, TABLE_BIT(TABLE_ELECTRICITY), err))
        return false;
    view = op_market(w->ctx);
    return run_price_electricity(&view, w->request, w->out, err);
}

/* ---- a saved plan: what it costs an hour, and what it predicts ---- */

static bool write_plan_source(struct price_work *w, const struct plan_row *row,
                              struct error *err)
{
    struct market_view view = op_market(w->ctx);
    struct buf text = buf_new(w->ctx->arena->alloc, 2048);

    buf_add(&text, w->out->offer);
    buf_addf(&text, ":%.*s", STR_ARG(plan_row_market(row)));
    if (row->price_date.n != DAY_UNKNOWN.n)
        run_price_write_date(&view, row->price_date, &text);
    buf_adds(&text, ", of the plan in ");
    buf_add(&text, w->request->plan);
    return buf_keep(&text, w->ctx->arena, &w->out->source, err);
}

static bool take_plan_price(struct price_work *w, const struct plan_row *row, struct error *err)
{
    struct market_view view = op_market(w->ctx);
    struct run_price *out = w->out;

    out->how = RUN_PRICE_PLAN;
    out->offer = row->offer;
    out->provider = row->provider;
    out->region = row->region;
    out->market = plan_row_market(row);
    out->accelerator = row->accelerator;
    out->accelerators =
        row->machines > 0 && row->rented_gpus >= 0 ? row->rented_gpus / row->machines : -1;
    if (row->offer.len == 0 && !machine_name(row->provider, row->region, STR(""), row->instance,
                                             w->ctx->arena, &out->offer, err))
        return false;
    if (str_eq(out->provider, STR("local")))
        return electricity(w, err);
    if (row->price.nano == MONEY_UNKNOWN) {
        error_set(err, ERROR_INPUT, "%.*s: its best plan has no price",
                  STR_ARG(w->request->plan));
        error_hint(err, "plan again, or use --price '$2.49/hr'");
        return false;
    }
    out->rate = row->price;
    out->date = row->price_date;
    run_price_warn_age(&view, out->offer, out->date);
    if (row->owned_suffice)
        message_note(
            &w->ctx->messages,
            "the plan's hours are paid for already: they are counted at what they cost");
    return write_plan_source(w, row, err);
}

static void note_all_machines(const struct price_work *w)
{
    const struct plan_prediction *e = w->predicted;
    struct buf all = buf_new(w->ctx->arena->alloc, 64), one = buf_new(w->ctx->arena->alloc, 64);
    struct str all_text, one_text;

    usd_per_hour_write(e->rate, &all);
    usd_per_hour_write(w->out->rate, &one);
    all_text = buf_text(&all);
    one_text = buf_text(&one);
    message_note(
        &w->ctx->messages,
        "the plan rents %lld machines for %.*s together: this run counts its own, %.*s",
        (long long)e->machines, STR_ARG(all_text), STR_ARG(one_text));
    buf_free(&all);
    buf_free(&one);
}

static bool price_of_plan(struct price_work *w, struct error *err)
{
    struct plan_result plan;
    const struct plan_row *best;

    if (!plan_file_read(w->request->plan, w->ctx->arena, &plan, err))
        return false;
    best = plan.plans.at;
    if (plan.plans.len == 0) {
        error_set(err, ERROR_INPUT, "%.*s: it holds no plan of one job",
                  STR_ARG(w->request->plan));
        error_hint(err, "'stint plan JOB --save PLAN.json' writes one");
        return false;
    }
    if (!plan_predict(&plan, best, w->arena, w->predicted, err) ||
        !op_job_text_of_plan(w->ctx, &plan, LEDGER_JOB_MAX, &w->predicted->job, err))
        return false;
    if (w->out->how != RUN_PRICE_UNKNOWN) /* given, or of another offer: that counts */
        return true;
    if (!take_plan_price(w, best, err))
        return false;
    if (w->predicted->machines > 1)
        note_all_machines(w);
    return true;
}

/* ---- which price counts ---- */

/* The offer that is `named`, or the machine that this is. */
static bool price_of_row(struct price_work *w, bool named, struct error *err)
{
    struct market_view view;

    if (!op_catalog(w->ctx, RUN_PRICE_TABLES, err) || !op_offers(w->ctx, err))
        return false;
    view = op_market(w->ctx);
    return named ? run_price_offer(&view, w->request, w->out, err)
                 : run_price_machine(&view, w->request, w->out, err);
}

static bool find_run_rate(struct price_work *w, struct error *err)
{
    const struct run_price_request *r = w->request;
    struct run_price *out = w->out;
    struct market_view view = op_market(w->ctx);

    if (r->price.nano != MONEY_UNKNOWN && !run_price_given(r, out, err))
        return false;
    if (out->how == RUN_PRICE_UNKNOWN && r->offer.len > 0 && !price_of_row(w, true, err))
        return false;
    if (r->plan.len > 0 && !price_of_plan(w, err))
        return false;
    if (out->how != RUN_PRICE_UNKNOWN)
        return true;
    if (r->machine != NULL ? !price_of_row(w, false, err) /* its power is paid for */
                           : run_price_has_tariff(&view, r) && !electricity(w, err))
        return false;
    if (out->how == RUN_PRICE_UNKNOWN)
        run_price_add_hint(out);
    return true;
}

static bool find_carbon(struct price_work *w, struct error *err)
{
    struct market_view view = op_market(w->ctx);
    struct catalog regions;

    return op_catalog_provider(w->ctx, TABLE_REGIONS, run_price_seller(w->out), &regions,
                               err) &&
           run_price_carbon(&view, &regions, w->out, err);
}

/* A catalog that cannot be read is no reason not to run. */
static bool carbon_if_known(struct price_work *w, struct error *err)
{
    if (find_carbon(w, err))
        return true;
    if (err->kind == ERROR_MEMORY)
        return false;
    message_warn(&w->ctx->messages, "carbon is not counted: %s", err->text);
    *err = (struct error){0};
    return true;
}

static bool find_run_terms(struct price_work *w, struct error *err)
{
    struct market_view view;

    if (w->out->provider.len == 0)
        return true;
    if (!op_catalog(w->ctx, TABLE_BIT(TABLE_PROVIDERS) | TABLE_BIT(TABLE_STORAGE), err))
        return false;
    view = op_market(w->ctx);
    run_price_terms(&view, w->out);
    return true;
}

static bool find_all_price_facts(struct price_work *w, struct error *err)
{
    *w->out = run_price_unknown();
    if (!find_run_rate(w, err))
        return false;
    if (w->request->job.len > 0) { /* rather than the plan's */
        const struct job_source source = {.job = w->request->job};

        if (!op_job_text(w->ctx, &source, LEDGER_JOB_MAX, &w->predicted->job, err))
            return false;
    }
    if (w->request->electricity.nano != MONEY_UNKNOWN) /* on top of whatever it is */
        w->out->electricity = w->request->electricity;
    run_price_place(w->request, w->out);
    /* A price that was given needs no catalog, so that nothing is looked up for it. */
    if (w->out->how != RUN_PRICE_SAID && w->out->how != RUN_PRICE_UNKNOWN &&
        !find_run_terms(w, err))
        return false;
    return !w->request->carbon || carbon_if_known(w, err);
}

bool run_price_find(struct op_context *ctx, const struct run_price_request *request,
                    struct run_price *out, struct plan_prediction *predicted, struct error *err)
{
    struct arena arena = {.alloc = ctx->arena->alloc, .block_size = WORK_BLOCK};
    struct op_context own = op_apart(ctx, &arena, false);
    struct plan_prediction unused = plan_prediction_unknown();
    struct price_work w = {.ctx = &own,
                           .request = request,
                           .out = out,
                           .predicted = predicted != NULL ? predicted : &unused,
                           .arena = ctx->arena};
    struct str *job = &w.predicted->job;
    bool ok;

    *w.predicted = plan_prediction_unknown();
    ok = find_all_price_facts(&w, err) && run_price_keep(out, ctx->arena, err) &&
         (job->len == 0 || str_keep(*job, ctx->arena, job, err));
    op_done(&own);
    arena_free(&arena);
    return ok;
}
