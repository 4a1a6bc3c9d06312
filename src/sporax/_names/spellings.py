"""Names that moved, were renamed or removed between MindSpore 1.x and 2.x, and names of PyTorch that programs hope for.

Each table: module -> {name: what to use}. A replacement is in the same module, or starts with `mindspore.`.
"""

_METRICS = (
    "Accuracy BleuScore ConfusionMatrix ConfusionMatrixMetric CosineSimilarity Dice F1 Fbeta HausdorffDistance Loss MAE MSE MeanSurfaceDistance Metric "
    "OcclusionSensitivity Perplexity Precision ROC Recall RootMeanSquareDistance Top1CategoricalAccuracy Top5CategoricalAccuracy TopKCategoricalAccuracy auc "
    "get_metric_fn names rearrange_inputs"
).split()
_TRAIN = (
    "Model Callback CheckpointConfig ConvertModelUtils ConvertNetUtils DatasetHelper EarlyStopping History LambdaCallback LearningRateScheduler LossMonitor "
    "ModelCheckpoint OnRequestExit ReduceLROnPlateau RunContext SummaryCollector SummaryLandscape SummaryRecord TimeMonitor connect_network_with_dataset data_sink"
).split()
_SERIALIZATION = (
    "async_ckpt_thread_status ckpt_to_safetensors export load load_checkpoint load_checkpoint_async load_param_into_net safetensors_to_ckpt save_checkpoint"
).split()
_MINDRECORD = "Cifar100ToMR Cifar10ToMR CsvToMR FileReader FileWriter ImageNetToMR MindPage MnistToMR TFRecordToMR".split()
_SCALES = "DynamicLossScaleManager FixedLossScaleManager LossScaleManager build_train_network".split()

# Using the old name gives the new thing, with one note for each name.
MOVED = {
    "": {"ms_function": "jit", "ms_class": "jit_class"},
    "common": {"ms_function": "mindspore.jit", "ms_class": "mindspore.jit_class"},
    "nn": {
        "_Loss": "LossBase",
        "Gelu": "GELU",
        "GradOperation": "mindspore.ops.GradOperation",
        "ResizeBilinear": "mindspore.launch.legacy.ResizeBilinear",
    },
    "ops": {
        "LGamma": "Lgamma",
        "TensorAdd": "Add",
        "Gelu": "GeLU",
        "FastGelu": "FastGeLU",
        "Pack": "Stack",
        "Unpack": "Unstack",
        "GatherV2": "Gather",
        "SparseGatherV2": "Gather",
        "scalar_to_array": "scalar_to_tensor",
        "pack": "stack",
        "unpack": "unstack",
        "reduce_prod": "prod",
        "kronecker": "kron",
        "mutable": "mindspore.mutable",
        "concatenate": "concat",
        "tensor": "mindspore.tensor",
        "as_tensor": "mindspore.tensor",
        "context": "mindspore.context",
        "control_depend": "depend",
        "grad_by_position": "mindspore.grad",
        "tensor_and": "logical_and",
    },
    "profiler.profiling": {"Profiler": "mindspore.profiler.Profiler"},
}

# What to use instead of classes that are kept for old programs only.
SUCCESSOR = {
    "launch.legacy.ResizeBilinear": "ops.interpolate(x, size=size, mode='bilinear')",
}

