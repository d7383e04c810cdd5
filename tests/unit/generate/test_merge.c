#include "merging.h"

#include "generate/edit.h"

/* Realistic files, with as many features as possible. */
static const struct {
    enum config_format format;
    const char *text;
} files[] = {
    {CONFIG_DEEPSPEED,
     "{\n  \"bf16\": {\"enabled\": \"auto\"},\n  \"fp16\": {\"enabled\": \"auto\"},\n"
     "  \"zero_optimization\": {\n    \"stage\": 3,\n    \"offload_param\": {\n"
     "      \"device\": \"cpu\"\n    }\n  },\n  \"train_batch_size\": \"auto\",\n"
     "  \"optimizer\": {\"type\": \"AdamW\", \"params\": {\"betas\": [0.9, 0.999]}}\n}\n"},
    {CONFIG_DEEPSPEED, "{\"train_micro_batch_size_per_gpu\":1,\"wall_clock_breakdown\":false}"},
    {CONFIG_DEEPSPEED, "\t{\r\n\t\"zero_optimization\":null , \"x\" : { } }\r\n\r\n"},
    {CONFIG_ACCELERATE,
     "compute_environment: LOCAL_MACHINE\ndeepspeed_config: {}\ndistributed_type: 'NO'\n"
     "fsdp_config: {}\nmixed_precision: no\nnum_processes: 1\n"},
    {CONFIG_ACCELERATE,
     "distributed_type: FSDP # two nodes\r\nfsdp_config:\r\n    fsdp_sharding_strategy: 1\r\n"
     "    fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP\r\n\r\n# end\r\nnum_processes: 16\r\n"},
    {CONFIG_ACCELERATE, "{\"distributed_type\": \"DEEPSPEED\", \"num_machines\": \"2\"}"},
    {CONFIG_ACCELERATE, "distributed_type: MEGATRON_LM\nmegatron_lm_config:\n- 1\n"},
    {CONFIG_KOHYA,
     "# x\n[network]\nnetwork_dim = 8 # y\n[data]\nresolution = '512,512'\n[training]\n"
     "train_batch_size = \"1\"\nmixed_precision = \"fp16\"\nfull_fp16 = true\n"},
    {CONFIG_KOHYA, "a = [\n1, # 2\n]\n"},
    {CONFIG_KOHYA, "train_batch_size=1\r\noptimizer_type='Lion'\r\n[x]\r\nresolution=512"},
    {CONFIG_HF, "output_dir: x\nbf16: True\noptim: adafactor\nlora_r: 4\nmax_length: 9\ntext: "
                ">\n  a\n  b\n"},
    {CONFIG_HF, "{\n \"fp16\": true,\n \"r\": 8,\n \"peft_config\": {\"r\": 8}\n}"},
    {CONFIG_HF, "# nothing yet"},
};

static uint64_t seed = 7;

static unsigned below(unsigned n)
{
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (unsigned)(seed >> 33) % n;
}

static int64_t some(unsigned most)
{
    return below(3) == 0 ? -1 : (int64_t)below(most) + 1;
}

static struct config_choice random_choice(void)
{
    struct config_choice choice = {.global_batch = -1};

    choice.gpus = some(64);
    choice.machines = some(8);
    choice.data = some(64);
    choice.tensor = some(8);
    choice.pipeline = some(4);
    choice.micro_batch = some(128);
    choice.accumulation = some(64);
    choice.sequence = some(1 << 20);
    choice.resolution = some(4096);
    choice.rank = below(3) == 0 ? (double)NAN : 1 + (double)below(256);
    choice.precision = (enum precision)below(PRECISION_COUNT + 1);
    choice.optimizer = (enum optimizer)below(OPTIMIZER_COUNT + 1);
    choice.recompute = (enum recompute)below(RECOMPUTE_COUNT + 1);
    choice.offload = (enum offload)below(OFFLOAD_COUNT + 1);
    choice.zero = (int)below(5) - 1;
    choice.compiled = below(2) == 0;
    return choice;
}

