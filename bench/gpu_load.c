#include "gpu_load.h"

#include <dlfcn.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Multiplies and adds in registers, in four chains, `loops` times. What it stores is never
 * looked at, but the compiler cannot know. */
static const char program[] =
    ".address_size 64\n"
    ".visible .entry burn(.param .u64 to, .param .u32 loops)\n"
    "{\n"
    ".reg .pred %p;\n.reg .f32 %a,%b,%c,%d,%m,%n;\n.reg .b32 %i,%t;\n.reg .b64 %q;\n"
    "ld.param.u64 %q,[to];\nld.param.u32 %i,[loops];\n"
    "mov.u32 %t,%tid.x;\ncvt.rn.f32.u32 %a,%t;\n"
    "mov.f32 %b,0f3F800000;\nmov.f32 %c,0f3F000000;\nmov.f32 %d,0f40000000;\n"
    "mov.f32 %m,0f3F7FFFF0;\nmov.f32 %n,0f3A83126F;\n"
    "LOOP:\n"
    "fma.rn.f32 %a,%a,%m,%n;\nfma.rn.f32 %b,%b,%m,%n;\n"
    "fma.rn.f32 %c,%c,%m,%n;\nfma.rn.f32 %d,%d,%m,%n;\n"
    "fma.rn.f32 %a,%a,%m,%n;\nfma.rn.f32 %b,%b,%m,%n;\n"
    "fma.rn.f32 %c,%c,%m,%n;\nfma.rn.f32 %d,%d,%m,%n;\n"
    "sub.u32 %i,%i,1;\nsetp.ne.u32 %p,%i,0;\n@%p bra LOOP;\n"
    "add.f32 %a,%a,%b;\nadd.f32 %c,%c,%d;\nadd.f32 %a,%a,%c;\n"
    "setp.gt.f32 %p,%a,0f7F000000;\n@%p st.global.f32 [%q],%a;\n"
    "ret;\n}\n";

/* Newest first: a driver knows what is older than itself, up to a point. */
static const char *const heads[] = {
    ".version 7.0\n.target sm_80\n", ".version 6.3\n.target sm_75\n",
    ".version 6.0\n.target sm_70\n", ".version 5.0\n.target sm_52\n"};

struct cuda {
    int (*init)(unsigned);
    int (*device)(int *, int);
    int (*attribute)(int *, int, int);
    int (*context)(void **, unsigned, int);
    int (*module)(void **, const void *);
    int (*function)(void **, void *, const char *);
    int (*memory)(uint64_t *, size_t);
    int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                  void *, void **, void **);
    int (*wait)(void);
    void *kernel;
    uint64_t place;
    unsigned blocks, loops;
};

double bench_now(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

void bench_sleep_until(double when)
{
    double left = when - bench_now();

    if (left > 0)
        (void)nanosleep(&(struct timespec){(time_t)left, (long)(fmod(left, 1) * 1e9)}, NULL);
}

static bool find(void *library, const char *name, void *to)
{
    void *symbol = dlsym(library, name);

    memcpy(to, &symbol, sizeof symbol);
    return symbol != NULL;
}

static bool load_library(struct cuda *cuda)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW);

    return library != NULL && find(library, "cuInit", &cuda->init) &&
           find(library, "cuDeviceGet", &cuda->device) &&
           find(library, "cuDeviceGetAttribute", &cuda->attribute) &&
           find(library, "cuCtxCreate_v2", &cuda->context) &&
           find(library, "cuModuleLoadData", &cuda->module) &&
           find(library, "cuModuleGetFunction", &cuda->function) &&
           find(library, "cuMemAlloc_v2", &cuda->memory) &&
           find(library, "cuLaunchKernel", &cuda->launch) &&
           find(library, "cuCtxSynchronize", &cuda->wait);
}

static bool compile(struct cuda *cuda)
{
    char text[sizeof program + 64];
    void *module;

    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        (void)snprintf(text, sizeof text, "%s%s", heads[i], program);
        if (cuda->module(&module, text) == 0)
            return cuda->function(&cuda->kernel, module, "burn") == 0;
    }
    return false;
}

