/* The parts of a sweep that was done in shards, put together. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/fs.h"
#include "base/journal.h"
#include "base/num.h"
#include "op/spot/simulate_sweep.h"

#define NAMED_MAX 8 /* parts that an error names */

struct gathering {
    const struct sweep *sweep;
    struct sweep_reading reading;
    const char *folder;
    struct str header;
    bool *there;           /* [SWEEP_SHARDS_MAX + 1] by the number of the part */
    size_t highest, count; /* number; parts */
};

/* The number of "part-12"; 0: it is no part. */
static size_t part_number(struct str name)
{
    int64_t number;

    if (!str_starts(name, STR("part-")))
        return 0;
    name.at += 5;
    name.len -= 5;
    return num_int(name, &number) && number > 0 && number <= SWEEP_SHARDS_MAX ? (size_t)number
                                                                              : 0;
}

static bool take_part(struct gathering *g, const char *name, struct error *err)
{
    struct arena *arena = g->sweep->ctx->arena;
    size_t number = part_number(str_from(name));
    char *path;

    if (number == 0)
        return true;
    path = fs_join(g->folder, name, arena, err);
    g->there[number] = true;
    g->highest = number > g->highest ? number : g->highest;
    g->count++;
    return path != NULL && journal_read(path, g->header, sweep_record_size(g->sweep),
                                        (struct journal_reader){sweep_take_record, &g->reading},
                                        arena->alloc, err);
}

static bool take_folder(struct gathering *g, struct error *err)
{
    DIR *dir = opendir(g->folder);
    const struct dirent *entry;
    bool ok = true;

    if (dir == NULL) {
        int reason = errno;

        error_system(err, reason, "cannot read the folder '%s'", g->folder);
        if (reason == ENOENT || reason == ENOTDIR)
            err->kind = ERROR_ABSENT;
        return false;
    }
    while (ok && (entry = readdir(dir)) != NULL)
        ok = take_part(g, entry->d_name, err);
    (void)closedir(dir);
    return ok;
}

static bool is_done(const struct gathering *g, size_t part, size_t parts)
{
    for (size_t i = part - 1; i < g->sweep->runs; i += parts)
        if (!g->reading.results->known[i])
            return false;
    return true;
}

/* ", part-2 (not there), part-5 (not done)". How many there should be is known from --shards;
 * without it, only that those below the highest should be there. */
static void name_parts(const struct gathering *g, char *to, size_t room)
{
    bool told = g->sweep->request->shards > 0;
    size_t parts = told ? (size_t)g->sweep->request->shards : g->highest, at = 0, named = 0;

    to[0] = '\0';
    for (size_t i = 1; i <= parts && i <= SWEEP_SHARDS_MAX && at < room; i++) {
        if (g->there[i] && (!told || is_done(g, i, parts)))
            continue;
        if (named++ == NAMED_MAX) {
            (void)snprintf(to + at, room - at, ", ...");
            return;
        }
        at += (size_t)snprintf(to + at, room - at, "%s part-%zu (not %s)",
                               named > 1 ? "," : ":", i, g->there[i] ? "done" : "there");
    }
}

static bool check_all(const struct gathering *g, struct error *err)
{
    size_t missing = 0;
    char names[320];

    for (size_t i = 0; i < g->sweep->runs; i++)
        missing += !g->reading.results->known[i];
    if (missing == 0)
        return true;
    name_parts(g, names, sizeof names);
    error_set(err, ERROR_FAILED, "'%s' has %zu part%s and lacks %zu of %zu runs%s", g->folder,
              g->count, g->count == 1 ? "" : "s", missing, g->sweep->runs, names);
    if (g->sweep->request->shards > 0)
        error_hint(err, "run those parts again: they go on where they stopped");
    else
        error_hint(err, "run the missing parts again, which go on where they stopped; "
                        "with --shards N they are named");
    return false;
}

bool sweep_gather(const struct sweep *s, struct sweep_results *out, struct error *err)
{
    struct gathering g = {.sweep = s, .reading = {s, out}};

    g.folder = str_dup(s->request->gather, s->ctx->arena, err);
    g.there = arena_array(s->ctx->arena, bool, SWEEP_SHARDS_MAX + 1, err);
    if (g.folder == NULL || g.there == NULL || !sweep_header(s, &g.header, err) ||
        !take_folder(&g, err))
        return false;
    if (g.count == 0)
        return error_fail(err, ERROR_ABSENT, "'%s' has no parts of a sweep", g.folder);
    return check_all(&g, err);
}