/* Whatever is decided: merged again nothing changes, and what follows is the difference of the
 * two, which is small. */
static void merging_again_changes_nothing(void **state)
{
    unsigned done = 0, refused = 0;

    (void)state;
    for (unsigned i = 0; i < 4000; i++) {
        size_t which = i % ARRAY_LEN(files);
        struct config_choice choice = random_choice();
        struct buf once = buf_new(&alloc_system, BUF_MAX_OUTPUT);
        struct buf twice = buf_new(&alloc_system, BUF_MAX_OUTPUT);
        struct str base = str_from(i % 7 == 0 ? "" : files[which].text);
        struct error err = {0};

        if (merged(files[which].format, &choice, base, "f", &once, &err)) {
            assert_true(
                merged(files[which].format, &choice, buf_text(&once), "f", &twice, &err));
            if (!str_eq(buf_text(&once), buf_text(&twice)))
                fail_msg("%zu:\n%.*s\nand then\n%.*s", which, (int)once.len, once.at,
                         (int)twice.len, twice.at);
            done++;
        } else {
            assert_int_equal(err.kind, ERROR_INPUT);
            assert_int_equal(once.len, 0);
            assert_true(err.text[0] != '\0' && err.hint[0] != '\0');
            refused++;
        }
        buf_free(&once);
        buf_free(&twice);
    }
    assert_true(done > 2000 && refused > 100); /* both happen */
}

static void deciding_nothing_changes_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(files); i++) {
        struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
        struct error err = {0};

        assert_true(
            merged(files[i].format, &undecided, str_from(files[i].text), "f", &out, &err));
        check_text(buf_text(&out), files[i].text, (int)i);
        buf_free(&out);
    }
}

static void an_empty_file_gets_every_format(void **state)
{
    (void)state;
    for (int format = 0; format < CONFIG_FORMATS; format++) {
        struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
        struct error err = {0};

        assert_true(
            merged((enum config_format)format, &undecided, STR(" \r\n\t"), "f", &out, &err));
        assert_true(out.len > 0 && out.at[out.len - 1] == '\n');
        buf_free(&out);
    }
    assert_null(config_format_names[CONFIG_FORMATS]);
}

static void survive(enum config_format format, const char *text)
{
    for (size_t allow = 0;; allow++) {
        struct failing_alloc failing = {.allow = allow};
        struct alloc alloc = {failing_get, failing_put, &failing};
        struct arena arena = {.alloc = &alloc};
        struct buf out = buf_new(&alloc, BUF_MAX_OUTPUT);
        struct error err = {0};
        bool ok = config_merge(format, &picture, str_from(text), "f", &arena, &out, &err);

        buf_free(&out);
        arena_free(&arena);
        assert_int_equal(failing.held, 0);
        if (ok)
            break;
        if (err.kind != ERROR_MEMORY)
            fail_msg("after %zu: %s", allow, err.text);
        assert_in_range(allow, 0, 5000);
    }
}

static void survives_out_of_memory(void **state)
{
    (void)state;
    survive(CONFIG_DEEPSPEED, "{\"a\": {\"b\": [1]}, \"bf16\": {}, \"zero_optimization\": {}}");
    survive(CONFIG_ACCELERATE,
            "distributed_type: DEEPSPEED\ndeepspeed_config: {}\nmixed_precision: 'no'\n");
    survive(CONFIG_KOHYA, "a.b = 1\n[c]\nresolution = \"1,1\"\n[d]\nnetwork_dim = 1\n");
    survive(CONFIG_HF, "a: {b: [1]}\nbf16: false\n");
    survive(CONFIG_HF, "");
}

int group_merge(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(merging_again_changes_nothing),
        cmocka_unit_test(deciding_nothing_changes_nothing),
        cmocka_unit_test(an_empty_file_gets_every_format),
        cmocka_unit_test(survives_out_of_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
