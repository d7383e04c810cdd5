/* One size measured: the command in a process group of its own, until enough was seen. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/characters.h"
#include "base/fs.h"
#include "base/num.h"
#include "meter/tree.h"
#include "run/tune/tune.h"

/* ---- the speed that a line of a benchmark prints, and whether memory ran out ----
 *
 * metric.h reads lines of training, and doubts those that are not of it; here a line that holds
 * nothing but "812.5 images/sec" is what was asked for. */

bool tune_line_out_of_memory(struct str line)
{
    static const char *const words[] = {"out of memory",
                                        "OutOfMemory",
                                        "RESOURCE_EXHAUSTED",
                                        "MemoryError",
                                        "std::bad_alloc",
                                        "ERROR_OUT_OF_MEMORY",
                                        "ErrorMemoryAllocation",
                                        "STATUS_ALLOC_FAILED",
                                        "Cannot allocate memory",
                                        "can't allocate memory",
                                        "Unable to allocate",
                                        "OOM when allocating",
                                        NULL};

    return str_has_any(line, words);
}

/* Does `s` start with one of these words, case ignored? Its length; 0. */
static size_t word_starts(struct str s, const char *const *words)
{
    for (; *words != NULL; words++) {
        struct str word = str_from(*words);

        if (s.len >= word.len && str_eq_nocase((struct str){s.at, word.len}, word))
            return word.len;
    }
    return 0;
}

static struct str number_from(struct str s, size_t at)
{
    return (struct str){s.at + at, s.len - at};
}

static bool is_number_char(char c)
{
    return is_digit(c) || c == '.' || c == ',';
}

/* "samples/s", "images per second", "img/sec": how long it is; 0 when it is none. */
static size_t unit_at(struct str s)
{
    static const char *const things[] = {
        "samples", "sample",   "images",  "image",     "imgs",  "img",  "sequences", "seqs",
        "seq",     "examples", "example", "sentences", "items", "rows", "frames",    NULL};
    static const char *const per[] = {"/", " / ", "_per_", " per ", "-per-", NULL};
    static const char *const seconds[] = {"seconds", "second", "secs", "sec", "s", NULL};
    size_t thing = word_starts(s, things), link, time;

    link = thing > 0 ? word_starts(number_from(s, thing), per) : 0;
    time = link > 0 ? word_starts(number_from(s, thing + link), seconds) : 0;
    if (time == 0 || (s.len > thing + link + time && is_name_start(s.at[thing + link + time])))
        return 0;
    return thing + link + time;
}

/* The number in these bytes, with or without commas between thousands; NaN. */
static double read_tune_number(struct str text)
{
    char plain[32];
    size_t len = 0;
    double value;

    for (size_t i = 0; i < text.len; i++) {
        if (text.at[i] == ',')
            continue;
        if (len == sizeof plain)
            return NAN;
        plain[len++] = text.at[i];
    }
    if (len > 0 && plain[len - 1] == '.') /* the end of a sentence */
        len--;
    return len > 0 && num_double((struct str){plain, len}, &value) ? value : NAN;
}

static double number_before(struct str line, size_t at)
{
    size_t end = at, begin;

    while (end > 0 && line.at[end - 1] == ' ')
        end--;
    for (begin = end; begin > 0 && is_number_char(line.at[begin - 1]);)
        begin--;
    return read_tune_number((struct str){line.at + begin, end - begin});
}

static double number_after(struct str line, size_t at)
{
    size_t end;

    while (at < line.len && (line.at[at] == ' ' || line.at[at] == ':' || line.at[at] == '=' ||
                             line.at[at] == '"' || line.at[at] == '\''))
        at++;
    for (end = at; end < line.len && is_number_char(line.at[end]);)
        end++;
    return read_tune_number((struct str){line.at + at, end - at});
}

double tune_line_rate(struct str line)
{
    for (size_t i = 0; i < line.len; i++) {
        size_t unit =
            i == 0 || !is_name_start(line.at[i - 1]) ? unit_at(number_from(line, i)) : 0;
        double value;

        if (unit == 0)
            continue;
        value = number_before(line, i);
        if (isnan(value))
            value = number_after(line, i + unit);
        if (!isnan(value))
            return value;
        i += unit - 1;
    }
    return NAN;
}

