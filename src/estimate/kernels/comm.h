/* comm.h - collectives: how long groups of GPUs need to exchange bytes. */
#ifndef ESTIMATE_KERNELS_COMM_H
#define ESTIMATE_KERNELS_COMM_H

#include "estimate/constants.h"
#include "estimate/model/setup.h"

/* The wires as one GPU sees them, bytes/s in one direction. */
struct wires {
    double link;    /* inside the node */
    double network; /* to other nodes */
    double domain;  /* GPUs that the link joins */
    double link_latency, network_latency;
};

/* Bytes/s between a GPU and its host: no more than its bus has. */
double offload_bytes(const struct accelerator *gpu, const struct constants *c);

/* GB/s that machines with this card usually have for each GPU, where their network is not
 * known. */
double usual_network_gb_s(const struct accelerator *gpu);

/* Bytes/s of the card's bus in one direction, by its data sheet. */
double pcie_bytes(const struct accelerator *gpu);

struct wires wires_of(const struct setup *s, const struct constants *c);

/* `ranks` GPUs, `stride` apart in the numbering of the job (tensor parallel has stride 1, data
 * parallel the product of those inside it), each holding `bytes`. */
double all_reduce(const struct wires *w, double size, double ranks, double stride);
double all_gather(const struct wires *w, double size, double ranks,
                  double stride); /* or reduce-scatter */
/* Each token goes to `copies` of the ranks, and once to each node that has one of them. */
double all_to_all(const struct wires *w, double size, double ranks, double stride,
                  double copies);
double send_once(const struct wires *w, double size, double stride);

#endif
