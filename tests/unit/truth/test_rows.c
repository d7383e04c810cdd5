/* Measured rows become points, or have a reason why not. */
#include "estimate/known.h"

#include <stdio.h>
#include <string.h>

#include "truth/truth.h"

#define COLUMNS \
    "id,source,model,gpu,gpu_count,seq_len,micro_batch,precision,quality,set," \
    "tokens_per_s_per_gpu\n"

/* Read from a block of just this size, so that ASan sees a read past the end. */
static bool read_exact(enum truth_kind kind, struct str text, struct measured_values *out,
                       struct arena *arena, struct error *err)
{
    char *exact = malloc(text.len > 0 ? text.len : 1);
    bool ok;

    assert_non_null(exact);
    if (text.len > 0)
        memcpy(exact, text.at, text.len);
    ok = points_read(kind, (struct str){exact, text.len}, "rows.csv", &known_catalog, out,
                     arena, err);
    free(exact); /* points keep copies */
    return ok;
}

static struct measured_values points_of(enum truth_kind kind, const char *text)
{
    struct error err = {0};
    struct measured_values points = {0};

    if (!read_exact(kind, str_from(text), &points, &known_arena, &err))
        fail_msg("%s", err.text);
    return points;
}

static void check_reason(const struct measured_value *p, const char *expected)
{
    if (expected == NULL ? p->reason != NULL
                         : p->reason == NULL || strcmp(p->reason, expected) != 0)
        fail_msg("%.*s: '%s', not '%s'", STR_ARG(p->id), p->reason != NULL ? p->reason : "",
                 expected != NULL ? expected : "");
}

/* --- training ----------------------------------------------------------------------------- */

static void columns_are_found_by_name_in_any_order(void **state)
{
    struct measured_values points = points_of(
        TRUTH_TRAINING, "weather,Tokens_Per_S_Per_GPU,GPU, model ,seq_len,source,id,"
                        "gpu_count,micro_batch,precision\n"
                        "sunny,3000,A100-SXM-80GB,llama-2-7b,2048,me@1234,r1,8,2,bf16\n");
    const struct measured_value *p = points.at;

    (void)state;
    assert_int_equal(points.rows, 1);
    assert_int_equal(points.len, 1);
    check_reason(p, NULL);
    assert_str_equal(p->id, "r1");
    assert_str_equal(p->source, "me"); /* up to the @ */
    assert_str_equal(p->gpu, "A100-SXM-80GB");
    assert_true(p->measured == 3000 && p->first && !p->samples);
    assert_int_equal(p->setup.gpus, 8);
    assert_int_equal(p->setup.data, 8);
    assert_int_equal(p->setup.sequence, 2048);
    assert_int_equal(p->setup.micro_batch, 2);
    assert_int_equal(p->setup.precision, PRECISION_BF16);
    assert_ptr_equal(p->setup.arch, &p->arch);
    assert_int_equal(p->arch.layers, 32);
}

static void row_that_is_not_scored_has_a_reason(void **state)
{
    static const char text[] =
        COLUMNS "ok,a,llama-2-7b,A100,1,2048,1,bf16,A,dense,3000\n"
                "poor,a,llama-2-7b,A100,1,2048,1,bf16,C,dense,3000\n"
                "poor2,a,llama-2-7b,A100,1,2048,1,bf16,c,dense,3000\n"
                "card,a,llama-2-7b,Abacus,1,2048,1,bf16,A,dense,3000\n"
                "other,a,llama-2-7b,A100,1,2048,1,bf16,A,other,3000\n"
                "model,a,no-such-model,A100,1,2048,1,bf16,A,dense,3000\n"
                "length,a,llama-2-7b,A100,1,,1,bf16,A,dense,3000\n"
                "rate,a,llama-2-7b,A100,1,2048,1,bf16,A,dense,\n"
                "rate2,a,llama-2-7b,A100,1,2048,1,bf16,A,dense,fast\n"
                "bits,a,llama-2-7b,A100,1,2048,1,three bits,A,dense,3000\n"
                "silent,a,llama-2-7b,Gaudi1,1,2048,1,bf16,A,dense,3000\n"
                "many,a,llama-2-7b,A100,9999999,2048,1,bf16,A,dense,3000\n";
    static const char *const reasons[] = {
        NULL,
        "quality C",
        "quality C",
        "the GPU is not in the catalog",
        "set other: its setting is not complete",
        "the model is not in the catalog and the row has no shapes",
        "the sequence length is not given",
        "no throughput",
        "no throughput",
        "the precision is not known",
        "how fast the GPU computes is not published",
        "the setting is impossible",
    };
    struct measured_values points = points_of(TRUTH_TRAINING, text);

    (void)state;
    assert_int_equal(points.rows, ARRAY_LEN(reasons));
    assert_int_equal(points.len, ARRAY_LEN(reasons));
    for (size_t i = 0; i < points.len; i++)
        check_reason(&points.at[i], reasons[i]);
}

