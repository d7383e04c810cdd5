/* A user's file for the table that the first byte chooses: it is read, and then every row of
 * the table obeys its columns; or it is refused with a text that names it. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "catalog/catalog.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool fact)
{
    if (!fact)
        abort();
}

static void check_field(const struct field *field, const unsigned char *record)
{
    const void *at = record + field->offset;
    int64_t least = field->positive ? 1 : 0;

    require(field_known(field, record) || !field->required);
    if (!field_known(field, record))
        return;
    switch (field->type) {
    case FIELD_COUNT:
    case FIELD_USD:
    case FIELD_RATE:
    case FIELD_PER_GB:
    case FIELD_PER_KWH:
        require(*(const int64_t *)at >= least);
        break;
    case FIELD_NUMBER:
    case FIELD_SHARE: {
        double number = *(const double *)at;

        require(isfinite(number) && number >= 0 && (number > 0 || !field->positive));
        require(number <= 1 || field->type == FIELD_NUMBER);
        break;
    }
    case FIELD_DAY:
        require(((const day *)at)->n >= 0);
        break;
    case FIELD_TEXT:
        require(((const struct str *)at)->len > 0);
        break;
    case FIELD_CHOICE: {
        const char *const *choice = field->choices;

        while (*choice != NULL && !str_eq(*(const struct str *)at, str_from(*choice)))
            choice++;
        require(*choice != NULL);
        break;
    }
    case FIELD_FLAG:
    case FIELD_TEXTS:
    case FIELD_ENUM:
    case FIELD_DECIMAL:
    case FIELD_MONEY:
    case FIELD_CURRENCY:
    case FIELD_TIME:
    case FIELD_CHARS:
    case FIELD_BYTES:
    case FIELD_SPAN:
    case FIELD_LIST:
    case FIELD_TABLE:
    case FIELD_NUMBERS:
    case FIELD_RECORD:
    case FIELD_JSON:
        abort(); /* no table has one */
    }
}

static void check_table(const struct catalog *catalog, enum catalog_table table)
{
    const struct field_set *columns = catalog_tables[table].columns;
    const unsigned char *row = catalog->tables[table].at;

    require(catalog->tables[table].len > 0);
    for (size_t i = 0; i < catalog->tables[table].len; i++, row += columns->size) {
        const struct fact *fact = (const void *)row;

        require(fact->line > 1 && fact->layer <= 1);
        require(fact->current || catalog_tables[table].history);
        for (size_t f = 0; f < columns->len; f++)
            check_field(&columns->at[f], row);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum catalog_table table = size > 0 ? (enum catalog_table)(data[0] % TABLE_COUNT) : 0;
    struct catalog_layer layer = {.table = table, .name = "fuzz.csv"};
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    struct catalog catalog = {0};
    struct error err = {0};

    if (size > 1)
        layer.text = (struct str){(const char *)data + 1, size - 1};
    if (catalog_load(&catalog, TABLE_BIT(table), &layer, 1, &arena, &err)) {
        check_table(&catalog, table);
    } else {
        require(err.kind == ERROR_INPUT);
        require(strncmp(err.text, "fuzz.csv:", 9) == 0 && err.text[9] != '\0');
    }
    arena_free(&arena);
    return 0;
}
