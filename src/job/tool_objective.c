#include "job/tool_objective.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "job/keys.h"

#define OPENRLHF_GPUS 8      /* of each model, its default in `*_num_gpus_per_node` */
#define OPENRLHF_BATCH 1024  /* prompts of a rollout, likewise */
#define OPENRLHF_LENGTH 1024 /* tokens of a prompt, and of an answer, at most */

/* ---- which objective ---- */

/* Keys whose word is the objective. */
static const struct {
    enum job_tool tool;
    const char *path;
} named[] = {
    {JOB_TOOL_AXOLOTL, "rl"},
    {JOB_TOOL_LLAMA_FACTORY, "stage"},
    {JOB_TOOL_TRAINER, "trainer_type"},
    {JOB_TOOL_TRAINER, "training_type"},
    {JOB_TOOL_TRAINER, "rl"},
    {JOB_TOOL_OPENRLHF, "advantage_estimator"},
    {JOB_TOOL_VERL, "algorithm.adv_estimator"},
};

/* Keys that only one objective has; the first that is there counts. A guess: several have it,
 * and the one that most files are of is taken, with a warning. */
static const struct {
    enum job_tool tool;
    const char *path, *objective;
    bool guess;
} signs[] = {
    {JOB_TOOL_TRAINER, "desirable_weight", "kto", false},
    {JOB_TOOL_TRAINER, "rloo_k", "rloo", false},
    {JOB_TOOL_TRAINER, "num_generations", "grpo", false},
    {JOB_TOOL_TRAINER, "reward_funcs", "grpo", false},
    {JOB_TOOL_TRAINER, "num_ppo_epochs", "ppo", false},
    {JOB_TOOL_TRAINER, "sft_model_path", "ppo", false},
    {JOB_TOOL_TRAINER, "missing_eos_penalty", "ppo", true},
    {JOB_TOOL_TRAINER, "reward_model_path", "ppo", true},
    {JOB_TOOL_TRAINER, "kl_coef", "ppo", true},
    {JOB_TOOL_TRAINER, "response_length", "ppo", true},
    {JOB_TOOL_TRAINER, "ppo_epochs", "ppo", false},
    {JOB_TOOL_TRAINER, "center_rewards_coefficient", "reward", false},
    {JOB_TOOL_TRAINER, "precompute_ref_log_probs", "dpo", false},
    {JOB_TOOL_TRAINER, "rpo_alpha", "dpo", false},
    {JOB_TOOL_TRAINER, "ref_model_name_or_path", "dpo", true},
    {JOB_TOOL_TRAINER, "ref_model", "dpo", true},
    {JOB_TOOL_TRAINER, "beta", "dpo", true},
    {JOB_TOOL_TRAINER, "max_completion_length", "grpo", true},
    {JOB_TOOL_TRAINER, "max_prompt_length", "dpo", true},
    {JOB_TOOL_AXOLOTL, "reward_model", "reward", false},
    {JOB_TOOL_AXOLOTL, "process_reward_model", "reward", false},
    {JOB_TOOL_AXOLOTL, "trl.num_generations", "grpo", false},
    {JOB_TOOL_LLAMA_FACTORY, "pref_beta", "dpo", true},
    {JOB_TOOL_TORCHTUNE, "grpo_samples", "grpo", false},
    {JOB_TOOL_TORCHTUNE, "policy_model._component_", "ppo", false},
    {JOB_TOOL_TORCHTUNE, "reward_and_value_model._component_", "ppo", false},
    {JOB_TOOL_TORCHTUNE, "ref_policy_model._component_", "ppo", true},
    {JOB_TOOL_OPENRLHF, "vllm_num_engines", "ppo", false},
    {JOB_TOOL_OPENRLHF, "rollout_batch_size", "ppo", false},
    {JOB_TOOL_OPENRLHF, "n_samples_per_prompt", "ppo", false},
    {JOB_TOOL_OPENRLHF, "reward_pretrain", "ppo", false},
    {JOB_TOOL_OPENRLHF, "unpaired_preference", "kto", false},
    {JOB_TOOL_OPENRLHF, "ref_pretrain", "dpo", true},
    {JOB_TOOL_OPENRLHF, "beta", "dpo", true},
    {JOB_TOOL_OPENRLHF, "chosen_key", "reward", true},
    {JOB_TOOL_VERL, "actor_rollout_ref", "ppo", false},
    {JOB_TOOL_NEMO, "model.reward_model_type", "reward", false},
    {JOB_TOOL_NEMO, "model.dpo", "dpo", false},
    {JOB_TOOL_NEMO, "model.ppo", "ppo", false},
    {JOB_TOOL_NEMO, "model.grpo", "grpo", false},
};

