/* Checkpoints: names, rules, what is whole, removal, and the watch. */
#include "test.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "run/checkpoints.h"

#define S INT64_C(1000000000)

/* ---- a folder of this test's own ---- */

static char folder[64];

static int make_folder(void **state)
{
    (void)state;
    (void)snprintf(folder, sizeof folder, "/tmp/stint-test-XXXXXX");
    return mkdtemp(folder) == NULL;
}

static int clear_folder(void **state)
{
    char command[256];

    (void)state;
    (void)snprintf(command, sizeof command, "chmod -R u+rwx %s; rm -rf %s", folder, folder);
    return system(command);
}

static const char *path_of(const char *name)
{
    static char path[PATH_MAX];

    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

/* A file, and the folders it is in. */
static void put(const char *name, const void *data, size_t len)
{
    char path[PATH_MAX];
    FILE *f;

    (void)snprintf(path, sizeof path, "%s", path_of(name));
    for (char *slash = path + strlen(folder) + 1; (slash = strchr(slash, '/')) != NULL;
         slash++) {
        *slash = '\0';
        (void)mkdir(path, 0700);
        *slash = '/';
    }
    f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(data, 1, len, f), len);
    assert_int_equal(fclose(f), 0);
}

static void put_text(const char *name, const char *text)
{
    put(name, text, strlen(text));
}

static void put_bytes(const char *name, size_t len)
{
    char *data = calloc(1, len > 0 ? len : 1);

    assert_non_null(data);
    put(name, data, len);
    free(data);
}

/* Written so many seconds ago, folders included; their change of status stays now. */
static void date(const char *name, int64_t at_s)
{
    struct timespec times[2] = {{.tv_sec = (time_t)at_s}, {.tv_sec = (time_t)at_s}};

    assert_int_equal(utimensat(AT_FDCWD, path_of(name), times, AT_SYMLINK_NOFOLLOW), 0);
}

static bool there(const char *name)
{
    struct stat st;

    return lstat(path_of(name), &st) == 0;
}

static int64_t now_ns(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_REALTIME, &t);
    return (int64_t)t.tv_sec * S + t.tv_nsec;
}

static struct checkpoint *scan(struct arena *arena, const char *metric, size_t *count)
{
    struct checkpoint *list = NULL;
    struct error err;

    if (!checkpoints_scan(folder, str_from(metric), arena, &list, count, &err))
        fail_msg("%s", err.text);
    return list;
}

static const struct checkpoint *named(const struct checkpoint *list, size_t count,
                                      const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (str_eq(list[i].name, str_from(name)))
            return &list[i];
    fail_msg("'%s' is not among them", name);
    return NULL;
}

static void expect_doubt(const char *name, const char *doubt)
{
    struct arena arena = test_arena();
    size_t count;
    const struct checkpoint *c = named(scan(&arena, "", &count), count, name);

    if (doubt == NULL)
        assert_null(c->doubt);
    else
        assert_string_equal(c->doubt != NULL ? c->doubt : "none", doubt);
    arena_free(&arena);
}

/* ---- names ---- */

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
    };
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
    assert_true(checkpoint_name(STR("epoch=1-val_loss=0.5.ckpt"), false, STR(""), &a));
    assert_true(checkpoint_name(STR("epoch=12-val_loss=0.25.ckpt"), false, STR(""), &b));
    assert_true(a.series == b.series);
    assert_true(checkpoint_name(STR("D_1000.pth"), false, STR(""), &a));
    assert_true(checkpoint_name(STR("G_1000.pth"), false, STR(""), &b));
    assert_true(a.series != b.series);
    assert_true(checkpoint_name(STR("step_5.ckpt"), false, STR(""), &a));
    assert_true(checkpoint_name(STR("step_5.ckpt"), true, STR(""), &b));
    assert_true(a.series != b.series);
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

/* ---- rules ---- */

