/* meter/tree.h: real processes of this machine, and fake ones. */
#include "meter/tree.h"

#include <sys/resource.h>

#include "machine.h"
#include "meter/proc.h"

static struct tree *open_mine(void)
{
    struct error err = {0};
    struct tree *tree = tree_open(getpid(), NULL, NULL, &alloc_system, &err);

    assert_non_null(tree);
    return tree;
}

/* Wait for `pid` only. */
static void reap(pid_t pid)
{
    int status;

    assert_int_equal(waitpid(pid, &status, 0), pid);
}

static void end(pid_t pid)
{
    (void)kill(pid, SIGKILL);
    reap(pid);
}

static void stat_lines_are_read_whatever_the_name(void **state)
{
    struct proc_stat stat;

    (void)state;
    assert_true(proc_stat_parse(
        STR("42 (a) R 1 (b)) S 7 42 42 0 -1 4194560 1 2 3 4 11 12 13 14 20 0 1 0 900 5000 "
            "77 18446744073709551615 1\n"),
        &stat));
    assert_int_equal(stat.state, 'S');
    assert_int_equal(stat.parent, 7);
    assert_near(stat.user, 11, 0);
    assert_near(stat.system, 12, 0);
    assert_near(stat.waited_user, 13, 0);
    assert_near(stat.waited_system, 14, 0);
    assert_near(stat.start, 900, 0);
    assert_near(stat.resident, 77, 0);
    assert_false(proc_stat_parse(STR(""), &stat));
    assert_false(proc_stat_parse(STR("42 (a"), &stat));
    assert_false(proc_stat_parse(STR("42 (a)"), &stat));
    assert_false(proc_stat_parse(STR("42 (a) S 7 1 1"), &stat));
}

static void values_follow_their_key(void **state)
{
    struct str text = STR("MemTotalish: 3\nMemTotal:   12 kB\nMem 5\nlast -7");

    (void)state;
    assert_near(proc_value(text, "MemTotal:"), 12, 0);
    assert_near(proc_value(text, "last"), -7, 0);
    assert_true(isnan(proc_value(text, "MemFree:")));
    assert_true(isnan(proc_value(STR("key\n"), "key")));
}

/* Children and grandchildren are found, and go when they end. */
static void descendants_are_found(void **state)
{
    struct tree *tree = open_mine();
    struct gate up = gate_new();
    struct tree_sample s;
    const pid_t *pids;
    pid_t child;

    (void)state;
    tree_read(tree, &s);
    assert_int_equal(s.processes, 0);
    assert_string_equal(s.source, "/proc and wait");
    child = fork();
    if (child == 0) {
        for (int i = 0; i < 3; i++) {
            if (fork() == 0) {
                gate_open(&up);
                pause();
            }
        }
        gate_open(&up);
        pause();
    }
    for (int i = 0; i < 4; i++)
        gate_wait(&up);
    tree_read(tree, &s);
    assert_int_equal(s.processes, 4);
    assert_int_equal(tree_members(tree, &pids), 4);
    assert_int_equal(pids[0], child); /* parents first */
    assert_true(tree_has(tree, child));
    assert_false(tree_has(tree, getpid()));
    assert_false(tree_has(tree, getppid()));
    assert_true(s.memory > 1e5);
    assert_true(s.memory_peak >= s.memory);
    for (size_t i = 4; i-- > 1;)
        (void)kill(pids[i], SIGKILL);
    end(child);
    while (waitpid(-1, NULL, 0) > 0)
        ;
    tree_read(tree, &s);
    assert_int_equal(s.processes, 0);
    assert_int_equal(tree_members(tree, &pids), 0);
    gate_free(&up);
    tree_close(tree);
}

