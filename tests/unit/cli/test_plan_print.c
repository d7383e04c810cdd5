/* What `stint plan` prints for sample results, compared byte for byte with the files in
 * tests/unit/cli/plan. UPDATE=1 rewrites these; read what changed. */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/fs.h"
#include "cli/commands.h"
#include "cli/plan/plan_print.h"
#include "plan/plan_samples.h"

static const struct term file = {0};

/* What is printed, ended by a NUL, in the arena. */
static struct str print(const struct plan_result *res, struct term term, bool utf8,
                        struct arena *arena)
{
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct view view = {.term = term, .arena = arena, .out = &out};
    struct error err = {0};
    char *copy;

    plan_print(&view, res, utf8);
    assert_true(buf_ok(&out, &err));
    copy = str_dup(buf_text(&out), arena, &err);
    assert_non_null(copy);
    buf_free(&out);
    return str_from(copy);
}

static struct term terminal(unsigned width)
{
    return (struct term){.tty = true, .width = width};
}

static void check(const char *name, struct str got)
{
    struct arena arena = test_arena();
    struct error err = {0};
    struct str expected;
    char path[1024];

    (void)snprintf(path, sizeof path, "%s/tests/unit/cli/plan/%s.txt",
                   env_get("STINT_SOURCE_ROOT"), name);
    if (env_get("UPDATE") != NULL)
        assert_true(fs_put(path, got, &err));
    if (!fs_read(path, 1 << 20, &arena, &expected, &err))
        fail_msg("%s", err.text);
    assert_string_equal(got.at, str_dup(expected, &arena, &err));
    arena_free(&arena);
}

static void check_sample(const char *name, const struct plan_result *res, unsigned width)
{
    struct arena arena = test_arena();

    check(name, print(res, width > 0 ? terminal(width) : file, false, &arena));
    arena_free(&arena);
}

static void training_fits_every_width(void **state)
{
    struct plan_result res = sample_training();

    (void)state;
    check_sample("training", &res, 0);
    check_sample("training_60", &res, 60);
    check_sample("training_80", &res, 80);
    check_sample("training_100", &res, 100);
}

static void explain_prints_all_sections(void **state)
{
    struct plan_result res = sample_training();

    (void)state;
    res.explain = true;
    check_sample("explained_60", &res, 60);
    check_sample("explained_100", &res, 100);
}

/* What a plan alone prints, as one line with single blanks: wrapping does not matter here. */
static const char *line_of(struct plan_result res, const struct plan_row *plans, size_t count,
                           struct arena *arena)
{
    struct error err = {0};
    struct str text;
    char *line;
    size_t len = 0;

    res.plans = (struct rows){plans, count};
    text = print(&res, file, false, arena);
    line = str_dup(text, arena, &err);
    assert_non_null(line);
    for (size_t i = 0; i < text.len; i++) {
        bool blank = text.at[i] == ' ' || text.at[i] == '\n';

        if (!blank || (len > 0 && line[len - 1] != ' '))
            line[len++] = blank ? ' ' : text.at[i];
    }
    line[len] = '\0';
    return line;
}

#define assert_shows(line, part) \
    do { \
        const char *line_ = (line); \
        if (strstr(line_, (part)) == NULL) \
            fail_msg("'%s' is not in:\n%s", (part), line_); \
    } while (0)

/* A plan that runs out of memory one time in ten is not called safe. */
static void memory_that_is_short_is_not_hidden(void **state)
{
    struct arena arena = test_arena();
    struct plan_result res = sample_training();
    struct plan_row best = *(const struct plan_row *)res.plans.at;
    const char *line;

    (void)state;
    res.explain = true;
    line = line_of(res, &best, 1, &arena);
    assert_shows(line, "selective: 61.2 GB (51.0 to 73.4) of 79.0 on each GPU");
    assert_shows(line, "memory 61.2 GB (51.0 to 73.4) of 79.0: it fits");
    best.memory_high_gb = 80;
    line = line_of(res, &best, 1, &arena);
    assert_shows(line, "selective: probably fits, 61.2 GB (51.0 to 80.0) of 79.0 on each GPU");
    assert_shows(line, "memory 61.2 GB (51.0 to 80.0) of 79.0: it probably fits");
    arena_free(&arena);
}

