/* The live view: drawn on the model of a terminal, and driven by keys on a real one. */
#include "cli/run/cmd_top.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "cli/cli.h"
#include "ledger/ledger.h"
#include "ledger/writes.h"
#include "run/vt.h"
#include "test.h"

#define SECOND INT64_C(1000000000)
#define GB 1e9

static struct vt vt;

/* ---- drawing ---- */

/* An id that begins with the name. */
static const char *id_of(const char *name)
{
    static char id[LEDGER_ID];

    (void)snprintf(id, sizeof id, "%-28.28saaaa0001", name);
    return id;
}

static struct live_run a_run(const char *name, double cost)
{
    struct live_run run = {.run = {.start = {.name = str_from(name),
                                             .user = STR("ann"),
                                             .folder = STR("/home/ann"),
                                             .command = STR("python train.py"),
                                             .started = {1794736800},
                                             .budget = usd_from(5)},
                                   .budget_share = cost / 5,
                                   .attempt_count = 2},
                           .silent_s = 1,
                           .host = STR("box"),
                           .projected = usd_from(4.5),
                           .rate = {2490000000},
                           .machine_rate = {2490000000},
                           .now = {.gpu_busy = 0.87,
                                   .gpu_memory = 61 * GB,
                                   .gpu_memory_run = NAN,
                                   .watts = 412,
                                   .cpu_cores = 3.2,
                                   .memory = 6 * GB},
                           .steps_rate = 2,
                           .left = {7500 * SECOND},
                           .pid = 42,
                           .pid_started = 7};
    struct ledger_totals *t = &run.run.totals;

    (void)snprintf(run.run.start.id, sizeof run.run.start.id, "%s", id_of(name));
    ledger_totals_unknown(t);
    t->elapsed = (span){3720 * SECOND};
    t->cost = usd_from(cost);
    t->gpu = STR("NVIDIA H200");
    t->gpus = 1;
    t->gpu_memory_total = 80 * GB;
    t->step = 1200;
    t->steps = 4000;
    t->loss = 2.31;
    t->best = 2.3;
    t->score = 71;
    return run;
}

static struct live_run unknown_run(void)
{
    struct live_run run = {
        .run = {.start = {.name = STR("unknown"), .budget = USD_UNKNOWN}, .budget_share = NAN},
        .silent = true,
        .silent_s = NAN,
        .host = STR("far"),
        .projected = USD_UNKNOWN,
        .rate = USD_PER_HOUR_UNKNOWN,
        .machine_rate = USD_PER_HOUR_UNKNOWN,
        .now = {.gpu_busy = NAN,
                .gpu_memory = NAN,
                .gpu_memory_run = NAN,
                .watts = NAN,
                .cpu_cores = NAN,
                .memory = NAN},
        .steps_rate = NAN,
        .left = {-1},
        .pid = -1,
        .pid_started = -1};

    (void)snprintf(run.run.start.id, sizeof run.run.start.id, "%s", id_of("u"));
    ledger_totals_unknown(&run.run.totals);
    return run;
}

static struct live_run three[3];
static double course[] = {0, 0.5, 1, NAN, 0.25};
static struct ledger_happening happened[1];

static struct top_result facts(void)
{
    three[0] = a_run("first", 2.6);
    three[1] = a_run("a-name-that-is-longer-than-any-column-has-room-for", 0.0031);
    three[2] = unknown_run();
    happened[0] = (struct ledger_happening){
        .at = {1794738600}, .kind = STR("budget-50"), .text = STR("half of \033[2Jit")};
    return (struct top_result){
        .at = {1794740520},
        .sum = {.machines = 2, .running = 3, .rate = {4980000000}, .rate_unknown = 1},
        .spent = {.today = usd_from(12.4),
                  .month = usd_from(182.1),
                  .budget = money_from_usd(usd_from(500)),
                  .share = 182.1 / 500},
        .runs = {three, 3},
        .details = {.events = {happened, 1},
                    .busy = {course, 5},
                    .watts = {course, 5},
                    .loss = {course, 5}}};
}

static struct top_view a_view(int rows, int columns)
{
    return (struct top_view){.rows = rows, .columns = columns};
}

/* What is shown, on a terminal that had something else on it. */
static void show(const struct top_view *view, const struct top_result *now)
{
    struct buf out = buf_new(&alloc_system, (size_t)1 << 20);
    struct error err;

    vt_start(&vt, view->rows, view->columns);
    vt_write(&vt, "\033#8", 3);
    top_draw(view, now, &out);
    assert_true(buf_ok(&out, &err));
    vt_write(&vt, out.at, out.len);
    buf_free(&out);
}

