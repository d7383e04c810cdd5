/* Models: each has plausible sizes and is found by its common names. */
#include "loaded.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/csv.h"
#include "base/fs.h"

#define FOLDED 128
#define DIGITS "0123456789"

static const struct model *model_at(size_t i)
{
    return CATALOG_ROW(&catalog, TABLE_MODELS, model, i);
}

static const struct image_model *image_at(size_t i)
{
    return CATALOG_ROW(&catalog, TABLE_IMAGE_MODELS, image_model, i);
}

static void finds(const char *name, const char *expected)
{
    const struct model *m = model_find(&catalog, str_from(name));

    if (m == NULL)
        fail_msg("'%s' is not found", name);
    if (!str_eq(m->name, str_from(expected)))
        fail_msg("'%s' is read as %.*s", name, STR_ARG(m->name));
}

static void knows_names_of_hosted_apis(void **state)
{
    static const char *const names[][2] = {
        {"meta.llama3-1-8b-instruct-v1:0", "llama-3.1-8b"},
        {"us.meta.llama3-1-8b-instruct-v1:0", "llama-3.1-8b"},
        {"accounts/fireworks/models/qwen2p5-7b-instruct", "qwen2.5-7b"},
        {"meta-llama/Meta-Llama-3.1-8B-Instruct-Turbo", "llama-3.1-8b"},
        {"llama-3.1-8b-instant", "llama-3.1-8b"},
        {"open-mixtral-8x7b", "mixtral-8x7b"},
    };
    /* Other models of the same architecture, and models whose weights are not open. */
    static const char *const others[] = {"Qwen/QwQ-32B",
                                         "deepseek-r1-distill-llama-8b",
                                         "gpt-4o-mini",
                                         "zai-org/GLM-4.7",
                                         "",
                                         "/",
                                         "-v1",
                                         "meta."};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        const struct model *m = hosted_model_find(&catalog, str_from(names[i][0]));

        if (m == NULL || !str_eq(m->name, str_from(names[i][1])))
            fail_msg("'%s' is not %s", names[i][0], names[i][1]);
    }
    for (size_t i = 0; i < ARRAY_LEN(others); i++)
        if (hosted_model_find(&catalog, str_from(others[i])) != NULL)
            fail_msg("'%s' is a model", others[i]);
}

/* Files of llama.cpp's, and what only looks like one. */
static void gguf_names_have_bits(void **state)
{
    static const struct {
        const char *name, *model;
        int bits; /* -1: no such name */
    } names[] = {{"Llama-3-8B-Q4_K_M.gguf", "Llama-3-8B", 4},
                 {"llama3:8b-q8_0", "llama3:8b", 8},
                 {"x/Llama-3-GGUF:IQ2_XXS", "x/Llama-3-GGUF", 2},
                 {"a.Q5_K_S.gguf", "a", 5},
                 {"Llama-3-8B-GGUF", "Llama-3-8B-GGUF", 0},
                 {"a-F16.gguf", "a", 16},
                 {"llama-2-7b-bf16", "llama-2-7b-bf16", -1},
                 {"qwen-q", "qwen-q", -1},
                 {"Q4_K_M", "Q4_K_M", -1},
                 {"a-Q4everything", "a-Q4everything", -1},
                 {"", "", -1}};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        struct str model;
        int bits;
        bool is = gguf_name(str_from(names[i].name), &model, &bits);

        if (is != (names[i].bits >= 0) || (is && bits != names[i].bits) ||
            !str_eq(model, str_from(names[i].model)))
            fail_msg("%s: %d, %d bits of %.*s", names[i].name, is, bits, STR_ARG(model));
    }
}

