/* The loadable part `net`: the only code that links libcurl. */
#include "net/net_part.h"

#include <curl/curl.h>
#include <errno.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "base/fs.h"
#include "base/num.h"
#include "base/part.h"
#include "net/address.h"
#include "net/part_internal.h"

#define SLOWEST 100L /* bytes a second: less is as good as nothing */
/* Bytes of all headers of an answer: below libcurl's own limit, whose error has less. */
#define MAX_HEADERS ((size_t)256 << 10)
#define MAX_HEADER ((size_t)128 << 10)    /* more than libcurl takes for one */
#define RESET_IS_DATE INT64_C(1000000000) /* a limit's reset beyond it is a moment: 2001 */
#define CODE_TOO_LARGE 100 /* CURLE_TOO_LARGE, which is newer than the oldest libcurl we take */

/* What the callbacks of one transfer share. */
struct flow {
    const struct net_transfer *transfer;
    struct net_answer *answer;
    char date[64], retry[64];
    char left[32], reset[32]; /* of a limit on requests: how many, and when there are more */
    size_t headers;           /* bytes so far, those of "100 Continue" included */
    bool too_large, wide, disk_failed, stopped, forbidden;
};

/* What a name leads to is known only here, after it has been looked up. */
static curl_socket_t open_curl_socket(void *ctx, curlsocktype purpose, struct curl_sockaddr *to)
{
    bool *forbidden = ctx;

    (void)purpose;
    if (address_is_metadata(&to->addr)) {
        *forbidden = true;
        return CURL_SOCKET_BAD;
    }
    return socket(to->family, to->socktype | SOCK_CLOEXEC, to->protocol);
}

static bool refuse_metadata(CURL *curl, bool *forbidden)
{
    return curl_easy_setopt(curl, CURLOPT_OPENSOCKETFUNCTION, open_curl_socket) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_OPENSOCKETDATA, forbidden) == CURLE_OK;
}

/* Where systems keep the certificates that they trust. A libcurl that was made for one of them
 * knows only its own file, and one that runs on all of them knows none. */
static const char *const trusted_files[] = {
    "/etc/ssl/certs/ca-certificates.crt", /* Debian, Ubuntu, Arch, Gentoo */
    "/etc/pki/tls/certs/ca-bundle.crt",   /* Fedora, Red Hat, Amazon Linux */
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
    "/etc/ssl/ca-bundle.pem", /* SUSE */
    "/etc/ssl/cert.pem",      /* Alpine */
};

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void start_curl(void)
{
    (void)curl_global_init(CURL_GLOBAL_DEFAULT);
}

void net_part_start(void)
{
    (void)pthread_once(&once, start_curl);
}

static void *open_session(void)
{
    net_part_start();
    return curl_easy_init();
}

static void close_session(void *session)
{
    curl_easy_cleanup(session);
}

/* The file of the certificates that we trust: the one that the environment names as it does
 * for OpenSSL and curl, the one that libcurl was made for (NULL), or the one of this system. */
static const char *trusted_file(void)
{
    const curl_version_info_data *library = curl_version_info(CURLVERSION_NOW);
    const char *named = env_get("SSL_CERT_FILE");

    if (named == NULL || named[0] == '\0')
        named = env_get("CURL_CA_BUNDLE");
    if (named != NULL && named[0] != '\0')
        return named;
    if (library->age >= CURLVERSION_TENTH && library->cainfo != NULL &&
        fs_exists(library->cainfo))
        return NULL;
    for (size_t i = 0; i < ARRAY_LEN(trusted_files); i++)
        if (fs_exists(trusted_files[i]))
            return trusted_files[i];
    return NULL;
}

/* `named`: the file that the user chose for this server, or NULL. */
bool net_part_trust(CURL *curl, const char *named)
{
    const char *file = named != NULL ? named : trusted_file();

    return file == NULL || curl_easy_setopt(curl, CURLOPT_CAINFO, file) == CURLE_OK;
}

static size_t take_body(const char *at, size_t size, size_t count, void *ctx)
{
    struct flow *flow = ctx;
    struct error err = {0};
    size_t len = size * count;

    if (len > flow->transfer->max_body - flow->answer->size) {
        flow->too_large = true;
        return 0;
    }
    if (!fs_write_all(flow->transfer->fd, (struct str){at, len}, &err)) {
        flow->disk_failed = true;
        (void)snprintf(flow->answer->problem, sizeof flow->answer->problem, "%.200s", err.text);
        return 0;
    }
    flow->answer->size += len;
    return len;
}

