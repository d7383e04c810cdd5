/* validate: what it says as JSON, what it writes, what it refuses. */
#include "world.h"

#include <math.h>
#include <unistd.h>

#include "base/fs.h"
#include "estimate/constants.h"
#include "op/context.h"
#include "op/estimate/validate.h"

#define HEADER \
    "id,source,model,gpu,gpu_count,seq_len,micro_batch,precision,quality,set," \
    "tokens_per_s_per_gpu\n"

static const char training[] =
    HEADER "r1,one@11,llama-2-7b,A100-SXM-80GB,8,2048,2,bf16,A,dense,3000\n"
           "r2,one@22,llama-2-13b,A100-SXM-80GB,8,2048,1,bf16,B,dense,1500\n"
           "r3,two,llama-2-7b,H100-SXM-80GB,8,2048,2,bf16,A,dense,8000\n"
           "\"r,4\",two,llama-2-7b,H100-SXM-80GB,8,2048,2,bf16,C,dense,8000\n"
           "r5,two,llama-2-7b,Abacus,8,2048,2,bf16,A,lora,8000\n";

struct files {
    char folder[64], rows[96], out[96];
};

static void write_text(const char *path, const char *text)
{
    struct error err = {0};

    if (!fs_replace(path, str_from(text), &err))
        fail_msg("%s", err.text);
}

static const char *read_text(struct world *w, const char *path)
{
    struct error err = {0};
    struct str text;
    char *copy;

    if (!fs_read(path, (size_t)1 << 20, &w->arena, &text, &err))
        fail_msg("%s", err.text);
    copy = str_dup(text, &w->arena, &err);
    assert_non_null(copy);
    return copy;
}

static void make_files(struct files *f, const char *text)
{
    (void)snprintf(f->folder, sizeof f->folder, "/tmp/stint-validate-XXXXXX");
    assert_non_null(mkdtemp(f->folder));
    (void)snprintf(f->rows, sizeof f->rows, "%s/rows.csv", f->folder);
    (void)snprintf(f->out, sizeof f->out, "%s/out.csv", f->folder);
    write_text(f->rows, text);
}

static void remove_files(const struct files *f)
{
    (void)unlink(f->rows);
    (void)unlink(f->out);
    (void)rmdir(f->folder);
}

/* The reply to `{"kind":KIND,"files":[FILE]MORE}`; an error as "KIND text | hint". */
static const char *ask(struct world *w, const char *kind, const struct files *f,
                       const char *more)
{
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct error err = {0};
    char request[512];
    char *reply;

    (void)snprintf(request, sizeof request, "{\"kind\":\"%s\",\"files\":[\"%s\"]%s}", kind,
                   f->rows, more);
    if (!op_call(&w->ctx, &op_validate, str_from(request), &out, &err)) {
        buf_clear(&out);
        buf_addf(&out, "%s: %s | %s", error_kind_name(err.kind), err.text, err.hint);
    }
    reply = str_dup(buf_text(&out), &w->arena, &err);
    buf_free(&out);
    assert_non_null(reply);
    return reply;
}

/* Keys at depth 1, in their order, with commas between them. */
static void top_keys(const char *json, char *keys, size_t size)
{
    int depth = 0;

    keys[0] = '\0';
    for (const char *at = json; *at != '\0'; at++) {
        const char *end;

        depth += *at == '{' || *at == '[';
        depth -= *at == '}' || *at == ']';
        if (*at != '"')
            continue;
        end = strchr(at + 1, '"');
        assert_non_null(end);
        if (depth == 1 && end[1] == ':')
            (void)snprintf(keys + strlen(keys), size - strlen(keys), "%.*s,",
                           (int)(end - at - 1), at + 1);
        at = end;
    }
}

