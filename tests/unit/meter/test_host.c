/* meter/host.h: the resources available to this process, and the machine's load. */
#include "meter/host.h"

#include "machine.h"

#define MOUNT_V2 "33 25 0:30 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"

static struct machine sixty_four_cores(void)
{
    struct machine m = machine_new();
    char stat[2048] = "cpu 1000 0 500 90000 0 0 0 0 0 0\n";

    for (int i = 0; i < 64; i++)
        (void)snprintf(stat + strlen(stat), 32, "cpu%d 1 2 3\n", i);
    machine_put(&m, "/proc/stat", stat);
    machine_put(&m, "/proc/meminfo", "MemTotal: 1000000 kB\nMemAvailable: 400000 kB\n");
    machine_put(&m, "/proc/self/status", "Name:\tx\nCpus_allowed:\tffffffff,ffffffff\n");
    machine_put(&m, "/proc/net/dev",
                "Inter-|   Receive    |  Transmit\n face |bytes packets\n"
                "    lo: 999 1 0 0 0 0 0 0 999 1 0 0 0 0 0 0\n"
                "  eth0: 100 1 0 0 0 0 0 0 50 1 0 0 0 0 0 0\n"
                "ib0:7 1 0 0 0 0 0 0 8 1 0 0 0 0 0 0\n");
    return m;
}

static void look(const struct machine *m, struct host_sample *s)
{
    struct machine_use use;
    struct host host;

    host_open(&host, m->root);
    host_read(&host, s, &use);
    assert_near(use.cores, 64, 0);
    assert_near(use.memory, 600000 * 1024.0, 0);
    host_close(&host);
}

static void complete_machine(void **state)
{
    struct machine m = sixty_four_cores();
    struct host_sample s;
    struct machine_use use;
    struct host host;
    double tick = 1.0 / (double)sysconf(_SC_CLK_TCK);

    (void)state;
    look(&m, &s);
    assert_near(s.cores, 64, 0);
    assert_near(s.memory_total, 1000000 * 1024.0, 0);
    assert_near(s.memory, 600000 * 1024.0, 0);
    assert_near(s.received, 0, 0);
    host_open(&host, m.root);
    host_read(&host, &s, &use);
    machine_put(&m, "/proc/stat", "cpu 1100 0 550 90000 0 0 0 0 0 0\ncpu0 1\n");
    machine_put(&m, "/proc/net/dev",
                "    lo: 9999 1 0 0 0 0 0 0 999 1\n  eth0: 300 1 0 0 0 0 0 0 51 1 0\n"
                "ib0:17 1 0 0 0 0 0 0 8 1 0\n");
    host_read(&host, &s, &use);
    assert_near(s.cpu_busy_s, 150 * tick, 1e-9);
    assert_near(s.received, 210, 0);
    assert_near(s.sent, 1, 0);
    host_close(&host);
    machine_free(&m);
}

/* A container's quota and limit hold, not what the machine has; and those above it too. */
static void limits_of_version_2(void **state)
{
    struct machine m = sixty_four_cores();
    struct host_sample s;

    (void)state;
    machine_put(&m, "/proc/self/cgroup", "0::/pod/box\n");
    machine_put(&m, "/proc/self/mountinfo", MOUNT_V2);
    machine_put(&m, "/sys/fs/cgroup/pod/box/cpu.max", "max 100000\n");
    machine_put(&m, "/sys/fs/cgroup/pod/cpu.max", "150000 100000\n");
    machine_put(&m, "/sys/fs/cgroup/pod/box/memory.max", "max\n");
    machine_put(&m, "/sys/fs/cgroup/pod/memory.max", "67108864\n");
    machine_put(&m, "/sys/fs/cgroup/pod/memory.current", "50000000\n");
    machine_put(&m, "/sys/fs/cgroup/pod/memory.stat", "anon 5\nfile 20000000\nshmem 1000000\n");
    look(&m, &s);
    assert_near(s.cores, 1.5, 1e-9);
    assert_near(s.memory_total, 67108864, 0);
    assert_near(s.memory, 31000000, 0);
    machine_put(&m, "/proc/self/status", "Cpus_allowed:\t1\n");
    look(&m, &s);
    assert_near(s.cores, 1, 0);
    machine_free(&m);
}

static void limits_of_version_1(void **state)
{
    struct machine m = sixty_four_cores();
    struct host_sample s;

    (void)state;
    machine_put(&m, "/proc/self/cgroup", "4:memory:/slurm/job\n1:cpu,cpuacct:/slurm/job\n");
    machine_put(&m, "/proc/self/mountinfo",
                "1 2 0:1 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n"
                "1 2 0:2 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n");
    machine_put(&m, "/sys/fs/cgroup/cpu/slurm/job/cpu.cfs_quota_us", "-1\n");
    machine_put(&m, "/sys/fs/cgroup/cpu/slurm/job/cpu.cfs_period_us", "100000\n");
    machine_put(&m, "/sys/fs/cgroup/memory/slurm/job/memory.limit_in_bytes",
                "9223372036854771712\n");
    look(&m, &s);
    assert_near(s.cores, 64, 0);
    assert_near(s.memory_total, 1000000 * 1024.0, 0);
    machine_put(&m, "/sys/fs/cgroup/cpu/slurm/job/cpu.cfs_quota_us", "800000\n");
    machine_put(&m, "/sys/fs/cgroup/memory/slurm/job/memory.limit_in_bytes", "64000000\n");
    machine_put(&m, "/sys/fs/cgroup/memory/slurm/job/memory.usage_in_bytes", "5000000\n");
    machine_put(&m, "/sys/fs/cgroup/memory/slurm/job/memory.stat",
                "cache 1\ntotal_cache 2000000\ntotal_shmem 0\n");
    look(&m, &s);
    assert_near(s.cores, 8, 0);
    assert_near(s.memory_total, 64000000, 0);
    assert_near(s.memory, 3000000, 0);
    machine_free(&m);
}

static void nothing_to_read(void **state)
{
    struct host_sample s;
    struct machine_use use;
    struct host host;

    (void)state;
    host_open(&host, "/nonexistent");
    host_read(&host, &s, &use);
    assert_true(isnan(s.cores) && isnan(s.cpu_busy_s) && isnan(s.memory_total));
    assert_true(isnan(s.received) && isnan(s.sent) && isnan(s.memory));
    host_close(&host);
}

static void this_machine(void **state)
{
    struct host_sample s;
    struct machine_use use;
    struct host host;

    (void)state;
    host_open(&host, NULL);
    host_read(&host, &s, &use);
    assert_true(s.cores > 0 && s.cores <= use.cores);
    assert_true(s.memory_total > 1e6);
    host_close(&host);
}

int group_host(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(complete_machine),    cmocka_unit_test(limits_of_version_2),
        cmocka_unit_test(limits_of_version_1), cmocka_unit_test(nothing_to_read),
        cmocka_unit_test(this_machine),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
