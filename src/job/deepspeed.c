/* A DeepSpeed configuration: what it sets about memory and speed goes into the
 * job. */
#include "base/num.h"
#include "job/keys.h"

struct reading {
    const struct node *root;
    struct job *job;
    struct arena *arena;
};

/* "auto" leaves it to the trainer, so it is unknown. DeepSpeed itself does not know the word:
 * the trainer is Hugging Face's. */
static bool has_auto(const struct node *node)
{
    if (node->kind == NODE_SCALAR)
        return str_eq_nocase(node->text, STR("auto"));
    for (const struct node *part = node->first; part != NULL; part = part->next)
        if (has_auto(part))
            return true;
    return false;
}

static const struct node *deepspeed_value_at(const struct node *root, const char *path)
{
    const struct node *node = node_at(root, path);

    return node != NULL && str_eq_nocase(node->text, STR("auto")) ? NULL : node;
}

static bool is_true(const struct node *root, const char *path)
{
    const struct node *node = deepspeed_value_at(root, path);

    return node != NULL && str_eq_nocase(node->text, STR("true"));
}

/* Numbers, and the keys of a job that they are. */
static const struct {
    const char *path, *key;
} numbers[] = {
    {"train_batch_size", "global_batch"},
    {"train_micro_batch_size_per_gpu", "micro_batch"},
    {"gradient_accumulation_steps", "accumulation"},
    {"zero_optimization.stage", "parallel.zero"},
    {"zero_optimization.zero_hpz_partition_size", "parallel.shard"},
    {"zero_optimization.mics_shard_size", "parallel.shard"},
    {"tensor_parallel.autotp_size", "parallel.tensor"},
    {"pipeline.stages", "parallel.pipeline"},
    {"sequence_parallel_size", "parallel.context"},
};

static bool set_deepspeed_key(const struct reading *r, const char *path, const char *key,
                              struct str value, struct error *err)
{
    if (job_set(r->job, str_from(key), value, r->arena, err))
        return true;
    if (err->kind != ERROR_MEMORY)
        error_context(err, "%s", path);
    return false;
}

static bool take_deepspeed_numbers(const struct reading *r, struct error *err)
{
    for (size_t i = 0; i < ARRAY_LEN(numbers); i++) {
        const struct node *node = deepspeed_value_at(r->root, numbers[i].path);
        int64_t n;

        if (node == NULL)
            continue;
        if (node->kind != NODE_SCALAR || !num_int(node->text, &n))
            return error_fail(err, ERROR_INPUT, "%s: '%.*s' is not a whole number",
                              numbers[i].path, STR_ARG(node->text));
        /* A partition of 0 or 1, or -1 for MiCS, is none. */
        if (n <= 1 && str_eq(str_from(numbers[i].key), STR("parallel.shard")))
            continue;
        if (!set_deepspeed_key(r, numbers[i].path, numbers[i].key, node->text, err))
            return false;
    }
    return true;
}

static bool take_precision(const struct reading *r, struct error *err)
{
    bool fp16 = is_true(r->root, "fp16.enabled");
    bool bf16 = is_true(r->root, "bf16.enabled") || is_true(r->root, "bfloat16.enabled");
    bool amp = is_true(r->root, "amp.enabled");

    if (fp16 + bf16 + amp > 1) {
        error_set(err, ERROR_INPUT, "more than one of fp16, bf16 and amp is enabled");
        error_hint(err, "DeepSpeed refuses this too: enable one of them");
        return false;
    }
    if (bf16)
        return set_deepspeed_key(r, "bf16", "precision", STR("bf16"), err);
    if (fp16) /* DeepSpeed keeps fp16 weights and an fp32 copy: no autocast */
        return set_deepspeed_key(r, "fp16", "precision", STR("fp16-master"), err);
    return !amp || set_deepspeed_key(r, "amp", "precision", STR("amp-fp16"), err);
}

static struct str deepspeed_device(const struct reading *r, const char *path)
{
    const struct node *node = deepspeed_value_at(r->root, path);

    return node != NULL ? node->text : STR("none");
}

