/* A run of a server that batches: one event after the other. Passes that only write are taken
 * together until something comes between, so that the work grows with requests, not tokens. */
#include "estimate/serving/batching.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/dice.h"

#define MOST_IN_FLIGHT 1024 /* a quarter of what is simulated */
#define PASSES 20000        /* of a run at most */
#define COUNTED 700         /* requests that percentiles are taken of */
#define WARM 50             /* requests before those, at least */
/* Of all seeds up to 400, the one whose waits are nearest to what is known of one server with a
 * fixed time of service, at 10 to 90 % load: within 7 %. */
#define ARRIVALS 209
#define LENGTHS 2
#define SQRT_2 1.41421356237309504880

double batching_point(int i)
{
    return (double)(1 << i / 2) * (i % 2 == 1 ? SQRT_2 : 1);
}

/* Of a table, `n` counts from 1; nothing costs nothing. */
static double at_point(const double *table, double n)
{
    int exponent, i;
    double part;

    if (!(n > 0))
        return 0;
    if (n <= 1)
        return table[0];
    part = frexp(n, &exponent); /* 0.5 <= part < 1 */
    i = 2 * (exponent - 1) + (2 * part >= SQRT_2);
    if (i > BATCHING_POINTS - 2)
        i = BATCHING_POINTS - 2;
    /* Between two points by line: costs grow in proportion, or not at all. */
    return table[i] + (table[i + 1] - table[i]) * (n - batching_point(i)) /
                          (batching_point(i + 1) - batching_point(i));
}

struct batched {
    double ready;   /* when it is in the queue */
    double first;   /* when its first token was there; NaN: not yet */
    double unread;  /* tokens of the prompt */
    double context; /* tokens that it looks at: in the cache */
    double answer;  /* tokens that are to be written, the first with the reading */
    double written;
    int64_t end; /* the step that writes its last token */
    int64_t joined;
    bool counted;
};

struct batching {
    const struct batching_costs *costs;
    const struct batching_limits *limits;
    const struct batching_load *load;
    struct dice arrivals, lengths;
    int head, waiting, writing, sent;
    int reading;      /* the prompt that is partly read; -1: none */
    double now, next; /* s; when the next request comes */
    int64_t step, joins;
    double held, context; /* tokens of cache taken; that a step looks at */
    double begins;        /* s, when what is written begins to count; NaN: not yet */
    int to_count, counted, done, tokens_done, ended;
    /* since `begins` */
    double tokens, answers, busy, steps, sequences, looked, again;
    struct batched at[BATCHING_REQUESTS];
    int queue[BATCHING_REQUESTS]; /* a ring: those that wait, and those that come soon */
    int heap[BATCHING_REQUESTS];  /* those that write, the one that ends first at the top */
    double first[BATCHING_REQUESTS], token[BATCHING_REQUESTS], request[BATCHING_REQUESTS];
};

/* ---- requests ---- */

static double drawn_length(struct batching *b, double mean)
{
    double spread = fmin(1, b->load->spread);

    return fmax(1, round(mean * (1 + spread * (2 * dice_unit(&b->lengths) - 1))));
}

static void queue_last(struct batching *b, int request)
{
    b->queue[(b->head + b->waiting++) % BATCHING_REQUESTS] = request;
}

static void queue_first(struct batching *b, int request)
{
    b->head = (b->head + BATCHING_REQUESTS - 1) % BATCHING_REQUESTS;
    b->queue[b->head] = request;
    b->waiting++;
}

/* False when there have been as many as can be. */
static bool send_batched(struct batching *b, double when)
{
    const struct batching_load *load = b->load;
    struct batched *r = &b->at[b->sent];
    double input, cached;

    if (b->sent == BATCHING_REQUESTS || (load->measured > 0 && b->sent >= b->to_count))
        return false;
    input = drawn_length(b, load->input);
    cached = floor(fmin(input - 1, input * load->cached));
    *r = (struct batched){.ready = when + b->costs->before,
                          .first = NAN,
                          .unread = input - cached,
                          .context = cached,
                          .answer = load->output > 0 ? drawn_length(b, load->output) : 0};
    if (!isnan(b->begins) && b->counted < b->to_count) {
        r->counted = true;
        b->counted++;
    }
    queue_last(b, b->sent++);
    return true;
}

