/* mock LOG [KEY=VALUE...] - an inference server on this machine whose delays are known. It
 * answers as vLLM, SGLang, TGI, llama.cpp, Ollama and Triton do, by the path that is asked for,
 * with as many tokens as the request wants, and prints its port.
 *
 *     mock LOG ...      stays until its standard input ends
 *     mock -b LOG ...   goes on in the background when it has printed the port
 *
 * Both end after 30 seconds without a request, or at "GET /quit". Times are in milliseconds:
 *
 *     first=20          to the first token, from when the request is worked on
 *     gap=5             between tokens
 *     jitter=0.5        these two vary by up to this share, by a fixed sequence
 *     workers=4         so many requests are worked on at a time; others wait (0: all are)
 *     stall_each=60000  every so often
 *     stall=1000        nothing is sent for so long
 *     hang_each=10      every tenth request is never answered
 *     cut_each=10       the connection closes within the answer
 *     half_each=10      it closes within an event
 *     foreign_each=10   the answer is other JSON
 *     fail_each=10      the answer is a status,
 *     status=429        this one
 *     whole=1           answers come in one piece
 *     token=KEY         requests without "Authorization: Bearer KEY" get 401
 *     tokens=8          so many tokens, whatever is asked for
 *     usage=0           no counts of tokens
 *
 * LOG gets a line for each request that was answered: its number (chats and completions have it
 * as their id, "c7"), when it had arrived, before and after its first token was written, before
 * and after the last, when it ended (ns of the monotonic clock), and its tokens. A request
 * arrives when the kernel says, however late it is read; what is written for a reader on this
 * machine arrives between the moments before and after.
 *
 *     mock -n SECONDS   no server: two threads that only read the clock; prints the share of
 *                       their time that was lost in gaps of more than 0.5 ms, and the longest
 *                       gap in ms */
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define MOST 70000 /* connections */
#define ROOM (1 << 16)
#define MS INT64_C(1000000)
#define IDLE (30000 * MS)

static struct {
    double first, gap, jitter, stall_each, stall;
    long workers, hang_each, cut_each, half_each, foreign_each, fail_each, status, whole,
        tokens, usage;
    const char *token;
} o = {.first = 20, .gap = 5, .status = 429, .usage = 1};

enum api { CHAT, COMPLETIONS, TGI, LLAMACPP, OLLAMA, SGLANG, TRITON };

struct conn {
    bool open, busy;
    char *in; /* what has arrived of a request */
    size_t len, room;
    uint32_t turn; /* of the connection: what was planned for an earlier one is void */
    enum api api;
    long number, tokens, sent;
    int64_t came;                             /* the last bytes of `in` */
    int64_t arrived, first[2], last[2], seed; /* before and after it was written */
};

static struct conn conns[MOST];
static FILE *log_file;
static int epoll, timer;
static long requests, working;
static int64_t began, seen;

