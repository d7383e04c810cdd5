/* The process that watches: it ends with the one that started it. */
#include "run/cloud/notice.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "run/cloud/metadata.h"
#include "run/cloud/notice_look.h"

#define SECOND INT64_C(1000000000)
#define LONGEST_PAUSE (60 * SECOND)
#define REMEMBERED 32 /* notices: what was told is not told again */
#define OURS 3        /* the descriptor of the pipe over there */
#define PATIENT 3     /* failures in a row that may pass: then they are told */

_Static_assert(sizeof(struct notice) <= PIPE_BUF, "a notice is written at once");

struct watcher {
    struct notice_look look;
    pid_t parent;
    span every;
    struct notice told[REMEMBERED];
    size_t told_count;
    unsigned failures;
    bool troubled; /* that was told */
};

/* Does anybody still want to know? */
static bool wanted(const struct watcher *w, int wait_ms)
{
    struct pollfd closed = {.fd = OURS}; /* errors are told unasked */

    while (poll(&closed, 1, wait_ms) < 0 && errno == EINTR)
        continue;
    return closed.revents == 0 && getppid() == w->parent;
}

static bool go_on(void *ctx)
{
    return wanted(ctx, 0);
}

static void rest(const struct watcher *w, span pause)
{
    if (!wanted(w, (int)(pause.ns / 1000000)))
        _exit(0);
}

/* The same news, whenever they were heard. */
static bool same(const struct notice *a, const struct notice *b)
{
    return a->kind == b->kind && strcmp(a->text, b->text) == 0 && strcmp(a->id, b->id) == 0;
}

static void send_notice(void *ctx, const struct notice *notice)
{
    struct watcher *w = ctx;
    size_t known = w->told_count < REMEMBERED ? w->told_count : REMEMBERED;

    for (size_t i = 0; i < known; i++)
        if (same(&w->told[i], notice))
            return;
    w->told[w->told_count++ % REMEMBERED] = *notice;
    if (write(OURS, notice, sizeof *notice) != (ssize_t)sizeof *notice)
        _exit(0);
}

static void send_trouble(struct watcher *w, const struct error *err)
{
    struct notice n = {.kind = NOTICE_TROUBLE, .at = -1};

    if (w->troubled)
        return;
    w->troubled = true;
    (void)snprintf(n.text, sizeof n.text, "no notices of this machine's end: %.120s",
                   err->text);
    send_notice(w, &n);
}

/* Ever longer while it fails. */
static span next_pause(const struct watcher *w)
{
    int64_t ns = w->failures > 0 && w->every.ns > SECOND ? SECOND : w->every.ns;

    for (unsigned i = 1; i < w->failures && ns < LONGEST_PAUSE; i++)
        ns *= 2;
    return (span){ns < LONGEST_PAUSE ? ns : LONGEST_PAUSE};
}

static _Noreturn void watch(struct watcher *w)
{
    struct error err = {0};

    if (!metadata_service_open(&w->look.service, &err)) {
        send_trouble(w, &err);
        _exit(1);
    }
    for (;;) {
        err = (struct error){0};
        if (notice_look(&w->look, &err)) {
            w->failures = 0;
        } else if (++w->failures >= PATIENT) {
            if (!wanted(w, 0)) /* that is why it failed */
                _exit(0);
            send_trouble(w, &err);
        }
        rest(w, next_pause(w));
    }
}

/* Nothing of the parent's is kept open: its terminal, the program's pipes, the ledger. */
static void let_go(int pipe_end)
{
    int nothing;

    if (pipe_end != OURS && dup2(pipe_end, OURS) != OURS)
        _exit(1);
    if (close_range(OURS + 1, UINT_MAX, 0) != 0) /* a kernel older than it */
        for (int fd = OURS + 1; fd < 65536; fd++)
            (void)close(fd);
    nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int fd = 0; fd < OURS && nothing >= 0; fd++)
        (void)dup2(nothing, fd);
    if (nothing > OURS)
        (void)close(nothing);
}

static _Noreturn void be_the_watcher(const struct notice_options *options, int pipe_end,
                                     pid_t parent)
{
    static struct watcher w;
    sigset_t none;

    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(0);
    (void)prctl(PR_SET_NAME, "stint-notice");
    (void)setsid(); /* Ctrl-C is for the program */
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    (void)signal(SIGPIPE, SIG_IGN);
    let_go(pipe_end);
    w = (struct watcher){.parent = parent, .every = options->every};
    if (w.every.ns <= 0)
        w.every = notice_pace(options->cloud);
    w.look = (struct notice_look){.clock = options->clock, .tell = send_notice, .ctx = &w};
    w.look.service = (struct metadata_service){.cloud = options->cloud,
                                               .alloc = options->alloc,
                                               .tries = 1,
                                               .go_on = go_on,
                                               .ctx = &w};
    watch(&w);
}

int notice_watch(const struct notice_options *options, pid_t *pid, struct error *err)
{
    pid_t self = getpid();
    int ends[2];

    *pid = -1;
    if (metadata_address(options->cloud) == NULL) {
        error_set(err, ERROR_ABSENT, "this machine's provider gives no notice");
        return -1;
    }
    if (pipe2(ends, O_CLOEXEC) != 0) {
        error_system(err, errno, "cannot make a pipe");
        return -1;
    }
    *pid = fork();
    if (*pid == 0)
        be_the_watcher(options, ends[1], self);
    if (*pid < 0)
        error_system(err, errno, "cannot start a process");
    (void)close(ends[1]);
    if (*pid < 0 || fcntl(ends[0], F_SETFL, O_NONBLOCK) != 0) {
        (void)close(ends[0]);
        return -1;
    }
    log_write(options->log, LOG_INFO, "process %d watches for notices at %s", (int)*pid,
              metadata_address(options->cloud));
    return ends[0];
}

int notice_read(int fd, struct notice *out)
{
    ssize_t got;

    do
        got = read(fd, out, sizeof *out);
    while (got < 0 && errno == EINTR);
    if (got != (ssize_t)sizeof *out)
        return got < 0 && errno == EAGAIN ? 0 : -1;
    out->text[sizeof out->text - 1] = '\0';
    out->id[sizeof out->id - 1] = '\0';
    return 1;
}
