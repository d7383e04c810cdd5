/* Figures of every kind, compared byte for byte with the files in tests/unit/render/figures.
 * UPDATE=1 rewrites these; look at what changed. */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/fs.h"
#include "render/figure.h"

/* STR() for what is static. */
#define WORDS(text) \
    { \
        (text), sizeof(text) - 1 \
    }
#define POINTS(list) .at = (list), .len = ARRAY_LEN(list)
#define FOOTER STR("Prices of 2026-11-15, built-in facts. Modelled, 80 % ranges.")

static struct str draw(const struct figure_sheet *sheet, struct arena *arena)
{
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct error err = {0};
    char *copy;

    figure_svg(sheet, &out);
    assert_true(buf_ok(&out, &err));
    copy = str_dup(buf_text(&out), arena, &err);
    assert_non_null(copy);
    buf_free(&out);
    return str_from(copy);
}

static void check_sheet(const char *name, const struct figure_sheet *sheet)
{
    struct arena arena = test_arena();
    struct str got = draw(sheet, &arena), expected;
    struct error err = {0};
    char path[1024];

    (void)snprintf(path, sizeof path, "%s/tests/unit/render/figures/%s.svg",
                   env_get("STINT_SOURCE_ROOT"), name);
    if (env_get("UPDATE") != NULL)
        assert_true(fs_put(path, got, &err));
    if (!fs_read(path, 1 << 20, &arena, &expected, &err))
        fail_msg("%s", err.text);
    assert_string_equal(got.at, str_dup(expected, &arena, &err));
    assert_null(strstr(got.at, "nan"));
    assert_null(strstr(got.at, "inf"));
    arena_free(&arena);
}

static void check(const char *name, const struct figure *figure)
{
    check_sheet(name, &(struct figure_sheet){.figures = figure, .count = 1, .footer = FOOTER});
}

/* ---- samples ---- */

static const struct figure_point providers[] = {
    {.label = WORDS("runpod, RTX 4090, spot"),
     .y = 1.9,
     .low = 1.6,
     .high = 2.4,
     .marked = true,
     .note = WORDS("cheapest")},
    {.label = WORDS("vast, RTX 4090"), .y = 2.4, .low = 1.9, .high = 3.4},
    {.label = WORDS("lambda, A10"), .y = 5.65, .low = 5.1, .high = 6.3},
    {.label = WORDS("gcp, L4"), .y = 6.2, .low = 5.6, .high = 7},
    {.label = WORDS("azure, A100 80GB with a very long name of its machine"), .y = 9.4},
    {.label = WORDS("this machine"), .y = NAN, .note = WORDS("no price")}};
static const struct figure_series provider_series = {POINTS(providers)};
static const struct figure bars = {.kind = FIGURE_BARS,
                                   .title = WORDS("The same work elsewhere"),
                                   .note = WORDS("Cost of this run at today's prices"),
                                   .y = {.unit = FIGURE_USD},
                                   .series = &provider_series,
                                   .series_count = 1};

static const struct figure_point parts[] = {
    {.label = WORDS("training"), .y = 11.2},   {.label = WORDS("evaluation"), .y = 1.4},
    {.label = WORDS("checkpoints"), .y = 0.6}, {.label = WORDS("set-up"), .y = 0.9},
    {.label = WORDS("idle"), .y = 2.1},        {.label = WORDS("storage"), .y = 0.05}};
static const struct figure_series part_series = {POINTS(parts)};
static const struct figure donut = {.kind = FIGURE_DONUT,
                                    .title = WORDS("Where the money went"),
                                    .y = {.unit = FIGURE_USD},
                                    .series = &part_series,
                                    .series_count = 1};

static const struct figure_point score[] = {
    {.y = 72, .note = WORDS("GPU busy 81 %, memory 64 % used")}};
static const struct figure_series score_series = {POINTS(score)};
static const struct figure_band bands[] = {{60, WORDS("needs work"), FIGURE_BAD},
                                           {80, WORDS("good"), FIGURE_FAIR},
                                           {100, WORDS("excellent"), FIGURE_GOOD}};
