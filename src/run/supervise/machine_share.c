#include "run/supervise/machine_share.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/fs.h"
#include "run/supervise/supervise_internal.h"

#define FINE 36 /* bits after the point of a nanosecond */

/* Who divides what the fixed shares leave, and by how much. */
struct division {
    int64_t left; /* billionths */
    int64_t gpus; /* thousandths, of all who divide */
    int runs, payers;
};

static bool pays_now(const struct share_run *run)
{
    return run->here && run->pays && run->inside[0] == '\0';
}

static struct division share_divide(const struct share_run *runs, size_t count)
{
    struct division d = {.left = SHARE_ONE};

    for (size_t i = 0; i < count; i++) {
        if (!pays_now(&runs[i]))
            continue;
        d.payers++;
        if (runs[i].fixed >= 0) {
            d.left = runs[i].fixed < d.left ? d.left - runs[i].fixed : 0;
            continue;
        }
        d.runs++;
        d.gpus += runs[i].gpus;
    }
    return d;
}

/* `part` billionths of a time. */
static uwide part_of_time(int64_t ns, int64_t part)
{
    return (((uwide)(uint64_t)ns << FINE) * (uwide)(uint64_t)part) / (uwide)SHARE_ONE;
}

void share_pass(struct share_clock *clock, const struct share_run *runs, size_t count,
                instant now)
{
    struct division d = share_divide(runs, count);

    if (now.ns <= clock->at.ns)
        return;
    if (d.gpus > 0)
        clock->by_gpu.parts +=
            part_of_time(now.ns - clock->at.ns, d.left) / (uwide)(uint64_t)d.gpus;
    else if (d.runs > 0)
        clock->evenly.parts +=
            part_of_time(now.ns - clock->at.ns, d.left) / (uwide)(uint64_t)d.runs;
    clock->at = now;
}

static uwide paid_since(const struct share_run *run, const struct share_clock *clock)
{
    if (!pays_now(run))
        return 0;
    if (run->fixed >= 0)
        return part_of_time(clock->at.ns - run->mark.at.ns, run->fixed);
    return (clock->by_gpu.parts - run->mark.by_gpu.parts) * (uwide)(uint64_t)run->gpus +
           (clock->evenly.parts - run->mark.evenly.parts);
}

span share_paid(const struct share_run *run, const struct share_clock *clock)
{
    uwide sum = run->paid.parts + paid_since(run, clock);

    return (span){(int64_t)((sum + ((uwide)1 << (FINE - 1))) >> FINE)};
}

/* What it has to pay so far is fixed; how it goes on may change. */
static void share_settle(const struct share_clock *clock, struct share_run *run)
{
    run->paid.parts += paid_since(run, clock);
    run->mark = *clock;
}

void share_come(const struct share_clock *clock, struct share_run *run)
{
    run->here = true;
    run->since = run->seen = clock->at;
    run->paid = (fine_time){0};
    run->mark = *clock;
}

void share_gpus(const struct share_clock *clock, struct share_run *run, int64_t gpus)
{
    share_settle(clock, run);
    run->gpus = gpus;
}

void share_go(const struct share_clock *clock, struct share_run *runs, size_t count,
              struct share_run *run)
{
    share_settle(clock, run);
    run->here = false;
    for (size_t i = 0; run->id[0] != '\0' && i < count; i++) {
        if (!runs[i].here || strcmp(runs[i].inside, run->id) != 0)
            continue;
        share_settle(clock, &runs[i]);
        memcpy(runs[i].inside, run->inside, sizeof runs[i].inside);
    }
}

void share_bury(struct share_clock *clock, struct share_run *runs, size_t count,
                const bool *gone)
{
    for (;;) {
        struct share_run *first = NULL;

        for (size_t i = 0; i < count; i++)
            if (gone[i] && runs[i].here && (first == NULL || runs[i].seen.ns < first->seen.ns))
                first = &runs[i];
        if (first == NULL)
            return;
        share_pass(clock, runs, count, first->seen);
        share_go(clock, runs, count, first);
    }
}

