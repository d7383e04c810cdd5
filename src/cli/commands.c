#include "cli/commands.h"

/* In the order in which help shows them. */
const struct command *const cli_commands[] = {
    &cmd_init,         &cmd_price_list,    &cmd_price_compare, &cmd_price_value,
    &cmd_price_spot,   &cmd_price_regions, &cmd_price_history, &cmd_price_diff,
    &cmd_price_fetch,  &cmd_price_import,  &cmd_price_doctor,  &cmd_gpu_list,
    &cmd_gpu_show,     &cmd_gpu_fit,       &cmd_plan,          &cmd_plan_slots,
    &cmd_plan_recheck, &cmd_estimate,      &cmd_validate,      &cmd_simulate,
    &cmd_spot_risk,    &cmd_spot_interval, &cmd_spot_fleet,    &cmd_spot_decide,
    &cmd_runs,         &cmd_show,          &cmd_compare,       &cmd_top,
    &cmd_budget_split, &cmd_region_list,   &cmd_catalog_list,  &cmd_catalog_show,
    &cmd_config,
};
const size_t cli_command_count = ARRAY_LEN(cli_commands);

/* Each has a man page, stint-GROUP(1). */
const struct command_group cli_groups[] = {
    {"init", "write Stint's configuration"},
    {"price", "what hardware costs, where"},
    {"gpu", "accelerators: what they can do, and the cheapest way to get one"},
    {"plan", "the cheapest honest way to run a job, and why"},
    {"estimate", "memory, time, energy and cost of one setting"},
    {"simulate", "what spot would have cost on traces, policy by policy"},
    {"spot", "machines that may be taken back: risk, checkpoints, fleets, what to do now"},
    {"runs", "what was run, and what it cost"},
    {"show", "everything that is known of a run"},
    {"compare", "runs side by side, and which is better"},
    {"top", "what runs now, and what it costs an hour"},
    {"budget", "the money of a month: what for, and whether plans keep to it"},
    {"validate", "predictions against measured rows: the error"},
    {"region", "where power is clean"},
    {"catalog", "the facts that Stint stands on, with date and source"},
    {"config", "the settings in force and where they came from"},
};
const size_t cli_group_count = ARRAY_LEN(cli_groups);
