#include "advise/answer.h"

#include "advise/rules/cleaner.h"
#include "advise/rules/compression.h"
#include "advise/rules/joint.h"
#include "base/buf.h"
#include "doc/notes.h"

#define NOTE_MAX 512

static const struct field fields[] = {
    FIELD(TEXT, advise_result, kind, .help = "kind of subject: period, run or job"),
    FIELD(TEXT, advise_result, of, .empty_unknown = true,
          .help = "subject: the run or the job"),
    FIELD(TEXT, advise_result, per, .help = "unit of savings: month (30 days) or run"),
    FIELD(DAY, advise_result, since, .help = "first day of the period"),
    FIELD(DAY, advise_result, until, .help = "last day of the period"),
    FIELD(COUNT, advise_result, runs, .help = "runs examined"),
    FIELD_AS("jobs", COUNT, advise_result, works,
             .help = "jobs examined: runs of one name and project are one job"),
    FIELD(COUNT, advise_result, jobs_left_out,
          .help = "jobs not examined: the cheapest, where there are many"),
    FIELD(COUNT, advise_result, unpriced,
          .help = "runs left out because their cost is unknown"),
    FIELD(LIST, advise_result, findings, .row = &finding_fields,
          .help = "findings with certain savings, the largest first"),
    FIELD(LIST, advise_result, possible, .row = &finding_fields,
          .help = "findings that may save nothing: their range begins at $0; not in the total"),
    FIELD(COUNT, advise_result, dismissed, .help = "findings left out: dismissed"),
    FIELD(COUNT, advise_result, hidden, .help = "findings left out by options"),
    FIELD(RECORD, advise_result, total, .row = &advise_total_fields,
          .help = "best combination of the listed findings"),
    FIELD(LIST, advise_result, applied, .row = &followup_fields,
          .help = "applied findings: predicted and measured"),
    FIELD(LIST, advise_result, compression, .row = &compression_fields,
          .help = "smaller models for a job that serves, the cheapest first"),
    FIELD(TEXT, advise_result, compression_unit, .empty_unknown = true,
          .help = "unit of their cost: month, million tokens, 1,000 requests"),
    FIELD(LIST, advise_result, cleaner, .row = &cleaner_fields,
          .help = "cleaner regions and hours for a job, and their extra cost"),
    FIELD(RECORD, advise_result, data, .row = &plan_data_fields,
          .help = "moving the data of --data: what it takes, and what would save"),
    FIELD(TEXTS, advise_result, notes, .help = "limitations of the answer"),
    FIELD(TEXT, advise_result, svg, .help = "file that was written"),
};
const struct field_set advise_fields = FIELD_SET(struct advise_result, fields);

/* ---- which are shown ---- */

bool advise_filter_category(const struct advise_filter *filter, enum advise_category category)
{
    return filter->category.len == 0 ||
           strs_match(filter->category, str_from(advise_category_names[category]));
}

bool advise_filter_check(const struct advise_filter *filter, struct error *err)
{
    for (size_t i = 0; i < filter->category.len; i++)
        if (!str_is_one_of(filter->category.at[i], advise_category_names))
            return error_fail_hint(
                err, ERROR_USAGE, "use compute, training, serving, storage or carbon",
                "there is no category '%.*s'", STR_ARG(filter->category.at[i]));
    return true;
}

static bool passes_finding_filter(const struct advise_filter *filter, const struct finding *f)
{
    if (!advise_filter_category(filter, f->category))
        return false;
    for (int e = 0; e < ADVISE_EFFORTS && filter->effort.len > 0; e++)
        if (str_eq(filter->effort, str_from(advise_effort_names[e])) && (int)f->effort > e)
            return false;
    return filter->min_saving.nano == MONEY_UNKNOWN ||
           usd_compare(f->saving, filter->min_saving) >= 0;
}

bool advise_show(const struct advise_filter *filter, const struct advise_facts *facts,
                 struct findings *findings, struct arena *arena, struct advise_result *out,
                 struct error *err)
{
    struct advise_money *money;
    size_t kept = 0, sure, subjects;

    out->dismissed = out->hidden = 0;
    for (size_t i = 0; i < findings->count; i++) {
        bool decided = findings->at[i].state != FINDING_OPEN;

        out->dismissed += decided && !filter->all;
        if (decided && !filter->all)
            continue;
        if (passes_finding_filter(filter, &findings->at[i]))
            findings->at[kept++] = findings->at[i];
        else
            out->hidden++;
    }
    findings->count = kept;
    if (!findings_joint(facts, findings, err) ||
        !advise_subjects(facts, arena, &money, &subjects, err) ||
        !findings_combine(findings, money, subjects, &facts->rest, &out->total, err))
        return false;
    sure = findings_part(findings);
    out->findings = (struct rows){findings->at, sure};
    out->possible = (struct rows){findings->at + sure, findings->count - sure};
    return true;
}

/* ---- notes ---- */

static bool note_works_left_out(const struct advise_facts *facts, struct arena *arena,
                                struct advise_result *out, struct error *err)
{
    struct buf text = buf_new(arena->alloc, NOTE_MAX);

    if (out->jobs_left_out > 0) {
        buf_addf(&text, "%lld jobs that cost less than these were not examined: ",
                 (long long)out->jobs_left_out);
        usd_write_estimate(usd_from(facts->rest.part[PART_UNSEEN]), &text);
        buf_adds(&text, " a month");
    }
    return note_keep(&out->notes, arena, &text, err);
}

bool advise_add_notes(const struct advise_facts *facts, bool recorded, struct arena *arena,
                      struct advise_result *out, struct error *err)
{
    bool one = out->unpriced == 1;

    if ((out->unpriced > 0 &&
         !note_add(
             &out->notes, arena, err,
             "%lld run%s of unknown cost %s left out: 'stint run --offer OFFER' or --price "
             "records one",
             (long long)out->unpriced, one ? "" : "s", one ? "is" : "are")) ||
        !note_works_left_out(facts, arena, out, err))
        return false;
    if (str_eq(out->kind, STR("period")) && out->runs == 0)
        return note_add(&out->notes, arena, err, "%s",
                        recorded
                            ? "no run began in this period; --since 90d looks further back"
                            : "nothing is recorded yet. 'stint run -- COMMAND' records "
                              "runs: idle time, stalls, failures, repeats and right-sizing "
                              "come from them. 'stint advise JOB' needs no records");
    return recorded || !str_eq(out->kind, STR("job")) ||
           note_add(&out->notes, arena, err,
                    "computed from the job alone: runs recorded with 'stint run' would add "
                    "measured idle time, stalls, failures and a corrected estimate");
}
