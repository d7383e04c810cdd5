#include "truth/rows.h"

#include <math.h>
#include <string.h>

#include "base/characters.h"
#include "base/num.h"
#include "estimate/kernels/kernels.h"
#include "truth/mlperf.h"

/* ---- what a row leaves open: as the software it names does by default ---- */

static enum attention attention_of(const struct rows_reader *r, const struct setup *s)
{
    enum device_class class = device_class_of(s->gpu);
    bool old = class == DEVICE_VOLTA || class == DEVICE_TURING || class == DEVICE_AMPERE;

    if (s->padding > 0)
        return ATTENTION_FLASH; /* a fused kernel that knows the lengths */
    if (str_eq_nocase(row_text(r, "flash_attention"), STR("no")) || s->arch->disentangled)
        return ATTENTION_PLAIN;
    if (s->stack == STACK_MEGATRON) { /* had none of its own in the years of the older cards */
        if (!row_has(r, "flash_attention") && old)
            return ATTENTION_PLAIN;
        return old ? ATTENTION_FLASH : ATTENTION_FUSED;
    }
    if (s->stack == STACK_XLA)
        return ATTENTION_FUSED;
    if (s->stack == STACK_EAGER || s->stack == STACK_COMPILED)
        return ATTENTION_FUSED; /* what today's PyTorch chooses */
    if (str_has_nocase(row_text(r, "framework"), STR("llm-foundry")))
        return ATTENTION_FIRST; /* MPT's is Triton's */
    return ATTENTION_FLASH;
}

/* Encoders are fine-tuned with a small head; NVIDIA's pretraining passes only masked tokens. */
static double head_share_of(const struct rows_reader *r, const struct setup *s)
{
    if (s->arch->kind != ARCH_ENCODER)
        return 1;
    if (str_eq(row_text(r, "method"), STR("full-ft")))
        return 0;
    return str_has_nocase(row_text(r, "framework"), STR("DeepLearningExamples")) ? 0.15 : 1;
}

/* NVIDIA's BERT pretraining drops the padding: half of Wikipedia's sequences of 512. */
static double padding_of(const struct rows_reader *r, const struct setup *s)
{
    bool dropped = str_has_nocase(row_text(r, "framework"), STR("DeepLearningExamples")) &&
                   str_eq(row_text(r, "method"), STR("pretrain")) && s->sequence >= 512;

    return dropped && s->arch->kind == ARCH_ENCODER ? 0.5 : 0;
}

/* Qwen's measurements are of the first Qwen, whose model code had fused kernels of its own. */
static bool has_own_kernels(const struct rows_reader *r)
{
    return str_has_nocase(row_text(r, "source"), STR("QwenLM/Qwen"));
}

void settle_setup(struct setup *s, const struct rows_reader *r)
{
    if (s->stack == STACK_HF && has_own_kernels(r))
        s->stack = STACK_HF_2023;
    s->padding = padding_of(r, s);
    s->attention = attention_of(r, s);
    s->head_share = head_share_of(r, s);
    s->fused_optimizer = (s->stack == STACK_EAGER || s->stack == STACK_COMPILED) &&
                         (s->arch->kind == ARCH_DECODER || s->arch->kind == ARCH_ENCODER);
    if (s->zero < 0)
        s->zero = s->stack == STACK_MEGATRON && s->data > 1 ? 1 : 0;
    s->shard = s->data * s->context;
    if (isnan(s->rank))
        s->rank = 8;
    if (s->targets == 0) /* NeMo adapts only the attention's inputs */
        s->targets = s->stack == STACK_MEGATRON ? TARGET_Q | TARGET_K | TARGET_V : TARGET_ALL;
    /* Neuron runs fp32 products in a narrower form. */
    if (s->precision == PRECISION_FP32 && str_eq(s->gpu->vendor, STR("AWS")))
        s->precision = PRECISION_TF32;
    /* Fine-tuning scripts of Hugging Face turn it on; others recompute as little as can be. */
    if (s->recompute == RECOMPUTE_COUNT)
        s->recompute = s->stack == STACK_HF_2023 ? RECOMPUTE_FULL : RECOMPUTE_NONE;
}

/* ---- measured training rates: tokens (or samples) a second of one GPU ---- */

