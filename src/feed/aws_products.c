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

static bool recognize(struct str head)
{
    return aws_opens(head, "{") && (str_has_nocase(head, STR("\"PriceList\"")) ||
                                    (str_has_nocase(head, STR("\"productFamily\"")) &&
                                     str_has_nocase(head, STR("\"serviceCode\""))));
}

static enum pull kind_member(void *ctx, struct str key, struct error *err)
{
    struct products *p = ctx;
    bool ok;

    p->reserved = str_eq(key, STR("Reserved"));
    if (p->reserved || str_eq(key, STR("OnDemand")))
        ok = aws_read_terms(&p->reader, p->json, p->reserved, &p->prices, err);
    else
        ok = json_skip(p->json, err);
    return ok ? PULL_ON : PULL_FAIL;
}

static enum pull document_member(void *ctx, struct str key, struct error *err)
{
    struct products *p = ctx;
    struct str text;
    bool ok;

    if (str_eq(key, STR("product"))) {
        p->has_product = true;
        ok = aws_read_product(p->json, &p->product, err);
    } else if (str_eq(key, STR("terms"))) {
        ok = pull_object(p->json, "'terms'", kind_member, p, err);
    } else if (str_eq(key, STR("publicationDate"))) {
        ok = pull_text(p->json, &text, err) && aws_published(p->json, text, &p->published, err);
    } else {
        ok = json_skip(p->json, err);
    }
    return ok ? PULL_ON : PULL_FAIL;
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
    stamp at = p->published.s > 0 ? p->published : p->reader.input->date;
    struct feed_summary *summary = p->reader.summary;
    struct aws_machine machine;

    p->json = p->reader.json;
    p->has_any = true;
    summary->rows++;
    if (p->published.s > summary->published.s)
        summary->published = p->published;
    if (!p->has_product)
        error_set(&p->product.problem, ERROR_INPUT, "there is no 'product' in it");
    else if (aws_product_machine(&p->product, p->reader.input->known, &machine)) {
        machine.prices = p->prices;
        return aws_give(&p->reader, &machine, at, err);
    }
    if (p->product.problem.kind != ERROR_NONE && !(p->has_product && p->product.unwanted))
        return aws_bad(&p->reader, &p->product.problem, err);
    summary->ignored++;
    return true;
}

static bool read_inner(struct products *p, struct str text, struct error *err)
{
    struct json_options options = {.alloc = p->reader.input->alloc};
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

static enum pull read_item(struct products *p, const struct json_token *first,
                           struct error *err)
{
    struct error problem = {0};
    bool ok;

    if (first->kind == JSON_OBJECT) {
        start_document(p, p->reader.json);
        ok = pull_members(p->json, first, document_member, p, err) && end_document(p, err);
        return ok ? PULL_ON : PULL_FAIL;
    }
    if (first->kind != JSON_STRING) {
        p->reader.summary->rows++;
        error_set(&problem, ERROR_INPUT, "a product is neither a string nor an object");
        ok = aws_bad(&p->reader, &problem, err) &&
             (first->kind != JSON_ARRAY || json_skip(p->json, err));
        return ok ? PULL_ON : PULL_FAIL;
    }
    if (read_inner(p, first->text, &problem))
        return end_document(p, err) ? PULL_ON : PULL_FAIL;
    if (p->reader.placed || problem.kind != ERROR_INPUT) {
        *err = problem;
        return PULL_FAIL;
    }
    p->reader.summary->rows++;
    error_context(&problem, "in a product's own JSON");
    return aws_bad(&p->reader, &problem, err) ? PULL_ON : PULL_FAIL;
}

static enum pull item(void *ctx, const struct json_token *first, struct error *err)
{
    struct products *p = ctx;
    enum pull how = read_item(p, first, err);

    p->has_product = false; /* it was the item's, not the page's */
    return how;
}

static enum pull page_member(void *ctx, struct str key, struct error *err)
{
    struct products *p = ctx;
    struct str text;

    if (str_eq(key, STR("PriceList"))) {
        p->has_any = true;
        return pull_array(p->json, "'PriceList'", item, p, err) ? PULL_ON : PULL_FAIL;
    }
    if (!str_eq(key, STR("NextToken")))
        return document_member(p, key, err);
    if (!pull_text(p->json, &text, err))
        return PULL_FAIL;
    buf_add(&p->reader.summary->next, text);
    return buf_ok(&p->reader.summary->next, err) ? PULL_ON : PULL_FAIL;
}

static bool read_file(struct products *p, struct error *err)
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
        buf_clear(&p->reader.summary->next); /* of several pages the last one's counts */
        start_document(p, p->json);
        if (!pull_members(p->json, &token, page_member, p, err) ||
            (p->has_product && !end_document(p, err)))
            return false;
    }
    return p->has_any ||
           error_fail(err, ERROR_INPUT, "there is neither a 'PriceList' nor a 'product' in it");
}

static bool read_products(const struct feed_input *input, const struct feed_sink *sink,
                          struct feed_summary *summary, struct error *err)
{
    struct json_options options = {.alloc = input->alloc, .many = true};
    struct products p = {.reader = {.input = input, .sink = sink, .summary = summary}};
    bool ok;

    p.json = p.reader.json = json_open(input->source, &options, err);
    if (p.json == NULL)
        return false;
    ok = read_file(&p, err) || aws_failed(&p.reader, err);
    json_close(p.reader.json);
    return ok;
}

const struct feed_format feed_aws_products = {
    .name = "aws-products",
    .about = "AWS's answers to GetProducts: 'aws pricing get-products'",
    .feed = "aws-price-list",
    .provider = "aws",
    .confidence = CONFIDENCE_OFFICIAL,
    .scope = SCOPE_ROWS,
    .recognize = recognize,
    .read = read_products,
};