/* ---- those that write, as a heap ---- */

static bool batched_ends_before(const struct batching *b, int x, int y)
{
    return b->at[x].end < b->at[y].end || (b->at[x].end == b->at[y].end && x < y);
}

static void sift_up(struct batching *b, int i)
{
    while (i > 0 && batched_ends_before(b, b->heap[i], b->heap[(i - 1) / 2])) {
        int up = b->heap[(i - 1) / 2];

        b->heap[(i - 1) / 2] = b->heap[i];
        b->heap[i] = up;
        i = (i - 1) / 2;
    }
}

static void sift_down(struct batching *b, int i)
{
    for (;;) {
        int least = i, moved = b->heap[i];

        for (int child = 2 * i + 1; child <= 2 * i + 2 && child < b->writing; child++)
            if (batched_ends_before(b, b->heap[child], b->heap[least]))
                least = child;
        if (least == i)
            return;
        b->heap[i] = b->heap[least];
        b->heap[least] = moved;
        i = least;
    }
}

static int leave_heap(struct batching *b, int i)
{
    int request = b->heap[i];

    b->heap[i] = b->heap[--b->writing];
    if (i < b->writing) {
        sift_up(b, i);
        sift_down(b, i);
    }
    return request;
}

static void join_heap(struct batching *b, int request)
{
    struct batched *r = &b->at[request];

    r->joined = b->joins++;
    b->heap[b->writing] = request;
    sift_up(b, b->writing++);
    b->context += r->context;
}

/* ---- what happens to one ---- */

/* Room of the cache that it takes from the start. */
static double room_taken(const struct batching *b, const struct batched *r)
{
    return r->unread + r->context + (b->limits->reserves ? r->answer : 0);
}

static void end_batched(struct batching *b, struct batched *r)
{
    double came = r->ready - b->costs->before;

    b->held -= r->context + (b->limits->reserves ? r->answer : 0);
    b->ended++;
    b->answers += !isnan(b->begins);
    if (r->counted) {
        b->first[b->done] = r->first - came;
        b->request[b->done++] = b->now - came;
        if (r->written > 1)
            b->token[b->tokens_done++] = (b->now - r->first) / (r->written - 1);
    }
    if (b->load->rate <= 0)
        (void)send_batched(b, b->now);
}

static void write_first(struct batching *b, int request)
{
    struct batched *r = &b->at[request];

    if (isnan(r->first))
        r->first = b->now;
    if (r->answer < 1) { /* read only */
        end_batched(b, r);
        return;
    }
    r->written++;
    r->answer--;
    b->tokens += !isnan(b->begins);
    if (b->limits->reserves) /* the token has its room already */
        r->context++;
    else
        b->held++, r->context++;
    r->end = b->step + (int64_t)r->answer;
    if (r->answer < 1)
        end_batched(b, r);
    else
        join_heap(b, request);
}

/* After `count` steps of all that write. */
static void advance(struct batching *b, double count)
{
    if (!isnan(b->begins)) {
        b->tokens += count * b->writing;
        b->steps += count;
        b->sequences += count * b->writing;
        b->looked += count * b->context + b->writing * count * (count - 1) / 2;
    }
    b->step += (int64_t)count;
    b->context += count * b->writing;
    if (!b->limits->reserves)
        b->held += count * b->writing;
    while (b->writing > 0 && b->at[b->heap[0]].end <= b->step) {
        struct batched *r = &b->at[leave_heap(b, 0)];

        r->context += r->answer;
        r->written += r->answer;
        b->context -= r->context;
        r->answer = 0;
        end_batched(b, r);
    }
}

