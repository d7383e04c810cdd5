/* commands.h - every command. A new one is a file, a line here and a row in commands.c. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "cli/cli.h"

extern const struct command cmd_budget_split, cmd_catalog_import, cmd_catalog_list,
    cmd_catalog_show, cmd_config, cmd_estimate, cmd_gpu_fit, cmd_gpu_list, cmd_gpu_show,
    cmd_init, cmd_price_compare, cmd_price_diff, cmd_price_doctor, cmd_price_history,
    cmd_price_list, cmd_price_fetch, cmd_price_pack, cmd_price_import, cmd_plan_recheck,
    cmd_plan_slots, cmd_price_regions, cmd_price_spot, cmd_price_value, cmd_region_list,
    cmd_schema, cmd_spot_decide, cmd_spot_fleet, cmd_spot_interval, cmd_spot_risk, cmd_simulate,
    cmd_validate, cmd_accuracy, cmd_calibrate, cmd_export, cmd_report, cmd_reconcile, cmd_plan,
    cmd_infer, cmd_run, cmd_watch, cmd_checkpoints_best, cmd_checkpoints_list,
    cmd_checkpoints_prune, cmd_meters, cmd_compare, cmd_why, cmd_roi, cmd_tco, cmd_runs,
    cmd_commitments, cmd_show, cmd_stop, cmd_top, cmd_tune, cmd_costs, cmd_ledger_init,
    cmd_import, cmd_bills, cmd_bills_remove, cmd_alert_ack, cmd_alert_raise, cmd_alert_add,
    cmd_alert_channels, cmd_alert_list, cmd_alert_log, cmd_alert_remove, cmd_alert_send,
    cmd_alert_test, cmd_costs_gpus, cmd_costs_movers, cmd_costs_repeats, cmd_costs_spot,
    cmd_costs_storage, cmd_costs_trend, cmd_rates_import, cmd_rates_list, cmd_allocation_check,
    cmd_allocation_remove, cmd_allocation_set, cmd_allocation_show, cmd_counts_add,
    cmd_counts_import, cmd_counts_list, cmd_counts_remove, cmd_run_add, cmd_statement, cmd_tags,
    cmd_tags_set, cmd_unit_costs, cmd_budget_check, cmd_budget_list, cmd_budget_remove,
    cmd_budget_set, cmd_budget_show, cmd_anomalies, cmd_forecast, cmd_ledger_copy,
    cmd_ledger_doctor, cmd_check, cmd_comment, cmd_maturity, cmd_checklist, cmd_targets,
    cmd_targets_set, cmd_targets_remove;

extern const struct command cmd_advise, cmd_advise_apply, cmd_advise_dismiss, cmd_advise_facts,
    cmd_advise_restore, cmd_advise_rules, cmd_storage;

#endif
