/* Options of `stint run`: what is accepted, what is refused, and with which message. */
#include "world.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "op/run/run_summary.h"

static struct run_request blank(struct world *w)
{
    struct run_request r;
    struct error err = {0};

    if (!fields_reset(&run_request_fields, &r, &w->arena, &err))
        fail_msg("%s", err.text);
    w->said[0] = '\0';
    return r;
}

static bool take(struct world *w, const struct run_request *r, struct supervise_options *out,
                 struct error *err)
{
    *err = (struct error){0};
    *out = (struct supervise_options){0};
    return run_options_make(r, &w->arena, &w->ctx.messages, out, err);
}

static void accept(struct world *w, const struct run_request *r, struct supervise_options *out)
{
    struct error err;

    if (!take(w, r, out, &err))
        fail_msg("%s | %s", err.text, err.hint);
}

static void refuse(struct world *w, const struct run_request *r, const char *text,
                   const char *hint)
{
    struct supervise_options out;
    struct error err;

    assert_false(take(w, r, &out, &err));
    assert_string_equal(err.text, text);
    assert_string_equal(err.hint, hint);
    assert_int_equal(err.kind, ERROR_USAGE);
}

static void what_is_not_said_is_as_usual(void **state)
{
    struct world *w = *state;
    struct run_request r = blank(w);
    struct supervise_options out;

    accept(w, &r, &out);
    assert_int_equal(out.checkpoint_signal, SIGUSR1);
    assert_true(out.idle.after.ns < 0);
    r.idle = (span){1};
    accept(w, &r, &out);
    assert_near(out.idle.below, 0.05, 1e-12);
    assert_int_equal(out.idle_action, IDLE_ACT_STOP);
    assert_string_equal(w->said, "");
}

static void options_that_need_another_are_refused_alone(void **state)
{
    struct world *w = *state;
    struct run_request r = blank(w);
    struct supervise_options out;

    r.idle_do = STR("warn");
    refuse(w, &r, "--idle-do needs --idle TIME", "");
    r.idle = (span){1};
    accept(w, &r, &out);
    assert_int_equal(out.idle_action, IDLE_ACT_WARN);
    r = blank(w);
    r.idle_below = 0.2;
    refuse(w, &r, "--idle-below needs --idle TIME", "");
    r.idle = (span){1};
    accept(w, &r, &out);
    assert_near(out.idle.below, 0.2, 1e-12);
    r = blank(w);
    r.keep = 3;
    refuse(w, &r, "--keep needs --checkpoints DIR", "");
    r = blank(w);
    r.best = STR("val_loss:min");
    refuse(w, &r, "--best needs --checkpoints DIR", "");
    r = blank(w);
    r.resume = STR("last");
    r.no_ledger = true;
    refuse(w, &r, "--resume needs the ledger: leave out --no-ledger", "");
    r = blank(w);
    r.month_budget = (usd){1};
    r.no_ledger = true;
    refuse(w, &r, "--month-budget needs the ledger: leave out --no-ledger", "");
    r = blank(w);
}

static void a_grace_longer_than_the_deadline_is_warned_of(void **state)
{
    struct world *w = *state;
    struct run_request r = blank(w);
    struct supervise_options out;

    r.grace = (span){120};
    accept(w, &r, &out);
    assert_string_equal(w->said, "");
    r.deadline = (span){60};
    accept(w, &r, &out);
    assert_non_null(strstr(w->said, "warning: --grace is not shorter than --deadline"));
    w->said[0] = '\0';
    r.deadline = (span){121};
    accept(w, &r, &out);
    assert_string_equal(w->said, "");
}

/* A folder with a program that is called as a slip of the pen would be. */
static void an_action_is_spelled_right_or_is_a_command(void **state)
{
    char folder[] = "/tmp/stint-path.XXXXXX", program[64], path[64];
    struct world *w = *state;
    struct run_request r = blank(w);
    struct supervise_options out;
    struct error err = {0};

    assert_non_null(mkdtemp(folder));
    (void)snprintf(program, sizeof program, "%s/stopp", folder);
    (void)snprintf(path, sizeof path, "/nonexistent:%s", folder);
    assert_int_equal(setenv("PATH", path, 1), 0);
    r.idle = (span){1};
    r.idle_do = STR("checkpont");
    refuse(w, &r, "--idle-do: 'checkpont' is neither an action nor a command in PATH",
           "did you mean 'checkpoint'?");
    r.idle_do = STR("stopp");
    refuse(w, &r, "--idle-do: 'stopp' is neither an action nor a command in PATH",
           "did you mean 'stop'?");
    assert_true(fs_put(program, STR("#!/bin/sh\n"), &err));
    assert_int_equal(chmod(program, 0700), 0);
    accept(w, &r, &out);
    assert_int_equal(out.idle_action, IDLE_ACT_COMMAND);
    assert_string_equal(out.idle_command, "stopp");
    r.idle_do = STR("sudo poweroff");
    accept(w, &r, &out);
    assert_string_equal(out.idle_command, "sudo poweroff");
    (void)unlink(program);
    (void)rmdir(folder);
}

