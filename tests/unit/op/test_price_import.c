/* Price lists into the store: all of them, or none. */
#include "market_world.h"

#include "base/fs.h"
#include "op/context.h"

#define OWN "provider,region,instance,accelerator,count,price,date\n"
#define GOOD OWN "acme,north,box,H100-SXM-80GB,8,20,2026-11-01\n"

static void write_file(const char *name, const char *text)
{
    char path[200];
    FILE *file;

    (void)snprintf(path, sizeof path, "%s/%s", market_folder, name);
    file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* The whole of a file in the test's folder; a NULL text when it is absent. */
static struct str whole(struct world *w, const char *name)
{
    struct error err = {0};
    struct str text = {0};
    char path[200];

    (void)snprintf(path, sizeof path, "%s/%s", market_folder, name);
    if (!fs_exists(path))
        return (struct str){0};
    assert_true(fs_read(path, 1 << 20, &w->arena, &text, &err));
    return text;
}

/* The user's facts are kept in "own", which is not there yet. */
static void own_catalog(struct world *w)
{
    static char path[100];

    (void)snprintf(path, sizeof path, "%s/own", market_folder);
    w->settings.catalog = str_from(path);
}

/* Import files of the test's folder, named with blanks between; `more` are members of the
 * request. */
static const char *import(struct world *w, const char *files, const char *more)
{
    struct str rest = str_from(files);
    char request[2000];
    size_t len = 0;

    while (rest.len > 0) {
        struct str name = str_cut(&rest, ' ');

        len += (size_t)snprintf(request + len, sizeof request - len, "%s\"%s/%.*s\"",
                                len > 0 ? "," : "{\"files\":[", market_folder, STR_ARG(name));
    }
    (void)snprintf(request + len, sizeof request - len, "]%s}", more);
    op_done(&w->ctx); /* a store that is open is of before */
    return ask(w, "price.import", request);
}

static void a_list_is_read_into_the_store(void **state)
{
    struct world *w = *state;
    const char *reply;

    write_file("acme.csv", GOOD);
    reply = import(w, "acme.csv", "");
    assert_says(reply, "\"format\":\"stint\",\"feed\":\"private\"");
    assert_says(reply,
                "\"rows\":1,\"quotes\":1,\"ignored\":0,\"bad\":0,\"date\":\"2026-11-01\"");
    assert_says(reply, "\"changes\":{\"quotes\":1,\"offers\":1,\"new_offers\":1,\"changed\":1,"
                       "\"unchanged\":0,\"gone\":0,\"doubtful\":0}");
    assert_string_equal(w->said, "");
    reply = import(w, "acme.csv", "");
    assert_says(reply, "\"new_offers\":0,\"changed\":0,\"unchanged\":1");
}

/* Nothing that goes wrong changes a byte of what was there. */
static void a_bad_file_leaves_everything_as_it_was(void **state)
{
    static const struct {
        const char *text, *error;
    } bad[] = {
        {OWN "acme,north,new,T4,1,1,2026-11-02\nacme,north,box,T4,1,free,\n",
         "/bad.csv:3: price: 'free' is not a price"},
        {"Dear Sir or Madam,\n", "/bad.csv: unknown format of a price list"},
        {OWN "\"", "/bad.csv:2: a quoted field is never closed"},
        {"{\"BillingCurrency\":\"USD\",\"Items\":[", "/bad.csv:1:"},
        {"provider,discount,date,source\nacme,200%,2026-01-01,x\n", "/bad.csv:2: "},
        {"currency,usd,date,source\nXYZZY,1,2026-01-01,x\n",
         "/bad.csv:2: currency: 'XYZZY' is not a currency"},
        {"provider,discount,price_h,date,source\nacme,10%,5,2026-01-01,x\n",
         "/bad.csv:2: give a discount or a price_h, one of them"},
    };
    struct world *w = *state;
    struct str before;

    own_catalog(w);
    write_file("acme.csv", GOOD);
    write_file("more.csv", OWN "acme,south,box,T4,1,2,2026-11-03\n");
    write_file("rates.csv", "currency,usd,date,source\nEUR,1.1,2026-01-01,bank\n");
    (void)import(w, "acme.csv", "");
    before = whole(w, "prices.db");
    assert_true(before.len > 0);
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        const char *reply;

        write_file("bad.csv", bad[i].text);
        reply = import(w, "more.csv rates.csv bad.csv", "");
        assert_says(reply, bad[i].error);
        assert_null(strstr(reply, "\"changes\""));
        assert_true(str_eq(whole(w, "prices.db"), before));
        assert_null(whole(w, "own/exchange.csv").at);
        assert_null(whole(w, "own/discounts.csv").at);
        assert_null(whole(w, "prices.db.new").at);
    }
    assert_says(import(w, "more.csv absent.csv", ""), "absent.csv");
    assert_true(str_eq(whole(w, "prices.db"), before));
    assert_says(import(w, "more.csv rates.csv", ""), "\"new_offers\":1");
    assert_false(str_eq(whole(w, "prices.db"), before));
}

