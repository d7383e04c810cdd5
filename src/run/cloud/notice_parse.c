/* What a cloud's answer says about its machine. Pure. */
#include <string.h>

#include "doc/node.h"
#include "net/http.h"
#include "run/cloud/metadata.h"
#include "run/cloud/notice.h"
#include "unit/time.h"

const char *notice_kind_name(enum notice_kind kind)
{
    static const char *const names[] = {"none", "taken", "rebalance", "maintenance", "trouble"};

    return names[kind];
}

static struct notice none(void)
{
    return (struct notice){.kind = NOTICE_NONE, .at = -1};
}

static struct str text_of(const struct node *map, const char *key)
{
    const struct node *value =
        map != NULL && map->kind == NODE_MAP ? node_get(map, str_from(key)) : NULL;

    return value != NULL && value->kind == NODE_SCALAR ? value->text : (struct str){0};
}

/* "2026-03-01T08:22:00Z", "Sun, 01 Mar 2026 08:22:30 GMT" or "21 Jan 2026 09:00:43 GMT"; -1
 * when it is none of these. */
static int64_t moment(struct str text)
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

static struct when when(int64_t at, const char *otherwise)
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

static const struct node *read_json(struct str body, struct arena *arena)
{
    struct error ignored = {0};

    *arena = (struct arena){.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    return json_read(body, "a notice", arena, &ignored);
}

struct notice notice_ec2_action(struct str body)
{
    static const char *const actions[] = {"terminate", "stop", "hibernate"};
    struct notice n = none();
    struct arena arena;
    const struct node *root = read_json(body, &arena);
    struct str action = text_of(root, "action");

    for (size_t i = 0; i < ARRAY_LEN(actions); i++) {
        if (!str_eq(action, str_from(actions[i])))
            continue;
        n.kind = NOTICE_TAKEN;
        n.at = moment(text_of(root, "time"));
        (void)snprintf(n.text, sizeof n.text, "EC2 takes this machine back%s (%s)",
                       when(n.at, " soon").text, actions[i]);
    }
    arena_free(&arena);
    return n;
}

struct notice notice_ec2_rebalance(struct str body)
{
    struct notice n = none();
    struct arena arena;
    const struct node *root = read_json(body, &arena);
    int64_t since = moment(text_of(root, "noticeTime"));

    if (since >= 0) { /* when it was said, not when the machine goes */
        n.kind = NOTICE_REBALANCE;
        (void)snprintf(n.text, sizeof n.text,
                       "EC2 says%s that it may soon take this machine back (rebalance)",
                       when(since, "").text);
    }
    arena_free(&arena);
    return n;
}

/* The earlier of two; one without a moment comes last. */
static bool sooner(const struct notice *a, const struct notice *b)
{
    return b->kind == NOTICE_NONE || (a->at >= 0 && (b->at < 0 || a->at < b->at));
}

static struct notice ec2_event(const struct node *event)
{
    struct notice n = none();
    char code[32];

    if (!str_eq(text_of(event, "State"), STR("active")) ||
        !metadata_word(text_of(event, "Code"), code, sizeof code))
        return n;
    n.kind = NOTICE_MAINTENANCE;
    n.at = moment(text_of(event, "NotBefore"));
    (void)snprintf(n.text, sizeof n.text, "EC2 has an event for this machine%s (%s)",
                   when(n.at, "").text, code);
    return n;
}

struct notice notice_ec2_events(struct str body)
{
    struct notice best = none();
    struct arena arena;
    const struct node *root = read_json(body, &arena);
    const struct node *event = root != NULL && root->kind == NODE_LIST ? root->first : NULL;

    for (; event != NULL; event = event->next) {
        struct notice n = ec2_event(event);

        if (n.kind != NOTICE_NONE && sooner(&n, &best))
            best = n;
    }
    arena_free(&arena);
    return best;
}

struct notice notice_gcp(struct str preempted, struct str maintenance)
{
    struct notice n = none();

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
    {"Freeze", NOTICE_MAINTENANCE, "lets this machine stand still"},
};

/* Others of the same set are told of, too. */
static bool names(const struct node *event, struct str machine)
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
    struct notice n = none();
    struct str type = text_of(event, "EventType"), status = text_of(event, "EventStatus");

    if (!str_eq(status, STR("Scheduled")) && !str_eq(status, STR("Started")))
        return n;
    for (size_t i = 0; i < ARRAY_LEN(azure_events); i++) {
        if (!str_eq(type, str_from(azure_events[i].type)))
            continue;
        n.kind = (int32_t)azure_events[i].kind;
        n.at = moment(text_of(event, "NotBefore"));
        (void)metadata_word(text_of(event, "EventId"), n.id, sizeof n.id);
        /* What has started has no moment any more. */
        (void)snprintf(n.text, sizeof n.text, "Azure %s%s (%s)", azure_events[i].does,
                       when(n.at, " now").text, azure_events[i].type);
    }
    return n;
}

struct notice notice_azure(struct str body, struct str machine)
{
    struct notice best = none();
    struct arena arena;
    const struct node *root = read_json(body, &arena);
    const struct node *events =
        root != NULL && root->kind == NODE_MAP ? node_get(root, STR("Events")) : NULL;
    const struct node *event =
        events != NULL && events->kind == NODE_LIST ? events->first : NULL;

    for (; event != NULL; event = event->next) {
        struct notice n = names(event, machine) ? azure_event(event) : none();

        if (n.kind == NOTICE_NONE)
            continue;
        if (n.kind == best.kind ? sooner(&n, &best)
                                : n.kind == NOTICE_TAKEN || best.kind == NOTICE_NONE)
            best = n;
    }
    arena_free(&arena);
    return best;
}
