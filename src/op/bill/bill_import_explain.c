/* What a file is, when it is no bill. */
#include <string.h>

#include "catalog/catalog.h"
#include "feed/feed.h"
#include "op/bill/bill_import.h"

/* Files that others are packed in, by their first bytes. */
static const char *archive_of(struct str head)
{
    static const struct {
        struct str start;
        const char *name;
    } known[] = {
        {{"BZh", 3}, "packed with bzip2"},
        {{"7z\274\257", 4}, "a 7z archive"},
        {{"Rar!", 4}, "a rar archive"},
        {{"\037\235", 2}, "packed with compress"},
    };

    for (size_t i = 0; i < ARRAY_LEN(known); i++)
        if (str_starts(head, known[i].start))
            return known[i].name;
    if (head.len > 262 && memcmp(head.at + 257, "ustar", 5) == 0)
        return "a tar archive";
    return NULL;
}

void import_explain(const struct import_work *w, struct str head, struct error *err)
{
    const char *archive = archive_of(head);
    enum catalog_table table;

    if (err->kind != ERROR_INPUT)
        return;
    if (archive != NULL) {
        error_set(err, ERROR_INPUT, "this is %s, which is not read", archive);
        error_hint(err, "unpack it first, and import what was in it");
    } else if (feed_format_of(head) != NULL || catalog_table_of(head, &table)) {
        error_set(err, ERROR_INPUT, "this is a price list, not a bill");
        error_hint(err, "stint price import %.200s", w->now->path);
    } else if (str_starts(head, STR("id,name,state,started_utc"))) {
        error_set(err, ERROR_INPUT, "this is a list of runs, not a bill");
        error_hint(err, "runs are recorded by 'stint run', or entered by 'stint runs add'");
    }
}
