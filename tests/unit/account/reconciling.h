/* reconciling.h - helpers that make machines, their days and attempts of runs. */
#ifndef TESTS_ALLOCATE_RECONCILING_H
#define TESTS_ALLOCATE_RECONCILING_H

#include "test.h"

#include <stdio.h>

#include "account/reconcile/match.h"

#define DAY 20000 /* 2024-10-04 */
#define HOUR 3600

static inline struct decimal number(const char *text)
{
    struct decimal d;

    assert_true(decimal_parse(str_from(text), &d));
    return d;
}

static inline struct reconcile_machine machine(const char *resource, const char *instance)
{
    return (struct reconcile_machine){.resource = str_from(resource),
                                      .provider = STR("AWS"),
                                      .region = STR("us-east-1"),
                                      .instance = str_from(instance)};
}

static inline struct reconcile_cell cell(size_t at, int on, double hours, const char *cost)
{
    return (struct reconcile_cell){.machine = at,
                                   .on = {DAY + on},
                                   .from = {(int64_t)(DAY + on) * 86400},
                                   .to = {(int64_t)(DAY + on + 1) * 86400},
                                   .hours = hours,
                                   .cost = number(cost),
                                   .currency = {"USD"}};
}

/* From an hour of a day, so many hours long. */
static inline struct reconcile_attempt attempt(const char *resource, int on, int hour,
                                               double hours)
{
    int64_t from = (int64_t)(DAY + on) * 86400 + (int64_t)hour * HOUR;

    return (struct reconcile_attempt){.run = STR("0199-run-aaaabbbb"),
                                      .name = STR("bert"),
                                      .resource = str_from(resource),
                                      .provider = STR("AWS"),
                                      .region = STR("us-east-1"),
                                      .instance = STR("p4d.24xlarge"),
                                      .from = {from},
                                      .to = {from + (int64_t)(hours * HOUR)}};
}

static inline void match(struct reconcile_machine *machines, size_t machine_count,
                         struct reconcile_cell *cells, size_t cell_count,
                         struct reconcile_attempt *attempts, size_t attempt_count)
{
    static struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    struct error err = {0};

    arena_free(&arena); /* of the last time */
    assert_true(
        reconcile_match(&(struct reconcile_bill){machines, machine_count, cells, cell_count},
                        attempts, attempt_count, &arena, &err));
}

static inline void assert_amount(struct decimal got, const char *wanted)
{
    if (decimal_cmp(got, number(wanted)) != 0)
        fail_msg("%.15g instead of %s", decimal_double(got), wanted);
}

#endif
