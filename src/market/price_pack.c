#include "market/price_pack.h"

#include <inttypes.h>
#include <string.h>

#include "base/hex.h"
#include "base/lz.h"
#include "base/num.h"
#include "unit/time.h"

#define VERSION "1"
#define MOST_BYTES ((uint64_t)256 << 20)
#define KEY_START "ed25519:"

void price_pack_key_write(const unsigned char key[static SIGN_KEY], struct buf *out)
{
    buf_adds(out, KEY_START);
    hex_write((struct str){(const char *)key, SIGN_KEY}, out);
}

/* Exactly so many bytes in hexadecimal. */
static bool read_hex_bytes(struct str digits, unsigned char *out, size_t len)
{
    struct buf read = buf_new(&alloc_system, 4 * SIGN_SIGNATURE);
    bool ok = digits.len == 2 * len && hex_read(digits, &read) && read.len == len;

    if (ok)
        memcpy(out, read.at, len);
    buf_free(&read);
    return ok;
}

bool price_pack_key_parse(struct str text, unsigned char out[static SIGN_KEY])
{
    struct str start = STR(KEY_START);

    return str_starts(text, start) &&
           read_hex_bytes((struct str){text.at + start.len, text.len - start.len}, out,
                          SIGN_KEY);
}

/* ---- writing ---- */

static void put_pack_number(struct buf *out, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        buf_char(out, (char)(value | 0x80));
    buf_char(out, (char)value);
}

static void put_pack_text(struct buf *out, struct str text)
{
    put_pack_number(out, text.len);
    buf_add(out, text);
}

static void put_double(struct buf *out, double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    for (unsigned i = 0; i < 8; i++)
        buf_char(out, (char)(bits >> (8 * i) & 0xff));
}

/* Negative ones do not occur but for PRICE_NONE, which is 0. */
static void put_pack_price(struct buf *out, int64_t price)
{
    put_pack_number(out, price == PRICE_NONE ? 0 : (uint64_t)price + 1);
}

enum record { RECORD_END, RECORD_FEED, RECORD_OFFER, RECORD_PRICE };

static void put_feed(const struct store_feed *feed, struct buf *out)
{
    put_pack_number(out, RECORD_FEED);
    put_pack_text(out, feed->feed);
    put_pack_number(out, feed->confidence);
}

static void put_offer(const struct store_offer *o, struct buf *out)
{
    put_pack_number(out, RECORD_OFFER);
    put_pack_text(out, o->provider);
    put_pack_text(out, o->region);
    put_pack_text(out, o->zone);
    put_pack_text(out, o->instance);
    put_pack_text(out, o->accelerator);
    put_double(out, o->count);
    put_double(out, o->gpu_memory_gib);
    put_double(out, o->vcpus);
    put_double(out, o->memory_gib);
    put_double(out, o->reliability);
}

static void put_pack_series(const struct store_series *s, struct buf *out)
{
    put_pack_number(out, RECORD_PRICE);
    put_pack_number(out, s->market);
    put_pack_text(out, str_from(s->currency.code));
    put_pack_number(out, s->doubts & DOUBT_FLOOR);
    put_pack_price(out, s->price);
    put_pack_number(out, (uint64_t)s->since.s);
    put_pack_number(out, (uint64_t)(s->seen.s - s->since.s));
}

/* One feed's prices of one provider: offers are sorted by provider. */
static void put_feed_prices(const struct store *store, size_t feed, struct buf *out,
                            struct price_pack_counts *counts)
{
    for (size_t i = 0; i < store_offer_count(store); i++) {
        struct store_offer o = store_offer(store, i);
        bool named = false;

        for (size_t k = o.first_series; k < o.first_series + o.series_count; k++) {
            struct store_series s = store_series(store, k);

            if (s.feed != feed || s.since.s < 0 || s.seen.s < s.since.s)
                continue;
            if (!named)
                put_offer(&o, out);
            counts->offers += !named;
            named = true;
            put_pack_series(&s, out);
            counts->prices++;
        }
    }
}

static int64_t count_series(const struct store *store, size_t feed)
{
    int64_t count = 0;

    for (size_t i = 0; i < store_series_count(store); i++)
        count += store_series(store, i).feed == feed;
    return count;
}

