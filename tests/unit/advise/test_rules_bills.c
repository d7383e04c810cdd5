/* What bills show that runs do not: what is claimed, what is a question, what is neither. */
#include "advise_world.h"

#include "advise/rules/bills.h"

#define MANY 8

static struct reconcile_resource machines[MANY];
static struct reconcile_extra extras[MANY];
static struct reconcile_sums sums;
static struct reconciliation bills;

static struct decimal cents(double dollars)
{
    return (struct decimal){(int64_t)(dollars * 100), 2};
}

static void start_bills(void)
{
    bills = (struct reconciliation){.matched_runs = 1};
    sums = (struct reconcile_sums){.currency = {"USD"}};
}

/* A machine that no run was on. */
static struct reconcile_resource *add_machine(const char *id, const char *type, double hours,
                                              double cost)
{
    struct reconcile_resource *m = &machines[bills.resources.len++];

    *m = (struct reconcile_resource){.machine = {.resource = str_from(id),
                                                 .provider = STR("AWS"),
                                                 .account = STR("1"),
                                                 .region = STR("us-east-1"),
                                                 .instance = str_from(type)},
                                     .currency = {"USD"},
                                     .billed = cents(cost),
                                     .rest = cents(cost),
                                     .hours = hours,
                                     .watched = cost};
    assert_true(decimal_add(sums.untracked, cents(cost), &sums.untracked));
    return m;
}

/* A run was on it for some hours. */
static void add_used(const char *id, const char *type, double hours, double used, double cost)
{
    struct reconcile_resource *m = &machines[bills.resources.len++];

    *m = (struct reconcile_resource){.machine = {.resource = str_from(id),
                                                 .provider = STR("AWS"),
                                                 .instance = str_from(type)},
                                     .currency = {"USD"},
                                     .billed = cents(cost),
                                     .matched = cents(cost * used / hours),
                                     .rest = cents(cost - cost * used / hours),
                                     .hours = hours,
                                     .run_hours = used,
                                     .runs = 1};
    assert_true(decimal_add(sums.idle, m->rest, &sums.idle));
}

static struct reconcile_extra *add_extra(enum extra_kind kind, const char *id, double cost)
{
    struct reconcile_extra *x = &extras[bills.extras.len++];

    *x = (struct reconcile_extra){.kind = kind,
                                  .provider = STR("AWS"),
                                  .resource = str_from(id),
                                  .region = STR("us-east-1"),
                                  .currency = {"USD"},
                                  .cost = cents(cost),
                                  .days = 30};
    assert_true(decimal_add(sums.other, cents(cost), &sums.other));
    return x;
}

static void take_bills(void)
{
    static const struct catalog no_offers;
    struct error err = {0};

    bills.resources.at = machines;
    bills.extras.at = extras;
    bills.sums = (struct rows){&sums, 1};
    run_count = 0;
    add_run("bert", 1);
    make_works(1);
    facts.rest = (struct advise_money){0};
    facts.left_on = (struct advise_left_on){0};
    assert_true(advise_bills_take(&bills, &no_offers, 1, &arena, &facts, &err));
    apply_rules();
}

/* g5.xlarge has no row in an empty catalog, but a run was on one. */
static void a_machine_that_no_run_was_on_is_found(void **state)
{
    (void)state;
    start_bills();
    add_used("i-1", "g5.xlarge", 10, 10, 10);
    add_machine("i-2", "g5.xlarge", 720, 720);
    add_machine("i-3", "g5.xlarge", 30, 30);
    take_bills();
    assert_saves(finding_of("unused-machines"), 720, 750, 750);
    assert_false(finding_of("unused-machines")->possible);
    assert_null(finding_of("unexplained-machines"));
}