struct share_view share_now(const struct share_run *runs, size_t count,
                            const struct share_run *run)
{
    struct division d = share_divide(runs, count);
    double left = (double)d.left / (double)SHARE_ONE;
    struct share_view view = {.part = 0, .runs = d.payers};

    if (!pays_now(run))
        return view;
    if (run->fixed >= 0)
        view.part = (double)run->fixed / (double)SHARE_ONE;
    else if (d.gpus > 0)
        view.part = left * (double)run->gpus / (double)d.gpus;
    else
        view.part = left / d.runs;
    return view;
}

/* ---- the table of runs on this machine ---- */

#define MAGIC UINT64_C(0x314e5552544e4953) /* "SINTRUN1" */
#define SEATS 1024
/* For the lock, in ns: when a run comes or goes; and at a look, which guards must not wait for.
 */
#define PATIENCE INT64_C(100000000)
#define PATIENCE_LOOK INT64_C(3000000)
#define LIVES ((off_t)1 << 40) /* from here on a byte for each seat is locked by who has it */

/* As they are in the file. All of one machine, so in its own order of bytes. */
struct file_time {
    uint64_t high, low;
};

struct file_clock {
    int64_t at;
    struct file_time by_gpu, evenly;
};

struct file_head {
    uint64_t magic;
    uint32_t seats; /* that have ever been taken: the length of the table */
    uint32_t size;  /* of a seat, so that another version is noticed */
    struct file_clock clock;
};

struct file_seat {
    char id[SHARE_ID], inside[SHARE_ID];
    uint32_t here, pays;
    int64_t fixed, gpus, since, seen;
    struct file_time paid;
    struct file_clock mark;
};

struct table {
    struct file_head head;
    struct file_seat seat[SEATS];
};

struct machine_entry {
    const char *id;     /* of the run */
    bool pays;          /* its price is known */
    int64_t fixed;      /* as in struct share_run */
    const char *inside; /* the run that this one was started by, as its environment says; it
                           counts when that one is here. NULL: none */
};

/* What was read, and the same as machine_share.h has it. */
struct sight {
    struct table table;
    struct share_clock clock;
    struct share_run run[SEATS];
    size_t count;
};

/* ---- to and from the file ---- */

static fine_time time_in(struct file_time t)
{
    return (fine_time){((uwide)t.high << 64) | t.low};
}

static struct file_time time_out(fine_time t)
{
    return (struct file_time){(uint64_t)(t.parts >> 64), (uint64_t)t.parts};
}

static struct share_clock clock_in(const struct file_clock *c)
{
    return (struct share_clock){{c->at}, time_in(c->by_gpu), time_in(c->evenly)};
}

static struct file_clock clock_out(const struct share_clock *c)
{
    return (struct file_clock){c->at.ns, time_out(c->by_gpu), time_out(c->evenly)};
}

static void run_in(const struct file_seat *f, struct share_run *run)
{
    *run = (struct share_run){.here = f->here != 0,
                              .pays = f->pays != 0,
                              .fixed = f->fixed,
                              .gpus = f->gpus,
                              .since = {f->since},
                              .seen = {f->seen},
                              .paid = time_in(f->paid),
                              .mark = clock_in(&f->mark)};
    memcpy(run->id, f->id, sizeof run->id - 1);
    memcpy(run->inside, f->inside, sizeof run->inside - 1);
}

static struct file_seat run_out(const struct share_run *run)
{
    struct file_seat f = {.here = run->here,
                          .pays = run->pays,
                          .fixed = run->fixed,
                          .gpus = run->gpus,
                          .since = run->since.ns,
                          .seen = run->seen.ns,
                          .paid = time_out(run->paid),
                          .mark = clock_out(&run->mark)};

    memcpy(f.id, run->id, sizeof f.id);
    memcpy(f.inside, run->inside, sizeof f.inside);
    return f;
}

static off_t seat_at(size_t slot)
{
    return (off_t)(sizeof(struct file_head) + slot * sizeof(struct file_seat));
}

static bool table_put(int fd, const void *from, size_t size, off_t at)
{
    return pwrite(fd, from, size, at) == (ssize_t)size;
}

static bool put_seat(int fd, const struct sight *sight, size_t slot)
{
    struct file_seat f = run_out(&sight->run[slot]);

    return table_put(fd, &f, sizeof f, seat_at(slot));
}

