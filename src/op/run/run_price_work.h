/* run_price_work.h - a price being found: what the files of run_price share. */
#ifndef OP_RUN_RUN_PRICE_WORK_H
#define OP_RUN_RUN_PRICE_WORK_H

#include "op/run/run_price.h"
#include "op/run/run_price_rows.h"

struct price_work {
    struct op_context *ctx; /* its arena and catalog last as long as the work */
    const struct run_price_request *request;
    struct run_price *out; /* texts are the work's, and copied in the end */
};

/* --offer: by its name. */
bool price_of_offer(struct price_work *w, struct error *err) MUST_USE;

/* The machine that the cloud says this is. True, with the price unknown, when the catalog
 * does not have it. */
bool price_of_machine(struct price_work *w, struct error *err) MUST_USE;

/* --plan: what it predicts, and its price unless there is one already. */
bool price_of_plan(struct price_work *w, struct error *err) MUST_USE;

/* Electricity is what is paid: as said, else by the settings. */
bool price_electricity(struct price_work *w, struct error *err) MUST_USE;

/* Did anybody say what a kWh costs here, or where here is? */
bool price_has_tariff(const struct price_work *w);

/* This row in this market is it. */
bool price_take(struct price_work *w, const struct price_row *row, enum market market,
                struct error *err) MUST_USE;

/* Warn of a price that is old, or from the future. */
void price_warn_age(const struct price_work *w, struct str what, day date);

/* ", price of 2026-11-09 (6 days old)". */
void price_write_date(const struct price_work *w, day date, struct buf *out);

/* How the provider bills (loads what it needs). */
bool price_terms(struct price_work *w, struct error *err) MUST_USE;

/* How clean the power is there. */
bool price_carbon(struct price_work *w, struct error *err) MUST_USE;

/* The text of a buffer as the work's own; the buffer is freed. */
bool price_text(struct price_work *w, struct buf *text, struct str *out,
                struct error *err) MUST_USE;

#endif
