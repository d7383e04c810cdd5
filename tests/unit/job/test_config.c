#include "jobs.h"

static bool read_config(const char *json, struct arch *out, struct error *err)
{
    const struct node *root = json_read(str_from(json), "config.json", &arena, err);

    return root != NULL && arch_from_config(root, "config.json", out, err);
}

static struct arch arch_of(const char *json)
{
    struct error err = {0};
    struct arch a;

    if (!read_config(json, &a, &err))
        fail_msg("%s", err.text);
    assert_true(isnan(a.stated_params));
    return a;
}

/* Billions of parameters, from the model's page. */
static void check_size(const char *json, double billions)
{
    struct arch a = arch_of(json);
    double got = arch_count(&a).total / 1e9;

    if (fabs(got / billions - 1) > 0.015)
        fail_msg("%.*s: %.3f billion parameters, not %.3f", STR_ARG(a.name), got, billions);
}

static void check_config_refused(const char *json, const char *text, const char *hint)
{
    struct error err = {0};
    struct arch a;

    if (read_config(json, &a, &err))
        fail_msg("'%s' was not refused", json);
    assert_int_equal(err.kind, ERROR_INPUT);
    check_error(&err, text, hint);
}

/* --- real files, without unused keys ------------------------------------------------------ */

static const char llama2[] =
    "{\"_name_or_path\": \"meta-llama/Llama-2-7b-hf\", \"architectures\": "
    "[\"LlamaForCausalLM\"],"
    "\"hidden_act\": \"silu\", \"hidden_size\": 4096, \"intermediate_size\": 11008,"
    "\"max_position_embeddings\": 4096, \"model_type\": \"llama\", \"num_attention_heads\": 32,"
    "\"num_hidden_layers\": 32, \"num_key_value_heads\": 32, \"pretraining_tp\": 1,"
    "\"rope_scaling\": null, \"tie_word_embeddings\": false, \"vocab_size\": 32000}";

static const char gpt2[] =
    "{\"activation_function\": \"gelu_new\", \"model_type\": \"gpt2\", \"n_ctx\": 1024,"
    "\"n_embd\": 768, \"n_head\": 12, \"n_layer\": 12, \"n_positions\": 1024,"
    "\"vocab_size\": 50257}";

static const char mixtral[] =
    "{\"hidden_act\": \"silu\", \"hidden_size\": 4096, \"intermediate_size\": 14336,"
    "\"model_type\": \"mixtral\", \"num_attention_heads\": 32, \"num_experts_per_tok\": 2,"
    "\"num_hidden_layers\": 32, \"num_key_value_heads\": 8, \"num_local_experts\": 8,"
    "\"sliding_window\": null, \"tie_word_embeddings\": false, \"vocab_size\": 32000}";

static const char deepseek_v3[] =
    "{\"first_k_dense_replace\": 3, \"hidden_act\": \"silu\", \"hidden_size\": 7168,"
    "\"intermediate_size\": 18432, \"kv_lora_rank\": 512, \"model_type\": \"deepseek_v3\","
    "\"moe_intermediate_size\": 2048, \"n_routed_experts\": 256, \"n_shared_experts\": 1,"
    "\"num_attention_heads\": 128, \"num_experts_per_tok\": 8, \"num_hidden_layers\": 61,"
    "\"num_key_value_heads\": 128, \"q_lora_rank\": 1536, \"qk_nope_head_dim\": 128,"
    "\"qk_rope_head_dim\": 64, \"tie_word_embeddings\": false, \"v_head_dim\": 128,"
    "\"vocab_size\": 129280}";

static const char gemma2[] =
    "{\"head_dim\": 256, \"hidden_act\": \"gelu_pytorch_tanh\", \"hidden_size\": 2304,"
    "\"intermediate_size\": 9216, \"model_type\": \"gemma2\", \"num_attention_heads\": 8,"
    "\"num_hidden_layers\": 26, \"num_key_value_heads\": 4, \"sliding_window\": 4096,"
    "\"vocab_size\": 256000}";

static const char t5[] =
    "{\"d_ff\": 3072, \"d_kv\": 64, \"d_model\": 768, \"feed_forward_proj\": \"relu\","
    "\"is_encoder_decoder\": true, \"model_type\": \"t5\", \"num_heads\": 12,"
    "\"num_layers\": 12, \"vocab_size\": 32128}";

