/* Lambda's instance types: a map from name to a type, its price in cents for the machine,
 * and the regions where one can be had at the moment.
 *
 * Lambda has one price everywhere, and the catalog keys its machines so, with the region "*".
 * So each type is a quote for "*", which takes the place of the built-in one, whether any
 * region has capacity or not; and, besides, one for each region that has. When capacity is gone
 * there, so is that quote, and the price for "*" stays.
 */
#include <math.h>
#include <string.h>

#include "base/num.h"
#include "feed/json_walk.h"

#define MOST_REGIONS 64
#define LONGEST_REGION 32

struct type {
    struct walk_value name, description, gpu, cents, vcpus, memory, gpus;
    char regions[MOST_REGIONS][LONGEST_REGION]; /* that have capacity */
    size_t region_count;
};

struct answer {
    struct walk_value data;
};

struct place {
    struct walk_value name;
};

static const struct walk_member region_members[] = {
    {"name", WALK_VALUE(struct place, name)},
    {0},
};

static bool read_lambda_region(struct walk *walk, void *record, const struct walk_value *value,
                               struct error *err)
{
    struct type *type = record;
    struct place region;
    struct str name;
    bool object;

    if (!walk_element(walk, value, region_members, &region, &object, err))
        return false;
    name = walk_name(&region.name);
    if (name.len > 0 && name.len < LONGEST_REGION && type->region_count < MOST_REGIONS) {
        memcpy(type->regions[type->region_count], name.at, name.len);
        type->regions[type->region_count++][name.len] = '\0';
    }
    return true;
}

static const struct walk_member spec_members[] = {
    {"vcpus", WALK_VALUE(struct type, vcpus)},
    {"memory_gib", WALK_VALUE(struct type, memory)},
    {"gpus", WALK_VALUE(struct type, gpus)},
    {0},
};

static const struct walk_member instance_members[] = {
    {"name", WALK_VALUE(struct type, name)},
    {"description", WALK_VALUE(struct type, description)},
    {"gpu_description", WALK_VALUE(struct type, gpu)},
    {"price_cents_per_hour", WALK_VALUE(struct type, cents)},
    {"specs", .inside = spec_members},
    {0},
};

static const struct walk_member type_members[] = {
    {"instance_type", .inside = instance_members},
    {"regions_with_capacity_available", .each = read_lambda_region},
    {0},
};

/* "8x H100 (80 GB SXM5)" in its parts. */
struct described {
    double count, memory_gb; /* NaN when not given */
    struct str model, form;
};

static struct described read_description(struct str text)
{
    struct described d = {.count = NAN, .memory_gb = NAN};
    struct str inside = text, model = str_trim(str_cut(&inside, '(')), times = model;
    struct str count = str_cut(&times, 'x'), size;
    int64_t number;

    if (times.len > 0 && times.at[0] == ' ' && num_int(count, &number) && number > 0) {
        d.count = (double)number;
        model = str_trim(times);
    }
    d.model = model;
    inside = str_cut(&inside, ')');
    size = str_cut(&inside, ' ');
    if (num_int(size, &number) && number > 0)
        d.memory_gb = (double)number;
    (void)str_cut(&inside, ' '); /* "GB" */
    d.form = str_trim(inside);
    if (str_starts(d.form, STR("SXM"))) /* SXM4, SXM5: the catalog leaves the number out */
        d.form.len = 3;
    return d;
}

/* Try the model with its form and memory, then with its memory, then alone. */
static const struct accelerator *find_lambda_gpu(struct feed_known *known,
                                                 const struct described *d)
{
    const struct accelerator *found = NULL;
    char name[160];
    int len;

    if (!isnan(d->memory_gb) && d->form.len > 0) {
        len = snprintf(name, sizeof name, "%.*s-%.*s-%.0fGB", STR_ARG(d->model),
                       (int)(d->form.len < 16 ? d->form.len : 16), d->form.at, d->memory_gb);
        found = feed_accelerator(known, (struct str){name, (size_t)len}, d->memory_gb);
    }
    if (found == NULL && !isnan(d->memory_gb)) {
        len = snprintf(name, sizeof name, "%.*s-%.0fGB", STR_ARG(d->model), d->memory_gb);
        found = feed_accelerator(known, (struct str){name, (size_t)len}, d->memory_gb);
    }
    return found != NULL ? found : feed_accelerator(known, d->model, d->memory_gb);
}

