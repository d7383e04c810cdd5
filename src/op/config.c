/* config.init, config.show - the configuration file and the settings in force. */
#include "op/config.h"
#include "op/context.h"
#include "op/op.h"

#include <stdio.h>
#include <string.h>

#include "base/fs.h"

bool config_check(struct op_context *ctx, const struct config_init_request *req,
                  struct error *err)
{
    return op_catalog(ctx, INIT_TABLES, err) && init_check(req, &ctx->catalog, err) &&
           (req->machine.len == 0 || (op_catalog(ctx, TABLE_BIT(TABLE_LOCAL), err) &&
                                      init_check_machine(req->machine, &ctx->catalog, err)));
}

const char *config_target(struct op_context *ctx, bool force, struct error *err)
{
    const char *path = ctx->settings_origin->config_path.at;

    if (path == NULL) /* there is no home: fails with that error */
        path = settings_path("config.yaml", ctx->arena, err);
    if (path != NULL && fs_exists(path) && !force) {
        error_set(err, ERROR_FAILED, "'%s' exists already", path);
        error_hint(err, "edit it, or write a new one with 'stint init --force'");
        return NULL;
    }
    return path;
}

/* ---- the file ---- */

struct str config_guess_country(struct op_context *ctx, struct str *zone)
{
    struct error ignored = {0};

    *zone = (struct str){0};
    return op_catalog(ctx, TABLE_BIT(TABLE_ELECTRICITY) | TABLE_BIT(TABLE_REGIONS), &ignored)
               ? init_guess_country(&ctx->catalog, "/usr/share/zoneinfo", ctx->arena, zone)
               : STR("US");
}

/* What is not given is guessed: the place always, the machine where one asked for guesses. */
static void fill_in_config(struct op_context *ctx, struct config_init_request *req,
                           struct str *zone)
{
    struct error ignored = {0};

    if (req->country.len == 0)
        req->country = config_guess_country(ctx, zone);
    if (req->yes && req->machine.len == 0 && op_catalog(ctx, TABLE_BIT(TABLE_LOCAL), &ignored))
        req->machine = init_guess_machine(&ctx->catalog, "/proc", ctx->arena);
}

static bool run_init(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    struct config_init_request req = *(const struct config_init_request *)in;
    struct config_init_result *res = out;
    struct buf text = buf_new(ctx->arena->alloc, 1 << 16);
    const char *path = config_target(ctx, req.force, err);
    struct settings read_back;
    struct str zone = {0};
    bool ok;

    if (path == NULL)
        return false;
    fill_in_config(ctx, &req, &zone);
    if (!config_check(ctx, &req, err))
        return false;
    init_write(&req, zone, &text);
    res->path = str_from(path);
    res->text.at = buf_ok(&text, err) ? str_dup(buf_text(&text), ctx->arena, err) : NULL;
    res->text.len = text.len;
    buf_free(&text);
    if (fs_exists(path))
        res->backup = str_from(fs_backup_name(path, ctx->arena, err));
    /* Never write what could not be read again. */
    ok = res->text.at != NULL && settings_read(res->text, path, ctx->arena, &read_back, err);
    return ok && init_steps(&req, &ctx->catalog, path, ctx->arena, &res->next, err) &&
           fs_keep_old(path, ctx->arena, err) && fs_replace(path, res->text, err);
}

static bool run_show(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    struct config_show_result *res = out;

    (void)in;
    res->path = ctx->settings_origin->config_path;
    res->found = ctx->settings_origin->config_found;
    return settings_rows(ctx->settings, ctx->settings_origin, ctx->arena, &res->settings, err);
}

static const struct field init_request[] = {
    FIELD(TEXTS, config_init_request, providers, .value = "LIST",
          .help = "clouds you have accounts with: aws,lambda"),
    FIELD(TEXT, config_init_request, currency, .value = "CODE",
          .help = "currency of your budgets (default: that of --budget, else USD)"),
    FIELD(MONEY, config_init_request, budget, .value = "AMOUNT",
          .help = "your monthly budget: 100usd"),
    FIELD(TEXT, config_init_request, machine, .value = "NAME",
          .help = "machine type: desktop-rtx4090"),
    FIELD(TEXT, config_init_request, country, .value = "CODE",
          .help = "country: US, DE, ... (default: by the time zone, else US)"),
    FIELD(PER_KWH, config_init_request, electricity, .value = "PRICE",
          .help = "electricity price: 0.17usd/kWh"),
    FIELD(FLAG, config_init_request, own_machine,
          .help = "own machine, not rented: a run costs its electricity"),
    FIELD(FLAG, config_init_request, force, .help = "replace an existing configuration"),
    FIELD(FLAG, config_init_request, yes,
          .help = "use the defaults without asking, and detect the machine by its GPU"),
};

static const struct field init_result[] = {
    FIELD(TEXT, config_init_result, path, .help = "path of the file"),
    FIELD(TEXT, config_init_result, text, .help = "content that was written"),
    FIELD(TEXT, config_init_result, backup, .help = "backup of the replaced file; null: none"),
    FIELD(LIST, config_init_result, next, .row = &config_step_fields,
          .help = "commands to type next"),
};

static const struct field show_request[] = {
    FIELD(FLAG, config_show_request, show,
          .help = "show every setting, its value and its source"),
};

static const struct field show_result[] = {
    FIELD(TEXT, config_show_result, path, .help = "path of the configuration file"),
    FIELD(FLAG, config_show_result, found, .help = "file exists"),
    FIELD(LIST, config_show_result, settings, .row = &setting_row_fields,
          .help = "all settings"),
};

const struct op op_config_init = {
    .name = "config.init",
    .schema = "stint.config.init/1",
    .changes = true,
    .summary = "write the configuration: clouds, currency, budget",
    .writes_config = true,
    .request = &(const struct field_set)FIELD_SET(struct config_init_request, init_request),
    .result = &(const struct field_set)FIELD_SET(struct config_init_result, init_result),
    .run = run_init,
};

const struct op op_config_show = {
    .name = "config.show",
    .schema = "stint.config.show/1",
    .summary = "show every setting, its value and its source",
    .request = &(const struct field_set)FIELD_SET(struct config_show_request, show_request),
    .result = &(const struct field_set)FIELD_SET(struct config_show_result, show_result),
    .run = run_show,
};