static bool take_offload(const struct reading *r, struct error *err)
{
    static const char *const devices[] = {"none", "cpu", "nvme", NULL};
    enum { NONE, CPU, NVME };
    struct str weights = deepspeed_device(r, "zero_optimization.offload_param.device");
    struct str states = deepspeed_device(r, "zero_optimization.offload_optimizer.device");
    int of_weights = choice_of(devices, weights), of_states = choice_of(devices, states);
    const char *offload = NULL;

    if (of_weights < 0 || of_states < 0)
        return error_fail(err, ERROR_INPUT,
                          "zero_optimization: '%.*s' is not a device to offload to: cpu, nvme "
                          "or none",
                          STR_ARG(of_weights < 0 ? weights : states));
    if (is_true(r->root, "zero_optimization.cpu_offload")) /* as older files say it */
        of_states = CPU;
    if (of_weights == NVME || of_states == NVME)
        offload = "nvme";
    else if (of_weights == CPU)
        offload = "all";
    else if (of_states == CPU)
        offload = "optimizer";
    return offload == NULL || set_deepspeed_key(r, "zero_optimization", "parallel.offload",
                                                str_from(offload), err);
}

static bool take_zero(const struct reading *r, struct error *err)
{
    /* The oldest files have a word where newer ones have a section. */
    if (is_true(r->root, "zero_optimization"))
        return set_deepspeed_key(r, "zero_optimization", "parallel.zero", STR("1"), err);
    return take_offload(r, err);
}

static bool take_optimizer(const struct reading *r, struct error *err)
{
    const struct node *type = deepspeed_value_at(r->root, "optimizer.type");

    if (type == NULL)
        return true;
    if (type->kind != NODE_SCALAR)
        return error_fail(err, ERROR_INPUT, "optimizer.type: expected a name");
    return set_deepspeed_key(r, "optimizer.type", "optimizer", type->text, err);
}

/* Layers that the file does not split are not split, and what it does not offload stays. */
static void close_open(struct job_parallel *p)
{
    int64_t *degrees[] = {&p->tensor, &p->pipeline, &p->context, &p->expert};

    for (size_t i = 0; i < ARRAY_LEN(degrees); i++)
        if (*degrees[i] < 1)
            *degrees[i] = 1;
    if (p->offload.len == 0)
        p->offload = STR("none");
}

static bool take_all(const struct reading *r, struct error *err)
{
    const struct node *section = deepspeed_value_at(r->root, "activation_checkpointing");

    close_open(&r->job->train.parallel);
    if (!take_deepspeed_numbers(r, err) || !take_precision(r, err) || !take_zero(r, err) ||
        !take_optimizer(r, err))
        return false;
    /* The section configures what the model's code switches on; it is not written without
     * that. */
    if (section != NULL && section->first != NULL &&
        !set_deepspeed_key(r, "activation_checkpointing", "recompute", STR("full"), err))
        return false;
    return r->job->train.framework.at != NULL ||
           set_deepspeed_key(r, "framework", "framework",
                             has_auto(r->root) ? STR("hf") : STR("deepspeed"), err);
}

bool job_deepspeed_node(const struct node *root, const char *name, struct job *job,
                        struct arena *arena, struct error *err)
{
    struct reading r = {.root = root, .job = job, .arena = arena};

    if (take_all(&r, err))
        return true;
    if (err->kind != ERROR_MEMORY)
        error_context(err, "%s", name);
    return false;
}

bool job_deepspeed(struct str text, const char *name, struct job *job, struct arena *arena,
                   struct error *err)
{
    struct job before = *job;
    const struct node *root;

    if (job->kind != JOB_TRAIN)
        return error_fail(err, ERROR_INPUT, "%s: a DeepSpeed file is for training", name);
    if (text.len > JOB_MAX)
        return error_fail(err, ERROR_INPUT, "%s: larger than 1 MB", name);
    root = json_read(text, name, arena, err);
    if (root == NULL)
        return false;
    if (root->kind != NODE_MAP)
        return error_fail(err, ERROR_INPUT, "%s: expected keys and values", name);
    if (job_deepspeed_node(root, name, job, arena, err))
        return true;
    *job = before;
    return false;
}
