Several machines are of an offer that can be joined, and its network is used and named.

$ stint estimate llama-2-7b --on H100x64 --tokens 1B 2>/dev/null | grep -E '^(on|network|offer|note: (the rate|up to|the cheapest))' -A 1
| on              64x H100-SXM-80GB in 8 machines: data 64, ZeRO 1
| network         3200 Gbit/s InfiniBand for each machine, as of 2026-11-16
| batch           256 x 2048 tokens: micro-batch 4 x 64 data parallel
| --
| offer           nebius/eu-north1/gpu-h100-sxm_8gpu-128vcpu-1600gb, 8x $30.80/hr
|                 on-demand, price from 2026-08-22 (85 days old), now $25.07/hr to
| --
| note: the rate of this network is not verified: the range includes one 1.5 times
|       slower
| note: the cheapest offer with these GPUs that can be joined; choose another with
|       --offer
| note: up to 8 machines are assumed to be available: nebius publishes no limit
|       (--supply sets it)
$ stint estimate llama-2-7b --on H100x64 --json 2>/dev/null | grep -oE '"network[a-z_]*":[^,]*'
| "network_gbit_s":3200
| "network":"InfiniBand"
| "network_date":"2026-11-16"
Where nothing that is sold can be joined, there is no price, and the network is assumed.

$ stint estimate llama-2-7b --on RTX4090x64 --tokens 1B 2>/dev/null | grep -E '^(on|network|COST|offer|note: no offer)' -A 1
| on              64x RTX4090 in 8 machines: data 64, ZeRO 2
| network         25 Gbit/s (assumed) for each machine
| batch           256 x 2048 tokens: micro-batch 4 x 64 data parallel
| --
| COST            ? no price of 64x RTX4090 is known: --price 20usd/hr sets one
| 
| --
| note: no offer with RTX4090 can be joined to 64 GPUs: its network is assumed,
|       and there is no price
An offer that is named is joined, or refused.

$ stint estimate llama-2-7b --offer vast/8x-H100_SXM-32-65536 --on H100x64
! stint: note: 'H100' means H100-SXM-80GB, the SXM form with the most memory
! stint: machines of vast/*/8x-H100_SXM-32-65536 cannot be joined for one job (hosts are behind NAT; clusters by request)
!   hint: take one machine (8 GPUs), leave out the offer, or add their network to your networks.csv
? 6
$ stint estimate llama-2-7b --offer hyperstack/n3-H100-SXM5x8 --on H100x16
! stint: note: 'H100' means H100-SXM-80GB, the SXM form with the most memory
! stint: it is unknown whether machines of hyperstack/*/n3-H100-SXM5x8 can be joined for one job
!   hint: take one machine (8 GPUs), leave out the offer, or add their network to your networks.csv
? 6
$ stint estimate llama-2-7b --offer aws/us-east-1/g5.xlarge --on A10Gx4
! stint: machines of aws/us-east-1/g5.xlarge cannot be joined for one job (xlarge 2.5; 2xlarge 5; 4xlarge 10; no EFA: not joined for training)
!   hint: take one machine (1 GPU), leave out the offer, or add their network to your networks.csv
? 6
$ stint estimate llama-2-7b --offer aws/us-east-1/p5.48xlarge --on H100x1024 --tokens 1B 2>&1 | grep -E 'warning|^network|^offer'
| stint: warning: 128 machines of aws/us-east-1/p5.48xlarge are needed, and at most 64 are available without a contract (--supply sets it)
| stint: warning: the price is 85 days old; 'stint price fetch skypilot' updates prices
| network         3200 Gbit/s EFA for each machine, as of 2026-11-16
| offer           aws/us-east-1/p5.48xlarge, 128x $55.04/hr on-demand, price from
Racks are rented complete.

