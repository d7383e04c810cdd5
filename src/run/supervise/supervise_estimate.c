/* What a run is expected to take, by the job that it was given or that its program reports. */
#include <math.h>

#include "base/num.h"
#include "doc/node.h"
#include "run/supervise/supervise_internal.h"
#include "unit/time.h"

#define GPUS_MOST 1000000

/* "estimated 12 min, $0.70; 'stint why last' compares afterwards" */
static void write_expected(const struct supervise_expected *e, struct buf *out)
{
    bool timed = e->record.time.ns >= 0;

    buf_adds(out, "estimated ");
    if (timed)
        span_write(e->record.time, out);
    else
        span_write(span_hours(e->step_s / 3600), out);
    if (!timed)
        buf_adds(out, " a step");
    if (e->record.cost.nano != MONEY_UNKNOWN) {
        buf_adds(out, ", ");
        usd_write(usd_rounded(e->record.cost), out);
    }
    if (timed && span_hours(e->before_h).ns >= SECOND) {
        buf_adds(out, " with ");
        span_write(span_hours(e->before_h), out);
        buf_adds(out, " of start-up");
    }
    if (e->on_cpu)
        buf_adds(out, ", without a GPU (within a factor of 2)");
    buf_adds(out, timed && e->record.cost.nano != MONEY_UNKNOWN
                      ? "; 'stint why last' compares afterwards"
                      : "; 'stint accuracy' compares afterwards");
}

static void take_expected(struct supervisor *s, const struct supervise_expected *e)
{
    struct buf text = buf_new(s->options->alloc, 256);

    if (s->record.recorder != NULL)
        recorder_estimate(s->record.recorder, &e->record);
    s->result->expected_cost = e->record.cost;
    s->result->expected_time = e->record.time;
    write_expected(e, &text);
    sup_event(s, "estimate", s->options->quiet, "%.*s", (int)text.len,
              text.at != NULL ? text.at : "");
    buf_free(&text);
    if (!e->fits)
        sup_event(s, "estimate-memory", s->options->quiet,
                  "the job may not fit: %.1f GB by the estimate, and the GPU has %.1f GB",
                  e->memory_gb, e->usable_gb);
}

/* `given`: by the user, who is warned when there is no estimate. */
static void estimate_now(struct supervisor *s, struct supervise_job *job, bool given)
{
    struct arena arena = {.alloc = s->options->alloc, .block_size = ARENA_BLOCK_SIZE};
    struct supervise_expected expected;
    struct error why = {0};
    struct cpu_model cpu;

    s->told.estimated = true;
    if (job->gpu.len == 0 && s->seen.sampled && s->options->meters.gpus) {
        cpu_model_read(s->options->meters.root, &cpu);
        job->cpu = &cpu;
        job->cores = s->seen.sample.host.cores;
        job->memory = s->seen.sample.host.memory_total;
    }
    if (s->options->estimate(s->options->estimate_ctx, job, &arena, &expected, &why))
        take_expected(s, &expected);
    else
        sup_event(s, "no-estimate", !given || s->options->quiet, "no estimate: %s%s%s",
                  why.text, why.hint[0] != '\0' ? "; " : "", why.hint);
    job->cpu = NULL; /* that of this call */
    arena_free(&arena);
}

void sup_estimate_given(struct supervisor *s)
{
    struct supervise_job job = {.text = s->options->job};

    if (s->told.estimated || s->options->estimate == NULL || job.text.len == 0)
        return;
    for (size_t i = 0; s->seen.sampled && i < s->seen.sample.gpus; i++) {
        const struct gpu_sample *gpu = &s->seen.sample.gpu[i];

        if (job.gpus == 0)
            job.gpu = str_from(gpu->name);
        job.gpus += str_eq(job.gpu, str_from(gpu->name));
    }
    estimate_now(s, &job, true);
}

bool sup_estimate_reported(struct supervisor *s, const struct node *line, struct str text)
{
    const struct node *job = node_get(line, STR("job")), *gpu = node_get(line, STR("gpu")),
                      *gpus = node_get(line, STR("gpus"));
    struct supervise_job known = {.text = text};

    if (job == NULL || job->kind != NODE_MAP)
        return false;
    if (gpu != NULL && gpu->kind == NODE_SCALAR)
        known.gpu = gpu->text;
    if (gpus == NULL || gpus->kind != NODE_SCALAR || !num_int(gpus->text, &known.gpus) ||
        known.gpus < 1 || known.gpus > GPUS_MOST)
        known.gpus = 1;
    known.before_h = span_in_hours(span_between(s->began, s->money.account.last));
    if (!s->told.estimated && s->options->estimate != NULL && s->options->job.len == 0)
        estimate_now(s, &known, false);
    return true;
}
