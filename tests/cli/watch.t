A machine guarded without a command: the options of `stint watch`. What it does is tested with fake machines (tests/run/watch.py),
since it waits.

Mistakes
$ stint watch
! stint: watch needs --idle, --budget or --deadline
!   hint: stint watch --idle 30min --do 'sudo poweroff'
? 2
$ stint watch --do 'sudo poweroff'
! stint: watch needs --idle, --budget or --deadline
!   hint: stint watch --idle 30min --do 'sudo poweroff'
? 2
$ stint watch --idle 0s
! stint: --idle: '0s' is not above zero
? 2
$ stint watch --idle 30min --every 10ms
! stint: --every: at most ten measurements a second
!   hint: 10s is often enough
? 2
$ stint watch --idle 30min --idle-below 2
! stint: --idle-below: '2' is not a share from 0 to 1
!   hint: write it as 20% or 0.2
? 2
$ stint watch --budget '$20' --price free
! stint: --price: price 'free' does not say per what
!   hint: write it as 2.49usd/hr
? 2
$ stint watch --idle 30min extra
! stint: watch does not expect 'extra'
!   hint: 'stint watch --help' shows what it takes; quote values with blanks
? 2

A deadline that has passed long ago: a warning, the action after the grace period, and the end
$ mkdir -p m/proc; printf 'cpu 100 0 50 900 0 0 0 0 0 0\ncpu0 1\n' >m/proc/stat; printf '7200.00 1.00\n' >m/proc/uptime
$ export STINT_ROOT=m STINT_NVML=/none STINT_ROCM=/none STINT_HL_SMI=/none; stint watch --deadline 1h --grace 0s --every 100ms --once --do 'echo $STINT_EVENT: $STINT_EVENT_TEXT' --price '$1/hr' | sed 's/^watched .*/watched/; s/; idle while.*//'
| deadline: the machine has reached its deadline
| watched
| cost            $2.00 since the machine was started at $1.00/hr
| acted           1 time, last for deadline: the machine has reached its deadline
! stint: note: the machine has reached its deadline: running the command
