$ stint price compare A100 --hours 72
| 1x A100-SXM-80GB for 72 hours, set-up and 10 GB of egress included
| 
|    provider    region                 machines                       GPUs  per hour  vs AWS     total   on spot        80 % range  savings   set-up   egress    age
|    shadeform   desmoines-usa-1        massedcompute_A100-sxm4-80GB      1     $1.38   -60 %    $99.59         ?     $91.3 to $109        -  $0.2300        ?   85 d
| *  runpod      *                      1x_A100-80GB-SXM_COMMUNITY        1     $1.39   -59 %   $100.15         ?                          -  $0.0695    $0.00    6 d
|    denvr       houston-usa-1          A100-sxm4-80GB                    1     $1.40   -59 %   $101.03         ?     $82.3 to $124        -  $0.2333    $0.00   85 d
| s  verda       FIN-01                 1A100.22V                         1     $1.79   -48 %   $129.00    $64.50      $105 to $158     50 %  $0.1193    $0.00   85 d
|    paperspace  ny2                    A100-80G                          1     $3.18  -7.3 %   $229.23         ?      $187 to $282        -  $0.2650        ?   85 d
|    verda       FIN-02                 2A100.44V                         2     $3.58   -48 %   $258.00   $129.00      $210 to $317     50 %  $0.2387    $0.00   85 d
|    scp         KOREA-WEST-1-SCP-B001  g1v16a1                           1     $3.74  +9.0 %   $273.02         ?                          -    $3.74        ?   85 d
|    gcp         us-central1            a2-ultragpu-1g                    1     $5.03   +47 %   $363.61   $210.47                       42 %  $0.4190    $1.20   85 d
|    gcp         us-east5               a2-ultragpu-1g                    1     $5.52   +61 %   $399.38   $137.03                       66 %  $0.4603    $1.20   85 d
|    gcp         europe-west4           a2-ultragpu-1g                    1     $5.54   +61 %   $400.23   $207.92                       48 %  $0.4613    $1.20   85 d
|    gcp         us-east4               a2-ultragpu-1g                    1     $5.66   +65 %   $409.37   $175.64                       57 %  $0.4719    $1.20   85 d
|    gcp         asia-southeast1        a2-ultragpu-1g                    1     $6.20   +81 %   $448.30   $242.12                       46 %  $0.5169    $1.20   85 d
|    hyperstack  *                      n3-A100-SXM4x8                    8    $12.80   -53 %   $922.67         ?    $762 to $1,120        -    $1.07    $0.00   81 d
|    coreweave   *                      a100-80gb-8x                      8    $21.60   -21 %  $1558.80   $696.41  $1,410 to $1,720     55 %    $3.60    $0.00   56 d
|    lambda      *                      gpu_8x_a100_80gb_sxm4             8    $22.32   -19 %  $1608.90         ?  $1,310 to $1,980        -    $1.86    $0.00   85 d
|    shadeform   chicago-usa-3          excesssupply_A100-sxm4-80GBx8     8    $24.00   -13 %  $1732.00         ?  $1,590 to $1,890        -    $4.00        ?   85 d
|    aws         us-west-2              p4de.24xlarge                     8    $27.45     0 %  $1979.39  $1472.03                       26 %    $3.20    $0.00   85 d
|    aws         us-east-1              p4de.24xlarge                     8    $27.45     0 %  $1979.39  $1725.28                       13 %    $3.20    $0.00   85 d
|    aws         ap-southeast-1         p4de.24xlarge                     8    $32.94   +20 %  $2375.27  $2375.27                    <-0.1 %    $3.84    $0.00   85 d
|    aws         eu-central-1           p4de.24xlarge                     8    $34.29   +25 %  $2472.97  $1189.67                       52 %    $4.00    $0.00   85 d
|    aws         ap-northeast-1         p4de.24xlarge                     8    $37.62   +37 %  $2713.19   $893.96                       67 %    $4.39    $0.00   85 d
| ~  vast        *                      1x-A100_SXM4_80GB-32-65536        1   $0.9300   -73 %    $67.12         ?     $38.9 to $116        -  $0.0620  $0.1000  384 d
| ~  oci         *                      BM.GPU.A100-v2.8                  8    $32.00   +17 %  $2308.27         ?  $1,470 to $3,620        -    $4.27    $0.00  411 d
| ~  azure       eastus                 Standard_ND96amsr_A100_v4         8    $32.77   +19 %  $2363.26         ?  $1,500 to $3,710        -    $3.82    $0.00  411 d
| ~  azure       eastus2                Standard_ND96amsr_A100_v4         8    $32.77   +19 %  $2363.26         ?  $1,500 to $3,710        -    $3.82    $0.00  411 d
| ~  azure       southcentralus         Standard_ND96amsr_A100_v4         8    $39.32   +43 %  $2835.92         ?  $1,810 to $4,450        -    $4.59    $0.00  411 d
| 
| * cheapest on demand, s cheapest on spot (before interruptions); set-up times are estimates
| vs AWS: a GPU-hour on demand and the cheapest of AWS in the list
| totals do not include set-up or egress that is unknown ('?')
| ~ the price is too old to be ranked with the others: worth checking
| 26 prices, read between 2025-09-30 and 2026-11-09; the newest is 6 days old
! stint: note: 'A100' means A100-SXM-80GB, the SXM form with the most memory
! stint: warning: 25 of 26 prices are more than 30 days old (oldest: 2025-09-30); 'stint price doctor' shows what to run
$ stint price compare H100x8 --hours 24 --provider aws,gcp --region 'us-*'
| 8x H100-SXM-80GB for 24 hours, set-up and 10 GB of egress included
| 
|     provider  region       machines       GPUs  per hour  vs AWS     total   on spot  savings  set-up  egress   age
| *s  aws       us-east-2    p5.48xlarge       8    $55.04     0 %  $1327.38   $481.55     64 %   $6.42   $0.00  85 d
|     aws       us-west-2    p5.48xlarge       8    $55.04     0 %  $1327.38   $491.63     63 %   $6.42   $0.00  85 d
|     aws       us-east-1    p5.48xlarge       8    $55.04     0 %  $1327.38   $497.36     63 %   $6.42   $0.00  85 d
|     aws       us-west-1    p5.48xlarge       8    $68.80   +25 %  $1659.23  $1070.16     36 %   $8.03   $0.00  85 d
|     gcp       us-central1  a3-highgpu-8g     8    $87.83   +60 %  $2116.50  $1270.37     40 %   $7.32   $1.20  85 d
|     gcp       us-west1     a3-highgpu-8g     8    $87.83   +60 %  $2116.50  $1270.37     40 %   $7.32   $1.20  85 d
|     gcp       us-east4     a3-highgpu-8g     8    $87.83   +60 %  $2116.50  $1049.34     50 %   $7.32   $1.20  85 d
| 
| * cheapest on demand, s cheapest on spot (before interruptions); set-up times are estimates
| vs AWS: a GPU-hour on demand and the cheapest of AWS in the list
| 7 prices, read on 2026-08-22; the newest is 85 days old
! stint: note: 'H100' means H100-SXM-80GB, the SXM form with the most memory
! stint: note: 8 offers are left out: their machines cannot be joined, or there are not enough; --separate shows them
! stint: warning: all 7 prices are old (newest: 2026-08-22, 85 days); 'stint price fetch skypilot' updates them
$ stint price compare H100x16 --hours 1 --provider aws --region us-east-1 --json
| {"schema":"stint.price.compare/1","accelerator":"H100-SXM-80GB","gpus":16,"hours":1,"egress_gb":10,"any_form":false,"comparisons":[{"offer":"aws/us-east-1/p5.48xlarge","provider":"aws","region":"us-east-1","instance":"p5.48xlarge","accelerator":"H100-SXM-80GB","machines":2,"gpus":16,"network_gbit_s":3200,"network":"EFA","hourly":{"amount":"110.08","currency":"USD"},"spot_hourly":{"amount":"41.2464","currency":"USD"},"setup_s":420,"setup":{"amount":"12.842666667","currency":"USD"},"egress":{"amount":"0","currency":"USD"},"total":{"amount":"122.922666667","currency":"USD"},"spot_total":{"amount":"46.05848","currency":"USD"},"total_low":{"amount":"122.922666667","currency":"USD"},"total_high":{"amount":"122.922666667","currency":"USD"},"spot_total_low":{"amount":"29.499018133","currency":"USD"},"spot_total_high":{"amount":"71.913701343","currency":"USD"},"outlier":false,"worth_checking":false,"spot_savings":0.6253052325591556,"vs_aws":null,"cheapest":true,"cheapest_spot":true,"complete":true,"date":"2026-08-22","age_days":85,"source":"SkyPilot catalog f2624ac (2026-08-22)"}],"age":{"newest":"2026-08-22","oldest":"2026-08-22","newest_days":85,"stale":1,"future":0,"total":1}}
! stint: note: 'H100' means H100-SXM-80GB, the SXM form with the most memory
! stint: note: 1 offer is left out: its machines cannot be joined, or there are not enough; --separate shows it
! stint: warning: 1 of 1 prices is more than 30 days old (oldest: 2026-08-22); 'stint price doctor' shows what to run
Egress follows the provider's tiers: the first 100 GB of AWS are free.

