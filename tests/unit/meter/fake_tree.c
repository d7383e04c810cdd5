/* The processes of a run as a test lists them, in place of those of the system. */
#include "fake.h"

bool tree_has(const struct tree *tree, pid_t pid)
{
    for (size_t i = 0; i < tree->count; i++)
        if (tree->pid[i] == pid)
            return true;
    return false;
}

size_t tree_members(const struct tree *tree, const pid_t **out)
{
    *out = tree->pid;
    return tree->count;
}
