/* Lists of a bill: credits, labels, tags. */
#include "bill/list.h"

#include <string.h>

#include "base/characters.h"

/* ---- other notations of lists and maps, as JSON ---- */

struct scan {
    struct str rest;
    struct buf *out;
    char before; /* the last sign that was written outside of a text; 0 at the start */
};

static char json_take(struct scan *s)
{
    char c = s->rest.at[0];

    s->rest.at++;
    s->rest.len--;
    return c;
}

static void json_put(struct scan *s, char c)
{
    buf_char(s->out, c);
    s->before = c;
}

/* numpy prints [{...} {...}]. */
static void put_value_start(struct scan *s, char c)
{
    if (s->before == '}' || s->before == ']' || s->before == '"')
        buf_char(s->out, ',');
    json_put(s, c);
}

/* One escape of Python in JSON's terms; the backslash was taken. */
static void put_escape(struct scan *s)
{
    char c = json_take(s);

    if (c == '\'') {
        buf_char(s->out, '\'');
    } else if (c == 'x') {
        buf_adds(s->out, "\\u00");
    } else {
        buf_char(s->out, '\\');
        buf_char(s->out, c);
    }
}

/* The rest of a text in single quotes. */
static void single_quoted(struct scan *s)
{
    put_value_start(s, '"');
    while (s->rest.len > 0) {
        char c = json_take(s);

        if (c == '\'')
            break;
        if (c == '\\' && s->rest.len > 0)
            put_escape(s);
        else if (c == '"')
            buf_adds(s->out, "\\\"");
        else
            buf_char(s->out, c);
    }
    json_put(s, '"');
}

/* One in double quotes is JSON's but for \x and \'. */
static void double_quoted(struct scan *s)
{
    put_value_start(s, '"');
    while (s->rest.len > 0) {
        char c = json_take(s);

        if (c == '"')
            break;
        if (c == '\\' && s->rest.len > 0)
            put_escape(s);
        else
            buf_char(s->out, c);
    }
    json_put(s, '"');
}

/* Decimal('-0.2'): the number without its quotes. False when it is another call. */
static bool wrapped_number(struct scan *s)
{
    struct str rest = s->rest, number;
    struct decimal ignored;
    char quote;

    if (rest.len < 4 || rest.at[0] != '(')
        return false;
    quote = rest.at[1];
    rest = (struct str){rest.at + 2, rest.len - 2};
    if (quote != '\'' && quote != '"')
        return false;
    number = str_cut(&rest, quote);
    if (!decimal_parse(number, &ignored) || rest.len == 0 || rest.at[0] != ')')
        return false;
    buf_add(s->out, number);
    s->before = '0';
    s->rest = (struct str){rest.at + 1, rest.len - 1};
    return true;
}

static void json_word(struct scan *s)
{
    struct str name = {s->rest.at, 0};

    while (name.len < s->rest.len && is_name_start(s->rest.at[name.len]))
        name.len++;
    s->rest = (struct str){s->rest.at + name.len, s->rest.len - name.len};
    if (str_eq(name, STR("Decimal")) && wrapped_number(s))
        return;
    if (str_eq(name, STR("None")) || str_eq_nocase(name, STR("nan")))
        name = STR("null");
    else if (str_eq(name, STR("True")))
        name = STR("true");
    else if (str_eq(name, STR("False")))
        name = STR("false");
    buf_add(s->out, name);
    s->before = 'a';
}

/* A number, with the e of its exponent. */
static void write_list_number(struct scan *s)
{
    while (s->rest.len > 0 && s->rest.at[0] != '\0' &&
           strchr("0123456789+-.eE", s->rest.at[0]) != NULL)
        json_put(s, json_take(s));
}

/* Is it in JSON's own quotes, or does it have none? */
static bool is_json(struct str text)
{
    const char *single = memchr(text.at, '\'', text.len);
    const char *both = memchr(text.at, '"', text.len);

    return both != NULL && (single == NULL || both < single);
}

/* One text, word, number or sign of Python's notation. */
static void json_step(struct scan *s)
{
    char c = s->rest.at[0];

    if (c == '\'' || c == '"') {
        (void)json_take(s);
        if (c == '"')
            double_quoted(s);
        else
            single_quoted(s);
    } else if (is_name_start(c)) {
        json_word(s);
    } else if (is_digit(c) || c == '-' || c == '+' || c == '.') {
        write_list_number(s);
    } else if (c == '{' || c == '[' || c == '(') {
        (void)json_take(s);
        put_value_start(s, c == '(' ? '[' : c);
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
        buf_char(s->out, json_take(s));
    } else {
        (void)json_take(s);
        json_put(s, c == ')' ? ']' : c);
    }
}

