/* config.init, config.show - the configuration file and the settings in force. */
#include "op/config.h"
#include "op/context.h"
#include "op/op.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "ledger/ledger.h"
#include "unit/zone.h"

#define PROC_FILE_MAX ((size_t)64 * 1024)
#define ZONE_TABLE_MAX ((size_t)1 << 20)
#define OLD_CONFIG_MAX ((size_t)16 << 20)

static bool check_machine(struct op_context *ctx, struct str machine, struct error *err)
{
    struct suggestion s = {.wanted = machine};

    if (machine.len == 0)
        return true;
    if (!op_catalog(ctx, TABLE_BIT(TABLE_LOCAL), err))
        return false;
    for (size_t i = 0; i < ctx->catalog.tables[TABLE_LOCAL].len; i++) {
        const struct local_machine *m =
            CATALOG_ROW(&ctx->catalog, TABLE_LOCAL, local_machine, i);

        if (str_eq(m->machine, machine))
            return true;
        suggestion_try(&s, m->machine);
    }
    error_set(err, ERROR_ABSENT, "there is no machine '%.*s' in the catalog", STR_ARG(machine));
    if (s.best.len > 0)
        error_hint(err, "did you mean '%.*s'? 'stint catalog show local' lists them",
                   STR_ARG(s.best));
    else
        error_hint(err, "'stint catalog show local' lists them; add yours in local.csv");
    return false;
}

/* The currency that is given, else that of the budget. */
static struct str config_currency(const struct config_init_request *req)
{
    if (req->currency.len > 0)
        return req->currency;
    return currency_unset(req->budget.currency) ? STR("USD")
                                                : str_from(req->budget.currency.code);
}

bool config_check(struct op_context *ctx, const struct config_init_request *req,
                  struct error *err)
{
    uint64_t tables = TABLE_BIT(TABLE_PROVIDERS) | TABLE_BIT(TABLE_OFFERS) |
                      TABLE_BIT(TABLE_ELECTRICITY) | TABLE_BIT(TABLE_REGIONS);
    struct strs country = {&req->country, req->country.len > 0};

    if (!op_catalog(ctx, tables, err) ||
        !catalog_check_patterns(&ctx->catalog, tables, "provider", req->providers, err) ||
        !catalog_check_patterns(&ctx->catalog, tables, "country", country, err))
        return false;
    return settings_currency(config_currency(req), err) &&
           check_machine(ctx, req->machine, err);
}

/* Other tools read a word such as `no` (Norway) or `on` as something else: quote text. */
static void write_config_text(struct buf *out, struct str text)
{
    buf_char(out, '"');
    for (size_t i = 0; i < text.len; i++) {
        if (text.at[i] == '"' || text.at[i] == '\\')
            buf_char(out, '\\');
        buf_char(out, (unsigned char)text.at[i] < ' ' ? ' ' : text.at[i]);
    }
    buf_char(out, '"');
}

