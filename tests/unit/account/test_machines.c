/* Which machine a run was on. */
#include "reconciling.h"

static void ids_match_completely(void **state)
{
    struct reconcile_machine m[] = {machine("xi-01", "x"), machine("i-012", "x")};
    struct reconcile_cell c[] = {cell(0, 0, 24, "1"), cell(1, 0, 24, "1")};
    struct reconcile_attempt a[] = {attempt("i-01", 0, 0, 5)};

    (void)state;
    match(m, 2, c, 2, a, 1);
    assert_int_equal(a[0].how, RECONCILE_NOT);
    assert_amount(c[0].matched, "0");
}

static void a_tag_names_the_run(void **state)
{
    static const char *const names[] = {"0199-run-aaaabbbb", "aaaabbbb", "bert"};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        struct reconcile_machine m[] = {machine("i-7", "x"), machine("i-8", "x")};
        struct reconcile_cell c[] = {cell(0, 0, 24, "24"), cell(1, 0, 24, "24")};
        struct reconcile_attempt a[] = {attempt("", 0, 0, 6)};

        m[1].run = str_from(names[i]);
        match(m, 2, c, 2, a, 1);
        assert_int_equal(a[0].how, RECONCILE_TAG);
        assert_int_equal(a[0].machines[0], 1);
        assert_amount(a[0].billed, "6");
    }
}

static void without_an_id_type_and_time_decide(void **state)
{
    struct reconcile_machine m[] = {machine("i-1", "g5.xlarge"), machine("i-2", "P4D.24xlarge"),
                                    machine("i-3", "p4d.24xlarge")};
    struct reconcile_cell c[] = {cell(0, 0, 24, "24"), cell(1, 0, 8, "8"),
                                 cell(2, 0, 24, "24")};
    struct reconcile_attempt a[] = {attempt("", 0, 0, 20), attempt("", 0, 0, 20)};

    (void)state;
    match(m, 3, c, 3, a, 2);
    assert_int_equal(a[0].how, RECONCILE_PLACE);
    assert_int_equal(a[0].machines[0], 2);
    /* Nothing is left that the second one fits on: 8 hours are not half of its time. */
    assert_int_equal(a[1].how, RECONCILE_NOT);
}

static void a_run_of_several_machines_takes_as_many(void **state)
{
    struct reconcile_machine m[] = {machine("i-1", "p4d.24xlarge"), machine("i-2", "g5.xlarge"),
                                    machine("i-3", "p4d.24xlarge"),
                                    machine("i-4", "p4d.24xlarge")};
    struct reconcile_cell c[] = {cell(0, 0, 24, "24"), cell(1, 0, 24, "1"),
                                 cell(2, 0, 24, "48"), cell(3, 0, 20, "20")};
    struct reconcile_attempt a[] = {attempt("", 0, 0, 20), attempt("", 0, 0, 20)};

    (void)state;
    a[0].count = 2;
    match(m, 4, c, 4, a, 2);
    assert_int_equal(a[0].machine_count, 2);
    assert_int_equal(a[0].machines[0], 3); /* which it fills */
    assert_int_equal(a[0].machines[1], 0);
    assert_amount(a[0].billed, "40");
    assert_near(a[0].hours_billed, 20, 1e-9);
    assert_int_equal(a[1].machines[0], 2); /* the other has what is left */
    /* There are three at most: the rest of its time is not covered. */
    a[0] = attempt("", 0, 0, 20);
    a[0].count = 4;
    for (size_t i = 0; i < ARRAY_LEN(c); i++)
        c[i].run_seconds = c[i].shared = 0, c[i].matched = number("0");
    match(m, 4, c, 4, a, 1);
    assert_int_equal(a[0].machine_count, 3);
    assert_amount(a[0].billed, "80");
    assert_near(a[0].hours_billed, 15, 1e-9);
}

static void known_runs_come_before_guesses(void **state)
{
    struct reconcile_machine m[] = {machine("i-1", "p4d.24xlarge")};
    struct reconcile_cell c[] = {cell(0, 0, 20, "20")};
    struct reconcile_attempt a[] = {attempt("", 0, 0, 20), attempt("i-1", 0, 0, 20)};

    (void)state;
    match(m, 1, c, 1, a, 2);
    assert_int_equal(a[0].how, RECONCILE_NOT);
    assert_int_equal(a[1].how, RECONCILE_RESOURCE);
    assert_amount(c[0].matched, "20");
}

static void run_with_a_known_machine_matches_no_other(void **state)
{
    struct reconcile_machine m[] = {machine("i-1", "p4d.24xlarge")};
    struct reconcile_cell c[] = {cell(0, 0, 24, "20")};
    struct reconcile_attempt a[] = {attempt("i-9", 0, 0, 20)};

    (void)state;
    match(m, 1, c, 1, a, 1);
    assert_int_equal(a[0].how, RECONCILE_NOT);
}

/* The numbers of Google Cloud, the paths of Azure in any case, names where bills have no
 * more. */
