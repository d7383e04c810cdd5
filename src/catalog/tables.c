/* The columns of every table. The order is that of the files in data/; the keys come first. */
#include "catalog/network.h"

#define KEY(kind, record, member, text) \
    FIELD(kind, record, member, .help = (text), .required = true, .key = true)

/* Every row ends with these. */
#define FACT(record) \
    FIELD_AS("date", DAY, record, fact.date, .help = "date on which it was true", \
             .required = true), \
        FIELD_AS("source", TEXT, record, fact.source, .help = "source, where it was read", \
                 .required = true), \
        FIELD_AS("notes", TEXT, record, fact.notes, .help = "notes")

static const struct field accelerator_columns[] = {
    KEY(TEXT, accelerator, name, "name used by Stint"),
    FIELD(TEXT, accelerator, vendor, .help = "vendor"),
    FIELD(TEXT, accelerator, family, .help = "family: the name without form and memory"),
    FIELD(TEXT, accelerator, form, .help = "SXM, PCIe, OAM, ..."),
    FIELD(TEXT, accelerator, architecture, .help = "generation"),
    FIELD(COUNT, accelerator, year, .help = "release year"),
    FIELD(NUMBER, accelerator, memory_gb, .help = "memory, GB, as in the data sheet",
          .required = true, .positive = true),
    FIELD(TEXT, accelerator, memory_type, .help = "HBM3, GDDR6, ..."),
    FIELD(NUMBER, accelerator, bandwidth_gb_s, .help = "memory bandwidth, GB/s"),
    FIELD(NUMBER, accelerator, fp32_tflops, .help = "dense peak, TFLOPS"),
    FIELD(NUMBER, accelerator, tf32_tflops, .help = "dense peak, TFLOPS"),
    FIELD(NUMBER, accelerator, bf16_tflops, .help = "dense peak, fp32 accumulation, TFLOPS"),
    FIELD(NUMBER, accelerator, fp16_tflops, .help = "dense peak, fp32 accumulation, TFLOPS"),
    FIELD(NUMBER, accelerator, fp8_tflops, .help = "dense peak, TFLOPS"),
    FIELD(NUMBER, accelerator, int8_tops, .help = "dense peak, TOPS"),
    FIELD(NUMBER, accelerator, fp4_tflops, .help = "dense peak, TFLOPS"),
    FIELD(TEXT, accelerator, link, .help = "link to other accelerators"),
    FIELD(NUMBER, accelerator, link_gb_s, .help = "bandwidth of the link, one direction, GB/s"),
    FIELD(TEXT, accelerator, pcie, .help = "bus"),
    FIELD(NUMBER, accelerator, tdp_w, .help = "board power, W"),
    FACT(accelerator),
};

static const struct field name_columns[] = {
    KEY(TEXT, accelerator_name, alias, "alternative name"),
    FIELD(TEXT, accelerator_name, accelerator, .help = "name in accelerators.csv",
          .required = true),
    FACT(accelerator_name),
};

static const struct field offer_columns[] = {
    KEY(TEXT, machine, provider, "provider that sells it"),
    KEY(TEXT, machine, region, "region; * for one price everywhere"),
    FIELD(TEXT, machine, zone, .help = "zone of the spot price", .key = true),
    KEY(TEXT, machine, instance, "instance name"),
    FIELD(TEXT, machine, accelerator, .help = "name in accelerators.csv", .required = true),
    FIELD(COUNT, machine, count, .help = "accelerators in the machine", .required = true,
          .positive = true),
    FIELD(NUMBER, machine, vcpus, .help = "virtual CPUs"),
    FIELD(NUMBER, machine, memory_gib, .help = "memory of the machine, GiB"),
    FIELD_AS("on_demand_usd_h", RATE, machine, on_demand,
             .help = "on-demand price, US dollars per hour", .positive = true),
    FIELD_AS("spot_usd_h", RATE, machine, spot, .help = "spot price, US dollars per hour",
             .positive = true),
    FACT(machine),
};

static const struct field cpu_offer_columns[] = {
    KEY(TEXT, machine, provider, "provider that sells it"),
    KEY(TEXT, machine, region, "region, as the provider names it"),
    KEY(TEXT, machine, instance, "instance name"),
    FIELD(NUMBER, machine, vcpus, .help = "virtual CPUs", .required = true, .positive = true),
    FIELD(NUMBER, machine, memory_gib, .help = "memory of the machine, GiB"),
    FIELD_AS("on_demand_usd_h", RATE, machine, on_demand,
             .help = "on-demand price, US dollars per hour", .positive = true),
    FIELD_AS("spot_usd_h", RATE, machine, spot, .help = "spot price, US dollars per hour",
             .positive = true),
    FACT(machine),
};

static const struct field serverless_columns[] = {
    KEY(TEXT, serverless, provider, "provider that sells it"),
    KEY(TEXT, serverless, product, "product name"),
    KEY(TEXT, serverless, region, "region; * for everywhere"),
    FIELD(TEXT, serverless, accelerator, .help = "accelerator, if it has one"),
    FIELD(USD, serverless, usd_per_million_requests,
          .help = "price of a million requests, US dollars"),
    FIELD(USD, serverless, usd_per_million_gb_seconds,
          .help = "price of a million GB-seconds, US dollars"),
    FIELD(USD, serverless, usd_per_million_vcpu_seconds,
          .help = "price of a million vCPU-seconds, US dollars"),
    FIELD(RATE, serverless, usd_per_gpu_hour,
          .help = "price per GPU-hour, billed by the second"),
    FACT(serverless),
};

