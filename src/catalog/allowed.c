#include "catalog/allowed.h"

bool allowed_denies(struct str *pattern)
{
    bool denies = pattern->len > 0 && pattern->at[0] == '!';

    if (denies)
        *pattern = (struct str){pattern->at + 1, pattern->len - 1};
    return denies;
}

bool allowed_names_any(struct strs patterns)
{
    for (size_t i = 0; i < patterns.len; i++)
        if (!allowed_denies(&(struct str){patterns.at[i].at, patterns.at[i].len}))
            return true;
    return false;
}

struct strs allowed_list(const struct allowed *a)
{
    return allowed_names_any(a->options) ? a->options : a->job;
}

/* Any of these that allow, or that deny, and match? */
static bool any_pattern_matches(struct strs patterns, bool deny, struct str name)
{
    for (size_t i = 0; i < patterns.len; i++) {
        struct str pattern = patterns.at[i];

        if (allowed_denies(&pattern) == deny && str_glob(name, pattern))
            return true;
    }
    return false;
}

bool allowed_passes(const struct allowed *a, struct str name)
{
    struct strs allow = allowed_list(a);

    return !any_pattern_matches(a->options, true, name) &&
           !any_pattern_matches(a->job, true, name) &&
           (!allowed_names_any(allow) || any_pattern_matches(allow, false, name));
}

bool allowed_match(struct strs patterns, struct str name)
{
    return allowed_passes(&(struct allowed){.options = patterns}, name);
}

bool allowed_check(const struct allowed *a, const struct catalog *catalog, uint64_t tables,
                   const char *column, struct error *err)
{
    const struct strs lists[] = {allowed_list(a), a->options, a->job}; /* the first allows */

    for (size_t l = 0; l < ARRAY_LEN(lists); l++)
        for (size_t i = 0; i < lists[l].len; i++) {
            struct str pattern = lists[l].at[i];

            if (allowed_denies(&pattern) == (l > 0) &&
                !catalog_check_patterns(catalog, tables, column, (struct strs){&pattern, 1},
                                        err))
                return false;
        }
    return true;
}
