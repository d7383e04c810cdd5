/* Many requests at once, by libcurl's multi interface and epoll. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "net/part_internal.h"
#include "net/stream_times.h"

#define EVENTS 256
#define EVENTS_WHEN_DUE 16 /* while a request should leave: a fraction of a millisecond */
/* Of each open request: events are short, and thousands are open. */
#define RECEIVE_BYTES ((long)STREAM_TIMES_BYTES)
#define MORE_FILES 64 /* besides one for each request */
#define NEVER INT64_MAX
/* libcurl looks through all connections of a handle for one that it may use again: with
 * thousands of them that takes longer than the request. So there are several handles. */
#define SHARDS 64

/* A handle with its own connections. */
struct stream_shard {
    struct stream_set *owner;
    CURLM *multi;
    int64_t due; /* when libcurl wants to be called, ns; NEVER */
};

struct stream_slot {
    struct stream_set *owner;
    struct stream_shard *shard;
    CURL *curl;
    void *stream;
    struct stream_slot *next; /* that is free */
    bool busy, stopped;
    int64_t seen; /* when something of it was sent or came last, ns */
    char problem[CURL_ERROR_SIZE];
};

struct stream_set {
    struct streams_events events;
    struct stream_shard shards[SHARDS];
    int epoll, timer;
    int64_t armed;                     /* what the timer is set to */
    struct stream_times times;         /* of what is being read */
    const struct stream_slot *reading; /* whose that is */
    struct curl_slist *headers;
    struct stream_slot *slots, *free;
    size_t made, most;
    long connect_ms, altogether_ms;
    char *url, *certificates;
    sigset_t signals; /* of the thread, before */
    bool pipe_was_pending;
    struct rlimit files;
};

static int64_t streams_now(void)
{
    return clock_system.now(clock_system.ctx).ns;
}

/* ---- libcurl's callbacks ---- */

/* What epoll reports of a socket: whose it is, too. */
static uint64_t event_of_socket(const struct stream_set *s, const struct stream_shard *shard,
                                int fd)
{
    return (uint64_t)(shard - s->shards) << 32 | (uint32_t)fd;
}

/* `known`: whether the socket is in the set, which libcurl keeps for us. */
static int watch_socket(CURL *curl, curl_socket_t fd, int what, void *ctx, void *known)
{
    struct stream_shard *shard = ctx;
    struct stream_set *s = shard->owner;
    struct epoll_event event = {.data.u64 = event_of_socket(s, shard, fd)};

    (void)curl;
    if (what == CURL_POLL_REMOVE) {
        (void)epoll_ctl(s->epoll, EPOLL_CTL_DEL, fd, NULL);
        return 0;
    }
    if (what == CURL_POLL_IN || what == CURL_POLL_INOUT)
        event.events |= EPOLLIN;
    if (what == CURL_POLL_OUT || what == CURL_POLL_INOUT)
        event.events |= EPOLLOUT;
    if (epoll_ctl(s->epoll, known != NULL ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, fd, &event) != 0 &&
        epoll_ctl(s->epoll, known != NULL ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, fd, &event) != 0)
        return -1;
    (void)curl_multi_assign(shard->multi, fd, shard);
    return 0;
}

static int set_due(CURLM *multi, long ms, void *ctx)
{
    struct stream_shard *shard = ctx;

    (void)multi;
    shard->due = ms < 0 ? NEVER : streams_now() + (int64_t)ms * 1000000;
    return 0;
}

static size_t give_stream_bytes(const char *at, size_t size, size_t count, void *ctx)
{
    struct stream_slot *slot = ctx;
    const struct streams_events *events = &slot->owner->events;
    struct str left = {at, size * count};
    long status = 0;

    (void)curl_easy_getinfo(slot->curl, CURLINFO_RESPONSE_CODE, &status);
    slot->owner->reading = slot;
    while (left.len > 0) { /* what came at one moment, then what came at the next */
        struct net_moment when;
        size_t len = stream_times_of(&slot->owner->times, left, slot->seen, &when);

        slot->seen = when.ns;
        if (!events->arrived(events->ctx, slot->stream, (int)status, (struct str){left.at, len},
                             &when)) {
            slot->stopped = true;
            return 0;
        }
        left.at += len;
        left.len -= len;
    }
    return size * count;
}

