/* The relay between real processes, pipes and pseudo-terminals. Descriptors 1 and 2 of this
 * process are replaced for as long as a relay is open. */
#include "run/output/relay.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "run/output/relay_internal.h"
#include "test.h"
#include "vt.h"

/* ---- where output goes, and its reader ---- */

struct place {
    int ours, theirs; /* read here; what descriptor 1 or 2 becomes */
    pthread_t reader;
    char *text;
    size_t len, room;
};

static void *read_all(void *ctx)
{
    struct place *place = ctx;
    ssize_t n;

    for (;;) {
        if (place->room - place->len < 65536) {
            place->room = place->room * 2 + 131072;
            place->text = realloc(place->text, place->room);
        }
        n = read(place->ours, place->text + place->len, 65536);
        if (n <= 0 && errno != EINTR)
            return NULL; /* EIO: a pseudo-terminal that is closed */
        place->len += n > 0 ? (size_t)n : 0;
    }
}

static void pipe_place(struct place *place)
{
    int ends[2];

    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    *place = (struct place){.ours = ends[0], .theirs = ends[1]};
}

static void terminal_place(struct place *place, int rows, int columns)
{
    struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
    struct termios mode;
    char name[64];

    *place = (struct place){.ours = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)};
    assert_true(place->ours >= 0);
    assert_int_equal(grantpt(place->ours), 0);
    assert_int_equal(unlockpt(place->ours), 0);
    assert_int_equal(ptsname_r(place->ours, name, sizeof name), 0);
    place->theirs = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
    assert_true(place->theirs >= 0);
    assert_int_equal(tcgetattr(place->theirs, &mode), 0);
    cfmakeraw(&mode);
    assert_int_equal(tcsetattr(place->theirs, TCSANOW, &mode), 0);
    assert_int_equal(ioctl(place->ours, TIOCSWINSZ, &size), 0);
}

static void read_place(struct place *place)
{
    assert_int_equal(pthread_create(&place->reader, NULL, read_all, place), 0);
}

/* All writers have closed: what came. */
static struct str take_place(struct place *place)
{
    (void)pthread_join(place->reader, NULL);
    (void)close(place->ours);
    return (struct str){place->text, place->len};
}

static void free_place(struct place *place)
{
    free(place->text);
    place->text = NULL;
}

/* ---- a program under a relay ---- */

static struct {
    char lines[65536];
    size_t len;
    int count, errors;
} seen;

static void see_line(void *ctx, struct str line, bool is_error)
{
    (void)ctx;
    seen.count++;
    seen.errors += is_error;
    if (seen.len + line.len + 1 < sizeof seen.lines) {
        memcpy(seen.lines + seen.len, line.at, line.len);
        seen.lines[seen.len + line.len] = '|';
        seen.len += line.len + 1;
    }
}

static int saved_out, saved_error;

static void wear(int out, int error)
{
    (void)fflush(stdout);
    (void)fflush(stderr);
    memset(&seen, 0, sizeof seen);
    saved_out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10);
    saved_error = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 10);
    if (out >= 0)
        (void)dup2(out, STDOUT_FILENO);
    else
        (void)close(STDOUT_FILENO);
    if (error >= 0)
        (void)dup2(error, STDERR_FILENO);
    else
        (void)close(STDERR_FILENO);
}

static void take_off(void)
{
    (void)dup2(saved_out, STDOUT_FILENO);
    (void)dup2(saved_error, STDERR_FILENO);
    (void)close(saved_out);
    (void)close(saved_error);
}

static struct relay *open_relay(bool lines, bool status)
{
    struct relay_options options = {.line = lines ? see_line : NULL, .status = status};
    struct error err;

    return relay_open(&options, &alloc_system, &err);
}

static int daemon_pipe[2] = {-1, -1};

