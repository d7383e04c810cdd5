$ stint ledger init
| ledger: home/.local/share/stint/ledger.db
| tables: created, version 1
$ stint ledger init
| ledger: home/.local/share/stint/ledger.db
| tables: up to date, version 1
$ stint ledger init --json
| {"schema":"stint.ledger.init/1","ledger":"home/.local/share/stint/ledger.db","engine":"sqlite","version":1,"version_before":1,"roles":false,"roles_made":0,"owner":false}
$ stat -c '%a' home/.local/share/stint/ledger.db
| 600
$ stint runs
| no runs recorded in home/.local/share/stint/ledger.db
$ stint ledger init --roles
! stint: the ledger 'home/.local/share/stint/ledger.db' is a file: it has no roles
!   hint: its owner's rights hold; a team's ledger is at --ledger postgres://HOST/DATABASE
? 2

A server: its address is shown without the password, wherever it is named.
$ stint config --show --ledger postgres://ann:secret@127.0.0.1:1/costs | grep '^ledger'
| ledger           postgres://ann:***@127.0.0.1:1/costs  --ledger  STINT_LEDGER           ledger of runs and bills: a file, or postgres://HOST/DATABASE
$ STINT_LEDGER=postgresql://ann@127.0.0.1:1/costs?password=secret stint config --show --json | tr '{' '\n' | grep ledger
| "name":"ledger","value":"postgresql://ann@127.0.0.1:1/costs?password=***","origin":"STINT_LEDGER","env":"STINT_LEDGER","help":"ledger of runs and bills: a file, or postgres://HOST/DATABASE"},
| "name":"to","value":null,"origin":"default","env":"STINT_TO","help":"send runs to this server instead of the ledger: https://HOST:8712"},
$ stint ledger init --ledger postgres://ann:secret@127.0.0.1:1/costs
! stint: cannot open the ledger 'postgres://ann:***@127.0.0.1:1/costs': connection to server at "127.0.0.1", port 1 failed: Connection refused
!   hint: is the server running and reachable? psql shows more
? 1
$ stint runs --ledger postgres://ann:secret@127.0.0.1:1/costs --json
! stint: cannot open the ledger 'postgres://ann:***@127.0.0.1:1/costs': connection to server at "127.0.0.1", port 1 failed: Connection refused
!   hint: is the server running and reachable? psql shows more
? 1
$ stint runs --ledger postgres://ann:se%zzcret@127.0.0.1/costs
! stint: cannot parse the address of the ledger 'postgres://ann:***@127.0.0.1/costs'
!   hint: postgres://USER@HOST:PORT/DATABASE; in a password, '@' is %40, '/' %2F, '%' %25
? 3
$ stint runs --ledger postgres://ann:sec@ret@127.0.0.1:1/costs
! stint: cannot parse the address of the ledger 'postgres://ann:***@127.0.0.1:1/costs'
!   hint: postgres://USER@HOST:PORT/DATABASE; in a password, '@' is %40, '/' %2F, '%' %25
? 3
$ stint runs --ledger postgres://ann:secret@127.0.0.1:1/costs?color=red
! stint: cannot parse the address of the ledger 'postgres://ann:***@127.0.0.1:1/costs?color=red'
!   hint: postgres://USER@HOST:PORT/DATABASE; in a password, '@' is %40, '/' %2F, '%' %25
? 3

A run goes on without it, and is kept in a journal until the server is back.
$ XDG_STATE_HOME=$PWD/state stint run --ledger postgres://ann:secret@127.0.0.1:1/costs -- echo ran 2>&1 | grep 'kept in\|^ran' | sed "s|$PWD|HERE|; s|[0-9a-f]*/[0-9a-f-]*\.journal|ID.journal|" | sort
| ran
| stint: warning: cannot open the ledger 'postgres://ann:***@127.0.0.1:1/costs': connection to server at "127.0.0.1", port 1 failed: Connection refused: this run is kept in 'HERE/state/stint/journals/ID.journal', and added to the ledger when it can be written, by this run or the next command ('stint runs')
$ XDG_STATE_HOME=$PWD/state stint runs --ledger postgres://ann:secret@127.0.0.1:1/costs 2>&1 | sed "s|$PWD|HERE|; s|journals/[0-9a-f]*|journals/ID|"
| stint: warning: 1 run is not in the ledger yet: kept in 'HERE/state/stint/journals/ID'; cannot open the ledger 'postgres://ann:***@127.0.0.1:1/costs': connection to server at "127.0.0.1", port 1 failed: Connection refused
| stint: cannot open the ledger 'postgres://ann:***@127.0.0.1:1/costs': connection to server at "127.0.0.1", port 1 failed: Connection refused
|   hint: is the server running and reachable? psql shows more

