#include "settings/init.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "settings/settings.h"
#include "unit/zone.h"

#define PROC_FILE_MAX ((size_t)64 * 1024)
#define ZONE_TABLE_MAX ((size_t)1 << 20)

/* ---- checks ---- */

bool init_check_machine(struct str machine, const struct catalog *catalog, struct error *err)
{
    struct suggestion s = {.wanted = machine};

    if (machine.len == 0)
        return true;
    for (size_t i = 0; i < catalog->tables[TABLE_LOCAL].len; i++) {
        const struct local_machine *m = CATALOG_ROW(catalog, TABLE_LOCAL, local_machine, i);

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

bool init_check(const struct config_init_request *req, const struct catalog *catalog,
                struct error *err)
{
    struct strs country = {&req->country, req->country.len > 0};

    return catalog_check_patterns(catalog, INIT_TABLES, "provider", req->providers, err) &&
           catalog_check_patterns(catalog, INIT_TABLES, "country", country, err) &&
           settings_currency(config_currency(req), err);
}

/* ---- the text ---- */

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

void init_write(const struct config_init_request *req, struct str zone, struct buf *out)
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

/* ---- what to type next ---- */

#define STEPS_MAX 4

static const struct field step_fields[] = {
    FIELD(TEXT, config_step, command, .help = "command to type"),
    FIELD(TEXT, config_step, purpose, .help = "purpose"),
};

const struct field_set config_step_fields = FIELD_SET(struct config_step, step_fields);

struct steps {
    struct arena *arena;
    const char *path; /* of the configuration, where commands do not find it by themselves */
    struct config_step at[STEPS_MAX];
    size_t len;
};

static bool add_config_step(struct steps *steps, const char *words, struct str operand,
                            const char *more, const char *why, struct error *err)
{
    struct buf text = buf_new(steps->arena->alloc, 1 << 16);
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
    step->command.at = buf_ok(&text, err) ? str_dup(buf_text(&text), steps->arena, err) : NULL;
    step->command.len = text.len;
    step->purpose = str_from(why);
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
    struct buf amount = buf_new(steps->arena->alloc, 256);
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

bool init_steps(const struct config_init_request *req, const struct catalog *catalog,
                const char *path, struct arena *arena, struct rows *out, struct error *err)
{
    static const char plan[] = "plan llama-2-7b --method lora --tokens 25M";
    struct error ignored = {0};
    const char *usual = settings_path("config.yaml", arena, &ignored);
    bool own = req->providers.len == 0 || has_offers(catalog, req->providers);
    struct steps steps = {.arena = arena,
                          .path = usual != NULL && strcmp(usual, path) == 0 ? NULL : path};
    struct config_step *rows = arena_array(arena, struct config_step, STEPS_MAX, err);

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
    *out = (struct rows){rows, steps.len};
    return true;
}

/* ---- guesses ---- */

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

struct str init_guess_machine(const struct catalog *catalog, const char *proc,
                              struct arena *arena)
{
    const struct accelerator *gpu;
    struct error ignored = {0};
    enum name_match match;
    struct str model;

    if (!read_model(proc, arena, &model, &ignored))
        return (struct str){0};
    gpu = accelerator_find(catalog, model, &match, &ignored);
    for (size_t i = 0; gpu != NULL && i < catalog->tables[TABLE_LOCAL].len; i++) {
        const struct local_machine *m = CATALOG_ROW(catalog, TABLE_LOCAL, local_machine, i);

        if (str_eq(m->accelerator, gpu->name) && m->count == 1)
            return m->machine;
    }
    return (struct str){0};
}

/* The name of this machine's time zone: "Europe/Berlin". */
static struct str zone_here(struct arena *arena)
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
    name.at = zone_name_ok(name) ? str_dup(name, arena, &ignored) : NULL;
    return name.at != NULL ? name : (struct str){0};
}

struct str init_guess_country(const struct catalog *catalog, const char *folder,
                              struct arena *arena, struct str *zone)
{
    uint64_t tables = TABLE_BIT(TABLE_ELECTRICITY) | TABLE_BIT(TABLE_REGIONS);
    struct str here = zone_here(arena), table;
    struct error ignored = {0};
    const char *path = fs_join(folder, "zone.tab", arena, &ignored);

    *zone = (struct str){0};
    if (here.len == 0 || path == NULL ||
        !fs_read(path, ZONE_TABLE_MAX, arena, &table, &ignored))
        return STR("US");
    while (table.len > 0) { /* "DE\t+5230+01322\tEurope/Berlin\tmost of Germany" */
        struct str line = str_cut(&table, '\n'), country = str_cut(&line, '\t');
        struct strs one = {&country, 1};

        (void)str_cut(&line, '\t');
        if (!str_eq(str_cut(&line, '\t'), here) ||
            !catalog_check_patterns(catalog, tables, "country", one, &ignored))
            continue;
        *zone = here;
        return country;
    }
    return STR("US");
}
