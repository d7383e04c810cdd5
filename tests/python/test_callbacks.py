"""Callbacks of training frameworks. run.py runs it.

Transformers, Lightning, Keras, Accelerate and DeepSpeed are stand-ins here: they call the hooks in the order in which the
real ones do. h200_callbacks.py runs the real packages where they are installed."""
import copy
import importlib.util
import json
import os
import pickle
import subprocess
import sys
import tempfile
import textwrap
import types
import unittest
import warnings

import stint
from stint import _job, _meter, _socket
from test_socket import Supervisor


def module(name, **members):
    """A package that is imported already."""
    made = types.ModuleType(name)
    made.__dict__.update(members)
    return made


class Bad:
    """Metrics that cannot be read."""

    def keys(self):
        raise RuntimeError("bad metrics")


class Case(unittest.TestCase):
    """With a supervisor that sends a request to stop when it is told to."""

    def setUp(self):
        self.run_ = Supervisor()
        self.addCleanup(self.run_.end)
        os.environ["STINT_SOCKET"] = self.run_.path
        self.addCleanup(os.environ.pop, "STINT_SOCKET", None)
        self.addCleanup(self.forget_rank)
        self.look_every, _socket.LOOK_EVERY_S = _socket.LOOK_EVERY_S, 0
        self.send_every, _meter.SEND_EVERY_S = _meter.SEND_EVERY_S, 0
        self.addCleanup(setattr, _socket, "LOOK_EVERY_S", self.look_every)
        self.addCleanup(setattr, _meter, "SEND_EVERY_S", self.send_every)
        _meter._told.clear()
        _meter._loop_meter = None

    @staticmethod
    def forget_rank():
        for name in ("RANK", "LOCAL_RANK", "SLURM_PROCID"):
            os.environ.pop(name, None)

    def stop(self, **more):
        """Ask what is connected to save and end."""
        if not self.run_.clients:
            self.run_.accept()
        self.run_.tell(**{"stint": "save", "stop": True, "reason": "budget", "text": "budget reached", **more})

    def reported(self):
        """All lines, after the program has disconnected."""
        _socket.connect().close()
        if not self.run_.clients:
            self.run_.accept()
        client = self.run_.clients[0]
        client.settimeout(30)
        text = b"".join(iter(lambda: client.recv(1 << 16), b""))
        return [json.loads(line) for line in text.splitlines()]

    def series(self, lines, name):
        return [(line.get("step"), line[name]) for line in lines if name in line]


