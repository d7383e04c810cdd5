"""Timing, power and CSV helpers shared by the measuring scripts (PyTorch, one CUDA device)."""
import csv
import ctypes
import gc
import os
import statistics
import threading
import time
import traceback

import torch


class Table:
    """A CSV file written row by row, so that an interrupted run keeps what it measured."""

    def __init__(self, path, columns):
        self.columns = columns
        os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
        self.file = open(path, "w", newline="")
        self.writer = csv.writer(self.file, lineterminator="\n")
        self.writer.writerow(columns)
        self.rows = 0

    def add(self, **values):
        unknown = set(values) - set(self.columns)
        if unknown:
            raise KeyError(f"unknown columns: {unknown}")
        self.writer.writerow([values.get(c, "") for c in self.columns])
        self.file.flush()
        self.rows += 1


class Power:
    """Mean board power through NVML. The card reports the mean of the last second, so samples taken in the first
    second of a measurement are left out where later ones exist."""

    def __init__(self):
        self.nvml = None
        try:
            nvml = ctypes.CDLL("libnvidia-ml.so.1")
            handle = ctypes.c_void_p()
            if nvml.nvmlInit_v2() == 0 and nvml.nvmlDeviceGetHandleByIndex_v2(0, ctypes.byref(handle)) == 0:
                self.nvml, self.handle = nvml, handle
        except OSError:
            pass

    def now_w(self):
        value = ctypes.c_uint()
        if self.nvml and self.nvml.nvmlDeviceGetPowerUsage(self.handle, ctypes.byref(value)) == 0:
            return value.value / 1000.0
        return None

    def start(self):
        self.samples, self.stop_flag = [], threading.Event()
        t0 = time.perf_counter()

        def sample():
            while not self.stop_flag.wait(0.4):  # the mean of a second needs no more
                watts = self.now_w()
                if watts:
                    self.samples.append((time.perf_counter() - t0, watts))

        self.thread = threading.Thread(target=sample, daemon=True)
        self.thread.start()

    def stop(self):
        """Mean watts since start(), 0 where unknown."""
        self.stop_flag.set()
        self.thread.join()
        late = [w for t, w in self.samples if t > 1.0] or [w for _, w in self.samples[-1:]]
        return statistics.mean(late) if late else 0.0


POWER = Power()


def set_fp32(dtype):
    """tf32 or plain fp32 for the products and convolutions that follow."""
    torch.set_float32_matmul_precision("highest" if dtype == "fp32" else "high")
    torch.backends.cudnn.allow_tf32 = dtype != "fp32"


def free_memory():
    gc.collect()
    torch.cuda.synchronize()
    torch.cuda.empty_cache()


def gpu_time_us(calls, target_ms=4.0, replays=5, eager=False):
    """Device microseconds per call. The calls (one, or several over different buffers, used in turn) are
    captured into one CUDA graph, so the host's launch cost is not in the number; eager: events around a loop."""
    if callable(calls):
        calls = [calls]
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    with torch.cuda.stream(stream):
        for i in range(3):
            calls[i % len(calls)]()
        begin.record()
        for i in range(2):
            calls[i % len(calls)]()
        end.record()
        stream.synchronize()
        estimate = max(begin.elapsed_time(end) / 2, 1e-4)
    count = int(min(max(target_ms / estimate, 2), 200))
    if len(calls) > 1:
        count = -(-count // len(calls)) * len(calls) if count > len(calls) else len(calls)
    if eager:
        def run():
            for i in range(count):
                calls[i % len(calls)]()
    else:
        graph = torch.cuda.CUDAGraph()
        torch.cuda.synchronize()
        with torch.cuda.stream(stream):
            graph.capture_begin()
            try:
                for i in range(count):
                    calls[i % len(calls)]()
            finally:
                graph.capture_end()
        run = graph.replay
        run()
    times = []
    with torch.cuda.stream(stream):
        for _ in range(replays):
            begin.record()
            run()
            end.record()
            stream.synchronize()
            times.append(begin.elapsed_time(end) * 1000.0 / count)
    torch.cuda.current_stream().wait_stream(stream)
    return statistics.median(times)


def host_time_us(run, operations, repeats=9):
    """Host microseconds per operation: run() issues them without waiting for the device."""
    times = []
    for _ in range(repeats + 2):
        torch.cuda.synchronize()
        t0 = time.perf_counter()
        run()
        times.append((time.perf_counter() - t0) * 1e6 / operations)
    torch.cuda.synchronize()
    return statistics.median(times[2:])


def measure_steps(step, seconds=2.0, warmup=3, most=400):
    """Complete training steps: wall time per step, memory in GB (1e9 bytes) and mean board power."""
    for _ in range(warmup):
        step()
    torch.cuda.synchronize()
    torch.cuda.reset_peak_memory_stats()
    t0 = time.perf_counter()
    step()
    step()
    torch.cuda.synchronize()
    estimate = (time.perf_counter() - t0) / 2
    count = int(min(max(seconds / estimate, 4), most))
    times = []
    POWER.start()
    for _ in range(4):  # four runs of the loop; the median run
        part = max(count // 4, 1)
        t0 = time.perf_counter()
        for _ in range(part):
            step()
        torch.cuda.synchronize()
        times.append((time.perf_counter() - t0) / part)
    watts = POWER.stop()
    free, total = torch.cuda.mem_get_info()
    return {
        "step_s": statistics.median(times),
        "allocated": torch.cuda.max_memory_allocated() / 1e9,
        "reserved": torch.cuda.max_memory_reserved() / 1e9,
        "device": (total - free) / 1e9,
        "watts": watts,
    }


def section(name, function, *arguments):
    """Runs one part; a failure is printed and the next part goes on."""
    t0 = time.perf_counter()
    try:
        function(*arguments)
    except Exception:  # pylint: disable=broad-except
        print(f"{name}: failed", flush=True)
        traceback.print_exc()
    print(f"{name}: {time.perf_counter() - t0:.1f} s", flush=True)
    free_memory()
