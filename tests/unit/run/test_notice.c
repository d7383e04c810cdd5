/* Notices: what answers mean, and the process that waits for them, with the tests' own
 * server. */
#include "server.h"

#include <errno.h>
#include <poll.h>
#include <sys/prctl.h>

#include "base/fs.h"
#include "run/cloud/notice.h"

#define LONG_ENOUGH 30000 /* ms: only a failure waits for so long */
#define MS INT64_C(1000000)

static const stamp now = {1772352000}; /* 2026-03-01T08:00:00Z */
static struct clock stopped_clock;
static int watch_fd;
static pid_t watch_pid;

/* --- what answers mean ------------------------------------------------------------------- */

static void is(struct notice n, enum notice_kind kind, int64_t at, const char *text)
{
    if (n.kind != (int32_t)kind || n.at != at || strcmp(n.text, text) != 0)
        fail_msg("kind %d, at %lld: %s", n.kind, (long long)n.at, n.text);
}

static void ec2_reports_when_it_takes_the_machine(void **state)
{
    (void)state;
    is(notice_ec2_action(STR("{\"action\":\"terminate\",\"time\":\"2026-03-01T08:22:00Z\"}")),
       NOTICE_TAKEN, 1772353320,
       "EC2 takes this machine back at 2026-03-01T08:22:00Z (terminate)");
    is(notice_ec2_action(STR("{\"action\":\"hibernate\",\"time\":\"?\"}")), NOTICE_TAKEN, -1,
       "EC2 takes this machine back soon (hibernate)");
    is(notice_ec2_action(STR("{\"action\":\"dance\"}")), NOTICE_NONE, -1, "");
    is(notice_ec2_action(STR("<html>")), NOTICE_NONE, -1, "");
    is(notice_ec2_action(STR("[1]")), NOTICE_NONE, -1, "");
    is(notice_ec2_action(STR("")), NOTICE_NONE, -1, "");
    is(notice_ec2_rebalance(STR("{\"noticeTime\":\"2026-03-01T08:12:00Z\"}")), NOTICE_REBALANCE,
       -1,
       "EC2 says at 2026-03-01T08:12:00Z that it may soon take this machine back "
       "(rebalance)");
    is(notice_ec2_rebalance(STR("{\"noticeTime\":7}")), NOTICE_NONE, -1, "");
}

static void ec2_has_events(void **state)
{
    (void)state;
    is(notice_ec2_events(STR("[]")), NOTICE_NONE, -1, "");
    is(notice_ec2_events(STR("[{\"Code\":\"system-reboot\",\"State\":\"completed\"}]")),
       NOTICE_NONE, -1, "");
    /* the first to come; days of one digit */
    is(notice_ec2_events(STR("[{\"Code\":\"instance-stop\",\"State\":\"active\"},"
                             "{\"NotBefore\":\"21 Jan 2026 09:00:43 GMT\",\"State\":\"active\","
                             "\"Code\":\"system-reboot\"},{\"NotBefore\":"
                             "\"2 Jan 2026 09:00:43 GMT\",\"State\":\"active\","
                             "\"Code\":\"instance-retirement\"}]")),
       NOTICE_MAINTENANCE, 1767344443,
       "EC2 has an event for this machine at 2026-01-02T09:00:43Z (instance-retirement)");
    is(notice_ec2_events(STR("[{\"Code\":\"a\\u001b[2J\",\"State\":\"active\"}]")), NOTICE_NONE,
       -1, "");
}

static void gcp_answers_with_a_word(void **state)
{
    (void)state;
    is(notice_gcp(STR("FALSE"), STR("NONE")), NOTICE_NONE, -1, "");
    is(notice_gcp(STR("TRUE\n"), STR("NONE")), NOTICE_TAKEN, -1,
       "GCP takes this machine back within 30 s");
    is(notice_gcp(STR("FALSE"), STR("MIGRATE_ON_HOST_MAINTENANCE\n")), NOTICE_MAINTENANCE, -1,
       "GCP moves this machine to another host: it is slow for a while");
    is(notice_gcp(STR(""), STR("TERMINATE_ON_HOST_MAINTENANCE")), NOTICE_TAKEN, -1,
       "GCP stops this machine for maintenance of its host, within the hour");
    is(notice_gcp(STR("TRUE STORY"), STR("<html>")), NOTICE_NONE, -1, "");
}

#define EVENT(type, status, id, machine, time) \
    "{\"EventId\":\"" id "\",\"EventStatus\":\"" status "\",\"EventType\":\"" type \
    "\",\"Resources\":[\"other\",\"" machine "\"],\"NotBefore\":\"" time "\"}"
#define EVENTS(list) "{\"DocumentIncarnation\":2,\"Events\":[" list "]}"

