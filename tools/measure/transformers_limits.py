"""The largest micro-batch that trains in a given memory: python3 transformers_limits.py OUTPUT.csv [seconds] [tiny]

Cards of 16 to 80 GB are made of one device by a limit on the allocator. For every case (model, method, sequence,
recomputation) the peak at two batch sizes without a limit gives a first guess for each card; the search then brackets
the largest batch that runs two Trainer steps and halves the bracket. Every try is a row.

A card of N GB is taken as 0.99 N GiB (what an A100-40GB, a 4090 or an H100-80GB report); the allocator may take that
less what the process has beside it (context, kernels), measured here: cap_gb."""
import os
import sys
import time

import transformers_common as h
from transformers_steps import ALL, C, lora
from transformers_common import SHAPES, Cache, Meter, Table, Tokens, free_memory, is_oom

COLUMNS = ("id,source,model,params_b,layers,hidden,heads,kv_heads,ffn,vocab,gpu,card_gb,card_bytes,context_gb,cap_gb,"
           "method,precision,lora_rank,lora_targets,seq_len,micro_batch,activation_checkpointing,optimizer,framework,"
           "fits,peak_allocated_gb,peak_reserved_gb,device_gb,step_time_s,notes").split(",")

# case, cards
CASES = [
    (lora("llama-3-8b", 2048, 1, 16, ALL, 1), (24, 40)),
    (lora("llama-3-8b", 2048, 1, 16, ALL), (40, 48, 80)),
    (C("llama-3.2-1b", 2048, 1), (16, 24, 40)),
    (C("llama-3.2-1b", 1024, 1, recompute=1), (16, 24)),
    (C("qwen2.5-0.5b", 1024, 1, "fp32"), (16, 24, 48)),
    (C("gpt2", 1024, 1, "fp32"), (16, 24, 80)),
    (lora("qwen2.5-7b", 1024, 1, 16, ALL), (24, 40, 80)),
    (C("tinyllama-1.1b", 2048, 1, "fp32"), (24, 40)),
    (lora("llama-2-7b", 4096, 1, 8, "q,v", 1), (16, 24, 48)),
    (C("bert-base", 512, 1, "fp32", head="mlm"), (16, 40)),
    (C("llama-3-8b", 2048, 1, recompute=1), (80,)),
    (lora("qwen2.5-1.5b", 2048, 1, 16, ALL), (16, 24, 48)),
    (lora("mistral-7b-v0.3", 512, 1, 64, ALL), (16, 24, 40)),
    (C("gpt2-xl", 1024, 1, "fp32"), (40, 48)),
    (lora("llama-2-13b", 1024, 1, 16, ALL, 1), (40, 48)),
    (C("qwen2.5-1.5b", 1024, 1, "bf16"), (16, 24)),
    (C("llama-3.2-3b", 1024, 1, recompute=1), (40, 48)),
    (lora("llama-2-7b", 1024, 1, 16, ALL), (16, 24)),
    (C("qwen3-0.6b", 2048, 1, "bf16", recompute=1), (16, 24)),
]
TINY = [(C("tiny-llama", 32, 1, "fp32"), (16, 24)), (lora("tiny-llama", 32, 1, 8, ALL), (16,))]
MOST = 4096


