/* What cmocka's TAP output lacks: tests that were skipped, as such and with the reason, and one
 * plan for a program with several groups. cmocka 1.1.5 writes "not ok N # SKIP NAME", which
 * every reader of TAP counts as a failure; its own messages pass through print_message() of the
 * program where there is one. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tap.h"
#include "test.h"

static bool joined;
static unsigned before, planned; /* tests of the groups before this one; of all so far */
static char reason[1024];

void tap_begin(void)
{
    joined = true;
}

void tap_skipped(const char *name, const char *why)
{
    (void)printf("ok %u - %s # SKIP %s\n", ++planned, name, why);
}

void tap_end(void)
{
    const char *output = getenv("CMOCKA_MESSAGE_OUTPUT");

    if (planned > 0 && output != NULL && strcmp(output, "TAP") == 0)
        (void)printf("1..%u\n", planned);
}

/* A line of cmocka's, with the number that its test has among all groups. False when it is none
 * of a test or a plan. */
static bool print_result(const char *line)
{
    const char *at = line + (strncmp(line, "not ", 4) == 0 ? 4 : 0);
    unsigned number = 0;
    int len = 0;

    if (joined && sscanf(line, "1..%u", &number) == 1) {
        before = planned;
        planned += number;
    } else if (sscanf(at, "ok %u # SKIP %n", &number, &len) == 1 && len > 0) {
        (void)printf("ok %u - %.*s # SKIP %s\n", before + number, (int)strcspn(at + len, "\n"),
                     at + len, reason);
        reason[0] = '\0';
    } else if (sscanf(at, "ok %u%n", &number, &len) == 1 && len > 0) {
        (void)printf("%.*sok %u%s", (int)(at - line), line, before + number, at + len);
    } else {
        return false;
    }
    return true;
}

/* In place of cmocka's own, for which it must be visible to that library. */
__attribute__((visibility("default"))) void print_message(const char *const format, ...)
{
    char *line;
    va_list args;
    int len;

    va_start(args, format);
    len = vasprintf(&line, format, args);
    va_end(args);
    if (len < 0)
        abort();
    if (!print_result(line))
        (void)fputs(line, stdout);
    free(line);
    (void)fflush(stdout); /* tests fork */
}

void test_skip(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    (void)vsnprintf(reason, sizeof reason, format, args);
    va_end(args);
    (void)printf("# SKIPPED: %s\n", reason);
    skip();
    abort(); /* skip() does not return */
}

bool test_data_there(const char *name, struct test_path *path)
{
    const char *folder = getenv("STINT_TEST_DATA");

    if (folder == NULL || folder[0] == '\0') {
        (void)snprintf(path->missing, sizeof path->missing, "set STINT_TEST_DATA: no %s", name);
        return false;
    }
    (void)snprintf(path->text, sizeof path->text, "%s/%s", folder, name);
    (void)snprintf(path->missing, sizeof path->missing, "no %s in STINT_TEST_DATA", name);
    return access(path->text, R_OK) == 0;
}

const char *test_data(const char *name, struct test_path *path)
{
    if (!test_data_there(name, path))
        test_skip("%s", path->missing);
    return path->text;
}
