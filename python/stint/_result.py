"""Results: JSON with attributes."""
from __future__ import annotations

import datetime
import decimal
import json
import keyword
import math
import os
import re
from typing import Any

from ._errors import InputError, UsageError

PAIRS = ("tag", "set")  # options with a list of NAME=VALUE


class Money:
    """An exact amount: `amount` is a Decimal, `currency` a code such as "USD"."""
    __slots__ = ("amount", "currency")

    def __init__(self, amount: decimal.Decimal | str | int, currency: str) -> None:
        self.amount = decimal.Decimal(amount)
        self.currency = currency

    def __repr__(self):
        return f"Money('{self.amount}', '{self.currency}')"

    def __str__(self) -> str:
        digits = f"{abs(self.amount):,.2f}"
        if 0 < abs(self.amount) < decimal.Decimal("0.1"):  # a short run has a cost, too
            digits = f"{decimal.Decimal(f'{abs(self.amount):.2e}'):f}"
        sign = "-" if self.amount < 0 else ""
        return f"{sign}${digits}" if self.currency == "USD" else f"{sign}{digits} {self.currency}"

    def __float__(self) -> float:
        return float(self.amount)

    def __eq__(self, other):
        return isinstance(other, Money) and (self.amount, self.currency) == (other.amount, other.currency)

    def __hash__(self):
        return hash((self.amount, self.currency))

    def _other(self, other):
        """The other's amount; None: it is no money. Currencies do not mix."""
        if not isinstance(other, Money):
            return None
        if other.currency != self.currency:
            raise ValueError(f"{self.currency} and {other.currency} are different currencies")
        return other.amount

    def __add__(self, other: Money) -> Money:
        amount = self._other(other)
        return NotImplemented if amount is None else Money(self.amount + amount, self.currency)

    def __radd__(self, other: int) -> Money:
        return self if other == 0 else NotImplemented  # where sum() begins

    def __sub__(self, other: Money) -> Money:
        amount = self._other(other)
        return NotImplemented if amount is None else Money(self.amount - amount, self.currency)

    def __lt__(self, other: Money) -> bool:
        amount = self._other(other)
        return NotImplemented if amount is None else self.amount < amount

    def __le__(self, other: Money) -> bool:
        amount = self._other(other)
        return NotImplemented if amount is None else self.amount <= amount

    def to_dict(self):
        return {"amount": str(self.amount), "currency": self.currency}


def typed(value):
    """A Python value as the program reads it: times, spans, money and paths become texts."""
    if isinstance(value, Money):
        return f"{value.amount}{value.currency.lower()}"
    if isinstance(value, datetime.timedelta):
        return f"{value.total_seconds()}s"
    if isinstance(value, datetime.datetime):
        if value.tzinfo is not None:
            value = value.astimezone(datetime.timezone.utc)
        return value.strftime("%Y-%m-%dT%H:%M:%SZ")
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, decimal.Decimal):
        return str(value)
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, dict):
        return {k: typed(v) for k, v in value.items()}
    if isinstance(value, (list, tuple, set)):
        return [typed(v) for v in value]
    return value


def argument(name, value):
    """An argument of an operation as the program reads it: a dictionary is a job, or pairs such as tags."""
    if isinstance(value, dict) and name in PAIRS:
        return [f"{key}={typed(one)}" for key, one in value.items()]
    if isinstance(value, dict):
        return json.dumps(typed(value))
    if isinstance(value, (list, tuple)):
        return [json.dumps(typed(one)) if isinstance(one, dict) else typed(one) for one in value]
    if isinstance(value, float) and not math.isfinite(value):
        raise InputError(f"{name}: {value} is not a value", "None is the default", "input", 3)
    return typed(value)


class Range(float):
    """An estimated number with its 80 % range: a float that has `low` and `high` (None: not known)."""
    low: float | None
    high: float | None

    def __new__(cls, value: float, low: float | None = None, high: float | None = None) -> Range:
        self = super().__new__(cls, value)
        self.low, self.high = low, high
        return self

    @property
    def value(self) -> float:
        return float(self)

    def __repr__(self):
        return f"Range({float(self)!r}, low={self.low!r}, high={self.high!r})"

    def __str__(self) -> str:
        if self.low is None or self.high is None:
            return _digits(self)
        return f"{_digits(self)} ({_digits(self.low)} to {_digits(self.high)})"

    def __format__(self, form: str) -> str:
        return str(self) if not form else format(float(self), form)

    def __getitem__(self, key: str) -> float | None:
        return self.to_dict()[key]

    def __reduce__(self):
        return Range, (float(self), self.low, self.high)

    def to_dict(self) -> dict[str, float | None]:
        return {"value": float(self), "low": self.low, "high": self.high}


