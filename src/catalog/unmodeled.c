/* Models that people know and the catalog does not have: why, and what to ask about instead. */
#include "catalog/catalog.h"

#include "base/characters.h"

#define MEASURE "or give one measured rate in a job: 'measured: {gpu: A100, samples_s: 120}'"
#define STATE_SPACE "a state-space model keeps a state instead of attention"
#define CLOSED "its weights are not published, so it can only be rented by the token"
#define HOSTED \
    "'stint infer llama-3.1-8b --rate 1/s --api gpt-4o-mini' compares hosted models with " \
    "your own"
#define TABLES "its work is on tables, mostly on CPUs"

/* Patterns of folded names: lower case, letters and digits. */
static const struct unmodeled models[] = {
    {"gemma3n*", "its embeddings are a part of every layer",
     "gemma-3-4b does about the work of gemma-3n-e4b, gemma-3-1b and llama-3.2-1b less than "
     "gemma-3n-e2b; " MEASURE},
    {"mamba*", STATE_SPACE,
     "pythia-160m, pythia-1.4b and pythia-2.8b are transformers of its sizes; " MEASURE},
    {"rwkv*", STATE_SPACE, "llama-7b is a transformer of the 7B model's size; " MEASURE},
    {"retnet*", STATE_SPACE, "a transformer of its size is 'params: 7B'; " MEASURE},
    {"albert*", "all its layers share their weights",
     "bert-base does the work of albert-base with nine times the weights; " MEASURE},
    {"bark*", "it is three models, one after the other",
     "gpt2-medium has the layers of each of them; " MEASURE},
    {"seamlessm4t*", "it is a conformer, decoders of text and of sound, and a vocoder",
     "nllb-200-600m translates text alone, whisper-large-v3 writes down speech; " MEASURE},
    {"canary*", "it is a conformer with a decoder of text",
     "parakeet-tdt-0.6b is such an encoder, whisper-medium has a decoder; " MEASURE},
    {"florence2*", "its tower of pictures has attention over channels",
     "bart-large has the layers of the large model's text, bart-base those of the base "
     "model's; " MEASURE},
    {"kandinsky*", "its U-Net is not counted", "sdxl has a U-Net of about its size; " MEASURE},
    {"svd*", "its U-Net has layers over time, which are not counted",
     "sd-2.1 has the layers of one frame; " MEASURE},
    {"stablevideodiffusion*", "its U-Net has layers over time, which are not counted",
     "sd-2.1 has the layers of one frame; " MEASURE},
    {"animatediff*", "its layers over time are not counted",
     "sd-1.5 has the layers of one frame; " MEASURE},
    {"controlnet*", "half of a U-Net is copied and trained, the other is frozen",
     "sd-1.5, sd-2.1 and sdxl are the U-Nets without it; " MEASURE},
    {"stablediffusion", "it is a family of models", "name one: sd-1.5, sd-2.1 or sdxl"},
    {"gpt4all*", "it is a program that runs models of others", "name the model: llama-3.1-8b"},
    {"gpt4*", CLOSED, HOSTED},
    {"gpt5*", CLOSED, HOSTED},
    {"gpt35turbo*", CLOSED, HOSTED},
    {"chatgpt*", CLOSED, HOSTED},
    {"claude*", CLOSED, HOSTED},
    {"gemini*", CLOSED, HOSTED},
    {"lstm", "an LSTM is named by its shape",
     "lstm-h128-l2 has 2 layers of width 128, lstm-h512-l3 has 3 of 512"},
    {"gru*", "recurrent layers are counted with the four gates of an LSTM",
     "an LSTM of its shape does a third more: lstm-h256-l2 for gru-h256-l2"},
    {"rnn*", "recurrent layers are counted with the four gates of an LSTM",
     "an LSTM of its shape does four times as much: lstm-h256-l2"},
    {"dlrm*", "the tables that it looks things up in decide its cost", MEASURE},
    {"deepfm*", "the tables that it looks things up in decide its cost", MEASURE},
    {"wideanddeep*", "the tables that it looks things up in decide its cost", MEASURE},
    {"tabnet*", TABLES, MEASURE},
    {"fttransformer*", TABLES, MEASURE},
    {"tabpfn*", TABLES, MEASURE},
    {"xgboost*", TABLES, MEASURE},
    {"lightgbm*", TABLES, MEASURE},
    {"catboost*", TABLES, MEASURE},
    {"randomforest*", TABLES, MEASURE},
    {"patchtst*", "its shape is chosen for each data set",
     "give its shape in a job: 'model: {layers: 3, hidden: 128, heads: 16, ffn: 256, vocab: "
     "1}'; "
     "chronos-bolt-base and moirai-base are published ones"},
    {"gcn*", "the graph decides its work", MEASURE},
    {"gat", "the graph decides its work", MEASURE},
    {"graphsage*", "the graph decides its work", MEASURE},
    {"alphafold*", "attention over pairs of residues grows with the cube of their number",
     "esm2-650m and esm2-3b are models of proteins; " MEASURE},
    {"openfold*", "attention over pairs of residues grows with the cube of their number",
     "esm2-650m and esm2-3b are models of proteins; " MEASURE},
    {"esmfold*", "attention over pairs of residues grows with the cube of their number",
     "esm2-3b is its language model; " MEASURE},
};

const struct unmodeled *unmodeled_find(struct str name)
{
    char text[64];
    size_t len = 0;

    for (size_t i = 0; i < name.len; i++)
        if (name.at[i] == '/') {
            name.at += i + 1;
            name.len -= i + 1;
            i = (size_t)-1;
        }
    for (size_t i = 0; i < name.len && len < sizeof text; i++)
        if (is_letter_or_digit(name.at[i]))
            text[len++] = to_lower(name.at[i]);
    for (size_t i = 0; i < ARRAY_LEN(models); i++)
        if (str_glob((struct str){text, len}, str_from(models[i].pattern)))
            return &models[i];
    return NULL;
}
