#include "sinks.h"

static const char mlflow_page[] =
    "{\"runs\":[{\"info\":{\"run_id\":\"a1\",\"run_name\":\"x\",\"status\":\"FINISHED\","
    "\"start_time\":\"1793527200000\",\"end_time\":1793527260000},\"data\":{\"metrics\":[{"
    "\"key\":\"loss\",\"value\":\"NaN\",\"step\":3,\"timestamp\":1793527250000}],\"params\":[{"
    "\"key\":\"lr\",\"value\":\"0.1\"},7,null],\"tags\":[{\"key\":\"mlflow.user\",\"value\":"
    "\"ada\"},{\"key\":\"mlflow.note\",\"value\":\"n\"},{\"key\":\"team\",\"value\":\"nlp\"}]},"
    "\"inputs\":{\"a\":[1,{}]}},\"odd\"],\"next_page_token\":\"t2\"}";

static const char wandb_json[] =
    "{\"id\":\"r1\",\"name\":\"n1\",\"state\":\"finished\",\"created_at\":\"2026-11-01T10:00:"
    "00\","
    "\"project\":{\"name\":\"p\"},\"config\":{\"a\":{\"value\":{\"b\":2}},\"l\":[1,2]},"
    "\"summary\":{\"loss\":0.5,\"_runtime\":90,\"t\":\"text\"},\"history\":[{\"_step\":4,"
    "\"_timestamp\":1793527201,\"loss\":0.7,\"note\":\"x\"},null,[1]],\"x\":[{\"y\":1}]}\n"
    "{\"name\":\"only a name\"}\n{\"id\":\"r2\",\"state\":\"crashed\",\"config\":\"not "
    "JSON\"}\n";

static const char mlflow_table[] =
    "run_id,status,start_time,end_time,metrics.loss,params.lr,tags.mlflow.user,tags.team\n"
    "a1,FINISHED,2026-11-01 10:00:00.000+00:00,,0.5,0.1,ada,nlp\n";

/* How each input is read, however it is cut into pieces. */
enum reader { READ_MLFLOW, READ_WANDB, READ_TABLE };

static bool read_as(enum reader reader, struct str text, size_t piece,
                    const struct alloc *alloc, struct buf *out, struct error *err)
{
    struct text_source state = {text, piece};
    struct source source = {text_read, &state};
    struct tracker_sink sink = {.run = write_run, .point = write_point, .ctx = out};
    struct buf next = buf_new(alloc, 4096);
    bool ok = reader == READ_MLFLOW  ? mlflow_read_runs(source, alloc, &sink, &next, err)
              : reader == READ_WANDB ? wandb_read_runs(source, alloc, &sink, err)
                                     : tracker_read_table(source, true, alloc, &sink, err);

    if (next.len > 0)
        buf_addf(out, "next %.*s\n", STR_ARG(buf_text(&next)));
    buf_free(&next);
    return ok;
}

static const struct {
    enum reader reader;
    const char *text, *expected;
} cases[] = {
    {READ_MLFLOW, mlflow_page,
     "a1|x|ada|1|1793527200000-1793527260000|-1| x-1\n  p lr=0.1\n  t team=nlp\n"
     "  m loss nan 3\nnext t2\n"},
    {READ_WANDB, wandb_json,
     "  . loss 0.7 4 1793527201000\nr1|n1||1|1793527200000--1|90000| x-1\n  p a.b=2\n"
     "  m loss 0.5 nan\nr2|||2|-1--1|-1| x-1\n"},
    {READ_TABLE, mlflow_table,
     "a1||ada|1|1793527200000--1|-1| x-1\n  p lr=0.1\n  t team=nlp\n  m loss 0.5 nan\n"},
};

static void every_export_is_read_in_pieces_of_any_size(void **state)
{
    static const size_t pieces[] = {1, 7, 4096};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        for (size_t k = 0; k < ARRAY_LEN(pieces); k++) {
            struct buf out = buf_new(&alloc_system, 4096);
            struct error err = {0};

            if (!read_as(cases[i].reader, str_from(cases[i].text), pieces[k], &alloc_system,
                         &out, &err))
                fail_msg("case %zu: %s", i, err.text);
            assert_str_equal(buf_text(&out), cases[i].expected);
            buf_free(&out);
        }
}

static void an_export_that_is_cut_is_an_error(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct str text = str_from(cases[i].text);

        /* Until the end of the first object. */
        for (size_t len = 1; len < (i == 0 ? text.len : 284); len++) {
            struct buf out = buf_new(&alloc_system, 4096);
            struct error err = {0};

            assert_false(read_as(cases[i].reader, (struct str){text.at, len}, 4096,
                                 &alloc_system, &out, &err));
            assert_int_equal(err.kind, ERROR_INPUT);
            buf_free(&out);
        }
    }
}

