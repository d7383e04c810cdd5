/* Measured serving: seconds to the first token, between tokens, of complete batches; tokens a
 * second. */
#include <math.h>

#include "base/num.h"
#include "truth/mlperf.h"
#include "truth/rows.h"

#define SHORT_PROMPT 256.0 /* tokens, where a source does not say how long its questions were */
#define DRAWN_MEAN 0.9
#define QUEUE 4096.0     /* requests, where as many as possible were offered */
#define EACH_SENDS 10    /* requests of a client: InferenceMAX */
#define SAME_LENGTH 0.02 /* spread of lengths that are as the row says */

/* Some tables give tensor x expert parallel as if they were different GPUs: more than a node
 * of 8 has, and a square. It is the root. */
static int64_t undo_square(int64_t n, const struct serving *s)
{
    int64_t root = llround(sqrt((double)n));
    bool node = s->engine != ENGINE_NEURON && !str_glob(s->gpu->link, STR("*72*"));

    return node && n > 8 && root * root == n ? root : n;
}

/* Of "tp8". */
static int64_t tensor_of_words(struct str words)
{
    int64_t n;

    return str_starts(words, STR("tp")) &&
                   num_int((struct str){words.at + 2, words.len - 2}, &n) && n > 0
               ? n
               : 0;
}

static int64_t stated_tensor(const struct rows_reader *r)
{
    int64_t tensor = row_count(r, "tensor_parallel", 0);

    return tensor > 0 ? tensor : tensor_of_words(row_text(r, "parallel"));
}

static void read_degrees(const struct rows_reader *r, struct serving *s)
{
    int64_t cores = s->engine == ENGINE_NEURON ? 2 : 1; /* of a chip; degrees count them */
    int64_t tensor = stated_tensor(r);
    int64_t gpus = row_count(r, "gpu_count", 0);

    s->pipeline = row_count(r, "pipeline_parallel", 1);
    tensor = undo_square((tensor + cores - 1) / cores, s);
    if (gpus == 0)
        gpus = (tensor > 0 ? tensor : 1) * s->pipeline;
    gpus = undo_square(gpus, s);
    if (s->engine == ENGINE_LLAMACPP ||
        ((s->engine == ENGINE_HF || s->engine == ENGINE_EAGER) && tensor == 0)) {
        s->pipeline = gpus; /* these put complete layers on each */
        tensor = 1;
    } else if (tensor == 0) {
        tensor = gpus / s->pipeline;
    }
    if (tensor > 8 && s->arch->experts > 0 && s->engine != ENGINE_NEURON)
        tensor = 1; /* so many share the experts; each has the attention for itself */
    s->tensor = tensor < 1 ? 1 : tensor;
    s->gpus = gpus;
    if (s->gpus < s->tensor * s->pipeline)
        s->gpus = s->tensor * s->pipeline;
    if (s->arch->experts == 0) /* copies of a dense model know nothing of each other */
        s->gpus = s->tensor * s->pipeline;
}

static bool read_weights(const struct rows_reader *r, struct serving *s)
{
    struct str stated = row_text(r, "precision");

    if (stated.len == 0 && (s->engine == ENGINE_VLLM || s->engine == ENGINE_SGLANG))
        s->weights = s->arch->quantized ? s->arch->stored : WEIGHTS_FP16; /* as published */
    else if (!weights_of(stated, &s->weights))
        return false;
    s->kv = engine_cache(s->engine, s->weights);
    return true;
}

/* InferenceMAX, whose lengths are pairs of these, states the longest: it draws them from 80
 * % on. */
static bool is_drawn_tokens(double tokens)
{
    return tokens == 1024 || tokens == 8192;
}

static void read_load(const struct rows_reader *r, struct serving *s)
{
    double batch = row_number(r, "batch"), clients = row_number(r, "concurrency");
    bool copies = row_count(r, "gpu_count", 1) >
                  row_count(r, "tensor_parallel", 1) * row_count(r, "pipeline_parallel", 1);

    s->rolling = clients >= 1 || !(batch >= 1);
    s->batch = batch >= 1 ? batch : QUEUE;
    if (clients >= 1 && (copies || !(batch >= 1)))
        s->batch = clients; /* the batch is then that of one copy of the attention */
    if (s->engine == ENGINE_LLAMACPP)
        s->batch = 1; /* its batch is how many tokens of a prompt are read at once */
    s->input = row_number(r, "input_len");
    s->output = row_number(r, "output_len");
    s->measured = clients >= 1 ? (double)row_count(r, "num_prompts", 0) : 0;
    if (clients >= 1 && is_drawn_tokens(s->input) && is_drawn_tokens(s->output)) {
        s->input *= DRAWN_MEAN;
        s->output *= DRAWN_MEAN;
        if (s->measured < 1)
            s->measured = EACH_SENDS * clients;
    } else if (s->measured < 1 && s->input >= 0) {
        s->spread = SAME_LENGTH;
    }
    if (!(s->input >= 0))
        s->input = SHORT_PROMPT;
    if (!(s->output >= 0))
        s->output = SHORT_PROMPT;
}

static void read_stated(const struct rows_reader *r, struct serving_row *stated)
{
    *stated = (struct serving_row){.gpus = row_count(r, "gpu_count", 0),
                                   .tensor = stated_tensor(r) > 0 ? stated_tensor(r) : -1,
                                   .pipeline = row_count(r, "pipeline_parallel", -1),
                                   .batch = row_count(r, "batch", -1),
                                   .clients = row_count(r, "concurrency", -1),
                                   .has_input = row_number(r, "input_len") >= 0,
                                   .has_output = row_number(r, "output_len") >= 0};
}

