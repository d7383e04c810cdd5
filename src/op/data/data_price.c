#include "op/data/data_price.h"

#include "op/context.h"

static const struct field move_fields[] = {
    FIELD(BYTES, data_move, size, .help = "size of what moves"),
    FIELD(NUMBER, data_move, seconds, .help = "time that it takes with this bandwidth"),
    FIELD(USD, data_move, cost, .help = "price of the transfer, by the cloud it leaves"),
};

const struct field_set data_move_fields = FIELD_SET(struct data_move, move_fields);

static const struct field savings_fields[] = {
    FIELD(BYTES, data_savings, size, .help = "bytes that need not be moved"),
    FIELD(NUMBER, data_savings, seconds, .help = "time saved with this bandwidth"),
    FIELD(USD, data_savings, cost, .help = "price saved, by the cloud that the data leaves"),
};

const struct field_set data_savings_fields = FIELD_SET(struct data_savings, savings_fields);

bool op_data_check_place(struct op_context *ctx, struct str place, struct error *err)
{
    const struct str provider = str_cut(&place, '/');

    if (!op_catalog(ctx, TABLE_BIT(TABLE_TRANSFER) | TABLE_BIT(TABLE_REGIONS), err))
        return false;
    return provider.len == 0 ||
           (catalog_check_patterns(&ctx->catalog, TABLE_BIT(TABLE_TRANSFER), "provider",
                                   (struct strs){&provider, 1}, err) &&
            region_check(&ctx->catalog, provider, place, err));
}

void op_data_note_free(struct op_context *ctx, struct str from, struct str to, bytes size)
{
    struct str provider = str_cut(&from, '/');
    int64_t free_gb = transfer_free_gb(&ctx->catalog, provider, str_cut(&to, '/'));

    if (size.n > 0 && free_gb > 0)
        message_note(&ctx->messages,
                     "%.*s charges nothing for the first %lld GB to the internet in a month: "
                     "the price is right if nothing else has used them",
                     STR_ARG(provider), (long long)free_gb);
}

struct data_move op_data_move(const struct op_context *ctx, bytes size, struct str from,
                              struct str to, bytes bandwidth)
{
    struct str provider = str_cut(&to, '/');

    return (struct data_move){
        .size = size,
        .seconds = (double)size.n / (double)bandwidth.n,
        .cost = transfer_from(&ctx->catalog, from, provider, to, size),
    };
}

struct data_savings op_data_savings(const struct op_context *ctx, struct data_way way,
                                    bytes before, bytes after)
{
    usd more = op_data_move(ctx, before, way.from, way.to, way.bandwidth).cost;
    usd less = op_data_move(ctx, after, way.from, way.to, way.bandwidth).cost;
    bool known = more.nano != MONEY_UNKNOWN && less.nano != MONEY_UNKNOWN;

    return (struct data_savings){
        .size.n = before.n - after.n,
        .seconds = ((double)before.n - (double)after.n) / (double)way.bandwidth.n,
        .cost.nano = known ? more.nano - less.nano : MONEY_UNKNOWN,
    };
}

usd op_data_requests(const struct op_context *ctx, struct str place, int64_t puts, int64_t gets)
{
    const struct rows *rows = &ctx->catalog.tables[TABLE_STORAGE];
    struct str provider = str_cut(&place, '/');

    if (provider.len == 0 || puts + gets == 0)
        return (usd){0};
    for (size_t i = 0; i < rows->len; i++) {
        const struct storage *s = CATALOG_ROW(&ctx->catalog, TABLE_STORAGE, storage, i);

        if (str_eq_nocase(s->provider, provider) && str_eq(s->tier, STR("hot")))
            return usd_from((double)puts / 1000 * s->put_usd_1000 +
                            (double)gets / 1000 * s->get_usd_1000);
    }
    return USD_UNKNOWN;
}