static void what_may_be_needed_is_a_question(void **state)
{
    (void)state;
    start_bills();
    add_used("i-1", "g5.xlarge", 10, 10, 10);
    add_machine("i-2", "t3.small", 720, 10); /* no GPU, and no run is on such machines */
    add_machine("i-3", "g5.xlarge", 5, 5);   /* hours: work that was not recorded */
    add_machine("i-4", "g5.xlarge", 720, 40)->machine.role = STR("Inference");
    add_machine("chat-api", "g5.xlarge", 720, 40);
    add_machine("i-5", "g5.xlarge", 720, 40)->doubtful = true;
    add_machine("i-6", "g5.xlarge", 720, 40)->watched = 0; /* an account without runs */
    take_bills();
    assert_null(finding_of("unused-machines"));
    assert_saves(finding_of("unexplained-machines"), 0, 175, 175);
    assert_true(finding_of("unexplained-machines")->possible);
}

static void machines_are_left_on_after_runs(void **state)
{
    (void)state;
    start_bills();
    add_used("i-1", "g5.xlarge", 24, 12, 24);
    take_bills();
    assert_saves(finding_of("machines-left-on"), 11, 12 - 10 / 60.0, 12);
}

static void traffic_between_regions_is_found(void **state)
{
    (void)state;
    start_bills();
    add_extra(EXTRA_REGIONS, "", 616);
    add_extra(EXTRA_INTERNET, "", 50);
    take_bills();
    assert_saves(finding_of("traffic-between-regions"), 308, 616, 616);
    assert_true(finding_of("traffic-to-internet")->possible);
    assert_near(facts.rest.part[PART_REGIONS], 616, 1e-9);
    assert_near(facts.rest.part[PART_OTHER], 0, 1e-9);
}

static void only_days_without_machines_count_for_volumes(void **state)
{
    (void)state;
    start_bills();
    add_extra(EXTRA_VOLUME, "vol-1", 30);
    take_bills();
    assert_null(finding_of("unattached-volumes"));
    extras[0].apart = 12;
    take_bills();
    assert_saves(finding_of("unattached-volumes"), 6, 12, 12);
}

static void a_load_balancer_with_traffic_is_none(void **state)
{
    (void)state;
    start_bills();
    add_extra(EXTRA_BALANCER, "lb/1", 16)->used = 3;
    take_bills();
    assert_null(finding_of("unused-load-balancers"));
    extras[0].used = 0;
    take_bills();
    assert_saves(finding_of("unused-load-balancers"), 16, 16, 16);
    extras[0].days = 6;
    take_bills();
    assert_null(finding_of("unused-load-balancers"));
}

/* Other clouds' bills show the use of load balancers when they show that of one. */
static void other_clouds_must_show_traffic(void **state)
{
    (void)state;
    start_bills();
    add_extra(EXTRA_BALANCER, "lb/1", 16)->provider = STR("Microsoft");
    take_bills();
    assert_null(finding_of("unused-load-balancers"));
    add_extra(EXTRA_BALANCER, "lb/2", 20)->provider = STR("Microsoft");
    extras[1].used = 3;
    take_bills();
    assert_saves(finding_of("unused-load-balancers"), 16, 16, 16);
}

static void snapshots_that_do_not_change_can_be_archived(void **state)
{
    (void)state;
    start_bills();
    add_extra(EXTRA_SNAPSHOT, "snap-1", 40);
    take_bills();
    assert_true(finding_of("old-snapshots")->possible);
    extras[0].steady = true;
    take_bills();
    assert_saves(finding_of("old-snapshots"), 30, 30, 40);
    extras[0].provider = STR("Microsoft"); /* which has no archive */
    take_bills();
    assert_true(finding_of("old-snapshots")->possible);
}

static void a_volume_that_is_called_unattached_is_one(void **state)
{
    (void)state;
    start_bills();
    add_extra(EXTRA_VOLUME, "vol-1", 30)->detached = true;
    take_bills();
    assert_saves(finding_of("unattached-volumes"), 15, 30, 30);
}

