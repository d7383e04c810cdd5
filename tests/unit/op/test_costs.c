/* Questions about money: groups that add up, comparisons with the right days, rates. */
#include "costs_world.h"

#include "base/fs.h"
#include "op/account/rates.h"
#include "run/supervise/start.h"

#define HOUR INT64_C(3600)

static const struct made_cost made[] = {
    {"AWS", "USD", "EC2", "Compute", "spot", "nlp", "10.000000000001", "30", OCTOBER},
    {"AWS", "USD", "EC2", "Compute", "committed", "nlp", "4", "6", OCTOBER + 1},
    {"AWS", "USD", "EC2", "Compute", "on-demand", "vision", "5.5", NULL, OCTOBER + 20},
    {"AWS", "USD", "S3", "Storage", "on-demand", "", "0.25", NULL, NOVEMBER},
    {"AWS", "USD", "EC2", "Compute", "spot", "nlp", "12", "20", NOVEMBER + 2},
    {"Microsoft", "EUR", "VM", "Compute", "on-demand", "vision", "7", NULL, NOVEMBER + 1},
};

static void assert_refused(struct world *w, const char *name, const char *json,
                           const char *text)
{
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct error err = {0};

    assert_false(op_call(&w->ctx, op_find(str_from(name)), str_from(json), &out, &err));
    assert_says(err.text, text);
    buf_free(&out);
}

static void no_ledger_has_no_costs(void **state)
{
    struct world *w = *state;

    assert_says(ask(w, "costs", "{}"), "\"no_ledger\":true");
    assert_says(ask(w, "costs.trend", "{}"), "\"rows\":[]");
    assert_says(ask(w, "costs.movers", "{}"), "\"movers\":[]");
    assert_says(ask(w, "costs.gpus", "{}"), "\"rows\":[]");
    assert_says(ask(w, "costs.spot", "{}"), "\"rows\":[]");
    assert_says(ask(w, "costs.storage", "{}"), "\"rows\":[]");
    assert_says(ask(w, "costs.repeats", "{}"), "\"no_ledger\":true");
    assert_says(ask(w, "rates.list", "{}"), "\"no_ledger\":true");
}

/* What is left out by a limit is in "others": the total is that of all. */
static void others_are_summed_up(void **state)
{
    struct world *w = *state;
    const char *text;

    bill(w, made, ARRAY_LEN(made));
    text = ask(w, "costs",
               "{\"by\":[\"team\",\"pricing\"],\"since\":\"2026-10-01\","
               "\"limit\":1}");
    assert_says(text, "\"team\":\"nlp\",\"pricing\":\"spot\",\"period\":null,"
                      "\"currency\":\"USD\",\"amount\":{\"amount\":\"22.000000000001\"");
    assert_says(text, "\"team\":null,\"pricing\":null,\"period\":null,\"currency\":\"USD\","
                      "\"amount\":{\"amount\":\"9.75\"");
    assert_says(text, "\"others\":3");
    assert_says(text, "{\"currency\":\"USD\",\"amount\":{\"amount\":\"31.750000000001\"");
    assert_says(text, "\"groups\":4");
    /* A limit that would hide one row shows it. */
    text = ask(w, "costs",
               "{\"by\":[\"team\",\"pricing\"],\"since\":\"2026-10-01\","
               "\"limit\":3}");
    assert_null(strstr(text, "\"others\":1"));
}