class Search:
    def __init__(self, table, cache, deadline):
        self.table, self.cache, self.deadline = table, cache, deadline
        self.done = []

    def attempt(self, c, batch, card=None):
        """Two steps at this batch under the card's limit; a row, and whether it ran."""
        model = self.cache.get(c.model, c.dtype, c.attn, c.head, c.seq)
        free_memory()
        context = h.context_bytes()
        card_bytes = int(card * 0.99 * 2**30) if card else h.total_bytes()
        cap = card_bytes - context
        wrapped, result, fits, error_text = model, {}, True, ""
        try:
            h.set_cap(cap if card else None)
            h.reset_peak()
            if c.lora:
                wrapped = h.add_lora(model, c.lora, c.targets)
            data = Tokens(SHAPES[c.model].vocab, c.seq, c.head)
            result = h.run_trainer(wrapped, data, batch, 1, bool(c.recompute), c.optim, Meter(fixed=2))
        except Exception as error:  # pylint: disable=broad-except
            if not is_oom(error):
                raise
            fits, error_text = False, str(error).replace("\n", " ")[:160]
            error.__traceback__ = None
        finally:
            h.set_cap(None)
            peaks = {**h.peaks()}
            if wrapped is not model or c.lora:
                h.clean(wrapped)
                if wrapped is not model:
                    h.remove_lora(wrapped, self.cache)
                else:
                    self.cache.drop()
            wrapped = None
            model = None
            if self.cache.model is not None:
                h.clean(self.cache.model)
            free_memory()
        s = SHAPES[c.model]
        row = {"card": card, "batch": batch, "fits": fits, **peaks}
        self.done.append(row)
        self.table.add(
            id=f"fm{self.table.rows:03d}", source=h.SOURCE, model=c.model, params_b=f"{self.cache.params / 1e9:.4f}",
            layers=s.layers, hidden=s.hidden, heads=s.heads, kv_heads=s.kv_heads, ffn=s.ffn, vocab=s.vocab, gpu=h.GPU,
            card_gb=card or "", card_bytes=card_bytes, context_gb=f"{context / 1e9:.3f}", cap_gb=f"{cap / 1e9:.3f}",
            method="lora" if c.lora else "pretrain" if c.head == "mlm" else "full-ft",
            precision="amp_bf16" if c.dtype == "fp32" else "bf16-true",
            lora_rank=c.lora or "", lora_targets=c.targets, seq_len=c.seq, micro_batch=batch,
            activation_checkpointing="full" if c.recompute else "none", optimizer="adamw", framework="hf",
            fits="yes" if fits else "no", peak_allocated_gb=f"{peaks['allocated']:.3f}",
            peak_reserved_gb=f"{peaks['reserved']:.3f}", device_gb=f"{peaks['device']:.3f}",
            step_time_s=f"{result['step_s']:.4f}" if result else "",
            notes=f"{c.head}; sdpa attention; two steps; {h.versions()}" + (f"; {error_text}" if error_text else ""))
        print(f"  {c.text().split(' b')[0]} card {card} b{batch}: {'fits' if fits else 'OUT'} allocated "
              f"{peaks['allocated']:.2f} reserved {peaks['reserved']:.2f} cap {cap / 1e9:.2f}", flush=True)
        return row

    def late(self, reserve=15):
        return time.time() > self.deadline - reserve

    def case(self, c, cards):
        """Two batches without a limit, then the search on each card."""
        first = self.attempt(c, 1)
        second = self.attempt(c, 4)
        if not first["fits"]:
            return
        each = (second["allocated"] - first["allocated"]) / 3 if second["fits"] else first["allocated"]
        each = max(each, 1e-3)
        base = first["allocated"] - each
        for card in cards:
            if self.late():
                return
            # the allocator's cached blocks take a few percent beside what is allocated
            room = (card * 0.99 * 2**30 - h.context_bytes()) / 1e9
            if not h.CUDA:
                each, base = c.seq * 0.03, 2.0  # the dry run's, a little too hopeful
            guess = int((room * 0.985 - base) / each)
            self.bracket(c, card, guess)

    def bracket(self, c, card, guess):
        low, high = 0, None  # the largest that ran, the smallest that did not
        batch = min(max(guess, 1), MOST)
        step = max(1, batch // 16)
        tries = 0
        while tries < 5 and not self.late():
            tries += 1
            if self.attempt(c, batch, card)["fits"]:
                low = batch
            else:
                high = batch
            if high is None:
                batch, step = min(low + step, MOST), step * 2
                if low >= MOST:
                    break
            elif high - low <= max(1, high // 25):
                break  # known to one sample, or 4 %
            elif low == 0:
                batch, step = max(high - step, 1), step * 2
                if high == 1:
                    break
            else:
                batch = (low + high) // 2
        print(f"{c.text()} on {card} GB: guess {guess}, runs {low}, fails {high}", flush=True)


def main():
    begin = time.time()
    limit = float(sys.argv[2]) if len(sys.argv) > 2 else 480.0
    cases = TINY if len(sys.argv) > 3 else CASES
    table = Table(sys.argv[1], COLUMNS)
    cache = Cache()
    search = Search(table, cache, begin + limit)
    start = int(os.environ.get("FROM", "0"))
    for number, (c, cards) in enumerate(cases):
        if number < start:
            continue
        if search.late(20 if len(sys.argv) < 4 else 16):
            print(f"stopped before case {number}", flush=True)
            break
        print(f"[{number} at {time.time() - begin:.0f} s] {c.text()}", flush=True)
        try:
            search.case(c, cards)
        except Exception as error:  # pylint: disable=broad-except
            print("FAILED", c.text(), repr(error)[:600], flush=True)
            error = None
            h.set_cap(None)
            cache.drop()
    print(f"done: {table.rows} rows in {time.time() - begin:.0f} s", flush=True)


if __name__ == "__main__":
    main()
