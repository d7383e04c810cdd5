needs: python3
An empty ledger: how to begin.

$ stint report
! stint: there is no ledger 'home/.local/share/stint/ledger.db' yet
!   hint: 'stint run -- COMMAND' makes it
? 4

A run, with all of its files or none.

$ "$STINT_TEST_LEDGER" home/.local/share/stint/ledger.db
$ stint report bert
| report of run bert (aaaa0001)
|   $0.1167, 16min40s, 58.3 Wh, 22.2 g CO2e
|   cheapest: $0.0475 on demand (hyperstack, RTXA4000), $0.0532 on spot (aws, T4),
|     modeled
|   what to change: saves $0.0579 of $0.117 (50 %), $0.0226 to $0.079: 1 finding
|     together
|   use a cheaper machine elsewhere: saves $0.0579 of $0.117 (50 %), $0.0226 to
|     $0.079
| 
| cost_analysis/cost_analysis.json
| cost_analysis/cost_dashboard.svg
| cost_analysis/cost_dashboard.png
| cost_analysis/cost_dashboard.pdf
| cost_analysis/cost_comparison.svg
| cost_analysis/cost_comparison.png
| cost_analysis/metrics.svg
| cost_analysis/metrics.png
| cost_analysis/report.html
| cost_analysis/report.md
$ ls -A cost_analysis
| cost_analysis.json
| cost_comparison.png
| cost_comparison.svg
| cost_dashboard.pdf
| cost_dashboard.png
| cost_dashboard.svg
| metrics.png
| metrics.svg
| report.html
| report.md
docs/guide/report.md shows it.
$ . "$cases/transcript.sh"; transcript "$cases/../../docs/guide/report.md" "stint report bert"; grep -c '^[$] stint' expected.txt; rm -r reports
| 1
$ stint report bert -o other/place | sed -n '2p'
|   $0.1167, 16min40s, 58.3 Wh, 22.2 g CO2e
$ stint report nosuch
! stint: there is no run 'nosuch'
!   hint: 'stint runs' lists them; 'last' is the newest
? 4
$ stint report bert --json | sed 's/"size":[0-9]*/"size":N/g'
| {"schema":"stint.report/1","kind":"run","title":"bert (aaaa0001)","folder":"cost_analysis","files":[{"path":"cost_analysis/cost_analysis.json","size":N},{"path":"cost_analysis/cost_dashboard.svg","size":N},{"path":"cost_analysis/cost_dashboard.png","size":N},{"path":"cost_analysis/cost_dashboard.pdf","size":N},{"path":"cost_analysis/cost_comparison.svg","size":N},{"path":"cost_analysis/cost_comparison.png","size":N},{"path":"cost_analysis/metrics.svg","size":N},{"path":"cost_analysis/metrics.png","size":N},{"path":"cost_analysis/report.html","size":N},{"path":"cost_analysis/report.md","size":N}],"summary":["$0.1167, 16min40s, 58.3 Wh, 22.2 g CO2e","cheapest: $0.0475 on demand (hyperstack, RTXA4000), $0.0532 on spot (aws, T4), modeled","what to change: saves $0.0579 of $0.117 (50 %), $0.0226 to $0.079: 1 finding together","use a cheaper machine elsewhere: saves $0.0579 of $0.117 (50 %), $0.0226 to $0.079"]}