/* The value of a header, when the line is that header and the value is harmless and fits. */
static void take_header_value(struct str line, struct str name, char *to, size_t room)
{
    struct str value = {line.at + name.len, line.len - name.len};

    if (line.len <= name.len || !str_eq_nocase((struct str){line.at, name.len}, name))
        return;
    value = str_trim(value);
    to[0] = '\0';
    if (value.len >= room)
        return;
    for (size_t i = 0; i < value.len; i++)
        if (value.at[i] < ' ' || value.at[i] >= 0x7f)
            return;
    memcpy(to, value.at, value.len);
    to[value.len] = '\0';
}

static size_t take_curl_header(const char *at, size_t size, size_t count, void *ctx)
{
    struct flow *flow = ctx;
    struct net_answer *answer = flow->answer;
    struct str line = {at, size * count};

    flow->headers += line.len;
    if (flow->headers > MAX_HEADERS) {
        flow->wide = true;
        return 0;
    }
    while (line.len > 0 && (line.at[line.len - 1] == '\n' || line.at[line.len - 1] == '\r'))
        line.len--;
    if (str_starts(line, STR("HTTP/"))) { /* "100 Continue" may have come before */
        answer->etag[0] = answer->modified[0] = answer->watched[0] = '\0';
        flow->date[0] = flow->retry[0] = flow->left[0] = flow->reset[0] = '\0';
        return size * count;
    }
    take_header_value(line, STR("ETag:"), answer->etag, sizeof answer->etag);
    take_header_value(line, STR("Last-Modified:"), answer->modified, sizeof answer->modified);
    if (flow->transfer->watch != NULL)
        take_header_value(line, str_from(flow->transfer->watch), answer->watched,
                          sizeof answer->watched);
    take_header_value(line, STR("Date:"), flow->date, sizeof flow->date);
    take_header_value(line, STR("Retry-After:"), flow->retry, sizeof flow->retry);
    take_header_value(line, STR("X-RateLimit-Remaining:"), flow->left, sizeof flow->left);
    take_header_value(line, STR("X-RateLimit-Reset:"), flow->reset, sizeof flow->reset);
    take_header_value(line, STR("RateLimit-Remaining:"), flow->left, sizeof flow->left);
    take_header_value(line, STR("RateLimit-Reset:"), flow->reset, sizeof flow->reset);
    return size * count;
}

static int report_curl_progress(void *ctx, curl_off_t total, curl_off_t done,
                                curl_off_t up_total, curl_off_t up)
{
    struct flow *flow = ctx;
    const struct net_transfer *t = flow->transfer;

    (void)up_total;
    (void)up;
    if (t->progress == NULL || done < 0 || total < 0)
        return 0;
    flow->stopped = !t->progress(t->progress_ctx, (uint64_t)done, (uint64_t)total);
    return flow->stopped ? 1 : 0;
}

/* Seconds until requests are allowed again, when none is left; -1: some are, or the server does
 * not say. GitHub and GitLab name the moment, in seconds since 1970; others the seconds until
 * then. */
static int64_t limit_reset(const struct flow *flow, time_t now)
{
    int64_t left, reset;

    if (!num_int(str_from(flow->left), &left) || left != 0 ||
        !num_int(str_from(flow->reset), &reset) || reset < 0)
        return -1;
    if (reset < RESET_IS_DATE)
        return reset;
    return now < 0 ? -1 : reset > now ? reset - now : 0;
}

/* Retry-After is seconds, or a date: then by the server's own clock, since ours may be wrong.
 * Without it, when the limit on requests is reset. */
static int64_t read_retry_after(const struct flow *flow)
{
    time_t now = curl_getdate(flow->date, NULL), then;
    int64_t seconds;

    if (flow->retry[0] == '\0')
        return limit_reset(flow, now);
    if (num_int(str_from(flow->retry), &seconds))
        return seconds >= 0 ? seconds : -1;
    then = curl_getdate(flow->retry, NULL);
    if (now < 0 || then < 0)
        return -1;
    return then > now ? (int64_t)(then - now) : 0;
}

