#include "merging.h"

static void keeps_a_flat_file(void **state)
{
    (void)state;
    check_merge(CONFIG_KOHYA, &picture,
                "# face, second try\n"
                "pretrained_model_name_or_path = 'models/sdxl.safetensors'\n"
                "network_module = \"networks.lora\"\n"
                "network_dim = 128            # far too much\n"
                "network_alpha = 1\n"
                "resolution = \"1024,1024\"\n"
                "train_batch_size = 1\n"
                "mixed_precision = 'fp16'\n"
                "full_fp16 = true\n"
                "optimizer_type = \"adafactor\" # slow\n"
                "optimizer_args = [\n"
                "  \"scale_parameter=False\", # a ] in a comment\n"
                "  \"relative_step=False\",\n"
                "]\n"
                "learning_rate = 1e-4\n"
                "caption = \"\"\"\n"
                "train_batch_size = 7\n"
                "\"\"\"\n",
                "# face, second try\n"
                "pretrained_model_name_or_path = 'models/sdxl.safetensors'\n"
                "network_module = \"networks.lora\"\n"
                "network_dim = 32            # far too much\n"
                "network_alpha = 1\n"
                "resolution = \"768,768\"\n"
                "train_batch_size = 2\n"
                "gradient_accumulation_steps = 4\n"
                "gradient_checkpointing = true\n"
                "mixed_precision = 'bf16'\n"
                "full_fp16 = false\n"
                "optimizer_type = \"AdamW8bit\" # slow\n"
                "optimizer_args = [\n"
                "  \"scale_parameter=False\", # a ] in a comment\n"
                "  \"relative_step=False\",\n"
                "]\n"
                "learning_rate = 1e-4\n"
                "caption = \"\"\"\n"
                "train_batch_size = 7\n"
                "\"\"\"\n");
}

static void keeps_a_file_with_tables(void **state)
{
    struct config_choice choice = picture;

    (void)state;
    choice.precision = PRECISION_BF16_PURE;
    choice.compiled = true;
    check_merge(CONFIG_KOHYA, &choice,
                "[dataset_arguments]\r\n"
                "  train_data_dir = \"img\"\r\n"
                "  resolution = 512 # small\r\n"
                "\r\n"
                "[network_arguments]\r\n"
                "  network_module = \"networks.lora\"\r\n"
                "\r\n"
                "[optimizer_arguments]\r\n"
                "  learning_rate = 0.0001\r\n"
                "\r\n"
                "# how long\r\n"
                "[training_arguments]\r\n"
                "\tmax_train_steps = 1600\r\n"
                "\tseed = 42",
                "[dataset_arguments]\r\n"
                "  train_data_dir = \"img\"\r\n"
                "  resolution = 768 # small\r\n"
                "\r\n"
                "[network_arguments]\r\n"
                "  network_module = \"networks.lora\"\r\n"
                "  network_dim = 32\r\n"
                "\r\n"
                "[optimizer_arguments]\r\n"
                "  learning_rate = 0.0001\r\n"
                "  optimizer_type = \"AdamW8bit\"\r\n"
                "\r\n"
                "# how long\r\n"
                "[training_arguments]\r\n"
                "\tmax_train_steps = 1600\r\n"
                "\ttrain_batch_size = 2\r\n"
                "\tgradient_accumulation_steps = 4\r\n"
                "\tgradient_checkpointing = true\r\n"
                "\tmixed_precision = \"bf16\"\r\n"
                "\ttorch_compile = true\r\n"
                "\tfull_bf16 = true\r\n"
                "\tseed = 42");
}

static void writes_a_complete_file_when_there_is_none(void **state)
{
    (void)state;
    check_merge(CONFIG_KOHYA, &picture, "",
                "# for --config_file of sd-scripts\n"
                "train_batch_size = 2\n"
                "gradient_accumulation_steps = 4\n"
                "gradient_checkpointing = true\n"
                "mixed_precision = \"bf16\"\n"
                "optimizer_type = \"AdamW8bit\"\n"
                "network_module = \"networks.lora\"\n"
                "network_dim = 32\n"
                "resolution = \"768,768\"\n");
}

static void keeps_the_form_of_values(void **state)
{
    static const struct {
        const char *base, *expected;
    } cases[] = {
        {"resolution = 512\n", "resolution = 768\n"},
        {"resolution=\"512\"", "resolution=\"768\""},
        {"resolution = '512,768'\n", "resolution = '768,768'\n"},
        {"\"resolution\" = '512,768'\n", "\"resolution\" = '768,768'\n"},
        {"[a]\n[b]\nresolution = 768", "[a]\n[b]\nresolution = 768"},
        {"[[x]]\nresolution = 1\n[[x]]\nresolution = 1\n[x.y]\n[x.y]\nz = 1\n",
         "resolution = \"768,768\"\n\n"
         "[[x]]\nresolution = 1\n[[x]]\nresolution = 1\n[x.y]\n[x.y]\nz = 1\n"},
        {"# top\n\n# of a\n[a]\nb = 1\n",
         "# top\n\nresolution = \"768,768\"\n\n# of a\n[a]\nb = 1\n"},
        {"[\"a.b\"]\ntrain_data_dir = ''\n[c]\n",
         "[\"a.b\"]\ntrain_data_dir = ''\nresolution = \"768,768\"\n[c]\n"},
        {"x = '''\na\n'''\n[c]\n", "x = '''\na\n'''\nresolution = \"768,768\"\n[c]\n"},
    };
    struct config_choice choice = undecided;

    (void)state;
    choice.resolution = 768;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        check_merge_at(CONFIG_KOHYA, &choice, cases[i].base, cases[i].expected, -(int)i);
    choice = undecided;
    choice.optimizer = OPTIMIZER_ADAMW_8BIT_PAGED; /* another spelling stays */
    check_merge(CONFIG_KOHYA, &choice, "optimizer_type = \"PagedAdamW8bit\"",
                "optimizer_type = \"PagedAdamW8bit\"");
    choice = undecided;
    choice.recompute = RECOMPUTE_NONE;
    check_merge(CONFIG_KOHYA, &choice, "gradient_checkpointing = \"yes\"\n",
                "gradient_checkpointing = false\n");
}