static bool name_objective(struct tool_reading *r, const char *path, const struct node *node,
                           struct error *err)
{
    enum objective known;

    if (tool_is_off(node) || tool_is_true(node->text))
        return true;
    if (objective_of(node->text, &known))
        return tool_set_text(r, node, "objective", node->text, err);
    tool_open_multiplied(r, path, node->text);
    return true;
}

/* A value that says what it is used for: a list, a section, a number that is not zero. */
static const struct node *used_at(const struct node *root, const char *path)
{
    const struct node *node = node_at(root, path);

    return node == NULL || tool_is_off(node) ? NULL : node;
}

static bool find_tool_objective(struct tool_reading *r, const struct node *root,
                                enum job_tool tool, struct error *err)
{
    const struct node *loss = node_at(root, "loss._component_");

    for (size_t i = 0; i < ARRAY_LEN(named); i++) {
        const struct node *node = named[i].tool == tool ? node_at(root, named[i].path) : NULL;

        if (node != NULL && node->kind == NODE_SCALAR)
            return name_objective(r, named[i].path, node, err);
    }
    for (size_t i = 0; i < ARRAY_LEN(signs); i++) {
        const struct node *node = signs[i].tool == tool ? used_at(root, signs[i].path) : NULL;
        char text[64];

        if (node == NULL)
            continue;
        (void)snprintf(text, sizeof text, "%s; --set objective=O changes it",
                       signs[i].objective);
        if (signs[i].guess)
            tool_open_as(r, signs[i].path,
                         node->kind == NODE_SCALAR ? node->text : STR("a section"), text);
        return tool_set(r, node, "objective", signs[i].objective, err);
    }
    if (tool == JOB_TOOL_TORCHTUNE && loss != NULL && str_has_nocase(loss->text, STR("rlhf")))
        return tool_set(r, loss, "objective",
                        str_has_nocase(loss->text, STR("simpo")) ? "orpo" : "dpo", err);
    return true;
}

/* ---- what belongs to it ---- */

