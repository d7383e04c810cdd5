/* Pruning during a run: the folder is looked at afresh, and what goes is out of sight at once
 * and removed bit by bit, so that nobody waits for it. */
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "run/checkpoint/checkpoints_watch.h"

static void watch_failed(struct checkpoint_watch *w, const struct error *err)
{
    if (w->options.failed != NULL)
        w->options.failed(w->options.ctx, err);
}

void watch_trash(struct checkpoint_watch *w, const char *name)
{
    struct trash *t = w->alloc->get(w->alloc->ctx, sizeof *t);

    if (t == NULL) /* the next sweep finds it */
        return;
    memcpy(t->name, name, strlen(name) + 1);
    t->next = w->trash;
    w->trash = t;
}

void watch_clear(struct checkpoint_watch *w, int64_t budget)
{
    struct error err = {0};
    struct stat st;
    int folder = w->trash != NULL ? checkpoint_folder(w->options.folder, &st, &err) : -1;

    while (folder >= 0 && w->trash != NULL && budget > 0) {
        struct trash *t = w->trash;
        bool ok = checkpoint_clear(folder, t->name, &budget, &err);

        if (ok && budget <= 0 && fstatat(folder, t->name, &st, AT_SYMLINK_NOFOLLOW) == 0)
            break; /* more of it is left */
        if (!ok)
            watch_failed(w, &err);
        w->trash = t->next;
        w->alloc->put(w->alloc->ctx, t);
    }
    if (folder >= 0)
        (void)close(folder);
}

/* Out of sight, and out of the list. */
static void let_go(struct checkpoint_watch *w, int folder, const struct checkpoint *c)
{
    char hidden[NAME_MAX + 1];
    struct error err = {0};

    if (!checkpoint_hide(folder, c->name, hidden, &err)) {
        watch_failed(w, &err);
        return;
    }
    watch_trash(w, hidden);
    w->changed = true;
    if (w->options.removed != NULL)
        w->options.removed(w->options.ctx, c);
}

/* What was told of each is known to the watch only; what is not whole for it stays. */
static void add_known(struct checkpoint_watch *w, struct checkpoint *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct watched *e = watched_find(w, list[i].name);
        struct checkpoint known;

        if (e == NULL || !e->settled || e->c.touched_ns != list[i].touched_ns) {
            list[i].doubt = list[i].doubt != NULL ? list[i].doubt : "being written";
            continue;
        }
        if (e->unsure) {
            list[i].doubt = "may be unfinished";
            continue;
        }
        if (w->options.rules.metric.len > 0 && isnan(e->c.metric) && !e->label.final) {
            list[i].doubt = "its metric may still change";
            continue;
        }
        known = watched_view(e);
        list[i].metric = known.metric;
        list[i].cost = known.cost;
        list[i].took_s = known.took_s;
        list[i].ours = known.ours;
    }
}

/* Are there more than are to be kept, and none that can be ranked? */
static void warn_unranked(struct checkpoint_watch *w, const struct checkpoint *list,
                          size_t count)
{
    size_t unranked = 0;

    for (size_t i = 0; i < count; i++) {
        const struct checkpoint *c = &list[i];

        if (c->doubt != NULL || c->series == 0 || (w->options.rules.ours_only && !c->ours))
            continue;
        if (!isnan(c->metric))
            return;
        unranked++;
    }
    if (w->options.rules.metric.len == 0 || w->unranked_said || w->options.unranked == NULL ||
        unranked <= (size_t)(w->options.rules.keep > 1 ? w->options.rules.keep : 1))
        return;
    w->unranked_said = true;
    w->options.unranked(w->options.ctx, unranked);
}

void watch_prune(struct checkpoint_watch *w)
{
    struct arena scratch = {.alloc = w->alloc, .block_size = ARENA_BLOCK_SIZE};
    struct checkpoint_rules rules = w->options.rules;
    struct checkpoint *list;
    struct error err = {0};
    struct stat st;
    size_t count;
    int folder = -1;

    /* The watch has seen them settle; clocks of file servers may run ahead of ours. */
    rules.settle_s = -INFINITY;
    if (checkpoints_scan(w->options.folder, rules.metric, &scratch, &list, &count, &err)) {
        add_known(w, list, count);
        checkpoints_decide(list, count, &rules, w->now_ns);
        warn_unranked(w, list, count);
        folder = checkpoint_folder(w->options.folder, &st, &err);
        for (size_t i = 0; folder >= 0 && i < count; i++)
            if (!list[i].keep)
                let_go(w, folder, &list[i]);
    } else {
        watch_failed(w, &err);
    }
    if (folder >= 0)
        (void)close(folder);
    arena_free(&scratch);
}