static void bad_rows_may_be_left_out(void **state)
{
    struct world *w = *state;
    const char *reply;

    write_file("a.csv", OWN "acme,n,a,T4,1,?,\nacme,n,b,T4,1,?,\nacme,n,c,T4,1,?,\n"
                            "acme,n,d,T4,1,?,\nacme,n,e,T4,1,?,\nacme,n,f,T4,1,?,\n"
                            "acme,n,g,T4,1,2,\n");
    reply = import(w, "a.csv", "");
    assert_says(reply, "a.csv:2: price: '?' is not a price | write the price per hour");
    assert_null(whole(w, "prices.db").at);
    reply = import(w, "a.csv", ",\"skip_bad\":true");
    assert_says(reply, "\"rows\":7,\"quotes\":1,\"ignored\":0,\"bad\":6");
    assert_int_equal(times(w->said, "warning: left out: "), 5); /* the rest is counted */
    assert_says(w->said, "warning: 6 rows were left out in all\n");
}

static void what_is_missing_in_a_whole_list_is_gone(void **state)
{
#define SKY "InstanceType,AcceleratorName,AcceleratorCount,Price,Region\n"
    struct world *w = *state;

    write_file("lambda_2026-11-01.csv", SKY "a,T4,1,1,r\nb,T4,1,1,r\nc,T4,1,1,r\n");
    write_file("lambda_2026-11-02.csv", SKY "a,T4,1,1,r\nb,T4,1,cheap,r\n");
    write_file("lambda_2026-11-03.csv", SKY "a,T4,1,1,r\n");
    assert_says(import(w, "lambda_2026-11-01.csv", ""), "\"new_offers\":3");
    /* With rows left out, silence says nothing. */
    assert_says(import(w, "lambda_2026-11-02.csv", ",\"skip_bad\":true"), "\"gone\":0");
    assert_says(import(w, "lambda_2026-11-03.csv", ""), "\"gone\":2");
}

static void one_page_of_several_is_noted(void **state)
{
    struct world *w = *state;

    write_file("azure.json", "{\"BillingCurrency\":\"USD\",\"Items\":[],"
                             "\"NextPageLink\":\"https://example.org/?$skip=1000\"}");
    (void)import(w, "azure.json", "");
    assert_says(w->said, "azure.json is one page of several: import the others too\n");
    assert_says(w->said, "azure.json has no price of a machine with accelerators\n");
    write_file("gcp.json",
               "{\"skus\":[{\"description\":\"x\",\"category\":{},"
               "\"serviceRegions\":[],\"pricingInfo\":[]}],\"nextPageToken\":\"p\"}");
    (void)import(w, "gcp.json", ",\"format\":\"gcp\"");
    assert_says(w->said, "gcp.json is one page of several: put them into one file, since "
                         "machines are made of parts\n");
}

#define RATES "currency,usd,date,source\nEUR,1.1,2026-01-01,bank\n"
#define NEW_RATES "currency,usd,date,source\nEUR,1.2,2026-02-01,bank\n"
#define RULES "provider,discount,date,source\nacme,10%,2026-01-01,letter\n"