$ stint price compare T4 --hours 1 --provider aws --region us-east-1 --egress 100GB
| 1x T4 for 1 hour, set-up and 100 GB of egress included
| 
|     provider  region     machines     GPUs  per hour    total  on spot  savings   set-up  egress   age
| *s  aws       us-east-1  g4dn.xlarge     1   $0.5260  $0.5874  $0.3646     38 %  $0.0614   $0.00  85 d
| 
| * cheapest on demand, s cheapest on spot (before interruptions); set-up times are estimates
| 1 price, read on 2026-08-22; it is 85 days old
! stint: warning: 1 of 1 prices is more than 30 days old (oldest: 2026-08-22); 'stint price doctor' shows what to run
$ stint price compare T4 --hours 1 --provider aws --region us-east-1 --egress 150GB
| 1x T4 for 1 hour, set-up and 150 GB of egress included
| 
|     provider  region     machines     GPUs  per hour  total  on spot  savings   set-up  egress   age
| *s  aws       us-east-1  g4dn.xlarge     1   $0.5260  $5.09    $4.86    4.4 %  $0.0614   $4.50  85 d
| 
| * cheapest on demand, s cheapest on spot (before interruptions); set-up times are estimates
| 1 price, read on 2026-08-22; it is 85 days old
! stint: warning: 1 of 1 prices is more than 30 days old (oldest: 2026-08-22); 'stint price doctor' shows what to run
$ stint price compare rtx4090x2 --hours 10 --provider runpod,vast
| 2x RTX4090 for 10 hours, set-up and 10 GB of egress included
| 
|    provider  region  machines              GPUs  per hour   total  on spot      80 % range  savings   set-up   egress    age
| *  runpod    *       2x_RTX4090_SECURE        2     $1.48  $14.87   $14.87  $13.6 to $16.2      0 %  $0.0740    $0.00   85 d
| ~  vast      *       4x-RTX_4090-32-65536     4     $1.49  $15.10        ?  $8.78 to $26.0        -  $0.0993  $0.1000  384 d
| 
| * cheapest on demand, s cheapest on spot (before interruptions); set-up times are estimates
| ~ the price is too old to be ranked with the others: worth checking
| 2 prices, read between 2025-10-27 and 2026-08-22; the newest is 85 days old
! stint: note: 2 offers are left out: their machines cannot be joined, or there are not enough; --separate shows them
! stint: warning: all 2 prices are old (newest: 2026-08-22, 85 days); 'stint price fetch skypilot' updates them
$ stint price compare RTX4090 --hours 10 --kind any --provider local,vast
| 1x RTX4090 for 10 hours, set-up and 10 GB of egress included
| 
|    provider  region  machines              GPUs  per hour  total  on spot      80 % range  savings   set-up   egress    age
| *  local     US      desktop-rtx4090          1   $0.1044  $1.04        ?                        -    $0.00    $0.00    0 d
|    vast      *       1x-RTX_4090-32-65536     1   $0.4000  $4.13        ?  $2.43 to $7.06        -  $0.0267  $0.1000  384 d
| 
| * cheapest on demand, s cheapest on spot (before interruptions); set-up times are estimates
| 2 prices, read between 2025-10-27 and 2026-11-15; the newest is 0 days old
! stint: warning: 1 of 2 prices is more than 30 days old (oldest: 2025-10-27); 'stint price doctor' shows what to run
$ stint price compare Trainium2 --hours 1
! stint: no provider in the catalog offers that
!   hint: try --any-form, --kind any, or leave out a filter
? 4

