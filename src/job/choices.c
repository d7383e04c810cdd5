/* The closed lists of a job, and the spellings that people and frameworks use for them.
 *
 * A spelling is taken apart into words (letters and digits); a rule names the words that must
 * all be there, and the first rule that fits wins, so the special ones come first.
 */
#include "job/choices.h"

#include "base/characters.h"
#include "catalog/catalog.h"

#define SPELLING_MAX 200 /* longer text is no name of anything */
#define RULE_WORDS 2

const char *const method_names[] = {"full", "lora", "qlora", NULL};
const char *const objective_names[] = {"sft", "dpo",  "orpo", "kto", "reward",
                                       "ppo", "grpo", "rloo", NULL};
const char *const precision_names[] = {"fp32",        "tf32", "amp-fp16",  "amp-bf16",
                                       "fp16-master", "bf16", "bf16-pure", "fp8",
                                       "mxfp8",       "fp4",  NULL};
const char *const optimizer_names[] = {
    "adamw", "adamw-bf16", "adamw-8bit",  "adamw-1bit",       "adafactor", "sgd",
    "lion",  "muon",       "paged-adamw", "paged-adamw-8bit", NULL};
const char *const recompute_names[] = {"none", "selective", "full", NULL};
const char *const attention_names[] = {"plain", "flash1", "flash", "fused", NULL};
const char *const offload_names[] = {"none", "optimizer", "all", "nvme", NULL};
const char *const stack_names[] = {"eager", "compiled",  "fsdp",    "megatron", "deepspeed",
                                   "hf",    "lightning", "hf-2023", "xla",      NULL};
const char *const weights_names[] = {"fp32", "fp16", "fp8",    "int8",  "int4",
                                     "nf4",  "fp4",  "nf4-dq", "mxfp4", NULL};
const char *const config_format_names[] = {"deepspeed", "accelerate", "kohya", "hf-trainer",
                                           NULL};

_Static_assert(ARRAY_LEN(method_names) == METHOD_COUNT + 1, "a name for each");
_Static_assert(ARRAY_LEN(objective_names) == OBJECTIVE_COUNT + 1, "a name for each");
_Static_assert(ARRAY_LEN(precision_names) == PRECISION_COUNT + 1, "a name for each");
_Static_assert(ARRAY_LEN(optimizer_names) == OPTIMIZER_COUNT + 1, "a name for each");
_Static_assert(ARRAY_LEN(recompute_names) == RECOMPUTE_COUNT + 1, "a name for each");
_Static_assert(ARRAY_LEN(offload_names) == OFFLOAD_COUNT + 1, "a name for each");
_Static_assert(ARRAY_LEN(stack_names) == STACK_COUNT + 1, "a name for each");
_Static_assert(ARRAY_LEN(weights_names) == WEIGHTS_COUNT + 1, "a name for each");

static bool same_choice_name(const char *name, struct str text)
{
    size_t n = 0;

    while (n < text.len && name[n] != '\0') {
        char c = text.at[n] == '_' ? '-' : text.at[n];

        c = to_lower(c);
        if (c != name[n])
            return false;
        n++;
    }
    return n == text.len && name[n] == '\0';
}

int choice_of(const char *const *names, struct str text)
{
    for (int i = 0; names[i] != NULL; i++)
        if (same_choice_name(names[i], text))
            return i;
    return -1;
}

struct rule {
    const char *words[RULE_WORDS];
    int value;
};

/* Take the next word from the front of `*rest`; empty at the end. */
static struct str next_choice_word(struct str *rest)
{
    struct str word;

    if (rest->len == 0) /* maybe no text at all */
        return (struct str){NULL, 0};
    while (rest->len > 0 && !is_letter_or_digit(rest->at[0])) {
        rest->at++;
        rest->len--;
    }
    word = (struct str){rest->at, 0};
    while (word.len < rest->len && is_letter_or_digit(word.at[word.len]))
        word.len++;
    rest->at += word.len;
    rest->len -= word.len;
    return word;
}

