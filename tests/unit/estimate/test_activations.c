/* What the backward pass needs of the forward pass. */
#include "memory_cases.h"

/* Korthikanti et al., "Reducing activation recomputation", table 2. */
static void a_layer_of_gpt_is_what_the_paper_counts(void **state)
{
    const double sbh = 2048.0 * 12288, scores = 5.0 * 96 * 2048 / 12288;
    struct setup s = megatron(1, false);

    (void)state;
    within(layer_memory_of(&s, false).saved, sbh * (34 + scores), 0.01);
    s = megatron(8, false);
    within(layer_memory_of(&s, false).saved, sbh * (10 + 24.0 / 8 + scores / 8), 0.01);
    s = megatron(8, true);
    within(layer_memory_of(&s, false).saved, sbh * (34 + scores) / 8, 0.01);
    s.recompute = RECOMPUTE_SELECTIVE;
    within(layer_memory_of(&s, false).saved, sbh * 34 / 8, 0.01);
    s.recompute = RECOMPUTE_FULL;
    within(stage_activations(&s), sbh * 2 / 8 * 96, 0.01);
}

static void a_fused_loss_never_has_all_logits(void **state)
{
    struct constants c = numbers();
    struct setup s = setup_for(&llama3_8b, &h200);
    double all_logits = loss_memory(&s, &c);

    (void)state;
    within(all_logits, 2048.0 * 128256 * 12, 1e-9);
    s.fused_loss = true;
    assert_true(loss_memory(&s, &c) < all_logits / 4);
    s.fused_loss = false;
    s.gpus = s.tensor = 8;
    within(loss_memory(&s, &c), all_logits / 8, 1e-9);
    s.head_share = 0;
    assert_true(loss_memory(&s, &c) == 0);
}

static void context_parallel_divides_the_sequence(void **state)
{
    struct setup s = setup_for(&llama3_8b, &h200), cut = s;

    (void)state;
    cut.gpus = cut.context = cut.shard = 4;
    within(layer_memory_of(&cut, false).saved, layer_memory_of(&s, false).saved / 4, 1e-9);
}

static void experts_get_copies_of_the_tokens(void **state)
{
    struct constants c = numbers();
    struct setup s = setup_for(&mixtral, &h200);
    double one = estimate_memory(&s, &c).weights, two;
    double extra = layer_memory_of(&s, true).saved;

    (void)state;
    /* Two experts: twice the wide tensors, and the stream copied there and back for each. */
    assert_true(extra > 2048.0 * 2 * (4 * 2 * 14336 + 4 * 4096));
    s.gpus = s.data = s.expert = s.shard = 8;
    two = estimate_memory(&s, &c).weights;
    within(one - two, arch_count(&mixtral).experts * 2 * 7 / 8, 1e-9);
}

/* Scores in fp32: no kernel does without their matrix when heads share keys. */
static void shared_keys_in_fp32_bring_the_scores_back(void **state)
{
    struct setup s = setup_for(&llama3_8b, &h200);
    double narrow = layer_memory_of(&s, false).saved, fp32;

    (void)state;
    s.precision = PRECISION_TF32;
    fp32 = layer_memory_of(&s, false).saved;
    assert_true(fp32 > 2 * narrow + 32.0 * 2048 * 2048 * 3.9);
}

int group_activations(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_layer_of_gpt_is_what_the_paper_counts),
        cmocka_unit_test(a_fused_loss_never_has_all_logits),
        cmocka_unit_test(context_parallel_divides_the_sequence),
        cmocka_unit_test(experts_get_copies_of_the_tokens),
        cmocka_unit_test(shared_keys_in_fp32_bring_the_scores_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
