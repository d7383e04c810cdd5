#include "data/compare.h"

#include <string.h>

#include "base/stop.h"
#include "data/digest.h"

const char *const data_step_names[DATA_STEPS + 1] = {
    "upload", "download", "delete local", "delete remote", "conflict", "unknown", "unchanged",
};

static const struct field change_fields[] = {
    FIELD(TEXT, data_change, path, .help = "path below both folders"),
    FIELD(ENUM, data_change, step, .names = data_step_names,
          .help = "step that makes both sides equal"),
    FIELD(BYTES, data_change, size, .help = "size of what moves, is deleted or is in conflict"),
    FIELD(BYTES, data_change, new_size,
          .help = "size of chunks in it that the other side lacks at that place"),
};

const struct field_set data_change_fields = FIELD_SET(struct data_change, change_fields);

static const struct field sum_fields[] = {
    FIELD(ENUM, data_sum, step, .names = data_step_names,
          .help = "step that makes both sides equal"),
    FIELD(COUNT, data_sum, paths, .help = "number of paths: files, links and empty folders"),
    FIELD(BYTES, data_sum, size, .help = "size of what moves, is deleted or is in conflict"),
    FIELD(BYTES, data_sum, new_size,
          .help = "size of chunks in it that the other side lacks at that place"),
};

const struct field_set data_sum_fields = FIELD_SET(struct data_sum, sum_fields);

struct comparing {
    const struct data_compare_work *work;
    struct data_comparison *out;
    struct arena *arena;
    size_t room, base_at;
};

/* The base's entry of that path; paths are asked for in order. */
static const struct tree_entry *base_of(struct comparing *c, struct str path)
{
    const struct tree *base = c->work->base;

    while (base != NULL && c->base_at < base->count) {
        int order = str_cmp(base->entries[c->base_at].path, path);

        if (order == 0)
            return &base->entries[c->base_at];
        if (order > 0)
            return NULL;
        c->base_at++;
    }
    return NULL;
}

/* It is in a folder that could not be read on that side. */
static bool is_hidden_path(const struct tree *tree, struct str path)
{
    for (size_t i = 0; i < path.len; i++) {
        const struct tree_entry *e =
            path.at[i] == '/' ? tree_entry_at(tree, (struct str){path.at, i + 1}) : NULL;

        if (e != NULL && e->trouble)
            return true;
    }
    return false;
}

/* It is as it was in the base, so that it goes when the other side has it no more. */
static bool goes(const struct comparing *c, const struct tree_entry *e)
{
    const struct tree_entry *base =
        c->work->base != NULL ? tree_entry_at(c->work->base, e->path) : NULL;

    return base != NULL && tree_same(e, base);
}

/* The other side has a file where this path needs a folder, or the other way round, and that
 * one stays. */
static bool is_blocked(const struct comparing *c, const struct tree *other, struct str path)
{
    const struct tree_entry *e;
    size_t at;

    for (size_t i = 1; i < path.len; i++) {
        if (path.at[i] != '/')
            continue;
        e = tree_entry_at(other, (struct str){path.at, i});
        if (e != NULL && !goes(c, e))
            return true;
    }
    /* "a.txt" is sorted between "a" and "a/b". */
    for (at = tree_place_of(other, path); at < other->count; at++) {
        e = &other->entries[at];
        if (!str_starts(e->path, path))
            return false;
        if (e->path.len == path.len)
            continue;
        if (e->path.at[path.len] == '/' && !goes(c, e))
            return true;
        if ((unsigned char)e->path.at[path.len] > '/')
            return false;
    }
    return false;
}

/* An empty folder of one side in which the other has something: no folder is missing. */
static bool is_filled(const struct tree *other, const struct tree_entry *e)
{
    size_t at = tree_place_of(other, e->path);

    return e->kind == TREE_EMPTY && at < other->count &&
           str_starts(other->entries[at].path, e->path);
}

static bool is_same(const struct tree_entry *a, const struct tree_entry *b)
{
    return a == NULL || b == NULL ? a == b : tree_same(a, b);
}

static enum data_step newer_of(const struct tree_entry *here, const struct tree_entry *there)
{
    if (here == NULL || there == NULL || here->stat.modified == there->stat.modified)
        return DATA_CONFLICT;
    return here->stat.modified > there->stat.modified ? DATA_UPLOAD : DATA_DOWNLOAD;
}

/* Who has changed it. */
static enum data_step change_step(const struct comparing *c, const struct tree_entry *here,
                                  const struct tree_entry *there, const struct tree_entry *base)
{
    if (base != NULL && is_same(there, base))
        return here == NULL ? DATA_DELETE_REMOTE : DATA_UPLOAD;
    if (base != NULL && is_same(here, base))
        return there == NULL ? DATA_DELETE_LOCAL : DATA_DOWNLOAD;
    if (base == NULL && (here == NULL || there == NULL))
        return here == NULL ? DATA_DOWNLOAD : DATA_UPLOAD;
    return c->work->conflict == DATA_CONFLICT_NEWER ? newer_of(here, there) : DATA_CONFLICT;
}

