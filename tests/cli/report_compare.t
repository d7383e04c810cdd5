Runs side by side, any number of them.

$ "$STINT_TEST_LEDGER" home/.local/share/stint/ledger.db
$ stint report --compare bert bert-wide vit prepare -o out | grep -v png
| report of comparison of 4 runs
| 
| out/comparison_goal.svg
| out/comparison_cost.svg
| out/comparison.csv
| out/report.html
| out/report.md
$ cat out/report.md
| # Comparison of 4 runs
| 
| - **Runs:** 4
| - **Cost of all:** $0.2847 (without 1 run whose cost is unknown)
| - **Pareto-optimal:** 1 (by cost and val_loss)
| 
| ![Cost and quality](comparison_goal.svg)
| 
| Pareto-optimal is a run that is done when no cheaper one has a lower val_loss (lower is better). Metrics are the best that a run reached.
| 
| Cost per point is cost over the decrease of val_loss from its first value, of which a point is 1.
| 
| **Runs, the Pareto-optimal ones first**
| 
| | run | id | Pareto-optimal | state | gpu | cost | time | energy (kWh) | val_loss | loss | cost per point |
| | :--- | :--- | :--- | :--- | :--- | ---: | ---: | ---: | ---: | ---: | ---: |
| | bert | aaaa0001 | yes | done | NVIDIA A10G | $0.1167 | 16min40s | 0.058 | 2 | 1.375 | $0.1556 |
| | vit | eeee0005 |  | stopped | NVIDIA A10G | $0.0397 | 5min40s | 0.020 | not printed | not printed | unknown |
| | bert-wide | bbbb0002 |  | done | NVIDIA A10G | $0.1283 | 18min20s | 0.064 | 2 | 1.375 | $0.1711 |
| | prepare | dddd0004 |  | lost | - | unknown | 42s | unknown | not printed | not printed | unknown |
| 
| ![Cost of each run](comparison_cost.svg)
| 
| ## What to change
| 
| The best combination saves $0.141 of $0.285 (50 %), $0.0551 to $0.193: 3 findings together. No dollar is in it twice.
| 
| **Findings, and what each saves a run alone**
| 
| | what | saves | range | effort | seen | what to do | in the total |
| | :--- | ---: | ---: | :--- | :--- | :--- | :--- |
| | bert-wide (bbbb0002): use a cheaper machine elsewhere | $0.0637 | $0.0248 to $0.0869 | hours | 1 run, 0.306 GPU-hours of A10G, 83 % utilization, 40 % of 24 GB used at aws/us-east-1/g5.xlarge | stint run --offer aws/eu-north-1/g4dn.xlarge:spot -- COMMAND | yes |
| | bert (aaaa0001): use a cheaper machine elsewhere | $0.0579 | $0.0226 to $0.079 | hours | 1 run, 0.278 GPU-hours of A10G, 83 % utilization, 40 % of 24 GB used at aws/us-east-1/g5.xlarge | stint run --offer aws/eu-north-1/g4dn.xlarge:spot -- COMMAND | yes |
| | vit (eeee0005): use a cheaper machine elsewhere | $0.0197 | $0.00768 to $0.0269 | hours | 1 run, 0.0944 GPU-hours of A10G, 83 % utilization, 40 % of 24 GB used at aws/us-east-1/g5.xlarge | stint run --offer aws/eu-north-1/g4dn.xlarge:spot -- COMMAND | yes |
| 
| These are the numbers of: stint advise RUN.
| 
| <sub>Made by Stint on 2026-11-15 00:00 UTC from the ledger. comparison.csv has every run.</sub>
| <!-- written by stint report -->
$ cat out/comparison.csv
| name,id,state,gpu,cost,time,energy_kwh,per_point,best,val_loss,loss
| bert,aaaa0001,done,NVIDIA A10G,0.116666667,1000,0.058333333333333334,0.155555556,yes,2,1.375
| vit,eeee0005,stopped,NVIDIA A10G,0.039666667,340,0.019833333333333335,,no,,
| bert-wide,bbbb0002,done,NVIDIA A10G,0.128333333,1100,0.06416666666666666,0.171111111,no,2,1.375
| prepare,dddd0004,lost,,,42,,,no,,
A pattern means all runs of such names; a run that is named twice counts once.
$ stint report --compare 'bert*' bert last -o out | head -n 1
| report of comparison of 3 runs
$ stint report --compare 'bert*' --metric loss -o out >/dev/null; grep -h 'Pareto-optimal is' out/report.md
| Pareto-optimal is a run that is done when no cheaper one has a lower loss (lower is better). Metrics are the best that a run reached.
$ stint report --compare 'bert*' --metric nosuch -o out
! stint: none of these runs printed 'nosuch'
? 4
$ stint report --compare 'zzz*' -o out
! stint: no run has a name like 'zzz*'
? 4
$ stint report --compare bert -o out
! stint: --compare needs 2 runs or more, not 1
!   hint: 'stint runs' lists them; 'bert*' means all whose names match
? 2
Without a metric, cost and time are compared.
$ stint report --compare vit prepare -o none >/dev/null; grep -h 'Pareto' none/report.md
| - **Pareto-optimal:** 0 (by cost and time)
| A completed run is Pareto-optimal if no cheaper one took less time. None of these runs printed a metric.
| **Runs, the Pareto-optimal ones first**
| | run | id | Pareto-optimal | state | gpu | cost | time | energy (kWh) |
