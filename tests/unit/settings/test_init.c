/* The configuration that `stint init` writes: guesses, checks, the text. */
#include "test.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "settings/init.h"
#include "settings/settings.h"

struct init_world {
    struct arena arena;
    struct catalog catalog;
};

static int init_make(void **state)
{
    static struct init_world world;
    struct error err = {0};

    world =
        (struct init_world){.arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE}};
    *state = &world;
    return !catalog_load(&world.catalog, INIT_TABLES | TABLE_BIT(TABLE_LOCAL), NULL, 0,
                         &world.arena, &err);
}

static int init_end(void **state)
{
    struct init_world *w = *state;

    arena_free(&w->arena);
    return 0;
}

#define init_test(name) cmocka_unit_test_setup_teardown(name, init_make, init_end)

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    (void)fputs(text, file);
    (void)fclose(file);
}

static void guesses_the_country_from_the_time_zone(void **state)
{
    struct init_world *w = *state;
    char folder[] = "/tmp/stint-zones-XXXXXX", path[256];
    const char *old = getenv("TZ");
    char *before = old != NULL ? strdup(old) : NULL;
    struct str zone;

    assert_non_null(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/zone.tab", folder);
    (void)setenv("TZ", "Europe/Berlin", 1);
    assert_str_equal(init_guess_country(&w->catalog, folder, &w->arena, &zone),
                     "US"); /* no table */
    assert_int_equal(zone.len, 0);
    write_file(path, "# code\tplace\tzone\nFR\t+4852+00220\tEurope/Paris\n"
                     "DE\t+5230+01322\tEurope/Berlin\tmost of Germany\n");
    assert_str_equal(init_guess_country(&w->catalog, folder, &w->arena, &zone), "DE");
    assert_str_equal(zone, "Europe/Berlin");
    (void)setenv("TZ", ":Europe/Paris", 1);
    assert_str_equal(init_guess_country(&w->catalog, folder, &w->arena, &zone), "FR");
    (void)setenv("TZ", "Etc/UTC", 1); /* of no country */
    assert_str_equal(init_guess_country(&w->catalog, folder, &w->arena, &zone), "US");
    (void)setenv("TZ", "../../x", 1);
    assert_str_equal(init_guess_country(&w->catalog, folder, &w->arena, &zone), "US");
    assert_int_equal(zone.len, 0);
    (void)(before != NULL ? setenv("TZ", before, 1) : unsetenv("TZ"));
    free(before);
    assert_int_equal(remove(path), 0);
    assert_int_equal(remove(folder), 0);
}

static void guesses_the_machine_from_the_driver(void **state)
{
    struct init_world *w = *state;
    char proc[] = "/tmp/stint-proc-XXXXXX", path[256];
    struct str machine;

    assert_non_null(mkdtemp(proc));
    assert_int_equal(init_guess_machine(&w->catalog, proc, &w->arena).len, 0); /* no driver */
    for (size_t i = 0; i < 4; i++) {
        static const char *const parts[] = {"/driver", "/nvidia", "/gpus", "/0000:01:00.0"};

        (void)snprintf(path, sizeof path, "%s%s%s%s%s", proc, parts[0], i > 0 ? parts[1] : "",
                       i > 1 ? parts[2] : "", i > 2 ? parts[3] : "");
        assert_int_equal(mkdir(path, 0700), 0);
    }
    (void)snprintf(path, sizeof path, "%s/driver/nvidia/gpus/0000:01:00.0/information", proc);
    write_file(path, "Model: \t\t NVIDIA GeForce RTX 4090\nIRQ: 1\n");
    machine = init_guess_machine(&w->catalog, proc, &w->arena);
    assert_str_equal(machine, "desktop-rtx4090");
    write_file(path, "Model: \t\t Voodoo 2\n");
    assert_int_equal(init_guess_machine(&w->catalog, proc, &w->arena).len, 0);
    write_file(path, "nothing\n");
    assert_int_equal(init_guess_machine(&w->catalog, proc, &w->arena).len, 0);

    /* The file, then the folders, up to the one that was made. */
    while (strlen(path) >= strlen(proc)) {
        assert_int_equal(remove(path), 0);
        *strrchr(path, '/') = '\0';
    }
}

static void what_is_not_in_the_catalog_is_refused(void **state)
{
    struct init_world *w = *state;
    struct str provider = STR("aws");
    struct config_init_request req = {.providers = {&provider, 1}, .country = STR("DE")};
    struct error err = {0};

    assert_true(init_check(&req, &w->catalog, &err));
    assert_true(init_check_machine(STR("desktop-rtx4090"), &w->catalog, &err));
    provider = STR("awz");
    assert_false(init_check(&req, &w->catalog, &err));
    provider = STR("aws");
    req.currency = STR("XXQ");
    assert_false(init_check(&req, &w->catalog, &err));
    assert_false(init_check_machine(STR("desktop-rtx409"), &w->catalog, &err));
    assert_non_null(strstr(err.hint, "desktop-rtx4090"));
}

/* Whatever is typed into it can be read again. */
static void the_text_can_be_read_again(void **state)
{
    struct init_world *w = *state;
    struct str provider = STR("no");
    struct config_init_request req = {.providers = {&provider, 1},
                                      .country = STR("NO"),
                                      .machine = STR("my \"own\" one"),
                                      .electricity = {250000000},
                                      .own_machine = true};
    struct buf text = buf_new(&alloc_system, 1 << 16);
    struct settings settings;
    struct error err = {0};

    init_write(&req, STR("Europe/Oslo"), &text);
    if (!settings_read(buf_text(&text), "config.yaml", &w->arena, &settings, &err))
        fail_msg("%s", err.text);
    assert_int_equal(settings.providers.len, 1);
    assert_str_equal(settings.providers.at[0], "no");
    assert_str_equal(settings.country, "NO");
    assert_str_equal(settings.machine, "my \"own\" one");
    assert_int_equal(settings.electricity.nano, 250000000);
    assert_true(settings.own_machine);
    buf_free(&text);
}

int group_init(void)
{
    const struct CMUnitTest tests[] = {
        init_test(guesses_the_country_from_the_time_zone),
        init_test(guesses_the_machine_from_the_driver),
        init_test(what_is_not_in_the_catalog_is_refused),
        init_test(the_text_can_be_read_again),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
