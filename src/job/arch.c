#include "job/arch.h"

#include <math.h>
#include <stddef.h>

#include "base/num.h"

#define WIDEST ((int64_t)1 << 20)

static int64_t at_least_zero(int64_t n)
{
    return n > 0 ? n : 0;
}

int64_t arch_head_width(int64_t hidden, int64_t heads)
{
    return heads > 0 && hidden % heads == 0 ? hidden / heads : 0;
}

enum { FAMILY_NAMES = 10 };

/* What the families of models have that their shape does not show. */
static const struct family_trait {
    size_t trait; /* offset in struct arch */
    const char *families[FAMILY_NAMES];
} family_traits[] = {
    {offsetof(struct arch, normed_heads),
     {"qwen3", "qwen-3", "gemma3", "gemma-3", "olmo-2", "olmo2", "olmo-3", "olmo3", "olmoe",
      "apertus"}},
    {offsetof(struct arch, outer_norms), {"gemma-2-", "gemma2", "gemma-3", "gemma3"}},
    {offsetof(struct arch, softcaps), {"gemma-2-", "gemma2"}},
    {offsetof(struct arch, gelu_formula),
     {"gpt2", "gpt-2", "gpt3", "gpt-3", "gpt-j", "gptj", "codegen", "phi-1", "phi-2",
      "megatron-gpt"}},
    {offsetof(struct arch, disentangled), {"deberta"}},
    {offsetof(struct arch, key_not_repeated), {"falcon", "RefinedWeb"}},
    {offsetof(struct arch, token_types), {"bert", "roberta", "xlm-roberta", "nemo-bert"}},
};

static bool is_of_family(struct str name, const char *const *families)
{
    for (size_t i = 0; i < FAMILY_NAMES && families[i] != NULL; i++)
        if (str_starts(name, str_from(families[i])))
            return true;
    return false;
}

void arch_apply_family(struct arch *arch, struct str name)
{
    for (size_t i = 0; i < ARRAY_LEN(family_traits); i++)
        *(bool *)((char *)arch + family_traits[i].trait) =
            is_of_family(name, family_traits[i].families);
}

/* What answers must say: where the shape is approximate, and what a sample is. */
static struct str shown_note(struct str notes)
{
    bool shown =
        str_starts(notes, STR("approximate:")) || str_starts(notes, STR("a sample is"));

    return shown ? notes : (struct str){0};
}

struct arch arch_of_model(const struct model *m)
{
    struct arch a = {
        .name = m->name,
        .layers = m->layers,
        .hidden = m->hidden,
        .heads = m->heads,
        .kv_heads = m->kv_heads > 0 ? m->kv_heads : m->heads,
        .head_dim = m->head_dim > 0 ? m->head_dim : arch_head_width(m->hidden, m->heads),
        .ffn = at_least_zero(m->ffn),
        .vocab = m->vocab,
        .positions = at_least_zero(m->positions),
        .context = at_least_zero(m->context),
        .gated = m->gated,
        .tied = m->tied,
        .bias_qkv = str_eq(m->bias, STR("qkv")) || str_eq(m->bias, STR("all")),
        .bias_all = str_eq(m->bias, STR("all")),
        .window = at_least_zero(m->window),
        .full_every = at_least_zero(m->full_every),
        .experts = at_least_zero(m->experts),
        .active_experts = at_least_zero(m->active_experts),
        .expert_ffn = at_least_zero(m->expert_ffn),
        .shared_ffn = at_least_zero(m->shared_ffn),
        .dense_layers = at_least_zero(m->dense_layers),
        .q_rank = at_least_zero(m->q_rank),
        .kv_rank = at_least_zero(m->kv_rank),
        .rope_dim = at_least_zero(m->rope_dim),
        .value_dim = at_least_zero(m->value_dim),
        .decoder_layers = at_least_zero(m->decoder_layers),
        .patch = at_least_zero(m->patch),
        .resolution = at_least_zero(m->resolution),
        .stated_params = m->params_b * 1e9,
        .note = shown_note(m->fact.notes),
    };