$ stint estimate llama-2-7b --on GB200x8 --tokens 1B 2>/dev/null | grep -E '^(on|network|offer|note: (these|complete))'
| on              8x GB200-NVL72 in 2 machines: data 8, ZeRO 1
| network         1600 Gbit/s InfiniBand for each machine, as of 2026-11-16
| offer           coreweave/*/gb200-nvl72-4x, 18x $42.00/hr on-demand, price from
| note: complete machines are rented: 72 GPUs, of which 8 are used
| note: these machines are rented in multiples of 18
A sweep says which numbers cannot be rented.

$ stint estimate gpt2 --on H100 --offer vast/8x-H100_SXM-32-65536 --sweep gpus=4,8,16 --tokens 1B 2>/dev/null | sed -n '/gpus/,$p'
| gpus  fits    GB    step  tokens/s  hours   cost  offer                        with
|    4  yes   51.5  1.13 s   464,000  0.599  $9.94  vast/*/8x-H100_SXM-32-65536  zero 0, recompute none, batch 32 x 4
|    8  yes   51.5  567 ms   925,000  0.300  $5.48  vast/*/8x-H100_SXM-32-65536  zero 0, recompute none, batch 32 x 2
|   16  NO       ?       ?         ?      ?      ?  -                            machines of vast/*/8x-H100_SXM-32-65536 cannot be joined for one job (hosts are behind NAT; clusters by request)
Copies that serve need no network between them, unless one spans machines.

$ stint estimate llama-2-7b --serve --offer vast/1x-RTX_4090-32-65536 --on RTX4090x2 2>&1 | grep -E 'needed|copies'
| stint: warning: 2 machines of vast/*/1x-RTX_4090-32-65536 are needed, and only 1 is assumed to be available (--supply sets it)
| note: tensor parallel 1: 2 copies of the model
$ stint estimate llama-3-70b --serve --offer vast/1x-RTX_4090-32-65536 --on RTX4090x8
! stint: machines of vast/*/1x-RTX_4090-32-65536 cannot be joined for one job (hosts are behind NAT; clusters by request)
!   hint: take one machine (1 GPU), leave out the offer, or add their network to your networks.csv
? 6
A cluster product of one's own: at least 2, at most 8 machines.

$ mkdir mine; printf 'provider,region,zone,instance,accelerator,count,memory_gib,on_demand_usd_h,date,source\nrunpod,*,,instant-cluster-8xH100,H100-SXM-80GB,8,1000,24,2026-11-10,a quote\n' >mine/offers.csv
$ for n in 8 16 64 72; do stint estimate llama-2-7b --catalog mine --offer runpod/instant-cluster-8xH100 --on H100x$n --tokens 1B 2>&1 | grep -E 'needed|^(on|offer|network|note: at least)'; done
| on              8x H100-SXM-80GB: data 8, ZeRO 1
| offer           runpod/*/instant-cluster-8xH100, 2x $24.00/hr on-demand, price
| note: at least 2 of these machines are rented together
| on              16x H100-SXM-80GB in 2 machines: data 16, ZeRO 1
| network         3200 Gbit/s for each machine, as of 2026-11-16
| offer           runpod/*/instant-cluster-8xH100, 2x $24.00/hr on-demand, price
| note: at least 2 of these machines are rented together
| on              64x H100-SXM-80GB in 8 machines: data 64, ZeRO 1
| network         3200 Gbit/s for each machine, as of 2026-11-16
| offer           runpod/*/instant-cluster-8xH100, 8x $24.00/hr on-demand, price
| note: at least 2 of these machines are rented together
| stint: warning: 9 machines of runpod/*/instant-cluster-8xH100 are needed, and at most 8 are available without a contract (--supply sets it)
| on              72x H100-SXM-80GB in 9 machines: data 72, ZeRO 1
| network         3200 Gbit/s for each machine, as of 2026-11-16
| offer           runpod/*/instant-cluster-8xH100, 9x $24.00/hr on-demand, price
| note: at least 2 of these machines are rented together
A network of one's own comes before the built-in rows; a typo is found.

$ printf 'provider,instance,gbit_s,kind,joinable,max_machines,date,source\nvast,8x-H100*,400,InfiniBand,yes,16,2026-11-01,our contract\n' >mine/networks.csv
$ stint estimate llama-2-7b --catalog mine --offer vast/8x-H100_SXM-32-65536 --on H100x64 --tokens 1B 2>/dev/null | grep -E '^(on|network|offer)'
| on              64x H100-SXM-80GB in 8 machines: data 64, ZeRO 1
| network         400 Gbit/s InfiniBand for each machine, as of 2026-11-01
| offer           vast/*/8x-H100_SXM-32-65536, 8x $14.94/hr on-demand, price from
$ printf 'provider,instance,gbit_s,joinable,date,source\nvast,*,400,maybe,2026-11-01,our contract\n' >mine/networks.csv; stint estimate gpt2 --catalog mine --on H100x64
! stint: note: 'H100' means H100-SXM-80GB, the SXM form with the most memory
! stint: mine/networks.csv:2: joinable: 'maybe' is not one of yes, cluster, no, single
!   hint: joinable: machines can work on one job: yes, cluster (separate product), no, or single (bare host)
? 3
$ rm mine/networks.csv
Memory and disk of the machine are checked.