static void put_all(const struct store *store, bool own, struct buf *out,
                    struct price_pack_counts *counts)
{
    for (size_t i = 0; i < store_feed_count(store); i++) {
        struct store_feed feed = store_feed(store, i);

        if (feed.confidence == CONFIDENCE_PRIVATE && !own) {
            counts->own += count_series(store, i);
            continue;
        }
        put_feed(&feed, out);
        put_feed_prices(store, i, out, counts);
    }
    put_pack_number(out, RECORD_END);
}

static bool squeeze(struct str plain, struct buf *out, struct error *err)
{
    struct arena scratch = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    struct lz_table *table = arena_array(&scratch, struct lz_table, 1, err);
    char *room = table != NULL ? arena_array(&scratch, char, lz_bound(plain.len), err) : NULL;
    bool ok = room != NULL;

    if (ok)
        buf_add(out, (struct str){room, lz_pack(plain.at, plain.len, room, table)});
    arena_free(&scratch);
    return ok;
}

static bool add_signature(const unsigned char *secret, struct buf *out, struct error *err)
{
    unsigned char key[SIGN_KEY], signature[SIGN_SIGNATURE];

    if (secret == NULL)
        return true;
    if (!sign_public_key(secret, key, err))
        return false;
    buf_adds(out, "key ");
    price_pack_key_write(key, out);
    buf_char(out, '\n');
    if (!sign_text(secret, buf_text(out), signature, err))
        return false;
    buf_adds(out, "signature ");
    hex_write((struct str){(const char *)signature, sizeof signature}, out);
    buf_char(out, '\n');
    return true;
}

bool price_pack_write(const struct store *store, bool own, stamp created,
                      const unsigned char *secret, struct buf *out,
                      struct price_pack_counts *counts, struct error *err)
{
    struct buf plain = buf_new(&alloc_system, MOST_BYTES),
               packed = buf_new(&alloc_system, MOST_BYTES);
    char digest[SIGN_HEX];
    bool ok;

    *counts = (struct price_pack_counts){0};
    put_all(store, own, &plain, counts);
    ok = !plain.failed && squeeze(buf_text(&plain), &packed, err) && !packed.failed &&
         sign_digest(buf_text(&packed), digest, err);
    if (ok) {
        buf_adds(out, PRICE_PACK_MAGIC VERSION "\ncreated ");
        stamp_write(created, out);
        buf_addf(out, "\noffers %lld\nprices %lld\nsize %zu\nplain %zu\nsha256 %s\n",
                 (long long)counts->offers, (long long)counts->prices, packed.len, plain.len,
                 digest);
        ok = add_signature(secret, out, err);
        buf_char(out, '\n');
        buf_add(out, buf_text(&packed));
    } else if (plain.failed || packed.failed) {
        (void)error_memory(err);
    }
    buf_free(&plain);
    buf_free(&packed);
    if (ok && counts->prices == 0) {
        error_set(err, ERROR_ABSENT, "there are no prices to pack");
        error_hint(err, counts->own > 0 ? "--own packs the prices of your own lists"
                                        : "'stint price fetch skypilot' gets some");
        return false;
    }
    return ok && (!out->failed || error_memory(err));
}

/* ---- the header ---- */

static bool broken(const char *name, const char *what, struct error *err)
{
    error_set(err, ERROR_INPUT, "%s: not a price pack: %s", name, what);
    error_hint(err, "get the file again from its author");
    return false;
}

/* The next line has this name: its value. */
static bool take_pack_line(struct str *rest, const char *name, struct str *value)
{
    struct str line = *rest, start = str_from(name);
    const char *end = rest->len > 0 ? memchr(rest->at, '\n', rest->len) : NULL;

    if (end == NULL || !str_starts(*rest, start))
        return false;
    line.len = (size_t)(end - rest->at);
    *value = (struct str){line.at + start.len, line.len - start.len};
    *rest = (struct str){end + 1, rest->len - line.len - 1};
    return true;
}

static bool take_pack_size(struct str *rest, const char *name, uint64_t *out)
{
    struct str value;
    int64_t n;

    if (!take_pack_line(rest, name, &value) || !num_int(value, &n) || n < 0 ||
        (uint64_t)n > MOST_BYTES)
        return false;
    *out = (uint64_t)n;
    return true;
}

