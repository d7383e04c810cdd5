#include "market/areas.h"

#include "base/buf.h"
#include "catalog/allowed.h"

enum continent {
    AFRICA,
    ASIA,
    EUROPE,
    EEA, /* a part of Europe */
    MIDDLE_EAST,
    NORTH_AMERICA,
    OCEANIA,
    SOUTH_AMERICA,
};

static const struct {
    const char *name;
    enum continent continent;
} continents[] = {
    {"africa", AFRICA},
    {"asia", ASIA},
    {"eea", EEA},
    {"eu", EEA},
    {"europe", EUROPE},
    {"european union", EEA},
    {"middle-east", MIDDLE_EAST},
    {"middle east", MIDDLE_EAST},
    {"na", NORTH_AMERICA},
    {"north-america", NORTH_AMERICA},
    {"north america", NORTH_AMERICA},
    {"oceania", OCEANIA},
    {"south-america", SOUTH_AMERICA},
    {"south america", SOUTH_AMERICA},
};

/* Countries that regions are in. Who asks for "EU" means where its law on data holds: the
 * European Economic Area, with Norway and without the United Kingdom and Switzerland. */
static const struct {
    const char *code, *name;
    enum continent continent;
} countries[] = {
    {"AE", "United Arab Emirates", MIDDLE_EAST},
    {"AR", "Argentina", SOUTH_AMERICA},
    {"AT", "Austria", EEA},
    {"AU", "Australia", OCEANIA},
    {"BD", "Bangladesh", ASIA},
    {"BE", "Belgium", EEA},
    {"BG", "Bulgaria", EEA},
    {"BH", "Bahrain", MIDDLE_EAST},
    {"BR", "Brazil", SOUTH_AMERICA},
    {"CA", "Canada", NORTH_AMERICA},
    {"CH", "Switzerland", EUROPE},
    {"CL", "Chile", SOUTH_AMERICA},
    {"CN", "China", ASIA},
    {"CO", "Colombia", SOUTH_AMERICA},
    {"CZ", "Czechia", EEA},
    {"DE", "Germany", EEA},
    {"DK", "Denmark", EEA},
    {"EE", "Estonia", EEA},
    {"EG", "Egypt", AFRICA},
    {"ES", "Spain", EEA},
    {"FI", "Finland", EEA},
    {"FR", "France", EEA},
    {"GB", "United Kingdom", EUROPE},
    {"GR", "Greece", EEA},
    {"HK", "Hong Kong", ASIA},
    {"HR", "Croatia", EEA},
    {"HU", "Hungary", EEA},
    {"ID", "Indonesia", ASIA},
    {"IE", "Ireland", EEA},
    {"IL", "Israel", MIDDLE_EAST},
    {"IN", "India", ASIA},
    {"IS", "Iceland", EEA},
    {"IT", "Italy", EEA},
    {"JP", "Japan", ASIA},
    {"KE", "Kenya", AFRICA},
    {"KR", "South Korea", ASIA},
    {"KZ", "Kazakhstan", ASIA},
    {"LT", "Lithuania", EEA},
    {"LU", "Luxembourg", EEA},
    {"LV", "Latvia", EEA},
    {"MA", "Morocco", AFRICA},
    {"MK", "North Macedonia", EUROPE},
    {"MX", "Mexico", NORTH_AMERICA},
    {"MY", "Malaysia", ASIA},
    {"NG", "Nigeria", AFRICA},
    {"NL", "Netherlands", EEA},
    {"NO", "Norway", EEA},
    {"NZ", "New Zealand", OCEANIA},
    {"PE", "Peru", SOUTH_AMERICA},
    {"PH", "Philippines", ASIA},
    {"PK", "Pakistan", ASIA},
    {"PL", "Poland", EEA},
    {"PT", "Portugal", EEA},
    {"QA", "Qatar", MIDDLE_EAST},
    {"RO", "Romania", EEA},
    {"RS", "Serbia", EUROPE},
    {"RU", "Russia", EUROPE},
    {"SA", "Saudi Arabia", MIDDLE_EAST},
    {"SE", "Sweden", EEA},
    {"SG", "Singapore", ASIA},
    {"SI", "Slovenia", EEA},
    {"SK", "Slovakia", EEA},
    {"TH", "Thailand", ASIA},
    {"TR", "Turkey", MIDDLE_EAST},
    {"TW", "Taiwan", ASIA},
    {"UA", "Ukraine", EUROPE},
    {"US", "United States", NORTH_AMERICA},
    {"VN", "Vietnam", ASIA},
    {"ZA", "South Africa", AFRICA},
};

