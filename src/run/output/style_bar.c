/* Progress bars: tqdm and all that use it (Lightning, kohya, Hugging Face). */
#include <math.h>
#include <string.h>

#include "run/output/metric_internal.h"

struct bar {
    struct str title;    /* before it, without its colon */
    double at, total;    /* NaN: no total */
    struct str unit;     /* "it", "B", "examples" */
    double rate, left_s; /* NaN: not told */
    struct str postfix;  /* "loss=0.12, v_num=0" */
};

/* The scale before a unit: "1.5kit/s". */
static double take_scale(struct str *text)
{
    struct str letter = {text->at, text->len > 0 ? 1 : 0};
    double scale = number_take_scale(&letter);

    if (scale > 1)
        step_over(text, 1);
    return scale;
}

/* "36.2it/s", "1.94s/it", "?it/s", "5.02MB/s": the rest of the text until a comma or the
 * end. */
static void read_rate(struct str text, struct bar *bar)
{
    double value;

    text = str_trim(text);
    if (text.len > 0 && text.at[0] == '?') {
        step_over(&text, 1);
    } else if (number_take(&text, &value)) {
        value *= take_scale(&text);
        if (str_starts(text, STR("s/")) && value > 0)
            bar->rate = 1 / value;
        else
            bar->rate = value;
    }
    if (str_starts(text, STR("s/")))
        bar->unit = (struct str){text.at + 2, text.len - 2};
    else if (str_ends(text, STR("/s")))
        bar->unit = (struct str){text.at, text.len - 2};
}

/* What is in the brackets: "00:12<00:15, 36.2it/s, loss=0.123". False when it begins with no
 * time. */
static bool read_brackets(struct str text, struct bar *bar)
{
    double elapsed, left;

    skip_blanks(&text);
    if (!number_take_time(&text, &elapsed))
        return false;
    if (text.len > 0 && text.at[0] == '<') {
        step_over(&text, 1);
        if (number_take_time(&text, &left))
            bar->left_s = left;
        else if (text.len > 0 && text.at[0] == '?')
            step_over(&text, 1);
    }
    if (text.len > 0 && text.at[0] == ',') {
        step_over(&text, 1);
        read_rate(str_cut(&text, ','), bar);
    }
    bar->postfix = text;
    return true;
}

/* From '[' on: to its partner, or to the end when the line was cut. */
static bool find_brackets(struct str text, struct bar *bar)
{
    const char *open = text.len > 0 ? memchr(text.at, '[', text.len) : NULL;
    size_t len, depth = 1, i = 0;

    if (open == NULL)
        return false;
    len = text.len - (size_t)(open + 1 - text.at);
    for (; i < len && depth > 0; i++)
        depth = depth + (open[1 + i] == '[') - (open[1 + i] == ']');
    return read_brackets((struct str){open + 1, depth == 0 ? i - 1 : i}, bar);
}

/* Without "[rank0]: " before it, the colon behind it, and without anything when it has no
 * letter (a time). */
static struct str title_of(struct str text)
{
    const char *close;
    size_t letters = 0;

    text = str_trim(text);
    while (text.len > 0 && text.at[0] == '[' &&
           (close = memchr(text.at, ']', text.len)) != NULL) {
        step_over(&text, (size_t)(close + 1 - text.at));
        while (text.len > 0 && (text.at[0] == ':' || text.at[0] == ' '))
            step_over(&text, 1);
    }
    while (text.len > 0 && (text.at[text.len - 1] == ':' || text.at[text.len - 1] == ' '))
        text.len--;
    for (size_t i = 0; i < text.len; i++)
        letters += is_letter(text.at[i]);
    return letters > 0 ? text : (struct str){text.at, 0};
}

