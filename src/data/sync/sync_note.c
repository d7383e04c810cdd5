/* What the user should know of a sync. */
#include "base/num.h"
#include "data/sync/sync.h"

void sync_note(const struct data_task *task, const struct sync_work *work,
               const struct sync_plan *plan)
{
    const struct sync_sum *sums = plan->sums;

    if (plan->left_out > 0)
        message_note(task->messages,
                     "%lld path%s left out: a store keeps no links, no empty folders and no "
                     "names with control characters",
                     (long long)plan->left_out, num_plural(plan->left_out));
    if (sums[SYNC_CONFLICT].paths > 0) {
        message_warn(task->messages,
                     "%lld path%s changed on both sides and %s left as %s: --newer takes the "
                     "newer",
                     (long long)sums[SYNC_CONFLICT].paths,
                     num_plural(sums[SYNC_CONFLICT].paths),
                     sums[SYNC_CONFLICT].paths == 1 ? "is" : "are",
                     sums[SYNC_CONFLICT].paths == 1 ? "it is" : "they are");
        *task->partly = true;
    }
    if (plan->alike > 0) {
        message_warn(task->messages,
                     "%lld path%s left: the folder that is written to does not tell upper from "
                     "lower case, and has the same name so: rename %s",
                     (long long)plan->alike, num_plural(plan->alike),
                     plan->alike == 1 ? "it" : "them");
        *task->partly = true;
    }
    if (sums[SYNC_FAILED].paths > 0) {
        message_warn(task->messages,
                     "%lld path%s could not be moved, or changed meanwhile: sync again",
                     (long long)sums[SYNC_FAILED].paths, num_plural(sums[SYNC_FAILED].paths));
        *task->partly = true;
    }
    if (sums[SYNC_KEPT].paths > 0)
        message_note(
            task->messages, "%lld path%s %s %s", (long long)sums[SYNC_KEPT].paths,
            num_plural(sums[SYNC_KEPT].paths), sums[SYNC_KEPT].paths == 1 ? "stays" : "stay",
            work->way == SYNC_BOTH ? "on one side: --delete deletes what the other has deleted"
            : work->deletes        ? "as DST has it: --both takes over what DST has changed"
                                   : "as DST has it: --delete deletes what SRC has deleted, "
                                     "--both takes over what DST has changed");
}
