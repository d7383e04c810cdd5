#include "data/tier_move.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/fs.h"
#include "base/num.h"
#include "data/move.h"

/* A disk that is not mounted looks like one that is empty. */
static bool set_tier_folder(const struct data_task *task, struct tier_rules *rules,
                            enum data_tier tier, struct str name, struct error *err)
{
    char from[PATH_MAX], to[PATH_MAX];
    char *folder = str_dup(name, task->arena, err);
    struct stat here, there;

    if (folder == NULL)
        return false;
    if (!fs_is_folder(folder))
        return error_fail_hint(err, ERROR_ABSENT, "make it, or mount its disk",
                               "there is no folder '%s' for %s files", folder,
                               data_tier_names[tier]);
    if (realpath(rules->folder, from) == NULL || realpath(folder, to) == NULL)
        return error_fail(err, ERROR_FAILED, "cannot look at '%s'", folder);
    if (str_starts(str_from(to), str_from(from)) &&
        (to[strlen(from)] == '\0' || to[strlen(from)] == '/' || from[1] == '\0'))
        return error_fail_hint(err, ERROR_INPUT, "name a folder on another disk",
                               "'%s' is in '%s' itself", folder, rules->folder);
    if (stat(from, &here) == 0 && stat(to, &there) == 0 && here.st_dev == there.st_dev)
        message_warn(task->messages,
                     "'%s' and '%s' are on the same disk: moving files saves nothing", folder,
                     rules->folder);
    rules->to[tier] = folder;
    return true;
}

bool tier_rules_set(const struct data_task *task, const struct tier_wish *wish,
                    struct tier_rules *rules, struct error *err)
{
    bool survey = wish->folder[TIER_WARM].len == 0 && wish->folder[TIER_COLD].len == 0 &&
                  wish->after[TIER_DELETE].ns < 0;
    span last = {0};

    rules->after[TIER_HOT] = (span){0};
    for (int i = TIER_WARM; i < TIER_COUNT; i++) {
        bool used = i == TIER_DELETE || survey || wish->folder[i].len > 0;

        rules->after[i] = used ? wish->after[i] : SPAN_UNKNOWN;
        if (rules->after[i].ns < 0)
            continue;
        if (rules->after[i].ns <= last.ns)
            return error_fail_hint(err, ERROR_USAGE,
                                   "--warm-after 30d --cold-after 90d --delete-after 365d",
                                   "the ages of the tiers must increase");
        last = rules->after[i];
    }
    if (survey && wish->moves)
        return error_fail_hint(err, ERROR_USAGE,
                               "--cold FOLDER, --warm FOLDER or "
                               "--delete-after AGE says what to do",
                               "--yes needs a tier to move files to");
    for (int i = TIER_WARM; i < TIER_COUNT; i++)
        if (wish->folder[i].len > 0 &&
            !set_tier_folder(task, rules, (enum data_tier)i, wish->folder[i], err))
            return false;
    return true;
}

void tier_note_choice(const struct data_task *task, const struct tier_choice *choice)
{
    const struct tier_sum *used = &choice->used;
    const struct messages *messages = task->messages;

    if (choice->hidden > 0)
        message_note(messages,
                     "left out: %zu file%s with a name that begins with a dot, or in such a "
                     "folder",
                     choice->hidden, num_plural((int64_t)choice->hidden));
    if (used->files > 0)
        message_warn(messages,
                     "%lld of these files (%.3g GB) were read more lately than they were "
                     "written: --by-use leaves them where they are",
                     (long long)used->files, (double)used->size.n / 1e9);
}

static bool tier_one(const struct tier_work *w, const struct tier_file *file, struct error *err)
{
    const struct move_work work = {.from = w->rules->folder,
                                   .to = w->rules->to[file->tier],
                                   .path = file->path,
                                   .stat = file->stat,
                                   .link = w->link,
                                   .watch = w->task->watch};
    struct arena once = {.alloc = w->task->arena->alloc, .block_size = ARENA_BLOCK_SIZE};
    bool ok = file->tier == TIER_DELETE
                  ? data_remove_file(work.from, file->path, &file->stat, &once, err)
                  : data_move_file(&work, &once, err);

    arena_free(&once);
    return ok;
}

/* It stays where it is, and costs what it did. */
static void count_untiered(const struct tier_work *w, struct tier_file *file)
{
    struct tier_sum *sum = &w->choice->sums[file->tier], *hot = &w->choice->sums[TIER_HOT];

    file->failed = true;
    sum->left++;
    *w->task->partly = true;
    sum->files--;
    sum->size.n -= file->size.n;
    hot->files++;
    hot->size.n += file->size.n;
}

void tier_move(const struct tier_work *w)
{
    for (size_t i = 0; i < w->choice->count; i++) {
        struct tier_file *file = &w->choice->files[i];
        struct error err = {0};

        if (file->kept.len > 0)
            continue;
        watch_progress(w->task->watch, "moving", i, w->choice->count);
        file->done = !watch_stopped(w->task->watch) && tier_one(w, file, &err);
        if (!file->done && err.kind != ERROR_NONE && err.kind != ERROR_STOPPED)
            message_warn(w->task->messages, "%s", err.text);
        w->choice->sums[file->tier].done += file->done;
        if (!file->done)
            count_untiered(w, file);
    }
}

/* What goes before what stays; of these the larger ones. */
static int larger_first(const void *a, const void *b)
{
    const struct tier_file *x = a, *y = b;
    bool held = x->kept.len > 0;

    if (held != (y->kept.len > 0))
        return held ? 1 : -1;
    if (x->size.n != y->size.n)
        return x->size.n < y->size.n ? 1 : -1;
    return str_cmp(x->path, y->path);
}

void tier_sort(const struct tier_choice *choice)
{
    if (choice->count > 1)
        qsort(choice->files, choice->count, sizeof *choice->files, larger_first);
}
