A month of spending, before there is any.

$ stint report --month 2026-10
! stint: nothing was recorded in October 2026
!   hint: 'stint run -- COMMAND' records runs, 'stint import FILE' cloud bills
? 4

A month that is over, of bills and runs.

$ "$STINT_TEST_LEDGER" home/.local/share/stint/ledger.db costs
$ stint budget set all 4000usd --where service=Amazon*
| added the budget 'all': $4,000.00 a month, for service=Amazon*
| alerts: none ('--alert CHANNEL' sets where they go); at 50, 75, 90, 100 % spent; at 100 % forecast
$ stint report --month 2026-10 -o out | grep -v png
| report of month October 2026
|   Spend: $3,590.42 (effective cost)
|   Change from the month before: +$166.12 (+4.9 %) ($3,424.30 from 2026-09-01 to
|     2026-09-30, without credits)
|   Budgets: 1 of 1 kept (at the end of the month)
|   Savings realized: $610.70 (by spot and commitments, against the list prices of
|     bills)
|   Anomalies: 1 (0 ongoing; by service, $20 a day or more)
| 
| out/month_spend.svg
| out/month_teams.svg
| out/month_projects.svg
| out/report.html
| out/report.md
$ cat out/report.md
| # Spend in October 2026
| 
| 2026-10-01 to 2026-10-31 (UTC).
| 
| - **Spend:** $3,590.42 (effective cost)
| - **Change from the month before:** +$166.12 (+4.9 %) ($3,424.30 from 2026-09-01 to 2026-09-30, without credits)
| - **Budgets:** 1 of 1 kept (at the end of the month)
| - **Savings realized:** $610.70 (by spot and commitments, against the list prices of bills)
| - **Anomalies:** 1 (0 ongoing; by service, $20 a day or more)
| 
| > **Note:** There are several currencies, which are not added up. Figures show USD; --currency CODE converts.
| 
| ![Spend so far, day by day](month_spend.svg)
| 
| ## Where the money went
| 
| ![Spend by day and team](month_teams.svg)
| 
| ![Spend by team and project](month_projects.svg)
| 
| **Spend by team**
| 
| | team | cost | share |
| | :--- | ---: | ---: |
| | vision | 635.50 EUR | 100 % |
| | vision | $3,047.92 | 85 % |
| | nlp | $461.90 | 13 % |
| | platform | $74.40 | 2.1 % |
| | (none) | $6.20 | 0.2 % |
| 
| **Spend by project**
| 
| | project | cost | share |
| | :--- | ---: | ---: |
| | ads | 635.50 EUR | 100 % |
| | ads | $3,047.92 | 85 % |
| | search | $461.90 | 13 % |
| | (none) | $80.60 | 2.2 % |
| 
| **Spend by service**
| 
| | service | cost | share |
| | :--- | ---: | ---: |
| | Virtual Machines | 635.50 EUR | 100 % |
| | Amazon Elastic Compute Cloud | $3,478.82 | 97 % |
| | Amazon Simple Storage Service | $111.60 | 3.1 % |
| 
| **Spend by GPU**
| 
| | gpu | cost | share |
| | :--- | ---: | ---: |
| | A100 | 635.50 EUR | 100 % |
| | H100 | $3,047.92 | 85 % |
| | A10G | $356.50 | 9.9 % |
| | (none) | $186.00 | 5.2 % |
| 
| ## What changed
| 
| **Largest changes from September 2026**
| 
| | dimension | value | before | now | change | in % |
| | :--- | :--- | ---: | ---: | ---: | ---: |
| | gpu | A100 | 0.00 EUR | 635.50 EUR | +635.50 EUR | - |
| | project | ads | 0.00 EUR | 635.50 EUR | +635.50 EUR | - |
| | service | Virtual Machines | 0.00 EUR | 635.50 EUR | +635.50 EUR | - |
| | team | vision | 0.00 EUR | 635.50 EUR | +635.50 EUR | - |
| | service | Amazon Elastic Compute Cloud | $3,325.30 | $3,478.82 | +$153.52 | +4.6 % |
| | gpu | H100 | $2,949.60 | $3,047.92 | +$98.32 | +3.3 % |
| | project | ads | $2,949.60 | $3,047.92 | +$98.32 | +3.3 % |
| | team | vision | $2,949.60 | $3,047.92 | +$98.32 | +3.3 % |
| | project | search | $396.70 | $461.90 | +$65.20 | +16 % |
| | team | nlp | $396.70 | $461.90 | +$65.20 | +16 % |
| | gpu | A10G | $303.70 | $356.50 | +$52.80 | +17 % |
| | gpu | (none) | $171.00 | $186.00 | +$15.00 | +8.8 % |
| | service | Amazon Simple Storage Service | $99.00 | $111.60 | +$12.60 | +13 % |
| | project | (none) | $78.00 | $80.60 | +$2.60 | +3.3 % |
| | team | platform | $72.00 | $74.40 | +$2.40 | +3.3 % |
| | team | (none) | $6.00 | $6.20 | +$0.20 | +3.3 % |
| 
| ## What to change
| 
| No run was recorded in this time. Findings come from runs, which 'stint run' records.
| 
| ## Budgets
| 
| **Budgets at the end of the month**
| 
| | budget | period | spent | of | share | state | covers |
| | :--- | :--- | ---: | ---: | ---: | :--- | :--- |
| | all | 2026-10 | $3,590.42 | $4,000.00 | 89 % | 75 % reached | service=Amazon\* |
| 
| ## Anomalies
| 
| **Days of unusual spending, by service**
| 
| | service | began | change | expected | spent | state | likely cause |
| | :--- | :--- | ---: | ---: | ---: | :--- | :--- |
| | Virtual Machines | 2026-10-01, 21 days | +430.50 EUR | 0.00 EUR | 430.50 EUR | ended |  |
| 
| ## Utilization and savings
| 
| No run on a GPU was metered in this month.
| 
| **How machines are paid, and what that saved**
| 
| | machines | on spot | committed | on demand | other | saved by spot | saved by commitments |
| | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| | 635.50 EUR | 0 % | 0 % | 100 % | 0 % | 0.00 EUR | 0.00 EUR |
| | $3,478.82 | 10 % | 2.1 % | 88 % | 0 % | $573.50 | $37.20 |
| 
| ## Compared with other teams
| 
| $3,590.42 is in the typical range of monthly spend on machine learning.
| 
| **Total monthly ML spend of teams**
| 
| | size | from | to | this month | source | as of |
| | :--- | ---: | ---: | :--- | :--- | :--- |
| | minimal | $250.00 | $1,250.00 |  | ML Cost Optimization Reference (2025) | 2025-01-01 |
| | **typical** | **$1,250.00** | **$8,700.00** | **here** | **ML Cost Optimization Reference (2025)** | **2025-01-01** |
| | enterprise | $8,700.00 | $86,000.00 |  | ML Cost Optimization Reference (2025) | 2025-01-01 |
| 
| <sub>Made by Stint on 2026-11-15 00:00 UTC from the ledger's bills and from metered runs that no bill covers; bills until 2026-11-12.</sub>
| <!-- written by stint report -->
$ ls out | grep -v png; grep -c '<svg' out/report.html; tail -n 2 out/report.html
| month_projects.svg
| month_spend.svg
| month_teams.svg
| report.html
| report.md
| 6
| </html>
| <!-- written by stint report -->

