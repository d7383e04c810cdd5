/* A machine's day, made of its meters. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "op/account/reconcile_work.h"

#define DAY_HOURS 24.0

/* ---- units ---- */

static double time_word(struct str word)
{
    static const struct {
        const char *word;
        double hours;
    } times[] = {{"hour", 1},
                 {"hours", 1},
                 {"hr", 1},
                 {"hrs", 1},
                 {"h", 1},
                 {"minute", 1 / 60.0},
                 {"minutes", 1 / 60.0},
                 {"min", 1 / 60.0},
                 {"second", 1 / 3600.0},
                 {"seconds", 1 / 3600.0},
                 {"sec", 1 / 3600.0},
                 {"s", 1 / 3600.0}};

    for (size_t i = 0; i < ARRAY_LEN(times); i++)
        if (str_eq_nocase(word, str_from(times[i].word)))
            return times[i].hours;
    return 0;
}

/* Of what there may be several at a time: "GPU Hours". Not of bytes, which are a disk's or a
 * function's, nor of credits ("vCPU-Hours"). */
static bool of_machines(struct str word)
{
    static const char *const words[] = {
        "gpu",      "gpus",      "ocpu", "ocpus",   "core",     "cores",       "node", "nodes",
        "instance", "instances", "vm",   "machine", "machines", "accelerator", "per"};

    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (str_eq_nocase(word, str_from(words[i])))
            return true;
    return false;
}

static struct str next_word(struct str *rest)
{
    size_t len = 0;
    struct str word;

    while (rest->len > 0 && (rest->at[0] == ' ' || rest->at[0] == '-' || rest->at[0] == '/'))
        *rest = (struct str){rest->at + 1, rest->len - 1};
    while (len < rest->len && rest->at[len] != ' ' && rest->at[len] != '-' &&
           rest->at[len] != '/')
        len++;
    word = (struct str){rest->at, len};
    *rest = (struct str){rest->at + len, rest->len - len};
    return word;
}

double reconcile_unit_hours(struct str unit, bool of_azure)
{
    double many = 1, hours = 0;

    while (unit.len > 0) {
        struct str word = next_word(&unit);
        struct decimal number;

        if (word.len == 0)
            break;
        if (hours > 0)
            return 0; /* "Hours of something" */
        if (decimal_parse(word, &number) && number.coefficient > 0)
            many = of_azure ? 1 : decimal_double(number);
        else if (!of_machines(word)) {
            hours = time_word(word);
            if (hours <= 0)
                return 0;
        }
    }
    return many * hours;
}

/* ---- pieces ---- */

static int by_meter(const void *a, const void *b)
{
    const struct piece *x = a, *y = b;

    if (x->machine != y->machine)
        return x->machine < y->machine ? -1 : 1;
    return (x->meter > y->meter) - (x->meter < y->meter);
}

/* Eight GPUs for an hour are eight hours of a meter and one of the machine: divide by how many
 * there were at a time, as the fullest line has it. */
static void settle_hours(struct reconciler *r)
{
    for (size_t from = 0, to; from < r->piece_count; from = to) {
        double many = 1;

        for (to = from; to < r->piece_count && by_meter(&r->pieces[from], &r->pieces[to]) == 0;
             to++)
            many = fmax(many, round(r->pieces[to].at_a_time));
        for (size_t i = from; i < to; i++) {
            struct piece *p = &r->pieces[i];

            p->hours = fmin(p->hours / many, p->period);
            if (p->longest <= DAY_HOURS)
                p->hours = fmin(p->hours, DAY_HOURS);
        }
    }
}

static int by_day(const void *a, const void *b)
{
    const struct piece *x = a, *y = b;
    int order;

    if (x->machine != y->machine)
        return x->machine < y->machine ? -1 : 1;
    if (x->on.n != y->on.n)
        return x->on.n < y->on.n ? -1 : 1;
    order = strcmp(x->currency, y->currency);
    return order != 0 ? order : (x->meter > y->meter) - (x->meter < y->meter);
}

/* Is `a` the dearer meter, whose hours are the machine's? */
static bool dearer(const struct piece *a, const struct piece *b)
{
    struct decimal x = a->cost, y = b->cost;
    int order;

    x.coefficient = x.coefficient < 0 ? -x.coefficient : x.coefficient;
    y.coefficient = y.coefficient < 0 ? -y.coefficient : y.coefficient;
    order = decimal_cmp(x, y);
    return order != 0 ? order > 0 : a->hours > b->hours;
}

/* One cell of the pieces of a machine, day and currency: `count` from `p` on. */
static bool make_cell(const struct piece *p, size_t count, bool timed, struct reconcile_cell *c,
                      struct error *err)
{
    const struct piece *chief = NULL;

    *c = (struct reconcile_cell){.machine = p->machine,
                                 .on = p->on,
                                 .from = {p->on.n * SECONDS_PER_DAY},
                                 .to = {(p->on.n + INT64_C(1)) * SECONDS_PER_DAY},
                                 .hours = timed ? 0 : NAN};
    memcpy(c->currency, p->currency, sizeof c->currency);
    for (size_t i = 0; i < count; i++) {
        if (p[i].meter != 0 && (chief == NULL || dearer(&p[i], chief)))
            chief = &p[i];
        if (!reconcile_add(&c->cost, p[i].cost, err))
            return false;
    }
    if (chief != NULL) {
        c->from = chief->from;
        c->to = chief->to;
        c->hours = chief->hours;
    }
    return true;
}

/* The cells of a machine, whose pieces are these. One that is paid by no time and whose type
 * nobody names is none: its money is of no machine. */
static bool make_cells(struct reconciler *r, const struct piece *p, size_t count,
                       struct error *err)
{
    bool timed = false;

    for (size_t i = 0; i < count; i++)
        timed |= p[i].meter != 0;
    for (size_t from = 0, to; from < count; from = to) {
        struct reconcile_cell *c = &r->cells[r->cell_count];
        struct tally *t;

        for (to = from; to < count && p[to].on.n == p[from].on.n &&
                        strcmp(p[to].currency, p[from].currency) == 0;)
            to++;
        if (!make_cell(p + from, to - from, timed, c, err))
            return false;
        if (timed || r->machines[p->machine].instance.len > 0) {
            r->cell_count++;
            continue;
        }
        t = reconcile_tally(r, c->on, str_from(c->currency), err);
        if (t == NULL || !reconcile_add(&t->other, c->cost, err))
            return false;
    }
    return true;
}

bool reconcile_cells(struct reconciler *r, struct error *err)
{
    r->cells = arena_array(r->arena, struct reconcile_cell, r->piece_count, err);
    if (r->cells == NULL)
        return false;
    if (r->piece_count == 0)
        return true;
    qsort(r->pieces, r->piece_count, sizeof *r->pieces, by_meter);
    settle_hours(r);
    qsort(r->pieces, r->piece_count, sizeof *r->pieces, by_day);
    for (size_t from = 0, to; from < r->piece_count; from = to) {
        for (to = from;
             to < r->piece_count && r->pieces[to].machine == r->pieces[from].machine;)
            to++;
        if (!make_cells(r, r->pieces + from, to - from, err))
            return false;
    }
    return true;
}
