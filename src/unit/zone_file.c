/* Time zones by name, from the files of this machine. */
#include "unit/zone.h"

#include <limits.h>
#include <stdio.h>

#include "base/fs.h"

#define FOLDER "/usr/share/zoneinfo"

static bool absent(struct str name, struct error *err)
{
    error_set(err, ERROR_INPUT, "there is no time zone '%.*s'", STR_ARG(name));
    error_hint(err, "use a name from the tz database, such as Europe/Berlin; 'ls " FOLDER
                    "' lists them (package tzdata)");
    return false;
}

bool zone_named(struct str name, struct arena *arena, struct zone *out, struct error *err)
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
    if (!fs_read(path, ZONE_FILE_MAX, arena, &file, err))
        return (err->kind == ERROR_ABSENT || err->kind == ERROR_INPUT) && absent(name, err);
    if (zone_read(file, arena, out, err))
        return true;
    error_context(err, "%s", path);
    return false;
}
