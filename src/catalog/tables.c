/* The columns of every table. The order is that of the files in data/; the keys come first. */
#include "catalog/network.h"

#define KEY(kind, record, member, text) \
    FIELD(kind, record, member, .help = (text), .required = true, .key = true)

/* Every row ends with these. */
#define FACT(record) \
    FIELD_AS("date", DAY, record, fact.date, .help = "the day on which it was true", \
             .required = true), \
        FIELD_AS("source", TEXT, record, fact.source, .help = "where it was read", \
                 .required = true), \
        FIELD_AS("notes", TEXT, record, fact.notes, .help = "what to know about it")

static const struct field accelerator_columns[] = {
    KEY(TEXT, accelerator, name, "the one name of the program"),
    FIELD(TEXT, accelerator, vendor, .help = "who makes it"),
    FIELD(TEXT, accelerator, family, .help = "its name without form and memory"),
    FIELD(TEXT, accelerator, form, .help = "SXM, PCIe, OAM, ..."),
    FIELD(TEXT, accelerator, architecture, .help = "generation"),
    FIELD(COUNT, accelerator, year, .help = "of release"),
    FIELD(NUMBER, accelerator, memory_gb, .help = "GB, as the data sheet prints it",
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
    FIELD(TEXT, accelerator, link, .help = "to other accelerators"),
    FIELD(NUMBER, accelerator, link_gb_s, .help = "of the link, one direction, GB/s"),
    FIELD(TEXT, accelerator, pcie, .help = "bus"),
    FIELD(NUMBER, accelerator, tdp_w, .help = "board power, W"),
    FACT(accelerator),
};

static const struct field name_columns[] = {
    KEY(TEXT, accelerator_name, alias, "what people call it"),
    FIELD(TEXT, accelerator_name, accelerator, .help = "its name in accelerators.csv",
          .required = true),
    FACT(accelerator_name),
};

static const struct field offer_columns[] = {
    KEY(TEXT, machine, provider, "who sells it"),
    KEY(TEXT, machine, region, "where; * for one price everywhere"),
    FIELD(TEXT, machine, zone, .help = "of the spot price", .key = true),
    KEY(TEXT, machine, instance, "the machine's name"),
    FIELD(TEXT, machine, accelerator, .help = "its name in accelerators.csv", .required = true),
    FIELD(COUNT, machine, count, .help = "accelerators in the machine", .required = true,
          .positive = true),
    FIELD(NUMBER, machine, vcpus, .help = "virtual CPUs"),
    FIELD(NUMBER, machine, memory_gib, .help = "of the machine, GiB"),
    FIELD_AS("on_demand_usd_h", RATE, machine, on_demand, .help = "US dollars an hour",
             .positive = true),
    FIELD_AS("spot_usd_h", RATE, machine, spot, .help = "US dollars an hour", .positive = true),
    FACT(machine),
};

static const struct field cpu_offer_columns[] = {
    KEY(TEXT, machine, provider, "who sells it"),
    KEY(TEXT, machine, region, "where"),
    KEY(TEXT, machine, instance, "the machine's name"),
    FIELD(NUMBER, machine, vcpus, .help = "virtual CPUs", .required = true, .positive = true),
    FIELD(NUMBER, machine, memory_gib, .help = "of the machine, GiB"),
    FIELD_AS("on_demand_usd_h", RATE, machine, on_demand, .help = "US dollars an hour",
             .positive = true),
    FIELD_AS("spot_usd_h", RATE, machine, spot, .help = "US dollars an hour", .positive = true),
    FACT(machine),
};

static const struct field serverless_columns[] = {
    KEY(TEXT, serverless, provider, "who sells it"),
    KEY(TEXT, serverless, product, "its name"),
    KEY(TEXT, serverless, region, "where; * for everywhere"),
    FIELD(TEXT, serverless, accelerator, .help = "when it has one"),
    FIELD(USD, serverless, usd_per_million_requests, .help = "US dollars"),
    FIELD(USD, serverless, usd_per_million_gb_seconds, .help = "US dollars"),
    FIELD(USD, serverless, usd_per_million_vcpu_seconds, .help = "US dollars"),
    FIELD(RATE, serverless, usd_per_gpu_hour, .help = "billed by the second"),
    FACT(serverless),
};

static const struct field serverless_terms_columns[] = {
    KEY(TEXT, serverless_terms, provider, "who sells it"),
    KEY(TEXT, serverless_terms, product, "its name, or a pattern"),
    FIELD(TEXT, serverless_terms, billing, .required = true,
          .help = "request: time of requests is billed; instance: all the time that one is up"),
    FIELD(NUMBER, serverless_terms, step_ms, .help = "billed time is rounded up to, ms"),
    FIELD(NUMBER, serverless_terms, minimum_ms, .help = "least billed time, ms"),
    FIELD(TEXT, serverless_terms, starts_billed, .help = "yes or no: cold starts"),
    FIELD(NUMBER, serverless_terms, idle_s, .help = "until an idle instance stops, s"),
    FIELD(TEXT, serverless_terms, idle_settable, .help = "yes or no: users decide how long"),
    FIELD(NUMBER, serverless_terms, start_s, .help = "cold start without the model, s"),
    FIELD(NUMBER, serverless_terms, load_gb_s, .help = "loading the model, GB/s",
          .positive = true),
    FIELD(NUMBER, serverless_terms, gb_per_vcpu, .help = "memory that comes with a vCPU, GiB",
          .positive = true),
    FIELD(NUMBER, serverless_terms, vcpus_low, .help = "of an instance", .positive = true),
    FIELD(NUMBER, serverless_terms, vcpus_high, .help = "of an instance", .positive = true),
    FIELD(NUMBER, serverless_terms, memory_low_gb, .help = "of an instance, GiB",
          .positive = true),
    FIELD(NUMBER, serverless_terms, memory_high_gb, .help = "of an instance, GiB",
          .positive = true),
    FIELD(NUMBER, serverless_terms, instances_high, .help = "at once", .positive = true),
    FIELD(NUMBER, serverless_terms, timeout_s, .help = "of a request, s", .positive = true),
    FIELD(NUMBER, serverless_terms, payload_mb, .help = "of a request, MB", .positive = true),
    FIELD(NUMBER, serverless_terms, free_requests, .help = "a month"),
    FIELD(NUMBER, serverless_terms, free_gb_seconds, .help = "a month"),
    FIELD(NUMBER, serverless_terms, free_vcpu_seconds, .help = "a month"),
    FIELD(TEXT, serverless_terms, basis, .help = "how well each of these is known"),
    FACT(serverless_terms),
};

static const struct field cpu_columns[] = {
    KEY(TEXT, cpu_kind, provider, "who rents it out"),
    KEY(TEXT, cpu_kind, instance, "machine or serverless product, or a pattern"),
    FIELD(TEXT, cpu_kind, cpu, .help = "the processor, and its vector instructions"),
    FIELD(NUMBER, cpu_kind, fp32_gflops_vcpu, .help = "peak of a vCPU, GFLOPS",
          .required = true, .positive = true),
    FIELD(NUMBER, cpu_kind, bf16_gflops_vcpu, .help = "the same in bf16; empty: it has none",
          .positive = true),
    FIELD(NUMBER, cpu_kind, int8_gops_vcpu, .help = "the same in int8, GOPS", .positive = true),
    FIELD(NUMBER, cpu_kind, bandwidth_gb_s_vcpu, .required = true, .positive = true,
          .help = "its share of the socket's memory bandwidth, GB/s"),
    FACT(cpu_kind),
};

static const struct field local_columns[] = {
    KEY(TEXT, local_machine, machine, "a short name"),
    FIELD(TEXT, local_machine, accelerator, .help = "its name in accelerators.csv",
          .required = true),
    FIELD(COUNT, local_machine, count, .help = "accelerators in it", .required = true,
          .positive = true),
    FIELD(NUMBER, local_machine, idle_w, .help = "at the wall, W"),
    FIELD(NUMBER, local_machine, load_w, .help = "at the wall, W"),
    FIELD(USD, local_machine, purchase_usd, .help = "price of a new one"),
    FACT(local_machine),
};

static const struct field electricity_columns[] = {
    KEY(TEXT, electricity, country, "ISO 3166 alpha-2"),
    KEY(TEXT, electricity, kind, "household or business"),
    FIELD(PER_KWH, electricity, usd_per_kwh, .help = "US dollars", .required = true),
    FACT(electricity),
};

static const struct field onprem_columns[] = {
    KEY(TEXT, onprem, machine, "a short name"),
    FIELD(TEXT, onprem, accelerator, .help = "its name in accelerators.csv", .required = true),
    FIELD(COUNT, onprem, count, .help = "accelerators in it", .required = true,
          .positive = true),
    FIELD(RATE, onprem, usd_per_gpu_hour, .help = "total cost of ownership", .positive = true),
    FIELD(USD, onprem, purchase_usd, .help = "price of the machine"),
    FIELD(NUMBER, onprem, years, .help = "over which it is written off"),
    FIELD(SHARE, onprem, utilisation, .help = "share of hours in use"),
    FIELD(NUMBER, onprem, power_kw, .help = "at work, kW"),
    FIELD(TEXT, onprem, site, .help = "datacenter or office: whose costs of ownership.csv"),
    FACT(onprem),
};

static const struct field ownership_columns[] = {
    KEY(TEXT, ownership, site, "datacenter or office"),
    KEY(TEXT, ownership, item, "what is assumed: years, resale, staff, ..."),
    FIELD(NUMBER, ownership, value, .help = "in its unit", .required = true),
    FIELD(NUMBER, ownership, low, .help = "of the usual range"),
    FIELD(NUMBER, ownership, high, .help = "of the usual range"),
    FIELD(TEXT, ownership, unit, .help = "of the numbers"),
    FACT(ownership),
};

static const struct field provider_columns[] = {
    KEY(TEXT, provider, provider, "its short name"),
    FIELD(TEXT, provider, title, .help = "its full name"),
    FIELD(NUMBER, provider, notice_s, .help = "warning before a spot machine is taken, s"),
    FIELD(NUMBER, provider, billing_s, .help = "the step in which time is billed, s"),
    FIELD(NUMBER, provider, minimum_s, .help = "the least that is billed, s"),
    FIELD(NUMBER, provider, setup_s, .help = "typical time from asking to training, s"),
    FIELD(SHARE, provider, reliability, .help = "0 to 1"),
    FIELD(TEXT, provider, reliability_basis, .help = "what the score rests on"),
    FIELD(TEXT, provider, spot_training, .help = "its product, or none"),
    FIELD(TEXT, provider, scale_to_zero, .help = "its product, or none"),
    FIELD(TEXT, provider, gpu_sharing, .help = "its product, or none"),
    FIELD(TEXT, provider, billing_export, .help = "its product, or none"),
    FACT(provider),
};

static const struct field commitment_columns[] = {
    KEY(TEXT, commitment, provider, "who grants it"),
    KEY(TEXT, commitment, kind, "commitment, sustained or spot"),
    KEY(COUNT, commitment, term_months, "0 when there is no term"),
    FIELD(TEXT, commitment, families, .key = true,
          .help = "of machines, patterns between blanks; empty: all"),
    FIELD(TEXT, commitment, upfront, .key = true,
          .help = "none, partial or all is paid at once; empty: not stated"),
    FIELD(SHARE, commitment, discount_low, .help = "off the on-demand price"),
    FIELD(SHARE, commitment, discount_high, .help = "off the on-demand price"),
    FIELD(TEXT, commitment, automatic, .help = "yes or no"),
    FACT(commitment),
};

static const struct field managed_columns[] = {
    KEY(TEXT, managed, provider, "who runs it"),
    KEY(TEXT, managed, product, "its name"),
    FIELD(NUMBER, managed, training_markup, .help = "over the bare machine, a fraction"),
    FIELD(NUMBER, managed, serving_markup,
          .help = "of endpoints with a GPU, over the bare machine, a fraction"),
    FIELD(NUMBER, managed, serving_cpu_markup, .help = "of endpoints without one"),
    FIELD(RATE, managed, notebook_low_usd_h, .help = "US dollars an hour"),
    FIELD(RATE, managed, notebook_high_usd_h, .help = "US dollars an hour"),
    FIELD(TEXT, managed, clouds, .help = "whose machines it uses; empty: its provider's"),
    FIELD(TEXT, managed, includes, .help = "what its price pays for besides machines"),
    FACT(managed),
};

static const struct field price_hours_columns[] = {
    KEY(TEXT, price_hours, provider, "whose price"),
    KEY(TEXT, price_hours, market, "spot or on-demand"),
    KEY(TEXT, price_hours, days, "all, weekday or weekend"),
    KEY(COUNT, price_hours, from_hour, "UTC"),
    FIELD(COUNT, price_hours, to_hour, .help = "UTC, excluded", .required = true,
          .positive = true),
    FIELD(NUMBER, price_hours, multiplier, .help = "of the mean price", .required = true,
          .positive = true),
    FIELD(TEXT, price_hours, kind, .help = "measured or rule of thumb"),
    FACT(price_hours),
};

static const struct field storage_columns[] = {
    KEY(TEXT, storage, provider, "who keeps it"),
    KEY(TEXT, storage, tier, "hot, warm, cold or archive"),
    FIELD(TEXT, storage, product, .help = "its name"),
    KEY(TEXT, storage, region, "where; * for everywhere"),
    FIELD(PER_GB, storage, usd_gb_month, .help = "US dollars", .required = true),
    FIELD(PER_GB, storage, retrieval_usd_gb, .help = "US dollars"),
    FIELD(COUNT, storage, minimum_days, .help = "billed at least"),
    FIELD(NUMBER, storage, put_usd_1000,
          .help = "US dollars for 1,000 requests that store or move an object to it"),
    FIELD(NUMBER, storage, get_usd_1000, .help = "US dollars for 1,000 reads"),
    FIELD(NUMBER, storage, minimum_kb, .help = "smaller objects are billed as this"),
    FIELD(TEXT, storage, enter,
          .help =
              "any (stored there or moved by a rule), direct, or use: the provider decides"),
    FIELD(COUNT, storage, rule_days, .help = "age from which a rule can move data to it"),
    FIELD(NUMBER, storage, wait_h, .help = "hours until data can be read"),
    FACT(storage),
};

static const struct field transfer_columns[] = {
    KEY(TEXT, transfer, provider, "who moves it"),
    KEY(TEXT, transfer, kind, "intra-zone, intra-region, inter-region, internet or ingress"),
    KEY(COUNT, transfer, from_gb, "a month, from which the price holds"),
    FIELD(PER_GB, transfer, usd_gb, .help = "US dollars", .required = true),
    FACT(transfer),
};

static const struct field region_columns[] = {
    KEY(TEXT, region, provider, "whose region"),
    KEY(TEXT, region, region, "its name; * for all others"),
    FIELD(TEXT, region, place, .help = "where it is"),
    FIELD(TEXT, region, country, .help = "ISO 3166 alpha-2"),
    FIELD(TEXT, region, grid, .help = "the electricity grid"),
    FIELD(NUMBER, region, carbon_g_kwh, .help = "carbon intensity, g CO2e/kWh"),
    FIELD(TEXT, region, carbon_kind, .help = "which factor that is"),
    FIELD(TEXT, region, carbon_year, .help = "of the factor"),
    FIELD(NUMBER, region, pue, .help = "power of the halls over power of the machines"),
    FIELD(TEXT, region, pue_kind, .help = "the region's or the fleet's"),
    FIELD(SHARE, region, carbon_free, .help = "share of carbon-free energy, where published"),
    FACT(region),
};

static const struct field carbon_hours_columns[] = {
    KEY(TEXT, carbon_hours, grid, "as in regions.csv; * for the others"),
    KEY(COUNT, carbon_hours, from_hour, "local solar time"),
    FIELD(COUNT, carbon_hours, to_hour, .help = "excluded", .required = true, .positive = true),
    FIELD(NUMBER, carbon_hours, multiplier, .help = "of the mean intensity", .required = true),
    FIELD(TEXT, carbon_hours, kind, .help = "measured or rule of thumb"),
    FACT(carbon_hours),
};

static const struct field compression_columns[] = {
    KEY(TEXT, model_compression, method, "quantization, pruning or distillation"),
    KEY(TEXT, model_compression, models, "decoder, encoder or image"),
    FIELD(TEXT, model_compression, weights, .help = "how they are stored; empty: as before"),
    FIELD(TEXT, model_compression, framework, .help = "that serves it; empty: any"),
    FIELD(SHARE, model_compression, layers_kept, .help = "of the layers", .required = true),
    FIELD(SHARE, model_compression, weights_kept, .help = "that are not zero",
          .required = true),
    FIELD(FLAG, model_compression, trained, .help = "it is trained again"),
    FIELD(TEXT, model_compression, needs, .help = "to make it"),
    FIELD(SHARE, model_compression, loss_low,
          .help = "of the metric, relative; empty: unknown"),
    FIELD(SHARE, model_compression, loss_high, .help = "of the metric, relative"),
    FIELD(TEXT, model_compression, metric, .help = "that the loss was measured with"),
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
    KEY(TEXT, checklist_item, phase, "of the work"),
    KEY(TEXT, checklist_item, item, "its name within the phase"),
    FIELD(COUNT, checklist_item, rank, .help = "place within the phase"),
    FIELD(TEXT, checklist_item, text, .help = "what to do", .required = true),
    FIELD(TEXT, checklist_item, how, .help = "how to do it", .required = true),
    FIELD_AS("fact", TEXT, checklist_item, key, .help = "measured fact that proves it"),
    FIELD(NUMBER, checklist_item, at_least, .help = "value of the fact that proves it"),
    FIELD(NUMBER, checklist_item, at_most, .help = "value of the fact that proves it"),
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
    FIELD(USD, spend, low_usd_month, .help = "US dollars a month", .required = true),
    FIELD(USD, spend, high_usd_month, .help = "US dollars a month", .required = true),
    FACT(spend),
};

static const char *const model_kinds[] = {"decoder", "encoder", "encoder-decoder", "vit", NULL};
static const char *const model_biases[] = {"none", "qkv", "all", NULL};

static const struct field model_columns[] = {
    KEY(TEXT, model, name, "the one name of the program"),
    FIELD(CHOICE, model, kind, .choices = model_kinds, .required = true,
          .help = "decoder, encoder, encoder-decoder or vit"),
    FIELD(COUNT, model, layers, .help = "of the encoder, where there are both",
          .required = true, .positive = true),
    FIELD(COUNT, model, hidden, .help = "width", .required = true, .positive = true),
    FIELD(COUNT, model, heads, .help = "of the queries", .required = true, .positive = true),
    FIELD(COUNT, model, kv_heads, .help = "of keys and values", .positive = true),
    FIELD(COUNT, model, head_dim, .help = "when it is not hidden/heads", .positive = true),
    FIELD(COUNT, model, ffn, .help = "width of the dense feed-forward"),
    FIELD(FLAG, model, gated, .help = "three matrices in the feed-forward, not two"),
    FIELD(COUNT, model, vocab, .help = "rows of the embedding; classes of a vit",
          .required = true, .positive = true),
    FIELD(FLAG, model, tied, .help = "the head is the embedding"),
    FIELD(CHOICE, model, bias, .choices = model_biases, .help = "none, qkv or all"),
    FIELD(COUNT, model, positions, .help = "learned position embeddings"),
    FIELD(COUNT, model, context, .help = "longest sequence, tokens"),
    FIELD(COUNT, model, window, .help = "of sliding attention, tokens"),
    FIELD(COUNT, model, full_every, .help = "one layer in so many is not sliding"),
    FIELD(COUNT, model, experts, .help = "in a layer"),
    FIELD(COUNT, model, active_experts, .help = "for a token"),
    FIELD(COUNT, model, expert_ffn, .help = "width of one expert"),
    FIELD(COUNT, model, shared_ffn, .help = "width of what every token passes"),
    FIELD(COUNT, model, dense_layers, .help = "first layers without experts"),
    FIELD(COUNT, model, q_rank, .help = "latent attention: of the queries"),
    FIELD(COUNT, model, kv_rank, .help = "latent attention: of keys and values"),
    FIELD(COUNT, model, rope_dim, .help = "latent attention: rotated part of a head"),
    FIELD(COUNT, model, value_dim, .help = "latent attention: of a value head"),
    FIELD(COUNT, model, decoder_layers, .help = "of an encoder-decoder"),
    FIELD(COUNT, model, patch, .help = "side of a patch, pixels"),
    FIELD(COUNT, model, resolution, .help = "side of the picture, pixels"),
    FIELD(NUMBER, model, params_b, .help = "parameters, billions", .required = true,
          .positive = true),
    FIELD(TEXT, model, aliases, .help = "other names, between semicolons"),
    FACT(model),
};

static const struct field image_model_columns[] = {
    KEY(TEXT, image_model, name, "the one name of the program"),
    FIELD(NUMBER, image_model, params_m, .help = "parameters, millions", .required = true,
          .positive = true),
    FIELD(COUNT, image_model, resolution, .help = "side of the picture, pixels",
          .required = true, .positive = true),
    FIELD(NUMBER, image_model, forward_gflop, .help = "one picture forward, GFLOP",
          .required = true, .positive = true),
    FIELD(NUMBER, image_model, saved_melem, .required = true,
          .help = "kept for the backward pass, million elements a picture"),
    FIELD(NUMBER, image_model, output_melem, .required = true,
          .help = "written by all operations forward, million elements a picture"),
    FIELD(NUMBER, image_model, ops, .help = "operations of a forward pass", .required = true),
    FIELD(SHARE, image_model, depthwise_share, .help = "of the work, in grouped convolutions"),
    FIELD(NUMBER, image_model, group_width,
          .help = "channels of their groups, 1 when depthwise"),
    FIELD(NUMBER, image_model, group_kernel, .help = "side of their kernels"),
    FIELD(FLAG, image_model, layered, .help = "layer or group norms, not batch norms"),
    FIELD(COUNT, image_model, adapters, .help = "matrices that LoRA adapts"),
    FIELD(SHARE, image_model, shape_rate,
          .help = "of the usual rate of products, that its shapes reach"),
    FIELD(NUMBER, image_model, text_params_m,
          .help = "parameters of the text encoders, millions, where it works on latents"),
    FIELD(TEXT, image_model, aliases, .help = "other names, between semicolons"),
    FACT(image_model),
};

static const struct field constant_columns[] = {
    KEY(TEXT, constant, name, "what the estimator calls it"),
    FIELD(NUMBER, constant, value, .help = "in use", .required = true),
    FIELD(TEXT, constant, unit, .help = "of the value"),
    FIELD(NUMBER, constant, prior, .help = "what is known without the measured rows"),
    FIELD(NUMBER, constant, spread, .help = "how far from it the fit may go, log of a factor"),
    FIELD(TEXT, constant, fitted_on, .help = "the measured rows, or none"),
    FACT(constant),
};

static const struct field discount_columns[] = {
    KEY(TEXT, discount, provider, "who gives it; patterns such as * match"),
    FIELD(TEXT, discount, region, .help = "where; a pattern", .fallback = "*", .key = true),
    FIELD(TEXT, discount, instance, .help = "on which machines; a pattern", .fallback = "*",
          .key = true),
    FIELD(TEXT, discount, market, .help = "on-demand, spot, ...; a pattern",
          .fallback = "on-demand", .key = true),
    FIELD(SHARE, discount, discount, .help = "off the list price: 0.12 or 12%"),
    FIELD(RATE, discount, price_h, .help = "or the price itself, the machine for an hour",
          .positive = true),
    FIELD(TEXT, discount, currency, .help = "of the price", .fallback = "USD"),
    FIELD(DAY, discount, from, .help = "first day"),
    FIELD(DAY, discount, until, .help = "last day"),
    FACT(discount),
};

static const struct field exchange_columns[] = {
    KEY(TEXT, exchange, currency, "its code, such as EUR"),
    FIELD(NUMBER, exchange, usd, .help = "US dollars that one unit is worth", .required = true,
          .positive = true),
    FACT(exchange),
};

static const struct field interruption_columns[] = {
    KEY(TEXT, interruption, provider, "whose machines"),
    KEY(TEXT, interruption, region, "where"),
    FIELD(TEXT, interruption, zone, .help = "of the region", .key = true),
    KEY(TEXT, interruption, accelerator, "its name in accelerators.csv"),
    KEY(COUNT, interruption, count, "accelerators in the machine"),
    FIELD(SHARE, interruption, spot_share, .help = "of on-demand that spot cost, on average"),
    FIELD(SHARE, interruption, availability, .help = "of the time that one was available"),
    FIELD(SHARE, interruption, lost_30min, .help = "lost within half an hour"),
    FIELD(SHARE, interruption, lost_1h, .help = "lost within an hour", .required = true),
    FIELD(SHARE, interruption, lost_2h, .help = "lost within two hours"),
    FIELD(SHARE, interruption, lost_4h, .help = "lost within four hours"),
    FIELD(SHARE, interruption, lost_8h, .help = "lost within eight hours"),
    FIELD(SHARE, interruption, lost_24h, .help = "lost within a day"),
    FIELD(NUMBER, interruption, days, .help = "watched"),
    FACT(interruption),
};

static const char *const joinable_words[] = {"yes", "cluster", "no", "single", NULL};
static const char *const qualities[] = {"A", "B", "C", NULL};

static const struct field network_columns[] = {
    KEY(TEXT, network, provider, "whose machines"),
    KEY(TEXT, network, instance, "which; patterns such as g5.* match, the narrowest counts"),
    FIELD(NUMBER, network, gbit_s, .help = "of one machine to others, Gbit/s",
          .positive = true),
    FIELD(TEXT, network, kind, .help = "InfiniBand, EFA, RoCE, Ethernet, ..."),
    FIELD(CHOICE, network, joinable, .choices = joinable_words, .required = true,
          .help = "can several work on one job? yes, cluster (a product of its own), no, or "
                  "single (a host by itself)"),
    FIELD(COUNT, network, min_machines, .help = "rented together, at least"),
    FIELD(COUNT, network, max_machines,
          .help = "that can be got without a contract; empty: not published"),
    FIELD(COUNT, network, step, .help = "machines come in multiples of it"),
    FIELD(NUMBER, network, disk_gb, .positive = true,
          .help = "of one machine, GB, where no other disk can be attached"),
    FIELD(CHOICE, network, quality, .choices = qualities,
          .help = "A read in the source, B in an excerpt, C not verified"),
    FACT(network),
};

static const char *const limit_kinds[] = {"quota", "spend", NULL};

static const struct field limit_columns[] = {
    KEY(TEXT, limit, provider, "whose accounts"),
    FIELD(CHOICE, limit, kind, .choices = limit_kinds, .required = true, .key = true,
          .help = "quota, or spend"),
    KEY(TEXT, limit, instance, "for which machines; a pattern"),
    KEY(TEXT, limit, market, "on-demand or spot"),
    FIELD(NUMBER, limit, most, .help = "of a new account", .required = true),
    FIELD(TEXT, limit, unit, .help = "vCPU, GPUs, machines or USD/h", .required = true),
    FIELD(CHOICE, limit, quality, .choices = qualities,
          .help = "A read in the source, B in an excerpt, C not verified"),
    FACT(limit),
};

static const struct field price_drift_columns[] = {
    KEY(TEXT, price_drift, providers, "whose prices: patterns between blanks"),
    KEY(TEXT, price_drift, gpus, "of which accelerators: patterns between blanks"),
    KEY(TEXT, price_drift, market, "spot or on-demand"),
    KEY(COUNT, price_drift, age_days, "of the price"),
    FIELD(NUMBER, price_drift, width, .required = true,
          .help = "8 of 10 later prices are within exp(width) of it, up or down"),
    FIELD(SHARE, price_drift, unchanged, .help = "of later prices that are the same"),
    FIELD(NUMBER, price_drift, width_changed,
          .help = "8 of 10 of those that changed are within exp() of it, up or down"),
    FIELD(COUNT, price_drift, half_years,
          .help = "it was fitted to, each of one provider; others count beside them"),
    FACT(price_drift),
};

static const struct field token_price_columns[] = {
    KEY(TEXT, token_price, provider, "who serves it"),
    KEY(TEXT, token_price, model, "its name there"),
    FIELD(TEXT, token_price, serves,
          .help = "its name in models.csv; empty: weights that are not open"),
    FIELD(USD, token_price, input_usd_per_m, .required = true,
          .help = "US dollars for a million input tokens"),
    FIELD(USD, token_price, output_usd_per_m, .required = true, .help = "output tokens"),
    FIELD(USD, token_price, cached_input_usd_per_m,
          .help = "input tokens that the provider has cached"),
    FIELD(USD, token_price, batch_input_usd_per_m, .help = "input, answered within a day"),
    FIELD(USD, token_price, batch_output_usd_per_m, .help = "output, answered within a day"),
    FIELD(COUNT, token_price, max_input_tokens, .help = "of a request"),
    FACT(token_price),
};

static const struct field gpu_part_columns[] = {
    KEY(TEXT, gpu_part, accelerator, "its name in accelerators.csv"),
    KEY(TEXT, gpu_part, profile, "of the share: 1g.10gb"),
    FIELD(NUMBER, gpu_part, memory_gb, .required = true, .positive = true,
          .help = "GB of memory"),
    FIELD(SHARE, gpu_part, memory_share, .required = true,
          .help = "of the memory and its bandwidth"),
    FIELD(SHARE, gpu_part, compute_share, .required = true, .help = "of the multiprocessors"),
    FIELD(COUNT, gpu_part, instances, .required = true, .positive = true,
          .help = "of this profile on one GPU"),
    FACT(gpu_part),
};

static const struct field edge_columns[] = {
    KEY(TEXT, edge_device, device, "a short name"),
    FIELD(TEXT, edge_device, accelerator,
          .help = "its name in accelerators.csv; empty: its CPU serves (cpus.csv)"),
    FIELD(NUMBER, edge_device, vcpus, .positive = true, .help = "cores, where they serve"),
    FIELD(NUMBER, edge_device, memory_gib, .positive = true,
          .help = "GiB of memory, where the CPU serves"),
    FIELD(USD, edge_device, purchase_usd, .required = true, .positive = true,
          .help = "US dollars to buy it"),
    FIELD(NUMBER, edge_device, years, .required = true, .positive = true,
          .help = "that it lasts"),
    FIELD(NUMBER, edge_device, idle_w, .required = true, .help = "at the wall, W"),
    FIELD(NUMBER, edge_device, load_w, .required = true, .help = "at the wall, W"),
    FACT(edge_device),
};

static const char *const traffic_days[] = {"all", "weekday", "weekend", NULL};

static const struct field traffic_columns[] = {
    KEY(TEXT, traffic_hours, shape, "its name"),
    FIELD(CHOICE, traffic_hours, days, .choices = traffic_days, .required = true, .key = true,
          .help = "all, weekday or weekend"),
    KEY(COUNT, traffic_hours, from_hour, "local time"),
    FIELD(COUNT, traffic_hours, to_hour, .help = "not included", .required = true,
          .positive = true),
    FIELD(SHARE, traffic_hours, share, .required = true, .help = "of the rate at its peak"),
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
    [TABLE_NAMES] = TABLE("names", accelerator_name, name_columns, false,
                          "other names people use for them"),
    [TABLE_OFFERS] =
        TABLE("offers", machine, offer_columns, true, "machines with accelerators: prices"),
    [TABLE_CPU_OFFERS] = TABLE("cpu_offers", machine, cpu_offer_columns, true,
                               "machines without accelerators: prices"),
    [TABLE_SERVERLESS] =
        TABLE("serverless", serverless, serverless_columns, false, "pay-per-request products"),
    [TABLE_SERVERLESS_TERMS] =
        TABLE("serverless_terms", serverless_terms, serverless_terms_columns, false,
              "how they bill, start and stop, and their limits"),
    [TABLE_CPUS] = TABLE("cpus", cpu_kind, cpu_columns, false,
                         "what a vCPU can do, by machine or product"),
    [TABLE_LOCAL] =
        TABLE("local", local_machine, local_columns, false, "machines under the desk: power"),
    [TABLE_ELECTRICITY] = TABLE("electricity", electricity, electricity_columns, false,
                                "what a kWh costs, by country"),
    [TABLE_ONPREM] = TABLE("onprem", onprem, onprem_columns, false,
                           "owned machines in a rack: cost of a GPU-hour"),
    [TABLE_OWNERSHIP] = TABLE("ownership", ownership, ownership_columns, false,
                              "what owning a machine takes besides its price"),
    [TABLE_PROVIDERS] = TABLE("providers", provider, provider_columns, false,
                              "how providers bill, warn and start"),
    [TABLE_COMMITMENTS] = TABLE("commitments", commitment, commitment_columns, false,
                                "discounts for commitment and sustained use"),
    [TABLE_MANAGED] = TABLE("managed", managed, managed_columns, false,
                            "markup of managed platforms, notebooks"),
    [TABLE_PRICE_HOURS] = TABLE("price_hours", price_hours, price_hours_columns, false,
                                "how prices move with the hour"),
    [TABLE_STORAGE] = TABLE("storage", storage, storage_columns, false, "storage tiers"),
    [TABLE_TRANSFER] =
        TABLE("transfer", transfer, transfer_columns, false, "what moving a GB costs"),
    [TABLE_REGIONS] =
        TABLE("regions", region, region_columns, false, "carbon intensity and PUE"),
    [TABLE_CARBON_HOURS] = TABLE("carbon_hours", carbon_hours, carbon_hours_columns, false,
                                 "how carbon moves with the hour"),
    [TABLE_SPEND] =
        TABLE("spend", spend, spend_columns, false, "typical monthly spend by kind of work"),
    [TABLE_MODELS] =
        TABLE("models", model, model_columns, false, "architectures of known models"),
    [TABLE_IMAGE_MODELS] = TABLE("image_models", image_model, image_model_columns, false,
                                 "image models: work and memory of one picture"),
    [TABLE_CONSTANTS] = TABLE("constants", constant, constant_columns, false,
                              "the estimator's numbers and what they were fitted on"),
    [TABLE_DISCOUNTS] = TABLE("discounts", discount, discount_columns, false,
                              "prices that you negotiated: none are built in"),
    [TABLE_EXCHANGE] = TABLE("exchange", exchange, exchange_columns, true,
                             "what other currencies are worth: none are built in"),
    [TABLE_INTERRUPTIONS] = TABLE("interruptions", interruption, interruption_columns, true,
                                  "how soon spot machines were lost, where it was watched"),
    [TABLE_NETWORKS] = TABLE("networks", network, network_columns, false,
                             "which machines can be joined, by what network, and how many"),
    [TABLE_LIMITS] =
        TABLE("limits", limit, limit_columns, false, "quotas and limits of new accounts"),
    [TABLE_PRICE_DRIFT] = TABLE("price_drift", price_drift, price_drift_columns, false,
                                "how far prices drift with their age"),
    [TABLE_COMPRESSION] = TABLE("compression", model_compression, compression_columns, false,
                                "smaller models for serving: accuracy they lose"),
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
                         "devices that one buys: price, power, life"),
    [TABLE_TRAFFIC] = TABLE("traffic", traffic_hours, traffic_columns, false,
                            "shapes of traffic: how the rate changes with the hour"),
};