static int64_t now_ns(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* ---- what is planned: a heap by time ---- */

struct plan {
    int64_t at;
    int fd;
    uint32_t turn;
};
static struct plan *heap;
static size_t heap_count, heap_room;

static void plan_add(int64_t at, int fd)
{
    size_t i = heap_count++;

    if (heap_count > heap_room) {
        heap_room = heap_room > 0 ? 2 * heap_room : 1024;
        heap = realloc(heap, heap_room * sizeof *heap);
        if (heap == NULL)
            abort();
    }
    for (; i > 0 && heap[(i - 1) / 2].at > at; i = (i - 1) / 2)
        heap[i] = heap[(i - 1) / 2];
    heap[i] = (struct plan){at, fd, conns[fd].turn};
}

static struct plan plan_take(void)
{
    struct plan top = heap[0], last = heap[--heap_count];
    size_t i = 0, child;

    while ((child = 2 * i + 1) < heap_count) {
        if (child + 1 < heap_count && heap[child + 1].at < heap[child].at)
            child++;
        if (heap[child].at >= last.at)
            break;
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = last;
    return top;
}

/* ---- who waits for a worker: a ring ---- */

static struct plan queue[MOST];
static size_t queue_from, queue_count;

static double vary(struct conn *c)
{
    c->seed = (int64_t)((uint64_t)c->seed * UINT64_C(6364136223846793005) +
                        UINT64_C(1442695040888963407));
    return 1 + o.jitter * ((double)((uint64_t)c->seed >> 40) / (1 << 24) * 2 - 1);
}

/* Nothing is sent within a stall. */
static int64_t past_stall(int64_t at)
{
    int64_t each = (int64_t)(o.stall_each * 1e6), length = (int64_t)(o.stall * 1e6), into;

    if (each <= 0)
        return at;
    into = (at - began) % each;
    return at - began >= each && into < length ? at + length - into : at;
}

static void begin_work(int fd, int64_t now)
{
    struct conn *c = &conns[fd];

    working++;
    plan_add(past_stall(now + (int64_t)(o.first * vary(c) * 1e6)), fd);
}

static void drop(int fd)
{
    struct conn *c = &conns[fd];

    if (c->busy)
        working--;
    c->open = c->busy = false;
    c->len = 0;
    c->turn++;
    (void)close(fd);
}

static void end_work(int64_t now)
{
    working--;
    while (queue_count > 0 && (o.workers == 0 || working < o.workers)) {
        struct plan next = queue[queue_from];

        queue_from = (queue_from + 1) % MOST;
        queue_count--;
        if (conns[next.fd].open && conns[next.fd].turn == next.turn)
            begin_work(next.fd, now);
    }
}

/* ---- answers ---- */

static void put(int fd, const char *text, size_t len)
{
    while (len > 0) {
        ssize_t done = send(fd, text, len, MSG_NOSIGNAL);

        if (done < 0 && errno == EAGAIN)
            continue; /* the test's client reads */
        if (done <= 0)
            return;
        text += done;
        len -= (size_t)done;
    }
}

static void put_all(int fd, int status, const char *body)
{
    char text[4096];
    int len = snprintf(text, sizeof text,
                       "HTTP/1.1 %d X\r\nContent-Type: application/json\r\nContent-Length: "
                       "%zu\r\n\r\n%s",
                       status, strlen(body), body);

    put(fd, text, (size_t)len);
}

/* Token `i` of `c`, or (i == tokens) what comes after the last; 0 when nothing does. */
static int event_of(const struct conn *c, long i, char *to, size_t room)
{
    long n = c->tokens;
    bool end = i == n, last = i == n - 1, counts = o.usage != 0;

    switch (c->api) {
    case CHAT:
    case COMPLETIONS:
        if (end)
            return counts ? snprintf(to, room,
                                     "data: {\"id\":\"c%ld\",\"choices\":[],\"usage\":{"
                                     "\"prompt_tokens\":11,\"completion_tokens\":%ld}}\n\n"
                                     "data: [DONE]\n\n",
                                     c->number, n)
                          : snprintf(to, room, "data: [DONE]\n\n");
        return snprintf(to, room,
                        c->api == CHAT
                            ? "data: {\"id\":\"c%ld\",\"choices\":[{\"index\":0,"
                              "\"delta\":{\"content\":\"tok\"},\"finish_reason\":%s}]}\n\n"
                            : "data: {\"id\":\"c%ld\",\"choices\":[{\"index\":0,\"text\":"
                              "\"tok\",\"finish_reason\":%s}]}\n\n",
                        c->number, last ? "\"length\"" : "null");
    case TGI:
        if (end)
            return 0;
        return snprintf(to, room,
                        "data:{\"index\":%ld,\"token\":{\"id\":1,\"text\":\"tok\"},"
                        "\"generated_text\":%s,\"details\":%s%ld%s}\n\n",
                        i + 1, last ? "\"tok\"" : "null",
                        last ? "{\"finish_reason\":\"length\",\"input_length\":11,"
                               "\"generated_tokens\":"
                             : "{\"seed\":",
                        last ? n : 0, "}");
    case LLAMACPP:
        return snprintf(to, room,
                        "data: {\"content\":\"%s\",\"stop\":%s,\"tokens_predicted\":%ld,"
                        "\"tokens_evaluated\":11}\n\n",
                        end ? "" : "tok", end ? "true" : "false", end ? n : i + 1);
    case OLLAMA:
        return end ? snprintf(to, room,
                              "{\"model\":\"m\",\"response\":\"\",\"done\":true,"
                              "\"prompt_eval_count\":11,\"eval_count\":%ld}\n",
                              n)
                   : snprintf(to, room,
                              "{\"model\":\"m\",\"response\":\"tok\",\"done\":false}\n");
    case SGLANG:
        return end ? snprintf(to, room, "data: [DONE]\n\n")
                   : snprintf(
                         to, room,
                         "data: {\"text\":\"%.*s\",\"meta_info\":{\"prompt_tokens\":11,"
                         "\"completion_tokens\":%ld,\"finish_reason\":null}}\n\n",
                         (int)(i % 500 + 1),
                         "ttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttt"
                         "ttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttt",
                         i + 1);
    case TRITON:
        return end ? 0
                   : snprintf(to, room,
                              "data: {\"model_name\":\"ensemble\",\"sequence_end\":false,"
                              "\"text_output\":\"tok\"}\n\n");
    }
    return 0;
}

static void put_chunk(int fd, const char *text, int len)
{
    char chunk[2048];
    int all = snprintf(chunk, sizeof chunk, "%x\r\n%.*s\r\n", (unsigned)len, len, text);

    put(fd, chunk, (size_t)all);
}

static bool each(long n, long number)
{
    return n > 0 && number % n == 0;
}

static void finish(int fd, int64_t now)
{
    struct conn *c = &conns[fd];

    (void)fprintf(log_file, "%ld %lld %lld %lld %lld %lld %lld %ld\n", c->number,
                  (long long)c->arrived, (long long)c->first[0], (long long)c->first[1],
                  (long long)c->last[0], (long long)c->last[1], (long long)now_ns(), c->tokens);
    c->busy = false;
    end_work(now);
}

static void answer_whole(int fd)
{
    struct conn *c = &conns[fd];
    char body[512];

    (void)snprintf(
        body, sizeof body,
        "{\"choices\":[{\"message\":{\"content\":\"tok\"},\"finish_reason\":\"length\"}],"
        "\"usage\":{\"prompt_tokens\":11,\"completion_tokens\":%ld}}",
        c->tokens);
    c->first[0] = c->last[0] = now_ns();
    put_all(fd, 200, body);
    c->first[1] = c->last[1] = now_ns();
}

/* Faults that end the answer here. */
static bool spoil(int fd)
{
    static const char half[] = "1c\r\ndata: {\"choices\":[{\"text\":";
    struct conn *c = &conns[fd];

    if (c->sent == 0 && each(o.fail_each, c->number))
        put_all(fd, (int)o.status, "{\"error\":{\"message\":\"slow down\"}}");
    else if (c->sent == 0 && each(o.foreign_each, c->number))
        put_all(fd, 200, "{\"weather\":\"fine\"}");
    else if (c->sent == 0 && o.whole != 0)
        answer_whole(fd);
    else if (c->sent == 2 && each(o.cut_each, c->number)) {
        drop(fd);
        return true;
    } else if (c->sent == 2 && each(o.half_each, c->number)) {
        put(fd, half, sizeof half - 1);
        drop(fd);
        return true;
    } else
        return false;
    finish(fd, now_ns());
    return true;
}

static void act(int fd, int64_t planned)
{
    static const char head[] = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
                               "Transfer-Encoding: chunked\r\n\r\n";
    struct conn *c = &conns[fd];
    char text[1024];
    int len;

    if (spoil(fd))
        return;
    if (c->sent == 0)
        put(fd, head, sizeof head - 1);
    if (c->sent < c->tokens) {
        len = event_of(c, c->sent, text, sizeof text);
        c->last[0] = now_ns();
        put_chunk(fd, text, len);
        c->last[1] = now_ns();
        if (c->sent++ == 0)
            memcpy(c->first, c->last, sizeof c->first);
    }
    if (c->sent < c->tokens) {
        plan_add(past_stall(planned + (int64_t)(o.gap * vary(c) * 1e6)), fd);
        return;
    }
    len = event_of(c, c->tokens, text, sizeof text);
    if (len > 0)
        put_chunk(fd, text, len);
    put(fd, "0\r\n\r\n", 5);
    finish(fd, now_ns());
}

/* ---- requests ---- */

static long number_after(const char *body, const char *key)
{
    const char *at = strstr(body, key);

    return at != NULL ? strtol(at + strlen(key), NULL, 10) : 0;
}

static enum api api_of(const char *path, size_t len)
{
    static const struct {
        const char *end;
        enum api api;
    } ends[] = {{"/chat/completions", CHAT},
                {"/completions", COMPLETIONS},
                {"/ensemble/generate_stream", TRITON},
                {"/generate_stream", TGI},
                {"/completion", LLAMACPP},
                {"/api/generate", OLLAMA},
                {"/generate", SGLANG}};

    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        size_t end = strlen(ends[i].end);

        if (len >= end && memcmp(path + len - end, ends[i].end, end) == 0)
            return ends[i].api;
    }
    return CHAT;
}

static void get(int fd, const char *path)
{
    if (strncmp(path, "/quit", 5) == 0)
        exit(0);
    if (strncmp(path, "/v1/models", 10) == 0)
        put_all(fd, 200,
                "{\"object\":\"list\",\"data\":[{\"id\":\"mock-7b\",\"object\":\"model\","
                "\"owned_by\":\"vllm\"}]}");
    else
        put_all(fd, strncmp(path, "/health", 7) == 0 ? 200 : 404, "{}");
}

static bool may_ask(const char *text)
{
    char header[256];

    if (o.token == NULL)
        return true;
    (void)snprintf(header, sizeof header, "Authorization: Bearer %s\r\n", o.token);
    return strstr(text, header) != NULL;
}

static void take_request(int fd, char *text, const char *body)
{
    static const char *const keys[] = {
        "\"max_tokens\":", "\"max_new_tokens\":", "\"n_predict\":", "\"num_predict\":"};
    struct conn *c = &conns[fd];
    char *path = strchr(text, ' ') + 1;
    size_t len = strcspn(path, " ?");

    seen = now_ns();
    if (strncmp(text, "GET ", 4) == 0) {
        get(fd, path);
        return;
    }
    if (!may_ask(text)) {
        put_all(fd, 401, "{\"error\":{\"message\":\"wrong key\"}}");
        return;
    }
    c->api = api_of(path, len);
    c->number = ++requests;
    c->seed = c->number;
    c->arrived = c->came;
    c->sent = c->tokens = 0;
    for (size_t i = 0; c->tokens == 0 && i < sizeof keys / sizeof keys[0]; i++)
        c->tokens = number_after(body, keys[i]);
    if (o.tokens > 0 || c->tokens <= 0)
        c->tokens = o.tokens > 0 ? o.tokens : 1;
    if (began == 0)
        began = seen;
    if (each(o.hang_each, c->number))
        return;
    c->busy = true;
    if (o.workers == 0 || working < o.workers)
        begin_work(fd, seen);
    else
        queue[(queue_from + queue_count++) % MOST] = (struct plan){0, fd, c->turn};
}

/* One request after the other of what has arrived. */
static void take_input(int fd)
{
    struct conn *c = &conns[fd];
    char *head, *length;
    size_t size;

    while (c->open && !c->busy && c->len > 0) {
        c->in[c->len] = '\0';
        head = strstr(c->in, "\r\n\r\n");
        if (head == NULL)
            return;
        length = strcasestr(c->in, "\r\nContent-Length:");
        size = (size_t)(head + 4 - c->in);
        if (length != NULL && length < head)
            size += strtoul(length + 17, NULL, 10);
        if (c->len < size)
            return;
        take_request(fd, c->in, head + 4);
        memmove(c->in, c->in + size, c->len - size);
        c->len -= size;
        if (!c->busy)
            return;
    }
}

/* By the monotonic clock; `stamp` is by that of the calendar. */
static int64_t when_stamped(const struct timespec *stamp)
{
    int64_t before = 0, after = 0;
    struct timespec now = {0};

    for (int i = 0; i < 4 && (i == 0 || after - before > 20000); i++) {
        before = now_ns();
        (void)clock_gettime(CLOCK_REALTIME, &now);
        after = now_ns();
    }
    return before + (after - before) / 2 - (int64_t)(now.tv_sec - stamp->tv_sec) * 1000000000 -
           (now.tv_nsec - stamp->tv_nsec);
}

/* As recv(); the moment when the last of it came is noted. */
static ssize_t receive(int fd, struct conn *c)
{
    union {
        char room[128];
        struct cmsghdr first;
    } control;
    struct iovec piece = {c->in + c->len, c->room - c->len};
    struct msghdr message = {.msg_iov = &piece,
                             .msg_iovlen = 1,
                             .msg_control = control.room,
                             .msg_controllen = sizeof control.room};
    ssize_t got = recvmsg(fd, &message, 0);
    struct timespec stamp;

    c->came = now_ns();
    for (struct cmsghdr *m = got > 0 ? CMSG_FIRSTHDR(&message) : NULL; m != NULL;
         m = CMSG_NXTHDR(&message, m))
        if (m->cmsg_level == SOL_SOCKET && m->cmsg_type == SO_TIMESTAMPNS) {
            memcpy(&stamp, CMSG_DATA(m), sizeof stamp);
            c->came = when_stamped(&stamp);
        }
    return got;
}

static void read_conn(int fd)
{
    struct conn *c = &conns[fd];
    ssize_t got;

    if (c->room - c->len < ROOM / 2) {
        c->room = c->room > 0 ? 2 * c->room : ROOM / 4 * 3;
        c->in = realloc(c->in, c->room + 1);
        if (c->in == NULL)
            abort();
    }
    got = receive(fd, c);
    if (got > 0) {
        c->len += (size_t)got;
        take_input(fd);
    } else if (got == 0 || errno != EAGAIN) {
        drop(fd);
    }
}

static void accept_all(int listener)
{
    struct epoll_event event = {.events = EPOLLIN};
    int fd, one = 1;

    while ((fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
        if (fd >= MOST) {
            (void)close(fd);
            continue;
        }
        (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        (void)setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &one, sizeof one);
        conns[fd].open = true;
        conns[fd].busy = false;
        conns[fd].len = 0;
        event.data.fd = fd;
        (void)epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
    }
}

static void serve(int listener, bool background)
{
    struct epoll_event events[512];
    int64_t armed = 0;

    for (;;) {
        int64_t now = now_ns();
        int got;

        while (heap_count > 0 && heap[0].at <= now) {
            struct plan next = plan_take();

            if (conns[next.fd].open && conns[next.fd].turn == next.turn)
                act(next.fd, next.at);
        }
        if (now - seen > IDLE)
            return;
        if (heap_count > 0 && heap[0].at != armed) {
            struct itimerspec when = {0};

            armed = heap[0].at;
            when.it_value.tv_sec = (time_t)(armed / 1000000000);
            when.it_value.tv_nsec = (long)(armed % 1000000000);
            (void)timerfd_settime(timer, TFD_TIMER_ABSTIME, &when, NULL);
        }
        got = epoll_wait(epoll, events, 512, 1000);
        for (int i = 0; i < got; i++) {
            uint64_t times;

            if (events[i].data.fd == listener)
                accept_all(listener);
            else if (events[i].data.fd == timer)
                armed = read(timer, &times, sizeof times) > 0 ? 0 : armed;
            else if (events[i].data.fd == STDIN_FILENO && !background)
                return;
            else
                read_conn(events[i].data.fd);
        }
    }
}

static void take_option(const char *text)
{
    static const struct {
        const char *name;
        double *number;
        long *count;
    } options[] = {
        {"first=", &o.first, NULL},         {"gap=", &o.gap, NULL},
        {"jitter=", &o.jitter, NULL},       {"stall_each=", &o.stall_each, NULL},
        {"stall=", &o.stall, NULL},         {"workers=", NULL, &o.workers},
        {"hang_each=", NULL, &o.hang_each}, {"cut_each=", NULL, &o.cut_each},
        {"half_each=", NULL, &o.half_each}, {"foreign_each=", NULL, &o.foreign_each},
        {"fail_each=", NULL, &o.fail_each}, {"status=", NULL, &o.status},
        {"whole=", NULL, &o.whole},         {"tokens=", NULL, &o.tokens},
        {"usage=", NULL, &o.usage},
    };

    if (strncmp(text, "token=", 6) == 0) {
        o.token = text + 6;
        return;
    }
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        size_t len = strlen(options[i].name);

        if (strncmp(text, options[i].name, len) != 0)
            continue;
        if (options[i].number != NULL)
            *options[i].number = strtod(text + len, NULL);
        else
            *options[i].count = strtol(text + len, NULL, 10);
        return;
    }
    (void)fprintf(stderr, "mock: unknown option %s\n", text);
    exit(2);
}

static int listen_here(void)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof at;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

    if (fd < 0 || bind(fd, (struct sockaddr *)&at, len) != 0 || listen(fd, 4096) != 0 ||
        getsockname(fd, (struct sockaddr *)&at, &len) != 0)
        abort();
    (void)printf("%d\n", ntohs(at.sin_port));
    (void)fflush(stdout);
    return fd;
}