Without -o each month has its folder; 'last' is the month before this one.

$ stint report --month last | tail -n 1
| cost_report/2026-10/report.md
$ stint report --month 2026-10 --json | grep -o '"summary":\["[^"]*"'
| "summary":["Spend: $3,590.42 (effective cost)"

The running month of a team.

$ stint report --month 2026-11 --where team=nlp -o nlp | head -n 1
| report of month November 2026: team=nlp
$ sed -n '1,12p' nlp/report.md; grep '^## ' nlp/report.md
| # Spend in November 2026: team=nlp
| 
| 2026-11-01 to 2026-11-15 (UTC); the month is not over.
| 
| - **Spend:** $219.30 (effective cost, of which $1.50 metered and not billed yet; without 1 run whose cost is unknown)
| - **Change from the month before:** +$39.00 (+22 %) ($178.80 from 2026-10-01 to 2026-10-12, without credits)
| - **Forecast of the month:** $546 (80 % range $512 to $587, 18 days left)
| - **Budgets:** 1 of 1 kept (as of now)
| - **GPU utilization:** 75 % (10 GPU-hours of runs, metered; $1.38 paid while idle)
| - **Savings realized:** $189.00 (by spot and commitments, against the list prices of bills)
| - **Anomalies:** 0 (0 ongoing; by service, $20 a day or more)
| 
| ## Where the money went
| ## What changed
| ## What to change
| ## Forecast
| ## Budgets
| ## Anomalies
| ## Utilization and savings
| ## Compared with other teams
$ stint report --month 2026-11 --where team=nosuch -o none; ls none
! stint: warning: no cost of these days has team 'nosuch'
! stint: nothing was recorded in November 2026 that matches
!   hint: 'stint run -- COMMAND' records runs, 'stint import FILE' cloud bills
! ls: cannot access 'none': No such file or directory
? 2
$ stint report --month 2027-01
! stint: --month: '2027-01' has not started
? 2
$ stint report --month 2026-13
! stint: --month: '2026-13' is not a month
!   hint: write it as 2026-10, this or last
? 2

Names of teams are only names.

$ stint runs add --name x --start 2026-11-10 --end 2026-11-11 --cost 500usd --tag 'team=<b>|*@you' --tag 'project=$(reboot)' >/dev/null
$ stint report --month 2026-11 -o odd >/dev/null; grep -ch '<b>' odd/report.html odd/month_teams.svg; grep -h 'reboot\|you' odd/report.md
| 0
| 0
| | &lt;b&gt;\|\*@<!-- -->you | $500.00 | 66 % | $500.00 |
| | \$(reboot) | $500.00 | 66 % | $500.00 |
| | project | \$(reboot) | $0.00 | $500.00 | +$500.00 | - |
| | team | &lt;b&gt;\|\*@<!-- -->you | $0.00 | $500.00 | +$500.00 | - |
| | &lt;b&gt;\|\*@<!-- -->you | $500.00 | $3,500 | $500 | $8,940 |
| | runs | 2026-11-10 | +$500.00 | $0.00 | $500.00 | ended | team=&lt;b&gt;\|\*@<!-- -->you: $0.00 a day before, $500.00 during it (100 % of the change) |

Sent each month: how, and by an alert channel that is there.

$ stint report --every month --mail finance@example.com
! stint: no alert channel sends mail to 'finance@example.com'
!   hint: stint alert add finance email --url smtp://HOST:587 --from ADDRESS --to finance@example.com
? 4
$ stint report --every month
! stint: --every needs --mail ADDRESS or --send CHANNEL
!   hint: 'stint alert channels' lists channels
? 2
$ stint report --every day --mail finance@example.com
! stint: --every: 'day' is not one of month
? 2
$ stint alert add finance email --url smtp://127.0.0.1:1 --from stint@example.com --to finance@example.com,cfo@example.com
| added the email channel 'finance'; 'stint alert test finance' sends a message now
$ stint report --every month --mail CFO@example.com --where 'team=50% "x" it'"'"'s' | sed 's|[^ =]*/stint |stint |'
| for cron (crontab -e), on the 2nd of each month at 6:00:
| 
| 0 6 2 * * stint report --month last --where 'team=50\% "x" it'\''s' --mail CFO@example.com
| 
| or for systemd, ~/.config/systemd/user/stint-report.service:
| 
| [Service]
| Type=oneshot
| WorkingDirectory=%h
| ExecStart=stint report --month last --where "team=50%% \"x\" it's" --mail CFO@example.com
| 
| ~/.config/systemd/user/stint-report.timer:
| 
| [Timer]
| OnCalendar=*-*-02 06:00 UTC
| Persistent=true
| 
| [Install]
| WantedBy=timers.target
| 
| then: systemctl --user enable --now stint-report.timer
$ stint alert add page pagerduty --key-env PD
| added the pagerduty channel 'page'
! stint: warning: the variable PD is not set: 'page' cannot be used from here
$ stint report --every month --send page
! stint: 'page' is for incidents (pagerduty): a report is none
!   hint: 'stint alert channels' lists others
? 2
$ stint report --month 2026-10 --send finance -o sent 2>&1 | cut -c 1-52
| stint: 'finance' did not accept it: no connection: F
$ ls sent | grep -c report
| 2

A month with runs: what to change, as 'stint advise' has it; what was dismissed is left out, what was applied is measured.

$ rm -r home/.local/share/stint; mkdir home/.local/share/stint; "$STINT_TEST_LEDGER" home/.local/share/stint/ledger.db advise
$ stint report --month 2026-11 -o runs | sed -n '/What to change/,$p' | grep -v png
|   What to change: saves $199 a month ($149 to $222, 8 findings together)
| 
| runs/month_spend.svg
| runs/month_teams.svg
| runs/month_projects.svg
| runs/month_findings.svg
| runs/report.html
| runs/report.md
$ sed -n '/^## What to change/,/^## Forecast/p' runs/report.md
| ## What to change
| 
| The best combination saves $199 of $289 a month (69 %), $149 to $222: 8 findings together. No dollar is in it twice.
| 
| **Findings, and what each saves a month alone**
| 
| | what | saves | range | effort | seen | what to do | in the total |
| | :--- | ---: | ---: | :--- | :--- | :--- | :--- |
| | bert (project nlp): use a GPU that fits | $101 | $84.8 to $112 | minutes | 8 runs, 28 GPU-hours of A100-SXM-40GB, 34 % utilization, 23 % of 40 GB used: a smaller GPU would do | stint run --offer gcp/us-east4/g2-standard-4:on-demand -- COMMAND | yes |
| | bert (project nlp): stop runs that are idle | $37.2 | $17.6 to $46.0 | minutes | 8 runs, 28 GPU-hours; nothing was busy for $23.49 of $102.76 (23 %) | stint run --idle 10min -- COMMAND | yes |
| | jupyter: stop idle notebooks | $26.2 | $24.1 to $27.5 | minutes | 2 notebooks; nothing was busy for $14.08 of $16.10 (88 %) | stint run --idle 30min -- jupyter lab | yes |
| | resnet: use spot machines | $18.1 | $6.43 to $19.6 | hours | 6 runs, 15.7 GPU-hours of A10G, 62 % utilization, 75 % of 24 GB used on demand; spot is $0.3535/hr at aws/us-east-2/g5.xlarge instead of $1.01/hr, 0.35 interruptions expected in a run | save checkpoints and resume from them, then: stint run --offer aws/us-east-2/g5.xlarge:spot -- COMMAND | yes |
| | resnet: load data faster | $12.1 | $10.1 to $12.1 | hours | 6 runs, 15.7 GPU-hours; GPUs waited for data for $6.04 of $15.79 (38 %) | DataLoader(num_workers=twice as many, persistent_workers=True, pin_memory=True), or the data on a local disk | yes |
| | llama (project nlp): find mistakes in a short run | $7.38 | $5.53 to $8.05 | hours | 4 of 4 runs failed: $4.02 of $4.02 (100 %); 4 x killed (status 137: mostly out of memory) | 'stint estimate JOB --on GPU' shows what fits, 'stint tune -- COMMAND' finds the largest batch | yes |
| | eval: use spot machines | $2.37 | $0.941 to $2.52 | hours | 3 runs, 6 GPU-hours of A10G, 80 % utilization, 67 % of 24 GB used on demand; spot is $0.3535/hr at aws/us-east-2/g5.xlarge instead of $1.01/hr, 0.29 interruptions expected in a run | save checkpoints and resume from them, then: stint run --offer aws/us-east-2/g5.xlarge:spot -- COMMAND | yes |
| | jupyter: use a GPU that fits | $1.88 | $1.83 to $1.91 | minutes | 2 runs, 16 GPU-hours of A10G, 5 % utilization, 17 % of 24 GB used: a smaller GPU would do | stint run --offer aws/us-east-2/g4dn.xlarge:on-demand -- COMMAND | yes |
| 
| These are the numbers of: stint advise --since 2026-11-01 --until 2026-11-15.
| 
| ![What to change, and what it saves](month_findings.svg)
| 
| ## Forecast
$ stint advise --since 2026-11-01 --until 2026-11-15 | sed -n '2,3p'
| cost            $289 a month
| savings         $199 a month ($149 to $222), 69 %, with 8 findings together
$ stint advise dismiss right-size-4c613784 >/dev/null; stint advise apply data-stalls-658bf6de | tail -1
| predicted $6.04 a month; 'stint advise' measures it from now on
$ stint report --month 2026-11 -o runs >/dev/null; sed -n '/^## What to change/,/^## Forecast/p' runs/report.md | grep -v ' yes |$'
| ## What to change
| 
| The best combination saves $93.1 of $289 a month (32 %), $56.5 to $106: 6 findings together. No dollar is in it twice.
| 
| **Findings, and what each saves a month alone**
| 
| | what | saves | range | effort | seen | what to do | in the total |
| | :--- | ---: | ---: | :--- | :--- | :--- | :--- |
| 
| **Applied findings: savings a month, predicted and measured**
| 
| | applied | since | predicted | measured | 80 % range | result |
| | :--- | :--- | ---: | ---: | ---: | :--- |
| | resnet: load data faster | 2026-11-15 00:00 | $6.04 | ? | - | predicted $6.04 a month; too few completed runs yet: 6 before and 0 since, 3 each are needed |
| 
| These are the numbers of: stint advise --since 2026-11-01 --until 2026-11-15. 2 dismissed or applied are not listed.
| 
| ![What to change, and what it saves](month_findings.svg)
| 
| ## Forecast
$ grep -c 'bert.*use a GPU that fits' runs/month_findings.svg
| 0
? 1
$ stint report --month 2026-11 --where project=nlp -o nlp >/dev/null; sed -n '/^## What to change/,/^## Forecast/p' nlp/report.md; ls nlp | grep -c findings
| ## What to change
| 
| Findings are about all runs, not only about those of --where: 'stint advise' prints them.
| 
| ## Forecast
| 0
? 1
$ mkdir -p home/.config/stint; echo 'rules: [{name: x}]' >home/.config/stint/rules.yaml; stint report --month 2026-11 -o runs | grep -A2 'What to change'; grep 'left out' runs/report.md
|   What to change: unknown (home/.config/stint/rules.yaml:1:9: 'title' is
|     missing)
| 
| > **Warning:** Findings are left out: home/.config/stint/rules.yaml:1:9: 'title' is missing
! stint: warning: findings are left out: home/.config/stint/rules.yaml:1:9: 'title' is missing

A tag of 100,000 characters is kept, and counts by its first ones.

$ rm -r home/.local/share/stint home/.config/stint/rules.yaml; long=$(printf '%0100000d' 7); stint runs add --name big --tag team=$long --start 2026-11-10T10:00:00Z --end 2026-11-10T12:00:00Z --cost 10usd | head -1 | cut -c 1-5
| added
$ stint report --month 2026-11 -o long >/dev/null; grep -c '^| 0000' long/report.md
| 2
! stint: warning: a run has a team of 100000 bytes: its first 196 count and are shown
$ stint costs --by team --month 2026-11 | sed -n 2p | sed 's/0000*/0.../'
| 0...  $10.00  100 %          $10.00
! stint: warning: a run has a team of 100000 bytes: its first 196 count and are shown
$ stint show big --json | wc -c | cut -c 1-3
| 102
