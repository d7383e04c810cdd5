/* Which regions to ask about. */
#include "base/characters.h"
#include "market/fetch_internal.h"

/* Names of regions become parts of addresses: nothing else may hide in them. */
static bool is_plain(struct str name)
{
    for (size_t i = 0; i < name.len; i++)
        if (!(is_lower(name.at[i]) || is_digit(name.at[i]) || name.at[i] == '-'))
            return false;
    return name.len > 0 && name.len <= 64;
}

/* Add a region once. */
static void add_region(struct str *list, size_t *count, struct str region)
{
    for (size_t i = 0; i < *count; i++)
        if (str_eq(list[i], region))
            return;
    list[(*count)++] = region;
}

/* The regions of the catalog that match; a plain name counts even when the catalog is too old
 * to know it. */
static bool match_regions(const struct fetch *fetch, struct str pattern, struct str *list,
                          size_t *count, struct error *err)
{
    const struct catalog *catalog = fetch->ctx->catalog;
    struct str provider = str_from(fetch->provider->name);
    size_t matched = 0;

    for (size_t i = 0; i < catalog->tables[TABLE_REGIONS].len; i++) {
        const struct region *r = CATALOG_ROW(catalog, TABLE_REGIONS, region, i);

        if (!str_eq(r->provider, provider) || !str_glob(r->region, pattern))
            continue;
        add_region(list, count, r->region);
        matched++;
    }
    if (matched == 0 && !is_plain(pattern)) {
        error_set(err, ERROR_ABSENT, "%s: no region matches '%.*s'", fetch->provider->name,
                  STR_ARG(pattern));
        error_hint(err, "'stint region list' shows the regions");
        return false;
    }
    if (matched == 0)
        add_region(list, count, pattern);
    return true;
}

bool fetch_regions(struct fetch *fetch, const char *const *usual, struct strs *out,
                   struct error *err)
{
    const struct strs *asked = &fetch->request->regions;
    size_t usual_count = 0, count = 0;
    struct str *list;

    while (usual[usual_count] != NULL)
        usual_count++;
    list = arena_array(
        &fetch->arena, struct str,
        fetch->ctx->catalog->tables[TABLE_REGIONS].len + asked->len + usual_count + 1, err);
    if (list == NULL)
        return false;
    for (size_t i = 0; asked->len == 0 && i < usual_count; i++)
        list[count++] = str_from(usual[i]);
    for (size_t i = 0; i < asked->len; i++)
        if (!match_regions(fetch, asked->at[i], list, &count, err))
            return false;
    *out = (struct strs){list, count};
    return true;
}
