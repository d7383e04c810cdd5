$ "$STINT_TEST_LEDGER" home/.local/share/stint/ledger.db
! tests/cli/run.sh: 1: eval: : Permission denied
? 127
$ stint compare bert bert-wide
! stint: there is no ledger 'home/.local/share/stint/ledger.db' yet
!   hint: 'stint run -- COMMAND' makes it
? 4
$ stint compare aaaa0001 vit gpt
! stint: there is no ledger 'home/.local/share/stint/ledger.db' yet
!   hint: 'stint run -- COMMAND' makes it
? 4
$ stint compare cccc0003 dddd0004
! stint: there is no ledger 'home/.local/share/stint/ledger.db' yet
!   hint: 'stint run -- COMMAND' makes it
? 4
$ stint compare cccc0003 dddd0004 --json
! stint: there is no ledger 'home/.local/share/stint/ledger.db' yet
!   hint: 'stint run -- COMMAND' makes it
? 4

Mistakes
$ stint compare bert
! stint: compare needs 2 to 16 runs, not 1
!   hint: 'stint runs' lists them; 'stint compare 1a2b3c4d last'
? 2
$ stint compare
! stint: compare needs a RUN
!   hint: stint compare 1a2b3c4d last
? 2
$ stint compare bert bret-wide
! stint: there is no ledger 'home/.local/share/stint/ledger.db' yet
!   hint: 'stint run -- COMMAND' makes it
? 4
