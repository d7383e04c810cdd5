#include "estimate/joined.h"

#include "estimate/money/terms.h"

void joined_describe(const struct estimate_input *in, struct notes *notes, struct estimate *res)
{
    const struct estimate_place *p = in->place;
    const struct network *row = p->join.row;
    const struct hardware *hw = &p->hardware;

    if (hw->gpus <= hw->per_node)
        return;
    res->network_gbit_s = choose_network_gbit_s(hw);
    if (hw->network_gb_s > 0 && row != NULL) {
        res->network = row->kind;
        res->network_date = row->fact.date;
        if (str_eq(row->quality, STR("C")))
            note(notes, "the rate of this network is not verified%s",
                 in->job->kind == JOB_TRAIN ? ": the range includes one 1.5 times slower" : "");
        return;
    }
    res->network = STR("(assumed)");
    if (p->not_sold)
        note(notes,
             "no offer with %.*s can be joined to %lld GPUs: its network is assumed, and there "
             "is no price",
             STR_ARG(hw->gpu->name), (long long)hw->gpus);
    else
        note(notes, "the network between the machines is assumed: none is known");
}

/* What a new account may not do. */
static void note_limits(const struct estimate_input *in, struct notes *notes)
{
    const struct estimate_place *p = in->place;
    struct limit_check check = {.provider = p->provider,
                                .instance = p->instance,
                                .market = p->market,
                                .machines = p->machines,
                                .gpus = p->machines * p->hardware.per_node,
                                .vcpus = p->vcpus,
                                .price = p->price};
    char text[LIMIT_TEXT];

    if (limit_words(in->catalog, &check, text))
        note(notes, "%s", text);
}

/* More machines than can be had, as far as is known. */
static void warn_supply(const struct estimate_input *in)
{
    const struct estimate_place *p = in->place;
    const struct joining *j = &p->join;

    if (j->supply == 0)
        message_warn(in->messages, "%.*s is sold by contract only", STR_ARG(p->offer));
    else
        message_warn(in->messages, "%lld machines of %.*s are needed, and %s %lld %s %s",
                     (long long)p->machines, STR_ARG(p->offer),
                     j->supply == 1 ? "only" : "at most", (long long)j->supply,
                     j->supply == 1 ? "is" : "are",
                     j->given     ? "available, as set with --supply"
                     : j->assumed ? "assumed to be available (--supply sets it)"
                                  : "available without a contract (--supply sets it)");
}

void joined_note_supply(const struct estimate_input *in, struct notes *notes)
{
    const struct estimate_place *p = in->place;
    bool several = p->machines > 1;

    if (p->offer.len == 0)
        return;
    if (p->machines > p->join.supply)
        warn_supply(in);
    else if (several && p->join.assumed)
        note(notes,
             "up to %lld machines are assumed to be available: %.*s publishes no limit "
             "(--supply sets it)",
             (long long)p->join.supply, STR_ARG(p->provider));
    if (p->join.step > 1)
        note(notes, "these machines are rented in multiples of %lld", (long long)p->join.step);
    else if (p->join.least > 1)
        note(notes, "at least %lld of these machines are rented together",
             (long long)p->join.least);
    if (several || p->market == MARKET_SPOT)
        note_limits(in, notes);
}

bool joined_check_copy(const struct estimate_place *place, int64_t gpus, struct error *err)
{
    if (gpus <= place->hardware.per_node || place->offer.len == 0 || place->join.joins)
        return true;
    error_set(err, ERROR_UNFIT,
              "a copy takes %lld GPUs, and machines of %.*s cannot be joined for one job",
              (long long)gpus, STR_ARG(place->offer));
    error_hint(err, "use machines with more GPUs, or narrower weights: --set weights=int4");
    return false;
}

void joined_check_machine(const struct estimate_input *in, double each)
{
    const struct estimate_place *p = in->place;
    double need = job_disk_bytes(in->job);

    if (p->offer.len == 0)
        return;
    if (p->disk_bytes > 0 && need > p->disk_bytes)
        message_warn(in->messages,
                     "the machine has %.0f GB of disk; model, data and checkpoints take about "
                     "%.0f GB",
                     p->disk_bytes / 1e9, need / 1e9);
    if (!in->job->arch_known)
        return;
    need = loading_host_bytes(&in->job->arch, each, (double)p->machines);
    if (p->host_bytes > 0 && need > p->host_bytes)
        message_warn(
            in->messages,
            "the machine has %.0f GB of memory, and loading the model takes about %.0f GB",
            p->host_bytes / 1e9, need / 1e9);
}

void joined_check_offload(const struct estimate_input *in, double size)
{
    const struct estimate_place *p = in->place;

    if (p->offer.len > 0 && p->host_bytes > 0 && size > HOST_SHARE * p->host_bytes)
        message_warn(in->messages,
                     "a machine of %.*s has %.0f GB of memory, and %.0f GB are offloaded or "
                     "paged: choose "
                     "another with --offer",
                     STR_ARG(p->offer), p->host_bytes / 1e9, size / 1e9);
}