static bool has_choice_word(struct str text, const char *wanted)
{
    struct str word;

    while ((word = next_choice_word(&text)).len > 0)
        if (str_eq_nocase(word, str_from(wanted)))
            return true;
    return false;
}

static bool rule_fits(const struct rule *rule, struct str text)
{
    for (size_t i = 0; i < RULE_WORDS && rule->words[i] != NULL; i++)
        if (!has_choice_word(text, rule->words[i]))
            return false;
    return true;
}

/* The value of the first rule that fits, or -1. */
static int value_by_rules(const struct rule *rules, size_t count, struct str text)
{
    if (text.len == 0 || text.len > SPELLING_MAX)
        return -1;
    for (size_t i = 0; i < count; i++)
        if (rule_fits(&rules[i], text))
            return rules[i].value;
    return -1;
}

bool method_of(struct str text, enum method *out)
{
    static const struct rule rules[] = {
        {{"qlora"}, METHOD_QLORA},      {{"lora"}, METHOD_LORA},
        {{"dora"}, METHOD_LORA},        {{"adapter"}, METHOD_LORA},
        {{"peft"}, METHOD_LORA},        {{"full"}, METHOD_FULL},
        {{"pretrain"}, METHOD_FULL},    {{"finetune"}, METHOD_FULL},
        {{"pretraining"}, METHOD_FULL}, {{"sft"}, METHOD_FULL},
    };
    int value = value_by_rules(rules, ARRAY_LEN(rules), text);

    if (value >= 0)
        *out = (enum method)value;
    return value >= 0;
}

bool precision_of(struct str text, enum precision *out)
{
    static const struct rule rules[] = {
        {{"nvfp4"}, PRECISION_FP4},
        {{"mxfp4"}, PRECISION_FP4},
        {{"fp4"}, PRECISION_FP4},
        {{"mxfp8"}, PRECISION_MXFP8},
        {{"fp8", "mx"}, PRECISION_MXFP8},
        {{"fp8", "granularity"}, PRECISION_MXFP8}, /* scales by blocks, of some size */
        {{"fp8"}, PRECISION_FP8},
        {{"float8"}, PRECISION_FP8},
        {{"bf16", "pure"}, PRECISION_BF16_PURE},
        {{"bf16", "true"}, PRECISION_BF16_PURE},
        {{"bf16", "sr"}, PRECISION_BF16_PURE}, /* stochastic rounding instead of an fp32 copy */
        {{"bf16", "fp32optimizer"}, PRECISION_BF16},
        {{"bf16", "amp"}, PRECISION_AMP_BF16},
        {{"bf16", "mixed"}, PRECISION_AMP_BF16},
        {{"bf16", "autocast"}, PRECISION_AMP_BF16},
        {{"bf16"}, PRECISION_BF16},
        {{"bfloat16"}, PRECISION_BF16},
        {{"fp16", "master"}, PRECISION_FP16},
        {{"fp16", "true"}, PRECISION_FP16},
        {{"fp16", "pure"}, PRECISION_FP16},
        {{"fp16"}, PRECISION_AMP_FP16}, /* what the word means to a trainer: autocast */
        {{"float16"}, PRECISION_AMP_FP16},
        {{"f16"}, PRECISION_AMP_FP16},
        {{"16", "mixed"}, PRECISION_AMP_FP16},
        {{"amp"}, PRECISION_AMP_FP16},
        {{"mixed"}, PRECISION_AMP_FP16},
        {{"tf32"}, PRECISION_TF32}, /* "tf32/fp32": where the card has it */
        {{"fp32"}, PRECISION_FP32},
        {{"float32"}, PRECISION_FP32},
        {{"32", "true"}, PRECISION_FP32},
        /* Only how the frozen base is stored: it is multiplied in bf16. */
        {{"nf4"}, PRECISION_BF16},
        {{"int4"}, PRECISION_BF16},
        {{"int8"}, PRECISION_BF16},
        {{"awq"}, PRECISION_BF16},
        {{"gptq"}, PRECISION_BF16},
        {{"q4"}, PRECISION_BF16},
    };
    int value = value_by_rules(rules, ARRAY_LEN(rules), text);

    if (value >= 0)
        *out = (enum precision)value;
    return value >= 0;
}

