"""Results in notebooks: the operation's picture, then its values and tables."""
import html
import os
import tempfile

from ._result import Result, Rows

_MOST_ROWS = 50


def figure_of(operation, request):
    """The picture that an operation with the option `svg` draws; None if it has none, or if it changes something."""
    from . import _operations
    from ._library import call
    if operation not in _operations.FIGURES or (request or {}).get("svg"):
        return None
    with tempfile.TemporaryDirectory(prefix="stint-") as folder:
        path = os.path.join(folder, "figure.svg")
        call(operation, {**(request or {}), "svg": path})
        if not os.path.exists(path):
            return None
        with open(path, encoding="utf-8") as file:
            return file.read()


def _cell(value):
    if value is None:
        return "-"
    if isinstance(value, (Result, Rows)):
        return "..."
    if isinstance(value, float):
        return f"{value:.4g}"
    return html.escape(str(value))


def rows_html(rows):
    """A table of records, without columns of which nothing is known; of other lists, their values."""
    if not rows or not isinstance(rows[0], Result):
        return "<ul>" + "".join(f"<li>{html.escape(str(row))}</li>" for row in rows) + "</ul>"
    names = [k for k, v in rows[0].items() if not isinstance(v, (Result, Rows)) and any(row.get(k) is not None for row in rows)]
    head = "".join(f"<th>{html.escape(n)}</th>" for n in names)
    body = "".join("<tr>" + "".join(f"<td>{_cell(row[n]) if n in row else '-'}</td>" for n in names) + "</tr>"
                   for row in rows[:_MOST_ROWS])
    more = f"<p>and {len(rows) - _MOST_ROWS} more</p>" if len(rows) > _MOST_ROWS else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def result_html(result):
    """The picture where there is one, single values that are known, then each list."""
    try:
        figure = result.figure() or ""
    except Exception:  # pylint: disable=broad-except
        figure = ""  # a notebook shows the values in any case
    single = [(k, v) for k, v in result.items() if v is not None and not isinstance(v, (Result, Rows)) and k != "schema"]
    values = "".join(f"<tr><th>{html.escape(k)}</th><td>{_cell(v)}</td></tr>" for k, v in single)
    parts = [figure, f"<table><tbody>{values}</tbody></table>" if values else ""]
    for name, value in result.items():
        if isinstance(value, Rows) and value:
            parts.append(f"<h4>{html.escape(name)}</h4>{rows_html(value)}")
    return "".join(parts)
