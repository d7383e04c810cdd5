$ stint price list --gpu H100 --provider aws,lambda --limit 4
| offer                      GPUs              GPU GB  on-demand  spot  savings  per GPU      80 % range   age
| lambda/*/gpu_8x_h100_sxm5  8x H100-SXM-80GB      80     $31.92     ?        -    $3.99  $26.0 to $39.2  85 d
| lambda/*/gpu_4x_h100_sxm5  4x H100-SXM-80GB      80     $16.36     ?        -    $4.09  $13.3 to $20.1  85 d
| lambda/*/gpu_2x_h100_sxm5  2x H100-SXM-80GB      80      $8.38     ?        -    $4.19  $6.82 to $10.3  85 d
| lambda/*/gpu_1x_h100_sxm5  1x H100-SXM-80GB      80      $4.29     ?        -    $4.29  $3.49 to $5.27  85 d
| 
| US dollars an hour, for the complete machine and for one of its GPUs
| 4 prices, read on 2026-08-22; the newest is 85 days old
! stint: note: 'H100' means H100-SXM-80GB, the SXM form with the most memory
! stint: warning: all 4 prices are old (newest: 2026-08-22, 85 days); 'stint price fetch skypilot' updates them
$ stint price list --gpu a100 --any-form --market spot --region 'us-*' --limit 3
| offer                       GPUs              GPU GB  on-demand    spot  savings  per GPU      80 % range   age
| aws/us-east-2/p4d.24xlarge  8x A100-SXM-40GB      40     $21.96   $9.86     55 %    $1.23  $6.31 to $15.4  85 d
| aws/us-east-1/p4d.24xlarge  8x A100-SXM-40GB      40     $21.96  $10.13     54 %    $1.27  $6.49 to $15.8  85 d
| aws/us-west-2/p4d.24xlarge  8x A100-SXM-40GB      40     $21.96  $10.71     51 %    $1.34  $6.86 to $16.7  85 d
| 
| US dollars an hour, for the complete machine and for one of its GPUs
| 3 prices, read on 2026-08-22; the newest is 85 days old
! stint: note: 5 offers have one price everywhere and no region: left out (--region '*' includes them)
! stint: warning: all 3 prices are old (newest: 2026-08-22, 85 days); 'stint price fetch skypilot' updates them
$ stint price list --kind local --sort price --limit 3
| offer                    GPUs             GPU GB  on-demand  spot  savings    per GPU  age
| local/US/macbook-air-m1  1x M1-7core-8GB       8   $0.00495     ?        -   $0.00495  0 d
| local/US/mac-mini-m1     1x M1                16  $0.006435     ?        -  $0.006435  0 d
| local/US/mac-mini-m4     1x M4                32    $0.0107     ?        -    $0.0107  0 d
| 
| US dollars an hour, for the complete machine and for one of its GPUs
| 3 prices, read on 2026-11-15; the newest is 0 days old
$ stint price list --kind on-prem --gpu h100
| offer                    GPUs              GPU GB  on-demand  spot  savings  per GPU  age
| on-prem/*/8x-h100-sxm    8x H100-SXM-80GB      80     $22.48     ?        -    $2.81  0 d
| on-prem/*/guide-8x-h100  8x H100-SXM-80GB      80     $30.72     ?        -    $3.84  0 d
| 
| US dollars an hour, for the complete machine and for one of its GPUs
| 2 prices, read on 2026-11-15; the newest is 0 days old
! stint: note: 'h100' means H100-SXM-80GB, the SXM form with the most memory
$ stint price list --gpu h100 --provider aws --region us-east-1 --json | sed 's/\([0-9][.][0-9]\{6\}\)[0-9]*/\1/g'
| {"schema":"stint.price.list/1","offers":[{"offer":"aws/us-east-1/p5.48xlarge","provider":"aws","region":"us-east-1","instance":"p5.48xlarge","kind":"cloud","accelerator":"H100-SXM-80GB","count":8,"gpu_memory_gb":80,"vcpus":192,"memory_gib":2048,"on_demand":{"amount":"55.04","currency":"USD"},"spot":{"amount":"20.6232","currency":"USD"},"spot_savings":0.625305,"per_gpu":{"amount":"6.88","currency":"USD"},"date":"2026-08-22","age_days":85,"source":"SkyPilot catalog f2624ac (2026-08-22)","notes":"spot in use1-az6","list_on_demand":null,"list_spot":null,"price_low":{"amount":"55.04","currency":"USD"},"price_high":{"amount":"55.04","currency":"USD"},"price_unchanged":0.931377,"outlier":false,"conflict":null},{"offer":"aws/us-east-1/p5.4xlarge","provider":"aws","region":"us-east-1","instance":"p5.4xlarge","kind":"cloud","accelerator":"H100-SXM-80GB","count":1,"gpu_memory_gb":80,"vcpus":16,"memory_gib":256,"on_demand":{"amount":"6.88","currency":"USD"},"spot":{"amount":"2.6295","currency":"USD"},"spot_savings":0.617805,"per_gpu":{"amount":"6.88","currency":"USD"},"date":"2026-08-22","age_days":85,"source":"SkyPilot catalog f2624ac (2026-08-22)","notes":"spot in use1-az2","list_on_demand":null,"list_spot":null,"price_low":{"amount":"6.88","currency":"USD"},"price_high":{"amount":"6.88","currency":"USD"},"price_unchanged":0.931377,"outlier":false,"conflict":null}],"age":{"newest":"2026-08-22","oldest":"2026-08-22","newest_days":85,"stale":2,"future":0,"total":2}}
! stint: note: 'h100' means H100-SXM-80GB, the SXM form with the most memory
! stint: warning: all 2 prices are old (newest: 2026-08-22, 85 days); 'stint price fetch skypilot' updates them
$ stint price list --gpu Gaudi2
| offer                         GPUs       GPU GB  on-demand  spot  savings  per GPU      80 % range   age
| denvr/houston-usa-1/Gaudi2x8  8x Gaudi2      96      $8.80     ?        -    $1.10  $7.16 to $10.8  85 d
| 
| US dollars an hour, for the complete machine and for one of its GPUs
| 1 price, read on 2026-08-22; it is 85 days old
! stint: warning: 1 of 1 prices is more than 30 days old (oldest: 2026-08-22); 'stint price doctor' shows what to run
$ stint price list --gpu h100 --max-price 0.01usd/hr
! stint: note: 'h100' means H100-SXM-80GB, the SXM form with the most memory
! stint: no offer matches
!   hint: leave out a filter; --any-form and --kind any widen the search
? 4
$ STINT_STALE_AFTER=400d stint price list --gpu h100 --provider aws --region us-east-1
| offer                      GPUs              GPU GB  on-demand    spot  savings  per GPU   age
| aws/us-east-1/p5.48xlarge  8x H100-SXM-80GB      80     $55.04  $20.62     63 %    $6.88  85 d
| aws/us-east-1/p5.4xlarge   1x H100-SXM-80GB      80      $6.88   $2.63     62 %    $6.88  85 d
| 
| US dollars an hour, for the complete machine and for one of its GPUs
| 2 prices, read on 2026-08-22; the newest is 85 days old
! stint: note: 'h100' means H100-SXM-80GB, the SXM form with the most memory
The country's electricity decides what a machine under the desk costs.