bool objective_of(struct str text, enum objective *out)
{
    static const struct {
        const char *words[12];
        enum objective objective;
    } known[] = {
        {{"sft", "pt", "clm", "plain", NULL}, OBJECTIVE_SFT},
        {{"dpo", "ipo", "sppo", "robust-dpo", "gdpo", NULL}, OBJECTIVE_DPO},
        {{"orpo", "simpo", "cpo", NULL}, OBJECTIVE_ORPO},
        {{"kto", "bco", NULL}, OBJECTIVE_KTO},
        {{"reward", "rm", "reward-model", "reward-modeling", NULL}, OBJECTIVE_REWARD},
        {{"ppo", "gae", "rlhf", NULL}, OBJECTIVE_PPO},
        {{"grpo", "dr-grpo", "drgrpo", "dapo", "gspo", "group-norm", "grpo-passk", NULL},
         OBJECTIVE_GRPO},
        {{"rloo", "reinforce", "reinforce++", "reinforce-baseline", "reinforce-plus-plus",
          "reinforce-plus-plus-baseline", "remax", NULL},
         OBJECTIVE_RLOO},
    };

    for (size_t i = 0; i < ARRAY_LEN(known); i++)
        if (choice_of(known[i].words, text) >= 0) {
            *out = known[i].objective;
            return true;
        }
    return false;
}

bool objective_writes(enum objective objective)
{
    return objective >= OBJECTIVE_PPO;
}

int objective_sequences(enum objective objective)
{
    return objective == OBJECTIVE_DPO || objective == OBJECTIVE_ORPO ||
                   objective == OBJECTIVE_REWARD
               ? 2
               : 1;
}

bool optimizer_of(struct str text, enum optimizer *out)
{
    static const struct rule rules[] = {
        {{"onebitadam"}, OPTIMIZER_ADAMW_1BIT},
        {{"onebitlamb"}, OPTIMIZER_ADAMW_1BIT},
        {{"zerooneadam"}, OPTIMIZER_ADAMW_1BIT},
        {{"1bit"}, OPTIMIZER_ADAMW_1BIT},
        {{"1", "bit"}, OPTIMIZER_ADAMW_1BIT},
        {{"paged", "lion"}, OPTIMIZER_LION},
        {{"paged", "8bit"}, OPTIMIZER_ADAMW_8BIT_PAGED},
        {{"paged", "8"}, OPTIMIZER_ADAMW_8BIT_PAGED},
        {{"pagedadamw8bit"}, OPTIMIZER_ADAMW_8BIT_PAGED},
        {{"pagedadam8bit"}, OPTIMIZER_ADAMW_8BIT_PAGED},
        {{"paged"}, OPTIMIZER_ADAMW_PAGED},
        {{"pagedadamw"}, OPTIMIZER_ADAMW_PAGED},
        {{"pagedadam"}, OPTIMIZER_ADAMW_PAGED},
        {{"pagedadamw32bit"}, OPTIMIZER_ADAMW_PAGED},
        {{"8bit"}, OPTIMIZER_ADAMW_8BIT},
        {{"8", "bit"}, OPTIMIZER_ADAMW_8BIT},
        {{"adamw8bit"}, OPTIMIZER_ADAMW_8BIT},
        {{"adam8bit"}, OPTIMIZER_ADAMW_8BIT},
        {{"adamw", "bf16"}, OPTIMIZER_ADAMW_BF16},
        {{"adam", "bf16"}, OPTIMIZER_ADAMW_BF16},
        {{"anyprecision"}, OPTIMIZER_ADAMW_BF16},
        {{"adafactor"}, OPTIMIZER_ADAFACTOR},
        {{"muon"}, OPTIMIZER_MUON},
        {{"lion"}, OPTIMIZER_LION},
        {{"sgd"}, OPTIMIZER_SGD},
        {{"momentum"}, OPTIMIZER_SGD},
        {{"adamw"}, OPTIMIZER_ADAMW},
        {{"adam"}, OPTIMIZER_ADAMW},
        {{"fusedadam"}, OPTIMIZER_ADAMW},
        {{"lamb"}, OPTIMIZER_ADAMW}, /* the same two states for each weight */
        {{"fusedlamb"}, OPTIMIZER_ADAMW},
    };
    int value = value_by_rules(rules, ARRAY_LEN(rules), text);

    if (value >= 0)
        *out = (enum optimizer)value;
    return value >= 0;
}

