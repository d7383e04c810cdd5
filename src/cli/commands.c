#include "cli/commands.h"

/* Of each group in the order in which help shows them. */
const struct command *const cli_commands[] = {
    &cmd_init,
    &cmd_price_list,
    &cmd_price_compare,
    &cmd_price_value,
    &cmd_price_spot,
    &cmd_price_regions,
    &cmd_price_history,
    &cmd_price_diff,
    &cmd_price_fetch,
    &cmd_price_import,
    &cmd_price_pack,
    &cmd_price_doctor,
    &cmd_gpu_list,
    &cmd_gpu_show,
    &cmd_gpu_fit,
    &cmd_plan,
    &cmd_plan_slots,
    &cmd_plan_recheck,
    &cmd_roi,
    &cmd_tco,
    &cmd_infer,
    &cmd_run,
    &cmd_attach,
    &cmd_watch,
    &cmd_top,
    &cmd_send,
    &cmd_stop,
    &cmd_runs,
    &cmd_run_add,
    &cmd_show,
    &cmd_compare,
    &cmd_report,
    &cmd_why,
    &cmd_commitments,
    &cmd_maturity,
    &cmd_checklist,
    &cmd_targets,
    &cmd_targets_set,
    &cmd_targets_remove,
    &cmd_advise,
    &cmd_advise_dismiss,
    &cmd_advise_restore,
    &cmd_advise_apply,
    &cmd_advise_rules,
    &cmd_advise_facts,
    &cmd_storage,
    &cmd_check,
    &cmd_comment,
    &cmd_import,
    &cmd_import_mlflow,
    &cmd_import_wandb,
    &cmd_bills,
    &cmd_bills_remove,
    &cmd_reconcile,
    &cmd_export,
    &cmd_costs,
    &cmd_costs_trend,
    &cmd_costs_movers,
    &cmd_costs_gpus,
    &cmd_costs_spot,
    &cmd_costs_storage,
    &cmd_costs_repeats,
    &cmd_forecast,
    &cmd_anomalies,
    &cmd_rates_import,
    &cmd_rates_list,
    &cmd_tags,
    &cmd_tags_set,
    &cmd_allocation_set,
    &cmd_allocation_show,
    &cmd_allocation_check,
    &cmd_allocation_remove,
    &cmd_statement,
    &cmd_unit_costs,
    &cmd_counts_add,
    &cmd_counts_import,
    &cmd_counts_list,
    &cmd_counts_remove,
    &cmd_checkpoints_list,
    &cmd_checkpoints_prune,
    &cmd_checkpoints_best,
    &cmd_tune,
    &cmd_meters,
    &cmd_estimate,
    &cmd_validate,
    &cmd_accuracy,
    &cmd_calibrate,
    &cmd_simulate,
    &cmd_spot_risk,
    &cmd_spot_interval,
    &cmd_spot_fleet,
    &cmd_spot_decide,
    &cmd_budget_set,
    &cmd_budget_check,
    &cmd_budget_list,
    &cmd_budget_show,
    &cmd_budget_remove,
    &cmd_budget_split,
    &cmd_alert_add,
    &cmd_alert_channels,
    &cmd_alert_test,
    &cmd_alert_remove,
    &cmd_alert_list,
    &cmd_alert_log,
    &cmd_alert_ack,
    &cmd_alert_raise,
    &cmd_alert_send,
    &cmd_serve,
    &cmd_metrics,
    &cmd_metrics_dashboard,
    &cmd_metrics_list,
    &cmd_metrics_rules,
    &cmd_token_add,
    &cmd_token_list,
    &cmd_token_remove,
    &cmd_region_list,
    &cmd_catalog_list,
    &cmd_catalog_show,
    &cmd_catalog_import,
    &cmd_demo,
    &cmd_example,
    &cmd_ledger_init,
    &cmd_ledger_copy,
    &cmd_ledger_doctor,
    &cmd_config,
    &cmd_schema,
};
const size_t cli_command_count = ARRAY_LEN(cli_commands);

