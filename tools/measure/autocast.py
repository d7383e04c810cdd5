"""What autocast costs: forward and backward of a micro-batch in fp16, by autocast over fp32 weights (Hugging Face's
Trainer in plain processes) and with the weights themselves in fp16 (what DeepSpeed makes of it), on one device.

    python3 autocast.py OUTPUT.csv

Milliseconds of a micro-batch: the median of five steps of four, after eight to warm up."""
import csv
import sys
import time

import torch
import transformers

MICROS = 4
SHAPES = {
    "bert-base": (512, lambda: transformers.BertForMaskedLM(transformers.BertConfig(
        hidden_dropout_prob=0, attention_probs_dropout_prob=0, attn_implementation="sdpa"))),
    "gpt2": (1024, lambda: gpt2(12, 768, 12)),
    "gpt2-medium": (1024, lambda: gpt2(24, 1024, 16)),
}


def gpt2(layers, width, heads):
    return transformers.GPT2LMHeadModel(transformers.GPT2Config(
        n_layer=layers, n_embd=width, n_head=heads, resid_pdrop=0, embd_pdrop=0, attn_pdrop=0, attn_implementation="sdpa"))


def step_ms(make, sequence, batch, autocast):
    model = make().cuda().train()
    if not autocast:
        model.half()
    tokens = torch.randint(0, 30000, (batch, sequence), device="cuda")

    def micro():
        with torch.autocast("cuda", dtype=torch.float16, enabled=autocast):
            loss = model(input_ids=tokens, labels=tokens).loss
        (loss * 8).backward()  # scaled, as a loss in fp16 is

    for _ in range(8):
        micro()
    torch.cuda.synchronize()
    times = []
    for _ in range(5):
        model.zero_grad(set_to_none=True)
        torch.cuda.synchronize()
        began = time.perf_counter()
        for _ in range(MICROS):
            micro()
        torch.cuda.synchronize()
        times.append((time.perf_counter() - began) / MICROS * 1e3)
    return sorted(times)[len(times) // 2]


def main():
    with open(sys.argv[1], "w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(["model", "sequence", "micro_batch", "autocast_ms", "fp16_weights_ms"])
        for name, (sequence, make) in SHAPES.items():
            for batch in (2, 8, 32):
                times = []
                for autocast in (True, False):
                    times.append(step_ms(make, sequence, batch, autocast))
                    torch.cuda.empty_cache()
                table.writerow([name, sequence, batch, *(f"{t:.2f}" for t in times)])
                file.flush()
                print(name, batch, times, flush=True)


main()
