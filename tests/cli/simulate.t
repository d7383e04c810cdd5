Two zones for four days in hours: one that comes and goes, one that is nearly always there.
$ { echo 'trace east-a gap=3600 n=48 nodes=2 start=2026-01-01T00:00:00Z od=4 spot=1'; echo 'a 222200001111222200000000000022220000111122222222'; echo 'trace east-b gap=3600 n=48 nodes=1 start=2026-01-01T00:00:00Z od=4 spot=1.5'; echo 'a 111111111111111111111110111111111111111111111111'; } >two.trc
$ stint simulate --traces two.trc --work 20h --deadline 24h --delay 0.5h --policy on-demand,greedy,up-plain,up,up-oracle,optimal
| policy        mean  late  savings  gap closed    p10    p90  on-demand h  spot h
| on-demand    $84.0     0    0.0 %       worse  $84.0  $84.0         21.0     0.0
| greedy       $51.8     0   38.4 %       0.0 %  $35.6  $68.0          8.5    12.5
| up-plain     $41.8     0   50.3 %     100.0 %  $33.6  $50.0          5.0    16.5
| up           $51.8     0   38.4 %       0.0 %  $35.6  $68.0          8.5    12.5
| up-oracle *  $41.8     0   50.3 %     100.0 %  $33.6  $50.0          5.0    16.5
| optimal *    $41.8     0   50.3 %     100.0 %  $33.6  $50.0          5.0    16.5
| 
| savings: of on-demand's mean; gap closed: of the gap from up to the optimum
| *: knows the future, so it is only a yardstick
| simulated on two.trc: 2 runs of 20 h of work: 2 zones x 1 window x 1 deadline
| (24h) x 1 delay (0.5h); prices: on-demand $4/hr, spot as in each trace; complete
| ticks are billed, starts too; work is never lost
$ stint simulate --traces two.trc --work 20h --deadline 24h --delay 0.5h --json | tr '{' '\n' | grep -c '"late":0,'
| 9
$ stint simulate --traces two.trc --zones east-a --work 20h --deadline 24h,40h --delay 0.5h,1h --policy up,optimal --json
| {"schema":"stint.simulate/1","policies":[{"name":"up","runs":4,"mean_usd":62.75,"late":0,"p10_usd":46.1,"p90_usd":74.8,"savings":0.25297619047619047,"gap_closed":0,"p50_usd":68.5,"max_usd":76,"spot_h":9.75,"on_demand_h":13.25,"lost_h":0,"egress_usd":0,"starts":3.75,"losses":2,"uses_future":false,"below":0},{"name":"optimal","runs":4,"mean_usd":46,"late":0,"p10_usd":34.4,"p90_usd":57.6,"savings":0.45238095238095233,"gap_closed":1,"p50_usd":46,"max_usd":60,"spot_h":16,"on_demand_h":7.5,"lost_h":0,"egress_usd":0,"starts":4.5,"losses":2.5,"uses_future":true,"below":0}],"runs":4,"zones":1,"windows":1,"deadlines":2,"delays":2,"deadlines_h":[24,40],"delays_h":[0.5,1],"part":null,"roam":false,"work_h":20,"traces":"two.trc","prices":"on-demand $4/hr, spot $1/hr","rules":"complete ticks are billed, starts too; work is never lost","timeline":[],"svg":null,"script":null,"submitted":null,"folder":null}
$ stint simulate --traces two.trc --work 20h --deadline 40h --delay 1h --gang 2 --policy greedy,optimal --zones 'east-[ab]'
! stint: the traces have no zone 'east-[ab]'
!   hint: did you mean 'east-a'?
? 4
$ stint simulate --traces two.trc --work 20h --deadline 40h --delay 1h --gang 2 --policy greedy,optimal --by-second
| policy     mean  late  savings  gap closed   p10   p90  on-demand h  spot h
| greedy     $152     0    9.5 %      27.3 %  $139  $165         18.0     4.0
| optimal *  $144     0   14.3 %     100.0 %  $125  $163         16.5     6.0
| 
| savings: of on-demand's mean; gap closed: of the gap from up to the optimum
| *: knows the future, so it is only a yardstick
| simulated on two.trc: 2 runs of 20 h of work: 2 zones x 1 window x 1 deadline
| (40h) x 1 delay (1h); prices: on-demand $4/hr, spot as in each trace; ticks of
| the trace, billed by the second; work is never lost
! stint: warning: the trace of 'east-b' has 1 at a time: a gang of 2 is never available on spot
$ stint simulate --traces two.trc --work 20h --deadline 40h --delay 1h --policy up,optimal --roam --checkpoint-size 20GB --egress '$0.02/GB'
| policy      mean  late  savings  gap closed    p10    p90  on-demand h  spot h  egress
| up         $32.9     0   60.8 %       0.0 %  $32.9  $32.9          0.0    23.0   $0.40
| optimal *  $29.8     0   64.5 %     100.0 %  $29.8  $29.8          0.0    26.0   $0.80
| 
| savings: of on-demand's mean; gap closed: of the gap from up to the optimum
| *: knows the future, so it is only a yardstick
| simulated on two.trc: 1 run of 20 h of work: 2 zones at once x 1 window x 1
| deadline (40h) x 1 delay (1h); prices: on-demand $4/hr, spot as in each trace;
| complete ticks are billed, starts too; work is never lost
$ stint simulate --traces two.trc --work 20h --deadline 40h --delay 0.5h --policy up --checkpoint-every 3h --checkpoint-time 5min --per-run runs.csv --zones east-a
| policy   mean  late  savings  gap closed    p10    p90  on-demand h  spot h  redone h
| up      $76.0     0    9.5 %       0.0 %  $76.0  $76.0         18.0     4.0       0.4
| 
| savings: of on-demand's mean; gap closed: of the gap from up to the optimum
| simulated on two.trc: 1 run of 20 h of work: 1 zone x 1 window x 1 deadline
| (40h) x 1 delay (0.5h); prices: on-demand $4/hr, spot $1/hr; complete ticks are
| billed; an interruption loses the work since the last checkpoint
$ cat runs.csv
| policy,zone,window_start_tick,deadline_h,delay_h,cost_usd,end_tick,late,spot_h,on_demand_h
| up,east-a,0,40,0.5,76,25,0,4,18