static const struct field serverless_terms_columns[] = {
    KEY(TEXT, serverless_terms, provider, "provider that sells it"),
    KEY(TEXT, serverless_terms, product, "product name, or a pattern"),
    FIELD(TEXT, serverless_terms, billing, .required = true,
          .help = "billing model: request (time of requests) or instance (time one is up)"),
    FIELD(NUMBER, serverless_terms, step_ms,
          .help = "step to which billed time is rounded up, ms"),
    FIELD(NUMBER, serverless_terms, minimum_ms, .help = "minimum billed time, ms"),
    FIELD(TEXT, serverless_terms, starts_billed, .help = "cold starts are billed: yes or no"),
    FIELD(NUMBER, serverless_terms, idle_s, .help = "idle time until an instance stops, s"),
    FIELD(TEXT, serverless_terms, idle_settable, .help = "idle time can be set: yes or no"),
    FIELD(NUMBER, serverless_terms, start_s, .help = "cold start without the model, s"),
    FIELD(NUMBER, serverless_terms, load_gb_s, .help = "loading the model, GB/s",
          .positive = true),
    FIELD(NUMBER, serverless_terms, gb_per_vcpu, .help = "memory that comes with a vCPU, GiB",
          .positive = true),
    FIELD(NUMBER, serverless_terms, vcpus_low, .help = "fewest vCPUs of an instance",
          .positive = true),
    FIELD(NUMBER, serverless_terms, vcpus_high, .help = "most vCPUs of an instance",
          .positive = true),
    FIELD(NUMBER, serverless_terms, memory_low_gb, .help = "least memory of an instance, GiB",
          .positive = true),
    FIELD(NUMBER, serverless_terms, memory_high_gb, .help = "most memory of an instance, GiB",
          .positive = true),
    FIELD(NUMBER, serverless_terms, instances_high, .help = "most instances at once",
          .positive = true),
    FIELD(NUMBER, serverless_terms, timeout_s, .help = "longest request, s", .positive = true),
    FIELD(NUMBER, serverless_terms, payload_mb, .help = "largest request, MB",
          .positive = true),
    FIELD(NUMBER, serverless_terms, free_requests, .help = "free requests per month"),
    FIELD(NUMBER, serverless_terms, free_gb_seconds, .help = "free GB-seconds per month"),
    FIELD(NUMBER, serverless_terms, free_vcpu_seconds, .help = "free vCPU-seconds per month"),
    FIELD(TEXT, serverless_terms, basis, .help = "basis of these values"),
    FACT(serverless_terms),
};

static const struct field cpu_columns[] = {
    KEY(TEXT, cpu_kind, provider, "provider that rents it out"),
    KEY(TEXT, cpu_kind, instance, "machine or serverless product, or a pattern"),
    FIELD(TEXT, cpu_kind, cpu, .help = "processor and its vector instructions"),
    FIELD(NUMBER, cpu_kind, fp32_gflops_vcpu, .help = "peak of a vCPU, GFLOPS",
          .required = true, .positive = true),
    FIELD(NUMBER, cpu_kind, bf16_gflops_vcpu,
          .help = "peak of a vCPU in bf16, GFLOPS; empty: none", .positive = true),
    FIELD(NUMBER, cpu_kind, int8_gops_vcpu, .help = "peak of a vCPU in int8, GOPS",
          .positive = true),
    FIELD(NUMBER, cpu_kind, bandwidth_gb_s_vcpu, .required = true, .positive = true,
          .help = "vCPU's share of the socket's memory bandwidth, GB/s"),
    FACT(cpu_kind),
};

static const struct field local_columns[] = {
    KEY(TEXT, local_machine, machine, "short name"),
    FIELD(TEXT, local_machine, accelerator, .help = "name in accelerators.csv",
          .required = true),
    FIELD(COUNT, local_machine, count, .help = "accelerators in the machine", .required = true,
          .positive = true),
    FIELD(NUMBER, local_machine, idle_w, .help = "idle power at the wall, W"),
    FIELD(NUMBER, local_machine, load_w, .help = "power under load at the wall, W"),
    FIELD(USD, local_machine, purchase_usd, .help = "price when new"),
    FACT(local_machine),
};

static const struct field electricity_columns[] = {
    KEY(TEXT, electricity, country, "ISO 3166 alpha-2"),
    KEY(TEXT, electricity, kind, "household or business"),
    FIELD(PER_KWH, electricity, usd_per_kwh, .help = "price per kWh, US dollars",
          .required = true),
    FACT(electricity),
};

static const struct field onprem_columns[] = {
    KEY(TEXT, onprem, machine, "short name"),
    FIELD(TEXT, onprem, accelerator, .help = "name in accelerators.csv", .required = true),
    FIELD(COUNT, onprem, count, .help = "accelerators in the machine", .required = true,
          .positive = true),
    FIELD(RATE, onprem, usd_per_gpu_hour, .help = "total cost of ownership per GPU-hour",
          .positive = true),
    FIELD(USD, onprem, purchase_usd, .help = "price of the machine"),
    FIELD(NUMBER, onprem, years, .help = "years of depreciation"),
    FIELD(SHARE, onprem, utilization, .help = "share of hours in use"),
    FIELD(NUMBER, onprem, power_kw, .help = "power under load, kW"),
    FIELD(TEXT, onprem, site,
          .help = "datacenter or office: selects the costs in ownership.csv"),
    FACT(onprem),
};