static void changes_are_against_as_many_days(void **state)
{
    struct world *w = *state;
    const char *text;

    bill(w, made, ARRAY_LEN(made));
    text = ask(w, "costs",
               "{\"by\":[\"team\"],\"since\":\"2026-11-01\",\"until\":"
               "\"2026-11-10\",\"sort\":\"change\"}");
    assert_says(
        text, "\"before\":{\"since\":\"2026-10-22\",\"until\":\"2026-10-24\",\"known\":false");
    text = ask(w, "costs", "{\"by\":[\"team\"],\"month\":\"2026-11\",\"sort\":\"change\"}");
    assert_says(text,
                "\"before\":{\"since\":\"2026-10-01\",\"until\":\"2026-10-03\",\"known\":true");
    assert_says(text, "\"before\":{\"amount\":\"14.000000000001\",\"currency\":\"USD\"},"
                      "\"change\":{\"amount\":\"-2.000000000001\",\"currency\":\"USD\"}");
    /* What is gone is a change, too. */
    text = ask(w, "costs", "{\"by\":[\"pricing\"],\"month\":\"2026-11\",\"sort\":\"change\"}");
    assert_says(text, "\"amount\":{\"amount\":\"0\",\"currency\":\"USD\"},\"metered\":"
                      "{\"amount\":\"0\",\"currency\":\"USD\"},\"share\":0,\"lines\":0,"
                      "\"runs\":0,\"others\":0,\"before\":{\"amount\":\"4\"");
}

static void periods_have_names(void **state)
{
    struct world *w = *state;
    struct str name;
    struct error err = {0};

    bill(w, made, ARRAY_LEN(made));
    assert_says(ask(w, "costs", "{\"by\":[\"week\"],\"month\":\"2026-11\"}"),
                "\"period\":\"2026-10-26\"");
    assert_says(ask(w, "costs", "{\"by\":[\"month\"],\"since\":\"2026-10-01\"}"),
                "\"period\":\"2026-10\"");
    assert_says(ask(w, "costs", "{\"by\":[\"quarter\"],\"since\":\"2026-10-01\"}"),
                "\"period\":\"2026-Q4\"");
    assert_says(ask(w, "costs", "{\"by\":[\"year\"],\"since\":\"2026-10-01\"}"),
                "\"period\":\"2026\"");
    assert_true(costs_period_name(COSTS_QUARTER, day_make(2026, 1, 1), &w->arena, &name, &err));
    assert_str_equal(name, "2026-Q1");
}

static void wrong_words_are_refused(void **state)
{
    struct world *w = *state;

    assert_refused(w, "costs", "{\"by\":[\"taem\"]}", "there is no dimension 'taem'");
    assert_refused(w, "costs", "{\"by\":[\"day\",\"week\"]}", "exclude each other");
    assert_refused(w, "costs", "{\"since\":\"soon\"}", "neither a time nor a date");
    assert_refused(w, "costs", "{\"month\":\"2026-13\"}", "is not a month");
    assert_refused(w, "costs", "{\"month\":\"2026-10\",\"since\":\"30d\"}", "give it alone");
    assert_refused(w, "costs", "{\"since\":\"2026-11-02\",\"until\":\"2026-11-01\"}",
                   "--until is before --since");
    assert_refused(w, "costs.trend", "{\"by\":[\"week\"]}", "a trend is by month");
    assert_refused(w, "costs.trend", "{\"months\":1000}", "at most");
    assert_refused(w, "costs.gpus", "{\"by\":[\"week\"]}", "only dimensions");
    assert_refused(w, "costs.spot", "{\"by\":[\"week\"]}", "only dimensions");
}

/* 15 days of November against 15 of October: what came on the 21st is not among them. */
static void the_running_month_is_compared_fairly(void **state)
{
    struct world *w = *state;
    const char *text;

    bill(w, made, ARRAY_LEN(made));
    text = ask(w, "costs.trend", "{\"from\":\"bills\",\"where\":[\"provider=AWS\"]}");
    assert_says(text, "{\"month\":\"2026-10\",\"currency\":\"USD\",\"amount\":{\"amount\":"
                      "\"19.500000000001\",\"currency\":\"USD\"}");
    assert_says(text, "\"change\":{\"amount\":\"-1.750000000001\"");
    assert_says(text, "\"running\":\"2026-11-01\",\"running_days\":3");
    assert_null(strstr(text, "2026-09"));
}

