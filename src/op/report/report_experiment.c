/* A report of an experiment: a folder, of which the training time is known. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "base/fs.h"
#include "estimate/money/energy.h"
#include "op/context.h"
#include "op/job_source.h"
#include "op/ledger_open.h"
#include "op/report/report.h"
#include "report/experiment.h"

#define MOST_RUNS 1000 /* the newest, among which those of a folder are found */

/* ---- a run in that folder ---- */

/* The id of the newest run of the ledger that was started there; empty: none. */
static bool find_experiment_run(struct op_context *ctx, const char *folder, struct str *id,
                                struct error *err)
{
    struct ledger_query query = {.since = {-1}, .until = {-1}, .limit = MOST_RUNS};
    const struct ledger_run *runs = NULL;
    struct ledger *ledger;
    char real[PATH_MAX];
    size_t count = 0;
    bool ok;

    *id = (struct str){0};
    if (realpath(folder, real) == NULL)
        return true;
    if (!op_ledger_there(ctx, &ledger, err))
        return false;
    ok = ledger == NULL || ledger_runs(ledger, &query, ctx->arena, &runs, &count, err);
    for (size_t i = 0; ok && i < count && id->len == 0; i++)
        if (str_eq(runs[i].start.folder, str_from(real)))
            *id = str_from(runs[i].start.id);
    ledger_close(ledger);
    return ok;
}

/* ---- energy ---- */

static bool say_experiment_value(struct op_context *ctx, struct str *out, struct error *err,
                                 double watts, const char *what, struct str whose)
{
    struct buf text = buf_new(ctx->arena->alloc, 512);

    watt_write((watt){watts}, &text);
    buf_adds(&text, what);
    buf_add(&text, whose);
    return buf_keep(&text, ctx->arena, out, err);
}

static const struct local_machine *local_named(const struct catalog *catalog, struct str name)
{
    for (size_t i = 0; i < catalog->tables[TABLE_LOCAL].len; i++) {
        const struct local_machine *m = CATALOG_ROW(catalog, TABLE_LOCAL, local_machine, i);

        if (str_eq(m->machine, name))
            return m;
    }
    return NULL;
}

/* Watts of the machine: given, of the user's machine at work, or the most that machines with
 * this GPU draw. NaN when nothing is known. */
static bool find_watts(struct op_context *ctx, const struct report_request *req,
                       struct report_work *work, double *watts, struct error *err)
{
    const struct local_machine *own = NULL;
    struct constants constants;

    *watts = req->watts;
    if (!isnan(work->energy.j))
        return true;
    if (!isnan(*watts))
        return say_experiment_value(ctx, &work->energy_method, err, *watts, " given", STR(""));
    if (!op_catalog(ctx, TABLE_BIT(TABLE_LOCAL), err))
        return false;
    if (req->gpu.len == 0)
        own = local_named(&ctx->catalog, ctx->settings->machine);
    if (own != NULL) {
        *watts = own->load_w;
        return say_experiment_value(ctx, &work->energy_method, err, *watts,
                                    ", modeled: ", own->machine);
    }
    if (work->gpu == NULL)
        return true;
    if (!op_catalog(ctx, TABLE_BIT(TABLE_CONSTANTS), err) ||
        !op_constants(ctx, true, &constants, err))
        return false;
    *watts = node_watts(work->gpu, work->gpus > 0 ? work->gpus : 1,
                        board_watts(work->gpu, 1, 1, &constants), false, &constants);
    return isnan(*watts) ||
           say_experiment_value(ctx, &work->energy_method, err, *watts,
                                " at most, modeled: a machine with ", work->gpu->name);
}

static bool add_experiment_carbon(struct op_context *ctx, struct report_work *work,
                                  struct error *err)
{
    struct buf text = buf_new(ctx->arena->alloc, 512);
    const struct region *region;
    double grams = WORLD_G_KWH;

    if (!op_catalog(ctx, TABLE_BIT(TABLE_REGIONS), err)) {
        buf_free(&text);
        return false;
    }
    region = region_find(&ctx->catalog, STR("local"), ctx->settings->country);
    if (region != NULL && !isnan(region->carbon_g_kwh)) {
        grams = region->carbon_g_kwh;
        buf_addf(&text, "%.0f g/kWh, %.*s, %.*s %.*s", grams, STR_ARG(region->place),
                 STR_ARG(region->carbon_kind), STR_ARG(region->carbon_year));
    } else {
        buf_addf(&text, "%.0f g/kWh, world average", grams);
    }
    work->carbon.g = work->energy.j / JOULES_PER_KWH * grams;
    return buf_keep(&text, ctx->arena, &work->carbon_method, err);
}

static bool add_experiment_energy(struct op_context *ctx, const struct report_request *req,
                                  struct report_work *work, struct error *err)
{
    double watts;