static const struct field ownership_columns[] = {
    KEY(TEXT, ownership, site, "datacenter or office"),
    KEY(TEXT, ownership, item, "assumption: years, resale, staff, ..."),
    FIELD(NUMBER, ownership, value, .help = "value in its unit", .required = true),
    FIELD(NUMBER, ownership, low, .help = "low end of the usual range"),
    FIELD(NUMBER, ownership, high, .help = "high end of the usual range"),
    FIELD(TEXT, ownership, unit, .help = "unit of the value"),
    FACT(ownership),
};

static const struct field provider_columns[] = {
    KEY(TEXT, provider, provider, "short name"),
    FIELD(TEXT, provider, title, .help = "full name"),
    FIELD(NUMBER, provider, notice_s, .help = "warning before a spot machine is taken, s"),
    FIELD(NUMBER, provider, billing_s, .help = "billing increment, s"),
    FIELD(NUMBER, provider, minimum_s, .help = "minimum billed time, s"),
    FIELD(NUMBER, provider, setup_s, .help = "typical time from request to training, s"),
    FIELD(SHARE, provider, reliability, .help = "reliability, 0 to 1"),
    FIELD(TEXT, provider, reliability_basis, .help = "basis of the reliability score"),
    FIELD(TEXT, provider, spot_training, .help = "product for spot training, or none"),
    FIELD(TEXT, provider, scale_to_zero, .help = "product that scales to zero, or none"),
    FIELD(TEXT, provider, gpu_sharing, .help = "product for GPU sharing, or none"),
    FIELD(TEXT, provider, billing_export, .help = "product for billing exports, or none"),
    FIELD(FLAG, provider, marketplace, .help = "hosts set the prices, which change daily"),
    FACT(provider),
};

static const struct field retirement_columns[] = {
    KEY(TEXT, retirement, provider, "provider that rented it out"),
    KEY(TEXT, retirement, instances, "instances, a pattern"),
    FIELD(DAY, retirement, until, .help = "last day", .required = true),
    FACT(retirement),
};

static const struct field commitment_columns[] = {
    KEY(TEXT, commitment, provider, "provider that grants it"),
    KEY(TEXT, commitment, kind, "commitment, sustained or spot"),
    KEY(COUNT, commitment, term_months, "term in months; 0: no term"),
    FIELD(TEXT, commitment, families, .key = true,
          .help = "machine families, patterns separated by spaces; empty: all"),
    FIELD(TEXT, commitment, upfront, .key = true,
          .help = "upfront payment: none, partial or all; empty: not stated"),
    FIELD(SHARE, commitment, discount_low, .help = "lowest discount off the on-demand price"),
    FIELD(SHARE, commitment, discount_high, .help = "highest discount off the on-demand price"),
    FIELD(TEXT, commitment, automatic, .help = "automatic: yes or no"),
    FACT(commitment),
};

static const struct field managed_columns[] = {
    KEY(TEXT, managed, provider, "provider that runs it"),
    KEY(TEXT, managed, product, "product name"),
    FIELD(NUMBER, managed, training_markup,
          .help = "markup on training over the bare machine, a fraction"),
    FIELD(NUMBER, managed, serving_markup,
          .help = "markup on endpoints with a GPU over the bare machine, a fraction"),
    FIELD(NUMBER, managed, serving_cpu_markup, .help = "markup on endpoints without a GPU"),
    FIELD(RATE, managed, notebook_low_usd_h,
          .help = "lowest price of a notebook, US dollars per hour"),
    FIELD(RATE, managed, notebook_high_usd_h,
          .help = "highest price of a notebook, US dollars per hour"),
    FIELD(TEXT, managed, clouds,
          .help = "clouds whose machines it uses; empty: its provider's"),
    FIELD(TEXT, managed, includes, .help = "features included in the price besides machines"),
    FACT(managed),
};

static const struct field price_hours_columns[] = {
    KEY(TEXT, price_hours, provider, "provider"),
    KEY(TEXT, price_hours, market, "market: spot or on-demand"),
    KEY(TEXT, price_hours, days, "all, weekday or weekend"),
    KEY(COUNT, price_hours, from_hour, "first hour, UTC"),
    FIELD(COUNT, price_hours, to_hour, .help = "hour after the last, UTC", .required = true,
          .positive = true),
    FIELD(NUMBER, price_hours, multiplier, .help = "multiple of the mean price",
          .required = true, .positive = true),
    FIELD(TEXT, price_hours, kind, .help = "basis: measured or rule of thumb"),
    FACT(price_hours),
};

static const struct field storage_columns[] = {
    KEY(TEXT, storage, provider, "provider of the storage"),
    KEY(TEXT, storage, tier, "hot, warm, cold or archive"),
    FIELD(TEXT, storage, product, .help = "product name"),
    KEY(TEXT, storage, region, "region; * for everywhere"),
    FIELD(PER_GB, storage, usd_gb_month, .help = "price per GB-month, US dollars",
          .required = true),
    FIELD(PER_GB, storage, retrieval_usd_gb, .help = "price of retrieving a GB, US dollars"),
    FIELD(COUNT, storage, minimum_days, .help = "minimum billed days"),
    FIELD(NUMBER, storage, put_usd_1000,
          .help = "price of 1,000 requests that store or move an object to it, US dollars"),
    FIELD(NUMBER, storage, get_usd_1000, .help = "price of 1,000 reads, US dollars"),
    FIELD(NUMBER, storage, minimum_kb, .help = "minimum billed object size, KB"),
    FIELD(TEXT, storage, enter,
          .help = "entry: any (stored or moved by a rule), direct, or use (provider decides)"),
    FIELD(COUNT, storage, rule_days, .help = "age from which a rule can move data to it"),
    FIELD(NUMBER, storage, wait_h, .help = "hours until data can be read"),
    FACT(storage),
};

