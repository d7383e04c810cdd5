#include "report/findings.h"
#include "unit/shown.h"

#define BARS_MAX 12
#define LABEL_MAX 42 /* characters that have room beside a bar, in bold */

/* ---- keeping ---- */

static bool keep_shown_texts(struct str **texts, size_t count, struct arena *arena,
                             struct error *err)
{
    for (size_t i = 0; i < count; i++)
        if (!str_keep(*texts[i], arena, texts[i], err))
            return false;
    return true;
}

/* All of a run; of a period the first. */
static bool keep_findings(struct report_findings *out, struct arena *arena, struct error *err)
{
    const struct finding *from = out->result.findings.at;
    size_t all = out->result.findings.len, count = all;
    struct finding *to;

    if (str_eq(out->result.kind, STR("period")) && all > REPORT_FINDINGS_MOST)
        count = REPORT_FINDINGS_MOST;
    to = arena_array(arena, struct finding, count, err);
    if (to == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        struct str *texts[] = {&to[i].rule,   &to[i].title,  &to[i].subject, &to[i].evidence,
                               &to[i].action, &to[i].method, &to[i].source,  &to[i].reason};

        to[i] = from[i];
        to[i].by_subject = NULL;
        if (!keep_shown_texts(texts, ARRAY_LEN(texts), arena, err))
            return false;
    }
    out->result.findings = (struct rows){to, count};
    out->more = all - count;
    return true;
}

static bool keep_applied(struct report_findings *out, struct arena *arena, struct error *err)
{
    const struct followup *from = out->result.applied.at;
    size_t count = out->result.applied.len;
    struct followup *to = arena_array(arena, struct followup, count, err);

    if (to == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        struct advise_decision *d = &to[i].decision;
        struct str *texts[] = {&d->id,   &d->rule,    &d->title,     &d->subject,
                               &d->name, &d->project, &d->reason,    &d->per,
                               &d->by,   &to[i].unit, &to[i].verdict};

        to[i] = from[i];
        if (!keep_shown_texts(texts, ARRAY_LEN(texts), arena, err))
            return false;
    }
    out->result.applied = (struct rows){to, count};
    return true;
}

bool report_findings_keep(struct report_findings *out, struct arena *arena, struct error *err)
{
    struct advise_result *res = &out->result;
    struct str *texts[] = {&res->kind, &res->of, &res->per};
    struct str *notes = arena_array(arena, struct str, res->notes.len, err);

    if (notes == NULL)
        return false;
    for (size_t i = 0; i < res->notes.len; i++)
        if (!str_keep(res->notes.at[i], arena, &notes[i], err))
            return false;
    res->notes.at = notes;
    res->possible = res->compression = res->cleaner = (struct rows){0};
    res->compression_unit = res->svg = (struct str){0};
    return keep_shown_texts(texts, ARRAY_LEN(texts), arena, err) &&
           keep_findings(out, arena, err) && keep_applied(out, arena, err);
}

/* ---- as a document ---- */

void report_findings_total(const struct advise_result *res, struct buf *out)
{
    const struct advise_total *t = &res->total;

    if (res->findings.len == 0) {
        buf_adds(out, "nothing certain");
        return;
    }
    buf_adds(out, "saves ");
    usd_write_estimate(t->saving, out);
    buf_adds(out, " of ");
    usd_write_estimate(t->spent, out);
    if (str_eq(res->kind, STR("period"))) {
        buf_adds(out, " a ");
        buf_add(out, res->per);
    }
    buf_adds(out, " (");
    value_share(t->share, out);
    buf_adds(out, "), ");
    value_estimate_range(t->saving_low, t->saving_high, out);
    buf_addf(out, ": %lld finding%s together", (long long)t->findings,
             t->findings == 1 ? "" : "s");
}

static bool write_finding_what(const struct column *column, const void *row, struct buf *out)
{
    const struct finding *f = row;

    (void)column;
    buf_add(out, f->subject);
    buf_adds(out, ": ");
    buf_add(out, f->title);
    return true;
}

static void add_advise_findings(struct document *d, const struct advise_result *res)
{
    static const struct column columns[] = {
        COLUMN_CELL("what", write_finding_what),
        COLUMN("saves", savings, .form = COLUMN_ESTIMATE),
        COLUMN("range", savings_low, .to = "savings_high", .form = COLUMN_ESTIMATE),
        COLUMN("effort", effort),
        COLUMN("seen", evidence),
        COLUMN("what to do", action),
        COLUMN("in the total", chosen, .no = "no: instead of another"),
    };
    static const struct columns list = {.at = columns, .len = ARRAY_LEN(columns)};

    document_table(d,
                   &(struct document_table){
                       .caption = document_text(d, "Findings, and what each saves a %.*s alone",
                                                STR_ARG(res->per)),
                       .columns = &list,
                       .rows = {&finding_fields, res->findings.at, res->findings.len}});
}