const char *const cli_stage_titles[] = {
    [CLI_BEFORE] = "Before you run",
    [CLI_DURING] = "While it runs",
    [CLI_AFTER] = "After it ran",
    [CLI_SETUP] = "Facts and setup",
};

/* By stage, in the order in which help shows them. Each has a man page, stint-GROUP(1). */
const struct command_group cli_groups[] = {
    {"estimate", "memory, time, energy and cost of a job on given hardware", CLI_BEFORE, true},
    {"plan", "the cheapest way to run a job", CLI_BEFORE, true},
    {"infer", "ways to serve a model, and what a prediction costs", CLI_BEFORE, false},
    {"price", "what machines cost: list, compare, history, fetch", CLI_BEFORE, true},
    {"gpu", "what accelerators can do and where they are cheapest", CLI_BEFORE, false},
    {"spot", "spot machines: interruption risk, checkpoint interval, fleets", CLI_BEFORE,
     false},
    {"simulate", "what a job would have cost on spot, policy by policy", CLI_BEFORE, false},
    {"tco", "what an owned machine costs, and when owning pays", CLI_BEFORE, false},
    {"roi", "local, rented and faster hardware, with the value of time", CLI_BEFORE, false},
    {"tune", "the batch size with the lowest cost", CLI_BEFORE, false},
    {"run", "run a command with a meter and a budget", CLI_DURING, true},
    {"top", "what is running and what it costs", CLI_DURING, true},
    {"send", "send runs that wait on this machine to a server", CLI_DURING, false},
    {"stop", "ask a run to save and exit", CLI_DURING, false},
    {"attach", "meter a process that is already running", CLI_DURING, false},
    {"watch", "run a command when this machine is idle or over budget", CLI_DURING, false},
    {"checkpoints", "list, prune and compare checkpoints", CLI_DURING, false},
    {"runs", "past runs and what they cost", CLI_AFTER, true},
    {"show", "everything recorded about a run", CLI_AFTER, false},
    {"compare", "runs side by side: settings, usage, cost", CLI_AFTER, false},
    {"why", "why a run or a month cost more or less", CLI_AFTER, false},
    {"commitments", "what to commit to, and what it saves", CLI_AFTER, false},
    {"maturity", "how costs are handled, and the next steps", CLI_AFTER, false},
    {"checklist", "progress by phase: done and open items", CLI_AFTER, false},
    {"targets", "goals, and how far they are reached", CLI_AFTER, false},
    {"advise", "what to change, and what it saves", CLI_AFTER, true},
    {"storage", "what keeping a data set costs, and the cheapest lifecycle", CLI_AFTER, false},
    {"check", "fail a build when a job costs more than before", CLI_AFTER, false},
    {"comment", "post the result of a check on a pull request", CLI_AFTER, false},
    {"costs", "where the money went", CLI_AFTER, true},
    {"import", "add cloud bills", CLI_AFTER, true},
    {"bills", "the bills in the ledger", CLI_AFTER, false},
    {"reconcile", "compare runs with the bills that charge for them", CLI_AFTER, false},
    {"budget", "budgets that alert and stop runs", CLI_AFTER, true},
    {"report", "a report to share", CLI_AFTER, true},
    {"serve", "a page, an API and metrics for a team", CLI_AFTER, false},
    {"metrics", "metrics, rules and a dashboard for Prometheus and Grafana", CLI_AFTER, false},
    {"token", "tokens that grant access to the server", CLI_AFTER, false},
    {"alert", "alerts and the channels that receive them", CLI_AFTER, false},
    {"forecast", "the cost of a month, with a range", CLI_AFTER, false},
    {"anomalies", "days of unusual spending and their likely causes", CLI_AFTER, false},
    {"tags", "tag coverage, and tags of a run", CLI_AFTER, false},
    {"allocation", "rules that allocate shared, recurring and untagged costs", CLI_AFTER,
     false},
    {"statement", "the monthly showback or chargeback of each team", CLI_AFTER, false},
    {"unit-costs", "the cost of one experiment, update or prediction", CLI_AFTER, false},
    {"counts", "predictions, requests and tokens, for unit costs", CLI_AFTER, false},
    {"rates", "exchange rates by day", CLI_AFTER, false},
    {"export", "costs as FOCUS, CSV or JSON", CLI_AFTER, false},
    {"accuracy", "estimates compared with the runs that followed", CLI_AFTER, false},
    {"calibrate", "improve estimates with what your runs measured", CLI_AFTER, false},
    {"init", "write the configuration: clouds, currency, budget", CLI_SETUP, true},
    {"demo", "a throw-away ledger of a made-up team, to look at", CLI_SETUP, true},
    {"example", "example files: jobs, configurations, a bill", CLI_SETUP, true},
    {"config", "every setting, its value and its source", CLI_SETUP, false},
    {"meters", "what Stint can measure on this machine", CLI_SETUP, false},
    {"ledger", "create, copy and check the ledger of runs and bills", CLI_SETUP, false},
    {"catalog", "the facts Stint uses, with date and source", CLI_SETUP, false},
    {"region", "carbon intensity and PUE of regions", CLI_SETUP, false},
    {"schema", "requests and results of operations, as JSON Schema", CLI_SETUP, false},
    {"validate", "compare predictions with measurements", CLI_SETUP, false},
};
const size_t cli_group_count = ARRAY_LEN(cli_groups);

