/* Which outputs are stood in for, and by what. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include "base/fs.h"
#include "run/output/relay_internal.h"

static bool make_pipe(struct relay_stream *stream, struct error *err)
{
    int ends[2];

    if (pipe2(ends, O_CLOEXEC) != 0) {
        error_system(err, errno, "cannot make a pipe for the program's output");
        return false;
    }
    stream->from = relay_above_standard(ends[0]);
    stream->child = relay_above_standard(ends[1]);
    if (stream->from < 0 || stream->child < 0 ||
        fcntl(stream->from, F_SETFL, O_NONBLOCK) != 0) {
        error_system(err, errno, "cannot set up a pipe for the program's output");
        return false;
    }
    (void)fcntl(stream->from, F_SETPIPE_SZ, RELAY_PIPE); /* else it has what it had */
    return true;
}

/* The other end of a pseudo-terminal, without its path where the system knows how. */
static int open_peer(int master)
{
    char path[128];
    int fd = -1;

#ifdef TIOCGPTPEER
    fd = ioctl(master, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
#endif
    if (fd < 0 && ptsname_r(master, path, sizeof path) == 0)
        fd = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC);
    return fd;
}

static bool make_pty(struct relay_stream *stream, struct error *err)
{
    int master = relay_above_standard(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
    struct termios mode;

    stream->pty = true;
    stream->from = master;
    if (master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0)
        stream->child = relay_above_standard(open_peer(master));
    if (stream->child < 0 || fcntl(master, F_SETFL, O_NONBLOCK) != 0 ||
        tcgetattr(stream->child, &mode) != 0) {
        error_system(err, errno, "cannot make a pseudo-terminal for the program's output");
        return false;
    }
    cfmakeraw(&mode); /* the real one turns \n into \r\n */
    if (tcsetattr(stream->child, TCSANOW, &mode) != 0) {
        error_system(err, errno, "cannot set up a pseudo-terminal for the program's output");
        return false;
    }
    return true;
}

void relay_copy_size(struct relay *relay, struct relay_stream *stream)
{
    struct winsize size;

    if (!stream->pty || stream->from < 0 || ioctl(stream->sink.fd, TIOCGWINSZ, &size) != 0)
        return;
    if (stream == relay->shown && relay->screen.active)
        size.ws_row--;
    (void)ioctl(stream->from, TIOCSWINSZ, &size);
}

static bool add_stream(struct relay *relay, int fd, struct error *err)
{
    struct relay_stream *stream = &relay->stream[relay->count++];

    *stream = (struct relay_stream){
        .from = -1, .child = -1, .is_error = fd == STDERR_FILENO, .starts_row = true};
    relay_sink_open(&stream->sink, fd);
    relay->of[fd] = stream;
    stream->held = relay->alloc->get(relay->alloc->ctx, RELAY_HELD);
    if (stream->held == NULL)
        return error_memory(err);
    return isatty(fd) == 1 ? make_pty(stream, err) : make_pipe(stream, err);
}

/* Was it open when we were started? What is inherited is not closed on exec; a number that was
 * free may have been taken by a descriptor of our own since, and all of those are. */
static bool is_ours_to_pass(int fd)
{
    int flags = fcntl(fd, F_GETFD);

    return flags >= 0 && (flags & FD_CLOEXEC) == 0;
}

/* Do both outputs lead to one place? */
static bool is_same(void)
{
    struct stat out, error;

    return is_ours_to_pass(STDOUT_FILENO) && is_ours_to_pass(STDERR_FILENO) &&
           fstat(STDOUT_FILENO, &out) == 0 && fstat(STDERR_FILENO, &error) == 0 &&
           out.st_dev == error.st_dev && out.st_ino == error.st_ino;
}

/* Can the terminal do what the line needs? */
static bool can_show(void)
{
    const char *name = env_get("TERM");

    return name != NULL && strcmp(name, "dumb") != 0;
}

static bool add_streams(struct relay *relay, struct error *err)
{
    static const int outputs[] = {STDERR_FILENO, STDOUT_FILENO};
    bool same = is_same(), wants_line = relay->options.status && can_show();

    for (size_t i = 0; i < ARRAY_LEN(outputs); i++) {
        int fd = outputs[i];
        bool shows = wants_line && relay->shown == NULL && isatty(fd) == 1;

        if (!is_ours_to_pass(fd) || (relay->options.line == NULL && !shows))
            continue; /* closed, or nobody needs to see it */
        if (same && relay->count > 0)
            continue;
        if (!add_stream(relay, fd, err))
            return false;
        if (shows)
            relay->shown = relay->of[fd];
    }
    if (same && relay->count > 0) {
        relay->of[STDOUT_FILENO] = relay->of[STDERR_FILENO];
        relay->stream[0].is_error = false;
    }
    return true;
}

static void take_row(struct relay *relay)
{
    struct winsize size = {0};

    if (relay->shown == NULL)
        return;
    (void)ioctl(relay->shown->sink.fd, TIOCGWINSZ, &size);
    screen_start(&relay->screen, size.ws_row, size.ws_col, &relay->drawn);
    (void)relay_put(relay, relay->shown, buf_text(&relay->drawn));
}

struct relay *relay_open(const struct relay_options *options, const struct alloc *alloc,
                         struct error *err)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    struct relay *relay = alloc->get(alloc->ctx, sizeof *relay);

    if (relay == NULL) {
        (void)error_memory(err);
        return NULL;
    }
    *relay = (struct relay){.alloc = alloc,
                            .options = *options,
                            .drawn = buf_new(alloc, RELAY_HELD),
                            .line = buf_new(alloc, (size_t)4096),
                            .said = buf_new(alloc, (size_t)8192)};
    (void)sigaction(SIGPIPE, &ignore, &relay->before);
    relay->chunk = alloc->get(alloc->ctx, RELAY_CHUNK);
    if (relay->chunk == NULL) {
        (void)error_memory(err);
    } else if (add_streams(relay, err)) {
        take_row(relay);
        for (int i = 0; i < relay->count; i++)
            relay_copy_size(relay, &relay->stream[i]);
        return relay;
    }
    (void)relay_finish(relay, (span){0});
    return NULL;
}

void relay_child(const struct relay *relay)
{
    for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
        if (relay->of[fd] != NULL)
            (void)dup2(relay->of[fd]->child, fd);
    (void)sigaction(SIGPIPE, &relay->before, NULL);
}

void relay_parent(struct relay *relay)
{
    for (int i = 0; i < relay->count; i++) {
        if (relay->stream[i].child >= 0)
            (void)close(relay->stream[i].child);
        relay->stream[i].child = -1;
    }
}
