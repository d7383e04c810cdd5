#include "feed/aws.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "unit/time.h"

bool aws_opens(struct str head, const char *with)
{
    size_t i = 0;

    while (i < head.len && head.at[i] != '\0' && strchr(" \t\r\n", head.at[i]) != NULL)
        i++;
    return i < head.len && head.at[i] != '\0' && strchr(with, head.at[i]) != NULL;
}

bool aws_bad(struct aws_reader *r, struct error *problem, struct error *err)
{
    uint64_t line = r->json != NULL ? json_line(r->json) : r->line;

    if (feed_bad(r->input, r->sink, line, problem, err))
        return true;
    r->placed = true;
    return false;
}

bool aws_failed(const struct aws_reader *r, struct error *err)
{
    if (!r->placed && err->kind == ERROR_INPUT)
        error_place(err, r->input->name);
    return false;
}

bool aws_name_set(struct aws_name *name, struct str text)
{
    if (text.len > sizeof name->at)
        return false;
    if (text.len > 0)
        memcpy(name->at, text.at, text.len);
    name->len = (unsigned char)text.len;
    return true;
}

struct str aws_name(const struct aws_name *name)
{
    return (struct str){name->at, name->len};
}

bool aws_published(struct json *lines, struct str text, stamp *out, struct error *err)
{
    if (stamp_parse_offset(text, out))
        return true;
    error_set(err, ERROR_INPUT, "line %" PRIu64 ": publicationDate: '%.*s' is not a moment",
              json_line(lines), STR_ARG(text));
    error_hint(err, "AWS writes 2026-03-01T00:00:00Z");
    return false;
}

static const enum market markets[AWS_TERMS] = {
    [AWS_ON_DEMAND] = MARKET_ON_DEMAND,
    [AWS_RESERVED_1Y] = MARKET_RESERVED_1Y,
    [AWS_RESERVED_3Y] = MARKET_RESERVED_3Y,
};

static struct quote machine_quote(const struct aws_machine *machine, stamp at)
{
    struct quote q = quote_blank();

    q.provider = STR("aws");
    q.region = aws_name(&machine->region);
    q.instance = aws_name(&machine->instance);
    q.accelerator = machine->accelerator;
    q.count = machine->count;
    q.gpu_memory_gib = machine->gpu_memory_gib;
    q.vcpus = machine->vcpus;
    q.memory_gib = machine->memory_gib;
    for (int term = 0; term < AWS_TERMS; term++)
        q.price[markets[term]] = machine->prices.of[term].nano;
    memcpy(q.currency, machine->prices.currency, sizeof q.currency);
    q.at = at;
    return q;
}

bool aws_give_quote(struct aws_reader *r, const struct quote *quote, struct error *err)
{
    if (feed_give(r->input, r->sink, 0, quote, err))
        return true;
    r->placed = true; /* the sink places its own errors */
    return false;
}

bool aws_give(struct aws_reader *r, const struct aws_machine *machine, stamp at,
              struct error *err)
{
    struct quote q = machine_quote(machine, at);
    struct str instance = q.instance, family = str_cut(&instance, '.');
    char unknown[AWS_NAME_ROOM + 8];

    if (machine->prices.currency[0] == '\0') {
        r->summary->ignored++;
        return true;
    }
    if (q.accelerator.len == 0) { /* unknown, but not lost: "aws g9e" */
        q.accelerator.at = unknown;
        q.accelerator.len =
            (size_t)snprintf(unknown, sizeof unknown, "aws %.*s", STR_ARG(family));
    }
    return aws_give_quote(r, &q, err);
}

bool aws_machines_add(struct aws_machines *machines, const struct aws_machine *machine,
                      struct error *err)
{
    if (machines->len == AWS_MAX_MACHINES)
        return error_fail(err, ERROR_INPUT,
                          "there are more than %zu machines with accelerators in it",
                          AWS_MAX_MACHINES);
    if (machines->len == machines->capacity) {
        size_t capacity = machines->capacity > 0 ? machines->capacity * 2 : 64;
        struct aws_machine *grown =
            machines->alloc->get(machines->alloc->ctx, capacity * sizeof *grown);

        if (grown == NULL)
            return error_memory(err);
        if (machines->len > 0)
            memcpy(grown, machines->at, machines->len * sizeof *grown);
        if (machines->at != NULL)
            machines->alloc->put(machines->alloc->ctx, machines->at);
        machines->at = grown;
        machines->capacity = capacity;
    }
    machines->at[machines->len++] = *machine;
    return true;
}

static int by_sku(const void *a, const void *b)
{
    const struct aws_machine *x = a, *y = b;

    return str_cmp(aws_name(&x->sku), aws_name(&y->sku));
}

void aws_machines_sort(struct aws_machines *machines)
{
    size_t kept = 0;

    if (machines->len == 0)
        return;
    qsort(machines->at, machines->len, sizeof machines->at[0], by_sku);
    for (size_t i = 1; i < machines->len; i++)
        if (by_sku(&machines->at[kept], &machines->at[i]) != 0)
            machines->at[++kept] = machines->at[i];
    machines->len = kept + 1;
}

struct aws_machine *aws_machines_find(const struct aws_machines *machines, struct str sku)
{
    size_t low = 0, high = machines->len;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = str_cmp(sku, aws_name(&machines->at[middle].sku));

        if (order == 0)
            return &machines->at[middle];
        if (order > 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

void aws_machines_free(struct aws_machines *machines)
{
    if (machines->at != NULL)
        machines->alloc->put(machines->alloc->ctx, machines->at);
    machines->at = NULL;
}
