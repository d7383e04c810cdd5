/* Checkpoints: what names mean, and the rules. */
#include "test.h"

#include <string.h>

#include "run/checkpoint/checkpoints.h"

#define S INT64_C(1000000000)

static void test_names(void **state)
{
    static const struct {
        const char *name;
        bool folder;
        double step; /* NaN: not one of a series */
    } good[] = {
        {"checkpoint-500", true, 500},
        {"checkpoint_500", true, 500},
        {"checkpoint_500", false, 500},
        {"global_step500", true, 500},
        {"iter_0000500", true, 500},
        {"step_100.safetensors", false, 100},
        {"epoch=3-step=1200.ckpt", false, 1200},
        {"epoch=3-val_loss=0.25.ckpt", false, 3},
        {"epoch=3-val_loss=0.25.ckpt", true, 3},
        {"model_epoch3.pt", false, 3},
        {"model_epoch3_loss0.35.pt", false, 3},
        {"ckpt_7.pth", false, 7},
        {"rl_model_1000_steps.zip", false, 1000},
        {"G_1000.pth", false, 1000},
        {"last-000010.safetensors", false, 10},
        {"last-000010-state", true, 10},
        {"lora_rank16_step500.safetensors", false, 500},
        {"500", true, 500},
        {"checkpoint-500.tmp", true, 500},
        {"tmp-checkpoint-500", true, 500},
        {"500.orbax-checkpoint-tmp-12", true, 500},
        {"model_step5.pt.part", false, 5},
        {"best.pt", false, NAN},
        {"model.safetensors", false, NAN},
        {"llama-7b.safetensors", false, NAN},
        {"resnet50.pth", false, NAN},
        {"rng_state_3.pth", false, NAN},
        {"mp_rank_00_model_states.pt", false, NAN},
        {"layer_01-model_00-model_states.pt", false, NAN},
        {"best_model", true, NAN},
        {"expert_3.pt", false, NAN},
        {"fold_1_checkpoint.pt", false, NAN},
        {"fold_1_epoch.pt", false, NAN},
        {"checkpoint_task_3.pt", false, NAN},
        {"embeddings_4.pt", false, NAN},
        {"features_epoch_4.pt", false, NAN},
        {"user-000012.safetensors", false, NAN},
        {"checkpoint-2024-01-31", true, NAN},
        {"checkpoint_3_5000.pt", false, 5000},
        {"ep1-ba100-rank0.pt", false, 100},
        {"12epoch.pth", false, 12},
        {"weights.05-0.32.hdf5", false, 5},
        {"lora-step00000100.safetensors", false, 100},
        {"name_e10_s500.pth", false, 500},
        {"model_0004999.pth", false, 4999},
        {"checkpoint-12.pth.tar", false, 12},
        {"fold_2_epoch_7.pt", false, 7},
    };
    /* Such a number is a step only if the run says so. */
    static const char *const plain[] = {
        "vit_b_16.pth",           "model_500.pt",  "zone_3.ckpt",   "step1_x.pt",
        "iter_2_dpo.safetensors", "epoch3_val.pt", "step_1_loss.pt"};
    static const struct {
        const char *name;
        bool folder;
    } none[] = {
        {"", true},
        {".checkpoint-500", true},
        {"runs", true},
        {"run-2", true},
        {"checkpoints", true},
        {"logs_3", true},
        {"train.log", false},
        {"step_100.png", false},
        {"checkpoint-500.json", false},
        {"config.json", false},
        {"train.bin", false},
        {"fineweb_train_000001.bin", false},
        {"shard_0001.tar", false},
        {"model-00001-of-00005.safetensors", false},
        {"README", false},
        {"ckpt-5.index", false},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(good); i++) {
        struct checkpoint c;

        if (!checkpoint_name(str_from(good[i].name), good[i].folder, STR(""), &c))
            fail_msg("'%s' is one", good[i].name);
        if (isnan(good[i].step) ? !isnan(c.step) : !(c.step == good[i].step))
            fail_msg("'%s': step %g", good[i].name, c.step);
        assert_int_equal(c.series != 0, !isnan(good[i].step));
        assert_int_equal(c.layout, c.series != 0 && strcmp(good[i].name, "500") != 0 &&
                                       strncmp(good[i].name, "500.", 4) != 0);
    }
    for (size_t i = 0; i < ARRAY_LEN(plain); i++) {
        struct checkpoint c;

        assert_true(checkpoint_name(str_from(plain[i]), false, STR(""), &c));
        assert_true(c.series != 0 && !c.layout);
    }
    for (size_t i = 0; i < ARRAY_LEN(none); i++) {
        struct checkpoint c;

        if (checkpoint_name(str_from(none[i].name), none[i].folder, STR(""), &c))
            fail_msg("'%s' is none", none[i].name);
    }
}

