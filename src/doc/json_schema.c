#include "doc/json_schema.h"

#include "doc/json_write.h"

#define DRAFT "https://json-schema.org/draft/2020-12/schema"

enum use {
    FOR_RESULT,
    FOR_REQUEST,
    FOR_SELECTED, /* a result of whose lists rows may lack fields */
    FOR_ROW,      /* such a row */
};

/* An object that is being written: whether a comma goes before the next key. */
struct object {
    struct buf *out;
    bool begun;
};

static struct object object_open(struct buf *out)
{
    buf_char(out, '{');
    return (struct object){.out = out};
}

static void object_key(struct object *o, const char *key)
{
    if (o->begun)
        buf_char(o->out, ',');
    o->begun = true;
    json_write_text(str_from(key), o->out);
    buf_char(o->out, ':');
}

static void object_text(struct object *o, const char *key, const char *text)
{
    object_key(o, key);
    json_write_text(str_from(text), o->out);
}

static void object_json(struct object *o, const char *key, const char *json)
{
    object_key(o, key);
    buf_adds(o->out, json);
}

static void object_close(struct object *o)
{
    buf_char(o->out, '}');
}

static void write_schema_object(const struct field_set *set, const char *schema, enum use use,
                                const char *draft, struct buf *out);

/* ---- types of values ---- */

static const char money_schema[] =
    "{\"anyOf\":[{\"type\":\"object\",\"properties\":{\"amount\":{\"type\":\"string\"},"
    "\"currency\":{\"type\":\"string\"}},\"required\":[\"amount\",\"currency\"]},"
    "{\"type\":\"null\"}]}";

/* The values that a choice or an enumeration has, and null. */
static void write_values(struct object *o, const struct field *field)
{
    object_key(o, "enum");
    buf_char(o->out, '[');
    for (size_t i = 0; field_choice(field, i) != NULL; i++)
        if (field_choice(field, i)[0] != '\0') {
            json_write_text(str_from(field_choice(field, i)), o->out);
            buf_char(o->out, ',');
        }
    buf_adds(o->out, "null]");
}

/* Of a list: what its items are. */
static void write_items(struct object *o, const struct field *field, enum use use)
{
    object_json(o, "type", "\"array\"");
    object_key(o, "items");
    if (field->type == FIELD_LIST)
        write_schema_object(field->row, NULL, use == FOR_SELECTED ? FOR_ROW : use, NULL,
                            o->out);
    else if (field->type == FIELD_TABLE)
        buf_adds(o->out, "{\"type\":\"object\"}");
    else
        buf_adds(o->out, field->type == FIELD_TEXTS ? "{\"type\":\"string\"}"
                                                    : "{\"type\":[\"number\",\"null\"]}");
}

/* What a single value is in a result, or (with its unit, as people type it) in a request. */
static const char *scalar_type(const struct field *field, enum use use)
{
    switch (field->type) {
    case FIELD_FLAG:
        return use == FOR_REQUEST ? "[\"boolean\",\"null\"]" : "\"boolean\"";
    case FIELD_COUNT:
        return use == FOR_REQUEST ? "[\"integer\",\"string\",\"null\"]"
                                  : "[\"integer\",\"null\"]";
    case FIELD_NUMBER:
    case FIELD_SHARE:
        return use == FOR_REQUEST ? "[\"number\",\"string\",\"null\"]"
                                  : "[\"number\",\"null\"]";
    case FIELD_BYTES:
        return use == FOR_REQUEST ? "[\"string\",\"null\"]" : "[\"integer\",\"null\"]";
    case FIELD_SPAN:
        if (use != FOR_REQUEST)
            return "[\"number\",\"null\"]";
        return field->hours || field->seconds ? "[\"number\",\"string\",\"null\"]"
                                              : "[\"string\",\"null\"]";
    case FIELD_TEXT:
    case FIELD_CHOICE:
    case FIELD_ENUM:
    case FIELD_CURRENCY:
    case FIELD_CHARS:
    case FIELD_DECIMAL:
    case FIELD_DAY:
    case FIELD_TIME:
    case FIELD_USD:
    case FIELD_RATE:
    case FIELD_PER_GB:
    case FIELD_PER_KWH:
    case FIELD_MONEY:
        return "[\"string\",\"null\"]";
    case FIELD_TEXTS:
    case FIELD_LIST:
    case FIELD_TABLE:
    case FIELD_NUMBERS:
    case FIELD_RECORD:
    case FIELD_JSON:
        break;
    }
    return NULL;
}

static bool is_money_field(const struct field *field)
{
    return field->type == FIELD_USD || field->type == FIELD_RATE ||
           field->type == FIELD_PER_GB || field->type == FIELD_PER_KWH ||
           field->type == FIELD_MONEY;
}

static bool is_list_field(const struct field *field)
{
    return field->type == FIELD_TEXTS || field->type == FIELD_LIST ||
           field->type == FIELD_TABLE || field->type == FIELD_NUMBERS;
}

