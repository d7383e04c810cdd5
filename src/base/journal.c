#include "base/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/crc.h"
#include "base/fs.h"

#define JOURNAL_MAX ((size_t)4 << 30)
#define SUM_SIZE sizeof(uint32_t)

struct journal {
    const struct alloc *alloc;
    int fd;
    size_t record_size;
    size_t size; /* of the file: complete records only */
    bool failed; /* one could not be added */
    pthread_mutex_t adding;
    char *room; /* a record and its checksum */
    char name[200];
};

/* What a file holds: the header as far as it goes, and complete records. */
struct contents {
    struct arena *arena;
    struct str text;
    size_t good; /* bytes to keep */
};

static struct str next_journal_line(struct str *rest)
{
    return str_cut(rest, '\n');
}

/* Say which line differs, and how. */
static bool refuse_journal(const char *path, struct str found, struct str wanted,
                           struct error *err)
{
    struct str there = {0}, here = {0}, key;

    while (wanted.len > 0) {
        here = next_journal_line(&wanted);
        there = next_journal_line(&found);
        if (!str_eq(here, there))
            break;
    }
    key = str_cut(&here, ':');
    if (!str_starts(there, key)) {
        error_set(err, ERROR_INPUT, "'%s' is not a journal of this job", path);
    } else {
        (void)str_cut(&there, ':');
        error_set(err, ERROR_INPUT,
                  "'%s' is the journal of another job: its %.*s was%.*s, not%.*s", path,
                  STR_ARG(key), STR_ARG(there), STR_ARG(here));
    }
    error_hint(err, "name another file, or remove this one to start anew");
    return false;
}

static bool read_records(struct contents *c, size_t header, size_t record_size,
                         struct journal_reader reader, struct error *err)
{
    size_t step = record_size + SUM_SIZE;
    /* In its own memory, so that a record is aligned as its struct must be. */
    char *record = arena_get(c->arena, 1, record_size, alignof(max_align_t), err);

    if (record == NULL)
        return false;
    c->good = header;
    for (size_t at = header; at + step <= c->text.len; at += step) {
        uint32_t sum;

        memcpy(record, c->text.at + at, record_size);
        memcpy(&sum, c->text.at + at + record_size, SUM_SIZE);
        if (sum == crc32c(0, record, record_size))
            reader.record(reader.ctx, record);
        c->good = at + step;
    }
    return true;
}

/* Check the header and hand over the records. */
static bool take_journal_records(const char *path, struct str header, size_t record_size,
                                 struct journal_reader reader, struct contents *c,
                                 struct error *err)
{
    size_t common = c->text.len < header.len ? c->text.len : header.len;

    if (common > 0 && memcmp(c->text.at, header.at, common) != 0)
        return refuse_journal(path, c->text, header, err);
    if (c->text.len < header.len) { /* it ended while the header was written */
        c->good = 0;
        return true;
    }
    return read_records(c, header.len, record_size, reader, err);
}

static bool lock_journal(int fd, const char *path, struct error *err)
{
    if (flock(fd, LOCK_EX | LOCK_NB) == 0)
        return true;
    if (errno != EWOULDBLOCK)
        return true; /* a file system without locks */
    return error_fail(err, ERROR_FAILED, "'%s' is in use by another process", path);
}

/* Cut off what is half-written, and begin with the header where there is nothing. */
static bool repair_file(int fd, const char *path, struct str header, size_t good,
                        struct error *err)
{
    if (ftruncate(fd, (off_t)good) != 0 || lseek(fd, 0, SEEK_END) < 0) {
        error_system(err, errno, "cannot write '%s'", path);
        return false;
    }
    if (good > 0 || fs_write_all(fd, header, err))
        return true;
    error_context(err, "%s", path);
    return false;
}

struct journal *journal_open(const char *path, struct str header, size_t record_size,
                             struct journal_reader reader, const struct alloc *alloc,
                             struct error *err)
{
    struct arena scratch = {.alloc = alloc, .block_size = ARENA_BLOCK_SIZE};
    struct journal *j = alloc->get(alloc->ctx, sizeof *j + record_size + SUM_SIZE);
    struct contents c = {.arena = &scratch};
    bool ok;

    if (j == NULL) {
        (void)error_memory(err);
        return NULL;
    }
    *j = (struct journal){.alloc = alloc, .record_size = record_size, .room = (char *)(j + 1)};
    (void)snprintf(j->name, sizeof j->name, "%s", path);
    (void)pthread_mutex_init(&j->adding, NULL);
    j->fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0600);
    if (j->fd < 0)
        error_system(err, errno, "cannot write '%s'", path);
    ok = j->fd >= 0 && lock_journal(j->fd, path, err) &&
         fs_read_from(j->fd, path, JOURNAL_MAX, &scratch, &c.text, err) &&
         take_journal_records(path, header, record_size, reader, &c, err) &&
         repair_file(j->fd, path, header, c.good, err);
    arena_free(&scratch);
    j->size = c.good > 0 ? c.good : header.len;
    if (ok)
        return j;
    journal_close(j);
    return NULL;
}

/* With the lock. What was written of a record that did not fit is cut off: records that came
 * after half of one would be read askew. */
static bool append_record(struct journal *j, struct error *err)
{
    size_t step = j->record_size + SUM_SIZE;

    if (j->failed)
        return error_fail(err, ERROR_FAILED, "nothing more can be recorded");
    if (fs_write_all(j->fd, (struct str){j->room, step}, err)) {
        j->size += step;
        return true;
    }
    j->failed = true;
    if (ftruncate(j->fd, (off_t)j->size) != 0)
        error_hint(err, "it may end in half a record, which is cut off when it is opened");
    return false;
}

bool journal_add(struct journal *journal, const void *record, struct error *err)
{
    uint32_t sum = crc32c(0, record, journal->record_size);
    bool ok;

    (void)pthread_mutex_lock(&journal->adding);
    memcpy(journal->room, record, journal->record_size);
    memcpy(journal->room + journal->record_size, &sum, SUM_SIZE);
    ok = append_record(journal, err);
    (void)pthread_mutex_unlock(&journal->adding);
    if (!ok)
        error_context(err, "%s", journal->name);
    return ok;
}

void journal_close(struct journal *journal)
{
    if (journal == NULL)
        return;
    if (journal->fd >= 0)
        (void)close(journal->fd);
    (void)pthread_mutex_destroy(&journal->adding);
    journal->alloc->put(journal->alloc->ctx, journal);
}

bool journal_read(const char *path, struct str header, size_t record_size,
                  struct journal_reader reader, const struct alloc *alloc, struct error *err)
{
    struct arena scratch = {.alloc = alloc, .block_size = ARENA_BLOCK_SIZE};
    struct contents c = {.arena = &scratch};
    bool ok = fs_read(path, JOURNAL_MAX, &scratch, &c.text, err) &&
              take_journal_records(path, header, record_size, reader, &c, err);

    arena_free(&scratch);
    return ok;
}
