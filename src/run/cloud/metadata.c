/* What a cloud's metadata service says about this machine. Any answer may be a captive portal's
 * page. */
#include "run/cloud/metadata.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/characters.h"
#include "base/fs.h"
#include "doc/node.h"
#include "run/cloud/metadata_service.h"

bool metadata_word(struct str text, char *to, size_t room)
{
    to[0] = '\0';
    if (text.len == 0 || text.len >= room)
        return false;
    for (size_t i = 0; i < text.len; i++) {
        char c = text.at[i];

        if (!(is_letter_or_digit(c) || c == '-' || c == '_' || c == '.' || c == '+'))
            return false;
    }
    memcpy(to, text.at, text.len);
    to[text.len] = '\0';
    return true;
}

struct str metadata_line(struct str body)
{
    return str_trim(str_cut(&body, '\n'));
}

/* The text under a key of a map; empty when it is not there, or no text. */
static struct str metadata_text(const struct node *map, const char *key)
{
    const struct node *value = map->kind == NODE_MAP ? node_get(map, str_from(key)) : NULL;

    return value != NULL && value->kind == NODE_SCALAR ? value->text : (struct str){0};
}

static bool odd_answer(struct error *err, const char *what)
{
    return error_fail(err, ERROR_INPUT, "the metadata service returned no valid %s", what);
}

bool metadata_ec2(struct str document, struct str life_cycle, struct metadata_words *out,
                  struct error *err)
{
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    const struct node *root = json_read(document, "the identity document", &arena, err);
    bool ok = root != NULL;

    *out = (struct metadata_words){.instance = ""};
    life_cycle = metadata_line(life_cycle);
    if (ok && !metadata_word(metadata_text(root, "instanceType"), out->instance,
                             sizeof out->instance))
        ok = odd_answer(err, "instance type");
    if (ok && !metadata_word(metadata_text(root, "region"), out->region, sizeof out->region))
        ok = odd_answer(err, "region");
    if (ok) {
        (void)metadata_word(metadata_text(root, "availabilityZone"), out->zone,
                            sizeof out->zone);
        (void)metadata_word(metadata_text(root, "instanceId"), out->id, sizeof out->id);
        memcpy(out->name, out->id, sizeof out->id);
    }
    if (ok && str_eq(life_cycle, STR("spot")))
        (void)snprintf(out->market, sizeof out->market, "spot");
    else if (ok && (str_eq(life_cycle, STR("on-demand")) || str_eq(life_cycle, STR("normal"))))
        (void)snprintf(out->market, sizeof out->market, "on-demand");
    arena_free(&arena);
    return ok;
}

bool metadata_gcp(struct str machine_type, struct str zone, struct str preemptible,
                  struct str id, struct metadata_words *out, struct error *err)
{
    const char *dash;

    *out = (struct metadata_words){.instance = ""};
    preemptible = metadata_line(preemptible);
    if (!metadata_word(str_after_last(metadata_line(machine_type), '/'), out->instance,
                       sizeof out->instance))
        return odd_answer(err, "machine type");
    if (!metadata_word(str_after_last(metadata_line(zone), '/'), out->zone, sizeof out->zone))
        return odd_answer(err, "zone");
    dash = strrchr(out->zone, '-');
    if (dash == NULL || dash == out->zone)
        return odd_answer(err, "zone");
    (void)metadata_word((struct str){out->zone, (size_t)(dash - out->zone)}, out->region,
                        sizeof out->region);
    (void)metadata_word(metadata_line(id), out->id, sizeof out->id);
    memcpy(out->name, out->id, sizeof out->id);
    if (str_eq_nocase(preemptible, STR("TRUE")))
        (void)snprintf(out->market, sizeof out->market, "spot");
    else if (str_eq_nocase(preemptible, STR("FALSE")))
        (void)snprintf(out->market, sizeof out->market, "on-demand");
    return true;
}

static void azure_market(struct str priority, struct metadata_words *out)
{
    bool spot = str_eq_nocase(priority, STR("Spot")) || str_eq_nocase(priority, STR("Low"));

    /* Machines from before there was another kind have no priority at all. */
    (void)snprintf(out->market, sizeof out->market, "%s", spot ? "spot" : "on-demand");
}

