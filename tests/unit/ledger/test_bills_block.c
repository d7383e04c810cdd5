/* A block returns every line that was put into it; a damaged one is refused. */
#include "test.h"

#include <stdlib.h>

#include "base/crc.h"
#include "ledger/bills_internal.h"

#define LINES 5000
#define THINGS 700

static struct arena arena = {.alloc = &alloc_system};
static struct record records[LINES];
static struct str things[THINGS];
static int64_t groups[THINGS];
static struct buf texts;

static uint32_t dice(void)
{
    static uint32_t seed = 11;

    seed = seed * 1664525 + 1013904223;
    return seed >> 8;
}

static wide some_coefficient(void)
{
    switch (dice() % 6) {
    case 0:
        return 0;
    case 1:
        return -(wide)dice();
    case 2: {
        wide large = (wide)1 << 126; /* the largest that there is, and the smallest */

        return dice() % 2 == 0 ? large - 1 + large : -large - large;
    }
    default:
        return (wide)dice() * dice();
    }
}

static void make_things(void)
{
    size_t starts[THINGS + 1];
    char room[64];

    texts = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    for (int n = 0; n < THINGS; n++) {
        starts[n] = texts.len;
        if (n % 3 != 0)
            block_add_text(&texts, FOCUS_AvailabilityZone, n % 3 == 1 ? STR("a") : STR("b"));
        block_add_text(&texts, FOCUS_BillingAccountId, STR("always the same"));
        (void)snprintf(room, sizeof room, "r-%d", n); /* more than a byte can count */
        block_add_text(&texts, FOCUS_ResourceId, str_from(room));
        if (n == 5)
            block_add_text(&texts, FOCUS_Tags, STR("caf\xc3\xa9 \xff."));
        groups[n] = n % 7 == 0 ? INT64_MAX - n : n;
    }
    starts[THINGS] = texts.len;
    for (int n = 0; n < THINGS; n++)
        things[n] = (struct str){texts.at + starts[n], starts[n + 1] - starts[n]};
}

static void make_records(bool by_hour)
{
    for (int n = 0; n < LINES; n++) {
        struct record *r = &records[n];

        *r = (struct record){.thing = dice() % THINGS};
        r->start = by_hour ? 1790000 * (int64_t)3600 + dice() % 700 * 3600 : (int64_t)dice();
        r->end = r->start + (by_hour ? 3600 : dice() % 100000);
        for (int k = 0; k < BILL_NUMBERS; k++)
            if (k < 2 || dice() % 4 != 0)
                record_set(r, k,
                           dice() % 3 == 0 ? amounts_get(&r->amounts, 0)
                                           : (struct decimal){some_coefficient(),
                                                              (int)(dice() % 121) - 60});
        record_finish(r);
        memset(&r->amounts.coefficient[BILL_LIST], 0, 2 * sizeof(wide)); /* sums must fit */
        r->amounts.coefficient[0] = r->amounts.coefficient[1] = dice();
        memset(r->amounts.scale, 3, sizeof r->amounts.scale);
        if ((r->known >> BILL_LIST & 1) == 0)
            r->amounts.coefficient[BILL_LIST] = r->amounts.coefficient[0];
        if ((r->known >> BILL_CONTRACTED & 1) == 0)
            r->amounts.coefficient[BILL_CONTRACTED] = r->amounts.coefficient[0];
    }
}

static void assert_same_line(const struct record *a, const struct record *b)
{
    assert_int_equal(a->start, b->start);
    assert_int_equal(a->end, b->end);
    assert_int_equal(a->known, b->known);
    for (int k = 0; k < BILL_NUMBERS; k++) {
        struct decimal one, other;

        if (!record_number(a, k, &one))
            continue;
        assert_true(record_number(b, k, &other));
        assert_true(one.coefficient == other.coefficient);
        assert_int_equal(one.scale, other.scale);
    }
    assert_true(a->amounts.coefficient[BILL_LIST] == b->amounts.coefficient[BILL_LIST]);
}

