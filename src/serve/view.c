#include "serve/view.h"

#include <math.h>
#include <stdalign.h>
#include <stddef.h>

#include "unit/energy.h"
#include "unit/shown.h"

bool view_request(struct visit *v, const struct op *op, void *request, struct error *err)
{
    return fields_reset(op->request, request, &v->arena, err);
}

bool view_read(struct visit *v, const struct op *op, const char *const *names, void *request,
               struct error *err)
{
    if (!view_request(v, op, request, err))
        return false;
    for (size_t i = 0; names[i] != NULL; i++) {
        struct str value = str_trim(params_get(&v->params, names[i]));
        const struct field *field = field_find(op->request, str_from(names[i]));

        if (value.len == 0 || field == NULL)
            continue;
        if (!field_parse(field, FIELD_SPELLED, value, request, &v->arena, err))
            return false;
    }
    return true;
}

bool view_do(struct visit *v, const struct op *op, const char *const *names, const char *path,
             struct error *err)
{
    void *request = arena_get(&v->arena, 1, op->request->size, alignof(max_align_t), err);
    void *result = arena_get(&v->arena, 1, op->result->size, alignof(max_align_t), err);

    return request != NULL && result != NULL && view_read(v, op, names, request, err) &&
           visit_run(v, op, request, result, err) && page_done(v, path, err);
}

bool view_refused(struct visit *v, struct error *err)
{
    struct error shown = visit_shown(v->server, err);

    if (err->kind != ERROR_USAGE && err->kind != ERROR_INPUT && err->kind != ERROR_ABSENT &&
        err->kind != ERROR_UNFIT)
        return false;
    *err = (struct error){0};
    v->status = 400;
    html_element(&v->out, "<p class=\"remark failure\" role=\"alert\">", str_from(shown.text),
                 "</p>\n");
    if (shown.hint[0] != '\0')
        html_element(&v->out, "<p>", str_from(shown.hint), "</p>\n");
    return true;
}

void view_problem(struct visit *v, const struct error *err)
{
    struct error shown = visit_shown(v->server, err);

    page_remark(v, STYLE_WARN, str_from(shown.text));
}

const void *view_try(struct visit *v, const struct op *op, const void *request)
{
    struct error err = {0};
    void *result = arena_get(&v->arena, 1, op->result->size, alignof(max_align_t), &err);

    if (result != NULL && visit_run(v, op, request, result, &err))
        return result;
    view_problem(v, &err);
    return NULL;
}

int64_t view_most(const struct visit *v, int64_t most)
{
    return str_eq(params_get(&v->params, "format"), STR("csv")) ? 0 : most;
}

struct strs view_one(struct visit *v, struct str text)
{
    struct error err = {0};
    struct str *one = arena_array(&v->arena, struct str, 1, &err);

    if (one == NULL) {
        v->out.failed = ERROR_MEMORY;
        return (struct strs){0};
    }
    *one = text;
    return (struct strs){one, text.len > 0};
}

struct str view_month(struct visit *v)
{
    int year, month, date;

    day_split(op_today(&v->ctx), &year, &month, &date);
    return page_text(v, "%04d-%02d", year, month);
}

/* ---- values as texts ---- */

struct str page_money(struct visit *v, const struct money *m)
{
    struct buf text = page_buf(v);

    if (m->currency.code[0] != '\0')
        money_write_cents(m, &text);
    return page_keep(v, &text);
}

struct str page_usd(struct visit *v, usd amount)
{
    struct money m = money_from_usd(amount);

    return page_money(v, &m);
}

struct str page_usd_fine(struct visit *v, usd amount)
{
    struct buf text = page_buf(v);

    if (amount.nano != MONEY_UNKNOWN && usd_double(amount) < 1)
        usd_write(usd_rounded(amount), &text);
    else if (amount.nano != MONEY_UNKNOWN)
        money_write_cents(&(struct money){money_from_usd(amount).amount, currency_usd}, &text);
    return page_keep(v, &text);
}

struct str page_estimate(struct visit *v, usd amount)
{
    struct buf text = page_buf(v);

    if (amount.nano != MONEY_UNKNOWN)
        usd_write_estimate(amount, &text);
    return page_keep(v, &text);
}

struct str page_rate(struct visit *v, usd_per_hour rate)
{
    struct buf text = page_buf(v);

    if (rate.nano != MONEY_UNKNOWN)
        usd_per_hour_write(rate, &text);
    return page_keep(v, &text);
}

struct str page_span(struct visit *v, span time)
{
    struct buf text = page_buf(v);

    if (time.ns >= 0)
        span_write(time, &text);
    return page_keep(v, &text);
}

struct str page_share(struct visit *v, double share)
{
    struct buf text = page_buf(v);

    if (!isnan(share))
        value_share(share, &text);
    return page_keep(v, &text);
}

struct str page_used(struct visit *v, double share)
{
    struct buf text = page_buf(v);

    if (!isnan(share))
        value_used(share, &text);
    return page_keep(v, &text);
}

struct str page_watts(struct visit *v, double watts)
{
    struct buf text = page_buf(v);

    if (!isnan(watts))
        watt_write((watt){watts}, &text);
    return page_keep(v, &text);
}

struct str page_time(struct visit *v, stamp at)
{
    struct buf text = page_buf(v);

    if (at.s >= 0) {
        value_time(at, false, &text);
        buf_adds(&text, " UTC");
    }
    return page_keep(v, &text);
}

void view_run_link(const char *id, struct buf *out)
{
    buf_adds(out, "/runs/");
    percent_encode(str_from(id), out);
}

void view_begin(struct visit *v)
{
    page_section(v, "begin", STR("Nothing is recorded yet"), true);
    buf_adds(
        &v->out,
        "<p>Record a run: its time, energy and cost appear here while it runs.</p>\n"
        "<pre><code>stint run -- python train.py</code></pre>\n"
        "<p>Add the bill of a cloud:</p>\n"
        "<pre><code>stint import bill.csv</code></pre>\n"
        "<p>Or look at a made-up team first. Its ledger is a folder of its own that you can "
        "remove again:</p>\n"
        "<pre><code>stint demo\nstint --ledger stint-demo/ledger.db serve "
        "--open</code></pre>\n");
    page_section_end(v);
}
