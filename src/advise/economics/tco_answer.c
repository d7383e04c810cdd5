#include "advise/economics/tco_answer.h"

#include <math.h>

#include "catalog/machine.h"
#include "doc/notes.h"

static const struct field fields[] = {
    FIELD(TEXT, tco_result, machine, .empty_unknown = true, .help = "machine in the catalog"),
    FIELD(TEXT, tco_result, gpu, .help = "GPU of the machine"),
    FIELD(COUNT, tco_result, gpus, .help = "GPUs per machine"),
    FIELD(TEXT, tco_result, site, .help = "site whose usual costs were assumed"),
    FIELD(NUMBER, tco_result, utilization, .help = "share of hours in use"),
    FIELD(RATE, tco_result, gpu_hour, .help = "total cost of a GPU-hour in use"),
    FIELD(RATE, tco_result, gpu_hour_low, .help = "low end of the cost of a GPU-hour"),
    FIELD(RATE, tco_result, gpu_hour_high, .help = "high end of the cost of a GPU-hour"),
    FIELD(RATE, tco_result, gpu_hour_full,
          .help = "total cost of a GPU-hour at 100 % utilization"),
    FIELD(USD, tco_result, year, .help = "yearly cost of the machine"),
    FIELD(USD, tco_result, invested,
          .help = "initial investment: machine, network, spare capacity"),
    FIELD(NUMBER, tco_result, kwh_year, .help = "energy with cooling, kWh per year"),
    FIELD(NUMBER, tco_result, available, .help = "share of hours without repairs"),
    FIELD(LIST, tco_result, parts, .row = &tco_part_fields, .help = "parts of the cost"),
    FIELD(LIST, tco_result, assumptions, .row = &tco_assumption_fields,
          .help = "assumptions, the most influential first"),
    FIELD_AS("market", LIST, tco_result, rivals, .row = &tco_rival_fields,
             .help = "owning compared with renting"),
    FIELD(RECORD, tco_result, age, .row = &price_age_fields, .help = "age of the prices"),
    FIELD(RECORD, tco_result, load, .row = &tco_load_fields, .sparse = true,
          .help = "cheapest split of a load"),
    FIELD(TEXTS, tco_result, notes, .help = "limitations of the answer"),
    FIELD(TEXT, tco_result, svg, .help = "file that was written"),
};
const struct field_set tco_fields = FIELD_SET(struct tco_result, fields);

/* ---- the machine ---- */

const struct onprem *tco_machine_find(const struct catalog *catalog, struct str name,
                                      const struct accelerator *gpu, int64_t count)
{
    const struct onprem *found = NULL;

    for (size_t i = 0; i < catalog->tables[TABLE_ONPREM].len; i++) {
        const struct onprem *row = CATALOG_ROW(catalog, TABLE_ONPREM, onprem, i);

        if (name.len > 0
                ? !str_eq_nocase(row->machine, name)
                : !str_eq(row->accelerator, gpu->name) || (count > 0 && row->count != count))
            continue;
        if (found == NULL || str_starts(found->machine, STR("guide-")))
            found = row;
    }
    return found;
}

bool tco_machine_absent(const struct catalog *catalog, struct str name, struct error *err)
{
    struct suggestion s = {.wanted = name};

    for (size_t i = 0; i < catalog->tables[TABLE_ONPREM].len; i++)
        suggestion_try(&s, CATALOG_ROW(catalog, TABLE_ONPREM, onprem, i)->machine);
    error_set(err, ERROR_ABSENT, "there is no machine or GPU '%.*s'", STR_ARG(name));
    if (!suggestion_hint(&s, err))
        error_hint(err, "'stint catalog show onprem' lists machines, 'stint gpu list' GPUs");
    return false;
}

static double known_usd(usd amount)
{
    return amount.nano == MONEY_UNKNOWN ? NAN : usd_double(amount);
}

