/* A day of a run as a line of FOCUS: what ran, on what, for how long, for how much; and a month
 * of a recurring cost. */
#include <math.h>

#include "doc/json_write.h"
#include "op/account/export_focus.h"
#include "unit/energy.h"

const struct focus_extra export_extras[EXPORT_EXTRAS] = {
    {"x_RunId", FOCUS_TEXT},
    {"x_EnergyKWh", FOCUS_DECIMAL},
    {"x_EmissionsGCO2e", FOCUS_DECIMAL},
    {"x_GpuHours", FOCUS_DECIMAL},
    {"x_GpuUtilization", FOCUS_DECIMAL},
};

/* Texts are put one after the other and pointed at when all are there: the room may move. */
struct piece {
    size_t from, len;
};

static struct piece put_number(double value, int decimals, struct buf *room)
{
    struct piece p = {room->len, 0};

    if (isfinite(value)) {
        buf_addf(room, "%.*f", decimals, value);
        p.len = room->len - p.from;
    }
    return p;
}

static struct piece put_details(const struct export_run *run, struct buf *room)
{
    struct piece p = {room->len, 0};

    buf_adds(room, "{\"InstanceType\":");
    json_write_text(run->of->of[DIMENSION_instance], room);
    if (run->charge->gpus >= 0)
        buf_addf(room, ",\"GpuCount\":%d", run->charge->gpus);
    buf_char(room, '}');
    p.len = room->len - p.from;
    return p;
}

static struct piece put_sku(const struct export_run *run, struct buf *room)
{
    struct piece p = {room->len, 0};

    buf_add(room, run->of->of[DIMENSION_provider]);
    buf_char(room, '/');
    buf_add(room, run->of->of[DIMENSION_instance].len > 0 ? run->of->of[DIMENSION_instance]
                                                          : STR("machine"));
    buf_char(room, ':');
    buf_add(room, run->of->of[DIMENSION_pricing]);
    p.len = room->len - p.from;
    return p;
}

static struct str at(const struct buf *room, struct piece p)
{
    return (struct str){p.len > 0 ? buf_text(room).at + p.from : NULL, p.len};
}

static struct str or_null(struct str text)
{
    return text.len > 0 ? text : (struct str){0};
}

/* What FOCUS calls the ways of paying. */
static struct str pricing(struct str ours)
{
    if (str_eq(ours, STR("spot")))
        return STR("Dynamic");
    if (str_eq(ours, STR("committed")))
        return STR("Committed");
    return str_eq(ours, STR("on-demand")) ? STR("Standard") : STR("Other");
}

static void fixed_columns(const struct export_run *run, struct bill_line *out)
{
    const struct str *of = run->of->of;

    out->of[FOCUS_ProviderName] = out->of[FOCUS_PublisherName] = of[DIMENSION_provider];
    out->of[FOCUS_ServiceProviderName] = out->of[FOCUS_HostProviderName] =
        of[DIMENSION_provider];
    out->of[FOCUS_InvoiceIssuerName] = of[DIMENSION_provider];
    out->of[FOCUS_BillingAccountId] =
        of[DIMENSION_account].len > 0 ? of[DIMENSION_account] : STR("stint-ledger");
    out->of[FOCUS_BillingAccountName] = out->of[FOCUS_BillingAccountId];
    out->of[FOCUS_BillingAccountType] = STR("Ledger");
    out->of[FOCUS_BillingCurrency] = out->of[FOCUS_PricingCurrency] = STR("USD");
    out->of[FOCUS_ChargeCategory] = STR("Usage");
    out->of[FOCUS_ChargeFrequency] = STR("Usage-Based");
    out->of[FOCUS_ChargeDescription] = or_null(run->charge->name);
    out->of[FOCUS_ServiceCategory] = STR("Compute");
    out->of[FOCUS_ServiceSubcategory] = STR("Virtual Machines");
    out->of[FOCUS_ServiceName] = of[DIMENSION_service];
    out->of[FOCUS_SkuMeter] = STR("Machine Hours");
    out->of[FOCUS_PricingCategory] = pricing(of[DIMENSION_pricing]);
    out->of[FOCUS_PricingUnit] = out->of[FOCUS_ConsumedUnit] = STR("Hours");
    out->of[FOCUS_RegionId] = out->of[FOCUS_RegionName] = or_null(of[DIMENSION_region]);
    out->of[FOCUS_ResourceId] = run->charge->id;
    out->of[FOCUS_ResourceName] = or_null(run->charge->name);
    out->of[FOCUS_ResourceType] = STR("Run");
    out->of[FOCUS_Tags] = run->charge->tags;
}

