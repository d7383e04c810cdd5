/* Checkpoints: a folder watched while a program writes to it. */
#include "run/checkpoint_folder.h"

struct heard {
    char settled[256], removed[256], found[256], failed[600];
    double metric;
    bool open;    /* labels are not final */
    bool earlier; /* existing files are from an earlier attempt */
    size_t unranked;
};

static void note(char *to, struct str name)
{
    size_t len = strlen(to);

    (void)snprintf(to + len, 256 - len, "%.*s ", STR_ARG(name));
}

/* The metric of a save is the one of the moment at which it is seen. */
static void hear_dated(void *ctx, const struct checkpoint *c, int64_t begun_ns,
                       int64_t glimpsed_ns, struct checkpoint_label *out)
{
    const struct heard *h = ctx;

    (void)h;
    (void)glimpsed_ns;
    out->written.ns = c->written_ns;
    out->begun.ns = begun_ns;
}

static bool hear_label(void *ctx, const struct checkpoint *c, instant until,
                       struct checkpoint_label *out)
{
    const struct heard *h = ctx;

    (void)c;
    (void)until;
    out->final = !h->open;
    if (!isnan(h->metric) && isnan(out->reading[1])) {
        out->reading[1] = h->metric;
        out->seen = 1U << 1;
    }
    return true;
}

static void hear_settled(void *ctx, const struct checkpoint *c,
                         const struct checkpoint_label *label)
{
    (void)label;
    note(((struct heard *)ctx)->settled, c->name);
}

static bool hear_found(void *ctx, const struct checkpoint *c, struct checkpoint_label *out)
{
    struct heard *h = ctx;

    (void)out;
    note(h->found, c->name);
    return h->earlier;
}

static void hear_unranked(void *ctx, size_t count, size_t of)
{
    (void)of;
    ((struct heard *)ctx)->unranked += count;
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
        .dated = hear_dated,
        .label = hear_label,
        .found = hear_found,
        .settled = hear_settled,
        .removed = hear_removed,
        .unranked = hear_unranked,
        .failed = hear_failed,
        .ctx = h};
    struct error err;
    struct checkpoint_watch *w;

    (void)usleep(30000); /* what was written by now was written before */
    options.since_ns = now_ns() - 10000000;
    w = checkpoint_watch_open(&options, &alloc_system, &err);
    assert_non_null(w);
    checkpoint_watch_look(w, now);
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
    assert_string_equal(h.removed, "");
    put_bytes("checkpoint-3/deep/w.pt", 100);
    put_bytes("step_3.pt", 3000);
    checkpoint_watch_look(w, now += S);
    checkpoint_watch_look(w, now += 11 * S);
    assert_string_equal(h.removed, "step_1.pt ");
    assert_false(there("step_1.pt"));
    assert_true(there("step_2.pt") && there("step_3.pt") && there("checkpoint-3"));
    assert_string_equal(h.failed, "");
    checkpoint_watch_close(w);
}

static void test_watch_reported_metric(void **state)
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
    assert_true(str_eq(checkpoint_watch_best(w), STR("checkpoint-1")));
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
    put_bytes("step_2.pt", 10);
    checkpoint_watch_look(w, now += S);
    checkpoint_watch_look(w, now += 4 * S);
    put_bytes("step_3.pt", 10);
    put_bytes("step_4.pt.tmp", 10);
    checkpoint_watch_end(w, now += S, true,
                         true); /* it ended successfully: what is there is complete */
    assert_non_null(strstr(h.settled, "step_1.pt "));
    assert_non_null(strstr(h.settled, "step_2.pt "));
    assert_non_null(strstr(h.settled, "step_3.pt "));
    assert_null(strstr(h.settled, "tmp"));
    assert_non_null(strstr(h.removed, "step_1.pt "));
    assert_non_null(strstr(h.removed, "step_2.pt "));
    assert_true(there("step_3.pt") && there("step_4.pt.tmp"));
    assert_false(there("step_1.pt") || there("step_2.pt"));
    assert_false(there(".stint-removing-0-step_1.pt"));
    checkpoint_watch_close(w);
}

/* One that is killed in the middle of a save leaves half of it: that is no reason to remove the
 * last good one. */
static void test_watch_killed_while_saving(void **state)
{
    struct heard h = {.metric = NAN};
    struct checkpoint_watch *w;
    int64_t now = now_ns() + 100 * S;

    (void)state;
    w = watch(&h, 1, "", now);
    put_bytes("checkpoint-1/pytorch_model.bin", 1000);
    checkpoint_watch_look(w, now += S);
    checkpoint_watch_look(w, now += 11 * S);
    assert_string_equal(h.settled, "checkpoint-1 ");
    put_bytes("checkpoint-2/pytorch_model.bin", 100);
    checkpoint_watch_look(w, now += S);
    put_bytes("checkpoint-2/pytorch_model.bin", 200);
    checkpoint_watch_look(w, now += S);
    checkpoint_watch_look(w, now += 5 * S); /* a pause, but it has not settled */
    checkpoint_watch_end(w, now += S, false, false);
    assert_string_equal(h.settled, "checkpoint-1 ");
    assert_string_equal(h.removed, "");
    assert_true(there("checkpoint-1") && there("checkpoint-2"));
    checkpoint_watch_close(w);
}

