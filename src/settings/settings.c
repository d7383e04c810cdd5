#include "settings/settings.h"

#include <string.h>
#include <sys/stat.h>

#include "base/characters.h"
#include "base/fs.h"
#include "doc/node.h"
#include "ledger/ledger.h"

#define CONFIG_MAX ((size_t)1 << 20)

static const struct field fields[] = {
    FIELD(TEXTS, settings, providers, .value = "LIST",
          .help = "clouds you have accounts with: others are not shown"),
    FIELD(TEXT, settings, currency, .value = "CODE",
          .help = "currency of your budgets, such as USD or EUR", .fallback = "USD"),
    FIELD(MONEY, settings, budget, .value = "AMOUNT", .help = "monthly budget"),
    FIELD(TEXT, settings, machine, .value = "NAME",
          .help = "machine type, as in 'stint catalog show local'"),
    FIELD(TEXT, settings, country, .value = "CODE",
          .help = "country, for electricity and carbon", .fallback = "US"),
    FIELD(PER_KWH, settings, electricity, .value = "PRICE",
          .help = "electricity price per kWh"),
    FIELD(FLAG, settings, own_machine,
          .help = "own machine, not rented: a run costs its electricity"),
    FIELD(TEXTS, settings, owned, .value = "OFFER=HOURS",
          .help = "machine-hours already paid for: plans use them first"),
    FIELD(TEXTS, settings, supply, .value = "OFFER=MACHINES",
          .help = "machines you can get: vast=4, aws/p5.48xlarge=16"),
    FIELD(RATE, settings, value_of_time, .value = "PRICE",
          .help = "value of an hour of waiting, for plan and roi: 20usd/hr"),
    FIELD(TEXT, settings, catalog, .value = "DIR",
          .help = "folder with your own facts and prices"),
    FIELD(TEXT, settings, prices, .value = "DIR",
          .help = "folder of fetched and imported prices"),
    FIELD(TEXT, settings, ledger, .value = "FILE",
          .help = "ledger of runs and bills: a file, or postgres://HOST/DATABASE"),
    FIELD(TEXT, settings, reports, .value = "DIR",
          .help = "folder for a report of each run (default: none is written)"),
    FIELD(SPAN, settings, stale_after, .value = "TIME",
          .help = "age above which Stint warns about prices", .fallback = "30d"),
    FIELD(TEXT, settings, to, .value = "URL",
          .help = "send runs to this server instead of the ledger: https://HOST:8712"),
    FIELD(TEXT, settings, to_token, .value = "FILE",
          .help =
              "file with the token for it (default: 'token' beside config.yaml; STINT_TOKEN "
              "is the token itself)"),
    FIELD(TEXT, settings, to_certificates, .value = "FILE",
          .help = "CA bundle to verify the server, PEM (default: the system's)"),
    FIELD(FLAG, settings, to_unencrypted,
          .help = "allow plain http to it, on a trusted network only"),
    FIELD(TEXTS, settings, trusted_keys, .value = "KEY",
          .help = "public keys whose price packs are imported, such as ed25519:4f..."),
};

const struct field_set settings_fields = FIELD_SET(struct settings, fields);

_Static_assert(ARRAY_LEN(fields) <= SETTINGS_MAX, "raise SETTINGS_MAX");

/* "$VARIABLE/stint", or in the home folder; NULL without an error when there is neither. By the
 * specification of these variables a relative path is not valid, and is to be ignored: it would
 * mean another ledger in every folder. */
static char *find_own_folder(const char *variable, const char *in_home, struct arena *arena,
                             struct error *err)
{
    const char *base = env_get(variable), *home = env_get("HOME");

    if (base != NULL && base[0] == '/')
        return fs_join(base, "stint", arena, err);
    return home != NULL ? fs_join(home, in_home, arena, err) : NULL;
}

const char *settings_relative(void)
{
    static const char *const names[] = {"XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"};

    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        const char *value = env_get(names[i]);

        if (value != NULL && value[0] != '/')
            return names[i];
    }
    return NULL;
}

/* Likewise, with the error set when there is neither: it is `kept` there, and can be named by
 * `option`. */
static char *needed_folder(const char *variable, const char *in_home, const char *kept,
                           const char *option, struct arena *arena, struct error *err)
{
    char *folder = find_own_folder(variable, in_home, arena, err);

    if (folder == NULL && err->kind == ERROR_NONE) {
        error_set(err, ERROR_FAILED, "there is no home folder to keep %s in", kept);
        error_hint(err, "set HOME or %s, or name %s", variable, option);
    }
    return folder;
}