A count may be written in several ways; a name that ends like one is a name.

$ for n in H100x8 8xH100 H100:8 'H100 x 8'; do stint price compare "$n" --hours 1 --provider lambda 2>/dev/null | sed -n 1p; done
| 8x H100-SXM-80GB for 1 hour, set-up and 10 GB of egress included
| 8x H100-SXM-80GB for 1 hour, set-up and 10 GB of egress included
| 8x H100-SXM-80GB for 1 hour, set-up and 10 GB of egress included
$ stint price compare Max1550 --hours 1
! stint: no provider in the catalog offers that
!   hint: try --any-form, --kind any, or leave out a filter
? 4
$ stint price compare '' --hours 1
! stint: GPU[xN]: the value is empty
? 2
$ stint price compare H100 --hours 3d --provider lambda --limit 1
| 1x H100-SXM-80GB for 72 hours, set-up and 10 GB of egress included
| 
|    provider  region  machines          GPUs  per hour    total  on spot    80 % range  savings   set-up  egress   age
| *  lambda    *       gpu_1x_h100_sxm5     1     $4.29  $309.24        ?  $252 to $380        -  $0.3575   $0.00  85 d
| 
| * cheapest on demand, s cheapest on spot (before interruptions); set-up times are estimates
| 1 price, read on 2026-08-22; it is 85 days old
! stint: note: 'H100' means H100-SXM-80GB, the SXM form with the most memory
! stint: warning: 1 of 1 prices is more than 30 days old (oldest: 2026-08-22); 'stint price doctor' shows what to run
$ stint price compare H100 --hours 1e30
! stint: --hours: more than 100000 hours
!   hint: give the hours that the machines run: --hours 72
? 2
GPUs of one machine only; every form of a family; the price of a machine on demand.

