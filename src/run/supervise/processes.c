#include "run/supervise/processes.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>

#include "meter/proc.h"

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

/* ---- launchers ---- */

bool process_is_launcher(struct str line)
{
    static const char *const names[] = {"mpirun",        "mpiexec",    "orterun",    "prterun",
                                        "mpiexec.hydra", "mpirun_rsh", "srun",       "torchrun",
                                        "horovodrun",    "deepspeed",  "accelerate", "aprun",
                                        "jsrun",         "flux",       NULL};
    static const char *const modules[] = {"torch.distributed.run",
                                          "torch.distributed.launch",
                                          "deepspeed.launcher.runner",
                                          "deepspeed.launcher.launch",
                                          "accelerate.commands.launch",
                                          "horovod.runner",
                                          NULL};
    struct str first = str_cut(&line, '\0'), second;

    if (str_is_one_of(str_after_last(first, '/'), names))
        return true;
    if (!str_starts(str_after_last(first, '/'), STR("python")))
        return false;
    while (line.len > 0 && line.at[0] == '-') {
        struct str option = str_cut(&line, '\0');

        if (str_eq(option, STR("-m")))
            return str_is_one_of(str_cut(&line, '\0'), modules);
        if (str_eq(option, STR("-c")))
            return false;
    }
    second = str_cut(&line, '\0');
    return str_is_one_of(str_after_last(second, '/'), names);
}

/* What a launcher starts beside the job's own processes: they pass signals on, or the launcher
 * does not send them any. */
static bool is_launcher_helper(struct str line)
{
    static const char *const names[] = {
        "orted", "prted", "hydra_pmi_proxy", "pmi_proxy", "ssh", "srun", "qrsh", NULL};

    return str_is_one_of(str_after_last(str_cut(&line, '\0'), '/'), names);
}

static struct str command_line(pid_t pid, char *to, size_t room)
{
    char path[32];

    (void)snprintf(path, sizeof path, "/proc/%d/cmdline", (int)pid);
    return proc_file(path, to, room);
}

/* The processes that a launcher passes signals on to: how many, and how many of them do not
 * catch this one. */
struct ranks {
    int count, deaf;
};

static void count_ranks(const struct tree *tree, pid_t launcher, int number, struct ranks *out)
{
    const pid_t *members;
    size_t count = tree_members(tree, &members);

    for (size_t i = 0; i < count; i++) {
        char text[4096];

        if (tree_parent(tree, members[i]) != launcher)
            continue;
        if (is_launcher_helper(command_line(members[i], text, sizeof text))) {
            count_ranks(tree, members[i], number, out);
            continue;
        }
        out->count++;
        out->deaf += tree_catches(tree, members[i], number) ? 0 : 1;
    }
}

/* A launcher that has nothing below it here started it elsewhere, where we cannot look. */
static bool may_pass_on(const struct tree *tree, pid_t launcher, int number)
{
    struct ranks ranks = {0};

    count_ranks(tree, launcher, number, &ranks);
    return ranks.count > 0 && ranks.deaf == 0;
}

/* Can this process be sent the signal, and all survive it? */
static bool can_be_asked(const struct tree *tree, pid_t pid, int number)
{
    char text[4096];

    return tree_catches(tree, pid, number) &&
           (!process_is_launcher(command_line(pid, text, sizeof text)) ||
            may_pass_on(tree, pid, number));
}

/* ---- signals ---- */

/* Has an ancestor within the tree already caught it? Members come parents first, so that one
 * mark for each is enough: but the tree is small and this is rare, so it is asked again. */
static bool is_below_catcher(const struct tree *tree, pid_t pid, int number)
{
    for (pid_t at = tree_parent(tree, pid); at > 0; at = tree_parent(tree, at))
        if (tree_catches(tree, at, number))
            return true;
    return false;
}

/* Is one above it asked, which sees to its own? */
static bool is_below_asked(const struct tree *tree, pid_t pid, int number)
{
    for (pid_t at = tree_parent(tree, pid); at > 0; at = tree_parent(tree, at))
        if (can_be_asked(tree, at, number))
            return true;
    return false;
}

bool processes_can_ask(const struct tree *tree, int number)
{
    const pid_t *members;
    size_t count = tree_members(tree, &members);

    for (size_t i = 0; i < count; i++)
        if (can_be_asked(tree, members[i], number))
            return true;
    return false;
}

int processes_ask(const struct tree *tree, int number)
{
    const pid_t *members;
    size_t count = tree_members(tree, &members);
    int asked = 0;

    for (size_t i = 0; i < count; i++)
        if (can_be_asked(tree, members[i], number) &&
            !is_below_asked(tree, members[i], number) && kill(members[i], number) == 0)
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