static void a_row_may_describe_its_model(void **state)
{
    struct measured_values points = points_of(
        TRUTH_TRAINING,
        "source,model,gpu,layers,hidden,heads,kv_heads,ffn,vocab,seq_len,tokens_per_s_per_gpu,"
        "gated_ffn,tied_embeddings,precision\n"
        "a,mine,H100,24,1024,16,4,4096,50000,1024,9000,no,yes,bf16\n"
        "a,mine,H100,24,1000,16,,,,1024,9000,,,bf16\n"
        "a,mine,H100,24,1024,16,5,,,1024,9000,,,bf16\n"
        "a,mine,H100,24,,16,5,,,1024,9000,,,bf16\n"
        "a,mine,H100,999999999999999,1024,16,,,,1024,9000,,,bf16\n"
        "a,mine,H100,24,1e300,16,,,,1024,9000,,,bf16\n");
    const struct arch *a = &points.at[0].arch;

    (void)state;
    check_reason(&points.at[0], NULL);
    assert_true(a->layers == 24 && a->hidden == 1024 && a->head_dim == 64 && a->kv_heads == 4);
    assert_true(a->ffn == 4096 && a->vocab == 50000 && !a->gated && a->tied);
    check_reason(&points.at[1], "the shapes of the model are impossible");
    check_reason(&points.at[2], "the shapes of the model are impossible");
    check_reason(&points.at[3], "the model is not in the catalog and the row has no shapes");
    check_reason(&points.at[4], "the shapes of the model are impossible");
    check_reason(&points.at[5], "the model is not in the catalog and the row has no shapes");
}

static void a_rate_may_be_given_in_other_ways(void **state)
{
    struct measured_values points =
        points_of(TRUTH_TRAINING,
                  "source,model,gpu,gpu_count,seq_len,micro_batch,global_batch,step_time_s,"
                  "samples_per_s,derived_tokens_per_s_per_gpu,precision\n"
                  "a,llama-2-7b,H100,8,1000,1,16,2,,,bf16\n"  /* 16 x 1000 / 2 / 8 */
                  "a,llama-2-7b,H100,8,1000,1,16,,40,,bf16\n" /* 40 x 1000 / 8 */
                  "a,llama-2-7b,H100,8,1000,1,16,,,123,bf16\n"
                  "a,resnet50,H100,8,,32,,,4000,,amp_bf16\n"); /* pictures */

    (void)state;
    assert_true(points.at[0].measured == 1000);
    assert_int_equal(points.at[0].setup.accumulation, 2);
    assert_true(points.at[1].measured == 5000);
    assert_true(points.at[2].measured == 123);
    assert_true(points.at[3].measured == 500 && points.at[3].samples);
    assert_str_equal(points.at[3].set, "vision");
}

static void adapters_and_networks_are_read(void **state)
{
    struct measured_values points = points_of(
        TRUTH_TRAINING,
        "source,model,gpu,gpu_count,gpus_per_node,seq_len,tokens_per_s_per_gpu,method,lora_"
        "rank,"
        "lora_targets,interconnect,zero_stage,framework,precision\n"
        "a,llama-2-7b,H100,16,8,512,900,lora,32,\"q,v\",4x100Gb/s RoCE per node,3,fsdp,bf16\n"
        "a,llama-2-7b,H100,16,8,512,900,qlora,,,1600Gb/s InfiniBand,,hf,nf4\n");
    const struct setup *s = &points.at[0].setup;

    (void)state;
    check_reason(&points.at[0], NULL);
    assert_int_equal(s->method, METHOD_LORA);
    assert_true(s->rank == 32 && s->targets == (TARGET_Q | TARGET_V));
    assert_true(s->network_gb_s == 400 / 8.0 / 8);
    assert_int_equal(s->zero, 3);
    assert_int_equal(s->stack, STACK_FSDP);
    s = &points.at[1].setup;
    assert_int_equal(s->method, METHOD_QLORA);
    assert_int_equal(s->base, WEIGHTS_NF4);
    assert_true(s->network_gb_s == 1600 / 8.0 / 8 && s->rank == 8);
}

/* --- other kinds -------------------------------------------------------------------------- */

