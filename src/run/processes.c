#include "run/processes.h"

#include <errno.h>
#include <signal.h>

/* tree_find() adds those that are new, and keeps what it knew: who ended in the meantime is no
 * longer to be found by a signal. */
bool processes_alive(const struct tree *tree)
{
    const pid_t *members;
    size_t count = tree_members(tree, &members);

    for (size_t i = 0; i < count; i++)
        if (kill(members[i], 0) == 0 || errno == EPERM)
            return true;
    return false;
}

bool processes_catch(const struct tree *tree, int number)
{
    const pid_t *members;
    size_t count = tree_members(tree, &members);

    for (size_t i = 0; i < count; i++)
        if (tree_catches(tree, members[i], number))
            return true;
    return false;
}

/* Has an ancestor within the tree already caught it? Members come parents first, so that one
 * mark for each is enough: but the tree is small and this is rare, so it is asked again. */
static bool is_below_catcher(const struct tree *tree, pid_t pid, int number)
{
    for (pid_t at = tree_parent(tree, pid); at > 0; at = tree_parent(tree, at))
        if (tree_catches(tree, at, number))
            return true;
    return false;
}

int processes_ask(const struct tree *tree, int number)
{
    const pid_t *members;
    size_t count = tree_members(tree, &members);
    int asked = 0;

    for (size_t i = 0; i < count; i++)
        if (tree_catches(tree, members[i], number) &&
            !is_below_catcher(tree, members[i], number) && kill(members[i], number) == 0)
            asked++;
    return asked;
}

void processes_term(const struct tree *tree)
{
    const pid_t *members;
    size_t count = tree_members(tree, &members);

    for (size_t i = 0; i < count; i++) {
        if (!is_below_catcher(tree, members[i], SIGTERM))
            (void)kill(members[i], SIGTERM);
        (void)kill(members[i], SIGCONT);
    }
}

void processes_kill(const struct tree *tree)
{
    const pid_t *members;
    size_t count = tree_members(tree, &members);

    for (size_t i = 0; i < count; i++)
        (void)kill(members[i], SIGKILL);
}
