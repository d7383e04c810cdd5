Which meters a machine has. The machine is fake: STINT_ROOT is put before /proc and /sys, and the vendors'
libraries are the tests' own. The clock does not move, so that nothing has a rate.

A laptop without a readable counter, in no cloud.
$ mkdir -p m/proc/net m/sys/class/powercap/intel-rapl:0 m/sys/class/dmi/id
$ printf 'cpu 100 0 50 900 0 0 0 0 0 0\ncpu0 1\ncpu1 1\n' >m/proc/stat
$ printf 'MemTotal: 16000000 kB\nMemAvailable: 12000000 kB\n' >m/proc/meminfo
$ printf 'pgpgin 10\npgpgout 20\n' >m/proc/vmstat
$ printf 'lo: 1 0 0 0 0 0 0 0 1 0\neth0: 1 0 0 0 0 0 0 0 1 0\n' >m/proc/net/dev
$ printf 'model name : Intel(R) Core(TM) i7-1165G7\n' >m/proc/cpuinfo
$ printf 'export STINT_ROOT=m STINT_NVML=/none/nvml STINT_ROCM=/none/rocm\nunset STINT_HL_SMI RUNPOD_POD_ID VAST_CONTAINERLABEL CUDA_VISIBLE_DEVICES NVIDIA_VISIBLE_DEVICES\n' >env
$ . ./env; stint meters --for 0s
| meter             device                                    now  method    error  source
| process tree                                                  -  counter       -  /proc and wait
| processor time    Intel(R) Core(TM) i7-1165G7      ? of 2 cores  counter       -  /proc/stat
| processor energy                                            ? W  modeled  +-50 %  model: load x 8.0 W a core (Intel(R) Core(TM) i7-1165G7)
| memory energy                                               ? W  modeled  +-50 %  model: 0.37 W a GB in use
| memory                                         4.10 of 16.38 GB  sampled       -  /proc/meminfo
| storage                                                  ? MB/s  counter       -  /proc/vmstat
| network                                                  ? MB/s  counter       -  /proc/net/dev
| 
| process tree: no control groups are mounted; children that are not waited for count with their last reading
| 
| processor energy: no energy counter in /sys/class/powercap
|   to get it: sudo modprobe intel_rapl_msr
| 
| NVIDIA GPUs: cannot open /none/nvml
| 
| AMD GPUs: cannot open /none/rocm
| 
| Gaudi: no Gaudi device in /sys/class
| 
| cloud: none recognized (without network access)

With a counter and two GPUs, on a machine of Amazon's.
$ echo package-0 >m/sys/class/powercap/intel-rapl:0/name
$ echo 1000000 >m/sys/class/powercap/intel-rapl:0/energy_uj
$ echo 'Amazon EC2' >m/sys/class/dmi/id/sys_vendor; echo g5.12xlarge >m/sys/class/dmi/id/product_name
$ printf 'all devices 2\n0 name NVIDIA A10G\n0 uuid GPU-0\n0 energy 1000000\n0 power 55000\n0 util 30\n0 total 24000000000\n0 used 1000000000\n0 process 4711 1000000\n1 name NVIDIA A10G\n1 uuid GPU-1\n1 power 20000\n1 util 0\n' >gpus
$ . ./env; export FAKE_NVML=gpus STINT_NVML="$STINT_FAKE_NVML"; stint meters --for 0s
| meter             device                                    now  method    error  source
| process tree                                                  -  counter       -  /proc and wait
| processor time    Intel(R) Core(TM) i7-1165G7      ? of 2 cores  counter       -  /proc/stat
| processor energy                                            ? W  counter  +-20 %  RAPL
| memory energy                                               ? W  modeled  +-50 %  model: 0.37 W a GB in use
| memory                                         4.10 of 16.38 GB  sampled       -  /proc/meminfo
| storage                                                  ? MB/s  counter       -  /proc/vmstat
| network                                                  ? MB/s  counter       -  /proc/net/dev
| GPU energy        NVIDIA A10G (0)                          55 W  counter   +-5 %  nvidia: energy counter
| GPU use           NVIDIA A10G (0)                          30 %  sampled       -  nvidia
| GPU processes     NVIDIA A10G (0)                     1 process  sampled       -  nvidia
| GPU energy        NVIDIA A10G (1)                          20 W  sampled  +-15 %  nvidia: power, looked at
| GPU use           NVIDIA A10G (1)                           0 %  sampled       -  nvidia
| GPU processes     NVIDIA A10G (1)                   0 processes  sampled       -  nvidia
| 
| process tree: no control groups are mounted; children that are not waited for count with their last reading
| 
| AMD GPUs: cannot open /none/rocm
| 
| Gaudi: no Gaudi device in /sys/class
| 
| cloud: aws g5.12xlarge: /sys/class/dmi/id/sys_vendor says Amazon EC2 (without network access)

