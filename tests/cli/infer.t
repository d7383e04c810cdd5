What serving a model costs, way by way.

$ stint infer bert-base --rate 1/s --slo p95=200ms 2>/dev/null
| serve bert-base, 1.00/s of 128 tokens: 2.59 M requests a month
| 
|    deployment        cost/month      80 % range  per 1,000         used  per M in      p95  machines   busy  where                        price age  setting
| >  CPU machine            $52.2   $52.2 to $104    $0.0201      $0.0159    $0.157   181 ms         1   79 %  aws/us-east-1/c7g.large           85 d  bf16, 2 vCPUs
|    managed endpoint       $62.6   $62.6 to $125    $0.0242       $0.019    $0.189   181 ms         1   79 %  aws/us-east-1/c7g.large           85 d  SageMaker, bf16, 2 vCPUs
|    serverless             $63.8   $32.9 to $126    $0.0246      $0.0246    $0.192   179 ms                   aws/us-east-1/Lambda arm64       188 d  fp32, 5.79 vCPUs, 10 GiB
|    GPU machine             $108   $89.2 to $131    $0.0417   $0.0000388    $0.326  3.46 ms         1  0.1 %  hyperstack/*/n3-RTX-A4000x1       81 d  fp16, 1x RTXA4000
|    serverless GPU          $471    $373 to $593     $0.182       $0.182     $1.42  3.46 ms                   modal/*/T4                       191 d  fp16, T4
| *  edge device            $5.79  $4.46 to $7.53   $0.00223  $0.00000942   $0.0175  6.73 ms         1  0.4 %  jetson-orin-nano-super               -  fp16, Jetson-Orin-Nano-8GB
| *  shared GPU              $278    $252 to $307     $0.107    $0.000183    $0.837  3.46 ms         1  0.2 %  coreweave/*/a100-80gb-8x          56 d  fp16, 1/7 A100-SXM-80GB (1g.10gb)
| *  spot GPUs               $350    $224 to $546     $0.135     $0.00034     $1.05  8.95 ms         2  0.3 %  aws/us-east-1/g4ad.xlarge         85 d  fp16, 1x RadeonProV520
| 
| best            a CPU machine, aws/us-east-1/c7g.large, price from 2026-08-22;
|                 the next, a managed endpoint, costs $10.4 more a month
| * edge device   if you buy and run it; space, network and care are not counted
| * shared GPU    if others use the rest of the GPU
| * spot GPUs     if requests that an interruption cuts off are sent again; 1
|                 machine of them spare
| break-even      a CPU machine is cheapest below 12.1/h (8.70 k requests a
|                 month), serverless up to 49.2/min (2.13 M), a CPU machine up to
|                 14.3/s (37.1 M), a GPU machine above
| batching        at this rate a GPU machine has nothing to batch: requests come
|                 one by one
| as a batch      the same requests without a deadline for each take 4.98 minutes
|                 of a machine a day: $0.374 a month
| latency         near-real-time (100 ms to 1 s): the rule says CPU, quantized
|                 model; the best agrees (a CPU machine)
| traffic         constant: the rule says machines that are reserved; the best
|                 agrees (a CPU machine)
| optimization    halving the compute saves $19.3 a month (serverless, $32.9): it
|                 may cost at most $232 to pay back in 12 months
| note            speed on vCPUs is a rough estimate: 8 of 10 are between half and
|                 twice, and at half it misses the latency target; measure before
|                 you rely on it
| note            with int8 weights (--set weights=int8), serverless costs $36.4 a
|                 month instead of $63.8
| note            edge devices pay $0.165/kWh (country or electricity in the
|                 settings)
At a changing rate: a shape, and a file.
$ stint infer llama-3-8b --rate 8/s --traffic office --provider aws,runpod 2>/dev/null | sed '/^note/,$d'
| serve llama-3-8b, 8.00/s on average, 24.8/s at the peak of 512 tokens in and 128 out: 20.7 M requests a month
| 
|    deployment        cost/month        80 % range  at peak  per 1,000      used  per M in  per M out     p95  machines  busy  where                             price age  setting
| >  GPU machine             $463      $399 to $536   $1,170    $0.0223   $0.0132   $0.0224     $0.085  6.50 s         6  59 %  runpod/*/1x_RTXA5000_SECURE            85 d  fp16, 6x RTXA5000
|    serverless GPU        $1,170    $746 to $1,820   $1,170    $0.0563   $0.0563   $0.0564     $0.214  6.50 s                  runpod/*/Serverless RTXA5000          318 d  fp16, RTXA5000
|    managed endpoint      $2,330  $2,280 to $2,960   $3,750     $0.112   $0.0398    $0.158     $0.247  8.04 s         2  35 %  aws/us-east-1/g6e.xlarge               85 d  SageMaker, fp16, 2x L40S
|    hosted API            $4,780                     $4,780      $0.23     $0.23     $0.30      $0.60       ?                  aws/meta.llama3-8b-instruct-v1:0       99 d  by tokens
| *  edge device             $448      $263 to $663     $448    $0.0216  $0.00457   $0.0206    $0.0863  4.64 s         5  21 %  desktop-rtx4090                           -  fp16, RTX4090
| *  spot GPUs             $1,970  $1,260 to $3,140   $2,640     $0.095   $0.0306    $0.133     $0.209  8.04 s         3  32 %  aws/eu-north-1/g6e.xlarge              85 d  fp16, 2x L40S
| *  shared GPU            $2,250  $1,950 to $2,250   $4,940     $0.108   $0.0513    $0.164     $0.191  7.05 s         4  47 %  aws/us-east-1/p4de.24xlarge            85 d  fp16, 1/2 A100-SXM-80GB (3g.40gb)
| 
| best            a GPU machine, runpod/*/1x_RTXA5000_SECURE, price from
|                 2026-08-22; the next, serverless GPU, costs $704 more a month
| * edge device   if you buy and run it; space, network and care are not counted
| * spot GPUs     if requests that an interruption cuts off are sent again; 1
|                 machine of them spare
| * shared GPU    if others use the rest of the GPU
| break-even      a hosted API is cheapest below 19.5/min (844 k requests a
|                 month), a GPU machine above
| scaling         2.37 machines on average, 6 at the peak; autoscaling saves $703
|                 a month; a machine is added 150 times a month, each 3.54 min
|                 before it serves (paid, and to be started ahead)
| autoscaler      a GPU machine: 1 to 6 copies, one for each 16 requests running
|                 or waiting (HPA or KEDA target; the latency target allows 24,
|                 and the rate may grow by 53 % in the 3.54 min that a start
|                 takes); remove one after 5.00 min without need
| batching        a GPU machine works on 22.5 requests together, p95 6.50 s; one
|                 at a time it takes 106 machines, $6,770 a month, p95 26.6 s
| as a batch      the same requests without a deadline for each take 33.6
|                 machine-hours a day: $272 a month
| latency         no target is set: any way will do (--slo p95=200ms sets one)
| traffic         variable: the rule says autoscaling with a minimum of machines;
|                 the best agrees (a GPU machine)
| optimization    halving the compute saves $158 a month (a GPU machine, $305): it
|                 may cost at most $1,890 to pay back in 12 months
$ (echo hour,rate; for h in 0 1 2 3 4 5 6 7; do echo $h,0; done; for h in 8 9 10 11 12 13 14 15 16 17 18 19; do echo $h,40/s; done; for h in 20 21 22 23; do echo $h,36000/h; done) >day.csv
$ stint infer bert-base --traffic day.csv --explain 2>/dev/null | sed '/^DEPLOYMENTS/,$d'
| serve bert-base, 21.7/s on average, 40.0/s at the peak of 128 tokens: 56.2 M requests a month
| 
|    deployment        cost/month      80 % range  at peak  per 1,000         used   per M in      p95  machines   busy  where                         price age  setting
| >  scale to zero          $72.0  $59.4 to $87.2     $108   $0.00128   $0.0000388      $0.01  5.88 ms         1  3.0 %  hyperstack/*/n3-RTX-A4000x1        81 d  fp16, 1x RTXA4000
|    GPU machine             $108   $89.2 to $131     $108   $0.00192   $0.0000388     $0.015  5.88 ms         1  2.0 %  hyperstack/*/n3-RTX-A4000x1        81 d  fp16, 1x RTXA4000
|    CPU machine             $129   $96.7 to $205     $193    $0.0023     $0.00111     $0.018   180 ms         3   48 %  aws/us-east-1/c7i.large            85 d  bf16, 2 vCPUs
|    managed endpoint        $155    $116 to $246     $231   $0.00276     $0.00133    $0.0216   180 ms         3   48 %  aws/us-east-1/c7i.large            85 d  SageMaker, bf16, 2 vCPUs
|    serverless GPU          $276    $180 to $425     $276   $0.00492     $0.00492    $0.0385  5.88 ms                   runpod/*/Serverless RTXA4000      318 d  fp16, RTXA4000
|    serverless              $726  $416 to $1,320     $726    $0.0129      $0.0129     $0.101   882 ms                   modal/*/CPU                       191 d  fp32, 1 vCPU, 1 GiB
| *  edge device            $6.00  $4.62 to $7.80    $6.00  $0.000107  $0.00000976  $0.000835  13.0 ms         1  9.1 %  jetson-orin-nano-super                -  fp16, Jetson-Orin-Nano-8GB
| *  shared GPU              $278    $252 to $307     $278   $0.00494    $0.000183    $0.0386  5.88 ms         1  3.7 %  coreweave/*/a100-80gb-8x           56 d  fp16, 1/7 A100-SXM-80GB (1g.10gb)
| *  spot GPUs               $350    $224 to $546     $350   $0.00622     $0.00068    $0.0486  20.5 ms         2   11 %  aws/us-east-1/g4ad.xlarge          85 d  fp16, 1x RadeonProV520
| 
| best            scale to zero, hyperstack/*/n3-RTX-A4000x1, price from
|                 2026-08-26; the next, a GPU machine, costs $36.0 more a month
| * edge device   if you buy and run it; space, network and care are not counted
| * shared GPU    if others use the rest of the GPU
| * spot GPUs     if requests that an interruption cuts off are sent again; 1
|                 machine of them spare
| break-even      serverless is cheapest below 1.41/s (3.64 M requests a month), a
|                 CPU machine up to 9.74/s (25.3 M), scale to zero above
| scaling         0.667 machines on average, 1 at the peak; autoscaling saves
|                 $36.0 a month
| batching        at this rate a GPU machine has nothing to batch: requests come
|                 one by one
| as a batch      the same requests without a deadline for each take 1.80
|                 machine-hours a day: $8.10 a month
| latency         no target is set: any way will do (--slo p95=200ms sets one)
| traffic         bursty: the rule says scale to zero, serverless; the best agrees
|                 (scale to zero)
| optimization    halving the compute saves nothing at this rate: the same
|                 machines are needed
| 
| BREAK-EVEN OF EACH PAIR (requests a month)
| cheaper now       than                  but not below       nor above
| scale to zero     GPU machine         16.5/h (11.9 k)               -
| scale to zero     CPU machine         9.74/s (25.3 M)               -
| scale to zero     managed endpoint    16.5/h (11.9 k)               -
| scale to zero     serverless GPU      54.8/h (39.5 k)               -
| scale to zero     serverless          1.95/s (5.05 M)               -
| edge device       scale to zero                     -               -
| scale to zero     shared GPU          16.5/h (11.9 k)               -
| scale to zero     spot GPUs           16.5/h (11.9 k)               -
| GPU machine       CPU machine         19.5/s (50.5 M)               -
| GPU machine       managed endpoint    9.74/s (25.3 M)               -
| GPU machine       serverless GPU    1.67/min (72.1 k)               -
| GPU machine       serverless          2.91/s (7.54 M)               -
| edge device       GPU machine                       -               -
| GPU machine       shared GPU                        -               -
| GPU machine       spot GPUs                         -               -
| CPU machine       managed endpoint                  -               -
| CPU machine       serverless GPU      32.6/h (23.5 k)  68.2/s (177 M)
| CPU machine       serverless          1.41/s (3.64 M)               -
| edge device       CPU machine                       -               -
| CPU machine       shared GPU                        -  68.2/s (177 M)
| CPU machine       spot GPUs                         -  87.7/s (227 M)
| managed endpoint  serverless GPU    1.00/min (43.3 k)  48.7/s (126 M)
| managed endpoint  serverless          2.08/s (5.38 M)               -
| edge device       managed endpoint                  -               -
| managed endpoint  shared GPU                        -  48.7/s (126 M)
| managed endpoint  spot GPUs                         -  68.2/s (177 M)
| serverless GPU    serverless          7.44/s (19.3 M)               -
| edge device       serverless GPU                    -               -
| serverless GPU    shared GPU                        -               -
| serverless GPU    spot GPUs                         -               -
| edge device       serverless         9.34/min (404 k)               -
| shared GPU        serverless          7.48/s (19.4 M)               -
| spot GPUs         serverless          9.41/s (24.4 M)  752/s (1.95 B)
| edge device       shared GPU                        -               -
| edge device       spot GPUs                         -               -
| shared GPU        spot GPUs                         -               -
| 
| THE BEST, HOUR BY HOUR
| hour    rate  machines  cost/hour
|    0       0         0      $0.00
|    1       0         0      $0.00
|    2       0         0      $0.00
|    3       0         0      $0.00
|    4       0         0      $0.00
|    5       0         0      $0.00
|    6       0         0      $0.00
|    7       0         0      $0.00
|    8  40.0/s         1      $0.15
|    9  40.0/s         1      $0.15
|   10  40.0/s         1      $0.15
|   11  40.0/s         1      $0.15
|   12  40.0/s         1      $0.15
|   13  40.0/s         1      $0.15
|   14  40.0/s         1      $0.15
|   15  40.0/s         1      $0.15
|   16  40.0/s         1      $0.15
|   17  40.0/s         1      $0.15
|   18  40.0/s         1      $0.15
|   19  40.0/s         1      $0.15
|   20  10.0/s         1      $0.15
|   21  10.0/s         1      $0.15
|   22  10.0/s         1      $0.15
|   23  10.0/s         1      $0.15
| 