static void test_list(void **state)
{
    struct top_result now = facts();
    struct top_view view = a_view(10, 80);

    (void)state;
    show(&view, &now);
    assert_string_equal(vt_row(&vt, 0), "stint top | 3 runs on 2 machines | $4.98/hr now, 1 of "
                                        "unknown price | 2026-11-15");
    assert_string_equal(vt_row(&vt, 1),
                        "spent today $12.40 | this month $182.10 of $500 ###-------  36%");
    assert_string_equal(vt_row(&vt, 2), "");
    assert_string_equal(
        vt_row(&vt, 3),
        "name         state     time      cost   of budget     $/hr  busy     loss   left");
    assert_string_equal(
        vt_row(&vt, 4),
        "first        running  1h02m     $2.60 ###---  52%    $2.49  87 %     2.31  2h05m");
    assert_string_equal(
        vt_row(&vt, 5),
        "a-name-that~ running  1h02m   $0.0031 ------   0%    $2.49  87 %     2.31  2h05m");
    assert_string_equal(
        vt_row(&vt, 6),
        "unknown      silent       -         ?                    ?     -        -      -");
    assert_string_equal(vt_row(&vt, 7), "");
    assert_string_equal(vt_row(&vt, 9),
                        "q quit  j/k select  enter details  s sort by cost  x stop");
    view.columns = 200;
    show(&view, &now);
    assert_string_equal(vt_row(&vt, 4),
                        "first                                    running  1h02m     $2.60 "
                        "###---  52%    $2.49  87 %     61/80   412   3.2     1200/4000     "
                        "2.31  2h05m     $4.50    71 ann      box");
}

static void test_details(void **state)
{
    struct top_result now = facts();
    struct top_view view = a_view(24, 62);

    (void)state;
    view.details = true;
    show(&view, &now);
    assert_string_equal(vt_row(&vt, 3), "first  aaaa0001  running  attempt 2  score 71");
    assert_string_equal(vt_row(&vt, 7),
                        "cost       $2.60 of $5.00 ##########----------  52%, $2.49/hr");
    assert_string_equal(vt_row(&vt, 8), "remaining  2h05m at this pace, $4.50 in total");
    assert_string_equal(vt_row(&vt, 12), "GPU busy   .:| . 87%");
    assert_string_equal(vt_row(&vt, 16), "2026-11-15T10:30:00Z  budget-50  half of ?[2Jit");
    view.rows = 40; /* room for taller pictures */
    view.utf8 = true;
    show(&view, &now);
    assert_string_equal(vt_row(&vt, 12), "GPU busy     #");
    assert_string_equal(vt_row(&vt, 15), "           ### # 87%");
    now.runs.len = 0; /* it has ended meanwhile */
    show(&view, &now);
    assert_string_equal(vt_row(&vt, 4),
                        "nothing is running: 'stint run -- COMMAND' starts something");
}

/* For a pipe: lines, and no way to a place on a screen. */
static void test_details_are_printed(void **state)
{
    struct top_result now = facts();
    struct top_view view = a_view(3, 100);
    struct buf out = buf_new(&alloc_system, (size_t)1 << 20);
    struct top_line row = {
        .view = &view, .out = &out, .text = buf_new(&alloc_system, (size_t)1 << 16)};

    (void)state;
    view.printed = true;
    top_draw_details(&row, now.runs.at, &now);
    assert_null(memchr(out.at, '\033', out.len));
    assert_true(str_starts(buf_text(&out), STR("first  aaaa0001  running")));
    assert_true(str_has_nocase(buf_text(&out), STR("\nuses       ")));
    assert_true(str_ends(buf_text(&out), STR("half of ?[2Jit\n")));
    buf_free(&row.text);
    buf_free(&out);
}

/* Any size: each row is written, none is too long, and nothing old is left. */
static void test_every_size(void **state)
{
    struct top_result now = facts();

    (void)state;
    for (int rows = 1; rows <= 50; rows += 1 + rows / 3)
        for (int columns = 1; columns <= 200; columns += 1 + columns / 4)
            for (int kind = 0; kind < 8; kind++) {
                struct top_view view = a_view(rows, columns);

                view.details = kind & 1;
                view.utf8 = kind & 2;
                view.term.color = kind & 4;
                view.confirm = rows % 2;
                show(&view, &now);
                for (int i = 0; i < rows; i++)
                    if (strstr(vt_row(&vt, i), "EEE") != NULL)
                        fail_msg("%d x %d: row %d is '%s'", rows, columns, i, vt_row(&vt, i));
            }
}

