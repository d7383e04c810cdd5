/* finding.h - what could change, what that saves, and how findings go together.
 *
 * A finding acts on parts of the money of one subject: a work (runs of one name and project), a
 * job, or everything in the period. Parts are disjoint: each dollar is in one of them. Two
 * findings that act on different parts add up; on the same part, each acts on what the other
 * leaves. Two that pull the same lever (two other machines for one work) exclude each other.
 */
#ifndef ADVISE_FINDING_H
#define ADVISE_FINDING_H

#include "doc/field.h"
#include "unit/money.h"

enum advise_category {
    ADVISE_COMPUTE,
    ADVISE_TRAINING,
    ADVISE_SERVING,
    ADVISE_STORAGE,
    ADVISE_CARBON,
    ADVISE_CATEGORIES,
};
extern const char *const advise_category_names[]; /* ends with NULL, as the next */

enum advise_effort { EFFORT_MINUTES, EFFORT_HOURS, EFFORT_DAYS, ADVISE_EFFORTS };
extern const char *const advise_effort_names[];

/* What may go wrong when it is applied. */
enum advise_risk { RISK_NONE, RISK_LOW, RISK_MEDIUM, RISK_HIGH, ADVISE_RISKS };
extern const char *const advise_risk_names[];

/* What a finding changes. */
enum advise_lever {
    LEVER_MACHINE,   /* which machine, where, on spot or committed: prices go together */
    LEVER_HOUR,      /* when it starts */
    LEVER_PRECISION, /* of numbers: bf16, fp8, quantized weights */
    LEVER_MEMORY,    /* batch size, accumulation, recomputation, ZeRO, offload */
    LEVER_KERNELS,   /* attention, compile, memory format, framework */
    LEVER_NETWORK,   /* of gradients: compression, fewer nodes */
    LEVER_STEPS,     /* how many: early stopping, a shorter search */
    LEVER_METHOD,    /* LoRA instead of full fine-tuning, less data, another model */
    LEVER_DATA,      /* loading */
    LEVER_STARTUP,   /* images, caches, batching small jobs */
    LEVER_SAVING,    /* how often checkpoints are saved */
    LEVER_IDLE,      /* machines that do nothing */
    LEVER_FAILURES,  /* runs that fail */
    LEVER_REPEATS,   /* the same run again */
    LEVER_STORAGE,   /* tiers, lifecycle, kept checkpoints */
    LEVER_TRANSFER,  /* between regions and to the internet */
    LEVER_SCALING,   /* replicas, scale to zero */
    LEVER_POWER,     /* limits, cleaner hours */
    LEVER_CUSTOM,    /* of users' rules: each rule has its own */
    ADVISE_LEVERS,
};
extern const char *const advise_lever_names[];

/* Parts of a subject's money. */
enum advise_part {
    PART_TRAIN, /* steps; of serving: answering */
    PART_DATA,  /* devices wait for data */
    PART_STARTUP,
    PART_EVALUATE,
    PART_SAVE,
    PART_IDLE,
    PART_SETUP,   /* of machines, before the run */
    PART_UNSEEN,  /* machine time of which nothing is known */
    PART_LOST,    /* work that was not saved, and done again */
    PART_FAILED,  /* runs that failed */
    PART_REPEATS, /* runs that repeat others */
    PART_BETWEEN, /* machines on the bill while no run was on them */
    PART_UNUSED,  /* machines on the bill that no run was on */
    PART_STORAGE,
    PART_TRANSFER,
    /* Charges of bills beside machines. */
    PART_REGIONS,   /* traffic between regions */
    PART_NETWORK,   /* other traffic, and gateways */
    PART_ADDRESSES, /* public addresses that nothing uses */
    PART_BALANCERS, /* load balancers */
    PART_VOLUMES,
    PART_SNAPSHOTS,
    PART_OBJECTS,
    PART_COPIES, /* objects that are stored elsewhere, too */
    /* Machines of accounts without runs, which would cost less */
    PART_FOR_SPOT,   /* on spot */
    PART_FOR_REGION, /* in another region */
    PART_FOR_NEWER,  /* with a newer GPU */
    PART_FOR_NIGHTS, /* if they were off at night and on weekends */
    PART_OTHER,
    ADVISE_PARTS,
};
extern const char *const advise_part_names[];

#define PART_BIT(part) (1u << (part))
/* What is paid by the hour of a machine. */
#define PARTS_MACHINE (PART_BIT(PART_STORAGE) - 1)
#define PARTS_ALL (PART_BIT(ADVISE_PARTS) - 1)
/* Of these, what another machine or another price would change: idle, failed and repeated
 * time is to be avoided, not to be had for less. */