The costs are those of plan --serve, to the last digit.
$ for job in "llama-3-8b --rate 20/s" "bert-base --rate 1/s" "llama-3-70b --rate 1/min" "resnet-50 --rate 50/s --p95 100ms" "bert-base --rate 10/h"; do stint plan --serve $job --json 2>/dev/null | tr '{' '\n' | grep -A1 '"deployment":"[^"]*","best"' | grep -v '^--' | sed 's/,"cost_low.*//' | grep -v '"hosted API","best":[a-z]*,"condition":"' >plan.txt; stint infer $job --json 2>/dev/null | sed 's/"volumes".*//' | tr '{' '\n' | grep -A1 '"deployment":"[^"]*","best"' | grep -v '^--' | sed 's/,"cost_low.*//' | awk '/"condition":"/ { skip = 2 } skip > 0 { skip--; next } 1' >infer.txt; wc -l <plan.txt; diff plan.txt infer.txt; done
| 8
| 10
| 4
| 10
| 4

A flat day is no other than none.
$ stint infer bert-base --rate 1/s 2>/dev/null | sed -n '/^>/p' | tr -s ' '; stint infer bert-base --rate 1/s --traffic flat 2>/dev/null | sed -n '/^>/p' | tr -s ' '
| > serverless $37.1 $18.9 to $73.8 $0.0143 $0.0143 $0.112 882 ms azure/eastus/Functions 199 d fp32, 1 vCPU, 1 GiB
| > serverless $37.1 $18.9 to $73.8 $37.1 $0.0143 $0.0143 $0.112 882 ms azure/eastus/Functions 199 d fp32, 1 vCPU, 1 GiB

