"""`python -m sporax script.py args...` and `python -m sporax -m module args...`: run a program; other arguments are those of `sporax`."""

import sys

from sporax.cli import main

_COMMANDS = ("run", "coverage", "info", "-h", "--help", "--version")

if __name__ == "__main__":
    argv = sys.argv[1:]
    if argv and argv[0] not in _COMMANDS:
        argv = ["run", *argv]
    sys.exit(main(argv))