/* "TITLE:  45%|####    | 450/1000 [...]". */
static bool read_with_total(struct str line, struct bar *bar)
{
    struct str rest = line;
    size_t start = 0, end;
    double share;

    for (;;) { /* the first "%|" */
        const char *at = rest.len > 0 ? memchr(rest.at, '%', rest.len) : NULL;

        if (at == NULL)
            return false;
        step_over(&rest, (size_t)(at + 1 - rest.at));
        if (rest.len > 0 && rest.at[0] == '|')
            break;
    }
    end = (size_t)(rest.at - 1 - line.at);
    for (start = end; start > 0 && is_digit(line.at[start - 1]);)
        start--;
    bar->title = title_of((struct str){line.at, start});
    if (!number_take(&(struct str){line.at + start, end - start}, &share))
        return false;
    step_over(&rest, 1);
    (void)str_cut(&rest, '|');
    skip_blanks(&rest);
    if (!number_take(&rest, &bar->at))
        return false;
    bar->at *= number_take_scale(&rest);
    if (rest.len == 0 || rest.at[0] != '/')
        return false;
    step_over(&rest, 1);
    if (!number_take(&rest, &bar->total))
        return false;
    bar->total *= number_take_scale(&rest);
    return find_brackets(rest, bar);
}

/* "TITLE: 450it [00:12, 36.2it/s]". */
static bool read_without_total(struct str line, struct bar *bar)
{
    const char *open = memchr(line.at, '[', line.len);
    size_t end, start;
    struct str number;

    while (open != NULL && !(open > line.at + 1 && open[-1] == ' ' && is_letter(open[-2]))) {
        size_t from = (size_t)(open + 1 - line.at);

        open = from < line.len ? memchr(line.at + from, '[', line.len - from) : NULL;
    }
    if (open == NULL)
        return false;
    end = (size_t)(open - 1 - line.at);
    for (start = end; start > 0 && is_letter(line.at[start - 1]);)
        start--;
    for (; start > 0 && (is_digit(line.at[start - 1]) || line.at[start - 1] == '.');)
        start--;
    number = (struct str){line.at + start, end - start};
    bar->title = title_of((struct str){line.at, start});
    bar->total = NAN;
    if (!number_take(&number, &bar->at))
        return false;
    if (number.len > 1)
        bar->at *= take_scale(&number);
    return find_brackets((struct str){open, line.len - (size_t)(open - line.at)}, bar);
}

static bool title_has(struct str title, const char *const *words)
{
    for (; *words != NULL; words++) {
        if (str_has_nocase(title, str_from(*words)))
            return true;
    }
    return false;
}

enum bar_kind {
    BAR_TRAINING,
    BAR_EVALUATION,
    BAR_OTHER, /* data that is fetched or made ready */
};

static enum bar_kind bar_kind(const struct bar *bar)
{
    static const char *const training[] = {"train", "epoch", "step", "iteration", NULL};
    static const char *const evaluation[] = {"eval",   "valid",   "val ",  "test", "predict",
                                             "sanity", "scoring", "infer", NULL};
    static const char *const other[] = {
        "download", "upload",  "map",     "token",   "generating", "filter",  "loading",
        "fetch",    "resolv",  "extract", "process", "cach",       "pack",    "group",
        "saving",   "convert", "comput",  "quanti",  "read",       "writing", "creating",
        "shuffl",   "collect", "index",   "encod",   "import",     "install", "copy",
        "unzip",    "scan",    "hash",    "verify",  "building",   "pushing", "warm",
        "flatten",  "casting", "check",   NULL};
    static const char *const units[] = {"B", "iB", "examples", "files", "file", NULL};

    if (bar->title.len >= 5 && str_eq_nocase((struct str){bar->title.at, 5}, STR("train")))
        return BAR_TRAINING;
    if (title_has(bar->title, evaluation) || str_eq_nocase(bar->title, STR("val")))
        return BAR_EVALUATION;
    if (title_has(bar->title, other))
        return BAR_OTHER;
    for (size_t i = 0; units[i] != NULL; i++) {
        struct str unit = str_trim(bar->unit);

        /* "200MB/s": of the unit only the letter after the scale is left, or all of it. */
        if (str_ends(unit, str_from(units[i])) && unit.len <= strlen(units[i]) + 1)
            return BAR_OTHER;
    }
    if (bar->title.len > 0 && !title_has(bar->title, training) &&
        memchr(bar->title.at, '.', bar->title.len) != NULL)
        return BAR_OTHER; /* the name of a file */
    return BAR_TRAINING;
}

