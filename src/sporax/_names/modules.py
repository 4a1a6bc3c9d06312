"""MindSpore's module paths, and the module here that answers to each.

Programs import the same thing from many places: `mindspore.ops.operations`, `mindspore.common.tensor`, `mindspore.nn.layer.basic`. A path whose
file exists here needs no entry, and a file always comes before an entry. Everything is spelled out, because a path that MindSpore
doesn't have must stay an error.
"""

import re

# Module here -> paths that it answers to, relative to the package; braces as in a shell. The empty name is the package itself.
_TABLE = {
    "": "context device_manager version common.device",
    "_core.dtype": "dtype common.dtype common.np_dtype",
    "common": """
        parameter common.{_stub_tensor,_utils,_decorator,api,auto_dynamic_shape,dump,dynamic_shape,file_system,generator,hook_handle,jit_begin_end,
        jit_config,jit_context,jit_trace,lazy_inline,mindir_util,mutable,no_inline,parameter,recompute,seed,sparse_tensor,storage,symbol,tensor}
        common.dynamic_shape.{auto_dynamic_shape,enable_dynamic}
        graph graph.{api,dynamic_shape,jit_begin_end,jit_config,jit_context,jit_trace,lazy_inline,mutable,no_inline,symbol}""",
    "ops": """
        ops.{_constants,_primitive_cache,_register_for_op,_tensor_array,_utils,arg_dtype_cast,composite,deprecated,function,functional,functional_overload,op_info_register,
        operations,primitive,signature,tensor_method,vm_impl_registry,nn_func}
        ops.composite.{base,env_ops,math_ops,multitype_ops} ops.composite.multitype_ops.{_compile_utils,_constexpr_utils}
        ops.auto_generate ops.auto_generate.{gen_ops_def,gen_ops_prim,pyboost_inner_prim,cpp_create_prim_instance_helper}
        ops.function.{array_func,clip_func,debug_func,fft_func,grad,image_func,linalg_func,math_func,nn_func,other_func,parameter_func,random_func,
        sparse_func,sparse_unary_func,spectral_func,vmap_func} ops.function.grad.grad_func
        ops.operations.{_grad_ops,_infer_ops,_inner_ops,_ocr_ops,_quant_ops,_rl_inner_ops,_scalar_ops,_sequence_ops,_tensor_array,_csr_ops,
        array_ops,comm_ops,control_ops,custom_ops,debug_ops,image_ops,inner_ops,linalg_ops,manually_defined,math_ops,nn_ops,other_ops,
        random_ops,sparse_ops,spectral_ops} ops.operations.manually_defined.ops_def""",
    "communication": "communication.{management,comm_func,_comm_helper} ops.communication ops.function.comm_func",
    "nn": """
        nn.{layer,grad,sparse,utils} nn.grad.cell_grad nn.sparse.sparse nn.utils.init
        nn.layer.{activation,basic,channel_shuffle,combined,container,conv,dense,embedding,image,math,normalization,padding,pooling,rnn_cells,
        rnns,thor_layer,timedistributed,transformer}
        nn.{loss,wrap} nn.loss.loss nn.wrap.{cell_wrapper,grad_reducer,loss_scale}
        nn.optim nn.optim.{ada_grad,adadelta,adafactor,adam,adamax,adasum,asgd,ftrl,lamb,lars,lazyadam,momentum,optimizer,proximal_ada_grad,
        rmsprop,rprop,sgd,tft_wrapper,thor}""",
    "nn.schedule.dynamic_lr": "nn.dynamic_lr",
    "nn.schedule.learning_rate_schedule": "nn.learning_rate_schedule",
    "nn.probability.bijector": "nn.probability.bijector.{bijector,exp,gumbel_cdf,invert,power_transform,scalar_affine,softplus}",
    "nn.probability.distribution": """
        nn.probability.distribution.{bernoulli,beta,categorical,cauchy,distribution,exponential,gamma,geometric,gumbel,half_normal,laplace,log_normal,
        logistic,normal,poisson,student_t,transformed_distribution,uniform}""",
    "nn.probability.bnn_layers": "nn.probability.bnn_layers.{bnn_cell_wrapper,conv_variational,dense_variational,layer_distribution}",
    "mint.nn": "mint.nn.layer mint.nn.layer.{activation,basic,conv,normalization,padding,pooling}",
    "mint.optim": "mint.optim.{adam,adamw,fused_adamw,sgd}",
    "mint.distributed": "mint.distributed.distributed",
    "numpy": "numpy.{array_creations,array_ops,dtypes,logic_ops,math_ops,utils,utils_const}",
    "scipy": "scipy.{ops,utils}",
    "scipy.optimize": "scipy.optimize.{line_search,linear_sum_assignment,minimize}",
    "experimental.optim": "experimental.optim.{adadelta,adagrad,adam,adamax,adamw,asgd,nadam,optimizer,radam,rmsprop,rprop,sgd}",
    "amp": "train.{amp,loss_scale_manager}",
    "train": """
        train.{_utils,callback,data_sink,dataset_helper,metrics,model,serialization,summary,train_thor}
        train.callback.{_backup_and_restore,_callback,_checkpoint,_early_stop,_flops_collector,_history,_lambda_callback,_landscape,_loss_monitor,
        _lr_scheduler_callback,_on_request_exit,_reduce_lr_on_plateau,_summary_collector,_time_monitor}
        train.metrics.{accuracy,auc,bleu_score,confusion_matrix,cosine_similarity,dice,error,fbeta,hausdorff_distance,loss,mean_surface_distance,
        metric,occlusion_sensitivity,perplexity,precision,recall,roc,root_mean_square_surface_distance,topk}
        train.summary.{enums,summary_record,writer} train.train_thor.{convert_utils,dataset_helper,model_thor}
        nn.metrics nn.metrics.metric""",
    "parallel": """
        parallel.{_auto_parallel_context,_cell_wrapper,_cost_model_context,_dp_allreduce_fusion,_parallel_serialization,_ps_context,_recovery_context,_tensor,
        _utils,algo_parameter_config,auto_parallel,checkpoint_convert,checkpoint_transform,function,parameter_broadcast,shard,strategy,
        transform_safetensors} parallel.function.reshard_func ops.function.reshard_func""",
    "parallel.nn": "parallel.nn.{parallel_cell_wrapper,parallel_grad_reducer}",
    "parallel.distributed": "parallel.distributed.{distributed_data_parallel,flatten_grad_buffer}",
    "dataset": """
        dataset.{callback,core,engine} dataset.callback.ds_callback dataset.core.{config,datatypes,py_util_helpers,validator_helpers}
        dataset.engine.{cache_admin,cache_client,datasets,datasets_audio,datasets_standard_format,datasets_text,datasets_user_defined,datasets_vision,
        iterators,samplers,serializer_deserializer,validators} dataset.samplers""",
    "dataset.transforms": "dataset.transforms.{py_transforms_util,transforms,validators}",
    "dataset.vision": "dataset.vision.{py_transforms_util,transforms,utils,validators}",
    "dataset.text": "dataset.text.{transforms,utils,validators}",
    "dataset.audio": "dataset.audio.{transforms,utils,validators}",
    "dataset.utils": "dataset.utils.{browse_dataset,line_reader}",
    "dataset.debug": "dataset.debug.{debug_hook,pre_defined_hook}",
    "dataset.dataloader": "dataset.dataloader.{dataloader,dataset,distributed,sampler}",
    "mindrecord": """
        mindrecord.{common,config,filereader,filewriter,mindpage,tools} mindrecord.common.{constant,enums,exceptions}
        mindrecord.tools.{cifar100_to_mr,cifar10_to_mr,csv_to_mr,imagenet_to_mr,mnist_to_mr,tfrecord_to_mr}""",
    "runtime": "runtime.{device,event,executor,memory,stream,thread_bind_core}",
    "boost": "boost.{adasum,base,boost,boost_cell_wrapper,dim_reduce,grad_accumulation,grad_freeze,group_loss_scale_manager,less_batch_normalization}",
    "profiler": "profiler.profiling profiler.{common,mstx,schedule,dynamic_profiler,envprofiling}",
    "_names.checkparam": "_checkparam",
    "_names.log": "log",
    "_names.private": "_extends _extends.utils ops._utils.utils",
}

