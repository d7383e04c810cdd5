/* server SCRIPT LOG - a web server on this machine that follows a script, also with faults that
 * real servers rarely have. It prints its port, and answers one request after the other.
 *
 *     server SCRIPT LOG      stays until its standard input ends
 *     server -b SCRIPT LOG   goes on in the background when it has printed the port
 *
 * Both end after 30 seconds without a request, or at "GET /quit".
 *
 * A script is a list of rules; the first that matches answers. Blank lines and lines that start
 * with '#' say nothing. A rule is a line "METHOD PATH[?QUERY] STATUS", followed by indented
 * lines:
 *
 *     GET /api/prices?page=2&-token 200
 *         header ETag: "abc"      say this
 *         when If-None-Match: *x* only for requests with such a header ("when-not": without)
 *         ask *"bid"*             only for requests with such a body
 *         body {"a":1}\n          answer this; \n is a newline; several lines are put together
 *         file PATH               answer what is in the file (from the script's folder)
 *         times 2                 match so often, then never again
 *         delay 50                wait (ms) before answering
 *         cut 10                  close the connection after so many bytes of the body
 *         dribble 20              a byte, then wait (ms), and so on
 *         length 99               claim this Content-Length
 *         wide 20000000           a header line of so many bytes comes first
 *         many 1000               so many short headers come first
 *         gzip                    pack the body
 *         endless                 repeat the body until the client leaves
 *         garbage                 the body alone, no HTTP
 *         nevertheless            the forge does what is asked, and the answer is lost
 *
 * QUERY lists parameters that must be there ("name=PATTERN", decoded) or must not ("-name").
 * '*' and '?' in patterns are as in the shell; PATH is a pattern too. In headers and bodies,
 * {port} is ours.
 *
 * A line "FORGE github 250" (or gitlab) makes it a forge as well (comments.c): requests that no
 * rule answers are about the comments of one pull request, on which others wrote so many. "GET
 * /comments" lists them.
 *
 * The log has, for each request, a line "METHOD TARGET -> STATUS" as it came, then indented
 * lines with the headers that matter and the body.
 */
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "comments.h"
#include "script.h"

#define IDLE 30000   /* ms */
#define MAX_LIFE 600 /* seconds, whatever happens */

static FILE *log_file;

static void log_request(const struct request *req, int status)
{
    static const char *const chosen[] = {
        "Host",          "User-Agent",        "Accept-Encoding",
        "If-None-Match", "If-Modified-Since", "Authorization",
        "Content-Type",  "Private-Token",     "X-"};
    const char *line = strstr(req->text, "\r\n");

    (void)fprintf(log_file, "%s %s -> %d\n", req->method, req->target, status);
    while (line != NULL && line + 2 < req->head_end) {
        const char *end = strstr(line + 2, "\r\n");

        line += 2;
        for (size_t i = 0; i < sizeof chosen / sizeof chosen[0]; i++)
            if (strncasecmp(line, chosen[i], strlen(chosen[i])) == 0)
                (void)fprintf(log_file, "    %.*s\n", (int)(end - line), line);
        line = end;
    }
    if (req->body[0] != '\0')
        (void)fprintf(log_file, "    body: %s\n", req->body);
    (void)fflush(log_file);
}

static bool send_all(int to, const char *at, size_t len)
{
    while (len > 0) {
        ssize_t put = send(to, at, len, MSG_NOSIGNAL);

        if (put <= 0)
            return false;
        at += put;
        len -= (size_t)put;
    }
    return true;
}

static void pause_ms(long ms)
{
    const struct timespec nap = {ms / 1000, ms % 1000 * 1000000};

    (void)nanosleep(&nap, NULL);
}

static void send_body(int to, const struct rule *rule)
{
    size_t len = rule->cut >= 0 && (size_t)rule->cut < rule->body_len ? (size_t)rule->cut
                                                                      : rule->body_len;

    if (rule->dribble > 0) {
        for (size_t i = 0; i < len && send_all(to, rule->body + i, 1); i++)
            pause_ms(rule->dribble);
        return;
    }
    while (send_all(to, rule->body, len) && rule->endless && len > 0)
        continue;
}

/* Useless headers: one long line, and many short ones. */
static bool send_filling(int to, const struct rule *rule)
{
    static const char line[] = "X-Filling: 0123456789012345678901234567890123456789\r\n";
    char block[4096];
    long left = rule->wide;

    memset(block, 'x', sizeof block);
    if (left > 0 && !send_all(to, "X-Wide: ", 8))
        return false;
    for (; left > 0; left -= (long)sizeof block)
        if (!send_all(to, block, left < (long)sizeof block ? (size_t)left : sizeof block))
            return false;
    if (rule->wide > 0 && !send_all(to, "\r\n", 2))
        return false;
    for (long i = 0; i < rule->many; i++)
        if (!send_all(to, line, sizeof line - 1))
            return false;
    return true;
}

