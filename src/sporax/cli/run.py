"""`sporax run`: a program, unmodified, with `mindspore` served by Sporax.

What the program sees is what `python` would give it: `sys.argv`, `sys.path`, `__main__`, exit status and traceback are its own.
"""

import builtins
import difflib
import importlib.machinery
import io
import os
import runpy
import sys
import types

from sporax.launch import start


def run_program(program, args=(), module=False, mode=None, device=None, resume=None):
    """Run a script or module; returns its exit status.

    Args:
        program: path of a script, of a folder or zip file with a `__main__.py`, or the name of a module.
        args: the program's arguments.
        module: whether `program` is a module. Default: False.
        mode: "graph" or "pynative": the mode, whatever the program asks for. Default: None, the program's own.
        device: "cpu", "gpu" or "tpu": the device to start on. Default: None, the best one present.
        resume: folder where `Model.train` and `TrainState` keep the state of training, and go on from what is there. Default: None, what the program says.
    """
    if not module and not os.path.exists(program):
        return _refuse(_no_file(program))
    try:
        start.begin(mode, device)
    except (ImportError, ValueError) as error:
        return _refuse(str(error))
    if resume is not None:
        from sporax.train.serialization import request_resume

        request_resume(resume)
    sys.argv = [program, *args]
    try:
        if module:
            _run_module(program)
        elif os.path.isfile(program) and not program.endswith((".zip", ".pyz", ".pyc")):
            _run_script(program)
        else:
            _use_folder(os.path.dirname(os.path.abspath(program)) if program.endswith(".pyc") else os.path.abspath(program))
            runpy.run_path(program, run_name="__main__")
    except SystemExit:
        raise
    except BaseException as error:
        return _failed(error, module)
    return 0


def _use_folder(folder):
    """Put the program's folder where Python puts it: first, in place of the launcher's."""
    if not sys.flags.safe_path:
        sys.path[:1] = [folder]


def _run_script(path):
    """Run a file as `__main__`, which stays for threads and exit handlers that the program leaves behind.

    `runpy.run_path` would take it away at the end, and put another path in `sys.argv[0]`.
    """
    file = os.path.join(os.getcwd(), path)
    _use_folder(os.path.dirname(os.path.realpath(file)))
    with io.open_code(file) as f:
        code = compile(f.read(), file, "exec")
    main = types.ModuleType("__main__")
    main.__dict__.update(
        __file__=file, __builtins__=builtins, __loader__=importlib.machinery.SourceFileLoader("__main__", file), __cached__=None, __annotations__={}
    )
    sys.modules["__main__"] = main
    exec(code, main.__dict__)


def _run_module(name):
    _use_folder(os.getcwd())
    runpy.run_module(name, run_name="__main__", alter_sys=True)


def _failed(error, module):
    """Show what ended the program as Python would, from the program's first line on; returns the exit status."""
    frames = error.__traceback__
    while frames is not None and _is_launcher(frames.tb_frame.f_code.co_filename):
        frames = frames.tb_next
    if frames is None and module and isinstance(error, ImportError):
        return _refuse(f"{error}. `sporax run -m` wants the name of a module that can be imported from here: {os.getcwd()}", 1)
    sys.excepthook(type(error), error.with_traceback(frames), frames)
    return 130 if isinstance(error, KeyboardInterrupt) else 1


def _is_launcher(file):
    return file == __file__ or file.startswith("<frozen runpy") or file == runpy.__file__


def _no_file(program):
    """What to say about a script that is not there."""
    text = f"there is no file {program!r}"
    folder = os.path.dirname(program) or "."
    if os.path.isdir(folder):
        near = difflib.get_close_matches(os.path.basename(program), [f for f in os.listdir(folder) if f.endswith(".py")], 3)
        if near:
            return f"{text}. Is it {' or '.join(os.path.join(os.path.dirname(program), f) for f in near)}?"
    if os.sep not in program and not program.endswith(".py"):
        return f"{text}. For a module use: sporax run -m {program}"
    return f"{text} (looked from {os.getcwd()})"


def _refuse(text, status=2):
    print(f"sporax run: {text}", file=sys.stderr)
    return status
