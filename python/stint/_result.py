"""Results: JSON with attributes."""
from __future__ import annotations

import datetime
import decimal
import json
import keyword
import math
import os

from ._errors import InputError

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


def _wrap(value):
    if isinstance(value, dict):
        if value.keys() == {"amount", "currency"} and isinstance(value["amount"], str):
            return Money(value["amount"], value["currency"])
        return Result(value)
    if isinstance(value, list):
        return Rows(_wrap(v) for v in value)
    return value


def _plain(value):
    """For a cell: money as a number, the rest as it is."""
    if isinstance(value, Money):
        return float(value)
    return value.to_dict() if isinstance(value, (Result, Rows)) else value


def _pandas():
    try:
        import pandas
    except ImportError as error:
        raise ImportError("to_pandas() needs pandas: pip install pandas") from error
    return pandas


class Rows(list):
    """A list of a result."""

    def to_dict(self):
        return [v.to_dict() if isinstance(v, (Result, Rows, Money)) else v for v in self]

    def to_pandas(self):
        """A DataFrame: a row for each record; money as numbers, in the currency of the column NAME_currency."""
        records = []
        for row in self:
            record = {}
            for name, value in (row.items() if isinstance(row, Result) else [("value", row)]):
                record[name] = _plain(value)
                if isinstance(value, Money) and value.currency != "USD":
                    record[name + "_currency"] = value.currency
            records.append(record)
        return _pandas().DataFrame.from_records(records)

    def _repr_html_(self):
        from ._html import rows_html
        return rows_html(self)


class Result:
    """The result of an operation, or a record in one. Keys of the JSON are attributes; a key that is a word of Python has
    an underscore behind it. Unknown values are None."""

    def __init__(self, data, operation=None, request=None):
        self.__dict__["_data"] = data
        self.__dict__["_wrapped"] = {}
        self.__dict__["_operation"] = operation
        self.__dict__["_request"] = request

    def __getattr__(self, name):
        key = name[:-1] if name.endswith("_") and keyword.iskeyword(name[:-1]) else name
        if key.startswith("__") or key not in self._data:
            raise AttributeError(f"the result has no '{name}'; it has {', '.join(self._data)}")
        return self[key]

    def __setattr__(self, name, value):
        raise AttributeError("results cannot be changed; to_dict() gives a copy")

    def __getitem__(self, key):
        if key not in self._wrapped:
            self._wrapped[key] = _wrap(self._data[key])
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
        return [k + "_" if keyword.iskeyword(k) else k for k in self._data] + ["to_dict", "to_pandas", "figure"]

    def __eq__(self, other):
        return isinstance(other, Result) and self._data == other._data

    def __repr__(self):
        shown = ", ".join(f"{k}={'[...]' if isinstance(v, list) else '{...}' if isinstance(v, dict) else repr(v)}"
                          for k, v in list(self._data.items())[:8])
        return f"Result({shown}{', ...' if len(self._data) > 8 else ''})"

    def __reduce__(self):
        return Result, (self._data, self._operation, self._request)

    def to_dict(self):
        """The JSON as dictionaries and lists: a copy."""
        import copy
        return copy.deepcopy(self._data)

    def to_pandas(self):
        """A DataFrame of the result's list of records (the only one, or the longest); of itself where it has none."""
        lists = [v for _, v in self.items() if isinstance(v, Rows) and v and isinstance(v[0], Result)]
        if not lists:
            return Rows([self]).to_pandas()
        return max(lists, key=len).to_pandas()

    def figure(self):
        """The operation's picture as SVG text; None where it has none. The operation runs again to draw it."""
        from ._html import figure_of
        return figure_of(self._operation, self._request)

    def _repr_html_(self):
        from ._html import result_html
        return result_html(self)