static const struct field transfer_columns[] = {
    KEY(TEXT, transfer, provider, "provider of the transfer"),
    KEY(TEXT, transfer, kind, "intra-zone, intra-region, inter-region, internet or ingress"),
    KEY(COUNT, transfer, from_gb, "monthly volume from which the price holds, GB"),
    FIELD(PER_GB, transfer, usd_gb, .help = "price per GB, US dollars", .required = true),
    FACT(transfer),
};

static const struct field region_columns[] = {
    KEY(TEXT, region, provider, "provider"),
    KEY(TEXT, region, region, "region name; * for all others"),
    FIELD(TEXT, region, place, .help = "location of the region"),
    FIELD(TEXT, region, country, .help = "ISO 3166 alpha-2"),
    FIELD(TEXT, region, grid, .help = "electricity grid"),
    FIELD(NUMBER, region, carbon_g_kwh, .help = "carbon intensity, g CO2e/kWh"),
    FIELD(TEXT, region, carbon_kind, .help = "kind of carbon factor"),
    FIELD(TEXT, region, carbon_year, .help = "year of the carbon factor"),
    FIELD(NUMBER, region, pue, .help = "power usage effectiveness (PUE)"),
    FIELD(TEXT, region, pue_kind, .help = "scope of the PUE: the region or the fleet"),
    FIELD(SHARE, region, carbon_free, .help = "share of carbon-free energy, where published"),
    FACT(region),
};

static const struct field carbon_hours_columns[] = {
    KEY(TEXT, carbon_hours, grid, "grid, as in regions.csv; * for the others"),
    KEY(COUNT, carbon_hours, from_hour, "first hour, local solar time"),
    FIELD(COUNT, carbon_hours, to_hour, .help = "hour after the last", .required = true,
          .positive = true),
    FIELD(NUMBER, carbon_hours, multiplier, .help = "multiple of the mean intensity",
          .required = true),
    FIELD(TEXT, carbon_hours, kind, .help = "basis: measured or rule of thumb"),
    FACT(carbon_hours),
};

static const struct field compression_kind_columns[] = {
    KEY(TEXT, compression_kind, kind, "quantization, pruning or distillation"),
    KEY(TEXT, compression_kind, method, "method"),
    FIELD(TEXT, compression_kind, precision,
          .help = "formats of a quantization; of pruning, its risk in words"),
    FIELD(NUMBER, compression_kind, size_low, .help = "times smaller, at least"),
    FIELD(NUMBER, compression_kind, size_high, .help = "times smaller, at most"),
    FIELD(NUMBER, compression_kind, cpu_low, .help = "times faster on a CPU, at least"),
    FIELD(NUMBER, compression_kind, cpu_high, .help = "times faster on a CPU, at most"),
    FIELD(NUMBER, compression_kind, gpu_low, .help = "times faster on a GPU, at least"),
    FIELD(NUMBER, compression_kind, gpu_high, .help = "times faster on a GPU, at most"),
    FIELD(SHARE, compression_kind, loss_low, .help = "lowest loss of accuracy"),
    FIELD(SHARE, compression_kind, loss_high, .help = "highest loss of accuracy"),
    FIELD(TEXT, compression_kind, needs, .help = "requirements to make it"),
    FIELD(FLAG, compression_kind, trained, .help = "model is retrained"),
    FACT(compression_kind),
};

static const struct field compression_columns[] = {
    KEY(TEXT, model_compression, method, "quantization, pruning or distillation"),
    KEY(TEXT, model_compression, models, "decoder, encoder or image"),
    FIELD(TEXT, model_compression, weights,
          .help = "storage format of the weights; empty: unchanged"),
    FIELD(TEXT, model_compression, framework, .help = "framework that serves it; empty: any"),
    FIELD(SHARE, model_compression, layers_kept, .help = "share of layers kept",
          .required = true),
    FIELD(SHARE, model_compression, weights_kept, .help = "share of weights that are not zero",
          .required = true),
    FIELD(FLAG, model_compression, trained, .help = "model is retrained"),
    FIELD(TEXT, model_compression, needs, .help = "requirements to make it"),
    FIELD(SHARE, model_compression, loss_low,
          .help = "lowest loss of the metric, relative; empty: unknown"),
    FIELD(SHARE, model_compression, loss_high, .help = "highest loss of the metric, relative"),
    FIELD(TEXT, model_compression, metric, .help = "metric of the loss"),
    FACT(model_compression),
};

static const char *const maturity_domains[] = {"inform", "optimize", "operate", NULL};

static const struct field maturity_columns[] = {
    FIELD_AS("fact", TEXT, maturity_threshold, key, .help = "measured fact", .required = true,
             .key = true),
    FIELD(CHOICE, maturity_threshold, domain, .choices = maturity_domains, .required = true,
          .help = "inform, optimize or operate"),
    FIELD(NUMBER, maturity_threshold, crawl, .help = "value that reaches the level",
          .required = true),
    FIELD(NUMBER, maturity_threshold, walk, .help = "value that reaches the level",
          .required = true),
    FIELD(NUMBER, maturity_threshold, run, .help = "value that reaches the level",
          .required = true),
    FIELD(TEXT, maturity_threshold, next, .help = "command to type", .required = true),
    FACT(maturity_threshold),
};

