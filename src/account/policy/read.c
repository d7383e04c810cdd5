/* The policy: a YAML document, checked. */
#include <string.h>

#include "account/policy/allocate.h"
#include "doc/node.h"

/* The document being read. */
struct reading {
    const char *name;
    struct arena *arena;
};

/* The maps of a policy whose keys are dimensions, tags and names: conditions, settings,
 * weights. */

static bool add_policy_place(unsigned line, unsigned column, const char *name,
                             struct error *err)
{
    if (err->kind != ERROR_MEMORY)
        error_context(err, "%s:%u:%u", name, line, column);
    return false;
}

/* "FILE:3:9: " before the error. Returns false. */
static bool reading_fail(const struct reading *r, const struct node *at, struct error *err)
{
    return add_policy_place(at->line, at->column, r->name, err);
}

static bool fail_key(const struct reading *r, const struct node *at, struct error *err)
{
    return add_policy_place(at->key_line, at->key_column, r->name, err);
}

/* A null is nothing to fields_from_node(), and its key is known. */
static bool reading_fields(const struct reading *r, const struct field_set *set,
                           const struct node *map, const char *const *apart, void *record,
                           struct error *err)
{
    struct node plain = *map, *last = NULL;

    plain.first = NULL;
    if (map->kind != NODE_MAP && map->kind != NODE_NULL) {
        error_set(err, ERROR_INPUT, "expected keys and values");
        return reading_fail(r, map, err);
    }
    for (const struct node *child = map->first; child != NULL; child = child->next) {
        struct node *copy = node_new(child->kind, r->arena, err);

        if (copy == NULL)
            return false;
        *copy = *child;
        copy->next = NULL;
        for (size_t i = 0; apart[i] != NULL; i++)
            if (str_eq(child->key, str_from(apart[i])))
                copy->kind = NODE_NULL;
        node_append(&plain, &last, copy);
    }
    return fields_from_node(set, &plain, r->name, record, r->arena, err);
}

static size_t count_map_members(const struct node *map)
{
    size_t count = 0;

    for (const struct node *child = map->first; child != NULL; child = child->next)
        count++;
    return count;
}

static bool expect_map(const struct reading *r, const struct node *map, const char *example,
                       struct error *err)
{
    if (map->kind == NODE_MAP)
        return true;
    error_set(err, ERROR_INPUT, "%.*s: expected keys and values", STR_ARG(map->key));
    error_hint(err, "write %s", example);
    return reading_fail(r, map, err);
}

static bool reading_scalar(const struct reading *r, const struct node *node, struct str *out,
                           struct error *err)
{
    *out = node->text;
    if (node->kind == NODE_SCALAR)
        return true;
    *out = (struct str){0};
    if (node->kind == NODE_NULL) /* "team:" means without one */
        return true;
    error_set(err, ERROR_INPUT, "%.*s: expected one value", STR_ARG(node->key));
    return reading_fail(r, node, err);
}

/* One pattern, or a list of them. */
static bool reading_globs(const struct reading *r, const struct node *node, struct strs *out,
                          struct error *err)
{
    const struct node *first = node->kind == NODE_LIST ? node->first : node;
    size_t count = node->kind == NODE_LIST ? count_map_members(node) : 1, n = 0;
    struct str *globs = arena_array(r->arena, struct str, count, err);

    if (globs == NULL)
        return false;
    for (const struct node *item = first; n < count; item = item->next)
        if (!reading_scalar(r, item, &globs[n++], err))
            return false;
    *out = (struct strs){globs, count};
    if (count > 0)
        return true;
    error_set(err, ERROR_INPUT, "%.*s: the list is empty, so nothing can match",
              STR_ARG(node->key));
    return reading_fail(r, node, err);
}

static const struct {
    const char *name;
    enum policy_look look;
} looks[] = {{"resource", LOOK_RESOURCE},
             {"resource_name", LOOK_RESOURCE_NAME},
             {"description", LOOK_DESCRIPTION}};

