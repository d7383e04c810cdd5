/* Metered power of training nodes. */
#include <math.h>

#include "truth/rows.h"

bool read_energy_row(const struct rows_reader *r, struct point_list *list, struct error *err)
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
