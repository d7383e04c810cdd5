/* credentials.h - keys of providers, from where their own tools keep them: the environment,
 * else a file in the home folder.
 *
 * They are never logged and never in an error, and wiped when done with.
 */
#ifndef NET_CREDENTIALS_H
#define NET_CREDENTIALS_H

#include "base/attr.h"
#include "base/error.h"

enum credentials_of {
    CREDENTIALS_AWS,
    CREDENTIALS_GOOGLE,
    CREDENTIALS_LAMBDA,
    CREDENTIALS_RUNPOD,
    CREDENTIALS_VAST,
    CREDENTIALS_GITHUB,
    CREDENTIALS_GITLAB,
    CREDENTIALS_HUB, /* Hugging Face */
};

#define CREDENTIAL_MAX 4096 /* bytes of one value, with its NUL */

struct credentials {
    char id[256];                /* of AWS: the access key's id */
    char secret[CREDENTIAL_MAX]; /* the key itself */
    char token[CREDENTIAL_MAX];  /* of AWS: the session's; empty for lasting keys */
    bool bearer;                 /* of Google: an access token, not a key */
};

/* ERROR_ABSENT when there are none, ERROR_INPUT when they are unusable; both have a hint what
 * to set. */
bool credentials_find(enum credentials_of whose, struct credentials *out,
                      struct error *err) MUST_USE;

/* What an MLflow server is sent as Authorization, in `secret`: MLFLOW_TRACKING_TOKEN, else
 * MLFLOW_TRACKING_USERNAME with MLFLOW_TRACKING_PASSWORD; empty when none is set. */
bool credentials_mlflow(struct credentials *out, struct error *err) MUST_USE;

/* Where they are looked for: "set LAMBDA_API_KEY, or api_key in
 * ~/.lambda_cloud/lambda_keys". */
const char *credentials_where(enum credentials_of whose);

void credentials_wipe(struct credentials *credentials);

/* Servers repeat keys in their answers. Put "***" in place of a secret wherever it is in
 * the text, also as addresses encode it, and of a longer start of it, as a cut leaves it; the
 * text's new length. Less than 4 bytes is no key, and would be everywhere. */
size_t secret_hide(char *text, size_t len, const char *secret);

/* Likewise, of each value in it, in a text with a NUL. */
void credentials_hide(const struct credentials *credentials, char *text);

#endif