    a.kind = str_eq(m->kind, STR("encoder"))           ? ARCH_ENCODER
             : str_eq(m->kind, STR("encoder-decoder")) ? ARCH_ENCODER_DECODER
             : str_eq(m->kind, STR("vit"))             ? ARCH_VIT
                                                       : ARCH_DECODER;
    arch_apply_family(&a, m->name);
    return a;
}

struct arch arch_of_image_model(const struct image_model *m)
{
    return (struct arch){
        .name = m->name,
        .kind = ARCH_IMAGE,
        .resolution = m->resolution,
        .image_params = m->params_m * 1e6,
        .forward_flop = m->forward_gflop * 1e9,
        .saved_elements = m->saved_melem * 1e6,
        .output_elements = m->output_melem * 1e6,
        .operations = m->ops,
        .depthwise_share = isnan(m->depthwise_share) ? 0 : m->depthwise_share,
        .group_width = m->group_width >= 1 ? m->group_width : 1,
        .group_kernel = m->group_kernel >= 1 ? m->group_kernel : 3,
        .layered = m->layered,
        .adapters = at_least_zero(m->adapters),
        .shape_rate = m->shape_rate > 0 ? m->shape_rate : 0,
        .text_params = m->text_params_m > 0 ? m->text_params_m * 1e6 : 0,
        .stated_params = m->params_m * 1e6,
        .note = shown_note(m->fact.notes),
    };
}

struct arch arch_of_lstm(int64_t hidden, int64_t layers, int64_t input)
{
    return (struct arch){
        .name = STR("lstm"),
        .kind = ARCH_LSTM,
        .hidden = hidden,
        .layers = layers,
        .input = input,
        .stated_params = NAN,
    };
}

double arch_attention_params(const struct arch *a)
{
    double h = (double)a->hidden, d = (double)a->head_dim, q = (double)a->heads;

    if (a->kv_rank > 0) { /* latent attention: queries and keys pass a narrow middle */
        double rank = (double)a->kv_rank, rope = (double)a->rope_dim;
        double queries = q * (d + rope), value = (double)a->value_dim;
        double query = a->q_rank > 0 ? (double)a->q_rank * (h + queries) : h * queries;

        return query + h * (rank + rope) + rank * q * (d + value) + q * value * h;
    }
    return h * d * (2 * q + 2 * (double)a->kv_heads);
}

static double ffn_params(const struct arch *a, double width)
{
    return (a->gated ? 3 : 2) * (double)a->hidden * width;
}

double arch_dense_ffn_params(const struct arch *a)
{
    return ffn_params(a, (double)a->ffn);
}

/* Norms and biases: a thousandth of the rest, but people compare totals. */
static double small_params(const struct arch *a, bool dense)
{
    double h = (double)a->hidden, d = (double)a->head_dim;
    double norms = a->bias_all ? 4 * h : 2 * h; /* LayerNorm has a bias, RMSNorm none */
    double biases = 0;

    if (a->bias_qkv)
        biases += d * (double)(a->heads + 2 * a->kv_heads);
    if (a->bias_all)
        biases += h + (dense ? (double)a->ffn * (a->gated ? 2 : 1) + h : 0);
    return norms + biases;
}

static struct arch_params count_lstm(const struct arch *a)
{
    double h = (double)a->hidden, gates = 4 * h;
    double first = gates * ((double)a->input + h + 2);
    double later = gates * (2 * h + 2) * (double)(a->layers - 1);
    double head = h + 1;
    double total = first + later + head;

    return (struct arch_params){
        .ffn = first + later, .head = head, .total = total, .active = total, .matmul = total};
}

double arch_full_share(const struct arch *a)
{
    int64_t attention = a->layers - arch_layers_without_attention(a);

    if (a->window == 0)
        return 1;
    if (a->full_layers > 0 && attention > 0)
        return fmin(1, (double)a->full_layers / (double)attention);
    return a->full_every > 0 ? 1.0 / (double)a->full_every : 0;
}

