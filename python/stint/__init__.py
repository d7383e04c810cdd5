"""Stint in Python: what machine-learning work costs, before, while and after it runs.

    import stint
    plan = stint.plan(["llama-2-7b"], method="lora", tokens="25M")
    print(plan.plans[0].cost, plan.plans[0].where)

Every operation of the command line is a function: `stint price compare` is stint.price_compare(). Values are given as
they are typed there ("24h", "100usd", 0.2 or "20%"). Results have attributes; errors are stint.Error with a hint.
"""
from ._errors import (Error, FailedError, GuardError, InputError, LibraryError, NoPlanError, NotFoundError, UsageError)

__version__ = "0.1.0"

_OWN = ["Error", "FailedError", "GuardError", "InputError", "LibraryError", "Meter", "Money", "NoPlanError", "NotFoundError",
        "Range", "Result", "Rows", "UsageError", "call", "callbacks", "library_version", "steps", "Run", "metered", "trackers"]
_LATER = {"Meter": "_meter", "Money": "_result", "Range": "_result", "Result": "_result", "Rows": "_result", "call": "_library",
          "callbacks": "callbacks", "library_version": "_library", "steps": "_meter",
          "Run": "_run", "metered": "_run", "run": "_run", "trackers": "trackers",
          "load_ipython_extension": "_magic", "unload_ipython_extension": "_magic"}


def __getattr__(name):
    """Operations and what they need are loaded at their first use: `import stint` stays fast."""
    import importlib
    if name.startswith("_"):  # no operation, but a module of ours: the importer finds it
        raise AttributeError(f"module 'stint' has no attribute '{name}'")
    module = importlib.import_module("." + _LATER.get(name, "_operations"), __name__)
    if module.__name__ == f"{__name__}.{name}":
        return module
    try:
        value = getattr(module, name)
    except AttributeError:
        raise AttributeError(f"module 'stint' has no attribute '{name}'") from None
    globals()[name] = value
    return value


def __dir__():
    from . import _operations
    return sorted(set(_OWN) | set(_operations.__all__) | {"__version__"})
