/* Collectives: more bytes, more ranks and slower links take longer. */
#include "known.h"

#include "estimate/kernels/comm.h"

static struct wires wires_on(const char *gpu, int64_t per_node)
{
    static struct arch a;
    struct setup s;

    a = known_arch("llama-2-7b");
    s = known_setup(&a, gpu, per_node);
    s.per_node = per_node;
    return wires_of(&s, &known_constants);
}

static void one_rank_sends_nothing(void **state)
{
    struct wires w = wires_on("H100", 8);

    (void)state;
    assert_true(all_reduce(&w, 1e9, 1, 1) == 0);
    assert_true(all_gather(&w, 1e9, 1, 1) == 0);
    assert_true(all_to_all(&w, 1e9, 1, 1, 2) == 0);
}

static void more_bytes_take_longer(void **state)
{
    struct wires w = wires_on("H100", 8);

    (void)state;
    for (double size = 1; size < 1e12; size *= 10)
        for (double ranks = 2; ranks <= 1024; ranks *= 2) {
            assert_true(all_reduce(&w, size * 2, ranks, 1) > all_reduce(&w, size, ranks, 1));
            assert_true(all_to_all(&w, size * 2, ranks, 1, 2) >
                        all_to_all(&w, size, ranks, 1, 2));
            assert_true(send_once(&w, size * 2, ranks) > send_once(&w, size, ranks));
            assert_true(all_reduce(&w, size, ranks, 1) == 2 * all_gather(&w, size, ranks, 1));
        }
}

static void more_ranks_are_not_faster(void **state)
{
    struct wires w = wires_on("H100", 8);

    (void)state;
    for (double size = 1; size < 1e12; size *= 10)
        for (double ranks = 2; ranks <= 4096; ranks *= 2) {
            double few = all_reduce(&w, size, ranks, 1),
                   many = all_reduce(&w, size, ranks * 2, 1);

            if (!(many >= few))
                fail_msg("%g bytes: %g ranks take %g, twice as many %g", size, ranks, few,
                         many);
        }
}

static void the_network_is_slower_than_the_link(void **state)
{
    static const char *const gpus[] = {"V100-SXM2-16GB", "A100-SXM-80GB", "H100-SXM-80GB",
                                       "B200", "MI300X"};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(gpus); i++) {
        struct wires w = wires_on(gpus[i], 8);

        assert_true(w.link > w.network && w.network > 0);
        assert_true(all_reduce(&w, 1e9, 8, 8) > all_reduce(&w, 1e9, 8, 1));
        assert_true(all_to_all(&w, 1e9, 8, 8, 2) > all_to_all(&w, 1e9, 8, 1, 2));
        assert_true(send_once(&w, 1e9, 8) > send_once(&w, 1e9, 1));
    }
}

/* A ring moves (n - 1) / n of the bytes, twice for a sum. */
static void a_large_exchange_runs_at_the_speed_of_the_wire(void **state)
{
    struct wires w = wires_on("H100", 8);
    double ideal = 2 * 7 / 8.0 * 1e10 / w.link;

    (void)state;
    assert_true(all_reduce(&w, 1e10, 8, 1) >= ideal);
    assert_true(all_reduce(&w, 1e10, 8, 1) < ideal * 1.01);
}

static void seventy_two_gpus_are_one_domain(void **state)
{
    struct wires rack = wires_on("GB200-NVL72", 4), node = wires_on("B200", 8);

    (void)state;
    assert_true(rack.domain == 72);
    assert_true(node.domain == 8);
    /* Nothing leaves the rack. */
    assert_true(all_reduce(&rack, 1e10, 64, 1) < 1.02 * 2 * 63 / 64.0 * 1e10 / rack.link);
    assert_true(all_reduce(&node, 1e10, 64, 1) > all_reduce(&rack, 1e10, 64, 1));
}

static void cards_without_a_link_use_the_bus(void **state)
{
    const struct accelerator *l4 = known_gpu("L4"), *h100 = known_gpu("H100");

    (void)state;
    assert_true(!(l4->link_gb_s > 0));
    assert_true(wires_on("L4", 8).link < 64e9);
    assert_true(wires_on("H100", 8).link > 0.5e9 * h100->link_gb_s);
}