/* Half a cent matters for a small job. */
static void small_jobs_have_differences_too(void **state)
{
    struct arena arena = test_arena();
    struct plan_result res = sample_training();
    const struct plan_row *rows = res.plans.at;
    struct plan_row plans[] = {rows[0], rows[2]};

    (void)state;
    plans[0].cost = DOLLARS(0.05);
    plans[1].more_usd = 0.004;
    assert_shows(line_of(res, plans, 2, &arena), "costs $0.004 more and is done");
    plans[1].more_usd = 0.00004;
    assert_shows(line_of(res, plans, 2, &arena), "costs the same and is done");
    plans[0].cost = DOLLARS(20000);
    plans[1].more_usd = 15;
    assert_shows(line_of(res, plans, 2, &arena), "costs the same and is done");
    arena_free(&arena);
}

/* The uncertainty of times counts for a deadline, with spot and without. */
static void deadlines_include_uncertainty_of_times(void **state)
{
    struct arena arena = test_arena();
    struct plan_result res = sample_training();
    const struct plan_row *rows = res.plans.at;
    struct plan_row plans[] = {rows[0], rows[1]};

    (void)state;
    res.deadline_h = 24;
    plans[0].on_time = 0.995;
    plans[1].on_time = 1;
    assert_null(strstr(line_of(res, plans, 1, &arena), "the deadline"));
    assert_shows(line_of(res, plans, 2, &arena),
                 "later; meets the deadline, 0.21 interruptions");
    plans[0].on_time = 0.82;
    assert_shows(line_of(res, plans, 1, &arena),
                 "deadline 82 % chance of meeting the deadline");
    res.deadline_h = 2.9; /* the 90th percentile on spot is 3.00 h */
    assert_shows(line_of(res, plans, 2, &arena),
                 "meets the deadline if it runs as fast as estimated, 0.21 "
                 "interruptions");
    plans[1].role = STR("best");
    res.simulated_on_time = 1;
    assert_shows(line_of(res, &plans[1], 1, &arena),
                 " spot meets the deadline in all simulated runs if it runs");
    plans[1] = plans[0];
    plans[1].role = STR("on demand");
    assert_shows(line_of(res, plans, 2, &arena),
                 "on demand $62.1; 82 % chance of meeting the deadline");
    arena_free(&arena);
}

static void part_of_a_machine_is_paid_in_full(void **state)
{
    struct arena arena = test_arena();
    struct plan_result res = sample_training();
    struct plan_row best = *(const struct plan_row *)res.plans.at;
    const char *line;

    (void)state;
    best.rented_gpus = 8;
    assert_null(strstr(line_of(res, &best, 1, &arena), " of 8"));
    best.gpus = 2;
    line = line_of(res, &best, 1, &arena);
    assert_shows(line, "1.52 h 2 of 8x A100-SXM-80GB gcp");
    assert_shows(line, "old); 2 of the 8 rented GPUs are used");
    best.market = MARKET_OWN;
    assert_null(strstr(line_of(res, &best, 1, &arena), "rented"));
    arena_free(&arena);
}

static void hours_that_are_owned_are_not_rented(void **state)
{
    struct arena arena = test_arena();
    struct plan_result res = sample_training();
    struct plan_row best = *(const struct plan_row *)res.plans.at;

    (void)state;
    best.owned_hours = 1.52;
    best.owned_suffice = true;
    assert_shows(line_of(res, &best, 1, &arena),
                 " use gcp/us-central1/a2-ultragpu-8g, 1.52 hours you own, else "
                 "$40.55/hr on-demand, price from 2026-08-22 (3 days old)");
    best.owned_hours = 1;
    best.owned_suffice = false;
    best.machines = 2;
    assert_shows(line_of(res, &best, 1, &arena),
                 " use 2x gcp/us-central1/a2-ultragpu-8g, 1.00 machine-hours you own, the "
                 "rest $40.55/hr each on-demand, price from 2026-08-22 (3 days old)");
    arena_free(&arena);
}