static pid_t start(struct relay *relay, void (*program)(void))
{
    pid_t pid = fork();

    if (pid == 0) {
        relay_child(relay);
        for (int fd = 3; fd < 256; fd++) /* as a program that is executed */
            if (fd != daemon_pipe[0] && fd != daemon_pipe[1])
                (void)close(fd);
        program();
        _exit(0);
    }
    relay_parent(relay);
    return pid;
}

/* The supervisor's loop, until all ends are closed. */
static void loop(struct relay *relay)
{
    struct relay_wait waits[RELAY_FDS];
    size_t count;

    while ((count = relay_waits(relay, waits)) > 0) {
        struct pollfd fds[RELAY_FDS];

        for (size_t i = 0; i < count; i++)
            fds[i] = (struct pollfd){.fd = waits[i].fd,
                                     .events = waits[i].events == EPOLLIN ? POLLIN : POLLOUT};
        (void)poll(fds, (nfds_t)count, -1);
        for (size_t i = 0; i < count; i++)
            if (fds[i].revents != 0)
                relay_ready(relay, fds[i].fd);
    }
}

static int run(struct relay *relay, void (*program)(void))
{
    pid_t pid = start(relay, program);
    int status = -1;

    loop(relay);
    (void)waitpid(pid, &status, 0);
    (void)relay_finish(relay, (span){0});
    return status;
}

static void print(int fd, const char *text)
{
    if (write(fd, text, strlen(text)) < 0)
        _exit(9);
}

/* ---- tests ---- */

#define MANY (3 * 1000 * 1000)

static void print_many(void)
{
    static unsigned char bytes[MANY];

    for (unsigned i = 0; i < MANY; i++)
        bytes[i] = (unsigned char)(i * 2654435761U >> 13);
    for (size_t done = 0; done < MANY;) {
        ssize_t n = write(1, bytes + done, MANY - done < 77777 ? MANY - done : 77777);

        if (n <= 0)
            _exit(9);
        done += (size_t)n;
    }
}

static void test_pipe_passes_every_byte(void **state)
{
    struct place out;
    struct str got;
    int status;

    (void)state;
    pipe_place(&out);
    read_place(&out);
    wear(out.theirs, STDERR_FILENO);
    (void)close(out.theirs);
    status = run(open_relay(true, false), print_many);
    take_off();
    got = take_place(&out);
    assert_int_equal(status, 0);
    assert_int_equal(got.len, MANY);
    for (unsigned i = 0; i < MANY; i++)
        if ((unsigned char)got.at[i] != (unsigned char)(i * 2654435761U >> 13))
            fail_msg("byte %u differs", i);
    assert_true(seen.count > 1000);
    free_place(&out);
}

static void print_both(void)
{
    if (isatty(1) || isatty(2))
        _exit(8);
    print(1, "one\ntwo");
    print(2, "warning\r\nbad");
}

static void test_outputs_stay_apart(void **state)
{
    struct place out, error;
    int status;

    (void)state;
    pipe_place(&out);
    pipe_place(&error);
    read_place(&out);
    read_place(&error);
    wear(out.theirs, error.theirs);
    (void)close(out.theirs);
    (void)close(error.theirs);
    status = run(open_relay(true, true), print_both);
    take_off();
    assert_int_equal(status, 0);
    assert_str_equal(take_place(&out), "one\ntwo");
    assert_str_equal(take_place(&error), "warning\r\nbad");
    assert_int_equal(seen.count, 4);
    assert_int_equal(seen.errors, 2);
    free_place(&out);
    free_place(&error);
}

static void print_in_turns(void)
{
    for (int i = 0; i < 500; i++) {
        print(1, "o\n");
        print(2, "e\n");
    }
}

static void test_order_is_kept(void **state)
{
    struct place out;
    struct str got;
    int status;

    (void)state;
    pipe_place(&out);
    read_place(&out);
    wear(out.theirs, out.theirs);
    (void)close(out.theirs);
    status = run(open_relay(true, false), print_in_turns);
    take_off();
    got = take_place(&out);
    assert_int_equal(status, 0);
    assert_int_equal(got.len, 2000);
    for (size_t i = 0; i < got.len; i += 4)
        assert_memory_equal(got.at + i, "o\ne\n", 4);
    assert_int_equal(seen.errors, 0);
    free_place(&out);
}