static void knows_common_names(void **state)
{
    static const char *const names[][2] = {
        {"meta-llama/Llama-2-7b-hf", "llama-2-7b"},
        {"Llama 3.1 8B Instruct", "llama-3.1-8b"},
        {"meta-llama/Meta-Llama-3-8B", "llama-3-8b"},
        {"qwen2.5-7b-instruct-awq", "qwen2.5-7b"},
        {"Qwen/Qwen3-8B", "qwen3-8b"},
        {"gpt2", "gpt2"},
        {"GPT2_XL", "gpt2-xl"},
        {"gpt3-175b", "gpt3-175b"},
        {"bert-large", "bert-large"},
        {"bert-base-uncased", "bert-base"},
        {"vit_b_16", "vit-b-16"},
        {"mixtral-8x7b", "mixtral-8x7b"},
        {"mistralai/Mixtral-8x7B-Instruct-v0.1", "mixtral-8x7b"},
        {"DeepSeek-V3", "deepseek-v3"},
        {"  llama (2) 7B ", "llama-2-7b"},
        {"LLAMA-2-7B-CHAT-HF", "llama-2-7b"},
        {"qwen2_5-7b", "qwen2.5-7b"},
        {"microsoft/phi-1_5", "phi-1.5"},
        {"HuggingFaceTB/SmolLM3-3B-Base", "smollm3-3b"},
        {"allenai/Olmo-3-1125-32B", "olmo-3-32b"},
        {"ibm-granite/granite-3.3-8b-instruct", "granite-3-8b"},
        {"ibm-granite/granite-4.0-h-small", "granite-4-h-small"},
        {"swiss-ai/Apertus-8B-Instruct-2509", "apertus-8b"},
        {"bigcode/starcoder2-15b", "starcoder2-15b"},
        {"Qwen/Qwen2.5-VL-7B-Instruct", "qwen2.5-vl-7b"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        finds(names[i][0], names[i][1]);
}

/* The families that the documentation lists, by one name of each. */
static void has_ids_of_the_hub(void **state)
{
    static const char *const ids[][2] = {
        {"llama-2-7b", "meta-llama/Llama-2-7b-hf"},
        {"Llama 3 8B", "meta-llama/Meta-Llama-3-8B"},
        {"gpt2", "openai-community/gpt2"},
        {"vicuna-7b", ""}, /* other weights in the shapes of llama-2-7b */
        {"llama-2-7b-chat", ""},
        {"gpt3-125m", ""},
        {"sdxl", ""},
        {"no model", ""},
    };
    size_t known = 0;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(ids); i++) {
        struct str id = model_hub_id(&catalog, str_from(ids[i][0]));

        if (!str_eq(id, str_from(ids[i][1])))
            fail_msg("'%s' is '%.*s' on the Hub", ids[i][0], STR_ARG(id));
    }
    for (size_t i = 0; i < catalog.tables[TABLE_MODELS].len; i++) {
        struct str id = model_hub_id(&catalog, model_at(i)->name);

        known += id.len > 0;
        if (id.len > 0 && model_find(&catalog, id) != model_at(i))
            fail_msg("'%.*s' leads to another row", STR_ARG(id));
    }
    assert_true(known > 250);
}

static void has_every_documented_family(void **state)
{
    static const char *const names[] = {
        "gpt2",       "gpt3-175b",    "opt-6.7b",    "bloom-176b",  "pythia-6.9b",
        "mpt-7b",     "llama-7b",     "llama-2-70b", "llama-3-70b", "llama-3.1-405b",
        "mistral-7b", "mixtral-8x7b", "qwen1.5-7b",  "qwen2-7b",    "qwen2.5-72b",
        "qwen3-8b",   "gemma-7b",     "phi-2",       "falcon-40b",  "deepseek-v2",
        "bert-base",  "t5-large",     "vit-l-16",
    };
    static const char *const images[] = {"resnet50",
                                         "sd-1.5",
                                         "sdxl",
                                         "flux",
                                         "stable-diffusion-3.5-large",
                                         "Wan-AI/Wan2.2-T2V-A14B"};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (model_find(&catalog, str_from(names[i])) == NULL)
            fail_msg("there is no %s", names[i]);
    for (size_t i = 0; i < ARRAY_LEN(images); i++)
        if (image_model_find(&catalog, str_from(images[i])) == NULL)
            fail_msg("there is no %s", images[i]);
    assert_true(catalog.tables[TABLE_MODELS].len >= 60);
}

static void every_name_and_alias_leads_to_its_row(void **state)
{
    (void)state;
    for (size_t i = 0; i < catalog.tables[TABLE_MODELS].len; i++) {
        const struct model *m = model_at(i);
        struct str aliases = m->aliases;

        assert_ptr_equal(model_find(&catalog, m->name), m);
        while (aliases.len > 0) {
            struct str alias = str_trim(str_cut(&aliases, ';'));

            if (model_find(&catalog, alias) != m)
                fail_msg("alias '%.*s' leads elsewhere", STR_ARG(alias));
        }
    }
    for (size_t i = 0; i < catalog.tables[TABLE_IMAGE_MODELS].len; i++) {
        const struct image_model *m = image_at(i);
        struct str aliases = m->aliases;

        assert_ptr_equal(image_model_find(&catalog, m->name), m);
        assert_null(model_find(&catalog, m->name)); /* a name is of one kind */
        while (aliases.len > 0)
            assert_ptr_equal(image_model_find(&catalog, str_trim(str_cut(&aliases, ';'))), m);
    }
}

struct spelling {
    char text[FOLDED];
    struct str row;
};

static void spell(struct spelling *s, struct str name, struct str row)
{
    size_t len = 0;
    bool apart = false;

    for (size_t i = 0; i < name.len; i++) {
        char c = name.at[i];

        assert_true(len + 2 < FOLDED);
        if (strchr(" -_()", c) != NULL) {
            apart = true;
            continue;
        }
        if (apart && len > 0 && strchr(DIGITS, s->text[len - 1]) != NULL &&
            strchr(DIGITS, c) != NULL)
            s->text[len++] = '.';
        apart = false;
        s->text[len++] = (char)(c >= 'A' && c <= 'Z' ? c | 0x20 : c);
    }
    s->text[len] = '\0';
    s->row = row;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(((const struct spelling *)a)->text, ((const struct spelling *)b)->text);
}

static size_t spell_all(struct spelling *at, struct str name, struct str aliases)
{
    size_t count = 0;

    spell(&at[count++], name, name);
    while (aliases.len > 0)
        spell(&at[count++], str_trim(str_cut(&aliases, ';')), name);
    return count;
}

static void no_two_rows_share_a_name(void **state)
{
    static struct spelling all[4096];
    size_t count = 0;

    (void)state;
    for (size_t i = 0; i < catalog.tables[TABLE_MODELS].len; i++) {
        assert_true(count + 64 < ARRAY_LEN(all));
        count += spell_all(all + count, model_at(i)->name, model_at(i)->aliases);
    }
    for (size_t i = 0; i < catalog.tables[TABLE_IMAGE_MODELS].len; i++) {
        assert_true(count + 64 < ARRAY_LEN(all));
        count += spell_all(all + count, image_at(i)->name, image_at(i)->aliases);
    }
    qsort(all, count, sizeof *all, by_text);
    for (size_t i = 1; i < count; i++)
        if (strcmp(all[i - 1].text, all[i].text) == 0 && !str_eq(all[i - 1].row, all[i].row))
            fail_msg("'%s' is a name of %.*s and of %.*s", all[i].text, STR_ARG(all[i - 1].row),
                     STR_ARG(all[i].row));
}

static void sizes_are_plausible(void **state)
{
    (void)state;
    for (size_t i = 0; i < catalog.tables[TABLE_MODELS].len; i++) {
        const struct model *m = model_at(i);

        if (m->head_dim < 0 && m->hidden % m->heads != 0)
            fail_msg("%.*s: heads do not divide the width", STR_ARG(m->name));
        if (!(m->params_b > 0.001 && m->params_b < 5000))
            fail_msg("%.*s: %g billion parameters", STR_ARG(m->name), m->params_b);
        assert_true(m->kv_heads < 0 || m->heads % m->kv_heads == 0);
        assert_true(m->active_experts <= m->experts);
    }
    for (size_t i = 0; i < catalog.tables[TABLE_IMAGE_MODELS].len; i++) {
        const struct image_model *m = image_at(i);

        assert_true(m->params_m > 0.1 && m->params_m < 50000);
        assert_true(m->forward_gflop > 0.01 && m->forward_gflop < 1e8);
        assert_true(m->resolution >= 16 && m->resolution <= 4096);
        assert_true(!(m->depthwise_share < 0) && !(m->depthwise_share > 1));
    }
}

static struct str suggested(const char *wanted)
{
    struct suggestion s = {.wanted = str_from(wanted)};

    model_suggest(&catalog, &s);
    return s.best;
}

static bool known(struct str name)
{
    return model_find(&catalog, name) != NULL || image_model_find(&catalog, name) != NULL;
}

static void a_misspelled_name_suggests_the_right_one(void **state)
{
    (void)state;
    assert_null(model_find(&catalog, STR("lama-2-7b")));
    assert_str_equal(suggested("lama-2-7b"), "llama-2-7b");
    assert_str_equal(suggested("mixtrl-8x7b"), "mixtral-8x7b");
    assert_str_equal(suggested("resnet5O"), "resnet50");
    assert_int_equal(suggested("something else entirely").len, 0);
}

static void a_size_is_worth_more_than_letters(void **state)
{
    static const char *const names[][2] = {
        {"llama-70b", "llama-3-70b"}, {"lstm", "lstm-h128-l2"}, {"vit-b-15", "vit-b-16"},
        {"llama3", "llama-3-8b"},     {"llama2", "llama-2-7b"}, {"llama3-8", "llama-3-8b"}};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        struct str best = suggested(names[i][0]);

        if (!str_eq(best, str_from(names[i][1])))
            fail_msg("'%s' suggests '%.*s'", names[i][0], STR_ARG(best));
    }
}

