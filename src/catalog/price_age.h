/* price_age.h - how old the prices of an answer are: shown under every list of them. */
#ifndef CATALOG_PRICE_AGE_H
#define CATALOG_PRICE_AGE_H

#include "base/message.h"
#include "doc/field.h"
#include "unit/time.h"

#define OLD_PRICE_DAYS 180
#define OLD_MARKETPLACE_DAYS 60 /* hosts change their prices every day */

struct provider;

/* Is a price of this age too old to be the best one (market/trust.h)? The provider may be NULL:
 * not known. */
bool price_too_old(const struct provider *provider, int64_t days);

struct price_age {
    day newest, oldest;
    int64_t newest_days; /* the age of the newest */
    int64_t stale;       /* how many are older than the setting allows */
    int64_t future;      /* how many are dated after today */
    int64_t total;
};

extern const struct field_set price_age_fields;

/* The age of one, as settings and options have it; never negative. */
span price_age_of(day date, day today);

/* Count one; `fresh` is how old the user lets prices be. */
void price_age_add(struct price_age *age, day date, day today, span fresh);

/* Warn when any price is older than that, or from the future. `book_days` is the age of the
 * price book as a whole, whichever of its prices were looked at. */
void price_age_warn(const struct price_age *age, int64_t book_days, span fresh,
                    const struct messages *messages);

#endif