A cache, prompts that an API has cached, batches, other models.
$ stint infer llama-3-8b --rate 20/s --cache-hits 30% 2>/dev/null | grep -E '^(serve|>|note.*cache)'
| serve llama-3-8b, 20.0/s of 512 tokens in and 128 out: 51.8 M requests a month
| >  GPU machine             $605      $555 to $659    $0.0117   $0.0108    $0.016     $0.027  8.41 s         1  93 %  runpod/*/1x_RTX6000-Ada_SECURE                      85 d  fp16, 1x RTX6000-Ada
| note            a cache answers 30 % of the requests, which count as
By hand: 4,000 x (0.5 x $0.075 + 0.5 x $0.0375) + 200 x $0.30 a million are $285 a million requests.
$ stint infer gpt-oss-20b --rate 1/s --input 4000 --output 200 --prompt-cache 50% --provider groq 2>/dev/null | grep -A1 '^   deployment'
|    deployment   cost/month     80 % range  per 1,000     used  per M in  per M out     p95  machines  busy  where                    price age  setting
| >  hosted API         $739   $591 to $923     $0.285   $0.285   $0.0563      $0.30       ?                  groq/openai/gpt-oss-20b       99 d  by tokens
$ stint infer llama-3-8b --rate 1/s --api gpt-4o-mini --slo p95=24h 2>/dev/null | grep -E 'gpt-4o|^[*] hosted' -A1
| *  hosted API              $199       $159 to $249    $0.0768   $0.0768    $0.075      $0.30         ?                  openai/gpt-4o-mini                99 d  by tokens, batch price
| *  spot GPUs               $771     $494 to $1,410     $0.297    $0.101    $0.119      $1.85    10.0 s         2  34 %  aws/eu-north-1/g6.xlarge          85 d  fp16, 1x L4
| --
| * hosted API    another model: compare its answers
| * spot GPUs     if requests that an interruption cuts off are sent again; 1
$ stint infer llama-3-8b --rate 1/s --slo p95=5s 2>/dev/null | grep -E '^[*] ( hosted| *hosted)|^[*] hosted'
| *  hosted API             $59.7  $47.8 to $74.6     $0.023    $0.023     $0.03      $0.06       ?                  deepinfra/meta-llama/Meta-Llama-3-8B-Instruct       99 d  by tokens
| * hosted API    its latency is not known: measure it
Prices of one's own, from the file that LiteLLM keeps.
$ printf '{"sample_spec":{"mode":"one of"},"deepinfra/meta-llama/Meta-Llama-3-8B-Instruct":{"input_cost_per_token":1e-08,"output_cost_per_token":2e-08,"litellm_provider":"deepinfra","mode":"chat","max_input_tokens":8192},"gpt-9":{"input_cost_per_token":1e-06,"output_cost_per_token":2e-06,"litellm_provider":"openai","mode":"chat"}}' >prices.json
$ stint catalog import prices.json --date 2026-11-10
| 2 hosted models, prices from 2026-11-10, written to home/.config/stint/catalog/token_prices.csv
| 1 of them with open weights that Stint knows; 1 entry left out
$ stint catalog import prices.json --date 2026-11-12 --json
| {"schema":"stint.catalog.import/1","table":"token_prices","written":"home/.config/stint/catalog/token_prices.csv","date":"2026-11-12","rows":2,"open":1,"skipped":1,"kept":0}
$ cat home/.config/stint/catalog/token_prices.csv
| provider,model,serves,input_usd_per_m,output_usd_per_m,cached_input_usd_per_m,batch_input_usd_per_m,batch_output_usd_per_m,max_input_tokens,date,source,notes
| deepinfra,meta-llama/Meta-Llama-3-8B-Instruct,llama-3-8b,0.01,0.02,,,,8192,2026-11-12,"LiteLLM model prices, imported",
| openai,gpt-9,,1,2,,,,,2026-11-12,"LiteLLM model prices, imported",
$ stint infer llama-3-8b --rate 1/s 2>/dev/null | grep 'hosted API ' | head -1
| >  hosted API             $19.9                   $0.00768  $0.00768     $0.01      $0.02       ?                  deepinfra/meta-llama/Meta-Llama-3-8B-Instruct        3 d  by tokens
$ echo '{"gpt-9":' >cut.json; stint catalog import cut.json; echo '[]' >list.json; stint catalog import list.json; echo '{}' >none.json; stint catalog import none.json; stint catalog import absent.json
! stint: cut.json: line 2, column 1: the text ends inside an object
! stint: list.json: no object with a member for each model
! stint: none.json: no chat model with a price
!   hint: the file is LiteLLM's model_prices_and_context_window.json
! stint: cannot open 'absent.json': No such file or directory
? 4
$ mkdir two; cp prices.json two/a.json; cp prices.json two/b.json; stint catalog import two
! stint: two/b.json: name one file, not several
? 2
$ gzip -k home/.config/stint/catalog/token_prices.csv && rm home/.config/stint/catalog/token_prices.csv; stint catalog import prices.json
! stint: 'home/.config/stint/catalog/token_prices.csv.gz' is there already, packed
!   hint: unpack it first: the import keeps its other rows
? 3
$ rm home/.config/stint/catalog/token_prices.csv.gz
A device of one's own counts like the others.
$ stint infer bert-base --rate 1/s --edge raspberry-pi-5-8gb 2>/dev/null | sed -n '3,8p'
|    deployment        cost/month      80 % range  per 1,000        used  per M in      p95  machines   busy  where                          price age  setting
| >  edge device            $2.18  $1.67 to $2.83  $0.000841   $0.000277  $0.00657   560 ms         1   33 %  raspberry-pi-5-8gb                     -  fp32, 4 cores
|    serverless             $37.1  $18.9 to $73.8    $0.0143     $0.0143    $0.112   882 ms                   azure/eastus/Functions             199 d  fp32, 1 vCPU, 1 GiB
|    CPU machine            $48.3  $48.3 to $96.5    $0.0186     $0.0129    $0.145   2.03 s         1   69 %  gcp/us-central1/e2-standard-2       85 d  fp32, 2 vCPUs
|    managed endpoint       $55.5   $55.5 to $111    $0.0214     $0.0148    $0.167   2.03 s         1   69 %  gcp/us-central1/e2-standard-2       85 d  Vertex AI, fp32, 2 vCPUs
|    GPU machine             $108   $89.2 to $131    $0.0417  $0.0000388    $0.326  3.46 ms         1  0.1 %  hyperstack/*/n3-RTX-A4000x1         81 d  fp16, 1x RTXA4000
$ stint infer bert-base --rate 1/s --edge raspberry-pi-5-8gb --slo p95=200ms --json 2>/dev/null | grep -o '"deployment":"edge device","offer":"[^}]*'
| "deployment":"edge device","offer":"*","reason":"a request takes 263 ms, longer than the latency target"

