/* record.h - a plan from the search to the file it is saved in: the question, the answer, and
 * the fields that describe both.
 *
 * One record serves the result of `plan`, the saved file, the run that uses it and the screen.
 * Unknown is NaN, MONEY_UNKNOWN, DAY_UNKNOWN, -1 or an empty text (fields_reset).
 */
#ifndef PLAN_RECORD_H
#define PLAN_RECORD_H

#include "catalog/machine.h"
#include "doc/field.h"
#include "estimate/range.h"
#include "job/source.h"
#include "plan/data_ways.h"
#include "unit/size.h"

#define PLAN_SCHEMA "stint.plan/1" /* of the result and of saved files */

struct plan_request {
    struct strs jobs;         /* files, or a model */
    struct job_source source; /* without the job: one of `jobs` */
    /* limits, over those of the job */
    usd budget;
    span deadline;
    struct str market; /* on-demand, spot, reserved, any */
    double max_risk, min_reliability, max_carbon_kg;
    struct strs providers, regions, gpus; /* globs; "!p3*" denies */
    int64_t max_gpus, min_gpus;
    span max_age; /* of prices */
    /* aims */
    struct str aim; /* cost, time, carbon, value, or cost=0.7,time=0.3 */
    usd_per_hour value_of_time;
    double confidence; /* in keeping the deadline; NaN: the default of the market */
    span within;
    struct str platform; /* a managed one: sagemaker */
    struct strs owned;   /* OFFER=HOURS that are paid for already */
    struct strs supply;  /* OFFER=MACHINES that can be rented */
    int64_t limit;       /* rows of each table */
    bool explain;
    /* many jobs */
    span session;
    int64_t parallel;
    bool queue;
    /* what is written */
    struct str save, csv, svg, write_config;
    struct str base;   /* the user's own configuration, which --write-config changes */
    struct str output; /* where the configuration goes instead; "-": standard output, alone */
    bool force;        /* replaces a file that is there */
};

/* One plan, as a row. */
struct plan_row {
    struct str role; /* best, on spot, on demand, faster, cheapest, other GPU, no account,
                      * pure bf16, 8-bit Adam, fp8 weights, worth checking, on a CPU */
    struct str offer, provider, region, instance, accelerator;
    enum market market;        /* -1: not known */
    int64_t gpus, rented_gpus; /* used; and of the machines, which are rented as a unit */
    int64_t machines, copies;
    double network_gbit_s; /* that joins the machines of one run, of each; unknown: none does */
    struct str network;    /* its kind */
    usd cost, cost_low, cost_high;
    usd_per_hour price, price_low, price_high; /* of one machine: 80 % range today */
    double price_unchanged; /* probability that it is still the same; NaN: not known */
    day price_date;
    int64_t price_age_days;
    double owned_hours; /* of machines, that are paid for and used; unknown: none */
    bool owned_suffice; /* no other hours are bought */
    struct guess hours; /* from start to end; of serving unknown */
    double p95_s;       /* of serving */
    double rate;
    struct str rate_unit;
    usd per_million_tokens; /* of serving: of output tokens */
    double start_h;
    stamp start; /* unknown: now */
    double start_saves_usd,
        start_saves_kg; /* compared with a start now; unknown when it is now */
    double carbon_kg, kwh;
    double on_time;                              /* chance to keep the deadline */
    double risk, losses, save_every_s, overhead; /* on spot */
    double more_usd, more_hours;                 /* than the best plan */
    /* the setting */
    struct str method, precision, optimizer, recompute, framework, offload, weights;
    struct str step_setting; /* setup_setting(): what corrections are learned for */
    double step_s, board_w;  /* of an optimizer step; power of one GPU meanwhile */
    double correction;       /* learned from runs, in the time of a step; unknown: none */
    double memory_correction, power_correction;
    int64_t data, tensor, pipeline, virtual_pipeline, context, expert, zero, shard;
    int64_t sequence, micro_batch, accumulation, parallel_trials;
    double global_batch;
    double memory_gb, memory_low_gb, memory_high_gb; /* of the fullest GPU */
    double usable_gb;
    struct str setting; /* in words: "bf16, zero 1, batch 8 x 4" */
};

struct plan_platform { /* a managed platform with its best plan, or the best plain machine */
    struct str name;
    bool asked;           /* --platform names it */
    struct plan_row plan; /* its price is that of a machine with the markup */
    usd plain;            /* the best plan on plain machines of the same clouds */
    usd more;             /* than that; unknown for plain machines */
    double markup;        /* on top of the machine's price */
    usd_per_hour notebook_low, notebook_high;
    struct str includes; /* what it pays for besides machines */
};

struct plan_line { /* where the money goes */
    struct str name;
    usd amount;
    double share, hours;
};

struct plan_restriction { /* what it costs, or what would give a plan */
    struct str name;      /* "on-demand only", "deadline 24 h" */
    struct str change;    /* "allow spot", "deadline 31 h" */
    usd cost;             /* of the best plan without it */
    usd saves;
    struct str offer;
};

struct plan_thumb { /* a rule of thumb */
    struct str rule;
    struct str verdict; /* agrees, disagrees, does not apply */
    struct str effect;  /* "following it costs $3.20 more" */
};

/* Several jobs. */
struct plan_slot {
    struct str job, offer, setting;
    int64_t session, machines;
    double start_h, end_h;
    usd cost;
    day price_date;
    int64_t price_age_days;
};

