/* The style sheet and the script of the page, which are part of the program. */
#include <stdio.h>

#include "base/hash.h"
#include "serve/page.h"

extern const char stint_data_style[], stint_data_style_end[];
extern const char stint_data_script[], stint_data_script_end[];

static struct str text_between(const char *start, const char *end)
{
    return (struct str){start, (size_t)(end - start)};
}

static struct str style_text(void)
{
    return text_between(stint_data_style, stint_data_style_end);
}

static struct str script_text(void)
{
    return text_between(stint_data_script, stint_data_script_end);
}

static char version[17];

static void compute_version(void)
{
    struct buf figures = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    uint64_t hash;

    figure_css(&figures);
    hash = text_hash(text_hash(text_hash(1, buf_text(&figures)), style_text()), script_text());
    (void)snprintf(version, sizeof version, "%016llx", (unsigned long long)hash);
    buf_free(&figures);
}

const char *asset_version(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    (void)pthread_once(&once, compute_version);
    return version;
}

/* Under the address with its version it never changes. */
static void keep_long(struct visit *v)
{
    bool current = str_eq(params_get(&v->params, "v"), str_from(asset_version()));

    v->keep = current ? "public, max-age=31536000, immutable" : "no-cache";
}

bool asset_style(struct visit *v, struct error *err)
{
    (void)err;
    v->type = "text/css; charset=utf-8";
    keep_long(v);
    figure_css(&v->out);
    buf_add(&v->out, style_text());
    return true;
}

bool asset_script(struct visit *v, struct error *err)
{
    (void)err;
    v->type = "text/javascript; charset=utf-8";
    keep_long(v);
    buf_add(&v->out, script_text());
    return true;
}