static void write_config(const struct config_init_request *req, struct str zone,
                         struct buf *out)
{
    buf_adds(out,
             "# Stint's configuration. 'stint config --show' shows what applies and why.\n");
    if (req->providers.len > 0) {
        buf_adds(out, "providers: [");
        for (size_t i = 0; i < req->providers.len; i++) {
            buf_adds(out, i > 0 ? ", " : "");
            write_config_text(out, req->providers.at[i]);
        }
        buf_adds(out, "]  # clouds you have accounts with\n");
    }
    buf_adds(out, "currency: ");
    buf_add(out, config_currency(req));
    buf_adds(out, "  # of your budgets; prices are in USD\n");
    if (!currency_unset(req->budget.currency)) {
        buf_adds(out, "budget: ");
        decimal_write(req->budget.amount, out);
        buf_addf(out, "%s  # a month\n", req->budget.currency.code);
    }
    if (req->machine.len > 0) {
        buf_adds(out, "machine: ");
        write_config_text(out, req->machine);
        buf_adds(out, "  # what this machine is\n");
    }
    buf_adds(out, "country: ");
    write_config_text(out, req->country);
    buf_adds(out, "  # where it is: electricity and carbon");
    if (zone.len > 0)
        buf_addf(out, " (by its time zone, %.*s)", STR_ARG(zone));
    buf_char(out, '\n');
    if (req->electricity.nano != MONEY_UNKNOWN) {
        buf_adds(out, "electricity: ");
        nano_write(req->electricity.nano, out);
        buf_adds(out, "usd/kWh\n");
    }
    if (req->own_machine)
        buf_adds(out, "own_machine: true  # not rented: a run costs its electricity\n");
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

/* "PATH.bak", or NULL with the error set. */
static char *backup_path(struct op_context *ctx, const char *path, struct error *err)
{
    size_t room = strlen(path) + sizeof ".bak";
    char *copy = arena_array(ctx->arena, char, room, err);

    if (copy != NULL)
        (void)snprintf(copy, room, "%s.bak", path);
    return copy;
}

bool config_keep_old(struct op_context *ctx, const char *path, struct error *err)
{
    const char *copy = backup_path(ctx, path, err);
    struct str old;

    if (copy == NULL || !fs_exists(path))
        return copy != NULL;
    return fs_read(path, OLD_CONFIG_MAX, ctx->arena, &old, err) && fs_replace(copy, old, err);
}

/* ---- what to type next ---- */

#define STEPS_MAX 4

struct steps {
    struct op_context *ctx;
    const char *path; /* of the configuration, where commands do not find it by themselves */
    struct config_step at[STEPS_MAX];
    size_t len;
};

static bool add_config_step(struct steps *steps, const char *words, struct str operand,
                            const char *more, const char *why, struct error *err)
{
    struct buf text = buf_new(steps->ctx->arena->alloc, 1 << 16);
    struct config_step *step = &steps->at[steps->len++];

    buf_adds(&text, "stint ");
    if (steps->path != NULL) {
        buf_adds(&text, "--config ");
        buf_add_shell(&text, str_from(steps->path));
        buf_char(&text, ' ');
    }
    buf_adds(&text, words);
    buf_add(&text, operand);
    buf_adds(&text, more);
    step->command.at =
        buf_ok(&text, err) ? str_dup(buf_text(&text), steps->ctx->arena, err) : NULL;
    step->command.len = text.len;
    step->why = str_from(why);
    buf_free(&text);
    return step->command.at != NULL;
}

/* Has the catalog a machine of one of these clouds? */
static bool has_offers(const struct catalog *catalog, struct strs providers)
{
    for (size_t i = 0; i < catalog->tables[TABLE_OFFERS].len; i++)
        if (strs_match(providers, CATALOG_ROW(catalog, TABLE_OFFERS, machine, i)->provider))
            return true;
    return false;
}

/* A budget in the ledger shows what is spent of it; the configured one stops runs by itself,
 * but only in the currency of their prices. */
static bool add_budget_step(struct steps *steps, const struct config_init_request *req,
                            struct error *err)
{
    bool dollars = currency_is(req->budget.currency, currency_usd);
    struct buf amount = buf_new(steps->ctx->arena->alloc, 256);
    bool ok;

