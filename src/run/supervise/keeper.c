#include "run/supervise/keeper.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/num.h"
#include "base/process.h"
#include "ledger/runs/run_journal.h"
#include "run/supervise/guard.h"

#define ANCESTORS 64               /* that are climbed to find the command */
#define TELL_NS INT64_C(5000000)   /* a limit that moved by less is not sent */
#define LATE_NS INT64_C(100000000) /* how late the supervisor may be before the keeper acts */
#define GRACE_NS INT64_C(50000000) /* a grace that changed by less is not sent */

/* What the supervisor sends after keeper_job(). */
enum topic {
    TOPIC_COMMAND, /* its process id */
    TOPIC_LIMIT,
    TOPIC_GRACE,
};

struct message {
    int64_t topic, value;
};

/* ---- the keeper's own side ---- */

/* Has this process STINT_RUN_ID=`id` in its environment? */
static bool is_of_run(const char *pid, const char *marker)
{
    char path[64], chunk[8192 + 1];
    size_t kept = 0, len = strlen(marker);
    bool found = false;
    ssize_t got;
    int fd;

    (void)snprintf(path, sizeof path, "/proc/%.20s/environ", pid);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    /* In pieces that overlap by the marker's length: environments may be large. */
    while (!found && (got = read(fd, chunk + kept, sizeof chunk - 1 - kept)) > 0) {
        size_t have = kept + (size_t)got;

        found = memmem(chunk, have, marker, len) != NULL;
        kept = have < len ? have : len;
        memmove(chunk, chunk + have - kept, kept);
    }
    (void)close(fd);
    return found;
}

/* Is it in the run's control group? Its folder has the run's id in its name. */
static bool is_in_group(const char *pid, const char *id)
{
    char path[64], text[4096];
    ssize_t got;
    int fd;

    (void)snprintf(path, sizeof path, "/proc/%.20s/cgroup", pid);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    got = read(fd, text, sizeof text);
    (void)close(fd);
    return got > 0 && memmem(text, (size_t)got, id, strlen(id)) != NULL;
}

/* Does it descend from the command? */
static bool is_process_below(int64_t pid, int64_t command)
{
    for (int steps = 0; pid > 1 && steps < ANCESTORS; steps++) {
        if (pid == command)
            return true;
        pid = process_parent(pid);
    }
    return false;
}

/* A signal to all of the run; how many there are. */
static int signal_all(const struct keeper_options *options, int number)
{
    char marker[32 + LEDGER_ID];
    DIR *proc = opendir("/proc");
    struct dirent *entry;
    int count = 0;

    (void)snprintf(marker, sizeof marker, "STINT_RUN_ID=%s", options->id);

    if (proc == NULL)
        return 0;
    while ((entry = readdir(proc)) != NULL) {
        int64_t pid;

        if (!num_int(str_from(entry->d_name), &pid) || pid <= 0 || pid == getpid() ||
            pid == options->supervisor ||
            !(is_of_run(entry->d_name, marker) || is_in_group(entry->d_name, options->id) ||
              (options->command > 0 && is_process_below(pid, options->command))))
            continue;
        count++;
        (void)kill((pid_t)pid, number);
        if (number == SIGTERM)
            (void)kill((pid_t)pid, SIGCONT); /* one that is stopped hears nothing else */
    }
    (void)closedir(proc);
    return count;
}

/* End the job: SIGTERM, up to `grace` of waiting, SIGKILL. */
static void end_job(const struct keeper_options *options, span grace)
{
    instant until = {clock_paid().ns + grace.ns};
    bool has_group = options->cgroup.v2[0] != '\0' || options->cgroup.cpuacct[0] != '\0';
    int left;

    left = grace.ns > 0 ? signal_all(options, SIGTERM) : 1;
    while (left > 0 && clock_paid().ns < until.ns) {
        (void)poll(NULL, 0, 50);
        left = signal_all(options, 0);
    }
    if (has_group)
        cgroup_kill(&options->cgroup);
    for (int tries = 0; tries < 20 && signal_all(options, SIGKILL) > 0; tries++)
        (void)poll(NULL, 0, 50);
}

