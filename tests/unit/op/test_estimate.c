/* estimate: a job in, numbers out; what cannot be says what can. */
#include "world.h"

#include <math.h>
#include <unistd.h>

#include "base/fs.h"
#include "op/context.h"
#include "op/estimate/estimate.h"
#include "op/op.h"

#define MOST_SETS 8

struct asked {
    const char *job, *on, *offer, *sweep, *tokens, *method, *market, *price;
    const char *set[MOST_SETS];
    bool explain;
};

static void fill(struct world *w, const struct asked *a, struct estimate_request *req)
{
    static struct str sets[MOST_SETS];
    struct error err = {0};
    size_t n = 0;

    assert_true(fields_reset(op_estimate.request, req, &w->arena, &err));
    req->source.job = str_from(a->job);
    req->place.on = str_from(a->on);
    req->place.offer = str_from(a->offer);
    req->sweep = str_from(a->sweep);
    req->source.tokens = str_from(a->tokens);
    req->source.method = str_from(a->method);
    req->place.market = str_from(a->market);
    req->explain = a->explain;
    while (n < MOST_SETS && a->set[n] != NULL) {
        sets[n] = str_from(a->set[n]);
        n++;
    }
    req->source.set = (struct strs){sets, n};
    if (a->price != NULL)
        assert_true(usd_per_hour_parse(str_from(a->price), &req->place.price, &err));
}

static bool estimate(struct world *w, const struct asked *a, struct estimate *res,
                     struct error *err)
{
    struct estimate_request req;

    *err = (struct error){0};
    assert_true(fields_reset(op_estimate.result, res, &w->arena, err));
    fill(w, a, &req);
    return op_estimate.run(&w->ctx, &req, res, err);
}

static struct estimate estimated(struct world *w, struct asked asked)
{
    struct estimate res;
    struct error err;

    if (!estimate(w, &asked, &res, &err))
        fail_msg("%s | %s", err.text, err.hint);
    return res;
}

static void refused(struct world *w, struct asked asked, enum error_kind kind, const char *text,
                    const char *hint)
{
    struct estimate res;
    struct error err;

    if (estimate(w, &asked, &res, &err))
        fail_msg("'%s' was not refused", text);
    if (strstr(err.text, text) == NULL || strstr(err.hint, hint) == NULL)
        fail_msg("'%s | %s' does not say '%s | %s'", err.text, err.hint, text, hint);
    assert_int_equal(err.kind, kind);
}

static void is_guess(struct guess g, double low, double high)
{
    if (!(g.value >= low && g.value <= high && g.low <= g.value && g.value <= g.high &&
          g.low > 0 && isfinite(g.high)))
        fail_msg("%g (%g to %g) is not between %g and %g", g.value, g.low, g.high, low, high);
}

static double sum_of(struct rows parts, double *shares)
{
    const struct estimate_part *p = parts.at;
    double sum = 0;

    *shares = 0;
    for (size_t i = 0; i < parts.len; i++) {
        assert_true(p[i].amount > 0 && p[i].name.len > 0 && p[i].help.len > 0);
        sum += p[i].amount;
        *shares += p[i].share;
    }
    return sum;
}

/* --- training ----------------------------------------------------------------------------- */

static void a_known_model_has_plausible_numbers(void **state)
{
    struct estimate r =
        estimated(*state, (struct asked){.job = "llama-2-7b", .on = "H100x8", .tokens = "1B"});
    double shares;

    assert_int_equal(r.kind, JOB_TRAIN);
    assert_str_equal(r.model, "llama-2-7b");
    assert_str_equal(r.accelerator, "H100-SXM-80GB");
    assert_true(r.params == 6738415616.0 && r.trained_params == r.params);
    assert_int_equal(r.gpus, 8);
    assert_int_equal(r.data * r.tensor * r.pipeline * r.context, 8);
    assert_true(r.fits && r.memory_gb > 30 && r.memory_gb <= r.usable_gb);
    is_guess(r.rate, 50e3, 150e3); /* tokens a second of 8 H100 */
    is_guess(r.hours, 1.5, 6);
    assert_true(r.mfu > 0.3 && r.mfu < 0.7);
    assert_true(r.watts > 3000 && r.watts < 11000);
    is_guess(r.energy_kwh, 5, 60);
    is_guess(r.carbon_kg, 0.1, 60);
    assert_true(fabs(r.hours.value * 3600 * r.rate.value / 1e9 - 1) < 1e-3); /* whole steps */
    assert_true(fabs(r.steps * r.step_s.value / 3600 / r.hours.value - 1) < 1e-9);
    assert_true(fabs(sum_of(r.memory, &shares) / r.memory_gb - 1) < 1e-9);
    assert_true(fabs(shares - 1) < 1e-9);
    assert_true(fabs(sum_of(r.step, &shares) / r.step_s.value - 1) < 1e-9);
    assert_true(fabs(shares - 1) < 1e-9);
    assert_true(r.notes.len > 3);
}

