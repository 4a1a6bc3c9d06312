"""`sporax run`: a program, unmodified, with `mindspore` served by Sporax."""

import os
import runpy
import sys
import traceback


def run_program(program, args, module=False, mode=None, device=None):
    """Run a script or module as `python` would: argv, path, `__main__`, exit status and traceback are the program's own."""
    if not module and not os.path.exists(program):
        print(f"sporax run: there is no file {program!r}. For a module use: sporax run -m {program.removesuffix('.py').replace(os.sep, '.')}", file=sys.stderr)
        return 2
    import sporax
    from sporax._core import context
    from sporax._names import finder

    finder.install()
    if mode is not None:
        context.pin_mode(sporax.GRAPH_MODE if mode == "graph" else sporax.PYNATIVE_MODE)
    if device is not None:
        sporax.set_device(device.upper())
    saved = sys.argv, sys.path[0] if sys.path else ""
    sys.argv = [program, *args]
    try:
        if module:
            sys.path.insert(0, os.getcwd())
            runpy.run_module(program, run_name="__main__", alter_sys=True)
        else:
            sys.path.insert(0, os.path.dirname(os.path.abspath(program)))
            runpy.run_path(program, run_name="__main__")
    except SystemExit:
        raise
    except BaseException as error:
        _print_traceback(error)
        return 130 if isinstance(error, KeyboardInterrupt) else 1
    finally:
        sys.argv = saved[0]
    return 0


def _print_traceback(error):
    """The traceback from the program's first line on: the launcher is not part of it."""
    frames = error.__traceback__
    while frames is not None and (frames.tb_frame.f_code.co_filename == __file__ or "runpy" in frames.tb_frame.f_code.co_filename):
        frames = frames.tb_next
    traceback.print_exception(type(error), error, frames)
