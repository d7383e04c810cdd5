$ stint gpu list --vendor AMD
| name           year   GB  GB/s  bf16  fp16   fp8  link GB/s     W  from/hr  spot/hr    age
| MI100          2020   32  1229    92   185     -        138   300        -        -      -
| MI210          2022   64  1638   181   181     -        150   300        -        -      -
| MI25           2017   16   484     -    25     -          0   300    $1.86        ?  411 d
| MI250          2021  128  3277   362   362     -        300   560        -        -      -
| MI250X         2021  128  3277   383   383     -        350   560        -        -      -
| MI300A         2023  128  5300   981   981  1961        384   550        -        -      -
| MI300X         2023  192  5300  1307  1307  2615        448   750    $2.39        ?   85 d
| MI325X         2024  256  6000  1307  1307  2615        448  1000        -        -      -
| MI350X         2025  288  8000  2300  2300  4600        536  1000        -        -      -
| MI355X         2025  288  8000  2500  2500  5000        536  1400        -        -      -
| RX7900XTX      2022   24   960   123   123     -          0   355        -        -      -
| RadeonProV520  2020    8   512     -    15     -          0   225  $0.3785  $0.1232   85 d
| 
| 12 accelerators; dense TFLOPS, memory bandwidth and board power of the data sheet;
| prices: the lowest for one GPU, maybe of a larger machine ('stint gpu show NAME' shows it)
| 3 prices, read between 2025-09-30 and 2026-08-22; the newest is 85 days old
! stint: warning: all 3 prices are old (newest: 2026-08-22, 85 days); 'stint price fetch skypilot' updates them
$ stint gpu list --min-memory 140GB --sort price --sold
| name            year   GB  GB/s  bf16  fp16   fp8  link GB/s     W  from/hr  spot/hr   age
| H200-SXM-141GB  2024  141  4800   989   989  1979        450   700    $2.10    $1.87  85 d
| MI300X          2023  192  5300  1307  1307  2615        448   750    $2.39        ?  85 d
| B200-SXM-180GB  2024  180  8000  2250  2250  4500        900  1000    $6.00    $2.10  81 d
| B300-SXM-288GB  2025  288  8000  2250  2250  4500        900  1100    $7.40    $4.30  81 d
| GB200-NVL72     2024  186  8000  2500  2500  5000        900  1200   $10.50        ?  56 d
| 
| 5 accelerators; dense TFLOPS, memory bandwidth and board power of the data sheet;
| prices: the lowest for one GPU, maybe of a larger machine ('stint gpu show NAME' shows it)
| 5 prices, read between 2026-08-22 and 2026-09-20; the newest is 56 days old
! stint: warning: all 5 prices are old (newest: 2026-09-20, 56 days); 'stint price fetch skypilot' updates them
$ stint gpu list --vendor Nobody
! stint: no accelerator matches
!   hint: leave out a filter
? 4
A family name means its SXM form with the most memory; a note says that.

