/* The dimensions by their names, and the tags of people that mean one of them. */
#include "bill/dimension.h"

#include <string.h>

#include "base/characters.h"
#include "base/json.h"

#define KEY_MAX 40 /* a longer one, without its separators, is none of ours */

static const char *const names[DIMENSION_COUNT] = {
#define DIMENSION_NAME(name, help) [DIMENSION_##name] = #name,
    DIMENSIONS(DIMENSION_NAME)
#undef DIMENSION_NAME
};

/* Other spellings, in small letters and without separators. Those of tags also name the
 * dimension in a question. */
static const struct synonym {
    const char *text;
    enum dimension means;
} synonyms[] = {
    {"cloud", DIMENSION_provider},
    {"vendor", DIMENSION_provider},
    {"servicename", DIMENSION_service},
    {"servicecategory", DIMENSION_category},
    {"billingaccount", DIMENSION_account},
    {"subscription", DIMENSION_sub_account},
    {"linkedaccount", DIMENSION_sub_account},
    {"location", DIMENSION_region},
    {"chargecategory", DIMENSION_charge},
    {"chargetype", DIMENSION_charge},
    {"pricingcategory", DIMENSION_pricing},
    {"pricingmodel", DIMENSION_pricing},
    {"instancetype", DIMENSION_instance},
    {"machine", DIMENSION_instance},
    {"machinetype", DIMENSION_instance},
    {"gputype", DIMENSION_gpu},
    {"accelerator", DIMENSION_gpu},
    {"storagetier", DIMENSION_tier},
    {"storageclass", DIMENSION_tier},
    {"teamname", DIMENSION_team},
    {"teamid", DIMENSION_team},
    {"owningteam", DIMENSION_team},
    {"ownerteam", DIMENSION_team},
    {"squad", DIMENSION_team},
    {"proj", DIMENSION_project},
    {"projectname", DIMENSION_project},
    {"projectid", DIMENSION_project},
    {"projectcode", DIMENSION_project},
    {"env", DIMENSION_environment},
    {"environmentname", DIMENSION_environment},
    {"environmenttype", DIMENSION_environment},
    {"deploymentenvironment", DIMENSION_environment},
    {"stage", DIMENSION_environment},
    {"exp", DIMENSION_experiment},
    {"experimentname", DIMENSION_experiment},
    {"experimentid", DIMENSION_experiment},
    {"costcentre", DIMENSION_cost_center},
    {"costcentrecode", DIMENSION_cost_center},
    {"costcentercode", DIMENSION_cost_center},
    {"costcentreid", DIMENSION_cost_center},
    {"costcenterid", DIMENSION_cost_center},
    {"costcentrename", DIMENSION_cost_center},
    {"costcentername", DIMENSION_cost_center},
    {"kostenstelle", DIMENSION_cost_center},
    {"modelname", DIMENSION_model},
    {"modelid", DIMENSION_model},
    {"lifecyclephase", DIMENSION_phase},
    {"phasename", DIMENSION_phase},
    {"ownername", DIMENSION_owner},
    {"owneremail", DIMENSION_owner},
    {"ownedby", DIMENSION_owner},
    {"resourceowner", DIMENSION_owner},
};

/* How plainly a key is named: of two that mean the same, the lower one counts. */
enum plainness {
    PLAIN,    /* "team", "Team", "cost-center" */
    PREFIXED, /* "acme:team" */
    SYNONYM,  /* "team_name" */
    PLAINNESSES,
};

const char *dimension_name(enum dimension d)
{
    return names[d];
}

/* Small letters and digits only, and what is not ASCII as it is: "Cost-Centre" is "costcentre".
 * Nothing when it is too long to be one of ours. */
static struct str normal(struct str text, char out[KEY_MAX])
{
    size_t len = 0;

    for (size_t i = 0; i < text.len; i++) {
        char c = text.at[i];

        c = to_lower(c);
        if (!(is_lower(c) || is_digit(c) || (unsigned char)c >= 0x80))
            continue;
        if (len == KEY_MAX)
            return (struct str){0};
        out[len++] = c;
    }
    return (struct str){out, len};
}

