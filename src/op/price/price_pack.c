/* price.pack - the current prices of the store as one small file, signed. */
#include "op/price/price_pack.h"

#include "base/fs.h"
#include "op/context.h"
#include "op/op.h"

#define PACK_MAX ((size_t)256 << 20)

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

    if (is_signed && (!price_key_secret(req->key.len > 0 ? req->key : req->create_key,
                                        ctx->arena, secret, err) ||
                      !price_key_public(secret, ctx->arena, &res->key, err)))
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
           (req->create_key.len == 0 ||
            price_key_create(req->create_key, ctx->arena, &res->key_file, &res->key, err)) &&
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