In JSON.
$ stint infer bert-base --rate 1/s --json 2>/dev/null | head -c 330
| {"schema":"stint.infer/1","name":null,"model":"bert-base","rate":1,"peak_rate":1,"requests_month":2592000,"input":128,"output":null,"traffic":"constant","pattern":"constant","cache_hits":0,"prompt_cache":0,"electricity":{"amount":"0.165","currency":"USD"},"deployments":[{"deployment":"serverless","best":true,"condition":null,"of
| (no newline at the end)
$ stint infer bert-base --rate 1/s --json 2>/dev/null | tr ',' '\n' | grep -A12 '"paybacks"' | tr -d '\n'
| "paybacks":[{"deployment":"serverless""speedup":2"months":12"cost":{"amount":"18.849949749""currency":"USD"}"savings":{"amount":"18.290050251""currency":"USD"}"max_cost":{"amount":"219.480603015""currency":"USD"}"per_thousand":{"amount":"0.007272357""currency":"USD"}}]"compression":[]"hours":[]
| (no newline at the end)
A picture.
$ stint infer bert-base --rate 1/s --svg cost.svg >/dev/null 2>&1; grep -c '<path' cost.svg; grep -o 'Cost of serving bert-base by volume' cost.svg | head -1
| 11
| Cost of serving bert-base by volume

Pictures have no tokens; a model may be a number of parameters, or a file.
$ stint infer sdxl --rate 2/h 2>/dev/null | sed -n '1,4p'
| serve sdxl, 2.00/h: 1.44 k requests a month
| 
|    deployment        cost/month      80 % range  per 1,000    used     p95  machines   busy  where                         price age  setting
| >  serverless GPU         $8.37  $5.42 to $13.0      $5.81   $5.81  31.4 s                   runpod/*/Serverless RTXA4000      318 d  fp16, RTXA4000
$ stint infer 7B --rate 1/s 2>/dev/null | head -1
| serve 7B, 1.00/s of 512 tokens in and 128 out: 2.59 M requests a month
$ ln -s "$cases/../../examples" examples; stint infer examples/serve-8b.yaml --rate 1/min 2>/dev/null | head -1
| serve llama-3.1-8b, 1.00/min of 512 tokens in and 128 out: 43.2 k requests a month

Mistakes.
$ stint infer llama-3-8b
! stint: how many requests are there?
!   hint: add --rate 20/s (also 5000/h, 3M/month), or --traffic day.csv
? 2
$ stint infer llama-3-8b --rate 0/s
! stint: rate: '0' is not above zero
!   hint: requests in a time: --rate 20/s, 5000/h or 3M/month
? 3
$ stint infer llama-3-8b --rate 1e12/s
! stint: rate: 1000000000000 is not from 1e-09 to 1000000000
!   hint: requests in a time: --rate 20/s, 5000/h or 3M/month
? 3
$ stint infer llama-3-8b --rate 1e9/s
! stint: warning: 1864 of 1894 prices are more than 30 days old (oldest: 2025-08-27); 'stint price doctor' shows what to run
! stint: at this rate a month costs more than $9 billion
!   hint: check the unit of --rate: 20/s, 5000/h, 3M/month
? 3
$ stint infer llama-3-8b --rate 1/fortnight
! stint: rate: '1/fortnight' is not a rate from 0 to 1e18
!   hint: write it as 20/s, 5000/h, 1M/day or 3M/month
? 3
$ stint infer llama-3-8b --rate 1/s --slo fast
! stint: --slo: 'fast' is not WHAT=TIME
!   hint: --slo p95=200ms; also p50, p99 and first_token
? 2
$ stint infer llama-3-8b --rate 1/s --slo p42=1s
! stint: --slo: 'p42=1s' is not WHAT=TIME
!   hint: --slo p95=200ms; also p50, p99 and first_token
? 2
$ stint infer llama-3-8b --rate 1/s --cache-hits 100%
! stint: --cache-hits 100%: a cache that answers everything needs no model
!   hint: --cache-hits 30%
? 2
$ stint infer llama-3-8b --rate 1/s --cache-hits 130%
! stint: --cache-hits: '130%' is not a share from 0 to 1
!   hint: write it as 20% or 0.2
? 2
$ stint infer llama-3-8b --rate 1/s --speedup 1
! stint: --speedup must be above 1, and at most a million
!   hint: --speedup 2 halves the compute
? 2
$ stint infer llama-3-8b --rate 1/s --traffic ofice
! stint: there is no file and no shape of traffic 'ofice'
!   hint: did you mean 'office'?
? 4
$ stint infer llama-3-8b --rate 1/s --traffic none.csv
! stint: cannot open 'none.csv': No such file or directory
? 4
$ stint infer llama-3-8b --rate 1/s --traffic day.csv
! stint: --rate and the rates of day.csv contradict each other
!   hint: leave out --rate
? 2
$ echo '24,1' >bad.csv; stint infer llama-3-8b --traffic bad.csv
! stint: bad.csv: hour 0 is missing
!   hint: give 24 hours (0 to 23), or 168 of a week (0 to 167)
? 3
$ printf 'hour,rate\n0,many\n' >bad.csv; stint infer llama-3-8b --traffic bad.csv
! stint: bad.csv:2: 'many' is not a rate from 0 to 1e9 a second
!   hint: a line is HOUR,RATE: 9,20/s; hours are 0 to 23, or 0 to 167 of a week
? 3
$ stint infer llama-3-8b --rate 1/s --traffic office --set hours_per_day=8
! stint: hours_per_day and --traffic contradict each other
!   hint: leave out one: --traffic says which hours have requests
? 2
$ stint infer llama-3-8b --rate 1/s --edge toaster
! stint: there is no edge device 'toaster'
!   hint: known: desktop-rtx3060, desktop-rtx4090, dgx-spark, jetson-agx-orin-64gb, jetson-orin-nano-super, mac-mini-m4, phone, raspberry-pi-5-8gb, workstation-a6000
? 4
$ stint infer llama-3-8b --rate 1/s --edge phone 2>/dev/null | grep -A1 'phone'
| note            edge device phone cannot be used: needs 17.1 GiB of memory, has
|                 at most 7.2
$ stint infer llama-3-8b --rate 1/s --api gpt-4o-mni
! stint: there is no hosted model 'gpt-4o-mni'
!   hint: did you mean 'gpt-4o-mini'?
? 4
$ printf 'train: {model: llama-2-7b, data: {tokens: 1M}}\n' >train.yaml; stint infer train.yaml --rate 1/s
! stint: train.yaml trains a model: infer is for one that serves
!   hint: name the model itself, or write infer: in the job file
? 2
$ stint infer lama-3-8b --rate 1/s
! stint: there is no model 'lama-3-8b'
!   hint: did you mean 'llama-3-8b'? 'stint catalog show models' lists them
? 4
$ stint infer llama-3-8b --rate 1/s --p95 1ms 2>/dev/null | sed -n '3,7p'
|    deployment  cost/month      80 % range  per 1,000    used  per M in  per M out  p95  machines  busy  where                                          price age  setting
| *  hosted API       $59.7  $47.8 to $74.6     $0.023  $0.023     $0.03      $0.06    ?                  deepinfra/meta-llama/Meta-Llama-3-8B-Instruct       99 d  by tokens
| 
| best            none: no way without a condition meets the target and the limits
| * hosted API    its latency is not known: measure it
$ stint infer bert-base --rate 1/s --budget 1usd 2>&1 | head -2
| stint: no plan meets these limits
|   hint: budget $108.00 would allow one
What is approximate about the model's shape is said, as in an estimate.
$ stint infer qwen2.5-vl-7b --rate 1/s 2>/dev/null | grep -A1 approximate
| note            approximate: the vision tower (32 layers of width 1280, 0.68
|                 billion parameters) is written as 3 more layers of the language

The break-even volume does not depend on the rate that is asked for, and is that of 'plan --serve'
$ for rate in 2 100 200 1000; do stint infer llama-3-8b --rate $rate/s --json 2>/dev/null | sed 's/.*"volumes":\[{[^}]*"to_rate":\([0-9.]*\).*/\1/' | cut -c1-6; done; stint plan llama-3-8b --serve --rate 100/s --json 2>/dev/null | sed 's/.*"volumes":\[{[^}]*"to_rate":\([0-9.]*\).*/\1/' | cut -c1-6
| 3.2552
| 3.2552
| 3.2552
| 3.2552
| 3.2552
$ stint infer llama-3-8b --rate 100/s --supply runpod=2 2>/dev/null | sed -n 4p
| >  GPU machine           $4,270    $3,480 to $5,250    $0.0165   $0.0159   $0.0216    $0.0423  3.61 s         3  97 %  cudo/no-kristiansand-1/sapphire-rapids-h100_1x12v24gb       85 d  fp16, 3x H100-SXM-80GB
Eighteen kinds of compression by published ranges, with what 1,000 predictions cost then; fp16 is what is served already.
$ stint infer llama-3-8b --rate 20/s --compression --provider aws,runpod 2>/dev/null | sed -n '/^COMPRESSION/,/models each/p'
| COMPRESSION
|               method                   times smaller     on a CPU     on a GPU                          loses  per 1,000      used  saves  served by    needs
| distillation  attention transfer         3.0 to 10.0  3.0 to 10.0  3.0 to 10.0                       2 to 7 %   $0.00611  $0.00273   67 %  GPU machine  training on attention maps of the teacher
| distillation  features                   5.0 to 15.0  5.0 to 15.0  5.0 to 15.0                       1 to 8 %   $0.00611  $0.00173   67 %  GPU machine  training on inner representations of the teacher
| distillation  logits                     5.0 to 20.0  5.0 to 20.0  5.0 to 20.0                      2 to 10 %   $0.00611   $0.0015   67 %  GPU machine  training on the outputs of the teacher
| distillation  self-distillation           2.0 to 5.0   2.0 to 5.0   2.0 to 5.0                       1 to 5 %   $0.00611  $0.00474   67 %  GPU machine  training a smaller version of the model
| distillation  task-specific              5.0 to 20.0  5.0 to 20.0  5.0 to 20.0                       2 to 7 %   $0.00611   $0.0015   67 %  GPU machine  training on data of the task
| pruning       attention heads             1.2 to 2.0   1.2 to 2.0   1.2 to 2.0                low to moderate    $0.0122  $0.00947   33 %  GPU machine  fine-tuning
| pruning       channels                    1.2 to 2.5   1.2 to 2.5   1.2 to 2.5                       moderate    $0.0122  $0.00847   33 %  GPU machine  fine-tuning
| pruning       lottery ticket             5.0 to 20.0          1.0          1.0         can match the original    $0.0183   $0.0150    0 %  GPU machine  kernels for sparse products
| pruning       magnitude (L1)             2.0 to 20.0          1.0          1.0  low at 50 %; moderate at 90 %    $0.0183   $0.0150    0 %  GPU machine  kernels for sparse products
| pruning       movement                   3.3 to 20.0          1.0          1.0           low with fine-tuning    $0.0183   $0.0150    0 %  GPU machine  kernels for sparse products
| pruning       random                      2.0 to 5.0          1.0          1.0                       moderate    $0.0183   $0.0150    0 %  GPU machine  kernels for sparse products
| quantization  awq                         4.0 to 8.0            -   2.0 to 4.0                     0.3 to 2 %   $0.00611  $0.00529   67 %  GPU machine  few samples
| quantization  dynamic int8                2.0 to 4.0   1.5 to 2.0          1.0                     0.1 to 1 %    $0.0183   $0.0150    0 %  GPU machine  no data
| quantization  fp16 or bf16                       2.0          1.0   1.5 to 3.0                     0 to 0.1 %    $0.0183   $0.0150    0 %  GPU machine  no data
| quantization  gguf q4_k_m                 4.0 to 6.0   2.0 to 4.0            -                     0.5 to 2 %          -         -      -  -            no data
| quantization  gptq                        4.0 to 8.0            -   2.0 to 4.0                     0.5 to 3 %   $0.00611  $0.00529   67 %  GPU machine  128 samples
| quantization  quantization-aware int8     2.0 to 4.0   2.0 to 3.0   1.5 to 2.0                   0.1 to 0.5 %    $0.0122  $0.00865   33 %  GPU machine  the training set
| quantization  static int8                 2.0 to 4.0   2.0 to 3.0   1.5 to 2.0                     0.5 to 2 %    $0.0122  $0.00865   33 %  GPU machine  100 to 1,000 samples
| published ranges for models of any kind, of formats compared with fp32; on a CPU, on a GPU: times faster;
| per 1,000: at the middle of that range, in the cheapest way of your own; used: if only what is used of its capacity
| were paid; saves: of that way as it is; 'stint advise JOB --serve' models each for this model
Savings are of the cheapest way of one's own, whatever a hosted model costs; what costs more says so.
$ for job in "bert-base --rate 1/s" "llama-3-8b --rate 1/s"; do stint infer $job --compression 2>/dev/null | grep -E '^quantization  (awq|dynamic|fp16)' | tr -s ' '; done
| quantization awq 4.0 to 8.0 - 2.0 to 4.0 0.3 to 2 % $0.0417 $0.0000137 costs more GPU machine few samples
| quantization dynamic int8 2.0 to 4.0 1.5 to 2.0 1.0 0.1 to 1 % $0.00836 $0.00836 42 % serverless no data
| quantization fp16 or bf16 2.0 1.0 1.5 to 3.0 0 to 0.1 % $0.0143 $0.0143 0 % serverless no data
| quantization awq 4.0 to 8.0 - 2.0 to 4.0 0.3 to 2 % $0.0750 $0.00579 0 % GPU machine few samples
| quantization dynamic int8 2.0 to 4.0 1.5 to 2.0 1.0 0.1 to 1 % $0.0750 $0.0164 0 % GPU machine no data
| quantization fp16 or bf16 2.0 1.0 1.5 to 3.0 0 to 0.1 % $0.0750 $0.0164 0 % GPU machine no data
$ stint infer bert-base --rate 1/s --compression --json 2>/dev/null | grep -o '"kind":"[a-z]*"' | sort | uniq -c | sed 's/^ *//'
| 5 "kind":"distillation"
| 6 "kind":"pruning"
| 7 "kind":"quantization"
On the phones of the users, where the service may count on them.
$ stint infer bert-base --rate 1/s --edge phone 2>/dev/null | grep '^.*edge device  '
| >  edge device       $0.00                     $0.00       $0.00     $0.00   211 ms         1   17 %  phone                                -  fp32, 8 cores
A machine on which the user measured: 8 x 4 requests in 45 ms are 711/s, planned to 80 % of that (569/s).
$ stint infer bert-base --rate 400/s --latency 45ms --batch 8 --concurrency 4 --offer aws/g4dn.xlarge 2>/dev/null | grep measured
|    measured machine        $379                      $0.000365   $0.000257             48.9 ms         1  70 %  aws/us-east-1/g4dn.xlarge          85 d  45 ms, batches of 8, 4 at once, 1x T4
|                 2026-08-26; the next, a measured machine, costs $271 more a
| note            the measured machine: your latency, as often as --batch and
$ stint infer bert-base --rate 600/s --latency 45ms --batch 8 --concurrency 4 --offer aws/g4dn.xlarge 2>/dev/null | grep '^. *measured'
|    measured machine        $757                     $0.000487   $0.000257             47.6 ms         2  53 %  aws/us-east-1/g4dn.xlarge          85 d  45 ms, batches of 8, 4 at once, 1x T4
$ stint infer bert-base --rate 2/s --latency 45ms --price 0.02usd/hr 2>/dev/null | grep -E 'measured|^best'
| >  measured machine       $14.4                   $0.00278   $0.000313            59.5 ms         1   11 %  your machine                          -  45 ms
| best            a measured machine, your machine; the next, a CPU machine, costs
|                 a measured machine up to 124/s (323 M), a GPU machine above
| note            the measured machine: your latency, as often as --batch and
It misses the target; nothing to run it on; nothing measured.
$ stint infer bert-base --rate 2/s --latency 45ms --price 0.02usd/hr --p95 20ms 2>/dev/null | grep -A1 measured
| note            measured machine cannot be used: a request takes 45 ms, longer
|                 than the latency target
$ stint infer bert-base --rate 2/s --latency 45ms
! stint: --latency: on which machine was it measured?
!   hint: add --offer aws/g4dn.xlarge, or --price 0.53usd/hr
? 2
$ stint infer bert-base --rate 2/s --batch 8
! stint: --batch needs the time of a request that was measured
!   hint: add --latency 45ms
? 2
$ stint infer bert-base --rate 2/s --latency 45ms --offer aws/g4dn.xlarge --concurrency 9000000
! stint: --batch and --concurrency are at most 1000000
? 2
$ stint infer bert-base --rate 2/s --latency 45ms --offer aws/none
! stint: there is no offer 'aws/none'
!   hint: 'stint price list' shows all; --price '$2.49/hr' needs none
? 4
$ stint infer bert-base --rate 20/s --latency 45ms --offer aws/g4dn.xlarge:spot 2>/dev/null | grep -o '45 ms, .*'
| 45 ms, 1x T4, on spot
