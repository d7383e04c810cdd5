Metrics for Prometheus and Grafana: values, the list, rules, a dashboard.

Without a ledger there is the program itself.
$ stint metrics | sed 's/version="[0-9.]*"/version="V"/'
| # HELP stint_ledger_up Whether the ledger can be read (1) or not (0)
| # TYPE stint_ledger_up gauge
| stint_ledger_up 1
| # HELP stint_build_info Version of the program
| # TYPE stint_build_info gauge
| stint_build_info{version="V"} 1
$ stint metrics --format openmetrics | sed 's/version="[0-9.]*"/version="V"/'
| # HELP stint_ledger_up Whether the ledger can be read (1) or not (0)
| # TYPE stint_ledger_up gauge
| stint_ledger_up 1
| # HELP stint_build Version of the program
| # TYPE stint_build info
| stint_build_info{version="V"} 1
| # EOF
$ stint metrics --json | sed 's/[0-9.]*..","value":1}]}$/V\\"","value":1}]}/'
| {"schema":"stint.metrics/1","samples":[{"name":"stint_ledger_up","labels":null,"value":1},{"name":"stint_build_info","labels":"version=\"V\"","value":1}]}

A month with runs and a budget. 12.50 + 7.25 dollars were spent; names are escaped.
$ stint runs add --name train --gpu L4 --start 2026-11-10 --end 2026-11-10T02:00:00Z --cost 12.50usd --tag team=nlp,project=search >/dev/null
$ stint runs add --name eval --gpu L4 --start 2026-11-12 --end 2026-11-12T01:00:00Z --cost 7.25usd --tag 'team=a"b\c' >/dev/null
$ stint budget set nlp 100usd --where team=nlp >/dev/null
$ stint metrics | grep -v stint_build
| # HELP stint_runs Runs that are running, or silent: without an update for a while
| # TYPE stint_runs gauge
| stint_runs{state="running"} 0
| stint_runs{state="silent"} 0
| # HELP stint_month_cost Spending since the first of the month, from bills and runs (UTC)
| # TYPE stint_month_cost gauge
| stint_month_cost{team="nlp",project="search",currency="USD"} 12.5
| stint_month_cost{team="a\"b\\c",project="",currency="USD"} 7.25
| # HELP stint_budget_limit Limit of a budget in its current period
| # TYPE stint_budget_limit gauge
| stint_budget_limit{budget="nlp",currency="USD"} 100
| # HELP stint_budget_spent Spending that counts against a budget in its current period
| # TYPE stint_budget_spent gauge
| stint_budget_spent{budget="nlp",currency="USD"} 12.5
| # HELP stint_budget_forecast Expected spending against a budget by the end of its period
| # TYPE stint_budget_forecast gauge
| stint_budget_forecast{budget="nlp",currency="USD"} 48.86
| # HELP stint_budget_end_timestamp_seconds Unix time at which the current period of a budget ends (UTC)
| # TYPE stint_budget_end_timestamp_seconds gauge
| stint_budget_end_timestamp_seconds{budget="nlp"} 1796083200
| # HELP stint_alerts_firing Stint's own alerts that are firing (stint alert list --firing)
| # TYPE stint_alerts_firing gauge
| stint_alerts_firing{severity="info"} 0
| stint_alerts_firing{severity="warning"} 0
| stint_alerts_firing{severity="error"} 0
| stint_alerts_firing{severity="critical"} 0
| # HELP stint_metrics_left_out Runs, groups and budgets without series of their own: over the limit
| # TYPE stint_metrics_left_out gauge
| stint_metrics_left_out{of="runs"} 0
| stint_metrics_left_out{of="groups"} 0
| stint_metrics_left_out{of="budgets"} 0
| # HELP stint_ledger_up Whether the ledger can be read (1) or not (0)
| # TYPE stint_ledger_up gauge
| stint_ledger_up 1
$ stint metrics --team nlp | grep -v '^#\|stint_build'
| stint_runs{state="running"} 0
| stint_runs{state="silent"} 0
| stint_month_cost{team="nlp",project="search",currency="USD"} 12.5
| stint_budget_limit{budget="nlp",currency="USD"} 100
| stint_budget_spent{budget="nlp",currency="USD"} 12.5
| stint_budget_forecast{budget="nlp",currency="USD"} 48.86
| stint_budget_end_timestamp_seconds{budget="nlp"} 1796083200
| stint_alerts_firing{severity="info"} 0
| stint_alerts_firing{severity="warning"} 0
| stint_alerts_firing{severity="error"} 0
| stint_alerts_firing{severity="critical"} 0
| stint_metrics_left_out{of="runs"} 0
| stint_metrics_left_out{of="groups"} 0
| stint_metrics_left_out{of="budgets"} 0
| stint_ledger_up 1