static void energy_counts_trials_failures_and_setup(void **state)
{
    struct asked plain = {.job = "llama-2-7b",
                          .offer = "aws/us-east-1/p5.48xlarge",
                          .tokens = "1B",
                          .set = {"setup=1s"}};
    struct estimate once = estimated(*state, plain), more;

    plain.set[0] = "setup=10h";
    more = estimated(*state, plain);
    assert_true(more.energy_kwh.value >
                once.energy_kwh.value); /* boards idle: less than work */
    assert_true(more.energy_kwh.value < once.energy_kwh.value * (1 + 10 / once.hours.value));
    plain.set[0] = "search.trials=20";
    plain.set[1] = "setup=1s";
    more = estimated(*state, plain);
    assert_true(fabs(more.energy_kwh.value / once.energy_kwh.value - 21) < 0.02);
    assert_true(fabs(more.carbon_kg.value / once.carbon_kg.value - 21) < 0.02);
    plain.set[0] = "failures=10%";
    more = estimated(*state, plain);
    assert_true(fabs(more.energy_kwh.value / once.energy_kwh.value - 1.1) < 0.02);
}

static bool has_text(struct strs texts, const char *words)
{
    for (size_t i = 0; i < texts.len; i++)
        if (str_has_nocase(texts.at[i], str_from(words)))
            return true;
    return false;
}

static void carbon_is_given_in_trees_and_offsets(void **state)
{
    struct estimate small =
        estimated(*state, (struct asked){.job = "llama-2-7b", .on = "H100x8", .tokens = "1M"});
    struct estimate large = estimated(
        *state, (struct asked){.job = "llama-2-7b", .on = "A100x256", .tokens = "2T"});

    assert_true(has_text(small.equivalents, "a grown tree absorbs in"));
    assert_true(has_text(large.equivalents, "grown trees absorb in a year"));
    assert_true(has_text(large.equivalents, "000 km by car"));
    assert_int_equal(large.equivalents.len, large.equivalent_sources.len);
    assert_true(fabs(usd_double(large.offset_high) /
                         (large.carbon_kg.value / 1000 * large.offset_high_usd_t) -
                     1) < 1e-6);
    assert_true(large.offset_low_usd_t > 0 && large.offset_low_usd_t < 20);
}

static void cost_lines_add_up_to_the_total(void **state)
{
    struct estimate r =
        estimated(*state, (struct asked){.job = "llama-2-7b",
                                         .offer = "aws/us-east-1/p5.48xlarge",
                                         .tokens = "1B",
                                         .set = {"storage.size=500GB", "storage.duration=30d",
                                                 "failures=10%", "download=200GB",
                                                 "search.trials=4", "search.fraction=25%"}});
    const struct estimate_line *lines = r.cost.at;
    int64_t sum = 0;

    assert_true(r.cost.len >= 5);
    for (size_t i = 0; i < r.cost.len; i++) {
        assert_true(lines[i].amount.nano > 0);
        sum += lines[i].amount.nano;
    }
    assert_int_equal(sum, r.total.nano);
    assert_true(r.total_low.nano < r.total.nano && r.total.nano < r.total_high.nano);
    assert_str_equal(r.offer, "aws/us-east-1/p5.48xlarge");
    assert_str_equal(r.region, "us-east-1");
}