/* How a transfer ended, by libcurl's word for it. */
enum net_end net_part_end(CURLcode code)
{
    switch ((int)code) {
    case CURLE_OK:
        return NET_ANSWERED;
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_CONNECT:
    case CURLE_SEND_ERROR:
    case CURLE_GOT_NOTHING:
        return NET_UNREACHABLE;
    case CURLE_OPERATION_TIMEDOUT:
        return NET_TIMED_OUT;
    case CURLE_PARTIAL_FILE:
    case CURLE_RECV_ERROR:
    case CURLE_HTTP2_STREAM:
        return NET_CUT_OFF;
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
        return NET_UNTRUSTED;
    case CURLE_UNSUPPORTED_PROTOCOL: /* how libcurl calls an answer without a status line */
    case CURLE_WEIRD_SERVER_REPLY:
    case CURLE_BAD_CONTENT_ENCODING:
        return NET_GARBAGE;
    case CURLE_OUT_OF_MEMORY:
        return NET_NO_MEMORY;
    default:
        return NET_FAILED;
    }
}

/* For a header line above its limit libcurl reports that memory ran out (older versions), which
 * would end more than this request. Is there any? Its newer versions have a code for it. */
static bool header_too_long(CURLcode code)
{
    void *room;

    if ((int)code == CODE_TOO_LARGE)
        return true;
    if (code != CURLE_OUT_OF_MEMORY)
        return false;
    room = alloc_system.get(alloc_system.ctx, 2 * MAX_HEADER);
    if (room == NULL)
        return false;
    alloc_system.put(alloc_system.ctx, room);
    return true;
}

static enum net_end net_end_of(CURLcode code, const struct flow *flow)
{
    if (flow->stopped)
        return NET_STOPPED;
    if (flow->too_large)
        return NET_TOO_LARGE;
    if (flow->wide || header_too_long(code))
        return NET_HEADERS;
    if (flow->forbidden && code != CURLE_OK)
        return NET_FORBIDDEN;
    return flow->disk_failed ? NET_DISK : net_part_end(code);
}

static bool set_headers(CURL *curl, const struct net_transfer *t, struct curl_slist **list)
{
    struct curl_slist *grown;

    for (size_t i = 0; i < t->header_count; i++) {
        grown = curl_slist_append(*list, t->headers[i]);
        if (grown == NULL)
            return false;
        *list = grown;
    }
    return curl_easy_setopt(curl, CURLOPT_HTTPHEADER, *list) == CURLE_OK;
}

/* "aws:amz:REGION:SERVICE", and the key and its secret as libcurl wants them. */
static bool set_signature(CURL *curl, const struct http_aws *aws)
{
    char how[128];

    if (snprintf(how, sizeof how, "aws:amz:%s:%s", aws->region, aws->service) >=
        (int)sizeof how)
        return false;
    return curl_easy_setopt(curl, CURLOPT_AWS_SIGV4, how) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_USERNAME, aws->key) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_PASSWORD, aws->secret) == CURLE_OK;
}

static long span_ms(span s)
{
    return s.ns < 1000000 ? 1L : (long)(s.ns / 1000000);
}

static bool part_limits(CURL *curl, span connect, span stalled, span altogether)
{
    long stall = span_ms(stalled) / 1000;

    return curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, span_ms(connect)) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, span_ms(altogether)) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, SLOWEST) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, stall < 1 ? 1L : stall) == CURLE_OK;
}

static bool set_callbacks(CURL *curl, struct flow *flow)
{
    return curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_body) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_WRITEDATA, flow) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, take_curl_header) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_HEADERDATA, flow) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, report_curl_progress) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_XFERINFODATA, flow) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L) == CURLE_OK;
}

static bool set_up(CURL *curl, struct flow *flow, struct curl_slist **headers, char *problem)
{
    const struct net_transfer *t = flow->transfer;

    curl_easy_reset(curl); /* keeps the connections */
    if (curl_easy_setopt(curl, CURLOPT_URL, t->url) != CURLE_OK ||
        curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, problem) != CURLE_OK ||
        curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https") != CURLE_OK ||
        curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L) != CURLE_OK ||
        curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L) != CURLE_OK ||
        curl_easy_setopt(curl, CURLOPT_USERAGENT, t->agent) != CURLE_OK ||
        (t->direct && curl_easy_setopt(curl, CURLOPT_NOPROXY, "*") != CURLE_OK) ||
        (t->method != NULL &&
         curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, t->method) != CURLE_OK) ||
        !net_part_trust(curl, t->certificates) ||
        (t->aws != NULL && !set_signature(curl, t->aws)) || !set_callbacks(curl, flow) ||
        !part_limits(curl, t->connect, t->stall, t->altogether) ||
        !set_headers(curl, t, headers) ||
        (t->no_metadata && !refuse_metadata(curl, &flow->forbidden)))
        return false;
    /* Without zlib in libcurl we still get the text, only slower. */
    (void)curl_easy_setopt(curl, CURLOPT_ACCEPT_ENCODING, "gzip");
    if (t->body.len == 0)
        return true;
    return curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)t->body.len) ==
               CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_POSTFIELDS, t->body.at) == CURLE_OK;
}

