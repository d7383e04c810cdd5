#include "run/terminal/status.h"

#include <math.h>

#include "base/num.h"

#define GB 1e9 /* as memory is printed everywhere else */
#define BAR_WIDE 10
#define BAR_SMALL 5
#define WIDE 130 /* columns from which the bar has its full length */
#define LESSER 8 /* ranks from here on only fill a line that has all of the others */

/* Money that grows while one looks at it: to the cent, below a cent to a hundredth of one. */
static void put_status_money(usd amount, struct buf *out)
{
    double dollars = usd_double(amount);

    buf_adds(out, dollars < 0 ? "-$" : "$");
    num_write_fixed(fabs(dollars), fabs(dollars) < 0.01 && dollars != 0 ? 4 : 2, out);
}

static void put_status_rate(usd_per_hour rate, struct buf *out)
{
    put_status_money((usd){rate.nano}, out);
    buf_adds(out, "/hr");
}

void status_span(span time, const char *gap, struct buf *out)
{
    long long seconds = (long long)(time.ns > 0 ? time.ns / 1000000000 : 0);

    if (seconds < 60)
        buf_addf(out, "%llds", seconds);
    else if (seconds < 600)
        buf_addf(out, "%lldm%s%02llds", seconds / 60, gap, seconds % 60);
    else if (seconds < 3600)
        buf_addf(out, "%lldm", seconds / 60);
    else if (seconds < 86400)
        buf_addf(out, "%lldh%s%02lldm", seconds / 3600, gap, seconds / 60 % 60);
    else
        buf_addf(out, "%lldd%s%02lldh", seconds / 86400, gap, seconds / 3600 % 24);
}

void status_number(double value, struct buf *out)
{
    double size = fabs(value);
    int power;

    if (size == 0 || size >= 1e-3 || isnan(size)) {
        num_write_fixed(value, size >= 1000 ? 0 : size >= 100 ? 1 : size >= 1 ? 2 : 4, out);
        return;
    }
    power = (int)floor(log10(size));
    num_write_fixed(value / pow(10, power), 1, out);
    buf_addf(out, "e%d", power);
}

/* Something on the line. */
struct part {
    size_t from, to; /* its text */
    size_t columns;  /* that it takes, the gap before it left out */
    int rank;        /* who must go first when there is little room: the greater */
    enum term_style style;
    bool close; /* a blank before it, no dot */
    bool taken;
};

struct line {
    const struct run_facts *facts;
    struct buf text;
    struct part part[16];
    size_t count;
    bool utf8;
};

/* The next part; what is written to line->text until the next call is in it. */
static struct part *next_part(struct line *line, int rank)
{
    struct part *part = &line->part[line->count++];

    *part = (struct part){.from = line->text.len, .rank = rank};
    return part;
}

static void add_bar(struct line *line, unsigned width)
{
    const struct run_facts *facts = line->facts;
    double share = usd_double(facts->cost) / usd_double(facts->budget);
    int cells = width >= WIDE ? BAR_WIDE : BAR_SMALL;
    struct part *part;

    if (!(share >= 0) || isinf(share))
        return;
    part = next_part(line, 1);
    part->close = true;
    part->style = share >= 0.75 ? STYLE_WARN : STYLE_GOOD;
    buf_char(&line->text, '[');
    for (int i = 0; i < cells; i++) {
        bool full = i < (int)(fmin(share, 1) * cells);

        buf_adds(&line->text,
                 line->utf8 ? (full ? "\342\226\210" : "\342\226\221") : (full ? "#" : "-"));
    }
    buf_addf(&line->text, "] %.0f%%", fmin(share, 99) * 100); /* rounded as the money is */
}

static bool is_over_budget(const struct run_facts *facts)
{
    return facts->projected.nano != MONEY_UNKNOWN && facts->budget.nano != MONEY_UNKNOWN &&
           facts->projected.nano > facts->budget.nano;
}

