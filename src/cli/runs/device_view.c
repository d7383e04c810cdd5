/* The GPUs of a run, beside each other. */
#include "cli/runs/device_view.h"

#include <math.h>
#include <stdio.h>

#include "unit/shown.h"

#define DEVICE_VIEW_LEFT 16 /* as view_label() */

/* "0 % busy, 0.5 GB, 75 W" */
static void print_device_use(const struct view *view, const struct device_use *use)
{
    if (isnan(use->busy))
        buf_adds(view->out, "used by others");
    else
        buf_addf(view->out, "%s busy", percent_text(use->busy).text);
    if (use->memory.n != UINT64_MAX) {
        buf_adds(view->out, ", ");
        bytes_write(use->memory, view->out);
    }
    if (!isnan(use->watts))
        buf_addf(view->out, ", %.0f W", use->watts);
}

/* Of a run of several attempts. */
static void end_device_line(const struct view *view, const struct device_use *use,
                            bool attempts)
{
    if (attempts)
        buf_addf(view->out, " (attempt %d)", use->device.attempt);
    buf_char(view->out, '\n');
}

static void print_device_label(const struct view *view, const char *what, long long number,
                               size_t count)
{
    char label[48];

    if (count > 0)
        (void)snprintf(label, sizeof label, "%s %lld of %zu", what, number, count);
    else
        (void)snprintf(label, sizeof label, "%s %lld", what, number);
    view_label(view, label);
}

/* "GPU 5 of 8      0 % busy, 0.5 GB, 75 W, idle since 2026-11-18 00:12" */
static void print_device(const struct view *view, const struct device_use *use, size_t count,
                         bool attempts)
{
    print_device_label(view, "GPU", (long long)use->device.number, count);
    print_device_use(view, use);
    if (!use->device.used && !isnan(use->busy)) {
        buf_adds(view->out, ", not used by the run");
    } else if (use->idle_since.s >= 0) {
        buf_adds(view->out, ", idle since ");
        value_time(use->idle_since, true, view->out);
    }
    end_device_line(view, use, attempts);
}

/* The devices of an attempt: the others are told together while they are more than those that
 * stand out. */
static void print_attempt_devices(const struct view *view, const struct device_use *uses,
                                  size_t count, bool attempts)
{
    size_t odd = device_uses_odd(uses, count);
    bool together = count - odd > 1 && count - odd >= odd;
    struct device_use usual;

    for (size_t i = 0; i < count && odd > 0; i++)
        if (!together || device_use_is_odd(uses, count, i))
            print_device(view, &uses[i], count, attempts);
    if (odd == 0 || !together)
        return;
    device_uses_usual(uses, count, &usual);
    print_device_label(view, "other", (long long)(count - odd), 0);
    print_device_use(view, &usual);
    buf_adds(view->out, " on average");
    end_device_line(view, &usual, attempts);
}

static void print_idle_devices(const struct view *view, const struct idle_devices *idle)
{
    struct buf text = buf_new(view->arena->alloc, 256);

    idle_devices_write_cost(idle, &text);
    buf_addf(&text, ", if the price is that of all %d", idle->devices);
    view_label(view, "idle GPUs");
    view_wrap(buf_text(&text), DEVICE_VIEW_LEFT, DEVICE_VIEW_LEFT, view->out);
    buf_char(view->out, '\n');
    buf_free_part(&text, view->out);
}

void view_devices(const struct view *view, const struct rows *rows,
                  const struct idle_devices *idle)
{
    const struct device_use *uses = rows->at;
    bool attempts = rows->len > 0 && device_uses_of_attempt(uses, rows->len) < rows->len;

    for (size_t i = 0, n; i < rows->len; i += n) {
        n = device_uses_of_attempt(&uses[i], rows->len - i);
        print_attempt_devices(view, &uses[i], n, attempts);
    }
    if (idle->idle > 0)
        print_idle_devices(view, idle);
}
