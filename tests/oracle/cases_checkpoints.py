"""Small programs that save and load; each gets the framework as an argument and runs in an empty folder."""

import numpy as np


def _p(ms, array, name="x"):
    return ms.Parameter(ms.Tensor(array), name=name)


def _dense(ms):
    net = ms.nn.Dense(3, 2)
    net.weight.set_data(ms.Tensor(np.arange(6, dtype=np.float32).reshape(2, 3)))
    net.bias.set_data(ms.Tensor(np.float32([7, 8])))
    return net


def _state(net):
    return {p.name: ms_value(p) for p in net.get_parameters()}


def ms_value(p):
    return p.asnumpy()


def _into(*entries, **options):
    """Load entries (name, array) into a Dense; what is returned, and the parameters."""

    def case(ms):
        net = _dense(ms)
        result = ms.load_param_into_net(net, {name: _p(ms, array, name) for name, array in entries}, **options)
        return result, _state(net)

    return case


F = np.float32
W, B = np.ones((2, 3), F), np.ones(2, F)


def _saved(ms):
    ms.save_checkpoint(_dense(ms), "a.ckpt", append_dict={"epoch": 3, "rate": 0.5, "done": True, "note": "text"})


def _load(**options):
    def case(ms):
        _saved(ms)
        return {name: value if isinstance(value, str) else ms_value(value) for name, value in ms.load_checkpoint("a.ckpt", **options).items()}

    return case


def _load_with_net(ms):
    _saved(ms)
    net = ms.nn.Dense(3, 2, weight_init="zeros")
    names = list(ms.load_checkpoint("a.ckpt", net))
    return names, _state(net)


def _choice_save(ms):
    ms.save_checkpoint(_dense(ms), "a", choice_func=lambda name: name == "bias")
    return [(n, p.requires_grad, p.name) for n, p in ms.load_checkpoint("a.ckpt").items()]


def _optimizer(ms):
    net = _dense(ms)
    optimizer = ms.nn.Momentum(net.trainable_params(), 0.1, 0.9)
    ms.save_checkpoint(optimizer, "o.ckpt")
    return {n: ms_value(p) for n, p in ms.load_checkpoint("o.ckpt").items()}


def _nested(ms):
    class Outer(ms.nn.Cell):
        def __init__(self):
            super().__init__()
            self.network = _dense(ms)

    ms.save_checkpoint(Outer(), "n.ckpt")
    net = ms.nn.Dense(3, 2, weight_init="zeros")
    return ms.load_param_into_net(net, ms.load_checkpoint("n.ckpt")), _state(net)


def _async(ms):
    _saved(ms)
    return sorted(ms.load_checkpoint_async("a.ckpt").result()), ms.async_ckpt_thread_status()


CASES = {
    "into_all": _into(("weight", W), ("bias", B)),
    "into_missing": _into(("weight", W)),
    "into_unused": _into(("weight", W), ("bias", B), ("other", B)),
    "into_none": _into(),
    "into_half": _into(("weight", W.astype(np.float16) / 3)),
    "into_double": _into(("weight", W.astype(np.float64) / 3)),
    "into_strict": _into(("weight", W), ("other", B), strict_load=True),
    "into_strict_half": _into(("weight", W.astype(np.float16)), strict_load=True),
    "into_int": _into(("weight", W.astype(np.int32))),
    "into_shape": _into(("weight", np.ones((3, 3), F))),
    "into_prefix": _into(("net.weight", W), ("net.bias", B), ("net.z", B)),
    "into_prefix_partly": _into(("net.weight", W), ("bias", B)),
    "into_prefix_strict": _into(("net.weight", W), strict_load=True),
    "into_two_prefixes": _into(("a.weight", W), ("b.bias", B)),
    "into_text": lambda ms: ms.load_param_into_net(_dense(ms), {"weight": "x"}),
    "into_tensor": lambda ms: ms.load_param_into_net(_dense(ms), {"weight": ms.Tensor(W)}),
    "into_no_net": lambda ms: ms.load_param_into_net(3, {}),
    "into_no_dict": lambda ms: ms.load_param_into_net(_dense(ms), 3),
    "into_no_bool": lambda ms: ms.load_param_into_net(_dense(ms), {}, strict_load=1),
    "into_redundancy": lambda ms: ms.load_param_into_net(_dense(ms), {}, remove_redundancy=True),
    "load": _load(),
    "load_specify": _load(specify_prefix="e"),
    "load_specify_list": _load(specify_prefix=["e", "bias"]),
    "load_filter": _load(filter_prefix=("e", "weight")),
    "load_both": _load(specify_prefix=["we", "bi"], filter_prefix="weight"),
    "load_choice": _load(choice_func=lambda name: name in ("done", "note")),
    "load_prefix_over_choice": _load(specify_prefix="e", choice_func=lambda name: name == "bias"),
    "load_nothing": _load(specify_prefix="zz"),
    "load_crc": _load(crc_check=True),
    "load_bad_prefix": _load(specify_prefix=3),
    "load_empty_prefix": _load(filter_prefix=[""]),
    "load_no_prefixes": _load(filter_prefix=[]),
    "load_format": _load(format="safetensors"),
    "load_with_net": _load_with_net,
    "load_missing": lambda ms: ms.load_checkpoint("none.ckpt"),
    "load_number": lambda ms: ms.load_checkpoint(3),
    "choice_save": _choice_save,
    "optimizer": _optimizer,
    "nested": _nested,
    "async": _async,
}
