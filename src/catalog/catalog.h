/* catalog.h - facts with a date and a source.
 *
 * What accelerators exist, what machines cost and where, how providers bill, how clean a
 * region's power is. Facts come from CSV text (data/README.md has the columns): the tables that
 * are compiled in, then the user's files, which override rows with the same key and add others.
 * Pure: it parses memory, and knows no file, clock or network.
 */
#ifndef CATALOG_CATALOG_H
#define CATALOG_CATALOG_H

#include "base/message.h"
#include "catalog/machine.h"
#include "doc/field.h"
#include "unit/energy.h"
#include "unit/money.h"
#include "unit/size.h"
#include "unit/time.h"

enum catalog_table {
    TABLE_ACCELERATORS,
    TABLE_NAMES,
    TABLE_OFFERS,
    TABLE_CPU_OFFERS,
    TABLE_SERVERLESS,
    TABLE_SERVERLESS_TERMS,
    TABLE_CPUS,
    TABLE_LOCAL,
    TABLE_ELECTRICITY,
    TABLE_ONPREM,
    TABLE_OWNERSHIP,
    TABLE_PROVIDERS,
    TABLE_COMMITMENTS,
    TABLE_MANAGED,
    TABLE_PRICE_HOURS,
    TABLE_STORAGE,
    TABLE_TRANSFER,
    TABLE_REGIONS,
    TABLE_CARBON_HOURS,
    TABLE_SPEND,
    TABLE_MODELS,
    TABLE_IMAGE_MODELS,
    TABLE_CONSTANTS,
    TABLE_DISCOUNTS,
    TABLE_EXCHANGE,
    TABLE_INTERRUPTIONS,
    TABLE_NETWORKS,
    TABLE_LIMITS,
    TABLE_PRICE_DRIFT,
    TABLE_COMPRESSION,
    TABLE_COMPRESSION_KINDS,
    TABLE_MATURITY,
    TABLE_CHECKLIST,
    TABLE_TARGETS,
    TABLE_TOKEN_PRICES,
    TABLE_GPU_PARTS,
    TABLE_EDGE,
    TABLE_TRAFFIC,
    TABLE_RETIRED,
    TABLE_COUNT,
};

struct accelerator {
    struct fact fact;
    struct str name, vendor, family, form, architecture, memory_type, link, pcie;
    int64_t year;
    double memory_gb, bandwidth_gb_s;
    double fp32_tflops, tf32_tflops, bf16_tflops, fp16_tflops, fp8_tflops, int8_tops,
        fp4_tflops;
    double link_gb_s, tdp_w;
};

struct accelerator_name {
    struct fact fact;
    struct str alias, accelerator;
};

struct serverless {
    struct fact fact;
    struct str provider, product, region, accelerator;
    usd usd_per_million_requests, usd_per_million_gb_seconds, usd_per_million_vcpu_seconds;
    usd_per_hour usd_per_gpu_hour;
};

/* How products that are paid by use bill, start and stop, and what they hold: of all whose name
 * the pattern matches. */
struct serverless_terms {
    struct fact fact;
    struct str provider, product; /* product: a pattern */
    struct str billing;         /* request: while one is worked on; instance: while it is up */
    double step_ms, minimum_ms; /* billed time is rounded up to, and at least */
    struct str starts_billed;   /* yes or no */
    double idle_s;              /* that an instance waits for the next request */
    struct str idle_settable;   /* yes or no: users decide how long */
    double start_s, load_gb_s;  /* of a cold start: until it runs; of the model */
    double gb_per_vcpu;         /* where memory decides the vCPUs; NaN: chosen apart */
    double vcpus_low, vcpus_high, memory_low_gb, memory_high_gb; /* of an instance */
    double instances_high;                                       /* at once */
    double timeout_s, payload_mb;                                /* of a request */
    double free_requests, free_gb_seconds, free_vcpu_seconds;    /* a month */
    struct str basis;                                            /* how well it is known */
};

/* What a vCPU can do at best, by the name of a machine or of a serverless product. */
struct cpu_kind {
    struct fact fact;
    struct str provider, instance; /* instance: a pattern */
    struct str cpu;
    double fp32_gflops_vcpu, bf16_gflops_vcpu, int8_gops_vcpu; /* NaN: no such instructions */
    double bandwidth_gb_s_vcpu;                                /* its share of the socket's */
};

struct local_machine {
    struct fact fact;
    struct str machine, accelerator;
    int64_t count;
    double idle_w, load_w;
    usd purchase_usd;
};

