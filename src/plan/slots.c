#include "plan/slots.h"

#include <math.h>

static const struct field slot_fields[] = {
    FIELD(TEXT, slot_row, day, .help = "day of the week, in UTC"),
    FIELD(TIME, slot_row, start, .help = "start in UTC"),
    FIELD(TIME, slot_row, end, .help = "end in UTC"),
    FIELD(NUMBER, slot_row, start_h, .help = "start in hours from now"),
    FIELD_AS("price_multiplier", NUMBER, slot_row, price, .help = "multiple of the mean price"),
    FIELD(RATE, slot_row, per_hour, .help = "expected price of the machine in this slot"),
    FIELD(USD, slot_row, cost, .help = "expected cost of the machine for the slot"),
    FIELD_AS("carbon_multiplier", NUMBER, slot_row, carbon,
             .help = "multiple of the mean intensity"),
    FIELD(NUMBER, slot_row, carbon_g_kwh,
          .help = "expected carbon intensity of the grid, g CO2e/kWh"),
    FIELD_AS("savings", NUMBER, slot_row, saves,
             .help =
                 "savings in the ranked quantity over starting now, as a share; null by time"),
};

static const struct field_set slot_set = FIELD_SET(struct slot_row, slot_fields);

static const struct field pattern_fields[] = {
    FIELD(TEXT, slot_pattern, provider, .help = "provider of the price"),
    FIELD(TEXT, slot_pattern, market, .help = "market: spot or on-demand"),
    FIELD(TEXT, slot_pattern, basis, .help = "basis: measured or rule of thumb"),
    FIELD(FLAG, slot_pattern, used,
          .help = "pattern is used; false: a rule of thumb, which changes no price"),
    FIELD(TIME, slot_pattern, start,
          .help = "start of the cheapest slot (UTC); null: not worth it"),
    FIELD_AS("price_multiplier", NUMBER, slot_pattern, price,
             .help = "price multiple of the cheapest slot"),
    FIELD(NUMBER, slot_pattern, swing, .help = "most expensive over cheapest slot, less 1"),
    FIELD(DAY, slot_pattern, date, .help = "date of the pattern"),
    FIELD(TEXT, slot_pattern, reason, .help = "source of the pattern"),
};

static const struct field_set pattern_set = FIELD_SET(struct slot_pattern, pattern_fields);

static const struct field result_fields[] = {
    FIELD(TEXT, plan_slots_result, offer, .help = "selected offer; null without one"),
    FIELD(TEXT, plan_slots_result, provider, .help = "provider that sells it"),
    FIELD(TEXT, plan_slots_result, region, .help = "region, as the provider names it"),
    FIELD(TEXT, plan_slots_result, instance, .help = "instance name"),
    FIELD(TEXT, plan_slots_result, accelerator, .help = "accelerator"),
    FIELD(COUNT, plan_slots_result, count, .help = "number of accelerators"),
    FIELD(TEXT, plan_slots_result, market, .help = "market: spot or on-demand"),
    FIELD(RATE, plan_slots_result, price,
          .help = "price of the machine that the multiples refer to"),
    FIELD(TEXT, plan_slots_result, price_kind,
          .help = "kind of price: as last seen, or mean of its last week"),
    FIELD(DAY, plan_slots_result, price_date, .help = "date of the price"),
    FIELD(NUMBER, plan_slots_result, hours, .help = "hours per slot"),
    FIELD(COUNT, plan_slots_result, days, .help = "days searched ahead"),
    FIELD(TEXT, plan_slots_result, aim, .help = "aim: cost or carbon"),
    FIELD(TEXT, plan_slots_result, ranked,
          .help = "ranking: cost, carbon, or time when neither is known to change"),
    FIELD(TEXT, plan_slots_result, price_basis,
          .help = "basis of the price pattern: history, measured or flat"),
    FIELD(TEXT, plan_slots_result, price_why, .help = "explanation of the price basis"),
    FIELD(NUMBER, plan_slots_result, price_swing,
          .help = "most expensive over cheapest slot, less 1"),
    FIELD(TEXT, plan_slots_result, carbon_basis,
          .help = "basis of the carbon pattern: measured, rule of thumb or flat"),
    FIELD(TEXT, plan_slots_result, carbon_why, .help = "explanation of the carbon basis"),
    FIELD(NUMBER, plan_slots_result, carbon_swing,
          .help = "dirtiest over cleanest slot, less 1"),
    FIELD(NUMBER, plan_slots_result, carbon_g_kwh,
          .help = "mean carbon intensity of the grid, g CO2e/kWh"),
    FIELD(TEXT, plan_slots_result, crontab, .empty_unknown = true,
          .help = "crontab line for the best slot, in UTC; null: no slot is better"),
    FIELD(LIST, plan_slots_result, slots, .row = &slot_set,
          .help = "slots, best first; none overlaps a better one"),
    FIELD(LIST, plan_slots_result, now, .row = &slot_set, .help = "slot that starts now"),
    FIELD(LIST, plan_slots_result, patterns, .row = &pattern_set,
          .help = "patterns of providers, when no offer is requested"),
    FIELD(TEXTS, plan_slots_result, flat, .help = "providers without a known pattern"),
};