int64_t arch_layers_without_attention(const struct arch *a)
{
    return a->mixers_beside ? 0 : a->mixer_layers;
}

double arch_mixer_share(const struct arch *a)
{
    return (double)a->mixer_layers / (double)(a->layers + a->decoder_layers);
}

double arch_share_without_attention(const struct arch *a)
{
    return a->mixers_beside ? 0 : arch_mixer_share(a);
}

static double count_layers(const struct arch *a, struct arch_params *p)
{
    double layers = (double)(a->layers + a->decoder_layers);
    double dense = a->experts > 0 ? (double)a->dense_layers : layers;
    double sparse = layers - dense, active = 0;

    p->attention =
        arch_attention_params(a) * (layers - (double)arch_layers_without_attention(a)) +
        a->mixer_params * (double)a->mixer_layers;
    /* A decoder beside an encoder looks at it too. */
    p->attention += arch_attention_params(a) * (double)a->decoder_layers;
    p->ffn = arch_dense_ffn_params(a) * dense + ffn_params(a, (double)a->shared_ffn) * sparse;
    p->experts = ffn_params(a, (double)a->expert_ffn) * (double)a->experts * sparse;
    p->other = small_params(a, true) * dense + small_params(a, false) * sparse +
               (double)(a->experts * a->hidden) * sparse +
               (double)a->hidden * (a->bias_all ? 2 : 1);
    if (a->experts > 0)
        active = p->experts / (double)a->experts * (double)a->active_experts;
    return active;
}

struct arch_params arch_count(const struct arch *a)
{
    struct arch_params p = {0};
    double h = (double)a->hidden, vocab = (double)a->vocab, active;

    if (a->kind == ARCH_LSTM)
        return count_lstm(a);
    if (a->kind == ARCH_IMAGE) {
        p.total = p.active = p.matmul = p.ffn = a->image_params;
        return p;
    }
    active = count_layers(a, &p);
    if (a->kind == ARCH_VIT) {
        p.embedding = (double)(3 * a->patch * a->patch + 1) * h;
        p.other += (double)(arch_patches(a) + 1) * h;
        p.head = vocab * h;
    } else {
        p.embedding = vocab * h;
        p.head = a->tied ? 0 : vocab * h;
        p.other += (double)a->positions * h;
    }
    p.total = p.embedding + p.head + p.attention + p.ffn + p.experts + p.other;
    p.active = p.total - p.experts + active;
    p.matmul = p.attention + p.ffn + active + vocab * h;
    if (a->kind == ARCH_VIT)
        p.matmul = p.attention + p.ffn + p.embedding;
    return p;
}

bool arch_is_other(const struct arch *a)
{
    return a->kind == ARCH_IMAGE || a->kind == ARCH_LSTM;
}

bool arch_counts_samples(const struct arch *a)
{
    return arch_is_other(a) || a->kind == ARCH_VIT;
}

int64_t arch_patches(const struct arch *a)
{
    int64_t side = a->patch > 0 ? a->resolution / a->patch : 0;

    return side * side + 1;
}

/* "lstm-h512-l2", "lstm-h512-l2-i64": h hidden, l layers, i inputs. */
static bool lstm_named(struct str name, struct arch *out)
{
    int64_t hidden = 0, layers = 1, input = 0;

    if (!str_eq_nocase(str_cut(&name, '-'), STR("lstm")))
        return false;
    while (name.len > 0) {
        struct str part = str_cut(&name, '-');
        struct str digits = {part.at + 1, part.len - 1};
        int64_t n;

        if (part.len < 2 || !num_int(digits, &n) || n < 1)
            return false;
        if (part.at[0] == 'h')
            hidden = n;
        else if (part.at[0] == 'l')
            layers = n;
        else if (part.at[0] == 'i')
            input = n;
        else
            return false;
    }
    *out = arch_of_lstm(hidden, layers, input > 0 ? input : 64);
    return hidden > 0;
}

/* Of a name that says nothing, the format that the model is published in: "gpt-oss-20b-bf16" is
 * a copy that someone has unpacked. */
