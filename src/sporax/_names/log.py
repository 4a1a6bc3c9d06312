"""`mindspore.log`: messages in MindSpore's form, through Python's `logging`.

The level is 2 (warnings and worse), MindSpore's default; `logging.getLogger("ME").setLevel(logging.INFO)` shows more.
"""

import datetime
import logging
import os
import sys

_LEVELS = {logging.DEBUG: 0, logging.INFO: 1, logging.WARNING: 2, logging.ERROR: 3, logging.CRITICAL: 4}


class _Formatter(logging.Formatter):
    """`[WARNING] ME(process:thread,MainProcess):2026-01-31-12:00:00.000.000 [file:line] text`."""

    def format(self, record):
        when = datetime.datetime.fromtimestamp(record.created).strftime("%Y-%m-%d-%H:%M:%S.%f")
        path = os.sep.join(record.pathname.split(os.sep)[-2:])
        text = f"[{record.levelname}] ME({record.process}:{record.thread},{record.processName}):{when[:-3]}.{when[-3:]} [{path}:{record.lineno}] {record.getMessage()}"
        return text + (f"\n{self.formatException(record.exc_info)}" if record.exc_info else "")


class _Stderr(logging.StreamHandler):
    """Writes to what `sys.stderr` is at the time of the message."""

    @property
    def stream(self):
        return sys.stderr

    @stream.setter
    def stream(self, value):
        pass


def _make():
    logger = logging.getLogger("ME")
    if not any(isinstance(h, _Stderr) for h in logger.handlers):
        handler = _Stderr()
        handler.setFormatter(_Formatter())
        logger.addHandler(handler)
        logger.setLevel(logging.WARNING)
        logger.propagate = False
    return logger


_logger = _make()
debug, info, warning, error, critical = _logger.debug, _logger.info, _logger.warning, _logger.error, _logger.critical


def _get_logger():
    return _logger


def get_level():
    """The level of messages that are shown: 0 debug, 1 info, 2 warning, 3 error, 4 critical.

    Examples:
        >>> from sporax._names import log
        >>> log.get_level()
        2
    """
    return _LEVELS.get(_logger.getEffectiveLevel(), 2)


def get_log_config():
    """The settings of the log, by the names of MindSpore's environment variables."""
    return {"GLOG_v": str(get_level()), "GLOG_logtostderr": "1"}
