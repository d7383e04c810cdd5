/* Resources and regions of Azure. */
#include <string.h>

#include "base/characters.h"
#include "bill/azure/azure.h"

/* Meters name a region by its country first: "US East 2" is eastus2, "EU West" westeurope, "DE
 * West Central" germanywestcentral. */
static const struct {
    const char *code, *country;
    bool last;
} countries[] = {
    {"us", "us", true},           {"eu", "europe", true},       {"ap", "asia", true},
    {"in", "india", true},        {"ae", "uae", false},         {"at", "austria", false},
    {"au", "australia", false},   {"be", "belgium", false},     {"br", "brazil", false},
    {"ca", "canada", false},      {"ch", "switzerland", false}, {"cl", "chile", false},
    {"cn", "china", false},       {"de", "germany", false},     {"es", "spain", false},
    {"fi", "finland", false},     {"fr", "france", false},      {"id", "indonesia", false},
    {"il", "israel", false},      {"it", "italy", false},       {"ja", "japan", false},
    {"kr", "korea", false},       {"mx", "mexico", false},      {"my", "malaysia", false},
    {"no", "norway", false},      {"nz", "newzealand", false},  {"pl", "poland", false},
    {"qa", "qatar", false},       {"se", "sweden", false},      {"tw", "taiwan", false},
    {"za", "southafrica", false},
};

static void add_lower(struct buf *out, struct str name)
{
    for (size_t i = 0; i < name.len; i++) {
        char c = name.at[i];

        if (c != ' ')
            buf_char(out, to_lower(c));
    }
}

/* Clouds of the state keep the order of words: "US Gov Virginia" is usgovvirginia. */
static bool of_state(struct str rest)
{
    struct str word = {rest.at, 4};

    return rest.len > 4 &&
           (str_eq_nocase(word, STR("gov ")) || str_eq_nocase(word, STR("dod ")) ||
            str_eq_nocase(word, STR("sec ")));
}

/* Others are the same but for case and blanks. */
static bool region_id(struct bill *bill, struct str name, struct str *out, struct error *err)
{
    struct str rest = name, code = str_cut(&rest, ' ');
    size_t n = 0, digits = rest.len;

    while (n < ARRAY_LEN(countries) && !str_eq_nocase(code, str_from(countries[n].code)))
        n++;
    buf_clear(&bill->work);
    if (n == ARRAY_LEN(countries) || rest.len == 0 || of_state(rest)) {
        add_lower(&bill->work, name);
    } else if (!countries[n].last) {
        buf_adds(&bill->work, countries[n].country);
        add_lower(&bill->work, rest);
    } else {
        while (digits > 0 && is_digit(rest.at[digits - 1]))
            digits--;
        add_lower(&bill->work, (struct str){rest.at, digits});
        buf_adds(&bill->work, countries[n].country);
        buf_add(&bill->work, (struct str){rest.at + digits, rest.len - digits});
    }
    return bill_text_work(bill, out, err);
}

/* Of ".../providers/Microsoft.Compute/virtualMachines/vm-1" the kind and the name. */
static void parts_of(struct str id, struct str *type, struct str *name)
{
    static const struct str mark = {"/providers/", 11};
    struct str rest = {0};

    for (size_t i = 0; i + mark.len <= id.len; i++)
        if (str_eq_nocase((struct str){id.at + i, mark.len}, mark))
            rest = (struct str){id.at + i + mark.len, id.len - i - mark.len};
    if (rest.len > 0) {
        struct str after = rest;

        (void)str_cut(&after, '/');
        (void)str_cut(&after, '/');
        if (after.len > 0)
            *type = (struct str){rest.at, rest.len - after.len - 1};
    }
    for (size_t i = id.len; i > 0; i--)
        if (id.at[i - 1] == '/') {
            *name = (struct str){id.at + i, id.len - i};
            return;
        }
}

struct str azure_known(struct str text)
{
    if (text.len == 0 || str_eq(text, STR("Unassigned")) || str_eq(text, STR("Unknown")))
        return (struct str){0};
    return text;
}

bool azure_place(struct bill *bill, const struct azure_state *state, const struct bill_row *row,
                 struct bill_line *out, struct error *err)
{
    struct str id = azure_known(bill_words(row, state->at[AZURE_RESOURCE]));
    struct str location = azure_known(bill_cell(row, state->at[AZURE_LOCATION]));
    struct str *of = out->of, type = {0}, name = {0};

    if (id.at == NULL)
        id = azure_known(bill_words(row, state->at[AZURE_RESOURCE_NAME]));
    parts_of(id, &type, &name);
    of[FOCUS_ResourceId] = id;
    of[FOCUS_ResourceName] = azure_known(bill_words(row, state->at[AZURE_RESOURCE_NAME]));
    if (of[FOCUS_ResourceName].at == NULL)
        of[FOCUS_ResourceName] = azure_known(name);
    of[FOCUS_ResourceType] = azure_known(bill_cell(row, state->at[AZURE_RESOURCE_TYPE]));
    if (of[FOCUS_ResourceType].at == NULL)
        of[FOCUS_ResourceType] = azure_known(type);
    of[FOCUS_AvailabilityZone] = azure_known(bill_cell(row, state->at[AZURE_ZONE]));
    if (location.at == NULL)
        location = azure_known(bill_cell(row, state->at[AZURE_METER_REGION]));
    of[FOCUS_RegionName] = location;
    return location.at == NULL || region_id(bill, location, &of[FOCUS_RegionId], err);
}
