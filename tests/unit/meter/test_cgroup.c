/* meter/cgroup.h: groups of this machine where they can be made, and fake folders. */
#include "meter/cgroup.h"

#include "machine.h"
#include "meter/cgroup_place.h"
#include "meter/tree.h"

/* The test is skipped where none can be made. */
static void make(struct cgroup *group, const char *what)
{
    char name[64], why[160] = "";

    (void)snprintf(name, sizeof name, "test-%s-%d", what, (int)getpid());
    if (cgroup_make(group, name, NULL, why))
        return;
    assert_true(strlen(why) > 10);
    assert_int_equal(group->v2[0] + group->cpuacct[0] + group->memory[0], 0);
    test_skip("%s", why);
}

static bool is_there(const char *folder)
{
    return folder[0] != '\0' && access(folder, F_OK) == 0;
}

static void nothing_is_left_behind(void **state)
{
    struct cgroup group, copy;

    (void)state;
    make(&group, "none");
    copy = group;
    assert_true(is_there(copy.v2) || is_there(copy.cpuacct) || is_there(copy.memory));
    assert_true(cgroup_empty(&group));
    cgroup_remove(&group);
    assert_false(is_there(copy.v2) || is_there(copy.cpuacct) || is_there(copy.memory));
    assert_int_equal(group.v2[0], 0);
    assert_true(cgroup_empty(&group));
    cgroup_kill(&group); /* none: nothing happens */
    cgroup_remove(&group);
}

struct user {
    const struct gate *up;
    double use;
};

static void use_and_pause(void *ctx)
{
    const struct user *user = ctx;

    (void)fork();
    use_processor(user->use);
    gate_open(user->up);
    pause();
    _exit(0);
}

static pid_t start_in(const struct cgroup *group, const struct gate *up, double use)
{
    struct user user = {up, use};
    pid_t child = cgroup_start(group, false, use_and_pause, &user);

    assert_true(child > 0);
    gate_wait(up);
    gate_wait(up);
    return child;
}

/* All that is in the group is counted by it, and ended with it. */
static void a_group_counts_and_ends_all(void **state)
{
    struct cgroup group;
    struct gate up = gate_new();
    struct error err = {0};
    struct tree *tree;
    struct tree_sample s;
    const pid_t *pids;
    pid_t child;

    (void)state;
    make(&group, "count");
    tree = tree_open(getpid(), &group, NULL, &alloc_system, &err);
    assert_non_null(tree);
    tree_read(tree, &s);
    assert_int_equal(s.processes, 0);
    child = start_in(&group, &up, 0.1);
    assert_false(cgroup_empty(&group));
    tree_read(tree, &s);
    assert_int_equal(s.processes, 2);
    assert_int_equal(tree_members(tree, &pids), 2);
    assert_true(tree_has(tree, child));
    if (group.v2[0] != '\0') {
        assert_string_equal(s.source, "cgroup v2");
    }
    assert_true(s.cpu_s >= 0.15);
    assert_true(s.cpu_s < 5);
    assert_true(s.memory >= 0);
    cgroup_kill(&group);
    while (waitpid(-1, NULL, 0) > 0)
        ;
    assert_true(cgroup_empty(&group));
    tree_read(tree, &s);
    assert_int_equal(s.processes, 0);
    assert_true(s.cpu_s >= 0.15); /* what ended stays counted */
    cgroup_remove(&group);
    tree_read(tree, &s); /* and when the group is gone */
    assert_true(s.cpu_s >= 0.15);
    tree_close(tree);
    gate_free(&up);
}

/* Killed one by one, as where the kernel has no cgroup.kill. */
static void killing_one_by_one(void **state)
{
    struct cgroup group, one;
    struct gate up = gate_new();

    (void)state;
    make(&group, "kill");
    (void)start_in(&group, &up, 0.01);
    one = group;
    if (one.memory[0] != '\0') /* version 1 never had it */
        one.v2[0] = '\0';
    cgroup_kill(&one);
    while (waitpid(-1, NULL, 0) > 0)
        ;
    assert_true(cgroup_empty(&group));
    cgroup_remove(&group);
    gate_free(&up);
}

/* Groups that a program made in ours: their processes count, and the folders go with ours. */
static void groups_below_belong_to_it(void **state)
{
    struct cgroup group, below, copy;
    struct gate up = gate_new();
    struct error err = {0};
    struct tree *tree;
    struct tree_sample s;

    (void)state;
    make(&group, "nest");
    copy = below = group;
    if (group.v2[0] != '\0')
        (void)snprintf(below.v2, sizeof below.v2, "%.400s/below", group.v2);
    if (group.cpuacct[0] != '\0')
        (void)snprintf(below.cpuacct, sizeof below.cpuacct, "%.400s/below", group.cpuacct);
    if (group.memory[0] != '\0')
        (void)snprintf(below.memory, sizeof below.memory, "%.400s/below", group.memory);
    (void)mkdir(below.v2, 0755);
    (void)mkdir(below.cpuacct, 0755);
    (void)mkdir(below.memory, 0755);
    tree = tree_open(getpid(), &group, NULL, &alloc_system, &err);
    assert_non_null(tree);
    (void)start_in(&below, &up, 0.05);
    assert_false(cgroup_empty(&group));
    tree_read(tree, &s);
    assert_int_equal(s.processes, 2);
    assert_true(s.cpu_s >= 0.08);
    cgroup_kill(&group);
    while (waitpid(-1, NULL, 0) > 0)
        ;
    cgroup_remove(&group);
    assert_false(is_there(copy.v2) || is_there(copy.cpuacct) || is_there(copy.memory));
    tree_close(tree);
    gate_free(&up);
}

