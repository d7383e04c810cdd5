/* How much of a limit is kept for the last save, and why; what open files show about saves. */
#include "test.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "run/checkpoint/reserve.h"
#include "run/checkpoint/save_dates.h"
#include "run/checkpoint/save_watch.h"
#include "run/supervise/processes.h"
#include "unit/time.h"

#define S INT64_C(1000000000)
#define GB 1e9

static struct save_history history;

static struct reserve_facts facts_of(double seconds)
{
    return (struct reserve_facts){.set = SPAN_UNKNOWN,
                                  .ahead = {(int64_t)(seconds * 1e9)},
                                  .saves = true,
                                  .history = &history,
                                  .memory = NAN,
                                  .write_rate = NAN};
}

static void assert_explained(const struct reserve *reserve, const char *expected)
{
    struct buf text = buf_new(&alloc_system, 400);

    reserve_explain(reserve, &text);
    buf_char(&text, '\0');
    assert_string_equal(text.at, expected);
    buf_free(&text);
}

static void program_without_a_handler_needs_no_reserve(void **state)
{
    struct reserve_facts facts = facts_of(3600);
    struct reserve reserve;

    (void)state;
    save_history_start(&history);
    facts.saves = false;
    facts.memory = 100 * GB;
    facts.write_rate = 1e8;
    reserve = reserve_evaluate(&facts);
    assert_int_equal(reserve.basis, RESERVE_NONE);
    assert_int_equal(reserve.time.ns, 0);
}

static void a_program_that_asks_after_each_step_gets_a_step_more(void **state)
{
    struct reserve_facts facts = facts_of(3600);
    struct reserve reserve;

    (void)state;
    save_history_start(&history);
    save_history_add(&history, 10, GB, false); /* 1.2 * 10 s + 2 s */
    facts.step_s = 30;
    reserve = reserve_evaluate(&facts);
    assert_int_equal(reserve.time.ns, 44 * S);
    assert_explained(&reserve, "a save took 10.0 s; a step takes 30.0 s");
    facts.step_s = 0.5;
    reserve = reserve_evaluate(&facts);
    assert_int_equal(reserve.time.ns, 14 * S + S / 2);
    assert_explained(&reserve, "a save took 10.0 s");
    facts.step_s = 1e300;
    assert_int_equal(reserve_evaluate(&facts).time.ns, 3240 * S);
}

static void users_value_comes_first(void **state)
{
    struct reserve_facts facts = facts_of(60);
    struct reserve reserve;

    (void)state;
    save_history_start(&history);
    save_history_add(&history, 100, GB, false);
    facts.set = (span){7 * S};
    reserve = reserve_evaluate(&facts);
    assert_int_equal(reserve.basis, RESERVE_SET);
    assert_int_equal(reserve.time.ns, 7 * S);
    assert_explained(&reserve, "set by --grace");
}

static void unknown_program_gets_a_share_of_the_time(void **state)
{
    struct reserve_facts facts = facts_of(60);
    struct reserve reserve;

    (void)state;
    save_history_start(&history);
    reserve = reserve_evaluate(&facts);
    assert_int_equal(reserve.basis, RESERVE_USUAL);
    assert_int_equal(reserve.time.ns, 3 * S);
    assert_explained(&reserve, "no save seen yet");
    facts.ahead.ns = 1000 * S;
    assert_int_equal(reserve_evaluate(&facts).time.ns, 20 * S);
    facts.ahead.ns = 100000 * S;
    assert_int_equal(reserve_evaluate(&facts).time.ns, 30 * S);
    facts.ahead.ns = 4 * S;
    assert_int_equal(reserve_evaluate(&facts).time.ns, 2 * S);
}

