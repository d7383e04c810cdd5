#include "merging.h"

#include <math.h>

#include "generate/metrics.h"

static void check_label(struct str value, const char *expected)
{
    struct buf labels = buf_new(&alloc_system, 4096);

    metric_label(&labels, "run", value);
    check_text(buf_text(&labels), expected, 0);
    buf_free(&labels);
}

static void labels_hold_any_bytes(void **state)
{
    char longest[1000];
    struct buf labels = buf_new(&alloc_system, 4096);

    (void)state;
    check_label(STR(""), "run=\"\"");
    check_label(STR("bert"), "run=\"bert\"");
    check_label(STR("a\"b\\c\nd"), "run=\"a\\\"b\\\\c\\nd\"");
    check_label(STR("\x1b[31m\x7f"), "run=\"\xef\xbf\xbd[31m\xef\xbf\xbd\"");
    check_label(STR("gr\xc3\xbc\xc3\x9f"), "run=\"gr\xc3\xbc\xc3\x9f\"");
    check_label(STR("\xff\xc3"), "run=\"\xef\xbf\xbd\xef\xbf\xbd\"");
    memset(longest, 'x', sizeof longest);
    metric_label(&labels, "a", (struct str){longest, sizeof longest});
    assert_in_range(labels.len, METRIC_LABEL, METRIC_LABEL + 8);
    metric_label(&labels, "b", STR("1"));
    assert_true(str_ends(buf_text(&labels), STR("x\",b=\"1\"")));
    buf_free(&labels);
}

static void clients_choose_the_format(void **state)
{
    static const struct {
        const char *accept;
        enum metric_format expected;
    } cases[] = {
        {"", METRICS_PROMETHEUS},
        {"*/*", METRICS_PROMETHEUS},
        {"application/openmetrics-text", METRICS_OPENMETRICS},
        {"Application/OpenMetrics-Text ; version=1.0.0", METRICS_OPENMETRICS},
        {"application/openmetrics-text;version=1.0.0;q=0.6,text/plain;version=0.0.4;q=0.5,*/*",
         METRICS_OPENMETRICS},
        {"text/plain,application/openmetrics-text;q=0.5", METRICS_PROMETHEUS},
        {"application/openmetrics-text;q=0", METRICS_PROMETHEUS},
        {"application/openmetrics-text;q=", METRICS_PROMETHEUS},
        {"application/openmetrics-text;q=zero", METRICS_PROMETHEUS},
        {",,;q=1;,application/json", METRICS_PROMETHEUS},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        if (metric_format_wanted(str_from(cases[i].accept)) != cases[i].expected)
            fail_msg("%s", cases[i].accept);
}

static void add_some(struct metric_samples *samples)
{
    metric_add(samples, METRIC_RUN_COST, STR("run=\"b\""), 2);
    metric_add(samples, METRIC_BUILD, STR("version=\"1\""), 1);
    metric_add(samples, METRIC_RUN_ENERGY, STR("run=\"a\""), 3.6e6);
    metric_add(samples, METRIC_RUN_COST, STR("run=\"a\""), 12.34);
    metric_add(samples, METRIC_RUN_POWER, STR("run=\"a\""), NAN); /* unknown: no series */
    metric_add(samples, METRIC_CONNECTIONS, (struct str){0}, INFINITY);
}

static void families_are_in_one_piece(void **state)
{
    struct arena arena = test_arena();
    struct metric_samples samples = {.arena = &arena};
    struct buf out = buf_new(&alloc_system, 65536);

    (void)state;
    add_some(&samples);
    assert_int_equal(samples.len, 4);
    metrics_write(&samples, METRICS_OPENMETRICS, &out);
    check_text(buf_text(&out),
               "# HELP stint_run_cost Cost of a running run so far, over all attempts\n"
               "# TYPE stint_run_cost counter\n"
               "stint_run_cost_total{run=\"b\"} 2\n"
               "stint_run_cost_total{run=\"a\"} 12.34\n"
               "# HELP stint_run_energy_joules Energy that a running run has used, over all "
               "attempts\n"
               "# TYPE stint_run_energy_joules counter\n"
               "# UNIT stint_run_energy_joules joules\n"
               "stint_run_energy_joules_total{run=\"a\"} 3600000\n"
               "# HELP stint_build Version of the program\n"
               "# TYPE stint_build info\n"
               "stint_build_info{version=\"1\"} 1\n"
               "# EOF\n",
               0);
    buf_clear(&out);
    samples.len = 2;
    metrics_write(&samples, METRICS_PROMETHEUS, &out);
    check_text(buf_text(&out),
               "# HELP stint_run_cost_total Cost of a running run so far, over all attempts\n"
               "# TYPE stint_run_cost_total counter\n"
               "stint_run_cost_total{run=\"b\"} 2\n"
               "# HELP stint_build_info Version of the program\n"
               "# TYPE stint_build_info gauge\n"
               "stint_build_info{version=\"1\"} 1\n",
               0);
    buf_free(&out);
    arena_free(&arena);
}

/* By the conventions of OpenMetrics, and complete. */
static void the_table_keeps_the_conventions(void **state)
{
    (void)state;
    for (size_t i = 0; i < METRIC_IDS; i++) {
        const struct metric_entry *m = &metrics_table[i];
        struct str name = str_from(m->name);
        bool counter = str_ends(name, STR("_total"));

        if (m->help == NULL || m->labels == NULL || !str_starts(name, STR("stint_")) ||
            counter != (m->type == METRIC_COUNTER) ||
            str_ends(name, STR("_info")) != (m->type == METRIC_INFO))
            fail_msg("%s", m->name);
        if (counter)
            name.len -= strlen("_total");
        if (m->unit != NULL && !str_ends(name, str_from(m->unit)))
            fail_msg("%s: %s", m->name, m->unit);
    }
}

static void memory_that_runs_out_is_noticed(void **state)
{
    (void)state;
    for (size_t allow = 0;; allow++) {
        struct failing_alloc failing = {.allow = allow};
        struct alloc alloc = {failing_get, failing_put, &failing};
        struct arena arena = {.alloc = &alloc, .block_size = 64};
        struct metric_samples samples = {.arena = &arena};

        add_some(&samples);
        arena_free(&arena);
        assert_int_equal(failing.held, 0);
        if (!samples.failed)
            break;
        assert_in_range(allow, 0, 50);
    }
}

int group_metrics(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_hold_any_bytes),
        cmocka_unit_test(clients_choose_the_format),
        cmocka_unit_test(families_are_in_one_piece),
        cmocka_unit_test(the_table_keeps_the_conventions),
        cmocka_unit_test(memory_that_runs_out_is_noticed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