/* Are 1 and 2 what they were outside? */
static struct stat outside;

static void check_untouched(void)
{
    struct stat here;

    _exit(fstat(1, &here) == 0 && here.st_ino == outside.st_ino ? 0 : 7);
}

static void test_nothing_without_need(void **state)
{
    struct place out;
    struct relay_wait waits[RELAY_FDS];
    struct relay *relay;
    int status;

    (void)state;
    pipe_place(&out);
    wear(out.theirs, out.theirs);
    (void)fstat(1, &outside);
    relay = open_relay(false, true);
    status = relay_has_status(relay) || relay_waits(relay, waits) != 0;
    status += run(relay, check_untouched);
    take_off();
    assert_int_equal(status, 0);
    (void)close(out.theirs);
    (void)close(out.ours);
}

static void print_forever(void)
{
    for (;;)
        print(1, "y\n");
}

static void test_reader_that_leaves(void **state)
{
    struct place out;
    struct sigaction now;
    char some[4096];
    pid_t pid;
    struct relay *relay;
    int status = 0;
    bool came;

    (void)state;
    pipe_place(&out);
    wear(out.theirs, STDERR_FILENO);
    (void)close(out.theirs);
    relay = open_relay(true, false);
    pid = start(relay, print_forever);
    relay_ready(relay, relay->of[1]->from);         /* perhaps nothing yet */
    while (relay->of[1]->sent == relay->of[1]->len) /* until the pipe is full */
        relay_ready(relay, relay->of[1]->from);
    came = read(out.ours, some, sizeof some) > 0;
    (void)close(out.ours);
    loop(relay);
    (void)waitpid(pid, &status, 0);
    (void)relay_finish(relay, (span){0});
    take_off();
    assert_true(came);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGPIPE);
    assert_int_equal(sigaction(SIGPIPE, NULL, &now), 0);
    assert_true(now.sa_handler == SIG_DFL);
}

static void test_slow_reader_slows_the_program(void **state)
{
    struct place out;
    struct relay *relay;
    struct str got;
    int status = 0, flags;
    size_t held = 0;
    pid_t pid;

    (void)state;
    pipe_place(&out);
    wear(out.theirs, STDERR_FILENO);
    (void)close(out.theirs);
    relay = open_relay(true, false);
    pid = start(relay, print_many);
    for (int i = 0; i<100; i += held> 0) { /* no reader: the buffer has a limit */
        relay_ready(relay, relay->of[1]->from);
        relay_ready(relay, relay->of[1]->sink.fd);
        held = relay->of[1]->len > held ? relay->of[1]->len : held;
    }
    flags = fcntl(STDOUT_FILENO, F_GETFL);
    read_place(&out);
    loop(relay);
    (void)waitpid(pid, &status, 0);
    (void)relay_finish(relay, (span){0});
    take_off();
    got = take_place(&out);
    assert_int_equal(status, 0);
    assert_int_equal(flags & O_NONBLOCK, 0);
    assert_in_range(held, 1, RELAY_HELD);
    assert_int_equal(got.len, MANY);
    free_place(&out);
}

static void test_files_sockets_and_nothing(void **state)
{
    char path[] = "/tmp/stint-relay-XXXXXX", text[64] = {0};
    int file = mkstemp(path), pair[2], status;
    struct place out = {0};

    (void)state;
    assert_true(file >= 0);
    assert_int_equal(write(file, "before ", 7), 7);
    wear(file, file);
    status = run(open_relay(true, false), print_both);
    take_off();
    assert_int_equal(status, 0);
    assert_int_equal(pread(file, text, sizeof text, 0), 26);
    assert_string_equal(text, "before one\ntwowarning\r\nbad");
    (void)close(file);
    (void)unlink(path);

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
    out.ours = pair[0];
    read_place(&out);
    wear(pair[1], STDERR_FILENO);
    (void)close(pair[1]);
    status = run(open_relay(true, false), print_many);
    take_off();
    assert_int_equal(status, 0);
    assert_int_equal(take_place(&out).len, MANY);
    free_place(&out);
}

