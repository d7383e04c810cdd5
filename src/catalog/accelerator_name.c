/* GPUs as users type them: "H100", "H100x8". */
#include "base/characters.h"
#include "base/num.h"
#include "catalog/catalog.h"

#define MAX_GPUS 1000000

const char *const accelerator_options[] = {"gpu", "gpus", "on", NULL};

static bool is_times(char c)
{
    return c == 'x' || c == 'X' || c == '*' || c == ':';
}

/* "H100x8", "H100:8", "H100*8" and "8xH100" in two: the name and the digits. */
static bool cut_count(struct str text, struct str *name, struct str *digits)
{
    size_t end = text.len, start = 0;

    while (end > 0 && is_digit(text.at[end - 1]))
        end--;
    while (start < text.len && is_digit(text.at[start]))
        start++;
    if (end > 0 && end < text.len && is_times(text.at[end - 1])) {
        *digits = (struct str){text.at + end, text.len - end};
        *name = str_trim((struct str){text.at, end - 1});
    } else if (start > 0 && start < text.len && is_times(text.at[start])) {
        *digits = (struct str){text.at, start};
        *name = str_trim((struct str){text.at + start + 1, text.len - start - 1});
    } else {
        return false;
    }
    return name->len > 0;
}

const struct accelerator *accelerator_typed(const struct catalog *catalog, struct str name,
                                            const struct messages *messages, struct error *err)
{
    enum name_match match;
    const struct accelerator *a = accelerator_find(catalog, name, &match, err);

    if (a != NULL && match == NAME_FAMILY && messages != NULL)
        message_note(messages, "'%.*s' means %.*s, the %s with the most memory", STR_ARG(name),
                     STR_ARG(a->name), str_eq(a->form, STR("SXM")) ? "SXM form" : "form");
    return a;
}

bool accelerator_count(const struct catalog *catalog, struct str text, struct str *name,
                       int64_t *count, struct error *err)
{
    struct str digits;
    enum name_match match;

    *name = text;
    *count = 1;
    if (accelerator_search(catalog, text, &match) != NULL || !cut_count(text, name, &digits))
        return true;
    if (num_int(digits, count) && *count >= 1 && *count <= MAX_GPUS)
        return true;
    error_set(err, ERROR_USAGE, "'%.*s' is not a number of GPUs from 1 to %d", STR_ARG(digits),
              MAX_GPUS);
    error_hint(err, "write the GPU, an x and how many: H100x8");
    return false;
}