/* Write down what happened, in the ledger or in a journal. */
static void note_end(const char *path, const struct keeper_options *options)
{
    struct ledger_happening event = {
        .at = clock_system.today(clock_system.ctx),
        .kind = STR("supervisor-killed"),
        .text = STR("the supervisor was killed: the keeper ended the job"),
        .left_out = -1};
    struct buf note = buf_new(&alloc_system, 4096);
    struct run_journal journal = {0};
    struct run_journal_result waiting;
    char name[LEDGER_ID + 16];
    struct error ignored;
    struct ledger *ledger;

    if (path == NULL || !options->recorded)
        return;
    run_journal_put_note(&note, options->attempt_id, &event);
    /* What goes to a server is sent by a later command: this process only ends things. */
    ledger = run_journal_is_sent(path) ? NULL
                                       : ledger_open(path, LEDGER_WRITE, (span){2000000000},
                                                     &clock_system, &alloc_system, &ignored);
    if (ledger != NULL) /* what the supervisor had not written yet comes first */
        ledger_apply_waiting(ledger, path, NULL, (span){2000000000}, &waiting);
    if (ledger == NULL || !ledger_apply_note(ledger, buf_text(&note), &ignored)) {
        (void)snprintf(name, sizeof name, "%s_keeper", options->attempt_id);
        (void)!run_journal_append(&journal, path, name, (struct str){0}, buf_text(&note),
                                  &ignored);
        run_journal_close(&journal);
    }
    ledger_close(ledger);
    buf_free(&note);
}

/* The grace, but not beyond the limit. */
static span grace_within(span grace, int64_t limit)
{
    int64_t left = limit == MOMENT_NEVER.ns ? grace.ns : limit - clock_paid().ns;

    return (span){left < grace.ns ? left : grace.ns};
}

static void read_messages(const struct message *message, struct keeper_options *options,
                          int64_t *limit)
{
    switch ((enum topic)message->topic) {
    case TOPIC_COMMAND:
        options->command = (pid_t)message->value;
        break;
    case TOPIC_LIMIT:
        *limit = message->value;
        break;
    case TOPIC_GRACE:
        options->grace.ns = message->value;
        break;
    }
}

/* Wait for the supervisor's words until it is gone, or the limit has passed. One that ends in
 * good order kills the keeper first. */
static void keep_watch(int fd, const char *ledger, struct keeper_options *options,
                       _Atomic bool *reached_limit)
{
    int64_t limit = MOMENT_NEVER.ns;
    struct message message;

    for (;;) {
        int64_t now = clock_paid().ns;
        struct pollfd wait = {.fd = fd, .events = POLLIN};
        int64_t ms = limit == MOMENT_NEVER.ns ? -1 : (limit + LATE_NS - now) / 1000000 + 1;
        int ready;
        ssize_t got;

        if (limit != MOMENT_NEVER.ns && now >= limit + LATE_NS) {
            /* Late: it is stopped, or cannot run. It records the end when it can again. */
            *reached_limit = true;
            end_job(options, (span){0});
            (void)kill(options->supervisor, SIGCONT);
            limit = MOMENT_NEVER.ns;
            continue;
        }
        ready = poll(&wait, 1, ms > 60000 ? 60000 : (int)ms);
        if (ready <= 0)
            continue;
        got = read(fd, &message, sizeof message);
        if (got == (ssize_t)sizeof message) {
            read_messages(&message, options, &limit);
        } else if (got < 0 && getppid() == options->supervisor) {
            (void)poll(NULL, 0, 50); /* what cannot be heard from one who lives ends no job */
        } else {
            end_job(options, grace_within(options->grace, limit));
            note_end(ledger, options);
            return;
        }
    }
}

/* Nothing of the supervisor's is kept open but the pipe: readers of our output must see its
 * end when the job's is there. */
static void keep_only_keeper_pipe(int keep_fd)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);

    for (int fd = 0; fd < 3; fd++)
        if (null >= 0)
            (void)dup2(null, fd);
    if (null > 2)
        (void)close(null);
    process_close_fds(3, keep_fd);
}

/* The first message; false when the supervisor was gone before there was a job. */
static bool hear_job(int fd, struct keeper_options *options)
{
    ssize_t got;

    do
        got = read(fd, options, sizeof *options);
    while (got < 0 && errno == EINTR);
    return got == (ssize_t)sizeof *options;
}

static _Noreturn void keeper_main(int fd, const char *ledger, pid_t supervisor,
                                  _Atomic bool *reached_limit)
{
    struct sigaction plain = {.sa_handler = SIG_IGN};
    struct keeper_options options;
    sigset_t none;

    (void)setsid(); /* Ctrl-C and Ctrl-Z are not for us */
    (void)prctl(PR_SET_NAME, "stint-keeper");
    keep_only_keeper_pipe(fd);
    for (int number = 1; number < NSIG; number++)
        if (number != SIGKILL && number != SIGSTOP && number != SIGCHLD)
            (void)sigaction(number, &plain, NULL);
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    if (hear_job(fd, &options)) {
        options.supervisor = supervisor;
        keep_watch(fd, ledger, &options, reached_limit);
    }
    _exit(0);
}

