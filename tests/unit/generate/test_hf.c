#include "merging.h"

static void keeps_the_file_in_yaml(void **state)
{
    struct config_choice choice = sharded;

    (void)state;
    choice.rank = 64;
    choice.compiled = true;
    check_merge(CONFIG_HF, &choice,
                "### model\n"
                "model_name_or_path: meta-llama/Llama-2-7b-hf   # gated\n"
                "use_peft: true\n"
                "lora_r: 16\n"
                "lora_alpha: 32\n"
                "lora_target_modules: [q_proj, v_proj]\n"
                "\n"
                "### training\n"
                "per_device_train_batch_size: 1\n"
                "gradient_accumulation_steps: 16 # 128 in all\n"
                "learning_rate: 2.0e-4\n"
                "bf16: False\n"
                "fp16: True\n"
                "deepspeed: configs/ds.json\n"
                "fsdp: ''\n"
                "max_seq_length: 2048\n"
                "prompt: |\n"
                "  bf16: false\n"
                "  # this is text\n"
                "optim: adamw_torch_fused\n",
                "### model\n"
                "model_name_or_path: meta-llama/Llama-2-7b-hf   # gated\n"
                "use_peft: true\n"
                "lora_r: 64\n"
                "lora_alpha: 32\n"
                "lora_target_modules: [q_proj, v_proj]\n"
                "\n"
                "### training\n"
                "per_device_train_batch_size: 4\n"
                "gradient_accumulation_steps: 2 # 128 in all\n"
                "learning_rate: 2.0e-4\n"
                "bf16: True\n"
                "fp16: False\n"
                "gradient_checkpointing: true\n"
                "torch_compile: true\n"
                "deepspeed: configs/ds.json\n"
                "fsdp: ''\n"
                "max_seq_length: 4096\n"
                "prompt: |\n"
                "  bf16: false\n"
                "  # this is text\n"
                "optim: adamw_torch_fused\n");
}

static void keeps_the_file_in_json(void **state)
{
    (void)state;
    check_merge(CONFIG_HF, &picture,
                "{\"output_dir\": \"x\", \"fp16\": true,\n"
                " \"optim\": \"adafactor\",\n"
                " \"peft_config\": {\"r\": 8, \"lora_alpha\": 16}}",
                "{\"output_dir\": \"x\", \"fp16\": false,\n"
                " \"gradient_checkpointing\": true,\n"
                " \"optim\": \"adamw_bnb_8bit\",\n"
                " \"peft_config\": {\"r\": 32, \"lora_alpha\": 16},\n"
                " \"per_device_train_batch_size\": 2,\n"
                " \"gradient_accumulation_steps\": 4,\n"
                " \"bf16\": true}");
}

static void writes_a_complete_file_when_there_is_none(void **state)
{
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct error err = {0};

    (void)state;
    check_merge(CONFIG_HF, &picture, "",
                "output_dir: output\n"
                "use_peft: true\n"
                "lora_r: 32\n"
                "lora_target_modules: [\"all-linear\"]\n"
                "per_device_train_batch_size: 2\n"
                "gradient_accumulation_steps: 4\n"
                "bf16: true\n"
                "gradient_checkpointing: true\n"
                "optim: adamw_bnb_8bit\n");
    check_merge(CONFIG_HF, &sharded, "",
                "output_dir: output\n"
                "max_length: 4096\n"
                "per_device_train_batch_size: 4\n"
                "gradient_accumulation_steps: 2\n"
                "bf16: true\n"
                "gradient_checkpointing: true\n"
                "deepspeed:\n"
                "  train_micro_batch_size_per_gpu: auto\n"
                "  gradient_accumulation_steps: auto\n"
                "  train_batch_size: auto\n"
                "  zero_optimization:\n"
                "    stage: 3\n"
                "    offload_optimizer:\n"
                "      device: cpu\n");
    assert_true(merged(CONFIG_HF, &sharded, STR(""), "args.json", &out, &err));
    assert_str_equal(buf_text(&out), "{\n"
                                     "  \"output_dir\": \"output\",\n"
                                     "  \"max_length\": 4096,\n"
                                     "  \"per_device_train_batch_size\": 4,\n"
                                     "  \"gradient_accumulation_steps\": 2,\n"
                                     "  \"bf16\": true,\n"
                                     "  \"gradient_checkpointing\": true,\n"
                                     "  \"deepspeed\": {\n"
                                     "    \"train_micro_batch_size_per_gpu\": \"auto\",\n"
                                     "    \"gradient_accumulation_steps\": \"auto\",\n"
                                     "    \"train_batch_size\": \"auto\",\n"
                                     "    \"zero_optimization\": {\n"
                                     "      \"stage\": 3,\n"
                                     "      \"offload_optimizer\": {\n"
                                     "        \"device\": \"cpu\"\n"
                                     "      }\n"
                                     "    }\n"
                                     "  }\n"
                                     "}\n");
    buf_free(&out);
}

