Utilization every 5 minutes, busy from 8 to 20, with four idle hours on the ninth day: no ledger is needed
$ seq -f @%.0f 1790812800 300 1792022100 | date -u -f - '+%FT%TZ %d %H' | awk 'BEGIN { print "time,gpu0,gpu1" } { h = $3 + 0; x = (h >= 8 && h < 20 ? 80 : 35) + NR * 7 % 5; print $1 "," ($2 == "09" && h >= 10 && h < 14 ? 3 : x) "," x }' >gpus.csv
$ stint anomalies --values gpus.csv --column gpu0
| began             ended             direction  value  expected  state
| 2026-10-09 10:00  2026-10-09 13:55  down           3     82.01  ended
| 
| 1 event in 4032 values of gpus.csv, one every 5min from 2026-10-01 00:00 to 2026-10-14 23:55 (UTC)
| method: telemetry (hourly means compared with all before and with the same hour of other days)
| value and expected: means of the hours of the event
docs/guide/forecast.md shows it for a file with one column.
$ cut -d, -f1,2 gpus.csv | sed '1s/gpu0/value/' >utilization.csv
$ . "$cases/transcript.sh"; transcript "$cases/../../docs/guide/forecast.md" "stint anomalies --values"; grep -c '^[$] stint' expected.txt
| 1
$ stint anomalies --values gpus.csv --column gpu1
| 0 events in 4032 values of gpus.csv, one every 5min from 2026-10-01 00:00 to 2026-10-14 23:55 (UTC)
| method: telemetry (hourly means compared with all before and with the same hour of other days)
$ stint anomalies --values gpus.csv --column gpu0 --json
| {"schema":"stint.anomalies/1","by":[],"rows":[],"count":1,"ongoing":0,"series":1,"too_short":0,"alerts":0,"false_alarms":0,"known_until":"2026-10-14","basis":{"since":null,"until":null,"kind":null,"unpriced":null,"billed_until":null,"converted":null,"rates_from":null,"rates_to":null,"rate_source":null,"ledger":null,"no_ledger":false},"alerted":false,"delivered":{"sent":null,"waiting":null,"given_up":null,"postponed":null,"failures":[]},"values":{"file":"gpus.csv","method":"telemetry","interval_s":300,"together":12,"first":"2026-10-01T00:00:00Z","last":"2026-10-14T23:55:00Z","values":4032,"missing":0,"infinite":0,"repeated":0,"gaps":0,"events":[{"first":"2026-10-09T10:00:00Z","last":"2026-10-09T13:55:00Z","seen":"2026-10-09T10:55:00Z","direction":"down","state":"ended","value":3,"expected":82.00520833333334,"low":81.22663604361848,"high":82.81503062304817,"score":397.99094938591554}]}}
$ gzip -c gpus.csv | stint anomalies --values - --column gpu0 --csv events.csv && cat events.csv
| began             ended             direction  value  expected  state
| 2026-10-09 10:00  2026-10-09 13:55  down           3     82.01  ended
| 
| 1 event in 4032 values of standard input, one every 5min from 2026-10-01 00:00 to 2026-10-14 23:55 (UTC)
| method: telemetry (hourly means compared with all before and with the same hour of other days)
| value and expected: means of the hours of the event
| wrote 1 row to events.csv
| first,last,seen,direction,state,value,expected,low,high,score
| 2026-10-09T10:00:00Z,2026-10-09T13:55:00Z,2026-10-09T10:55:00Z,down,ended,3,82.00520833333334,81.22663604361848,82.81503062304817,397.99094938591554
$ stint anomalies --values gpus.csv --column gpu0 --threshold 100
| began             ended             direction  value  expected  state
| 2026-10-09 10:00  2026-10-09 10:55  down           3     82.02  ended
| 
| 1 event in 4032 values of gpus.csv, one every 5min from 2026-10-01 00:00 to 2026-10-14 23:55 (UTC)
| method: telemetry (hourly means compared with all before and with the same hour of other days)
| value and expected: means of the hours of the event
$ head -200 gpus.csv | stint anomalies --values - --column gpu0
| 0 events in 199 values of standard input, one every 5min from 2026-10-01 00:00 to 2026-10-01 16:30 (UTC)
| method: telemetry (hourly means compared with all before and with the same hour of other days)
| that is 3 days or fewer: nothing is judged yet
$ ls home 2>/dev/null

A gap does not count as zeros, nor do cells without a value
$ awk -F, 'NR < 2000 || NR > 2400' gpus.csv | cut -d, -f1,3 >gap.csv; stint anomalies --values gap.csv
| 0 events in 3631 values of gap.csv, one every 5min from 2026-10-01 00:00 to 2026-10-14 23:55 (UTC)
| method: telemetry (hourly means compared with all before and with the same hour of other days)
| 401 intervals have no value: not judged, and not counted as 0
$ awk -F, -v OFS=, 'NR == 5 { $2 = "" } NR == 6 { $2 = "NaN" } NR == 7 { $2 = "inf" } { print $1, $2 }' gap.csv | awk 'NR == 9 { kept = $0; next } { print } NR == 10 { print kept; print kept }' >odd.csv; stint anomalies --values odd.csv
| 0 events in 3629 values of odd.csv, one every 5min from 2026-10-01 00:00 to 2026-10-14 23:55 (UTC)
| method: telemetry (hourly means compared with all before and with the same hour of other days)
| 404 intervals have no value: not judged, and not counted as 0
! stint: warning: odd.csv: 1 row is older than the one before: sorted by time (of local times, write the UTC offset)
! stint: warning: odd.csv: 1 row has the time of another: their mean is judged (of local times, write the UTC offset)
! stint: warning: odd.csv: 2 rows have no value: ignored, not counted as 0 (write 0 if it was)
! stint: warning: odd.csv: 1 value is infinite: not judged (write the number)

