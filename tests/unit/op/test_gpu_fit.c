/* gpu.fit: what holds a model is the least that does, and is said with its price. */
#include "world.h"

#include <math.h>
#include <unistd.h>

#include "estimate/memory/gpu_fit.h"
#include "estimate/memory/memory.h"
#include "op/facts/gpu_fit.h"
#include "op/op.h"

/* Run it with these; the request's other members are the defaults. */
static bool fit(struct world *w, const char *model, const char *gpu, int64_t max_gpus,
                int64_t limit, struct gpu_fit_result *res, struct error *err)
{
    struct gpu_fit_request req;

    *err = (struct error){0};
    assert_true(fields_reset(op_gpu_fit.request, &req, &w->arena, err));
    assert_true(fields_reset(op_gpu_fit.result, res, &w->arena, err));
    req.model = str_from(model);
    req.gpu = str_from(gpu);
    if (max_gpus > 0)
        req.max_gpus = max_gpus;
    if (limit > 0)
        req.limit = limit;
    return op_gpu_fit.run(&w->ctx, &req, res, err);
}

static const struct gpu_fit_option *option(const struct gpu_fit_result *res, const char *mode,
                                           const char *with)
{
    const struct gpu_fit_option *o = res->fit.options.at;

    for (size_t i = 0; i < res->fit.options.len; i++)
        if (str_eq(o[i].mode, str_from(mode)) && str_eq(o[i].with, str_from(with)))
            return &o[i];
    fail_msg("nothing for %s with %s", mode, with);
    return NULL;
}

static void every_option_fits_and_half_of_it_does_not(void **state)
{
    struct world *w = *state;
    struct gpu_fit_result res;
    struct error err;
    struct constants constants;
    struct arch arch;
    const struct gpu_fit_option *o;
    struct fit_work work;

    assert_true(fit(w, "llama-2-70b", NULL, 0, 5, &res, &err));
    assert_true(constants_load(&w->ctx.catalog, &constants, &err));
    assert_true(arch_named(&w->ctx.catalog, STR("llama-2-70b"), &arch, &err));
    work = (struct fit_work){
        .arch = &arch, .constants = &constants, .sequence = res.sequence, .batch = res.batch};
    o = res.fit.options.at;
    assert_true(res.fit.options.len > 7);
    for (size_t i = 0; i < res.fit.options.len; i++) {
        const struct accelerator *a = accelerator_named(&w->ctx.catalog, o[i].gpu);
        const struct fit_mode *mode = fit_modes;
        char setting[FIT_SETTING_MAX];

        while (!str_eq(str_from(mode->name), o[i].mode) ||
               !str_eq(str_from(mode->with), o[i].with))
            mode++;
        assert_true(o[i].memory_gb <= o[i].usable_gb);
        assert_true(o[i].count >= 1 && o[i].count <= 64);
        assert_near(o[i].total_gb, a->memory_gb * (double)o[i].count, 1e-9);
        if (o[i].count > 1)
            assert_true(guess_chance_below(fit_bytes(mode, &work, a, o[i].count / 2, setting),
                                           usable_memory(a)) < FITS_CHANCE);
    }
}

static void each_use_has_one_smallest_and_at_most_one_cheapest(void **state)
{
    struct world *w = *state;
    struct gpu_fit_result res;
    struct error err;
    const struct gpu_fit_option *o;

    assert_true(fit(w, "llama-3-8b", NULL, 0, 1000, &res, &err));
    o = res.fit.options.at;
    for (size_t i = 0, first; i < res.fit.options.len;) {
        size_t smallest = 0, cheapest = 0;
        double lowest = INFINITY, marked = NAN;

        for (first = i; i < res.fit.options.len && str_eq(o[i].mode, o[first].mode) &&
                        str_eq(o[i].with, o[first].with);
             i++) {
            assert_true(o[i].total_gb >= o[first].total_gb);
            smallest += o[i].smallest;
            cheapest += o[i].cheapest;
            /* Old prices count at the end of their range. */
            marked = o[i].cheapest ? o[i].ranked : marked;
            lowest = fmin(lowest, o[i].ranked);
            /* complete machines, of 8 GPUs at least where there are several; racks of 18 */
            assert_true(o[i].price.nano == MONEY_UNKNOWN || o[i].machines == 18 ||
                        o[i].machines <= (o[i].count + 7) / 8);
            assert_int_equal(o[i].machines == 18, str_eq(o[i].gpu, STR("GB200-NVL72")));
        }
        assert_true(o[first].smallest);
        assert_int_equal(smallest, 1);
        assert_int_equal(cheapest, 1);
        assert_true(marked == lowest);
    }
    assert_true(res.age.total > 0);
    assert_int_equal(res.fit.missing.len, 0);
}

