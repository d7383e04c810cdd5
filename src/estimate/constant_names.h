/* constant_names.h - every constant of the estimator; data/constants.csv describes each. */
#ifndef ESTIMATE_CONSTANT_NAMES_H
#define ESTIMATE_CONSTANT_NAMES_H

/* The formatter would make one paragraph of them. */
/* clang-format off */
/* Matrix products: how well each kind of device does them */
#define CONSTANTS_PRODUCTS(X) \
    X(gemm_volta) X(gemm_turing) X(gemm_ampere) X(gemm_ada) X(gemm_hopper) X(gemm_blackwell) \
    X(gemm_geforce_blackwell) X(gemm_amd) X(gemm_tpu) X(gemm_gaudi) X(gemm_trainium) \
    X(gemm_other) X(gemm_tf32) X(gemm_fp32) X(gemm_fp8) X(gemm_mxfp8) X(gemm_fp4) \
    X(gemm_power) X(gemm_wave) X(gemm_depth) X(gemm_grouped) X(gemm_unaligned) X(gemm_mixed)

/* Attention, with and without its matrix in memory */
#define CONSTANTS_ATTENTION(X) \
    X(attention_old) X(attention_ampere) X(attention_hopper) X(attention_blackwell) \
    X(attention_other) X(attention_wide) X(attention_first) X(attention_fused) \
    X(attention_backward) X(attention_narrow) X(attention_tile) X(score_passes)

/* Passes over memory, and the shortest kernel */
#define CONSTANTS_MEMORY(X) \
    X(memory_rate) X(memory_eager) X(kernel_floor) X(passes_eager) X(passes_compiled) \
    X(passes_fsdp) \
    X(passes_megatron) X(passes_deepspeed) X(passes_hf) X(passes_hf_2023) \
    X(passes_xla) X(passes_lora) \
    X(passes_fp8) X(passes_moe) X(passes_loss) X(embed_positions) X(embed_types) \
    X(passes_optimizer) X(passes_foreach) X(passes_bucket) X(dequantise_int4) \
    X(dequantise_nf4)

/* Seconds in which the host prepares the work */
#define CONSTANTS_HOST(X) \
    X(host_gated) X(host_autocast) X(host_backward) X(host_eager) X(host_compiled) \
    X(host_fsdp) X(host_megatron) X(host_deepspeed) X(host_hf) X(host_hf_2023) \
    X(host_xla) X(host_lora) \
    X(host_zero) X(host_step) X(host_tensor) \
    X(host_checkpoint)

/* Communication, and what of it is hidden */
#define CONSTANTS_WIRES(X) \
    X(link_rate) X(pcie_rate) X(host_path) X(network_rate) X(socket_rate) X(link_latency) \
    X(network_latency) \
    X(overlap_data) X(overlap_gather) X(overlap_deepspeed) X(overlap_tensor) \
    X(overlap_expert) X(overlap_context) X(comm_friction) X(node_delay) X(pipeline_slack) \
    X(gradient_1bit) X(offload_rate) X(offload_step)

/* Image models and LSTMs */
#define CONSTANTS_PICTURES(X) \
    X(image_gemm) X(image_bytes) X(image_layered) X(image_layout) X(image_stem) \
    X(image_depthwise_rate) X(image_window) X(image_grouped) X(image_fp32) X(image_step) \
    X(lstm_step) X(lstm_gemm) X(lstm_narrow)

/* Memory: bytes, and shares of what comes and goes */
#define CONSTANTS_SIZES(X) \
    X(mem_workspace) X(mem_trainer) X(mem_context) X(mem_group) X(mem_fragment) \
    X(mem_fragment_full) X(mem_fragment_image) X(mem_logits_trainer) X(mem_image_working) \
    X(mem_image_autocast)

/* Watts of boards and machines */
#define CONSTANTS_POWER(X) \
    X(energy_idle) X(energy_arithmetic) X(energy_memory) X(energy_stream) X(energy_wait) \
    X(energy_fed) X(energy_thin) X(energy_start_s) X(energy_rest_s) X(energy_host_base) \
    X(energy_host_sxm) X(energy_host_pcie) X(energy_psu_server) X(energy_psu_desktop) \
    X(power_limit) X(power_limit_low) X(power_limit_high)

