#include "base/part.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"

#ifndef STINT_PARTS_DIR
#define STINT_PARTS_DIR "/usr/local/lib/stint"
#endif

/* `parts/` beside the file that this code was loaded from: the program, or libstint. */
static bool beside_us(char *folder, size_t room)
{
    static const char marker = 0;
    Dl_info info;
    const char *slash;
    ssize_t len;
    char self[4096];

    if (dladdr(&marker, &info) == 0 || info.dli_fname == NULL)
        return false;
    if (strstr(info.dli_fname, ".so") != NULL) {
        (void)snprintf(self, sizeof self, "%s", info.dli_fname);
    } else { /* a program's own name may be relative to a folder we have left */
        len = readlink("/proc/self/exe", self, sizeof self - 1);
        if (len < 0)
            return false;
        self[len] = '\0';
    }
    slash = strrchr(self, '/');
    if (slash == NULL)
        return false;
    (void)snprintf(folder, room, "%.*s/parts", (int)(slash - self), self);
    return true;
}

static bool find(const char *name, char *path, size_t room)
{
    char folder[4096];
    const char *given = env_get("STINT_PARTS");

    if (given != NULL) {
        (void)snprintf(path, room, "%s/%s.so", given, name);
        return fs_exists(path);
    }
    if (beside_us(folder, sizeof folder)) {
        int len = snprintf(path, room, "%s/%s.so", folder, name);

        if (len > 0 && (size_t)len < room && fs_exists(path))
            return true;
    }
    (void)snprintf(path, room, "%s/%s.so", STINT_PARTS_DIR, name);
    return fs_exists(path);
}

const void *part_open(const char *name, unsigned version, struct error *err)
{
    const struct part *part;
    char path[4096];
    void *handle;

    if (!find(name, path, sizeof path)) {
        error_set(err, ERROR_FAILED, "the part '%s' of Stint is not installed", name);
        error_hint(err, "install it with './dev install', or set STINT_PARTS to its folder");
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
        error_hint(err, "install the program and its parts together: './dev install'");
        (void)dlclose(handle);
        return NULL;
    }
    return part->functions;
}
