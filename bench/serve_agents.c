/* Many agents that send to one server: SIMULATED, all in this process and its one thread, but
 * with real records, each on a connection of its own, each posting one sample a second at its
 * own moment, as `stint run --to` does.
 *
 * bench_serve_agents PORT TOKEN AGENTS SECONDS: prints "posts N answered N samples N failed N
 * p50_ms X p99_ms X most_ms X". Every post that is not answered with 200 is sent again, as an
 * agent would, and counted as failed. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "ledger/runs/run_journal.h"

#define SECOND_NS INT64_C(1000000000)
#define ANSWER 8192
#define LATENCIES 1000000

struct agent {
    struct ledger_start start;
    struct buf first;
    struct buf out; /* the request */
    size_t sent;
    char answer[ANSWER];
    size_t got;
    int fd;
    uint64_t number; /* of the last record that was made */
    int samples;     /* that are to be sent */
    int done;        /* of them, answered */
    bool open;       /* a request is under way */
    int64_t due, asked;
};

static double latency[LATENCIES];
static size_t latencies;
static long posts, answered, failed;
static const char *token;
static int port, epoll;

static int64_t now_ns(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * SECOND_NS + t.tv_nsec;
}

static void die(const char *what)
{
    perror(what);
    exit(1);
}

static void connect_agent(struct agent *a)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    int on = 1;

    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (a->fd >= 0)
        (void)close(a->fd);
    a->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (a->fd < 0 || connect(a->fd, (struct sockaddr *)&to, sizeof to) != 0)
        die("connect");
    (void)setsockopt(a->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, a->fd,
                  &(struct epoll_event){.events = EPOLLIN, .data.ptr = a}) != 0)
        die("epoll_ctl");
}

static void make_agent(struct agent *a, int i, int samples)
{
    static char names[4096][16];
    stamp now = {time(NULL)};

    (void)snprintf(names[i % 4096], sizeof names[0], "sim-%d", i);
    *a = (struct agent){.fd = -1,
                        .samples = samples,
                        .first = buf_new(&alloc_system, 1 << 16),
                        .out = buf_new(&alloc_system, 1 << 16)};
    a->start = (struct ledger_start){.name = str_from(names[i % 4096]),
                                     .folder = STR("/work"),
                                     .command = STR("python train.py --epochs 3"),
                                     .user = STR("ada"),
                                     .host = str_from(names[i % 4096]),
                                     .boot = str_from(names[i % 4096]),
                                     .tags = {&STR("team=nlp"), 1},
                                     .rate = {2490000000},
                                     .electricity = {MONEY_UNKNOWN},
                                     .budget = USD_UNKNOWN,
                                     .storage_month = {MONEY_UNKNOWN},
                                     .estimated_cost = USD_UNKNOWN,
                                     .estimated_time = {-1},
                                     .started = now,
                                     .pid = i + 1,
                                     .pid_started = 1,
                                     .pid_namespace = 1};
    ledger_new_id(now, a->start.id);
    ledger_new_id(now, a->start.attempt_id);
    run_journal_put_start(&a->first, &a->start);
    connect_agent(a);
}

/* One second of a run on one GPU. */
static void put_second(struct agent *a, struct buf *to)
{
    struct ledger_totals t;
    struct ledger_sample s = {.at_s = (double)a->number + 1,
                              .cost = 0.0007 * (double)a->number,
                              .watts = 512.5,
                              .gpu_busy = 0.93,
                              .gpu_memory = 6.1e10,
                              .cpu_cores = 3.2,
                              .memory = 2.2e10,
                              .step = (double)a->number * 4,
                              .loss = 2.31,
                              .rate = 4,
                              .gpu_memory_run = 6e10};

    a->number++;
    ledger_totals_unknown(&t);
    t.at = (stamp){time(NULL)};
    t.elapsed = (span){(int64_t)a->number * SECOND_NS};
    t.cost = t.compute = (usd){(int64_t)a->number * 691667};
    t.joules = 512.5 * (double)a->number;
    t.energy_method = STR("counter");
    t.gpu = STR("NVIDIA H200");
    t.gpus = 1;
    t.gpu_busy = 0.93;
    t.step = s.step;
    t.steps = 100000;
    t.loss = 2.31;
    t.pays = STR("machine");
    t.share = 1;
    run_journal_put_tick(to, a->number, &t, &s);
}

