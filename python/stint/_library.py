"""libstint: found, loaded once, and called."""
import ctypes
import json
import os
import sys
import threading

from . import __version__
from ._errors import BY_STATUS, Error, LibraryError
from ._program import call_program, has_shell
from ._result import Result, argument, check_command

_lock = threading.Lock()
_loaded = None


def _candidates():
    """Where the library may be: named by STINT_LIBRARY, inside the package (a wheel), beside its folder (a tarball), or where
    the system looks."""
    named = os.environ.get("STINT_LIBRARY")
    if named:
        return [named]
    package = os.path.dirname(os.path.abspath(__file__))
    ours = [os.path.join(package, "lib", "libstint.so.0"), os.path.join(package, "..", "..", "lib", "libstint.so.0")]
    return [path for path in ours if os.path.exists(path)] + ["libstint.so.0"]


def _open():
    problems = []
    for path in _candidates():
        try:
            library = ctypes.CDLL(path)
            break
        except OSError as error:
            problems.append(str(error))
    else:
        raise LibraryError("libstint cannot be loaded: " + "; ".join(problems),
                           "install Stint, or set STINT_LIBRARY to libstint.so.0")
    try:
        library.stint_call.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.POINTER(ctypes.c_void_p)]
        library.stint_call.restype = ctypes.c_int
        library.stint_free.argtypes = [ctypes.c_void_p]
        library.stint_free.restype = None
        library.stint_version.restype = ctypes.c_char_p
    except AttributeError as error:
        raise LibraryError(f"'{path}' is not libstint: {error}", "set STINT_LIBRARY to libstint.so.0") from None
    version = library.stint_version().decode()
    if version.split(".")[:2] != __version__.split(".")[:2]:
        raise LibraryError(f"libstint is version {version}, this package is {__version__}",
                           "install the same version of both")
    return library


def _library():
    global _loaded
    with _lock:
        if _loaded is None:
            _loaded = _open()
        return _loaded


def library_version():
    """The version of libstint: "0.1.0"."""
    return _library().stint_version().decode()


def _call_library(name, request):
    library = _library()
    reply = ctypes.c_void_p()
    status = library.stint_call(name.encode(), request.encode(), ctypes.byref(reply))  # without the GIL
    if not reply.value:
        raise MemoryError("libstint ran out of memory")
    try:
        return status, ctypes.string_at(reply.value).decode("utf-8", "replace")
    finally:
        library.stint_free(reply)


def _call_interruptibly(name, request):
    """A signal is delivered to Python only between two of its own steps: so the call is made by another thread while the
    main thread waits. After Ctrl-C the work in the library goes on until it ends by itself; its result is dropped."""
    if threading.current_thread() is not threading.main_thread():
        return _call_library(name, request)
    box = {}

    def work():
        try:
            box["value"] = _call_library(name, request)
        except BaseException as error:  # pylint: disable=broad-except
            box["error"] = error

    worker = threading.Thread(target=work, name="stint " + name, daemon=True)
    worker.start()
    worker.join()
    if "error" in box:
        raise box["error"]
    return box["value"]


def _call_in_notebook(name, request):
    """An operation that changes something cannot run again to be shown: the program runs it, and has the text, too. None:
    there is no program."""
    from ._program import call_with_text, program
    try:
        program()
    except Error:
        return None
    status, reply, text, notes = call_with_text(name, request)
    if notes:
        print(notes, end="", file=sys.stderr)
    return status, reply, text.rstrip("\n") or None


def call(operation, request=None):
    """Run one operation by its name, as stint_call() does: call("price.compare", {"gpu": "H100x8"})."""
    from ._operations import CHANGES, OWN_PROCESS
    check_command((request or {}).get("command"))
    text = json.dumps({k: argument(k, v) for k, v in (request or {}).items() if v is not None})
    shown = None
    if operation in OWN_PROCESS:
        status, reply = call_program(operation, text)
    else:
        called = _call_in_notebook(operation, text) if operation in CHANGES and has_shell() else None
        status, reply, shown = called if called is not None else (*_call_interruptibly(operation, text), None)
    data = json.loads(reply)
    if status == 0:
        return Result(data, operation=operation, request=request or {}, text=shown)
    raise BY_STATUS.get(status, Error)(data.get("text", "failed"), data.get("hint"), data.get("kind", "failed"), status)
