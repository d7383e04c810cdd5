/* Training on preferences and rewards: more than plain training, by what it does more. */
#include "known.h"

#include <string.h>

#include "estimate/memory/memory.h"
#include "estimate/model/alignment.h"
#include "estimate/model/settings.h"
#include "estimate/step/step.h"

struct aligned {
    struct job job;
    struct setup setup;
    struct step step;
    struct memory memory;
    double steps;
};

static void fill_job(struct job *job, const char *keys)
{
    struct str rest = str_from(keys);
    struct error err = {0};

    assert_true(job_reset(job, &known_arena, &err));
    while (rest.len > 0) {
        struct str value = str_cut(&rest, ' '), key = str_cut(&value, '=');

        if (!job_set(job, key, value, &known_arena, &err))
            fail_msg("%s", err.text);
    }
    if (!job_resolve(job, &known_catalog, (struct str){0}, &known_arena, &err))
        fail_msg("%s", err.text);
}

/* The same batch and recomputation for all: what differs is the objective. */
static void align(struct aligned *out, const char *more, int64_t gpus)
{
    struct hardware hw = {
        .gpu = known_gpu("H100"), .gpus = gpus, .per_node = gpus, .host_bytes = NAN};
    struct notes notes = {.len = 0};
    struct error err = {0};
    char keys[400];

    (void)snprintf(keys, sizeof keys,
                   "model=qwen2.5-1.5b sequence=1024 examples=10k micro_batch=8 accumulation=4 "
                   "recompute=full zero=0 precision=bf16%s%s",
                   more[0] != '\0' ? " " : "", more);
    memset(out, 0, sizeof *out);
    fill_job(&out->job, keys);
    if (!choose_training(&out->job, &hw, &known_constants, &out->setup, &notes, &err))
        fail_msg("%s: %s", more, err.text);
    out->step = estimate_step(&out->setup, &known_constants);
    out->memory = estimate_memory(&out->setup, &known_constants);
    out->steps = choose_total(&out->job, &out->setup) / setup_tokens_per_step(&out->setup);
}

static void pairs_take_two_sequences_and_a_reference(void **state)
{
    struct aligned sft, dpo, orpo, kto, reward, lora;

    (void)state;
    align(&sft, "", 1);
    align(&orpo, "objective=orpo", 1);
    align(&dpo, "objective=dpo", 1);
    align(&kto, "objective=kto", 1);
    align(&reward, "objective=reward", 1);
    align(&lora, "objective=dpo method=lora", 1);
    assert_true(sft.steps == orpo.steps && sft.steps == dpo.steps); /* of as many pairs */
    assert_true(orpo.step.total > 1.8 * sft.step.total &&
                orpo.step.total < 2.1 * sft.step.total);
    assert_true(dpo.step.total > 1.2 * orpo.step.total &&
                dpo.step.total < 1.4 * orpo.step.total);
    assert_true(reward.step.total < orpo.step.total); /* no vocabulary */
    assert_true(kto.step.total > sft.step.total && kto.step.total < 2.2 * sft.step.total);
    assert_true(orpo.memory.device > sft.memory.device && orpo.memory.models == 0);
    assert_true(fabs(dpo.memory.models - dpo.memory.weights) < 1);
    assert_true(lora.memory.models == 0 && lora.step.scores > 0); /* adapters are off */
}

/* A length on average beyond the longest is a contradiction, not one that is cut. */
static void an_average_beyond_the_longest_answer_is_refused(void **state)
{
    static const char *const contradictions[] = {
        "sequence=1024 rollout.completion=1024 rollout.length=2000",
        "sequence=1024 rollout.length=2000",
    };
    struct hardware hw = {
        .gpu = known_gpu("H100"), .gpus = 4, .per_node = 4, .host_bytes = NAN};
    struct notes notes = {.len = 0};
    struct error err = {0};
    struct setup setup;
    struct job job;
    char keys[200];

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(contradictions); i++) {
        (void)snprintf(keys, sizeof keys, "model=qwen2.5-1.5b objective=grpo examples=10k %s",
                       contradictions[i]);
        fill_job(&job, keys);
        assert_false(choose_training(&job, &hw, &known_constants, &setup, &notes, &err));
        assert_non_null(strstr(err.text, "rollout.length is 2000 tokens on average"));
    }
    fill_job(&job, "model=qwen2.5-1.5b objective=grpo examples=10k rollout.length=2000");
    assert_true(choose_training(&job, &hw, &known_constants, &setup, &notes, &err));
    assert_true(setup.alignment.answer == 2000 && setup.alignment.completion == 4000);
    fill_job(&job, "model=qwen2.5-1.5b objective=grpo examples=10k sequence=256");
    assert_true(choose_training(&job, &hw, &known_constants, &setup, &notes, &err));
    assert_int_equal(setup.sequence, 256);
}

