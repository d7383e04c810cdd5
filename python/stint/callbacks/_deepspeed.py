"""DeepSpeed: an engine whose steps are counted."""
from .._meter import Meter, guarded


class DeepSpeed:
    """Counts the steps of an engine of deepspeed.initialize(), on every rank.

        meter = stint.callbacks.DeepSpeed(engine, save_dir="out")
        for batch in loader:
            loss = engine(batch)
            engine.backward(loss)
            engine.step()
            meter.log(loss=loss)
            if meter.should_stop:  # engine.save_checkpoint() has been called
                break

    engine.step() and engine.train_batch() work as before. When the run must stop, engine.save_checkpoint(save_dir) is
    called after the step, on all ranks. What the engine writes to its monitor is recorded. Options: as those of
    stint.Meter."""

    def __init__(self, engine, save_dir=None, **options):
        self.meter = Meter(**options)
        self._engine, self._save_dir = engine, save_dir
        self._step = 0
        self._wrap(engine)

    @guarded
    def _wrap(self, engine):
        self._step = engine.global_steps
        self.meter.begin(model=engine.module, samples=engine.train_batch_size(), step=engine.global_steps)
        for name in ("step", "train_batch"):
            if hasattr(engine, name):
                setattr(engine, name, self._around(getattr(engine, name)))
        monitor = getattr(engine, "monitor", None)
        if hasattr(monitor, "write_events"):
            monitor.write_events = self._around_events(monitor.write_events)

    def _around(self, original):
        def call(*arguments, **named):
            result = original(*arguments, **named)
            self._after_step()
            return result
        return call

    def _around_events(self, original):
        def write_events(events, *arguments, **named):
            self._log_events(events)
            return original(events, *arguments, **named)
        return write_events

    @guarded
    def _log_events(self, events):
        for name, value, _samples in events:
            self.meter.log({name: value})

    @guarded
    def _after_step(self):
        engine = self._engine
        if engine.global_steps == self._step:
            return  # gradients are accumulated, or train_batch() has called step()
        self._step = engine.global_steps
        rates = engine.get_lr() if hasattr(engine, "get_lr") else None
        self.meter.step({"learning_rate": rates[0]} if rates else None, step=engine.global_steps)
        if self.meter.should_save:
            self._save()

    def _save(self):
        self.meter.should_save = False
        if self._save_dir is None:
            return
        self.meter.phase("checkpoint")
        self._engine.save_checkpoint(self._save_dir)
        self.meter.phase("auto")
        self.meter.saved(self._save_dir)

    @property
    def should_stop(self):
        """Save (unless there is a save_dir, where that was done) and end now."""
        return self.meter.should_stop

    def log(self, metrics=None, **more):
        """Any numbers by name. A value on a GPU is read once a second at most."""
        self.meter.log(metrics, **more)

    def end(self):
        """Training has ended."""
        self.meter.end()
