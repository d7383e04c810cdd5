/* Bills are imported completely, replace what they deliver again, and sum exactly. */
#include "bills_world.h"

static void bill_is_imported(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_imported in = import_file(l, "may.csv", 1000, "0.000000000001");
    const struct ledger_bill *bills;

    (void)state;
    assert_int_equal(in.count, 1);
    assert_int_equal(in.replaced_count, 0);
    assert_int_equal(in.lines, 1000);
    assert_int_equal(read_bills(l, &bills), 1);
    assert_str_equal(bills[0].provider, "AWS");
    assert_str_equal(bills[0].account, "111");
    assert_str_equal(bills[0].currency, "USD");
    assert_str_equal(bills[0].format, "focus");
    assert_str_equal(bills[0].version, "1.2");
    assert_str_equal(bills[0].files, "[{\"name\":\"may.csv\",\"digest\":\"may.csv\"}]");
    assert_int_equal(bills[0].period_start.s, MAY);
    assert_int_equal(bills[0].period_end.s, JUNE);
    assert_int_equal(bills[0].first_day.n, MAY / SECONDS_PER_DAY);
    assert_int_equal(bills[0].last_day.n, MAY / SECONDS_PER_DAY + 30);
    assert_int_equal(bills[0].imported.s, NOW);
    assert_int_equal(bills[0].lines, 1000);
    assert_amount(bills[0].billed, "0.000000001");
    assert_amount(bills[0].effective, "0.000000001");
    assert_false(bills[0].paired);
    assert_int_equal(count_litter(l), 0);
    ledger_close(l);
}

static void a_ledger_without_bills_has_none(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    const struct ledger_bill *bills;
    struct error err = {0};
    int64_t changed = 1;
    struct ledger_import_options options = import_options();

    (void)state;
    assert_int_equal(read_bills(l, &bills), 0);
    assert_total(l, "0");
    assert_true(ledger_regroup(l, &options, &changed, &err));
    assert_int_equal(changed, 0);
    assert_false(ledger_bill_remove(l, 7, &err));
    assert_int_equal(err.kind, ERROR_ABSENT);
    ledger_import_abandon(NULL);
    assert_int_equal(commit_import(begin_import(l, &options)).count, 0);
    ledger_close(l);
}

static void second_delivery_replaces_the_first(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_imported in;
    const struct ledger_bill *bills;

    (void)state;
    (void)import_file(l, "may.csv", 100, "1.25");
    in = import_file(l, "may-again.csv", 101, "1.5");
    assert_int_equal(in.replaced_count, 1);
    assert_amount(in.replaced[0].billed, "125");
    assert_int_equal(in.replaced[0].lines, 100);
    assert_int_equal(read_bills(l, &bills), 1);
    assert_amount(bills[0].billed, "151.5");
    assert_total(l, "151.5");
    assert_int_equal(count_litter(l), 0);
    assert_true(ledger_bill_remove(l, bills[0].key, &(struct error){0}));
    assert_int_equal(read_bills(l, &bills), 0);
    assert_int_equal(count_litter(l), 0);
    ledger_close(l);
}

static void added_bill_keeps_the_others(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_import_options options = import_options();
    struct ledger_import *i;
    struct ledger_imported out;
    struct error err = {0};

    (void)state;
    (void)import_file(l, "part1.csv", 10, "1");
    options.add = true;
    i = begin_import(l, &options);
    put_file(i, "part2.csv", 5, "2");
    assert_int_equal(commit_import(i).replaced_count, 0);
    assert_total(l, "20");
    i = begin_import(l, &options); /* the same content again: not twice */
    put_file(i, "part1.csv", 10, "1");
    assert_false(ledger_import_commit(i, &ledger_arena, &out, &err));
    assert_int_equal(err.kind, ERROR_INPUT);
    assert_total(l, "20");
    assert_int_equal(import_file(l, "all.csv", 16, "1").replaced_count, 2);
    assert_total(l, "16");
    assert_int_equal(count_litter(l), 0);
    ledger_close(l);
}

