/* config.h - writing the configuration, and what is in force: config.init, config.show. */
#ifndef OP_CONFIG_H
#define OP_CONFIG_H

#include "doc/field.h"
#include "unit/money.h"

struct op_context; /* op/context.h */

extern const struct op op_config_init, op_config_show;

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
    struct str command, why;
};

struct config_init_result {
    struct str path;
    struct str text;   /* what was written */
    struct str backup; /* of the file that was there before; NULL: none was */
    struct rows next;  /* struct config_step */
};

struct config_show_request {
    bool show; /* accepted, since people type `config --show`; it is the default */
};

struct config_setting {
    struct str name, value, origin, env, help;
};

struct config_show_result {
    struct str path;
    bool found;
    struct rows settings; /* struct config_setting */
};

extern const struct field_set config_step_fields;

/* Where the configuration is to be written; NULL with the error set when there is one already
 * and it is not to be replaced, or no home. */
const char *config_target(struct op_context *ctx, bool force, struct error *err) MUST_USE;

/* Are the providers, the currency and the machine of the request right? */
bool config_check(struct op_context *ctx, const struct config_init_request *req,
                  struct error *err) MUST_USE;

/* Before a file of the user's is replaced: what it held stays beside it as PATH.bak. */
bool config_keep_old(struct op_context *ctx, const char *path, struct error *err) MUST_USE;

/* A guess at the country of this machine, from its time zone by the table zone.tab of the tz
 * database in `folder`; "US" when there is none. `zone`: the time zone that says so, else
 * empty. */
struct str config_guess_country(struct op_context *ctx, const char *folder, struct str *zone);

/* A guess at this machine's name in local.csv, from the NVIDIA driver's files under `proc`
 * ("/proc" but in tests); empty when there is none. */
struct str config_guess_machine(struct op_context *ctx, const char *proc);

#endif