static void machines_of_every_cloud_are_found(void **state)
{
    static const char vm[] = "/subscriptions/1/resourceGroups/rg/providers/Microsoft.Compute/"
                             "virtualMachines/gpu-vm-0";
    static const struct {
        const char *billed, *name, *known, *host;
        enum reconcile_how how;
    } cases[] = {
        {"i-01", "", "i-01", "ip-10-0-0-1", RECONCILE_RESOURCE},
        {"arn:aws:ec2:us-east-1:1:instance/i-01", "", "i-01", "", RECONCILE_RESOURCE},
        {"//compute.googleapis.com/projects/p/zones/z/instance/123", "vm", "123", "vm",
         RECONCILE_RESOURCE},
        {"//compute.googleapis.com/projects/p/instances/vm", "vm", "123",
         "vm.us-central1-a.c.p.internal", RECONCILE_NAME},
        /* The same name, but another machine: it was created again. */
        {"//compute.googleapis.com/projects/p/zones/z/instance/456", "vm", "123", "vm",
         RECONCILE_NOT},
        {"//compute.googleapis.com/projects/p/zones/z/instance/456", "vm", "", "vm",
         RECONCILE_NAME},
        {"/SUBSCRIPTIONS/1/RESOURCEGROUPS/RG/PROVIDERS/MICROSOFT.COMPUTE/VIRTUALMACHINES/"
         "GPU-VM-0",
         "", vm, "box", RECONCILE_RESOURCE},
        {"gpu-vm-0", "", vm, "box", RECONCILE_RESOURCE},
        {"/subscriptions/2/resourceGroups/rg/providers/Microsoft.Compute/virtualMachines/"
         "gpu-vm-0",
         "", vm, "box", RECONCILE_NOT},
        {vm, "", "11111111-2222-3333-4444-555555555555", "gpu-vm-0", RECONCILE_NAME},
        {"box", "", "", "", RECONCILE_NOT},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct reconcile_machine m[] = {machine(cases[i].billed, "x")};
        struct reconcile_cell c[] = {cell(0, 0, 24, "24")};
        struct reconcile_attempt a[] = {attempt(cases[i].known, 0, 0, 6)};

        m[0].name = str_from(cases[i].name);
        a[0].host = str_from(cases[i].host);
        a[0].instance = STR("");
        match(m, 1, c, 1, a, 1);
        if (a[0].how != cases[i].how)
            fail_msg("%s and %s: %s", cases[i].billed, cases[i].known,
                     reconcile_how_names[a[0].how]);
    }
}

static void ambiguous_names_do_not_match(void **state)
{
    struct reconcile_machine m[] = {machine("a/vm", "x"), machine("b/vm", "x")};
    struct reconcile_cell c[] = {cell(0, 0, 24, "24"), cell(1, 0, 24, "24")};
    struct reconcile_attempt a[] = {attempt("", 0, 0, 6)};

    (void)state;
    a[0].host = STR("vm");
    a[0].instance = STR("");
    match(m, 2, c, 2, a, 1);
    assert_int_equal(a[0].how, RECONCILE_NOT);
}

/* A job on four machines that were tagged for it. */
static void a_job_may_have_several_machines(void **state)
{
    struct reconcile_machine m[4];
    struct reconcile_cell c[4];
    struct reconcile_attempt a[] = {attempt("", 0, 0, 12)};

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        m[i] = machine(i == 0 ? "n0" : i == 1 ? "n1" : i == 2 ? "n2" : "n3", "x");
        m[i].run = i < 3 ? STR("BERT") : STR("other");
        c[i] = cell(i, 0, 24, "8");
    }
    match(m, 4, c, 4, a, 1);
    assert_int_equal(a[0].how, RECONCILE_TAG);
    assert_int_equal(a[0].machine_count, 3);
    assert_amount(a[0].billed, "12");
    assert_amount(c[3].matched, "0");
}

/* Of machines that all have room, the one that was billed when it ran, and that it fills. */
static void the_guess_is_the_closest(void **state)
{
    struct reconcile_machine m[] = {machine("dev", "p4d.24xlarge"),
                                    machine("early", "p4d.24xlarge"),
                                    machine("late", "p4d.24xlarge")};
    struct reconcile_cell c[] = {cell(0, 0, 24, "24"), cell(1, 0, 4, "4"), cell(2, 0, 4, "4")};
    struct reconcile_attempt a[] = {attempt("", 0, 14, 4)};

    (void)state;
    c[1].to.s = c[1].from.s + 6 * HOUR;
    c[2].from.s += 14 * HOUR;
    match(m, 3, c, 3, a, 1);
    assert_int_equal(a[0].how, RECONCILE_PLACE);
    assert_int_equal(a[0].machines[0], 2);
}

static void regions_are_not_their_namesakes(void **state)
{
    static const struct {
        const char *billed, *run;
        bool same;
    } cases[] = {{"us-east-1", "us-east-1", true},
                 {"us-east-1a", "us-east-1", true},
                 {"us-central1", "us-central1-b", true},
                 {"eastus", "eastus2", false},
                 {"", "eastus2", true},
                 {"us-east-1", "us-east-2", false}};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct reconcile_machine m[] = {machine("n", "p4d.24xlarge")};
        struct reconcile_cell c[] = {cell(0, 0, 24, "24")};
        struct reconcile_attempt a[] = {attempt("", 0, 0, 6)};

        m[0].region = str_from(cases[i].billed);
        a[0].region = str_from(cases[i].run);
        match(m, 1, c, 1, a, 1);
        assert_int_equal(a[0].how == RECONCILE_PLACE, cases[i].same);
    }
}

int group_machines(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ids_match_completely),
        cmocka_unit_test(a_tag_names_the_run),
        cmocka_unit_test(without_an_id_type_and_time_decide),
        cmocka_unit_test(a_run_of_several_machines_takes_as_many),
        cmocka_unit_test(known_runs_come_before_guesses),
        cmocka_unit_test(run_with_a_known_machine_matches_no_other),
        cmocka_unit_test(machines_of_every_cloud_are_found),
        cmocka_unit_test(ambiguous_names_do_not_match),
        cmocka_unit_test(a_job_may_have_several_machines),
        cmocka_unit_test(the_guess_is_the_closest),
        cmocka_unit_test(regions_are_not_their_namesakes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
