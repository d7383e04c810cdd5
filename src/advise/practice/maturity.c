#include "advise/practice/maturity.h"

#include <math.h>
#include <stdlib.h>

#define TEXT_MAX ((size_t)1 << 12)

const char *const maturity_level_names[] = {"none", "crawl", "walk", "run", NULL};

static const char *const domains[] = {"inform", "optimize", "operate"};

static const struct field row_list[] = {
    FIELD(TEXT, maturity_row, domain, .help = "inform, optimize or operate"),
    FIELD(TEXT, maturity_row, fact, .help = "key of the practice"),
    FIELD(TEXT, maturity_row, label, .help = "label in words"),
    FIELD(ENUM, maturity_row, unit, .names = practice_unit_names, .help = "unit of the value"),
    FIELD(NUMBER, maturity_row, value, .help = "measured value; null: unknown"),
    FIELD(ENUM, maturity_row, level, .names = maturity_level_names,
          .help = "level: none, crawl, walk or run; null: unknown"),
    FIELD(NUMBER, maturity_row, crawl, .help = "value that reaches the level crawl"),
    FIELD(NUMBER, maturity_row, walk, .help = "value that reaches the level walk"),
    FIELD(NUMBER, maturity_row, run, .help = "value that reaches the level run"),
    FIELD(NUMBER, maturity_row, goal, .help = "value that reaches the next level"),
    FIELD(NUMBER, maturity_row, worth, .help = "savings in dollars a month"),
    FIELD(TEXT, maturity_row, evidence,
          .help = "evidence: data it was measured on, or why it is unknown"),
    FIELD(TEXT, maturity_row, next,
          .help = "command to type; if unknown, the one that records it"),
    FIELD(TEXT, maturity_row, source, .help = "source of the thresholds"),
    FIELD(DAY, maturity_row, date, .help = "date of the thresholds"),
};

static const struct field domain_list[] = {
    FIELD(TEXT, maturity_domain, domain, .help = "inform, optimize or operate"),
    FIELD(ENUM, maturity_domain, level, .names = maturity_level_names,
          .help = "level reached by two thirds of the known practices; null: none is known"),
    FIELD(COUNT, maturity_domain, practices, .help = "practices in the table"),
    FIELD(COUNT, maturity_domain, known, .help = "practices with a known level"),
};

static const struct field step_list[] = {
    FIELD(TEXT, maturity_step, fact, .help = "key of the practice"),
    FIELD(TEXT, maturity_step, text, .help = "value to reach, or fact to record"),
    FIELD(TEXT, maturity_step, command, .help = "command to type"),
    FIELD(NUMBER, maturity_step, worth, .help = "dollars a month; null: not computable"),
};

const struct field_set maturity_row_fields = FIELD_SET(struct maturity_row, row_list);
const struct field_set maturity_domain_fields = FIELD_SET(struct maturity_domain, domain_list);
const struct field_set maturity_step_fields = FIELD_SET(struct maturity_step, step_list);

static bool falls(const struct maturity_threshold *t)
{
    return t->run < t->crawl;
}

static bool reaches(const struct maturity_threshold *t, double value, double level)
{
    return falls(t) ? value <= level : value >= level;
}

enum maturity_level maturity_level_of(const struct maturity_threshold *t, double value)
{
    if (isnan(value))
        return MATURITY_UNKNOWN;
    return reaches(t, value, t->run)     ? MATURITY_RUN
           : reaches(t, value, t->walk)  ? MATURITY_WALK
           : reaches(t, value, t->crawl) ? MATURITY_CRAWL
                                         : MATURITY_NONE;
}

static bool check_threshold(const struct maturity_threshold *t, struct error *err)
{
    enum practice_fact fact;

    if (!practice_find(t->key, &fact)) {
        error_set(err, ERROR_INPUT, "maturity.csv: there is no fact '%.*s'", STR_ARG(t->key));
        error_hint(err, "'stint maturity --json' lists the facts");
        return false;
    }
    if ((t->crawl <= t->walk && t->walk <= t->run) ||
        (t->crawl >= t->walk && t->walk >= t->run))
        return true;
    error_set(err, ERROR_INPUT, "maturity.csv: %.*s: crawl, walk and run must rise or fall",
              STR_ARG(t->key));
    return false;
}

static double next_goal(const struct maturity_threshold *t, enum maturity_level level)
{
    switch (level) {
    case MATURITY_NONE:
        return t->crawl;
    case MATURITY_CRAWL:
        return t->walk;
    case MATURITY_WALK:
        return t->run;
    case MATURITY_UNKNOWN:
    case MATURITY_RUN:
        break;
    }
    return NAN;
}

static void judge_maturity_row(const struct practice *p, enum practice_fact fact,
                               const struct maturity_threshold *t, struct maturity_row *out)
{
    const struct practice_info *info = &practice_infos[fact];

    *out = (struct maturity_row){.domain = t->domain,
                                 .fact = str_from(info->key),
                                 .label = str_from(info->label),
                                 .unit = info->unit,
                                 .value = p->value,
                                 .level = maturity_level_of(t, p->value),
                                 .crawl = t->crawl,
                                 .walk = t->walk,
                                 .run = t->run,
                                 .evidence = p->evidence,
                                 .next = isnan(p->value) ? str_from(info->record) : t->next,
                                 .source = t->fact.source,
                                 .date = t->fact.date};
    if (out->evidence.len == 0)
        out->evidence = STR("not recorded yet");
    out->goal = next_goal(t, out->level);
    out->worth = isnan(out->goal) ? NAN : fabs(out->goal - p->value) * p->monthly;
}