/* A line of another account, period, currency or kind of amounts is of another bill. */
static void bills_are_distinguished(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_import_options options = import_options();
    struct ledger_import *i = begin_import(l, &options);
    const struct ledger_bill *bills;
    struct ledger_cost_query query = {.since = DAY_UNKNOWN, .until = DAY_UNKNOWN};
    struct answer a;
    struct error err = {0};
    struct made_line m;

    (void)state;
    assert_true(ledger_import_file(i, STR("mixed.csv"), &about_focus, &err));
    for (int n = 0; n < 40; n++) {
        make_line(&m, n, "1");
        if (n % 4 == 1)
            m.line.of[FOCUS_BillingAccountId] = STR("222");
        if (n % 4 == 2)
            m.line.of[FOCUS_BillingCurrency] = STR("EUR");
        if (n % 4 == 3) {
            m.line.period_start.s = JUNE;
            m.line.start.s = JUNE;
        }
        put_line(i, &m.line);
    }
    assert_int_equal(commit_import(i).count, 4);
    assert_int_equal(read_bills(l, &bills), 4);
    for (int n = 0; n < 4; n++)
        assert_amount(bills[n].billed, "10");
    ask_costs(l, &query, &a); /* currencies are never summed */
    assert_int_equal(a.count, 2);
    (void)import_file(l, "again.csv", 3, "1"); /* replaces the one that it delivers again */
    assert_int_equal(read_bills(l, &bills), 4);
    assert_total(l, "33");
    ledger_close(l);
}

static void import_is_invisible_before_its_end(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE), *reader;
    struct ledger_import_options options = import_options();
    struct ledger_import *i;
    const struct ledger_bill *bills;

    (void)state;
    (void)import_file(l, "may.csv", 10, "1");
    reader = open_ledger(LEDGER_READ);
    options.memory = 1; /* written every few lines */
    i = begin_import(l, &options);
    put_file(i, "new.csv", 3000, "1");
    assert_int_equal(read_bills(reader, &bills), 1);
    assert_total(reader, "10");
    ledger_import_abandon(i);
    assert_total(reader, "10");
    assert_int_equal(count_litter(reader), 0);
    ledger_close(reader);
    ledger_close(l);
}

static void small_memory_limit_changes_no_sum(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_import_options options = import_options();
    struct ledger_cost_query query = {
        .since = DAY_UNKNOWN, .until = DAY_UNKNOWN, .by = (uint64_t)1 << DIMENSION_team};
    struct answer a;

    (void)state;
    for (int round = 0; round < 2; round++) { /* the second finds its things in the tables */
        struct ledger_import *i;

        options.memory = 1;
        i = begin_import(l, &options);
        put_file(i, "may.csv", 5000, "0.123456789012345678");
        (void)commit_import(i);
        ask_costs(l, &query, &a);
        assert_int_equal(a.count, 2);
        assert_amount(a.billed, "617.28394506172839");
        assert_int_equal(a.cost[0].lines + a.cost[1].lines, 5000);
    }
    ledger_close(l);
}

static void sums_are_by_day_month_and_dimension(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    int32_t first = (int32_t)(MAY / SECONDS_PER_DAY);
    struct ledger_cost_query query = {
        .since = {first}, .until = {first + 10}, .grain = GRAIN_DAY};
    struct answer a;

    (void)state;
    (void)import_file(l, "may.csv", 62, "1.1");
    ask_costs(l, &query, &a);
    assert_int_equal(a.count, 10);
    for (size_t n = 0; n < a.count; n++)
        assert_amount(a.cost[n].billed, "2.2");
    query.by = (uint64_t)1 << DIMENSION_team;
    ask_costs(l, &query, &a);
    assert_int_equal(a.count, 20);
    query.grain = GRAIN_MONTH;
    ask_costs(l, &query, &a);
    assert_int_equal(a.count, 2);
    assert_int_equal(a.cost[0].from.n, first);
    assert_amount(a.billed, "22");
    assert_string_equal(a.team[0], "nlp");
    query.until.n = first;
    ask_costs(l, &query, &a);
    assert_int_equal(a.count, 0);
    ledger_close(l);
}

