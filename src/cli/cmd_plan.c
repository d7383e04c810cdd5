/* stint plan */
#include "cli/commands.h"
#include "cli/plan_print.h"

static void print(const struct view *view, const void *result)
{
    plan_print(view, result, term_utf8());
}

const struct command cmd_plan = {
    .name = "plan",
    .op = &op_plan,
    .about = "Where, on what, how configured, when, and for how much: the best way to run a\n"
             "job over every offer that is known, times every setting that the job leaves\n"
             "open. JOB is a file, or just a model with options; what it fixes stays fixed.\n"
             "Beside the best plan stand the other market, other GPUs and faster ways, and\n"
             "what each would change; of a model that serves, 'per M out' is the cost of a\n"
             "million output tokens. --explain says what decided it, where the money goes,\n"
             "what each restriction costs and how sure it is. Several JOBs share rented\n"
             "machines, or are put in order with --queue.",
    .examples = "stint plan examples/llama-7b-lora.yaml\n"
                "stint plan llama-2-7b --method lora --tokens 25M --deadline 12h\n"
                "stint plan job.yaml --market any --explain\n"
                "stint plan job.yaml --aim value --hour-worth 50usd\n"
                "stint plan job.yaml --within 48h --aim carbon\n"
                "stint plan a.yaml b.yaml c.yaml --session 8h\n"
                "stint plan a.yaml b.yaml --queue --budget 100usd\n"
                "stint plan job.yaml --save plan.json --csv plans.csv\n"
                "stint plan job.yaml --write-config deepspeed --base ds.json",
    .print = print,
};
