/* Any bytes as rules of a user: read, and applied to a work of which little is known. */
#include <stdint.h>

#include "advise/rules/custom.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    struct str text = {(const char *)data, size};
    struct advise_work work;
    struct advise_facts facts = {.per = STR("month"), .works = {&work, 1}};
    struct findings found = {.arena = &arena};
    struct custom_rules rules;
    struct strs notes;
    struct error err = {0};

    if (fields_reset(&advise_work_fields, &work, &arena, &err)) {
        work.subject = STR("work");
        work.scale = 1;
        work.money = (struct advise_money){.part = {[PART_TRAIN] = 100}};
        work.cost = usd_from(100);
        work.part[PART_IDLE] = (usd){0};
        if (custom_rules_read(text, "rules.yaml", &arena, &rules, &err))
            (void)!custom_rules_apply(&rules, &facts, &found, &notes, &err);
    }
    arena_free(&arena);
    return 0;
}