static void power_of_nodes_is_read(void **state)
{
    struct measured_values points =
        points_of(TRUTH_ENERGY, "source,workload,gpu,gpus,nodes,mean_node_w,run_s\n"
                                "a,train:bert,H100-SXM-80GB,8,1,6775,335\n"
                                "a,train:bert,H100-SXM-80GB,,1,6775,335\n"
                                "a,train:bert,H100-SXM-80GB,8,1,,335\n");

    (void)state;
    check_reason(&points.at[0], NULL);
    assert_int_equal(points.at[0].metric, METRIC_NODE_POWER);
    assert_true(points.at[0].measured == 6775);
    assert_str_equal(points.at[0].set, "train:bert");
    check_reason(&points.at[1], "the number of GPUs is not given");
    check_reason(&points.at[2], "no power");
}

static void complete_runs_are_read(void **state)
{
    struct measured_values points =
        points_of(TRUTH_RUNS, "source,model,arch,set,tokens_b,gpu,gpu_count,tensor_parallel,"
                              "flash_attention,gpu_hours\n"
                              "a,llama-7b,,,1000,A100,2048,,,82432\n"
                              "a,llama-7b,,throughput,1000,A100,2048,,,82432\n"
                              "a,mine (of 2022),llama-7b,,1000,A100,,8,no,82432\n"
                              "a,llama-7b,,,,A100,2048,,,82432\n"
                              "a,unheard-of,,,1000,A100,2048,,,82432\n"
                              "a,llama-7b,,,1000,A100,2048,,,\n"
                              "a,llama-7b,,,1000,A100,2048,7,,82432\n");
    struct guess all = point_predict(&points.at[0], &known_constants);
    struct guess steady = point_predict(&points.at[1], &known_constants);

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        check_reason(&points.at[i], NULL);
        assert_int_equal(points.at[i].metric, METRIC_GPU_HOURS);
    }
    assert_true(points.at[0].measured == 82432);
    assert_true(steady.value > 4e4 && all.value > 1.15 * steady.value);
    assert_true(all.high / all.value > steady.high / steady.value);
    assert_int_equal(points.at[2].run.hardware.gpus, 128); /* a month at 40 % of the peak */
    assert_int_equal(points.at[2].run.job->train.parallel.tensor, 8);
    assert_str_equal(points.at[2].run.job->train.attention, "plain");
    check_reason(&points.at[3], "the number of tokens is not given");
    check_reason(&points.at[4], "the model is not in the catalog");
    check_reason(&points.at[5], "no GPU-hours");
    assert_true(isnan(point_predict(&points.at[6], &known_constants).value));
}

static void memory_rows_say_what_was_measured(void **state)
{
    struct measured_values points =
        points_of(TRUTH_MEMORY,
                  "source,model,gpu,seq_len,micro_batch,precision,peak_mem_gb_per_gpu,mem_kind,"
                  "oom\n"
                  "a,llama-2-7b,A100,512,1,bf16,70,reserved,\n"
                  "a,llama-2-7b,A100,512,1,bf16,70,allocated,\n"
                  "a,llama-2-7b,A100,512,64,bf16,,,yes\n");

    (void)state;
    check_reason(&points.at[0], NULL);
    assert_int_equal(points.at[0].metric, METRIC_MEMORY);
    assert_int_equal(points.at[0].view, VIEW_RESERVED);
    assert_int_equal(points.at[1].view, VIEW_ALLOCATED);
    assert_true(points.at[2].out_of_memory && isnan(points.at[2].measured));
}

/* Qwen's tables: the script's GB are GiB, and a row's length counts what was written. */
static void tables_are_read_as_their_scripts_wrote_them(void **state)
{
    struct measured_values points = points_of(
        TRUTH_MEMORY,
        "source,model,gpu,seq_len,micro_batch,precision,workload,peak_mem_gb_per_gpu,mem_kind\n"
        "x:docs/source/benchmark/"
        "speed_benchmark.rst,qwen2.5-7b,A100,8192,1,bf16,inference,10,\n"
        "x:docs/source/benchmark/speed_benchmark.rst,qwen2.5-7b,A100,2049,1,bf16,inference,10,"
        "device\n"
        "x:docs/source/getting_started/speed_benchmark.md,qwen3-8b,A100,8192,1,bf16,inference,"
        "10,\n"
        "x,qwen3-8b,A100,8192,1,bf16,inference,10,\n");

    (void)state;
    for (size_t i = 0; i < 4; i++)
        check_reason(&points.at[i], NULL);
    assert_true(fabs(points.at[0].measured - 10.73741824) < 1e-9);
    assert_int_equal(points.at[0].view, VIEW_ALLOCATED);
    assert_int_equal(points.at[1].view, VIEW_DEVICE);
    assert_true(points.at[0].serve.input == 6144 && points.at[0].serve.output == 2048);
    assert_true(points.at[1].serve.input == 1 && points.at[1].serve.output == 2048);
    assert_true(points.at[2].serve.input == 1 && points.at[2].serve.output == 8191);
    assert_true(points.at[2].measured == 10);
    assert_true(points.at[3].serve.input == 8192 && points.at[3].serve.output == 0);
    assert_int_equal(points.at[3].view, VIEW_RESERVED);
}

