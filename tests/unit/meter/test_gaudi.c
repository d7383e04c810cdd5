#include <fcntl.h>
#include <sys/wait.h>
#include <time.h>

#include "fake.h"
#include "meter/gaudi.h"

#define TWO \
    "0, 5, 01P0-HL2080A0-15, HL-225, 78, 32768, 98304, 285, 42\n" \
    "1, 3, 01P0-HL2080A0-16, HL-225, 0, 768, 98304, 95, 30\n"

struct seen {
    struct stage stage;
    void *gaudi;
    char program[512];
    struct gpu_sample gpu[METER_GPUS];
    size_t count;
};

static void start(struct seen *s, const char *script)
{
    const char *source = getenv("STINT_SOURCE_ROOT");

    assert_non_null(source);
    stage_open(&s->stage, "FAKE_HL_SMI", "none");
    (void)snprintf(s->program, sizeof s->program, "%s/tests/meter/fake_hl_smi.sh", source);
    s->stage.options.gaudi = s->program;
    s->stage.tree = (struct tree){{100}, 1};
    stage_script(&s->stage, script);
    s->gaudi = gpu_gaudi.open(&s->stage.options, &s->stage.arena, s->stage.why);
    assert_non_null(s->gaudi);
}

static void look(struct seen *s, double seconds)
{
    s->count = stage_read(&s->stage, &gpu_gaudi, s->gaudi, seconds, s->gpu);
}

/* Sample until the program's output has been read, which the fake clock does not decide. */
static void sample_until_read(struct seen *s, double seconds, double watts)
{
    for (int i = 0; i < 5000; i++) {
        look(s, seconds);
        if (s->count > 0 && s->gpu[0].watts <= watts && s->gpu[0].watts >= watts)
            return;
        (void)nanosleep(&(struct timespec){0, 2000000}, NULL);
    }
    fail_msg("%s", "no reading arrived");
}

static void end(struct seen *s)
{
    gpu_gaudi.close(s->gaudi);
    stage_close(&s->stage);
}

static void reads_what_hl_smi_prints(void **state)
{
    struct gaudi_row row[4];

    (void)state;
    assert_int_equal(gaudi_parse(STR(TWO), row, 4), 2);
    assert_int_equal(row[0].index, 0);
    assert_int_equal(row[0].module, 5);
    assert_string_equal(row[0].uuid, "01P0-HL2080A0-15");
    assert_string_equal(row[0].name, "HL-225");
    assert_near(row[0].busy, 0.78, 1e-9);
    assert_near(row[0].memory, 32768 * 1048576.0, 0);
    assert_near(row[0].memory_total, 98304 * 1048576.0, 0);
    assert_near(row[0].watts, 285, 0);
    assert_near(row[0].celsius, 42, 0);
    assert_int_equal(gaudi_parse(STR(TWO), row, 1), 1);
}

static void odd_lines_are_passed_over(void **state)
{
    struct gaudi_row row[4];

    (void)state;
    assert_int_equal(gaudi_parse(STR(""), row, 4), 0);
    assert_int_equal(gaudi_parse(STR("WARNING: something\n\n,,,,,,,,\n"), row, 4), 0);
    assert_int_equal(gaudi_parse(STR("index,module_id,a,b,c,d,e,f,g\n"), row, 4), 0);
    assert_int_equal(gaudi_parse(STR("0,1,u,n,1,2,3,4,5,6\n"), row, 4), 0); /* too long */
    assert_int_equal(gaudi_parse(STR("0,1,u,n,1,2,3,4\n"), row, 4), 0);     /* too short */
    assert_int_equal(gaudi_parse(STR("0,N/A,u,n,N/A,-1,?,x W,1e999\r\n"), row, 4), 1);
    assert_int_equal(row[0].module, -1);
    assert_true(isnan(row[0].busy) && isnan(row[0].memory) && isnan(row[0].memory_total));
    assert_true(isnan(row[0].watts) && isnan(row[0].celsius));
    assert_int_equal(gaudi_parse(STR("0,1,u,n,101,1,1,1,1"), row, 4), 1);
    assert_true(isnan(row[0].busy));
}

static void reports_devices_at_a_later_sample(void **state)
{
    struct seen s = {0};
    char path[256], asked[256] = "";
    FILE *file;

    (void)state;
    start(&s, TWO);
    look(&s, 0);
    assert_int_equal(s.count, 0); /* it has only just been started */
    sample_until_read(&s, 1, 285);
    assert_int_equal(s.count, 2);
    assert_string_equal(s.gpu[0].vendor, "habana");
    assert_int_equal(s.gpu[0].use, GPU_VISIBLE);
    assert_near(s.gpu[0].joules, 0, 0);
    assert_int_equal(s.gpu[0].joules_method, METHOD_SAMPLED);
    (void)snprintf(path, sizeof path, "%s.asked", s.stage.script);
    file = fopen(path, "re");
    assert_non_null(file);
    assert_non_null(fgets(asked, sizeof asked, file));
    (void)fclose(file);
    assert_string_equal(asked, "-Q " GAUDI_QUERY " -f csv,noheader,nounits\n");
    end(&s);
}