static void movers_say_where(void **state)
{
    struct world *w = *state;
    const char *text;

    bill(w, made, ARRAY_LEN(made));
    text = ask(w, "costs.movers", "{\"month\":\"2026-11\"}");
    assert_says(text, "{\"dimension\":\"team\",\"value\":\"nlp\",\"currency\":\"USD\","
                      "\"before\":{\"amount\":\"14.000000000001\",\"currency\":\"USD\"},"
                      "\"amount\":{\"amount\":\"12\",\"currency\":\"USD\"},\"change\":"
                      "{\"amount\":\"-2.000000000001\",\"currency\":\"USD\"}");
    assert_says(text,
                "\"value\":\"committed\",\"currency\":\"USD\",\"before\":{\"amount\":\"4\"");
    assert_says(text, "\"direction\":\"gone\"");
    assert_null(strstr(text, "\"dimension\":\"provider\"")); /* one alone says nothing */
    text = ask(w, "costs.movers", "{\"month\":\"2026-11\",\"by\":[\"provider\"],\"limit\":1}");
    assert_says(text, "\"dimension\":\"provider\",\"value\":\"AWS\"");
}

/* Many values: each is found again when its amount of the days before comes, and the largest of
 * each currency are told, whatever dimension they are of. */
static void movers_are_found_among_many(void **state)
{
    enum { MANY = 300 };
    struct world *w = *state;
    struct made_cost many[2 * MANY];
    char names[MANY][16], amounts[MANY][16];
    const char *text;

    for (int i = 0; i < MANY; i++) {
        const char *currency = i % 2 == 0 ? "USD" : "EUR";

        (void)snprintf(names[i], sizeof names[i], "team%d", i);
        (void)snprintf(amounts[i], sizeof amounts[i], "%d", i + 1);
        many[i] = (struct made_cost){"AWS",    currency, "EC2", "Compute", "on-demand",
                                     names[i], "1",      NULL,  OCTOBER};
        many[MANY + i] = many[i];
        many[MANY + i].amount = amounts[i];
        many[MANY + i].on = NOVEMBER;
    }
    bill(w, many, 2 * MANY);
    text = ask(w, "costs.movers", "{\"month\":\"2026-11\",\"limit\":1}");
    assert_says(text,
                "\"movers\":[{\"dimension\":\"team\",\"value\":\"team299\",\"currency\":"
                "\"EUR\",\"before\":{\"amount\":\"1\",\"currency\":\"EUR\"},\"amount\":"
                "{\"amount\":\"300\",\"currency\":\"EUR\"},\"change\":{\"amount\":\"299\"");
    assert_says(text, "{\"dimension\":\"team\",\"value\":\"team298\",\"currency\":\"USD\"");
    assert_null(strstr(text, "team297"));
    assert_says(text, "\"totals\":[{\"dimension\":null,\"value\":null,\"currency\":\"EUR\","
                      "\"before\":{\"amount\":\"150\",\"currency\":\"EUR\"},\"amount\":"
                      "{\"amount\":\"22650\"");
    text = ask(w, "costs.movers", "{\"month\":\"2026-11\",\"limit\":0}");
    assert_says(text, "\"value\":\"team1\",\"currency\":\"EUR\",\"before\":{\"amount\":\"1\","
                      "\"currency\":\"EUR\"},\"amount\":{\"amount\":\"2\"");
    assert_null(strstr(text, "\"team0\"")); /* as much as before: it did not move */
}

static void spot_is_told_with_what_it_saved(void **state)
{
    struct world *w = *state;
    const char *text;

    bill(w, made, ARRAY_LEN(made));
    record(w, &(struct made_run){"lambda/a/b", "spot", "nlp", "", NOW, HOUR, 3 * DOLLAR,
                                 RUN_DONE});
    text = ask(w, "costs.spot", "{\"by\":[\"team\"],\"since\":\"2026-10-01\"}");
    assert_says(text, "{\"team\":\"nlp\",\"currency\":\"USD\",\"amount\":{\"amount\":"
                      "\"29.000000000001\"");
    assert_says(text, "\"saved\":{\"amount\":\"27.999999999999\",\"currency\":\"USD\"},"
                      "\"saved_by_commitments\":{\"amount\":\"2\",\"currency\":\"USD\"},"
                      "\"unknown\":{\"amount\":\"3\",\"currency\":\"USD\"}");
}