/* A write to a connection that the other side closed may raise SIGPIPE, which ends a program
 * that does not expect it: this thread does not take it meanwhile. */
static CURLcode part_perform(CURL *curl)
{
    const struct timespec at_once = {0};
    sigset_t pipe_only, before, pending;
    CURLcode code;
    bool waiting;

    (void)sigemptyset(&pipe_only);
    (void)sigaddset(&pipe_only, SIGPIPE);
    (void)sigemptyset(&pending);
    (void)sigpending(&pending);
    waiting = sigismember(&pending, SIGPIPE) == 1;
    (void)pthread_sigmask(SIG_BLOCK, &pipe_only, &before);
    code = curl_easy_perform(curl);
    if (!waiting)
        while (sigtimedwait(&pipe_only, NULL, &at_once) < 0 && errno == EINTR)
            continue;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return code;
}

static enum net_end http_transfer(void *session, const struct net_transfer *t,
                                  struct net_answer *out)
{
    char problem[CURL_ERROR_SIZE] = "";
    struct curl_slist *headers = NULL;
    struct flow flow = {.transfer = t, .answer = out};
    const char *location = NULL;
    CURLcode code;
    long status = 0;

    *out = (struct net_answer){.retry_after = -1};
    if (!set_up(session, &flow, &headers, problem)) {
        curl_slist_free_all(headers);
        return NET_NO_MEMORY;
    }
    code = part_perform(session);
    (void)curl_easy_getinfo(session, CURLINFO_RESPONSE_CODE, &status);
    out->status = (int)status;
    out->retry_after = read_retry_after(&flow);
    if (curl_easy_getinfo(session, CURLINFO_REDIRECT_URL, &location) == CURLE_OK &&
        location != NULL && strlen(location) < sizeof out->location)
        (void)snprintf(out->location, sizeof out->location, "%s", location);
    if (code != CURLE_OK && !flow.disk_failed)
        (void)snprintf(out->problem, sizeof out->problem, "%s",
                       problem[0] != '\0' ? problem : curl_easy_strerror(code));
    /* Secrets do not stay behind in the session. */
    curl_easy_reset(session);
    curl_slist_free_all(headers);
    return net_end_of(code, &flow);
}

/* ---- mail, and the HMAC of libcurl's crypto library ---- */

/* What the callbacks of one mail share. */
struct letter {
    const struct net_mail *how;
    struct net_answer *answer;
    size_t sent;
    bool stopped, forbidden;
};

static size_t give_curl_text(char *to, size_t size, size_t count, void *ctx)
{
    struct letter *letter = ctx;
    struct str text = letter->how->mail->text;
    size_t room = size * count, left = text.len - letter->sent;

    if (room > left)
        room = left;
    if (room > 0)
        memcpy(to, text.at + letter->sent, room);
    letter->sent += room;
    return room;
}

/* Every line that the server sends comes here; the last refusal is the one that counts, since a
 * farewell follows it. */
static size_t take_smtp_line(const char *at, size_t size, size_t count, void *ctx)
{
    struct letter *letter = ctx;
    struct str line = str_trim((struct str){at, size * count});

    if (line.len == 0 || (line.at[0] != '4' && line.at[0] != '5'))
        return size * count;
    while (line.len > 0 && (line.at[line.len - 1] == '\n' || line.at[line.len - 1] == '\r'))
        line.len--;
    if (line.len >= sizeof letter->answer->reply)
        line.len = sizeof letter->answer->reply - 1;
    if (line.len > 0)
        memcpy(letter->answer->reply, line.at, line.len);
    letter->answer->reply[line.len] = '\0';
    return size * count;
}

static size_t drop_output(const char *at, size_t size, size_t count, void *ctx)
{
    (void)at;
    (void)ctx;
    return size * count;
}