static void check_closed(void)
{
    print(2, "it is open\n");
    _exit(fcntl(1, F_GETFD) < 0 && errno == EBADF ? 0 : 7);
}

static void test_closed_output_stays_closed(void **state)
{
    struct place error;
    int status;

    (void)state;
    pipe_place(&error);
    read_place(&error);
    wear(-1, error.theirs);
    (void)close(error.theirs);
    status = run(open_relay(true, true), check_closed);
    take_off();
    assert_int_equal(status, 0);
    assert_str_equal(take_place(&error), "it is open\n");
    free_place(&error);
}

/* ---- terminals ---- */

static struct vt vt;

/* What a user sees after all that came. */
static void show(struct str bytes, int rows, int columns)
{
    vt_start(&vt, rows, columns);
    vt_write(&vt, bytes.at, bytes.len);
}

static void print_on_terminal(void)
{
    struct winsize size;
    struct stat out, error;

    if (!isatty(1) || !isatty(2) || ioctl(1, TIOCGWINSZ, &size) != 0 || size.ws_row != 9 ||
        size.ws_col != 40 || fstat(1, &out) != 0 || fstat(2, &error) != 0 ||
        out.st_ino != error.st_ino)
        _exit(7);
    for (int i = 0; i < 30; i++) {
        print(1, "output\r\n");
        print(2, "error\r\n");
    }
    print(1, "  50%|####");
}

static void test_terminal_with_a_line(void **state)
{
    struct place terminal;
    struct relay *relay;
    struct str got;
    int status = 0;
    pid_t pid;

    (void)state;
    assert_int_equal(setenv("TERM", "xterm", 1), 0);
    terminal_place(&terminal, 10, 40);
    read_place(&terminal);
    wear(terminal.theirs, terminal.theirs);
    (void)close(terminal.theirs);
    relay = open_relay(true, true);
    relay_status(relay, STR("$0.10"));
    pid = start(relay, print_on_terminal);
    loop(relay);
    (void)waitpid(pid, &status, 0);
    relay_message(relay, STR("stint: half of the budget\nis spent\n"));
    relay_status(relay, STR("$0.42 of $5"));
    (void)relay_finish(relay, (span){0});
    take_off();
    got = take_place(&terminal);
    assert_int_equal(status, 0);
    assert_int_equal(seen.count, 61);
    got.len -= strlen("\0337\033[10;1H\033[m\017\033[K\033[r\0338"); /* until the end */
    show(got, 10, 40);
    assert_string_equal(vt_row(&vt, 4), "error");
    assert_string_equal(vt_row(&vt, 5), "  50%|####");
    assert_string_equal(vt_row(&vt, 6), "stint: half of the budget");
    assert_string_equal(vt_row(&vt, 7), "is spent");
    assert_string_equal(vt_row(&vt, 9), "$0.42 of $5");
    assert_int_equal(vt.at.row, 8);
    assert_int_equal(vt.at.column, 0);
    free_place(&terminal);
}

static void print_after_resize(void)
{
    struct winsize size;

    print(1, "ready\r\n");
    while (ioctl(1, TIOCGWINSZ, &size) == 0 && size.ws_row != 19)
        (void)poll(NULL, 0, 1);
    print(1, "resized\r\n");
}