/* The list of names that people use: each has a row, or a reason why it has none. */
static void every_name_of_the_market_leads_somewhere(void **state)
{
    struct arena own = test_arena();
    struct error err = {0};
    struct test_path path;
    struct str text;
    size_t count = 0;

    (void)state;
    if (!fs_read(test_data("market/models.txt", &path), 1 << 20, &own, &text, &err))
        fail_msg("%s", err.text);
    while (text.len > 0) {
        struct str name = str_trim(str_cut(&text, '\n'));

        if (name.len == 0 || name.at[0] == '#' || str_starts(name, STR("lstm-")))
            continue; /* the name of an LSTM is its shape */
        count++;
        if (!known(name) && unmodeled_find(name) == NULL)
            fail_msg("nothing is known of '%.*s'", STR_ARG(name));
    }
    assert_true(count > 400);
    arena_free(&own);
}

/* A reason for what the catalog has would never be read. */
static void no_row_is_called_unmodeled(void **state)
{
    (void)state;
    for (size_t i = 0; i < catalog.tables[TABLE_MODELS].len; i++)
        if (unmodeled_find(model_at(i)->name) != NULL)
            fail_msg("%.*s has a row", STR_ARG(model_at(i)->name));
    for (size_t i = 0; i < catalog.tables[TABLE_IMAGE_MODELS].len; i++)
        if (unmodeled_find(image_at(i)->name) != NULL)
            fail_msg("%.*s has a row", STR_ARG(image_at(i)->name));
    assert_null(unmodeled_find(STR("llama-2-7b")));
    assert_null(unmodeled_find(STR("")));
    assert_non_null(unmodeled_find(STR("state-spaces/mamba-130m")));
    assert_non_null(unmodeled_find(STR("gpt4")));
    assert_non_null(unmodeled_find(STR("GPT-4o-mini")));
    assert_non_null(unmodeled_find(STR("lstm")));
    assert_null(unmodeled_find(STR("gpt2")));
}