# Modules of MindSpore 1.x -> what they are now. Importing one gives that, with one note.
MOVED_MODULES = {
    "dataset.vision.c_transforms": "dataset.vision",
    "dataset.vision.py_transforms": "launch.py_transforms",
    "dataset.transforms.c_transforms": "dataset.transforms",
    "dataset.transforms.py_transforms": "dataset.transforms",
    "dataset.transforms.vision": "dataset.vision",
    "dataset.transforms.vision.c_transforms": "dataset.vision",
    "dataset.transforms.vision.py_transforms": "launch.py_transforms",
    "nn.cell_wrapper": "nn.wrap",
    "train.parallel_utils": "parallel",
    "common.type": "dtype",
}


def _expand(text):
    """The paths of a line of the table: `a.{b,c}` stands for `a.b a.c`."""
    for word in re.sub(r",\s+", ",", text).split():
        head, brace, tail = word.partition("{")
        if brace:
            yield from (head + name for name in tail.rstrip("}").split(","))
        else:
            yield word


# What a private module is called in messages and in the tables of spellings.
PUBLIC = {
    "_core.dtype": "common.dtype",
    "_core.context": "context",
    "_names.checkparam": "_checkparam",
    "_names.log": "log",
    "_names.private": "_extends",
    "launch.py_transforms": "dataset.vision",
}

ALIASES = {path: target for target, text in _TABLE.items() for path in _expand(text)}

# Modules that stand here where MindSpore has one; those below a public module get its errors without a line of their own.
KNOWN = {PUBLIC.get(to, to) for to in ALIASES.values()} | ALIASES.keys() | {"common.initializer"}
PACKAGES = {path.rpartition(".")[0] for path in ALIASES} & ALIASES.keys()

# Module here -> last part of alias paths -> those paths: what `from mindspore.ops.operations import nn_ops` asks the module `ops` for.
CHILDREN: dict = {}
for _path in ALIASES:
    _above, _, _child = _path.rpartition(".")
    CHILDREN.setdefault(ALIASES.get(_above, _above), {}).setdefault(_child, []).append(_path)


def target(path):
    """The module path (below the package) that answers to `path`, or None. Paths and results leave the package's own name out.

    Examples:
        >>> from sporax._names.modules import target
        >>> target("ops.operations.nn_ops"), target("context"), target("ops.operations.no_such")
        ('ops', '', None)
    """
    return ALIASES.get(path, MOVED_MODULES.get(path))
