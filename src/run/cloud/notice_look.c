#include "run/cloud/notice_look.h"

#include <string.h>

#include "run/cloud/metadata.h"

#define SECOND INT64_C(1000000000)
#define GCP "/computeMetadata/v1/instance/"
#define GCP_WAIT 10    /* seconds that one question waits for news */
#define GCP_NOTICE 30  /* seconds from the word to the end */
#define EVENTS_EACH 12 /* looks at EC2's scheduled events, which come days ahead: each minute */
/* Azure makes its service ready at the first question, which takes minutes. */
#define AZURE_FIRST ((span){150 * SECOND})
#define AZURE_AFTER ((span){5 * SECOND})

span notice_pace(enum cloud cloud)
{
    return (span){cloud == CLOUD_AWS ? 5 * SECOND : SECOND};
}

/* Ask; empty when there is nothing (404). */
static bool ask(struct notice_look *look, const char *path, span limit, struct str *body,
                struct error *err)
{
    *body = (struct str){0};
    if (metadata_service_get(&look->service, path, limit, body, err))
        return true;
    if (look->service.status != 404)
        return false;
    *err = (struct error){0};
    return true;
}

static void tell(struct notice_look *look, struct notice notice)
{
    if (notice.kind != NOTICE_NONE)
        look->tell(look->ctx, &notice);
}

static bool look_ec2(struct notice_look *look, struct error *err)
{
    struct str body;

    if (!ask(look, "/latest/meta-data/spot/instance-action", METADATA_PATIENCE, &body, err))
        return false;
    tell(look, notice_ec2_action(body));
    if (!ask(look, "/latest/meta-data/events/recommendations/rebalance", METADATA_PATIENCE,
             &body, err))
        return false;
    tell(look, notice_ec2_rebalance(body));
    if (look->round % EVENTS_EACH != 0)
        return true;
    if (!ask(look, "/latest/meta-data/events/maintenance/scheduled", METADATA_PATIENCE, &body,
             err))
        return false;
    tell(look, notice_ec2_events(body));
    return true;
}

/* With the mark of what was said last, nothing is missed between two questions. */
static bool ask_preempted(struct notice_look *look, struct str *body, struct error *err)
{
    char path[400];

    if (look->etag[0] == '\0') {
        (void)snprintf(path, sizeof path, GCP "preempted");
        return ask(look, path, METADATA_PATIENCE, body, err);
    }
    (void)snprintf(path, sizeof path,
                   GCP "preempted?wait_for_change=true&timeout_sec=%d&last_etag=%s", GCP_WAIT,
                   look->etag);
    return ask(look, path, (span){METADATA_PATIENCE.ns + GCP_WAIT * SECOND}, body, err);
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
    tell(look, notice);
    if (!ask(look, GCP "maintenance-event", METADATA_PATIENCE, &body, err))
        return false;
    tell(look, notice_gcp((struct str){0}, body));
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
            return error_fail(err, ERROR_INPUT, "the metadata service tells no name");
        memcpy(look->machine, words.name, sizeof look->machine);
    }
    if (!ask(look, "/metadata/scheduledevents?api-version=2020-07-01",
             look->round == 0 ? AZURE_FIRST : AZURE_AFTER, &body, err))
        return false;
    tell(look, notice_azure(body, str_from(look->machine)));
    return true;
}

bool notice_look(struct notice_look *look, struct error *err)
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
