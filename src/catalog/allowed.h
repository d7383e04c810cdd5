/* allowed.h - what may be used, by the patterns of options and of a job.
 *
 * "!p3*" denies. Where both name what is allowed, the options win; what either denies is
 * denied.
 */
#ifndef CATALOG_ALLOWED_H
#define CATALOG_ALLOWED_H

#include "catalog/catalog.h"

struct allowed {
    struct strs options, job;
};

/* Is a pattern one that denies? Its "!" is cut off. */
bool allowed_denies(struct str *pattern);

/* Is there a pattern that allows? Without one all is allowed. */
bool allowed_names_any(struct strs patterns);

/* The list whose patterns allow: the options', or the job's if they have none. */
struct strs allowed_list(const struct allowed *allowed);

bool allowed_passes(const struct allowed *allowed, struct str name);

/* The same of one list: an empty one allows all. */
bool allowed_match(struct strs patterns, struct str name);

/* catalog_check_patterns() of those that count. */
bool allowed_check(const struct allowed *allowed, const struct catalog *catalog,
                   uint64_t tables, const char *column, struct error *err) MUST_USE;

#endif