static void test_size_is_followed_and_the_row_lent(void **state)
{
    struct winsize size = {.ws_row = 20, .ws_col = 50};
    struct place terminal;
    struct relay *relay;
    struct str got;
    int status = 0;
    pid_t pid;

    (void)state;
    terminal_place(&terminal, 10, 40);
    read_place(&terminal);
    wear(terminal.theirs, terminal.theirs);
    (void)close(terminal.theirs);
    relay = open_relay(false, true);
    relay_status(relay, STR("first"));
    relay_suspend(relay);
    relay_status(relay, STR("not now"));
    relay_resume(relay);
    pid = start(relay, print_after_resize);
    (void)ioctl(1, TIOCSWINSZ, &size);
    relay_resized(relay);
    relay_status(relay, STR("second"));
    loop(relay);
    (void)waitpid(pid, &status, 0);
    (void)relay_finish(relay, (span){0});
    take_off();
    got = take_place(&terminal);
    assert_int_equal(status, 0);
    show(got, 20, 50);
    assert_string_equal(vt_row(&vt, 0), "ready");
    assert_string_equal(vt_row(&vt, 1), "resized");
    for (int i = 2; i < 20; i++)
        assert_string_equal(vt_row(&vt, i), "");
    assert_int_equal(vt.bottom, 19);
    free_place(&terminal);
}

static void check_one_terminal(void)
{
    print(1, "to the pipe\n");
    print(2, "to the terminal\r\n");
    _exit(!isatty(1) && isatty(2) ? 0 : 7);
}

static void test_line_on_standard_error(void **state)
{
    struct place out, terminal;
    struct str got;
    int status;

    (void)state;
    pipe_place(&out);
    terminal_place(&terminal, 5, 30);
    read_place(&out);
    read_place(&terminal);
    wear(out.theirs, terminal.theirs);
    (void)close(out.theirs);
    (void)close(terminal.theirs);
    status = run(open_relay(false, true), check_one_terminal);
    take_off();
    assert_int_equal(status, 0);
    assert_str_equal(take_place(&out), "to the pipe\n");
    got = take_place(&terminal);
    show(got, 5, 30);
    assert_string_equal(vt_row(&vt, 0), "to the terminal");
    free_place(&out);
    free_place(&terminal);
}

static void test_no_line_on_a_dumb_terminal(void **state)
{
    struct place terminal;
    struct relay *relay;
    bool has;

    (void)state;
    assert_int_equal(setenv("TERM", "dumb", 1), 0);
    terminal_place(&terminal, 5, 30);
    wear(terminal.theirs, terminal.theirs);
    relay = open_relay(false, true);
    has = relay_has_status(relay);
    relay_status(relay, STR("nothing"));
    (void)relay_finish(relay, (span){0});
    take_off();
    assert_false(has);
    assert_int_equal(setenv("TERM", "xterm", 1), 0);
    (void)close(terminal.theirs);
    (void)close(terminal.ours);
}

/* ---- ends ---- */

static void leave_a_daemon(void)
{
    char c;

    print(2, "started");
    if (fork() == 0) { /* until the test closes its end */
        (void)close(daemon_pipe[1]);
        (void)!read(daemon_pipe[0], &c, 1);
        _exit(0);
    }
    _exit(0);
}

static void test_daemon_does_not_block(void **state)
{
    struct place error;
    struct relay *relay;
    int status = 0;
    pid_t pid;

    (void)state;
    pipe_place(&error);
    read_place(&error);
    assert_int_equal(pipe2(daemon_pipe, O_CLOEXEC), 0);
    wear(error.theirs, error.theirs);
    (void)close(error.theirs);
    relay = open_relay(true, false);
    pid = start(relay, leave_a_daemon);
    (void)waitpid(pid, &status, 0);
    relay_drain(relay, (span){20 * INT64_C(1000000)});
    relay_message(relay, STR("stint: it left a daemon"));
    (void)relay_finish(relay, (span){0});
    take_off();
    (void)close(daemon_pipe[0]);
    (void)close(daemon_pipe[1]);
    daemon_pipe[0] = daemon_pipe[1] = -1;
    assert_int_equal(status, 0);
    assert_str_equal(take_place(&error), "started\nstint: it left a daemon\n");
    assert_string_equal(seen.lines, "started|");
    free_place(&error);
}