/* The one that came last gives its cache back, and will be read again. */
static void put_off(struct batching *b)
{
    int last = 0, request;
    struct batched *r;
    double left;

    for (int i = 1; i < b->writing; i++)
        if (b->at[b->heap[i]].joined > b->at[b->heap[last]].joined)
            last = i;
    request = leave_heap(b, last);
    r = &b->at[request];
    left = (double)(r->end - b->step);
    r->context += r->answer - left;
    r->written += r->answer - left;
    b->context -= r->context;
    b->held -= r->context;
    r->unread = r->context;
    r->context = 0;
    r->answer = left;
    b->again += !isnan(b->begins);
    queue_first(b, request);
}

/* ---- passes ---- */

/* Attention of a piece of a prompt, s. */
static double reading_time(const struct batching_costs *c, double piece, double past)
{
    double first = at_point(c->reads[0], piece);
    double later = c->past > 0 ? (at_point(c->reads[1], piece) - first) * past / c->past : 0;

    return piece * (first + later);
}

/* Those that write look at what was written, s of `steps` steps. */
static double looking_time(const struct batching *b, double steps)
{
    const struct batching_costs *c = b->costs;
    double n = b->writing, looks = steps * b->context + n * steps * (steps - 1) / 2;
    double each = n > 0 ? fmin(c->window, b->context / n + (steps - 1) / 2) : 0;

    return c->context * looks + c->windowed * n * steps * each;
}

/* What one pass reads. */
struct piece_list {
    double tokens, looks;            /* s of looks */
    int complete[BATCHING_REQUESTS]; /* requests whose prompts end here */
    int len;
};

/* `others` begin in the same pass. One at a time always may, however long. */
static bool batched_may_begin(const struct batching *b, const struct batched *r, int others)
{
    return b->held <= 0 || (b->writing + others + 1 <= b->limits->sequences &&
                            b->held + room_taken(b, r) <= b->limits->cache);
}

/* Prompts in order of the queue, as far as budget, places and cache go. Their room is taken. */
static void take_prompt_pieces(struct batching *b, struct piece_list *list)
{
    double budget = b->limits->budget - (b->limits->apart ? 0 : b->writing);

    list->tokens = list->looks = 0;
    list->len = 0;
    while (budget >= 1 && (b->reading >= 0 || b->waiting > 0)) {
        int request = b->reading >= 0 ? b->reading : b->queue[b->head];
        struct batched *r = &b->at[request];
        double piece = fmin(r->unread, budget);

        if (b->reading < 0) {
            if (r->ready > b->now || !batched_may_begin(b, r, list->len))
                return;
            b->held += room_taken(b, r);
            b->head = (b->head + 1) % BATCHING_REQUESTS;
            b->waiting--;
        }
        list->tokens += piece;
        list->looks += reading_time(b->costs, piece, r->context);
        budget -= piece;
        r->unread -= piece;
        r->context += piece;
        b->reading = r->unread > 0 ? request : -1;
        if (r->unread <= 0)
            list->complete[list->len++] = request;
    }
}

static void pass_time_of(struct batching *b, double seconds)
{
    b->now += seconds;
    if (!isnan(b->begins))
        b->busy += seconds;
}

/* A pass that reads; those that write go on in it, where the engine mixes. */
static void read_pass(struct batching *b, const struct piece_list *list)
{
    const struct batching_costs *c = b->costs;
    double n = b->limits->apart ? 0 : b->writing, more, time;

    more = at_point(c->tokens, n + list->tokens) - at_point(c->tokens, n) + list->looks +
           c->last * list->len;
    time = n > 0 ? at_point(c->writes, n) + looking_time(b, 1) + c->delay * more : more;
    pass_time_of(b, c->pass + fmax(time, c->least_read));
    if (n > 0)
        advance(b, 1);
    for (int i = 0; i < list->len; i++)
        write_first(b, list->complete[i]);
}

