#include "base/part.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"

#ifndef STINT_PARTS_DIR
#define STINT_PARTS_DIR "/usr/local/lib/stint"
#endif
#ifndef STINT_PART_PACKAGES
#define STINT_PART_PACKAGES ""
#endif

/* How the packages of parts are named before the part's own name; empty where there are none. A
 * package does not help those who named a folder. */
static const char *part_packages(void)
{
    return env_get("STINT_PARTS") == NULL ? STINT_PART_PACKAGES : "";
}

/* `parts/` beside the file that this code was loaded from, the program or libstint; empty when
 * that is not known. */
static char beside_us[PATH_MAX];

/* While it is loaded: a library's name may be relative to the working folder of that moment,
 * and code must never come from the folder that happens to be the working one later. */
__attribute__((constructor)) static void find_beside_us(void)
{
    static const char marker = 0;
    char self[PATH_MAX];
    const char *slash;
    ssize_t len;
    Dl_info info;

    if (dladdr(&marker, &info) == 0 || info.dli_fname == NULL)
        return;
    if (strstr(info.dli_fname, ".so") != NULL) {
        if (realpath(info.dli_fname, self) == NULL)
            return;
    } else {
        len = readlink("/proc/self/exe", self, sizeof self - 1);
        if (len <= 0)
            return;
        self[len] = '\0';
    }
    slash = strrchr(self, '/');
    if (slash == NULL)
        return;
    if (snprintf(beside_us, sizeof beside_us, "%.*s/parts", (int)(slash - self), self) >=
        (int)sizeof beside_us)
        beside_us[0] = '\0';
}

static bool find_part(const char *name, char *path, size_t room)
{
    const char *given = env_get("STINT_PARTS");

    if (given != NULL) {
        (void)snprintf(path, room, "%s/%s.so", given, name);
        return fs_exists(path);
    }
    if (beside_us[0] != '\0') {
        int len = snprintf(path, room, "%s/%s.so", beside_us, name);

        if (len > 0 && (size_t)len < room && fs_exists(path))
            return true;
    }
    (void)snprintf(path, room, "%s/%s.so", STINT_PARTS_DIR, name);
    return fs_exists(path);
}

const void *part_open(const char *name, unsigned version, struct error *err)
{
    const char *packages = part_packages();
    const struct part *part;
    char path[4096];
    void *handle;

    if (!find_part(name, path, sizeof path)) {
        error_set(err, ERROR_FAILED, "the part '%s' of Stint is not installed", name);
        if (packages[0] != '\0')
            error_hint(err, "install the package '%s%s'", packages, name);
        else
            error_hint(err,
                       "install it with './dev install', or set STINT_PARTS to its folder");
        return NULL;
    }
    handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) {
        error_set(err, ERROR_FAILED, "cannot load '%s': %s", path, dlerror());
        return NULL;
    }
    part = dlsym(handle, "stint_part");
    if (part == NULL || strcmp(part->name, name) != 0 || part->version != version) {
        error_set(err, ERROR_FAILED, "'%s' is of another version of Stint", path);
        if (packages[0] != '\0')
            error_hint(err, "install the same version of all packages of Stint");
        else
            error_hint(err, "install the program and its parts together: './dev install'");
        (void)dlclose(handle);
        return NULL;
    }
    return part->functions;
}