static void gp3_costs_less_than_gp2_with_as_many_iops(void **state)
{
    (void)state;
    start_bills();
    add_extra(EXTRA_VOLUME, "vol-1", 10);
    take_bills();
    assert_null(finding_of("older-volumes"));
    extras[0].gp2 = 10; /* 100 GB */
    take_bills();
    assert_saves(finding_of("older-volumes"), 2, 2, 2);
    add_extra(EXTRA_VOLUME, "vol-2", 50)->gp2 = 50;   /* 500 GB: 250 MB/s */
    add_extra(EXTRA_VOLUME, "vol-3", 200)->gp2 = 200; /* 6,000 IOPS, too */
    take_bills();
    assert_saves(finding_of("older-volumes"), 2 + 5 + 20, 2 + 10 + 25, 52);
    extras[2].detached = true; /* it is to be deleted */
    take_bills();
    assert_saves(finding_of("older-volumes"), 7, 12, 12);
}

/* No GPU, and of no run's type; but a notebook, on for days in an account with runs. */
static void a_forgotten_notebook_is_unused(void **state)
{
    (void)state;
    start_bills();
    add_used("i-1", "g5.xlarge", 10, 10, 10);
    add_machine("arn:aws:sagemaker:x:1:notebook-instance/a", "ml.t3.medium", 720, 36);
    take_bills();
    assert_saves(finding_of("unused-machines"), 36, 36, 36);
}

static void machines_of_accounts_without_runs_may_cost_less(void **state)
{
    static const struct {
        const char *rule;
        enum billed_way way;
        enum advise_part part;
    } rows[] = {{"machines-on-demand", BILLED_SPOT, PART_FOR_SPOT},
                {"machines-elsewhere", BILLED_REGION, PART_FOR_REGION},
                {"old-machines", BILLED_NEWER, PART_FOR_NEWER},
                {"notebooks-at-night", BILLED_NIGHTS, PART_FOR_NIGHTS}};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        start_bills();
        add_machine("i-2", "g5.xlarge", 200, 200)->watched = 0;
        take_bills();
        assert_null(finding_of(rows[i].rule));
        facts.bills.billed[rows[i].way] = (struct advise_billed){.machines = 1,
                                                                 .hours = 200,
                                                                 .cost = 200,
                                                                 .names = STR("i-2"),
                                                                 .saving = {50, 100, 120}};
        facts.rest.part[rows[i].part] = 200;
        apply_rules();
        assert_saves(finding_of(rows[i].rule), 50, 100, 120);
    }
}

static void a_copy_has_the_size_of_another_and_no_reader(void **state)
{
    (void)state;
    start_bills();
    *add_extra(EXTRA_OBJECTS, "data", 100) = (struct reconcile_extra){.kind = EXTRA_OBJECTS,
                                                                      .provider = STR("AWS"),
                                                                      .resource = STR("data"),
                                                                      .days = 30,
                                                                      .currency = {"USD"},
                                                                      .cost = cents(100),
                                                                      .quantity = 1000,
                                                                      .used = 5};
    add_extra(EXTRA_OBJECTS, "copy", 100)->quantity = 1000;
    take_bills();
    assert_saves(finding_of("stored-twice"), 50, 100, 100);
    extras[1].used = 1; /* it is read */
    take_bills();
    assert_null(finding_of("stored-twice"));
    extras[1].used = 0;
    extras[1].quantity = 1001;
    take_bills();
    assert_null(finding_of("stored-twice"));
}

static void amounts_in_other_currencies_are_left_out(void **state)
{
    (void)state;
    start_bills();
    add_extra(EXTRA_REGIONS, "", 616)->currency = (struct currency){"EUR"};
    sums.currency = (struct currency){"EUR"};
    take_bills();
    assert_null(finding_of("traffic-between-regions"));
    assert_near(advise_money_sum(&facts.rest, PARTS_ALL), 0, 1e-9);
}