static void memory_that_runs_out_is_an_error_and_leaks_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        for (size_t allow = 0;; allow++) {
            struct failing_alloc failing = {.allow = allow};
            struct alloc alloc = {failing_get, failing_put, &failing};
            struct buf out = buf_new(&alloc_system, 4096);
            struct error err = {0};
            bool ok =
                read_as(cases[i].reader, str_from(cases[i].text), 4096, &alloc, &out, &err);

            buf_free(&out);
            assert_int_equal(failing.held, 0);
            if (ok)
                break;
            assert_int_equal(err.kind, ERROR_MEMORY);
            assert_true(allow < 1000);
        }
}

/* ---- a million values ---- */

#define MILLION 1000000

struct endless {
    int next;
    char line[96];
    size_t at, len;
};

static ptrdiff_t endless_read(void *ctx, char *to, size_t room, struct error *err)
{
    struct endless *e = ctx;
    size_t n;

    (void)err;
    if (e->at == e->len) {
        int len = e->next > MILLION    ? 0
                  : e->next == MILLION ? snprintf(e->line, sizeof e->line, "]}")
                                       : snprintf(e->line, sizeof e->line,
                                                  "%s{\"key\":\"loss\",\"value\":%d,"
                                                  "\"timestamp\":%lld,\"step\":%d}",
                                                  e->next == 0 ? "{\"metrics\":[" : ",",
                                                  e->next, 1793527200000LL + e->next, e->next);
        e->next++;
        e->at = 0;
        e->len = (size_t)len;
    }
    n = e->len - e->at < room ? e->len - e->at : room;
    if (n > 0)
        memcpy(to, e->line + e->at, n);
    e->at += n;
    return (ptrdiff_t)n;
}

static void count_point(void *ctx, const struct tracker_metric *point)
{
    int64_t *sum = ctx;

    sum[0]++;
    sum[1] += (int64_t)point->value;
}

static size_t most_held;

static void *counting_get(void *ctx, size_t size)
{
    struct failing_alloc *a = ctx;
    void *block = failing_get(ctx, size);

    most_held = a->held > most_held ? a->held : most_held;
    return block;
}

static void a_million_values_take_no_more_memory_than_one(void **state)
{
    struct failing_alloc counting = {.allow = SIZE_MAX};
    struct alloc alloc = {counting_get, failing_put, &counting};
    struct endless e = {0};
    int64_t sum[2] = {0};
    struct tracker_sink sink = {.point = count_point, .ctx = sum};
    struct buf next = buf_new(&alloc, 100);
    struct error err = {0};

    (void)state;
    assert_true(
        mlflow_read_history((struct source){endless_read, &e}, &alloc, &sink, &next, &err));
    assert_int_equal(sum[0], MILLION);
    assert_int_equal(sum[1], (int64_t)MILLION * (MILLION - 1) / 2);
    assert_true(most_held < 20);
    assert_int_equal(counting.held, 0);
}

static void lines_of_metric_files_are_numbers(void **state)
{
    struct tracker_metric m = {0};

    (void)state;
    assert_true(mlflow_metric_line(STR("1793527200000 0.25 10"), &m));
    assert_near(m.value, 0.25, 0);
    assert_near(m.step, 10, 0);
    assert_true(mlflow_metric_line(STR("1793527200000 inf"), &m)); /* of the first versions */
    assert_true(isnan(m.step));
    assert_false(mlflow_metric_line(STR(""), &m));
    assert_false(mlflow_metric_line(STR("1793527200000 x 1"), &m));
    assert_false(mlflow_metric_line(STR("1793527200000 1 x"), &m));
    assert_false(mlflow_metric_line(STR("now 1 1"), &m));
}

static void deep_nesting_is_no_run(void **state)
{
    struct buf text = buf_new(&alloc_system, 4096), out = buf_new(&alloc_system, 4096);
    struct error err = {0};

    (void)state;
    for (int i = 0; i < 100; i++)
        buf_adds(&text, "{\"data\":[");
    for (int i = 0; i < 100; i++)
        buf_adds(&text, "]}");
    assert_true(read_as(READ_WANDB, buf_text(&text), 4096, &alloc_system, &out, &err));
    assert_int_equal(out.len, 0);
    buf_free(&text);
    buf_free(&out);
}

int group_readers(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_export_is_read_in_pieces_of_any_size),
        cmocka_unit_test(an_export_that_is_cut_is_an_error),
        cmocka_unit_test(memory_that_runs_out_is_an_error_and_leaks_nothing),
        cmocka_unit_test(a_million_values_take_no_more_memory_than_one),
        cmocka_unit_test(lines_of_metric_files_are_numbers),
        cmocka_unit_test(deep_nesting_is_no_run),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
