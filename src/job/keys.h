/* keys.h - single keys of a job: other words for them, spellings of values, bounds. For src/job
 * only. */
#ifndef JOB_KEYS_H
#define JOB_KEYS_H

#include "job/job.h"

extern const struct field_set job_shape_fields, job_measured_fields;
extern const char *const job_yes_no[];

/* The path, seen from `set`, that another word for a key means: "micro_batch",
 * "parallel.tensor". Empty when it means none. */
struct str key_meant(const struct field_set *set, struct str word);

/* What to write instead of a key that no job has, but people and frameworks write; NULL: not
 * known. */
const char *key_elsewhere(struct str word);

/* The path, seen from `set`, of the one group in it that has this key: "parallel.zero". NULL
 * when no group has, or several have it. The text is in `room`. */
#define KEY_PATH_MAX 80
const char *key_nested(const struct field_set *set, struct str key, char room[KEY_PATH_MAX]);

/* Turn what people write into what field_parse() reads: "25M" of a number, "20/s" of a rate,
 * "true" of yes or no; and refuse names that mean nothing to us (precision, optimizer, ...).
 * The text stays as it is where there is nothing to do. */
bool key_spell(const struct field_set *set, const struct field *field, struct str *text,
               struct arena *arena, struct error *err) MUST_USE;

/* Is the value within what can be computed with? */
bool key_check(const struct field *field, const void *record, struct error *err) MUST_USE;

/* The value at "a" or "a.b" of a document; NULL when it is absent or null. */
const struct node *node_at(const struct node *root, const char *path);

/* job_deepspeed() of a document that was read. The job may be half changed after an error. */
bool job_deepspeed_node(const struct node *root, const char *name, struct job *job,
                        struct arena *arena, struct error *err) MUST_USE;

#endif
