$ stint gpu fit llama-3-8b --limit 2
| llama-3-8b: 8.03 B parameters, a batch of 1 x 2048 tokens
| 
|     for        with        GPUs                           GB     of  split  per hour  at                                        age
| *   inference  int4        1x RTX3060Ti                  7.1    8.5  -       $0.1600  vast/*/1x-RTX_3060_Ti-32-65536          384 d
|                            1x RTX2060Super               7.1    8.5  -             -  -                                           -
|  $                         1x RTXA4000                   7.1   17.0  -       $0.1500  hyperstack/*/n3-RTX-A4000x1              81 d
| *   inference  int8        1x RTX2080Ti                 10.6   11.7  -             -  -                                           -
|                            1x RTX3060                   10.6   12.8  -       $0.2100  vast/*/4x-RTX_3060-32-65536             384 d
|  $                         1x RTXA4000                  10.6   17.0  -       $0.1500  hyperstack/*/n3-RTX-A4000x1              81 d
| *   inference  fp8         1x RTX5070                   10.4   12.8  -       $0.3700  vast/*/4x-RTX_5070-32-65536             384 d
|                            1x RTX4070                   10.4   12.8  -             -  -                                           -
|  $                         1x RTX2000-Ada               10.4   17.0  -       $0.2400  runpod/*/1x_RTX2000-Ada_SECURE           85 d
| *$  inference  fp16        1x RTXA4500                  17.4   21.3  -       $0.2500  runpod/*/1x_RTXA4500_SECURE              85 d
|                            1x RTX4000-Ada               17.4   21.3  -       $0.2800  runpod/*/1x_RTX4000-Ada_SECURE           85 d
| *$  qlora      nf4 base    1x RTXA4500                  14.7   21.3  -       $0.2500  runpod/*/1x_RTXA4500_SECURE              85 d
|                            1x RTX4000-Ada               14.7   21.3  -       $0.2800  runpod/*/1x_RTX4000-Ada_SECURE           85 d
| *$  lora       bf16 base   1x RTXA5000                  22.6   25.5  -       $0.2700  runpod/*/1x_RTXA5000_SECURE              85 d
|                            1x L4                        22.6   23.9  -       $0.4900  runpod/*/1x_L4_SECURE                    85 d
| *   full       adamw-8bit  1x H100-NVL-94GB             82.8   99.9  -         $2.59  runpod/*/1x_H100-NVL_COMMUNITY            6 d
|                            1x TPUv5p                    82.8  101.0  -        $16.80  gcp/us-central1/tpu-v5p-8                85 d
|  $                         1x RTXPRO6000-Blackwell-SE   82.8  102.0  -         $1.35  yotta/us-east-3/1x_14c_119g_RTXPRO6000   85 d
| *$  full       adamw       1x H200-SXM-141GB           130.7  149.9  -         $2.10  yotta/ap-east-2/1x_18c_245g_H200         85 d
|                            1x H20-141GB                130.7  149.9  -             -  -                                           -
| 
| * least memory in total, $ cheapest on demand; GB needed on the fullest GPU, of
| what is usable; training recomputes activations and shards with ZeRO 3
| 16 prices, read between 2025-10-27 and 2026-11-09; the newest is 6 days old
! stint: warning: 15 of 16 prices are more than 30 days old (oldest: 2025-10-27); 'stint price doctor' shows what to run
$ stint gpu fit 70B --gpu 'H100*' --limit 1
| 70B: 69.9 B parameters, a batch of 1 x 2048 tokens
| 
|     for        with        GPUs                 GB    of  split           per hour  at                                                      age
| *$  inference  int4        1x H100-SXM-80GB   44.1  85.0  -                  $1.98  cudo/no-kristiansand-1/sapphire-rapids-h100_1x12v24gb  85 d
| *$  inference  int8        1x H100-SXM-80GB   78.5  85.0  -                  $1.98  cudo/no-kristiansand-1/sapphire-rapids-h100_1x12v24gb  85 d
| *$  inference  fp8         1x H100-SXM-80GB   77.4  85.0  -                  $1.98  cudo/no-kristiansand-1/sapphire-rapids-h100_1x12v24gb  85 d
| *$  inference  fp16        2x H100-PCIe-80GB  74.4  85.0  tensor 2           $5.00  hyperstack/*/n3-H100x2                                 81 d
| *$  qlora      nf4 base    1x H100-SXM-80GB   51.3  85.0  -                  $1.98  cudo/no-kristiansand-1/sapphire-rapids-h100_1x12v24gb  85 d
| *   lora       bf16 base   2x H100-NVL-94GB   79.7  99.9  ZeRO 3 over 2     $17.64  azure/eastus/Standard_NC80adis_H100_v5                  6 d
|  $                         4x H100-PCIe-80GB  44.1  85.0  ZeRO 3 over 4     $10.00  hyperstack/*/n3-H100x4                                 81 d
| *$  full       adamw-8bit  16x H100-SXM-80GB  53.1  85.0  ZeRO 3 over 16    $61.60  2x nebius/eu-north1/gpu-h100-sxm_8gpu-128vcpu-1600gb   85 d
| *   full       adamw       16x H100-NVL-94GB  79.1  99.9  ZeRO 3 over 16         -  -                                                         -
|  $                         32x H100-SXM-80GB  44.2  85.0  ZeRO 3 over 32   $123.20  4x nebius/eu-north1/gpu-h100-sxm_8gpu-128vcpu-1600gb   85 d
| 
| * least memory in total, $ cheapest on demand; GB needed on the fullest GPU, of
| what is usable; training recomputes activations and shards with ZeRO 3
| 9 prices, read between 2026-08-22 and 2026-11-09; the newest is 6 days old
! stint: note: '70B' is assumed to be a decoder of 86 layers, 8192 wide
! stint: note: no price: no offer has that many of these GPUs in one machine, or in machines that can be joined
! stint: warning: 8 of 9 prices are more than 30 days old (oldest: 2026-08-22); 'stint price doctor' shows what to run
$ stint gpu fit lama-3-8b
! stint: there is no model 'lama-3-8b'
!   hint: did you mean 'llama-3-8b'? 'stint catalog show models' lists them
? 4
$ stint gpu fit kimi-k2 --gpu T4
| kimi-k2: 1.03 T parameters, a batch of 1 x 2048 tokens
| 
|     for        with  GPUs      GB    of  split                 per hour  at                            age
| *$  inference  int4  64x T4  10.3  15.9  tensor 8, pipeline 8    $62.59  8x aws/us-east-1/g4dn.metal  85 d
| 
| inference, int8: none of the requested GPUs fits it; 4x B300-SXM-288GB would
| inference, fp8: none of the requested GPUs fits it; 4x B300-SXM-288GB would
| inference, fp16: none of the requested GPUs fits it; 8x B300-SXM-288GB would
| qlora, nf4 base: none of the requested GPUs fits it; 4x B300-SXM-288GB would
| lora, bf16 base: none of the requested GPUs fits it; 32x B300-SXM-288GB would
| full, adamw-8bit: none of the requested GPUs fits it; 128x B300-SXM-288GB would
| full, adamw: none of the requested GPUs fits it; 256x B300-SXM-288GB would
| * least memory in total, $ cheapest on demand; GB needed on the fullest GPU, of
| what is usable; training recomputes activations and shards with ZeRO 3
| 1 price, read on 2026-08-22; it is 85 days old
! stint: warning: 1 of 1 prices is more than 30 days old (oldest: 2026-08-22); 'stint price doctor' shows what to run
What is approximate about the model's shape is said, as in an estimate.
$ stint gpu fit qwen2.5-vl-7b --gpu L4 --limit 1 2>/dev/null | tail -9
| * least memory in total, $ cheapest on demand; GB needed on the fullest GPU, of
| what is usable; training recomputes activations and shards with ZeRO 3
| approximate: the vision tower (32 layers of width 1280, 0.68 billion parameters)
| is written as 3 more layers of the language model (28 there), which hold about
| as many weights and do about as much work as the tower when a quarter of the
| tokens are of pictures (four patches are one token); the cache of a request is
| 11 % too large; the tower works on patches, so its activations are not counted
| apart
| 8 prices, read on 2026-08-22; the newest is 85 days old
