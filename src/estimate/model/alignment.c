/* Which models and answers an objective needs, where the job does not say. */
#include "estimate/model/alignment.h"

#include <math.h>

#include "base/num.h"

#define USUAL_PROMPT 512
#define USUAL_COMPLETION 512 /* TRL has 256, OpenRLHF 1024 */
#define MEAN_SHARE 0.5       /* of the longest prompt and answer: an assumption */

static bool choose_objective(const struct job *job, struct setup *s, struct error *err)
{
    struct str given = job->train.objective;
    enum objective *objective = &s->alignment.objective;

    if (given.len > 0 && !objective_of(given, objective))
        return choose_unknown(err, "objective", given);
    if (*objective == OBJECTIVE_SFT ||
        (job->arch.kind != ARCH_ENCODER && !arch_counts_samples(&job->arch)))
        return true;
    error_set(err, ERROR_INPUT, "objective %s is for models that write text",
              objective_names[*objective]);
    error_hint(err, "drop objective");
    return false;
}

/* Adapters are switched off for the reference's pass: it needs no weights of its own. */
static void choose_reference(const struct job_train *t, struct setup *s)
{
    struct alignment *a = &s->alignment;
    bool usual = a->objective != OBJECTIVE_ORPO && a->objective != OBJECTIVE_REWARD;

    a->reference = t->reference.len > 0 ? str_eq(t->reference, STR("yes")) : usual;
    a->reference_held = a->reference && s->method == METHOD_FULL;
}

/* PPO and RLOO are scored by a model, as large as the trained one where nothing is said; groups
 * of answers mostly by rules. */
static void choose_scores(const struct job_train *t, struct setup *s)
{
    struct alignment *a = &s->alignment;
    double params = arch_count(s->arch).total;
    bool scored = a->objective == OBJECTIVE_PPO || a->objective == OBJECTIVE_RLOO;

    if (!objective_writes(a->objective))
        return;
    if (t->reward.len > 0)
        a->reward_params = str_eq(t->reward, STR("none")) ? 0
                           : t->reward_params > 0         ? t->reward_params
                                                          : params;
    else
        a->reward_params = scored ? params : 0;
    if (a->objective == OBJECTIVE_PPO && !str_eq(t->critic, STR("no")))
        a->critic_params = a->reward_params > 0 ? a->reward_params : params;
}

static double given_count(int64_t given, double usual)
{
    return given > 0 ? (double)given : usual;
}

/* The longest prompt and answer. A length that is given as a whole leaves its rest to answers;
 * where only their average is given, they are at most as much longer as usual. */
static bool choose_answer_lengths(const struct job_train *t, struct alignment *a,
                                  struct error *err)
{
    const struct job_rollout *r = &t->rollout;
    bool whole = t->sequence > 1;
    double usual, half = floor((double)t->sequence / 2);

    a->prompt = given_count(r->prompt, whole ? fmin(USUAL_PROMPT, half) : USUAL_PROMPT);
    usual = isnan(r->length) ? USUAL_COMPLETION
                             : fmax(USUAL_COMPLETION, ceil(r->length / MEAN_SHARE));
    if (whole && (double)t->sequence - a->prompt >= 1)
        usual = (double)t->sequence - a->prompt;
    a->completion = given_count(r->completion, usual);
    if (!(r->length > a->completion))
        return true;
    error_set(err, ERROR_INPUT,
              "rollout.length is %.10g tokens on average, and an answer has at most %.10g",
              r->length, a->completion);
    error_hint(err, r->completion > 0 ? "raise rollout.completion, or lower rollout.length"
                                      : "set rollout.completion, raise sequence, or lower "
                                        "rollout.length");
    return false;
}

static void give_own_gpus(struct alignment *a, enum role role, int64_t gpus)
{
    if (gpus < 1)
        return;
    a->at[role] = role;
    a->own[role] = gpus;
}

/* Models that the job does not have take no GPUs. Beside a reference on other GPUs no adapters
 * can be switched off: it has weights. */
static void choose_own_gpus(const struct job_rollout *r, struct alignment *a)
{
    give_own_gpus(a, ROLE_ENGINE, r->engine_gpus);
    if (a->reference)
        give_own_gpus(a, ROLE_REFERENCE, r->reference_gpus);
    a->reference_held |= a->at[ROLE_REFERENCE] == ROLE_REFERENCE;
    if (a->critic_params > 0)
        give_own_gpus(a, ROLE_CRITIC, r->critic_gpus);
    if (a->reward_params > 0 && str_eq(r->reward_beside, STR("critic")))
        a->at[ROLE_REWARD] = a->at[ROLE_CRITIC];
    if (a->reward_params > 0)
        give_own_gpus(a, ROLE_REWARD, r->reward_gpus);
}

static bool check_async(const struct job_rollout *r, struct alignment *a, struct error *err)
{
    a->async = str_eq(r->async, STR("yes"));
    if (!a->async || a->own[ROLE_ENGINE] > 0)
        return true;
    error_set(err, ERROR_INPUT,
              "rollout.async: the GPUs that are trained on cannot write answers meanwhile");
    error_hint(err, "give the engine GPUs of its own: --set rollout.engine_gpus=N, or drop "
                    "rollout.async");
    return false;
}

