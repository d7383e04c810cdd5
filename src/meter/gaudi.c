/* Intel's Gaudi devices, by the program hl-smi: it is slow, so it runs in the background and
 * its output is read at a later sample. */
#include "meter/gaudi.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/num.h"
#include "meter/gpu.h"
#include "meter/proc.h"

#define MIB 1048576.0

static double gaudi_number(struct str word)
{
    double value;

    return num_double(word, &value) && value >= 0 ? value : NAN;
}

static int gaudi_index(struct str word)
{
    int64_t value;

    return num_int(word, &value) && value >= 0 && value < 1024 ? (int)value : -1;
}

static void copy_cell(struct str word, char *to, size_t room)
{
    (void)snprintf(to, room, "%.*s", STR_ARG(word));
}

size_t gaudi_parse(struct str text, struct gaudi_row *rows, size_t max)
{
    size_t count = 0;

    while (text.len > 0 && count < max) {
        struct str line = str_cut(&text, '\n'), word[9] = {{NULL, 0}};
        struct gaudi_row *row = &rows[count];
        size_t words = 0;

        while (line.len > 0 && words < 9)
            word[words++] = str_trim(str_cut(&line, ','));
        if (words < 9 || line.len > 0 || gaudi_index(word[0]) < 0)
            continue;
        row->index = gaudi_index(word[0]);
        row->module = gaudi_index(word[1]);
        copy_cell(word[2], row->uuid, sizeof row->uuid);
        copy_cell(word[3], row->name, sizeof row->name);
        row->busy = gaudi_number(word[4]) / 100;
        row->memory = gaudi_number(word[5]) * MIB;
        row->memory_total = gaudi_number(word[6]) * MIB;
        row->watts = gaudi_number(word[7]);
        row->celsius = gaudi_number(word[8]);
        if (row->busy > 1)
            row->busy = NAN;
        count++;
    }
    return count;
}

/* ---- running hl-smi ---- */

#define PERIOD (5 * SECOND)    /* from one run of hl-smi to the next */
#define PATIENCE (10 * SECOND) /* for one run; then it is killed */
#define STALE (30 * SECOND)    /* without news, what is known is out of date */
#define OUTPUT_MAX 16384

extern char **environ;

struct gaudi_device {
    struct gpu_sample sample;
    struct gpu_energy energy;
    struct gpu_share share;
    struct gpu_owners owners;
    char node[2][32]; /* its files in /dev */
    int module;
};

struct gaudi {
    const char *program;
    struct meter_options kept;
    struct gaudi_device *device;
    struct visible_device *names;
    size_t count;
    struct gpu_sight sight;
    pid_t child; /* 0: none runs */
    int from;    /* its output; -1 */
    instant started, heard;
    char output[OUTPUT_MAX];
    size_t len;
};

static struct gaudi_device *gaudi_device_of(struct gaudi *gaudi, const struct gaudi_row *row)
{
    struct gaudi_device *d;

    for (size_t i = 0; i < gaudi->count; i++)
        if (gaudi->device[i].sample.index == row->index)
            return &gaudi->device[i];
    if (gaudi->count == METER_GPUS)
        return NULL;
    d = &gaudi->device[gaudi->count];
    d->sample = gpu_unknown("habana", row->index);
    memcpy(d->sample.name, row->name, sizeof d->sample.name);
    memcpy(d->sample.uuid, row->uuid, sizeof d->sample.uuid);
    d->module = row->module;
    (void)snprintf(d->node[0], sizeof d->node[0], "/dev/accel/accel%d", row->index);
    (void)snprintf(d->node[1], sizeof d->node[1], "/dev/hl%d", row->index);
    d->owners = gpu_owners_of(&gaudi->kept, d->node[0]);
    d->owners.node[1] = d->node[1];
    gaudi->names[gaudi->count] = (struct visible_device){
        str_from(d->sample.uuid), str_from(d->sample.name), row->index, false, row->module};
    gaudi->count++;
    /* What is visible is reported anew, of one device more. */
    gaudi->sight.count = gaudi->count;
    gpu_sight_open(&gaudi->sight, &gaudi->kept);
    return d;
}

