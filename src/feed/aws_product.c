/* Products: which are machines with accelerators, by the hour, as one would rent them. */
#include <math.h>
#include <string.h>

#include "base/num.h"
#include "feed/aws.h"

#define MOST_GPUS 1024.0

/* What an attribute must be, as AWS writes it. A product that says otherwise is left at
 * once. */
static const struct rule {
    struct str name, value;
} rules[] = {
    {{"locationType", 12}, {"AWS Region", 10}}, /* not a local zone, not a wavelength zone */
    {{"tenancy", 7}, {"Shared", 6}},
    {{"operatingSystem", 15}, {"Linux", 5}},
    {{"capacitystatus", 14}, {"Used", 4}},
    {{"preInstalledSw", 14}, {"NA", 2}},
    {{"marketoption", 12}, {"OnDemand", 8}}, /* not a capacity block. Old files do not say */
};

#define ALL_RULES ((1u << ARRAY_LEN(rules)) - 1)
#define MARKET_RULE (1u << (ARRAY_LEN(rules) - 1))

struct reading {
    struct json *json;
    struct aws_product *product;
};

/* "16 GiB", "1,152 GiB", "640 GB HBM3": by GB AWS means GiB. NaN when it is anything else. */
static double parse_gib(struct str text)
{
    struct str number = str_cut(&text, ' '), unit = str_cut(&text, ' ');
    char digits[24];
    size_t len = 0;
    double value;

    for (size_t i = 0; i < number.len && len < sizeof digits; i++)
        if (number.at[i] != ',')
            digits[len++] = number.at[i];
    if (!num_double((struct str){digits, len}, &value) || !(value >= 0))
        return NAN;
    if (str_eq(unit, STR("GiB")) || str_eq(unit, STR("GB")))
        return value;
    return str_eq(unit, STR("TiB")) || str_eq(unit, STR("TB")) ? value * 1024 : NAN;
}

static void set_name(struct aws_product *p, struct aws_name *name, const char *what,
                     struct str text)
{
    if (!aws_name_set(name, text))
        error_set(&p->problem, ERROR_INPUT, "%s '%.*s' is longer than %d bytes", what,
                  STR_ARG(text), AWS_NAME_ROOM);
}

static void set_gpus(struct aws_product *p, struct str text)
{
    if (text.len == 0 || str_eq(text, STR("NA")))
        return;
    if (!num_double(text, &p->gpus) || !(p->gpus >= 0 && p->gpus <= MOST_GPUS)) {
        p->gpus = NAN;
        error_set(&p->problem, ERROR_INPUT, "gpu: '%.*s' is not a number of GPUs",
                  STR_ARG(text));
    }
}

static void set_fact(struct aws_product *p, struct str key, struct str text)
{
    if (str_eq(key, STR("instanceType")))
        set_name(p, &p->instance, "instanceType", text);
    else if (str_eq(key, STR("regionCode")))
        set_name(p, &p->region, "regionCode", text);
    else if (str_eq(key, STR("gpu")))
        set_gpus(p, text);
    else if (str_eq(key, STR("gpuMemory")))
        p->gpu_memory_gib = parse_gib(text);
    else if (str_eq(key, STR("memory")))
        p->memory_gib = parse_gib(text);
    else if (!num_double(text, &p->vcpus) || !(p->vcpus > 0))
        p->vcpus = NAN;
}

/* The attributes that are looked at, by the length of their names, which distinguishes most of the
 * others apart at no cost. */
static bool is_fact(struct str key)
{
    switch (key.len) {
    case 3:
        return str_eq(key, STR("gpu"));
    case 4:
        return str_eq(key, STR("vcpu"));
    case 6:
        return str_eq(key, STR("memory"));
    case 9:
        return str_eq(key, STR("gpuMemory"));
    case 10:
        return str_eq(key, STR("regionCode"));
    case 12:
        return str_eq(key, STR("instanceType"));
    default:
        return false;
    }
}

static enum pull attribute(void *ctx, struct str key, struct error *err)
{
    struct reading *r = ctx;
    struct aws_product *p = r->product;
    char name[16] = {0};
    struct str text;

