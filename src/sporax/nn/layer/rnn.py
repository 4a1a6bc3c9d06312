"""Recurrent layers and cells."""

import math

from sporax import ops
from sporax._core import dtype as mstype
from sporax._core.dispatch import apply
from sporax._core.parameter import Parameter, ParameterTuple
from sporax._core.tensor import Tensor
from sporax._kernels import rnn as K
from sporax.common.initializer import Uniform, initializer
from sporax.nn.cell import Cell
from sporax.nn.layer._make import flag, need_input, positive_int
from sporax.nn.layer.basic import Dropout

_GATES = {"lstm": 4, "gru": 3, "tanh": 1, "relu": 1}


def _parameter(shape, bound, name, dtype):
    return Parameter(initializer(Uniform(bound), shape, dtype), name=name)


class _Direction(Cell):
    """One direction of one layer; has no parameters of its own."""

    kind = "tanh"

    def construct(self, x, state, seq_length, weights, reverse):
        h, c = state if self.kind == "lstm" else (state, None)
        return apply(K.layer, (x, h, c, *weights, seq_length), kind=self.kind, reverse=reverse)


def _direction(name, kind):
    return type(name, (_Direction,), {"kind": kind, "__module__": __name__, "__doc__": _Direction.__doc__})


# named as MindSpore's, which are seen in printed networks
_DIRECTIONS = {
    kind: _direction(name, kind)
    for kind, name in {"lstm": "_DynamicLSTMCPUGPU", "gru": "_DynamicGRUCPUGPU", "tanh": "_DynamicRNNTanh", "relu": "_DynamicRNNRelu"}.items()
}


class _RNNBase(Cell):
    """What the recurrent layers share; `kind` is "lstm", "gru", "tanh" or "relu"."""

    def __init__(
        self, kind, input_size, hidden_size, num_layers=1, has_bias=True, batch_first=False, dropout=0.0, bidirectional=False, dtype=mstype.float32
    ):
        super().__init__()
        name = type(self).__name__
        self.input_size = positive_int(name, "input_size", input_size)
        self.hidden_size, self.num_layers = positive_int(name, "hidden_size", hidden_size), positive_int(name, "num_layers", num_layers)
        self.has_bias, self.batch_first, self.bidirectional = (
            flag(name, k, v) for k, v in (("has_bias", has_bias), ("batch_first", batch_first), ("bidirectional", bidirectional))
        )
        if isinstance(dropout, bool) or not isinstance(dropout, int | float):
            raise TypeError(f"For '{name}', 'dropout' should be a number, but got {dropout!r}.")
        if not 0 <= dropout < 1:
            raise ValueError(f"For '{name}', the 'dropout' must be a number in range [0, 1), but got {dropout}.")
        self.kind, self.rnn = kind, _DIRECTIONS[kind]()
        self.dropout_op = Dropout(p=float(dropout))
        bound, gates = 1 / math.sqrt(hidden_size), _GATES[kind]
        lists: dict = {"weight_ih": [], "weight_hh": [], "bias_ih": [], "bias_hh": []}
        directions = 2 if bidirectional else 1
        for layer in range(num_layers):
            for suffix in ("", "_reverse")[:directions]:
                width = input_size if layer == 0 else hidden_size * directions
                shapes = {"weight_ih": (gates * hidden_size, width), "weight_hh": (gates * hidden_size, hidden_size)}
                if has_bias:
                    shapes |= {"bias_ih": (gates * hidden_size,), "bias_hh": (gates * hidden_size,)}
                for key, shape in shapes.items():
                    lists[key].append(_parameter(shape, bound, f"{key}_l{layer}{suffix}", dtype))
        self.w_ih_list, self.w_hh_list = ParameterTuple(lists["weight_ih"]), ParameterTuple(lists["weight_hh"])
        self.b_ih_list, self.b_hh_list = ParameterTuple(lists["bias_ih"]), ParameterTuple(lists["bias_hh"])

    def construct(self, x, hx=None, seq_length=None):
        need_input(type(self).__name__, x)
        if x.ndim != 3:
            raise ValueError(f"For '{type(self).__name__}', the input should have 3 axes (time, batch, features), but got shape {x.shape}.")
        if x.shape[2] != self.input_size:
            raise ValueError(f"For '{type(self).__name__}', the input should have {self.input_size} features, but got shape {x.shape}.")
        if self.batch_first:
            x = ops.transpose(x, (1, 0, 2))
        directions = 2 if self.bidirectional else 1
        count = self.num_layers * directions
        if hx is None:
            zeros = ops.zeros((count, x.shape[1], self.hidden_size), x.dtype)
            hx = (zeros, zeros) if self.kind == "lstm" else zeros
        h0, c0 = hx if self.kind == "lstm" else (hx, None)
        if h0.shape != (count, x.shape[1], self.hidden_size):
            raise ValueError(f"For '{type(self).__name__}', 'hx' should have shape {(count, x.shape[1], self.hidden_size)}, but got {h0.shape}.")
        hs, cs = [], []
        for layer in range(self.num_layers):
            outs = []
            for d in range(directions):
                i = layer * directions + d
                biases = (self.b_ih_list[i], self.b_hh_list[i]) if self.has_bias else (None, None)
                state = h0[i] if c0 is None else (h0[i], c0[i])
                out, h, c = self.rnn(x, state, seq_length, (self.w_ih_list[i], self.w_hh_list[i], *biases), d == 1)
                outs.append(out)
                hs.append(h)
                cs.append(c)
            x = outs[0] if directions == 1 else ops.concat(outs, -1)
            if layer < self.num_layers - 1:
                x = self.dropout_op(x)
        if self.batch_first:
            x = ops.transpose(x, (1, 0, 2))
        h = ops.stack(hs)
        return x, (h, ops.stack(cs)) if self.kind == "lstm" else h