Every metric.
$ stint metrics list
| metric                                type     unit     labels                                              what it measures
| stint_run_info                        info     -        run_id, run, team, project, user, host, gpu, offer  A running run: who started it, where, and on which GPU
| stint_run_cost_total                  counter  -        run_id, run, team, project, currency                Cost of a running run so far, over all attempts
| stint_run_cost_per_second             gauge    -        run_id, run, team, project, currency                Cost of a running run per second at its current price
| stint_run_projected_cost              gauge    -        run_id, run, team, project, currency                Total cost of a running run at its current pace
| stint_run_budget                      gauge    -        run_id, run, team, project, currency                Budget of a running run (stint run --budget)
| stint_run_time_seconds_total          counter  seconds  run_id, run, team, project                          Time that a running run has run, over all attempts
| stint_run_updated_timestamp_seconds   gauge    seconds  run_id, run, team, project                          Unix time of the last update from a running run
| stint_run_energy_joules_total         counter  joules   run_id, run, team, project                          Energy that a running run has used, over all attempts
| stint_run_power_watts                 gauge    watts    run_id, run, team, project                          Power that a running run draws now
| stint_run_gpus                        gauge    -        run_id, run, team, project                          GPUs that a running run uses
| stint_run_gpu_utilization_ratio       gauge    ratio    run_id, run, team, project                          Share of time that the GPUs of a running run are busy now (0 to 1)
| stint_run_gpu_memory_bytes            gauge    bytes    run_id, run, team, project                          Memory in use on the fullest GPU of a running run
| stint_run_step                        gauge    -        run_id, run, team, project                          Last training step that a running run reached; lower after a restart
| stint_run_steps_per_second            gauge    -        run_id, run, team, project                          Throughput of a running run: training steps per second now
| stint_run_efficiency_score_ratio      gauge    ratio    run_id, run, team, project                          Efficiency score of a running run (1 is 100/100)
| stint_runs                            gauge    -        state                                               Runs that are running, or silent: without an update for a while
| stint_month_cost                      gauge    -        team, project, currency                             Spending since the first of the month, from bills and runs (UTC)
| stint_budget_limit                    gauge    -        budget, currency                                    Limit of a budget in its current period
| stint_budget_spent                    gauge    -        budget, currency                                    Spending that counts against a budget in its current period
| stint_budget_forecast                 gauge    -        budget, currency                                    Expected spending against a budget by the end of its period
| stint_budget_end_timestamp_seconds    gauge    seconds  budget                                              Unix time at which the current period of a budget ends (UTC)
| stint_alerts_firing                   gauge    -        severity                                            Stint's own alerts that are firing (stint alert list --firing)
| stint_metrics_left_out                gauge    -        of                                                  Runs, groups and budgets without series of their own: over the limit
| stint_ledger_up                       gauge    -        -                                                   Whether the ledger can be read (1) or not (0)
| stint_build_info                      info     -        version                                             Version of the program
| stint_server_requests_total           counter  -        result                                              Requests to this server: answered, refused, or failed
| stint_server_connections              gauge    -        -                                                   Open connections to this server
| stint_server_start_timestamp_seconds  gauge    seconds  -                                                   Unix time at which this server started