bool recompute_of(struct str text, enum recompute *out)
{
    static const struct rule rules[] = {
        {{"selective"}, RECOMPUTE_SELECTIVE},
        {{"full"}, RECOMPUTE_FULL},
        {{"yes"}, RECOMPUTE_FULL},
        {{"true"}, RECOMPUTE_FULL},
        {{"1"}, RECOMPUTE_FULL},
        {{"on"}, RECOMPUTE_FULL},
        {{"block"}, RECOMPUTE_FULL},
        {{"uniform"}, RECOMPUTE_FULL},
        {{"none"}, RECOMPUTE_NONE},
        {{"no"}, RECOMPUTE_NONE},
        {{"false"}, RECOMPUTE_NONE},
        {{"0"}, RECOMPUTE_NONE},
        {{"off"}, RECOMPUTE_NONE},
    };
    int value = value_by_rules(rules, ARRAY_LEN(rules), text);

    if (value >= 0)
        *out = (enum recompute)value;
    return value >= 0;
}

/* A format is the first word that names one ("nf4+bf16", "bf16 (check for int8)").
 * The name of a method means the format that is usual for it, and replaces a format that is
 * missing. */
bool weights_of(struct str text, enum weights *out)
{
    static const struct rule formats[] = {
        {{"nf4"}, WEIGHTS_NF4},      {{"mxfp4"}, WEIGHTS_MXFP4},   {{"nvfp4"}, WEIGHTS_FP4},
        {{"fp4"}, WEIGHTS_FP4},      {{"int4"}, WEIGHTS_INT4},     {{"w4a16"}, WEIGHTS_INT4},
        {{"q4"}, WEIGHTS_INT4},      {{"4bit"}, WEIGHTS_INT4},     {{"int8"}, WEIGHTS_INT8},
        {{"w8a8"}, WEIGHTS_INT8},    {{"w8a16"}, WEIGHTS_INT8},    {{"q8"}, WEIGHTS_INT8},
        {{"8bit"}, WEIGHTS_INT8},    {{"fp8"}, WEIGHTS_FP8},       {{"mxfp8"}, WEIGHTS_FP8},
        {{"e4m3"}, WEIGHTS_FP8},     {{"float8"}, WEIGHTS_FP8},    {{"bf16"}, WEIGHTS_FP16},
        {{"fp16"}, WEIGHTS_FP16},    {{"f16"}, WEIGHTS_FP16},      {{"half"}, WEIGHTS_FP16},
        {{"float16"}, WEIGHTS_FP16}, {{"bfloat16"}, WEIGHTS_FP16}, {{"fp32"}, WEIGHTS_FP32},
        {{"f32"}, WEIGHTS_FP32},     {{"float32"}, WEIGHTS_FP32},  {{"tf32"}, WEIGHTS_FP32},
    };
    static const struct rule methods[] = {
        {{"awq"}, WEIGHTS_INT4},
        {{"gptq"}, WEIGHTS_INT4},
        {{"bnb"}, WEIGHTS_NF4},
        {{"bitsandbytes"}, WEIGHTS_NF4},
    };
    struct str rest = text, word;
    int value = -1;

    while (text.len <= SPELLING_MAX && value < 0 && (word = next_choice_word(&rest)).len > 0)
        value = value_by_rules(formats, ARRAY_LEN(formats), word);
    if (value < 0)
        value = value_by_rules(methods, ARRAY_LEN(methods), text);
    else if (value == WEIGHTS_INT4 && has_choice_word(text, "bnb"))
        value = WEIGHTS_NF4; /* the only 4 bits that bitsandbytes trains with */
    if (value == WEIGHTS_NF4 &&
        (has_choice_word(text, "dq") || has_choice_word(text, "double")))
        value = WEIGHTS_NF4_DQ;
    if (value >= 0)
        *out = (enum weights)value;
    return value >= 0;
}

