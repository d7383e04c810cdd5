#include "job/tool_other.h"

#include "job/keys.h"
#include "job/tool_value.h"

#define HOW " --tokens 25M (or --examples N), and --method lora or qlora for adapters"

/* Documents that have all these keys. `model` is where the model's name is. */
static const struct other {
    const char *name, *keys[3], *model;
    const char *hint; /* instead of the usual one */
} others[] = {
    {"Ludwig's configuration", {"input_features"}, "base_model", NULL},
    {"Ludwig's configuration", {"base_model", "trainer", "quantization"}, "base_model", NULL},
    {"AutoTrain's configuration", {"base_model", "task", "params"}, "base_model", NULL},
    {"Oumi's configuration", {"model.model_name", "training"}, "model.model_name", NULL},
    {"llm-foundry's configuration",
     {"model", "max_duration"},
     "model.pretrained_model_name_or_path",
     NULL},
    {"MLX-LM's configuration", {"model", "iters"}, "model", NULL},
    {"MLX-LM's configuration", {"model", "fine_tune_type"}, "model", NULL},
    {"ms-swift's configuration", {"model", "train_type"}, "model", NULL},
    {"ms-swift's configuration", {"model", "tuner_type"}, "model", NULL},
    {"torchtitan's configuration", {"flavor", "seq_len"}, NULL, NULL},
    {"torchtitan's configuration", {"flavor", "local_batch_size"}, NULL, NULL},
    {"SimpleTuner's configuration",
     {"model_family", "model_type"},
     "pretrained_model_name_or_path",
     NULL},
    {"SimpleTuner's configuration",
     {"--model_family"},
     "--pretrained_model_name_or_path",
     NULL},
    {"OneTrainer's configuration",
     {"training_method", "base_model_name"},
     "base_model_name",
     NULL},
    {"AI Toolkit's configuration", {"job", "config.process"}, NULL, NULL},
    {"Detectron2's configuration", {"MODEL", "SOLVER"}, NULL, NULL},
    {"Lightning's configuration", {"trainer", "model.class_path"}, NULL, NULL},
    {"a DeepSpeed configuration",
     {"zero_optimization"},
     NULL,
     "give it beside the model: stint estimate llama-2-7b --deepspeed FILE"},
    {"a DeepSpeed configuration",
     {"train_micro_batch_size_per_gpu"},
     NULL,
     "give it beside the model: stint estimate llama-2-7b --deepspeed FILE"},
    {"the data set of ultralytics",
     {"names", "train", "val"},
     NULL,
     "give the file of the training (args.yaml), or: stint estimate yolov8n --images 5000"},
    {"a SkyPilot task",
     {"resources", "run"},
     NULL,
     "give the training's own configuration, or: stint estimate MODEL --tokens 25M"},
    {"a Kubernetes manifest",
     {"apiVersion", "kind"},
     NULL,
     "give the training's own configuration, or: stint estimate MODEL --tokens 25M"},
};

static const struct other *other_of(const struct node *root)
{
    for (size_t i = 0; root->kind == NODE_MAP && i < ARRAY_LEN(others); i++) {
        size_t found = 0;

        while (found < ARRAY_LEN(others[i].keys) && others[i].keys[found] != NULL &&
               node_at(root, others[i].keys[found]) != NULL)
            found++;
        if (found == ARRAY_LEN(others[i].keys) || others[i].keys[found] == NULL)
            return &others[i];
    }
    return NULL;
}

/* Ours has a section `train` or `infer`; in those of others it is a switch or a path. */
static bool is_stint_job(const struct node *root)
{
    const struct node *train = node_get(root, STR("train")),
                      *infer = node_get(root, STR("infer"));

    return (train != NULL && train->kind == NODE_MAP) ||
           (infer != NULL && infer->kind == NODE_MAP);
}

bool tool_is_other(const struct node *root)
{
    return root->kind == NODE_MAP && !is_stint_job(root) && other_of(root) != NULL;
}

bool tool_refuse_other(const struct node *root, const char *name, struct error *err)
{
    const struct other *other = tool_is_other(root) ? other_of(root) : NULL;
    const struct node *model;

    if (other == NULL)
        return true;
    model = other->model != NULL ? node_at(root, other->model) : NULL;
    error_set(err, ERROR_INPUT, "%s: this is %s, which is not read", name, other->name);
    if (other->hint != NULL)
        error_hint(err, "%s", other->hint);
    else if (model != NULL && model->kind == NODE_SCALAR && !tool_is_template(model->text))
        error_hint(err, "stint estimate %.*s" HOW, STR_ARG(model->text));
    else
        error_hint(err, "name the model: stint estimate llama-3-8b" HOW);
    return false;
}

/* NeMo-Run's recipes call "llm.llama3_8b.pretrain_recipe(...)": the name in the call. */
static struct str recipe_of(struct str text)
{
    const struct str call = STR("llm.");

    for (size_t i = 0; i + call.len < text.len; i++) {
        struct str rest = {text.at + i + call.len, text.len - i - call.len}, name, after;

        if (!str_starts((struct str){text.at + i, text.len - i}, call))
            continue;
        name = str_cut(&rest, '.');
        after = str_cut(&rest, '(');
        if (name.len > 0 && name.len < 60 && str_ends(after, STR("_recipe")) && after.len < 60)
            return name;
    }
    return (struct str){0};
}

bool tool_refuse_program(struct str text, const char *name, struct arena *arena,
                         struct error *err)
{
    static const char *const endings[] = {".py", ".sh", ".ipynb", ".slurm", ".sbatch"};
    struct str recipe, model;

    for (size_t i = 0; i < ARRAY_LEN(endings); i++) {
        if (!str_ends(str_from(name), str_from(endings[i])))
            continue;
        recipe = recipe_of(text);
        error_set(err, ERROR_INPUT, "%s: this is a program, and only configurations are read",
                  name);
        if (recipe.len > 0 && tool_component_name(recipe, arena, &model, err))
            error_hint(err, "a NeMo recipe: stint estimate %.*s --tokens 25M --on H100x8",
                       STR_ARG(model));
        else if (err->kind == ERROR_INPUT)
            error_hint(err,
                       "name the model: stint estimate llama-3-8b --tokens 25M; or measure "
                       "it: stint run -- COMMAND");
        return false;
    }
    return true;
}