    decimal_write(req->budget.amount, &amount);
    buf_adds(&amount, req->budget.currency.code);
    ok = buf_ok(&amount, err) &&
         add_config_step(
             steps, "budget set month ", buf_text(&amount), dollars ? "" : " --stop",
             dollars ? "show spending against your budget, which already stops runs"
                     : "show spending against your budget, and stop runs when it is spent",
             err);
    buf_free(&amount);
    return ok;
}

static bool next_steps(struct op_context *ctx, const struct config_init_request *req,
                       const char *path, struct config_init_result *res, struct error *err)
{
    static const char plan[] = "plan llama-2-7b --method lora --tokens 25M";
    struct error ignored = {0};
    const char *usual = settings_path("config.yaml", ctx->arena, &ignored);
    bool own = req->providers.len == 0 || has_offers(&ctx->catalog, req->providers);
    struct steps steps = {.ctx = ctx,
                          .path = usual != NULL && strcmp(usual, path) == 0 ? NULL : path};
    struct config_step *rows = arena_array(ctx->arena, struct config_step, STEPS_MAX, err);

    if (rows == NULL ||
        !add_config_step(&steps, plan, (struct str){0}, own ? "" : " --provider '*'",
                         own ? "the cheapest way to train a LoRA"
                             : "the cheapest way to train a LoRA, at any cloud",
                         err) ||
        !add_config_step(&steps, "run -- ", STR("sleep 3"), "",
                         "meter a command: put your own in place of sleep 3", err) ||
        (!currency_unset(req->budget.currency) && !add_budget_step(&steps, req, err)) ||
        !add_config_step(&steps, "demo", (struct str){0}, "",
                         "look around in a made-up team's quarter, apart from your own ledger",
                         err))
        return false;
    memcpy(rows, steps.at, steps.len * sizeof *rows);
    res->next = (struct rows){rows, steps.len};
    return true;
}

/* ---- the file ---- */

/* What is not given is guessed: the place always, the machine where one asked for guesses. */
static void fill_in_config(struct op_context *ctx, struct config_init_request *req,
                           struct str *zone)
{
    if (req->country.len == 0)
        req->country = config_guess_country(ctx, "/usr/share/zoneinfo", zone);
    if (req->yes && req->machine.len == 0)
        req->machine = config_guess_machine(ctx, "/proc");
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
    write_config(&req, zone, &text);
    res->path = str_from(path);
    res->text.at = buf_ok(&text, err) ? str_dup(buf_text(&text), ctx->arena, err) : NULL;
    res->text.len = text.len;
    buf_free(&text);
    if (fs_exists(path))
        res->backup = str_from(backup_path(ctx, path, err));
    /* Never write what could not be read again. */
    ok = res->text.at != NULL && settings_read(res->text, path, ctx->arena, &read_back, err);
    return ok && next_steps(ctx, &req, path, res, err) && config_keep_old(ctx, path, err) &&
           fs_replace(path, res->text, err);
}

/* A setting as it may be shown: an address may hold a password. */
static char *shown(struct op_context *ctx, const struct field *field, struct str value,
                   struct error *err)
{
    return strcmp(field->name, "ledger") == 0 ? ledger_shown(value, ctx->arena, err)
                                              : str_dup(value, ctx->arena, err);
}

static bool run_show(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    struct config_show_result *res = out;
    struct config_setting *rows =
        arena_array(ctx->arena, struct config_setting, settings_fields.len, err);

    (void)in;
    if (rows == NULL)
        return false;
    for (size_t i = 0; i < settings_fields.len; i++) {
        const struct field *field = &settings_fields.at[i];
        struct buf value = buf_new(ctx->arena->alloc, 4096);
        char env[SETTINGS_ENV_MAX];
        bool ok;

        settings_env_name(field, env);
        field_write(field, ctx->settings, &value);
        rows[i].name = str_from(field->name);
        rows[i].help = str_from(field->help);
        rows[i].origin = str_from(ctx->settings_origin->of[i]);
        rows[i].env = (struct str){str_dup(str_from(env), ctx->arena, err), strlen(env)};
        ok = rows[i].env.at != NULL && buf_ok(&value, err);
        if (ok && value.len > 0) {
            rows[i].value = str_from(shown(ctx, field, buf_text(&value), err));
            ok = rows[i].value.at != NULL;
        }
        buf_free(&value);
        if (!ok)
            return false;
    }
    res->path = ctx->settings_origin->config_path;
    res->found = ctx->settings_origin->config_found;
    res->settings = (struct rows){rows, settings_fields.len};
    return true;
}

/* "Model: \t\t NVIDIA GeForce RTX 4090" of the first GPU the driver lists. */
static bool read_model(const char *proc, struct arena *arena, struct str *model,
                       struct error *err)
{
    char folder[512], path[1024];
    const struct dirent *entry;
    struct str text = {0};
    DIR *dir;

