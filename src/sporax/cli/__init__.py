"""The `sporax` command."""

import argparse
import sys

_DESCRIPTION = """Run MindSpore programs on JAX.

  sporax run [--mode graph|pynative] [--device cpu|gpu|tpu] [--resume folder] script.py args...
  sporax run -m module args...
  sporax coverage script.py...     which MindSpore names a program uses, and which of them are missing
  sporax convert old.safetensors new.ckpt
  sporax info                      versions, devices, extras"""


def _parser():
    from sporax.version import API_LEVEL, __version__

    parser = argparse.ArgumentParser("sporax", description=_DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"sporax {__version__} (MindSpore API {API_LEVEL})")
    commands = parser.add_subparsers(dest="command", metavar="command")

    run = commands.add_parser("run", help="run a program with `mindspore` served by Sporax", allow_abbrev=False)
    run.add_argument("--mode", choices=("graph", "pynative"), help="the mode, whatever the program says in set_context(mode=...)")
    run.add_argument("--device", choices=("cpu", "gpu", "tpu"), type=str.lower, help="the device that the program starts on")
    run.add_argument("--resume", metavar="FOLDER", help="keep the state of training there, and go on from what is there")
    run.add_argument("-m", dest="module", action="store_true", help="the program is a module, as in `python -m`")
    run.add_argument("program", help="script, folder with a __main__.py, or module")
    run.add_argument("args", nargs=argparse.REMAINDER, help="arguments of the program")

    coverage = commands.add_parser("coverage", help="which MindSpore names programs use, and which are missing", allow_abbrev=False)
    coverage.add_argument("paths", nargs="+", help="scripts or folders")
    coverage.add_argument("--json", action="store_true", help="machine-readable output")

    convert = commands.add_parser("convert", help="write a checkpoint anew: .ckpt or .safetensors, with other names", allow_abbrev=False)
    convert.add_argument("source", help=".ckpt or .safetensors file")
    convert.add_argument("target", help="file to write; its ending says the format")
    convert.add_argument("--names", choices=("from-torch", "to-torch"), help="translate PyTorch's names of layers, or MindSpore's")
    convert.add_argument("--map", metavar="FILE", help='JSON table of names, {"old": "new", "model.": "", "re:^h\\.(.*)": "x.\\1", "unused": null}')
    convert.add_argument("--dtype", choices=("float16", "bfloat16", "float32", "float64"), help="dtype of the floating-point parameters")
    convert.add_argument("--list", action="store_true", help="print every parameter's old and new name and shape")

    commands.add_parser("info", help="versions, devices, extras", allow_abbrev=False)
    return parser


def main(argv=None):
    """Entry point of the command; returns the exit status.

    Args:
        argv: arguments after the command's name. Default: those of the process.
    """
    parser = _parser()
    options = parser.parse_args(sys.argv[1:] if argv is None else list(argv))
    if options.command == "run":
        from sporax.cli.run import run_program

        return run_program(options.program, options.args, module=options.module, mode=options.mode, device=options.device, resume=options.resume)
    if options.command == "coverage":
        from sporax.cli.coverage import report

        return report(options.paths, as_json=options.json)
    if options.command == "convert":
        from sporax.cli.convert import convert

        return convert(options.source, options.target, options.map, options.names, options.dtype, options.list)
    if options.command == "info":
        from sporax.cli.info import show

        return show()
    parser.print_help()
    return 0
