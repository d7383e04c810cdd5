#include "test.h"

#include <math.h>
#include <string.h>

#include "catalog/catalog.h"

#define OFFER_HEADER "provider,region,instance,accelerator,count,on_demand_usd_h,date,source\n"
#define SPEND_HEADER "workload,size,low_usd_month,high_usd_month,date,source\n"
#define TRANSFER_HEADER "provider,kind,from_gb,usd_gb,date,source\n"

static struct catalog_layer layer(enum catalog_table table, const char *text)
{
    return (struct catalog_layer){.table = table, .name = "my.csv", .text = str_from(text)};
}

/* The table with the user's text over it. */
static struct catalog load(enum catalog_table table, const char *text, struct arena *arena)
{
    struct catalog_layer mine = layer(table, text);
    struct catalog catalog = {0};
    struct error err = {0};

    if (!catalog_load(&catalog, TABLE_BIT(table), &mine, 1, arena, &err))
        fail_msg("%s", err.text);
    return catalog;
}

static void check_refused(enum catalog_table table, struct str text, const char *expected,
                          const char *hint)
{
    struct arena arena = test_arena();
    struct catalog catalog = {0};
    struct error err = {0};
    char *exact = malloc(text.len > 0 ? text.len : 1); /* for ASan to see each overrun */
    struct catalog_layer mine = {.table = table, .name = "my.csv", .text = {exact, text.len}};

    assert_non_null(exact);
    if (text.len > 0)
        memcpy(exact, text.at, text.len);
    if (catalog_load(&catalog, TABLE_BIT(table), &mine, 1, &arena, &err))
        fail_msg("'%.*s' was not refused", STR_ARG(text));
    assert_int_equal(err.kind, ERROR_INPUT);
    assert_string_equal(err.text, expected);
    assert_string_equal(err.hint, hint);
    free(exact);
    arena_free(&arena);
}

static const struct spend *find_spend(const struct catalog *catalog, const char *workload)
{
    for (size_t i = 0; i < catalog->tables[TABLE_SPEND].len; i++) {
        const struct spend *s = CATALOG_ROW(catalog, TABLE_SPEND, spend, i);

        if (str_eq(s->workload, str_from(workload)))
            return s;
    }
    return NULL;
}

/* How many offers of the instance there are; `*at` is the first. */
static size_t find_offers(const struct catalog *catalog, const char *instance,
                          const struct machine **at)
{
    size_t count = 0;

    for (size_t i = 0; i < catalog->tables[TABLE_OFFERS].len; i++) {
        const struct machine *o = CATALOG_ROW(catalog, TABLE_OFFERS, machine, i);

        if (str_eq(o->instance, str_from(instance)) && count++ == 0)
            *at = o;
    }
    return count;
}

/* --- the built-in tables ------------------------------------------------------------------ */

static const struct fact *fact_at(const struct catalog *catalog, int table, size_t i)
{
    const unsigned char *rows = catalog->tables[table].at;

    return (const void *)(rows + i * catalog_tables[table].columns->size);
}

static void loads_every_built_in_table(void **state)
{
    struct arena arena = test_arena();
    struct catalog catalog = {0};
    struct error err = {0};

    (void)state;
    if (!catalog_load(&catalog, TABLE_BIT(TABLE_COUNT) - 1, NULL, 0, &arena, &err))
        fail_msg("%s", err.text);
    assert_int_equal(catalog.loaded, TABLE_BIT(TABLE_COUNT) - 1);
    for (int table = 0; table < TABLE_COUNT; table++) {
        struct catalog_layer builtin = catalog_builtin((enum catalog_table)table);
        char name[64];

        /* Facts that only the user can know have no row here. */
        assert_int_equal(catalog.tables[table].len > 0,
                         table != TABLE_DISCOUNTS && table != TABLE_EXCHANGE);
        assert_int_equal(builtin.table, table);
        (void)snprintf(name, sizeof name, "built-in %s.csv", catalog_tables[table].name);
        assert_string_equal(builtin.name, name);
        assert_true(strlen(catalog_tables[table].about) > 0);
        for (size_t i = 0; i < catalog.tables[table].len; i++) {
            const struct fact *fact = fact_at(&catalog, table, i);

            assert_true(fact->date.n > 0);
            assert_true(fact->source.len > 0);
            assert_string_equal(fact->file, name);
            assert_true(fact->line > 1);
            assert_int_equal(fact->layer, 0);
            assert_true(fact->current || catalog_tables[table].history);
        }
    }
    arena_free(&arena);
}

