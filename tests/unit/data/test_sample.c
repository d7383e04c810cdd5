/* Which examples a fraction of a data set has. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/map.h"
#include "data/sample/sample_count.h"
#include "data/sample/sample_rows.h"

struct sampled {
    struct arena arena;
    struct tree tree;
    struct sample_set set;
};

static void add_path(struct sampled *s, const char *path)
{
    struct error err = {0};
    struct tree_entry *e = tree_add_entry(&s->tree, &err);

    assert_non_null(e);
    *e = (struct tree_entry){.kind = TREE_FILE};
    assert_true(str_keep(str_from(path), &s->arena, &e->path, &err));
}

static void begin_set(struct sampled *s)
{
    *s = (struct sampled){.arena = test_arena()};
    s->tree.arena = &s->arena;
}

static void divide(struct sampled *s, const struct sample_rules *rules)
{
    static const struct sample_rules plain = {0};
    struct error err = {0};

    assert_true(
        sample_divide(&s->tree, rules != NULL ? rules : &plain, &s->arena, &s->set, &err));
}

/* The pattern with the number in place of its '#'. */
static const char *numbered(const char *pattern, int number)
{
    static char path[100];
    const char *mark = strchr(pattern, '#');

    if (mark == NULL)
        return pattern;
    (void)snprintf(path, sizeof path, "%.*s%d%s", (int)(mark - pattern), pattern, number,
                   mark + 1);
    return path;
}

/* `count` files of each of the patterns. */
static void add_many(struct sampled *s, int count, const char *a, const char *b)
{
    for (int i = 0; i < count; i++) {
        add_path(s, numbered(a, i));
        if (b != NULL)
            add_path(s, numbered(b, i));
    }
}

static size_t entries_in(const struct sampled *s, double fraction)
{
    size_t count = 0;

    for (size_t i = 0; i < s->tree.count; i++)
        count += sample_has(&s->set, i, fraction);
    return count;
}

static size_t example_of(const struct sampled *s, const char *path)
{
    for (size_t i = 0; i < s->tree.count; i++)
        if (str_eq(s->tree.entries[i].path, str_from(path)))
            return s->set.example_of[i];
    fail_msg("no %s", path);
    return 0;
}

static void each_folder_gives_its_part(void **state)
{
    struct sampled s;
    size_t cats = 0;

    (void)state;
    begin_set(&s);
    add_many(&s, 1000, "cats/#.jpg", "cats/#.txt");
    add_many(&s, 200, "dogs/#.png", NULL);
    add_path(&s, "LICENSE");
    add_path(&s, "classes.txt");
    add_path(&s, "data.yaml");
    divide(&s, NULL);
    assert_int_equal(s.set.count, 1200);
    assert_int_equal(s.set.group_count, 2);
    for (size_t i = 0; i < s.set.count; i++)
        cats += s.set.examples[i].from < 0.05 && s.set.examples[i].group == 0;
    assert_int_equal(cats, 50);
    assert_int_equal(entries_in(&s, 0.05), 2 * 50 + 10 + 3); /* and what is of the whole set */
    assert_int_equal(entries_in(&s, 1), 2203);
    assert_int_equal(example_of(&s, "classes.txt"), SAMPLE_NONE);
    assert_int_equal(example_of(&s, "cats/7.jpg"), example_of(&s, "cats/7.txt"));
    arena_free(&s.arena);
}

static void larger_fractions_contain_smaller_ones(void **state)
{
    struct sampled s;

    (void)state;
    begin_set(&s);
    add_many(&s, 300, "a/#.wav", "b/#.wav");
    divide(&s, NULL);
    for (size_t i = 0; i < s.tree.count; i++)
        for (double f = 0.01; f < 1; f += 0.07)
            assert_true(!sample_has(&s.set, i, f) || sample_has(&s.set, i, f + 0.05));
    arena_free(&s.arena);
}

/* The same examples, whatever else is there: only names count. */
static void the_choice_is_that_of_names(void **state)
{
    struct sampled s, more;
    struct sample_rules other = {.seed = 1};
    size_t same = 0, first = 0;

    (void)state;
    begin_set(&s);
    begin_set(&more);
    add_many(&s, 1000, "a/#.jpg", NULL);
    add_many(&more, 1000, "a/#.jpg", NULL);
    add_many(&more, 1000, "b/#.jpg", NULL);
    divide(&s, NULL);
    divide(&more, NULL);
    for (size_t i = 0; i < 1000; i++)
        assert_int_equal(sample_has(&s.set, i, 0.1), sample_has(&more.set, i, 0.1));
    assert_true(sample_has(&s.set, 3, 1));
    divide(&more, &other);
    for (size_t i = 0; i < 1000; i++) {
        first += sample_has(&s.set, i, 0.1);
        same += sample_has(&s.set, i, 0.1) && sample_has(&more.set, i, 0.1);
    }
    assert_int_equal(first, 100);
    assert_true(same < 40); /* 10 by chance */
    arena_free(&s.arena);
    arena_free(&more.arena);
}

