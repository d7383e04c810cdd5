/* The library, opened by a path that is relative to a folder that is left afterwards. */
#include "test.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *library;

/* A file that is no library where parts would be found by the relative path. */
static void put_decoy(const char *folder)
{
    char path[200];
    int fd;

    (void)snprintf(path, sizeof path, "%s/parts", folder);
    assert_int_equal(mkdir(path, 0700), 0);
    (void)snprintf(path, sizeof path, "%s/parts/net.so", folder);
    fd = open(path, O_CREAT | O_WRONLY, 0600);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "decoy", 5), 5);
    (void)close(fd);
}

static void loads_parts_from_where_it_was_opened(void **state)
{
    char folder[] = "/tmp/stint-relative-XXXXXX", here[4096], name[4096], command[100];
    int (*call)(const char *name, const char *request, char **reply);
    void (*release)(char *reply);
    char *reply = NULL;
    void *handle;

    (void)state;
    assert_non_null(mkdtemp(folder));
    put_decoy(folder);
    (void)snprintf(here, sizeof here, "%s", library);
    (void)snprintf(name, sizeof name, "./%s", basename(here));
    (void)snprintf(here, sizeof here, "%s", library);
    assert_int_equal(chdir(dirname(here)), 0);
    handle = dlopen(name, RTLD_NOW);
    if (handle == NULL)
        fail_msg("%s", dlerror());
    assert_int_equal(chdir(folder), 0);
    assert_int_equal(unsetenv("STINT_PARTS"), 0);
    assert_int_equal(setenv("HOME", folder, 1), 0);
    assert_int_equal(setenv("LAMBDA_API_KEY", "none", 1), 0);
    assert_int_equal(setenv("STINT_URL_LAMBDA", "http://127.0.0.1:1", 1), 0);
    *(void **)&call = dlsym(handle, "stint_call");
    *(void **)&release = dlsym(handle, "stint_free");
    assert_int_not_equal(
        call("price.fetch", "{\"providers\":[\"lambda\"],\"tries\":1}", &reply), 0);
    assert_non_null(reply);
    if (strstr(reply, "no connection") == NULL)
        fail_msg("%s", reply);
    release(reply);
    (void)snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_parts_from_where_it_was_opened),
    };

    library = argc > 1 ? argv[1] : "libstint.so";
    return cmocka_run_group_tests_name("tests", tests, NULL, NULL);
}
