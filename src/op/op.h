/* op.h - one function for each thing a user can ask: a request struct in, a result struct out.
 *
 * The command line, the library (stint_call) and later the HTTP API and the Python package all
 * call these, so they cannot drift apart. One table names every operation with the fields of
 * its request and result; options, JSON and documentation come from it.
 *
 * An operation never exits, prints, handles signals or keeps state between calls.
 */
#ifndef OP_OP_H
#define OP_OP_H

#include "base/clock.h"
#include "base/message.h"
#include "catalog/catalog.h"
#include "doc/field.h"
#include "op/settings.h"

struct store; /* market/store.h */

struct op_context {
    struct arena *arena; /* holds the result; freed by the caller when done with it */
    const struct clock *clock;
    const struct settings *settings;
    const struct settings_origin *settings_origin;
    struct messages messages; /* empty: the operation is asked quietly */
    /* Told of long work: what, how much is done, of how much (0: unknown). NULL: nobody is. */
    void (*progress)(void *ctx, const char *label, uint64_t done, uint64_t total);
    void *progress_ctx;
    /* Should long work end, in good order? Asked first by the thread that runs the operation.
     * NULL: never. */
    bool (*stopped)(void);
    struct catalog catalog; /* tables are loaded when an operation first needs them */
    struct store *store;    /* opened likewise */
    bool live;              /* the store's offers are among the catalog's */
    bool journals_said;     /* that runs wait to be added to the ledger */
    bool partly; /* set by an operation that did not do all that was asked: exit status 1 */
    /* Set by an operation that passes on how another program ended: the exit status, and the
     * signal that ended it. 0: not set. */
    int status, signal;
    /* Set by an operation that has something left to do when its result has been told (or its
     * failure is certain). NULL: nothing. */
    void (*then)(struct op_context *ctx);
    void *then_ctx;
};

struct op {
    const char *name;    /* "price.list" */
    const char *schema;  /* "stint.price.list/1" */
    const char *summary; /* one line, no full stop */
    const struct field_set *request, *result;
    bool writes_config; /* so the configuration file need not be there, or be right */
    /* It may change something that stays (the ledger, prices, files, who was alerted): who asks
     * again because the result was lost would have it done twice. */
    bool changes;
    /* `request` and `result` point to the structs that the sets describe. */
    bool (*run)(struct op_context *ctx, const void *request, void *result, struct error *err);
};

/* Every operation. */
extern const struct op op_budget_split, op_catalog_list, op_catalog_show, op_config_init,
    op_config_show, op_estimate, op_gpu_fit, op_gpu_list, op_gpu_show, op_price_compare,
    op_price_diff, op_price_doctor, op_price_history, op_price_list, op_price_fetch,
    op_price_import, op_plan_recheck, op_plan_slots, op_price_regions, op_price_spot,
    op_price_value, op_region_list, op_spot_decide, op_spot_fleet, op_spot_interval,
    op_spot_risk, op_simulate, op_validate, op_plan, op_run_command, op_watch,
    op_checkpoints_best, op_checkpoints_list, op_checkpoints_prune, op_meters, op_compare,
    op_accuracy, op_calibrate, op_export, op_reconcile, op_runs, op_show, op_stop, op_top,
    op_tune, op_costs, op_ledger_init, op_import, op_bills, op_bills_remove, op_alert_ack,
    op_alert_raise, op_alert_add, op_alert_channels, op_alert_list, op_alert_log,
    op_alert_remove, op_alert_send, op_alert_test, op_costs_gpus, op_costs_movers,
    op_costs_repeats, op_costs_spot, op_costs_storage, op_costs_trend, op_rates_import,
    op_rates_list, op_allocation_check, op_allocation_remove, op_allocation_set,
    op_allocation_show, op_counts_add, op_counts_import, op_counts_list, op_counts_remove,
    op_run_add, op_statement, op_tags, op_tags_set, op_unit_costs, op_budget_check,
    op_budget_list, op_budget_remove, op_budget_set, op_budget_show, op_anomalies, op_forecast,
    op_ledger_copy, op_ledger_doctor;
extern const struct op *const op_table[];
extern const size_t op_count;

const struct op *op_find(struct str name);

/* A context to ask another operation in, with its own arena, catalog and store, so that it may
 * outlive the call or be used by another thread; `quiet`: without notes and warnings. op_done()
 * it. */
struct op_context op_apart(const struct op_context *ctx, struct arena *arena, bool quiet);

/* Run it on a request that is filled in. When it fails because the price store is damaged, that
 * is mended first and it runs again. */
bool op_run(struct op_context *ctx, const struct op *op, const void *request, void *result,
            struct error *err) MUST_USE;

/* Run an operation on a request in JSON (an object; empty means all defaults) and write its
 * result as JSON. This is what the library and servers do. */
bool op_call(struct op_context *ctx, const struct op *op, struct str request, struct buf *out,
             struct error *err) MUST_USE;

/* Today, by the context's clock. */
day op_today(const struct op_context *ctx);

/* The process is ours alone, not a program that has loaded our library: call it first of all
 * (ledger_own_process). */
void op_own_process(void);

/* Load the wanted tables (TABLE_BIT): built in, then the user's catalog folder. */
bool op_catalog(struct op_context *ctx, unsigned tables, struct error *err) MUST_USE;

/* Of one table the rows of one provider, for who asks no more (catalog_load_provider). */
bool op_catalog_provider(struct op_context *ctx, enum catalog_table table, struct str provider,
                         struct catalog *out, struct error *err) MUST_USE;

/* The price store of the settings, opened at its first use (store_open). NULL with the error
 * set. */
const struct store *op_store(struct op_context *ctx, struct error *err) MUST_USE;

/* Load the catalog's offers, and put those of the store among them, with the user's discounts
 * taken off. */
bool op_offers(struct op_context *ctx, struct error *err) MUST_USE;

/* Where it is; NULL with the error set when there is no home. */
const char *op_store_path(struct op_context *ctx, struct error *err) MUST_USE;

/* Close what the context opened. */
void op_done(struct op_context *ctx);

/* The accelerator that `name` means (accelerator_typed); `quiet`: without the note. */
const struct accelerator *op_accelerator(struct op_context *ctx, struct str name, bool quiet,
                                         struct error *err) MUST_USE;

/* The GPU and the count of "H100x8" (accelerator_count). */
bool op_gpu_count(struct op_context *ctx, struct str text, struct str *name, int64_t *count,
                  struct error *err) MUST_USE;

#endif