struct plan_stage { /* --queue */
    struct str job;
    struct str offer; /* of the job's best plan, with its market */
    int64_t order;
    double share, chance, worth;
    usd cost, spent;
    bool affordable;
    day price_date;
    int64_t price_age_days;
};

/* A hyper-parameter search. */
struct plan_trials {
    int64_t trials, parallel, rungs;
    struct str scheme;
    double stopped; /* share of trials that end early */
    usd cost, each;
    double hours, serial_hours;
    usd serial_cost;
};

/* A way to deploy a model that serves: the cheapest of its kind. */
struct plan_deployment {
    struct str deployment; /* "GPU machine", "CPU machine", "serverless", ... */
    bool best;
    struct str condition; /* under which it costs this, and is not the best; empty: none */
    struct str offer, provider, region, product, accelerator, setting;
    usd cost, cost_low, cost_high; /* of a month */
    usd per_million_requests;
    /* The parts of the cost where it is paid by use, and seconds of instances: */
    usd requests_usd, memory_usd, vcpu_usd, gpu_usd;
    double billed_s;
    usd free_saves; /* what the free amounts of an account would pay; not in the cost */
    double p95_s, p95_low_s, p95_high_s; /* cold starts included */
    double request_s, cold_start_s, idle_timeout_s;
    double cold_share, delayed_share; /* of requests: that start an instance, or wait for one */
    double instances;                 /* up, on average */
    int64_t machines;                 /* rented; unknown: paid by use */
    double busy;                      /* share of the time that they are up */
    double vcpus, memory_gb;          /* of an instance */
    usd_per_hour price;               /* of one machine; unknown: paid by use */
    double markup;                    /* of a platform, a share of it */
    day price_date;
    int64_t price_age_days;
    struct str source, basis; /* of the price; of start, idle time and limits */
    double more_usd;          /* than the best */
    double cheaper_below,
        cheaper_above; /* requests/s from which on it costs less than the best */
};

struct plan_volume {              /* what is cheapest at these rates */
    struct str deployment, offer; /* offer: at the lowest of them */
    double from_rate, to_rate;    /* requests/s; unknown: no end was found */
    double from_month, to_month;
};

struct plan_excluded { /* a way to deploy that cannot be used, and why */
    struct str deployment, offer, reason;
};

struct plan_result {
    struct str name, kind, model, work; /* work: "76.8 M tokens", "a month of 20 requests/s" */
    struct str unit;                    /* of cost: "job", "month", "million tokens" */
    struct str aim;
    bool experiment; /* the job has an experiment section */
    bool explain;    /* was asked for: all sections are shown */
    day prices_from, prices_to;
    bool mostly_old;    /* most prices in the best plan's market are too old: all are ranked */
    struct rows plans;  /* struct plan_row: best first, the rest by cost */
    struct rows front;  /* struct plan_row: cheapest first */
    struct rows on_cpu; /* struct plan_row: a machine without a GPU, of small models */
    struct rows worth_checking; /* struct plan_row: cheaper at prices that are too old */
    struct rows deployments;    /* struct plan_deployment: of serving, the best first */
    struct rows volumes;        /* struct plan_volume: lowest rate first */
    struct rows excluded;       /* struct plan_excluded */
    struct rows platforms;      /* struct plan_platform: with --platform, the cheapest first */
    struct str rent_command;  /* the cloud's own, for the best on spot; empty: none is known */
    struct rows money;        /* struct plan_line, of the best */
    struct plan_data data;    /* of a job whose data is in a folder here */
    struct rows restrictions; /* struct plan_restriction */
    struct rows rules;        /* struct plan_thumb */
    struct rows naive;        /* struct plan_row: what others would take, for comparison */
    struct plan_trials trials;
    struct rows slots;    /* struct plan_slot: many jobs */
    struct rows stages;   /* struct plan_stage */
    bool valued;          /* `worth` of the stages is dollars for a dollar */
    usd together, alone;  /* many jobs: packed, and each alone */
    struct str start_why; /* where it is known from that another hour is better */
    double deadline_h;    /* from now; unknown: none is set */
    usd around; /* of `together` what no slot costs: set-up, time that is billed and not used */
    usd_per_hour value_of_time; /* of waiting: as given, or what the best plan pays for an hour
                                 * less than the cheapest takes; unknown: nothing */
    bool value_given;           /* by the user */
    usd time_value;             /* of the hours saved compared with the cheapest plan */
    usd simulated, simulated_low, simulated_high; /* on spot: the mean and 80 % of runs */
    double simulated_on_time;
    double simulated_hours; /* until done, in half of the runs */
    int64_t simulated_runs;
    int64_t places, offers, settings, pruned; /* what was searched */
    double search_ms;                         /* by the clock; shown, never compared */
    struct str constants;                     /* that it was predicted with */
    struct strs notes;
    struct strs not_used;      /* keys of a tool's file that may change the cost */
    struct str job_text;       /* of the job's file as it was read; empty: it had none */
    struct plan_request asked; /* the question, so that it can be asked again */
    struct str saved, diff;    /* file that was written; what --write-config changed */
    struct str configuration;  /* all of what --write-config makes */
    struct str written;        /* where it went: "-" or a file; empty: see base */
};

/* What the best way costs: of a model that serves, of all ways to deploy it. */
usd plan_result_cost(const struct plan_result *res);

/* The name of the row's market; empty when it is not known. */
struct str plan_row_market(const struct plan_row *row);

extern const struct field_set plan_request_fields, plan_row_fields, plan_deployment_fields,
    plan_volume_fields, plan_excluded_fields, plan_result_fields;

#endif
