/* Manifests that are kept of folders which nobody asks for any more. */
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "data/manifest.h"

#define SCANS_MOST 20 /* one or two are added at a time */

/* The one that was written the longest ago, and how many there are. */
static size_t find_oldest_kept(DIR *dir, size_t digits, char oldest[static NAME_MAX + 1])
{
    const struct dirent *entry;
    int64_t when = INT64_MAX;
    size_t count = 0;
    struct stat st;

    rewinddir(dir);
    while ((entry = readdir(dir)) != NULL) {
        if (strlen(entry->d_name) != digits ||
            strspn(entry->d_name, "0123456789abcdef") != digits ||
            fstatat(dirfd(dir), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0 ||
            !S_ISREG(st.st_mode))
            continue;
        count++;
        if (st.st_mtim.tv_sec >= when)
            continue;
        when = st.st_mtim.tv_sec;
        memcpy(oldest, entry->d_name, digits + 1);
    }
    return count;
}

void manifest_forget_old(const char *folder, size_t name_digits)
{
    DIR *dir = name_digits <= NAME_MAX ? opendir(folder) : NULL;
    char oldest[NAME_MAX + 1] = "";

    if (dir == NULL)
        return;
    for (int i = 0; i < SCANS_MOST; i++)
        if (find_oldest_kept(dir, name_digits, oldest) <= MANIFESTS_KEPT ||
            unlinkat(dirfd(dir), oldest, 0) != 0)
            break;
    (void)closedir(dir);
}