static enum data_step step_of(const struct comparing *c, const struct tree_entry *here,
                              const struct tree_entry *there, const struct tree_entry *base)
{
    const struct tree_entry *only = here == NULL ? there : here;
    const struct tree *other = here == NULL    ? c->work->here
                               : there == NULL ? c->work->there
                                               : NULL;
    enum data_step step;

    if (only == NULL)
        return DATA_UNCHANGED; /* one side has it always: this is for the analyzer */
    if ((here != NULL && here->trouble) || (there != NULL && there->trouble) ||
        (base != NULL && base->trouble && other != NULL) ||
        (other != NULL && is_hidden_path(other, only->path)))
        return DATA_UNKNOWN;
    if (is_same(here, there) || (other != NULL && is_filled(other, only)))
        return DATA_UNCHANGED;
    step = change_step(c, here, there, base);
    if (other != NULL && (step == DATA_UPLOAD || step == DATA_DOWNLOAD) &&
        is_blocked(c, other, only->path))
        return DATA_CONFLICT;
    return step;
}

static uint64_t entry_bytes(const struct tree_entry *e)
{
    return e != NULL && e->kind == TREE_FILE && !e->trouble ? e->stat.size : 0;
}

/* Bytes of `e` in chunks that `old` does not have at the same place. */
static uint64_t new_entry_bytes(const struct tree_entry *e, const struct tree_entry *old)
{
    uint64_t left_over = entry_bytes(e);

    if (old == NULL || e->chunk_count == 0)
        return left_over;
    for (uint32_t i = 0; i < e->chunk_count && i < old->chunk_count; i++) {
        uint64_t left = e->stat.size - i * DIGEST_CHUNK;

        if (memcmp(e->chunks + (size_t)i * TREE_DIGEST, old->chunks + (size_t)i * TREE_DIGEST,
                   TREE_DIGEST) == 0)
            left_over -= left < DIGEST_CHUNK ? left : DIGEST_CHUNK;
    }
    return left_over;
}

static struct data_change change_of(struct str path, enum data_step step,
                                    const struct tree_entry *here,
                                    const struct tree_entry *there)
{
    struct data_change change = {path, (int32_t)step, {0}, {0}, here, there};

    if (step == DATA_UPLOAD) {
        change.size.n = entry_bytes(here);
        change.new_size.n = new_entry_bytes(here, there);
    } else if (step == DATA_DOWNLOAD) {
        change.size.n = entry_bytes(there);
        change.new_size.n = new_entry_bytes(there, here);
    } else { /* nothing moves */
        change.size.n = entry_bytes(here) + (step == DATA_UNCHANGED ? 0 : entry_bytes(there));
    }
    return change;
}

static bool add_change(struct comparing *c, struct str path, const struct tree_entry *here,
                       const struct tree_entry *there, struct error *err)
{
    const struct tree_entry *base = base_of(c, path);
    struct data_change change = change_of(path, step_of(c, here, there, base), here, there);
    struct data_sum *sum = &c->out->sums[change.step];
    struct data_change *grown;

    sum->paths++;
    sum->size.n += change.size.n;
    sum->new_size.n += change.new_size.n;
    if (change.step == DATA_UNCHANGED)
        return true;
    grown = arena_grow(c->arena, c->out->changes, c->out->change_count, sizeof *grown, &c->room,
                       err);
    if (grown == NULL)
        return false;
    c->out->changes = grown;
    grown[c->out->change_count++] = change;
    return true;
}

bool data_compare(const struct data_compare_work *work, struct arena *arena,
                  struct data_comparison *out, struct error *err)
{
    const struct tree *a = work->here, *b = work->there;
    struct comparing c = {.work = work, .out = out, .arena = arena};

    *out = (struct data_comparison){0};
    for (int32_t s = 0; s < DATA_STEPS; s++)
        out->sums[s].step = s;
    for (size_t i = 0, j = 0; i < a->count || j < b->count;) {
        int order = i == a->count   ? 1
                    : j == b->count ? -1
                                    : str_cmp(a->entries[i].path, b->entries[j].path);

        if (!stop_check(err) ||
            !add_change(&c, order <= 0 ? a->entries[i].path : b->entries[j].path,
                        order <= 0 ? &a->entries[i] : NULL, order >= 0 ? &b->entries[j] : NULL,
                        err))
            return false;
        i += order <= 0;
        j += order >= 0;
    }
    return true;
}