static void add_status_money(struct line *line, unsigned width)
{
    const struct run_facts *facts = line->facts;

    if (facts->cost.nano != MONEY_UNKNOWN) {
        (void)next_part(line, 0);
        put_status_money(facts->cost, &line->text);
        if (facts->budget.nano != MONEY_UNKNOWN) {
            next_part(line, 0)->close = true;
            buf_adds(&line->text, "of ");
            put_status_money(facts->budget, &line->text);
            add_bar(line, width);
        }
    }
    if (facts->rate.nano != MONEY_UNKNOWN) {
        (void)next_part(line, 2);
        put_status_rate(facts->rate, &line->text);
    }
}

static void add_status_devices(struct line *line)
{
    const struct run_facts *facts = line->facts;

    if (!isnan(facts->gpu_busy)) {
        (void)next_part(line, 5);
        if (facts->gpus > 1)
            buf_addf(&line->text, "%d GPUs", facts->gpus);
        else
            buf_adds(&line->text, "GPU");
        buf_addf(&line->text, " %.0f%%", facts->gpu_busy * 100);
    }
    if (!isnan(facts->gpu_memory_share)) {
        next_part(line, 8)->close = !isnan(facts->gpu_busy);
        if (isnan(facts->gpu_memory_total))
            buf_addf(&line->text, "memory %.0f%%", facts->gpu_memory_share * 100);
        else
            buf_addf(&line->text, "%.0f/%.0f GB",
                     facts->gpu_memory_share * facts->gpu_memory_total / GB,
                     facts->gpu_memory_total / GB);
    }
    if (!isnan(facts->watts)) {
        (void)next_part(line, 14);
        buf_addf(&line->text, "%.0f W", facts->watts);
    }
    if (facts->gpus > 0 || !isnan(facts->gpu_busy))
        return; /* the processor matters where there is nothing else */
    if (!isnan(facts->cpu_cores)) {
        (void)next_part(line, 11);
        buf_adds(&line->text, "CPU ");
        num_write_fixed(facts->cpu_cores, 1, &line->text);
        buf_adds(&line->text, " cores");
    }
    if (!isnan(facts->memory)) {
        next_part(line, 12)->close = !isnan(facts->cpu_cores);
        num_write_fixed(facts->memory / GB, 1, &line->text);
        buf_adds(&line->text, " GB");
    }
}

static void add_progress(struct line *line)
{
    const struct run_facts *facts = line->facts;

    if (!isnan(facts->step)) {
        (void)next_part(line, 6);
        buf_addf(&line->text, "step %.0f", facts->step);
        if (!isnan(facts->steps))
            buf_addf(&line->text, "/%.0f", facts->steps);
    }
    if (!isnan(facts->loss)) {
        next_part(line, 7)->close = !isnan(facts->step);
        buf_adds(&line->text, "loss ");
        status_number(facts->loss, &line->text);
    }
    if (facts->phase != PHASE_TRAIN) {
        (void)next_part(line, 9);
        buf_adds(&line->text, phase_name(facts->phase));
    }
    if (!isnan(facts->score)) {
        (void)next_part(line, 10);
        buf_addf(&line->text, "score %.0f", facts->score);
    }
}

static void add_end(struct line *line)
{
    const struct run_facts *facts = line->facts;
    bool over = is_over_budget(facts);
    struct part *part;

    if (facts->left.ns >= 0) {
        (void)next_part(line, over ? 4 : 3);
        status_span(facts->left, "", &line->text);
        buf_adds(&line->text, " left");
    }
    if (facts->projected.nano != MONEY_UNKNOWN) {
        part = next_part(line, over ? 3 : 4);
        part->style = over ? STYLE_WARN : STYLE_PLAIN;
        put_status_money(facts->projected, &line->text);
        buf_adds(&line->text, over ? " in all!" : " in all");
    } else if (facts->budget_left.ns >= 0) {
        (void)next_part(line, 4);
        buf_adds(&line->text, "budget lasts ");
        status_span(facts->budget_left, "", &line->text);
    }
    if (facts->elapsed.ns >= 0) {
        (void)next_part(line, 13);
        buf_adds(&line->text, "after ");
        status_span(facts->elapsed, "", &line->text);
    }
}

