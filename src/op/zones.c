#include "op/zones.h"

#include <limits.h>

#include "base/fs.h"

#define FOLDER "/usr/share/zoneinfo"

static bool absent(struct str name, struct error *err)
{
    error_set(err, ERROR_INPUT, "there is no time zone '%.*s'", STR_ARG(name));
    error_hint(err, "give a name of the tz database, such as Europe/Berlin; 'ls " FOLDER
                    "' shows them (package tzdata)");
    return false;
}

bool op_zone(struct op_context *ctx, struct str name, struct zone *out, struct error *err)
{
    const char *folder = env_get("TZDIR");
    char path[PATH_MAX];
    struct str file;

    *out = (struct zone){0};
    if (name.len == 0 || str_eq(name, STR("UTC")))
        return true;
    if (!zone_name_ok(name))
        return absent(name, err);
    if (snprintf(path, sizeof path, "%s/%.*s", folder != NULL ? folder : FOLDER, (int)name.len,
                 name.at) >= (int)sizeof path)
        return absent(name, err);
    if (!fs_read(path, ZONE_FILE_MAX, ctx->arena, &file, err))
        return (err->kind == ERROR_ABSENT || err->kind == ERROR_INPUT) && absent(name, err);
    if (zone_read(file, ctx->arena, out, err))
        return true;
    error_context(err, "%s", path);
    return false;
}
