/* What a report says of a piece of work: nulls with reasons, savings that are computed, the
 * same work elsewhere. */
#include "world.h"

#include "base/num.h"
#include "doc/node.h"
#include "ledger/runs/metrics.h"
#include "report/work_facts.h"

#define DOLLAR INT64_C(1000000000)

static struct report_work blank_work(void)
{
    struct report_work w;

    work_blank(&w);
    w.kind = STR("run");
    w.name = STR("bert");
    return w;
}

/* ---- cost_analysis.json ---- */

static struct node *analysis(struct world *w, const struct work_facts *f)
{
    struct buf text = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct error err = {0};
    struct node *root;

    assert_true(work_json(f, &w->arena, &text, &err));
    root = json_read(buf_text(&text), "analysis", &w->arena, &err);
    buf_free(&text);
    assert_non_null(root);
    return root;
}

static bool has_reason(const struct node *section, struct str key)
{
    const struct node *list = node_get(section, STR("unknown"));

    for (const struct node *n = list->first; n != NULL; n = n->next)
        if (str_eq(node_get(n, STR("key"))->text, key))
            return node_get(n, STR("reason"))->text.len > 0;
    return false;
}

static void what_is_null_has_a_reason(void **state)
{
    struct world *w = *state;
    struct work_facts f = {.work = blank_work()};
    const struct node *sections;
    size_t nulls = 0;

    f.comparison.local = USD_UNKNOWN;
    f.comparison.local_method = STR("the energy is not known");
    sections = node_get(analysis(w, &f), STR("cost_breakdown"));
    for (const struct node *s = sections->first; s != NULL; s = s->next)
        for (const struct node *n = s->first; n != NULL; n = n->next)
            if (n->kind == NODE_NULL) {
                assert_true(has_reason(s, n->key));
                nulls++;
            } else {
                assert_false(n->kind == NODE_SCALAR && str_eq(n->text, STR("0")));
            }
    assert_in_range(nulls, 30, 60);
}

static void inference_costs_the_time_of_the_machine(void **state)
{
    struct world *w = *state;
    struct work_facts f = {.work = blank_work()};
    const struct node *s;
    double each;

    work_inference_given(0.0036, &f.work.inference);
    f.work.rate = (usd_per_hour){DOLLAR};
    s = node_get(node_get(analysis(w, &f), STR("cost_breakdown")), STR("inference"));
    assert_true(num_double(node_get(s, STR("cost_per_1m_usd"))->text, &each));
    assert_near(each, 1, 1e-9); /* a million of 3.6 ms are an hour */
    assert_true(num_double(node_get(s, STR("avg_time_ms"))->text, &each));
    assert_near(each, 3.6, 1e-9);
}

/* ---- advice ---- */

static const struct work_advice *advice_titled(const struct rows *list, const char *title)
{
    const struct work_advice *advice = list->at;

    for (size_t i = 0; i < list->len; i++)
        if (str_eq(advice[i].title, str_from(title)))
            return &advice[i];
    return NULL;
}

static void findings_of_a_run_are_its_advice(void **state)
{
    struct world *w = *state;
    const struct finding found[] = {{.title = STR("stop runs that are idle"),
                                     .evidence = STR("1 run"),
                                     .action = STR("stint run --idle 10min -- COMMAND"),
                                     .lever = LEVER_IDLE,
                                     .saving = {3 * DOLLAR},
                                     .saving_low = {2 * DOLLAR},
                                     .saving_high = {4 * DOLLAR},
                                     .share = 0.3},
                                    {.title = STR("load data faster"),
                                     .saving = {DOLLAR / 10},
                                     .saving_low = {0},
                                     .saving_high = {DOLLAR / 10},
                                     .share = 0.01}};
    struct work_comparison none = {.same_time = true};
    struct report_work work = blank_work();
    const struct work_advice *idle;
    struct error err = {0};
    struct rows list;

    work.advice.command = STR("stint advise RUN");
    work.advice.result.findings = (struct rows){found, ARRAY_LEN(found)};
    assert_true(work_advise(&work, &none, &w->arena, &list, &err));
    assert_int_equal(list.len, 0); /* the cost is not known */
    work.cost = work.time_cost = (usd){10 * DOLLAR};
    assert_true(work_advise(&work, &none, &w->arena, &list, &err));
    assert_int_equal(list.len, 1); /* a cent in a dollar is not worth a word */
    idle = advice_titled(&list, "stop runs that are idle");
    assert_non_null(idle);
    assert_int_equal(idle->saving.nano, 3 * DOLLAR);
    assert_int_equal(idle->priority, ADVICE_HIGH);
    assert_int_equal(idle->effort, ADVICE_EASY);
    assert_int_equal(idle->category, ADVICE_TRAINING);
    assert_str_equal(idle->text, "stop runs that are idle: 1 run");
    assert_str_equal(idle->improvement, "saves $3.00 of $10.0 (30 %), $2.00 to $4.00");
}