static const struct figure gauge = {.kind = FIGURE_GAUGE,
                                    .title = WORDS("Efficiency"),
                                    .y = {.from = 0, .to = 100},
                                    .series = &score_series,
                                    .series_count = 1,
                                    .bands = bands,
                                    .band_count = ARRAY_LEN(bands)};

static const struct figure_point carbon[] = {
    {.label = WORDS("from 1.2 kWh in us-east-1 (386 g/kWh, 2025)"),
     .note = WORDS("463 g CO2e")},
    {.label = WORDS("a car drives"), .note = WORDS("2.7 km")},
    {.label = WORDS("phones charged"), .note = WORDS("37")},
    {.label = WORDS("a tree takes"), .note = WORDS("0.3 months")},
    {.label = WORDS("offset at $100/t"), .note = WORDS("$0.046")}};
static const struct figure_series carbon_series = {POINTS(carbon)};
static const struct figure facts = {.kind = FIGURE_FACTS,
                                    .title = WORDS("Carbon"),
                                    .series = &carbon_series,
                                    .series_count = 1};

static const struct figure_point advice_compute[] = {
    {.label = WORDS("spot machines"), .x = 1, .y = 3, .size = 41},
    {.label = WORDS("a smaller GPU"), .x = 2, .y = 2, .size = 18}};
static const struct figure_point advice_training[] = {
    {.label = WORDS("stop early"), .x = 1, .y = 2.6, .size = 9},
    {.label = WORDS("compile"), .x = 2, .y = 1.1, .size = 5},
    {.label = WORDS("flash attention"), .x = 1.9, .y = 1.2, .size = 6}};
static const struct figure_series advice_series[] = {
    {.name = WORDS("compute"), POINTS(advice_compute)},
    {.name = WORDS("training"), POINTS(advice_training)}};
static const struct figure scatter = {.kind = FIGURE_SCATTER,
                                      .title = WORDS("What to change"),
                                      .x = {.label = WORDS("effort"), .from = 0, .to = 3},
                                      .y = {.label = WORDS("priority"), .from = 0, .to = 4},
                                      .series = advice_series,
                                      .series_count = 2};

static const struct figure_point front[] = {
    {.label = WORDS("H100 x 8"), .x = 3600 * 5, .y = 98, .marked = true},
    {.label = WORDS("A100 x 8"), .x = 3600 * 11, .y = 71, .marked = true},
    {.label = WORDS("L40S x 4"), .x = 3600 * 30, .y = 55, .marked = true},
    {.label = WORDS("A10 x 4"), .x = 3600 * 52, .y = 70},
    {.label = WORDS("V100 x 8"), .x = 3600 * 21, .y = 130}};
static const struct figure_series front_series = {POINTS(front)};
static const struct figure plans = {.kind = FIGURE_SCATTER,
                                    .title = WORDS("Cost and time of the plans"),
                                    .x = {.label = WORDS("time"), .unit = FIGURE_SECONDS},
                                    .y = {.label = WORDS("cost"), .unit = FIGURE_USD},
                                    .series = &front_series,
                                    .series_count = 1};

enum { DAYS = 30 };
static struct figure_point spent[DAYS], expected_[DAYS];

static void fill_days(void)
{
    for (size_t i = 0; i < DAYS; i++) {
        double at = 1793491200.0 + 86400.0 * (double)i; /* 2026-11-01 */

        spent[i] = (struct figure_point){.x = at, .y = i < 17 ? 14.5 * (double)i : NAN};
        expected_[i] = (struct figure_point){.x = at, .y = NAN};
        if (i >= 16)
            expected_[i] = (struct figure_point){.x = at,
                                                 .y = 232 + 13 * (double)(i - 16),
                                                 .low = 232 + 9 * (double)(i - 16),
                                                 .high = 232 + 18 * (double)(i - 16)};
    }
}

static const struct figure_series day_series[] = {
    {.name = WORDS("spent"), POINTS(spent)}, {.name = WORDS("forecast"), POINTS(expected_)}};
