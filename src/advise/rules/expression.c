#include "advise/rules/expression.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/characters.h"
#include "base/num.h"
#include "unit/size.h"
#include "unit/time.h"

enum node_op {
    OP_NUMBER,
    OP_TEXT,
    OP_TRUTH,
    OP_FACT,
    OP_NEGATE,
    OP_NOT,
    OP_ADD,
    OP_SUBTRACT,
    OP_MULTIPLY,
    OP_DIVIDE,
    OP_MIN,
    OP_MAX,
    OP_LESS,
    OP_LESS_EQUAL,
    OP_GREATER,
    OP_GREATER_EQUAL,
    OP_EQUAL,
    OP_NOT_EQUAL,
    OP_AND,
    OP_OR,
};

struct term {
    enum node_op op;
    enum expression_kind kind;
    struct dimension unit;
    double number;
    bool truth;
    struct str text;
    const struct field *fact;
    const struct term *left, *right;
};

struct expression {
    const struct term *root;
};

struct parser {
    struct str text;
    size_t at; /* of the next character */
    const struct field_set *facts;
    struct arena *arena;
    size_t nodes;
    int depth;
    struct error *err;
};

/* ---- characters ---- */

static bool is_expression_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static char peek_expression(const struct parser *p)
{
    return p->at < p->text.len ? p->text.at[p->at] : '\0';
}

static void skip_expression_blanks(struct parser *p)
{
    while (peek_expression(p) == ' ' || peek_expression(p) == '\t' ||
           peek_expression(p) == '\n')
        p->at++;
}

static const struct term *fail_expression_at(struct parser *p, size_t at, const char *what)
{
    error_set(p->err, ERROR_INPUT, "%s at character %zu of '%.*s'", what, at + 1,
              STR_ARG(p->text));
    return NULL;
}

static bool take_expression_mark(struct parser *p, const char *mark)
{
    struct str m = str_from(mark), rest;

    skip_expression_blanks(p);
    rest = (struct str){p->text.at + p->at, p->text.len - p->at};
    if (!str_starts(rest, m))
        return false;
    p->at += m.len;
    return true;
}

/* The name at this place, without taking it. */
static struct str peek_word(struct parser *p)
{
    size_t end;

    skip_expression_blanks(p);
    end = p->at;
    if (!is_expression_letter(peek_expression(p)))
        return (struct str){p->text.at + p->at, 0};
    while (end < p->text.len &&
           (is_expression_letter(p->text.at[end]) || is_digit(p->text.at[end])))
        end++;
    return (struct str){p->text.at + p->at, end - p->at};
}

static bool take_expression_word(struct parser *p, const char *word)
{
    struct str got = peek_word(p);

    if (!str_eq(got, str_from(word)))
        return false;
    p->at += got.len;
    return true;
}

/* ---- terms ---- */

static struct term *new_term(struct parser *p, enum node_op op, enum expression_kind kind)
{
    struct term *t;

    if (++p->nodes > EXPRESSION_NODES) {
        error_set(p->err, ERROR_INPUT, "the expression has more than %d parts",
                  EXPRESSION_NODES);
        return NULL;
    }
    t = arena_array(p->arena, struct term, 1, p->err);
    if (t != NULL)
        *t = (struct term){.op = op, .kind = kind};
    return t;
}

static bool same_unit(struct dimension a, struct dimension b)
{
    return a.usd == b.usd && a.hours == b.hours && a.bytes == b.bytes;
}

/* "dollars/hour", "a number" */
static void write_term_unit(const struct term *t, char out[static 48])
{
    static const struct {
        struct dimension unit;
        const char *name;
    } names[] = {
        {{0, 0, 0}, "a number"}, {{1, 0, 0}, "dollars"},          {{0, 1, 0}, "a time"},
        {{0, 0, 1}, "bytes"},    {{1, -1, 0}, "dollars an hour"},
    };
    const char *name = t->kind == EXPRESSION_TEXT    ? "a text"
                       : t->kind == EXPRESSION_TRUTH ? "true or false"
                                                     : "another unit";

    for (size_t i = 0; t->kind == EXPRESSION_NUMBER && i < ARRAY_LEN(names); i++)
        if (same_unit(t->unit, names[i].unit))
            name = names[i].name;
    str_copy(str_from(name), out, 48);
}

static const struct term *unlike(struct parser *p, size_t at, const char *what,
                                 const struct term *a, const struct term *b)
{
    char first[48], second[48];

    write_term_unit(a, first);
    write_term_unit(b, second);
    error_set(p->err, ERROR_INPUT, "cannot %s %s and %s at character %zu of '%.*s'", what,
              first, second, at + 1, STR_ARG(p->text));
    return NULL;
}

