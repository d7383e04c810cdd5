Nothing is there yet.
$ stint alert channels
| there are no channels: 'stint alert add NAME KIND ...' adds one
$ stint alert list
| no alerts
$ stint alert log
| no messages yet
$ stint alert test team
! stint: there is no channel 'team'
!   hint: 'stint alert channels' lists them; 'stint alert add team KIND ...' adds it
? 4
$ stint alert send
| sent 0 messages

Secrets are named, not given.
$ start_server alerts
$ stint alert add team slack --url https://hooks.slack.com/services/VERY-SECRET-PART
! stint: the address of a slack channel is a secret, and is not kept in the ledger
!   hint: put it in a variable (export ALERT_URL=...) and give --url-env ALERT_URL, or in a file and give --url-file
? 2
$ stint alert add team slack --url-env https://hooks.slack.com/services/VERY-SECRET-PART
! stint: --url-env takes the name of a variable, not its value
!   hint: export it, as in 'export ALERT_SECRET=...', and give --url-env ALERT_SECRET
? 2
$ stint alert add team slack
! stint: a slack channel needs --url-env NAME or --url-file FILE
!   hint: 'stint alert add --help' has an example
? 2
$ stint alert add team slak --url-env SLACK_URL
! stint: KIND: 'slak' is not one of slack, discord, teams, pagerduty, ntfy, webhook, alertmanager, email
!   hint: did you mean 'slack'?
? 2
$ stint alert add 'my team' slack --url-env SLACK_URL
! stint: 'my team' is not a valid channel name
!   hint: use letters, digits, '-', '_' and '.', at most 40
? 2
$ stint alert add team slack --url-env SLACK_URL
| added the slack channel 'team'
! stint: warning: the variable SLACK_URL is not set: 'team' cannot be used from here
$ SLACK_URL=$SERVER/slack/VERY-SECRET-PART stint alert add team slack --url-env SLACK_URL --quiet '22:00-07:00'
| changed the slack channel 'team'; 'stint alert test team' sends a message now
$ stint alert add hook webhook --url $SERVER/hook | mask
| added the webhook channel 'hook'; 'stint alert test hook' sends a message now
$ stint alert add pager pagerduty
! stint: a pagerduty channel needs its routing key
!   hint: export PAGERDUTY_KEY=... and give --key-env PAGERDUTY_KEY
? 2
$ stint alert add pager pagerduty --key-env PAGER --digest daily
! stint: pagerduty groups alerts itself and takes no --digest
? 2
$ stint alert add mail email --url smtp://mail.example.org:587 --from a@example.org
! stint: an email channel needs --from ADDRESS and --to ADDRESS
? 2
$ stint alert add mail email --url smtp://mail.example.org:587 --from a@example.org --to 'b@example.org,c d'
! stint: --to: 'c d' is not a mail address
? 2
$ stint alert add mail email --url smtp://mail.example.org:587 --from a@example.org --to b@example.org --user me
! stint: --user and its password (--key-env or --key-file) go together
? 2
$ stint alert add mail email --url mail.example.org --from a@example.org --to b@example.org
! stint: --url: this is not the address of a mail server
!   hint: write it as smtp://HOST:587 (STARTTLS) or smtps://HOST:465
? 2
$ stint alert add mail email --url smtp://mail.example.org:587 --from a@example.org --to b@example.org --digest 'weekly at 9'
! stint: 'weekly at 9' is not a digest schedule
!   hint: write it as 'daily at 09:00' or 'weekly at 09:00 Europe/Berlin'
? 2
$ stint alert add mail email --url smtp://mail.example.org:587 --from a@example.org --to b@example.org --quiet '22-7'
! stint: '22-7' is not a range of hours
!   hint: write them as '22:00-07:00', or '22:00-07:00 Europe/Berlin'
? 2
$ stint alert add mail email --url smtp://mail.example.org:587 --from a@example.org --to b@example.org --quiet '22:00-07:00 Europe/Berlim'
! stint: there is no time zone 'Europe/Berlim'
!   hint: use a name from the tz database, such as Europe/Berlin; 'ls /usr/share/zoneinfo' lists them (package tzdata)
? 3
$ stint alert add mail email --url smtp://mail.example.org:587 --from a@example.org --to b@example.org --digest 'weekly at 09:00'
| added the email channel 'mail'; 'stint alert test mail' sends a message now
$ stint alert add push ntfy --url https://ntfy.example.org
! stint: an ntfy channel needs --topic NAME
? 2
$ stint alert add push ntfy --url https://ntfy.example.org --topic cost
| added the ntfy channel 'push'; 'stint alert test push' sends a message now
$ stint alert channels | sed 's/127.0.0.1:...../SERVER........./'
| name  kind     to                                            secret      ready           quiet        digest
| hook  webhook  http://SERVER........./hook                   -           yes             -            -
| mail  email    smtp://mail.example.org:587 to b@example.org  -           yes             -            weekly at 09:00
| push  ntfy     https://ntfy.example.org topic cost           -           yes             -            -
| team  slack    -                                             $SLACK_URL  no secret here  22:00-07:00  -

