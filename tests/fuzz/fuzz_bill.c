/* Any bytes are a bill of some format, read line by line to the same lines however the stream
 * is cut, with texts that meet the contract of bill.h; or they are refused with a text. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bill/bill.h"

#define MOST_BYTES ((size_t)64 << 10)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool fact)
{
    if (!fact)
        abort();
}

struct pieces {
    struct str text;
    unsigned state;
    bool at_once;
};

static ptrdiff_t read_piece(void *ctx, char *to, size_t room, struct error *err)
{
    struct pieces *p = ctx;
    size_t len = p->at_once ? room : 1 + p->state % 7;

    (void)err;
    p->state = p->state * 5 + 3;
    len = len < p->text.len ? len : p->text.len;
    len = len < room ? len : room;
    if (len > 0)
        memcpy(to, p->text.at, len);
    p->text.at += len;
    p->text.len -= len;
    return (ptrdiff_t)len;
}

/* Cells are read from end to end, so that a sanitizer sees those that are not there. */
static void write_line(const struct bill_line *line, struct buf *out)
{
    struct decimal again;

    for (int c = 0; c < FOCUS_COUNT; c++) {
        require(line->of[c].at != NULL || line->of[c].len == 0);
        buf_add(out, line->of[c]);
        buf_char(out, line->of[c].at != NULL ? ',' : '-');
    }
    require(line->of[FOCUS_BillingCurrency].len > 0);
    require(line->of[FOCUS_BilledCost].at != NULL);
    if (decimal_parse(line->of[FOCUS_BilledCost], &again))
        require(decimal_cmp(again, line->billed) == 0);
    decimal_write(line->billed, out);
    decimal_write(line->effective, out);
    decimal_write(line->list, out);
    decimal_write(line->contracted, out);
    buf_addf(out, " %lld %lld %lld %lld %llu\n", (long long)line->start.s,
             (long long)line->end.s, (long long)line->period_start.s,
             (long long)line->period_end.s, (unsigned long long)line->line);
}

static void read_bill(struct str text, bool at_once, struct buf *out, struct error *err)
{
    struct pieces pieces = {text, 1, at_once};
    struct bill_options options = {
        .alloc = &alloc_system, .name = "fuzz.csv", .format = BILL_FORMATS};
    struct bill *bill = bill_open((struct source){read_piece, &pieces}, &options, err);
    struct bill_line line;
    const char *column;
    bool failed;

    if (bill == NULL) {
        require(err->kind == ERROR_INPUT && err->text[0] != '\0');
        return;
    }
    while (bill_next(bill, &line, err))
        write_line(&line, out);
    require(!bill_next(bill, &line, err));
    failed = bill_failed(bill);
    require(failed == (err->kind != ERROR_NONE));
    require(!failed || err->kind == ERROR_INPUT);
    decimal_write(bill_file_total(bill, &column), out);
    buf_add(out, bill_about(bill)->unused);
    buf_adds(out, bill_about(bill)->version);
    require(column != NULL);
    bill_close(bill);
}

static void read_manifest(struct str text)
{
    struct arena arena = {.alloc = &alloc_system};
    struct bill_manifest manifest;
    struct error err = {0};
    struct str place;

    if (bill_manifest(text, "fuzz", &arena, &manifest, &err)) {
        require(manifest.file_count > 0);
        for (size_t n = 0; bill_manifest_place(manifest.files[0], n, &place); n++)
            require(place.len > 0 && !str_eq(place, STR("..")));
    }
    arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str text = {(const char *)data, size};
    struct buf at_once = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct buf cut = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct error at_once_err = {0}, cut_err = {0};

    if (size > MOST_BYTES)
        return 0;
    read_bill(text, true, &at_once, &at_once_err);
    read_bill(text, false, &cut, &cut_err);
    require(str_eq(buf_text(&at_once), buf_text(&cut)));
    require(strcmp(at_once_err.text, cut_err.text) == 0);
    read_manifest(text);
    buf_free(&at_once);
    buf_free(&cut);
    return 0;
}
