/* aws-offers: the bulk price list of EC2, a file of hundreds of megabytes for each region.
 * Products come first; of them only machines with accelerators are remembered, and then only
 * their terms are read. */
#include <string.h>

#include "feed/aws.h"

struct offers {
    struct aws_reader reader;
    struct json *json;
    struct aws_machines machines;
    struct aws_product product;
    stamp published;
    bool has_products, has_terms, reserved;
    struct str region; /* of all products so far that have one */
    bool regions_differ;
};

static bool recognize(struct str head)
{
    return aws_opens(head, "{") && str_has_nocase(head, STR("\"offerCode\"")) &&
           str_has_nocase(head, STR("\"products\""));
}

/* A file for one region is about it even if none of its machines has accelerators. */
static void note_region(struct offers *o)
{
    struct str region = feed_aws_region(aws_name(&o->product.region));

    if (o->product.unwanted || o->product.region.len == 0)
        return;
    if (o->region.len == 0)
        o->region = region;
    if (region.len == 0 || !str_eq(region, o->region))
        o->regions_differ = true;
}

static enum pull product_member(void *ctx, struct str key, struct error *err)
{
    struct offers *o = ctx;
    struct aws_machine machine;
    struct aws_name sku;
    bool short_ = aws_name_set(&sku, key);

    o->reader.summary->rows++;
    if (!aws_read_product(o->json, &o->product, err))
        return PULL_FAIL;
    note_region(o);
    if (!aws_product_machine(&o->product, o->reader.input->known, &machine)) {
        if (o->product.problem.kind != ERROR_NONE && !o->product.unwanted)
            return aws_bad(&o->reader, &o->product.problem, err) ? PULL_ON : PULL_FAIL;
        o->reader.summary->ignored++;
        return PULL_ON;
    }
    if (!short_) {
        error_set(&o->product.problem, ERROR_INPUT, "a SKU is longer than %d bytes",
                  AWS_NAME_ROOM);
        return aws_bad(&o->reader, &o->product.problem, err) ? PULL_ON : PULL_FAIL;
    }
    machine.sku = sku;
    return aws_machines_add(&o->machines, &machine, err) ? PULL_ON : PULL_FAIL;
}

static enum pull sku_member(void *ctx, struct str key, struct error *err)
{
    struct offers *o = ctx;
    struct aws_machine *machine = aws_machines_find(&o->machines, key);
    bool ok = machine != NULL
                  ? aws_read_terms(&o->reader, o->json, o->reserved, &machine->prices, err)
                  : json_skip(o->json, err);

    return ok ? PULL_ON : PULL_FAIL;
}

static enum pull kind_member(void *ctx, struct str key, struct error *err)
{
    struct offers *o = ctx;
    bool ok;

    o->reserved = str_eq(key, STR("Reserved"));
    if (o->reserved || str_eq(key, STR("OnDemand")))
        ok = pull_object(o->json, "a kind of terms", sku_member, o, err);
    else
        ok = json_skip(o->json, err);
    return ok ? PULL_ON : PULL_FAIL;
}

static bool read_code(struct offers *o, struct error *err)
{
    struct str code;

    if (!pull_text(o->json, &code, err))
        return false;
    if (str_eq(code, STR("AmazonEC2")))
        return true;
    error_set(err, ERROR_INPUT, "this is the price list of '%.*s', not of AmazonEC2",
              STR_ARG(code));
    error_hint(err, "machines are in .../offers/v1.0/aws/AmazonEC2/current/REGION/index.json");
    return false;
}

static bool read_products(struct offers *o, struct error *err)
{
    if (o->has_terms)
        return error_fail(err, ERROR_INPUT,
                          "'terms' come before 'products', which AWS's own files never have");
    if (o->has_products)
        return error_fail(err, ERROR_INPUT, "there are two 'products'");
    o->has_products = true;
    if (!pull_object(o->json, "'products'", product_member, o, err))
        return false;
    aws_machines_sort(&o->machines);
    return true;
}

static enum pull member(void *ctx, struct str key, struct error *err)
{
    struct offers *o = ctx;
    struct str text;
    bool ok;

    if (str_eq(key, STR("products"))) {
        ok = read_products(o, err);
    } else if (str_eq(key, STR("terms"))) {
        o->has_terms = true;
        ok = pull_object(o->json, "'terms'", kind_member, o, err);
    } else if (str_eq(key, STR("publicationDate"))) {
        ok = pull_text(o->json, &text, err) && aws_published(o->json, text, &o->published, err);
    } else if (str_eq(key, STR("offerCode"))) {
        ok = read_code(o, err);
    } else {
        ok = json_skip(o->json, err);
    }
    return ok ? PULL_ON : PULL_FAIL;
}

static bool read_file(struct offers *o, struct error *err)
{
    struct json_token token;

    if (!pull_object(o->json, "this", member, o, err) || !json_next(o->json, &token, err))
        return false;
    if (o->has_products && o->has_terms)
        return true;
    error_set(err, ERROR_INPUT, "there are no '%s' in it",
              o->has_products ? "terms" : "products");
    error_hint(err, "give it AWS's AmazonEC2 index.json, not the index of offers or regions");
    return false;
}

static bool give_all(struct offers *o, struct error *err)
{
    stamp at = o->published.s > 0 ? o->published : o->reader.input->date;

    for (size_t i = 0; i < o->machines.len; i++)
        if (!aws_give(&o->reader, &o->machines.at[i], at, err))
            return false;
    o->reader.summary->published = o->published;
    if (!o->regions_differ)
        o->reader.summary->region = o->region;
    return true;
}

static bool read_offers(const struct feed_input *input, const struct feed_sink *sink,
                        struct feed_summary *summary, struct error *err)
{
    struct json_options options = {.alloc = input->alloc};
    struct offers o = {.reader = {.input = input, .sink = sink, .summary = summary}};
    bool ok;

    o.machines.alloc = input->alloc;
    o.json = o.reader.json = json_open(input->source, &options, err);
    if (o.json == NULL)
        return false;
    ok = (read_file(&o, err) && give_all(&o, err)) || aws_failed(&o.reader, err);
    aws_machines_free(&o.machines);
    json_close(o.json);
    return ok;
}

const struct feed_format feed_aws_offers = {
    .name = "aws-offers",
    .about = "AWS's bulk price list of EC2, one file for each region",
    .feed = "aws-price-list",
    .provider = "aws",
    .confidence = CONFIDENCE_OFFICIAL,
    .scope = SCOPE_REGIONS,
    .recognize = recognize,
    .read = read_offers,
};
