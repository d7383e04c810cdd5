#include "advise/rules/custom.h"

#include <math.h>

#include "advise/rules/expression.h"
#include "doc/node.h"

#define NAME_LENGTH 30 /* of a rule: ids have all of it */

/* As the document has it. */
struct written {
    struct str name, title, when, saving, low, high, evidence, action, source;
    int category, effort, risk;
    struct strs acts_on;
};

struct custom_rule {
    struct advise_rule rule;
    struct written text;
    const struct expression *when, *saving, *low, *high; /* the last two: NULL when not given */
};

static const struct field rule_fields[] = {
    FIELD(TEXT, written, name, .required = true, .help = "letters, digits and '-'"),
    FIELD(TEXT, written, title, .required = true, .help = "short title"),
    FIELD(TEXT, written, when, .required = true, .help = "condition over facts"),
    FIELD_AS("savings", TEXT, written, saving, .required = true,
             .help = "formula of the savings, dollars in the period"),
    FIELD(TEXT, written, low, .help = "low end of the savings"),
    FIELD(TEXT, written, high, .help = "high end of the savings"),
    FIELD(TEXT, written, evidence, .help = "evidence; {fact} is replaced by its value"),
    FIELD(TEXT, written, action, .required = true, .help = "recommended action"),
    FIELD(TEXT, written, source, .help = "source of the rule"),
    FIELD(ENUM, written, category, .names = advise_category_names, .fallback = "compute",
          .help = "compute, training, serving, storage or carbon"),
    FIELD(ENUM, written, effort, .names = advise_effort_names, .fallback = "hours",
          .help = "minutes, hours or days"),
    FIELD(ENUM, written, risk, .names = advise_risk_names, .fallback = "low",
          .help = "none, low, medium or high"),
    FIELD(TEXTS, written, acts_on, .help = "cost items it acts on (default: all)"),
};
static const struct field_set rule_set = FIELD_SET(struct written, rule_fields);

/* ---- reading ---- */

static bool good_name(struct str name)
{
    for (size_t i = 0; i < name.len; i++) {
        char c = name.at[i];

        if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'))
            return false;
    }
    return name.len > 0 && name.len <= NAME_LENGTH;
}

static bool check_rule_name(const struct custom_rule *rules, size_t count, struct str name,
                            struct error *err)
{
    if (!good_name(name)) {
        error_set(err, ERROR_INPUT, "'%.*s' is no name of a rule", STR_ARG(name));
        error_hint(err, "use up to %d small letters, digits and '-'", NAME_LENGTH);
        return false;
    }
    if (advise_rule_named(name) != NULL)
        return error_fail(err, ERROR_INPUT, "there is a built-in rule '%.*s'", STR_ARG(name));
    for (size_t i = 0; i < count; i++)
        if (str_eq(rules[i].text.name, name))
            return error_fail(err, ERROR_INPUT, "there are two rules '%.*s'", STR_ARG(name));
    return true;
}

static bool read_rule_parts(struct strs names, unsigned *out, struct error *err)
{
    *out = names.len == 0 ? PARTS_ALL : 0;
    for (size_t i = 0; i < names.len; i++) {
        struct suggestion s = {.wanted = names.at[i]};
        unsigned p = 0;

        while (p < ADVISE_PARTS && !str_eq(names.at[i], str_from(advise_part_names[p])))
            suggestion_try(&s, str_from(advise_part_names[p++]));
        if (p == ADVISE_PARTS) {
            error_set(err, ERROR_INPUT, "there is no part '%.*s' of costs",
                      STR_ARG(names.at[i]));
            if (!suggestion_hint(&s, err))
                error_hint(err, "such as training, data_stalls, startup, idle, storage");
            return false;
        }
        *out |= PART_BIT(p);
    }
    return true;
}

static bool read_formula(struct str text, const char *key, struct arena *arena,
                         const struct expression **out, struct error *err)
{
    struct dimension unit;

    if (text.len == 0)
        return true;
    if (!expression_parse(text, &advise_work_fields, arena, out, err)) {
        error_context(err, "%s", key);
        return false;
    }
    unit = expression_dimension(*out);
    if (expression_kind(*out) == EXPRESSION_NUMBER && unit.usd == 1 && unit.hours == 0 &&
        unit.bytes == 0)
        return true;
    error_set(err, ERROR_INPUT, "%s: '%.*s' is not dollars", key, STR_ARG(text));
    error_hint(err, "multiply a cost: 'idle_cost * 0.5'");
    return false;
}