static void take_output(struct gaudi *gaudi, instant now)
{
    struct gaudi_row row[METER_GPUS];
    size_t count = gaudi_parse((struct str){gaudi->output, gaudi->len}, row, METER_GPUS);

    for (size_t i = 0; i < count; i++) {
        struct gaudi_device *d = gaudi_device_of(gaudi, &row[i]);

        if (d == NULL)
            continue;
        d->sample.busy = row[i].busy;
        d->sample.memory = row[i].memory;
        d->sample.memory_total = row[i].memory_total;
        d->sample.watts = row[i].watts;
        d->sample.celsius = row[i].celsius;
        gpu_energy_look(&d->energy,
                        &(struct gpu_reading){.watts = row[i].watts, .counter = NAN}, now);
    }
    if (count > 0)
        gaudi->heard = now;
}

/* Has the program ended? The supervisor may have waited for it already: then its number may be
 * another's by now, and is forgotten. */
static bool program_ended(struct gaudi *gaudi)
{
    if (gaudi->child != 0 && waitpid(gaudi->child, NULL, WNOHANG) == 0)
        return false;
    gaudi->child = 0;
    return true;
}

static void close_gaudi_pipe(struct gaudi *gaudi)
{
    if (gaudi->from >= 0)
        (void)close(gaudi->from);
    gaudi->from = -1;
}

static void hear_program(struct gaudi *gaudi, instant now)
{
    while (gaudi->from >= 0) {
        size_t room = sizeof gaudi->output - gaudi->len;
        ssize_t got = room == 0 ? 0 : read(gaudi->from, gaudi->output + gaudi->len, room);

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 && errno == EAGAIN)
            break;
        if (got > 0) {
            gaudi->len += (size_t)got;
            continue;
        }
        take_output(gaudi, now);
        close_gaudi_pipe(gaudi);
    }
    if (gaudi->from < 0 && program_ended(gaudi))
        return;
    if (span_between(gaudi->started, now).ns > PATIENCE) {
        close_gaudi_pipe(gaudi);
        if (!program_ended(gaudi))
            (void)kill(gaudi->child, SIGKILL);
    }
}

/* The supervisor blocks signals, and a terminal sends them to its entire group: neither is for
 * hl-smi. */
static int launch_program(struct gaudi *gaudi, int to, posix_spawn_file_actions_t *actions,
                          posix_spawnattr_t *how)
{
    static char query[] = "-Q", fields[] = GAUDI_QUERY, format[] = "-f",
                style[] = "csv,noheader,nounits";
    char name[PROC_PATH];
    char *words[] = {name, query, fields, format, style, NULL};
    sigset_t none, all;
    int bad;

    (void)snprintf(name, sizeof name, "%s", gaudi->program);
    (void)sigemptyset(&none);
    (void)sigfillset(&all);
    bad = posix_spawnattr_setsigmask(how, &none);
    if (bad == 0)
        bad = posix_spawnattr_setsigdefault(how, &all);
    if (bad == 0)
        bad = posix_spawnattr_setflags(how, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
                                                POSIX_SPAWN_SETPGROUP);
    if (bad == 0)
        bad = posix_spawn_file_actions_addopen(actions, 0, "/dev/null", O_RDONLY, 0);
    if (bad == 0)
        bad = posix_spawn_file_actions_adddup2(actions, to, 1);
    if (bad == 0)
        bad = posix_spawn_file_actions_addopen(actions, 2, "/dev/null", O_WRONLY, 0);
    return bad == 0 ? posix_spawnp(&gaudi->child, name, actions, how, words, environ) : bad;
}

static void start_gaudi_program(struct gaudi *gaudi, instant now)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t how;
    int ends[2];

    gaudi->started = now;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return;
    (void)fcntl(ends[0], F_SETFL, O_NONBLOCK);
    if (posix_spawn_file_actions_init(&actions) == 0) {
        if (posix_spawnattr_init(&how) == 0) {
            if (launch_program(gaudi, ends[1], &actions, &how) != 0)
                gaudi->child = 0;
            (void)posix_spawnattr_destroy(&how);
        }
        (void)posix_spawn_file_actions_destroy(&actions);
    }
    (void)close(ends[1]);
    gaudi->len = 0;
    gaudi->from = ends[0];
    if (gaudi->child == 0)
        close_gaudi_pipe(gaudi);
}

