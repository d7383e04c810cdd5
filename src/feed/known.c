#include "feed/known.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/characters.h"
#include "base/hash.h"

#define REMEMBERED 1024 /* answers about names; a power of two */
#define PROBES 8        /* places that an answer may be in */
#define NAME_MAX_KEPT 64

struct name_answer {
    char raw[NAME_MAX_KEPT];
    size_t len; /* 0: a free place */
    double memory_gib;
    const struct accelerator *accelerator;
};

struct feed_known {
    const struct catalog *catalog;
    struct name_answer names[REMEMBERED];
    const struct machine **machines; /* one for each provider and instance, sorted by both */
    size_t machine_count;
};

static int compare_machine(struct str provider, struct str instance, const struct machine *o)
{
    int order = str_cmp(provider, o->provider);

    return order != 0 ? order : str_cmp(instance, o->instance);
}

static int by_machine(const void *a, const void *b)
{
    const struct machine *x = *(const struct machine *const *)a,
                         *y = *(const struct machine *const *)b;
    int order = compare_machine(x->provider, x->instance, y);

    if (order != 0)
        return order;
    return (x->fact.date.n < y->fact.date.n) - (x->fact.date.n > y->fact.date.n);
}

struct feed_known *feed_known_new(const struct catalog *catalog, struct arena *arena,
                                  struct error *err)
{
    struct feed_known *known = arena_array(arena, struct feed_known, 1, err);
    size_t count = catalog->tables[TABLE_OFFERS].len, kept = 0;

    if (known == NULL)
        return NULL;
    known->catalog = catalog;
    known->machines = arena_array(arena, const struct machine *, count + 1, err);
    if (known->machines == NULL)
        return NULL;
    for (size_t i = 0; i < count; i++)
        known->machines[i] = CATALOG_ROW(catalog, TABLE_OFFERS, machine, i);
    if (count > 0)
        qsort(known->machines, count, sizeof(void *), by_machine);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 ||
            compare_machine(known->machines[kept - 1]->provider,
                            known->machines[kept - 1]->instance, known->machines[i]) != 0)
            known->machines[kept++] = known->machines[i];
    known->machine_count = kept;
    return known;
}

