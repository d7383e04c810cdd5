#include "market/store_format.h"

static double get_double(const unsigned char *at)
{
    uint64_t bits = get64(at);
    double value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

static void put_double(unsigned char *at, double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    put64(at, bits);
}

struct feed_row feed_row_get(const unsigned char *at)
{
    return (struct feed_row){.feed = get32(at),
                             .provider = get32(at + 4),
                             .from = get32(at + 8),
                             .confidence = at[12],
                             .scope = at[13],
                             .read = (int64_t)get64(at + 16),
                             .imported = (int64_t)get64(at + 24)};
}

void feed_row_put(unsigned char *at, const struct feed_row *row)
{
    memset(at, 0, FEED_ROW);
    put32(at, row->feed);
    put32(at + 4, row->provider);
    put32(at + 8, row->from);
    at[12] = row->confidence;
    at[13] = row->scope;
    put64(at + 16, (uint64_t)row->read);
    put64(at + 24, (uint64_t)row->imported);
}

struct read_row read_row_get(const unsigned char *at)
{
    return (struct read_row){.feed = get32(at),
                             .region = get32(at + 4),
                             .market = get32(at + 8),
                             .at = (int64_t)get64(at + 16)};
}

void read_row_put(unsigned char *at, const struct read_row *row)
{
    memset(at, 0, READ_ROW);
    put32(at, row->feed);
    put32(at + 4, row->region);
    put32(at + 8, row->market);
    put64(at + 16, (uint64_t)row->at);
}

struct offer_row offer_row_get(const unsigned char *at)
{
    struct offer_row row;

    for (unsigned i = 0; i < TEXT_COUNT; i++)
        row.text[i] = get32(at + 4 * i);
    row.first = get32(at + 20);
    row.count = get32(at + 24);
    for (unsigned i = 0; i < NUMBER_KINDS; i++)
        row.number[i] = get_double(at + 32 + 8 * i);
    return row;
}

void offer_row_put(unsigned char *at, const struct offer_row *row)
{
    memset(at, 0, OFFER_ROW);
    for (unsigned i = 0; i < TEXT_COUNT; i++)
        put32(at + 4 * i, row->text[i]);
    put32(at + 20, row->first);
    put32(at + 24, row->count);
    for (unsigned i = 0; i < NUMBER_KINDS; i++)
        put_double(at + 32 + 8 * i, row->number[i]);
}

struct series_row series_row_get(const unsigned char *at)
{
    struct series_row row = {.offer = get32(at),
                             .feed = get32(at + 4),
                             .market = at[8],
                             .doubts = at[9],
                             .flags = at[10],
                             .price = (int64_t)get64(at + 16),
                             .since = (int64_t)get64(at + 24),
                             .seen = (int64_t)get64(at + 32),
                             .first = (int64_t)get64(at + 40),
                             .at = get64(at + 48),
                             .points = get32(at + 56),
                             .size = get32(at + 60),
                             .crc = get32(at + 64)};

    memcpy(row.currency, at + 12, 4);
    return row;
}

void series_row_put(unsigned char *at, const struct series_row *row)
{
    memset(at, 0, SERIES_ROW);
    put32(at, row->offer);
    put32(at + 4, row->feed);
    at[8] = row->market;
    at[9] = row->doubts;
    at[10] = row->flags;
    memcpy(at + 12, row->currency, 4);
    put64(at + 16, (uint64_t)row->price);
    put64(at + 24, (uint64_t)row->since);
    put64(at + 32, (uint64_t)row->seen);
    put64(at + 40, (uint64_t)row->first);
    put64(at + 48, row->at);
    put32(at + 56, row->points);
    put32(at + 60, row->size);
    put32(at + 64, row->crc);
}
