/* Layers that keep a state instead of keys and values: Mamba, linear attention. Which layers of
 * a Hugging Face config.json they are, what they weigh, and how large the state is. */
#include "job/hf_mixers.h"

#include <math.h>

#include "base/num.h"
#include "job/keys.h"

#define NUMBER_MAX INT64_C(10000000)

/* 0 when it is absent, or no number that could be meant. */
static double number_at(const struct node *config, const char *key)
{
    const struct node *node = node_at(config, key);
    int64_t n;

    if (node == NULL || node->kind != NODE_SCALAR || !num_int(node->text, &n) || n < 0 ||
        n > NUMBER_MAX)
        return 0;
    return (double)n;
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
    double period = number_at(config, "attn_layer_period");
    double interval = number_at(config, "full_attention_interval");
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
            count += fmod((double)i, period) == number_at(config, "attn_layer_offset");
    else if (interval > 1)
        count = (int64_t)((double)a->layers / interval);
    else
        return a->layers;
    return count;
}

/* Mamba 2: heads with a state each; in one product the gate, the input, B, C and the steps. */
static void read_mamba2(const struct node *config, double heads, struct arch *a)
{
    double h = (double)a->hidden, state = number_at(config, "mamba_d_state");
    double inner = heads * number_at(config, "mamba_d_head");
    double groups = fmax(1, number_at(config, "mamba_n_groups"));
    double kernel = number_at(config, "mamba_d_conv"), conv = inner + 2 * groups * state;

    a->mixer_params = h * (inner + conv + heads) + conv * (kernel + 1) + inner * h + inner;
    a->mixer_state = inner * state + conv * kernel;
}

static void read_mamba1(const struct node *config, struct arch *a)
{
    double h = (double)a->hidden, inner = h * fmax(1, number_at(config, "mamba_expand"));
    double state = number_at(config, "mamba_d_state"),
           rank = number_at(config, "mamba_dt_rank");
    double kernel = number_at(config, "mamba_d_conv");

    if (rank == 0) /* "auto" */
        rank = ceil(h / 16);
    a->mixer_params = h * 3 * inner + inner * (rank + 2 * state) + rank * inner +
                      inner * (state + kernel + 3);
    a->mixer_state = inner * (state + kernel);
}

/* Gated delta net: a matrix for each head of values. */
static void read_delta_net(const struct node *config, double heads, struct arch *a)
{
    double h = (double)a->hidden, key = number_at(config, "linear_key_head_dim");
    double value = number_at(config, "linear_value_head_dim");
    double keys = key * number_at(config, "linear_num_key_heads"), values = value * heads;
    double kernel = number_at(config, "linear_conv_kernel_dim"), conv = 2 * keys + values;

    a->mixer_params = h * (conv + values + 2 * heads) + conv * kernel + values * h;
    a->mixer_state = heads * key * value + conv * kernel;
}

void read_mixers(const struct node *config, struct arch *a)
{
    int64_t attention = attention_layers(config, a);
    double mamba = number_at(config, "mamba_n_heads");
    double linear = number_at(config, "linear_num_value_heads");

    if (attention >= a->layers || a->kind != ARCH_DECODER)
        return;
    a->mixer_layers = a->layers - attention;
    if (mamba > 0)
        read_mamba2(config, mamba, a);
    else if (number_at(config, "mamba_d_state") > 0)
        read_mamba1(config, a);
    else if (linear > 0)
        read_delta_net(config, linear, a);
    else { /* as heavy as attention, with a matrix for each head */
        a->mixer_params = arch_attention_params(a);
        a->mixer_state = (double)(a->heads * a->head_dim * a->head_dim);
    }
}