/* 3.9 GB that take 5 s, as on the machine where 3 s were not enough. */
static void memory_and_disk_predict_the_first_save(void **state)
{
    struct reserve_facts facts = facts_of(600);
    struct reserve reserve;

    (void)state;
    save_history_start(&history);
    facts.memory = 3.9 * GB;
    facts.on_device = true;
    facts.write_rate = 1 * GB;
    reserve = reserve_evaluate(&facts);
    assert_int_equal(reserve.basis, RESERVE_USUAL); /* 2 % of the time is enough */
    assert_int_equal(reserve.time.ns, 12 * S);
    facts.write_rate = 0.3 * GB;
    reserve = reserve_evaluate(&facts);
    assert_int_equal(reserve.basis, RESERVE_DERIVED);
    assert_true(reserve.time.ns > 13 * S * 5 / 4 && reserve.time.ns < 25 * S);
    assert_explained(&reserve,
                     "3.9 GB of device memory in use, the disk takes 300 MB a second");
    /* More memory, an earlier last save. */
    facts.memory = 20 * GB;
    assert_true(reserve_evaluate(&facts).time.ns > 80 * S);
    facts.memory = 2000 * GB;
    reserve = reserve_evaluate(&facts);
    assert_int_equal(reserve.time.ns, 300 * S);
    assert_true(reserve.cut);
}

static void a_save_that_was_seen_grows_with_memory(void **state)
{
    struct reserve_facts facts = facts_of(300);
    struct reserve reserve;
    double unused;

    (void)state;
    save_history_start(&history);
    save_history_add(&history, 10, 2 * GB, true);
    reserve = reserve_evaluate(&facts);
    assert_int_equal(reserve.basis, RESERVE_SEEN);
    assert_explained(&reserve, "a save of an earlier attempt took 10.0 s");
    save_history_add(&history, 5, 1, false); /* this machine is faster */
    facts.memory = 2 * GB;
    assert_true(reserve_evaluate(&facts).save_s == 5); /* memory of a look before it */
    save_history_settle(&history, 2 * GB);
    reserve = reserve_evaluate(&facts);
    assert_true(reserve.save_s == 5);
    assert_explained(&reserve, "a save took 5.0 s");
    facts.memory = 8 * GB;
    reserve = reserve_evaluate(&facts);
    assert_true(reserve.save_s == 20);
    assert_explained(&reserve, "a save took 5.0 s with 2 GB of memory in use, now 8 GB");
    /* The bar: under 3 % of five minutes stays unused when it ends as soon as it has saved. */
    unused = ((double)reserve.time.ns / 1e9 - 20) / 300;
    assert_true(unused > 0 && unused < 0.025);
    save_history_add(&history, 1, 4 * GB, false); /* no less than the longest */
    save_history_settle(&history, 2 * GB);
    facts.memory = 4 * GB;
    assert_true(reserve_evaluate(&facts).save_s == 5);
}

static void only_large_changes_are_reported(void **state)
{
    struct reserve a = {.time = {10 * S}, .basis = RESERVE_SEEN}, b = a;

    (void)state;
    b.time.ns = 12 * S;
    assert_false(reserve_differs(&a, &b));
    b.time.ns = 16 * S;
    assert_true(reserve_differs(&a, &b));
    b.time.ns = 6 * S;
    assert_true(reserve_differs(&a, &b));
    b.basis = RESERVE_NONE;
    assert_true(reserve_differs(&a, &b));
    a.time.ns = S;
    a.basis = b.basis = RESERVE_SEEN;
    b.time.ns = 2 * S;
    assert_false(reserve_differs(&a, &b));
}

/* ---- files that are being written ---- */

static struct save_sight sight(uint64_t inode, double size, int64_t born, int64_t changed)
{
    return (struct save_sight){.device = 1,
                               .inode = inode,
                               .size = size,
                               .born_ns = born,
                               .changed_ns = changed,
                               .like_save = true};
}

