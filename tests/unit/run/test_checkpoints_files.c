/* Checkpoints: what is in a folder, what is complete, and removal. */
#include "run/checkpoint_folder.h"

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
    const struct checkpoint *list = scan(&arena, "", &count);
    const struct checkpoint *c = named(list, count, name);

    if (doubt == NULL)
        assert_null(c->doubt);
    else
        assert_string_equal(c->doubt != NULL ? c->doubt : "none", doubt);
    arena_free(&arena);
}

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
    put("step_3.pt", "\x80\2old pickle, as long as the others", 35);
    put("step_4.pt", "\x80\2old pickle", 12);
    put("step_5.pt", "PK\3\4data and more of itPK\5\6\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 43);
    put("step_6.pt", "PK\3\4data and more of itPK\5\6\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\3\0of",
        46);
    expect_doubt("step_1.pt", NULL);
    expect_doubt("step_5.pt", "its end is missing");
    expect_doubt("step_6.pt", "its end is missing");
    expect_doubt("step_2.pt", "its end is missing");
    expect_doubt("step_3.pt", NULL);
    expect_doubt("step_4.pt", "shorter than the one before it");
}

static void test_folders(void **state)
{
    static const char index[] =
        "{\"metadata\":{\"total_size\":9},\"weight_map\":{"
        "\"a\":\"model-00001-of-00002.bin\",\"b\":\"model-00002-of-00002.bin\"}}";

    (void)state;
    put_text("global_step1/pytorch_model.bin", "weights");
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
    expect_doubt("global_step1", NULL);
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

/* Half of a save in which each file is good: what the one before it has is missing. */
static void test_siblings(void **state)
{
    (void)state;
    for (int i = 1; i <= 4; i++) {
        char name[64];

        (void)snprintf(name, sizeof name, "checkpoint-%d/model.bin", i);
        put_bytes(name, i == 3 ? 500 : 1000);
        (void)snprintf(name, sizeof name, "checkpoint-%d/state_of_step_%d.bin", i, i);
        if (i != 2)
            put_bytes(name, 10);
        (void)snprintf(name, sizeof name, "checkpoint-%d/rng_state_%d.pth", i, 0);
        put_bytes(name, 10);
        (void)usleep(20000);
    }
    expect_doubt("checkpoint-1", NULL);
    expect_doubt("checkpoint-2", "a file that the one before it has is missing");
    expect_doubt("checkpoint-3", "shorter than the one before it");
    expect_doubt("checkpoint-4", NULL);
    put_text("checkpoint-4/config.json", "{\"a\": [\"}\"");
    expect_doubt("checkpoint-4", "a JSON file in it is cut off");
    put_text("checkpoint-4/config.json", "{\"a\": [\"}\\\"\", NaN]}");
    expect_doubt("checkpoint-4", NULL);
}

/* Files of a model have one size: a byte less is a file that was cut off, where two before it
 * are equal. */
static void test_equal_siblings(void **state)
{
    static const size_t equal[] = {1000, 1000, 999, 1000, 1001},
                        apart[] = {1000, 998, 997, 999, 995};

    (void)state;
    for (size_t i = 0; i < 5; i++) {
        char name[64];

        (void)snprintf(name, sizeof name, "network-snapshot_step_%zu.pkl", i + 1);
        put_bytes(name, equal[i]);
        (void)snprintf(name, sizeof name, "other_step_%zu.pkl", i + 1);
        put_bytes(name, apart[i]);
        (void)usleep(20000);
    }
    for (size_t i = 0; i < 5; i++) {
        char name[64];

        (void)snprintf(name, sizeof name, "network-snapshot_step_%zu.pkl", i + 1);
        expect_doubt(name, i == 2 ? "shorter than those before it" : NULL);
        (void)snprintf(name, sizeof name, "other_step_%zu.pkl", i + 1);
        expect_doubt(name, NULL);
    }
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

static void expect_needed(const char *name, const char *why)
{
    struct arena arena = test_arena();
    size_t count;
    const struct checkpoint *list = scan(&arena, "", &count);
    const struct checkpoint *c = named(list, count, name);

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
    assert_false(checkpoints_scan(path_of("absent"), STR(""), &arena, &list, &count, &err));
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
    drop_root();
    put_text("checkpoint-1/secret/w.pt", "x");
    put_text("checkpoint-2/w.pt", "x");
    assert_int_equal(chmod(path_of("checkpoint-1/secret"), 0), 0);
    list = scan(&arena, "", &count);
    assert_true(isnan(named(list, count, "checkpoint-1")->bytes));
    checkpoints_decide(list, count, &rules, now_ns() + 100 * S);
    assert_true(named(list, count, "checkpoint-1")->keep);
    arena_free(&arena);
}

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
    /* What an interrupted removal left. */
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
    drop_root();
    put_text("checkpoint-1/fixed/w.pt", "x");
    assert_int_equal(chmod(path_of("checkpoint-1/fixed"), 0500), 0);
    assert_false(checkpoint_remove(folder, STR("checkpoint-1"), &err));
    assert_non_null(strstr(err.text, "some of it is left in '.stint-removing-"));
    assert_false(there("checkpoint-1")); /* half of one is never considered complete */
}

int group_checkpoints_files(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_safetensors),
        IN_FOLDER(test_zip),
        IN_FOLDER(test_folders),
        IN_FOLDER(test_siblings),
        IN_FOLDER(test_equal_siblings),
        IN_FOLDER(test_trainer_state),
        IN_FOLDER(test_pointers),
        IN_FOLDER(test_sizes),
        IN_FOLDER(test_order_and_odd_names),
        IN_FOLDER(test_scan_refuses),
        IN_FOLDER(test_unreadable),
        IN_FOLDER(test_remove),
        IN_FOLDER(test_remove_partly),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