def _digits(value):
    """Three digits that say something, as the program writes estimates: 0.0132, 5.23, 1,240."""
    rounded = float(f"{value:.3g}")
    if abs(rounded) >= 1e15 or 0 < abs(rounded) < 1e-6:
        return f"{value:.3g}"
    return f"{rounded:,.0f}" if abs(rounded) >= 100 else f"{decimal.Decimal(f'{value:.2e}'):f}" if rounded else "0"


def _wrap(value):
    if isinstance(value, dict):
        if value.keys() == {"amount", "currency"} and isinstance(value["amount"], str):
            return Money(value["amount"], value["currency"])
        if value.keys() == {"value", "low", "high"} and not isinstance(value["value"], (str, dict)):
            return None if value["value"] is None else Range(value["value"], value["low"], value["high"])
        return Result(value)
    if isinstance(value, list):
        return Rows(_wrap(v) for v in value)
    return value


def check_command(command):
    """A line of a shell is no command: its words are. One word may be given as it is."""
    import shlex
    if not isinstance(command, str) or not command.split()[1:]:
        return
    try:
        words = shlex.split(command)
    except ValueError:
        words = command.split()
    plain = not any(letter in command for letter in "|&;<>$`*?~")
    raise UsageError(f"the command is one text, {command!r}; its words are a list", f"write {words!r}" if plain else
                     f"write ['sh', '-c', {command!r}] to run it by a shell", "usage", 2)


# ---- tables ----

_TIME = re.compile(r"\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\dZ)?")
_DECIMAL = re.compile(r"-?\d+(\.\d+)?")


def _flatten(record, prefix=""):
    """(name, value) of every column of a record: see Rows.to_pandas()."""
    for key, value in record.items():
        name = prefix + key
        if isinstance(value, Range):
            yield from ((name, float(value)), (name + "_low", value.low), (name + "_high", value.high))
        elif isinstance(value, Result):
            yield from _flatten(value, name + "_")
        elif isinstance(value, Rows) and any(isinstance(one, (Result, Rows)) for one in value):
            yield name + "_count", len(value)
        elif isinstance(value, Rows):
            yield name, ", ".join(str(one) for one in value) or None
        elif prefix or key != "schema":
            yield name, value


def _currencies(records):
    """Columns with currencies. One for all amounts of a row, or one for each where a row has several."""
    of = [{name: value.currency for name, value in record if isinstance(value, Money)} for record in records]
    named = [{value for name, value in record if name == "currency" and value is not None} for record in records]
    if any(len(set(row.values()) | own) > 1 for row, own in zip(of, named) if row):
        return [{name + "_currency": currency for name, currency in row.items()} for row in of]
    return [{"currency": next(iter(row.values()))} if row else {} for row in of]


def _typed_column(column, name, pandas):
    """Texts that are times or exact numbers become such; flags and counts with unknown values stay what they are."""
    from . import _operations
    known = column.dropna()
    if known.empty:
        return column.astype("float64") if len(column) else column
    if all(isinstance(value, bool) for value in known):
        return column.astype("boolean" if len(known) < len(column) else "bool")
    if all(isinstance(value, int) for value in known):
        return column.astype("Int64" if len(known) < len(column) else "int64")
    if all(isinstance(value, (int, float)) for value in known):
        return column.astype("float64")
    if not all(isinstance(value, str) for value in known):
        return column
    ends = {name[at:] for at in [0] + [i + 1 for i, letter in enumerate(name) if letter == "_"]}
    if ends & _operations.TIMES and all(_TIME.fullmatch(value) for value in known):
        return pandas.to_datetime(column.where(column.isna(), column.astype(str).str.slice(0, 10) + "T" +
                                               column.astype(str).str.slice(11, 19).replace("", "00:00:00")), utc=True)
    if ends & _operations.DECIMALS and all(_DECIMAL.fullmatch(value) for value in known):
        return column.astype("float64")
    return column


def _frame(records, columns, details, all_columns):
    """A DataFrame of records that are lists of (name, value)."""
    pandas = _pandas()
    if not all_columns:
        records = [[pair for pair in record if pair[0] not in details] for record in records]
        columns = [name for name in columns if name not in details]
    rows = [{**{name: float(value) if isinstance(value, Money) else value for name, value in record}, **currencies}
            for record, currencies in zip(records, _currencies(records))]
    frame = pandas.DataFrame(rows, columns=None if rows else list(columns), dtype=object)
    if rows and not all_columns:
        frame = frame.dropna(axis="columns", how="all")
    return pandas.DataFrame({name: _typed_column(frame[name], name, pandas) for name in frame.columns}, index=frame.index)


def _pandas():
    try:
        import pandas
    except ImportError as error:
        raise ImportError("to_pandas() needs pandas: pip install pandas") from error
    return pandas