The keys of the cost guides; what is null has a reason. Numbers have three digits here.
$ printf '%s\n' 'import json, sys' 'data = json.load(open(sys.argv[1] + "/cost_analysis.json"))' 'for name, part in data["cost_breakdown"].items():' '    for key, value in part.items():' '        if key == "unknown": [print("  null:", u["key"] + ":", u["reason"]) for u in value]' '        elif value is not None: print(name, key, "%.3g" % value if isinstance(value, float) else value)' 'for r in data["recommendations"]: print(r["priority"], r["implementation_effort"], r["category"] + ":", r["title"] + ",", r["expected_improvement"])' >show.py
$ python3 show.py cost_analysis
| training time_hours 0.278
| training energy_kwh 0.0583
| training cost_local_usd 0.00962
| training cost_aws_usd 0.197
| training cost_azure_usd 1.03
| training cost_gcp_usd 0.208
| training cost_usd 0.117
| training projected_daily_usd 9.6
| training estimated_usd 0.11
| training cheapest_usd 0.0475
| training cheapest_spot_usd 0.0532
| training time_method metered
| training energy_method counter
| training energy_error 0.05
| training local_method electricity for the same energy at $0.165/kWh (US household, 2024-12-31)
| training price_source spot history of 2026-11-14
| inference batches []
|   null: avg_time_ms: not measured: 'stint bench --run', or give --inference-time
|   null: throughput_samples_per_sec: not measured: 'stint bench --run', or give --inference-time
|   null: cost_per_1k_usd: not measured: 'stint bench --run', or give --inference-time
|   null: cost_per_1m_usd: not measured: 'stint bench --run', or give --inference-time
|   null: method: not measured: 'stint bench --run', or give --inference-time
| resources peak_memory_mb 6500
| resources average_memory_mb 6500
| resources disk_read_mb 12000
| resources disk_written_mb 3000
| resources cpu_cores 1.6
| resources gpu A10G
| resources gpus 1
| resources gpu_utilization 0.83
| resources gpu_memory_peak_mb 9500
| resources gpu_memory_total_mb 24000
|   null: model_size_mb: not recorded: give --model-size
|   null: parameters: not recorded: give --parameters
| environmental carbon_kg 0.0222
| environmental car_km 0.089
| environmental miles_driven 0.0553
| environmental tree_months 0.0121
| environmental smartphone_charges 1.79
| environmental offset_usd 0.000598
| environmental offset_low_usd 0.000141
| environmental offset_high_usd 0.00709
| environmental carbon_method by the grid of its region, counted while it ran
| efficiency efficiency_score 61
| efficiency cost_guides_score 70
| efficiency gpu_utilization 0.83
| efficiency gpu_memory_share 0.396
| efficiency cost_per_step_usd 5.83e-05
| efficiency cost_per_point_usd 0.00191
| high moderate deployment: use a cheaper machine elsewhere, saves $0.0579 of $0.117 (50 %), $0.0226 to $0.079
The script of the cost guides for CI, as it is.
$ printf '%s\n' 'import json' '' 'def track_costs(experiment_dir):' '    """Track costs over time."""' '    with open(f"{experiment_dir}/cost_analysis/cost_analysis.json") as f:' '        data = json.load(f)' '    ' '    metrics = {' "        'training_cost': data['cost_breakdown']['training']['cost_local_usd']," "        'inference_ms': data['cost_breakdown']['inference']['avg_time_ms']," "        'efficiency_score': data['cost_breakdown']['efficiency']['efficiency_score']" '    }' '    ' '    # Send to monitoring system' '    send_to_monitoring(metrics)' '    ' '    # Alert if costs spike' "    if metrics['training_cost'] > 0.05:  # \$0.05 threshold" '        alert_team("Training costs exceeded budget!")' >track.py
$ printf '%s\n' 'from track import *; import track' 'track.send_to_monitoring = lambda m: print(sorted(m), "%.3g" % m["training_cost"], m["inference_ms"], m["efficiency_score"])' 'track.alert_team = print' 'track_costs(".")' >ci.py; python3 ci.py
| ['efficiency_score', 'inference_ms', 'training_cost'] 0.00962 None 61
Pictures are pictures, texts are texts.
$ head -c 4 cost_analysis/cost_dashboard.png | od -An -c; head -c 5 cost_analysis/cost_dashboard.pdf; echo; grep -c '<svg' cost_analysis/report.html; sed -n '1,7p' cost_analysis/report.md
|  211   P   N   G
| %PDF-
| 12
| # bert
| 
| run aaaa0001, 2026-11-13 18:00 UTC, 16min40s (metered) on 1x A10G, aws/us-east-1/g5.xlarge
| 
| - **Cost:** $0.1167 ($0.4000/hr, spot history of 2026-11-14)
| - **Estimate:** $0.11 (before it began)
| - **Time:** 16min40s (metered)
$ for f in cost_dashboard.svg cost_comparison.svg report.html report.md; do tail -1 cost_analysis/$f; done | sort | uniq -c
|       4 <!-- written by stint report -->