static bool write_applied(const struct column *column, const void *row, struct buf *out)
{
    const struct followup *f = row;

    (void)column;
    buf_add(out, f->decision.subject);
    buf_adds(out, ": ");
    buf_add(out, f->decision.title);
    return true;
}

static void add_applied(struct document *d, const struct advise_result *res)
{
    static const struct column columns[] = {
        COLUMN_CELL("applied", write_applied),
        COLUMN("since", at),
        COLUMN("predicted", savings, .form = COLUMN_ESTIMATE),
        COLUMN("measured", measured, .form = COLUMN_ESTIMATE),
        COLUMN("80 % range", measured_low, .to = "measured_high", .form = COLUMN_ESTIMATE,
               .unknown = "-"),
        COLUMN("result", verdict),
    };
    static const struct columns list = {.at = columns, .len = ARRAY_LEN(columns)};

    if (res->applied.len > 0)
        document_table(d, &(struct document_table){
                              .caption = STR("Applied findings: savings a month, predicted and "
                                             "measured"),
                              .columns = &list,
                              .rows = {&followup_fields, res->applied.at, res->applied.len}});
}

/* How many are not here, and what prints all of them. */
static void add_shown_rest(struct document *d, const struct report_findings *shown)
{
    struct buf text = buf_new(d->arena->alloc, 1024);

    buf_adds(&text, "These are the numbers of: ");
    buf_add(&text, shown->command);
    buf_char(&text, '.');
    if (shown->more > 0)
        buf_addf(&text, " It prints %zu more.", shown->more);
    if (shown->result.dismissed > 0)
        buf_addf(&text, " %lld dismissed or applied %s not listed.",
                 (long long)shown->result.dismissed,
                 shown->result.dismissed == 1 ? "is" : "are");
    document_paragraph(d, document_keep(d, &text));
}

/* Findings of several runs as one answer: each names its run, and totals add up, since they
 * are of different money. */
static bool join_shown(const struct report_findings *runs, size_t count, struct arena *arena,
                       struct advise_result *out, struct error *err)
{
    struct findings all = {.arena = arena};
    struct finding *to;

    *out = (struct advise_result){.per = STR("run"), .kind = STR("runs")};
    for (size_t r = 0; r < count; r++)
        all.count += runs[r].result.findings.len;
    to = all.at = arena_array(arena, struct finding, all.count, err);
    if (to == NULL)
        return false;
    for (size_t r = 0; r < count; r++) {
        const struct advise_result *res = &runs[r].result;
        const struct finding *from = res->findings.at;

        for (size_t i = 0; i < res->findings.len; i++) {
            *to = from[i];
            to++->subject = res->of;
        }
        out->total.spent = usd_add(out->total.spent, res->total.spent);
        out->total.saving = usd_add(out->total.saving, res->total.saving);
        out->total.saving_low = usd_add(out->total.saving_low, res->total.saving_low);
        out->total.saving_high = usd_add(out->total.saving_high, res->total.saving_high);
        out->total.findings += res->total.findings;
        out->dismissed += res->dismissed;
    }
    if (usd_double(out->total.spent) > 0)
        out->total.share = usd_double(out->total.saving) / usd_double(out->total.spent);
    findings_sort(&all);
    out->findings = (struct rows){all.at, all.count};
    return true;
}

bool report_findings_of_runs(struct document *d, const struct report_findings *runs,
                             size_t count, size_t others, struct error *err)
{
    struct report_findings joined = {.command = STR("stint advise RUN")};

    if (!join_shown(runs, count, d->arena, &joined.result, err))
        return false;
    if (joined.result.findings.len > REPORT_FINDINGS_MOST) {
        joined.more = joined.result.findings.len - REPORT_FINDINGS_MOST;
        joined.result.findings.len = REPORT_FINDINGS_MOST;
    }
    report_findings_document(d, &joined);
    if (others > 0)
        document_note(d, DOCUMENT_NOTE,
                      document_text(d, "Of the first %zu runs; %zu more were not looked at.",
                                    count, others));
    return true;
}