/* Numbers and names as they are. */
static const struct {
    enum job_tool tool;
    const char *path, *key;
} copied[] = {
    {JOB_TOOL_TRAINER, "num_generations", "rollout.generations"},
    {JOB_TOOL_TRAINER, "rloo_k", "rollout.generations"},
    {JOB_TOOL_TRAINER, "max_prompt_length", "rollout.prompt"},
    {JOB_TOOL_TRAINER, "max_completion_length", "rollout.completion"},
    {JOB_TOOL_TRAINER, "response_length", "rollout.completion"},
    {JOB_TOOL_TRAINER, "num_iterations", "rollout.passes"},
    {JOB_TOOL_TRAINER, "num_ppo_epochs", "rollout.passes"},
    {JOB_TOOL_TRAINER, "ppo_epochs", "rollout.passes"},
    {JOB_TOOL_TRAINER, "reward_model_path", "reward"},
    {JOB_TOOL_TRAINER, "reward_model_name_or_path", "reward"},
    {JOB_TOOL_TRAINER, "reward_model", "reward"},
    {JOB_TOOL_AXOLOTL, "trl.num_generations", "rollout.generations"},
    {JOB_TOOL_AXOLOTL, "trl.max_completion_length", "rollout.completion"},
    {JOB_TOOL_AXOLOTL, "trl.max_prompt_length", "rollout.prompt"},
    {JOB_TOOL_AXOLOTL, "trl.num_iterations", "rollout.passes"},
    {JOB_TOOL_LLAMA_FACTORY, "ppo_epochs", "rollout.passes"},
    {JOB_TOOL_LLAMA_FACTORY, "max_new_tokens", "rollout.completion"},
    {JOB_TOOL_LLAMA_FACTORY, "cutoff_len", "rollout.prompt"},
    {JOB_TOOL_LLAMA_FACTORY, "reward_model", "reward"},
    {JOB_TOOL_TORCHTUNE, "grpo_samples", "rollout.generations"},
    {JOB_TOOL_TORCHTUNE, "max_generated_tokens", "rollout.completion"},
    {JOB_TOOL_TORCHTUNE, "ppo_epochs", "rollout.passes"},
    {JOB_TOOL_OPENRLHF, "n_samples_per_prompt", "rollout.generations"},
    {JOB_TOOL_OPENRLHF, "prompt_max_len", "rollout.prompt"},
    {JOB_TOOL_OPENRLHF, "generate_max_len", "rollout.completion"},
    {JOB_TOOL_OPENRLHF, "max_epochs", "rollout.passes"},
    {JOB_TOOL_OPENRLHF, "reward_pretrain", "reward"},
    {JOB_TOOL_OPENRLHF, "vllm_tensor_parallel_size", "rollout.engine_tensor"},
    {JOB_TOOL_VERL, "actor_rollout_ref.rollout.n", "rollout.generations"},
    {JOB_TOOL_VERL, "data.max_prompt_length", "rollout.prompt"},
    {JOB_TOOL_VERL, "data.max_response_length", "rollout.completion"},
    {JOB_TOOL_VERL, "actor_rollout_ref.actor.ppo_epochs", "rollout.passes"},
    {JOB_TOOL_VERL, "actor_rollout_ref.rollout.tensor_model_parallel_size",
     "rollout.engine_tensor"},
};

/* Keys of the same that are read beside others, below. */
static const struct {
    enum job_tool tool;
    const char *path;
} beside[] = {
    {JOB_TOOL_TRAINER, "use_vllm"},
    {JOB_TOOL_TRAINER, "vllm_mode"},
    {JOB_TOOL_TRAINER, "vllm_gpu_memory_utilization"},
    {JOB_TOOL_TRAINER, "vllm_tensor_parallel_size"},
    {JOB_TOOL_TRAINER, "vllm_enable_sleep_mode"},
    {JOB_TOOL_TRAINER, "vllm_device"},
    {JOB_TOOL_TRAINER, "total_episodes"},
    {JOB_TOOL_TRAINER, "generation_batch_size"},
    {JOB_TOOL_AXOLOTL, "trl"},
    {JOB_TOOL_AXOLOTL, "vllm"},
    {JOB_TOOL_LLAMA_FACTORY, "pref_loss"},
    {JOB_TOOL_LLAMA_FACTORY, "ref_model"},
    {JOB_TOOL_LLAMA_FACTORY, "reward_model_type"},
    {JOB_TOOL_OPENRLHF, "remote_rm_url"},
    {JOB_TOOL_OPENRLHF, "init_kl_coef"},
    {JOB_TOOL_OPENRLHF, "colocate_all_models"},
    {JOB_TOOL_OPENRLHF, "colocate_actor_ref"},
    {JOB_TOOL_OPENRLHF, "colocate_actor_vllm"},
    {JOB_TOOL_OPENRLHF, "colocate_critic_reward"},
    {JOB_TOOL_OPENRLHF, "async_train"},
    {JOB_TOOL_OPENRLHF, "rollout_batch_size"},
    {JOB_TOOL_OPENRLHF, "actor_num_nodes"},
    {JOB_TOOL_OPENRLHF, "actor_num_gpus_per_node"},
    {JOB_TOOL_OPENRLHF, "ref_num_nodes"},
    {JOB_TOOL_OPENRLHF, "ref_num_gpus_per_node"},
    {JOB_TOOL_OPENRLHF, "reward_num_nodes"},
    {JOB_TOOL_OPENRLHF, "reward_num_gpus_per_node"},
    {JOB_TOOL_OPENRLHF, "critic_num_nodes"},
    {JOB_TOOL_OPENRLHF, "critic_num_gpus_per_node"},
    {JOB_TOOL_OPENRLHF, "vllm_gpu_memory_utilization"},
    {JOB_TOOL_OPENRLHF, "vllm_enable_sleep"},
    {JOB_TOOL_OPENRLHF, "num_episodes"},
    {JOB_TOOL_OPENRLHF, "critic_pretrain"},
    {JOB_TOOL_VERL, "actor_rollout_ref"},
    {JOB_TOOL_VERL, "algorithm"},
    {JOB_TOOL_VERL, "critic"},
    {JOB_TOOL_VERL, "reward_model"},
    {JOB_TOOL_VERL, "reward"},
    {JOB_TOOL_VERL, "rollout"},
    {JOB_TOOL_VERL, "data"},
    {JOB_TOOL_VERL, "trainer"},
};