static const struct figure lines = {.kind = FIGURE_LINES,
                                    .title = WORDS("November against its budget"),
                                    .x = {.unit = FIGURE_TIME},
                                    .y = {.unit = FIGURE_USD},
                                    .series = day_series,
                                    .series_count = 2,
                                    .limit = 450,
                                    .limit_name = WORDS("budget $450")};

static const struct figure_point nlp[] = {{.label = WORDS("2026-08"), .x = 0, .y = 120},
                                          {.label = WORDS("2026-09"), .x = 1, .y = 240},
                                          {.label = WORDS("2026-10"), .x = 2, .y = 180},
                                          {.label = WORDS("2026-11"), .x = 3, .y = 310}};
static const struct figure_point vision[] = {{.label = WORDS("2026-08"), .x = 0, .y = 80},
                                             {.label = WORDS("2026-09"), .x = 1, .y = 60},
                                             {.label = WORDS("2026-10"), .x = 2, .y = NAN},
                                             {.label = WORDS("2026-11"), .x = 3, .y = 150}};
static const struct figure_series team_series[] = {
    {.name = WORDS("nlp"), POINTS(nlp)},
    {.name = WORDS("vision <b> & \"more\""), POINTS(vision)}};
static const struct figure columns = {.kind = FIGURE_COLUMNS,
                                      .title = WORDS("Spend by team"),
                                      .y = {.unit = FIGURE_USD},
                                      .series = team_series,
                                      .series_count = 2};
static const struct figure areas = {.kind = FIGURE_AREAS,
                                    .title = WORDS("Spend by team"),
                                    .y = {.unit = FIGURE_USD},
                                    .series = team_series,
                                    .series_count = 2};
static const struct figure treemap = {.kind = FIGURE_TREEMAP,
                                      .title = WORDS("Spend by team and month"),
                                      .y = {.unit = FIGURE_USD},
                                      .series = team_series,
                                      .series_count = 2};

static const struct figure_point changes[] = {{.label = WORDS("estimate"), .y = 10},
                                              {.label = WORDS("slower steps"), .y = 4.2},
                                              {.label = WORDS("data stalls"), .y = 1.1},
                                              {.label = WORDS("cheaper machine"), .y = -2.3},
                                              {.label = WORDS("actual"), .y = 13}};
static const struct figure_series change_series = {POINTS(changes)};
static const struct figure waterfall = {.kind = FIGURE_WATERFALL,
                                        .title = WORDS("Why it cost more"),
                                        .y = {.unit = FIGURE_USD},
                                        .series = &change_series,
                                        .series_count = 1};

static const struct figure_point measured[] = {{.label = WORDS("a"), .x = 0.12, .y = 0.11},
                                               {.label = WORDS("b"), .x = 1.5, .y = 1.9},
                                               {.label = WORDS("c"), .x = 40, .y = 37}};
static const struct figure_series measured_series = {POINTS(measured)};
static const struct figure predicted = {
    .kind = FIGURE_PREDICTED,
    .title = WORDS("Step time"),
    .x = {.label = WORDS("measured"), .unit = FIGURE_SECONDS},
    .y = {.label = WORDS("predicted"), .unit = FIGURE_SECONDS},
    .series = &measured_series,
    .series_count = 1};

static struct figure_point hours[7][24];
static struct figure_series week[7];

static void fill_week(void)
{
    static const char *const names[] = {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};

    for (size_t d = 0; d < 7; d++) {
        for (size_t h = 0; h < 24; h++)
            hours[d][h] = (struct figure_point){
                .x = (double)h,
                .y = d == 6 && h < 5 ? NAN : 2 + (double)((h * 5 + d) % 11) / 10};
        week[d] = (struct figure_series){.name = str_from(names[d]), .at = hours[d], .len = 24};
    }
}

static const struct figure heat = {.kind = FIGURE_HEAT,
                                   .title = WORDS("Spot price by the hour of the week"),
                                   .y = {.unit = FIGURE_USD},
                                   .series = week,
                                   .series_count = 7};

static const struct figure_point train_spans[] = {
    {.label = WORDS("attempt 1"), .x = 0, .y = 4000},
    {.label = WORDS("attempt 2"), .x = 4600, .y = 9000}};