/* The reason to wait. */
static void later_start_shows_its_saving(void **state)
{
    struct arena arena = test_arena();
    struct plan_result res = sample_training();
    struct plan_row best = *(const struct plan_row *)res.plans.at;

    (void)state;
    best.start_h = 13;
    assert_true(stamp_parse(STR("2026-11-16T05:00:00Z"), &best.start));
    best.start_saves_usd = 8.47;
    best.start_saves_kg = 0.8;
    res.start_why = STR("a rule of thumb");
    assert_shows(line_of(res, &best, 1, &arena),
                 " start 2026-11-16T05:00:00Z, in 13.0 h: saves $8.47 (12 %) against now, if "
                 "the pattern holds: a rule of thumb ");
    res.aim = STR("carbon");
    assert_shows(line_of(res, &best, 1, &arena),
                 "in 13.0 h: saves 0.800 kg CO2e (20 %) against");
    arena_free(&arena);
}

/* One plan and nothing else: every section still makes sense. */
static void a_plan_may_be_the_only_one(void **state)
{
    struct plan_result res = sample_training();

    (void)state;
    res.explain = true;
    res.plans.len = res.front.len = 1;
    res.naive = res.restrictions = res.rules = (struct rows){0};
    res.simulated_runs = -1;
    res.asked.limit = 6;
    check_sample("alone_80", &res, 80);
}

static void serving_has_latency_in_place_of_hours(void **state)
{
    struct plan_result res = sample_serving();

    (void)state;
    res.explain = true;
    check_sample("serving", &res, 0);
    res.unit = STR("million tokens");
    check_sample("serving_60", &res, 60);
}

/* A server that may be interrupted any day is not just cheaper. */
static void servers_on_spot_may_be_lost(void **state)
{
    struct arena arena = test_arena();
    struct plan_result res = sample_serving();
    const struct plan_row *rows = res.plans.at;
    struct plan_row best = rows[1];

    (void)state;
    assert_shows(line_of(res, rows, res.plans.len, &arena),
                 "(58 %); 92 % risk of an interruption a day; interruptions are not priced");
    best.role = STR("best");
    assert_shows(line_of(res, &best, 1, &arena),
                 " spot 92 % risk of an interruption a day; interruptions are not priced");
    arena_free(&arena);
}

static void many_runs_have_their_sections(void **state)
{
    struct plan_result sessions = sample_sessions(), queue = sample_queue();
    struct plan_result search = sample_trials();
    struct arena arena;

    (void)state;
    check_sample("sessions", &sessions, 0);
    check_sample("sessions_60", &sessions, 60);
    check_sample("queue", &queue, 0);
    check_sample("queue_60", &queue, 60);
    queue.valued = false;
    arena = test_arena();
    assert_non_null(strstr(print(&queue, file, true, &arena).at, "improves by/$"));
    assert_null(strstr(print(&queue, file, true, &arena).at, "14.2 x"));
    arena_free(&arena);
    check_sample("search_80", &search, 80);
}

/* Unknown values are not printed as zero, and no line is empty. */
static void unknown_is_unknown(void **state)
{
    struct plan_row row = sample_row("best"), spot = sample_row("on spot");
    struct plan_row plans[] = {row, spot}, front[] = {row, row, row};
    struct plan_slot slots[1] = {{.session = -1,
                                  .machines = -1,
                                  .start_h = NAN,
                                  .end_h = NAN,
                                  .price_age_days = -1,
                                  .cost = USD_UNKNOWN}};
    struct plan_stage stages[1] = {{.order = -1,
                                    .price_age_days = -1,
                                    .share = NAN,
                                    .chance = NAN,
                                    .worth = NAN,
                                    .cost = USD_UNKNOWN,
                                    .spent = USD_UNKNOWN}};
    struct plan_line money[1] = {{.amount = USD_UNKNOWN, .share = NAN, .hours = NAN}};
    struct plan_restriction lifted[1] = {{.cost = USD_UNKNOWN, .saves = USD_UNKNOWN}};
    struct plan_thumb rules[1] = {{.verdict = {0}}};
    struct plan_result res = sample_result();

    (void)state;
    check_sample("nothing", &res, 0);
    res.explain = true;
    res.plans = ROWS(plans);
    res.front = ROWS(front);
    res.naive = ROWS(front);
    res.slots = ROWS(slots);
    res.stages = ROWS(stages);
    res.valued = true;
    res.money = ROWS(money);
    res.restrictions = ROWS(lifted);
    res.rules = ROWS(rules);
    res.trials.trials = 5;
    res.simulated_runs = 5;
    check_sample("unknown", &res, 0);
}

