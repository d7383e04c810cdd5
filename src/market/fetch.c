/* Who can be asked, and setting out to do it. */
#include "market/fetch.h"

#include <string.h>

#include "base/fs.h"
#include "market/fetch_internal.h"

const struct fetch_provider fetch_providers[] = {
    {.name = "aws",
     .title = "Amazon Web Services",
     .about = "the public price lists of EC2, and spot prices with credentials",
     .key = FETCH_KEY_HELPS,
     .credentials = CREDENTIALS_AWS,
     .variable = "STINT_URL_AWS_PRICES",
     .home = "https://pricing.us-east-1.amazonaws.com",
     .regions = true,
     .ask = fetch_aws},
    {.name = "azure",
     .title = "Microsoft Azure",
     .about = "the Retail Prices API, for everyone",
     .variable = "STINT_URL_AZURE",
     .home = "https://prices.azure.com",
     .regions = true,
     .ask = fetch_azure},
    {.name = "gcp",
     .title = "Google Cloud",
     .about = "the Cloud Billing catalog, with a key",
     .key = FETCH_KEY_NEEDED,
     .credentials = CREDENTIALS_GOOGLE,
     .variable = "STINT_URL_GCP",
     .home = "https://cloudbilling.googleapis.com",
     .ask = fetch_gcp},
    {.name = "lambda",
     .title = "Lambda Cloud",
     .about = "its instance types, with a key",
     .key = FETCH_KEY_NEEDED,
     .credentials = CREDENTIALS_LAMBDA,
     .variable = "STINT_URL_LAMBDA",
     .home = "https://cloud.lambda.ai",
     .ask = fetch_lambda},
    {.name = "runpod",
     .title = "RunPod",
     .about = "its GPU types, with a key where it asks for one",
     .key = FETCH_KEY_HELPS,
     .credentials = CREDENTIALS_RUNPOD,
     .variable = "STINT_URL_RUNPOD",
     .home = "https://api.runpod.io",
     .ask = fetch_runpod},
    {.name = "vast",
     .title = "Vast.ai",
     .about = "the machines on offer now, with a key where it asks for one",
     .key = FETCH_KEY_HELPS,
     .credentials = CREDENTIALS_VAST,
     .variable = "STINT_URL_VAST",
     .home = "https://console.vast.ai",
     .ask = fetch_vast},
    {.name = "skypilot",
     .title = "SkyPilot catalog",
     .about = "a public collection of the prices of many clouds",
     .variable = "STINT_URL_SKYPILOT",
     .home = "https://raw.githubusercontent.com/skypilot-org/skypilot-catalog/master/catalogs",
     .ask = fetch_skypilot},
};
const size_t fetch_provider_count = ARRAY_LEN(fetch_providers);

const struct fetch_provider *fetch_provider_named(struct str name, struct error *err)
{
    struct suggestion s = {.wanted = name};

    for (size_t i = 0; i < fetch_provider_count; i++) {
        if (str_eq_nocase(name, str_from(fetch_providers[i].name)))
            return &fetch_providers[i];
        suggestion_try(&s, str_from(fetch_providers[i].name));
    }
    error_set(err, ERROR_USAGE, "prices of '%.*s' cannot be fetched", STR_ARG(name));
    if (!suggestion_hint(&s, err))
        error_hint(err, "aws, azure, gcp, lambda, runpod, vast and skypilot can");
    return NULL;
}

/* Keys, where they are of use: only some providers cannot do without. */
static bool find_keys(struct fetch *f, struct error *err)
{
    struct error problem = {0};

    if (f->provider->key == FETCH_OPEN)
        return true;
    f->has_keys =
        credentials_find((enum credentials_of)f->provider->credentials, &f->keys, &problem);
    if (f->has_keys || (f->provider->key == FETCH_KEY_HELPS && problem.kind == ERROR_ABSENT))
        return true;
    *err = problem;
    error_context(err, "%s", f->provider->title);
    return false;
}

static bool find_base(struct fetch *f, struct error *err)
{
    struct str base = str_from(env_get(f->provider->variable));

    if (base.len == 0)
        base = str_from(f->provider->home);
    while (base.len > 0 && base.at[base.len - 1] == '/')
        base.len--;
    f->base = str_dup(base, &f->arena, err);
    return f->base != NULL;
}

bool fetch_run(const struct fetch_context *ctx, const struct fetch_request *request,
               struct fetch_result *out, struct error *err)
{
    struct fetch f = {.ctx = ctx,
                      .request = request,
                      .http = ctx->http,
                      .result = out,
                      .arena = {.alloc = ctx->alloc, .block_size = ARENA_BLOCK_SIZE}};
    bool ok;

    *out = (struct fetch_result){0};
    f.provider = fetch_provider_named(request->provider, err);
    if (f.provider == NULL)
        return false;
    ok = find_base(&f, err) && find_keys(&f, err);
    if (ok && f.http.session == NULL) {
        f.http.session = http_session_open(err);
        ok = f.http.session != NULL;
    }
    ok = ok && f.provider->ask(&f, err);
    if (f.http.session != ctx->http.session)
        http_session_close(f.http.session);
    credentials_wipe(&f.keys);
    explicit_bzero(f.bearer, sizeof f.bearer);
    arena_free(&f.arena);
    return ok;
}
