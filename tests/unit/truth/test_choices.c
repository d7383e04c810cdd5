/* Which GPU was cheapest, and who would have picked it: on numbers that can be checked by
 * hand. */
#include "estimate/known.h"

#include <string.h>

#include "truth/choices.h"
#include "truth/rows.h"

#define MOST 16

static struct measured_value points[MOST];
static struct measured_way ways[MOST];
static size_t count;
static struct arena own;

static int begin(void **state)
{
    (void)state;
    memset(points, 0, sizeof points);
    memset(ways, 0, sizeof ways);
    count = 0;
    own = test_arena();
    return 0;
}

static int end(void **state)
{
    (void)state;
    arena_free(&own);
    return 0;
}

/* A way to train gpt2 on `gpus`: measured and predicted tokens a second, dollars an hour. */
static struct measured_way *add(const char *gpu, int64_t gpus, double measured,
                                double predicted, double price)
{
    struct measured_value *p = &points[count];
    struct measured_way *w = &ways[count++];

    assert_true(count <= MOST);
    p->id = STR("row");
    p->metric = METRIC_TRAINING;
    p->set = STR("dense");
    p->arch = known_arch("gpt2");
    p->setup = (struct setup){.arch = &p->arch,
                              .gpu = known_gpu(gpu),
                              .gpus = gpus,
                              .precision = PRECISION_BF16,
                              .sequence = 1024,
                              .head_share = 1};
    *w = (struct measured_way){.point = p,
                               .gpu = p->setup.gpu,
                               .gpus = gpus,
                               .per_node = gpus,
                               .measured = measured,
                               .predicted = predicted,
                               .own = NAN,
                               .price = price};
    return w;
}

static struct choices find(bool any_count)
{
    struct error err = {0};
    struct choices c;

    assert_true(choices_find(ways, count, any_count, &c, &own, &err));
    return c;
}

static struct choice_score score_of(const struct choices *c, const char *set, enum picker p)
{
    struct error err = {0};
    struct rows rows;
    const struct choice_score *scores;

    assert_true(choices_score(c, &rows, &own, &err));
    scores = rows.at;
    for (size_t i = 0; i < rows.len; i++)
        if (str_eq(scores[i].set, str_from(set)) &&
            str_eq(scores[i].picker, str_from(picker_names[p])))
            return scores[i];
    fail_msg("no score of '%s' by %s", set, picker_names[p]);
    return (struct choice_score){0};
}

static void near(double got, double expected)
{
    if (!(fabs(got - expected) < 1e-9))
        fail_msg("%.12g, not %.12g", got, expected);
}

static void picked(const struct choice *c, enum picker p, const char *gpu, double over)
{
    assert_non_null(c->pick[p]);
    if (!str_eq(c->pick[p]->gpu->name, str_from(gpu)))
        fail_msg("%s: %.*s, not %s", picker_names[p], STR_ARG(c->pick[p]->gpu->name), gpu);
    near(c->over[p], over);
}

/* Measured costs per token: T4 1/100, A100 2/400, H100 4/1000: the H100 is best at 0.004. */
static void three_kinds(void)
{
    (void)add("T4", 1, 100, 120, 1);
    (void)add("A100-SXM-80GB", 1, 400, 600, 2);
    (void)add("H100-SXM-80GB", 1, 1000, 1100, 4);
}

static void each_picker_pays_what_its_pick_cost(void **state)
{
    struct choices c;

    (void)state;
    three_kinds();
    c = find(false);
    assert_int_equal(c.len, 1);
    assert_int_equal(c.at[0].kinds, 3);
    assert_int_equal(c.alone, 0);
    assert_true(str_eq(c.at[0].best->gpu->name, STR("H100-SXM-80GB")));
    /* predicted: 1/120, 2/600, 4/1100: the A100, which cost 0.005 and not 0.004 */
    picked(&c.at[0], PICK_PREDICTED, "A100-SXM-80GB", 1.25);
    picked(&c.at[0], PICK_SETTING, "A100-SXM-80GB", 1.25);
    picked(&c.at[0], PICK_PRICE, "T4", 2.5);
    /* 16-bit peaks per dollar: 65/1, 312/2, 989/4 */
    picked(&c.at[0], PICK_PEAK, "H100-SXM-80GB", 1);
    /* GB/s per dollar: 320/1, 2039/2, 3350/4 */
    picked(&c.at[0], PICK_BANDWIDTH, "A100-SXM-80GB", 1.25);
    assert_null(c.at[0].pick[PICK_OWN]); /* no setting was chosen */
    assert_true(isnan(c.at[0].over[PICK_OWN]));
}

