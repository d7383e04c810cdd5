/* When bytes arrived: a socket of this machine that is read late, and clocks that are set. */
#include "test.h"

#include <arpa/inet.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "net/stream_times.h"

#define MS INT64_C(1000000)
#define TRIES \
    200 /* to get a first stamp: the kernel begins to give them some time after it is asked */

static int64_t clock_now(void)
{
    return clock_system.now(clock_system.ctx).ns;
}

static void pause_ms(long ms)
{
    const struct timespec pause = {0, ms * MS};

    (void)nanosleep(&pause, NULL);
}

/* Two ends of a connection; the second has its times noted. */
static void connect_ends(int ends[static 2])
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    socklen_t len = sizeof at;

    assert_int_equal(bind(listener, (struct sockaddr *)&at, len), 0);
    assert_int_equal(listen(listener, 1), 0);
    assert_int_equal(getsockname(listener, (struct sockaddr *)&at, &len), 0);
    ends[1] = socket(AF_INET, SOCK_STREAM, 0);
    stream_times_ask(ends[1]);
    assert_int_equal(connect(ends[1], (struct sockaddr *)&at, sizeof at), 0);
    ends[0] = accept(listener, NULL, NULL);
    assert_true(ends[0] >= 0);
    (void)close(listener);
}

static void say(const int ends[static 2], const char *text)
{
    assert_int_equal(write(ends[0], text, strlen(text)), strlen(text));
}

static void read_all(const int ends[static 2])
{
    char room[STREAM_TIMES_BYTES];

    assert_true(read(ends[1], room, sizeof room) > 0);
}

/* A kernel that gives no times is no failure: clocks are read there. */
static void wait_for_stamps(struct stream_times *t, const int ends[static 2])
{
    for (int i = 0; i < TRIES && t->count == 0; i++) {
        say(ends, "x");
        stream_times_wake(t);
        stream_times_look(t, ends[1]);
        read_all(ends);
        pause_ms(1);
    }
    if (t->count == 0)
        test_skip("this kernel gives no times of arrival");
    stream_times_forget(t);
}

/* Read long after they came, pieces have the moments when they came. */
static void pieces_have_the_moment_of_their_arrival(void **state)
{
    static const char one[] = "5\r\ndata: {\"a\":1}\n\n\r\n",
                      two[] = "5\r\ndata: {\"b\":2}\n\n\r\n";
    struct stream_times t = {0};
    int64_t before, between, after;
    struct net_moment when;
    int ends[2];

    (void)state;
    connect_ends(ends);
    wait_for_stamps(&t, ends);
    before = clock_now();
    say(ends, one);
    between = clock_now();
    pause_ms(3);
    say(ends, two);
    after = clock_now();
    pause_ms(20);
    stream_times_wake(&t);
    stream_times_look(&t, ends[1]);
    assert_int_equal(t.len, sizeof one + sizeof two - 2);

    assert_int_equal(stream_times_of(&t, STR("data: {\"a\":1}\n\n"), before, &when), 15);
    assert_true(when.by_kernel);
    assert_true(when.ns >= before);
    if (t.count == 1) /* the kernel has joined them: both have the moment of the last */
        assert_true(when.ns <= after + MS / 10);
    else
        assert_true(when.ns <= between + MS / 10);
    assert_int_equal(stream_times_of(&t, STR("data: {\"b\":2}\n\n"), when.ns, &when), 15);
    assert_true(when.by_kernel);
    assert_true(when.ns >= between && when.ns <= after + MS / 10);
    when = stream_times_last(&t, when.ns);
    assert_true(when.by_kernel);
    assert_true(when.ns <= after + MS / 10);
    (void)close(ends[0]);
    (void)close(ends[1]);
}

/* Two segments, by hand. */
static struct stream_times two_segments(int64_t now)
{
    struct stream_times t = {.offset = -5, .at = 1, .known = true};
    static const char text[] = "HTTP/1.1 200\r\n\r\n{1}\n{2}\n";

