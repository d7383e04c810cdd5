/* metric_lines.h - what the tests of progress readers share: one line, read by a new reader. */
#ifndef TESTS_METRIC_LINES_H
#define TESTS_METRIC_LINES_H

#include "run/output/metric.h"
#include "test.h"

static inline struct metric_reader *reader_new(struct arena *arena)
{
    struct error err;
    struct metric_reader *reader = metric_open((struct strs){NULL, 0}, arena, &err);

    assert_non_null(reader);
    return reader;
}

static inline bool read_line(const char *line, struct metric_update *out)
{
    struct arena arena = test_arena();
    struct metric_reader *reader = reader_new(&arena);
    bool found = metric_line(reader, str_from(line), out);

    out->saved_path = (struct str){NULL, 0}; /* freed with the reader */
    metric_close(reader);
    arena_free(&arena);
    return found;
}

/* NaN: it must not be reported. */
static inline void same_or_none(double got, double expected, const char *what, const char *line)
{
    if (isnan(expected) ? !isnan(got) : !(fabs(got - expected) <= 1e-9 * fabs(expected)))
        fail_msg("%s is %.9g instead of %.9g in: %s", what, got, expected, line);
}

#endif