static int prepare_socket(void *ctx, curl_socket_t fd, curlsocktype purpose)
{
    (void)ctx;
    if (purpose == CURLSOCKTYPE_IPCXN)
        stream_times_ask(fd);
    return CURL_SOCKOPT_OK;
}

/* ---- requests ---- */

static bool set_up_slot(struct stream_set *s, struct stream_slot *slot)
{
    CURL *curl = slot->curl = curl_easy_init();

    if (curl == NULL)
        return false;
    slot->owner = s;
    slot->shard = &s->shards[s->made % SHARDS];
    (void)curl_easy_setopt(curl, CURLOPT_BUFFERSIZE, RECEIVE_BYTES);
    return curl_easy_setopt(curl, CURLOPT_URL, s->url) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_PRIVATE, slot) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, slot->problem) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https") == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1) ==
               CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_HTTPHEADER, s->headers) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, give_stream_bytes) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_WRITEDATA, slot) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_SOCKOPTFUNCTION, prepare_socket) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, s->connect_ms) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, s->altogether_ms) == CURLE_OK &&
           net_part_trust(curl, s->certificates);
}

static struct stream_slot *take_stream_slot(struct stream_set *s)
{
    struct stream_slot *slot = s->free;

    if (slot != NULL) {
        s->free = slot->next;
        return slot;
    }
    if (s->made >= s->most)
        return NULL;
    slot = &s->slots[s->made];
    if (!set_up_slot(s, slot)) {
        curl_easy_cleanup(slot->curl);
        slot->curl = NULL;
        return NULL;
    }
    s->made++;
    return slot;
}

static void free_stream_slot(struct stream_set *s, struct stream_slot *slot)
{
    slot->busy = false;
    slot->next = s->free;
    s->free = slot;
}

bool net_part_streams_send(struct stream_set *s, struct str body, void *stream)
{
    struct stream_slot *slot = take_stream_slot(s);
    int running;

    if (slot == NULL)
        return false;
    slot->stream = stream;
    slot->stopped = false;
    slot->seen = streams_now();
    slot->problem[0] = '\0';
    if (curl_easy_setopt(slot->curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)body.len) !=
            CURLE_OK ||
        curl_easy_setopt(slot->curl, CURLOPT_COPYPOSTFIELDS, body.at) != CURLE_OK ||
        curl_multi_add_handle(slot->shard->multi, slot->curl) != CURLM_OK) {
        free_stream_slot(s, slot);
        return false;
    }
    slot->busy = true;
    /* Not at the next wait: what is sent now is on its way now. */
    return curl_multi_socket_action(slot->shard->multi, CURL_SOCKET_TIMEOUT, 0, &running) ==
           CURLM_OK;
}

static enum net_end end_of_slot(const struct stream_slot *slot, CURLcode code)
{
    return slot->stopped ? NET_STOPPED : net_part_end(code);
}

/* TLS ends later than the connection, where there is any. */
static double connect_time(CURL *curl)
{
    curl_off_t connected = 0, secured = 0;

    (void)curl_easy_getinfo(curl, CURLINFO_CONNECT_TIME_T, &connected);
    (void)curl_easy_getinfo(curl, CURLINFO_APPCONNECT_TIME_T, &secured);
    return (double)(secured > connected ? secured : connected) / 1e6;
}

/* With the last bytes that came, or now. */
static struct net_moment end_moment(struct stream_set *s, const struct stream_slot *slot,
                                    CURLcode code)
{
    if (code != CURLE_OK || s->reading != slot)
        return (struct net_moment){streams_now(), false};
    return stream_times_last(&s->times, slot->seen);
}