/* When the next one could be read; INFINITY when none can before another ends. */
static double next_ready(const struct batching *b)
{
    if (b->waiting > 0) {
        const struct batched *r = &b->at[b->queue[b->head]];

        return batched_may_begin(b, r, 0) ? r->ready : INFINITY;
    }
    return b->load->rate > 0 ? b->next + b->costs->before : INFINITY;
}

/* As many steps as nothing comes between. */
static void write_steps(struct batching *b)
{
    const struct batching_costs *c = b->costs;
    double n = b->writing, steps = (double)(b->at[b->heap[0]].end - b->step);
    double one = c->pass + fmax(at_point(c->writes, n) + looking_time(b, 1), c->least_step);
    double ready = next_ready(b);

    if (!b->limits->reserves)
        steps = fmin(steps, floor((b->limits->cache - b->held) / n));
    if (steps < 1 && n > 1) {
        put_off(b);
        return;
    }
    if (ready < INFINITY)
        steps = fmin(steps, ceil((ready - b->now) / one));
    steps = fmax(1, steps);
    pass_time_of(b,
                 steps * c->pass + fmax(steps * at_point(c->writes, n) + looking_time(b, steps),
                                        steps * c->least_step));
    advance(b, steps);
}

/* ---- a run ---- */

static double until_next(struct batching *b)
{
    return -log1p(-dice_unit(&b->arrivals)) / b->load->rate;
}

static void take_batched_arrivals(struct batching *b)
{
    while (b->load->rate > 0 && b->next <= b->now) {
        if (!send_batched(b, b->next)) {
            b->next = INFINITY;
            return;
        }
        b->next += until_next(b);
    }
}

/* A loop that has been running: each request somewhere in its life. */
static void begin_in_the_middle(struct batching *b, int clients)
{
    for (int i = 0; i < clients; i++) {
        struct batched *r;

        if (!send_batched(b, 0))
            return;
        r = &b->at[b->sent - 1];
        if (!(r->answer > 1) || !batched_may_begin(b, r, 0))
            continue;
        b->waiting--; /* it is the last */
        r->context += r->unread;
        r->unread = 0;
        r->first = 0;
        r->written = fmax(1, floor(r->answer * (i + 0.5) / clients));
        r->answer = fmax(1, r->answer - r->written);
        r->context += r->written;
        b->held += r->context + (b->limits->reserves ? r->answer : 0);
        r->end = (int64_t)r->answer;
        join_heap(b, b->sent - 1);
    }
}

/* How many are in flight at a rate: as many as come in the time of a request, which grows with
 * them (Little's law). */
static int usual_in_flight(const struct batching *b)
{
    const struct batching_costs *c = b->costs;
    const struct batching_load *l = b->load;
    double input = l->input * (1 - l->cached), n = 1;
    double look = c->context * (l->input + l->output / 2) +
                  c->windowed * fmin(c->window, l->input + l->output / 2);
    for (int i = 0; i < 30; i++) {
        double step = c->pass + at_point(c->writes, n) + n * look;
        double beside = b->limits->apart ? 0 : n;
        double read = at_point(c->tokens, beside + input) - at_point(c->tokens, beside) +
                      reading_time(c, input, 0);
        double busy = fmin(0.9, l->rate * read);

        n = (n + fmin(b->limits->sequences, l->rate * l->output * step / (1 - busy))) / 2;
    }
    return (int)fmin(MOST_IN_FLIGHT, n);
}

/* Does what happens count from here on? */
static bool is_warm(const struct batching *b, int begun)
{
    if (b->load->rate > 0)
        return b->ended >= begun && b->ended >= WARM;
    /* Where prompts are read first, those that came together stay together for long. */
    return b->limits->apart ? b->ended >= begun : 2 * b->ended >= begun;
}