#define PARTS_USEFUL \
    (PARTS_MACHINE & ~(PART_BIT(PART_IDLE) | PART_BIT(PART_FAILED) | PART_BIT(PART_REPEATS) | \
                       PART_BIT(PART_BETWEEN) | PART_BIT(PART_UNUSED)))

/* The money of a subject in dollars a month (of one run: a run), by part. */
struct advise_money {
    double part[ADVISE_PARTS];
};

/* The sum of some parts (PART_BIT). */
double advise_money_sum(const struct advise_money *money, unsigned parts);

/* Dollars in that unit. An honest range: 80 % where it is computed, the published range where a
 * source is cited. */
struct saving {
    double low, mid, high;
};

#define ADVISE_ID_MAX 48
#define SUBJECT_ALL SIZE_MAX /* a finding about everything in the period */
#define FINDING_LEAST 0.01   /* a share of the subject's money: what saves less is none */

/* What became of a finding. */
enum finding_state { FINDING_OPEN, FINDING_DISMISSED, FINDING_APPLIED, FINDING_STATES };
extern const char *const finding_state_names[];

struct job_change; /* advise/rules/job_change.h */

struct finding {
    char id[ADVISE_ID_MAX]; /* "idle-time-3f2a9c01": the rule, and a digest of the subject */
    struct str rule, title;
    enum advise_category category;
    enum advise_effort effort;
    enum advise_risk risk;
    enum advise_lever lever;
    size_t about;        /* the subject's number; SUBJECT_ALL */
    struct str subject;  /* its name */
    struct str evidence; /* "8 runs, 61 GPU-hours, 34 % utilization" */
    struct str action;   /* the exact command, configuration or code change */
    struct str method;   /* how the saving was computed, with its numbers */
    struct str source;   /* of the rule, or of the range it cites */
    unsigned parts;      /* that it acts on: PART_BIT */
    double acts_on;      /* money of these parts */
    /* About everything: what it saves of each subject, and behind them of the money of none;
     * NULL: the same share of each. */
    const double *by_subject;
    usd saving, saving_low, saving_high; /* alone */
    const struct job_change *change;     /* settings of a job that it changes; NULL: none */
    /* How much of the saving others have, 0 to 1: what it leaves is that alone to the power of
     * 1 - overlap. 1: it is not combined (joint.h). */
    double overlap;
    double share;  /* of the subject's money */
    bool possible; /* it may save nothing: not in the combination */
    bool chosen;   /* it is in the best combination */
    usd adds;      /* what it adds there, after those before it */
    enum finding_state state;
    struct str reason; /* it was dismissed for; empty: none given */
    stamp decided;     /* dismissed or applied: when */
};

/* Columns, JSON keys and help. */
extern const struct field_set finding_fields;

struct findings {
    struct arena *arena;
    struct finding *at;
    size_t count, room;
    const struct log *log; /* which rules were applied, and what each found; NULL: silent */
};

/* The largest saving first; of the same saving less effort first, then by id. */
void findings_sort(struct findings *list);

/* Those that save something for certain first, in the same order otherwise; how many these
 * are. */
size_t findings_part(struct findings *list);

/* The id of a rule's finding about a subject. */
void finding_id(struct str rule, struct str subject, char out[static ADVISE_ID_MAX]);

/* ---- combination ---- */

struct advise_total {
    usd spent;                           /* of all subjects */
    usd saving, saving_low, saving_high; /* of the best combination */
    double share;                        /* of what is spent */
    int64_t findings;                    /* in it */
};

extern const struct field_set advise_total_fields;

/* May it save nothing? Its range begins at nothing, or at 1 % of what it is said to save. */
bool finding_is_possible(const struct finding *finding);

/* Choose, of the open findings those that save something for certain, those that together
 * save most, and set `chosen` and `adds` of all. Waste comes before other machines and
 * prices: these add what they save of what is left. `money` is that of subjects 0 to
 * `subjects` - 1; `rest` is money of no subject, which findings about everything act on,
 * too. Of each subject and lever one finding at most is chosen; a finding about everything
 * does not act on a subject that has another with its lever. Exact but for subjects that
 * have more than COMBINE_MOST choices, where single changes are tried until none is better.
 * The list must be sorted. */
#define COMBINE_MOST 20000
bool findings_combine(struct findings *list, const struct advise_money *money, size_t subjects,
                      const struct advise_money *rest, struct advise_total *out,
                      struct error *err) MUST_USE;

#endif
