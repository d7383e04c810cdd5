/* price.pack - the current prices of the store as one small file, signed. */
#include "op/price/price_pack.h"

#include <string.h>

#include "base/fs.h"
#include "base/hex.h"
#include "op/context.h"
#include "op/market.h"
#include "op/op.h"

#define PACK_MAX ((size_t)256 << 20)
#define KEY_FILE_MAX 4096
#define SECRET_START "ed25519-private:"

static const struct field request[] = {
    FIELD(TEXT, price_pack_request, file, .value = "FILE", .operand = true,
          .help = "file to write"),
    FIELD(TEXT, price_pack_request, key, .value = "FILE",
          .help = "sign it with the private key in FILE"),
    FIELD(TEXT, price_pack_request, create_key, .value = "FILE",
          .help = "create a key pair: FILE is private, FILE.pub is to be distributed"),
    FIELD(FLAG, price_pack_request, own, .help = "include the prices of your own lists"),
};

static const struct field result[] = {
    FIELD(TEXT, price_pack_result, file, .help = "file that was written"),
    FIELD(BYTES, price_pack_result, size, .help = "size of the file"),
    FIELD_AS("offers", COUNT, price_pack_result, counts.offers,
             .help = "offers: machines in places"),
    FIELD_AS("prices", COUNT, price_pack_result, counts.prices, .help = "prices packed"),
    FIELD_AS("own_left_out", COUNT, price_pack_result, counts.own,
             .help = "prices of your own lists that were not packed"),
    FIELD(TEXT, price_pack_result, key, .help = "public key; null: not signed"),
    FIELD(TEXT, price_pack_result, key_file, .help = "file of a new private key"),
};

/* The private key of a file that price.pack wrote. */
static bool read_secret(struct op_context *ctx, struct str file,
                        unsigned char out[static SIGN_KEY], struct error *err)
{
    const char *path = str_dup(file, ctx->arena, err);
    struct buf secret = buf_new(&alloc_system, KEY_FILE_MAX);
    struct str text, start = STR(SECRET_START);
    bool ok;

    if (path == NULL || !fs_read(path, KEY_FILE_MAX, ctx->arena, &text, err))
        return false;
    text = str_trim(str_cut(&text, '\n'));
    ok = str_starts(text, start) &&
         hex_read((struct str){text.at + start.len, text.len - start.len}, &secret) &&
         secret.len == SIGN_KEY;
    if (ok)
        memcpy(out, secret.at, SIGN_KEY);
    buf_free(&secret);
    if (!ok) {
        error_set(err, ERROR_INPUT, "%s: no private key", path);
        error_hint(err, "'stint price pack --create-key FILE' makes one%s",
                   str_starts(text, STR("ed25519:")) ? "; this is the public one" : "");
    }
    return ok;
}

/* The public key as a text in the arena. */
static bool public_text(struct op_context *ctx, const unsigned char secret[static SIGN_KEY],
                        struct str *out, struct error *err)
{
    struct buf text = buf_new(ctx->arena->alloc, 256);
    unsigned char key[SIGN_KEY];

    if (!sign_public_key(secret, key, err))
        return false;
    price_pack_key_write(key, &text);
    return buf_keep(&text, ctx->arena, out, err);
}

/* The private key is for its owner only. */
static bool write_key_line(const char *path, struct str line, bool secret, struct error *err)
{
    struct buf text = buf_new(&alloc_system, 256);
    bool ok;

    buf_add(&text, line);
    buf_char(&text, '\n');
    ok = secret ? fs_replace(path, buf_text(&text), err) : fs_put(path, buf_text(&text), err);
    buf_free(&text);
    return ok;
}

static bool create_key(struct op_context *ctx, struct str file, struct price_pack_result *res,
                       struct error *err)
{
    struct buf text = buf_new(ctx->arena->alloc, 256), path = buf_new(ctx->arena->alloc, 4096);
    unsigned char secret[SIGN_KEY];
    struct str line, public_path;

    if (!str_keep(file, ctx->arena, &res->key_file, err))
        return false;
    if (fs_exists(res->key_file.at)) {
        error_set(err, ERROR_USAGE, "%s exists: a key that is replaced is lost",
                  res->key_file.at);
        error_hint(err, "name another file, or remove it first");
        return false;
    }
    if (!sign_new_key(secret, err) || !public_text(ctx, secret, &res->key, err))
        return false;
    buf_adds(&text, SECRET_START);
    hex_write((struct str){(const char *)secret, sizeof secret}, &text);
    buf_add(&path, file);
    buf_adds(&path, ".pub");
    buf_char(&path, '\0');
    return buf_keep(&text, ctx->arena, &line, err) &&
           buf_keep(&path, ctx->arena, &public_path, err) &&
           write_key_line(res->key_file.at, line, true, err) &&
           write_key_line(public_path.at, res->key, false, err);
}

static bool check_pack_request(const struct price_pack_request *req, struct error *err)
{
    if (req->file.len > 0 || req->create_key.len > 0)
        return true;
    error_set(err, ERROR_USAGE, "price pack needs a file to write");
    error_hint(err, "stint price pack prices.stint --key team.key");
    return false;
}

static bool write_pack(struct op_context *ctx, const struct price_pack_request *req,
                       struct price_pack_result *res, struct error *err)
{
    unsigned char secret[SIGN_KEY];
    bool is_signed = req->key.len > 0 || req->create_key.len > 0;
    struct buf out = buf_new(ctx->arena->alloc, PACK_MAX);
    const struct store *store;
    const char *path;
    bool ok;

    if (is_signed &&
        (!read_secret(ctx, req->key.len > 0 ? req->key : req->create_key, secret, err) ||
         !public_text(ctx, secret, &res->key, err)))
        return false;
    path = str_dup(req->file, ctx->arena, err);
    store = path != NULL ? op_store(ctx, err) : NULL;
    ok = store != NULL &&
         price_pack_write(store, req->own, op_now(ctx), is_signed ? secret : NULL, &out,
                          &res->counts, err) &&
         fs_put(path, buf_text(&out), err);
    res->file = str_from(path);
    res->size.n = out.len;
    buf_free(&out);
    if (ok && !is_signed)
        message_warn(&ctx->messages,
                     "the pack is not signed: it is imported only with --allow-unsigned");
    return ok;
}

static bool price_pack_run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct price_pack_request *req = in;
    struct price_pack_result *res = out;

    res->size = BYTES_UNKNOWN;
    res->counts = (struct price_pack_counts){-1, -1, -1};
    return check_pack_request(req, err) &&
           (req->create_key.len == 0 || create_key(ctx, req->create_key, res, err)) &&
           (req->file.len == 0 || write_pack(ctx, req, res, err));
}

const struct op op_price_pack = {
    .name = "price.pack",
    .schema = "stint.price.pack/1",
    .changes = true,
    .summary = "pack current prices into one signed file",
    .request = &(const struct field_set)FIELD_SET(struct price_pack_request, request),
    .result = &(const struct field_set)FIELD_SET(struct price_pack_result, result),
    .run = price_pack_run,
};
