/* The table of all operations, from the rows of operations.def. */
#include "op/context.h"
#include "op/op.h"

#define COMMAND(name, cli_file) /* no program may call it */

#define OPERATION(name, op_file, cli_file) extern const struct op op_##name;
#include "op/operations.def"
#undef OPERATION

const struct op *const op_table[] = {
#define OPERATION(name, op_file, cli_file) &op_##name,
#include "op/operations.def"
};
const size_t op_count = ARRAY_LEN(op_table);

const struct op *op_find(struct str name)
{
    for (size_t i = 0; i < op_count; i++)
        if (str_eq(str_from(op_table[i]->name), name))
            return op_table[i];
    return NULL;
}

bool op_unknown(struct str name, struct error *err)
{
    struct suggestion s = {.wanted = name};

    for (size_t i = 0; i < op_count; i++)
        suggestion_try(&s, str_from(op_table[i]->name));
    error_set(err, ERROR_USAGE, "there is no operation '%.*s'", STR_ARG(name));
    if (!suggestion_hint(&s, err))
        error_hint(err, "'stint schema' lists them");
    return false;
}