static void answers_take_longer_the_longer_they_are(void **state)
{
    struct aligned sft, grpo, twice, longer, more, again, ruled;

    (void)state;
    align(&sft, "", 4);
    align(&grpo, "objective=grpo rollout.prompt=256 rollout.completion=512", 4);
    align(&longer, "objective=grpo rollout.prompt=256 rollout.completion=1024", 4);
    align(&more,
          "objective=grpo rollout.prompt=256 rollout.completion=512 "
          "rollout.generations=16",
          4);
    align(&again, "objective=grpo rollout.prompt=256 rollout.completion=512 rollout.passes=2",
          4);
    align(&twice,
          "objective=grpo rollout.prompt=256 rollout.completion=512 "
          "rollout.rounds=micro-batch",
          4);
    align(&ruled, "objective=grpo rollout.prompt=256 rollout.completion=512 reward=7B", 4);
    assert_true(grpo.step.rollouts > grpo.step.products && grpo.step.scores > 0);
    assert_true(longer.step.rollouts > 1.8 * grpo.step.rollouts);
    assert_true(more.steps == 2 * grpo.steps);
    assert_true(again.steps == 2 * grpo.steps && again.step.rollouts < grpo.step.rollouts);
    assert_true(twice.step.rollouts > 2 * grpo.step.rollouts); /* fewer at a time */
    assert_true(ruled.memory.models - grpo.memory.models > 13e9 &&
                ruled.step.scores > 2 * grpo.step.scores);
    assert_true(fabs(sft.steps * 8 - grpo.steps) < 1e-6 * grpo.steps);
}

static void ppo_trains_a_critic(void **state)
{
    struct aligned ppo, rloo, head;

    (void)state;
    align(&ppo, "objective=ppo", 4);
    align(&rloo, "objective=rloo", 4);
    align(&head, "objective=ppo critic=no reward=none reference=no", 4);
    assert_true(ppo.step.critic > 0 && rloo.step.critic == 0 && head.step.critic == 0);
    assert_true(ppo.memory.models > 2 * rloo.memory.models);
    assert_true(head.memory.models == 0);
}

static void engines_have_gpus_of_their_own_or_share(void **state)
{
    struct hardware hw = {
        .gpu = known_gpu("H100"), .gpus = 1, .per_node = 1, .host_bytes = NAN};
    struct aligned shared, apart;
    struct notes notes = {.len = 0};
    struct error err = {0};
    struct setup setup;

    (void)state;
    align(&apart, "objective=grpo rollout.engine_gpus=1", 4);
    assert_int_equal(apart.setup.gpus, 3);
    align(&shared, "objective=grpo rollout.engine_memory=30%", 4);
    assert_int_equal(shared.setup.gpus, 4);
    assert_true(fabs(shared.memory.engine - 0.3 * usable_memory(shared.setup.gpu)) < 1e6);
    assert_true(apart.memory.engine == 0);
    /* One GPU cannot do both. */
    assert_false(choose_training(&apart.job, &hw, &known_constants, &setup, &notes, &err));
    assert_non_null(strstr(err.text, "none is left to train on"));
}

#define OWN_GPUS \
    "objective=ppo rollout.passes=1 rollout.engine_gpus=2 rollout.reference_gpus=1 " \
    "rollout.reward_gpus=1 rollout.critic_gpus=2"

/* Reading takes as long as the slowest model, learning as long as the slower of both; what
 * waits is idle. All parts add up to the step. */
