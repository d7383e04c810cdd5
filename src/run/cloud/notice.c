/* Notices of interruption: what a cloud's answers mean, one request, and the process that
 * polls, which ends with the one that started it. */
#include "run/cloud/notice.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/process.h"
#include "doc/node.h"
#include "net/http.h"
#include "run/cloud/metadata.h"
#include "run/cloud/metadata_service.h"
#include "unit/time.h"

struct notice_look {
    struct metadata_service service;
    const struct clock *clock;
    void (*report)(void *ctx, const struct notice *notice); /* of each; not of NOTICE_NONE */
    void *ctx;
    unsigned round;   /* looks that went well */
    char etag[256];   /* of GCP: of the last answer; empty: none yet */
    char machine[80]; /* of Azure: our name; empty: not known yet */
};

/* ---- parsing answers: pure ---- */

const char *notice_kind_name(enum notice_kind kind)
{
    static const char *const names[] = {"none", "taken", "rebalance", "maintenance", "trouble"};

    return names[kind];
}

static struct notice no_notice(void)
{
    return (struct notice){.kind = NOTICE_NONE, .at = -1};
}

static struct str notice_text(const struct node *map, const char *key)
{
    const struct node *value =
        map != NULL && map->kind == NODE_MAP ? node_get(map, str_from(key)) : NULL;

    return value != NULL && value->kind == NODE_SCALAR ? value->text : (struct str){0};
}

/* "2026-03-01T08:22:00Z", "Sun, 01 Mar 2026 08:22:30 GMT" or "21 Jan 2026 09:00:43 GMT"; -1
 * when it is none of these. */
static int64_t parse_notice_moment(struct str text)
{
    char whole[40];
    stamp at;

    text = str_trim(text);
    if (stamp_parse_offset(text, &at) || http_date(text, &at))
        return at.s;
    if (text.len < 23 || text.len > 24)
        return -1;
    (void)snprintf(whole, sizeof whole, "Day, %s%.*s", text.len == 23 ? "0" : "", (int)text.len,
                   text.at);
    return http_date(str_from(whole), &at) ? at.s : -1;
}

/* " at 2026-03-01T08:22:00Z"; `otherwise` when the moment is not known. */
struct when {
    char text[40];
};

static struct when notice_when(int64_t at, const char *otherwise)
{
    struct buf written = buf_new(&alloc_system, 32);
    struct when w;

    if (at < 0) {
        (void)snprintf(w.text, sizeof w.text, "%s", otherwise);
        return w;
    }
    stamp_write((stamp){at}, &written);
    (void)snprintf(w.text, sizeof w.text, " at %.*s", (int)written.len,
                   written.at != NULL ? written.at : "");
    buf_free(&written);
    return w;
}

