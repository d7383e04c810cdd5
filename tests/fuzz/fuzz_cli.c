/* Any words on the command line either make a request or are refused as a usage error with a
 * text; the words are the lines of the input. What parses as help must have help. */
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MAX_WORDS 64

static void check(int argc, char **argv, struct arena *arena)
{
    static const struct term plain;
    struct buf out = buf_new(arena->alloc, BUF_MAX_OUTPUT);
    struct cli_line line;
    struct error err = {0};

    if (!cli_parse(argc, argv, arena, &line, &err)) {
        if (err.text[0] == '\0' || (err.kind != ERROR_USAGE && err.kind != ERROR_FAILED))
            abort();
    } else if (line.command != NULL) {
        if (line.request == NULL)
            abort();
    } else if (!line.version && !cli_help(line.help_for, &plain, &out, &err) &&
               err.kind != ERROR_USAGE) {
        abort();
    }
    buf_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {.alloc = &alloc_system};
    char *argv[MAX_WORDS + 2] = {0}, name[] = "stint";
    char *text = malloc(size + 1), *rest = text;
    int argc = 1;

    if (text == NULL)
        return 0;
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    argv[0] = name;
    while (argc <= MAX_WORDS && rest != NULL && *rest != '\0')
        argv[argc++] = strsep(&rest, "\n");
    check(argc, argv, &arena);
    arena_free(&arena);
    free(text);
    return 0;
}
