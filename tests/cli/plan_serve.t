Ways to deploy a model that serves at a rate: the cheapest of each kind, cold starts included, and
the rates at which another is cheaper. Few requests: what is paid by use.
$ stint plan bert-base --serve --rate 0.01/s 2>/dev/null | sed '/^GPU MACHINES/,/^searched/d'
| serve bert-base, 0.01 requests/s of 128 tokens for a month of 30 days
| 
|    deployment   cost/month        80 % range      p95   cold  cheaper at    where                        price age  setting
| >  serverless       $0.371  $0.189 to $0.738   882 ms  0.9 %                azure/eastus/Functions           199 d  fp32, 1 vCPU, 1 GiB
|    GPU machine        $108     $89.2 to $131  3.46 ms         above 2.91/s  hyperstack/*/n3-RTX-A4000x1       81 d  fp16, 1x RTXA4000
| 
| best            serverless, azure/eastus/Functions, price from 2026-04-30 (199
|                 days old): $108 (99.7 %) less than a GPU machine
| bill            6.36 h of an instance: memory $0.366, requests $0.0052; an
|                 account's free amounts would pay $0.371 of it
| cold start      13.7 s after 20.0 min without a request: 0.9 % of requests wait
|                 for one (timeout: documented; idle: measured by others; the
|                 rest: judgment)
| break-even      serverless is cheapest below 1.30/s (3.37 M requests a month), a
|                 CPU machine up to 18.0/s (46.6 M), a GPU machine above
| excluded        managed endpoint: Databricks: the price of its endpoints is
|                 unknown; 1 more (--explain lists them)
| excluded        CPU machine: gcp/us-central1/e2-standard-2: costs 130 times as
|                 much as the best
| excluded        serverless GPU: runpod/*/Serverless RTXA4000: costs 153 times as
|                 much as the best
| excluded        scale to zero: gcp/us-central1/e2-standard-2: would never stop
|                 at this rate
| 
| 
| note            deployments without a GPU machine that answer in more than 1 min
|                 (p95) are left out; --p95 TIME sets a target
| note            speed on vCPUs is a rough estimate: 8 of 10 are between half and
|                 twice; measure before you rely on it
| note            most prices of serverless products are too old to rely on, so
|                 all are compared as they are: check the provider's price list
| note            with int8 weights (--set weights=int8), serverless costs $0.232
|                 a month instead of $0.371
| note            requests of 128 tokens, the usual length for classification;
|                 --set input=N sets yours
| note            run as a captured graph, with nothing around it
| note            no slo: any latency is accepted

More of them: a machine.
$ stint plan bert-base --serve --set rate=1/s 2>/dev/null | sed '/^GPU MACHINES/,$d'
| serve bert-base, 1 request/s of 128 tokens for a month of 30 days
| 
|    deployment        cost/month      80 % range      p95    cold  cheaper at    where                          price age  setting
| >  serverless             $37.1  $18.9 to $73.8   882 ms  <0.1 %                azure/eastus/Functions             199 d  fp32, 1 vCPU, 1 GiB
|    CPU machine            $48.3  $48.3 to $96.5   2.03 s          above 1.30/s  gcp/us-central1/e2-standard-2       85 d  fp32, 2 vCPUs
|    managed endpoint       $55.5   $55.5 to $111   2.03 s                        gcp/us-central1/e2-standard-2       85 d  Vertex AI, fp32, 2 vCPUs
|    GPU machine             $108   $89.2 to $131  3.46 ms          above 2.91/s  hyperstack/*/n3-RTX-A4000x1         81 d  fp16, 1x RTXA4000
|    serverless GPU          $413    $269 to $636   10.2 s   7.0 %  above 11.2/s  runpod/*/Serverless RTXA4000       318 d  fp16, RTXA4000
| 
| best            serverless, azure/eastus/Functions, price from 2026-04-30 (199
|                 days old): $70.9 (66 %) less than a GPU machine
| bill            26.5 days of an instance: memory $36.6, requests $0.518; an
|                 account's free amounts would pay $6.60 of it
| cold start      13.7 s after 20.0 min without a request: <0.1 % of requests wait
|                 for one (timeout: documented; idle: measured by others; the
|                 rest: judgment)
| break-even      serverless is cheapest below 1.30/s (3.37 M requests a month), a
|                 CPU machine up to 18.0/s (46.6 M), a GPU machine above
| excluded        scale to zero: gcp/us-central1/e2-standard-2: would never stop
|                 at this rate
| 

