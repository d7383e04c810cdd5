/* One size measured: the command in a process group of its own, until enough was seen. */
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fs.h"
#include "run/tune/tune.h"
#include "run/tune/tune_child.h"

#define SECOND INT64_C(1000000000)
#define LOOK_NS (SECOND / 2)
#define READS 64 /* at a time: a flood must not keep us from looking up */

struct trial {
    const struct tune_trial *how;
    struct tune_point *point;
    struct tune_rates rates;
    struct tune_child child;
    int64_t start_ns, look_ns;
    char line[METRIC_LINE];
    size_t len;
    bool memory;    /* a line said that memory ran out */
    char said[160]; /* the last line, or the one that tells of memory */
};

static int64_t now_ns(const struct trial *t)
{
    return t->how->clock->now(t->how->clock->ctx).ns;
}

static void see_line(struct trial *t)
{
    struct str line = str_trim((struct str){t->line, t->len});
    struct metric_update update;
    bool memory = tune_says_memory(line), told;

    t->len = 0;
    if (line.len == 0)
        return;
    if (memory || !t->memory)
        (void)snprintf(t->said, sizeof t->said, "%.*s", (int)(line.len < 159 ? line.len : 159),
                       line.at);
    t->memory |= memory;
    told = metric_line(t->how->reader, line, &update);
    if (!told)
        metric_clear(&update);
    if (isnan(update.samples_rate))
        update.samples_rate = tune_says_rate(line);
    if (told || !isnan(update.samples_rate))
        tune_rates_see(&t->rates, &update, t->how->pattern, (instant){now_ns(t)});
}

static void see_bytes(struct trial *t, struct str bytes)
{
    for (size_t i = 0; i < bytes.len; i++) {
        char c = bytes.at[i];

        if (c == '\n' || c == '\r')
            see_line(t);
        else if (t->len < sizeof t->line)
            t->line[t->len++] = c;
    }
}

/* What there is now; false when there is nothing more. */
static bool read_some(struct trial *t)
{
    char bytes[16384];
    ssize_t got = t->child.fd >= 0 ? read(t->child.fd, bytes, sizeof bytes) : 0;
    struct error ignored;

    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return false;
    if (got <= 0) {
        if (t->child.fd >= 0)
            (void)close(t->child.fd);
        t->child.fd = -1;
        return false;
    }
    if (t->how->verbose)
        (void)!fs_write_all(STDERR_FILENO, (struct str){bytes, (size_t)got}, &ignored);
    see_bytes(t, (struct str){bytes, (size_t)got});
    return true;
}

static void read_all(struct trial *t)
{
    for (int i = 0; i < READS && read_some(t); i++)
        ;
}

/* End it: ask, wait, then kill. What it still says is read, so that it does not wait for us. */
static void stop(struct trial *t)
{
    int64_t until;

    tune_child_find(&t->child, t->how->alloc);
    tune_child_signal(&t->child, SIGTERM);
    until = now_ns(t) + t->how->grace.ns;
    while (!tune_child_ended(&t->child)) {
        struct pollfd wait = {.fd = t->child.fd, .events = POLLIN};

        (void)poll(&wait, t->child.fd >= 0, 20);
        read_all(t);
        if (now_ns(t) >= until) {
            tune_child_find(&t->child, t->how->alloc);
            tune_child_signal(&t->child, SIGKILL);
            until = INT64_MAX;
        }
    }
    tune_child_signal(&t->child, SIGKILL); /* what it left behind */
}

static void look(struct trial *t, int64_t now)
{
    double device = NAN, tree = NAN;

    if (t->how->look == NULL || now < t->look_ns)
        return;
    t->look_ns = now + LOOK_NS;
    t->how->look(t->how->look_ctx, t->child.pid, &device, &tree);
    t->point->device_memory = fmax(t->point->device_memory, device); /* NaN gives way */
    if (tree > 0) /* nothing is left of it when it has just ended */
        t->point->memory = fmax(t->point->memory, tree);
}

/* Enough seen, or waited for too long? */
static bool over(const struct trial *t, int64_t now)
{
    if (t->rates.first_ns < 0)
        return now - t->start_ns >= t->how->patience.ns;
    return now - t->rates.first_ns >= t->how->warmup.ns + t->how->seconds.ns;
}

