/* LoRA's targets, by the names that the modules of models have. */
#include "job/choices.h"

#define TARGETS_MAX 400 /* longer text is no list of modules */

static const struct {
    unsigned bits;
    const char *names[11]; /* ends with NULL */
} groups[] = {
    {TARGET_Q, {"q", "q-proj", "query", "to-q", "wq", NULL}},
    {TARGET_K, {"k", "k-proj", "key", "to-k", "wk", NULL}},
    {TARGET_V, {"v", "v-proj", "value", "to-v", "wv", NULL}},
    {TARGET_O,
     {"o", "o-proj", "out-proj", "to-out", "to-out.0", "dense", "proj", "projection", "wo",
      NULL}},
    {TARGET_Q | TARGET_V, {"qv", NULL}},
    {TARGET_Q | TARGET_K | TARGET_V,
     {"qkv", "wqkv", "c-attn", "qkv-proj", "query-key-value", NULL}},
    {TARGET_ATTENTION, {"qkvo", "attn", "attention", NULL}},
    {TARGET_FFN, {"mlp", "ffn", "gate-proj", "up-proj", "down-proj", "gate-up-proj", NULL}},
    {TARGET_FFN,
     {"fc1", "fc2", "c-fc", "w1", "w2", "w3", "dense-h-to-4h", "dense-4h-to-h", NULL}},
    {TARGET_ALL, {"all", "all-linear", "linear", NULL}},
};

static bool is_separator(char c)
{
    return c == ',' || c == '+' || c == ';' || c == ' ' || c == '/';
}

static unsigned bits_of(struct str name)
{
    for (size_t i = 0; i < ARRAY_LEN(groups); i++)
        if (choice_of(groups[i].names, name) >= 0)
            return groups[i].bits;
    return 0;
}

bool targets_of(struct str text, unsigned *out)
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
        bits = bits_of((struct str){text.at + from, to - from});
        if (bits == 0)
            return false;
        all |= bits;
    }
    if (all != 0)
        *out = all;
    return all != 0;
}