static bool take_stored_of_name(struct str name, const struct model *m, struct arch *out,
                                struct error *err)
{
    static const char *const unpacked[] = {"bf16", "fp16", "-16bit", NULL};

    out->quantized = weights_of_name(name, &out->stored);
    if (out->quantized || m->weights.len == 0 || str_has_any(name, unpacked))
        return true;
    if (!weights_of(m->weights, &out->stored)) {
        error_set(err, ERROR_INPUT, "models: '%.*s' of %.*s is not a format of weights",
                  STR_ARG(m->weights), STR_ARG(m->name));
        error_hint(err, "write fp8, mxfp4, int4, or nothing for 16 bits");
        return false;
    }
    out->quantized = out->native = true;
    return true;
}

bool arch_named(const struct catalog *catalog, struct str name, struct arch *out,
                struct error *err)
{
    const struct model *m = model_find(catalog, name);
    const struct image_model *image = m == NULL ? image_model_find(catalog, name) : NULL;
    const struct unmodeled *other;
    struct suggestion s = {.wanted = name};

    if (m != NULL)
        *out = arch_of_model(m);
    else if (image != NULL)
        *out = arch_of_image_model(image);
    if (m != NULL && !take_stored_of_name(name, m, out, err))
        return false;
    if (m != NULL || image != NULL)
        return true;
    if (lstm_named(name, out)) {
        out->name = name;
        return arch_check(out, err);
    }
    other = unmodeled_find(name);
    if (other != NULL) {
        error_set(err, ERROR_ABSENT, "'%.*s' is not modeled: %s", STR_ARG(name), other->reason);
        error_hint(err, "%s", other->instead);
        return false;
    }
    model_suggest(catalog, &s);
    error_set(err, ERROR_ABSENT, "there is no model '%.*s'", STR_ARG(name));
    if (s.best.len > 0)
        error_hint(err, "did you mean '%.*s'? 'stint catalog show models' lists them",
                   STR_ARG(s.best));
    else
        error_hint(err,
                   "'stint catalog show models' lists them; or give params: 7B, or the path of "
                   "a config.json");
    return false;
}

/* Shapes that models of the size have: depth and width grow together, heads are 128 wide. */
bool arch_of_size(double params, struct arch *out, struct error *err)
{
    static const struct {
        int64_t layers, hidden;
    } shapes[] = {{4, 256},   {6, 512},   {12, 768},   {24, 1024},   {24, 1536},
                  {24, 2048}, {32, 2560}, {32, 4096},  {40, 5120},   {48, 6144},
                  {60, 6656}, {80, 8192}, {96, 12288}, {126, 16384}, {128, 20480}};
    double best = INFINITY;

    if (!(params >= 1e6 && params <= 5e12)) {
        error_set(err, ERROR_INPUT, "a model of %s parameters is outside 1M to 5T",
                  num_about(params).text);
        return false;
    }
    for (size_t i = 0; i < ARRAY_LEN(shapes); i++) {
        int64_t h = shapes[i].hidden;
        struct arch a = {.name = STR("decoder of that size"),
                         .kind = ARCH_DECODER,
                         .assumed = true,
                         .layers = shapes[i].layers,
                         .hidden = h,
                         .head_dim = h >= 2048 ? 128 : 64,
                         .vocab = 32000,
                         .gated = true,
                         .tied = h < 2048,
                         .context = 4096,
                         .stated_params = params};
        double missing;

        a.heads = a.kv_heads = h / a.head_dim;
        a.ffn = (h * 8 / 3 + 127) / 128 * 128;
        missing = params - arch_count(&a).total;
        /* The width is right to a factor; the depth makes up the rest. */
        a.layers += llround(missing / (arch_attention_params(&a) + arch_dense_ffn_params(&a)));
        if (a.layers < 1)
            a.layers = 1;
        missing = fabs(log(arch_count(&a).total / params)) +
                  0.1 * fabs(log((double)a.layers / (double)shapes[i].layers));
        if (missing < best) {
            best = missing;
            *out = a;
        }
    }
    return true;
}