/* An amortized file next to the actual one: each has what the other lacks. */
static void amortized_and_actual_costs_are_combined(void **state)
{
    struct bill_about amortised = {
        .format = BILL_AZURE, .version = "EA", .amounts = BILL_AMORTIZED};
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_import_options options = import_options();
    struct ledger_import *i;
    struct ledger_cost_query query = {.since = DAY_UNKNOWN, .until = DAY_UNKNOWN};
    const struct ledger_bill *bills;
    struct error err = {0};
    struct made_line m;
    struct answer a;

    (void)state;
    (void)import_file(l, "actual.csv", 10, "7");
    i = begin_import(l, &options);
    assert_true(ledger_import_file(i, STR("amortised.csv"), &amortised, &err));
    make_line(&m, 0, "0");
    m.line.effective = m.line.list = amount_of("30");
    m.line.list_known = true;
    put_line(i, &m.line);
    assert_int_equal(commit_import(i).replaced_count, 0);
    assert_int_equal(read_bills(l, &bills), 2);
    assert_true(bills[0].paired && bills[1].paired);
    ask_costs(l, &query, &a);
    assert_amount(a.billed, "70");
    assert_amount(a.effective, "30");
    assert_amount(a.list, "70");
    query.amounts = 1u << 1; /* the effective cost alone */
    ask_costs(l, &query, &a);
    assert_amount(a.billed, "0");
    assert_amount(a.effective, "30");
    query.amounts = 0;
    assert_int_equal(import_file(l, "actual.csv", 10, "8").replaced_count, 1);
    ask_costs(l, &query, &a);
    assert_amount(a.billed, "80");
    assert_amount(a.effective, "30");
    assert_int_equal(read_bills(l, &bills), 2);
    for (int n = 0; n < 2; n++)
        if (bills[n].amounts == BILL_BOTH)
            assert_true(ledger_bill_remove(l, bills[n].key, &err));
    ask_costs(l, &query, &a);
    assert_amount(a.billed, "0");
    assert_amount(a.effective, "30");
    assert_amount(a.list, "30");
    ledger_close(l);
}

struct seen {
    int lines;
    struct decimal billed;
};

static bool check_line(void *ctx, const struct ledger_bill *bill, const struct bill_line *line,
                       struct error *err)
{
    struct seen *seen = ctx;
    struct made_line m;

    (void)err;
    make_line(&m, seen->lines++, "7.0E-10");
    assert_str_equal(bill->account, "111");
    assert_int_equal(line->line, seen->lines);
    assert_int_equal(line->start.s, m.line.start.s);
    assert_int_equal(line->end.s, m.line.end.s);
    assert_int_equal(line->period_end.s, JUNE);
    assert_str_equal(line->of[FOCUS_BillingPeriodStart], "2026-05-01T00:00:00Z");
    assert_str_equal(line->of[FOCUS_BilledCost], "0.00000000070");
    assert_str_equal(line->of[FOCUS_PricingQuantity], "1.50");
    assert_null(line->of[FOCUS_ConsumedQuantity].at);
    assert_null(line->of[FOCUS_ListCost].at);
    assert_false(line->list_known);
    assert_str_equal(line->of[FOCUS_Tags], m.tags);
    assert_str_equal(line->of[FOCUS_ResourceId], m.resource);
    assert_str_equal(line->of[FOCUS_ProviderName], "Amazon Web Services");
    assert_true(decimal_add(seen->billed, line->billed, &seen->billed));
    return true;
}

static void lines_are_read_back_completely(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_line_query query = {DAY_UNKNOWN, DAY_UNKNOWN, -1};
    struct seen seen = {0};
    struct error err = {0};

    (void)state;
    (void)import_file(l, "may.csv", 9000, "7.0E-10");
    assert_true(ledger_bill_lines(l, &query, check_line, &seen, &err));
    assert_int_equal(seen.lines, 9000);
    assert_amount(seen.billed, "0.0000063");
    seen.lines = 0;
    query.until.n = (int32_t)(MAY / SECONDS_PER_DAY);
    assert_true(ledger_bill_lines(l, &query, check_line, &seen, &err));
    assert_int_equal(seen.lines, 0);
    ledger_close(l);
}

static bool count_thing(void *ctx, const struct ledger_bill *bill,
                        const struct bill_line *thing, struct error *err)
{
    (void)err;
    assert_str_equal(bill->account, "111");
    assert_str_equal(thing->of[FOCUS_ServiceName], "Amazon EC2");
    assert_true(str_starts(thing->of[FOCUS_ResourceId], STR("i-")));
    assert_int_equal(thing->of[FOCUS_BilledCost].len, 0);
    ++*(int *)ctx;
    return true;
}

static bool refuse_thing(void *ctx, const struct ledger_bill *bill,
                         const struct bill_line *thing, struct error *err)
{
    (void)ctx;
    (void)bill;
    (void)thing;
    return error_fail(err, ERROR_INPUT, "no more");
}

static void each_item_is_listed_once(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_line_query query = {DAY_UNKNOWN, DAY_UNKNOWN, -1};
    struct error err = {0};
    int things = 0;

    (void)state;
    assert_true(ledger_bill_things(l, &query, count_thing, &things, &err));
    assert_int_equal(things, 0);
    (void)import_file(l, "may.csv", 9000, "1");
    assert_true(ledger_bill_things(l, &query, count_thing, &things, &err));
    assert_int_equal(things, 97 * 2); /* each resource has both tags */
    things = 0;
    query.until.n = (int32_t)(MAY / SECONDS_PER_DAY);
    assert_true(ledger_bill_things(l, &query, count_thing, &things, &err));
    query = (struct ledger_line_query){DAY_UNKNOWN, DAY_UNKNOWN, 12345};
    assert_true(ledger_bill_things(l, &query, count_thing, &things, &err));
    assert_int_equal(things, 0);
    query.bill = -1;
    assert_false(ledger_bill_things(l, &query, refuse_thing, NULL, &err));
    assert_string_equal(err.text, "no more");
    ledger_close(l);
}

