/* The files of examples/, which tools/embed.sh puts into the program as they are. */
#include "demo/example.h"

#include <string.h>

#define EXAMPLES(EACH) \
    EACH(llama_7b_lora, "lora", "llama-7b-lora.yaml", "a LoRA of Llama 2 7B", \
         "stint plan llama-7b-lora.yaml") \
    EACH(llama_7b_finetune, "finetune", "llama-7b-finetune.yaml", \
         "full fine-tuning of LLaMA 7B", "stint plan llama-7b-finetune.yaml") \
    EACH(gpt2_pretrain, "pretrain", "gpt2-pretrain.yaml", \
         "GPT-2 from scratch on 10 billion tokens", "stint plan gpt2-pretrain.yaml") \
    EACH(gpt_13b_pretrain, "pretrain-13b", "gpt-13b-pretrain.yaml", \
         "GPT-3 13B from scratch on 300 billion tokens", "stint plan gpt-13b-pretrain.yaml") \
    EACH(bert_search, "search", "bert-search.yaml", \
         "a hyperparameter search: 50 trials of BERT-Large", "stint plan bert-search.yaml") \
    EACH(serve_8b, "serve", "serve-8b.yaml", "Llama 3.1 8B, 20 requests a second", \
         "stint plan serve-8b.yaml") \
    EACH(serve_70b, "serve-70b", "serve-70b.yaml", "Llama 3.1 70B, 20 requests a second", \
         "stint plan serve-70b.yaml") \
    EACH(sdxl_lora, "sdxl", "sdxl-lora.yaml", "an SDXL LoRA of a subject from 30 pictures", \
         "stint plan sdxl-lora.yaml") \
    EACH(face_lora, "face", "face-lora.yaml", "an SDXL LoRA of a face from 25 pictures", \
         "stint plan face-lora.yaml") \
    EACH(style_lora, "style", "style-lora.yaml", "an SDXL LoRA of a style from 40 pictures", \
         "stint plan style-lora.yaml") \
    EACH(lora_40_images, "images", "lora-40-images.yaml", "an SDXL LoRA, 4,000 samples", \
         "stint plan lora-40-images.yaml") \
    EACH(batch_7b, "batch", "batch-7b.yaml", "batch sizes of a 7B model on eight A100", \
         "stint estimate batch-7b.yaml --on A100-80GBx8 --sweep batch=1,2,4") \
    EACH(zero_7b, "zero", "zero-7b.yaml", "stages of ZeRO, a 7B model on eight A100", \
         "stint estimate zero-7b.yaml --on A100-80GBx8 --sweep zero=0..3") \
    EACH(nodes_7b, "nodes", "nodes-7b.yaml", "a 7B model on one, two or four machines", \
         "stint estimate nodes-7b.yaml --on A100-80GBx8 --sweep gpus=8,16,32") \
    EACH(offload_13b, "offload", "offload-13b.yaml", "a 13B model: offload, or more GPUs", \
         "stint plan offload-13b.yaml --explain") \
    EACH(deepspeed_zero3, "deepspeed", "deepspeed-zero3.json", \
         "DeepSpeed's configuration, ZeRO 3 with offload", \
         "stint estimate llama-2-7b --tokens 100M --deepspeed deepspeed-zero3.json " \
         "--on A100x8") \
    EACH(axolotl, "axolotl", "tools/axolotl.yml", "axolotl's configuration, QLoRA of 8B", \
         "stint plan axolotl.yml --examples 20k") \
    EACH(llama_factory, "llama-factory", "tools/llama-factory.yaml", \
         "LLaMA-Factory's configuration", "stint plan llama-factory.yaml") \
    EACH(torchtune, "torchtune", "tools/torchtune.yaml", "torchtune's configuration", \
         "stint plan torchtune.yaml --tokens 10M") \
    EACH(litgpt, "litgpt", "tools/litgpt.yaml", "LitGPT's configuration", \
         "stint plan litgpt.yaml --examples 20k") \
    EACH(nemo, "nemo", "tools/nemo.yaml", "NeMo's configuration", "stint plan nemo.yaml") \
    EACH(ultralytics, "ultralytics", "tools/ultralytics.yaml", "ultralytics' configuration", \
         "stint plan ultralytics.yaml --examples 100k") \
    EACH(kohya, "kohya", "tools/kohya.toml", "kohya's sd-scripts configuration", \
         "stint plan kohya.toml") \
    EACH(kohya_window, "kohya-window", "tools/kohya-window.json", "what kohya's window saves", \
         "stint plan kohya-window.json") \
    EACH(training_args, "training-args", "tools/training-args.json", \
         "Hugging Face's TrainingArguments", \
         "stint plan training-args.json --set model=bert-base --examples 10k") \
    EACH(accelerate, "accelerate", "tools/accelerate.yaml", "accelerate's configuration", \
         "stint plan accelerate.yaml --set model=llama-2-13b --tokens 10M") \
    EACH(bill, "bill", "bill.csv", "a cloud bill of two teams, FOCUS 1.0", \
         "stint import bill.csv --dry-run") \
    EACH(allocation, "allocation", "allocation.yaml", "rules that allocate a bill to teams", \
         "stint allocation check allocation.yaml") \
    EACH(mlflow_runs, "mlflow", "mlflow-runs.csv", "runs of an MLflow server", \
         "stint import mlflow mlflow-runs.csv --gpu-price 1.29usd/hr --dry-run") \
    EACH(zones, "traces", "zones.trc", "traces of spot machines in three zones", \
         "stint simulate --traces zones.trc --work 24h --deadline 36h --delay 6min")