static void other_text_is_no_model(void **state)
{
    char name[400];
    static const char *const names[] = {"",        "/",  "///", "-", "hf", "instruct",
                                        "chat-hf", "it", "()",  ";", "7b"};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        assert_null(model_find(&catalog, str_from(names[i])));
        assert_null(image_model_find(&catalog, str_from(names[i])));
    }
    memset(name, 'a', sizeof name);
    assert_null(model_find(&catalog, (struct str){name, sizeof name}));
    memcpy(name + sizeof name - 5, "/gpt2", 5); /* the owner's length does not matter */
    assert_non_null(model_find(&catalog, (struct str){name, sizeof name}));
}

/* --- the models of the published measurements --------------------------------------------- */

static bool has_shapes(const struct csv_row *row, const size_t *shapes)
{
    for (size_t i = 0; i < 3; i++)
        if (shapes[i] >= row->count || row->fields[shapes[i]].len == 0)
            return false;
    return true;
}

/* Rows whose model is known, or which give its shapes. */
static size_t check_file(const char *path)
{
    struct csv_options options = {.alloc = &alloc_system};
    struct arena own = test_arena();
    struct error err = {0};
    struct csv_row row;
    struct str text;
    struct csv *csv;
    size_t model, set, shapes[3], count = 0;

    if (!fs_read(path, (size_t)64 << 20, &own, &text, &err))
        fail_msg("%s", err.text);
    csv = csv_open_text(text, &options, &err);
    assert_non_null(csv);
    assert_true(csv_next(csv, &row, &err));
    model = csv_column(&row, STR("model"));
    set = csv_column(&row, STR("set"));
    shapes[0] = csv_column(&row, STR("layers"));
    shapes[1] = csv_column(&row, STR("hidden"));
    shapes[2] = csv_column(&row, STR("heads"));
    assert_true(model < row.count);
    while (csv_next(csv, &row, &err)) {
        if (set < row.count && str_eq(row.fields[set], STR("other")))
            continue;
        if (!known(row.fields[model]) && !has_shapes(&row, shapes))
            fail_msg("%s:%llu: no model '%.*s'", path, (unsigned long long)row.line,
                     STR_ARG(row.fields[model]));
        count++;
    }
    assert_false(csv_failed(csv));
    csv_close(csv);
    arena_free(&own);
    return count;
}

static void knows_every_model_of_the_published_measurements(void **state)
{
    static const char *const files[] = {"truth/training.csv", "truth/inference.csv"};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(files); i++) {
        struct test_path path;

        assert_true(check_file(test_data(files[i], &path)) > 500);
    }
}

int group_models(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gguf_names_have_bits),
        cmocka_unit_test(knows_common_names),
        cmocka_unit_test(knows_names_of_hosted_apis),
        cmocka_unit_test(has_ids_of_the_hub),
        cmocka_unit_test(has_every_documented_family),
        cmocka_unit_test(every_name_and_alias_leads_to_its_row),
        cmocka_unit_test(no_two_rows_share_a_name),
        cmocka_unit_test(sizes_are_plausible),
        cmocka_unit_test(a_misspelled_name_suggests_the_right_one),
        cmocka_unit_test(a_size_is_worth_more_than_letters),
        cmocka_unit_test(every_name_of_the_market_leads_somewhere),
        cmocka_unit_test(no_row_is_called_unmodeled),
        cmocka_unit_test(other_text_is_no_model),
        cmocka_unit_test(knows_every_model_of_the_published_measurements),
    };

    return cmocka_run_group_tests(tests, load_models, free_catalog);
}
