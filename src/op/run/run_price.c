/* Which price counts, and taking the answer out of what was read for it. */
#include "op/run/run_price.h"

#include <math.h>

#include "op/run/run_price_work.h"

/* Larger than what an allocator keeps for later: it all goes back to the system. */
#define WORK_BLOCK ((size_t)512 * 1024)

struct run_price_request run_price_blank(void)
{
    return (struct run_price_request){
        .price = USD_PER_HOUR_UNKNOWN, .electricity = {MONEY_UNKNOWN}, .gpus = -1};
}

static struct run_price nothing_known(void)
{
    return (struct run_price){
        .rate = USD_PER_HOUR_UNKNOWN,
        .electricity = {MONEY_UNKNOWN},
        .accelerators = -1,
        .date = DAY_UNKNOWN,
        .billing_s = NAN,
        .minimum_s = NAN,
        .setup_s = NAN,
        .notice_s = NAN,
        .storage_month = {MONEY_UNKNOWN},
        .grams_per_kwh = NAN,
        .pue = NAN,
        .estimate = {.cost = USD_UNKNOWN,
                     .cost_low = USD_UNKNOWN,
                     .cost_high = USD_UNKNOWN,
                     .time = SPAN_UNKNOWN,
                     .rate = USD_PER_HOUR_UNKNOWN,
                     .setup = USD_UNKNOWN,
                     .storage = USD_UNKNOWN,
                     .egress = USD_UNKNOWN},
    };
}

bool price_text(struct price_work *w, struct buf *text, struct str *out, struct error *err)
{
    bool ok = buf_ok(text, err);

    if (ok) {
        out->at = str_dup(buf_text(text), w->ctx->arena, err);
        out->len = text->len;
        ok = out->at != NULL;
    }
    buf_free(text);
    return ok;
}

/* What the name of an offer says without a catalog: where it is. */
static bool place_of_name(struct price_work *w, struct error *err)
{
    struct offer_name name;

    if (w->request->offer.len == 0)
        return true;
    if (!offer_name_parse(w->request->offer, &name, err))
        return false;
    w->out->offer = name.text;
    w->out->provider = name.provider;
    w->out->region = name.region;
    if (name.market >= 0)
        w->out->market = str_from(market_names[name.market]);
    return true;
}

static bool price_said(struct price_work *w, struct error *err)
{
    w->out->how = RUN_PRICE_SAID;
    w->out->rate = w->request->price;
    w->out->source = STR("as --price says"); /* what it says may be by the minute */
    return place_of_name(w, err);
}

static bool price_unknown(struct price_work *w, struct error *err)
{
    struct buf text = buf_new(w->ctx->arena->alloc, 512);

    if (w->out->source.len == 0)
        w->out->source = STR("not known");
    if (w->out->hint.len > 0) {
        buf_free(&text);
        return true;
    }
    buf_adds(&text, "say --price '$2.49/hr' for a rented machine, or --electricity "
                    "'0.30usd/kWh' for your own");
    return price_text(w, &text, &w->out->hint, err);
}

/* What the cloud told of this machine, where nothing better is known. */
static void place_of_machine(struct price_work *w)
{
    const struct metadata *m = w->request->machine;

    if (m == NULL || w->out->provider.len > 0)
        return;
    w->out->provider = m->provider;
    w->out->region = m->region;
    if (w->out->market.len == 0)
        w->out->market = m->market;
}

static bool find_rate(struct price_work *w, struct error *err)
{
    const struct run_price_request *r = w->request;

    if (r->price.nano != MONEY_UNKNOWN && !price_said(w, err))
        return false;
    if (w->out->how == RUN_PRICE_UNKNOWN && r->offer.len > 0 && !price_of_offer(w, err))
        return false;
    if (r->plan.len > 0 && !price_of_plan(w, err))
        return false;
    if (w->out->how == RUN_PRICE_UNKNOWN && r->machine != NULL) /* its power is paid for */
        return price_of_machine(w, err) &&
               (w->out->how != RUN_PRICE_UNKNOWN || price_unknown(w, err));
    if (w->out->how != RUN_PRICE_UNKNOWN)
        return true;
    return price_has_tariff(w) ? price_electricity(w, err) : price_unknown(w, err);
}

/* A catalog that cannot be read is no reason not to run. */
static bool carbon_if_known(struct price_work *w, struct error *err)
{
    if (price_carbon(w, err))
        return true;
    if (err->kind == ERROR_MEMORY)
        return false;
    message_warn(&w->ctx->messages, "carbon is not counted: %s", err->text);
    *err = (struct error){0};
    return true;
}

static bool work(struct price_work *w, struct error *err)
{
    *w->out = nothing_known();
    if (!find_rate(w, err))
        return false;
    if (w->request->electricity.nano != MONEY_UNKNOWN) /* on top of whatever it is */
        w->out->electricity = w->request->electricity;
    place_of_machine(w);
    /* A price that was said needs no catalog, so that nothing is looked up for it. */
    if (w->out->how != RUN_PRICE_SAID && w->out->how != RUN_PRICE_UNKNOWN &&
        !price_terms(w, err))
        return false;
    return !w->request->carbon || carbon_if_known(w, err);
}

static bool keep(struct str *text, struct arena *arena, struct error *err)
{
    if (text->len == 0) {
        *text = (struct str){0};
        return true;
    }
    text->at = str_dup(*text, arena, err);
    return text->at != NULL;
}

static bool keep_all(struct run_price *p, struct arena *arena, struct error *err)
{
    struct str *texts[] = {&p->offer,
                           &p->market,
                           &p->provider,
                           &p->region,
                           &p->accelerator,
                           &p->source,
                           &p->hint,
                           &p->carbon_source,
                           &p->estimate.features,
                           &p->estimate.constants};

    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        if (!keep(texts[i], arena, err))
            return false;
    return true;
}

bool run_price_find(struct op_context *ctx, const struct run_price_request *request,
                    struct run_price *out, struct error *err)
{
    struct arena arena = {.alloc = ctx->arena->alloc, .block_size = WORK_BLOCK};
    struct op_context own = op_apart(ctx, &arena, false);
    struct price_work w = {.ctx = &own, .request = request, .out = out};
    bool ok;

    ok = work(&w, err) && keep_all(out, ctx->arena, err);
    op_done(&own);
    arena_free(&arena);
    return ok;
}
