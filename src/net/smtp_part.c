/* The loadable part `net`: mails, and the digest of the library that libcurl stands on. */
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <string.h>

#include "net/part_internal.h"

/* What the callbacks of one mail share. */
struct letter {
    const struct net_mail *how;
    struct net_answer *answer;
    size_t sent;
    bool stopped;
};

static size_t give_text(char *to, size_t size, size_t count, void *ctx)
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

/* Every line that the server says comes here; the last refusal is the one that counts, since a
 * farewell follows it. */
static size_t take_line(const char *at, size_t size, size_t count, void *ctx)
{
    struct letter *letter = ctx;
    struct str line = str_trim((struct str){at, size * count});

    if (line.len == 0 || (line.at[0] != '4' && line.at[0] != '5'))
        return size * count;
    while (line.len > 0 && (line.at[line.len - 1] == '\n' || line.at[line.len - 1] == '\r'))
        line.len--;
    if (line.len >= sizeof letter->answer->said)
        line.len = sizeof letter->answer->said - 1;
    if (line.len > 0)
        memcpy(letter->answer->said, line.at, line.len);
    letter->answer->said[line.len] = '\0';
    return size * count;
}

static size_t drop(const char *at, size_t size, size_t count, void *ctx)
{
    (void)at;
    (void)ctx;
    return size * count;
}

static int tell_progress(void *ctx, curl_off_t total, curl_off_t done, curl_off_t up_total,
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

static bool set_callbacks(CURL *curl, struct letter *letter)
{
    return curl_easy_setopt(curl, CURLOPT_READFUNCTION, give_text) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_READDATA, letter) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_UPLOAD, 1L) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, take_line) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_HEADERDATA, letter) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, drop) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, tell_progress) == CURLE_OK &&
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
           (m->ca == NULL || curl_easy_setopt(curl, CURLOPT_CAINFO, m->ca) == CURLE_OK) &&
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
    return status / 100 == 4 || status / 100 == 5 ? NET_ANSWERED : part_end(code);
}

enum net_end part_mail(void *session, const struct net_mail *how, struct net_answer *out)
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
        set_callbacks(curl, &letter) && set_safety(curl, how) &&
        part_limits(curl, how->connect, how->stall, how->altogether) &&
        set_envelope(curl, how->mail, &to)) {
        code = part_perform(curl);
        (void)curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
        end = letter.stopped ? NET_STOPPED : mail_end(code, status);
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

bool part_hmac(struct str key, const struct str *texts, size_t count,
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
