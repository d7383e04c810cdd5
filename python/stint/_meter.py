"""What training loops report, and how they are stopped: shared by all callbacks, and usable by itself.

    loop = stint.steps(loader, epochs=3, save=lambda: torch.save(model.state_dict(), "last.pt"))
    for batch in loop:
        ...
        loop.log(loss=loss)

Nothing here raises into training: the first error is a warning, all are counted (`errors`). Only rank 0 reports. With
several ranks a request to stop takes effect after the same step on all of them, since a rank that stops alone would leave
the others waiting.
"""
import datetime
import functools
import os
import sys
import time
import warnings

from . import _job, _socket

SEND_EVERY_S = 0.05  # a step without metrics
READ_EVERY_S = 1.0  # values on a device: reading one waits for the device
COUNT_EVERY_S = 1.0  # samples and tokens so far
AGREE_EVERY_S = 1.0  # ranks ask rank 0
AGREE_MOST_STEPS = 10000
MEET_S = 30  # that ranks wait for each other when training begins
NOTHING, SAVE, STOP = 0, 1, 2  # what rank 0 asks for

_told = set()


def tell(text, stacklevel=3):
    """Once in a process, as a warning; a filter that makes errors of warnings makes none of this one."""
    if text in _told:
        return
    _told.add(text)
    try:
        warnings.warn("stint: " + text, RuntimeWarning, stacklevel=stacklevel)
    except Exception:  # pylint: disable=broad-except
        try:
            print("stint: warning:", text, file=sys.stderr)
        except Exception:  # pylint: disable=broad-except
            pass


def guarded(method):
    """For what frameworks call: an error is counted, not raised. The object has its meter in `meter`, or is one."""
    @functools.wraps(method)
    def call(self, *arguments, **named):
        try:
            return method(self, *arguments, **named)
        except Exception as error:  # pylint: disable=broad-except
            getattr(self, "meter", self).failed(error)
            return None
    return call


def _distributed():
    """torch.distributed, when it is in use; nothing is imported."""
    module = sys.modules.get("torch.distributed")
    return module if module is not None and module.is_available() and module.is_initialized() else None


def find_rank():
    """Of this process among all that train together; 0 when there are no others."""
    distributed = _distributed()
    if distributed is not None:
        return distributed.get_rank()
    state = getattr(sys.modules.get("accelerate.state"), "PartialState", None)
    index = getattr(state, "_shared_state", {}).get("process_index") if state is not None else None
    if index is not None:
        return int(index)
    for name in ("RANK", "SLURM_PROCID", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "LOCAL_RANK"):
        value = os.environ.get(name, "")
        if value.isdigit():
            return int(value)
    return 0


def on_device(value):
    """Would reading it wait for a device?"""
    device = getattr(value, "device", None)
    return device is not None and "cpu" not in str(getattr(device, "type", device)).lower()


def count_parameters(model):
    """(all, those that are trained), of a PyTorch or Keras model; None: not known."""
    try:
        if hasattr(model, "parameters"):
            sizes = [(getattr(p, "ds_numel", None) or p.numel(), p.requires_grad) for p in model.parameters()]
            return sum(n for n, _ in sizes), sum(n for n, trained in sizes if trained)
        total = model.count_params()
        return total, sum(int(w.numpy().size if hasattr(w, "numpy") else w.size) for w in model.trainable_weights)
    except Exception:  # pylint: disable=broad-except
        return None


class Agreement:
    """Between ranks: rank 0 says after which step all of them save or stop, about once a second."""

    _meetings = 0

    def __init__(self):
        self.world = 1
        self.works = True  # False: other ranks do not take part
        self._every = 1
        self._left = 1
        self._at = 0.0

    def begin(self):
        """Every rank must take part, or a broadcast would hang. They meet at the store of the process group, and what
        the first to decide writes there holds for all."""
        distributed = _distributed()
        self.world = distributed.get_world_size() if distributed is not None else 1
        if self.world == 1:
            return
        Agreement._meetings += 1
        key = f"stint/meeting/{Agreement._meetings}"
        self.works = False
        store = distributed.distributed_c10d._get_default_store()
        if store.add(key, 1) >= self.world:
            store.compare_set(key + "/verdict", "", "yes")
        else:
            try:
                store.wait([key + "/verdict"], datetime.timedelta(seconds=MEET_S))
            except RuntimeError:
                store.compare_set(key + "/verdict", "", "no")
        self.works = store.get(key + "/verdict") == b"yes"
        self._at = time.monotonic()

    def step(self, wanted):
        """What all ranks do after this step, of what rank 0 wants."""
        if self.world == 1:
            return wanted
        self._left -= 1
        if not self.works or self._left > 0:
            return NOTHING
        now = time.monotonic()
        pace = (now - self._at) / self._every
        every = min(AGREE_MOST_STEPS, 4 * self._every, max(1, int(AGREE_EVERY_S / max(pace, 1e-9))))
        self._at = now
        try:
            wanted, self._every = self._broadcast([wanted, every])
        except Exception:
            self.works = False
            raise
        self._left = self._every
        return wanted

    @staticmethod
    def _broadcast(values):
        torch, distributed = sys.modules["torch"], _distributed()
        backend = str(distributed.get_backend())
        device = "cuda" if "gloo" not in backend and "mpi" not in backend and torch.cuda.is_available() else "cpu"
        tensor = torch.tensor(values, dtype=torch.int64, device=device)
        distributed.broadcast(tensor, 0)
        return tensor.tolist()