/* Is the path one of these, or a section that has one? */
static bool is_path_of(const char *path, struct str key)
{
    struct str whole = str_from(path);

    return str_starts(whole, key) && (whole.len == key.len || whole.at[key.len] == '.');
}

bool tool_is_objective_key(enum job_tool tool, struct str path)
{
    bool is = false;

    for (size_t i = 0; i < ARRAY_LEN(named); i++)
        is |= named[i].tool == tool && is_path_of(named[i].path, path);
    for (size_t i = 0; i < ARRAY_LEN(signs); i++)
        is |= signs[i].tool == tool && is_path_of(signs[i].path, path);
    for (size_t i = 0; i < ARRAY_LEN(copied); i++)
        is |= copied[i].tool == tool && is_path_of(copied[i].path, path);
    for (size_t i = 0; i < ARRAY_LEN(beside); i++)
        is |= beside[i].tool == tool && is_path_of(beside[i].path, path);
    return is;
}

static bool copy_objective_keys(struct tool_reading *r, const struct node *root,
                                enum job_tool tool, bool writes, struct error *err)
{
    for (size_t i = 0; i < ARRAY_LEN(copied); i++) {
        const struct node *node = copied[i].tool == tool ? used_at(root, copied[i].path) : NULL;

        if (node == NULL || node->kind != NODE_SCALAR || tool_is_template(node->text))
            continue;
        if (!writes) {
            tool_note_multiplier(r, copied[i].path, node);
            continue;
        }
        if (!tool_set_text(r, node, copied[i].key, node->text, err))
            return false;
    }
    return true;
}

static bool is_true_at(const struct node *root, const char *path)
{
    const struct node *node = node_at(root, path);

    return node != NULL && tool_is_true(node->text);
}

static double number_of_key(const struct node *root, const char *path, double usual)
{
    const struct node *node = node_at(root, path);
    double n;

    return node != NULL && num_double(node->text, &n) ? n : usual;
}

static bool set_number_key(struct tool_reading *r, const struct node *root, const char *key,
                           double value, struct error *err)
{
    char text[32];

    (void)snprintf(text, sizeof text, "%.15g", value);
    return tool_set_text(r, root, key, str_from(text), err);
}

/* TRL before 0.15 (January 2025) counted prompts: it had vLLM on a GPU of its own, without a
 * mode to choose, and wrote the answers of each micro-batch by themselves. Later ones refuse a
 * batch that does not hold all answers of its prompts. */
static bool settle_old_trl(struct tool_reading *r, const struct node *root, struct error *err)
{
    static const char *const later[] = {"vllm_mode",
                                        "vllm_server_host",
                                        "vllm_server_base_url",
                                        "steps_per_generation",
                                        "generation_batch_size",
                                        "vllm_server_port"};
    const struct node *node = node_at(root, "per_device_train_batch_size");
    struct job_train *t = &r->job->train;
    int64_t answers = t->rollout.generations, counted;
    char text[80];

    if (!is_true_at(root, "use_vllm") || answers < 1 || t->micro_batch < 1 || node == NULL ||
        t->micro_batch % answers == 0)
        return true;
    for (size_t i = 0; i < ARRAY_LEN(later); i++)
        if (node_at(root, later[i]) != NULL)
            return true;
    counted = t->micro_batch * answers;
    (void)snprintf(text, sizeof text, "%lld answers: TRL before 0.15 counts prompts",
                   (long long)counted);
    tool_open_as(r, "per_device_train_batch_size", node->text, text);
    return set_number_key(r, node, "micro_batch", (double)counted, err) &&
           tool_set(r, node, "rollout.rounds", "micro-batch", err);
}

