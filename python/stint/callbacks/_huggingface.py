"""Hugging Face transformers: Trainer, and what is made from it (TRL, axolotl, LLaMA-Factory)."""
import os

from transformers import TrainerCallback

from .._job import describe
from .._meter import Meter, guarded


def _numbers(logs):
    """Version 5 logs some numbers as text."""
    values = {}
    for name, value in (logs or {}).items():
        if isinstance(value, str):
            try:
                value = float(value)
            except ValueError:
                continue
        values[name] = value
    return values


class HuggingFace(TrainerCallback):
    """Trainer(..., callbacks=[stint.callbacks.HuggingFace()]). On every rank: it reports on rank 0 only.

    Everything that Trainer logs is recorded. When the run must stop, Trainer saves a checkpoint and stops after the step.
    Options: as those of stint.Meter."""

    def __init__(self, **options):
        self.meter = Meter(**options)
        self._tokens = 0

    @guarded
    def on_train_begin(self, args, state, control, model=None, train_dataloader=None, **kwargs):
        batch = args.train_batch_size * args.gradient_accumulation_steps * max(1, getattr(args, "world_size", 1))
        self._tokens = getattr(state, "num_input_tokens_seen", 0) or 0
        self.meter.begin(steps=state.max_steps, model=model, samples=batch, rank=getattr(args, "process_index", None),
                         step=state.global_step)
        self.meter.job(lambda: describe(args, state, model, train_dataloader))

    @guarded
    def on_step_end(self, args, state, control, **kwargs):
        seen = getattr(state, "num_input_tokens_seen", 0) or 0
        self.meter.step(step=state.global_step, tokens=seen - self._tokens if seen > self._tokens else None)
        self._tokens = max(seen, self._tokens)
        if self.meter.should_stop:
            control.should_training_stop = True
            control.should_evaluate = False  # the time that is left is for the save
        if self.meter.should_save:
            self.meter.should_save = False
            control.should_save = True

    @guarded
    def on_log(self, args, state, control, logs=None, **kwargs):
        self.meter.log(_numbers(logs), step=state.global_step)

    @guarded
    def on_prediction_step(self, args, state, control, **kwargs):
        self.meter.phase("evaluate")

    @guarded
    def on_evaluate(self, args, state, control, **kwargs):
        self.meter.phase("auto")

    @guarded
    def on_predict(self, args, state, control, metrics=None, **kwargs):
        self.meter.phase("auto")

    @guarded
    def on_save(self, args, state, control, **kwargs):
        self.meter.saved(os.path.join(args.output_dir, f"checkpoint-{state.global_step}"))

    @guarded
    def on_train_end(self, args, state, control, **kwargs):
        self.meter.end()