static const struct node *read_notice_json(struct str body, struct arena *arena)
{
    struct error ignored = {0};

    *arena = (struct arena){.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    return json_read(body, "a notice", arena, &ignored);
}

struct notice notice_ec2_action(struct str body)
{
    static const char *const actions[] = {"terminate", "stop", "hibernate"};
    struct notice n = no_notice();
    struct arena arena;
    const struct node *root = read_notice_json(body, &arena);
    struct str action = notice_text(root, "action");

    for (size_t i = 0; i < ARRAY_LEN(actions); i++) {
        if (!str_eq(action, str_from(actions[i])))
            continue;
        n.kind = NOTICE_TAKEN;
        n.at = parse_notice_moment(notice_text(root, "time"));
        (void)snprintf(n.text, sizeof n.text, "EC2 takes this machine back%s (%s)",
                       notice_when(n.at, " soon").text, actions[i]);
    }
    arena_free(&arena);
    return n;
}

struct notice notice_ec2_rebalance(struct str body)
{
    struct notice n = no_notice();
    struct arena arena;
    const struct node *root = read_notice_json(body, &arena);
    int64_t since = parse_notice_moment(notice_text(root, "noticeTime"));

    if (since >= 0) { /* when it was announced, not when the machine goes */
        n.kind = NOTICE_REBALANCE;
        (void)snprintf(n.text, sizeof n.text,
                       "EC2 says%s that it may soon take this machine back (rebalance)",
                       notice_when(since, "").text);
    }
    arena_free(&arena);
    return n;
}

/* The earlier of two; one without a moment comes last. */
static bool notice_sooner(const struct notice *a, const struct notice *b)
{
    return b->kind == NOTICE_NONE || (a->at >= 0 && (b->at < 0 || a->at < b->at));
}

static struct notice ec2_event(const struct node *event)
{
    struct notice n = no_notice();
    char code[32];

    if (!str_eq(notice_text(event, "State"), STR("active")) ||
        !metadata_word(notice_text(event, "Code"), code, sizeof code))
        return n;
    n.kind = NOTICE_MAINTENANCE;
    n.at = parse_notice_moment(notice_text(event, "NotBefore"));
    (void)snprintf(n.text, sizeof n.text, "EC2 has an event for this machine%s (%s)",
                   notice_when(n.at, "").text, code);
    return n;
}

struct notice notice_ec2_events(struct str body)
{
    struct notice best = no_notice();
    struct arena arena;
    const struct node *root = read_notice_json(body, &arena);
    const struct node *event = root != NULL && root->kind == NODE_LIST ? root->first : NULL;

    for (; event != NULL; event = event->next) {
        struct notice n = ec2_event(event);

        if (n.kind != NOTICE_NONE && notice_sooner(&n, &best))
            best = n;
    }
    arena_free(&arena);
    return best;
}

struct notice notice_gcp(struct str preempted, struct str maintenance)
{
    struct notice n = no_notice();

    preempted = metadata_line(preempted);
    maintenance = metadata_line(maintenance);
    if (str_eq_nocase(preempted, STR("TRUE"))) {
        n.kind = NOTICE_TAKEN;
        (void)snprintf(n.text, sizeof n.text, "GCP takes this machine back within 30 s");
    } else if (str_eq(maintenance, STR("TERMINATE_ON_HOST_MAINTENANCE"))) {
        n.kind = NOTICE_TAKEN;
        (void)snprintf(n.text, sizeof n.text,
                       "GCP stops this machine for maintenance of its host, within the hour");
    } else if (str_eq(maintenance, STR("MIGRATE_ON_HOST_MAINTENANCE"))) {
        n.kind = NOTICE_MAINTENANCE;
        (void)snprintf(n.text, sizeof n.text,
                       "GCP moves this machine to another host: it is slow for a while");
    }
    return n;
}

/* --- Azure ------------------------------------------------------------------------------- */

static const struct {
    const char *type;
    enum notice_kind kind;
    const char *does;
} azure_events[] = {
    {"Preempt", NOTICE_TAKEN, "takes this machine back"},
    {"Terminate", NOTICE_TAKEN, "deletes this machine"},
    {"Redeploy", NOTICE_MAINTENANCE, "moves this machine, which restarts,"},
    {"Reboot", NOTICE_MAINTENANCE, "restarts this machine"},
    {"Freeze", NOTICE_MAINTENANCE, "pauses this machine"},
};

/* Others of the same set are reported, too. */
static bool names_us(const struct node *event, struct str machine)
{
    const struct node *list =
        event->kind == NODE_MAP ? node_get(event, STR("Resources")) : NULL;
    const struct node *one = list != NULL && list->kind == NODE_LIST ? list->first : NULL;

    for (; machine.len > 0 && one != NULL; one = one->next)
        if (one->kind == NODE_SCALAR && str_eq_nocase(one->text, machine))
            return true;
    return false;
}

static struct notice azure_event(const struct node *event)
{
    struct notice n = no_notice();
    struct str type = notice_text(event, "EventType"),
               status = notice_text(event, "EventStatus");

    if (!str_eq(status, STR("Scheduled")) && !str_eq(status, STR("Started")))
        return n;
    for (size_t i = 0; i < ARRAY_LEN(azure_events); i++) {
        if (!str_eq(type, str_from(azure_events[i].type)))
            continue;
        n.kind = (int32_t)azure_events[i].kind;
        n.at = parse_notice_moment(notice_text(event, "NotBefore"));
        (void)metadata_word(notice_text(event, "EventId"), n.id, sizeof n.id);
        /* What has started has no moment any more. */
        (void)snprintf(n.text, sizeof n.text, "Azure %s%s (%s)", azure_events[i].does,
                       notice_when(n.at, " now").text, azure_events[i].type);
    }
    return n;
}

struct notice notice_azure(struct str body, struct str machine)
{
    struct notice best = no_notice();
    struct arena arena;
    const struct node *root = read_notice_json(body, &arena);
    const struct node *events =
        root != NULL && root->kind == NODE_MAP ? node_get(root, STR("Events")) : NULL;
    const struct node *event =
        events != NULL && events->kind == NODE_LIST ? events->first : NULL;

    for (; event != NULL; event = event->next) {
        struct notice n = names_us(event, machine) ? azure_event(event) : no_notice();

        if (n.kind == NOTICE_NONE)
            continue;
        if (n.kind == best.kind ? notice_sooner(&n, &best)
                                : n.kind == NOTICE_TAKEN || best.kind == NOTICE_NONE)
            best = n;
    }
    arena_free(&arena);
    return best;
}

#define GCP "/computeMetadata/v1/instance/"
#define GCP_WAIT 10    /* seconds that one question waits for news */
#define GCP_NOTICE 30  /* seconds from the word to the end */
#define EVENTS_EACH 12 /* looks at EC2's scheduled events, which come days ahead: each minute */
/* Azure makes its service ready at the first question, which takes minutes. */
#define AZURE_FIRST ((span){150 * SECOND})
#define AZURE_AFTER ((span){5 * SECOND})

/* How long to wait between two looks. */
static span notice_pace(enum cloud cloud)
{
    return (span){cloud == CLOUD_AWS ? 5 * SECOND : SECOND};
}

/* Ask; empty when there is nothing (404). */
static bool ask_service(struct notice_look *look, const char *path, span limit,
                        struct str *body, struct error *err)
{
    *body = (struct str){0};
    if (metadata_service_get(&look->service, path, limit, body, err))
        return true;
    if (look->service.status != 404)
        return false;
    *err = (struct error){0};
    return true;
}

static void report_cloud_notice(struct notice_look *look, struct notice notice)
{
    if (notice.kind != NOTICE_NONE)
        look->report(look->ctx, &notice);
}

static bool look_ec2(struct notice_look *look, struct error *err)
{
    struct str body;

    if (!ask_service(look, "/latest/meta-data/spot/instance-action", METADATA_PATIENCE, &body,
                     err))
        return false;
    report_cloud_notice(look, notice_ec2_action(body));
    if (!ask_service(look, "/latest/meta-data/events/recommendations/rebalance",
                     METADATA_PATIENCE, &body, err))
        return false;
    report_cloud_notice(look, notice_ec2_rebalance(body));
    if (look->round % EVENTS_EACH != 0)
        return true;
    if (!ask_service(look, "/latest/meta-data/events/maintenance/scheduled", METADATA_PATIENCE,
                     &body, err))
        return false;
    report_cloud_notice(look, notice_ec2_events(body));
    return true;
}

/* With the mark of the last answer, nothing is missed between two questions. */
static bool ask_preempted(struct notice_look *look, struct str *body, struct error *err)
{
    char path[400];

    if (look->etag[0] == '\0') {
        (void)snprintf(path, sizeof path, GCP "preempted");
        return ask_service(look, path, METADATA_PATIENCE, body, err);
    }
    (void)snprintf(path, sizeof path,
                   GCP "preempted?wait_for_change=true&timeout_sec=%d&last_etag=%s", GCP_WAIT,
                   look->etag);
    return ask_service(look, path, (span){METADATA_PATIENCE.ns + GCP_WAIT * SECOND}, body, err);
}

static bool look_gcp(struct notice_look *look, struct error *err)
{
    struct notice notice;
    struct str body;

    if (!ask_preempted(look, &body, err)) {
        look->etag[0] = '\0';
        return false;
    }
    (void)metadata_word(str_from(look->service.etag), look->etag, sizeof look->etag);
    notice = notice_gcp(body, (struct str){0});
    if (notice.kind == NOTICE_TAKEN)
        notice.at = look->clock->today(look->clock->ctx).s + GCP_NOTICE;
    report_cloud_notice(look, notice);
    if (!ask_service(look, GCP "maintenance-event", METADATA_PATIENCE, &body, err))
        return false;
    report_cloud_notice(look, notice_gcp((struct str){0}, body));
    return true;
}

static bool look_azure(struct notice_look *look, struct error *err)
{
    struct metadata_words words;
    struct str body;

    if (look->machine[0] == '\0') {
        if (!metadata_service_get(&look->service,
                                  "/metadata/instance/compute?api-version=2021-02-01",
                                  METADATA_PATIENCE, &body, err) ||
            !metadata_azure(body, &words, err))
            return false;
        if (words.name[0] == '\0')
            return error_fail(err, ERROR_INPUT, "the metadata service returned no name");
        memcpy(look->machine, words.name, sizeof look->machine);
    }
    if (!ask_service(look, "/metadata/scheduledevents?api-version=2020-07-01",
                     look->round == 0 ? AZURE_FIRST : AZURE_AFTER, &body, err))
        return false;
    report_cloud_notice(look, notice_azure(body, str_from(look->machine)));
    return true;
}

static bool notice_look(struct notice_look *look, struct error *err)
{
    bool ok;

    switch (look->service.cloud) {
    case CLOUD_AWS:
        ok = look_ec2(look, err);
        break;
    case CLOUD_GCP:
        ok = look_gcp(look, err);
        break;
    case CLOUD_AZURE:
        ok = look_azure(look, err);
        break;
    case CLOUD_NONE:
    case CLOUD_LAMBDA:
    case CLOUD_RUNPOD:
    case CLOUD_VAST:
    default:
        return error_fail(err, ERROR_ABSENT, "this machine's provider gives no notice");
    }
    look->round += ok ? 1 : 0;
    return ok;
}

/* ---- the process ---- */

#define LONGEST_PAUSE (60 * SECOND)
#define REMEMBERED 32 /* notices that are not reported again */
#define OURS 3        /* the descriptor of the pipe over there */
#define PATIENT 3     /* failures in a row that may pass: then they are reported */

_Static_assert(sizeof(struct notice) <= PIPE_BUF, "a notice is written at once");

struct watcher {
    struct notice_look look;
    pid_t parent;
    span every;
    struct notice sent[REMEMBERED];
    size_t sent_count;
    unsigned failures;
    bool troubled; /* that was reported */
};

/* Does the supervisor still read the notices? */
static bool service_wanted(const struct watcher *w, int wait_ms)
{
    struct pollfd closed = {.fd = OURS}; /* errors are reported unasked */

    while (poll(&closed, 1, wait_ms) < 0 && errno == EINTR)
        continue;
    return closed.revents == 0 && getppid() == w->parent;
}

static bool go_on_watching(void *ctx)
{
    return service_wanted(ctx, 0);
}

static void rest_until(const struct watcher *w, span pause)
{
    if (!service_wanted(w, (int)(pause.ns / 1000000)))
        _exit(0);
}

/* The same news, whenever they were heard. */
static bool same_notice(const struct notice *a, const struct notice *b)
{
    return a->kind == b->kind && strcmp(a->text, b->text) == 0 && strcmp(a->id, b->id) == 0;
}

static void send_notice(void *ctx, const struct notice *notice)
{
    struct watcher *w = ctx;
    size_t known = w->sent_count < REMEMBERED ? w->sent_count : REMEMBERED;

    for (size_t i = 0; i < known; i++)
        if (same_notice(&w->sent[i], notice))
            return;
    w->sent[w->sent_count++ % REMEMBERED] = *notice;
    if (write(OURS, notice, sizeof *notice) != (ssize_t)sizeof *notice)
        _exit(0);
}

static void send_trouble(struct watcher *w, const struct error *err)
{
    struct notice n = {.kind = NOTICE_TROUBLE, .at = -1};

    if (w->troubled)
        return;
    w->troubled = true;
    (void)snprintf(n.text, sizeof n.text, "no notices of this machine's end: %.120s",
                   err->text);
    send_notice(w, &n);
}

/* Ever longer while it fails. */
static span next_pause(const struct watcher *w)
{
    int64_t ns = w->failures > 0 && w->every.ns > SECOND ? SECOND : w->every.ns;

    for (unsigned i = 1; i < w->failures && ns < LONGEST_PAUSE; i++)
        ns *= 2;
    return (span){ns < LONGEST_PAUSE ? ns : LONGEST_PAUSE};
}

static _Noreturn void watch_services(struct watcher *w)
{
    struct error err = {0};

    if (!metadata_service_open(&w->look.service, &err)) {
        send_trouble(w, &err);
        _exit(1);
    }
    for (;;) {
        err = (struct error){0};
        if (notice_look(&w->look, &err)) {
            w->failures = 0;
        } else if (++w->failures >= PATIENT) {
            if (!service_wanted(w, 0)) /* that is why it failed */
                _exit(0);
            send_trouble(w, &err);
        }
        rest_until(w, next_pause(w));
    }
}

/* Nothing of the parent's is kept open: its terminal, the program's pipes, the ledger. */
static void keep_only_notice_pipe(int pipe_end)
{
    int nothing;

    if (pipe_end != OURS && dup2(pipe_end, OURS) != OURS)
        _exit(1);
    process_close_fds(OURS + 1, -1);
    nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int fd = 0; fd < OURS && nothing >= 0; fd++)
        (void)dup2(nothing, fd);
    if (nothing > OURS)
        (void)close(nothing);
}