static void test_series(void **state)
{
    struct checkpoint a, b;

    (void)state;
    assert_true(checkpoint_has_path(STR("runs/a/checkpoint-10/model.bin")));
    assert_true(checkpoint_has_path(STR("step_200.pt")));
    assert_false(checkpoint_has_path(STR("runs/a/train.log")));
    assert_false(checkpoint_has_path(STR("")));
    assert_true(checkpoint_name(STR("epoch=1-val_loss=0.5.ckpt"), false, STR(""), &a));
    assert_true(checkpoint_name(STR("epoch=12-val_loss=0.25.ckpt"), false, STR(""), &b));
    assert_true(a.series == b.series);
    assert_true(checkpoint_name(STR("D_1000.pth"), false, STR(""), &a));
    assert_true(checkpoint_name(STR("G_1000.pth"), false, STR(""), &b));
    assert_true(a.series != b.series);
    assert_true(checkpoint_name(STR("step_5.ckpt"), false, STR(""), &a));
    assert_true(checkpoint_name(STR("step_5.ckpt"), true, STR(""), &b));
    assert_true(a.series != b.series);
    assert_true(checkpoint_name(STR("fold_1_epoch_5.pt"), false, STR(""), &a));
    assert_true(checkpoint_name(STR("fold_2_epoch_5.pt"), false, STR(""), &b));
    assert_true(a.series != b.series);
    assert_true(checkpoint_name(STR("epoch=1-reward=-2.5.ckpt"), false, STR(""), &a));
    assert_true(checkpoint_name(STR("epoch=2-reward=1e-3.ckpt"), false, STR(""), &b));
    assert_true(a.series == b.series);
}

static void test_metric_in_name(void **state)
{
    static const struct {
        const char *name, *metric;
        double value;
    } cases[] = {
        {"epoch=3-val_loss=0.123.ckpt", "val_loss", 0.123},
        {"epoch=3-val_loss=0.123.ckpt", "eval_loss", 0.123},
        {"epoch=3-val_loss=0.123-v1.ckpt", "val_loss", 0.123},
        {"epoch=3-Val_Loss=1e-3.ckpt", "val_loss", 0.001},
        {"model_epoch3_loss0.35.pt", "loss", 0.35},
        {"model_epoch3_loss0.35.pt", "val_loss", 0.35},
        {"model_epoch3_loss_0.35.pt", "loss", 0.35},
        {"ckpt_5_acc-0.91.pt", "accuracy", NAN},
        {"ckpt_5_acc-0.91.pt", "acc", 0.91},
        {"epoch=3-reward=-2.5.ckpt", "reward", -2.5},
        {"epoch=3-floss=0.5.ckpt", "loss", NAN},
        {"epoch=3-val_loss=nan.ckpt", "val_loss", NAN},
        {"epoch=3.ckpt", "val_loss", NAN},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct checkpoint c;

        assert_true(
            checkpoint_name(str_from(cases[i].name), false, str_from(cases[i].metric), &c));
        if (isnan(cases[i].value) ? !isnan(c.metric) : !(c.metric == cases[i].value))
            fail_msg("'%s' %s: %g", cases[i].name, cases[i].metric, c.metric);
    }
}

static void test_best_parse(void **state)
{
    struct checkpoint_rules rules = {0};
    struct error err = {0};

    (void)state;
    assert_true(checkpoint_best_parse(STR("val_loss:min"), &rules, &err));
    assert_str_equal(rules.metric, "val_loss");
    assert_false(rules.greater);
    assert_true(checkpoint_best_parse(STR("score_x:max"), &rules, &err));
    assert_true(rules.greater);
    assert_true(checkpoint_best_parse(STR("accuracy"), &rules, &err));
    assert_true(rules.greater);
    assert_true(checkpoint_best_parse(STR("eval_loss"), &rules, &err));
    assert_false(rules.greater);
    assert_false(checkpoint_best_parse(STR("thing"), &rules, &err));
    assert_int_equal(err.kind, ERROR_USAGE);
    assert_string_equal(err.hint, "thing:min, or thing:max");
    assert_false(checkpoint_best_parse(STR("val_loss:low"), &rules, &err));
    assert_false(checkpoint_best_parse(STR(":min"), &rules, &err));
    assert_false(checkpoint_best_parse(STR(""), &rules, &err));
}

static struct checkpoint at(int second, double step, double metric)
{
    return (struct checkpoint){.name = STR("x"),
                               .series = 1,
                               .layout = true,
                               .bytes = 1,
                               .frees = 1,
                               .files = 1,
                               .changed_ns = second * S,
                               .touched_ns = second * S,
                               .step = step,
                               .metric = metric};
}

