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
        cmocka_unit_test(a_published_run_is_within_its_range),
        cmocka_unit_test(only_what_writes_text_is_aligned),
    };

    return cmocka_run_group_tests(tests, known_load, known_free);
}