static void models_on_gpus_of_their_own_work_side_by_side(void **state)
{
    struct aligned apart, shared;
    const struct step *t = &apart.step;
    double parts, work;

    (void)state;
    align(&apart, OWN_GPUS, 8);
    align(&shared, "objective=ppo rollout.passes=1", 8);
    assert_int_equal(apart.setup.gpus, 2);
    assert_int_equal(setup_gpus(&apart.setup), 8);
    assert_int_equal(setup_gpus(&shared.setup), 8);
    parts = t->products + t->attention + t->elementwise + t->loss + t->recompute +
            t->dequantise + t->optimizer + t->offload + t->data + t->host + t->scores +
            t->critic + t->rollouts;
    assert_true(fabs(parts - t->total) < 1e-9 * t->total);
    /* One GPU reads as long for the reference as two for the trained model and the critic do
     * each, twice over; the reward model beside it as long as the reference. */
    assert_true(fabs(t->at_work[ROLE_REFERENCE] - t->at_work[ROLE_REWARD]) <
                0.02 * t->at_work[ROLE_REFERENCE]);
    assert_true(fabs(t->scores - t->at_work[ROLE_REFERENCE]) < 0.02 * t->scores);
    /* As many GPUs train a critic as large: it ends with the model. */
    assert_true(t->critic < 0.05 * t->at_work[ROLE_CRITIC]);
    assert_true(shared.step.critic > 0.2 * shared.step.products);
    work = 2 * t->at_work[ROLE_POLICY] + 2 * t->at_work[ROLE_ENGINE] +
           t->at_work[ROLE_REFERENCE] + t->at_work[ROLE_REWARD] + 2 * t->at_work[ROLE_CRITIC];
    assert_true(fabs(step_idle_share(t, &apart.setup) - (1 - work / (8 * t->total))) < 1e-9);
    assert_true(step_idle_share(t, &apart.setup) > 0.3 && t->busy < 0.7);
    assert_true(step_idle_share(&shared.step, &shared.setup) == 0);
    assert_true(t->total > shared.step.total); /* GPUs that wait cost time */
}

static void a_model_beside_the_critic_takes_turns_with_it(void **state)
{
    struct aligned own, beside;

    (void)state;
    align(&own, OWN_GPUS, 8);
    align(&beside,
          "objective=ppo rollout.passes=1 rollout.engine_gpus=2 rollout.reference_gpus=1 "
          "rollout.reward_beside=critic rollout.critic_gpus=2",
          8);
    assert_int_equal(beside.setup.gpus, 3);
    assert_true(beside.step.at_work[ROLE_REWARD] == 0);
    assert_true(beside.step.at_work[ROLE_CRITIC] > own.step.at_work[ROLE_CRITIC]);
    assert_true(estimate_role_memory(&beside.setup, ROLE_CRITIC, &known_constants).device >
                estimate_role_memory(&own.setup, ROLE_CRITIC, &known_constants).device + 3e9);
}

/* What each kind of GPU holds: the check is of the fullest. */
static void every_group_of_gpus_must_hold_its_models(void **state)
{
    struct aligned own, small, shared;
    struct memory reference, reward, critic, engine;

    (void)state;
    align(&shared, "objective=ppo", 8);
    align(&own, OWN_GPUS, 8);
    reference = estimate_role_memory(&own.setup, ROLE_REFERENCE, &known_constants);
    reward = estimate_role_memory(&own.setup, ROLE_REWARD, &known_constants);
    critic = estimate_role_memory(&own.setup, ROLE_CRITIC, &known_constants);
    engine = estimate_role_memory(&own.setup, ROLE_ENGINE, &known_constants);
    assert_true(shared.memory.models > 0);
    assert_true(estimate_role_memory(&own.setup, ROLE_POLICY, &known_constants).models == 0);
    assert_true(reference.at == ROLE_REFERENCE && critic.at == ROLE_CRITIC);
    assert_true(fabs(reference.models - 2 * arch_count(own.setup.arch).total) < 1e8);
    assert_true(reference.logits > 0 && reward.logits == 0);
    assert_true(critic.optimizer > 0 && critic.logits == 0 && engine.optimizer == 0);
    assert_true(own.memory.device >= critic.device && own.memory.device >= reference.device);
    /* Sharded over two GPUs, it is the one with the whole reference that is full. */
    align(&small,
          "objective=grpo zero=3 optimizer=adamw-8bit rollout.engine_gpus=2 "
          "rollout.reference_gpus=1 reward=70B rollout.reward_gpus=1",
          8);
    assert_true(small.memory.at == ROLE_REWARD && small.memory.device > 140e9);
    assert_true(small.memory.moment == MOMENT_SCORING);
}