static void storage_is_what_bills_call_so(void **state)
{
    struct world *w = *state;
    const char *text;

    bill(w, made, ARRAY_LEN(made));
    text = ask(w, "costs.storage", "{\"month\":\"2026-11\"}");
    assert_says(text, "\"by\":[\"tier\",\"provider\"]");
    assert_says(text, "\"totals\":[{\"currency\":\"USD\",\"amount\":{\"amount\":\"0.25\"");
}

/* Half of the time is outside: half of the hours, and of the money. */
static void gpus_are_counted_by_the_hour(void **state)
{
    struct world *w = *state;
    const char *text;

    record(w, &(struct made_run){"lambda/a/b", "spot", "nlp", "",
                                 NOVEMBER * SECONDS_PER_DAY - HOUR, 2 * HOUR, 8 * DOLLAR,
                                 RUN_DONE});
    record(w, &(struct made_run){"lambda/a/b", "spot", "vision", "", NOW, HOUR, -1, RUN_DONE});
    text = ask(w, "costs.gpus", "{\"month\":\"2026-11\"}");
    assert_says(text, "{\"team\":\"nlp\",\"runs\":1,\"gpu_hours\":2,\"busy\":0.5,"
                      "\"busy_hours\":1,\"unknown_hours\":0,\"cost\":{\"amount\":\"4\","
                      "\"currency\":\"USD\"},\"idle\":{\"amount\":\"2\",\"currency\":\"USD\"},"
                      "\"unpriced\":0}");
    assert_says(text, "{\"team\":\"vision\",\"runs\":1,\"gpu_hours\":2,\"busy\":0.5,"
                      "\"busy_hours\":1,\"unknown_hours\":0,\"cost\":null,\"idle\":null,"
                      "\"unpriced\":1}");
    assert_says(ask(w, "costs.gpus", "{\"where\":[\"gpu=H100\"]}"), "\"gpu_hours\":6");
}

static void only_what_ended_well_is_repeated(void **state)
{
    struct world *w = *state;
    struct made_run m = {"lambda/a/b",         "spot", "nlp",  "abc",
                         NOW - 10 * 24 * HOUR, HOUR,   DOLLAR, RUN_FAILED};
    const char *text;

    record(w, &m); /* it failed: the next is no repetition */
    m.started += 24 * HOUR;
    m.end = RUN_DONE;
    record(w, &m);
    m.started += HOUR / 2; /* before that one ended */
    record(w, &m);
    m.started += 24 * HOUR;
    m.nano = 5 * DOLLAR;
    record(w, &m);
    m.digest = "";
    record(w, &m);
    text = ask(w, "costs.repeats", "{}");
    assert_says(text, "\"runs\":4,\"again\":1,\"cost\":{\"amount\":\"8\",\"currency\":\"USD\"},"
                      "\"repeated\":{\"amount\":\"5\",\"currency\":\"USD\"}");
    assert_says(text, "\"configurations\":1,\"again\":1");
    assert_says(ask(w, "costs.repeats", "{\"since\":\"2d\"}"), "\"configurations\":0");
}

/* ---- digests ---- */

static struct str digest_of(struct world *w, const char *command, const char *folder,
                            const char *file)
{
    struct str words[] = {STR("python"), str_from(file)};
    struct strs list = {words, 2};
    struct ledger_start start = {.command = str_from(command), .folder = str_from(folder)};
    struct error err = {0};

    assert_true(run_start_digest(&list, &start, &w->arena, &err));
    assert_int_equal(start.digest.len, 32);
    return start.digest;
}

static void a_configuration_is_what_it_reads(void **state)
{
    struct world *w = *state;
    struct error err = {0};
    struct str first, same, other;
    char path[128];

    (void)snprintf(path, sizeof path, "%s/train.py", costs_folder);
    assert_true(fs_put(path, STR("lr = 1"), &err));
    first = digest_of(w, "python /a/b/train.py", "/a/b", path);
    same = digest_of(w, "python /c/train.py", "/c", path);
    assert_true(str_eq(first, same));
    other = digest_of(w, "python /c/train.py --lr 2", "/c", path);
    assert_false(str_eq(first, other));
    assert_true(fs_put(path, STR("lr = 2"), &err));
    assert_false(str_eq(first, digest_of(w, "python /a/b/train.py", "/a/b", path)));
}

