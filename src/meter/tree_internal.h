/* tree_internal.h - what the files of tree.h share. */
#ifndef METER_TREE_INTERNAL_H
#define METER_TREE_INTERNAL_H

#include <dirent.h>

#include "meter/proc.h"
#include "meter/tree.h"

#define MEMBERS_MAX 16384 /* of a tree; more are counted when they end, not while they live */
#define KEPT_MAX 128      /* files that stay open */
#define LEFT_OUT 16
#define PAGES_AT_FIRST 65536.0 /* that may be walked: see tree_pages() */

struct spent {
    double user_s, system_s;
};

struct member {
    double start;         /* ticks since the machine started: with the pid, it names it */
    struct spent own;     /* its threads' processor time */
    struct spent waited;  /* that of children it waited for */
    double resident;      /* bytes */
    double proportion;    /* of `resident` that is its own share of shared pages; NaN unknown */
    double read, written; /* bytes, its own and of children it waited for */
    unsigned looked;      /* at the pages, last: see tree_pages() */
    int stat;             /* its file, and one; 0: not open */
    bool zombie, listed;
};

struct candidate {
    pid_t pid, parent; /* 0: is in the tree now */
};

struct tree {
    const struct alloc *alloc;
    const struct cgroup *group; /* NULL: none, or not believed */
    int v2, cpuacct, memory;    /* its folders, or -1 */
    bool joined;                /* by somebody */
    unsigned doubts;            /* looks at which nobody was in it, but somebody in /proc */
    pid_t top;
    int proc; /* the folder */
    DIR *names;
    struct member *at;
    pid_t *pids; /* of `at`, apart so that tree_has() is quick */
    size_t count, capacity;
    size_t kept; /* files that are open */
    pid_t left_out[LEFT_OUT];
    size_t left_outs;
    /* Finding. */
    pid_t last;      /* the newest pid when /proc was last looked through; 0: never */
    pid_t before;    /* likewise the time before that */
    unsigned reads;  /* tree_read()s so far */
    unsigned looked; /* the read at which /proc was last looked through */
    unsigned wholly; /* likewise, every process in it */
    size_t names_seen;
    struct candidate *candidates;
    size_t candidate_room;
    bool real; /* /proc is one, so that its newest pid can be trusted */
    /* Adding up. */
    double tick_s, page;
    struct spent at_first; /* waited for by `top` before the tree was opened */
    double read_at_first, written_at_first;
    struct spent waited_before; /* as it was at the last read, of those who lived then */
    struct spent owed;          /* of those that vanished, and that nobody waited for yet */
    struct spent lost;          /* ... and that nobody did */
    double pages_credit;
    unsigned pages_looked;
    struct tree_sample most; /* the highest of each counter so far */
};

/* tree_find.c */
void tree_look(struct tree *tree, bool thoroughly);
bool tree_add(struct tree *tree, pid_t pid);
void tree_drop(struct tree *tree, size_t index);

/* tree_use.c: what `index` has used until now. False: it has ended. */
bool tree_member_read(struct tree *tree, size_t index);
bool tree_member_io(struct tree *tree, size_t index);
void tree_pages(struct tree *tree); /* shared pages, a little further at each read */

/* tree_group.c: what the cgroup says. False: it does not. */
void tree_group_open(struct tree *tree, const struct cgroup *group);
void tree_group_close(struct tree *tree);
void tree_group_members(struct tree *tree); /* may cease to believe in the group */
bool tree_group_cpu(const struct tree *tree, struct tree_sample *out);
bool tree_group_memory(const struct tree *tree, struct tree_sample *out);
bool tree_group_io(const struct tree *tree, struct tree_sample *out);

/* tree_machine.c: for `top` 0. */
void tree_machine_read(struct tree *tree, struct tree_sample *out);

#endif