static void report_ended(struct stream_set *s, const struct stream_shard *shard)
{
    CURLMsg *message;
    int left;

    while ((message = curl_multi_info_read(shard->multi, &left)) != NULL) {
        struct stream_slot *slot = NULL;
        CURL *curl = message->easy_handle;
        CURLcode code = message->data.result;
        struct net_ended ended;
        long status = 0;

        if (message->msg != CURLMSG_DONE ||
            curl_easy_getinfo(curl, CURLINFO_PRIVATE, &slot) != CURLE_OK || slot == NULL)
            continue;
        (void)curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
        ended = (struct net_ended){
            .end = end_of_slot(slot, code),
            .status = (int)status,
            .connect_s = connect_time(curl),
            .problem = slot->problem[0] != '\0' ? slot->problem : curl_easy_strerror(code),
            .when = end_moment(s, slot, code)};
        (void)curl_multi_remove_handle(shard->multi, curl);
        free_stream_slot(s, slot);
        s->events.ended(s->events.ctx, slot->stream, &ended);
    }
}

/* ---- waiting ---- */

/* Wake up then; 0 disarms. The timer counts nanoseconds, epoll_wait() only milliseconds. */
static bool arm(struct stream_set *s, int64_t at)
{
    struct itimerspec when = {0};

    if (at == s->armed)
        return true;
    when.it_value.tv_sec = (time_t)(at / SECOND);
    when.it_value.tv_nsec = (long)(at % SECOND);
    s->armed = at;
    return timerfd_settime(s->timer, TFD_TIMER_ABSTIME, &when, NULL) == 0;
}

static bool act_on_event(struct stream_set *s, const struct epoll_event *event)
{
    int fd = (int)(event->data.u64 & UINT32_MAX), running, what = 0;
    struct stream_shard *shard;
    uint64_t times;
    bool ok;

    if (fd == s->timer) {
        s->armed = 0;
        return read(s->timer, &times, sizeof times) > 0 || errno == EAGAIN;
    }
    shard = &s->shards[event->data.u64 >> 32];
    if ((event->events & EPOLLIN) != 0)
        what |= CURL_CSELECT_IN;
    if ((event->events & EPOLLOUT) != 0)
        what |= CURL_CSELECT_OUT;
    if ((event->events & (EPOLLERR | EPOLLHUP)) != 0)
        what |= CURL_CSELECT_ERR;
    if ((what & CURL_CSELECT_IN) != 0)
        stream_times_look(&s->times, fd);
    ok = curl_multi_socket_action(shard->multi, fd, what, &running) == CURLM_OK;
    report_ended(s, shard);
    stream_times_forget(&s->times);
    s->reading = NULL;
    return ok;
}

/* What libcurl wants to do by now. */
static bool act_on_time(struct stream_set *s)
{
    int64_t now = streams_now();
    bool ok = true;
    int running;

    for (size_t i = 0; ok && i < SHARDS; i++) {
        struct stream_shard *shard = &s->shards[i];

        if (shard->due > now)
            continue;
        shard->due = NEVER;
        ok = curl_multi_socket_action(shard->multi, CURL_SOCKET_TIMEOUT, 0, &running) ==
             CURLM_OK;
        report_ended(s, shard);
    }
    return ok;
}

/* Requests that wait for their connection. */
static bool act_on_sending(struct stream_set *s, const struct epoll_event *events, int count)
{
    bool ok = true;

    for (int i = 0; ok && i < count; i++)
        if ((events[i].events & EPOLLOUT) != 0)
            ok = act_on_event(s, &events[i]);
    return ok;
}

/* The kernel knows when answers came, but not when requests should leave: once it is time for
 * the next one, only some answers come first. What is not taken now is reported again. */