class Meter:
    """One training loop, as the run that it belongs to sees it.

    steps: in all, if known. samples, tokens: of one step, of all ranks together. model: to count its parameters. rank:
    of this process (default: found). Others, such as budget="$5": for stint.run(), if this process does not belong to a
    run yet."""

    def __init__(self, steps=None, samples=None, tokens=None, model=None, rank=None, **run_options):
        self.errors = 0
        self.step_count = 0
        self.should_stop = False  # save and end
        self.should_save = False  # save, and go on
        self.reason = None  # of the stop: "budget reached ($4.98 of $5.00)"
        self._steps, self._model, self._rank = steps, model, rank
        self._samples_step, self._tokens_step = samples, tokens
        self._samples = self._tokens = 0
        self._run_options = run_options
        self._run = None
        self._connection = _socket.Connection(None)
        self._agreement = Agreement()
        self._opened = self._begun = False
        self._pending = NOTHING
        self._phase = None
        self._send_at = self._read_at = self._count_at = 0.0

    # ---- begin and end ----

    @guarded
    def begin(self, steps=None, model=None, samples=None, tokens=None, rank=None, step=None):
        """Training begins: called by all ranks. Again: training begins again."""
        self._steps = steps or self._steps
        self._model = model if model is not None else self._model
        self._samples_step = samples or self._samples_step
        self._tokens_step = tokens or self._tokens_step
        self.step_count = int(step or self.step_count)
        self._begun = True
        if rank is not None:
            self._rank = rank
        first = self._open()
        self._agreement = Agreement()
        self._agreement.begin()
        if self._agreement.world > 1 and not self._agreement.works:
            tell("not all ranks have this callback: a budget or a spot notice cannot save and stop training; use it on "
                 "every rank, it reports on rank 0 only")
        elif first:
            self._connection.listen()
        if first:
            self._describe()

    def _open(self):
        """Connect, if this is rank 0: is it?"""
        if self._rank is None:
            self._rank = find_rank()
        if not self._opened and self._rank == 0:
            self._opened = True
            self._connect()
        return self._rank == 0

    def _connect(self):
        if not os.environ.get("STINT_SOCKET"):
            self._start_run()
        own = getattr(self._run, "socket", None)  # of a run that was started here
        self._connection = _socket.Connection(own) if isinstance(own, str) else _socket.connect()
        if not self._connection:
            tell("this process does not belong to a run: nothing is recorded; start it with 'stint run -- COMMAND'")

    def _start_run(self):
        """Metering from within, when it was asked for."""
        if not self._run_options or self._run is not None:
            return
        import stint
        start = getattr(stint, "run", None)
        if start is None:
            tell("this version cannot start a run by itself: use 'stint run -- COMMAND'")
            return
        run = start(**self._run_options)
        run.__enter__()
        self._run = run

    def job(self, find):
        """What is about to train, of which `find()` makes a job (_job.describe): the run is estimated by it. On rank 0.
        What cannot be described is not estimated."""
        try:
            found = find() if self._open() and self._connection else None
            if found is not None:
                self._connection.job(_job.line_of(found))
        except Exception:  # pylint: disable=broad-except
            pass

    def _describe(self):
        facts = {}
        parameters = count_parameters(self._model) if self._model is not None else None
        if parameters is not None:
            facts = {"model_parameters": parameters[0], "trainable_parameters": parameters[1]}
        self._model = None  # not kept alive
        self._connection.log(facts, steps=self._steps)

    @guarded
    def end(self):
        """Training has ended."""
        self.flush()
        self.phase("auto")
        self._connection.unlisten()
        run, self._run = self._run, None
        if run is not None:
            run.__exit__(None, None, None)

    def failed(self, error):
        """An error of ours: training goes on."""
        self.errors += 1
        tell(f"a callback failed, training continues: {type(error).__name__}: {error}")

    # ---- while it trains ----

    @guarded
    def step(self, metrics=None, step=None, samples=None, tokens=None, **more):
        """A step is complete: called by all ranks, for each. Returns whether to save and end now."""
        if not self._begun:
            self.begin()
        self._report_step(metrics, more, step, samples, tokens)
        agreed = self._agreement.step(self._pending)  # on every rank, whatever went wrong on this one
        if agreed != NOTHING:
            self._accept(agreed)
        return self.should_stop

    @guarded
    def _report_step(self, metrics, more, step, samples, tokens):
        self.step_count = self.step_count + 1 if step is None else int(step)
        self._samples += samples or self._samples_step or 0
        self._tokens += tokens or self._tokens_step or 0
        if not self._connection:
            return
        now = time.monotonic()
        if metrics or more:
            self._send(self._readable({**(metrics or {}), **more}, now), now)
        elif now >= self._send_at:
            self._send({}, now)
        self._pending = max(self._pending, self._wanted())

    @guarded
    def log(self, metrics=None, step=None, **more):
        """Any numbers by name, at the step that was reached."""
        if self._open() and self._connection:
            now = time.monotonic()
            values = self._readable({**(metrics or {}), **more}, now)
            if values:
                self._connection.log(values, step=self.step_count if step is None else step, steps=self._steps)

    @guarded
    def phase(self, name):
        """"evaluate", "checkpoint", ... from now on; "auto": as it looks from outside."""
        if name != self._phase and (self._phase is not None or name != "auto"):
            self._phase = name
            self._connection.phase(name)

    @guarded
    def saved(self, path):
        """A checkpoint is complete."""
        self.should_save = False
        self._connection.checkpoint(path)

    def _readable(self, values, now):
        """With those that are on a device once a second, else without."""
        near = {name: value for name, value in values.items() if not on_device(value)}
        if len(near) == len(values) or now < self._read_at:
            return near
        self._read_at = now + READ_EVERY_S
        return values

    def _send(self, values, now):
        self._send_at = now + SEND_EVERY_S
        if now >= self._count_at:
            self._count_at = now + COUNT_EVERY_S
            values = {**values, **self._counts()}
        self._connection.log(values, step=self.step_count, steps=self._steps)

    def _counts(self):
        return {name: count for name, count in (("samples", self._samples), ("tokens", self._tokens)) if count}

    @guarded
    def flush(self):
        """The last step is recorded, however fast they were."""
        if self._connection and self.step_count > 0:
            self._connection.log(self._counts(), step=self.step_count, steps=self._steps)

    def _wanted(self):
        if self.should_stop:
            return NOTHING
        if self._connection.look() is not None:
            return STOP
        return SAVE if self._connection.take_save() is not None else NOTHING

    def _accept(self, agreed):
        self.should_save = True
        self._pending = NOTHING
        if agreed == STOP and not self.should_stop:
            self.should_stop = True
            self.reason = self._connection.stop.text if self._connection.stop is not None else None


    def __getstate__(self):
        """Frameworks copy callbacks, and send them to other processes: there it begins again."""
        return {**self.__dict__, "_connection": _socket.Connection(None), "_agreement": Agreement(), "_run": None,
                "_opened": False, "_begun": False, "_model": None}