/* Not operations: they explain or set up the program itself. */
const struct command_word cli_words[] = {
    {"help", "stint help [COMMAND | --all]", "explain Stint, a group or one command",
     "Without a command: the commands to know first. With --all: every command. A\n"
     "group such as price lists its commands; price list lists its options.",
     "stint help --all\nstint help price\nstint help price list"},
    {"completion", "stint completion SHELL", "print a completion script for bash, zsh or fish",
     "Prints the script with which a shell completes commands, options, and the values\n"
     "of options that have only a few.",
     "stint completion bash >~/.local/share/bash-completion/completions/stint"},
    {"call", "stint call OPERATION [REQUEST] [--reply-fd=N] [--text]",
     "run an operation by its name, with JSON in and out",
     "Runs one operation in its own process, like stint_call() of the library, for programs\n"
     "that use Stint. REQUEST is a JSON object with a key for each option; 'stint schema'\n"
     "lists operations and their keys. The reply is one line of JSON on standard output,\n"
     "or on the descriptor N: the result, or the error. Commands started by 'run',\n"
     "'attach', 'watch' or 'tune' keep standard output, so use --reply-fd there.\n"
     "With --text, standard output has the result as the command prints it.",
     "stint call price.compare '{\"gpu\": \"H100x8\", \"hours\": 24}'\n"
     "stint call run '{\"command\": [\"python\", \"train.py\"]}' --reply-fd=3 3>result.json"},
};
const size_t cli_word_count = ARRAY_LEN(cli_words);

const struct command *cli_find(struct str name)
{
    for (size_t i = 0; i < cli_command_count; i++)
        if (str_eq(str_from(cli_commands[i]->name), name))
            return cli_commands[i];
    return NULL;
}

const struct command_group *cli_find_group(struct str name)
{
    for (size_t i = 0; i < cli_group_count; i++)
        if (str_eq(str_from(cli_groups[i].name), name))
            return &cli_groups[i];
    return NULL;
}

bool cli_leads_group(const struct command *command)
{
    for (size_t i = 0; i < cli_command_count; i++)
        if (cli_commands[i] != command &&
            cli_in_group(cli_commands[i], str_from(command->name)))
            return true;
    return false;
}

bool cli_in_group(const struct command *command, struct str group)
{
    struct str name = str_from(command->name);

    return str_eq(str_cut(&name, ' '), group);
}