static void has_a_minimum_of_facts(void **state)
{
    static const char *const providers[] = {"aws",       "gcp",    "azure", "lambda",
                                            "coreweave", "runpod", "vast"};
    struct arena arena = test_arena();
    struct catalog catalog = {0};
    struct error err = {0};
    size_t total = 0;

    (void)state;
    assert_true(catalog_load(&catalog, TABLE_BIT(TABLE_OFFERS), NULL, 0, &arena, &err));
    assert_true(catalog.tables[TABLE_ACCELERATORS].len >= 45);
    for (size_t p = 0; p < ARRAY_LEN(providers); p++) {
        size_t count = 0;

        for (size_t i = 0; i < catalog.tables[TABLE_OFFERS].len; i++) {
            const struct machine *o = CATALOG_ROW(&catalog, TABLE_OFFERS, machine, i);

            count += o->fact.current && str_eq(o->provider, str_from(providers[p]));
        }
        assert_true(count >= 10);
        total += count;
    }
    assert_true(total >= 300);
    arena_free(&arena);
}

static void offers_bring_the_accelerators_they_name(void **state)
{
    struct arena arena = test_arena();
    struct catalog catalog = {0};
    struct error err = {0};

    (void)state;
    assert_true(catalog_load(&catalog, TABLE_BIT(TABLE_SPEND), NULL, 0, &arena, &err));
    assert_int_equal(catalog.loaded, TABLE_BIT(TABLE_SPEND));
    assert_int_equal(catalog.tables[TABLE_ACCELERATORS].len, 0);
    assert_true(catalog_load(&catalog, TABLE_BIT(TABLE_LOCAL), NULL, 0, &arena, &err));
    assert_int_equal(catalog.loaded, TABLE_BIT(TABLE_SPEND) | TABLE_BIT(TABLE_LOCAL) |
                                         TABLE_BIT(TABLE_ACCELERATORS) |
                                         TABLE_BIT(TABLE_NAMES));
    arena_free(&arena);
}

static void reads_a_table_once(void **state)
{
    struct arena arena = test_arena();
    struct catalog catalog = {0};
    struct error err = {0};
    const void *rows;

    (void)state;
    assert_true(catalog_load(&catalog, TABLE_BIT(TABLE_SPEND), NULL, 0, &arena, &err));
    rows = catalog.tables[TABLE_SPEND].at;
    assert_true(catalog_load(&catalog, TABLE_BIT(TABLE_SPEND), NULL, 0, &arena, &err));
    assert_ptr_equal(catalog.tables[TABLE_SPEND].at, rows);
    arena_free(&arena);
}

static void rows_are_sorted_by_key_then_newest_first(void **state)
{
    struct arena arena = test_arena();
    struct catalog catalog = {0};
    struct error err = {0};

    (void)state;
    assert_true(catalog_load(&catalog, TABLE_BIT(TABLE_OFFERS), NULL, 0, &arena, &err));
    for (size_t i = 1; i < catalog.tables[TABLE_OFFERS].len; i++) {
        const struct machine *a = CATALOG_ROW(&catalog, TABLE_OFFERS, machine, i - 1),
                             *b = a + 1;
        int order = str_cmp(a->provider, b->provider);

        order = order != 0 ? order : str_cmp(a->region, b->region);
        order = order != 0 ? order : str_cmp(a->zone, b->zone);
        order = order != 0 ? order : str_cmp(a->instance, b->instance);
        assert_true(order <= 0);
        assert_int_equal(b->fact.current, order != 0);
        if (order == 0)
            assert_true(a->fact.date.n > b->fact.date.n);
    }
    arena_free(&arena);
}

/* --- the user's rows ---------------------------------------------------------------------- */

