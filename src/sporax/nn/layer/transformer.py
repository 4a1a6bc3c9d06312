"""Attention and transformer layers (Vaswani et al., 2017)."""

import copy
import math

from sporax import ops
from sporax._core import dtype as mstype
from sporax._core import rng
from sporax._core.dispatch import apply
from sporax._core.tensor import Tensor
from sporax._kernels import attention as K
from sporax.common.initializer import HeUniform, XavierNormal, XavierUniform, Zero
from sporax.nn.cell import Cell
from sporax.nn.layer._make import parameter, positive_int
from sporax.nn.layer.basic import Dense, Dropout
from sporax.nn.layer.container import CellList
from sporax.nn.layer.normalization import LayerNorm


class MultiheadAttention(Cell):
    """softmax(Q K^T / sqrt(d)) V in several heads side by side.

    Args:
        embed_dim: size of the queries and of the output.
        num_heads: number of heads; divides `embed_dim`.
        dropout: probability of dropout of the attention weights, in training. Default: 0.0.
        has_bias: bias of the projections. Default: True.
        add_bias_kv: a learned key and value is appended. Default: False.
        add_zero_attn: a key and value of zeros is appended. Default: False.
        kdim, vdim: sizes of keys and values. Default: None, `embed_dim`.
        batch_first: (batch, time, features) instead of (time, batch, features). Default: False.
        dtype: default float32.

    Inputs:
        query, key, value (Tensor). key_padding_mask: (batch, source), True where a key does not count. need_weights: return the attention
        weights too.
        attn_mask: (target, source) or (batch x heads, target, source), bool (True: not allowed) or floating (added). average_attn_weights: average
        the weights over heads.

    Returns:
        `(output, weights)`, or `(output,)` without `need_weights`.
    """

    def __init__(
        self, embed_dim, num_heads, dropout=0.0, has_bias=True, add_bias_kv=False, add_zero_attn=False, kdim=None, vdim=None, batch_first=False,
        dtype=mstype.float32,
    ):  # fmt: skip
        super().__init__()
        self.embed_dim, self.num_heads = (
            positive_int("MultiheadAttention", "embed_dim", embed_dim),
            positive_int("MultiheadAttention", "num_heads", num_heads),
        )
        if embed_dim % num_heads:
            raise ValueError(f"The init argument 'embed_dim' must be divisible by 'num_heads', but got {embed_dim} and {num_heads}.")
        self.kdim, self.vdim = kdim or embed_dim, vdim or embed_dim
        self.dropout, self.batch_first, self.add_zero_attn, self.has_bias = dropout, batch_first, add_zero_attn, has_bias
        self._same = self.kdim == self.vdim == embed_dim
        if self._same:
            self.in_proj_weight = parameter(XavierUniform(), (3 * embed_dim, embed_dim), "in_proj_weight", dtype)
        else:
            self.q_proj_weight = parameter(XavierUniform(), (embed_dim, embed_dim), "q_proj_weight", dtype)
            self.k_proj_weight = parameter(XavierUniform(), (embed_dim, self.kdim), "k_proj_weight", dtype)
            self.v_proj_weight = parameter(XavierUniform(), (embed_dim, self.vdim), "v_proj_weight", dtype)
        self.in_proj_bias = parameter(Zero(), (3 * embed_dim,), "in_proj_bias", dtype) if has_bias else None
        self.bias_k = parameter(XavierNormal(), (1, 1, embed_dim), "bias_k", dtype) if add_bias_kv else None
        self.bias_v = parameter(XavierNormal(), (1, 1, embed_dim), "bias_v", dtype) if add_bias_kv else None
        self.out_proj = Dense(embed_dim, embed_dim, weight_init=HeUniform(math.sqrt(5)), bias_init="zeros", has_bias=has_bias, dtype=dtype)

    def _project(self, query, key, value):
        e = self.embed_dim
        if self._same:
            weights = [self.in_proj_weight[i * e : (i + 1) * e] for i in range(3)]
        else:
            weights = [self.q_proj_weight, self.k_proj_weight, self.v_proj_weight]
        biases = [None] * 3 if self.in_proj_bias is None else [self.in_proj_bias[i * e : (i + 1) * e] for i in range(3)]
        return [ops.dense(x, w, b) for x, w, b in zip((query, key, value), weights, biases)]

    def construct(self, query, key, value, key_padding_mask=None, need_weights=True, attn_mask=None, average_attn_weights=True):
        batched = query.ndim == 3
        if not batched:
            query, key, value = (ops.expand_dims(x, 1) for x in (query, key, value))
            key_padding_mask = None if key_padding_mask is None else ops.expand_dims(key_padding_mask, 0)
        elif self.batch_first:
            query, key, value = (ops.transpose(x, (1, 0, 2)) for x in (query, key, value))
        q, k, v = self._project(query, key, value)
        t, n, e = q.shape
        if self.bias_k is not None:
            k = ops.concat((k, ops.broadcast_to(self.bias_k, (1, n, e))))
            v = ops.concat((v, ops.broadcast_to(self.bias_v, (1, n, e))))
        if self.add_zero_attn:
            k, v = (ops.concat((x, ops.zeros((1, n, e), x.dtype))) for x in (k, v))
        s, heads = k.shape[0], self.num_heads
        q, k, v = (x.reshape(x.shape[0], n, heads, e // heads).transpose(1, 2, 0, 3) for x in (q, k, v))
        mask = self._mask(attn_mask, key_padding_mask, (n, heads, t, s), q.dtype)
        drop = self.dropout > 0 and self.training
        out, weights = apply(K.attention, (q, k, v, mask, rng.next_key() if drop else None, float(self.dropout)), scale=1 / math.sqrt(e // heads))
        out = self.out_proj(out.transpose(2, 0, 1, 3).reshape(t, n, e))
        if not batched:
            out = ops.squeeze(out, 1)
        elif self.batch_first:
            out = ops.transpose(out, (1, 0, 2))
        if not need_weights:
            return (out,)
        if average_attn_weights:
            weights = weights.mean(1)
        return out, weights if batched else ops.squeeze(weights, 0)

    def _mask(self, attn_mask, key_padding_mask, shape, dtype):
        n, heads, t, s = shape
        total = None
        extra = s - (attn_mask.shape[-1] if attn_mask is not None else key_padding_mask.shape[-1] if key_padding_mask is not None else s)
        if attn_mask is not None:
            mask = attn_mask if attn_mask.ndim == 2 else attn_mask.reshape(n, heads, t, attn_mask.shape[-1])
            total = _additive(mask, dtype)
        if key_padding_mask is not None:
            padding = _additive(key_padding_mask, dtype).reshape(n, 1, 1, key_padding_mask.shape[-1])
            total = padding if total is None else total + padding
        if total is not None and extra:
            total = ops.pad(total, (0, extra))
        return total


def _additive(mask, dtype):
    if mask.dtype.is_floating_point:
        return mask.astype(dtype)
    zero = Tensor(0.0, dtype)
    # a finite number: a row that is masked everywhere gives equal weights, not nan
    return ops.select(mask.astype(mstype.bool_), Tensor(-1e30 if dtype is not mstype.float16 else -6e4, dtype), zero)


def _activation(owner, activation):
    if isinstance(activation, str):
        if activation not in ("relu", "gelu"):
            raise ValueError(f"For '{owner}', the 'activation' should be 'relu', 'gelu', a Cell or a function, but got {activation!r}.")
        return ops.relu if activation == "relu" else ops.gelu
    if not callable(activation):
        raise ValueError(f"For '{owner}', the 'activation' should be 'relu', 'gelu', a Cell or a function, but got {activation!r}.")
    return activation


class _Layer(Cell):
    def _build(self, d_model, nhead, dim_feedforward, dropout, activation, eps, batch_first, norm_first, dtype):
        self.self_attn = MultiheadAttention(d_model, nhead, dropout=dropout, batch_first=batch_first, dtype=dtype)
        if isinstance(self, TransformerDecoderLayer):
            self.multihead_attn = MultiheadAttention(d_model, nhead, dropout=dropout, batch_first=batch_first, dtype=dtype)
        self.dense1 = Dense(d_model, dim_feedforward, dtype=dtype)
        self.dropout = Dropout(p=dropout)
        self.dense2 = Dense(dim_feedforward, d_model, dtype=dtype)
        self.norm_first = norm_first
        self.norm1, self.norm2 = LayerNorm((d_model,), epsilon=eps, dtype=dtype), LayerNorm((d_model,), epsilon=eps, dtype=dtype)
        if isinstance(self, TransformerDecoderLayer):
            self.norm3 = LayerNorm((d_model,), epsilon=eps, dtype=dtype)
        self.dropout1, self.dropout2 = Dropout(p=dropout), Dropout(p=dropout)
        if isinstance(self, TransformerDecoderLayer):
            self.dropout3 = Dropout(p=dropout)
        self.activation = _activation(type(self).__name__, activation)

    def _feed_forward(self, x):
        return self.dense2(self.dropout(self.activation(self.dense1(x))))


class TransformerEncoderLayer(_Layer):
    """Self-attention and a feed-forward network, each with a residual connection and layer normalization.

    Args:
        d_model: size of the features.
        nhead: number of heads.
        dim_feedforward: size of the hidden layer. Default: 2048.
        dropout: default 0.1.
        activation: "relu", "gelu", a Cell or a function. Default: "relu".
        layer_norm_eps: default 1e-5.
        batch_first: default False.
        norm_first: normalize before instead of after. Default: False.
        dtype: default float32.
    """

    def __init__(
        self,
        d_model,
        nhead,
        dim_feedforward=2048,
        dropout=0.1,
        activation="relu",
        layer_norm_eps=1e-5,
        batch_first=False,
        norm_first=False,
        dtype=mstype.float32,
    ):
        super().__init__()
        self._build(d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, dtype)

    def _attend(self, x, mask, padding):
        return self.dropout1(self.self_attn(x, x, x, attn_mask=mask, key_padding_mask=padding, need_weights=False)[0])

    def construct(self, src, src_mask=None, src_key_padding_mask=None):
        if self.norm_first:
            src = src + self._attend(self.norm1(src), src_mask, src_key_padding_mask)
            return src + self.dropout2(self._feed_forward(self.norm2(src)))
        src = self.norm1(src + self._attend(src, src_mask, src_key_padding_mask))
        return self.norm2(src + self.dropout2(self._feed_forward(src)))


class TransformerDecoderLayer(_Layer):
    """Self-attention, attention to the encoder's output (`memory`) and a feed-forward network; the arguments are those of
    `TransformerEncoderLayer`.
    """

    def __init__(
        self,
        d_model,
        nhead,
        dim_feedforward=2048,
        dropout=0.1,
        activation="relu",
        layer_norm_eps=1e-5,
        batch_first=False,
        norm_first=False,
        dtype=mstype.float32,
    ):
        super().__init__()
        self._build(d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, dtype)

    def construct(self, tgt, memory, tgt_mask=None, memory_mask=None, tgt_key_padding_mask=None, memory_key_padding_mask=None):
        def own(x):
            return self.dropout1(self.self_attn(x, x, x, attn_mask=tgt_mask, key_padding_mask=tgt_key_padding_mask, need_weights=False)[0])

        def other(x):
            return self.dropout2(
                self.multihead_attn(x, memory, memory, attn_mask=memory_mask, key_padding_mask=memory_key_padding_mask, need_weights=False)[0]
            )

        if self.norm_first:
            x = tgt + own(self.norm1(tgt))
            x = x + other(self.norm2(x))
            return x + self.dropout3(self._feed_forward(self.norm3(x)))
        x = self.norm1(tgt + own(tgt))
        x = self.norm2(x + other(x))
        return self.norm3(x + self.dropout3(self._feed_forward(x)))


def _clones(layer, n):
    cells = [copy.deepcopy(layer) for _ in range(n)]
    # names follow the positions; the prototype's own come first
    return CellList(cells)


class TransformerEncoder(Cell):
    """`num_layers` copies of an encoder layer, and an optional normalization at the end."""

    def __init__(self, encoder_layer, num_layers, norm=None):
        super().__init__()
        self.layers = _clones(encoder_layer, positive_int("TransformerEncoder", "num_layers", num_layers))
        self.num_layers, self.norm = num_layers, norm

    def construct(self, src, src_mask=None, src_key_padding_mask=None):
        for layer in self.layers:
            src = layer(src, src_mask=src_mask, src_key_padding_mask=src_key_padding_mask)
        return src if self.norm is None else self.norm(src)


class TransformerDecoder(Cell):
    """`num_layers` copies of a decoder layer, and an optional normalization at the end."""

    def __init__(self, decoder_layer, num_layers, norm=None):
        super().__init__()
        self.layers = _clones(decoder_layer, positive_int("TransformerDecoder", "num_layers", num_layers))
        self.num_layers, self.norm = num_layers, norm

    def construct(self, tgt, memory, tgt_mask=None, memory_mask=None, tgt_key_padding_mask=None, memory_key_padding_mask=None):
        for layer in self.layers:
            tgt = layer(tgt, memory, tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask)
        return tgt if self.norm is None else self.norm(tgt)


class Transformer(Cell):
    """An encoder and a decoder.

    Args:
        d_model, nhead, num_encoder_layers, num_decoder_layers, dim_feedforward: sizes. Default: 512, 8, 6, 6, 2048.
        dropout, activation, layer_norm_eps, batch_first, norm_first, dtype: as in `TransformerEncoderLayer`.
        custom_encoder, custom_decoder: Cells to use instead. Default: None.
    """

    def __init__(
        self, d_model=512, nhead=8, num_encoder_layers=6, num_decoder_layers=6, dim_feedforward=2048, dropout=0.1, activation="relu", custom_encoder=None,
        custom_decoder=None, layer_norm_eps=1e-5, batch_first=False, norm_first=False, dtype=mstype.float32,
    ):  # fmt: skip
        super().__init__()
        settings = (d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, dtype)
        self.encoder = custom_encoder or TransformerEncoder(
            TransformerEncoderLayer(*settings), num_encoder_layers, LayerNorm((d_model,), epsilon=layer_norm_eps, dtype=dtype)
        )
        self.decoder = custom_decoder or TransformerDecoder(
            TransformerDecoderLayer(*settings), num_decoder_layers, LayerNorm((d_model,), epsilon=layer_norm_eps, dtype=dtype)
        )
        for p in self.get_parameters():
            if p.ndim > 1:
                p.set_data(parameter(XavierUniform(), p.shape, p.name, p.dtype))
        self.d_model, self.nhead, self.batch_first = d_model, nhead, batch_first

    def construct(
        self,
        src,
        tgt,
        src_mask=None,
        tgt_mask=None,
        memory_mask=None,
        src_key_padding_mask=None,
        tgt_key_padding_mask=None,
        memory_key_padding_mask=None,
    ):
        if src.shape[-1] != self.d_model or tgt.shape[-1] != self.d_model:
            raise ValueError(
                f"For 'Transformer', the last size of 'src' and 'tgt' should be d_model {self.d_model}, but got shapes {src.shape} and {tgt.shape}."
            )
        memory = self.encoder(src, src_mask, src_key_padding_mask)
        return self.decoder(tgt, memory, tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask)
