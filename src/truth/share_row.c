#include "truth/share_row.h"

#include <math.h>
#include <stdio.h>

#include "base/csv.h"
#include "unit/time.h"

const char share_row_header[] =
    "id,source,model,params_b,active_params_b,gpu,gpu_count,precision,batch,concurrency,"
    "input_len,output_len,tokens_per_s,throughput_kind,ttft_ms,itl_ms,mem_gb,tensor_parallel,"
    "pipeline_parallel,framework,quality\n";

static void add_number_cell(double value, struct buf *out)
{
    if (!isnan(value))
        buf_addf(out, "%.6g", value);
    buf_char(out, ',');
}

static void add_text_cell(struct str text, struct buf *out)
{
    csv_write_field(text, out);
    buf_char(out, ',');
}

void share_row_name(struct share_row *row, stamp at, int64_t number)
{
    struct buf source = buf_within(row->source, sizeof row->source);

    (void)snprintf(row->id, sizeof row->id, "bench-%lld-%lld", (long long)at.s,
                   (long long)number);
    buf_adds(&source, "stint bench@");
    day_write(day_of(at), &source);
    buf_char(&source, '\0');
}

void share_row_write(const struct share_row *row, struct buf *out)
{
    add_text_cell(str_from(row->id), out);
    add_text_cell(str_from(row->source), out);
    add_text_cell(row->model, out);
    buf_adds(out, ",,"); /* parameters: the model has them */
    add_text_cell(row->gpu, out);
    buf_addf(out, "%lld,", (long long)row->gpus);
    add_text_cell(row->weights, out);
    buf_char(out, ','); /* a server's batch is what is in flight */
    add_number_cell(row->concurrency, out);
    add_number_cell(row->input, out);
    add_number_cell(row->output, out);
    add_number_cell(row->tokens_per_s, out);
    buf_adds(out, "output,");
    add_number_cell(row->first_ms, out);
    add_number_cell(row->token_ms, out);
    buf_adds(out, ",,,"); /* memory; how the GPUs share the model is the engine's default */
    add_text_cell(row->engine, out);
    buf_addf(out, "%c\n", row->quality);
}