static void a_row_of_serving_has_a_point_for_each_number(void **state)
{
    struct measured_values points =
        points_of(TRUTH_INFERENCE,
                  "source,model,gpu,gpu_count,precision,batch,input_len,output_len,ttft_ms,"
                  "itl_ms,framework\n"
                  "a,llama-2-7b,A100,1,fp16,1,512,128,50,12,vllm\n"
                  "a,llama-2-7b,A100,1,fp16,1,512,128,50,,vllm\n");

    (void)state;
    assert_int_equal(points.rows, 2);
    assert_int_equal(points.len, 3);
    assert_int_equal(points.at[0].metric, METRIC_PREFILL);
    assert_int_equal(points.at[1].metric, METRIC_DECODE);
    assert_true(points.at[0].first && !points.at[1].first && points.at[2].first);
    assert_ptr_equal(points.at[1].serve.arch, &points.at[1].arch);
}

/* --- what is no such file ----------------------------------------------------------------- */

static void refuses(enum truth_kind kind, struct str text, const char *words)
{
    struct arena own = test_arena();
    struct measured_values points = {0};
    struct error err = {0};

    if (read_exact(kind, text, &points, &own, &err))
        fail_msg("'%.*s' was not refused", STR_ARG(text));
    assert_int_equal(err.kind, ERROR_INPUT);
    if (strstr(err.text, words) == NULL || strstr(err.text, "rows.csv") == NULL)
        fail_msg("'%s' does not say '%s'", err.text, words);
    arena_free(&own);
}

static void a_file_without_the_columns_is_refused(void **state)
{
    (void)state;
    for (int kind = 0; kind < TRUTH_KINDS; kind++) {
        refuses((enum truth_kind)kind, STR(""), "no columns");
        refuses((enum truth_kind)kind, STR("\n\n\n"), "no columns");
        refuses((enum truth_kind)kind, STR("just one column\n1\n2\n"), "column 'source'");
        refuses((enum truth_kind)kind,
                STR("\x7f"
                    "ELF\x02\x01\x01\0\0\0\xff\xfe,,,\n"),
                "not a text file");
        refuses((enum truth_kind)kind, STR("\x89PNG\x1a\xff\xfe,,,\n"), "column 'source'");
    }
    refuses(TRUTH_TRAINING, STR("source,model\na,b\n"), "rows.csv:1: the column 'gpu'");
    refuses(TRUTH_ENERGY, STR("source,gpu\na,b\n"), "the column 'mean_node_w'");
    refuses(TRUTH_TRAINING, STR("source,model,gpu\na,\"never closed\n"), "rows.csv:2");
}

static void two_hundred_columns_are_refused(void **state)
{
    char text[4096] = "source,model,gpu";

    (void)state;
    for (int i = 0; i < 200; i++)
        (void)snprintf(text + strlen(text), sizeof text - strlen(text), ",c%d", i);
    (void)snprintf(text + strlen(text), sizeof text - strlen(text), "\n");
    refuses(TRUTH_TRAINING, str_from(text), "more than 128 columns");
}

static void a_field_of_a_megabyte_is_refused(void **state)
{
    size_t len = (size_t)1 << 20;
    char *text = malloc(len + 64);
    int used;

    (void)state;
    assert_non_null(text);
    used = snprintf(text, 64, "source,model,gpu\na,b,");
    memset(text + used, 'x', len);
    refuses(TRUTH_TRAINING, (struct str){text, (size_t)used + len}, "rows.csv:2");
    free(text);
}

static void rows_of_any_width_are_read(void **state)
{
    struct measured_values points =
        points_of(TRUTH_TRAINING, COLUMNS "\n"
                                          "x\n"
                                          "a,b\n"
                                          ",,,,,,,,,,,,,,,,,,,,,,,,\n"
                                          "\"\",\"\"\n");

    (void)state;
    assert_int_equal(points.rows, 4); /* a blank line is none */
    for (size_t i = 0; i < points.len; i++)
        assert_non_null(points.at[i].reason);
}