/* One that had settled by then is complete, however the program ended. */
static void test_watch_settled_at_bad_end(void **state)
{
    struct heard h = {.metric = NAN};
    struct checkpoint_watch *w;
    int64_t now = now_ns() + 100 * S;

    (void)state;
    put_bytes("step_1.pt", 10);
    w = watch(&h, 1, "", now);
    put_bytes("step_2.pt", 10);
    checkpoint_watch_look(w, now += S);
    checkpoint_watch_end(w, now += 11 * S, false, false);
    assert_string_equal(h.settled, "step_2.pt ");
    assert_string_equal(h.removed, "step_1.pt ");
    checkpoint_watch_close(w);
}

/* What was closed before the first signal is finished; what was open then is not; and for what
 * a program closes when it fails by itself it is unknown. */
static void test_watch_closed_before_signal(void **state)
{
    for (int failed = 0; failed < 2; failed++) {
        struct heard h = {.metric = NAN};
        struct checkpoint_watch *w;
        int64_t now = now_ns();
        FILE *torn;

        (void)state;
        w = watch(&h, 1, "", now);
        put_bytes("step_1.bin", 1000);
        put_bytes("step_2.bin.tmp", 1000);
        assert_int_equal(rename(path_of("step_2.bin.tmp"),
                                strcat(strcpy((char[128]){0}, folder), "/step_2.bin")),
                         0);
        (void)usleep(30000);
        if (failed) /* else the last moment to see it is the signal */
            checkpoint_watch_look(w, now += S);
        torn = fopen(path_of("step_3.bin"), "wb");
        assert_non_null(torn);
        assert_int_equal(fwrite("xx", 1, 2, torn), 2);
        assert_int_equal(fflush(torn), 0);
        if (!failed)
            checkpoint_watch_signal(w, now += S);
        assert_int_equal(fclose(torn), 0);
        checkpoint_watch_end(w, now += S, false, false);
        assert_non_null(strstr(h.settled, "step_1.bin "));
        assert_non_null(strstr(h.settled, "step_2.bin "));
        assert_true((strstr(h.settled, "step_3.bin ") != NULL) == (failed != 0));
        assert_string_equal(h.removed, "step_1.bin ");
        assert_true(there("step_2.bin") && there("step_3.bin"));
        checkpoint_watch_close(w);
        assert_int_equal(unlink(path_of("step_3.bin")), 0);
    }
}

/* While the next step has not come, the metric may still change: nothing is removed because of
 * it, and it is not removed. */
static void test_watch_waits_for_metric(void **state)
{
    struct heard h = {.metric = 0.9, .open = true};
    struct checkpoint_watch *w;
    int64_t now = now_ns() + 100 * S;

    (void)state;
    w = watch(&h, 1, "acc", now);
    put_bytes("step_1.pt", 10);
    put_bytes("step_2.pt", 10);
    put_bytes("step_3.pt", 10);
    checkpoint_watch_look(w, now += S);
    checkpoint_watch_look(w, now += 11 * S);
    assert_non_null(strstr(h.settled, "step_1.pt"));
    assert_string_equal(h.removed, "");
    h.open = false;
    checkpoint_watch_look(w, now += S);
    assert_int_equal(strlen(h.removed), 2 * strlen("step_1.pt "));
    checkpoint_watch_close(w);
}

static void test_watch_unranked(void **state)
{
    struct heard h = {.metric = NAN};
    struct checkpoint_watch *w;
    int64_t now = now_ns() + 100 * S;

    (void)state;
    w = watch(&h, 2, "acc", now);
    put_bytes("step_1.pt", 10);
    put_bytes("step_2.pt", 10);
    checkpoint_watch_look(w, now += S);
    checkpoint_watch_look(w, now += 11 * S);
    assert_int_equal(h.unranked, 0);
    put_bytes("step_3.pt", 10);
    put_bytes("step_4.pt", 10);
    checkpoint_watch_look(w, now += S);
    checkpoint_watch_look(w, now += 11 * S);
    checkpoint_watch_end(w, now += S, true, true);
    assert_int_equal(h.unranked, 4); /* once */
    assert_string_equal(h.removed, "");
    checkpoint_watch_close(w);
}

/* A folder that is rewritten in place is found by scanning: no event reports it. */
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
    for (int i = 0; i < 600; i++) {
        char name[64];

        (void)snprintf(name, sizeof name, "checkpoint-2/part%d.bin", i);
        put_bytes(name, 1);
    }
    for (int i = 0; i < 30 && h.removed[0] == '\0'; i++)
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
        struct checkpoint_watch *w = checkpoint_watch_open(&options, &alloc, &err);

        if (w == NULL)
            assert_int_equal(err.kind, ERROR_MEMORY);
        else {
            checkpoint_watch_look(w, now);
            checkpoint_watch_end(w, now + S, true, true);
        }
        checkpoint_watch_close(w);
        assert_int_equal(counter.held, 0);
        assert_true(there("step_1.pt"));
    }
}

int group_checkpoints_watch(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_watch),
        IN_FOLDER(test_watch_reported_metric),
        IN_FOLDER(test_watch_late_folder_and_end),
        IN_FOLDER(test_watch_killed_while_saving),
        IN_FOLDER(test_watch_settled_at_bad_end),
        IN_FOLDER(test_watch_closed_before_signal),
        IN_FOLDER(test_watch_waits_for_metric),
        IN_FOLDER(test_watch_unranked),
        IN_FOLDER(test_watch_rewritten),
        IN_FOLDER(test_watch_many_files),
        IN_FOLDER(test_watch_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