For programs.
$ . ./env; stint meters --for 0s --json
| {"schema":"stint.meters/1","meters":[{"meter":"process tree","device":null,"method":"counter","source":"/proc and wait","value":null,"total":null,"unit":null,"error":null,"missing":"no control groups are mounted; children that are not waited for count with their last reading","remedy":null},{"meter":"processor time","device":"Intel(R) Core(TM) i7-1165G7","method":"counter","source":"/proc/stat","value":null,"total":2,"unit":"cores","error":null,"missing":null,"remedy":null},{"meter":"processor energy","device":null,"method":"counter","source":"RAPL","value":null,"total":null,"unit":"W","error":0.2,"missing":null,"remedy":null},{"meter":"memory energy","device":null,"method":"modeled","source":"model: 0.37 W a GB in use","value":null,"total":null,"unit":"W","error":0.5,"missing":null,"remedy":null},{"meter":"memory","device":null,"method":"sampled","source":"/proc/meminfo","value":4.096,"total":16.384,"unit":"GB","error":null,"missing":null,"remedy":null},{"meter":"storage","device":null,"method":"counter","source":"/proc/vmstat","value":null,"total":null,"unit":"MB/s","error":null,"missing":null,"remedy":null},{"meter":"network","device":null,"method":"counter","source":"/proc/net/dev","value":null,"total":null,"unit":"MB/s","error":null,"missing":null,"remedy":null},{"meter":"NVIDIA GPUs","device":null,"method":"unknown","source":null,"value":null,"total":null,"unit":null,"error":null,"missing":"cannot open /none/nvml","remedy":null},{"meter":"AMD GPUs","device":null,"method":"unknown","source":null,"value":null,"total":null,"unit":null,"error":null,"missing":"cannot open /none/rocm","remedy":null},{"meter":"Gaudi","device":null,"method":"unknown","source":null,"value":null,"total":null,"unit":null,"error":null,"missing":"no Gaudi device in /sys/class","remedy":null}],"cloud":{"provider":"aws","basis":"/sys/class/dmi/id/sys_vendor says Amazon EC2","instance":"g5.12xlarge","region":null,"id":null}}

A device without its driver, and a stretch that is too long.
$ mkdir -p m/sys/bus/pci/devices/0000:01:00.0; echo 0x10de >m/sys/bus/pci/devices/0000:01:00.0/vendor; echo 0x030000 >m/sys/bus/pci/devices/0000:01:00.0/class
$ . ./env; stint meters --for 0s | grep -A1 NVIDIA
| NVIDIA GPUs: cannot open /none/nvml
|   to get it: install NVIDIA's driver; in a container: docker run --gpus all
| 
$ . ./env; stint meters --for 2h
! stint: --for: at most a minute
!   hint: leave it out, or give 5s
? 2

Nothing to measure.
$ . ./env; STINT_ROOT=/none stint meters --for 0s
| meter  device  now  method  error  source
| 
| process tree: /proc cannot be read
| 
| processor time: /proc/stat cannot be read
| 
| processor energy: no /sys/class/powercap: the processor has no energy counter, or a virtual machine or container hides it
| 
| memory energy: neither a counter nor the memory in use can be read
| 
| memory: /proc/meminfo cannot be read
| 
| storage: /proc/vmstat cannot be read
| 
| network: /proc/net/dev cannot be read
| 
| NVIDIA GPUs: cannot open /none/nvml
| 
| AMD GPUs: cannot open /none/rocm
| 
| Gaudi: no Gaudi device in /sys/class
| 
| cloud: none recognized (without network access)