/* Take parts by rank for as long as there is room. */
static void choose_parts(struct line *line, size_t width)
{
    bool full = false;
    size_t used = 0;

    for (size_t i = 0; i < line->count; i++) {
        struct part *part = &line->part[i];

        part->to = i + 1 < line->count ? part[1].from : line->text.len;
        part->columns =
            term_columns((struct str){line->text.at + part->from, part->to - part->from});
    }
    for (int rank = 0; rank < (full ? LESSER : 16); rank++)
        for (size_t i = 0; i < line->count; i++) {
            struct part *part = &line->part[i];
            size_t gap = used == 0 ? 0 : part->close ? 1 : 3;

            if (part->rank != rank || (part->close && !part[-1].taken))
                continue; /* some say nothing without what they belong to */
            if (used + gap + part->columns <= width) {
                part->taken = true;
                used += gap + part->columns;
            } else {
                full = true;
            }
        }
}

void status_line(const struct run_facts *facts, const struct term *term, bool utf8,
                 struct buf *out)
{
    struct line line = {
        .facts = facts, .text = buf_new(out->alloc, (size_t)4096), .utf8 = utf8};
    bool first = true;

    add_status_money(&line, term->width);
    add_status_devices(&line);
    add_progress(&line);
    add_end(&line);
    choose_parts(&line, term->width);
    for (size_t i = 0; i < line.count && line.text.failed == ERROR_NONE; i++) {
        const struct part *part = &line.part[i];

        if (!part->taken)
            continue;
        if (!first && !part->close)
            buf_addf(out, "%s %s %s", term_style_on(term, STYLE_DIM), utf8 ? "\302\267" : "|",
                     term_style_off(term, STYLE_DIM));
        else if (!first)
            buf_char(out, ' ');
        first = false;
        buf_adds(out, term_style_on(term, part->style));
        buf_add(out, (struct str){line.text.at + part->from, part->to - part->from});
        buf_adds(out, term_style_off(term, part->style));
    }
    buf_free(&line.text);
}

void status_heartbeat(const struct run_facts *facts, struct buf *out)
{
    status_span(facts->elapsed, " ", out);
    if (facts->cost.nano != MONEY_UNKNOWN) {
        buf_char(out, ' ');
        put_status_money(facts->cost, out);
    }
    if (facts->cost.nano != MONEY_UNKNOWN && facts->budget.nano != MONEY_UNKNOWN) {
        buf_adds(out, " of ");
        put_status_money(facts->budget, out);
    }
    if (facts->rate.nano != MONEY_UNKNOWN) {
        buf_adds(out, " (");
        put_status_rate(facts->rate, out);
        buf_char(out, ')');
    }
    if (!isnan(facts->step))
        buf_addf(out, ", step %.0f", facts->step);
    if (!isnan(facts->step) && !isnan(facts->steps))
        buf_addf(out, " of %.0f", facts->steps);
    if (!isnan(facts->loss)) {
        buf_adds(out, ", loss ");
        status_number(facts->loss, out);
    }
    if (!isnan(facts->gpu_busy))
        buf_addf(out, ", GPU %.0f %%", facts->gpu_busy * 100);
    if (facts->left.ns >= 0) {
        buf_adds(out, ", about ");
        status_span(facts->left, " ", out);
        buf_adds(out, " to go");
    }
    if (facts->projected.nano != MONEY_UNKNOWN) {
        buf_adds(out, ", ");
        put_status_money(facts->projected, out);
        buf_adds(out, is_over_budget(facts) ? " in all, which is over the budget" : " in all");
    }
}