static bool take_signature(struct str file, struct str *rest, struct price_pack *out)
{
    struct str value;

    if (!str_starts(*rest, STR("key ")))
        return true;
    if (!take_pack_line(rest, "key ", &out->key) ||
        !price_pack_key_parse(out->key, out->public_key))
        return false;
    out->signed_part = (struct str){file.at, (size_t)(rest->at - file.at)};
    return take_pack_line(rest, "signature ", &value) &&
           read_hex_bytes(value, out->signature, SIGN_SIGNATURE);
}

bool price_pack_parse(struct str file, const char *name, struct price_pack *out,
                      struct error *err)
{
    struct str rest = file, value;

    *out = (struct price_pack){0};
    if (!take_pack_line(&rest, PRICE_PACK_MAGIC, &value))
        return broken(name, "it starts otherwise", err);
    if (!str_eq(value, STR(VERSION))) {
        error_set(err, ERROR_INPUT,
                  "%s: a price pack of version %.*s; this program reads " VERSION, name,
                  (int)(value.len < 20 ? value.len : 20), value.at);
        error_hint(err, "update stint, or pack with the version that you have");
        return false;
    }
    if (!take_pack_line(&rest, "created ", &value) || !stamp_parse(value, &out->created) ||
        !take_pack_size(&rest, "offers ", &out->offers) ||
        !take_pack_size(&rest, "prices ", &out->prices) ||
        !take_pack_size(&rest, "size ", &out->size) ||
        !take_pack_size(&rest, "plain ", &out->plain) ||
        !take_pack_line(&rest, "sha256 ", &out->sha256) || out->sha256.len != SIGN_HEX - 1 ||
        !take_signature(file, &rest, out) || !take_pack_line(&rest, "", &value) ||
        value.len > 0)
        return broken(name, "its header is damaged", err);
    if (rest.len != out->size) {
        error_set(err, ERROR_INPUT, "%s: %s: %zu of %" PRIu64 " bytes", name,
                  rest.len < out->size ? "cut off" : "longer than its header says", rest.len,
                  out->size);
        error_hint(err, "get the file again from its author");
        return false;
    }
    out->payload = rest;
    return true;
}

static bool is_pack_trusted(const struct price_pack *pack, struct strs keys)
{
    unsigned char key[SIGN_KEY];

    for (size_t i = 0; i < keys.len; i++)
        if (price_pack_key_parse(keys.at[i], key) &&
            memcmp(key, pack->public_key, SIGN_KEY) == 0)
            return true;
    return false;
}

bool price_pack_verify(const struct price_pack *pack, const char *name,
                       const struct price_pack_trust *trust, struct error *err)
{
    char digest[SIGN_HEX];
    bool good = false;

    if (!sign_digest(pack->payload, digest, err))
        return false;
    if (!str_eq(pack->sha256, str_from(digest))) {
        error_set(err, ERROR_INPUT, "%s: bad checksum: the file is damaged", name);
        error_hint(err, "get the file again from its author");
        return false;
    }
    if (pack->key.len == 0) {
        if (trust->unsigned_too)
            return true;
        error_set(err, ERROR_INPUT, "%s: not signed", name);
        error_hint(err,
                   "if you know where it is from, --allow-unsigned imports it; 'stint price "
                   "pack --key' signs");
        return false;
    }
    if (!is_pack_trusted(pack, trust->keys)) {
        error_set(err, ERROR_INPUT, "%s: signed by an unknown key, %.*s", name,
                  STR_ARG(pack->key));
        error_hint(err, "if it is your team's, --trust KEY, or put it into the setting "
                        "trusted_keys");
        return false;
    }
    if (!sign_verify(pack->public_key, pack->signed_part, pack->signature, &good, err))
        return false;
    if (!good) {
        error_set(err, ERROR_INPUT, "%s: bad signature: it was changed after it was signed",
                  name);
        error_hint(err, "get the file again from its author");
    }
    return good;
}

/* ---- reading ---- */

struct unpacking {
    const unsigned char *at, *end;
    bool bad;
};

static uint64_t get_pack_number(struct unpacking *u)
{
    uint64_t value = 0;

    for (unsigned shift = 0; shift < 64 && u->at < u->end; shift += 7) {
        unsigned char byte = *u->at++;

        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return value;
    }
    u->bad = true;
    return 0;
}

static struct str get_pack_text(struct unpacking *u)
{
    uint64_t len = get_pack_number(u);
    struct str text = {(const char *)u->at, (size_t)len};