/* ---- the command ---- */

#define TUNE_MEMBERS 1024

struct tune_child {
    pid_t pid;
    int fd;         /* what it prints, both outputs; never blocks */
    int status;     /* as waitpid() has it, once it has ended */
    double largest; /* resident bytes, of the largest process that ended */
    pid_t members[TUNE_MEMBERS];
    size_t member_count;
};

/* Only what may be called between fork and exec. Writes why it cannot start to the pipe. */
static _Noreturn void be_command(char **argv, int out, int report, pid_t parent)
{
    int null = open("/dev/null", O_RDONLY | O_CLOEXEC), reason;
    sigset_t none;

    (void)setpgid(0, 0);
    (void)prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
        _exit(1);
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    if (dup2(null, 0) >= 0 && dup2(out, 1) >= 0 && dup2(out, 2) >= 0)
        (void)execvp(argv[0], argv);
    reason = errno;
    (void)!write(report, &reason, sizeof reason);
    _exit(127);
}

/* Wait until the command runs; false with the reason when it cannot. */
static bool child_begun(int report, const char *name, struct error *err)
{
    int reason = 0;
    ssize_t got;

    do
        got = read(report, &reason, sizeof reason);
    while (got < 0 && errno == EINTR);
    if (got != (ssize_t)sizeof reason)
        return true;
    error_system(err, reason, "cannot run '%s'", name);
    if (reason == ENOENT)
        err->kind = ERROR_ABSENT;
    return false;
}

/* Start it, with nothing to read. False with the error set when it cannot be run; ERROR_ABSENT
 * when there is no such program. It gets SIGTERM when this program ends. */
static bool tune_child_start(struct tune_child *t, char **argv, struct error *err)
{
    int out[2] = {-1, -1}, report[2] = {-1, -1};
    pid_t parent = getpid();
    bool ok = pipe2(out, O_CLOEXEC) == 0 && pipe2(report, O_CLOEXEC) == 0;

    t->pid = ok ? fork() : -1;
    if (t->pid == 0)
        be_command(argv, out[1], report[1], parent);
    if (t->pid < 0)
        error_system(err, errno, "cannot run '%s'", argv[0]);
    (void)setpgid(t->pid, t->pid); /* the first one */
    if (out[1] >= 0)
        (void)close(out[1]);
    if (report[1] >= 0)
        (void)close(report[1]);
    ok = t->pid > 0 && child_begun(report[0], argv[0], err);
    if (t->pid > 0 && !ok)
        while (waitpid(t->pid, NULL, 0) < 0 && errno == EINTR)
            ;
    if (report[0] >= 0)
        (void)close(report[0]);
    t->fd = out[0];
    if (ok && fcntl(t->fd, F_SETFL, O_NONBLOCK) == 0)
        return true;
    if (out[0] >= 0)
        (void)close(out[0]);
    return false;
}

/* Has it ended? Never waits. */
static bool tune_child_ended(struct tune_child *t)
{
    struct rusage use;
    pid_t got = wait4(t->pid, &t->status, WNOHANG, &use);

    if (got == 0 || (got < 0 && errno == EINTR))
        return false;
    if (got == t->pid)
        t->largest = (double)use.ru_maxrss * 1024;
    return true;
}

/* Note who is below it now: some leave the process group. */
static void tune_child_find(struct tune_child *t, const struct alloc *alloc)
{
    struct error ignored;
    struct tree *tree = tree_open(t->pid, NULL, NULL, alloc, &ignored);
    struct tree_sample sample;
    const pid_t *members;
    size_t count;

    if (tree == NULL)
        return;
    tree_read(tree, &sample);
    count = tree_members(tree, &members);
    for (size_t i = 0; i < count && t->member_count < TUNE_MEMBERS; i++)
        t->members[t->member_count++] = members[i];
    tree_close(tree);
}

