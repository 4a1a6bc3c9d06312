"""Handles on arrays, and the bridge from programs that change things to XLA, which computes pure functions.

Read the files in this order: `value` (what is computed), `scope` (handles and the one place that rebinds them), `dispatch`
(the only way to a kernel), `record` / `direct` / `trace` (three back ends), `tape` (reverse mode), `region` (a piece of Python
made pure), `compile` (a region kept as one executable).
"""

import jax

# MindSpore computes int64 and float64 where a program says so; without this JAX would silently narrow both.
jax.config.update("jax_enable_x64", True)