A file is as good as a variable, unless others can read it.
$ echo $SERVER/gone/VERY-SECRET-PART >gone.url; chmod 644 gone.url; stint alert add gone slack --url-file gone.url 2>&1 | sed "s,'/.*/,'HERE/,"
| stint: warning: other users can read 'HERE/gone.url': run 'chmod 600' on it
| added the slack channel 'gone'; 'stint alert test gone' sends a message now
$ chmod 600 gone.url; stint alert add gone slack --url-file gone.url
| changed the slack channel 'gone'; 'stint alert test gone' sends a message now
$ echo >empty; chmod 600 empty; stint alert add empty slack --url-file empty 2>&1 | sed "s,'/.*/,'HERE/,"; stint alert remove empty
| stint: warning: the file 'HERE/empty' is empty: 'empty' cannot be used from here
| added the slack channel 'empty'
| removed the channel 'empty'

A test reports its result.
$ SLACK_URL=$SERVER/slack/VERY-SECRET-PART stint alert test team
| 'team' accepted it: 200
$ stint alert test team
! stint: the variable SLACK_URL is not set
!   hint: set it where this runs (in a crontab too), or name a file with --url-file or --key-file
? 4
$ stint alert test gone 2>err; status=$?; mask <err; exit $status
| stint: 'gone' did not accept it: http://SERVER***: not found (404): no_service
? 1
$ stint alert test hook 2>err; status=$?; mask <err; exit $status
| stint: 'hook' did not accept it: http://SERVER/hook: the server is not available (503)
? 1
$ stint alert test hook --json
| {"schema":"stint.alert.test/1","name":"hook","answer":"200"}
$ stint alert test hok
! stint: there is no channel 'hok'
!   hint: did you mean 'hook'?
? 4
$ stint alert ack 7
! stint: there is no alert 7
!   hint: 'stint alert list' shows them
? 4
$ stint alert remove hok
! stint: there is no channel 'hok'
!   hint: did you mean 'hook'?
? 4
$ stint alert remove push; stint alert remove mail
| removed the channel 'push'
| removed the channel 'mail'

A budget sends alerts to its channels.
$ $STINT_TEST_LEDGER ledger.db
$ export STINT_LEDGER=ledger.db; stint alert add hook webhook --url $SERVER/hook >/dev/null; stint alert add gone slack --url-file gone.url >/dev/null; stint budget set all 0.4usd --alert hook,gone --forecast none; stint budget check | mask; stint alert list; stint alert log | mask
| added the budget 'all': $0.40 a month, for everything
| alerts: hook, gone; at 50, 75, 90, 100 % spent
| budget  period   spent  of which metered     of  share  forecast  state
| all     2026-11  $0.30             $0.30  $0.40   74 %         -  50 % reached
| 
| no forecast of all: 2 days of spending known: not enough for a forecast
| 
| without 2 runs whose cost is unknown
| 
| sent 1 message
| gone: not sent: http://SERVER***: not found (404): no_service; given up
| id  alert                   state   severity  since (UTC)       changed (UTC)     updates
|  1  Budget all: 74 % spent  firing  info      2026-11-15 00:00  2026-11-15 00:00        0
| created (UTC)     channel  what    alert                   state     tries  last try          next try  answer
| 2026-11-15 00:00  gone     firing  Budget all: 74 % spent  given up      1  2026-11-15 00:00  -         http://SERVER***: not found (404): no_service
| 2026-11-15 00:00  hook     firing  Budget all: 74 % spent  sent          1  2026-11-15 00:00  -         200
| 
| 'stint alert send --given-up' retries messages that were given up
$ USER=ann STINT_LEDGER=ledger.db STINT_NOW=2026-11-16 stint alert ack 1 --false-alarm; STINT_LEDGER=ledger.db stint alert list
| acknowledged alert 1 as a false alarm
| sent 1 message
| id  alert                   state        severity  since (UTC)       changed (UTC)     updates  seen by
|  1  Budget all: 74 % spent  false alarm  info      2026-11-15 00:00  2026-11-15 00:00        0  ann
| 
| 1 of 1 were false alarms
$ STINT_LEDGER=ledger.db stint alert list --json 
| {"schema":"stint.alert.list/1","alerts":[{"id":1,"state":"firing","severity":"info","title":"Budget all: 74 % spent","text":"$0.30 of $0.40 is spent in 2026-11 (74 %). $0.30 of it is metered, and not billed yet. Most went to team nlp $0.25 (82 %), (none) $0.05 (18 %). What 2 runs cost is not known, and not in it.","kind":"budget_threshold","dedup":"budget/all/2026-11","started":"2026-11-15T00:00:00Z","changed":"2026-11-15T00:00:00Z","ended":null,"acknowledged_by":"ann","false_alarm":true,"updates":0}],"count":1,"firing":1,"false_alarms":1}
$ STINT_LEDGER=quiet.db; export STINT_LEDGER; $STINT_TEST_LEDGER quiet.db; stint alert add gone slack --url-file gone.url >/dev/null; stint budget set all 0.4usd --alert gone --forecast none >/dev/null; stint budget check --quiet | mask; stint budget check --quiet
| gone: not sent: http://SERVER***: not found (404): no_service; given up
The secret is in no file.
$ grep -c VERY-SECRET-PART server.log; grep -rl VERY-SECRET-PART . | sort
| 4
| ./gone.url
| ./server.log
