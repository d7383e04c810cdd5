/* The request and the result of plan.recheck, as tables. */
#include "op/plan/plan_recheck.h"

static const struct field request[] = {
    FIELD(TEXT, plan_recheck_request, file, .value = "PLAN.json", .operand = true,
          .required = true, .help = "that 'stint plan --save' wrote"),
    FIELD(SHARE, plan_recheck_request, tolerance, .value = "SHARE", .fallback = "5%",
          .help = "a plan that costs more by at most this is still good"),
};
const struct field_set plan_recheck_request_fields =
    FIELD_SET(struct plan_recheck_request, request);

static const struct field row_fields[] = {
    FIELD(TEXT, plan_recheck_row, role, .help = "that the plan had"),
    FIELD(TEXT, plan_recheck_row, offer, .help = "provider/region/instance"),
    FIELD(TEXT, plan_recheck_row, elsewhere,
          .help = "the same machine in another region, which it is compared with when it is "
                  "not there itself"),
    FIELD(TEXT, plan_recheck_row, market, .help = "on-demand, spot, reserved or own"),
    FIELD(TEXT, plan_recheck_row, state, .help = "same, cheaper, dearer, gone or unknown"),
    FIELD(RATE, plan_recheck_row, price_then, .help = "of one machine when it was planned"),
    FIELD(RATE, plan_recheck_row, price_now, .help = "of one machine today"),
    FIELD(NUMBER, plan_recheck_row, price_change, .help = "of the price, a share"),
    FIELD(DAY, plan_recheck_row, date_then, .help = "of the price then"),
    FIELD(DAY, plan_recheck_row, date_now, .help = "of the price now"),
    FIELD(COUNT, plan_recheck_row, age_then_days, .help = "of the price when it was planned"),
    FIELD(COUNT, plan_recheck_row, age_now_days, .help = "of today's price"),
    FIELD(USD, plan_recheck_row, cost_then, .help = "of the result's unit"),
    FIELD(USD, plan_recheck_row, cost_now, .help = "likewise, by the method"),
    FIELD(NUMBER, plan_recheck_row, cost_change, .help = "of the cost, a share"),
};
static const struct field_set row_set = FIELD_SET(struct plan_recheck_row, row_fields);

static const struct field result[] = {
    FIELD(TEXT, plan_recheck_result, file, .help = "that was read"),
    FIELD(TEXT, plan_recheck_result, name, .help = "of the job"),
    FIELD(TEXT, plan_recheck_result, unit, .help = "of cost: job, month or million tokens"),
    FIELD(TEXT, plan_recheck_result, state,
          .help = "good, dearer, beaten by another of them, gone or unknown"),
    FIELD(TEXT, plan_recheck_result, verdict, .help = "in one line"),
    FIELD(TEXT, plan_recheck_result, method, .help = "how the costs of today were found"),
    FIELD(LIST, plan_recheck_result, plans, .row = &row_set, .help = "as they were saved"),
    FIELD(TEXT, plan_recheck_result, best_offer,
          .help = "of the best plan today; null when it could not be planned again"),
    FIELD(TEXT, plan_recheck_result, best_market, .help = "likewise"),
    FIELD(USD, plan_recheck_result, best_cost, .help = "likewise"),
    FIELD(FLAG, plan_recheck_result, same,
          .help = "the best plan today is on the machine of the saved one"),
    FIELD(FLAG, plan_recheck_result, job_changed, .help = "the job's file is not what it was"),
    FIELD(FLAG, plan_recheck_result, newer, .help = "some price is newer than the plan's"),
    FIELD(RECORD, plan_recheck_result, age, .row = &price_age_fields,
          .help = "how old the prices of today are"),
};
const struct field_set plan_recheck_result_fields =
    FIELD_SET(struct plan_recheck_result, result);