/* The level that two in three of the known practices have reached. */
static void judge_domain(const struct maturity_row *rows, size_t count,
                         struct maturity_domain *out)
{
    int64_t at[MATURITY_RUN + 1] = {0}, reached = 0;

    for (size_t i = 0; i < count; i++) {
        if (!str_eq(rows[i].domain, out->domain))
            continue;
        out->practices++;
        if (rows[i].level == MATURITY_UNKNOWN)
            continue;
        out->known++;
        at[rows[i].level]++;
    }
    out->level = out->known > 0 ? MATURITY_NONE : MATURITY_UNKNOWN;
    for (int level = MATURITY_RUN; out->known > 0 && level > MATURITY_NONE; level--) {
        reached += at[level];
        if (3 * reached >= 2 * out->known) {
            out->level = (enum maturity_level)level;
            return;
        }
    }
}

/* ---- the next steps ---- */

/* Money first, the most of it; then what is behind most, where what is not known comes after
 * what is known to be missing. Rows are in the order of the domains already. */
static int step_rank(const struct maturity_row *r)
{
    return r->level == MATURITY_NONE ? 0 : r->level == MATURITY_UNKNOWN ? 1 : 1 + (int)r->level;
}

static bool goes_first(const struct maturity_row *a, const struct maturity_row *b)
{
    bool worth_a = a->worth > 0, worth_b = b->worth > 0;

    if (worth_a != worth_b)
        return worth_a;
    return worth_a ? a->worth > b->worth : step_rank(a) < step_rank(b);
}

static bool make_step(const struct maturity_row *r, struct arena *arena,
                      struct maturity_step *out, struct error *err)
{
    struct buf text = buf_new(arena->alloc, TEXT_MAX);

    *out = (struct maturity_step){.fact = r->fact, .command = r->next, .worth = r->worth};
    if (r->level == MATURITY_UNKNOWN) {
        buf_adds(&text, "record ");
        buf_add(&text, r->label);
    } else {
        buf_add(&text, r->label);
        buf_adds(&text, ": from ");
        practice_write(r->unit, r->value, &text);
        buf_adds(&text, " to ");
        practice_write(r->unit, r->goal, &text);
        buf_addf(&text, " (%s)", maturity_level_names[r->level + 1]);
    }
    return buf_keep(&text, arena, &out->text, err);
}

/* One command may record several facts: it is one step. */
static bool is_new_step(const struct maturity_row *r, const struct maturity_step *steps,
                        size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (r->level == MATURITY_UNKNOWN && str_eq(steps[i].command, r->next))
            return false;
    return true;
}

static bool choose_maturity_steps(const struct maturity_row *rows, size_t count,
                                  struct arena *arena, struct rows *out, struct error *err)
{
    struct maturity_step *steps = arena_array(arena, struct maturity_step, MATURITY_STEPS, err);
    bool *taken = arena_array(arena, bool, count + 1, err);
    size_t len = 0;

    if (steps == NULL || taken == NULL)
        return false;
    while (len < MATURITY_STEPS) {
        size_t best = count;

        for (size_t i = 0; i < count; i++)
            if (!taken[i] && rows[i].level != MATURITY_RUN &&
                is_new_step(&rows[i], steps, len) &&
                (best == count || goes_first(&rows[i], &rows[best])))
                best = i;
        if (best == count)
            break;
        taken[best] = true;
        if (!make_step(&rows[best], arena, &steps[len++], err))
            return false;
    }
    *out = (struct rows){steps, len};
    return true;
}

/* The threshold of a fact in a domain; NULL: there is none. */
static const struct maturity_threshold *
find_threshold(const struct rows *thresholds, const char *domain, enum practice_fact wanted)
{
    const struct maturity_threshold *table = thresholds->at;
    enum practice_fact fact;

    for (size_t i = 0; i < thresholds->len; i++)
        if (practice_find(table[i].key, &fact) && fact == wanted &&
            str_eq(table[i].domain, str_from(domain)))
            return &table[i];
    return NULL;
}

bool maturity_judge(const struct practices *facts, const struct rows *thresholds,
                    struct arena *arena, struct maturity *out, struct error *err)
{
    const struct maturity_threshold *table = thresholds->at;
    struct maturity_row *rows = arena_array(arena, struct maturity_row, thresholds->len, err);
    struct maturity_domain *levels =
        arena_array(arena, struct maturity_domain, ARRAY_LEN(domains), err);
    size_t count = 0;

    if (rows == NULL || levels == NULL)
        return false;
    for (size_t i = 0; i < thresholds->len; i++)
        if (!check_threshold(&table[i], err))
            return false;
    for (size_t d = 0; d < ARRAY_LEN(domains); d++)
        for (int f = 0; f < PRACTICE_COUNT; f++) {
            enum practice_fact fact = (enum practice_fact)f;
            const struct maturity_threshold *t = find_threshold(thresholds, domains[d], fact);

            if (t != NULL)
                judge_maturity_row(&facts->at[fact], fact, t, &rows[count++]);
        }
    for (size_t d = 0; d < ARRAY_LEN(domains); d++) {
        levels[d].domain = str_from(domains[d]);
        judge_domain(rows, count, &levels[d]);
    }
    out->rows = (struct rows){rows, count};
    out->domains = (struct rows){levels, ARRAY_LEN(domains)};
    return choose_maturity_steps(rows, count, arena, &out->steps, err);
}