void tco_take_given(const struct tco_given *from, double given[static TCO_ITEMS])
{
    given[TCO_PRICE] = known_usd(from->price);
    given[TCO_YEARS] = from->years;
    given[TCO_RESALE] = from->resale;
    given[TCO_CAPITAL] = from->capital;
    given[TCO_NETWORK] = from->network;
    given[TCO_MAINTENANCE] = from->maintenance;
    given[TCO_SOFTWARE] = known_usd(from->software);
    given[TCO_STAFF] = known_usd(from->staff);
    given[TCO_SPACE] = known_usd(from->space);
    given[TCO_POWER] = from->power_kw;
    given[TCO_IDLE] = from->idle;
    given[TCO_PUE] = from->pue;
    given[TCO_ELECTRICITY] =
        from->electricity.nano == MONEY_UNKNOWN ? NAN : (double)from->electricity.nano / 1e9;
    given[TCO_FAILURES] = from->failures;
    given[TCO_REPAIR] = from->repair_days;
    given[TCO_UTILIZATION] = from->utilization;
}

/* Is it a machine of the catalog, at its price? */
static bool is_listed(const struct tco_ask *ask)
{
    return ask->row != NULL && isnan(ask->given[TCO_PRICE]);
}

bool tco_answer(const struct catalog *catalog, const struct tco_ask *ask, struct arena *arena,
                struct tco_result *out, struct error *err)
{
    struct tco_machine full;
    struct tco_effect effects[TCO_ITEMS];
    double low, high;

    if (!tco_gather(catalog, ask, &out->inputs, err))
        return false;
    out->cost = tco_compute(&out->inputs);
    full = out->inputs;
    full.in[TCO_UTILIZATION].value = 1;
    tco_effects(&out->inputs, effects);
    tco_range(effects, out->cost.gpu_hour, &low, &high);
    out->machine = is_listed(ask) ? ask->row->machine : (struct str){0};
    out->gpu = ask->gpu->name;
    out->gpus = ask->gpus;
    out->site = ask->site;
    out->utilization = out->inputs.in[TCO_UTILIZATION].value;
    out->gpu_hour = tco_rate(out->cost.gpu_hour);
    out->gpu_hour_low = tco_rate(low);
    out->gpu_hour_high = tco_rate(high);
    out->gpu_hour_full = tco_rate(tco_compute(&full).gpu_hour);
    out->year = usd_about(out->cost.year);
    out->invested = usd_about(out->cost.invested);
    out->kwh_year = round(out->cost.kwh_year);
    out->available = 1 - out->cost.down;
    return tco_explain(&out->inputs, &out->cost, arena, &out->parts, err) &&
           tco_assumptions(&out->inputs, arena, &out->assumptions, err);
}

/* ---- the market ---- */

struct tco_rival *tco_add_rival(struct tco_result *res, struct tco_rival *rivals,
                                const struct machine *machine, enum market market, double price,
                                bool always)
{
    struct tco_rival *r = &rivals[res->rivals.len];
    bool spot = market == MARKET_SPOT;

    *r = tco_against(&res->inputs, &res->cost, price, always);
    r->market = str_from(market_names[market]);
    r->offer = machine->name;
    r->price_low = usd_per_hour_share(machine->price_low, machine->count);
    r->price_high = usd_per_hour_share(machine->price_high, machine->count);
    r->date = spot && machine->spot_date.n > 0 ? machine->spot_date : machine->fact.date;
    res->rivals = (struct rows){rivals, res->rivals.len + 1};
    return r;
}

bool tco_note_catalog(const struct catalog *catalog, const struct tco_ask *ask,
                      struct arena *arena, struct tco_result *res, struct error *err)
{
    double listed = is_listed(ask) ? usd_per_hour_double(ask->row->usd_per_gpu_hour) : NAN;
    struct tco_machine as_listed;
    struct tco_ask plain = *ask;
    struct error ignored = {0};

    for (int i = 0; i < TCO_ITEMS; i++)
        plain.given[i] = NAN;
    plain.only_given = false;
    return isnan(listed) || !tco_gather(catalog, &plain, &as_listed, &ignored) ||
           fabs(tco_compute(&as_listed).gpu_hour / listed - 1) < 0.02 ||
           note_add(&res->notes, arena, err,
                    "plans count $%.2f a GPU-hour for %.*s (onprem.csv)", listed,
                    STR_ARG(ask->row->machine));
}