static void the_result_has_the_keys_that_were_promised(void **state)
{
    static const char promised[] = "schema,kind,rows,scored,median_ape,p90_ape,median_ratio,"
                                   "inside_range,by_source,by_gpu,by_set,by_metric,";
    struct files f;
    char keys[1024];
    const char *reply;

    make_files(&f, training);
    reply = ask(*state, "training", &f, "");
    top_keys(reply, keys, sizeof keys);
    if (strncmp(keys, promised, strlen(promised)) != 0)
        fail_msg("%s", keys);
    assert_non_null(strstr(reply, "{\"schema\":\"stint.validate/1\",\"kind\":\"training\","
                                  "\"rows\":5,\"scored\":3,\"median_ape\":0."));
    assert_non_null(strstr(reply, "\"by_source\":[{\"name\":\"one\",\"rows\":2,\"scored\":2,"
                                  "\"median_ape\":"));
    assert_non_null(strstr(reply, "{\"name\":\"two\",\"rows\":3,\"scored\":1,"));
    assert_non_null(strstr(reply, "\"by_set\":[{\"name\":\"dense\",\"rows\":4,\"scored\":3,"));
    assert_non_null(strstr(reply, "{\"name\":\"lora\",\"rows\":1,\"scored\":0,"
                                  "\"median_ape\":null,"));
    assert_non_null(strstr(reply, "\"by_metric\":[{\"name\":\"training\",\"rows\":5,"));
    assert_non_null(strstr(reply, "{\"reason\":\"quality C\",\"rows\":1}"));
    assert_non_null(strstr(reply, "\"left_out\":false"));
    remove_files(&f);
}

static void every_row_is_written_when_asked_for(void **state)
{
    static const char header[] =
        "id,metric,unit,measured,predicted,low,high,ape,reason\nr1,training,tokens/s per GPU,"
        "3000,";
    struct files f;
    char more[128];
    const char *text;
    size_t lines = 0;

    make_files(&f, training);
    (void)snprintf(more, sizeof more, ",\"per_row\":\"%s\"", f.out);
    (void)ask(*state, "training", &f, more);
    text = read_text(*state, f.out);
    if (strncmp(text, header, strlen(header)) != 0)
        fail_msg("%s", text);
    assert_non_null(strstr(text, "\n\"r,4\",training,tokens/s per GPU,,,,,,quality C\n"));
    assert_non_null(strstr(text, "\nr5,training,tokens/s per GPU,,,,,,the GPU is not in the "
                                 "catalog\n"));
    for (const char *at = text; *at != '\0'; at++)
        lines += *at == '\n';
    assert_int_equal(lines, 6);
    remove_files(&f);
}

static void a_fit_says_what_it_changed_and_can_be_saved(void **state)
{
    struct world *w = *state;
    struct catalog_layer mine = {.table = TABLE_CONSTANTS, .name = "out.csv"};
    struct catalog with = {0};
    struct constants c, before;
    struct error err = {0};
    const char *reply;
    struct files f;
    char more[128];

    make_files(&f, training);
    (void)snprintf(more, sizeof more, ",\"fit\":true,\"save\":\"%s\"", f.out);
    reply = ask(w, "training", &f, more);
    assert_non_null(strstr(reply, "\"constants\":[{\"name\":\""));
    mine.text = str_from(read_text(w, f.out));
    /* What was saved is a table that can be used. */
    if (!catalog_load(&with, TABLE_BIT(TABLE_CONSTANTS), &mine, 1, &w->arena, &err) ||
        !constants_load(&with, &c, &err))
        fail_msg("%s", err.text);
    assert_true(constants_load(&w->ctx.catalog, &before, &err));
    assert_true(c.at[C_gemm_hopper] != before.at[C_gemm_hopper]);
    assert_true(c.at[C_spread_power] == before.at[C_spread_power]);
    remove_files(&f);
}

static void to_save_what_was_not_fitted_is_refused(void **state)
{
    struct files f;

    make_files(&f, training);
    assert_string_equal(ask(*state, "training", &f, ",\"save\":\"/nonexistent/x.csv\""),
                        "usage: --save, --from-priors and --group are for a fit | add --fit");
    remove_files(&f);
}

