#!/usr/bin/python3
"""Writes the functions of the Python package from the table of operations.

    stint schema --json | python3 python_operations.py FOLDER

FOLDER/_operations.py has a function with a docstring for each operation, FOLDER/__init__.pyi its types for editors and type
checkers: results have a class each, with the attributes that the operation's schema names."""
import json
import keyword
import os
import sys
import textwrap

# What _run.py has.
BLOCKS = """class Run:
    id: Optional[str]
    name: Optional[str]
    joined: bool
    result: Optional[Result]
    @property
    def cost(self) -> Optional[Money]: ...
    @property
    def stop_requested(self) -> bool: ...
    @property
    def stop_reason(self) -> Optional[str]: ...
    @property
    def stop_text(self) -> Optional[str]: ...
    def log(self, metrics: Optional[Mapping[str, Any]] = None, step: Optional[float] = None, **more: Any) -> bool: ...
    def checkpoint(self, path: Union[str, 'os.PathLike[str]']) -> bool: ...
    def check(self) -> None: ...
    def __enter__(self) -> Run: ...
    def __exit__(self, *error: Any) -> Literal[False]: ...
    async def __aenter__(self) -> Run: ...
    async def __aexit__(self, *error: Any) -> Literal[False]: ...

F = TypeVar('F', bound=Callable[..., Any])
@overload
def metered(function: F) -> F: ...
@overload
def metered(*, kill: Optional[bool] = None, **options: Any) -> Callable[[F], F]: ...
"""

# What _meter.py has for plain loops.
STEPS = """class Steps(Generic[T]):
    meter: Meter
    def __iter__(self) -> Iterator[T]: ...
    def __len__(self) -> int: ...
    def log(self, metrics: Optional[Mapping[str, Any]] = None, **more: Any) -> None: ...
    @property
    def should_stop(self) -> bool: ...
def steps(batches: Iterable[T], epochs: Optional[int] = None, save: Optional[Callable[[], Any]] = None,
          **options: Any) -> Steps[T]: ...
"""

HEAD = '"""Every operation of libstint as a function. Written by tools/python_operations.py."""\n'


def identifier(name):
    name = name.replace(".", "_").replace("-", "_")
    return name + "_" if keyword.iskeyword(name) else name


def class_name(name):
    return "".join(part.capitalize() for part in name.replace(".", "_").replace("-", "_").split("_"))


def accepted(schema, key=None):
    """The type of an argument. A job may be a dictionary."""
    if "enum" in schema:
        return "Optional[Literal[" + ", ".join(repr(v) for v in schema["enum"] if v is not None) + "]]"
    if "anyOf" in schema:
        return "Union[Sequence[Union[Text, Mapping[str, Any]]], Mapping[str, Any], Text, None]"
    if schema.get("type") == "array":
        return "Optional[Sequence[Mapping[str, Any]]]"
    if "allOf" in schema:
        return "Optional[Mapping[str, Any]]"
    names = {"string": "Text", "integer": "int", "number": "float", "boolean": "bool"}
    own = ["Mapping[str, Any]"] if key == "job" else []
    return "Union[" + ", ".join([names[t] for t in schema["type"] if t != "null"] + own + ["None"]) + "]"


def is_range(schema):
    return schema.get("properties", {}).keys() == {"value", "low", "high"}


class Classes:
    """Classes of results, for the types."""

    def __init__(self):
        self.text = []

    def returned(self, schema, path):
        """The type of a result's value."""
        if "const" in schema:
            return "str"
        if "enum" in schema:
            return "Optional[str]"
        if "allOf" in schema:
            inner = schema["allOf"][0]
            if is_range(inner):
                return "Optional[Range]"
            return self.add(inner, path) if inner.get("type") == "object" else "Optional[Money]"
        if schema.get("type") == "array":
            return f"Rows[{self.returned(schema['items'], path)}]"
        if schema.get("type") == "object":
            return self.add(schema, path) if schema.get("properties") else "Result"
        kinds = schema.get("type", [])
        kinds = [kinds] if isinstance(kinds, str) else kinds
        names = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "object": "Any", "array": "Any"}
        found = sorted({names[k] for k in kinds if k != "null"})
        one = found[0] if len(found) == 1 else "Any"
        return f"Optional[{one}]" if "null" in kinds and one != "Any" else one

    def add(self, schema, path):
        name = class_name("_".join(path))
        lines = [f"class {name}(Result):"]
        for key, value in schema["properties"].items():
            lines.append(f"    {identifier(key)}: {self.returned(value, path + [key])}")
        self.text.append("\n".join(lines))
        return name