$ printf 'provider,instance,joinable,disk_gb,date,source\nvast,8x-H100*,single,100,2026-11-01,its page\n' >mine/networks.csv
$ stint estimate llama-2-7b --catalog mine --offer vast/8x-H100_SXM-32-65536 --tokens 1B 2>&1 >/dev/null | grep -v days
| stint: note: the cheapest of 'vast/8x-H100_SXM-32-65536' is vast/*/8x-H100_SXM-32-65536
| stint: warning: the machine has 100 GB of disk; model, data and checkpoints take about 202 GB
$ stint estimate llama-3-70b --method lora --catalog mine --offer vast/8x-H100_SXM-32-65536 --tokens 1M 2>&1 >/dev/null | grep -v days
| stint: note: the cheapest of 'vast/8x-H100_SXM-32-65536' is vast/*/8x-H100_SXM-32-65536
| stint: warning: the machine has 100 GB of disk; model, data and checkpoints take about 141 GB
| stint: warning: the machine has 69 GB of memory, and loading the model takes about 73 GB
$ stint plan llama-2-7b --tokens 100M --catalog mine --provider vast --gpu H100-SXM-80GB --json 2>/dev/null | grep -oE '"instance":"[^"]*"' | sort -u
| "instance":"4x-H100_SXM-32-65536"
Plans rent what can be rented: no 50 machines of a marketplace, also not for trials and copies.

$ stint plan llama-2-7b --method lora --tokens 25M --set search.trials=50 --set search.parallel=50 --provider vast,hyperbolic
! stint: no plan meets these limits; some offers have too few machines (--supply)
!   hint: provider aws ($285) would allow one
? 6
$ stint plan llama-2-7b --method lora --tokens 25M --set search.trials=50 --provider vast --gpu 'RTX*' --json 2>/dev/null | grep -oE '"machines":[0-9]*' | sort | uniq -c | tr -s ' '
|  8 "machines":1
$ stint plan llama-2-7b --method lora --tokens 25M --set search.trials=50 --provider vast --gpu 'RTX5070' --supply vast=4 --deadline 3d --json 2>/dev/null | grep -oE '"machines":[0-9]*' | sort -u
| "machines":2
| "machines":4
$ stint plan llama-3-70b --tokens 1B --deadline 6h 2>/dev/null | grep -E '^rent|^note.*(machines|joined|quota)' -A 1
| rent            4x nebius/us-central1/gpu-b200-sxm_8gpu-160vcpu-1792gb,
|                 $57.20/hr each on-demand, price from 2026-08-22 (85 days old),
| --
| note            machines joined by 3200 Gbit/s InfiniBand each, as of
|                 2026-11-16, not verified: the range includes 1.5 times less
| note            up to 8 machines are assumed to be available: nebius publishes
|                 no limit; --supply nebius=N sets it
$ stint plan llama-2-7b --tokens 200M --market spot --provider aws 2>/dev/null | grep -A 1 quota
| note            new accounts of aws have a quota of 0 vCPU for these machines on
|                 spot: request an increase first
Several jobs at once take no more machines of an offer than there are.

