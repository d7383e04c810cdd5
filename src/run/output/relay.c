/* A program's output, passed on: to files, pipes and terminals that must not block, with a
 * status line below it on a terminal; its lines are reported on the way. */
#include "run/output/relay_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/fs.h"

static bool relay_put(struct relay *relay, struct relay_stream *stream, struct str bytes);

static void pass_line(const struct relay_options *options, struct str line, bool is_error)
{
    if (line.len > METRIC_LINE)
        line.len = METRIC_LINE;
    if (line.len > 0)
        options->line(options->ctx, line, is_error);
}

static void keep_line(struct relay_lines *lines, struct str bytes)
{
    size_t room = sizeof lines->text - lines->len;

    if (bytes.len > room)
        bytes.len = room; /* the line is cut */
    if (bytes.len > 0)
        memcpy(lines->text + lines->len, bytes.at, bytes.len);
    lines->len += bytes.len;
}

void relay_lines_end(struct relay_lines *lines, const struct relay_options *options,
                     bool is_error)
{
    if (options->line != NULL)
        pass_line(options, (struct str){lines->text, lines->len}, is_error);
    lines->len = 0;
}

void relay_lines_see(struct relay_lines *lines, const struct relay_options *options,
                     struct str bytes, bool is_error)
{
    const char *at = bytes.at, *end = bytes.at + bytes.len;

    while (options->line != NULL && at < end) {
        const char *feed = memchr(at, '\n', (size_t)(end - at));
        const char *stop = feed != NULL ? feed : end;

        while (at <= stop) { /* parts that end with \r, and what is after the last of them */
            const char *back = at < stop ? memchr(at, '\r', (size_t)(stop - at)) : NULL;
            struct str piece = {at, (size_t)((back != NULL ? back : stop) - at)};
            bool whole = back != NULL || feed != NULL;

            if (whole && lines->len == 0) {
                pass_line(options, piece, is_error);
            } else {
                keep_line(lines, piece);
                if (whole)
                    relay_lines_end(lines, options, is_error);
            }
            at += piece.len + 1;
        }
    }
}

/* Writing without blocking to descriptors whose mode belongs to all processes that have them.
 */

#define TERMINAL_MOST 256 /* a terminal that can be written to takes so many without waiting */

static int relay_above_standard(int fd)
{
    int moved;

    if (fd < 0 || fd > STDERR_FILENO)
        return fd;
    moved = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    (void)close(fd);
    return moved;
}

