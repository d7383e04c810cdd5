#include "base/part.h"

#include <dlfcn.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"

#ifndef STINT_PARTS_DIR
#define STINT_PARTS_DIR "/usr/local/lib/stint"
#endif
/* How packages of one part are named before the part's own name; empty where there are none. */
#ifndef STINT_PART_PACKAGES
#define STINT_PART_PACKAGES ""
#endif

/* The folder of the file that this code was loaded from, the program or libstint; empty when
 * that is not known. */
static char our_folder[PATH_MAX];

/* Where parts are, from our folder: in a build, beside an installed library, in a prefix (which
 * may have been moved), and in a Python package, whose program is installed in `bin`, beside
 * `lib` or, by `pip install --target`, beside the package. */
static const char *const part_folders[] = {"parts/", "stint/", "../lib/stint/",
                                           "../lib*/python3*/*-packages/stint/lib/parts/",
                                           "../stint/lib/parts/"};

/* Libraries that a system may lack, and the packages that have them. */
static const struct {
    const char *part, *packages;
} library_packages[] = {
    {"postgres", "libpq5 (Debian, Ubuntu), libpq (Fedora, Red Hat), postgresql-libs (Arch)"},
    {"raster", "librsvg2-2 (Debian, Ubuntu), librsvg2 (Fedora, Red Hat), librsvg (Arch)"},
    {"images",
     "libspng0, libjpeg62-turbo, libwebp7 and libwebpmux3 (Debian), libspng, libjpeg-turbo "
     "and libwebp (Fedora, Arch)"},
    {"http", "libgnutls30 (Debian, Ubuntu), gnutls (Fedora, Red Hat, Arch)"},
};

/* While it is loaded: a library's name may be relative to the working folder of that moment,
 * and code must never come from the folder that happens to be the working one later. */
__attribute__((constructor)) static void find_our_folder(void)
{
    static const char marker = 0;
    char self[PATH_MAX];
    char *slash;
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
    *slash = '\0';
    memcpy(our_folder, self, (size_t)(slash - self) + 1);
}

/* Add the existing files NAME.so of FOLDER/PATTERN to `found`. In a folder's own name nothing
 * is a pattern. */
static bool add_found_part(glob_t *found, const char *folder, const char *pattern,
                           const char *name, struct error *err)
{
    char text[2 * PATH_MAX];
    size_t used = 0;
    int rest;

    for (const char *at = folder; *at != '\0'; at++) {
        if (used + 2 >= sizeof text)
            return true;
        if (strchr("*?[]\\", *at) != NULL)
            text[used++] = '\\';
        text[used++] = *at;
    }
    rest = snprintf(text + used, sizeof text - used, "/%s%s.so", pattern, name);
    if (rest <= 0 || (size_t)rest >= sizeof text - used ||
        glob(text, found->gl_pathc > 0 ? GLOB_APPEND : 0, NULL, found) != GLOB_NOSPACE)
        return true;
    return error_memory(err);
}

/* The files that may be the part, the best first. */
static bool find_part_file(const char *name, glob_t *found, struct error *err)
{
    const char *given = env_get("STINT_PARTS");

    if (given != NULL)
        return add_found_part(found, given, "", name, err);
    for (size_t i = 0; our_folder[0] != '\0' && i < ARRAY_LEN(part_folders); i++)
        if (!add_found_part(found, our_folder, part_folders[i], name, err))
            return false;
    return add_found_part(found, STINT_PARTS_DIR, "", name, err);
}

static const char *packages_of(const char *part)
{
    for (size_t i = 0; i < ARRAY_LEN(library_packages); i++)
        if (strcmp(library_packages[i].part, part) == 0)
            return library_packages[i].packages;
    return NULL;
}

/* The loader's message names the library that is missing: "libpq.so.5: cannot open ...". */
static void refuse_to_load(const char *name, const char *path, struct error *err)
{
    const char *message = dlerror();
    const char *packages = packages_of(name);
    const char *colon;

    if (message == NULL)
        message = "unknown problem";
    colon = strstr(message, ": cannot open shared object file");
    if (colon == NULL || message[0] == '/') { /* not a library that was looked for */
        error_set(err, ERROR_FAILED, "cannot load '%s': %s", path, message);
        return;
    }
    error_set(err, ERROR_FAILED, "the part '%s' of Stint needs %.*s, which is not installed",
              name, (int)(colon - message), message);
    if (packages != NULL)
        error_hint(err, "install the package %s", packages);
}

static const void *open_part_file(const char *name, const char *path, unsigned version,
                                  struct error *err)
{
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const struct part *part;

    if (handle == NULL) {
        refuse_to_load(name, path, err);
        return NULL;
    }
    part = dlsym(handle, "stint_part");
    if (part == NULL || strcmp(part->name, name) != 0 || part->version != version) {
        error_set(err, ERROR_FAILED, "'%s' belongs to another version of Stint", path);
        error_hint(err, "install the program and its parts together");
        (void)dlclose(handle);
        return NULL;
    }
    return part->functions;
}

/* A package does not help those who named a folder. */
static void refuse_missing(const char *name, struct error *err)
{
    error_set(err, ERROR_FAILED, "the part '%s' of Stint is not installed", name);
    if (STINT_PART_PACKAGES[0] != '\0' && env_get("STINT_PARTS") == NULL)
        error_hint(err, "install the package '%s%s'", STINT_PART_PACKAGES, name);
    else
        error_hint(err, "install Stint again, or set STINT_PARTS to the folder of its parts");
}

const void *part_open(const char *name, unsigned version, struct error *err)
{
    const void *functions = NULL;
    struct error trouble = {0}; /* the last one's; another version may be installed elsewhere */
    glob_t found = {0};

    refuse_missing(name, &trouble);
    if (!find_part_file(name, &found, err)) {
        globfree(&found);
        return NULL;
    }
    for (size_t i = 0; functions == NULL && i < found.gl_pathc; i++)
        functions = open_part_file(name, found.gl_pathv[i], version, &trouble);
    globfree(&found);
    if (functions == NULL)
        *err = trouble;
    return functions;
}

bool part_folder(char *to, size_t room, struct error *err)
{
    char real[PATH_MAX];
    char *slash = NULL;
    glob_t found = {0};

    bool ok = find_part_file("compress", &found, err);

    if (ok && found.gl_pathc > 0 && realpath(found.gl_pathv[0], real) != NULL)
        slash = strrchr(real, '/');
    if (slash != NULL)
        *slash = '\0';
    (void)snprintf(to, room, "%s", slash != NULL ? real : STINT_PARTS_DIR);
    globfree(&found);
    return ok;
}