The files: tests/serve/metrics.py gives them to Prometheus.
$ stint metrics rules
| # Rules for Prometheus, written by 'stint metrics rules'.
| groups:
|   - name: stint-records
|     rules:
|       - record: currency:stint_run_cost_per_hour:sum
|         expr: 'sum by (currency) (stint_run_cost_per_second) * 3600'
|       - record: team:stint_run_gpu_utilization_ratio:avg
|         expr: 'avg by (team) (stint_run_gpu_utilization_ratio)'
|       - record: team:stint_month_cost:sum
|         expr: 'sum by (team, currency) (stint_month_cost)'
|       - record: budget:stint_budget_spent:ratio
|         expr: 'stint_budget_spent / stint_budget_limit'
|       - record: budget:stint_budget_forecast:ratio
|         expr: 'stint_budget_forecast / stint_budget_limit'
|   - name: stint-alerts
|     rules:
|       - alert: StintCostRateJump
|         expr: 'currency:stint_run_cost_per_hour:sum / avg_over_time(currency:stint_run_cost_per_hour:sum[1d] offset 15m) > 2 and currency:stint_run_cost_per_hour:sum > 1'
|         for: 15m
|         labels:
|           severity: warning
|         annotations:
|           summary: 'Running runs cost {{ $value | humanize }} times as much per hour as the average of the last day ({{ $labels.currency }})'
|           description: 'stint top --sort rate'
|       - alert: StintRunNearBudget
|         expr: 'stint_run_cost_total / stint_run_budget > 0.9'
|         for: 0m
|         labels:
|           severity: warning
|         annotations:
|           summary: 'Run {{ $labels.run }} ({{ $labels.run_id }}) has spent {{ $value | humanizePercentage }} of its budget'
|           description: 'stint show {{ $labels.run_id }}'
|       - alert: StintRunNoData
|         expr: 'time() - stint_run_updated_timestamp_seconds > 300'
|         for: 2m
|         labels:
|           severity: warning
|         annotations:
|           summary: 'Run {{ $labels.run }} ({{ $labels.run_id }}) has sent no update for {{ $value | humanizeDuration }}'
|           description: 'stint show {{ $labels.run_id }}'
|       - alert: StintRunIdle
|         expr: 'stint_run_gpu_utilization_ratio < 0.05'
|         for: 15m
|         labels:
|           severity: warning
|         annotations:
|           summary: 'The GPUs of run {{ $labels.run }} ({{ $labels.run_id }}) are idle: {{ $value | humanizePercentage }} busy'
|           description: 'stint stop {{ $labels.run_id }}'
|       - alert: StintBudgetExceeded
|         expr: 'budget:stint_budget_spent:ratio > 1'
|         for: 5m
|         labels:
|           severity: critical
|         annotations:
|           summary: 'Budget {{ $labels.budget }} is exceeded: {{ $value | humanizePercentage }} of its limit is spent'
|           description: 'stint budget show {{ $labels.budget }}'
|       - alert: StintBudgetForecastExceeded
|         expr: 'budget:stint_budget_forecast:ratio > 1'
|         for: 1h
|         labels:
|           severity: warning
|         annotations:
|           summary: 'Budget {{ $labels.budget }} is forecast to reach {{ $value | humanizePercentage }} of its limit'
|           description: 'stint forecast; stint budget show {{ $labels.budget }}'
|       - alert: StintMetricsLeftOut
|         expr: 'stint_metrics_left_out > 0'
|         for: 1h
|         labels:
|           severity: info
|         annotations:
|           summary: '{{ $value }} {{ $labels.of }} have no series of their own'
|           description: 'scrape with the token of a team: stint token add --team NAME'
|       - alert: StintLedgerUnreadable
|         expr: 'stint_ledger_up == 0'
|         for: 5m
|         labels:
|           severity: critical
|         annotations:
|           summary: 'The server cannot read the ledger'
|           description: 'stint ledger doctor'
|       - alert: StintNoMetrics
|         expr: '(count(stint_build_info) or vector(0)) == 0'
|         for: 5m
|         labels:
|           severity: critical
|         annotations:
|           summary: 'No Stint server is being scraped'
|           description: 'systemctl status stint'
|       - alert: StintServerErrors
|         expr: 'rate(stint_server_requests_total{result="failed"}[5m]) > 0.1'
|         for: 10m
|         labels:
|           severity: warning
|         annotations:
|           summary: '{{ $value | humanize }} requests per second fail on {{ $labels.instance }}'
|           description: 'journalctl -u stint'
$ stint metrics dashboard | head -3
| {"title":"Stint","uid":"stint","tags":["stint","cost"],"description":"Running jobs, their cost, and the budgets left. Written by 'stint metrics dashboard'.","schemaVersion":38,"editable":true,"graphTooltip":1,"refresh":"30s","timezone":"browser","time":{"from":"now-6h","to":"now"},
| "templating":{"list":[
| {"name":"datasource","label":"Source","type":"datasource","query":"prometheus"},
$ stint metrics dashboard --json | head -c 80
| {"schema":"stint.metrics.dashboard/1","dashboard":{"title":"Stint","uid":"stint"
| (no newline at the end)
$ stint metrics rules --json | head -c 80
| {"schema":"stint.metrics.rules/1","rules":"# Rules for Prometheus, written by 's
| (no newline at the end)

Mistakes.
$ stint metrics --format json
! stint: --format: 'json' is not one of prometheus, openmetrics
? 2
$ stint metrics rule
! stint: metrics does not expect 'rule'
!   hint: did you mean 'stint metrics rules'?
? 2