static const struct accelerator a100 = {.vendor = {"NVIDIA", 6}, .memory_gb = 80};

static void cheaper_machines_are_a_saving(void **state)
{
    struct world *w = *state;
    const struct work_option options[] = {
        {.provider = STR("vast"), .offer = STR("vast/x/y"), .cost = {4 * DOLLAR}, .hours = 1},
        {.provider = STR("aws"),
         .offer = STR("aws/x/y"),
         .cost = {8 * DOLLAR},
         .memory_gb = 40},
        {.provider = STR("aws"), .market = MARKET_SPOT, .cost = {3 * DOLLAR}, .hours = 1}};
    struct work_comparison c = {.options = {options, ARRAY_LEN(options)}};
    struct report_work work = blank_work();
    struct error err = {0};
    struct rows list;

    work.cost = (usd){11 * DOLLAR};
    work.time_cost = (usd){10 * DOLLAR}; /* the rest is storage, which stays */
    work.gpu = &a100;
    work.offer = STR("aws/us-east-1/p4d.24xlarge");
    work.market = STR("on-demand");
    assert_true(work_advise(&work, &c, &w->arena, &list, &err));
    assert_int_equal(advice_titled(&list, "cheaper provider")->saving.nano, 6 * DOLLAR);
    assert_int_equal(advice_titled(&list, "smaller GPU")->saving.nano, 2 * DOLLAR);
    assert_int_equal(advice_titled(&list, "spot machines")->saving.nano, 7 * DOLLAR);
    assert_int_equal(((const struct work_advice *)list.at)->saving.nano, 7 * DOLLAR);
    c.same_time = true; /* how long they take is not known, so nothing is promised */
    assert_true(work_advise(&work, &c, &w->arena, &list, &err));
    assert_int_equal(list.len, 0);
}

/* ---- figures ---- */

static void names_are_shown_and_not_obeyed(void **state)
{
    struct world *w = *state;
    struct work_facts f = {.work = blank_work(), .title = STR("<script>x</script>\x1b[2J\xff")};
    struct buf svg = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    const struct figure_sheet *sheet;
    struct error err = {0};
    char *text;

    f.comparison.local = USD_UNKNOWN;
    f.work.cost = (usd){DOLLAR};
    sheet = work_dashboard(&f, &w->arena, &err);
    assert_non_null(sheet);
    figure_svg(sheet, &svg);
    text = str_dup(buf_text(&svg), &w->arena, &err);
    buf_free(&svg);
    assert_non_null(strstr(text, "&lt;script&gt;"));
    assert_null(strstr(text, "<script"));
    assert_null(strchr(text, '\x1b'));
    assert_null(strchr(text, '\xff'));
}

static bool make_all(const struct work_facts *f, struct arena *arena, struct error *err)
{
    struct buf json = buf_new(arena->alloc, BUF_MAX_OUTPUT);
    struct buf html = buf_new(arena->alloc, BUF_MAX_OUTPUT);
    struct buf markdown = buf_new(arena->alloc, BUF_MAX_OUTPUT);
    struct work_sheets sheets = {0};
    struct work_facts mine = *f;
    bool ok = work_advise(&f->work, &f->comparison, arena, &mine.advice, err) &&
              work_json(&mine, arena, &json, err);

    sheets.dashboard = ok ? work_dashboard(&mine, arena, err) : NULL;
    sheets.comparison =
        sheets.dashboard != NULL ? work_comparison_sheet(&mine, arena, err) : NULL;
    ok = sheets.comparison != NULL && work_metrics_sheet(&mine, arena, &sheets.metrics, err) &&
         work_document(&mine, &sheets, arena, &html, &markdown, err);
    buf_free(&json);
    buf_free(&html);
    buf_free(&markdown);
    return ok;
}