static void repeat_warn(struct world *w, const struct ledger_start *start)
{
    struct error err = {0};
    struct ledger *ledger = op_ledger(&w->ctx, LEDGER_READ, &err);

    assert_non_null(ledger);
    run_start_repeated(ledger, start, &w->arena, &w->ctx.messages);
    ledger_close(ledger);
}

static void what_was_run_is_said(void **state)
{
    struct world *w = *state;
    struct ledger_start start = {.digest = STR("abc")};

    record(w, &(struct made_run){"lambda/a/b", "spot", "nlp", "abc", NOW - 24 * HOUR, HOUR,
                                 12 * DOLLAR, RUN_DONE});
    repeat_warn(w, &start);
    assert_says(w->said,
                "warning: this was already run on 2026-11-14: done, $12.00; 'stint show ");
    w->said[0] = '\0';
    start.digest = STR("abd");
    repeat_warn(w, &start);
    record(w, &(struct made_run){"lambda/a/b", "spot", "nlp", "abd", NOW - 24 * HOUR, 60, 1,
                                 RUN_DONE}); /* cost nothing: not worth a word */
    repeat_warn(w, &start);
    assert_string_equal(w->said, "");
}

static void the_last_start_is_what_was_run(void **state)
{
    struct world *w = *state;
    struct ledger_start start = {.digest = STR("abe")};

    record(w, &(struct made_run){"lambda/a/b", "spot", "nlp", "abe", NOW - 24 * HOUR, HOUR,
                                 12 * DOLLAR, RUN_DONE});
    record(w, &(struct made_run){"lambda/a/b", "spot", "nlp", "abe", NOW - 48 * HOUR, HOUR,
                                 5 * DOLLAR, RUN_DONE}); /* added later, as journals are */
    repeat_warn(w, &start);
    assert_says(w->said,
                "warning: this was already run on 2026-11-14: done, $12.00; 'stint show ");
    w->said[0] = '\0';
    for (int i = 0; i < 40; i++)
        record(w, &(struct made_run){"lambda/a/b", "spot", "nlp", "abe", NOW - HOUR + i, 1, 1,
                                     RUN_DONE});
    repeat_warn(w, &start);
    assert_string_equal(w->said, ""); /* the newest cost nothing */
    record(w, &(struct made_run){"lambda/a/b", "spot", "nlp", "abe", NOW - 60, 660, 1,
                                 RUN_DONE}); /* long enough */
    repeat_warn(w, &start);
    assert_says(w->said, "warning: this was already run on 2026-11-14: done, $0.000000001");
}

/* ---- rates ---- */

static void assert_bad_rates(struct world *w, const char *text, const char *expected)
{
    char path[128], json[200];
    struct error err = {0};

    (void)snprintf(path, sizeof path, "%s/rates.csv", costs_folder);
    (void)snprintf(json, sizeof json, "{\"file\":\"%s\"}", path);
    assert_true(fs_put(path, str_from(text), &err));
    assert_refused(w, "rates.import", json, expected);
}