static void the_compute_is_hours_times_price(void **state)
{
    struct estimate r = estimated(
        *state, (struct asked){
                    .job = "llama-2-7b", .on = "H100x8", .tokens = "1B", .price = "10usd/hr"});
    const struct estimate_line *lines = r.cost.at;

    assert_str_equal(lines[0].name, "compute");
    assert_true(fabs((double)lines[0].amount.nano / 1e9 / (10 * r.hours.value) - 1) < 1e-6);
}

static void without_data_there_is_a_rate_but_no_total(void **state)
{
    struct estimate r = estimated(*state, (struct asked){.job = "llama-2-7b", .on = "H100x8"});

    is_guess(r.rate, 50e3, 150e3);
    assert_true(isnan(r.hours.value) && isnan(r.tokens));
    assert_true(r.total.nano == MONEY_UNKNOWN);
}

static void options_change_what_they_say(void **state)
{
    struct estimate lora =
        estimated(*state, (struct asked){.job = "llama-2-7b",
                                         .on = "A100",
                                         .method = "lora",
                                         .set = {"rank=8", "targets=q,v", "batch=2"}});
    struct estimate size =
        estimated(*state, (struct asked){.job = "7B", .on = "8xH100", .set = {"zero=3"}});
    struct estimate picture = estimated(*state, (struct asked){.job = "resnet50", .on = "T4"});

    assert_true(lora.trained_params == 4194304);
    assert_int_equal(lora.micro_batch, 2);
    assert_true(size.assumed);
    assert_int_equal(size.zero, 3);
    assert_true(fabs(size.params / 7e9 - 1) < 0.1);
    assert_str_equal(picture.rate_unit, "samples/s");
    is_guess(picture.rate, 20, 2000);
}

static void spot_is_no_dearer_than_on_demand(void **state)
{
    struct asked asked = {.job = "llama-2-7b", .on = "A100x8", .tokens = "1B"};
    struct estimate on_demand = estimated(*state, asked), spot;

    asked.market = "spot";
    spot = estimated(*state, asked);
    assert_str_equal(on_demand.market, "on-demand");
    assert_str_equal(spot.market, "spot");
    assert_true(spot.price.nano <= on_demand.price.nano);
}

static void machines_are_rented_whole(void **state)
{
    struct estimate r = estimated(*state, (struct asked){.job = "llama-2-7b",
                                                         .on = "H100x16",
                                                         .offer = "aws/p5.48xlarge",
                                                         .tokens = "1B"});

    assert_int_equal(r.machines, 2);
    assert_int_equal(r.nodes, 2);
    r = estimated(*state,
                  (struct asked){.job = "gpt2", .on = "H100x4", .offer = "aws/p5.48xlarge"});
    assert_int_equal(r.machines, 1);
    assert_int_equal(r.gpus, 4);
}

/* --- serving and measured work ------------------------------------------------------------ */

static struct files {
    char folder[64], job[96];
} files;

static const char *job_file(const char *text)
{
    struct error err = {0};

    (void)snprintf(files.folder, sizeof files.folder, "/tmp/stint-estimate-XXXXXX");
    assert_non_null(mkdtemp(files.folder));
    (void)snprintf(files.job, sizeof files.job, "%s/job.yaml", files.folder);
    assert_true(fs_replace(files.job, str_from(text), &err));
    return files.job;
}

static void remove_job(void)
{
    (void)unlink(files.job);
    (void)rmdir(files.folder);
}

static void serving_has_latency_and_a_price_for_tokens(void **state)
{
    struct estimate r = estimated(
        *state, (struct asked){.job = job_file("infer:\n  model: llama-2-7b\n  input: 512\n"
                                               "  output: 128\n  rate: 2/s\n"),
                               .on = "A100"});

    assert_int_equal(r.kind, JOB_INFER);
    is_guess(r.prefill_s, 0.01, 2);
    is_guess(r.decode_s, 0.005, 0.1);
    is_guess(r.rate, 20, 10000);
    is_guess(r.usd_per_million_tokens, 0.05, 50);
    assert_true(r.max_batch >= 8 && r.max_context >= 4096);
    assert_true(r.p50_s > 0 && r.p50_s <= r.p95_s && r.p95_s <= r.p99_s);
    assert_true(r.utilization > 0 && r.utilization < 1);
    assert_true(fabs(r.usd_per_thousand.value / (r.usd_per_million_tokens.value * 0.128) - 1) <
                1e-6);
    remove_job();
}

