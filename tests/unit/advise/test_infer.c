/* What a prediction costs, by hand; the formulas of the seeds; break-even; what an optimization
 * may cost. */
#include "test.h"

#include "advise/economics/infer.h"

static struct arena arena;
static struct error err;

static int set_up(void **state)
{
    (void)state;
    arena = test_arena();
    err = (struct error){0};
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

#define WAYS 4

static const struct job_slo no_target;
static const struct token_price tokens;
static struct deploy ways[WAYS];
static struct deploy_cost costs[WAYS];
static struct plan_deployment rows[WAYS];
static struct plan_result plan;
static struct deploy_set set;
static struct infer_ask ask;
static struct infer_answer answer;

static struct deploy machine(enum deployment kind, double usd_h, double most_rate)
{
    struct deploy d = deploy_none(kind);

    d.service_s = d.first_s = 0.8 / most_rate;
    d.most_rate = most_rate;
    d.price = (usd_per_hour){(int64_t)(usd_h * 1e9)};
    d.input_share = 0.25;
    d.warm.request_p95 = 1 / most_rate;
    d.warm.max_rate = 1.25 * most_rate;
    return d;
}

static struct deploy api(double usd_request)
{
    struct deploy d = deploy_none(DEPLOY_API);

    d.tokens = &tokens;
    d.usd_request = usd_request;
    d.most_rate = INFINITY;
    d.input_share = 0.5;
    d.warm.request_p95 = NAN;
    return d;
}

/* The ways that were set, as the planner would hand them over; the first is the best. */
static void serve(size_t count, double rate, const struct deploy_traffic *traffic)
{
    set = (struct deploy_set){.at = ways,
                              .cost = costs,
                              .count = count,
                              .demand = {&no_target, 24, traffic},
                              .rate = rate};
    for (size_t i = 0; i < count; i++) {
        assert_true(deploy_month(&ways[i], &set.demand, rate, &costs[i]));
        assert_true(fields_reset(&plan_deployment_fields, &rows[i], &arena, &err));
        rows[i].deployment = str_from(deployment_names[ways[i].kind]);
        rows[i].best = i == 0;
        rows[i].cost = usd_from(costs[i].usd);
    }
    plan = (struct plan_result){.deployments = {rows, count}};
    ask.set = &set;
    ask.plan = &plan;
    ask.traffic = traffic;
    ask.slo = ask.slo != NULL ? ask.slo : &no_target;
    ask.hours_per_day = 24;
    ask.speedup = ask.speedup > 0 ? ask.speedup : 2;
    ask.months = 12;
    assert_true(infer_answer(&ask, &arena, &answer, &err));
}

static const struct infer_row *row_at(size_t i)
{
    return &((const struct infer_row *)answer.rows.at)[i];
}

/* $0.1/hr is $72 a month; 5/s of 10/s are 12,960,000 requests a month. */
static void predictions_and_tokens_by_hand(void **state)
{
    (void)state;
    ask = (struct infer_ask){.input = 1000, .output = 100};
    ways[0] = machine(DEPLOY_GPU, 0.1, 10);
    serve(1, 5, NULL);
    assert_near(answer.requests_month, 12960000, 1e-6);
    assert_near(row_at(0)->utilization, 0.5, 1e-12);
    assert_near(usd_double(row_at(0)->per_thousand), 72 / 12960.0, 1e-9);
    assert_near(usd_double(row_at(0)->per_thousand_used), 36 / 12960.0, 1e-9);
    /* A quarter of $72 reads 12,960 million tokens, the rest writes 1,296 million. */
    assert_near(usd_double(row_at(0)->per_million_input), 18 / 12960.0, 1e-9);
    assert_near(usd_double(row_at(0)->per_million_output), 54 / 1296.0, 1e-9);
    assert_near(usd_double(row_at(0)->per_million_output_used), 27 / 1296.0, 1e-9);
    /* As a batch at 12.5/s: 288 hours. */
    assert_near(answer.batch_hours, 288, 1e-9);
    assert_near(usd_double(answer.batch_cost), 28.8, 1e-9);
}

/* 30 % from a cache: 5/s reach the model, 7.14/s are predictions. */
static void a_cache_makes_predictions_cheaper(void **state)
{
    (void)state;
    ask = (struct infer_ask){.input = 1000, .output = 100, .cache_hits = 0.3};
    ways[0] = machine(DEPLOY_GPU, 0.1, 10);
    serve(1, 5, NULL);
    assert_near(answer.rate, 5 / 0.7, 1e-9);
    assert_near(usd_double(row_at(0)->per_thousand), 0.7 * 72 / 12960.0, 1e-9);
}

/* An API at $0.00001 and a machine at $72: equal at 7.2 million requests, 2.78/s. */
static void break_even_of_each_pair(void **state)
{
    const struct infer_even *evens;

    (void)state;
    ask = (struct infer_ask){0};
    ways[0] = machine(DEPLOY_GPU, 0.1, 100);
    ways[1] = api(1e-5);
    ways[2] = machine(DEPLOY_MANAGED, 0.2, 100);
    serve(3, 5, NULL);
    evens = answer.evens.at;
    assert_int_equal(answer.evens.len, 3);
    assert_str_equal(evens[0].cheaper, "GPU machine");
    assert_str_equal(evens[0].other, "hosted API");
    assert_near(evens[0].below_rate, 7.2e6 / 2592000, 1e-6);
    assert_near(evens[0].below_month, 7.2e6, 1);
    assert_true(isnan(evens[0].above_rate));
    assert_true(isnan(evens[1].below_rate) && isnan(evens[1].above_rate));
    /* $129.6 at 5/s, less than $144: up to 5.56/s. */
    assert_str_equal(evens[2].cheaper, "hosted API");
    assert_near(evens[2].above_rate, 1.44e7 / 2592000, 1e-6);
}

/* The rates are means of all requests, whatever the peak and the cache. */
static void break_even_in_mean_rates(void **state)
{
    struct deploy_traffic t = {.hours = 24};
    const struct infer_even *evens;

    (void)state;
    for (size_t i = 0; i < 24; i++)
        t.share[i] = i < 12 ? 1 : 0.5;
    ask = (struct infer_ask){.cache_hits = 0.5};
    ways[0] = machine(DEPLOY_GPU, 0.1, 1000);
    ways[1] = api(1e-5);
    serve(2, 10, &t);
    evens = answer.evens.at;
    assert_near(answer.peak_rate, 20, 1e-9);
    assert_near(answer.rate, 15, 1e-9);
    assert_near(evens[0].below_month, 1.44e7, 10); /* half of them pay */
    assert_near(evens[0].below_rate, 1.44e7 / 2592000, 1e-5);
}

/* Seed 001: "Break_Even_Optimization_Cost = (Current_Cost_Per_Prediction -
 * Optimized_Cost_Per_Prediction) * Monthly_Volume * Payback_Months". */
static void an_optimization_may_cost_what_it_saves(void **state)
{
    const struct infer_payback *p;
    double now, then;

    (void)state;
    ask = (struct infer_ask){0};
    ways[0] = machine(DEPLOY_GPU, 0.1, 10);
    serve(1, 38, NULL); /* 4 machines; 2 when it is twice as fast */
    p = answer.paybacks.at;
    now = usd_double(row_at(0)->per_thousand) / 1000;
    then = usd_double(p->per_thousand) / 1000;
    assert_near(usd_double(p->saves), 144, 1e-6);
    assert_near(usd_double(p->max_cost), 1728, 1e-6);
    /* The seed's formula, in nanodollars of 1,000 predictions. */
    assert_near((now - then) * answer.requests_month * 12, 1728, 0.01);
    /* One machine stays one machine. */
    serve(1, 8, NULL);
    p = answer.paybacks.at;
    assert_near(usd_double(p->saves), 0, 1e-9);
    assert_near(usd_double(p->max_cost), 0, 1e-9);
    /* What is paid by tokens gets no cheaper, but a machine may then be the best. */
    ways[0] = api(1e-6);
    ways[1] = machine(DEPLOY_GPU, 0.1, 10);
    serve(2, 20, NULL); /* $51.84, and $144; then $72 */
    p = answer.paybacks.at;
    assert_near(usd_double(p->saves), 0, 1e-9);
    ways[0] = api(2e-6); /* $103.68 */
    serve(2, 20, NULL);
    p = answer.paybacks.at;
    assert_str_equal(p->deployment, "GPU machine");
    assert_near(usd_double(p->saves), 31.68, 1e-6);
}

/* Seed 001: "Instance_Hours = (Requests_Per_Second * Latency / Batch_Size) /
 * Max_Concurrent_Requests * Hours": 100/s of 50 ms in batches of 5, 2 at a time, is half of an
 * instance. What is rented is a complete one, at most 80 % busy. */
static void instance_hours_of_the_seed(void **state)
{
    double seed = 100 * 0.05 / 5 / 2 * 720;
    struct deploy d = machine(DEPLOY_GPU, 1, 0.8 * 2 * 5 / 0.05); /* 160/s */

    (void)state;
    assert_near(seed, 360, 1e-9);
    ask = (struct infer_ask){0};
    ways[0] = d;
    serve(1, 100, NULL);
    assert_near(usd_double(row_at(0)->at.cost), 720, 1e-6);
    /* At the part that is used: 100 of 160/s of $720 are the seed's hours, 80 % busy. */
    assert_near(720 * row_at(0)->utilization, seed / 0.8, 1e-9);
    /* "Cost_Per_1000 = (Cost / Predictions) * 1000" */
    assert_near(usd_double(row_at(0)->per_thousand), 720 / 259200000.0 * 1000, 1e-9);
}

/* Seed 002: 10 million a day at $0.0000167 for 1,000 is $5.01 a month there; but that is the
 * price of a GB-second, and requests alone are $0.20 a million: $60. */
static void lambda_of_the_seed(void **state)
{
    static const struct serverless lambda = {.usd_per_million_requests = {200000000},
                                             .usd_per_million_gb_seconds = {16666700000},
                                             .usd_per_million_vcpu_seconds = {MONEY_UNKNOWN},
                                             .usd_per_gpu_hour = {MONEY_UNKNOWN}};
    static const struct serverless_terms terms = {.billing = {"request", 7},
                                                  .step_ms = 1,
                                                  .minimum_ms = 1,
                                                  .starts_billed = {"no", 2},
                                                  .instances_high = NAN,
                                                  .free_requests = NAN};
    struct deploy d = deploy_none(DEPLOY_SERVERLESS);

    (void)state;
    d.service_s = d.first_s = 0.002; /* its ~2 ms */
    d.most_rate = INFINITY;
    d.functions = true;
    d.idle_s = 600;
    d.cold_s = 1e-9;
    d.paid = &lambda;
    d.terms = &terms;
    d.size = (struct serverless_size){.vcpus = 1, .memory_gb = 0.128};
    ask = (struct infer_ask){0};
    ways[0] = d;
    serve(1, 10e6 / 86400, NULL);
    /* 300 million requests: $60, and 300e6 x 2 ms x 0.128 GB = 76,800 GB-s: $1.28. */
    assert_near(usd_double(row_at(0)->at.cost), 61.28, 0.01);
    assert_true(usd_double(row_at(0)->per_thousand) > 10 * 0.0000167);
    /* "$0.02" for a million is $0.204. */
    assert_near(usd_double(row_at(0)->per_thousand) * 1000, 0.204, 0.001);
}

/* A copy takes 8 requests at 10/s; a start takes half an hour, in which the rate grows by
 * half of what it does in an hour. */
static void an_autoscaler_gets_its_numbers(void **state)
{
    struct deploy_traffic t = {.hours = 24};
    const struct infer_scaling *row;

    (void)state;
    for (size_t i = 0; i < 24; i++)
        t.share[i] = i < 12 ? 0.25 : i < 18 ? 1 : 0.5;
    ask = (struct infer_ask){.input = 1000, .output = 100};
    ways[0] = machine(DEPLOY_GPU, 0.1, 10);
    ways[0].accelerator = STR("L4");
    ways[0].warm.batch = 6;
    ways[0].start_s = 1800;
    serve(1, 40, &t);
    assert_int_equal(answer.scaling.len, 1);
    row = answer.scaling.at;
    assert_near(row->least, 1, 0);
    assert_near(row->most, 4, 0);
    assert_near(row->full, 6, 1e-9);     /* four copies at 40/s are full */
    assert_near(row->growth, 1.5, 1e-9); /* from a quarter to all, half of an hour's growth */
    assert_near(row->target, 2, 0);
    assert_near(row->down_after_s, 1800, 0);
    ways[0].start_s = 30;
    serve(1, 35, &t);
    row = answer.scaling.at;
    assert_near(row->full, 6 * 10 / 8.75, 1e-9);
    assert_near(row->down_after_s, 300, 0);
    ways[0].start_s = NAN;
    serve(1, 35, &t);
    assert_int_equal(answer.scaling.len, 0);
    ways[0].start_s = 30;
    serve(1, 35, NULL);
    assert_int_equal(answer.scaling.len, 0);
}

/* Seed 002: c5.large for steady traffic at "$0.75 a day" is $2.04 a day. */
static void c5_large_of_the_seed(void **state)
{
    (void)state;
    ask = (struct infer_ask){0};
    ways[0] = machine(DEPLOY_CPU, 0.085, 1600); /* 0.5 ms each, 80 % busy */
    serve(1, 1e6 / 86400, NULL);
    assert_near(usd_double(row_at(0)->at.cost) / 30, 2.04, 0.001);
}

static const struct infer_decision *decision(size_t i)
{
    return &((const struct infer_decision *)answer.decisions.at)[i];
}

/* Seed 001's decision tree, at each of its thresholds. */
static void the_decision_tree(void **state)
{
    static const struct {
        double p95_s;
        const char *answer, *rule;
    } latency[] = {
        {0.0099, "real-time (under 10 ms)", "GPU, optimized model"},
        {0.010, "real-time (10 to 100 ms)", "GPU, or an optimized CPU"},
        {0.0999, "real-time (10 to 100 ms)", "GPU, or an optimized CPU"},
        {0.1, "near-real-time (100 ms to 1 s)", "CPU, quantized model"},
        {1, "near-real-time (100 ms to 1 s)", "CPU, quantized model"},
        {1.01, "batch (over 1 s)", "batch inference: any way, the cheapest"},
    };
    struct job_slo slo = {0};

    (void)state;
    ask = (struct infer_ask){.slo = &slo};
    ways[0] = machine(DEPLOY_GPU, 0.1, 10);
    ways[1] = machine(DEPLOY_CPU, 0.3, 10);
    for (size_t i = 0; i < ARRAY_LEN(latency); i++) {
        slo.p95 = span_hours(latency[i].p95_s / 3600);
        serve(2, 5, NULL);
        assert_str_equal(decision(0)->answer, latency[i].answer);
        assert_str_equal(decision(0)->rule, latency[i].rule);
    }
    /* The rule's CPU costs $144 more than the best. */
    slo.p95 = span_hours(0.5 / 3600);
    serve(2, 5, NULL);
    assert_str_equal(decision(0)->choice, "CPU machine");
    assert_near(decision(0)->more_usd, 144, 1e-6);
    assert_str_equal(decision(0)->verdict, "disagrees");
    /* Traffic: constant, and low at a tenth of a machine. */
    assert_str_equal(decision(1)->answer, "constant");
    assert_str_equal(decision(1)->verdict, "agrees");
    serve(2, 1.01, NULL);
    assert_str_equal(decision(1)->answer, "constant");
    serve(2, 0.99, NULL);
    assert_str_equal(decision(1)->answer, "low (one machine is under 10 % busy)");
    assert_str_equal(decision(1)->verdict, "cannot be followed");
}

/* A request takes 80 ms alone: at most 10/s a copy when one at a time, 80 % busy. */
static void one_at_a_time_takes_more_machines(void **state)
{
    const struct infer_batching *b;

    (void)state;
    ask = (struct infer_ask){0};
    ways[0] = machine(DEPLOY_GPU, 0.1, 100);
    ways[0].service_s = ways[0].first_s = 0.08;
    ways[0].accelerator = STR("L4");
    ways[0].warm.batch = 8;
    serve(1, 95, NULL);
    assert_int_equal(answer.batching.len, 1);
    b = answer.batching.at;
    assert_near(b->machines, 1, 0);
    assert_near(usd_double(b->cost), 72, 1e-6);
    assert_near(b->alone_machines, 10, 0);
    assert_near(usd_double(b->alone_cost), 720, 1e-3);
    assert_true(b->alone_p95_s > 0.08);
    /* Without a GPU there is nothing to compare. */
    ways[0].accelerator = (struct str){0};
    serve(1, 95, NULL);
    assert_int_equal(answer.batching.len, 0);
}

static void hours_add_up_to_the_month(void **state)
{
    struct deploy_traffic t = {.hours = 24};
    const struct infer_hour *hours;
    double sum = 0;

    (void)state;
    for (size_t i = 0; i < 24; i++)
        t.share[i] = i < 6 ? 0 : i < 18 ? 1 : 0.3;
    ask = (struct infer_ask){0};
    ways[0] = machine(DEPLOY_GPU, 0.1, 10);
    serve(1, 35, &t);
    hours = answer.hours.at;
    assert_int_equal(answer.hours.len, 24);
    assert_near(hours[0].machines, 1, 0);
    assert_near(hours[6].machines, 4, 0);
    assert_near(hours[18].machines, 2, 0);
    for (size_t i = 0; i < 24; i++)
        sum += usd_double(hours[i].cost);
    assert_near(sum * 30, usd_double(row_at(0)->at.cost), 1e-3);
    assert_near(usd_double(row_at(0)->fixed_cost), 4 * 72, 1e-6);
    assert_near(row_at(0)->starts, 3 * 30, 1e-9);
}

static void conditional_ways_are_never_chosen(void **state)
{
    const struct infer_payback *p;

    (void)state;
    ask = (struct infer_ask){0};
    ways[0] = machine(DEPLOY_GPU, 0.1, 10);
    ways[1] = machine(DEPLOY_SHARED, 0.01, 10);
    ways[1].condition = STR("if");
    serve(2, 5, NULL);
    p = answer.paybacks.at;
    assert_str_equal(p->deployment, "GPU machine");
    assert_str_equal(decision(0)->choice, "GPU machine");
}

int group_infer(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(predictions_and_tokens_by_hand),
        cmocka_unit_test(a_cache_makes_predictions_cheaper),
        cmocka_unit_test(break_even_of_each_pair),
        cmocka_unit_test(break_even_in_mean_rates),
        cmocka_unit_test(an_optimization_may_cost_what_it_saves),
        cmocka_unit_test(instance_hours_of_the_seed),
        cmocka_unit_test(lambda_of_the_seed),
        cmocka_unit_test(c5_large_of_the_seed),
        cmocka_unit_test(the_decision_tree),
        cmocka_unit_test(one_at_a_time_takes_more_machines),
        cmocka_unit_test(hours_add_up_to_the_month),
        cmocka_unit_test(conditional_ways_are_never_chosen),
        cmocka_unit_test(an_autoscaler_gets_its_numbers),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