/* Gb/s of a node in "4x100Gb/s RoCE per node", "1600Gb/s RoCE per node"; as GB/s of one GPU. */
static double network_of(struct str text, int64_t per_node)
{
    double product = 1, digits = -1;

    for (size_t i = 0; i < text.len; i++) {
        char ch = text.at[i];

        if (is_digit(ch)) {
            digits = (digits < 0 ? 0 : digits * 10) + (ch - '0');
            continue;
        }
        if (digits > 0 && ch == 'x')
            product *= digits;
        else if (digits > 0 && str_starts((struct str){text.at + i, text.len - i}, STR("Gb/s")))
            return product * digits / 8 / (double)per_node;
        digits = -1;
    }
    return NAN;
}

static void read_parallel(const struct rows_reader *r, struct setup *s)
{
    double cores =
        str_eq(s->gpu->vendor, STR("AWS")) ? 2 : 1; /* a chip has two, degrees count them */
    double inner;                                   /* of absurd degrees no int64_t */

    s->gpus = row_count(r, "gpu_count", 1);
    s->per_node = row_count(r, "gpus_per_node", s->gpus < 8 ? s->gpus : 8);
    s->tensor = (int64_t)ceil((double)row_count(r, "tensor_parallel", 1) / cores);
    s->pipeline = row_count(r, "pipeline_parallel", 1);
    s->virtual_pipeline = row_count(r, "virtual_pipeline", 1);
    s->context = row_count(r, "context_parallel", 1);
    s->expert = row_count(r, "expert_parallel", 1);
    if (s->arch->experts == 0)
        s->expert = 1;
    inner = (double)s->tensor * (double)s->pipeline * (double)s->context;
    s->data = (double)s->gpus >= inner ? (int64_t)((double)s->gpus / inner) : 1;
    s->network_gb_s = network_of(row_text(r, "interconnect"), s->per_node);
}

static bool read_method(const struct rows_reader *r, struct setup *s)
{
    struct str method = row_text(r, "method"), precision = row_text(r, "precision");

    s->method = str_eq(method, STR("lora"))    ? METHOD_LORA
                : str_eq(method, STR("qlora")) ? METHOD_QLORA
                                               : METHOD_FULL;
    s->base = WEIGHTS_NF4;
    if (s->method == METHOD_QLORA)
        (void)weights_of(precision, &s->base);
    s->rank = row_number(r, "lora_rank");
    if (!targets_of(row_text(r, "lora_targets"), &s->targets))
        s->targets = 0;
    if (!precision_of(precision, &s->precision)) {
        s->precision = PRECISION_BF16;
        return false;
    }
    return true;
}

static void read_batch(const struct rows_reader *r, struct setup *s)
{
    int64_t global = row_count(r, "global_batch", 0);

    s->micro_batch = row_count(r, "micro_batch", 1);
    s->sequence = row_count(r, "seq_len", 0);
    s->accumulation = 1;
    if (global > s->micro_batch * s->data)
        s->accumulation = (global + s->micro_batch * s->data - 1) / (s->micro_batch * s->data);
    if (s->arch->kind == ARCH_LSTM)
        s->sequence = row_count(r, "resolution_or_steps", 1);
    if (s->arch->kind == ARCH_VIT)
        s->sequence = arch_patches(s->arch);
    if (s->arch->kind == ARCH_IMAGE) {
        s->sequence = 1;
        s->resolution = row_count(r, "resolution_or_steps", 0);
        s->channels_last = !str_eq(row_text(r, "layout"), STR("NCHW"));
    }
}

/* Tokens a second of one GPU, or samples for what has no tokens. */
static double read_measured_rate(const struct rows_reader *r, const struct setup *s,
                                 bool samples)
{
    double rate = row_number(r, "tokens_per_s_per_gpu"), n;

    if (!samples && rate > 0)
        return rate;
    rate = row_number(r, "derived_tokens_per_s_per_gpu");
    if (!samples && rate > 0)
        return rate;
    n = row_number(r, "samples_per_s");
    if (n > 0)
        return n / (double)s->gpus * (samples ? 1 : (double)s->sequence);
    n = row_number(r, "step_time_s");
    if (n > 0)
        return setup_global_batch(s) / n / (double)s->gpus *
               (samples ? 1 : (double)s->sequence);
    return NAN;
}

