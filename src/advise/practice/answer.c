#include "advise/practice/answer.h"

static const struct field about_list[] = {
    FIELD(DAY, practice_about, since, .help = "first day"),
    FIELD(DAY, practice_about, until, .help = "last day"),
    FIELD(TEXT, practice_about, ledger, .help = "ledger that was read"),
    FIELD(FLAG, practice_about, no_ledger, .help = "no ledger exists yet"),
};
static const struct field_set about_set = FIELD_SET(struct practice_about, about_list);

static const struct field maturity_list[] = {
    FIELD(RECORD, maturity_result, about, .row = &about_set, .inlined = true,
          .help = "judged period and data"),
    FIELD_AS("domains", LIST, maturity_result, maturity.domains, .row = &maturity_domain_fields,
             .help = "inform, optimize and operate"),
    FIELD_AS("practices", LIST, maturity_result, maturity.rows, .row = &maturity_row_fields,
             .help = "practices by domain"),
    FIELD_AS("steps", LIST, maturity_result, maturity.steps, .row = &maturity_step_fields,
             .help = "next three steps, the largest cost at stake first"),
    FIELD(TEXT, maturity_result, svg, .help = "file that was written"),
};

static const struct field checklist_list[] = {
    FIELD(TEXT, checklist_result, phase, .empty_unknown = true, .help = "phase; null: all"),
    FIELD(RECORD, checklist_result, about, .row = &about_set, .inlined = true,
          .help = "judged period and data"),
    FIELD_AS("phases", LIST, checklist_result, list.phases, .row = &checklist_phase_fields,
             .help = "phases with their numbers of items"),
    FIELD_AS("items", LIST, checklist_result, list.rows, .row = &checklist_row_fields,
             .help = "items of the phase"),
    FIELD(TEXT, checklist_result, md, .help = "file that was written"),
};

static const struct field targets_list[] = {
    FIELD(RECORD, targets_result, about, .row = &about_set, .inlined = true,
          .help = "judged period and data"),
    FIELD_AS("targets", LIST, targets_result, scores.rows, .row = &target_row_fields,
             .help = "targets: yours and the defaults"),
    FIELD_AS("known", COUNT, targets_result, scores.known,
             .help = "targets with a known value"),
    FIELD_AS("met", COUNT, targets_result, scores.met, .help = "targets that are met"),
    FIELD_AS("score", NUMBER, targets_result, scores.score,
             .help = "mean of the known scores, 0 to 1"),
    FIELD(TEXT, targets_result, svg, .help = "file that was written"),
};

const struct field_set maturity_fields = FIELD_SET(struct maturity_result, maturity_list);
const struct field_set checklist_fields = FIELD_SET(struct checklist_result, checklist_list);
const struct field_set targets_fields = FIELD_SET(struct targets_result, targets_list);