void bill_list_json(struct str text, struct buf *out)
{
    struct scan s = {.rest = text, .out = out};

    if (text.len == 0)
        return;
    if (text.at[0] == '"') {
        buf_char(out, '{');
        buf_add(out, text);
        buf_char(out, '}');
    } else if (is_json(text)) {
        buf_add(out, text);
    } else {
        while (s.rest.len > 0)
            json_step(&s);
    }
}

/* ---- lists ---- */

#define KEYS_MAX 256 /* that are compared: a resource has at most 64 labels */

/* An element of a list; what it does not have is unknown. */
struct item {
    struct str key, value;                        /* of labels */
    struct str amount, name, full_name, id, type; /* of credits */
};

struct walk {
    struct bill *bill;
    struct json *json;
    bool (*each)(void *ctx, const struct item *item, struct error *err);
    void *ctx;
};

static struct str *list_member(struct item *item, struct str key)
{
    const struct {
        const char *name;
        struct str *to;
    } members[] = {
        {"key", &item->key},   {"value", &item->value},         {"amount", &item->amount},
        {"name", &item->name}, {"full_name", &item->full_name}, {"id", &item->id},
        {"type", &item->type},
    };

    for (size_t i = 0; i < ARRAY_LEN(members); i++)
        if (str_eq_nocase(key, str_from(members[i].name)))
            return members[i].to;
    return NULL;
}

/* The value that comes next as text that stays; what is nested is stepped over. */
static bool take_list_value(struct walk *w, struct str *to, struct error *err)
{
    struct json_token token;

    *to = (struct str){0};
    if (!json_next(w->json, &token, err))
        return false;
    if (token.kind == JSON_OBJECT || token.kind == JSON_ARRAY)
        return json_skip(w->json, err);
    if (token.kind == JSON_STRING || token.kind == JSON_NUMBER)
        return bill_text(w->bill, token.text, to, err);
    if (token.kind == JSON_TRUE || token.kind == JSON_FALSE)
        *to = token.kind == JSON_TRUE ? STR("true") : STR("false");
    return true;
}

/* The members of {"key":..., "value":...}, which was opened. */
static bool take_list_item(struct walk *w, struct error *err)
{
    struct item item = {0};
    struct json_token token;

    for (;;) {
        struct str *to;

        if (!json_next(w->json, &token, err))
            return false;
        if (token.kind == JSON_OBJECT_END)
            return w->each(w->ctx, &item, err);
        to = list_member(&item, token.text);
        if (to == NULL ? !json_skip(w->json, err) : !take_list_value(w, to, err))
            return false;
    }
}

/* {"team":"nlp"}: how some tools flatten labels. */
static bool take_pairs(struct walk *w, struct error *err)
{
    struct json_token token;

    for (;;) {
        struct item item = {0};

        if (!json_next(w->json, &token, err))
            return false;
        if (token.kind == JSON_OBJECT_END)
            return true;
        if (!bill_text(w->bill, token.text, &item.key, err) ||
            !take_list_value(w, &item.value, err) || !w->each(w->ctx, &item, err))
            return false;
    }
}

static bool walk_json(struct walk *w, struct error *err)
{
    struct json_token token;

    if (!json_next(w->json, &token, err))
        return false;
    if (token.kind == JSON_OBJECT)
        return take_pairs(w, err);
    if (token.kind == JSON_NULL)
        return true;
    if (token.kind != JSON_ARRAY)
        return error_fail(err, ERROR_INPUT, "it is not a list");
    for (;;) {
        if (!json_next(w->json, &token, err))
            return false;
        if (token.kind == JSON_ARRAY_END)
            return json_next(w->json, &token, err); /* nothing may follow it */
        if (token.kind == JSON_OBJECT) {
            if (!take_list_item(w, err))
                return false;
        } else if (token.kind != JSON_NULL) {
            return error_fail(err, ERROR_INPUT, "its elements are no objects");
        }
    }
}

/* Report every element. False also when the list cannot be read: memory is then not the
 * kind of the error. */
static bool list_walk(struct walk *w, struct str text, struct error *err)
{
    struct json_options options = {.alloc = w->bill->alloc};
    struct str json;
    bool ok;

    if (text.len == 0 || str_eq(text, STR("[]")))
        return true;
    buf_clear(&w->bill->work);
    bill_list_json(text, &w->bill->work);
    if (!bill_text_work(w->bill, &json, err))
        return false;
    w->json = json_open_text(json, &options, err);
    if (w->json == NULL)
        return false;
    ok = walk_json(w, err);
    json_close(w->json);
    return ok;
}