static void counts_the_parameters_that_models_are_known_by(void **state)
{
    (void)state;
    check_size(llama2, 6.738);
    check_size(gpt2, 0.1244);
    check_size(mixtral, 46.70);
    check_size(deepseek_v3, 671.0);
    check_size(gemma2, 2.614);
    check_size(t5, 0.2229);
    check_size("{\"hidden_size\": 768, \"intermediate_size\": 3072,"
               "\"max_position_embeddings\": 512, \"model_type\": \"bert\","
               "\"num_attention_heads\": 12, \"num_hidden_layers\": 12, \"vocab_size\": 30522}",
               0.1095);
    check_size("{\"hidden_size\": 1024, \"intermediate_size\": 2816, \"model_type\": \"qwen2\","
               "\"num_attention_heads\": 16, \"num_hidden_layers\": 24,"
               "\"num_key_value_heads\": 16, \"sliding_window\": 32768, \"use_sliding_window\":"
               "false, \"tie_word_embeddings\": true, \"vocab_size\": 151936}",
               0.464);
    check_size("{\"hidden_size\": 4544, \"model_type\": \"falcon\", \"multi_query\": true,"
               "\"num_attention_heads\": 71, \"num_hidden_layers\": 32, \"vocab_size\": 65024}",
               6.92);
    check_size("{\"d_model\": 4096, \"expansion_ratio\": 4, \"model_type\": \"mpt\","
               "\"n_heads\": 32, \"n_layers\": 32, \"vocab_size\": 50432}",
               6.65);
    check_size(
        "{\"hidden_size\": 768, \"image_size\": 224, \"intermediate_size\": 3072,"
        "\"model_type\": \"vit\", \"num_attention_heads\": 12, \"num_hidden_layers\": 12,"
        "\"patch_size\": 16}",
        0.0866);
    check_size(
        "{\"hidden_size\": 5120, \"ffn_dim\": 20480, \"max_position_embeddings\": 2048,"
        "\"model_type\": \"opt\", \"num_attention_heads\": 40, \"num_hidden_layers\": 40,"
        "\"vocab_size\": 50272}",
        12.85);
}

static void knows_what_families_leave_out(void **state)
{
    struct arch a = arch_of(llama2);

    (void)state;
    assert_str_equal(a.name, "meta-llama/Llama-2-7b-hf");
    assert_true(a.kind == ARCH_DECODER && a.gated && !a.tied && a.positions == 0);
    assert_int_equal(a.context, 4096);
    a = arch_of(gpt2);
    assert_str_equal(a.name, "config.json");
    assert_true(!a.gated && a.tied && a.bias_all && a.positions == 1024 && a.ffn == 3072);
    a = arch_of(mixtral);
    assert_true(a.experts == 8 && a.active_experts == 2 && a.expert_ffn == 14336 && a.ffn == 0);
    a = arch_of(deepseek_v3);
    assert_true(a.shared_ffn == 2048 && a.dense_layers == 3 && a.head_dim == 128);
    a = arch_of(gemma2);
    assert_true(a.tied && a.gated && a.window == 4096 && a.full_every == 2);
    a = arch_of(t5);
    assert_true(a.kind == ARCH_ENCODER_DECODER && a.decoder_layers == 12 && !a.gated);
}