static void an_engine_that_is_a_step_ahead_hides_its_writing(void **state)
{
    struct hardware hw = {
        .gpu = known_gpu("H100"), .gpus = 4, .per_node = 4, .host_bytes = NAN};
    struct aligned behind, ahead;
    struct notes notes = {.len = 0};
    struct error err = {0};
    struct setup setup;
    struct job job;

    (void)state;
    align(&behind, "objective=grpo rollout.engine_gpus=2", 4);
    align(&ahead, "objective=grpo rollout.engine_gpus=2 rollout.async=yes", 4);
    assert_true(fabs(ahead.step.total - fmax(behind.step.rollouts,
                                             behind.step.total - behind.step.rollouts)) < 1e-9);
    assert_true(ahead.step.at_work[ROLE_ENGINE] == behind.step.at_work[ROLE_ENGINE]);
    fill_job(&job, "model=qwen2.5-1.5b objective=grpo examples=10k rollout.async=yes");
    assert_false(choose_training(&job, &hw, &known_constants, &setup, &notes, &err));
    assert_non_null(strstr(err.text, "cannot write answers meanwhile"));
}

/* A file that says how many GPUs each model has is for so many GPUs. */
static void a_job_of_so_many_gpus_has_no_others(void **state)
{
    struct hardware hw = {
        .gpu = known_gpu("H100"), .gpus = 8, .per_node = 8, .host_bytes = NAN};
    struct notes notes = {.len = 0};
    struct error err = {0};
    struct setup s;
    struct job job;

    (void)state;
    fill_job(&job, "model=qwen2.5-1.5b examples=10k rollout.policy_gpus=4 " OWN_GPUS);
    assert_int_equal(space_fixed_gpus(&job, hw.gpu), 10);
    assert_false(choose_training(&job, &hw, &known_constants, &s, &notes, &err));
    assert_string_equal(err.text,
                        "the job has 10 GPUs (4 to train on, 2 write answers, 1 holds the "
                        "reference, 1 holds the reward model, 2 hold the critic), not 8");
    hw.gpus = 10;
    assert_true(choose_training(&job, &hw, &known_constants, &s, &notes, &err));
    assert_int_equal(s.gpus, 4);
    /* Models that the job does not have take none. */
    fill_job(&job, "model=qwen2.5-1.5b examples=10k rollout.policy_gpus=4 objective=grpo "
                   "reference=no rollout.reference_gpus=2 rollout.critic_gpus=2");
    assert_int_equal(space_fixed_gpus(&job, hw.gpu), 4);
}

/* OpenRLHF (arXiv 2405.11143, May 2024, tables 3 and 5): PPO of Llama 2 on A800, 1,024 prompts,
 * one pass, Adam's states on the host; GPUs of each model, answers written at a time for a GPU,
 * seconds. Answers as long as they may be, prompts half as long: the paper does not say. */