static void test_say_without_a_relay(void **state)
{
    struct place error;

    (void)state;
    pipe_place(&error);
    read_place(&error);
    wear(STDOUT_FILENO, error.theirs);
    (void)close(error.theirs);
    relay_message(NULL, STR("stint: one"));
    relay_message(NULL, STR("stint: two\n"));
    take_off();
    assert_str_equal(take_place(&error), "stint: one\nstint: two\n");
    free_place(&error);
}

static int open_descriptors(void)
{
    int count = 0;

    for (int fd = 3; fd < 256; fd++)
        count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

static void test_no_memory(void **state)
{
    struct failing_alloc failing = {0};
    struct alloc alloc = {failing_get, failing_put, &failing};
    struct relay_options options = {.line = see_line, .status = true};
    struct error err = {0};
    struct place terminal;
    int before, after = 0, worst = 0;
    bool opened = false;

    (void)state;
    terminal_place(&terminal, 5, 30);
    wear(terminal.theirs, terminal.theirs);
    before = open_descriptors();
    for (size_t allow = 0; allow < 10; allow++) {
        struct relay *relay;

        failing.allow = allow;
        relay = relay_open(&options, &alloc, &err);
        opened = relay != NULL;
        if (opened)
            relay_status(relay, STR("line"));
        (void)relay_finish(relay, (span){0});
        after = open_descriptors();
        worst = failing.held > 0 || after != before ? (int)allow + 1 : worst;
    }
    take_off();
    assert_true(opened);
    assert_int_equal(worst, 0);
    assert_int_equal(err.kind, ERROR_MEMORY);
    (void)close(terminal.theirs);
    (void)close(terminal.ours);
}

static void test_lines_however_they_arrive(void **state)
{
    static const char text[] = "one\ntwo\r\n\r\n 10%\r 20%\r 30%\nlast";
    struct relay_options options = {.line = see_line};
    static char wide[METRIC_LINE + 100];
    static struct relay_lines lines;

    (void)state;
    for (size_t step = 1; step <= sizeof text; step++) {
        memset(&seen, 0, sizeof seen);
        for (size_t at = 0; at < sizeof text - 1; at += step)
            relay_lines_see(&lines, &options,
                            (struct str){text + at, sizeof text - 1 - at < step
                                                        ? sizeof text - 1 - at
                                                        : step},
                            false);
        relay_lines_end(&lines, &options, false);
        assert_string_equal(seen.lines, "one|two| 10%| 20%| 30%|last|");
    }
    memset(wide, 'x', sizeof wide);
    for (size_t step = 1; step < sizeof wide; step += 1021) {
        memset(&seen, 0, sizeof seen);
        for (size_t at = 0; at < sizeof wide; at += step)
            relay_lines_see(
                &lines, &options,
                (struct str){wide + at, sizeof wide - at < step ? sizeof wide - at : step},
                false);
        relay_lines_see(&lines, &options, STR("\nnext\n"), true);
        assert_int_equal(seen.count, 2);
        assert_int_equal(seen.len, METRIC_LINE + 1 + 5);
        assert_int_equal(lines.len, 0);
    }
}

int group_relay(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pipe_passes_every_byte),
        cmocka_unit_test(test_outputs_stay_apart),
        cmocka_unit_test(test_order_is_kept),
        cmocka_unit_test(test_nothing_without_need),
        cmocka_unit_test(test_reader_that_leaves),
        cmocka_unit_test(test_slow_reader_slows_the_program),
        cmocka_unit_test(test_files_sockets_and_nothing),
        cmocka_unit_test(test_closed_output_stays_closed),
        cmocka_unit_test(test_terminal_with_a_line),
        cmocka_unit_test(test_size_is_followed_and_the_row_lent),
        cmocka_unit_test(test_line_on_standard_error),
        cmocka_unit_test(test_no_line_on_a_dumb_terminal),
        cmocka_unit_test(test_daemon_does_not_block),
        cmocka_unit_test(test_say_without_a_relay),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_lines_however_they_arrive),
    };

    (void)alarm(120); /* a relay that waits for ever fails */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