static const struct term *join_terms(struct parser *p, enum node_op op,
                                     enum expression_kind kind, const struct term *a,
                                     const struct term *b)
{
    struct term *t = new_term(p, op, kind);

    if (t == NULL)
        return NULL;
    t->left = a;
    t->right = b;
    t->unit = kind == EXPRESSION_NUMBER ? a->unit : (struct dimension){0};
    return t;
}

/* ---- primary terms ---- */

/* A unit behind a number: what it is in dollars, hours or bytes. */
static bool find_expression_unit(struct str word, double *factor, struct dimension *unit)
{
    static const struct {
        const char *name;
        double factor;
        struct dimension unit;
    } units[] = {
        {"usd", 1, {1, 0, 0}},        {"USD", 1, {1, 0, 0}},
        {"s", 1 / 3600.0, {0, 1, 0}}, {"min", 1 / 60.0, {0, 1, 0}},
        {"h", 1, {0, 1, 0}},          {"d", 24, {0, 1, 0}},
        {"B", 1, {0, 0, 1}},          {"KB", 1e3, {0, 0, 1}},
        {"MB", 1e6, {0, 0, 1}},       {"GB", 1e9, {0, 0, 1}},
        {"TB", 1e12, {0, 0, 1}},      {"GiB", BYTES_PER_GIB, {0, 0, 1}},
    };

    for (size_t i = 0; i < ARRAY_LEN(units); i++)
        if (str_eq(word, str_from(units[i].name))) {
            *factor = units[i].factor;
            *unit = units[i].unit;
            return true;
        }
    return false;
}

static const struct term *parse_expression_number(struct parser *p)
{
    size_t from = p->at, end = p->at;
    struct term *t = new_term(p, OP_NUMBER, EXPRESSION_NUMBER);
    struct str word;
    double factor = 1;

    while (end < p->text.len && (is_digit(p->text.at[end]) || p->text.at[end] == '.'))
        end++;
    if (t == NULL)
        return NULL;
    if (!num_double((struct str){p->text.at + from, end - from}, &t->number))
        return fail_expression_at(p, from, "there is no number");
    p->at = end;
    if (peek_expression(p) == '%') {
        p->at++;
        t->number /= 100;
        return t;
    }
    if (!is_expression_letter(peek_expression(p)))
        return t;
    word = peek_word(p);
    if (!find_expression_unit(word, &factor, &t->unit)) {
        fail_expression_at(p, p->at, "there is an unknown unit");
        error_hint(p->err, "use usd, s, min, h, d, MB, GB, TB or %%");
        return NULL;
    }
    p->at += word.len;
    t->number *= factor;
    return t;
}

static const struct term *parse_text(struct parser *p)
{
    char quote = peek_expression(p);
    size_t from = ++p->at;
    struct term *t = new_term(p, OP_TEXT, EXPRESSION_TEXT);

    while (p->at < p->text.len && p->text.at[p->at] != quote)
        p->at++;
    if (t == NULL)
        return NULL;
    if (p->at == p->text.len)
        return fail_expression_at(p, from - 1, "there is a text without its second quote");
    t->text = (struct str){p->text.at + from, p->at - from};
    p->at++;
    return t;
}

static bool fact_type(const struct field *f, enum expression_kind *kind, struct dimension *unit)
{
    static const struct {
        enum field_type type;
        enum expression_kind kind;
        struct dimension unit;
    } types[] = {
        {FIELD_FLAG, EXPRESSION_TRUTH, {0, 0, 0}},
        {FIELD_TEXT, EXPRESSION_TEXT, {0, 0, 0}},
        {FIELD_COUNT, EXPRESSION_NUMBER, {0, 0, 0}},
        {FIELD_NUMBER, EXPRESSION_NUMBER, {0, 0, 0}},
        {FIELD_SHARE, EXPRESSION_NUMBER, {0, 0, 0}},
        {FIELD_USD, EXPRESSION_NUMBER, {1, 0, 0}},
        {FIELD_RATE, EXPRESSION_NUMBER, {1, -1, 0}},
        {FIELD_SPAN, EXPRESSION_NUMBER, {0, 1, 0}},
        {FIELD_BYTES, EXPRESSION_NUMBER, {0, 0, 1}},
    };

    for (size_t i = 0; i < ARRAY_LEN(types); i++)
        if (types[i].type == f->type) {
            *kind = types[i].kind;
            *unit = types[i].unit;
            return true;
        }
    return false;
}