/* A model that others serve, paid by tokens. */
struct token_price {
    struct fact fact;
    struct str provider, model; /* as the provider calls it */
    struct str serves;          /* its name in TABLE_MODELS; empty: weights that are not open */
    usd input_usd_per_m, output_usd_per_m;             /* of a million tokens */
    usd cached_input_usd_per_m;                        /* of input that it has seen before */
    usd batch_input_usd_per_m, batch_output_usd_per_m; /* answered within a day */
    int64_t max_input_tokens;
};

/* A share of a GPU that is isolated from the others (MIG). */
struct gpu_part {
    struct fact fact;
    struct str accelerator, profile;
    double memory_gb, memory_share, compute_share;
    int64_t instances; /* of this profile on one GPU */
};

/* A device that one buys, to serve from where it is. */
struct edge_device {
    struct fact fact;
    struct str device, accelerator; /* accelerator empty: its CPU serves (TABLE_CPUS) */
    double vcpus, memory_gib;
    usd purchase_usd;
    double years, idle_w, load_w;
};

/* How the rate of requests changes with the hour, as a share of its peak. */
struct traffic_hours {
    struct fact fact;
    struct str shape, days; /* days: "all", "weekday", "weekend" */
    int64_t from_hour, to_hour;
    double share;
};

struct electricity {
    struct fact fact;
    struct str country, kind;
    usd_per_kwh usd_per_kwh;
};

struct onprem {
    struct fact fact;
    struct str machine, accelerator;
    int64_t count;
    usd_per_hour usd_per_gpu_hour;
    usd purchase_usd;
    double years, utilization;
    double power_kw; /* at work */
    struct str site; /* of TABLE_OWNERSHIP: where it is */
};

/* What owning a machine takes besides its price, where nothing better is known: a share, or
 * dollars for a GPU, with the range it is usually in. */
struct ownership {
    struct fact fact;
    struct str site, item, unit;
    double value, low, high;
};

struct provider {
    struct fact fact;
    struct str provider, title;
    double notice_s, billing_s, minimum_s, setup_s, reliability;
    struct str reliability_basis, spot_training, scale_to_zero, gpu_sharing, billing_export;
    bool marketplace; /* hosts set the prices, which change from day to day */
};

/* Machines that a provider does not rent out any more. */
struct retirement {
    struct fact fact;
    struct str provider, instances; /* a pattern */
    day until;                      /* the last day */
};

struct commitment {
    struct fact fact;
    struct str provider, kind, automatic;
    int64_t term_months;
    struct str families; /* patterns between blanks; empty: all */
    struct str upfront;  /* "none", "partial", "all"; empty: not stated */
    double discount_low, discount_high;
};

struct managed {
    struct fact fact;
    struct str provider, product;
    double training_markup;
    double serving_markup, serving_cpu_markup; /* of endpoints; NaN: not known */
    usd_per_hour notebook_low_usd_h, notebook_high_usd_h;
    struct str clouds;   /* whose machines it uses, between blanks; empty: its provider's */
    struct str includes; /* what its price pays for besides machines */
};

struct price_hours {
    struct fact fact;
    struct str provider, market, days, kind;
    int64_t from_hour, to_hour;
    double multiplier;
};

struct storage {
    struct fact fact;
    struct str provider, tier, product, region;
    usd_per_gb usd_gb_month, retrieval_usd_gb;
    int64_t minimum_days;
    double put_usd_1000, get_usd_1000; /* requests; NaN: not known */
    double minimum_kb;                 /* smaller objects are billed as this */
    struct str enter;                  /* "any", "direct", "use": the provider decides */
    int64_t rule_days;                 /* age from which a rule can move data to it */
    double wait_h;                     /* until data can be read; NaN: not known */
};

struct transfer {
    struct fact fact;
    struct str provider, kind;
    int64_t from_gb;
    usd_per_gb usd_gb;
};

struct region {
    struct fact fact;
    struct str provider, region, place, country, grid, carbon_kind, carbon_year, pue_kind;
    double carbon_g_kwh, pue, carbon_free;
};

/* Where the region is not known. */
#define USUAL_PUE 1.3 /* PUE of halls that publish none; large clouds report 1.1 to 1.2 */
/* Grams of CO2e for a kWh, the world average: as in regions.csv where a place is not fixed
 * (iea.org/reports/global-energy-co2-status-report-2019/emissions; Ember has 473 for 2024, from
 * knowledge, page not checked). */