/* Is a key without separators the name, but for the separators of that? */
static bool is_dimension_name(struct str key, const char *name)
{
    size_t len = 0;

    for (; *name != '\0'; name++)
        if (*name != '_' && (len == key.len || key.at[len++] != *name))
            return false;
    return len == key.len;
}

/* What a text without prefixes means. The American spelling is as plain as ours. */
static enum dimension meaning(struct str text, enum plainness *how)
{
    char room[KEY_MAX];
    struct str key = normal(text, room);

    *how = PLAIN;
    if (key.len == 0)
        return DIMENSION_COUNT;
    for (int d = 0; d < DIMENSION_COUNT; d++)
        if (is_dimension_name(key, names[d]))
            return (enum dimension)d;
    for (size_t i = 0; i < ARRAY_LEN(synonyms); i++)
        if (key.at[0] == synonyms[i].text[0] && str_eq(key, str_from(synonyms[i].text))) {
            if (!str_eq(key, STR("costcenter")) && !str_eq(key, STR("env")))
                *how = SYNONYM;
            return synonyms[i].means;
        }
    return DIMENSION_COUNT;
}

enum dimension dimension_find(struct str name)
{
    enum plainness how;

    return meaning(name, &how);
}

static bool starts_nocase(struct str s, struct str head)
{
    return s.len >= head.len && str_eq_nocase((struct str){s.at, head.len}, head);
}

static struct str without(struct str s, size_t count)
{
    return count == 0 ? s : (struct str){s.at + count, s.len - count};
}

/* A key that a cloud or its tools set, not a person: "createdBy" under one of these is no owner
 * of ours. */
static bool cloud_owned(struct str key)
{
    static const struct str heads[] = {
        {"aws:", 4}, {"goog-", 5}, {"hidden-", 7}, {"oracle-tags.", 12}, {"system.", 7},
    };

    for (size_t i = 0; i < ARRAY_LEN(heads); i++)
        if (starts_nocase(key, heads[i]))
            return true;
    return false;
}

/* "resourceTags/user:Team" is "user:Team": how clouds wrap keys in their columns. */
static struct str unwrapped(struct str key)
{
    static const struct str wrappers[] = {
        {"resourcetags/", 13}, {"tags/", 5}, {"tag:", 4}, {"labels/", 7}, {"label:", 6},
    };

    for (size_t i = 0; i < ARRAY_LEN(wrappers); i++)
        if (starts_nocase(key, wrappers[i]))
            return without(key, wrappers[i].len);
    return key;
}

static enum dimension tag_meaning(struct str key, enum plainness *how)
{
    enum dimension means;
    size_t after = 0;

    key = unwrapped(str_trim(key));
    if (cloud_owned(key))
        return DIMENSION_COUNT;
    for (size_t i = 0; i < key.len; i++)
        if (key.at[i] == ':' || key.at[i] == '/' || key.at[i] == '.')
            after = i + 1;
    means = meaning(without(key, after), how);
    /* What CUR 2.0 makes of "user:team". */
    if (means == DIMENSION_COUNT && after == 0 && starts_nocase(key, STR("user_")))
        means = meaning(without(key, 5), how);
    else if (after > 0 && *how == PLAIN &&
             !str_eq_nocase((struct str){key.at, after}, STR("user:")))
        *how = PREFIXED;
    return means != DIMENSION_COUNT && means >= DIMENSION_FIRST_TAG ? means : DIMENSION_COUNT;
}

enum dimension dimension_of_tag(struct str key)
{
    enum plainness how;

    return tag_meaning(key, &how);
}

/* Values found so far, as places in the scratch buffer, which moves as it grows. */
struct finding {
    struct buf *scratch;
    struct {
        size_t at, len;
        bool inside;        /* of the scratch: `at` counts */
        enum plainness how; /* PLAINNESSES when there is no value yet */
    } of[DIMENSION_COUNT];
    bool taken[DIMENSION_COUNT]; /* `out` had a value before */
};

