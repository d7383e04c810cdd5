"""Lightning, as `lightning` or as `pytorch_lightning`."""
import importlib
import os
import sys

from .._meter import Meter, guarded


def _bases():
    """The class that the user's Trainer knows: of the packages that are imported, or else of the first that there is."""
    names = ("lightning.pytorch", "pytorch_lightning")
    loaded = [sys.modules[name].Callback for name in names if hasattr(sys.modules.get(name), "Callback")]
    if loaded:
        return tuple(dict.fromkeys(loaded))
    try:
        return (importlib.import_module(names[0]).Callback,)
    except ImportError:
        return (importlib.import_module(names[1]).Callback,)


class Lightning(*_bases()):
    """Trainer(..., callbacks=[stint.callbacks.Lightning()]).

    What modules log with self.log() is recorded every trainer.log_every_n_steps steps, and after each epoch and
    validation. When the run must stop, trainer.save_checkpoint() is called after the step,
    into `save_dir` (default: the folder of the checkpoints), and training stops. Options: as those of stint.Meter."""

    def __init__(self, save_dir=None, **options):
        super().__init__()
        self.meter = Meter(**options)
        self._save_dir = save_dir
        self._last_saved = ""
        self._step = 0

    @guarded
    def on_train_start(self, trainer, pl_module):
        steps = trainer.estimated_stepping_batches
        batch = getattr(trainer.train_dataloader, "batch_size", None)
        if batch:
            batch *= trainer.accumulate_grad_batches * trainer.world_size
        self._last_saved = self._newest(trainer)
        self._step = trainer.global_step
        self.meter.begin(steps=steps if 0 < steps < float("inf") else None, model=pl_module, samples=batch,
                         rank=trainer.global_rank, step=trainer.global_step)

    @guarded
    def on_train_batch_end(self, trainer, pl_module, outputs, batch, batch_idx):
        if trainer.global_step == self._step:
            return  # gradients are accumulated
        self._step = trainer.global_step
        # By the step, which is the same on all ranks: to compute metrics may take all of them.
        every = trainer.log_every_n_steps
        metrics = trainer.callback_metrics if every and trainer.global_step % every == 0 else None
        self.meter.step(metrics, step=trainer.global_step)
        self._tell_checkpoint(trainer)
        if self.meter.should_stop:
            trainer.should_stop = True
        if self.meter.should_save:
            self._save(trainer)

    def _save(self, trainer):
        callback = trainer.checkpoint_callback
        folder = self._save_dir or getattr(callback, "dirpath", None) or trainer.default_root_dir
        path = os.path.join(str(folder), f"stint-step={trainer.global_step}.ckpt")
        self.meter.should_save = False
        trainer.save_checkpoint(path)
        self.meter.phase("auto")
        self.meter.saved(path)

    def _newest(self, trainer):
        callback = trainer.checkpoint_callback
        return getattr(callback, "_last_checkpoint_saved", "") or getattr(callback, "best_model_path", "")

    def _tell_checkpoint(self, trainer):
        self.meter.phase("auto")
        newest = self._newest(trainer)
        if newest and newest != self._last_saved:
            self._last_saved = newest
            self.meter.saved(newest)

    @guarded
    def on_save_checkpoint(self, trainer, pl_module, checkpoint):
        self.meter.phase("checkpoint")

    @guarded
    def on_train_epoch_end(self, trainer, pl_module):
        self._log_all(trainer)

    @guarded
    def on_validation_start(self, trainer, pl_module):
        self.meter.phase("evaluate")

    @guarded
    def on_validation_end(self, trainer, pl_module):
        self.meter.phase("auto")
        if not trainer.sanity_checking:
            self._log_all(trainer)

    def _log_all(self, trainer):
        self.meter._read_at = 0.0  # also what is on a device
        self.meter.log(trainer.callback_metrics, step=trainer.global_step)

    @guarded
    def on_train_end(self, trainer, pl_module):
        self._tell_checkpoint(trainer)
        self.meter.end()
