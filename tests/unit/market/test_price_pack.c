/* The current prices of a store as one signed file: there and back, and everything that may be
 * wrong with it. */
#include "stores.h"

#include "market/price_pack.h"

#define CREATED ((stamp){INT64_C(1794700800)})

static const unsigned char secret[SIGN_KEY] = {1, 2, 3, 4, 5};

static void quote_both(struct store_edit *edit, const char *region, const char *instance,
                       int64_t at, int64_t on_demand, int64_t spot)
{
    struct quote q = quote_blank();
    struct error err = {0};

    q.provider = STR("acme");
    q.region = str_from(region);
    q.instance = str_from(instance);
    q.accelerator = STR("H100-SXM-80GB");
    q.count = 8;
    q.vcpus = 96;
    q.price[MARKET_ON_DEMAND] = on_demand;
    q.price[MARKET_SPOT] = spot;
    q.at.s = at;
    if (!store_edit_quote(edit, &q, &err))
        fail_msg("%s", err.text);
}

static struct store_edit *edit_trusted(const char *feed, enum confidence confidence)
{
    struct feed_format format = {.name = feed, .confidence = confidence, .scope = SCOPE_ROWS};
    struct error err = {0};
    struct store_edit *edit = store_edit_new(&alloc_system, &err);

    assert_non_null(edit);
    assert_true(store_edit_feed(edit, &format, str_from(feed), STR("a file"), &err));
    return edit;
}

static void commit_to(struct store_edit *edit, const char *path)
{
    struct store_change change;
    struct error err = {0};

    if (!store_commit(edit, path, CREATED, &change, &err))
        fail_msg("%s", err.text);
    store_edit_free(edit);
}

/* Two feeds, a price that changed, one that is gone, and the user's own. */
static void fill(const char *path)
{
    struct store_edit *edit = edit_trusted("skypilot", CONFIDENCE_CATALOG);

    quote_both(edit, "eu-1", "big", CREATED.s - 5 * DAY_S, 20 * BILLION, 7 * BILLION);
    quote_both(edit, "eu-1", "big", CREATED.s - 2 * DAY_S, 20 * BILLION, 8 * BILLION);
    quote_both(edit, "eu-2", "big", CREATED.s - 2 * DAY_S, 21 * BILLION, PRICE_NONE);
    commit_to(edit, path);
    edit = edit_trusted("acme-api", CONFIDENCE_OFFICIAL);
    quote_both(edit, "eu-1", "big", CREATED.s - DAY_S, 20 * BILLION, PRICE_UNSAID);
    commit_to(edit, path);
    edit = edit_trusted("private", CONFIDENCE_PRIVATE);
    quote_both(edit, "eu-3", "ours", CREATED.s - DAY_S, 10 * BILLION, PRICE_UNSAID);
    commit_to(edit, path);
}

static struct buf pack_of(const char *path, bool own, const unsigned char *key,
                          struct price_pack_counts *counts)
{
    struct error err = {0};
    struct store *store = store_open(path, &alloc_system, &(struct messages){0}, &err);
    struct buf out = buf_new(&alloc_system, (size_t)1 << 24);

    assert_non_null(store);
    if (!price_pack_write(store, own, CREATED, key, &out, counts, &err))
        fail_msg("%s", err.text);
    store_close(store);
    return out;
}

static void import_into(struct str file, const char *path)
{
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    struct error err = {0};
    struct store_edit *edit = store_edit_new(&alloc_system, &err);
    struct price_pack pack;

    assert_non_null(edit);
    if (!price_pack_parse(file, "p", &pack, &err) ||
        !price_pack_read(&pack, "p", edit, &arena, &err))
        fail_msg("%s", err.text);
    commit_to(edit, path);
    arena_free(&arena);
}

static void a_round_trip_gives_the_same_bytes(void **state)
{
    struct price_pack_counts counts;
    struct buf first, second;
    char other[120];

    (void)state;
    (void)snprintf(other, sizeof other, "%s/other.db", folder);
    fill(store_path);
    first = pack_of(store_path, true, secret, &counts);
    assert_int_equal(counts.prices, 6);
    assert_int_equal(counts.own, 0);
    import_into(buf_text(&first), other);
    second = pack_of(other, true, secret, &counts);
    assert_int_equal(first.len, second.len);
    assert_memory_equal(first.at, second.at, first.len);
    buf_free(&first);
    buf_free(&second);
}

