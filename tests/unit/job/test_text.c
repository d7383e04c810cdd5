/* A job as text that a ledger keeps: what is read back is the same job. */
#include "test.h"

#include "job/job.h"

static struct arena text_arena;

static int text_make(void **state)
{
    (void)state;
    text_arena = test_arena();
    return 0;
}

static int text_end(void **state)
{
    (void)state;
    arena_free(&text_arena);
    return 0;
}

#define text_test(name) cmocka_unit_test_setup_teardown(name, text_make, text_end)

static struct job read_job(const char *text)
{
    struct job job;
    struct error err = {0};

    if (!job_read(str_from(text), "job.yaml", &job, &text_arena, &err))
        fail_msg("%s", err.text);
    return job;
}

static struct str write_job(const struct job *job, struct str config)
{
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct error err = {0};
    struct str kept;

    job_write(job, config, &out);
    assert_true(buf_keep(&out, &text_arena, &kept, &err));
    return kept;
}

static void known_keys_are_written(void **state)
{
    struct job job = read_job("train: {model: llama-2-7b, data: {tokens: 25M}}");

    (void)state;
    assert_str_equal(write_job(&job, STR("")),
                     "{\"schema\":\"stint.job/1\",\"kind\":\"train\",\"job\":{\"train\":"
                     "{\"model\":\"llama-2-7b\",\"data\":{\"tokens\":25000000}}}}");
    assert_true(job_reset(&job, &text_arena, &(struct error){0}));
    assert_str_equal(write_job(&job, STR("")),
                     "{\"schema\":\"stint.job/1\",\"kind\":\"train\",\"job\":{}}");
}

static void job_is_restored(void **state)
{
    static const char *const jobs[] = {
        "name: a \"b\"\ntrain:\n  model: llama-2-7b\n  method: lora\n  rank: 16\n"
        "  data: {examples: 50000, example_tokens: 512, size: 50GB, at: aws/us-east-1}\n"
        "  epochs: 2.5\n  global_batch: 128\n  precision: bf16\n  parallel: {zero: 3}\n"
        "  checkpoint: {resume: yes, size: 1GB, save: 20s, restart: 5min}\n"
        "  evaluation: 0.05\n  search: {trials: 20, scheme: asha}\n"
        "limits: {budget: $100, deadline: 24h, providers: [aws, lambda], market: any}\n",
        "train: {model: {layers: 12, hidden: 768, heads: 12, vocab: 30522, kind: encoder}}",
        "infer: {model: llama-2-7b, rate: 20/s, input: 512, output: 128, slo: {p95: 200ms}}",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(jobs); i++) {
        struct job job = read_job(jobs[i]), back;
        struct str text = write_job(&job, STR("{\"hidden_size\":\n8}")), config;
        struct error err = {0};

        if (!job_restore(text, "kept", &back, &config, &text_arena, &err))
            fail_msg("%s", err.text);
        assert_int_equal(back.kind, job.kind);
        assert_str_equal(config, "{\"hidden_size\":\n8}");
        assert_true(str_eq(write_job(&back, config), text));
    }
}

static void other_texts_are_refused(void **state)
{
    static const struct {
        const char *text, *why;
    } cases[] = {
        {"{\"job\":{}}", "kept: written by another version"},
        {"{\"schema\":\"stint.job/2\",\"job\":{}}", "kept: written by another version"},
        {"{\"schema\":\"stint.job/1\"}", "kept: there is no job in it"},
        {"{\"schema\":\"stint.job/1\",\"job\":3}", "kept: there is no job in it"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct job job;
        struct str config;
        struct error err = {0};

        assert_false(
            job_restore(str_from(cases[i].text), "kept", &job, &config, &text_arena, &err));
        assert_string_equal(err.text, cases[i].why);
    }
    assert_false(job_restore(STR("{"), "kept", &(struct job){0}, &(struct str){0}, &text_arena,
                             &(struct error){0}));
}

int group_text(void)
{
    const struct CMUnitTest tests[] = {
        text_test(known_keys_are_written),
        text_test(job_is_restored),
        text_test(other_texts_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
