/* How long requests are, and of which words they are made. */
#include "test.h"

#include <string.h>

#include "base/fs.h"
#include "doc/compress.h"
#include "load/prompt.h"

static int words_in(struct str text)
{
    int count = text.len > 0;

    for (size_t i = 0; i < text.len; i++)
        count += text.at[i] == ' ';
    return count;
}

static struct str text_of(const struct prompt_plan *plan, uint64_t number, struct arena *arena)
{
    struct prompt_ask ask = prompt_of(plan, number);
    struct buf out = buf_new(&alloc_system, 1 << 20);
    struct error err;
    struct str text;

    prompt_write(plan, &ask, &out);
    assert_true(buf_keep(&out, arena, &text, &err));
    return text;
}

static size_t common_start(struct str a, struct str b)
{
    size_t i = 0;

    while (i < a.len && i < b.len && a.at[i] == b.at[i])
        i++;
    return i;
}

static struct prompt_plan plan_of(const char *input)
{
    struct prompt_plan plan = {.prefix_groups = 1, .seed = 1, .words_per_token = 1};
    struct error err;

    assert_true(length_parse(str_from(input), &plan.input, &err));
    assert_true(length_parse(STR("10"), &plan.output, &err));
    return plan;
}

static void lengths_are_drawn_as_asked_for(void **state)
{
    struct prompt_plan plan = plan_of("20..40");
    double sum = 0;
    int least = 1000, most = 0;

    (void)state;
    for (uint64_t i = 0; i < 20000; i++) {
        struct prompt_ask ask = prompt_of(&plan, i);

        sum += ask.input;
        least = ask.input < least ? ask.input : least;
        most = ask.input > most ? ask.input : most;
        assert_int_equal(ask.output, 10);
    }
    assert_int_equal(least, 20);
    assert_int_equal(most, 40);
    assert_near(sum / 20000, 30, 0.2);
    plan = plan_of("normal:100:10");
    sum = 0;
    for (uint64_t i = 0; i < 20000; i++)
        sum += prompt_of(&plan, i).input;
    assert_near(sum / 20000, 100, 0.4);
    plan = plan_of("lognormal:100:1");
    sum = 0;
    for (uint64_t i = 0; i < 20000; i++)
        sum += prompt_of(&plan, i).input < 100;
    assert_near(sum / 20000, 0.5, 0.02);
}

static void lengths_that_make_no_sense_are_refused(void **state)
{
    static const char *const bad[] = {
        "",           "0",     "-5", "1000001", "40..20",     "5..",           "normal:10",
        "normal:0:1", "512 t", "..", "0..100",  "gauss:10:1", "lognormal:5:99"};
    struct length_spread spread;
    struct error err;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        assert_false(length_parse(str_from(bad[i]), &spread, &err));
        assert_int_equal(err.kind, ERROR_USAGE);
    }
}

static void requests_are_the_same_each_time_and_differ_from_each_other(void **state)
{
    struct prompt_plan plan = plan_of("50");
    struct arena arena = test_arena();
    struct str a = text_of(&plan, 0, &arena), b = text_of(&plan, 1, &arena),
               again = text_of(&plan, 0, &arena);

    (void)state;
    assert_int_equal(words_in(a), 50);
    assert_true(str_eq(a, again));
    assert_true(common_start(a, b) < 20);
    plan.words_per_token = 0.5;
    assert_int_equal(words_in(text_of(&plan, 0, &arena)), 25);
    arena_free(&arena);
}

static void a_group_shares_its_prefix_and_nothing_more(void **state)
{
    struct prompt_plan plan = plan_of("30");
    struct arena arena = test_arena();
    struct str first[2] = {{NULL, 0}, {NULL, 0}};
    struct prompt_ask ask;

    (void)state;
    plan.prefix = 100;
    plan.prefix_groups = 2;
    for (uint64_t i = 0; i < 20; i++) {
        struct str text = text_of(&plan, i, &arena);

        ask = prompt_of(&plan, i);
        assert_int_equal(ask.input, 130);
        assert_int_equal(words_in(text), 130);
        assert_true(ask.group < 2);
        if (first[ask.group].len == 0) {
            first[ask.group] = text;
            continue;
        }
        assert_true(words_in((struct str){text.at, common_start(text, first[ask.group])}) >=
                    100);
        assert_true(words_in((struct str){text.at, common_start(text, first[ask.group])}) <
                    110);
    }
    assert_true(common_start(first[0], first[1]) < 30);
    arena_free(&arena);
}

static const char azure[] = "TIMESTAMP,ContextTokens,GeneratedTokens\n"
                            "2023-11-16 18:15:46.6805900,374,44\n"
                            "2023-11-16 18:15:50.9951690,396,109\n";
static const char mooncake[] = "timestamp_ms,input_tokens,output_tokens,hash_ids\n"
                               "0,1100,50,0-2\n3000,1100,49,0-1 14\n1500,600,1,7 8\n";
static const char mooncake_json[] =
    "{\"timestamp\": 0, \"input_length\": 1100, \"output_length\": 50, \"hash_ids\": [0, 1, "
    "2]}\n"
    "{\"timestamp\": 3000, \"input_length\": 1100, \"output_length\": 49, \"hash_ids\": [0, 1, "
    "14]}\n{\"timestamp\": 1500, \"input_length\": 600, \"output_length\": 1, \"hash_ids\": "
    "[7, "
    "8], \"more\": {\"a\": []}}\n";

