"""What can go wrong: one class for each exit status of the program."""


class Error(Exception):
    """An operation failed. `kind` is a word, `text` what is wrong, `hint` what to do (or None), `status` the exit status
    that the program would have had."""

    def __init__(self, text: str, hint: "str | None" = None, kind: str = "failed", status: int = 1) -> None:
        super().__init__(f"{text} (hint: {hint})" if hint else text)
        self.text, self.hint, self.kind, self.status = text, hint, kind, status

    def __reduce__(self):
        return type(self), (self.text, self.hint, self.kind, self.status)


class FailedError(Error):
    """Something outside failed: a file, the network, memory."""


class UsageError(Error):
    """Options that do not exist or do not go together."""


class InputError(Error, ValueError):
    """A value or a file is wrong."""


class NotFoundError(Error, LookupError):
    """What was named is not there."""


class GuardError(Error):
    """A limit was reached: a budget, a check."""


class NoPlanError(Error):
    """It does not fit, or no plan meets the limits."""


class LibraryError(Error, ImportError):
    """libstint cannot be loaded, or is of another version."""


BY_STATUS = {1: FailedError, 2: UsageError, 3: InputError, 4: NotFoundError, 5: GuardError, 6: NoPlanError}

# Of the kinds of errors, as the program exits with them; one that passes on a command's own has another.
STATUS = {"failed": 1, "system": 1, "memory": 1, "away": 1, "usage": 2, "input": 3, "absent": 4, "guard": 5, "unfit": 6}
