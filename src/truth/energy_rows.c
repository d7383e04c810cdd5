/* Metered power: of training nodes, and of boards that train or serve. */
#include <math.h>

#include "estimate/money/energy.h"
#include "truth/energy_row.h"
#include "truth/rows.h"

/* A benchmark of MLPerf Training, as one well-fed H100 runs it: its share of a global batch
 * on a single node, and its samples a second (tokens for GPT-3) as other makers' single
 * nodes measured them (training.csv, MLPerf v4.0). No rate: the logs' "throughput" is none
 * of training. */
static const struct {
    const char *name;
    double batch, rate;
} workloads[] = {
    {"bert", 96, 945},
    {"dlrm_dcnv2", 6912, NAN},
    {"gpt3", 4, 690},
    {"llama2_70b_lora", 1, 0.257},
    {"resnet", 400, 7135},
    {"retinanet", 32, NAN},
    {"ssd", 32, NAN}, /* MLPerf's short name for RetinaNet */
    {"stable_diffusion", 16, NAN},
    {"unet3d", 7, NAN},
};

/* Of a benchmark that is not in the table, on several nodes: what strong scaling usually
 * leaves. */
#define USUAL_FEED 0.75

/* The rates above are an H100's; its SXM relatives have the same arithmetic. */
static bool rates_hold(const struct accelerator *gpu)
{
    return str_eq(gpu->architecture, STR("Hopper")) && str_eq(gpu->form, STR("SXM"));
}

/* Steps have a part that does not shrink with the batch (launches, collectives, stragglers),
 * so a GPU that gets the share `x` of a full plate is busy for (1 + k) x / (x + k). */
static double feed_of_plate(double x, double k)
{
    return fmin(1, (1 + k) * x / (x + k));
}

double energy_row_feed(const struct energy_row *row, const struct constants *c)
{
    struct str rest = row->workload, name = rest;
    double gpus = (double)row->gpus;

    (void)str_cut(&rest, ':'); /* "train:" */
    if (rest.at != NULL)
        name = rest;
    for (size_t i = 0; i < ARRAY_LEN(workloads); i++) {
        double rate = row->samples_per_s / gpus / workloads[i].rate;
        double plate = row->global_batch / gpus / workloads[i].batch;

        if (!str_eq_nocase(name, str_from(workloads[i].name)))
            continue;
        if (rates_hold(row->gpu) && rate > 0)
            return fmin(1, rate);
        if (plate > 0)
            return feed_of_plate(plate, c->at[C_energy_thin]);
    }
    return row->nodes == 1 ? 1 : USUAL_FEED;
}

/* Seconds of the run in which boards do nothing: starting up, and where the row shows how
 * long it did not train (its samples took less than the run), what of that is no evaluation. */
static double energy_idle_seconds(const struct energy_row *row, const struct constants *c)
{
    double untrained = row->run_s - row->samples / row->samples_per_s;

    if (untrained >= 0)
        return fmin(untrained, c->at[C_energy_rest_s]);
    return c->at[C_energy_start_s];
}

double energy_row_node_watts(const struct energy_row *row, const struct constants *c)
{
    double feed, idle_share, idle_w, fed_w, wait_w, board_w;
    int64_t boards;

    if (row->gpu == NULL || row->gpus < 1 || row->nodes < 1 || row->gpus % row->nodes != 0)
        return NAN;
    boards = row->gpus / row->nodes;
    feed = energy_row_feed(row, c);
    idle_w = board_idle_watts(row->gpu, c);
    fed_w = idle_w + (row->gpu->tdp_w - idle_w) * c->at[C_energy_fed];
    wait_w = idle_w + (row->gpu->tdp_w - idle_w) * c->at[C_energy_wait];
    board_w = feed * fed_w + (1 - feed) * wait_w;
    idle_share = row->run_s > 0 ? fmin(1, energy_idle_seconds(row, c) / row->run_s) : 0;
    board_w += idle_share * (idle_w - board_w);
    return node_watts(row->gpu, boards, board_w, row->dc, c);
}

/* ---- the columns of metered rows ---- */

static bool read_energy_node(const struct rows_reader *r, struct point_list *list,
                             struct error *err)
{
    struct measured_value *p = point_add(list, err);
    struct energy_row *e;
    struct str workload = row_text(r, "workload");

    if (p == NULL || !row_begin(r, p, &p->energy.gpu, err))
        return false;
    p->metric = METRIC_NODE_POWER;
    p->measured = row_number(r, "mean_node_w");
    e = &p->energy;
    if (!str_keep(workload, r->arena, &workload, err))
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

/* A training row that also has the power of its board. */
static bool read_training_board(const struct rows_reader *r, struct point_list *list,
                                struct error *err)
{
    size_t before = list->len;
    struct measured_value *p;

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
    struct measured_value *p = point_add(list, err);
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
    return read_energy_node(r, list, err);
}