static int mail_progress(void *ctx, curl_off_t total, curl_off_t done, curl_off_t up_total,
                         curl_off_t up)
{
    struct letter *letter = ctx;

    (void)total;
    (void)done;
    (void)up_total;
    if (letter->how->progress == NULL || up < 0)
        return 0;
    letter->stopped = !letter->how->progress(letter->how->progress_ctx, (uint64_t)up,
                                             letter->how->mail->text.len);
    return letter->stopped ? 1 : 0;
}

static bool set_mail_callbacks(CURL *curl, struct letter *letter)
{
    return curl_easy_setopt(curl, CURLOPT_READFUNCTION, give_curl_text) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_READDATA, letter) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_UPLOAD, 1L) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, take_smtp_line) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_HEADERDATA, letter) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, drop_output) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, mail_progress) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_XFERINFODATA, letter) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L) == CURLE_OK;
}

/* A machine that is not this one gets nothing without TLS, and no password by way of an old
 * method. */
static bool set_safety(CURL *curl, const struct net_mail *how)
{
    const struct smtp_mail *m = how->mail;

    return curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "smtp,smtps") == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_USE_SSL,
                            (long)(how->need_tls ? CURLUSESSL_ALL : CURLUSESSL_TRY)) ==
               CURLE_OK &&
           net_part_trust(curl, m->ca) &&
           (how->need_tls || curl_easy_setopt(curl, CURLOPT_NOPROXY, "*") == CURLE_OK) &&
           (m->user == NULL || curl_easy_setopt(curl, CURLOPT_USERNAME, m->user) == CURLE_OK) &&
           (m->password == NULL ||
            curl_easy_setopt(curl, CURLOPT_PASSWORD, m->password) == CURLE_OK);
}

/* "<a@example.org>" for each receiver. */
static bool set_envelope(CURL *curl, const struct smtp_mail *m, struct curl_slist **to)
{
    struct curl_slist *grown;
    char address[300];

    for (size_t i = 0; i < m->to_count; i++) {
        (void)snprintf(address, sizeof address, "<%.280s>", m->to[i]);
        grown = curl_slist_append(*to, address);
        if (grown == NULL)
            return false;
        *to = grown;
    }
    (void)snprintf(address, sizeof address, "<%.280s>", m->from);
    return curl_easy_setopt(curl, CURLOPT_MAIL_FROM, address) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_MAIL_RCPT, *to) == CURLE_OK;
}

/* A refusal is an answer, however libcurl calls it. */
static enum net_end mail_end(CURLcode code, long status)
{
    if (code == CURLE_USE_SSL_FAILED)
        return NET_UNTRUSTED;
    return status / 100 == 4 || status / 100 == 5 ? NET_ANSWERED : net_part_end(code);
}

static enum net_end part_mail(void *session, const struct net_mail *how, struct net_answer *out)
{
    struct letter letter = {.how = how, .answer = out};
    char problem[CURL_ERROR_SIZE] = "";
    struct curl_slist *to = NULL;
    enum net_end end = NET_NO_MEMORY;
    CURL *curl = session;
    CURLcode code;
    long status = 0;

    *out = (struct net_answer){.retry_after = -1};
    curl_easy_reset(curl);
    if (curl_easy_setopt(curl, CURLOPT_URL, how->mail->url) == CURLE_OK &&
        curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, problem) == CURLE_OK &&
        curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L) == CURLE_OK &&
        curl_easy_setopt(curl, CURLOPT_INFILESIZE_LARGE, (curl_off_t)how->mail->text.len) ==
            CURLE_OK &&
        set_mail_callbacks(curl, &letter) && set_safety(curl, how) &&
        part_limits(curl, how->connect, how->stall, how->altogether) &&
        set_envelope(curl, how->mail, &to) &&
        (!how->no_metadata || refuse_metadata(curl, &letter.forbidden))) {
        code = part_perform(curl);
        (void)curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
        end = letter.stopped ? NET_STOPPED : mail_end(code, status);
        if (letter.forbidden && end != NET_STOPPED && code != CURLE_OK)
            end = NET_FORBIDDEN;
        /* A status of what went well before is none of what did not. */
        if (code == CURLE_OK || status / 100 == 4 || status / 100 == 5)
            out->status = (int)status;
        else
            (void)snprintf(out->problem, sizeof out->problem, "%s",
                           problem[0] != '\0' ? problem : curl_easy_strerror(code));
    }
    curl_easy_reset(curl);
    curl_slist_free_all(to);
    return end;
}