void report_findings_document(struct document *d, const struct report_findings *shown)
{
    const struct advise_result *res = &shown->result;
    struct buf text = buf_new(d->arena->alloc, 1024);

    document_heading(d, 2, STR("What to change"));
    if (shown->problem.len > 0) {
        buf_free(&text);
        document_note(d, DOCUMENT_WARNING,
                      document_text(d, "Findings are left out: %.*s", STR_ARG(shown->problem)));
        return;
    }
    if (res->runs == 0 && str_eq(res->kind, STR("period"))) {
        buf_adds(&text, "No run was recorded in this time. Findings come from runs, which "
                        "'stint run' records.");
        document_paragraph(d, document_keep(d, &text));
        return;
    }
    if (res->findings.len == 0) {
        buf_adds(&text, "Nothing was found that saves 1 % or more of the cost for certain.");
    } else {
        buf_adds(&text, "The best combination ");
        report_findings_total(res, &text);
        buf_adds(&text, ". No dollar is in it twice.");
    }
    document_paragraph(d, document_keep(d, &text));
    if (res->findings.len > 0)
        add_advise_findings(d, res);
    add_applied(d, res);
    add_shown_rest(d, shown);
    for (size_t i = 0; i < res->notes.len; i++)
        document_note(d, DOCUMENT_NOTE, res->notes.at[i]);
}

/* ---- as a figure ---- */

/* Characters, not bytes, may not be cut apart. */
static struct str cut_name(struct str name, size_t room)
{
    struct str cut = {name.at, 0};

    while (cut.len + 3 < room) {
        size_t next = str_character((struct str){name.at + cut.len, name.len - cut.len});

        cut.len += next > 0 && next < 8 ? next : 1;
    }
    return cut;
}

/* "bert: use spot machines". Works differ by their names, so a long title gives way to the name
 * of its rule, "photo-seg-large: cheaper-place", and only then is the name cut. */
static bool label_bar(const struct finding *f, struct arena *arena, struct str *out,
                      struct error *err)
{
    struct buf text = buf_new(arena->alloc, (size_t)1 << 16);
    struct str rest = f->subject, name = str_trim(str_cut(&rest, '('));
    struct str what = name.len + 2 + f->title.len <= LABEL_MAX ? f->title : f->rule;
    size_t room = what.len + 8 < LABEL_MAX ? LABEL_MAX - 2 - what.len : 6;
    struct str subject = f->subject.len <= room ? f->subject /* with its project */
                         : name.len <= room     ? name
                                                : cut_name(name, room);

    buf_add(&text, subject);
    buf_adds(&text, subject.len < name.len ? "...: " : ": ");
    buf_add(&text, what);
    return buf_keep(&text, arena, out, err);
}

static bool write_figure_note(const struct advise_result *res, struct arena *arena,
                              struct str *out, struct error *err)
{
    struct buf text = buf_new(arena->alloc, 512);

    buf_addf(&text,
             "Best combination (%lld finding%s, marked): ", (long long)res->total.findings,
             res->total.findings == 1 ? "" : "s");
    usd_write_estimate(res->total.saving, &text);
    buf_adds(&text, " of ");
    usd_write_estimate(res->total.spent, &text);
    buf_adds(&text, " a ");
    buf_add(&text, res->per);
    return buf_keep(&text, arena, out, err);
}

bool report_findings_figure(const struct advise_result *res, struct arena *arena,
                            struct figure *out, struct error *err)
{
    const struct finding *list = res->findings.at;
    size_t count = res->findings.len < BARS_MAX ? res->findings.len : BARS_MAX;
    struct figure_point *bars = arena_array(arena, struct figure_point, count + 1, err);
    struct figure_series *series = arena_array(arena, struct figure_series, 1, err);

    if (bars == NULL || series == NULL)
        return false;
    *series = (struct figure_series){.at = bars, .len = count};
    *out = (struct figure){.kind = FIGURE_BARS,
                           .title = STR("What to change, and what it saves"),
                           .y = {.label = STR("savings"), .unit = FIGURE_USD},
                           .series = series,
                           .series_count = 1};
    for (size_t i = 0; i < count; i++) {
        bars[i] = (struct figure_point){.y = usd_double(list[i].saving),
                                        .low = usd_double(list[i].saving_low),
                                        .high = usd_double(list[i].saving_high),
                                        .marked = list[i].chosen};
        if (!label_bar(&list[i], arena, &bars[i].label, err))
            return false;
    }
    return write_figure_note(res, arena, &out->note, err);
}