/* What a key of `when` looks at. */
static bool look_of(struct str key, struct policy_condition *out, struct error *err)
{
    const struct str tag = STR("tag.");
    struct suggestion s = {.wanted = key};

    *out = (struct policy_condition){.look = LOOK_DIMENSION, .dimension = dimension_find(key)};
    if (out->dimension != DIMENSION_COUNT)
        return true;
    for (size_t i = 0; i < ARRAY_LEN(looks); i++) {
        out->look = looks[i].look;
        if (str_eq(key, str_from(looks[i].name)))
            return true;
        suggestion_try(&s, str_from(looks[i].name));
    }
    if (str_starts(key, tag) && key.len > tag.len) {
        out->look = LOOK_TAG;
        out->tag = (struct str){key.at + tag.len, key.len - tag.len};
        return true;
    }
    for (int d = 0; d < DIMENSION_COUNT; d++)
        suggestion_try(&s, str_from(dimension_name((enum dimension)d)));
    error_set(err, ERROR_INPUT, "a rule cannot look at '%.*s'", STR_ARG(key));
    if (!suggestion_hint(&s, err))
        error_hint(err, "for a tag of the bill write 'tag.%.*s'", STR_ARG(key));
    return false;
}

/* `map` may be NULL: none. `dimensions_only`: of a shared rule, which sees sums. */
static bool reading_conditions(const struct reading *r, const struct node *map,
                               bool dimensions_only, struct policy_conditions *out,
                               struct error *err)
{
    struct policy_condition *all;
    size_t n = 0;

    *out = (struct policy_conditions){0};
    if (map == NULL || map->kind == NODE_NULL)
        return true;
    if (!expect_map(r, map, "when: {account: '1234*', service: AmazonEC2}", err))
        return false;
    all = arena_array(r->arena, struct policy_condition, count_map_members(map), err);
    if (all == NULL)
        return false;
    for (const struct node *child = map->first; child != NULL; child = child->next) {
        if (!look_of(child->key, &all[n], err))
            return fail_key(r, child, err);
        if (dimensions_only && all[n].look != LOOK_DIMENSION) {
            error_set(err, ERROR_INPUT, "a shared cost cannot be known by '%.*s'",
                      STR_ARG(child->key));
            error_hint(err, "let a rule set a tag by it, and name that tag here: "
                            "when: {project: shared}");
            return fail_key(r, child, err);
        }
        if (!reading_globs(r, child, &all[n++].globs, err))
            return false;
    }
    *out = (struct policy_conditions){all, n};
    return true;
}

/* The tag that a person means; DIMENSION_COUNT with the error set (without a place). */
static enum dimension reading_tag(struct str name, struct error *err)
{
    struct suggestion s = {.wanted = name};
    enum dimension d = dimension_find(name);

    if (d != DIMENSION_COUNT && d >= DIMENSION_FIRST_TAG)
        return d;
    if (d != DIMENSION_COUNT) {
        error_set(err, ERROR_INPUT, "'%.*s' is what the provider says, not a tag",
                  STR_ARG(name));
        error_hint(err, "tags are team, project, environment, experiment, cost_center, model, "
                        "phase and owner");
        return DIMENSION_COUNT;
    }
    for (int t = DIMENSION_FIRST_TAG; t < DIMENSION_COUNT; t++)
        suggestion_try(&s, str_from(dimension_name((enum dimension)t)));
    error_set(err, ERROR_INPUT, "there is no tag '%.*s'", STR_ARG(name));
    if (!suggestion_hint(&s, err))
        error_hint(err, "tags are team, project, environment, experiment, cost_center, model, "
                        "phase and owner");
    return DIMENSION_COUNT;
}

static bool reading_settings(const struct reading *r, const struct node *map,
                             struct policy_settings *out, struct error *err)
{
    struct policy_setting *all;
    size_t n = 0;

