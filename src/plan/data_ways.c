#include "plan/data_ways.h"

#include <math.h>

#include "base/buf.h"
#include "estimate/money/cost.h"
#include "estimate/money/terms.h"
#include "plan/plan.h"

/* What is worth naming: so much of the time or the money of moving it as it is, and at
 * least: */
#define WORTH_SHARE 0.02
#define WORTH_SECONDS 1
#define WORTH_USD 0.01
#define MONTH_DAYS 30.0

const char *const data_way_names[DATA_WAYS + 1] = {
    [DATA_AS_IS] = "as it is",         [DATA_IMAGES] = "images",
    [DATA_IMAGES_LOSSY] = "images 95", [DATA_BUNDLE] = "bundle",
    [DATA_REGION] = "another region",  [DATA_CACHE] = "a kept copy",
};

static const struct field way_fields[] = {
    FIELD(ENUM, data_way, way, .names = data_way_names,
          .help = "way: as it is, images, images 95, bundle, another region or a kept copy"),
    FIELD(FLAG, data_way, lossy, .help = "pixels change"),
    FIELD(FLAG, data_way, worth,
          .help = "saves at least 2 % of the time or the money, and a second or a cent"),
    FIELD(BYTES, data_way, size, .help = "size of what moves; null: could not be measured"),
    FIELD(BYTES, data_way, size_low, .help = "low end of the 80 % range of that size"),
    FIELD(BYTES, data_way, size_high, .help = "high end of the 80 % range of that size"),
    FIELD(COUNT, data_way, files, .help = "number of files that move"),
    FIELD(NUMBER, data_way, seconds, .help = "time of moving it, s"),
    FIELD(USD, data_way, cost,
          .help = "cost of moving it: egress of the cloud it leaves, and waiting machines"),
    FIELD(NUMBER, data_way, saves_seconds, .help = "time saved each time it moves, s"),
    FIELD_AS("savings", USD, data_way, saves, .help = "savings each time it moves"),
    FIELD_AS("savings_low", USD, data_way, saves_low,
             .help = "low end of the 80 % range of the savings"),
    FIELD_AS("savings_high", USD, data_way, saves_high,
             .help = "high end of the 80 % range of the savings"),
    FIELD(COUNT, data_way, sample_files, .help = "files, or pieces of a bundle, in the sample"),
    FIELD(BYTES, data_way, sample_size, .help = "size of the sample"),
    FIELD(TEXT, data_way, command, .empty_unknown = true, .help = "command to type"),
    FIELD(TEXT, data_way, note, .empty_unknown = true,
          .help = "reason why it is unknown, or what else to know"),
};

static const struct field_set way_set = FIELD_SET(struct data_way, way_fields);

static const struct field data_fields[] = {
    FIELD(TEXT, plan_data, folder, .empty_unknown = true, .help = "folder that was measured"),
    FIELD(TEXT, plan_data, at, .empty_unknown = true,
          .help = "cloud that it is in; null: a machine of your own"),
    FIELD(TEXT, plan_data, to, .empty_unknown = true, .help = "place of the machines"),
    FIELD(BYTES, plan_data, size, .help = "size of all files"),
    FIELD(COUNT, plan_data, files, .help = "number of files"),
    FIELD(RATE, plan_data, price, .help = "price of the machines that wait for it"),
    FIELD(LIST, plan_data, ways, .row = &way_set,
          .help = "ways to move it: sizes by a sample of the files"),
};

const struct field_set plan_data_fields = FIELD_SET(struct plan_data, data_fields);

/* What is being written. */
struct data_writing {
    const struct data_case *in;
    struct arena *arena;
    struct data_way *rows;
    size_t count;
};

static usd difference_of(usd a, usd b)
{
    return a.nano == MONEY_UNKNOWN || b.nano == MONEY_UNKNOWN ? USD_UNKNOWN
                                                              : (usd){a.nano - b.nano};
}

static usd cost_to_move(const struct data_case *in, bytes size, int64_t files)
{
    usd bytes_of = transfer_from(in->catalog, in->at, in->provider, in->region, size);
    usd waiting = cost_of_hours(in->price, transfer_seconds(size, files, in->at) / 3600);

    return usd_add(bytes_of, waiting);
}

static struct data_way *add_data_way(struct data_writing *w, enum data_way_kind kind)
{
    struct data_way *row = &w->rows[w->count++];

    *row = (struct data_way){.way = kind,
                             .size = BYTES_UNKNOWN,
                             .size_low = BYTES_UNKNOWN,
                             .size_high = BYTES_UNKNOWN,
                             .files = -1,
                             .seconds = NAN,
                             .cost = USD_UNKNOWN,
                             .saves_seconds = NAN,
                             .saves = USD_UNKNOWN,
                             .saves_low = USD_UNKNOWN,
                             .saves_high = USD_UNKNOWN,
                             .sample_files = -1,
                             .sample_size = BYTES_UNKNOWN};
    return row;
}