static void a_measured_rate_is_carried_to_another_card(void **state)
{
    const char *job = job_file("train:\n  measured: {gpu: A100-SXM-80GB, samples_s: 400, "
                               "memory: 21GB}\n  data: {examples: 1440000}\n");
    struct estimate same = estimated(*state, (struct asked){.job = job, .on = "A100-SXM-80GB"});
    struct estimate other = estimated(*state, (struct asked){.job = job, .on = "H100x2"});

    assert_true(same.rate.value == 400);
    assert_true(fabs(same.hours.value - 1) < 1e-9);
    assert_true(other.rate.value > 2 * 400);
    assert_true(other.rate.high / other.rate.low > same.rate.high / same.rate.low);
    refused(*state, (struct asked){.job = job, .on = "T4"}, ERROR_UNFIT, "", "");
    remove_job();
}

/* --- sweeps ------------------------------------------------------------------------------- */

static void a_sweep_has_a_row_for_each_value(void **state)
{
    struct estimate r = estimated(*state, (struct asked){.job = "llama-2-7b",
                                                         .on = "H100x8",
                                                         .sweep = "zero=0..3",
                                                         .set = {"batch=1"}});
    const struct estimate_sweep_row *rows = r.sweep.at;

    assert_int_equal(r.sweep.len, 4);
    assert_str_equal(r.sweep_key, "zero");
    for (size_t i = 0; i < 4; i++) {
        char value[8];

        (void)snprintf(value, sizeof value, "%zu", i);
        assert_str_equal(rows[i].value, value);
        assert_true(rows[i].memory_gb > 0 && rows[i].step_s > 0 && rows[i].rate > 0);
        assert_true(i == 0 || rows[i].memory_gb <= rows[i - 1].memory_gb);
        assert_true(rows[i].setting.len > 0 && rows[i].reason.len == 0);
    }
    assert_false(rows[0].fits);
    assert_true(rows[3].fits);
}

static void large_ranges_double_and_words_are_listed(void **state)
{
    struct estimate r =
        estimated(*state, (struct asked){.job = "gpt2", .on = "H100", .sweep = "batch=1..64"});
    const struct estimate_sweep_row *rows = r.sweep.at;

    assert_int_equal(r.sweep.len, 7);
    assert_str_equal(rows[6].value, "64");
    assert_true(rows[6].rate > rows[0].rate);
    r = estimated(*state, (struct asked){.job = "llama-2-70b",
                                         .on = "H100x64",
                                         .sweep = "precision=bf16, fp8",
                                         .set = {"zero=3", "batch=2"}});
    rows = r.sweep.at;
    assert_int_equal(r.sweep.len, 2);
    assert_str_equal(rows[1].value, "fp8");
    assert_true(rows[1].rate > rows[0].rate);
    r = estimated(*state, (struct asked){.job = "llama-2-7b",
                                         .on = "H100x8",
                                         .tokens = "1B",
                                         .sweep = "gpus=8,16,32"});
    rows = r.sweep.at;
    assert_int_equal(r.sweep.len, 3);
    assert_true(rows[2].hours < rows[0].hours);
}

static void a_value_that_cannot_be_is_a_row_that_says_why(void **state)
{
    struct estimate r = estimated(
        *state, (struct asked){.job = "llama-2-7b", .on = "H100x8", .sweep = "tensor=1,3,8"});
    const struct estimate_sweep_row *rows = r.sweep.at;

    assert_int_equal(r.sweep.len, 3);
    assert_true(rows[0].reason.len == 0 && rows[2].reason.len == 0);
    assert_true(rows[1].reason.len > 0 && !rows[1].fits && isnan(rows[1].rate));
}