    if (!find_watts(ctx, req, work, &watts, err))
        return false;
    if (isnan(work->energy.j))
        work->energy.j = watts * (double)work->time.ns / 1e9;
    return isnan(work->energy.j) || add_experiment_carbon(ctx, work, err);
}

/* ---- the work ---- */

static bool add_experiment_gpu(struct op_context *ctx, const struct report_request *req,
                               struct report_work *work, struct error *err)
{
    const struct local_machine *own;

    work->gpus = 1;
    if (req->gpu.len > 0) {
        struct str name;

        if (!op_gpu_count(ctx, req->gpu, &name, &work->gpus, err))
            return false;
        work->gpu = op_accelerator(ctx, name, false, err);
        return work->gpu != NULL;
    }
    if (!op_catalog(ctx, TABLE_BIT(TABLE_LOCAL), err))
        return false;
    own = local_named(&ctx->catalog, ctx->settings->machine);
    if (own == NULL) {
        work->gpus = -1;
        return true;
    }
    work->gpus = own->count;
    work->gpu_name = own->accelerator;
    return op_work_find_gpu(ctx, work, err);
}

static bool add_experiment_money(const struct report_request *req, struct report_work *work,
                                 struct error *err)
{
    work->modeled = true;
    work->electricity = req->price.nano == MONEY_UNKNOWN;
    if (work->electricity)
        return true;
    work->rate = req->price;
    work->price_source = STR("from --price");
    if (!usd_for(req->price, work->time, &work->cost))
        return error_fail(err, ERROR_INPUT, "the cost is too large");
    work->time_cost = work->cost;
    return true;
}

static bool take_experiment(struct op_context *ctx, const struct report_request *req,
                            const char *folder, struct report_work *work, struct error *err)
{
    work->kind = STR("experiment");
    work->name = str_after_last(str_from(folder), '/');
    return add_experiment_gpu(ctx, req, work, err) &&
           add_experiment_energy(ctx, req, work, err) && add_experiment_money(req, work, err);
}

bool op_report_experiment(struct op_context *ctx, const struct report_request *req,
                          struct report *out, struct error *err)
{
    struct report_work *work = arena_array(ctx->arena, struct report_work, 1, err);
    struct report_request of_run = *req;
    char *folder, *place;
    struct str run;
    double size;

    if (work == NULL || !experiment_folder(req->experiment, ctx->arena, &folder, err) ||
        (place = fs_join(folder, "cost_analysis", ctx->arena, err)) == NULL)
        return false;
    out->folder = str_from(place);
    if (req->training_time.ns < 0) {
        if (!find_experiment_run(ctx, folder, &run, err))
            return false;
        of_run.runs = (struct strs){&run, 1};
        if (run.len > 0)
            return op_report_run(ctx, &of_run, out, err);
    }
    work_blank(work);
    op_work_add_given(req, work);
    if (isnan(work->model_bytes) && (size = experiment_model_size(folder)) > 0)
        work->model_bytes = size;
    work->time = req->training_time;
    work->time_method = STR("given");
    if (!experiment_take_earlier(folder, isnan(req->watts) && req->gpu.len == 0, ctx->arena,
                                 work, err) ||
        !take_experiment(ctx, req, folder, work, err))
        return false;
    out->kind = work->kind;
    out->title = work->name;
    return op_work_report(ctx, work, out, err);
}

/* ---- the newest ---- */

/* When the newest run began; -1 when there is none. */
static bool newest_run(struct op_context *ctx, stamp *at, struct error *err)
{
    struct ledger_query query = {.since = {-1}, .until = {-1}, .limit = 1};
    const struct ledger_run *runs = NULL;
    struct ledger *ledger;
    size_t count = 0;
    bool ok;

    if (!op_ledger_there(ctx, &ledger, err))
        return false;
    ok = ledger == NULL || ledger_runs(ledger, &query, ctx->arena, &runs, &count, err);
    at->s = count > 0 ? runs[0].start.started.s : -1;
    ledger_close(ledger);
    return ok;
}

bool op_report_newest(struct op_context *ctx, const struct report_request *req,
                      struct report *out, struct error *err)
{
    struct report_request of_folder = *req;
    char folder[PATH_MAX] = "";
    stamp changed, began;
    char *kept;

    if (!experiment_newest(folder, sizeof folder, &changed))
        return op_report_run(ctx, req, out, err);
    if (!newest_run(ctx, &began, err))
        return false;
    if (began.s >= changed.s)
        return op_report_run(ctx, req, out, err);
    kept = str_dup(str_from(folder), ctx->arena, err);
    of_folder.experiment = str_from(kept);
    return kept != NULL && op_report_experiment(ctx, &of_folder, out, err);
}
