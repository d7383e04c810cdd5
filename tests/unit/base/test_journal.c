#include "test.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/journal.h"

struct entry {
    uint64_t number;
    double value;
};

struct seen {
    size_t count;
    struct entry at[16];
};

static const char header[] = "program: 1\nwork: 48\nrecords:\n";
static char path[64];

static void see(void *ctx, const void *record)
{
    struct seen *seen = ctx;

    assert_true(seen->count < 16);
    memcpy(&seen->at[seen->count++], record, sizeof(struct entry));
}

static struct journal *open_it(const char *head, struct seen *seen, struct error *err)
{
    *seen = (struct seen){0};
    return journal_open(path, str_from(head), sizeof(struct entry),
                        (struct journal_reader){see, seen}, &alloc_system, err);
}

static void add(uint64_t from, uint64_t to)
{
    struct error err = {0};
    struct seen seen;
    struct journal *j = open_it(header, &seen, &err);

    assert_non_null(j);
    for (uint64_t i = from; i < to; i++) {
        struct entry e = {i, (double)i / 3};

        assert_true(journal_add(j, &e, &err));
    }
    journal_close(j);
}

static int fresh(void **state)
{
    int fd;

    (void)state;
    (void)snprintf(path, sizeof path, "/tmp/stint-journal-XXXXXX");
    fd = mkstemp(path);
    return fd < 0 || close(fd) != 0;
}

static int gone(void **state)
{
    (void)state;
    return unlink(path);
}

static struct str all(struct arena *arena)
{
    struct error err = {0};
    struct str text;

    assert_true(fs_read(path, 1 << 20, arena, &text, &err));
    return text;
}

static void test_added_records_are_read(void **state)
{
    struct error err = {0};
    struct seen seen;
    struct journal *j;

    (void)state;
    add(0, 3);
    add(3, 5);
    j = open_it(header, &seen, &err);
    assert_int_equal(seen.count, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(seen.at[i].number, i);
        assert_true(seen.at[i].value == (double)i / 3);
    }
    /* Two processes at once would overwrite each other. */
    assert_null(open_it(header, &seen, &err));
    assert_non_null(strstr(err.text, "in use"));
    journal_close(j);
}

/* Any length: as if the process had ended while it wrote. */
static void test_every_cut_is_repaired(void **state)
{
    struct arena arena = test_arena();
    struct str complete;

    (void)state;
    add(0, 4);
    complete = all(&arena);
    for (size_t len = 0; len <= complete.len; len++) {
        size_t records = len < strlen(header) ? 0 : (len - strlen(header)) / 20;
        struct error err = {0};
        struct seen seen;

        assert_true(fs_replace(path, (struct str){complete.at, len}, &err));
        add(10, 12);
        journal_close(open_it(header, &seen, &err));
        assert_int_equal(seen.count, records + 2);
        assert_int_equal(seen.at[records].number, 10);
        assert_int_equal(seen.at[records + 1].number, 11);
    }
    arena_free(&arena);
}

static void test_a_damaged_record_is_left_out(void **state)
{
    struct arena arena = test_arena();
    struct error err = {0};
    struct seen seen = {0};
    struct str text;
    char *copy;

    (void)state;
    add(0, 3);
    text = all(&arena);
    copy = str_dup(text, &arena, &err);
    copy[strlen(header) + 20 + 9] ^= 1; /* in the second one */
    assert_true(fs_replace(path, (struct str){copy, text.len}, &err));
    assert_true(journal_read(path, str_from(header), sizeof(struct entry),
                             (struct journal_reader){see, &seen}, &alloc_system, &err));
    assert_int_equal(seen.count, 2);
    assert_int_equal(seen.at[0].number, 0);
    assert_int_equal(seen.at[1].number, 2);
    arena_free(&arena);
}

static void test_other_work_is_refused(void **state)
{
    struct error err = {0};
    struct seen seen;

    (void)state;
    add(0, 3);
    assert_null(open_it("program: 1\nwork: 50\nrecords:\n", &seen, &err));
    assert_int_equal(err.kind, ERROR_INPUT);
    assert_non_null(strstr(err.text, "its work was 48, not 50"));
    assert_null(open_it("program: 2\nwork: 48\nrecords:\n", &seen, &err));
    assert_non_null(strstr(err.text, "its program was 1, not 2"));
    assert_int_equal(seen.count, 0);
    assert_true(fs_replace(path, STR("something else entirely, and not short of text"), &err));
    assert_null(open_it(header, &seen, &err));
    assert_non_null(strstr(err.text, "not a journal of this job"));
}

