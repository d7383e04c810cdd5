/* config.h - writing the configuration, and what is in force: config.init, config.show. */
#ifndef OP_CONFIG_H
#define OP_CONFIG_H

#include "settings/init.h"

struct op_context; /* op/context.h */

extern const struct op op_config_init, op_config_show;

struct config_init_result {
    struct str path;
    struct str text;   /* what was written */
    struct str backup; /* of the file that was there before; NULL: none was */
    struct rows next;  /* struct config_step */
};

struct config_show_request {
    bool show; /* accepted, since people type `config --show`; it is the default */
};

struct config_show_result {
    struct str path;
    bool found;
    struct rows settings; /* struct setting_row */
};

/* Where the configuration is to be written; NULL with the error set when there is one already
 * and it is not to be replaced, or no home. */
const char *config_target(struct op_context *ctx, bool force, struct error *err) MUST_USE;

/* Are the providers, the currency and the machine of the request right? */
bool config_check(struct op_context *ctx, const struct config_init_request *req,
                  struct error *err) MUST_USE;

/* init_guess_country() by the tz database of this machine. */
struct str config_guess_country(struct op_context *ctx, struct str *zone);

#endif