static void write_schema_format(struct object *o, const struct field *field)
{
    if (field->type == FIELD_DAY)
        object_text(o, "format", "date");
    else if (field->type == FIELD_TIME)
        object_text(o, "format", field->short_midnight ? "date-or-time" : "date-time");
    else if (field->type == FIELD_DECIMAL) /* an exact number, as text */
        object_text(o, "format", "decimal");
}

/* A record or money, which have a schema of their own. A description beside it is allowed. */
static void write_nested(struct object *o, const struct field *field, enum use use)
{
    object_key(o, "allOf");
    buf_char(o->out, '[');
    if (field->type == FIELD_RECORD)
        write_schema_object(field->row, NULL, use, NULL, o->out);
    else
        buf_adds(o->out, money_schema);
    buf_char(o->out, ']');
}

static void write_property(const struct field *field, enum use use, struct buf *out)
{
    struct object o = object_open(out);

    if (field->help != NULL)
        object_text(&o, "description", field->help);
    if (field->type == FIELD_JSON)
        object_json(&o, "type", "[\"object\",\"array\",\"null\"]");
    else if (is_list_field(field) && use == FOR_REQUEST && field->type == FIELD_TEXTS)
        object_json(&o, "anyOf",
                    "[{\"type\":\"array\",\"items\":{\"type\":\"string\"}},"
                    "{\"type\":[\"string\",\"null\"]}]");
    else if (is_list_field(field))
        write_items(&o, field, use);
    else if (field->type == FIELD_RECORD || (is_money_field(field) && use != FOR_REQUEST))
        write_nested(&o, field, use);
    else if (field_choice(field, 0) != NULL && field->others == NULL)
        write_values(&o, field);
    else
        object_json(&o, "type", scalar_type(field, use));
    if (use != FOR_REQUEST)
        write_schema_format(&o, field);
    if (use == FOR_REQUEST && field->fallback != NULL)
        object_text(&o, "default", field->fallback);
    if (use == FOR_REQUEST && field->operand) /* may be given without its name */
        object_json(&o, "x-operand", "true");
    object_close(&o);
}

/* ---- records ---- */

static void write_properties(const struct field_set *set, enum use use, struct object *o)
{
    for (size_t i = 0; i < set->len; i++) {
        const struct field *field = &set->at[i];

        if (field->inlined && use != FOR_REQUEST) {
            write_properties(field->row, use, o);
            continue;
        }
        object_key(o, field->name);
        write_property(field, use, o->out);
    }
}

/* Names of what a result always has, or a request must have; is it still the first? */
static bool write_required(const struct field_set *set, enum use use, bool first,
                           struct buf *out)
{
    for (size_t i = 0; i < set->len; i++) {
        const struct field *field = &set->at[i];

        if (field->inlined && use != FOR_REQUEST && !field->sparse) {
            first = write_required(field->row, use, first, out);
            continue;
        }
        if (use == FOR_REQUEST ? !field->required : field->sparse)
            continue;
        if (!first)
            buf_char(out, ',');
        first = false;
        json_write_text(str_from(field->name), out);
    }
    return first;
}

static void write_schema_object(const struct field_set *set, const char *schema, enum use use,
                                const char *draft, struct buf *out)
{
    struct object o = object_open(out), properties;

    if (draft != NULL)
        object_text(&o, "$schema", draft);
    object_json(&o, "type", "\"object\"");
    object_key(&o, "properties");
    properties = object_open(out);
    if (schema != NULL) {
        object_key(&properties, "schema");
        buf_adds(out, "{\"const\":");
        json_write_text(str_from(schema), out);
        buf_char(out, '}');
    }
    write_properties(set, use == FOR_ROW ? FOR_RESULT : use, &properties);
    object_close(&properties);
    if (use != FOR_ROW) {
        object_key(&o, "required");
        buf_adds(out, schema != NULL ? "[\"schema\"" : "[");
        (void)write_required(set, use, schema == NULL, out);
        buf_char(out, ']');
    }
    if (use == FOR_REQUEST)
        object_json(&o, "additionalProperties", "false");
    object_close(&o);
}

void json_schema_write_result(const struct field_set *set, const char *schema, struct buf *out)
{
    write_schema_object(set, schema, FOR_RESULT, DRAFT, out);
}

void json_schema_write_selected(const struct field_set *set, const char *schema,
                                struct buf *out)
{
    write_schema_object(set, schema, FOR_SELECTED, DRAFT, out);
}

void json_schema_write_request(const struct field_set *set, struct buf *out)
{
    write_schema_object(set, NULL, FOR_REQUEST, DRAFT, out);
}

bool json_schema_texts(const struct field_set *asked, const struct field_set *answered,
                       const char *schema, struct arena *arena, struct str *request,
                       struct str *result, struct error *err)
{
    struct buf text = buf_new(arena->alloc, BUF_MAX_OUTPUT);

    json_schema_write_request(asked, &text);
    if (!buf_keep(&text, arena, request, err))
        return false;
    text = buf_new(arena->alloc, BUF_MAX_OUTPUT);
    json_schema_write_result(answered, schema, &text);
    return buf_keep(&text, arena, result, err);
}