static void rates_come_in_whole(void **state)
{
    struct world *w = *state;
    char path[128], json[200];
    struct error err = {0};
    const char *text;

    (void)snprintf(path, sizeof path, "%s/ecb.csv", costs_folder);
    (void)snprintf(json, sizeof json, "{\"file\":\"%s\"}", path);
    assert_true(fs_put(path,
                       STR("currency,date,usd\nEUR,2026-11-01,1.08\neur,2026-11-02,1.09\n"
                           "USD,2026-11-02,1\nJPY,2026-11-02,6.5E-3\n"),
                       &err));
    assert_says(ask(w, "rates.import", json), "\"rates\":3,\"currencies\":[\"EUR\",\"JPY\"]");
    assert_bad_rates(w, "", "the file is empty");
    assert_bad_rates(w, "date,curency,usd\n", ":1: the column 'currency' is missing");
    assert_bad_rates(w, "date,currency,usd\n2026-11-01,EUR,1.5\n2026-11-02,EUR,-1\n",
                     ":3: usd: '-1' is not a rate");
    assert_bad_rates(w, "date,currency,usd\n1.11.2026,EUR,1.5\n",
                     ":2: date: '1.11.2026' is not a day");
    assert_bad_rates(w, "date,currency,usd\n2026-11-01,EUR,1,08\n",
                     ":2: 4 fields where the first line names 3");
    assert_bad_rates(w, "date,currency,usd\n2026-11-01,Euro,1\n",
                     ":2: currency: 'Euro' is not a currency");
    text = ask(w, "rates.list", "{}"); /* and the first day is as it was */
    assert_says(text, "{\"currency\":\"EUR\",\"rates\":2,\"first\":\"2026-11-01\",\"last\":"
                      "\"2026-11-02\",\"usd\":\"1.09\",\"source\":\"ecb.csv\"}");
    assert_says(text, "\"usd\":\"0.0065\"");
    assert_null(strstr(ask(w, "rates.list", "{\"currency\":[\"jpy\"]}"), "EUR"));
}

static void csv_has_all_digits(void **state)
{
    struct world *w = *state;
    char path[128], json[200];
    struct error err = {0};
    struct str text;

    bill(w, made, ARRAY_LEN(made));
    (void)snprintf(path, sizeof path, "%s/out.csv", costs_folder);
    (void)snprintf(json, sizeof json,
                   "{\"by\":[\"team\"],\"month\":\"2026-10\",\"csv\":\"%s\","
                   "\"where\":[\"team=nlp\"]}",
                   path);
    (void)ask(w, "costs", json);
    assert_true(fs_read(path, 65536, &w->arena, &text, &err));
    assert_str_equal(text, "team,period,currency,amount,metered,share,lines,runs,others,before,"
                           "change\n"
                           "nlp,,USD,14.000000000001,0,1,2,0,0,,\n");
}

static void memory_may_run_out(void **state)
{
    static const char *const requests[][2] = {
        {"costs", "{\"by\":[\"team\",\"month\"],\"since\":\"2026-10-01\",\"limit\":1,"
                  "\"sort\":\"change\",\"where\":[\"service=*\"],\"currency\":\"USD\"}"},
        {"costs.trend", "{\"by\":[\"team\"]}"},
        {"costs.movers", "{}"},
        {"costs.gpus", "{\"by\":[\"gpu\"]}"},
        {"costs.spot", "{\"by\":[\"team\"]}"},
        {"costs.repeats", "{}"},
        {"rates.list", "{}"},
    };
    struct world *w = *state;

    bill(w, made, ARRAY_LEN(made));
    rate(w, OCTOBER, "EUR", "1.1");
    rate(w, NOVEMBER, "EUR", "1.1");
    for (int i = 0; i < 3; i++)
        record(w, &(struct made_run){"lambda/a/b", "spot", "nlp", "abc",
                                     NOW - (3 - i) * 24 * HOUR, HOUR, DOLLAR, RUN_DONE});
    world_survives(w, requests, ARRAY_LEN(requests));
}

int group_costs(void)
{
    const struct CMUnitTest tests[] = {
        costs_test(no_ledger_has_no_costs),
        costs_test(others_are_summed_up),
        costs_test(changes_are_against_as_many_days),
        costs_test(periods_have_names),
        costs_test(wrong_words_are_refused),
        costs_test(the_running_month_is_compared_fairly),
        costs_test(movers_say_where),
        costs_test(movers_are_found_among_many),
        costs_test(spot_is_told_with_what_it_saved),
        costs_test(storage_is_what_bills_call_so),
        costs_test(gpus_are_counted_by_the_hour),
        costs_test(only_what_ended_well_is_repeated),
        costs_test(a_configuration_is_what_it_reads),
        costs_test(what_was_run_is_said),
        costs_test(the_last_start_is_what_was_run),
        costs_test(rates_come_in_whole),
        costs_test(csv_has_all_digits),
        costs_test(memory_may_run_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