    if (u->bad || len > (uint64_t)(u->end - u->at)) {
        u->bad = true;
        return (struct str){0};
    }
    u->at += len;
    return text;
}

static double get_double(struct unpacking *u)
{
    uint64_t bits = 0;
    double value;

    if (u->end - u->at < 8) {
        u->bad = true;
        return 0;
    }
    for (unsigned i = 8; i > 0; i--)
        bits = bits << 8 | u->at[i - 1];
    u->at += 8;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static bool get_feed(struct unpacking *u, const char *name, struct store_edit *edit,
                     struct error *err)
{
    struct str feed = get_pack_text(u);
    uint64_t confidence = get_pack_number(u);
    struct feed_format format = {.name = "pack", .scope = SCOPE_ROWS};

    if (u->bad || feed.len == 0 || confidence >= CONFIDENCE_COUNT)
        u->bad = true;
    if (u->bad)
        return true;
    format.confidence = (enum confidence)confidence;
    return store_edit_feed(edit, &format, feed, str_from(name), err);
}

static void get_offer(struct unpacking *u, struct quote *out)
{
    *out = quote_blank();
    out->provider = get_pack_text(u);
    out->region = get_pack_text(u);
    out->zone = get_pack_text(u);
    out->instance = get_pack_text(u);
    out->accelerator = get_pack_text(u);
    out->count = get_double(u);
    out->gpu_memory_gib = get_double(u);
    out->vcpus = get_double(u);
    out->memory_gib = get_double(u);
    out->reliability = get_double(u);
}

/* Two statements: since when it holds, and when it was last seen. */
static bool get_price(struct unpacking *u, const struct quote *offer, struct store_edit *edit,
                      struct error *err)
{
    struct quote q = *offer;
    uint64_t market = get_pack_number(u), price, since, later;

    if (!currency_parse(get_pack_text(u), &q.currency))
        u->bad = true;
    q.flags = (get_pack_number(u) & DOUBT_FLOOR) != 0 ? QUOTE_FLOOR : 0;
    price = get_pack_number(u);
    since = get_pack_number(u);
    later = get_pack_number(u);
    if (u->bad || market >= MARKET_COUNT || price > (uint64_t)QUOTE_HIGHEST ||
        since > (uint64_t)QUOTE_LATEST || later > (uint64_t)QUOTE_LATEST - since)
        u->bad = true;
    if (u->bad)
        return true;
    q.price[market] = price == 0 ? PRICE_NONE : (int64_t)price - 1;
    q.at.s = (int64_t)since;
    if (!store_edit_quote(edit, &q, err))
        return false;
    q.at.s += (int64_t)later;
    return later == 0 || store_edit_quote(edit, &q, err);
}

static bool get_records(struct unpacking *u, const char *name, struct store_edit *edit,
                        struct error *err)
{
    struct quote offer = quote_blank();
    bool in_feed = false, in_offer = false, ok = true;

    while (ok && !u->bad) {
        uint64_t kind = get_pack_number(u);

        if (kind == RECORD_END && !u->bad) {
            u->bad = u->at != u->end;
            return true;
        }
        if (kind == RECORD_FEED) {
            ok = get_feed(u, name, edit, err);
            in_feed = true;
            in_offer = false;
        } else if (kind == RECORD_OFFER && in_feed) {
            get_offer(u, &offer);
            in_offer = true;
        } else if (kind == RECORD_PRICE && in_offer) {
            ok = get_price(u, &offer, edit, err);
        } else {
            u->bad = true;
        }
    }
    return ok;
}

bool price_pack_read(const struct price_pack *pack, const char *name, struct store_edit *edit,
                     struct arena *arena, struct error *err)
{
    unsigned char *plain = arena_array(arena, unsigned char, pack->plain + 1, err);
    struct unpacking u = {plain, plain + (plain != NULL ? pack->plain : 0), false};

    if (plain == NULL)
        return false;
    if (!lz_unpack(pack->payload.at, pack->payload.len, plain, (size_t)pack->plain))
        return broken(name, "its prices cannot be unpacked", err);
    if (!get_records(&u, name, edit, err)) {
        error_context(err, "%s", name);
        return false;
    }
    return !u.bad || broken(name, "its prices are damaged", err);
}
