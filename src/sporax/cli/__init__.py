"""The `sporax` command."""

import argparse
import sys

_HELP = """Run MindSpore programs on JAX.

  sporax run [--mode graph|pynative] [--device cpu|gpu|tpu] script.py args...
  sporax run -m module args...
  sporax coverage script.py...     which MindSpore names a program uses, and which of them are missing
  sporax info                      versions, devices, extras"""


def main(argv=None):
    """Entry point of the command; returns the exit status."""
    from sporax.version import API_LEVEL, __version__

    argv = sys.argv[1:] if argv is None else list(argv)
    parser = argparse.ArgumentParser("sporax", description=_HELP, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--version", action="version", version=f"sporax {__version__} (MindSpore API {API_LEVEL})")
    commands = parser.add_subparsers(dest="command", metavar="command")
    run = commands.add_parser("run", help="run a script or module with `mindspore` served by Sporax", add_help=True)
    run.add_argument("--mode", choices=("graph", "pynative"), help="the mode, whatever the program says in set_context(mode=...)")
    run.add_argument("--device", choices=("cpu", "gpu", "tpu"), help="the device the program starts on")
    run.add_argument("-m", dest="module", action="store_true", help="the program is a module, as in `python -m`")
    run.add_argument("program", help="script or module")
    run.add_argument("args", nargs=argparse.REMAINDER, help="arguments of the program")
    coverage = commands.add_parser("coverage", help="which MindSpore names programs use, and which are missing")
    coverage.add_argument("paths", nargs="+", help="scripts or folders")
    coverage.add_argument("--json", action="store_true", help="machine-readable output")
    commands.add_parser("info", help="versions, devices, extras")
    options = parser.parse_args(argv)
    if options.command == "run":
        from sporax.cli.run import run_program

        return run_program(options.program, options.args, module=options.module, mode=options.mode, device=options.device)
    if options.command == "coverage":
        from sporax.cli.coverage import report

        return report(options.paths, as_json=options.json)
    if options.command == "info":
        from sporax.cli.info import show

        return show()
    parser.print_help()
    return 0