/* To its group, and to all who were found. */
static void tune_child_signal(const struct tune_child *t, int number)
{
    (void)kill(-t->pid, number);
    for (size_t i = 0; i < t->member_count; i++)
        (void)kill(t->members[i], number);
}

/* How many samples a second a program does, from what it prints while it runs. Pure.
 *
 * Its own figure counts most; else the samples or steps it counts are held against the clock,
 * window by window, so that the median is not moved by a pause. */

#define WINDOWS 20 /* of the time that is measured, but neither too short nor too long: */
#define SHORTEST_NS INT64_C(50000000)
#define LONGEST_NS INT64_C(1000000000)

/* The name under which the user's pattern of samples a second is given to the reader. */
#define PATTERN_NAME "samples_rate_pattern"

/* The better the further down; what is seen in a better way takes the place of the rest. */
enum { NOTHING, STEPS_RATE, STEPS, SAMPLES, SAMPLES_RATE, PATTERN };

static const char *const methods[] = {
    [NOTHING] = "",
    [STEPS_RATE] = "its own steps/s x batch",
    [STEPS] = "steps x batch",
    [SAMPLES] = "samples it counts",
    [SAMPLES_RATE] = "its own samples/s",
    [PATTERN] = "--samples-pattern",
};

void tune_rates_start(struct tune_rates *r, int64_t batch, span warmup, span seconds)
{
    int64_t window = seconds.ns / WINDOWS;

    *r = (struct tune_rates){.batch = (double)batch,
                             .warmup_ns = warmup.ns,
                             .window_ns = window < SHORTEST_NS  ? SHORTEST_NS
                                          : window > LONGEST_NS ? LONGEST_NS
                                                                : window,
                             .first_ns = -1,
                             .mark = NAN,
                             .all_mark = NAN,
                             .last = NAN};
}

static void rates_add(struct tune_rates *r, double value)
{
    if (!isfinite(value) || value <= 0)
        return;
    if (r->count == TUNE_WINDOWS) { /* every second one will do */
        for (int i = 0; i < TUNE_WINDOWS / 2; i++)
            r->value[i] = r->value[2 * i];
        r->count = TUNE_WINDOWS / 2;
    }
    r->value[r->count++] = value;
}

/* A count that goes up; when it goes down an epoch has begun, or another bar. */
static void see_tune_count(struct tune_rates *r, double count, double scale, int64_t now_ns)
{
    bool warm = now_ns - r->first_ns >= r->warmup_ns;

    if (isnan(r->all_mark) || count < r->last) {
        r->mark = r->all_mark = count;
        r->mark_ns = r->all_ns = now_ns;
    } else if (warm && now_ns - r->mark_ns >= r->window_ns && count > r->mark) {
        if (r->mark_ns - r->first_ns >= r->warmup_ns)
            rates_add(r, (count - r->mark) * scale / ((double)(now_ns - r->mark_ns) / 1e9));
        r->mark = count;
        r->mark_ns = now_ns;
    }
    r->last = count;
    r->last_ns = now_ns;
}

/* The best way that this line allows, and its figure. */
static int best_way(const struct metric_update *u, bool pattern, double *figure)
{
    const struct {
        int method;
        double figure;
    } ways[] = {{SAMPLES_RATE, u->samples_rate},
                {SAMPLES, u->samples},
                {STEPS, u->step},
                {STEPS_RATE, u->rate}};

    *figure = pattern ? metric_value(u, STR(PATTERN_NAME)) : NAN;
    if (pattern)
        return isnan(*figure) ? NOTHING : PATTERN;
    for (size_t i = 0; i < ARRAY_LEN(ways) && !u->evaluated; i++)
        if (!isnan(ways[i].figure)) {
            *figure = ways[i].figure;
            return ways[i].method;
        }
    return NOTHING;
}

