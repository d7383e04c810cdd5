#include "estimate/known.h"

#include "estimate/serving/corrected.h"
#include "truth/rows.h"
#include "truth/served.h"
#include "truth/share_row.h"

#define HEADER \
    "id,source,model,gpu,gpu_count,precision,batch,concurrency,input_len,output_len," \
    "tokens_per_s,throughput_kind,latency_ms,ttft_ms,itl_ms,tensor_parallel,framework," \
    "quality\n"

static struct measured_values points_of(const char *text)
{
    struct measured_values points;
    struct error err = {0};

    assert_true(points_read(TRUTH_INFERENCE, str_from(text), "rows.csv", &known_catalog,
                            &points, &known_arena, &err));
    return points;
}

/* Of one row; the first point when it has several. */
static struct measured_value point_of(const char *text)
{
    struct measured_values points = points_of(text);

    assert_true(points.len >= 1);
    assert_int_equal(points.rows, 1);
    return points.at[0];
}

static void each_number_of_a_row_is_a_point(void **state)
{
    struct measured_values p = points_of(
        HEADER "a,x@1,llama-3-8b,H100,1,fp8,8,,128,64,900,output,500,20,6,1,vLLM,A\n");

    (void)state;
    assert_int_equal(p.len, 4);
    assert_int_equal(p.at[0].metric, METRIC_PREFILL);
    assert_int_equal(p.at[1].metric, METRIC_DECODE);
    assert_int_equal(p.at[2].metric, METRIC_LATENCY);
    assert_int_equal(p.at[3].metric, METRIC_THROUGHPUT);
    for (size_t i = 0; i < p.len; i++) {
        assert_null(p.at[i].reason);
        assert_true(str_eq(p.at[i].source, STR("x")));
        assert_ptr_equal(p.at[i].serve.arch, &p.at[i].arch);
    }
    assert_true(p.at[0].measured == 20 && p.at[3].measured == 900);
    assert_true(p.at[3].tokens_per_request == 64);
    assert_false(p.at[0].serve.rolling);
    assert_int_equal(p.at[0].serve.weights, WEIGHTS_FP8);
    assert_int_equal(p.at[0].serve.kv, WEIGHTS_FP16);
}

static void kind_of_throughput_decides_what_is_counted(void **state)
{
    struct measured_value p =
        point_of(HEADER "a,x,llama-3-8b,H100,1,fp16,8,,128,64,900,input+output,,,,1,vLLM,A\n");

    (void)state;
    assert_true(p.tokens_per_request == 192);
    p = point_of(HEADER
                 "a,x,llama-3-8b,H100,1,f16,1,,1024,0,2048,prefill (pp1024),,,,,llama.cpp,B\n");
    assert_int_equal(p.metric, METRIC_PREFILL);
    assert_true(p.measured == 500);
}

static void clients_make_a_server(void **state)
{
    struct serving s =
        point_of(HEADER "a,x,llama-3-8b,H100,1,fp8,16,16,2000,500,,,,9,,1,trtllm 1.0,A\n")
            .serve;

    (void)state;
    assert_true(s.rolling && s.batch == 16 && s.input == 2000);
    assert_int_equal(s.kv, WEIGHTS_FP8);
    /* InferenceMAX draws from 80 % to 100 % of what it states. */
    s = point_of(HEADER "a,x,llama-3-8b,H100,1,fp8,16,16,8192,1024,,,,9,,1,vllm,A\n").serve;
    assert_true(s.input == 8192 * 0.9 && s.output == 1024 * 0.9);
    /* Without a batch, as many as fit are served. */
    s = point_of(HEADER "a,x,llama-3-8b,H100,1,fp8,,,128,128,5000,output,,,,1,trtllm,A\n")
            .serve;
    assert_true(s.rolling && s.batch > 1000);
}