static const struct figure_point lost_spans[] = {
    {.label = WORDS("lost"), .x = 3100, .y = 4000, .marked = true}};
static const struct figure_series span_series[] = {
    {.name = WORDS("running"), POINTS(train_spans)},
    {.name = WORDS("repeated"), POINTS(lost_spans)}};
static const struct figure spans = {.kind = FIGURE_SPANS,
                                    .title = WORDS("One run"),
                                    .x = {.unit = FIGURE_SECONDS},
                                    .series = span_series,
                                    .series_count = 2};

/* ---- tests ---- */

static void every_kind_is_drawn(void **state)
{
    (void)state;
    fill_days();
    fill_week();
    check("bars", &bars);
    check("waterfall", &waterfall);
    check("columns", &columns);
    check("lines", &lines);
    check("areas", &areas);
    check("scatter", &plans);
    check("predicted", &predicted);
    check("donut", &donut);
    check("gauge", &gauge);
    check("heat", &heat);
    check("spans", &spans);
    check("treemap", &treemap);
    check("facts", &facts);
}

static void figures_share_a_sheet(void **state)
{
    const struct figure figures[] = {donut, bars, gauge, waterfall, facts, scatter};

    (void)state;
    check_sheet("sheet", &(struct figure_sheet){.title = STR("lora-7b, run 4f2a"),
                                                .subtitle = STR("2026-11-15, 3h 12min on H100"),
                                                .figures = figures,
                                                .count = ARRAY_LEN(figures),
                                                .columns = 3,
                                                .footer = FOOTER});
}

static struct str svg_of(enum figure_kind kind, const struct figure_point *points, size_t count,
                         struct arena *arena)
{
    struct figure_series series = {.at = points, .len = count};
    struct figure f = {.kind = kind, .series = &series, .series_count = count > 0};
    struct str svg = draw(&(struct figure_sheet){.figures = &f, .count = 1}, arena);

    for (size_t unit = 0; unit < FIGURE_UNITS; unit++) { /* none may fail */
        f.x.unit = f.y.unit = (enum figure_unit)unit;
        (void)draw(&(struct figure_sheet){.figures = &f, .count = 1}, arena);
    }
    return svg;
}

/* Accuracies from 0.7 to 0.9 fill the figure; with one of 0.1 the axis begins at zero, and
 * so do shares, which are amounts. */
static void scattered_metrics_need_no_zero(void **state)
{
    struct figure_point points[] = {{.x = 1, .y = 0.7}, {.x = 2, .y = 0.9}};
    struct figure_series series = {POINTS(points)};
    struct figure f = {.kind = FIGURE_SCATTER, .series = &series, .series_count = 1};
    const struct figure_sheet sheet = {.figures = &f, .count = 1};
    struct arena arena = test_arena();

    (void)state;
    f.x.unit = FIGURE_USD;
    assert_null(strstr(draw(&sheet, &arena).at, ">0</text>"));
    assert_non_null(strstr(draw(&sheet, &arena).at, ">0.75</text>"));
    points[0].y = 0.1;
    assert_non_null(strstr(draw(&sheet, &arena).at, ">0</text>"));
    points[0].y = 0.7;
    f.y.unit = FIGURE_SHARE;
    assert_non_null(strstr(draw(&sheet, &arena).at, ">0 %</text>"));
    arena_free(&arena);
}

/* So do lines on an axis that need not begin there; a line that never changes does. */
static void lines_of_a_metric_need_no_zero(void **state)
{
    static const struct {
        double first, last;
        bool zero;
    } cases[] = {{11.28, 11.30, false},
                 {-1230, -1200, false},
                 {0.1, 0.9, true},
                 {-0.5, 0.5, true},
                 {2.25, 2.25, true}};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct figure_point points[] = {{.x = 1, .y = cases[i].first},
                                        {.x = 2, .y = cases[i].last}};
        struct figure_series series = {POINTS(points)};
        struct figure f = {
            .kind = FIGURE_LINES, .y = {.free = true}, .series = &series, .series_count = 1};
        const struct figure_sheet sheet = {.figures = &f, .count = 1};
        struct arena arena = test_arena();

        assert_int_equal(strstr(draw(&sheet, &arena).at, ">0</text>") != NULL, cases[i].zero);
        f.y.free = false;
        assert_non_null(strstr(draw(&sheet, &arena).at, ">0</text>"));
        arena_free(&arena);
    }
}

