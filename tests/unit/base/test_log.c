#include "test.h"

#include <stdio.h>
#include <string.h>

#include "base/log.h"

static const stamp at = {1794736800}; /* 2026-11-15T10:00:00Z */

struct sink {
    char *text;
    size_t len;
    struct clock clock;
    struct log log;
};

static void open_sink(struct sink *sink, enum log_level level, const stamp *when)
{
    *sink = (struct sink){.clock = clock_fixed(when)};
    sink->log = (struct log){
        .to = open_memstream(&sink->text, &sink->len), .level = level, .clock = &sink->clock};
    assert_non_null(sink->log.to);
}

static void close_sink(struct sink *sink)
{
    assert_int_equal(fclose(sink->log.to), 0);
    free(sink->text);
}

static void writes_a_line_with_time_and_level(void **state)
{
    struct sink sink;

    (void)state;
    open_sink(&sink, LOG_DEBUG, &at);
    log_write(&sink.log, LOG_WARN, "%d offers", 3);
    log_write(&sink.log, LOG_INFO, "read '%s'", "offers.csv");
    log_write(&sink.log, LOG_DEBUG, "done");
    assert_string_equal(sink.text, "2026-11-15T10:00:00Z warn: 3 offers\n"
                                   "2026-11-15T10:00:00Z info: read 'offers.csv'\n"
                                   "2026-11-15T10:00:00Z debug: done\n");
    close_sink(&sink);
}

static void writes_only_the_chosen_levels(void **state)
{
    static const char *const expected[] = {
        [LOG_OFF] = "",
        [LOG_WARN] = "2026-11-15T10:00:00Z warn: a\n",
        [LOG_INFO] = "2026-11-15T10:00:00Z warn: a\n2026-11-15T10:00:00Z info: b\n",
        [LOG_DEBUG] = ("2026-11-15T10:00:00Z warn: a\n2026-11-15T10:00:00Z info: b\n"
                       "2026-11-15T10:00:00Z debug: c\n"),
    };

    (void)state;
    for (size_t level = 0; level < ARRAY_LEN(expected); level++) {
        struct sink sink;

        open_sink(&sink, (enum log_level)level, &at);
        log_write(&sink.log, LOG_WARN, "a");
        log_write(&sink.log, LOG_INFO, "b");
        log_write(&sink.log, LOG_DEBUG, "c");
        assert_int_equal(fflush(sink.log.to), 0);
        assert_string_equal(sink.text, expected[level]);
        close_sink(&sink);
    }
}

static void each_line_is_flushed(void **state)
{
    struct sink sink;

    (void)state;
    open_sink(&sink, LOG_INFO, &at);
    log_write(&sink.log, LOG_INFO, "a");
    assert_int_equal(sink.len, strlen("2026-11-15T10:00:00Z info: a\n"));
    close_sink(&sink);
}

static void without_a_log_nothing_happens(void **state)
{
    struct sink sink;

    (void)state;
    open_sink(&sink, LOG_DEBUG, &at);
    log_write(NULL, LOG_WARN, "%s", "without a log");
    assert_int_equal(fflush(sink.log.to), 0);
    assert_int_equal(sink.len, 0);
    close_sink(&sink);
}

static void a_line_stays_one_line(void **state)
{
    struct sink sink;

    (void)state;
    open_sink(&sink, LOG_DEBUG, &at);
    log_write(&sink.log, LOG_DEBUG, "a\nb\033[31m\tc\x7f\u00e9");
    assert_string_equal(sink.text, "2026-11-15T10:00:00Z debug: a?b?[31m?c?\u00e9\n");
    close_sink(&sink);
}

static void a_long_line_is_cut(void **state)
{
    char text[3000];
    struct sink sink;

    (void)state;
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    open_sink(&sink, LOG_DEBUG, &at);
    log_write(&sink.log, LOG_DEBUG, "%s", text);
    assert_int_equal(sink.len, strlen("2026-11-15T10:00:00Z debug: ") + 1023 + 1);
    assert_int_equal(sink.text[sink.len - 1], '\n');
    close_sink(&sink);
}

static void a_date_beyond_the_calendar_is_left_out(void **state)
{
    const stamp never = {INT64_MAX};
    struct sink sink;

    (void)state;
    open_sink(&sink, LOG_WARN, &never);
    log_write(&sink.log, LOG_WARN, "a");
    assert_string_equal(sink.text, " warn: a\n");
    close_sink(&sink);
}

static void reads_the_names_of_levels(void **state)
{
    static const struct {
        const char *text;
        enum log_level level;
    } cases[] = {
        {"off", LOG_OFF}, {"warn", LOG_WARN}, {"info", LOG_INFO}, {"debug", LOG_DEBUG}};
    static const char *const bad[] = {"", "DEBUG", "debug ", "warning", "2", "inf"};
    enum log_level level = LOG_INFO;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        assert_true(log_level_parse(cases[i].text, &level));
        assert_int_equal(level, cases[i].level);
    }
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        assert_false(log_level_parse(bad[i], &level));
        assert_int_equal(level, LOG_DEBUG); /* as it was */
    }
}

int group_log(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_a_line_with_time_and_level),
        cmocka_unit_test(writes_only_the_chosen_levels),
        cmocka_unit_test(each_line_is_flushed),
        cmocka_unit_test(without_a_log_nothing_happens),
        cmocka_unit_test(a_line_stays_one_line),
        cmocka_unit_test(a_long_line_is_cut),
        cmocka_unit_test(a_date_beyond_the_calendar_is_left_out),
        cmocka_unit_test(reads_the_names_of_levels),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
