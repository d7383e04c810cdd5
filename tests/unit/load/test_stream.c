/* What servers answer, as their documentation shows it, cut anywhere. */
#include "test.h"

#include <string.h>

#include "load/stream.h"

#define DATA(json) "data: " json "\n\n"

static const char chat[] =
    DATA("{\"id\":\"c1\",\"object\":\"chat.completion.chunk\",\"model\":\"m\",\"choices\":[{"
         "\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\"},\"logprobs\":null,"
         "\"finish_reason\":null}]}")
        DATA("{\"id\":\"c1\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hel\\u00e9\"},"
             "\"finish_reason\":null}]}")
            DATA("{\"id\":\"c1\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"lo\"},"
                 "\"finish_reason\":\"length\"}]}")
                DATA("{\"id\":\"c1\",\"choices\":[],\"usage\":{\"prompt_tokens\":21,\"total_"
                     "tokens\":24,"
                     "\"completion_tokens\":3}}") "data: [DONE]\n\n";
static const char reasoning[] = DATA("{\"choices\":[{\"delta\":{\"role\":\"assistant\"}}]}")
    DATA("{\"choices\":[{\"delta\":{\"reasoning_content\":\"hm\"}}]}") DATA(
        "{\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"name\":\"f\","
        "\"arguments\":\"\"}}]}}]}") DATA("{\"choices\":[{\"delta\":{\"content\":\"ok\"},"
                                          "\"finish_reason\":\"stop\"}]}") "data: [DONE]\n\n";
static const char completions[] =
    ": ping\r\n\r\nevent: message\r\ndata: {\"choices\":[{\"index\":0,\"text\":\" a\","
    "\"finish_reason\":null}],\"usage\":null}\r\n\r\ndata:{\"choices\":[{\"text\":\" b\","
    "\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":5,\"completion_tokens\":2}}"
    "\r\n\r\n"
    "data: [DONE]\r\n\r\n";
static const char tgi[] =
    "data:{\"index\":1,\"token\":{\"id\":264,\"text\":\" "
    "a\",\"logprob\":-0.1,\"special\":false},"
    "\"generated_text\":null,\"details\":null}\n\n"
    "data:{\"index\":2,\"token\":{\"id\":2,\"text\":\"b\",\"logprob\":-0.1,\"special\":false},"
    "\"generated_text\":\" "
    "ab\",\"details\":{\"finish_reason\":\"length\",\"generated_tokens\":2,"
    "\"seed\":null,\"input_length\":7}}\n\n";
static const char llamacpp[] =
    DATA("{\"index\":0,\"content\":\" He\",\"tokens\":[1],\"stop\":false,\"id_slot\":-1,"
         "\"tokens_predicted\":1,\"tokens_evaluated\":8}")
        DATA("{\"index\":0,\"content\":\"llo\",\"stop\":false}") DATA(
            "{\"index\":0,\"content\":\"\",\"stop\":true,\"model\":\"m.gguf\",\"tokens_"
            "predicted\":2,"
            "\"tokens_evaluated\":8,\"generation_settings\":{\"temperature\":0},\"timings\":{"
            "\"prompt_n\":8}}");
static const char ollama[] =
    "{\"model\":\"m\",\"created_at\":\"2023-08-04T08:52:19Z\",\"response\":\"The\",\"done\":"
    "false}\n"
    "{\"model\":\"m\",\"response\":\" sky\",\"done\":false}\n"
    "{\"model\":\"m\",\"response\":\"\",\"done\":true,\"done_reason\":\"stop\",\"context\":[1,"
    "2,3],"
    "\"total_duration\":5,\"prompt_eval_count\":26,\"eval_count\":2,\"eval_duration\":4}\n";
static const char ollama_chat[] =
    "{\"model\":\"m\",\"message\":{\"role\":\"assistant\",\"content\":\"The\",\"images\":null},"
    "\"done\":false}\n{\"model\":\"m\",\"message\":{\"role\":\"assistant\",\"content\":\"\"},"
    "\"done\":true,\"prompt_eval_count\":9,\"eval_count\":1}\n";
static const char sglang[] = DATA(
    "{\"text\":\" a\",\"meta_info\":{\"id\":\"x\",\"finish_reason\":null,\"prompt_tokens\":6,"
    "\"completion_tokens\":1}}")
    DATA("{\"text\":\" a b\",\"meta_info\":{\"finish_reason\":null,\"prompt_tokens\":6,"
         "\"completion_tokens\":2}}")
        DATA("{\"text\":\" a "
             "b\",\"meta_info\":{\"finish_reason\":{\"type\":\"length\",\"length\":2},"
             "\"prompt_tokens\":6,\"completion_tokens\":2}}") "data: [DONE]\n\n";
static const char triton[] =
    DATA("{\"context_logits\":0.0,\"cum_log_probs\":0.0,\"model_name\":\"ensemble\","
         "\"model_version\":\"1\",\"output_log_probs\":[0.0,0.0],\"sequence_end\":false,"
         "\"sequence_id\":0,\"text_output\":\"and\"}")
        DATA("{\"model_name\":\"ensemble\",\"sequence_end\":false,\"text_output\":\" so\"}");

static const struct {
    const char *text;
    int64_t pieces, input, output;
} dialects[] = {
    {chat, 2, 21, 3},       {reasoning, 3, -1, -1}, {completions, 2, 5, 2},
    {tgi, 2, 7, 2},         {llamacpp, 2, 8, 2},    {ollama, 2, 26, 2},
    {ollama_chat, 1, 9, 1}, {sglang, 2, 6, 2},      {triton, 2, -1, -1},
};