/* A plan on spot, at another time, for other aims. */
static void lines_follow_the_aim(void **state)
{
    static const struct {
        const char *name, *aim;
    } aims[] = {{"aim_time", "time"},
                {"aim_carbon", "carbon"},
                {"aim_value", "value"},
                {"aim_mix", "cost=0.7,time=0.3"}};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(aims); i++) {
        struct plan_result res = sample_training();
        const struct plan_row *rows = res.plans.at;
        struct plan_row plans[] = {rows[1], rows[0], rows[3]};

        plans[0].role = STR("best");
        plans[0].start_h = 9;
        assert_true(stamp_parse(STR("2026-08-25T02:00:00Z"), &plans[0].start));
        plans[0].carbon_kg = 2.04;
        plans[1].role = STR("on demand");
        plans[1].more_usd = 40.71;
        plans[1].more_hours = -0.79;
        res.aim = str_from(aims[i].aim);
        res.plans = ROWS(plans);
        res.front = (struct rows){0};
        res.value_of_time = i == 2 ? (usd_per_hour){DOLLARS(50).nano} : USD_PER_HOUR_UNKNOWN;
        res.value_given = i == 2;
        res.time_value = i == 2 ? DOLLARS(39.50) : USD_UNKNOWN;
        check_sample(aims[i].name, &res, 100);
    }
}

static void files_and_differences_are_shown(void **state)
{
    struct arena arena = test_arena();
    struct plan_result res = sample_queue();
    struct term term = {.tty = true, .color = true, .width = 80};

    (void)state;
    res.saved = STR("plan.json");
    res.diff = STR("--- ds.json\n+++ ds.json (planned)\n@@ -1,3 +1,3 @@\n {\n"
                   "-\t\"zero\": 3,\n+\t\"zero\": 1,\n }\n");
    check("written", print(&res, term, true, &arena));
    arena_free(&arena);
}

static void color_and_unicode_only_where_they_can_be_shown(void **state)
{
    struct arena arena = test_arena();
    struct plan_result res = sample_training();
    struct term term = {.tty = true, .color = true, .width = 110};

    (void)state;
    check("color_110", print(&res, term, true, &arena));
    res.name = STR("caf\xc3\xa9 \xe6\xa8\xa1\xe5\x9e\x8b");
    assert_non_null(strstr(print(&res, file, false, &arena).at, "caf\xc3\xa9 \xe6\xa8\xa1"));
    arena_free(&arena);
}

static void no_control_character_reaches_the_terminal(void **state)
{
    struct plan_result (*const samples[])(void) = {sample_training, sample_sessions,
                                                   sample_queue};
    struct arena arena = test_arena();

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(samples); i++) {
        struct plan_result res = samples[i]();
        struct plan_row bad = sample_row("\033[31mbest\n");
        struct plan_slot slot = {.job = STR("\033[2J"), .offer = STR("a\x9b")};
        struct plan_line line = {.name = STR("\r\033c"), .amount = DOLLARS(1), .share = 1};
        struct plan_thumb rule = {STR("\033[1m"), STR("\x07"), STR("\n")};
        struct str note = STR("\033]0;title\x07");
        struct str text;

        bad.provider = bad.offer = bad.setting = bad.role;
        res.name = res.model = res.work = res.saved = res.aim = bad.role;
        res.diff = STR("+\033[31m\n");
        res.explain = true;
        res.plans = res.naive = (struct rows){&bad, 1};
        res.slots = (struct rows){&slot, 1};
        res.money = (struct rows){&line, 1};
        res.rules = (struct rows){&rule, 1};
        res.notes = (struct strs){&note, 1};
        text = print(&res, file, true, &arena);
        for (size_t c = 0; c < text.len; c++)
            assert_true(text.at[c] == '\n' || (unsigned char)text.at[c] >= ' ');
    }
    arena_free(&arena);
}