Many: a GPU.
$ stint plan bert-base --serve --set rate=100/s 2>/dev/null | sed '/^GPU MACHINES/,$d'
| serve bert-base, 100 requests/s of 128 tokens for a month of 30 days
| 
|    deployment        cost/month        80 % range      p95   cold  cheaper at      where                         price age  setting
| >  GPU machine             $108     $89.2 to $131  7.66 ms                         hyperstack/*/n3-RTX-A4000x1        81 d  fp16, 1x RTXA4000
|    managed endpoint        $382                    41.6 ms                         aws/us-east-1/g4ad.xlarge          85 d  SageMaker, fp16, 1x RadeonProV520
|    CPU machine             $386      $193 to $771   276 ms         below 18.0/s    aws/us-east-1/c7i.large            85 d  bf16, 2 vCPUs
|    serverless GPU          $415      $270 to $638  7.66 ms    0 %  below 1.31/min  runpod/*/Serverless RTXA4000      318 d  fp16, RTXA4000
|    serverless            $2,800  $1,520 to $5,310   882 ms  0.1 %  below 2.91/s    modal/*/CPU                       191 d  fp32, 1 vCPU, 1 GiB
| 
| best            a GPU machine, hyperstack/*/n3-RTX-A4000x1, $0.1500/hr, price
|                 from 2026-08-26 (81 days old)
| break-even      serverless is cheapest below 1.30/s (3.37 M requests a month), a
|                 CPU machine up to 18.0/s (46.6 M), a GPU machine above
| excluded        scale to zero: hyperstack/*/n3-RTX-A4000x1: would never stop at
|                 this rate
| 

A latency target counts cold starts: what waits for them too often is left out, and why.
$ stint plan bert-base --serve --set rate=10/h --set slo.p95=2s --set input=64 --explain 2>/dev/null | sed -n '3,7p;/^DEPLOYMENTS/,/Cloud Run L4 z/p'
|    deployment   cost/month         80 % range      p95   cold  cheaper at                  where                        price age  setting
| >  serverless      $0.0537  $0.0276 to $0.106   454 ms  3.8 %                              azure/eastus/Functions           199 d  fp32, 1 vCPU, 1 GiB
|    GPU machine        $108      $89.2 to $131  3.46 ms         below 9.16/h, above 5.58/s  hyperstack/*/n3-RTX-A4000x1       81 d  fp16, 1x RTXA4000
| 
| best            serverless, azure/eastus/Functions, price from 2026-04-30 (199
| DEPLOYMENTS THAT CANNOT BE USED
| deployment        offer                                          why not
| serverless        aws/us-east-1/Lambda arm64                     19.2 % of requests would wait for a cold start, and take 7.45 s
| serverless        aws/us-east-1/Lambda x86                       19.2 % of requests would wait for a cold start, and take 7.44 s
| serverless        aws/us-east-1/SageMaker Serverless             19.4 % of requests would wait for a cold start, and take 10.5 s
| serverless        azure/eastus/Container Apps                    44.3 % of requests would wait for a cold start, and take 12.3 s
| serverless        cloudflare/*/Workers                           needs 0.915 GiB of memory, has at most 0.125
| serverless        gcp/us-central1/Cloud Run                      8.34 % of requests would wait for a cold start, and take 5.52 s
| serverless GPU    gcp/us-central1/Cloud Run L4                   8.32 % of requests would wait for a cold start, and take 5.44 s
| serverless GPU    gcp/us-central1/Cloud Run L4 zonal redundancy  8.32 % of requests would wait for a cold start, and take 5.44 s

Too large for functions, and for most GPUs that are paid by use.
$ stint plan llama-3-70b --serve --set rate=1/s 2>/dev/null | sed '/^GPU MACHINES/,$d'
| serve llama-3-70b, 1 request/s for a month of 30 days
| 
|    deployment        cost/month         80 % range     p95  cheaper at    where                                   price age  setting
| >  hosted API              $922     $738 to $1,150       ?                novita/meta-llama/llama-3-70b-instruct       99 d  by tokens
|    GPU machine           $1,720   $1,580 to $1,880  11.7 s  above 1.87/s  runpod/*/1x_MI300X_SECURE                    85 d  fp16, 1x MI300X
|    serverless GPU        $4,920   $3,910 to $6,210  3.78 s  above 5.34/s  modal/*/B200                                191 d  fp16, B200-SXM-180GB
|    managed endpoint      $6,880  $6,880 to $13,800  10.0 s                azure/eastus/Standard_NC48ads_A100_v4         6 d  Azure ML, fp16, 2x A100-PCIe-80GB
| 
| best            a hosted API, novita/meta-llama/llama-3-70b-instruct, price from
|                 2026-08-08 (99 days old): $798 (46 %) less than a GPU machine
| break-even      a hosted API is cheapest below 1.87/s (4.84 M requests a month),
|                 a GPU machine above
| excluded        CPU machine: coreweave/*/amd-genoa-9454: a request takes 66.1 s,
|                 longer than the latency target
| excluded        serverless: aws/us-east-1/Lambda arm64: needs 145 GiB of memory,
|                 has at most 10; 8 more (--explain lists them)
| excluded        scale to zero: runpod/*/1x_MI300X_SECURE: would never stop at
|                 this rate
| 
$ stint plan llama-3-8b --serve --set rate=1/min --provider aws 2>/dev/null | sed '/^GPU MACHINES/,$d'
| serve llama-3-8b, 0.01667 requests/s for a month of 30 days
| 
|    deployment        cost/month     p95  cheaper at      where                             price age  setting
| >  hosted API             $9.95       ?                  aws/meta.llama3-8b-instruct-v1:0       99 d  by tokens
|    GPU machine             $579  8.80 s  above 58.2/min  aws/us-east-1/g6.xlarge                85 d  fp16, 1x L4
|    managed endpoint        $811  8.80 s  above 8.15/s    aws/us-east-1/g6.xlarge                85 d  SageMaker, fp16, 1x L4
| 
| best            a hosted API, aws/meta.llama3-8b-instruct-v1:0, price from
|                 2026-08-08 (99 days old): $570 (98 %) less than a GPU machine
| break-even      a hosted API is cheapest below 58.2/min (2.52 M requests a
|                 month), a GPU machine above
| excluded        serverless: aws/us-east-1/Lambda arm64: needs 17.1 GiB of
|                 memory, has at most 10; 8 more (--explain lists them)
| excluded        serverless GPU: gcp/us-central1/Cloud Run L4: its provider is
|                 not among those allowed; 29 more (--explain lists them)
| excluded        CPU machine: aws/us-east-1/c7g.4xlarge: costs 126 times as much
|                 as the best
| excluded        scale to zero: aws/us-east-1/g6.xlarge: would never stop at this
|                 rate
| 

Pictures and speech.
$ stint plan sdxl --serve --set rate=2/h 2>/dev/null | sed -n '3,7p'
|    deployment        cost/month      80 % range     p95  cold  cheaper at    where                         price age  setting
| >  serverless GPU         $8.37  $5.42 to $13.0  31.4 s  99 %                runpod/*/Serverless RTXA4000      318 d  fp16, RTXA4000
|    GPU machine             $108   $89.2 to $131  16.3 s        above 32.3/h  hyperstack/*/n3-RTX-A4000x1        81 d  fp16, 1x RTXA4000
|    managed endpoint        $423                  24.7 s                      aws/us-east-1/g5g.xlarge           85 d  SageMaker, fp16, 1x T4g
| 
$ stint plan whisper-large-v3 --serve --set rate=10/h 2>/dev/null | sed -n '3,7p'
|    deployment        cost/month      80 % range     p95  cold  cheaper at      where                         price age  setting
| >  serverless GPU         $21.5  $14.0 to $33.0  14.1 s  98 %                  runpod/*/Serverless RTXA4000      318 d  fp16, RTXA4000
|    serverless             $23.9  $17.8 to $34.7  39.7 s  86 %                  modal/*/CPU                       191 d  fp16, 4 vCPUs, 4 GiB
|    CPU machine            $72.6   $72.6 to $145  56.3 s        above 1.01/min  aws/us-east-1/m7i.large            85 d  bf16, 2 vCPUs
|    managed endpoint       $87.1   $87.1 to $174  56.3 s                        aws/us-east-1/m7i.large            85 d  SageMaker, bf16, 2 vCPUs
$ stint plan resnet-50 --serve --set rate=1/s --set slo.p95=100ms 2>/dev/null | sed -n '3,7p'
|    deployment        cost/month      80 % range      p95   cold  cheaper at                  where                        price age  setting
| >  serverless             $23.6  $12.4 to $45.8  83.4 ms  0.1 %                              aws/us-east-1/Lambda arm64       188 d  fp32, 4.49 vCPUs, 7.75 GiB
|    CPU machine            $52.2                  45.0 ms         below 12.1/h, above 2.24/s  aws/us-east-1/c7g.large           85 d  bf16, 2 vCPUs
|    managed endpoint       $62.6                  45.0 ms         below 12.1/h, above 2.70/s  aws/us-east-1/c7g.large           85 d  SageMaker, bf16, 2 vCPUs
|    GPU machine             $108   $89.2 to $131  1.32 ms         below 12.1/h, above 4.66/s  hyperstack/*/n3-RTX-A4000x1       81 d  fp16, 1x RTXA4000

Hours of the day, and how long a machine waits before it stops.
$ stint plan bert-base --serve --set rate=1/h --set hours_per_day=8 --set idle_timeout=5min --set slo.p95=10min --provider aws 2>/dev/null | sed '/^GPU MACHINES/,$d'
| serve bert-base, 0.0002778 requests/s of 128 tokens, 8 hours a day, for a month
| of 30 days
| 
|    deployment   cost/month          80 % range      p95  cold  cheaper at  where                       price age  setting
| >  serverless      $0.0252  $0.0226 to $0.0304   8.98 s  85 %              aws/us-east-1/Lambda arm64      188 d  fp32, 0.579 vCPUs, 1 GiB
|    GPU machine       $90.9                      8.95 ms                    aws/us-east-1/g4ad.xlarge        85 d  fp16, 1x RadeonProV520
| 
| best            serverless, aws/us-east-1/Lambda arm64, price from 2026-05-11
|                 (188 days old): $90.8 (>99.9 %) less than a GPU machine
| bill            31.4 min of an instance: memory $0.0251; an account's free
|                 amounts would pay $0.0252 of it
| cold start      7.36 s after 10.0 min without a request: 85 % of requests wait
|                 for one (limits: documented; idle: measured by others; start and
|                 load: judgment)
| break-even      serverless is cheapest below 55.0/min (792 k requests a month),
|                 a CPU machine above
| excluded        serverless GPU: gcp/us-central1/Cloud Run L4: its provider is
|                 not among those allowed; 29 more (--explain lists them)
| excluded        managed endpoint: Azure ML: its provider is not among those
|                 allowed; 3 more (--explain lists them)
| excluded        scale to zero: aws/us-east-1/c7g.large: costs 117 times as much
|                 as the best
| excluded        CPU machine: aws/us-east-1/c7g.large: costs 691 times as much as
|                 the best
| 

Requests by the month.
$ stint plan bert-base --serve --set rate=2592000/month 2>/dev/null | head -1
| serve bert-base, 1 request/s of 128 tokens for a month of 30 days
$ stint plan bert-base --rate 1/s
! stint: --rate is for a model that serves
!   hint: add --serve
? 2
$ stint plan bert-base --serve --rate 1/s --p95 fast
! stint: p95: 'fast' is not a length of time
!   hint: write it as 24h, 90min, 1h30min, 20s or 3d
? 3
$ stint plan bert-base --serve --rate 1/fortnight
! stint: rate: '1/fortnight' is not a rate from 0 to 1e18
!   hint: write it as 20/s, 5000/h, 1M/day or 3M/month
? 3
$ stint plan bert-base --serve --set rate=1/s --set idle_timeout=fast
! stint: idle_timeout: 'fast' is not a length of time
!   hint: write it as 24h, 90min, 1h30min, 20s or 3d
? 3

Restrictions: providers, GPUs, the market, a budget. A plan without a GPU machine is a plan.
$ stint plan bert-base --serve --set rate=0.1/s --provider gcp 2>/dev/null | sed -n '3,8p'
|    deployment        cost/month      80 % range      p95   cold  cheaper at      where                              price age  setting
| >  serverless             $6.39  $3.61 to $12.7   882 ms  0.3 %                  gcp/us-central1/Cloud Run              199 d  fp32, 1 vCPU, 1 GiB
|    CPU machine            $48.3                   581 ms         above 45.9/min  gcp/us-central1/e2-standard-2           85 d  fp32, 2 vCPUs
|    managed endpoint       $55.5                   581 ms         above 52.8/min  gcp/us-central1/e2-standard-2           85 d  Vertex AI, fp32, 2 vCPUs
|    GPU machine             $422                  3.46 ms         above 6.71/s    gcp/us-central1/n1-highmem-4+1xT4       85 d  fp16, 1x T4
| 
$ stint plan bert-base --serve --set rate=0.1/s --gpu T4 2>/dev/null | sed '/^GPU MACHINES/,$d'
| serve bert-base, 0.1 requests/s of 128 tokens for a month of 30 days
| 
|    deployment        cost/month    80 % range      p95   cold  cheaper at      where                              price age  setting
| >  GPU machine             $379                3.46 ms                         aws/us-east-1/g4dn.xlarge               85 d  fp16, 1x T4
|    serverless GPU          $469  $372 to $592  3.46 ms  0.4 %  below 1.59/min  modal/*/T4                             191 d  fp16, T4
|    managed endpoint        $486                3.46 ms                         gcp/us-central1/n1-highmem-4+1xT4       85 d  Vertex AI, fp16, 1x T4
| 
| best            a GPU machine, aws/us-east-1/g4dn.xlarge, $0.5260/hr, price from
|                 2026-08-22 (85 days old)
| break-even      serverless GPU is cheapest below 1.59/min (68.8 k requests a
|                 month), a GPU machine above
| excluded        CPU machine: *: only GPUs are allowed
| excluded        serverless: aws/us-east-1/Lambda arm64: only GPUs are allowed; 8
|                 more (--explain lists them)
| excluded        scale to zero: aws/us-east-1/g4dn.xlarge: would never stop at
|                 this rate
| 
$ stint plan bert-base --serve --set rate=0.1/s --market spot 2>/dev/null | sed -n '/^excluded/,/^$/p'
| excluded        CPU machine: aws/ap-northeast-1/c5.large: only its on-demand
|                 price is considered
| excluded        serverless: aws/us-east-1/Lambda arm64: only its on-demand price
|                 is considered; 8 more (--explain lists them)
| excluded        serverless GPU: gcp/us-central1/Cloud Run L4: only its on-demand
|                 price is considered; 29 more (--explain lists them)
| excluded        managed endpoint: SageMaker: only its on-demand price is
|                 considered; 3 more (--explain lists them)
| 
$ stint plan bert-base --serve --set rate=0.05/s --budget 20usd 2>/dev/null
| serve bert-base, 0.05 requests/s of 128 tokens for a month of 30 days
| 
|    deployment  cost/month       80 % range     p95   cold  cheaper at  where                   price age  setting
| >  serverless       $1.86  $0.943 to $3.69  882 ms  0.4 %              azure/eastus/Functions      199 d  fp32, 1 vCPU, 1 GiB
| 
| best            serverless, azure/eastus/Functions, price from 2026-04-30 (199
|                 days old)
| bill            31.8 h of an instance: memory $1.83, requests $0.0259; an
|                 account's free amounts would pay $1.86 of it
| cold start      13.7 s after 20.0 min without a request: 0.4 % of requests wait
|                 for one (timeout: documented; idle: measured by others; the
|                 rest: judgment)
| break-even      serverless is cheapest below 1.30/s (3.37 M requests a month), a
|                 CPU machine above
| excluded        GPU machine: *: no plan on GPU machines meets the limits
| excluded        CPU machine: gcp/us-central1/e2-standard-2: costs $48.3 a month,
|                 over the budget
| excluded        serverless GPU: gcp/us-central1/Cloud Run L4: costs $753 a
|                 month, over the budget; 29 more (--explain lists them)
| excluded        managed endpoint: Databricks: the price of its endpoints is
|                 unknown
| 
| note            deployments without a GPU machine that answer in more than 1 min
|                 (p95) are left out; --p95 TIME sets a target
| note            speed on vCPUs is a rough estimate: 8 of 10 are between half and
|                 twice; measure before you rely on it
| note            most prices of serverless products are too old to rely on, so
|                 all are compared as they are: check the provider's price list
| note            with int8 weights (--set weights=int8), serverless costs $1.16 a
|                 month instead of $1.86
| note            requests of 128 tokens, the usual length for classification;
|                 --set input=N sets yours
| note            no GPU machine meets the limits
| prices          from 2025-08-27 to 2026-11-09
| searched        669 offers and 1,316 configurations
$ stint plan bert-base --serve --set rate=1/s --budget 20usd
! stint: no plan meets these limits
!   hint: budget $37.14 would allow one (serverless, azure/eastus/Functions)
? 6

Not where nothing can be compared: without a rate, for carbon, on a platform.
$ stint plan bert-base --serve 2>/dev/null | grep -c deployment
| 0
? 1
$ stint plan bert-base --serve --set rate=1/s --aim carbon 2>/dev/null | grep -c deployment
| 0
? 1
$ stint plan bert-base --serve --set rate=1/s --platform sagemaker 2>/dev/null | grep -c deployment
| 0
? 1

The same in JSON; and a saved plan counts with its best deployment in a budget.
$ stint plan bert-base --serve --set rate=1/s --json 2>/dev/null | tr '{' '\n' | sed -n '/"deployment":"serverless","best"/,/"deployment":/p' | sed -E 's/([.][0-9]{6})[0-9]+/\1/g' | head -13
| "deployment":"serverless","best":true,"condition":null,"offer":"azure/eastus/Functions","provider":"azure","region":"eastus","product":"Functions","accelerator":null,"setting":"fp32, 1 vCPU, 1 GiB","cost":
| "amount":"37.14","currency":"USD"},"cost_low":
| "amount":"18.85","currency":"USD"},"cost_high":
| "amount":"73.76","currency":"USD"},"per_million_requests":
| "amount":"14.33","currency":"USD"},"requests_usd":
| "amount":"0.5184","currency":"USD"},"memory_usd":
| "amount":"36.62","currency":"USD"},"vcpu_usd":
| "amount":"0","currency":"USD"},"gpu_usd":
| "amount":"0","currency":"USD"},"billed_s":2288736,"free_saves":
| "amount":"6.6","currency":"USD"},"p95_s":0.882368,"p95_low_s":0.441108,"p95_high_s":1.765040,"request_s":0.882368,"cold_start_s":13.711208,"idle_timeout_s":1200,"cold_share":0.000433,"delayed_share":0.000433,"instances":6.230350,"machines":null,"busy":0.141624,"vcpus":1,"memory_gb":1,"price":null,"markup":null,"price_date":"2026-04-30","price_age_days":199,"source":"https://techbytes.app/posts/2026-serverless-pricing-quota-comparison-cheat-sheet/","basis":"timeout: documented; idle: measured by others; the rest: judgment","more_usd":0,"cheaper_below":null,"cheaper_above":null},
| "deployment":"CPU machine","best":false,"condition":null,"offer":"gcp/us-central1/e2-standard-2","provider":"gcp","region":"us-central1","product":"e2-standard-2","accelerator":null,"setting":"fp32, 2 vCPUs","cost":
$ stint plan bert-base --serve --set rate=1/s --json 2>/dev/null | tr '{' '\n' | grep '"from_rate"' | sed -E 's/([.][0-9]{4})[0-9]+/\1/g'
| "deployment":"serverless","offer":"azure/eastus/Functions","from_rate":null,"to_rate":1.2991,"from_month":null,"to_month":3367336.6834},
| "deployment":"CPU machine","offer":"gcp/us-central1/e2-standard-2","from_rate":1.2991,"to_rate":17.9877,"from_month":3367336.6834,"to_month":46624328.1756},
| "deployment":"GPU machine","offer":"hyperstack/*/n3-RTX-A4000x1","from_rate":17.9877,"to_rate":null,"from_month":46624328.1756,"to_month":null}],"excluded":[
$ stint plan bert-base --serve --set rate=1/s --save plan.json >/dev/null 2>&1; stint budget split 100usd plan.json 2>/dev/null | grep -E 'plan.json|bert'
| bert-base  production     $37.14  plan.json

A saved plan is checked by its best deployment: what it costs today, on which offer, and whether
another kind is cheaper now.
$ stint plan recheck plan.json 2>/dev/null | sed '/^plan /,$d'
| still good: the same price
| today's best: serverless, azure/eastus/Functions $37.1
| 
| deployment        then                           now                            cost then    now  change
| serverless        azure/eastus/Functions         azure/eastus/Functions             $37.1  $37.1     0 %
| CPU machine       gcp/us-central1/e2-standard-2  gcp/us-central1/e2-standard-2      $48.3  $48.3     0 %
| managed endpoint  gcp/us-central1/e2-standard-2  gcp/us-central1/e2-standard-2      $55.5  $55.5     0 %
| GPU machine       hyperstack/*/n3-RTX-A4000x1    hyperstack/*/n3-RTX-A4000x1         $108   $108     0 %
| serverless GPU    runpod/*/Serverless RTXA4000   runpod/*/Serverless RTXA4000        $413   $413     0 %
| 
$ mkdir facts; printf 'provider,region,instance,vcpus,memory_gib,on_demand_usd_h,date,source\naws,us-east-1,c7g.large,2,4,0.30,2026-11-14,me\naws,us-west-2,c7g.large,2,4,0.30,2026-11-14,me\naws,eu-west-1,c7g.large,2,4,0.30,2026-11-14,me\n' >facts/cpu_offers.csv
$ stint plan recheck plan.json --catalog facts 2>/dev/null | sed -n '1,2p;/^CPU/p'
| still good: the same price
| today's best: serverless, azure/eastus/Functions $37.1
| CPU machine       gcp/us-central1/e2-standard-2  gcp/us-central1/e2-standard-2      $48.3  $48.3     0 %
$ stint plan bert-base --serve --set rate=0.05/s --budget 20usd --save small.json >/dev/null 2>&1; stint plan recheck small.json 2>/dev/null
| still good: the same price
| today's best: serverless, azure/eastus/Functions $1.86
| 
| deployment  then                    now                     cost then    now  change
| serverless  azure/eastus/Functions  azure/eastus/Functions      $1.86  $1.86     0 %
| 

One's own facts: a product needs terms, and a machine a CPU that is known.
$ mkdir own; printf 'provider,product,region,usd_per_million_gb_seconds,usd_per_million_vcpu_seconds,date,source\nacme,Boxes,eu-1,1,2,2026-11-14,me\n' >own/serverless.csv
$ stint plan bert-base --serve --set rate=0.01/s --explain --catalog own 2>/dev/null | grep acme
| serverless        acme/eu-1/Boxes                how it bills, starts and stops is not known
$ printf 'provider,product,billing,step_ms,idle_s,start_s,load_gb_s,vcpus_low,vcpus_high,memory_low_gb,memory_high_gb,date,source\nacme,Box*,request,1,300,2,1,1,4,0.5,16,2026-11-14,me\n' >own/serverless_terms.csv
$ stint plan bert-base --serve --set rate=0.01/s --explain --catalog own 2>/dev/null | grep acme
| serverless        acme/eu-1/Boxes                the speed of its CPU is not known
$ printf 'provider,instance,fp32_gflops_vcpu,bandwidth_gb_s_vcpu,date,source\nacme,Box*,100,5,2026-11-14,me\n' >own/cpus.csv
$ stint plan bert-base --serve --set rate=0.01/s --catalog own 2>/dev/null | grep -m3 acme
| >  serverless      $0.0245  $0.0124 to $0.0488   2.54 s  5.2 %                acme/eu-1/Boxes                    1 d  fp32, 4 vCPUs, 1 GiB
| best            serverless, acme/eu-1/Boxes, price from 2026-11-14 (1 day old):
A price that is too old is not the best where most of its kind are not: it is listed with a condition, or as worth checking.
$ stint plan bert-base --serve --rate 1/s --provider azure,cloudflare 2>/dev/null | grep '^[>*]\|^best\|worth checking' -A1
| >  CPU machine            $60.9  $58.2 to $63.7   421 ms                         azure/eastus/Standard_F2s_v2           411 d  fp32, 2 vCPUs
|    managed endpoint       $60.9  $58.2 to $63.7   421 ms                         azure/eastus/Standard_F2s_v2           411 d  Azure ML, fp32, 2 vCPUs
| --
| best            a CPU machine, azure/eastus/Standard_F2s_v2, $0.0846/hr, price
|                 from 2025-09-30 (411 days old): $318 (84 %) less than a GPU
| --
| >  best             $379      $362 to $396  3.46 ms       1  1x T4              azure/eastus   on-demand      411 d  fp16, tensor 1, batch 1, graph
|    on spot         $44.3     $18.1 to $109  3.46 ms       1  1x T4              azure/westus2  spot           411 d  fp16, tensor 1, batch 1, graph
| --
| note            worth checking: serverless, azure/eastus/Functions, would cost
|                 $37.1 a month, were its price still that of 2026-04-30 (199 days
$ stint infer bert-base --rate 1/s --provider azure,cloudflare --json 2>/dev/null | grep -o '"deployment":"[^"]*","best":[a-z]*,"condition":[^,]*' | head -3
| "deployment":"CPU machine","best":true,"condition":null
| "deployment":"managed endpoint","best":false,"condition":null
| "deployment":"serverless","best":false,"condition":null
The user's own word on how old prices may be counts, for all ways.
$ stint plan bert-base --serve --rate 1/s --provider azure,cloudflare --max-age 250d 2>/dev/null | grep '^[>*]'
| >  serverless        $37.1  $18.9 to $73.8   882 ms  <0.1 %               azure/eastus/Functions                     199 d  fp32, 1 vCPU, 1 GiB
| >  best           $6,880  3.46 ms       1  1 of 2x A100-PCIe-80GB  azure/eastus  on-demand        6 d  fp16, tensor 1, batch 1, graph