static void narrower_weights_and_fewer_trained_parameters_need_less(void **state)
{
    static const struct {
        const char *mode, *with;
    } uses[] = {{"inference", "int4"}, {"inference", "int8"},  {"inference", "fp16"},
                {"lora", "bf16 base"}, {"full", "adamw-8bit"}, {"full", "adamw"}};
    struct world *w = *state;
    struct gpu_fit_result res;
    struct error err;
    double before = 0;

    assert_true(fit(w, "llama-2-7b", "H200-SXM-141GB", 0, 1, &res, &err));
    assert_near(res.params, 6738415616.0, 1);
    for (size_t i = 0; i < ARRAY_LEN(uses); i++) {
        const struct gpu_fit_option *o = option(&res, uses[i].mode, uses[i].with);

        assert_true(o->memory_gb * (double)o->count > before);
        before = o->memory_gb * (double)o->count;
    }
    assert_true(option(&res, "inference", "fp16")->memory_gb > 6.74 * 2);
    assert_true(option(&res, "full", "adamw")->memory_gb *
                    (double)option(&res, "full", "adamw")->count >
                6.74 * 16);
}

static void the_default_sequence_is_no_longer_than_the_model_takes(void **state)
{
    struct gpu_fit_result res;
    struct error err;

    assert_true(fit(*state, "bert-base", "T4", 0, 1, &res, &err));
    assert_int_equal(res.sequence, 512);
    assert_true(fit(*state, "7B", "A100", 0, 1, &res, &err));
    assert_int_equal(res.sequence, 2048);
    assert_true(res.assumed);
    assert_str_equal(res.model, "7B");
}

static void small_models_are_neither_packed_nor_split(void **state)
{
    struct gpu_fit_result res;
    struct error err;
    const struct gpu_fit_option *o;

    assert_true(fit(*state, "lstm-h512-l2", NULL, 0, 1, &res, &err));
    o = res.fit.options.at;
    for (size_t i = 0; i < res.fit.options.len; i++) {
        assert_true(str_eq(o[i].with, STR("fp16")) || str_eq(o[i].mode, STR("full")));
        assert_int_equal(o[i].count, 1);
    }
    assert_int_equal(res.fit.missing.len, 0);
}

static void a_config_json_is_read(void **state)
{
    static const char config[] = "{\"model_type\":\"llama\",\"num_hidden_layers\":32,"
                                 "\"hidden_size\":4096,\"num_attention_heads\":32,"
                                 "\"num_key_value_heads\":32,\"intermediate_size\":11008,"
                                 "\"vocab_size\":32000,\"max_position_embeddings\":4096}";
    char path[] = "/tmp/stint-fit-XXXXXX.json";
    struct gpu_fit_result res;
    struct error err;
    int fd = mkstemps(path, 5);

    assert_true(fd >= 0);
    assert_int_equal(write(fd, config, sizeof config - 1), sizeof config - 1);
    assert_int_equal(close(fd), 0);
    assert_true(fit(*state, path, "A100", 0, 1, &res, &err));
    assert_near(res.params, 6738415616.0, 1);
    assert_int_equal(unlink(path), 0);
    assert_false(fit(*state, path, "A100", 0, 1, &res, &err));
    assert_int_equal(err.kind, ERROR_ABSENT);
}

static void what_is_unknown_gets_a_suggestion(void **state)
{
    struct gpu_fit_result res;
    struct error err;

    assert_false(fit(*state, "lama-2-7b", NULL, 0, 0, &res, &err));
    assert_int_equal(err.kind, ERROR_ABSENT);
    assert_non_null(strstr(err.hint, "llama-2-7b"));
    assert_false(fit(*state, "llama-2-7b", "H10O", 0, 0, &res, &err));
    assert_int_equal(err.kind, ERROR_ABSENT);
    assert_non_null(strstr(err.hint, "H100"));
    assert_true(
        fit(*state, "llama-2-7b", "rtx 4090", 0, 0, &res, &err)); /* a name people use */
}

static void what_holds_it_is_named_when_nothing_does(void **state)
{
    struct gpu_fit_result res;
    struct error err;
    const struct gpu_fit_missing *m;

    assert_false(fit(*state, "400B", "RTX4090", 1, 0, &res, &err));
    assert_int_equal(err.kind, ERROR_UNFIT);
    assert_non_null(strstr(err.hint, " would, for inference"));
    /* Some uses hold, others do not: those are told apart. */
    assert_true(fit(*state, "llama-2-7b", "RTX4090", 1, 0, &res, &err));
    m = res.fit.missing.at;
    assert_true(res.fit.missing.len >= 1);
    assert_str_equal(m[res.fit.missing.len - 1].with, "adamw");
    assert_true(m[res.fit.missing.len - 1].would.len > 0);
    (void)option(&res, "inference", "int4");
}

int group_gpu_fit(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_option_fits_and_half_of_it_does_not, world_make,
                                        world_end),
        cmocka_unit_test_setup_teardown(each_use_has_one_smallest_and_at_most_one_cheapest,
                                        world_make, world_end),
        cmocka_unit_test_setup_teardown(narrower_weights_and_fewer_trained_parameters_need_less,
                                        world_make, world_end),
        cmocka_unit_test_setup_teardown(the_default_sequence_is_no_longer_than_the_model_takes,
                                        world_make, world_end),
        cmocka_unit_test_setup_teardown(small_models_are_neither_packed_nor_split, world_make,
                                        world_end),
        cmocka_unit_test_setup_teardown(a_config_json_is_read, world_make, world_end),
        cmocka_unit_test_setup_teardown(what_is_unknown_gets_a_suggestion, world_make,
                                        world_end),
        cmocka_unit_test_setup_teardown(what_holds_it_is_named_when_nothing_does, world_make,
                                        world_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