/* Four of Jamba's 32 layers have attention, and every second one experts: 51.6 B. */
static void reads_layers_that_keep_a_state(void **state)
{
    struct arch a = arch_of(
        "{\"model_type\": \"jamba\", \"hidden_size\": 4096, \"num_hidden_layers\": 32,"
        "\"num_attention_heads\": 32, \"num_key_value_heads\": 8, \"hidden_act\": \"silu\","
        "\"intermediate_size\": 14336, \"vocab_size\": 65536, \"num_experts\": 16,"
        "\"num_experts_per_tok\": 2, \"expert_layer_period\": 2, \"expert_layer_offset\": 1,"
        "\"attn_layer_period\": 8, \"attn_layer_offset\": 4, \"mamba_d_state\": 16,"
        "\"mamba_d_conv\": 4, \"mamba_expand\": 2, \"mamba_dt_rank\": 256,"
        "\"sliding_window\": null, \"tie_word_embeddings\": false}");

    (void)state;
    assert_int_equal(a.mixer_layers, 28);
    assert_int_equal(a.dense_layers, 16);
    assert_true(a.mixer_state == 8192 * (16 + 4));
    assert_true(fabs(arch_count(&a).total / 51.57e9 - 1) < 0.002);
    /* Granite 4 H tiny: Mamba 2 in 36 of 40 layers, 64 experts in each. */
    a = arch_of(
        "{\"model_type\": \"granitemoehybrid\", \"hidden_size\": 1536,"
        "\"num_hidden_layers\": 10, \"num_attention_heads\": 12, \"num_key_value_heads\": 4,"
        "\"hidden_act\": \"silu\", \"intermediate_size\": 512, \"vocab_size\": 100352,"
        "\"num_local_experts\": 64, \"num_experts_per_tok\": 6,"
        "\"shared_intermediate_size\": 1024, \"tie_word_embeddings\": true,"
        "\"layer_types\": [\"mamba\", \"mamba\", \"mamba\", \"mamba\", \"mamba\","
        "\"attention\", \"mamba\", \"mamba\", \"mamba\", \"mamba\"],"
        "\"mamba_n_heads\": 48, \"mamba_d_head\": 64, \"mamba_d_state\": 128,"
        "\"mamba_n_groups\": 1, \"mamba_d_conv\": 4, \"mamba_expand\": 2}");
    assert_int_equal(a.mixer_layers, 9);
    assert_true(a.shared_ffn == 1024 && a.expert_ffn == 512 && a.tied);
    assert_true(a.mixer_state == 48 * 64 * 128 + (48 * 64 + 2 * 128) * 4);
    a.layers = 40; /* the pattern four times, as published: 6.94 B */
    a.mixer_layers = 36;
    assert_true(fabs(arch_count(&a).total / 6.94e9 - 1) < 0.005);
    /* Qwen 3 Next: gated delta nets in three layers of four: 80 B. */
    a = arch_of(
        "{\"model_type\": \"qwen3_next\", \"hidden_size\": 2048, \"num_hidden_layers\": 48,"
        "\"num_attention_heads\": 16, \"num_key_value_heads\": 2, \"head_dim\": 256,"
        "\"hidden_act\": \"silu\", \"intermediate_size\": 5120, \"vocab_size\": 151936,"
        "\"num_experts\": 512, \"num_experts_per_tok\": 10, \"moe_intermediate_size\": 512,"
        "\"shared_expert_intermediate_size\": 512, \"full_attention_interval\": 4,"
        "\"linear_num_key_heads\": 16, \"linear_num_value_heads\": 32,"
        "\"linear_key_head_dim\": 128, \"linear_value_head_dim\": 128,"
        "\"linear_conv_kernel_dim\": 4, \"tie_word_embeddings\": false}");
    assert_int_equal(a.mixer_layers, 36);
    assert_true(a.mixer_state == 32 * 128 * 128 + 8192 * 4);
    assert_true(fabs(arch_count(&a).total / 79.7e9 - 1) < 0.01);
}

#define NEMOTRON_H_8B \
    "\"model_type\": \"nemotron_h\", \"hidden_size\": 4096, \"num_hidden_layers\": 52," \
    "\"num_attention_heads\": 32, \"num_key_value_heads\": 8, \"attention_head_dim\": 128," \
    "\"intermediate_size\": 21504, \"vocab_size\": 131072, \"tie_word_embeddings\": false," \
    "\"mamba_num_heads\": 128, \"mamba_head_dim\": 64, \"ssm_state_size\": 128," \
    "\"n_groups\": 8, \"conv_kernel\": 4"

/* Nemotron-H 8B: 24 Mamba layers, 4 of attention and 24 feed-forward are 28 layers with
 * 24/28 of the width. By hand: embedding and head 2 x 131,072 x 4,096; feed-forward 24 x 2
 * x 4,096 x 21,504; attention 4 x 4,096 x 128 x 80; Mamba 24 x 109.62 M: 8.101 B. */