static void bars_for_comparison_are_gray(void **state)
{
    struct figure_point points[] = {{.y = 1, .muted = true}, {.y = 2}};
    struct figure_series series = {POINTS(points)};
    struct figure f = {.kind = FIGURE_BARS, .series = &series, .series_count = 1};
    const struct figure_sheet sheet = {.figures = &f, .count = 1};
    struct arena arena = test_arena();
    const char *svg = draw(&sheet, &arena).at;

    (void)state;
    assert_non_null(strstr(svg, "class=\"muted\""));
    assert_non_null(strstr(svg, "class=\"s0\""));
    arena_free(&arena);
}

/* Nothing, one point, values that are unknown, zero, negative or huge, texts that are no
 * texts. */
static void any_values_are_drawn(void **state)
{
    static const double values[] = {0, -5, 1e300, 1e-300, NAN, INFINITY};
    struct arena arena = test_arena();

    (void)state;
    for (size_t kind = 0; kind < FIGURE_KINDS; kind++) {
        (void)svg_of((enum figure_kind)kind, NULL, 0, &arena);
        for (size_t i = 0; i < ARRAY_LEN(values); i++) {
            struct figure_point two[] = {{.label = STR("\x1b[31m\xff<&>"),
                                          .x = values[i],
                                          .y = values[i],
                                          .low = 1,
                                          .high = values[i],
                                          .size = values[i]},
                                         {.x = 3, .y = 4, .marked = true}};
            struct str one = svg_of((enum figure_kind)kind, two, 1, &arena);

            assert_null(strstr(one.at, "nan"));
            assert_null(strstr(one.at, "inf"));
            assert_null(strstr(one.at, "null"));
            assert_null(strchr(one.at, '\x1b'));
            (void)svg_of((enum figure_kind)kind, two, 2, &arena);
        }
    }
    arena_free(&arena);
}

static void many_points_stay_small(void **state)
{
    enum { MANY = 100000 };
    struct figure_point *points = calloc(MANY, sizeof *points);
    struct arena arena = test_arena();

    (void)state;
    assert_non_null(points);
    for (size_t i = 0; i < MANY; i++)
        points[i] = (struct figure_point){.x = (double)i, .y = (double)(i % 97)};
    assert_true(svg_of(FIGURE_LINES, points, MANY, &arena).len < 60000);
    assert_true(svg_of(FIGURE_BARS, points, MANY, &arena).len < 60000);
    assert_true(svg_of(FIGURE_TREEMAP, points, MANY, &arena).len < 100000);
    free(points);
    arena_free(&arena);
}

static size_t count_of(struct str text, const char *part)
{
    size_t count = 0;

    for (const char *at = text.at; (at = strstr(at, part)) != NULL; at++)
        count++;
    return count;
}

/* Of a crowd only the marked points have labels; all have titles. */
static void crowds_have_few_labels(void **state)
{
    struct figure_point points[1000];
    struct arena arena = test_arena();
    struct str svg;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(points); i++)
        points[i] = (struct figure_point){.label = STR("run"),
                                          .x = (double)(i * i % 997),
                                          .y = (double)(i % 31),
                                          .marked = i % 500 == 0};
    svg = svg_of(FIGURE_SCATTER, points, ARRAY_LEN(points), &arena);
    assert_int_equal(count_of(svg, ">run</text>"), 2);
    assert_int_equal(count_of(svg, "<title>run"), 1000);
    arena_free(&arena);
}

