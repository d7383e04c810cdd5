/* The policy: a YAML document, checked. */
#include "account/policy/internal.h"

/* Maps are read apart: their fields are here only so that their names are known. */
struct rule_record {
    struct str when, set;
    bool override;
};

static const struct field rule_fields[] = {
    FIELD(TEXT, rule_record, when, .help = "what it is about: {service: AmazonEC2}"),
    FIELD(TEXT, rule_record, set, .help = "tags to set: {team: nlp}"),
    FIELD(FLAG, rule_record, override, .help = "also where there is a tag already"),
};

static const char *const split_names[] = {
    [SPLIT_USAGE] = "usage", [SPLIT_EVEN] = "even", [SPLIT_WEIGHTS] = "weights", NULL};

struct shared_record {
    struct str name, when, split, over, weights;
    struct strs among;
};

static const struct field shared_fields[] = {
    FIELD(TEXT, shared_record, name, .required = true, .help = "what statements call it"),
    FIELD(TEXT, shared_record, when, .help = "what it is about: {charge: Tax}"),
    FIELD(CHOICE, shared_record, split, .required = true, .choices = split_names,
          .help = "usage, even or weights"),
    FIELD(TEXT, shared_record, over, .fallback = "team", .help = "team, project, ..."),
    FIELD(TEXTS, shared_record, among, .help = "who takes part: [nlp, vision]"),
    FIELD(TEXT, shared_record, weights, .help = "{nlp: 3, vision: 1}"),
};

struct recurring_record {
    struct str name, cost, provider, tags;
    day from, until;
};

static const struct field recurring_fields[] = {
    FIELD(TEXT, recurring_record, name, .required = true, .help = "what statements call it"),
    FIELD(TEXT, recurring_record, cost, .required = true, .help = "$200/month"),
    FIELD(DAY, recurring_record, from, .required = true, .help = "its first day: 2026-01-01"),
    FIELD(DAY, recurring_record, until, .help = "its last day"),
    FIELD(TEXT, recurring_record, provider, .fallback = "recurring costs",
          .help = "who is paid"),
    FIELD(TEXT, recurring_record, tags, .help = "whose it is: {team: platform}"),
};

static const char *const enforcements[] = {"warn", "refuse", NULL};

struct policy_record {
    struct strs required;
    struct str enforce, rules, shared, recurring;
};

static const struct field policy_fields[] = {
    FIELD(TEXTS, policy_record, required, .help = "tags that must be there: [team, project]"),
    FIELD(CHOICE, policy_record, enforce, .choices = enforcements, .fallback = "warn",
          .help = "warn or refuse: runs without them"),
    FIELD(TEXT, policy_record, rules, .help = "tags set by pattern"),
    FIELD(TEXT, policy_record, shared, .help = "costs that are split"),
    FIELD(TEXT, policy_record, recurring, .help = "costs entered once"),
};

static const struct field_set rule_set = FIELD_SET(struct rule_record, rule_fields),
                              shared_set = FIELD_SET(struct shared_record, shared_fields),
                              recurring_set =
                                  FIELD_SET(struct recurring_record, recurring_fields),
                              policy_set = FIELD_SET(struct policy_record, policy_fields);

static bool read_rule(const struct reading *r, const struct node *map, struct rule *out,
                      struct error *err)
{
    static const char *const apart[] = {"when", "set", NULL};
    struct rule_record record;

    if (!fields_reset(&rule_set, &record, r->arena, err) ||
        !reading_fields(r, &rule_set, map, apart, &record, err) ||
        !reading_conditions(r, node_get(map, STR("when")), false, &out->when, err) ||
        !reading_settings(r, node_get(map, STR("set")), &out->set, err))
        return false;
    out->line = map->line;
    out->override = record.override;
    if (out->set.len > 0)
        return rule_words(out, r->arena, err);
    error_set(err, ERROR_INPUT, "the rule sets nothing");
    error_hint(err, "name what to set: {when: {service: AmazonEC2}, set: {team: nlp}}");
    return reading_fail(r, map, err);
}

