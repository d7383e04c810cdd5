#include "run/cloud/metadata_service.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/characters.h"
#include "base/fs.h"
#include "run/cloud/metadata.h"

#define MS INT64_C(1000000)
/* Of EC2, seconds: longer than most runs wait between questions, shorter than a day. */
#define TOKEN_LIFE "21600"

const char *metadata_address(enum cloud cloud)
{
    const char *set = env_get("STINT_METADATA_URL");

    switch (cloud) {
    case CLOUD_AWS:
    case CLOUD_GCP: /* by number: its name would ask a name server first */
    case CLOUD_AZURE:
        return set != NULL ? set : "http://169.254.169.254";
    case CLOUD_NONE:
    case CLOUD_LAMBDA:
    case CLOUD_RUNPOD:
    case CLOUD_VAST:
        break;
    }
    return NULL;
}

bool metadata_service_open(struct metadata_service *s, struct error *err)
{
    const char *address = metadata_address(s->cloud);
    size_t len;

    s->session = NULL;
    s->token[0] = s->etag[0] = '\0';
    s->status = 0;
    s->len = 0;
    if (address == NULL)
        return error_fail(err, ERROR_ABSENT, "this machine's provider has no metadata service");
    len = strlen(address);
    while (len > 0 && address[len - 1] == '/')
        len--;
    if (len >= sizeof s->base)
        return error_fail(err, ERROR_INPUT, "the address in STINT_METADATA_URL is too long");
    memcpy(s->base, address, len);
    s->base[len] = '\0';
    s->session = http_session_open(err);
    return s->session != NULL;
}

void metadata_service_close(struct metadata_service *s)
{
    http_session_close(s->session);
    s->session = NULL;
    explicit_bzero(s->token, sizeof s->token);
}

static bool keep_asking_metadata(void *ctx, uint64_t done, uint64_t total)
{
    const struct metadata_service *s = ctx;

    (void)done;
    (void)total;
    return s->go_on == NULL || s->go_on(s->ctx);
}

static bool read_metadata_body(struct metadata_service *s, const struct http_response *r,
                               struct error *err)
{
    while (r->fd >= 0 && s->len < sizeof s->body) {
        ssize_t got = read(r->fd, s->body + s->len, sizeof s->body - s->len);

        if (got == 0)
            break;
        if (got < 0 && errno != EINTR) {
            error_system(err, errno, "cannot read the answer again");
            return false;
        }
        s->len += got > 0 ? (size_t)got : 0;
    }
    return true;
}

static bool exchange_once(struct metadata_service *s, const char *path, struct http_request *r,
                          span limit, struct error *err)
{
    char url[1024];
    const struct http_manners manners = {.tries = s->tries > 0 ? s->tries : 1,
                                         .wait = {100 * MS},
                                         .patience = {1000 * MS},
                                         .connect = {1000 * MS},
                                         .stall = limit, /* a long poll says nothing */
                                         .attempt = limit};
    const struct http_client client = {.alloc = s->alloc,
                                       .log = s->log,
                                       .manners = &manners,
                                       .session = s->session,
                                       .progress = keep_asking_metadata,
                                       .progress_ctx = s};
    struct http_response response;
    bool ok;

    s->len = 0;
    if (snprintf(url, sizeof url, "%s%s", s->base, path) >= (int)sizeof url)
        return error_fail(err, ERROR_INPUT, "a question to the metadata service is too long");
    r->url = url;
    r->direct = true;
    r->max_body = sizeof s->body;
    ok = http_get(&client, r, &response, err);
    s->status = response.status;
    (void)snprintf(s->etag, sizeof s->etag, "%s", response.etag);
    if (ok && s->cloud == CLOUD_GCP && strcmp(response.watched, "Google") != 0)
        ok = error_fail(err, ERROR_FAILED,
                        "%s answers, but not as Google's metadata service does", s->base);
    ok = ok && read_metadata_body(s, &response, err);
    http_response_close(&response);
    return ok;
}

/* A token looks like no page of a portal. */
static bool is_token(struct str text)
{
    for (size_t i = 0; i < text.len; i++) {
        char c = text.at[i];

        if (!(is_letter_or_digit(c) || c == '+' || c == '/' || c == '=' || c == '-' ||
              c == '_'))
            return false;
    }
    return text.len > 0;
}

/* IMDSv2: without a token nothing is answered, and version 1 is not used. */
static bool renew_token(struct metadata_service *s, struct error *err)
{
    const struct http_header life = {"X-aws-ec2-metadata-token-ttl-seconds", TOKEN_LIFE, false};
    struct http_request r = {.method = "PUT", .headers = &life, .header_count = 1};
    struct str text;

    s->token[0] = '\0';
    if (!exchange_once(s, "/latest/api/token", &r, METADATA_PATIENCE, err)) {
        if (s->status == 0)
            error_hint(err, "in a container the instance's hop limit must be 2: see "
                            "docs/guide/run-money.md");
        return false;
    }
    text = metadata_line((struct str){s->body, s->len});
    if (text.len >= sizeof s->token || !is_token(text))
        return error_fail(err, ERROR_FAILED,
                          "%s answers, but not as EC2's metadata service does", s->base);
    memcpy(s->token, text.at, text.len);
    s->token[text.len] = '\0';
    return true;
}

static bool ask_once(struct metadata_service *s, const char *path, span limit,
                     struct error *err)
{
    const struct http_header of[] = {
        [CLOUD_AWS] = {"X-aws-ec2-metadata-token", s->token, false},
        [CLOUD_GCP] = {"Metadata-Flavor", "Google", false},
        [CLOUD_AZURE] = {"Metadata", "true", false},
    };
    struct http_request r = {
        .headers = &of[s->cloud], .header_count = 1, .watch = "Metadata-Flavor:"};

    if (s->cloud != CLOUD_AWS)
        return exchange_once(s, path, &r, limit, err);
    if (s->token[0] == '\0' && !renew_token(s, err))
        return false;
    if (exchange_once(s, path, &r, limit, err))
        return true;
    if (s->status != 401)
        return false;
    *err = (struct error){0}; /* the token is too old */
    return renew_token(s, err) && exchange_once(s, path, &r, limit, err);
}

bool metadata_service_get(struct metadata_service *s, const char *path, span limit,
                          struct str *body, struct error *err)
{
    if (!ask_once(s, path, limit, err))
        return false;
    *body = (struct str){s->body, s->len};
    return true;
}
