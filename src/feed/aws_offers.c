/* aws-offers: the bulk price list of EC2, a file of hundreds of megabytes for each region.
 * Products come first; of them only machines with accelerators are remembered, and then only
 * their terms are read. */
#include <stdlib.h>
#include <string.h>

#include "feed/aws.h"

#define MOST_MACHINES ((size_t)32768)

struct offers {
    struct aws_reader reader;
    struct json *json;
    struct arena arena;
    struct aws_machine *machines; /* by SKU: sorted, when all products are read */
    size_t count, room;
    struct aws_product product;
    stamp published;
    bool has_products, has_terms, reserved;
};

/* ---- machines by SKU. Sorted once, not hashed: a hostile file could make all hashes alike
 * ---- */

static bool add_aws_machine(struct offers *o, const struct aws_machine *machine,
                            struct error *err)
{
    if (o->count == MOST_MACHINES)
        return error_fail(err, ERROR_INPUT,
                          "there are more than %zu machines with accelerators in it",
                          MOST_MACHINES);
    o->machines = arena_grow(&o->arena, o->machines, o->count, sizeof *machine, &o->room, err);
    if (o->machines == NULL)
        return false;
    o->machines[o->count++] = *machine;
    return true;
}

static int by_sku(const void *a, const void *b)
{
    const struct aws_machine *x = a, *y = b;

    return str_cmp(aws_name(&x->sku), aws_name(&y->sku));
}

/* Sort them, and keep one of each SKU. */
static void sort_machines(struct offers *o)
{
    size_t kept = 0;

    if (o->count == 0)
        return;
    qsort(o->machines, o->count, sizeof o->machines[0], by_sku);
    for (size_t i = 1; i < o->count; i++)
        if (by_sku(&o->machines[kept], &o->machines[i]) != 0)
            o->machines[++kept] = o->machines[i];
    o->count = kept + 1;
}

static struct aws_machine *find_aws_machine(const struct offers *o, struct str sku)
{
    struct aws_machine wanted = {0};

    if (o->count == 0 || !aws_name_set(&wanted.sku, sku))
        return NULL;
    return bsearch(&wanted, o->machines, o->count, sizeof wanted, by_sku);
}

/* ---- the file ---- */

static bool read_offer_product(void *ctx, const struct json_token *key, struct error *err)
{
    struct offers *o = ctx;
    struct aws_machine machine;
    struct aws_name sku;
    bool short_ = aws_name_set(&sku, key->text);

    o->reader.feed->summary->rows++;
    if (!aws_read_product(o->json, &o->product, err))
        return false;
    if (!aws_product_machine(&o->product, o->reader.feed->known, &machine)) {
        if (o->product.problem.kind != ERROR_NONE && !o->product.unwanted)
            return aws_bad(&o->reader, &o->product.problem, err);
        return feed_ignore(o->reader.feed);
    }
    if (!short_) {
        error_set(&o->product.problem, ERROR_INPUT, "a SKU is longer than %d bytes",
                  AWS_NAME_ROOM);
        return aws_bad(&o->reader, &o->product.problem, err);
    }
    machine.sku = sku;
    return add_aws_machine(o, &machine, err);
}

static bool sku_member(void *ctx, const struct json_token *key, struct error *err)
{
    struct offers *o = ctx;
    struct aws_machine *machine = find_aws_machine(o, key->text);

    return machine != NULL
               ? aws_read_terms(&o->reader, o->json, o->reserved, &machine->prices, err)
               : json_skip(o->json, err);
}

static bool read_offer_kind(void *ctx, const struct json_token *key, struct error *err)
{
    struct offers *o = ctx;

    o->reserved = str_eq(key->text, STR("Reserved"));
    if (o->reserved || str_eq(key->text, STR("OnDemand")))
        return pull_object(o->json, "a kind of terms", sku_member, o, err);
    return json_skip(o->json, err);
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

static bool read_offer_products(struct offers *o, struct error *err)
{
    if (o->has_terms)
        return error_fail(err, ERROR_INPUT,
                          "'terms' come before 'products', which AWS's own files never have");
    if (o->has_products)
        return error_fail(err, ERROR_INPUT, "there are two 'products'");
    o->has_products = true;
    if (!pull_object(o->json, "'products'", read_offer_product, o, err))
        return false;
    sort_machines(o);
    return true;
}

static bool offers_member(void *ctx, const struct json_token *key, struct error *err)
{
    struct offers *o = ctx;
    struct str text;

    if (str_eq(key->text, STR("products")))
        return read_offer_products(o, err);
    if (str_eq(key->text, STR("terms"))) {
        o->has_terms = true;
        return pull_object(o->json, "'terms'", read_offer_kind, o, err);
    }
    if (str_eq(key->text, STR("publicationDate")))
        return pull_text(o->json, &text, err) &&
               aws_published(o->json, text, &o->published, err);
    if (str_eq(key->text, STR("offerCode")))
        return read_code(o, err);
    return json_skip(o->json, err);
}

static bool read_offers_file(struct offers *o, struct error *err)
{
    struct json_token token;

    if (!pull_object(o->json, "this", offers_member, o, err) ||
        !json_next(o->json, &token, err))
        return false;
    if (o->has_products && o->has_terms)
        return true;
    error_set(err, ERROR_INPUT, "there are no '%s' in it",
              o->has_products ? "terms" : "products");
    error_hint(err, "give it AWS's AmazonEC2 index.json, not the index of offers or regions");
    return false;
}

static bool give_aws_offers(struct offers *o, struct error *err)
{
    const struct feed_reading *feed = o->reader.feed;
    stamp at = o->published.s > 0 ? o->published : feed->date;

    for (size_t i = 0; i < o->count; i++)
        if (!aws_give(&o->reader, &o->machines[i], at, err))
            return false;
    feed->summary->published = o->published;
    return true;
}

static bool read_offers(const struct feed_reading *feed, struct error *err)
{
    struct json_options options = {.alloc = feed->alloc};
    struct offers o = {.reader = {.feed = feed}, .arena = {.alloc = feed->alloc}};
    bool ok;

    o.json = o.reader.json = json_open(feed->source, &options, err);
    ok = o.json != NULL && read_offers_file(&o, err) && give_aws_offers(&o, err);
    json_close(o.json);
    arena_free(&o.arena);
    return ok;
}

const struct feed_format feed_aws_offers = {
    .name = "aws-offers",
    .feed = "aws-price-list",
    .provider = "aws",
    .confidence = CONFIDENCE_OFFICIAL,
    .scope = SCOPE_REGIONS,
    .json = (const char *const[]){"offerCode", "products", NULL},
    .read = read_offers,
};
