"""Results in notebooks: the picture of the operation, and what the command prints in a terminal.

The library has no texts for people; the program has them: `stint call --text`. An operation that only reads runs once more
for that, when a result is shown. One that changes something must not: in a notebook the program runs it, and has the text
at once.
"""
import html
import json
import os
import subprocess
import tempfile

from ._errors import Error
from ._program import call_with_text
from ._result import Result, Rows, argument

_MOST_ROWS = 50
_COLUMNS = 8  # of a table that is made here
_WRITTEN = ("save", "csv", "svg", "write_config", "base", "output", "force")  # files, which are not written a second time


class View:
    """What the program shows of a request: `text` and `figure` (SVG), each None where there is none."""

    def __init__(self, result):
        from . import _operations
        operation, request = result._operation, result._request
        self.text, self.figure = result._text, _picture_of(result) if operation == "report" else None
        if operation is None or operation in _operations.CHANGES:
            return
        request = {key: argument(key, value) for key, value in (request or {}).items()
                   if value is not None and key not in _WRITTEN}
        with tempfile.TemporaryDirectory(prefix="stint-") as folder:
            path = os.path.join(folder, "figure.svg")
            if operation in _operations.FIGURES:
                request["svg"] = path
            self.text = _printed(operation, request, path)
            if self.text is None and request.pop("svg", None) is not None:  # of several jobs there is none
                self.text = _printed(operation, request, path)
            if os.path.exists(path):
                with open(path, encoding="utf-8") as file:
                    self.figure = file.read()


def _picture_of(report):
    """The first picture that it wrote, if it is still there."""
    for file in report.files:
        if file.path and file.path.endswith(".svg") and os.path.exists(file.path):
            with open(file.path, encoding="utf-8") as svg:
                return svg.read()
    return None


def _printed(operation, request, ours):
    """Notes and warnings of the program, then its output, without the line about a file of ours."""
    try:
        status, _, text, notes = call_with_text(operation, json.dumps(request))
    except (Error, OSError, ValueError, subprocess.SubprocessError):
        return None
    if status != 0:
        return None
    return "\n".join(line for line in (notes + text).splitlines() if ours not in line).rstrip("\n")


# ---- what no command prints: parts of results, and of operations that are not repeated ----

def _words(name):
    return name.replace("_", " ")


def _cell(value):
    if value is None:
        return "-"
    if isinstance(value, Result):
        return "..."
    if isinstance(value, Rows):
        return "..." if any(isinstance(one, (Result, Rows)) for one in value) else ", ".join(str(one) for one in value)
    if isinstance(value, float) and type(value) is float:  # pylint: disable=unidiomatic-typecheck
        return f"{value:.4g}"
    return str(value)


def _table(rows):
    """(names of columns, rows of texts) of what is known; a list of other values is one column."""
    if not rows or not isinstance(rows[0], Result):
        return ["value"], [[_cell(row)] for row in rows[:_MOST_ROWS]]
    names = [key for key, value in rows[0].items() if not isinstance(value, (Result, Rows))
             and any(row.get(key) is not None for row in rows)][:_COLUMNS]
    return names, [[_cell(row.get(name)) for name in names] for row in rows[:_MOST_ROWS]]


def _values(result):
    return [[_words(key), _cell(value)] for key, value in result.items()
            if value is not None and value != [] and key != "schema" and not isinstance(value, (Result, Rows))]


def _html_table(names, rows):
    head = "".join(f"<th>{html.escape(_words(name))}</th>" for name in names)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table>{f'<thead><tr>{head}</tr></thead>' if names else ''}<tbody>{body}</tbody></table>"


def _markdown_table(names, rows):
    def line(cells):
        return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"

    count = len(names) or len(rows[0])
    return "\n".join([line([_words(name) for name in names] or [""] * count), "|" + "---|" * count] + [line(row) for row in rows])


def _more(rows, form):
    return form.format(f"and {len(rows) - _MOST_ROWS} more") if len(rows) > _MOST_ROWS else ""


def rows_html(rows):
    return _html_table(*_table(rows)) + _more(rows, "<p>{}</p>")


def rows_markdown(rows):
    names, cells = _table(rows)
    return _markdown_table(names, cells) + _more(rows, "\n\n{}") if cells else "(none)"


def result_html(result):
    view = result._view()
    if view.text:
        return f'{view.figure or ""}<pre style="line-height:1.25;white-space:pre;overflow-x:auto">{html.escape(view.text)}</pre>'
    parts = [view.figure or "", _html_table([], _values(result))]
    parts += [f"<h4>{html.escape(_words(name))}</h4>{rows_html(value)}" for name, value in result.items()
              if isinstance(value, Rows) and value]
    return "".join(parts)


def result_markdown(result):
    text = result._view().text
    if text:
        fence = "```" if "```" not in text else "~~~~"
        return f"{fence}\n{text}\n{fence}"
    values = _values(result)
    parts = [_markdown_table([], values)] if values else []
    parts += [f"#### {_words(name)}\n\n{rows_markdown(value)}" for name, value in result.items()
              if isinstance(value, Rows) and value]
    return "\n\n".join(parts)
