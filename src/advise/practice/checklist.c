#include "advise/practice/checklist.h"

#include <math.h>
#include <stdlib.h>

#define TEXT_MAX ((size_t)1 << 12)

const char *const checklist_state_names[] = {"done", "not done", "open", NULL};

/* What phases are called elsewhere. */
static const struct {
    const char *also, *phase;
} other_names[] = {
    {"pre-training", "before"},
    {"pre", "before"},
    {"during-training", "during"},
    {"training", "during"},
    {"post-training", "after"},
    {"post", "after"},
    {"experimentation", "experiment"},
    {"data-preparation", "data"},
    {"validation", "evaluation"},
    {"evaluate", "evaluation"},
    {"optimization", "compression"},
    {"deploy", "deployment"},
    {"operations", "monthly"},
    {"production", "monthly"},
    {"month", "monthly"},
};

static const struct field row_list[] = {
    FIELD(TEXT, checklist_row, phase, .help = "phase of the work"),
    FIELD(TEXT, checklist_row, item, .help = "item name"),
    FIELD(TEXT, checklist_row, text, .help = "task to do"),
    FIELD(ENUM, checklist_row, state, .names = checklist_state_names,
          .help = "state: done, not done, or open (unknown)"),
    FIELD(TEXT, checklist_row, fact, .empty_unknown = true,
          .help = "fact that proves it; null: nothing recorded does"),
    FIELD(NUMBER, checklist_row, value, .help = "value of the fact"),
    FIELD(TEXT, checklist_row, evidence, .empty_unknown = true,
          .help = "evidence: data the fact was measured on"),
    FIELD(TEXT, checklist_row, how, .help = "instructions"),
    FIELD(TEXT, checklist_row, source, .help = "source of the item"),
};

static const struct field phase_list[] = {
    FIELD(TEXT, checklist_phase, phase, .help = "phase of the work"),
    FIELD(COUNT, checklist_phase, items, .help = "items of the phase"),
    FIELD(COUNT, checklist_phase, done, .help = "items proven done"),
    FIELD(COUNT, checklist_phase, not_done, .help = "items measured and not done"),
    FIELD(COUNT, checklist_phase, open, .help = "items that are unknown"),
};

const struct field_set checklist_row_fields = FIELD_SET(struct checklist_row, row_list);
const struct field_set checklist_phase_fields = FIELD_SET(struct checklist_phase, phase_list);

static struct str parse_checklist_phase(struct str typed)
{
    for (size_t i = 0; i < ARRAY_LEN(other_names); i++)
        if (str_eq_nocase(typed, str_from(other_names[i].also)))
            return str_from(other_names[i].phase);
    return typed;
}

static bool no_phase(struct str phase, const struct rows *items, struct error *err)
{
    const struct checklist_item *table = items->at;
    struct suggestion near = {.wanted = phase};

    error_set(err, ERROR_USAGE, "there is no phase '%.*s'", STR_ARG(phase));
    for (size_t i = 0; i < items->len; i++)
        suggestion_try(&near, table[i].phase);
    for (size_t i = 0; i < ARRAY_LEN(other_names); i++)
        suggestion_try(&near, str_from(other_names[i].also));
    if (!suggestion_hint(&near, err))
        error_hint(err, "'stint checklist' lists the phases");
    return false;
}

/* "GPU utilization is 62 %, not 70 %: 12 runs, 480 GPU-hours" */
static bool write_evidence(const struct practice_info *info, const struct practice *p,
                           const struct checklist_item *item, enum checklist_state state,
                           struct arena *arena, struct str *out, struct error *err)
{
    struct buf text = buf_new(arena->alloc, TEXT_MAX);

    buf_adds(&text, info->label);
    buf_adds(&text, ": ");
    if (isnan(p->value)) {
        buf_add(&text, p->evidence.len > 0 ? p->evidence : STR("not recorded yet"));
        return buf_keep(&text, arena, out, err);
    }
    practice_write(info->unit, p->value, &text);
    if (state == CHECKLIST_NOT_DONE && info->unit != PRACTICE_YES) {
        bool low = p->value < item->at_least;

        buf_adds(&text, low ? ", below " : ", above ");
        practice_write(info->unit, low ? item->at_least : item->at_most, &text);
    }
    if (p->evidence.len > 0) {
        buf_adds(&text, " (");
        buf_add(&text, p->evidence);
        buf_char(&text, ')');
    }
    return buf_keep(&text, arena, out, err);
}

static bool judge_item(const struct practices *facts, const struct checklist_item *item,
                       struct arena *arena, struct checklist_row *out, struct error *err)
{
    enum practice_fact fact;
    const struct practice *p;

