/* Past runs of trackers: each once, however they are read. */
#include "world.h"

#include <unistd.h>

#include "base/buf.h"
#include "base/fs.h"
#include "op/op.h"
#include "op/runs/import_runs.h"

static char folder[64], ledger[100];

static int trackers_make(void **state)
{
    struct world *w;

    (void)snprintf(folder, sizeof folder, "/tmp/stint-trackers-XXXXXX");
    if (mkdtemp(folder) == NULL || world_make(state) != 0)
        return 1;
    (void)snprintf(ledger, sizeof ledger, "%s/ledger.db", folder);
    w = *state;
    w->settings.ledger = str_from(ledger);
    return 0;
}

static int trackers_end(void **state)
{
    char command[200];
    int status = world_end(state);

    (void)snprintf(command, sizeof command, "rm -r %s", folder);
    return status != 0 ? status : system(command);
}

#define trackers_test(name) cmocka_unit_test_setup_teardown(name, trackers_make, trackers_end)

static const char *in_folder(struct world *w, const char *name)
{
    struct error err = {0};
    const char *path = fs_join(folder, name, &w->arena, &err);

    assert_non_null(path);
    return path;
}

static void put(struct world *w, const char *name, const char *text)
{
    struct error err = {0};

    if (!fs_replace(in_folder(w, name), str_from(text), &err))
        fail_msg("%s", err.text);
}

static struct import_runs_result import_from(struct world *w, const struct op *op,
                                             const char *from, usd_per_hour gpu_price)
{
    struct import_runs_request req;
    struct import_runs_result res = {0};
    struct str path = str_from(in_folder(w, from));
    struct error err = {0};

    assert_true(fields_reset(op->request, &req, &w->arena, &err));
    req.from = (struct strs){&path, 1};
    req.gpu_price = gpu_price;
    if (!op_run(&w->ctx, op, &req, &res, &err))
        fail_msg("%s", err.text);
    return res;
}

static const char run_meta[] = "run_id: b2\nrun_name: outer\nexperiment_id: '3'\nuser_id: eve\n"
                               "status: 3\nstart_time: 1793800000000\nend_time: "
                               "1793803600000\nlifecycle_stage: active\n";
static const char nested_meta[] = "run_id: b1\nrun_name: inner\nstatus: 4\nstart_time: "
                                  "1793800000500\nend_time: 1793801000000\n";
static const char history[] =
    "[{\"id\":\"ab12cd34\",\"name\":\"n\",\"state\":\"finished\",\"created_at\":"
    "\"2026-11-07T08:00:00Z\",\"summary\":{\"loss\":0.5,\"_runtime\":120},\"metadata\":{"
    "\"gpu\":\"NVIDIA H200\",\"gpu_count\":4},\"history\":[{\"_step\":0,\"_timestamp\":"
    "1794038400,\"loss\":0.9},{\"_step\":1,\"_timestamp\":1794038460,\"loss\":0.5}]}]";

static void put_mlruns(struct world *w)
{
    put(w, "mlruns/3/meta.yaml", "experiment_id: '3'\nname: vision\n");
    put(w, "mlruns/3/b2/meta.yaml", run_meta);
    put(w, "mlruns/3/b2/params/num_gpus", "8");
    put(w, "mlruns/3/b2/metrics/val/loss",
        "1793800001000 0.9 0\n1793800002000 0.7 1\n1793800004000 0.5 3");
    put(w, "mlruns/3/b1/meta.yaml", nested_meta);
    put(w, "mlruns/3/b1/tags/mlflow.parentRunId", "b2");
}

/* An hour of 8 GPUs at $2 is $16; the nested run counts nothing; what is there is not added. */
static void a_folder_of_mlflow_is_imported_once(void **state)
{
    struct world *w = *state;
    struct import_runs_result res;
    const struct import_run_row *rows;

    put_mlruns(w);
    res = import_from(w, &op_import_mlflow, "mlruns", (usd_per_hour){2000000000});
    assert_int_equal(res.added, 2);
    assert_int_equal(res.nested, 1);
    assert_int_equal(res.points, 3);
    assert_near(res.gpu_hours, 8, 1e-9);
    assert_int_equal(res.cost.nano, 16000000000);
    rows = res.runs.at;
    assert_str_equal(rows[0].name, "outer");
    assert_int_equal(rows[1].cost.nano, 0);
    res = import_from(w, &op_import_mlflow, "mlruns", USD_PER_HOUR_UNKNOWN);
    assert_int_equal(res.unchanged, 2);
    assert_int_equal(res.added + res.updated + res.skipped, 0);
    res = import_from(w, &op_import_mlflow, "mlruns", (usd_per_hour){1000000000});
    assert_int_equal(res.updated, 1);
    assert_int_equal(res.cost.nano, 8000000000);
}

static void a_history_of_wandb_is_kept(void **state)
{
    struct world *w = *state;
    struct import_runs_result res;

    put(w, "runs.json", history);
    res = import_from(w, &op_import_wandb, "runs.json", USD_PER_HOUR_UNKNOWN);
    assert_int_equal(res.added, 1);
    assert_int_equal(res.points, 2);
    assert_int_equal(res.cost_unknown, 1);
    assert_int_equal(res.cost.nano, MONEY_UNKNOWN);
    res = import_from(w, &op_import_wandb, "runs.json", USD_PER_HOUR_UNKNOWN);
    assert_int_equal(res.unchanged, 1);
}

static void memory_that_runs_out_leaves_nothing(void **state)
{
    struct world *w = *state;
    char requests_text[2][200];
    const char *const requests[][2] = {{"import.mlflow", requests_text[0]},
                                       {"import.wandb", requests_text[1]}};

    put_mlruns(w);
    put(w, "runs.json", history);
    (void)snprintf(requests_text[0], sizeof requests_text[0],
                   "{\"from\":[\"%s/mlruns\"],\"price\":\"2usd/hr\",\"dry_run\":true}", folder);
    (void)snprintf(requests_text[1], sizeof requests_text[1],
                   "{\"from\":[\"%s/runs.json\"],\"dry_run\":true}", folder);
    world_survives(w, requests, ARRAY_LEN(requests));
}

int group_import_runs(void)
{
    const struct CMUnitTest tests[] = {
        trackers_test(a_folder_of_mlflow_is_imported_once),
        trackers_test(a_history_of_wandb_is_kept),
        trackers_test(memory_that_runs_out_leaves_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
