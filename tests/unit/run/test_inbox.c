/* What programs report through a socket or a file. */
#include "test.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "run/supervise/inbox.h"

struct heard {
    int lines, of_file, refused, stops, listens, asked;
    char last[INBOX_LINE + 1];
};

static void refuse(void *ctx, bool of_file, const char *why)
{
    struct heard *heard = ctx;

    heard->refused++;
    heard->of_file += of_file;
    assert_true(strstr(why, "4096") != NULL || strstr(why, "no such request") != NULL);
}

static void stop(void *ctx)
{
    ((struct heard *)ctx)->stops++;
}

static void listens(void *ctx)
{
    ((struct heard *)ctx)->listens++;
}

static bool ask(void *ctx, struct str line, struct buf *answer)
{
    ((struct heard *)ctx)->asked++;
    if (!str_ends(line, STR("\"status\"}")))
        return false;
    buf_adds(answer, "{\"cost\":null}");
    return true;
}

static void hear(void *ctx, struct str line, bool of_file)
{
    struct heard *heard = ctx;

    heard->lines++;
    heard->of_file += of_file;
    memcpy(heard->last, line.at, line.len);
    heard->last[line.len] = '\0';
}

static struct inbox *open_inbox(struct heard *heard, const char *file)
{
    struct inbox_options options = {.id = "0193-test",
                                    .file = file,
                                    .line = hear,
                                    .refused = refuse,
                                    .stop = stop,
                                    .listens = listens,
                                    .ask = ask,
                                    .ctx = heard};
    struct error err;
    struct inbox *inbox = inbox_open(&options, &alloc_system, &err);

    assert_non_null(inbox);
    return inbox;
}

static int join(const struct inbox *inbox)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    assert_non_null(inbox_path(inbox));
    (void)snprintf(address.sun_path, sizeof address.sun_path, "%s", inbox_path(inbox));
    assert_int_equal(connect(fd, (const struct sockaddr *)&address, sizeof address), 0);
    return fd;
}

static void send_text(int fd, const char *text)
{
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
}

static void settle(struct inbox *inbox)
{
    for (int i = 0; i < 8; i++)
        inbox_ready(inbox);
}

static void lines_are_joined_however_they_are_split(void **state)
{
    struct heard heard = {0};
    struct inbox *inbox = open_inbox(&heard, NULL);
    int fd = join(inbox);

    (void)state;
    send_text(fd, "{\"step\"");
    settle(inbox);
    assert_int_equal(heard.lines, 0);
    send_text(fd, ":1}\n\n{\"step\":2}\n{\"st");
    settle(inbox);
    assert_int_equal(heard.lines, 2);
    assert_string_equal(heard.last, "{\"step\":2}");
    send_text(fd, "ep\":3}");
    (void)close(fd); /* the last line needs no end */
    settle(inbox);
    assert_string_equal(heard.last, "{\"step\":3}");
    inbox_close(inbox);
}

static void endless_line_is_dropped_and_the_next_is_read(void **state)
{
    struct heard heard = {0};
    struct inbox *inbox = open_inbox(&heard, NULL);
    int fd = join(inbox);
    char long_line[3000];

    (void)state;
    memset(long_line, 'x', sizeof long_line - 1);
    long_line[sizeof long_line - 1] = '\0';
    send_text(fd, long_line);
    send_text(fd, long_line);
    settle(inbox);
    send_text(fd, "\nshort\n");
    settle(inbox);
    assert_int_equal(heard.lines, 1);
    assert_int_equal(heard.refused, 1);
    assert_int_equal(heard.of_file, 0);
    assert_string_equal(heard.last, "short");
    (void)close(fd);
    inbox_close(inbox);
}

static void too_many_clients_are_refused_without_effect(void **state)
{
    struct heard heard = {0};
    struct inbox *inbox = open_inbox(&heard, NULL);
    int fds[INBOX_CLIENTS + 4];

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(fds); i++) {
        fds[i] = join(inbox);
        settle(inbox);
    }
    send_text(fds[0], "first\n");
    settle(inbox);
    assert_string_equal(heard.last, "first");
    for (size_t i = 0; i < ARRAY_LEN(fds); i++)
        (void)close(fds[i]);
    for (int i = 0; i < 20; i++)
        settle(inbox);
    fds[0] = join(inbox); /* their places are free again */
    send_text(fds[0], "again\n");
    settle(inbox);
    assert_string_equal(heard.last, "again");
    (void)close(fds[0]);
    inbox_close(inbox);
}

static void a_file_is_followed_from_where_it_ends(void **state)
{
    char path[] = "/tmp/stint-inbox-XXXXXX";
    int fd = mkstemp(path);
    struct heard heard = {0};
    struct inbox *inbox;

    (void)state;
    send_text(fd, "of another run\n");
    inbox = open_inbox(&heard, path);
    inbox_look(inbox);
    assert_int_equal(heard.lines, 0);
    send_text(fd, "{\"step\":1}\n{\"st");
    inbox_look(inbox);
    assert_int_equal(heard.lines, 1);
    send_text(fd, "ep\":2}\n");
    inbox_look(inbox);
    assert_string_equal(heard.last, "{\"step\":2}");
    assert_int_equal(ftruncate(fd, 0), 0); /* begun again */
    assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
    send_text(fd, "new\n");
    inbox_look(inbox);
    assert_string_equal(heard.last, "new");
    inbox_close(inbox);
    (void)close(fd);
    (void)unlink(path);
}