    *out = (struct policy_settings){0};
    if (map == NULL || map->kind == NODE_NULL)
        return true;
    if (!expect_map(r, map, "{team: nlp, project: ads}", err))
        return false;
    all = arena_array(r->arena, struct policy_setting, count_map_members(map), err);
    if (all == NULL)
        return false;
    for (const struct node *child = map->first; child != NULL; child = child->next, n++) {
        all[n].dimension = reading_tag(child->key, err);
        if (all[n].dimension == DIMENSION_COUNT)
            return fail_key(r, child, err);
        if (!reading_scalar(r, child, &all[n].value, err))
            return false;
        if (all[n].value.len == 0) {
            error_set(err, ERROR_INPUT, "%.*s: no value to set", STR_ARG(child->key));
            return fail_key(r, child, err);
        }
    }
    *out = (struct policy_settings){all, n};
    return true;
}

static bool reading_weights(const struct reading *r, const struct node *map,
                            struct policy_shared *out, struct error *err)
{
    struct policy_weight *all;

    if (map == NULL || map->kind == NODE_NULL)
        return true;
    if (!expect_map(r, map, "weights: {nlp: 3, vision: 1}", err))
        return false;
    all = arena_array(r->arena, struct policy_weight, count_map_members(map), err);
    if (all == NULL)
        return false;
    for (const struct node *child = map->first; child != NULL; child = child->next) {
        struct policy_weight *w = &all[out->weight_count++];

        w->name = child->key;
        if (child->kind != NODE_SCALAR || !decimal_parse(child->text, &w->amount) ||
            w->amount.coefficient <= 0) {
            error_set(err, ERROR_INPUT, "the weight of '%.*s' is not a number above zero",
                      STR_ARG(child->key));
            error_hint(err, "leave out values that do not share the cost");
            return reading_fail(r, child, err);
        }
    }
    out->weights = all;
    return true;
}

/* ---- rules in words ---- */

#define WORDS_MAX 2048

static void add_globs(struct strs globs, struct buf *out)
{
    for (size_t i = 0; i < globs.len; i++) {
        buf_adds(out, i > 0 ? "|" : "");
        buf_add(out, globs.at[i]);
    }
    if (globs.len == 1 && globs.at[0].len == 0)
        buf_adds(out, "(none)");
}

static void add_conditions(struct policy_conditions when, struct buf *out)
{
    static const char *const names[] = {[LOOK_RESOURCE] = "resource",
                                        [LOOK_RESOURCE_NAME] = "resource_name",
                                        [LOOK_DESCRIPTION] = "description",
                                        [LOOK_TAG] = "tag."};

    if (when.len == 0)
        buf_adds(out, "everything");
    for (size_t i = 0; i < when.len; i++) {
        const struct policy_condition *c = &when.at[i];

        buf_adds(out, i > 0 ? ", " : "");
        buf_adds(out,
                 c->look == LOOK_DIMENSION ? dimension_name(c->dimension) : names[c->look]);
        buf_add(out, c->tag);
        buf_char(out, '=');
        add_globs(c->globs, out);
    }
}

/* The text in the arena; one that is longer than anybody reads is cut. */
static bool keep_rule_words(struct buf *text, struct arena *arena, struct str *out,
                            struct error *err)
{
    struct str words = buf_text(text);
    bool memory = text->failed == ERROR_MEMORY;
    char *copy = memory ? NULL : str_dup(words, arena, err);

    *out = (struct str){copy, words.len};
    buf_free(text);
    return copy != NULL || (memory && error_memory(err));
}

static bool rule_words(struct policy_rule *rule, struct arena *arena, struct error *err)
{
    struct buf text = buf_new(arena->alloc, WORDS_MAX);

    add_conditions(rule->when, &text);
    buf_adds(&text, " -> ");
    for (size_t i = 0; i < rule->set.len; i++) {
        buf_addf(&text, "%s%s=", i > 0 ? ", " : "", dimension_name(rule->set.at[i].dimension));
        buf_add(&text, rule->set.at[i].value);
    }
    buf_adds(&text, rule->override ? " (override)" : "");
    return keep_rule_words(&text, arena, &rule->words, err);
}