static const struct field checklist_columns[] = {
    KEY(TEXT, checklist_item, phase, "phase of the work"),
    KEY(TEXT, checklist_item, item, "name within the phase"),
    FIELD(COUNT, checklist_item, rank, .help = "place within the phase"),
    FIELD(TEXT, checklist_item, text, .help = "task to do", .required = true),
    FIELD(TEXT, checklist_item, how, .help = "instructions", .required = true),
    FIELD_AS("fact", TEXT, checklist_item, key, .help = "measured fact that proves it"),
    FIELD(NUMBER, checklist_item, at_least, .help = "lowest value of the fact that proves it"),
    FIELD(NUMBER, checklist_item, at_most, .help = "highest value of the fact that proves it"),
    FACT(checklist_item),
};

static const struct field target_columns[] = {
    FIELD_AS("fact", TEXT, target_default, key, .help = "measured fact", .required = true,
             .key = true),
    FIELD(NUMBER, target_default, target, .help = "goal, in the unit of the fact",
          .required = true),
    FACT(target_default),
};

static const struct field spend_columns[] = {
    KEY(TEXT, spend, workload, "kind of work"),
    KEY(TEXT, spend, size, "minimal, typical or enterprise"),
    FIELD(USD, spend, low_usd_month, .help = "low end of the spending, US dollars per month",
          .required = true),
    FIELD(USD, spend, high_usd_month, .help = "high end of the spending, US dollars per month",
          .required = true),
    FACT(spend),
};

static const char *const model_kinds[] = {"decoder", "encoder", "encoder-decoder", "vit", NULL};
static const char *const model_biases[] = {"none", "qkv", "all", NULL};

static const struct field model_columns[] = {
    KEY(TEXT, model, name, "name used by Stint"),
    FIELD(CHOICE, model, kind, .choices = model_kinds, .required = true,
          .help = "decoder, encoder, encoder-decoder or vit"),
    FIELD(COUNT, model, layers, .help = "layers; of the encoder, where there are both",
          .required = true, .positive = true),
    FIELD(COUNT, model, hidden, .help = "hidden width", .required = true, .positive = true),
    FIELD(COUNT, model, heads, .help = "query heads", .required = true, .positive = true),
    FIELD(COUNT, model, kv_heads, .help = "key-value heads", .positive = true),
    FIELD(COUNT, model, head_dim, .help = "head dimension, when it is not hidden/heads",
          .positive = true),
    FIELD(COUNT, model, ffn, .help = "width of the dense feed-forward"),
    FIELD(FLAG, model, gated, .help = "gated feed-forward: three matrices, not two"),
    FIELD(COUNT, model, vocab, .help = "rows of the embedding; classes of a vit",
          .required = true, .positive = true),
    FIELD(FLAG, model, tied, .help = "tied embeddings: the head is the embedding"),
    FIELD(CHOICE, model, bias, .choices = model_biases, .help = "none, qkv or all"),
    FIELD(COUNT, model, positions, .help = "learned position embeddings"),
    FIELD(COUNT, model, context, .help = "longest sequence, tokens"),
    FIELD(COUNT, model, window, .help = "window of sliding attention, tokens"),
    FIELD(COUNT, model, full_every,
          .help = "period of the layers without sliding attention: one in N"),
    FIELD(COUNT, model, experts, .help = "experts per layer"),
    FIELD(COUNT, model, active_experts, .help = "active experts per token"),
    FIELD(COUNT, model, expert_ffn, .help = "width of one expert"),
    FIELD(COUNT, model, shared_ffn,
          .help = "width of the shared experts, which every token passes"),
    FIELD(COUNT, model, dense_layers, .help = "first layers without experts"),
    FIELD(COUNT, model, q_rank, .help = "latent attention: rank of the queries"),
    FIELD(COUNT, model, kv_rank, .help = "latent attention: rank of keys and values"),
    FIELD(COUNT, model, rope_dim, .help = "latent attention: rotated part of a head"),
    FIELD(COUNT, model, value_dim, .help = "latent attention: dimension of a value head"),
    FIELD(COUNT, model, decoder_layers, .help = "decoder layers of an encoder-decoder"),
    FIELD(COUNT, model, patch, .help = "patch size, pixels"),
    FIELD(COUNT, model, resolution, .help = "image size, pixels"),
    FIELD(NUMBER, model, params_b, .help = "parameters, billions", .required = true,
          .positive = true),
    FIELD(TEXT, model, weights,
          .help = "format of the published weights: fp8, mxfp4, int4 (empty: 16 bits)"),
    FIELD(TEXT, model, aliases, .help = "other names, separated by semicolons"),
    FACT(model),
};