/* A path of words: "/subscriptions/1/resourceGroups/rg (old)/providers/...". Nothing when it is
 * anything else, or does not fit. */
static void take_metadata_path(struct str path, char to[static METADATA_PATH])
{
    to[0] = '\0';
    if (path.len < 2 || path.len >= METADATA_PATH || path.at[0] != '/')
        return;
    for (size_t i = 0; i < path.len; i++) {
        char c = path.at[i];

        if (!(is_letter_or_digit(c) || strchr("/-_.()", c) != NULL) || c == '\0')
            return;
    }
    memcpy(to, path.at, path.len);
    to[path.len] = '\0';
}

/* Bills name a machine by its path, not by vmId. Older services return only its parts. */
static void azure_resource(const struct node *compute, struct metadata_words *out)
{
    struct str path = metadata_text(compute, "resourceId");
    struct str account = metadata_text(compute, "subscriptionId");
    struct str group = metadata_text(compute, "resourceGroupName"),
               name = metadata_text(compute, "name");
    char made[METADATA_PATH];
    int len;

    if (path.len == 0 && account.len > 0 && group.len > 0 && name.len > 0 &&
        metadata_text(compute, "vmScaleSetName").len == 0) {
        len = snprintf(made, sizeof made,
                       "/subscriptions/%.*s/resourceGroups/%.*s/providers/Microsoft.Compute/"
                       "virtualMachines/%.*s",
                       (int)account.len, account.at, (int)group.len, group.at, (int)name.len,
                       name.at);
        if (len > 0 && (size_t)len < sizeof made)
            path = str_from(made);
    }
    take_metadata_path(path, out->resource);
}

bool metadata_azure(struct str body, struct metadata_words *out, struct error *err)
{
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    const struct node *root = json_read(body, "the instance's metadata", &arena, err);
    const struct node *compute =
        root != NULL && root->kind == NODE_MAP ? node_get(root, STR("compute")) : NULL;
    bool ok = root != NULL;

    *out = (struct metadata_words){.instance = ""};
    if (compute == NULL)
        compute = root;
    if (ok &&
        !metadata_word(metadata_text(compute, "vmSize"), out->instance, sizeof out->instance))
        ok = odd_answer(err, "size");
    if (ok &&
        !metadata_word(metadata_text(compute, "location"), out->region, sizeof out->region))
        ok = odd_answer(err, "location");
    if (ok) {
        (void)metadata_word(metadata_text(compute, "zone"), out->zone, sizeof out->zone);
        (void)metadata_word(metadata_text(compute, "vmId"), out->id, sizeof out->id);
        (void)metadata_word(metadata_text(compute, "name"), out->name, sizeof out->name);
        azure_market(metadata_text(compute, "priority"), out);
        azure_resource(compute, out);
    }
    arena_free(&arena);
    return ok;
}

struct str metadata_runpod_country(struct str center)
{
    static const char *const continents[] = {"EU", "EUR", "AP", "OC", "SEA", "AS", "AF", "ME"};
    struct str rest = center, part = str_cut(&rest, '-');

    for (size_t i = 0; i < ARRAY_LEN(continents); i++)
        if (str_eq(part, str_from(continents[i])))
            part = str_cut(&rest, '-');
    for (size_t i = 0; i < part.len; i++)
        if (part.at[i] < 'A' || part.at[i] > 'Z')
            return (struct str){0};
    return part.len == 2 ? part : (struct str){0};
}

/* What the process that asks brings back. */
struct reply {
    struct metadata_words words;
    enum error_kind failed; /* ERROR_NONE when it went well */
    char text[512], hint[384];
};

_Static_assert(sizeof(struct reply) <= PIPE_BUF, "a reply is written at once, or not at all");

/* What it knows before. */
struct question {
    enum cloud cloud;
    const struct alloc *alloc;
    const struct log *log;
};

/* One answer, as a copy: the service's own goes with the next. Empty when there is none. */
struct answer {
    char text[256];
};

static struct str get_small(struct metadata_service *s, const char *path, struct answer *copy,
                            struct error *err)
{
    struct str body;

