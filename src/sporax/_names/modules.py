"""MindSpore's module paths, and the module here that answers to each.

Programs import the same thing from many places (`mindspore.ops.operations`, `mindspore.common.tensor`, `mindspore.nn.layer.basic`, ...).
Paths that exist here under the same name need no entry. An entry ending with ".*" is for everything below the path, too.
"""

ALIASES = {
    "context": "_core.context",
    "dtype": "_core.dtype",
    "parameter": "common",
    "common.api": "common",
    "common.dtype": "_core.dtype",
    "common.parameter": "common",
    "common.seed": "common",
    "common.tensor": "common",
    "common.jit_context": "common",
    "common.generator": "common",
    "common.hook_handle": "common",
    "graph.*": "common",
    "ops.operations.*": "ops",
    "ops.functional.*": "ops",
    "ops.composite.*": "ops",
    "ops.function.*": "ops",
    "ops.primitive": "ops",
    "ops.auto_generate.*": "ops",
    "ops._primitive_cache": "ops",
    "ops.op_info_register": "ops",
    "nn.dynamic_lr": "nn.schedule.dynamic_lr",
    "nn.learning_rate_schedule": "nn.schedule.learning_rate_schedule",
    "nn.layer.math": "nn",
    "nn.layer.embedding": "nn",
    "nn.layer.image": "nn",
    "nn.layer.padding": "nn",
    "nn.layer.rnns": "nn",
    "nn.layer.rnn_cells": "nn",
    "nn.layer.dense": "nn",
    "nn.layer.channel_shuffle": "nn",
    "nn.grad.*": "nn",
    "nn.optim.ada_grad": "nn.optim",
    "nn.optim.proximal_ada_grad": "nn.optim",
    "nn.optim.lazyadam": "nn.optim",
    "nn.wrap.grad_reducer": "nn",
    "nn.wrap.loss_scale": "nn",
}
_EXACT = {k.removesuffix(".*"): v for k, v in ALIASES.items()}
_PREFIXES = tuple((k.removesuffix("*"), v) for k, v in ALIASES.items() if k.endswith(".*"))


def target(path):
    """The module path (below the package) that answers to `path`, or None.

    Examples:
        >>> from sporax._names.modules import target
        >>> target("ops.operations.nn_ops"), target("ops")
        ('ops', None)
    """
    found = _EXACT.get(path)
    if found is not None:
        return found
    return next((v for prefix, v in _PREFIXES if path.startswith(prefix)), None)