/* ---- how much of its time a busy thread loses here ---- */

struct noise {
    double seconds;
    int64_t lost, longest, all; /* ns */
};

static void *read_clock(void *ctx)
{
    struct noise *n = ctx;
    int64_t start = now_ns(), last = start, end = start + (int64_t)(n->seconds * 1e9);

    while (last < end) {
        int64_t now = now_ns(), gap = now - last;

        if (gap > MS / 2) {
            n->lost += gap;
            n->longest = gap > n->longest ? gap : n->longest;
        }
        last = now;
    }
    n->all = last - start;
    return NULL;
}

static int measure_noise(const char *seconds)
{
    struct noise noises[2] = {{.seconds = strtod(seconds, NULL)},
                              {.seconds = strtod(seconds, NULL)}};
    pthread_t threads[2];

    for (int i = 0; i < 2; i++)
        if (pthread_create(&threads[i], NULL, read_clock, &noises[i]) != 0)
            return 1;
    for (int i = 0; i < 2; i++)
        (void)pthread_join(threads[i], NULL);
    (void)printf("%.4f %.2f\n",
                 (double)(noises[0].lost + noises[1].lost) /
                     (double)(noises[0].all + noises[1].all),
                 (double)(noises[0].longest > noises[1].longest ? noises[0].longest
                                                                : noises[1].longest) /
                     1e6);
    return 0;
}

