/* cost_analysis.json: the keys of the cost guides, and our own beside them. */
#include <math.h>
#include <string.h>

#include "doc/json_write.h"
#include "op/report/work.h"

/* A null and its reason. */
struct null_row {
    struct str key, why;
};
static const struct field null_fields[] = {
    FIELD(TEXT, null_row, key, .help = "that is null"),
    FIELD(TEXT, null_row, why, .help = "it is not known"),
};
static const struct field_set null_set = FIELD_SET(struct null_row, null_fields);

#define NULLS(record) \
    FIELD(LIST, record, unknown, .row = &null_set, .help = "values that are null, and why")

struct training_section {
    double time_hours, energy_kwh, cost_usd;
    struct rows unknown;
};
static const struct field training_fields[] = {
    FIELD(NUMBER, training_section, time_hours, .help = "of the work"),
    FIELD(NUMBER, training_section, energy_kwh, .help = "of the machine"),
    FIELD(NUMBER, training_section, cost_usd, .help = "paid"),
    NULLS(training_section),
};
static const struct field_set training_set =
    FIELD_SET(struct training_section, training_fields);

struct breakdown {
    struct training_section training;
};
static const struct field breakdown_fields[] = {
    FIELD(RECORD, breakdown, training, .row = &training_set, .help = "the work itself"),
};
static const struct field_set breakdown_set = FIELD_SET(struct breakdown, breakdown_fields);

struct analysis {
    struct str name, id;
    struct breakdown cost_breakdown;
};
static const struct field analysis_fields[] = {
    FIELD(TEXT, analysis, name, .help = "of the work"),
    FIELD(TEXT, analysis, id, .empty_unknown = true, .help = "of the run"),
    FIELD(RECORD, analysis, cost_breakdown, .row = &breakdown_set, .help = "by part"),
};
static const struct field_set analysis_set = FIELD_SET(struct analysis, analysis_fields);

bool work_json(const struct report_work *work, struct arena *arena, struct buf *out,
               struct error *err)
{
    struct analysis *a = arena_array(arena, struct analysis, 1, err);

    if (a == NULL)
        return false;
    a->name = work->name;
    a->id = work->id;
    a->cost_breakdown.training = (struct training_section){
        .time_hours = work->time.ns < 0 ? NAN : span_in_hours(work->time),
        .energy_kwh = work->energy.j / JOULES_PER_KWH,
        .cost_usd = usd_double(work->cost),
    };
    json_write_record(&analysis_set, a, "stint.cost_analysis/1", out);
    buf_char(out, '\n');
    return buf_ok(out, err);
}