static bool shared_words(struct policy_shared *shared, struct arena *arena, struct error *err)
{
    static const char *const ways[] = {
        [SPLIT_USAGE] = "by usage", [SPLIT_EVEN] = "evenly", [SPLIT_WEIGHTS] = "by weights"};
    struct buf text = buf_new(arena->alloc, WORDS_MAX);

    add_conditions(shared->when, &text);
    buf_addf(&text, ", split %s over %s", ways[shared->split], dimension_name(shared->over));
    if (shared->among.len > 0) {
        buf_char(&text, ' ');
        add_globs(shared->among, &text);
    }
    for (size_t i = 0; i < shared->weight_count; i++) {
        buf_adds(&text, i > 0 ? ", " : " ");
        buf_add(&text, shared->weights[i].name);
        buf_char(&text, ' ');
        decimal_write(shared->weights[i].amount, &text);
    }
    return keep_rule_words(&text, arena, &shared->words, err);
}

/* ---- rules, shared and recurring costs ---- */

/* Maps are read by functions of their own: their fields only make an unknown key an error. */
struct rule_record {
    struct str when, set;
    bool override;
};

static const struct field rule_fields[] = {
    FIELD(TEXT, rule_record, when, .help = "conditions: {service: AmazonEC2}"),
    FIELD(TEXT, rule_record, set, .help = "tags to set: {team: nlp}"),
    FIELD(FLAG, rule_record, override, .help = "replace tags that are already set"),
};

static const char *const split_names[] = {
    [SPLIT_USAGE] = "usage", [SPLIT_EVEN] = "even", [SPLIT_WEIGHTS] = "weights", NULL};

struct shared_record {
    struct str name, when, split, over, weights;
    struct strs among;
};

static const struct field shared_fields[] = {
    FIELD(TEXT, shared_record, name, .required = true, .help = "name in statements"),
    FIELD(TEXT, shared_record, when, .help = "conditions: {charge: Tax}"),
    FIELD(CHOICE, shared_record, split, .required = true, .choices = split_names,
          .help = "usage, even or weights"),
    FIELD(TEXT, shared_record, over, .fallback = "team", .help = "team, project, ..."),
    FIELD(TEXTS, shared_record, among, .help = "values that share it: [nlp, vision]"),
    FIELD(TEXT, shared_record, weights, .help = "weights of the shares: {nlp: 3, vision: 1}"),
};

struct recurring_record {
    struct str name, cost, provider, tags;
    day from, until;
};

static const struct field recurring_fields[] = {
    FIELD(TEXT, recurring_record, name, .required = true, .help = "name in statements"),
    FIELD(TEXT, recurring_record, cost, .required = true,
          .help = "cost per day, month or year: $200/month"),
    FIELD(DAY, recurring_record, from, .required = true, .help = "first day: 2026-01-01"),
    FIELD(DAY, recurring_record, until, .help = "last day"),
    FIELD(TEXT, recurring_record, provider, .fallback = "recurring costs",
          .help = "provider in statements"),
    FIELD(TEXT, recurring_record, tags, .help = "tags of the cost: {team: platform}"),
};

static const char *const enforcements[] = {"warn", "refuse", NULL};

struct policy_record {
    struct strs required;
    struct str enforce, rules, shared, recurring;
};

static const struct field policy_fields[] = {
    FIELD(TEXTS, policy_record, required, .help = "required tags: [team, project]"),
    FIELD(CHOICE, policy_record, enforce, .choices = enforcements, .fallback = "warn",
          .help = "policy for runs without these tags: warn or refuse"),
    FIELD(TEXT, policy_record, rules, .help = "tags set by pattern"),
    FIELD(TEXT, policy_record, shared, .help = "costs that are split"),
    FIELD(TEXT, policy_record, recurring, .help = "costs entered once"),
};

static const struct field_set rule_set = FIELD_SET(struct rule_record, rule_fields),
                              shared_set = FIELD_SET(struct shared_record, shared_fields),
                              recurring_set =
                                  FIELD_SET(struct recurring_record, recurring_fields),
                              policy_set = FIELD_SET(struct policy_record, policy_fields);

