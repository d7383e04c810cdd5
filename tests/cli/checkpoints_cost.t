What checkpoints have cost comes from the ledger: of the named run, or of any run that wrote them there.

$ "$STINT_TEST_LEDGER" ledger.db; for step in 800 1600; do mkdir -p run/step-$step; head -c 1000 /dev/zero >run/step-$step/w.pt; touch -d 2026-11-14Z run/step-$step/w.pt run/step-$step; done; ls run
| step-1600
| step-800
$ STINT_LEDGER=ledger.db stint checkpoints list run --settle 0s --run bert --best val_loss:min
| checkpoint  step  metric     cost  size  files  changed (UTC)     state
| step-800     800       2  $0.0467  1 kB      1  2026-11-14 00:00  whole
| step-1600   1600       2  $0.0933  1 kB      1  2026-11-14 00:00  whole, the best
| 
| 2 checkpoints, 2 kB
$ STINT_LEDGER=ledger.db stint checkpoints best run --settle 0s --run bert --best val_loss:min
| best            step-1600: val_loss 2, $0.0933, 1 kB
| cost-efficient  step-800: val_loss 2, $0.0467, 1 kB: as good, $0.0467 (50 %) less
| 
| better and better  step  metric  gain     cost  more  per 1 %
| step-800            800       2     -  $0.0467     -        -
$ STINT_LEDGER=ledger.db stint checkpoints list run --settle 0s
| checkpoint  step  size  files  changed (UTC)     state
| step-800     800  1 kB      1  2026-11-14 00:00  whole
| step-1600   1600  1 kB      1  2026-11-14 00:00  whole
| 
| 2 checkpoints, 2 kB
$ STINT_LEDGER=ledger.db stint checkpoints list run --settle 0s --run brt
! stint: there is no run 'brt'
!   hint: did you mean 'bert'?
? 4
$ STINT_LEDGER=nothing.db stint checkpoints list run --settle 0s --run last
! stint: there is no ledger 'nothing.db' yet
!   hint: 'stint run -- COMMAND' makes it
? 4
With a run only its own checkpoints can be removed.
$ mkdir run/step-400; head -c 1000 /dev/zero >run/step-400/w.pt; touch -d 2026-11-13Z run/step-400/w.pt run/step-400
$ STINT_LEDGER=ledger.db stint checkpoints prune run --settle 0s --keep 1 --run bert --yes
| checkpoint  step     cost  size  files  changed (UTC)     kept
| step-400     400        -  1 kB      1  2026-11-13 00:00  yes: not written by this run
| step-800     800  $0.0467  1 kB      1  2026-11-14 00:00  yes: not written by this run
| step-1600   1600  $0.0933  1 kB      1  2026-11-14 00:00  yes: among the newest
| 
| nothing to remove: 3 checkpoints, all kept
$ ls run
| step-1600
| step-400
| step-800