/* What the ways of splitting need, and what they do not. */
static bool check_shared(const struct shared *s, struct error *err)
{
    if (s->when.len == 0) {
        error_set(err, ERROR_INPUT, "shared cost '%.*s' does not say what it is",
                  STR_ARG(s->name));
        error_hint(err, "when: {charge: Tax}, when: {team: platform}, ...");
        return false;
    }
    if (s->split == SPLIT_WEIGHTS && s->weight_count == 0) {
        error_set(err, ERROR_INPUT, "shared cost '%.*s' is split by weights, but has none",
                  STR_ARG(s->name));
        error_hint(err, "weights: {nlp: 3, vision: 1}");
        return false;
    }
    if (s->split != SPLIT_WEIGHTS && s->weight_count > 0) {
        error_set(err, ERROR_INPUT, "shared cost '%.*s' has weights, but is split by %s",
                  STR_ARG(s->name), split_names[s->split]);
        error_hint(err, "write split: weights, or leave them out");
        return false;
    }
    if (s->split != SPLIT_WEIGHTS || s->among.len == 0)
        return true;
    error_set(err, ERROR_INPUT, "shared cost '%.*s': the weights already name who takes part",
              STR_ARG(s->name));
    error_hint(err, "leave out 'among'");
    return false;
}

static bool read_shared(const struct reading *r, const struct node *map, struct shared *out,
                        struct error *err)
{
    static const char *const apart[] = {"when", "weights", NULL};
    struct shared_record record;

    if (!fields_reset(&shared_set, &record, r->arena, err) ||
        !reading_fields(r, &shared_set, map, apart, &record, err) ||
        !reading_conditions(r, node_get(map, STR("when")), true, &out->when, err) ||
        !reading_weights(r, node_get(map, STR("weights")), out, err))
        return false;
    out->line = map->line;
    out->name = record.name;
    out->among = record.among;
    while (!str_eq(record.split, str_from(split_names[out->split])))
        out->split++;
    out->over = reading_tag(record.over, err);
    if (out->over == DIMENSION_COUNT || !check_shared(out, err))
        return reading_fail(r, map, err);
    return shared_words(out, r->arena, err);
}

/* "$200/month". */
static bool parse_cost(struct str text, struct recurring *out, struct error *err)
{
    static const char *const names[] = {
        [PER_DAY] = "day", [PER_MONTH] = "month", [PER_YEAR] = "year"};
    struct str per = text, amount = str_cut(&per, '/');
    struct error ignored;
    bool known = money_parse(amount, &out->cost, &ignored);

    per = str_trim(per);
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        out->per = (enum per)i;
        if (known && out->cost.amount.coefficient >= 0 && str_eq(per, str_from(names[i])))
            return true;
    }
    if (known && out->cost.amount.coefficient < 0)
        error_set(err, ERROR_INPUT, "cost '%.*s' is less than nothing", STR_ARG(text));
    else
        error_set(err, ERROR_INPUT, "'%.*s' is not a cost that comes again", STR_ARG(text));
    error_hint(err, "write it as $200/month, 49.90EUR/month, $12000/year or $5/day");
    return false;
}

static bool read_recurring(const struct reading *r, const struct node *map,
                           struct recurring *out, struct error *err)
{
    static const char *const apart[] = {"tags", NULL};
    struct recurring_record record;
    struct settings_of tags;

    if (!fields_reset(&recurring_set, &record, r->arena, err) ||
        !reading_fields(r, &recurring_set, map, apart, &record, err) ||
        !reading_settings(r, node_get(map, STR("tags")), &tags, err))
        return false;
    *out = (struct recurring){.line = map->line,
                              .name = record.name,
                              .from = record.from,
                              .until = record.until,
                              .of.of = {[DIMENSION_provider] = record.provider,
                                        [DIMENSION_service] = record.name,
                                        [DIMENSION_charge] = STR("Usage")}};
    for (size_t i = 0; i < tags.len; i++)
        out->of.of[tags.at[i].dimension] = tags.at[i].value;
    if (!parse_cost(record.cost, out, err))
        return reading_fail(r, node_get(map, STR("cost")), err);
    if (out->until.n == INT32_MIN || out->until.n >= out->from.n)
        return true;
    error_set(err, ERROR_INPUT, "'%.*s' ends before it begins", STR_ARG(out->name));
    return reading_fail(r, map, err);
}

/* ---- the document ---- */

