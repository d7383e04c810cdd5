#include "feed/tokens.h"

#include "base/decimal.h"
#include "base/json.h"
#include "base/map.h"
#include "base/num.h"

#define NAME_MAX_BYTES 200
#define NANO_DIGITS 9
#define MOST_USD 1000000 /* for a million tokens: more is a mistake */

/* What a member of a model goes to. */
enum member {
    MEMBER_INPUT,
    MEMBER_OUTPUT,
    MEMBER_CACHED,
    MEMBER_BATCH_INPUT,
    MEMBER_BATCH_OUTPUT,
    MEMBER_PRICES,
    MEMBER_TOKENS = MEMBER_PRICES,
    MEMBER_PROVIDER,
    MEMBER_MODE,
    MEMBERS,
};

static const char *const member_names[MEMBERS] = {
    "input_cost_per_token",
    "output_cost_per_token",
    "cache_read_input_token_cost",
    "input_cost_per_token_batches",
    "output_cost_per_token_batches",
    "max_input_tokens",
    "litellm_provider",
    "mode",
};

struct reading {
    const struct tokens_reading *ask;
    struct arena *arena;
    struct json *json;
    struct map seen; /* "provider/model" */
    struct token_price *rows;
    size_t room;
    struct tokens_read *out;
};

/* A model while it is read. */
struct entry {
    struct str name, provider;
    bool chat;
    usd price[MEMBER_PRICES];
    int64_t max_input;
};

/* "5e-08" a token as nanodollars for a million; unknown when it is no price. */
static usd parse_token_price(struct str text)
{
    const struct decimal million = {.coefficient = 1000000};
    struct decimal d;
    int64_t nano;

    if (!decimal_parse(text, &d) || d.coefficient < 0 || !decimal_multiply(d, million, &d) ||
        !decimal_fixed(decimal_trim(d, NANO_DIGITS), NANO_DIGITS, &nano) ||
        nano > (int64_t)MOST_USD * 1000000000)
        return USD_UNKNOWN;
    return (usd){nano};
}

static bool keep_name(struct reading *r, struct str text, struct str *out, struct error *err)
{
    *out = (struct str){0};
    return text.len > NAME_MAX_BYTES || str_keep(text, r->arena, out, err);
}

static bool take_member(struct reading *r, enum member member, const struct json_token *token,
                        struct entry *e, struct error *err)
{
    double tokens;

    if (token->kind == JSON_NUMBER && member < MEMBER_PRICES)
        e->price[member] = parse_token_price(token->text);
    else if (token->kind == JSON_NUMBER && member == MEMBER_TOKENS &&
             num_double(token->text, &tokens) && tokens >= 1 && tokens <= 1e12)
        e->max_input = (int64_t)tokens;
    else if (token->kind == JSON_STRING && member == MEMBER_PROVIDER)
        return keep_name(r, token->text, &e->provider, err);
    else if (token->kind == JSON_STRING && member == MEMBER_MODE)
        e->chat = str_eq(token->text, STR("chat"));
    return true;
}

static enum member token_member_of(struct str key)
{
    int m = 0;

    while (m < MEMBERS && !str_eq(key, str_from(member_names[m])))
        m++;
    return (enum member)m;
}

/* The members of a model, up to its end. */
static bool read_token_entry(struct reading *r, struct entry *e, struct error *err)
{
    struct json_token token;

    for (int i = 0; i < MEMBER_PRICES; i++)
        e->price[i] = USD_UNKNOWN;
    e->max_input = -1;
    for (;;) {
        enum member member;

        if (!json_next(r->json, &token, err))
            return false;
        if (token.kind == JSON_OBJECT_END)
            return true;
        member = token_member_of(token.text);
        if (member == MEMBERS) {
            if (!json_skip(r->json, err))
                return false;
            continue;
        }
        if (!json_next(r->json, &token, err) || !take_member(r, member, &token, e, err))
            return false;
        if ((token.kind == JSON_OBJECT || token.kind == JSON_ARRAY) && !json_skip(r->json, err))
            return false;
    }
}

/* As the catalog calls them. */
static struct str provider_named(struct str name)
{
    static const char *const names[][2] = {
        {"bedrock", "aws"},
        {"bedrock_converse", "aws"},
        {"lambda_ai", "lambda"},
        {"together_ai", "together"},
        {"fireworks_ai", "fireworks"},
        {"cohere_chat", "cohere"},
        {"azure_ai", "azure"},
        {"text-completion-openai", "openai"},
    };

    if (str_starts(name, STR("vertex_ai")))
        return STR("gcp");
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (str_eq(name, str_from(names[i][0])))
            return str_from(names[i][1]);
    return name;
}