static void discounts_and_rates_go_to_the_catalog_folder(void **state)
{
    struct world *w = *state;
    const char *reply;

    own_catalog(w);
    write_file("one.csv", RATES);
    write_file("rules.csv", RULES);
    write_file("acme.csv", GOOD);
    reply = import(w, "one.csv rules.csv acme.csv", "");
    assert_says(reply, "\"table\":\"exchange\"");
    assert_says(reply, "\"table\":\"discounts\"");
    assert_says(reply, "\"new_offers\":1");
    assert_str_equal(whole(w, "own/exchange.csv"), RATES);
    assert_str_equal(whole(w, "own/discounts.csv"), RULES);
    assert_null(whole(w, "own/exchange.csv.bak").at);
}

static void the_table_before_stays_beside_the_new_one(void **state)
{
    struct world *w = *state;

    own_catalog(w);
    write_file("one.csv", RATES);
    write_file("two.csv", NEW_RATES);
    (void)import(w, "one.csv", "");
    assert_null(whole(w, "prices.db").at); /* a table alone makes no store */
    assert_says(import(w, "two.csv", ""), "\"rows\":1");
    assert_str_equal(whole(w, "own/exchange.csv"), NEW_RATES);
    assert_str_equal(whole(w, "own/exchange.csv.bak"), RATES);
    assert_says(import(w, "one.csv two.csv", ""),
                "two.csv: a second file of the table exchange | put the rows of both into one");
    assert_str_equal(whole(w, "own/exchange.csv"), NEW_RATES);
}

static void without_a_folder_tables_have_no_place(void **state)
{
    struct world *w = *state;

    write_file("one.csv", "currency,usd,date,source\nEUR,1.1,2026-01-01,bank\n");
    assert_says(import(w, "one.csv", ""), "there is no folder for your exchange | ");
}

static void the_request_says_what_files_do_not(void **state)
{
    struct world *w = *state;
    const char *reply;

    write_file("x.csv", "instance,accelerator,price\nbox,T4,1\n");
    assert_says(import(w, "x.csv", ""), "x.csv:2: the provider is missing | add a column "
                                        "'provider', or use --provider NAME");
    reply =
        import(w, "x.csv", ",\"provider\":\"acme\",\"date\":\"2026-10-01\",\"feed\":\"q3\"");
    assert_says(reply, "\"feed\":\"q3\",\"provider\":\"acme\"");
    assert_says(reply, "\"date\":\"2026-10-01\"");
    assert_says(import(w, "x.csv", ",\"format\":\"skypilt\""),
                "there is no price format 'skypilt' | did you mean 'skypilot'?");
    write_file("aws_2026-09-09.csv", "instance,accelerator,price\nbox,T4,1\n");
    reply = import(w, "aws_2026-09-09.csv", "");
    assert_says(reply, "\"provider\":\"aws\"");
    assert_says(reply, "\"date\":\"2026-09-09\"");
}

static void a_folder_without_lists_is_an_error(void **state)
{
    struct world *w = *state;
    char path[200];

    (void)snprintf(path, sizeof path, "mkdir -p %s/f/aws", market_folder);
    assert_int_equal(system(path), 0);
    write_file("f/readme", "nothing here\n");
    assert_says(import(w, "f", ""), "/f': no price list in this folder");
    write_file("f/aws/x.csv", "instance,accelerator,price\nbox,T4,1\n");
    assert_says(import(w, "f", ""),
                "\"provider\":\"aws\""); /* what is none of ours is passed */
}

int group_price_import(void)
{
    const struct CMUnitTest tests[] = {
        market_test(a_list_is_read_into_the_store),
        market_test(a_bad_file_leaves_everything_as_it_was),
        market_test(bad_rows_may_be_left_out),
        market_test(what_is_missing_in_a_whole_list_is_gone),
        market_test(one_page_of_several_is_noted),
        market_test(discounts_and_rates_go_to_the_catalog_folder),
        market_test(the_table_before_stays_beside_the_new_one),
        market_test(without_a_folder_tables_have_no_place),
        market_test(the_request_says_what_files_do_not),
        market_test(a_folder_without_lists_is_an_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
