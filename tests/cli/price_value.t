$ stint price value --provider aws,gcp,lambda --limit 5
| score  offer                        gpus           peak T/s  at    reliable  price/hr   age
|  1539  lambda/*/gpu_1x_gh200        1x GH200-96GB       989  bf16     0.990     $2.29  85 d
|  1223  gcp/us-central1/tpu-v6e-1    1x TPUv6e           918  bf16     0.999     $2.70  85 d
|  1223  gcp/us-central1/tpu-v6e-16   16x TPUv6e        14688  bf16     0.999    $43.20  85 d
|  1223  gcp/us-central1/tpu-v6e-256  256x TPUv6e      235008  bf16     0.999   $691.20  85 d
|  1223  gcp/us-central1/tpu-v6e-4    4x TPUv6e          3672  bf16     0.999    $10.80  85 d
| 
| score: peak PFLOP per dollar x reliability, from the data sheet's dense peak;
| real work reaches 20 to 60 % of it, more on some cards than others
| 5 prices, read on 2026-08-22; the newest is 85 days old
! stint: warning: all 5 prices are old (newest: 2026-08-22, 85 days); 'stint price fetch skypilot' updates them
$ stint price value --gpu V100 --limit 2
| score  offer                        gpus               peak T/s  at    reliable  price/hr   age
|   115  aws/us-east-1/p3dn.24xlarge  8x V100-SXM2-32GB      1000  fp16     0.995    $31.21  85 d
|   115  aws/us-west-2/p3dn.24xlarge  8x V100-SXM2-32GB      1000  fp16     0.995    $31.21  85 d
| 
| score: peak PFLOP per dollar x reliability, from the data sheet's dense peak;
| real work reaches 20 to 60 % of it, more on some cards than others
| 2 prices, read on 2026-08-22; the newest is 85 days old
! stint: note: 'V100' means V100-SXM2-32GB, the SXM form with the most memory
! stint: warning: all 2 prices are old (newest: 2026-08-22, 85 days); 'stint price fetch skypilot' updates them
$ stint price value --gpu h100 --precision fp8 --market spot --limit 2 --json
| {"schema":"stint.price.value/1","market":"spot","values":[{"offer":"verda/FIN-02/2H100.80S.80V","accelerator":"H100-SXM-80GB","count":2,"precision":"fp8","performance":3958,"reliability":0.99,"price":{"amount":"3.25","currency":"USD"},"score":4340.403692307693,"date":"2026-08-22","age_days":85,"price_low":{"amount":"2.147514035","currency":"USD"},"price_high":{"amount":"4.91847775","currency":"USD"},"outlier":false,"worth_checking":false,"source":"SkyPilot catalog f2624ac (2026-08-22)"},{"offer":"nebius/eu-north1/gpu-h100-sxm_1gpu-16vcpu-200gb","accelerator":"H100-SXM-80GB","count":1,"precision":"fp8","performance":1979,"reliability":0.995,"price":{"amount":"2.15","currency":"USD"},"score":3297.106046511628,"date":"2026-08-22","age_days":85,"price_low":{"amount":"1.420663131","currency":"USD"},"price_high":{"amount":"3.253762204","currency":"USD"},"outlier":false,"worth_checking":false,"source":"SkyPilot catalog f2624ac (2026-08-22)"}],"age":{"newest":"2026-08-22","oldest":"2026-08-22","newest_days":85,"stale":2,"future":0,"total":2}}
! stint: note: 'h100' means H100-SXM-80GB, the SXM form with the most memory
! stint: warning: all 2 prices are old (newest: 2026-08-22, 85 days); 'stint price fetch skypilot' updates them
$ stint price value --gpu K80 --precision fp8
! stint: no offer matches with price, performance and reliability known
!   hint: leave out a filter, choose another --precision, or add the provider's reliability to your providers.csv
? 4