static const char *const absurd[] = {"0",      "-1",     "1e308", "-1e308", "999999999999999",
                                     "1e14",   "1e9",    "NaN",   "inf",    "",
                                     "\"\n\"", "1e-300", "0x10",  "1,5",    "2147483648"};

/* Whatever the numbers are, each point is predicted, or has a reason; nothing overflows. */
static void absurd_numbers_never_overflow(void **state)
{
    static const char *const header =
        "source,model,gpu,gpu_count,gpus_per_node,seq_len,micro_batch,global_batch,"
        "tensor_parallel,pipeline_parallel,virtual_pipeline,context_parallel,expert_parallel,"
        "layers,hidden,heads,kv_heads,ffn,vocab,lora_rank,resolution_or_steps,"
        "tokens_per_s_per_gpu,mem_gb_per_gpu,batch,concurrency,input_len,output_len,ttft_ms,"
        "itl_ms,tokens_per_s,gpus,nodes,mean_node_w,run_s,samples,samples_per_s,global,"
        "interconnect,precision,framework,workload,method";
    static const char *const models[] = {"llama-2-7b", "mixtral-8x7b", "t5-large",  "vit_b_16",
                                         "resnet50",   "lstm-h512-l2", "unheard-of"};
    uint64_t seed = 88172645463325252u;

    (void)state;
    for (int round = 0; round < 3000; round++) {
        enum truth_kind kind = (enum truth_kind)(round % TRUTH_KINDS);
        struct arena own = test_arena();
        struct measured_values points = {0};
        struct error err = {0};
        char text[4096];
        size_t used = (size_t)snprintf(text, sizeof text, "%s\na,%s,H100", header,
                                       models[(size_t)round / 4 % ARRAY_LEN(models)]);

        for (int column = 0; column < 35; column++) {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            used +=
                (size_t)snprintf(text + used, sizeof text - used, ",%s",
                                 seed % 3 == 0 ? absurd[seed / 3 % ARRAY_LEN(absurd)] : "8");
        }
        (void)snprintf(text + used, sizeof text - used, "%s",
                       ",9x99999999Gb/s,bf16,vllm,train:bert,lora\n");
        if (!read_exact(kind, str_from(text), &points, &own, &err))
            fail_msg("%s", err.text);
        for (size_t i = 0; i < points.len; i++)
            if (points.at[i].reason == NULL && points.at[i].measured > 0) {
                struct guess g = point_predict(&points.at[i], &known_constants);

                if (!(g.value > 0 && isfinite(g.value)) && kind != TRUTH_ENERGY)
                    fail_msg("%g was predicted for %s", g.value, text + strlen(header));
            }
        arena_free(&own);
    }
}

static void memory_that_runs_out_is_an_error(void **state)
{
    static const char text[] = COLUMNS "ok,a,llama-2-7b,A100,1,2048,1,bf16,A,dense,3000\n";
    size_t allow = 0;

    (void)state;
    for (;; allow++) {
        struct failing_alloc failing = {.allow = allow};
        struct alloc alloc = {failing_get, failing_put, &failing};
        struct arena own = {.alloc = &alloc};
        struct measured_values points = {0};
        struct error err = {0};
        bool ok = points_read(TRUTH_TRAINING, STR(text), "rows.csv", &known_catalog, &points,
                              &own, &err);

        arena_free(&own);
        assert_int_equal(failing.held, 0);
        if (ok)
            break;
        assert_int_equal(err.kind, ERROR_MEMORY);
    }
    assert_true(allow > 5);
}

int group_rows(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_found_by_name_in_any_order),
        cmocka_unit_test(row_that_is_not_scored_has_a_reason),
        cmocka_unit_test(a_row_may_describe_its_model),
        cmocka_unit_test(a_rate_may_be_given_in_other_ways),
        cmocka_unit_test(adapters_and_networks_are_read),
        cmocka_unit_test(power_of_nodes_is_read),
        cmocka_unit_test(complete_runs_are_read),
        cmocka_unit_test(memory_rows_say_what_was_measured),
        cmocka_unit_test(tables_are_read_as_their_scripts_wrote_them),
        cmocka_unit_test(a_row_of_serving_has_a_point_for_each_number),
        cmocka_unit_test(a_file_without_the_columns_is_refused),
        cmocka_unit_test(two_hundred_columns_are_refused),
        cmocka_unit_test(a_field_of_a_megabyte_is_refused),
        cmocka_unit_test(rows_of_any_width_are_read),
        cmocka_unit_test(absurd_numbers_never_overflow),
        cmocka_unit_test(memory_that_runs_out_is_an_error),
    };

    return cmocka_run_group_tests(tests, known_load, known_free);
}