static void reports_what_it_cannot_express(void **state)
{
    struct config_choice choice = undecided;

    (void)state;
    choice.precision = PRECISION_TF32;
    check_merge(CONFIG_HF, &choice, "bf16: yes\n", "bf16: false\ntf32: true\n");
    choice.precision = PRECISION_FP32;
    check_merge(CONFIG_HF, &choice, "tf32: true\nfp16: off\n", "tf32: false\nfp16: off\n");
    choice.precision = PRECISION_MXFP8;
    check_refused(CONFIG_HF, &choice, "a: 1\n", "base.cfg: training arguments cannot set mxfp8",
                  "precision=bf16");
    choice = undecided;
    choice.optimizer = OPTIMIZER_MUON;
    check_refused(CONFIG_HF, &choice, "a: 1\n",
                  "base.cfg: training arguments have no optimizer 'muon'", "optimizer=adamw");
}

#define KEY "per_device_train_batch_size"

/* Common forms of YAML. */
static void edits_every_safe_form(void **state)
{
    static const struct {
        const char *base, *expected;
    } cases[] = {
        {KEY ":", KEY ": 8"},
        {KEY ": # how many\n", KEY ": 8 # how many\n"},
        {KEY ": ~\n", KEY ": 8\n"},
        {KEY ": null   # x\n", KEY ": 8   # x\n"},
        {KEY ":    4\t# x\n", KEY ":    8\t# x\n"},
        {KEY ": auto\n", KEY ": 8\n"},
        {KEY ": 'auto'\n", KEY ": 8\n"},
        {KEY ": '4'\n", KEY ": '8'\n"},
        {"'" KEY "': \"4\"\n", "'" KEY "': \"8\"\n"},
        {"---\n# c\n" KEY ": 4\n...\n", "---\n# c\n" KEY ": 8\n...\n"},
        {"---\na: 1\n...\n", "---\na: 1\n" KEY ": 8\n...\n"},
        {"--- {" KEY ": 4, a: [1, 2]}\n", "--- {" KEY ": 8, a: [1, 2]}\n"},
        {"\xef\xbb\xbf" KEY ": 4 # \xc3\xa9\n", "\xef\xbb\xbf" KEY ": 8 # \xc3\xa9\n"},
        {"a: {\xc3\xa9: 1}\n? " KEY "\n: 4\n", "a: {\xc3\xa9: 1}\n? " KEY "\n: 8\n"},
        {"--- {\xc3\xa9: 1, " KEY ": 4}\n", "--- {\xc3\xa9: 1, " KEY ": 8}\n"},
        {"  a: 1\n  b: |\n    # no comment\n\n",
         "  a: 1\n  b: |\n    # no comment\n  " KEY ": 8\n\n"},
        {"# only a comment", "# only a comment\n" KEY ": 8"},
        {"a: 1\n\n# the end\n\n", "a: 1\n\n# the end\n" KEY ": 8\n\n"},
        {"b:\n- " KEY ": 1\n", "b:\n- " KEY ": 1\n" KEY ": 8\n"},
        {"b:\n  " KEY ": 1\n", "b:\n  " KEY ": 1\n" KEY ": 8\n"},
    };
    struct config_choice choice = undecided;

    (void)state;
    choice.micro_batch = 8;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        check_merge_at(CONFIG_HF, &choice, cases[i].base, cases[i].expected, -(int)i);
}