static void sweeps_that_make_no_sense_are_refused(void **state)
{
    static const char *const bad[] = {"batch",       "batch=",     "=1..4",
                                      "batch=4..1",  "batch=a..b", "batch=1..",
                                      "batch=-1..2", "batch=,",    "zero=0..100000"};

    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        refused(*state, (struct asked){.job = "gpt2", .on = "H100", .sweep = bad[i]},
                ERROR_USAGE, "--sweep", "");
    refused(*state, (struct asked){.job = "gpt2", .on = "H100", .sweep = "bach=1..4"},
            ERROR_INPUT, "bach", "batch");
    refused(*state, (struct asked){.job = "gpt2", .on = "H100", .sweep = "gpus=0,1"},
            ERROR_USAGE, "'0' is not a number of gpus", "");
}

/* --- what cannot be ----------------------------------------------------------------------- */

static void unknown_names_get_a_suggestion(void **state)
{
    refused(*state, (struct asked){.job = "lama-2-7b", .on = "H100"}, ERROR_ABSENT,
            "'lama-2-7b'", "'llama-2-7b'");
    refused(*state, (struct asked){.job = "gpt2", .on = "H10O"}, ERROR_ABSENT, "'H10O'",
            "H100");
    refused(*state, (struct asked){.job = "gpt2", .offer = "aws/p5.48xlrge"}, ERROR_ABSENT,
            "no offer 'aws/p5.48xlrge'", "'p5.48xlarge'");
    refused(*state, (struct asked){.job = "/nonexistent/job.yaml", .on = "H100"}, ERROR_ABSENT,
            "/nonexistent/job.yaml", "");
}

static void what_does_not_fit_says_what_would(void **state)
{
    struct world *w = *state;

    refused(w, (struct asked){.job = "llama-2-70b", .on = "T4"}, ERROR_UNFIT,
            "llama-2-70b needs ", "--on T4x1024");
    refused(w, (struct asked){.job = "qwen2-72b", .on = "T4", .method = "lora"}, ERROR_UNFIT,
            "qwen2-72b needs ", "stint gpu fit qwen2-72b");
    refused(w, (struct asked){.job = job_file("infer: {model: llama-3.1-405b}\n"), .on = "T4"},
            ERROR_UNFIT, "llama-3.1-405b needs ", "weights=int4");
    remove_job();
}

static void keys_that_are_wrong_are_refused(void **state)
{
    struct asked asked = {.job = "gpt2", .on = "H100", .set = {"bach=8"}};

    refused(*state, asked, ERROR_INPUT, "bach", "batch");
    asked.set[0] = "batch";
    refused(*state, asked, ERROR_USAGE, "--set: 'batch' is not KEY=VALUE", "--set batch=8");
    asked.set[0] = "batch=";
    refused(*state, asked, ERROR_USAGE, "is not KEY=VALUE", "");
    asked.set[0] = "batch=many";
    refused(*state, asked, ERROR_INPUT, "many", "");
    asked.set[0] = "batch=0";
    refused(*state, asked, ERROR_INPUT, "0", "");
    asked.set[0] = "zero=7";
    refused(*state, asked, ERROR_INPUT, "zero", "");
    asked.set[0] = "sequence=99999999999";
    refused(*state, asked, ERROR_INPUT, "sequence", "");
}

static void it_must_be_said_on_what(void **state)
{
    refused(*state, (struct asked){.job = "gpt2"}, ERROR_USAGE,
            "estimate needs GPUs or an offer", "--on H100x8");
    refused(*state, (struct asked){.job = "gpt2", .on = "H100x0"}, ERROR_USAGE,
            "'0' is not a number of GPUs", "H100x8");
    refused(*state, (struct asked){.job = "gpt2", .on = "H100x99999999999999999999"},
            ERROR_USAGE, "is not a number of GPUs", "H100x8");
    refused(*state, (struct asked){.job = "gpt2", .on = "T4", .offer = "aws/p5.48xlarge"},
            ERROR_USAGE, "not T4", "leave out --on");
}