static void azure_names_machines(void **state)
{
    struct notice n;

    (void)state;
    n = notice_azure(STR(EVENTS(EVENT("Preempt", "Scheduled", "A-1", "VM-0",
                                      "Sun, 01 Mar 2026 08:22:30 GMT"))),
                     STR("vm-0"));
    is(n, NOTICE_TAKEN, 1772353350,
       "Azure takes this machine back at 2026-03-01T08:22:30Z (Preempt)");
    assert_string_equal(n.id, "A-1");
    is(notice_azure(STR(EVENTS(EVENT("Preempt", "Scheduled", "A-1", "vm-1", ""))), STR("vm-0")),
       NOTICE_NONE, -1, "");
    is(notice_azure(STR(EVENTS(EVENT("Preempt", "Scheduled", "A-1", "", ""))), STR("")),
       NOTICE_NONE, -1, "");
    is(notice_azure(STR(EVENTS("")), STR("vm-0")), NOTICE_NONE, -1, "");
    /* the end comes before a restart, and what has ended is none */
    n = notice_azure(
        STR(EVENTS(EVENT(
            "Reboot", "Scheduled", "B", "vm-0",
            "Sun, 01 Mar 2026 08:00:00 GMT") "," EVENT("Terminate", "Started", "C", "vm-0",
                                                       "") "," EVENT("Preempt", "Completed",
                                                                     "D", "vm-0", ""))),
        STR("vm-0"));
    is(n, NOTICE_TAKEN, -1, "Azure deletes this machine now (Terminate)");
    is(notice_azure(STR(EVENTS(EVENT("Freeze", "Scheduled", "E\\\"},{", "vm-0", "never"))),
                    STR("vm-0")),
       NOTICE_MAINTENANCE, -1, "Azure pauses this machine now (Freeze)");
    is(notice_azure(STR("{\"Events\":{\"a\":1}}"), STR("vm-0")), NOTICE_NONE, -1, "");
    is(notice_azure(STR("{\"Events\":[1,[],\"x\",null]}"), STR("vm-0")), NOTICE_NONE, -1, "");
}

/* A published example. The test is skipped when it is not there. */
static struct str sample(const char *name, struct arena *arena)
{
    char below[256];
    struct test_path path;
    struct error err = {0};
    struct str text = {0};

    (void)snprintf(below, sizeof below, "finops/samples/imds/%s", name);
    assert_true(fs_read(test_data(below, &path), 65536, arena, &text, &err));
    return text;
}

static void published_samples_are_understood(void **state)
{
    struct arena arena = test_arena();
    struct str body = sample("ec2_spot_instance_action.json", &arena);

    (void)state;
    assert_int_equal(notice_ec2_action(body).at, 1772353320);
    body = sample("ec2_rebalance_recommendation.json", &arena);
    assert_int_equal(notice_ec2_rebalance(body).kind, NOTICE_REBALANCE);
    body = sample("ec2_scheduled_events.json", &arena);
    assert_int_equal(notice_ec2_events(body).at, 1768986043);
    body = sample("azure_scheduled_events_preempt.json", &arena);
    assert_int_equal(notice_azure(body, STR("gpu-vm-0")).at, 1772353350);
    body = sample("azure_scheduled_events_empty.json", &arena);
    assert_int_equal(notice_azure(body, STR("gpu-vm-0")).kind, NOTICE_NONE);
    assert_int_equal(notice_gcp(sample("gcp_preempted_true.txt", &arena),
                                sample("gcp_maintenance_event.txt", &arena))
                         .kind,
                     NOTICE_TAKEN);
    assert_int_equal(notice_gcp(sample("gcp_preempted.txt", &arena), STR("NONE")).kind,
                     NOTICE_NONE);
    arena_free(&arena);
}

/* --- the process ------------------------------------------------------------------------- */

static int set_up(void **state)
{
    watch_fd = -1;
    watch_pid = -1;
    stopped_clock = clock_fixed(&now);
    return server_setup(state);
}

