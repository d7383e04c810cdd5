#include "data/sample/sample.h"

#include <stdlib.h>
#include <string.h>

#include "base/characters.h"
#include "base/hash.h"
#include "base/map.h"

#define FNV_START UINT64_C(0xcbf29ce484222325)
#define FNV_PRIME UINT64_C(0x100000001b3)

enum { RARE_KIND = 10 }; /* times fewer files than the most common kind has */

/* One division. */
struct dividing {
    const struct tree *tree;
    const struct sample_rules *rules;
    struct sample_set *out;
    struct arena *arena;
    struct map kinds;  /* extensions */
    struct map names;  /* name of an example: its number */
    struct map places; /* name below a folder of images, without that folder: its number */
    struct map groups;
    size_t *kind_counts;
    size_t *kind_of; /* of each entry */
    size_t example_room, group_room;
    uint64_t most; /* files of the most common kind */
};

bool sample_counts(const struct tree_entry *e)
{
    return (e->kind == TREE_FILE || e->kind == TREE_LINK) && !e->trouble &&
           !tree_is_hidden(e->path);
}

bool sample_has(const struct sample_set *set, size_t entry, double fraction)
{
    size_t example = set->example_of[entry];

    return example == SAMPLE_NONE || set->examples[example].from < fraction;
}

/* ---- names ---- */

/* Where the file's own name begins. */
static size_t file_name_at(struct str path)
{
    size_t at = path.len;

    while (at > 0 && path.at[at - 1] != '/')
        at--;
    return at;
}

static bool is_any_nocase(struct str name, const char *const *names)
{
    for (size_t i = 0; names[i] != NULL; i++)
        if (str_eq_nocase(name, str_from(names[i])))
            return true;
    return false;
}

static bool is_sidecar_kind(struct str path)
{
    static const char *const kinds[] = {"txt", "caption", "json", "npz", "xml", NULL};

    return tree_path_has_extension(path, kinds);
}

/* Pictures and recordings: however few, each is an example. */
static bool is_media_kind(struct str path)
{
    static const char *const kinds[] = {"jpg",  "jpeg", "png",  "webp", "gif", "bmp",  "tif",
                                        "tiff", "avif", "heic", "wav",  "mp3", "flac", "ogg",
                                        "m4a",  "mp4",  "mkv",  "webm", "avi", "mov",  NULL};

    return tree_path_has_extension(path, kinds);
}

static bool is_images_folder(struct str name)
{
    static const char *const names[] = {"images", "image", "imgs", "img", "JPEGImages", NULL};

    return is_any_nocase(name, names);
}

/* The path without the folder that begins at `at`: "a/images/b/c" is "a/b/c". */
static bool leave_folder_out(struct str path, size_t at, size_t end, struct arena *arena,
                             struct str *out, struct error *err)
{
    char *text = arena_array(arena, char, path.len, err);

    if (text == NULL)
        return false;
    memcpy(text, path.at, at);
    memcpy(text + at, path.at + end + 1, path.len - end - 1);
    *out = (struct str){text, at + path.len - end - 1};
    return true;
}

/* FNV-1a, mixed. */
double sample_place(uint64_t seed, struct str text)
{
    uint64_t hash = FNV_START;

    for (size_t i = 0; i < text.len; i++)
        hash = (hash ^ (unsigned char)text.at[i]) * FNV_PRIME;
    return (double)(number_hash(seed, hash) >> 11) * 0x1p-53;
}

/* ---- kinds ---- */

static bool find_kind(struct dividing *d, size_t entry, struct error *err)
{
    struct str path = d->tree->entries[entry].path, stem = tree_path_stem(path);
    char room[32];
    struct str kind = {room, path.len - stem.len};
    bool added;
    struct map_entry *e;

    if (kind.len > sizeof room)
        kind.len = sizeof room;
    for (size_t i = 0; i < kind.len; i++)
        room[i] = to_lower(path.at[stem.len + i]);
    e = map_add(&d->kinds, kind, &added, err);
    if (e == NULL || (added && !str_keep(kind, d->arena, &e->key, err)))
        return false;
    d->kind_of[entry] = (size_t)(e - d->kinds.at);
    return true;
}