static void read_choices(const struct rows_reader *r, struct setup *s)
{
    struct str zero = row_text(r, "zero_stage"),
               again = row_text(r, "activation_checkpointing");
    int choice = choice_of(recompute_names, again);

    s->stack = STACK_EAGER;
    (void)stack_of(row_text(r, "framework"), &s->stack);
    s->compiled = s->stack == STACK_COMPILED;
    s->optimizer = OPTIMIZER_ADAMW;
    (void)optimizer_of(row_text(r, "optimizer"), &s->optimizer);
    s->zero = zero.len > 0 && zero.at[0] >= '0' && zero.at[0] <= '3' ? zero.at[0] - '0' : -1;
    s->offload = str_ends(zero, STR("offload")) ? OFFLOAD_ALL : OFFLOAD_NONE;
    s->recompute = choice >= 0 ? (enum recompute)choice : RECOMPUTE_COUNT;
    s->sequence_parallel = s->tensor > 1;
}

bool read_training_row(const struct rows_reader *r, struct point_list *list, struct error *err)
{
    struct measured_value *p = point_add(list, err);
    struct setup *s;
    struct error why = {0};

    if (p == NULL || !row_begin(r, p, &p->setup.gpu, err))
        return false;
    p->metric = METRIC_TRAINING;
    if (p->reason != NULL)
        return true;
    s = &p->setup;
    s->arch = &p->arch;
    if (str_eq(p->set, STR("other"))) {
        p->reason = "set other: its setting is not complete";
        return true;
    }
    if (!row_arch(r, p))
        return true;
    read_parallel(r, s);
    read_batch(r, s);
    read_choices(r, s);
    p->samples = arch_counts_samples(&p->arch);
    if (p->samples && p->set.len == 0)
        p->set = STR("vision");
    p->measured = read_measured_rate(r, s, p->samples);
    if (!read_method(r, s))
        p->reason = "the precision is not known";
    else if (s->sequence < 1)
        p->reason = "the sequence length is not given";
    else if (!(p->measured > 0))
        p->reason = "no throughput";
    else if (!(peak_flops(s->gpu, PRECISION_BF16) > 0))
        p->reason = "how fast the GPU computes is not published";
    settle_setup(s, r);
    if (p->reason == NULL && !setup_check(s, &why))
        p->reason = "the setting is impossible";
    return true;
}

#define MOST_ROWS 50000 /* each takes kilobytes, with its setting */

const char *const truth_kind_names[] = {"training", "memory",    "inference",
                                        "energy",   "gpu-hours", NULL};
const char *const metric_names[] = {
    "training",    "memory",    "prefill",  "decode",   "throughput", "latency", "node_power",
    "board_power", "gpu_hours", "ttft_p50", "ttft_p99", "tpot_p50",   "tpot_p99"};
const char *const metric_units[] = {
    "per s per GPU", "GB", "ms", "ms", "tokens/s", "ms", "W", "W",
    "GPU-hours",     "ms", "ms", "ms", "ms"};

/* ---- reading: columns by name, rows of every kind ---- */

/* Other names of columns: of InferenceX's and other sweeps of servers, and of tables of
 * MLPerf's results. */
static const char *const other_columns[][2] = {
    {"gpu", "accelerator"},      {"gpu_count", "gpus"},      {"gpu_count", "accelerators"},
    {"source", "submitter"},     {"precision", "weights"},   {"framework", "software"},
    {"input_len", "isl"},        {"output_len", "osl"},      {"tokens_per_s", "out_tok_per_s"},
    {"ttft_ms", "ttft_mean_ms"}, {"itl_ms", "tpot_mean_ms"},
};

static bool find_column(const struct rows_reader *r, const char *column, struct str *out)
{
    struct str wanted = str_from(column);

    for (size_t i = 0; i < r->columns && i < r->row.count; i++)
        if (str_eq_nocase(r->names[i], wanted)) {
            *out = str_trim(r->row.fields[i]);
            return true;
        }
    return false;
}

struct str row_text(const struct rows_reader *r, const char *column)
{
    struct str text = {NULL, 0};

    if (find_column(r, column, &text))
        return text;
    for (size_t i = 0; i < ARRAY_LEN(other_columns); i++)
        if (strcmp(other_columns[i][0], column) == 0 &&
            find_column(r, other_columns[i][1], &text))
            return text;
    return (struct str){NULL, 0};
}