static void refuses_what_it_cannot_do(void **state)
{
    struct config_choice choice = undecided;

    (void)state;
    choice.micro_batch = 2;
    check_refused(CONFIG_KOHYA, &choice,
                  "[a]\ntrain_batch_size = 1\n[b]\ntrain_batch_size = 1\n",
                  "base.cfg:4: the second key 'train_batch_size', in another table", "line 2");
    check_refused(CONFIG_KOHYA, &choice, "a = 1\nb = 2\na = 3\n",
                  "base.cfg:3: the second key 'a'", "line 1");
    check_refused(CONFIG_KOHYA, &choice, "[a]\n[b]\n[a]\n", "base.cfg:3: the second key 'a'",
                  "line 1");
    check_refused(CONFIG_KOHYA, &choice, "a = {train_batch_size = 1}\n",
                  "base.cfg:1: 'train_batch_size' is in an inline table", "KEY = VALUE");
    check_refused(CONFIG_KOHYA, &choice, "a.train_batch_size = 1\n",
                  "base.cfg:1: 'train_batch_size' is in an inline table", "KEY = VALUE");
    check_refused(CONFIG_KOHYA, &choice, "train_batch_size = [1]\n",
                  "base.cfg:1: 'train_batch_size' cannot be set: it holds several values",
                  "one value");
    check_refused(CONFIG_KOHYA, &choice, "\ntrain_batch_size = '''1'''\n",
                  "base.cfg:2: 'train_batch_size' cannot be set: its value may have several "
                  "lines",
                  "quotes");
    check_refused(CONFIG_KOHYA, &choice, "[general]\nx = 1\n[[datasets]]\nbatch_size = 4\n",
                  "base.cfg:3: this is a configuration of data sets", "--config_file");
    choice.precision = PRECISION_FP4;
    check_refused(CONFIG_KOHYA, &choice, "a = 1", "base.cfg: sd-scripts cannot train in fp4",
                  "amp-bf16");
    choice = undecided;
    choice.optimizer = OPTIMIZER_MUON;
    check_refused(CONFIG_KOHYA, &choice, "a = 1",
                  "base.cfg: sd-scripts has no optimizer 'muon'", "adamw-8bit");
}

static void reports_where_a_file_is_wrong(void **state)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"a = 1 2\n", "base.cfg:1:7: unexpected text at the end of the line"},
        {"a = yes\n", "base.cfg:1:5: expected a value: text needs quotes"},
        {"a = \n", "base.cfg:1:5: expected a value: text needs quotes"},
        {"\na\n", "base.cfg:2:2: expected = after the key"},
        {"= 1\n", "base.cfg:1:1: expected a key"},
        {"a. = 1\n", "base.cfg:1:4: expected a key"},
        {"[a\n", "base.cfg:1:3: expected ] after the name of a table"},
        {"[[a]\n", "base.cfg:1:4: expected ] after the name of a table"},
        {"a = \"x\n\"\n", "base.cfg:1:5: a string that does not end"},
        {"a = '''x", "base.cfg:1:5: a string that does not end"},
        {"\"\"\"a\n\"\"\" = 1\n", "base.cfg:2:4: a key must be on one line"},
        {"a = [1, 2\nb = 3\n", "base.cfg:2:1: expected a comma, or the end of the list"},
        {"a = {b 1}\n", "base.cfg:1:8: expected ="},
        {"a = 1\rb = 2\n", "base.cfg:1:6: this is not text"},
        {"a = '\x01'\n", "base.cfg:1:6: this is not text"},
        {"a = '\xff'\n", "base.cfg:1:6: this is not text"},
        {"a = [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\n",
         "base.cfg:1:37: values are too deep inside each other"},
        {"{\"a\": 1}", "base.cfg:1:1: expected a key"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        check_refused_at(CONFIG_KOHYA, &undecided, cases[i].text, cases[i].message, "is TOML",
                         -(int)i);
}

int group_kohya(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_a_flat_file),
        cmocka_unit_test(keeps_a_file_with_tables),
        cmocka_unit_test(writes_a_complete_file_when_there_is_none),
        cmocka_unit_test(keeps_the_form_of_values),
        cmocka_unit_test(refuses_what_it_cannot_do),
        cmocka_unit_test(reports_where_a_file_is_wrong),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