static void small_groups_are_right_on_average(void **state)
{
    struct sample_rules one = {.least = 1};
    struct sampled s;

    (void)state;
    begin_set(&s);
    add_many(&s, 2000, "speaker#/a.flac", NULL);
    divide(&s, NULL);
    assert_in_range(entries_in(&s, 0.1), 160, 240);
    divide(&s, &one);
    assert_int_equal(entries_in(&s, 0.1), 2000);
    arena_free(&s.arena);
}

static void files_beside_images_belong_to_them(void **state)
{
    struct sampled s;

    (void)state;
    begin_set(&s);
    add_many(&s, 50, "train/images/#.jpg", "train/labels/#.txt");
    add_many(&s, 50, "JPEGImages/v#.jpg", "SegmentationClass/v#.png");
    add_path(&s, "train/images/sub/x.jpg");
    add_path(&s, "train/masks/sub/x.png");
    add_path(&s, "y.jpg");
    add_path(&s, "y.jpg.json");
    divide(&s, NULL);
    assert_int_equal(example_of(&s, "train/images/4.jpg"),
                     example_of(&s, "train/labels/4.txt"));
    assert_int_equal(example_of(&s, "JPEGImages/v4.jpg"),
                     example_of(&s, "SegmentationClass/v4.png"));
    assert_int_equal(example_of(&s, "train/images/sub/x.jpg"),
                     example_of(&s, "train/masks/sub/x.png"));
    assert_int_equal(example_of(&s, "y.jpg"), example_of(&s, "y.jpg.json"));
    assert_int_equal(s.set.count, 102);
    arena_free(&s.arena);
}

static void labels_are_groups(void **state)
{
    struct str even = STR("even"), odd = STR("odd");
    char names[100][10];
    struct sampled s;
    struct map labels;
    struct sample_rules rules = {.labels = &labels};
    struct error err = {0};

    (void)state;
    begin_set(&s);
    labels = map_in_arena(&s.arena);
    add_many(&s, 100, "#.jpg", NULL);
    add_path(&s, "nolabel.jpg");
    for (int i = 0; i < 100; i++) {
        struct map_entry *e;

        (void)snprintf(names[i], sizeof names[i], i < 50 ? "%d" : "%d.jpg", i);
        e = map_add(&labels, str_from(names[i]), NULL, &err);
        assert_non_null(e);
        e->value = i % 10 == 0 ? &even : &odd;
    }
    divide(&s, &rules);
    assert_int_equal(s.set.group_count, 3);
    assert_int_equal(s.set.unlabeled, 1);
    assert_string_equal(s.set.groups[0].name.at, "even");
    assert_int_equal(s.set.groups[0].count, 10);
    assert_int_equal(s.set.groups[1].count, 90);
    arena_free(&s.arena);
}

static void text_is_an_example_where_there_is_nothing_else(void **state)
{
    struct sampled s;

    (void)state;
    begin_set(&s);
    add_many(&s, 100, "#.txt", NULL);
    add_path(&s, "README.md");
    divide(&s, NULL);
    assert_int_equal(s.set.count, 100);
    assert_int_equal(entries_in(&s, 0.2), 21);
    arena_free(&s.arena);
    begin_set(&s);
    divide(&s, NULL);
    assert_int_equal(s.set.count, 0);
    arena_free(&s.arena);
}

/* ---- rows of tables ---- */

static char folder[64];

static int make_sample_folder(void **state)
{
    (void)state;
    (void)snprintf(folder, sizeof folder, "/tmp/stint-rows-XXXXXX");
    return mkdtemp(folder) == NULL;
}

