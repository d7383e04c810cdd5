/* Operations on checkpoints, with a ledger that knows what they cost. */
#include "op/world.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "ledger/writes.h"
#include "op/context.h"
#include "op/run/checkpoints.h"

static char top[64], folder[96], ledger_path[96];

static void put(const char *name, const char *text)
{
    char path[256];
    struct error err;

    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_true(fs_put(path, str_from(text), &err));
}

/* Three checkpoints of a run that got better more and more slowly. */
static void fill_ledger(void)
{
    static const struct {
        const char *path;
        double metric, cost;
    } rows[] = {
        {"out/step_1.pt", 0.5, 1}, {"out/step_2.pt", 0.4, 2}, {"out/step_3.pt", 0.399, 8}};
    struct ledger_start start = {.name = STR("train"),
                                 .folder = str_from(top),
                                 .rate = USD_PER_HOUR_UNKNOWN,
                                 .electricity = {MONEY_UNKNOWN},
                                 .storage_month = {MONEY_UNKNOWN},
                                 .budget = USD_UNKNOWN,
                                 .estimated_cost = USD_UNKNOWN,
                                 .estimated_time = {-1},
                                 .started = {1794600000},
                                 .pid = -1,
                                 .pid_started = -1};
    struct error err = {0};
    struct ledger *ledger = ledger_open(ledger_path, LEDGER_WRITE, (span){1000000000},
                                        &clock_system, &alloc_system, &err);
    int attempt;

    assert_non_null(ledger);
    ledger_new_id(start.started, start.id);
    assert_true(ledger_begin(ledger, &start, &attempt, &err));
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct ledger_checkpoint c = {.path = str_from(rows[i].path),
                                      .at = {1794600000 + (int64_t)i},
                                      .bytes = 1,
                                      .step = NAN,
                                      .metric = rows[i].metric,
                                      .took_s = 2,
                                      .cost = usd_from(rows[i].cost)};

        assert_true(ledger_checkpoint(ledger, start.id, attempt, &c, &err));
    }
    ledger_close(ledger);
}

static int make(void **state)
{
    struct world *w;

    (void)snprintf(top, sizeof top, "/tmp/stint-test-XXXXXX");
    if (mkdtemp(top) == NULL || world_make(state) != 0)
        return 1;
    w = *state;
    (void)snprintf(folder, sizeof folder, "%s/out", top);
    (void)snprintf(ledger_path, sizeof ledger_path, "%s/ledger.db", top);
    w->settings.ledger = str_from(ledger_path);
    return mkdir(folder, 0700);
}

static int end(void **state)
{
    char command[128];

    (void)snprintf(command, sizeof command, "rm -rf %s", top);
    return world_end(state) | system(command);
}

static void put_three(void)
{
    put("step_1.pt", "one");
    put("step_2.pt", "two");
    put("step_3.pt", "three");
}

static void test_best(void **state)
{
    struct world *w = *state;
    struct checkpoints_best_request req = {
        .ask = {.folder = str_from(folder), .best = STR("val_loss:min")}, .within = 0.01};
    struct checkpoints_best res;
    const struct checkpoint_step *steps;
    struct error err;

    put_three();
    fill_ledger();
    assert_true(op_run(&w->ctx, &op_checkpoints_best, &req, &res, &err));
    assert_str_equal(res.best.is.name, "step_3.pt");
    assert_str_equal(res.cost_efficient.is.name,
                     "step_2.pt"); /* 0.25 % worse, and 6 dollars less */
    assert_true(res.differ);
    assert_near(res.worse, 0.001 / 0.399, 1e-9);
    assert_near(usd_double(res.saved), 6, 0);
    assert_near(res.saved_share, 0.75, 1e-9);
    assert_int_equal(res.steps.len, 3);
    steps = res.steps.at;
    assert_near(steps[1].gain, 0.2, 1e-9);
    assert_near(usd_double(steps[1].marginal), 0.05, 1e-9); /* a dollar for 20 % */
    assert_near(usd_double(steps[2].marginal), 24, 1e-6);   /* six for a quarter of one */
    req.within = 0;
    assert_true(op_run(&w->ctx, &op_checkpoints_best, &req, &res, &err));
    assert_false(res.differ);
}

static void test_without_ledger(void **state)
{
    struct world *w = *state;
    struct checkpoints_list_request req = {.ask = {.folder = str_from(folder)}};
    struct checkpoints_list_result res;
    const struct checkpoint_view *rows;
    struct error err;

    put_three();
    assert_true(op_run(&w->ctx, &op_checkpoints_list, &req, &res, &err));
    assert_int_equal(res.checkpoints.len, 3);
    rows = res.checkpoints.at;
    assert_int_equal(rows[0].is.cost.nano, MONEY_UNKNOWN);
    assert_int_equal(res.size.n, 11);
    /* Nor is a ledger that cannot be read a reason not to list. */
    assert_int_equal(mkdir(ledger_path, 0700), 0);
    assert_true(op_run(&w->ctx, &op_checkpoints_list, &req, &res, &err));
    req.ask.run = STR("last");
    assert_false(op_run(&w->ctx, &op_checkpoints_list, &req, &res, &err));
}

/* The metric of the ledger keeps the best of a prune, and its name need not tell it. */
static void test_prune(void **state)
{
    struct world *w = *state;
    struct checkpoints_prune_request req = {
        .ask = {.folder = str_from(folder), .best = STR("val_loss:max"), .keep = 1},
        .storage_price = {INT64_C(80000000)},
        .yes = true};
    struct checkpoints_pruned res;
    const struct checkpoint_view *rows;
    struct error err;

    put_three();
    fill_ledger();
    assert_true(op_run(&w->ctx, &op_checkpoints_prune, &req, &res, &err));
    rows = res.checkpoints.at;
    assert_true(rows[0].is.best && rows[0].is.keep);
    assert_true(rows[1].removed && !rows[1].is.keep);
    assert_true(rows[2].is.keep);
    assert_int_equal(res.removed, 1);
    assert_int_equal(res.failed, 0);
    assert_int_equal(res.frees.n, 3);
    assert_false(w->ctx.partly);
}

static void test_memory(void **state)
{
    const struct world *w = *state;
    char list[200], prune[200], best[200];
    const char *requests[][2] = {
        {"checkpoints.list", list}, {"checkpoints.prune", prune}, {"checkpoints.best", best}};

    put_three();
    (void)snprintf(list, sizeof list, "{\"folder\":\"%s\",\"settle\":\"0s\"}", folder);
    (void)snprintf(prune, sizeof prune, "{\"folder\":\"%s\",\"settle\":\"0s\",\"keep\":1}",
                   folder);
    put("epoch=1-val_loss=0.5.ckpt", "x");
    (void)snprintf(best, sizeof best,
                   "{\"folder\":\"%s\",\"settle\":\"0s\",\"best\":\"val_loss:min\"}", folder);
    world_survives(w, (const char *const(*)[2])requests, ARRAY_LEN(requests));
}

int group_checkpoints(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_best, make, end),
        cmocka_unit_test_setup_teardown(test_without_ledger, make, end),
        cmocka_unit_test_setup_teardown(test_prune, make, end),
        cmocka_unit_test_setup_teardown(test_memory, make, end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