#define DECLARE(id, name, path, about, command) \
    extern const char stint_data_##id[], stint_data_##id##_end[];
#define ROW(id, name, path, about, command) \
    {name, path, about, command, stint_data_##id, stint_data_##id##_end},

EXAMPLES(DECLARE)

const struct example example_table[] = {EXAMPLES(ROW)};
const size_t example_count = ARRAY_LEN(example_table);

struct str example_text(const struct example *example)
{
    return (struct str){example->start, (size_t)(example->end - example->start)};
}

const char *example_file(const struct example *example)
{
    const char *slash = strrchr(example->path, '/');

    return slash != NULL ? slash + 1 : example->path;
}

/* "bert-search.yaml" is meant by "bert-search", and by itself. */
static bool is_example_named(const struct example *example, struct str name)
{
    struct str file = str_from(example_file(example));
    size_t stem = (size_t)(strrchr(file.at, '.') - file.at);

    return str_eq(name, str_from(example->name)) || str_eq(name, file) ||
           str_eq(name, (struct str){file.at, stem});
}

const struct example *example_find(struct str name, struct error *err)
{
    struct suggestion near = {.wanted = name};

    for (size_t i = 0; i < example_count; i++) {
        if (is_example_named(&example_table[i], name))
            return &example_table[i];
        suggestion_try(&near, str_from(example_table[i].name));
    }
    error_set(err, ERROR_ABSENT, "there is no example '%.*s'", STR_ARG(name));
    if (!suggestion_hint(&near, err))
        error_hint(err, "'stint example' lists them");
    return NULL;
}

bool examples_choose(struct strs names, const struct example **chosen, size_t *count,
                     struct error *err)
{
    *count = 0;
    for (size_t i = 0; names.len == 0 && i < example_count; i++)
        chosen[(*count)++] = &example_table[i];
    for (size_t i = 0; i < names.len; i++) {
        const struct example *found = example_find(names.at[i], err);
        bool again = false;

        if (found == NULL)
            return false;
        for (size_t k = 0; k < *count; k++)
            again = again || chosen[k] == found;
        if (!again)
            chosen[(*count)++] = found;
    }
    return true;
}
