The worked examples of docs/guide/examples.md: its commands are run in its order, with the jobs that the program writes.

$ . "$cases/transcript.sh"; transcript "$cases/../../docs/guide/examples.md"; grep -c '^[$] .*stint' expected.txt
| 32
Numbers of its text that none of them prints are the guides', the jobs' and what follows from both; a result of Stint is not among them.

$ sed 's/]([^)]*)//g' "$cases/../../docs/guide/examples.md" | awk '/^```/ { inside = !inside; next } !inside' | grep -oE '[$]?[0-9][0-9,]*([.][0-9]+)?' | sed 's/,$//' | sort -u >said.txt; grep -v '^[$] ' expected.txt | grep -oE '[$]?[0-9][0-9,]*([.][0-9]+)?' | sed 's/,$//' | sort -u >shown.txt; comm -23 said.txt shown.txt | paste -s -d ' ' - | fold -s -w 100 | sed 's/ *$//'
| $0.01 $0.03 $0.05 $0.20 $0.35 $0.39 $0.50 $1,024 $1,033 $1,147 $1,157 $1,393 $1,405 $1,475 $1,920
| $1,966 $1.00 $1.06 $1.29 $10.32 $12 $12.00 $15 $165 $19,864 $2,294 $313 $330 $40.96 $480 $569 $578
| $67,188 $78,604 $78,643 $90 $983 0.70 0.85 0.95 1,024 1,628 1.00 1.6 100,000 11 112 12,600 136 14
| 15 17 177 19 2,048 20 2026 208 24 25 256 26 26.3 28 312 33 34 38 38.5 384 4090 43 48 480 50,000 51
| 55 550 6 60 600 62 63 70 75 76 768 800,000 88,000 89 9
The savings of the text are those of the table: all levers, GPU and setting, provider, spot at the big three, spot on top of the provider.

$ awk 'function saves(name, from, to, s) { gsub(/[$,]/, "", from); gsub(/[$,]/, "", to); s = 100 - 100 * to / from; if (!(name in low) || s < low[name]) low[name] = s; if (s > high[name]) high[name] = s } /^[a-z0-9-]+( [$][0-9.,]+)+$/ { saves(1, $2, $6); saves(2, $2, $3); saves(3, $3, $4); saves(4, $3, $5); saves(5, $4, $6) } END { for (i = 1; i <= 5; i++) printf "%.0f to %.0f %%\n", low[i], high[i] }' expected.txt >savings.txt; cat savings.txt; while read -r saving; do grep -qF "$saving" "$cases/../../docs/guide/examples.md" || echo "not on the page: $saving"; done <savings.txt
| 75 to 89 %
| 17 to 43 %
| 63 to 70 %
| 51 to 81 %
| 0 to 46 %
The older ones still run.

$ for job in gpt2-pretrain llama-7b-lora sdxl-lora serve-8b; do stint estimate examples/$job.yaml --on H100-SXM-80GB --price 2usd/hr | grep -E '^(MEMORY|COST)'; done
| MEMORY          fits: 18.9 GB (16.3 to 25.8) of 85.0 GB usable
| COST            $12.1 ($11.2 to $13.3)
| MEMORY          fits: 76.0 GB (72.2 to 80.0) of 85.0 GB usable
| COST            $4.37 ($4.01 to $4.76)
| MEMORY          fits: 11.4 GB (9.8 to 15.5) of 85.0 GB usable
| COST            $1.44 ($1.09 to $1.94)
| MEMORY          fits: 76.5 GB of 85.0 GB usable
| COST            $0.217 for a million output tokens, input included
$ for job in gpt2-pretrain llama-7b-lora sdxl-lora serve-8b; do stint plan examples/$job.yaml 2>err | grep -E '^. +best'; done
| >  best       $10.4  $8.83 to $12.6    38.5 h  1x RTXA5000        runpod/*                on-demand       85 d  amp-bf16, batch 32 x 16
| >  best       $4.32  $3.46 to $5.40    2.18 h  1x H100-SXM-80GB   cudo/no-kristiansand-1  on-demand       85 d  bf16, batch 16 x 8
| >  best       $0.153  $0.108 to $0.219    1.02 h  1x RTXA4000  hyperstack/*  on-demand       81 d  bf16, batch 1, recompute full
| >  best             $605    $555 to $659  4.91 s    $0.0911       1  1x RTX6000-Ada         1  runpod/*  on-demand       85 d  fp8, tensor 1, batch 68, vllm