/* A daemon forks twice and lets its parent end: it becomes ours, and stays in the tree. */
static void daemons_stay_in_the_tree(void **state)
{
    struct tree *tree = open_mine();
    struct gate up = gate_new(), reported = gate_new();
    struct tree_sample s;
    pid_t child, daemon = 0;

    (void)state;
    child = fork();
    if (child == 0) {
        pid_t second = fork();

        if (second == 0) {
            (void)setsid();
            pid_t third = fork();

            if (third > 0) {
                (void)!write(reported.fd[1], &third, sizeof third);
                _exit(0);
            }
            gate_open(&up);
            use_processor(0.05);
            gate_open(&up);
            pause();
        }
        (void)waitpid(second, NULL, 0);
        _exit(0);
    }
    assert_int_equal(read(reported.fd[0], &daemon, sizeof daemon), sizeof daemon);
    gate_wait(&up);
    reap(child);
    gate_wait(&up);
    tree_read(tree, &s);
    assert_int_equal(s.processes, 1);
    assert_true(tree_has(tree, daemon));
    assert_true(s.cpu_s >= 0.03);
    end(daemon);
    tree_read(tree, &s);
    assert_int_equal(s.processes, 0);
    assert_true(s.cpu_s >= 0.05);
    gate_free(&up);
    gate_free(&reported);
    tree_close(tree);
}