bool stack_of(struct str framework, enum stack *out)
{
    static const struct rule rules[] = {
        {{"xla"}, STACK_XLA},
        {{"jax"}, STACK_XLA},
        {{"maxtext"}, STACK_XLA},
        {{"neuron"}, STACK_XLA},
        {{"tpu"}, STACK_XLA},
        {{"habana"}, STACK_XLA},
        {{"gaudi"}, STACK_XLA},
        {{"megatron"}, STACK_MEGATRON},
        {{"nemo"}, STACK_MEGATRON},
        {{"mcore"}, STACK_MEGATRON},
        {{"internevo"}, STACK_MEGATRON},
        {{"transformerengine"}, STACK_MEGATRON},
        {{"transformer", "engine"}, STACK_MEGATRON},
        {{"unsloth"}, STACK_COMPILED},
        {{"torchtune"}, STACK_COMPILED},
        {{"nanogpt"}, STACK_COMPILED},
        /* Trainers that drive DeepSpeed or FSDP are known by their own name. */
        {{"hf", "2023"}, STACK_HF_2023},
        {{"litgpt"}, STACK_EAGER}, /* by Lightning's authors, with model code of its own */
        {{"lightning"}, STACK_LIGHTNING},
        {{"hf"}, STACK_HF},
        {{"huggingface"}, STACK_HF},
        {{"hugging", "face"}, STACK_HF},
        {{"transformers"}, STACK_HF},
        {{"peft"}, STACK_HF},
        {{"trl"}, STACK_HF},
        {{"accelerate"}, STACK_HF},
        {{"axolotl"}, STACK_HF},
        {{"llamafactory"}, STACK_HF},
        {{"llama", "factory"}, STACK_HF},
        {{"swift"}, STACK_HF},
        {{"diffusers"}, STACK_HF},
        {{"kohya"}, STACK_HF},
        {{"torchtitan"}, STACK_FSDP},
        {{"composer"}, STACK_FSDP},
        {{"foundry"}, STACK_FSDP},
        {{"fsdp"}, STACK_FSDP},
        {{"fsdp2"}, STACK_FSDP},
        {{"deepspeed"}, STACK_DEEPSPEED},
        {{"xtuner"}, STACK_DEEPSPEED},
        {{"colossal"}, STACK_DEEPSPEED},
        {{"colossalai"}, STACK_DEEPSPEED},
        {{"compile"}, STACK_COMPILED},
        {{"compiled"}, STACK_COMPILED},
        {{"inductor"}, STACK_COMPILED},
        {{"eager"}, STACK_EAGER},
        {{"plain"}, STACK_EAGER},
        {{"deeplearningexamples"}, STACK_EAGER},
        {{"pytorch"}, STACK_EAGER},
        {{"torch"}, STACK_EAGER},
        {{"mxnet"}, STACK_EAGER},
    };
    int value = value_by_rules(rules, ARRAY_LEN(rules), framework);

    if (value >= 0)
        *out = (enum stack)value;
    return value >= 0;
}