A server address never creates a file, and no password is printed.
$ stint runs --ledger postgres:ann:secret@db/costs
! stint: the ledger is named as a server, but not in the right form
!   hint: write --ledger postgres://USER@HOST/DATABASE, with the password in PGPASSWORD or ~/.pgpass
? 2
$ stint runs --ledger 'host=db dbname=costs password=secret'
! stint: the ledger is named as a server, but not in the right form
!   hint: write --ledger postgres://USER@HOST/DATABASE, with the password in PGPASSWORD or ~/.pgpass
? 2
$ stint runs --ledger ' ledger.db'
! stint: the name of the ledger begins with a blank
!   hint: --ledger FILE, or --ledger postgres://USER@HOST/DATABASE
? 2
$ STINT_LEDGER='password=secret host=db' stint config show 2>&1 | grep -c secret
| 0
? 1
$ STINT_LEDGER='postgres://ann:secret@127.0.0.1:1/costs?sslmode=disable&password=secret' stint run -- sh -c 'echo "$STINT_LEDGER"' 2>/dev/null
| postgres://ann@127.0.0.1:1/costs?sslmode=disable

Without the loadable part for servers.
$ STINT_PARTS=nowhere stint runs --ledger postgres://127.0.0.1:1/costs
! stint: the part 'postgres' of Stint is not installed
!   hint: install Stint again, or set STINT_PARTS to the folder of its parts
? 1
$ stint ledger init --help | head -20
| usage: stint ledger init [options]
| 
| Creates the tables of the ledger: a file, or a schema 'stint' of a PostgreSQL
| database. The first 'stint run' creates them too, if it has the right; only this
| command upgrades the tables of a server from an older version. With --roles it
| also creates groups of users: stint_reader (reads everything), stint_writer
| (records runs, imports bills), stint_admin (changes the tables). Running it
| again changes nothing.
| 
| options
|   --roles               create the PostgreSQL groups stint_reader, stint_writer
|                         and stint_admin, with their rights
| 
| options of every command
|   --json                print the result as JSON
|   --help                explain the command
|   --config FILE         configuration file to read
|   --catalog DIR         folder of your own facts and prices
|   --prices DIR          folder of fetched and imported prices
|   --ledger FILE         ledger of runs and bills: a file, or postgres://HOST/DB

Copies. Paths differ from machine to machine.
$ "$STINT_TEST_LEDGER" a.db costs
$ stint ledger copy a.db b.db | sed '2,$s/[0-9a-f]\{32\}/DIGEST/'
| table        rows  digest
| runs            6  DIGEST
| tags            6  DIGEST
| attempts        6  DIGEST
| segments        6  DIGEST
| imports         1  DIGEST
| bill_state      1  DIGEST
| bills           5  DIGEST
| bill_groups     6  DIGEST
| bill_days     116  DIGEST
| bill_blocks     5  DIGEST
| 
| 158 rows copied to b.db; verified: counts, exact sums and digests of all tables match
$ stint ledger copy a.db b.db
! stint: the ledger 'b.db' is not empty: its table 'runs' has 6 rows
!   hint: a copy goes into a new one: name a file that is not there, or another database
? 3
$ stint ledger copy nothing.db c.db
! stint: there is no ledger 'nothing.db' yet
!   hint: 'stint run -- COMMAND' makes it
? 4
$ stint ledger copy a.db
! stint: ledger copy needs a TO
!   hint: stint ledger copy ~/.local/share/stint/ledger.db postgres://db.example.com/costs
? 2
$ stint ledger copy '' c.db
! stint: FROM: the value is empty
? 2
$ stint ledger copy --damaged a.db postgres://ann:secret@127.0.0.1:1/costs
! stint: cannot open the ledger 'postgres://ann:***@127.0.0.1:1/costs': connection to server at "127.0.0.1", port 1 failed: Connection refused
!   hint: is the server running and reachable? psql shows more
? 1
$ stint ledger copy b.db c.db --json >c.json
$ stint ledger copy a.db d.db --json | sed 's/d\.db/c.db/; s/a\.db/b.db/' | cmp - c.json && echo the same digests
| the same digests
$ stint runs --ledger b.db --json >b.json; stint runs --ledger a.db --json | sed 's/a\.db/b.db/' | cmp - b.json && echo the same runs
| the same runs
$ stat -c %a b.db
| 600