static bool has_continent(enum continent wanted, enum continent of)
{
    return of == wanted || (wanted == EUROPE && of == EEA);
}

static bool is_in_continent(struct str country, struct str name)
{
    for (size_t i = 0; i < ARRAY_LEN(continents); i++) {
        if (!str_eq_nocase(name, str_from(continents[i].name)))
            continue;
        for (size_t k = 0; k < ARRAY_LEN(countries); k++)
            if (str_eq(country, str_from(countries[k].code)))
                return has_continent(continents[i].continent, countries[k].continent);
    }
    return false;
}

/* Is the country the one of this name, or in the continent of this name? */
static bool is_in_area(struct str country, struct str name)
{
    bool usa = str_eq_nocase(name, STR("usa")) && str_eq(country, STR("US"));
    bool uk = str_eq_nocase(name, STR("uk")) && str_eq(country, STR("GB"));

    if (country.len == 0 || is_in_continent(country, name) || usa || uk)
        return country.len > 0;
    if (str_eq_nocase(country, name))
        return true;
    for (size_t i = 0; i < ARRAY_LEN(countries); i++)
        if (str_eq(country, str_from(countries[i].code)))
            return str_eq_nocase(name, str_from(countries[i].name));
    return false;
}

static bool is_region_listed(const struct str *list, size_t count, struct str name)
{
    for (size_t i = 0; i < count; i++)
        if (str_eq(list[i], name))
            return true;
    return false;
}

/* The regions of an area, with "!" before each where it is denied. False: out of memory. */
static bool add_area(const struct catalog *catalog, struct str pattern, struct arena *arena,
                     struct str *list, size_t *count, struct error *err)
{
    const struct rows *table = &catalog->tables[TABLE_REGIONS];
    struct str name = pattern;
    bool denies = allowed_denies(&name);
    size_t first = *count;

    for (size_t i = 0; i < table->len; i++) {
        const struct region *row = CATALOG_ROW(catalog, TABLE_REGIONS, region, i);
        struct str found = row->region;

        if (!is_in_area(row->country, name) || str_eq(row->region, STR("*")))
            continue;
        if (denies) {
            struct buf text = buf_new(arena->alloc, 256);

            buf_addf(&text, "!%.*s", STR_ARG(row->region));
            if (!buf_keep(&text, arena, &found, err))
                return false;
        }
        if (!is_region_listed(list + first, *count - first, found))
            list[(*count)++] = found;
    }
    if (*count == first)
        list[(*count)++] = pattern; /* no area: a region, or a pattern of some */
    return true;
}

bool areas_expand(const struct catalog *catalog, struct strs patterns, struct arena *arena,
                  struct strs *out, struct error *err)
{
    size_t most = patterns.len * (catalog->tables[TABLE_REGIONS].len + 1);
    struct str *list = patterns.len > 0 ? arena_array(arena, struct str, most, err) : NULL;
    size_t count = 0;

    *out = patterns;
    if (patterns.len == 0)
        return true;
    if (list == NULL)
        return false;
    for (size_t i = 0; i < patterns.len; i++)
        if (!add_area(catalog, patterns.at[i], arena, list, &count, err))
            return false;
    *out = (struct strs){list, count};
    return true;
}
