/* aws-products: the answers of GetProducts, a page of products each with its terms. A product
 * is JSON encoded as a string, as the service sends it, or an object, as some clients print it;
 * also by itself, one after the other. */
#include <string.h>

#include "feed/aws.h"

struct products {
    struct aws_reader reader;
    struct json *json; /* of the product: the file's, or of the string that holds it */

    struct aws_product product; /* the one that is being read */
    struct aws_prices prices;
    stamp published;
    bool has_product, reserved;

    bool has_any; /* a page or a product */
};

static bool read_product_kind(void *ctx, const struct json_token *key, struct error *err)
{
    struct products *p = ctx;

    p->reserved = str_eq(key->text, STR("Reserved"));
    if (p->reserved || str_eq(key->text, STR("OnDemand")))
        return aws_read_terms(&p->reader, p->json, p->reserved, &p->prices, err);
    return json_skip(p->json, err);
}

static bool document_member(void *ctx, const struct json_token *key, struct error *err)
{
    struct products *p = ctx;
    struct str text;

    if (str_eq(key->text, STR("product"))) {
        p->has_product = true;
        return aws_read_product(p->json, &p->product, err);
    }
    if (str_eq(key->text, STR("terms")))
        return pull_object(p->json, "'terms'", read_product_kind, p, err);
    if (str_eq(key->text, STR("publicationDate")))
        return pull_text(p->json, &text, err) &&
               aws_published(p->json, text, &p->published, err);
    return json_skip(p->json, err);
}

static void start_document(struct products *p, struct json *json)
{
    p->json = json;
    p->prices = aws_prices_none();
    p->published = (stamp){0};
    p->has_product = false;
}

/* The product is read: make a quote of it. */
static bool end_document(struct products *p, struct error *err)
{
    stamp at = p->published.s > 0 ? p->published : p->reader.feed->date;
    struct feed_summary *summary = p->reader.feed->summary;
    struct aws_machine machine;

    p->json = p->reader.json;
    p->has_any = true;
    summary->rows++;
    if (p->published.s > summary->published.s)
        summary->published = p->published;
    if (!p->has_product)
        error_set(&p->product.problem, ERROR_INPUT, "there is no 'product' in it");
    else if (aws_product_machine(&p->product, p->reader.feed->known, &machine)) {
        machine.prices = p->prices;
        return aws_give(&p->reader, &machine, at, err);
    }
    if (p->product.problem.kind != ERROR_NONE && !(p->has_product && p->product.unwanted))
        return aws_bad(&p->reader, &p->product.problem, err);
    return feed_ignore(p->reader.feed);
}

static bool read_inner(struct products *p, struct str text, struct error *err)
{
    struct json_options options = {.alloc = p->reader.feed->alloc};
    struct json *json = json_open_text(text, &options, err);
    struct json_token end;
    bool ok;

    if (json == NULL)
        return false;
    start_document(p, json);
    ok = pull_object(json, "it", document_member, p, err) && json_next(json, &end, err);
    json_close(json);
    p->json = p->reader.json;
    return ok;
}

static bool read_product_item(struct products *p, const struct json_token *first,
                              struct error *err)
{
    struct error problem = {0};

    if (first->kind == JSON_OBJECT) {
        start_document(p, p->reader.json);
        return pull_opened(p->json, first, document_member, p, err) && end_document(p, err);
    }
    if (first->kind != JSON_STRING) {
        p->reader.feed->summary->rows++;
        error_set(&problem, ERROR_INPUT, "a product is neither a string nor an object");
        return aws_bad(&p->reader, &problem, err) &&
               (first->kind != JSON_ARRAY || json_skip(p->json, err));
    }
    if (read_inner(p, first->text, &problem))
        return end_document(p, err);
    if (p->reader.refused || problem.kind != ERROR_INPUT) {
        *err = problem;
        return false;
    }
    p->reader.feed->summary->rows++;
    error_context(&problem, "in a product's own JSON");
    return aws_bad(&p->reader, &problem, err);
}

static bool product_item(void *ctx, const struct json_token *first, struct error *err)
{
    struct products *p = ctx;
    bool ok = read_product_item(p, first, err);

    p->has_product = false; /* it was the item's, not the page's */
    return ok;
}

static bool read_products_member(void *ctx, const struct json_token *key, struct error *err)
{
    struct products *p = ctx;
    struct buf *next = &p->reader.feed->summary->next;
    struct str text;

    if (str_eq(key->text, STR("PriceList"))) {
        p->has_any = true;
        return pull_array(p->json, "'PriceList'", product_item, p, err);
    }
    if (!str_eq(key->text, STR("NextToken")))
        return document_member(p, key, err);
    if (!pull_text(p->json, &text, err))
        return false;
    buf_add(next, text);
    return buf_ok(next, err);
}

static bool read_products_file(struct products *p, struct error *err)
{
    struct json_token token;

    for (;;) {
        if (!json_next(p->json, &token, err))
            return false;
        if (token.kind == JSON_END)
            break;
        if (token.kind != JSON_OBJECT)
            return error_fail(err, ERROR_INPUT, "line %llu: this is not an object",
                              (unsigned long long)json_line(p->json));
        buf_clear(&p->reader.feed->summary->next); /* of several pages the last one's counts */
        start_document(p, p->json);
        if (!pull_opened(p->json, &token, read_products_member, p, err) ||
            (p->has_product && !end_document(p, err)))
            return false;
    }
    return p->has_any ||
           error_fail(err, ERROR_INPUT, "there is neither a 'PriceList' nor a 'product' in it");
}

static bool read_aws_products(const struct feed_reading *feed, struct error *err)
{
    struct json_options options = {.alloc = feed->alloc, .many = true};
    struct products p = {.reader = {.feed = feed}};
    bool ok;

    p.json = p.reader.json = json_open(feed->source, &options, err);
    ok = p.json != NULL && read_products_file(&p, err);
    json_close(p.reader.json);
    return ok;
}

const struct feed_format feed_aws_products = {
    .name = "aws-products",
    .feed = "aws-price-list",
    .provider = "aws",
    .confidence = CONFIDENCE_OFFICIAL,
    .scope = SCOPE_ROWS,
    .json = (const char *const[]){"PriceList", NULL},
    .json_or = (const char *const[]){"productFamily", "serviceCode", NULL},
    .read = read_aws_products,
};
