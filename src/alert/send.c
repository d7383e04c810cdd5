/* One message to one receiver, once. */
#include <string.h>

#include "alert/alert.h"
#include "net/credentials.h"
#include "net/http.h"
#include "net/sign.h"
#include "net/smtp.h"

#define SECOND INT64_C(1000000000)
#define MAX_ANSWER 65536
#define MAX_MESSAGE (((size_t)1 << 20) + ALERT_ATTACHED_MAX / 2 * 3) /* base64: 4 for 3 */
#define MAX_RECEIVERS 50
#define PAGERDUTY "https://events.pagerduty.com/v2/enqueue"

const struct http_manners alert_manners = {
    .tries = 1,
    .wait = {SECOND},
    .patience = {SECOND},
    .connect = {10 * SECOND},
    .stall = {15 * SECOND},
    .attempt = {30 * SECOND},
    .no_metadata = true,
};

/* --- HTTP --------------------------------------------------------------------------------- */

/* Where a request of this kind goes, with a NUL after it. */
static void put_address(const struct alert_channel *channel, struct buf *out)
{
    struct str url = str_from(channel->url), topic;

    if (channel->kind == ALERT_PAGERDUTY && url.len == 0)
        url = STR(PAGERDUTY);
    if (channel->kind == ALERT_NTFY)
        alert_ntfy_address(channel, &url, &topic);
    while (channel->kind == ALERT_ALERTMANAGER && url.len > 0 && url.at[url.len - 1] == '/')
        url.len--;
    buf_add(out, url);
    if (channel->kind == ALERT_NTFY)
        buf_char(out, '/');
    if (channel->kind == ALERT_ALERTMANAGER && !str_ends(url, STR("/api/v2/alerts")))
        buf_adds(out, "/api/v2/alerts");
    buf_char(out, '\0');
}

/* What goes into the headers; texts live as long as this. */
struct headers {
    struct http_header at[2];
    size_t count;
    char token[CREDENTIAL_MAX + 16], moment[24], signature[SIGN_HEX + 8];
};

static bool make_headers(const struct alert_channel *channel, struct str body, stamp now,
                         struct headers *out, struct error *err)
{
    char hex[SIGN_HEX];
    bool bearer = channel->kind == ALERT_NTFY || channel->kind == ALERT_ALERTMANAGER;

    if (channel->key == NULL || (!bearer && channel->kind != ALERT_WEBHOOK))
        return true;
    if (bearer) {
        (void)snprintf(out->token, sizeof out->token, "Bearer %s", channel->key);
        out->at[out->count++] = (struct http_header){"Authorization", out->token, true};
        return true;
    }
    (void)snprintf(out->moment, sizeof out->moment, "%lld", (long long)now.s);
    if (!sign_hmac(str_from(channel->key),
                   (const struct str[]){str_from(out->moment), STR("."), body}, 3, hex, err))
        return false;
    (void)snprintf(out->signature, sizeof out->signature, "sha256=%s", hex);
    out->at[out->count++] = (struct http_header){"X-Stint-Timestamp", out->moment, false};
    out->at[out->count++] = (struct http_header){"X-Signature-256", out->signature, false};
    return true;
}

/* Messages with a secret in the address or body must not be logged. */
static bool is_secret(const struct alert_channel *channel)
{
    return alert_url_secret(channel->kind) || channel->kind == ALERT_PAGERDUTY ||
           channel->url_secret;
}

static bool may_work_later(int status, const struct error *err)
{
    if (status == 0)
        return err->kind != ERROR_INPUT && err->kind != ERROR_USAGE;
    return status == 408 || status == 425 || status == 429 || status >= 500;
}

static void set_answer(const struct alert_channel *channel, const char *text,
                       struct alert_outcome *out)
{
    char line[512];
    size_t len;

    (void)snprintf(line, sizeof line, "%s", text);
    len = secret_hide(line, strlen(line), channel->key);
    (void)snprintf(out->answer, sizeof out->answer, "%.*s", (int)len, line);
}

static bool send_request(const struct http_client *client, const struct alert_channel *channel,
                         struct str body, stamp now, struct alert_outcome *out)
{
    struct buf address = buf_new(client->alloc, CREDENTIAL_MAX + 64);
    struct http_request request = {.content_type = "application/json",
                                   .body = body,
                                   .stay = true,
                                   .secret = is_secret(channel),
                                   .max_body = MAX_ANSWER};
    struct http_response response = {.fd = -1};
    struct headers headers = {0};
    struct error err = {0};
    bool taken = false;

    put_address(channel, &address);
    if (buf_ok(&address, &err) && make_headers(channel, body, now, &headers, &err)) {
        request.url = address.at;
        request.headers = headers.at;
        request.header_count = headers.count;
        taken = http_get(client, &request, &response, &err);
        out->status = response.status;
        /* It was accepted, even if the rest of the answer is lost. */
        taken = taken || (response.status >= 200 && response.status < 300);
        if (response.retry_after > 0)
            out->after.ns =
                (response.retry_after < 86400 ? response.retry_after : 86400) * SECOND;
        http_response_close(&response);
    }
    if (taken) {
        (void)snprintf(out->answer, sizeof out->answer, "%d", out->status);
    } else {
        out->retry = may_work_later(out->status, &err);
        set_answer(channel, err.text, out);
    }
    if (address.at != NULL)
        explicit_bzero(address.at, address.len);
    buf_free(&address);
    explicit_bzero(&headers, sizeof headers);
    return taken;
}

/* --- mail --------------------------------------------------------------------------------- */

static bool send_mail(const struct http_client *client, const struct alert_channel *channel,
                      struct str text, struct alert_outcome *out)
{
    struct arena arena = {.alloc = client->alloc, .block_size = ARENA_BLOCK_SIZE};
    const char *to[MAX_RECEIVERS];
    struct smtp_mail letter = {.url = channel->url,
                               .user = channel->user,
                               .password = channel->key,
                               .ca = channel->ca,
                               .to = to,
                               .text = text};
    struct smtp_outcome outcome = {0};
    struct str rest = channel->to;
    struct error err = {0};
    bool taken = false;

    letter.from = str_dup(channel->from, &arena, &err);
    while (err.kind == ERROR_NONE && rest.len > 0 && letter.to_count < MAX_RECEIVERS)
        to[letter.to_count++] = str_dup(str_trim(str_cut(&rest, ',')), &arena, &err);
    if (err.kind == ERROR_NONE) {
        taken = smtp_send(client, &letter, &outcome);
        out->status = outcome.status;
        out->retry = outcome.retry;
        set_answer(channel, outcome.answer, out);
    } else {
        out->retry = true;
        set_answer(channel, err.text, out);
    }
    arena_free(&arena);
    return taken;
}

bool alert_send(const struct http_client *client, const struct alert_channel *channel,
                const struct alert_message *message, stamp now, struct alert_outcome *out)
{
    struct buf body = buf_new(client->alloc, MAX_MESSAGE);
    struct error err = {0};
    bool taken = false;

    *out = (struct alert_outcome){0};
    if (!alert_payload(channel, message, now, &body, &err)) {
        out->retry = err.kind == ERROR_MEMORY;
        set_answer(channel, err.text, out);
    } else if (channel->kind == ALERT_EMAIL) {
        taken = send_mail(client, channel, buf_text(&body), out);
    } else {
        taken = send_request(client, channel, buf_text(&body), now, out);
    }
    if (body.at != NULL)
        explicit_bzero(body.at, body.len); /* a routing key is in it */
    buf_free(&body);
    return taken;
}