static bool act_on_answers(struct stream_set *s, const struct epoll_event *events, int count,
                           int64_t until)
{
    bool ok = true;
    int taken = 0;

    for (int i = 0; ok && i < count && (taken < EVENTS_WHEN_DUE || streams_now() < until); i++)
        if ((events[i].events & EPOLLOUT) == 0) {
            ok = act_on_event(s, &events[i]);
            taken++;
        }
    return ok;
}

bool net_part_streams_wait(struct stream_set *s, instant until)
{
    struct epoll_event events[EVENTS];
    int64_t wake = until.ns;
    bool at_once, ok;
    int got;

    for (size_t i = 0; i < SHARDS; i++)
        wake = s->shards[i].due < wake ? s->shards[i].due : wake;
    at_once = wake <= streams_now();
    if (!at_once && !arm(s, wake))
        return false;
    got = epoll_wait(s->epoll, events, at_once ? EVENTS_WHEN_DUE : EVENTS, at_once ? 0 : -1);
    if (got < 0)
        return errno == EINTR;
    stream_times_wake(&s->times);
    ok = act_on_time(s) && act_on_sending(s, events, got);
    return ok && act_on_answers(s, events, got, until.ns);
}

/* ---- opening and closing ---- */

/* A write to a connection that the other side closed may raise SIGPIPE, which ends a program
 * that does not expect it: this thread does not take it meanwhile. */
static void block_pipe_signal(struct stream_set *s)
{
    sigset_t pipe_only, pending;

    (void)sigemptyset(&pipe_only);
    (void)sigaddset(&pipe_only, SIGPIPE);
    (void)sigemptyset(&pending);
    (void)sigpending(&pending);
    s->pipe_was_pending = sigismember(&pending, SIGPIPE) == 1;
    (void)pthread_sigmask(SIG_BLOCK, &pipe_only, &s->signals);
}

static void allow_pipe_signal(const struct stream_set *s)
{
    const struct timespec at_once = {0};
    sigset_t pipe_only;

    (void)sigemptyset(&pipe_only);
    (void)sigaddset(&pipe_only, SIGPIPE);
    if (!s->pipe_was_pending)
        while (sigtimedwait(&pipe_only, NULL, &at_once) < 0 && errno == EINTR)
            continue;
    (void)pthread_sigmask(SIG_SETMASK, &s->signals, NULL);
}

/* As many files as the system allows, for as long as we need them. */
static void raise_files(struct stream_set *s)
{
    struct rlimit more;

    if (getrlimit(RLIMIT_NOFILE, &s->files) != 0)
        return;
    more = s->files;
    if (more.rlim_cur < s->most + MORE_FILES)
        more.rlim_cur =
            s->most + MORE_FILES < more.rlim_max ? s->most + MORE_FILES : more.rlim_max;
    (void)setrlimit(RLIMIT_NOFILE, &more);
}

static bool copy_text(const char *text, char **out)
{
    size_t len = text != NULL ? strlen(text) + 1 : 0;

    *out = NULL;
    if (text == NULL)
        return true;
    *out = alloc_system.get(alloc_system.ctx, len);
    if (*out != NULL)
        memcpy(*out, text, len);
    return *out != NULL;
}

static bool keep_headers(struct stream_set *s, const char *const *headers, size_t count)
{
    static const char *const always[] = {"Content-Type: application/json",
                                         "Accept: text/event-stream, application/json",
                                         "Expect:"};

    for (size_t i = 0; i < count + ARRAY_LEN(always); i++) {
        struct curl_slist *grown =
            curl_slist_append(s->headers, i < count ? headers[i] : always[i - count]);

        if (grown == NULL)
            return false;
        s->headers = grown;
    }
    return true;
}

