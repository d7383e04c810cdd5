/* Opening and closing: which engine, which version. */
#include "ledger/internal.h"

#include <string.h>

#include "base/part.h"
#include "base/stop.h"

#define KEPT_BLOCK ((size_t)4096) /* a hundred statements or two */

bool ledger_none(const char *name, struct error *err)
{
    error_set(err, ERROR_ABSENT, "there is no ledger '%s' yet", name);
    error_hint(err, "'stint run -- COMMAND' makes it");
    return false;
}

static bool too_new(const struct ledger *l, int version, struct error *err)
{
    error_set(err, ERROR_DAMAGED,
              "the ledger '%s' has version %d, but this stint knows only %d", l->name, version,
              ledger_newest(l->schema));
    error_hint(err, "a newer stint wrote it: use that one, or another ledger with "
                    "--ledger FILE");
    return false;
}

/* Those who share a server are not to find their programs shut out because one of them tried a
 * newer one. */
static bool too_old(const struct ledger *l, int version, struct error *err)
{
    error_set(err, ERROR_DAMAGED, "the ledger '%s' has version %d, but this stint writes %d",
              l->name, version, ledger_newest(l->schema));
    error_hint(err, "'stint ledger init' upgrades it (administrators only); "
                    "older programs cannot use it then");
    return false;
}

static bool check_version(struct ledger *l, int version, enum ledger_mode mode,
                          struct error *err)
{
    const struct engine *engine = l->db->engine;

    l->fresh = version == 0;
    l->found = version;
    if (version > ledger_newest(l->schema))
        return too_new(l, version, err);
    if (version > 0 && version < ledger_newest(l->schema)) {
        if (engine->back_up == NULL)
            return mode == LEDGER_ADMIN || too_old(l, version, err);
        if (!ledger_migrate(l, err))
            return false;
    }
    if (l->fresh && (mode == LEDGER_READ || mode == LEDGER_CHANGE))
        return ledger_none(l->name, err); /* a run that never got so far left nothing */
    return mode == LEDGER_READ || engine->ready(l->db, l->fresh, err);
}

static const struct engine *engine_for_path(const char *path, struct error *err)
{
    return ledger_is_server(path) ? part_open("postgres", ENGINE_PART_VERSION, err)
                                  : &engine_sqlite;
}

static struct ledger *make_ledger(const struct ledger_schema *schema, const char *path,
                                  const struct clock *clock, const struct alloc *alloc,
                                  struct error *err)
{
    struct arena scratch = {.alloc = alloc};
    char *shown = ledger_shown(str_from(path), &scratch, err);
    size_t len = shown != NULL ? strlen(shown) : 0;
    size_t path_len = strlen(path);
    struct ledger *l =
        shown != NULL ? alloc->get(alloc->ctx, sizeof *l + len + path_len + 2) : NULL;

    if (l != NULL) {
        *l = (struct ledger){.schema = schema,
                             .alloc = alloc,
                             .clock = clock,
                             .name = (char *)(l + 1),
                             .path = (char *)(l + 1) + len + 1,
                             .kept = {.alloc = alloc, .block_size = KEPT_BLOCK}};
        memcpy(l + 1, shown, len + 1);
        memcpy((char *)(l + 1) + len + 1, path, path_len + 1);
    } else if (shown != NULL) {
        (void)error_memory(err);
    }
    arena_free(&scratch);
    return l;
}

struct ledger *ledger_open_as(const struct ledger_schema *schema, const char *path,
                              enum ledger_mode mode, span patience, const struct clock *clock,
                              const struct alloc *alloc, struct error *err)
{
    const struct engine *engine =
        ledger_address_check(str_from(path), err) ? engine_for_path(path, err) : NULL;
    struct ledger *l = engine != NULL ? make_ledger(schema, path, clock, alloc, err) : NULL;
    int version = 0;

    if (l == NULL)
        return NULL;
    l->db =
        engine->open(&(struct engine_options){path, l->name, mode, patience, alloc, stop_asked},
                     &version, err);
    if (l->db != NULL && check_version(l, version, mode, err))
        return l;
    ledger_close(l);
    return NULL;
}

struct ledger *ledger_open(const char *path, enum ledger_mode mode, span patience,
                           const struct clock *clock, const struct alloc *alloc,
                           struct error *err)
{
    return ledger_open_as(&ledger_schema, path, mode, patience, clock, alloc, err);
}

void ledger_close(struct ledger *l)
{
    if (l == NULL)
        return;
    if (l->db != NULL) {
        for (const struct ledger_asked *a = l->asked; a != NULL; a = a->next)
            l->db->engine->free(a->query);
        l->db->engine->close(l->db);
    }
    arena_free(&l->kept);
    l->alloc->put(l->alloc->ctx, l);
}

bool ledger_mark(struct ledger *l, uint64_t *out, struct error *err)
{
    return l->db->engine->mark(l->db, out, err);
}

void ledger_patience(struct ledger *l, span patience)
{
    l->db->engine->patience(l->db, patience);
}

static bool upgrade_tables(struct ledger *l, struct ledger_roles *roles, int *before, int *now,
                           struct error *err)
{
    const struct engine *engine = l->db->engine;

    /* Without other writers: another may have done it since this was opened. */
    return ledger_version(l, before, err) && ledger_step_up(l, err) &&
           ledger_version(l, now, err) &&
           (!roles->asked || engine->make_roles(l->db, roles, err));
}

bool ledger_init(struct ledger *l, struct ledger_roles *roles, int *before, int *now,
                 struct error *err)
{
    const struct engine *engine = l->db->engine;

    if (roles->asked && engine->make_roles == NULL) {
        error_set(err, ERROR_USAGE, "the ledger '%s' is a file: it has no roles", l->name);
        error_hint(err, "its owner's rights hold; a team's ledger is at "
                        "--ledger postgres://HOST/DATABASE");
        return false;
    }
    if (!engine->begin(l->db, ENGINE_ALONE, err))
        return false;
    if (!ledger_finish(l, upgrade_tables(l, roles, before, now, err), err))
        return false;
    if (l->found > 0) /* a file was upgraded when it was opened */
        *before = l->found;
    return true;
}
