#include "estimate/money/carbon.h"

#include <math.h>

#define GRAMS_PER_TONNE 1e6

const struct equivalent equivalents[EQUIVALENT_COUNT] = {
    [EQUIVALENT_CAR_KM] =
        {"car_km", "km by car", 249, 0, 2023,
         "US EPA, Greenhouse Gas Emissions from a Typical Passenger Vehicle: about "
         "400 g a mile at the tailpipe (estimate); a new car "
         "in Europe has less than half"},
    [EQUIVALENT_PHONE_CHARGES] =
        {"phone_charges", "phone charges", 12.4, 0, 2024,
         "US EPA, Greenhouse Gas Equivalencies Calculator: 1.24e-5 t a charge on the US grid "
         "(estimate)"},
    [EQUIVALENT_TREE_YEARS] =
        {"tree_years", "grown trees absorb in a year", 22000, 0, 2012,
         "European Environment Agency: about 22 kg a year for a mature tree, as quoted by "
         "carbocapture.org; published figures go from 6 to 40 kg"},
    [EQUIVALENT_HOUSEHOLD_DAYS] =
        {"household_days", "days of a US household's electricity", 0, 10715 / 365.0, 2020,
         "US EIA, How much electricity does an American home use: 10,715 kWh a year in 2020; a "
         "household in Europe has about a third"},
    [EQUIVALENT_FLIGHTS] =
        {"transatlantic_flights", "seats London - New York, one way", 493000, 0, 2019,
         "atmosfair, 986 kg for the return flight in economy, as quoted by The Guardian (from "
         "knowledge, page not checked); calculators go from 300 to 900 kg one way"},
};

double equivalent_of(enum equivalent_id id, gram_co2 carbon, joule energy)
{
    const struct equivalent *e = &equivalents[id];

    return e->kwh > 0 ? energy.j / JOULES_PER_KWH / e->kwh : carbon.g / e->grams;
}

const struct offset offsets[OFFSET_COUNT] = {
    [OFFSET_AVOIDANCE] =
        {"avoidance", "emissions avoided elsewhere", 0.88, 6.34, 19, 2025,
         "Ecosystem Marketplace 2025 (mean of the voluntary market) and market "
         "range, as quoted by senken.io, Understanding carbon credit prices"},
    [OFFSET_NATURE] =
        {"nature", "forests that grow", 17, 27, 50, 2025,
         "CEEZER and Sylvera for well-rated removal, as quoted by decarbonfuse.com "
         "2025-10; forestry credits 2022 by arbonics.com"},
    [OFFSET_DURABLE] = {"durable", "taken out of the air for centuries", 130, 320, 600, 2025,
                        "mean of durable removal (biochar, direct air capture) as quoted by "
                        "senken.io 2025; the range is an estimate"},
};

usd offset_at(double usd_per_tonne, gram_co2 carbon)
{
    if (!(carbon.g >= 0) || !(usd_per_tonne >= 0))
        return USD_UNKNOWN;
    return usd_from(carbon.g / GRAMS_PER_TONNE * usd_per_tonne);
}

struct offset_cost offset_cost_of(enum offset_kind kind, gram_co2 carbon)
{
    const struct offset *o = &offsets[kind];

    return (struct offset_cost){offset_at(o->low, carbon), offset_at(o->typical, carbon),
                                offset_at(o->high, carbon)};
}