# The same thing at a path, or under a name, that is right in MindSpore too: no note.
SAME = {
    "": {
        **{name: f"mindspore.train.{name}" for name in _METRICS + _TRAIN},
        **{name: f"mindspore.train.serialization.{name}" for name in _SERIALIZATION},
        **{name: f"mindspore.mindrecord.{name}" for name in _MINDRECORD},
        **{name: f"mindspore.amp.{name}" for name in _SCALES},
        **{name: f"mindspore.steps.{name}" for name in ("GradReport", "explain_grads")},
        "Profiler": "mindspore.profiler.Profiler",
        "Layout": "mindspore.parallel.Layout",
        "is_tensor": "mindspore.ops.is_tensor",
        "set_memory": "mindspore.runtime.set_memory",
        "synchronize": "mindspore.runtime.synchronize",
        "ms_memory_recycle": "mindspore.runtime.empty_cache",
    },
    "common": {
        "_pynative_executor": "mindspore._names.private._pynative_executor",
        "_get_graph_seed": "mindspore.common.initializer._get_graph_seed",
        "bool": "mindspore.bool_",
        "int": "mindspore.int_",
        "float": "mindspore.float_",
        "default_generator": "mindspore.default_generator",
        "recompute": "mindspore.recompute",
        **{name: f"mindspore.{name}" for name in "JitConfig RowTensor SparseTensor COOTensor CSRTensor is_tensor from_numpy tensor set_recursion_limit".split()},
    },
    "common.dtype": {"bool": "bool_", "int": "int_", "float": "float_"},
    "nn": {
        **{name: f"mindspore.train.{name}" for name in [*_METRICS, "get_metrics"]},
        "no_init_parameters": "mindspore.nn.utils.no_init_parameters",
    },
    "ops": {
        "Tensor": "mindspore.Tensor",
        "constexpr": "mindspore.constexpr",
        "_primexpr": "mindspore.constexpr",
        "_get_cache_prim": "mindspore._names.private._get_cache_prim",
        "Inv": "Reciprocal",
        "inv": "reciprocal",
        "tensor_add": "add",
        "tensor_sub": "sub",
        "tensor_mul": "mul",
        "tensor_div": "div",
        "tensor_pow": "pow",
        "tensor_mod": "floor_mod",
        "tensor_floordiv": "floor_div",
        "tensor_lt": "less",
        "tensor_le": "less_equal",
        "tensor_gt": "greater",
        "tensor_ge": "greater_equal",
        "tensor_exp": "exp",
        "tensor_expm1": "expm1",
        "floormod": "floor_mod",
        "floordiv": "floor_div",
    },
}

_TORCH = "this is PyTorch's name; MindSpore has {}"
_TRANSFORMER = "MindSpore 2.0 took it out. Use nn.TransformerEncoder, nn.TransformerDecoder and nn.MultiheadAttention"
_PYTHON = "use Python's own {}"