static void published_runs_with_gpus_of_their_own_are_near(void **state)
{
    static const struct {
        const char *model;
        int64_t trained, read, engines, tensor, micro;
        double seconds;
    } runs[] = {
        {"llama-2-7b", 4, 2, 4, 1, 16, 471.11},
        {"llama-2-13b", 8, 4, 8, 1, 8, 608.93},
        {"codellama-34b", 8, 4, 8, 2, 8, 1526.4},
        {"llama-2-70b", 4, 4, 16, 4, 4, 4488.53},
    };
    struct notes notes = {.len = 0};
    struct error err = {0};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(runs); i++) {
        struct hardware hw = {.gpu = known_gpu("A800-SXM-80GB"),
                              .gpus = 2 * runs[i].trained + 2 * runs[i].read + runs[i].engines,
                              .per_node = 8,
                              .host_bytes = NAN};
        char keys[640];
        struct setup s;
        struct job job;
        double ratio;

        (void)snprintf(
            keys, sizeof keys,
            "model=%s objective=ppo examples=1024 framework=deepspeed zero=3 "
            "offload=optimizer recompute=full parallel.tensor=1 parallel.pipeline=1 "
            "parallel.context=1 "
            "global_batch=128 micro_batch=%lld rollout.passes=1 rollout.batch=1024 "
            "rollout.rounds=micro-batch rollout.prompt=1024 rollout.completion=1024 "
            "rollout.length=1024 rollout.engine_gpus=%lld rollout.engine_tensor=%lld "
            "rollout.policy_gpus=%lld rollout.critic_gpus=%lld "
            "rollout.reference_gpus=%lld rollout.reward_gpus=%lld",
            runs[i].model, (long long)runs[i].micro, (long long)runs[i].engines,
            (long long)runs[i].tensor, (long long)runs[i].trained, (long long)runs[i].trained,
            (long long)runs[i].read, (long long)runs[i].read);
        fill_job(&job, keys);
        if (!choose_training(&job, &hw, &known_constants, &s, &notes, &err))
            fail_msg("%s: %s", runs[i].model, err.text);
        assert_true(setup_fits(&s, &hw, &known_constants));
        ratio = 8 * estimate_step(&s, &known_constants).total / runs[i].seconds;
        if (ratio < 1 / 1.7 || ratio > 1.7)
            fail_msg("%s: %.2f", runs[i].model, ratio);
    }
}

/* "Mini-R1" of philschmid.de, January 2025: Qwen 2.5 3B, TRL 0.14 with vLLM on one of four
 * H100, 8 answers of up to 1,024 tokens, 450 steps of 8 micro-batches: about 6 hours. */
static void a_published_run_is_within_its_range(void **state)
{
    struct hardware hw = {
        .gpu = known_gpu("H100"), .gpus = 4, .per_node = 4, .host_bytes = NAN};
    struct notes notes = {.len = 0};
    struct error err = {0};
    struct setup s;
    struct job job;
    double hours;

    (void)state;
    fill_job(&job, "model=qwen2.5-3b objective=grpo steps=450 micro_batch=8 accumulation=8 "
                   "rollout.rounds=micro-batch rollout.completion=1024 rollout.prompt=256 "
                   "rollout.engine_gpus=1");
    assert_true(choose_training(&job, &hw, &known_constants, &s, &notes, &err));
    hours = 450 * estimate_step(&s, &known_constants).total / 3600;
    assert_true(hours > 6 / 1.5 && hours < 6 * 1.5);
}

static void only_what_writes_text_is_aligned(void **state)
{
    struct hardware hw = {
        .gpu = known_gpu("H100"), .gpus = 1, .per_node = 1, .host_bytes = NAN};
    struct notes notes = {.len = 0};
    struct error err = {0};
    struct setup s;
    struct job job;

    (void)state;
    fill_job(&job, "model=bert-base objective=dpo");
    assert_false(choose_training(&job, &hw, &known_constants, &s, &notes, &err));
    assert_non_null(strstr(err.text, "for models that write text"));
}

int group_alignment(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_take_two_sequences_and_a_reference),
        cmocka_unit_test(an_average_beyond_the_longest_answer_is_refused),
        cmocka_unit_test(answers_take_longer_the_longer_they_are),
        cmocka_unit_test(ppo_trains_a_critic),
        cmocka_unit_test(engines_have_gpus_of_their_own_or_share),
        cmocka_unit_test(models_on_gpus_of_their_own_work_side_by_side),
        cmocka_unit_test(a_model_beside_the_critic_takes_turns_with_it),
        cmocka_unit_test(every_group_of_gpus_must_hold_its_models),
        cmocka_unit_test(an_engine_that_is_a_step_ahead_hides_its_writing),
        cmocka_unit_test(a_job_of_so_many_gpus_has_no_others),
        cmocka_unit_test(published_runs_with_gpus_of_their_own_are_near),
        cmocka_unit_test(a_published_run_is_within_its_range),
        cmocka_unit_test(only_what_writes_text_is_aligned),
    };

    return cmocka_run_group_tests(tests, known_load, known_free);
}