static void own_lists_stay_at_home(void **state)
{
    struct price_pack_counts counts;
    struct buf out;

    (void)state;
    fill(store_path);
    out = pack_of(store_path, false, NULL, &counts);
    assert_int_equal(counts.own, 1);
    assert_int_equal(counts.prices, 5);
    assert_false(str_has_nocase(buf_text(&out), STR("ours")));
    buf_free(&out);
}

/* The text of the error that verifying gives; empty when all is well. */
static const char *verdict(struct str file, struct str key, bool unsigned_too)
{
    static struct error err;
    struct price_pack_trust trust = {.keys = {&key, key.len > 0}, .unsigned_too = unsigned_too};
    struct price_pack pack;

    err = (struct error){0};
    if (price_pack_parse(file, "p", &pack, &err) && price_pack_verify(&pack, "p", &trust, &err))
        return "";
    return err.text;
}

static void only_trusted_keys_count(void **state)
{
    static const struct str other = {
        "ed25519:0000000000000000000000000000000000000000000000000000000000000000", 72};
    struct price_pack_counts counts;
    struct error err = {0};
    struct price_pack pack;
    struct buf out;

    (void)state;
    fill(store_path);
    out = pack_of(store_path, false, secret, &counts);
    assert_true(price_pack_parse(buf_text(&out), "p", &pack, &err));
    assert_string_equal(verdict(buf_text(&out), pack.key, false), "");
    assert_non_null(strstr(verdict(buf_text(&out), other, false), "signed by an unknown key"));
    assert_non_null(
        strstr(verdict(buf_text(&out), (struct str){0}, true), "signed by an unknown key"));
    buf_free(&out);
    out = pack_of(store_path, false, NULL, &counts);
    assert_string_equal(verdict(buf_text(&out), pack.key, false), "p: not signed");
    assert_string_equal(verdict(buf_text(&out), pack.key, true), "");
    buf_free(&out);
}

/* Whatever byte is changed, it is noticed; so is every cut. */
static void every_damage_is_noticed(void **state)
{
    struct price_pack_counts counts;
    struct error err = {0};
    struct price_pack pack;
    char key[80];
    struct buf out;

    (void)state;
    fill(store_path);
    out = pack_of(store_path, false, secret, &counts);
    assert_true(price_pack_parse(buf_text(&out), "p", &pack, &err));
    (void)snprintf(key, sizeof key, "%.*s", STR_ARG(pack.key));
    for (size_t i = 0; i < out.len; i++) {
        out.at[i] = (char)(out.at[i] ^ 1);
        assert_string_not_equal(verdict(buf_text(&out), str_from(key), false), "");
        out.at[i] = (char)(out.at[i] ^ 1);
        assert_string_not_equal(verdict((struct str){out.at, i}, str_from(key), false), "");
    }
    assert_string_equal(verdict(buf_text(&out), str_from(key), false), "");
    buf_char(&out, 'x');
    assert_non_null(
        strstr(verdict(buf_text(&out), str_from(key), false), "longer than its header says"));
    buf_free(&out);
}

static void an_empty_store_has_nothing_to_pack(void **state)
{
    struct error err = {0};
    struct store *store = store_open(store_path, &alloc_system, &(struct messages){0}, &err);
    struct buf out = buf_new(&alloc_system, (size_t)1 << 20);
    struct price_pack_counts counts;

    (void)state;
    assert_non_null(store);
    assert_false(price_pack_write(store, false, CREATED, secret, &out, &counts, &err));
    assert_string_equal(err.text, "there are no prices to pack");
    buf_free(&out);
    store_close(store);
}

int group_price_pack(void)
{
    const struct CMUnitTest tests[] = {
        store_test(a_round_trip_gives_the_same_bytes),
        store_test(own_lists_stay_at_home),
        store_test(only_trusted_keys_count),
        store_test(every_damage_is_noticed),
        store_test(an_empty_store_has_nothing_to_pack),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