/* Any user of the machine may write to the file: nothing in it is believed that would make the
 * sums overflow. */
static bool is_sound_share(const struct share_run *run, const struct share_clock *clock)
{
    return !run->here || (run->fixed >= -1 && run->fixed <= SHARE_ONE && run->gpus >= 0 &&
                          run->gpus <= INT64_C(1000) * SHARE_GPU && run->since.ns >= 0 &&
                          run->since.ns <= run->mark.at.ns && run->mark.at.ns <= clock->at.ns &&
                          run->mark.by_gpu.parts <= clock->by_gpu.parts &&
                          run->mark.evenly.parts <= clock->evenly.parts);
}

/* A file that is empty, of another version or cut off starts anew, as if no run had come. */
static bool read_share_file(int fd, struct sight *sight)
{
    struct file_head *head = &sight->table.head;
    ssize_t got = pread(fd, &sight->table, sizeof sight->table, 0);
    int64_t now = clock_paid().ns;

    sight->count = 0;
    sight->clock = (struct share_clock){{now}, {0}, {0}};
    if (got < 0)
        return false;
    if ((size_t)got < sizeof *head || head->magic != MAGIC || head->seats > SEATS ||
        head->size != sizeof(struct file_seat) || (off_t)got < seat_at(head->seats))
        return true;
    if (head->clock.at < 0 || head->clock.at > now) { /* another clock than ours */
        errno = EINVAL;
        return false;
    }
    sight->clock = clock_in(&head->clock);
    sight->count = head->seats;
    for (size_t i = 0; i < sight->count; i++) {
        run_in(&sight->table.seat[i], &sight->run[i]);
        if (!is_sound_share(&sight->run[i], &sight->clock))
            sight->run[i].here = false;
    }
    return true;
}

static bool put_head(int fd, const struct sight *sight)
{
    struct file_head head = {.magic = MAGIC,
                             .seats = (uint32_t)sight->count,
                             .size = sizeof(struct file_seat),
                             .clock = clock_out(&sight->clock)};

    return table_put(fd, &head, sizeof head, 0);
}

/* ---- locks ---- */

static struct flock lock_range(short kind, off_t at)
{
    return (struct flock){.l_type = kind, .l_whence = SEEK_SET, .l_start = at, .l_len = 1};
}

static bool lock_table(int fd, int64_t patience)
{
    int64_t until = clock_paid().ns + patience;
    const struct timespec moment = {.tv_nsec = 50000};

    for (;;) {
        struct flock lock = lock_range(F_WRLCK, 0);

        if (fcntl(fd, F_OFD_SETLK, &lock) == 0)
            return true;
        if ((errno != EAGAIN && errno != EACCES && errno != EINTR) || clock_paid().ns >= until)
            return false;
        (void)nanosleep(&moment, NULL);
    }
}

static void unlock_table(int fd)
{
    struct flock lock = lock_range(F_UNLCK, 0);

    (void)fcntl(fd, F_OFD_SETLK, &lock);
}

/* Is another run in that seat? Our own lock does not show to us: ask for the others' only. */
static bool is_slot_taken(int fd, size_t slot)
{
    struct flock lock = lock_range(F_WRLCK, LIVES + (off_t)slot);

    return fcntl(fd, F_OFD_GETLK, &lock) != 0 || lock.l_type != F_UNLCK;
}

static bool take_seat(int fd, size_t slot)
{
    struct flock lock = lock_range(F_WRLCK, LIVES + (off_t)slot);

    return fcntl(fd, F_OFD_SETLK, &lock) == 0;
}

/* ---- events ---- */

/* Those whose supervisors were killed are gone. */
static bool bury_dead(int fd, struct sight *sight, int own)
{
    bool gone[SEATS] = {false}, was_inside[SEATS] = {false}, any = false, ok = true;

    for (size_t i = 0; i < sight->count; i++) {
        was_inside[i] = sight->run[i].inside[0] != '\0';
        gone[i] = sight->run[i].here && (int)i != own && !is_slot_taken(fd, i);
        any = any || gone[i];
    }
    if (!any)
        return true;
    share_bury(&sight->clock, sight->run, sight->count, gone);
    ok = put_head(fd, sight);
    for (size_t i = 0; i < sight->count; i++)
        if (gone[i] || was_inside[i])
            ok = put_seat(fd, sight, i) && ok;
    return ok;
}

