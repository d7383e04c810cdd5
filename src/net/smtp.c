#include "net/smtp.h"

#include <string.h>

#include "base/buf.h"
#include "base/part.h"
#include "net/credentials.h"
#include "net/net_part.h"
#include "net/url.h"

bool smtp_address_ok(struct str address)
{
    size_t ats = 0;

    if (address.len < 3 || address.len > 254 || address.at[0] == '@' ||
        address.at[address.len - 1] == '@' || address.at[0] == '-')
        return false;
    for (size_t i = 0; i < address.len; i++) {
        char c = address.at[i];

        if (c <= ' ' || c >= 0x7f || strchr("<>()[],;:\\\"", c) != NULL)
            return false;
        ats += c == '@';
    }
    return ats == 1;
}

/* As url_parse(), which knows http: the scheme is put in its place. */
bool smtp_url_ok(struct str url, bool *tls, bool *loopback, struct error *err)
{
    bool plain = str_starts(url, STR("smtp://"));
    char text[300];
    struct url parts;
    size_t skip = plain ? 7 : 8;

    *tls = str_starts(url, STR("smtps://"));
    if ((!plain && !*tls) || url.len - skip > 250) {
        error_set(err, ERROR_INPUT, "this is not the address of a mail server");
        error_hint(err, "write it as smtp://HOST:587 (STARTTLS) or smtps://HOST:465");
        return false;
    }
    (void)snprintf(text, sizeof text, "https://%.*s", (int)(url.len - skip), url.at + skip);
    if (!url_parse(str_from(text), &parts, err))
        return false;
    if ((parts.path.len > 0 && !str_eq(parts.path, STR("/"))) || parts.query.len > 0)
        return error_fail(err, ERROR_INPUT, "an address of a mail server has no path");
    *loopback = url_is_loopback(&parts);
    return true;
}

/* libcurl's words, with the server's last line where there is one. */
static void smtp_error(const struct smtp_mail *mail, enum net_end end,
                       const struct net_answer *answer, struct smtp_outcome *out)
{
    static const char *const words[] = {
        [NET_ANSWERED] = "not taken",
        [NET_STOPPED] = "stopped",
        [NET_UNREACHABLE] = "no connection",
        [NET_TIMED_OUT] = "no answer in time",
        [NET_CUT_OFF] = "the connection broke",
        [NET_TOO_LARGE] = "too large",
        [NET_HEADERS] = "too large",
        [NET_UNTRUSTED] = "no safe connection",
        [NET_GARBAGE] = "the answer is not readable as SMTP",
        [NET_DISK] = "not taken",
        [NET_NO_MEMORY] = "out of memory",
        [NET_FORBIDDEN] = "a link-local address, which is refused",
        [NET_FAILED] = "not taken",
    };
    char text[600];
    struct buf line = buf_new(&alloc_system, sizeof out->answer - 1);
    struct str safe;
    int len = snprintf(text, sizeof text, "%s%s%s%s%s", words[end],
                       answer->reply[0] != '\0' ? ": " : "", answer->reply,
                       answer->problem[0] != '\0' ? ": " : "", answer->problem);
    size_t used = len < 0 ? 0 : (size_t)len < sizeof text ? (size_t)len : sizeof text - 1;

    used = secret_hide(text, used, mail->password);
    safe = (struct str){text, used < 190 ? used : 190};
    buf_add_safe(&line, safe);
    (void)snprintf(out->answer, sizeof out->answer, "%.*s", (int)line.len,
                   line.len > 0 ? line.at : "");
    buf_free(&line);
}

/* 4yz may pass, 5yz will not; without an answer it may. */
static bool may_retry_smtp(enum net_end end, int status)
{
    if (status >= 500 && status < 600)
        return false;
    return end != NET_STOPPED && end != NET_FORBIDDEN;
}

bool smtp_send(const struct http_client *client, const struct smtp_mail *mail,
               struct smtp_outcome *out)
{
    const struct http_manners *m = client->manners;
    struct net_answer answer = {0};
    struct error err = {0};
    struct net_mail how = {.mail = mail,
                           .connect = m->connect,
                           .stall = m->stall,
                           .altogether = m->attempt,
                           .progress = client->progress,
                           .progress_ctx = client->progress_ctx};
    const struct net_part *part;
    enum net_end end;
    bool tls, loopback;
    void *session;

    *out = (struct smtp_outcome){0};
    part = smtp_url_ok(str_from(mail->url), &tls, &loopback, &err)
               ? part_open("net", NET_PART_VERSION, &err)
               : NULL;
    session = part == NULL ? NULL : client->session != NULL ? client->session : part->open();
    if (session == NULL) {
        (void)snprintf(out->answer, sizeof out->answer, "%.190s",
                       err.kind != ERROR_NONE ? err.text : "out of memory");
        return false;
    }
    how.need_tls = !loopback;
    how.no_metadata = m->no_metadata;
    end = part->mail(session, &how, &answer);
    if (client->session == NULL)
        part->close(session);
    out->status = answer.status;
    if (end == NET_ANSWERED && answer.status / 100 == 2) {
        (void)snprintf(out->answer, sizeof out->answer, "%d", answer.status);
        return true;
    }
    out->retry = may_retry_smtp(end, answer.status);
    smtp_error(mail, end, &answer, out);
    log_write(client->log, LOG_DEBUG, "mail: %s", out->answer);
    return false;
}