static bool choose_answers(const struct job_train *t, struct setup *s, struct error *err)
{
    const struct job_rollout *r = &t->rollout;
    struct alignment *a = &s->alignment;
    bool ppo = a->objective == OBJECTIVE_PPO, rloo = a->objective == OBJECTIVE_RLOO;
    double prompt;

    if (!choose_answer_lengths(t, a, err))
        return false;
    a->generations = given_count(r->generations, ppo ? 1 : rloo ? 4 : 8);
    a->passes = given_count(r->passes, ppo ? 4 : 1);
    a->answer = num_known_or(r->length, MEAN_SHARE * a->completion);
    prompt = t->data.example_tokens >= 1 ? fmin(t->data.example_tokens, a->prompt)
                                         : MEAN_SHARE * a->prompt;
    a->length = fmax(2, prompt + a->answer);
    a->transformers = str_eq(r->engine, STR("hf"));
    a->together = r->batch > 0 ? (double)r->batch * a->generations : 0;
    a->engine_tensor = r->engine_tensor > 0 ? r->engine_tensor : 0;
    a->engine_memory = isnan(r->engine_memory) ? 0 : r->engine_memory;
    a->rounds = str_eq(r->rounds, STR("micro-batch"));
    s->sequence = (int64_t)(a->prompt + a->completion);
    choose_own_gpus(r, a);
    return check_async(r, a, err);
}

static void note_models(const struct setup *s, struct notes *notes)
{
    const struct alignment *a = &s->alignment;

    if (a->reference)
        note(notes, "a reference model %s; --set reference=no leaves it out",
             a->own[ROLE_REFERENCE] > 0 ? "computes on GPUs of its own"
             : a->reference_held        ? "is in memory beside the trained one"
                                        : "is the trained one with its adapters switched off");
    if (a->reward_params > 0)
        note(notes, "a reward model of %s billion parameters; --set reward=7B or none",
             num_about(a->reward_params / 1e9).text);
    if (a->critic_params > 0)
        note(notes, "a critic of %s billion parameters is trained too",
             num_about(a->critic_params / 1e9).text);
}

static void note_answers(const struct job_train *t, const struct setup *s, struct notes *notes)
{
    const struct alignment *a = &s->alignment;

    note(notes, "%.0f answer%s to a prompt, of %.0f tokens at most and %.0f on average%s",
         a->generations, a->generations > 1 ? "s" : "", a->completion, a->answer,
         isnan(t->rollout.length) ? ", an assumption: --set rollout.length=N" : "");
    if (a->own[ROLE_ENGINE] > 0)
        note(notes, "answers are written by %s on %lld GPU%s of %s own%s",
             a->transformers ? "hf" : "vllm", (long long)a->own[ROLE_ENGINE],
             a->own[ROLE_ENGINE] == 1 ? "" : "s", a->own[ROLE_ENGINE] == 1 ? "its" : "their",
             a->async ? ", while earlier ones are learned from" : "");
    else
        note(notes, "answers are written by %s on the GPUs of the training",
             a->transformers ? "hf" : "vllm");
}

/* Models beside the trained one that have GPUs: "2 GPUs hold only the reference". */
static void note_own_gpus(const struct alignment *a, struct notes *notes)
{
    for (int role = ROLE_REFERENCE; role < ROLE_COUNT; role++)
        if (a->own[role] > 0)
            note(notes, "%lld GPU%s only the %s%s", (long long)a->own[role],
                 a->own[role] == 1 ? " holds" : "s hold", role_names[role],
                 role == ROLE_CRITIC && a->reward_params > 0 &&
                         a->at[ROLE_REWARD] == ROLE_CRITIC
                     ? " and the reward model"
                     : "");
}

bool choose_alignment(const struct job *job, struct setup *s, struct notes *notes,
                      struct error *err)
{
    if (!choose_objective(job, s, err))
        return false;
    if (s->alignment.objective == OBJECTIVE_SFT)
        return true;
    choose_reference(&job->train, s);
    choose_scores(&job->train, s);
    if (s->alignment.objective == OBJECTIVE_REWARD)
        s->head_share = 0; /* one number in place of a vocabulary */
    if (!objective_writes(s->alignment.objective)) {
        note_models(s, notes);
        return true;
    }
    if (!choose_answers(&job->train, s, err))
        return false;
    note_models(s, notes);
    note_answers(&job->train, s, notes);
    note_own_gpus(&s->alignment, notes);
    return true;
}

double alignment_prompt(const struct alignment *a)
{
    return a->length - a->answer;
}

double alignment_total(const struct job *job, const struct setup *s)
{
    const struct alignment *a = &s->alignment;
    const struct job_data *d = &job->train.data;
    double factor, epochs = job_epochs(job, &factor);
    double items = d->examples * num_known_or(d->repeats, 1) * epochs;

    if (objective_writes(a->objective)) {
        if (isnan(d->examples)) /* the tokens are those of prompts */
            items = job_tokens(job) / alignment_prompt(a);
        return items * a->generations * a->passes * a->length;
    }
    if (isnan(d->examples))
        return job_tokens(job);
    return items * (d->example_tokens >= 1
                        ? objective_sequences(a->objective) * d->example_tokens
                        : setup_item_tokens(s));
}