static int remove_sample_folder(void **state)
{
    char command[80];

    (void)state;
    (void)snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

static const char *sample_path(const char *name)
{
    static char paths[2][100];
    static unsigned next;
    char *path = paths[next++ % 2];

    (void)snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static struct sample_rows_sum count_rows(const char *path, const double *fractions,
                                         size_t count)
{
    const struct watch watch = {0};
    struct sample_rows work = {path, 0, fractions, count, &watch};
    struct sample_rows_sum sum;
    struct error err = {0};

    assert_true(sample_rows_count(&work, &sum, &err));
    return sum;
}

static void write_table(const char *path, const char *head, const char *pattern, int rows)
{
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    (void)fputs(head, file);
    for (int i = 0; i < rows; i++)
        (void)fprintf(file, "%s%s", i > 0 ? "\n" : "", numbered(pattern, i));
    assert_int_equal(fclose(file), 0);
}

static void rows_of_tables_are_examples(void **state)
{
    const double fractions[] = {0.05, 0.5, 1};
    const struct watch watch = {0};
    struct sample_rows work = {sample_path("a.jsonl"), 0, fractions, 1, &watch};
    struct sample_rows_sum sum, part;
    struct error err = {0};

    (void)state;
    write_table(work.path, "\n", "{\"text\": \"row #\"}", 10000);
    sum = count_rows(work.path, fractions, 3);
    assert_int_equal(sum.rows, 10000);
    assert_in_range(sum.taken[0].rows, 440, 560);
    assert_in_range(sum.taken[1].rows, 4850, 5150);
    assert_int_equal(sum.taken[2].rows, 10000);
    assert_true(sample_rows_write(&work, sample_path("part.jsonl"), &err));
    part = count_rows(sample_path("part.jsonl"), fractions, 3);
    assert_int_equal(part.rows, sum.taken[0].rows);
    assert_int_equal(part.taken[0].rows, sum.taken[0].rows); /* each is in it again */
}

/* A header is in every part, and a row goes on over newlines in quotes. */
static void a_csv_keeps_its_first_line(void **state)
{
    const double fractions[] = {0.1};
    const struct watch watch = {0};
    struct sample_rows work = {sample_path("a.csv"), 0, fractions, 1, &watch};
    struct sample_rows_sum sum, part;
    struct error err = {0};
    char head[32] = "";
    FILE *file;

    (void)state;
    write_table(work.path, "id,text\n", "#,\"two\n\"\"lines\"\"\"", 1000);
    sum = count_rows(work.path, fractions, 1);
    assert_int_equal(sum.rows, 1000);
    assert_true(sample_rows_write(&work, sample_path("part.csv"), &err));
    part = count_rows(sample_path("part.csv"), fractions, 1);
    assert_int_equal(part.rows, sum.taken[0].rows);
    assert_in_range(part.rows, 60, 140);
    file = fopen(sample_path("part.csv"), "rb");
    assert_non_null(file);
    assert_non_null(fgets(head, sizeof head, file));
    assert_string_equal(head, "id,text\n");
    (void)fclose(file);
}

static void a_row_has_a_largest_size(void **state)
{
    const double fractions[] = {0.1};
    const struct watch watch = {0};
    struct sample_rows work = {sample_path("a.jsonl"), 0, fractions, 1, &watch};
    struct sample_rows_sum sum;
    struct error err = {0};

    (void)state;
    write_table(work.path, "", "{}", 1);
    assert_int_equal(truncate(work.path, 65 << 20), 0);
    assert_false(sample_rows_count(&work, &sum, &err));
    assert_non_null(strstr(err.text, "has a row of more than 64 MB"));
    work.path = sample_path("none.jsonl");
    assert_false(sample_rows_count(&work, &sum, &err));
}

static void most_of_the_data_decides(void **state)
{
    struct sampled s;

    (void)state;
    begin_set(&s);
    add_path(&s, "README.md");
    add_path(&s, "train.jsonl");
    s.tree.entries[0].stat.size = 10;
    s.tree.entries[1].stat.size = 1000;
    divide(&s, NULL);
    assert_true(sample_divide_rows(&s.tree, &s.set));
    assert_int_equal(s.set.example_of[0], SAMPLE_NONE);
    s.tree.entries[0].stat.size = 10000;
    divide(&s, NULL);
    assert_false(sample_divide_rows(&s.tree, &s.set));
    arena_free(&s.arena);
}

#define ROWS_TEST(f) \
    cmocka_unit_test_setup_teardown(f, make_sample_folder, remove_sample_folder)

int group_sample(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_folder_gives_its_part),
        cmocka_unit_test(larger_fractions_contain_smaller_ones),
        cmocka_unit_test(the_choice_is_that_of_names),
        cmocka_unit_test(small_groups_are_right_on_average),
        cmocka_unit_test(files_beside_images_belong_to_them),
        cmocka_unit_test(labels_are_groups),
        cmocka_unit_test(text_is_an_example_where_there_is_nothing_else),
        ROWS_TEST(rows_of_tables_are_examples),
        ROWS_TEST(a_csv_keeps_its_first_line),
        ROWS_TEST(a_row_has_a_largest_size),
        cmocka_unit_test(most_of_the_data_decides),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