char *settings_path(const char *name, struct arena *arena, struct error *err)
{
    char *folder = needed_folder("XDG_CONFIG_HOME", ".config/stint", "the configuration",
                                 "the file with --config FILE", arena, err);

    return folder != NULL ? fs_join(folder, name, arena, err) : NULL;
}

char *settings_cache(struct arena *arena, struct error *err)
{
    return needed_folder("XDG_CACHE_HOME", ".cache/stint", "prices",
                         "a folder with --prices DIR", arena, err);
}

char *settings_ledger(struct arena *arena, struct error *err)
{
    char *folder = needed_folder("XDG_DATA_HOME", ".local/share/stint", "the ledger",
                                 "the file with --ledger FILE", arena, err);

    return folder != NULL ? fs_join(folder, "ledger.db", arena, err) : NULL;
}

void settings_env_name(const struct field *field, char to[static SETTINGS_ENV_MAX])
{
    size_t used = (size_t)snprintf(to, SETTINGS_ENV_MAX, "STINT_%s", field->name);

    for (size_t i = 6; i < used && i < SETTINGS_ENV_MAX; i++)
        to[i] = to_upper(to[i]);
}

/* Does the file hold the password of the ledger's server, where others can read it? */
static bool find_exposure(const char *path, struct str ledger, struct str before,
                          struct settings_origin *origin, struct arena *arena,
                          struct error *err)
{
    struct stat is;
    char *shown;

    if (str_eq(ledger, before) || stat(path, &is) != 0 || (is.st_mode & 077) == 0)
        return true;
    shown = ledger_shown(ledger, arena, err);
    origin->config_exposed = shown != NULL && !str_eq(str_from(shown), ledger);
    return shown != NULL;
}

static bool read_settings_file(const char *path, bool named, struct arena *arena,
                               struct settings *out, struct settings_origin *origin,
                               struct error *err)
{
    struct settings from_file = *out;
    struct node *root;
    struct str text;

    if (!named && !fs_exists(path))
        return true;
    if (!fs_read(path, CONFIG_MAX, arena, &text, err))
        return false;
    root = yaml_read(text, path, arena, err);
    if (root == NULL || !fields_from_node(&settings_fields, root, path, &from_file, arena, err))
        return false;
    for (size_t i = 0; root->kind == NODE_MAP && i < ARRAY_LEN(fields); i++)
        for (const struct node *n = root->first; n != NULL; n = n->next)
            if (n->kind != NODE_NULL && field_find(&settings_fields, n->key) == &fields[i])
                origin->of[i] = named ? path : "config.yaml";
    if (!find_exposure(path, from_file.ledger, out->ledger, origin, arena, err))
        return false;
    *out = from_file;
    origin->config_found = true;
    return true;
}

bool settings_read(struct str text, const char *name, struct arena *arena, struct settings *out,
                   struct error *err)
{
    struct node *root = yaml_read(text, name, arena, err);

    return root != NULL && fields_reset(&settings_fields, out, arena, err) &&
           fields_from_node(&settings_fields, root, name, out, arena, err);
}

/* Lists add up when parsed, but a later source replaces an earlier one. */
static bool replace(const struct field *field, struct str text, struct arena *arena,
                    struct settings *out, struct error *err)
{
    if (field->type == FIELD_TEXTS)
        *(struct strs *)(void *)((unsigned char *)out + field->offset) = (struct strs){0};
    return field_parse(field, FIELD_SPELLED, text, out, arena, err);
}

static bool read_environment(struct arena *arena, struct settings *out,
                             struct settings_origin *origin, struct error *err)
{
    for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
        char name[SETTINGS_ENV_MAX];
        const char *value;

        settings_env_name(&fields[i], name);
        value = env_get(name);
        if (value == NULL)
            continue;
        if (!replace(&fields[i], str_from(value), arena, out, err)) {
            error_context(err, "the environment's %s", name);
            return false;
        }
        origin->of[i] = str_dup(str_from(name), arena, err);
        if (origin->of[i] == NULL)
            return false;
    }
    return true;
}

static bool read_flags(const struct settings_inputs *inputs, struct arena *arena,
                       struct settings *out, struct settings_origin *origin, struct error *err)
{
    for (size_t i = 0; i < inputs->flag_count; i++) {
        const struct field *field =
            field_find(&settings_fields, str_from(inputs->flags[i].name));

        if (field == NULL || inputs->flags[i].value.at == NULL)
            continue;
        if (!replace(field, inputs->flags[i].value, arena, out, err))
            return false;
        origin->of[field - fields] = inputs->flags[i].option;
    }
    return true;
}

