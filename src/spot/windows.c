/* Where the windows into a trace begin. */
#include "base/num.h"
#include "spot/trace_internal.h"

static bool read_all(struct str text, struct arena *arena, struct windows *out,
                     struct error *err)
{
    struct trace_lines lines = {.rest = text}, count = lines;
    size_t len = 0, i = 0, *at;
    struct str line;

    while (trace_line_next(&count, &line))
        len++;
    if (len == 0) {
        error_set(err, ERROR_INPUT, "there are no windows");
        error_hint(err, "one start tick a line, such as 684");
        return false;
    }
    at = arena_array(arena, size_t, len, err);
    if (at == NULL)
        return false;
    while (trace_line_next(&lines, &line)) {
        struct str value = str_trim(str_cut(&line, '#'));
        int64_t tick;

        if (!num_int(value, &tick) || tick < 0 || (size_t)tick >= TRACE_TICKS_MAX) {
            error_set(err, ERROR_INPUT, "line %zu: '%.*s' is no start tick", lines.number,
                      STR_ARG(value));
            error_hint(err,
                       "expected a whole number of ticks from the trace's start, below %zu",
                       TRACE_TICKS_MAX);
            return false;
        }
        at[i++] = (size_t)tick;
    }
    *out = (struct windows){at, len};
    return true;
}

bool windows_read(struct str text, const char *name, struct arena *arena, struct windows *out,
                  struct error *err)
{
    if (read_all(text, arena, out, err))
        return true;
    if (err->kind == ERROR_INPUT)
        error_place(err, name);
    *out = (struct windows){0};
    return false;
}