class Meters(Case):
    def test_steps_and_metrics_are_reported(self):
        meter = stint.Meter(steps=3, samples=8, tokens=100)
        for step in range(3):
            self.assertFalse(meter.step(loss=3.0 - step))
        meter.end()
        lines = self.reported()
        self.assertEqual(lines[0], {"stint": "listen"})
        self.assertEqual(self.series(lines, "loss"), [(1, 3), (2, 2), (3, 1)])
        self.assertEqual(lines[-1], {"samples": 24, "tokens": 300, "step": 3, "steps": 3})
        self.assertEqual(meter.errors, 0)

    def test_only_rank_0_reports(self):
        os.environ["RANK"] = "1"
        meter = stint.Meter()
        for _ in range(3):
            meter.step(loss=1)
        meter.log(more=2)
        meter.end()
        self.run_.listener.settimeout(0.2)
        with self.assertRaises(OSError):
            self.run_.accept()

    def test_ranks_by_their_variables(self):
        for name, value, rank in (("LOCAL_RANK", "3", 3), ("SLURM_PROCID", "2", 2), ("RANK", "1", 1), ("RANK", "", 2)):
            os.environ[name] = value
            self.assertEqual(_meter.find_rank(), rank, name)

    def test_a_stop_is_asked_for_once(self):
        meter = stint.Meter()
        self.assertFalse(meter.step())
        self.stop()
        self.assertTrue(meter.step())
        self.assertTrue(meter.should_save)
        self.assertEqual(meter.reason, "budget reached")
        meter.saved("x")
        self.assertTrue(meter.step())
        self.assertFalse(meter.should_save)  # it was saved already

    def test_a_save_without_a_stop(self):
        meter = stint.Meter()
        meter.step()
        self.stop(stop=False)
        self.assertFalse(meter.step())
        self.assertTrue(meter.should_save)

    def test_errors_are_counted_and_told_once(self):
        meter = stint.Meter()
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            for _ in range(3):
                meter.step(Bad())
        self.assertEqual(meter.errors, 3)
        self.assertEqual([str(w.message) for w in seen],
                         ["stint: a callback failed, training continues: RuntimeError: bad metrics"])
        _meter._told.clear()
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            meter.step(Bad())  # not even then

    def test_an_error_on_one_rank_does_not_keep_it_from_the_others(self):
        meter = stint.Meter()
        asked = []
        meter.step()
        meter._agreement.step = lambda wanted: asked.append(wanted) or 0
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            meter.step(Bad())
        self.assertEqual((asked, meter.errors), ([0], 1))

    def test_after_the_end_it_does_not_listen(self):
        meter = stint.Meter()
        meter.step()
        meter.end()
        meter.log(final=1)
        lines = self.reported()
        self.assertEqual(lines[0], {"stint": "listen"})
        second = self.run_.accept()
        self.assertEqual(self.run_.lines(1, second), [{"final": 1, "step": 1}])

    def test_values_on_a_device_are_read_once_a_second(self):
        class OnGpu:
            device = types.SimpleNamespace(type="cuda")
            reads = 0

            def item(self):
                OnGpu.reads += 1
                return 1.5

        meter = stint.Meter()
        for step in range(100):
            meter.step({"loss": OnGpu(), "lr": 0.1})
        self.assertEqual(OnGpu.reads, 1)
        lines = self.reported()
        self.assertEqual(self.series(lines, "loss"), [(1, 1.5)])
        self.assertEqual(len(self.series(lines, "lr")), 100)

    def test_outside_a_run_it_says_so_once(self):
        os.environ.pop("STINT_SOCKET")
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            for _ in range(2):
                meter = stint.Meter()
                self.assertFalse(meter.step(loss=1))
                meter.end()
        self.assertEqual(len(seen), 1)
        self.assertIn("does not belong to a run", str(seen[0].message))

    def test_outside_a_run_it_may_start_one(self):
        path = os.environ.pop("STINT_SOCKET")
        calls = []

        class Started:
            socket = path

            def __enter__(self):
                calls.append("enter")
                return self

            def __exit__(self, *_error):
                calls.append("exit")

        stint.run = lambda **options: calls.append(options) or Started()
        self.addCleanup(stint.__dict__.pop, "run", None)
        meter = stint.Meter(budget="$5")
        meter.step(loss=1)
        meter.end()
        self.assertEqual(calls, [{"budget": "$5"}, "enter", "exit"])
        meter._connection.close()
        client = self.run_.accept()
        self.assertEqual(self.series(self.run_.lines(3, client), "loss"), [(1, 1)])

    def test_the_package_does_not_load_the_operations(self):
        code = "import sys, stint.callbacks, stint._meter; stint.Meter; assert 'stint._operations' not in sys.modules"
        ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60)
        self.assertEqual(ended.returncode, 0, ended.stderr)

    def test_copies_begin_again(self):
        meter = stint.Meter()
        meter.step(loss=1)
        for other in (copy.deepcopy(meter), pickle.loads(pickle.dumps(meter))):
            self.assertFalse(other.step())
            self.assertEqual(other.errors, 0)

    def test_parameters_of_models(self):
        class Keras:
            trainable_weights = [types.SimpleNamespace(size=7)]

            def count_params(self):
                return 10

        self.assertEqual(_meter.count_parameters(Keras()), (10, 7))
        self.assertIsNone(_meter.count_parameters(object()))


