/* Conditions, and what rules set. */
#include "account/policy/allocate.h"

#include "base/json.h"

static bool any_glob(struct strs globs, struct str text)
{
    for (size_t i = 0; i < globs.len; i++)
        if (str_glob(text, globs.at[i]))
            return true;
    return false;
}

/* The end of a key, after what clouds put before it: "user:app", "labels/app". */
static struct str key_end(struct str key)
{
    for (size_t i = key.len; i > 0; i--)
        if (key.at[i - 1] == ':' || key.at[i - 1] == '/')
            return (struct str){key.at + i, key.len - i};
    return key;
}

static bool is_key(struct str key, struct str wanted)
{
    return str_eq_nocase(key, wanted) || str_eq_nocase(key_end(key), wanted);
}

struct tag_sought {
    const struct policy_condition *c;
    bool found, holds;
};

static bool look_at_tag(void *ctx, struct str key, enum json_kind kind, struct str text)
{
    struct tag_sought *s = ctx;

    s->found = is_key(key, s->c->tag);
    s->holds =
        s->found && (kind == JSON_STRING || kind == JSON_NUMBER) && any_glob(s->c->globs, text);
    return !s->found;
}

/* Does the object hold the tag with such a value? One that it does not hold is empty, as
 * everywhere. What cannot be read holds nothing. */
static bool tag_holds(const struct allocation_policy *policy, const struct policy_condition *c,
                      struct str tags)
{
    struct tag_sought s = {.c = c};
    struct error ignored;

    if (tags.len > 0)
        (void)json_members(tags, policy->alloc, look_at_tag, &s, &ignored);
    return s.found ? s.holds : any_glob(c->globs, (struct str){0});
}

/* An account is known by its name or by its id. */
static bool dimension_holds(const struct policy_condition *c, const struct subject *subject,
                            const struct dimensions *of)
{
    struct str id = c->dimension == DIMENSION_account       ? subject->account_id
                    : c->dimension == DIMENSION_sub_account ? subject->sub_account_id
                                                            : (struct str){0};

    return any_glob(c->globs, of->of[c->dimension]) || (id.len > 0 && any_glob(c->globs, id));
}

static bool holds(const struct allocation_policy *policy, const struct policy_condition *c,
                  const struct subject *subject, const struct dimensions *of)
{
    switch (c->look) {
    case LOOK_DIMENSION:
        return dimension_holds(c, subject, of);
    case LOOK_RESOURCE:
        return any_glob(c->globs, subject->resource);
    case LOOK_RESOURCE_NAME:
        return any_glob(c->globs, subject->resource_name);
    case LOOK_DESCRIPTION:
        return any_glob(c->globs, subject->description);
    case LOOK_TAG:
        return tag_holds(policy, c, subject->tags);
    }
    return false;
}

static bool policy_conditions_hold(const struct allocation_policy *policy,
                                   struct policy_conditions conditions,
                                   const struct subject *subject, const struct dimensions *of)
{
    for (size_t i = 0; i < conditions.len; i++)
        if (!holds(policy, &conditions.at[i], subject, of))
            return false;
    return true;
}

/* Was something not so before? */
static bool set_all(const struct policy_rule *rule, struct dimensions *out)
{
    bool changed = false;

    for (size_t i = 0; i < rule->set.len; i++) {
        struct str *at = &out->of[rule->set.at[i].dimension];

        if (at->len > 0 && (!rule->override || str_eq(*at, rule->set.at[i].value)))
            continue;
        *at = rule->set.at[i].value;
        changed = true;
    }
    return changed;
}

void policy_apply(const struct allocation_policy *policy, const struct subject *subject,
                  struct dimensions *out)
{
    for (size_t i = 0; i < policy->rule_count; i++)
        if (policy_conditions_hold(policy, policy->rules[i].when, subject, out))
            (void)set_all(&policy->rules[i], out);
}

bool policy_rule_apply(const struct allocation_policy *policy, size_t i,
                       const struct subject *subject, struct dimensions *has, bool *changed)
{
    *changed = false;
    if (!policy_conditions_hold(policy, policy->rules[i].when, subject, has))
        return false;
    *changed = set_all(&policy->rules[i], has);
    return true;
}

bool policy_shared_matches(const struct allocation_policy *policy, size_t i,
                           const struct dimensions *of)
{
    const struct subject subject = {.of = of};

    return policy_conditions_hold(policy, policy->shared[i].when, &subject, of);
}

uint64_t policy_split_by(const struct allocation_policy *policy)
{
    uint64_t bits = 0;

    for (size_t i = 0; i < policy->shared_count; i++) {
        const struct policy_shared *s = &policy->shared[i];

        bits |= (uint64_t)1 << s->over;
        for (size_t c = 0; c < s->when.len; c++)
            bits |= (uint64_t)1 << s->when.at[c].dimension;
    }
    return bits;
}
