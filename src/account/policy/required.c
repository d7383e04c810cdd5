#include "account/policy/required.h"

#include "account/policy/ledger_policy.h"
#include "account/query/charge.h"

static struct str tag_of_dimension(struct strs tags, enum dimension d)
{
    for (size_t i = 0; i < tags.len; i++) {
        struct str value = tags.at[i], key = str_cut(&value, '=');

        if (dimension_of_tag(key) == d && value.len > 0)
            return value;
    }
    return (struct str){0};
}

/* The run as costs will know it, before it has cost anything. */
static bool dimensions_of_start(const struct account_source *account,
                                const struct allocation_policy *policy,
                                const struct ledger_start *start, struct dimensions *out,
                                struct error *err)
{
    const struct ledger_charge charge = {.id = str_from(start->id),
                                         .name = start->name,
                                         .owner = start->user,
                                         .command = start->command,
                                         .offer = start->offer,
                                         .market = start->market,
                                         .tags = STR("{}")};
    const struct subject subject = {
        .of = out, .resource_name = start->name, .description = start->command};
    const struct coverage none = {0};
    struct run_dimensions d;
    bool ok;

    run_dimensions_open(&d, account, &none, NULL, 0);
    ok = run_dimensions_of(&d, &charge, out, err);
    run_dimensions_close(&d);
    for (int t = DIMENSION_FIRST_TAG; ok && t < DIMENSION_COUNT; t++) {
        struct str value = tag_of_dimension(start->tags, (enum dimension)t);

        if (value.len > 0)
            out->of[t] = value;
    }
    if (ok)
        policy_apply(policy, &subject, out);
    return ok;
}

static bool missing_tags(const struct account_source *account,
                         const struct allocation_policy *policy,
                         const struct ledger_start *start, struct strs *out, struct error *err)
{
    struct strs required = policy->required;
    struct str *missing = arena_array(account->arena, struct str, required.len, err);
    struct dimensions has;

    *out = (struct strs){.at = missing};
    if (missing == NULL || required.len == 0)
        return missing != NULL;
    if (!dimensions_of_start(account, policy, start, &has, err))
        return false;
    for (size_t i = 0; i < required.len; i++)
        if (has.of[dimension_find(required.at[i])].len == 0)
            missing[out->len++] = required.at[i];
    return true;
}

/* "team, project and owner", with other words between them. */
static void list_names(struct strs names, const char *between, const char *last,
                       const char *after, struct buf *out)
{
    for (size_t i = 0; i < names.len; i++) {
        if (i > 0)
            buf_adds(out, i + 1 < names.len ? between : last);
        buf_add(out, names.at[i]);
        buf_adds(out, after);
    }
}

bool account_require_tags(const struct account_source *account,
                          const struct allocation_policy *policy,
                          const struct ledger_start *start, struct error *err)
{
    struct buf names = buf_new(&alloc_system, 400), type = buf_new(&alloc_system, 400);
    struct strs missing;
    const char *s;

    if (!missing_tags(account, policy, start, &missing, err))
        return false;
    if (missing.len == 0)
        return true;
    list_names(missing, ", ", " and ", "", &names);
    list_names(missing, ",", ",", "=...", &type);
    s = missing.len == 1 ? "" : "s";
    if (policy->refuses) {
        error_set(err, ERROR_INPUT, "the allocation policy requires the tag%s %.*s", s,
                  STR_ARG(buf_text(&names)));
        error_hint(err, "add --tag %.*s", STR_ARG(buf_text(&type)));
    } else {
        message_warn(&account->messages,
                     "the allocation policy requires the tag%s %.*s: add --tag %.*s", s,
                     STR_ARG(buf_text(&names)), STR_ARG(buf_text(&type)));
    }
    buf_free(&names);
    buf_free(&type);
    return !policy->refuses;
}

bool account_check_start(const struct account_source *account, const struct ledger_start *start,
                         struct error *err)
{
    struct error why = {0};
    const struct allocation_policy *policy;

    /* The next attempt at a run has the tags of the first. */
    if (account->ledger == NULL || start->resume_id[0] != '\0')
        return true;
    policy = ledger_policy_or_none(account->ledger, account->arena, &why);
    if (policy != NULL)
        return account_require_tags(account, policy, start, err);
    message_warn(&account->messages, "required tags were not checked: %s", why.text);
    return true;
}
