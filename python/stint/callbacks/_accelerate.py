"""Hugging Face Accelerate: a tracker, and a word on when to stop."""
from accelerate.tracking import GeneralTracker

from .._meter import Meter, guarded


class Accelerate(GeneralTracker):
    """What accelerator.log() is given is recorded; should_stop() counts a step and says when to save and end.

        tracker = stint.callbacks.Accelerate()
        accelerator = Accelerator(log_with=tracker)
        accelerator.init_trackers("project")
        for batch in loader:
            ...
            accelerator.log({"loss": loss.item()}, step=step)
            if tracker.should_stop():  # on every rank, once for each step
                accelerator.save_state("out")
                tracker.saved("out")
                break
        accelerator.end_training()

    Options: as those of stint.Meter."""

    name = "stint"
    requires_logging_directory = False
    main_process_only = False

    def __init__(self, **options):
        self.meter = Meter(**options)
        super().__init__()

    @property
    def tracker(self):
        return self.meter

    @guarded
    def store_init_configuration(self, values):
        """Names and values of the configuration are no metrics."""

    @guarded
    def log(self, values, step=None, **kwargs):
        self.meter.log(values, step=step)

    @guarded
    def should_stop(self, step=None, samples=None, tokens=None):
        """A step is complete: save and end now? On every rank, once for each step."""
        self.meter.step(step=step, samples=samples, tokens=tokens)
        return self.meter.should_stop

    @property
    def should_save(self):
        """After should_stop(): the run asks for a checkpoint; saved() answers."""
        return self.meter.should_save

    def saved(self, path):
        """A checkpoint is complete."""
        self.meter.saved(path)

    @guarded
    def finish(self):
        self.meter.end()