static const struct field image_model_columns[] = {
    KEY(TEXT, image_model, name, "name used by Stint"),
    FIELD(NUMBER, image_model, params_m, .help = "parameters, millions", .required = true,
          .positive = true),
    FIELD(COUNT, image_model, resolution, .help = "image size, pixels", .required = true,
          .positive = true),
    FIELD(NUMBER, image_model, forward_gflop, .help = "forward pass of one image, GFLOP",
          .required = true, .positive = true),
    FIELD(NUMBER, image_model, saved_melem, .required = true,
          .help = "values kept for the backward pass, million elements per image"),
    FIELD(NUMBER, image_model, output_melem, .required = true,
          .help = "values written by the forward pass, million elements per image"),
    FIELD(NUMBER, image_model, ops, .help = "operations of a forward pass", .required = true),
    FIELD(SHARE, image_model, depthwise_share,
          .help = "share of the work in grouped convolutions"),
    FIELD(NUMBER, image_model, group_width, .help = "channels per group; 1: depthwise"),
    FIELD(NUMBER, image_model, group_kernel, .help = "kernel size of the grouped convolutions"),
    FIELD(FLAG, image_model, layered, .help = "layer or group norms instead of batch norms"),
    FIELD(COUNT, image_model, adapters, .help = "matrices that LoRA adapts"),
    FIELD(SHARE, image_model, shape_rate,
          .help = "share of the usual matrix-product rate that its shapes reach"),
    FIELD(NUMBER, image_model, text_params_m,
          .help = "parameters of the text encoders, millions, for models that work on latents"),
    FIELD(TEXT, image_model, aliases, .help = "other names, separated by semicolons"),
    FACT(image_model),
};

static const struct field constant_columns[] = {
    KEY(TEXT, constant, name, "name in the estimator"),
    FIELD(NUMBER, constant, value, .help = "value in use", .required = true),
    FIELD(TEXT, constant, unit, .help = "unit of the value"),
    FIELD(NUMBER, constant, prior, .help = "prior value, known without the measured rows"),
    FIELD(NUMBER, constant, spread,
          .help = "allowed distance of the fit from the prior, log of a factor"),
    FIELD(TEXT, constant, fitted_on, .help = "measured rows it was fitted on, or none"),
    FACT(constant),
};

static const struct field discount_columns[] = {
    KEY(TEXT, discount, provider, "provider that grants it; patterns such as * match"),
    FIELD(TEXT, discount, region, .help = "region; a pattern", .fallback = "*", .key = true),
    FIELD(TEXT, discount, instance, .help = "machines it applies to; a pattern",
          .fallback = "*", .key = true),
    FIELD(TEXT, discount, market, .help = "market: on-demand, spot, ...; a pattern",
          .fallback = "on-demand", .key = true),
    FIELD(SHARE, discount, discount, .help = "discount off the list price: 0.12 or 12%"),
    FIELD(RATE, discount, price_h, .help = "price per machine-hour, instead of a discount",
          .positive = true),
    FIELD(TEXT, discount, currency, .help = "currency of the price", .fallback = "USD"),
    FIELD(DAY, discount, from, .help = "first day"),
    FIELD(DAY, discount, until, .help = "last day"),
    FACT(discount),
};

static const struct field exchange_columns[] = {
    KEY(TEXT, exchange, currency, "currency code, such as EUR"),
    FIELD(NUMBER, exchange, usd, .help = "value of one unit in US dollars", .required = true,
          .positive = true),
    FACT(exchange),
};

static const struct field interruption_columns[] = {
    KEY(TEXT, interruption, provider, "provider"),
    KEY(TEXT, interruption, region, "region, as the provider names it"),
    FIELD(TEXT, interruption, zone, .help = "zone of the region", .key = true),
    KEY(TEXT, interruption, accelerator, "name in accelerators.csv"),
    KEY(COUNT, interruption, count, "accelerators in the machine"),
    FIELD(SHARE, interruption, spot_share, .help = "mean spot price as a share of on-demand"),
    FIELD(SHARE, interruption, availability,
          .help = "share of time in which one was available"),
    FIELD(SHARE, interruption, lost_30min, .help = "share lost within half an hour"),
    FIELD(SHARE, interruption, lost_1h, .help = "share lost within an hour", .required = true),
    FIELD(SHARE, interruption, lost_2h, .help = "share lost within two hours"),
    FIELD(SHARE, interruption, lost_4h, .help = "share lost within four hours"),
    FIELD(SHARE, interruption, lost_8h, .help = "share lost within eight hours"),
    FIELD(SHARE, interruption, lost_24h, .help = "share lost within a day"),
    FIELD(NUMBER, interruption, days, .help = "days of observation"),
    FACT(interruption),
};

static const char *const joinable_words[] = {"yes", "cluster", "no", "single", NULL};
static const char *const qualities[] = {"A", "B", "C", NULL};

static const struct field network_columns[] = {
    KEY(TEXT, network, provider, "provider"),
    KEY(TEXT, network, instance,
        "instances; patterns such as g5.* match, the narrowest counts"),
    FIELD(NUMBER, network, gbit_s, .help = "bandwidth of one machine to others, Gbit/s",
          .positive = true),
    FIELD(TEXT, network, kind, .help = "InfiniBand, EFA, RoCE, Ethernet, ..."),
    FIELD(CHOICE, network, joinable, .choices = joinable_words, .required = true,
          .help = "machines can work on one job: yes, cluster (separate product), no, or "
                  "single (bare host)"),
    FIELD(COUNT, network, min_machines, .help = "fewest machines rented together"),
    FIELD(COUNT, network, max_machines,
          .help = "most machines available without a contract; empty: not published"),
    FIELD(COUNT, network, step, .help = "step in which machines can be added"),
    FIELD(NUMBER, network, disk_gb, .positive = true,
          .help = "disk of one machine, GB, where no other disk can be attached"),
    FIELD(CHOICE, network, quality, .choices = qualities,
          .help = "quality: A read at the source, B seen in an excerpt, C not verified"),
    FACT(network),
};

