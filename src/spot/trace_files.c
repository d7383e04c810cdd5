#include "spot/trace_files.h"

#include <stdlib.h>
#include <string.h>

#include "base/crc.h"
#include "base/fs.h"
#include "doc/compress.h"

#define FILE_MAX ((size_t)256 << 20)   /* of one file, unpacked */
#define FILES_MAX ((size_t)1024 << 20) /* of all of them */

const char *const trace_ones[] = {"available", "preempted", NULL};

/* All of a file, in `arena`, as it is when unpacked. `path` is in the context's. */
static bool read_whole(struct arena *kept, struct str file, struct arena *arena, char **path,
                       struct str *text, struct error *err)
{
    *path = str_dup(file, kept, err);
    return *path != NULL && fs_read(*path, FILE_MAX, arena, text, err) &&
           unpack_text(text, *path, FILE_MAX, arena, err);
}

static enum trace_polarity polarity_of(struct str ones)
{
    if (ones.len == 0)
        return POLARITY_ASK;
    return str_eq(ones, STR("preempted")) ? POLARITY_PREEMPTED : POLARITY_AVAILABLE;
}

/* All traces so far; the place for them doubles. */
struct collection {
    struct arena *arena;
    struct traces all;
    size_t room;
    size_t *last; /* [files] how many traces there are up to the end of each */
};

static bool append_traces(struct collection *c, const struct traces *more, struct error *err)
{
    if (more->len > c->room - c->all.len) {
        size_t room = c->room + more->len > 2 * c->room ? c->room + more->len : 2 * c->room;
        struct trace *joined = arena_array(c->arena, struct trace, room, err);

        if (joined == NULL)
            return false;
        if (c->all.len > 0)
            memcpy(joined, c->all.at, c->all.len * sizeof *joined);
        c->all.at = joined;
        c->room = room;
    }
    for (size_t i = 0; i < more->len; i++)
        c->all.at[c->all.len++] = more->at[i];
    return true;
}

struct named {
    struct str id;
    size_t at;
};

/* By id, then by where they are. */
static int compare_traces(const void *a, const void *b)
{
    const struct named *left = a, *right = b;
    int order = str_cmp(left->id, right->id);

    return order != 0 ? order : (left->at > right->at) - (left->at < right->at);
}

/* No two zones of one name. The first that was there already is named, with its file. */
static bool check_ids(const struct collection *c, struct strs files, struct error *err)
{
    struct named *sorted = arena_array(c->arena, struct named, c->all.len, err);
    size_t again = SIZE_MAX, file = 0;

    if (sorted == NULL)
        return false;
    for (size_t i = 0; i < c->all.len; i++)
        sorted[i] = (struct named){c->all.at[i].id, i};
    qsort(sorted, c->all.len, sizeof sorted[0], compare_traces);
    for (size_t i = 1; i < c->all.len; i++)
        if (str_eq(sorted[i - 1].id, sorted[i].id) && sorted[i].at < again)
            again = sorted[i].at;
    if (again == SIZE_MAX)
        return true;
    while (c->last[file] <= again)
        file++;
    error_set(err, ERROR_INPUT, "%.*s: zone '%.*s' was there already", STR_ARG(files.at[file]),
              STR_ARG(c->all.at[again].id));
    error_hint(err, "give each zone once: which trace of it counts?");
    return false;
}

static bool read_trace_file(struct collection *c, struct str file, struct trace_options options,
                            size_t *total, struct arena *scratch, struct error *err)
{
    struct traces more = {0};
    struct str text;
    char *path;

    if (!read_whole(c->arena, file, scratch, &path, &text, err))
        return false;
    if (text.len > FILES_MAX - *total)
        return error_fail(err, ERROR_INPUT, "%s: the traces are more than %zu MB in all", path,
                          FILES_MAX >> 20);
    *total += text.len;
    options.name = path;
    return traces_read(text, options, c->arena, &more, err) && append_traces(c, &more, err);
}