static void find_begin(struct finding *f, const struct dimensions *out, struct buf *scratch)
{
    uintptr_t base = (uintptr_t)scratch->at;

    *f = (struct finding){.scratch = scratch};
    for (int d = 0; d < DIMENSION_COUNT; d++) {
        uintptr_t at = (uintptr_t)out->of[d].at;

        f->of[d].how = PLAINNESSES;
        f->taken[d] = out->of[d].len > 0;
        if (f->taken[d] && base != 0 && at >= base && at - base < scratch->len) {
            f->of[d].inside = true;
            f->of[d].at = at - base;
            f->of[d].len = out->of[d].len;
        }
    }
}

static void find_dimensions_end(const struct finding *f, struct dimensions *out)
{
    for (int d = 0; d < DIMENSION_COUNT; d++)
        if (f->of[d].inside)
            out->of[d] = (struct str){f->scratch->at + f->of[d].at, f->of[d].len};
}

static void found(struct finding *f, enum dimension d, enum plainness how, struct str value)
{
    size_t at = f->scratch->len;

    value = str_trim(value);
    if (f->taken[d] || how >= f->of[d].how || value.len == 0)
        return;
    buf_add(f->scratch, value);
    if (f->scratch->failed != ERROR_NONE)
        return;
    f->of[d].inside = true;
    f->of[d].at = at;
    f->of[d].len = value.len;
    f->of[d].how = how;
}

/* What is nested in a value is ignored. */
static bool find_dimension_tag(void *ctx, struct str key, enum json_kind kind, struct str text)
{
    enum plainness how;
    enum dimension d = tag_meaning(key, &how);

    if (d == DIMENSION_COUNT)
        return true;
    if (kind == JSON_STRING || kind == JSON_NUMBER)
        found(ctx, d, how, text);
    else if (kind == JSON_TRUE || kind == JSON_FALSE)
        found(ctx, d, how, kind == JSON_TRUE ? STR("true") : STR("false"));
    return true;
}

bool dimensions_from_tags(struct str json, struct dimensions *out, struct buf *scratch)
{
    struct error ignored = {0};
    struct finding finding;
    bool ok;

    find_begin(&finding, out, scratch);
    ok = json_members(json, scratch->alloc, find_dimension_tag, &finding, &ignored);
    find_dimensions_end(&finding, out);
    return ok && scratch->failed == ERROR_NONE;
}

static struct str tag_key(struct str tag)
{
    return str_cut(&tag, '=');
}

bool tags_check(struct strs tags, struct error *err)
{
    for (size_t i = 0; i < tags.len; i++) {
        struct str key = tag_key(tags.at[i]);

        if (key.len == 0 || key.len == tags.at[i].len) {
            error_set(err, ERROR_USAGE, "--tag: '%.*s' is not a key and a value",
                      STR_ARG(tags.at[i]));
            error_hint(err, "write it as --tag team=nlp");
            return false;
        }
        for (size_t j = 0; j < i; j++)
            if (str_eq_nocase(tag_key(tags.at[j]), key))
                return error_fail(err, ERROR_USAGE, "--tag: '%.*s' is given twice",
                                  STR_ARG(key));
    }
    return true;
}

bool tags_only_team(struct strs tags, struct str team, bool *named)
{
    *named = false;
    for (size_t i = 0; i < tags.len; i++) {
        struct str value = tags.at[i], key = str_cut(&value, '=');

        if (dimension_of_tag(key) != DIMENSION_team)
            continue;
        if (!str_eq_nocase(str_trim(value), team))
            return false;
        *named = *named || str_eq_nocase(key, STR("team"));
    }
    return true;
}

void tags_note(struct strs tags, const struct messages *to)
{
    for (size_t i = 0; i < tags.len; i++) {
        struct str value = tags.at[i], key = str_cut(&value, '=');
        struct suggestion s = {.wanted = key};

        if (dimension_of_tag(key) != DIMENSION_COUNT || value.len == 0)
            continue;
        for (int d = DIMENSION_FIRST_TAG; d < DIMENSION_COUNT; d++)
            suggestion_try(&s, str_from(dimension_name((enum dimension)d)));
        if (s.best.len > 0)
            message_note(to,
                         "the tag '%.*s' is stored, but costs are not grouped by it: did you "
                         "mean '%.*s'?",
                         STR_ARG(key), STR_ARG(s.best));
    }
}