/* TRL's PPO and RLOO are as long as so many answers, instead of passes over the prompts. */
static bool settle_episodes(struct tool_reading *r, const struct node *root, struct error *err)
{
    double answers = number_of_key(root, "total_episodes", 0);
    double each = fmax(1, (double)r->job->train.rollout.generations);

    if (!(answers >= 1) || !isnan(r->job->train.data.examples))
        return true;
    return set_number_key(r, root, "data.examples", ceil(answers / each), err) &&
           set_number_key(r, root, "epochs", 1, err);
}

/* TRL counts answers where we count prompts. */
static bool settle_generation_batch(struct tool_reading *r, const struct node *root,
                                    struct error *err)
{
    double answers = number_of_key(root, "generation_batch_size", 0);
    double each = fmax(1, (double)r->job->train.rollout.generations);

    return !(answers >= each) ||
           set_number_key(r, root, "rollout.batch", floor(answers / each), err);
}

/* TRL, whose arguments may be in a section: vLLM beside the training takes 30 % of a GPU; as a
 * server it has GPUs of its own. */
static bool settle_trl_engine(struct tool_reading *r, const struct node *root,
                              const struct node *trl, struct error *err)
{
    bool vllm = is_true_at(trl, "use_vllm");
    const struct node *mode = node_at(trl, "vllm_mode");
    double width = number_of_key(trl, "vllm_tensor_parallel_size",
                                 number_of_key(root, "vllm.tensor_parallel_size", 1));

    if (!tool_set(r, root, "rollout.engine", vllm ? "vllm" : "hf", err))
        return false;
    if (!vllm)
        return true;
    if (mode == NULL || !str_eq_nocase(mode->text, STR("colocate")))
        return set_number_key(r, root, "rollout.engine_gpus", fmax(1, width), err);
    if (width > 1 && !set_number_key(r, root, "rollout.engine_tensor", width, err))
        return false;
    return is_true_at(trl, "vllm_enable_sleep_mode") ||
           set_number_key(r, root, "rollout.engine_memory",
                          number_of_key(trl, "vllm_gpu_memory_utilization", 0.3), err);
}

/* LLaMA-Factory: the loss says whether there is a reference; the critic is a head of the model,
 * a reward model in adapters is the model itself. */
static bool settle_factory(struct tool_reading *r, const struct node *root, bool writes,
                           struct error *err)
{
    const struct node *loss = node_at(root, "pref_loss");
    const struct node *kind = node_at(root, "reward_model_type");

    if (loss != NULL &&
        (str_eq_nocase(loss->text, STR("orpo")) || str_eq_nocase(loss->text, STR("simpo"))))
        return tool_set(r, loss, "objective", "orpo", err);
    if (!writes)
        return true;
    if ((kind == NULL || !str_eq_nocase(kind->text, STR("full"))) &&
        !tool_set(r, root, "reward", "none", err))
        return false;
    return tool_set(r, root, "critic", "no", err) &&
           tool_set(r, root, "rollout.engine", "hf", err);
}

/* GPUs that OpenRLHF's options give a model: 8 in one machine where they say nothing. */
static double openrlhf_gpus(const struct node *root, const char *model)
{
    char nodes[40], each[40];

    (void)snprintf(nodes, sizeof nodes, "%s_num_nodes", model);
    (void)snprintf(each, sizeof each, "%s_num_gpus_per_node", model);
    return number_of_key(root, nodes, 1) * number_of_key(root, each, OPENRLHF_GPUS);
}