static void test_long_lists_scroll(void **state)
{
    struct live_run many[100];
    struct top_result now = facts();
    struct top_view view = a_view(10, 40);
    char names[100][8];

    (void)state;
    for (int i = 0; i < 100; i++) {
        (void)snprintf(names[i], sizeof names[i], "run-%d", i);
        many[i] = a_run(names[i], 1);
    }
    now.runs = (struct rows){many, 100};
    for (int at = 0; at < 100; at += 9) {
        bool seen = false;

        (void)snprintf(view.selected, sizeof view.selected, "%s", id_of(names[at]));
        show(&view, &now);
        for (int i = 4; i < 9; i++)
            seen = seen || atoi(vt_row(&vt, i) + 4) == at;
        assert_true(seen);
    }
}

static void test_selected_row_is_highlighted(void **state)
{
    struct top_result now = facts();
    struct top_view view = a_view(10, 40);
    struct buf out = buf_new(&alloc_system, (size_t)1 << 20);
    const char *turned;

    (void)state;
    (void)snprintf(view.selected, sizeof view.selected, "%s", id_of("u"));
    top_draw(&view, &now, &out);
    buf_char(&out, '\0');
    turned = strstr(out.at, "\033[7m");
    assert_non_null(turned);
    assert_memory_equal(turned, "\033[7m\033[7;1Hunknown", 17);
    assert_null(strstr(turned + 1, "\033[7m"));
    buf_free(&out);
}

static void test_no_memory(void **state)
{
    struct top_result now = facts();
    struct failing_alloc failing = {0};
    struct alloc alloc = {failing_get, failing_put, &failing};

    (void)state;
    for (size_t allow = 0; allow < 60; allow++) {
        struct top_view view = a_view(20, 80);
        struct buf out = buf_new(&alloc, (size_t)1 << 20);

        view.details = allow % 2;
        failing.allow = allow / 2;
        top_draw(&view, &now, &out);
        buf_free(&out);
        assert_int_equal(failing.held, 0);
    }
}

/* ---- keys ---- */

static void test_keys(void **state)
{
    static const struct {
        const char *text;
        enum top_key key;
    } keys[] = {{"q", TOP_QUIT},
                {"j", TOP_DOWN},
                {"k", TOP_UP},
                {"\033[A", TOP_UP},
                {"\033OB", TOP_DOWN},
                {"\033[5~", TOP_PAGE_UP},
                {"\033[6~", TOP_PAGE_DOWN},
                {"\033[1;5C", TOP_OTHER},
                {"\033", TOP_BACK},
                {"\r", TOP_ENTER},
                {"\177", TOP_BACK},
                {"\033[200~", TOP_OTHER},
                {"s", TOP_SORT},
                {"x", TOP_STOP},
                {"y", TOP_YES},
                {"\033[F", TOP_LAST},
                {"z", TOP_OTHER},
                {"\033[", TOP_OTHER}};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
        struct str text = str_from(keys[i].text);

        assert_int_equal(top_key_take(&text), keys[i].key);
        assert_int_equal(text.len, 0);
    }
}

static void test_what_keys_do(void **state)
{
    struct top_result now = facts(), none = {0};
    struct top_view view = a_view(20, 80);

    (void)state;
    assert_str_equal(top_selected(&view, &now)->run.start.name, "first");
    assert_int_equal(top_press(&view, &now, TOP_UP), WISH_NOTHING);
    assert_str_equal(top_selected(&view, &now)->run.start.name, "first");
    assert_int_equal(top_press(&view, &now, TOP_LAST), WISH_NOTHING);
    assert_str_equal(top_selected(&view, &now)->run.start.name, "unknown");
    assert_int_equal(top_press(&view, &now, TOP_STOP), WISH_NOTHING); /* it is elsewhere */
    assert_false(view.confirm);
    assert_string_equal(view.message, "it runs on far: stop it there");
    assert_int_equal(top_press(&view, &now, TOP_PAGE_UP), WISH_NOTHING);
    assert_string_equal(view.message, "");

    assert_int_equal(top_press(&view, &now, TOP_YES), WISH_NOTHING); /* nothing was asked */
    assert_int_equal(top_press(&view, &now, TOP_STOP), WISH_NOTHING);
    assert_true(view.confirm);
    assert_int_equal(top_press(&view, &now, TOP_QUIT), WISH_NOTHING); /* anything but yes */
    assert_false(view.confirm);
    assert_int_equal(top_press(&view, &now, TOP_STOP), WISH_NOTHING);
    assert_int_equal(top_press(&view, &now, TOP_YES), WISH_STOP);

    assert_int_equal(top_press(&view, &now, TOP_ENTER), WISH_FACTS);
    assert_true(view.details);
    assert_int_equal(top_press(&view, &now, TOP_DOWN), WISH_FACTS); /* of the next one */
    assert_int_equal(top_press(&view, &now, TOP_BACK), WISH_NOTHING);
    assert_false(view.details);
    for (int i = 0; i < 4; i++)
        assert_int_equal(top_press(&view, &now, TOP_SORT), WISH_FACTS);
    assert_int_equal(view.sort, 0);
    assert_int_equal(top_press(&view, &now, TOP_QUIT), WISH_QUIT);

    assert_int_equal(top_press(&view, &none, TOP_ENTER), WISH_FACTS);
    assert_false(view.details);
    assert_int_equal(top_press(&view, &none, TOP_STOP), WISH_NOTHING);
    assert_false(view.confirm);
    assert_null(top_selected(&view, &none));
}