/* A Gaudi takes one process at a time, which has its file open. */
static void report_devices(struct gaudi_device *d, const struct tree *tree, instant now,
                           bool stale)
{
    struct gpu_sample *s = &d->sample;
    bool ours = d->owners.all || gpu_tree_has_open(&d->owners, tree, now);
    struct gpu_part part = {.measured = NAN,
                            .processes = ours ? 1 : -1,
                            .ours = ours,
                            .own = ours,
                            .method = METHOD_COUNTER};

    if (stale)
        s->watts = s->busy = s->memory = s->celsius = NAN;
    s->joules = stale || !d->energy.begun ? NAN : d->energy.joules;
    s->joules_method = isnan(s->joules) ? METHOD_NONE : METHOD_SAMPLED;
    s->error = isnan(s->joules) ? NAN : GPU_ERROR_SELDOM;
    part.busy = ours ? s->busy : 0;
    part.memory = ours ? s->memory : 0;
    gpu_share_add(&d->share, &part, s);
}

static void gaudi_read(void *state, const struct tree *tree, instant now, bool exact,
                       struct gpu_sample *out, size_t *count)
{
    struct gaudi *gaudi = state;
    bool stale;

    (void)exact; /* there is no counter */
    if (gaudi->child != 0)
        hear_program(gaudi, now);
    if (gaudi->child == 0 &&
        (gaudi->started.ns == INT64_MIN || now.ns - gaudi->started.ns >= PERIOD))
        start_gaudi_program(gaudi, now);
    gpu_sight_look(&gaudi->sight, tree);
    stale = now.ns - gaudi->heard.ns > STALE;
    for (size_t i = 0; i < gaudi->count; i++) {
        struct gaudi_device *d = &gaudi->device[i];

        report_devices(d, tree, now, stale);
        if (((gaudi->sight.now >> i & 1) != 0 || d->share.used) && *count < METER_GPUS)
            out[(*count)++] = d->sample;
    }
}

static void gaudi_close(void *state)
{
    struct gaudi *gaudi = state;

    close_gaudi_pipe(gaudi);
    if (!program_ended(gaudi) && kill(gaudi->child, SIGKILL) == 0)
        (void)waitpid(gaudi->child, NULL, 0); /* a killed program takes no time to end */
}

static bool has_gaudi_device(const struct meter_options *options)
{
    static const char *const places[] = {"/sys/class/habanalabs/hl0",
                                         "/sys/class/accel/accel0"};

    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (gpu_has_path(options, places[i]))
            return true;
    return false;
}

static void *gaudi_open(const struct meter_options *options, struct arena *arena, char *why)
{
    struct error err = {0};
    struct gaudi *gaudi;

    if (options->gaudi == NULL && !has_gaudi_device(options)) {
        (void)snprintf(why, GPU_WHY, "no Gaudi device in /sys/class");
        return NULL;
    }
    if (options->gaudi != NULL && !fs_exists(options->gaudi)) {
        (void)snprintf(why, GPU_WHY, "there is no %s", options->gaudi);
        return NULL;
    }
    gaudi = arena_array(arena, struct gaudi, 1, &err);
    if (gaudi != NULL) {
        gaudi->device = arena_array(arena, struct gaudi_device, METER_GPUS, &err);
        gaudi->names = arena_array(arena, struct visible_device, METER_GPUS, &err);
    }
    if (gaudi == NULL || gaudi->device == NULL || gaudi->names == NULL) {
        (void)snprintf(why, GPU_WHY, "%.150s", err.text);
        return NULL;
    }
    gaudi->kept = *options;
    gaudi->program = options->gaudi == NULL ? "hl-smi" : options->gaudi;
    gaudi->from = -1;
    gaudi->started.ns = INT64_MIN;
    gaudi->sight = (struct gpu_sight){.vendor = VISIBLE_HABANA, .devices = gaudi->names};
    gpu_sight_open(&gaudi->sight, options);
    return gaudi;
}

const struct gpu_vendor gpu_gaudi = {"habana", gaudi_open, gaudi_read, gaudi_close};