static const char *const limit_kinds[] = {"quota", "spend", NULL};

static const struct field limit_columns[] = {
    KEY(TEXT, limit, provider, "provider"),
    FIELD(CHOICE, limit, kind, .choices = limit_kinds, .required = true, .key = true,
          .help = "kind: quota or spend"),
    KEY(TEXT, limit, instance, "machines it applies to; a pattern"),
    KEY(TEXT, limit, market, "market: on-demand or spot"),
    FIELD(NUMBER, limit, most, .help = "limit of a new account", .required = true),
    FIELD(TEXT, limit, unit, .help = "vCPU, GPUs, machines or USD/h", .required = true),
    FIELD(CHOICE, limit, quality, .choices = qualities,
          .help = "quality: A read at the source, B seen in an excerpt, C not verified"),
    FACT(limit),
};

static const struct field price_drift_columns[] = {
    KEY(TEXT, price_drift, providers, "providers: patterns separated by spaces"),
    KEY(TEXT, price_drift, gpus, "accelerators: patterns separated by spaces"),
    KEY(TEXT, price_drift, market, "market: spot or on-demand"),
    KEY(COUNT, price_drift, age_days, "age of the price"),
    FIELD(NUMBER, price_drift, width, .required = true,
          .help = "log width: 8 of 10 later prices are within a factor of exp(width)"),
    FIELD(SHARE, price_drift, unchanged, .help = "share of later prices that are unchanged"),
    FIELD(NUMBER, price_drift, width_changed,
          .help = "log width of the changed prices: 8 of 10 are within a factor of exp(width)"),
    FIELD(COUNT, price_drift, half_years,
          .help = "half-years it was fitted to, each of one provider; others also count"),
    FACT(price_drift),
};

static const struct field token_price_columns[] = {
    KEY(TEXT, token_price, provider, "provider that serves it"),
    KEY(TEXT, token_price, model, "model name at the provider"),
    FIELD(TEXT, token_price, serves, .help = "name in models.csv; empty: closed weights"),
    FIELD(USD, token_price, input_usd_per_m, .required = true,
          .help = "price of a million input tokens, US dollars"),
    FIELD(USD, token_price, output_usd_per_m, .required = true,
          .help = "price of a million output tokens"),
    FIELD(USD, token_price, cached_input_usd_per_m,
          .help = "price of a million input tokens cached by the provider"),
    FIELD(USD, token_price, batch_input_usd_per_m,
          .help = "price of a million input tokens, answered within a day"),
    FIELD(USD, token_price, batch_output_usd_per_m,
          .help = "price of a million output tokens, answered within a day"),
    FIELD(COUNT, token_price, max_input_tokens, .help = "longest input of a request, tokens"),
    FACT(token_price),
};

static const struct field gpu_part_columns[] = {
    KEY(TEXT, gpu_part, accelerator, "name in accelerators.csv"),
    KEY(TEXT, gpu_part, profile, "profile of the GPU share: 1g.10gb"),
    FIELD(NUMBER, gpu_part, memory_gb, .required = true, .positive = true,
          .help = "memory, GB"),
    FIELD(SHARE, gpu_part, memory_share, .required = true,
          .help = "share of the memory and its bandwidth"),
    FIELD(SHARE, gpu_part, compute_share, .required = true,
          .help = "share of the multiprocessors"),
    FIELD(COUNT, gpu_part, instances, .required = true, .positive = true,
          .help = "instances of this profile per GPU"),
    FACT(gpu_part),
};

static const struct field edge_columns[] = {
    KEY(TEXT, edge_device, device, "short name"),
    FIELD(TEXT, edge_device, accelerator,
          .help = "name in accelerators.csv; empty: its CPU serves (cpus.csv)"),
    FIELD(NUMBER, edge_device, vcpus, .positive = true, .help = "CPU cores, where they serve"),
    FIELD(NUMBER, edge_device, memory_gib, .positive = true,
          .help = "memory, GiB, where the CPU serves"),
    FIELD(USD, edge_device, purchase_usd, .required = true,
          .help = "purchase price, US dollars; 0: it is the users' own"),
    FIELD(NUMBER, edge_device, years, .required = true, .positive = true,
          .help = "years of service"),
    FIELD(NUMBER, edge_device, idle_w, .required = true, .help = "idle power at the wall, W"),
    FIELD(NUMBER, edge_device, load_w, .required = true,
          .help = "power under load at the wall, W"),
    FACT(edge_device),
};

static const char *const traffic_days[] = {"all", "weekday", "weekend", NULL};

static const struct field traffic_columns[] = {
    KEY(TEXT, traffic_hours, shape, "name of the traffic pattern"),
    FIELD(CHOICE, traffic_hours, days, .choices = traffic_days, .required = true, .key = true,
          .help = "all, weekday or weekend"),
    KEY(COUNT, traffic_hours, from_hour, "first hour, local time"),
    FIELD(COUNT, traffic_hours, to_hour, .help = "hour after the last", .required = true,
          .positive = true),
    FIELD(SHARE, traffic_hours, share, .required = true, .help = "share of the peak rate"),
    FACT(traffic_hours),
};

#define TABLE(label, record, columns_, kept, text) \
    { \
        .name = (label), .about = (text), .history = (kept), \
        .columns = &(const struct field_set)FIELD_SET(struct record, columns_), \
    }