/* ---- on a terminal ---- */

static char ledger_path[64];
static int master;
static pid_t viewer;

static int64_t started_at(pid_t pid)
{
    char file[64], text[1024] = {0};
    const char *at;
    int fd;

    (void)snprintf(file, sizeof file, "/proc/%d/stat", (int)pid);
    fd = open(file, O_RDONLY | O_CLOEXEC);
    assert_true(fd >= 0 && read(fd, text, sizeof text - 1) > 0);
    (void)close(fd);
    at = strrchr(text, ')');
    for (int i = 2; i < 22; i++)
        at = strchr(at + 1, ' ');
    return atoll(at);
}

static void add_run(const char *name, pid_t supervisor)
{
    char boot[64] = {0}, host[256];
    int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC), attempt;
    struct ledger_start start = {.name = str_from(name),
                                 .rate = {2490000000},
                                 .electricity = {MONEY_UNKNOWN},
                                 .storage_month = {MONEY_UNKNOWN},
                                 .budget = usd_from(5),
                                 .estimated_cost = USD_UNKNOWN,
                                 .estimated_time = {-1},
                                 .started = clock_system.today(NULL),
                                 .pid = supervisor,
                                 .pid_started = started_at(supervisor)};
    struct error err = {0};
    struct ledger *ledger = ledger_open(ledger_path, LEDGER_WRITE, (span){SECOND},
                                        &clock_system, &alloc_system, &err);

    assert_non_null(ledger);
    assert_true(fd >= 0 && read(fd, boot, sizeof boot - 1) > 0);
    (void)close(fd);
    boot[strcspn(boot, "\n")] = '\0';
    assert_int_equal(gethostname(host, sizeof host), 0);
    start.boot = str_from(boot);
    start.host = str_from(host);
    ledger_new_id(start.started, start.id);
    assert_true(ledger_begin(ledger, &start, &attempt, &err));
    assert_true(ledger_event(ledger, start.id, attempt, start.started, "phase",
                             STR("set-up has begun"), &err));
    ledger_close(ledger);
}

static pid_t sleeper(void)
{
    pid_t pid = fork();

    if (pid == 0) {
        (void)signal(SIGTERM, SIG_DFL);
        for (;;)
            (void)pause();
    }
    return pid;
}

