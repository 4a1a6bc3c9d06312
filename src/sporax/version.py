"""The one place that knows the version."""

__version__ = "0.1.0"
# The MindSpore release whose public API this is.
API_LEVEL = "2.10.0"