/* Until it ends, or is over. True when it ended by itself. */
static bool follow(struct trial *t)
{
    for (;;) {
        struct pollfd wait = {.fd = t->child.fd, .events = POLLIN};
        int64_t now;

        (void)poll(&wait, t->child.fd >= 0, 100);
        read_all(t);
        now = now_ns(t);
        look(t, now);
        if (t->how->stopped != NULL && t->how->stopped()) {
            t->point->outcome = TUNE_STOPPED;
            (void)snprintf(t->point->note, sizeof t->point->note, "stopped");
            return false;
        }
        if (tune_child_ended(&t->child)) {
            read_all(t);
            return true;
        }
        if (over(t, now))
            return false;
    }
}

static void note(struct trial *t, const char *what)
{
    (void)snprintf(t->point->note, sizeof t->point->note, "%.60s%s%.120s", what,
                   t->said[0] != '\0' ? ": " : "", t->said);
}

/* What an end that was not ours means. */
static void judge_end(struct trial *t)
{
    struct tune_point *p = t->point;
    bool killed = WIFSIGNALED(t->child.status) && WTERMSIG(t->child.status) == SIGKILL;
    int status = WIFSIGNALED(t->child.status) ? 128 + WTERMSIG(t->child.status)
                                              : WEXITSTATUS(t->child.status);
    char what[64];

    if (status == 0)
        return;
    killed |= status == 128 + SIGKILL;
    p->outcome = t->memory || killed ? TUNE_MEMORY : TUNE_FAILED;
    (void)snprintf(what, sizeof what, "exit status %d", status);
    if (killed && !t->memory) {
        t->said[0] = '\0';
        note(t, "killed, most likely by the system for want of memory");
    } else {
        note(t, t->memory ? "out of memory" : what);
    }
}

static void judge(struct trial *t, bool by_itself, double seconds)
{
    struct tune_point *p = t->point;

    if (t->len > 0)
        see_line(t);
    p->seconds = seconds;
    if (t->child.largest > 0) /* between two looks it may have been more */
        p->memory = fmax(p->memory, t->child.largest);
    if (p->outcome == TUNE_STOPPED)
        return;
    p->outcome = TUNE_MEASURED;
    if (by_itself)
        judge_end(t);
    if (p->outcome != TUNE_MEASURED || tune_rates_end(&t->rates, p))
        return;
    if (by_itself && t->how->samples > 0 && seconds > 0) {
        p->rate = t->how->samples / seconds;
        p->windows = 1;
        p->method = "--samples over the whole time";
        (void)snprintf(p->note, sizeof p->note, "its start is part of the time");
        return;
    }
    if (t->memory) { /* one of several processes ran out, and the others waited for it */
        p->outcome = TUNE_MEMORY;
        note(t, "out of memory");
        return;
    }
    p->outcome = TUNE_SILENT;
    if (t->said[0] == '\0')
        note(t, "it printed nothing");
    else
        note(t, "it tells neither steps nor samples/s, last");
}

/* The size in the place of every "{}". */
static char *fill_in(struct str word, int64_t batch, struct arena *arena, struct error *err)
{
    struct buf text = buf_new(arena->alloc, (size_t)1 << 20);
    char *copy = NULL;

    for (size_t i = 0; i < word.len; i++)
        if (i + 1 < word.len && word.at[i] == '{' && word.at[i + 1] == '}') {
            buf_addf(&text, "%lld", (long long)batch);
            i++;
        } else {
            buf_char(&text, word.at[i]);
        }
    if (buf_ok(&text, err))
        copy = str_dup(buf_text(&text), arena, err);
    buf_free(&text);
    return copy;
}

bool tune_measure(const struct tune_trial *how, struct tune_point *point, struct error *err)
{
    struct arena arena = {.alloc = how->alloc, .block_size = ARENA_BLOCK_SIZE};
    char **argv = arena_array(&arena, char *, how->command.len + 1, err);
    struct trial *t = arena_array(&arena, struct trial, 1, err);
    bool ok = argv != NULL && t != NULL, by_itself;

    for (size_t i = 0; ok && i < how->command.len; i++) {
        argv[i] = fill_in(how->command.at[i], point->batch, &arena, err);
        ok = argv[i] != NULL;
    }
    if (ok) {
        t->how = how;
        t->point = point;
        tune_rates_start(&t->rates, point->batch, how->warmup, how->seconds);
        t->start_ns = now_ns(t);
        ok = tune_child_start(&t->child, argv, err);
    }
    if (ok) {
        by_itself = follow(t);
        if (by_itself)
            tune_child_signal(&t->child, SIGKILL); /* what it left behind */
        else
            stop(t);
        judge(t, by_itself, (double)(now_ns(t) - t->start_ns) / 1e9);
        if (t->child.fd >= 0)
            (void)close(t->child.fd);
    }
    arena_free(&arena);
    return ok;
}