#define WORLD_G_KWH 475.0

struct carbon_hours {
    struct fact fact;
    struct str grid, kind;
    int64_t from_hour, to_hour;
    double multiplier;
};

struct spend {
    struct fact fact;
    struct str workload, size;
    usd low_usd_month, high_usd_month;
};

/* How a model is made smaller for serving. */
struct model_compression {
    struct fact fact;
    struct str method, models;        /* "gptq"; decoder, encoder or image */
    struct str weights;               /* how they are stored then; empty: as before */
    struct str framework;             /* that serves it; empty: any */
    double layers_kept, weights_kept; /* shares */
    bool trained;                     /* again, to make it */
    struct str needs, metric;
    double loss_low, loss_high; /* of the metric, as shares; NaN: none is published */
};

/* What a kind of compression does as a rule, for models of any kind: ranges, as factors and
 * shares; NaN: not for that hardware, or not published as a number. */
struct compression_kind {
    struct fact fact;
    struct str kind, method; /* quantization, pruning or distillation */
    struct str precision;    /* of a quantization; of pruning, the risk in words */
    double size_low, size_high, cpu_low, cpu_high, gpu_low, gpu_high, loss_low, loss_high;
    struct str needs;
    bool trained;
};

/* From which value of a fact (advise/practice/practice.h) on a practice is at a level;
 * levels that fall mean that less is better. */
struct maturity_threshold {
    struct fact fact;
    struct str key, domain; /* of the fact; inform, optimize or operate */
    double crawl, walk, run;
    struct str next; /* the command to type */
};

/* An item of a checklist, and the fact that proves it; no fact: nothing recorded does. */
struct checklist_item {
    struct fact fact;
    struct str phase, item, text, how, key;
    int64_t rank; /* within its phase */
    double at_least, at_most;
};

/* A goal for a fact. */
struct target_default {
    struct fact fact;
    struct str key;
    double target;
};

/* A transformer. Numbers that do not apply are -1. */
struct model {
    struct fact fact;
    struct str name, kind, bias, aliases;
    int64_t layers, hidden, heads, kv_heads, head_dim, ffn, vocab, positions, context;
    bool gated, tied;
    int64_t window, full_every; /* sliding attention, and one full layer in so many */
    int64_t experts, active_experts, expert_ffn, shared_ffn, dense_layers;
    int64_t q_rank, kv_rank, rope_dim, value_dim; /* multi-head latent attention */
    int64_t decoder_layers, patch, resolution;
    double params_b;
    struct str weights; /* what the published ones are stored in; empty: 16 bits */
};

/* A model known by what one picture costs: convolutions, diffusion. */
struct image_model {
    struct fact fact;
    struct str name, aliases;
    int64_t resolution;
    double params_m, forward_gflop; /* two for each multiply-add */
    double saved_melem, output_melem, ops, depthwise_share;
    /* Of the grouped convolutions: channels of a group, side of the kernel. */
    double group_width, group_kernel;
    bool layered;      /* layer or group norms and attention, not batch norms */
    int64_t adapters;  /* matrices that LoRA adapts; 0: unknown */
    double shape_rate; /* share of the usual rate of products; NaN: all */
    double
        text_params_m; /* of the encoders of a model that works on latents; NaN: it does not */
};

/* A number of the estimator, with what it was fitted on. */
struct constant {
    struct fact fact;
    struct str name, unit, fitted_on;
    double value, prior, spread; /* spread: of the prior, as the logarithm of a factor */
};

/* What the user negotiated: a share off, or a price, where the patterns match. */
struct discount {
    struct fact fact;
    struct str provider, region, instance, market; /* patterns; market "*" is all of them */
    double discount;      /* off the list price; NaN when a price is given */
    usd_per_hour price_h; /* in `currency`; unknown when a share is */
    struct str currency;
    day from, until; /* the last day included; unknown: always */
};

/* What one unit of a currency is worth on a day, as the user gives it. */
struct exchange {
    struct fact fact;
    struct str currency;
    double usd;
};

/* How long spot machines lasted somewhere: the share that was lost within so long of a moment
 * at which one was available. */
struct interruption {
    struct fact fact;
    struct str provider, region, zone, accelerator;
    int64_t count;
    double spot_share;   /* of the on-demand price, on average; NaN when not known */
    double availability; /* share of the time */
    double lost_30min, lost_1h, lost_2h, lost_4h, lost_8h, lost_24h;
    double days; /* watched */
};

