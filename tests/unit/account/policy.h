/* policy.h - read a policy in a test, or expect an error. */
#ifndef TESTS_ALLOCATE_POLICY_H
#define TESTS_ALLOCATE_POLICY_H

#include "test.h"

#include "account/policy/allocate.h"

static inline const struct allocation_policy *read_policy(const char *yaml, struct arena *arena)
{
    struct error err = {0};
    const struct allocation_policy *p = policy_read(str_from(yaml), "p.yaml", arena, &err);

    if (p == NULL)
        fail_msg("%s (%s)", err.text, err.hint);
    return p;
}

static inline struct decimal decimal(const char *text)
{
    struct decimal d;

    assert_true(decimal_parse(str_from(text), &d));
    return d;
}

#endif
