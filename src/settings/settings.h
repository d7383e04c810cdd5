/* settings.h - what the user configured, and where each value came from.
 *
 * Default < config.yaml < environment < flag; `stint config --show` shows which won.
 */
#ifndef SETTINGS_SETTINGS_H
#define SETTINGS_SETTINGS_H

#include "doc/field.h"
#include "unit/money.h"
#include "unit/time.h"

struct settings {
    struct strs providers;   /* one has accounts with; empty means that all are shown */
    struct str currency;     /* of budgets: ISO 4217 */
    struct money budget;     /* a month; unknown when there is none */
    struct str machine;      /* what this machine is: a name of local.csv */
    struct str country;      /* where it is: decides electricity and carbon */
    usd_per_kwh electricity; /* overrides the country's price */
    bool own_machine;        /* this machine is the user's own: a run costs its electricity */
    struct strs owned;       /* OFFER=HOURS that are paid for already */
    struct strs supply;      /* OFFER=MACHINES that can be rented */
    usd_per_hour value_of_time; /* of waiting; unknown: not given */
    struct str catalog;         /* the folder with the user's own facts */
    struct str prices;          /* the folder where fetched and imported prices are kept */
    struct str ledger;          /* the file that runs are recorded in */
    struct str reports;  /* the folder for a report of each run; empty: none is written */
    span stale_after;    /* prices older than this are warned about */
    struct str to;       /* the server that runs are sent to; empty: none */
    struct str to_token; /* the file with the token for it */
    struct str to_certificates; /* a file of those that are trusted; empty: the usual ones */
    bool to_unencrypted;        /* plain http to another machine is wanted */
    struct strs trusted_keys;   /* public keys whose price packs are imported */
};

extern const struct field_set settings_fields;

#define SETTINGS_MAX 20

struct settings_origin {
    struct str config_path; /* the file that was read, or would be */
    bool config_found;
    bool config_exposed;     /* it holds a password, and others can read it */
    bool catalog_is_default; /* the folder was not named, so it need not be there */
    const char
        *of[SETTINGS_MAX]; /* for each field: "default", "config.yaml", "STINT_X", "--x" */
};

/* A flag of the command line that sets a setting. */
struct settings_flag {
    const char *name;   /* of the field */
    const char *option; /* "--name" */
    struct str value;
};

struct settings_inputs {
    const char *config; /* --config, or NULL for the usual place */
    bool skip_file;     /* only find out where it is */
    const struct settings_flag *flags;
    size_t flag_count;
};

/* Read them all. A configuration file that is named must exist; the usual one need not. */
bool settings_load(const struct settings_inputs *inputs, struct arena *arena,
                   struct settings *out, struct settings_origin *origin,
                   struct error *err) MUST_USE;

/* Only the settings in the text of a configuration file. */
bool settings_read(struct str text, const char *name, struct arena *arena, struct settings *out,
                   struct error *err) MUST_USE;

/* The first of the variables below that is ignored because its path is relative; NULL: none. */
const char *settings_relative(void);

/* "$XDG_CONFIG_HOME/stint/NAME" (~/.config by default), or NULL with the error set when there
 * is no home. */
char *settings_path(const char *name, struct arena *arena, struct error *err) MUST_USE;

/* "$XDG_CACHE_HOME/stint" (~/.cache by default); likewise. */
char *settings_cache(struct arena *arena, struct error *err) MUST_USE;

/* "$XDG_DATA_HOME/stint/ledger.db" (~/.local/share by default); likewise. */
char *settings_ledger(struct arena *arena, struct error *err) MUST_USE;

/* Is it the code of a currency? */
bool settings_currency(struct str code, struct error *err) MUST_USE;

/* A setting with what applies, and where that comes from; without a password. */
struct setting_row {
    struct str name, value, origin, env, help;
};

/* All of them: rows of struct setting_row. */
bool settings_rows(const struct settings *settings, const struct settings_origin *origin,
                   struct arena *arena, struct rows *out, struct error *err) MUST_USE;

extern const struct field_set setting_row_fields;

/* "STINT_STALE_AFTER" for "stale_after". */
#define SETTINGS_ENV_MAX 64
void settings_env_name(const struct field *field, char to[static SETTINGS_ENV_MAX]);

#endif