bool export_run_line(const struct export_run *run, struct buf *room, struct bill_line *out,
                     struct str extras[EXPORT_EXTRAS], struct error *err)
{
    const struct ledger_charge *c = run->charge;
    double part = (double)(run->to.s - run->from.s) / (double)run->whole;
    double hours = (double)c->elapsed.ns / 3.6e12 * part;
    struct piece quantity, details, sku, energy, carbon, gpu_hours, busy;

    *out = (struct bill_line){.start = run->from,
                              .end = run->to,
                              .period_start = stamp_month(run->from),
                              .period_end = stamp_next_month(run->from)};
    out->billed = out->effective = decimal_trim((struct decimal){run->nano, 9}, 0);
    buf_clear(room);
    fixed_columns(run, out);
    quantity = put_number(c->elapsed.ns >= 0 ? hours : NAN, 9, room);
    details = put_details(run, room);
    sku = put_sku(run, room);
    energy = put_number(c->joules / JOULES_PER_KWH * part, 6, room);
    carbon = put_number(c->grams * part, 3, room);
    gpu_hours = put_number(c->gpus >= 0 && c->elapsed.ns >= 0 ? hours * c->gpus : NAN, 6, room);
    busy = put_number(c->gpu_busy, 4, room);
    if (!buf_ok(room, err))
        return false;
    out->of[FOCUS_PricingQuantity] = out->of[FOCUS_ConsumedQuantity] = at(room, quantity);
    out->of[FOCUS_SkuPriceDetails] = at(room, details);
    out->of[FOCUS_SkuId] = out->of[FOCUS_SkuPriceId] = at(room, sku);
    extras[0] = c->id;
    extras[1] = at(room, energy);
    extras[2] = at(room, carbon);
    extras[3] = at(room, gpu_hours);
    extras[4] = at(room, busy);
    return true;
}

/* ---- recurring costs ---- */

static struct piece put_tags(const struct dimensions *of, struct buf *room)
{
    struct piece p = {room->len, 0};

    for (int d = DIMENSION_FIRST_TAG; d < DIMENSION_COUNT; d++)
        if (of->of[d].len > 0) {
            buf_char(room, room->len == p.from ? '{' : ',');
            json_write_text(str_from(dimension_name((enum dimension)d)), room);
            buf_char(room, ':');
            json_write_text(of->of[d], room);
        }
    if (room->len > p.from)
        buf_char(room, '}');
    p.len = room->len - p.from;
    return p;
}

/* Paid as it is used, by the day: FOCUS has no effective cost for what is bought. */
bool export_recurring_line(const struct export_recurring *r, struct buf *room,
                           struct bill_line *out, struct error *err)
{
    struct str provider = r->cost.of.of[DIMENSION_provider];
    struct piece days, tags, sku;
    stamp from = {r->from.n * SECONDS_PER_DAY};

    *out = (struct bill_line){.start = from,
                              .end = {r->until.n * SECONDS_PER_DAY},
                              .period_start = stamp_month(from),
                              .period_end = stamp_next_month(from)};
    out->billed = out->effective = decimal_trim(r->amount, 0);
    buf_clear(room);
    days = put_number(r->until.n - r->from.n, 0, room);
    tags = put_tags(&r->cost.of, room);
    sku.from = room->len;
    buf_add(room, provider);
    buf_char(room, '/');
    buf_add(room, r->cost.name);
    sku.len = room->len - sku.from;
    if (!buf_ok(room, err))
        return false;
    out->of[FOCUS_ProviderName] = out->of[FOCUS_PublisherName] = provider;
    out->of[FOCUS_ServiceProviderName] = out->of[FOCUS_HostProviderName] = provider;
    out->of[FOCUS_InvoiceIssuerName] = provider;
    out->of[FOCUS_BillingAccountId] = out->of[FOCUS_BillingAccountName] = STR("stint-ledger");
    out->of[FOCUS_BillingAccountType] = STR("Ledger");
    out->of[FOCUS_BillingCurrency] = out->of[FOCUS_PricingCurrency] =
        str_from(r->cost.cost.currency);
    out->of[FOCUS_ChargeCategory] = STR("Usage");
    out->of[FOCUS_ChargeFrequency] = STR("Recurring");
    out->of[FOCUS_ChargeDescription] = out->of[FOCUS_ServiceName] = r->cost.name;
    out->of[FOCUS_ServiceCategory] = STR("Other");
    out->of[FOCUS_ServiceSubcategory] = STR("Other (Other)");
    out->of[FOCUS_SkuMeter] = STR("Days");
    out->of[FOCUS_PricingCategory] = STR("Standard");
    out->of[FOCUS_PricingUnit] = out->of[FOCUS_ConsumedUnit] = STR("Days");
    out->of[FOCUS_PricingQuantity] = out->of[FOCUS_ConsumedQuantity] = at(room, days);
    out->of[FOCUS_SkuId] = out->of[FOCUS_SkuPriceId] = at(room, sku);
    out->of[FOCUS_Tags] = at(room, tags);
    return true;
}