/* What is in it: by the catalog, or by its description. False when it has no accelerator. */
static bool describe_lambda_machine(struct feed_known *known, const struct type *type,
                                    struct quote *q)
{
    const struct machine *offer = feed_machine(known, STR("lambda"), q->instance);
    struct described d = read_description(walk_name(&type->description));
    const struct accelerator *a;

    q->count = walk_number(&type->gpus);
    q->vcpus = walk_number(&type->vcpus);
    q->memory_gib = walk_number(&type->memory);
    if (isnan(q->count))
        q->count = d.count;
    if (!(q->count > 0))
        return false;
    if (walk_name(&type->gpu).len > 0)
        d = read_description(walk_name(&type->gpu));
    q->gpu_memory_gib = d.memory_gb;
    q->accelerator = d.model;
    a = offer == NULL ? find_lambda_gpu(known, &d) : NULL;
    if (offer != NULL || a != NULL)
        q->accelerator = offer != NULL ? offer->accelerator : a->name;
    return q->accelerator.len > 0;
}

/* One quote for each region that has some now, and one for all. A machine that is wrong in
 * itself is reported once. */
static bool give_type(const struct feed_reading *feed, const struct type *type, struct quote *q,
                      struct error *err)
{
    struct error problem = {0};

    q->region = STR("*");
    if (!quote_good(q, &problem))
        return feed_bad(feed, 0, &problem, err);
    if (!feed_give(feed, 0, q, err))
        return false;
    for (size_t i = 0; i < type->region_count; i++) {
        q->region = str_from(type->regions[i]);
        if (!feed_give(feed, 0, q, err))
            return false;
    }
    return true;
}

static bool read_type(struct walk *walk, void *record, const struct walk_value *value,
                      struct error *err)
{
    const struct feed_reading *feed = walk->feed;
    struct type type;
    struct quote q = quote_blank();
    int64_t cents;
    bool object;

    (void)record;
    type.region_count = 0;
    if (!walk_element(walk, value, type_members, &type, &object, err))
        return false;
    feed->summary->rows++;
    q.provider = STR("lambda");
    q.instance = walk_name(&type.name);
    q.at = feed->date;
    if (q.instance.len == 0 || !describe_lambda_machine(feed->known, &type, &q))
        return feed_ignore(feed);
    if (!walk_price(&type.cents, &cents))
        return feed_refuse(feed, 0, err, "%.*s: price_cents_per_hour is not a price",
                           STR_ARG(q.instance));
    q.price[MARKET_ON_DEMAND] = cents >= 0 ? (cents + 50) / 100 : cents;
    return give_type(feed, &type, &q, err);
}

static const struct walk_member refusal_members[] = {
    {"message", .each = walk_refusal},
    {0},
};

static const struct walk_member answer_members[] = {
    {"data", .each = read_type, WALK_VALUE(struct answer, data)},
    {"error", .inside = refusal_members},
    {0},
};

static bool finish_lambda_answer(struct walk *walk, void *record, struct error *err)
{
    const struct answer *answer = record;

    return answer->data.kind == JSON_OBJECT ||
           walk_missing(walk, "map 'data' of instance types", err);
}

static bool read_lambda(const struct feed_reading *feed, struct error *err)
{
    struct answer answer;

    return walk_read(feed, answer_members, finish_lambda_answer, &answer, err);
}

const struct feed_format feed_lambda = {
    .name = "lambda",
    .feed = "lambda-api",
    .provider = "lambda",
    .confidence = CONFIDENCE_OFFICIAL,
    .scope = SCOPE_PROVIDER,
    .json = (const char *const[]){"data", "instance_type", "price_cents_per_hour", NULL},
    .read = read_lambda,
};
