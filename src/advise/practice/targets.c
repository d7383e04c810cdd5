#include "advise/practice/targets.h"

#include <math.h>

#include "base/num.h"
#include "doc/json_write.h"
#include "doc/node.h"

const char *const target_trend_names[] = {"worse", "same", "better", NULL};
const char *const target_state_names[] = {"missed", "met", NULL};

static const struct field row_list[] = {
    FIELD(TEXT, target_row, fact, .help = "key of the fact"),
    FIELD(TEXT, target_row, label, .help = "label in words"),
    FIELD(ENUM, target_row, unit, .names = practice_unit_names, .help = "unit of the value"),
    FIELD_AS("less_is_better", FLAG, target_row, less,
             .help = "lower values are better: the goal is a maximum"),
    FIELD(NUMBER, target_row, goal, .help = "goal to reach"),
    FIELD(NUMBER, target_row, value, .help = "value of the period; null: unknown"),
    FIELD(NUMBER, target_row, before, .help = "value of the period before"),
    FIELD(NUMBER, target_row, change, .help = "change from the period before, as a share"),
    FIELD(ENUM, target_row, trend, .names = target_trend_names,
          .help = "worse, same or better than before"),
    FIELD(ENUM, target_row, state, .names = target_state_names, .help = "missed or met"),
    FIELD(NUMBER, target_row, score, .help = "score: progress to the goal, 0 to 1"),
    FIELD(TEXT, target_row, evidence,
          .help = "evidence: data it was measured on, or why it is unknown"),
    FIELD(TEXT, target_row, record, .help = "command that records it; null: it is known"),
    FIELD(TEXT, target_row, source, .help = "source of the goal"),
    FIELD(FLAG, target_row, own, .help = "goal set with 'stint targets set'"),
};

const struct field_set target_row_fields = FIELD_SET(struct target_row, row_list);

/* ---- the user's goals ---- */

bool targets_read(struct str text, struct arena *arena, struct rows *out, struct error *err)
{
    const struct node *map;
    struct target *list;
    size_t count = 0;

    *out = (struct rows){0};
    if (text.len == 0)
        return true;
    map = json_read(text, "targets", arena, err);
    list = map != NULL ? arena_array(arena, struct target, TARGETS_MAX, err) : NULL;
    if (list == NULL)
        return false;
    for (const struct node *n = map->first; n != NULL && count < TARGETS_MAX; n = n->next) {
        enum practice_fact fact;

        if (n->kind != NODE_SCALAR || !practice_find(n->key, &fact) ||
            !num_read(n->text, &list[count].value)) {
            error_set(err, ERROR_INPUT, "the ledger's targets: '%.*s' is not a target",
                      STR_ARG(n->key));
            error_hint(err, "'stint targets remove --all' removes them all");
            return false;
        }
        list[count++].fact = str_from(practice_infos[fact].key);
    }
    *out = (struct rows){list, count};
    return true;
}

void targets_write(const struct target *targets, size_t count, struct buf *out)
{
    if (count == 0)
        return;
    for (size_t i = 0; i < count; i++) {
        buf_adds(out, i == 0 ? "{" : ",");
        json_write_text(targets[i].fact, out);
        buf_char(out, ':');
        num_write(targets[i].value, out);
    }
    buf_char(out, '}');
}

size_t targets_put(const struct rows *own, const struct target *goal, struct target *out,
                   double *before)
{
    const struct target *at = own->at;
    size_t found = own->len;

    for (size_t i = 0; i < own->len; i++) {
        out[i] = at[i];
        if (found == own->len && str_eq(at[i].fact, goal->fact))
            found = i;
    }
    *before = found < own->len ? at[found].value : NAN;
    out[found] = *goal;
    return found < own->len ? own->len : own->len + 1;
}

size_t targets_without(const struct rows *own, struct str fact, struct target *out)
{
    const struct target *at = own->at;
    size_t kept = 0;

    for (size_t i = 0; i < own->len; i++)
        if (!str_eq(at[i].fact, fact))
            out[kept++] = at[i];
    return kept;
}

/* ---- scores ---- */

