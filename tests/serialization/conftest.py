"""Recordings are made with genuine MindSpore, by hand."""

collect_ignore = ["make_files.py"]