Energy that no meter counted is modeled for the cost at home, and only there.
$ stint runs add --name rented --offer aws/us-east-1/g5.xlarge --start 2026-11-10T00:00:00Z --end 2026-11-10T10:00:00Z >/dev/null 2>&1; stint report rented -o rented >/dev/null; python3 show.py rented | grep -e local -e energy
| training cost_local_usd 0.77
| training local_method electricity for 466.7 W, modeled because no meter measured it, at $0.165/kWh (US household, 2024-12-31)
|   null: energy_kwh: no meter of that machine reports energy
|   null: energy_method: no meter of that machine reports energy
|   null: energy_error: its method has no stated error
|   null: carbon_kg: the energy is not known
|   null: car_km: the energy is not known
|   null: miles_driven: the energy is not known
|   null: tree_months: the energy is not known
|   null: smartphone_charges: the energy is not known
|   null: offset_usd: the energy is not known
|   null: offset_low_usd: the energy is not known
|   null: offset_high_usd: the energy is not known
|   null: carbon_method: the energy is not known

A run without price or meters: unknown is unknown.
$ stint report cccc0003 -o prepare >/dev/null; python3 show.py prepare; sed -n '3,13p' prepare/report.md
| training time_hours 0.0117
| training cost_aws_usd 0.00877
| training cost_azure_usd 0.159
| training cost_gcp_usd 0.00978
| training cheapest_usd 0.0025
| training cheapest_spot_usd 0.00236
| training time_method metered
| training local_method the energy is not known: no meter counted it, and the GPU is not known
|   null: energy_kwh: no meter of that machine reports energy
|   null: cost_local_usd: the energy is not known: no meter counted it, and the GPU is not known
|   null: cost_usd: there is no price
|   null: projected_daily_usd: the price of an hour is not known
|   null: estimated_usd: no estimate was made before it began
|   null: energy_method: no meter of that machine reports energy
|   null: energy_error: its method has no stated error
|   null: price_source: not recorded
| inference batches []
|   null: avg_time_ms: not measured: 'stint bench --run', or give --inference-time
|   null: throughput_samples_per_sec: not measured: 'stint bench --run', or give --inference-time
|   null: cost_per_1k_usd: not measured: 'stint bench --run', or give --inference-time
|   null: cost_per_1m_usd: not measured: 'stint bench --run', or give --inference-time
|   null: method: not measured: 'stint bench --run', or give --inference-time
| resources peak_memory_mb 250
| resources cpu_cores 1.9
|   null: model_size_mb: not recorded: give --model-size
|   null: parameters: not recorded: give --parameters
|   null: average_memory_mb: the meters did not see it
|   null: disk_read_mb: the meters did not see it
|   null: disk_written_mb: the meters did not see it
|   null: gpu: the meters did not see it
|   null: gpus: the meters did not see it
|   null: gpu_utilization: the meters did not see it
|   null: gpu_memory_peak_mb: the meters did not see it
|   null: gpu_memory_total_mb: the meters did not see it
|   null: carbon_kg: the energy is not known
|   null: car_km: the energy is not known
|   null: miles_driven: the energy is not known
|   null: tree_months: the energy is not known
|   null: smartphone_charges: the energy is not known
|   null: offset_usd: the energy is not known
|   null: offset_low_usd: the energy is not known
|   null: offset_high_usd: the energy is not known
|   null: carbon_method: the energy is not known
|   null: efficiency_score: the meters did not see it
|   null: cost_guides_score: the meters did not see it
|   null: gpu_utilization: the meters did not see it
|   null: gpu_memory_share: the meters did not see it
|   null: cost_per_step_usd: no steps were recorded
|   null: cost_per_point_usd: there is no efficiency score
| run cccc0003, 2026-11-14 14:00 UTC, 42s (metered)
| 
| - **Cost:** unknown (there is no price)
| - **Time:** 42s (metered)
| - **Energy:** unknown (no meter of that machine reports energy)
| - **Carbon:** unknown (the energy is not known)
| - **Efficiency:** unknown (the meters did not see it)
| - **Cheapest on demand:** $0.0025 (hyperstack/\*/n3-RTX-A4000x1, 1x RTXA4000, in 42s (assumed), price from 2026-08-26)
| - **Cheapest on spot:** $0.00237 (aws/eu-north-1/g4dn.xlarge, 1x T4, in 42s (assumed), price from 2026-08-22)
| 
| ![Cost at a glance](cost_dashboard.svg)

