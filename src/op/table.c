/* The table of all operations: the only file of op that knows every group of commands. */
#include "op/account/allocation.h"
#include "op/account/costs.h"
#include "op/account/counts.h"
#include "op/account/export.h"
#include "op/account/rates.h"
#include "op/account/reconcile.h"
#include "op/account/statement.h"
#include "op/account/tags.h"
#include "op/account/unit_costs.h"
#include "op/advise/advise.h"
#include "op/advise/checklist.h"
#include "op/advise/commitments.h"
#include "op/advise/maturity.h"
#include "op/advise/roi.h"
#include "op/advise/storage.h"
#include "op/advise/targets.h"
#include "op/advise/tco.h"
#include "op/advise/why.h"
#include "op/alert/alert.h"
#include "op/bill/bill_import.h"
#include "op/bill/bills.h"
#include "op/budget/anomalies.h"
#include "op/budget/budget.h"
#include "op/budget/forecast.h"
#include "op/ci/check.h"
#include "op/ci/comment.h"
#include "op/config.h"
#include "op/context.h"
#include "op/estimate/calibrate.h"
#include "op/estimate/estimate.h"
#include "op/estimate/validate.h"
#include "op/example.h"
#include "op/facts/catalog_import.h"
#include "op/facts/facts.h"
#include "op/facts/gpu.h"
#include "op/facts/gpu_fit.h"
#include "op/facts/region.h"
#include "op/ledger/demo.h"
#include "op/ledger/ledger_copy.h"
#include "op/ledger/ledger_doctor.h"
#include "op/ledger/ledger_init.h"
#include "op/metrics/metrics.h"
#include "op/op.h"
#include "op/plan/budget_split.h"
#include "op/plan/infer.h"
#include "op/plan/plan.h"
#include "op/plan/plan_recheck.h"
#include "op/plan/plan_slots.h"
#include "op/price/price.h"
#include "op/price/price_diff.h"
#include "op/price/price_doctor.h"
#include "op/price/price_fetch.h"
#include "op/price/price_history.h"
#include "op/price/price_import.h"
#include "op/price/price_pack.h"
#include "op/price/price_regions.h"
#include "op/report/report.h"
#include "op/run/checkpoints.h"
#include "op/run/meters.h"
#include "op/run/run.h"
#include "op/run/send.h"
#include "op/run/stop.h"
#include "op/run/top.h"
#include "op/run/tune.h"
#include "op/run/watch.h"
#include "op/runs/compare.h"
#include "op/runs/import_runs.h"
#include "op/runs/run_add.h"
#include "op/runs/runs.h"
#include "op/runs/show.h"
#include "op/schema.h"
#include "op/spot/price_spot.h"
#include "op/spot/simulate.h"
#include "op/spot/spot_decide.h"
#include "op/spot/spot_fleet.h"
#include "op/spot/spot_interval.h"
#include "op/spot/spot_risk.h"
#include "op/token/token.h"

const struct op *const op_table[] = {
    &op_accuracy,
    &op_advise,
    &op_advise_dismiss,
    &op_advise_restore,
    &op_advise_apply,
    &op_advise_rules,
    &op_advise_facts,
    &op_anomalies,
    &op_forecast,
    &op_calibrate,
    &op_export,
    &op_reconcile,
    &op_budget_split,
    &op_catalog_list,
    &op_catalog_show,
    &op_catalog_import,
    &op_check,
    &op_comment,
    &op_config_init,
    &op_config_show,
    &op_estimate,
    &op_plan_slots,
    &op_plan_recheck,
    &op_gpu_fit,
    &op_gpu_list,
    &op_gpu_show,
    &op_price_compare,
    &op_price_diff,
    &op_price_doctor,
    &op_price_history,
    &op_price_list,
    &op_price_fetch,
    &op_price_import,
    &op_price_pack,
    &op_price_regions,
    &op_price_spot,
    &op_price_value,
    &op_region_list,
    &op_spot_decide,
    &op_spot_fleet,
    &op_spot_interval,
    &op_spot_risk,
    &op_simulate,
    &op_validate,
    &op_plan,
    &op_run_command,
    &op_attach,
    &op_watch,
    &op_checkpoints_best,
    &op_checkpoints_list,
    &op_checkpoints_prune,
    &op_meters,
    &op_compare,
    &op_runs,
    &op_run_add,
    &op_tags,
    &op_tags_set,
    &op_allocation_set,
    &op_allocation_show,
    &op_allocation_check,
    &op_allocation_remove,
    &op_statement,
    &op_unit_costs,
    &op_counts_add,
    &op_counts_import,
    &op_counts_list,
    &op_counts_remove,
    &op_import,
    &op_import_mlflow,
    &op_import_wandb,
    &op_bills,
    &op_bills_remove,
    &op_report,
    &op_schema,
    &op_show,
    &op_tco,
    &op_roi,
    &op_why,
    &op_commitments,
    &op_maturity,
    &op_checklist,
    &op_targets,
    &op_targets_set,
    &op_targets_remove,
    &op_infer,
    &op_storage,
    &op_send,
    &op_stop,
    &op_top,
    &op_tune,
    &op_costs,
    &op_demo,
    &op_example,
    &op_ledger_init,
    &op_ledger_copy,
    &op_ledger_doctor,
    &op_alert_ack,
    &op_alert_raise,
    &op_alert_add,
    &op_alert_channels,
    &op_alert_list,
    &op_alert_log,
    &op_alert_remove,
    &op_alert_send,
    &op_alert_test,
    &op_costs_gpus,
    &op_costs_movers,
    &op_costs_repeats,
    &op_costs_spot,
    &op_costs_storage,
    &op_costs_trend,
    &op_rates_import,
    &op_rates_list,
    &op_budget_check,
    &op_budget_list,
    &op_budget_remove,
    &op_budget_set,
    &op_budget_show,
    &op_metrics,
    &op_metrics_dashboard,
    &op_metrics_list,
    &op_metrics_rules,
    &op_token_add,
    &op_token_list,
    &op_token_remove,
};
const size_t op_count = ARRAY_LEN(op_table);

const struct op *op_find(struct str name)
{
    for (size_t i = 0; i < op_count; i++)
        if (str_eq(str_from(op_table[i]->name), name))
            return op_table[i];
    return NULL;
}

bool op_unknown(struct str name, struct error *err)
{
    struct suggestion s = {.wanted = name};

    for (size_t i = 0; i < op_count; i++)
        suggestion_try(&s, str_from(op_table[i]->name));
    error_set(err, ERROR_USAGE, "there is no operation '%.*s'", STR_ARG(name));
    if (!suggestion_hint(&s, err))
        error_hint(err, "'stint schema' lists them");
    return false;
}