static void each_source_can_be_left_out(void **state)
{
    struct files f;
    const char *reply, *plain;

    make_files(&f, training);
    plain = ask(*state, "training", &f, "");
    reply = ask(*state, "training", &f, ",\"leave_one_source_out\":true");
    assert_non_null(strstr(reply, "\"rows\":5,\"scored\":3,"));
    assert_non_null(strstr(reply, "\"left_out\":true"));
    assert_string_not_equal(reply, plain);
    remove_files(&f);
}

static void several_files_are_one(void **state)
{
    struct files f, g;
    char more[256];
    const char *reply;

    make_files(&f, training);
    make_files(&g, HEADER "r9,three,gpt2,A100,1,1024,8,bf16,A,dense,90000\n");
    (void)snprintf(more, sizeof more, ",\"leave_one_source_out\":false");
    (void)snprintf(f.rows + strlen(f.rows), sizeof f.rows - strlen(f.rows), "\",\"%s", g.rows);
    reply = ask(*state, "training", &f, more);
    assert_non_null(strstr(reply, "\"rows\":6,\"scored\":4,"));
    assert_non_null(strstr(reply, "\"name\":\"three\""));
    remove_files(&g);
    *strchr(f.rows, '"') = '\0';
    remove_files(&f);
}

static void serving_scores_its_metrics_apart(void **state)
{
    struct files f;
    const char *reply;

    make_files(&f, "id,source,model,gpu,gpu_count,precision,batch,input_len,output_len,ttft_ms,"
                   "itl_ms,tokens_per_s,throughput_kind,framework,quality\n"
                   "i1,a,llama-2-7b,A100,1,fp16,1,512,128,50,12,,,vllm,A\n"
                   "i2,a,llama-2-7b,A100,1,fp16,8,512,128,,,500,output,vllm,A\n");
    reply = ask(*state, "inference", &f, "");
    assert_non_null(strstr(reply, "\"kind\":\"inference\",\"rows\":2,\"scored\":2,"));
    assert_non_null(strstr(reply, "{\"name\":\"prefill\",\"rows\":1,\"scored\":1,"));
    assert_non_null(strstr(reply, "{\"name\":\"decode\",\"rows\":1,\"scored\":1,"));
    assert_non_null(strstr(reply, "{\"name\":\"throughput\",\"rows\":1,\"scored\":1,"));
    remove_files(&f);
}

static void memory_counts_what_was_said_to_fit(void **state)
{
    struct files f;
    const char *reply;

    make_files(&f, "id,source,model,gpu,seq_len,micro_batch,precision,peak_mem_gb_per_gpu,"
                   "mem_kind,oom,quality\n"
                   "m1,a,gpt2,A100,512,1,amp_bf16,3,allocated,,A\n"
                   "m2,a,llama-2-70b,A100,512,1,bf16,,,yes,A\n");
    reply = ask(*state, "memory", &f, "");
    assert_non_null(strstr(reply, "\"rows\":2,\"scored\":1,"));
    assert_non_null(strstr(reply, "\"oom_rows\":1,\"oom_predicted_to_fit\":0,\"ran_rows\":1,"
                                  "\"ran_predicted_not_to_fit\":0"));
    remove_files(&f);
}

#define CHOICE \
    HEADER "c1,a,gpt2,H100-SXM-80GB,1,1024,8,bf16,A,dense,180000\n" \
           "c2,a,gpt2,A100-SXM-80GB,1,1024,8,bf16,A,dense,120000\n" \
           "c3,b,gpt2,L4,1,1024,8,bf16,A,dense,20000\n" \
           "c4,b,gpt2,MI250,1,1024,8,bf16,A,dense,60000\n"