static bool open_shard(struct stream_set *s, struct stream_shard *shard)
{
    long connections = (long)(s->most / SHARDS + 1);

    shard->owner = s;
    shard->due = NEVER;
    shard->multi = curl_multi_init();
    return shard->multi != NULL &&
           curl_multi_setopt(shard->multi, CURLMOPT_SOCKETFUNCTION, watch_socket) == CURLM_OK &&
           curl_multi_setopt(shard->multi, CURLMOPT_SOCKETDATA, shard) == CURLM_OK &&
           curl_multi_setopt(shard->multi, CURLMOPT_TIMERFUNCTION, set_due) == CURLM_OK &&
           curl_multi_setopt(shard->multi, CURLMOPT_TIMERDATA, shard) == CURLM_OK &&
           curl_multi_setopt(shard->multi, CURLMOPT_MAXCONNECTS, connections) == CURLM_OK &&
           curl_multi_setopt(shard->multi, CURLMOPT_PIPELINING, (long)CURLPIPE_NOTHING) ==
               CURLM_OK;
}

static bool open_streams(struct stream_set *s, const struct streams_place *place)
{
    struct epoll_event timer;
    size_t bytes = place->most * sizeof s->slots[0];
    bool ok = true;

    s->epoll = epoll_create1(EPOLL_CLOEXEC);
    s->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    timer = (struct epoll_event){.events = EPOLLIN, .data.u64 = (uint32_t)s->timer};
    s->times.sealed = strncasecmp(place->url, "https", strlen("https")) == 0;
    s->slots = alloc_system.get(alloc_system.ctx, bytes);
    if (s->slots != NULL)
        memset(s->slots, 0, bytes);
    for (size_t i = 0; ok && i < SHARDS; i++)
        ok = open_shard(s, &s->shards[i]);
    return ok && s->slots != NULL && s->epoll >= 0 && s->timer >= 0 &&
           copy_text(place->url, &s->url) && copy_text(place->certificates, &s->certificates) &&
           epoll_ctl(s->epoll, EPOLL_CTL_ADD, s->timer, &timer) == 0;
}

static long whole_ms(span s)
{
    return s.ns < 1000000 ? 1L : (long)(s.ns / 1000000);
}

struct stream_set *net_part_streams_open(const struct streams_place *place,
                                         const char *const *headers, size_t header_count,
                                         const struct streams_events *events)
{
    struct stream_set *s = alloc_system.get(alloc_system.ctx, sizeof *s);

    if (s == NULL)
        return NULL;
    net_part_start();
    *s = (struct stream_set){.events = *events,
                             .epoll = -1,
                             .timer = -1,
                             .most = place->most,
                             .connect_ms = whole_ms(place->connect),
                             .altogether_ms = whole_ms(place->altogether)};
    block_pipe_signal(s);
    raise_files(s);
    if (open_streams(s, place) && keep_headers(s, headers, header_count))
        return s;
    net_part_streams_close(s);
    return NULL;
}

/* Secrets do not stay behind in memory that is freed. */
static void wipe_headers(struct curl_slist *headers)
{
    for (struct curl_slist *h = headers; h != NULL; h = h->next)
        explicit_bzero(h->data, strlen(h->data));
    curl_slist_free_all(headers);
}

static void put_text(char *text)
{
    if (text != NULL)
        alloc_system.put(alloc_system.ctx, text);
}

void net_part_streams_close(struct stream_set *s)
{
    for (size_t i = 0; i < s->made; i++) {
        if (s->slots[i].busy)
            (void)curl_multi_remove_handle(s->slots[i].shard->multi, s->slots[i].curl);
        curl_easy_cleanup(s->slots[i].curl);
    }
    for (size_t i = 0; i < SHARDS; i++)
        if (s->shards[i].multi != NULL)
            (void)curl_multi_cleanup(s->shards[i].multi);
    if (s->epoll >= 0)
        (void)close(s->epoll);
    if (s->timer >= 0)
        (void)close(s->timer);
    wipe_headers(s->headers);
    put_text(s->url);
    put_text(s->certificates);
    if (s->slots != NULL)
        alloc_system.put(alloc_system.ctx, s->slots);
    (void)setrlimit(RLIMIT_NOFILE, &s->files);
    allow_pipe_signal(s);
    alloc_system.put(alloc_system.ctx, s);
}
