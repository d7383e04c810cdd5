/* Finding the tree's processes in /proc.
 *
 * Reading /proc/PID/stat of everybody each second would cost more than all else. Who is in the
 * tree is decided at birth (an orphan goes to `top`, which is a subreaper), and the kernel
 * gives out pids in a circle: only processes with a pid between the newest of the last look and
 * the newest now (/proc/loadavg says it) can be new. When it has not moved, nobody was born. A
 * look at everybody comes now and then, in case the circle went round unseen.
 *
 * /proc/PID/task/TID/children would say it too, but takes a read for every thread, and not
 * every kernel has it. / */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "meter/tree_internal.h"

#define WHOLE_EVERY 64 /* reads */

/* Room for one more of `size` bytes; the old array is put back. NULL: there is no memory. */
static void *grow(const struct tree *tree, void *old, size_t used, size_t size, size_t room)
{
    void *new = tree->alloc->get(tree->alloc->ctx, room * size);

    if (new == NULL)
        return NULL;
    if (old != NULL) {
        memcpy(new, old, used * size);
        tree->alloc->put(tree->alloc->ctx, old);
    }
    return new;
}

static bool more_members(struct tree *tree)
{
    size_t room = tree->capacity == 0 ? 32 : tree->capacity * 2;
    void *at, *pids;

    if (tree->count < tree->capacity)
        return true;
    if (tree->count >= MEMBERS_MAX)
        return false;
    at = grow(tree, tree->at, tree->count, sizeof *tree->at, room);
    if (at == NULL)
        return false;
    tree->at = at;
    pids = grow(tree, tree->pids, tree->count, sizeof *tree->pids, room);
    if (pids == NULL)
        return false;
    tree->pids = pids;
    tree->capacity = room;
    return true;
}

bool tree_add(struct tree *tree, pid_t pid)
{
    if (!more_members(tree))
        return false;
    tree->at[tree->count] = (struct member){.start = NAN, .proportion = NAN};
    tree->pids[tree->count] = pid;
    tree->count++;
    return true;
}

void tree_drop(struct tree *tree, size_t index)
{
    size_t after = tree->count - index - 1;

    if (tree->at[index].stat != 0) {
        close(tree->at[index].stat - 1);
        tree->kept--;
    }
    memmove(&tree->at[index], &tree->at[index + 1], after * sizeof *tree->at);
    memmove(&tree->pids[index], &tree->pids[index + 1], after * sizeof *tree->pids);
    tree->count--;
}

bool tree_has(const struct tree *tree, pid_t pid)
{
    for (size_t i = 0; tree != NULL && i < tree->count; i++) {
        if (tree->pids[i] == pid)
            return true;
    }
    return false;
}

/* The pid that was given out last: the end of "0.24 0.74 1.30 2/89 22757". 0: unknown. */
static pid_t newest_pid(const struct tree *tree)
{
    char buffer[128];
    struct str text, field = {0};
    double number;

    if (!tree->real || !proc_read(tree->proc, "loadavg", buffer, sizeof buffer, &text))
        return 0;
    while (text.len > 0)
        field = str_cut(&text, ' ');
    number = proc_number(&field);
    return number > 0 && number < INT32_MAX ? (pid_t)number : 0;
}

/* Was it given out after `from`, up to `to`, in the circle of pids? */
static bool is_between(pid_t pid, pid_t from, pid_t to)
{
    return from <= to ? pid > from && pid <= to : pid > from || pid <= to;
}

static bool is_left_out(const struct tree *tree, pid_t pid)
{
    for (size_t i = 0; i < LEFT_OUT; i++) {
        if (tree->left_out[i] == pid)
            return true;
    }
    return false;
}

/* A process that may be new, if `name` is one. */
static pid_t pid_of(const char *name)
{
    struct str text = str_from(name);
    double number;

    if (text.len == 0 || text.len > 9 || text.at[0] < '0' || text.at[0] > '9')
        return 0;
    number = proc_number(&text);
    return text.len == 0 ? (pid_t)number : 0;
}

static bool add_candidate(struct tree *tree, size_t count, pid_t pid)
{
    char path[32], buffer[1024];
    struct str text;
    struct proc_stat stat;

    if (count == tree->candidate_room) {
        size_t room = count == 0 ? 64 : count * 2;
        void *at = grow(tree, tree->candidates, count, sizeof *tree->candidates, room);

        if (at == NULL)
            return false;
        tree->candidates = at;
        tree->candidate_room = room;
    }
    (void)snprintf(path, sizeof path, "%d/stat", (int)pid);
    if (!proc_read(tree->proc, path, buffer, sizeof buffer, &text) ||
        !proc_stat_parse(text, &stat))
        return false;
    tree->candidates[count] = (struct candidate){pid, stat.parent};
    return true;
}

/* Those of /proc that are not in the tree, and were born between two pids; `to` 0: all. */
static size_t gather(struct tree *tree, pid_t from, pid_t to)
{
    const struct dirent *entry;
    size_t count = 0;

    tree->names_seen = 0;
    rewinddir(tree->names);
    while ((entry = readdir(tree->names)) != NULL) {
        pid_t pid = pid_of(entry->d_name);

        if (pid == 0)
            continue;
        tree->names_seen++;
        if ((to != 0 && !is_between(pid, from, to)) || pid == tree->top ||
            is_left_out(tree, pid) || tree_has(tree, pid))
            continue;
        if (tree->top == 0)
            (void)tree_add(tree, pid);
        else if (add_candidate(tree, count, pid))
            count++;
    }
    return count;
}

/* Take in those whose parent is in the tree, until no more are. */
static void place(struct tree *tree, size_t count)
{
    bool added = true;

    while (added) {
        added = false;
        for (size_t i = 0; i < count; i++) {
            struct candidate *c = &tree->candidates[i];

            if (c->pid == 0 || (c->parent != tree->top && !tree_has(tree, c->parent)) ||
                !tree_add(tree, c->pid))
                continue;
            c->pid = 0;
            added = true;
            if (!tree_member_read(tree, tree->count - 1))
                tree_drop(tree, tree->count - 1);
        }
    }
}

static unsigned at_least(unsigned a, size_t b)
{
    return b > a ? (unsigned)b : a;
}

void tree_look(struct tree *tree, bool thoroughly)
{
    pid_t last = newest_pid(tree);
    bool first = tree->names_seen == 0;
    bool whole, partly;

    if (tree->names == NULL)
        return;
    whole =
        first || thoroughly ||
        tree->reads - tree->wholly >
            (last == 0 ? tree->names_seen / 64 : at_least(WHOLE_EVERY, tree->names_seen / 32));
    /* The interval before is looked at a second time: a parent may have ended between the
     * reading of its child and of itself, which left the child unplaced. */
    partly = last != 0 && last != tree->before &&
             tree->reads - tree->looked > tree->names_seen / 512;
    if (!whole && !partly)
        return;
    place(tree, gather(tree, tree->before, whole ? 0 : last));
    tree->before = tree->last;
    tree->last = last;
    tree->looked = tree->reads;
    if (whole)
        tree->wholly = tree->reads;
}