A file that Stint did not write stays, and nothing else is written beside it.
$ mkdir mine; echo '{"mine": true}' >mine/cost_analysis.json; stint report bert -o mine; cat mine/cost_analysis.json; ls -A mine
| {"mine": true}
| cost_analysis.json
! stint: 'mine/cost_analysis.json' was not written by Stint: not replaced
!   hint: --replace replaces it; -o DIR writes to another folder
$ stint report bert -o mine --replace | sed -n '1p'; head -c 34 mine/cost_analysis.json; echo
| report of run bert (aaaa0001)
| {"schema":"stint.cost_analysis/1",
Its own are replaced.
$ stint report bert-wide -o mine | sed -n '1p'
| report of run bert-wide (bbbb0002)
What is no folder, and what cannot be written, is said; nothing is left.
$ echo file >plain; stint report bert -o plain
! stint: cannot make the folder 'plain': Not a directory
? 1
$ stint report bert -o /proc/nosuch/report
! stint: cannot make the folder '/proc/nosuch': No such file or directory
? 1
$ mkdir full; mkdir full/report.md; stint report bert -o full --replace; ls -A full
| report.md
! stint: cannot write 'full/report.md': Is a directory

Names with markup, escape sequences and bytes that are no text are shown, and not obeyed.
$ stint --ledger hostile.db run --no-gpu --price 1usd/hr --name "$(printf '<script>a|b</script>\033[2J\377](x)')" -- true 2>/dev/null; stint --ledger hostile.db report last -o hostile | head -1 | sed 's/([0-9a-f]*)$/(ID)/'
| report of run <script>a|b</script>?[2J?](x) (ID)
A run that used no GPU is compared with machines without, of x86 as most are.
$ python3 show.py hostile | grep -e null:.cost -e null:.cheapest; sed -n '/same work elsewhere/,$p' hostile/report.md | cut -d '|' -f 1-4 | grep -v -e Written -e c7g
|   null: cost_local_usd: the energy is not known: no meter counted it
|   null: cost_per_1k_usd: not measured: 'stint bench --run', or give --inference-time
|   null: cost_per_1m_usd: not measured: 'stint bench --run', or give --inference-time
|   null: cost_guides_score: the meters did not see it
|   null: cost_per_step_usd: no steps were recorded
|   null: cost_per_point_usd: there is no efficiency score
| ## The same work elsewhere
| 
| It used no GPU. Machines without GPUs that have as many vCPUs as cores were busy on average, and enough memory, are assumed to take the same time. Prices are for that time, with billing steps; ARM machines are left out.
| 
| ![The same work on every provider and market](cost_comparison.svg)
| 
| **The cheapest machine of each provider and market**
| 
| | market | machine | vCPUs 
| | :--- | :--- | ---: 
| | on-demand | coreweave/\*/intel-icelake-6342 | 96 
| | on-demand | gcp/us-central1/e2-standard-2 | 2 
| | on-demand | azure/eastus/Standard_F2s_v2 | 2 
| | on-demand | aws/us-west-2/c5.large | 2 
| | spot | coreweave/\*/intel-icelake-6342 | 96 
| | spot | azure/eastus/Standard_F2s_v2 | 2 
| | spot | aws/us-west-2/c5.large | 2 
| | spot | gcp/us-central1/e2-standard-2 | 2 
| 
| <!-- written by stint report -->
$ cat hostile/*.svg hostile/*.md hostile/*.html hostile/*.json | grep -c -a "$(printf '\033')"; cat hostile/*.svg hostile/*.html | grep -c '<script'; sed -n '1p' hostile/report.md; python3 -c 'import json; print(ascii(json.load(open("hostile/cost_analysis.json", encoding="utf-8"))["name"]))'
| 0
| 0
| # &lt;script&gt;a\|b&lt;/script&gt;?\[2J?\](x)
| '<script>a|b</script>\x1b[2J\ufffd](x)'

An experiment, of which only the training time is known. The cost guides' own example: 7 minutes at 500 W and 0.13 $/kWh
are 0.0583 kWh and $0.0076, as they say; the tree needs 0.012 months for it, not 1.17.
$ mkdir -p experiments/lstm; head -c 3200000 /dev/zero >experiments/lstm/best.pt
$ stint report --experiment experiments/lstm
! stint: 'experiments/lstm': the training time is not known
!   hint: give it: --training-time 420s
? 3
$ STINT_ELECTRICITY=0.13usd/kWh stint report --experiment experiments/lstm --training-time 420s --watts 500 --inference-time 0.15ms --parameters 215041
| report of experiment lstm
|   $0.00758 of electricity, 7min, 58.3 Wh, 21.6 g CO2e
|   cheapest: $0.03 on demand (hyperstack, RTXA4000), $0.0331 on spot (aws, T4),
|     same time assumed
| 
| experiments/lstm/cost_analysis/cost_analysis.json
| experiments/lstm/cost_analysis/cost_dashboard.svg
| experiments/lstm/cost_analysis/cost_dashboard.png
| experiments/lstm/cost_analysis/cost_dashboard.pdf
| experiments/lstm/cost_analysis/cost_comparison.svg
| experiments/lstm/cost_analysis/cost_comparison.png
| experiments/lstm/cost_analysis/report.html
| experiments/lstm/cost_analysis/report.md
$ python3 show.py experiments/lstm/cost_analysis | grep -v null; sed -i 's/"\."/"experiments\/lstm"/' ci.py; python3 ci.py
| training time_hours 0.117
| training energy_kwh 0.0583
| training cost_local_usd 0.00758
| training cost_aws_usd 0.123
| training cost_azure_usd 2.23
| training cost_gcp_usd 0.117
| training cost_usd 0.00758
| training projected_daily_usd 1.56
| training cheapest_usd 0.03
| training cheapest_spot_usd 0.0331
| training time_method given
| training energy_method 500 W given
| training local_method electricity for the same energy at $0.13/kWh
| training price_source electricity for the same energy at $0.13/kWh
| inference avg_time_ms 0.15
| inference throughput_samples_per_sec 6.67e+03
| inference cost_per_1k_usd 2.71e-06
| inference cost_per_1m_usd 0.00271
| inference method given
| inference batches []
| resources model_size_mb 3.2
| resources parameters 215041
| environmental carbon_kg 0.0216
| environmental car_km 0.0866
| environmental miles_driven 0.0538
| environmental tree_months 0.0118
| environmental smartphone_charges 1.74
| environmental offset_usd 0.000582
| environmental offset_low_usd 0.000137
| environmental offset_high_usd 0.0069
| environmental carbon_method 369 g/kWh, United States, country average 2023
| ['efficiency_score', 'inference_ms', 'training_cost'] 0.00758 0.15 None
Later the folder's own report has what was given; without an argument the newest run or experiment is taken.
$ touch -d 2030-01-01 experiments/lstm; STINT_ELECTRICITY=0.13usd/kWh stint report | head -2
| report of experiment lstm
|   $0.00758 of electricity, 7min, 58.3 Wh, 21.6 g CO2e
$ touch -d 2020-01-01 experiments/lstm; stint report -o newest | head -1
| report of run gpt (ffff0006)
With the GPU, times elsewhere are modeled, and the energy is the most that such a machine draws.
$ stint report --experiment experiments/lstm/ --training-time 7min --gpu RTX4070 -o gpu | head -4; python3 show.py gpu | grep -e energy -e gpu
| report of experiment lstm
|   $0.00684 of electricity, 7min, 41.5 Wh, 15.3 g CO2e
|   cheapest: $0.03 on demand (hyperstack, RTXA4000), $0.0363 on spot (aws, T4),
|     modeled
| training energy_kwh 0.0415
| training energy_method 355.6 W at most, modeled: a machine with RTX4070
| training local_method electricity for the same energy at $0.165/kWh (US household, 2024-12-31)
| training price_source electricity for the same energy at $0.165/kWh (US household, 2024-12-31)
|   null: energy_error: its method has no stated error
| resources gpu RTX4070
| resources gpus 1
|   null: gpu_utilization: only metered runs have it
|   null: gpu_memory_peak_mb: only metered runs have it
|   null: gpu_memory_total_mb: only metered runs have it
|   null: gpu_utilization: only metered runs have it
|   null: gpu_memory_share: only metered runs have it
$ stint report --experiment experiments/lstm --training-time 7min --gpu RTX4O70 -o gpu
! stint: there is no accelerator 'RTX4O70'
!   hint: did you mean 'RTX4070'? 'stint gpu list' shows all
? 4
$ stint report --experiment experiments/lstm --training-time 7min --price 2usd/hr -o priced | head -4
| report of experiment lstm
|   $0.233, 7min
|   cheapest: $0.03 on demand (hyperstack, RTXA4000), $0.0331 on spot (aws, T4),
|     same time assumed
$ stint report --experiment nosuch --training-time 7min
! stint: there is no folder 'nosuch'
!   hint: --experiment names the folder of an experiment
? 4
A report with the keys of the cost guides, which another program wrote, has the time.
$ mkdir -p other/cost_analysis; echo '{"cost_breakdown": {"training": {"time_hours": 0.12, "energy_kwh": 0.06}}}' >other/cost_analysis/cost_analysis.json
$ stint report --experiment other | head -3
! stint: 'other/cost_analysis/cost_analysis.json' was not written by Stint: not replaced
!   hint: --replace replaces it; -o DIR writes to another folder
$ stint report --experiment other --replace | head -2
| report of experiment other
|   $0.0099 of electricity, 7min12s, 60 Wh, 22.2 g CO2e
$ echo 'no JSON' >other/cost_analysis/cost_analysis.json; stint report --experiment other
! stint: 'other': the training time is not known
!   hint: give it: --training-time 420s
? 3
A run that was started in the folder is the experiment's.
$ mkdir run; cd run && stint run --price 1usd/hr -- true >/dev/null 2>&1; stint report --experiment . | head -1 | sed 's/([0-9a-f]*)/(ID)/'; ls
| report of run true (ID)
| cost_analysis
| home

A saved plan.
$ ln -s "$cases/../../examples" examples; stint plan examples/llama-7b-lora.yaml --save plan.json >/dev/null 2>&1; stint report --plan plan.json -o plan | head -4
| report of plan llama-7b-lora
|   $4.32, 2h11min, 2.43 kWh, 73.2 g CO2e
|   cheapest: $4.32 on demand (cudo, H100-SXM-80GB), $6.32 on spot (nebius,
|     H100-SXM-80GB), estimated
$ python3 show.py plan | grep -v null
| training time_hours 2.18
| training energy_kwh 2.43
| training cost_local_usd 0.402
| training cost_usd 4.32
| training projected_daily_usd 47.5
| training cheapest_usd 4.32
| training cheapest_spot_usd 6.32
| training time_method estimated
| training energy_method estimated
| training local_method electricity for the same energy at $0.165/kWh (US household, 2024-12-31)
| training price_source cudo/no-kristiansand-1/sapphire-rapids-h100_1x12v24gb on-demand, price from 2026-08-22
| inference batches []
| resources gpu H100-SXM-80GB
| resources gpus 1
| resources gpu_memory_peak_mb 7.6e+04
| resources gpu_memory_total_mb 80000
| environmental carbon_kg 0.0732
| environmental car_km 0.294
| environmental miles_driven 0.183
| environmental tree_months 0.0399
| environmental smartphone_charges 5.9
| environmental offset_usd 0.00198
| environmental offset_low_usd 0.000464
| environmental offset_high_usd 0.0234
| environmental carbon_method estimated, by the grid of the region
| efficiency gpu_memory_share 0.95
$ echo '{}' >none.json; stint report --plan none.json
! stint: none.json: not a saved plan: it has no schema
!   hint: 'stint plan JOB --save PLAN.json' writes one
? 3
$ stint report --plan plan.json bert
! stint: --plan and the run 'bert' are two reports
? 2
$ stint report --plan plan.json --experiment .
! stint: --experiment and --plan are two reports
? 2
$ stint report bert vit
! stint: a report covers one run, not 2
!   hint: 'stint report --compare bert vit' compares them
? 2

A report at the end of each run is a setting; one that cannot be written is a warning, and the run ends as it does.
$ STINT_REPORTS=reports stint --ledger each.db run --no-gpu --price 1usd/hr --name 'a b/../c' -- sh -c 'exit 3' 2>&1 | grep report | sed "s/-[0-9a-f]*'/-ID'/"; ls reports | sed 's/-.*/-ID/'; ls reports/* | grep -c .
| stint: note: the report is in 'reports/a_b_.._c-ID'
| a_b_.._c-ID
| 8
$ STINT_REPORTS=/proc/nosuch stint --ledger each.db run --no-gpu --price 1usd/hr -- sh -c 'exit 3' 2>&1 | grep report; STINT_REPORTS=quiet stint --ledger each.db run --quiet --no-gpu --price 1usd/hr -- true; ls quiet | grep -c .
| stint: warning: no report was written: cannot make the folder '/proc/nosuch': No such file or directory
| 1

A name of 3,000 letters is as good as any.
$ export STINT_LEDGER=long.db; stint runs add --name "$(printf '%03000d' 7)" --cost 2usd --start 2026-11-01 --end 2026-11-02 >/dev/null; stint report last -o long | cut -c 1-40 | head -n 2; stint why last | cut -c 1-40 | head -n 1; stint check last --max-cost 3usd | tail -n 1
| report of run 00000000000000000000000000
|   $2.00, 24h
| cost            $2.00  00000000000000000
| passed: cost $2.00 is within $3.00