static void all_one_team(void *ctx, const struct bill_line *line, struct dimensions *out)
{
    by_team(ctx, line, out);
    out->of[DIMENSION_team] = STR("everybody");
}

static void other_rules_recompute_sums(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_import_options options = import_options();
    struct ledger_cost_query query = {
        .since = DAY_UNKNOWN, .until = DAY_UNKNOWN, .by = (uint64_t)1 << DIMENSION_team};
    struct ledger_import *under_way;
    struct ledger_imported out;
    struct error err = {0};
    struct answer a;
    int64_t changed;

    (void)state;
    (void)import_file(l, "may.csv", 20000, "0.1");
    assert_true(ledger_regroup(l, &options, &changed, &err));
    assert_int_equal(changed, 0);
    under_way = begin_import(l, &options);
    put_file(under_way, "new.csv", 10, "1");
    options.classify = all_one_team;
    if (!ledger_regroup(l, &options, &changed, &err))
        fail_msg("%s", err.text);
    assert_int_equal(changed, 194); /* 97 resources, each in both teams */
    ask_costs(l, &query, &a);
    assert_int_equal(a.count, 1);
    assert_string_equal(a.team[0], "everybody");
    assert_amount(a.billed, "2000");
    assert_int_equal(a.cost[0].lines, 20000);
    assert_false(ledger_import_commit(under_way, &ledger_arena, &out, &err));
    assert_int_equal(count_litter(l), 0);
    ledger_close(l);
}

static void refuse(struct ledger *l, const struct bill_line *line, const char *words)
{
    struct ledger_import_options options = import_options();
    struct ledger_import *i = begin_import(l, &options);
    struct ledger_imported out;
    struct error err = {0};

    assert_true(ledger_import_file(i, STR("x"), &about_focus, &err));
    assert_false(ledger_import_line(i, line, &err));
    assert_int_equal(err.kind, ERROR_INPUT);
    assert_non_null(strstr(err.text, words));
    assert_false(ledger_import_commit(i, &ledger_arena, &out, &err));
}

static void unstorable_values_are_refused(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_import_options options = import_options();
    struct ledger_import *i;
    struct error err = {0};
    struct made_line m;

    (void)state;
    make_line(&m, 0, "1");
    m.line.of[FOCUS_BillingCurrency] = STR("dollars");
    refuse(l, &m.line, "BillingCurrency: 'dollars'");
    make_line(&m, 0, "1");
    m.line.of[FOCUS_ConsumedQuantity] = STR("many");
    refuse(l, &m.line, "ConsumedQuantity: 'many'");
    i = begin_import(l, &options);
    assert_true(ledger_import_file(i, STR("x"), &about_focus, &err));
    make_line(&m, 0, "99999999999999999999999999999999999999");
    put_line(i, &m.line);
    make_line(&m, 0, "0.01");
    assert_false(ledger_import_line(i, &m.line, &err));
    assert_non_null(strstr(err.text, "too many digits"));
    ledger_import_abandon(i);
    assert_total(l, "0");
    ledger_close(l);
}

/* Bytes that are no text reach no engine, and do not make a bill of every line. */
static void odd_bytes_are_replaced(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_import_options options = import_options();
    struct ledger_import *i = begin_import(l, &options);
    const struct ledger_bill *bills;
    struct error err = {0};
    struct made_line m;

    (void)state;
    assert_true(ledger_import_file(i, STR("\xff.csv"), &about_focus, &err));
    for (int n = 0; n < 5; n++) {
        make_line(&m, n, "1");
        m.line.of[FOCUS_BillingAccountId] = (struct str){"a\0b\xfe\xc3\xa9", 6};
        m.line.of[FOCUS_ResourceId] = (struct str){"r\0\xff", 3};
        put_line(i, &m.line);
    }
    assert_int_equal(commit_import(i).count, 1);
    assert_int_equal(read_bills(l, &bills), 1);
    assert_str_equal(bills[0].account, "a?b?\xc3\xa9");
    assert_str_equal(bills[0].files, "[{\"name\":\"?.csv\"}]");
    ledger_close(l);
}