/* What a throughput counts of each request. */
static double counted_tokens(const struct rows_reader *r, const struct serving *s)
{
    struct str kind = row_text(r, "throughput_kind");

    return str_glob(kind, STR("*input+output*")) ? s->input + s->output : s->output;
}

/* A point for one number of the row. */
static bool add_inference_metric(const struct rows_reader *r, struct point_list *list,
                                 const struct measured_value *row, enum metric metric,
                                 double measured, struct error *err)
{
    struct measured_value *p;

    if (!(measured > 0) && row->reason == NULL)
        return true; /* not every row has every number */
    p = point_add(list, err);
    if (p == NULL)
        return false;
    *p = *row;
    p->metric = metric;
    p->measured = measured;
    if (p->reason == NULL && metric == METRIC_PREFILL && !row_has(r, "input_len"))
        p->reason = "the length of the prompt is not given";
    p->tokens_per_request = counted_tokens(r, &row->serve);
    return true;
}

/* Is the throughput that of prompts? */
static bool reads_prompts(const struct rows_reader *r)
{
    return str_glob(row_text(r, "throughput_kind"), STR("*prefill*"));
}

/* What a row that is not scored would have been scored by. */
static enum metric inference_metric_of(const struct rows_reader *r)
{
    if (row_number(r, "ttft_ms") > 0)
        return METRIC_PREFILL;
    if (row_number(r, "itl_ms") > 0)
        return METRIC_DECODE;
    if (row_number(r, "latency_ms") > 0)
        return METRIC_LATENCY;
    if (row_number(r, "tokens_per_s") > 0)
        return reads_prompts(r) ? METRIC_PREFILL : METRIC_THROUGHPUT;
    return row_number(r, "mem_gb") > 0 ? METRIC_MEMORY : METRIC_THROUGHPUT;
}

/* Percentiles, under a load that the row names. */
static bool add_load_metrics(const struct rows_reader *r, struct point_list *list,
                             const struct measured_value *row, struct error *err)
{
    static const struct {
        const char *column;
        enum metric metric;
    } columns[] = {{"ttft_p50_ms", METRIC_FIRST_P50},
                   {"ttft_p99_ms", METRIC_FIRST_P99},
                   {"tpot_p50_ms", METRIC_TOKEN_P50},
                   {"tpot_p99_ms", METRIC_TOKEN_P99}};

    for (size_t i = 0; i < ARRAY_LEN(columns); i++)
        if (row->serve.rolling && !add_inference_metric(r, list, row, columns[i].metric,
                                                        row_number(r, columns[i].column), err))
            return false;
    return true;
}

static bool add_inference_metrics(const struct rows_reader *r, struct point_list *list,
                                  const struct measured_value *row, struct error *err)
{
    const struct serving *s = &row->serve;
    double rate = row_number(r, "tokens_per_s");
    bool prompt = reads_prompts(r);

    if (s->output <= 1 && !prompt)
        rate = NAN; /* that of a step, which has a number of its own */
    if (!add_load_metrics(r, list, row, err))
        return false;
    return add_inference_metric(r, list, row, METRIC_PREFILL, row_number(r, "ttft_ms"), err) &&
           add_inference_metric(r, list, row, METRIC_DECODE, row_number(r, "itl_ms"), err) &&
           add_inference_metric(r, list, row, METRIC_LATENCY, row_number(r, "latency_ms"),
                                err) &&
           (prompt ? add_inference_metric(r, list, row, METRIC_PREFILL,
                                          s->batch * s->input / rate * 1e3, err)
                   : add_inference_metric(r, list, row, METRIC_THROUGHPUT, rate, err));
}

void read_serving_setting(const struct rows_reader *r, struct measured_value *p)
{
    struct serving *s = &p->serve;
    struct error why = {0};

    if (p->reason != NULL || !row_arch(r, p))
        return;
    s->arch = &p->arch;
    if (!engine_of(row_text(r, "framework"), &s->engine))
        p->reason = "the engine is not known";
    else if (str_starts(s->gpu->architecture, STR("Gaudi")))
        s->engine = ENGINE_HABANA; /* whatever runs on top of it */
    if (p->reason == NULL && !read_weights(r, s))
        p->reason = "the precision of the weights is not known";
    read_degrees(r, s);
    read_stated(r, &p->stated);
    read_load(r, s);
    p->copies = 1;
    if (row_is_mlperf(r))
        read_mlperf(r, p);
    if (p->reason == NULL && !serving_check(s, &why))
        p->reason = "the setting is impossible";
    else if (p->reason == NULL && serving_weight_bytes(s) > s->gpu->memory_gb * 1e9)
        p->reason = "the weights do not fit the GPUs that the row names";
}

bool read_inference_row(const struct rows_reader *r, struct point_list *list, struct error *err)
{
    struct measured_value row = {.measured = NAN};
    size_t before = list->len;

    if (!row_begin(r, &row, &row.serve.gpu, err))
        return false;
    read_serving_setting(r, &row);
    if (row.reason == NULL && !add_inference_metrics(r, list, &row, err))
        return false;
    if (list->len > before)
        return true;
    if (row.reason == NULL)
        row.reason = "the row measures nothing that is predicted";
    return add_inference_metric(r, list, &row, inference_metric_of(r), NAN, err);
}