static bool is_worth_money(usd part, usd all)
{
    return part.nano != MONEY_UNKNOWN && all.nano != MONEY_UNKNOWN &&
           usd_double(part) >= WORTH_USD && usd_double(part) >= WORTH_SHARE * usd_double(all);
}

static bool is_worth_time(double part, double all)
{
    return part >= WORTH_SECONDS && part >= WORTH_SHARE * all;
}

static void add_as_is(struct data_writing *w)
{
    const struct data_case *in = w->in;
    struct data_way *row = add_data_way(w, DATA_AS_IS);

    row->size = row->size_low = row->size_high = in->size;
    row->files = in->files;
    row->seconds = transfer_seconds(in->size, in->files, in->at);
    row->cost = cost_to_move(in, in->size, in->files);
}

/* "stint data images photos --quality 95" */
static bool write_data_command(const struct data_writing *w, const char *before,
                               const char *after, struct str *out, struct error *err)
{
    struct buf text = buf_new(w->arena->alloc, BUF_MAX_OUTPUT);

    buf_adds(&text, before);
    buf_add_shell(&text, w->in->folder);
    buf_adds(&text, after);
    return buf_keep(&text, w->arena, out, err);
}

/* Also the worst of its range must save. */
static void price_smaller(const struct data_writing *w, const struct data_guess *guess,
                          struct data_way *row)
{
    const struct data_case *in = w->in;
    const struct data_way *now = w->rows;

    row->size = guess->size;
    row->size_low = guess->low;
    row->size_high = guess->high;
    row->files = guess->files;
    row->sample_files = guess->sample_files;
    row->sample_size = guess->sample_size;
    row->seconds = transfer_seconds(guess->size, guess->files, in->at);
    row->cost = cost_to_move(in, guess->size, guess->files);
    row->saves_seconds = now->seconds - row->seconds;
    row->saves = difference_of(now->cost, row->cost);
    row->saves_low = difference_of(now->cost, cost_to_move(in, guess->high, guess->files));
    row->saves_high = difference_of(now->cost, cost_to_move(in, guess->low, guess->files));
    row->worth = now->seconds > transfer_seconds(guess->high, guess->files, in->at) &&
                 (is_worth_time(row->saves_seconds, now->seconds) ||
                  is_worth_money(row->saves, now->cost));
}

static bool add_smaller(struct data_writing *w, enum data_way_kind kind,
                        const struct data_guess *guess, struct error *err)
{
    static const char *const before[] = {[DATA_IMAGES] = "stint data images ",
                                         [DATA_IMAGES_LOSSY] = "stint data images ",
                                         [DATA_BUNDLE] = "stint data bundle "};
    struct data_way *row;

    if (!guess->asked)
        return true;
    row = add_data_way(w, kind);
    row->lossy = kind == DATA_IMAGES_LOSSY;
    row->note = guess->why;
    if (guess->size.n != BYTES_UNKNOWN.n)
        price_smaller(w, guess, row);
    if (kind != DATA_BUNDLE)
        return write_data_command(w, before[kind], row->lossy ? " --quality 95" : "",
                                  &row->command, err);
    return write_data_command(w, before[kind], " -o data.tar.zst", &row->command, err);
}

/* The planner has looked at the whole cost already: this says what the bytes alone would. */
static bool add_region(struct data_writing *w, struct error *err)
{
    const struct data_case *in = w->in;
    const struct data_elsewhere *there = &in->elsewhere;
    const struct data_way *now = w->rows;
    struct buf command = buf_new(w->arena->alloc, BUF_MAX_OUTPUT);
    struct buf note = buf_new(w->arena->alloc, BUF_MAX_OUTPUT);
    struct data_way *row;

    if (there->provider.len == 0)
        return true;
    row = add_data_way(w, DATA_REGION);
    row->size = row->size_low = row->size_high = in->size;
    row->files = in->files;
    row->seconds = now->seconds;
    row->cost = usd_add(there->move, cost_of_hours(in->price, now->seconds / 3600));
    row->saves_seconds = 0;
    row->saves = difference_of(difference_of(now->cost, row->cost), there->more);
    row->saves_low = row->saves_high = row->saves;
    row->worth = is_worth_money(row->saves, now->cost);
    buf_addf(&note, "%.*s/%.*s", STR_ARG(there->provider), STR_ARG(there->region));
    if (there->more.nano > 0) {
        buf_adds(&note, ", where the machines cost ");
        usd_write_estimate(there->more, &note);
        buf_adds(&note, " more");
    }
    buf_adds(&command, "stint plan ");
    buf_add_shell(&command, in->job);
    buf_addf(&command, " --provider %.*s --region %.*s", STR_ARG(there->provider),
             STR_ARG(there->region));
    if (in->job.len == 0)
        buf_clear(&command);
    return buf_keep(&command, w->arena, &row->command, err) &&
           buf_keep(&note, w->arena, &row->note, err);
}

