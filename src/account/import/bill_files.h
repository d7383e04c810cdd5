/* bill_files.h - which files are bills: those that are named, those of a folder, those that a
 * manifest delivers; copies are found by their bytes. */
#ifndef ACCOUNT_IMPORT_BILL_FILES_H
#define ACCOUNT_IMPORT_BILL_FILES_H

#include "base/message.h"
#include "doc/field.h"

struct import_input {
    const char *path;
    bool listed;         /* by the user or a manifest: else it may be no bill */
    const char *same_as; /* an earlier one with the same bytes; NULL */
};

/* What is to be read, in this order. */
struct import_inputs {
    struct arena *arena;
    const struct messages *messages;
    struct import_input *at;
    size_t count, room;
};

/* The files that the operands mean: folders are looked into, manifests name what they
 * deliver. */
bool import_inputs(struct strs operands, struct arena *arena, const struct messages *messages,
                   struct import_inputs *out, struct error *err) MUST_USE;

#endif