double weights_bytes(enum weights weights)
{
    static const double of[WEIGHTS_COUNT] = {
        [WEIGHTS_FP32] = 4,
        [WEIGHTS_FP16] = 2,
        [WEIGHTS_FP8] = 1,
        [WEIGHTS_INT8] = 1 + 2.0 / 128,                /* a 2-byte scale for a group of 128 */
        [WEIGHTS_INT4] = 0.5 + (2 + 0.5) / 128,        /* and a 4-bit zero */
        [WEIGHTS_NF4] = 0.5 + 4.0 / 64,                /* a 4-byte scale for a block of 64 */
        [WEIGHTS_NF4_DQ] = 0.5 + (1 + 4.0 / 256) / 64, /* of a byte, with a scale for 256 */
        [WEIGHTS_MXFP4] = 0.5 + 1.0 / 32,              /* a 1-byte scale for a block of 32 */
        [WEIGHTS_FP4] = 0.5 + 1.0 / 16,                /* a 1-byte scale for a block of 16 */
    };

    return of[weights];
}

bool weights_are_nf4(enum weights weights)
{
    return weights == WEIGHTS_NF4 || weights == WEIGHTS_NF4_DQ;
}

bool weights_are_fp4(enum weights weights)
{
    return weights == WEIGHTS_FP4 || weights == WEIGHTS_MXFP4;
}

/* ---- loRA's targets, by the names that the modules of models have ---- */

#define TARGETS_MAX 400 /* longer text is not a list of modules */

static const struct {
    unsigned bits;
    const char *names[11]; /* ends with NULL */
} groups[] = {
    {TARGET_Q, {"q", "q-proj", "query", "to-q", "wq", NULL}},
    {TARGET_K, {"k", "k-proj", "key", "to-k", "wk", NULL}},
    {TARGET_V, {"v", "v-proj", "value", "to-v", "wv", NULL}},
    {TARGET_O,
     {"o", "o-proj", "out-proj", "output-proj", "to-out", "to-out.0", "dense", "proj",
      "projection", "wo", NULL}},
    {TARGET_Q | TARGET_V, {"qv", NULL}},
    {TARGET_Q | TARGET_K | TARGET_V,
     {"qkv", "wqkv", "c-attn", "qkv-proj", "query-key-value", NULL}},
    {TARGET_ATTENTION, {"qkvo", "attn", "attention", NULL}},
    {TARGET_FFN, {"mlp", "ffn", NULL}},
    {TARGET_GATE, {"gate-proj", "w1", NULL}},
    {TARGET_UP, {"up-proj", "w3", "fc1", "c-fc", NULL}},
    {TARGET_WIDEN, {"gate-up-proj", "dense-h-to-4h", NULL}},
    {TARGET_DOWN, {"down-proj", "w2", "fc2", "dense-4h-to-h", NULL}},
    {TARGET_O | TARGET_DOWN, {"c-proj", NULL}}, /* GPT-2's name of both */
    /* NeMo's and Megatron's names */
    {TARGET_Q | TARGET_K | TARGET_V, {"attention-qkv", "linear-qkv", NULL}},
    {TARGET_O, {"attention-dense", "linear-proj", NULL}},
    {TARGET_WIDEN, {"mlp-fc1", "linear-fc1", NULL}},
    {TARGET_DOWN, {"mlp-fc2", "linear-fc2", NULL}},
    {TARGET_ALL, {"all", "all-linear", "linear", NULL}},
    {TARGET_HEAD, {"lm-head", "head", "output", "output-layer", "embed-out", NULL}},
    {TARGET_EMBEDDING,
     {"embed-tokens", "embedding", "embeddings", "wte", "tok-embeddings", "word-embeddings",
      "embed-in", NULL}},
};

static bool is_separator(char c)
{
    return c == ',' || c == '+' || c == ';' || c == ' ' || c == '/';
}

static unsigned quantization_bits(struct str name)
{
    for (size_t i = 0; i < ARRAY_LEN(groups); i++)
        if (choice_of(groups[i].names, name) >= 0)
            return groups[i].bits;
    return 0;
}

