/* The same with jansson: the complete tree, then every product. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "feed_aws.h"

static bool is(const json_t *attributes, const char *key, const char *value)
{
    const char *text = json_string_value(json_object_get(attributes, key));

    return text != NULL && strcmp(text, value) == 0;
}

static bool is_wanted(const json_t *product)
{
    const json_t *attributes = json_object_get(product, "attributes");

    return is(product, "productFamily", "Compute Instance") &&
           json_object_get(attributes, "gpu") != NULL &&
           is(attributes, "locationType", "AWS Region") &&
           is(attributes, "tenancy", "Shared") && is(attributes, "operatingSystem", "Linux") &&
           is(attributes, "capacitystatus", "Used") && is(attributes, "preInstalledSw", "NA");
}

/* "3.1234000000" in billionths. */
static int64_t nano_dollars(const char *text)
{
    char *point;
    int64_t whole = strtoll(text, &point, 10), part = 0;

    for (int i = 1; i <= 9; i++)
        part = part * 10 + (point[i] - '0');
    return whole * 1000000000 + part;
}

static int64_t price_of(const json_t *terms)
{
    const json_t *term = json_object_iter_value(json_object_iter((json_t *)(uintptr_t)terms));
    json_t *rates = json_object_get(term, "priceDimensions");
    const json_t *rate = json_object_iter_value(json_object_iter(rates));

    return nano_dollars(
        json_string_value(json_object_get(json_object_get(rate, "pricePerUnit"), "USD")));
}

bool find_jansson(const char *path, void *result)
{
    struct found *found = result;
    json_error_t err;
    json_t *root = json_load_file(path, 0, &err), *product;
    const json_t *on_demand = json_object_get(json_object_get(root, "terms"), "OnDemand");
    const char *sku;

    if (root == NULL) {
        (void)fprintf(stderr, "jansson: line %d: %s\n", err.line, err.text);
        return false;
    }
    json_object_foreach(json_object_get(root, "products"), sku, product)
    {
        if (!is_wanted(product))
            continue;
        found->machines++;
        found->nano_dollars += price_of(json_object_get(on_demand, sku));
    }
    json_decref(root);
    return true;
}
