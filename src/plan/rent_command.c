#include "plan/rent_command.h"

#include <string.h>

struct rent_wish {
    struct str provider, region, instance;
    struct str zone; /* of the region, where the cloud wants one; empty: any */
    int64_t machines;
    usd_per_hour most; /* of one machine; unknown: the cloud's own limit */
};

/* "40.96", without the currency. */
static void put_most(usd_per_hour most, struct buf *out)
{
    buf_addf(out, "%.4g", usd_per_hour_double(most));
}

static void rent_aws(const struct rent_wish *w, struct buf *out)
{
    buf_addf(out, "aws ec2 run-instances --region %.*s --instance-type %.*s --count %lld",
             STR_ARG(w->region), STR_ARG(w->instance), (long long)w->machines);
    buf_adds(out, " --image-id AMI --instance-market-options 'MarketType=spot");
    if (w->most.nano != MONEY_UNKNOWN) {
        buf_adds(out, ",SpotOptions={MaxPrice=");
        put_most(w->most, out);
        buf_char(out, '}');
    }
    buf_char(out, '\'');
}

static void rent_gcp(const struct rent_wish *w, struct buf *out)
{
    if (w->instance.len > 0 && memchr(w->instance.at, '+', w->instance.len) != NULL)
        return; /* a machine and accelerators that are attached to it */
    if (w->machines > 1)
        buf_addf(out, "gcloud compute instances bulk create --count %lld --name-pattern NAME-#",
                 (long long)w->machines);
    else
        buf_adds(out, "gcloud compute instances create NAME");
    buf_addf(out, " --machine-type %.*s --zone ", STR_ARG(w->instance));
    if (w->zone.len > 0)
        buf_add(out, w->zone);
    else
        buf_addf(out, "%.*s-ZONE", STR_ARG(w->region));
    buf_adds(out, " --provisioning-model SPOT --instance-termination-action STOP");
}

static void rent_azure(const struct rent_wish *w, struct buf *out)
{
    buf_addf(out,
             "az vm create --resource-group GROUP --name NAME --location %.*s --size %.*s "
             "--image IMAGE --count %lld --priority Spot --eviction-policy Deallocate "
             "--max-price ",
             STR_ARG(w->region), STR_ARG(w->instance), (long long)w->machines);
    if (w->most.nano != MONEY_UNKNOWN)
        put_most(w->most, out);
    else
        buf_adds(out, "-1");
}

bool plan_rent_command(const struct plan *best, const struct plan_row *row, struct arena *arena,
                       struct str *out, struct error *err)
{
    static const struct {
        const char *provider;
        void (*write)(const struct rent_wish *wish, struct buf *out);
    } clouds[] = {{"aws", rent_aws}, {"gcp", rent_gcp}, {"azure", rent_azure}};
    const struct machine *m = best->place->machine;
    struct rent_wish wish = {.provider = m->provider,
                             .region = m->region,
                             .instance = m->instance,
                             .zone = m->spot_zone,
                             .machines = row->machines,
                             .most = m->on_demand};
    struct buf text = buf_new(arena->alloc, 600);

    for (size_t i = 0; i < ARRAY_LEN(clouds) && best->place->market == MARKET_SPOT; i++)
        if (str_eq(wish.provider, str_from(clouds[i].provider)))
            clouds[i].write(&wish, &text);
    return buf_keep(&text, arena, out, err);
}
