#include "test.h"

#include <stdio.h>
#include <string.h>
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

static bool see(void *ctx, const void *record)
{
    struct seen *seen = ctx;

    assert_true(seen->count < 16);
    memcpy(&seen->at[seen->count++], record, sizeof(struct entry));
    return true;
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

static void test_what_was_added_is_there(void **state)
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
    /* Two at once would write over each other's heads. */
    assert_null(open_it(header, &seen, &err));
    assert_non_null(strstr(err.text, "in use"));
    journal_close(j);
}

/* Whatever its length: as if the process had ended while it wrote. */
static void test_every_cut_is_mended(void **state)
{
    struct arena arena = test_arena();
    struct str whole;

    (void)state;
    add(0, 4);
    whole = all(&arena);
    for (size_t len = 0; len <= whole.len; len++) {
        size_t records = len < strlen(header) ? 0 : (len - strlen(header)) / 20;
        struct error err = {0};
        struct seen seen;

        assert_true(fs_replace(path, (struct str){whole.at, len}, &err));
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
    assert_non_null(strstr(err.text, "no journal of this work"));
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_what_was_added_is_there, fresh, gone),
        cmocka_unit_test_setup_teardown(test_every_cut_is_mended, fresh, gone),
        cmocka_unit_test_setup_teardown(test_a_damaged_record_is_left_out, fresh, gone),
        cmocka_unit_test_setup_teardown(test_other_work_is_refused, fresh, gone),
        cmocka_unit_test_setup_teardown(test_memory_may_run_out, fresh, gone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