/* Each model has GPUs of its own, unless it is said to share those of the actor, or of the
 * critic. Which models there are, the estimator finds out. */
static bool settle_openrlhf_gpus(struct tool_reading *r, const struct node *root,
                                 struct error *err)
{
    double engines = number_of_key(root, "vllm_num_engines", 0);
    double width = fmax(1, number_of_key(root, "vllm_tensor_parallel_size", 1));
    bool all = is_true_at(root, "colocate_all_models"), async = is_true_at(root, "async_train");
    enum objective objective = OBJECTIVE_SFT;

    if (async && engines > 0 && !tool_set(r, root, "rollout.async", "yes", err))
        return false;
    if (engines > 0 && (async || (!all && !is_true_at(root, "colocate_actor_vllm"))) &&
        !set_number_key(r, root, "rollout.engine_gpus", engines * width, err))
        return false;
    if (all)
        return true;
    if (!set_number_key(r, root, "rollout.policy_gpus", openrlhf_gpus(root, "actor"), err))
        return false;
    if (!is_true_at(root, "colocate_actor_ref") &&
        !set_number_key(r, root, "rollout.reference_gpus", openrlhf_gpus(root, "ref"), err))
        return false;
    if (!set_number_key(r, root, "rollout.critic_gpus", openrlhf_gpus(root, "critic"), err))
        return false;
    (void)objective_of(r->job->train.objective, &objective);
    return objective == OBJECTIVE_PPO && is_true_at(root, "colocate_critic_reward")
               ? tool_set(r, root, "rollout.reward_beside", "critic", err)
               : set_number_key(r, root, "rollout.reward_gpus", openrlhf_gpus(root, "reward"),
                                err);
}

/* OpenRLHF: passes over answers are what it calls epochs; prompts are gone through in episodes.
 */
static bool settle_openrlhf(struct tool_reading *r, const struct node *root, bool writes,
                            struct error *err)
{
    double engines = number_of_key(root, "vllm_num_engines", 0);
    const struct node *sampled = node_at(root, "max_epochs");

    if (!writes)
        return sampled == NULL || tool_set_text(r, sampled, "epochs", sampled->text, err);
    if (!set_number_key(r, root, "epochs", number_of_key(root, "num_episodes", 1), err) ||
        !tool_set(r, root, "rollout.engine", engines > 0 ? "vllm" : "hf", err))
        return false;
    if (r->job->train.rollout.passes < 1 && !tool_set(r, root, "rollout.passes", "1", err))
        return false;
    if (number_of_key(root, "init_kl_coef", 1) == 0 &&
        !tool_set(r, root, "reference", "no", err))
        return false;
    if (node_at(root, "remote_rm_url") != NULL && !tool_set(r, root, "reward", "none", err))
        return false;
    if (r->job->train.rollout.prompt < 1 &&
        !set_number_key(r, root, "rollout.prompt", OPENRLHF_LENGTH, err))
        return false;
    if (r->job->train.rollout.completion < 1 &&
        !set_number_key(r, root, "rollout.completion", OPENRLHF_LENGTH, err))
        return false;
    return set_number_key(r, root, "rollout.batch",
                          number_of_key(root, "rollout_batch_size", OPENRLHF_BATCH), err) &&
           settle_openrlhf_gpus(r, root, err);
}

/* GPUs of a resource pool, "nodes" x "GPUs of each"; 0: it has none. */
static double pool_gpus(const struct node *root, const char *nodes, const char *each)
{
    return number_of_key(root, nodes, 1) * number_of_key(root, each, 0);
}

/* verl: the reward model may have a pool of its own, and so may the engine (one_step_off_policy
 * and fully_async_policy), which then writes while earlier answers are learned from. */
static bool settle_verl_pools(struct tool_reading *r, const struct node *root,
                              struct error *err)
{
    static const char *const rewards[][3] = {
        {"reward_model.enable_resource_pool", "reward_model.nnodes",
         "reward_model.n_gpus_per_node"},
        {"reward.reward_model.enable_resource_pool", "reward.reward_model.nnodes",
         "reward.reward_model.n_gpus_per_node"},
    };
    double engine = pool_gpus(root, "rollout.nnodes", "rollout.n_gpus_per_node");

