/* Any bytes as a trace: an error with a text, or traces that meet the contract of trace.h, that
 * are the same when written and read again, and on which lifetimes can be fitted. Windows
 * too. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "spot/lifetimes.h"

#define MOST_BYTES ((size_t)64 << 10)
#define MOST_TICKS ((size_t)1 << 18) /* of what is looked at further */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool fact)
{
    if (!fact)
        abort();
}

static bool same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static void require_sound(const struct trace *t)
{
    require(t->id.len > 0 && t->gap >= 1 && t->gap <= TRACE_GAP_MAX);
    require(t->nodes >= 1 && t->nodes <= TRACE_NODES_MAX);
    require(t->ticks >= 1 && t->ticks <= TRACE_TICKS_MAX && t->start.s >= -1);
    require(isnan(t->on_demand) || (isfinite(t->on_demand) && t->on_demand > 0));
    require(isnan(t->spot) || (isfinite(t->spot) && t->spot > 0 && t->price == NULL));
    for (size_t i = 0; i < t->ticks; i++) {
        require(t->nodes_at[i] <= t->nodes);
        require(t->price == NULL || isnan(t->price[i]) ||
                (isfinite(t->price[i]) && t->price[i] > 0));
    }
}

static void require_same(const struct trace *a, const struct trace *b)
{
    require(str_eq(a->id, b->id) && a->gap == b->gap && a->nodes == b->nodes);
    require(a->ticks == b->ticks && a->start.s == b->start.s);
    require(same(a->on_demand, b->on_demand) && same(a->spot, b->spot));
    require(memcmp(a->nodes_at, b->nodes_at, a->ticks) == 0);
    require((a->price == NULL) == (b->price == NULL) && a->from_prices == b->from_prices);
    for (size_t i = 0; a->price != NULL && i < a->ticks; i++)
        require(same(a->price[i], b->price[i]));
}

static void require_again(const struct traces *t, struct arena *arena)
{
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct error err = {0};
    struct traces again;

    for (size_t i = 0; i < t->len; i++)
        trace_write(&t->at[i], &out);
    require(buf_ok(&out, &err));
    require(traces_read(buf_text(&out), (struct trace_options){.name = "again"}, arena, &again,
                        &err));
    require(again.len == t->len);
    for (size_t i = 0; i < t->len; i++)
        require_same(&t->at[i], &again.at[i]);
    buf_free(&out);
}

static void require_fit(const struct trace *t)
{
    struct lifetimes fit;

    lifetimes_fit(t, t->nodes, &fit);
    require(fit.up >= 0 && fit.up <= 1);
    for (size_t i = 0; i < AGE_BINS; i++) {
        require(isfinite(fit.lose[i]) && fit.lose[i] > 0);
        require(isfinite(fit.gain[i]) && fit.gain[i] > 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    struct trace_options options = {.name = "fuzz"};
    struct str text = {(const char *)data, size};
    struct error err = {0};
    struct windows windows;
    struct traces traces;
    size_t ticks = 0;

    if (size > MOST_BYTES)
        return 0;
    options.polarity =
        size > 0 && (data[size - 1] & 1) != 0 ? POLARITY_AVAILABLE : POLARITY_ASK;
    if (traces_read(text, options, &arena, &traces, &err)) {
        require(traces.len > 0);
        for (size_t i = 0; i < traces.len; i++) {
            require_sound(&traces.at[i]);
            ticks += traces.at[i].ticks;
        }
        if (ticks <= MOST_TICKS) {
            require_again(&traces, &arena);
            require_fit(&traces.at[0]);
        }
    } else {
        require(err.kind == ERROR_INPUT && strncmp(err.text, "fuzz", 4) == 0);
    }
    if (!windows_read(text, "fuzz", &arena, &windows, &err))
        require(err.kind == ERROR_INPUT && err.text[0] != '\0');
    arena_free(&arena);
    return 0;
}