static void degrees_are_those_of_the_engine(void **state)
{
    struct serving s =
        point_of(HEADER "a,x,llama-3-70b,H100,4,fp16,1,,128,64,9,output,,,,,vLLM,A\n").serve;

    (void)state;
    assert_true(s.tensor == 4 && s.pipeline == 1);
    s = point_of(HEADER "a,x,llama-3-70b,H100,4,fp16,1,,9,64,9,output,,,,,llama.cpp,A\n").serve;
    assert_true(s.tensor == 1 && s.pipeline == 4);
    s = point_of(HEADER "a,x,llama-3-70b,H100,4,fp16,1,,9,64,9,output,,,,,Transformers,A\n")
            .serve;
    assert_true(s.tensor == 1 && s.pipeline == 4);
    s = point_of(HEADER "a,x,llama-2-7b,Trainium1,16,fp16,1,,9,64,9,output,,,,32,Neuron,A\n")
            .serve;
    assert_true(s.tensor == 16 && s.gpus == 16);
    /* Tensor and expert parallel of 8 on the same 8 GPUs, multiplied by the source. */
    s = point_of(HEADER "a,x,deepseek-v3,H200,64,fp8,4,32,9,64,,,,9,,64,trtllm,A\n").serve;
    assert_true(s.tensor == 8 && s.gpus == 8);
    /* Eight copies of the attention, four sequences each. */
    s = point_of(HEADER "a,x,deepseek-v3,H200,8,fp8,4,32,9,64,,,,9,,1,trtllm,A\n").serve;
    assert_true(s.tensor == 1 && s.gpus == 8 && s.batch == 32);
}