/* ---- kinds of charges ---- */

static enum extra_kind kind_of(const char *meter, const char *text, const char *category,
                               bool *use)
{
    struct bill_line line = {0};

    line.of[FOCUS_ChargeCategory] = STR("Usage");
    line.of[FOCUS_ServiceCategory] = str_from(category);
    line.of[FOCUS_ResourceId] = STR("thing");
    line.of[FOCUS_SkuMeter] = str_from(meter);
    line.of[FOCUS_ChargeDescription] = str_from(text);
    return extra_kind_of(&line, use);
}

static void charges_have_kinds_by_their_words(void **state)
{
    static const struct {
        const char *meter, *text, *category;
        enum extra_kind kind;
        bool use;
    } rows[] = {
        {"USE1-EUW1-AWS-Out-Bytes", "", "Networking", EXTRA_REGIONS, false},
        {"Network Inter Region Egress from Americas to EMEA", "", "Networking", EXTRA_REGIONS,
         false},
        {"Standard Inter-Region Data Transfer", "", "Networking", EXTRA_REGIONS, false},
        {"DataTransfer-Regional-Bytes", "", "Networking", EXTRA_ZONES, false},
        {"DataTransfer-Out-Bytes", "", "Networking", EXTRA_INTERNET, false},
        {"USE2-NatGateway-Bytes", "", "Networking", EXTRA_NAT, true},
        {"NatGateway-Hours", "", "Networking", EXTRA_NAT, false},
        {"PublicIPv4:IdleAddress", "", "Networking", EXTRA_ADDRESS, false},
        {"ElasticIP:IdleAddress", "", "Compute", EXTRA_ADDRESS, false},
        {"PublicIPv4:InUseAddress", "", "Networking", EXTRA_OTHER, false},
        {"LoadBalancerUsage", "", "Networking", EXTRA_BALANCER, false},
        {"LCUUsage", "", "Networking", EXTRA_BALANCER, true},
        {"EBS:VolumeUsage.gp3", "", "Storage", EXTRA_VOLUME, false},
        {"Balanced PD Capacity", "", "Storage", EXTRA_VOLUME, false},
        {"EBS:SnapshotUsage", "", "Storage", EXTRA_SNAPSHOT, false},
        {"TimedStorage-ByteHrs", "", "Storage", EXTRA_OBJECTS, false},
        {"TimedStorage-GlacierByteHrs", "", "Storage", EXTRA_OTHER, false},
        {"Requests-Tier2", "", "Storage", EXTRA_OBJECTS, true},
        {"Standard Storage US Multi-region", "", "Storage", EXTRA_OBJECTS, false},
        {"", "support", "Other", EXTRA_OTHER, false},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        bool use;

        if (kind_of(rows[i].meter, rows[i].text, rows[i].category, &use) != rows[i].kind ||
            use != rows[i].use)
            fail_msg("%s", rows[i].meter);
    }
}

int group_rules_bills(void)
{
    const struct CMUnitTest tests[] = {
        world_test(a_machine_that_no_run_was_on_is_found),
        world_test(what_may_be_needed_is_a_question),
        world_test(machines_are_left_on_after_runs),
        world_test(traffic_between_regions_is_found),
        world_test(only_days_without_machines_count_for_volumes),
        world_test(a_load_balancer_with_traffic_is_none),
        world_test(other_clouds_must_show_traffic),
        world_test(snapshots_that_do_not_change_can_be_archived),
        world_test(a_volume_that_is_called_unattached_is_one),
        world_test(gp3_costs_less_than_gp2_with_as_many_iops),
        world_test(a_forgotten_notebook_is_unused),
        world_test(machines_of_accounts_without_runs_may_cost_less),
        world_test(a_copy_has_the_size_of_another_and_no_reader),
        world_test(amounts_in_other_currencies_are_left_out),
        cmocka_unit_test(charges_have_kinds_by_their_words),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