static void traces_are_read_as_they_are_published(void **state)
{
    const char *const both[] = {mooncake, mooncake_json};
    struct arena arena = test_arena();
    struct load_trace trace;
    struct error err;

    (void)state;
    assert_true(load_trace_read(str_from(azure), "a.csv", &alloc_system, &arena, &trace, &err));
    assert_int_equal(trace.count, 2);
    assert_near(trace.rows[1].at_s, 4.314579, 1e-6);
    assert_int_equal(trace.rows[1].input, 396);
    assert_int_equal(trace.rows[1].output, 109);
    for (size_t i = 0; i < 2; i++) {
        assert_true(
            load_trace_read(str_from(both[i]), "m", &alloc_system, &arena, &trace, &err));
        assert_int_equal(trace.count, 3);
        assert_near(trace.rows[1].at_s, 1.5, 1e-12);
        assert_int_equal(trace.rows[0].ranges, 1);
        assert_int_equal(trace.rows[2].ranges, 2);
        assert_int_equal(trace.ranges[trace.rows[2].range].last, 1);
    }
    arena_free(&arena);
}

/* Rows 0 and 2 begin with the same two blocks: 1,024 words. */
static void equal_blocks_are_equal_text(void **state)
{
    struct prompt_plan plan = plan_of("1");
    struct arena arena = test_arena();
    struct load_trace trace;
    struct error err;
    struct str a, b;
    size_t same;

    (void)state;
    assert_true(load_trace_read(str_from(mooncake), "m", &alloc_system, &arena, &trace, &err));
    plan.rows = &trace;
    plan.in_order = true;
    a = text_of(&plan, 0, &arena);
    b = text_of(&plan, 2, &arena);
    assert_int_equal(words_in(a), 1100);
    same = (size_t)words_in((struct str){a.at, common_start(a, b)});
    assert_in_range(same, 1024, 1030);
    assert_true(common_start(a, text_of(&plan, 1, &arena)) < 30);
    arena_free(&arena);
}

static void faults_of_traces_name_their_line(void **state)
{
    static const struct {
        const char *text, *error;
    } bad[] = {
        {"", "t: it is empty"},
        {"a,b\n1,2\n", "t:1: no column of tokens in, or none of tokens out"},
        {"input,output\n", "t: it has no requests"},
        {"input,output\n5,x\n", "t:2: 'x' is not a number of tokens from 0 to 1000000"},
        {"input,output\n5,\n", "t:2: '' is not a number of tokens from 0 to 1000000"},
        {"time_s,input,output\n-1,5,5\n", "t:2: '-1' is not a time"},
        {"input,output,hash_ids\n5,5,3-1\n", "t:2: '3-1' is not a block id"},
        {"{\"input\":1}\n", "t:1: the number of tokens in or out is missing"},
        {"{\"input\":1,\"output\":2}\n{\"input\":1,\"output\":2,\"time_s\":1}\n",
         "t:2: some rows have a time and some have none"},
    };
    struct arena arena = test_arena();
    struct load_trace trace;
    struct error err;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        assert_false(
            load_trace_read(str_from(bad[i].text), "t", &alloc_system, &arena, &trace, &err));
        assert_string_equal(err.text, bad[i].error);
    }
    arena_free(&arena);
}

/* All of them: their times begin at 0 and rise, their requests have tokens. */
static void published_traces_are_read(void **state)
{
    static const char *const names[] = {"serving/traces/azure_llm_2023_conv.csv.zst",
                                        "serving/traces/azure_llm_2023_code.csv.zst",
                                        "serving/traces/mooncake_conversation.csv.zst",
                                        "serving/traces/mooncake_synthetic.csv.zst"};
    static const size_t rows[] = {12910, 5879, 8020, 2662};
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    struct test_path path;
    struct load_trace trace;
    struct error err;
    struct str text;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        assert_true(fs_read(test_data(names[i], &path), 1 << 24, &arena, &text, &err));
        assert_true(unpack_text(&text, names[i], LOAD_TRACE_MAX, &arena, &err));
        assert_true(load_trace_read(text, names[i], &alloc_system, &arena, &trace, &err));
        assert_int_equal(trace.count, rows[i]);
        assert_true(trace.timed);
        assert_near(trace.rows[0].at_s, 0, 0);
        assert_true(trace.rows[trace.count - 1].at_s > 400);
        assert_int_equal(i >= 2, trace.rows[5].ranges > 0);
    }
    arena_free(&arena);
}

int group_prompt(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lengths_are_drawn_as_asked_for),
        cmocka_unit_test(lengths_that_make_no_sense_are_refused),
        cmocka_unit_test(requests_are_the_same_each_time_and_differ_from_each_other),
        cmocka_unit_test(a_group_shares_its_prefix_and_nothing_more),
        cmocka_unit_test(traces_are_read_as_they_are_published),
        cmocka_unit_test(equal_blocks_are_equal_text),
        cmocka_unit_test(faults_of_traces_name_their_line),
        cmocka_unit_test(published_traces_are_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