class Loops(Case):
    def test_a_loop_over_batches(self):
        for _epoch in range(2):
            loop = stint.steps([10, 20, 30], epochs=2)
            for batch in loop:
                loop.log(loss=batch)
        lines = self.reported()
        self.assertEqual(self.series(lines, "loss"), [(0, 10), (1, 20), (2, 30), (3, 10), (4, 20), (5, 30)])
        self.assertEqual((lines[-1]["step"], lines[-1]["steps"]), (6, 6))

    def test_it_ends_after_a_save(self):
        saved = []
        seen = []
        for epoch in range(3):
            for batch in stint.steps(range(5), epochs=3, save=lambda: saved.append(len(seen)) or "last.pt"):
                seen.append(batch)
                if epoch == 1 and batch == 2:
                    self.stop()
        self.assertEqual(seen, [0, 1, 2, 3, 4, 0, 1, 2])
        self.assertEqual(saved, [8])
        self.assertIn({"checkpoint": "last.pt"}, self.reported())

    def test_what_the_save_raises_is_the_users(self):
        def save():
            raise OSError("disk full")

        with self.assertRaisesRegex(OSError, "disk full"):
            for batch in stint.steps(range(5), save=save):
                if batch == 1:
                    self.stop()

    def test_generators_have_no_length(self):
        self.assertEqual(list(stint.steps(n for n in range(3))), [0, 1, 2])
        self.assertEqual(self.reported()[-1], {"step": 3})