/* Generation and lanes, as data sheets have them. */
static void the_bus_is_that_of_the_data_sheet(void **state)
{
    static const struct {
        const char *gpu;
        double gb_s;
    } cards[] = {{"RTX4060Ti-16GB", 15.75},
                 {"RTX4060", 15.75},
                 {"RTX3060", 31.5},
                 {"RTX4090", 31.5},
                 {"RTX5090", 63},
                 {"RTX5060Ti-16GB", 31.5},
                 {"T4", 15.75},
                 {"V100-PCIe", 15.75},
                 {"A40", 31.5},
                 {"RTXA6000", 31.5},
                 {"L40S", 31.5},
                 {"H100-PCIe-80GB", 63},
                 {"H100-NVL-94GB", 63},
                 {"A2", 15.75}};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cards); i++) {
        const struct accelerator *gpu = known_gpu(cards[i].gpu);

        assert_true(fabs(pcie_bytes(gpu) / (1e9 * cards[i].gb_s) - 1) < 1e-9);
        assert_true(offload_bytes(gpu, &known_constants) <= 0.8001e9 * cards[i].gb_s);
        if (!(gpu->link_gb_s > 0)) /* effective is below theoretical */
            assert_true(wires_on(cards[i].gpu, 4).link < 0.7e9 * cards[i].gb_s);
    }
}

/* The same bus, but GeForce cards do not reach each other. */
static void cards_without_peers_go_through_the_host(void **state)
{
    double share = known_constants.at[C_host_path];

    (void)state;
    assert_true(share > 0 && share < 1);
    assert_true(fabs(wires_on("RTX4080", 4).link / wires_on("L40S", 4).link - share) < 1e-9);
    assert_true(fabs(wires_on("RTX3090", 4).link / wires_on("L40S", 4).link - share) < 1e-9);
    assert_true(wires_on("RTX3090", 2).link > wires_on("L40S", 2).link); /* a bridge */
}

/* TCP reaches less of a network than RDMA. */
static void plain_ethernet_is_slower(void **state)
{
    struct arch a = known_arch("llama-2-7b");
    struct setup s = known_setup(&a, "H100", 64);
    double rdma;

    (void)state;
    s.network_gb_s = 12.5;
    rdma = wires_of(&s, &known_constants).network;
    s.sockets = true;
    assert_true(wires_of(&s, &known_constants).network < rdma);
}

static void given_network_is_used(void **state)
{
    struct arch a = known_arch("llama-2-7b");
    struct setup s = known_setup(&a, "H100", 64);
    struct wires usual = wires_of(&s, &known_constants), slow;

    (void)state;
    s.network_gb_s = 1;
    slow = wires_of(&s, &known_constants);
    assert_true(fabs(slow.network / (1e9 * known_constants.at[C_network_rate]) - 1) < 1e-12);
    assert_true(all_reduce(&slow, 1e10, 64, 1) > all_reduce(&usual, 1e10, 64, 1));
}

static void every_card_has_wires(void **state)
{
    struct arch a = known_arch("llama-2-7b");

    (void)state;
    for (size_t i = 0; i < known_catalog.tables[TABLE_ACCELERATORS].len; i++) {
        struct setup s = known_setup(&a, "H100", 16);
        struct wires w;

        s.gpu = CATALOG_ROW(&known_catalog, TABLE_ACCELERATORS, accelerator, i);
        w = wires_of(&s, &known_constants);
        if (!(w.link > 1e8 && w.network > 1e8 && w.link < 1e13 && w.network < 1e12))
            fail_msg("%.*s: link %g, network %g", STR_ARG(s.gpu->name), w.link, w.network);
        assert_true(w.domain >= 8 && w.link_latency > 0 && w.network_latency > 0);
    }
}

int group_comm(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_rank_sends_nothing),
        cmocka_unit_test(more_bytes_take_longer),
        cmocka_unit_test(more_ranks_are_not_faster),
        cmocka_unit_test(the_network_is_slower_than_the_link),
        cmocka_unit_test(a_large_exchange_runs_at_the_speed_of_the_wire),
        cmocka_unit_test(seventy_two_gpus_are_one_domain),
        cmocka_unit_test(cards_without_a_link_use_the_bus),
        cmocka_unit_test(the_bus_is_that_of_the_data_sheet),
        cmocka_unit_test(cards_without_peers_go_through_the_host),
        cmocka_unit_test(plain_ethernet_is_slower),
        cmocka_unit_test(given_network_is_used),
        cmocka_unit_test(every_card_has_wires),
    };

    return cmocka_run_group_tests(tests, known_load, known_free);
}