/* It ends when its reader is gone. */
static void stop_watching(void)
{
    int status = -1;

    if (watch_fd < 0)
        return;
    (void)close(watch_fd);
    watch_fd = -1;
    assert_int_equal(waitpid(watch_pid, &status, 0), watch_pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static int tear_down(void **state)
{
    stop_watching();
    (void)unsetenv("STINT_METADATA_URL");
    return server_teardown(state);
}

static void start_watching(enum cloud cloud)
{
    struct notice_options options = {
        .cloud = cloud, .alloc = &alloc_system, .clock = &stopped_clock, .every = {10 * MS}};
    struct error err = {0};

    (void)setenv("STINT_METADATA_URL", server_url(""), 1);
    watch_fd = notice_watch(&options, &watch_pid, &err);
    if (watch_fd < 0)
        fail_msg("%s", err.text);
}

/* The next one, however long it takes. */
static struct notice next(void)
{
    struct pollfd ready = {.fd = watch_fd, .events = POLLIN};
    struct notice n = {0};

    if (poll(&ready, 1, LONG_ENOUGH) != 1)
        fail_msg("no notice; asked:\n%s", server_log());
    assert_int_equal(notice_read(watch_fd, &n), 1);
    return n;
}

/* Until the server was asked so often. */
static void wait_for(const char *asked, unsigned often)
{
    for (int i = 0; i < LONG_ENOUGH / 10; i++) {
        if (server_count(asked) >= often)
            return;
        (void)poll(NULL, 0, 10);
    }
    fail_msg("'%s' was not asked %u times:\n%s", asked, often, server_log());
}

static void nothing_more(void)
{
    struct notice n;

    assert_int_equal(notice_read(watch_fd, &n), 0);
}

static void ec2_is_watched(void **state)
{
    (void)state;
    server_start("PUT /latest/api/token 200\n times 1\n body old\n"
                 "PUT /latest/api/token 200\n body new\n"
                 "GET * 404\n when X-aws-ec2-metadata-token: old\n times 4\n"
                 "GET * 401\n when-not X-aws-ec2-metadata-token: new\n"
                 "GET /latest/meta-data/events/recommendations/rebalance 200\n"
                 " body {\"noticeTime\":\"2026-03-01T07:59:00Z\"}\n"
                 "GET /latest/meta-data/spot/instance-action 404\n times 3\n"
                 "GET /latest/meta-data/spot/instance-action 200\n"
                 " body {\"action\":\"stop\",\"time\":\"2026-03-01T08:02:00Z\"}\n");
    start_watching(CLOUD_AWS);
    assert_int_equal(next().kind, NOTICE_REBALANCE);
    is(next(), NOTICE_TAKEN, now.s + 120,
       "EC2 takes this machine back at 2026-03-01T08:02:00Z (stop)");
    assert_int_equal(server_count("PUT /latest/api/token -> 200"), 2); /* a new token */
    wait_for("spot/instance-action -> 200", 5);
    nothing_more(); /* each is reported once */
    assert_true(server_count("maintenance/scheduled") >= 1);
    assert_true(server_count("maintenance/scheduled") <= 3); /* not at each request */
}

static void gcp_is_watched(void **state)
{
    (void)state;
    server_start(
        "GET /computeMetadata/v1/instance/preempted?-wait_for_change 200\n"
        " when Metadata-Flavor: Google\n"
        " header Metadata-Flavor: Google\n header ETag: abc1\n body FALSE\n"
        "GET /computeMetadata/v1/instance/preempted?wait_for_change=true&last_etag=abc1 "
        "200\n times 2\n"
        " header Metadata-Flavor: Google\n header ETag: abc1\n body FALSE\n"
        "GET /computeMetadata/v1/instance/preempted?wait_for_change=true&last_etag=abc1 "
        "200\n"
        " header Metadata-Flavor: Google\n header ETag: abc2\n body TRUE\n"
        "GET /computeMetadata/v1/instance/preempted?last_etag=abc2 200\n"
        " header Metadata-Flavor: Google\n header ETag: abc2\n body TRUE\n"
        "GET /computeMetadata/v1/instance/maintenance-event 200\n times 2\n"
        " header Metadata-Flavor: Google\n body MIGRATE_ON_HOST_MAINTENANCE\n"
        "GET /computeMetadata/v1/instance/maintenance-event 200\n"
        " header Metadata-Flavor: Google\n body NONE\n");
    start_watching(CLOUD_GCP);
    assert_int_equal(next().kind, NOTICE_MAINTENANCE);
    is(next(), NOTICE_TAKEN, now.s + 30, "GCP takes this machine back within 30 s");
    wait_for("last_etag=abc2 -> 200", 3);
    nothing_more();
}

static void azure_is_watched(void **state)
{
    struct notice n;

    (void)state;
    server_start("GET /metadata/instance/compute 200\n when Metadata: true\n"
                 " body {\"vmSize\":\"a\",\"location\":\"b\",\"name\":\"vm-0\"}\n"
                 "GET /metadata/scheduledevents 200\n when Metadata: true\n times 2\n"
                 " body " EVENTS(
                     EVENT("Preempt", "Scheduled", "A", "vm-1",
                           "")) "\n"
                                "GET /metadata/scheduledevents 200\n when Metadata: true\n"
                                " body " EVENTS(EVENT("Preempt", "Scheduled", "A-2", "vm-0",
                                                      "Sun, 01 Mar 2026 08:00:30 GMT")) "\n");
    start_watching(CLOUD_AZURE);
    n = next();
    is(n, NOTICE_TAKEN, now.s + 30,
       "Azure takes this machine back at 2026-03-01T08:00:30Z (Preempt)");
    assert_int_equal(server_count("POST"), 0); /* approving it would end the machine at once */
    assert_int_equal(server_count("GET /metadata/instance/compute"), 1);
}

/* A failing service is asked again and again, with one message. */
static void trouble_is_reported_once(void **state)
{
    struct notice n;

    (void)state;
    server_start("PUT /latest/api/token 500\n times 5\nPUT /latest/api/token 200\n body t\n"
                 "GET /latest/meta-data/spot/instance-action 200\n"
                 " body {\"action\":\"stop\",\"time\":\"2026-03-01T08:02:00Z\"}\n");
    start_watching(CLOUD_AWS);
    n = next();
    assert_int_equal(n.kind, NOTICE_TROUBLE);
    assert_non_null(strstr(n.text, "no notices of this machine's end: http://127.0.0.1"));
    assert_int_equal(next().kind, NOTICE_TAKEN); /* it came back */
    assert_int_equal(server_count("-> 500"), 5);
}

/* None of our descriptors stays open in the process. */
static void watcher_inherits_no_descriptors(void **state)
{
    char path[64], target[128];
    int held = open("/dev/zero", O_RDONLY); /* not even close-on-exec */
    ssize_t len;

    (void)state;
    assert_int_equal(dup2(held, 100), 100);
    server_start("PUT /latest/api/token 200\n body t\n");
    start_watching(CLOUD_AWS);
    wait_for("rebalance", 2);
    for (int fd = 0; fd < 3; fd++) {
        (void)snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)watch_pid, fd);
        len = readlink(path, target, sizeof target - 1);
        assert_true(len > 0);
        target[len] = '\0';
        assert_string_equal(target, "/dev/null");
    }
    (void)snprintf(path, sizeof path, "/proc/%d/fd/100", (int)watch_pid);
    assert_int_equal(readlink(path, target, sizeof target), -1);
    assert_int_equal(errno, ENOENT);
    assert_int_not_equal(getsid(watch_pid), getsid(0));
    (void)close(100);
    (void)close(held);
}

