/* The machine that the cloud says this is, among the offers of the catalog. */
#include "op/run/run_price_work.h"

/* What fits so far. Where a machine may be one of several offers, the dearest counts: a guard
 * that thinks too little is spent stops too late. */
struct fits {
    struct price_row row;
    enum market market;
    size_t found;
    bool listed; /* some region sells it */
};

/* "n1-standard-4+1xT4" is an n1-standard-4 to the cloud: the devices were added. */
static bool is_instance(const struct price_row *row, struct str instance, int64_t gpus)
{
    if (str_eq_nocase(row->instance, instance))
        return true;
    return row->instance.len > instance.len && row->instance.at[instance.len] == '+' &&
           str_eq_nocase((struct str){row->instance.at, instance.len}, instance) &&
           row->count == gpus;
}

static bool is_gpu(const struct price_row *row, const struct accelerator *gpu, int64_t gpus)
{
    return (gpus < 0 || row->count == gpus) &&
           (gpu == NULL || str_eq(row->accelerator, gpu->name));
}

/* Where its type is not told, what it has must do. */
static bool is_machine(const struct price_row *row, const struct run_price_request *r,
                       const struct accelerator *gpu)
{
    const struct metadata *m = r->machine;

    if (row->instance.len == 0 || !str_eq(row->provider, m->provider))
        return false;
    if (m->instance.len == 0)
        return gpu != NULL && r->gpus > 0 && is_gpu(row, gpu, r->gpus);
    return is_instance(row, m->instance, r->gpus) &&
           (!str_eq_nocase(row->instance, m->instance) ? is_gpu(row, gpu, r->gpus) : true);
}

/* Its price in the machine's own market, or on demand when that one is not known. */
static usd_per_hour price_there(const struct price_row *row, bool spot, enum market *market)
{
    *market = spot && row->spot.nano != MONEY_UNKNOWN ? MARKET_SPOT : MARKET_ON_DEMAND;
    return price_row_price(row, *market);
}

static void look(const struct price_work *w, const struct accelerator *gpu, struct fits *fits)
{
    const struct metadata *m = w->request->machine;
    bool spot = str_eq(m->market, STR("spot"));
    struct price_row row;

    *fits = (struct fits){.found = 0};
    for (size_t i = 0; price_row_at(w->ctx, i, &row); i++) {
        enum market market;
        usd_per_hour price;

        if (!is_machine(&row, w->request, gpu))
            continue;
        fits->listed = true;
        price = price_there(&row, spot, &market);
        if (price.nano == MONEY_UNKNOWN ||
            (m->region.len > 0 && !str_eq_nocase(row.region, m->region) &&
             !str_eq(row.region, STR("*"))))
            continue;
        if (fits->found++ > 0 &&
            usd_per_hour_compare(price, price_row_price(&fits->row, fits->market)) <= 0)
            continue;
        fits->row = row;
        fits->market = market;
    }
}

/* "aws us-east-1 g9.huge" */
static bool machine_words(struct price_work *w, const char *before, const char *after,
                          struct str *out, struct error *err)
{
    const struct metadata *m = w->request->machine;
    struct buf text = buf_new(w->ctx->arena->alloc, 512);

    buf_adds(&text, before);
    buf_add_safe(&text, m->provider);
    if (m->region.len > 0) {
        buf_char(&text, '/');
        buf_add_safe(&text, m->region);
    }
    if (m->instance.len > 0) {
        buf_char(&text, '/');
        buf_add_safe(&text, m->instance);
    }
    buf_adds(&text, after);
    return price_text(w, &text, out, err);
}

static bool not_found(struct price_work *w, const struct fits *fits, struct error *err)
{
    const struct metadata *m = w->request->machine;

    w->out->hint = m->instance.len == 0 && (w->request->gpu.len == 0 || w->request->gpus < 1)
                       ? STR("say --price '$2.49/hr', as the provider's page of this machine "
                             "has it")
                       : STR("'stint price fetch' may know it; --price '$2.49/hr' says it");
    return machine_words(w, "not known: ",
                         m->instance.len == 0 ? " does not say which machine this is"
                         : fits->listed       ? " has no price in this region"
                                              : " is not in the catalog",
                         &w->out->source, err);
}

static void say_doubts(const struct price_work *w, const struct fits *fits)
{
    const struct metadata *m = w->request->machine;

    if (fits->found > 1)
        message_warn(
            &w->ctx->messages,
            "this machine may be one of %zu offers of %.*s: counted as %.*s, the dearest; "
            "--price says what you pay",
            fits->found, STR_ARG(m->provider), STR_ARG(w->out->offer));
    if (str_eq(m->market, STR("spot")) && fits->market != MARKET_SPOT)
        message_warn(
            &w->ctx->messages,
            "no spot price of %.*s is known: counted at the on-demand price, which is more",
            STR_ARG(w->out->offer));
    else if (m->market.len == 0 && fits->row.spot.nano != MONEY_UNKNOWN)
        message_note(
            &w->ctx->messages,
            "whether this is a spot machine is not known: counted at the on-demand price");
}

bool price_of_machine(struct price_work *w, struct error *err)
{
    const struct accelerator *gpu = NULL;
    enum name_match match;
    struct fits fits;

    if (!price_rows_load(w->ctx, err) ||
        !op_catalog(w->ctx, TABLE_BIT(TABLE_ACCELERATORS) | TABLE_BIT(TABLE_NAMES), err))
        return false;
    if (w->request->gpu.len > 0)
        gpu = accelerator_search(&w->ctx->catalog, w->request->gpu, &match);
    look(w, gpu, &fits);
    if (fits.found == 0)
        return not_found(w, &fits, err);
    w->out->how = RUN_PRICE_MACHINE;
    if (!price_take(w, &fits.row, fits.market, err))
        return false;
    say_doubts(w, &fits);
    return true;
}