int main(int argc, char **argv)
{
    bool background = argc > 1 && strcmp(argv[1], "-b") == 0;
    struct rlimit files;
    struct epoll_event event = {.events = EPOLLIN};
    int listener;

    if (argc == 3 && strcmp(argv[1], "-n") == 0)
        return measure_noise(argv[2]);
    if (argc < 2 + background)
        return 2;
    log_file = fopen(argv[1 + background], "w");
    if (log_file == NULL)
        return 1;
    for (int i = 2 + background; i < argc; i++)
        take_option(argv[i]);
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max < MOST ? files.rlim_max : MOST;
        (void)setrlimit(RLIMIT_NOFILE, &files);
    }
    listener = listen_here();
    if (background && daemon(1, 0) != 0)
        return 1;
    epoll = epoll_create1(EPOLL_CLOEXEC);
    timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    event.data.fd = listener;
    (void)epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &event);
    event.data.fd = timer;
    (void)epoll_ctl(epoll, EPOLL_CTL_ADD, timer, &event);
    event.data.fd = STDIN_FILENO;
    if (!background)
        (void)epoll_ctl(epoll, EPOLL_CTL_ADD, STDIN_FILENO, &event);
    seen = now_ns();
    serve(listener, background);
    return fclose(log_file) != 0;
}
