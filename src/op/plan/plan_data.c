#include "op/plan/plan_data.h"

#include "op/context.h"
#include "op/data_measure.h"

bool plan_add_data(struct op_context *ctx, const struct plan_work *w, const struct plan *best,
                   struct str job, struct plan_result *res, struct error *err)
{
    const struct job_data *data = &w->job.job.train.data;
    const struct plan_row *row = best != NULL && res->plans.len > 0 ? res->plans.at : NULL;
    struct data_case in = {.folder = data->path,
                           .at = data->at,
                           .job = job_is_text(job) ? STR("") : job,
                           .price = USD_PER_HOUR_UNKNOWN,
                           .catalog = &ctx->catalog};

    if (w->job.data == NULL)
        return true;
    if (row != NULL) {
        in.provider = row->provider;
        in.region = row->region;
        in.price = usd_per_hour_times(row->price, row->machines);
        in.elsewhere = data_elsewhere(w->planning.places, w->planning.place_count, best->place,
                                      (double)row->machines * row->hours.value);
    }
    return op_data_measure(ctx, w->job.data_folder, w->job.data, &in, err) &&
           data_ways(&in, ctx->arena, &res->data, err);
}