static void a_users_row_overrides_and_another_is_added(void **state)
{
    struct arena arena = test_arena();
    struct catalog without = load(TABLE_SPEND, SPEND_HEADER, &arena);
    const struct spend *first = CATALOG_ROW(&without, TABLE_SPEND, spend, 0), *s;
    struct buf text = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct catalog catalog;

    (void)state;
    buf_addf(&text, SPEND_HEADER "\"%.*s\",%.*s,7,8,2020-01-01,mine\n",
             STR_ARG(first->workload), STR_ARG(first->size));
    buf_adds(&text, "Knitting,minimal,1,2,2026-11-15,mine\n");
    buf_char(&text, '\0');
    catalog = load(TABLE_SPEND, text.at, &arena);
    assert_int_equal(catalog.tables[TABLE_SPEND].len, without.tables[TABLE_SPEND].len + 1);
    s = find_spend(&catalog, "Knitting");
    assert_non_null(s);
    assert_int_equal(s->low_usd_month.nano, 1000000000);
    assert_int_equal(s->fact.layer, 1);
    assert_int_equal(s->fact.line, 3);
    assert_string_equal(s->fact.file, "my.csv");
    assert_null(s->fact.notes.at);
    for (size_t i = 0; i < catalog.tables[TABLE_SPEND].len; i++) {
        s = CATALOG_ROW(&catalog, TABLE_SPEND, spend, i);
        if (str_eq(s->workload, first->workload) && str_eq(s->size, first->size)) {
            assert_int_equal(s->low_usd_month.nano, 7000000000); /* though it is older */
            assert_int_equal(s->fact.layer, 1);
        }
    }
    buf_free(&text);
    arena_free(&arena);
}

static void a_later_layer_wins_and_other_tables_do_not_mix(void **state)
{
    const struct catalog_layer layers[] = {
        layer(TABLE_SPEND, SPEND_HEADER "Knitting,minimal,1,2,2026-11-15,first\n"),
        layer(TABLE_TRANSFER, TRANSFER_HEADER "me,internet,0,0.5,2026-11-15,other\n"),
        layer(TABLE_SPEND, SPEND_HEADER "Knitting,minimal,3,4,2026-11-14,second\n"),
    };
    struct arena arena = test_arena();
    struct catalog catalog = {0};
    struct error err = {0};
    const struct spend *s;

    (void)state;
    assert_true(catalog_load(&catalog, TABLE_BIT(TABLE_SPEND), layers, ARRAY_LEN(layers),
                             &arena, &err));
    s = find_spend(&catalog, "Knitting");
    assert_non_null(s);
    assert_str_equal(s->fact.source, "second");
    assert_int_equal(s->fact.layer, 3);
    assert_int_equal(catalog.loaded, TABLE_BIT(TABLE_SPEND));
    arena_free(&arena);
}

static void takes_columns_in_any_order_and_leaves_the_rest_unknown(void **state)
{
    struct arena arena = test_arena();
    struct catalog catalog =
        load(TABLE_OFFERS,
             "source, date,count,spot_usd_h,accelerator,memory-gib,instance,region,provider\n"
             "mine,2026-11-15,2,1.25,H100-SXM-80GB,,box,*,me\n",
             &arena);
    const struct machine *o = NULL;

    (void)state;
    assert_int_equal(find_offers(&catalog, "box", &o), 1);
    assert_str_equal(o->provider, "me");
    assert_str_equal(o->region, "*");
    assert_null(o->zone.at);
    assert_str_equal(o->accelerator, "H100-SXM-80GB");
    assert_int_equal(o->count, 2);
    assert_true(isnan(o->vcpus));
    assert_true(isnan(o->memory_gib));
    assert_true(o->on_demand.nano == MONEY_UNKNOWN);
    assert_int_equal(o->spot.nano, 1250000000);
    assert_int_equal(o->fact.date.n, 20772);
    assert_str_equal(o->fact.source, "mine");
    arena_free(&arena);
}

static void newer_is_current_and_older_is_history(void **state)
{
    struct arena arena = test_arena();
    struct catalog catalog =
        load(TABLE_OFFERS,
             OFFER_HEADER "me,here,box,A100-SXM-80GB,8,20,2025-01-01,old\n"
                          "me,here,box,A100-SXM-80GB,8,10,2026-01-01,new\n"
                          "me,here,box,A100-SXM-80GB,8,30,2024-01-01,oldest\n"
                          "me,there,box2,A100-SXM-80GB,8,30,2024-01-01,other\n",
             &arena);
    const struct machine *o = NULL;

    (void)state;
    assert_int_equal(find_offers(&catalog, "box", &o), 3);
    assert_str_equal(o[0].fact.source, "new");
    assert_true(o[0].fact.current);
    assert_str_equal(o[1].fact.source, "old");
    assert_false(o[1].fact.current);
    assert_str_equal(o[2].fact.source, "oldest");
    assert_false(o[2].fact.current);
    assert_int_equal(find_offers(&catalog, "box2", &o), 1);
    assert_true(o->fact.current);
    arena_free(&arena);
}