/* When its parent dies, it ends. */
static void watcher_ends_with_its_parent(void **state)
{
    pid_t parent, orphan = -1;
    int ends[2];

    (void)state;
    server_start("PUT /latest/api/token 200\n body t\n");
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0); /* so that the orphan is ours */
    assert_int_equal(pipe(ends), 0);
    parent = fork();
    if (parent == 0) {
        start_watching(CLOUD_AWS);
        (void)!write(ends[1], &watch_pid, sizeof watch_pid);
        (void)pause();
        _exit(0);
    }
    assert_int_equal(read(ends[0], &orphan, sizeof orphan), sizeof orphan);
    wait_for("rebalance", 1);
    assert_int_equal(kill(parent, SIGKILL), 0);
    assert_int_equal(waitpid(parent, NULL, 0), parent);
    assert_int_equal(waitpid(orphan, NULL, 0), orphan);
    (void)prctl(PR_SET_CHILD_SUBREAPER, 0);
    (void)close(ends[0]);
    (void)close(ends[1]);
}

static void some_clouds_give_no_notice(void **state)
{
    static const enum cloud silent[] = {CLOUD_NONE, CLOUD_LAMBDA, CLOUD_RUNPOD, CLOUD_VAST};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(silent); i++) {
        struct notice_options options = {
            .cloud = silent[i], .alloc = &alloc_system, .clock = &stopped_clock};
        struct error err = {0};
        pid_t pid;

        assert_int_equal(notice_watch(&options, &pid, &err), -1);
        assert_int_equal(err.kind, ERROR_ABSENT);
        assert_int_equal(pid, -1);
    }
    assert_string_equal(notice_kind_name(NOTICE_TAKEN), "taken");
    assert_string_equal(notice_kind_name(NOTICE_TROUBLE), "trouble");
}

#define SERVED(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int group_notice(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ec2_reports_when_it_takes_the_machine),
        cmocka_unit_test(ec2_has_events),
        cmocka_unit_test(gcp_answers_with_a_word),
        cmocka_unit_test(azure_names_machines),
        cmocka_unit_test(published_samples_are_understood),
        SERVED(ec2_is_watched),
        SERVED(gcp_is_watched),
        SERVED(azure_is_watched),
        SERVED(trouble_is_reported_once),
        SERVED(watcher_inherits_no_descriptors),
        SERVED(watcher_ends_with_its_parent),
        SERVED(some_clouds_give_no_notice),
    };

    return cmocka_run_group_tests_name("notice", tests, NULL, NULL);
}
