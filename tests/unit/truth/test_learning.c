/* What learning from a few rows does to the others, on rows whose errors are known. */
#include "estimate/known.h"

#include <math.h>
#include <string.h>

#include "truth/learning.h"

#define MOST 64

static struct measured_value points[MOST];
static struct held held[MOST];
static size_t count;
static struct arch gpt2;

static void forget(void)
{
    memset(points, 0, sizeof points);
    memset(held, 0, sizeof held);
    count = 0;
    gpt2 = known_arch("gpt2");
}

/* A rate of 100 that is predicted `ratio` times as high. */
static struct measured_value *add(const char *source, double ratio)
{
    struct measured_value *p = &points[count];

    assert_true(count < MOST);
    *p = (struct measured_value){.source = str_from(source),
                                 .metric = METRIC_TRAINING,
                                 .measured = 100,
                                 .first = true,
                                 .arch = gpt2,
                                 .setup = known_setup(&gpt2, "H100", 1)};
    held[count] = (struct held){p, {100 * ratio, 0, 0}};
    count++;
    return p;
}

static struct learning_scores score(int64_t learned_from, struct arena *arena)
{
    struct learning_scores s = {0};
    struct error err = {0};

    if (!learning_score(held, count, learned_from, arena, &s, &err))
        fail_msg("%s", err.text);
    return s;
}

static const struct learning_score *source_at(const struct learning_scores *s, size_t i)
{
    return (const struct learning_score *)s->sources.at + i;
}

/* A source that is always 25 % too fast is nearly right after three rows; one that is right,
 * and one whose errors cancel, stay much as they are: three rows of one kind may mislead. */
static void what_rows_have_in_common_is_learned(void **state)
{
    struct arena arena = test_arena();
    struct learning_scores s;

    (void)state;
    forget();
    for (int i = 0; i < 12; i++) {
        (void)add("c fast", 1.25);
        (void)add("a right", i % 2 == 0 ? 1.01 : 0.99);
        (void)add("b both ways", i % 2 == 0 ? 1.2 : 1 / 1.2);
    }
    (void)add("few", 2);
    s = score(3, &arena);
    assert_int_equal(s.learned_from, 3);
    assert_int_equal(s.sources.len, 3);
    assert_str_equal(source_at(&s, 0)->name, "a right");
    assert_near(source_at(&s, 0)->change, 0, 0.005);
    assert_true(source_at(&s, 1)->change < 0.08);
    assert_str_equal(source_at(&s, 2)->name, "c fast");
    assert_int_equal(source_at(&s, 2)->rows, 12);
    assert_near(source_at(&s, 2)->before, 0.25, 1e-9);
    assert_true(source_at(&s, 2)->after < 0.01);
    assert_near(s.worst, source_at(&s, 1)->change, 1e-12);
    assert_near(s.before, source_at(&s, 1)->before, 1e-12);
    s = score(12, &arena); /* nothing is left to score */
    assert_int_equal(s.sources.len, 0);
    assert_true(isnan(s.before) && isnan(s.after) && isnan(s.worst));
    arena_free(&arena);
}

/* Memory is multiplied where rates are divided. */
static void memory_is_learned_too(void **state)
{
    struct arena arena = test_arena();
    struct learning_scores s;

    (void)state;
    forget();
    for (int i = 0; i < 12; i++)
        add("mine", 0.8)->metric = METRIC_MEMORY;
    for (int i = 0; i < 12; i++)
        add("not scored", 0.8)->reason = "quality C";
    s = score(3, &arena);
    assert_int_equal(s.sources.len, 1);
    assert_near(source_at(&s, 0)->before, 0.2, 1e-9);
    assert_true(source_at(&s, 0)->after < 0.01);
    arena_free(&arena);
}

int group_learning(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_rows_have_in_common_is_learned),
        cmocka_unit_test(memory_is_learned_too),
    };

    return cmocka_run_group_tests(tests, known_load, known_free);
}