static void a_choice_is_priced_and_scored(void **state)
{
    struct files f;
    const char *reply;

    make_files(&f, CHOICE);
    reply = ask(*state, "choice", &f, "");
    assert_non_null(strstr(reply, "\"kind\":\"choice\",\"rows\":4,\"scored\":1,"
                                  "\"median_ape\":null,"));
    assert_non_null(strstr(reply, "\"choices\":[{\"set\":\"dense\",\"picker\":\"predicted "
                                  "cost\",\"cases\":1,\"models\":1,\"within\":1,"));
    assert_non_null(strstr(reply, "{\"set\":\"all\",\"picker\":\"price per GPU-hour\","
                                  "\"cases\":1,\"models\":1,\"within\":0,"));
    assert_non_null(strstr(reply, "{\"reason\":\"no offered machine has that many "
                                  "MI250\",\"rows\":1}"));
    reply = ask(*state, "choice", &f, ",\"leave_one_source_out\":true");
    assert_non_null(strstr(reply, "\"left_out\":true"));
    assert_null(strstr(reply, "own setting")); /* chosen by constants that saw every row */
    assert_string_equal(ask(*state, "choice", &f, ",\"fit\":true"),
                        "usage: choices have no constants of their own to fit | fit "
                        "'training' or 'inference', and validate with what --save wrote");
    remove_files(&f);
}

static void a_choice_survives_when_memory_runs_out(void **state)
{
    struct files f;
    char json[256];
    const char *const requests[][2] = {{"validate", json}};

    make_files(&f, CHOICE);
    (void)snprintf(json, sizeof json,
                   "{\"kind\":\"choice\",\"files\":[\"%s\"],\"per_row\":\"%s\"}", f.rows,
                   f.out);
    world_survives(*state, requests, ARRAY_LEN(requests));
    remove_files(&f);
}

static void a_file_with_no_rows_has_no_scores(void **state)
{
    struct files f;
    const char *reply;

    make_files(&f, HEADER);
    reply = ask(*state, "training", &f, "");
    assert_non_null(strstr(reply, "\"rows\":0,\"scored\":0,\"median_ape\":null,"
                                  "\"p90_ape\":null,\"median_ratio\":null,"
                                  "\"inside_range\":null,\"by_source\":[]"));
    reply = ask(*state, "training", &f, ",\"fit\":true,\"leave_one_source_out\":true");
    assert_non_null(strstr(reply, "\"scored\":0"));
    remove_files(&f);
}

static void what_is_no_such_file_is_an_error(void **state)
{
    struct files f;
    const char *reply;

    make_files(&f, "nothing\n");
    reply = ask(*state, "training", &f, "");
    assert_non_null(strstr(reply, "input: "));
    assert_non_null(strstr(reply, "rows.csv:1: the column 'source' is missing | "));
    reply = ask(*state, "weather", &f, "");
    assert_non_null(strstr(reply, "weather"));
    (void)unlink(f.rows);
    reply = ask(*state, "training", &f, "");
    assert_non_null(strstr(reply, "absent: "));
    remove_files(&f);
}

int group_validate(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, world_make, world_end)
    const struct CMUnitTest tests[] = {
        TEST(the_result_has_the_keys_that_were_promised),
        TEST(every_row_is_written_when_asked_for),
        TEST(a_fit_says_what_it_changed_and_can_be_saved),
        TEST(to_save_what_was_not_fitted_is_refused),
        TEST(each_source_can_be_left_out),
        TEST(several_files_are_one),
        TEST(serving_scores_its_metrics_apart),
        TEST(memory_counts_what_was_said_to_fit),
        TEST(a_choice_is_priced_and_scored),
        TEST(a_choice_survives_when_memory_runs_out),
        TEST(a_file_with_no_rows_has_no_scores),
        TEST(what_is_no_such_file_is_an_error),
    };
#undef TEST

    return cmocka_run_group_tests(tests, NULL, NULL);
}
