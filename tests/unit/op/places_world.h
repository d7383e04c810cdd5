/* places_world.h - a market with facts of the user's own, and the places that come of it. */
#ifndef TESTS_OP_PLACES_WORLD_H
#define TESTS_OP_PLACES_WORLD_H

#include "market_world.h"

#include <sys/stat.h>

#include "estimate/money/terms.h"
#include "op/plan/prepare.h"
#include "spot/interruption.h"

/* The user's own facts: a provider with one machine, one without a fast network, a machine in a
 * rack, a platform. */
static inline void write_facts(struct world *w)
{
    static const char *const files[][2] = {
        {"offers.csv", "provider,region,instance,accelerator,count,memory_gib,on_demand_usd_h,"
                       "spot_usd_h,date,"
                       "source\n"
                       "acme,eu-1,a,H100-SXM-80GB,8,1024,20,8,2026-11-14,us\n"
                       "acme,eu-1,b,A100-SXM-80GB,4,,10,,2026-11-14,us\n"
                       "acme,us-1,a,H100-SXM-80GB,8,1024,22,,2026-06-01,us\n"
                       "acme,us-1,t,T4,1,,0.5,,2026-11-14,us\n"
                       "acme,us-1,u,Gaudi1,8,,9,,2026-11-14,us\n"
                       "hosts,*,h,RTX4090,1,,0.4,0.2,2026-11-14,us\n"},
        {"providers.csv",
         "provider,title,notice_s,billing_s,minimum_s,setup_s,reliability,date,source\n"
         "acme,Acme,60,60,120,300,0.99,2026-11-14,us\n"
         "hosts,Hosts,,,,,,2026-11-14,us\n"},
        {"networks.csv",
         "provider,instance,gbit_s,kind,joinable,max_machines,quality,date,source\n"
         "acme,*,1600,InfiniBand,yes,,C,2026-11-14,us\n"
         "acme,b,25,Ethernet,yes,6,A,2026-11-14,us\n"},
        {"commitments.csv",
         "provider,kind,term_months,discount_low,discount_high,automatic,date,source\n"
         "acme,commitment,12,0.2,0.4,no,2026-11-14,us\n"
         "acme,commitment,36,,0.6,no,2026-11-14,us\n"
         "acme,spot,0,0.5,0.6,no,2026-11-14,us\n"},
        {"managed.csv", "provider,product,training_markup,date,source\n"
                        "acme,Acme Train,0.25,2026-11-14,us\n"
                        "acme,Acme Secret,,2026-11-14,us\n"},
        {"onprem.csv", "machine,accelerator,count,usd_per_gpu_hour,date,source\n"
                       "rack,A100-SXM-80GB,8,0.9,2026-11-14,us\n"},
        {"regions.csv", "provider,region,carbon_g_kwh,pue,date,source\n"
                        "acme,eu-1,50,1.1,2026-11-14,us\n"},
    };
    static char facts[100];
    char path[160];

    (void)snprintf(facts, sizeof facts, "%s/facts", market_folder);
    assert_int_equal(mkdir(facts, 0700), 0);
    w->settings.catalog = str_from(facts);
    for (size_t i = 0; i < ARRAY_LEN(files); i++) {
        FILE *f;

        (void)snprintf(path, sizeof path, "%s/facts/%s", market_folder, files[i][0]);
        f = fopen(path, "w");
        assert_non_null(f);
        (void)fputs(files[i][1], f);
        assert_int_equal(fclose(f), 0);
    }
}

struct gathered {
    struct job job;
    struct plan_gather_ask ask;
    struct plan_place *at;
    size_t count;
    struct plan_places_facts facts;
    struct price_age age;
    struct error err;
};

static inline void start(struct world *w, struct gathered *g)
{
    *g =
        (struct gathered){.ask = {.places = {.max_age = SPAN_UNKNOWN}, .min_reliability = NAN}};
    assert_true(job_reset(&g->job, &w->arena, &g->err));
}

static inline bool gather_in(struct op_context *ctx, struct gathered *g)
{
    struct plan_gathered out;
    bool ok;

    g->err = (struct error){0};
    g->ask.places.job = &g->job;
    ok = plan_gather(ctx, &g->ask, &out, &g->err);
    g->at = out.places;
    g->count = out.count;
    g->facts = out.facts;
    g->age = out.age;
    return ok;
}

static inline void gather(struct world *w, struct gathered *g)
{
    if (!gather_in(&w->ctx, g))
        fail_msg("%s (%s)", g->err.text, g->err.hint);
}

static inline void refused(struct world *w, struct gathered *g, enum error_kind kind,
                           const char *text)
{
    assert_false(gather_in(&w->ctx, g));
    assert_int_equal(g->err.kind, kind);
    assert_says(g->err.text, text);
}

static inline const struct plan_place *find(const struct gathered *g, const char *offer,
                                            enum market market)
{
    for (size_t i = 0; i < g->count; i++)
        if (str_eq(g->at[i].machine->name, str_from(offer)) && g->at[i].market == market)
            return &g->at[i];
    return NULL;
}

static inline const struct plan_place *place(const struct gathered *g, const char *offer,
                                             enum market market)
{
    const struct plan_place *p = find(g, offer, market);

    if (p == NULL)
        fail_msg("there is no %s of %s", market_names[market], offer);
    return p;
}

static inline unsigned bars(const struct gathered *g, const char *offer, enum market market)
{
    return place(g, offer, market)->bars;
}

#define LIST(...) \
    ((struct strs){(const struct str[]){__VA_ARGS__}, \
                   sizeof((const struct str[]){__VA_ARGS__}) / sizeof(struct str)})

#endif