    if (!metadata_service_get(s, path, METADATA_PATIENCE, &body, err))
        return (struct str){0};
    if (body.len > sizeof copy->text) {
        error_set(err, ERROR_INPUT, "the answer of %s is too long", s->base);
        return (struct str){0};
    }
    memcpy(copy->text, body.at, body.len);
    return (struct str){copy->text, body.len};
}

static bool ask_ec2(struct metadata_service *s, struct metadata_words *out, struct error *err)
{
    struct error ignored = {0};
    struct answer life;
    struct str life_cycle =
        get_small(s, "/latest/meta-data/instance-life-cycle", &life, &ignored);
    struct str document;

    if (s->token[0] == '\0') { /* nothing else will be answered either */
        *err = ignored;
        return false;
    }
    return metadata_service_get(s, "/latest/dynamic/instance-identity/document",
                                METADATA_PATIENCE, &document, err) &&
           metadata_ec2(document, life_cycle, out, err);
}

#define GCP "/computeMetadata/v1/instance/"

static bool ask_gcp_metadata(struct metadata_service *s, struct metadata_words *out,
                             struct error *err)
{
    struct error ignored = {0};
    struct answer type, zone, preemptible, id;
    struct str type_text = get_small(s, GCP "machine-type", &type, err);
    struct str zone_text = {0}, preemptible_text, id_text;

    if (type_text.len > 0)
        zone_text = get_small(s, GCP "zone", &zone, err);
    if (err->kind != ERROR_NONE)
        return false;
    preemptible_text = get_small(s, GCP "scheduling/preemptible", &preemptible, &ignored);
    id_text = get_small(s, GCP "id", &id, &ignored);
    return metadata_gcp(type_text, zone_text, preemptible_text, id_text, out, err);
}

static bool ask_azure_metadata(struct metadata_service *s, struct metadata_words *out,
                               struct error *err)
{
    struct str body;

    return metadata_service_get(s, "/metadata/instance/compute?api-version=2021-02-01",
                                METADATA_PATIENCE, &body, err) &&
           metadata_azure(body, out, err);
}

static bool ask_cloud(struct metadata_service *s, struct metadata_words *out, struct error *err)
{
    switch (s->cloud) {
    case CLOUD_AWS:
        return ask_ec2(s, out, err);
    case CLOUD_GCP:
        return ask_gcp_metadata(s, out, err);
    case CLOUD_AZURE:
        return ask_azure_metadata(s, out, err);
    case CLOUD_NONE:
    case CLOUD_LAMBDA:
    case CLOUD_RUNPOD:
    case CLOUD_VAST:
        break;
    }
    return error_fail(err, ERROR_ABSENT, "this machine's provider has no metadata service");
}

/* In the process of its own, where much memory does not matter. */
static void find_out_metadata(void *ctx, void *answer)
{
    static struct metadata_service service;
    const struct question *q = ctx;
    struct reply *reply = answer;
    struct error err = {0};

    service = (struct metadata_service){
        .cloud = q->cloud, .alloc = q->alloc, .log = q->log, .tries = 2};
    if (!metadata_service_open(&service, &err) || !ask_cloud(&service, &reply->words, &err)) {
        reply->words = (struct metadata_words){.instance = ""};
        reply->failed = err.kind;
        memcpy(reply->text, err.text, sizeof reply->text);
        memcpy(reply->hint, err.hint, sizeof reply->hint);
    }
    metadata_service_close(&service);
}

/* ---- in a process of its own ---- */

static _Noreturn void be_the_child(void (*work)(void *ctx, void *answer), void *ctx,
                                   void *answer, size_t size, int to, pid_t parent)
{
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(0);
    work(ctx, answer);
    _exit(write(to, answer, size) == (ssize_t)size ? 0 : 1);
}

static bool take_metadata_answer(int from, void *answer, size_t size, span limit,
                                 struct error *err)
{
    struct pollfd ready = {.fd = from, .events = POLLIN};
    int64_t ms = limit.ns / 1000000;
    ssize_t got;
    int found;

