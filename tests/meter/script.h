/* script.h - the file that says what a fake library's devices are: lines of "WHO WHAT
 * VALUE". */
#ifndef TESTS_METER_SCRIPT_H
#define TESTS_METER_SCRIPT_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The `nth` line of this device that says `what`: what follows it. The environment variable
 * names the file, which is read anew each time. */
static bool script_say(const char *variable, const char *device, const char *what, unsigned nth,
                       char *to, size_t room)
{
    const char *path = getenv(variable);
    FILE *file = path == NULL ? NULL : fopen(path, "re");
    char line[256], head[64];
    bool found = false;
    int len = snprintf(head, sizeof head, "%s %s ", device, what);

    if (file == NULL)
        return false;
    while (!found && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, head, (size_t)len) == 0 && nth-- == 0) {
            line[strcspn(line, "\n")] = '\0';
            (void)snprintf(to, room, "%s", line + len);
            found = true;
        }
    (void)fclose(file);
    return found;
}

/* How often a function was called. The test program asks; each fake has its own. */
__attribute__((visibility("default"))) unsigned script_calls(const char *function,
                                                             bool one_more);
unsigned script_calls(const char *function, bool one_more)
{
    static struct {
        char name[64];
        unsigned calls;
    } known[64];
    size_t at = 0;

    while (at < 63 && known[at].name[0] != '\0' && strcmp(known[at].name, function) != 0)
        at++;
    (void)snprintf(known[at].name, sizeof known[at].name, "%s", function);
    known[at].calls += one_more;
    return known[at].calls;
}

/* What a function answers when it is made to fail: "WHO fail FUNCTION STATUS". */
static int script_fails(const char *variable, const char *device, const char *function)
{
    char text[256], name[128];
    int status = 0;

    if (strcmp(device, "all") == 0) /* which each call asks first, and once */
        (void)script_calls(function, true);
    for (unsigned i = 0; script_say(variable, device, "fail", i, text, sizeof text); i++)
        if (sscanf(text, "%127s %d", name, &status) == 2 && strcmp(name, function) == 0)
            return status;
    return 0;
}

#endif