static void power_adds_up_and_an_open_file_makes_it_ours(void **state)
{
    struct seen s = {0};

    (void)state;
    start(&s, TWO);
    stage_link(&s.stage, "100", "fd", "9", "/dev/accel/accel0");
    sample_until_read(&s, 0, 285);
    assert_int_equal(s.gpu[0].use, GPU_OURS);
    assert_int_equal(s.gpu[1].use, GPU_VISIBLE);
    stage_script(&s.stage, "0, 5, 01P0-HL2080A0-15, HL-225, 78, 32768, 98304, 385, 42\n");
    sample_until_read(&s, 10, 385);
    assert_near(s.gpu[0].joules, 3350, 1e-6);
    assert_near(s.gpu[0].share, 1, 1e-9);
    assert_near(s.gpu[0].tree_busy, 0.78, 1e-9);
    end(&s);
}

static void modules_may_be_chosen(void **state)
{
    struct seen s = {0};

    (void)state;
    start(&s, TWO);
    stage_proc(&s.stage, "self", "environ", STR("HABANA_VISIBLE_MODULES=3\0"));
    sample_until_read(&s, 0, 95);
    assert_int_equal(s.count, 1);
    assert_int_equal(s.gpu[0].index, 1);
    end(&s);
}

static void failing_program_leaves_values_unknown(void **state)
{
    struct seen s = {0};

    (void)state;
    start(&s, TWO);
    stage_link(&s.stage, "100", "fd", "9", "/dev/hl0");
    sample_until_read(&s, 0, 285);
    stage_script(&s.stage, "fail\n");
    for (int i = 1; i < 8; i++) {
        look(&s, i * 5);
        (void)nanosleep(&(struct timespec){0, 20000000}, NULL);
    }
    assert_int_equal(s.count, 2);
    assert_true(isnan(s.gpu[0].joules) && isnan(s.gpu[0].watts) && isnan(s.gpu[0].busy));
    assert_int_equal(s.gpu[0].joules_method, METHOD_NONE);
    assert_int_equal(s.gpu[0].use, GPU_OURS);
    s.stage.options.gaudi = "/nonexistent/hl-smi";
    end(&s);
}

static void a_program_that_hangs_is_killed_and_tried_again(void **state)
{
    struct seen s = {0};

    (void)state;
    start(&s, "hang\n");
    look(&s, 0);
    look(&s, 5); /* still runs: no second one is started */
    assert_int_equal(s.count, 0);
    look(&s, 11); /* killed */
    stage_script(&s.stage, TWO);
    sample_until_read(&s, 12, 285);
    assert_int_equal(s.count, 2);
    end(&s);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no process is left behind */
}

static void a_program_that_is_not_there_is_no_device(void **state)
{
    struct stage stage;
    void *gaudi;
    struct gpu_sample gpu[METER_GPUS];

    (void)state;
    stage_open(&stage, "FAKE_HL_SMI", "none");
    stage.options.gaudi = "/nonexistent/hl-smi";
    assert_null(gpu_gaudi.open(&stage.options, &stage.arena, stage.why));
    assert_string_equal(stage.why, "there is no /nonexistent/hl-smi");
    stage_script(&stage, "no program\n"); /* and may not be run */
    stage.options.gaudi = stage.script;
    gaudi = gpu_gaudi.open(&stage.options, &stage.arena, stage.why);
    assert_non_null(gaudi);
    for (int i = 0; i < 4; i++)
        assert_int_equal(stage_read(&stage, &gpu_gaudi, gaudi, i * 6, gpu), 0);
    gpu_gaudi.close(gaudi);
    stage.options.gaudi = NULL; /* and without a device the program is not even looked for */
    assert_null(gpu_gaudi.open(&stage.options, &stage.arena, stage.why));
    assert_non_null(strstr(stage.why, "no Gaudi device"));
    stage_close(&stage);
}

int group_gaudi(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_what_hl_smi_prints),
        cmocka_unit_test(odd_lines_are_passed_over),
        cmocka_unit_test(reports_devices_at_a_later_sample),
        cmocka_unit_test(power_adds_up_and_an_open_file_makes_it_ours),
        cmocka_unit_test(modules_may_be_chosen),
        cmocka_unit_test(failing_program_leaves_values_unknown),
        cmocka_unit_test(a_program_that_hangs_is_killed_and_tried_again),
        cmocka_unit_test(a_program_that_is_not_there_is_no_device),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
