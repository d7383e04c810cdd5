/* jobs.h - reading jobs in the tests of src/job. */
#ifndef TESTS_JOB_JOBS_H
#define TESTS_JOB_JOBS_H

#include "catalog/loaded.h"

#include <math.h>
#include <string.h>

#include "job/job.h"

/* From a block of just this size, so that ASan sees a read past the end. */
static inline bool read_job_named(const char *text, const char *name, struct job *job,
                                  struct error *err)
{
    size_t len = strlen(text);
    char *exact = malloc(len > 0 ? len : 1);
    bool ok;

    assert_non_null(exact);
    memcpy(exact, text, len);
    ok = job_read((struct str){exact, len}, name, job, &arena, err);
    free(exact);
    return ok;
}

static inline bool read_job(const char *text, struct job *job, struct error *err)
{
    return read_job_named(text, "job.yaml", job, err);
}

static inline struct job job_of(const char *text)
{
    struct error err = {0};
    struct job job;

    if (!read_job(text, &job, &err))
        fail_msg("'%s': %s", text, err.text);
    return job;
}

static inline struct job resolved(const char *text)
{
    struct job job = job_of(text);
    struct error err = {0};

    if (!job_resolve(&job, &catalog, (struct str){0}, &arena, &err))
        fail_msg("'%s': %s", text, err.text);
    return job;
}

static inline void check_error(const struct error *err, const char *text, const char *hint)
{
    assert_string_equal(err->text, text);
    assert_string_equal(err->hint, hint);
}

static inline void check_refused(const char *yaml, const char *text, const char *hint)
{
    struct error err = {0};
    struct job job;

    if (read_job(yaml, &job, &err))
        fail_msg("'%s' was not refused", yaml);
    assert_int_equal(err.kind, ERROR_INPUT);
    check_error(&err, text, hint);
}

/* It is read, but contradicts itself. */
static inline void check_unresolved(const char *yaml, const char *text, const char *hint)
{
    struct job job = job_of(yaml);
    struct error err = {0};

    if (job_resolve(&job, &catalog, (struct str){0}, &arena, &err))
        fail_msg("'%s' was not refused", yaml);
    check_error(&err, text, hint);
}

#endif
