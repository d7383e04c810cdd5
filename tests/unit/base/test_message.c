#include "test.h"

#include <stdio.h>
#include <string.h>

#include "base/message.h"

struct shown {
    enum message_kind kind;
    char text[600];
    int count;
};

static void keep_shown(void *ctx, enum message_kind kind, const char *text)
{
    struct shown *shown = ctx;

    shown->kind = kind;
    shown->count++;
    (void)snprintf(shown->text, sizeof shown->text, "%s", text);
}

static void shows_a_note_and_a_warning(void **state)
{
    struct shown shown = {0};
    struct messages to = {.show = keep_shown, .ctx = &shown};

    (void)state;
    message_note(&to, "%d offers", 3);
    assert_int_equal(shown.kind, MESSAGE_NOTE);
    assert_string_equal(shown.text, "3 offers");
    message_warn(&to, "the price is %d days old", 90);
    assert_int_equal(shown.kind, MESSAGE_WARNING);
    assert_string_equal(shown.text, "the price is 90 days old");
    message_warn(&to, "%600s", "long");
    assert_int_equal(strlen(shown.text), 511);
    assert_int_equal(shown.count, 3);
}

/* Without a handler a message goes to the log; with a log file it goes to both. */
static void logs_what_is_not_shown(void **state)
{
    char line[256] = "";
    struct shown shown = {0};
    struct log log = {.to = tmpfile(), .level = LOG_INFO, .clock = &clock_system};
    struct messages to = {.log = &log};

    (void)state;
    message_note(&(struct messages){0}, "dropped");
    message_warn(&to, "quiet");
    to.show = keep_shown;
    to.ctx = &shown;
    message_add(&to, MESSAGE_NOTE, "both");
    rewind(log.to);
    assert_non_null(fgets(line, sizeof line, log.to));
    assert_non_null(strstr(line, "warn: quiet"));
    assert_non_null(fgets(line, sizeof line, log.to));
    assert_non_null(strstr(line, "info: both"));
    assert_string_equal(shown.text, "both");
    (void)fclose(log.to);
}

int group_message(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shows_a_note_and_a_warning),
        cmocka_unit_test(logs_what_is_not_shown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