void tune_rates_see(struct tune_rates *r, const struct metric_update *u, bool pattern,
                    instant now)
{
    double figure;
    int method = best_way(u, pattern, &figure);

    if (method == NOTHING || method < r->method)
        return;
    if (r->first_ns < 0)
        r->first_ns = now.ns;
    if (method > r->method) {
        r->method = method;
        r->count = 0;
        r->warm = false;
        r->all_mark = r->last = NAN;
    }
    if (method == SAMPLES || method == STEPS) {
        see_tune_count(r, figure, method == STEPS ? r->batch : 1, now.ns);
        return;
    }
    /* What it prints before it is warm counts only when nothing comes later. */
    if (!r->warm && now.ns - r->first_ns >= r->warmup_ns) {
        r->count = 0;
        r->warm = true;
    }
    rates_add(r, method == STEPS_RATE ? figure * r->batch : figure);
}

static double rates_median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof values[0], num_by_value);
    return count % 2 == 1 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

bool tune_rates_end(const struct tune_rates *r, struct tune_point *point)
{
    double values[TUNE_WINDOWS], middle;
    bool counted = r->method == SAMPLES || r->method == STEPS;

    if (r->count == 0) {
        /* Too few lines for a window: all that was seen, from the first line on. */
        double seconds = (double)(r->last_ns - r->all_ns) / 1e9;

        if (!counted || !(seconds > 0) || !(r->last > r->all_mark))
            return false;
        point->rate = (r->last - r->all_mark) * (r->method == STEPS ? r->batch : 1) / seconds;
        point->windows = 1;
        point->method = str_from(methods[r->method]);
        return true;
    }
    memcpy(values, r->value, (size_t)r->count * sizeof values[0]);
    middle = rates_median(values, r->count);
    for (int i = 0; i < r->count; i++)
        values[i] = fabs(values[i] - middle);
    point->rate = middle;
    point->windows = r->count;
    point->method = str_from(methods[r->method]);
    /* 1.2533 for a median instead of a mean, 1.4826 for the deviation from a median. */
    if (r->count >= 3)
        point->spread =
            1.2533 * 1.4826 * rates_median(values, r->count) / sqrt(r->count) / middle;
    return true;
}

/* ---- one measurement ---- */

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
    bool memory;         /* a line reported that memory ran out */
    char last_line[160]; /* the last line, or the one that reports that memory ran out */
};

static int64_t now_ns(const struct trial *t)
{
    return t->how->clock->now(t->how->clock->ctx).ns;
}

static void see_line(struct trial *t)
{
    struct str line = str_trim((struct str){t->line, t->len});
    struct metric_update update;
    bool memory = tune_line_out_of_memory(line), found;

    t->len = 0;
    if (line.len == 0)
        return;
    if (memory || !t->memory)
        (void)snprintf(t->last_line, sizeof t->last_line, "%.*s",
                       (int)(line.len < 159 ? line.len : 159), line.at);
    t->memory |= memory;
    found = metric_line(t->how->reader, line, &update);
    if (!found)
        metric_clear(&update);
    if (isnan(update.samples_rate))
        update.samples_rate = tune_line_rate(line);
    if (found || !isnan(update.samples_rate))
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
static bool read_trial_output(struct trial *t)
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

static void read_all_trial_output(struct trial *t)
{
    for (int i = 0; i < READS && read_trial_output(t); i++)
        ;
}

/* End it: ask, wait, then kill. What it still prints is read, so that it does not wait for
 * us. */
static void stop_child(struct trial *t)
{
    int64_t until;

    tune_child_find(&t->child, t->how->alloc);
    tune_child_signal(&t->child, SIGTERM);
    until = now_ns(t) + t->how->grace.ns;
    while (!tune_child_ended(&t->child)) {
        struct pollfd wait = {.fd = t->child.fd, .events = POLLIN};

        (void)poll(&wait, t->child.fd >= 0, 20);
        read_all_trial_output(t);
        if (now_ns(t) >= until) {
            tune_child_find(&t->child, t->how->alloc);
            tune_child_signal(&t->child, SIGKILL);
            until = INT64_MAX;
        }
    }
    tune_child_signal(&t->child, SIGKILL); /* what it left behind */
}

static void look_at_child(struct trial *t, int64_t now)
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
static bool measure_over(const struct trial *t, int64_t now)
{
    if (t->rates.first_ns < 0)
        return now - t->start_ns >= t->how->patience.ns;
    return now - t->rates.first_ns >= t->how->warmup.ns + t->how->seconds.ns;
}

/* Until it ends, or is over. True when it ended by itself. */
static bool follow_child(struct trial *t)
{
    for (;;) {
        struct pollfd wait = {.fd = t->child.fd, .events = POLLIN};
        int64_t now;

        (void)poll(&wait, t->child.fd >= 0, 100);
        read_all_trial_output(t);
        now = now_ns(t);
        look_at_child(t, now);
        if (t->how->stopped != NULL && t->how->stopped()) {
            t->point->outcome = TUNE_STOPPED;
            (void)snprintf(t->point->note, sizeof t->point->note, "stopped");
            return false;
        }
        if (tune_child_ended(&t->child)) {
            read_all_trial_output(t);
            return true;
        }
        if (measure_over(t, now))
            return false;
    }
}

static void note_line(struct trial *t, const char *what)
{
    (void)snprintf(t->point->note, sizeof t->point->note, "%.60s%s%.120s", what,
                   t->last_line[0] != '\0' ? ": " : "", t->last_line);
}

/* What an end that was not ours means. */
static void judge_trial_end(struct trial *t)
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
        t->last_line[0] = '\0';
        note_line(t, "killed, most likely because memory ran out");
    } else {
        note_line(t, t->memory ? "out of memory" : what);
    }
}