/* Names in a list, and the bits that a name has: 0 ends it as unknown. */
static bool bits_of_list(struct str text, unsigned (*bits_named)(struct str), unsigned *out)
{
    unsigned all = 0;

    if (text.len > TARGETS_MAX)
        return false;
    for (size_t from = 0, to = 0; to < text.len; from = to + 1) {
        unsigned bits;

        to = from;
        while (to < text.len && !is_separator(text.at[to]))
            to++;
        if (to == from)
            continue;
        bits = bits_named((struct str){text.at + from, to - from});
        if (bits == 0)
            return false;
        all |= bits;
    }
    if (all != 0)
        *out = all;
    return all != 0;
}

bool targets_of(struct str text, unsigned *out)
{
    return bits_of_list(text, quantization_bits, out);
}

#define SAVED_SMALL 4u /* known, and of no weight */

static unsigned saved_bits(struct str name)
{
    static const char *const small[] = {"norm",   "score",           "classifier",
                                        "ln-f",   "layernorm",       "final-norm",
                                        "pooler", "qa-outputs",      "router",
                                        "gate",   "input-layernorm", "post-attention-layernorm",
                                        NULL};
    unsigned target;

    for (size_t i = name.len; i > 0; i--) /* "model.embed_tokens" */
        if (name.at[i - 1] == '.') {
            name = (struct str){name.at + i, name.len - i};
            break;
        }
    target = quantization_bits(name);
    if (target == TARGET_EMBEDDING || target == TARGET_HEAD)
        return target == TARGET_HEAD ? SAVED_HEAD : SAVED_EMBEDDING;
    return choice_of(small, name) >= 0 ? SAVED_SMALL : 0;
}

bool saved_modules_of(struct str text, unsigned *out)
{
    unsigned bits;

    if (!bits_of_list(text, saved_bits, &bits))
        return false;
    *out = bits & (SAVED_EMBEDDING | SAVED_HEAD);
    return true;
}

/* ---- how published weights are stored, by their name ---- */

/* The first row that fits counts: "GPTQ-Int8" has 8 bits, "bnb-4bit" is NF4. */
bool weights_of_name(struct str name, enum weights *out)
{
    static const struct {
        const char *parts[2];
        enum weights weights;
    } known[] = {
        {{"bnb", "4bit"}, WEIGHTS_NF4}, {{"bnb", "4-bit"}, WEIGHTS_NF4},
        {{"nf4", ""}, WEIGHTS_NF4},     {{"8bit", ""}, WEIGHTS_INT8},
        {{"8-bit", ""}, WEIGHTS_INT8},  {{"int8", ""}, WEIGHTS_INT8},
        {{"w8a8", ""}, WEIGHTS_INT8},   {{"w8a16", ""}, WEIGHTS_INT8},
        {{"eetq", ""}, WEIGHTS_INT8},   {{"nvfp4", ""}, WEIGHTS_FP4},
        {{"mxfp4", ""}, WEIGHTS_MXFP4}, {{"-fp4", ""}, WEIGHTS_FP4},
        {{"fp8", ""}, WEIGHTS_FP8},     {{"gptq", ""}, WEIGHTS_INT4},
        {{"awq", ""}, WEIGHTS_INT4},    {{"int4", ""}, WEIGHTS_INT4},
        {{"w4a16", ""}, WEIGHTS_INT4},  {{"4bit", ""}, WEIGHTS_INT4},
        {{"4-bit", ""}, WEIGHTS_INT4},  {{"3bit", ""}, WEIGHTS_INT4},
    };
    struct str model;
    int bits;

    if (gguf_name(name, &model, &bits) && bits > 0) {
        *out = bits <= 4 ? WEIGHTS_INT4 : WEIGHTS_INT8;
        return bits <= 8;
    }

    for (size_t i = 0; i < ARRAY_LEN(known); i++)
        if (str_has_nocase(name, str_from(known[i].parts[0])) &&
            (known[i].parts[1][0] == '\0' ||
             str_has_nocase(name, str_from(known[i].parts[1])))) {
            *out = known[i].weights;
            return true;
        }
    return false;
}
