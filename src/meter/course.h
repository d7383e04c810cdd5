/* course.h - what the GPUs of this machine do over a time, looked at beside other work.
 *
 * A thread looks twice a second, so that energy and use are known for any part of the time. */
#ifndef METER_COURSE_H
#define METER_COURSE_H

#include "meter/meter.h"

struct meter_course;

/* Of the devices that had work. */
struct gpu_course {
    int devices;   /* 0: none was seen at work */
    double joules; /* of all of them; NaN: one of them has no meter */
    double busy;   /* mean share of the time with work on them, of all; NaN: not known */
    enum meter_method method; /* the worst */
};

/* Begin to look. NULL with the error set. What the options point to must outlive it. */
struct meter_course *meter_course_begin(const struct meter_options *options,
                                        const struct alloc *alloc, struct error *err) MUST_USE;

/* What passed between two moments, which were looked at. */
struct gpu_course meter_course_of(struct meter_course *course, instant from, instant until);

void meter_course_end(struct meter_course *course); /* NULL is fine */

#endif