static void answer(int to, const struct rule *rule)
{
    char head[4096];
    int status, len;

    if (rule->delay > 0)
        pause_ms(rule->delay);
    status = snprintf(head, sizeof head, "HTTP/1.1 %d Scripted\r\n", rule->status);
    if (!rule->garbage && !send_all(to, head, (size_t)status))
        return;
    len = status + snprintf(head + status, sizeof head - (size_t)status,
                            "Connection: close\r\n%s", rule->headers);
    if (rule->length >= 0 || (!rule->endless && rule->status != 304))
        len += snprintf(head + len, sizeof head - (size_t)len, "Content-Length: %zu\r\n",
                        rule->length >= 0 ? (size_t)rule->length : rule->body_len);
    len += snprintf(head + len, sizeof head - (size_t)len, "\r\n");
    if (rule->garbage ||
        (send_filling(to, rule) && send_all(to, head + status, (size_t)(len - status))))
        send_body(to, rule);
}

/* All of the request: its head, and as much body as it says. */
static bool read_request(int from, struct request *req)
{
    const char *length;
    size_t wanted = 0;

    req->len = 0;
    req->head_end = NULL;
    for (;;) {
        ssize_t got;

        if (req->head_end != NULL && req->len >= wanted)
            break;
        got = recv(from, req->text + req->len, REQUEST - req->len, 0);
        if (got <= 0)
            return false;
        req->len += (size_t)got;
        req->text[req->len] = '\0';
        if (req->head_end != NULL)
            continue;
        req->head_end = strstr(req->text, "\r\n\r\n");
        if (req->head_end == NULL)
            continue;
        req->body = req->head_end + 4;
        length = strcasestr(req->text, "\r\nContent-Length:");
        wanted = (size_t)(req->body - req->text);
        if (length != NULL && length < req->head_end)
            wanted += strtoul(length + 17, NULL, 10);
    }
    return sscanf(req->text, "%7s %8191s", req->method, req->target) == 2;
}

/* False when it was asked to end. */
static bool serve(int connection, unsigned port)
{
    static struct request req;
    const struct rule none = {.status = 404, .cut = -1, .length = -1};
    const struct rule *rule;
    struct rule of_forge;

    if (!read_request(connection, &req))
        return true;
    if (strcmp(req.target, "/quit") == 0)
        return false;
    rule = find_rule(&req);
    if ((rule == NULL || rule->nevertheless) && forge_answer(&req, port, &of_forge) &&
        rule == NULL)
        rule = &of_forge;
    log_request(&req, rule == NULL ? none.status : rule->status);
    answer(connection, rule == NULL ? &none : rule);
    return true;
}

static int start_listening(unsigned *port)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof at;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (listener < 0 || bind(listener, (struct sockaddr *)&at, sizeof at) != 0 ||
        listen(listener, 64) != 0 || getsockname(listener, (struct sockaddr *)&at, &len) != 0)
        fail("cannot listen:", strerror(errno));
    *port = ntohs(at.sin_port);
    return listener;
}

static void go_to_background(void)
{
    pid_t child = fork();

    if (child < 0)
        fail("cannot fork:", strerror(errno));
    if (child > 0)
        _exit(0);
    (void)setsid();
    if (freopen("/dev/null", "r", stdin) == NULL || freopen("/dev/null", "w", stdout) == NULL ||
        freopen("/dev/null", "w", stderr) == NULL)
        _exit(1);
}

int main(int argc, char **argv)
{
    bool background = argc == 4 && strcmp(argv[1], "-b") == 0;
    struct pollfd waits[2] = {{.events = POLLIN}, {.fd = 0, .events = POLLIN}};
    bool going = true;
    unsigned port;

    if (argc != 3 + (background ? 1 : 0)) {
        (void)fprintf(stderr, "usage: server [-b] SCRIPT LOG\n");
        return 2;
    }
    (void)alarm(MAX_LIFE);
    waits[0].fd = start_listening(&port);
    read_script(argv[argc - 2], port);
    log_file = fopen(argv[argc - 1], "w");
    if (log_file == NULL)
        fail("cannot write", argv[argc - 1]);
    (void)printf("%u\n", port);
    (void)fflush(stdout);
    if (background)
        go_to_background();
    while (going && poll(waits, background ? 1 : 2, IDLE) > 0) {
        int connection;

        if (waits[0].revents == 0)
            break; /* standard input ended */
        connection = accept(waits[0].fd, NULL, NULL);
        if (connection < 0)
            continue;
        going = serve(connection, port);
        (void)close(connection);
    }
    return 0;
}