# Lists that a table is made of, the first that has rows, where it is not simply the first of the result.
MAIN = {"checklist": ["items"], "commitments": ["options"], "estimate": ["sweep"], "forecast": ["rows", "totals"],
        "maturity": ["practices"], "price.diff": ["changes"], "reconcile": ["resources"], "show": ["samples"],
        "spot.interval": []}
OWN_ROW = ["estimate", "spot.interval"]  # the result itself is the table where these have none

# Columns of tables that only all_columns=True shows: settings that one text sums up, and how a figure was computed.
SETTINGS = ["optimizer", "recompute", "framework", "offload", "weights", "data", "tensor", "pipeline", "virtual_pipeline", "context",
            "expert", "zero", "shard", "micro_batch", "accumulation", "global_batch", "price_unchanged"]
DETAILS = {"plan": SETTINGS + ["rented_gpus", "network_gbit_s", "network", "price_low", "price_high", "owned_hours", "owned_suffice",
                               "start_h", "start_saves_usd", "start_saves_kg", "step_setting", "step_s", "board_w", "correction",
                               "memory_correction", "power_correction", "parallel_trials", "memory_low_gb", "memory_high_gb"],
           "estimate": SETTINGS + ["memory_count", "step_count", "cost_count", "equivalents", "equivalent_sources", "notes",
                                   "offset_low", "offset_high", "offset_low_usd_t", "offset_high_usd_t", "assumed",
                                   "active_params", "tight"]}


def columns(schema, prefix=""):
    """Names of the columns of a record, as _result.py makes them."""
    for key, value in schema.get("properties", {}).items():
        inner = value["allOf"][0] if "allOf" in value else value
        if value.get("type") == "array":
            yield prefix + key + ("_count" if value["items"].get("type") == "object" else "")
        elif is_range(inner):
            yield from (prefix + key, prefix + key + "_low", prefix + key + "_high")
        elif inner.get("type") == "object":
            yield from columns(inner, prefix + key + "_")
        else:
            yield prefix + key


def lists_of(operation):
    """Lists of records of a result, by their names."""
    return {key: value["items"] for key, value in operation["result"]["properties"].items()
            if value.get("type") == "array" and value["items"].get("type") == "object"}


def keys_of_format(schema, formats, key=None):
    """Keys whose texts have one of these formats, anywhere in a result."""
    if isinstance(schema, dict):
        if schema.get("format") in formats and key is not None:
            yield key
        for name, value in schema.get("properties", {}).items():
            yield from keys_of_format(value, formats, name)
        for name in ("items", "allOf", "anyOf"):
            yield from keys_of_format(schema.get(name), formats, key)
    elif isinstance(schema, list):
        for one in schema:
            yield from keys_of_format(one, formats, key)


def arguments(operation):
    """Operands first, in the order of the command line; the rest by name."""
    properties = operation["request"]["properties"]
    first = [k for k, v in properties.items() if v.get("x-operand")]
    return first, [k for k in properties if k not in first]


def signature(operation, types):
    first, rest = arguments(operation)
    properties = operation["request"]["properties"]
    shown = [f"{identifier(k)}: {accepted(properties[k], k)} = None" if types else f"{identifier(k)}=None" for k in first + rest]
    if rest:
        shown.insert(len(first), "*")
    return ", ".join(shown)


def block_signature(operation):
    """Of stint.run() as a block: the options of `stint attach`."""
    properties = operation["request"]["properties"]
    names = [k for k in properties if k not in ("pid", "ancestor", "ready_fd", "no_kill")]
    shown = [f"{identifier(k)}: {accepted(properties[k], k)} = None" for k in names]
    return ", ".join(["*", "kill: Optional[bool] = None"] + shown)