double row_number(const struct rows_reader *r, const char *column)
{
    double n;

    return num_double(row_text(r, column), &n) && fabs(n) < 1e15 ? n : NAN;
}

int64_t row_count(const struct rows_reader *r, const char *column, int64_t fallback)
{
    double n = row_number(r, column);

    /* Larger ones are refused by the checks, and the product of two must not overflow. */
    return n >= 1 ? (int64_t)fmin(n, 1e9) : fallback;
}

bool row_has(const struct rows_reader *r, const char *column)
{
    return row_text(r, column).len > 0;
}

static bool copy(struct str *text, struct arena *arena, struct error *err)
{
    const char *at = str_dup(*text, arena, err);

    text->at = at;
    return at != NULL;
}

bool row_begin(const struct rows_reader *r, struct measured_value *p,
               const struct accelerator **gpu, struct error *err)
{
    struct str source = row_text(r, "source"), quality = row_text(r, "quality");
    enum name_match match;
    struct error ignored = {0};

    p->id = row_text(r, "id");
    p->source = str_cut(&source, '@');
    p->gpu = row_text(r, "gpu");
    p->set = row_text(r, "set");
    p->measured = NAN;
    p->reason = NULL;
    if (!copy(&p->id, r->arena, err) || !copy(&p->source, r->arena, err) ||
        !copy(&p->gpu, r->arena, err) || !copy(&p->set, r->arena, err))
        return false;
    *gpu = accelerator_find(r->catalog, p->gpu, &match, &ignored);
    if (str_eq_nocase(quality, STR("C")))
        p->reason = "quality C";
    else if (*gpu == NULL)
        p->reason = "the GPU is not in the catalog";
    return true;
}

static void read_shape(const struct rows_reader *r, const char *column, int64_t *to)
{
    *to = row_count(r, column, *to);
}

bool row_arch(const struct rows_reader *r, struct measured_value *p)
{
    struct str model = mlperf_model(row_text(r, "model"));
    struct error ignored = {0};
    struct arch *a = &p->arch;
    bool known = arch_named(r->catalog, model, a, &ignored);
    int64_t layers = row_count(r, "layers", 0), hidden = row_count(r, "hidden", 0);
    int64_t heads = row_count(r, "heads", 0);

    if (!known && (layers == 0 || hidden == 0 || heads == 0)) {
        p->reason = "the model is not in the catalog and the row has no shapes";
        return false;
    }
    if (!known) {
        int64_t ffn = row_count(r, "ffn", 4 * hidden);

        *a = (struct arch){.kind = ARCH_DECODER,
                           .head_dim = arch_head_width(hidden, heads),
                           .gated = ffn != 4 * hidden,
                           .stated_params = NAN};
        a->vocab = 32000;
    }
    if (!known || a->kind == ARCH_LSTM)
        a->name = STR("model of the row"); /* the text of the row does not last */
    if (known && a->kind != ARCH_DECODER && a->kind != ARCH_ENCODER)
        return true;
    if (known && a->experts > 0) /* the column ffn is then that of an expert */
        return true;
    if (layers > 0 && hidden > 0 && heads > 0) {
        if (hidden != a->hidden || heads != a->heads)
            a->head_dim = arch_head_width(hidden, heads);
        a->layers = layers;
        a->hidden = hidden;
        a->heads = heads;
        a->kv_heads = row_count(r, "kv_heads", heads);
        read_shape(r, "ffn", &a->ffn);
        read_shape(r, "vocab", &a->vocab);
        if (a->ffn == 0)
            a->ffn = 4 * hidden;
    }
    if (row_has(r, "gated_ffn"))
        a->gated = str_eq_nocase(row_text(r, "gated_ffn"), STR("yes"));
    if (row_has(r, "tied_embeddings"))
        a->tied = str_eq_nocase(row_text(r, "tied_embeddings"), STR("yes"));
    if (!arch_check(a, &ignored)) {
        p->reason = "the shapes of the model are impossible";
        return false;
    }
    return true;
}

struct measured_value *point_add(struct point_list *list, struct error *err)
{
    if (list->len == list->room) {
        size_t room = list->room == 0 ? 512 : list->room * 2;
        struct measured_value *more =
            arena_array(list->arena, struct measured_value, room, err);

        if (more == NULL)
            return NULL;
        if (list->len > 0)
            memcpy(more, list->at, list->len * sizeof *more);
        list->at = more;
        list->room = room;
    }
    list->at[list->len] = (struct measured_value){.measured = NAN};
    return &list->at[list->len++];
}

