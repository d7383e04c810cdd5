needs: python3
An empty ledger: how to begin.

$ stint report
! stint: there is no ledger 'home/.local/share/stint/ledger.db' yet
!   hint: 'stint run -- COMMAND' makes it
? 4

A run, with all of its files or none.

$ "$STINT_TEST_LEDGER" home/.local/share/stint/ledger.db
$ stint report bert
| report of run bert (aaaa0001):
|   cost_analysis/cost_analysis.json
|   cost_analysis/cost_dashboard.svg
|   cost_analysis/cost_dashboard.png
|   cost_analysis/cost_dashboard.pdf
|   cost_analysis/cost_comparison.svg
|   cost_analysis/cost_comparison.png
|   cost_analysis/report.html
|   cost_analysis/report.md
$ ls -A cost_analysis
| cost_analysis.json
| cost_comparison.png
| cost_comparison.svg
| cost_dashboard.pdf
| cost_dashboard.png
| cost_dashboard.svg
| report.html
| report.md
$ stint report bert -o other/place | sed -n '2p'
|   other/place/cost_analysis.json
$ stint report nosuch
! stint: there is no run 'nosuch'
!   hint: 'stint runs' lists them; 'last' is the newest
? 4
$ stint report bert --json | sed 's/"size":[0-9]*/"size":N/g'
| {"schema":"stint.report/1","kind":"run","title":"bert (aaaa0001)","folder":"cost_analysis","files":[{"path":"cost_analysis/cost_analysis.json","size":N},{"path":"cost_analysis/cost_dashboard.svg","size":N},{"path":"cost_analysis/cost_dashboard.png","size":N},{"path":"cost_analysis/cost_dashboard.pdf","size":N},{"path":"cost_analysis/cost_comparison.svg","size":N},{"path":"cost_analysis/cost_comparison.png","size":N},{"path":"cost_analysis/report.html","size":N},{"path":"cost_analysis/report.md","size":N}],"summary":[]}

The keys of the cost guides; what is null has a reason. Numbers have three digits here.
$ printf '%s\n' 'import json, sys' 'data = json.load(open(sys.argv[1] + "/cost_analysis.json"))' 'for name, part in data["cost_breakdown"].items():' '    for key, value in part.items():' '        if key == "unknown": [print("  null:", u["key"] + ":", u["why"]) for u in value]' '        elif value is not None: print(name, key, "%.3g" % value if isinstance(value, float) else value)' 'for r in data["recommendations"]: print(r["priority"], r["implementation_effort"], r["category"] + ":", r["title"] + ",", r["expected_improvement"])' >show.py
$ python3 show.py cost_analysis
| training time_hours 0.278
| training energy_kwh 0.0583
| training cost_local_usd 0.00962
| training cost_aws_usd 0.206
| training cost_azure_usd 0.259
| training cost_gcp_usd 0.267
| training cost_usd 0.117
| training estimated_usd 0.11
| training cheapest_usd 0.06
| training cheapest_spot_usd 0.0303
| training time_method metered
| training energy_method counter
| training energy_error 0.05
| training local_method electricity for the same energy at $0.165/kWh (US household, 2024-12-31)
| training price_source spot history of 2026-11-14
|   null: avg_time_ms: not measured: give --inference-time
|   null: throughput_samples_per_sec: not measured: give --inference-time
|   null: cost_per_1k_usd: not measured: give --inference-time
|   null: cost_per_1m_usd: not measured: give --inference-time
| resources peak_memory_mb 6500
| resources cpu_cores 1.6
| resources gpu A10G
| resources gpus 1
| resources gpu_utilization 0.83
| resources gpu_memory_peak_mb 9500
| resources gpu_memory_mb 24000
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
| high moderate deployment: cheaper provider, saves up to $0.0808 of $0.117 (69 %)
| high easy deployment: smaller GPU, saves up to $0.045 of $0.117 (39 %)
| medium moderate training: shorten set-up, saves up to $0.0167 of $0.117 (14 %)
The script of the cost guides for CI, as it is.
$ printf '%s\n' 'import json' '' 'def track_costs(experiment_dir):' '    """Track costs over time."""' '    with open(f"{experiment_dir}/cost_analysis/cost_analysis.json") as f:' '        data = json.load(f)' '    ' '    metrics = {' "        'training_cost': data['cost_breakdown']['training']['cost_local_usd']," "        'inference_ms': data['cost_breakdown']['inference']['avg_time_ms']," "        'efficiency_score': data['cost_breakdown']['efficiency']['efficiency_score']" '    }' '    ' '    # Send to monitoring system' '    send_to_monitoring(metrics)' '    ' '    # Alert if costs spike' "    if metrics['training_cost'] > 0.05:  # \$0.05 threshold" '        alert_team("Training costs exceeded budget!")' >track.py
$ printf '%s\n' 'from track import *; import track' 'track.send_to_monitoring = lambda m: print(sorted(m), "%.3g" % m["training_cost"], m["inference_ms"], m["efficiency_score"])' 'track.alert_team = print' 'track_costs(".")' >ci.py; python3 ci.py
| ['efficiency_score', 'inference_ms', 'training_cost'] 0.00962 None 61
Pictures are pictures, texts are texts.
$ head -c 4 cost_analysis/cost_dashboard.png | od -An -c; head -c 5 cost_analysis/cost_dashboard.pdf; echo; grep -c '<svg' cost_analysis/report.html; sed -n '1,7p' cost_analysis/report.md
|  211   P   N   G
| %PDF-
| 8
| # bert
| 
| run aaaa0001, 2026-11-13 18:00 UTC, 16min40s (metered) on 1 x A10G, aws/us-east-1/g5.xlarge
| 
| - **Cost:** $0.1167 ($0.4000/hr, spot history of 2026-11-14)
| - **Estimate:** $0.11 (before it began)
| - **Time:** 16min40s (metered)
$ for f in cost_dashboard.svg cost_comparison.svg report.html report.md; do tail -1 cost_analysis/$f; done | sort | uniq -c
|       4 <!-- written by stint report -->

