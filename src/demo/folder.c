/* The folder of a demo, and the mark of its ledger. */
#include <dirent.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "demo/demo.h"
#include "ledger/budgets.h"

#define DOCUMENT "demo"
#define PATIENCE ((span){5 * SECOND})

bool demo_mark(struct ledger *ledger, stamp now, struct error *err)
{
    return ledger_document_put(ledger, DOCUMENT, STR("made by 'stint demo'"), STR("demo"), now,
                               err);
}

bool demo_is(struct ledger *ledger, struct arena *arena)
{
    struct error ignored = {0};
    struct str text;
    stamp changed;

    return ledger_document(ledger, DOCUMENT, arena, &text, &changed, &ignored) && text.len > 0;
}

static bool has_demo(const char *ledger, const struct clock *clock, struct arena *arena)
{
    struct error ignored = {0};
    struct ledger *opened = fs_exists(ledger) ? ledger_open(ledger, LEDGER_READ, PATIENCE,
                                                            clock, arena->alloc, &ignored)
                                              : NULL;
    bool marked = opened != NULL && demo_is(opened, arena);

    ledger_close(opened);
    return marked;
}

static bool is_empty_folder(const char *path)
{
    DIR *dir = opendir(path);
    const struct dirent *entry;
    bool empty = dir != NULL;

    while (empty && (entry = readdir(dir)) != NULL)
        empty = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
    if (dir != NULL)
        (void)closedir(dir);
    return empty;
}

static bool remove_ledger(const char *folder, struct arena *arena, struct error *err)
{
    static const char *const files[] = {"ledger.db", "ledger.db-wal", "ledger.db-shm",
                                        "ledger.db-journal"};

    for (size_t i = 0; i < ARRAY_LEN(files); i++) {
        const char *path = fs_join(folder, files[i], arena, err);

        if (path == NULL)
            return false;
        (void)unlink(path);
    }
    return true;
}

bool demo_claim_folder(const char *folder, const char *ledger, bool force,
                       const struct clock *clock, struct arena *arena, struct error *err)
{
    bool made;

    if (!fs_exists(folder) || is_empty_folder(folder))
        return fs_make_output_folder(folder, &made, err);
    if (!has_demo(ledger, clock, arena)) {
        error_set(err, ERROR_FAILED, "'%s' exists and is not a demo: nothing was written",
                  folder);
        error_hint(err, "name a new folder: 'stint demo other-folder'");
        return false;
    }
    if (!force) {
        error_set(err, ERROR_FAILED, "'%s' has a demo already", folder);
        error_hint(err, "'stint demo --force' makes it new; 'rm -r' removes it");
        return false;
    }
    return remove_ledger(folder, arena, err);
}