const struct catalog_table_info catalog_tables[TABLE_COUNT] = {
    [TABLE_ACCELERATORS] = TABLE("accelerators", accelerator, accelerator_columns, false,
                                 "GPUs and other accelerators"),
    [TABLE_NAMES] = TABLE("names", accelerator_name, name_columns, false, "alternative names"),
    [TABLE_OFFERS] =
        TABLE("offers", machine, offer_columns, true, "machines with accelerators: prices"),
    [TABLE_CPU_OFFERS] = TABLE("cpu_offers", machine, cpu_offer_columns, true,
                               "machines without accelerators: prices"),
    [TABLE_SERVERLESS] =
        TABLE("serverless", serverless, serverless_columns, false, "pay-per-request products"),
    [TABLE_SERVERLESS_TERMS] =
        TABLE("serverless_terms", serverless_terms, serverless_terms_columns, false,
              "billing, start and stop times, and limits"),
    [TABLE_CPUS] = TABLE("cpus", cpu_kind, cpu_columns, false,
                         "performance of a vCPU, by machine or product"),
    [TABLE_LOCAL] =
        TABLE("local", local_machine, local_columns, false, "machines under a desk: power"),
    [TABLE_ELECTRICITY] = TABLE("electricity", electricity, electricity_columns, false,
                                "price of a kWh, by country"),
    [TABLE_ONPREM] = TABLE("onprem", onprem, onprem_columns, false,
                           "owned machines in a rack: cost of a GPU-hour"),
    [TABLE_OWNERSHIP] = TABLE("ownership", ownership, ownership_columns, false,
                              "costs of owning a machine besides its price"),
    [TABLE_PROVIDERS] = TABLE("providers", provider, provider_columns, false,
                              "billing, interruption notice and start time of providers"),
    [TABLE_COMMITMENTS] = TABLE("commitments", commitment, commitment_columns, false,
                                "discounts for commitment and sustained use"),
    [TABLE_MANAGED] = TABLE("managed", managed, managed_columns, false,
                            "markup of managed platforms, notebooks"),
    [TABLE_PRICE_HOURS] = TABLE("price_hours", price_hours, price_hours_columns, false,
                                "price by hour of the day"),
    [TABLE_STORAGE] = TABLE("storage", storage, storage_columns, false, "storage tiers"),
    [TABLE_TRANSFER] =
        TABLE("transfer", transfer, transfer_columns, false, "price of moving a GB"),
    [TABLE_REGIONS] =
        TABLE("regions", region, region_columns, false, "carbon intensity and PUE"),
    [TABLE_CARBON_HOURS] = TABLE("carbon_hours", carbon_hours, carbon_hours_columns, false,
                                 "carbon intensity by hour of the day"),
    [TABLE_SPEND] =
        TABLE("spend", spend, spend_columns, false, "typical monthly spend by kind of work"),
    [TABLE_MODELS] =
        TABLE("models", model, model_columns, false, "architectures of known models"),
    [TABLE_IMAGE_MODELS] = TABLE("image_models", image_model, image_model_columns, false,
                                 "image models: compute and memory per image"),
    [TABLE_CONSTANTS] = TABLE("constants", constant, constant_columns, false,
                              "constants of the estimator and what they were fitted on"),
    [TABLE_DISCOUNTS] = TABLE("discounts", discount, discount_columns, false,
                              "negotiated prices: none are built in"),
    [TABLE_EXCHANGE] = TABLE("exchange", exchange, exchange_columns, true,
                             "exchange rates: none are built in"),
    [TABLE_INTERRUPTIONS] = TABLE("interruptions", interruption, interruption_columns, true,
                                  "lifetimes of spot machines, where observed"),
    [TABLE_NETWORKS] = TABLE("networks", network, network_columns, false,
                             "machines that can be joined: by which network, and how many"),
    [TABLE_LIMITS] =
        TABLE("limits", limit, limit_columns, false, "quotas and limits of new accounts"),
    [TABLE_PRICE_DRIFT] = TABLE("price_drift", price_drift, price_drift_columns, false,
                                "drift of prices with their age"),
    [TABLE_COMPRESSION] = TABLE("compression", model_compression, compression_columns, false,
                                "smaller models for serving: loss of accuracy"),
    [TABLE_COMPRESSION_KINDS] =
        TABLE("compression_kinds", compression_kind, compression_kind_columns, false,
              "kinds of compression: size, speed and loss as a rule"),
    [TABLE_MATURITY] = TABLE("maturity", maturity_threshold, maturity_columns, false,
                             "thresholds of cost maturity, by measured fact"),
    [TABLE_CHECKLIST] = TABLE("checklist", checklist_item, checklist_columns, false,
                              "checklists of cost optimization, by phase"),
    [TABLE_TARGETS] =
        TABLE("targets", target_default, target_columns, false, "goals for measured facts"),
    [TABLE_TOKEN_PRICES] = TABLE("token_prices", token_price, token_price_columns, false,
                                 "hosted models, paid by tokens"),
    [TABLE_GPU_PARTS] =
        TABLE("gpu_parts", gpu_part, gpu_part_columns, false, "shares of a GPU (MIG)"),
    [TABLE_EDGE] = TABLE("edge", edge_device, edge_columns, false,
                         "devices to buy: price, power, lifetime"),
    [TABLE_TRAFFIC] = TABLE("traffic", traffic_hours, traffic_columns, false,
                            "traffic patterns: rate by hour of the day"),
    [TABLE_RETIRED] = TABLE("retired", retirement, retirement_columns, false,
                            "machines that are not rented out any more"),
};