static void a_file_that_grows_is_a_save(void **state)
{
    struct save_watch watch = {0};
    struct save_seen seen;
    struct save_sight file;

    (void)state;
    assert_false(save_watch_see(&watch, NULL, 0, 100 * S, &seen));
    for (int64_t at = 101; at <= 105; at++) {
        file = sight(7, (double)(at - 100) * 1e9, 100 * S + S / 2, at * S - S / 10);
        assert_false(save_watch_see(&watch, &file, 1, at * S, &seen));
        assert_true(save_watch_saving(&watch, false));
    }
    /* Closed: its last size and time count; the next file of the save may follow at once. */
    file.closed = true;
    assert_false(save_watch_see(&watch, &file, 1, 105 * S + S / 2, &seen));
    assert_true(save_watch_see(&watch, NULL, 0, 106 * S, &seen));
    assert_true(seen.seconds > 4.39 && seen.seconds < 4.41);
    assert_true(seen.bytes == 5e9);
    assert_false(save_watch_saving(&watch, false));
    assert_true(watch.write_rate > 1.1e9 && watch.write_rate < 1.2e9);
}

static void a_file_written_anew_in_its_place_is_one_too(void **state)
{
    struct save_watch watch = {0};
    struct save_seen seen;
    struct save_sight file = sight(7, 5e9, 0, 99 * S);

    (void)state;
    assert_false(save_watch_see(&watch, &file, 1, 100 * S, &seen)); /* from before */
    assert_false(save_watch_saving(&watch, false));
    for (int64_t at = 101; at <= 104; at++) {
        file = sight(7, (double)(at - 100) * 1e9, 0, at * S);
        assert_false(save_watch_see(&watch, &file, 1, at * S, &seen));
        assert_true(save_watch_saving(&watch, false));
    }
    assert_true(save_watch_see(&watch, NULL, 0, 106 * S, &seen));
    assert_true(seen.seconds == 4);
}

static void logs_and_small_files_are_none(void **state)
{
    struct save_watch watch = {0};
    struct save_seen seen;
    struct save_sight file;

    (void)state;
    for (int64_t at = 101; at <= 120; at++) {
        file = sight(7, (double)(at - 100) * 1e4, 100 * S, at * S);
        file.like_save = false;
        assert_false(save_watch_see(&watch, &file, 1, at * S, &seen));
        assert_false(save_watch_saving(&watch, false) || save_watch_saving(&watch, true));
    }
    file.size += 1e6; /* quickly: considered a save while the run is being ended */
    assert_false(save_watch_see(&watch, &file, 1, 121 * S, &seen));
    assert_false(save_watch_saving(&watch, false));
    assert_true(save_watch_saving(&watch, true));
    file = sight(8, 5000, 121 * S, 121 * S); /* a checkpoint by its name, of 5 kB */
    assert_false(save_watch_see(&watch, &file, 1, 122 * S, &seen));
    assert_false(save_watch_see(&watch, NULL, 0, 130 * S, &seen));
}

/* One that stays open, but is not written any more, is done. */
static void what_stays_open_is_over_in_time(void **state)
{
    struct save_watch watch = {0};
    struct save_seen seen;
    struct save_sight file = sight(7, 3e9, 100 * S, 103 * S);

    (void)state;
    assert_false(save_watch_see(&watch, NULL, 0, 100 * S, &seen));
    assert_false(save_watch_see(&watch, &file, 1, 103 * S, &seen));
    assert_false(save_watch_see(&watch, &file, 1, 105 * S, &seen));
    assert_true(save_watch_see(&watch, &file, 1, 107 * S, &seen));
    assert_true(seen.seconds == 3);
}

static void many_files_do_not_overflow(void **state)
{
    static struct save_sight files[SAVE_FILES];
    struct save_watch watch = {0};
    struct save_seen seen;

    (void)state;
    for (uint64_t round = 0; round < 10; round++) {
        int64_t now = (int64_t)(round + 1) * S;

        for (uint64_t i = 0; i < SAVE_FILES; i++)
            files[i] = sight(round * 1000 + i, 1e6, now - S / 2, now);
        (void)save_watch_see(&watch, files, SAVE_FILES, now, &seen);
        assert_true(watch.count <= SAVE_FILES);
    }
}