static void joins_layers_that_are_one_thing_each(void **state)
{
    struct arch a = arch_of("{" NEMOTRON_H_8B ", \"hybrid_override_pattern\":"
                            "\"M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M-\"}");

    (void)state;
    assert_true(a.layers == 28 && a.mixer_layers == 24 && a.ffn == 18432 && !a.gated);
    assert_true(arch_layers_without_attention(&a) == 24);
    assert_true(a.mixer_state == 8192 * 128 + 10240 * 4);
    assert_true(fabs(arch_count(&a).total / 8.101e9 - 1) < 0.0005);
    /* The same words in a list, without their number. */
    a = arch_of("{\"model_type\": \"nemotron_h\", \"hidden_size\": 64, \"vocab_size\": 9,"
                "\"num_attention_heads\": 4, \"intermediate_size\": 100,"
                "\"mamba_num_heads\": 8, \"mamba_head_dim\": 16, \"ssm_state_size\": 16,"
                "\"layers_block_type\": [\"mamba\", \"mlp\", \"attention\", \"moe\"],"
                "\"n_routed_experts\": 8, \"num_experts_per_tok\": 2,"
                "\"moe_intermediate_size\": 32, \"moe_shared_expert_intermediate_size\": 48}");
    assert_true(a.layers == 2 && a.mixer_layers == 1 && a.dense_layers == 1 && a.ffn == 100);
    assert_true(a.expert_ffn == 32 && a.shared_ffn == 48 && a.experts == 8);
    check_config_refused("{" NEMOTRON_H_8B ", \"hybrid_override_pattern\": \"M-Z*\"}",
                         "config.json: hybrid_override_pattern: layers must be M (Mamba), * "
                         "(attention), - (feed-forward) or E (experts)",
                         "copy the pattern from the model's config.json");
    check_config_refused("{" NEMOTRON_H_8B "}",
                         "config.json: hybrid_override_pattern: layers must be M (Mamba), * "
                         "(attention), - (feed-forward) or E (experts)",
                         "copy the pattern from the model's config.json");
}

/* Falcon-H1 0.5B has both in each layer. By hand: embedding and head 2 x 32,784 x 1,024, 36 x
 * (attention 1.31 M + feed-forward 6.29 M + Mamba 5.02 M): 521 M, as published. */
static void reads_mixers_beside_attention(void **state)
{
    struct arch a = arch_of(
        "{\"model_type\": \"falcon_h1\", \"hidden_size\": 1024, \"num_hidden_layers\": 36,"
        "\"num_attention_heads\": 8, \"num_key_value_heads\": 2, \"head_dim\": 64,"
        "\"hidden_act\": \"silu\", \"intermediate_size\": 2048, \"vocab_size\": 32784,"
        "\"attn_layer_indices\": null, \"mamba_d_conv\": 4, \"mamba_d_head\": 64,"
        "\"mamba_d_ssm\": 1536, \"mamba_d_state\": 128, \"mamba_n_groups\": 1,"
        "\"mamba_n_heads\": 24, \"tie_word_embeddings\": false}");

    (void)state;
    assert_true(a.mixer_layers == 36 && a.mixers_beside);
    assert_true(arch_layers_without_attention(&a) == 0 && arch_mixer_share(&a) == 1);
    assert_true(fabs(arch_count(&a).total / 521.4e6 - 1) < 0.001);
}

/* Windows: of all layers (Mistral), of those from max_window_layers on (Qwen 2), of those that
 * are listed (Gemma 3: 10 of 62 have none). */
static void counts_layers_with_a_window(void **state)
{
    struct arch a = arch_of(
        "{\"model_type\": \"mistral\", \"hidden_size\": 4096, \"num_hidden_layers\": 32,"
        "\"num_attention_heads\": 32, \"num_key_value_heads\": 8, \"vocab_size\": 32000,"
        "\"intermediate_size\": 14336, \"sliding_window\": 4096}");

    (void)state;
    assert_true(a.window == 4096 && arch_full_share(&a) == 0);
    a = arch_of("{\"model_type\": \"qwen2\", \"hidden_size\": 3584, \"vocab_size\": 152064,"
                "\"num_attention_heads\": 28, \"num_key_value_heads\": 4,"
                "\"num_hidden_layers\": 28, \"intermediate_size\": 18944,"
                "\"use_sliding_window\": true, \"sliding_window\": 4096,"
                "\"max_window_layers\": 21}");
    assert_true(a.window == 4096 && arch_full_share(&a) == 0.75);
    a = arch_of("{\"model_type\": \"x\", \"hidden_size\": 64, \"num_hidden_layers\": 5,"
                "\"num_attention_heads\": 4, \"intermediate_size\": 128, \"vocab_size\": 9,"
                "\"sliding_window\": 512, \"layer_types\": [\"sliding_attention\","
                "\"sliding_attention\", \"full_attention\", \"sliding_attention\","
                "\"full_attention\"]}");
    assert_true(a.window == 512 && arch_full_share(&a) == 0.4 && a.mixer_layers == 0);
}