static void assert_same_words(const struct bill_line *got, uint32_t thing)
{
    char room[64];

    (void)snprintf(room, sizeof room, "r-%u", thing);
    assert_str_equal(got->of[FOCUS_ResourceId], room);
    assert_str_equal(got->of[FOCUS_BillingAccountId], "always the same");
    assert_str_equal(got->of[FOCUS_AvailabilityZone], thing % 3 == 0   ? ""
                                                      : thing % 3 == 1 ? "a"
                                                                       : "b");
    assert_str_equal(got->of[FOCUS_Tags], thing == 5 ? "caf\xc3\xa9 \xef\xbf\xbd." : "");
}

static void check(bool by_hour, const uint32_t *order, size_t count)
{
    struct error err = {0};
    struct block_writer *w = block_writer_make(&alloc_system, &err);
    struct block_lines of = {records, order, count, things, groups, THINGS};
    struct block b;
    int64_t *read;

    make_records(by_hour);
    assert_non_null(w);
    if (!block_write(w, &of, &err) || !block_read(buf_text(&w->content), &arena, &b, &err))
        fail_msg("%s", err.text);
    assert_int_equal(b.count, count);
    read = arena_array(&arena, int64_t, b.thing_count + 1, &err);
    assert_true(block_read_groups(buf_text(&w->groups), b.thing_count, read, &err));
    assert_false(block_read_groups(buf_text(&w->groups), b.thing_count + 1, read, &err));
    for (size_t n = 0; n < count; n++) {
        const struct record *r = &records[order != NULL ? order[n] : n];
        struct bill_line line = {0};

        assert_same_line(r, &b.lines[n]);
        block_thing(&b, b.lines[n].thing, &line);
        assert_same_words(&line, r->thing);
        assert_int_equal(read[b.lines[n].thing], groups[r->thing]);
    }
    block_writer_free(w);
    arena_free(&arena);
}

static void lines_are_read_back(void **state)
{
    static uint32_t backwards[LINES];

    (void)state;
    make_things();
    for (uint32_t n = 0; n < LINES; n++)
        backwards[n] = LINES - 1 - n;
    check(true, NULL, LINES);
    check(false, NULL, LINES);
    check(true, backwards, LINES / 2);
    check(true, NULL, 1);
    buf_free(&texts);
}

static uint32_t crc_of(const struct buf *content)
{
    return crc32c(0, content->at + 5, content->len - 5);
}

/* Also with a correct checksum, as in a ledger that was changed on purpose. */
static void damage_is_refused(void **state)
{
    struct error err = {0};
    struct block_writer *w = block_writer_make(&alloc_system, &err);
    struct block_lines of = {records, NULL, 200, things, groups, THINGS};
    struct buf copy = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct block b;

    (void)state;
    make_things();
    make_records(true);
    assert_true(block_write(w, &of, &err));
    for (size_t n = 0; n < w->content.len; n += 7) {
        buf_clear(&copy);
        buf_add(&copy, buf_text(&w->content));
        copy.at[n] ^= 16;
        assert_false(block_read(buf_text(&copy), &arena, &b, &err));
        assert_int_equal(err.kind, ERROR_DAMAGED);
        arena_free(&arena);
    }
    for (int n = 0; n < 3000; n++) {
        uint32_t crc;

        buf_clear(&copy);
        buf_add(&copy, buf_text(&w->content));
        copy.at[5 + dice() % (copy.len - 5)] = (char)dice();
        crc = crc_of(&copy);
        for (int k = 0; k < 4; k++)
            copy.at[1 + k] = (char)(crc >> 8 * k & 255);
        (void)!block_read(buf_text(&copy), &arena, &b, &err); /* ASan checks the reads */
        arena_free(&arena);
    }
    copy.at[0] = 2;
    assert_false(block_read(buf_text(&copy), &arena, &b, &err));
    assert_non_null(strstr(err.text, "newer version"));
    assert_false(block_read((struct str){0}, &arena, &b, &err));
    block_writer_free(w);
    buf_free(&copy);
    buf_free(&texts);
}

int group_bills_block(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_read_back),
        cmocka_unit_test(damage_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