/* How far prices drift: after `age_days`, 8 of 10 prices are within a factor of exp(width). */
struct price_drift {
    struct fact fact;
    struct str providers, gpus; /* patterns between blanks; "*" stands back behind others */
    struct str market;
    int64_t age_days;
    int64_t half_years; /* that it was fitted to, each of one provider */
    double width;
    double unchanged; /* share of prices that are the same after that time; NaN: not known */
    double width_changed; /* of those that are not, 8 of 10 are within this; NaN: not known */
};

struct catalog_table_info {
    const char *name; /* "offers": the file is offers.csv */
    const char *about;
    const struct field_set *columns;
    bool history; /* older rows of a key are kept */
};

extern const struct catalog_table_info catalog_tables[TABLE_COUNT];

/* One text of facts: a built-in table or a file of the user's. */
struct catalog_layer {
    enum catalog_table table;
    const char *name; /* what errors call it */
    struct str text;  /* must outlive the catalog */
};

/* The tables that are compiled in. */
struct catalog_layer catalog_builtin(enum catalog_table table);

struct catalog {
    struct rows tables[TABLE_COUNT]; /* sorted by key, then newest first; empty if not loaded */
    uint64_t loaded;                 /* bit 1 << table */
};

#define TABLE_BIT(table) (UINT64_C(1) << (table)) /* in a uint64_t */

/* Is a text that starts like this a table of discounts or exchange rates, which users write
 * themselves? By its header. */
bool catalog_table_of(struct str head, enum catalog_table *table);

/* These tables, and those that their rows refer to. */
uint64_t catalog_needs(uint64_t tables);

/* Read the wanted tables (bits), and what they need: the built-in ones, then `layers` in order.
 * Stops at the first bad line, which the error names: "offers.csv:12: count: '0' is not 1 or
 * more". */
bool catalog_load(struct catalog *catalog, uint64_t wanted, const struct catalog_layer *layers,
                  size_t layer_count, struct arena *arena, struct error *err) MUST_USE;

/* Of one table the built-in rows of this provider, and all of `layers`, into a catalog of its
 * own: for who asks once about one provider. The lines of built-in facts are counted among
 * these. */
bool catalog_load_provider(struct catalog *catalog, enum catalog_table table,
                           struct str provider, const struct catalog_layer *layers,
                           size_t layer_count, struct arena *arena, struct error *err) MUST_USE;

/* Row `i` of a loaded table, typed. */
#define CATALOG_ROW(catalog, table, type, i) \
    (&((const struct type *)(catalog)->tables[table].at)[i])

/* How a name was understood. */
enum name_match {
    NAME_EXACT,
    NAME_ALIAS,
    NAME_FAMILY, /* several have this name: the SXM form with the most memory was taken */
};

/* The accelerator that users call `name` (needs TABLE_ACCELERATORS and TABLE_NAMES): case,
 * blanks, hyphens and the maker's name do not matter. NULL with ERROR_ABSENT and a
 * suggestion. */
const struct accelerator *accelerator_find(const struct catalog *catalog, struct str name,
                                           enum name_match *match, struct error *err) MUST_USE;

/* The same without an error, whose suggestion takes far longer than the search: for feeds,
 * which ask for many names that were not typed. NULL when there is none. */
const struct accelerator *accelerator_search(const struct catalog *catalog, struct str name,
                                             enum name_match *match) MUST_USE;

/* accelerator_find() for a name that a user typed: adds a note when it is a family's, of which
 * one form had to be chosen. `messages` NULL: no note. */
const struct accelerator *accelerator_typed(const struct catalog *catalog, struct str name,
                                            const struct messages *messages,
                                            struct error *err) MUST_USE;

/* Options that name GPUs: where a command has one of them, it understands the others (`also` of
 * a field). */
extern const char *const accelerator_options[]; /* "gpu", "gpus", "on", NULL */

/* "H100x8", "8xH100", "H100:8": the GPU's name and how many (1 without a number). Some names
 * end like a count (RTX4090, Max1550): what is a name already has none. */
bool accelerator_count(const struct catalog *catalog, struct str text, struct str *name,
                       int64_t *count, struct error *err) MUST_USE;

/* A name that is a GPU's alone ("H100", "H100x8") stands for every machine with it, of whatever
 * provider: set that. */
void offer_name_gpu(const struct catalog *catalog, struct offer_name *name);

