/* What the team wrote down besides: counts of predictions, exchange rates, the policy. */
#include "base/draw.h"
#include "demo/team.h"

void demo_counts(const struct demo *demo, struct buf *out)
{
    uint64_t state = 4711;

    buf_adds(out, "what,day,count,model,team\n");
    for (int number = 0; number < DEMO_DAYS; number++) {
        day on = {demo->today.n - DEMO_DAYS + number};
        bool weekend = on.n - day_week_start(on).n >= 5;
        size_t count = (size_t)(weekend ? 9000 : 21000) + (size_t)number * 130;

        count += draw_below(&state, 3000);
        buf_adds(out, "predictions,");
        day_write(on, out);
        buf_addf(out, ",%zu,llama-3.1-8b,platform\n", count);
    }
}

void demo_rates(const struct demo *demo, struct buf *out)
{
    uint64_t state = 815;
    size_t rate = 11600; /* dollars for 10,000 euros */

    buf_adds(out, "date,currency,usd\n");
    for (int number = 0; number <= DEMO_DAYS; number++) {
        rate = rate - 20 + draw_below(&state, 41);
        day_write((day){demo->today.n - DEMO_DAYS + number}, out);
        buf_addf(out, ",EUR,1.%04zu\n", rate - 10000);
    }
}

void demo_policy(const struct demo *demo, struct buf *out)
{
    buf_adds(out,
             "# Allocation of costs in the demo (stint allocation set policy.yaml).\n"
             "required: [team, project]\n"
             "enforce: warn\n"
             "rules:\n"
             "- {when: {resource_name: notebook}, set: {team: vision, project: notebooks}}\n"
             "- {when: {service: Compute Engine, team: \"\"}, set: {team: vision, project: "
             "notebooks}}\n"
             "- {when: {service: Networking}, set: {team: vision}}\n"
             "- {when: {team: [nlp, vision]}, set: {cost_center: \"4100\"}}\n"
             "- {when: {team: platform}, set: {cost_center: \"4200\"}}\n"
             "shared:\n"
             "- {name: support, when: {service: AWS Support}, split: usage, over: team}\n"
             "recurring:\n"
             "- {name: experiment tracker, cost: $120/month, from: ");
    day_write((day){demo->today.n - DEMO_DAYS}, out);
    buf_adds(out, ", tags: {team: platform, project: tools}}\n");
}

void demo_readme(struct str use, struct str remove, struct buf *out)
{
    buf_adds(out, "A made-up team's quarter, written by 'stint demo': nothing in it is real.\n"
                  "ledger.db has runs, bills, budgets and alerts; the other files are what "
                  "was imported.\n"
                  "Nothing runs in it. 'sh " DEMO_TRAIN
                  " &' really runs something, a loop of 5 minutes, for 'stint top' to show.\n"
                  "\nuse it:     ");
    buf_add(out, use);
    buf_adds(out, "\nremove it:  ");
    buf_add(out, remove);
    buf_char(out, '\n');
}

void demo_train(struct buf *out)
{
    buf_adds(
        out,
        "#!/bin/sh\n"
        "# A run for 'stint top' to show: it prints steps and a loss, and computes nothing. It "
        "is metered like any other;\n"
        "# only its price is made up. It is recorded in the demo's ledger. 'stint stop "
        "demo-train' ends it.\n"
        "STINT_LEDGER=$(cd \"$(dirname \"$0\")\" && pwd)/ledger.db\n"
        "export STINT_LEDGER\n"
        "exec stint run --name demo-train --tag team=nlp,project=demo,demo=yes --price "
        "'$2.49/hr' --budget '$1' "
        "--quiet --progress -- \\\n"
        "    sh -c 'i=0; while [ $i -lt 300 ]; do i=$((i + 1)); l=$((400 + 200000 / (i + "
        "80)))\n"
        "        printf \"step %d/300 loss %d.%03d\\n\" $i $((l / 1000)) $((l % 1000)); "
        "sleep 1; done' >/dev/null\n");
}
