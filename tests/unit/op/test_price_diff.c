/* What changed between two days. */
#include "market_world.h"

#define A "aws/us-east-1/use1-az1/p5.48xlarge"
#define B "aws/us-east-1/use1-az2/p5.48xlarge"
#define C "aws/us-east-1/use1-az3/p5.48xlarge"
#define D "aws/us-east-1/use1-az4/p5.48xlarge"
#define E "aws/us-east-1/use1-az5/p5.48xlarge"

/* A falls by half, B rises by a tenth, C stands, D vanishes, E comes; another feed starts
 * late. */
static void fill(void)
{
    struct store_edit *e = market_edit("skypilot", CONFIDENCE_CATALOG);

    for (int d = 20; d >= 0; d--) {
        market_tell(e, A, d, MARKET_SPOT, (d > 3 ? 20 : 10) * DOLLAR);
        market_tell(e, B, d, MARKET_SPOT, (d > 3 ? 20 : 22) * DOLLAR);
        market_tell(e, C, d, MARKET_SPOT, 20 * DOLLAR);
        market_tell(e, C, d, MARKET_ON_DEMAND, (d > 3 ? 50 : 55) * DOLLAR);
        market_tell(e, D, d, MARKET_SPOT, d > 2 ? 20 * DOLLAR : PRICE_NONE);
        if (d < 2)
            market_tell(e, E, d, MARKET_SPOT, 15 * DOLLAR);
    }
    market_commit(e);
    e = market_edit("gcp", CONFIDENCE_OFFICIAL);
    market_tell(e, "gcp/us-central1/a3-highgpu-8g", 1, MARKET_ON_DEMAND, 88 * DOLLAR);
    market_commit(e);
}

static void tells_changes_what_came_and_what_went(void **state)
{
    struct world *w = *state;
    const char *reply, *a, *b, *d, *e;

    fill();
    reply = ask(w, "price.diff", "{\"from\":\"7d\"}");
    assert_says(reply, "\"from\":\"2026-11-08\",\"to\":\"2026-11-15\",\"compared\":4,"
                       "\"changed\":3,\"up\":2,\"down\":1,\"median\":0.1");
    assert_says(reply, "\"appeared\":1,\"gone\":1,\"unknown\":1,");
    a = strstr(reply, A);
    b = strstr(reply, B);
    d = strstr(reply, D);
    e = strstr(reply, E);
    assert_true(a != NULL && b != NULL && d != NULL && e != NULL);
    assert_true(a < b && b < e && e < d); /* the largest first */
    assert_says(reply, "{\"kind\":\"changed\",\"offer\":\"" A "\",\"market\":\"spot\",\"feed\":"
                       "\"skypilot\",\"accelerator\":\"H100-SXM-80GB\",\"count\":8,\"before\":"
                       "{\"amount\":\"20\",\"currency\":\"USD\"},\"after\":{\"amount\":\"10\","
                       "\"currency\":\"USD\"},\"change\":-0.5,\"jump\":false}");
    assert_says(reply, "\"before\":null,\"after\":{\"amount\":\"15\",\"currency\":\"USD\"},"
                       "\"change\":null,\"jump\":false}");
    assert_null(strstr(reply, "gcp/")); /* nobody knows whether it is new */
}

static void filters_and_sorts(void **state)
{
    struct world *w = *state;
    const char *reply;

    fill();
    reply = ask(w, "price.diff", "{\"from\":\"7d\",\"market\":\"on-demand\"}");
    assert_says(reply, "\"compared\":1,\"changed\":1,\"up\":1,\"down\":0,");
    reply = ask(w, "price.diff", "{\"from\":\"7d\",\"min_change\":\"20%\"}");
    assert_says(reply, "\"compared\":4,\"changed\":1,\"up\":0,\"down\":1,\"median\":-0.5");
    reply = ask(w, "price.diff", "{\"from\":\"7d\",\"sort\":\"price\",\"limit\":1}");
    assert_int_equal(times(reply, "\"kind\":"), 1);
    assert_says(reply, A);
    reply = ask(w, "price.diff", "{\"from\":\"7d\",\"provider\":\"gcp\"}");
    assert_says(reply, "\"compared\":0,\"changed\":0,\"up\":0,\"down\":0,\"median\":null");
    reply = ask(w, "price.diff", "{\"from\":\"7d\",\"gpu\":\"T4\"}");
    assert_says(reply, "\"compared\":0,");
}

static void a_day_means_its_end(void **state)
{
    struct world *w = *state;

    fill();
    /* The prices of the 12th (three days ago) are the new ones: nothing changed since. */
    assert_says(ask(w, "price.diff", "{\"from\":\"2026-11-12\",\"to\":\"today\"}"),
                "\"from\":\"2026-11-12\",\"to\":\"2026-11-15\",\"compared\":4,\"changed\":0,");
    assert_says(ask(w, "price.diff", "{\"from\":\"2026-11-11\",\"to\":\"2026-11-12\"}"),
                "\"compared\":5,\"changed\":3,");
    assert_says(ask(w, "price.diff", "{\"from\":\"2026-11-11\",\"to\":\"yesterday\"}"),
                "\"to\":\"2026-11-14\",\"compared\":4,\"changed\":3,");
}

static void before_any_history_all_is_unknown(void **state)
{
    struct world *w = *state;

    fill();
    assert_says(ask(w, "price.diff", "{\"from\":\"2026-01-01\",\"to\":\"2026-11-15\"}"),
                "\"compared\":0,\"changed\":0,\"up\":0,\"down\":0,\"median\":null,"
                "\"appeared\":0,\"gone\":0,\"unknown\":6,");
}