static const struct term *parse_fact(struct parser *p, struct str word)
{
    struct suggestion s = {.wanted = word};
    enum expression_kind kind;
    struct dimension unit;

    for (size_t i = 0; i < p->facts->len; i++) {
        const struct field *f = &p->facts->at[i];
        struct term *t;

        suggestion_try(&s, str_from(f->name));
        if (!str_eq(word, str_from(f->name)) || !fact_type(f, &kind, &unit))
            continue;
        t = new_term(p, OP_FACT, kind);
        if (t != NULL) {
            t->fact = f;
            t->unit = unit;
            p->at += word.len;
        }
        return t;
    }
    error_set(p->err, ERROR_INPUT, "there is no fact '%.*s'", STR_ARG(word));
    if (!suggestion_hint(&s, p->err))
        error_hint(p->err, "'stint advise facts' lists them");
    return NULL;
}

static const struct term *parse_or(struct parser *p);

/* min(a, b, ...) as min(min(a, b), ...) */
static const struct term *parse_extreme(struct parser *p, enum node_op op)
{
    size_t at = p->at;
    const struct term *t;

    if (!take_expression_mark(p, "("))
        return fail_expression_at(p, p->at, "there is no '('");
    t = parse_or(p);
    while (t != NULL && take_expression_mark(p, ",")) {
        const struct term *other = parse_or(p);

        if (other == NULL)
            return NULL;
        if (t->kind != EXPRESSION_NUMBER || other->kind != EXPRESSION_NUMBER ||
            !same_unit(t->unit, other->unit))
            return unlike(p, at, "compare", t, other);
        t = join_terms(p, op, EXPRESSION_NUMBER, t, other);
    }
    if (t != NULL && !take_expression_mark(p, ")"))
        return fail_expression_at(p, p->at, "there is no ')'");
    return t;
}

static const struct term *parse_primary(struct parser *p)
{
    const struct term *inner;
    struct term *t;
    struct str word;

    skip_expression_blanks(p);
    if (is_digit(peek_expression(p)) || peek_expression(p) == '.')
        return parse_expression_number(p);
    if (peek_expression(p) == '"' || peek_expression(p) == '\'')
        return parse_text(p);
    if (take_expression_mark(p, "(")) {
        inner = parse_or(p);
        if (inner != NULL && !take_expression_mark(p, ")"))
            return fail_expression_at(p, p->at, "there is no ')'");
        return inner;
    }
    if (take_expression_word(p, "min"))
        return parse_extreme(p, OP_MIN);
    if (take_expression_word(p, "max"))
        return parse_extreme(p, OP_MAX);
    word = peek_word(p);
    if (str_eq(word, STR("true")) || str_eq(word, STR("false"))) {
        t = new_term(p, OP_TRUTH, EXPRESSION_TRUTH);
        if (t != NULL)
            t->truth = word.len == 4;
        p->at += word.len;
        return t;
    }
    if (word.len == 0)
        return fail_expression_at(p, p->at, "there is no number, fact or '('");
    return parse_fact(p, word);
}

static const struct term *parse_unary(struct parser *p)
{
    const struct term *inner;
    size_t at;

    skip_expression_blanks(p);
    at = p->at;
    if (!take_expression_mark(p, "-"))
        return parse_primary(p);
    if (++p->depth > EXPRESSION_DEPTH)
        return fail_expression_at(p, at, "the expression is nested too deeply");
    inner = parse_unary(p);
    p->depth--;
    if (inner != NULL && inner->kind != EXPRESSION_NUMBER)
        return fail_expression_at(p, at, "only a number can be negated");
    return inner != NULL ? join_terms(p, OP_NEGATE, EXPRESSION_NUMBER, inner, NULL) : NULL;
}

/* ---- operators ---- */

static const struct term *multiply(struct parser *p, size_t at, bool divide,
                                   const struct term *a, const struct term *b)
{
    struct term *t;
    int sign = divide ? -1 : 1;
    int usd_power = a->unit.usd + sign * b->unit.usd;
    int hours = a->unit.hours + sign * b->unit.hours;
    int size = a->unit.bytes + sign * b->unit.bytes;

    if (a->kind != EXPRESSION_NUMBER || b->kind != EXPRESSION_NUMBER)
        return unlike(p, at, divide ? "divide" : "multiply", a, b);
    if (abs(usd_power) > 8 || abs(hours) > 8 || abs(size) > 8)
        return fail_expression_at(p, at, "the unit has too high a power");
    t = new_term(p, divide ? OP_DIVIDE : OP_MULTIPLY, EXPRESSION_NUMBER);
    if (t == NULL)
        return NULL;
    t->left = a;
    t->right = b;
    t->unit = (struct dimension){(int8_t)usd_power, (int8_t)hours, (int8_t)size};
    return t;
}

