#include "run/cloud/metadata.h"

#include <string.h>

#include "base/fs.h"
#include "run/cloud/metadata_service.h"
#include "run/supervise/aside.h"

/* What the process that asks brings back. */
struct reply {
    struct metadata_words words;
    enum error_kind failed; /* ERROR_NONE when it went well */
    char text[512], hint[384];
};

_Static_assert(sizeof(struct reply) <= ASIDE_MOST, "a reply is too long");

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
        error_set(err, ERROR_INPUT, "%s answers with too much", s->base);
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

    if (s->token[0] == '\0') { /* nothing else will be told either */
        *err = ignored;
        return false;
    }
    return metadata_service_get(s, "/latest/dynamic/instance-identity/document",
                                METADATA_PATIENCE, &document, err) &&
           metadata_ec2(document, life_cycle, out, err);
}

#define GCP "/computeMetadata/v1/instance/"

static bool ask_gcp(struct metadata_service *s, struct metadata_words *out, struct error *err)
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

static bool ask_azure(struct metadata_service *s, struct metadata_words *out, struct error *err)
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
        return ask_gcp(s, out, err);
    case CLOUD_AZURE:
        return ask_azure(s, out, err);
    case CLOUD_NONE:
    case CLOUD_LAMBDA:
    case CLOUD_RUNPOD:
    case CLOUD_VAST:
        break;
    }
    return error_fail(err, ERROR_ABSENT, "this machine's provider has no metadata service");
}

/* In the process of its own, where much memory does not matter. */
static void find_out(void *ctx, void *answer)
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

/* What is told, else what was known. */
static bool keep(const char *told, const char *known, struct arena *arena, struct str *out,
                 struct error *err)
{
    struct str text = str_from(told[0] != '\0' ? told : known);

    *out = (struct str){0};
    if (text.len == 0)
        return true;
    out->at = str_dup(text, arena, err);
    out->len = text.len;
    return out->at != NULL;
}

static bool keep_words(const struct metadata_words *words, const struct cloud_facts *facts,
                       struct arena *arena, struct metadata *out, struct error *err)
{
    *out = (struct metadata){.cloud = facts->cloud, .provider = str_from(facts->provider)};
    return keep(words->instance, facts->instance, arena, &out->instance, err) &&
           keep(words->region, facts->region, arena, &out->region, err) &&
           keep(words->zone, "", arena, &out->zone, err) &&
           keep(words->id, facts->id, arena, &out->id, err) &&
           keep(words->name, "", arena, &out->name, err) &&
           keep(words->resource, "", arena, &out->resource, err) &&
           keep(words->market, "", arena, &out->market, err);
}

/* What clouds without a service leave in the environment. */
static void from_environment(const struct cloud_facts *facts, struct metadata_words *words)
{
    const char *centre = env_get("RUNPOD_DC_ID");

    if (facts->cloud == CLOUD_RUNPOD)
        (void)metadata_word(
            metadata_runpod_country(str_from(centre != NULL ? centre : facts->region)),
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
    } else if (!aside_run(find_out, &question, &reply, sizeof reply, METADATA_LIMIT, &why)) {
        reply = (struct reply){.failed = why.kind};
        (void)snprintf(reply.text, sizeof reply.text, "%s", why.text);
    }
    if (!keep_words(&reply.words, facts, arena, out, err))
        return false;
    if (reply.failed == ERROR_NONE)
        return true;
    error_set(err, reply.failed, "the metadata service of %s: %.400s",
              facts->provider != NULL ? facts->provider : "this machine", reply.text);
    if (reply.hint[0] != '\0')
        error_hint(err, "%s", reply.hint);
    return false;
}