Prices on the command line, also one that makes spot not worth it.
$ stint simulate --traces two.trc --work 20h --deadline 40h --delay 0.5h --policy up,optimal --on-demand '$1/hr' --spot '$1.10/hr'
| policy      mean  late  savings  gap closed    p10    p90  on-demand h  spot h
| up         $24.0     0  -14.0 %       0.0 %  $23.3  $24.6          2.5    19.5
| optimal *  $21.0     0    0.0 %     100.0 %  $21.0  $21.0         21.0     0.0
| 
| savings: of on-demand's mean; gap closed: of the gap from up to the optimum
| *: knows the future, so it is only a yardstick
| simulated on two.trc: 2 runs of 20 h of work: 2 zones x 1 window x 1 deadline
| (40h) x 1 delay (0.5h); prices: on-demand $1/hr, spot $1.1/hr; complete ticks
| are billed, starts too; work is never lost

Windows.
$ { echo '# start ticks'; echo 0; echo 8; } >windows.txt
$ stint simulate --traces two.trc --windows windows.txt --window-ticks 40 --work 20h --deadline 30h --delay 0.5h --policy up --json | tr ',' '\n' | grep -E 'runs|windows'
| "runs":4
| "runs":4
| "windows":2

One run, drawn.
$ stint simulate --traces two.trc --work 20h --deadline 30h --delay 1h --policy greedy,up --timeline --svg run.svg
| east-a from tick 0: 20 h of work, deadline 30 h, start 1 h
| 
| hours          |0          |12         |24
| spot there     ====    ========            ==
| greedy         +###....+#######..+DDDDDDDDDD   $56.00
|   work done       111111122233444444556667788  done at 29.0 h
| up             +###.+DDDDDDDD+#...+DDDDDDDD    $78.00
|   work done       111122233444444445566677888  done at 28.0 h
| 
| D on-demand   # spot   + starting   . waiting   1 to 8: work done, in eighths
| 
| policy   mean  late  savings  gap closed    p10    p90  on-demand h  spot h
| greedy  $56.0     0   33.3 %      91.7 %  $56.0  $56.0         11.0    12.0
| up      $78.0     0    7.1 %       0.0 %  $78.0  $78.0         18.0     6.0
| 
| savings: of on-demand's mean; gap closed: of the gap from up to the optimum
| simulated on two.trc: 1 run of 20 h of work, the first of 2 zones x 1 window x 1
| deadline (30h) x 1 delay (1h); prices: on-demand $4/hr, spot as in each trace;
| complete ticks are billed, starts too; work is never lost
| drawn to run.svg
$ head -c 60 run.svg
| <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 300
| (no newline at the end)
$ mkdir a-folder-with-a-name-that-is-as-long-as-those-which-experiments-get-from-their-settings-0123456789; stint simulate --traces two.trc --work 5h --deadline 9h --delay 1h --policy greedy --timeline --svg a-folder-with-a-name-that-is-as-long-as-those-which-experiments-get-from-their-settings-0123456789/run.svg | tail -1; ls a-folder-with-a-name-that-is-as-long-as-those-which-experiments-get-from-their-settings-0123456789
| drawn to a-folder-with-a-name-that-is-as-long-as-those-which-experiments-get-from-their-settings-0123456789/run.svg
| run.svg
$ stint simulate --traces two.trc --work 5h --deadline 9h --delay 1h --policy greedy --timeline --json
| {"schema":"stint.simulate/1","policies":[{"name":"greedy","runs":1,"mean_usd":16,"late":0,"p10_usd":16,"p90_usd":16,"savings":0.33333333333333337,"gap_closed":null,"p50_usd":16,"max_usd":16,"spot_h":4,"on_demand_h":3,"lost_h":0,"egress_usd":0,"starts":2,"losses":1,"uses_future":false,"below":0}],"runs":1,"zones":2,"windows":1,"deadlines":1,"delays":1,"deadlines_h":[9],"delays_h":[1],"part":null,"roam":false,"work_h":5,"traces":"two.trc","prices":"on-demand $4/hr, spot as in each trace","rules":"complete ticks are billed, starts too; work is never lost","timeline":[{"policy":"greedy","usd":16,"end_h":8,"late":false,"stretches":[{"from_h":0,"to_h":1,"what":"starting","zone":"east-a"},{"from_h":1,"to_h":4,"what":"spot","zone":"east-a"},{"from_h":4,"to_h":5,"what":"waiting","zone":null},{"from_h":5,"to_h":6,"what":"starting","zone":"east-a"},{"from_h":6,"to_h":8,"what":"on-demand","zone":"east-a"}]}],"svg":null,"script":null,"submitted":null,"folder":null}