    for (size_t i = 0; i < ARRAY_LEN(rewards); i++)
        if (is_true_at(root, rewards[i][0]) &&
            !set_number_key(r, root, "rollout.reward_gpus",
                            pool_gpus(root, rewards[i][1], rewards[i][2]), err))
            return false;
    if (!(engine >= 1))
        return true;
    return set_number_key(r, root, "rollout.engine_gpus", engine, err) &&
           tool_set(r, root, "rollout.async", "yes", err) &&
           set_number_key(r, root, "rollout.policy_gpus",
                          pool_gpus(root, "trainer.nnodes", "trainer.n_gpus_per_node"), err);
}

/* verl: its batch is of prompts, all answers of which are learned from in one of its steps. */
static bool settle_verl(struct tool_reading *r, const struct node *root, struct error *err)
{
    const struct node *name = node_at(root, "actor_rollout_ref.rollout.name");
    const struct node *model = node_at(root, "reward_model.model.path");
    struct job_train *t = &r->job->train;
    double answers = number_of_key(root, "actor_rollout_ref.rollout.n", 1);
    double passes = number_of_key(root, "actor_rollout_ref.actor.ppo_epochs", 1);
    double prompts = number_of_key(root, "data.train_batch_size", 1024);
    bool kl = is_true_at(root, "actor_rollout_ref.actor.use_kl_loss") ||
              is_true_at(root, "algorithm.use_kl_in_reward");
    bool scored = is_true_at(root, "reward_model.enable") ||
                  is_true_at(root, "reward.reward_model.enable");

    if (!set_number_key(r, root, "global_batch", prompts * answers, err) ||
        !set_number_key(r, root, "rollout.generations", answers, err) ||
        !set_number_key(r, root, "rollout.passes", passes, err) ||
        !tool_set(r, root, "reference", kl ? "yes" : "no", err) ||
        !settle_verl_pools(r, root, err))
        return false;
    if (t->steps > 0 && !set_number_key(r, root, "steps", t->steps * passes, err))
        return false;
    if (name != NULL && !tool_set(r, name, "rollout.engine",
                                  str_eq_nocase(name->text, STR("sglang")) ? "sglang"
                                  : str_eq_nocase(name->text, STR("hf"))   ? "hf"
                                                                           : "vllm",
                                  err))
        return false;
    if (!scored)
        return tool_set(r, root, "reward", "none", err);
    return model == NULL || tool_set_text(r, model, "reward", model->text, err);
}

bool tool_settle_objective(struct tool_reading *r, const struct node *root, enum job_tool tool,
                           struct error *err)
{
    enum objective objective = OBJECTIVE_SFT;
    const struct node *trl = node_at(root, "trl");
    bool writes;

    if (!find_tool_objective(r, root, tool, err))
        return false;
    (void)objective_of(r->job->train.objective, &objective);
    writes = objective_writes(objective);
    if (!copy_objective_keys(r, root, tool, writes, err))
        return false;
    if (tool == JOB_TOOL_LLAMA_FACTORY)
        return settle_factory(r, root, writes, err);
    if (tool == JOB_TOOL_OPENRLHF)
        return settle_openrlhf(r, root, writes, err);
    if (tool == JOB_TOOL_VERL)
        return settle_verl(r, root, err);
    if (!writes)
        return true;
    if (tool == JOB_TOOL_AXOLOTL)
        return settle_trl_engine(r, root, trl != NULL ? trl : root, err);
    if (tool == JOB_TOOL_TORCHTUNE)
        return tool_set(r, root, "rollout.engine", "hf", err);
    if (tool != JOB_TOOL_TRAINER)
        return true;
    if (number_of_key(root, "beta", 1) == 0 && !tool_set(r, root, "reference", "no", err))
        return false;
    if (!settle_episodes(r, root, err) || !settle_generation_batch(r, root, err))
        return false;
    return settle_trl_engine(r, root, root, err) && settle_old_trl(r, root, err);
}