static void warn_of_prices(const struct messages *messages, const struct traces *all)
{
    for (size_t i = 0; i < all->len; i++) {
        if (!all->at[i].from_prices)
            continue;
        message_warn(messages, "availability is assumed from prices, not observed, in '%.*s'%s",
                     STR_ARG(all->at[i].id), all->len > 1 ? " and others" : "");
        return;
    }
}

/* Of what the traces say, however it was written. */
static uint32_t checksum(const struct traces *all)
{
    uint32_t sum = 0;

    for (size_t i = 0; i < all->len; i++) {
        const struct trace *t = &all->at[i];
        int64_t numbers[] = {t->gap, t->nodes, (int64_t)t->ticks, t->start.s, t->from_prices};
        double prices[] = {t->on_demand, t->spot};

        sum = crc32c(sum, t->id.at, t->id.len);
        sum = crc32c(sum, numbers, sizeof numbers);
        sum = crc32c(sum, prices, sizeof prices);
        sum = crc32c(sum, t->nodes_at, t->ticks);
        if (t->unseen != NULL)
            sum = crc32c(sum, t->unseen, t->ticks * sizeof t->unseen[0]);
        if (t->price != NULL)
            sum = crc32c(sum, t->price, t->ticks * sizeof t->price[0]);
    }
    return sum;
}

bool trace_files_read(const struct trace_files *ask, const struct messages *messages,
                      struct arena *arena, struct traces *out, uint32_t *sum, struct error *err)
{
    struct trace_options options = {.polarity = polarity_of(ask->ones)};
    /* The text of a file is not needed once it is read. */
    struct arena scratch = {.alloc = arena->alloc, .block_size = ARENA_BLOCK_SIZE};
    struct collection c = {.arena = arena};
    size_t total = 0;
    bool ok;

    /* A price history may have more series than fit: read only what is meant. */
    if (ask->files.len == 1 && ask->zones.len == 1)
        options.only = ask->zones.at[0];
    *out = (struct traces){0};
    c.last = arena_array(arena, size_t, ask->files.len, err);
    ok = c.last != NULL;
    for (size_t i = 0; i < ask->files.len && ok; i++) {
        ok = read_trace_file(&c, ask->files.at[i], options, &total, &scratch, err);
        c.last[i] = c.all.len;
        arena_free(&scratch);
    }
    if (!ok || !check_ids(&c, ask->files, err))
        return false;
    *out = c.all;
    warn_of_prices(messages, out);
    if (sum != NULL)
        *sum = checksum(out);
    return true;
}

static bool refuse_absent_zone(const struct traces *all, struct str zone, struct error *err)
{
    struct suggestion s = {.wanted = zone};

    for (size_t i = 0; i < all->len; i++)
        suggestion_try(&s, all->at[i].id);
    error_set(err, ERROR_ABSENT, "the traces have no zone '%.*s'", STR_ARG(zone));
    if (!suggestion_hint(&s, err) && all->len > 0)
        error_hint(err, "they have '%.*s'%s", STR_ARG(all->at[0].id),
                   all->len > 1 ? " and others" : " only");
    return false;
}

bool traces_pick(const struct traces *all, struct strs zones, struct arena *arena,
                 struct traces *out, struct error *err)
{
    struct trace *kept;
    bool *taken;

    *out = *all;
    if (zones.len == 0)
        return true;
    kept = arena_array(arena, struct trace, all->len, err);
    taken = arena_array(arena, bool, all->len, err);
    if (kept == NULL || taken == NULL)
        return false;
    *out = (struct traces){.at = kept};
    for (size_t z = 0; z < zones.len; z++) {
        bool found = false;

        for (size_t i = 0; i < all->len; i++) {
            if (!str_glob(all->at[i].id, zones.at[z]))
                continue;
            found = true;
            if (!taken[i])
                kept[out->len++] = all->at[i];
            taken[i] = true;
        }
        if (!found)
            return refuse_absent_zone(all, zones.at[z], err);
    }
    return true;
}

bool window_file_read(struct str file, struct arena *arena, struct windows *out,
                      struct error *err)
{
    struct str text;
    char *path;

    return read_whole(arena, file, arena, &path, &text, err) &&
           windows_read(text, path, arena, out, err);
}
