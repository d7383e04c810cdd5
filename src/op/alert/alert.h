/* alert.h - the requests and results of the operations on alerts and channels. */
#ifndef OP_ALERT_ALERT_H
#define OP_ALERT_ALERT_H

#include "alert/log.h"
#include "alert/raise.h"
#include "doc/field.h"

extern const struct op op_alert_ack, op_alert_add, op_alert_channels, op_alert_list,
    op_alert_log, op_alert_raise, op_alert_remove, op_alert_send, op_alert_test;

struct alert_add_request {
    struct str name;
    enum alert_kind kind;
    struct channel_settings settings;
};

struct alert_add_result {
    struct str name;
    enum alert_kind kind;
    bool replaced;
    bool ready; /* its secrets are available here */
};

struct alert_name_request {
    struct str name;
};

struct alert_raise_result {
    struct str name;
    int64_t over; /* events that ended */
    struct alert_sent delivered;
};

struct alert_name_result {
    struct str name;
    struct str answer; /* of a test */
};

struct alert_channels_result {
    struct rows channels; /* struct channel_view */
};

struct alert_list_request {
    bool firing;
    struct str since;
};

struct alert_list_result {
    struct rows alerts; /* struct ledger_alert */
    int64_t count, firing, false_alarms;
};

struct alert_log_request {
    int64_t limit;
    struct str since;
};

struct alert_log_result {
    struct rows deliveries; /* struct alert_log_view */
    int64_t count, waiting, given_up;
};

struct alert_send_request {
    bool given_up; /* try those once more */
};

struct alert_ack_request {
    int64_t id;
    bool false_alarm;
};

struct alert_ack_result {
    int64_t id;
    bool false_alarm;
    struct alert_sent delivered;
};

#endif
