/* dimension.h - by what costs are asked: columns of the roll-up, the same for runs and bills.
 *
 * Tags of people are spelled in many ways: "CostCenter", "cost-centre" and "user:cost_center"
 * are one. What has no value has an empty one.
 */
#ifndef BILL_DIMENSION_H
#define BILL_DIMENSION_H

#include "base/buf.h"
#include "base/message.h"
#include "base/str.h"
#include "doc/field.h"

/* Name, and its meaning for help. Ledgers have the names of a group in this order: what is new
 * comes last. */
#define DIMENSIONS(X) \
    X(provider, "provider that bills it: AWS, Google Cloud, Microsoft, ..., or this machine") \
    X(service, "service, as the provider names it") \
    X(category, "service category in FOCUS: Compute, Storage, ...") \
    X(account, "billing account") \
    X(sub_account, "project, subscription or linked account") \
    X(region, "region, as the provider names it") \
    X(charge, "Usage, Purchase, Tax, Credit or Adjustment") \
    X(pricing, "on-demand, spot, committed or other") \
    X(instance, "machine type") \
    X(gpu, "GPU of the machine") \
    X(tier, "storage tier") \
    X(team, "team tag") \
    X(project, "project tag") \
    X(environment, "environment tag") \
    X(experiment, "experiment tag") \
    X(cost_center, "cost center tag") \
    X(model, "model tag") \
    X(phase, "phase tag: retraining, validation, deployment, inference, ...") \
    X(owner, "owner tag")

enum dimension {
#define DIMENSION_ENUM(name, help) DIMENSION_##name,
    DIMENSIONS(DIMENSION_ENUM)
#undef DIMENSION_ENUM
        DIMENSION_COUNT
};

#define DIMENSION_FIRST_TAG DIMENSION_team

/* One of a set of dimensions: DIMENSION_BIT(team) | DIMENSION_BIT(model). */
#define DIMENSION_BIT(name) (UINT64_C(1) << DIMENSION_##name)

struct dimensions {
    struct str of[DIMENSION_COUNT];
};

const char *dimension_name(enum dimension d); /* "cost_center" */

/* As people write it: "cost-center", "Team", "sub-account". DIMENSION_COUNT when it is none. */
enum dimension dimension_find(struct str name);

/* The dimension that a tag's key means, in any case and with any separators, whatever is
 * before it ("user:team", "labels/team", "example.com/team", "user_team"); DIMENSION_COUNT when
 * it is none of ours, as with keys that a cloud sets by itself ("aws:createdBy"). Only the
 * spellings of docs/reference/bills-clouds.md: a key that merely has "team" in it is none. */
enum dimension dimension_of_tag(struct str key);

/* Every tag of a JSON object that means one of ours, where `out` has no value yet; unescaped
 * into `scratch`, which `out` then points into (what already did, still does). Of two keys that
 * mean the same, the plainer counts: "team" before "acme:team" before "team_name"; blank values
 * do not count. False when memory runs out or it is no object: the rest stays as it is. */
bool dimensions_from_tags(struct str json, struct dimensions *out, struct buf *scratch);

/* Is each of them KEY=VALUE, and no key there twice, in any case? The errors are those of
 * --tag. */
bool tags_check(struct strs tags, struct error *err) MUST_USE;

/* Does every tag that means a team, in any spelling, name this one? Then costs of what has them
 * count for no other. `*named`: one of them is "team" itself. */
bool tags_only_team(struct strs tags, struct str team, bool *named);

/* Note keys that are nearly a dimension's name: "teem". Other keys are as good as any. */
void tags_note(struct strs tags, const struct messages *to);

#endif
