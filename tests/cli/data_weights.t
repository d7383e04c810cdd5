Data: the folder of a model made smaller. Two shards with an index, a configuration and a tokenizer.
needs: python3

$ python3 "$cases/tensors.py" model tiny; find tiny -exec touch -h -d '2026-11-01 12:00:00 UTC' {} +; find tiny -type f -exec sha256sum {} + | sort >before; stint data weights tiny
| tiny: 5 files, 8 tensors in 2 of them
| 
| result         files     before      after
| small already      2  131.79 kB  131.79 kB
| other              3      340 B      340 B
| 
|     size  equal tensors
| 65.54 kB  model-00001-of-00002.safetensors: embed.weight, model-00002-of-00002.safetensors: head.weight
| 
| saved           0 B
| written         tiny_optimized
Nothing was asked for, so all is the same.
$ diff -r tiny tiny_optimized && find tiny_optimized -type f ! -newermt '2026-11-02' | wc -l
| 5
Casts to bf16: the index and the configuration are brought in line. Integers and tensors of 16 bits stay.
$ stint data weights tiny --cast bf16 -o bf16 --from aws/us-east-1 --bandwidth 1MB
| tiny: 5 files, 8 tensors in 2 of them
| 
| result   files     before     after
| smaller      2  131.79 kB  66.17 kB
| updated      2      337 B     337 B
| other        1        3 B       3 B
| 
|     size  equal tensors
| 32.77 kB  model-00001-of-00002.safetensors: embed.weight, model-00002-of-00002.safetensors: head.weight
| 
| cast            6 tensors
| saved           65.63 kB (50 %), under 1 s and $0.00 each time the model is moved
| written         bf16
$ for i in 1 2; do python3 "$cases/tensors.py" show bf16/model-0000$i-of-00002.safetensors; done; diff tiny bf16
| {"format": "pt"} 3 0
| embed.weight BF16 [64, 256] 0000803a003b403b803ba03bc03be03b
| half F16 [3] 000102030405
| ids I64 [2] 0700000000000000ffffffffffffffff
| null 5 0
| double BF16 [] 813f
| head.weight BF16 [64, 256] 0000803a003b403b803ba03bc03be03b
| large BF16 [4] 803f804796fe8930
| none BF16 [0, 4] 
| special BF16 [3] c07f807f0080
| diff tiny/config.json bf16/config.json
| 7c7
| <   "torch_dtype": "float32"
| ---
| >   "torch_dtype": "bfloat16"
| Binary files tiny/model-00001-of-00002.safetensors and bf16/model-00001-of-00002.safetensors differ
| Binary files tiny/model-00002-of-00002.safetensors and bf16/model-00002-of-00002.safetensors differ
| diff tiny/model.safetensors.index.json bf16/model.safetensors.index.json
| 3c3
| <     "total_size": 131150
| ---
| >     "total_size": 65594
? 1
Casts to fp16: values that are too large or too small are counted.
$ stint data weights tiny --cast fp16 -o fp16 --json | sed 's/.*\("weights":.*\),"transfer_savings.*"duplicate_count":\([0-9]*\).*/\1, duplicates \2/'; python3 "$cases/tensors.py" show fp16/model-00002-of-00002.safetensors
| "weights":2,"tensors":8,"cast":6,"overflowed":2,"underflowed":1,"size":132134,"new_size":66497,"compression_ratio":1.987067085733191, duplicates 1
| null 5 0
| double F16 [] 043c
| head.weight F16 [64, 256] 000000140018001a001c001d001e001f
| large F16 [4] 003c007c00fc0000
| none F16 [0, 4] 
| special F16 [3] 007e007c0080
! stint: warning: 2 values were too large for fp16, and infinite now: bf16 has the range of fp32
The originals are as they were. What is there is not replaced, and nothing half-written is left.
$ find tiny -type f -exec sha256sum {} + | sort | diff before - && stint data weights tiny
! stint: 'tiny_optimized' is there already, and is not replaced
!   hint: name another folder with -o, or remove it
? 3
$ ls -d tiny* bf16* fp16*
| bf16
| fp16
| tiny
| tiny_optimized
Links to files count as files, so that a snapshot of a hub's cache becomes a folder of its own. Damaged files lie aside.
$ mkdir -p cache/sub && ln -s ../tiny/model-00001-of-00002.safetensors cache/model.safetensors && ln -s nowhere cache/lost && cp tiny/config.json cache/sub && head -c 200 tiny/model-00001-of-00002.safetensors >cache/cut.safetensors && : >cache/empty.safetensors && printf '\377\377\377\377\0\0\0\0{}' >cache/sub/bomb.safetensors && stint data weights cache --cast bf16
| cache: 5 files, 3 tensors in 1 of them
| 
| result   files    before     after
| smaller      1  65.83 kB  33.03 kB
| corrupt      3     210 B     210 B
| other        1     106 B     106 B
| 
| corrupt file          why
| cut.safetensors       shorter than its header says
| empty.safetensors     too short for a header
| sub/bomb.safetensors  shorter than its header says
| 
| cast            1 tensor
| saved           32.8 kB (50 %), under 1 s and $0.00 each time the model is moved
| written         cache_optimized
! stint: warning: 3 corrupt files copied to 'cache_optimized_corrupt', not to the new folder
$ find cache_optimized cache_optimized_corrupt | sort; readlink cache_optimized/lost; python3 "$cases/tensors.py" show cache_optimized/model.safetensors | sed -n 1,2p
| cache_optimized
| cache_optimized/lost
| cache_optimized/model.safetensors
| cache_optimized/sub
| cache_optimized/sub/config.json
| cache_optimized_corrupt
| cache_optimized_corrupt/cut.safetensors
| cache_optimized_corrupt/empty.safetensors
| cache_optimized_corrupt/sub
| cache_optimized_corrupt/sub/bomb.safetensors
| nowhere
| {"format": "pt"} 3 0
| embed.weight BF16 [64, 256] 0000803a003b403b803ba03bc03be03b
Mistakes.
$ stint data weights tiny -o tiny/smaller
! stint: 'tiny/smaller' is in 'tiny'
!   hint: name a folder elsewhere with -o
? 2
$ stint data weights tiny -o x --cast int8
! stint: --cast: 'int8' is not one of bf16, fp16
? 2
$ stint data weights nowhere
! stint: there is no folder 'nowhere'
!   hint: name the folder with the data
? 4
$ stint data weights tiny/config.json
! stint: 'tiny/config.json' is not a folder
!   hint: name the folder that it is in
? 3
Files that only a training that goes on needs.
$ mkdir -p step/optimizer_0 step/pytorch_model_0 step/scheduler && for f in optimizer.pt scheduler.pt rng_state_0.pth random_states_0.pkl zero_pp_rank_0_mp_rank_00_optim_states.pt optimizer_0/__0_0.distcp pytorch_model_0/__0_0.distcp scheduler/scheduler_config.json trainer_state.json; do echo 0123456789 >step/$f; done; stint data weights step --drop-optimizer
| step: 9 files, 0 tensors in 0 of them
| 
| result    files  before  after
| left out      6    66 B    0 B
| other         3    33 B   33 B
| 
| path                                       note
| optimizer.pt                               state of a training
| optimizer_0/__0_0.distcp                   state of a training
| random_states_0.pkl                        state of a training
| rng_state_0.pth                            state of a training
| scheduler.pt                               state of a training
| zero_pp_rank_0_mp_rank_00_optim_states.pt  state of a training
| 
| saved           66 B (67 %), under 1 s and $0.00 each time the model is moved
| written         step_optimized
$ find step_optimized -type f | sort
| step_optimized/pytorch_model_0/__0_0.distcp
| step_optimized/scheduler/scheduler_config.json
| step_optimized/trainer_state.json
Files as torch.save() writes them: a state of a model with tied tensors, a checkpoint with an optimizer, a slice of a larger tensor; and what is not read: other functions, no archive, compressed, cut off, with tensors that are larger than their memory.
$ python3 "$cases/tensors.py" torch torch; stint data weights torch --cast bf16 --drop-optimizer
| torch: 11 files, 7 tensors in 3 of them
| 
| result       files     before      after
| smaller          3  200.54 kB   68.39 kB
| unsupported      3   19.97 kB   19.97 kB
| corrupt          3  199.20 kB  199.20 kB
| left out         1    1.89 kB        0 B
| other            1       10 B       10 B
| 
| corrupt file  why
| bomb.bin      storage '0' has another size than it says
| cut.bin       the end of the archive is missing
| outside.bin   'embed.weight' is larger than its storage
| 
| path           note
| checkpoint.pt  left out of it: optimizer, scheduler
| evil.bin       its pickle needs webbrowser.open, which is not run
| old.bin        a pickle without an archive around it, as PyTorch before 1.6 wrote it: load and save it with a newer one
| optimizer.pt   state of a training
| packed.bin     an archive with compressed files
| slice.pt       65.47 kB that no tensor uses
| 
|     size  equal tensors
| 32.77 kB  checkpoint.pt: model.embed.weight, pytorch_model.bin: embed.weight
| 
| cast            5 tensors
| saved           134.04 kB (60 %), under 1 s and $0.00 each time the model is moved
| written         torch_optimized
! stint: warning: 3 corrupt files copied to 'torch_optimized_corrupt', not to the new folder
$ for f in checkpoint slice; do python3 "$cases/tensors.py" list torch_optimized/$f.pt; done; for f in evil old packed tokenizer; do cmp torch/$f.bin torch_optimized/$f.bin; done; ls torch_optimized
| None [('archive/data.pkl', 310), ('archive/byteorder', 6), ('archive/data/0', 32768), ('archive/data/1', 16), ('archive/version', 2)]
| {'model': OrderedDict([('embed.weight', ('tensor', ('BFloat16Storage', '0', 16384), 0, (16384,), (1,))), ('head.weight', ('tensor', ('BFloat16Storage', '0', 16384), 0, (16384,), (1,))), ('ids', ('tensor', ('LongStorage', '1', 2), 0, (2,), (1,)))]), 'epoch': 7}
| None [('archive/data.pkl', 151), ('archive/byteorder', 6), ('archive/data/0', 32), ('archive/version', 2)]
| {'part': ('tensor', ('BFloat16Storage', '0', 16), 0, (16,), (1,))}
| checkpoint.pt
| evil.bin
| old.bin
| packed.bin
| pytorch_model.bin
| slice.pt
| tokenizer.bin
The state of an optimizer that stays keeps its types.
$ stint data weights torch --cast fp16 -o torch16 --json 2>errors | sed 's/.*\("weights":[^}]*\),"transfer_savings.*/\1/'; wc -l <errors; python3 "$cases/tensors.py" list torch16/checkpoint.pt | grep -o "'[A-Za-z0-9]*Storage', '[0-9]*'" | sort -u; cmp torch/optimizer.pt torch16/optimizer.pt
| "weights":4,"tensors":11,"cast":5,"overflowed":0,"underflowed":0,"size":222400,"new_size":91649,"compression_ratio":2.4266494997217647
| 1
| 'FloatStorage', '2'
| 'FloatStorage', '3'
| 'HalfStorage', '0'
| 'LongStorage', '1'
The same model in both formats, a model in shards, too, and a file that has something else.
$ python3 "$cases/tensors.py" twice both; stint data weights both
| both: 6 files, 8 tensors in 5 of them
| 
| result         files     before      after
| small already      5  199.59 kB  199.59 kB
| other              1       68 B       68 B
| 
| path                              note
| pytorch_model-00001-of-00002.bin  all its tensors are in .safetensors files, too: left out with --drop-duplicates
| pytorch_model-00002-of-00002.bin  all its tensors are in .safetensors files, too: left out with --drop-duplicates
| pytorch_model.bin                 all its tensors are in .safetensors files, too: left out with --drop-duplicates
| pytorch_model.bin.index.json      all its tensors are in .safetensors files, too: left out with --drop-duplicates
| 
|      size  equal tensors
| 131.07 kB  model.safetensors: embed.weight, pytorch_model-00002-of-00002.bin: embed.weight, pytorch_model.bin: embed.weight
| 
| saved           0 B
| written         both_optimized
$ stint data weights both --drop-duplicates -o once; ls once
| both: 6 files, 3 tensors in 2 of them
| 
| result         files     before     after
| small already      2   66.35 kB  66.35 kB
| duplicate          4  133.31 kB       0 B
| 
| path                              note
| pytorch_model-00001-of-00002.bin  all its tensors are in model.safetensors
| pytorch_model-00002-of-00002.bin  all its tensors are in model.safetensors
| pytorch_model.bin                 all its tensors are in model.safetensors
| pytorch_model.bin.index.json      all its tensors are in model.safetensors
| 
| saved           133.31 kB (67 %), under 1 s and $0.00 each time the model is moved
| written         once
| model.safetensors
| other.bin