/* Files of each kind that are not yet of an example. */
static void count_kinds(struct dividing *d)
{
    if (d->kinds.count > 0)
        memset(d->kind_counts, 0, d->kinds.count * sizeof *d->kind_counts);
    for (size_t i = 0; i < d->tree->count; i++)
        if (sample_counts(&d->tree->entries[i]) && d->out->example_of[i] == SAMPLE_NONE)
            d->kind_counts[d->kind_of[i]]++;
}

/* Are there so few of its kind that each must mean the whole set? */
static bool is_rare(const struct dividing *d, size_t entry)
{
    size_t count = d->kind_counts[d->kind_of[entry]];

    return !is_media_kind(d->tree->entries[entry].path) && count < d->most &&
           (count == 1 || count <= d->most / RARE_KIND);
}

/* ---- examples ---- */

static bool find_sample_group(struct dividing *d, struct str name, size_t *number,
                              struct error *err)
{
    bool added;
    struct map_entry *e = map_add(&d->groups, name, &added, err);

    if (e == NULL)
        return false;
    *number = (size_t)(e - d->groups.at);
    if (!added)
        return true;
    d->out->groups = arena_grow(d->arena, d->out->groups, *number, sizeof *d->out->groups,
                                &d->group_room, err);
    if (d->out->groups == NULL)
        return false;
    d->out->groups[*number] = (struct sample_group){.name = name};
    d->out->group_count = *number + 1;
    return true;
}

/* The label by the path, by the file's name, or by that without extension. */
static struct str label_of_file(const struct dividing *d, struct str path)
{
    size_t base = file_name_at(path);
    struct str stem = tree_path_stem(path);
    const struct str names[] = {
        path, {path.at + base, path.len - base}, stem, {path.at + base, stem.len - base}};

    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        const struct map_entry *e = map_find(d->rules->labels, names[i]);

        if (e != NULL)
            return *(const struct str *)e->value;
    }
    return (struct str){0};
}

/* Its name below a folder of images, for files that lie beside that folder. */
static bool add_place(struct dividing *d, struct str stem, size_t example, struct error *err)
{
    for (size_t at = 0, end = 0; end < stem.len; end++) {
        struct str place;
        struct map_entry *e;

        if (stem.at[end] != '/')
            continue;
        if (is_images_folder((struct str){stem.at + at, end - at})) {
            if (!leave_folder_out(stem, at, end, d->arena, &place, err))
                return false;
            e = map_add(&d->places, place, NULL, err);
            if (e == NULL)
                return false;
            e->value = &d->out->examples[example];
        }
        at = end + 1;
    }
    return true;
}

static bool add_sample_example(struct dividing *d, size_t entry, struct error *err)
{
    struct str path = d->tree->entries[entry].path, stem = tree_path_stem(path);
    bool added;
    struct map_entry *e = map_add(&d->names, stem, &added, err);
    struct sample_example *example;
    struct str group = {path.at, file_name_at(path)};

    if (e == NULL)
        return false;
    d->out->example_of[entry] = (size_t)(e - d->names.at);
    if (!added)
        return true;
    example = &d->out->examples[d->out->count++];
    *example =
        (struct sample_example){.name = stem, .order = sample_place(d->rules->seed, stem)};
    group.len -= group.len > 0;
    if (d->rules->labels != NULL) {
        group = label_of_file(d, path);
        d->out->unlabeled += group.len == 0;
    }
    if (!find_sample_group(d, group, &example->group, err))
        return false;
    d->out->groups[example->group].count++;
    return add_place(d, stem, d->out->count - 1, err);
}

/* The example that a sidecar is of: "a.txt" and "a.jpg.txt" are of "a.jpg". */
static size_t example_beside(const struct dividing *d, struct str path)
{
    struct str stem = tree_path_stem(path);
    const struct map_entry *e = map_find(&d->names, stem);

    if (e == NULL)
        e = map_find(&d->names, tree_path_stem(stem));
    return e != NULL ? (size_t)(e - d->names.at) : SAMPLE_NONE;
}

/* Likewise below a folder beside that of images: "labels/a.txt" is of "images/a.jpg". */
static bool find_place(struct dividing *d, struct str path, size_t *example, struct error *err)
{
    struct str stem = tree_path_stem(path), place;

    for (size_t at = 0, end = 0; end < stem.len && d->places.count > 0; end++) {
        const struct map_entry *e;

        if (stem.at[end] != '/')
            continue;
        if (!leave_folder_out(stem, at, end, d->arena, &place, err))
            return false;
        e = map_find(&d->places, place);
        if (e != NULL) {
            *example = (size_t)((const struct sample_example *)e->value - d->out->examples);
            return true;
        }
        at = end + 1;
    }
    return true;
}