static void what_does_not_fit_can_still_be_explained(void **state)
{
    struct estimate r =
        estimated(*state, (struct asked){.job = "llama-2-70b", .on = "T4", .explain = true});

    assert_false(r.fits);
    assert_true(r.formulas.len > 5);
}

/* --- as JSON ------------------------------------------------------------------------------ */

static void the_reply_is_json_without_nonsense(void **state)
{
    struct world *w = *state;
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct error err = {0};
    const char *text;

    if (!op_call(&w->ctx, &op_estimate,
                 STR("{\"job\":\"mixtral-8x7b\",\"on\":\"H100x8\",\"method\":\"qlora\","
                     "\"set\":[\"targets=q,v\",\"batch=2\"]}"),
                 &out, &err))
        fail_msg("%s", err.text);
    text = str_dup(buf_text(&out), &w->arena, &err);
    buf_free(&out);
    assert_non_null(text);
    assert_non_null(strstr(text, "{\"schema\":\"stint.estimate/1\","));
    assert_non_null(strstr(text, "\"method\":\"qlora\""));
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf\""));
    assert_non_null(strstr(text, "\"micro_batch\":2,"));
}

static void the_same_question_has_the_same_answer(void **state)
{
    struct asked asked = {.job = "llama-3-8b", .on = "H100x8", .tokens = "10B"};
    struct estimate one = estimated(*state, asked), two = estimated(*state, asked);

    assert_true(one.step_s.value == two.step_s.value && one.total.nano == two.total.nano);
    assert_true(one.memory_gb == two.memory_gb && one.notes.len == two.notes.len);
}

static void memory_that_runs_out_is_an_error(void **state)
{
    struct world *w = *state;
    size_t allow = 0;

    for (;; allow++) {
        struct failing_alloc failing = {.allow = allow};
        struct alloc alloc = {failing_get, failing_put, &failing};
        struct arena own = {.alloc = &alloc, .block_size = ARENA_BLOCK_SIZE};
        struct op_context ctx = w->ctx;
        struct buf out = buf_new(&alloc, BUF_MAX_OUTPUT);
        struct error err = {0};
        bool ok;

        ctx.arena = &own;
        ok = op_call(&ctx, &op_estimate,
                     STR("{\"job\":\"gpt2\",\"on\":\"H100x8\",\"tokens\":\"1B\","
                         "\"explain\":true,\"sweep\":\"batch=1..4\"}"),
                     &out, &err);
        buf_free(&out);
        op_done(&ctx);
        arena_free(&own);
        assert_int_equal(failing.held, 0);
        if (ok)
            break;
        if (err.kind != ERROR_MEMORY)
            fail_msg("%zu: %s", allow, err.text);
    }
    assert_true(allow > 10);
}

int group_estimate(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, world_make, world_end)
    const struct CMUnitTest tests[] = {
        TEST(a_known_model_has_plausible_numbers),
        TEST(energy_counts_trials_failures_and_setup),
        TEST(carbon_is_given_in_trees_and_offsets),
        TEST(cost_lines_add_up_to_the_total),
        TEST(the_compute_is_hours_times_price),
        TEST(without_data_there_is_a_rate_but_no_total),
        TEST(options_change_what_they_say),
        TEST(spot_is_no_dearer_than_on_demand),
        TEST(machines_are_rented_whole),
        TEST(serving_has_latency_and_a_price_for_tokens),
        TEST(a_measured_rate_is_carried_to_another_card),
        TEST(a_sweep_has_a_row_for_each_value),
        TEST(large_ranges_double_and_words_are_listed),
        TEST(a_value_that_cannot_be_is_a_row_that_says_why),
        TEST(sweeps_that_make_no_sense_are_refused),
        TEST(unknown_names_get_a_suggestion),
        TEST(what_does_not_fit_says_what_would),
        TEST(keys_that_are_wrong_are_refused),
        TEST(it_must_be_said_on_what),
        TEST(what_does_not_fit_can_still_be_explained),
        TEST(the_reply_is_json_without_nonsense),
        TEST(the_same_question_has_the_same_answer),
        TEST(memory_that_runs_out_is_an_error),
    };
#undef TEST

    return cmocka_run_group_tests(tests, NULL, NULL);
}