class HuggingFace(Case):
    def setUp(self):
        super().setUp()

        class TrainerCallback:
            pass

        self.replace("transformers", TrainerCallback=TrainerCallback)

    def replace(self, name, **members):
        sys.modules[name] = module(name, **members)
        self.addCleanup(sys.modules.pop, name, None)
        for loaded in [n for n in sys.modules if n.startswith("stint.callbacks.")]:
            del sys.modules[loaded]
        for loaded in stint.callbacks.__all__:
            stint.callbacks.__dict__.pop(loaded, None)

    def train(self, callback, stop_at=None, steps=6):
        """As transformers.Trainer does."""
        args = types.SimpleNamespace(train_batch_size=4, gradient_accumulation_steps=2, world_size=1, output_dir="out",
                                     process_index=0)
        state = types.SimpleNamespace(max_steps=steps, global_step=0, num_input_tokens_seen=0)
        control = types.SimpleNamespace(should_save=False, should_training_stop=False, should_evaluate=True)
        saved = []
        callback.on_train_begin(args, state, control, model=None)
        for step in range(1, steps + 1):
            state.global_step = step
            state.num_input_tokens_seen += 512
            if step == stop_at:
                self.stop()
            callback.on_step_end(args, state, control)
            if step % 2 == 0:
                callback.on_log(args, state, control, logs={"loss": "%.1f" % (9 - step), "epoch": step / 10, "grad_norm": 1.5})
            if step == 3:
                callback.on_prediction_step(args, state, control)
                callback.on_prediction_step(args, state, control)
                callback.on_log(args, state, control, logs={"eval_loss": 0.5, "eval_accuracy": 0.9})
                callback.on_evaluate(args, state, control, metrics={})
            if control.should_save:
                saved.append(step)
                control.should_save = False
                callback.on_save(args, state, control)
            if control.should_training_stop:
                break
        callback.on_train_end(args, state, control)
        return saved, state.global_step, control

    # ---- the job, by which the run is estimated ----

    def torch(self):
        """As much of it as tells what trains, with a random state."""
        drawn = [7]
        return module("torch", bfloat16="bf16", float16="fp16", float32="fp32",
                      cuda=types.SimpleNamespace(get_device_name=lambda device: "NVIDIA H200"),
                      get_rng_state=lambda: list(drawn), set_rng_state=lambda state: drawn.__setitem__(0, state[0]), drawn=drawn)

    @staticmethod
    def model(dtype="bf16", adapter=None, frozen=0, **config):
        def weights(count, trained):
            return types.SimpleNamespace(numel=lambda: count, requires_grad=trained, dtype=dtype, is_floating_point=lambda: True)

        shapes = {"model_type": "llama", "hidden_size": 2048, "num_hidden_layers": 16, "id2label": {"0": "x" * 5000},
                  "_name_or_path": config.get("_name_or_path"), "rope_scaling": None}
        made = types.SimpleNamespace(
            config=types.SimpleNamespace(to_dict=lambda: dict(shapes), _attn_implementation="sdpa", **config),
            parameters=lambda: iter([weights(1000, adapter is None), weights(10 + frozen, not frozen)]))
        if adapter is not None:
            made.peft_config = {"default": adapter}
        return made

    @staticmethod
    def arguments(**more):
        return types.SimpleNamespace(**{**dict(
            device=types.SimpleNamespace(type="cuda"), per_device_train_batch_size=2, gradient_accumulation_steps=4, world_size=2,
            n_gpu=1, bf16=True, fp16=False, optim="adamw_torch_fused", gradient_checkpointing=True), **more})

    def describe(self, model, arguments=None, rows=(3, 5, 4, 4), done=0):
        sys.modules["torch"] = torch = self.torch()
        self.addCleanup(sys.modules.pop, "torch", None)

        class Rows:
            def __len__(self):
                return len(rows)

            def __getitem__(self, i):
                torch.drawn[0] += 1
                return {"input_ids": [0] * rows[i]}

        state = types.SimpleNamespace(max_steps=100, global_step=done)
        job = _job.describe(arguments or self.arguments(), state, model, types.SimpleNamespace(dataset=Rows()))
        self.assertEqual(torch.drawn, [7])  # training draws the numbers that it would have drawn
        return job

    def test_the_job_of_a_lora(self):
        adapter = types.SimpleNamespace(peft_type="PeftType.LORA", r=8, target_modules={"v_proj", "q_proj"}, use_dora=True,
                                        modules_to_save=None)
        job = self.describe(self.model(adapter=adapter, _name_or_path="/data/models/my-llama/"), done=40)
        self.assertEqual({name: job[name] for name in ("gpu", "gpus", "schema", "kind")},
                         {"gpu": "NVIDIA H200", "gpus": 2, "schema": "stint.job/1", "kind": "train"})
        self.assertEqual(job["job"]["train"], {
            "method": "lora", "rank": 8, "targets": "q_proj,v_proj", "dora": "yes", "model": "my-llama", "sequence": 4,
            "micro_batch": 2, "accumulation": 4, "framework": "hf", "recompute": "full", "steps": 60, "precision": "bf16",
            "optimizer": "adamw", "attention": "flash", "parallel": {"zero": 0}})
        self.assertEqual(job["config"], {"model_type": "llama", "hidden_size": 2048, "num_hidden_layers": 16})
        line = json.loads(_job.line_of(job))
        self.assertEqual((line["stint"], json.loads(line["config"])), ("job", job["config"]))

    def test_the_job_of_a_training_without_a_gpu(self):
        job = self.describe(self.model("fp32"), self.arguments(device=types.SimpleNamespace(type="cpu"), world_size=1, bf16=False))
        self.assertNotIn("gpu", job)
        self.assertEqual((job["kind"], job["job"]["train"]["precision"], job["job"]["train"]["micro_batch"]), ("train", "fp32", 2))

    def test_the_job_of_a_full_training(self):
        job = self.describe(self.model("fp32", _name_or_path="meta-llama/Llama-3.2-1B"),
                            self.arguments(world_size=1, optim="paged_adamw_8bit", gradient_checkpointing=False))
        train = job["job"]["train"]
        self.assertEqual((train["method"], train["precision"], train["optimizer"], train["recompute"], train["model"]),
                         ("full", "amp-bf16", "paged-adamw-8bit", "none", "meta-llama/Llama-3.2-1B"))
        self.assertNotIn("parallel", train)
        self.assertEqual(self.describe(self.model("bf16"))["job"]["train"]["precision"], "bf16-pure")

    def test_the_job_of_a_qlora(self):
        adapter = types.SimpleNamespace(peft_type="LORA", r=16, target_modules="all-linear", modules_to_save=["lm_head"])
        bits = {"load_in_4bit": True, "bnb_4bit_quant_type": "nf4", "bnb_4bit_use_double_quant": True}
        train = self.describe(self.model(adapter=adapter, quantization_config=bits))["job"]["train"]
        self.assertEqual((train["method"], train["base"], train["targets"], train["modules_to_save"]),
                         ("qlora", "nf4-dq", "all-linear", "lm_head"))

    def test_what_is_not_known_well_enough_is_no_job(self):
        prefix = types.SimpleNamespace(peft_type="PREFIX_TUNING", r=16)
        self.assertIsNone(self.describe(self.model(adapter=prefix)))
        self.assertIsNone(self.describe(self.model(frozen=500)))
        self.assertIsNone(self.describe(self.model(), rows=()))
        self.assertIsNone(self.describe(self.model(), self.arguments(device=types.SimpleNamespace(type="mps"))))
        cpu = types.SimpleNamespace(type="cpu")
        self.assertIsNone(self.describe(self.model(), self.arguments(device=cpu, world_size=2)))
        self.assertEqual(self.describe(self.model(), self.arguments(max_length=512), rows=())["job"]["train"]["sequence"], 512)

    def test_its_job_is_reported_once(self):
        sys.modules["torch"] = self.torch()
        self.addCleanup(sys.modules.pop, "torch", None)
        callback = stint.callbacks.HuggingFace()
        state = types.SimpleNamespace(max_steps=10, global_step=0)
        rows = types.SimpleNamespace(dataset=[{"input_ids": [1, 2, 3]}])
        callback.on_train_begin(self.arguments(train_batch_size=2, process_index=0), state, None, model=self.model(),
                                train_dataloader=rows)
        jobs = [line for line in self.reported() if line.get("stint") == "job"]
        self.assertEqual([job["job"]["train"]["steps"] for job in jobs], [10])
        self.assertEqual(callback.meter.errors, 0)

    def test_what_it_logs_is_reported(self):
        callback = stint.callbacks.HuggingFace()
        self.assertIsInstance(callback, sys.modules["transformers"].TrainerCallback)
        self.assertEqual(self.train(callback)[:2], ([], 6))
        lines = self.reported()
        self.assertEqual(self.series(lines, "loss"), [(2, 7), (4, 5), (6, 3)])
        self.assertEqual(self.series(lines, "eval_accuracy"), [(3, 0.9)])
        self.assertEqual([line["phase"] for line in lines if "phase" in line], ["evaluate", "auto"])
        self.assertEqual(lines[-1], {"step": 6, "steps": 6, "samples": 48, "tokens": 3072})
        self.assertEqual(callback.meter.errors, 0)

    def test_a_stop_is_its_own_save_and_stop(self):
        callback = stint.callbacks.HuggingFace()
        saved, step, control = self.train(callback, stop_at=4)
        self.assertEqual((saved, step), ([4], 4))
        self.assertFalse(control.should_evaluate)
        self.assertIn({"checkpoint": "out/checkpoint-4"}, self.reported())

    def test_a_trainer_that_changed_is_no_reason_to_fail(self):
        callback = stint.callbacks.HuggingFace()
        with warnings.catch_warnings(record=True):
            warnings.simplefilter("always")
            for event in ("on_train_begin", "on_step_end", "on_log", "on_save", "on_evaluate", "on_train_end"):
                getattr(callback, event)(None, None, None)
        self.assertGreater(callback.meter.errors, 0)

    def test_a_missing_package_is_an_import_error(self):
        self.replace("transformers")
        sys.modules["transformers"] = None
        with self.assertRaises(ImportError):
            stint.callbacks.HuggingFace  # pylint: disable=pointless-statement

    # ---- Lightning ----

    def lightning(self, package="lightning.pytorch", stop_at=None, accumulate=1):
        class Callback:
            pass

        self.replace(package, Callback=Callback)
        saved = []
        trainer = types.SimpleNamespace(
            estimated_stepping_batches=6 // accumulate, train_dataloader=types.SimpleNamespace(batch_size=16),
            accumulate_grad_batches=accumulate, world_size=1, global_rank=0, global_step=0, should_stop=False,
            log_every_n_steps=2,
            callback_metrics={}, default_root_dir="root", sanity_checking=False,
            checkpoint_callback=types.SimpleNamespace(dirpath="ckpts", best_model_path="", _last_checkpoint_saved=""))
        callback = stint.callbacks.Lightning()

        def save_checkpoint(path):
            callback.on_save_checkpoint(trainer, None, {})
            saved.append(path)

        trainer.save_checkpoint = save_checkpoint
        callback.on_train_start(trainer, None)
        for batch in range(6):
            trainer.global_step = (batch + 1) // accumulate
            trainer.callback_metrics["train_loss"] = 6.0 - batch
            if trainer.global_step == stop_at:
                self.stop()
            callback.on_train_batch_end(trainer, None, None, None, batch)
            if batch == 3:
                callback.on_validation_start(trainer, None)
                trainer.callback_metrics["val_loss"] = 0.25
                callback.on_validation_end(trainer, None)
                trainer.checkpoint_callback._last_checkpoint_saved = "ckpts/epoch=0.ckpt"
            if trainer.should_stop:
                break
        callback.on_train_epoch_end(trainer, None)
        callback.on_train_end(trainer, None)
        self.assertEqual(callback.meter.errors, 0)
        return trainer, saved

    def test_lightning_reports_steps_metrics_and_checkpoints(self):
        trainer, saved = self.lightning()
        self.assertEqual((trainer.global_step, saved), (6, []))
        lines = self.reported()
        self.assertEqual(self.series(lines, "train_loss"), [(2, 5), (4, 3), (4, 3), (6, 1), (6, 1)])
        self.assertEqual(self.series(lines, "val_loss"), [(4, 0.25), (6, 0.25), (6, 0.25)])
        self.assertIn({"checkpoint": "ckpts/epoch=0.ckpt"}, lines)
        self.assertEqual([line["phase"] for line in lines if "phase" in line], ["evaluate", "auto"])
        self.assertEqual(lines[-1], {"step": 6, "steps": 6, "samples": 96})

    def test_lightning_saves_and_stops(self):
        trainer, saved = self.lightning("pytorch_lightning", stop_at=2)
        self.assertEqual((trainer.global_step, saved), (2, [os.path.join("ckpts", "stint-step=2.ckpt")]))
        lines = self.reported()
        self.assertIn({"checkpoint": saved[0]}, lines)
        self.assertEqual([line["phase"] for line in lines if "phase" in line], ["checkpoint", "auto"])

    def test_lightning_counts_steps_of_the_optimizer(self):
        self.lightning(accumulate=2)
        self.assertEqual(self.reported()[-1], {"step": 3, "steps": 3, "samples": 96})

    def test_lightning_under_both_names(self):
        class Both:
            pass

        self.replace("pytorch_lightning", Callback=Both)
        self.lightning()
        self.assertTrue(issubclass(stint.callbacks.Lightning, Both))

    # ---- Keras ----

    def keras(self, stop_at=None, **options):
        class Callback:
            params, model = None, None

        self.replace("keras", callbacks=types.SimpleNamespace(Callback=Callback))
        saved = []
        callback = stint.callbacks.Keras(**options)
        callback.params = {"epochs": 2, "steps": 3}
        callback.model = types.SimpleNamespace(stop_training=False, save=saved.append)
        callback.on_train_begin()
        step = 0
        for epoch in range(2):
            for batch in range(3):
                step += 1
                if step == stop_at:
                    self.stop()
                callback.on_train_batch_end(batch, {"loss": 6.0 - step})
                if callback.model.stop_training:
                    break
            if callback.model.stop_training:
                break
            callback.on_test_begin()
            callback.on_test_end()
            callback.on_epoch_end(epoch, {"loss": 1.0, "val_accuracy": 0.5 + epoch / 10})
        callback.on_train_end()
        self.assertEqual(callback.meter.errors, 0)
        return step, saved

    def test_keras_reports(self):
        self.assertEqual(self.keras(), (6, []))
        lines = self.reported()
        self.assertEqual(self.series(lines, "val_accuracy"), [(3, 0.5), (6, 0.6)])
        self.assertEqual(self.series(lines, "epoch"), [(3, 1), (6, 2)])
        self.assertEqual(lines[-1], {"step": 6, "steps": 6})

    def test_keras_saves_and_stops(self):
        self.assertEqual(self.keras(stop_at=4, save_dir="out"), (4, [os.path.join("out", "stint-step-4.keras")]))

    def test_keras_saves_as_the_user_says(self):
        saved = []
        self.assertEqual(self.keras(stop_at=1, save=lambda model, step: saved.append(step) or "mine"), (1, []))
        self.assertEqual(saved, [1])
        self.assertIn({"checkpoint": "mine"}, self.reported())

    # ---- Accelerate ----

    def test_accelerate_is_a_tracker_that_says_when_to_stop(self):
        class GeneralTracker:
            def __init__(self):
                missing = [name for name in ("name", "requires_logging_directory", "tracker") if not hasattr(self, name)]
                if missing:
                    raise NotImplementedError(str(missing))

        self.replace("accelerate")
        self.replace("accelerate.tracking", GeneralTracker=GeneralTracker)
        tracker = stint.callbacks.Accelerate()
        tracker.store_init_configuration({"lr": 1})
        tracker.log({"loss": 3}, step=0)
        for step in range(1, 10):
            tracker.log({"loss": 3 - step / 10, "name": "x"}, step=step)
            if step == 4:
                self.stop()
            if tracker.should_stop():
                self.assertTrue(tracker.should_save)
                tracker.saved("state")
                break
        tracker.finish()
        self.assertEqual(step, 4)
        lines = self.reported()
        self.assertEqual(self.series(lines, "loss")[:2], [(0, 3), (1, 2.9)])
        self.assertIn({"checkpoint": "state"}, lines)
        self.assertEqual(tracker.meter.errors, 0)

    # ---- DeepSpeed ----

    def test_deepspeed_engines_are_wrapped(self):
        class Engine:
            def __init__(self):
                self.module, self.global_steps, self.micro, self.saved, self.events = None, 0, 0, [], []
                self.monitor = types.SimpleNamespace(write_events=self.events.extend)

            def train_batch_size(self):
                return 32

            def get_lr(self):
                return [0.01]

            def step(self):
                self.micro += 1
                self.global_steps = self.micro // 2
                if self.micro % 2 == 0:
                    self.monitor.write_events([("Train/Samples/train_loss", 2.5, 64)])
                return "result"

            def save_checkpoint(self, folder):
                self.saved.append((folder, self.global_steps))

        engine = Engine()
        meter = stint.callbacks.DeepSpeed(engine, save_dir="out")
        for micro in range(1, 20):
            if micro == 6:
                self.stop()
            self.assertEqual(engine.step(), "result")
            meter.log(own=micro)
            if meter.should_stop:
                break
        meter.end()
        self.assertEqual((engine.global_steps, engine.saved), (3, [("out", 3)]))
        self.assertEqual(len(engine.events), 3)
        lines = self.reported()
        self.assertEqual(self.series(lines, "learning_rate"), [(1, 0.01), (2, 0.01), (3, 0.01)])
        self.assertEqual(len(self.series(lines, "Train/Samples/train_loss")), 3)
        self.assertIn({"checkpoint": "out"}, lines)
        self.assertEqual((meter.meter.errors, lines[-1]["samples"]), (0, 96))


