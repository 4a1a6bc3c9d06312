"""Derivatives of functions: reverse mode on the tape, forward mode and batching by tracing a region."""
