#include "catalog/price_age.h"

#include "catalog/catalog.h"

#include "base/buf.h"

static const struct field age_fields[] = {
    FIELD(DAY, price_age, newest, .help = "newest price shown"),
    FIELD(DAY, price_age, oldest, .help = "oldest price shown"),
    FIELD(COUNT, price_age, newest_days, .help = "age of the newest price in days"),
    FIELD(COUNT, price_age, stale, .help = "prices older than stale_after"),
    FIELD(COUNT, price_age, future, .help = "prices dated after today"),
    FIELD(COUNT, price_age, total, .help = "prices shown"),
};

const struct field_set price_age_fields = FIELD_SET(struct price_age, age_fields);

bool price_too_old(const struct provider *provider, int64_t days)
{
    return days >
           (provider != NULL && provider->marketplace ? OLD_MARKETPLACE_DAYS : OLD_PRICE_DAYS);
}

span price_age_of(day date, day today)
{
    int64_t days = (int64_t)today.n - date.n;

    return span_hours(days > 0 ? 24 * (double)days : 0);
}

void price_age_add(struct price_age *age, day date, day today, span fresh)
{
    if (age->total <= 0)
        *age = (struct price_age){.newest = date, .oldest = date};
    age->total++;
    age->newest = date.n > age->newest.n ? date : age->newest;
    age->oldest = date.n < age->oldest.n ? date : age->oldest;
    age->newest_days = price_age_of(age->newest, today).ns / (24 * SPAN_HOUR);
    age->stale += price_age_of(date, today).ns > fresh.ns;
    age->future += date.n > today.n;
}

void price_age_warn(const struct price_age *age, int64_t book_days, span fresh,
                    const struct messages *messages)
{
    struct buf text = buf_new(&alloc_system, 256);

    if (age->newest_days > OLD_PRICE_DAYS && book_days > OLD_PRICE_DAYS && age->total > 1) {
        message_warn(messages,
                     "the price book is %lld days old: its prices are compared as they are; "
                     "'stint price fetch skypilot' updates it",
                     (long long)book_days);
    } else if (age->stale > 0 && age->stale == age->total && age->total > 1) {
        buf_addf(&text, "all %lld prices are old (newest: ", (long long)age->total);
        day_write(age->newest, &text);
        buf_addf(&text, ", %lld days); 'stint price fetch skypilot' updates them",
                 (long long)age->newest_days);
        message_warn(messages, "%.*s", (int)text.len, text.at != NULL ? text.at : "");
    } else if (age->stale > 0) {
        buf_addf(&text, "%lld of %lld prices %s more than ", (long long)age->stale,
                 (long long)age->total, age->stale == 1 ? "is" : "are");
        if (fresh.ns % (24 * SPAN_HOUR) == 0)
            buf_addf(&text, "%lld days", (long long)(fresh.ns / (24 * SPAN_HOUR)));
        else
            span_write(fresh, &text);
        buf_adds(&text, " old (oldest: ");
        day_write(age->oldest, &text);
        buf_adds(&text, "); 'stint price doctor' shows what to run");
        message_warn(messages, "%.*s", (int)text.len, text.at != NULL ? text.at : "");
    }
    if (age->future > 0)
        message_warn(messages, "%lld of %lld prices %s dated in the future",
                     (long long)age->future, (long long)age->total,
                     age->future == 1 ? "is" : "are");
    buf_free(&text);
}