Simulated traces, modeled on the given ones: the same seed, the same result.
$ stint simulate --traces two.trc --synthetic 5 --seed 3 --work 20h --deadline 40h --delay 0.5h --policy greedy,optimal | grep -A 3 simulated
| simulated on 5 synthetic traces of each zone (seed 3), modeled on two.trc: 10
| runs of 20 h of work: 2 zones x 1 window x 1 deadline (40h) x 1 delay (0.5h);
| prices: on-demand $4/hr, spot as in each trace; complete ticks are billed,
| starts too; work is never lost
$ stint simulate --traces two.trc --synthetic 5 --seed 3 --work 20h --deadline 40h --delay 0.5h --policy greedy,optimal --threads 3 --json | cksum >one; stint simulate --traces two.trc --synthetic 5 --seed 3 --work 20h --deadline 40h --delay 0.5h --policy greedy,optimal --threads 1 --json | cksum | cmp - one

A packed file.
$ gzip -k two.trc && stint simulate --traces two.trc.gz --work 20h --deadline 24h --delay 0.5h --policy on-demand --json | tr ',' '\n' | grep mean
| "mean_usd":84

JSON of the data sets, which do not define what 1 means: an option is required.
$ echo '{"metadata": {"gap_seconds": 3600}, "data": [0,0,0,0,0,0,0,0,1,1,1,1,1,1,1,1]}' >eight.json
$ stint simulate --traces eight.json --work 4h --deadline 8h --delay 0.5h --on-demand '$3/hr' --spot '$1/hr' --policy up
! stint: eight.json: the meaning of 1 is not given
!   hint: --ones-mean available (SkyPilot's spot-traces), or --ones-mean preempted (ADRS, OpenEvolve, Frontier-CS, SkyNomad)
? 3
$ for ones in available preempted; do stint simulate --traces eight.json --ones-mean $ones --work 4h --deadline 8h --delay 0.5h --on-demand '$3/hr' --spot '$1/hr' --policy up --json | tr ',' '\n' | grep mean; done
| "mean_usd":15
| "mean_usd":5

A sweep that goes on, in parts.
$ stint simulate --traces two.trc --work 20h --deadline 24h,40h --delay 0.5h --policy up --resume done --json >first; stint simulate --traces two.trc --work 20h --deadline 24h,40h --delay 0.5h --policy up --resume done --json | cmp - first
! stint: note: 4 of 4 runs were done before
$ stint simulate --traces two.trc --work 21h --deadline 24h,40h --delay 0.5h --policy up --resume done
! stint: 'done' is the journal of another job: its work in seconds was 72000, not 75600
!   hint: name another file, or remove this one to start anew
? 3
$ mkdir parts; stint simulate --traces two.trc --work 20h --deadline 24h,40h --delay 0.5h --policy up --shard 1/2 --resume parts/part-1 --json >part; stint simulate --traces two.trc --work 20h --deadline 24h,40h --delay 0.5h --policy up --gather parts
! stint: 'parts' has 1 part and lacks 2 of 4 runs
!   hint: run the missing parts again, which go on where they stopped; with --shards N they are named
? 1
$ stint simulate --traces two.trc --work 20h --deadline 24h,40h --delay 0.5h --policy up --shard 2/2 --resume parts/part-2 --json >part; stint simulate --traces two.trc --work 20h --deadline 24h,40h --delay 0.5h --policy up --gather parts --json | cmp - first
$ stint simulate --traces two.trc --work 20.5h --deadline 24h --delay 0.5h --policy up --roam --checkpoint-size 20GB --egress '$0.02/GB' --slurm-script --resume '/data/my it' | sed "s|exec '.*/stint'|exec 'STINT'|"
| #!/bin/sh
| #SBATCH --job-name=stint-simulate
| #SBATCH --array=1-8
| #SBATCH --output=stint-simulate-%A_%a.log
| mkdir -p '/data/my it' || exit
| exec 'STINT' simulate --traces 'two.trc' --work '73800s' --deadline '24h' --delay '0.5h' --gang '1' --policy 'up' --roam --checkpoint-size '20000000000B' --egress '0.02usd/GB' --shard "$SLURM_ARRAY_TASK_ID/8" --resume '/data/my it'"/part-$SLURM_ARRAY_TASK_ID" --threads "${SLURM_CPUS_PER_TASK:-1}"
$ stint simulate --traces two.trc --work 20h --deadline 24h --delay 0.5h --slurm --sbatch ./no-such-sbatch 2>&1 | sed "s|in '.*'|in 'FOLDER'|"; ! ls -d stint-sweep-* 2>/dev/null
| stint: note: running as 8 jobs of Slurm, in 'FOLDER'
| stint: cannot run './no-such-sbatch': No such file or directory
|   hint: run it where Slurm is, or name its sbatch with --sbatch

A fake Slurm that runs the jobs at once; without waiting, the last one collects the results.
$ { echo '#!/bin/sh'; echo 'for last; do :; done'; echo 'n=$(sed -n "s/.*--array=1-//p" "$last")'; echo 'for i in $(seq "${n:-1}"); do SLURM_ARRAY_TASK_ID=$i sh "$last" >/dev/null || exit 1; done'; echo 'echo 42'; } >sbatch; chmod +x sbatch
$ stint simulate --traces two.trc --work 20h --deadline 24h,40h --delay 0.5h --policy up --slurm --shards 3 --sbatch ./sbatch --json 2>/dev/null | cmp - first; ! ls -d stint-sweep-* 2>/dev/null
$ stint simulate --traces two.trc --work 20h --deadline 24h,40h --delay 0.5h --policy up --slurm --shards 3 --sbatch ./sbatch --no-wait --resume array | sed 's|into .*/array|into array|'
| submitted; job 42 puts the result into array/result.json
$ ls array; cmp array/result.json first
| gather.sh
| part-1
| part-2
| part-3
| result.json
| sweep.sh
$ stint simulate --traces two.trc --work 20h --deadline 24h --delay 0.5h --slurm --sbatch /bin/false --resume array 2>&1 | sed "s|'[^']*/array|'array|; s|/[^ ]*/array|array|"
| stint: note: running as 8 jobs of Slurm, in 'array'
| stint: 'array/sweep.sh' ended with status 1
|   hint: the output of the parts is beside the script, in part-*.log

One machine represents a gang of any size on simulated traces.
$ for n in 255 256; do stint simulate llama-2-7b --set train.data.tokens=3B --offer aws/us-east-1/p5.48xlarge --on-demand '$1/hr' --spot '$0.25/hr' --gang $n --work 10h --deadline 20h --delay 6min --policy greedy --json 2>/dev/null | tr ',' '\n' | grep -E 'mean|spot_h'; done
| "mean_usd":1479.53125
| "spot_h":6.008333333333334
| "mean_usd":1485.3333333333333
| "spot_h":6.008333333333334

What it was simulated on, saved: the same result on what was saved.
$ stint simulate --traces two.trc --synthetic 3 --work 20h --deadline 40h --delay 0.5h --policy greedy,optimal --save-traces made.trc --json | tr ',' '\n' | grep _usd >one; stint simulate --traces made.trc --work 20h --deadline 40h --delay 0.5h --policy greedy,optimal --json | tr ',' '\n' | grep _usd | cmp - one; grep ^trace made.trc | head -2
| trace east-a~1 gap=3600 n=48 nodes=1 start=- od=4 spot=1
| trace east-a~2 gap=3600 n=48 nodes=1 start=- od=4 spot=1
$ stint simulate --traces two.trc --spot '$1/hr' --work 20h --deadline 40h --delay 0.5h --save-traces same.trc --policy up >/dev/null; sed 's/spot=1.5/spot=1/' two.trc | cmp - same.trc

A price history: availability is assumed, with a note; the ticks are long.
$ { echo 'date,instance_type,zone_or_region,on_demand_usd_h,spot_usd_h'; for d in 1 2 3 4 5; do echo "2026-01-0$d,p5.48xlarge,use1-az1,55,20"; done; } >prices.csv
$ stint simulate --traces prices.csv --work 24h --deadline 36h --delay 6min --policy up
! stint: warning: availability is assumed from prices, not observed, in 'p5.48xlarge/use1-az1'
! stint: no policy finishes 24h of work in 36h with a start of 6min, in ticks of 24h
!   hint: the earliest deadline that on-demand meets is 48h
? 6
$ stint simulate --traces prices.csv --work 20h --deadline 48h --delay 6min --policy up | head -2
| policy  mean  late  savings  gap closed   p10   p90  on-demand h  spot h
| up      $480     0   63.6 %           -  $480  $480          0.0    24.0
! stint: warning: availability is assumed from prices, not observed, in 'p5.48xlarge/use1-az1'

Ids with commas in them stay one field.
$ sed 's/east-a/east,a/' two.trc >comma.trc; stint simulate --traces comma.trc --zones 'east?a' --synthetic 1 --work 20h --deadline 40h --delay 0.5h --policy greedy --per-run runs.csv >/dev/null; tail -1 runs.csv | cut -d, -f1-4; stat -c %a runs.csv
| greedy,"east,a~1",0
| 644

A part of a table is marked; with checkpoints the optimum is not drawn; spot for nothing.
$ stint simulate --traces two.trc --work 20h --deadline 24h,40h --delay 0.5h --policy up --shard 1/2 | grep -A 1 simulated
| simulated on two.trc: only part 1/2 of 4 runs: 2 runs of 20 h of work: 2 zones x
| 1 window x 2 deadlines (24h, 40h) x 1 delay (0.5h); prices: on-demand $4/hr,
$ stint simulate --traces two.trc --work 5h --deadline 9h --delay 1h --policy up,optimal --checkpoint-every 1h --timeline | grep -c optimal
| 2
! stint: note: optimal is not drawn: with checkpoints it is a bound, not a run
$ stint simulate --traces two.trc --work 20h --deadline 24h --delay 0.5h --spot '$0/hr' --policy up-oracle,time-sliced | head -3
| policy          mean  late  savings  gap closed    p10    p90  on-demand h  spot h
| up-oracle *    $20.0     0   76.2 %     100.0 %  $4.00  $36.0          5.0    16.5
| time-sliced:8  $44.0     0   47.6 %       worse  $34.4  $53.6         11.0    10.5

Options that would have no effect or a wrong one.
$ opts='--traces two.trc --work 20h --deadline 24h'; for more in '--delay 6' '--delay 6min --shards 3' '--delay 6min --no-wait' '--delay 6min --sbatch x' '--delay 6min --egress $1/GB' '--delay 6min --checkpoint-size 1GB' '--delay 6min --offer aws/p5.48xlarge' '--delay 6min --seed 3' '--delay 6min --svg x.svg' '--delay 6min --timeline --slurm' '--delay 6min --timeline --svg no/x.svg' '--delay 6min --per-run no/x.csv' '--delay 6min --checkpoint-every 30'; do stint simulate $opts $more 2>&1 | head -1; done
| stint: --delay: '6' is not a length of time
| stint: --shards does nothing without --slurm, --slurm-script or --gather
| stint: --no-wait does nothing without --slurm
| stint: --sbatch does nothing without --slurm
| stint: --egress does nothing without --roam
| stint: --checkpoint-size does nothing without --roam
| stint: --offer does nothing without a JOB
| stint: --seed does nothing without --synthetic
| stint: --svg does nothing without --timeline, which draws one run
| stint: --timeline and --slurm do not go together: it draws one run
| stint: --svg: there is no folder 'no/'
| stint: --per-run: there is no folder 'no/'
| stint: --checkpoint-every: '30' is not a length of time
$ stint simulate --traces two.trc --work 20h --deadline 24h --delay 6min --checkpoint-every 1h --checkpoint-time 2min --notice 30s --policy up | head -2
| policy   mean  late  savings  gap closed    p10    p90  on-demand h  spot h  redone h
| up      $53.8     0   36.0 %       0.0 %  $36.0  $71.6          9.0    12.5       0.4
! stint: note: the notice does nothing: it is shorter than the time that a checkpoint takes

Slurm takes no blanks and no patterns in the path of a log; parts that are missing are named.
$ mkdir 'my parts'; stint simulate --traces two.trc --work 20h --deadline 24h --delay 0.5h --policy up --slurm --sbatch ./sbatch --resume 'my parts' 2>&1 | sed "s|'/.*/my|'/.../my|"
| stint: --slurm: the folder '/.../my parts' has a blank, a quote, '%', '#' or '\' in its path
|   hint: name another with --resume
$ rm array/part-2; stint simulate --traces two.trc --work 20h --deadline 24h,40h --delay 0.5h --policy up --gather array
! stint: 'array' has 2 parts and lacks 1 of 4 runs: part-2 (not there)
!   hint: run the missing parts again, which go on where they stopped; with --shards N they are named
? 1
$ stint simulate --traces two.trc --work 20h --deadline 24h,40h --delay 0.5h --policy up --gather array --shards 4
! stint: 'array' has 2 parts and lacks 1 of 4 runs: part-2 (not there), part-4 (not there)
!   hint: run those parts again: they go on where they stopped
? 1

Mistakes.
$ stint simulate
! stint: simulate needs --traces, or a JOB: when there was spot
!   hint: stint simulate --traces F.trc --work 48h --deadline 52h,70h --delay 0.1h
? 2
$ stint simulate --traces two.trc
! stint: simulate needs --work: hours of work of the job without interruptions
!   hint: stint simulate --traces F.trc --work 48h --deadline 52h,70h --delay 0.1h
? 2
$ stint simulate --traces two.trc --work 20h --deadline 24h
! stint: simulate needs --delay: how long a machine takes to start
!   hint: stint simulate --traces F.trc --work 48h --deadline 52h,70h --delay 0.1h
? 2
$ stint simulate --traces absent.trc --work 20h --deadline 24h --delay 0.5h
! stint: cannot open 'absent.trc': No such file or directory
? 4
$ stint simulate --traces two.trc --zones east-c --work 20h --deadline 24h --delay 0.5h
! stint: the traces have no zone 'east-c'
!   hint: did you mean 'east-a'?
? 4
$ stint simulate --traces two.trc --work 20h --deadline 20h --delay 0.5h
! stint: no policy finishes 20h of work in 20h with a start of 30min, in ticks of 1h
!   hint: the earliest deadline that on-demand meets is 21h
? 6
$ stint simulate --traces two.trc --work 20h --deadline 24h --delay 5h
! stint: a start of 5h is longer than the slack of 4h that a deadline of 24h leaves to 20h of work, in ticks of 1h
!   hint: the earliest deadline that on-demand meets is 25h
? 6
$ stint simulate --traces two.trc --work 20h --deadline 60h --delay 0.5h
! stint: the window at tick 0 of 'east-a' is 48h long, too short for a deadline of 60h
!   hint: that takes 60 ticks: a longer trace, or an earlier deadline
? 3
$ stint simulate --traces two.trc --work 20h --deadline tomorrow --delay 0.5h
! stint: --deadline: 'tomorrow' is not a length of time
!   hint: write it as 24h, 90min, 1h30min, 20s or 3d
? 2
$ stint simulate --traces two.trc --work 20h --deadline 24h --delay 0.5h --policy greeedy
! stint: there is no policy 'greeedy'
!   hint: did you mean 'greedy'?
? 2
$ stint simulate --traces two.trc --work 20h --deadline 24h --delay 0.5h --window-ticks 0
! stint: --window-ticks: '0' is not 1 or more
? 2
$ stint simulate --traces two.trc --work 20h --deadline 24h --delay 0.5h --window-ticks 49
! stint: the window of 49 ticks at tick 0 reaches past the 48 ticks of 'east-a'
? 3
$ stint simulate --traces two.trc --work 20h --deadline 24h --delay 0.5h --window-ticks 20
! stint: the window at tick 0 of 'east-a' is 20h long, too short for a deadline of 24h
!   hint: that takes 24 ticks: a longer trace, or an earlier deadline
? 3
$ echo 47 >late.txt; stint simulate --traces two.trc --windows late.txt --work 20h --deadline 24h --delay 0.5h
! stint: the window at tick 47 of 'east-a' is 1h long, too short for a deadline of 24h
!   hint: that takes 24 ticks: a longer trace, or an earlier deadline
? 3
$ echo 48 >late.txt; stint simulate --traces two.trc --windows late.txt --work 20h --deadline 24h --delay 0.5h
! stint: the window at tick 48 is outside the 48 ticks of 'east-a'
? 3
$ echo '# none' >late.txt; stint simulate --traces two.trc --windows late.txt --work 20h --deadline 24h --delay 0.5h
! stint: late.txt: there are no windows
!   hint: one start tick a line, such as 684
? 3
$ sed 's/od=4 spot=[0-9.]*/od=- spot=-/' two.trc >free.trc; stint simulate --traces free.trc --work 20h --deadline 24h --delay 0.5h
! stint: the trace of 'east-a' has no on-demand price
!   hint: give --on-demand and --spot, such as --on-demand '$3.06/hr'
? 3
$ stint simulate --traces free.trc --work 20h --deadline 24h --delay 0.5h --on-demand '$3/hr'
! stint: the trace of 'east-a' has no spot price
!   hint: give --on-demand and --spot, such as --on-demand '$3.06/hr'
? 3
$ stint simulate --traces two.trc,free.trc --work 20h --deadline 24h --delay 0.5h
! stint: free.trc: zone 'east-a' was there already
!   hint: give each zone once: which trace of it counts?
? 3
$ stint simulate --traces two.trc --work 20h --deadline 24h --delay 0.5h --roam --checkpoint-size 5GB
! stint: what it costs to move a checkpoint from 'east-a' is not known
!   hint: give it: --egress '$0.02/GB'
? 3
$ stint simulate --traces two.trc --work 20h --deadline 24h --delay 0.5h --notice 2min
! stint: --checkpoint-time and --notice need --checkpoint-every
? 2
$ stint simulate --traces two.trc --work 20h --deadline 24h --delay 0.5h --shard 3/2
! stint: --shard: '3/2' is not a part such as 3/8
? 2
$ stint simulate --traces two.trc --work 20h --deadline 24h --delay 0.5h --gather nowhere
! stint: cannot read the folder 'nowhere': No such file or directory
? 4
$ head -c 100 two.trc >half.trc; stint simulate --traces half.trc --work 20h --deadline 24h --delay 0.5h
! stint: half.trc:2: trace 'east-a' has 24 ticks here, but n=48
!   hint: the file may be cut short
? 3

A job from its file.
$ { echo 'train:'; echo '  model: llama-2-7b'; echo '  method: lora'; echo '  data: {examples: 2000000, tokens: 512}'; echo '  checkpoint: {every: 30min, save: 1min}'; echo 'limits:'; echo '  deadline: 6d'; } >job.yaml
$ stint simulate job.yaml --offer aws/us-east-1/p5.48xlarge | grep -A 9 simulated
| simulated on 20 synthetic traces of each zone (seed 1), modeled on machines that
| were watched elsewhere: 20 runs of 3.473 h of work: 1 zone x 1 window x 1
| deadline (144h) x 1 delay (0.1167h); prices: on-demand $55.04/hr, spot
| $20.6232/hr; complete ticks are billed; an interruption loses the work since the
| last checkpoint
! stint: warning: the price is 85 days old; 'stint price fetch skypilot' updates prices
! stint: note: no prices are kept yet, so these are built in: 494 of 669 from 2026-08-22 (85 days old), the newest from 2026-11-09; 'stint price fetch skypilot' gets today's
$ stint simulate job.yaml --offer aws/us-east-1/p5.48xlarge --traces two.trc --zones east-a --deadline 8h --set checkpoint.resume=no --policy on-demand,up
| policy     mean  late  savings  gap closed   p10   p90  on-demand h  spot h
| on-demand  $220     0    0.0 %       0.0 %  $220  $220          4.0     0.0
| up         $220     0    0.0 %       0.0 %  $220  $220          4.0     0.0
| 
| savings: of on-demand's mean; gap closed: of the gap from up to the optimum
| simulated on two.trc: 1 run of 3.473 h of work: 1 zone x 1 window x 1 deadline
| (8h) x 1 delay (0.1167h); prices: on-demand $55.04/hr, spot $20.6232/hr;
| complete ticks are billed; an interruption loses the work since the last
| checkpoint
! stint: warning: the price is 85 days old; 'stint price fetch skypilot' updates prices
! stint: note: the job cannot resume: an interruption loses all its work
$ stint simulate job.yaml --offer aws/us-east-1/p5.48xlarge --deadline 1h
! stint: warning: the price is 85 days old; 'stint price fetch skypilot' updates prices
! stint: note: no prices are kept yet, so these are built in: 494 of 669 from 2026-08-22 (85 days old), the newest from 2026-11-09; 'stint price fetch skypilot' gets today's
! stint: no policy finishes 3h28min25s of work in 1h with a start of 7min, in ticks of 10min
!   hint: the earliest deadline that on-demand meets is 3h50min
? 6
$ stint simulate job.yaml
! stint: simulate needs GPUs or an offer for 'job.yaml'
!   hint: add --offer aws/p5.48xlarge, or --on H100x8
? 2
$ stint simulate job.yaml --offer lambda/gpu_8x_h100_sxm5
! stint: note: the cheapest of 'lambda/gpu_8x_h100_sxm5' is lambda/*/gpu_8x_h100_sxm5
! stint: warning: the price is 85 days old, 80 % range $25.99/hr to $39.21/hr; 'stint price fetch skypilot' updates prices
! stint: lambda/*/gpu_8x_h100_sxm5 has no spot price
!   hint: give --on-demand and --spot, or name another --offer
? 3
Ticks that nobody observed: no run is simulated on them.
$ printf 'trace z gap=3600 n=41 od=3 spot=1\na 1111111111????????????1111110011111111110\n' >gap.trc
$ printf '0\n5\n22\n' >starts.txt
$ stint simulate --traces gap.trc --work 4h --deadline 8h --delay 6min --windows starts.txt --policy stint,optimal
| policy      mean  late  savings  gap closed    p10    p90  on-demand h  spot h
| stint      $5.00     0   66.7 %           -  $5.00  $5.00          0.0     5.0
| optimal *  $5.00     0   66.7 %           -  $5.00  $5.00          0.0     5.0
| 
| savings: of on-demand's mean; gap closed: of the gap from up to the optimum
| *: knows the future, so it is only a yardstick
| simulated on gap.trc: 2 runs of 4 h of work: 1 zone x 2 windows x 1 deadline
| (8h) x 1 delay (0.1h); prices: on-demand $3/hr, spot $1/hr; complete ticks are
| billed, starts too; work is never lost
! stint: note: 1 of 3 windows left out: a part of them was not observed
$ stint simulate --traces gap.trc --work 4h --deadline 12h --delay 6min --policy stint
! stint: there are no data for tick 10 of 'z'
!   hint: give --windows that start elsewhere, or other zones
? 3
$ stint spot risk --traces gap.trc --for 2h
| where                risk  when new  available     losses  spot/h  on-demand/h
| z      13 % (4.3 to 35 %)         ?       90 %  2 in 26 h   $1.00        $3.00
| 
| risk of losing it within 2h, with its 90 % interval; taken at a random moment
| when new: the same, taken as soon as one is available again
| available: share of the time
| measured: watched for 29 h of 41 h, every 3600 s
What a policy pays that knows the lifetimes but not the future, beside the optimum.
$ awk 'BEGIN { for (z = 0; z < 2; z++) { s = ""; for (i = 0; i < 400; i++) s = s ((i * 37 + int(i / 9) * (z + 5)) % 23 < 16 ? 1 : 0); print "trace z" z " gap=600 n=400 od=3 spot=1"; print "a " s } }' >two.trc
$ stint simulate --traces two.trc --work 20h --deadline 30h --delay 6min --policy stint,informed,optimal
| policy       mean  late  savings  gap closed    p10    p90  on-demand h  spot h
| stint       $42.2     0   30.3 %      24.0 %  $41.8  $42.6          8.8    15.9
| informed *  $42.5     0   29.8 %      18.7 %  $42.4  $42.6          9.2    14.8
| optimal *   $37.4     0   38.2 %     100.0 %  $37.2  $37.6          6.2    18.7
| 
| savings: of on-demand's mean; gap closed: of the gap from up to the optimum
| *: knows the future, so it is only a yardstick
| informed: knows only how long machines and outages of each zone last, by its
| complete trace
| simulated on two.trc: 2 runs of 20 h of work: 2 zones x 1 window x 1 deadline
| (30h) x 1 delay (0.1h); prices: on-demand $3/hr, spot $1/hr; complete ticks are
| billed, starts too; work is never lost
$ stint simulate --traces two.trc --work 20h --deadline 30h --delay 6min --roam --policy informed
! stint: policy 'informed' is for one zone at a time
!   hint: leave it, or --roam, out
? 2
$ stint simulate --traces two.trc --work 20h --deadline 30h --delay 6min --roam --policy all | grep -c informed
| 0
? 1
