"""Callbacks for training frameworks, each loaded at its first use.

    trainer = transformers.Trainer(..., callbacks=[stint.callbacks.HuggingFace()])
    trainer = lightning.Trainer(..., callbacks=[stint.callbacks.Lightning()])
    model.fit(..., callbacks=[stint.callbacks.Keras()])
    accelerator = accelerate.Accelerator(log_with=stint.callbacks.Accelerate())
    meter = stint.callbacks.DeepSpeed(engine, save_dir="out")

They report steps, metrics, evaluations and checkpoints to the run (`stint run -- python train.py`), on rank 0 only, and
turn its request to stop (a budget, a deadline, a spot notice, `stint stop`) into the framework's own save and stop.
"""
_MODULES = {"HuggingFace": "huggingface", "Lightning": "lightning", "Keras": "keras", "Accelerate": "accelerate",
            "DeepSpeed": "deepspeed"}
__all__ = sorted(_MODULES)


def __getattr__(name):
    import importlib
    if name not in _MODULES:
        raise AttributeError(f"module 'stint.callbacks' has no attribute '{name}'")
    value = getattr(importlib.import_module("._" + _MODULES[name], __name__), name)
    globals()[name] = value
    return value


def __dir__():
    return __all__
