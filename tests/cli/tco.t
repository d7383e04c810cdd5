What owning a machine costs, and when it pays. A machine of the catalog:
$ stint tco 8x-h100-sxm
| machine         8x H100-SXM-80GB (8x-h100-sxm), datacenter
| GPU-hour        $2.81/hr in use at 70 % utilization; $2.00/hr at 100 %
| range           $2.27/hr to $3.93/hr, over the ranges of the assumptions
| invested        $317,000 per machine with its network
| 
| part            a year  GPU-hour  share  how
| depreciation   $67,500     $1.38   49 %  $300,000 less 10 % resale, over 4 years
| capital        $17,200   $0.3506   12 %  8 % a year on the unpaid part
| network         $3,750   $0.0764  2.7 %  5 % of the price, over 4 years
| power           $6,200   $0.1264  4.5 %  7 kW x (70 % + 30 % x 30 %) x 8,760 h x $0.128/kWh
| cooling         $1,860   $0.0379  1.3 %  (PUE 1.3 - 1) x power
| space          $15,500   $0.3151   11 %  7 kW x $184 a kW and month
| staff          $10,000   $0.2038  7.3 %  $1,250 a GPU and year
| maintenance    $15,000   $0.3058   11 %  5 % of the price a year
| failures          $907   $0.0185  0.7 %  0.7 % of hours under repair, made up for
| total         $138,000     $2.81  100 %  
| 
| instead of   GPU-hour  in use  break-even  owning saves          payback  offer
| on-demand       $1.98   $1.98       never      -$40,800  not in its life  cudo/no-kristiansand-1/sapphire-rapids-h100_8x96v192gb
| spot            $2.15   $2.15        93 %      -$32,400  not in its life  nebius/eu-north1/gpu-h100-sxm_8gpu-128vcpu-1600gb
| reserved-1y     $4.47   $6.39           -     +$176,000        14 months  aws/us-east-1/p5.48xlarge
| reserved-3y     $3.10   $4.42           -      +$79,100        23 months  aws/us-east-1/p5.48xlarge
| break-even: utilization from which owning costs less; savings are a year's
| 4 prices, read on 2026-08-22; the newest is 85 days old
| 
| assumed        value      low     high  unit                 at low  at high  10 % more
| utilization     70 %     30 %     90 %  of all hours          $6.42    $2.21     -8.8 %
| years              4        3        5  years                 $3.31    $2.51     -4.9 %
| software           0        0   36,000  USD a year            $2.81    $3.55        0 %
| price        300,000  270,000  360,000  USD                   $2.60    $3.24     +7.6 %
| maintenance      5 %      3 %     10 %  of the price a year   $2.69    $3.12     +1.1 %
| resale          10 %      0 %     30 %  of the price          $2.95    $2.54     -0.5 %
| what matters most; --json has all 16 assumptions with their sources
! stint: warning: all 4 prices are old (newest: 2026-08-22, 85 days); 'stint price fetch skypilot' updates them
A guide's example: $3.84 a GPU-hour with the staff that it states, not the $1.70 that it prints.
$ stint tco --gpu H100-SXM --count 8 --price 250000usd --years 4 --power-kw 5.6 --pue 1.3 --electricity 0.10usd/kWh --staff 200000usd --utilization 100% --only-given --provider aws
| machine         8x H100-SXM-80GB, datacenter
| GPU-hour        $3.84/hr in use at 100 % utilization
| invested        $250,000 per machine with its network
| 
| part            a year  GPU-hour  share  how
| depreciation   $62,500   $0.8918   23 %  $250,000, over 4 years
| power           $4,910   $0.0700  1.8 %  5.6 kW x 100 % x 8,760 h x $0.1/kWh
| cooling         $1,470   $0.0210  0.5 %  (PUE 1.3 - 1) x power
| staff         $200,000     $2.85   74 %  $25,000 a GPU and year
| total         $269,000     $3.84  100 %  
| 
| instead of   GPU-hour  in use  break-even  owning saves          payback  offer
| on-demand       $6.88   $6.88        55 %     +$213,000        11 months  aws/us-east-1/p5.48xlarge
| spot            $2.24   $2.24       never     -$112,000  not in its life  aws/ap-south-1/p5.48xlarge
| reserved-1y     $4.47   $4.47           -      +$44,500        2.3 years  aws/us-east-1/p5.48xlarge
| reserved-3y     $3.10   $3.10           -      -$51,900  not in its life  aws/us-east-1/p5.48xlarge
| break-even: utilization from which owning costs less; savings are a year's
| 4 prices, read on 2026-08-22; the newest is 85 days old
| 
| assumed        value  low  high  unit             at low  at high  10 % more
| staff        200,000    -     -  USD a year            -        -     +7.4 %
| price        250,000    -     -  USD                   -        -     +2.3 %
| years              4    -     -  years                 -        -     -2.1 %
| power            5.6    -     -  kW                    -        -     +0.2 %
| pue              1.3    -     -  times the power       -        -     +0.2 %
| electricity      0.1    -     -  USD a kWh             -        -     +0.2 %
| what matters most; --json has all 16 assumptions with their sources
! stint: warning: all 4 prices are old (newest: 2026-08-22, 85 days); 'stint price fetch skypilot' updates them
$ stint tco --gpu H100-SXM --count 8 --price 250000usd --years 4 --power-kw 5.6 --pue 1.3 --electricity 0.10usd/kWh --staff 50000usd --utilization 100% --only-given --provider aws | sed -n 2p
| GPU-hour        $1.70/hr in use at 100 % utilization
! stint: warning: all 4 prices are old (newest: 2026-08-22, 85 days); 'stint price fetch skypilot' updates them
An office machine; GPUs and their number in one word.
$ stint tco 2x-rtx4090 | sed -n 1,3p
| machine         2x RTX4090 (2x-rtx4090), office
| GPU-hour        $0.5017/hr in use at 40 % utilization; $0.2488/hr at 100 %
| range           $0.3461/hr to $0.8046/hr, over the ranges of the assumptions
! stint: warning: all 2 prices are old (newest: 2026-08-22, 85 days); 'stint price fetch skypilot' updates them
$ stint tco H200x8 --utilization 90% | sed -n 1,3p
| machine         8x H200-SXM-141GB (8x-h200-sxm), datacenter
| GPU-hour        $2.44/hr in use at 90 % utilization; $2.21/hr at 100 %
| range           $1.96/hr to $3.37/hr, over the ranges of the assumptions
! stint: note: 'H200' means H200-SXM-141GB, the SXM form with the most memory
! stint: warning: all 4 prices are old (newest: 2026-08-22, 85 days); 'stint price fetch skypilot' updates them
A guide's rule: above 60 % utilization, owning breaks even in 12 to 18 months against on-demand.
$ stint tco 8x-h100-sxm --utilization 60% --provider aws 2>/dev/null | grep '^on-demand'
| on-demand       $6.88   $6.88        28 %     +$152,000        16 months  aws/us-east-1/p5.48xlarge
$ stint tco 8x-h100-sxm --utilization 60% 2>/dev/null | grep '^on-demand'
| on-demand       $1.98   $1.98       never      -$54,000  not in its life  cudo/no-kristiansand-1/sapphire-rapids-h100_8x96v192gb
The setting of electricity and the country's price.
$ STINT_ELECTRICITY=0.5usd/kWh stint tco 8x-a100-80gb | grep '^power'
| power         $17,300   $0.3527   18 %  5 kW x (70 % + 30 % x 30 %) x 8,760 h x $0.5/kWh
! stint: warning: all 4 prices are old (newest: 2026-09-20, 56 days); 'stint price fetch skypilot' updates them
$ STINT_COUNTRY=DE stint tco 8x-a100-80gb | grep '^power'
| power          $9,340   $0.1904   11 %  5 kW x (70 % + 30 % x 30 %) x 8,760 h x $0.27/kWh
! stint: warning: all 4 prices are old (newest: 2026-09-20, 56 days); 'stint price fetch skypilot' updates them
The cheapest split of a load.
$ stint tco 8x-h100-sxm --provider aws --load 8+16@10% | sed -n '/^load/,/^$/p'
| load            8+16@10%: 9.60 GPUs on average, 24.0 at most
| way                       owned  reserved  owned in use  rented GPU-h    a year
| cheapest split                1         0         100 %        14,016  $236,000
| all on-demand                 0         0             -        84,096  $579,000
| reserved and by the hour      0         1             -        14,016  $313,000
| all owned                     3         0          40 %             0  $407,000
| the cheapest split saves $342,000 a year against renting all on-demand
| 
! stint: warning: all 4 prices are old (newest: 2026-08-22, 85 days); 'stint price fetch skypilot' updates them
$ stint tco 8x-h100-sxm --provider aws --load 8+16@10% --burst spot | sed -n '/^load/,/^$/p'
| load            8+16@10%: 9.60 GPUs on average, 24.0 at most
| way             owned  owned in use  rented GPU-h    a year
| cheapest split      1         100 %        14,016  $171,000
| all on spot         0             -        84,096  $189,000
| all owned           3          40 %             0  $407,000
| the cheapest split saves $17,300 a year against renting all on spot
| 
! stint: warning: all 4 prices are old (newest: 2026-08-22, 85 days); 'stint price fetch skypilot' updates them
$ (echo hour,gpus; i=0; while [ $i -lt 24 ]; do echo $i,$((i % 12 * 2)); i=$((i + 1)); done) >load.csv
$ stint tco 8x-h100-sxm --provider aws --load load.csv | sed -n '/^load/,/^$/p'
| load            load.csv: 11.0 GPUs on average, 22.0 at most
| way                       owned  reserved  owned in use  rented GPU-h    a year
| cheapest split                2         0          63 %            24  $335,000
| all on-demand                 0         0             -           264  $663,000
| reserved and by the hour      0         2             -            24  $494,000
| all owned                     3         0          46 %             0  $408,000
| the cheapest split saves $328,000 a year against renting all on-demand
| 
! stint: warning: all 4 prices are old (newest: 2026-08-22, 85 days); 'stint price fetch skypilot' updates them
$ stint tco 8x-h100-sxm --provider aws --load load.csv --svg tco.svg >/dev/null; head -c 60 tco.svg; echo; grep -c '<title>' tco.svg
| <svg xmlns="http://www.w3.org/2000/svg" role="img" width="10
| 124
! stint: warning: all 4 prices are old (newest: 2026-08-22, 85 days); 'stint price fetch skypilot' updates them
$ stint tco 8x-h100-sxm --provider aws --load 8 --json
| {"schema":"stint.tco/1","machine":"8x-h100-sxm","gpu":"H100-SXM-80GB","gpus":8,"site":"datacenter","utilization":0.7,"gpu_hour":{"amount":"2.81","currency":"USD"},"gpu_hour_low":{"amount":"2.27","currency":"USD"},"gpu_hour_high":{"amount":"3.93","currency":"USD"},"gpu_hour_full":{"amount":"2","currency":"USD"},"year":{"amount":"137870.86","currency":"USD"},"invested":{"amount":"317084.94","currency":"USD"},"kwh_year":63392,"available":0.9934246575342466,"parts":[{"name":"depreciation","year":{"amount":"67500","currency":"USD"},"gpu_hour":{"amount":"1.38","currency":"USD"},"share":0.4895885928330119,"how":"$300,000 less 10 % resale, over 4 years"},{"name":"capital","year":{"amount":"17197.43","currency":"USD"},"gpu_hour":{"amount":"0.3506","currency":"USD"},"share":0.12473578068668685,"how":"8 % a year on the unpaid part"},{"name":"network","year":{"amount":"3750","currency":"USD"},"gpu_hour":{"amount":"0.0764","currency":"USD"},"share":0.027199366268500662,"how":"5 % of the price, over 4 years"},{"name":"power","year":{"amount":"6200.68","currency":"USD"},"gpu_hour":{"amount":"0.1264","currency":"USD"},"share":0.0449745394439415,"how":"7 kW x (70 % + 30 % x 30 %) x 8,760 h x $0.128/kWh"},{"name":"cooling","year":{"amount":"1860.2","currency":"USD"},"gpu_hour":{"amount":"0.0379","currency":"USD"},"share":0.013492361833182453,"how":"(PUE 1.3 - 1) x power"},{"name":"space","year":{"amount":"15456","currency":"USD"},"gpu_hour":{"amount":"0.3151","currency":"USD"},"share":0.11210490801225233,"how":"7 kW x $184 a kW and month"},{"name":"staff","year":{"amount":"10000","currency":"USD"},"gpu_hour":{"amount":"0.2038","currency":"USD"},"share":0.07253164338266843,"how":"$1,250 a GPU and year"},{"name":"maintenance","year":{"amount":"15000","currency":"USD"},"gpu_hour":{"amount":"0.3058","currency":"USD"},"share":0.10879746507400265,"how":"5 % of the price a year"},{"name":"failures","year":{"amount":"906.55","currency":"USD"},"gpu_hour":{"amount":"0.0185","currency":"USD"},"share":0.006575342465753426,"how":"0.7 % of hours under repair, made up for"}],"assumptions":[{"name":"utilization","value":0.7,"unit":"of all hours","low":0.3,"high":0.9,"at_low":{"amount":"6.42","currency":"USD"},"at_high":{"amount":"2.21","currency":"USD"},"tenth":-0.08759051737533796,"source":"as in onprem.csv; ML Cost Optimization Reference (2025) calls for more than 0.6","date":"2026-11-15"},{"name":"years","value":4,"unit":"years","low":3,"high":5,"at_low":{"amount":"3.31","currency":"USD"},"at_high":{"amount":"2.51","currency":"USD"},"tenth":-0.04873426310404538,"source":"ML Cost Optimization Reference (2025): 3-5 years for GPUs","date":"2026-11-17"},{"name":"software","value":0,"unit":"USD a year","low":0,"high":36000,"at_low":{"amount":"2.81","currency":"USD"},"at_high":{"amount":"3.55","currency":"USD"},"tenth":0,"source":"NVIDIA AI Enterprise at 4500 a GPU and year: theregister.com 2025-04-01 (nvidia_ai_enterprise_cost)","date":"2025-04-01"},{"name":"price","value":300000,"unit":"USD","low":270000,"high":360000,"at_low":{"amount":"2.6","currency":"USD"},"at_high":{"amount":"3.24","currency":"USD"},"tenth":0.0755287478694715,"source":"price 300000-350000 via v2-pseo-ai.pages.dev GPU TCO; 7.0 kW as metered in MLPerf v4.0","date":"2026-11-15"},{"name":"maintenance","value":0.05,"unit":"of the price a year","low":0.03,"high":0.1,"at_low":{"amount":"2.69","currency":"USD"},"at_high":{"amount":"3.12","currency":"USD"},"tenth":0.010951758067295092,"source":"an estimate, no quote: support contracts and spare parts","date":"2026-11-17"},{"name":"resale","value":0.1,"unit":"of the price","low":0,"high":0.3,"at_low":{"amount":"2.95","currency":"USD"},"at_high":{"amount":"2.54","currency":"USD"},"tenth":-0.004860845920960033,"source":"an estimate; used H100 at 15000-20000 in 2026 (relutech.com) are half the price of new ones after 3 years, and new generations lower that","date":"2026-11-17"},{"name":"staff","value":10000,"unit":"USD a year","low":4800,"high":24000,"at_low":{"amount":"2.7","currency":"USD"},"at_high":{"amount":"3.1","currency":"USD"},"tenth":0.007301172044863469,"source":"an estimate: an administrator at 200000 a year (ML Cost Optimization Reference, 2025) for 20 machines of 8 GPUs","date":"2026-11-17"},{"name":"capital","value":0.08,"unit":"a year","low":0.04,"high":0.12,"at_low":{"amount":"2.63","currency":"USD"},"at_high":{"amount":"2.99","currency":"USD"},"tenth":0.012976123522123961,"source":"an estimate: usual weighted cost of capital of companies (estimate)","date":"2026-11-17"},{"name":"network","value":0.05,"unit":"of the price","low":0,"high":0.15,"at_low":{"amount":"2.72","currency":"USD"},"at_high":{"amount":"3","currency":"USD"},"tenth":0.00330656360586401,"source":"an estimate, no quote: cables, ports and a share of a switch; InfiniBand for many machines about 0.15","date":"2026-11-17"},{"name":"space","value":184,"unit":"USD a kW and month","low":120,"high":217,"at_low":{"amount":"2.7","currency":"USD"},"at_high":{"amount":"2.87","currency":"USD"},"tenth":0.011284691512540856,"source":"CBRE North America Data Center Trends H2 2024 (184.06); low: CBRE H2 2018; high: CBRE global average 2025 via dataxconnect.com","date":"2025-02-26"},{"name":"electricity","value":0.128,"unit":"USD a kWh","low":0.0768,"high":0.192,"at_low":{"amount":"2.74","currency":"USD"},"at_high":{"amount":"2.89","currency":"USD"},"tenth":0.005885388573124928,"source":"EIA commercial, year 2024 (estimate)","date":"2024-12-31"},{"name":"power","value":7,"unit":"kW","low":6.3,"high":7.700000000000001,"at_low":{"amount":"2.76","currency":"USD"},"at_high":{"amount":"2.86","currency":"USD"},"tenth":0.017170080085665562,"source":"price 300000-350000 via v2-pseo-ai.pages.dev GPU TCO; 7.0 kW as metered in MLPerf v4.0","date":"2026-11-15"},{"name":"repair","value":3,"unit":"days","low":1,"high":10,"at_low":{"amount":"2.8","currency":"USD"},"at_high":{"amount":"2.85","currency":"USD"},"tenth":0.0006623247599073512,"source":"an estimate: next-business-day parts; returns to the maker take longer","date":"2026-11-17"},{"name":"pue","value":1.3,"unit":"times the power","low":1.1,"high":1.54,"at_low":{"amount":"2.79","currency":"USD"},"at_high":{"amount":"2.84","currency":"USD"},"tenth":0.005885388573124928,"source":"new halls at 1.3: Uptime Institute 2024 via cloudnews.tech; high: average of 2025, thefreesheet.com; low: regions.csv, large clouds","date":"2026-01-19"},{"name":"idle","value":0.3,"unit":"of the power","low":0.2,"high":0.5,"at_low":{"amount":"2.8","currency":"USD"},"at_high":{"amount":"2.82","currency":"USD"},"tenth":0.0006704873057994387,"source":"an estimate (estimate)","date":"2026-11-17"},{"name":"failures","value":0.1,"unit":"a GPU and year","low":0.05,"high":0.15,"at_low":{"amount":"2.8","currency":"USD"},"at_high":{"amount":"2.82","currency":"USD"},"tenth":0.0006623247599073512,"source":"Llama 3 on 16384 H100: 58.7 % of 419 interruptions in 54 days were of GPUs (datacenterdynamics.com, Meta's report)","date":"2024-07-31"}],"market":[{"market":"on-demand","offer":"aws/us-east-1/p5.48xlarge","price":{"amount":"6.88","currency":"USD"},"price_low":{"amount":"6.88","currency":"USD"},"price_high":{"amount":"6.88","currency":"USD"},"used_hour":{"amount":"6.88","currency":"USD"},"year":{"amount":"337505.28","currency":"USD"},"saved_year":{"amount":"199634.42","currency":"USD"},"break_even":0.2796821189729076,"payback_months":13.1813325630131,"cheaper":true,"date":"2026-08-22","note":null},{"market":"spot","offer":"aws/ap-south-1/p5.48xlarge","price":{"amount":"2.2448125","currency":"USD"},"price_low":{"amount":"1.437732305","currency":"USD"},"price_high":{"amount":"3.504952306","currency":"USD"},"used_hour":{"amount":"2.24","currency":"USD"},"year":{"amount":"110121.52","currency":"USD"},"saved_year":{"amount":"-27749.34","currency":"USD"},"break_even":0.8848395394975017,"payback_months":null,"cheaper":false,"date":"2026-08-22","note":null},{"market":"reserved-1y","offer":"aws/us-east-1/p5.48xlarge","price":{"amount":"4.472","currency":"USD"},"price_low":{"amount":"4.13","currency":"USD"},"price_high":{"amount":"4.82","currency":"USD"},"used_hour":{"amount":"6.39","currency":"USD"},"year":{"amount":"313397.76","currency":"USD"},"saved_year":{"amount":"175526.9","currency":"USD"},"break_even":null,"payback_months":14.382457211224878,"cheaper":true,"date":"2026-08-22","note":"on-demand less 30 to 40 %"},{"market":"reserved-3y","offer":"aws/us-east-1/p5.48xlarge","price":{"amount":"3.096","currency":"USD"},"price_low":{"amount":"2.75","currency":"USD"},"price_high":{"amount":"3.44","currency":"USD"},"used_hour":{"amount":"4.42","currency":"USD"},"year":{"amount":"216967.68","currency":"USD"},"saved_year":{"amount":"79096.82","currency":"USD"},"break_even":null,"payback_months":22.631456257775742,"cheaper":true,"date":"2026-08-22","note":"on-demand less 50 to 60 %"}],"age":{"newest":"2026-08-22","oldest":"2026-08-22","newest_days":85,"stale":4,"future":0,"total":4},"load":{"source":"8","hours":8760,"gpu_hours":70080,"mean":8,"peak":8,"burst":"on-demand","ways":[{"way":"cheapest split","owned":1,"reserved":0,"rented_gpu_hours":0,"owned_use":1,"owned_year":{"amount":"140027.81","currency":"USD"},"reserved_year":{"amount":"0","currency":"USD"},"rented_year":{"amount":"0","currency":"USD"},"year":{"amount":"140027.81","currency":"USD"},"best":true},{"way":"all on-demand","owned":0,"reserved":0,"rented_gpu_hours":70080,"owned_use":null,"owned_year":{"amount":"0","currency":"USD"},"reserved_year":{"amount":"0","currency":"USD"},"rented_year":{"amount":"482150.4","currency":"USD"},"year":{"amount":"482150.4","currency":"USD"},"best":false},{"way":"reserved and by the hour","owned":0,"reserved":1,"rented_gpu_hours":0,"owned_use":null,"owned_year":{"amount":"0","currency":"USD"},"reserved_year":{"amount":"216967.68","currency":"USD"},"rented_year":{"amount":"0","currency":"USD"},"year":{"amount":"216967.68","currency":"USD"},"best":false},{"way":"all owned","owned":1,"reserved":0,"rented_gpu_hours":0,"owned_use":1,"owned_year":{"amount":"140027.81","currency":"USD"},"reserved_year":{"amount":"0","currency":"USD"},"rented_year":{"amount":"0","currency":"USD"},"year":{"amount":"140027.81","currency":"USD"},"best":false}],"curve":[{"way":"","owned":0,"reserved":1,"rented_gpu_hours":0,"owned_use":null,"owned_year":{"amount":"0","currency":"USD"},"reserved_year":{"amount":"216967.68","currency":"USD"},"rented_year":{"amount":"0","currency":"USD"},"year":{"amount":"216967.68","currency":"USD"},"best":false},{"way":"","owned":1,"reserved":0,"rented_gpu_hours":0,"owned_use":1,"owned_year":{"amount":"140027.81","currency":"USD"},"reserved_year":{"amount":"0","currency":"USD"},"rented_year":{"amount":"0","currency":"USD"},"year":{"amount":"140027.81","currency":"USD"},"best":true}],"saved_year":{"amount":"342122.59","currency":"USD"}},"notes":[],"svg":null}
! stint: warning: all 4 prices are old (newest: 2026-08-22, 85 days); 'stint price fetch skypilot' updates them
The load that the ledger has.
$ stint tco H100 --load ledger
! stint: note: 'H100' means H100-SXM-80GB, the SXM form with the most memory
! stint: warning: all 4 prices are old (newest: 2026-08-22, 85 days); 'stint price fetch skypilot' updates them
! stint: there is no ledger 'home/.local/share/stint/ledger.db' yet
!   hint: 'stint run -- COMMAND' makes it
? 4
$ "$STINT_TEST_LEDGER" home/.local/share/stint/ledger.db why
$ stint tco 8x-h100-sxm --provider aws --load ledger | sed -n '/^load/,/^$/p'
| load            the ledger, 90 days: 0.000332 GPUs on average, 0.717 at most
| way             owned  owned in use  rented GPU-h    a year
| cheapest split      0             -             1     $20.0
| all on-demand       0             -             1     $20.0
| all owned           1        <0.1 %             0  $133,000
| 
! stint: warning: all 4 prices are old (newest: 2026-08-22, 85 days); 'stint price fetch skypilot' updates them
! stint: note: 10 GPU-hours in the ledger are on other GPUs than H100: not in the load
$ stint tco 8x-gaudi3 --load ledger
! stint: note: 11 GPU-hours in the ledger are on other GPUs than Gaudi3: not in the load
! stint: the ledger has no runs on Gaudi3 in these 90 days
!   hint: --since 365d looks further back; --load 8 assumes 8 GPUs in use
? 4
Mistakes.
$ stint tco
! stint: tco needs a machine
!   hint: 'stint tco 8x-h100-sxm', or 'stint tco --gpu H100 --count 8 --price 250000usd'; 'stint catalog show onprem' lists machines
? 2
$ stint tco 8x-h100-smx
! stint: there is no machine or GPU '8x-h100-smx'
!   hint: did you mean '8x-h100-sxm'?
? 4
$ stint tco 8x-h100-sxm --gpu H100
! stint: a machine and --gpu contradict each other
!   hint: leave out one of them
? 2
$ stint tco 8x-h100-sxm --count 4
! stint: 8x-h100-sxm has 8 GPUs, not 4
? 2
$ stint tco H100x8 --count 4
! stint: note: 'H100' means H100-SXM-80GB, the SXM form with the most memory
! stint: --count 4 and 'H100x8' contradict each other
? 2
$ stint tco --gpu H1000
! stint: there is no accelerator 'H1000'
!   hint: did you mean 'H100'? 'stint gpu list' shows all
? 4
$ stint tco RTX5090x3
! stint: the price of a machine with 3x RTX5090 is not known
!   hint: add it: the price of one machine, such as --price 250000usd
? 2
$ stint tco 8x-h100-sxm --utilization 0%
! stint: --utilization: 0 is not possible
!   hint: a share of hours, such as --utilization 70%
? 2
$ stint tco 8x-h100-sxm --utilization 120%
! stint: --utilization: '120%' is not a share from 0 to 1
!   hint: write it as 20% or 0.2
? 2
$ stint tco 8x-h100-sxm --years 0
! stint: --years: 0 is not possible
!   hint: years of use, such as --years 4
? 2
$ stint tco 8x-h100-sxm --years -3
! stint: --years: '-3' is not zero or more
? 2
$ stint tco 8x-h100-sxm --price -1usd
! stint: --price: '-1usd' is not above zero
? 2
$ stint tco 8x-h100-sxm --price 5
! stint: --price: '5' is not an amount of money
!   hint: give the currency: 5usd, or '$5' in quotes, since the shell expands $ and digits
? 2
$ stint tco 8x-h100-sxm --price 9000000000usd
! stint: --price: 9000000000 is not possible
!   hint: the price of one machine, such as --price 250000usd
? 2
$ stint tco 8x-h100-sxm --pue 0.9
! stint: --pue: 0.9 is not possible
!   hint: use a ratio such as --pue 1.3; 1 means no cooling
? 2
$ stint tco 8x-h100-sxm --failures 9 --repair-days 300
! stint: the machine would be under repair all the time
!   hint: failures of one GPU a year, such as --failures 0.1; days for each failure, such as --repair-days 3
? 2
$ stint tco 8x-h100-sxm --load nothing.csv
! stint: warning: all 4 prices are old (newest: 2026-08-22, 85 days); 'stint price fetch skypilot' updates them
! stint: cannot open 'nothing.csv': No such file or directory
!   hint: --load takes a file with the GPUs of each hour, 'ledger', or GPUs: '8', '8+16@10%'
? 4
$ stint tco 8x-h100-sxm --load 0
! stint: warning: all 4 prices are old (newest: 2026-08-22, 85 days); 'stint price fetch skypilot' updates them
! stint: --load: '0' is not a possible load
!   hint: GPUs in use always, and more of them for a share of the hours: '8', or '8+16@10%'
? 2
$ stint tco 8x-h100-sxm --load 8+16@200%
! stint: warning: all 4 prices are old (newest: 2026-08-22, 85 days); 'stint price fetch skypilot' updates them
! stint: --load: '8+16@200%' is not a possible load
!   hint: GPUs in use always, and more of them for a share of the hours: '8', or '8+16@10%'
? 2
$ echo many >load.csv; stint tco 8x-h100-sxm --load load.csv
! stint: warning: all 4 prices are old (newest: 2026-08-22, 85 days); 'stint price fetch skypilot' updates them
! stint: load.csv:1: 'many' is not a number of GPUs
!   hint: one line for each hour with the GPUs in use: a number, or a column 'gpus'
? 3
$ : >load.csv; stint tco 8x-h100-sxm --load load.csv
! stint: warning: all 4 prices are old (newest: 2026-08-22, 85 days); 'stint price fetch skypilot' updates them
! stint: load.csv: a load has 1 to 1000000 hours
? 3
$ echo -5 >load.csv; stint tco 8x-h100-sxm --load load.csv
! stint: warning: all 4 prices are old (newest: 2026-08-22, 85 days); 'stint price fetch skypilot' updates them
! stint: load.csv:1: '-5' is not a number of GPUs
!   hint: one line for each hour with the GPUs in use: a number, or a column 'gpus'
? 3
$ echo 0 >load.csv; stint tco 8x-h100-sxm --load load.csv
! stint: warning: all 4 prices are old (newest: 2026-08-22, 85 days); 'stint price fetch skypilot' updates them
! stint: load.csv: no GPU is in use in any hour of the load
? 3
$ stint tco 8x-h100-sxm --provider nosuch
! stint: there is no provider 'nosuch'
!   hint: 'stint catalog show providers' lists them
? 4
