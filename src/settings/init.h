/* init.h - the configuration file that `stint init` writes: what is asked, what is guessed, the
 * text, and what to type next.
 */
#ifndef SETTINGS_INIT_H
#define SETTINGS_INIT_H

#include "catalog/catalog.h"
#include "unit/money.h"

struct config_init_request {
    struct strs providers;
    struct str currency, machine, country;
    struct money budget;
    usd_per_kwh electricity;
    bool own_machine; /* the user's, not rented: runs cost its electricity */
    bool force, yes;  /* yes: what is not given is guessed, the machine too */
};

/* Something to type after the configuration is written. */
struct config_step {
    struct str command, purpose;
};

extern const struct field_set config_step_fields;

/* Are the providers, the country, the currency and the machine in the catalog (INIT_TABLES)? */
#define INIT_TABLES \
    (TABLE_BIT(TABLE_PROVIDERS) | TABLE_BIT(TABLE_OFFERS) | TABLE_BIT(TABLE_ELECTRICITY) | \
     TABLE_BIT(TABLE_REGIONS))
bool init_check(const struct config_init_request *req, const struct catalog *catalog,
                struct error *err) MUST_USE;
/* Likewise the machine (TABLE_LOCAL); an empty one is right. */
bool init_check_machine(struct str machine, const struct catalog *catalog,
                        struct error *err) MUST_USE;

/* The text of the file. `zone`: the time zone that the country was guessed from; empty: it was
 * given. */
void init_write(const struct config_init_request *req, struct str zone, struct buf *out);

/* What to type next: rows of struct config_step. `path`: of the configuration that was
 * written. */
bool init_steps(const struct config_init_request *req, const struct catalog *catalog,
                const char *path, struct arena *arena, struct rows *out,
                struct error *err) MUST_USE;

/* A guess at the country of this machine, from its time zone by the table zone.tab of the tz
 * database in `folder`; "US" when there is none. `zone`: the time zone that says so, else
 * empty. (TABLE_ELECTRICITY, TABLE_REGIONS) */
struct str init_guess_country(const struct catalog *catalog, const char *folder,
                              struct arena *arena, struct str *zone);

/* A guess at this machine's name in local.csv, from the NVIDIA driver's files under `proc`
 * ("/proc" but in tests); empty when there is none. (TABLE_LOCAL) */
struct str init_guess_machine(const struct catalog *catalog, const char *proc,
                              struct arena *arena);

#endif