$ STINT_COUNTRY=DE stint price list --kind local --gpu 4090
| offer                        GPUs        GPU GB  on-demand  spot  savings  per GPU  age
| local/DE/desktop-2x-rtx4090  2x RTX4090      24    $0.5028     ?        -  $0.2514  0 d
| local/DE/desktop-rtx4090     1x RTX4090      24    $0.2652     ?        -  $0.2652  0 d
| 
| US dollars an hour, for the complete machine and for one of its GPUs
| 2 prices, read on 2026-11-15; the newest is 0 days old
$ STINT_ELECTRICITY=0.10usd/kWh stint price list --kind local --gpu 4090
| offer                        GPUs        GPU GB  on-demand  spot  savings  per GPU  age
| local/US/desktop-2x-rtx4090  2x RTX4090      24    $0.1200     ?        -  $0.0600  0 d
| local/US/desktop-rtx4090     1x RTX4090      24    $0.0633     ?        -  $0.0633  0 d
| 
| US dollars an hour, for the complete machine and for one of its GPUs
| 2 prices, read on 2026-11-15; the newest is 0 days old
$ STINT_COUNTRY=XX stint price list --kind local --gpu 4090
| offer                        GPUs        GPU GB  on-demand  spot  savings  per GPU  age
| local/XX/desktop-2x-rtx4090  2x RTX4090      24          ?     ?        -        ?  0 d
| local/XX/desktop-rtx4090     1x RTX4090      24          ?     ?        -        ?  0 d
| 
| US dollars an hour, for the complete machine and for one of its GPUs
| 2 prices, read on 2026-11-15; the newest is 0 days old
! stint: warning: no price of electricity is known for 'XX'

Options that name GPUs have several names; help shows one.

$ stint price list --gpu H100 --json >one 2>err; for option in gpus on; do stint price list --$option H100 --json 2>err | cmp - one; done
$ stint price compare --on H100x8 --hours 72 --json 2>err >one; stint price compare H100x8 --hours 72 --json 2>err | cmp - one
$ stint estimate llama-2-7b --on H100x2 --tokens 1M --json 2>err >one; stint estimate llama-2-7b --gpu H100x2 --tokens 1M --json 2>err | cmp - one
$ stint price compare --gpu A100 H100 --hours 72
! stint: price compare does not expect 'H100'
!   hint: 'stint price compare --help' shows what it takes; quote values with blanks
? 2
$ stint price list --help | grep -cE -- '--(gpus|on) '
| 0
? 1
Machines with exactly this many GPUs.
$ stint price list --gpu L4x4 --provider aws --region us-east-1 --json | grep -o '"count":[0-9]*' | sort -u
| "count":4
! stint: warning: all 2 prices are old (newest: 2026-08-22, 85 days); 'stint price fetch skypilot' updates them
$ stint price list --gpu L4x0
! stint: '0' is not a number of GPUs from 1 to 1000000
!   hint: write the GPU, an x and how many: H100x8
? 2
