/* tco_load.h - the load that owned machines would carry, and the ways to carry it.
 *
 * Pure: the hours of a file, runs of the ledger as records, prices as numbers.
 */
#ifndef ADVISE_TCO_LOAD_H
#define ADVISE_TCO_LOAD_H

#include "advise/economics/hybrid.h"
#include "advise/economics/tco.h"
#include "base/message.h"
#include "ledger/ledger.h"

/* A way to carry the load. */
struct tco_split {
    struct str way;          /* "cheapest split", "all on-demand", ... */
    int64_t owned, reserved; /* machines */
    double rented_gpu_hours; /* in the load's hours */
    double owned_use;        /* share of the owned GPUs' hours in use; NaN: none is owned */
    usd owned_year, reserved_year, rented_year, year;
    bool best;
};

extern const struct field_set tco_split_fields, tco_load_fields;

struct tco_load {
    struct str source; /* "load.csv", "the ledger, 90 days", "8+16@10%" */
    double hours, gpu_hours, mean, peak;
    struct str burst;  /* market of what is rented by the hour */
    struct rows ways;  /* struct tco_split */
    struct rows curve; /* struct tco_split: by owned machines, around the best */
    usd saved_year;    /* by the cheapest split, against renting all by the hour */
};

/* A CSV file with one line for each hour: a number of GPUs, or a column 'gpus'. */
bool tco_load_read(struct str text, const char *path, struct arena *arena,
                   struct hybrid_load *out, struct error *err) MUST_USE;

/* Runs under way from `since` to before `until`; they may have begun before. */
struct tco_runs {
    const struct ledger_run *at;
    size_t count;
    day since, until;
    stamp now; /* to which attempts count that have not ended */
};

/* What the runs used of a GPU, hour by hour. Notes what is on other GPUs. ERROR_ABSENT when
 * there is nothing. */
bool tco_load_of_runs(const struct tco_runs *runs, const struct catalog *catalog,
                      const struct accelerator *gpu, const struct messages *messages,
                      struct arena *arena, struct hybrid_load *out, struct error *err) MUST_USE;

/* The cheapest prices of the market, in dollars for a GPU-hour; NaN: there is none. */
struct tco_prices {
    double on_demand, spot;
    double reserved; /* the cheapest of all terms */
    int64_t reserved_gpus;
};

/* The ways to carry the load with machines of so many GPUs, the rest rented in the market
 * `burst`. `source` and `burst` are set by the caller. */
bool tco_carry_load(const struct hybrid_load *load, const struct tco_cost *cost, int64_t gpus,
                    const struct tco_prices *prices, struct arena *arena, struct tco_load *out,
                    struct error *err) MUST_USE;

#endif