/* Serving: kernels, engines, queues */
#define CONSTANTS_SERVING(X) \
    X(infer_gemm) X(infer_attention) X(infer_floor) X(infer_narrow) X(infer_unpack) \
    X(infer_unpack_nf4) X(infer_memory) X(infer_memory_amd) X(infer_memory_other) \
    X(infer_cache) X(infer_passes) X(infer_sampling) X(infer_expert_tile) \
    X(infer_expert_gemm) X(infer_expert_memory) X(infer_expert_floor) X(infer_link) \
    X(infer_link_latency) X(infer_bus_latency) X(infer_interleave) X(infer_share) \
    X(infer_workspace) X(infer_workspace_server) X(infer_context) X(infer_buffers) \
    X(infer_expert_passes) X(infer_expert_blackwell) X(infer_expert_narrow) \
    X(infer_link_switch) X(infer_expert_variety) X(infer_gemm_llamacpp) \
    X(infer_memory_llamacpp) X(infer_offline) X(infer_cache_amd) X(infer_memory_intel) \
    X(infer_expert_width) X(infer_expert_vllm) \
    X(engine_layer_graph) X(engine_layer_trtllm) X(engine_layer_vllm) X(engine_layer_sglang) \
    X(engine_layer_ft) X(engine_layer_mii) X(engine_layer_hf) X(engine_layer_llamacpp) \
    X(engine_layer_neuron) X(engine_layer_habana) X(engine_step_graph) X(engine_step_trtllm) \
    X(engine_step_vllm) X(engine_step_sglang) X(engine_step_hf) X(engine_step_other) \
    X(engine_host_graph) \
    X(engine_host_trtllm) X(engine_host_vllm) X(engine_host_sglang) X(engine_host_mii) \
    X(engine_host_hf) X(engine_host_eager) X(engine_host_other) X(engine_sequence_trtllm) \
    X(engine_sequence_vllm) \
    X(engine_sequence_sglang) X(engine_sequence_other) X(engine_first_trtllm) \
    X(engine_first_trtllm_experts) X(engine_first_vllm) X(engine_first_vllm_experts) \
    X(engine_first_sglang) X(engine_first_sglang_experts) X(engine_first_other) \
    X(engine_first_trtllm_latent) X(engine_first_vllm_latent) X(engine_first_sglang_latent)

/* Whole runs: what fails, waits and is slow */
#define CONSTANTS_GOODPUT(X) \
    X(goodput_hardware) X(goodput_other) X(goodput_other_gpus) X(goodput_restart_h) \
    X(goodput_hang_share) X(goodput_hangs) X(goodput_hang_h) X(goodput_save_s) \
    X(goodput_evaluation) X(goodput_slow) X(goodput_slow_gpus)

/* Data that is kept */
#define CONSTANTS_DATA(X) X(zstd_text) X(zstd_text_low) X(zstd_text_high)

/* One standard deviation of the logarithm of an error */
#define CONSTANTS_SPREADS(X) \
    X(spread_step) X(spread_gpus) X(spread_machines) X(spread_experts) \
    X(spread_other_models) X(spread_stack) X(spread_card) X(spread_devices) \
    X(spread_adapters) X(spread_host) X(late_step) X(late_serving) X(late_untuned) \
    X(late_memory) X(spread_memory) X(spread_memory_hf) X(spread_memory_again) \
    X(spread_memory_held) X(spread_memory_serving) X(spread_power) X(spread_board) \
    X(spread_prefill) X(spread_decode) X(spread_serving) X(spread_serving_gpus) \
    X(spread_serving_narrow) X(spread_serving_host) X(spread_serving_experts) \
    X(spread_serving_device) \
    X(spread_goodput) X(spread_untuned) X(spread_setting) X(spread_method)

#define CONSTANT_NAMES(X) \
    CONSTANTS_PRODUCTS(X) CONSTANTS_ATTENTION(X) CONSTANTS_MEMORY(X) CONSTANTS_HOST(X) \
    CONSTANTS_WIRES(X) CONSTANTS_PICTURES(X) CONSTANTS_SIZES(X) CONSTANTS_POWER(X) \
    CONSTANTS_SERVING(X) CONSTANTS_GOODPUT(X) CONSTANTS_DATA(X) \
    CONSTANTS_SPREADS(X)
/* clang-format on */

#endif