static void names_of_saves(void **state)
{
    static const char *const saves[] = {"/a/out/checkpoint-500/optimizer.pt",
                                        "/a/model.safetensors",
                                        "/a/pytorch_model.bin",
                                        "/a/last.ckpt.tmp",
                                        "/a/x.pt.tmp",
                                        "/folder/whatever"};
    static const char *const others[] = {"/a/train.bin", "/a/train.log", "/a/data.npz",
                                         "/folders/x", "/a/tokens.zip"};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(saves); i++)
        if (!save_path_like(saves[i], "/folder"))
            fail_msg("%s", saves[i]);
    for (size_t i = 0; i < ARRAY_LEN(others); i++)
        if (save_path_like(others[i], "/folder"))
            fail_msg("%s", others[i]);
}

static void write_save_file(const char *folder, const char *name, size_t size)
{
    char path[200];
    FILE *file;

    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    file = fopen(path, "w");
    assert_non_null(file);
    for (size_t i = 0; i < size; i++)
        (void)fputc('x', file);
    assert_int_equal(fclose(file), 0);
}

static void dates_of_files_say_what_a_save_took(void **state)
{
    char folder[] = "/tmp/stint-dates-XXXXXX", inner[64], command[100];
    int64_t before = clock_file_ns() - S / 10; /* dates are as coarse as ticks */
    struct save_seen seen;

    (void)state;
    assert_non_null(mkdtemp(folder));
    (void)snprintf(inner, sizeof inner, "%s/global_step5", folder);
    assert_false(save_dates_read(AT_FDCWD, inner, before, &seen)); /* there is none */
    assert_int_equal(mkdir(inner, 0700), 0);
    assert_false(save_dates_read(AT_FDCWD, folder, before, &seen)); /* nothing in it */
    write_save_file(folder, "model.safetensors", 1000);
    assert_int_equal(usleep(300000), 0);
    write_save_file(inner, "optim.pt", 500);
    if (!save_dates_read(AT_FDCWD, folder, before, &seen))
        skip(); /* this file system has no dates of birth */
    assert_near(seen.bytes, 1500, 0);
    assert_true(seen.seconds >= 0.2 && seen.seconds < 10);
    assert_false(save_dates_read(AT_FDCWD, folder, clock_file_ns() + S, &seen)); /* before */
    (void)snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

#define LINE(words) \
    { \
        words, sizeof words \
    }

static void launchers_are_recognized(void **state)
{
    static const struct str launchers[] = {
        LINE("mpirun\0-np\0002\0./train"),
        LINE("/opt/openmpi/bin/prterun\0./train"),
        LINE("/usr/bin/python3\0/usr/local/bin/torchrun\0train.py"),
        LINE("python\0-u\0-m\0torch.distributed.run\0train.py"),
        LINE("python3.11\0-m\0accelerate.commands.launch\0train.py"),
        LINE("srun\0train")};
    static const struct str others[] = {LINE("python\0train.py"), LINE("python\0-c\0mpirun"),
                                        LINE("sh\0mpirun"), LINE("./mpirun.sh"), LINE("")};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(launchers); i++)
        if (!process_is_launcher(launchers[i]))
            fail_msg("%zu: %s", i, launchers[i].at);
    for (size_t i = 0; i < ARRAY_LEN(others); i++)
        if (process_is_launcher(others[i]))
            fail_msg("%zu: %s", i, others[i].at);
}

int group_reserve(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(program_without_a_handler_needs_no_reserve),
        cmocka_unit_test(a_program_that_asks_after_each_step_gets_a_step_more),
        cmocka_unit_test(users_value_comes_first),
        cmocka_unit_test(unknown_program_gets_a_share_of_the_time),
        cmocka_unit_test(memory_and_disk_predict_the_first_save),
        cmocka_unit_test(a_save_that_was_seen_grows_with_memory),
        cmocka_unit_test(only_large_changes_are_reported),
        cmocka_unit_test(a_file_that_grows_is_a_save),
        cmocka_unit_test(a_file_written_anew_in_its_place_is_one_too),
        cmocka_unit_test(logs_and_small_files_are_none),
        cmocka_unit_test(what_stays_open_is_over_in_time),
        cmocka_unit_test(many_files_do_not_overflow),
        cmocka_unit_test(names_of_saves),
        cmocka_unit_test(dates_of_files_say_what_a_save_took),
        cmocka_unit_test(launchers_are_recognized),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