static const struct term *parse_product(struct parser *p)
{
    const struct term *t = parse_unary(p);

    for (;;) {
        const struct term *other;
        size_t at;
        bool divide;

        skip_expression_blanks(p);
        at = p->at;
        divide = peek_expression(p) == '/';
        if (t == NULL || (!take_expression_mark(p, "*") && !take_expression_mark(p, "/")))
            return t;
        other = parse_unary(p);
        t = other != NULL ? multiply(p, at, divide, t, other) : NULL;
    }
}

static const struct term *parse_sum(struct parser *p)
{
    const struct term *t = parse_product(p);

    for (;;) {
        const struct term *other;
        size_t at;
        bool minus;

        skip_expression_blanks(p);
        at = p->at;
        minus = peek_expression(p) == '-';
        if (t == NULL || (!take_expression_mark(p, "+") && !take_expression_mark(p, "-")))
            return t;
        other = parse_product(p);
        if (other == NULL)
            return NULL;
        if (t->kind != EXPRESSION_NUMBER || other->kind != EXPRESSION_NUMBER ||
            !same_unit(t->unit, other->unit))
            return unlike(p, at, minus ? "subtract" : "add", t, other);
        t = join_terms(p, minus ? OP_SUBTRACT : OP_ADD, EXPRESSION_NUMBER, t, other);
    }
}

static bool take_comparison(struct parser *p, enum node_op *op)
{
    static const struct {
        const char *mark;
        enum node_op op;
    } marks[] = {{"<=", OP_LESS_EQUAL}, {">=", OP_GREATER_EQUAL}, {"==", OP_EQUAL},
                 {"!=", OP_NOT_EQUAL},  {"<", OP_LESS},           {">", OP_GREATER}};

    for (size_t i = 0; i < ARRAY_LEN(marks); i++)
        if (take_expression_mark(p, marks[i].mark)) {
            *op = marks[i].op;
            return true;
        }
    return false;
}

static const struct term *parse_comparison(struct parser *p)
{
    const struct term *a = parse_sum(p), *b;
    enum node_op op;
    size_t at;

    skip_expression_blanks(p);
    at = p->at;
    if (a == NULL || !take_comparison(p, &op))
        return a;
    b = parse_sum(p);
    if (b == NULL)
        return NULL;
    if (a->kind != b->kind || !same_unit(a->unit, b->unit) ||
        (a->kind != EXPRESSION_NUMBER && op != OP_EQUAL && op != OP_NOT_EQUAL))
        return unlike(p, at, "compare", a, b);
    return join_terms(p, op, EXPRESSION_TRUTH, a, b);
}

static const struct term *parse_not(struct parser *p)
{
    const struct term *inner;
    size_t at;

    skip_expression_blanks(p);
    at = p->at;
    if (++p->depth > EXPRESSION_DEPTH)
        return fail_expression_at(p, at, "the expression is nested too deeply");
    if (take_expression_word(p, "not")) {
        inner = parse_not(p);
        if (inner != NULL && inner->kind != EXPRESSION_TRUTH)
            inner = fail_expression_at(p, at, "'not' needs a condition");
        else if (inner != NULL)
            inner = join_terms(p, OP_NOT, EXPRESSION_TRUTH, inner, NULL);
    } else {
        inner = parse_comparison(p);
    }
    p->depth--;
    return inner;
}

/* Conditions joined by a word. */
static const struct term *parse_joined(struct parser *p, const char *word, enum node_op op,
                                       const struct term *(*parse)(struct parser *))
{
    const struct term *t = parse(p);

    for (;;) {
        const struct term *other;
        size_t at;

        skip_expression_blanks(p);
        at = p->at;
        if (t == NULL || !take_expression_word(p, word))
            return t;
        other = parse(p);
        if (other == NULL)
            return NULL;
        if (t->kind != EXPRESSION_TRUTH || other->kind != EXPRESSION_TRUTH)
            return unlike(p, at, "join", t, other);
        t = join_terms(p, op, EXPRESSION_TRUTH, t, other);
    }
}

static const struct term *parse_and(struct parser *p)
{
    return parse_joined(p, "and", OP_AND, parse_not);
}

static const struct term *parse_or(struct parser *p)
{
    return parse_joined(p, "or", OP_OR, parse_and);
}

