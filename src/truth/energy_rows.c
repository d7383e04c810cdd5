/* Metered power: of training nodes, and of boards that train or serve. */
#include <math.h>

#include "truth/rows.h"

static bool read_node(const struct rows_reader *r, struct point_list *list, struct error *err)
{
    struct point *p = point_add(list, err);
    struct energy_row *e;
    struct str workload = row_text(r, "workload");

    if (p == NULL || !row_begin(r, p, &p->energy.gpu, err))
        return false;
    p->metric = METRIC_NODE_POWER;
    p->measured = row_number(r, "mean_node_w");
    e = &p->energy;
    workload.at = str_dup(workload, r->arena, err);
    if (workload.at == NULL)
        return false;
    e->workload = workload;
    if (p->set.len == 0)
        p->set = workload;
    e->gpus = row_count(r, "gpus", -1);
    e->nodes = row_count(r, "nodes", -1);
    e->dc = str_starts(row_text(r, "measured"), STR("DC"));
    e->samples_per_s = row_number(r, "samples_per_s");
    e->global_batch = row_number(r, "global_batch");
    e->samples = row_number(r, "samples");
    e->run_s = row_number(r, "run_s");
    if (p->reason == NULL && !(p->measured > 0))
        p->reason = "no power";
    else if (p->reason == NULL && e->gpus < 1)
        p->reason = "the number of GPUs is not given";
    return true;
}

/* A training row that also says what its board drew. */
static bool read_training_board(const struct rows_reader *r, struct point_list *list,
                                struct error *err)
{
    size_t before = list->len;
    struct point *p;

    if (!read_training_row(r, list, err))
        return false;
    p = &list->at[before];
    p->metric = METRIC_BOARD_POWER;
    p->measured = row_number(r, "mean_board_w");
    if (p->reason == NULL && !(p->measured > 0))
        p->reason = "no power";
    return true;
}

/* A server's boards together, while they write. */
static bool read_serving_board(const struct rows_reader *r, struct point_list *list,
                               struct error *err)
{
    struct point *p = point_add(list, err);
    double both = row_number(r, "io_len"), gpus;
    struct error why = {0};

    if (p == NULL || !row_begin(r, p, &p->serve.gpu, err))
        return false;
    p->metric = METRIC_BOARD_POWER;
    p->serving = true;
    if (p->reason != NULL)
        return true;
    read_serving_setting(r, p);
    if (p->reason != NULL && !row_has(r, "precision")) { /* which hardly changes the power */
        p->serve.weights = p->serve.kv = WEIGHTS_FP16;
        p->reason = p->serve.arch != NULL && serving_check(&p->serve, &why)
                        ? NULL
                        : "the setting is not complete";
    }
    if (p->reason != NULL)
        return true;
    if (both >= 1)
        p->serve.input = p->serve.output = both;
    gpus = (double)row_count(r, "gpus", p->serve.gpus);
    p->measured = row_number(r, "avg_power_w") / gpus;
    if (!(p->measured > 0))
        p->reason = "no power";
    return true;
}

bool read_energy_row(const struct rows_reader *r, struct point_list *list, struct error *err)
{
    if (row_has(r, "mean_board_w"))
        return read_training_board(r, list, err);
    if (row_has(r, "avg_power_w"))
        return read_serving_board(r, list, err);
    return read_node(r, list, err);
}