static void a_file_that_comes_later_is_read_from_its_start(void **state)
{
    char path[] = "/tmp/stint-inbox-XXXXXX";
    int fd = mkstemp(path);
    struct heard heard = {0};
    struct inbox *inbox;

    (void)state;
    (void)close(fd);
    (void)unlink(path);
    inbox = open_inbox(&heard, path);
    inbox_look(inbox);
    fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    assert_false(inbox_has_file(inbox));
    send_text(fd, "{\"stint\": \"stop\"}\nfirst\n"); /* a file cannot request a stop */
    inbox_look(inbox);
    assert_true(inbox_has_file(inbox));
    assert_string_equal(heard.last, "first");
    assert_int_equal(heard.of_file, 2);
    assert_int_equal(heard.stops, 0);
    inbox_close(inbox);
    (void)close(fd);
    (void)unlink(path);
}

static void another_process_may_ask_for_the_end(void **state)
{
    struct heard heard = {0};
    struct inbox *inbox = open_inbox(&heard, NULL);
    struct error err;
    int fd = join(inbox);

    (void)state;
    assert_false(inbox_ask_stop(STR("0193-other"), &err));
    assert_int_equal(err.kind, ERROR_ABSENT);
    assert_true(inbox_ask_stop(STR("0193-test"), &err));
    settle(inbox);
    assert_int_equal(heard.stops, 1);
    send_text(fd, " { \"stint\" : \"stop\" } \r\n{\"stint\":\"stop\",\"step\":1}\n");
    settle(inbox);
    assert_int_equal(heard.stops, 2);
    assert_int_equal(heard.lines, 0);
    assert_int_equal(heard.refused, 1);
    (void)close(fd);
    inbox_close(inbox);
    assert_false(inbox_ask_stop(STR("0193-test"), &err));
}

static void who_listens_is_told(void **state)
{
    struct heard heard = {0};
    struct inbox *inbox = open_inbox(&heard, NULL);
    int quiet = join(inbox), listener = join(inbox);
    char text[100];

    (void)state;
    inbox_tell(inbox, STR("nobody listens"));
    send_text(listener, "{\"stint\": \"listen\"}\n{\"stint\": \"listen\"}\n");
    send_text(quiet, "{\"stint\":\"listening\"}\n{\"stint\":\"liste\"}\n");
    settle(inbox);
    assert_int_equal(heard.listens, 1);
    assert_int_equal(heard.lines, 0);
    assert_int_equal(heard.asked, 2); /* what there is no answer to is refused */
    assert_int_equal(heard.refused, 2);
    assert_int_equal(inbox_listeners(inbox), 1);
    inbox_tell(inbox, STR("one"));
    inbox_tell(inbox, STR("two"));
    assert_int_equal(read(listener, text, sizeof text), 8);
    assert_memory_equal(text, "one\ntwo\n", 8);
    assert_int_equal(recv(quiet, text, sizeof text, MSG_DONTWAIT), 40);
    assert_memory_equal(text, "{\"stint\":\"refused\"}\n", 20);
    (void)close(listener);
    settle(inbox);
    assert_int_equal(inbox_listeners(inbox), 0);
    assert_int_equal(inbox_listeners(NULL), 0);
    (void)close(quiet);
    inbox_close(inbox);
}

static void who_asks_is_answered_and_no_other(void **state)
{
    struct heard heard = {0};
    struct inbox *inbox = open_inbox(&heard, NULL);
    int other = join(inbox), asks = join(inbox);
    char text[100];

    (void)state;
    send_text(other, "{\"stin\": 3}\n{\"step\": 1}\n");
    send_text(asks, "{ \"stint\" : \"status\"}\n");
    settle(inbox);
    assert_int_equal(heard.asked, 1);
    assert_int_equal(heard.lines, 2);
    assert_int_equal(read(asks, text, sizeof text), 14);
    assert_memory_equal(text, "{\"cost\":null}\n", 14);
    assert_int_equal(recv(other, text, sizeof text, MSG_DONTWAIT), -1);
    (void)close(other);
    (void)close(asks);
    settle(inbox);
    inbox_close(inbox);
}

static void one_that_listens_and_does_not_read_is_disconnected(void **state)
{
    struct heard heard = {0};
    struct inbox *inbox = open_inbox(&heard, NULL);
    int fd = join(inbox);
    char text[2000];
    int sent = 0;

    (void)state;
    memset(text, 'x', sizeof text);
    send_text(fd, "{\"stint\":\"listen\"}\n");
    settle(inbox);
    for (; inbox_listeners(inbox) > 0 && sent < 100000; sent++)
        inbox_tell(inbox, (struct str){text, sizeof text});
    assert_in_range(sent, 2, 99999);
    inbox_tell(inbox, (struct str){text, sizeof text});
    (void)close(fd);
    inbox_close(inbox);
}

int group_inbox(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_joined_however_they_are_split),
        cmocka_unit_test(endless_line_is_dropped_and_the_next_is_read),
        cmocka_unit_test(too_many_clients_are_refused_without_effect),
        cmocka_unit_test(a_file_is_followed_from_where_it_ends),
        cmocka_unit_test(a_file_that_comes_later_is_read_from_its_start),
        cmocka_unit_test(another_process_may_ask_for_the_end),
        cmocka_unit_test(who_listens_is_told),
        cmocka_unit_test(who_asks_is_answered_and_no_other),
        cmocka_unit_test(one_that_listens_and_does_not_read_is_disconnected),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
