Commands that fail or only read leave no ledger behind.
$ for c in 'report' 'runs' 'budget set x' 'budget remove x' 'budget check' 'bills remove x --force' 'alert remove x' 'alert ack 1' 'alert send' 'token remove x' 'ledger doctor --repair' 'targets remove --all' 'budget set x 5usd --where nonsense'; do stint $c >/dev/null 2>&1; done; ls home/.local/share/stint 2>/dev/null
$ printf 'x,y\n1,2\n' >bad.csv; stint import bad.csv 2>&1 | head -1; ls home/.local/share/stint
| stint: bad.csv: unrecognized bill format: its columns are 'x', 'y'
$ stint report
! stint: there is no ledger 'home/.local/share/stint/ledger.db' yet
!   hint: 'stint run -- COMMAND' makes it
? 4
One that is empty says so.
$ stint ledger init >/dev/null; stint report
! stint: there is no run 'last': the ledger has no runs yet
!   hint: 'stint run -- COMMAND' records one
? 4
$ stint show last
! stint: there is no run 'last': the ledger has no runs yet
!   hint: 'stint run -- COMMAND' records one
? 4
$ stint runs; stint budget check; stint alert send
| no runs recorded in home/.local/share/stint/ledger.db
| there are no budgets: 'stint budget set NAME 500usd' adds one
| sent 0 messages