class Steps:
    """A loop over batches: each is a step. It ends when the run must stop, after `save()`."""

    def __init__(self, batches, meter, epochs, save):
        self.meter = meter
        self._batches, self._save = batches, save
        try:
            steps = len(batches) * (epochs or 1) if epochs or not meter._begun else None
        except Exception:  # pylint: disable=broad-except
            steps = None
        if not meter._begun:
            meter.begin(steps=steps)

    def __len__(self):
        return len(self._batches)

    def __iter__(self):
        meter = self.meter
        if meter.should_stop:
            return
        for batch in self._batches:
            yield batch
            meter.step()
            if meter.should_save:
                self._save_now()
            if meter.should_stop:
                return
        meter.flush()

    def _save_now(self):
        """What the user's own function raises is the user's."""
        self.meter.should_save = False
        if self._save is None:
            return
        self.meter.phase("checkpoint")
        path = self._save()
        self.meter.phase("auto")
        self.meter.saved(path if path is not None else "saved")

    def log(self, metrics=None, **more):
        """Any numbers by name. A value on a GPU is read once a second at most, since that waits for the GPU."""
        self.meter.log(metrics, **more)

    @property
    def should_stop(self):
        """Did the loop end because the run must?"""
        return self.meter.should_stop


_loop_meter = None


def steps(batches, epochs=None, save=None, **options):
    """Batches of a plain training loop: `for batch in stint.steps(loader)`. Later calls (the next epochs) go on counting.

    epochs: how many times the loop runs, for the time left. save: called when the run asks for a checkpoint, such as
    before a budget is spent; may return the path. Options as those of stint.Meter."""
    global _loop_meter
    if _loop_meter is None:
        _loop_meter = Meter(**options)
    return Steps(batches, _loop_meter, epochs, save)