$ for j in a b c; do printf 'name: %s\ntrain: {model: llama-2-7b, method: lora, data: {tokens: 25M}}\n' $j >$j.yaml; done
$ stint plan a.yaml b.yaml c.yaml --provider vast --deadline 3h 2>&1 | grep -E '^ +[0-9]|note'
|       1  +4.00 min  +35.7 min  a    vast/*/4x-RTX_5090-32-65536:on-demand  $0.844      384 d  bf16, zero 1, batch 1 x 2
|       1  +35.7 min    +1.12 h  b    vast/*/4x-RTX_5090-32-65536:on-demand  $0.844      384 d  bf16, zero 1, batch 1 x 2
|       1    +1.12 h    +1.65 h  c    vast/*/4x-RTX_5090-32-65536:on-demand  $0.844      384 d  bf16, zero 1, batch 1 x 2
$ stint plan a.yaml b.yaml c.yaml --provider vast --deadline 3h --supply vast=3 2>&1 | grep -E '^ +[0-9]|note'
|       1  +4.00 min  +35.7 min  a    vast/*/4x-RTX_5090-32-65536:on-demand  $0.844      384 d  bf16, zero 1, batch 1 x 2
|       1  +35.7 min    +1.12 h  b    vast/*/4x-RTX_5090-32-65536:on-demand  $0.844      384 d  bf16, zero 1, batch 1 x 2
|       1    +1.12 h    +1.65 h  c    vast/*/4x-RTX_5090-32-65536:on-demand  $0.844      384 d  bf16, zero 1, batch 1 x 2
$ stint plan a.yaml b.yaml c.yaml --provider vast --gpu L40S --deadline 3h
! stint: there is no way to keep all deadlines with so few sessions at once
!   hint: only 1 machine of vast/*/1x-L40S-32-65536 is known to be available: --supply sets how many, or choose others
? 6
Mistakes in --supply.

$ stint plan gpt2 --tokens 1M --supply vast
! stint: supply: 'vast' is not OFFER=MACHINES
!   hint: write a provider or an offer and how many machines of it you can get: vast=4, aws/p5.48xlarge=16
? 2
$ stint estimate gpt2 --on T4 --supply vast=none
! stint: supply: 'vast=none' is not OFFER=MACHINES
!   hint: write a provider or an offer and how many machines of it you can get: vast=4, aws/p5.48xlarge=16
? 2
$ stint price compare H100x16 --hours 1 --supply aws/p5.48xlarge:spot=2
! stint: supply: 'aws/p5.48xlarge:spot' has a market
!   hint: leave out ':spot'
? 2
$ stint plan gpt2 --tokens 1M --supply vats=4
! stint: supply: there is no provider or offer 'vats'
!   hint: did you mean 'vast'?
? 4
$ stint plan gpt2 --tokens 1M --supply aws/p5.48xlrge=4
! stint: supply: there is no provider or offer 'aws/p5.48xlrge'
!   hint: did you mean 'p5.48xlarge'?
? 4
The setting counts too.

$ STINT_SUPPLY=nebius=2 stint estimate llama-2-7b --on H100x64 --tokens 1B 2>/dev/null | grep '^offer'
| offer           coreweave/*/hgx-h100-8x, 8x $49.24/hr on-demand, price from
$ STINT_SUPPLY=nebius=2 stint estimate llama-2-7b --on H100x64 --tokens 1B --supply nebius=8 2>/dev/null | grep '^offer'
| offer           nebius/eu-north1/gpu-h100-sxm_8gpu-128vcpu-1600gb, 8x $30.80/hr
