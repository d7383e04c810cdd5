/* schema.h - every operation with what it reads and writes: request and result of schema. */
#ifndef OP_SCHEMA_H
#define OP_SCHEMA_H

#include "doc/field.h"

extern const struct op op_schema;

struct schema_request {
    struct str operation; /* empty: all */
    struct str output;    /* a folder for files; empty: none are written */
};

struct schema_row {
    struct str name, schema, summary;
    bool changes, own_process;
    int remote, team;           /* enum op_access, enum op_team (op/op.h) */
    struct str request, result; /* JSON Schema */
};

struct schema_result {
    struct rows operations; /* struct schema_row */
    struct str folder;      /* that the files are in; unknown: none were written */
};

#endif
