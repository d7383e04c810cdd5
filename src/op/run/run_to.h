/* run_to.h - runs that are sent to a server instead of a ledger of this machine. */
#ifndef OP_RUN_RUN_TO_H
#define OP_RUN_RUN_TO_H

#include "run/remote/receiver.h"
#include "run/supervise/options.h"

struct op_context; /* op/context.h */

/* The options of every command that sends; the settings of the same names are their
 * defaults. */
#define RUN_TO_OPTIONS(record) \
    FIELD(TEXT, record, to, .value = "URL", \
          .help = "send the run to this server instead of the ledger: https://HOST:8712 " \
                  "(default: the configured one)"), \
        FIELD(TEXT, record, to_token, .value = "FILE", \
              .help = "file with the token for it (default: 'token' beside config.yaml; " \
                      "STINT_TOKEN is the token itself)"), \
        FIELD(TEXT, record, to_certificates, .value = "FILE", \
              .help = "CA bundle to verify the server, PEM (default: the system's)"), \
        FIELD(FLAG, record, to_unencrypted, \
              .help = "allow plain http to it, on a trusted network only")

struct run_to {
    struct str to, token, certificates;
    bool unencrypted;
};

/* The address of the server that is wanted; NULL, and true, when there is none. */
bool run_to_address(struct op_context *ctx, const struct run_to *wanted, const char **out,
                    struct error *err) MUST_USE;

/* The server that is wanted; `out` NULL, and true, when there is none. The token comes from
 * STINT_TOKEN, else from the file. `month`: the budget of all runs of the month. */
bool run_to_open(struct op_context *ctx, const struct run_to *wanted, usd month,
                 struct receiver **out, struct error *err) MUST_USE;

/* Ask it whether the run may begin, and what is left of the budgets that hold for it: sets what
 * the supervisor needs to know. A server that does not answer is no reason not to begin, unless
 * a run is to be resumed (`resume`, empty: none); one that refuses the run is. */
bool run_to_begin(struct op_context *ctx, struct str resume, struct supervise_options *options,
                  struct error *err) MUST_USE;

#endif