static bool part_hmac(struct str key, const struct str *texts, size_t count,
                      unsigned char out[static NET_DIGEST])
{
    char digest[] = "SHA256";
    OSSL_PARAM how[] = {OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest, 0),
                        OSSL_PARAM_construct_end()};
    EVP_MAC *mac = EVP_MAC_fetch(NULL, "HMAC", NULL);
    EVP_MAC_CTX *ctx = mac != NULL ? EVP_MAC_CTX_new(mac) : NULL;
    const unsigned char *secret = (const unsigned char *)(key.len > 0 ? key.at : "");
    size_t len = 0;
    bool ok = ctx != NULL && EVP_MAC_init(ctx, secret, key.len, how) == 1;

    for (size_t i = 0; ok && i < count; i++)
        ok = texts[i].len == 0 ||
             EVP_MAC_update(ctx, (const unsigned char *)texts[i].at, texts[i].len) == 1;
    ok = ok && EVP_MAC_final(ctx, out, &len, NET_DIGEST) == 1 && len == NET_DIGEST;
    EVP_MAC_CTX_free(ctx);
    EVP_MAC_free(mac);
    return ok;
}

static bool part_digest(struct str text, unsigned char out[static NET_DIGEST])
{
    unsigned len = 0;

    return EVP_Digest(text.len > 0 ? text.at : "", text.len, out, &len, EVP_sha256(), NULL) ==
               1 &&
           len == NET_DIGEST;
}

static bool part_new_key(unsigned char secret[static NET_KEY])
{
    EVP_PKEY *key = EVP_PKEY_Q_keygen(NULL, NULL, "ED25519");
    size_t len = NET_KEY;
    bool ok =
        key != NULL && EVP_PKEY_get_raw_private_key(key, secret, &len) == 1 && len == NET_KEY;

    EVP_PKEY_free(key);
    return ok;
}

static bool part_public_key(const unsigned char secret[static NET_KEY],
                            unsigned char out[static NET_KEY])
{
    EVP_PKEY *key = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, NULL, secret, NET_KEY);
    size_t len = NET_KEY;
    bool ok = key != NULL && EVP_PKEY_get_raw_public_key(key, out, &len) == 1 && len == NET_KEY;

    EVP_PKEY_free(key);
    return ok;
}

static bool part_sign(const unsigned char secret[static NET_KEY], struct str text,
                      unsigned char out[static NET_SIGNATURE])
{
    EVP_PKEY *key = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, NULL, secret, NET_KEY);
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    size_t len = NET_SIGNATURE;
    bool ok = key != NULL && ctx != NULL &&
              EVP_DigestSignInit(ctx, NULL, NULL, NULL, key) == 1 &&
              EVP_DigestSign(ctx, out, &len, (const unsigned char *)text.at, text.len) == 1 &&
              len == NET_SIGNATURE;

    EVP_MD_CTX_free(ctx);
    EVP_PKEY_free(key);
    return ok;
}

static bool part_verify(const unsigned char key[static NET_KEY], struct str text,
                        const unsigned char signature[static NET_SIGNATURE], bool *good)
{
    EVP_PKEY *public = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, NULL, key, NET_KEY);
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    bool ok = public != NULL && ctx != NULL &&
              EVP_DigestVerifyInit(ctx, NULL, NULL, NULL, public) == 1;

    *good = ok && EVP_DigestVerify(ctx, signature, NET_SIGNATURE,
                                   (const unsigned char *)text.at, text.len) == 1;
    EVP_MD_CTX_free(ctx);
    EVP_PKEY_free(public);
    return ok;
}

static const struct net_part functions = {
    .open = open_session,
    .close = close_session,
    .transfer = http_transfer,
    .mail = part_mail,
    .hmac = part_hmac,
    .digest = part_digest,
    .new_key = part_new_key,
    .public_key = part_public_key,
    .sign = part_sign,
    .verify = part_verify,
    .streams_open = net_part_streams_open,
    .streams_send = net_part_streams_send,
    .streams_wait = net_part_streams_wait,
    .streams_close = net_part_streams_close,
};

EXPORTED extern const struct part stint_part;

const struct part stint_part = {
    .name = "net",
    .version = NET_PART_VERSION,
    .functions = &functions,
};
