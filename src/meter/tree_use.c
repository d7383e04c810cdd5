/* What the processes of a tree have used, one by one. */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "meter/tree_internal.h"

/* Opening takes longer than reading, so the files of those that live on stay open: as many as a
 * program may well hold. A file that is open is never another process's. */
static bool read_stat(struct tree *tree, size_t index, struct proc_stat *out)
{
    struct member *m = &tree->at[index];
    char path[32], buffer[1024];
    int fd = m->stat - 1;
    ssize_t got;

    if (fd < 0) {
        (void)snprintf(path, sizeof path, "%d/stat", (int)tree->pids[index]);
        fd = openat(tree->proc, path, O_RDONLY | O_CLOEXEC);
        if (fd < 0)
            return false;
        if (tree->kept < KEPT_MAX && !isnan(m->start)) {
            m->stat = fd + 1;
            tree->kept++;
        }
    }
    got = pread(fd, buffer, sizeof buffer, 0);
    if (m->stat == 0)
        close(fd);
    return got > 0 && proc_stat_parse((struct str){buffer, (size_t)got}, out);
}

bool tree_member_read(struct tree *tree, size_t index)
{
    struct member *m = &tree->at[index];
    struct proc_stat stat;

    if (!read_stat(tree, index, &stat))
        return false;
    if (!isnan(m->start) && m->start != stat.start)
        return false; /* the pid is another's now */
    m->start = stat.start;
    m->zombie = stat.state == 'Z' || stat.state == 'X';
    m->own = (struct spent){stat.user * tree->tick_s, stat.system * tree->tick_s};
    m->waited =
        (struct spent){stat.waited_user * tree->tick_s, stat.waited_system * tree->tick_s};
    m->resident = stat.resident * tree->page;
    return true;
}

/* False when it may not be read, as of another user's process. */
bool tree_member_io(struct tree *tree, size_t index)
{
    struct member *m = &tree->at[index];
    char path[32], buffer[512];
    struct str text;
    double read, written;

    (void)snprintf(path, sizeof path, "%d/io", (int)tree->pids[index]);
    if (!proc_read(tree->proc, path, buffer, sizeof buffer, &text))
        return false;
    read = proc_value(text, "read_bytes:");
    written = proc_value(text, "write_bytes:");
    if (isnan(read) || isnan(written))
        return false;
    m->read = read;
    m->written = written;
    return true;
}

/* Walking the page tables of a process takes about 40 ns a page, and holds its lock. What may
 * be walked at each read is 0.1 ms or so; a process of 4 GB gets its turn every eight minutes.
 * In between the last proportion holds. One that would take longer than 40 ms is left alone. */
#define PAGES_A_READ 2048.0
#define PAGES_MOST 1048576.0

/* The process that was looked at longest ago, of those that matter. */
static size_t next_to_look(const struct tree *tree)
{
    size_t best = tree->count, large = 0;

    for (size_t i = 0; i < tree->count; i++) {
        if (tree->at[i].zombie || tree->at[i].resident < 16e6)
            continue;
        large++;
        if (tree->at[i].resident > PAGES_MOST * tree->page)
            continue;
        if (best == tree->count || tree->at[i].looked < tree->at[best].looked)
            best = i;
    }
    return large > 1 ? best : tree->count; /* one alone shares with nobody */
}

void tree_pages(struct tree *tree)
{
    size_t index = next_to_look(tree);
    char path[40], buffer[2048];
    struct member *m;
    struct str text;
    double proportional, resident;

    if (tree->pages_credit < PAGES_AT_FIRST)
        tree->pages_credit += PAGES_A_READ;
    /* A process that is larger than the credit can get is looked at, and paid for later. */
    if (index == tree->count || (tree->at[index].resident / tree->page > tree->pages_credit &&
                                 tree->pages_credit < PAGES_AT_FIRST))
        return;
    m = &tree->at[index];
    m->looked = ++tree->pages_looked;
    tree->pages_credit -= m->resident / tree->page;
    (void)snprintf(path, sizeof path, "%d/smaps_rollup", (int)tree->pids[index]);
    if (!proc_read(tree->proc, path, buffer, sizeof buffer, &text))
        return;
    proportional = proc_value(text, "Pss:");
    resident = proc_value(text, "Rss:");
    if (resident > 0 && proportional <= resident)
        m->proportion = proportional / resident;
}