static void make_request(struct agent *a)
{
    struct buf body = buf_new(&alloc_system, 1 << 16);

    run_journal_put_head(&body);
    buf_add(&body, buf_text(&a->first));
    put_second(a, &body);
    buf_clear(&a->out);
    buf_addf(&a->out,
             "POST /api/v1/agents/records?clock=%lld HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n"
             "Authorization: Bearer %s\r\nContent-Type: application/vnd.stint.records\r\n"
             "Content-Length: %zu\r\n\r\n",
             (long long)time(NULL), port, token, body.len);
    buf_add(&a->out, buf_text(&body));
    buf_free(&body);
}

static void send_request(struct agent *a, int64_t now)
{
    ssize_t n = send(a->fd, a->out.at, a->out.len, MSG_NOSIGNAL);

    if (n != (ssize_t)a->out.len)
        die("send");
    posts++;
    a->open = true;
    a->asked = now;
    a->got = 0;
}

/* Is the answer complete? Its status, or 0. */
static int read_answer(struct agent *a)
{
    ssize_t n = recv(a->fd, a->answer + a->got, ANSWER - 1 - a->got, 0);
    const char *body, *length;

    if (n <= 0)
        return -1;
    a->got += (size_t)n;
    a->answer[a->got] = '\0';
    body = strstr(a->answer, "\r\n\r\n");
    length = strcasestr(a->answer, "Content-Length:");
    if (body == NULL || length == NULL ||
        a->got < (size_t)(body + 4 - a->answer) + strtoul(length + 15, NULL, 10))
        return 0;
    return (int)strtol(a->answer + 9, NULL, 10);
}

static void take_answer(struct agent *a, int64_t now)
{
    int status = read_answer(a);

    if (status == 0)
        return;
    a->open = false;
    if (status == 200) {
        answered++;
        a->done++;
        if (latencies < LATENCIES)
            latency[latencies++] = (double)(now - a->asked) / 1e6;
        a->due += SECOND_NS;
        if (a->done < a->samples)
            make_request(a);
        return;
    }
    failed++;
    if (failed <= 3)
        (void)fprintf(stderr, "status %d: %.300s\n", status, status > 0 ? a->answer : "");
    if (status < 0)
        connect_agent(a);
    a->due = now + SECOND_NS;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static void report(long samples)
{
    qsort(latency, latencies, sizeof *latency, by_size);
    printf(
        "posts %ld answered %ld samples %ld failed %ld p50_ms %.1f p99_ms %.1f most_ms %.1f\n",
        posts, answered, samples, failed, latency[latencies / 2], latency[latencies * 99 / 100],
        latency[latencies - 1]);
}

int main(int argc, char **argv)
{
    struct epoll_event events[256];
    struct agent *agents;
    int count, seconds;
    long samples = 0, left;
    int64_t begun;

    if (argc != 5)
        return 2;
    port = atoi(argv[1]);
    token = argv[2];
    count = atoi(argv[3]);
    seconds = atoi(argv[4]);
    epoll = epoll_create1(EPOLL_CLOEXEC);
    agents = calloc((size_t)count, sizeof *agents);
    if (agents == NULL || count < 1 || count > 4096 || epoll < 0)
        return 1;
    begun = now_ns();
    for (int i = 0; i < count; i++) {
        make_agent(&agents[i], i, seconds);
        agents[i].due = begun + SECOND_NS * i / count;
        make_request(&agents[i]);
    }
    do {
        int64_t now = now_ns();
        int ready;

        left = 0;
        for (int i = 0; i < count; i++) {
            struct agent *a = &agents[i];

            left += a->done < a->samples;
            if (!a->open && a->done < a->samples && now >= a->due)
                send_request(a, now);
        }
        ready = epoll_wait(epoll, events, 256, 2);
        now = now_ns();
        for (int i = 0; i < ready; i++)
            take_answer(events[i].data.ptr, now);
    } while (left > 0 && now_ns() - begun < (seconds + 30) * SECOND_NS);
    for (int i = 0; i < count; i++)
        samples += agents[i].done;
    report(samples);
    return 0;
}