/* Seconds of one launch, or less than nothing when it failed. */
static double launch(struct cuda *cuda)
{
    void *arguments[] = {&cuda->place, &cuda->loops};
    double start = bench_now();

    if (cuda->launch(cuda->kernel, cuda->blocks, 1, 1, 256, 1, 1, 0, NULL, arguments, NULL) !=
            0 ||
        cuda->wait() != 0)
        return -1;
    return bench_now() - start;
}

static const char *prepare(struct cuda *cuda, const struct gpu_load *load)
{
    int device = 0, processors = 0;
    void *context;

    if (!load_library(cuda))
        return "cannot open libcuda.so.1";
    if (cuda->init(0) != 0 || cuda->device(&device, 0) != 0 ||
        cuda->attribute(&processors, 16, device) != 0)
        return "CUDA finds no device";
    if (cuda->context(&context, 4, device) != 0) /* waits without spinning */
        return "CUDA makes no context";
    if (!compile(cuda) || cuda->memory(&cuda->place, 4096) != 0)
        return "the driver does not compile the program";
    cuda->blocks = (unsigned)fmax(processors * 8 * load->part, 1);
    cuda->loops = 1000;
    return NULL;
}

/* How many loops make a launch of the length that is wanted; what it takes then, in ms. The
 * device should be free meanwhile. */
static double calibrate(struct cuda *cuda, double wanted_ms)
{
    double took = 0;

    for (int i = 0; i < 12; i++) {
        took = launch(cuda) * 1e3;
        if (took < 0)
            return -1;
        if (took > wanted_ms * 0.9 && took < wanted_ms * 1.1 && i > 4)
            break;
        cuda->loops = (unsigned)fmin(fmax(cuda->loops * wanted_ms / fmax(took, 0.01), 1), 4e8);
    }
    took = 1e9;
    for (int i = 0; i < 5; i++)
        took = fmin(took, launch(cuda) * 1e3);
    return took;
}

static void work(struct gpu_load *load)
{
    struct cuda cuda = {0};
    const char *why = prepare(&cuda, load);
    double alone, next;

    if (why != NULL || (alone = calibrate(&cuda, load->launch_ms)) <= 0) {
        (void)snprintf(load->why, sizeof load->why, "%s",
                       why != NULL ? why : "the device fails");
        load->ready = -1;
        return;
    }
    load->ready = 1;
    while (load->go == 0 && load->stop == 0)
        bench_sleep_until(bench_now() + 0.002);
    next = bench_now();
    while (load->stop == 0) {
        double until = next + load->on_ms / 1e3;

        do {
            double took = launch(&cuda);

            if (took < 0)
                return;
            load->launches += 1;
            load->alone_ms += alone;
            load->busy_ms += took * 1e3;
        } while (load->stop == 0 && (load->off_ms <= 0 || bench_now() < until));
        next += (load->on_ms + load->off_ms) / 1e3;
        if (next < bench_now())
            next = bench_now();
        bench_sleep_until(next);
    }
}

struct gpu_load *gpu_loads(unsigned count)
{
    void *memory = mmap(NULL, count * sizeof(struct gpu_load), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    return memory == MAP_FAILED ? NULL : memory;
}

pid_t gpu_load_start(struct gpu_load *load)
{
    double patience = bench_now() + 30;
    pid_t child;

    (void)fflush(stdout);
    child = fork();
    if (child == 0) {
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
        work(load);
        _exit(0);
    }
    while (child > 0 && load->ready == 0 && bench_now() < patience)
        bench_sleep_until(bench_now() + 0.005);
    if (child > 0 && load->ready == 1)
        return child;
    if (load->ready == 0)
        (void)snprintf(load->why, sizeof load->why, "the load does not start within 30 s");
    if (child > 0)
        gpu_load_end(load, child);
    return -1;
}

void gpu_load_end(struct gpu_load *load, pid_t child)
{
    double patience = bench_now() + 5;
    int how;

    load->stop = 1;
    while (waitpid(child, &how, WNOHANG) == 0) {
        if (bench_now() > patience)
            (void)kill(child, SIGKILL);
        bench_sleep_until(bench_now() + 0.005);
    }
}