/* Of every answer, in every width from 60 on: no line is cut by the terminal. */
static void nothing_is_wider_than_the_terminal(void **state)
{
    struct plan_result (*const samples[])(void) = {
        sample_training, sample_serving, sample_sessions, sample_queue, sample_trials};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(samples); i++)
        for (unsigned width = 60; width <= 200; width += 7) {
            struct arena arena = test_arena();
            struct plan_result res = samples[i]();
            struct str rest;

            res.explain = true;
            rest = print(&res, terminal(width), true, &arena);
            while (rest.len > 0)
                assert_in_range(term_columns(str_cut(&rest, '\n')), 0, width);
            arena_free(&arena);
        }
}

/* Memory that runs out anywhere: the output has failed, or is complete. */
static void survives_without_memory(void **state)
{
    struct arena complete_arena = test_arena();
    struct plan_result res = sample_training();
    struct str complete;
    bool done = false;

    (void)state;
    res.explain = true;
    res.slots = sample_sessions().slots;
    res.stages = sample_queue().stages;
    complete = print(&res, file, true, &complete_arena);
    for (size_t allow = 0; !done; allow++) {
        struct failing_alloc failing = {.allow = allow};
        struct alloc alloc = {.get = failing_get, .put = failing_put, .ctx = &failing};
        struct arena arena = {.alloc = &alloc};
        struct buf out = buf_new(&alloc, BUF_MAX_OUTPUT);
        struct view view = {.term = file, .arena = &arena, .out = &out};

        plan_print(&view, &res, true);
        done = out.failed == ERROR_NONE;
        if (done)
            assert_true(str_eq(buf_text(&out), complete));
        buf_free(&out);
        arena_free(&arena);
        assert_int_equal(failing.held, 0);
        assert_in_range(allow, 0, 100000);
    }
    arena_free(&complete_arena);
}

static void options_make_the_request(void **state)
{
    char text[] = "stint plan a.yaml b.yaml --market any --deadline 24 --provider aws,!gcp "
                  "--gpu H100* --write-config deepspeed --base ds.json c.yaml";
    char *words[32], *rest = NULL;
    int count = 0;
    struct arena arena = test_arena();
    struct cli_line line;
    struct error err = {0};
    const struct plan_request *req;

    (void)state;
    for (char *word = strtok_r(text, " ", &rest); word != NULL;
         word = strtok_r(NULL, " ", &rest))
        words[count++] = word;
    assert_true(cli_parse(count, words, &arena, &line, &err));
    assert_ptr_equal(line.command, &cmd_plan);
    req = line.request;
    assert_int_equal(req->jobs.len, 3);
    assert_str_equal(req->jobs.at[2], "c.yaml");
    assert_str_equal(req->market, "any");
    assert_near(span_in_hours(req->deadline), 24, 0);
    assert_int_equal(req->providers.len, 2);
    assert_str_equal(req->gpus.at[0], "H100*");
    assert_str_equal(req->write_config, "deepspeed");
    assert_str_equal(req->base, "ds.json");
    assert_int_equal(req->limit, 6);
    assert_int_equal(req->budget.nano, MONEY_UNKNOWN);
    arena_free(&arena);
}

int group_plan_print(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(training_fits_every_width),
        cmocka_unit_test(explain_prints_all_sections),
        cmocka_unit_test(memory_that_is_short_is_not_hidden),
        cmocka_unit_test(small_jobs_have_differences_too),
        cmocka_unit_test(deadlines_include_uncertainty_of_times),
        cmocka_unit_test(part_of_a_machine_is_paid_in_full),
        cmocka_unit_test(hours_that_are_owned_are_not_rented),
        cmocka_unit_test(later_start_shows_its_saving),
        cmocka_unit_test(a_plan_may_be_the_only_one),
        cmocka_unit_test(serving_has_latency_in_place_of_hours),
        cmocka_unit_test(servers_on_spot_may_be_lost),
        cmocka_unit_test(many_runs_have_their_sections),
        cmocka_unit_test(unknown_is_unknown),
        cmocka_unit_test(lines_follow_the_aim),
        cmocka_unit_test(files_and_differences_are_shown),
        cmocka_unit_test(color_and_unicode_only_where_they_can_be_shown),
        cmocka_unit_test(no_control_character_reaches_the_terminal),
        cmocka_unit_test(nothing_is_wider_than_the_terminal),
        cmocka_unit_test(survives_without_memory),
        cmocka_unit_test(options_make_the_request),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