/* Ten values from 1 down to 0.1, steps 1 to 10; the second attempt goes on from 11. */
static const double down[] = {1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1};
static const double counted[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
static const double later[] = {11, 12, 13, 14, 15, 16, 17, 18, 19, 20};
static const double unknown[] = {NAN, NAN, NAN};

static struct ledger_metric metric_of(const char *name, int attempt, const double *steps,
                                      size_t count)
{
    return (struct ledger_metric){.name = str_from(name),
                                  .attempt = attempt,
                                  .told = (int64_t)count,
                                  .first = down[0],
                                  .last = down[count - 1],
                                  .low = down[count - 1],
                                  .low_step = steps[count - 1],
                                  .high = down[0],
                                  .high_step = steps[0],
                                  .times = {counted, count},
                                  .steps = {steps, count},
                                  .values = {down, count}};
}

static void every_metric_is_drawn_once(void **state)
{
    struct world *w = *state;
    struct work_facts f = {.work = blank_work()};
    struct ledger_metric metrics[] = {
        metric_of("accuracy", 1, unknown, 3), metric_of("eval_loss", 1, counted, 10),
        metric_of("loss", 1, counted, 10),    metric_of("once", 1, counted, 1),
        metric_of("loss", 2, later, 10),
    };
    const struct figure_sheet *sheet;
    struct error err;

    metrics[1].high = 100; /* from 0.1 to 100: logarithmic */
    f.work.metrics = (struct rows){metrics, ARRAY_LEN(metrics)};
    assert_true(work_metrics_sheet(&f, &w->arena, &sheet, &err));
    assert_int_equal(sheet->count, 3); /* one value is no line */
    assert_true(str_eq(sheet->figures[0].title, STR("loss")));
    assert_true(str_eq(sheet->figures[1].title, STR("eval_loss")));
    assert_true(str_eq(sheet->figures[2].title, STR("accuracy")));
    assert_int_equal(sheet->figures[0].series_count, 2);
    assert_true(str_eq(sheet->figures[0].series[1].name, STR("attempt 2")));
    assert_true(sheet->figures[0].series[1].at[9].x == 20);
    assert_true(str_eq(sheet->figures[0].note,
                       STR("last 0.1, lowest 0.1 at step 10, highest 1 at step 1")));
    assert_false(sheet->figures[0].y.log);
    assert_true(sheet->figures[1].y.log);
    assert_true(str_eq(sheet->figures[2].x.label, STR("time"))); /* without steps */
    f.work.metrics.len = 0;
    assert_true(work_metrics_sheet(&f, &w->arena, &sheet, &err));
    assert_null(sheet);
}

static void more_metrics_than_fit_a_sheet_are_in_the_table(void **state)
{
    struct world *w = *state;
    struct work_facts f = {.work = blank_work()};
    struct ledger_metric metrics[40];
    char names[40][8];
    const struct figure_sheet *sheet;
    struct error err;

    for (size_t i = 0; i < ARRAY_LEN(metrics); i++) {
        (void)snprintf(names[i], sizeof names[i], "m%02zu", i);
        metrics[i] = metric_of(names[i], 1, counted, 10);
    }
    f.work.metrics = (struct rows){metrics, ARRAY_LEN(metrics)};
    assert_true(work_metrics_sheet(&f, &w->arena, &sheet, &err));
    assert_int_equal(sheet->count, 30);
    assert_true(str_eq(sheet->subtitle, STR("the first 30 of 40 metrics")));
}

static void want_of_memory_is_survived(void **state)
{
    const struct ledger_metric metric = metric_of("loss", 1, counted, 10);
    const struct work_option option = {
        .provider = STR("vast"), .offer = STR("vast/x/y"), .cost = {DOLLAR / 2}, .hours = 1};
    struct work_facts f = {.work = blank_work(), .comparison = {.options = {&option, 1}}};
    bool ok = false;

    (void)state;
    f.work.cost = f.work.time_cost = (usd){DOLLAR};
    f.work.gpu = &a100;
    f.work.energy.j = 1e6;
    f.work.carbon.g = 100;
    f.work.score = 70;
    f.work.gpu_busy = 0.8;
    f.work.metrics = (struct rows){&metric, 1};
    for (size_t allow = 0; !ok; allow++) {
        struct failing_alloc failing = {.allow = allow};
        struct alloc alloc = {failing_get, failing_put, &failing};
        struct arena arena = {.alloc = &alloc, .block_size = ARENA_BLOCK_SIZE};
        struct error err = {0};

        assert_true(allow < 3000);
        ok = make_all(&f, &arena, &err);
        assert_true(ok || err.kind == ERROR_MEMORY);
        arena_free(&arena);
        assert_int_equal(failing.held, 0);
    }
}

int group_work(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_null_has_a_reason, world_make, world_end),
        cmocka_unit_test_setup_teardown(inference_costs_the_time_of_the_machine, world_make,
                                        world_end),
        cmocka_unit_test_setup_teardown(findings_of_a_run_are_its_advice, world_make,
                                        world_end),
        cmocka_unit_test_setup_teardown(cheaper_machines_are_a_saving, world_make, world_end),
        cmocka_unit_test_setup_teardown(names_are_shown_and_not_obeyed, world_make, world_end),
        cmocka_unit_test_setup_teardown(every_metric_is_drawn_once, world_make, world_end),
        cmocka_unit_test_setup_teardown(more_metrics_than_fit_a_sheet_are_in_the_table,
                                        world_make, world_end),
        cmocka_unit_test(want_of_memory_is_survived),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