const struct field_set plan_slots_result_fields =
    FIELD_SET(struct plan_slots_result, result_fields);

/* ---- the weeks of providers ---- */

/* The row of the table that starts a provider's market. */
static bool first_of_market(const struct price_hours *rows, size_t i)
{
    return i == 0 || !str_eq(rows[i].provider, rows[i - 1].provider) ||
           !str_eq(rows[i].market, rows[i - 1].market);
}

static stamp hours_after(stamp now, double hours)
{
    return (stamp){now.s + llround(hours * 3600)};
}

static struct slot_pattern pattern_of(const struct catalog *catalog,
                                      const struct plan_slots_result *res, stamp now,
                                      const struct price_hours *row)
{
    struct week_slot best = {0};
    struct week week;
    struct week_wish wish = {
        .prices = &week, .price_weight = 1, .now = week_hour(now), .hours = res->hours};
    struct slot_pattern out;
    bool measured;

    (void)week_of_prices(catalog, row->provider, row->market, &week, &measured);
    (void)week_slots(&wish, (double)res->days, &best, 1);
    out = (struct slot_pattern){.provider = row->provider,
                                .market = row->market,
                                .basis = measured ? STR("measured") : STR("rule of thumb"),
                                .used = measured,
                                .price = week_round(best.price),
                                .swing = week_swing(&week, res->hours),
                                .reason = row->fact.source,
                                .date = row->fact.date,
                                .start = STAMP_UNKNOWN};
    if (measured && out.swing >= PLAN_WEEK_FLAT)
        out.start = hours_after(now, best.start_h);
    return out;
}

/* Providers that are named and have no row. */
static bool list_flat(const struct catalog *catalog, struct strs providers, struct arena *arena,
                      struct plan_slots_result *res, struct error *err)
{
    const struct rows *table = &catalog->tables[TABLE_PROVIDERS];
    const struct slot_pattern *patterns = res->patterns.at;
    struct str *names = arena_array(arena, struct str, table->len, err);
    size_t count = 0;

    if (names == NULL)
        return false;
    for (size_t i = 0; i < table->len; i++) {
        struct str provider = CATALOG_ROW(catalog, TABLE_PROVIDERS, provider, i)->provider;
        bool known = !strs_match(providers, provider);

        for (size_t k = 0; k < res->patterns.len && !known; k++)
            known = str_eq(patterns[k].provider, provider);
        if (!known)
            names[count++] = provider;
    }
    res->flat = (struct strs){names, count};
    return true;
}

bool slots_of_providers(const struct catalog *catalog, struct strs providers, struct str market,
                        stamp now, struct arena *arena, struct plan_slots_result *res,
                        struct error *err)
{
    const struct price_hours *rows = catalog->tables[TABLE_PRICE_HOURS].at;
    size_t len = catalog->tables[TABLE_PRICE_HOURS].len, count = 0;
    struct slot_pattern *patterns = arena_array(arena, struct slot_pattern, len, err);

    if (patterns == NULL)
        return false;
    for (size_t i = 0; i < len; i++) {
        if (!first_of_market(rows, i) || !strs_match(providers, rows[i].provider) ||
            (market.len > 0 && !str_eq(market, rows[i].market)))
            continue;
        patterns[count++] = pattern_of(catalog, res, now, &rows[i]);
    }
    res->patterns = (struct rows){patterns, count};
    /* Most of all providers have none: only those that are named are listed. */
    return providers.len == 0 || list_flat(catalog, providers, arena, res, err);
}

/* ---- the slots of one offer ---- */

struct slots {
    const struct offer_week *week;
    stamp now;
    struct arena *arena;
    struct plan_slots_result *res;
};

static struct slot_row row_of_slot(const struct slots *s, const struct week_slot *slot)
{
    static const char *const names[] = {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};
    double price = usd_per_hour_double(s->res->price) * slot->price;
    double hour = fmod(week_hour(s->now) + slot->start_h + 1e-6, WEEK_HOURS);