A run without price or meters: unknown is unknown.
$ stint report cccc0003 -o prepare >/dev/null; python3 show.py prepare; sed -n '3,13p' prepare/report.md
| training time_hours 0.0117
| training cost_aws_usd 0.0539
| training cost_azure_usd 0.0675
| training cost_gcp_usd 0.0557
| training cheapest_usd 0.0148
| training cheapest_spot_usd 0.0162
| training time_method metered
| training local_method the energy is not known
|   null: energy_kwh: no meter of that machine reports energy
|   null: cost_local_usd: the energy is not known
|   null: cost_usd: there is no price
|   null: estimated_usd: no estimate was made before it began
|   null: energy_method: no meter of that machine reports energy
|   null: energy_error: no meter of that machine reports energy
|   null: price_source: not recorded
|   null: avg_time_ms: not measured: give --inference-time
|   null: throughput_samples_per_sec: not measured: give --inference-time
|   null: cost_per_1k_usd: not measured: give --inference-time
|   null: cost_per_1m_usd: not measured: give --inference-time
| resources peak_memory_mb 250
| resources cpu_cores 1.9
|   null: model_size_mb: not recorded: give --model-size
|   null: parameters: not recorded: give --parameters
|   null: gpu: the meters did not see it
|   null: gpus: the meters did not see it
|   null: gpu_utilization: the meters did not see it
|   null: gpu_memory_peak_mb: the meters did not see it
|   null: gpu_memory_mb: the meters did not see it
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
| run cccc0003, 2026-11-14 14:00 UTC, 42s (metered)
| 
| - **Cost:** unknown (there is no price)
| - **Time:** 42s (metered)
| - **Energy:** unknown (no meter of that machine reports energy)
| - **Carbon:** unknown (the energy is not known)
| - **Efficiency:** unknown (the meters did not see it)
| - **Cheapest on demand:** $0.0148 (runpod/\*/1x_RTX2000-Ada_SECURE, 1 x RTX2000-Ada, in 42s (assumed), price from 2026-08-22)
| - **Cheapest on spot:** $0.0162 (gcp/asia-southeast1/n1-highmem-4+1xT4, 1 x T4, in 42s (assumed), price from 2026-08-22)
| 
| ![Cost at a glance](cost_dashboard.svg)

A file that Stint did not write stays, and nothing else is written beside it.
$ mkdir mine; echo '{"mine": true}' >mine/cost_analysis.json; stint report bert -o mine; cat mine/cost_analysis.json; ls -A mine
| {"mine": true}
| cost_analysis.json
! stint: 'mine/cost_analysis.json' was not written by Stint: not replaced
!   hint: --replace replaces it; -o DIR writes to another folder
$ stint report bert -o mine --replace | sed -n '1p'; head -c 34 mine/cost_analysis.json; echo
| report of run bert (aaaa0001):
| {"schema":"stint.cost_analysis/1",
Its own are replaced.
$ stint report bert-wide -o mine | sed -n '1p'
| report of run bert-wide (bbbb0002):
What is no folder, and what cannot be written, is said; nothing is left.
$ echo file >plain; stint report bert -o plain
! stint: cannot make the folder 'plain': Not a directory
? 1
$ mkdir full; mkdir full/report.md; stint report bert -o full --replace; ls -A full
| report.md
! stint: cannot write 'full/report.md': Is a directory