static bool read_condition(struct custom_rule *r, struct arena *arena, struct error *err)
{
    if (!expression_parse(r->text.when, &advise_work_fields, arena, &r->when, err)) {
        error_context(err, "when");
        return false;
    }
    if (expression_kind(r->when) == EXPRESSION_TRUTH)
        return true;
    error_set(err, ERROR_INPUT, "when: '%.*s' is no condition", STR_ARG(r->text.when));
    error_hint(err, "compare: 'cost > 10usd'");
    return false;
}

/* Every {fact} of a text must be one. */
static bool check_rule_text(struct str text, struct error *err)
{
    struct str rest = text;

    while (rest.len > 0) {
        struct str name;
        struct field_place place;

        (void)str_cut(&rest, '{');
        if (rest.len == 0)
            return true;
        name = str_cut(&rest, '}');
        if (!field_reach(&advise_work_fields, name, &place)) {
            error_set(err, ERROR_INPUT, "there is no fact '%.*s'", STR_ARG(name));
            error_hint(err, "'stint advise facts' lists them");
            return false;
        }
    }
    return true;
}

static bool read_custom_rule(const struct node *map, const char *name,
                             struct custom_rule *rules, size_t count, struct arena *arena,
                             struct error *err)
{
    struct custom_rule *r = &rules[count];
    struct written *w = &r->text;

    if (!fields_reset(&rule_set, w, arena, err) ||
        !fields_from_node(&rule_set, map, name, w, arena, err))
        return false;
    r->rule = (struct advise_rule){.category = (enum advise_category)w->category,
                                   .effort = (enum advise_effort)w->effort,
                                   .risk = (enum advise_risk)w->risk,
                                   .lever = LEVER_CUSTOM,
                                   .uses = "facts of a job",
                                   .applies = "",
                                   .computed = "",
                                   .source = ""};
    if (check_rule_name(rules, count, w->name, err) &&
        read_rule_parts(w->acts_on, &r->rule.parts, err) && read_condition(r, arena, err) &&
        read_formula(w->saving, "savings", arena, &r->saving, err) &&
        read_formula(w->low, "low", arena, &r->low, err) &&
        read_formula(w->high, "high", arena, &r->high, err) &&
        check_rule_text(w->evidence, err) && check_rule_text(w->action, err)) {
        r->rule.name = str_dup(w->name, arena, err);
        r->rule.title = r->rule.name != NULL ? str_dup(w->title, arena, err) : NULL;
        return r->rule.title != NULL;
    }
    if (err->kind != ERROR_MEMORY)
        error_context(err, "%s:%u", name, map->line);
    return false;
}

bool custom_rules_read(struct str text, const char *name, struct arena *arena,
                       struct custom_rules *out, struct error *err)
{
    const struct node *root = yaml_read(text, name, arena, err), *list, *item;
    struct custom_rule *rules;
    size_t count = 0;

    if (root == NULL)
        return false;
    list = root->kind == NODE_MAP ? node_get(root, STR("rules")) : NULL;
    if (list == NULL || list->kind != NODE_LIST || root->first->next != NULL) {
        error_set(err, ERROR_INPUT, "%s: there is no list 'rules', or something beside it",
                  name);
        error_hint(err, "docs/guide/advise.md has an example");
        return false;
    }
    rules = arena_array(arena, struct custom_rule, CUSTOM_RULES_MAX, err);
    for (item = list->first; rules != NULL && item != NULL; item = item->next) {
        if (item->kind != NODE_MAP)
            return error_fail(err, ERROR_INPUT, "%s:%u: a rule has keys: name, title, ...",
                              name, item->line);
        if (count == CUSTOM_RULES_MAX)
            return error_fail(err, ERROR_INPUT, "%s: there are more than %d rules", name,
                              CUSTOM_RULES_MAX);
        if (!read_custom_rule(item, name, rules, count++, arena, err))
            return false;
    }
    *out = (struct custom_rules){rules, count};
    return rules != NULL;
}

/* ---- applying ---- */

/* The text with the values of its facts. */
static void write_rule_text(struct str text, const struct advise_work *w, struct buf *out)
{
    struct str rest = text;

    while (rest.len > 0) {
        struct field_place place;

        buf_add(out, str_cut(&rest, '{'));
        if (rest.len == 0 || !field_reach(&advise_work_fields, str_cut(&rest, '}'), &place))
            continue;
        if (field_known(place.field, w))
            field_write(place.field, w, out);
        else
            buf_char(out, '?');
    }
}

