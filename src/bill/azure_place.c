/* Resources and regions of Azure. */
#include <string.h>

#include "bill/azure.h"

/* "US East 2" is how old exports call eastus2; others are the same but for case and blanks. */
static bool region_id(struct bill *bill, struct str name, struct str *out, struct error *err)
{
    bool american = name.len > 3 && str_eq_nocase((struct str){name.at, 3}, STR("us "));
    size_t last = name.len;

    if (american) {
        name = (struct str){name.at + 3, name.len - 3};
        last = name.len;
        while (last > 0 && name.at[last - 1] >= '0' && name.at[last - 1] <= '9')
            last--;
    }
    buf_clear(&bill->work);
    for (size_t i = 0; i <= name.len; i++) {
        char c = i < name.len ? name.at[i] : ' ';

        if (american && i == last)
            buf_adds(&bill->work, "us");
        if (c >= 'A' && c <= 'Z')
            c = (char)(c - 'A' + 'a');
        if (c != ' ')
            buf_char(&bill->work, c);
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
