/* Hosted APIs: a provider serves its copy of the model, and is paid by tokens. */
#include <math.h>

#include "plan/deploy_internal.h"

#define BATCH_S 86400.0 /* within which batches are answered, at their lower price */

static double per_token(usd of_a_million)
{
    return of_a_million.nano == MONEY_UNKNOWN ? (double)NAN : usd_double(of_a_million) / 1e6;
}

/* May answers take a day? Then the price of batches holds, where there is one. */
static bool is_batch(const struct choosing *c)
{
    return span_in_seconds(c->w->job->infer.slo.p95) >= BATCH_S;
}

static bool has_batch_price(const struct token_price *row)
{
    return row->batch_input_usd_per_m.nano != MONEY_UNKNOWN &&
           row->batch_output_usd_per_m.nano != MONEY_UNKNOWN;
}

double token_request_usd(const struct token_price *row, double input, double output,
                         double cached, bool batch)
{
    bool cheap = batch && has_batch_price(row);
    double in = per_token(cheap ? row->batch_input_usd_per_m : row->input_usd_per_m);
    double seen = per_token(row->cached_input_usd_per_m);

    if (cheap || isnan(seen)) /* batches and caches do not add up */
        seen = in;
    return input * ((1 - cached) * in + cached * seen) +
           output * per_token(cheap ? row->batch_output_usd_per_m : row->output_usd_per_m);
}

/* No API promises its latency: with a target of the user's it is not the best. */
static struct str condition_of(const struct choosing *c, bool same)
{
    const struct job_slo *slo = &c->w->job->infer.slo;
    bool target =
        slo->p50.ns > 0 || slo->p95.ns > 0 || slo->p99.ns > 0 || slo->first_token.ns > 0;

    if (!same)
        return STR("another model: compare its answers");
    return target && !is_batch(c) ? STR("its latency is not known: measure it")
                                  : (struct str){0};
}

static bool deploy_of_tokens(struct choosing *c, const struct token_price *row,
                             const struct serving *request, bool same, struct deploy *d)
{
    bool batch = is_batch(c) && has_batch_price(row);
    double cached = c->facts->cached_input;
    double in = token_request_usd(row, request->input, 0, cached, is_batch(c));

    *d = deploy_none(DEPLOY_API);
    d->provider = row->provider;
    d->region = STR("*");
    d->product = row->model;
    d->most_rate = INFINITY;
    d->tokens = row;
    d->service_s = d->first_s = (double)NAN;
    d->warm.request_p95 = (double)NAN;
    d->usd_request =
        token_request_usd(row, request->input, request->output, cached, is_batch(c));
    d->input_share = d->usd_request > 0 ? in / d->usd_request : (double)NAN;
    d->condition = condition_of(c, same);
    d->setting = batch ? STR("by tokens, batch price") : STR("by tokens");
    deploy_age_price(c, &row->fact, d);
    d->offer =
        plan_words(c->w, c->err, "%.*s/%.*s", STR_ARG(row->provider), STR_ARG(row->model));
    return d->offer.at != NULL;
}

/* False with a reason: it cannot be used. Conditions are for those who asked for all ways. */
static bool add_api_row(struct choosing *c, const struct token_price *row, bool same,
                        char why[static DEPLOY_REASON])
{
    struct serving request = {.arch = &c->job->arch};
    struct deploy d;

    choose_request(&c->job->infer, &request, NULL);
    if (row->max_input_tokens > 0 && request.input > (double)row->max_input_tokens) {
        deploy_why(why, "a request has %.0f tokens, at most %lld are allowed", request.input,
                   (long long)row->max_input_tokens);
        return false;
    }
    if (!deploy_of_tokens(c, row, &request, same, &d))
        return false;
    if (!c->facts->wide && d.condition.len > 0) {
        deploy_why(why, "%.*s", STR_ARG(d.condition));
        return false;
    }
    return deploy_consider(c, &d, why);
}

bool deploy_add_api(struct choosing *c)
{
    const struct catalog *catalog = c->facts->catalog;
    const struct model *model =
        c->job->infer.model.len > 0 ? model_find(catalog, c->job->infer.model) : NULL;
    char why[DEPLOY_REASON] = "no price of a hosted API is known for this model";
    char last[DEPLOY_REASON];
    struct str nearest = STR("*");
    bool allowed = false;

    if (!model_writes(&c->job->arch))
        return true;
    if (deploy_only_gpus(c))
        return deploy_exclude(c, DEPLOY_API, STR("*"), "only GPUs are allowed");
    for (size_t i = 0; i < catalog->tables[TABLE_TOKEN_PRICES].len; i++) {
        const struct token_price *row =
            CATALOG_ROW(catalog, TABLE_TOKEN_PRICES, token_price, i);
        bool same = model != NULL && str_eq(row->serves, model->name);
        bool asked = c->facts->apis.len > 0 && strs_match(c->facts->apis, row->model);

        if (c->facts->apis.len > 0 ? !asked : !same)
            continue;
        if (deploy_barred(c, row->provider, STR("*"), row->fact.date, last)) {
            if (allowed)
                continue; /* why one that is allowed cannot be used says more */
        } else {
            allowed = true;
            if (add_api_row(c, row, same, last))
                continue;
        }
        deploy_why(why, "%s", last);
        nearest = row->provider;
        if (c->err->kind != ERROR_NONE)
            return false;
    }
    return c->have[DEPLOY_API] || deploy_exclude(c, DEPLOY_API, nearest, why);
}
