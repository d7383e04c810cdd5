/* Tags of AWS: a column for each, or a map. What users wrote has no prefix in FOCUS, what AWS
 * wrote has "aws:". */
#include <string.h>

#include "bill/aws/aws.h"
#include "bill/map.h"

static bool cut_head(struct str *name, struct str head)
{
    if (name->len <= head.len || !str_eq_nocase((struct str){name->at, head.len}, head))
        return false;
    *name = (struct str){name->at + head.len, name->len - head.len};
    return true;
}

/* "user:team" and "user_team" are the tag team; "aws:createdBy" stays AWS's. */
static void write_key(struct str name, struct buf *key)
{
    if (cut_head(&name, STR("aws:")) || cut_head(&name, STR("aws_")))
        buf_adds(key, "aws:");
    else if (!cut_head(&name, STR("user:")))
        (void)cut_head(&name, STR("user_"));
    buf_add(key, name);
}

bool cur_tag_column(struct str name, struct buf *key)
{
    if (cut_head(&name, STR("costCategory/")) || cut_head(&name, STR("cost_category_"))) {
        buf_adds(key, "costCategory:");
        buf_add(key, name);
        return true;
    }
    if (!cut_head(&name, STR("resourceTags/")) && !cut_head(&name, STR("resource_tags_")))
        return false;
    write_key(name, key);
    return true;
}

struct tag_writer {
    struct buf *out;
    const char *prefix; /* NULL: resource tags */
};

static bool put_entry(void *ctx, struct str key, struct str value, struct error *err)
{
    const struct tag_writer *w = ctx;
    struct buf name = buf_new(w->out->alloc, (size_t)1 << 20);
    bool fine;

    if (value.len == 0)
        return true;
    if (w->prefix != NULL) {
        buf_adds(&name, w->prefix);
        buf_add(&name, key);
    } else {
        write_key(key, &name);
    }
    fine = buf_ok(&name, err);
    if (fine)
        bill_put(w->out, buf_text(&name), value);
    buf_free(&name);
    return fine;
}

bool cur_tags(struct bill *bill, const struct bill_row *row, struct bill_line *out,
              struct error *err)
{
    const struct cur_state *state = bill->state;
    struct tag_writer tags = {&bill->work, NULL}, categories = {&bill->work, "costCategory:"};
    struct str map = bill_cell(row, state->at[CUR_tag_map]);
    struct str category = bill_cell(row, state->at[CUR_category_map]);

    buf_clear(&bill->work);
    for (size_t i = 0; i < state->tag_count; i++) {
        struct str value = bill_words(row, state->tags[i].at);

        if (value.at != NULL)
            bill_put(&bill->work, state->tags[i].key, value);
    }
    if ((map.at != NULL && !bill_map(bill, "resource_tags", map, put_entry, &tags, err)) ||
        (category.at != NULL &&
         !bill_map(bill, "cost_category", category, put_entry, &categories, err)))
        return false;
    return bill_object(bill, &out->of[FOCUS_Tags], err);
}

struct product_reader {
    struct bill *bill;
    struct cur_state *state;
};

static bool take_product(void *ctx, struct str key, struct str value, struct error *err)
{
    const struct product_reader *r = ctx;

    if (value.len == 0)
        return true;
    for (int c = CUR_FIRST_PRODUCT; c <= CUR_LAST_PRODUCT; c++)
        if (bill_name_eq(key, str_from(cur_names[c] + sizeof "product/" - 1)))
            return bill_text(r->bill, value, &r->state->product[c], err);
    return true;
}

bool cur_product_map(struct bill *bill, const struct bill_row *row, struct error *err)
{
    struct cur_state *state = bill->state;
    struct product_reader reader = {bill, state};
    struct str map = bill_cell(row, state->at[CUR_product_map]);

    if (state->at[CUR_product_map] == BILL_NO_COLUMN)
        return true;
    for (int c = CUR_FIRST_PRODUCT; c <= CUR_LAST_PRODUCT; c++)
        state->product[c] = (struct str){0};
    return map.at == NULL || bill_map(bill, "product", map, take_product, &reader, err);
}