/* Under the lock: what there is, up to `now`, or the last event where that is later. The lock
 * is released when it fails. */
static bool begin_share_event(int fd, struct sight *sight, int own, int64_t patience,
                              struct error *err)
{
    if (!lock_table(fd, patience)) {
        error_system(err, errno, "cannot lock the list of runs on this machine");
        return false;
    }
    if (read_share_file(fd, sight) && bury_dead(fd, sight, own))
        return true;
    error_system(err, errno, "cannot use the list of runs on this machine");
    unlock_table(fd);
    return false;
}

/* False when it cannot be: no run pays for more time than it was there. */
static bool read_machine_view(const struct sight *sight, int slot, struct machine_view *out)
{
    const struct share_run *run = &sight->run[slot];
    struct share_view view = share_now(sight->run, sight->count, run);
    span paid = share_paid(run, &sight->clock);

    if (paid.ns < 0 || paid.ns > sight->clock.at.ns - run->since.ns + 1)
        return false;
    *out = (struct machine_view){.at = sight->clock.at,
                                 .paid = paid,
                                 .part = view.part,
                                 .runs = view.runs,
                                 .inside = run->inside[0] != '\0'};
    return true;
}

/* ---- the file ---- */

/* "/dev/shm/stint-runs-0123456789abcdef": of this boot. */
static bool path_in(const char *folder, char *to, size_t room)
{
    char boot[64] = "unknown";
    int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    ssize_t got = fd < 0 ? -1 : read(fd, boot, sizeof boot - 1);
    int len;

    if (fd >= 0)
        (void)close(fd);
    if (got >= 18)
        boot[18] = '\0';
    else
        (void)snprintf(boot, sizeof boot, "unknown");
    len = snprintf(to, room, "%s/stint-runs-%s", folder, boot);
    return len > 0 && (size_t)len < room;
}

/* A file of another user's in a folder that all may write to is opened only without O_CREAT
 * (fs.protected_regular). */
static int open_share_file(const char *path)
{
    int fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY);

    if (fd >= 0 || errno != ENOENT)
        return fd;
    fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (fd >= 0)
        (void)fchmod(fd, 0666); /* whatever the umask: others are to write to it */
    else if (errno == EEXIST)
        fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY);
    return fd;
}

static int open_table(struct error *err)
{
    const char *named = env_get("STINT_MACHINE_DIR");
    const char *const folders[] = {named != NULL ? named : "/dev/shm", "/tmp"};
    char path[512];
    int failure = 0;

    for (size_t i = 0; i < (named != NULL ? 1 : ARRAY_LEN(folders)); i++) {
        struct stat st;
        int fd;

        if (!path_in(folders[i], path, sizeof path))
            continue;
        fd = open_share_file(path);
        if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
            return fd;
        failure = failure != 0 ? failure : fd >= 0 ? EINVAL : errno;
        if (fd >= 0)
            (void)close(fd);
    }
    error_system(err, failure, "cannot open the list of runs in '%s'", folders[0]);
    return -1;
}

/* ---- the run's side ---- */

static int free_slot(const struct sight *sight, int fd)
{
    for (size_t i = 0; i < sight->count; i++)
        if (!sight->run[i].here && !is_slot_taken(fd, i))
            return (int)i;
    return sight->count < SEATS ? (int)sight->count : -1;
}

static bool is_run_here(const struct sight *sight, const char *id)
{
    for (size_t i = 0; i < sight->count; i++)
        if (sight->run[i].here && strcmp(sight->run[i].id, id) == 0)
            return true;
    return false;
}

static bool anybody_left(const struct sight *sight)
{
    for (size_t i = 0; i < sight->count; i++)
        if (sight->run[i].here)
            return true;
    return false;
}

static bool sit_down(struct machine_seat *seat, const struct machine_entry *entry,
                     struct sight *sight)
{
    struct share_run *run;
    int slot;