static void test_decide(void **state)
{
    struct checkpoint list[] = {at(1, 100, 0.5), at(2, 200, 0.3), at(3, 300, 0.4),
                                at(4, 400, 0.6), at(5, 500, 0.7)};
    struct checkpoint_rules rules = {.keep = 2, .metric = STR("val_loss"), .settle_s = 10};

    (void)state;
    checkpoints_decide(list, 5, &rules, 100 * S);
    assert_false(list[0].keep);
    assert_string_equal(list[0].why, "worse than the best");
    assert_true(list[1].keep && list[1].best);
    assert_string_equal(list[1].why, "the best");
    assert_string_equal(list[2].why, "among the best");
    assert_false(list[3].keep);
    assert_string_equal(list[4].why, "the newest");
    rules.greater = true;
    checkpoints_decide(list, 5, &rules, 100 * S);
    assert_true(list[4].best);
    assert_false(list[1].keep);
    /* The newest is being written: it is not counted, and is not the best yet. */
    checkpoints_decide(list, 5, &rules, 14 * S);
    assert_true(list[4].keep && list[4].writing && !list[4].best);
    assert_true(list[3].keep && list[3].best && list[0].keep); /* 0.6, 0.5 */
    assert_false(list[1].keep || list[2].keep);
    /* The metric is unknown: none can be ranked best, so none is removed. */
    for (int i = 0; i < 5; i++)
        list[i].metric = NAN;
    checkpoints_decide(list, 5, &rules, 100 * S);
    for (int i = 0; i < 5; i++)
        assert_true(list[i].keep);
    assert_string_equal(list[0].why, "its metric is not known");
    list[3].metric = 0.1; /* it is unknown whether the others are worse */
    checkpoints_decide(list, 5, &rules, 100 * S);
    for (int i = 0; i < 5; i++)
        assert_true(list[i].keep);
    checkpoints_decide(list, 0, &rules, 100 * S);
    /* Without a metric the newest stay, whatever they are like. */
    rules.metric = (struct str){0};
    checkpoints_decide(list, 5, &rules, 100 * S);
    for (int i = 0; i < 5; i++)
        assert_int_equal(list[i].keep, i >= 3);
    assert_string_equal(list[0].why, "older than the newest");
}

/* Other runs' checkpoints stay, are not counted and cannot be the best. */
static void test_decide_ours(void **state)
{
    struct checkpoint list[] = {at(1, 100, 0.1), at(2, 200, 0.5), at(3, 300, 0.4),
                                at(4, 400, 0.6), at(5, 500, 0.2)};
    struct checkpoint_rules rules = {.keep = 1, .ours_only = true, .settle_s = 10};

    (void)state;
    list[1].ours = list[2].ours = list[3].ours = true;
    checkpoints_decide(list, 5, &rules, 100 * S);
    assert_string_equal(list[0].why, "not written by this run");
    assert_string_equal(list[4].why, "not written by this run");
    for (int i = 0; i < 5; i++)
        assert_int_equal(list[i].keep, i != 1 && i != 2);
    rules.metric = STR("loss");
    checkpoints_decide(list, 5, &rules, 100 * S);
    assert_true(list[2].best && !list[0].best);
    for (int i = 0; i < 5; i++)
        assert_int_equal(list[i].keep, i != 1);
    rules.ours_only = false;
    checkpoints_decide(list, 5, &rules, 100 * S);
    for (int i = 0; i < 5; i++)
        assert_int_equal(list[i].keep, i == 0 || i == 4);
}

static void test_decide_parts_of_one(void **state)
{
    /* Two ranks write files of each step, not in order. */
    struct checkpoint list[] = {at(1, 100, NAN), at(2, 100, NAN), at(3, 200, NAN),
                                at(4, 300, NAN), at(5, 200, NAN), at(6, 300, NAN)};
    struct checkpoint_rules rules = {.keep = 2, .settle_s = 10};

    (void)state;
    checkpoints_decide(list, 6, &rules, 100 * S);
    for (int i = 0; i < 6; i++)
        assert_int_equal(list[i].keep, i >= 2);
}

static void test_decide_other_series(void **state)
{
    struct checkpoint list[] = {at(1, 100, 0.1), at(2, 100, NAN), at(3, 200, 0.2),
                                at(4, 200, NAN), at(5, 300, 0.3), at(6, 300, NAN)};
    struct checkpoint_rules rules = {.keep = 1, .metric = STR("loss"), .settle_s = 10};

    (void)state;
    for (int i = 1; i < 6; i += 2)
        list[i].series = 2; /* optimizer states */
    checkpoints_decide(list, 6, &rules, 100 * S);
    assert_true(list[0].best);
    assert_string_equal(list[1].why, "belongs to the best");
    assert_false(list[2].keep || list[3].keep);
    assert_true(list[4].keep && list[5].keep);
}

/* What a word or the run does not make a step stays; so does the newest step that lacks a file
 * of another series, and then the one before it. */