static void a_users_price_is_current_even_when_it_is_older(void **state)
{
    struct arena arena = test_arena();
    const struct catalog_layer layers[] = {
        layer(TABLE_OFFERS, OFFER_HEADER "me,here,box,A100-SXM-80GB,8,20,2026-06-01,first\n"),
        layer(TABLE_OFFERS, OFFER_HEADER "me,here,box,A100-SXM-80GB,8,10,2025-01-01,second\n"),
    };
    struct catalog catalog = {0};
    struct error err = {0};
    const struct machine *o = NULL;

    (void)state;
    assert_true(catalog_load(&catalog, TABLE_BIT(TABLE_OFFERS), layers, 2, &arena, &err));
    assert_int_equal(find_offers(&catalog, "box", &o), 2);
    assert_str_equal(o[0].fact.source, "second");
    assert_true(o[0].fact.current);
    assert_str_equal(o[1].fact.source, "first");
    assert_false(o[1].fact.current);
    arena_free(&arena);
}

static void reads_comments_blank_lines_crlf_and_a_byte_order_mark(void **state)
{
    static const char *const texts[] = {
        "# mine\n\n" SPEND_HEADER "# none yet\nKnitting,minimal,1,2,2026-11-15,mine\n\n",
        "\xef\xbb\xbf"
        "workload,size,low_usd_month,high_usd_month,date,source\r\n"
        "Knitting,minimal,1,2,2026-11-15,mine\r\n",
        SPEND_HEADER "Knitting,minimal,1,2,2026-11-15,mine", /* no newline at the end */
        SPEND_HEADER " Knitting , minimal,1 , 2,2026-11-15,mine\t\n",
        SPEND_HEADER "\"Knitting\",\"minimal\",\"1\",\"2\",\"2026-11-15\",\"mine\"\n",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct arena arena = test_arena();
        struct catalog catalog = load(TABLE_SPEND, texts[i], &arena);
        const struct spend *s = find_spend(&catalog, "Knitting");

        assert_non_null(s);
        assert_str_equal(s->size, "minimal");
        assert_int_equal(s->high_usd_month.nano, 2000000000);
        assert_str_equal(s->fact.source, "mine");
        arena_free(&arena);
    }
}

static void quoted_text_outlives_the_reader(void **state)
{
    struct arena arena = test_arena();
    struct catalog catalog =
        load(TABLE_SPEND,
             SPEND_HEADER "\"Knitting, \"\"fine\"\"\",minimal,1,2,2026-11-15,\"a \"\"b\"\"\"\n"
                          "\"Sewing, \"\"rough\"\"\",minimal,1,2,2026-11-15,\"c \"\"d\"\"\"\n",
             &arena);
    const struct spend *a = find_spend(&catalog, "Knitting, \"fine\""),
                       *b = find_spend(&catalog, "Sewing, \"rough\"");

    (void)state;
    assert_non_null(a);
    assert_non_null(b);
    assert_str_equal(a->fact.source, "a \"b\"");
    assert_str_equal(b->fact.source, "c \"d\"");
    arena_free(&arena);
}

/* --- what is refused ---------------------------------------------------------------------- */

#define COLUMNS_HINT "the first line names the columns; data/README.md lists them"