    if (!anybody_left(sight)) { /* the table need not grow for ever */
        sight->count = 0;
        sight->clock.by_gpu = sight->clock.evenly = (fine_time){0};
    }
    slot = free_slot(sight, seat->fd);
    if (slot < 0 || !take_seat(seat->fd, (size_t)slot))
        return false;
    if ((size_t)slot == sight->count)
        sight->count++;
    run = &sight->run[slot];
    *run = (struct share_run){.pays = entry->pays, .fixed = entry->fixed};
    (void)snprintf(run->id, sizeof run->id, "%.36s", entry->id);
    if (entry->inside != NULL && entry->inside[0] != '\0' && is_run_here(sight, entry->inside))
        (void)snprintf(run->inside, sizeof run->inside, "%.36s", entry->inside);
    share_come(&sight->clock, run);
    seat->slot = slot;
    /* The seat before the head: a table that ends in the middle is read up to what it says. */
    return put_seat(seat->fd, sight, (size_t)slot) && put_head(seat->fd, sight);
}

/* Come in; `seat` is set, and `out->at` is the moment at which it did. False when there is no
 * such file and none can be made, or it is in use by too many: the error says why. */
static bool table_enter(struct machine_seat *seat, const struct machine_entry *entry,
                        struct machine_view *out, struct error *err)
{
    struct sight sight;
    bool ok;

    *seat = (struct machine_seat){.fd = open_table(err), .slot = -1};
    if (seat->fd < 0)
        return false;
    if (!begin_share_event(seat->fd, &sight, -1, PATIENCE, err)) {
        machine_close(seat);
        return false;
    }
    share_pass(&sight.clock, sight.run, sight.count, clock_paid());
    ok = sit_down(seat, entry, &sight) && read_machine_view(&sight, seat->slot, out);
    if (!ok)
        error_set(err, ERROR_FAILED, "the list of runs on this machine cannot be written");
    unlock_table(seat->fd);
    if (!ok)
        machine_close(seat);
    return ok;
}

/* Is it still the same table, with us in it? */
static bool is_our_seat(const struct machine_seat *seat, const struct sight *sight)
{
    return (size_t)seat->slot < sight->count && sight->run[seat->slot].here;
}

/* I am here, and can use so many thousandths of GPUs (-1: as before). False when the file
 * cannot be read at this moment: the next look may succeed. */
static bool table_update(struct machine_seat *seat, int64_t gpus, instant now,
                         struct machine_view *out)
{
    struct sight sight;
    struct share_run *run;
    struct error ignored;
    bool ok;

    if (seat->fd < 0 ||
        !begin_share_event(seat->fd, &sight, seat->slot, PATIENCE_LOOK, &ignored))
        return false;
    share_pass(&sight.clock, sight.run, sight.count, now);
    ok = is_our_seat(seat, &sight);
    if (ok) {
        bool changes;

        run = &sight.run[seat->slot];
        changes = gpus >= 0 && gpus != run->gpus;
        if (changes) {
            share_gpus(&sight.clock, run, gpus);
            ok = put_head(seat->fd, &sight);
        }
        run->seen = sight.clock.at;
        ok = put_seat(seat->fd, &sight, (size_t)seat->slot) && ok &&
             read_machine_view(&sight, seat->slot, out);
    }
    unlock_table(seat->fd);
    return ok;
}

/* It has ended: `out` is what it comes to. The seat is given up in any case. When another run
 * came or went after that moment and was first to write, it ended then (`out->at`). */
static bool table_leave(struct machine_seat *seat, instant ended, struct machine_view *out)
{
    struct sight sight;
    struct error ignored;
    bool ok =
        seat->fd >= 0 && begin_share_event(seat->fd, &sight, seat->slot, PATIENCE, &ignored);

    if (ok) {
        share_pass(&sight.clock, sight.run, sight.count, ended);
        ok = is_our_seat(seat, &sight);
        if (ok) {
            bool sound = read_machine_view(&sight, seat->slot, out);

            share_go(&sight.clock, sight.run, sight.count, &sight.run[seat->slot]);
            ok = put_head(seat->fd, &sight);
            for (size_t i = 0; i < sight.count; i++)
                if ((int)i == seat->slot || sight.run[i].mark.at.ns == sight.clock.at.ns)
                    ok = put_seat(seat->fd, &sight, i) && ok;
            ok = ok && sound;
        }
        unlock_table(seat->fd);
    }
    machine_close(seat);
    return ok;
}