static void memory_may_run_out(void **state)
{
    (void)state;
    for (size_t allow = 0; allow < 8; allow++) {
        struct failing_alloc failing = {.allow = allow};
        struct alloc alloc = {failing_get, failing_put, &failing};
        struct buf out = buf_new(&alloc, BUF_MAX_OUTPUT);
        struct error err = {0};

        figure_svg(&(struct figure_sheet){.figures = &bars, .count = 1}, &out);
        if (allow < 3)
            assert_false(buf_ok(&out, &err));
        buf_free(&out);
        assert_int_equal(failing.held, 0);
    }
}

/* Lines for comparison are all gray: the second and third are dashed, in the legend, too. */
static void gray_lines_are_told_apart(void **state)
{
    static const struct figure_point points[] = {{.x = 1, .y = 1}, {.x = 2, .y = 3}};
    const struct figure_series series[] = {
        {.name = STR("own"), .at = points, .len = 2},
        {.name = STR("edge"), .at = points, .len = 2, .muted = true},
        {.name = STR("shared"), .at = points, .len = 2, .muted = true},
        {.name = STR("other"), .at = points, .len = 2, .muted = true},
    };
    const struct figure f = {.kind = FIGURE_LINES, .series = series, .series_count = 4};
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    static const struct {
        const char *text;
        size_t times;
    } wanted[] = {{"class=\"line lmuted\" d=", 1},
                  {"class=\"line lmuted\" stroke-dasharray=\"5 3\"", 2},
                  {"class=\"line lmuted\" stroke-dasharray=\"2 3\"", 2}};

    (void)state;
    figure_svg_inline(&f, true, &out);
    buf_char(&out, '\0');
    assert_int_equal(out.failed, ERROR_NONE);
    for (size_t i = 0; i < ARRAY_LEN(wanted); i++) {
        size_t found = 0;

        for (const char *at = out.at; (at = strstr(at, wanted[i].text)) != NULL; at++)
            found++;
        assert_int_equal(found, wanted[i].times);
    }
    buf_free(&out);
}

/* 2026-11-18 05:10:00 is 1794978600 s. The date is not repeated at each tick; a few seconds and
 * one moment have ticks that can be read. */
static void moments_are_read_at_the_ticks(void **state)
{
    static const struct {
        double from, to;
        const char *wanted[3];
    } cases[] = {
        {1794978600, 1794978770, {">2026-11-18 05:10<", ">05:11<", ">05:12<"}},
        {1794978600, 1794978630, {">2026-11-18 05:10:00<", ">05:10:15<", ">05:10:30<"}},
        {1794978600, 1794978600, {">2026-11-18 05:10:00<", ">05:10:30<", ">05:11:00<"}},
        {1794959940, 1794960060, {">2026-11-17 23:59<", ">2026-11-18<", ">00:01<"}},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const struct figure_point points[] = {{.x = cases[i].from, .y = 1},
                                              {.x = cases[i].to, .y = 3}};
        const struct figure_series series = {.at = points, .len = 2};
        const struct figure f = {.kind = FIGURE_LINES,
                                 .x = {.unit = FIGURE_TIME},
                                 .series = &series,
                                 .series_count = 1};
        struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);

        figure_svg_inline(&f, false, &out);
        buf_char(&out, '\0');
        *strstr(out.at, "</svg>") = '\0'; /* the one that is not for a phone */
        assert_int_equal(out.failed, ERROR_NONE);
        for (size_t k = 0; k < 3; k++)
            assert_int_equal(count_of(str_from(out.at), cases[i].wanted[k]), 1);
        buf_free(&out);
    }
}

int group_figure(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gray_lines_are_told_apart),
        cmocka_unit_test(moments_are_read_at_the_ticks),
        cmocka_unit_test(every_kind_is_drawn),
        cmocka_unit_test(figures_share_a_sheet),
        cmocka_unit_test(scattered_metrics_need_no_zero),
        cmocka_unit_test(lines_of_a_metric_need_no_zero),
        cmocka_unit_test(bars_for_comparison_are_gray),
        cmocka_unit_test(any_values_are_drawn),
        cmocka_unit_test(many_points_stay_small),
        cmocka_unit_test(crowds_have_few_labels),
        cmocka_unit_test(memory_may_run_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