static double children_s(void)
{
    struct rusage use;

    assert_int_equal(getrusage(RUSAGE_CHILDREN, &use), 0);
    return (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
           (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec) * 1e-6;
}

/* Thousands of children that live for less than a sample: counted as the kernel does. */
static void short_lives_are_counted(void **state)
{
    struct tree *tree = open_mine();
    struct tree_sample s;
    double before = children_s(), last = 0, all;
    pid_t parent = fork();

    (void)state;
    if (parent == 0) {
        for (int i = 0; i < 2000; i++) {
            pid_t child = fork();

            if (child == 0) {
                for (volatile int k = 0; k < 20000; k++)
                    ;
                _exit(0);
            }
            (void)waitpid(child, NULL, 0);
        }
        _exit(0);
    }
    while (waitpid(parent, NULL, WNOHANG) == 0) {
        tree_read(tree, &s);
        assert_true(s.cpu_s >= last); /* never back */
        last = s.cpu_s;
        (void)usleep(2000);
    }
    tree_read(tree, &s);
    all = children_s() - before;
    assert_true(all > 0.01);
    assert_near(s.cpu_s, all, all * 0.02);
    assert_true(last <= s.cpu_s);
    assert_near(s.user_s + s.system_s, s.cpu_s, 1e-9);
    tree_close(tree);
}

/* A child whose parent ignores SIGCHLD is never waited for: what was read of it is kept. */
static void unreaped_children_are_kept(void **state)
{
    struct tree *tree = open_mine();
    struct gate up = gate_new(), go = gate_new();
    struct tree_sample s, later;
    pid_t parent = fork();

    (void)state;
    if (parent == 0) {
        (void)signal(SIGCHLD, SIG_IGN);
        if (fork() == 0) {
            use_processor(0.3);
            gate_open(&up);
            gate_wait(&go);
            _exit(0);
        }
        (void)waitpid(-1, NULL, 0); /* until all ended: then there is no child */
        gate_open(&up);
        pause();
    }
    gate_wait(&up);
    tree_read(tree, &s);
    assert_true(s.cpu_s >= 0.25);
    gate_open(&go);
    gate_wait(&up);
    for (int i = 0; i < 3; i++)
        tree_read(tree, &later);
    assert_int_equal(later.processes, 1);
    assert_true(later.cpu_s >= s.cpu_s);
    end(parent);
    tree_read(tree, &later);
    assert_true(later.cpu_s >= s.cpu_s);
    assert_true(later.cpu_s < s.cpu_s + 0.2);
    gate_free(&up);
    gate_free(&go);
    tree_close(tree);
}

static void stopped_and_left_out(void **state)
{
    struct tree *tree = open_mine();
    struct tree_sample s;
    pid_t stopped = fork(), helper;
    int status;

    (void)state;
    if (stopped == 0)
        for (;;)
            pause();
    assert_int_equal(kill(stopped, SIGSTOP), 0);
    assert_int_equal(waitpid(stopped, &status, WUNTRACED), stopped);
    helper = fork();
    if (helper == 0)
        for (;;)
            pause();
    tree_leave_out(tree, helper);
    tree_read(tree, &s);
    assert_int_equal(s.processes, 1);
    assert_true(tree_has(tree, stopped));
    assert_false(tree_has(tree, helper));
    tree_find(tree);
    assert_false(tree_has(tree, helper));
    end(stopped);
    end(helper);
    tree_close(tree);
}

static void on_signal(int number)
{
    (void)number;
}

static void handlers_are_seen(void **state)
{
    struct tree *tree = open_mine();

    (void)state;
    (void)signal(SIGUSR1, on_signal);
    (void)signal(SIGUSR2, SIG_IGN);
    assert_true(tree_catches(tree, getpid(), SIGUSR1));
    assert_false(tree_catches(tree, getpid(), SIGUSR2)); /* ignoring is not handling */
    assert_false(tree_catches(tree, getpid(), SIGALRM));
    assert_false(tree_catches(tree, getpid(), 0));
    assert_false(tree_catches(tree, getpid(), 65));
    assert_false(tree_catches(tree, 2147483646, SIGUSR1));
    (void)signal(SIGUSR1, SIG_DFL);
    (void)signal(SIGUSR2, SIG_DFL);
    tree_close(tree);
}

/* Bytes that a child wrote to a disk count while it lives, and after. */
static void writes_count_once(void **state)
{
    struct tree *tree = open_mine();
    struct gate up = gate_new();
    struct tree_sample s;
    double living;
    pid_t child = fork();

    (void)state;
    if (child == 0) {
        char path[] = "/var/tmp/stint-tree-XXXXXX", block[65536] = {1};
        int fd = mkstemp(path);

        (void)unlink(path);
        for (int i = 0; i < 16; i++)
            (void)!write(fd, block, sizeof block);
        (void)fsync(fd);
        gate_open(&up);
        pause();
    }
    gate_wait(&up);
    tree_read(tree, &s);
    living = s.written;
    end(child);
    tree_read(tree, &s);
    gate_free(&up);
    tree_close(tree);
    if (isnan(living) || living == 0)
        test_skip("/proc/PID/io says nothing of this disk");
    assert_true(living >= 16 * 65536);
    assert_near(s.written, living, 1024);
}

#define STAT(pid, name, state, parent, user, start, pages) \
    pid " (" name ") " state " " parent " 1 1 0 -1 0 0 0 0 0 " user " 0 0 0 20 0 1 0 " start \
        " 4096 " pages " 0\n"

/* Fake processes: strangers, odd names, zombies, reused pids. */
static void fake_processes(void **state)
{
    struct machine m = machine_new();
    struct error err = {0};
    struct tree *tree;
    struct tree_sample s;
    double page = (double)sysconf(_SC_PAGESIZE), tick = 1.0 / (double)sysconf(_SC_CLK_TCK);
    const pid_t *pids;

    (void)state;
    machine_put(&m, "/proc/50/stat", STAT("50", "stint", "S", "1", "9", "10", "5"));
    machine_put(&m, "/proc/7/stat", STAT("7", "x) S 50 (", "S", "50", "100", "11", "20000"));
    machine_put(&m, "/proc/8/stat", STAT("8", "stranger", "S", "1", "5000", "11", "9000"));
    machine_put(&m, "/proc/60/stat", STAT("60", "worker", "S", "7", "200", "12", "20000"));
    machine_put(&m, "/proc/61/stat", STAT("61", "dead", "Z", "7", "300", "12", "0"));
    machine_put(&m, "/proc/62/stat", "junk");
    machine_put(&m, "/proc/60/io", "rchar: 5\nread_bytes: 4096\nwrite_bytes: 512\n");
    machine_put(&m, "/proc/7/io", "read_bytes: 1\nwrite_bytes: 2\n");
    machine_put(&m, "/proc/60/smaps_rollup", "0-1 ---p\nRss: 1000 kB\nPss: 500 kB\n");
    machine_put(&m, "/proc/7/smaps_rollup", "0-1 ---p\nRss: 1000 kB\nPss: 750 kB\n");
    tree = tree_open(50, NULL, m.root, &alloc_system, &err);
    assert_non_null(tree);
    tree_read(tree, &s);
    assert_int_equal(s.processes, 2);
    assert_int_equal(tree_members(tree, &pids), 3);
    assert_int_equal(pids[0], 7);
    assert_near(s.cpu_s, 600 * tick, 1e-9);
    assert_near(s.read, 4097, 0);
    assert_near(s.written, 514, 0);
    for (int i = 0; i < 3; i++) /* pages are read one process at a time */
        tree_read(tree, &s);
    assert_near(s.memory, 20000 * page * 1.25, 1);
    assert_near(s.memory_peak, 40000 * page, 20000 * page * 0.3);

    /* The pid of one that ended now belongs to a process outside the tree. */
    machine_put(&m, "/proc/60/stat", STAT("60", "other", "S", "1", "9000", "99", "7"));
    tree_read(tree, &s);
    assert_int_equal(s.processes, 1);
    assert_false(tree_has(tree, 60));
    assert_near(s.cpu_s, 600 * tick, 1e-9);
    tree_close(tree);
    machine_free(&m);
}

/* One that runs already: itself counts, what it used before does not. */
static void a_process_that_runs_already_is_in_its_tree(void **state)
{
    struct machine m = machine_new();
    struct error err = {0};
    struct tree *tree;
    struct tree_sample s;
    double tick = 1.0 / (double)sysconf(_SC_CLK_TCK);
    const pid_t *pids;

    (void)state;
    machine_put(&m, "/proc/70/stat", STAT("70", "train", "S", "1", "500", "10", "5"));
    machine_put(&m, "/proc/71/stat", STAT("71", "worker", "S", "70", "100", "11", "5"));
    machine_put(&m, "/proc/8/stat", STAT("8", "stranger", "S", "1", "5000", "11", "9000"));
    machine_put(&m, "/proc/70/io", "read_bytes: 1000\nwrite_bytes: 2000\n");
    machine_put(&m, "/proc/71/io", "read_bytes: 10\nwrite_bytes: 20\n");
    tree = tree_open(70, NULL, m.root, &alloc_system, &err);
    assert_non_null(tree);
    assert_true(tree_include_top(tree));
    tree_read(tree, &s);
    assert_int_equal(s.processes, 2);
    assert_int_equal(tree_members(tree, &pids), 2);
    assert_int_equal(pids[0], 70);
    assert_near(s.cpu_s, 0, 1e-9);
    assert_near(s.read, 0, 0);
    assert_near(s.written, 0, 0);

    /* 30 ticks of its own, 20 of the worker; and a new one that has used 7 already. */
    machine_put(&m, "/proc/70/stat", STAT("70", "train", "S", "1", "530", "10", "5"));
    machine_put(&m, "/proc/71/stat", STAT("71", "worker", "S", "70", "120", "11", "5"));
    machine_put(&m, "/proc/72/stat", STAT("72", "new", "S", "71", "7", "99", "5"));
    machine_put(&m, "/proc/70/io", "read_bytes: 1005\nwrite_bytes: 2050\n");
    machine_put(&m, "/proc/72/io", "read_bytes: 1\nwrite_bytes: 2\n");
    tree_read(tree, &s);
    tree_find(tree);
    tree_read(tree, &s);
    assert_int_equal(s.processes, 3);
    assert_near(s.cpu_s, 57 * tick, 1e-9);
    assert_near(s.read, 6, 0);
    assert_near(s.written, 52, 0);

    /* Its number is another's now: that one's children are strangers. What it used stays. */
    machine_put(&m, "/proc/70/stat", STAT("70", "other", "S", "1", "9000", "500", "5"));
    machine_put(&m, "/proc/73/stat", STAT("73", "foreign", "S", "70", "800", "501", "5"));
    tree_read(tree, &s);
    tree_find(tree);
    tree_read(tree, &s);
    assert_false(tree_has(tree, 70));
    assert_false(tree_has(tree, 73));
    assert_true(tree_has(tree, 71) && tree_has(tree, 72));
    assert_near(s.cpu_s, 57 * tick, 1e-9);
    tree_close(tree);

    tree = tree_open(99, NULL, m.root, &alloc_system, &err);
    assert_non_null(tree);
    assert_false(tree_include_top(tree));
    tree_close(tree);
    machine_free(&m);
}

/* A supervisor that the process itself has started is no part of what it looks at. */
static void the_supervisor_is_not_in_the_tree_above_it(void **state)
{
    struct error err = {0};
    struct tree *tree = tree_open(getppid(), NULL, NULL, &alloc_system, &err);
    pid_t child = fork();

    (void)state;
    assert_non_null(tree);
    if (child == 0) {
        (void)pause();
        _exit(0);
    }
    assert_true(tree_include_top(tree));
    tree_find(tree);
    assert_true(tree_has(tree, getppid()));
    assert_false(tree_has(tree, getpid()));
    assert_false(tree_has(tree, child));
    end(child);
    tree_close(tree);
}

static void complete_machine(void **state)
{
    struct machine m = machine_new();
    struct error err = {0};
    struct tree *tree;
    struct tree_sample s;
    double tick = 1.0 / (double)sysconf(_SC_CLK_TCK);

    (void)state;
    machine_put(&m, "/proc/7/stat", STAT("7", "a", "S", "1", "9", "10", "5"));
    machine_put(&m, "/proc/8/stat", STAT("8", "b", "S", "1", "9", "10", "5"));
    machine_put(&m, "/proc/stat", "cpu 100 10 50 900 5 1 2 3 0 0\ncpu0 1\ncpu1 2\nintr 5\n");
    machine_put(&m, "/proc/meminfo",
                "MemTotal: 1000 kB\nMemFree: 1 kB\nMemAvailable: 600 kB\n");
    machine_put(&m, "/proc/vmstat", "pgpgin 10\npgpgout 20\n");
    tree = tree_open(0, NULL, m.root, &alloc_system, &err);
    assert_non_null(tree);
    tree_read(tree, &s);
    assert_int_equal(s.processes, 2);
    assert_near(s.cpu_s, 0, 0);
    assert_near(s.memory, 400 * 1024, 0);
    machine_put(&m, "/proc/stat", "cpu 150 10 60 900 5 1 2 3 0 0\ncpu0 1\ncpu1 2\nintr 5\n");
    machine_put(&m, "/proc/vmstat", "pgpgin 14\npgpgout 25\n");
    tree_read(tree, &s);
    assert_near(s.user_s, 50 * tick, 1e-9);
    assert_near(s.system_s, 10 * tick, 1e-9);
    assert_near(s.read, 4096, 0);
    assert_near(s.written, 5 * 1024, 0);
    assert_true(tree_has(tree, 8));
    machine_remove(&m, "/proc/8");
    tree_read(tree, &s);
    assert_false(tree_has(tree, 8));
    tree_close(tree);
    machine_free(&m);
}

static void nothing_to_read(void **state)
{
    struct failing_alloc failing = {.allow = 0};
    struct alloc alloc = {failing_get, failing_put, &failing};
    struct error err = {0};
    struct tree_sample s;
    struct tree *tree;

    (void)state;
    assert_null(tree_open(1, NULL, "/nonexistent", &alloc_system, &err));
    assert_int_equal(err.kind, ERROR_SYSTEM);
    assert_null(tree_open(getpid(), NULL, NULL, &alloc, &err));
    assert_int_equal(err.kind, ERROR_MEMORY);
    tree_close(NULL);
    failing.allow = 1; /* the tree, and no room for members: it finds none */
    tree = tree_open(0, NULL, NULL, &alloc, &err);
    assert_non_null(tree);
    tree_read(tree, &s);
    assert_int_equal(s.processes, 0);
    tree_close(tree);
    assert_int_equal(failing.held, 0);
}

int group_tree(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stat_lines_are_read_whatever_the_name),
        cmocka_unit_test(values_follow_their_key),
        cmocka_unit_test(descendants_are_found),
        cmocka_unit_test(daemons_stay_in_the_tree),
        cmocka_unit_test(short_lives_are_counted),
        cmocka_unit_test(unreaped_children_are_kept),
        cmocka_unit_test(stopped_and_left_out),
        cmocka_unit_test(handlers_are_seen),
        cmocka_unit_test(writes_count_once),
        cmocka_unit_test(fake_processes),
        cmocka_unit_test(a_process_that_runs_already_is_in_its_tree),
        cmocka_unit_test(the_supervisor_is_not_in_the_tree_above_it),
        cmocka_unit_test(complete_machine),
        cmocka_unit_test(nothing_to_read),
    };

    (void)prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