static double formula(const struct expression *e, const struct advise_work *w, bool *divided)
{
    struct expression_value v;

    if (e == NULL)
        return NAN;
    v = expression_value(e, w);
    *divided = *divided || v.state == VALUE_DIVIDED;
    return v.state == VALUE_KNOWN ? v.number * w->scale : (double)NAN;
}

static bool apply_to_work(struct advising *a, const struct custom_rule *r, bool *divided,
                          struct error *err)
{
    const struct advise_work *w = a->work;
    struct expression_value when = expression_value(r->when, w);
    struct finding_draft d;

    *divided = when.state == VALUE_DIVIDED;
    if (when.state != VALUE_KNOWN || !when.truth)
        return true;
    d = finding_begin(a);
    d.saving = (struct saving){formula(r->low, w, divided), formula(r->saving, w, divided),
                               formula(r->high, w, divided)};
    if (r->text.evidence.len > 0)
        write_rule_text(r->text.evidence, w, &d.evidence);
    else
        buf_add(&d.evidence, r->text.when);
    write_rule_text(r->text.action, w, &d.action);
    buf_add(&d.method, r->text.saving);
    d.source = r->text.source;
    return finding_end(a, &d, err);
}

static bool note_division(const struct custom_rule *r, struct str subject, struct arena *arena,
                          struct str *out, struct error *err)
{
    struct buf text = buf_new(arena->alloc, 1024);

    buf_adds(&text, "rule ");
    buf_add(&text, r->text.name);
    buf_adds(&text, " divides by zero for ");
    buf_add(&text, subject);
    buf_adds(&text, ": it is left out there");
    return buf_keep(&text, arena, out, err);
}

bool custom_rules_apply(const struct custom_rules *rules, const struct advise_facts *facts,
                        struct findings *out, struct strs *notes, struct error *err)
{
    const struct advise_work *works = facts->works.at;
    struct str *lines = arena_array(out->arena, struct str, rules->len, err);
    size_t count = 0;

    if (lines == NULL)
        return false;
    for (size_t i = 0; i < rules->len; i++) {
        const struct custom_rule *r = &rules->at[i];
        bool noted = false;

        for (size_t k = 0; k < facts->works.len; k++) {
            struct advising a = {.facts = facts,
                                 .rule = &r->rule,
                                 .work = &works[k],
                                 .about = k,
                                 .subject = works[k].subject,
                                 .money = &works[k].money,
                                 .arena = out->arena,
                                 .out = out};
            bool divided;

            if (!apply_to_work(&a, r, &divided, err))
                return false;
            if (!divided || noted)
                continue;
            noted = true;
            if (!note_division(r, works[k].subject, out->arena, &lines[count++], err))
                return false;
        }
    }
    *notes = (struct strs){lines, count};
    return true;
}

/* ---- the facts that rules can name ---- */

static const struct field fact_rows[] = {
    FIELD(TEXT, advise_fact_row, name, .help = "name in conditions and formulas"),
    FIELD(TEXT, advise_fact_row, unit, .help = "dollars, time, bytes, share, number or text"),
    FIELD(TEXT, advise_fact_row, about, .help = "description"),
};
const struct field_set advise_fact_fields = FIELD_SET(struct advise_fact_row, fact_rows);

static struct str fact_unit(enum field_type type)
{
    static const struct {
        enum field_type type;
        const char *unit;
    } units[] = {
        {FIELD_USD, "dollars"}, {FIELD_RATE, "dollars/hour"}, {FIELD_SPAN, "time"},
        {FIELD_BYTES, "bytes"}, {FIELD_SHARE, "share"},       {FIELD_TEXT, "text"},
    };

    for (size_t i = 0; i < ARRAY_LEN(units); i++)
        if (units[i].type == type)
            return str_from(units[i].unit);
    return STR("number");
}

bool custom_facts_list(struct str part, struct arena *arena, struct rows *out,
                       struct error *err)
{
    struct advise_fact_row *rows =
        arena_array(arena, struct advise_fact_row, advise_work_fields.len, err);
    size_t n = 0;

    if (rows == NULL)
        return false;
    for (size_t i = 0; i < advise_work_fields.len; i++) {
        const struct field *f = &advise_work_fields.at[i];

        if (part.len == 0 || str_has_nocase(str_from(f->name), part))
            rows[n++] = (struct advise_fact_row){str_from(f->name), fact_unit(f->type),
                                                 str_from(f->help)};
    }
    *out = (struct rows){rows, n};
    return n > 0 || error_fail_hint(err, ERROR_ABSENT, "'stint advise facts' lists them",
                                    "there is no fact '%.*s'", STR_ARG(part));
}