    do
        found = poll(&ready, 1, ms > INT_MAX ? INT_MAX : (int)ms);
    while (found < 0 && errno == EINTR);
    if (found == 0)
        return error_fail(err, ERROR_FAILED, "no answer within %lld s",
                          (long long)(limit.ns / 1000000000));
    do
        got = read(from, answer, size);
    while (got < 0 && errno == EINTR);
    if (got != (ssize_t)size)
        return error_fail(err, ERROR_FAILED, "the process that asks ended without an answer");
    return true;
}

bool metadata_apart(void (*work)(void *ctx, void *answer), void *ctx, void *answer, size_t size,
                    span limit, struct error *err)
{
    pid_t self = getpid(), child;
    int ends[2];
    bool ok;

    if (pipe2(ends, O_CLOEXEC) != 0) {
        error_system(err, errno, "cannot make a pipe");
        return false;
    }
    child = fork();
    if (child < 0) {
        error_system(err, errno, "cannot start a process");
        (void)close(ends[0]);
        (void)close(ends[1]);
        return false;
    }
    if (child == 0) {
        (void)close(ends[0]);
        be_the_child(work, ctx, answer, size, ends[1], self);
    }
    (void)close(ends[1]);
    ok = take_metadata_answer(ends[0], answer, size, limit, err);
    (void)close(ends[0]);
    if (!ok)
        (void)kill(child, SIGKILL);
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
        continue;
    return ok;
}

/* ---- together ---- */

/* What was answered, else what was known. */
static bool keep_metadata_text(const char *answered, const char *known, struct arena *arena,
                               struct str *out, struct error *err)
{
    struct str text = str_from(answered[0] != '\0' ? answered : known);

    *out = (struct str){0};
    if (text.len == 0)
        return true;
    out->at = str_dup(text, arena, err);
    out->len = text.len;
    return out->at != NULL;
}

static bool keep_metadata_words(const struct metadata_words *words,
                                const struct cloud_facts *facts, struct arena *arena,
                                struct metadata *out, struct error *err)
{
    *out = (struct metadata){.cloud = facts->cloud, .provider = facts->provider};
    return keep_metadata_text(words->instance, facts->instance, arena, &out->instance, err) &&
           keep_metadata_text(words->region, facts->region, arena, &out->region, err) &&
           keep_metadata_text(words->zone, "", arena, &out->zone, err) &&
           keep_metadata_text(words->id, facts->id, arena, &out->id, err) &&
           keep_metadata_text(words->name, "", arena, &out->name, err) &&
           keep_metadata_text(words->resource, "", arena, &out->resource, err) &&
           keep_metadata_text(words->market, "", arena, &out->market, err);
}

/* What clouds without a service leave in the environment. */
static void from_environment(const struct cloud_facts *facts, struct metadata_words *words)
{
    const char *center = env_get("RUNPOD_DC_ID");

    if (facts->cloud == CLOUD_RUNPOD)
        (void)metadata_word(
            metadata_runpod_country(str_from(center != NULL ? center : facts->region)),
            words->region, sizeof words->region);
    if (facts->cloud == CLOUD_LAMBDA) /* it has no other market */
        (void)snprintf(words->market, sizeof words->market, "on-demand");
}

bool metadata_ask(const struct cloud_facts *facts, const struct alloc *alloc,
                  const struct log *log, struct arena *arena, struct metadata *out,
                  struct error *err)
{
    struct question question = {facts->cloud, alloc, log};
    struct reply reply = {.failed = ERROR_NONE};
    struct error why = {0};

    if (metadata_address(facts->cloud) == NULL) {
        from_environment(facts, &reply.words);
    } else if (!metadata_apart(find_out_metadata, &question, &reply, sizeof reply,
                               METADATA_LIMIT, &why)) {
        reply = (struct reply){.failed = why.kind};
        (void)snprintf(reply.text, sizeof reply.text, "%s", why.text);
    }
    if (!keep_metadata_words(&reply.words, facts, arena, out, err))
        return false;
    if (reply.failed == ERROR_NONE)
        return true;
    error_set(err, reply.failed, "the metadata service of %s: %.400s",
              facts->provider.len > 0 ? facts->provider.at : "this machine", reply.text);
    if (reply.hint[0] != '\0')
        error_hint(err, "%s", reply.hint);
    return false;
}
