/* http_identity.h - the certificate that the part `http` shows, which can be renewed while it
 * listens: connections that are open keep the one they began with. */
#ifndef SERVE_HTTP_IDENTITY_H
#define SERVE_HTTP_IDENTITY_H

#include <gnutls/abstract.h>
#include <gnutls/gnutls.h>

#include "base/error.h"

/* Keys that are forgotten after a connection, and ciphers that authenticate what they hide: no
 * CBC, and no key exchange by the certificate's own RSA key. */
#define HTTP_TLS_RULES \
    "SECURE128:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:-KX-ALL:+ECDHE-ECDSA:+ECDHE-RSA:" \
    "-CIPHER-ALL:+AES-256-GCM:+CHACHA20-POLY1305:+AES-128-GCM:-MAC-ALL:+AEAD"

/* Handshakes from now on use this certificate and its key, both in PEM. False, and as before,
 * when they are none or do not belong together. */
bool http_identity_set(const char *certificate, const char *key, struct error *err) MUST_USE;

/* What GnuTLS asks at each handshake. */
int http_identity_choose(gnutls_session_t session, const gnutls_datum_t *authorities,
                         int authority_count, const gnutls_pk_algorithm_t *algorithms,
                         int algorithm_count, gnutls_pcert_st **chain, unsigned *length,
                         gnutls_privkey_t *key);

/* All that were ever set; no connection may be open. */
void http_identities_free(void);

#endif