def function(operation):
    first, rest = arguments(operation)
    properties = operation["request"]["properties"]
    doc = [operation["summary"][0].upper() + operation["summary"][1:] + "."]
    if properties:
        doc.append("")
    for key in first + rest:
        about = properties[key].get("description", "")
        default = f" (default: {properties[key]['default']})" if "default" in properties[key] else ""
        doc += textwrap.wrap(f"{identifier(key)}: {about}{default}", 100, subsequent_indent="    ")
    text = "\n    ".join(line.replace("\\", "\\\\").replace('"""', "'''") for line in doc)
    renamed = "".join(f'\n    request["{k}"] = request.pop("{identifier(k)}")' for k in first + rest if identifier(k) != k)
    return (f"def {identifier(operation['name'])}({signature(operation, False)}):\n"
            f'    """{text}\n    """\n'
            f'    request = dict(locals()){renamed}\n    return _call("{operation["name"]}", request)\n')


def main():
    folder = sys.argv[1]
    operations = json.load(sys.stdin)["operations"]
    names = [identifier(o["name"]) for o in operations]
    figures = [o["name"] for o in operations if "svg" in o["request"]["properties"] and not o["changes"]]
    own = [o["name"] for o in operations if o["own_process"]]
    changes = [o["name"] for o in operations if o["changes"]]
    tables = {o["name"]: (MAIN.get(o["name"], list(lists_of(o))[:1]), o["name"] in OWN_ROW) for o in operations}
    named = {o["name"]: {key: tuple(columns(items)) for key, items in lists_of(o).items()} for o in operations}
    # A period is a day, a week, a month, ...: where all are days, they are times.
    times = sorted({"period"} | {key for o in operations for key in keys_of_format(o["result"], ("date", "date-time", "date-or-time"))})
    decimals = sorted({key for o in operations for key in keys_of_format(o["result"], ("decimal",))})
    body = [HEAD, "from ._library import call as _call\n", f"FIGURES = frozenset({figures!r})\n",
            f"OWN_PROCESS = frozenset({own!r})\n", f"CHANGES = frozenset({changes!r})\n",
            f"TABLES = {tables!r}\n", f"COLUMNS = {named!r}\n", f"DETAILS = {DETAILS!r}\n", f"TIMES = frozenset({times!r})\n",
            f"DECIMALS = frozenset({decimals!r})\n", f"__all__ = {names!r}\n"]
    body += ["\n" + function(o) for o in operations]
    classes = Classes()
    functions = []
    for o in operations:
        result = classes.add(o["result"], [o["name"], "result"])
        shown = f"def {identifier(o['name'])}({signature(o, True)}) -> {result}: ..."
        if o["name"] == "run":  # without a command it is a block
            block = next(other for other in operations if other["name"] == "attach")
            shown = shown.replace(" = None", "", 1)  # the command
            shown = f"@overload\ndef run({block_signature(block)}) -> Run: ...\n@overload\n{shown}"
        functions.append(shown)
    stub = [HEAD, "import datetime\nimport os\nfrom decimal import Decimal\n"
            "from typing import Any, Callable, Dict, Generic, Iterable, Iterator, List, Literal, Mapping, Optional, Sequence, TypeVar, Union, overload\n",
            "from ._errors import (Error as Error, FailedError as FailedError, GuardError as GuardError,\n"
            "                      InputError as InputError, LibraryError as LibraryError, NoPlanError as NoPlanError,\n"
            "                      NotFoundError as NotFoundError, UsageError as UsageError)\n"
            "from ._result import Money as Money, Range as Range, Result as Result\n",
            "__version__: str\n",
            "T = TypeVar('T')\n",
            "Text = Union[str, int, float, Decimal, Money, datetime.date, datetime.timedelta, 'os.PathLike[str]']\n",
            "class Rows(List[T]):\n    def to_dict(self) -> List[Any]: ...\n    def to_pandas(self, all_columns: bool = False) -> Any: ...\n",
            "def call(operation: str, request: Optional[Mapping[str, Any]] = None) -> Result: ...",
            BLOCKS,
            "def library_version() -> str: ...\n"
            "def load_ipython_extension(shell: Any) -> None: ...\ndef unload_ipython_extension(shell: Any) -> None: ...\n",
            "from . import callbacks as callbacks, trackers as trackers\nfrom ._meter import Meter as Meter\n",
            STEPS]
    os.makedirs(folder, exist_ok=True)
    for name, parts in (("_operations.py", body), ("__init__.pyi", stub + classes.text + functions)):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write("\n".join(parts) + "\n")


if __name__ == "__main__":
    main()