static bool read_truth_names(struct rows_reader *r, struct error *err)
{
    r->columns = r->row.count;
    if (r->columns > ROW_MAX_COLUMNS)
        return error_fail(err, ERROR_INPUT, "more than %d columns", ROW_MAX_COLUMNS);
    for (size_t i = 0; i < r->columns; i++) {
        r->names[i] = str_trim(r->row.fields[i]);
        if (!copy(&r->names[i], r->arena, err))
            return false;
    }
    return true;
}

static bool has_truth_column(const struct rows_reader *r, const char *name)
{
    for (size_t i = 0; i < r->columns; i++) {
        if (str_eq_nocase(r->names[i], str_from(name)))
            return true;
        for (size_t k = 0; k < ARRAY_LEN(other_columns); k++)
            if (strcmp(other_columns[k][0], name) == 0 &&
                str_eq_nocase(r->names[i], str_from(other_columns[k][1])))
                return true;
    }
    return false;
}

/* The columns without which no row can be used. */
static bool check_truth_names(const struct rows_reader *r, enum truth_kind kind,
                              struct error *err)
{
    static const char *const needed[] = {"source", "gpu",
                                         "model"}; /* power may lack the last */
    const char *missing = NULL;

    for (size_t i = 0; i < ARRAY_LEN(needed) - (kind == TRUTH_ENERGY); i++)
        if (missing == NULL && !has_truth_column(r, needed[i]))
            missing = needed[i];
    if (missing == NULL && kind == TRUTH_ENERGY && !has_truth_column(r, "mean_node_w") &&
        !has_truth_column(r, "mean_board_w") && !has_truth_column(r, "avg_power_w"))
        missing = "mean_node_w";
    if (missing == NULL)
        return true;
    error_set(err, ERROR_INPUT, "line 1: the column '%s' is missing", missing);
    error_hint(err, "the first line names the columns, with commas between; docs/accuracy.md "
                    "lists them");
    return false;
}

static bool read_truth_rows(struct rows_reader *r, enum truth_kind kind,
                            struct point_list *list, size_t *rows, struct error *err)
{
    static bool (*const readers[TRUTH_KINDS])(const struct rows_reader *, struct point_list *,
                                              struct error *) = {
        [TRUTH_TRAINING] = read_training_row,
        [TRUTH_MEMORY] = read_memory_row,
        [TRUTH_INFERENCE] = read_inference_row,
        [TRUTH_ENERGY] = read_energy_row,
        [TRUTH_RUNS] = read_run_row,
    };

    if (!csv_next(r->csv, &r->row, err))
        return csv_failed(r->csv) ? false : error_fail(err, ERROR_INPUT, "line 1: no columns");
    if (!read_truth_names(r, err) || !check_truth_names(r, kind, err))
        return false;
    while (csv_next(r->csv, &r->row, err)) {
        size_t before = list->len;

        if (++*rows > MOST_ROWS)
            return error_fail(err, ERROR_INPUT, "more than %d rows", MOST_ROWS);
        if (!readers[kind](r, list, err))
            return false;
        if (list->len > before)
            list->at[before].first = true;
    }
    return !csv_failed(r->csv);
}

void points_settle(struct measured_value *points, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        points[i].setup.arch = &points[i].arch;
        points[i].serve.arch = &points[i].arch;
    }
}

bool points_read(enum truth_kind kind, struct str text, const char *name,
                 const struct catalog *catalog, struct measured_values *out,
                 struct arena *arena, struct error *err)
{
    struct csv_options options = {.alloc = arena->alloc};
    struct rows_reader r = {.catalog = catalog, .arena = arena};
    struct point_list list = {.arena = arena};
    size_t rows = 0;
    bool ok;

    r.csv = csv_open_text(text, &options, err);
    if (r.csv == NULL)
        return false;
    ok = read_truth_rows(&r, kind, &list, &rows, err);
    csv_close(r.csv);
    if (!ok) {
        error_place(err, name);
        return false;
    }
    points_settle(list.at, list.len);
    *out = (struct measured_values){.at = list.at, .len = list.len, .rows = rows};
    return true;
}
