/* The devices of a run. */
#include "ledger/runs/devices.h"

#include "ledger/runs/members.h"

/* ---- rows ---- */

static const char put_device_sql[] =
    "INSERT INTO devices(attempt, device, number, id, name, used, memory_total, memory_peak)"
    " VALUES(?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(attempt, device) DO UPDATE SET"
    " number = excluded.number, id = excluded.id, name = excluded.name,"
    " used = excluded.used, memory_total = excluded.memory_total,"
    " memory_peak = excluded.memory_peak";
static const char devices_sql[] =
    "SELECT a.number, device, d.number, d.id, d.name, used, memory_total, d.memory_peak"
    " FROM devices d JOIN attempts a USING(attempt) JOIN runs r USING(run)"
    " WHERE r.id = ? ORDER BY a.number, device";

bool ledger_put_device(struct ledger *l, const struct ledger_device *device, struct error *err)
{
    struct query *q;

    if (device->device < 0 || device->device >= LEDGER_DEVICES)
        return true; /* there is no place for it in samples */
    q = ledger_query(l, put_device_sql, VALUES(as_int(l->open.key)), err);
    (void)query_bind_fields(q, 2, &ledger_device_members, device);
    l->open.devices = true;
    return ledger_done(l, q, "write", err);
}

static bool read_device_row(struct query *q, struct arena *arena, void *to, struct error *err)
{
    struct ledger_device *d = to;

    d->attempt = (int)column_int(q, 0);
    return column_fields(q, 1, &ledger_device_members, arena, d, err);
}

bool ledger_devices(struct ledger *l, const char *id, struct arena *arena,
                    const struct ledger_device **out, size_t *count, struct error *err)
{
    static const struct ledger_list list = {.fields.size = sizeof **out,
                                            .read = read_device_row};

    return ledger_list_all(l, devices_sql, VALUES(as_text(str_from(id))), &list, arena,
                           LIST_OUT(out, count), err);
}