Days, without a header: the method of daily spending
$ seq -f @%.0f 1783036800 86400 1790812800 | date -u -f - +%F | awk '{ print $1 "," (NR == 60 || NR == 61 ? 900 : 100 + NR * 7 % 5) }' >days.csv
$ stint anomalies --values days.csv
| began             ended             direction  value  expected  state
| 2026-08-31 00:00  2026-09-01 00:00  up           900     102.2  ended
| 
| 1 event in 91 values of days.csv, one every 24h from 2026-07-03 00:00 to 2026-10-01 00:00 (UTC)
| method: daily (each day compared with its weekday's level)
| value and expected: means of the days of the event
$ stint anomalies --values days.csv --min-difference 1000usd
| 0 events in 91 values of days.csv, one every 24h from 2026-07-03 00:00 to 2026-10-01 00:00 (UTC)
| method: daily (each day compared with its weekday's level)
$ head -20 days.csv | stint anomalies --values -
| 0 events in 20 values of standard input, one every 24h from 2026-07-03 00:00 to 2026-07-22 00:00 (UTC)
| method: daily (each day compared with its weekday's level)
| that is 28 days or fewer: nothing is judged yet

What is refused
$ stint anomalies --values gpus.csv
! stint: gpus.csv:1: there is no column 'value'
!   hint: --column NAME selects the column with the values
? 3
$ stint anomalies --values gpus.csv --column gpu3
! stint: gpus.csv:1: there is no column 'gpu3'
!   hint: did you mean 'gpu0'?
? 3
$ stint anomalies --values absent.csv
! stint: cannot open 'absent.csv': No such file or directory
? 4
$ stint anomalies --values .
! stint: .: it is a folder, not a file
!   hint: name one file; each is judged by itself
? 3
$ : >empty.csv; stint anomalies --values empty.csv
! stint: empty.csv: it is empty
!   hint: the columns are time,value: 2026-11-15T10:00:00Z,42.5
? 3
$ echo time,value >header.csv; stint anomalies --values header.csv
! stint: header.csv: there is no value in it
!   hint: the columns are time,value: 2026-11-15T10:00:00Z,42.5
? 3
$ printf 'time,value\n2026-11-01,1\n2026-11-02,about 3\n' >word.csv; stint anomalies --values word.csv
! stint: word.csv:3: 'about 3' is not a number
!   hint: write 1234.5, without a unit, or nothing where no value is known
? 3
$ printf 'time,value\n2026-11-01,1\n01.11.2026,3\n' >when.csv; stint anomalies --values when.csv
! stint: when.csv:3: '01.11.2026' is not a time
!   hint: write 2026-11-15T10:00:00Z, '2026-11-15 10:00:00' (UTC) or a day
? 3
$ printf 'time,value\n2026-11-01,1\n2026-11-01,3\n2026-11-02,3\n' >twice.csv; stint anomalies --values twice.csv
! stint: twice.csv: 1 of 3 rows repeat the time of another, such as 2026-11-01 00:00:00
!   hint: a file has one series, and times to the second: keep one GPU, machine or service, or add up the rows of each time
? 3
$ printf 'time,value\n2026-11-01,1\n' >one.csv; stint anomalies --values one.csv
! stint: one.csv: all values have the same time
!   hint: anomalies need several days of values
? 3
$ printf 'time,value\n2026-11-01T00:00:00Z,1\n2026-11-01T00:00:01Z,1\n2026-11-01T00:00:02Z,1\n2027-11-01,1\n' >far.csv; stint anomalies --values far.csv
! stint: far.csv: values 1 seconds apart are 31536001 intervals from the first to the last: more than 4000000
!   hint: write the mean of each minute or hour, or split the file
? 3
$ stint anomalies --values days.csv --by service
! stint: --values and --by exclude each other
!   hint: --values judges the one series of a file, all of it, without the ledger
? 2
$ stint anomalies --values days.csv --since 30d
! stint: --values and --since exclude each other
!   hint: --values judges the one series of a file, all of it, without the ledger
? 2
$ stint anomalies --values days.csv --alert ops
! stint: --values and --alert exclude each other
!   hint: --values judges the one series of a file, all of it, without the ledger
? 2
$ stint anomalies --values days.csv --cost billed
! stint: --values and --cost exclude each other
!   hint: --values judges the one series of a file, all of it, without the ledger
? 2
$ stint anomalies --values gap.csv --min-difference 5usd
! stint: --min-difference is for daily values: these come more often
!   hint: leave it out; --threshold N sets how far out an hour must be
? 2
$ stint anomalies --values gap.csv --share 10%
! stint: --share is for daily values: these come more often
!   hint: leave it out; --threshold N sets how far out an hour must be
? 2
$ stint anomalies --column gpu0
! stint: --column names one of a file: give that with --values FILE
? 2
$ stint anomalies --values days.csv --csv days.csv
! stint: --csv: 'days.csv' is read by this command, and would be overwritten
!   hint: name another file
? 2