    memcpy(t.bytes, text, sizeof text - 1);
    t.len = sizeof text - 1;
    t.marks[0].end = 20;
    t.marks[0].ns = now - 9 * MS;
    t.marks[1].end = t.len;
    t.marks[1].ns = now - 3 * MS;
    t.count = 2;
    return t;
}

static void what_spans_segments_is_divided(void **state)
{
    int64_t now = clock_now(), floor = now - 10 * MS;
    struct stream_times t = two_segments(now);
    struct net_moment when;

    (void)state;
    assert_int_equal(stream_times_of(&t, STR("{1}\n{2}\nmore"), floor, &when), 4);
    assert_int_equal(when.ns, now - 9 * MS);
    assert_int_equal(stream_times_of(&t, STR("{2}\nmore"), when.ns, &when), 4);
    assert_int_equal(when.ns, now - 3 * MS);
    assert_true(when.by_kernel);
    /* It came after the look. */
    assert_int_equal(stream_times_of(&t, STR("more"), when.ns, &when), 4);
    assert_false(when.by_kernel);
    assert_true(when.ns >= now);
}

static void a_moment_that_cannot_be_is_not_believed(void **state)
{
    int64_t now = clock_now();
    struct stream_times t = two_segments(now);
    struct net_moment when;

    (void)state;
    /* Before the request was sent. */
    (void)stream_times_of(&t, STR("{1}\n"), now - 8 * MS, &when);
    assert_false(when.by_kernel);
    assert_true(when.ns >= now);
    /* Still to come. */
    t = two_segments(now + 3600 * SECOND);
    (void)stream_times_of(&t, STR("{1}\n"), now - 8 * MS, &when);
    assert_false(when.by_kernel);
    /* Two clocks differ by a little. */
    t = two_segments(now);
    (void)stream_times_of(&t, STR("{1}\n"), now - 9 * MS + 10000, &when);
    assert_true(when.by_kernel);
    assert_int_equal(when.ns, now - 9 * MS + 10000);
}

static void a_clock_that_is_set_is_noticed(void **state)
{
    struct stream_times t = {0};

    (void)state;
    stream_times_compare(&t, 1000 * SECOND, 5 * SECOND);
    assert_true(t.known);
    assert_int_equal(t.offset, -995 * SECOND);
    /* Steered: 100 ppm. */
    stream_times_compare(&t, 1010 * SECOND + MS, 15 * SECOND);
    assert_true(t.known);
    /* Set back by 5 ms; from then on the new comparison counts. */
    stream_times_compare(&t, 1011 * SECOND - 4 * MS, 16 * SECOND);
    assert_false(t.known);
    stream_times_compare(&t, 1012 * SECOND - 4 * MS, 17 * SECOND);
    assert_true(t.known);
    assert_int_equal(t.offset, -995 * SECOND + 4 * MS);
}

static void encrypted_pieces_have_the_moment_of_the_last_segment(void **state)
{
    int64_t now = clock_now();
    struct stream_times t = two_segments(now);
    struct net_moment when;

    (void)state;
    t.sealed = true;
    assert_int_equal(stream_times_of(&t, STR("anything"), now - 10 * MS, &when), 8);
    assert_int_equal(when.ns, now - 3 * MS);
    assert_true(when.by_kernel);
    stream_times_forget(&t);
    assert_int_equal(stream_times_of(&t, STR("anything"), now - 10 * MS, &when), 8);
    assert_false(when.by_kernel);
}

int group_stream_times(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_have_the_moment_of_their_arrival),
        cmocka_unit_test(what_spans_segments_is_divided),
        cmocka_unit_test(a_moment_that_cannot_be_is_not_believed),
        cmocka_unit_test(a_clock_that_is_set_is_noticed),
        cmocka_unit_test(encrypted_pieces_have_the_moment_of_the_last_segment),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