$ stint gpu show a100
| name            A100-SXM-80GB (NVIDIA, Ampere, SXM, 2020)
| also called     A100-80GB, A100-80GB-SXM, A100-SXM, A100-SXM4-80GB, NVIDIA A100-SXM4-80GB, a100-80, a100-80g, a100-sxm4, a100_dgx, dgx-a100, nvidia-a100-80gb
| memory          80 GB
| bandwidth       2039 GB/s
| fp32            19.5 TFLOPS
| tf32            156 TFLOPS dense
| bf16            312 TFLOPS dense
| fp16            312 TFLOPS dense
| int8            624 TOPS dense
| link            NVLink3
|                 300 GB/s each way
| board power     400 W
| offers          41 in the catalog
| cheapest        $1.38/hr at shadeform/desmoines-usa-1/massedcompute_A100-sxm4-80GB (2026-08-22, 85 days old)
| cheapest spot   $0.8950/hr at verda/FIN-01/1A100.22V (2026-08-22, 85 days old)
| notes           measured best matmul 271.2 TFLOPS (86.9%)
| source          NVIDIA datasheet; github:stas00/ml-engineering@744d01e18b (2026-11-15)
! stint: note: 'a100' means A100-SXM-80GB, the SXM form with the most memory
$ stint gpu show A100-80
| name            A100-SXM-80GB (NVIDIA, Ampere, SXM, 2020)
| also called     A100-80GB, A100-80GB-SXM, A100-SXM, A100-SXM4-80GB, NVIDIA A100-SXM4-80GB, a100-80, a100-80g, a100-sxm4, a100_dgx, dgx-a100, nvidia-a100-80gb
| memory          80 GB
| bandwidth       2039 GB/s
| fp32            19.5 TFLOPS
| tf32            156 TFLOPS dense
| bf16            312 TFLOPS dense
| fp16            312 TFLOPS dense
| int8            624 TOPS dense
| link            NVLink3
|                 300 GB/s each way
| board power     400 W
| offers          41 in the catalog
| cheapest        $1.38/hr at shadeform/desmoines-usa-1/massedcompute_A100-sxm4-80GB (2026-08-22, 85 days old)
| cheapest spot   $0.8950/hr at verda/FIN-01/1A100.22V (2026-08-22, 85 days old)
| notes           measured best matmul 271.2 TFLOPS (86.9%)
| source          NVIDIA datasheet; github:stas00/ml-engineering@744d01e18b (2026-11-15)
$ stint gpu show 4090
| name            RTX4090 (NVIDIA, Ada, PCIe, 2022)
| also called     4090, RTX4090-24GB
| memory          24 GB
| bandwidth       1008 GB/s
| fp32            82.6 TFLOPS
| tf32            82.6 TFLOPS dense
| bf16            165.2 TFLOPS dense
| fp16            165.2 TFLOPS dense
| fp8             330.3 TFLOPS dense
| int8            660.6 TOPS dense
| link            none (no P2P)
| board power     450 W
| offers          9 in the catalog
| cheapest        $0.4000/hr at shadeform/casper-usa-2/excesssupply_RTX4090x8-2, one of 8 GPUs at $3.20/hr (2026-08-22, 85 days old)
| notes           tensor rates with fp32 accumulate; fp16 accumulate 330.3 (fp8 660.6)
| source          NVIDIA AD102 whitepaper, via hmc-tech.com RTX 4090 full specs (2026-11-15)
$ stint gpu show h100-sxm --json
| {"schema":"stint.gpu.show/1","gpu":{"name":"H100-SXM-80GB","vendor":"NVIDIA","family":"H100","form":"SXM","architecture":"Hopper","year":2022,"memory_gb":80,"memory_type":"HBM3","bandwidth_gb_s":3350,"fp32_tflops":67,"tf32_tflops":494.5,"bf16_tflops":989,"fp16_tflops":989,"fp8_tflops":1979,"int8_tops":1979,"fp4_tflops":null,"link":"NVLink4","link_gb_s":450,"tdp_w":700,"offers":77,"cheapest":{"amount":"1.9784","currency":"USD"},"cheapest_offer":"cudo/no-kristiansand-1/sapphire-rapids-h100_1x12v24gb","cheapest_count":1,"cheapest_date":"2026-08-22","cheapest_days":85,"cheapest_spot":{"amount":"1.625","currency":"USD"},"cheapest_spot_offer":"verda/FIN-02/2H100.80S.80V","cheapest_spot_count":2,"cheapest_spot_date":"2026-08-22","cheapest_spot_days":85,"date":"2026-11-15","source":"NVIDIA datasheet; github:stas00/ml-engineering@744d01e18b","notes":"measured best matmul bf16 794.5 (80.3%), fp8 1402.6 (70.9%)"},"names":["H100 80GB HBM3","H100-80G-SXM5","H100-80GB","H100-MEGA","H100-NVLINK","H100-SXM","H100-SXM5-80GB","NVIDIA H100 80GB HBM3","dgx-h100","h100-80","h100-sxm-80","h100-sxm5","h100_dgx","nvidia-h100-80gb"]}
$ stint gpu show 'NVIDIA GeForce RTX 3090 GPU'
| name            RTX3090 (NVIDIA, Ampere, PCIe, 2020)
| also called     3090, RTX3090-24GB
| memory          24 GB
| bandwidth       936 GB/s
| fp32            35.6 TFLOPS
| tf32            35.6 TFLOPS dense
| bf16            71 TFLOPS dense
| fp16            71 TFLOPS dense
| int8            284 TOPS dense
| link            NVLink3 bridge (2 cards; no P2P without)
|                 56.25 GB/s each way
| board power     350 W
| offers          4 in the catalog
| cheapest        $0.5000/hr at runpod/*/1x_RTX3090_SECURE (2026-08-22, 85 days old)
| notes           tensor rates with fp32 accumulate; fp16 accumulate 142
| source          NVIDIA GA102 whitepaper, tensor rates (estimate); fp32, memory and power via cuttingedgegamer.com (2026-11-15)
$ stint gpu list --limit 2
| name            year  GB  GB/s  bf16  fp16  fp8  link GB/s    W  from/hr  spot/hr   age
| A10             2021  24   600   125   125    -          0  150    $1.29  $0.8000  85 d
| A100-PCIe-40GB  2020  40  1555   312   312    -        300  250    $1.99        ?  85 d
| 
| 2 accelerators; dense TFLOPS, memory bandwidth and board power of the data sheet;
| prices: the lowest for one GPU, maybe of a larger machine ('stint gpu show NAME' shows it)
| 2 prices, read on 2026-08-22; the newest is 85 days old
! stint: warning: all 2 prices are old (newest: 2026-08-22, 85 days); 'stint price fetch skypilot' updates them

Names with their memory, and the order of their words, find the card.
$ stint gpu show 'H100 96GB' | grep -E '^(name|memory|power|bandwidth)'
| name            H100-SXM-96GB (NVIDIA, Hopper, SXM, 2023)
| memory          96 GB
| bandwidth       2400 GB/s
$ stint gpu show 'H100 80GB PCIe' | grep '^name'
| name            H100-PCIe-80GB (NVIDIA, Hopper, PCIe, 2022)