    for (size_t i = 0; i < ARRAY_LEN(rules); i++) {
        if (!str_eq(key, rules[i].name))
            continue;
        if (!pull_text(r->json, &text, err))
            return PULL_FAIL;
        p->unwanted = !str_eq(text, rules[i].value);
        p->followed |= 1u << i;
        return p->unwanted ? PULL_LEAVE : PULL_ON;
    }
    if (!is_fact(key))
        return json_skip(r->json, err) ? PULL_ON : PULL_FAIL;
    memcpy(name, key.at, key.len); /* which the value is read over */
    if (!pull_text(r->json, &text, err))
        return PULL_FAIL;
    set_fact(p, (struct str){name, key.len}, text);
    return PULL_ON;
}

static enum pull product_member(void *ctx, struct str key, struct error *err)
{
    struct reading *r = ctx;
    struct aws_product *p = r->product;
    struct str text;

    if (str_eq(key, STR("productFamily"))) {
        if (!pull_text(r->json, &text, err))
            return PULL_FAIL;
        p->unwanted = !str_starts(text, STR("Compute Instance")); /* also "(bare metal)" */
    } else if (str_eq(key, STR("attributes"))) {
        if (!pull_object(r->json, "'attributes'", attribute, r, err))
            return PULL_FAIL;
    } else if (!json_skip(r->json, err)) {
        return PULL_FAIL;
    }
    return p->unwanted ? PULL_LEAVE : PULL_ON;
}

bool aws_read_product(struct json *json, struct aws_product *product, struct error *err)
{
    struct reading r = {json, product};

    product->unwanted = false;
    product->followed = 0;
    product->instance.len = product->region.len = 0;
    product->gpus = product->gpu_memory_gib = product->vcpus = product->memory_gib = NAN;
    product->problem.kind = ERROR_NONE;
    if (!pull_object(json, "a product", product_member, &r, err))
        return false;
    product->unwanted |= (product->followed | MARKET_RULE) != ALL_RULES;
    return true;
}

/* Of the accelerators of a machine that the catalog does not have: those of its family, if it
 * has another size of it. */
static struct str family_accelerator(struct feed_known *known, struct str instance)
{
    const struct machine *const *offers;
    struct str rest = instance, family = str_cut(&rest, '.'), found = {0};
    size_t count;

    feed_machines(known, STR("aws"), &offers, &count);
    for (size_t i = 0; i < count; i++) {
        struct str other = offers[i]->instance;

        if (!str_eq(str_cut(&other, '.'), family))
            continue;
        if (found.len > 0 && !str_eq(found, offers[i]->accelerator))
            return (struct str){0};
        found = offers[i]->accelerator;
    }
    return found;
}

/* The file says it for one accelerator or for all together, and not which. */
static double memory_of_one(double given, double count, const struct accelerator *a)
{
    if (count == 1)
        return given;
    if (a == NULL || isnan(a->memory_gb))
        return NAN;
    if (fabs(given - a->memory_gb) <= 0.1 * a->memory_gb)
        return given;
    if (fabs(given - a->memory_gb * count) <= 0.1 * a->memory_gb * count)
        return given / count;
    return NAN;
}

bool aws_product_machine(struct aws_product *product, struct feed_known *known,
                         struct aws_machine *machine)
{
    const struct accelerator *accelerator = NULL;
    const struct machine *offer;

    if (product->unwanted)
        return false;
    offer = feed_machine(known, STR("aws"), aws_name(&product->instance));
    if (offer == NULL && !(product->gpus > 0)) /* NaN compares false */
        return false;
    if (product->problem.kind == ERROR_NONE &&
        (product->instance.len == 0 || product->region.len == 0))
        error_set(&product->problem, ERROR_INPUT, "a machine without its %s",
                  product->instance.len == 0 ? "instanceType" : "regionCode");
    if (product->problem.kind != ERROR_NONE)
        return false;
    *machine = (struct aws_machine){
        .instance = product->instance, .region = product->region, .prices = aws_prices_none()};
    /* The file has no name for the accelerators, and of AWS's own chips not even their
     * number. */
    machine->accelerator = offer != NULL
                               ? offer->accelerator
                               : family_accelerator(known, aws_name(&product->instance));
    machine->count = offer != NULL ? (double)offer->count : product->gpus;
    machine->vcpus = isnan(product->vcpus) && offer != NULL ? offer->vcpus : product->vcpus;
    machine->memory_gib =
        isnan(product->memory_gib) && offer != NULL ? offer->memory_gib : product->memory_gib;
    if (machine->accelerator.len > 0)
        accelerator = feed_accelerator(known, machine->accelerator, NAN);
    machine->gpu_memory_gib =
        memory_of_one(product->gpu_memory_gib, machine->count, accelerator);
    return true;
}