/* "Epoch 3", "Epoch 3/10", "epoch [3/10]": the epoch whose steps the bar counts. "Epochs", of a
 * bar that counts epochs: true, and no number. */
static bool title_epoch(struct str title, struct metric_update *out, bool *counts_epochs)
{
    struct metric_update told;
    size_t len = title.len;

    *counts_epochs = false;
    if (!str_has_nocase(title, STR("epoch")))
        return false;
    while (len > 0 && is_letter(title.at[len - 1]))
        len--;
    if (str_eq_nocase((struct str){title.at + len, title.len - len}, STR("epoch")) ||
        str_eq_nocase((struct str){title.at + len, title.len - len}, STR("epochs"))) {
        *counts_epochs = true;
        return true;
    }
    metric_clear(&told);
    (void)pairs_tell(title, &told);
    out->epoch = told.epoch;
    out->epochs = told.epochs;
    return !isnan(told.epoch);
}

/* Bars without a title: the first counts training, and so does a longer one after its end. One
 * that runs while another is not at its end is an evaluation inside it. */
static bool is_inner(const struct bar *bar, struct line_memory *memory, bool has_loss)
{
    bool same = bar->total == memory->bar_total;
    bool over = isnan(memory->bar_total) || memory->bar_at >= memory->bar_total;

    if (!same && !has_loss && (!over || bar->total < memory->bar_total))
        return true;
    memory->bar_total = bar->total;
    memory->bar_at = bar->at;
    return false;
}

static const char *bar_style(const struct bar *bar, const struct metric_update *out)
{
    double value;

    if (metric_find(out, STR("v_num"), &value) ||
        str_has_nocase(bar->title, STR("dataloader")) ||
        str_has_nocase(bar->title, STR("sanity checking")))
        return "lightning";
    if (metric_find(out, STR("avr_loss"), &value) || str_eq(bar->title, STR("steps")))
        return "kohya";
    return "tqdm";
}

static void tell_training(const struct bar *bar, struct line_memory *memory,
                          struct metric_update *out)
{
    bool counts_epochs, of_epoch = title_epoch(bar->title, out, &counts_epochs);

    if (counts_epochs) {
        out->epoch = bar->at;
        out->epochs = bar->total;
        out->epoch_done = true;
        return;
    }
    if (!of_epoch && !isnan(bar->total) &&
        is_inner(bar, memory, out->told_loss || bar->title.len > 0)) {
        out->evaluated = true;
        return;
    }
    out->in_epoch = of_epoch;
    out->step = bar->at;
    out->steps = bar->total;
    out->rate = bar->rate;
    out->left_s = of_epoch ? (double)NAN : bar->left_s;
}

/* Counts that are none: a bar that hostile text only looks like. */
static bool is_sound(const struct bar *bar)
{
    return isfinite(bar->at) && bar->at >= 0 && !isinf(bar->total) && !(bar->total < 0) &&
           !isinf(bar->rate) && !(bar->rate < 0) && !isinf(bar->left_s);
}

bool style_bar(struct str line, struct line_memory *memory, struct metric_update *out)
{
    struct bar bar = {.rate = NAN, .left_s = NAN};

    if (!read_with_total(line, &bar)) {
        bar = (struct bar){.rate = NAN, .left_s = NAN};
        if (!read_without_total(line, &bar))
            return false;
    }
    if (!is_sound(&bar))
        return false;
    metric_clear(out);
    switch (bar_kind(&bar)) {
    case BAR_OTHER:
        return true; /* known, and nothing to tell */
    case BAR_EVALUATION:
        out->evaluated = true;
        break;
    case BAR_TRAINING:
        (void)pairs_tell(bar.postfix, out);
        out->step = out->steps = out->epoch = out->epochs = NAN; /* the bar knows better */
        out->evaluated = false; /* Lightning keeps the last val_loss in its bar */
        tell_training(&bar, memory, out);
        break;
    }
    out->style = bar_style(&bar, out);
    return true;
}