/* A limit on the size of files imitates a full disk: the fourth record does not fit. */
static void test_full_disk_keeps_complete_records(void **state)
{
    struct rlimit before, limit;
    struct error err = {0};
    struct entry e = {9, 9};
    struct arena arena = test_arena();
    struct seen seen;
    struct journal *j;

    (void)state;
    add(0, 3);
    assert_true(signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    j = open_it(header, &seen, &err);
    assert_non_null(j);
    limit = before;
    limit.rlim_cur = strlen(header) + 3 * 20 + 7;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    assert_false(journal_add(j, &e, &err));
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(all(&arena).len, strlen(header) + 3 * 20);
    /* There is room again, but the writer that got the error stops. */
    assert_false(journal_add(j, &e, &err));
    assert_non_null(strstr(err.text, "nothing more can be recorded"));
    journal_close(j);
    add(3, 4);
    journal_close(open_it(header, &seen, &err));
    assert_int_equal(seen.count, 4);
    assert_int_equal(seen.at[3].number, 3);
    arena_free(&arena);
}

enum { WRITERS = 4, EACH = 250 };

struct writer {
    struct journal *journal;
    uint64_t first;
};

static void *write_many(void *ctx)
{
    struct writer *w = ctx;

    for (uint64_t i = w->first; i < w->first + EACH; i++) {
        struct entry e = {i, (double)i / 3};
        struct error err = {0};

        if (!journal_add(w->journal, &e, &err))
            return w;
    }
    return NULL;
}

static void see_once(void *ctx, const void *record)
{
    struct entry e;
    unsigned char *times = ctx;

    memcpy(&e, record, sizeof e);
    assert_true(e.number < (uint64_t)WRITERS * EACH && e.value == (double)e.number / 3);
    times[e.number]++;
}

static void test_several_add_at_once(void **state)
{
    unsigned char times[WRITERS * EACH] = {0};
    struct writer writers[WRITERS];
    pthread_t threads[WRITERS];
    struct error err = {0};
    struct seen seen;
    struct journal *j = open_it(header, &seen, &err);

    (void)state;
    assert_non_null(j);
    for (size_t i = 0; i < WRITERS; i++) {
        writers[i] = (struct writer){j, i * EACH};
        assert_int_equal(pthread_create(&threads[i], NULL, write_many, &writers[i]), 0);
    }
    for (size_t i = 0; i < WRITERS; i++) {
        void *failed;

        assert_int_equal(pthread_join(threads[i], &failed), 0);
        assert_null(failed);
    }
    journal_close(j);
    assert_true(journal_read(path, str_from(header), sizeof(struct entry),
                             (struct journal_reader){see_once, times}, &alloc_system, &err));
    for (size_t i = 0; i < ARRAY_LEN(times); i++)
        assert_int_equal(times[i], 1);
}

static void test_memory_may_run_out(void **state)
{
    bool ok = false;

    (void)state;
    add(0, 3);
    for (size_t allow = 0; !ok; allow++) {
        struct failing_alloc failing = {.allow = allow};
        struct alloc alloc = {failing_get, failing_put, &failing};
        struct error err = {0};
        struct seen seen = {0};
        struct journal *j = journal_open(path, str_from(header), sizeof(struct entry),
                                         (struct journal_reader){see, &seen}, &alloc, &err);

        ok = j != NULL;
        assert_int_equal(err.kind, ok ? ERROR_NONE : ERROR_MEMORY);
        journal_close(j);
        assert_int_equal(failing.held, 0);
        assert_true(allow < 100);
    }
}

int group_journal(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_added_records_are_read, fresh, gone),
        cmocka_unit_test_setup_teardown(test_every_cut_is_repaired, fresh, gone),
        cmocka_unit_test_setup_teardown(test_a_damaged_record_is_left_out, fresh, gone),
        cmocka_unit_test_setup_teardown(test_other_work_is_refused, fresh, gone),
        cmocka_unit_test_setup_teardown(test_full_disk_keeps_complete_records, fresh, gone),
        cmocka_unit_test_setup_teardown(test_several_add_at_once, fresh, gone),
        cmocka_unit_test_setup_teardown(test_memory_may_run_out, fresh, gone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