static void refuses_what_cannot_be_edited_safely(void **state)
{
    static const char several[] =
        "base.cfg:1: '" KEY
        "' cannot be set: its value has an anchor or a tag, or several lines";
    struct config_choice choice = undecided;

    (void)state;
    choice.micro_batch = 8;
    check_refused(CONFIG_HF, &choice, KEY ": |\n  4\n", several, "on a line of its own");
    check_refused(CONFIG_HF, &choice, KEY ": 4\n  5\n", several, "on a line of its own");
    check_refused(CONFIG_HF, &choice, KEY ": '4\n  5'\n", several, "on a line of its own");
    check_refused(CONFIG_HF, &choice, KEY ": !!int 4\n", several, "on a line of its own");
    check_refused(CONFIG_HF, &choice, KEY ": &x 4\n",
                  "base.cfg:1:30: anchors and aliases are not read here: 'x'",
                  "write the values out");
    check_refused(CONFIG_HF, &choice, KEY ": [4]\n",
                  "base.cfg:1: '" KEY "' cannot be set: it holds several values", "one value");
    check_refused(CONFIG_HF, &choice, "--- {a: 1}\n",
                  "base.cfg:1: '" KEY "' cannot be set: its section is written with { }",
                  "KEY: VALUE lines");
    check_refused(CONFIG_HF, &choice, KEY ": 1\n" KEY ": 2\n",
                  "base.cfg:2:1: the second key '" KEY "'", "keep one");
    check_refused(CONFIG_HF, &choice, "- a\n", "base.cfg: expected keys and values",
                  "JSON or YAML");
    check_refused(
        CONFIG_HF, &choice, "a: 1\rb: 2\r",
        "base.cfg: '" KEY "' cannot be set: the lines of the file end in an unusual way", "LF");
    check_refused(
        CONFIG_HF, &choice, "a: \"x\xc2\x85y\"\n",
        "base.cfg: '" KEY "' cannot be set: the lines of the file end in an unusual way", "LF");
    /* The blank lines belong to the text above: the new key would take some away. */
    check_refused(CONFIG_HF, &choice, "a: |+\n  x\n\n",
                  "base.cfg: the file cannot be changed without changing what else it says",
                  "a line of their own");
    check_refused(CONFIG_HF, &choice, "~\n", "base.cfg: a file of this form cannot be edited",
                  "a line of their own");
    choice = undecided;
    choice.rank = 8;
    check_refused(CONFIG_HF, &choice, "lora: {r: [1]}\n",
                  "base.cfg:1: 'r' cannot be set: it holds several values", "one value");
}

static void fills_sections_that_are_empty(void **state)
{
    static const char *const empty[] = {"deepspeed_config:", "deepspeed_config: null",
                                        "deepspeed_config:   ~", "deepspeed_config: {}",
                                        "deepspeed_config: { }"};
    struct config_choice choice = undecided;

    (void)state;
    choice.zero = 1;
    for (size_t i = 0; i < ARRAY_LEN(empty); i++) {
        char base[200];

        (void)snprintf(base, sizeof base,
                       "distributed_type: DEEPSPEED\nx:\n    y: 1\n%s # none\nz: 1\n",
                       empty[i]);
        check_merge(CONFIG_ACCELERATE, &choice, base,
                    "distributed_type: DEEPSPEED\nx:\n    y: 1\ndeepspeed_config: # none\n"
                    "    zero_stage: 1\nz: 1\n");
    }
    check_refused(CONFIG_ACCELERATE, &choice,
                  "distributed_type: DEEPSPEED\ndeepspeed_config:\n  {}\n",
                  "base.cfg:2: 'zero_stage' cannot be set: its section is written on several "
                  "lines",
                  "KEY: VALUE lines");
    check_refused(CONFIG_ACCELERATE, &choice,
                  "distributed_type: DEEPSPEED\ndeepspeed_config: {a: 1}\n",
                  "base.cfg:2: 'zero_stage' cannot be set: its section is written with { }",
                  "KEY: VALUE lines");
    check_refused(CONFIG_ACCELERATE, &choice,
                  "distributed_type: DEEPSPEED\ndeepspeed_config: ds.json\n",
                  "base.cfg:2: 'zero_stage' cannot be set: its section holds one value",
                  "KEY: VALUE lines");
}