static void reads_the_text_part_of_a_model_of_pictures(void **state)
{
    struct arch a = arch_of(
        "{\"model_type\": \"gemma3\", \"vision_config\": {\"hidden_size\": 1152},"
        "\"text_config\": {\"hidden_size\": 2560, \"intermediate_size\": 10240,"
        "\"model_type\": \"gemma3_text\", \"num_attention_heads\": 8, \"head_dim\": 256,"
        "\"num_hidden_layers\": 34, \"num_key_value_heads\": 4, \"sliding_window\": 1024,"
        "\"layer_types\": [\"sliding_attention\", \"full_attention\"],"
        "\"vocab_size\": 262208}}");

    (void)state;
    assert_true(a.hidden == 2560 && a.window == 1024 && a.full_every == 2 && a.tied);
}

static void refuses_what_is_no_model(void **state)
{
    (void)state;
    check_config_refused(
        "[]", "config.json: this is not a config.json: expected keys and values", "");
    check_config_refused("{}", "config.json: the model's layers: the number is missing",
                         "a Hugging Face config.json has it as 'num_hidden_layers'");
    check_config_refused("{\"model_type\": \"mamba\", \"hidden_size\": 768}",
                         "config.json: 'mamba' is not a transformer with equal layers",
                         "name a known model, or give a throughput: measured: {...}");
    check_config_refused(
        "{\"_class_name\": \"UNet2DConditionModel\"}",
        "config.json: 'UNet2DConditionModel' is not a transformer with equal layers",
        "name a known model, or give a throughput: measured: {...}");
}

static void refuses_impossible_shapes(void **state)
{
    (void)state;
    check_config_refused("{\"n_layer\": 12, \"n_embd\": 768, \"n_head\": 7, \"vocab_size\": 5}",
                         "config.json: model 'config.json': heads do not divide hidden (768)",
                         "");
    check_config_refused(
        "{\"n_layer\": -1, \"n_embd\": 768, \"n_head\": 12, \"vocab_size\": 5}",
        "config.json: n_layer: '-1' is not a whole number from 0 to 100000000", "");
    check_config_refused(
        "{\"n_layer\": 9223372036854775807, \"n_embd\": 768, \"n_head\": 12}",
        "config.json: n_layer: '9223372036854775807' is not a whole number from "
        "0 to 100000000",
        "");
    check_config_refused("{\"n_layer\": [1], \"n_embd\": 768, \"n_head\": 12}",
                         "config.json: n_layer: '' is not a whole number from 0 to 100000000",
                         "");
    check_config_refused("{\"n_layer\": 1, \"n_embd\": 64, \"n_head\": 1, \"vocab_size\": 5,"
                         "\"num_experts\": 8, \"moe_intermediate_size\": 100000000,"
                         "\"n_shared_experts\": 100000000}",
                         "config.json: n_shared_experts: too many", "");
}

static void a_job_may_name_a_config(void **state)
{
    struct job job = job_of("train: {model: ./models/config.json}");
    struct error err = {0};
    struct str path;

    (void)state;
    assert_true(job_names_file(&job, &path));
    assert_str_equal(path, "./models/config.json");
    assert_true(job_resolve(&job, &catalog, str_from(llama2), &arena, &err));
    assert_true(job.arch_known && job.arch.hidden == 4096);
    job = job_of("infer: {config: /tmp/x}");
    assert_true(job_names_file(&job, &path));
    assert_str_equal(path, "/tmp/x");
    assert_false(job_resolve(&job, &catalog, (struct str){0}, &arena, &err));
    assert_string_equal(err.text, "job.yaml: /tmp/x: the file is empty");
    job = job_of("train: {model: meta-llama/Llama-2-7b-hf}");
    assert_false(job_names_file(&job, &path));
    job = job_of("train: {params: 7B}");
    assert_false(job_names_file(&job, &path));
}

int group_config(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_the_parameters_that_models_are_known_by),
        cmocka_unit_test(knows_what_families_leave_out),
        cmocka_unit_test(reads_layers_that_keep_a_state),
        cmocka_unit_test(joins_layers_that_are_one_thing_each),
        cmocka_unit_test(reads_mixers_beside_attention),
        cmocka_unit_test(counts_layers_with_a_window),
        cmocka_unit_test(reads_the_text_part_of_a_model_of_pictures),
        cmocka_unit_test(refuses_what_is_no_model),
        cmocka_unit_test(refuses_impossible_shapes),
        cmocka_unit_test(a_job_may_name_a_config),
    };

    return cmocka_run_group_tests(tests, load_models, free_catalog);
}