/* The same month under another spelling of its provider's name is the same month. */
static void a_provider_has_one_bill_a_month(void **state)
{
    static const char *const names[] = {"GoogleCloud", "Google Cloud", "gcp", "Google LLC"};
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_import_options options = import_options();
    const struct ledger_bill *bills;

    (void)state;
    for (size_t n = 0; n < ARRAY_LEN(names); n++) {
        struct ledger_import *i = begin_import(l, &options);
        struct error err = {0};
        struct made_line m;

        assert_true(ledger_import_file(i, str_from(names[n]), &about_focus, &err));
        make_line(&m, 0, "1.5");
        m.line.of[FOCUS_ServiceProviderName] = (struct str){0};
        m.line.of[FOCUS_ProviderName] = str_from(names[n]);
        put_line(i, &m.line);
        assert_int_equal(commit_import(i).replaced_count, n > 0);
        assert_int_equal(read_bills(l, &bills), 1);
        assert_str_equal(bills[0].provider, "Google Cloud");
    }
    assert_total(l, "1.5");
    ledger_close(l);
}

/* A charge for the month covers all of it; a fee next to daily usage does not. */
static void charges_of_a_month_cover_it(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    const struct ledger_bill *bills;

    (void)state;
    for (int days = 0; days < 2; days++) {
        struct ledger_import_options options = import_options();
        struct ledger_import *i = begin_import(l, &options);
        struct error err = {0};
        struct made_line m;

        assert_true(ledger_import_file(i, STR("may.csv"), &about_focus, &err));
        make_line(&m, 0, "30");
        m.line.start = (stamp){MAY};
        m.line.end = (stamp){JUNE};
        put_line(i, &m.line);
        if (days == 1) {
            make_line(&m, 3, "1");
            put_line(i, &m.line);
        }
        assert_true(ledger_import_file_end(i, STR("may.csv"), &err));
        (void)commit_import(i);
        assert_int_equal(read_bills(l, &bills), 1);
        assert_int_equal(bills[0].covers_first.n, MAY / SECONDS_PER_DAY);
        assert_int_equal(bills[0].covers_last.n,
                         days == 0 ? JUNE / SECONDS_PER_DAY - 1 : MAY / SECONDS_PER_DAY + 3);
    }
    ledger_close(l);
}

static void snapshot_is_of_one_moment(void **state)
{
    struct ledger *reader = open_ledger(LEDGER_WRITE), *writer = open_ledger(LEDGER_WRITE);
    const struct ledger_bill *bills;
    struct error err = {0};

    (void)state;
    /* A snapshot of a ledger without tables stays empty while they are created. */
    assert_true(ledger_hold(reader, &err));
    (void)import_file(writer, "may.csv", 4, "2.5");
    assert_int_equal(read_bills(reader, &bills), 0);
    assert_total(reader, "0");
    ledger_release(reader);
    assert_total(reader, "10.0");
    assert_true(ledger_hold(reader, &err));
    assert_int_equal(read_bills(reader, &bills), 1);
    (void)import_file(writer, "may.csv", 4, "5");
    assert_true(ledger_hold(reader, &err)); /* one within the other */
    assert_total(reader, "10.0");
    ledger_release(reader);
    assert_total(reader, "10.0");
    /* Writing in a snapshot is refused. */
    assert_false(ledger_bill_remove(reader, bills[0].key, &err));
    assert_int_equal(err.kind, ERROR_FAILED);
    assert_total(reader, "10.0");
    ledger_release(reader);
    assert_total(reader, "20");
    ledger_close(reader);
    ledger_close(writer);
}

int group_bills(void)
{
    const struct CMUnitTest tests[] = {
        ledger_test(bill_is_imported),
        ledger_test(a_ledger_without_bills_has_none),
        ledger_test(second_delivery_replaces_the_first),
        ledger_test(added_bill_keeps_the_others),
        ledger_test(bills_are_distinguished),
        ledger_test(import_is_invisible_before_its_end),
        ledger_test(small_memory_limit_changes_no_sum),
        ledger_test(sums_are_by_day_month_and_dimension),
        ledger_test(amortized_and_actual_costs_are_combined),
        ledger_test(lines_are_read_back_completely),
        ledger_test(each_item_is_listed_once),
        ledger_test(other_rules_recompute_sums),
        ledger_test(unstorable_values_are_refused),
        ledger_test(odd_bytes_are_replaced),
        ledger_test(a_provider_has_one_bill_a_month),
        ledger_test(charges_of_a_month_cover_it),
        ledger_test(snapshot_is_of_one_moment),
    };

    return run_on_engines(tests);
}