_DOC = """

    Args:
        input_size, hidden_size: sizes of input and state.
        num_layers: layers on top of each other. Default: 1.
        has_bias: default True.
        batch_first: the input is (batch, time, features) instead of (time, batch, features). Default: False.
        dropout: probability of dropout between layers. Default: 0.0.
        bidirectional: a second layer reads backwards; outputs are joined. Default: False.
        dtype: default float32.

    Inputs:
        x (Tensor): the sequences. hx: the initial state, (layers x directions, batch, hidden){pair}. Default: None, zeros.
        seq_length (Tensor): (batch,) lengths; what comes later does not count. Default: None.

    Returns:
        `(output, final state)`.
    """


class RNN(_RNNBase):
    """h = act(W_ih x + b_ih + W_hh h + b_hh) over sequences; act is "tanh" or "relu" (`nonlinearity`)."""

    __doc__ += _DOC.format(pair="")

    def __init__(
        self,
        input_size,
        hidden_size,
        num_layers=1,
        nonlinearity="tanh",
        has_bias=True,
        batch_first=False,
        dropout=0.0,
        bidirectional=False,
        dtype=mstype.float32,
    ):
        if nonlinearity not in ("tanh", "relu"):
            raise ValueError(f"For 'RNN', the nonlinearity should be 'tanh' or 'relu', but got {nonlinearity!r}.")
        super().__init__(nonlinearity, input_size, hidden_size, num_layers, has_bias, batch_first, dropout, bidirectional, dtype)


class GRU(_RNNBase):
    """Gated recurrent units (Cho et al., 2014) over sequences."""

    __doc__ += _DOC.format(pair="")

    def __init__(
        self, input_size, hidden_size, num_layers=1, has_bias=True, batch_first=False, dropout=0.0, bidirectional=False, dtype=mstype.float32
    ):
        super().__init__("gru", input_size, hidden_size, num_layers, has_bias, batch_first, dropout, bidirectional, dtype)


class LSTM(_RNNBase):
    """Long short-term memory (Hochreiter and Schmidhuber, 1997) over sequences."""

    __doc__ += _DOC.format(pair=", twice: (h, c)")

    def __init__(
        self, input_size, hidden_size, num_layers=1, has_bias=True, batch_first=False, dropout=0.0, bidirectional=False, dtype=mstype.float32
    ):
        super().__init__("lstm", input_size, hidden_size, num_layers, has_bias, batch_first, dropout, bidirectional, dtype)


class _RNNCellBase(Cell):
    def __init__(self, input_size, hidden_size, has_bias, gates, dtype):
        super().__init__()
        name = type(self).__name__
        self.input_size, self.hidden_size = positive_int(name, "input_size", input_size), positive_int(name, "hidden_size", hidden_size)
        self.has_bias = flag(name, "has_bias", has_bias)
        bound = 1 / math.sqrt(hidden_size)
        self.weight_ih = _parameter((gates * hidden_size, input_size), bound, "weight_ih", dtype)
        self.weight_hh = _parameter((gates * hidden_size, hidden_size), bound, "weight_hh", dtype)
        if has_bias:
            self.bias_ih = _parameter((gates * hidden_size,), bound, "bias_ih", dtype)
            self.bias_hh = _parameter((gates * hidden_size,), bound, "bias_hh", dtype)
        else:
            self.bias_ih = self.bias_hh = None

    def _check(self, x, h):
        name = type(self).__name__
        need_input(name, x)
        if not isinstance(h, Tensor):
            raise TypeError(f"For '{name}', the state should be a Tensor, but got {type(h).__name__}.")
        if x.shape[-1] != self.input_size or h.shape[-1] != self.hidden_size:
            raise ValueError(
                f"For '{name}', the input should have {self.input_size} features and the state {self.hidden_size}, but got "
                f"shapes {x.shape} and {h.shape}."
            )


class RNNCell(_RNNCellBase):
    """One step of an `RNN`: h' = act(W_ih x + b_ih + W_hh h + b_hh)."""

    def __init__(self, input_size, hidden_size, has_bias=True, nonlinearity="tanh", dtype=mstype.float32):
        super().__init__(input_size, hidden_size, has_bias, 1, dtype)
        if nonlinearity not in ("tanh", "relu"):
            raise ValueError(f"For 'RNNCell', the nonlinearity should be 'tanh' or 'relu', but got {nonlinearity!r}.")
        self.nonlinearity = nonlinearity

    def construct(self, x, hx):
        self._check(x, hx)
        return apply(K.rnn_cell, (x, hx, self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh), relu=self.nonlinearity == "relu")


class GRUCell(_RNNCellBase):
    """One step of a `GRU`."""

    def __init__(self, input_size, hidden_size, has_bias=True, dtype=mstype.float32):
        super().__init__(input_size, hidden_size, has_bias, 3, dtype)

    def construct(self, x, hx):
        self._check(x, hx)
        return apply(K.gru_cell, (x, hx, self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh))


class LSTMCell(_RNNCellBase):
    """One step of an `LSTM`: (h', c') from x and (h, c)."""

    def __init__(self, input_size, hidden_size, has_bias=True, dtype=mstype.float32):
        super().__init__(input_size, hidden_size, has_bias, 4, dtype)

    def construct(self, x, hx):
        if not isinstance(hx, tuple | list) or len(hx) != 2:
            raise TypeError(f"For 'LSTMCell', the state should be a pair (h, c), but got {type(hx).__name__}.")
        self._check(x, hx[0])
        return apply(K.lstm_cell, (x, *hx, self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh))