class Rows(list):
    """A list of a result."""
    _columns = _details = ()  # of a table without rows; those that only all_columns shows

    def to_dict(self):
        return [v.to_dict() if isinstance(v, (Result, Rows, Money)) else v for v in self]

    def to_pandas(self, all_columns: bool = False) -> Any:
        """A DataFrame with a row for each record and plain columns: money is a number, its currency in the column `currency`
        (NAME_currency where a row has several); a range is NAME, NAME_low and NAME_high; a record inside is NAME_KEY; a list
        of texts is a text; of a list of records, NAME_count. Times are datetimes in UTC. Columns of which nothing is known,
        and technical details of plans and estimates, are left out, unless `all_columns`."""
        records = [list(_flatten(row)) if isinstance(row, Result) else [("value", row)] for row in self]
        return _frame(records, self._columns, self._details, all_columns)

    def __reduce__(self):
        return Rows, (list(self),)

    def _repr_html_(self):
        from ._html import rows_html
        return rows_html(self)

    def _repr_markdown_(self):
        from ._html import rows_markdown
        return rows_markdown(self)


class Result:
    """The result of an operation, or a record in one. Keys of the JSON are attributes; a key that is a word of Python has
    an underscore behind it. Unknown values are None."""

    def __init__(self, data, operation=None, request=None, text=None):
        self.__dict__["_data"] = data
        self.__dict__["_text"] = text
        self.__dict__["_wrapped"] = {}
        self.__dict__["_operation"] = operation
        self.__dict__["_request"] = request

    def __getattr__(self, name: str) -> Any:
        key = name[:-1] if name.endswith("_") and keyword.iskeyword(name[:-1]) else name
        if key.startswith("__") or key not in self._data:
            raise AttributeError(f"the result has no '{name}'; it has {', '.join(self._data)}")
        return self[key]

    def __setattr__(self, name, value):
        raise AttributeError("results cannot be changed; to_dict() gives a copy")

    def __getitem__(self, key):
        if key not in self._wrapped:
            value = self._wrapped[key] = _wrap(self._data[key])
            if isinstance(value, Rows) and self._operation is not None:
                from . import _operations
                value._columns = _operations.COLUMNS.get(self._operation, {}).get(key, ())
                value._details = _operations.DETAILS.get(self._operation, ())
        return self._wrapped[key]

    def __contains__(self, key):
        return key in self._data

    def __iter__(self):
        return iter(self._data)

    def __len__(self):
        return len(self._data)

    def keys(self):
        return self._data.keys()

    def get(self, key, otherwise=None):
        """The value of a key, as dictionaries have it."""
        return self[key] if key in self._data else otherwise

    def items(self):
        return [(key, self[key]) for key in self._data]

    def __dir__(self):
        return [k + "_" if keyword.iskeyword(k) else k for k in self._data] + ["to_dict", "to_pandas", "figure", "text"]

    def __eq__(self, other):
        return isinstance(other, Result) and self._data == other._data

    def __repr__(self):
        known = [(key, value) for key, value in self.items() if value is not None and key != "schema"]
        shown = ", ".join(f"{k}={'[...]' if isinstance(v, Rows) else '{...}' if isinstance(v, Result) else repr(v)}"
                          for k, v in known[:8])
        return f"Result({shown}{', ...' if len(known) > 8 else ''})"

    def __reduce__(self):
        return Result, (self._data, self._operation, self._request, self._text)

    def to_dict(self):
        """The JSON as dictionaries and lists: a copy."""
        import copy
        return copy.deepcopy(self._data)

    def to_pandas(self, all_columns: bool = False) -> Any:
        """A DataFrame of the result's main list, as Rows.to_pandas() makes it: the plans of a plan, the runs of runs(); of
        the result itself where it has none. Other lists: result.LIST.to_pandas()."""
        from . import _operations
        names, own_row = _operations.TABLES.get(self._operation, ((), False))
        lists = [self.get(name) for name in names]
        chosen = next((rows for rows in lists if rows), None if own_row or not lists else lists[0])
        if not isinstance(chosen, Rows):
            chosen = Rows([self])
            chosen._details = _operations.DETAILS.get(self._operation, ())
        return chosen.to_pandas(all_columns)

    def figure(self):
        """The operation's picture as SVG text; None where it has none. The operation runs again to draw it."""
        return self._view().figure

    def text(self):
        """What the command prints about it. None for a part of a result, and outside of notebooks for operations that change
        something: the others run again for this."""
        return self._view().text

    def _view(self):
        if "_shown" not in self.__dict__:
            from ._html import View
            self.__dict__["_shown"] = View(self)
        return self._shown

    def __str__(self):
        return self.text() or repr(self)

    def _repr_pretty_(self, printer, cycle):
        printer.text(repr(self) if cycle else str(self))

    def _repr_html_(self):
        from ._html import result_html
        return result_html(self)

    def _repr_markdown_(self):
        from ._html import result_markdown
        return result_markdown(self)