/* The family of the GPUs in a type of machine ("H100"), by the offers (needs TABLE_OFFERS,
 * TABLE_ACCELERATORS and TABLE_NAMES): also "ml.p5.48xlarge", as SageMaker has it. Empty when
 * there are none, or that is unknown. */
struct str instance_gpu(const struct catalog *catalog, struct str instance);

/* The model that users call `name` (needs TABLE_MODELS; image models TABLE_IMAGE_MODELS): also
 * as
 * "meta-llama/Llama-2-7b-hf". NULL when there is none; model_suggest() finds the nearest. */
const struct model *model_find(const struct catalog *catalog, struct str name);

/* The id on the Hugging Face Hub, "meta-llama/Llama-2-7b-hf", of the model that users call
 * `name`. Empty where the catalog has none, and for other weights in the same shapes. */
struct str model_hub_id(const struct catalog *catalog, struct str name);

/* Is it the name of a file or a repository of llama.cpp's? `bits` are those of its quantization
 * ("Llama-3-8B-Q4_K_M.gguf", "llama3:8b-q4_0", "...-GGUF:IQ4_XS"), 16 and 32 of none, 0 where
 * the name does not say ("Llama-3-8B-GGUF"). `model`: the name without it. */
bool gguf_name(struct str name, struct str *model, int *bits);
/* The model that a hosted API calls `name`: "meta.llama3-1-8b-instruct-v1:0",
 * "accounts/fireworks/models/qwen2p5-7b-instruct". Only by names of its own, not by those of
 * other models of the same architecture. NULL when there is none. */
const struct model *hosted_model_find(const struct catalog *catalog, struct str name);
const struct image_model *image_model_find(const struct catalog *catalog, struct str name);

/* The name most like the wanted one: by its parts ("llama-70b" is like "llama-3-70b"), else by
 * its letters. */
void model_suggest(const struct catalog *catalog, struct suggestion *s);

/* A model that people know and the catalog does not have: why, and what to ask about instead.
 */
struct unmodeled {
    const char *pattern, *reason, *instead;
};

/* NULL: nothing is known about the name. */
const struct unmodeled *unmodeled_find(struct str name);

/* By its exact name; NULL when there is none. */
const struct accelerator *accelerator_named(const struct catalog *catalog, struct str name);

/* Patterns for the column `column` ("provider", "region"), each of which must match a row of
 * one of the tables (bits, loaded): one that matches nothing is a typo, not an empty answer.
 * ERROR_ABSENT with a suggestion. */
bool catalog_check_patterns(const struct catalog *catalog, uint64_t tables, const char *column,
                            struct strs wanted, struct error *err) MUST_USE;

/* Note regions that are asked for by their complete name, with which those of other providers
 * begin: IBM's 'us-east' leaves out us-east-1 of AWS. Needs TABLE_OFFERS. */
void catalog_note_regions(const struct catalog *catalog, struct strs regions,
                          const struct messages *messages);

/* Our name of a provider that others call otherwise ("amazon", "vastai"); any other is
 * itself. */
struct str provider_meant(struct str name);

/* NULL when it is not in the table. Regions fall back on the provider's `*`. */
const struct provider *provider_find(const struct catalog *catalog, struct str id);

/* Has the provider taken it out of service (needs TABLE_RETIRED)? The user's own rows stay. */
bool machine_is_retired(const struct catalog *catalog, const struct machine *machine,
                        day today);
const struct region *region_find(const struct catalog *catalog, struct str provider,
                                 struct str region);

/* Is there such a region of the provider? Yes where none of it is known, and for an empty one.
 * ERROR_ABSENT, with the name that is meant (TABLE_REGIONS). */
bool region_check(const struct catalog *catalog, struct str provider, struct str region,
                  struct error *err) MUST_USE;

/* What moving `size` in a month costs, by the provider's tiers for that kind ("internet", ...);
 * unknown without any. */
usd transfer_cost(const struct catalog *catalog, struct str provider, struct str kind,
                  bytes size);

/* What the cloud of `from` ("provider/region", or the provider alone) takes for letting these
 * bytes out: nothing within a region or to where no region is named, and nothing from a machine
 * of one's own (empty). To another cloud, or a machine of one's own, is the internet. */
usd transfer_from(const struct catalog *catalog, struct str from, struct str to_provider,
                  struct str to_region, bytes size);

/* Gigabytes that the cloud lets go there over the internet for nothing in a month; 0: none, or
 * all of them. */
int64_t transfer_free_gb(const struct catalog *catalog, struct str provider,
                         struct str to_provider);

#endif