static bool read_policy_rule(const struct reading *r, const struct node *map,
                             struct policy_rule *out, struct error *err)
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
static bool check_shared(const struct policy_shared *s, struct error *err)
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
    error_set(err, ERROR_INPUT,
              "shared cost '%.*s': the weights already name who shares the cost",
              STR_ARG(s->name));
    error_hint(err, "leave out 'among'");
    return false;
}

static bool read_shared(const struct reading *r, const struct node *map,
                        struct policy_shared *out, struct error *err)
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

const char *const policy_per_names[] = {
    [PER_DAY] = "day", [PER_MONTH] = "month", [PER_YEAR] = "year"};

/* "$200/month". */
static bool parse_cost(struct str text, struct policy_recurring *out, struct error *err)
{
    struct str per = text, amount = str_cut(&per, '/');
    struct error ignored;
    bool known = money_parse(amount, &out->cost, &ignored);

    per = str_trim(per);
    for (size_t i = 0; i < ARRAY_LEN(policy_per_names); i++) {
        out->per = (enum policy_per)i;
        if (known && out->cost.amount.coefficient >= 0 &&
            str_eq(per, str_from(policy_per_names[i])))
            return true;
    }
    if (known && out->cost.amount.coefficient < 0)
        error_set(err, ERROR_INPUT, "cost '%.*s' is less than nothing", STR_ARG(text));
    else
        error_set(err, ERROR_INPUT, "'%.*s' is not a recurring cost", STR_ARG(text));
    error_hint(err, "write it as $200/month, 49.90EUR/month, $12000/year or $5/day");
    return false;
}

static bool read_policy_recurring(const struct reading *r, const struct node *map,
                                  struct policy_recurring *out, struct error *err)
{
    static const char *const apart[] = {"tags", NULL};
    struct recurring_record record;
    struct policy_settings tags;

    if (!fields_reset(&recurring_set, &record, r->arena, err) ||
        !reading_fields(r, &recurring_set, map, apart, &record, err) ||
        !reading_settings(r, node_get(map, STR("tags")), &tags, err))
        return false;
    *out = (struct policy_recurring){.line = map->line,
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

static bool read_rules(const struct reading *r, const struct node *root,
                       struct allocation_policy *p, struct error *err)
{
    const struct node *item;
    size_t count;

    if (!list_of(r, root, STR("rules"), &item, &count, err))
        return false;
    p->rules = arena_array(r->arena, struct policy_rule, count, err);
    for (; p->rules != NULL && item != NULL; item = item->next)
        if (!read_policy_rule(r, item, &p->rules[p->rule_count++], err))
            return false;
    return p->rules != NULL;
}

static bool read_all_shared(const struct reading *r, const struct node *root,
                            struct allocation_policy *p, struct error *err)
{
    const struct node *item;
    size_t count;

    if (!list_of(r, root, STR("shared"), &item, &count, err))
        return false;
    p->shared = arena_array(r->arena, struct policy_shared, count, err);
    for (; p->shared != NULL && item != NULL; item = item->next) {
        struct policy_shared *s = &p->shared[p->shared_count];

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
                               struct allocation_policy *p, struct error *err)
{
    const struct node *item;
    size_t count;

    if (!list_of(r, root, STR("recurring"), &item, &count, err))
        return false;
    p->recurring = arena_array(r->arena, struct policy_recurring, count, err);
    for (; p->recurring != NULL && item != NULL; item = item->next)
        if (!read_policy_recurring(r, item, &p->recurring[p->recurring_count++], err))
            return false;
    return p->recurring != NULL;
}

/* Their names as we have them, each once. */
static bool take_required(const struct reading *r, const struct node *root, struct strs given,
                          struct allocation_policy *p, struct error *err)
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

const struct allocation_policy *policy_read(struct str yaml, const char *name,
                                            struct arena *arena, struct error *err)
{
    static const char *const apart[] = {"rules", "shared", "recurring", NULL};
    struct reading r = {name, arena};
    struct allocation_policy *p = arena_array(arena, struct allocation_policy, 1, err);
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