/* A month in the hot tier of the machines' provider; where that is not known, in the most
 * expensive one. */
static usd kept_for_a_month(const struct data_case *in)
{
    const struct rows *rows = &in->catalog->tables[TABLE_STORAGE];
    usd_per_gb price = {MONEY_UNKNOWN};

    for (size_t i = 0; i < rows->len; i++) {
        const struct storage *s = CATALOG_ROW(in->catalog, TABLE_STORAGE, storage, i);

        if (!str_eq(s->tier, STR("hot")) || s->usd_gb_month.nano == MONEY_UNKNOWN)
            continue;
        if (str_eq_nocase(s->provider, in->provider))
            return usd_for_bytes(s->usd_gb_month, in->size.n);
        if (price.nano == MONEY_UNKNOWN || s->usd_gb_month.nano > price.nano)
            price = s->usd_gb_month;
    }
    return price.nano == MONEY_UNKNOWN ? USD_UNKNOWN : usd_for_bytes(price, in->size.n);
}

/* By a month: as often as it was moved, but once, against what keeping it costs. */
static bool add_kept_copy(struct data_writing *w, struct error *err)
{
    const struct data_moves *moves = &w->in->moves;
    const struct data_way *now = w->rows;
    struct buf note = buf_new(w->arena->alloc, BUF_MAX_OUTPUT);
    struct data_way *row;
    usd month;
    double again;

    if (moves->count < 2)
        return true;
    month = kept_for_a_month(w->in);
    row = add_data_way(w, DATA_CACHE);
    again = (double)(moves->count - 1) * MONTH_DAYS / moves->days;
    row->size = row->size_low = row->size_high = w->in->size;
    row->files = w->in->files;
    row->seconds = 0;
    row->cost = month;
    row->saves_seconds = again * now->seconds;
    if (now->cost.nano != MONEY_UNKNOWN && month.nano != MONEY_UNKNOWN)
        row->saves = usd_from(again * usd_double(now->cost) - usd_double(month));
    row->saves_low = row->saves_high = row->saves;
    row->worth = is_worth_money(row->saves, now->cost);
    buf_addf(&note, "by the month: moved %lld times in %.0f days", (long long)moves->count,
             moves->days);
    return buf_keep(&note, w->arena, &row->note, err);
}

bool data_ways(const struct data_case *in, struct arena *arena, struct plan_data *out,
               struct error *err)
{
    struct data_writing w = {.in = in, .arena = arena};
    struct buf to = buf_new(arena->alloc, BUF_MAX_OUTPUT);

    *out = (struct plan_data){.folder = in->folder,
                              .at = in->at,
                              .size = in->size,
                              .files = in->files,
                              .price = in->price};
    w.rows = arena_array(arena, struct data_way, DATA_WAYS, err);
    if (w.rows == NULL)
        return false;
    buf_add(&to, in->provider);
    if (in->region.len > 0) {
        buf_char(&to, '/');
        buf_add(&to, in->region);
    }
    add_as_is(&w);
    if (!buf_keep(&to, arena, &out->to, err) ||
        !add_smaller(&w, DATA_IMAGES, &in->images, err) ||
        !add_smaller(&w, DATA_IMAGES_LOSSY, &in->lossy, err) ||
        !add_smaller(&w, DATA_BUNDLE, &in->bundle, err) || !add_region(&w, err) ||
        !add_kept_copy(&w, err))
        return false;
    out->ways = (struct rows){w.rows, w.count};
    return true;
}

const struct data_way *data_way_of(const struct plan_data *data, enum data_way_kind kind)
{
    const struct data_way *rows = data->ways.at;

    for (size_t i = 0; i < data->ways.len; i++)
        if (rows[i].way == kind)
            return &rows[i];
    return NULL;
}

struct data_elsewhere data_elsewhere(const struct plan_place *places, size_t count,
                                     const struct plan_place *now, double hours)
{
    struct data_elsewhere out = {.move = USD_UNKNOWN, .more = USD_UNKNOWN};
    usd here = now->terms->ingress;
    double least = 0;

    for (size_t i = 0; i < count && here.nano != MONEY_UNKNOWN; i++) {
        const struct plan_place *to = &places[i];
        usd there = to->terms->ingress;
        double more =
            hours * (usd_per_hour_double(to->price) - usd_per_hour_double(now->price));
        double sum = usd_double(there) + more;

        if (to->bars != 0 || to->market != now->market || there.nano == MONEY_UNKNOWN ||
            there.nano >= here.nano || to->machine->gpu != now->machine->gpu ||
            to->machine->count != now->machine->count || isnan(more) ||
            (out.provider.len > 0 && sum >= least))
            continue;
        least = sum;
        out = (struct data_elsewhere){.provider = to->machine->provider,
                                      .region = to->machine->region,
                                      .move = there,
                                      .more = usd_from(more)};
    }
    return out;
}