/* Two machines have a history of 60 days, 30 others are known from one list, 5 came later. */
static void a_day_on_which_many_begin_is_where_the_history_starts(void **state)
{
    struct store_edit *e = market_edit("skypilot", CONFIDENCE_CATALOG);
    struct world *w = *state;
    const char *reply;

    for (int d = 60; d >= 0; d--) {
        market_tell(e, A, d, MARKET_SPOT, 20 * DOLLAR);
        market_tell(e, B, d, MARKET_SPOT, 20 * DOLLAR);
        for (int i = 0; i < 35; i++) {
            char offer[64];

            (void)snprintf(offer, sizeof offer, "aws/us-east-1/x%d.large", i);
            if (d <= (i < 30 ? 10 : 2))
                market_tell(e, offer, d, MARKET_SPOT, DOLLAR);
        }
    }
    market_commit(e);
    reply = ask(w, "price.diff", "{\"from\":\"30d\"}");
    assert_says(reply, "\"compared\":2,\"changed\":0,");
    assert_says(reply, "\"appeared\":5,\"gone\":0,\"unknown\":30,");
    /* Since that list all is known. */
    assert_says(ask(w, "price.diff", "{\"from\":\"8d\"}"),
                "\"appeared\":5,\"gone\":0,\"unknown\":0,");
    assert_string_equal(w->said, "");
}

static void what_nobody_saw_since_is_not_unchanged(void **state)
{
    struct store_edit *e = market_edit("skypilot", CONFIDENCE_CATALOG);
    struct world *w = *state;
    const char *reply;

    for (int d = 20; d >= 10; d--) {
        market_tell(e, A, d, MARKET_SPOT, (d > 15 ? 20 : 10) * DOLLAR);
        market_tell(e, B, d, MARKET_SPOT, 20 * DOLLAR);
    }
    market_commit(e);
    reply = ask(w, "price.diff", "{\"from\":\"7d\"}");
    assert_says(reply, "\"compared\":0,\"changed\":0,");
    assert_says(reply, "\"unseen\":2,");
    assert_string_equal(w->said, "warning: skypilot of aws was last read on 2026-11-05, before "
                                 "2026-11-15: what changed since is not known\n");
    reply = ask(w, "price.diff", "{\"from\":\"18d\"}");
    assert_says(reply, "\"compared\":2,\"changed\":1,");
    assert_says(reply, "\"unseen\":0,");
    /* Before it was read no more, all is known. */
    assert_says(ask(w, "price.diff", "{\"from\":\"18d\",\"to\":\"2026-11-05\"}"),
                "\"compared\":2,\"changed\":1,");
    assert_string_equal(w->said, "");
}

static void jumps_are_marked_and_rounding_is_no_change(void **state)
{
    struct store_edit *e = market_edit("skypilot", CONFIDENCE_CATALOG);
    struct world *w = *state;
    const char *reply;

    for (int d = 20; d >= 0; d--) {
        market_tell(e, A, d, MARKET_SPOT, (d > 3 ? 20 * DOLLAR : 2 * DOLLAR));
        market_tell(e, B, d, MARKET_SPOT, 20 * DOLLAR + (d > 3 ? 0 : CENT / 10));
        market_tell(e, C, d, MARKET_SPOT, (d == 3 ? 300 : 20) * DOLLAR); /* there and back */
        market_tell(e, D, d, MARKET_SPOT, (d > 3 ? 20 : 60) * DOLLAR);
    }
    market_commit(e);
    reply = ask(w, "price.diff", "{\"from\":\"7d\"}");
    assert_says(reply, "\"compared\":4,\"changed\":2,\"up\":1,\"down\":1,");
    assert_says(reply, "\"jumped\":2,");
    assert_true(strstr(reply, A) < strstr(reply, D)); /* a tenth is further than three times */
    assert_says(strstr(reply, A), "\"change\":-0.9,\"jump\":true}");
    assert_says(strstr(reply, D), "\"change\":2,\"jump\":false}");
}

static void mistakes_are_answered_with_what_to_type(void **state)
{
    struct world *w = *state;

    fill();
    assert_string_equal(
        ask(w, "price.diff", "{\"from\":\"last week\"}"),
        "usage 'last week' is not a day | write 2026-08-01, yesterday, today, or 7d "
        "for a week ago");
    assert_string_equal(
        ask(w, "price.diff", "{\"from\":\"today\",\"to\":\"2026-11-01\"}"),
        "usage 'today' is not before '2026-11-01' | give the earlier day first");
    assert_string_equal(
        ask(w, "price.diff", "{\"from\":\"2027-01-01\"}"),
        "usage '2027-01-01' is in the future: prices are known until today | use a past day, "
        "such as yesterday, or 7d for a week ago");
    assert_says(ask(w, "price.diff", "{\"from\":\"7d\",\"to\":\"2026-11-16\"}"),
                "usage '2026-11-16' is in the future");
    assert_says(ask(w, "price.diff", "{\"from\":\"40000d\"}"),
                "usage '40000d' ago is before 1970");
}

int group_price_diff(void)
{
    const struct CMUnitTest tests[] = {
        market_test(tells_changes_what_came_and_what_went),
        market_test(filters_and_sorts),
        market_test(a_day_means_its_end),
        market_test(before_any_history_all_is_unknown),
        market_test(a_day_on_which_many_begin_is_where_the_history_starts),
        market_test(what_nobody_saw_since_is_not_unchanged),
        market_test(jumps_are_marked_and_rounding_is_no_change),
        market_test(mistakes_are_answered_with_what_to_type),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
