/* Random lists, in any order and read again and again, against a model that is too simple to be
 * wrong: the price at each moment, in an array. */
#include "stores.h"

#define MACHINES 3
#define MARKETS 2
#define MOMENTS 40
#define NOT_GIVEN INT64_MIN
#define GONE (-1)

/* What is known of a series: `given` for the moments at which it changed, and for the last
 * one. */
struct known_series {
    bool exists;
    int64_t given[MOMENTS];
};

struct known_prices {
    struct known_series series[MACHINES][MARKETS];
    int silent_since[MARKETS]; /* when the list was last read completely; -1 for never */
};

struct given {
    int at;
    int64_t value;
};

/* What an edit gives for a series, in order. */
struct edit_quotes {
    struct given at[400];
    size_t count;
};

static uint64_t chance_state;

static int chance(int below)
{
    chance_state = chance_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((uint32_t)(chance_state >> 33) % (uint32_t)below);
}

static void forget_confirmations(struct known_series *s)
{
    int64_t last = NOT_GIVEN;
    int newest = -1;

    for (int t = 0; t < MOMENTS; t++)
        if (s->given[t] != NOT_GIVEN)
            newest = t;
    for (int t = 0; t < MOMENTS; t++) {
        if (s->given[t] != NOT_GIVEN && s->given[t] == last && t != newest)
            s->given[t] = NOT_GIVEN;
        if (s->given[t] != NOT_GIVEN)
            last = s->given[t];
    }
}

static int newest_of(const struct known_series *s)
{
    for (int t = MOMENTS - 1; t >= 0; t--)
        if (s->given[t] != NOT_GIVEN)
            return t;
    return -1;
}

/* Of a sequence of equal prices given in order, only the ends are kept. */
static void add_given(struct edit_quotes *to, int at, int64_t value)
{
    size_t n = to->count;

    if (n >= 2 && to->at[n - 1].value == value && to->at[n - 2].value == value &&
        to->at[n - 2].at <= to->at[n - 1].at && to->at[n - 1].at <= at)
        to->count--;
    to->at[to->count++] = (struct given){at, value};
}

static void model_apply(struct known_prices *m, struct edit_quotes edits[MACHINES][MARKETS],
                        const bool named[MACHINES], int complete_at)
{
    bool mentioned[MARKETS] = {false};
    bool was_there[MACHINES] = {false};

    for (int i = 0; i < MACHINES; i++)
        for (int k = 0; k < MARKETS; k++) {
            mentioned[k] = mentioned[k] || edits[i][k].count > 0;
            was_there[i] = was_there[i] || m->series[i][k].exists;
        }
    for (int i = 0; i < MACHINES; i++)
        for (int k = 0; k < MARKETS; k++) {
            struct known_series *s = &m->series[i][k];
            const struct edit_quotes *t = &edits[i][k];

            for (size_t n = 0; n < t->count; n++)
                s->given[t->at[n].at] = t->at[n].value;
            if (t->count == 0 && s->exists && !named[i] && mentioned[k] &&
                complete_at > newest_of(s))
                s->given[complete_at] = GONE;
            if (t->count > 0 && !was_there[i] && m->silent_since[k] > newest_of(s))
                s->given[m->silent_since[k]] = GONE;
            s->exists = s->exists || t->count > 0;
            forget_confirmations(s);
        }
    for (int k = 0; k < MARKETS; k++)
        if (mentioned[k] && complete_at > m->silent_since[k])
            m->silent_since[k] = complete_at;
}

static const char *const names[MACHINES] = {"a", "b", "c"};

/* A list with some quotes, given to the model and to the store, once or twice. */
static void random_edit(struct known_prices *m)
{
    struct edit_quotes edits[MACHINES][MARKETS];
    bool named[MACHINES] = {false};
    int quotes = 1 + chance(chance(4) == 0 ? 100 : 6), spread = 1 + chance(MOMENTS);
    int from = chance(MOMENTS - spread + 1), prices = 1 + chance(4), missing = chance(6);
    int complete_at = chance(3) == 0 ? chance(MOMENTS) : -1, markets = 1 + chance(MARKETS);
    uint64_t again = chance_state;

    for (int times = 1 + chance(2); times > 0; times--) {
        struct store_edit *edit = edit_of("list");

        memset(edits, 0, sizeof edits);
        chance_state = again;
        for (int n = 0; n < quotes; n++) {
            int i = chance(MACHINES), at = from + chance(spread);
            struct quote q = quote_of(names[i], at, PRICE_UNSAID);

            if (i == missing)
                continue;
            named[i] = true;
            for (int k = 0; k < markets; k++) {
                int64_t value = chance(5) == 0 ? GONE : chance(prices);

                if (chance(5) == 0)
                    continue;
                q.price[k] = value == GONE ? PRICE_NONE : value;
                add_given(&edits[i][k], at, value);
            }
            add_quote(edit, &q);
        }
        if (complete_at >= 0)
            complete(edit, SCOPE_PROVIDER, complete_at);
        (void)commit(edit, 0);
        model_apply(m, edits, named, complete_at);
    }
}

static void check_one(const struct store *store, const char *name, enum market market,
                      const struct known_series *s)
{
    struct point expected[MOMENTS];
    size_t count = 0, series = find_series(store, name, market);
    int64_t last = NOT_GIVEN;
    struct store_series got;

    assert_true((series != SIZE_MAX) == s->exists);
    if (!s->exists)
        return;
    for (int t = 0; t < MOMENTS; t++) {
        if (s->given[t] == NOT_GIVEN || s->given[t] == last)
            continue;
        last = s->given[t];
        expected[count++] = (struct point){{t}, last == GONE ? SERIES_NONE : last};
    }
    check_points(store, series, expected, count);
    got = store_series(store, series);
    assert_int_equal(got.price, last == GONE ? PRICE_NONE : last);
    assert_int_equal(got.since.s, expected[count - 1].at.s);
    assert_int_equal(got.seen.s, newest_of(s));
    assert_int_equal(got.first.s, expected[0].at.s);
}

static void store_equals_the_model(void **state)
{
    (void)state;
    for (int round = 0; round < 300; round++) {
        struct known_prices m = {.silent_since = {-1, -1}};

        chance_state = (uint64_t)round;
        for (int i = 0; i < MACHINES; i++)
            for (int k = 0; k < MARKETS; k++)
                for (int t = 0; t < MOMENTS; t++)
                    m.series[i][k].given[t] = NOT_GIVEN;
        (void)unlink(store_path);
        for (int edits = 1 + chance(8); edits > 0; edits--) {
            struct store *store;

            random_edit(&m);
            store = open_good();
            for (int i = 0; i < MACHINES; i++)
                for (int k = 0; k < MARKETS; k++)
                    check_one(store, names[i], (enum market)k, &m.series[i][k]);
            store_close(store);
        }
    }
}

int group_store_model(void)
{
    const struct CMUnitTest tests[] = {store_test(store_equals_the_model)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