# As `stint stop` does.
STOP = """
def stop_the_run():
    import os, socket
    with socket.socket(socket.AF_UNIX) as s:
        s.connect(os.environ["STINT_SOCKET"])
        s.sendall(b'{"stint": "stop"}\\n')
"""


def under_run(folder, program, *options):
    """(how it ended, what was recorded) of a Python program under `stint run`."""
    environment = {**os.environ, "STINT_LEDGER": os.path.join(folder, "l.db"), "XDG_RUNTIME_DIR": folder,
                   "STINT_MACHINE_DIR": folder, "STINT_NVML": "/nonexistent", "STINT_ROCM": "/nonexistent"}
    environment.pop("STINT_SOCKET", None)
    with open(os.path.join(folder, "train.py"), "w", encoding="utf-8") as file:
        file.write(STOP + textwrap.dedent(program))
    ended = subprocess.run([os.environ["STINT_PROGRAM"], "run", *options, "--", sys.executable, "train.py"], cwd=folder,
                           env=environment, capture_output=True, text=True, timeout=120, check=False)
    shown = subprocess.run([os.environ["STINT_PROGRAM"], "show", "last", "--json"], env=environment, capture_output=True,
                           text=True, timeout=60, check=True)
    return ended, json.loads(shown.stdout)


@unittest.skipUnless(importlib.util.find_spec("torch"), "PyTorch is not installed")
class Torch(unittest.TestCase):
    def test_a_loop_saves_and_ends_when_the_run_must(self):
        with tempfile.TemporaryDirectory(prefix="st", dir="/tmp") as folder:
            ended, shown = under_run(folder, """
                import torch, stint, time
                model = torch.nn.Linear(8, 1)
                optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
                data = [(torch.randn(4, 8), torch.randn(4, 1))] * 100000

                def save():
                    torch.save(model.state_dict(), "last.pt")
                    return "last.pt"

                loop = stint.steps(data, save=save, samples=4, model=model)
                for x, y in loop:
                    loss = torch.nn.functional.mse_loss(model(x), y)
                    optimizer.zero_grad(); loss.backward(); optimizer.step()
                    loop.log(loss=loss)
                    if loop.meter.step_count == 20:
                        stop_the_run()
                    time.sleep(0.01)
                assert loop.should_stop
                open("ended", "w").close()
                """)
            self.assertTrue(os.path.exists(os.path.join(folder, "ended")), ended.stderr)
            self.assertTrue(os.path.exists(os.path.join(folder, "last.pt")), ended.stderr)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertEqual((shown["run"]["state"], shown["run"]["reason"]), ("stopped", "user"))
        metrics = {metric["name"]: metric for metric in shown["metrics"]}
        self.assertGreater(metrics["loss"]["values"], 10)
        self.assertEqual((metrics["model_parameters"]["last"], metrics["trainable_parameters"]["last"]), (9, 9))
        self.assertIn("checkpoint", [event["kind"] for event in shown["events"]])

    RANKS = """
        import os, socket, subprocess, sys
        if "RANK" not in os.environ:
            with socket.socket() as s:
                s.bind(("127.0.0.1", 0))
                port = str(s.getsockname()[1])
            children = [subprocess.Popen([sys.executable, "train.py"], env={**os.environ, "RANK": str(r), "WORLD_SIZE": "2",
                        "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port}) for r in range(2)]
            sys.exit(max(child.wait() for child in children))
        import datetime, time, torch, stint
        import stint._meter
        stint._meter.MEET_S = 2
        rank = int(os.environ["RANK"])
        torch.distributed.init_process_group("gloo", timeout=datetime.timedelta(seconds=60))
        meter = stint.Meter() if WITH else None
        step = 0
        while step < MOST:
            step += 1
            if step == 100 and rank == 0:
                stop_the_run()
            tensor = torch.ones(1)
            torch.distributed.all_reduce(tensor)
            time.sleep(0.01)
            if meter is not None and meter.step(loss=1 / step):
                break
        if meter is not None:
            meter.end()
        open(f"ended-{rank}", "w").write(str(step))
        """

    def test_all_ranks_stop_after_the_same_step(self):
        program = self.RANKS.replace("WITH", "True").replace("MOST", "10000")
        with tempfile.TemporaryDirectory(prefix="st", dir="/tmp") as folder:
            ended, shown = under_run(folder, program)
            steps = []
            for rank in range(2):
                with open(os.path.join(folder, f"ended-{rank}"), encoding="utf-8") as file:
                    steps.append(int(file.read()))
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertEqual(shown["run"]["state"], "stopped")
        self.assertTrue(100 <= steps[0] == steps[1] < 10000, steps)
        self.assertEqual(shown["run"]["step"], steps[0])
        self.assertEqual({metric["name"] for metric in shown["metrics"]}, {"loss"})

    def test_a_rank_without_the_callback_hangs_nothing(self):
        program = self.RANKS.replace("WITH", "rank == 0").replace("MOST", "50")
        with tempfile.TemporaryDirectory(prefix="st", dir="/tmp") as folder:
            ended, shown = under_run(folder, program)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertIn("not all ranks have this callback", ended.stderr)
        self.assertEqual(shown["run"]["step"], 50)


if __name__ == "__main__":
    unittest.main()