static double score_target(bool less, double value, double goal)
{
    double score;

    if (isnan(value))
        return NAN;
    if (less ? value <= goal : value >= goal)
        return 1;
    score = less ? goal / value : value / goal;
    return score > 0 ? score : 0;
}

static enum target_trend target_trend_of(const struct target_row *r)
{
    double gain;

    if (isnan(r->value) || isnan(r->before))
        return TARGET_UNKNOWN;
    gain = r->less ? r->before - r->value : r->value - r->before;
    return fabs(gain) <= TARGET_SMALL * fabs(r->before) ? TARGET_SAME
           : gain > 0                                   ? TARGET_BETTER
                                                        : TARGET_WORSE;
}

static void score_row(enum practice_fact fact, double goal, const struct practices *now,
                      const struct practices *before, struct target_row *out)
{
    const struct practice_info *info = &practice_infos[fact];
    const struct practice *p = &now->at[fact];

    *out = (struct target_row){.fact = str_from(info->key),
                               .label = str_from(info->label),
                               .unit = info->unit,
                               .less = info->less,
                               .goal = goal,
                               .value = p->value,
                               .before = before->at[fact].value,
                               .change = NAN,
                               .evidence = p->evidence};
    if (out->evidence.len == 0)
        out->evidence = STR("not recorded yet");
    out->record = isnan(p->value) ? str_from(info->record) : (struct str){0};
    if (out->before > 0 && !isnan(out->value))
        out->change = out->value / out->before - 1;
    out->trend = target_trend_of(out);
    out->score = score_target(out->less, out->value, goal);
    out->state = isnan(out->score) ? TARGET_NOT_KNOWN
                 : out->score >= 1 ? TARGET_MET
                                   : TARGET_MISSED;
}

static const struct target *find_own(const struct rows *own, const char *key)
{
    const struct target *at = own->at;

    for (size_t i = 0; i < own->len; i++)
        if (str_eq(at[i].fact, str_from(key)))
            return &at[i];
    return NULL;
}

static const struct target_default *find_default(const struct rows *defaults,
                                                 enum practice_fact fact)
{
    const struct target_default *at = defaults->at;
    enum practice_fact of;

    for (size_t i = 0; i < defaults->len; i++)
        if (practice_find(at[i].key, &of) && of == fact)
            return &at[i];
    return NULL;
}

static bool check_defaults(const struct rows *defaults, struct error *err)
{
    const struct target_default *at = defaults->at;
    enum practice_fact fact;

    for (size_t i = 0; i < defaults->len; i++)
        if (!practice_find(at[i].key, &fact)) {
            error_set(err, ERROR_INPUT, "targets.csv: there is no fact '%.*s'",
                      STR_ARG(at[i].key));
            return false;
        }
    return true;
}

static void total_scores(const struct target_row *rows, size_t count, struct target_scores *out)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++) {
        if (isnan(rows[i].score))
            continue;
        out->known++;
        out->met += rows[i].state == TARGET_MET;
        sum += rows[i].score;
    }
    out->score = out->known > 0 ? sum / (double)out->known : NAN;
}

bool targets_score(const struct practices *now, const struct practices *before,
                   const struct rows *defaults, const struct rows *own, struct arena *arena,
                   struct target_scores *out, struct error *err)
{
    struct target_row *rows = arena_array(arena, struct target_row, PRACTICE_COUNT, err);
    size_t count = 0;

    *out = (struct target_scores){.score = NAN};
    if (rows == NULL || !check_defaults(defaults, err))
        return false;
    for (int f = 0; f < PRACTICE_COUNT; f++) {
        enum practice_fact fact = (enum practice_fact)f;
        const struct target *mine = find_own(own, practice_infos[f].key);
        const struct target_default *usual = find_default(defaults, fact);
        struct target_row *r = &rows[count];

        if (mine == NULL && usual == NULL)
            continue;
        score_row(fact, mine != NULL ? mine->value : usual->target, now, before, r);
        r->own = mine != NULL;
        r->source = mine != NULL ? STR("set with 'stint targets set'") : usual->fact.source;
        count++;
    }
    out->rows = (struct rows){rows, count};
    total_scores(rows, count, out);
    return true;
}