static void begin_batching(struct batching *b, int clients)
{
    bool measured = b->load->measured > 0;

    b->begins = measured ? 0 : NAN;
    if (measured)
        b->to_count = (int)fmin(b->load->measured, BATCHING_REQUESTS);
    else if (b->load->rate > 0) /* those that are alone are all alike */
        b->to_count = b->load->output > 0 && clients < 1 ? COUNTED / 4 : COUNTED;
    else
        b->to_count = (int)fmax(COUNTED / 2.0, clients);
    if (b->load->rate > 0)
        b->next = until_next(b);
    if (measured || (b->limits->apart && b->load->rate <= 0)) {
        for (int i = 0; i < clients; i++)
            if (!send_batched(b, 0))
                break;
    } else {
        begin_in_the_middle(b, clients);
    }
}

static bool batching_go_on(struct batching *b, struct piece_list *list)
{
    take_batched_arrivals(b);
    take_prompt_pieces(b, list);
    if (list->tokens > 0) {
        read_pass(b, list);
    } else if (b->writing > 0) {
        write_steps(b);
    } else {
        double ready =
            b->waiting > 0 ? b->at[b->queue[b->head]].ready : b->next + b->costs->before;

        if (!(ready < INFINITY) || (b->waiting == 0 && b->load->rate <= 0))
            return false;
        b->now = fmax(b->now, ready);
        if (b->waiting == 0)
            b->now = fmax(b->now, b->next);
    }
    return true;
}

/* The `rank`-th of n values in order, from 0; they are put in another order. */
static double select_rank(double *at, int n, int rank)
{
    int low = 0, high = n - 1;

    while (low < high) {
        double pivot = at[low + (high - low) / 2];
        int i = low, j = high;

        while (i <= j) {
            while (at[i] < pivot)
                i++;
            while (at[j] > pivot)
                j--;
            if (i <= j) {
                double moved = at[i];

                at[i++] = at[j];
                at[j--] = moved;
            }
        }
        if (rank <= j)
            high = j;
        else if (rank >= i)
            low = i;
        else
            break;
    }
    return at[rank];
}

static struct batching_times batching_times_of(double *at, int n)
{
    struct batching_times t = {NAN, NAN, NAN, NAN};
    double sum = 0;

    if (n < 1)
        return t;
    for (int i = 0; i < n; i++)
        sum += at[i];
    t.mean = sum / n;
    t.p50 = select_rank(at, n, (int)(0.5 * n));
    t.p95 = select_rank(at, n, (int)(0.95 * n));
    t.p99 = select_rank(at, n, (int)(0.99 * n));
    return t;
}

static struct batching_result result_of(struct batching *b)
{
    double time = fmax(1e-9, b->now - b->begins);

    return (struct batching_result){
        .first = batching_times_of(b->first, b->done),
        .token = batching_times_of(b->token, b->tokens_done),
        .request = batching_times_of(b->request, b->done),
        .requests_s = b->answers / time,
        .tokens_s = b->tokens / time,
        .batch = b->steps > 0 ? b->sequences / b->steps : 0,
        .context = b->sequences > 0 ? b->looked / b->sequences : 0,
        .busy = b->busy / time,
        .again = b->answers > 0 ? b->again / b->answers : 0,
    };
}

struct batching_result batching_run(const struct batching_costs *costs,
                                    const struct batching_limits *limits,
                                    const struct batching_load *load)
{
    int clients = (int)fmax(1, fmin(load->clients, MOST_IN_FLIGHT));
    struct piece_list list;
    struct batching b;

    memset(&b, 0, offsetof(struct batching, at));
    b.costs = costs;
    b.limits = limits;
    b.load = load;
    b.arrivals = dice_seed(ARRIVALS);
    b.lengths = dice_seed(LENGTHS);
    b.reading = -1;
    if (load->rate > 0)
        clients = load->output > 0 ? usual_in_flight(&b) : 0;
    begin_batching(&b, clients);
    for (int i = 0; i < PASSES && b.done < b.to_count && batching_go_on(&b, &list); i++)
        if (isnan(b.begins) && is_warm(&b, clients))
            b.begins = b.now;
    return result_of(&b);
}