/* The list under `key`: its first item, and how many there are. */
static bool list_of(const struct reading *r, const struct node *root, struct str key,
                    const struct node **first, size_t *count, struct error *err)
{
    const struct node *list = node_get(root, key);

    *first = NULL;
    *count = 0;
    if (list == NULL || list->kind == NODE_NULL)
        return true;
    if (list->kind != NODE_LIST) {
        error_set(err, ERROR_INPUT, "%.*s: expected a list", STR_ARG(key));
        error_hint(err, "each starts with '- '");
        return reading_fail(r, list, err);
    }
    *first = list->first;
    for (const struct node *item = list->first; item != NULL; item = item->next)
        ++*count;
    return true;
}

static bool read_rules(const struct reading *r, const struct node *root, struct policy *p,
                       struct error *err)
{
    const struct node *item;
    size_t count;

    if (!list_of(r, root, STR("rules"), &item, &count, err))
        return false;
    p->rules = arena_array(r->arena, struct rule, count, err);
    for (; p->rules != NULL && item != NULL; item = item->next)
        if (!read_rule(r, item, &p->rules[p->rule_count++], err))
            return false;
    return p->rules != NULL;
}

static bool read_all_shared(const struct reading *r, const struct node *root, struct policy *p,
                            struct error *err)
{
    const struct node *item;
    size_t count;

    if (!list_of(r, root, STR("shared"), &item, &count, err))
        return false;
    p->shared = arena_array(r->arena, struct shared, count, err);
    for (; p->shared != NULL && item != NULL; item = item->next) {
        struct shared *s = &p->shared[p->shared_count];

        if (!read_shared(r, item, s, err))
            return false;
        for (size_t i = 0; i < p->shared_count; i++)
            if (str_eq(p->shared[i].name, s->name)) {
                error_set(err, ERROR_INPUT, "there are two shared costs '%.*s'",
                          STR_ARG(s->name));
                return reading_fail(r, item, err);
            }
        p->shared_count++;
    }
    return p->shared != NULL;
}

static bool read_all_recurring(const struct reading *r, const struct node *root,
                               struct policy *p, struct error *err)
{
    const struct node *item;
    size_t count;

    if (!list_of(r, root, STR("recurring"), &item, &count, err))
        return false;
    p->recurring = arena_array(r->arena, struct recurring, count, err);
    for (; p->recurring != NULL && item != NULL; item = item->next)
        if (!read_recurring(r, item, &p->recurring[p->recurring_count++], err))
            return false;
    return p->recurring != NULL;
}

/* Their names as we have them, each once. */
static bool take_required(const struct reading *r, const struct node *root, struct strs given,
                          struct policy *p, struct error *err)
{
    struct str *names = arena_array(r->arena, struct str, given.len, err);
    uint64_t seen = 0;

    if (names == NULL)
        return false;
    p->required.at = names;
    for (size_t i = 0; i < given.len; i++) {
        enum dimension d = reading_tag(given.at[i], err);

        if (d == DIMENSION_COUNT)
            return reading_fail(r, node_get(root, STR("required")), err);
        if ((seen & (uint64_t)1 << d) == 0)
            names[p->required.len++] = str_from(dimension_name(d));
        seen |= (uint64_t)1 << d;
    }
    return true;
}

const struct policy *policy_read(struct str yaml, const char *name, struct arena *arena,
                                 struct error *err)
{
    static const char *const apart[] = {"rules", "shared", "recurring", NULL};
    struct reading r = {name, arena};
    struct policy *p = arena_array(arena, struct policy, 1, err);
    struct policy_record record;
    struct node *root;

    if (p == NULL)
        return NULL;
    p->alloc = arena->alloc;
    if (str_trim(yaml).len == 0)
        return p;
    root = yaml_read(yaml, name, arena, err);
    if (root == NULL || !fields_reset(&policy_set, &record, arena, err) ||
        !reading_fields(&r, &policy_set, root, apart, &record, err) ||
        !take_required(&r, root, record.required, p, err) || !read_rules(&r, root, p, err) ||
        !read_all_shared(&r, root, p, err) || !read_all_recurring(&r, root, p, err))
        return NULL;
    p->refuses = str_eq(record.enforce, STR("refuse"));
    return p;
}