static void test_decide_facts(void **state)
{
    struct checkpoint list[] = {at(1, 100, NAN), at(2, 100, NAN), at(3, 200, NAN),
                                at(4, 200, NAN), at(5, 300, NAN)};
    struct checkpoint_rules rules = {.keep = 1, .settle_s = 10};

    (void)state;
    list[1].series = list[3].series = 2;
    checkpoints_decide(list, 5, &rules, 100 * S);
    for (int i = 0; i < 5; i++)
        assert_int_equal(list[i].keep, i >= 2);
    assert_string_equal(list[4].why, "a file of its step is missing");
    for (int i = 0; i < 5; i++)
        list[i].layout = false;
    checkpoints_decide(list, 5, &rules, 100 * S);
    for (int i = 0; i < 5; i++)
        assert_true(list[i].keep);
    assert_string_equal(list[0].why, "its number is not known to be a step");
    list[0].printed = list[2].printed = list[4].printed = true;
    checkpoints_decide(list, 5, &rules, 100 * S);
    for (int i = 0; i < 5; i++)
        assert_int_equal(list[i].keep, i != 0);
}

static uint64_t roll(uint64_t *dice, uint64_t sides)
{
    *dice = *dice * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (*dice >> 33) % sides;
}

/* Random folders: the guarantees hold for any rules. */
static void test_decide_promises(void **state)
{
    uint64_t dice = 7;

    (void)state;
    for (int round = 0; round < 20000; round++) {
        struct checkpoint list[12];
        struct checkpoint_rules rules = {.settle_s = 10};
        size_t count, complete = 0, complete_kept = 0;
        double best = NAN;

        count = roll(&dice, 12) + 1;
        rules.keep = (int)roll(&dice, 5);
        rules.metric = roll(&dice, 2) ? STR("loss") : STR("");
        rules.greater = roll(&dice, 2);
        rules.ours_only = roll(&dice, 2);
        for (size_t i = 0; i < count; i++) {
            double step = (double)(roll(&dice, 6) * 100);
            double metric = roll(&dice, 3) ? (double)(roll(&dice, 9)) : NAN;

            list[i] = at((int)i, step, metric);
            list[i].series = roll(&dice, 3);
            if (list[i].series == 0)
                list[i].step = NAN;
            list[i].ours = roll(&dice, 4) > 0;
            if (roll(&dice, 5) == 0)
                list[i].doubt = "locked";
            if (roll(&dice, 7) == 0)
                list[i].needed = "a link names it";
            if (roll(&dice, 9) == 0)
                list[i].bytes = NAN;
            if (roll(&dice, 6) == 0)
                list[i].touched_ns = 95 * S;
        }
        checkpoints_decide(list, count, &rules, 100 * S);
        for (size_t i = 0; i < count; i++) {
            bool ok = checkpoint_whole(&list[i], 10, 100 * S) && !list[i].partial &&
                      (list[i].ours || !rules.ours_only);

            assert_non_null(list[i].why);
            if (!ok || list[i].needed != NULL || list[i].series == 0)
                assert_true(list[i].keep);
            complete += ok;
            complete_kept += ok && list[i].keep;
            if (ok && !isnan(list[i].metric) &&
                (isnan(best) ||
                 (rules.greater ? list[i].metric > best : list[i].metric < best)))
                best = list[i].metric;
        }
        assert_true(complete == 0 || complete_kept > 0);
        for (size_t i = 0, marked = 0; i < count; i++) {
            int newer = 0, better = 0, keep = rules.keep > 1 ? rules.keep : 1;

            marked += list[i].best;
            assert_true(marked <= 1);
            if (list[i].best)
                assert_true(list[i].keep && rules.metric.len > 0 && list[i].metric == best);
            if (list[i].keep || list[i].series == 0)
                continue;
            for (size_t k = 0; k < count; k++) {
                bool counts = list[k].keep && list[k].series == list[i].series &&
                              (list[k].ours || !rules.ours_only) &&
                              checkpoint_whole(&list[k], 10, 100 * S);

                newer += counts && k > i;
                better += counts && list[k].step != list[i].step &&
                          (rules.greater ? list[k].rated >= list[i].rated
                                         : list[k].rated <= list[i].rated);
            }
            assert_true(newer >= (rules.metric.len > 0 ? 1 : keep));
            if (rules.metric.len > 0) /* at least so many better ones stay */
                assert_true(!isnan(list[i].rated) || better >= keep);
        }
    }
}

int group_checkpoints(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_series),
        cmocka_unit_test(test_metric_in_name),
        cmocka_unit_test(test_best_parse),
        cmocka_unit_test(test_decide),
        cmocka_unit_test(test_decide_ours),
        cmocka_unit_test(test_decide_parts_of_one),
        cmocka_unit_test(test_decide_other_series),
        cmocka_unit_test(test_decide_facts),
        cmocka_unit_test(test_decide_promises),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