    (void)snprintf(folder, sizeof folder, "%s/driver/nvidia/gpus", proc);
    dir = opendir(folder);
    if (dir == NULL)
        return false;
    while (text.len == 0 && (entry = readdir(dir)) != NULL) {
        (void)snprintf(path, sizeof path, "%s/%s/information", folder, entry->d_name);
        if (entry->d_name[0] != '.' && !fs_read(path, PROC_FILE_MAX, arena, &text, err))
            break;
    }
    (void)closedir(dir);
    while (text.len > 0) {
        struct str line = str_cut(&text, '\n'), key = str_cut(&line, ':');

        if (str_eq(key, STR("Model"))) {
            *model = str_trim(line);
            return true;
        }
    }
    return false;
}

struct str config_guess_machine(struct op_context *ctx, const char *proc)
{
    const struct accelerator *gpu;
    struct error ignored = {0};
    enum name_match match;
    struct str model;

    if (!op_catalog(ctx, TABLE_BIT(TABLE_LOCAL), &ignored) ||
        !read_model(proc, ctx->arena, &model, &ignored))
        return (struct str){0};
    gpu = accelerator_find(&ctx->catalog, model, &match, &ignored);
    for (size_t i = 0; gpu != NULL && i < ctx->catalog.tables[TABLE_LOCAL].len; i++) {
        const struct local_machine *m =
            CATALOG_ROW(&ctx->catalog, TABLE_LOCAL, local_machine, i);

        if (str_eq(m->accelerator, gpu->name) && m->count == 1)
            return m->machine;
    }
    return (struct str){0};
}

/* The name of this machine's time zone: "Europe/Berlin". */
static struct str zone_here(struct op_context *ctx)
{
    const char *set = env_get("TZ");
    char link[PATH_MAX];
    struct error ignored = {0};
    struct str name = {0};
    const char *at;
    ssize_t n;

    if (set != NULL) {
        name = str_from(set[0] == ':' ? set + 1 : set);
    } else if ((n = readlink("/etc/localtime", link, sizeof link - 1)) > 0) {
        link[n] = '\0';
        at = strstr(link, "zoneinfo/");
        if (at != NULL)
            name = str_from(at + strlen("zoneinfo/"));
    }
    name.at = zone_name_ok(name) ? str_dup(name, ctx->arena, &ignored) : NULL;
    return name.at != NULL ? name : (struct str){0};
}

struct str config_guess_country(struct op_context *ctx, const char *folder, struct str *zone)
{
    uint64_t tables = TABLE_BIT(TABLE_ELECTRICITY) | TABLE_BIT(TABLE_REGIONS);
    struct str here = zone_here(ctx), table;
    struct error ignored = {0};
    const char *path = fs_join(folder, "zone.tab", ctx->arena, &ignored);

    *zone = (struct str){0};
    if (here.len == 0 || path == NULL || !op_catalog(ctx, tables, &ignored) ||
        !fs_read(path, ZONE_TABLE_MAX, ctx->arena, &table, &ignored))
        return STR("US");
    while (table.len > 0) { /* "DE\t+5230+01322\tEurope/Berlin\tmost of Germany" */
        struct str line = str_cut(&table, '\n'), country = str_cut(&line, '\t');
        struct strs one = {&country, 1};

        (void)str_cut(&line, '\t');
        if (!str_eq(str_cut(&line, '\t'), here) ||
            !catalog_check_patterns(&ctx->catalog, tables, "country", one, &ignored))
            continue;
        *zone = here;
        return country;
    }
    return STR("US");
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

static const struct field step_fields[] = {
    FIELD(TEXT, config_step, command, .help = "command to type"),
    FIELD(TEXT, config_step, why, .help = "purpose"),
};

const struct field_set config_step_fields = FIELD_SET(struct config_step, step_fields);

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

static const struct field setting_fields[] = {
    FIELD(TEXT, config_setting, name, .help = "name in config.yaml"),
    FIELD(TEXT, config_setting, value, .help = "value; null: none"),
    FIELD(TEXT, config_setting, origin, .help = "source of the value"),
    FIELD(TEXT, config_setting, env, .help = "environment variable that overrides it"),
    FIELD(TEXT, config_setting, help, .help = "meaning of the setting"),
};

static const struct field_set setting_set = FIELD_SET(struct config_setting, setting_fields);

static const struct field show_result[] = {
    FIELD(TEXT, config_show_result, path, .help = "path of the configuration file"),
    FIELD(FLAG, config_show_result, found, .help = "file exists"),
    FIELD(LIST, config_show_result, settings, .row = &setting_set, .help = "all settings"),
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
