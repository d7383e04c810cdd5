/* What a saved plan comes to. */
#include "op/saved_plan.h"

#include "base/fs.h"
#include "doc/node.h"

#define PLAN_MAX ((size_t)8 << 20) /* bytes of one */
#define AMOUNT_TEXT 128

static struct str text_of(const struct node *map, struct str key)
{
    const struct node *node = map->kind == NODE_MAP ? node_get(map, key) : NULL;

    return node != NULL && node->kind == NODE_SCALAR ? node->text : (struct str){0};
}

static bool known_schema(struct str schema, struct error *err)
{
    if (str_eq(schema, STR("stint.plan/1")))
        return true;
    if (str_starts(schema, STR("stint.plan/"))) {
        error_set(err, ERROR_INPUT, "the plan is '%.*s', and this program reads 'stint.plan/1'",
                  STR_ARG(schema));
        error_hint(err, "plan it again with this program");
        return false;
    }
    error_set(err, ERROR_INPUT, "'%.*s' is no plan", STR_ARG(schema));
    error_hint(err, "stint plan JOB --save FILE writes one");
    return false;
}

/* {"amount":"2.49","currency":"USD"} */
static bool read_money(const struct node *cost, struct arena *arena, struct money *out,
                       struct error *err)
{
    struct buf text = buf_new(arena->alloc, AMOUNT_TEXT);
    bool ok;

    buf_add(&text, text_of(cost, STR("amount")));
    buf_char(&text, ' ');
    buf_add(&text, text_of(cost, STR("currency")));
    if (text.failed == ERROR_MEMORY)
        ok = buf_ok(&text, err);
    else
        ok = money_parse(buf_text(&text), out, err);
    buf_free(&text);
    return ok;
}

/* That of its first plan, which is the best. */
static bool cost_of_node(const struct node *root, struct arena *arena, struct plan_cost *out,
                         struct error *err)
{
    const struct node *plans = node_get(root, STR("plans"));
    const struct node *best = plans != NULL && plans->kind == NODE_LIST ? plans->first : NULL;
    const struct node *cost =
        best != NULL && best->kind == NODE_MAP ? node_get(best, STR("cost")) : NULL;

    if (cost == NULL || cost->kind != NODE_MAP)
        return error_fail(err, ERROR_INPUT, "the plan does not say what it costs");
    out->name = text_of(root, STR("name"));
    out->unit = text_of(root, STR("unit"));
    out->experiment = str_eq(text_of(root, STR("experiment")), STR("true"));
    return read_money(cost, arena, &out->cost, err);
}

bool saved_plan_cost(struct op_context *ctx, struct str file, struct plan_cost *out,
                     struct error *err)
{
    const char *path = str_dup(file, ctx->arena, err);
    struct node *root = NULL;
    struct str text, schema = {0};

    if (path == NULL || !fs_read(path, PLAN_MAX, ctx->arena, &text, err))
        return false;
    if (str_starts(str_trim(text), STR("{"))) {
        root = json_read(text, path, ctx->arena, err);
        if (root == NULL)
            return false;
        schema = text_of(root, STR("schema"));
    }
    if (schema.len == 0)
        return plan_one_cost(ctx, file, out, err);
    if (known_schema(schema, err) && cost_of_node(root, ctx->arena, out, err))
        return true;
    if (err->kind != ERROR_MEMORY)
        error_place(err, path);
    return false;
}
