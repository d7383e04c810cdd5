#include "data/program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/fs.h"
#include "data/tree.h"

#define WAIT_MS 100
#define PATIENCE_MS 10000 /* after SIGTERM, until SIGKILL */
#define LINE_MAX_BYTES ((size_t)64 << 10)
#define TROUBLE_MAX ((size_t)4 << 10)
#define PIPE_BYTES (1 << 20) /* what it prints before somebody reads it; as users may have */

extern char **environ;

struct program_stream {
    int fd; /* -1: at its end */
    bool error;
    struct buf line;
};

struct program {
    struct program_work work;
    struct arena *arena;
    struct program_stream streams[2]; /* output, errors */
    struct buf output;
    char trouble[TROUBLE_MAX]; /* the last of it */
    size_t trouble_len;
    pid_t pid;
    int status; /* -1: it runs */
    bool stopped;
    int waited_ms; /* since it was told to end */
};

static bool name_is_same(const char *a, const char *b)
{
    size_t len = strcspn(a, "=");

    return strncmp(a, b, len + 1) == 0;
}

/* Our environment with those of `more` in the place of ours. */
static char **program_env(const char *const *more, struct arena *arena, struct error *err)
{
    size_t count = 0, extra = 0, used = 0;
    char **out;

    while (environ[count] != NULL)
        count++;
    while (more != NULL && more[extra] != NULL)
        extra++;
    out = arena_array(arena, char *, count + extra + 1, err);
    if (out == NULL)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        bool replaced = false;

        for (size_t k = 0; k < extra; k++)
            replaced = replaced || name_is_same(more[k], environ[i]);
        if (!replaced)
            out[used++] = environ[i];
    }
    if (extra > 0) /* only read: the interface is older than const */
        memcpy(&out[used], more, extra * sizeof *more);
    return out;
}

/* The input as a file that has no name: it is never waited for. */
static int input_file(struct str input, struct error *err)
{
    int fd = input.len > 0 ? memfd_create("stint", MFD_CLOEXEC)
                           : open("/dev/null", O_RDONLY | O_CLOEXEC);

    if (fd < 0) {
        error_system(err, errno, "cannot write the list of files");
        return -1;
    }
    if (input.len > 0 && (!fs_write_all(fd, input, err) || lseek(fd, 0, SEEK_SET) != 0)) {
        (void)close(fd);
        return -1;
    }
    return fd;
}

/* In the child: only calls that a signal handler may make. It must not outlive us, since the
 * next sync would meet it. */
static _Noreturn void become_program(struct program *p, pid_t parent, int input,
                                     const int ends[static 2], int report, char **env)
{
    sigset_t none;
    char *const *words;
    int why;

    memcpy(&words, &p->work.argv, sizeof words);
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    if (prctl(PR_SET_PDEATHSIG, SIGTERM) == 0 && getppid() == parent &&
        dup2(input, STDIN_FILENO) >= 0 && dup2(ends[0], STDOUT_FILENO) >= 0 &&
        dup2(ends[1], STDERR_FILENO) >= 0)
        (void)execvpe(words[0], words, env);
    why = errno;
    (void)!write(report, &why, sizeof why);
    _exit(127);
}

/* 0, or why not. */
static int spawn_with(struct program *p, int input, const int ends[static 2], char **env)
{
    int report[2], why = 0;
    pid_t parent = getpid();

    if (pipe2(report, O_CLOEXEC) != 0)
        return errno;
    p->pid = fork();
    if (p->pid == 0)
        become_program(p, parent, input, ends, report[1], env);
    if (p->pid < 0)
        why = errno;
    (void)close(report[1]);
    if (p->pid > 0 && read(report[0], &why, sizeof why) == (ssize_t)sizeof why)
        (void)waitpid(p->pid, NULL, 0);
    (void)close(report[0]);
    return why;
}

static bool launch_mover(struct program *p, struct error *err)
{
    int output[2] = {-1, -1}, errors[2] = {-1, -1}, bad = 0;
    char **env = program_env(p->work.env, p->arena, err);
    int input = env != NULL ? input_file(p->work.input, err) : -1;

    if (input < 0)
        return false;
    if (pipe2(output, O_CLOEXEC) != 0 || pipe2(errors, O_CLOEXEC) != 0)
        bad = errno;
    if (bad == 0)
        bad = spawn_with(p, input, (int[]){output[1], errors[1]}, env);
    (void)close(input);
    for (int i = 0; i < 2; i++) {
        int *ends = i == 0 ? output : errors;

        if (ends[1] >= 0)
            (void)close(ends[1]);
        if (bad != 0 && ends[0] >= 0)
            (void)close(ends[0]);
        p->streams[i].fd = bad == 0 ? ends[0] : -1;
    }
    if (bad == 0)
        return true;
    error_system(err, bad, "cannot run '%s'", p->work.argv[0]);
    if (bad == ENOENT)
        err->kind = ERROR_ABSENT;
    return false;
}

/* The end of what it says is why it failed. */
static void keep_trouble(struct program *p, struct str text)
{
    if (text.len > TROUBLE_MAX)
        text = (struct str){text.at + text.len - TROUBLE_MAX, TROUBLE_MAX};
    if (p->trouble_len + text.len > TROUBLE_MAX) {
        size_t over = p->trouble_len + text.len - TROUBLE_MAX;

        memmove(p->trouble, p->trouble + over, p->trouble_len - over);
        p->trouble_len -= over;
    }
    memcpy(p->trouble + p->trouble_len, text.at, text.len);
    p->trouble_len += text.len;
}