void machine_close(struct machine_seat *seat)
{
    if (seat->fd >= 0)
        (void)close(seat->fd);
    seat->fd = -1;
}

/* ---- what the run pays of its machine, beside the other runs on it ---- */

/* What is paid: the machine, divided with the other runs on it, or a fixed share of it. This is
 * the one place that says so: a job of Slurm or Kubernetes will pay for its allocation, which
 * is a fixed share that its scheduler names. */
static struct machine_entry what_is_paid(const struct supervisor *s)
{
    return (struct machine_entry){.id = s->result->id,
                                  .pays = s->options->charge.rate.nano != MONEY_UNKNOWN,
                                  .fixed = s->options->share,
                                  /* ours says nothing of another's process */
                                  .inside = s->options->target == NULL ? env_get("STINT_RUN_ID")
                                                                       : NULL};
}

/* Alone, as far as is known: also when there is no list of runs to look at. */
static struct machine_view view_alone(const struct supervise_options *o, instant at)
{
    return (struct machine_view){
        .at = at, .part = o->share >= 0 ? (double)o->share / (double)SHARE_ONE : 1, .runs = 1};
}

static void take_view(struct supervisor *s)
{
    const struct machine_view *view = &s->money.machine;

    if (view->runs > s->money.sharers_most)
        s->money.sharers_most = view->runs;
    if (view->part != s->money.account.share.part)
        log_write(s->options->log, LOG_DEBUG, "pays %.3g %% of the machine, of %d runs on it",
                  view->part * 100, view->runs);
    account_share(&s->money.account, &(struct account_share){.paid = view->paid,
                                                             .at = view->at,
                                                             .part = view->part,
                                                             .fixed = s->options->share >= 0,
                                                             .inside = view->inside});
}

void sup_share_begin(struct supervisor *s)
{
    struct machine_entry entry = what_is_paid(s);
    struct error err = {0};

    machine_close(&s->money.seat); /* started again: it is still one run */
    if (!table_enter(&s->money.seat, &entry, &s->money.machine, &err)) {
        s->money.machine = view_alone(s->options, clock_paid());
        if (entry.pays && entry.fixed < 0)
            sup_print(s, "note: %s: this run pays for the machine in full, also beside others",
                      err.text);
    }
    s->began = s->money.machine.at;
    take_view(s);
}

/* Thousandths of GPUs that it can use, as far as the meters know. */
static int64_t gpus_of(const struct sup_seen *seen)
{
    double sum = 0;

    if (!seen->sampled)
        return -1;
    for (size_t i = 0; i < seen->sample.gpus; i++)
        sum += seen->sample.gpu[i].part;
    return (int64_t)(sum * SHARE_GPU + 0.5);
}

/* What the others do is not known: it pays all of what has passed since, until it does. */
static void pay_in_full(struct supervisor *s, instant now)
{
    struct machine_view full = view_alone(s->options, now);

    full.paid.ns = s->money.machine.paid.ns +
                   (int64_t)((double)(now.ns - s->money.machine.at.ns) * full.part + 0.5);
    full.runs = s->money.machine.runs;
    full.inside = s->money.machine.inside;
    if (full.inside) {
        full.paid = s->money.machine.paid;
        full.part = 0;
    }
    s->money.machine = full;
}

void sup_share_update(struct supervisor *s, instant now)
{
    if (!table_update(&s->money.seat, gpus_of(&s->seen), now, &s->money.machine))
        pay_in_full(s, now);
    take_view(s);
}

instant sup_share_end(struct supervisor *s)
{
    instant ended = clock_paid();

    if (!table_leave(&s->money.seat, ended, &s->money.machine))
        pay_in_full(s, ended);
    take_view(s);
    return s->money.machine.at;
}

const char *sup_share_pays(const struct supervisor *s)
{
    if (s->money.machine.inside)
        return "inside";
    if (s->options->charge.rate.nano == MONEY_UNKNOWN)
        return "";
    return s->options->share >= 0 ? "fixed" : "machine";
}