static bool bad(struct error *err, const struct arch *a, const char *what, int64_t n)
{
    error_set(err, ERROR_INPUT, "model '%.*s': %s (%lld)", STR_ARG(a->name), what,
              (long long)n);
    return false;
}

/* What may be 0, and must not be absurd: products of any two stay far from overflow. */
static bool check_bounds(const struct arch *a, struct error *err)
{
    const struct {
        const char *what;
        int64_t n, most;
    } bounds[] = {
        {"decoder_layers must be 0 to 10000", a->decoder_layers, 10000},
        {"dense_layers must be 0 to 10000", a->dense_layers, 10000},
        {"shared_ffn must be 0 to 100000000", a->shared_ffn, 100000000},
        {"positions must be 0 to 100000000", a->positions, 100000000},
        {"context must be 0 to 1000000000", a->context, 1000000000},
        {"window must be 0 to 1000000000", a->window, 1000000000},
        {"full_every must be 0 to 10000", a->full_every, 10000},
        {"full_layers must be 0 to the layers", a->full_layers, a->layers},
        {"mixer_layers must be 0 to the layers", a->mixer_layers, a->layers},
        {"q_rank must be 0 to 100000000", a->q_rank, 100000000},
        {"kv_rank must be 0 to 100000000", a->kv_rank, 100000000},
        {"rope_dim must be 0 to 100000000", a->rope_dim, 100000000},
        {"value_dim must be 0 to 100000000", a->value_dim, 100000000},
    };

    for (size_t i = 0; i < ARRAY_LEN(bounds); i++)
        if (bounds[i].n < 0 || bounds[i].n > bounds[i].most)
            return bad(err, a, bounds[i].what, bounds[i].n);
    return true;
}

static bool check_experts(const struct arch *a, struct error *err)
{
    if (a->experts < 0 || a->experts > 65536 || a->active_experts < 0 ||
        a->active_experts > a->experts)
        return bad(err, a, "active_experts must not be more than experts", a->active_experts);
    if (a->experts > 0 && (a->expert_ffn < 1 || a->expert_ffn > 64 * WIDEST ||
                           a->active_experts < 1 || a->dense_layers > a->layers))
        return bad(err, a, "experts need active_experts and expert_ffn", a->expert_ffn);
    return true;
}

bool arch_check(const struct arch *a, struct error *err)
{
    const int64_t widest = WIDEST, most_layers = 10000;

    if (a->kind == ARCH_IMAGE)
        return true;
    if (a->layers < 1 || a->layers > most_layers)
        return bad(err, a, "layers must be 1 to 10000", a->layers);
    if (a->hidden < 1 || a->hidden > widest)
        return bad(err, a, "hidden must be 1 to 1048576", a->hidden);
    if (a->kind == ARCH_LSTM)
        return a->input >= 1 && a->input <= widest
                   ? true
                   : bad(err, a, "input must be 1 to 1048576", a->input);
    if (a->heads < 1 || a->heads > 65536)
        return bad(err, a, "heads must be 1 to 65536", a->heads);
    if (a->head_dim < 1 || a->head_dim > 65536)
        return bad(err, a, "heads do not divide hidden", a->hidden);
    if (a->kv_heads < 1 || a->heads % a->kv_heads != 0)
        return bad(err, a, "kv_heads do not divide heads", a->kv_heads);
    if (a->vocab < 1 || a->vocab > 100000000)
        return bad(err, a, "vocab must be 1 to 100000000", a->vocab);
    if (a->ffn < 0 || a->ffn > 64 * widest || (a->ffn == 0 && a->experts == 0))
        return bad(err, a, "ffn must be 1 to 67108864", a->ffn);
    if (a->kind == ARCH_VIT &&
        (a->patch < 1 || a->resolution < a->patch || a->resolution > 65536))
        return bad(err, a, "a patch must fit the resolution", a->patch);
    return check_experts(a, err) && check_bounds(a, err);
}
