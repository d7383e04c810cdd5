/* Any bytes are a saved plan, or are refused with a text. What was read is written, and reads
 * back as the same. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "doc/json_write.h"
#include "plan/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool fact)
{
    if (!fact)
        abort();
}

static struct buf written(const struct plan_result *plan)
{
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);

    json_write_record(&plan_result_fields, plan, PLAN_SCHEMA, &out);
    require(out.failed == ERROR_NONE);
    return out;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {.alloc = &alloc_system};
    struct str text = {(const char *)data, size};
    struct plan_result plan, again;
    struct error err = {0};
    struct buf first, second;

    if (!plan_file_parse(text, "fuzz.json", &arena, &plan, &err)) {
        require(err.kind == ERROR_INPUT);
        require(strncmp(err.text, "fuzz.json:", 10) == 0 && err.text[10] != '\0');
        arena_free(&arena);
        return 0;
    }
    first = written(&plan);
    require(plan_file_parse(buf_text(&first), "fuzz.json", &arena, &again, &err));
    second = written(&again);
    require(str_eq(buf_text(&first), buf_text(&second)));
    buf_free(&first);
    buf_free(&second);
    arena_free(&arena);
    return 0;
}