static void take_lines(struct program *p, struct program_stream *stream, struct str text)
{
    for (size_t i = 0; p->work.line != NULL && i < text.len; i++) {
        if (text.at[i] != '\n' && text.at[i] != '\r') {
            if (stream->line.len < LINE_MAX_BYTES)
                buf_char(&stream->line, text.at[i]);
            continue;
        }
        if (stream->line.len > 0)
            p->work.line(p->work.ctx, stream->error, buf_text(&stream->line));
        buf_clear(&stream->line);
    }
    if (stream->error)
        keep_trouble(p, text);
    else if (p->work.output_max > 0)
        buf_add(&p->output, text);
}

static void read_stream(struct program *p, struct program_stream *stream)
{
    char text[16384];
    ssize_t got = read(stream->fd, text, sizeof text);

    if (got < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (got > 0) {
        take_lines(p, stream, (struct str){text, (size_t)got});
        return;
    }
    (void)close(stream->fd);
    stream->fd = -1;
}

static void reap_program(struct program *p)
{
    int how;
    pid_t done = p->status < 0 ? waitpid(p->pid, &how, WNOHANG) : 0;

    if (done == p->pid)
        p->status = WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how);
    else if (done < 0 && errno != EINTR)
        p->status = 127; /* somebody else has waited for it */
}

/* Ask it to end, and make it end when it does not. */
static void end_when_stopped(struct program *p, int waited_ms)
{
    struct error ignored;

    if (!p->stopped && !tree_goes_on(p->work.watch, &ignored)) {
        p->stopped = true;
        (void)kill(p->pid, SIGTERM);
    }
    if (p->stopped && p->status < 0) {
        p->waited_ms += waited_ms;
        if (p->waited_ms > PATIENCE_MS)
            (void)kill(p->pid, SIGKILL);
    }
}

/* True while there is more to come. What it has left running (a connection that ssh keeps) may
 * hold its pipes open: nothing is expected of these when the program itself has ended. */
static bool attend_program(struct program *p)
{
    bool open = p->streams[0].fd >= 0 || p->streams[1].fd >= 0, quiet;
    struct pollfd fds[2];

    for (int i = 0; i < 2; i++)
        fds[i] = (struct pollfd){.fd = p->streams[i].fd, .events = POLLIN};
    quiet = poll(fds, 2, p->status >= 0 ? 0 : open ? WAIT_MS : 1) <= 0;
    for (int i = 0; i < 2; i++)
        if (p->streams[i].fd >= 0 && fds[i].revents != 0)
            read_stream(p, &p->streams[i]);
    if (quiet && p->status >= 0)
        return false;
    if (quiet)
        reap_program(p);
    end_when_stopped(p, open ? WAIT_MS : 1);
    return p->status < 0 || open;
}

static bool keep_ending(struct program *p, struct program_end *end, struct error *err)
{
    struct str trouble = str_trim((struct str){p->trouble, p->trouble_len});

    end->status = p->status;
    while (trouble.len > 0 && trouble.at[trouble.len - 1] == '\n')
        trouble.len--;
    return str_keep(trouble, p->arena, &end->trouble, err) && buf_ok(&p->output, err) &&
           str_keep(buf_text(&p->output), p->arena, &end->output, err);
}

struct program *program_start(const struct program_work *work, struct arena *arena,
                              struct error *err)
{
    struct program *p = arena_array(arena, struct program, 1, err);

    if (p == NULL || !tree_goes_on(work->watch, err))
        return NULL;
    *p = (struct program){
        .work = *work,
        .arena = arena,
        .streams = {{-1, false, buf_new(arena->alloc, LINE_MAX_BYTES + 1)},
                    {-1, true, buf_new(arena->alloc, LINE_MAX_BYTES + 1)}},
        .output = buf_new(arena->alloc, work->output_max),
        .status = -1,
    };
    if (!launch_mover(p, err))
        return NULL;
    (void)fcntl(p->streams[0].fd, F_SETPIPE_SZ, PIPE_BYTES);
    return p;
}

static void close_program(struct program *p)
{
    for (int i = 0; i < 2; i++) {
        if (p->streams[i].fd >= 0)
            (void)close(p->streams[i].fd);
        buf_free(&p->streams[i].line);
    }
}

bool program_finish(struct program *p, struct program_end *end, struct error *err)
{
    bool ok;

    *end = (struct program_end){0};
    while (attend_program(p))
        continue;
    close_program(p);
    ok = p->stopped ? error_fail(err, ERROR_STOPPED, "stopped") : keep_ending(p, end, err);
    buf_free(&p->output);
    return ok;
}

void program_drop(struct program *p)
{
    if (p == NULL)
        return;
    p->work.line = NULL;
    p->stopped = true;
    (void)kill(p->pid, SIGTERM);
    while (attend_program(p))
        continue;
    close_program(p);
    buf_free(&p->output);
}

bool program_run(const struct program_work *work, struct arena *arena, struct program_end *end,
                 struct error *err)
{
    struct program *p = program_start(work, arena, err);

    return p != NULL && program_finish(p, end, err);
}
