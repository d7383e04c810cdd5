A plan of the first day: the best on spot, another on demand, one that is no longer sold.
$ printf 'provider,region,instance,accelerator,count,on_demand_usd_h,spot_usd_h,date\nacme,eu-1,a,H100,8,40,20,2026-11-01\nacme,eu-1,b,A100,8,16,,2026-11-01\nacme,eu-1,c,A100,8,15,,2026-11-01\n' >first.csv
$ stint price import first.csv | tail -2
| 3 offers, 3 of them new; prices: 4 changed, 0 confirmed, 0 gone
| stored in home/.cache/stint/prices.db
$ printf '{"schema":"stint.plan/1","name":"tune","unit":"job","prices_to":"2026-11-01","plans":[{"role":"best","offer":"acme/eu-1/a","market":"spot","machines":2,"cost":{"amount":"110","currency":"USD"},"price":{"amount":"20","currency":"USD"},"price_date":"2026-11-01","price_age_days":2,"hours":{"value":2.5,"low":2,"high":3}},{"role":"other GPU","offer":"acme/eu-1/b","market":"on-demand","machines":1,"cost":{"amount":"170","currency":"USD"},"price":{"amount":"16","currency":"USD"},"price_date":"2026-11-01","price_age_days":2,"hours":{"value":10,"low":8,"high":12}},{"role":"cheaper","offer":"acme/eu-1/z","market":"on-demand","machines":1,"cost":{"amount":"90","currency":"USD"},"price":{"amount":"15","currency":"USD"},"price_date":"2026-11-01","price_age_days":2,"hours":{"value":6,"low":5,"high":7}}],"money":[{"name":"compute","amount":{"amount":"90","currency":"USD"}},{"name":"setup","amount":{"amount":"10","currency":"USD"}},{"name":"storage","amount":{"amount":"10","currency":"USD"}}],"from_a_newer_stint":1}' >plan.json
The same prices: not observed since.
$ stint plan recheck plan.json
| still good: the same price
| 
| plan       offer        market     price then     now  change  cost then   now
| best       acme/eu-1/a  spot           $20.00  $20.00     0 %       $110  $110
| other GPU  acme/eu-1/b  on-demand      $16.00  $16.00     0 %       $170  $170
| cheaper    acme/eu-1/z  on-demand      $15.00       -    gone      $90.0     -
| 
| prices are per hour of one machine: then from 2026-11-01 (2 days old when it was
| planned), now from 2026-11-01 (14 days old); costs are per job: machine time
| follows the machine's price; storage, egress, hours and setting stay
! stint: note: not planned again: the plan does not name its job
! stint: note: no price is newer than the plan: 'stint price fetch' gets today's
Prices of a later day: 2 % more is within the tolerance; a larger increase is not.
$ printf 'provider,region,instance,accelerator,count,on_demand_usd_h,spot_usd_h,date\nacme,eu-1,a,H100,8,40,20.4,2026-11-10\nacme,eu-1,b,A100,8,12,,2026-11-10\n' >second.csv
$ stint price import second.csv | tail -2
| 2 offers, 0 of them new; prices: 2 changed, 1 confirmed, 0 gone
| stored in home/.cache/stint/prices.db
$ stint plan recheck plan.json
| still good: +$2.00
| 
| plan       offer        market     price then     now  change  cost then   now
| best       acme/eu-1/a  spot           $20.00  $20.40    +2 %       $110  $112
| other GPU  acme/eu-1/b  on-demand      $16.00  $12.00   -25 %       $170  $130
| cheaper    acme/eu-1/z  on-demand      $15.00       -    gone      $90.0     -
| 
| prices are per hour of one machine: then from 2026-11-01 (2 days old when it was
| planned), now from 2026-11-10 (5 days old); costs are per job: machine time
| follows the machine's price; storage, egress, hours and setting stay
! stint: note: not planned again: the plan does not name its job
$ stint plan recheck plan.json --tolerance 1%
| more expensive by 1.8 % (+$2.00): plan again
| 
| plan       offer        market     price then     now  change  cost then   now
| best       acme/eu-1/a  spot           $20.00  $20.40    +2 %       $110  $112
| other GPU  acme/eu-1/b  on-demand      $16.00  $12.00   -25 %       $170  $130
| cheaper    acme/eu-1/z  on-demand      $15.00       -    gone      $90.0     -
| 
| prices are per hour of one machine: then from 2026-11-01 (2 days old when it was
| planned), now from 2026-11-10 (5 days old); costs are per job: machine time
| follows the machine's price; storage, egress, hours and setting stay
! stint: note: not planned again: the plan does not name its job
? 1
$ stint plan recheck plan.json --json
| {"schema":"stint.plan.recheck/1","file":"plan.json","name":"tune","unit":"job","state":"good","verdict":"still good: +$2.00","method":"machine time follows the machine's price; storage, egress, hours and setting stay","plans":[{"role":"best","offer":"acme/eu-1/a","elsewhere":null,"market":"spot","state":"more expensive","price_then":{"amount":"20","currency":"USD"},"price_now":{"amount":"20.4","currency":"USD"},"price_change":0.020000000000000018,"date_then":"2026-11-01","date_now":"2026-11-10","age_then_days":2,"age_now_days":5,"cost_then":{"amount":"110","currency":"USD"},"cost_now":{"amount":"112","currency":"USD"},"cost_change":0.018181818181818077},{"role":"other GPU","offer":"acme/eu-1/b","elsewhere":null,"market":"on-demand","state":"cheaper","price_then":{"amount":"16","currency":"USD"},"price_now":{"amount":"12","currency":"USD"},"price_change":-0.25,"date_then":"2026-11-01","date_now":"2026-11-10","age_then_days":2,"age_now_days":5,"cost_then":{"amount":"170","currency":"USD"},"cost_now":{"amount":"130","currency":"USD"},"cost_change":-0.23529411764705888},{"role":"cheaper","offer":"acme/eu-1/z","elsewhere":null,"market":"on-demand","state":"gone","price_then":{"amount":"15","currency":"USD"},"price_now":null,"price_change":null,"date_then":"2026-11-01","date_now":null,"age_then_days":2,"age_now_days":null,"cost_then":{"amount":"90","currency":"USD"},"cost_now":null,"cost_change":null}],"deployments":[],"best_offer":null,"best_market":null,"best_cost":null,"same":false,"job_changed":false,"newer":true,"age":{"newest":"2026-11-10","oldest":"2026-11-10","newest_days":5,"stale":0,"future":0,"total":2}}
! stint: note: not planned again: the plan does not name its job
Another plan of the file became the cheapest.
$ printf 'provider,region,instance,accelerator,count,on_demand_usd_h,spot_usd_h,date\nacme,eu-1,b,A100,8,6,,2026-11-12\n' >third.csv
$ stint price import third.csv | tail -2
| 1 offer, 0 of them new; prices: 1 changed, 0 confirmed, 0 gone
| stored in home/.cache/stint/prices.db
$ stint plan recheck plan.json | head -1
| beaten by acme/eu-1/b (on-demand): -$42.0; plan again
! stint: note: not planned again: the plan does not name its job
$ stint plan recheck plan.json >/dev/null
! stint: note: not planned again: the plan does not name its job
? 1
It is no longer available.
$ printf '{"schema":"stint.plan/1","plans":[{"role":"best","offer":"acme/eu-1/b","market":"spot","machines":1,"cost":{"amount":"90","currency":"USD"},"price":{"amount":"15","currency":"USD"}}]}' >gone.json
$ stint plan recheck gone.json
| gone: acme/eu-1/b (spot) has no price now; plan again
| 
| plan  offer        market  price then  now  change  cost then  now
| best  acme/eu-1/b  spot        $15.00    -    gone      $90.0    -
| 
| prices are per hour of one machine: then from ?; costs are per job: machine time
| follows the machine's price; storage, egress, hours and setting stay
! stint: note: not planned again: the plan does not name its job
? 1
Files that are no plan.
$ printf '{"schema":"stint.plan/2","plans":[]}' >newer.json
$ stint plan recheck newer.json
! stint: newer.json: its version is 2, but this program reads 1
!   hint: plan again, or use the stint that wrote it
? 3
$ printf '{"schema":"stint.estimate/1"}' >estimate.json
$ stint plan recheck estimate.json
! stint: estimate.json: not a saved plan, but 'stint.estimate/1'
!   hint: 'stint plan JOB --save PLAN.json' writes one
? 3
$ printf '{"plans":3}' >none.json
$ stint plan recheck none.json
! stint: none.json: not a saved plan: it has no schema
!   hint: 'stint plan JOB --save PLAN.json' writes one
? 3
$ printf '{"schema":"stint.plan/1","plans":[]}' >empty.json
$ stint plan recheck empty.json
! stint: empty.json: no plan in it
!   hint: none was possible when it was written: plan again
? 3
$ printf '{"schema":"stint.plan/1","plans":[{"cost":{"amount":"cheap","currency":"USD"}}]}' >bad.json
$ stint plan recheck bad.json
! stint: bad.json: plans: cost: expected an amount in dollars
? 3
$ printf '{"schema":"stint.plan/1","plans":[{"machines":-3}]}' >bad.json
$ stint plan recheck bad.json
! stint: bad.json: plans: machines: '-3' is not a count
? 3
$ printf 'offer: aws' >bad.json
$ stint plan recheck bad.json
! stint: bad.json:1:1: unknown word 'offer'
? 3
$ stint plan recheck absent.json
! stint: cannot open 'absent.json': No such file or directory
? 4
$ stint plan recheck
! stint: plan recheck needs a PLAN.json
!   hint: stint plan recheck plan.json
? 2
Planned on the built-in offers, rechecked with a list of real regions.
$ stint plan llama-2-7b --method lora --tokens 25M --provider vast --gpu RTX5880-Ada --limit 1 --save real.json 2>/dev/null | grep '^>'
| >  best  $0.946  $0.536 to $1.67  2.70 h  1x RTX5880-Ada  vast/*  on-demand      384 d  bf16, batch 2 x 4
$ stint plan recheck real.json
| still good: the same price
| today's best: vast/*/1x-RTX_5880Ada-32-65536 (on-demand) $0.946: the same
| 
| plan  offer                           market     price then      now  change  cost then     now
| best  vast/*/1x-RTX_5880Ada-32-65536  on-demand     $0.3500  $0.3500     0 %     $0.946  $0.946
| 
| prices are per hour of one machine: then from 2025-10-27 (384 days old when it
| was planned), now from 2025-10-27 (384 days old); costs are per job: machine
| time follows the machine's price; storage, egress, hours and setting stay
! stint: note: no price is newer than the plan: 'stint price fetch' gets today's
! stint: warning: 1 of 1 prices is more than 30 days old (oldest: 2025-10-27); 'stint price doctor' shows what to run
$ mkdir -p catalogs/v8/vast; printf 'InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,SpotPrice,Region\n1x-RTX_5880Ada-32-65536,RTX5880-Ada,1,32,64,,0.40,,ES\n1x-RTX_5880Ada-32-65536,RTX5880-Ada,1,32,64,,0.36,,SE\n' >catalogs/v8/vast/vms.csv
$ stint price import catalogs/v8/vast/vms.csv --date 2026-11-14 >/dev/null 2>&1; stint plan recheck real.json
| still good: +$0.027
| today's best: vast/SE/1x-RTX_5880Ada-32-65536 (on-demand) $0.973: the same
| 
| plan  offer                                    market     price then      now  change  cost then     now
| best  vast/*/1x-RTX_5880Ada-32-65536 (now SE)  on-demand     $0.3500  $0.3600  +2.9 %     $0.946  $0.973
| 
| prices are per hour of one machine: then from 2025-10-27 (384 days old when it
| was planned), now from 2026-11-14 (1 day old); costs are per job: machine time
| follows the machine's price; storage, egress, hours and setting stay
! stint: note: 1 of 1 offers is gone: compared with the same machine in the cheapest other region
$ stint plan recheck real.json --json 2>/dev/null | grep -oE '"(elsewhere|best_offer|same|newer)":[^,]*' | sort -u
| "best_offer":"vast/SE/1x-RTX_5880Ada-32-65536"
| "elsewhere":"vast/SE/1x-RTX_5880Ada-32-65536"
| "newer":true
| "same":true
And the other way round.
$ stint plan llama-2-7b --method lora --tokens 25M --provider vast --gpu RTX5880-Ada --limit 1 --save real2.json >/dev/null 2>&1
$ mkdir empty; stint plan recheck real2.json --prices empty 2>/dev/null | head -5
| still good: -$0.027
| today's best: vast/*/1x-RTX_5880Ada-32-65536 (on-demand) $0.946: the same
| 
| plan  offer                                    market     price then      now  change  cost then     now
| best  vast/SE/1x-RTX_5880Ada-32-65536 (now *)  on-demand     $0.3600  $0.3500  -2.8 %     $0.973  $0.946
A region that was asked for is not another one.
$ stint plan llama-2-7b --method lora --tokens 25M --provider vast --region SE --gpu RTX5880-Ada --save asked.json >/dev/null 2>&1; stint plan recheck asked.json 2>/dev/null --prices empty | head -1
| gone: vast/SE/1x-RTX_5880Ada-32-65536 (on-demand) has no price now; plan again
The user's own price is always current.
$ mkdir own; printf 'provider,region,instance,accelerator,count,vcpus,memory_gib,on_demand_usd_h,spot_usd_h,date,source,notes\nvast,*,1x-RTX_5880Ada-32-65536,RTX5880-Ada,1,32,64,0.20,,2025-01-01,mine,\n' >own/offers.csv
$ stint plan recheck real.json --catalog own --prices empty 2>&1 | grep -E 'note|best'
| today's best: vast/*/1x-RTX_5880Ada-32-65536 (on-demand) $0.541: the same
| best  vast/*/1x-RTX_5880Ada-32-65536  on-demand     $0.3500  $0.2000   -43 %     $0.946  $0.541
