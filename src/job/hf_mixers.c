/* Layers that keep a state instead of keys and values: Mamba, linear attention. Which layers of
 * a Hugging Face config.json they are, what they weigh, and how large the state is. */
#include "job/hf_mixers.h"

#include <math.h>
#include <string.h>

#include "base/num.h"
#include "job/keys.h"

#define NUMBER_MAX INT64_C(10000000)

/* 0 when it is absent, or no number that could be meant. */
static double hf_number_at(const struct node *config, const char *key)
{
    const struct node *node = node_at(config, key);
    int64_t n;

    if (node == NULL || node->kind != NODE_SCALAR || !num_int(node->text, &n) || n < 0 ||
        n > NUMBER_MAX)
        return 0;
    return (double)n;
}

/* Each family has its own word for the same number. */
static double either_at(const struct node *config, const char *key, const char *other)
{
    double n = hf_number_at(config, key);

    return n > 0 ? n : hf_number_at(config, other);
}

struct layer_kinds layer_kinds_of(const struct node *config)
{
    static const char *const lists[] = {"layer_types", "layers_block_type"};
    struct layer_kinds k = {0};

    for (size_t i = 0; i < ARRAY_LEN(lists) && k.listed == 0; i++) {
        const struct node *types = node_at(config, lists[i]);

        if (types == NULL || types->kind != NODE_LIST)
            continue;
        for (const struct node *n = types->first; n != NULL; n = n->next) {
            k.listed++;
            k.full +=
                str_eq(n->text, STR("full_attention")) || str_eq(n->text, STR("attention"));
            k.windowed += str_eq(n->text, STR("sliding_attention")) ||
                          str_eq(n->text, STR("chunked_attention"));
        }
    }
    return k;
}

/* Layers with attention, by the rule that the family has for it; all where there is none. */
static int64_t attention_layers(const struct node *config, const struct arch *a)
{
    struct layer_kinds k = layer_kinds_of(config);
    const struct node *indices = node_at(config, "attn_layer_indices");
    double period = hf_number_at(config, "attn_layer_period");
    double interval = hf_number_at(config, "full_attention_interval");
    int64_t count = 0;

    if (k.listed == a->layers)
        return k.full + k.windowed;
    if (indices != NULL && indices->kind == NODE_LIST) {
        for (const struct node *n = indices->first; n != NULL; n = n->next)
            count++;
        return count < a->layers ? count : a->layers;
    }
    if (period > 1)
        for (int64_t i = 0; i < a->layers; i++)
            count += fmod((double)i, period) == hf_number_at(config, "attn_layer_offset");
    else if (interval > 1)
        count = (int64_t)((double)a->layers / interval);
    else
        return a->layers;
    return count;
}

/* Mamba 2: heads with a state each; in one product the gate, the input, B, C and the steps. */
static void read_mamba2(const struct node *config, double heads, struct arch *a)
{
    double h = (double)a->hidden, state = either_at(config, "mamba_d_state", "ssm_state_size");
    double inner = heads * either_at(config, "mamba_d_head", "mamba_head_dim");
    double groups = fmax(1, either_at(config, "mamba_n_groups", "n_groups"));
    double kernel = either_at(config, "mamba_d_conv", "conv_kernel");
    double conv = inner + 2 * groups * state;

    a->mixer_params = h * (inner + conv + heads) + conv * (kernel + 1) + inner * h + inner;
    a->mixer_state = inner * state + conv * kernel;
}

static void read_mamba1(const struct node *config, struct arch *a)
{
    double h = (double)a->hidden, inner = h * fmax(1, hf_number_at(config, "mamba_expand"));
    double state = hf_number_at(config, "mamba_d_state"),
           rank = hf_number_at(config, "mamba_dt_rank");
    double kernel = hf_number_at(config, "mamba_d_conv");

    if (rank == 0) /* "auto" */
        rank = ceil(h / 16);
    a->mixer_params = h * 3 * inner + inner * (rank + 2 * state) + rank * inner +
                      inner * (state + kernel + 3);
    a->mixer_state = inner * (state + kernel);
}