bool expression_parse(struct str text, const struct field_set *facts, struct arena *arena,
                      const struct expression **out, struct error *err)
{
    struct parser p = {.text = text, .facts = facts, .arena = arena, .err = err};
    struct expression *e = arena_array(arena, struct expression, 1, err);

    if (e == NULL)
        return false;
    if (text.len > EXPRESSION_LENGTH)
        return error_fail(err, ERROR_INPUT, "the expression has more than %d characters",
                          EXPRESSION_LENGTH);
    e->root = parse_or(&p);
    skip_expression_blanks(&p);
    if (e->root == NULL)
        return false;
    if (p.at < text.len) {
        fail_expression_at(&p, p.at, "there is something else");
        return false;
    }
    *out = e;
    return true;
}

enum expression_kind expression_kind(const struct expression *e)
{
    return e->root->kind;
}

struct dimension expression_dimension(const struct expression *e)
{
    return e->root->unit;
}

/* ---- values ---- */

static struct expression_value of_number(double number)
{
    return (struct expression_value){.state = isnan(number) ? VALUE_UNKNOWN : VALUE_KNOWN,
                                     .number = number};
}

static struct expression_value of_truth(bool truth)
{
    return (struct expression_value){.state = VALUE_KNOWN, .truth = truth};
}

static double fact_number(const struct field *f, const void *record)
{
    double number = field_double(f, record);

    return f->type == FIELD_SPAN ? number / 3600 : number;
}

static struct expression_value fact_value(const struct field *f, const void *record)
{
    bool truth;

    if (f->type == FIELD_TEXT)
        return (struct expression_value){.state = VALUE_KNOWN, .text = field_text(f, record)};
    if (f->type != FIELD_FLAG)
        return of_number(fact_number(f, record));
    memcpy(&truth, (const unsigned char *)record + f->offset, sizeof truth);
    return of_truth(truth);
}

static struct expression_value compute_operator(enum node_op op, double a, double b)
{
    switch ((int)op) {
    case OP_ADD:
        return of_number(a + b);
    case OP_SUBTRACT:
        return of_number(a - b);
    case OP_MULTIPLY:
        return of_number(a * b);
    case OP_DIVIDE:
        return b != 0 ? of_number(a / b) : (struct expression_value){.state = VALUE_DIVIDED};
    case OP_MIN:
        return of_number(fmin(a, b));
    case OP_MAX:
        return of_number(fmax(a, b));
    case OP_LESS:
        return of_truth(a < b);
    case OP_LESS_EQUAL:
        return of_truth(a <= b);
    case OP_GREATER:
        return of_truth(a > b);
    case OP_GREATER_EQUAL:
        return of_truth(a >= b);
    case OP_EQUAL:
        return of_truth(a == b);
    default:
        return of_truth(a != b);
    }
}

static struct expression_value evaluate_term(const struct term *t, const void *record);

/* "false and ..." is false, "true or ..." true, whatever the other is. */
static struct expression_value join_truths(const struct term *t, const void *record)
{
    struct expression_value a = evaluate_term(t->left, record),
                            b = evaluate_term(t->right, record);
    bool decides = t->op == OP_OR;

    if ((a.state == VALUE_KNOWN && a.truth == decides) ||
        (b.state == VALUE_KNOWN && b.truth == decides))
        return of_truth(decides);
    return a.state != VALUE_KNOWN ? a : b;
}

static struct expression_value evaluate_term(const struct term *t, const void *record)
{
    struct expression_value a, b;

    switch ((int)t->op) {
    case OP_NUMBER:
        return of_number(t->number);
    case OP_TEXT:
        return (struct expression_value){.state = VALUE_KNOWN, .text = t->text};
    case OP_TRUTH:
        return of_truth(t->truth);
    case OP_FACT:
        return fact_value(t->fact, record);
    case OP_AND:
    case OP_OR:
        return join_truths(t, record);
    default:
        break;
    }
    a = evaluate_term(t->left, record);
    if (a.state != VALUE_KNOWN)
        return a;
    if (t->op == OP_NOT)
        return of_truth(!a.truth);
    if (t->op == OP_NEGATE)
        return of_number(-a.number);
    b = evaluate_term(t->right, record);
    if (b.state != VALUE_KNOWN)
        return b;
    if (t->left->kind == EXPRESSION_TEXT)
        return of_truth(str_eq(a.text, b.text) == (t->op == OP_EQUAL));
    if (t->left->kind == EXPRESSION_TRUTH)
        return of_truth((a.truth == b.truth) == (t->op == OP_EQUAL));
    return compute_operator(t->op, a.number, b.number);
}

struct expression_value expression_value(const struct expression *e, const void *record)
{
    return evaluate_term(e->root, record);
}