static void names_modules_as_the_model_does(void **state)
{
    static const struct {
        const char *targets;
        enum module_naming naming;
        const char *written; /* NULL: it is refused */
    } cases[] = {
        {"attention", NAMING_USUAL, "[\"q_proj\", \"k_proj\", \"v_proj\", \"o_proj\"]"},
        {"q, v", NAMING_ATTENTION, "[\"q_proj\", \"v_proj\"]"},
        {"q+lm-head", NAMING_USUAL, "[\"q_proj\", \"lm_head\"]"},
        {"mlp", NAMING_USUAL, "[\"gate_proj\", \"up_proj\", \"down_proj\"]"},
        {"mlp", NAMING_ATTENTION, NULL},
        {"qv", NAMING_OTHER, NULL},
        {"all", NAMING_OTHER, "[\"all-linear\"]"},
        {"attention+mlp", NAMING_OTHER, "[\"all-linear\"]"},
        {"query-key-value; dense", NAMING_OTHER, "[\"query_key_value\", \"dense\"]"},
        {"c_attn", NAMING_OTHER, "[\"c_attn\"]"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct config_choice choice = undecided;
        char expected[200];

        choice.method = METHOD_LORA;
        choice.usual_rank = 8;
        choice.targets = str_from(cases[i].targets);
        choice.naming = cases[i].naming;
        (void)snprintf(
            expected, sizeof expected,
            "output_dir: output\nuse_peft: true\nlora_r: 8\nlora_target_modules: %s\n",
            cases[i].written);
        if (cases[i].written != NULL)
            check_merge_at(CONFIG_HF, &choice, "", expected, -(int)i);
        else
            check_refused_at(CONFIG_HF, &choice, "",
                             i == 4
                                 ? "base.cfg: the names of the model's modules for 'mlp' are "
                                   "unknown"
                                 : "base.cfg: the names of the model's modules for 'qv' are "
                                   "unknown",
                             "--set targets=query_key_value,dense", -(int)i);
    }
}

/* A path may have what means something in the syntax. */
static void quotes_texts(void **state)
{
    static const struct {
        const char *model, *yaml, *json, *toml;
    } cases[] = {
        {"a/b c", "a/b c", "\"a/b c\"", "\"a/b c\""},
        {"C:\\new", "'C:\\new'", "\"C:\\\\new\"", "'C:\\new'"},
        {"say \"x\"", "'say \"x\"'", "\"say \\\"x\\\"\"", "'say \"x\"'"},
        {"it's", "it's", "\"it's\"", "\"it's\""},
        {"'a\"", "\"'a\\\"\"", "\"'a\\\"\"", NULL},
        {"a: b", "'a: b'", "\"a: b\"", "\"a: b\""},
        {"# it's", "\"# it's\"", "\"# it's\"", "\"# it's\""},
        {"true", "'true'", "\"true\"", "\"true\""},
        {"7", "'7'", "\"7\"", "\"7\""},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
        struct config_choice choice = undecided;
        struct error err = {0};
        char expected[200];

        choice.model = str_from(cases[i].model);
        (void)snprintf(expected, sizeof expected,
                       "output_dir: output\nmodel_name_or_path: %s\n", cases[i].yaml);
        check_merge_at(CONFIG_HF, &choice, "", expected, -(int)i);
        assert_true(merged(CONFIG_HF, &choice, STR(""), "args.json", &out, &err));
        (void)snprintf(expected, sizeof expected,
                       "{\n  \"output_dir\": \"output\",\n  \"model_name_or_path\": %s\n}\n",
                       cases[i].json);
        check_text(buf_text(&out), expected, -(int)i);
        buf_free(&out);
        (void)snprintf(
            expected, sizeof expected,
            "# for --config_file of sd-scripts\npretrained_model_name_or_path = %s\n",
            cases[i].toml);
        if (cases[i].toml != NULL)
            check_merge_at(CONFIG_KOHYA, &choice, "", expected, -(int)i);
    }
}

int group_hf(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_the_file_in_yaml),
        cmocka_unit_test(keeps_the_file_in_json),
        cmocka_unit_test(writes_a_complete_file_when_there_is_none),
        cmocka_unit_test(names_modules_as_the_model_does),
        cmocka_unit_test(quotes_texts),
        cmocka_unit_test(reports_what_it_cannot_express),
        cmocka_unit_test(edits_every_safe_form),
        cmocka_unit_test(refuses_what_cannot_be_edited_safely),
        cmocka_unit_test(fills_sections_that_are_empty),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