    *out = (struct checklist_row){.phase = item->phase,
                                  .item = item->item,
                                  .text = item->text,
                                  .how = item->how,
                                  .state = CHECKLIST_OPEN,
                                  .value = NAN,
                                  .source = item->fact.source};
    if (item->key.len == 0)
        return true;
    if (!practice_find(item->key, &fact)) {
        error_set(err, ERROR_INPUT, "checklist.csv: %.*s: there is no fact '%.*s'",
                  STR_ARG(item->item), STR_ARG(item->key));
        return false;
    }
    p = &facts->at[fact];
    out->fact = str_from(practice_infos[fact].key);
    out->value = p->value;
    if (!isnan(p->value))
        out->state = p->value < item->at_least || p->value > item->at_most ? CHECKLIST_NOT_DONE
                                                                           : CHECKLIST_DONE;
    return write_evidence(&practice_infos[fact], p, item, out->state, arena, &out->evidence,
                          err);
}

static void count_item(const struct checklist_row *row, struct checklist_phase *phases,
                       size_t *count)
{
    struct checklist_phase *p = phases;

    while (p < phases + *count && !str_eq(p->phase, row->phase))
        p++;
    if (p == phases + *count) {
        *p = (struct checklist_phase){.phase = row->phase};
        (*count)++;
    }
    p->items++;
    p->done += row->state == CHECKLIST_DONE;
    p->not_done += row->state == CHECKLIST_NOT_DONE;
    p->open += row->state == CHECKLIST_OPEN;
}

/* ---- order: the work's, not the alphabet's ---- */

static size_t phase_rank(struct str phase)
{
    static const char *const order[] = {"data",        "experiment", "before",
                                        "during",      "after",      "evaluation",
                                        "compression", "deployment", "monthly"};
    size_t i = 0;

    while (i < ARRAY_LEN(order) && !str_eq(phase, str_from(order[i])))
        i++;
    return i;
}

static int compare_items(const void *x, const void *y)
{
    const struct checklist_item *a = *(const struct checklist_item *const *)x;
    const struct checklist_item *b = *(const struct checklist_item *const *)y;
    size_t pa = phase_rank(a->phase), pb = phase_rank(b->phase);
    int order = pa != pb ? (pa > pb) - (pa < pb) : str_cmp(a->phase, b->phase);

    if (order == 0) /* without a rank: last */
        order =
            ((uint64_t)a->rank > (uint64_t)b->rank) - ((uint64_t)a->rank < (uint64_t)b->rank);
    return order != 0 ? order : str_cmp(a->item, b->item);
}

static const struct checklist_item **sort_items(const struct rows *items, struct arena *arena,
                                                struct error *err)
{
    const struct checklist_item **list =
        arena_array(arena, const struct checklist_item *, items->len + 1, err);

    for (size_t i = 0; list != NULL && i < items->len; i++)
        list[i] = (const struct checklist_item *)items->at + i;
    if (list != NULL)
        qsort(list, items->len, sizeof(const struct checklist_item *), compare_items);
    return list;
}

bool checklist_judge(const struct practices *facts, const struct rows *items, struct str phase,
                     struct arena *arena, struct checklist *out, struct error *err)
{
    const struct checklist_item **sorted = sort_items(items, arena, err);
    struct checklist_row *rows = arena_array(arena, struct checklist_row, items->len, err);
    struct checklist_phase *phases =
        arena_array(arena, struct checklist_phase, items->len, err);
    size_t count = 0, phase_count = 0;
    struct str wanted = parse_checklist_phase(phase);

    if (sorted == NULL || rows == NULL || phases == NULL)
        return false;
    for (size_t i = 0; i < items->len; i++) {
        if (wanted.len > 0 && !str_eq_nocase(sorted[i]->phase, wanted))
            continue;
        if (!judge_item(facts, sorted[i], arena, &rows[count], err))
            return false;
        count_item(&rows[count++], phases, &phase_count);
    }
    if (count == 0)
        return no_phase(phase, items, err);
    out->rows = (struct rows){rows, count};
    out->phases = (struct rows){phases, phase_count};
    return true;
}

void checklist_markdown(const struct checklist *list, struct buf *out)
{
    const struct checklist_row *rows = list->rows.at;

    for (size_t i = 0; i < list->rows.len; i++) {
        const struct checklist_row *r = &rows[i];

        if (i == 0 || !str_eq(r->phase, rows[i - 1].phase)) {
            buf_adds(out, i == 0 ? "## " : "\n## ");
            buf_add(out, r->phase);
            buf_adds(out, "\n\n");
        }
        buf_adds(out, r->state == CHECKLIST_DONE ? "- [x] " : "- [ ] ");
        buf_add(out, r->text);
        if (r->state != CHECKLIST_OPEN) {
            buf_adds(out, " - ");
            buf_add(out, r->evidence);
        }
        if (r->state != CHECKLIST_DONE) {
            buf_adds(out, "; how: `");
            buf_add(out, r->how);
            buf_char(out, '`');
        }
        buf_char(out, '\n');
    }
}
