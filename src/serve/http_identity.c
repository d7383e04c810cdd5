#include "serve/http_identity.h"

#include <gnutls/x509.h>
#include <stdatomic.h>
#include <string.h>

#include "base/arena.h"

#define CHAIN 16 /* certificates of a file: ours and those that vouch for it */
#define KEY_ID 64

/* A certificate and its key. Handshakes may use one while it is replaced, so all are kept until
 * the end: there is one more for each renewal. */
struct identity {
    struct identity *before;
    gnutls_pcert_st chain[CHAIN];
    unsigned length;
    gnutls_privkey_t key;
};

/* The library passes no context to its callback: there is one listener with TLS in a
 * process. */
static _Atomic(struct identity *) identity_now;

/* NOLINTNEXTLINE(readability-function-size): the parameters are the library's */
int http_identity_choose(gnutls_session_t session, const gnutls_datum_t *authorities,
                         int authority_count, const gnutls_pk_algorithm_t *algorithms,
                         int algorithm_count, gnutls_pcert_st **chain, unsigned *length,
                         gnutls_privkey_t *key)
{
    struct identity *now = atomic_load(&identity_now);

    (void)session;
    (void)authorities;
    (void)authority_count;
    (void)algorithms;
    (void)algorithm_count;
    if (now == NULL)
        return -1;
    *chain = now->chain;
    *length = now->length;
    *key = now->key;
    return 0;
}

static gnutls_datum_t datum_of(const char *text)
{
    union { /* the library takes what it reads as if it would write it */
        const char *from;
        unsigned char *to;
    } all = {.from = text};

    return (gnutls_datum_t){.data = all.to, .size = (unsigned)strlen(text)};
}

static void identity_free(struct identity *i)
{
    for (unsigned n = 0; n < i->length; n++)
        gnutls_pcert_deinit(&i->chain[n]);
    if (i->key != NULL)
        gnutls_privkey_deinit(i->key);
    alloc_system.put(alloc_system.ctx, i);
}

void http_identities_free(void)
{
    struct identity *i = atomic_exchange(&identity_now, NULL), *before;

    for (; i != NULL; i = before) {
        before = i->before;
        identity_free(i);
    }
}

static bool is_pair(struct identity *i)
{
    unsigned char of_key[KEY_ID], of_certificate[KEY_ID];
    size_t key_size = sizeof of_key, certificate_size = sizeof of_certificate;
    gnutls_pubkey_t public;
    bool same;

    if (gnutls_pubkey_init(&public) != 0)
        return false;
    same = gnutls_pubkey_import_privkey(public, i->key, 0, 0) == 0 &&
           gnutls_pubkey_get_key_id(public, GNUTLS_KEYID_USE_SHA256, of_key, &key_size) == 0 &&
           gnutls_pubkey_get_key_id(i->chain[0].pubkey, GNUTLS_KEYID_USE_SHA256, of_certificate,
                                    &certificate_size) == 0 &&
           key_size == certificate_size && memcmp(of_key, of_certificate, key_size) == 0;
    gnutls_pubkey_deinit(public);
    return same;
}

static bool identity_read(struct identity *i, const char *certificate, const char *key,
                          struct error *err)
{
    gnutls_datum_t chain = datum_of(certificate), secret = datum_of(key);
    int problem;

    i->length = CHAIN;
    problem =
        gnutls_pcert_list_import_x509_raw(i->chain, &i->length, &chain, GNUTLS_X509_FMT_PEM, 0);
    if (problem != 0) {
        i->length = 0;
        return error_fail(err, ERROR_INPUT, "--certificate: not a PEM certificate: %s",
                          gnutls_strerror(problem));
    }
    problem = gnutls_privkey_init(&i->key);
    if (problem == 0)
        problem = gnutls_privkey_import_x509_raw(i->key, &secret, GNUTLS_X509_FMT_PEM, NULL, 0);
    if (problem != 0)
        return error_fail(err, ERROR_INPUT, "--key: not a PEM key without a password: %s",
                          gnutls_strerror(problem));
    if (is_pair(i))
        return true;
    error_set(err, ERROR_INPUT, "--key: this is not the key of the certificate");
    error_hint(err, "the first certificate of the file must be the server's own");
    return false;
}

bool http_identity_set(const char *certificate, const char *key, struct error *err)
{
    struct identity *i = alloc_system.get(alloc_system.ctx, sizeof *i);

    if (i == NULL)
        return error_memory(err);
    *i = (struct identity){0};
    if (!identity_read(i, certificate, key, err)) {
        identity_free(i);
        return false;
    }
    i->before = atomic_load(&identity_now);
    atomic_store(&identity_now, i);
    return true;
}