static bool is_below_images(struct str path)
{
    for (size_t at = 0, end = 0; end < path.len; end++) {
        if (path.at[end] != '/')
            continue;
        if (is_images_folder((struct str){path.at + at, end - at}))
            return true;
        at = end + 1;
    }
    return false;
}

/* In order of how surely a file is an example itself: below a folder of images, of a kind that
 * is no sidecar's, any other. What belongs to one of an earlier pass is not one. */
static bool divide_pass(struct dividing *d, int pass, struct error *err)
{
    const struct tree *tree = d->tree;

    count_kinds(d);
    for (size_t i = 0; i < tree->count; i++) {
        struct str path = tree->entries[i].path;
        size_t *example = &d->out->example_of[i];

        if (!sample_counts(&tree->entries[i]) || *example != SAMPLE_NONE)
            continue;
        if (pass > 0) {
            *example = example_beside(d, path);
            if (*example == SAMPLE_NONE && !find_place(d, path, example, err))
                return false;
        }
        if (*example == SAMPLE_NONE && !is_rare(d, i) &&
            (pass == 2 || (!is_sidecar_kind(path) && (pass == 1 || is_below_images(path)))) &&
            !add_sample_example(d, i, err))
            return false;
    }
    return true;
}

/* ---- fractions ---- */

static int by_group_and_order(const void *a, const void *b)
{
    const struct sample_example *x = *(const struct sample_example *const *)a;
    const struct sample_example *y = *(const struct sample_example *const *)b;

    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    if (x->order != y->order)
        return x->order < y->order ? -1 : 1;
    return str_cmp(x->name, y->name);
}

/* Of n examples the one of rank r is in fractions above (r + u) / n: with u between 0 and 1 by
 * the group's name, small groups give the right fraction on average. */
static void set_fractions(const struct dividing *d, struct sample_example **order)
{
    struct sample_set *set = d->out;

    for (size_t i = 0, rank = 0; i < set->count; i++, rank++) {
        const struct sample_group *group = &set->groups[order[i]->group];
        double start;

        if (i > 0 && order[i]->group != order[i - 1]->group)
            rank = 0;
        start = sample_place(d->rules->seed, group->name);
        order[i]->from =
            rank < d->rules->least ? 0 : ((double)rank + start) / (double)group->count;
    }
}

static bool order_examples(const struct dividing *d, struct error *err)
{
    struct sample_set *set = d->out;
    struct sample_example **order;

    if (set->count == 0)
        return true;
    order = arena_array(d->arena, struct sample_example *, set->count, err);
    if (order == NULL)
        return false;
    for (size_t i = 0; i < set->count; i++)
        order[i] = &set->examples[i];
    qsort(order, set->count, sizeof(struct sample_example *), by_group_and_order);
    set_fractions(d, order);
    return true;
}

bool sample_divide(const struct tree *tree, const struct sample_rules *rules,
                   struct arena *arena, struct sample_set *out, struct error *err)
{
    struct dividing d = {.tree = tree,
                         .rules = rules,
                         .out = out,
                         .arena = arena,
                         .kinds = map_in_arena(arena),
                         .names = map_in_arena(arena),
                         .places = map_in_arena(arena),
                         .groups = map_in_arena(arena)};

    *out = (struct sample_set){0};
    out->example_of = arena_array(arena, size_t, tree->count + 1, err);
    out->examples = arena_array(arena, struct sample_example, tree->count + 1, err);
    d.kind_of = arena_array(arena, size_t, tree->count + 1, err);
    if (out->example_of == NULL || out->examples == NULL || d.kind_of == NULL)
        return false;
    for (size_t i = 0; i < tree->count; i++) {
        out->example_of[i] = SAMPLE_NONE;
        if (sample_counts(&tree->entries[i]) && !find_kind(&d, i, err))
            return false;
    }
    d.kind_counts = arena_array(arena, size_t, d.kinds.count + 1, err);
    if (d.kind_counts == NULL)
        return false;
    count_kinds(&d);
    for (size_t i = 0; i < d.kinds.count; i++)
        if (d.kind_counts[i] > d.most)
            d.most = d.kind_counts[i];
    return divide_pass(&d, 0, err) && divide_pass(&d, 1, err) && divide_pass(&d, 2, err) &&
           order_examples(&d, err);
}