/* ---- the supervisor's side ---- */

/* Both processes see what is in it. */
static bool share_flag(struct keeper *keeper, struct error *err)
{
    void *page = mmap(NULL, sizeof *keeper->reached_limit, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    if (page == MAP_FAILED) {
        error_system(err, errno, "cannot share memory with the keeper");
        return false;
    }
    keeper->reached_limit = page;
    return true;
}

static void unshare_flag(struct keeper *keeper)
{
    if (keeper->reached_limit != NULL)
        (void)munmap(keeper->reached_limit, sizeof *keeper->reached_limit);
    keeper->reached_limit = NULL;
}

bool keeper_reached_limit(const struct keeper *keeper)
{
    return keeper->reached_limit != NULL && *keeper->reached_limit;
}

bool keeper_start(struct keeper *keeper, const char *ledger, struct error *err)
{
    pid_t supervisor = getpid();
    int ends[2];

    *keeper = (struct keeper){.fd = -1, .pid = -1, .sent = MOMENT_NEVER.ns};
    if (!share_flag(keeper, err))
        return false;
    if (pipe2(ends, O_CLOEXEC) != 0) {
        error_system(err, errno, "cannot make a pipe");
        unshare_flag(keeper);
        return false;
    }
    keeper->pid = fork();
    if (keeper->pid == 0) {
        (void)close(ends[1]);
        keeper_main(ends[0], ledger, supervisor, keeper->reached_limit);
    }
    (void)close(ends[0]);
    if (keeper->pid < 0) {
        error_system(err, errno, "cannot start the keeper");
        (void)close(ends[1]);
        unshare_flag(keeper);
        return false;
    }
    /* One that is stopped and reads nothing must not stop us too. */
    (void)fcntl(ends[1], F_SETFL, O_NONBLOCK);
    keeper->fd = ends[1];
    return true;
}

/* Messages are smaller than PIPE_BUF, so never split; a keeper that is gone does not kill us,
 * since the supervisor ignores SIGPIPE. */
static void send_message(const struct keeper *keeper, const void *message, size_t size)
{
    while (write(keeper->fd, message, size) < 0 && errno == EINTR)
        continue;
}

_Static_assert(sizeof(struct keeper_options) <= 4096, "sent in one piece");

void keeper_job(struct keeper *keeper, const struct keeper_options *options)
{
    if (keeper->fd < 0)
        return;
    send_message(keeper, options, sizeof *options);
    keeper->grace = options->grace;
    keeper->has_job = true;
}

static void send_value(const struct keeper *keeper, enum topic topic, int64_t value)
{
    struct message message = {topic, value};

    send_message(keeper, &message, sizeof message);
}

void keeper_command(struct keeper *keeper, pid_t command)
{
    if (keeper->fd >= 0)
        send_value(keeper, TOPIC_COMMAND, command);
}

static int64_t time_distance(int64_t a, int64_t b)
{
    return a > b ? a - b : b - a;
}

void keeper_limit(struct keeper *keeper, instant limit)
{
    int64_t moved = time_distance(limit.ns, keeper->sent);

    if (keeper->fd < 0 || !keeper->has_job || moved < TELL_NS)
        return;
    keeper->sent = limit.ns;
    send_value(keeper, TOPIC_LIMIT, limit.ns);
}

void keeper_grace(struct keeper *keeper, span grace)
{
    if (keeper->fd < 0 || !keeper->has_job ||
        time_distance(grace.ns, keeper->grace.ns) < GRACE_NS)
        return;
    keeper->grace = grace;
    send_value(keeper, TOPIC_GRACE, grace.ns);
}

void keeper_gone(struct keeper *keeper)
{
    if (keeper->fd >= 0)
        (void)close(keeper->fd);
    keeper->fd = -1;
    keeper->pid = -1;
}

void keeper_dismiss(struct keeper *keeper)
{
    if (keeper->fd < 0)
        return;
    /* It only waits now: no need to ask it, and it may have been stopped. */
    (void)kill(keeper->pid, SIGKILL);
    (void)close(keeper->fd);
    keeper->fd = -1;
    keeper->dismissed = true;
}

void keeper_end(struct keeper *keeper)
{
    keeper_dismiss(keeper);
    while (keeper->dismissed && waitpid(keeper->pid, NULL, 0) < 0 && errno == EINTR)
        continue;
    keeper->dismissed = false;
    unshare_flag(keeper);
}

void keeper_child(const struct keeper *keeper)
{
    if (keeper->fd >= 0)
        (void)close(keeper->fd);
}