/* Gated delta net: a matrix for each head of values. */
static void read_delta_net(const struct node *config, double heads, struct arch *a)
{
    double h = (double)a->hidden, key = hf_number_at(config, "linear_key_head_dim");
    double value = hf_number_at(config, "linear_value_head_dim");
    double keys = key * hf_number_at(config, "linear_num_key_heads"), values = value * heads;
    double kernel = hf_number_at(config, "linear_conv_kernel_dim"), conv = 2 * keys + values;

    a->mixer_params = h * (conv + values + 2 * heads) + conv * kernel + values * h;
    a->mixer_state = heads * key * value + conv * kernel;
}

/* Layers of Nemotron-H, which are one thing each. */
struct single_layers {
    int64_t mixers, attention, dense, sparse, other;
};

static void count_single_layers(struct single_layers *n, char kind)
{
    n->mixers += kind == 'M';
    n->attention += kind == '*';
    n->dense += kind == '-';
    n->sparse += kind == 'E';
    n->other += strchr("M*-E", kind) == NULL;
}

/* By a letter each, or by a list of words. */
static struct single_layers single_layers_of(const struct node *config)
{
    static const struct {
        const char *word;
        char kind;
    } words[] = {{"mamba", 'M'}, {"attention", '*'}, {"mlp", '-'}, {"moe", 'E'}};
    const struct node *letters = node_at(config, "hybrid_override_pattern"),
                      *list = node_at(config, "layers_block_type");
    struct single_layers n = {0};

    if (letters != NULL && letters->kind == NODE_SCALAR)
        for (size_t i = 0; i < letters->text.len; i++)
            count_single_layers(&n, letters->text.at[i]);
    else if (list != NULL && list->kind == NODE_LIST)
        for (const struct node *word = list->first; word != NULL; word = word->next) {
            char kind = '?';

            for (size_t i = 0; i < ARRAY_LEN(words); i++)
                if (str_eq(word->text, str_from(words[i].word)))
                    kind = words[i].kind;
            count_single_layers(&n, kind);
        }
    return n;
}

static int64_t scale_width(int64_t width, double by)
{
    double w = round((double)width * by);

    return w < (double)NUMBER_MAX ? (int64_t)w : NUMBER_MAX;
}

bool join_single_layers(const struct node *config, struct arch *a, struct error *err)
{
    struct single_layers n = single_layers_of(config);
    int64_t layers = n.mixers + n.attention;
    double latent = hf_number_at(config, "moe_latent_size");

    if (n.other > 0 || layers == 0 || n.dense + n.sparse == 0) {
        error_set(err, ERROR_INPUT,
                  "hybrid_override_pattern: layers must be M (Mamba), * "
                  "(attention), - (feed-forward) or E (experts)");
        error_hint(err, "copy the pattern from the model's config.json");
        return false;
    }
    a->layers = layers;
    a->mixer_layers = n.mixers;
    a->dense_layers = 0;
    if (n.sparse == 0) {
        a->experts = a->active_experts = a->expert_ffn = a->shared_ffn = 0;
        a->ffn = scale_width(a->ffn, (double)n.dense / (double)layers);
        return true;
    }
    if (latent > 0) /* experts that work in a narrower space */
        a->expert_ffn = scale_width(a->expert_ffn, latent / (double)a->hidden);
    if (n.sparse < layers) {
        a->dense_layers = layers - n.sparse;
        a->ffn = scale_width(a->ffn, (double)n.dense / (double)a->dense_layers);
    } else {
        a->expert_ffn = scale_width(a->expert_ffn, (double)n.sparse / (double)layers);
    }
    return true;
}

void read_mixers(const struct node *config, struct arch *a)
{
    double mamba = either_at(config, "mamba_n_heads", "mamba_num_heads");
    double linear = hf_number_at(config, "linear_num_value_heads");

    if (a->kind != ARCH_DECODER)
        return;
    if (a->mixers_beside)
        a->mixer_layers = a->layers;
    else if (a->mixer_layers == 0)
        a->mixer_layers = a->layers - attention_layers(config, a);
    if (a->mixer_layers <= 0)
        return;
    if (mamba > 0)
        read_mamba2(config, mamba, a);
    else if (hf_number_at(config, "mamba_d_state") > 0)
        read_mamba1(config, a);
    else if (linear > 0)
        read_delta_net(config, linear, a);
    else { /* as heavy as attention, with a matrix for each head */
        a->mixer_params = arch_attention_params(a);
        a->mixer_state = (double)(a->heads * a->head_dim * a->head_dim);
    }
}