static void judge_measure(struct trial *t, bool by_itself, double seconds)
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
        judge_trial_end(t);
    if (p->outcome != TUNE_MEASURED || tune_rates_end(&t->rates, p))
        return;
    if (by_itself && t->how->samples > 0 && seconds > 0) {
        p->rate = t->how->samples / seconds;
        p->windows = 1;
        p->method = STR("--samples over the entire time");
        (void)snprintf(p->note, sizeof p->note, "its start is part of the time");
        return;
    }
    if (t->memory) { /* one of several processes ran out, and the others waited for it */
        p->outcome = TUNE_MEMORY;
        note_line(t, "out of memory");
        return;
    }
    p->outcome = TUNE_SILENT;
    if (t->last_line[0] == '\0')
        note_line(t, "it printed nothing");
    else
        note_line(t, "it prints neither steps nor samples/s, last");
}

/* The size in the place of every "{}". */
static char *fill_in_batch(struct str word, int64_t batch, struct arena *arena,
                           struct error *err)
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

bool tune_reader_open(struct tune_trial *trial, struct str pattern, struct arena *arena,
                      struct error *err)
{
    struct buf text = buf_new(arena->alloc, 65536);
    struct str named = {0};

    trial->pattern = pattern.len > 0;
    if (trial->pattern) {
        buf_adds(&text, PATTERN_NAME "=/");
        buf_add(&text, pattern);
        buf_char(&text, '/');
    }
    if (!buf_keep(&text, arena, &named, err))
        return false;
    trial->reader = metric_open((struct strs){&named, trial->pattern}, arena, err);
    if (trial->reader == NULL && trial->pattern)
        error_context(err, "--samples-pattern");
    return trial->reader != NULL;
}

bool tune_measure(const struct tune_trial *how, struct tune_point *point, struct error *err)
{
    struct arena arena = {.alloc = how->alloc, .block_size = ARENA_BLOCK_SIZE};
    char **argv = arena_array(&arena, char *, how->command.len + 1, err);
    struct trial *t = arena_array(&arena, struct trial, 1, err);
    bool ok = argv != NULL && t != NULL, by_itself;

    for (size_t i = 0; ok && i < how->command.len; i++) {
        argv[i] = fill_in_batch(how->command.at[i], point->batch, &arena, err);
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
        by_itself = follow_child(t);
        if (by_itself)
            tune_child_signal(&t->child, SIGKILL); /* what it left behind */
        else
            stop_child(t);
        judge_measure(t, by_itself, (double)(now_ns(t) - t->start_ns) / 1e9);
        if (t->child.fd >= 0)
            (void)close(t->child.fd);
    }
    arena_free(&arena);
    return ok;
}
