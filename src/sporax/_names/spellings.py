"""Names that moved, were renamed or removed between MindSpore 1.x and 2.x.

`MOVED`: (module, old name) -> path of what it is now; using it works, with one note each. `REMOVED`: (module, name) -> what to do instead.
"""

MOVED = {
    ("", "ms_function"): "jit",
    ("", "ms_class"): "jit_class",
    ("", "ms_memory_recycle"): "runtime.synchronize",
    ("common", "ms_function"): "jit",
    ("common", "ms_class"): "jit_class",
    ("ops", "tensor_mul"): "ops.mul",
    ("ops", "tensor_sub"): "ops.sub",
    ("ops", "tensor_floordiv"): "ops.floor_divide",
    ("ops", "tensor_mod"): "ops.remainder",
    ("ops", "tensor_lt"): "ops.less",
    ("ops", "tensor_le"): "ops.less_equal",
    ("ops", "tensor_gt"): "ops.greater",
    ("ops", "tensor_ge"): "ops.greater_equal",
    ("ops", "tensor_exp"): "ops.exp",
    ("ops", "logical_xor_"): "ops.logical_xor",
    ("ops", "scalar_to_array"): "ops.scalar_to_tensor",
    ("ops", "ScalarToArray"): "ops.scalar_to_tensor",
    ("ops", "make_row_tensor"): "Tensor",
    ("ops", "control_depend"): "ops.depend",
    ("ops", "clip_by_norm_"): "ops.clip_by_norm",
    ("ops", "grad_by_position"): "grad",
    ("ops", "ops_hyper_map"): "ops.HyperMap",
    ("ops", "Tanh_"): "ops.Tanh",
    ("nn", "_Loss"): "nn.LossBase",
    ("nn", "Loss_"): "nn.LossBase",
    ("nn", "DenseBnAct_"): "nn.Dense",
    ("nn", "ParameterUpdateCell"): "nn.ParameterUpdate",
}

_TORCH = "this is PyTorch's name; MindSpore has {}"
REMOVED = {
    ("ops", "ControlDepend"): "it is not needed: effects happen in the order of the program (ops.depend(value, expr) returns the value)",
    ("nn", "ResizeBilinear"): "use ops.interpolate(x, size=..., mode='bilinear')",
    ("nn", "Sequential"): _TORCH.format("nn.SequentialCell"),
    ("nn", "Module"): _TORCH.format("nn.Cell, whose computation is `construct`"),
    ("nn", "ModuleList"): _TORCH.format("nn.CellList"),
    ("nn", "Parameter"): _TORCH.format("mindspore.Parameter"),
    ("nn", "DataParallel"): _TORCH.format("data-parallel runs through mindspore.set_auto_parallel_context"),
    ("nn", "Softplus"): "use ops.softplus",
    ("nn", "init"): _TORCH.format("mindspore.common.initializer"),
    ("nn", "functional"): _TORCH.format("mindspore.ops"),
    ("", "no_grad"): "gradients are taken only where value_and_grad says so; ops.stop_gradient cuts them",
    ("", "FloatTensor"): _TORCH.format("mindspore.Tensor(data, mindspore.float32)"),
    ("", "LongTensor"): _TORCH.format("mindspore.Tensor(data, mindspore.int64)"),
    ("", "autograd"): _TORCH.format("mindspore.value_and_grad"),
}