static void our_own_setting_decides_where_there_is_one(void **state)
{
    struct choices c;

    (void)state;
    three_kinds();
    ways[0].own = 500; /* 1/500: the T4 */
    ways[2].own = 1900;
    c = find(false);
    picked(&c.at[0], PICK_OWN, "T4", 2.5);
    assert_int_equal(score_of(&c, "dense", PICK_OWN).cases, 1);
}

static void two_kinds_are_no_choice(void **state)
{
    struct choices c;

    (void)state;
    three_kinds();
    ways[1].price = NAN; /* not available for rent */
    c = find(false);
    assert_int_equal(c.len, 0);
    assert_int_equal(c.alone, 2);
}

static void the_best_measured_setting_of_a_kind_counts(void **state)
{
    struct choices c;

    (void)state;
    three_kinds();
    (void)add("H100-SXM-80GB", 1, 500, 5000, 4); /* predicted to be fast, and is not */
    c = find(false);
    assert_int_equal(c.at[0].kinds, 3);
    assert_int_equal(c.at[0].len, 4);
    near(way_cost(c.at[0].best), 0.004);
    picked(&c.at[0], PICK_PREDICTED, "A100-SXM-80GB", 1.25);
    picked(&c.at[0], PICK_SETTING, "H100-SXM-80GB", 2); /* pays for believing it */
}

static void other_work_is_another_case(void **state)
{
    struct choices c;

    (void)state;
    three_kinds();
    points[2].setup.sequence = 2048;
    assert_int_equal(find(false).len, 0);
    points[2].setup.sequence = 1024;
    points[2].setup.precision = PRECISION_FP8;
    assert_int_equal(find(false).len, 0);
    points[2].setup.precision = PRECISION_AMP_FP16; /* of 16 bits too */
    assert_int_equal(find(false).len, 1);
    points[2].arch = known_arch("gpt2-xl");
    assert_int_equal(find(false).len, 0);
    points[2].arch = points[0].arch;
    points[2].set = STR("lora");
    assert_int_equal(find(false).len, 0);
    points[2].set = points[0].set;
    for (size_t i = 0; i < count; i++)
        if (ways[i].point == &points[2])
            ways[i].gpus = 2;
    assert_int_equal(find(false).len, 0);
    c = find(true); /* the number of GPUs is left open */
    assert_int_equal(c.len, 1);
    near(way_cost(c.at[0].best), 0.004);
}

/* Three kinds of which the prediction is right: a case of this set, model and length. */
static void three_right(const char *set, const char *model, int64_t sequence)
{
    size_t from = count;

    three_kinds();
    for (size_t i = from; i < count; i++) {
        points[i].set = str_from(set);
        points[i].arch = known_arch(model);
        points[i].setup.sequence = sequence;
        ways[i].predicted = ways[i].measured;
    }
}

static void scores_count_cases_and_models(void **state)
{
    struct choices c;
    struct choice_score s;

    (void)state;
    three_kinds(); /* gpt2: 1.25 */
    three_right("dense", "gpt2", 2048);
    three_right("dense", "gpt2-xl", 1024);
    c = find(false);
    assert_int_equal(c.len, 3);
    s = score_of(&c, "dense", PICK_PREDICTED);
    assert_int_equal(s.cases, 3);
    assert_int_equal(s.models, 2);
    near(s.within, 2.0 / 3);
    near(s.within_models, 0.75); /* one half of gpt2, all of the other */
    near(s.regret, 0.25 / 3);
    near(s.worst, 0.25);
    s = score_of(&c, "all", PICK_PRICE);
    assert_int_equal(s.cases, 3);
    near(s.within, 0);
    near(s.regret, 1.5);
}

