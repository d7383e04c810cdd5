#include "run/output/relay.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "run/output/relay_internal.h"

#define TERMINAL_CHUNK ((size_t)16 * 1024) /* what we add to it must find room as well */
#define READS 4                            /* at once of one end, before the others' turn */
#define SLICE_MS 200
#define LATE 64

static bool is_held(const struct relay_stream *stream)
{
    return stream->sent < stream->len;
}

/* Nobody takes what the program writes any more, or nothing more comes. In the first case it
 * gets SIGPIPE, as it would without us. */
static void end_stream(struct relay *relay, struct relay_stream *stream)
{
    if (stream->from >= 0) {
        (void)close(stream->from);
        stream->from = -1;
        relay_lines_end(&stream->lines, &relay->options, stream->is_error);
    }
}

static void lose(struct relay *relay, struct relay_stream *stream)
{
    stream->sent = stream->len = 0;
    end_stream(relay, stream);
}

bool relay_put(struct relay *relay, struct relay_stream *stream, struct str bytes)
{
    ssize_t done = 0;

    if (bytes.len > RELAY_HELD - (stream->len - stream->sent))
        return false;
    if (!is_held(stream)) {
        stream->sent = stream->len = 0;
        done = relay_sink_write(&stream->sink, bytes);
        if (done < 0) {
            lose(relay, stream);
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

    if (done < 0)
        lose(relay, stream);
    else
        stream->sent += (size_t)done;
}

/* What the screen wants written, and the line when it is time for it. */
static void put_drawn(struct relay *relay)
{
    (void)relay_put(relay, relay->shown, buf_text(&relay->drawn));
    buf_clear(&relay->drawn);
}

static void draw(struct relay *relay)
{
    if (is_held(relay->shown) || relay->suspended || relay->line.len == 0)
        return; /* a terminal that takes nothing gets no more of it */
    buf_clear(&relay->drawn);
    if (screen_draw(&relay->screen, buf_text(&relay->line), &relay->drawn))
        put_drawn(relay);
}

static bool may_say(const struct relay *relay, const struct relay_stream *stream)
{
    return stream != relay->shown ||
           (relay->screen.parser == 0 && relay->screen.utf8_left == 0 && !relay->screen.hidden);
}

static void say_waiting(struct relay *relay)
{
    struct relay_stream *stream = relay->of[STDERR_FILENO];
    const char *feed = stream->pty ? "\r\n" : "\n";
    struct str rest = buf_text(&relay->said);

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
    buf_clear(&relay->said);
}

static void pass(struct relay *relay, struct relay_stream *stream, struct str bytes)
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
    if (relay->said.len > 0 && stream == relay->of[STDERR_FILENO] && may_say(relay, stream))
        say_waiting(relay);
    if (stream == relay->shown && relay->screen.erased)
        draw(relay);
}

/* True when there may be more. */
static bool read_some(struct relay *relay, struct relay_stream *stream)
{
    size_t most = stream == relay->shown ? TERMINAL_CHUNK : RELAY_CHUNK;
    ssize_t n = read(stream->from, relay->chunk, most);

    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return false;
    if (n <= 0) { /* EIO: the last who had the pseudo-terminal has closed it */
        end_stream(relay, stream);
        return false;
    }
    pass(relay, stream, (struct str){relay->chunk, (size_t)n});
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
                if (!read_some(relay, stream))
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
    draw(relay);
}

/* The terminal may have any size now, and the row may have been given back. */
static void look_again(struct relay *relay)
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
        draw(relay);
}

void relay_resized(struct relay *relay)
{
    look_again(relay);
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
    look_again(relay);
}

/* Straight to descriptor 2, when it takes it. */
static void say_directly(struct str text)
{
    struct relay_sink sink = {.fd = STDERR_FILENO, .kind = SINK_SHARED, .most = 4096};
    struct pollfd wait = {.fd = STDERR_FILENO, .events = POLLOUT};

    if (relay_mid_row())
        (void)relay_sink_write(&sink, STR("\n"));
    if (poll(&wait, 1, SLICE_MS) > 0 && relay_sink_write(&sink, text) == (ssize_t)text.len &&
        text.len > 0 && text.at[text.len - 1] != '\n')
        (void)relay_sink_write(&sink, STR("\n"));
}

void relay_say(struct relay *relay, struct str text)
{
    struct relay_stream *stream = relay != NULL ? relay->of[STDERR_FILENO] : NULL;

    if (stream == NULL) {
        say_directly(text);
        return;
    }
    if (text.len > relay->said.max - 1 - relay->said.len)
        return;
    buf_add(&relay->said, text);
    if (text.len > 0 && text.at[text.len - 1] != '\n')
        buf_char(&relay->said, '\n');
    if (may_say(relay, stream))
        say_waiting(relay);
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

/* Does what we say next on standard error stand in the middle of a row? */
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
    if (relay->said.len > 0)
        say_waiting(relay);
    for (int i = 0; i < relay->count; i++)
        end_stream(relay, &relay->stream[i]);
    relay_drain(relay, (span){0}); /* what was just written */
    mid_row = is_mid_row(relay);
    for (int i = 0; i < relay->count; i++)
        close_stream(relay, &relay->stream[i]);
    (void)sigaction(SIGPIPE, &relay->before, NULL);
    buf_free(&relay->drawn);
    buf_free(&relay->line);
    buf_free(&relay->said);
    if (relay->chunk != NULL)
        relay->alloc->put(relay->alloc->ctx, relay->chunk);
    relay->alloc->put(relay->alloc->ctx, relay);
    return mid_row;
}