static _Noreturn void be_the_watcher(const struct notice_options *options, int pipe_end,
                                     pid_t parent)
{
    static struct watcher w;
    sigset_t none;

    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(0);
    (void)prctl(PR_SET_NAME, "stint-notice");
    (void)setsid(); /* Ctrl-C is for the program */
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    (void)signal(SIGPIPE, SIG_IGN);
    keep_only_notice_pipe(pipe_end);
    w = (struct watcher){.parent = parent, .every = options->every};
    if (w.every.ns <= 0)
        w.every = notice_pace(options->cloud);
    w.look = (struct notice_look){.clock = options->clock, .report = send_notice, .ctx = &w};
    w.look.service = (struct metadata_service){.cloud = options->cloud,
                                               .alloc = options->alloc,
                                               .tries = 1,
                                               .go_on = go_on_watching,
                                               .ctx = &w};
    watch_services(&w);
}

int notice_watch(const struct notice_options *options, pid_t *pid, struct error *err)
{
    pid_t self = getpid();
    int ends[2];

    *pid = -1;
    if (metadata_address(options->cloud) == NULL) {
        error_set(err, ERROR_ABSENT, "this machine's provider gives no notice");
        return -1;
    }
    if (pipe2(ends, O_CLOEXEC) != 0) {
        error_system(err, errno, "cannot make a pipe");
        return -1;
    }
    *pid = fork();
    if (*pid == 0)
        be_the_watcher(options, ends[1], self);
    if (*pid < 0)
        error_system(err, errno, "cannot start a process");
    (void)close(ends[1]);
    if (*pid < 0 || fcntl(ends[0], F_SETFL, O_NONBLOCK) != 0) {
        (void)close(ends[0]);
        return -1;
    }
    log_write(options->log, LOG_INFO, "process %d watches for notices at %s", (int)*pid,
              metadata_address(options->cloud));
    return ends[0];
}

int notice_read(int fd, struct notice *out)
{
    ssize_t got;

    do
        got = read(fd, out, sizeof *out);
    while (got < 0 && errno == EINTR);
    if (got != (ssize_t)sizeof *out)
        return got < 0 && errno == EAGAIN ? 0 : -1;
    out->text[sizeof out->text - 1] = '\0';
    out->id[sizeof out->id - 1] = '\0';
    return 1;
}