static void start_viewer(void)
{
    struct winsize size = {.ws_row = 24, .ws_col = 90};
    char slave[64];
    static char words[][12] = {"stint", "top", "--config", "/dev/null", "--ledger"};
    char *args[] = {words[0], words[1], words[2], words[3], words[4], ledger_path, NULL};

    master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    assert_true(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
    assert_int_equal(ptsname_r(master, slave, sizeof slave), 0);
    assert_int_equal(ioctl(master, TIOCSWINSZ, &size), 0);
    vt_start(&vt, 24, 90);
    viewer = fork();
    if (viewer == 0) {
        int fd;

        (void)setsid();
        fd = open(slave, O_RDWR);
        (void)ioctl(fd, TIOCSCTTY, 0);
        (void)dup2(fd, 0);
        (void)dup2(fd, 1);
        (void)dup2(fd, 2);
        _exit(cli_main(6, args, &alloc_system));
    }
    assert_true(viewer > 0);
}

static bool has(const char *text)
{
    for (int row = 0; row < vt.rows; row++)
        if (strstr(vt_row(&vt, row), text) != NULL)
            return true;
    return false;
}

/* Read until it appears: the test's alarm ends a wait that fails. */
static void await(const char *text)
{
    char came[4096];
    ssize_t n;

    while (!has(text) && (n = read(master, came, sizeof came)) > 0)
        vt_write(&vt, came, (size_t)n);
    if (!has(text))
        fail_msg("'%s' was not shown", text);
}

static void type(const char *keys)
{
    assert_int_equal(write(master, keys, strlen(keys)), strlen(keys));
}

/* The end of it: what is left in the terminal is read. */
static int await_end(void)
{
    char came[4096];
    int status = 0;
    ssize_t n;

    while ((n = read(master, came, sizeof came)) > 0 || (n < 0 && errno == EINTR))
        vt_write(&vt, came, n > 0 ? (size_t)n : 0);
    assert_int_equal(waitpid(viewer, &status, 0), viewer);
    (void)close(master);
    assert_int_equal(vt.screen, 0); /* the alternate screen was left */
    return status;
}

static bool is_canonical(void)
{
    struct termios mode;

    return tcgetattr(master, &mode) == 0 && (mode.c_lflag & (ICANON | ECHO)) == (ICANON | ECHO);
}

static int make_ledger(void **state)
{
    int fd;

    (void)state;
    (void)snprintf(ledger_path, sizeof ledger_path, "/tmp/stint-top-XXXXXX");
    fd = mkstemp(ledger_path);
    (void)setenv("TERM", "xterm", 1);
    (void)setenv("LC_ALL", "C", 1);
    return fd < 0 || close(fd) != 0 || unlink(ledger_path) != 0;
}

static int remove_ledger(void **state)
{
    static const char *const ends[] = {"", "-wal", "-shm"};
    char file[80];

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(ends); i++) {
        (void)snprintf(file, sizeof file, "%s%s", ledger_path, ends[i]);
        (void)unlink(file);
    }
    return 0;
}

static void test_keys_on_a_terminal(void **state)
{
    struct winsize size = {.ws_row = 20, .ws_col = 70};
    pid_t alpha = sleeper(), beta = sleeper();
    int status = 0;

    (void)state;
    add_run("alpha", alpha);
    add_run("beta", beta);
    start_viewer();
    await("2 runs on 1 machine");
    await("beta");
    type("sss");
    await("sort by name");
    type("\r");
    await("set-up has begun");
    type("\033[B");
    await("beta  ");
    type("\r");
    await("enter details");
    assert_int_equal(ioctl(master, TIOCSWINSZ, &size), 0);
    vt_start(&vt, 20, 70);
    vt.screen = 1;
    await("enter details");
    assert_non_null(strstr(vt_row(&vt, 19), "q quit"));
    type("gx");
    await("stop alpha?");
    type("n");
    await("it keeps running");
    type("xy");
    await("asked alpha to save");
    assert_int_equal(waitpid(alpha, &status, 0), alpha);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    type("k");
    await("1 run on 1 machine");
    type("q");
    status = await_end();
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    (void)kill(beta, SIGKILL);
    (void)waitpid(beta, NULL, 0);
}

static void test_signals_leave_a_clean_terminal(void **state)
{
    int status = 0;

    (void)state;
    start_viewer(); /* without a ledger */
    await("nothing has been run yet");
    assert_false(is_canonical());
    type("\032"); /* Ctrl-Z */
    assert_int_equal(waitpid(viewer, &status, WUNTRACED), viewer);
    assert_true(WIFSTOPPED(status));
    assert_true(is_canonical());
    vt_start(&vt, 24, 90);
    assert_int_equal(kill(viewer, SIGCONT), 0);
    await("stint top | 0 runs");
    assert_false(is_canonical());
    assert_int_equal(kill(viewer, SIGTERM), 0);
    while (!is_canonical())
        (void)poll(NULL, 0, 1);
    status = await_end();
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);

    start_viewer();
    await("nothing has been run yet");
    type("\003"); /* Ctrl-C */
    status = await_end();
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

int group_top(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_details),
        cmocka_unit_test(test_details_are_printed),
        cmocka_unit_test(test_every_size),
        cmocka_unit_test(test_long_lists_scroll),
        cmocka_unit_test(test_selected_row_is_highlighted),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_keys),
        cmocka_unit_test(test_what_keys_do),
        cmocka_unit_test_setup_teardown(test_keys_on_a_terminal, make_ledger, remove_ledger),
        cmocka_unit_test_setup_teardown(test_signals_leave_a_clean_terminal, make_ledger,
                                        remove_ledger),
    };

    (void)alarm(120);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