static void relay_sink_open(struct relay_sink *sink, int fd)
{
    char path[64];
    struct stat what;
    int own;

    *sink = (struct relay_sink){.fd = fd, .kind = SINK_FILE};
    if (fstat(fd, &what) != 0 || (!S_ISFIFO(what.st_mode) && !S_ISSOCK(what.st_mode) &&
                                  !(S_ISCHR(what.st_mode) && isatty(fd) == 1)))
        return;
    if (S_ISSOCK(what.st_mode)) {
        sink->kind = SINK_SOCKET;
        return;
    }
    sink->kind = SINK_SHARED;
    sink->most = S_ISFIFO(what.st_mode) ? PIPE_BUF : TERMINAL_MOST;
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    own = relay_above_standard(open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    if (own >= 0) {
        sink->fd = own;
        sink->kind = SINK_OWN;
    }
}

static void relay_sink_close(struct relay_sink *sink)
{
    if (sink->kind == SINK_OWN)
        (void)close(sink->fd);
    sink->kind = SINK_FILE;
    sink->fd = -1;
}

/* One write of at most what may be written now. */
static ssize_t write_some(const struct relay_sink *sink, struct str bytes)
{
    struct pollfd wait = {.fd = sink->fd, .events = POLLOUT};

    if (sink->kind == SINK_SOCKET)
        return send(sink->fd, bytes.at, bytes.len, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sink->kind == SINK_SHARED) {
        if (poll(&wait, 1, 0) <= 0) {
            errno = EAGAIN;
            return -1;
        }
        bytes.len = bytes.len < sink->most ? bytes.len : sink->most;
    }
    return write(sink->fd, bytes.at, bytes.len);
}

/* How many bytes it took; -1 when it takes no more for good. */
static ssize_t relay_sink_write(const struct relay_sink *sink, struct str bytes)
{
    size_t done = 0;

    while (done < bytes.len) {
        ssize_t n = write_some(sink, (struct str){bytes.at + done, bytes.len - done});

        if (n > 0)
            done += (size_t)n;
        else if (n < 0 && errno == EAGAIN)
            break;
        else if (n == 0 || errno != EINTR)
            return -1;
    }
    return (ssize_t)done;
}

bool relay_mid_row(void)
{
    struct stat what;
    off_t end;
    char last = '\n';
    int fd;

    if (fstat(STDERR_FILENO, &what) != 0 || !S_ISREG(what.st_mode))
        return false;
    /* The next byte goes where the last writer stopped, or to the end of a file that is only
     * appended to. */
    end = lseek(STDERR_FILENO, 0, SEEK_CUR);
    if ((fcntl(STDERR_FILENO, F_GETFL) & O_APPEND) != 0)
        end = what.st_size;
    fd = end > 0 ? open("/proc/self/fd/2", O_RDONLY | O_CLOEXEC) : -1;
    if (fd < 0)
        return false;
    (void)!pread(fd, &last, 1, end - 1);
    (void)close(fd);
    return last != '\n';
}

/* ---- which outputs are relayed, and through what ---- */

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

/* The terminal's size to the pseudo-terminal, less our row. */
static void relay_copy_size(struct relay *relay, struct relay_stream *stream)
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
static bool is_same_terminal(void)
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
    bool same = is_same_terminal(), wants_line = relay->options.status && can_show();

    for (size_t i = 0; i < ARRAY_LEN(outputs); i++) {
        int fd = outputs[i];
        bool shows = wants_line && relay->shown == NULL && isatty(fd) == 1;

        if (!is_ours_to_pass(fd) || (relay->options.line == NULL && !shows))
            continue; /* closed, or not needed */
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

static void take_relay_row(struct relay *relay)
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
                            .messages = buf_new(alloc, (size_t)8192)};
    (void)sigaction(SIGPIPE, &ignore, &relay->before);
    relay->chunk = alloc->get(alloc->ctx, RELAY_CHUNK);
    if (relay->chunk == NULL) {
        (void)error_memory(err);
    } else if (add_streams(relay, err)) {
        take_relay_row(relay);
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

#define TERMINAL_CHUNK ((size_t)16 * 1024) /* what we add to it must find room as well */
#define READS 4                            /* at once of one end, before the others' turn */
#define SLICE_MS 200
#define LATE 64

static bool is_held(const struct relay_stream *stream)
{
    return stream->sent < stream->len;
}

/* What the program writes is not read any more, or nothing more comes. In the first case it
 * gets SIGPIPE, as it would without us. */
static void end_stream(struct relay *relay, struct relay_stream *stream)
{
    if (stream->from >= 0) {
        (void)close(stream->from);
        stream->from = -1;
        relay_lines_end(&stream->lines, &relay->options, stream->is_error);
    }
}

static void lose_sink(struct relay *relay, struct relay_stream *stream)
{
    stream->sent = stream->len = 0;
    end_stream(relay, stream);
}

/* Nobody reads it any more: that ends the program as it would without us. A disk that is
 * full, or another failure, does not: these bytes are lost, and the next are tried again. */
static bool drop_bytes(struct relay *relay, struct relay_stream *stream)
{
    int why = errno;

    if (why == EPIPE || why == ECONNRESET || why == EBADF)
        return false;
    if (!stream->unwritten && relay->options.unwritten != NULL) {
        stream->unwritten = true;
        relay->options.unwritten(relay->options.ctx, stream->is_error, why);
    }
    return true;
}

/* Bytes for the stream's end: written, or held. False when there is no room. */
static bool relay_put(struct relay *relay, struct relay_stream *stream, struct str bytes)
{
    ssize_t done = 0;

    if (bytes.len > RELAY_HELD - (stream->len - stream->sent))
        return false;
    if (!is_held(stream)) {
        stream->sent = stream->len = 0;
        done = relay_sink_write(&stream->sink, bytes);
        if (done < 0 && drop_bytes(relay, stream))
            return true;
        if (done < 0) {
            lose_sink(relay, stream);
            return false;
        }
    } else if (stream->len + bytes.len > RELAY_HELD) {
        memmove(stream->held, stream->held + stream->sent, stream->len - stream->sent);
        stream->len -= stream->sent;
        stream->sent = 0;
    }
    bytes.at += done;
    bytes.len -= (size_t)done;
    if (bytes.len > 0)
        memcpy(stream->held + stream->len, bytes.at, bytes.len);
    stream->len += bytes.len;
    return true;
}

static void flush_held(struct relay *relay, struct relay_stream *stream)
{
    struct str rest = {stream->held + stream->sent, stream->len - stream->sent};
    ssize_t done = relay_sink_write(&stream->sink, rest);

    if (done < 0 && drop_bytes(relay, stream))
        stream->sent = stream->len;
    else if (done < 0)
        lose_sink(relay, stream);
    else
        stream->sent += (size_t)done;
}

/* What the screen wants written, and the line when it is time for it. */
static void put_drawn(struct relay *relay)
{
    (void)relay_put(relay, relay->shown, buf_text(&relay->drawn));
    buf_clear(&relay->drawn);
}

static void draw_status(struct relay *relay)
{
    if (is_held(relay->shown) || relay->suspended || relay->line.len == 0)
        return; /* a terminal that takes nothing gets no more of it */
    buf_clear(&relay->drawn);
    if (screen_draw(&relay->screen, buf_text(&relay->line), &relay->drawn))
        put_drawn(relay);
}

static bool may_write_message(const struct relay *relay, const struct relay_stream *stream)
{
    return stream != relay->shown ||
           (relay->screen.parser == 0 && relay->screen.utf8_left == 0 && !relay->screen.hidden);
}

static void write_waiting(struct relay *relay)
{
    struct relay_stream *stream = relay->of[STDERR_FILENO];
    const char *feed = stream->pty ? "\r\n" : "\n";
    struct str rest = buf_text(&relay->messages);

    buf_clear(&relay->drawn);
    if (!(stream == relay->shown ? relay->screen.starts_row : stream->starts_row))
        buf_adds(&relay->drawn, feed);
    while (rest.len > 0) {
        buf_add_safe(&relay->drawn, str_cut(&rest, '\n'));
        buf_adds(&relay->drawn, feed);
    }
    stream->starts_row = relay->screen.starts_row = true;
    (void)relay_put(relay, stream, buf_text(&relay->drawn));
    buf_clear(&relay->drawn);
    buf_clear(&relay->messages);
}

static void pass_relay_bytes(struct relay *relay, struct relay_stream *stream, struct str bytes)
{
    stream->starts_row = bytes.at[bytes.len - 1] == '\n';
    if (stream != relay->shown) {
        (void)relay_put(relay, stream, bytes);
    } else {
        buf_clear(&relay->drawn);
        screen_pass(&relay->screen, bytes, &relay->drawn);
        if (relay->drawn.failed != ERROR_NONE) /* no memory: the program's bytes come first */
            (void)relay_put(relay, stream, bytes);
        else
            put_drawn(relay);
    }
    relay_lines_see(&stream->lines, &relay->options, bytes, stream->is_error);
    if (relay->messages.len > 0 && stream == relay->of[STDERR_FILENO] &&
        may_write_message(relay, stream))
        write_waiting(relay);
    if (stream == relay->shown && relay->screen.erased)
        draw_status(relay);
}

/* True when there may be more. */
static bool read_relay_stream(struct relay *relay, struct relay_stream *stream)
{
    size_t most = stream == relay->shown ? TERMINAL_CHUNK : RELAY_CHUNK;
    ssize_t n = read(stream->from, relay->chunk, most);

    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return false;
    if (n <= 0) { /* EIO: the last who had the pseudo-terminal has closed it */
        end_stream(relay, stream);
        return false;
    }
    pass_relay_bytes(relay, stream, (struct str){relay->chunk, (size_t)n});
    return stream->pty || (size_t)n == most;
}

void relay_ready(struct relay *relay, int fd)
{
    for (int i = 0; i < relay->count; i++) {
        struct relay_stream *stream = &relay->stream[i];

        if (is_held(stream) && fd == stream->sink.fd)
            flush_held(relay, stream);
        else if (fd == stream->from)
            for (int n = 0; n < READS && stream->from >= 0 && !is_held(stream); n++)
                if (!read_relay_stream(relay, stream))
                    break;
    }
}

void relay_read(struct relay *relay)
{
    struct relay_wait waits[RELAY_FDS];
    size_t count = relay_waits(relay, waits);

    for (size_t i = 0; i < count; i++)
        if ((waits[i].events & EPOLLIN) != 0)
            relay_ready(relay, waits[i].fd);
}

size_t relay_waits(const struct relay *relay, struct relay_wait out[static RELAY_FDS])
{
    size_t count = 0;

    for (int i = 0; i < relay->count; i++) {
        const struct relay_stream *stream = &relay->stream[i];

        if (is_held(stream))
            out[count++] = (struct relay_wait){stream->sink.fd, EPOLLOUT};
        else if (stream->from >= 0)
            out[count++] = (struct relay_wait){stream->from, EPOLLIN};
    }
    return count;
}

bool relay_has_status(const struct relay *relay)
{
    return relay->shown != NULL;
}

void relay_status(struct relay *relay, struct str line)
{
    if (relay->shown == NULL)
        return;
    buf_clear(&relay->line);
    buf_add(&relay->line, line);
    draw_status(relay);
}

/* The terminal may have any size now, and the row may have been given back. */
static void refresh_relay_screen(struct relay *relay)
{
    struct winsize size;

    buf_clear(&relay->drawn);
    if (relay->shown != NULL && !relay->suspended &&
        ioctl(relay->shown->sink.fd, TIOCGWINSZ, &size) == 0) {
        screen_resize(&relay->screen, size.ws_row, size.ws_col, &relay->drawn);
        put_drawn(relay);
    }
    for (int i = 0; i < relay->count; i++)
        relay_copy_size(relay, &relay->stream[i]);
    if (relay->shown != NULL)
        draw_status(relay);
}

void relay_resized(struct relay *relay)
{
    refresh_relay_screen(relay);
}

static void give_row_back(struct relay *relay)
{
    if (relay->shown == NULL || relay->suspended)
        return;
    buf_clear(&relay->drawn);
    screen_stop(&relay->screen, &relay->drawn);
    put_drawn(relay);
}

void relay_suspend(struct relay *relay)
{
    give_row_back(relay);
    relay->suspended = true;
}

void relay_resume(struct relay *relay)
{
    relay->suspended = false;
    refresh_relay_screen(relay);
}

/* Straight to descriptor 2, when it takes it. */
static void write_directly(struct str text)
{
    struct relay_sink sink = {.fd = STDERR_FILENO, .kind = SINK_SHARED, .most = 4096};
    struct pollfd wait = {.fd = STDERR_FILENO, .events = POLLOUT};

    if (relay_mid_row())
        (void)relay_sink_write(&sink, STR("\n"));
    if (poll(&wait, 1, SLICE_MS) > 0 && relay_sink_write(&sink, text) == (ssize_t)text.len &&
        text.len > 0 && text.at[text.len - 1] != '\n')
        (void)relay_sink_write(&sink, STR("\n"));
}

void relay_message(struct relay *relay, struct str text)
{
    struct relay_stream *stream = relay != NULL ? relay->of[STDERR_FILENO] : NULL;

    if (stream == NULL) {
        write_directly(text);
        return;
    }
    if (text.len > relay->messages.max - 1 - relay->messages.len)
        return;
    buf_add(&relay->messages, text);
    if (text.len > 0 && text.at[text.len - 1] != '\n')
        buf_char(&relay->messages, '\n');
    if (may_write_message(relay, stream))
        write_waiting(relay);
}

/* Does a signal that would end us wait to be seen? */
static bool end_is_wanted(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    sigset_t pending;

    if (sigpending(&pending) != 0)
        return false;
    for (size_t i = 0; i < ARRAY_LEN(signals); i++)
        if (sigismember(&pending, signals[i]) == 1)
            return true;
    return false;
}

void relay_drain(struct relay *relay, span wait)
{
    instant now = clock_system.now(clock_system.ctx), end = {now.ns + wait.ns};
    struct relay_wait waits[RELAY_FDS];
    int late = 0; /* looks at what a daemon goes on to write */
    size_t count;

    while ((count = relay_waits(relay, waits)) > 0) {
        struct pollfd fds[RELAY_FDS];
        bool writes = false;
        int64_t left_ms = (end.ns - now.ns) / 1000000;
        int ready;

        for (size_t i = 0; i < count; i++) {
            bool out = (waits[i].events & EPOLLOUT) != 0;

            fds[i] = (struct pollfd){.fd = waits[i].fd, .events = out ? POLLOUT : POLLIN};
            writes = writes || out;
        }
        ready = poll(fds, (nfds_t)count, writes ? SLICE_MS : (int)(left_ms > 0 ? left_ms : 0));
        for (size_t i = 0; ready > 0 && i < count; i++)
            if (fds[i].revents != 0)
                relay_ready(relay, fds[i].fd);
        now = clock_system.now(clock_system.ctx);
        late += now.ns > end.ns;
        if (end_is_wanted() || (!writes && (ready == 0 || late > LATE)))
            break;
    }
}

static void close_stream(struct relay *relay, struct relay_stream *stream)
{
    end_stream(relay, stream);
    if (stream->child >= 0)
        (void)close(stream->child);
    relay_sink_close(&stream->sink);
    if (stream->held != NULL)
        relay->alloc->put(relay->alloc->ctx, stream->held);
}

/* Would our next message on standard error be in the middle of a row? */
static bool is_mid_row(const struct relay *relay)
{
    const struct relay_stream *stream = relay->of[STDERR_FILENO];

    if (stream == NULL)
        return relay_mid_row();
    return !(stream == relay->shown ? relay->screen.starts_row : stream->starts_row);
}

bool relay_finish(struct relay *relay, span wait)
{
    bool mid_row;

    if (relay == NULL)
        return relay_mid_row();
    relay_drain(relay, wait);
    give_row_back(relay);
    if (relay->messages.len > 0)
        write_waiting(relay);
    for (int i = 0; i < relay->count; i++)
        end_stream(relay, &relay->stream[i]);
    relay_drain(relay, (span){0}); /* what was just written */
    mid_row = is_mid_row(relay);
    for (int i = 0; i < relay->count; i++)
        close_stream(relay, &relay->stream[i]);
    (void)sigaction(SIGPIPE, &relay->before, NULL);
    buf_free(&relay->drawn);
    buf_free(&relay->line);
    buf_free(&relay->messages);
    if (relay->chunk != NULL)
        relay->alloc->put(relay->alloc->ctx, relay->chunk);
    relay->alloc->put(relay->alloc->ctx, relay);
    return mid_row;
}