/* The model of two sets is one model. */
static void a_model_of_two_sets_counts_once(void **state)
{
    struct choices c;
    struct choice_score s;

    (void)state;
    three_kinds(); /* gpt2: 1.25 */
    three_right("long", "gpt2", 1024);
    three_right("else", "gpt2-xl", 1024); /* between the two, by the name of the set */
    c = find(false);
    s = score_of(&c, "all", PICK_PREDICTED);
    assert_int_equal(s.models, 2);
    near(s.within_models, 0.75); /* by set and model it would be 2/3 */
    near(score_of(&c, "long", PICK_PREDICTED).within_models, 1);
}

static void the_largest_source_is_left_out_once(void **state)
{
    struct choices c;
    struct choice_score s;

    (void)state;
    three_kinds(); /* wrong */
    three_right("dense", "gpt2", 2048);
    three_right("dense", "gpt2", 4096);
    for (size_t i = 0; i < count; i++)
        points[i].source = i < 3 ? STR("ours") : STR("theirs");
    c = find(false);
    s = score_of(&c, "less largest", PICK_PREDICTED);
    assert_true(str_eq(s.without, STR("theirs")));
    assert_int_equal(s.cases, 1);
    near(s.within, 0);
    s = score_of(&c, "all", PICK_PREDICTED);
    assert_int_equal(s.cases, 3);
    assert_int_equal(s.without.len, 0);
}

/* Five per cent more than the best is as good; a hair above is not. */
static void near_the_best_is_good_enough(void **state)
{
    struct choices c;

    (void)state;
    (void)add("T4", 1, 100, 1000, 1.05);
    (void)add("A100-SXM-80GB", 1, 100, 100, 1);
    (void)add("H100-SXM-80GB", 1, 100, 100, 2);
    c = find(false);
    near(score_of(&c, "all", PICK_PREDICTED).within, 1);
    for (size_t i = 0; i < count; i++)
        if (ways[i].price == 1.05)
            ways[i].price = 1.06;
    c = find(false);
    near(score_of(&c, "all", PICK_PREDICTED).within, 0);
}

/* The ways of rows of serving, of which twice what was measured is predicted. */
static struct measured_way *read_ways(const char *text, size_t *len)
{
    struct error err = {0};
    struct measured_values found;
    struct held *held;
    struct measured_way *read;

    assert_true(points_read(TRUTH_INFERENCE, str_from(text), "rows", &known_catalog, &found,
                            &own, &err));
    held = arena_array(&own, struct held, found.len, &err);
    assert_non_null(held);
    for (size_t i = 0; i < found.len; i++)
        held[i] = (struct held){&found.at[i], {found.at[i].measured * 2, NAN, NAN}};
    assert_true(ways_read(held, found.len, &read, len, &own, &err));
    return read;
}

/* Rows of serving as ways: requests a second, by whatever was measured. */
static void serving_rows_become_requests_a_second(void **state)
{
    static const char text[] =
        "id,source,model,gpu,gpu_count,precision,batch,concurrency,input_len,output_len,"
        "tokens_per_s,throughput_kind,latency_ms,ttft_ms,itl_ms,framework,quality\n"
        "a,s,llama-2-7b,H100-SXM-80GB,1,fp16,8,,100,50,150,input+output,,,,vllm,A\n"
        "b,s,llama-2-7b,H100-SXM-80GB,1,fp16,8,,100,50,,,4000,,,vllm,A\n"
        "c,s,llama-2-7b,H100-SXM-80GB,1,fp16,8,8,100,50,,,,120,20,vllm,A\n"
        "d,s,llama-2-7b,H100-SXM-80GB,1,fp16,8,8,100,50,,,,120,,vllm,A\n"
        "e,s,llama-2-7b,H100-SXM-80GB,1,fp16,8,8,100,50,150,output,,,,vllm,C\n";
    struct measured_way *read;
    size_t len;

    (void)state;
    read = read_ways(text, &len);
    assert_int_equal(len, 3); /* d does not say how long a request takes, e is of quality C */
    near(read[0].measured, 1);
    near(read[0].predicted, 2);
    near(read[1].measured, 2); /* eight in four seconds */
    near(read[1].predicted, 1);
    near(read[2].measured, 8 / (0.120 + 49 * 0.020));
    assert_true(isnan(read[2].price));
}