struct crediting {
    struct bill *bill;
    struct bill_credits *out;
    bool refused; /* an amount that is none: the error is set */
};

static bool add_credit(void *ctx, const struct item *item, struct error *err)
{
    struct crediting *c = ctx;
    struct str text = item->amount;
    struct decimal amount;

    if (str_has_nocase(item->type, STR("COMMITTED_USAGE_DISCOUNT")) && !c->out->committed) {
        c->out->committed = true;
        c->out->spend = str_has_nocase(item->type, STR("DOLLAR_BASE"));
        c->out->id = item->id.len > 0 ? item->id : item->name;
        c->out->name = item->full_name.len > 0 ? item->full_name : item->name;
    }
    if (text.len == 0)
        return true;
    c->refused = true;
    if (!bill_amount(c->bill, "credits.amount", &text, &amount, err))
        return false;
    c->out->any = true;
    bill_sum_add(&c->bill->total, amount);
    if (!decimal_add(c->out->sum, amount, &c->out->sum))
        return bill_refuse(c->bill, "credits", text, "makes a sum of too many digits", err);
    c->refused = false;
    return true;
}

bool bill_credits(struct bill *bill, struct str text, struct bill_credits *out,
                  struct error *err)
{
    struct crediting crediting = {.bill = bill, .out = out};
    struct walk w = {.bill = bill, .each = add_credit, .ctx = &crediting};
    struct decimal ignored;

    *out = (struct bill_credits){0};
    text = str_trim(text);
    if (decimal_parse(text, &ignored)) { /* summed up already */
        struct item item = {.amount = text};

        return add_credit(&crediting, &item, err);
    }
    if (list_walk(&w, text, err))
        return true;
    if (err->kind == ERROR_MEMORY || crediting.refused)
        return false;
    return bill_refuse(bill, "credits", text, "is not a list of credits", err);
}

/* Tags that are being written to bill->work. */
struct tagging {
    struct bill *bill;
    size_t count;
    struct {
        struct str key, value;
    } pairs[KEYS_MAX];
};

static bool add_item_tag(void *ctx, const struct item *item, struct error *err)
{
    struct tagging *t = ctx;

    (void)err;
    if (item->key.len == 0 || t->count == KEYS_MAX)
        return true;
    for (size_t i = 0; i < t->count; i++)
        if (str_eq(t->pairs[i].key, item->key))
            return true;
    t->pairs[t->count].key = item->key;
    t->pairs[t->count++].value = item->value;
    return true;
}

static bool write_item_tags(struct tagging *t, struct str *out, struct error *err)
{
    buf_clear(&t->bill->work);
    for (size_t i = 0; i < t->count; i++)
        bill_put(&t->bill->work, t->pairs[i].key, t->pairs[i].value);
    return bill_object(t->bill, out, err);
}

bool bill_list_tags(struct bill *bill, const struct bill_list *lists, size_t count,
                    struct str *out, struct error *err)
{
    struct tagging t; /* 8 KiB, for each line: not cleared */
    struct walk w = {.bill = bill, .each = add_item_tag, .ctx = &t};

    t.bill = bill;
    t.count = 0;
    for (size_t i = 0; i < count; i++) {
        struct error why = {0};
        struct item whole = {.key = str_from(lists[i].name), .value = lists[i].text};

        if (list_walk(&w, str_trim(lists[i].text), &why))
            continue;
        if (why.kind == ERROR_MEMORY) {
            *err = why;
            return false;
        }
        (void)add_item_tag(&t, &whole, err);
    }
    return write_item_tags(&t, out, err);
}

struct seeking {
    struct str key, value;
};

static bool list_seek(void *ctx, const struct item *item, struct error *err)
{
    struct seeking *s = ctx;

    (void)err;
    if (str_eq(item->key, s->key))
        s->value = item->value;
    return true;
}

bool bill_list_value(struct bill *bill, struct str text, struct str key, struct str *out,
                     struct error *err)
{
    struct seeking seeking = {.key = key};
    struct walk w = {.bill = bill, .each = list_seek, .ctx = &seeking};
    struct error why = {0};

    if (!list_walk(&w, str_trim(text), &why) && why.kind == ERROR_MEMORY) {
        *err = why;
        return false;
    }
    *out = seeking.value.len > 0 ? seeking.value : (struct str){0};
    return true;
}