    return (struct slot_row){.day = str_from(names[(size_t)hour / 24]),
                             .start = hours_after(s->now, slot->start_h),
                             .end = hours_after(s->now, slot->start_h + s->res->hours),
                             .start_h = slot->start_h,
                             .price = week_round(slot->price),
                             .carbon = week_round(slot->carbon),
                             .per_hour = {usd_about(price).nano},
                             .cost = usd_about(price * s->res->hours),
                             .carbon_g_kwh = week_round(s->week->carbon_g_kwh * slot->carbon),
                             .saves = NAN};
}

/* What to rank by: the aim, if anything is known of it; else the other; else time. */
static struct str ranking(const struct plan_slots_result *res)
{
    bool cost = res->price_swing >= PLAN_WEEK_FLAT,
         carbon = res->carbon_swing >= PLAN_WEEK_FLAT;

    if (str_eq(res->aim, STR("carbon")))
        return carbon ? STR("carbon") : cost ? STR("cost") : STR("time");
    return cost ? STR("cost") : carbon ? STR("carbon") : STR("time");
}

static bool fill_week_slots(const struct slots *s, size_t limit, struct error *err)
{
    struct plan_slots_result *res = s->res;
    struct week_slot *slots = arena_array(s->arena, struct week_slot, limit, err);
    struct slot_row *rows = arena_array(s->arena, struct slot_row, limit + 1, err);
    double now = week_hour(s->now), hours = res->hours;
    bool cost = str_eq(res->ranked, STR("cost")), carbon = str_eq(res->ranked, STR("carbon"));
    struct week_wish wish = {
        &s->week->prices, &s->week->carbon, cost ? 1 : 0, carbon ? 1 : 0, now, hours};
    struct week_slot start = {0, week_mean(&s->week->prices, now, hours),
                              week_mean(&s->week->carbon, now, hours)};
    size_t count;

    if (slots == NULL || rows == NULL)
        return false;
    rows[limit] = row_of_slot(s, &start);
    count = week_slots(&wish, (double)res->days, slots, limit);
    for (size_t i = 0; i < count; i++) {
        rows[i] = row_of_slot(s, &slots[i]);
        if (cost)
            rows[i].saves = week_round(1 - slots[i].price / start.price);
        else if (carbon)
            rows[i].saves = week_round(1 - slots[i].carbon / start.carbon);
    }
    res->slots = (struct rows){rows, count};
    res->now = (struct rows){&rows[limit], 1};
    return true;
}

/* A grid's pattern comes every day, that of a price every week. Whole hours: cron starts at a
 * minute, and a slot is no better for it. */
static bool write_crontab(struct plan_slots_result *res, struct arena *arena, struct error *err)
{
    const struct slot_row *best = res->slots.at;
    struct buf text = buf_new(arena->alloc, 64);
    int64_t hour;

    if (res->slots.len == 0 || str_eq(res->ranked, STR("time")))
        return true;
    hour = best->start.s % SECONDS_PER_DAY / 3600;
    buf_addf(&text, "0 %lld * * ", (long long)hour);
    if (str_eq(res->ranked, STR("carbon")))
        buf_char(&text, '*');
    else
        buf_add(&text, best->day);
    buf_adds(&text, " COMMAND");
    return buf_keep(&text, arena, &res->crontab, err);
}

bool slots_of_offer(const struct offer_week *week, stamp now, size_t limit, struct arena *arena,
                    struct plan_slots_result *res, struct error *err)
{
    struct slots s = {week, now, arena, res};

    res->price_basis = week->price_basis;
    res->price_why = week->price_why;
    res->price_swing = week_swing(&week->prices, res->hours);
    res->carbon_basis = week->carbon_basis;
    res->carbon_why = week->carbon_why;
    res->carbon_swing = week_swing(&week->carbon, res->hours);
    res->carbon_g_kwh = week->carbon_g_kwh;
    res->ranked = ranking(res);
    return fill_week_slots(&s, limit, err) && write_crontab(res, arena, err);
}

void slots_set_price(const struct machine *o, const struct machine *row,
                     const struct offer_week *week, struct plan_slots_result *res)
{
    bool spot = str_eq(res->market, STR("spot"));
    usd_per_hour list = spot ? o->list_spot : o->list_on_demand;
    usd_per_hour price = spot ? o->spot : o->on_demand;

    res->price = price;
    res->price_kind = STR("as last seen");
    res->price_date = row == NULL
                          ? o->fact.date
                          : machine_price_date(row, spot ? MARKET_SPOT : MARKET_ON_DEMAND);
    if (!str_eq(week->price_basis, STR("history")) || week->mean.nano <= 0)
        return;
    res->price = week->mean;
    res->price_kind = STR("mean of its last week");
    if (list.nano > 0)
        res->price.nano =
            usd_from(usd_per_hour_double(week->mean) * (double)price.nano / (double)list.nano)
                .nano;
}
