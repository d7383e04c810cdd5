/* stint plan */
#include "cli/commands.h"
#include "cli/plan/plan_print.h"

static void print_plan(const struct view *view, const void *result)
{
    plan_print(view, result, term_utf8());
}

const struct command cmd_plan = {
    .name = "plan",
    .op = &op_plan,
    .group = {"the cheapest way to run a job", CLI_BEFORE, .first = true},
    .about =
        "Finds the best way to run a job: machine, region, market, number of GPUs, "
        "configuration and start, over all known offers and all settings the job does not "
        "fix. JOB is a file, or a model with options. Shows the best plan with "
        "alternatives: the other market, other GPUs, faster plans. When serving at a "
        "rate, it also compares CPU machines, serverless products, managed endpoints, "
        "hosted APIs and machines that stop when idle, with cold starts, and shows the "
        "rates at which another is cheaper (more in 'stint infer'); 'per M out' is the "
        "cost of a million output tokens. --explain shows why this plan won, where the "
        "money goes, the cost of each restriction and the uncertainty. Several JOBs share "
        "rented machines, or are ordered by value with --queue. --data takes the size of a "
        "folder, and shows what moving it to the best machines costs and what would make "
        "it less, by a sample of its files.",
    .examples = "stint plan examples/llama-7b-lora.yaml\n"
                "stint plan llama-2-7b --method lora --tokens 25M --deadline 12h\n"
                "stint plan job.yaml --market any --explain\n"
                "stint plan job.yaml --aim value --value-of-time 50usd/hr\n"
                "stint plan job.yaml --data photos --data-at aws/us-east-1\n"
                "stint plan job.yaml --within 48h --aim carbon\n"
                "stint plan bert-base --serve --rate 1/s --p95 200ms\n"
                "stint plan a.yaml b.yaml c.yaml --session 8h\n"
                "stint plan a.yaml b.yaml --queue --budget 100usd\n"
                "stint plan job.yaml --save plan.json --csv plans.csv\n"
                "stint plan job.yaml --write-config deepspeed --base ds.json\n"
                "stint plan job.yaml --write-config hf-trainer -o args.json",
    .print = print_plan,
};