/* Where joining fails, the group is empty: /proc is right then. */
static void empty_group_is_not_used(void **state)
{
    struct cgroup group, nowhere = {0};
    struct gate up = gate_new();
    struct error err = {0};
    struct tree *tree;
    struct tree_sample s;
    const pid_t *pids;
    pid_t child;

    (void)state;
    make(&group, "doubt");
    tree = tree_open(getpid(), &group, NULL, &alloc_system, &err);
    assert_non_null(tree);
    child = start_in(&nowhere, &up, 0.1);
    for (int i = 0; i < 4; i++)
        tree_read(tree, &s);
    assert_string_equal(s.source, "/proc and wait");
    assert_int_equal(s.processes, 2);
    assert_true(s.cpu_s >= 0.15);
    tree_find(tree);
    assert_true(tree_has(tree, child));
    cgroup_remove(&group);
    for (size_t i = tree_members(tree, &pids); i-- > 0;)
        (void)kill(pids[i], SIGKILL);
    while (waitpid(-1, NULL, 0) > 0)
        ;
    tree_close(tree);
    gate_free(&up);
}

/* Where this process is, as different machines report it. */
static void places(const char *groups, const char *mounts, struct cgroup_place *out,
                   struct machine *m)
{
    *m = machine_new();
    machine_put(m, "/proc/self/cgroup", groups);
    machine_put(m, "/proc/self/mountinfo", mounts);
    cgroup_place_find(m->root, out);
}

static void assert_place(const struct machine *m, const struct cgroup_at *at, const char *path)
{
    assert_true(strncmp(at->folder, m->root, strlen(m->root)) == 0);
    assert_string_equal(at->folder + strlen(m->root), path);
}

static void unified_machines(void **state)
{
    struct cgroup_place place;
    struct machine m;

    (void)state;
    places("0::/user.slice/user-1000.slice/session-3.scope\n",
           "25 1 0:22 / /sys rw - sysfs sysfs rw\n"
           "33 25 0:30 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n",
           &place, &m);
    assert_place(&m, &place.v2, "/sys/fs/cgroup/user.slice/user-1000.slice/session-3.scope");
    assert_int_equal(place.memory.folder[0], 0);
    assert_true(cgroup_above(&place.v2));
    assert_place(&m, &place.v2, "/sys/fs/cgroup/user.slice/user-1000.slice");
    assert_true(cgroup_above(&place.v2));
    assert_true(cgroup_above(&place.v2));
    assert_place(&m, &place.v2, "/sys/fs/cgroup");
    assert_false(cgroup_above(&place.v2));
    machine_free(&m);
}

static void hybrid_machines(void **state)
{
    struct cgroup_place place;
    struct machine m;

    (void)state;
    places(
        "12:memory:/docker/abc\n3:cpu,cpuacct:/docker/abc\n1:name=systemd:/x\n0::/x y\n",
        "34 33 0:31 /docker/abc /sys/fs/cgroup/cpu,cpuacct ro - cgroup cgroup rw,cpu,cpuacct\n"
        "37 33 0:34 /docker/abc /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n"
        "42 33 0:39 / /sys/fs/cgroup/systemd rw - cgroup cgroup rw,xattr,name=systemd\n"
        "43 33 0:40 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n",
        &place, &m);
    /* A container is shown its own part of the hierarchy. */
    assert_place(&m, &place.memory, "/sys/fs/cgroup/memory");
    assert_true(place.memory.alone);
    assert_place(&m, &place.cpu, "/sys/fs/cgroup/cpu,cpuacct");
    assert_false(place.cpuacct.alone);
    assert_place(&m, &place.v2, "/sys/fs/cgroup/unified/x y");
    machine_free(&m);
}

static void odd_places(void **state)
{
    static const char junk[] = "\n\n::\n0::\nx\n4:memory\n0::/../../etc\n";
    struct cgroup_place place;
    struct cgroup group;
    struct machine m;
    char long_line[9000], why[160] = "";

    (void)state;
    places(junk, "x\n - cgroup2\n1 2 3 / /a\\040b rw - cgroup2 x rw\n", &place, &m);
    assert_int_equal(place.v2.folder[0], 0);
    assert_false(cgroup_make(&group, "x", m.root, why));
    assert_string_equal(why, "no control groups are mounted");
    machine_free(&m);

    /* Above the root of the namespace: not to be seen from here. */
    places("0::/../../other\n", "1 2 3 / /sys/fs/cgroup rw - cgroup2 x rw\n", &place, &m);
    assert_int_equal(place.v2.folder[0], 0);
    machine_free(&m);

    /* A mount with a line that is too long is passed over, the next is read. */
    memset(long_line, 'a', sizeof long_line);
    (void)snprintf(long_line + 8900, 100, "\n1 2 3 / /sys/fs/cgroup rw - cgroup2 x rw\n");
    places("0::/\n", long_line, &place, &m);
    assert_place(&m, &place.v2, "/sys/fs/cgroup");

    /* A folder that is there, but is no control group: nothing is left in it. */
    machine_put(&m, "/sys/fs/cgroup/readme", "x");
    assert_false(cgroup_make(&group, "x", m.root, why));
    assert_non_null(strstr(why, "no group can be made in"));
    (void)snprintf(long_line, sizeof long_line, "%s/sys/fs/cgroup/stint-x", m.root);
    assert_false(is_there(long_line));
    machine_free(&m);
}

int group_cgroup(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_left_behind),
        cmocka_unit_test(a_group_counts_and_ends_all),
        cmocka_unit_test(killing_one_by_one),
        cmocka_unit_test(groups_below_belong_to_it),
        cmocka_unit_test(empty_group_is_not_used),
        cmocka_unit_test(unified_machines),
        cmocka_unit_test(hybrid_machines),
        cmocka_unit_test(odd_places),
    };

    (void)prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