/* The place of the first machine not before this one. */
static size_t machine_place(const struct feed_known *known, struct str provider,
                            struct str instance)
{
    size_t low = 0, high = known->machine_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (compare_machine(provider, instance, known->machines[middle]) > 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const struct machine *feed_machine(struct feed_known *known, struct str provider,
                                   struct str instance)
{
    size_t i = machine_place(known, provider, instance);

    if (i < known->machine_count &&
        compare_machine(provider, instance, known->machines[i]) == 0)
        return known->machines[i];
    return NULL;
}

void feed_machines(struct feed_known *known, struct str provider,
                   const struct machine *const **at, size_t *count)
{
    size_t first = machine_place(known, provider, (struct str){0}), end = first;

    while (end < known->machine_count && str_eq(known->machines[end]->provider, provider))
        end++;
    *at = known->machines + first;
    *count = end - first;
}

/* 40960 MiB, 40 GB and 39.6 GiB are one card. */
bool feed_memory_like(double feed_gib, double catalog_gb)
{
    return fabs(feed_gib - catalog_gb) <= 0.1 * catalog_gb;
}

/* Of the family, the one with this memory and, when that is given, this form. */
static const struct accelerator *of_family(const struct catalog *catalog, struct str family,
                                           double memory_gib, struct str form)
{
    for (size_t i = 0; i < catalog->tables[TABLE_ACCELERATORS].len; i++) {
        const struct accelerator *a = CATALOG_ROW(catalog, TABLE_ACCELERATORS, accelerator, i);

        if (str_eq(a->family, family) && (form.len == 0 || str_eq(a->form, form)) &&
            feed_memory_like(memory_gib, a->memory_gb))
            return a;
    }
    return NULL;
}

/* What people call "RTX6000" is a card of 24, 48 or 96 GB: the names with the memory decide. */
static const struct accelerator *by_sized_name(const struct catalog *catalog, struct str raw,
                                               double memory_gib)
{
    const struct accelerator *a;
    enum name_match match;
    char text[128];
    int len;

    if (raw.len > 80)
        return NULL;
    len = snprintf(text, sizeof text, "%.*s-%.0fGB", STR_ARG(raw), memory_gib);
    if (len < 0 || (size_t)len >= sizeof text)
        return NULL;
    a = accelerator_search(catalog, (struct str){text, (size_t)len}, &match);
    return a != NULL && feed_memory_like(memory_gib, a->memory_gb) ? a : NULL;
}

/* A name that several have meant `meant`, which has other memory: the one with this memory, of
 * the same form if there is one. */
static const struct accelerator *with_memory(const struct catalog *catalog, struct str raw,
                                             const struct accelerator *meant, double memory_gib)
{
    const struct accelerator *a = of_family(catalog, meant->family, memory_gib, meant->form);

    if (a == NULL)
        a = of_family(catalog, meant->family, memory_gib, (struct str){0});
    if (a == NULL)
        a = by_sized_name(catalog, raw, memory_gib);
    return a != NULL ? a : meant;
}

const struct accelerator *feed_form(struct feed_known *known, const struct accelerator *like,
                                    struct str form)
{
    const struct accelerator *a;

    if (str_eq(like->form, form))
        return like;
    a = of_family(known->catalog, like->family, like->memory_gb, form);
    return a != NULL ? a : like;
}

static const struct accelerator *find_meant(const struct catalog *catalog, struct str raw,
                                            double memory_gib)
{
    enum name_match match = NAME_EXACT;
    const struct accelerator *found = accelerator_search(catalog, raw, &match);

    if (found != NULL && match != NAME_EXACT && !isnan(memory_gib) &&
        !feed_memory_like(memory_gib, found->memory_gb))
        found = with_memory(catalog, raw, found, memory_gib);
    return found;
}

const struct accelerator *feed_accelerator(struct feed_known *known, struct str raw,
                                           double memory_gib)
{
    struct name_answer *place = NULL;
    size_t at = (size_t)text_hash((uint64_t)(uintptr_t)known, raw);

    if (raw.len == 0 || raw.len > NAME_MAX_KEPT)
        return find_meant(known->catalog, raw, memory_gib);
    for (size_t i = 0; i < PROBES; i++) {
        struct name_answer *n = &known->names[(at + i) & (REMEMBERED - 1)];

        if (str_eq((struct str){n->raw, n->len}, raw) &&
            (n->memory_gib == memory_gib || (isnan(n->memory_gib) && isnan(memory_gib))))
            return n->accelerator;
        if (place == NULL && n->len == 0)
            place = n;
    }
    if (place == NULL) /* all are taken: the first makes room, whatever it was */
        place = &known->names[at & (REMEMBERED - 1)];
    memcpy(place->raw, raw.at, raw.len);
    place->len = raw.len;
    place->memory_gib = memory_gib;
    place->accelerator = find_meant(known->catalog, raw, memory_gib);
    return place->accelerator;
}

/* A zone's id starts with a short form of its region. */
static const struct {
    const char *id, *region;
} aws_regions[] = {
    {"afs1", "af-south-1"},      {"ape1", "ap-east-1"},       {"ape2", "ap-east-2"},
    {"apne1", "ap-northeast-1"}, {"apne2", "ap-northeast-2"}, {"apne3", "ap-northeast-3"},
    {"aps1", "ap-south-1"},      {"aps2", "ap-south-2"},      {"apse1", "ap-southeast-1"},
    {"apse2", "ap-southeast-2"}, {"apse3", "ap-southeast-3"}, {"apse4", "ap-southeast-4"},
    {"apse5", "ap-southeast-5"}, {"apse6", "ap-southeast-6"}, {"apse7", "ap-southeast-7"},
    {"cac1", "ca-central-1"},    {"caw1", "ca-west-1"},       {"cnn1", "cn-north-1"},
    {"cnnw1", "cn-northwest-1"}, {"euc1", "eu-central-1"},    {"euc2", "eu-central-2"},
    {"eun1", "eu-north-1"},      {"eus1", "eu-south-1"},      {"eus2", "eu-south-2"},
    {"euw1", "eu-west-1"},       {"euw2", "eu-west-2"},       {"euw3", "eu-west-3"},
    {"ilc1", "il-central-1"},    {"mec1", "me-central-1"},    {"mes1", "me-south-1"},
    {"mxc1", "mx-central-1"},    {"sae1", "sa-east-1"},       {"use1", "us-east-1"},
    {"use2", "us-east-2"},       {"usge1", "us-gov-east-1"},  {"usgw1", "us-gov-west-1"},
    {"usw1", "us-west-1"},       {"usw2", "us-west-2"},
};

struct str feed_aws_region(struct str zone)
{
    for (size_t i = 0; i < ARRAY_LEN(aws_regions); i++) {
        struct str id = str_from(aws_regions[i].id), region = str_from(aws_regions[i].region);
        bool named = str_starts(zone, region) &&
                     (zone.len == region.len || is_lower(zone.at[region.len]) ||
                      zone.at[region.len] == '-'); /* a local zone: us-west-2-lax-1a */

        if (named || (str_starts(zone, id) && zone.len > id.len && zone.at[id.len] == '-'))
            return region;
    }
    return (struct str){0};
}