/* Without what only says who serves it. */
static struct str model_named(struct str name, struct str provider)
{
    static const char *const before[] = {"accounts/fireworks/models/"};

    if (str_starts(name, provider) && name.len > provider.len + 1 &&
        name.at[provider.len] == '/')
        name = (struct str){name.at + provider.len + 1, name.len - provider.len - 1};
    for (size_t i = 0; i < ARRAY_LEN(before); i++) {
        struct str start = str_from(before[i]);

        if (str_starts(name, start) && name.len > start.len)
            name = (struct str){name.at + start.len, name.len - start.len};
    }
    return name;
}

/* Has it been there? Names may come with their provider's and without. */
static bool is_new_model(struct reading *r, struct str provider, struct str model, bool *added,
                         struct error *err)
{
    struct buf text = buf_new(r->arena->alloc, 3 * (size_t)NAME_MAX_BYTES);
    struct str key;

    buf_add(&text, provider);
    buf_char(&text, '/');
    buf_add(&text, model);
    return buf_keep(&text, r->arena, &key, err) && map_add(&r->seen, key, added, err) != NULL;
}

static bool add_token_entry(struct reading *r, const struct entry *e, struct error *err)
{
    struct str provider = provider_named(e->provider),
               model = model_named(e->name, e->provider);
    const struct model *known;
    bool added;

    if (!e->chat || e->provider.len == 0 || model.len == 0 ||
        e->price[MEMBER_INPUT].nano <= 0 || e->price[MEMBER_OUTPUT].nano <= 0) {
        r->out->skipped++;
        return true;
    }
    if (!is_new_model(r, provider, model, &added, err))
        return false;
    if (!added) {
        r->out->skipped++;
        return true;
    }
    if (r->out->count == TOKENS_MOST)
        return error_fail(err, ERROR_INPUT, "more than %d models", TOKENS_MOST);
    r->rows = arena_grow(r->arena, r->rows, r->out->count, sizeof *r->rows, &r->room, err);
    if (r->rows == NULL)
        return false;
    known = hosted_model_find(r->ask->catalog, model);
    r->out->open += known != NULL;
    r->rows[r->out->count++] =
        (struct token_price){.fact = {.date = r->ask->date, .source = r->ask->read_from},
                             .provider = provider,
                             .model = model,
                             .serves = known != NULL ? known->name : (struct str){0},
                             .input_usd_per_m = e->price[MEMBER_INPUT],
                             .output_usd_per_m = e->price[MEMBER_OUTPUT],
                             .cached_input_usd_per_m = e->price[MEMBER_CACHED],
                             .batch_input_usd_per_m = e->price[MEMBER_BATCH_INPUT],
                             .batch_output_usd_per_m = e->price[MEMBER_BATCH_OUTPUT],
                             .max_input_tokens = e->max_input};
    return true;
}

static bool read_token_models(struct reading *r, struct error *err)
{
    struct json_token token;

    if (!json_next(r->json, &token, err))
        return false;
    if (token.kind != JSON_OBJECT)
        return error_fail(err, ERROR_INPUT, "no object with a member for each model");
    for (;;) {
        struct entry e = {0};

        if (!json_next(r->json, &token, err))
            return false;
        if (token.kind == JSON_OBJECT_END)
            return json_next(r->json, &token, err); /* nothing may follow */
        if (!keep_name(r, token.text, &e.name, err) || !json_next(r->json, &token, err))
            return false;
        if (token.kind == JSON_OBJECT) {
            if (!read_token_entry(r, &e, err) || !add_token_entry(r, &e, err))
                return false;
            continue;
        }
        r->out->skipped++;
        if (token.kind == JSON_ARRAY && !json_skip(r->json, err))
            return false;
    }
}

bool tokens_read(const struct tokens_reading *reading, struct arena *arena,
                 struct tokens_read *out, struct error *err)
{
    struct json_options options = {.alloc = arena->alloc};
    struct reading r = {.ask = reading,
                        .arena = arena,
                        .json = json_open(reading->source, &options, err),
                        .seen = map_in_arena(arena),
                        .out = out};
    bool ok;

    *out = (struct tokens_read){0};
    if (r.json == NULL)
        return false;
    ok = read_token_models(&r, err);
    json_close(r.json);
    out->rows = r.rows;
    if (!ok && err->kind != ERROR_MEMORY)
        error_context(err, "%s", reading->name);
    if (ok && out->count == 0) {
        error_set(err, ERROR_INPUT, "%s: no chat model with a price", reading->name);
        error_hint(err, "the file is LiteLLM's model_prices_and_context_window.json");
        return false;
    }
    return ok;
}