/* The number of GPUs that the row names is kept in addition to the number it is read as: copies
 * of a dense model, and the square of tensor and expert parallel. */
static void ways_keep_how_many_gpus_a_row_names(void **state)
{
    static const char text[] =
        "id,source,model,gpu,gpu_count,precision,batch,concurrency,input_len,output_len,"
        "tokens_per_s,throughput_kind,tensor_parallel,framework,quality\n"
        "a,s,llama-2-7b,H100-SXM-80GB,2,fp16,8,,100,50,150,output,2,vllm,A\n"
        "b,s,llama-2-7b,H100-SXM-80GB,8,fp16,8,,100,50,150,output,2,vllm,A\n"
        "c,s,mixtral-8x7b,H100-SXM-80GB,16,fp16,8,32,100,50,150,output,4,vllm,A\n"
        "d,s,llama-2-7b,H100-SXM-80GB,,fp16,8,,100,50,150,output,2,vllm,A\n";
    static const int64_t expected[][2] = {{2, 2}, {2, 8}, {4, 16}, {2, 0}};
    struct measured_way *read;
    size_t len;

    (void)state;
    read = read_ways(text, &len);
    assert_int_equal(len, ARRAY_LEN(expected));
    for (size_t i = 0; i < len; i++) {
        assert_int_equal(read[i].gpus, expected[i][0]);
        assert_int_equal(read[i].stated, expected[i][1]);
    }
}

/* What we would choose is near what is estimated for the same setting, and never does not
 * fit. */
static void our_own_setting_is_estimated(void **state)
{
    struct error err = {0};
    struct measured_way *w;
    double rate;

    (void)state;
    w = add("H100-SXM-80GB", 1, 1, 1, 1);
    points[0].setup.per_node = 1;
    points[0].setup.rank = NAN;
    points[0].setup.network_gb_s = NAN;
    assert_true(way_own(w, &known_constants, &rate, &own, &err));
    assert_true(rate > 1e5 && rate < 1e6); /* tokens a second of gpt2 */
    points[0].arch = known_arch("llama-2-70b");
    assert_true(way_own(w, &known_constants, &rate, &own, &err));
    assert_true(isnan(rate)); /* 70B on one card */
}

int group_choices(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_picker_pays_what_its_pick_cost, begin, end),
        cmocka_unit_test_setup_teardown(our_own_setting_decides_where_there_is_one, begin, end),
        cmocka_unit_test_setup_teardown(two_kinds_are_no_choice, begin, end),
        cmocka_unit_test_setup_teardown(the_best_measured_setting_of_a_kind_counts, begin, end),
        cmocka_unit_test_setup_teardown(other_work_is_another_case, begin, end),
        cmocka_unit_test_setup_teardown(scores_count_cases_and_models, begin, end),
        cmocka_unit_test_setup_teardown(a_model_of_two_sets_counts_once, begin, end),
        cmocka_unit_test_setup_teardown(the_largest_source_is_left_out_once, begin, end),
        cmocka_unit_test_setup_teardown(ways_keep_how_many_gpus_a_row_names, begin, end),
        cmocka_unit_test_setup_teardown(near_the_best_is_good_enough, begin, end),
        cmocka_unit_test_setup_teardown(serving_rows_become_requests_a_second, begin, end),
        cmocka_unit_test_setup_teardown(our_own_setting_is_estimated, begin, end),
    };

    return cmocka_run_group_tests(tests, known_load, known_free);
}