The doctor.
$ stint ledger doctor --ledger b.db | sed 's/SQLite [0-9.]*/SQLite V/; s/[0-9.]* [kMGT]*B left/N left/; s/size  *[0-9.]* kB/size            N kB/'
| ledger          b.db
| kept by         SQLite V, tables of version 1, journal wal
| size            N kB, N left on the disk
| rows            runs 6, tags 6, attempts 6, segments 6, imports 1, bill_state 1,
|                 bills 5, bill_groups 6, bill_days 116, bill_blocks 5
| 
| no problems found
$ stint ledger doctor --ledger nothing.db
! stint: there is no ledger 'nothing.db' yet
!   hint: 'stint run -- COMMAND' makes it
? 4
$ stint ledger doctor --ledger b.db --repair | grep repaired
| repaired        0 imports, 0 bills and 0 stray rows removed
$ chmod 644 b.db; stint ledger doctor --ledger b.db | tail -3
| - other users can read or write the file (mode 644)
|   run: chmod 600 'b.db'
| no errors
$ stint ledger doctor --ledger b.db --json | grep -o '"findings":.*'
| "findings":[{"kind":"rights","wrong":false,"text":"other users can read or write the file (mode 644)","run":"chmod 600 'b.db'"}],"well":true,"repaired":false,"repaired_imports":null,"repaired_bills":null,"repaired_rows":null,"repaired_sums":false}
$ stint ledger doctor --ledger postgres://ann:secret@127.0.0.1:1/costs
! stint: cannot open the ledger 'postgres://ann:***@127.0.0.1:1/costs': connection to server at "127.0.0.1", port 1 failed: Connection refused
!   hint: is the server running and reachable? psql shows more
? 1

A damaged page: what is lost, and what can be saved.
$ cp b.db hurt.db; dd if=/dev/zero of=hurt.db bs=4096 seek=1 count=1 conv=notrunc 2>dd.err
$ stint ledger doctor --ledger hurt.db | sed "1,3d; s/: [0-9]* faults.*/: FAULTS/"
| rows            runs 0 readable, tags 6, attempts 6, segments 6, imports 1,
|                 bill_state 1, bills 5, bill_groups 6, bill_days 116, bill_blocks
|                 5
| 
| - the file is damaged: FAULTS
|   run: stint ledger copy --damaged 'hurt.db' NEW saves the readable part; then replace it with NEW
| - other users can read or write the file (mode 644)
|   run: chmod 600 'hurt.db'
$ stint ledger doctor --ledger hurt.db --repair
! stint: the ledger 'hurt.db' is damaged and cannot be repaired in place
!   hint: stint ledger copy --damaged 'hurt.db' NEW saves the readable part; then replace it with NEW
? 3
$ stint ledger copy hurt.db saved.db
! stint: the ledger 'hurt.db' is damaged: database disk image is malformed
!   hint: move it away (a new one is created); recover what is left with 'stint ledger copy --damaged OLD NEW', or 'sqlite3 OLD .recover | sqlite3 NEW'
? 3
$ stint ledger copy --damaged hurt.db saved.db | sed '/^[a-z_]*  *[0-9]*  [0-9a-f]\{32\}$/d'
| table        rows  digest
| 
| - runs: partly unreadable: the ledger 'hurt.db' is damaged: database disk image is malformed
| - tags: 6 rows are left out: cannot write the ledger 'saved.db': FOREIGN KEY constraint failed
| - attempts: 6 rows are left out: cannot write the ledger 'saved.db': FOREIGN KEY constraint failed
| - segments: 6 rows are left out: cannot write the ledger 'saved.db': FOREIGN KEY constraint failed
| 134 rows copied to saved.db; verified against what was readable
$ stint ledger doctor --ledger saved.db | tail -1
| no problems found