static void patterns_are_looked_at_before_anything_runs(void **state)
{
    static struct str many[17];
    struct world *w = *state;
    struct run_request r = blank(w);
    struct supervise_options out;
    struct str wrong = STR("acc=/(/"), right = STR("acc=/acc ([0-9.]+)/");

    for (size_t i = 0; i < ARRAY_LEN(many); i++)
        many[i] = STR("reward");
    r.metrics = (struct strs){many, 17};
    refuse(w, &r, "--metrics: there are more than 16 metrics", "");
    r.metrics = (struct strs){&wrong, 1};
    refuse(w, &r,
           "--metrics: the pattern '(' is wrong at its character 2: missing closing "
           "parenthesis",
           "");
    r.metrics = (struct strs){&right, 1};
    accept(w, &r, &out);
    assert_true(out.read_output);
}

static void extras_are_added_up_and_named(void **state)
{
    struct str two[] = {STR("labels=$12"), STR("storage=0.50usd")}, bad = STR("labels"),
               less = STR("x=-1usd");
    struct world *w = *state;
    struct error err = {0};
    struct str names;
    usd sum;

    assert_true(run_extras_sum((struct strs){0}, &sum, &err));
    assert_int_equal(sum.nano, MONEY_UNKNOWN);
    assert_true(run_extras_sum((struct strs){two, 2}, &sum, &err));
    assert_int_equal(sum.nano, 12500000000);
    assert_true(run_extras_names((struct strs){two, 2}, &w->arena, &names, &err));
    assert_str_equal(names, "labels, storage");
    assert_false(run_extras_sum((struct strs){&bad, 1}, &sum, &err));
    assert_string_equal(err.hint, "write it as --extra 'labels=$12'");
    assert_false(run_extras_sum((struct strs){&less, 1}, &sum, &err));
    assert_string_equal(err.text, "--extra x: below zero");
}

static void a_summary_is_written_wholly_or_not_at_all(void **state)
{
    char folder[] = "/tmp/stint-summary.XXXXXX", path[64];
    struct world *w = *state;
    struct run_result result = {.name = STR("train"), .rate = USD_PER_HOUR_UNKNOWN};
    const char *out;
    struct error err = {0};
    struct str text;

    assert_non_null(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/out.json", folder);
    assert_true(run_summary_check(&w->ctx, (struct str){0}, &out, &err));
    assert_null(out);
    assert_true(run_summary_check(&w->ctx, STR("/dev/stderr"), &out, &err));
    assert_string_equal(out, "/dev/stderr");
    assert_true(run_summary_check(&w->ctx, str_from(path), &out, &err));
    run_summary_write(&w->ctx, out, &result);
    assert_string_equal(w->said, "");
    assert_true(fs_read(path, 65536, &w->arena, &text, &err));
    assert_true(
        str_starts(text, STR("{\"schema\":\"stint.run/1\",\"id\":null,\"name\":\"train\"")));
    assert_true(str_ends(text, STR("}\n")));
    (void)unlink(path);
    (void)rmdir(folder);
    assert_false(run_summary_check(&w->ctx, str_from(path), &out, &err));
    assert_int_equal(err.kind, ERROR_USAGE);
    assert_non_null(strstr(err.text, "--summary: cannot write"));
    run_summary_write(&w->ctx, path, &result);
    assert_non_null(strstr(w->said, "warning: the summary was not written: cannot write"));
}

static void shares_are_parts_of_a_machine(void **state)
{
    static const struct {
        const char *text;
        int64_t share; /* -2: refused */
    } cases[] = {{"", -1},
                 {"all", 1000000000},
                 {"1/8", 125000000},
                 {"12.5%", 125000000},
                 {" 25 % ", 250000000},
                 {"0%", 0},
                 {"3/3", 1000000000},
                 {"9/8", -2},
                 {"1/0", -2},
                 {"-1/8", -2},
                 {"101%", -2},
                 {"0.5", -2},
                 {"1/8/2", -2},
                 {"half", -2},
                 {"%", -2},
                 {"nan%", -2}};

    struct world *w = *state;
    struct run_request r = blank(w);

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct supervise_options out;
        struct error err;

        r.share = str_from(cases[i].text);
        if (take(w, &r, &out, &err))
            assert_int_equal(out.share, cases[i].share);
        else
            assert_int_equal(cases[i].share, -2);
        assert_int_equal(err.kind, cases[i].share == -2 ? ERROR_USAGE : ERROR_NONE);
    }
}

int group_run_options(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, world_make, world_end)
    const struct CMUnitTest tests[] = {
        TEST(shares_are_parts_of_a_machine),
        TEST(what_is_not_said_is_as_usual),
        TEST(options_that_need_another_are_refused_alone),
        TEST(a_grace_longer_than_the_deadline_is_warned_of),
        TEST(an_action_is_spelled_right_or_is_a_command),
        TEST(patterns_are_looked_at_before_anything_runs),
        TEST(extras_are_added_up_and_named),
        TEST(a_summary_is_written_wholly_or_not_at_all),
    };
#undef TEST

    return cmocka_run_group_tests(tests, NULL, NULL);
}
