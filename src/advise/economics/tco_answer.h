/* tco_answer.h - what `stint tco` answers: the cost of a GPU-hour of an owned machine with its
 * parts and assumptions, what renting costs instead, and the ways to carry a load.
 *
 * The caller selects machines of the market; each is added here with its price.
 */
#ifndef ADVISE_TCO_ANSWER_H
#define ADVISE_TCO_ANSWER_H

#include "advise/economics/tco_load.h"
#include "catalog/price_age.h"

/* What users may give of a machine; unknown: not given. */
struct tco_given {
    usd price, software, staff, space;
    double years, resale, capital, network, maintenance, power_kw, idle, pue, failures,
        repair_days, utilization;
    usd_per_kwh electricity;
};

void tco_take_given(const struct tco_given *from, double given[static TCO_ITEMS]);

#define TCO_RIVALS_MAX 4

struct tco_result {
    struct str machine, gpu, site;
    int64_t gpus;
    double utilization;
    usd invested;
    usd_per_hour gpu_hour, gpu_hour_low, gpu_hour_high; /* in use */
    usd_per_hour gpu_hour_full;                         /* at 100 % */
    usd year;
    double kwh_year, available; /* with cooling; share of hours without repairs */
    struct rows parts, assumptions, rivals;
    struct price_age age; /* of the market's prices */
    struct tco_load load; /* no source: none was given */
    struct strs notes;
    struct str svg;
    /* For figures. */
    struct tco_machine inputs;
    struct tco_cost cost;
};

extern const struct field_set tco_fields;

/* The row of a name, or of GPUs (`count` 0: any number); a guide's example comes last. NULL
 * when there is none. */
const struct onprem *tco_machine_find(const struct catalog *catalog, struct str name,
                                      const struct accelerator *gpu, int64_t count);

/* ERROR_ABSENT "there is no machine or GPU", with what was probably meant. Returns false. */
bool tco_machine_absent(const struct catalog *catalog, struct str name, struct error *err);

/* What the machine costs: all but rivals, the load and the file. */
bool tco_answer(const struct catalog *catalog, const struct tco_ask *ask, struct arena *arena,
                struct tco_result *out, struct error *err) MUST_USE;

/* Add a machine of the market with the price of one of its GPUs. `rivals`: room for
 * TCO_RIVALS_MAX. `always`: it is paid for all hours, in use or not. */
struct tco_rival *tco_add_rival(struct tco_result *res, struct tco_rival *rivals,
                                const struct machine *machine, enum market market, double price,
                                bool always);

/* Say when plans count another cost for this machine. */
bool tco_note_catalog(const struct catalog *catalog, const struct tco_ask *ask,
                      struct arena *arena, struct tco_result *res, struct error *err) MUST_USE;

#endif