static void what_cannot_be_predicted_has_a_reason(void **state)
{
    static const char *const rows[] = {
        HEADER "a,x,llama-3-8b,H100,1,fp8,1,,9,9,9,output,,,,1,vLLM,C\n",
        HEADER "a,x,llama-3-8b,abacus,1,fp8,1,,9,9,9,output,,,,1,vLLM,A\n",
        HEADER "a,x,unknown-8b,H100,1,fp8,1,,9,9,9,output,,,,1,vLLM,A\n",
        HEADER "a,x,llama-3-8b,H100,1,fp8,1,,9,9,9,output,,,,1,sambaflow,A\n",
        HEADER "a,x,llama-3-8b,H100,1,,1,,9,9,9,output,,,,1,trtllm,A\n",
        HEADER "a,x,llama-3-70b,H100,1,fp16,1,,9,9,9,output,,,,1,vLLM,A\n",
        HEADER "a,x,llama-3-8b,H100,1,fp8,1e9,,9,9,9,output,,,,1,vLLM,A\n",
        HEADER "a,x,llama-3-8b,H100,1,fp8,4,,,9,,,,9,,1,vLLM,A\n",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        assert_non_null(point_of(rows[i]).reason);
}

static void what_is_not_scored_counts_with_what_was_measured(void **state)
{
    static const struct {
        const char *row;
        enum metric metric;
    } cases[] = {
        {HEADER "a,x,llama-3-8b,H100,1,,1,,9,9,9,output,5,20,6,1,trtllm,A\n", METRIC_PREFILL},
        {HEADER "a,x,llama-3-8b,H100,1,,1,,9,9,9,output,5,,6,1,trtllm,A\n", METRIC_DECODE},
        {HEADER "a,x,llama-3-8b,H100,1,,1,,9,9,9,output,5,,,1,trtllm,A\n", METRIC_LATENCY},
        {HEADER "a,x,llama-3-8b,H100,1,,1,,9,9,9,output,,,,1,trtllm,A\n", METRIC_THROUGHPUT},
        {HEADER "a,x,llama-3-8b,H100,1,,1,,9,9,9,prefill,,,,1,trtllm,A\n", METRIC_PREFILL},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct measured_values p = points_of(cases[i].row);

        assert_int_equal(p.len, 1);
        assert_non_null(p.at[0].reason);
        assert_int_equal(p.at[0].metric, cases[i].metric);
        assert_true(isnan(p.at[0].measured));
    }
}

static void a_row_without_a_number_does_not_vanish(void **state)
{
    struct measured_value p =
        point_of(HEADER "a,x,llama-3-8b,H100,1,fp8,1,,128,64,,,,,,1,vLLM,A\n");

    (void)state;
    assert_string_equal(p.reason, "the row measures nothing that is predicted");
    assert_true(p.first);
    /* Of a single token only the time is a measurement. */
    p = point_of(HEADER "a,x,llama-3-8b,H100,1,fp8,1,,128,1,900,output,,,,1,vLLM,A\n");
    assert_string_equal(p.reason, "the row measures nothing that is predicted");
    p = point_of("id,source,model,gpu,precision,framework,quality,mem_gb\n"
                 "a,x,llama-3-8b,H100,fp8,vLLM,A,17\n");
    assert_string_equal(p.reason, "the row measures nothing that is predicted");
    assert_int_equal(p.metric, METRIC_MEMORY);
}

/* What bench writes is read again, and measured servers correct what is predicted for them. */
static void a_shared_row_is_read_and_taught_from(void **state)
{
    struct share_row row = {.model = STR("llama-3-8b"),
                            .gpu = STR("H100-SXM-80GB"),
                            .gpus = 1,
                            .weights = STR("fp16"),
                            .engine = STR("vllm"),
                            .concurrency = 8,
                            .input = 512,
                            .output = 128,
                            .tokens_per_s = 500,
                            .first_ms = 40,
                            .token_ms = NAN,
                            .quality = 'A'};
    struct constants c = known_constants;
    struct buf text = buf_new(&alloc_system, 65536);
    struct correction_result learned;
    struct served_runs runs;
    struct serving_time before, after;
    struct measured_values points;
    struct error err = {0};
    struct serving s;
    struct str words;

    (void)state;
    share_row_name(&row, (stamp){1795132800}, 1);
    assert_string_equal(row.id, "bench-1795132800-1");
    assert_string_equal(row.source, "stint bench@2026-11-20");
    buf_adds(&text, share_row_header);
    share_row_write(&row, &text);
    buf_char(&text, '\0');
    points = points_of(text.at);
    assert_int_equal(points.len, 2); /* to the first token, and tokens a second */
    assert_null(points.at[0].reason);
    assert_int_equal(points.at[0].metric, METRIC_PREFILL);
    s = points.at[0].serve;
    assert_true(s.rolling);
    assert_true(s.batch == 8 && s.input == 512 && s.output == 128);
    before = estimate_serving(&s, &c);

    /* Two measurements of 30 % more than predicted, one of a model that is not known. */
    text.len--;
    row.token_ms = before.decode * 1.3 * 1e3;
    share_row_write(&row, &text);
    share_row_write(&row, &text);
    row.model = STR("no-such-model");
    share_row_write(&row, &text);
    assert_true(
        served_runs_read(buf_text(&text), &known_catalog, &c, &known_arena, &runs, &err));
    assert_int_equal(runs.count, 2);
    assert_int_equal(runs.left_out, 1);
    assert_near(runs.at[0].measured[CORRECTION_STEP] / runs.at[0].predicted[CORRECTION_STEP],
                1.3, 1e-4);
    assert_true(correction_learn_tokens(runs.at, runs.count, &known_arena, &learned, &err));
    assert_int_equal(learned.len, 1);
    assert_int_equal(learned.at[0].of, CORRECTION_TOKEN);
    assert_str_equal(learned.at[0].framework, "vllm");
    assert_true(learned.at[0].factor > 1.2 && learned.at[0].factor < 1.3);

    c.learned = learned.at;
    c.learned_count = learned.len;
    after = estimate_serving(&s, &c);
    assert_true(after.decode > 1.15 * before.decode && after.decode < 1.3 * before.decode);
    assert_near(after.prefill, before.prefill, 1e-12);
    assert_true(serving_describe_correction(&s, &c, &known_arena, &words, &err));
    assert_true(str_starts(words, STR("tokens take 1.2")));
    s.weights = WEIGHTS_FP8; /* another setting: nothing was learned of it */
    assert_true(serving_describe_correction(&s, &c, &known_arena, &words, &err));
    assert_int_equal(words.len, 0);
    buf_free(&text);
}

/* As InferenceX's runs are published: clients that begin at once, each with ten requests. */
static void sweeps_are_read_as_they_are(void **state)
{
    struct measured_values p = points_of(
        "source,gpu,model,precision,framework,parallel,gpus,isl,osl,concurrency,num_prompts,"
        "out_tok_per_s,ttft_mean_ms,ttft_p50_ms,ttft_p99_ms,tpot_mean_ms,tpot_p50_ms,"
        "tpot_p99_ms\n"
        "s,H200,deepseek-r1,fp8,sglang 0.5,tp8,8,1024,1024,16,160,865,282,169,1214,18,18,19\n");
    static const enum metric metrics[] = {METRIC_FIRST_P50, METRIC_FIRST_P99, METRIC_TOKEN_P50,
                                          METRIC_TOKEN_P99, METRIC_PREFILL,   METRIC_DECODE,
                                          METRIC_THROUGHPUT};

    (void)state;
    assert_int_equal(p.len, ARRAY_LEN(metrics));
    for (size_t i = 0; i < p.len; i++) {
        assert_null(p.at[i].reason);
        assert_int_equal(p.at[i].metric, metrics[i]);
    }
    assert_int_equal(p.at[0].serve.tensor, 8);
    assert_true(p.at[0].serve.measured == 160 && p.at[0].serve.batch == 16);
    assert_true(p.at[0].copies == 1 && p.at[0].stated.rate == 0);
}

#define MLPERF \
    "submitter,accelerator,accelerators,model,scenario,weights,tokens_per_s,samples_per_s," \
    "ttft_p99_ms,ttft_limit_ms,tpot_limit_ms,software\n"

/* The name, the precision and the copies are not what they seem to be. */
static void results_of_mlperf_are_understood(void **state)
{
    struct measured_values p = points_of(
        MLPERF "n,NVIDIA H200-SXM-141GB,8,llama2-70b-99.9,server,fp16,32000,110,1900,2000,200,"
               "\"TensorRT 10.2, CUDA 12.4\"\n");
    struct measured_value last;

    (void)state;
    assert_int_equal(p.len, 2);
    assert_int_equal(p.at[0].metric, METRIC_FIRST_P99);
    assert_int_equal(p.at[1].metric, METRIC_THROUGHPUT);
    assert_true(str_eq(p.at[0].arch.name, STR("llama-2-70b")));
    assert_int_equal(p.at[0].serve.weights, WEIGHTS_FP8);
    assert_int_equal(p.at[0].serve.kv, WEIGHTS_FP8);
    assert_true(p.at[0].serve.tensor == 1 && p.at[0].copies == 8);
    assert_true(p.at[0].stated.rate == 110 && p.at[0].stated.first_limit == 2);
    assert_true(fabs(p.at[0].serve.output - 32000 / 110.0) < 1e-9);
    /* A card with little memory shares the model; offline rows have no rate. */
    last = point_of(MLPERF "n,NVIDIA H100-SXM-80GB,8,llama2-70b-99,offline,fp16,24000,82,,2000,"
                           "200,TensorRT 10.2\n");
    assert_true(last.serve.tensor == 2 && last.copies == 4);
    assert_true(last.stated.rate == 0 && last.serve.rolling);
    last = point_of(MLPERF
                    "n,NVIDIA H100-SXM-80GB,8,gptj-99,offline,fp16,,200,,,,TensorRT 10.2\n");
    assert_string_equal(last.reason, "the row has no tokens a second");
}

int group_inference_rows(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_number_of_a_row_is_a_point),
        cmocka_unit_test(kind_of_throughput_decides_what_is_counted),
        cmocka_unit_test(clients_make_a_server),
        cmocka_unit_test(degrees_are_those_of_the_engine),
        cmocka_unit_test(what_cannot_be_predicted_has_a_reason),
        cmocka_unit_test(what_is_not_scored_counts_with_what_was_measured),
        cmocka_unit_test(a_row_without_a_number_does_not_vanish),
        cmocka_unit_test(a_shared_row_is_read_and_taught_from),
        cmocka_unit_test(sweeps_are_read_as_they_are),
        cmocka_unit_test(results_of_mlperf_are_understood),
    };

    return cmocka_run_group_tests(tests, known_load, known_free);
}