# There is nothing that does the same under another name: what to do instead.
REMOVED = {
    "": {
        "no_grad": "gradients are taken only where value_and_grad says so; ops.stop_gradient cuts them",
        "FloatTensor": _TORCH.format("mindspore.Tensor(data, mindspore.float32)"),
        "LongTensor": _TORCH.format("mindspore.Tensor(data, mindspore.int64)"),
        "BoolTensor": _TORCH.format("mindspore.Tensor(data, mindspore.bool_)"),
        "ByteTensor": _TORCH.format("mindspore.Tensor(data, mindspore.uint8)"),
        "Size": _TORCH.format("tuples for shapes"),
        "autograd": _TORCH.format("mindspore.value_and_grad"),
        "autocast": _TORCH.format("mindspore.amp.auto_mixed_precision"),
        "cuda": _TORCH.format('mindspore.set_device("GPU")'),
        "device": _TORCH.format('mindspore.set_device("GPU"); tensors are on that device without being moved'),
        "optim": _TORCH.format("the optimizers in mindspore.nn, and PyTorch's own interface in mindspore.mint.optim"),
        "save": _TORCH.format("mindspore.save_checkpoint"),
        "random": _TORCH.format("mindspore.set_seed and mindspore.ops.normal"),
        "finfo": _TORCH.format("numpy.finfo(mindspore.dtype_to_nptype(dtype))"),
        "compression": "MindSpore 2.0 took it out; it went into the package MindSpore Golden Stick, which Sporax does not serve",
        "explainer": "MindSpore 2.0 took it out; it went into the package MindSpore XAI, which Sporax does not serve",
        "hypercomplex": "MindSpore 2.0 took it out",
        "model_zoo": "the models are a project of their own, github.com/mindspore-ai/models",
        "set_offload_context": "MindSpore took it out; XLA places the memory itself",
    },
    "nn": {
        "Sequential": _TORCH.format("nn.SequentialCell"),
        "Module": _TORCH.format("nn.Cell, whose computation is `construct`"),
        "ModuleList": _TORCH.format("nn.CellList"),
        "ModuleDict": _TORCH.format("nn.CellDict"),
        "ParameterList": _TORCH.format("mindspore.ParameterTuple"),
        "ParameterDict": _TORCH.format("Parameters as attributes of a Cell, which it finds itself"),
        "Parameter": _TORCH.format("mindspore.Parameter"),
        "parameter": _TORCH.format("mindspore.Parameter"),
        "DataParallel": _TORCH.format("data parallel training through mindspore.set_auto_parallel_context"),
        "ConvTranspose1d": _TORCH.format("nn.Conv1dTranspose"),
        "ConvTranspose2d": _TORCH.format("nn.Conv2dTranspose"),
        "ConvTranspose3d": _TORCH.format("nn.Conv3dTranspose"),
        "UpsamplingBilinear2d": _TORCH.format('nn.Upsample(mode="bilinear", align_corners=True)'),
        "Softplus": "use ops.softplus",
        "init": _TORCH.format("mindspore.common.initializer: initializer(Normal(0.02), shape), or parameter.set_data(...)"),
        "functional": _TORCH.format("mindspore.ops, and PyTorch's own interface in mindspore.mint.nn.functional"),
        "modules": _TORCH.format("mindspore.nn"),
        "transformer": _TRANSFORMER,
        "generator": "use mindspore.manual_seed, mindspore.get_rng_state and mindspore.set_rng_state",
        "AdamWeightDecayDynamicLR": "use nn.AdamWeightDecay with a schedule such as nn.PolynomialDecayLR as learning_rate",
        "SoftmaxCrossEntropyExpand": "use nn.SoftmaxCrossEntropyWithLogits(sparse=True)",
        "DataWrapper": "use Model(...).train with dataset_sink_mode=True",
        "InsertGradientOf": "use ops.HookBackward",
        "DepthwiseConv2d": "use nn.Conv2d(channels, channels, kernel_size, group=channels)",
        "GlobalBatchNorm": "use nn.SyncBatchNorm",
        "Interpolate": "use nn.Upsample, or ops.interpolate",
        "LinSpace": "use ops.linspace",
        "IoU": "use ops.iou",
        "RoiAlign": "use ops.ROIAlign",
    },
    "nn.utils": {
        "rnn": _TORCH.format("the argument `seq_length` of nn.LSTM, nn.GRU and nn.RNN for sequences of different lengths"),
        "clip_grad_norm_": _TORCH.format("ops.clip_by_global_norm(grads, clip_norm), before optimizer(grads)"),
        "clip_grad_norm": _TORCH.format("ops.clip_by_global_norm(grads, clip_norm), before optimizer(grads)"),
    },
    "ops": {
        "ControlDepend": "it is not needed: effects happen in the order of the program (ops.depend(value, expr) returns the value)",
        "FusedBatchNorm": "use nn.BatchNorm2d, or ops.BatchNorm(is_training=...)",
        "FusedBatchNormEx": "use nn.BatchNorm2d, or ops.BatchNorm(is_training=...)",
        "Sum": "use ops.ReduceSum, or ops.sum",
        "normalize": "use ops.L2Normalize, or x / ops.norm(x, dim=-1, keepdim=True)",
        "l2_normalize": "use ops.L2Normalize",
        "mse": "use ops.mse_loss",
        "empty": "use mindspore.mint.empty, or ops.zeros",
        "no_grad": "gradients are taken only where value_and_grad says so; ops.stop_gradient cuts them",
        "ReLUV2": "use ops.ReLU",
        "UniformSampler": "use ops.UniformCandidateSampler",
        "IsSubClass": _PYTHON.format("issubclass"),
        "issubclass_": _PYTHON.format("issubclass, and mindspore.common.dtype for dtypes"),
        "isinstance_": _PYTHON.format("isinstance"),
        "array_len": _PYTHON.format("len"),
        "reversed": _PYTHON.format("reversed"),
        "SameTypeShape": "compare the shapes and dtypes of the two tensors",
        "core": "use mindspore.jit",
        "op_selector": "XLA selects the kernels",
        "_tracefunc": "use mindspore.jit",
    },
    "common": {"_executor": "it is an internal of MindSpore 1.x; use mindspore.jit, or Cell.compile"},
    "utils": {"data": _TORCH.format("mindspore.dataset.GeneratorDataset for a Dataset, and its methods shuffle, batch and create_tuple_iterator for a DataLoader")},
    "parallel": {"_transformer": _TRANSFORMER},
    "dataset": {"DataLoader": _TORCH.format("dataset.GeneratorDataset(source, columns).batch(size)"), "GraphData": "MindSpore 2.0 took it out"},
    "numpy": {"save": "use numpy.save(file, x.asnumpy())", "load": "use mindspore.Tensor(numpy.load(file))", "random": "use mindspore.ops.normal, uniform, randint"},
}


def _absolute(module, name):
    """A replacement's path below the package."""
    return name.removeprefix("mindspore.") if name.startswith("mindspore.") else f"{module}.{name}".lstrip(".")


def replacement(module, name):
    """What a name of a module is now: (path below the package, whether the name is an old one), or None.

    Examples:
        >>> from sporax._names.spellings import replacement
        >>> replacement("ops", "concatenate"), replacement("ops", "constexpr"), replacement("ops", "add")
        (('ops.concat', True), ('constexpr', False), None)
    """
    for table, old in ((MOVED, True), (SAME, False)):
        new = table.get(module, {}).get(name)
        if new is not None:
            return _absolute(module, new), old
    return None