bool settings_currency(struct str code, struct error *err)
{
    if (currency_known(code))
        return true;
    error_set(err, ERROR_INPUT, "'%.*s' is not a currency", STR_ARG(code));
    error_hint(err, "give the code of three letters: USD, EUR, JPY, ...");
    return false;
}

/* Where the user's facts, prices and the ledger are unless a setting names another place; empty
 * without a home, which is no reason to stop. False when memory runs out. */
static bool set_places(struct arena *arena, struct settings *out, struct error *err)
{
    struct error home[3] = {{0}};

    out->catalog = str_from(settings_path("catalog", arena, &home[0]));
    out->prices = str_from(settings_cache(arena, &home[1]));
    out->ledger = str_from(settings_ledger(arena, &home[2]));
    for (size_t i = 0; i < ARRAY_LEN(home); i++)
        if (home[i].kind == ERROR_MEMORY)
            return error_memory(err);
    return true;
}

bool settings_load(const struct settings_inputs *inputs, struct arena *arena,
                   struct settings *out, struct settings_origin *origin, struct error *err)
{
    const char *named = inputs->config != NULL ? inputs->config : env_get("STINT_CONFIG");
    const char *path = named;
    struct error ignored = {0};

    *origin = (struct settings_origin){0};
    for (size_t i = 0; i < ARRAY_LEN(fields); i++)
        origin->of[i] = "default";
    if (!fields_reset(&settings_fields, out, arena, err))
        return false;
    if (!set_places(arena, out, err))
        return false;
    if (path == NULL) /* without a home there is no file */
        path = settings_path("config.yaml", arena, &ignored);
    if (ignored.kind == ERROR_MEMORY)
        return error_memory(err);
    if (path != NULL) {
        origin->config_path = str_from(path);
        if (!inputs->skip_file &&
            !read_settings_file(path, named != NULL, arena, out, origin, err))
            return false;
    }
    if (!read_environment(arena, out, origin, err) ||
        !read_flags(inputs, arena, out, origin, err))
        return false;
    origin->catalog_is_default =
        strcmp(origin->of[field_find(&settings_fields, STR("catalog")) - fields], "default") ==
        0;
    /* Providers are checked where they are used: the catalog knows them. */
    if (settings_currency(out->currency, err))
        return true;
    error_context(err, "currency");
    return false;
}

/* ---- what applies, and why ---- */

static const struct field row_fields[] = {
    FIELD(TEXT, setting_row, name, .help = "name in config.yaml"),
    FIELD(TEXT, setting_row, value, .help = "value; null: none"),
    FIELD(TEXT, setting_row, origin, .help = "source of the value"),
    FIELD(TEXT, setting_row, env, .help = "environment variable that overrides it"),
    FIELD(TEXT, setting_row, help, .help = "meaning of the setting"),
};

const struct field_set setting_row_fields = FIELD_SET(struct setting_row, row_fields);

/* A setting as it may be shown: an address may hold a password. */
static bool show_setting(const struct field *field, const struct settings *settings,
                         struct arena *arena, struct str *out, struct error *err)
{
    struct buf value = buf_new(arena->alloc, 4096);
    bool ok = true;

    field_write(field, settings, &value);
    ok = buf_ok(&value, err);
    if (ok && value.len > 0) {
        *out = str_from(strcmp(field->name, "ledger") == 0
                            ? ledger_shown(buf_text(&value), arena, err)
                            : str_dup(buf_text(&value), arena, err));
        ok = out->at != NULL;
    }
    buf_free(&value);
    return ok;
}

bool settings_rows(const struct settings *settings, const struct settings_origin *origin,
                   struct arena *arena, struct rows *out, struct error *err)
{
    struct setting_row *rows = arena_array(arena, struct setting_row, ARRAY_LEN(fields), err);

    if (rows == NULL)
        return false;
    for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
        char env[SETTINGS_ENV_MAX];

        settings_env_name(&fields[i], env);
        rows[i].name = str_from(fields[i].name);
        rows[i].help = str_from(fields[i].help);
        rows[i].origin = str_from(origin->of[i]);
        if (!str_keep(str_from(env), arena, &rows[i].env, err) ||
            !show_setting(&fields[i], settings, arena, &rows[i].value, err))
            return false;
    }
    *out = (struct rows){rows, ARRAY_LEN(fields)};
    return true;
}