static struct checkpoint at(int second, double step, double metric)
{
    return (struct checkpoint){.name = STR("x"),
                               .series = 1,
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
    assert_string_equal(list[0].why, "older than the newest");
    assert_true(list[1].keep && list[1].best);
    assert_string_equal(list[1].why, "the best");
    assert_false(list[2].keep);
    assert_true(list[3].keep && list[4].keep);
    rules.greater = true;
    checkpoints_decide(list, 5, &rules, 100 * S);
    assert_true(list[4].best);
    assert_false(list[1].keep);
    /* The newest is being written: it counts for nothing, and is not the best yet. */
    checkpoints_decide(list, 5, &rules, 14 * S);
    assert_true(list[4].keep && list[4].writing && !list[4].best);
    assert_true(list[3].keep && list[2].keep && list[3].best);
    assert_false(list[1].keep);
    /* Nobody knows the metric: nothing can be told the best, so nothing goes. */
    for (int i = 0; i < 5; i++)
        list[i].metric = NAN;
    checkpoints_decide(list, 5, &rules, 100 * S);
    for (int i = 0; i < 5; i++)
        assert_true(list[i].keep);
    assert_string_equal(list[0].why, "the metric is not known of any");
    checkpoints_decide(list, 0, &rules, 100 * S);
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

static uint64_t roll(uint64_t *dice, uint64_t sides)
{
    *dice = *dice * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (*dice >> 33) % sides;
}

/* Random folders: whatever the rules, none of the promises is broken. */
static void test_decide_promises(void **state)
{
    uint64_t dice = 7;

    (void)state;
    for (int round = 0; round < 20000; round++) {
        struct checkpoint list[12];
        struct checkpoint_rules rules = {.settle_s = 10};
        size_t count, whole = 0, whole_kept = 0;
        double best = NAN;

        count = roll(&dice, 12) + 1;
        rules.keep = (int)roll(&dice, 5);
        rules.metric = roll(&dice, 2) ? STR("loss") : STR("");
        rules.greater = roll(&dice, 2);
        for (size_t i = 0; i < count; i++) {
            list[i] = at((int)i, (double)(roll(&dice, 6) * 100),
                         roll(&dice, 3) ? (double)(roll(&dice, 9)) : NAN);
            list[i].series = roll(&dice, 3);
            if (list[i].series == 0)
                list[i].step = NAN;
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
            bool ok = checkpoint_whole(&list[i], 10, 100 * S);

            assert_non_null(list[i].why);
            if (!ok || list[i].needed != NULL || list[i].series == 0)
                assert_true(list[i].keep);
            whole += ok;
            whole_kept += ok && list[i].keep;
            if (ok && !isnan(list[i].metric) &&
                (isnan(best) ||
                 (rules.greater ? list[i].metric > best : list[i].metric < best)))
                best = list[i].metric;
        }
        assert_true(whole == 0 || whole_kept > 0);
        for (size_t i = 0, marked = 0; i < count; i++) {
            int newer = 0;

            marked += list[i].best;
            assert_true(marked <= 1);
            if (list[i].best)
                assert_true(list[i].keep && rules.metric.len > 0 && list[i].metric == best);
            if (list[i].keep || list[i].series == 0)
                continue;
            for (size_t k = i + 1; k < count; k++) /* at least so many newer ones stay */
                newer += list[k].keep && list[k].series == list[i].series &&
                         checkpoint_whole(&list[k], 10, 100 * S);
            assert_true(newer >= (rules.keep > 1 ? rules.keep : 1));
        }
    }
}

/* ---- what is whole ---- */

static void put_safetensors(const char *name, size_t tensor, size_t written)
{
    char data[512] = {0}, header[200];
    int len =
        snprintf(header, sizeof header,
                 "{\"__metadata__\":{\"format\":\"pt\"},\"w\":{\"dtype\":\"F32\",\"shape\":["
                 "%zu],\"data_offsets\":[0,%zu]}}",
                 tensor / 4, tensor);

    data[0] = (char)len;
    memcpy(data + 8, header, (size_t)len);
    put(name, data, 8 + (size_t)len + written);
}

static void test_safetensors(void **state)
{
    (void)state;
    put_safetensors("step_1.safetensors", 64, 64);
    put_safetensors("step_2.safetensors", 64, 63);
    put("step_3.safetensors", "\xff\xff\0\0\0\0\0\0{}", 10);
    put("step_4.safetensors", "\4\0\0\0\0\0\0\0{\"a\"", 12);
    put("step_5.safetensors", "\4\0\0", 3);
    put_bytes("step_6.safetensors", 0);
    expect_doubt("step_1.safetensors", NULL);
    expect_doubt("step_2.safetensors", "shorter than its header says");
    expect_doubt("step_3.safetensors", "shorter than its header says");
    expect_doubt("step_4.safetensors", "its header is damaged");
    expect_doubt("step_5.safetensors", "no header yet");
    expect_doubt("step_6.safetensors", "no data yet");
}

static void test_zip(void **state)
{
    (void)state;
    put("step_1.pt", "PK\3\4dataPK\5\6\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 30);
    put("step_2.pt", "PK\3\4data and no end", 19);
    put("step_3.pt", "\x80\2old pickle", 12);
    expect_doubt("step_1.pt", NULL);
    expect_doubt("step_2.pt", "its end is missing");
    expect_doubt("step_3.pt", NULL);
}

static void test_folders(void **state)
{
    static const char index[] =
        "{\"metadata\":{\"total_size\":9},\"weight_map\":{"
        "\"a\":\"model-00001-of-00002.bin\",\"b\":\"model-00002-of-00002.bin\"}}";

    (void)state;
    put_text("checkpoint-1/pytorch_model.bin", "weights");
    put_text("checkpoint-2/config.json", "{}");
    put_text("checkpoint-3/model.bin.index.json", index);
    put_text("checkpoint-3/model-00001-of-00002.bin", "x");
    put_text("checkpoint-4/model.bin.index.json", index);
    put_text("checkpoint-4/model-00001-of-00002.bin", "x");
    put_text("checkpoint-4/model-00002-of-00002.bin", "x");
    put_text("checkpoint-5/model.bin", "x");
    put_text("checkpoint-5/optimizer.pt.tmp", "x");
    put_text("checkpoint-6/model.bin", "x");
    put_text("checkpoint-6.lock", "");
    put_text("iter_0000007/__0_0.distcp", "x");
    put_text("iter_0000008/__0_0.distcp", "x");
    put_text("iter_0000008/.metadata", "x");
    put_text("2024/notes.txt", "no weights");
    put_text("checkpoint-9.tmp/model.bin", "x");
    assert_int_equal(mkdir(path_of("checkpoint-10"), 0700), 0);
    expect_doubt("checkpoint-1", NULL);
    expect_doubt("checkpoint-2", "no weights in it");
    expect_doubt("checkpoint-3", "a shard that its index names is missing");
    expect_doubt("checkpoint-4", NULL);
    expect_doubt("checkpoint-5", "its name says unfinished");
    expect_doubt("checkpoint-6", "locked");
    expect_doubt("iter_0000007", "its .metadata is missing");
    expect_doubt("iter_0000008", NULL);
    expect_doubt("2024", "no weights in it");
    expect_doubt("checkpoint-9.tmp", "its name says unfinished");
    expect_doubt("checkpoint-10", "no data yet");
}

static void test_trainer_state(void **state)
{
    struct arena arena = test_arena();
    struct checkpoint *list;
    size_t count;

    (void)state;
    put_text(
        "checkpoint-1/trainer_state.json",
        "{\"best_metric\":0.1,\"best_model_checkpoint\":\"out/checkpoint-9\",\"log_history\":["
        "{\"loss\":3.5,\"step\":1},{\"eval_loss\":0.9,\"step\":1},{\"eval_loss\":0.7}]}");
    put_text("checkpoint-9/trainer_state.json",
             "{\"best_metric\":0.25,\"best_model_checkpoint\":\"out/checkpoint-9\"}");
    put_text("checkpoint-3/trainer_state.json",
             "{\"best_metric\":0.25,\"best_model_checkpoint\":\"out/checkpoint-9\"}");
    put_text("checkpoint-4/trainer_state.json",
             "{\"log_history\":[{\"eval_loss\":0.5},{\"grad\":NaN}");
    list = scan(&arena, "val_loss", &count);
    assert_near(named(list, count, "checkpoint-1")->metric, 0.7, 0);
    assert_near(named(list, count, "checkpoint-9")->metric, 0.25, 0);
    assert_true(isnan(named(list, count, "checkpoint-3")->metric));
    assert_near(named(list, count, "checkpoint-4")->metric, 0.5, 0);
    list = scan(&arena, "loss", &count);
    assert_near(named(list, count, "checkpoint-1")->metric, 3.5, 0);
    arena_free(&arena);
}

/* ---- scanning ---- */

static void expect_needed(const char *name, const char *why)
{
    struct arena arena = test_arena();
    size_t count;
    const struct checkpoint *c = named(scan(&arena, "", &count), count, name);

    if (why == NULL)
        assert_null(c->needed);
    else
        assert_string_equal(c->needed != NULL ? c->needed : "none", why);
    arena_free(&arena);
}

static void test_pointers(void **state)
{
    (void)state;
    put_text("global_step1/w.pt", "x");
    put_text("global_step2/w.pt", "x");
    put_text("iter_0000003/w.pt", "x");
    put_text("checkpoint-4/w.pt", "x");
    put_text("checkpoint-5/w.pt", "x");
    put_text("checkpoint-6/w.pt", "x");
    put_text("my run step 7/w.pt", "x");
    put_text("latest", "global_step2\n");
    put_text("latest_checkpointed_iteration.txt", "3");
    put_text("last_checkpoint", "my run step 7");
    assert_int_equal(symlink("checkpoint-4/", path_of("best")), 0);
    assert_int_equal(symlink("../checkpoint-5/w.pt", path_of("checkpoint-6/base")), 0);
    assert_int_equal(symlink("../checkpoint-6/w.pt", path_of("checkpoint-6/self")), 0);
    expect_needed("global_step1", NULL);
    expect_needed("global_step2", "named by 'latest'");
    expect_needed("iter_0000003", "named by 'latest'");
    expect_needed("my run step 7", "named by 'latest'");
    expect_needed("checkpoint-4", "a link names it");
    expect_needed("checkpoint-5", "another links to it");
    expect_needed("checkpoint-6", NULL);
    put_text("checkpoint", "model_checkpoint_path: \"checkpoint-6\"\n"
                           "all_model_checkpoint_paths: \"global_step1\"\n");
    expect_needed("checkpoint-6", "named by 'latest'");
    expect_needed("global_step1", NULL);
}

static void test_sizes(void **state)
{
    struct arena arena = test_arena();
    const struct checkpoint *c;
    struct checkpoint *list;
    size_t count;
    int fd;

    (void)state;
    put_bytes("step_1.pt", 5000);
    put_bytes("checkpoint-2/a.bin", 3000);
    put_bytes("checkpoint-2/deep/er/b.bin", 4000);
    assert_int_equal(symlink("/etc/passwd", path_of("checkpoint-2/link")), 0);
    put_bytes("checkpoint-3/a.bin", 1000);
    put_bytes("elsewhere", 10000);
    {
        char from[PATH_MAX];

        (void)snprintf(from, sizeof from, "%s", path_of("elsewhere"));
        assert_int_equal(link(from, path_of("checkpoint-3/one")), 0);
        assert_int_equal(link(from, path_of("checkpoint-3/two")), 0);
    }
    put_text("checkpoint-4/a.bin", "x");
    fd = open(path_of("checkpoint-4/sparse"), O_WRONLY | O_CREAT, 0600);
    assert_true(fd >= 0);
    assert_int_equal(ftruncate(fd, 1 << 30), 0);
    (void)close(fd);
    list = scan(&arena, "", &count);
    assert_int_equal(count, 4);
    c = named(list, count, "step_1.pt");
    assert_near(c->bytes, 5000, 0);
    assert_int_equal(c->files, 1);
    c = named(list, count, "checkpoint-2");
    assert_near(c->bytes, 7000, 0);
    assert_near(c->frees, 7000, 0);
    assert_int_equal(c->files, 2);
    c = named(list, count, "checkpoint-3");
    assert_near(c->bytes, 11000, 0);
    assert_near(c->frees, 1000, 0); /* the rest has another name */
    c = named(list, count, "checkpoint-4");
    assert_true(c->bytes < 1 << 20);
    arena_free(&arena);
}

static void test_order_and_odd_names(void **state)
{
    struct arena arena = test_arena();
    struct checkpoint *list;
    size_t count;

    (void)state;
    put_text("step_3.pt", "x");
    put_text("step_1.pt", "x");
    put_text("step_2\n\x1b[31m.pt", "x");
    put_text("step_10.pt", "x");
    put_text("notes.txt", "x");
    assert_int_equal(mkfifo(path_of("step_9.pt"), 0600), 0);
    date("step_3.pt", 100);
    date("step_1.pt", 300);
    date("step_2\n\x1b[31m.pt", 200);
    date("step_10.pt", 300);
    list = scan(&arena, "", &count);
    assert_int_equal(count, 4);
    assert_str_equal(list[0].name, "step_3.pt");
    assert_near(list[1].step, 2, 0);
    assert_str_equal(list[2].name, "step_1.pt");
    assert_str_equal(list[3].name, "step_10.pt");
    arena_free(&arena);
}

static void test_scan_refuses(void **state)
{
    struct arena arena = test_arena();
    struct checkpoint *list;
    struct error err = {0};
    size_t count;

    (void)state;
    assert_false(checkpoints_scan("/nonexistent/x", STR(""), &arena, &list, &count, &err));
    assert_int_equal(err.kind, ERROR_ABSENT);
    put_text("file", "x");
    assert_false(checkpoints_scan(path_of("file"), STR(""), &arena, &list, &count, &err));
    assert_int_equal(err.kind, ERROR_INPUT);
    put_text("trainer_state.json", "{}");
    put_text("rng_state_0.pth", "x");
    assert_false(checkpoints_scan(folder, STR(""), &arena, &list, &count, &err));
    assert_non_null(strstr(err.text, "is one checkpoint, not a folder of them"));
    arena_free(&arena);
}

static void test_unreadable(void **state)
{
    struct arena arena = test_arena();
    struct checkpoint *list;
    struct checkpoint_rules rules = {.keep = 1};
    size_t count;

    (void)state;
    if (geteuid() == 0) {
        print_message("# SKIPPED: root reads everything\n");
        return;
    }
    put_text("checkpoint-1/secret/w.pt", "x");
    put_text("checkpoint-2/w.pt", "x");
    assert_int_equal(chmod(path_of("checkpoint-1/secret"), 0), 0);
    list = scan(&arena, "", &count);
    assert_true(isnan(named(list, count, "checkpoint-1")->bytes));
    checkpoints_decide(list, count, &rules, now_ns() + 100 * S);
    assert_true(named(list, count, "checkpoint-1")->keep);
    arena_free(&arena);
}

/* ---- removal ---- */

static void test_remove(void **state)
{
    struct error err = {0};
    size_t swept;

    (void)state;
    put_text("checkpoint-1/a/b/c/w.pt", "x");
    put_text("other/precious", "x");
    assert_int_equal(symlink("../other", path_of("checkpoint-1/out")), 0);
    assert_int_equal(symlink("other", path_of("checkpoint-2")), 0);
    assert_true(checkpoint_remove(folder, STR("checkpoint-1"), &err));
    assert_false(there("checkpoint-1"));
    assert_true(there("other/precious"));
    assert_false(checkpoint_remove(folder, STR("checkpoint-2"), &err));
    assert_non_null(strstr(err.text, "a link"));
    assert_false(checkpoint_remove(folder, STR("checkpoint-1"), &err));
    assert_int_equal(err.kind, ERROR_ABSENT);
    assert_false(checkpoint_remove(folder, STR(".."), &err));
    assert_false(checkpoint_remove(folder, STR("."), &err));
    assert_false(checkpoint_remove(folder, STR(""), &err));
    assert_false(checkpoint_remove(folder, STR("other/precious"), &err));
    assert_false(checkpoint_remove(folder, STR("../other"), &err));
    assert_false(checkpoint_remove(folder, ((struct str){"a\0b", 3}), &err));
    assert_true(there("other/precious"));
    /* What a removal left that was broken off. */
    put_text(".stint-removing-0-checkpoint-7/w.pt", "x");
    put_text(".stint-removing-0-x.pt", "x");
    assert_true(checkpoints_sweep(folder, &swept, &err));
    assert_int_equal(swept, 2);
    assert_false(there(".stint-removing-0-checkpoint-7"));
    assert_true(checkpoints_sweep(folder, &swept, &err));
    assert_int_equal(swept, 0);
}

static void test_remove_partly(void **state)
{
    struct error err = {0};

    (void)state;
    if (geteuid() == 0) {
        print_message("# SKIPPED: root removes everything\n");
        return;
    }
    put_text("checkpoint-1/fixed/w.pt", "x");
    assert_int_equal(chmod(path_of("checkpoint-1/fixed"), 0500), 0);
    assert_false(checkpoint_remove(folder, STR("checkpoint-1"), &err));
    assert_non_null(strstr(err.text, "some of it is left in '.stint-removing-"));
    assert_false(there("checkpoint-1")); /* half of one is never taken for whole */
}

/* ---- the watch ---- */

struct heard {
    char settled[256], removed[256], found[256], failed[600];
    double metric;
};

static void note(char *to, struct str name)
{
    size_t len = strlen(to);

    (void)snprintf(to + len, 256 - len, "%.*s ", STR_ARG(name));
}

static void hear_settled(void *ctx, struct checkpoint *c)
{
    struct heard *h = ctx;

    note(h->settled, c->name);
    if (!isnan(h->metric))
        c->metric = h->metric;
}

static void hear_found(void *ctx, struct checkpoint *c)
{
    note(((struct heard *)ctx)->found, c->name);
}

static void hear_removed(void *ctx, const struct checkpoint *c)
{
    note(((struct heard *)ctx)->removed, c->name);
}

static void hear_failed(void *ctx, const struct error *err)
{
    (void)snprintf(((struct heard *)ctx)->failed, 600, "%s", err->text);
}

static struct checkpoint_watch *watch(struct heard *h, int keep, const char *metric,
                                      int64_t now)
{
    struct checkpoint_watch_options options = {
        .folder = folder,
        .rules = {.keep = keep, .metric = str_from(metric), .settle_s = 10},
        .prune = keep > 0,
        .found = hear_found,
        .settled = hear_settled,
        .removed = hear_removed,
        .failed = hear_failed,
        .ctx = h};
    struct error err;
    struct checkpoint_watch *w = checkpoint_watch_open(&options, now, &alloc_system, &err);

    assert_non_null(w);
    return w;
}

static void test_watch(void **state)
{
    struct heard h = {.metric = NAN};
    struct checkpoint_watch *w;
    int64_t now;

    (void)state;
    put_bytes("step_1.pt", 1000);
    now = now_ns() + 100 * S; /* as if it were a while later */
    w = watch(&h, 2, "", now);
    assert_string_equal(h.found, "step_1.pt ");
    put_bytes("step_2.pt", 2000);
    checkpoint_watch_look(w, now += S);
    assert_string_equal(h.settled, "");
    checkpoint_watch_look(w, now += 5 * S);
    put_bytes("step_2.pt", 3000); /* still writing */
    checkpoint_watch_look(w, now += S);
    checkpoint_watch_look(w, now += 9 * S);
    assert_string_equal(h.settled, "");
    checkpoint_watch_look(w, now += S);
    assert_string_equal(h.settled, "step_2.pt ");
    assert_near(checkpoint_watch_bytes(w), 4000, 0);
    assert_true(checkpoint_watch_longest(w) >= 0);
    assert_string_equal(h.removed, "");
    put_bytes("checkpoint-3/deep/w.pt", 100);
    put_bytes("step_3.pt", 10);
    checkpoint_watch_look(w, now += S);
    checkpoint_watch_look(w, now += 11 * S);
    assert_string_equal(h.removed, "step_1.pt ");
    assert_false(there("step_1.pt"));
    assert_true(there("step_2.pt") && there("step_3.pt") && there("checkpoint-3"));
    assert_string_equal(h.failed, "");
    checkpoint_watch_close(w);
}

static void test_watch_told_metric(void **state)
{
    struct heard h = {.metric = 0.1};
    struct checkpoint_watch *w;
    int64_t now = now_ns() + 100 * S;

    (void)state;
    w = watch(&h, 1, "val_loss:min", now);
    for (int i = 1; i <= 4; i++) {
        char name[32];

        (void)snprintf(name, sizeof name, "checkpoint-%d/model.bin", i);
        put_bytes(name, 100);
        (void)snprintf(name, sizeof name, "checkpoint-%d", i);
        checkpoint_watch_look(w, now += S);
        checkpoint_watch_look(w, now += 11 * S);
        h.metric += 0.1; /* the first is the best */
    }
    assert_string_equal(h.removed, "checkpoint-2 checkpoint-3 ");
    assert_true(there("checkpoint-1") && there("checkpoint-4"));
    checkpoint_watch_close(w);
}

static void test_watch_late_folder_and_end(void **state)
{
    struct heard h = {.metric = NAN};
    struct checkpoint_watch *w;
    int64_t now = now_ns() + 100 * S;

    (void)state;
    assert_int_equal(rmdir(folder), 0);
    w = watch(&h, 1, "", now);
    checkpoint_watch_look(w, now += S);
    assert_int_equal(mkdir(folder, 0700), 0);
    put_bytes("step_1.pt", 10);
    checkpoint_watch_look(w, now += S);
    put_bytes("step_2.pt", 10);
    put_bytes("step_3.pt.tmp", 10);
    checkpoint_watch_end(w, now += S); /* it ended at once: what is there is whole */
    assert_non_null(strstr(h.settled, "step_1.pt "));
    assert_non_null(strstr(h.settled, "step_2.pt "));
    assert_null(strstr(h.settled, "tmp"));
    assert_string_equal(h.removed, "step_1.pt ");
    assert_true(there("step_2.pt") && there("step_3.pt.tmp"));
    assert_false(there(".stint-removing-0-step_1.pt"));
    checkpoint_watch_close(w);
}

/* A folder that is written again in its place is found by a glance: no event tells of it. */
static void test_watch_rewritten(void **state)
{
    struct heard h = {.metric = NAN};
    struct checkpoint_watch *w;
    int64_t now;

    (void)state;
    put_bytes("checkpoint-1/w.pt", 10);
    now = now_ns() + 100 * S;
    w = watch(&h, 0, "", now);
    assert_string_equal(h.found, "checkpoint-1 ");
    put_bytes("checkpoint-1/w.pt", 20);
    for (int i = 0; i < 60; i++)
        checkpoint_watch_look(w, now += S);
    assert_string_equal(h.settled, "checkpoint-1 ");
    assert_near(checkpoint_watch_bytes(w), 20, 0);
    checkpoint_watch_close(w);
}

static void test_watch_many_files(void **state)
{
    struct heard h = {.metric = NAN};
    struct checkpoint_watch *w;
    int64_t now = now_ns() + 100 * S;

    (void)state;
    for (int i = 0; i < 600; i++) {
        char name[64];

        (void)snprintf(name, sizeof name, "checkpoint-1/part%d.bin", i);
        put_bytes(name, 1);
    }
    w = watch(&h, 1, "", now);
    put_bytes("checkpoint-2/w.bin", 1);
    for (int i = 0; i < 12; i++)
        checkpoint_watch_look(w, now += S);
    assert_string_equal(h.removed, "checkpoint-1 ");
    assert_true(there(".stint-removing-0-checkpoint-1")); /* bit by bit */
    for (int i = 0; i < 4; i++)
        checkpoint_watch_look(w, now += S);
    assert_false(there(".stint-removing-0-checkpoint-1"));
    checkpoint_watch_close(w);
}

static void test_watch_memory(void **state)
{
    int64_t now = now_ns() + 100 * S;

    (void)state;
    put_bytes("step_1.pt", 10);
    for (size_t allow = 0; allow < 12; allow++) {
        struct failing_alloc counter = {.allow = allow};
        struct alloc alloc = {failing_get, failing_put, &counter};
        struct checkpoint_watch_options options = {
            .folder = folder, .rules = {.keep = 1, .settle_s = 10}, .prune = true};
        struct error err = {0};
        struct checkpoint_watch *w = checkpoint_watch_open(&options, now, &alloc, &err);

        if (w == NULL)
            assert_int_equal(err.kind, ERROR_MEMORY);
        else
            checkpoint_watch_end(w, now + S);
        checkpoint_watch_close(w);
        assert_int_equal(counter.held, 0);
        assert_true(there("step_1.pt"));
    }
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, clear_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_series),
        cmocka_unit_test(test_metric_in_name),
        cmocka_unit_test(test_best_parse),
        cmocka_unit_test(test_decide),
        cmocka_unit_test(test_decide_parts_of_one),
        cmocka_unit_test(test_decide_other_series),
        cmocka_unit_test(test_decide_promises),
        IN_FOLDER(test_safetensors),
        IN_FOLDER(test_zip),
        IN_FOLDER(test_folders),
        IN_FOLDER(test_trainer_state),
        IN_FOLDER(test_pointers),
        IN_FOLDER(test_sizes),
        IN_FOLDER(test_order_and_odd_names),
        IN_FOLDER(test_scan_refuses),
        IN_FOLDER(test_unreadable),
        IN_FOLDER(test_remove),
        IN_FOLDER(test_remove_partly),
        IN_FOLDER(test_watch),
        IN_FOLDER(test_watch_told_metric),
        IN_FOLDER(test_watch_late_folder_and_end),
        IN_FOLDER(test_watch_rewritten),
        IN_FOLDER(test_watch_many_files),
        IN_FOLDER(test_watch_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