$ stint price compare H100x8 --hours 24 --max-machines 1 --provider 'hyper*' --max-age 90d
| 8x H100-SXM-80GB for 24 hours, set-up and 10 GB of egress included
| 
|    provider    region  machines        GPUs  per hour    total  on spot    80 % range  savings  set-up  egress   age
| *  hyperstack  *       n3-H100-SXM5x8     8    $25.60  $616.53        ?  $509 to $747        -   $2.13   $0.00  81 d
| 
| * cheapest on demand, s cheapest on spot (before interruptions); set-up times are estimates
| 1 price, read on 2026-08-26; it is 81 days old
! stint: note: 'H100' means H100-SXM-80GB, the SXM form with the most memory
! stint: warning: 1 of 1 prices is more than 30 days old (oldest: 2026-08-26); 'stint price doctor' shows what to run
$ stint price compare A100 --hours 10 --any-form --provider lambda,hyperstack --all --max-price 3usd/hr
| 1x A100 of any form for 10 hours, set-up and 10 GB of egress included
| 
|     provider    region  machines          GPU             GPUs  per hour   total  on spot      80 % range  savings   set-up  egress   age
| *s  hyperstack  *       n3-A100x1         A100-PCIe-80GB     1     $1.35  $13.61   $10.89  $11.2 to $16.5     20 %  $0.1125   $0.00  81 d
|     lambda      *       gpu_1x_a100       A100-PCIe-40GB     1     $1.99  $20.07        ?  $16.3 to $24.6        -  $0.1658   $0.00  85 d
|     lambda      *       gpu_1x_a100_sxm4  A100-SXM-40GB      1     $1.99  $20.07        ?  $16.3 to $24.6        -  $0.1658   $0.00  85 d
|     hyperstack  *       n3-A100x2         A100-PCIe-80GB     2     $2.70  $27.23   $21.78  $22.5 to $33.0     20 %  $0.2250   $0.00  81 d
| 
| * cheapest on demand, s cheapest on spot (before interruptions); set-up times are estimates
| 4 prices, read between 2026-08-22 and 2026-08-26; the newest is 81 days old
! stint: warning: all 4 prices are old (newest: 2026-08-26, 81 days); 'stint price fetch skypilot' updates them