static void refuses_bad_headers(void **state)
{
    static const struct {
        const char *text, *error, *hint;
    } cases[] = {
        {"", "my.csv: the file is empty: the first line names the columns", ""},
        {"# nothing\n\n", "my.csv: the file is empty: the first line names the columns", ""},
        {"workload,size,low_usd_month,high_usd_month,date\n",
         "my.csv:1: the column 'source' is missing", COLUMNS_HINT},
        {"size,low_usd_month,high_usd_month,date,source\n",
         "my.csv:1: the column 'workload' is missing", COLUMNS_HINT},
        {"# mine\nworkload,size,low_usd_mont,high_usd_month,date,source\n",
         "my.csv:2: there is no column 'low_usd_mont'", "did you mean 'low_usd_month'?"},
        {"workload,size,low_usd_month,high_usd_month,date,source,zzzzzz\n",
         "my.csv:1: there is no column 'zzzzzz'", COLUMNS_HINT},
        {"workload,size,low_usd_month,high_usd_month,date,source,\n",
         "my.csv:1: there is no column ''", COLUMNS_HINT},
        {"workload,size,size,low_usd_month,high_usd_month,date,source\n",
         "my.csv:1: the column 'size' is there twice", ""},
        {",,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,\n",
         "my.csv:1: more than 64 columns", ""},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        check_refused(TABLE_SPEND, str_from(cases[i].text), cases[i].error, cases[i].hint);
}

static void a_layer_without_text_is_an_empty_file(void **state)
{
    struct catalog_layer mine = {.table = TABLE_SPEND, .name = "my.csv"};
    struct arena arena = test_arena();
    struct catalog catalog = {0};
    struct error err = {0};

    (void)state;
    assert_false(catalog_load(&catalog, TABLE_BIT(TABLE_SPEND), &mine, 1, &arena, &err));
    assert_string_equal(err.text,
                        "my.csv: the file is empty: the first line names the columns");
    arena_free(&arena);
}

#define PRICE_HINT "on_demand_usd_h: on-demand price, US dollars per hour"
#define COUNT_HINT "count: accelerators in the machine"

static void refuses_bad_rows_and_names_the_line(void **state)
{
    static const struct {
        const char *row, *error, *hint;
    } cases[] = {
        {"me,here,box,A100-SXM-80GB,8,-1,2026-01-01,x",
         "my.csv:3: on_demand_usd_h: '-1' is not a price above zero", PRICE_HINT},
        {"me,here,box,A100-SXM-80GB,8,0,2026-01-01,x",
         "my.csv:3: on_demand_usd_h: '0' is not a price above zero", PRICE_HINT},
        {"me,here,box,A100-SXM-80GB,8,nan,2026-01-01,x",
         "my.csv:3: on_demand_usd_h: 'nan' is not a price", PRICE_HINT},
        {"me,here,box,A100-SXM-80GB,8,inf,2026-01-01,x",
         "my.csv:3: on_demand_usd_h: 'inf' is not a price", PRICE_HINT},
        {"me,here,box,A100-SXM-80GB,8,1e999,2026-01-01,x",
         "my.csv:3: on_demand_usd_h: '1e999' is not a price", PRICE_HINT},
        {"me,here,box,A100-SXM-80GB,8,$5,2026-01-01,x",
         "my.csv:3: on_demand_usd_h: '$5' is not a price", PRICE_HINT},
        {"me,here,box,A100-SXM-80GB,0,5,2026-01-01,x", "my.csv:3: count: '0' is not 1 or more",
         COUNT_HINT},
        {"me,here,box,A100-SXM-80GB,-8,5,2026-01-01,x",
         "my.csv:3: count: '-8' is not 1 or more", COUNT_HINT},
        {"me,here,box,A100-SXM-80GB,8 GPUs,5,2026-01-01,x",
         "my.csv:3: count: '8 GPUs' is not a whole number",
         "write digits only, without a unit"},
        {"me,here,box,A100-SXM-80GB,,5,2026-01-01,x", "my.csv:3: 'count' is empty", ""},
        {",here,box,A100-SXM-80GB,8,5,2026-01-01,x", "my.csv:3: 'provider' is empty", ""},
        {"me, ,box,A100-SXM-80GB,8,5,2026-01-01,x", "my.csv:3: 'region' is empty", ""},
        {"me,here,box,A100-SXM-80GB,8,5,,x", "my.csv:3: 'date' is empty", ""},
        {"me,here,box,A100-SXM-80GB,8,5,2026-01-01,", "my.csv:3: 'source' is empty", ""},
        {"me,here,box,A100-SXM-80GB,8,5,1 May,x", "my.csv:3: date: '1 May' is not a day",
         "write it as 2026-11-15"},
        {"me,here,box,A100-SXM-80GB,8,5,2026-01-01",
         "my.csv:3: 7 fields where the first line names 8", COLUMNS_HINT},
        {"me,here,box,A100-SXM-80GB,8,5,2026-01-01,x,y",
         "my.csv:3: 9 fields where the first line names 8", COLUMNS_HINT},
        {"me,here,box,H100-SMX-80GB,8,5,2026-01-01,x",
         "my.csv:3: there is no accelerator 'H100-SMX-80GB'",
         "did you mean 'H100-SXM-80GB'? 'stint gpu list' shows all"},
        {"me,here,box,a100,8,5,2026-01-01,x",
         "my.csv:3: accelerator: 'a100' is not an exact name",
         "write 'A100-SXM-80GB'; 'stint gpu list' shows all names"},
        {"me,here,\"box,A100-SXM-80GB,8,5,2026-01-01,x",
         "my.csv:3: a quoted field is never closed",
         "end the field with a quote; write a quote inside it twice"},
        {"me,here,\"b\"x,A100-SXM-80GB,8,5,2026-01-01,x",
         "my.csv:3: text after a closing quote",
         "write a quote inside a quoted field twice: \"a 3.5\"\" disk\""},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char text[400];

        (void)snprintf(text, sizeof text, "%sme,here,good,A100-SXM-80GB,8,1,2026-01-01,x\n%s\n",
                       OFFER_HEADER, cases[i].row);
        check_refused(TABLE_OFFERS, str_from(text), cases[i].error, cases[i].hint);
    }
    check_refused(TABLE_SPEND, STR(SPEND_HEADER "a\0b,c,1,2,2026-01-01,x\n"),
                  "my.csv:2: a NUL byte: this is not a text file",
                  "save it again as CSV in UTF-8");
    check_refused(TABLE_SPEND, STR("\0"), "my.csv:1: a NUL byte: this is not a text file",
                  "save it again as CSV in UTF-8");
}

static void users_machines_name_known_accelerators_too(void **state)
{
    (void)state;
    check_refused(TABLE_LOCAL,
                  STR("machine,accelerator,count,date,source\nmine,RTX4O90,1,2026-01-01,x\n"),
                  "my.csv:2: there is no accelerator 'RTX4O90'",
                  "did you mean 'RTX4090'? 'stint gpu list' shows all");
    check_refused(
        TABLE_ONPREM,
        STR("machine,accelerator,count,date,source\nmine,qqqqqqqqqq,1,2026-01-01,x\n"),
        "my.csv:2: there is no accelerator 'qqqqqqqqqq'", "'stint gpu list' shows all");
}

static void refuses_the_same_fact_twice_and_names_both_lines(void **state)
{
    (void)state;
    check_refused(TABLE_SPEND,
                  STR(SPEND_HEADER "Knitting,minimal,1,2,2026-11-15,x\n"
                                   "Sewing,minimal,1,2,2026-11-15,x\n"
                                   "Knitting,minimal,1,3,2026-11-14,x\n"),
                  "my.csv:4: the same fact as on line 2", "");
    check_refused(TABLE_OFFERS,
                  STR(OFFER_HEADER "me,here,box,A100-SXM-80GB,8,5,2026-01-01,x\n"
                                   "me,here,box,A100-SXM-80GB,4,6,2026-01-01,x\n"),
                  "my.csv:3: the same fact as on line 2", "");
    check_refused(TABLE_TRANSFER,
                  STR(TRANSFER_HEADER
                      "me,internet,0,1,2026-01-01,x\nme,internet,10,1,2026-01-01,"
                      "x\nme,internet,0,1,2026-01-01,x\n"),
                  "my.csv:4: the same fact as on line 2", "");
}

static void a_fact_twice_in_a_file_is_refused_even_when_another_overrides_it(void **state)
{
    struct catalog_layer layers[] = {
        layer(TABLE_SPEND, SPEND_HEADER "Knitting,minimal,1,2,2026-11-15,x\n"
                                        "Knitting,minimal,3,4,2026-11-15,x\n"),
        layer(TABLE_SPEND, SPEND_HEADER "Knitting,minimal,5,6,2026-11-15,x\n"),
    };
    struct arena arena = test_arena();
    struct catalog catalog = {0};
    struct error err = {0};

    (void)state;
    layers[1].name = "over.csv";
    assert_false(catalog_load(&catalog, TABLE_BIT(TABLE_SPEND), layers, 2, &arena, &err));
    assert_int_equal(err.kind, ERROR_INPUT);
    assert_string_equal(err.text, "my.csv:3: the same fact as on line 2");
    arena_free(&arena);
}

static void row_in_another_zone_is_another_fact(void **state)
{
    struct arena arena = test_arena();
    struct catalog catalog =
        load(TABLE_OFFERS,
             "provider,region,zone,instance,accelerator,count,spot_usd_h,date,source\n"
             "me,here,a,box,A100-SXM-80GB,8,5,2026-01-01,x\n"
             "me,here,b,box,A100-SXM-80GB,8,6,2026-01-01,x\n"
             "me,here,,box,A100-SXM-80GB,8,7,2026-01-01,x\n",
             &arena);
    const struct machine *o = NULL;

    (void)state;
    assert_int_equal(find_offers(&catalog, "box", &o), 3);
    assert_true(o[0].fact.current && o[1].fact.current && o[2].fact.current);
    assert_null(o[0].zone.at); /* unknown comes first */
    assert_str_equal(o[1].zone, "a");
    arena_free(&arena);
}

static void a_header_alone_adds_nothing(void **state)
{
    struct arena arena = test_arena();
    struct catalog catalog = load(TABLE_SPEND, SPEND_HEADER, &arena);
    struct catalog builtin = {0};
    struct error err = {0};

    (void)state;
    assert_true(catalog_load(&builtin, TABLE_BIT(TABLE_SPEND), NULL, 0, &arena, &err));
    assert_int_equal(catalog.tables[TABLE_SPEND].len, builtin.tables[TABLE_SPEND].len);
    arena_free(&arena);
}

static void survives_every_failing_allocation(void **state)
{
    const struct catalog_layer mine =
        layer(TABLE_SPEND, SPEND_HEADER "\"a \"\"b\"\"\",minimal,1,2,2026-11-15,\"c \"\"\"\n");
    size_t allow = 0;
    bool done = false;

    (void)state;
    for (; !done; allow++) {
        struct failing_alloc failing = {.allow = allow};
        struct alloc alloc = {failing_get, failing_put, &failing};
        struct arena arena = {.alloc = &alloc};
        struct catalog catalog = {0};
        struct error err = {0};

        done = catalog_load(&catalog, TABLE_BIT(TABLE_SPEND), &mine, 1, &arena, &err);
        if (!done) {
            assert_int_equal(err.kind, ERROR_MEMORY);
            assert_string_equal(err.text, "out of memory");
            assert_int_equal(catalog.loaded, 0);
        }
        arena_free(&arena);
        assert_int_equal(failing.held, 0);
    }
    assert_true(allow > 5);
}

static void tables_of_users_are_known_by_their_header(void **state)
{
    enum catalog_table table;

    (void)state;
    assert_true(catalog_table_of(STR("# ours\n\nProvider, Discount\naws,12%\n"), &table));
    assert_int_equal(table, TABLE_DISCOUNTS);
    assert_true(catalog_table_of(STR("\xef\xbb\xbf"
                                     "currency,usd,date\n"),
                                 &table));
    assert_int_equal(table, TABLE_EXCHANGE);
    assert_false(catalog_table_of(STR("discount,amount\n"), &table));
    assert_false(catalog_table_of(STR("currency,amount\n"), &table));
    assert_false(catalog_table_of(STR("# provider,discount\n"), &table));
    assert_false(catalog_table_of(STR(""), &table));
}

int group_load(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_every_built_in_table),
        cmocka_unit_test(has_a_minimum_of_facts),
        cmocka_unit_test(offers_bring_the_accelerators_they_name),
        cmocka_unit_test(reads_a_table_once),
        cmocka_unit_test(rows_are_sorted_by_key_then_newest_first),
        cmocka_unit_test(a_users_row_overrides_and_another_is_added),
        cmocka_unit_test(a_later_layer_wins_and_other_tables_do_not_mix),
        cmocka_unit_test(takes_columns_in_any_order_and_leaves_the_rest_unknown),
        cmocka_unit_test(newer_is_current_and_older_is_history),
        cmocka_unit_test(a_users_price_is_current_even_when_it_is_older),
        cmocka_unit_test(reads_comments_blank_lines_crlf_and_a_byte_order_mark),
        cmocka_unit_test(quoted_text_outlives_the_reader),
        cmocka_unit_test(refuses_bad_headers),
        cmocka_unit_test(a_layer_without_text_is_an_empty_file),
        cmocka_unit_test(refuses_bad_rows_and_names_the_line),
        cmocka_unit_test(users_machines_name_known_accelerators_too),
        cmocka_unit_test(refuses_the_same_fact_twice_and_names_both_lines),
        cmocka_unit_test(a_fact_twice_in_a_file_is_refused_even_when_another_overrides_it),
        cmocka_unit_test(row_in_another_zone_is_another_fact),
        cmocka_unit_test(a_header_alone_adds_nothing),
        cmocka_unit_test(survives_every_failing_allocation),
        cmocka_unit_test(tables_of_users_are_known_by_their_header),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