/* Feed it in parts of `step` bytes. */
static enum stream_fault feed(struct load_answer *s, struct str text, size_t step)
{
    int pieces;

    load_answer_again(s);
    while (text.len > 0) {
        size_t len = text.len < step ? text.len : step;
        char *part = malloc(len);

        assert_non_null(part);
        memcpy(part, text.at, len);
        (void)load_answer_take(s, (struct str){part, len}, &pieces);
        free(part);
        text.at += len;
        text.len -= len;
    }
    return load_answer_end(s);
}

static void each_dialect_is_read_however_it_is_cut(void **state)
{
    struct load_answer s = load_answer_new(&alloc_system);

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(dialects); i++)
        for (size_t step = 1; step < 400; step += step < 20 ? 1 : 97) {
            assert_int_equal(feed(&s, str_from(dialects[i].text), step), STREAM_FINE);
            assert_int_equal(s.pieces, dialects[i].pieces);
            assert_int_equal(s.input, dialects[i].input);
            assert_int_equal(s.output, dialects[i].output);
            assert_false(s.whole);
        }
    load_answer_free(&s);
}

/* However much of it arrived, what is missing is noticed; only the last line break and what
 * follows the end of the answer may be missing. */
static void every_early_end_is_noticed(void **state)
{
    struct load_answer s = load_answer_new(&alloc_system);

    (void)state;
    for (size_t i = 0; i + 1 < ARRAY_LEN(dialects); i++) {
        struct str text = str_from(dialects[i].text);
        bool complete = false;

        for (size_t len = 0; len < text.len; len++) {
            enum stream_fault fault = feed(&s, (struct str){text.at, len}, 50);

            if (fault == STREAM_FINE) {
                assert_true(s.finished || s.done);
                complete = true;
            } else {
                assert_true(fault == STREAM_HALF || fault == STREAM_EMPTY ||
                            fault == STREAM_FOREIGN);
            }
        }
        assert_true(complete);
    }
    load_answer_free(&s);
}

static void an_answer_in_one_piece_is_no_stream(void **state)
{
    static const char *const whole[] = {
        "{\"choices\":[{\"message\":{\"content\":\"Hi there\"},\"finish_reason\":\"stop\"}],"
        "\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":2}}",
        "{\"choices\":[{\"message\":{\"content\":\"Hi there\"},\"finish_reason\":\"stop\"}],"
        "\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":2}}\n",
        "{\n \"choices\": [\n  {\"text\": \"Hi\",\n \"finish_reason\": \"stop\"}\n ],\n"
        " \"usage\": {\"prompt_tokens\": 3, \"completion_tokens\": 2}\n}\n",
    };
    struct load_answer s = load_answer_new(&alloc_system);

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(whole); i++)
        for (size_t step = 1; step < 200; step += 13) {
            assert_int_equal(feed(&s, str_from(whole[i]), step), STREAM_FINE);
            assert_true(s.whole);
            assert_int_equal(s.output, 2);
        }
    load_answer_free(&s);
}

static void faults_have_their_names(void **state)
{
    static const struct {
        const char *text;
        enum stream_fault fault;
    } cases[] = {
        {"", STREAM_EMPTY},
        {"<html>no</html>", STREAM_FOREIGN},
        {"{\"hello\": 1}\n", STREAM_FOREIGN},
        {DATA("{\"hello\": 1}"), STREAM_FOREIGN},
        {DATA("hello"), STREAM_FOREIGN},
        {"[1,2]\n", STREAM_FOREIGN},
        {DATA("{\"choices\":[{\"text\":\"\",\"finish_reason\":\"stop\"}]}"), STREAM_EMPTY},
        {DATA("{\"choices\":[{\"text\":\"a\"}]}") "data: {\"choices\":[{\"te", STREAM_HALF},
        {DATA("{\"choices\":[{\"text\":\"a\"}]}"), STREAM_HALF},
        {DATA("{\"choices\":[{\"text\":\"a\"}]}")
             DATA("{\"error\":{\"message\":\"out of memory\",\"code\":500}}"),
         STREAM_SERVER},
        {"{\"error\":\"model 'x' not found\"}", STREAM_SERVER},
        {"{\"object\":\"error\",\"message\":\"too long\"}", STREAM_SERVER},
        {"{\"detail\":\"Not Found\"}\n", STREAM_SERVER},
    };
    struct load_answer s = load_answer_new(&alloc_system);

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_int_equal(feed(&s, str_from(cases[i].text), 7), cases[i].fault);
    assert_int_equal(feed(&s, str_from(cases[9].text), 7), STREAM_SERVER);
    assert_string_equal(s.message, "out of memory");
    load_answer_free(&s);
}

/* An event without an end takes no more than its limit. */
static void memory_is_bounded(void **state)
{
    struct load_answer s = load_answer_new(&alloc_system);
    char *block = malloc(1 << 16);
    size_t sent = 0;
    int pieces;

    (void)state;
    assert_non_null(block);
    memset(block, 'x', 1 << 16);
    assert_true(load_answer_take(&s, STR("data: "), &pieces));
    while (load_answer_take(&s, (struct str){block, 1 << 16}, &pieces))
        sent += 1 << 16;
    assert_true(sent <= STREAM_EVENT_MAX);
    assert_int_equal(load_answer_end(&s), STREAM_TOO_LARGE);
    free(block);
    load_answer_free(&s);
}

int group_stream(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_dialect_is_read_however_it_is_cut),
        cmocka_unit_test(every_early_end_is_noticed),
        cmocka_unit_test(an_answer_in_one_piece_is_no_stream),
        cmocka_unit_test(faults_have_their_names),
        cmocka_unit_test(memory_is_bounded),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
