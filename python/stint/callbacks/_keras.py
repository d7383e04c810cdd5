"""Keras 3, and Keras 2 inside TensorFlow."""
import importlib
import os
import sys

from .._meter import Meter, guarded


def _base():
    for name in ("keras", "tensorflow.keras", "tf_keras"):
        if hasattr(sys.modules.get(name), "callbacks"):
            return sys.modules[name].callbacks.Callback
    try:
        return importlib.import_module("keras").callbacks.Callback
    except ImportError:
        return importlib.import_module("tensorflow").keras.callbacks.Callback


class Keras(_base()):
    """model.fit(..., callbacks=[stint.callbacks.Keras()]).

    When the run must stop, the model is saved as stint-step-N.keras in `save_dir` (default: the working directory), or by
    `save(model, step)`, and training stops after the batch. Options: as those of stint.Meter."""

    _supports_tf_logs = True  # tensors are not read at each batch

    def __init__(self, save_dir=".", save=None, **options):
        super().__init__()
        self.meter = Meter(**options)
        self._save_dir, self._save_with = save_dir, save

    @guarded
    def on_train_begin(self, logs=None):
        params = self.params or {}
        steps = (params.get("steps") or 0) * (params.get("epochs") or 0)
        self.meter.begin(steps=steps or None, model=self.model)

    @guarded
    def on_train_batch_end(self, batch, logs=None):
        self.meter.step(logs)
        if self.meter.should_stop:
            self.model.stop_training = True
        if self.meter.should_save:
            self._save()

    def _save(self):
        step = self.meter.step_count
        self.meter.should_save = False
        self.meter.phase("checkpoint")
        if self._save_with is not None:
            path = self._save_with(self.model, step)
        else:
            path = os.path.join(self._save_dir, f"stint-step-{step}.keras")
            self.model.save(path)
        self.meter.phase("auto")
        self.meter.saved(path or "saved")

    @guarded
    def on_epoch_end(self, epoch, logs=None):
        self.meter.log({**(logs or {}), "epoch": epoch + 1})

    @guarded
    def on_test_begin(self, logs=None):
        self.meter.phase("evaluate")

    @guarded
    def on_test_end(self, logs=None):
        self.meter.phase("auto")

    @guarded
    def on_train_end(self, logs=None):
        self.meter.end()
