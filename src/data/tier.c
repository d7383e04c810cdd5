#include "data/tier.h"

#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/clock.h"

const char *const data_tier_names[TIER_COUNT + 1] = {"hot", "warm", "cold", "delete", NULL};

static const struct field file_fields[] = {
    FIELD(TEXT, tier_file, path, .help = "path below the folder"),
    FIELD(ENUM, tier_file, tier, .names = data_tier_names, .help = "tier by its age"),
    FIELD(COUNT, tier_file, days, .help = "days since the last write"),
    FIELD(BYTES, tier_file, size, .help = "size"),
    FIELD(TEXT, tier_file, kept, .empty_unknown = true,
          .help = "reason why it stays where it is"),
    FIELD(FLAG, tier_file, done, .help = "true when it was moved or deleted"),
    FIELD(FLAG, tier_file, failed, .help = "true when it could not be moved or deleted"),
};

const struct field_set tier_file_fields = FIELD_SET(struct tier_file, file_fields);

static enum data_tier tier_of_age(const struct tier_rules *rules, span age)
{
    enum data_tier tier = TIER_HOT;

    for (int i = TIER_WARM; i < TIER_COUNT; i++)
        if (rules->after[i].ns >= 0 && age.ns >= rules->after[i].ns)
            tier = (enum data_tier)i;
    return tier;
}

static bool tier_wants(const struct tier_rules *rules, struct str path)
{
    size_t name = path.len;

    while (name > 0 && path.at[name - 1] != '/')
        name--;
    return rules->only.len == 0 || strs_match(rules->only, path) ||
           strs_match(rules->only, (struct str){path.at + name, path.len - name});
}

/* The shortest age at which anything goes. */
static span first_age(const struct tier_rules *rules)
{
    for (int i = TIER_WARM; i < TIER_COUNT; i++)
        if (rules->after[i].ns >= 0)
            return rules->after[i];
    return (span){INT64_MAX};
}

/* Is its other name its place in the tier, as a move that was broken off leaves it? */
static bool is_half_moved(const struct tier_rules *rules, const struct tier_file *file,
                          const struct stat *st)
{
    const char *to = rules->to[file->tier];
    char path[PATH_MAX];
    struct stat there;

    return to != NULL && st->st_nlink == 2 &&
           snprintf(path, sizeof path, "%s/%.*s", to, STR_ARG(file->path)) < (int)sizeof path &&
           lstat(path, &there) == 0 && there.st_ino == st->st_ino && there.st_dev == st->st_dev;
}

/* What only the file system knows of one that may go: other names, and when it was read. */
static void look_at_old_file(const struct tier_rules *rules, span age, struct tier_file *file)
{
    char path[PATH_MAX];
    struct stat st;
    int64_t read_ns;

    if (snprintf(path, sizeof path, "%s/%.*s", rules->folder, STR_ARG(file->path)) >=
            (int)sizeof path ||
        lstat(path, &st) != 0) {
        file->kept = STR("it is gone, or cannot be looked at");
        return;
    }
    if (st.st_nlink > 1 && !is_half_moved(rules, file, &st))
        file->kept = STR("it has other names (hard links): moving one frees nothing");
    read_ns = rules->now_ns - ((int64_t)st.st_atim.tv_sec * SECOND + st.st_atim.tv_nsec);
    if (read_ns >= first_age(rules).ns || read_ns >= age.ns)
        return;
    file->used = true;
    if (rules->by_use)
        file->kept = STR("it was read lately");
}

static struct tier_file *add_old_file(struct tier_choice *out, size_t *room,
                                      struct arena *arena, struct error *err)
{
    out->files = arena_grow(arena, out->files, out->count, sizeof *out->files, room, err);
    return out->files != NULL ? &out->files[out->count++] : NULL;
}

static void sum_file(struct tier_choice *out, const struct tier_file *file)
{
    struct tier_sum *sum = &out->sums[file->kept.len > 0 ? TIER_HOT : file->tier];

    sum->files++;
    sum->held += file->kept.len > 0;
    sum->size.n += file->size.n;
    if (file->used && file->kept.len == 0) {
        out->used.files++;
        out->used.size.n += file->size.n;
    }
}

static bool choose_tier(const struct tier_rules *rules, const struct tree_entry *e,
                        struct tier_choice *out, size_t *room, struct arena *arena,
                        struct error *err)
{
    span age = {rules->now_ns - e->stat.modified};
    struct tier_file file = {.path = e->path,
                             .tier = (int32_t)tier_of_age(rules, age),
                             .days = age.ns / (SECONDS_PER_DAY * SECOND),
                             .size = {e->stat.size},
                             .stat = e->stat};
    const char *belongs;

    if (file.tier != TIER_HOT) {
        struct tier_file *added = add_old_file(out, room, arena, err);

        if (added == NULL)
            return false;
        belongs = rules->belongs != NULL ? rules->belongs(e->path) : NULL;
        if (belongs != NULL)
            file.kept = str_from(belongs);
        else
            look_at_old_file(rules, age, &file);
        *added = file;
    }
    sum_file(out, &file);
    return true;
}

bool tier_choose(const struct tree *tree, const struct tier_rules *rules, struct arena *arena,
                 struct tier_choice *out, struct error *err)
{
    size_t room = 0;

    *out = (struct tier_choice){0};
    for (size_t i = 0; i < tree->count; i++) {
        const struct tree_entry *e = &tree->entries[i];

        if (e->kind != TREE_FILE || e->trouble || !tier_wants(rules, e->path))
            continue;
        if (tree_is_hidden(e->path))
            out->hidden++;
        else if (!choose_tier(rules, e, out, &room, arena, err))
            return false;
    }
    return true;
}
